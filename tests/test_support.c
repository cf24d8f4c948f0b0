// Supports: poses of composed motions, holds of combined supports, release, reactions and work.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "hand_rod.h"
#include "near.h"

#define PI 3.14159265358979323846

static cdg_motion move(cdg_vec3 by, double from, double to, cdg_ease ease) {
    return (cdg_motion){.kind = CDG_MOTION_MOVE, .move = by, .from = from, .to = to, .ease = ease};
}

static cdg_motion rotate(cdg_vec3 axis, double angle, double from, double to) {
    return (cdg_motion){.kind = CDG_MOTION_ROTATE, .axis = axis, .angle = angle, .from = from, .to = to};
}

static cdg_motion rotate_about(cdg_vec3 center, cdg_vec3 axis, double angle, double from, double to) {
    cdg_motion motion = rotate(axis, angle, from, to);
    motion.has_center = true;
    motion.center = center;
    return motion;
}

static world_support support_with(const cdg_motion *motions, size_t count, cdg_vec3 position, cdg_quat frame) {
    return (world_support){.def = {.kind = CDG_SUPPORT_CLAMP, .motions = motions, .motion_count = count},
                           .position = position,
                           .frame = frame};
}

static void test_without_motion_nothing_moves(void **state) {
    (void)state;
    cdg_random random = {1};
    cdg_vec3 x0 = random_vec3(&random, 1), x;
    cdg_quat q0 = random_rotation(&random), q;
    world_support support = support_with(NULL, 0, x0, q0);
    cdg_support_pose(&support, 3, &x, &q);
    assert_vec3_near(x, x0, 0);
    assert_rotation_near(q, q0, 1e-15);
}

static void test_move_over_time(void **state) {
    (void)state;
    cdg_vec3 x;
    cdg_quat q;
    cdg_motion motion = move(vec3(2, 0, -4), 1, 3, CDG_EASE_LINEAR);
    world_support support = support_with(&motion, 1, vec3(1, 1, 1), quat_identity());
    const double times[] = {0, 1, 1.5, 2, 3, 4, 1e9}, progress[] = {0, 0, 0.25, 0.5, 1, 1, 1};
    for (int i = 0; i < 7; i++) {
        cdg_support_pose(&support, times[i], &x, &q);
        assert_vec3_near(x, vec3_mad(vec3(1, 1, 1), progress[i], vec3(2, 0, -4)), 1e-15);
        assert_rotation_near(q, quat_identity(), 0);
    }
}

// Smooth: no speed and no acceleration at the ends, symmetric about the middle, monotone.
static void test_smooth_ease(void **state) {
    (void)state;
    cdg_motion motion = move(vec3(1, 0, 0), 2, 4, CDG_EASE_SMOOTH);
    world_support support = support_with(&motion, 1, vec3(0, 0, 0), quat_identity());
    cdg_vec3 x, mirrored, before = vec3(0, 0, 0);
    cdg_quat q;
    for (int i = 0; i <= 1000; i++) {
        double s = i / 1000.0;
        cdg_support_pose(&support, 2 + 2 * s, &x, &q);
        cdg_support_pose(&support, 4 - 2 * s, &mirrored, &q);
        assert_near(x.x + mirrored.x, 1, 1e-14);
        assert_true(x.x >= before.x);
        assert_near(x.x, 10 * pow(s, 3) - 15 * pow(s, 4) + 6 * pow(s, 5), 1e-14);
        before = x;
    }
    cdg_support_pose(&support, 2 + 2e-4, &x, &q); // third order at the start: 10 s^3
    assert_near(x.x, 1e-11, 1e-14);
    cdg_support_pose(&support, 4, &x, &q);
    assert_near(x.x, 1, 0);
}

static void test_instantaneous_motion(void **state) {
    (void)state;
    cdg_vec3 x;
    cdg_quat q;
    cdg_motion motions[2] = {move(vec3(1, 0, 0), 1, 1, CDG_EASE_SMOOTH), rotate(vec3(0, 0, 1), PI / 2, 2, 2)};
    world_support support = support_with(motions, 2, vec3(0, 0, 0), quat_identity());
    cdg_support_pose(&support, 1 - 1e-12, &x, &q);
    assert_vec3_near(x, vec3(0, 0, 0), 0);
    cdg_support_pose(&support, 1, &x, &q);
    assert_vec3_near(x, vec3(1, 0, 0), 0);
    assert_rotation_near(q, quat_identity(), 0);
    cdg_support_pose(&support, 2, &x, &q);
    assert_vec3_near(quat_d1(q), vec3(0, 1, 0), 1e-15);
}

// Ten turns in two seconds: at every time the frame is turned by exactly the angle of that time, without sign jumps.
static void test_many_turns_are_exact_and_continuous(void **state) {
    (void)state;
    cdg_random random = {2};
    cdg_quat q0 = random_rotation(&random), q, before = q0;
    cdg_vec3 axis = random_vec3(&random, 3), x;
    cdg_motion motion = rotate(axis, 20 * PI, 0, 2);
    world_support support = support_with(&motion, 1, vec3(1, 2, 3), q0);
    for (int i = 0; i <= 2000; i++) {
        double time = 2 * i / 2000.0, angle = 10 * PI * time;
        cdg_support_pose(&support, time, &x, &q);
        assert_rotation_near(q, quat_multiply(quat_from_axis_angle(axis, angle), q0), 1e-13);
        assert_true(quat_dot(before, q) > 0.999);
        assert_vec3_near(x, vec3(1, 2, 3), 0); // about itself: the point stays
        before = q;
    }
    cdg_support_pose(&support, 2, &x, &q);
    assert_near(quat_dot(q, q0), 1, 1e-13); // an even number of turns: the very same quaternion
}

static void test_rotation_about_a_center_carries_place_and_frame(void **state) {
    (void)state;
    cdg_random random = {3};
    for (int i = 0; i < 200; i++) {
        cdg_vec3 x0 = random_vec3(&random, 1), center = random_vec3(&random, 1), axis = random_vec3(&random, 1), x;
        cdg_quat q0 = random_rotation(&random), q;
        double angle = random_in(&random, -20, 20), time = random_in(&random, 0, 1);
        cdg_motion motion = rotate_about(center, axis, angle, 0, 1);
        world_support support = support_with(&motion, 1, x0, q0);
        cdg_support_pose(&support, time, &x, &q);
        cdg_vec3 arm0 = vec3_sub(x0, center), arm = vec3_sub(x, center);
        assert_near(vec3_norm(arm), vec3_norm(arm0), 1e-14);
        // the arm in the section's own frame does not change: place and frame turn as one body
        assert_vec3_near(quat_rotate_inverse(q, arm), quat_rotate_inverse(q0, arm0), 1e-13);
        assert_near(vec3_dot(arm, vec3_normalize(axis)), vec3_dot(arm0, vec3_normalize(axis)), 1e-13);
    }
}

static void test_motions_act_in_order(void **state) {
    (void)state;
    cdg_vec3 x;
    cdg_quat q;
    cdg_motion motions[3] = {move(vec3(1, 0, 0), 0, 1, CDG_EASE_LINEAR),
                             rotate_about(vec3(0, 0, 0), vec3(0, 0, 1), PI / 2, 0, 1),
                             move(vec3(0, 0, 2), 0, 1, CDG_EASE_LINEAR)};
    world_support support = support_with(motions, 3, vec3(1, 0, 0), quat_identity());
    cdg_support_pose(&support, 1, &x, &q);
    assert_vec3_near(x, vec3(0, 2, 2), 1e-15); // moved to (2, 0, 0), turned to (0, 2, 0), lifted
    cdg_motion swapped[2] = {motions[1], motions[0]};
    support = support_with(swapped, 2, vec3(1, 0, 0), quat_identity());
    cdg_support_pose(&support, 1, &x, &q);
    assert_vec3_near(x, vec3(1, 1, 0), 1e-15); // turned to (0, 1, 0), then moved

    cdg_motion turns[2] = {rotate(vec3(1, 0, 0), PI / 2, 0, 1), rotate(vec3(0, 0, 1), PI / 2, 0, 1)};
    support = support_with(turns, 2, vec3(0, 0, 0), quat_identity());
    cdg_support_pose(&support, 1, &x, &q);
    assert_vec3_near(quat_d3(q), vec3(1, 0, 0), 1e-15); // z -> -y about x, then -y -> x about z: world axes
}

static void test_pose_is_equivariant(void **state) {
    (void)state;
    cdg_random random = {4};
    for (int i = 0; i < 100; i++) {
        cdg_quat turn = random_rotation(&random), q, q_turned;
        cdg_vec3 x, x_turned;
        cdg_motion motions[4], turned[4];
        for (int k = 0; k < 4; k++) {
            double from = random_in(&random, 0, 1), to = from + random_in(&random, 0, 1);
            motions[k] = k % 2 ? rotate_about(random_vec3(&random, 1), random_vec3(&random, 1),
                                              random_in(&random, -9, 9), from, to)
                               : move(random_vec3(&random, 1), from, to, CDG_EASE_SMOOTH);
            turned[k] = motions[k];
            turned[k].move = quat_rotate(turn, motions[k].move);
            turned[k].axis = quat_rotate(turn, motions[k].axis);
            turned[k].center = quat_rotate(turn, motions[k].center);
        }
        cdg_vec3 x0 = random_vec3(&random, 1);
        cdg_quat q0 = random_rotation(&random);
        world_support a = support_with(motions, 4, x0, q0);
        world_support b = support_with(turned, 4, quat_rotate(turn, x0), quat_multiply(turn, q0));
        double time = random_in(&random, 0, 2);
        cdg_support_pose(&a, time, &x, &q);
        cdg_support_pose(&b, time, &x_turned, &q_turned);
        assert_vec3_near(x_turned, quat_rotate(turn, x), 1e-13);
        assert_rotation_near(q_turned, quat_multiply(turn, q), 1e-13);
    }
}

// ---- holds ----------------------------------------------------------------------------------------------------------

typedef struct fixture {
    cdg_random random;
    world_rod rods[2];
    world_support supports[HAND_ROD_HOLDS];
    cdg_world world;
} fixture;

static int make_fixture(void **state) {
    fixture *f = calloc(1, sizeof *f);
    assert_non_null(f);
    f->random.state = 17;
    for (uint32_t i = 0; i < 2; i++) f->rods[i].rod = hand_rod(&f->random, 6, i == 1);
    hand_world(&f->world, f->rods, 2);
    f->world.supports = f->supports;
    *state = f;
    return 0;
}

static int free_fixture(void **state) {
    fixture *f = *state;
    for (int i = 0; i < 2; i++) hand_rod_free(f->rods[i].rod);
    free(f);
    return 0;
}

static world_support *add(fixture *f, uint32_t rod_index, cdg_support_kind kind, size_t node) {
    world_support *support = &f->supports[f->world.support_count++];
    *support = (world_support){.def = {.kind = kind, .place = hand_place(rod_index, CDG_PLACE_NODE, node)},
                               .rod_index = rod_index,
                               .position = random_vec3(&f->random, 1),
                               .frame = random_rotation(&f->random)};
    hand_chain_support(&f->world);
    return support;
}

static void remove_all(fixture *f) {
    f->world.support_count = 0;
    f->rods[0].first_support = f->rods[1].first_support = CDG_NO_INDEX;
    for (int r = 0; r < 2; r++)
        for (size_t i = 0; i < f->rods[r].rod->node_count; i++) f->rods[r].rod->support_at[i] = CDG_NO_INDEX;
}

static void test_each_kind_holds_its_own(void **state) {
    fixture *f = *state;
    const world_support *clamp = add(f, 0, CDG_SUPPORT_CLAMP, 0), *pin = add(f, 0, CDG_SUPPORT_PIN, 3),
                        *twist = add(f, 0, CDG_SUPPORT_TWIST, 6), *other = add(f, 1, CDG_SUPPORT_PIN, 2);
    cdg_supports_drive(&f->world, 0, 0.1);
    cdg_supports_drive(&f->world, 1, 0.1);
    const cdg_rod *rod = f->rods[0].rod;
    assert_int_equal(rod->hold_count, 3);
    assert_int_equal(rod->holds[0].node, 0);
    assert_true(rod->holds[0].holds_position);
    assert_int_equal(rod->holds[0].frame_hold, CDG_HOLD_FRAME);
    assert_vec3_near(rod->holds[0].position, clamp->position, 0);
    assert_rotation_near(rod->holds[0].frame, clamp->frame, 1e-15);
    assert_int_equal(rod->holds[1].node, 3);
    assert_true(rod->holds[1].holds_position);
    assert_int_equal(rod->holds[1].frame_hold, CDG_HOLD_NO_FRAME);
    assert_vec3_near(rod->holds[1].position, pin->position, 0);
    assert_int_equal(rod->holds[2].node, 6);
    assert_false(rod->holds[2].holds_position);
    assert_int_equal(rod->holds[2].frame_hold, CDG_HOLD_ROLL);
    assert_rotation_near(rod->holds[2].frame, twist->frame, 1e-15);
    assert_int_equal(f->rods[1].rod->hold_count, 1);
    assert_vec3_near(f->rods[1].rod->holds[0].position, other->position, 0);
    cdg_supports_drive(&f->world, 0, 0.2); // rewritten, not appended
    assert_int_equal(rod->hold_count, 3);
}

static void test_pin_and_twist_combine_in_either_order(void **state) {
    fixture *f = *state;
    const cdg_rod *rod = f->rods[0].rod;
    for (int order = 0; order < 2; order++) {
        remove_all(f);
        world_support *first = add(f, 0, order ? CDG_SUPPORT_TWIST : CDG_SUPPORT_PIN, 2);
        world_support *second = add(f, 0, order ? CDG_SUPPORT_PIN : CDG_SUPPORT_TWIST, 2);
        const world_support *pin = order ? second : first, *twist = order ? first : second;
        cdg_supports_drive(&f->world, 0, 0.1);
        assert_int_equal(rod->hold_count, 1);
        assert_true(rod->holds[0].holds_position);
        assert_int_equal(rod->holds[0].frame_hold, CDG_HOLD_ROLL);
        assert_vec3_near(rod->holds[0].position, pin->position, 0);
        assert_rotation_near(rod->holds[0].frame, twist->frame, 1e-15);

        rod->holds[0].force = vec3(1, 2, 3);
        rod->holds[0].moment = vec3(4, 5, 6);
        cdg_supports_collect(&f->world, 0, 0.1);
        assert_vec3_near(pin->force, vec3(1, 2, 3), 0);
        assert_vec3_near(pin->moment, vec3(0, 0, 0), 0);
        assert_vec3_near(twist->force, vec3(0, 0, 0), 0);
        assert_vec3_near(twist->moment, vec3(4, 5, 6), 0);
    }
}

static void test_later_support_wins(void **state) {
    fixture *f = *state;
    const cdg_rod *rod = f->rods[0].rod;
    const world_support *clamp = add(f, 0, CDG_SUPPORT_CLAMP, 2), *pin = add(f, 0, CDG_SUPPORT_PIN, 2);
    cdg_supports_drive(&f->world, 0, 0.1);
    assert_int_equal(rod->hold_count, 1);
    assert_vec3_near(rod->holds[0].position, pin->position, 0);
    assert_rotation_near(rod->holds[0].frame, clamp->frame, 1e-15);
    rod->holds[0].force = vec3(1, 2, 3);
    rod->holds[0].moment = vec3(4, 5, 6);
    cdg_supports_collect(&f->world, 0, 0.1);
    assert_vec3_near(clamp->force, vec3(0, 0, 0), 0);
    assert_vec3_near(clamp->moment, vec3(4, 5, 6), 0);
    assert_vec3_near(pin->force, vec3(1, 2, 3), 0);

    const world_support *last = add(f, 0, CDG_SUPPORT_CLAMP, 2);
    cdg_supports_drive(&f->world, 0, 0.1);
    assert_int_equal(rod->hold_count, 1);
    assert_vec3_near(rod->holds[0].position, last->position, 0);
    assert_rotation_near(rod->holds[0].frame, last->frame, 1e-15);
    rod->holds[0].force = vec3(1, 2, 3);
    rod->holds[0].moment = vec3(4, 5, 6);
    cdg_supports_collect(&f->world, 0, 0.1);
    assert_vec3_near(clamp->moment, vec3(0, 0, 0), 0);
    assert_vec3_near(pin->force, vec3(0, 0, 0), 0);
    assert_vec3_near(last->force, vec3(1, 2, 3), 0);
    assert_vec3_near(last->moment, vec3(4, 5, 6), 0);
}

static void test_twist_after_clamp_overrules_the_roll_only(void **state) {
    fixture *f = *state;
    const cdg_rod *rod = f->rods[0].rod;
    for (int i = 0; i < 50; i++) {
        remove_all(f);
        const world_support *clamp = add(f, 0, CDG_SUPPORT_CLAMP, 2), *twist = add(f, 0, CDG_SUPPORT_TWIST, 2);
        cdg_supports_drive(&f->world, 0, 0.1);
        const cdg_hold *hold = &rod->holds[0];
        assert_int_equal(hold->frame_hold, CDG_HOLD_FRAME);
        assert_vec3_near(quat_d3(hold->frame), quat_d3(clamp->frame), 1e-12);
        assert_near(quat_relative(twist->frame, hold->frame).z, 0, 1e-12); // no roll against the twist's frame

        rod->holds[0].moment = random_vec3(&f->random, 5);
        cdg_supports_collect(&f->world, 0, 0.1);
        assert_vec3_near(vec3_add(clamp->moment, twist->moment), hold->moment, 1e-14);
        assert_near(vec3_dot(clamp->moment, quat_d3(hold->frame)), 0, 1e-14);
        assert_vec3_near(vec3_cross(twist->moment, quat_d3(hold->frame)), vec3(0, 0, 0), 1e-13);
    }
}

// The line turns with its support, twist beside it keeps its own, and what holds a position takes over in turn.
static void test_slide(void **state) {
    fixture *f = *state;
    const cdg_rod *rod = f->rods[0].rod;
    world_support *slide = add(f, 0, CDG_SUPPORT_SLIDE, 2);
    slide->def.along = vec3(0, 0, 4);
    cdg_motion turn = {.kind = CDG_MOTION_ROTATE, .axis = {1, 0, 0}, .angle = 0.7, .to = 0.1};
    slide->def.motions = &turn;
    slide->def.motion_count = 1;
    const world_support *twist = add(f, 0, CDG_SUPPORT_TWIST, 2);
    cdg_supports_drive(&f->world, 0, 0.1);
    const cdg_hold *hold = &rod->holds[0];
    assert_true(hold->slides && !hold->holds_position && hold->frame_hold == CDG_HOLD_ROLL);
    assert_vec3_near(hold->along, vec3(0, -sin(0.7), cos(0.7)), 1e-12);
    assert_vec3_near(hold->position, slide->position, 0);
    rod->holds[0].force = vec3(1, 2, 3);
    rod->holds[0].moment = vec3(4, 5, 6);
    cdg_supports_collect(&f->world, 0, 0.1);
    assert_vec3_near(slide->force, vec3(1, 2, 3), 0);
    assert_vec3_near(slide->moment, vec3(0, 0, 0), 0);
    assert_vec3_near(twist->moment, vec3(4, 5, 6), 0);
    const world_support *pin = add(f, 0, CDG_SUPPORT_PIN, 2);
    cdg_supports_drive(&f->world, 0, 0.1);
    assert_true(!hold->slides && hold->holds_position);
    assert_vec3_near(hold->position, pin->position, 0);
    world_support *guide = add(f, 0, CDG_SUPPORT_SLIDE, 2);
    guide->def.along = vec3(1, 0, 0);
    guide->def.holds_frame = true;
    cdg_supports_drive(&f->world, 0, 0.1);
    assert_true(hold->slides && !hold->holds_position && hold->frame_hold == CDG_HOLD_FRAME);
    assert_vec3_near(hold->along, vec3(1, 0, 0), 1e-12);
    rod->holds[0].force = vec3(1, 2, 3);
    rod->holds[0].moment = vec3(4, 5, 6);
    cdg_supports_collect(&f->world, 0, 0.1);
    assert_vec3_near(guide->force, vec3(1, 2, 3), 0);
    assert_vec3_near(guide->moment, vec3(4, 5, 6), 0);
    assert_vec3_near(slide->force, vec3(0, 0, 0), 0);
    slide->def.motions = NULL;
    slide->def.motion_count = 0;
}

// Steps of 0.1 s whose times carry rounding errors: the support holds up to the step that ends at its release.
static void test_release(void **state) {
    fixture *f = *state;
    const cdg_rod *rod = f->rods[0].rod;
    world_support *support = add(f, 0, CDG_SUPPORT_PIN, 0);
    support->def.release = 0.3;
    for (int i = 1; i <= 6; i++) {
        double time = i * 0.1; // 3 * 0.1 > 0.3
        cdg_supports_drive(&f->world, 0, time);
        assert_int_equal(rod->hold_count, i <= 3);
        if (rod->hold_count > 0) rod->holds[0].force = vec3(1, 0, 0);
        cdg_supports_collect(&f->world, 0, time);
        assert_true(support->is_released == (i > 3));
        assert_vec3_near(support->force, vec3(i <= 3, 0, 0), 0);
    }
    cdg_supports_drive(&f->world, 0, 0.2); // back in time, as after loading a snapshot
    assert_int_equal(rod->hold_count, 1);
}

// Work over a motion: a constant force along a move, a constant moment about a turn, summed over steps.
static void test_work(void **state) {
    fixture *f = *state;
    const cdg_rod *rod = f->rods[0].rod;
    cdg_vec3 axis = vec3_normalize(vec3(1, 2, -1));
    cdg_motion motions[2] = {move(vec3(3, 0, 1), 0, 1, CDG_EASE_SMOOTH), rotate(axis, 7, 0, 1)};
    world_support *support = add(f, 0, CDG_SUPPORT_CLAMP, 1);
    support->def.motions = motions;
    support->def.motion_count = 2;
    support->force = vec3(2, 5, -1); // the work is by the mean of the reactions before and after a step
    support->moment = vec3_scale(0.5, axis);
    double work = 0;
    for (int i = 1; i <= 20; i++) {
        cdg_supports_drive(&f->world, 0, i * 0.1);
        rod->holds[0].force = vec3(2, 5, -1);
        rod->holds[0].moment = vec3_scale(0.5, axis);
        double doubt = 0;
        work += cdg_supports_work(&f->world, 0, i * 0.1, 0.1, &doubt);
        assert_near(doubt, 0, 1e-13); // reactions that do not change leave none
        cdg_supports_collect(&f->world, 0, i * 0.1);
    }
    assert_near(work, 2 * 3 - 1 * 1 + 0.5 * 7, 1e-13);

    support->def.kind = CDG_SUPPORT_PIN; // a pin turns nothing
    support->force = support->moment = vec3(0, 0, 0);
    cdg_supports_drive(&f->world, 0, 0.5);
    rod->holds[0].moment = axis;
    double doubt = 0;
    assert_near(cdg_supports_work(&f->world, 0, 0.5, 0.1, &doubt), 0, 0);
    assert_near(cdg_supports_work(&f->world, 1, 0.5, 0.1, &doubt), 0, 0);
}

int main(void) {
#define WITH_FIXTURE(test) cmocka_unit_test_setup_teardown(test, make_fixture, free_fixture)
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_without_motion_nothing_moves),
        cmocka_unit_test(test_move_over_time),
        cmocka_unit_test(test_smooth_ease),
        cmocka_unit_test(test_instantaneous_motion),
        cmocka_unit_test(test_many_turns_are_exact_and_continuous),
        cmocka_unit_test(test_rotation_about_a_center_carries_place_and_frame),
        cmocka_unit_test(test_motions_act_in_order),
        cmocka_unit_test(test_pose_is_equivariant),
        WITH_FIXTURE(test_each_kind_holds_its_own),
        WITH_FIXTURE(test_pin_and_twist_combine_in_either_order),
        WITH_FIXTURE(test_later_support_wins),
        WITH_FIXTURE(test_slide),
        WITH_FIXTURE(test_twist_after_clamp_overrules_the_roll_only),
        WITH_FIXTURE(test_release),
        WITH_FIXTURE(test_work),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
