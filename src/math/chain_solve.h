// Direct solution of the symmetric block systems of a chain, x_0 - t_0 - x_1 - t_1 - ... - t_{n-1} - x_n, where every
// unknown is a 3-vector: x_i couples to t_i, x_{i+1} and t_{i-1}; t_i to x_i, x_{i+1} and t_{i+1}. Elimination along
// the chain makes no fill, so time and memory are linear.
//
// The chain is eliminated from both ends at once, one end in each half of a two-lane vector, towards one middle element
// that is solved densely: that halves the chain of dependent operations, which bounds the speed of a one-sided sweep.
// Seen from the far end the chain is the same chain, if the x of that end are taken with the opposite sign.
//
// A closed chain is opened at six unknowns, the border, to which both ends couple; their couplings travel along.
#ifndef CDG_MATH_CHAIN_SOLVE_H
#define CDG_MATH_CHAIN_SOLVE_H

#include <stdbool.h>
#include <stddef.h>

// What the matrix and right side hold for one step, element i with its near and far node (near: eliminated first). With
// d = x_far - x_near the element's quadratic form is 1/2 d^T M d + d^T C t + 1/2 t^T H t, and t couples to the next
// element's unknown t' by t^T L t'. Symmetric blocks: xx xy xz yy yz zz; others by rows.
enum {
    CHAIN_WEIGHT = 0,        // of the near node: added to the diagonal of x_near
    CHAIN_RIGHT_NEAR = 1,    // right side of x_near
    CHAIN_FORCE = 4,         // minus the right side of x_far
    CHAIN_SPRING = 7,        // M
    CHAIN_COUPLING = 13,     // C
    CHAIN_TURNING = 22,      // H
    CHAIN_MOMENT = 28,       // minus the right side of t
    CHAIN_NEXT = 31,         // L
    CHAIN_NEXT_TURNING = 40, // added to the diagonal block of t'
    CHAIN_NEXT_MOMENT = 46,  // minus the right side of t', added
    CHAIN_ENERGY = 49,       // summed up for the caller
    CHAIN_SLOTS = 50,
    CHAIN_TILE = 16,    // steps a tile holds
    CHAIN_TILE_PAD = 8, // unused entries before them, for assemblers that write whole vectors
    CHAIN_TILE_STRIDE = CHAIN_TILE + CHAIN_TILE_PAD,
    CHAIN_TILE_SIZE = CHAIN_SLOTS * CHAIN_TILE_STRIDE, // doubles; slot s of step k at [s * STRIDE + PAD + k]
    CHAIN_RECORD = 84,                                 // doubles kept for the substitution, per step of both ends
    CHAIN_BORDER_RECORD = CHAIN_RECORD + 72,
};

// The Schur complement on the frontier (near x, near t) of each end: entry k of the first end at [2 k], of the last at
// [2 k + 1].
typedef struct chain_state { // doubles only
    double p[12];            // on x
    double d[18];            // x (rows) with t
    double q[12];            // on t
    double right_x[6];
    double right_t[6];
    double energy[2];
    double decrement[2]; // right side times solution, of what is eliminated
    // closed chains: coupling with the border's two 3-vectors a and b, and the border's own complement
    double xa[18], xb[18], ta[18], tb[18];
    double aa[12], ab[18], bb[12];
    double right_a[6], right_b[6];
} chain_state;

// Unknowns at the frontier while substituting back; afterwards those of the first step, from which earlier ones follow.
typedef struct chain_front {
    double x[6], t[6];
    double a[3], b[3]; // border
} chain_front;

// Where solutions go: step k of lane 0 to entry k, of lane 1 to entry last - k (x and t have their own last).
typedef struct chain_target {
    double *x[3], *t[3];
    size_t last_x, last_t;
} chain_target;

// Eliminates `count` steps; `first` and `last` point to slot 0 of the first of them in each end's tile; lane 1 runs
// downwards. False when a pivot block is not positive definite (the state is then of no use).
#define CHAIN_DECLARE(suffix)                                                                                          \
    bool chain_eliminate##suffix(chain_state *state, const double *first, const double *last, size_t count,            \
                                 double *record);                                                                      \
    bool chain_eliminate_bordered##suffix(chain_state *state, const double *first, const double *last, size_t count,   \
                                          double *record);                                                             \
    void chain_substitute##suffix(const double *record, size_t step_count, chain_front *front,                         \
                                  const chain_target *target);                                                         \
    void chain_substitute_bordered##suffix(const double *record, size_t step_count, chain_front *front,                \
                                           const chain_target *target);
CHAIN_DECLARE(_base)
CHAIN_DECLARE(_avx2)
CHAIN_DECLARE(_avx512)
#undef CHAIN_DECLARE

// Solves the dense symmetric positive definite system of `size` <= 15 unknowns, a[i][j] for j <= i, in place of
// `right`. False when it is not positive definite.
bool chain_solve_dense(size_t size, double a[15][15], double right[15]);

#endif
