// A sweep as a file:
//   sweep: 1
//   scene: cantilever.yaml
//   vary:
//     materials.steel.young_modulus: 100:300:20 GPa (log)
//     load: {path: loads.tip.force.2, values: "-1, -2, -5 N"}
//   probes: [tip_z, hold_peak]
//   samples: 200            # with `method: latin` or `random`, and `seed: 1`
//   set: {rods.beam.elements: 40}
#ifndef CDG_SWEEP_SWEEP_FILE_H
#define CDG_SWEEP_SWEEP_FILE_H

#include "sweep/design.h"

// Texts as on the command line.
typedef struct cdg_sweep_file {
    char *scene; // as written: seen from the file's own directory
    char **varies;
    size_t vary_count;
    char **probes;
    size_t probe_count;
    char **overrides; // "path=value"
    size_t override_count;
    bool has_samples, has_kind, has_seed, wants_lanes;
    size_t samples;
    cdg_design_kind kind;
    uint64_t seed;
    char *output;    // NULL: not said
    char *case_time; // the same: "10 s"
} cdg_sweep_file;

// Whether the text is one: its first key is `sweep`.
bool cdg_sweep_file_is_one(const char *text, size_t size);
// The error names the place: "sweep.yaml:4:3: ...". Free *out in any case.
cdg_result cdg_sweep_file_parse(const char *text, size_t size, const char *name, cdg_sweep_file *out, cdg_error *error);
void cdg_sweep_file_free(cdg_sweep_file *file);

// "latin", "random", "grid".
bool cdg_design_kind_find(const char *name, cdg_design_kind *out);

#endif
