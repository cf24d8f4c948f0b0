// The world's inside: who owns what.
#ifndef CDG_WORLD_WORLD_H
#define CDG_WORLD_WORLD_H

#include "rods/net.h"
#include "rods/rod.h"
#include "rods/rod_model.h"

#define CDG_NO_INDEX UINT32_MAX // end of a chain: with 10,000 rods, walking all supports for each would be quadratic

typedef struct world_rod {
    cdg_rod *rod; // NULL: free place
    uint32_t generation;
    uint32_t name_hash;     // of rod->name: finding a name among 100,000 rods compares numbers, not strings
    uint32_t first_support; // chain of this rod's supports through next_of_rod; CDG_NO_INDEX: none
    uint32_t first_load;    // chain of the loads on this rod alone
    bool is_in_net;         // predicted with the rods it is joined to
    double work;            // J, by loads and supports in the last step
    cdg_rod_step_result result;
} world_rod;

typedef struct world_support {
    cdg_support_def def;    // motions is an own copy
    uint32_t rod_index;     // place in world->rods
    cdg_vec3 position;      // m, where the supported node was when the support was made
    cdg_quat frame;         // orientation of the section at that node then
    cdg_vec3 force, moment; // N, N m: reaction in the last step, world axes
    bool is_released;
    uint32_t next_of_rod;
} world_support;

typedef struct world_load {
    cdg_load_def def; // keyframes is an own copy
    uint32_t next;    // in its rod's chain, or in the chain of the loads that act on every rod
} world_load;

// What is predicted in one go: neighbouring places in world->rods whose rods are alike, one rod alone, or a net.
typedef struct world_team {
    uint32_t first, count; // places of rods; a net's are in world->net_rods
    cdg_net *net;          // NULL: no net
} world_team;

typedef struct world_joint {
    cdg_net_member *members; // own copy; rods by their place in world->rods
    size_t count;
    double stiffness;
} world_joint;

struct cdg_world {
    cdg_world_def def;
    double time; // s
    double step; // s; 0 until decided
    uint64_t step_index;

    world_rod *rods;
    size_t rod_count, rod_capacity; // rod_count counts places, free ones too
    size_t removed_count;           // free places
    world_support *supports;
    size_t support_count, support_capacity;
    world_load *loads;
    size_t load_count, load_capacity;
    uint32_t first_load_of_every; // chain of the loads that act on every rod

    // Work done on the rods by supports, loads and drag-free forces since the start, and the energy then: what is
    // missing was dissipated. J.
    double external_work, energy_at_start;
    bool has_started;

    // Time is base_time + (step_index - base_index) * step: no rounding piles up over many steps.
    double base_time;
    uint64_t base_index;

    world_joint *joints;
    size_t joint_count, joint_capacity;
    // Nets that the joints make, and the places of their rods, one net after the other (joint.c).
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

// NULL when the handle is stale or null.
cdg_rod *cdg_world_get_rod(const cdg_world *world, cdg_rod_id id);

// support.c -----------------------------------------------------------------------------------------------------------
// Place and frame that the support prescribes at `time`.
void cdg_support_pose(const world_support *support, double time, cdg_vec3 *position, cdg_quat *frame);
// Rewrites rod->holds for the step that ends at `time` (all supports of this rod). Several supports on one node combine
// (pin + twist); the later wins where they contradict. Must not allocate: capacity was reserved by add_support.
void cdg_supports_drive(const cdg_world *world, uint32_t rod_index, double time);
// After commit: copies the holds' reactions back to the supports and returns the work the supports did, J, over the
// step from `time - step` to `time` (force . displacement + moment . rotation of the prescribed motion).
double cdg_supports_collect(cdg_world *world, uint32_t rod_index, double time, double step);

// joint.c -------------------------------------------------------------------------------------------------------------
cdg_result cdg_joints_form_nets(cdg_world *world); // when nets_are_old; message in world->error
void cdg_joints_free(cdg_world *world);
void cdg_joints_forget(cdg_world *world, size_t count); // all but the first `count`
bool cdg_joints_hold_rod(const cdg_world *world, uint32_t rod_index);
// After a rod was given a new state: what it shares with others is theirs, too, and their history is void.
void cdg_joints_follow(const cdg_world *world, const cdg_rod *rod);
double cdg_joints_energy(const cdg_world *world); // J, of the pairs of segments at joints

// load.c --------------------------------------------------------------------------------------------------------------
// Factor in time: interval, ramp, keyframes.
double cdg_load_factor(const cdg_load_def *load, double time);
bool cdg_loads_are_weight_only(const cdg_world *world, uint32_t rod_index); // nothing but gravity acts on this rod
// Adds gravity and every load on this rod, evaluated at `time` with the rod's current state, to force and torque (which
// it first sets to zero), and sets rod->drag_rate (sum of the drag loads).
void cdg_loads_apply(const cdg_world *world, uint32_t rod_index, double time, double step, const cdg_rod_loads *out);
// Work done over the step by all loads except gravity and drag: sum of force . (x_next - x) and torque . rotation, J;
// called between predict and commit with the arrays that cdg_loads_apply filled.
double cdg_loads_work(const cdg_world *world, uint32_t rod_index, const cdg_rod_loads *loads);

#endif
