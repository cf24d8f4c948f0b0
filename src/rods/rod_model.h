// The table of operations that every rod model offers. No other place switches over model names.
#ifndef CDG_RODS_ROD_MODEL_H
#define CDG_RODS_ROD_MODEL_H

#include "rods/rod.h"

// What the world hands to predict: external loads of the coming step, in scratch memory.
typedef struct cdg_rod_loads {
    double *force[3];  // N, world axes, node_count
    double *torque[3]; // N m, material frame, element_count
} cdg_rod_loads;

typedef struct cdg_rod_step_result {
    int iterations;
    double residual; // last correction relative to the element length
} cdg_rod_step_result;

struct cdg_rod_model {
    const char *name;
    bool supports_closed, supports_anisotropic, supports_varying_section, supports_frame_clamp;

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
};

const cdg_rod_model *cdg_rod_model_get(cdg_model model);

#endif
