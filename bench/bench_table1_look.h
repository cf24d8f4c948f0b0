// Paper 002, section 8: how many iterations the three methods of table 1 need for the same look.
#ifndef CDG_BENCH_BENCH_TABLE1_LOOK_H
#define CDG_BENCH_BENCH_TABLE1_LOOK_H

#include "bench/cases.h"

enum { TABLE1_LOOK_ELEMENTS = 50, TABLE1_LOOK_COUNTS = 4 };

// Iterations compared: those of the paper's table 1.
extern const int table1_look_iterations[TABLE1_LOOK_COUNTS];

// How far the tip of a rod of 1 m, held at one end and of stiffness 1, is below the rod that converged methods have,
// which stays straight: mean over 100 frames of 10 ms, m.
double table1_look_pbd(int iterations);
double table1_look_pber(int iterations);
double table1_look_pobd(int iterations);

// A workload for the table in cases.c: a row in mm for each method and count of iterations.
cdg_result bench_table1_look(bench_context *context, cdg_error *error);

#endif
