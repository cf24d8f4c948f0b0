// Values to and from a snapshot, as doubles.
#include "world/tape.h"

void cdg_tape_pass_several(cdg_tape *t, double *const *arrays, size_t array_count, size_t count) {
    for (size_t k = 0; k < array_count; k++) cdg_tape_pass(t, arrays[k], count);
}

void cdg_tape_pass_bytes(cdg_tape *t, uint8_t *values, size_t count) {
    for (size_t i = 0; i < count; i++) {
        double as_double = values[i];
        cdg_tape_pass(t, &as_double, 1);
        if (t->direction == CDG_TAPE_LOAD) values[i] = (uint8_t)as_double;
    }
}

void cdg_tape_pass_count(cdg_tape *t, size_t *value) {
    uint64_t as_index = *value;
    cdg_tape_pass_index(t, &as_index);
    if (t->direction == CDG_TAPE_LOAD) *value = (size_t)as_index;
}

void cdg_tape_pass_values(void *t, double *values, size_t count) { cdg_tape_pass(t, values, count); }

void cdg_tape_pass_quat(cdg_tape *t, cdg_quat *q) {
    double *values[4] = {&q->w, &q->x, &q->y, &q->z};
    for (int k = 0; k < 4; k++) cdg_tape_pass(t, values[k], 1);
}
