// Linear probing, at most half full; an entry is removed by moving those behind it up, so there are no tombstones.
#include "base/name_table.h"

#include <assert.h>
#include <stdlib.h>

void cdg_name_table_free(cdg_name_table *table) {
    free(table->entries);
    *table = (cdg_name_table){0};
}

uint32_t cdg_name_hash(const char *name) { // FNV-1a
    uint32_t hash = 2166136261u;
    for (; *name != '\0'; name++) hash = (hash ^ (unsigned char)*name) * 16777619u;
    return hash;
}

static void put(cdg_name_entry *entries, size_t capacity, cdg_name_entry entry) {
    size_t at = entry.hash & (capacity - 1);
    while (entries[at].index1 != 0) at = (at + 1) & (capacity - 1);
    entries[at] = entry;
}

bool cdg_name_table_reserve(cdg_name_table *table) {
    if (2 * (table->count + 1) <= table->capacity) return true;
    size_t capacity = table->capacity > 0 ? 2 * table->capacity : 16;
    cdg_name_entry *entries = calloc(capacity, sizeof *entries);
    if (entries == NULL) return false;
    for (size_t i = 0; i < table->capacity; i++)
        if (table->entries[i].index1 != 0) put(entries, capacity, table->entries[i]);
    free(table->entries);
    table->entries = entries;
    table->capacity = capacity;
    return true;
}

void cdg_name_table_insert(cdg_name_table *table, uint32_t hash, uint32_t index) {
    assert(2 * (table->count + 1) <= table->capacity);
    put(table->entries, table->capacity, (cdg_name_entry){hash, index + 1});
    table->count++;
}

void cdg_name_table_remove(cdg_name_table *table, uint32_t hash, uint32_t index) {
    size_t mask = table->capacity - 1, hole = hash & mask;
    while (table->entries[hole].index1 != index + 1) {
        assert(table->entries[hole].index1 != 0);
        hole = (hole + 1) & mask;
    }
    for (size_t at = (hole + 1) & mask; table->entries[at].index1 != 0; at = (at + 1) & mask) {
        size_t home = table->entries[at].hash & mask;
        if (((at - home) & mask) < ((at - hole) & mask)) continue; // it would come before its home
        table->entries[hole] = table->entries[at];
        hole = at;
    }
    table->entries[hole] = (cdg_name_entry){0};
    table->count--;
}

size_t cdg_name_table_find(const cdg_name_table *table, uint32_t hash, bool (*is_named)(const void *user, size_t index),
                           const void *user) {
    if (table->capacity == 0) return SIZE_MAX;
    size_t mask = table->capacity - 1;
    for (size_t at = hash & mask; table->entries[at].index1 != 0; at = (at + 1) & mask) {
        const cdg_name_entry *entry = &table->entries[at];
        if (entry->hash == hash && is_named(user, entry->index1 - 1)) return entry->index1 - 1;
    }
    return SIZE_MAX;
}
