// Factor and solution of skyline.h, four rows at once.
#include "math/row8.h"
#include "math/skyline.h"

#include <math.h>

#define JOIN_TWO(a, b) a##b
#define JOIN(a, b) JOIN_TWO(a, b)
#define VARIANT(name) JOIN(name, CDG_SIMD_SUFFIX)

typedef double row4 __attribute__((vector_size(32)));

INLINE row4 read4(const double *from) {
    row4 value;
    memcpy(&value, from, sizeof value);
    return value;
}
INLINE void write4(double *to, row4 value) { memcpy(to, &value, sizeof value); }

// Column 0 of a group: where column k is, 4 k further.
INLINE double *columns_of(const skyline *s, size_t group) {
    return s->value + s->start[group] - 16 * (size_t)s->left[group];
}

// Sums of products of the rows of one group with those of another, over columns `from` to `end` - 1, are taken off.
INLINE void take_off(const double *mine, const double *other, size_t from, size_t end, row4 sum[4]) {
    row4 s0 = sum[0], s1 = sum[1], s2 = sum[2], s3 = sum[3];
    for (size_t k = from; k < end; k++) {
        row4 column = read4(mine + 4 * k);
        s0 -= column * other[4 * k];
        s1 -= column * other[4 * k + 1];
        s2 -= column * other[4 * k + 2];
        s3 -= column * other[4 * k + 3];
    }
    sum[0] = s0, sum[1] = s1, sum[2] = s2, sum[3] = s3;
}

// Columns of group h in group g, h < g being done.
static void factor_block(const skyline *s, size_t g, size_t h) {
    double *mine = columns_of(s, g);
    const double *other = columns_of(s, h);
    size_t first = 4 * h, from = 4 * (size_t)(s->left[g] > s->left[h] ? s->left[g] : s->left[h]);
    row4 sum[4];
    for (size_t l = 0; l < 4; l++) sum[l] = read4(mine + 4 * (first + l));
    take_off(mine, other, from, first, sum);
    for (size_t l = 0; l < 4; l++) {
        for (size_t k = 0; k < l; k++) sum[l] -= sum[k] * other[4 * (first + k) + l];
        sum[l] *= other[4 * (first + l) + l];
        write4(mine + 4 * (first + l), sum[l]);
    }
}

static void factor_diagonal(const skyline *s, size_t g, const double *least) {
    double *mine = columns_of(s, g);
    size_t first = 4 * g;
    row4 sum[4];
    for (size_t l = 0; l < 4; l++) sum[l] = read4(mine + 4 * (first + l));
    take_off(mine, mine, 4 * (size_t)s->left[g], first, sum);
    for (size_t l = 0; l < 4; l++) {
        for (size_t k = 0; k < l; k++) sum[l] -= sum[k] * sum[k][l];
        double pivot = sum[l][l], inverse = pivot > least[first + l] ? 1 / sqrt(pivot) : 0;
        sum[l] *= inverse;
        for (size_t r = 0; r < l; r++) sum[l][r] = 0;
        double *at = mine + 4 * (first + l);
        write4(at, sum[l]);
        at[l] = inverse;
    }
}

static void factor(const skyline *s, const double *least) {
    for (size_t g = 0; g < s->count / 4; g++) {
        for (size_t h = s->left[g]; h < g; h++) factor_block(s, g, h);
        factor_diagonal(s, g, least);
    }
}

static void solve(const skyline *s, double *x) {
    for (size_t g = 0; g < s->count / 4; g++) {
        const double *mine = columns_of(s, g);
        row4 even = read4(x + 4 * g), odd = {0};
        for (size_t k = 4 * (size_t)s->left[g]; k < 4 * g; k += 2) {
            even -= read4(mine + 4 * k) * x[k];
            odd -= read4(mine + 4 * k + 4) * x[k + 1];
        }
        even += odd;
        for (size_t l = 0; l < 4; l++) {
            const double *column = mine + 4 * (4 * g + l);
            x[4 * g + l] = even[l] * column[l];
            for (size_t r = l + 1; r < 4; r++) even[r] -= column[r] * x[4 * g + l];
        }
    }
    for (size_t g = s->count / 4; g-- > 0;) {
        const double *mine = columns_of(s, g);
        for (size_t l = 4; l-- > 0;) {
            const double *column = mine + 4 * (4 * g + l);
            for (size_t r = l + 1; r < 4; r++) x[4 * g + l] -= column[r] * x[4 * g + r];
            x[4 * g + l] *= column[l];
        }
        row4 found = read4(x + 4 * g);
        for (size_t k = 4 * (size_t)s->left[g]; k < 4 * g; k++) {
            row4 product = read4(mine + 4 * k) * found;
            x[k] -= (product[0] + product[1]) + (product[2] + product[3]);
        }
    }
}

const skyline_kernels VARIANT(skyline_kernels) = {factor, solve};
