// What a fit leaves: values with their errors as JSON, data against fit as a table, charts, and one page with all.
#ifndef CDG_SWEEP_FIT_REPORT_H
#define CDG_SWEEP_FIT_REPORT_H

#include "output/json.h"
#include "sweep/fit.h"

// "3.01 MPa (2.98 to 3.04 with 95 %)".
void cdg_fit_value_text(const cdg_fit_def *def, const cdg_fit_result *result, size_t parameter, char *out, size_t size);

// "exact gradients", "rates by differences", or both.
const char *cdg_fit_rates_text(const cdg_fit_result *result);

// Members of an open object.
void cdg_fit_report_json(const cdg_fit_def *def, const cdg_fit_model *model, const cdg_fit_result *result,
                         cdg_json *json);

// Writes fit.json, fit.csv, fit.svg, fit.png and report.html into the directory, which is there. Runs the cases at the
// values found once more, for their whole curves; may add warnings (data beyond a curve) to the result.
cdg_result cdg_fit_report_write(const cdg_fit_def *def, cdg_fit_model *model, cdg_fit_result *result,
                                const char *directory, cdg_error *error);

#endif
