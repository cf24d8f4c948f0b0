// The corde model: mass points and quaternions (Spillmann and Teschner, Cosserat Nets; Spillmann's thesis, chapter 3).
// Its parts: corde/terms.h formulas, corde/kernels.h loops, corde/pairs.c cells outside the chain, corde/friction.h
// inner friction, corde/dampers.h and corde/band.c its equations, corde/stability.c longest steps, corde/measure.c
// energies.
#ifndef CDG_RODS_CORDE_H
#define CDG_RODS_CORDE_H

#include "base/scratch.h"
#include "rods/corde/dampers.h"
#include "rods/corde/kernels.h"
#include "rods/corde/options.h"
#include "rods/corde/terms.h"
#include "rods/rod_model.h"

extern const cdg_rod_model cdg_corde_model;

// Beyond this a step would seem to hang; something is wrong with the numbers.
enum { CORDE_SUBSTEPS_MAX = 100000 };

static inline bool corde_is_constraint(const cdg_rod *rod) {
    return corde_options(rod)->coupling == CDG_CORDE_CONSTRAINT;
}
static inline corde_vec corde_vec_from(cdg_vec3 v) { return (corde_vec){v.x, v.y, v.z}; }
static inline cdg_vec3 corde_vec3(corde_vec v) { return (cdg_vec3){v.x, v.y, v.z}; }
static inline corde_turn corde_turn_from(cdg_quat q) { return (corde_turn){q.w, q.x, q.y, q.z}; }
static inline corde_vec corde_vec_at(double *const a[3], size_t i) { return (corde_vec){a[0][i], a[1][i], a[2][i]}; }

// Where a hold has its node when the part `done` of the step is over.
static inline cdg_vec3 corde_held_position(const cdg_rod *rod, const cdg_hold *hold, double done) {
    if (done >= 1) return hold->position;
    cdg_vec3 from = rod_vec3(rod->x, hold->node), to = hold->position;
    return (cdg_vec3){from.x + done * (to.x - from.x), from.y + done * (to.y - from.y),
                      from.z + done * (to.z - from.z)};
}

// ---- corde/pairs.c: orientation elements that are not node - 1, node of the chain -----------------------------------

// An orientation element between any two frames: the seam of a closed rod, or a half cell beside a held section. The
// kernels know the chain's own cells; every other pair of segments, whatever its topology, is one of these.
typedef struct corde_pair {
    size_t left, right;  // elements; SIZE_MAX: the held section
    size_t hold;         // which hold that is
    cdg_quat held;       // its frame now
    corde_vec held_spin; // rad/s, material axes
    corde_turn rest;     // rest turn from left to right
    corde_vec stiffness; // B/c: bend d1, bend d2, twist, N m
} corde_pair;

typedef struct corde_pairs {
    corde_pair *items;
    size_t count;
    size_t *replaced; // nodes whose chain cell gives way to pairs
    size_t replaced_count;
} corde_pairs;

size_t corde_pairs_capacity(const cdg_rod *rod); // items; replaced needs hold_capacity
// Fills `out`, whose arrays are large enough, for the instant when the part `done` of the step of `step` seconds is
// over.
void corde_pairs_collect(const cdg_rod *rod, double step, double done, corde_pairs *out);
// After corde_cells, for elements begin to end - 1: takes the replaced cells' torques out, adds those of the pairs and,
// times `weight`, what held sections exert to their holds' moments.
void corde_pairs_apply(cdg_rod *rod, const corde_pairs *pairs, const corde_state *at, double weight, size_t begin,
                       size_t end, const corde_work *work);

// ---- corde/friction.c -----------------------------------------------------------------------------------------------

typedef struct corde_friction {
    corde_dampers dampers;
    double *spin[3];    // rad/s, world axes, element_count: before the sub-step
    double *through[3]; // N s, impulse through elements, laid out like force in corde_work
    double *twist[3];   // N m s, angular impulse through the cell at each node; the last repeats a closed rod's first
    double *memory;     // of the dampers' record, or of the band matrix
} corde_friction;

bool corde_has_friction(const cdg_rod *rod);
corde_friction corde_friction_carve(const cdg_rod *rod, cdg_scratch *scratch);

// Finds the velocities at the end of the sub-step under the elastic torques and forces in `work` and friction. False:
// there are none.
bool corde_friction_solve(const cdg_rod *rod, const corde_substep *s, const cdg_rod_loads *loads,
                          const corde_pairs *pairs, const corde_work *work, const corde_friction *friction);
// After it: adds what friction exerts at these velocities to forces and to torques, with those of the coupling
// (penalty), or to spins (constraint) and, times `weight`, to the moments of held sections.
void corde_friction_exert(cdg_rod *rod, const corde_substep *s, const corde_pairs *pairs, double weight,
                          const corde_work *work, const corde_friction *friction);

// ---- corde/corde.c: a sub-step in parts, in this order --------------------------------------------------------------

typedef struct corde_memory {
    corde_work work;
    corde_state spare; // where every other sub-step puts the rod
    corde_pairs pairs;
    corde_friction friction;
} corde_memory;

size_t corde_memory_bytes(const cdg_rod *rod, bool has_spare);
corde_memory corde_memory_carve(const cdg_rod *rod, bool has_spare, void *memory); // 64-byte aligned
corde_state corde_state_of(double *const x[3], double *const v[3], double *const q[4], double *const w[3]);
void corde_calm(cdg_rod *rod, double step, int count);    // after a candidate in `count` sub-steps
double corde_first_kick(const cdg_rod *rod, double part); // s, of the first sub-step of `part` seconds in a step
// As the rod asks for, or as many as a step needs to be stable. Fails when that is beyond reason.
cdg_result corde_choose_substeps(const cdg_rod *rod, double step, double *needed, cdg_error *error);

// Elastic torques and forces; axial momenta (constraint) and, without friction, frames (penalty) get their new values.
// `weight` is the sub-step's share in the mean of what supports exert. Joined rods ask for the forces, which friction
// with the penalty coupling else finds anew. False when something is not finite.
bool corde_elastic(cdg_rod *rod, const corde_memory *m, const corde_substep *s, const cdg_rod_loads *loads,
                   double weight, bool is_joined);
// Where there is friction: adds it to torques and forces, and frames get their new values.
cdg_result corde_rub(cdg_rod *rod, const corde_memory *m, const corde_substep *s, const cdg_rod_loads *loads,
                     double weight, bool *is_finite, cdg_error *error);
// New velocities and places of nodes.
bool corde_move(const cdg_rod *rod, const corde_memory *m, const corde_substep *s, const cdg_rod_loads *loads);
// Constraint coupling: what turning spins take from the nodes, which moves them, too.
void corde_spin(const cdg_rod *rod, const corde_memory *m, const corde_substep *s);
// Constraint: frames follow their tangents, and what is left of their angular momentum goes to the nodes' velocities.
bool corde_follow(const cdg_rod *rod, const corde_memory *m, const corde_substep *s);
// What supports exert: inertia and drag less loads and inner forces. Moments were summed with the cells.
void corde_react(cdg_rod *rod, const corde_memory *m, const corde_substep *s, const cdg_rod_loads *loads,
                 double weight);

cdg_vec3 corde_inner_force(const corde_work *work, size_t node); // N, on a node
// What a node lacks for its balance, N.
cdg_vec3 corde_missing_force(const cdg_rod *rod, const corde_memory *m, const corde_substep *s,
                             const cdg_rod_loads *loads, size_t node);
cdg_result corde_fail_not_finite(const cdg_rod *rod, double substep, cdg_error *error);

// ---- corde/net.c: joined rods (operations of the model's table) -----------------------------------------------------

bool corde_supports_joints(const cdg_rod *rod);
size_t corde_net_scratch_size(const cdg_net *net);
cdg_result corde_prepare_net(cdg_net *net, cdg_error *error);
void corde_settle_net(const cdg_net *net);
cdg_result corde_predict_net(const cdg_net *net, double step, const cdg_rod_loads *loads, void *scratch,
                             cdg_rod_step_result *results, size_t *failed, cdg_error *error);

// ---- corde/stability.c ----------------------------------------------------------------------------------------------

typedef struct corde_limits {
    double nodes, frames;                 // s, longest stable steps of positions and of frames
    double spins;                         // s, of frames about their own axes: a part of the latter
    const char *nodes_mode, *frames_mode; // what limits them
    cdg_limit nodes_limit, frames_limit;  // the same in a word
} corde_limits;

corde_limits corde_find_limits(const cdg_rod *rod);
// The same with what joints add: stiffness on each frame, N m, and squares of frequencies on each node, 1/s^2.
corde_limits corde_find_limits_with(const cdg_rod *rod, const double *on_frames, const double *on_nodes);
double corde_safe_step(double limit); // somewhat shorter
// How fast spinning frames nutate at most, rad/s: what spins add to the frequencies that limit the step.
double corde_nutation(const cdg_rod *rod);
// How short an element may be, of its rest length, for sub-steps of `part` seconds to be stable.
double corde_shortest_element(const cdg_rod *rod, double part);
// Tangents that turn by more than this within a sub-step (constraint) do not keep the energy; cos 0.1 rad.
static const double corde_least_cosine = 0.995;
// Whether one is too short at some time of a sub-step. Asked when one begins it below corde_watched of its length.
bool corde_is_crushed(const cdg_rod *rod, const corde_substep *s);
static inline double corde_watched(const cdg_rod *rod, double part) {
    return fmax(0.75, corde_shortest_element(rod, part));
}
// Sub-steps that a step of `step` seconds needs to be stable.
double corde_substeps_needed(const cdg_rod *rod, double step, double nutation);

// ---- corde/measure.c ------------------------------------------------------------------------------------------------

void corde_measure_element(const cdg_rod *rod, size_t element, cdg_element_measure *out);
double corde_strain_power(const cdg_rod *rod); // W: the rate at which the energy of strain grows

#endif
