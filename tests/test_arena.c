// The bump arena: alignment, disjoint pieces, mark and release, exhaustion, sizes that do not fit a size_t.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/arena.h"
#include "math/random.h"

enum { BLOCK_SIZE = 1 << 16 };

static int make_block(void **state) {
    *state = aligned_alloc(CDG_ARENA_ALIGNMENT, BLOCK_SIZE);
    return *state == NULL;
}

static int free_block(void **state) {
    free(*state);
    return 0;
}

static void test_pieces_are_aligned_and_disjoint(void **state) {
    cdg_random random = {7};
    for (int round = 0; round < 50; round++) {
        cdg_arena arena = arena_init(*state, BLOCK_SIZE);
        unsigned char *pieces[64];
        size_t sizes[64], sum = 0;
        int count = 0;
        for (; count < 64; count++) {
            sizes[count] = (size_t)random_in(&random, 1, 900);
            pieces[count] = arena_alloc(&arena, sizes[count]);
            assert_non_null(pieces[count]);
            assert_int_equal((uintptr_t)pieces[count] % CDG_ARENA_ALIGNMENT, 0);
            memset(pieces[count], count, sizes[count]);
            sum += arena_size(sizes[count]);
            assert_int_equal(arena_mark(&arena), sum);
        }
        for (int i = 0; i < count; i++)
            for (size_t k = 0; k < sizes[i]; k++) assert_int_equal(pieces[i][k], i);
    }
}

static void test_block_of_the_summed_size_is_just_enough(void **state) {
    cdg_random random = {11};
    for (int round = 0; round < 200; round++) {
        size_t counts[10], size = 0;
        for (int i = 0; i < 10; i++) {
            counts[i] = (size_t)random_in(&random, 0, 300);
            size += arena_size_doubles(counts[i]);
        }
        cdg_arena arena = arena_init(*state, size);
        for (int i = 0; i < 10; i++) assert_non_null(arena_alloc_doubles(&arena, counts[i]));
        assert_null(arena_alloc(&arena, 1));
        assert_int_equal(arena_mark(&arena), size);
    }
}

static void test_release_gives_the_same_memory_again(void **state) {
    cdg_arena arena = arena_init(*state, BLOCK_SIZE);
    double *kept = arena_alloc_doubles(&arena, 3);
    kept[2] = 42;
    size_t mark = arena_mark(&arena);
    double *first = arena_alloc_doubles(&arena, 100);
    size_t inner = arena_mark(&arena);
    assert_non_null(arena_alloc_doubles(&arena, 5));
    arena_release(&arena, inner);
    arena_release(&arena, mark);
    double *second = arena_alloc_doubles(&arena, 100);
    assert_ptr_equal(first, second);
    assert_true(kept[2] == 42); // exact: nothing may have touched it
}

static void test_too_much_is_refused_and_changes_nothing(void **state) {
    cdg_arena arena = arena_init(*state, 256);
    assert_non_null(arena_alloc(&arena, 65));
    size_t before = arena_mark(&arena);
    assert_null(arena_alloc(&arena, 129));
    assert_null(arena_alloc(&arena, SIZE_MAX));
    assert_null(arena_alloc(&arena, SIZE_MAX - 62));
    assert_null(arena_alloc_doubles(&arena, SIZE_MAX / 8 + 1)); // count * 8 wraps round to 8
    assert_int_equal(arena_mark(&arena), before);
    assert_non_null(arena_alloc(&arena, 128));
    assert_null(arena_alloc(&arena, 1));
}

static void test_empty_arena(void **state) {
    (void)state;
    cdg_arena arena = arena_init(NULL, 0);
    assert_null(arena_alloc(&arena, 0));
    assert_null(arena_alloc_doubles(&arena, 1));
}

static void test_sizes(void **state) {
    (void)state;
    assert_int_equal(arena_size(0), 0);
    assert_int_equal(arena_size(1), 64);
    assert_int_equal(arena_size(64), 64);
    assert_int_equal(arena_size(65), 128);
    assert_int_equal(arena_size_doubles(9), 128);
    assert_true(arena_size(SIZE_MAX - 3) == SIZE_MAX);
    assert_true(arena_size_doubles(SIZE_MAX / 4) == SIZE_MAX);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_pieces_are_aligned_and_disjoint, make_block, free_block),
        cmocka_unit_test_setup_teardown(test_block_of_the_summed_size_is_just_enough, make_block, free_block),
        cmocka_unit_test_setup_teardown(test_release_gives_the_same_memory_again, make_block, free_block),
        cmocka_unit_test_setup_teardown(test_too_much_is_refused_and_changes_nothing, make_block, free_block),
        cmocka_unit_test(test_empty_arena),
        cmocka_unit_test(test_sizes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
