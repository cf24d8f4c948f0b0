// Handles of things that come and go (handles.h). Free slots form a chain, the last that was freed first.
#include "base/handles.h"

#include <stdlib.h>
#include <string.h>

void cdg_handles_free(cdg_handles *handles) {
    free(handles->slots);
    free(handles->slot_at);
    *handles = (cdg_handles){0};
}

bool cdg_handles_reserve(cdg_handles *handles) {
    if (handles->slot_count < handles->capacity || handles->first_free != 0) return true;
    size_t capacity = handles->capacity > 0 ? 2 * handles->capacity : 8;
    if (capacity > UINT32_MAX) return false;
    cdg_handle_slot *slots = realloc(handles->slots, capacity * sizeof *slots);
    if (slots != NULL) handles->slots = slots;
    uint32_t *slot_at = realloc(handles->slot_at, capacity * sizeof *slot_at);
    if (slot_at != NULL) handles->slot_at = slot_at;
    if (slots == NULL || slot_at == NULL) return false;
    handles->capacity = capacity;
    return true;
}

static uint32_t take_slot(cdg_handles *handles) {
    uint32_t slot = (uint32_t)handles->slot_count;
    if (handles->first_free != 0) {
        slot = handles->first_free - 1;
        handles->first_free = handles->slots[slot].index;
    } else {
        handles->slots[handles->slot_count++].generation = 0;
    }
    cdg_handle_slot *taken = &handles->slots[slot];
    *taken = (cdg_handle_slot){.generation = taken->generation + 1, .index = slot, .is_used = true};
    handles->count++;
    return slot;
}

static void free_slot(cdg_handles *handles, uint32_t slot) {
    cdg_handle_slot *freed = &handles->slots[slot];
    *freed = (cdg_handle_slot){.generation = freed->generation, .index = handles->first_free};
    // A slot whose generations are used up is not used again: they would begin anew, and old handles with them.
    if (freed->generation < UINT32_MAX) handles->first_free = slot + 1;
    handles->count--;
}

static cdg_handle handle_of(const cdg_handles *handles, uint32_t slot) {
    return (cdg_handle){slot + 1, handles->slots[slot].generation};
}

cdg_handle cdg_handles_add(cdg_handles *handles) { return handle_of(handles, take_slot(handles)); }

void cdg_handles_remove(cdg_handles *handles, size_t index) { free_slot(handles, (uint32_t)index); }

cdg_handle cdg_handles_append(cdg_handles *handles) {
    uint32_t index = (uint32_t)handles->count, slot = take_slot(handles);
    handles->slots[slot].index = index;
    handles->slot_at[index] = slot;
    return handle_of(handles, slot);
}

void cdg_handles_close_up(cdg_handles *handles, size_t index) {
    free_slot(handles, handles->slot_at[index]);
    size_t behind = handles->count - index;
    memmove(handles->slot_at + index, handles->slot_at + index + 1, behind * sizeof *handles->slot_at);
    for (size_t i = index; i < handles->count; i++) handles->slots[handles->slot_at[i]].index = (uint32_t)i;
}

size_t cdg_handles_find(const cdg_handles *handles, uint32_t index1, uint32_t generation) {
    if (index1 == 0 || index1 > handles->slot_count) return SIZE_MAX;
    const cdg_handle_slot *slot = &handles->slots[index1 - 1];
    return slot->is_used && slot->generation == generation ? slot->index : SIZE_MAX;
}

cdg_handle cdg_handles_in_slot(const cdg_handles *handles, size_t index) {
    if (index >= handles->slot_count || !handles->slots[index].is_used) return (cdg_handle){0};
    return handle_of(handles, (uint32_t)index);
}

cdg_handle cdg_handles_at(const cdg_handles *handles, size_t index) {
    return index < handles->count ? handle_of(handles, handles->slot_at[index]) : (cdg_handle){0};
}
