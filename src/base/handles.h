// Handles of things that come and go: an index and a generation, which tells one that was removed from what has its
// slot since. The things lie in their owner's array, either each at the index that is its slot, or closely in order of
// creation, where a removal moves later ones down.
#ifndef CDG_BASE_HANDLES_H
#define CDG_BASE_HANDLES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct cdg_handle {
    uint32_t index1, generation; // slot + 1; zero is null
} cdg_handle;

// A handle as the id of a kind, all of which have the same two members.
#define CDG_HANDLE_AS(type, handle) ((type){(handle).index1, (handle).generation})

typedef struct cdg_handle_slot {
    uint32_t generation;
    uint32_t index; // in the owner's array; of a free slot: the next free one
    bool is_used;
    void *user_data; // the program's
} cdg_handle_slot;

// Zero is an empty table. All handles of one are either closed up or stay: remove them as they were added.
typedef struct cdg_handles {
    cdg_handle_slot *slots;
    uint32_t *slot_at; // by index, of those that are closed up
    size_t slot_count, capacity;
    size_t count;        // slots in use
    uint32_t first_free; // slot + 1; 0: none
} cdg_handles;

void cdg_handles_free(cdg_handles *handles);
// Makes room for one more. False without memory: nothing has changed.
bool cdg_handles_reserve(cdg_handles *handles);

// After reserve. Of things that stay: their index is index1 - 1, a free one before a new one.
cdg_handle cdg_handles_add(cdg_handles *handles);
void cdg_handles_remove(cdg_handles *handles, size_t index);
// After reserve. Of things that are closed up: at the end, where `count` was.
cdg_handle cdg_handles_append(cdg_handles *handles);
void cdg_handles_close_up(cdg_handles *handles, size_t index); // removes it: those behind it move down by one

// The index of what a handle names; SIZE_MAX: it is null or stale.
size_t cdg_handles_find(const cdg_handles *handles, uint32_t index1, uint32_t generation);
// The handle of what is at an index, null where nothing is: of things that stay, and of those that are closed up.
cdg_handle cdg_handles_in_slot(const cdg_handles *handles, size_t index);
cdg_handle cdg_handles_at(const cdg_handles *handles, size_t index);

#endif
