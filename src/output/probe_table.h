// probes.csv read back: columns with name, unit and numbers.
#ifndef CDG_OUTPUT_PROBE_TABLE_H
#define CDG_OUTPUT_PROBE_TABLE_H

#include <cordage/base.h>

typedef struct cdg_table_column {
    char *name, *unit; // "tip_x [m]" is "tip_x" and "m"; a heading without unit has "1"
    double *values;    // row_count
} cdg_table_column;

typedef struct cdg_probe_table {
    cdg_table_column *columns; // the first is the time
    size_t column_count, row_count;
} cdg_probe_table;

// A last line without its end is what a run in progress, or one that was killed, leaves: it is not counted. Anything
// else that is not a table of numbers is CDG_ERROR_FORMAT with the line.
cdg_result cdg_probe_table_read(const char *path, cdg_probe_table *out, cdg_error *error);
// The same from memory; `path` stands in messages. `text` is changed.
cdg_result cdg_probe_table_parse(char *text, size_t size, const char *path, cdg_probe_table *out, cdg_error *error);
void cdg_probe_table_free(cdg_probe_table *table);

#endif
