// The plain loop that figures are compared with (McCalpin's triad).
#include "bench/plain_loop.h"

#include "bench/cases.h"

#include <stdlib.h>

typedef struct triad {
    double *a, *b, *c;
    size_t count;
    double factor;
} triad;

static cdg_result run_triad(void *user) {
    triad *t = user;
    const double *restrict a = t->a, *restrict b = t->b;
    double *restrict c = t->c;
    double factor = t->factor;
    for (size_t i = 0; i < t->count; i++) c[i] = a[i] + factor * b[i];
    // The next passage reads what this one wrote, so that none can be left out.
    t->a = t->c;
    t->c = (double *)(size_t)a;
    return CDG_OK;
}

double plain_loop_seconds(size_t bytes) {
    size_t count = bytes / (3 * sizeof(double));
    if (count < 8) count = 8;
    double *memory = malloc(3 * count * sizeof *memory), least = 0;
    if (memory == NULL) return 0;
    for (size_t i = 0; i < 3 * count; i++) memory[i] = 1e-3 * (double)(i % 7);
    triad t = {.a = memory, .b = memory + count, .c = memory + 2 * count, .count = count, .factor = 1e-3};
    for (int i = 0; i < 5; i++) { // the least: other work on the machine only makes it longer
        cdg_result result;
        double seconds = bench_time(run_triad, &t, 2e-3, &result);
        if (i == 0 || seconds < least) least = seconds;
    }
    free(memory);
    return least;
}
