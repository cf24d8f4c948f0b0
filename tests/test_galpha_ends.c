// Boundary conditions of galpha: derivatives against differences, held poses, free ends, and reactions.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

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
    for (int round = 0; round < 36; round++) {
        galpha_case c;
        galpha_case_make(&c, &random, true, true);
        int end = round % 2;
        cdg_frame_hold frame = holds[round / 2 % 3];
        if (round >= 12) hold_end(&c, &random, end, round % 4 < 2 && round < 24, frame);
        if (round >= 24) {
            c.holds.hold[end].slides = true;
            c.holds.hold[end].along = vec3_normalize(random_vec3(&random, 1));
        }
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

// What holds a roll does no work on a section that only leans, however far: its moment is along the roll's derivative.
static void test_held_roll_does_no_work(void **state) {
    (void)state;
    cdg_random random = {5};
    for (int round = 0; round < 20; round++) {
        galpha_case c;
        galpha_case_make(&c, &random, true, false);
        hold_end(&c, &random, 0, true, CDG_HOLD_ROLL);
        galpha_trial *t = &c.trial[0];
        cdg_vec3 lean = random_vec3(&random, 2); // about axes across d3: no roll
        lean.z = 0;
        c.holds.hold[0].frame = quat_multiply(t->frame, quat_exp(lean));
        // the roll's rows by rotations of the section are the direction; such a moment is free of the conditions across
        double rows[TWO_POINT_ENDS][TWO_POINT_COLUMNS], residual[TWO_POINT_ENDS];
        galpha_end_rows(&c.step, 0, t, rows);
        cdg_vec3 along = vec3(rows[5][3], rows[5][4], rows[5][5]);
        t->moment = vec3_scale(c.step.force_scale * c.step.length_scale, along);
        galpha_end_residual(&c.step, 0, t, residual);
        for (int k = 3; k < 6; k++) assert_near(residual[k], 0, 1e-12);
        t->moment = vec3_scale(c.step.force_scale * c.step.length_scale, quat_d3(t->frame));
        galpha_end_residual(&c.step, 0, t, residual);
        if (vec3_norm(lean) > 0.5) assert_true(hypot(residual[3], residual[4]) > 0.1); // one about d3 is not
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

static cdg_rod_def beam(void) { // 1 m along x
    cdg_rod_def def = cdg_rod_def_default();
    def.model = CDG_MODEL_GALPHA;
    def.material = (cdg_material){.young_modulus = 1e9, .poisson_ratio = 0.3, .density = 1000};
    def.section.radius = 5e-3;
    def.element_count = 40;
    return def;
}
static const double beam_stiffness = 1e9 * 3.14159265358979 / 4 * 625e-12; // N m^2

static cdg_support_id hold(small_world *small, cdg_support_kind kind, size_t node, cdg_vec3 along, bool holds_frame) {
    cdg_support_def def = {
        .kind = kind, .place = {small->rod, CDG_PLACE_NODE, node}, .along = along, .holds_frame = holds_frame};
    cdg_support_id id;
    must(small->world, cdg_world_add_support(small->world, &def, &id));
    return id;
}

// A beam on a pin and a roller: no thrust, half the weight at each end, Euler and Bernoulli's sag, and the roller comes
// nearer as the beam sags. On two pins it could not, and there would be thrust.
static void test_roller(void **state) {
    (void)state;
    cdg_rod_def def = beam();
    small_world small = small_world_make(&def, vec3(0, 0, -1), 0.01, false);
    hold(&small, CDG_SUPPORT_PIN, 0, vec3(0, 0, 0), false);
    hold(&small, CDG_SUPPORT_TWIST, 0, vec3(0, 0, 0), false);
    cdg_support_id roller = hold(&small, CDG_SUPPORT_SLIDE, 40, vec3(-3, 0, 0), false);
    must(small.world, cdg_world_find_equilibrium(small.world, NULL));
    cdg_vec3 force, moment, x[41];
    cdg_rod_info info;
    must(small.world, cdg_rod_get_info(small.world, small.rod, &info));
    must(small.world, cdg_support_reaction(small.world, roller, &force, &moment));
    must(small.world, cdg_rod_positions(small.world, small.rod, x));
    assert_vec3_near(force, vec3(0, 0, info.mass / 2), 1e-9 * info.mass);
    assert_vec3_near(moment, vec3(0, 0, 0), 1e-12);
    double sag = 5 * info.mass / (384 * beam_stiffness);
    assert_near(-x[20].z, sag, 0.01 * sag); // some of which is shear
    assert_near(x[40].y, 0, 1e-12);
    assert_near(x[40].z, 0, 1e-12);
    assert_true(x[40].x < 1 - sag * sag);
    cdg_world_destroy(small.world);
}

// A clamp that slides across the beam: the end moves by F L^3/(12 B) and does not turn, F L/2 holds it.
static void test_guided(void **state) {
    (void)state;
    cdg_rod_def def = beam();
    small_world small = small_world_make(&def, vec3(0, 0, 0), 0.01, true);
    cdg_support_id guide = hold(&small, CDG_SUPPORT_SLIDE, 40, vec3(0, 0, 1), true);
    double force = 0.002; // a move of a small part of the radius, or the stretching would carry some of it
    cdg_load_def load = cdg_load_def_default();
    load.place = (cdg_place){small.rod, CDG_PLACE_NODE, 40};
    load.value = vec3(0, 0, force);
    must(small.world, cdg_world_add_load(small.world, &load, NULL));
    must(small.world, cdg_world_find_equilibrium(small.world, NULL));
    cdg_vec3 reaction, moment, x[41];
    must(small.world, cdg_support_reaction(small.world, guide, &reaction, &moment));
    must(small.world, cdg_rod_positions(small.world, small.rod, x));
    double move = force / (12 * beam_stiffness);
    assert_near(x[40].z, move, 0.01 * move);
    assert_near(x[40].x, 1, 1e-12); // stays on its line: the beam is stretched
    assert_near(reaction.z, 0, 1e-12);
    assert_near(fabs(moment.y), force / 2, 0.01 * force);
    cdg_world_destroy(small.world);
}

// In motion: nothing holds the rod along its lines, so it falls as a stone; and lines that move and turn take the ends
// along while the rod slides on them. Energy that the lines put in is accounted for.
static void test_moving_line(void **state) {
    (void)state;
    cdg_rod_def def = beam();
    small_world small = small_world_make(&def, vec3(0, 0, -10), 1e-3, false);
    hold(&small, CDG_SUPPORT_SLIDE, 0, vec3(0, 0, 1), false);
    hold(&small, CDG_SUPPORT_SLIDE, 40, vec3(0, 0, 1), false);
    hold(&small, CDG_SUPPORT_TWIST, 0, vec3(0, 0, 0), false);
    small_world_run(&small, 200);
    cdg_vec3 x[41];
    must(small.world, cdg_rod_positions(small.world, small.rod, x));
    for (int i = 0; i <= 40; i += 20) assert_vec3_near(x[i], vec3(i / 40.0, 0, -5 * 0.2 * 0.2), 1.5e-3); // first step
    cdg_world_destroy(small.world);

    small = small_world_make(&def, vec3(0, 0, 0), 1e-3, false);
    cdg_motion motions[2] = {
        {.kind = CDG_MOTION_MOVE, .move = {0, 0.1, 0}, .to = 0.3, .ease = CDG_EASE_SMOOTH},
        {.kind = CDG_MOTION_ROTATE, .axis = {0, 0, 1}, .angle = 0.4, .from = 0.1, .to = 0.4, .ease = CDG_EASE_SMOOTH}};
    cdg_support_def line = {.kind = CDG_SUPPORT_SLIDE,
                            .place = {small.rod, CDG_PLACE_NODE, 40},
                            .along = {1, 0, 0},
                            .motions = motions,
                            .motion_count = 2};
    hold(&small, CDG_SUPPORT_PIN, 0, vec3(0, 0, 0), false);
    hold(&small, CDG_SUPPORT_TWIST, 0, vec3(0, 0, 0), false);
    must(small.world, cdg_world_add_support(small.world, &line, NULL));
    small_world_run(&small, 400);
    must(small.world, cdg_rod_positions(small.world, small.rod, x));
    cdg_vec3 along = vec3(cos(0.4), sin(0.4), 0), away = vec3_sub(x[40], vec3(1, 0.1, 0));
    assert_vec3_near(vec3_cross(along, away), vec3(0, 0, 0), 1e-9); // on the line where it is now
    assert_true(fabs(vec3_dot(along, away)) > 0.005);
    cdg_energy energy = cdg_world_energy(small.world);
    assert_near(energy.dissipated, 0, 0.02 * energy.total); // first order in what the line's turn does
    cdg_world_destroy(small.world);
}

static void test_slide_refused(void **state) {
    (void)state;
    for (int model = 0; model < CDG_MODEL_COUNT; model++) {
        cdg_rod_def def = beam();
        def.model = (cdg_model)model;
        small_world small = small_world_make(&def, vec3(0, 0, 0), 1e-3, false);
        cdg_support_def line = {.kind = CDG_SUPPORT_SLIDE, .place = {small.rod, CDG_PLACE_NODE, 40}};
        assert_int_equal(cdg_world_add_support(small.world, &line, NULL), CDG_ERROR_ARGUMENT);
        assert_non_null(strstr(cdg_world_message(small.world), "no length"));
        line.along = vec3(1, 0, 0);
        cdg_result expected = model == CDG_MODEL_GALPHA ? CDG_OK : CDG_ERROR_UNSUPPORTED;
        assert_int_equal(cdg_world_add_support(small.world, &line, NULL), expected);
        if (expected != CDG_OK) assert_non_null(strstr(cdg_world_message(small.world), "models that can: galpha"));
        line.place.index = 20;
        assert_int_equal(cdg_world_add_support(small.world, &line, NULL), CDG_ERROR_UNSUPPORTED);
        cdg_world_destroy(small.world);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_held_roll_does_no_work),
        cmocka_unit_test(test_jacobian),
        cmocka_unit_test(test_held_frame),
        cmocka_unit_test(test_holds_at),
        cmocka_unit_test(test_reactions),
        cmocka_unit_test(test_roller),
        cmocka_unit_test(test_guided),
        cmocka_unit_test(test_moving_line),
        cmocka_unit_test(test_slide_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
