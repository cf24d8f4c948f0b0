// Conjugate gradients for the systems of large solids, preconditioned by an incomplete factorisation that has the
// matrix' own entries but for its diagonal (Meijerink and van der Vorst 1977; "DILU"), in Eisenstat's form (1981): with
// A = L + D + L^T, the factors (1 + L)(1 + L^T) in units of which the new diagonal is 1, and
//   (1 + L)^-1 A (1 + L^T)^-1 p = t + (1 + L)^-1 (p - K t + R t),  t = (1 + L^T)^-1 p,  K = 2 - D,
// an iteration reads the matrix once, as one without preconditioner does. Rows lie in blocks, whose number depends on
// that of the rows alone; L is what lies within them, and R is between them: blocks are independent, and the bits are
// the same for any number of threads. The matrix is in single precision: reading it is what takes the time, and
// Newton's method corrects what that leaves. That rounds softly bent shapes of slender solids away, or even to negative
// stiffness, where inertia does not hold them: then the matrix is in double precision (`is_exact`).
#ifndef CDG_SOLIDS_SOLID_GRADIENTS_H
#define CDG_SOLIDS_SOLID_GRADIENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// 9 numbers each, row by row, in one of two precisions. There is room for both, of which what is never used takes no
// memory but addresses.
typedef struct cdg_gradient_entries {
    float *light;
    double *exact;
} cdg_gradient_entries;

// Vectors have four numbers a node, the last 0, so that a node is one vector of the processor.
typedef struct cdg_solid_gradients {
    size_t node_count, block_rows, block_count;
    uint32_t *first_lower, *lower;                            // columns before the row, of its own block
    uint32_t *first_cross, *cross;                            // columns of other blocks
    bool is_exact;                                            // in double precision; set before entries are
    cdg_gradient_entries lower_entries, cross_entries, shift; // shift: K
    double *diagonal;                                         // 9 node_count: D
    double *root; // 9 node_count: what makes D's factor 1 from the left, lower triangular
    double *solution, *residual, *direction, *back, *forth; // 4 node_count
    double *partial;                                        // block_count: sums of a scalar product
    int iterations;                                         // of the last solution
} cdg_solid_gradients;

// For rows whose columns are column[first[row] .. first[row + 1] - 1], ascending. NULL: no memory.
cdg_solid_gradients *cdg_solid_gradients_build(size_t node_count, const uint32_t *first, const uint32_t *column);
void cdg_solid_gradients_free(cdg_solid_gradients *gradients);

// Where a row's entry is to be put, one after the other in the order of its columns; NULL: nowhere. The diagonal goes
// to `diagonal`.
typedef struct solid_gradients_row {
    uint32_t row, lower, cross;
    size_t entry; // of what is found next
} solid_gradients_row;
static inline solid_gradients_row cdg_solid_gradients_begin(const cdg_solid_gradients *g, size_t row) {
    return (solid_gradients_row){(uint32_t)row, g->first_lower[row], g->first_cross[row], 0};
}
static inline const cdg_gradient_entries *cdg_solid_gradients_next(const cdg_solid_gradients *g,
                                                                   solid_gradients_row *at, uint32_t column) {
    bool is_cross = column / g->block_rows != at->row / g->block_rows;
    if (!is_cross && column >= at->row) return NULL;
    at->entry = is_cross ? at->cross++ : at->lower++;
    return is_cross ? &g->cross_entries : &g->lower_entries;
}
// 9 numbers, row by row.
static inline void cdg_solid_gradients_put(const cdg_solid_gradients *g, const cdg_gradient_entries *to, size_t entry,
                                           const double values[9]) {
    for (size_t k = 0; k < 9; k++) {
        if (g->is_exact)
            to->exact[9 * entry + k] = values[k];
        else
            to->light[9 * entry + k] = (float)values[k];
    }
}

// When all entries are there. Held rows and columns are left out.
void cdg_solid_gradients_prepare(cdg_solid_gradients *gradients, const bool *is_held, int threads);
// move from right, both three a node, until the residual in the preconditioner's norm is `tolerance` of what it was.
// False: the matrix is not positive definite.
bool cdg_solid_gradients_solve(cdg_solid_gradients *gradients, const bool *is_held, const double *right, double *move,
                               double tolerance, int threads);

// Of rows begin .. end - 1, two blocks or one; one variant an instruction set (solid_gradients_simd.c).
// p = more + share p (more not NULL); then t = (1 + L^T)^-1 p.
// w = (1 + L)^-1 (p - K t + R t), and p . (t + w); without t: (1 + L)^-1 p, and p . w.
#define SOLID_GRADIENTS_DECLARE(suffix)                                                                                \
    void cdg_solid_gradients_back##suffix(const cdg_solid_gradients *gradients, const double *more, double share,      \
                                          double *p, double *t, size_t begin, size_t end);                             \
    double cdg_solid_gradients_forth##suffix(const cdg_solid_gradients *gradients, const double *p, const double *t,   \
                                             double *w, size_t begin, size_t end);
SOLID_GRADIENTS_DECLARE(_base)
SOLID_GRADIENTS_DECLARE(_avx2)
SOLID_GRADIENTS_DECLARE(_avx512)
#undef SOLID_GRADIENTS_DECLARE

#endif
