// Elimination of a strip from each end to the other (strip_outward.h). Seen from the last end it is a strip again, with
// nodes (x_i, t_{i-1}).
#include "math/strip_outward.h"
#include "math/strip_rows.h"

#define JOIN_TWO(a, b) a##b
#define JOIN(a, b) JOIN_TWO(a, b)
#define VARIANT(name) JOIN(name, CDG_SIMD_SUFFIX)

// Eliminates one node, whose rows are given, from the complement on it and the position after it. transfer[k]: unknown
// k of the node per unknown after it.
INLINE bool eliminate(const double *rows, double left[LEFT][8], double transfer[4][8]) {
    double a[4][4], factor[4][8];
    row8 w[4], next[LEFT], t[4];
    for (int k = 0; k < 4; k++) {
        for (int l = 0; l <= k; l++) a[k][l] = rows[STRIP_ROW * k + l] + left[k][l];
        w[k] = read8(rows + STRIP_ROW * k + STRIP_NEXT) + move_on(read8(left[k]));
    }
    for (int r = 0; r < LEFT; r++) next[r] = r < 3 ? move_on(read8(left[r + 4])) : (row8){0};
    bool is_broken = false;
    size_t negative = factor4(a, &is_broken);
    forward4(a, w);
    for (int k = 0; k < 4; k++) {
        t[k] = w[k] * -a[k][k];
        write8(factor[k], t[k]);
    }
    for (int r = 0; r < LEFT; r++) {
        for (int k = 0; k < 4; k++) next[r] += factor[k][r] * w[k];
        write8(left[r], next[r]);
    }
    t[2] -= a[3][2] * t[3];
    t[1] -= a[3][1] * t[3] + a[2][1] * t[2];
    t[0] -= a[3][0] * t[3] + a[2][0] * t[2] + a[1][0] * t[1];
    for (int k = 0; k < 4; k++) write8(transfer[k], t[k]);
    return negative == 0 && !is_broken;
}

// The rows of node m, 2 or later, as seen from the last end: x_m and t_{m-1}, then x_{m-1} and t_{m-2}, then x_{m-2}.
INLINE void mirror(const strip *s, size_t m, double rows[STRIP_NODE]) {
    const double *here = s->rows + STRIP_NODE * m, *before = here - STRIP_NODE, *first = before - STRIP_NODE;
    const double *turn = before + 3 * STRIP_ROW, *turn_first = first + 3 * STRIP_ROW;
    for (int k = 0; k < 3; k++) {
        double *row = rows + STRIP_ROW * k;
        for (int l = 0; l < 3; l++) {
            row[l] = here[STRIP_ROW * (k > l ? k : l) + (k > l ? l : k)];
            row[STRIP_NEXT + l] = before[STRIP_ROW * l + STRIP_NEXT + k];
            row[STRIP_AFTER_NEXT + l] = first[STRIP_ROW * l + STRIP_AFTER_NEXT + k];
        }
        row[3] = 0; // above the diagonal, not read
        row[STRIP_NEXT + 3] = turn_first[STRIP_AFTER_NEXT + k];
        row[STRIP_RIGHT] = 0;
    }
    double *row = rows + STRIP_ROW * 3;
    for (int l = 0; l < 3; l++) {
        row[l] = turn[STRIP_NEXT + l];
        row[STRIP_NEXT + l] = turn[l];
        row[STRIP_AFTER_NEXT + l] = first[STRIP_ROW * l + STRIP_NEXT + 3];
    }
    row[3] = turn[3];
    row[STRIP_NEXT + 3] = turn_first[STRIP_NEXT + 3];
    row[STRIP_RIGHT] = 0;
}

// The inverse of a positive definite matrix, lower half by rows in `packed`, in its place, by L D L^T.
INLINE bool invert(double *packed) {
    double l[LEFT][LEFT], m[LEFT][LEFT], d[LEFT];
    for (int i = 0, n = 0; i < LEFT; i++)
        for (int j = 0; j <= i; j++) l[i][j] = packed[n++];
    bool is_positive = true;
    for (int j = 0; j < LEFT; j++) {
        is_positive = is_positive && l[j][j] > 0;
        d[j] = 1 / l[j][j];
        for (int i = j + 1; i < LEFT; i++) {
            double factor = l[i][j] * d[j];
            for (int k = j + 1; k <= i; k++) l[i][k] -= factor * l[k][j];
        }
        for (int i = j + 1; i < LEFT; i++) l[i][j] *= d[j];
    }
    for (int j = 0; j < LEFT; j++) // m = L^-1
        for (int i = j + 1; i < LEFT; i++) {
            double sum = l[i][j];
            for (int k = j + 1; k < i; k++) sum += l[i][k] * m[k][j];
            m[i][j] = -sum;
        }
    for (int i = 0, n = 0; i < LEFT; i++)
        for (int j = 0; j <= i; j++) {
            double sum = i == j ? d[i] : d[i] * m[i][j];
            for (int k = i + 1; k < LEFT; k++) sum += m[k][i] * d[k] * m[k][j];
            packed[n++] = sum;
        }
    return is_positive;
}

// Indices of (x_{j+1}, t_j, x_j), which the last end sees in this order, among (x_j, t_j, x_{j+1}).
static const int mirrored[LEFT] = {4, 5, 6, 3, 0, 1, 2};

bool VARIANT(strip_outward)(const strip *s, double *records) {
    size_t element_count = s->count - 1;
    double left[LEFT][8] = {{0}}, transfer[4][8], rows[STRIP_NODE];
    for (size_t m = element_count; m >= 1; m--) {
        double *record = records + (m - 1) * OUTWARD_THIN, *core = record + OUTWARD_THIN_CORE;
        for (int i = 0; i < LEFT; i++)
            for (int j = 0; j <= i; j++) {
                int a = mirrored[i] > mirrored[j] ? mirrored[i] : mirrored[j], b = mirrored[i] + mirrored[j] - a;
                core[a * (a + 1) / 2 + b] = left[i][j];
            }
        if (m == 1) break;
        mirror(s, m, rows);
        if (!eliminate(rows, left, transfer)) return false;
        // rows t_j, x_{j+1}; columns x_{j-1}, t_{j-1}, x_j
        static const int columns[LEFT] = {4, 5, 6, 3, 0, 1, 2}, order[4] = {3, 0, 1, 2};
        for (int c = 0; c < LEFT; c++)
            for (int k = 0; k < 4; k++) record[OUTWARD_THIN_RIGHT + 4 * c + k] = transfer[order[k]][columns[c]];
    }
    memset(left, 0, sizeof left);
    for (size_t j = 0; j < element_count; j++) {
        double *record = records + j * OUTWARD_THIN, *core = record + OUTWARD_THIN_CORE;
        const double *here = s->rows + STRIP_NODE * j, *next = here + STRIP_NODE;
        for (int a = 0, n = 0; a < LEFT; a++)
            for (int b = 0; b <= a; b++, n++) {
                double own = a < 4   ? here[STRIP_ROW * a + b]
                             : b < 4 ? here[STRIP_ROW * b + a]
                                     : next[STRIP_ROW * (a - 4) + b - 4];
                core[n] += own + left[a][b];
            }
        if (!invert(core)) return false;
        if (j + 1 == element_count) break;
        if (!eliminate(here, left, transfer)) return false;
        for (int c = 0; c < LEFT; c++)
            for (int k = 0; k < 4; k++) record[OUTWARD_THIN_LEFT + 4 * c + k] = transfer[k][c];
    }
    return true;
}
