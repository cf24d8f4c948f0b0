// Hands on a live world: what they take, where they bring it, and that they give way.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "math/quat.h"
#include "near.h"
#include "view/hands.h"
#include "view_case.h"

static cdg_world *build(void) {
    cdg_world *world;
    cdg_error error;
    cdg_scene *scene = view_scene();
    assert_int_equal(cdg_scene_build(scene, 1, &world, &error), CDG_OK);
    cdg_scene_destroy(scene);
    return world;
}

static void run(cdg_hands *hands, cdg_world *world, int steps) {
    for (int i = 0; i < steps; i++) {
        cdg_hands_drive(hands, world);
        assert_int_equal(cdg_world_step(world, NULL), CDG_OK);
    }
}

static cdg_request grab(uint32_t hand, cdg_grab_object object, uint32_t index) {
    return (cdg_request){.hand = hand, .object = object, .index = index};
}

static void everything_can_be_led(void **state) {
    (void)state;
    cdg_world *world = build();
    cdg_hands hands = {0};
    cdg_error error;
    cdg_request rod = grab(0, CDG_GRAB_ROD, 1), body = grab(1, CDG_GRAB_BODY, 0), ball = grab(2, CDG_GRAB_OBSTACLE, 1),
                clamp = grab(3, CDG_GRAB_SUPPORT, 0);
    rod.element = 4; // "4.0" of four elements: the end
    rod.point = vec3(0.5, 1, 0);
    body.point = vec3(1, 1, 0);
    ball.local = vec3(0, 0, 0.03);
    ball.point = vec3(2, 0, 0.03);
    assert_true(cdg_hands_grab(&hands, world, &rod, &error) && cdg_hands_grab(&hands, world, &body, &error));
    assert_true(cdg_hands_grab(&hands, world, &ball, &error) && cdg_hands_grab(&hands, world, &clamp, &error));
    const cdg_vec3 targets[4] = {{0.5, 1.05, 0.05}, {1, 1.1, 0.2}, {1.9, 0, 0.03}, {0, 0.05, 0.05}};
    for (uint32_t i = 0; i < 4; i++) {
        cdg_request move = {.hand = i, .point = targets[i]};
        assert_true(cdg_hands_move(&hands, world, &move, &error));
    }
    run(&hands, world, 400);
    cdg_vec3 point, nodes[11];
    cdg_quat orientation;
    assert_int_equal(cdg_grip_get(world, hands.hands[0].grip, &point, NULL), CDG_OK);
    assert_vec3_near(point, targets[0], 6e-3);
    assert_int_equal(cdg_grip_get(world, hands.hands[1].grip, &point, NULL), CDG_OK);
    assert_vec3_near(point, targets[1], 6e-3);
    assert_int_equal(cdg_obstacle_get_pose(world, cdg_world_obstacle_at(world, 1), &point, &orientation), CDG_OK);
    assert_vec3_near(point, vec3(1.9, 0, 0), 1e-4);
    assert_int_equal(cdg_rod_positions(world, cdg_world_rod_at(world, 0), nodes), CDG_OK);
    assert_vec3_near(nodes[0], targets[3], 1e-4);

    cdg_picture_draft draft = {0};
    cdg_draft_begin(&draft, 0, 0, 0);
    cdg_hands_draw(&hands, world, &draft);
    cdg_message *message = cdg_draft_finish(&draft);
    uint32_t count;
    assert_non_null(view_block(message, CDG_BLOCK_HANDS, &count));
    assert_int_equal(count, 4 * 12);
    cdg_message_release(message);
    cdg_draft_free(&draft);
    cdg_hands_release_all(&hands, world);
    assert_true(cdg_hands_are_empty(&hands));
    cdg_world_destroy(world);
}

// Relaxed hands pull no more: what they hold stays where it is.
static void relaxed_hands_give_way(void **state) {
    (void)state;
    cdg_world *world = build();
    cdg_hands hands = {0};
    cdg_error error;
    cdg_request rod = grab(0, CDG_GRAB_ROD, 0), clamp = grab(1, CDG_GRAB_SUPPORT, 0);
    rod.element = 9, rod.fraction = 1, rod.point = vec3(0.5, 0, 0);
    assert_true(cdg_hands_grab(&hands, world, &rod, &error) && cdg_hands_grab(&hands, world, &clamp, &error));
    cdg_request move = {.hand = 1, .point = vec3(0, 0, 0.3)};
    assert_true(cdg_hands_move(&hands, world, &move, &error));
    run(&hands, world, 20);
    cdg_hands_relax(&hands, world);
    cdg_vec3 there = hands.hands[1].position;
    run(&hands, world, 20);
    assert_vec3_near(hands.hands[1].position, there, 1e-12);
    assert_true(there.z > 0.001 && there.z < 0.299);
    cdg_world_destroy(world);
}

static void what_is_not_there_is_refused(void **state) {
    (void)state;
    cdg_world *world = build();
    cdg_hands hands = {0};
    cdg_error error;
    const cdg_request wrong[] = {grab(0, CDG_GRAB_ROD, 2), grab(0, CDG_GRAB_BODY, 1), grab(0, CDG_GRAB_OBSTACLE, 2),
                                 grab(0, CDG_GRAB_SUPPORT, 1)};
    for (size_t i = 0; i < 4; i++) assert_false(cdg_hands_grab(&hands, world, &wrong[i], &error));
    assert_false(cdg_hands_move(&hands, world, &wrong[0], &error));
    assert_false(cdg_hands_pin(&hands, &wrong[0], &error));
    cdg_hands_release(&hands, world, 5);
    cdg_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(everything_can_be_led),
        cmocka_unit_test(relaxed_hands_give_way),
        cmocka_unit_test(what_is_not_there_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
