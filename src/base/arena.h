// A bump arena for step scratch: hands out pieces of one block that the caller owns; nothing is freed one by one.
//
//   cdg_arena arena = arena_init(block, size);
//   size_t mark = arena_mark(&arena);
//   double *force = arena_alloc_doubles(&arena, node_count); // NULL when the block is too small
//   ...
//   arena_release(&arena, mark);
//
// Every piece starts at a multiple of CDG_ARENA_ALIGNMENT, for vector loads. The block is sized beforehand by adding up
// arena_size_doubles() and arena_size() of all pieces that live at the same time.
#ifndef CDG_BASE_ARENA_H
#define CDG_BASE_ARENA_H

#include <stddef.h>
#include <stdint.h>

enum { CDG_ARENA_ALIGNMENT = 64 }; // bytes: a cache line, and the widest vector register

typedef struct cdg_arena {
    unsigned char *block;
    size_t size, used; // bytes
} cdg_arena;

// `block` is 64-byte aligned (NULL with size 0 is fine) and outlives the arena.
static inline cdg_arena arena_init(void *block, size_t size) {
    return (cdg_arena){.block = (unsigned char *)block, .size = size, .used = 0};
}

// Bytes that a piece of `bytes` takes in the block; SIZE_MAX when it cannot be said in a size_t.
static inline size_t arena_size(size_t bytes) {
    size_t mask = CDG_ARENA_ALIGNMENT - 1;
    return bytes > SIZE_MAX - mask ? SIZE_MAX : (bytes + mask) & ~mask;
}
static inline size_t arena_size_doubles(size_t count) {
    return count > SIZE_MAX / sizeof(double) ? SIZE_MAX : arena_size(count * sizeof(double));
}

// A piece of uninitialised memory; NULL when the block has no room for it (the arena is then unchanged).
void *cdg_arena_alloc(cdg_arena *arena, size_t bytes);

static inline void *arena_alloc(cdg_arena *arena, size_t bytes) { return cdg_arena_alloc(arena, bytes); }
static inline double *arena_alloc_doubles(cdg_arena *arena, size_t count) {
    return count > SIZE_MAX / sizeof(double) ? NULL : (double *)cdg_arena_alloc(arena, count * sizeof(double));
}

// Everything handed out after the mark is given back by releasing it; marks are released in reverse order.
static inline size_t arena_mark(const cdg_arena *arena) { return arena->used; }
static inline void arena_release(cdg_arena *arena, size_t mark) { arena->used = mark; }

#endif
