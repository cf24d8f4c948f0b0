// Linear theory of a grillage: straight beams in the plane z = 0, rigidly joined, that bend across the plane (Euler and
// Bernoulli) and twist (Saint-Venant) under an even load. A reference for nets and trusses that lie.
#ifndef VALIDATION_GRILLAGE_H
#define VALIDATION_GRILLAGE_H

#include <cordage/cordage.h>

enum { GRILLAGE_NODES_MAX = 32, GRILLAGE_BEAMS_MAX = 64 };

typedef struct grillage {
    cdg_vec3 nodes[GRILLAGE_NODES_MAX]; // z is not read
    bool is_clamped[GRILLAGE_NODES_MAX];
    size_t beams[GRILLAGE_BEAMS_MAX][2]; // from node to node
    size_t node_count, beam_count;
    double bend, twist; // N m^2
    double load;        // N/m, along z
} grillage;

// How far each node moves along z, m.
void grillage_solve(const grillage *g, double *out);

// The lying truss of cdg_structure_def: `bays` bays, clamped at its left end. The last lower node is number `bays`.
grillage grillage_truss(const double size[2], size_t bays);

#endif
