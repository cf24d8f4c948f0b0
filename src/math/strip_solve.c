// Systems on a chain of nodes (strip_solve.h): the border's dense system, further right sides, and the choice of the
// instruction set for the sweeps.
#include "math/strip_solve.h"

#include "base/processor.h"

#include <math.h>
#include <string.h>

#if defined(__x86_64__)
#define CHOOSE(name, ...)                                                                                              \
    (cdg_processor_lanes() == CDG_LANES_AVX512 ? name##_avx512(__VA_ARGS__)                                            \
     : cdg_processor_lanes() == CDG_LANES_AVX2 ? name##_avx2(__VA_ARGS__)                                              \
                                               : name##_base(__VA_ARGS__))
#else
#define CHOOSE(name, ...) name##_base(__VA_ARGS__)
#endif

enum { SIZE = STRIP_BORDER };

void strip_clear(strip *s) {
    memset(s->rows, 0, STRIP_NODE * s->count * sizeof(double));
    if (s->ring != NULL) memset(s->ring, 0, STRIP_RING_NODE * s->count * sizeof(double));
    memset(s->border, 0, sizeof s->border);
    memset(s->border_right, 0, sizeof s->border_right);
}

// L below the diagonal, 1/D on it.
static void factor_border(strip *s) {
    double(*a)[SIZE] = s->border;
    for (int j = 0; j < SIZE; j++) {
        double inverse = 1 / a[j][j];
        if (!(fabs(inverse) <= 1e300)) s->is_broken = true; // also when it is not a number
        s->negative_count += a[j][j] < 0;
        for (int i = j + 1; i < SIZE; i++)
            for (int k = j + 1; k <= i; k++) a[i][k] -= a[i][j] * inverse * a[k][j];
        for (int i = j + 1; i < SIZE; i++) a[i][j] *= inverse;
        a[j][j] = inverse;
    }
}

static void solve_border(const strip *s, double x[SIZE]) {
    for (int i = 0; i < SIZE; i++)
        for (int k = 0; k < i; k++) x[i] -= s->border[i][k] * x[k];
    for (int i = SIZE - 1; i >= 0; i--) {
        x[i] *= s->border[i][i];
        for (int k = i + 1; k < SIZE; k++) x[i] -= s->border[k][i] * x[k];
    }
}

void strip_factor(strip *s) {
    CHOOSE(strip_factor, s);
    if (s->ring != NULL) factor_border(s);
}

void strip_substitute(const strip *s, double *solution, double *border_solution) {
    if (s->ring != NULL) {
        memcpy(border_solution, s->border_right, sizeof s->border_right);
        solve_border(s, border_solution);
    }
    CHOOSE(strip_substitute, s, solution, border_solution);
}

void strip_solve_more(const strip *s, double *right, double *border_right) {
    double left[7] = {0}; // what the nodes before add to y_i and the place of y_{i+1}
    for (size_t i = 0; i < s->count; i++) {
        const double *rows = s->rows + STRIP_NODE * i;
        double *y = right + 4 * i, next[7] = {left[4], left[5], left[6]};
        for (int k = 0; k < 4; k++) {
            y[k] += left[k];
            for (int l = 0; l < k; l++) y[k] -= rows[STRIP_ROW * k + l] * y[l];
        }
        for (int k = 0; k < 4; k++) {
            double scaled = y[k] * rows[STRIP_ROW * k + k];
            for (int r = 0; r < 7; r++) next[r] -= scaled * rows[STRIP_ROW * k + STRIP_NEXT + r];
            if (s->ring == NULL) continue;
            for (int r = 0; r < SIZE; r++)
                border_right[r] -= scaled * s->ring[STRIP_RING_NODE * i + 8 * (size_t)k + (size_t)r];
        }
        memcpy(left, next, sizeof left);
    }
    if (s->ring != NULL) solve_border(s, border_right);
    double after[7] = {0};
    for (size_t i = s->count; i-- > 0;) {
        const double *rows = s->rows + STRIP_NODE * i;
        double *y = right + 4 * i;
        for (int k = 3; k >= 0; k--) {
            for (int r = 0; r < 7; r++) y[k] -= rows[STRIP_ROW * k + STRIP_NEXT + r] * after[r];
            if (s->ring != NULL)
                for (int r = 0; r < SIZE; r++)
                    y[k] -= s->ring[STRIP_RING_NODE * i + 8 * (size_t)k + (size_t)r] * border_right[r];
            y[k] *= rows[STRIP_ROW * k + k];
            for (int l = k + 1; l < 4; l++) y[k] -= rows[STRIP_ROW * l + k] * y[l];
        }
        memmove(after + 4, after, 3 * sizeof(double));
        memcpy(after, y, 4 * sizeof(double));
    }
}
