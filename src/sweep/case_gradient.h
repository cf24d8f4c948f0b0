// Rates of a static case's probes in what varies (cordage/gradient.h), from the scene's text with values set.
#ifndef CDG_SWEEP_CASE_GRADIENT_H
#define CDG_SWEEP_CASE_GRADIENT_H

#include "sweep/case.h"
#include "sweep/vary.h"

#include <cordage/gradient.h>

typedef struct cdg_case_gradient {
    const cdg_case_source *source;
    const char *const *overrides; // of this case, besides what varies
    size_t override_count;
    const cdg_vary *varies;
    size_t vary_count;
    const double *values; // of what varies, as cdg_vary_number: in its units
} cdg_case_gradient;

// At an equilibrium of the case: d(probe)/d(value), for value v, probe i and column c at
// out[(v * probe_count + i) * CDG_PROBE_COLUMNS_MAX + c], in SI per the variable's unit. Probes have handles of the
// world. CDG_ERROR_ARGUMENT: a variable is no number.
cdg_result cdg_case_gradient_find(const cdg_case_gradient *def, cdg_world *world, const cdg_probe *probes,
                                  size_t probe_count, double *out, cdg_gradient_report *report, cdg_error *error);

#endif
