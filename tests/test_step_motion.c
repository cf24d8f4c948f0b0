// Steps are divided for prescribed motions that are not straight, and for bodies that would fly through things.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "contact_case.h"
#include "near.h"
#include "world/world.h"

static const double h = 1e-3;

// A world with a thin cord and a plate that moves so.
static cdg_world *moving_plate(const cdg_motion *motions, size_t count) {
    cdg_world *world = contact_world(vec3(0, 0, 0), h, 0, 1);
    cdg_rod_def rod = contact_rod("rod", vec3(-0.1, 0.3, 0), vec3(0.1, 0.3, 0), 2e-3, 10);
    contact_add(world, &rod);
    cdg_obstacle_def plate = cdg_obstacle_def_default();
    plate.shape.kind = CDG_SHAPE_BOX;
    plate.shape.size = vec3(2, 2, 0.01);
    plate.shape.position = vec3(0, 0, -0.1);
    plate.motions = motions;
    plate.motion_count = count;
    must(world, cdg_world_add_obstacle(world, &plate, NULL));
    must(world, cdg_world_ensure_scratch(world));
    return world;
}

static bool resolves(const cdg_motion *motions, size_t count) {
    cdg_world *world = moving_plate(motions, count);
    bool result = cdg_step_resolves_motion(world, h, h);
    cdg_world_destroy(world);
    return result;
}

static cdg_motion turn_by(double angle) {
    return (cdg_motion){.kind = CDG_MOTION_ROTATE, .axis = {0, 0, 1}, .angle = angle, .to = h};
}

static cdg_motion move_by(double way, double from, double to) {
    return (cdg_motion){.kind = CDG_MOTION_MOVE, .move = {0, 0, way}, .from = from, .to = to};
}

static void straight_motions_need_one_step(void **state) {
    (void)state;
    assert_true(resolves(NULL, 0));
    assert_true(resolves((cdg_motion[]){move_by(1, 0, h)}, 1)); // however fast
    assert_true(resolves((cdg_motion[]){move_by(0.2, 0, h), move_by(0.1, 0.5 * h, h)}, 2));
    assert_true(resolves((cdg_motion[]){turn_by(0.9)}, 1));
    assert_true(resolves((cdg_motion[]){move_by(1, 2 * h, 3 * h), move_by(-1, 4 * h, 5 * h)}, 2));        // later
    assert_true(resolves((cdg_motion[]){{.kind = CDG_MOTION_ROTATE, .axis = {0, 0, 1}, .angle = 9}}, 1)); // at once
}

static void turns_and_ways_back_need_shorter_ones(void **state) {
    (void)state;
    assert_false(resolves((cdg_motion[]){turn_by(1.1)}, 1));
    assert_false(resolves((cdg_motion[]){turn_by(6.283185307179586)}, 1)); // which looks like no turn at all
    assert_false(resolves((cdg_motion[]){turn_by(0.6), turn_by(-0.6)}, 2));
    assert_false(resolves((cdg_motion[]){move_by(0.3, 0.1 * h, 0.4 * h), move_by(-0.3, 0.5 * h, 0.8 * h)}, 2));
    // between samples: a spike of a hundredth of the step
    assert_false(resolves((cdg_motion[]){move_by(0.3, 0.51 * h, 0.515 * h), move_by(-0.3, 0.515 * h, 0.52 * h)}, 2));
    cdg_motion swing = turn_by(0.5);
    swing.has_center = true, swing.center = vec3(0.5, 0, 0);
    assert_false(resolves(&swing, 1)); // an arc of half a metre
    swing.angle = 0.05;                // rises by 0.5 (1 - cos 0.025) = 0.16 mm above its chord
    assert_true(resolves(&swing, 1));
}

// A support that turns by whole turns in a step is seen to turn by none.
static void turns_of_supports_count_without_contact(void **state) {
    (void)state;
    for (int k = 0; k < 2; k++) {
        cdg_world *world = contact_world(vec3(0, 0, 0), h, 0, 1);
        cdg_contact_def off = cdg_contact_def_default();
        off.choice = CDG_CONTACT_OFF;
        must(world, cdg_world_set_contact(world, &off));
        cdg_rod_def rod = contact_rod("rod", vec3(0, 0, 0), vec3(0.1, 0, 0), 2e-3, 10);
        cdg_rod_id id = contact_add(world, &rod);
        cdg_motion turn = turn_by(k == 0 ? 0.9 : 6.283185307179586);
        cdg_support_def clamp = {.kind = CDG_SUPPORT_CLAMP, .place = {.rod = id}, .motions = &turn, .motion_count = 1};
        must(world, cdg_world_add_support(world, &clamp, NULL));
        must(world, cdg_world_ensure_scratch(world));
        assert_int_equal(cdg_step_resolves_motion(world, h, h), k == 0);
        cdg_world_destroy(world);
    }
}

// ---- bodies ---------------------------------------------------------------------------------------------------------

// A ball, or a bar that spins, above a thin plate, with a speed towards it and one along it.
static bool flies_by(cdg_shape_kind kind, double height, double speed, double along, double spin) {
    cdg_world *world = contact_world(vec3(0, 0, 0), h, 0, 1);
    cdg_obstacle_def thing = cdg_obstacle_def_default();
    thing.shape.kind = kind;
    thing.shape.size = vec3(2, 2, 1e-3);
    must(world, cdg_world_add_obstacle(world, &thing, NULL));
    cdg_body_def body = cdg_body_def_default();
    body.shape.kind = spin > 0 ? CDG_SHAPE_CAPSULE : CDG_SHAPE_SPHERE;
    body.shape.radius = 0.01;
    body.shape.length = 0.1;
    body.shape.position = vec3(0, 0, height);
    body.velocity = vec3(along, 0, -speed);
    body.angular_velocity = vec3(spin, 0, 0);
    must(world, cdg_world_add_body(world, &body, NULL));
    must(world, cdg_world_ensure_scratch(world));
    bool result = cdg_step_resolves_motion(world, h, h);
    cdg_world_destroy(world);
    return result;
}

static bool body_resolves(cdg_shape_kind kind, double height, double speed, double spin) {
    return flies_by(kind, height, speed, 0, spin);
}

static void bodies_near_things_move_little(void **state) {
    (void)state;
    assert_true(flies_by(CDG_SHAPE_BOX, 0.012, 0, 4.5, 0));   // along it, by less than half of both thicknesses
    assert_true(flies_by(CDG_SHAPE_BOX, 0.012, 0, 5.2, 0));   // the plate's is half a millimetre
    assert_false(flies_by(CDG_SHAPE_BOX, 0.012, 0, 5.3, 0));  // by more
    assert_true(body_resolves(CDG_SHAPE_BOX, 0.02, 5, 0));    // half of its radius
    assert_false(body_resolves(CDG_SHAPE_BOX, 0.02, 12, 0));  // more than its radius
    assert_true(body_resolves(CDG_SHAPE_BOX, 0.5, 12, 0));    // nothing is near
    assert_true(body_resolves(CDG_SHAPE_PLANE, 0.02, 12, 0)); // there is no other side
    assert_false(body_resolves(CDG_SHAPE_BOX, 0.07, 0, 300)); // its end goes 2 cm
}

// 10 m/s against a plate of a centimetre, and of half a millimetre, in steps of 5 cm; contact on and off.
static void balls_stop_at_plates(void **state) {
    (void)state;
    for (int k = 0; k < 4; k++) {
        double thickness = k % 2 == 0 ? 0.01 : 5e-4;
        cdg_world *world = contact_world(vec3(0, 0, 0), 5e-3, 0, 1);
        if (k >= 2) switch_contact_off(world);
        cdg_obstacle_def plate = cdg_obstacle_def_default();
        plate.shape.kind = CDG_SHAPE_BOX;
        plate.shape.size = vec3(2, 2, thickness);
        must(world, cdg_world_add_obstacle(world, &plate, NULL));
        cdg_body_def ball = cdg_body_def_default();
        ball.shape.radius = 0.01;
        ball.restitution = 0;
        ball.shape.position = vec3(0, 0, 0.5);
        ball.velocity = vec3(0, 0, -10);
        cdg_body_id id;
        must(world, cdg_world_add_body(world, &ball, &id));
        contact_run(world, 20);
        cdg_body_state now;
        must(world, cdg_body_get_state(world, id, &now));
        assert_near(now.position.z, 0.01 + 0.5 * thickness, 1e-3);
        cdg_world_destroy(world);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(straight_motions_need_one_step),
        cmocka_unit_test(turns_and_ways_back_need_shorter_ones),
        cmocka_unit_test(turns_of_supports_count_without_contact),
        cmocka_unit_test(bodies_near_things_move_little),
        cmocka_unit_test(balls_stop_at_plates),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
