// Which cases a sweep has: every combination of a grid, or seeded samples, at random or as a Latin hypercube.
#ifndef CDG_SWEEP_DESIGN_H
#define CDG_SWEEP_DESIGN_H

#include "sweep/vary.h"

typedef enum cdg_design_kind { CDG_DESIGN_GRID, CDG_DESIGN_RANDOM, CDG_DESIGN_LATIN } cdg_design_kind;

typedef struct cdg_design {
    const cdg_vary *varies; // the caller's
    size_t vary_count;
    size_t case_count;
    double *values; // case_count times vary_count, as cdg_vary_at
} cdg_design;

enum { CDG_DESIGN_CASES_MAX = 10000000 };

// A grid's last variable changes fastest. `samples` and `seed` are not looked at for a grid; the same ones give the
// same cases on every machine. A Latin hypercube has one sample in each of `samples` equal parts of every variable.
cdg_result cdg_design_make(const cdg_vary *varies, size_t vary_count, cdg_design_kind kind, size_t samples,
                           uint64_t seed, cdg_design *out, cdg_error *error);
void cdg_design_free(cdg_design *design);

// The "path=value" texts of a case, malloc'ed one by one in a malloc'ed list; NULL without memory.
char **cdg_design_overrides(const cdg_design *design, size_t index, size_t *count);
void cdg_design_overrides_free(char **overrides, size_t count);

#endif
