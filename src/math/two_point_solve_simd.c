// Elimination along a two-point chain (two_point_solve.h), compiled once for each instruction set: a row is a whole
// number of vectors and loops over columns have fixed lengths, so that compilers turn them into vector code.
#include "math/two_point_solve.h"

#include <math.h>
#include <string.h>

#define JOIN_AGAIN(a, b) a##b
#define JOIN(a, b) JOIN_AGAIN(a, b)
#define NAMED(name) JOIN(name, CDG_SIMD_SUFFIX)

enum { GROUP = 8 }; // columns are visited in groups of this many

static inline void swap_doubles(double *restrict a, double *restrict b, int count) {
    for (int c = 0; c < count; c++) {
        double held = a[c];
        a[c] = b[c];
        b[c] = held;
    }
}

// target -= factor * pivot from the group of `column` on; what stands before it is no longer read.
static inline void subtract(double *restrict target, const double *restrict pivot, double factor, int column) {
    if (column < GROUP)
        for (int c = 0; c < TWO_POINT_COLUMNS; c++) target[c] -= factor * pivot[c];
    else
        for (int c = GROUP; c < TWO_POINT_COLUMNS; c++) target[c] -= factor * pivot[c];
}

// Multipliers wait beside the rows, so that they change places with them.
typedef struct elimination {
    _Alignas(64) double multiplier[TWO_POINT_ROWS][TWO_POINT_PADDED_FIELDS];
    int source[TWO_POINT_ROWS];
} elimination;

static inline void change_places(double (*row)[TWO_POINT_COLUMNS], elimination *e, int a, int b) {
    swap_doubles(row[a], row[b], TWO_POINT_COLUMNS);
    swap_doubles(e->multiplier[a], e->multiplier[b], TWO_POINT_PADDED_FIELDS);
    int held = e->source[a];
    e->source[a] = e->source[b];
    e->source[b] = held;
}

static inline bool eliminate_columns(double (*row)[TWO_POINT_COLUMNS], int row_count, two_point_factor *out) {
    elimination e = {0};
    for (int r = 0; r < row_count; r++) e.source[r] = r;
    for (int k = 0; k < TWO_POINT_FIELDS; k++) {
        int best = k;
        double largest = fabs(row[k][k]);
        for (int r = k + 1; r < row_count; r++) {
            double size = fabs(row[r][k]);
            if (size > largest) largest = size, best = r;
        }
        if (!(largest > 0 && largest < INFINITY)) return false; // also when something is not a number
        if (best != k) change_places(row, &e, k, best);
        double inverse = 1 / row[k][k];
        out->inverse[k] = inverse;
        for (int r = k + 1; r < row_count; r++) {
            double factor = row[r][k] * inverse;
            e.multiplier[r][k] = factor;
            if (factor != 0) subtract(row[r], row[k], factor, k); // the equations of a pair are sparse
        }
    }
    memset(out->below, 0, sizeof out->below);
    memset(out->above, 0, sizeof out->above);
    memset(out->beside, 0, sizeof out->beside);
    for (int k = 0; k < TWO_POINT_FIELDS; k++) {
        for (int r = k + 1; r < row_count; r++) out->below[k][r] = e.multiplier[r][k];
        for (int r = 0; r < k; r++) out->above[k][r] = row[r][k];
        for (int r = 0; r < TWO_POINT_FIELDS; r++) out->beside[k][r] = row[r][TWO_POINT_FIELDS + k];
    }
    memcpy(out->source, e.source, sizeof out->source);
    return true;
}

static bool eliminate(two_point_rows *rows, two_point_factor *out) {
    if (!eliminate_columns(rows->row, TWO_POINT_ROWS, out)) return false;
    for (int r = 0; r < TWO_POINT_ENDS; r++) {
        const double *left = rows->row[TWO_POINT_FIELDS + r];
        for (int c = 0; c < TWO_POINT_FIELDS; c++) rows->row[r][c] = left[TWO_POINT_FIELDS + c];
        for (int c = TWO_POINT_FIELDS; c < TWO_POINT_COLUMNS; c++) rows->row[r][c] = 0;
    }
    return true;
}

static bool finish(two_point_rows *rows, two_point_factor *out) {
    return eliminate_columns(rows->row, TWO_POINT_FIELDS, out);
}

// The pivots' operations on a right side of `row_count` numbers.
static inline void forward(const two_point_factor *f, int row_count, double *value) {
    _Alignas(64) double sorted[TWO_POINT_PADDED_ROWS] = {0};
    for (int r = 0; r < row_count; r++) sorted[r] = value[f->source[r]];
    for (int k = 0; k < TWO_POINT_FIELDS; k++) {
        double pivot = sorted[k];
        for (int r = 0; r < TWO_POINT_PADDED_ROWS; r++) sorted[r] -= f->below[k][r] * pivot;
    }
    memcpy(value, sorted, (size_t)row_count * sizeof *value);
}

// The first node from its numbers and the second node; NULL: there is none.
static inline void backward(const two_point_factor *f, const double *value, const double *second, double *out) {
    _Alignas(64) double left[TWO_POINT_PADDED_FIELDS] = {0};
    memcpy(left, value, TWO_POINT_FIELDS * sizeof *left);
    for (int c = 0; second != NULL && c < TWO_POINT_FIELDS; c++)
        for (int r = 0; r < TWO_POINT_PADDED_FIELDS; r++) left[r] -= f->beside[c][r] * second[c];
    for (int k = TWO_POINT_FIELDS - 1; k >= 0; k--) {
        double found = left[k] * f->inverse[k];
        out[k] = found;
        for (int r = 0; r < TWO_POINT_PADDED_FIELDS; r++) left[r] -= f->above[k][r] * found;
    }
}

static void solve(const two_point_factor *factors, size_t pair_count, double *value, double (*out)[TWO_POINT_FIELDS]) {
    // The six numbers left of a pair stand right before those of the next.
    for (size_t j = 0; j < pair_count; j++) forward(&factors[j], TWO_POINT_ROWS, value + j * TWO_POINT_FIELDS);
    double *last = value + pair_count * TWO_POINT_FIELDS;
    forward(&factors[pair_count], TWO_POINT_FIELDS, last);
    backward(&factors[pair_count], last, NULL, out[pair_count]);
    for (size_t j = pair_count; j-- > 0;) backward(&factors[j], value + j * TWO_POINT_FIELDS, out[j + 1], out[j]);
}

const two_point_kernels NAMED(two_point_kernels) = {eliminate, finish, solve};
