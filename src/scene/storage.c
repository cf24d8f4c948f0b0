// Scene memory: blocks of growing size in a chain; a piece is never freed alone.
#include "scene/storage.h"

#include <stdalign.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef struct block {
    struct block *next;
    size_t size, used;
    alignas(max_align_t) unsigned char bytes[];
} block;

struct scene_storage {
    block *first;
    size_t limit, used;
    bool has_failed;
};

scene_storage *cdg_storage_create(size_t limit) {
    scene_storage *storage = calloc(1, sizeof *storage);
    if (storage != NULL) storage->limit = limit;
    return storage;
}

void cdg_storage_destroy(scene_storage *storage) {
    if (storage == NULL) return;
    for (block *b = storage->first; b != NULL;) {
        block *next = b->next;
        free(b);
        b = next;
    }
    free(storage);
}

bool cdg_storage_has_failed(const scene_storage *storage) { return storage->has_failed; }
size_t cdg_storage_used(const scene_storage *storage) { return storage->used; }

static void *fail(scene_storage *storage) {
    storage->has_failed = true;
    return NULL;
}

bool cdg_storage_has_room(scene_storage *storage, double bytes) {
    bool fits = storage->limit == 0 || bytes <= (double)(storage->limit - storage->used);
    if (!fits) fail(storage);
    return fits;
}

void *cdg_storage_allocate(scene_storage *storage, size_t count, size_t size) {
    enum { ALIGN = alignof(max_align_t), FIRST_BLOCK = 16 * 1024 };
    if (size != 0 && count > SIZE_MAX / 2 / size) return fail(storage);
    size_t bytes = (count * size + ALIGN - 1) / ALIGN * ALIGN;
    if (bytes == 0) bytes = ALIGN;
    if (storage->limit > 0 && bytes > storage->limit - storage->used) return fail(storage);
    block *b = storage->first;
    if (b == NULL || b->size - b->used < bytes) {
        size_t block_size = b == NULL ? FIRST_BLOCK : b->size < SIZE_MAX / 4 ? b->size * 2 : b->size;
        // Blocks stop growing at 1 MiB; a larger piece gets a block of its own size.
        if (block_size > 1024 * 1024) block_size = 1024 * 1024;
        if (block_size < bytes) block_size = bytes;
        b = malloc(sizeof *b + block_size);
        if (b == NULL) return fail(storage);
        b->size = block_size;
        b->used = 0;
        b->next = storage->first;
        storage->first = b;
    }
    void *piece = b->bytes + b->used;
    b->used += bytes;
    storage->used += bytes;
    return memset(piece, 0, bytes);
}

char *cdg_storage_copy(scene_storage *storage, const char *text, size_t length) {
    char *copy = length < SIZE_MAX ? cdg_storage_allocate(storage, length + 1, 1) : NULL;
    if (copy != NULL && length > 0) memcpy(copy, text, length);
    return copy;
}

void *cdg_storage_grow(scene_storage *storage, void *array, size_t count, size_t size) {
    // The array is full exactly when count is 0 or a power of two from 4 on: capacity needs no member of its own.
    bool is_full = count == 0 || (count >= 4 && (count & (count - 1)) == 0);
    if (!is_full) return array;
    void *larger = cdg_storage_allocate(storage, count == 0 ? 4 : 2 * count, size);
    if (larger != NULL && count > 0) memcpy(larger, array, count * size);
    return larger;
}
