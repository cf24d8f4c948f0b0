// Bodies where contact is off for rods: they still keep apart, from each other and from obstacles, and so do those that
// hang on rods.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "welded_case.h"

static cdg_world *make_world(cdg_vec3 gravity, double restitution) {
    cdg_world_def def = cdg_world_def_default();
    cdg_world *world = NULL;
    def.gravity = gravity;
    def.step = 1e-3;
    def.thread_count = 1;
    must(NULL, cdg_world_create(&def, &world, NULL));
    cdg_contact_def contact = cdg_contact_def_default();
    contact.choice = CDG_CONTACT_OFF;
    contact.restitution = restitution;
    must(world, cdg_world_set_contact(world, &contact));
    return world;
}

static cdg_body_id add_ball(cdg_world *world, double mass, cdg_vec3 position, cdg_vec3 velocity, bool is_ghost) {
    cdg_body_def def = cdg_body_def_default();
    cdg_body_id id;
    def.shape.radius = 0.1, def.density = 0, def.mass = mass, def.is_ghost = is_ghost;
    def.shape.position = position, def.velocity = velocity;
    must(world, cdg_world_add_body(world, &def, &id));
    return id;
}

static cdg_body_state state_of(cdg_world *world, cdg_body_id id) {
    cdg_body_state now;
    must(world, cdg_body_get_state(world, id, &now));
    return now;
}

static void step(cdg_world *world, int count) {
    for (int i = 0; i < count; i++) must(world, cdg_world_step(world, NULL));
}

// Head on, without a spring between them: both go on with the common speed, or, elastic, exchange what they can.
static void balls_meet(void **state) {
    (void)state;
    for (int is_elastic = 0; is_elastic < 2; is_elastic++) {
        cdg_world *world = make_world(vec3(0, 0, 0), is_elastic);
        cdg_body_id a = add_ball(world, 1, vec3(0, 0, 0), vec3(1, 0, 0), false);
        cdg_body_id b = add_ball(world, 3, vec3(0.3, 0, 0), vec3(0, 0, 0), false);
        step(world, 200);
        cdg_body_state one = state_of(world, a), other = state_of(world, b);
        assert_near(one.velocity.x + 3 * other.velocity.x, 1, 1e-12);
        assert_near(one.velocity.x, is_elastic ? -0.5 : 0.25, 1e-6);
        assert_near(other.velocity.x, is_elastic ? 0.5 : 0.25, 1e-6);
        assert_true(other.position.x - one.position.x > 0.2 - 2e-3);
        cdg_world_destroy(world);
    }
}

// A ghost meets nobody.
static void ghosts_pass(void **state) {
    (void)state;
    cdg_world *world = make_world(vec3(0, 0, 0), 0);
    cdg_body_id a = add_ball(world, 1, vec3(0, 0, 0), vec3(1, 0, 0), true);
    cdg_body_id b = add_ball(world, 3, vec3(0.3, 0, 0), vec3(0, 0, 0), false);
    step(world, 600);
    assert_near(state_of(world, a).position.x, 0.6, 1e-9);
    assert_near(state_of(world, b).position.x, 0.3, 1e-15);
    cdg_world_destroy(world);
}

// A ball that hangs on a rod comes to rest on a floor beside one that is free; a floor that rises takes both along.
static void balls_rest_on_a_floor_that_rises(void **state) {
    (void)state;
    cdg_world *world = make_world(vec3(0, 0, -9.81), 0);
    cdg_obstacle_def floor = cdg_obstacle_def_default();
    floor.shape.kind = CDG_SHAPE_BOX, floor.shape.size = vec3(4, 4, 0.1), floor.shape.position = vec3(0, 0, -0.05);
    cdg_motion rise = cdg_motion_default();
    rise.kind = CDG_MOTION_MOVE, rise.move = vec3(0, 0, 0.2), rise.from = 0.5, rise.to = 0.9;
    floor.motions = &rise, floor.motion_count = 1;
    must(world, cdg_world_add_obstacle(world, &floor, NULL));
    cdg_rod_def def = rod_of(CDG_MODEL_DER);
    def.centerline.line.from = vec3(0.5, 0, 1), def.centerline.line.to = vec3(0.5, 0, 0.11);
    def.material.young_modulus = 1e4; // carries little
    cdg_rod_id rod;
    must(world, cdg_world_add_rod(world, &def, &rod));
    cdg_support_def support = {.kind = CDG_SUPPORT_CLAMP, .place = {.rod = rod}};
    must(world, cdg_world_add_support(world, &support, NULL));
    cdg_body_id free_one = add_ball(world, 2, vec3(0, 0, 0.11), vec3(0, 0, 0), false);
    cdg_body_id hanging = add_ball(world, 1, vec3(0.5, 0, 0.11), vec3(0, 0, 0), false);
    weld(world, rod, ELEMENTS, hanging);
    const cdg_body_id balls[] = {free_one, hanging};
    step(world, 400);
    for (int i = 0; i < 2; i++) {
        assert_near(state_of(world, balls[i]).position.z, 0.1, 2e-3);
        assert_near(state_of(world, balls[i]).velocity.z, 0, 0.02);
    }
    step(world, 600);
    for (int i = 0; i < 2; i++) assert_near(state_of(world, balls[i]).position.z, 0.3, 3e-3);
    cdg_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(balls_meet), cmocka_unit_test(ghosts_pass),
                                       cmocka_unit_test(balls_rest_on_a_floor_that_rises)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
