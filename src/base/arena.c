// The arena's one decision: whether the next piece still fits.
#include "base/arena.h"

#include <assert.h>

void *cdg_arena_alloc(cdg_arena *arena, size_t bytes) {
    assert((uintptr_t)arena->block % CDG_ARENA_ALIGNMENT == 0);
    size_t taken = arena_size(bytes);
    if (arena->block == NULL || taken > arena->size - arena->used) return NULL;
    void *piece = arena->block + arena->used;
    arena->used += taken;
    return piece;
}
