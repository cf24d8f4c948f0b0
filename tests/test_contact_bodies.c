// Bodies that touch each other and obstacles in the same solve as rods: rest, stacks, squeezing, momentum, friction.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "contact_case.h"
#include "math/quat.h"
#include "mesh_shapes.h"
#include "near.h"
#include "rounds.h"
#include "world/world.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const cdg_vec3 none = {0, 0, 0}, down = {0, 0, -9.81};

static void add_floor(cdg_world *world, double tilt) {
    cdg_obstacle_def floor = cdg_obstacle_def_default();
    floor.shape.normal = vec3(sin(tilt), 0, cos(tilt));
    must(world, cdg_world_add_obstacle(world, &floor, NULL));
}

static cdg_body_def ball(double radius, double mass, cdg_vec3 position) {
    cdg_body_def def = cdg_body_def_default();
    def.shape.radius = radius;
    def.density = 0, def.mass = mass;
    def.shape.position = position;
    return def;
}

static cdg_body_def box(double side, double mass, cdg_vec3 position) {
    cdg_body_def def = ball(0, mass, position);
    def.shape.kind = CDG_SHAPE_BOX;
    def.shape.size = vec3(side, side, side);
    return def;
}

static cdg_body_id add(cdg_world *world, const cdg_body_def *def) {
    cdg_body_id id;
    must(world, cdg_world_add_body(world, def, &id));
    return id;
}

static cdg_body_state state_of(const cdg_world *world, cdg_body_id id) {
    cdg_body_state state;
    must(world, cdg_body_get_state(world, id, &state));
    return state;
}

// What lies still says so: not half of what gravity gives in a step.
static void bodies_at_rest_have_no_speed(void **state) {
    (void)state;
    static const double steps[] = {5e-3, 1e-3, 2e-4};
    for (int s = 0; s < 3; s++) {
        cdg_world *world = contact_world(down, steps[s], 0.5, 1);
        add_floor(world, 0);
        cdg_body_def defs[2] = {box(0.1, 1, vec3(0, 0, 0.05)), ball(0.05, 0.3, vec3(0.5, 0, 0.05))};
        cdg_body_id ids[2] = {add(world, &defs[0]), add(world, &defs[1])};
        contact_run(world, 60);
        for (int k = 0; k < 2; k++) {
            cdg_body_state now = state_of(world, ids[k]);
            assert_true(vec3_norm(now.velocity) < 0.02 * 9.81 * steps[s]);
            assert_near(now.position.z, 0.05, 1e-3 * 0.05);
        }
        cdg_world_destroy(world);
    }
}

// A ball that two clamped bars carry lies still, too.
static void bodies_at_rest_on_rods_have_no_speed(void **state) {
    (void)state;
    static const double steps[] = {1e-3, 2e-4};
    for (int s = 0; s < 2; s++) {
        cdg_world *world = contact_world(down, steps[s], 0.5, 1);
        static const char *const names[2] = {"a", "b"};
        for (int k = 0; k < 2; k++) {
            double y = k == 0 ? -0.03 : 0.03;
            cdg_rod_def def = contact_rod(names[k], vec3(-0.05, y, 0), vec3(0.05, y, 0), 0.01, 2);
            def.material.young_modulus = 1e8;
            def.material.damping_bend = def.material.damping_stretch = def.material.damping_shear = 5e-3;
            cdg_rod_id rod = contact_add(world, &def);
            for (size_t i = 0; i < 3; i++) {
                cdg_support_def pin = {.kind = CDG_SUPPORT_PIN, .place = {.rod = rod, .index = i}};
                must(world, cdg_world_add_support(world, &pin, NULL));
            }
        }
        cdg_body_def def = ball(0.05, 0.5, vec3(0.01, 0, sqrt(0.06 * 0.06 - 0.03 * 0.03)));
        cdg_body_id id = add(world, &def);
        contact_run(world, 100);
        assert_true(vec3_norm(state_of(world, id).velocity) < 0.05 * 9.81 * steps[s]);
        assert_near(state_of(world, id).position.z, def.shape.position.z, 1e-4);
        cdg_world_destroy(world);
    }
}

// Two balls of a gram on the floor carry a bar that is two hundred times as heavy: neither sinks into the other, nor
// into the floor.
static void light_bodies_are_not_squeezed_into_the_floor(void **state) {
    (void)state;
    static const cdg_model models[] = {CDG_MODEL_CORDE, CDG_MODEL_DER};
    for (int m = 0; m < 2; m++) {
        cdg_world *world = contact_world(down, models[m] == CDG_MODEL_DER ? 1e-3 : 1e-4, 0.8, 1);
        add_floor(world, 0);
        cdg_body_id ids[2];
        for (int k = 0; k < 2; k++) {
            cdg_body_def def = ball(0.02, 1e-3, vec3(k == 0 ? -0.05 : 0.05, 0, 0.02));
            ids[k] = add(world, &def);
        }
        cdg_rod_def def = contact_rod("bar", vec3(-0.1, 0, 0.05), vec3(0.1, 0, 0.05), 0.01, 8);
        def.model = models[m];
        def.material.young_modulus = 1e8;
        def.material.density = 3000; // 0.19 kg
        cdg_rod_id bar = contact_add(world, &def);
        double lowest = 1;
        for (int i = 0; i < (models[m] == CDG_MODEL_DER ? 60 : 300); i++) {
            must(world, cdg_world_step(world, NULL));
            for (int k = 0; k < 2; k++) lowest = fmin(lowest, state_of(world, ids[k]).position.z);
        }
        assert_true(lowest > 0.02 * (1 - 3e-3));
        cdg_vec3 x[9];
        must(world, cdg_rod_positions(world, bar, x));
        assert_true(x[4].z > 0.049 && x[4].z < 0.0502);
        cdg_world_destroy(world);
    }
}

// Five boxes, the heaviest on top.
static void stacks_stand(void **state) {
    (void)state;
    skip_when_sanitized();
    cdg_world *world = contact_world(down, 1e-3, 0.5, 1);
    add_floor(world, 0);
    cdg_body_id ids[5];
    for (int k = 0; k < 5; k++) {
        cdg_body_def def = box(0.1, k == 4 ? 10 : 0.5, vec3(1e-3 * k, 0, 0.05 + 0.1 * k));
        ids[k] = add(world, &def);
    }
    contact_run(world, 300);
    for (int k = 0; k < 5; k++) {
        cdg_body_state now = state_of(world, ids[k]);
        assert_near(now.position.z, 0.05 + 0.1 * k, 2e-4);
        assert_near(now.position.x, 1e-3 * k, 1e-3);
        assert_true(vec3_norm(now.velocity) < 5e-3);
    }
    cdg_world_destroy(world);
}

// Two balls that spin crash askew, with friction: both momenta are kept to rounding.
static void collisions_keep_momentum(void **state) {
    (void)state;
    cdg_world *world = contact_world(none, 1e-3, 0.4, 1);
    cdg_body_def a = ball(0.05, 1, vec3(-0.1, 0.02, 0)), b = box(0.08, 0.2, vec3(0.1, 0, 0.01));
    a.velocity = vec3(2, 0, 0.1), a.angular_velocity = vec3(0, 20, 5);
    b.velocity = vec3(-1, 0.2, 0), b.angular_velocity = vec3(10, 0, 3);
    cdg_body_id id = add(world, &a);
    add(world, &b);
    cdg_vec3 linear[2], angular[2];
    cdg_world_momentum(world, &linear[0], &angular[0]);
    contact_run(world, 150);
    cdg_world_momentum(world, &linear[1], &angular[1]);
    assert_true(vec3_distance(state_of(world, id).velocity, a.velocity) > 0.1); // they met
    assert_vec3_near(linear[1], linear[0], 1e-12);
    assert_vec3_near(angular[1], angular[0], 1e-12);
    cdg_world_destroy(world);
}

// A box on a slope: below the angle of friction it stays where it is, above it slides as Coulomb says.
static void boxes_stick_or_slide(void **state) {
    (void)state;
    for (int slides = 0; slides < 2; slides++) {
        double tilt = slides ? 0.5 : 0.2, friction = 0.3, step = 1e-3;
        cdg_world *world = contact_world(down, step, friction, 1);
        add_floor(world, tilt);
        cdg_body_def def = box(0.1, 1, vec3(0.05 * sin(tilt), 0, 0.05 * cos(tilt)));
        def.shape.orientation = quat_exp(vec3(0, tilt, 0));
        cdg_body_id id = add(world, &def);
        contact_run(world, 200);
        double gone = vec3_distance(state_of(world, id).position, def.shape.position);
        double wanted = slides ? 0.5 * 9.81 * (sin(tilt) - friction * cos(tilt)) * 0.2 * 0.2 : 0;
        if (slides) assert_near(gone, wanted, 0.02 * wanted);
        if (!slides) assert_true(gone < 1e-5);
        cdg_world_destroy(world);
    }
}

// A ball that bounces keeps its share of the speed.
static void balls_bounce(void **state) {
    (void)state;
    cdg_world *world = contact_world(none, 1e-3, 0, 1);
    add_floor(world, 0);
    cdg_body_def def = ball(0.05, 0.3, vec3(0, 0, 0.0713));
    def.velocity = vec3(0.1, 0, -1);
    def.restitution = 0.6;
    cdg_body_id id = add(world, &def);
    contact_run(world, 60);
    assert_near(state_of(world, id).velocity.z, 0.6, 0.01);
    assert_near(state_of(world, id).velocity.x, 0.1, 1e-9);
    cdg_world_destroy(world);
}

// Tolerances are relative to half of the least extent of a body, whatever its shape is called.
static void contacts_know_the_size_of_bodies(void **state) {
    (void)state;
    cdg_mesh brick = shape_box(vec3(-0.1, -0.08, -0.03), vec3(0.1, 0.08, 0.03));
    for (int k = 0; k < 5; k++) {
        cdg_world *world = contact_world(down, 1e-3, 0.5, 1);
        add_floor(world, 0);
        cdg_body_def def = ball(0.05, 2.5, vec3(0, 0, 0));
        if (k == 1) def.shape.kind = CDG_SHAPE_BOX, def.shape.size = vec3(0.2, 0.16, 0.06);
        if (k == 2) def.shape.kind = CDG_SHAPE_CYLINDER, def.shape.radius = 0.1, def.shape.length = 0.04;
        if (k == 3) def.shape.kind = CDG_SHAPE_CYLINDER, def.shape.radius = 0.04, def.shape.length = 0.1;
        if (k == 4) def.shape.kind = CDG_SHAPE_MESH, def.shape.mesh = brick;
        static const double height[5] = {0.05, 0.03, 0.02, 0.05, 0.03}, size[5] = {0.05, 0.03, 0.02, 0.04, 0.03};
        def.shape.position.z = height[k];
        add(world, &def);
        contact_run(world, 3);
        assert_true(world->contacts.count > 0);
        for (size_t i = 0; i < world->contacts.count; i++)
            assert_near(world->contacts.list[i].radius, size[k], 1e-6 * size[k]);
        cdg_world_destroy(world);
    }
    cdg_mesh_free(&brick);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bodies_at_rest_have_no_speed),
        cmocka_unit_test(bodies_at_rest_on_rods_have_no_speed),
        cmocka_unit_test(light_bodies_are_not_squeezed_into_the_floor),
        cmocka_unit_test(stacks_stand),
        cmocka_unit_test(collisions_keep_momentum),
        cmocka_unit_test(boxes_stick_or_slide),
        cmocka_unit_test(balls_bounce),
        cmocka_unit_test(contacts_know_the_size_of_bodies),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
