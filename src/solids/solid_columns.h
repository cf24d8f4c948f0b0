// How forces on single nodes of an implicit solid's surface move all nodes of it, kept for as long as its factors are
// the same. Solvers of contact ask hundreds of times what forces on the same few nodes do: a sum of these columns is
// quicker than a solution of the whole system.
#ifndef CDG_SOLIDS_SOLID_COLUMNS_H
#define CDG_SOLIDS_SOLID_COLUMNS_H

#include "solids/solid.h"

enum { CDG_SOLID_COLUMNS_MOST = 96 }; // nodes

typedef struct cdg_solid_columns {
    const uint32_t *node; // node_count: of the solid, those of its surface
    size_t node_count;
    size_t stride;    // doubles of a column: three of each node of the surface, and what makes it whole vectors
    size_t count;     // of nodes whose columns are there, three each
    uint32_t *place;  // node_count: among these; UINT32_MAX: not there
    uint32_t *listed; // CDG_SOLID_COLUMNS_MOST: nodes of the surface
    double *value;
    double *sum;        // stride
    uint64_t of_factor; // what they are columns of
} cdg_solid_columns;

// False: no memory. `node` must stay.
bool cdg_solid_columns_make(cdg_solid_columns *columns, const uint32_t *node, size_t node_count);
void cdg_solid_columns_free(cdg_solid_columns *columns);
// Moves of the surface's nodes under forces on them. False: the solid has no factors, or too many nodes are loaded.
bool cdg_solid_columns_respond(cdg_solid_columns *columns, cdg_solid *solid, double *const force[3],
                               double *const move[3]);

// Adds three columns times a force each to `sum`; whole vectors.
typedef void cdg_column_kernel(const double *columns, size_t stride, const double force[3], double *sum);
cdg_column_kernel cdg_column_kernel_base, cdg_column_kernel_avx2, cdg_column_kernel_avx512;

#endif
