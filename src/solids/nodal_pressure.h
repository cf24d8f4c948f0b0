// Pressure that is averaged over nodes, against locking. A linear tetrahedron that may not change its volume can hardly
// deform, and a mesh of them is far too stiff near a Poisson's ratio of 0.5. Here most of the resistance to changes of
// volume belongs to nodes, of which there are five times fewer: a node's volume is a quarter of those of the tetrahedra
// around it (Bonet and Burton 1998), and the solid has, beside the energy of its tetrahedra with a smaller lambda,
//     sum over nodes of bulk/2 (volume/volume at rest - 1)^2 (volume at rest).
// Its slope is a pressure on each tetrahedron, the mean of bulk (volume/volume at rest - 1) at its corners; under the
// same deformation everywhere all of it is as if tetrahedra had the whole lambda. What they keep holds back patterns
// of tetrahedra that grow and shrink in turn, which nodes do not see, and pushes back what is turned inside out.
#ifndef CDG_SOLIDS_NODAL_PRESSURE_H
#define CDG_SOLIDS_NODAL_PRESSURE_H

#include "solids/solid_system.h"

// Above this Poisson's ratio by default.
#define CDG_NODAL_PRESSURE_ABOVE 0.45
// Of mu: at most so much of lambda stays with the tetrahedra.
#define CDG_NODAL_PRESSURE_KEPT 1.0

// Divides lambda as the definition says: solid->lambda becomes what tetrahedra keep, solid->bulk the rest.
void cdg_nodal_pressure_divide(cdg_solid *solid);

// solid->node_pressure at the positions x, Pa.
void cdg_nodal_pressure_find(const cdg_solid *solid, double *const x[3], int threads);
double cdg_nodal_pressure_energy(const cdg_solid *solid, double *const x[3]); // J
static inline double nodal_pressure_of(const cdg_solid *s, size_t slot) {     // Pa, of a tetrahedron, as last found
    double sum = 0;
    for (int c = 0; c < 4; c++) sum += s->node_pressure[s->corner[c][slot]];
    return 0.25 * sum;
}

// The second derivative is that of tetrahedra under their pressures, and for every node the square of the slope of its
// volume: it couples all nodes that share a neighbour.
struct nodal_slopes {
    uint32_t *first; // node_count + 1: neighbours of a node, itself among them, ascending
    uint32_t *near;
    double *slope; // 3 a neighbour: how the neighbour's volume grows as this node moves, times root of bulk/volume
};
nodal_slopes *cdg_nodal_slopes_build(const cdg_solid *solid);
void cdg_nodal_slopes_free(nodal_slopes *slopes);
// Nodes that share a neighbour with `node`, ascending; `out` has room for them as often as they are met.
size_t cdg_nodal_slopes_columns(const nodal_slopes *slopes, size_t node, uint32_t *out);
size_t cdg_nodal_slopes_most(const nodal_slopes *slopes, size_t node_count); // how much room any node needs
void cdg_nodal_slopes_find(const cdg_solid *solid, nodal_slopes *slopes, double *const x[3], int threads);
// Of a neighbour's volume as `node` moves, as above.
const double *cdg_nodal_slope(const nodal_slopes *slopes, size_t node, size_t neighbour);
// Adds what a row and a column share to a block, column by column.
void cdg_nodal_slopes_add(const nodal_slopes *slopes, size_t row, size_t column, double block[9]);

#endif
