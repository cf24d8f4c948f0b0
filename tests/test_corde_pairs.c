// Cells outside the chain: which there are, and that they act like those inside it.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "corde_case.h"
#include "near.h"

static corde_case plain_case(cdg_random *random, bool is_closed) {
    static cdg_vec3 points[CASE_ELEMENTS + 1];
    cdg_rod_def def = case_def(is_closed, CDG_CORDE_PENALTY, points, random);
    def.material.damping_bend = 0.1, def.material.damping_twist = 0.2;
    return case_build(&def);
}

static void test_which_pairs_there_are(void **state) {
    (void)state;
    cdg_random random = {3};
    corde_pair items[1 + 3 * CASE_HOLDS];
    size_t replaced[CASE_HOLDS];
    corde_pairs pairs = {.items = items, .replaced = replaced};
    for (int closed = 0; closed < 2; closed++) {
        corde_case c = plain_case(&random, closed == 1);
        corde_pairs_collect(c.rod, 1e-3, 0, &pairs);
        assert_int_equal(pairs.count, closed); // the seam
        assert_int_equal(pairs.replaced_count, 0);
        case_hold(&c, &random);
        corde_pairs_collect(c.rod, 1e-3, 0, &pairs);
        // node 0: one half cell, or two on a ring instead of the seam; node 3: two; node 5: two and the bending cell
        assert_int_equal(pairs.count, closed ? 7 : 6);
        assert_int_equal(pairs.replaced_count, 2);
        assert_true(pairs.count <= corde_pairs_capacity(c.rod));
        double bend = 0;
        for (size_t i = 0; i < pairs.count; i++) {
            assert_true(items[i].left != SIZE_MAX || items[i].right != SIZE_MAX);
            assert_true(items[i].stiffness.z > 0 || (items[i].hold == SIZE_MAX && items[i].stiffness.x > 0));
            bend += items[i].stiffness.x > 0;
        }
        assert_true(bend == (closed ? 5 : 4));
        case_free(&c);
    }
}

// A held section turns evenly through the step.
static void test_held_sections_turn_through_the_step(void **state) {
    (void)state;
    cdg_random random = {4};
    corde_pair items[1 + 3 * CASE_HOLDS];
    size_t replaced[CASE_HOLDS];
    corde_pairs pairs = {.items = items, .replaced = replaced};
    corde_case c = plain_case(&random, false);
    case_hold(&c, &random);
    cdg_vec3 turn = random_vec3(&random, 0.3);
    c.rod->holds_before[0] = c.rod->holds[0];
    c.rod->hold_before_count = 1;
    c.rod->holds[0].frame = quat_multiply(c.rod->holds[0].frame, quat_exp(turn));
    for (int i = 0; i <= 4; i++) {
        corde_pairs_collect(c.rod, 0.1, i / 4.0, &pairs);
        cdg_quat wanted = quat_multiply(c.rod->holds_before[0].frame, quat_exp(vec3_scale(i / 4.0, turn)));
        assert_rotation_near(items[0].held, wanted, 1e-14);
        assert_vec3_near(corde_vec3(items[0].held_spin), vec3_scale(10, turn), 1e-12);
    }
    case_free(&c);
}

// The seam of a ring is a cell like the others: numbering the ring from another node changes nothing.
static void test_the_seam_is_like_any_other_cell(void **state) {
    (void)state;
    cdg_random random = {5};
    corde_case a = plain_case(&random, true), b = plain_case(&random, true);
    size_t n = a.rod->element_count;
    case_shake(&a, &random, 1);
    for (size_t i = 0; i < n; i++) {
        size_t to = (i + 3) % n;
        b.rod->rest_length[to] = a.rod->rest_length[i];
        b.rod->node_mass[to] = a.rod->node_mass[i];
        rod_set_vec3(b.rod->x, to, rod_vec3(a.rod->x, i));
        rod_set_vec3(a.rod->v, i, random_vec3(&random, 1));
        rod_set_vec3(b.rod->v, to, rod_vec3(a.rod->v, i));
        rod_set_quat(b.rod->q, to, rod_quat(a.rod->q, i));
        rod_set_quat(b.rod->rest_turn, to, rod_quat(a.rod->rest_turn, i));
        for (int k = 0; k < 3; k++) {
            b.rod->bend_stiffness[k][to] = a.rod->bend_stiffness[k][i];
            b.rod->stretch_stiffness[k][to] = a.rod->stretch_stiffness[k][i];
            b.rod->frame_inertia[k][to] = a.rod->frame_inertia[k][i];
        }
    }
    case_predict(&a, 1e-4);
    case_predict(&b, 1e-4);
    for (size_t i = 0; i < n; i++) {
        size_t to = (i + 3) % n;
        assert_vec3_near(rod_vec3(b.rod->v_next, to), rod_vec3(a.rod->v_next, i), 1e-11);
        assert_vec3_near(rod_vec3(b.rod->w_next, to), rod_vec3(a.rod->w_next, i), 1e-9);
    }
    case_free(&a);
    case_free(&b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_which_pairs_there_are),
        cmocka_unit_test(test_held_sections_turn_through_the_step),
        cmocka_unit_test(test_the_seam_is_like_any_other_cell),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
