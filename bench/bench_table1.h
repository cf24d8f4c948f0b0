// Paper 002, table 1: what a frame costs the two older methods the paper compares with.
#ifndef CDG_BENCH_BENCH_TABLE1_H
#define CDG_BENCH_BENCH_TABLE1_H

#include "bench/cases.h"

// A workload for the table in cases.c. Six rows in microseconds a frame, no bars: pbd and pber at 50 elements with 10,
// 18 and 80 iterations; each label ends with the paper's own figure.
cdg_result bench_table1(bench_context *context, cdg_error *error);

#endif
