// Prescribed motion: order, easing, centres, whole turns; what is refused.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "geometry/motion.h"
#include "math/random.h"
#include "near.h"

static const cdg_pose start = {{1, 2, 3}, {1, 0, 0, 0}};

static void moves_add_up(void **state) {
    (void)state;
    const cdg_motion motions[] = {{.move = {1, 0, 0}, .from = 0, .to = 2}, {.move = {0, 4, 0}, .from = 1, .to = 3}};
    assert_vec3_near(cdg_motion_pose(motions, 2, start, -1).position, vec3(1, 2, 3), 0);
    assert_vec3_near(cdg_motion_pose(motions, 2, start, 1.5).position, vec3(1.75, 3, 3), 1e-15);
    assert_vec3_near(cdg_motion_pose(motions, 2, start, 9).position, vec3(2, 6, 3), 1e-15);
    assert_vec3_near(cdg_motion_pose(NULL, 0, start, 9).position, vec3(1, 2, 3), 0);
}

static void smooth_motion_starts_and_ends_at_rest(void **state) {
    (void)state;
    const cdg_motion motion = {.move = {1, 0, 0}, .from = 1, .to = 2, .ease = CDG_EASE_SMOOTH};
    double h = 1e-3;
    assert_near(cdg_motion_pose(&motion, 1, start, 1 + h).position.x, 1, 2e-8);
    assert_near(cdg_motion_pose(&motion, 1, start, 2 - h).position.x, 2, 2e-8);
    assert_near(cdg_motion_pose(&motion, 1, start, 1.5).position.x, 1.5, 1e-15);
}

static void rotations_turn_about_their_centre(void **state) {
    (void)state;
    const double pi = 3.141592653589793;
    cdg_motion motion = {.kind = CDG_MOTION_ROTATE, .axis = {0, 0, 2}, .angle = 10.5 * 2 * pi, .to = 1};
    cdg_pose pose = cdg_motion_pose(&motion, 1, start, 1);
    assert_vec3_near(pose.position, start.position, 0); // about itself
    assert_vec3_near(quat_rotate(pose.orientation, vec3(1, 0, 0)), vec3(-1, 0, 0), 1e-13);
    motion.has_center = true;
    assert_vec3_near(cdg_motion_pose(&motion, 1, start, 1).position, vec3(-1, -2, 3), 1e-13);
}

static void distances_to_the_centre_are_kept(void **state) {
    (void)state;
    cdg_random random = {1};
    for (int i = 0; i < 1000; i++) {
        cdg_motion motion = {.kind = CDG_MOTION_ROTATE,
                             .axis = random_vec3(&random, 1),
                             .has_center = true,
                             .angle = random_in(&random, -20, 20),
                             .center = random_vec3(&random, 3),
                             .to = 1};
        cdg_pose from = {random_vec3(&random, 2), random_rotation(&random)};
        cdg_pose to = cdg_motion_pose(&motion, 1, from, random_unit(&random));
        assert_near(vec3_distance(to.position, motion.center), vec3_distance(from.position, motion.center), 1e-13);
        assert_near(quat_dot(to.orientation, to.orientation), 1, 1e-14);
    }
}

static void nonsense_is_refused(void **state) {
    (void)state;
    cdg_error error;
    const cdg_motion good = {.kind = CDG_MOTION_ROTATE, .axis = {0, 0, 1}, .angle = 1, .to = 1};
    assert_int_equal(cdg_motion_check(&good, 1, &error), CDG_OK);
    assert_int_equal(cdg_motion_check(NULL, 0, &error), CDG_OK);
    assert_int_equal(cdg_motion_check(NULL, 1, &error), CDG_ERROR_ARGUMENT);
    cdg_motion bad[7];
    for (int i = 0; i < 7; i++) bad[i] = good;
    bad[0].axis = vec3(0, 0, 0);
    bad[1].angle = NAN;
    bad[2].to = -1;
    bad[3].kind = (cdg_motion_kind)7;
    bad[4].has_center = true, bad[4].center.x = HUGE_VAL;
    bad[5].kind = CDG_MOTION_MOVE, bad[5].move.y = NAN;
    bad[6].from = NAN;
    for (int i = 0; i < 7; i++) assert_int_equal(cdg_motion_check(&bad[i], 1, &error), CDG_ERROR_ARGUMENT);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(moves_add_up),
        cmocka_unit_test(smooth_motion_starts_and_ends_at_rest),
        cmocka_unit_test(rotations_turn_about_their_centre),
        cmocka_unit_test(distances_to_the_centre_are_kept),
        cmocka_unit_test(nonsense_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
