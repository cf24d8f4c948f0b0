// Handles against a list of everything that was ever there: those of what is left find it, all others are stale.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/handles.h"
#include "math/random.h"

enum { EVER = 4000 };

static void test_closed_up(void **state) {
    (void)state;
    static cdg_handle ever[EVER];
    static size_t there[EVER]; // numbers of what is there, in order of creation
    cdg_handles handles = {0};
    cdg_random random = {5};
    size_t made = 0, count = 0;
    while (made < EVER) {
        if (count == 0 || random_in(&random, 0, 1) < 0.55) {
            assert_true(cdg_handles_reserve(&handles));
            ever[made] = cdg_handles_append(&handles);
            handles.slots[ever[made].index1 - 1].user_data = &ever[made];
            there[count++] = made++;
        } else {
            size_t place = (size_t)random_in(&random, 0, (double)count);
            cdg_handles_close_up(&handles, place);
            for (size_t i = place; i + 1 < count; i++) there[i] = there[i + 1];
            count--;
        }
        if (made % 50 != 0) continue;
        assert_int_equal(handles.count, count);
        assert_int_equal(cdg_handles_at(&handles, count).index1, 0);
        static size_t place_of[EVER];
        for (size_t i = 0; i < made; i++) place_of[i] = SIZE_MAX;
        for (size_t i = 0; i < count; i++) place_of[there[i]] = i;
        for (size_t i = 0; i < made; i++) {
            size_t found = cdg_handles_find(&handles, ever[i].index1, ever[i].generation);
            assert_true(found == place_of[i]);
            if (found == SIZE_MAX) continue;
            cdg_handle again = cdg_handles_at(&handles, found);
            assert_int_equal(again.index1, ever[i].index1);
            assert_int_equal(again.generation, ever[i].generation);
            assert_ptr_equal(handles.slots[ever[i].index1 - 1].user_data, &ever[i]);
        }
    }
    assert_true(handles.slot_count < EVER); // slots were used again
    cdg_handles_free(&handles);
}

static void test_that_stay(void **state) {
    (void)state;
    cdg_handles handles = {0};
    cdg_handle ids[3];
    for (int i = 0; i < 3; i++) {
        assert_true(cdg_handles_reserve(&handles));
        ids[i] = cdg_handles_add(&handles);
        assert_int_equal(ids[i].index1, i + 1);
        assert_int_equal(ids[i].generation, 1); // as files and programs know the first ones
    }
    cdg_handles_remove(&handles, 1);
    assert_true(cdg_handles_find(&handles, ids[1].index1, ids[1].generation) == SIZE_MAX);
    assert_int_equal(cdg_handles_in_slot(&handles, 1).index1, 0);
    assert_int_equal(cdg_handles_find(&handles, ids[2].index1, ids[2].generation), 2); // it stays
    handles.slots[0].user_data = ids;
    assert_true(cdg_handles_reserve(&handles));
    cdg_handle second = cdg_handles_add(&handles);
    assert_int_equal(second.index1, 2);
    assert_int_equal(second.generation, 2);
    assert_null(handles.slots[1].user_data);
    assert_true(cdg_handles_find(&handles, 2, 1) == SIZE_MAX);
    assert_int_equal(cdg_handles_find(&handles, 2, 2), 1);
    assert_true(cdg_handles_find(&handles, 0, 0) == SIZE_MAX);
    assert_true(cdg_handles_find(&handles, 4, 1) == SIZE_MAX);
    cdg_handles_free(&handles);
}

// After 2^32 - 1 generations a slot is left alone: a handle of the first would name what is there then.
static void test_last_generation(void **state) {
    (void)state;
    cdg_handles handles = {0};
    assert_true(cdg_handles_reserve(&handles));
    (void)cdg_handles_add(&handles);
    handles.slots[0].generation = UINT32_MAX;
    cdg_handles_remove(&handles, 0);
    assert_true(cdg_handles_reserve(&handles));
    assert_int_equal(cdg_handles_add(&handles).index1, 2);
    cdg_handles_free(&handles);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_closed_up),
        cmocka_unit_test(test_that_stay),
        cmocka_unit_test(test_last_generation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
