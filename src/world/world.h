// The world's inside: who owns what.
#ifndef CDG_WORLD_WORLD_H
#define CDG_WORLD_WORLD_H

#include "base/handles.h"
#include "base/name_table.h"
#include "bodies/body.h"
#include "bodies/collider.h"
#include "contact/contacts.h"
#include "contact/obstacle.h"
#include "fields/field.h"
#include "rods/net.h"
#include "rods/rod.h"
#include "rods/rod_model.h"
#include "world/object.h"
#include "world/step_clock.h"

#include <cordage/contact.h>
#include <cordage/grip.h>

#define CDG_NO_INDEX UINT32_MAX // end of a chain: with 10,000 rods, walking all supports for each would be quadratic

// rad, between neighbours against rest: beyond this they are far from rest.
#define CDG_WILD_TURN 1.5

typedef struct world_rod {
    cdg_rod *rod;                         // NULL: a free entry
    uint32_t name_hash;                   // of rod->name
    uint32_t first_support, last_support; // chain of this rod's supports through next_of_rod; CDG_NO_INDEX: none
    uint32_t first_load, last_load;       // chain of the loads on this rod alone
    double driven_time, driven_step;      // s: for which the rod's holds are, as supports were last driven
    bool is_in_net;                       // predicted with the rods it is joined to
    uint32_t team;                        // of that net
    bool has_wild_turns; // a state was set in which neighbours are far from rest: which turns they lose is nobody's
    bool has_weld;       // predicted with the bodies it is welded to
    bool has_tie;        // predicted with the solids it is tied to
    bool may_overlap;    // a weld or a tie was removed that held it in something, which it has not left yet
    double work;         // J, by loads and supports in the last step
    double work_doubt;   // J: how far that of its moving supports and of loads that jump may be off
    double energy;       // J, when the energy guard last looked
    double energy_next;  // J, of the candidate
    cdg_rod_step_result result;
    // cdg_rod_set_forces: of nodes, then torques of elements, and both as they were in the last step; NULL: none
    cdg_vec3 *own_forces;
    uint32_t grip_count; // hands that hold it
    uint32_t root;       // index of the rod that it was cut from, its own mostly, and
    size_t root_first;   // which of that one's elements is its first (cuts.h)
} world_rod;

typedef struct world_support {
    cdg_support_def def;    // motions is an own copy
    uint32_t rod_index;     // index in world->rods
    cdg_vec3 position;      // m, where the supported node was when the support was made
    cdg_quat frame;         // orientation of the section at that node then
    cdg_vec3 force, moment; // N, N m: reaction in the last step, world axes
    bool is_released;
    bool is_removed; // a free entry
    uint32_t next_of_rod;
    uint32_t before_at_node; // chain of the supports at one node, from its last to its first
    uint32_t hold;           // index in rod->holds; CDG_NO_INDEX: it does not act
    uint32_t weld1;          // index in world->welds + 1; 0: held by no body
    uint32_t tie1;           // index in world->ties + 1; 0: held by no solid
} world_support;

// What a weld exerts on its rod at the end of a step, and the rates by which that changes momentum and spin (f and y of
// math/rate_rule.h). The lever is the force's moment about the body's centre of mass. N, N m, world axes.
typedef struct world_weld_past {
    cdg_vec3 force, lever, moment;
    cdg_vec3 force_rate, lever_rate, moment_rate;
} world_weld_past;

typedef struct world_weld {
    cdg_weld_def def;
    uint32_t support; // index in world->supports
    uint32_t body;    // index in world->bodies
    cdg_vec3 arm;     // m, from the body's centre of mass to the node, own axes
    cdg_quat turn;    // from the body's axes to the section's frame
    // where the section is held: at the world's time, or in a trial of the step
    cdg_vec3 position;
    cdg_quat frame;
    bool has_velocity; // in a trial: m/s, of the section
    cdg_vec3 velocity;
    bool yields; // in a step of world_project.c: as cdg_hold has it
    symmetric3 yield;
    cdg_vec3 expected;
    bool is_old; // has a past
    world_weld_past past, next;
    uint32_t unit, slot; // in world->units
} world_weld;

// What is predicted at once and has welds: a rod or a net. Its stiffness says how reactions at its welds answer moves
// of them; it is learnt and kept from step to step, in the axes of the first weld's section.
typedef struct world_unit {
    uint32_t team;
    uint32_t *welds; // indices in world->welds
    size_t weld_count;
    double length;     // m, of a typical element
    double *stiffness; // (6 weld_count)^2: force (N), moment (N m) by move (m), turn (rad); rows first
    bool is_known;
    // of a trial, 6 weld_count each, in those axes
    double *pose, *reaction, *pose_before, *reaction_before;
    bool is_new;     // nothing was tried in this step yet
    bool has_failed; // its rods could not be predicted
    // How its rod yields to contact where bodies do (world_yield.c); no ways: contact does not ask.
    cdg_yield yield;
    uint32_t yield_rod; // index of the rod
    double *kept;       // the rod's candidate, before a weld was moved
} world_unit;

typedef struct world_load {
    cdg_load_def def; // keyframes and vortices are own copies (load.c)
    bool is_removed;  // a free entry
    uint32_t next;    // in its rod's chain, or in the chain of the loads that act on every rod
} world_load;

// What is predicted in one go: neighbours in world->rods whose rods are alike, one rod alone, or a net.
typedef struct world_team {
    uint32_t first, count; // indices of rods; a net's are in world->net_rods
    cdg_net *net;          // NULL: no net
    bool has_weld, has_tie;
} world_team;

// The energy guard (world_guard.c): what it has seen since the start. J.
typedef struct world_guard {
    double most_lost; // the most that had been lost to friction and damping at any time
    double lost;      // at the last look
    double scale;     // the largest energy of motion and strain
    double work;      // sum of all that was done from outside, whichever way
    double doubt;     // sum of how far that may be off
    double worst;     // the largest gain at any look, as a share of what was allowed then
    double adapted;   // what changes of resolution put in, as it counts energy
    // Of rods whose strain is not counted: the most that strain went beyond what energy there was, as a share of what
    // was allowed, when, and which of them had most
    double strained, strained_time, strained_rod;
    uint64_t wait;     // steps until the next look
    uint64_t patience; // what it was after the last one
    uint64_t streak;   // looks in a row at which there was too much
    uint64_t next_streak;
    bool has_looked; // at the candidate: then
    double next_lost, next_scale, next_share;
    double uncounted;     // J: strain of the candidate that is not counted
    double uncounted_rod; // index of the rod that has most of it
    bool is_calm;         // it gains nothing that is worth a closer look
    bool is_on;
    bool is_rough;      // strains of some rods are not counted
    bool is_new;        // nothing was looked at since the start
    bool is_strict;     // the step may be repeated in halves
    bool blames_bounce; // the candidate gains at once what it must not, and something bounces in it
    bool begins_anew;   // at the next look: since the last one things that lay in each other were pushed apart
} world_guard;

// A hand (grip.c).
typedef struct world_grip {
    cdg_grip_def def; // its target is where it is now
    bool is_of_body;
    bool is_holding;                        // one that comes by itself does only for a time
    bool was_holding;                       // what counts and masses are for
    size_t key;                             // the one that counts
    cdg_grip_key *own_keys;                 // copy; NULL: it is moved
    uint32_t object;                        // index of the rod or the body
    size_t element;                         // of the rod as it is divided; `def` has that of its definition
    size_t node[2];                         // of the rod
    double share[2];                        // of each
    double stiffness, damping, force_limit; // in force
    double mass;                            // kg, that it feels
    double rate;                            // 1/s, of the spring with that mass
    double step;                            // s, that the nodes' added masses are for; 0: none yet
    struct world_solid *solid;              // NULL: of a rod or a body (solid_grip.c)
    uint32_t *solid_nodes;                  // that it holds, and the share of each
    double *solid_shares;
    size_t solid_node_count;
    bool is_sampled;           // of a model that divides steps
    cdg_vec3 before, velocity; // of the place: at the last step, m, and the mean of late, m/s
    bool is_twisting;
    double twist, roll; // rad: wanted and reached
    cdg_quat frame;     // where roll was last counted
    // What it exerts on a rod or a solid at the end of the last step, N, and of the candidate (grip_work.c); the torque
    // in the same steps, N m.
    cdg_vec3 exerted, exerted_next;
    double torque, torque_next;
} world_grip;

// A support or an obstacle that is, or was, led (lead.c), and what it was before.
typedef struct world_led {
    bool is_obstacle;
    uint32_t index; // index of the support or the obstacle
    cdg_vec3 position;
    cdg_quat orientation;
    cdg_motion *motions; // own copy
    size_t motion_count;
} world_led;

typedef struct world_lead {
    uint32_t led;       // index in world->led
    cdg_grip_key *keys; // own copy
    size_t key_count;
    double to; // s
} world_lead;

typedef struct world_joint {
    cdg_net_member *members; // own copy; rods by their index in world->rods
    size_t count;
    double stiffness;
    bool has_axes;
    double axes[3];
} world_joint;

// A support or load of a solid, by its number among the solid's own.
struct world_solid_ref {
    uint32_t solid, number;
};

// Kinds of things that have handles. Rods, supports and loads keep their indices; others are closed up.
typedef enum world_kind {
    WORLD_RODS,
    WORLD_SUPPORTS,
    WORLD_LOADS,
    WORLD_JOINTS,
    WORLD_OBSTACLES,
    WORLD_BODIES,
    WORLD_WELDS,
    WORLD_SOLIDS,
    WORLD_SOLID_SUPPORTS,
    WORLD_SOLID_LOADS,
    WORLD_TIES,
    WORLD_GRIPS,
    WORLD_KIND_COUNT
} world_kind;

struct cdg_world {
    cdg_world_def def;
    double time; // s
    double step; // s; 0 until decided
    uint64_t step_index;
    cdg_handles handles[WORLD_KIND_COUNT];
    void *user_data; // of the whole world

    world_rod *rods;
    size_t rod_count, rod_capacity; // rod_count counts entries, free ones too
    cdg_name_table rod_names;
    world_support *supports;
    size_t support_count, support_capacity; // and so do these
    size_t motion_count;                    // of supports, obstacles and bodies
    world_load *loads;
    size_t load_count, load_capacity;
    uint32_t first_load_of_every, last_load_of_every; // chain of the loads that act on every rod
    cdg_obstacle *obstacles;
    size_t obstacle_count, obstacle_capacity;
    cdg_obstacle *body_shapes; // world_rigids.c: of bodies that rods touch
    size_t body_shape_count;
    uint32_t *body_passes; // rods that are welded to them, body by body
    cdg_contact_def contact_def;
    cdg_body *bodies;
    size_t body_count, body_capacity;
    world_weld *welds;
    size_t weld_count, weld_capacity;
    struct world_bodies *bodies_work; // world_bodies.c: memory of a step, units; NULL until prepared
    cdg_contacts contacts;
    bool *may_overlap; // rod_count: as the rods say, for the check of a start
    bool *touched;     // rod_count: contact acted on the rod in the last step
    double *snapshot;  // for steps that are repeated in halves
    size_t snapshot_capacity;
    cdg_contact_outcome contact_outcome; // of the last step
    bool never_bounces;                  // in the try under way, because bounces gave energy
    size_t failed_rod;                   // of the last step that failed; SIZE_MAX: not one alone

    // Work done on the rods by supports, loads and drag-free forces since the start, and the energy then: what is
    // missing was dissipated. J.
    double external_work, energy_at_start;
    double adapted; // and what changes of resolution gained or lost
    bool has_started;
    world_guard guard;
    cdg_step_clock clock; // where time went, since the world was made

    // Time is base_time + (step_index - base_index) * step: no rounding piles up over many steps.
    double base_time;
    uint64_t base_index;

    world_grip *grips;
    size_t grip_count, grip_capacity;
    world_led *led;
    size_t led_count;
    world_lead *leads;
    size_t lead_count;

    cdg_object *objects; // neither rods nor bodies
    size_t object_count, object_capacity;
    size_t failed_object;        // of the last step that failed; SIZE_MAX: none
    struct world_solid **solids; // of the objects: solid_object.h
    size_t solid_count;
    struct world_solid_ref *solid_supports, *solid_loads;
    size_t solid_support_count, solid_load_count;
    struct world_tie *ties; // tie.h
    size_t tie_count, tie_capacity;
    struct world_ties *ties_work; // tie_solve.c: memory of a step; NULL until prepared

    size_t adapting_count; // rods that do (world_adapt.c)

    struct world_cut *cuts; // that were made, in their order (cuts.h)
    size_t cut_count, cut_capacity;
    struct world_cut *plans; // cuts that are to come, and those of them that have
    size_t plan_count, plan_capacity;
    char **part_names; // that parts of rods have or will have
    size_t part_name_count;
    struct world_planned *planned; // changes that are to come, and have (planned.h); none: NULL
    size_t planned_count, in_force;
    size_t snapshot_room; // numbers that a snapshot takes at least, so that planned cuts do not change its size

    world_joint *joints;
    size_t joint_count, joint_capacity;
    // Nets that the joints make, and the indices of their rods, one net after the other (joint.c).
    cdg_net **nets;
    uint32_t *net_rods;
    size_t net_count;
    bool nets_are_old; // joints or rods were added

    // Rods in runs that are predicted together; made before the first step after rods or supports were added.
    world_team *teams;
    size_t team_count, team_capacity;

    int thread_count;
    void **scratch; // one block for each thread that finds a rod to work on
    int scratch_count;
    size_t scratch_size; // bytes of each; 0: to be sized at the next step

    cdg_error error;
};

// The index of what a handle of a kind names; SIZE_MAX when it is stale or null.
#define WORLD_INDEX(world, kind, id) cdg_handles_find(&(world)->handles[kind], (id).index1, (id).generation)
// NULL when the handle is stale or null.
cdg_rod *cdg_world_get_rod(const cdg_world *world, cdg_rod_id id);
cdg_rod_id cdg_world_rod_id(const cdg_world *world, size_t index); // null: nothing is at this index
cdg_body *cdg_world_get_body(const cdg_world *world, cdg_body_id id);
cdg_obstacle *cdg_world_get_obstacle(const cdg_world *world, cdg_obstacle_id id);
world_support *cdg_world_get_support(const cdg_world *world, cdg_support_id id); // not of a weld

// world.c: takes a rod that was built, and puts it into a free entry. The other way round: its entry is free, and it is
// the caller's.
cdg_result cdg_world_own_rod(cdg_world *world, cdg_rod *rod, uint32_t *index);
cdg_rod *cdg_world_disown_rod(cdg_world *world, uint32_t index);
// Room for supports and holds of a rod's nodes. False: no memory.
bool cdg_world_reserve_holds(cdg_rod *rod, size_t count);

// world_measure.c -----------------------------------------------------------------------------------------------------
// A field of a rod at all its nodes or elements, or at one of them, as it stands at the world's time.
cdg_result cdg_world_measure_field(const cdg_world *world, cdg_rod_id id, cdg_field field, double *out);
cdg_result cdg_world_measure_field_at(const cdg_world *world, cdg_rod_id id, cdg_field field, size_t index,
                                      double *out);
// All fields at once (cdg_field_measure_rod).
cdg_result cdg_world_measure_rod(const cdg_world *world, cdg_rod_id id, double *const out[CDG_FIELD_COUNT]);
// Where turns between neighbours make a model's moment wrong by most; *rod is left alone when none is wrong.
cdg_turn_error cdg_world_turn_error(const cdg_world *world, cdg_rod_id *rod);

// world_obstacle.c ----------------------------------------------------------------------------------------------------
void cdg_world_free_obstacles(cdg_world *world);
// world.c -------------------------------------------------------------------------------------------------------------
// What is allowed but will disappoint at steps of `step` seconds: the first rod's sentence (text holds 256 characters).
bool cdg_world_doubts(const cdg_world *world, double step, char *text);
// The energy, and whether it is a number; else CDG_ERROR_NOT_FINITE, and the message names the rod and its fastest
// node.
cdg_result cdg_world_check_energy(cdg_world *world, cdg_energy *energy);

// world_times.c -------------------------------------------------------------------------------------------------------
enum { CDG_EVENT_STEPS = 4 }; // that show how a push or a motion goes
// The shortest pulse of a load or prescribed motion.
typedef struct cdg_event {
    double lasts; // s; infinite: there is none
    cdg_limit limit;
    size_t rod;       // index; SIZE_MAX: of no rod alone
    const char *name; // of the rod, obstacle or body
} cdg_event;
cdg_event cdg_world_shortest_event(const cdg_world *world);
// That one is shorter than a step (text holds 256 characters).
bool cdg_world_doubts_times(const cdg_world *world, double step, char *text);

// world_advice.c ------------------------------------------------------------------------------------------------------
// Advice for a run of `duration` seconds, which bounds how fast things fall.
cdg_step_advice cdg_world_advise(cdg_world *world, double duration);
// In which the fastest thing moves by the radius of the thinnest rod.
typedef struct cdg_contact_time {
    double fastest; // m/s; 0: nothing moves, or there is no contact
    double time;    // s
    size_t rod;     // index; SIZE_MAX: none
} cdg_contact_time;
cdg_contact_time cdg_world_contact_time(const cdg_world *world, double duration);

// What is wrong with a load's definition, in world->error.
cdg_result cdg_world_check_load(cdg_world *world, const cdg_load_def *def);

// world_change.c ------------------------------------------------------------------------------------------------------
// The motions, two of them, that take something from `now` to `target` between two times.
void cdg_motion_aim(cdg_pose now, cdg_pose target, double from, double to, cdg_motion out[2]);

// lead.c --------------------------------------------------------------------------------------------------------------
void cdg_leads_prepare(cdg_world *world);                              // before a step: what is led is told where to go
bool cdg_leads_move(const cdg_world *world, double time, double step); // whether it moves in the step that ends then
void cdg_leads_free(cdg_world *world);
void cdg_leads_leave_support(cdg_world *world, uint32_t index);  // it is removed
void cdg_leads_leave_obstacle(cdg_world *world, uint32_t index); // and later ones are closed up
// From now on the thing's pose is part of snapshots, and those that were taken before take it back to what it is now.
cdg_result cdg_led_note(cdg_world *world, bool is_obstacle, uint32_t index);
// For snapshot.c: the pose and motion of a led thing as numbers; `is_led` false: those that it had before.
enum { CDG_LED_NUMBERS = 7 + 9 };
bool cdg_led_get(const cdg_world *world, size_t led, double out[CDG_LED_NUMBERS]); // false: as it was before
void cdg_led_set(cdg_world *world, size_t led, bool is_led, const double in[CDG_LED_NUMBERS]);

// grip.c --------------------------------------------------------------------------------------------------------------
void cdg_grips_prepare(cdg_world *world); // those that come and go by themselves, and the masses for this step
void cdg_grips_restore(cdg_world *world); // the same after a snapshot was loaded, but for the books
void cdg_grips_free(cdg_world *world);
void cdg_grips_apply(const cdg_world *world, uint32_t rod_index, double step, const cdg_rod_loads *out); // adds forces
void cdg_grips_push_body(const cdg_world *world, size_t index, double step, cdg_vec3 *impulse, cdg_vec3 *turn); // adds
double cdg_grips_work_on_bodies(const cdg_world *world, double step); // J, of the candidates
void cdg_grips_commit(cdg_world *world, double step);
double cdg_grip_added_mass(const world_grip *grip); // kg, of all that it holds together
double cdg_grip_twist_torque(const cdg_rod *rod, const world_grip *grip, double step); // N m
void cdg_grips_leave_rod(cdg_world *world, uint32_t rod_index);                        // it is removed
void cdg_grips_leave_body(cdg_world *world, uint32_t index);                           // and later ones are closed up
void cdg_grips_leave_solid(cdg_world *world, const struct world_solid *solid);
cdg_vec3 cdg_grip_spring(const world_grip *grip, cdg_vec3 position); // N, no more than its limit
// Before a rod is cut or made whole: the masses of its hands go, until the next step brings them. After it, with
// objects and elements put right: what hands feel may be another mass.
void cdg_grips_shed(cdg_world *world, uint32_t rod_index);
void cdg_grip_find_place(const cdg_world *world, world_grip *grip); // of a rod, when that is divided otherwise
cdg_result cdg_grips_feel(cdg_world *world);

// grip_work.c ---------------------------------------------------------------------------------------------------------
// What hands do in the step beyond what the loads of rods and solids were booked with, J, of the candidates. Adds to
// the books of each; the second returns its sum.
void cdg_grips_book_rods(cdg_world *world, double step);
double cdg_grips_book_solids(cdg_world *world, double step);
// What a hand that takes hold, or whose rod was cut, begins with.
void cdg_grip_begin_books(const cdg_world *world, world_grip *grip);

// world_body.c --------------------------------------------------------------------------------------------------------
void cdg_world_free_bodies(cdg_world *world);
// cdg_body_build of a definition as it was given: a mesh is made one of whole corners, closed and turned outward first.
cdg_result cdg_body_build_clean(const cdg_body_def *def, const char *name, cdg_body *out, cdg_error *to);
// Pose of a fixed body at `time`.
cdg_body_now cdg_body_prescribed(const cdg_body *body, double time);
void cdg_bodies_measure_energy(const cdg_world *world, cdg_energy *sum);                       // adds
void cdg_bodies_measure_momentum(const cdg_world *world, cdg_vec3 *linear, cdg_vec3 *angular); // adds

// world_yield.c: a rod's candidate, 3 node_count + 4 element_count numbers; and the way from there to the candidate now
// for each unit of `size`: moves of nodes, then turns of elements, 3 node_count + element_count numbers
void cdg_ways_keep(const cdg_rod *rod, double *kept);
void cdg_ways_record(const cdg_rod *rod, double *kept, double size, double *way);

// world_weld.c --------------------------------------------------------------------------------------------------------
// Holds the weld's section to a body in this pose.
bool cdg_weld_yields(const cdg_rod *rod); // whether it is welded to free bodies by world_project.c
void cdg_weld_follow(world_weld *weld, const cdg_body_now *now);
// All welds to where their bodies are at the world's time.
void cdg_welds_follow(cdg_world *world);
void cdg_welds_settle(cdg_world *world); // after a step
bool cdg_welds_hold_node(const cdg_world *world, cdg_rod_id rod, size_t node);
// The unit of rods that a weld belongs to, as the lowest index of a rod in it.
uint32_t cdg_weld_unit_rod(const cdg_world *world, const world_weld *weld);

// world_bodies.c ------------------------------------------------------------------------------------------------------
// Memory for a step of bodies and welds, and the units; when something was added since the last time. Nets are formed.
cdg_result cdg_bodies_prepare(cdg_world *world);
void cdg_bodies_forget(cdg_world *world); // what prepare made
size_t cdg_bodies_unit_count(const cdg_world *world);
world_unit *cdg_bodies_unit(const cdg_world *world, size_t index);
void cdg_bodies_find_teams(cdg_world *world); // after prepare, when teams were formed anew
// The step of all bodies, with the teams that are welded to them.
struct cdg_step_context;
cdg_result cdg_bodies_predict(struct cdg_step_context *context);
// The same again, from where it ended, with other loads on the rods.
cdg_result cdg_bodies_predict_again(cdg_world *world);
// Whether the prediction under way is the last one of a rod with welds, so that its response is worth keeping.
bool cdg_bodies_keep_response(const cdg_world *world);
// J, that fixed bodies do on rods in the step under way.
double cdg_bodies_work(cdg_world *world);
// Where a body is at the end of the step under way.
const cdg_body_now *cdg_bodies_candidate(const cdg_world *world, size_t index);
// Kinetic energy, and that of height, at the end of the step under way; adds.
void cdg_bodies_measure_candidate(const cdg_world *world, double *kinetic, double *gravity);
void cdg_bodies_commit(cdg_world *world); // accepts it

// world_yield.c -------------------------------------------------------------------------------------------------------
// Memory, and which rods contact is to treat so; after bodies and contact were prepared.
cdg_result cdg_yield_prepare(cdg_world *world);
void cdg_yield_free(world_unit *unit);

// world_rigids.c ------------------------------------------------------------------------------------------------------
cdg_result cdg_rigids_prepare(cdg_world *world); // shapes, before contacts are built
void cdg_rigids_describe(cdg_world *world);      // bodies, after that
void cdg_rigids_free(cdg_world *world);
void cdg_rigids_set_friction(cdg_world *world, size_t body); // the body's, into its shape
void cdg_rigids_predicted(cdg_world *world);          // tells contact where bodies come to without rods that touch them
void cdg_rigids_predict_touched(cdg_world *world);    // and where once a force acts on them
void cdg_rigids_store(cdg_world *world, double step); // what contact made of it becomes the bodies' trials
// Bodies with welds: contact forces become impulses of their step, and rods of those that contact asks about are to
// tell how they answer; and, once rods and bodies agree, how the bodies do.
void cdg_rigids_push(cdg_world *world);
void cdg_rigids_respond(cdg_world *world);

// snapshot.c: keeps the state, after cdg_world_ensure_scratch, in world->snapshot, to be loaded if a step fails
void cdg_world_keep_state(cdg_world *world);
// Like cdg_world_snapshot_load, also from a world that is like this one but for materials and sections.
cdg_result cdg_world_take_state_over(cdg_world *world, const double *in);
double cdg_world_fingerprint(const cdg_world *world); // fingerprint.c: of materials, sections and masses; never 0

// world_adapt.c -------------------------------------------------------------------------------------------------------
void cdg_adapt_begin(cdg_world *world); // before a step: rods that are new become as coarse as they may
// Between steps: rods that adapt change their resolution where there is reason to. `step`: that was taken.
void cdg_adapt_rods(cdg_world *world, double step);
void cdg_adapt_restore(cdg_world *world); // after resolutions were read from a snapshot

// world_guard.c -------------------------------------------------------------------------------------------------------
void cdg_guard_start(cdg_world *world); // when the books are opened
void cdg_guard_follow(
    cdg_world *world); // a state was loaded: energies of bodies and objects are now those that they have
// What is done on rods and bodies from outside in a step, J.
double cdg_guard_add_work(cdg_world *world, double time, double step);
// Between contact and commit: fails when the step that ends at `time`, with this work from outside, would gain energy
// that nobody puts in (CDG_ERROR_ENERGY).
cdg_result cdg_guard_judge(cdg_world *world, double time, double step, double work);
void cdg_guard_commit(cdg_world *world, double work);  // the step is accepted
void cdg_guard_look_next(cdg_world *world);            // at the coming step, whatever it waits for
uint64_t cdg_guard_patience(const cdg_world *world);   // steps before it looks again
void cdg_guard_skip(cdg_world *world, uint64_t steps); // that many of them were taken

// Whether things touch in this world, by default or because somebody said so.
static inline bool world_has_contact(const cdg_world *world) { return world->contact_def.choice != CDG_CONTACT_OFF; }

// rod_snapshot.c ------------------------------------------------------------------------------------------------------
void cdg_rods_snapshot(cdg_world *world, struct cdg_tape *tape); // and their supports

// objects.c: whether an object may have this name. `kind`: "a body"; is_taken: another of its kind has it.
cdg_result cdg_world_check_name(cdg_world *world, const char *kind, const char *name, bool is_taken);

// step_teams.c --------------------------------------------------------------------------------------------------------
// After something was added, removed or changed that may touch: memory is sized at the next step, which looks whether
// things lie in each other. What only needs more room, as grips do, sets scratch_size alone: a step may leave rods a
// little deeper in each other than a start may have them.
static inline void world_renew(cdg_world *world) {
    world->scratch_size = 0;
    world->contacts.is_known_free = false;
}
cdg_result cdg_world_ensure_scratch(cdg_world *world); // all that a step needs, after anything was added

// step_motion.c -------------------------------------------------------------------------------------------------------
// Whether the step that ends at `time` is short enough for prescribed motions and for bodies that fly at things.
bool cdg_step_resolves_motion(const cdg_world *world, double time, double step);

// world_contact.c -----------------------------------------------------------------------------------------------------
cdg_result cdg_world_prepare_contact(cdg_world *world); // after rods, joints or supports were added
void cdg_world_free_contact(cdg_world *world);
void cdg_contact_mark_welds(const cdg_world *world); // after elements were numbered
// What contact must have reached for a step to be taken: nothing passes through anything, and else, from the least,
// nothing free is crushed; nothing free is pressed in by more than a fiftieth of its radius; nothing lies deeper than
// is promised, or bounces that came from too far.
typedef enum cdg_step_demand { CDG_DEMAND_NOT_CRUSHED, CDG_DEMAND_NOT_SUNK, CDG_DEMAND_PROMISED } cdg_step_demand;

// A step's contact, in order: before predict; once all is predicted; each time that what contacts.again lists was
// predicted again; at last. CDG_ERROR_NO_CONVERGENCE: it is not as demanded; a shorter step may help.
void cdg_world_begin_contact(cdg_world *world, double time, double step);
cdg_result cdg_world_open_contact(cdg_world *world, double time, double step);
cdg_result cdg_world_continue_contact(cdg_world *world, double time, double step);
cdg_result cdg_world_close_contact(cdg_world *world, double time, double step, cdg_step_demand demand);
// Whether contact forces are among the loads of a rod, and adding them.
bool cdg_world_loads_contact(const cdg_world *world, size_t rod_index);
// ... and answers forces as a whole.
bool cdg_world_couples_contact(const cdg_world *world, size_t rod_index);
// In how many parts a step is to be taken, for the rods that were touched in the last one.
double cdg_world_contact_parts(const cdg_world *world, double step);
void cdg_world_add_contact_loads(const cdg_world *world, size_t rod_index, const cdg_rod_loads *loads);
// J, what these loads did over the step: that is no work from outside.
double cdg_world_contact_work(const cdg_world *world, size_t rod_index);
// J, that obstacles and fixed bodies which move do on rods in the step under way.
double cdg_world_obstacle_work(const cdg_world *world, double time, double step);
void cdg_world_keep_contact(cdg_world *world); // after commit

// support.c -----------------------------------------------------------------------------------------------------------
// Position and frame that the support prescribes at `time`.
void cdg_support_pose(const world_support *support, double time, cdg_vec3 *position, cdg_quat *frame);
// How far a support turns between two times, rad, whole turns counted, whichever way.
double cdg_support_turn(const world_support *support, double from, double to);
// Rewrites rod->holds for the step that ends at `time` (all supports of this rod). Several supports on one node combine
// (pin + twist); the later wins where they contradict. Must not allocate: capacity was reserved by add_support.
void cdg_supports_drive(const cdg_world *world, uint32_t rod_index, double time);
// Adds the hold of the rod's newest support to them, at the world's time.
void cdg_supports_drive_last(const cdg_world *world, uint32_t rod_index);
// Between predict and commit: the work, J, that the supports do over the step from `time - step` to `time` (force .
// displacement + moment . rotation of the prescribed motion); by how much that may be off is added to `doubt`.
double cdg_supports_work(const cdg_world *world, uint32_t rod_index, double time, double step, double *doubt);
// After commit: copies the holds' reactions back to the supports.
void cdg_supports_collect(cdg_world *world, uint32_t rod_index, double time);
void cdg_supports_remove(cdg_world *world, uint32_t index); // and frees its entry; the rod's holds are driven anew
void cdg_supports_leave_rod(cdg_world *world, uint32_t rod_index); // all of a rod that is removed

// joint.c -------------------------------------------------------------------------------------------------------------
cdg_result cdg_joints_form_nets(cdg_world *world); // when nets_are_old; message in world->error
void cdg_joints_renumber(cdg_world *world);        // after rods have changed their resolution
void cdg_joints_free(cdg_world *world);
void cdg_joints_forget(cdg_world *world, size_t count); // all but the first `count`
bool cdg_joints_hold_rod(const cdg_world *world, uint32_t rod_index);
// After a rod was given a new state: what it shares with others is theirs, too, and their history is void.
void cdg_joints_follow(const cdg_world *world, const cdg_rod *rod);
double cdg_joints_energy(const cdg_world *world, bool of_candidate); // J, of the pairs of segments at joints

// load.c --------------------------------------------------------------------------------------------------------------
bool cdg_load_acts_at_place(cdg_load_kind kind);         // at a node or an element; else on whole rods
bool cdg_load_may_follow(cdg_load_kind kind);            // turns with the section that it acts on
void cdg_loads_remove(cdg_world *world, uint32_t index); // and frees its entry
void cdg_loads_leave_rod(cdg_world *world, uint32_t rod_index);
// Arrays of its own in the place of those that a definition points to; false: no memory, and nothing is copied.
bool cdg_load_own_arrays(cdg_load_def *def);
void cdg_load_free_arrays(cdg_load_def *def);
// Factor in time: interval, ramp, keyframes.
double cdg_load_factor(const cdg_load_def *load, double time);
double cdg_load_mean_factor(const cdg_load_def *load, double from, double to); // its mean, to rounding
bool cdg_loads_are_weight_only(const cdg_world *world, uint32_t rod_index);    // nothing but gravity acts on this rod
// Adds gravity and every load on this rod, its mean over the step that ends at `time` (a step of 0: its value then)
// with the rod's current state, to force and torque (which it first sets to zero), and sets rod->drag_rate (sum of
// the drag loads).
void cdg_loads_keep(const cdg_world *world, uint32_t rod_index); // after commit
void cdg_loads_apply(const cdg_world *world, uint32_t rod_index, double time, double step, const cdg_rod_loads *out);
// After predict: the same without looking ahead for integrators that remember, which is what does work; false: there is
// no difference, and nothing is done.
bool cdg_loads_apply_means(const cdg_world *world, uint32_t rod_index, double time, double step,
                           const cdg_rod_loads *out);
// Work done over the step by all loads except gravity and drag: sum of force . (x_next - x) and torque . rotation, J;
// called between predict and commit with the arrays that cdg_loads_apply filled.
double cdg_loads_work(const cdg_world *world, uint32_t rod_index, double step, const cdg_rod_loads *loads);
cdg_vec3 cdg_loads_turn(const cdg_rod *rod, size_t element, double step); // rad, of a frame in it, material axes

#endif
