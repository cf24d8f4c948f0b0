// Independent pieces of work on several threads, by OpenMP where the compiler has it, else one after the other.
// The schedule is static: a piece's thread follows from its index alone, so nothing depends on who is faster.
#include "base/parallel.h"

#ifdef _OPENMP
#include <omp.h>
#endif

void cdg_parallel_for(size_t count, int thread_count, void (*body)(void *user, size_t index, int thread), void *user) {
#ifdef _OPENMP
    if (thread_count > 1 && count > 1) {
        int used = (size_t)thread_count < count ? thread_count : (int)count;
#pragma omp parallel for schedule(static) num_threads(used)
        for (size_t index = 0; index < count; index++) body(user, index, omp_get_thread_num());
        return;
    }
#else
    (void)thread_count;
#endif
    for (size_t index = 0; index < count; index++) body(user, index, 0);
}

int cdg_parallel_default_threads(void) {
#ifdef _OPENMP
    int count = omp_get_max_threads(); // respects OMP_NUM_THREADS and the CPUs this process may use
    return count < CDG_THREADS_MAX ? count : CDG_THREADS_MAX;
#else
    return 1;
#endif
}
