// Elimination and substitution along a strip (strip_solve.h). What one node leaves to the nodes after it is seven
// unknowns wide, which with the right side makes a row of eight: one vector, or two, or four.
#include "math/strip_rows.h"

#define JOIN_TWO(a, b) a##b
#define JOIN(a, b) JOIN_TWO(a, b)
#define VARIANT(name) JOIN(name, CDG_SIMD_SUFFIX)
INLINE void eliminate(strip *s, const bool has_ring) {
    double left[LEFT][8] = {{0}};                   // Schur complement on y_i and the place of y_{i+1}, right side last
    double left_ring[LEFT][8] = {{0}};              // the same, with the border
    row8 border[STRIP_BORDER] = {{0}}, right = {0}; // what the border loses
    size_t negative = 0;
    bool is_broken = false;
    for (size_t i = 0; i < s->count; i++) {
        double *rows = s->rows + STRIP_NODE * i, a[4][4];
        row8 w[4], ring[4], scaled[4];
        for (int k = 0; k < 4; k++) {
            for (int l = 0; l <= k; l++) a[k][l] = rows[STRIP_ROW * k + l] + left[k][l];
            w[k] = read8(rows + STRIP_ROW * k + STRIP_NEXT) + move_on(read8(left[k]));
        }
        row8 next[LEFT], next_ring[LEFT];
        for (int r = 0; r < LEFT; r++) next[r] = r < 3 ? move_on(read8(left[r + 4])) : (row8){0};
        negative += factor4(a, &is_broken);
        forward4(a, w);
        double factor[4][8];
        for (int k = 0; k < 4; k++) {
            scaled[k] = w[k] * a[k][k];
            write8(factor[k], scaled[k]);
            write8(rows + STRIP_ROW * k + STRIP_NEXT, w[k]);
            for (int l = 0; l <= k; l++) rows[STRIP_ROW * k + l] = a[k][l];
        }
        for (int r = 0; r < LEFT; r++) {
            for (int k = 0; k < 4; k++) next[r] -= factor[k][r] * w[k];
            write8(left[r], next[r]);
        }
        if (!has_ring) continue;
        double *coupling = s->ring + STRIP_RING_NODE * i;
        for (int k = 0; k < 4; k++) ring[k] = read8(coupling + 8 * k) + read8(left_ring[k]);
        for (int r = 0; r < LEFT; r++) next_ring[r] = r < 3 ? read8(left_ring[r + 4]) : (row8){0};
        forward4(a, ring);
        for (int k = 0; k < 4; k++) write8(coupling + 8 * k, ring[k]);
        for (int r = 0; r < LEFT; r++) {
            for (int k = 0; k < 4; k++) next_ring[r] -= factor[k][r] * ring[k];
            write8(left_ring[r], next_ring[r]);
        }
        for (int k = 0; k < 4; k++) {
            right += factor[k][7] * ring[k];
            double own[8];
            write8(own, ring[k] * a[k][k]);
            for (int r = 0; r < STRIP_BORDER; r++) border[r] += own[r] * ring[k];
        }
    }
    if (has_ring) {
        for (int r = 0; r < STRIP_BORDER; r++) write8(s->border[r], read8(s->border[r]) - border[r]);
        write8(s->border_right, read8(s->border_right) - right);
    }
    s->negative_count = negative;
    s->is_broken = is_broken;
}

void VARIANT(strip_factor)(strip *s) {
    if (s->ring != NULL)
        eliminate(s, true);
    else
        eliminate(s, false);
}

INLINE double sum8(row8 v) { return ((v[0] + v[4]) + (v[1] + v[5])) + ((v[2] + v[6]) + (v[3] + v[7])); }

INLINE void substitute(const strip *s, double *solution, const double *border, const bool has_ring) {
    row8 after = {0}, y_border = {0}; // y_{i+1}, position of y_{i+2}, and -1 for the right side
    after[7] = -1;
    if (has_ring) y_border = read8(border);
    for (size_t i = s->count; i-- > 0;) {
        const double *rows = s->rows + STRIP_NODE * i;
        double y[4];
        for (int k = 0; k < 4; k++) {
            row8 sum = read8(rows + STRIP_ROW * k + STRIP_NEXT) * after;
            if (has_ring) sum += read8(s->ring + STRIP_RING_NODE * i + 8 * k) * y_border;
            y[k] = -sum8(sum) * rows[STRIP_ROW * k + k];
        }
        y[2] -= rows[STRIP_ROW * 3 + 2] * y[3];
        y[1] -= rows[STRIP_ROW * 3 + 1] * y[3] + rows[STRIP_ROW * 2 + 1] * y[2];
        y[0] -= rows[STRIP_ROW * 3 + 0] * y[3] + rows[STRIP_ROW * 2 + 0] * y[2] + rows[STRIP_ROW * 1 + 0] * y[1];
        memcpy(solution + 4 * i, y, sizeof y);
        after = (row8){y[0], y[1], y[2], y[3], after[0], after[1], after[2], -1};
    }
}

void VARIANT(strip_substitute)(const strip *s, double *solution, double *border_solution) {
    if (s->ring != NULL)
        substitute(s, solution, border_solution, true);
    else
        substitute(s, solution, border_solution, false);
}
