// A table of named columns, numbers or texts, as CSV and as HDF5.
#ifndef CDG_OUTPUT_TABLE_FILE_H
#define CDG_OUTPUT_TABLE_FILE_H

#include <cordage/base.h>

typedef struct cdg_table_file_column {
    const char *name;         // "tip_z"
    const char *unit;         // "m"; "": none is told
    const double *numbers;    // row_count, or NULL
    const char *const *texts; // row_count, when there are no numbers
} cdg_table_file_column;

typedef struct cdg_table_file {
    const cdg_table_file_column *columns;
    size_t column_count, row_count;
    const char *title; // an attribute of the HDF5 file
} cdg_table_file;

// RFC 4180 with a heading, "tip_z [m]"; numbers with 17 digits, so that reading gives the same bits; a number that is
// not one is left empty. There whole or not at all.
cdg_result cdg_table_file_write_csv(const cdg_table_file *table, const char *path, cdg_error *error);
// One dataset for each column, of numbers or of UTF-8 texts of one length, with the attribute "units".
cdg_result cdg_table_file_write_hdf5(const cdg_table_file *table, const char *path, cdg_error *error);

#endif
