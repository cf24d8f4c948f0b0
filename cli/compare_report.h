// What `cordage compare` found out: measured from the runs, as charts, as tables and as JSON.
#ifndef CLI_COMPARE_REPORT_H
#define CLI_COMPARE_REPORT_H

#include "options.h"
#include "output/run_reader.h"
#include "output/run_settings.h"

#include <cordage/run.h>

enum { COMPARE_PATH_SIZE = 4096, COMPARE_NAME_SIZE = 80 };

typedef enum variant_outcome { VARIANT_FINISHED, VARIANT_REFUSED, VARIANT_FAILED, VARIANT_INTERRUPTED } variant_outcome;

// One rod of one variant, against the same rod of the reference.
typedef struct rod_result {
    const char *name;
    bool is_closed;
    double length;                       // m
    cdg_vec3 end;                        // m: last node of an open rod, first of a closed one, at the last output
    double end_distance;                 // m, from the reference's at the last output that both have; NaN: none
    double largest_distance, largest_at; // m over all nodes and outputs, s; NaN: none
} rod_result;

typedef struct variant_result {
    const char *name;
    const char *model; // that all rods were to have; NULL: as the scene says
    char *directory;
    cdg_scene *scene;
    variant_outcome outcome;
    cdg_result result;
    cdg_error error;
    bool has_begun;
    double time; // s, reached
    cdg_run_summary summary;
    // measured
    cdg_run_reader *reader; // NULL: nothing to read
    size_t element_count;
    cdg_energy energy; // J, at the last output
    rod_result *rods;
    double *distance; // m, over all rods; one for each output
} variant_result;

typedef struct comparison {
    const char *command, *scene_name, *directory;
    variant_result *results;
    size_t count, reference;
    bool has_runs;
    char files[4][COMPARE_PATH_SIZE];
    size_t file_count;
} comparison;

cdg_result comparison_measure(comparison *compared, cdg_error *error);
cdg_result comparison_write_files(comparison *compared, cdg_error *error); // compare.svg, .png and .html
void comparison_print(const comparison *compared);
void comparison_print_json(const comparison *compared, exit_status status);
void comparison_free(comparison *compared); // what comparison_measure made

#endif
