// Hands out scratch memory piece by piece, each at a cache line; or only counts it, so that one function says both how
// much is needed and where everything is.
#ifndef CDG_BASE_SCRATCH_H
#define CDG_BASE_SCRATCH_H

#include <stddef.h>

typedef struct cdg_scratch {
    char *next; // NULL: count
    size_t bytes;
} cdg_scratch;

static inline size_t cdg_scratch_aligned(size_t bytes) { return (bytes + 63) / 64 * 64; }

static inline void *cdg_scratch_take(cdg_scratch *s, size_t bytes) { // NULL while counting
    void *block = s->next;
    if (s->next != NULL) s->next += cdg_scratch_aligned(bytes);
    s->bytes += cdg_scratch_aligned(bytes);
    return block;
}

#endif
