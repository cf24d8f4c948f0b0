// The octree: leaves fill the root once, neighbours that share an edge differ by two at most.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "math/random.h"
#include "meshing/octree.h"

static void build(cdg_octree *tree, int layers, cdg_budget *budget) {
    *tree = (cdg_octree){.levels = 6};
    cdg_random random = {4};
    for (int i = 0; i < 5; i++) {
        uint32_t at[3];
        for (int a = 0; a < 3; a++) at[a] = 2 * (uint32_t)random_in(&random, 4, 60) + 1;
        assert_true(cdg_octree_refine_about(tree, bcc_key(at[0], at[1], at[2]), budget));
    }
    assert_true(cdg_octree_finish(tree, layers, budget));
}

static void test_leaves_fill_the_root(void **state) {
    (void)state;
    cdg_budget budget = {.limit = 1 << 26};
    uint32_t counts[2];
    for (int layers = 1; layers < 3; layers++) {
        cdg_octree tree;
        build(&tree, layers, &budget);
        uint64_t volume = 0;
        for (uint32_t i = 0; i < tree.leaves.count; i++) volume += (uint64_t)1 << 3 * bcc_level(tree.leaves.keys[i]);
        assert_int_equal(volume, 1 << 18);
        counts[layers - 1] = tree.leaves.count;
        cdg_octree_free(&tree, &budget);
    }
    assert_true(counts[1] > counts[0]); // slower grading has more
    assert_int_equal(budget.used, 0);
}

static void test_neighbours_are_balanced(void **state) {
    (void)state;
    cdg_budget budget = {.limit = 1 << 26};
    cdg_octree tree;
    build(&tree, 1, &budget);
    int seen[4] = {0};
    for (uint32_t i = 0; i < tree.leaves.count; i++) {
        uint64_t leaf = tree.leaves.keys[i];
        int level = bcc_level(leaf);
        for (int side = 0; side < 6; side++) {
            uint32_t other, smaller[4];
            cdg_octree_relation relation = cdg_octree_beyond(&tree, leaf, level, side, &other);
            seen[relation]++;
            if (relation == CDG_OCTREE_SAME) assert_int_equal(bcc_level(tree.leaves.keys[other]), level);
            if (relation == CDG_OCTREE_LARGER) assert_int_equal(bcc_level(tree.leaves.keys[other]), level + 1);
            if (relation != CDG_OCTREE_SMALLER) continue;
            cdg_octree_smaller(&tree, leaf, level, side, smaller);
            for (int k = 0; k < 4; k++) {
                assert_true(smaller[k] != CDG_NO_NUMBER);
                assert_int_equal(bcc_level(tree.leaves.keys[smaller[k]]), level - 1);
            }
        }
    }
    for (int k = 0; k < 4; k++) assert_true(seen[k] > 0);
    cdg_octree_free(&tree, &budget);
}

static void test_wholly_divided(void **state) {
    (void)state;
    cdg_budget budget = {.limit = 1 << 26};
    cdg_octree tree = {.levels = 4};
    assert_true(cdg_octree_refine_all(&tree, bcc_key(8, 8, 8), &budget)); // a cube of level 3
    assert_true(cdg_octree_finish(&tree, 1, &budget));
    size_t fine = 0;
    for (uint32_t i = 0; i < tree.leaves.count; i++) fine += bcc_level(tree.leaves.keys[i]) == 0;
    assert_int_equal(fine, 512);
    cdg_octree_free(&tree, &budget);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_leaves_fill_the_root),
        cmocka_unit_test(test_neighbours_are_balanced),
        cmocka_unit_test(test_wholly_divided),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
