// Rods of a run whose scene cuts them: the file has the parts that there are in the end, from its first output on.
// Before a cut a part is where the rod is that it is cut from, so that every part has as many nodes in all outputs.
#ifndef CDG_OUTPUT_RUN_PARTS_H
#define CDG_OUTPUT_RUN_PARTS_H

#include "base/parallel.h"
#include "output/run_contacts.h"
#include "output/run_layout.h"

// The rods of the layout, with what the scene's cuts make of them; `rods` is malloc'ed.
cdg_result cdg_run_parts_make(const cdg_world *world, cdg_run_layout *out, cdg_error *error);
// Where a rod of the file is in the world.
cdg_cut_span cdg_run_part_span(const cdg_world *world, const cdg_run_rod_entry *rod);
// Positions of its nodes; and all fields, as cdg_world_measure_rod gives them of a whole rod.
cdg_result cdg_run_part_positions(const cdg_world *world, const cdg_run_rod_entry *rod, cdg_vec3 *out);
cdg_result cdg_run_part_measure(const cdg_world *world, const cdg_run_rod_entry *rod,
                                double *const out[CDG_FIELD_COUNT]);
// All fields of several, measured on all threads of the world: field k of the i-th goes to number i * rows[k] of
// begin[k].
typedef struct cdg_run_parts_measure {
    const cdg_world *world;
    const cdg_run_rod_entry *parts;
    const size_t *indices; // of those that are measured, in `parts`
    size_t count;
    void *begin[CDG_FIELD_COUNT]; // NULL: not this field
    size_t rows[CDG_FIELD_COUNT];
    double *scratch; // numbers of single precision: room for those of one part for each thread; NULL: of double
    size_t scratch_numbers;
    cdg_result result[CDG_THREADS_MAX]; // by thread
} cdg_run_parts_measure;
cdg_result cdg_run_parts_measure_all(cdg_run_parts_measure *measure);
// A constant of its nodes or elements, by what reads it of a whole rod.
typedef cdg_result cdg_run_read(const cdg_world *world, cdg_rod_id rod, double *out);
cdg_result cdg_run_part_read(const cdg_world *world, const cdg_run_rod_entry *rod, cdg_run_read *read,
                             cdg_field_per per, size_t components, double *out);
// Sides of contacts, from rods and elements of the world to those of the file.
void cdg_run_parts_place_contacts(const cdg_world *world, const cdg_run_layout *layout, cdg_run_contact *contacts,
                                  size_t count);

#endif
