// Memory that lives as long as a scene: small pieces, freed all at once.
#ifndef CDG_SCENE_STORAGE_H
#define CDG_SCENE_STORAGE_H

#include <stdbool.h>
#include <stddef.h>

typedef struct scene_storage scene_storage;

// `limit` bytes at most are handed out (0: no limit); beyond that, or when the system has no more, allocation returns
// NULL and the storage remembers it, so that a parser may go on and fail once at the end.
scene_storage *cdg_storage_create(size_t limit);
void cdg_storage_destroy(scene_storage *storage); // NULL is fine
bool cdg_storage_has_failed(const scene_storage *storage);
size_t cdg_storage_used(const scene_storage *storage); // bytes

// Fails as an allocation of so many bytes would, before work is done whose result will not fit.
bool cdg_storage_has_room(scene_storage *storage, double bytes);
// Zeroed, aligned for every type.
void *cdg_storage_allocate(scene_storage *storage, size_t count, size_t size);
// A terminated copy.
char *cdg_storage_copy(scene_storage *storage, const char *text, size_t length);
// Room for one more in an array of `count` entries that was grown by this function only; old entries are kept. Returns
// the address of the array (maybe a new one) or NULL.
void *cdg_storage_grow(scene_storage *storage, void *array, size_t count, size_t size);

#endif
