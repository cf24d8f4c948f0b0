// Linear and angular momentum through a change of resolution: what a part of a rod had, and a rigid motion of it and of
// what is around that gives it back.
#ifndef CDG_ADAPT_ROD_MOMENTUM_H
#define CDG_ADAPT_ROD_MOMENTUM_H

#include "adapt/rod_part.h"

typedef struct cdg_part_momentum {
    cdg_vec3 linear, angular; // about a centre
} cdg_part_momentum;

cdg_part_momentum cdg_part_momentum_of(const cdg_rod *rod, const cdg_rod_part *part, cdg_vec3 centre);

// Nodes and elements beside the part that take their share of a correction: a part alone, nearly straight, could be
// turned about itself only by spins without measure.
enum { CDG_BESIDE_SIDE = 8, CDG_BESIDE_MAX = 2 * CDG_BESIDE_SIDE };
typedef struct cdg_part_surroundings {
    size_t node[CDG_BESIDE_MAX], element[CDG_BESIDE_MAX], count;
    cdg_vec3 v[CDG_BESIDE_MAX], v_before[CDG_BESIDE_MAX], w[CDG_BESIDE_MAX], w_before[CDG_BESIDE_MAX]; // as they were
} cdg_part_surroundings;

void cdg_part_list_surroundings(const cdg_rod *rod, const cdg_rod_part *part, cdg_part_surroundings *out);
void cdg_part_reset_surroundings(cdg_rod *rod, const cdg_part_surroundings *around);

// Moves that are rigid in the coarser of two resolutions. Then a merge takes back what a split did, whatever the rod's
// motion: what is left is a rigid motion without momentum, which is none.
typedef struct cdg_part_rigid {
    cdg_vec3 coarse[CDG_PART_NODES];  // by the part's nodes: positions in the coarser resolution; not of the fresh one,
                                      // which goes between its neighbours
    cdg_vec3 axis[CDG_PART_ELEMENTS]; // by its elements: d3 there, for frames that spin about it alone
    cdg_vec3 centre;
    double size; // m
} cdg_part_rigid;

// Returns the kinetic energy that the rod gains by it, J.
double cdg_part_restore_momentum(cdg_rod *rod, const cdg_rod_part *part, const cdg_part_surroundings *around,
                                 const cdg_part_rigid *rigid, const cdg_part_momentum *wanted);

double cdg_part_kinetic(const cdg_rod *rod, const cdg_rod_part *part); // J

#endif
