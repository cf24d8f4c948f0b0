// What the machine could do: a plain loop over as much data.
#ifndef BENCH_PLAIN_LOOP_H
#define BENCH_PLAIN_LOOP_H

#include <stddef.h>

// Seconds of one passage over `bytes` of memory, two thirds read and one third written (c[i] = a[i] + s b[i], one
// multiply-add for 24 bytes, on one core, as the compiler makes it): the least that anything takes that touches all of
// them once. Small ones lie in the caches, as they do for what they are compared with. 0: no memory.
double plain_loop_seconds(size_t bytes);

#endif
