// Where something of a given name is, among very many: a hash table of indices, with open addressing.
#ifndef CDG_BASE_NAME_TABLE_H
#define CDG_BASE_NAME_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct cdg_name_entry {
    uint32_t hash, index1; // index + 1; 0: free
} cdg_name_entry;

// Zero is an empty table. The names themselves are the owner's.
typedef struct cdg_name_table {
    cdg_name_entry *entries;
    size_t capacity, count; // capacity is a power of two, or 0
} cdg_name_table;

void cdg_name_table_free(cdg_name_table *table);
uint32_t cdg_name_hash(const char *name);

// Makes room for one more. False without memory: nothing has changed.
bool cdg_name_table_reserve(cdg_name_table *table);
void cdg_name_table_insert(cdg_name_table *table, uint32_t hash, uint32_t index); // after reserve
void cdg_name_table_remove(cdg_name_table *table, uint32_t hash, uint32_t index); // which is there

// The index whose name `is_named(user, index)` confirms, among those of this hash; SIZE_MAX: none.
size_t cdg_name_table_find(const cdg_name_table *table, uint32_t hash, bool (*is_named)(const void *user, size_t index),
                           const void *user);

#endif
