// The linear systems of implicit steps: mass over a step's square and stiffness, symmetric, in 3 x 3 blocks, one row a
// node. Solved by L D L^T when the solid is small, else by conjugate gradients (solid_gradients.h).
#ifndef CDG_SOLIDS_SOLID_SYSTEM_H
#define CDG_SOLIDS_SOLID_SYSTEM_H

#include "math/block_sparse.h"
#include "solids/solid.h"
#include "solids/solid_gradients.h"

typedef struct nodal_slopes nodal_slopes;

struct cdg_solid_system {
    size_t node_count, entry_count, slot_count;
    uint32_t *first;        // node_count + 1: entries of a row, columns ascending
    uint32_t *column;       // entry_count
    uint32_t *first_source; // entry_count + 1: what adds up to an entry
    uint32_t *source;       // 16 tetrahedron_count: 16 slot + 4 row corner + column corner
    double *blocks;         // 90 slot_count: of element matrices, pairs of corners 00 01 02 03 11 12 13 22 23 33
    float *light_blocks;    // the same in single precision, which conjugate gradients use where that will do
    double *entries;        // 9 entry_count: blocks, column by column; NULL: of conjugate gradients
    double *inverse;        // 9 node_count: of diagonal blocks
    double *right, *move;   // 3 node_count each
    double *padded, *spare; // 4 node_count each, of direct solutions
    double *units;          // 16 node_count, likewise
    double *start[3], *aim[3], *force[3], *tried[3], *load[3]; // node_count: of a step, see solid_implicit.c
    nodal_slopes *slopes; // of pressure that is averaged (nodal_pressure.h); else NULL
    bool is_condensed;    // pressures are no unknowns but eliminated: nodes that share a neighbour are coupled
    cdg_solid_gradients *gradients; // NULL: factors are made
    block_pattern *pattern;         // NULL: conjugate gradients
    block_matrix factors;
    double *factor_memory;
    bool has_factors, has_entries; // of the last matrix that was assembled
    uint64_t factor_number;        // how often it was factored
    cdg_solid_at at;               // where that was, and with what
    double inertia;
    double moved;   // m, at most: since then
    int iterations; // of conjugate gradients in the last solution
};

// Conjugate gradients in single precision: element matrices are light_blocks.
static inline bool cdg_solid_system_is_light(const cdg_solid_system *m) {
    return m->gradients != NULL && !m->gradients->is_exact;
}

cdg_result cdg_solid_system_build(cdg_solid *solid, cdg_error *error);
void cdg_solid_system_free(cdg_solid_system *system);

// Second derivative of energy at `at` (and of damping) plus `inertia` (1/s^2) times mass.
void cdg_solid_assemble(cdg_solid *solid, const cdg_solid_at *at, double inertia, bool is_projected, int threads);
// system->move from system->right, both zero at held nodes. False: the matrix is not positive definite.
bool cdg_solid_solve(cdg_solid *solid, double tolerance, int threads);
// Moves by unit forces on a node that is not held, of a solid that has factors (has_factors): axis k moves node i along
// axis l by units[16 position + 4 l + k], the position being that of i in the pattern.
void cdg_solid_solve_units(cdg_solid *solid, size_t node);

#endif
