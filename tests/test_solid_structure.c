// Structures of solids: where each one is.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "math/quat.h"
#include "near.h"
#include "solids/solid_structure.h"

static void test_an_arch_is_even(void **state) {
    (void)state;
    solid_structure_def def = {.kind = SOLID_STRUCTURE_ARCH, .count = 9, .gap = 1e-3, .span = 3.14159265358979};
    cdg_vec3 before = {0}, top = vec3(0, 0, 1);
    cdg_quat turn, last = {0};
    for (size_t k = 0; k < 9; k++) {
        cdg_vec3 at;
        cdg_solid_structure_place(&def, k, &at, &turn);
        assert_near(at.y, 0, 1e-15);
        assert_near(vec3_dot(vec3_normalize(at), quat_rotate(turn, top)), 1, 1e-12); // outwards
        if (k > 0) {
            // between middles of neighbouring stones along their common face's normal
            cdg_vec3 across = vec3_sub(at, before);
            assert_near(vec3_norm(across), 1e-3, 1e-9);
            assert_near(vec3_dot(quat_rotate(turn, top), quat_rotate(last, top)), cos(3.14159265358979 / 9), 1e-12);
        }
        before = at, last = turn;
    }
}

static void test_a_stack_and_a_chain(void **state) {
    (void)state;
    cdg_vec3 at;
    cdg_quat turn;
    solid_structure_def stack = {.kind = SOLID_STRUCTURE_STACK, .count = 5, .distance = 0.1, .turn = 0.3};
    cdg_solid_structure_place(&stack, 3, &at, &turn);
    assert_near(vec3_distance(at, vec3(0, 0, 0.3)), 0, 1e-15);
    assert_near(quat_rotate(turn, vec3(1, 0, 0)).x, cos(0.9), 1e-12);
    solid_structure_def chain = {.kind = SOLID_STRUCTURE_CHAIN, .count = 5, .distance = 0.2};
    for (size_t k = 0; k < 5; k++) {
        cdg_solid_structure_place(&chain, k, &at, &turn);
        assert_near(at.x, 0.2 * (double)k, 1e-15);
        assert_near(fabs(quat_rotate(turn, vec3(0, 0, 1)).z), k % 2 == 0, 1e-12);
    }
}

static void test_a_heap_is_seeded_and_apart(void **state) {
    (void)state;
    solid_structure_def heap = {.kind = SOLID_STRUCTURE_HEAP, .count = 40, .distance = 1, .side = 3, .seed = 4};
    cdg_vec3 at[40], again;
    cdg_quat turn, other;
    for (size_t k = 0; k < 40; k++) {
        cdg_solid_structure_place(&heap, k, &at[k], &turn);
        for (size_t i = 0; i < k; i++) assert_true(vec3_distance(at[i], at[k]) > 0.89);
    }
    assert_true(at[39].z == 4);
    cdg_solid_structure_place(&heap, 39, &again, &other);
    assert_true(vec3_distance(at[39], again) == 0 && turn.w == other.w);
    heap.seed = 5;
    cdg_solid_structure_place(&heap, 39, &again, &other);
    assert_true(vec3_distance(at[39], again) > 0 && turn.w != other.w);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_an_arch_is_even),
                                       cmocka_unit_test(test_a_stack_and_a_chain),
                                       cmocka_unit_test(test_a_heap_is_seeded_and_apart)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
