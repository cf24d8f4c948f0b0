// Values to a snapshot and from it: what was counted is what is saved, and loading gives the same bits back.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "world/tape.h"

typedef struct things {
    double numbers[3], more[2][4];
    uint64_t index;
    size_t count;
    bool flag, other;
    uint8_t bytes[3];
    cdg_vec3 vector;
    cdg_quat turn;
} things;

enum { DOUBLES = 3 + 8 + 1 + 1 + 2 + 3 + 3 + 4 };

static void pass_all(cdg_tape *t, things *it) {
    double *const arrays[2] = {it->more[0], it->more[1]};
    cdg_tape_pass(t, it->numbers, 3);
    cdg_tape_pass_several(t, arrays, 2, 4);
    cdg_tape_pass_index(t, &it->index);
    cdg_tape_pass_count(t, &it->count);
    cdg_tape_pass_flag(t, &it->flag);
    cdg_tape_pass_flag(t, &it->other);
    cdg_tape_pass_bytes(t, it->bytes, 3);
    cdg_tape_pass_vec3(t, &it->vector);
    cdg_tape_pass_quat(t, &it->turn);
}

static void test_round_trip(void **state) {
    (void)state;
    things it = {0}, kept, back = {0};
    for (int i = 0; i < 3; i++) it.numbers[i] = 0.1 * i - 7, it.bytes[i] = (uint8_t)(100 * i + 55);
    for (int i = 0; i < 8; i++) it.more[i / 4][i % 4] = 1.0 / (i + 3);
    it.index = (UINT64_C(1) << 53) - 1, it.count = 12, it.flag = true;
    it.vector = (cdg_vec3){1, -2, 1e-300}, it.turn = (cdg_quat){0.5, -0.5, 0.25, 4};
    memcpy(&kept, &it, sizeof it);
    double data[DOUBLES + 1] = {0};
    data[DOUBLES] = 77;
    cdg_tape count = {.direction = CDG_TAPE_COUNT}, save = {.direction = CDG_TAPE_SAVE, .data = data},
             load = {.direction = CDG_TAPE_LOAD, .data = data};
    pass_all(&count, &it);
    assert_int_equal(count.count, DOUBLES);
    pass_all(&save, &it);
    assert_int_equal(save.count, DOUBLES);
    assert_memory_equal(&kept, &it, sizeof it);
    assert_true(data[DOUBLES] == 77);
    pass_all(&load, &back);
    assert_memory_equal(&back, &it, sizeof it);
    double first[3];
    load.count = 0;
    cdg_tape_pass_values(&load, first, 3);
    assert_memory_equal(first, it.numbers, sizeof first);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_round_trip)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
