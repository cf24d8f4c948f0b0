// Memory of the mesher: counted, with a limit that is asked before anything is taken, and the peak for the report. What
// takes memory takes time, so it also holds the caller's patience.
// Used by one thread at a time.
#ifndef CDG_MESHING_BUDGET_H
#define CDG_MESHING_BUDGET_H

#include "base/patience.h"

#include <cordage/base.h>

typedef struct cdg_budget {
    uint64_t limit, used, peak; // bytes
    bool is_exceeded;           // some request was refused because of the limit
    cdg_patience *patience;     // NULL: endless
} cdg_budget;

// Blocks remember their own size. NULL: over the limit (see is_exceeded) or no memory; sizes that overflow count as
// over the limit.
void *cdg_budget_take(cdg_budget *budget, size_t count, size_t size);      // not initialised
void *cdg_budget_take_zero(cdg_budget *budget, size_t count, size_t size); // zeros
// A larger or smaller block with the same contents; on failure NULL, and the old block stays.
void *cdg_budget_resize(cdg_budget *budget, void *block, size_t count, size_t size);
void cdg_budget_give(cdg_budget *budget, void *block); // NULL is fine

// Room for one more entry in an array that doubles. False: as above.
bool cdg_budget_grow(cdg_budget *budget, void **array, size_t count, size_t *capacity, size_t size);

uint64_t cdg_machine_memory(void); // bytes, that the machine has or this process's control group allows; 0: not known

// Whether to go on, asked by loops with their index. When it is not, they end as without memory.
static inline bool cdg_budget_lasts(cdg_budget *budget, size_t index) {
    return cdg_patience_lasts_at(budget->patience, index);
}

// The result code with the sentence: what did not fit, and the cure; or that work was stopped on request.
cdg_result cdg_budget_fail(const cdg_budget *budget, cdg_error *error);

#endif
