// A hash table with open addressing, at most half full.
#include "meshing/key_map.h"

#include <string.h>

void cdg_key_map_free(cdg_key_map *map, cdg_budget *budget) {
    cdg_budget_give(budget, map->keys);
    cdg_budget_give(budget, map->slots);
    *map = (cdg_key_map){0};
}

static bool grow_slots(cdg_key_map *map, cdg_budget *budget) {
    size_t count = map->slot_count == 0 ? 256 : 2 * map->slot_count;
    uint32_t *slots = cdg_budget_take(budget, count, sizeof *slots);
    if (slots == NULL) return false;
    memset(slots, 0xFF, count * sizeof *slots);
    for (uint32_t i = 0; i < map->count; i++) {
        size_t slot = cdg_key_hash(map->keys[i]) & (count - 1);
        while (slots[slot] != CDG_NO_NUMBER) slot = (slot + 1) & (count - 1);
        slots[slot] = i;
        if (cdg_budget_lasts(budget, i)) continue;
        cdg_budget_give(budget, slots);
        return false;
    }
    cdg_budget_give(budget, map->slots);
    map->slots = slots;
    map->slot_count = count;
    return true;
}

uint32_t cdg_key_map_add(cdg_key_map *map, uint64_t key, cdg_budget *budget) {
    uint32_t found = cdg_key_map_find(map, key);
    if (found != CDG_NO_NUMBER) return found;
    if (2 * ((size_t)map->count + 1) > map->slot_count && !grow_slots(map, budget)) return CDG_NO_NUMBER;
    if (map->count == UINT32_MAX / 4 ||
        !cdg_budget_grow(budget, (void **)&map->keys, map->count, &map->capacity, sizeof *map->keys))
        return CDG_NO_NUMBER;
    size_t slot = cdg_key_hash(key) & (map->slot_count - 1);
    while (map->slots[slot] != CDG_NO_NUMBER) slot = (slot + 1) & (map->slot_count - 1);
    map->keys[map->count] = key;
    return map->slots[slot] = map->count++;
}
