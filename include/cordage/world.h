// The world: rods, supports, loads; stepping; reading back.
#ifndef CORDAGE_WORLD_H
#define CORDAGE_WORLD_H

#include <cordage/rod.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cdg_world cdg_world;

// Whether rods, solids, bodies and obstacles touch each other and themselves. The default is yes: contact with nothing
// near costs next to nothing. CDG_CONTACT_ON is the same, but that automatic steps are as short as contact wants them
// even where there is nothing but rods, and that equilibria, which know no contact, are refused; by default they are
// found, and refused only where things lie in each other in what is found.
typedef enum cdg_contact_choice {
    CDG_CONTACT_DEFAULT,
    CDG_CONTACT_ON,
    CDG_CONTACT_OFF,
    CDG_CONTACT_CHOICE_COUNT
} cdg_contact_choice;

typedef struct cdg_world_def {
    cdg_vec3 gravity;           // m/s^2
    double step;                // s; 0: automatic (cdg_world_advice says which and why)
    int thread_count;           // 0: all cores
    bool is_unguarded;          // steps in which energy comes from nowhere are taken all the same (no energy guard)
    cdg_contact_choice contact; // without friction and restitution, which cdg_world_set_contact sets
} cdg_world_def;

cdg_world_def cdg_world_def_default(void); // gravity -9.81 z, automatic step, all cores, guarded, contact

// An empty world; destroy it afterwards. On failure *out is NULL.
cdg_result cdg_world_create(const cdg_world_def *def, cdg_world **out, cdg_error *error);
void cdg_world_destroy(cdg_world *world); // NULL is fine

// The sentence behind the last failure in this world; "" when there was none.
const char *cdg_world_message(const cdg_world *world);

// ---- rods -----------------------------------------------------------------------------------------------------------

// Adds a rod as it is defined; everything is copied. Fine while the world runs.
cdg_result cdg_world_add_rod(cdg_world *world, const cdg_rod_def *def, cdg_rod_id *out);
// With its supports and loads; hands let go of it. Not while it is joined or welded. The handles are stale then.
cdg_result cdg_world_remove_rod(cdg_world *world, cdg_rod_id rod);
size_t cdg_world_rod_count(const cdg_world *world); // that are there now
// In order of creation, but that after a removal the next new rod takes the free index; null beyond the count.
cdg_rod_id cdg_world_rod_at(const cdg_world *world, size_t index);
cdg_rod_id cdg_world_find_rod(const cdg_world *world, const char *name); // null: there is none

typedef struct cdg_rod_info {
    const char *name;
    cdg_model model;
    bool is_closed;
    size_t node_count, element_count;
    size_t defined_node_count, defined_element_count; // as defined, which places name; others where it has adapted
    double length, mass;                              // rest length m, kg
    cdg_section_kind section_kind;                    // of every section
} cdg_rod_info;
// Properties of a rod, and its present numbers of nodes and elements.
cdg_result cdg_rod_get_info(const cdg_world *world, cdg_rod_id rod, cdg_rod_info *out);

// Copies into the caller's memory: node_count (positions, velocities) or element_count (frames, tension, ...) entries.
cdg_result cdg_rod_positions(const cdg_world *world, cdg_rod_id rod, cdg_vec3 *out);  // m
cdg_result cdg_rod_velocities(const cdg_world *world, cdg_rod_id rod, cdg_vec3 *out); // m/s
cdg_result cdg_rod_frames(const cdg_world *world, cdg_rod_id rod, cdg_quat *out);     // of elements; d3 is the tangent
cdg_result cdg_rod_angular_velocities(const cdg_world *world, cdg_rod_id rod, cdg_vec3 *out); // material frame
cdg_result cdg_rod_forces(const cdg_world *world, cdg_rod_id rod, cdg_vec3 *out); // elements; material frame; z tension
cdg_result cdg_rod_moments(const cdg_world *world, cdg_rod_id rod, cdg_vec3 *out); // nodes; material frame; z torque
cdg_result cdg_rod_radii(const cdg_world *world, cdg_rod_id rod, double *out);     // nodes
// The section's shape at the nodes, as defined; a rod whose stiffness was given outright has circles of its radius.
cdg_result cdg_rod_sections(const cdg_world *world, cdg_rod_id rod, cdg_section *out);

// Where a rod adapts, resolution may change between steps (cdg_adapt_options), and counts are the present ones. This is
// how many nodes it may come to have; of a rod that does not adapt, those that it has. 0: there is no such rod.
size_t cdg_rod_node_capacity(const cdg_world *world, cdg_rod_id rod);
// Nodes: rest length from the rod's start, m. Elements: how often each was halved, 0 as defined. Both of any rod.
cdg_result cdg_rod_arc_lengths(const cdg_world *world, cdg_rod_id rod, double *out);
cdg_result cdg_rod_levels(const cdg_world *world, cdg_rod_id rod, uint8_t *out);

// The state where it lies, without a copy: component c of entry i is data[i * entry_stride + c * component_stride].
// Valid until the next call that is given the world and may change it.
typedef struct cdg_state_view {
    const double *data;
    size_t count, components;
    size_t entry_stride, component_stride; // in doubles
} cdg_state_view;

typedef enum cdg_state_kind {
    CDG_STATE_POSITIONS,          // m, nodes
    CDG_STATE_VELOCITIES,         // m/s, nodes
    CDG_STATE_FRAMES,             // w x y z, elements
    CDG_STATE_ANGULAR_VELOCITIES, // rad/s, elements, material frame
    CDG_STATE_KIND_COUNT
} cdg_state_kind;
// One of these of a rod, where it lies.
cdg_result cdg_rod_view(const cdg_world *world, cdg_rod_id rod, cdg_state_kind kind, cdg_state_view *out);

// Everything that is known along a rod, by the names of a run file ("positions", "moment", "curvature", ...): which
// fields there are, and one of them at all nodes or elements. `capacity` is the number of doubles that `out` has.
typedef struct cdg_field_shape {
    const char *name, *unit, *text;
    bool is_per_element; // else per node
    size_t components;
} cdg_field_shape;
size_t cdg_field_shape_count(void); // how many fields there are
// Name, unit and size of one of them.
cdg_result cdg_field_shape_at(size_t index, cdg_field_shape *out);
// Measures one at the world's time, all components of the first node or element first.
cdg_result cdg_rod_measure_field(cdg_world *world, cdg_rod_id rod, const char *name, double *out, size_t capacity);

// Replaces the state (e.g. a random pose); arrays may be NULL to keep what is there. Velocities become zero if NULL.
// Nodes that are joined to others take those along.
cdg_result cdg_rod_set_state(cdg_world *world, cdg_rod_id rod, const cdg_vec3 *positions, const cdg_quat *frames,
                             const cdg_vec3 *velocities, const cdg_vec3 *angular_velocities);

// ---- places ---------------------------------------------------------------------------------------------------------

// A place on an object: a point of its material, which moves with it. The object is the one of `rod`, `body` and
// `solid` that is not null; the kind says how the place on it is named. Functions refuse kinds that they cannot use.
typedef enum cdg_place_kind {
    CDG_PLACE_NODE,    // node `index` of a rod (start is node 0, end the last) or of a solid
    CDG_PLACE_ELEMENT, // the middle of element `index` of a rod
    CDG_PLACE_ALONG,   // on element `index` of a rod, `fraction` of its length from its first node
    CDG_PLACE_POINT,   // `point` of a body, in its own axes; of a solid, what was there when the solid was added
    CDG_PLACE_WHOLE    // the object as a whole
} cdg_place_kind;
typedef struct cdg_place {
    cdg_rod_id rod;
    cdg_place_kind kind;
    size_t index;
    cdg_body_id body;
    cdg_solid_id solid;
    double fraction; // 0 to 1
    cdg_vec3 point;  // m
} cdg_place;
// A node of a rod; a point of an element of it; a body or solid as a whole; a point of one; a node of a solid.
cdg_place cdg_rod_node(cdg_rod_id rod, size_t node);
cdg_place cdg_rod_along(cdg_rod_id rod, size_t element, double fraction);
cdg_place cdg_body_whole(cdg_body_id body);
cdg_place cdg_body_point(cdg_body_id body, cdg_vec3 point);
cdg_place cdg_solid_whole(cdg_solid_id solid);
cdg_place cdg_solid_point(cdg_solid_id solid, cdg_vec3 point);
cdg_place cdg_solid_node(cdg_solid_id solid, size_t node);

// ---- motion in time -------------------------------------------------------------------------------------------------

typedef enum cdg_ease { CDG_EASE_LINEAR, CDG_EASE_SMOOTH } cdg_ease; // smooth: zero speed at both ends

// One part of a prescribed motion, active from `from` to `to`, then kept. Parts act in the order given: moves add up,
// rotations turn about `center` (default: the supported point as moved so far), so tangent, frame and place follow.
typedef enum cdg_motion_kind { CDG_MOTION_MOVE, CDG_MOTION_ROTATE } cdg_motion_kind;
typedef struct cdg_motion {
    cdg_motion_kind kind;
    cdg_vec3 move; // m
    cdg_vec3 axis;
    double angle; // rad
    bool has_center;
    cdg_vec3 center;
    double from, to; // s
    cdg_ease ease;
} cdg_motion;
cdg_motion cdg_motion_default(void); // moves nowhere, from 0 to 1 s, at an even speed

// ---- supports -------------------------------------------------------------------------------------------------------

#define CDG_SUPPORT_LIST(X)                                                                                            \
    X(CDG_SUPPORT_CLAMP, "clamp")                                                                                      \
    X(CDG_SUPPORT_PIN, "pin")                                                                                          \
    X(CDG_SUPPORT_TWIST, "twist")                                                                                      \
    X(CDG_SUPPORT_SLIDE, "slide")

typedef enum cdg_support_kind {
#define CDG_SUPPORT_ENUM(name, key) name,
    CDG_SUPPORT_LIST(CDG_SUPPORT_ENUM)
#undef CDG_SUPPORT_ENUM
        CDG_SUPPORT_KIND_COUNT
} cdg_support_kind;

typedef struct cdg_support_def {
    cdg_support_kind kind;
    cdg_place place; // a node
    const cdg_motion *motions;
    size_t motion_count;
    double release; // s; the support ends then; 0 or less: never
    // slide: the node stays on the line through it along this direction, which moves and turns with the support
    cdg_vec3 along;
    bool holds_frame; // slide: and the section does not turn
} cdg_support_def;

cdg_support_def cdg_support_def_default(void); // a clamp of nothing yet, at rest, never released
// Holds a node of a rod from now on; motions are copied.
cdg_result cdg_world_add_support(cdg_world *world, const cdg_support_def *def, cdg_support_id *out);
// Force (N) and moment (N m) that the support exerts on the rod, world axes.
cdg_result cdg_support_reaction(const cdg_world *world, cdg_support_id support, cdg_vec3 *force, cdg_vec3 *moment);
// Drives a support by hand: in the next step its section goes straight to this position (m) and turns to this
// orientation, and stays there until told again. NULL keeps what is there. Takes the place of the support's motions.
cdg_result cdg_support_set_pose(cdg_world *world, cdg_support_id support, const cdg_vec3 *position,
                                const cdg_quat *frame);
// Where it holds its section at the world's time.
cdg_result cdg_support_get_pose(const cdg_world *world, cdg_support_id support, cdg_vec3 *position, cdg_quat *frame);
// Lets go of the rod from the next step on. The handle is stale from then on.
cdg_result cdg_world_remove_support(cdg_world *world, cdg_support_id support);

// ---- joints ---------------------------------------------------------------------------------------------------------

// Nodes of one or several rods that become one point: branches, nets, rings. All rods that are joined, directly or by
// others, must have the same model, one that supports joints.
typedef struct cdg_joint_def {
    const cdg_place *places; // nodes, at least two, that lie at one point
    size_t place_count;
    // Of bending and twisting between the segments that meet: a factor, 1 as within a rod, 0: they turn freely. The
    // shape at the time the joint is made is its rest shape.
    double stiffness;
    // In place of the factor, what the joint itself has: N m (per radian) about d1, d2 and d3 of the section of the
    // first place, 0: free, HUGE_VAL: rigid. The halves of the segments that meet bend as well.
    bool has_axes;
    double axes[3];
} cdg_joint_def;

cdg_joint_def cdg_joint_def_default(void); // stiffness 1
// Makes nodes one point from now on. Joints of the same nodes act side by side: what they have about axes adds up.
cdg_result cdg_world_add_joint(cdg_world *world, const cdg_joint_def *def, cdg_joint_id *out);
// The nodes are points of their own again from the next step on, where they are. Where contact is on, rods that lie in
// each other there are refused by that step: move them apart (cdg_rod_set_state). The handle is stale from then on.
cdg_result cdg_world_remove_joint(cdg_world *world, cdg_joint_id joint);

// ---- loads ----------------------------------------------------------------------------------------------------------

#define CDG_LOAD_LIST(X)                                                                                               \
    X(CDG_LOAD_FORCE, "force")                                                                                         \
    X(CDG_LOAD_MOMENT, "moment")                                                                                       \
    X(CDG_LOAD_LINE, "line")                                                                                           \
    X(CDG_LOAD_DRAG, "drag")                                                                                           \
    X(CDG_LOAD_WIND, "wind")                                                                                           \
    X(CDG_LOAD_LINE_MOMENT, "line_moment")

typedef enum cdg_load_kind {
#define CDG_LOAD_ENUM(name, key) name,
    CDG_LOAD_LIST(CDG_LOAD_ENUM)
#undef CDG_LOAD_ENUM
        CDG_LOAD_KIND_COUNT
} cdg_load_kind;

typedef struct cdg_keyframe {
    double time, factor;
} cdg_keyframe;

// Air that turns about a line: fastest, `speed`, at the distance `radius`, slower nearer and farther.
typedef struct cdg_vortex {
    cdg_vec3 center, axis; // m, a point of the line at time 0; its direction, about which air turns by the right hand
    cdg_vec3 velocity;     // m/s, with which the line moves
    double speed, radius;  // m/s, m; a negative speed turns the other way
} cdg_vortex;

typedef struct cdg_load_def {
    cdg_load_kind kind;
    cdg_place place;  // force and moment: node or element; others use place.rod (null rod: every rod)
    cdg_vec3 value;   // N, N m, N/m, N m/m; wind: air velocity m/s
    bool follows;     // value is in the material frame there and turns with the rod
    double drag_rate; // drag: 1/s; force = -rate * mass * velocity (relative to nothing): settles a scene
    double fluid_density,
        drag_coefficient;          // wind: force per length = 1/2 rho Cd (2 radius) |u_n| u_n, u_n normal to the rod
    double from, to;               // s, active interval; to <= from: for ever
    double ramp;                   // s, grows linearly from 0 over this time after `from`
    const cdg_keyframe *keyframes; // optional factor over time, linear between, constant outside
    size_t keyframe_count;
    const cdg_vortex *vortices; // wind: optional, in addition to `value`; the factor over time is theirs, too
    size_t vortex_count;
} cdg_load_def;

cdg_load_def cdg_load_def_default(void); // a force of nothing on nothing yet, for ever
// Loads a rod, or all of them, from now on; keyframes and vortices are copied.
cdg_result cdg_world_add_load(cdg_world *world, const cdg_load_def *def, cdg_load_id *out);
// Puts another definition in the place of a load's, on the same rod (or on all), from the next step on.
cdg_result cdg_load_change(cdg_world *world, cdg_load_id load, const cdg_load_def *def);
cdg_result cdg_world_remove_load(cdg_world *world, cdg_load_id load); // the handle is stale from then on
// Forces on the nodes of a rod (N) and torques on its elements (N m), world axes, that act in addition to all loads in
// every step until they are set again: a law of one's own, a hand that pulls. Arrays are copied; NULL: none.
cdg_result cdg_rod_set_forces(cdg_world *world, cdg_rod_id rod, const cdg_vec3 *forces, const cdg_vec3 *torques);
// From the next step on; what it does to the energy of height counts as work from outside.
cdg_result cdg_world_set_gravity(cdg_world *world, cdg_vec3 gravity);
// The shape that a rod would have without forces, from the next step on: muscles, growth, tendons, winches. What that
// does to the energy of strain counts as work from outside. Curvature about d1 and d2 and twist at each node, 1/m and
// rad/m, node_count entries (at an end: of the half cell there); NULL: straight.
cdg_result cdg_rod_set_rest_curvature(cdg_world *world, cdg_rod_id rod, const cdg_vec3 *curvatures);
cdg_result cdg_rod_rest_curvature(const cdg_world *world, cdg_rod_id rod, cdg_vec3 *out);
// All elements by the same factor, so that the whole rod is `length` (m) long at rest. Its mass stays, and so do rest
// curvatures. Not for rods that are joined.
cdg_result cdg_rod_set_rest_length(cdg_world *world, cdg_rod_id rod, double length);

// ---- stepping -------------------------------------------------------------------------------------------------------

typedef struct cdg_step_report {
    double time;    // s, reached
    double step;    // s
    int iterations; // most that any rod used
    // Worst rod's last correction, relative to its element length; with gauss_seidel also the strain by which
    // stretching and shearing were not met.
    double residual;
    cdg_rod_id worst_rod;
    int halvings;         // most times that any rod's model had to halve its step inside this one to find a solution
    int parts;            // most parts that any rod's model divided this step into, for accuracy or a solution; 0: none
    size_t contact_count; // with a force
    int contact_iterations; // sweeps over all contacts
    int contact_halvings;   // times that the step was halved: something would pass through, or a rod found no solution
    double deepest;         // deepest penetration, in radii
} cdg_step_report;

// One step. When it fails the world is still at its last good time and cdg_world_message says what happened where.
cdg_result cdg_world_step(cdg_world *world, cdg_step_report *report);
double cdg_world_time(const cdg_world *world);         // s since the start
uint64_t cdg_world_step_index(const cdg_world *world); // steps since the start
double cdg_world_step_size(const cdg_world *world);    // s; 0: automatic, and not decided yet
// s, of all steps from now on; positive.
cdg_result cdg_world_set_step_size(cdg_world *world, double step);

// Causes that limit a step or the length of elements: X(enumerator, name).
#define CDG_LIMIT_LIST(X)                                                                                              \
    X(CDG_LIMIT_NONE, "nothing")                                                                                       \
    X(CDG_LIMIT_STRETCH, "stretch")                                                                                    \
    X(CDG_LIMIT_SHEAR, "shear")                                                                                        \
    X(CDG_LIMIT_BEND, "bend")                                                                                          \
    X(CDG_LIMIT_TWIST, "twist")                                                                                        \
    X(CDG_LIMIT_CONTACT, "contact")                                                                                    \
    X(CDG_LIMIT_LOAD, "load")                                                                                          \
    X(CDG_LIMIT_MOTION, "motion")

typedef enum cdg_limit {
#define CDG_LIMIT_ENUM(name, key) name,
    CDG_LIMIT_LIST(CDG_LIMIT_ENUM)
#undef CDG_LIMIT_ENUM
        CDG_LIMIT_COUNT
} cdg_limit;

// The step that a world should take, and why: one sentence that names the rod and the mode that limits it, or the push,
// motion or contact that shorter steps resolve better. Joints count, so new ones are put together first (and again in
// the next step, which reports what is wrong with them).
typedef struct cdg_step_advice {
    double step;
    bool divides_longer; // the model divides longer steps by itself, which costs time but no accuracy
    char reason[256];
    cdg_limit limit; // what the step is chosen for
    cdg_rod_id rod;  // which has it
} cdg_step_advice;
// Advice for the world as it is now.
cdg_step_advice cdg_world_advice(cdg_world *world);

// ---- equilibria and vibrations --------------------------------------------------------------------------------------

enum { CDG_HISTORY_SIZE = 32 };

typedef struct cdg_equilibrium_report {
    int iterations;       // of Newton, all rods together
    double residual;      // N, largest unbalanced force
    double force;         // N, largest force in that rod: what the residual is to be compared with
    bool is_stable;       // every rod's lowest eigenvalue is not negative; moments that act on a rod have no say in it
    double lowest;        // rad^2/s^2: lowest eigenvalue of all rods, a squared frequency when positive; not a number:
                          // it was not found, and is_stable says nothing
    cdg_rod_id worst_rod; // with the largest residual against its force
    // The iteration of the last rod looked at: der: unbalanced forces, N; galpha: corrections, in element lengths and
    // radians. Iteration i at [i % CDG_HISTORY_SIZE].
    int history_count;
    double history[CDG_HISTORY_SIZE];
} cdg_equilibrium_report;

// Moves every rod to an equilibrium under supports and loads as they are at the world's time; motion ends. An unstable
// one is left for a stable one. Rods that nothing holds and something pulls have none. Only for models that can (der,
// galpha); on failure the rods are where the search ended, and cdg_world_message tells the history of the iteration.
// Equilibria know no contact: worlds with CDG_CONTACT_ON are refused, and by default equilibria in which things lie in
// each other or in obstacles (CDG_ERROR_UNSUPPORTED).
cdg_result cdg_world_find_equilibrium(cdg_world *world, cdg_equilibrium_report *report);
// Refuses, with the same sentence, what equilibria and paths of them would refuse before they begin: other models,
// joined rods, free bodies, contact.
cdg_result cdg_world_check_equilibrium(cdg_world *world);

// How an equilibrium is followed while time goes on, as a parameter of loads and supports alone.
#define CDG_PATH_LIST(X)                                                                                               \
    X(CDG_PATH_STABLE, "stable",                                                                                       \
      "stable equilibria at times that rise: the rod buckles, and snaps where a load has a "                           \
      "limit")                                                                                                         \
    X(CDG_PATH_ARC_LENGTH, "arc_length",                                                                               \
      "every equilibrium, also unstable ones, through limits of the load, where "                                      \
      "time turns back")

typedef enum cdg_path_kind {
#define CDG_PATH_ENUM(name, key, text) name,
    CDG_PATH_LIST(CDG_PATH_ENUM)
#undef CDG_PATH_ENUM
        CDG_PATH_KIND_COUNT
} cdg_path_kind;

typedef struct cdg_path_report {
    double time;      // s: of loads and supports
    int step_count;   // accepted steps
    int halvings;     // steps that were tried and divided
    int iterations;   // of Newton, over all steps
    int snap_count;   // stable: jumps to another equilibrium
    int turn_count;   // arc_length: limits of the load, where time turned
    int branch_count; // arc_length: branch points passed, where another path leads off
    double snap_time; // s: of the last jump or limit
    double earliest;  // s: arc_length: how far back the path went; before its beginning loads and motions are mirrored
    cdg_equilibrium_report equilibrium;
} cdg_path_report;

typedef struct cdg_path_def {
    cdg_path_kind kind;
    double end;     // s; the path begins at the world's time
    double step;    // s: longest step, and the first one; 0: a fiftieth of the way
    int step_limit; // accepted steps at most
    int turn_limit; // arc_length: the path ends after so many limits of the load; 0: at def->end only
    // Side forces, seeded, that let a perfect rod choose: their size as a share of bending stiffness over length
    // squared. 0: none
    double imperfection;
    uint64_t seed;
    // Called at the beginning and after every accepted step; false stops (CDG_ERROR_INTERRUPTED). May be NULL.
    bool (*on_step)(void *user, const cdg_path_report *report);
    void *user;
} cdg_path_def;

cdg_path_def cdg_path_def_default(void); // stable, to 1 s, steps of 0.02 s, at most 1000, perfect

// Finds the equilibrium at the world's time and follows it to def->end. Steps that fail are halved, and grow again. On
// failure the world is at the last good equilibrium, or at the first in which things lie in each other, and
// cdg_world_message says why.
cdg_result cdg_world_follow_path(cdg_world *world, const cdg_path_def *def, cdg_path_report *report);

// The lowest `count` vibrations of a rod about its state, which should be an equilibrium: frequencies, Hz, negative for
// motions that grow (their rate is 2 pi |frequency|, 1/s), and unless NULL the moves of nodes, count * node_count, with
// unit modal mass.
cdg_result cdg_rod_find_modes(cdg_world *world, cdg_rod_id rod, size_t count, double *frequencies, cdg_vec3 *shapes);

// The one list of energies: X(member, description).
#define CDG_ENERGY_LIST(X)                                                                                             \
    X(stretch, "stretching; of solids, all strain")                                                                    \
    X(shear, "shearing")                                                                                               \
    X(bend, "bending")                                                                                                 \
    X(twist, "twisting")                                                                                               \
    X(kinetic, "motion")                                                                                               \
    X(gravity, "height, against the origin")                                                                           \
    X(dissipated, "lost to damping and drag, and to the integrator")                                                   \
    X(adapted, "gained, or lost, where the resolution of rods has changed")                                            \
    X(total, "sum of all but the dissipated and the adapted")

typedef struct cdg_energy { // J
#define CDG_ENERGY_MEMBER(name, text) double name;
    CDG_ENERGY_LIST(CDG_ENERGY_MEMBER)
#undef CDG_ENERGY_MEMBER
} cdg_energy;
cdg_energy cdg_world_energy(const cdg_world *world); // of all rods, bodies and solids, at the world's time
// The energy guard's last look, which it takes now and then: energy that was neither there at the start nor put in by
// loads, supports, fixed bodies and moving obstacles, and the limit beyond which a step fails (CDG_ERROR_ENERGY).
typedef struct cdg_energy_balance { // J
    double unaccounted;             // since the moment when most had been lost; never negative
    double allowed;
    double worst;    // the largest share of what was allowed that was unaccounted for at any look; 1 and more: too much
    double strained; // the same of strain that sweeps (gauss_seidel) leave, beyond the energy available for it
    bool is_watched; // docs/energy-guard.md says which worlds are not
} cdg_energy_balance;
cdg_energy_balance cdg_world_energy_balance(const cdg_world *world);                // as the guard saw it last
cdg_result cdg_rod_energy(const cdg_world *world, cdg_rod_id rod, cdg_energy *out); // dissipated is 0 here

// Largest turn between neighbouring elements against the rest shape, rad, over all rods. Models that measure strain by
// its sine want more elements from about 0.4 rad on (3 % in the moment).
double cdg_world_largest_turn(const cdg_world *world);

// Momentum about the origin, world axes; angular momentum includes the frames' spin.
void cdg_world_momentum(const cdg_world *world, cdg_vec3 *linear, cdg_vec3 *angular);

// ---- probes ---------------------------------------------------------------------------------------------------------

// The one list of probes: X(enumerator, scene key, what it measures, columns as "suffix:unit" separated by spaces).
#define CDG_PROBE_LIST(X)                                                                                              \
    X(CDG_PROBE_POSITION, "position", "where a node, an element's middle, a body or a solid is", "x:m y:m z:m")        \
    X(CDG_PROBE_VELOCITY, "velocity", "how fast a node, an element's middle, a body or a solid moves",                 \
      "x:m/s y:m/s z:m/s")                                                                                             \
    X(CDG_PROBE_FRAME, "frame", "orientation of an element or a body as a quaternion", "w:1 x:1 y:1 z:1")              \
    X(CDG_PROBE_ANGULAR_VELOCITY, "angular_velocity", "how fast an element or a body turns, world axes",               \
      "x:rad/s y:rad/s z:rad/s")                                                                                       \
    X(CDG_PROBE_TENSION, "tension", "axial force in an element", ":N")                                                 \
    X(CDG_PROBE_FORCE, "section_force", "internal force in an element, world axes", "x:N y:N z:N")                     \
    X(CDG_PROBE_MOMENT, "moment", "internal moment at a node, material frame", "1:N*m 2:N*m 3:N*m")                    \
    X(CDG_PROBE_CURVATURE, "curvature", "curvature about d1 and d2 at a node", "1:1/m 2:1/m")                          \
    X(CDG_PROBE_TWIST, "twist", "twist rate at a node", ":rad/m")                                                      \
    X(CDG_PROBE_REACTION, "reaction",                                                                                  \
      "what the support at a node exerts on the rod, or all supports on a solid (force)",                              \
      "fx:N fy:N fz:N mx:N*m my:N*m mz:N*m")                                                                           \
    X(CDG_PROBE_ENERGY, "energy", "energies of a rod, a body or a solid, or of all with 'all'",                        \
      "stretch:J shear:J bend:J twist:J kinetic:J gravity:J total:J")                                                  \
    X(CDG_PROBE_LENGTH, "length", "current length of a rod's centreline", ":m")                                        \
    X(CDG_PROBE_LINKING, "linking number", "how often two closed rods wind around each other, signed", ":1")           \
    X(CDG_PROBE_KNOT, "knot", "determinant of a rod's knot: 1 none, 3 trefoil, 5 figure-eight; ends closed far away",  \
      ":1")                                                                                                            \
    X(CDG_PROBE_CONTACTS, "contacts",                                                                                  \
      "places where a rod, a solid, or anything with 'all', is touched; deepest of rods and solids, radii",            \
      "count:1 deepest:1")                                                                                             \
    X(CDG_PROBE_CONTACT_FORCE, "contact force", "what all contacts together exert on a rod or a solid", "x:N y:N z:N") \
    X(CDG_PROBE_WRITHE, "writhe", "how a rod winds: turns of its frames about it, of it about itself, and their sum",  \
      "twist:1 writhe:1 link:1")                                                                                       \
    X(CDG_PROBE_BEND_RADIUS, "bend radius", "smallest radius to which a rod is bent, and the node where", ":m node:1") \
    X(CDG_PROBE_VOLUME, "volume", "of a solid", ":m^3")                                                                \
    X(CDG_PROBE_STRESS, "stress", "von Mises stress at a place of a solid, or the largest in it", ":Pa")               \
    X(CDG_PROBE_TENSION_RANGE, "tension range",                                                                        \
      "least, largest and mean axial force along a rod, and the element of the largest",                               \
      "least:N most:N mean:N element:1")                                                                               \
    X(CDG_PROBE_MOMENT_RANGE, "moment range",                                                                          \
      "largest and mean moment along a rod, of bending and twist together, and the node of the largest",               \
      "most:N*m mean:N*m node:1")

typedef enum cdg_probe_kind {
#define CDG_PROBE_ENUM(name, key, text, columns) name,
    CDG_PROBE_LIST(CDG_PROBE_ENUM)
#undef CDG_PROBE_ENUM
        CDG_PROBE_KIND_COUNT
} cdg_probe_kind;

enum { CDG_PROBE_COLUMNS_MAX = 8 };

typedef struct cdg_probe {
    cdg_probe_kind kind;
    // On a rod: a node or an element. Energy, length, linking, knot, contacts, contact force, writhe, bend radius and
    // ranges read place.rod only; energy and contacts without any object are of all. Nodes and elements that these
    // report are the definition's: node 3.25 of a rod that adapts lies a quarter of the way from node 3 to node 4.
    // On a body: frame, angular velocity and energy, and position (of its own axes) and velocity (of its centre of
    // mass) of the whole; position and velocity of a point.
    // On a solid: position and velocity (of its centre of mass), energy, reaction (force alone), contacts, contact
    // force, volume and largest stress of the whole; position and velocity of a node; these and stress at a point.
    cdg_place place;
    cdg_rod_id other; // linking: the second rod
} cdg_probe;
cdg_probe cdg_probe_default(void); // of all energies

size_t cdg_probe_column_count(cdg_probe_kind kind); // how many numbers a probe gives
// "tip_x [m]" for probe "tip", kind position, column 0; always terminated; returns the length needed.
size_t cdg_probe_column_title(cdg_probe_kind kind, const char *probe_name, size_t column, char *out, size_t size);
// The numbers of a probe at the world's time, cdg_probe_column_count of them.
cdg_result cdg_world_measure(const cdg_world *world, const cdg_probe *probe, double out[CDG_PROBE_COLUMNS_MAX]);

// ---- snapshots: everything that decides the future, for a bit-identical continuation --------------------------------

size_t cdg_world_snapshot_size(const cdg_world *world); // doubles
// Writes the state, cdg_world_snapshot_size doubles; and goes back to it.
cdg_result cdg_world_snapshot_save(const cdg_world *world, double *out);
// Of this world, or of one that was made in the same way: other materials, sections or masses are refused.
cdg_result cdg_world_snapshot_load(cdg_world *world, const double *in);
// Whether it would be refused; changes nothing. Where cuts differ, that shows only when it is loaded.
cdg_result cdg_world_snapshot_check(cdg_world *world, const double *in);

// Bytes held for rods (constant, state and scratch).
size_t cdg_world_memory(const cdg_world *world);

#ifdef __cplusplus
}
#endif
#endif
