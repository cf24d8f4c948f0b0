// Things of one kind in run.h5: one group for all of them, in it one for each, with its number in the scene.
#ifndef CDG_OUTPUT_RUN_GROUPS_H
#define CDG_OUTPUT_RUN_GROUPS_H

#include "output/run_mesh.h"

typedef struct cdg_run_extent {
    size_t frame_count;
    uint64_t file_size; // 0: the file is being made
    const char *path;   // of a file that is read
} cdg_run_extent;

// What a kind of things offers; `list` is the kind's own.
typedef struct cdg_run_kind {
    const char *parent; // "bodies"
    const char *(*name)(const void *list, size_t number);
    bool (*put)(const void *list, size_t number, hid_t group); // attributes of a new group
    // Datasets are made or found again, and their offsets noted.
    bool (*visit)(void *list, size_t number, hid_t group, cdg_run_visit visit, const cdg_run_extent *extent);
    // Of a file that may be damaged: room for so many things; and one of them, false unless it is whole and no other
    // had its number.
    bool (*reserve)(void *list, size_t count);
    bool (*read)(void *list, size_t number, const char *name, hid_t group, const cdg_run_extent *extent);
} cdg_run_kind;

// False on failure. Without things there is no group. `file` is HDF5's identifier.
bool cdg_run_kind_create(const cdg_run_kind *kind, void *list, size_t count, int64_t file, size_t frame_count);
bool cdg_run_kind_find(const cdg_run_kind *kind, void *list, size_t count, int64_t file, cdg_run_extent extent);
bool cdg_run_kind_discover(const cdg_run_kind *kind, void *list, int64_t file, cdg_run_extent extent);

// Datasets of the vibrations of one thing: natural frequencies and shapes, whose scale is in `units` and `text`.
void cdg_run_mode_blocks(size_t mode_count, size_t node_count, const char *units, const char *text,
                         cdg_hdf5_block *frequencies, cdg_hdf5_block *shapes);

// Own copies; NULL without memory.
char *cdg_run_copy_name(const char *name);
void *cdg_run_copy_entries(const void *entries, size_t count, size_t size);

#endif
