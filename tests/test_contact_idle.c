// Steps in which nothing is near: what the bounds tell is what looking at all elements finds, and results are the same.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <cordage/structure.h>

#include "contact_case.h"
#include "math/random.h"
#include "world/world.h"

#include <limits.h>
#include <math.h>
#include <string.h>

enum { STEPS = 120 };

// Two rods fall onto a floor, one of them crooked; `looks` false: all elements are looked at in every step.
static void fall(cdg_model model, bool looks, double out[3], size_t *idle) {
    cdg_world *world = contact_world(vec3(0, 0, -9.81), 1e-3, 0.3, 1);
    cdg_obstacle_def plane = cdg_obstacle_def_default();
    must(world, cdg_world_add_obstacle(world, &plane, NULL));
    cdg_rod_def rod = contact_rod("rod", vec3(0, 0, 0.04), vec3(0.3, 0, 0.06), 4e-3, 20);
    rod.model = model;
    contact_add(world, &rod);
    cdg_rod_def arc = contact_rod("arc", vec3(0, 0, 0), vec3(0, 0, 0), 4e-3, 30);
    arc.model = model;
    arc.centerline.kind = CDG_CENTERLINE_HELIX;
    arc.centerline.helix.base = vec3(0.15, 0.3, 0.05);
    arc.centerline.helix.radius = 0.1, arc.centerline.helix.pitch = 0.02, arc.centerline.helix.turns = 0.7;
    arc.rest.kind = CDG_REST_INITIAL;
    contact_add(world, &arc);
    *idle = 0;
    for (int i = 0; i < STEPS; i++) {
        if (!looks) world->contacts.idle.waiting = INT_MAX;
        must(world, cdg_world_step(world, NULL));
        *idle += world->contacts.idle.is_quiet;
    }
    assert_true(world->contacts.count > 0); // it lies there
    const cdg_rod *end = world->rods[1].rod;
    for (int k = 0; k < 3; k++) out[k] = end->x[k][end->node_count - 1];
    cdg_world_destroy(world);
}

static void results_are_the_same(void **state) {
    (void)state;
    static const cdg_model models[] = {CDG_MODEL_CORDE, CDG_MODEL_POBD, CDG_MODEL_DER, CDG_MODEL_GALPHA};
    for (size_t m = 0; m < sizeof models / sizeof *models; m++) {
        double looking[3], always[3];
        size_t idle, none;
        fall(models[m], true, looking, &idle);
        fall(models[m], false, always, &none);
        assert_memory_equal(looking, always, sizeof looking);
        assert_int_equal(none, 0);
        assert_true(idle > STEPS / 3 && idle < STEPS); // in the air, but for the first step
    }
}

// A net that swings on two corners, a body that falls past it onto a floor, and a stick that turns beside them.
static void swing(bool looks, cdg_vec3 out[2], size_t *idle) {
    cdg_world *world = contact_world(vec3(0, 0, -9.81), 1e-3, 0.3, 1);
    cdg_obstacle_def plane = cdg_obstacle_def_default(), stick = plane;
    plane.shape.position.z = -0.3;
    must(world, cdg_world_add_obstacle(world, &plane, NULL));
    cdg_motion motion = cdg_motion_default();
    motion.kind = CDG_MOTION_ROTATE, motion.axis = vec3(0, 1, 0), motion.angle = 3;
    stick.shape.kind = CDG_SHAPE_CAPSULE, stick.shape.radius = 0.01, stick.shape.length = 0.2;
    stick.shape.position = vec3(0.2, 0.5, 0);
    stick.motions = &motion, stick.motion_count = 1;
    must(world, cdg_world_add_obstacle(world, &stick, NULL));
    cdg_structure_def net = cdg_structure_def_default();
    net.name = "net";
    net.rod = contact_rod(NULL, vec3(0, 0, 0), vec3(0, 0, 0), 2e-3, 1);
    net.net.size[0] = net.net.size[1] = 0.3;
    must(world, cdg_world_add_structure(world, &net));
    for (int i = 0; i < 2; i++) {
        cdg_rod_id rod = cdg_world_find_rod(world, i == 0 ? "net.h0" : "net.h4");
        cdg_support_def pin = {.kind = CDG_SUPPORT_PIN, .place = cdg_rod_node(rod, 0)};
        must(world, cdg_world_add_support(world, &pin, NULL));
    }
    cdg_body_def ball = cdg_body_def_default();
    cdg_body_id body;
    ball.shape.position = vec3(0.6, 0.1, -0.15), ball.angular_velocity = vec3(0, 5, 0);
    must(world, cdg_world_add_body(world, &ball, &body));
    *idle = 0;
    for (int i = 0; i < 200; i++) {
        if (!looks) world->contacts.idle.waiting = INT_MAX;
        must(world, cdg_world_step(world, NULL));
        *idle += world->contacts.idle.is_quiet;
    }
    out[0] = rod_vec3(world->rods[2].rod->x, 16);
    out[1] = world->bodies[0].now.x;
    assert_true(out[1].z < -0.2); // it lies there
    cdg_world_destroy(world);
}

static void results_of_nets_and_bodies_are_the_same(void **state) {
    (void)state;
    cdg_vec3 looking[2], always[2];
    size_t idle, none;
    swing(true, looking, &idle);
    swing(false, always, &none);
    assert_memory_equal(looking, always, sizeof looking);
    assert_int_equal(none, 0);
    assert_true(idle > 60 && idle < 190);
}

// The check sees jumps: a loaded state, an obstacle that is moved and a new obstacle may each bring things near at
// once.
static void what_jumps_is_seen(void **state) {
    (void)state;
    for (int kind = 0; kind < 3; kind++) {
        cdg_world *world = contact_world(vec3(0, 0, 0), 1e-3, 0, 1);
        cdg_obstacle_def ball = cdg_obstacle_def_default();
        cdg_obstacle_id obstacle;
        ball.shape.kind = CDG_SHAPE_SPHERE, ball.shape.radius = 0.02, ball.shape.position = vec3(0.15, 0, 1);
        must(world, cdg_world_add_obstacle(world, &ball, &obstacle));
        cdg_rod_def def = contact_rod("rod", vec3(0, 0, 0), vec3(0.3, 0, 0), 4e-3, 20);
        contact_add(world, &def);
        contact_run(world, 5);
        assert_true(world->contacts.idle.is_quiet);
        ball.shape.position.z = 0.0239; // a tenth of a millimetre deep
        if (kind == 0) must(world, cdg_obstacle_set_pose(world, obstacle, &ball.shape.position, NULL));
        if (kind == 1) must(world, cdg_world_add_obstacle(world, &ball, NULL));
        for (size_t i = 0; i < 21 && kind == 2; i++) world->rods[0].rod->x[2][i] = 1 - 0.0239;
        if (kind == 1) world->contacts.is_known_free = true;
        must(world, cdg_world_step(world, NULL));
        assert_false(world->contacts.idle.is_quiet);
        cdg_world_destroy(world);
    }
}

// ---- never idle with anything near ----------------------------------------------------------------------------------

static cdg_vec3 random_point(cdg_random *random, double size) {
    return vec3(random_in(random, -size, size), random_in(random, -size, size), random_in(random, -size, size));
}

// A wandering line with edges of 2 cm.
static void wander(cdg_random *random, double bend, double *const x[3], size_t count) {
    cdg_vec3 at = random_point(random, 0.15), direction = vec3_normalize(random_point(random, 1));
    for (size_t i = 0; i < count; i++) {
        rod_set_vec3(x, i, at);
        direction = vec3_normalize(vec3_mad(direction, bend, random_point(random, 1)));
        at = vec3_mad(at, 0.02, direction);
    }
}

// Edges to and fro across an axis, which the elements after the next come near by.
static void zigzag(cdg_random *random, double angle, double *const x[3], size_t count) {
    cdg_vec3 at = random_point(random, 0.1);
    for (size_t i = 0; i < count; i++) {
        rod_set_vec3(x, i, at);
        at = vec3_add(at, vec3(0.02 * cos(angle), (i % 2 == 0 ? 0.02 : -0.02) * sin(angle), 0));
    }
}

static void nothing_near_is_missed(void **state) {
    (void)state;
    cdg_random random = {17};
    cdg_world *world = contact_world(vec3(0, 0, 0), 1e-3, 0, 1);
    cdg_obstacle_def plane = cdg_obstacle_def_default(), ball = cdg_obstacle_def_default();
    plane.shape.position.z = -0.35;
    ball.shape.kind = CDG_SHAPE_SPHERE, ball.shape.radius = 0.02, ball.shape.position = vec3(0.3, 0.1, 0);
    must(world, cdg_world_add_obstacle(world, &plane, NULL));
    must(world, cdg_world_add_obstacle(world, &ball, NULL));
    for (int i = 0; i < 2; i++) {
        cdg_rod_def def = contact_rod(i == 0 ? "a" : "b", vec3(0, i, 0), vec3(0.48, i, 0), 5e-3, 24);
        if (i == 1) {
            def.centerline.kind = CDG_CENTERLINE_CIRCLE, def.centerline.closed = true;
            def.centerline.circle.center = vec3(0, 1, 0), def.centerline.circle.axis = vec3(0, 0, 1);
            def.centerline.circle.radius = 0.48 / (2 * 3.141592653589793);
            def.rest.kind = CDG_REST_INITIAL;
        }
        contact_add(world, &def);
    }
    must(world, cdg_world_check_contact(world));
    cdg_contacts *c = &world->contacts;
    cdg_contact_input input = {.def = &world->contact_def,
                               .obstacles = world->obstacles,
                               .obstacle_count = world->obstacle_count,
                               .time = 1e-3,
                               .step = 1e-3};
    cdg_rod *line = world->rods[0].rod, *ring = world->rods[1].rod;
    size_t idle = 0, near = 0, both = 0;
    for (int round = 0; round < 4000; round++) {
        double move = random_in(&random, 0, 4e-3);
        if (round % 4 == 3)
            zigzag(&random, random_in(&random, 0, 1.5), line->x, line->node_count);
        else
            wander(&random, random_in(&random, 0, 0.4), line->x, line->node_count);
        cdg_vec3 middle = random_point(&random, 0.4);
        for (size_t i = 0; i < ring->node_count; i++) {
            double angle = 6.283185307179586 * (double)i / (double)ring->node_count;
            double squeeze = round % 2 == 0 ? 0.3 : 1;
            cdg_vec3 on = vec3(0.0764 * cos(angle), 0.0764 * squeeze * sin(angle), 0);
            rod_set_vec3(ring->x, i, vec3_add(middle, on));
        }
        for (int r = 0; r < 2; r++)
            for (size_t i = 0; i < world->rods[r].rod->node_count; i++)
                rod_set_vec3(world->rods[r].rod->x_next, i,
                             vec3_add(rod_vec3(world->rods[r].rod->x, i), random_point(&random, move)));
        c->is_known_free = true;
        c->idle.waiting = 0;
        bool is_idle = cdg_contacts_are_idle(c, &input);
        cdg_pieces_load(&c->pieces, input.step);
        c->count = 0;
        must(world, cdg_contacts_find(c, &input, true, NULL));
        if (is_idle) assert_int_equal(c->count, 0);
        idle += is_idle, near += c->count > 0, both += !is_idle && c->count == 0;
    }
    assert_true(idle > 500 && near > 500); // both happen, and it is rarely wrong to look
    assert_true(both < 2000);
    cdg_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(results_are_the_same),
        cmocka_unit_test(results_of_nets_and_bodies_are_the_same),
        cmocka_unit_test(what_jumps_is_seen),
        cmocka_unit_test(nothing_near_is_missed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
