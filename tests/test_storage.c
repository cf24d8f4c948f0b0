// Scene memory: alignment, zeroing, growth, limit.
#include "scene_text.h"

#include "math/random.h"

static void test_pieces_are_zeroed_aligned_and_apart(void **state) {
    (void)state;
    scene_storage *storage = cdg_storage_create(0);
    cdg_random random = {1};
    enum { COUNT = 500 };
    unsigned char *pieces[COUNT];
    size_t sizes[COUNT];
    for (size_t i = 0; i < COUNT; i++) {
        sizes[i] = (size_t)random_in(&random, 1, i % 50 == 0 ? 200000 : 300);
        pieces[i] = cdg_storage_allocate(storage, sizes[i], 1);
        assert_non_null(pieces[i]);
        assert_int_equal((uintptr_t)pieces[i] % _Alignof(max_align_t), 0);
        for (size_t k = 0; k < sizes[i]; k++) assert_int_equal(pieces[i][k], 0);
        memset(pieces[i], (int)(i % 251), sizes[i]);
    }
    for (size_t i = 0; i < COUNT; i++) {
        for (size_t k = 0; k < sizes[i]; k++) assert_int_equal(pieces[i][k], i % 251);
    }
    assert_false(cdg_storage_has_failed(storage));
    cdg_storage_destroy(storage);
}

static void test_growing_keeps_what_was_there(void **state) {
    (void)state;
    scene_storage *storage = cdg_storage_create(0);
    int *numbers = NULL, *behind[3000];
    for (int i = 0; i < 3000; i++) {
        numbers = cdg_storage_grow(storage, numbers, (size_t)i, sizeof *numbers);
        assert_non_null(numbers);
        numbers[i] = i;
        behind[i] = cdg_storage_allocate(storage, 1, sizeof(int));
        *behind[i] = -1 - i;
    }
    for (int i = 0; i < 3000; i++) {
        assert_int_equal(numbers[i], i);
        assert_int_equal(*behind[i], -1 - i); // what stands behind the array was not written over
    }
    cdg_storage_destroy(storage);
}

static void test_limit_and_overflow_fail_and_are_remembered(void **state) {
    (void)state;
    scene_storage *storage = cdg_storage_create(100);
    assert_non_null(cdg_storage_allocate(storage, 80, 1));
    assert_true(cdg_storage_has_room(storage, 20));
    assert_false(cdg_storage_has_failed(storage));
    assert_null(cdg_storage_allocate(storage, 80, 1));
    assert_true(cdg_storage_has_failed(storage));
    assert_true(cdg_storage_used(storage) <= 100);
    cdg_storage_destroy(storage);
    storage = cdg_storage_create(100);
    assert_false(cdg_storage_has_room(storage, 1e20));
    assert_true(cdg_storage_has_failed(storage));
    cdg_storage_destroy(storage);
    storage = cdg_storage_create(0);
    assert_true(cdg_storage_has_room(storage, 1e20));
    assert_null(cdg_storage_allocate(storage, SIZE_MAX / 2, 4));
    assert_true(cdg_storage_has_failed(storage));
    cdg_storage_destroy(storage);
    cdg_storage_destroy(NULL);
}

static void test_copies_are_terminated(void **state) {
    (void)state;
    scene_storage *storage = cdg_storage_create(0);
    assert_string_equal(cdg_storage_copy(storage, "abcdef", 3), "abc");
    assert_string_equal(cdg_storage_copy(storage, "", 0), "");
    cdg_storage_destroy(storage);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pieces_are_zeroed_aligned_and_apart),
        cmocka_unit_test(test_growing_keeps_what_was_there),
        cmocka_unit_test(test_limit_and_overflow_fail_and_are_remembered),
        cmocka_unit_test(test_copies_are_terminated),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
