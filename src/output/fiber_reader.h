// Fibres of a run as if they were rods of it: found anew from their guides at each output.
#ifndef CDG_OUTPUT_FIBER_READER_H
#define CDG_OUTPUT_FIBER_READER_H

#include "output/run_reader.h"

typedef struct cdg_fiber_reader cdg_fiber_reader;

// Appends a rod for each fibre of the run, NAME.f0, NAME.f1, ..., to reader->rods, and marks guides and fibres by
// cdg_run_rod.strands. Nothing happens in a run without fibres. What is read of a fibre: positions, velocities and
// frames are its own; angular velocities are those of the guide it follows most; forces and moments are means of its
// guides'. Such a reader is for one thread at a time.
cdg_result cdg_run_reader_add_fibers(cdg_run_reader *reader, cdg_error *error);

// ---- for run_reader.c

cdg_result cdg_fiber_reader_read(const cdg_run_reader *reader, size_t frame, size_t rod, cdg_field field, double *out,
                                 cdg_error *error);
void cdg_fiber_reader_destroy(cdg_fiber_reader *fibers); // NULL is fine

#endif
