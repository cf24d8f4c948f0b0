// Newton's matrix and right side of a small pobd problem as dense arrays, and elimination with pivoting: the reference
// for the linear-time solvers. Unknowns: 3 for each node, then 3 for each element.
#ifndef CDG_TESTS_POBD_DENSE_H
#define CDG_TESTS_POBD_DENSE_H

#include "pobd_case.h"
#include "rods/pobd/terms.h"

typedef struct pobd_dense {
    size_t size;
    long double *a, *right; // size x size, size
} pobd_dense;

static inline void dense_add(pobd_dense *d, size_t row, size_t column, double sign, block_matrix m) {
    double v[9];
    memcpy(v, &m, sizeof v);
    for (size_t k = 0; k < 9; k++) {
        d->a[(row + k / 3) * d->size + column + k % 3] += sign * v[k];
        if (row != column) d->a[(column + k % 3) * d->size + row + k / 3] += sign * v[k];
    }
}

static inline pobd_dense dense_assemble(const pobd_problem *p, bool is_exact) {
    pobd_dense d = {.size = 3 * (p->node_count + p->element_count)};
    d.a = calloc(d.size * d.size, sizeof *d.a), d.right = calloc(d.size, sizeof *d.right);
    size_t base = 3 * p->node_count;
    for (size_t j = 0; j < p->element_count; j++) {
        size_t x0 = 3 * j, x1 = 3 * pobd_next_node(p, j), t = base + 3 * j;
        block_stretch_term s = block_stretch_at(p, j, x1 / 3, is_exact);
        block_matrix m = block_from_symmetric(s.spring);
        dense_add(&d, x0, x0, 1, m), dense_add(&d, x1, x1, 1, m), dense_add(&d, x1, x0, -1, m);
        dense_add(&d, x1, t, 1, s.coupling), dense_add(&d, x0, t, -1, s.coupling);
        dense_add(&d, t, t, 1, block_from_symmetric(s.turning));
        dense_add(&d, t, t, 1, block_from_symmetric(block_spin_at(p, j, is_exact).turning));
    }
    for (size_t i = 0; i < p->node_count; i++) {
        size_t left = pobd_left_element(p, i), right = pobd_right_element(p, i);
        if (left != SIZE_MAX && right != SIZE_MAX) {
            block_bend_term b = block_bend_at(p, left, right, i, p->is_tangent, is_exact);
            dense_add(&d, base + 3 * left, base + 3 * left, 1, block_from_symmetric(b.left_left));
            dense_add(&d, base + 3 * right, base + 3 * right, 1, block_from_symmetric(b.right_right));
            dense_add(&d, base + 3 * left, base + 3 * right, 1, b.left_right);
        }
        for (size_t a = 0; a < p->anchor_count; a++) {
            if (p->anchors[a].node != i) continue;
            if (left != SIZE_MAX)
                dense_add(&d, base + 3 * left, base + 3 * left, 1,
                          block_from_symmetric(block_anchor_at(p, &p->anchors[a], left, false, is_exact).left_left));
            if (right != SIZE_MAX)
                dense_add(&d, base + 3 * right, base + 3 * right, 1,
                          block_from_symmetric(block_anchor_at(p, &p->anchors[a], right, true, is_exact).right_right));
        }
        for (size_t k = 3 * i; k < 3 * i + 3 && isfinite(p->node_weight[i]); k++)
            d.a[k * d.size + k] += p->node_weight[i];
    }
    double *memory = calloc(6 * (p->node_count + 1), sizeof *memory), *x[3], *t[3];
    for (size_t k = 0; k < 3; k++) x[k] = memory + k * p->node_count, t[k] = memory + (k + 3) * p->node_count;
    pobd_objective(p, x, t);
    for (size_t i = 0; i < p->node_count; i++)
        for (size_t k = 0; k < 3; k++) d.right[3 * i + k] = -x[k][i];
    for (size_t j = 0; j < p->element_count; j++)
        for (size_t k = 0; k < 3; k++) d.right[base + 3 * j + k] = -t[k][j];
    free(memory);
    for (size_t i = 0; i < p->node_count; i++) { // held nodes: dx = 0
        if (isfinite(p->node_weight[i])) continue;
        for (size_t k = 3 * i; k < 3 * i + 3; k++) {
            for (size_t c = 0; c < d.size; c++) d.a[k * d.size + c] = d.a[c * d.size + k] = 0;
            d.a[k * d.size + k] = 1, d.right[k] = 0;
        }
    }
    return d;
}

static inline void dense_solve(pobd_dense *d) { // solution in place of the right side; Gauss with row pivoting
    size_t n = d->size;
    for (size_t j = 0; j < n; j++) {
        size_t pivot = j;
        for (size_t i = j + 1; i < n; i++)
            if (fabsl(d->a[i * n + j]) > fabsl(d->a[pivot * n + j])) pivot = i;
        for (size_t k = 0; k < n; k++) {
            long double swap = d->a[j * n + k];
            d->a[j * n + k] = d->a[pivot * n + k], d->a[pivot * n + k] = swap;
        }
        long double swap = d->right[j];
        d->right[j] = d->right[pivot], d->right[pivot] = swap;
        for (size_t i = j + 1; i < n; i++) {
            long double f = d->a[i * n + j] / d->a[j * n + j];
            for (size_t k = j; k < n; k++) d->a[i * n + k] -= f * d->a[j * n + k];
            d->right[i] -= f * d->right[j];
        }
    }
    for (size_t j = n; j-- > 0;) {
        for (size_t k = j + 1; k < n; k++) d->right[j] -= d->a[j * n + k] * d->right[k];
        d->right[j] /= d->a[j * n + j];
    }
}

static inline void dense_destroy(pobd_dense *d) { free(d->a), free(d->right); }

#endif
