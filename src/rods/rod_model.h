// The table of operations that every rod model offers. No other place switches over model names.
#ifndef CDG_RODS_ROD_MODEL_H
#define CDG_RODS_ROD_MODEL_H

#include "rods/net.h"
#include "rods/rod.h"

// What the world hands to predict: external loads of the coming step, in scratch memory.
typedef struct cdg_rod_loads {
    double *force[3];    // N, world axes, node_count
    double *torque[3];   // N m, material frame, element_count
    cdg_vec3 gravity;    // m/s^2, contained in force
    bool is_weight_only; // gravity is all there is, and there are no arrays; only for models that take this
} cdg_rod_loads;

static inline cdg_vec3 rod_load_force(const cdg_rod *rod, const cdg_rod_loads *loads, size_t node) {
    double mass = rod->node_mass[node];
    cdg_vec3 g = loads->gravity;
    return loads->is_weight_only ? (cdg_vec3){mass * g.x, mass * g.y, mass * g.z} : rod_vec3(loads->force, node);
}

typedef struct cdg_rod_step_result {
    int iterations;
    double residual; // last correction relative to the element length
    int halvings;    // times that the model had to halve its internal step
} cdg_rod_step_result;

typedef void cdg_rod_reload(void *user, const cdg_rod *rod, const cdg_rod_loads *loads);

typedef struct cdg_rod_equilibrium {
    int iterations;
    double residual, force; // N
    bool is_stable;
    double lowest; // rad^2/s^2
} cdg_rod_equilibrium;

enum { CDG_TEAM_MAX = 8 }; // rods that any model takes at once

struct cdg_rod_model {
    const char *name;
    bool supports_closed, supports_anisotropic, supports_varying_section, supports_frame_clamp;
    bool takes_weight_only;   // predict copes with loads that are weight only: arrays need not be filled, nor have room
    bool takes_one_turn;      // reads rest turns by rod_rest_turn only, so that a straight rod needs no array of them
    bool has_consistent_mass; // cdg_rod
    bool counts_turns;        // keeps rest_curl, twist and twist_next of the rod

    // Refuses what the model cannot do, before anything is built.
    cdg_result (*check)(const cdg_rod_def *def, cdg_error *error);
    // Whether the model keeps the state of the step before (x_before ...).
    bool (*needs_history)(const cdg_rod_def *def);
    // Whether bending and twist are measured by angle (cdg_rod); NULL: never.
    bool (*measures_angle)(const cdg_rod_def *def);
    // Bytes of scratch for one step of this rod; handed in 64-byte aligned.
    size_t (*scratch_size)(const cdg_rod *rod);
    // Computes the candidate x_next, v_next, q_next, w_next at time + step from state, loads and holds, and what the
    // holds exert. Leaves the state alone.
    cdg_result (*predict)(cdg_rod *rod, double step, const cdg_rod_loads *loads, void *scratch,
                          cdg_rod_step_result *result, cdg_error *error);
    // Accepts the candidate: it becomes the state, and the state becomes history.
    void (*commit)(cdg_rod *rod, double step);
    // Step that is accurate and stable, with one sentence why (reason holds 256 characters).
    double (*advise_step)(const cdg_rod *rod, char *reason);

    // Many short rods are faster in teams. All NULL: the model has none.
    size_t (*team_size)(void);                            // most rods in one
    bool (*is_alike)(const cdg_rod *a, const cdg_rod *b); // may be in one team
    size_t (*team_scratch_size)(const cdg_rod *rod);      // bytes, for a team of rods like this one
    // As predict for each rod; loads and results have `count` entries; next_rods are
    // those that follow, to be fetched into the caches meanwhile. False: these rods must be done one by one in
    // this step, from the same state.
    bool (*predict_team)(cdg_rod *const *rods, size_t count, double step, const cdg_rod_loads *loads,
                         cdg_rod *const *next_rods, size_t next_count, void *scratch, cdg_rod_step_result *results);
    // The rest may be NULL.
    // Moves the rod's state to an equilibrium under holds and loads; `reload` sets loads anew for a state. And the
    // lowest eigenvalues of stiffness against mass about the state, with the moves of nodes (may be NULL).
    cdg_result (*find_equilibrium)(cdg_rod *rod, const cdg_rod_loads *loads, cdg_rod_reload *reload, void *user,
                                   cdg_rod_equilibrium *out, cdg_error *error);
    cdg_result (*find_modes)(cdg_rod *rod, const cdg_rod_loads *loads, size_t count, double *eigenvalues,
                             cdg_vec3 *shapes, cdg_error *error);
    // Doubles of state and of constants that the model keeps for itself (rod->own, rod->own_constant), known before
    // anything but counts and options is set.
    size_t (*own_count)(const cdg_rod *rod);
    size_t (*own_constant_count)(const cdg_rod *rod);
    // Refuses a support that the model cannot hold, before it is added.
    cdg_result (*check_support)(const cdg_rod *rod, const cdg_support_def *def, cdg_error *error);
    // Called when the rod is built: makes its constants those that the model works with (effective inertia, ...).
    void (*prepare)(cdg_rod *rod);
    // Roughly how long a step of `step` seconds takes, s; NULL: long enough to be worth another thread.
    double (*step_cost)(const cdg_rod *rod, double step);
    // Stretching and shearing of an element; NULL: those of a Cosserat rod (rod_measure.c).
    void (*measure_element)(const cdg_rod *rod, size_t element, cdg_element_measure *out);
    // Joined rods (net.h). NULL: the model has no joints.
    bool (*supports_joints)(const cdg_rod *rod);    // with the options that this rod has
    size_t (*net_scratch_size)(const cdg_net *net); // bytes
    // Called when a net is formed; may be NULL: makes its rods' constants those of joined rods (longest steps, ...).
    cdg_result (*prepare_net)(const cdg_net *net, cdg_error *error);
    // As predict, for all rods of the net at once; loads and results have an entry for each. On failure `failed` is the
    // number of the rod that the message is about.
    cdg_result (*predict_net)(const cdg_net *net, double step, const cdg_rod_loads *loads, void *scratch,
                              cdg_rod_step_result *results, size_t *failed, cdg_error *error);
};

// rod_step.c: for models to put into the table.
void cdg_rod_commit(cdg_rod *rod, double step); // candidate to state, state to history, where the rod keeps one
double
cdg_rod_bending_period(const cdg_rod *rod); // s, of the bending wave as long as the rod: 2 pi/((2 pi/L)^2 sqrt(B/m))
double cdg_rod_advise_by_bending(const cdg_rod *rod, char *reason); // a hundredth of it, within sensible bounds

const cdg_rod_model *cdg_rod_model_get(cdg_model model);

#endif
