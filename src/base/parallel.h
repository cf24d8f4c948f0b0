// Running independent pieces of work on several threads.
#ifndef CDG_BASE_PARALLEL_H
#define CDG_BASE_PARALLEL_H

#include <stddef.h>

enum { CDG_THREADS_MAX = 256 };

// Calls body(user, index, thread) for index 0 .. count - 1; thread is 0 .. thread_count - 1. Pieces must be
// independent: then results do not depend on the number of threads.
void cdg_parallel_for(size_t count, int thread_count, void (*body)(void *user, size_t index, int thread), void *user);

int cdg_parallel_default_threads(void); // at most CDG_THREADS_MAX

#endif
