// run.h5 while it is written: what run_file.c, run_resize.c and run_reopen.c share.
#ifndef CDG_OUTPUT_RUN_FILE_INNER_H
#define CDG_OUTPUT_RUN_FILE_INNER_H

#include "output/run_file.h"
#include "output/run_layout.h"
#include "output/run_ragged.h"
#include "output/write_queue.h"

struct cdg_run_file {
    char *path;
    int descriptor;
    const cdg_scene *scene;
    const cdg_run_plan *plan;
    cdg_run_layout layout;
    size_t frames_written;
    cdg_write_queue *queue; // NULL: outputs are small, or it could not be made
    uint64_t slot_ticket;   // of the last checkpoint that was handed to it
    double *row;            // all fields of a batch of rods
    size_t row_numbers;     // that fit into it
    double *scratch;        // for each thread room for the fields of a rod, where they are made single precision
    size_t scratch_numbers;
    double *slot;              // one checkpoint
    cdg_run_contact *contacts; // of an output
    size_t contact_capacity;
    size_t contact_end; // row after the last contact of the last output written
    cdg_run_rows *ends; // of rods whose resolution changes: the rows after those of the last output written
    double *kept;       // numbers of the run's own, of which checkpoints keep a copy
    size_t kept_count;
    cdg_checkpoint newest;
    bool has_newest;
    int newest_slot;
    double last_sync, last_checkpoint; // s, cdg_disk_clock
    double checkpoint_seconds;         // that it took to make the last one, and to write it unless the queue does that
};

// ---- run_file.c

// A file that is not open yet, with the layout of a new run.
cdg_result cdg_run_file_make(const char *path, const cdg_scene *scene, const cdg_world *world, const cdg_run_plan *plan,
                             cdg_run_file **out, cdg_error *error);
void cdg_run_file_free(cdg_run_file *file);
cdg_result cdg_run_file_open_descriptor(const char *path, int *descriptor, cdg_error *error);
// Makes a file of the given layout under path + ".new", times erased, open for writing. *name is malloc'ed.
cdg_result cdg_run_file_make_new(const cdg_run_file *file, cdg_run_layout *layout, char **name, int *descriptor,
                                 cdg_error *error);
// Marks outputs first .. last - 1 as not written.
cdg_result cdg_run_file_erase_times(int descriptor, const char *path, const cdg_run_layout *layout, size_t first,
                                    size_t last, cdg_error *error);
// Waits until all that was handed over is in the file.
cdg_result cdg_run_file_finish(cdg_run_file *file, cdg_error *error);

// ---- run_resize.c

// What a file has room for.
typedef struct cdg_run_room {
    size_t frames, contacts;
    size_t rod, rows; // of that rod, and ...
    enum {
        CDG_ROWS_STAY,
        CDG_ROWS_FIT,
        CDG_ROWS_FOR_ALL
    } others; // ... of those whose resolution changes: just what is written,
              // or what outputs to come may need
} cdg_run_room;

// Rewrites the file with that room; on failure everything is as it was.
cdg_result cdg_run_file_resize(cdg_run_file *file, cdg_run_room room, cdg_error *error);
// Gives back the room of outputs that were not reached, and of contacts and rows of rods that did not come.
void cdg_run_file_pack(cdg_run_file *file);

// ---- run_reopen.c

// How many outputs from the first on have a time.
cdg_result cdg_run_file_count_frames(cdg_run_file *file, size_t *written, cdg_error *error);

#endif
