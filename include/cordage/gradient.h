// How an equilibrium answers a change of its parameters: rates of probes, by the implicit function theorem.
#ifndef CORDAGE_GRADIENT_H
#define CORDAGE_GRADIENT_H

#include <cordage/world.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cdg_gradient_def {
    // Makes the world as it would be if this parameter were larger by `change`: the same rods, supports and loads in
    // the same order, with the same counts, new and not yet moved. Whatever a world is made of (a stiffness, a size, a
    // density, gravity, a load, where a support is) may change, alone or several at once. The gradient destroys the
    // world. A failure says why in `error`.
    cdg_result (*build)(void *user, size_t parameter, double change, cdg_world **out, cdg_error *error);
    void *user;
    size_t parameter_count;
    const double *scales; // of each parameter, in its unit: a thousandth of it is a small change. As a rule its value
    const cdg_probe *probes;
    size_t probe_count;
} cdg_gradient_def;

cdg_gradient_def cdg_gradient_def_default(void); // of nothing yet

typedef struct cdg_gradient_report {
    int iterations;   // solutions with the factors of the equilibrium's system
    double imbalance; // residual of the rates' own equations, as a share of the rates: 1e-6 is poor
} cdg_gradient_report;

// d(probe)/d(parameter) at an equilibrium of der and galpha rods, which the world must be in: for column c of probe i
// and parameter p at out[(p * probe_count + i) * CDG_PROBE_COLUMNS_MAX + c]. No equilibrium is sought: the rates of all
// unknowns follow from the factorised system of the one there is and the rate of what is unbalanced at fixed unknowns,
// loads that follow the rod included. The world is left alone; `report` may be NULL. Where an equilibrium ends
// (buckling, a limit of the load), and of rods with welds, there is no gradient: CDG_ERROR_NO_CONVERGENCE,
// CDG_ERROR_UNSUPPORTED.
cdg_result cdg_world_gradient(cdg_world *world, const cdg_gradient_def *def, double *out, cdg_gradient_report *report);

#ifdef __cplusplus
}
#endif
#endif
