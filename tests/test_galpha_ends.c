// Boundary conditions of galpha: derivatives against differences, held poses, free ends, and reactions.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "galpha_case.h"
#include "near.h"
#include "small_world.h"

static void hold_end(galpha_case *c, cdg_random *random, int end, bool position, cdg_frame_hold frame) {
    const galpha_trial *t = &c->trial[end == 0 ? 0 : GALPHA_CASE_ELEMENTS];
    c->holds.has_hold[end] = true;
    c->holds.hold[end] = (cdg_hold){
        .holds_position = position,
        .frame_hold = frame,
        .position = vec3_add(t->position, random_vec3(random, 0.1)),
        .frame = quat_multiply(t->frame, quat_exp(random_vec3(random, 0.1))),
    };
}

static void test_jacobian(void **state) {
    (void)state;
    cdg_random random = {1};
    const cdg_frame_hold holds[] = {CDG_HOLD_NO_FRAME, CDG_HOLD_FRAME, CDG_HOLD_ROLL};
    for (int round = 0; round < 24; round++) {
        galpha_case c;
        galpha_case_make(&c, &random, true, true);
        int end = round % 2;
        cdg_frame_hold frame = holds[round / 2 % 3];
        if (round >= 12) hold_end(&c, &random, end, round % 4 < 2, frame);
        size_t node = end == 0 ? 0 : GALPHA_CASE_ELEMENTS;
        double rows[TWO_POINT_ENDS][TWO_POINT_COLUMNS], low[TWO_POINT_ENDS], high[TWO_POINT_ENDS];
        if (round >= 12 && frame == CDG_HOLD_FRAME)
            c.trial[node].frame = c.holds.hold[end].frame; // the derivative is exact there only
        galpha_end_rows(&c.step, end, &c.trial[node], rows);
        for (int k = 0; k < TWO_POINT_FIELDS; k++) {
            const double h = 1e-5;
            for (int side = -1; side <= 1; side += 2) {
                galpha_trial t = c.trial[node];
                galpha_case_nudge(&c.step, node, &t, k, side * h);
                galpha_end_residual(&c.step, end, &t, side < 0 ? low : high);
            }
            for (int r = 0; r < TWO_POINT_ENDS; r++) assert_near((high[r] - low[r]) / (2 * h), rows[r][k], 1e-6);
        }
        galpha_case_free(&c);
    }
}

// A held frame is reached by one correction, however far it is.
static void test_held_frame(void **state) {
    (void)state;
    cdg_random random = {2};
    galpha_case c;
    galpha_case_make(&c, &random, true, false);
    hold_end(&c, &random, 0, true, CDG_HOLD_FRAME);
    c.holds.hold[0].frame = quat_multiply(quat_exp(vec3(0.5, 1, -2)), c.trial[0].frame);
    double residual[TWO_POINT_ENDS];
    galpha_end_residual(&c.step, 0, &c.trial[0], residual);
    cdg_quat corrected = quat_multiply(quat_exp(vec3(-residual[3], -residual[4], -residual[5])), c.trial[0].frame);
    assert_rotation_near(corrected, c.holds.hold[0].frame, 1e-12);
    galpha_case_free(&c);
}

static void test_holds_at(void **state) {
    (void)state;
    cdg_rod *rod = galpha_case_rod(true, false);
    cdg_hold hold = {.node = rod->node_count - 1,
                     .holds_position = true,
                     .frame_hold = CDG_HOLD_FRAME,
                     .position = {4, 0, 0},
                     .frame = quat_exp(vec3(0, 0, 1))};
    rod->holds = &hold;
    rod->hold_count = 1;
    galpha_node first = {.frame = quat_identity()}, last = {.position = {2, 0, 0}, .frame = quat_identity()};
    galpha_hold_pair whole = galpha_holds_at(rod, &first, &last, 1), half = galpha_holds_at(rod, &first, &last, 0.5);
    assert_false(whole.has_hold[0]);
    assert_true(whole.has_hold[1]);
    assert_vec3_near(whole.hold[1].position, vec3(4, 0, 0), 0);
    assert_vec3_near(half.hold[1].position, vec3(3, 0, 0), 1e-15);
    assert_rotation_near(half.hold[1].frame, quat_exp(vec3(0, 0, 0.5)), 1e-14);
    rod->holds = NULL;
    cdg_rod_destroy(rod);
}

// Hanging from a clamp: force and moment at the support balance weight and its lever, and a pin carries no moment.
static void test_reactions(void **state) {
    (void)state;
    for (int end = 0; end < 2; end++)
        for (int kind = 0; kind < 2; kind++) {
            cdg_rod_def def = cdg_rod_def_default();
            def.model = CDG_MODEL_GALPHA;
            def.material.young_modulus = 1e8;
            small_world small = small_world_make(&def, vec3(0, 0, -9.81), 0.01, false);
            cdg_rod_info info;
            must(small.world, cdg_rod_get_info(small.world, small.rod, &info));
            cdg_support_def support = {.kind = CDG_SUPPORT_CLAMP,
                                       .place = {small.rod, CDG_PLACE_NODE, end == 0 ? 0 : info.node_count - 1}};
            cdg_support_id id, other;
            must(small.world, cdg_world_add_support(small.world, &support, &id));
            support.kind = CDG_SUPPORT_PIN;
            support.place.index = info.node_count - 1 - support.place.index;
            if (kind == 1) must(small.world, cdg_world_add_support(small.world, &support, &other));
            must(small.world, cdg_world_find_equilibrium(small.world, NULL));
            cdg_vec3 force, moment, second = vec3(0, 0, 0), none = vec3(0, 0, 0), x[64];
            must(small.world, cdg_support_reaction(small.world, id, &force, &moment));
            if (kind == 1) must(small.world, cdg_support_reaction(small.world, other, &second, &none));
            double weight = info.mass * 9.81;
            assert_vec3_near(vec3_add(force, second), vec3(0, 0, weight), 1e-9 * weight);
            assert_vec3_near(none, vec3(0, 0, 0), 1e-12 * weight);
            must(small.world, cdg_rod_positions(small.world, small.rod, x));
            // moments about the clamp
            cdg_vec3 sum = moment, origin = x[end == 0 ? 0 : info.node_count - 1];
            for (size_t i = 0; i < info.node_count; i++) {
                double share = i == 0 || i == info.node_count - 1 ? 0.5 : 1;
                cdg_vec3 node_weight = vec3(0, 0, -weight * share / (double)info.element_count);
                sum = vec3_add(sum, vec3_cross(vec3_sub(x[i], origin), node_weight));
            }
            cdg_vec3 arm = vec3_sub(x[end == 0 ? info.node_count - 1 : 0], origin);
            sum = vec3_add(sum, vec3_cross(arm, second));
            assert_vec3_near(sum, vec3(0, 0, 0), 1e-9 * weight);
            cdg_world_destroy(small.world);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_jacobian),
        cmocka_unit_test(test_held_frame),
        cmocka_unit_test(test_holds_at),
        cmocka_unit_test(test_reactions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
