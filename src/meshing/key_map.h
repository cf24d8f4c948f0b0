// Numbers for keys of 64 bits: 0, 1, 2, ... in the order in which keys are first entered.
#ifndef CDG_MESHING_KEY_MAP_H
#define CDG_MESHING_KEY_MAP_H

#include "meshing/budget.h"

#define CDG_NO_NUMBER UINT32_MAX

typedef struct cdg_key_map {
    uint64_t *keys; // by number
    uint32_t count;
    size_t capacity;
    uint32_t *slots; // numbers; a power of two
    size_t slot_count;
} cdg_key_map;

void cdg_key_map_free(cdg_key_map *map, cdg_budget *budget); // an empty one is all zeros

// The key's number, new or old; CDG_NO_NUMBER: no memory.
uint32_t cdg_key_map_add(cdg_key_map *map, uint64_t key, cdg_budget *budget);

static inline size_t cdg_key_hash(uint64_t key) {
    key *= 0x9E3779B97F4A7C15u;
    return (size_t)(key ^ (key >> 32));
}

static inline uint32_t cdg_key_map_find(const cdg_key_map *map, uint64_t key) {
    if (map->slot_count == 0) return CDG_NO_NUMBER;
    for (size_t slot = cdg_key_hash(key) & (map->slot_count - 1);; slot = (slot + 1) & (map->slot_count - 1)) {
        uint32_t number = map->slots[slot];
        if (number == CDG_NO_NUMBER || map->keys[number] == key) return number;
    }
}

#endif
