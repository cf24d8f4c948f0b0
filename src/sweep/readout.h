// What a table keeps of a case: columns of probes, each at the end of the case or as a summary over its time.
//   tip            all columns of the probe, at the end          tip_z:max     the largest tip_z of all outputs
#ifndef CDG_SWEEP_READOUT_H
#define CDG_SWEEP_READOUT_H

#include "sweep/case.h"

// The one list of summaries: X(enumerator, name, meaning).
#define CDG_SUMMARY_LIST(X)                                                                                            \
    X(CDG_SUMMARY_END, "end", "at the end of the case; of peaks the largest of all steps")                             \
    X(CDG_SUMMARY_START, "start", "at its start")                                                                      \
    X(CDG_SUMMARY_MAX, "max", "the largest of all outputs")                                                            \
    X(CDG_SUMMARY_MIN, "min", "the least of all outputs")                                                              \
    X(CDG_SUMMARY_MEAN, "mean", "the mean over time")                                                                  \
    X(CDG_SUMMARY_RMS, "rms", "the root of the mean square over time")                                                 \
    X(CDG_SUMMARY_RANGE, "range", "the largest minus the least")

typedef enum cdg_summary_kind {
#define CDG_SUMMARY_ENUM(name, key, text) name,
    CDG_SUMMARY_LIST(CDG_SUMMARY_ENUM)
#undef CDG_SUMMARY_ENUM
        CDG_SUMMARY_COUNT
} cdg_summary_kind;

typedef struct cdg_readout_wish {
    char *probe; // "tip" or "tip_z"
    cdg_summary_kind summary;
} cdg_readout_wish;

typedef struct cdg_readout {
    cdg_readout_wish *wishes; // as asked for; none: every probe at the end
    size_t wish_count;
    char **names; // the wishes' probes, for cdg_case_source
    // Once the columns of the scene are known:
    size_t column_count;
    char **titles;   // "tip_z:max [m]"
    size_t *wish_of; // each column's
} cdg_readout;

// "tip, hold_peak, tip_z:max"; may be called again to add more. Free *out in any case.
cdg_result cdg_readout_add(cdg_readout *out, const char *text, cdg_error *error);
// Finds the columns, from a case that can be read.
cdg_result cdg_readout_find(cdg_readout *readout, const cdg_case_def *def, cdg_error *error);
// One more column after them, which somebody else fills.
cdg_result cdg_readout_append(cdg_readout *readout, const char *title, cdg_error *error);
void cdg_readout_free(cdg_readout *readout);

// The columns' values of a case that did not fail; its source names the readout's probes.
void cdg_readout_take(const cdg_readout *readout, const cdg_case_result *result, double *out);

#endif
