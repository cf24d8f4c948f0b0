// What a scene says where measurements were taken: residuals for values of what varies, many points side by side, and
// their rates, exact where the case is an equilibrium that has gradients and else by differences.
#ifndef CDG_SWEEP_FIT_MODEL_H
#define CDG_SWEEP_FIT_MODEL_H

#include "sweep/case.h"
#include "sweep/fit_data.h"
#include "sweep/vary.h"

typedef struct cdg_fit_setup {     // nothing is copied: it must outlive the model
    const cdg_case_source *source; // with no probes chosen
    const cdg_vary *varies;        // ranges; those above zero by ratios (is_log)
    size_t vary_count;
    const cdg_fit_data *data;
    size_t data_count;
    int thread_count; // cases side by side; 0: all cores
    bool (*go_on)(void *user);
    void *user;
    bool is_by_differences; // no exact gradients
} cdg_fit_setup;

typedef struct cdg_fit_residual {
    size_t data, column, row;
    size_t noise;    // measurements of the same noise, which may have to be estimated, have the same number
    double measured; // SI
    double sigma;    // SI; 0: not said
} cdg_fit_residual;

typedef struct cdg_fit_model cdg_fit_model;

// Errors: what the scene refuses with the first point, columns that match no probe, times after its end, no such rod.
cdg_result cdg_fit_model_make(const cdg_fit_setup *setup, cdg_fit_model **out, cdg_error *error);
void cdg_fit_model_destroy(cdg_fit_model *model); // NULL is fine

size_t cdg_fit_model_residual_count(const cdg_fit_model *model);
const cdg_fit_residual *cdg_fit_model_residuals(const cdg_fit_model *model);
size_t cdg_fit_model_noise_count(const cdg_fit_model *model);
// Equations of noise alone: residuals less those along a curve, which every point of a shape is free to move by.
size_t cdg_fit_model_freedom(const cdg_fit_model *model);
size_t cdg_fit_model_case_count(const cdg_fit_model *model); // that have been run so far
bool cdg_fit_model_is_exact(const cdg_fit_model *model);     // all rates so far were exact
bool cdg_fit_model_has_exact(const cdg_fit_model *model);    // some were

// Simulated less measured, SI, at `count` points of shares of each range, as cdg_vary_at. is_good[i] is false where a
// case failed; the first of those failures is in `error`.
void cdg_fit_model_evaluate(cdg_fit_model *model, size_t count, const double *points, double *residuals, bool *is_good,
                            cdg_error *error);
// Rates of the residuals in those shares, SI, column v at out + v * residual_count.
cdg_result cdg_fit_model_differentiate(cdg_fit_model *model, const double *point, double *out, cdg_error *error);

// The whole curves behind the data of one file, at a point: probes over time, or the nodes of the rod at the first of
// its times. Free with cdg_fit_curves_free.
typedef struct cdg_fit_curves {
    size_t row_count, column_count;
    double *times, *series; // as cdg_case_result; NULL for shapes
    size_t *columns;        // for each column of the data, its index in a row
    cdg_vec3 *nodes;
    size_t node_count;
    bool is_closed;
} cdg_fit_curves;
cdg_result cdg_fit_model_curves(cdg_fit_model *model, const double *point, size_t data, cdg_fit_curves *out,
                                cdg_error *error);
void cdg_fit_curves_free(cdg_fit_curves *curves);

#endif
