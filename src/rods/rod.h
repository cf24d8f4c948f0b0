// A rod in the computer: staggered grid, nodes with positions, elements with frames at their middles.
//
// An open rod of N elements has N + 1 nodes; element j joins nodes j and j + 1. A closed rod has N nodes, and its last
// element joins node N - 1 and node 0. Bending and twisting live at nodes, between the elements on its left and right.
// Constant, state and candidate data are kept apart. x[k] is component k of all nodes, 64-byte aligned.
#ifndef CDG_RODS_ROD_H
#define CDG_RODS_ROD_H

#include <cordage/rod.h>
#include <cordage/world.h>

#include "math/symmetric3.h"

// What a support does to one node during the coming step. Set by the world before each step.
typedef enum cdg_frame_hold { CDG_HOLD_NO_FRAME, CDG_HOLD_FRAME, CDG_HOLD_ROLL } cdg_frame_hold;
typedef struct cdg_hold {
    size_t node;
    bool holds_position;
    bool slides; // only with models that say so: held across `along`, a unit vector, on the line through `position`
    cdg_vec3 along;
    cdg_frame_hold frame_hold; // FRAME: the section at the node has orientation `frame`; ROLL: only its turn about d3
    cdg_vec3 position;         // m, at the end of the step
    cdg_quat frame;            // at the end of the step
    bool has_velocity;         // the velocity at the end is known, too: that of the body it is welded to
    cdg_vec3 velocity;         // m/s
    // Only with models that say so: it is a point of a body that yields to what the rod exerts. `position` is where
    // that point comes to when the hold exerts `expected`; a force beyond that moves it by -yield times the force.
    bool yields;
    symmetric3 yield;       // m/N
    cdg_vec3 expected;      // N
    cdg_vec3 force, moment; // N, N m: what the support exerts on the rod, world axes; set by the model's predict
} cdg_hold;

typedef struct cdg_rod_model cdg_rod_model;

// Why a change of resolution is not made.
typedef enum cdg_adapt_refusal {
    CDG_ADAPT_NOT_REFUSED,
    CDG_ADAPT_NO_EQUILIBRIUM, // nothing in equilibrium is near
    CDG_ADAPT_TOO_STRAINED,   // what there is is strained or bent more than it may be
    CDG_ADAPT_IN_THE_WAY,     // something else is
    CDG_ADAPT_TOO_DEAR,       // changes would have given the rod more energy than they may
    CDG_ADAPT_WOULD_SHOW,     // the skin would jump; merges alone
    CDG_ADAPT_REFUSALS
} cdg_adapt_refusal;

// Where a node, and the element that begins there, are drawn beside themselves, so that a skin does not jump when
// resolution changes (adapt/drawn.c).
typedef struct cdg_rod_beside {
    cdg_vec3 shift;   // m
    double roll;      // rad: the element's frame, about d3
    double node_roll; // rad: the same at the node, beyond what is between the elements'
} cdg_rod_beside;

// What a rod that adapts keeps beyond the others (src/adapt). Elements come from halving those of the definition.
typedef struct cdg_rod_adapt {
    cdg_adapt_options options; // `shortest`: rod_adapt_shortest
    double step;               // s: the world's, which elements have to bear; 0: not known
    size_t user_element_count, user_node_count;
    uint8_t *level;         // element_capacity: how often it was halved; 0: as defined
    uint8_t *part;          // element_capacity: which of the 2^level parts of its element of the definition it is
    float *calm;            // s, element_capacity: for how long there was no reason for it to be as fine as it is
    double *arc;            // m, node_capacity: rest length from the rod's start
    uint32_t *user_node;    // user_node_count: where the definition's nodes are now
    uint32_t *finest;       // node_capacity: number of the node, and of the element that begins there, at the finest
    cdg_rod_beside *beside; // node_capacity, by these numbers: rod_beside; 0 of what is not there
    double shifted;         // the largest of these, in radii and rad, or more; 0: none
    uint8_t *joined;        // node_capacity: 1: it is one point with nodes of other rods (world/joint.c)
    cdg_material material;
    bool had_equal_elements, had_equal_turns; // as defined
    bool is_new;                              // no step was taken since it was made at its finest
    bool is_straight;                         // at rest: all turns are the same at any resolution
    uint8_t *touch;      // element_capacity: 1: something pushes on its first half, 2: on its last; of the last step
    size_t halved_count; // elements of a level above 0
    uint64_t split_count, merge_count;       // since the start
    uint64_t refused[2][CDG_ADAPT_REFUSALS]; // splits and merges that were asked for, since the start
    double given;          // J: energy that changes have given the rod in all; forgotten with time (criteria.c)
    double scale;          // J: the rod's energy when that was last compared with it
    bool is_scale_present; // it is that of this moment: it was measured since the last step
} cdg_rod_adapt;

// With thousands of rods this struct is not in the caches when a step comes to it: what every step touches stands
// first.
// What contact does to a rod in this step.
typedef enum cdg_touch {
    CDG_UNTOUCHED,
    CDG_RESTS,    // was pressed in the step before and hardly moves against what it touches
    CDG_IS_STRUCK // comes to touch, or is being stopped
} cdg_touch;

typedef struct cdg_rod {
    const cdg_rod_model *model;
    const void *options; // of its model, which knows what they are; constant
    size_t node_count, element_count;
    bool is_closed;
    bool measures_angle;     // bending and twist are measured by angle, whatever `measure` says
    bool curls_by_angle;     // of models that count turns: their strain is the angle, not twice the tangent of its half
    bool measures_from_rest; // strain is the turn away from rest itself (corde/terms.h), no difference of measures
    bool has_consistent_mass; // elements have the kinetic energy of linear interpolation; else mass sits at nodes
    bool has_equal_elements;  // all rest lengths are the same
    bool has_equal_turns;     // all nodes with two elements have the same rest turn
    bool has_one_turn;        // all nodes, the ends too, have the same rest turn, and rest_turn has one entry
    cdg_pobd_darboux measure; // of turns, by the sine of their half unless a model says otherwise

    // ---- boundary and loads
    bool has_inner_joint; // others are joined to it at a node that has two elements, so that cells differ (net.h)
    bool has_inner_frame_support; // some support holds frame or roll of a node that has two elements
    cdg_hold *holds;              // set by the world, hold_count
    size_t hold_count, hold_capacity;
    cdg_hold *holds_before; // the holds of the step before, same capacity
    size_t hold_before_count;
    size_t support_count; // supports that may become holds: what hold_capacity must cover
    uint32_t *hold_at;    // of each node: index of its hold, if that one is of this node; NULL: look for it
    uint32_t *support_at; // of each node: its last support, for the world; NULL: none was added
    double drag_rate;     // 1/s, set by the world each step
    bool is_gripped;      // set by the world: node_mass holds that of hands, too
    double gravity;       // m/s^2, how strong it is in the rod's world; for advice

    // ---- constant, set by rod_build.c. Arrays over sections have stride 0 (one entry) when the rod is uniform: entry
    // i is at [i * section_stride].
    size_t section_stride;
    double length, mass;          // m, kg
    double *rest_length;          // m, element_count
    double *node_mass;            // kg, node_count: half of each adjacent element
    double *line_mass;            // kg/m, element_count (stride)
    double *stretch_stiffness[3]; // N: shear d1, shear d2, stretch; element_count (stride)
    double *frame_inertia[3];     // kg m, rotary inertia per length about d1, d2, d3; element_count (stride)
    double *bend_stiffness[3];    // N m^2: bend about d1, d2, twist; node_count (stride)
    double *radius;               // m, node_count (stride)
    double *rest_turn[4]; // rest rotation conj(q_left) q_right over the node's cell, w x y z; node_count, or one entry
                          // (rod_rest_turn). At the ends of an open rod: over the half cell between the end section and
                          // the element's middle
    double damping_time[4]; // s: shear, stretch, bend, twist (Kelvin-Voigt)

    // Only for models that count turns (cdg_rod_model.counts_turns), else NULL.
    double
        *rest_curl[3]; // rest_turn by that model's measure, about d1, d2 and d3 (rad, whole turns counted); node_count

    // ---- state at the world's time
    double *x[3]; // m, node_count
    double *v[3]; // m/s, node_count
    double *q[4]; // element_count, unit
    double *w[3]; // rad/s, material frame, element_count
    // rad, node_count: twist over the node's cell, to tell how many whole turns the frames' twist has; for models that
    // count turns. twist_next is the candidate.
    double *twist, *twist_next;
    double *tension; // N, element_count: of elements that a constraint keeps at their length; with the above
    // state one step earlier, only for two-step integrators (else NULL); valid once has_history
    double *x_before[3], *v_before[3], *q_before[4], *w_before[3];
    bool has_history;
    // s, the step (corde: sub-step) between before and now; 0 after a blow, which is not to be continued
    double history_step;
    cdg_touch touch; // set before predict, for models that answer to contact

    // ---- candidate at time + step: made by predict, accepted by commit, which only swaps pointers
    double *x_next[3], *v_next[3], *q_next[4], *w_next[3];

    // ---- what a model keeps beyond the staggered grid (rod_model.h: own_count); NULL for most
    size_t own_count, own_constant_count;
    double *own, *own_next; // own_count: state, and the candidate that commit swaps in
    double *own_constant;   // own_constant_count: set by the model's prepare

    // ---- what few steps ask for
    size_t node_capacity, element_capacity; // that arrays have room for; the counts, unless the rod adapts
    cdg_rod_adapt *adapt;                   // NULL: it does not
    char *name;
    cdg_section section[2];                   // at the start and the end of the rod; sizes are linear between
    double node_step_limit, frame_step_limit; // s, longest stable steps; set by models that have them (corde)
    double substep, calm_substep,
        calm_substep_next;  // s, corde: of the candidate; and what the next may be, or 0 (corde/corde.c: corde_calm)
    double spin_step_limit; // s, of frames about their own axes alone
    double *options_memory;
    void *memory;        // the one block all arrays live in
    double *turn_memory; // rest_turn of a rod that had one entry and was given a curvature later; NULL: none
    size_t memory_size;
} cdg_rod;

// m/s: from here on squares of speeds, and so energies, are not far from the largest number that there is.
#define CDG_SPEED_MAX 1e100

// The hold at a node; NULL: none.
static inline const cdg_hold *rod_hold_at(const cdg_rod *rod, size_t node) {
    size_t first = rod->hold_at != NULL ? rod->hold_at[node] : 0;
    size_t end = rod->hold_at != NULL && first < rod->hold_count ? first + 1 : rod->hold_count;
    for (size_t h = first; h < end; h++)
        if (rod->holds[h].node == node) return &rod->holds[h];
    return NULL;
}

// What held the node of a hold in the step before, which mostly has the same index; NULL: nothing.
static inline const cdg_hold *rod_hold_before(const cdg_rod *rod, const cdg_hold *hold) {
    size_t same = (size_t)(hold - rod->holds);
    if (same < rod->hold_before_count && rod->holds_before[same].node == hold->node) return &rod->holds_before[same];
    for (size_t h = 0; h < rod->hold_before_count; h++)
        if (rod->holds_before[h].node == hold->node) return &rod->holds_before[h];
    return NULL;
}

static inline size_t rod_left_element(const cdg_rod *rod, size_t node) { // node 0 of an open rod has none: SIZE_MAX
    return node > 0 ? node - 1 : rod->is_closed ? rod->element_count - 1 : SIZE_MAX;
}
static inline size_t rod_right_element(const cdg_rod *rod, size_t node) { // last node of an open rod has none: SIZE_MAX
    return node < rod->element_count ? node : SIZE_MAX;
}
static inline size_t rod_next_node(const cdg_rod *rod, size_t element) {
    return element + 1 < rod->node_count ? element + 1 : 0;
}
// Length of the node's cell: half of each adjacent element, m.
static inline double rod_cell_length(const cdg_rod *rod, size_t node) {
    size_t left = rod_left_element(rod, node), right = rod_right_element(rod, node);
    return (left != SIZE_MAX ? rod->rest_length[left] / 2 : 0) + (right != SIZE_MAX ? rod->rest_length[right] / 2 : 0);
}
static inline cdg_vec3 rod_vec3(double *const a[3], size_t i) { return (cdg_vec3){a[0][i], a[1][i], a[2][i]}; }
static inline cdg_quat rod_quat(double *const a[4], size_t i) { return (cdg_quat){a[0][i], a[1][i], a[2][i], a[3][i]}; }
static inline void rod_set_vec3(double *const a[3], size_t i, cdg_vec3 v) {
    a[0][i] = v.x, a[1][i] = v.y, a[2][i] = v.z;
}
static inline void rod_set_quat(double *const a[4], size_t i, cdg_quat q) {
    a[0][i] = q.w, a[1][i] = q.x, a[2][i] = q.y, a[3][i] = q.z;
}

// Half of the elements beside it, in the order in which rod_build.c adds them, so that equal rods have equal bits.
static inline double rod_own_mass(const cdg_rod *rod, size_t node) {
    double sum = 0;
    size_t ends[2] = {rod_left_element(rod, node), rod_right_element(rod, node)};
    if (node == 0) ends[0] = ends[1], ends[1] = rod_left_element(rod, node);
    for (int k = 0; k < 2; k++)
        if (ends[k] != SIZE_MAX) sum += rod->line_mass[ends[k] * rod->section_stride] * rod->rest_length[ends[k]] / 2;
    return sum;
}

// Where a node, or an element's middle, of the definition is now. The middle of an element that was halved is a node.
static inline cdg_rod_beside *rod_beside(const cdg_rod *rod, size_t node) { // of a rod that adapts
    return &rod->adapt->beside[rod->adapt->finest[node]];
}

static inline size_t rod_user_node(const cdg_rod *rod, size_t node) {
    return rod->adapt != NULL ? rod->adapt->user_node[node] : node;
}
static inline size_t rod_user_node_count(const cdg_rod *rod) {
    return rod->adapt != NULL ? rod->adapt->user_node_count : rod->node_count;
}
static inline size_t rod_user_element_count(const cdg_rod *rod) {
    return rod->adapt != NULL ? rod->adapt->user_element_count : rod->element_count;
}
cdg_place rod_present_place(const cdg_rod *rod, cdg_place place); // rod_adapt.c
// Where a point on an element of the definition is: on which element at present, and where on it, 0 to 1. rod_adapt.c
void rod_present_point(const cdg_rod *rod, size_t element, double fraction, size_t *out_element, double *out_fraction);
// The number of a present node in the definition: 3.25 lies a quarter from node 3 to the next; rounded down it is the
// element that begins there or has it within. rod_adapt.c
double rod_user_number(const cdg_rod *rod, size_t node);
// m: the shortest that parts of an element of a rod that adapts may be: as given, or by the section. rod_adapt.c
double rod_adapt_shortest(const cdg_rod *rod, size_t element);
// m: how short parts of an element may become, for explicit models, whose step must bear them. rod_adapt.c
double rod_shortest_length(const cdg_rod *rod, size_t element);

// A rod as large as it may become, for questions about memory: counts are capacities, and nothing is uniform.
cdg_rod rod_largest(const cdg_rod *rod); // rod_adapt.c

static inline cdg_quat rod_rest_turn(const cdg_rod *rod, size_t node) {
    return rod_quat(rod->rest_turn, rod->has_one_turn ? 0 : node);
}

// The arrays of a state, x to w, stand one after the other from x[0] on; so do those of a candidate and of the state
// before (rod_build.c).
static inline size_t rod_state_bytes(const cdg_rod *rod) {
    return (size_t)((const char *)(rod->w[2] + rod->element_count) - (const char *)rod->x[0]);
}

// Rest turn over the half cell between a node's section and the middle of the element beside it.
cdg_quat rod_half_cell_rest(const cdg_rod *rod, size_t node, size_t element);
// Orientation of the section at a node: between its two elements, or, at an open end, the end element's frame turned
// back by the half cell's share of the turn beside it (so a curved rod is clamped along its tangent, no chord).
cdg_quat rod_section_frame(const cdg_rod *rod, size_t node);

// rod_build.c: from a definition to arrays. The rod is destroyed with cdg_rod_destroy.
cdg_result cdg_rod_build(const cdg_rod_def *def, cdg_rod **out, cdg_error *error);
void cdg_rod_destroy(cdg_rod *rod);
// The block of all arrays, zeroed, for a rod whose capacities, model and flags are set.
cdg_result cdg_rod_allocate(cdg_rod *rod, bool with_history, cdg_error *error);

// rod_adapt.c: resolution that changes, before it does (src/adapt changes it).
cdg_result cdg_adapt_check(const cdg_rod_def *def, bool is_closed, cdg_error *error);
size_t cdg_adapt_capacity(const cdg_rod_def *def);     // elements
size_t cdg_adapt_start_levels(const cdg_rod_def *def); // how often elements of the definition are halved at the start
cdg_result cdg_rod_adapt_create(cdg_rod *rod, const cdg_rod_def *def, cdg_error *error);
// Memory for it, zeroed, as rod->adapt, with arrays for the rod's capacities and so many of the definition.
cdg_result cdg_rod_adapt_allocate(cdg_rod *rod, size_t user_elements, size_t user_nodes, cdg_error *error);
// Flags and limits that follow from all elements, after some have changed.
void cdg_rod_adapt_settle(cdg_rod *rod);

// rod_rest.c: the rest shape set anew. Curvature about d1, d2 and twist of each node's cell, 1/m; NULL: straight.
cdg_result cdg_rod_set_rest_darboux(cdg_rod *rod, const cdg_vec3 *darboux, cdg_error *error);
void cdg_rod_rest_darboux(const cdg_rod *rod, cdg_vec3 *out); // node_count
// The rotation vector of a node's rest turn, with the whole turns that the model has counted; and setting it, where
// the rod has one for each node.
cdg_vec3 cdg_rod_rest_turn_vector(const cdg_rod *rod, size_t node);
void cdg_rod_set_rest_turn_vector(cdg_rod *rod, size_t node, cdg_vec3 turn);
// All rest lengths by this factor; masses, inertia of elements and curvatures stay.
void cdg_rod_scale_rest_length(cdg_rod *rod, double factor);

// rod_turns.c, for models that count turns: rest_curl and twist from rest_turn and frames, which know neither; of all
// values the nearest to the rates (rad/m).
void cdg_rod_set_turns(cdg_rod *rod, double rest_rate, double rate);
// After frames were replaced: twist nearest to the rest shape.
void cdg_rod_recount_turns(cdg_rod *rod);
// Where a section is held: nearly the twist over the half cell between it and the middle of the element, rad: it tells
// how many whole turns that has.
double cdg_rod_half_twist(const cdg_rod *rod, size_t node, size_t element);
// For the other models: the first node at which the candidate's twist against rest has passed half a turn, beyond which
// frames tell a turn from its complement no more; SIZE_MAX: none. Folding by half a turn loses nothing.
size_t cdg_rod_lost_turn(const cdg_rod *rod);
// The first node at which the rod turns back on itself, as it is or, *is_rest, without forces; SIZE_MAX: none.
size_t cdg_rod_folded_node(const cdg_rod *rod, bool *is_rest);

// Stretching and shearing of one element; a model may have its own definition of them (rod_model.h).
typedef struct cdg_element_measure {
    cdg_vec3 strain;                     // shear d1, shear d2, stretch (0 at rest)
    cdg_vec3 force;                      // N, material frame
    double stretch_energy, shear_energy; // J
} cdg_element_measure;

// rod_measure.c: strains, section forces, energies and momentum of the current state, shared by all models.
cdg_vec3 cdg_rod_strain(const cdg_rod *rod, size_t element);      // shear d1, shear d2, stretch (0 at rest)
cdg_vec3 cdg_rod_darboux(const cdg_rod *rod, size_t node);        // 1/m about d1, d2, d3
cdg_vec3 cdg_rod_darboux_strain(const cdg_rod *rod, size_t node); // current minus rest, 1/m
// Whether anything bends or twists at a node: nothing does at a free end, where both of the above are 0.
typedef struct cdg_rod_measured {
    bool bending, twist;
} cdg_rod_measured;
cdg_rod_measured cdg_rod_is_measured(const cdg_rod *rod, size_t node);
cdg_vec3 cdg_rod_section_force(const cdg_rod *rod, size_t element); // N, material frame
// N m, material frame (mean of neighbours); 0 at free ends
cdg_vec3 cdg_rod_section_moment(const cdg_rod *rod, size_t node);
// N m, material frame of the element: what bending and twisting at its first or last node exert on its frame, for rods
// that measure from rest; and the rate at which their energy of bending and twisting grows, W, held sections at rest
cdg_vec3 cdg_rod_torque_on(const cdg_rod *rod, size_t element, bool at_last);
cdg_vec3 cdg_rod_frame_inertia(const cdg_rod *rod, size_t element); // kg m^2 about d1, d2, d3, as the model has it
// The same of several elements, `count` numbers about each axis.
void cdg_rod_frame_inertias(const cdg_rod *rod, size_t first, size_t count, double *const out[3]);
double cdg_rod_turning_power(const cdg_rod *rod);
double cdg_rod_largest_turn(const cdg_rod *rod); // rad, between neighbours, against the rest shape
// Where neighbours have turned so far against each other that the model's moment is wrong by most, as a share of it.
typedef struct cdg_turn_error {
    double error;
    double turn; // rad, there, against the rest shape
    size_t node;
} cdg_turn_error;
cdg_turn_error cdg_rod_turn_error(const cdg_rod *rod);
void cdg_rod_measure_energy(const cdg_rod *rod, cdg_vec3 gravity, cdg_energy *out);
// Of `count` elements from `first` on, with their nodes and the bending there; fewer than all of a closed rod.
void cdg_rod_measure_part(const cdg_rod *rod, size_t first, size_t count, cdg_vec3 gravity, cdg_energy *out);
void cdg_rod_measure_momentum(const cdg_rod *rod, cdg_vec3 *linear, cdg_vec3 *angular); // adds to both

#endif
