// The table of operations that every rod model offers. No other place switches over model names.
#ifndef CDG_RODS_ROD_MODEL_H
#define CDG_RODS_ROD_MODEL_H

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
} cdg_rod_step_result;

enum { CDG_TEAM_MAX = 8 }; // rods that any model takes at once

struct cdg_rod_model {
    const char *name;
    bool supports_closed, supports_anisotropic, supports_varying_section, supports_frame_clamp;
    bool takes_weight_only; // predict copes with loads that are weight only: arrays need not be filled, nor have room

    // Refuses what the model cannot do, before anything is built.
    cdg_result (*check)(const cdg_rod_def *def, cdg_error *error);
    // Whether the model keeps the state of the step before (x_before ...).
    bool (*needs_history)(const cdg_rod_def *def);
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
};

const cdg_rod_model *cdg_rod_model_get(cdg_model model);

#endif
