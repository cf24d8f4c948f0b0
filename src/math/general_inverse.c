// Gauss and Jordan's elimination.
#include "math/general_inverse.h"

#include <math.h>
#include <string.h>

static void swap_rows(double *m, size_t size, size_t a, size_t b) {
    for (size_t k = 0; k < size && a != b; k++) {
        double kept = m[a * size + k];
        m[a * size + k] = m[b * size + k];
        m[b * size + k] = kept;
    }
}

// row += factor times pivot, of n entries.
static void add_row(double *restrict row, const double *restrict pivot, double factor, size_t n) {
    for (size_t k = 0; k < n; k++) row[k] += factor * pivot[k];
}

bool general_invert(double *m, size_t size, double *out) {
    memset(out, 0, size * size * sizeof *out);
    for (size_t i = 0; i < size; i++) out[i * size + i] = 1;
    for (size_t p = 0; p < size; p++) {
        size_t best = p;
        for (size_t i = p + 1; i < size; i++)
            if (fabs(m[i * size + p]) > fabs(m[best * size + p])) best = i;
        double pivot = m[best * size + p];
        if (!(fabs(pivot) > 0) || !isfinite(pivot)) return false;
        swap_rows(m, size, p, best);
        swap_rows(out, size, p, best);
        for (size_t k = 0; k < size; k++) {
            m[p * size + k] /= pivot;
            out[p * size + k] /= pivot;
        }
        for (size_t i = 0; i < size; i++) {
            double factor = -m[i * size + p];
            if (i == p || factor == 0) continue;
            add_row(m + i * size + p, m + p * size + p, factor, size - p);
            add_row(out + i * size, out + p * size, factor, size);
        }
    }
    for (size_t i = 0; i < size * size; i++)
        if (!isfinite(out[i])) return false;
    return true;
}
