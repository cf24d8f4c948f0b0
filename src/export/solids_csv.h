// Deformable solids of a run as tidy tables: one line a node, or a tetrahedron, of each solid.
#ifndef CDG_EXPORT_SOLIDS_CSV_H
#define CDG_EXPORT_SOLIDS_CSV_H

#include "export/bytes.h"
#include "fields/solid_field.h"
#include "output/run_reader.h"

void cdg_solids_csv_heading(cdg_bytes *text, cdg_solid_per per);
// Adds the lines of one solid at one output.
cdg_result cdg_solids_csv_lines(cdg_bytes *text, const cdg_run_reader *reader, size_t output, size_t solid,
                                cdg_solid_per per, cdg_error *error);
double cdg_solids_csv_numbers(const cdg_run_reader *reader); // of one output, about

#endif
