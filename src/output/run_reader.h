// Reading a run back: times, energies and every rod's numbers at any output. For pictures, plots and exports.
#ifndef CDG_OUTPUT_RUN_READER_H
#define CDG_OUTPUT_RUN_READER_H

#include "output/run_layout.h"

// The datasets that have a value at every output, CDG_RUN_FIELD_positions and so on.
typedef enum cdg_run_field {
#define CDG_RUN_FIELD_ENUM(name, per, components, units, text) CDG_RUN_FIELD_##name,
    CDG_RUN_ROD_LIST(CDG_RUN_FIELD_ENUM)
#undef CDG_RUN_FIELD_ENUM
        CDG_RUN_FIELD_COUNT
} cdg_run_field;

typedef struct cdg_run_field_info {
    const char *name, *units, *description;
    cdg_run_per per;
    size_t component_count;
} cdg_run_field_info;
cdg_run_field_info cdg_run_field_get(cdg_run_field field);
bool cdg_run_field_find(const char *name, cdg_run_field *out);

// What stays the same about a rod. Owned by the reader.
typedef struct cdg_run_rod {
    const char *name, *model;
    bool is_closed;
    size_t node_count, element_count;
    double length, mass;         // m, kg
    const double *radius;        // m, node_count
    const double *rest_length;   // m, element_count
    const cdg_section *sections; // node_count; the true shape (a circle of `radius` where the file does not tell)
} cdg_run_rod;

typedef struct cdg_run_reader {
    char *directory, *title, *scene_name, *scene_text, *overrides;
    size_t frame_count; // complete outputs; a run that goes on or was interrupted has fewer than planned
    double *times;      // s, frame_count
    cdg_run_rod *rods;
    size_t rod_count;
    struct cdg_run_reader_file *file; // run_reader.c
} cdg_run_reader;

// `directory` is the run's directory or its run.h5. CDG_ERROR_IO: not there or unreadable, CDG_ERROR_FORMAT: not a run
// of cordage, damaged, or without any output; the message says which and what to do.
cdg_result cdg_run_reader_open(const char *directory, cdg_run_reader **out, cdg_error *error);
void cdg_run_reader_close(cdg_run_reader *reader); // NULL is fine

// One rod's numbers at one output: nodes or elements times components doubles, as stored.
cdg_result cdg_run_reader_read(const cdg_run_reader *reader, size_t frame, size_t rod, cdg_run_field field, double *out,
                               cdg_error *error);
// One energy ("total", "bend", ... as in CDG_ENERGY_LIST) at all outputs, frame_count doubles, J.
cdg_result cdg_run_reader_energy(const cdg_run_reader *reader, const char *name, double *out, cdg_error *error);
// The output nearest to a time.
size_t cdg_run_reader_nearest_frame(const cdg_run_reader *reader, double time);

#endif
