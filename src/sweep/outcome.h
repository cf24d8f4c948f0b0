// What became of a case, as a line of text with a checksum: journals, pipes and messages all carry it.
#ifndef CDG_SWEEP_OUTCOME_H
#define CDG_SWEEP_OUTCOME_H

#include <cordage/base.h>

typedef struct cdg_outcome {
    size_t index; // of the case
    bool is_known, has_failed, is_doubtful;
    double seconds; // of processor time that the case took, and ...
    double solve;   // ... of them in steps or equilibria
    double *values; // column_count; NaN when the case failed
    char *sentence; // why it failed, or what is doubtful; NULL: neither
} cdg_outcome;

void cdg_outcome_free(cdg_outcome *outcome);

// The line, its end included, malloc'ed; NULL without memory. Reading it gives the same bits.
char *cdg_outcome_write(const cdg_outcome *outcome, size_t column_count, size_t *size);

typedef enum cdg_outcome_state { CDG_OUTCOME_READ, CDG_OUTCOME_DAMAGED, CDG_OUTCOME_NO_MEMORY } cdg_outcome_state;
// Reads a line without its end. Free *out after CDG_OUTCOME_READ.
cdg_outcome_state cdg_outcome_read(const char *line, size_t length, size_t column_count, cdg_outcome *out);

// FNV-1a over bytes, to go on from a hash before; CDG_HASH_START to begin with.
#define CDG_HASH_START UINT64_C(0xcbf29ce484222325)
uint64_t cdg_hash_bytes(uint64_t hash, const void *bytes, size_t size);

#endif
