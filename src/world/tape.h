// What snapshots are made of: values passed to memory, or from it, or counted, always the same ones in the same order.
#ifndef CDG_WORLD_TAPE_H
#define CDG_WORLD_TAPE_H

#include <cordage/base.h>
#include <string.h>

typedef enum cdg_tape_direction { CDG_TAPE_COUNT, CDG_TAPE_SAVE, CDG_TAPE_LOAD } cdg_tape_direction;
typedef struct cdg_tape {
    cdg_tape_direction direction;
    double *data;
    size_t count;
    bool is_brief;      // room for contacts that are not there is left as it is; they are the last
    double fingerprint; // of what snapshots are of (fingerprint.c); 0: none was taken
} cdg_tape;

static inline void cdg_tape_pass(cdg_tape *t, double *values, size_t count) {
    if (t->direction == CDG_TAPE_SAVE) memcpy(t->data + t->count, values, count * sizeof *values);
    if (t->direction == CDG_TAPE_LOAD) memcpy(values, t->data + t->count, count * sizeof *values);
    t->count += count;
}

static inline void cdg_tape_pass_index(cdg_tape *t, uint64_t *value) { // exact up to 2^53
    double as_double = (double)*value;
    cdg_tape_pass(t, &as_double, 1);
    if (t->direction == CDG_TAPE_LOAD) *value = (uint64_t)as_double;
}

static inline void cdg_tape_pass_flag(cdg_tape *t, bool *value) {
    double as_double = *value ? 1 : 0;
    cdg_tape_pass(t, &as_double, 1);
    if (t->direction == CDG_TAPE_LOAD) *value = as_double != 0;
}

static inline void cdg_tape_pass_vec3(cdg_tape *t, cdg_vec3 *v) {
    cdg_tape_pass(t, &v->x, 1);
    cdg_tape_pass(t, &v->y, 1);
    cdg_tape_pass(t, &v->z, 1);
}

void cdg_tape_pass_values(void *t, double *values, size_t count); // as cdg_tape_pass, but a cdg_object_pass
void cdg_tape_pass_several(cdg_tape *t, double *const *arrays, size_t array_count, size_t count);
void cdg_tape_pass_count(cdg_tape *t, size_t *value);
void cdg_tape_pass_bytes(cdg_tape *t, uint8_t *values, size_t count);
void cdg_tape_pass_quat(cdg_tape *t, cdg_quat *q);

#endif
