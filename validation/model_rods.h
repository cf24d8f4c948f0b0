// One rod under any of the models: what cases that compare all of them share.
#ifndef VALIDATION_MODEL_RODS_H
#define VALIDATION_MODEL_RODS_H

#include "validation/cases.h"

enum { MODEL_NODES_MAX = 161 };

// A world with one rod; the first failure stays in `result`, and later calls do nothing.
typedef struct model_trial {
    validation_model model;
    cdg_world *world;
    cdg_rod_id rod;
    size_t elements;
    double step;    // s, as asked for
    double longest; // s, of gauss_seidel
    cdg_result result;
} model_trial;

// 1 m along x, B = 1 N m^2, C = 0.8 N m^2, 1 kg/m, 1 cm thick: stretching is 4e4 N, so that a weight of 10 N stretches
// it by 2.5e-4 and explicit models can take steps of 0.1 ms.
cdg_rod_def model_unit_rod(size_t elements);
// Sets model, solver and integrator.
void model_choose(validation_model model, cdg_rod_def *def);

// Adds the rod, with the context's wrong parameters. Implicit models take `step`; explicit ones, and gauss_seidel, the
// largest part of it that is stable, or needs no more than its iterations.
model_trial model_begin(const validation_context *context, validation_model model, cdg_rod_def def, cdg_vec3 gravity,
                        double step, cdg_error *error);
void model_support(model_trial *t, cdg_support_kind kind, size_t node);
void model_drag(model_trial *t, double rate); // 1/s
void model_force(model_trial *t, size_t node, cdg_vec3 force);
void model_moment(model_trial *t, size_t node, cdg_vec3 moment, double ramp);
// One of the steps asked for: as many of the model's as it takes.
void model_step(model_trial *t);
void model_run(model_trial *t, double seconds);
void model_positions(model_trial *t, cdg_vec3 *out); // of the nodes; zeros after a failure
size_t model_node_count(const model_trial *t);       // at present, where its resolution changes
// Destroys the world; the trial's result, with the message in error.
cdg_result model_end(model_trial *t, cdg_error *error);

// Mean angular frequency from passages of zero.
typedef struct model_passages {
    double before, first, last;
    int count;
} model_passages;
void model_watch(model_passages *p, double time, double step, double value);
double model_frequency(const model_passages *p); // rad/s; NaN with fewer than two

#endif
