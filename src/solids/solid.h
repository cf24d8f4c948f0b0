// A solid that deforms: a mesh of linear tetrahedra in memory, and what can be done with it.
// Constant data, state and candidate are separate arrays, one a component. Tetrahedra come in groups of SOLID_GROUP,
// the last filled up with copies that have no volume, so that vector code needs no rest.
#ifndef CDG_SOLIDS_SOLID_H
#define CDG_SOLIDS_SOLID_H

#include "math/quat.h"

#include <cordage/solid.h>

enum { SOLID_GROUP = 8, SOLID_GROUPS_AT_ONCE = 64 }; // tetrahedra in a group; groups that a thread takes

typedef struct cdg_solid_model_table cdg_solid_model_table;
typedef struct cdg_solid_system cdg_solid_system;
typedef struct cdg_volume_floor cdg_volume_floor;

// Of an explicit solid: forces at a candidate whose energy was asked for (solid_ahead.c).
typedef struct solid_ahead {
    bool is_there;
    double *x[3], *v[3], *rotation[4]; // where, and what the solid's rotations were found to be
} solid_ahead;

typedef struct cdg_solid {
    char *name;
    const cdg_solid_model_table *model;
    cdg_solid_def def; // without its mesh
    double mu, lambda; // Pa, Lame's, of linear elasticity, as tetrahedra have them for themselves
    double bulk;       // Pa: the part of lambda that nodes have (nodal_pressure.h); 0: tetrahedra have all of it

    // the mesh
    size_t node_count, tetrahedron_count, group_count, slot_count; // slot_count = SOLID_GROUP * group_count
    uint32_t (*tetrahedra)[4];                                     // tetrahedron_count
    uint32_t *corner[4];                                           // slot_count each
    double *shape[9]; // slot_count: inverse of the edges at rest; corner j + 1 has the gradient shape[3 j .. 3 j + 2]
    double *volume;   // slot_count, m^3 at rest; 0: a copy that fills up
    double *mass;     // node_count, kg
    double *rest[3];  // node_count, m, as it was placed
    uint32_t *first_use;    // node_count + 1: corners of tetrahedra at a node
    uint32_t *use;          // 4 tetrahedron_count: 4 slot + corner
    uint32_t (*surface)[3]; // triangles, seen counter-clockwise from outside
    size_t surface_count;
    double total_mass, rest_volume, shortest_edge, mean_edge; // kg, m^3, m
    double largest_rate;                                      // 1/s: no element swings faster at rest

    // state and candidate, m and m/s
    double *x[3], *v[3], *x_next[3], *v_next[3], *x_before[3], *v_before[3];
    bool has_history;
    double history_step; // s, between before and now; of shape_matching the longest step so far
    bool was_touched;    // ever; of shape_matching
    double *rotation[4]; // slot_count: corotational, where its iteration begins, shape_matching: of clusters; else NULL

    // what acts in the step under way
    bool *is_held;       // node_count
    double *target[3];   // m, where held nodes are at its end
    double *force[3];    // N, from outside, without gravity
    double *touch[3];    // N, of contact and attached rods, on implicit solids: contact itself moves explicit ones
    double *reaction[3]; // N, of supports on held nodes; 0 elsewhere
    size_t held_count;
    bool is_touched; // any of `touch` is of contact and not zero
    bool is_tied;    // forces of what is attached to it are among `touch`, too
    bool is_again;   // it was predicted in this step already, with other forces: begin where that ended

    double *inner_force[3]; // node_count, N: of a sub-step, or ahead
    double *turned[4];      // where rotations that are found go: mostly where they were
    double *part_energy;    // J, of strain, of SOLID_GROUPS_AT_ONCE groups each, if forces tell it
    solid_ahead ahead;
    double *node_volume, *node_pressure; // node_count, m^3 at rest and Pa, of nodal_pressure.h; else NULL
    double *slot_volume;                 // slot_count, m^3 as it is now
    double *slot_force;                  // 12 slot_count: a group after the other, 3 corner + axis, lane
    cdg_volume_floor *floor;             // of explicit integrators (volume_floor.h); NULL: volumes have none
    cdg_solid_system *system;            // of implicit integrators, equilibria and modes; NULL: not made yet
    void *own;                           // of the model; NULL: it has nothing
    void *block;                         // all arrays of doubles
} cdg_solid;

typedef struct cdg_solid_result {
    int iterations, parts;
    double residual;   // of the last iteration, relative
    double work_doubt; // J: how far the work of moving supports may be off, because their speed jumped
    // of equilibria: N, what is unbalanced at any node and the largest inner force; rad^2/s^2, the lowest eigenvalue,
    // not a number when it was not looked for because the solid is large
    double unbalanced, force, lowest;
} cdg_solid_result;

// What is wrong with a definition, in `error`; `out` is then not to be freed.
cdg_result cdg_solid_build(const cdg_solid_def *def, const char *name, cdg_solid *out, cdg_error *error);
void cdg_solid_free(cdg_solid *solid);

static inline bool solid_is_implicit(const cdg_solid *solid) { return solid->def.integrator != CDG_SOLID_EXPLICIT; }
// Whether an implicit step looks back: BDF2 with a step of the same length behind it.
static inline bool solid_looks_back(const cdg_solid *s, double step) {
    return s->x_before[0] != NULL && s->has_history && fabs(s->history_step - step) < 1e-9 * step;
}

static inline size_t solid_part_count(const cdg_solid *solid) {
    return (solid->group_count + SOLID_GROUPS_AT_ONCE - 1) / SOLID_GROUPS_AT_ONCE;
}

static inline cdg_vec3 solid_vec3(double *const array[3], size_t i) {
    return vec3(array[0][i], array[1][i], array[2][i]);
}
static inline void solid_set_vec3(double *const array[3], size_t i, cdg_vec3 value) {
    array[0][i] = value.x, array[1][i] = value.y, array[2][i] = value.z;
}

// solid_forces.c ------------------------------------------------------------------------------------------------------
// Where forces are asked for. Damping answers the rate of Green's strain: that of the velocities v, or `rate` times the
// change since the positions `before`; both NULL: there is none.
typedef struct cdg_solid_at {
    double *const *x, *const *v, *const *before;
    double rate; // 1/s
} cdg_solid_at;

// Sets `out` to the forces of elasticity and damping, N. Same bits for any number of threads.
void cdg_solid_forces(cdg_solid *solid, const cdg_solid_at *at, double *const out[3], int threads);

// solid_measure.c -----------------------------------------------------------------------------------------------------
typedef struct solid_energies {
    double kinetic, elastic, gravity; // J
} solid_energies;
solid_energies cdg_solid_measure_energy(const cdg_solid *solid, double *const x[3], double *const v[3],
                                        cdg_vec3 gravity);
solid_energies cdg_solid_measure_motion(const cdg_solid *solid, double *const x[3], double *const v[3],
                                        cdg_vec3 gravity);                   // without that of strain
double cdg_solid_elastic_energy(const cdg_solid *solid, double *const x[3]); // J
double cdg_solid_damping_energy(const cdg_solid *solid,
                                const cdg_solid_at *at);             // J: whose derivative damping forces are
double cdg_solid_volume(const cdg_solid *solid, double *const x[3]); // m^3
void cdg_solid_momentum(const cdg_solid *solid, double *const x[3], double *const v[3], cdg_vec3 *linear,
                        cdg_vec3 *angular); // adds
// Von Mises stress (Pa) and the largest stretch - 1 of every tetrahedron; either may be NULL.
void cdg_solid_stresses(const cdg_solid *solid, double *const x[3], double *von_mises, double *strain);
double cdg_solid_tetrahedron_stress(const cdg_solid *solid, double *const x[3], size_t tetrahedron);    // Pa, von Mises
void cdg_solid_extremes(const cdg_solid *solid, double *const x[3], double *von_mises, double *strain); // the largest
// The smallest det F, and in which tetrahedron.
double cdg_solid_least_volume(const cdg_solid *solid, double *const x[3], size_t *tetrahedron);

// solid_step.c, solid_explicit.c, solid_implicit.c --------------------------------------------------------------------
// The candidate from the state, with is_held, target, force as they are; reaction is filled.
cdg_result cdg_solid_predict(cdg_solid *solid, double step, cdg_vec3 gravity, int threads, cdg_solid_result *out,
                             cdg_error *error);
void cdg_solid_commit(cdg_solid *solid, double step);
double cdg_solid_stable_step(const cdg_solid *solid); // s, of an explicit sub-step

// solid_ahead.c: with the strain energy of a candidate, some solids also find its forces, with which the next step
// begins.
bool cdg_solid_may_look_ahead(const cdg_solid *solid);
double cdg_solid_look_ahead(cdg_solid *solid); // J
bool cdg_solid_take_ahead(cdg_solid *solid);   // whether inner_force are the forces of the state, with its rotations

// The state becomes an equilibrium with gravity, is_held, target and force as they are, found from where it is.
cdg_result cdg_solid_find_equilibrium(cdg_solid *solid, cdg_vec3 gravity, int threads, cdg_solid_result *out,
                                      cdg_error *error);
// solid_modes.c: vibrations about the state, held nodes being still: eigenvalues (1/s^2) of stiffness against mass, the
// lowest first, and their shapes (node_count a mode, the largest 1), unless NULL.
cdg_result cdg_solid_find_eigenvalues(cdg_solid *solid, size_t count, double *eigenvalues, cdg_vec3 *shapes,
                                      cdg_error *error);

// solid_response.c: of implicit solids, how forces move the candidate of the last prediction.
cdg_result cdg_solid_keep_response(cdg_solid *solid, int threads, cdg_error *error); // right after the prediction
// system->move (3 a node) by the forces in system->right.
void cdg_solid_respond(cdg_solid *solid, int threads);
double cdg_solid_compliance(const cdg_solid *solid, size_t node); // m/N, about: of a force on one node alone

// solid_spin.c: of an implicit solid that nothing holds, the candidate's velocities are given the angular momentum that
// it must have.
void cdg_solid_keep_spin(cdg_solid *solid, double step);

cdg_result cdg_solid_predict_explicit(cdg_solid *solid, double step, cdg_vec3 gravity, int threads,
                                      cdg_solid_result *out, cdg_error *error);
cdg_result cdg_solid_predict_implicit(cdg_solid *solid, double step, cdg_vec3 gravity, int threads,
                                      cdg_solid_result *out, cdg_error *error);

#endif
