// Contacts of segments with obstacles: what would pass through one is found, on the side that it came from; held ends.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "contact_case.h"
#include "math/random.h"
#include "near.h"
#include "world/rod_proxy.h"
#include "world/world.h"

static const cdg_vec3 none = {0, 0, 0};

// Both ends of a step lie on the two sides of a thin plate, ball, ...: found, with the normal of the side it came from.
static void nothing_passes_obstacles(void **state) {
    (void)state;
    cdg_random random = {5};
    for (int kind = 0; kind < CDG_SHAPE_MESH; kind++)
        for (int round = 0; round < 40; round++) {
            cdg_world *world = contact_world(none, 1e-3, 0, 1);
            cdg_obstacle_def o = cdg_obstacle_def_default();
            o.shape.kind = (cdg_shape_kind)kind;
            o.shape.size = vec3(0.5, 0.5, 2e-3);
            o.shape.radius = 0.02, o.shape.length = 0.3;
            cdg_motion motion = {.kind = CDG_MOTION_MOVE, .move = vec3(0, 0, 0.05), .from = 0, .to = 1e-3};
            if (round % 2 == 0) o.motions = &motion, o.motion_count = 1;
            if (kind == CDG_SHAPE_CAPSULE || kind == CDG_SHAPE_CYLINDER)
                o.shape.orientation = quat_from_axis_angle(vec3(1, 0, 0), 1.5707963267948966);
            must(world, cdg_world_add_obstacle(world, &o, NULL));
            double height = random_in(&random, 0.08, 0.3), speed = random_in(&random, 2, 10) * height;
            cdg_vec3 middle = vec3(random_in(&random, -5e-3, 5e-3), random_in(&random, -0.01, 0.01), height);
            cdg_vec3 half = vec3(0.05, random_in(&random, -0.02, 0.02), 0);
            cdg_rod_def def = contact_rod("rod", vec3_sub(middle, half), vec3_add(middle, half), 3e-3, 1);
            cdg_rod_id id = contact_add(world, &def);
            cdg_rod *rod = cdg_world_get_rod(world, id);
            for (size_t i = 0; i < 2; i++) {
                rod_set_vec3(rod->x_next, i, vec3_sub(rod_vec3(rod->x, i), vec3(0, 0, speed)));
                rod_set_vec3(rod->v_next, i, none);
            }
            rod_set_quat(rod->q_next, 0, rod_quat(rod->q, 0));
            cdg_error error;
            must(world, cdg_rod_contacts_build(&world->contacts, &rod, 1, NULL, 0, &error));
            cdg_pieces_load(&world->contacts.pieces, 1e-3);
            cdg_contact_input input = {.def = &world->contact_def,
                                       .obstacles = world->obstacles,
                                       .obstacle_count = 1,
                                       .time = 1e-3,
                                       .step = 1e-3};
            must(world, cdg_contacts_find(&world->contacts, &input, true, &error));
            assert_true(world->contacts.count > 0);
            for (size_t i = 0; i < world->contacts.count; i++) {
                const cdg_contact *contact = &world->contacts.list[i];
                assert_true(contact->normal.z > 0.3);
                assert_true(contact->gap < 0);
                assert_near(contact->carried.z, round % 2 == 0 ? 0.05 : 0, 1e-12);
            }
            cdg_world_destroy(world);
        }
}

// A rod of one element that comes to lie 1 mm deep on a ball, its first node held or not: the contact that is found.
static cdg_contact contact_on_ball(double half, double ball, bool is_held) {
    cdg_world *world = contact_world(none, 1e-3, 0, 1);
    cdg_obstacle_def o = cdg_obstacle_def_default();
    o.shape.kind = CDG_SHAPE_SPHERE;
    o.shape.radius = ball, o.shape.position = vec3(0, 0, -ball);
    must(world, cdg_world_add_obstacle(world, &o, NULL));
    cdg_rod_def def = contact_rod("rod", vec3(-half, 0, 0.01), vec3(half, 0, 0.01), 3e-3, 1);
    cdg_rod *rod = cdg_world_get_rod(world, contact_add(world, &def));
    for (size_t i = 0; i < 2; i++) {
        rod_set_vec3(rod->x_next, i, vec3(i == 0 ? -half : half, 0, 2e-3));
        rod_set_vec3(rod->v_next, i, none);
    }
    rod_set_quat(rod->q_next, 0, rod_quat(rod->q, 0));
    cdg_error error;
    must(world, cdg_rod_contacts_build(&world->contacts, &rod, 1, NULL, 0, &error));
    cdg_pieces *pieces = &world->contacts.pieces;
    cdg_pieces_load(pieces, 1e-3);
    pieces->held[pieces->ends[0][0]] = is_held;
    cdg_contact_input input = {
        .def = &world->contact_def, .obstacles = world->obstacles, .obstacle_count = 1, .time = 1e-3, .step = 1e-3};
    must(world, cdg_contacts_find(&world->contacts, &input, true, &error));
    assert_int_equal(world->contacts.count, 1);
    cdg_contact contact = world->contacts.list[0];
    cdg_world_destroy(world);
    return contact;
}

// No force moves a held end: what it lacks of the target is not asked of a place beside it, in proportion to how near
// that is. A held end with room to spare changes nothing.
static void held_ends_are_not_asked_to_move(void **state) {
    (void)state;
    double half = 0.01, ball = 0.5;
    cdg_contact is_free = contact_on_ball(half, ball, false), held = contact_on_ball(half, ball, true);
    double end_gap = hypot(half, ball + 2e-3) - ball - 3e-3, lacking = is_free.target - end_gap;
    assert_true(lacking > 5e-4);
    assert_near(held.parameter[0], is_free.parameter[0], 1e-12);
    assert_near(held.target, is_free.target - (1 - held.parameter[0]) * lacking, 1e-12);
    is_free = contact_on_ball(0.05, 0.02, false), held = contact_on_ball(0.05, 0.02, true);
    assert_true(held.target == is_free.target);
}

// What bounces knows how fast it met the other: a body that flies at a rod at rest, or a rod that flies at the body.
static void bodies_that_fly_approach(void **state) {
    (void)state;
    const double speed = 1, step = 1e-3;
    for (int k = 0; k < 2; k++) { // which one flies
        cdg_world *world = contact_world(none, step, 0, 1);
        cdg_contact_def bouncing = cdg_world_contact(world);
        bouncing.restitution = 0.5;
        must(world, cdg_world_set_contact(world, &bouncing));
        cdg_body_def ball = cdg_body_def_default();
        ball.shape.radius = 0.05, ball.shape.position = vec3(0, 0, 0.06);
        if (k == 0) ball.velocity = vec3(0, 0, -speed);
        must(world, cdg_world_add_body(world, &ball, NULL));
        cdg_rod_def def = contact_rod("rod", vec3(-0.1, 0, 0), vec3(0.1, 0, 0), 5e-3, 3);
        if (k == 1) def.velocity = vec3(0, 0, speed);
        contact_add(world, &def);
        size_t count = 0;
        double approach = 0;
        for (int i = 0; i < 20 && count == 0; i++) {
            must(world, cdg_world_step(world, NULL));
            for (size_t j = 0; j < world->contacts.count; j++)
                if (vec3_norm(world->contacts.list[j].force) > 0) count++, approach = world->contacts.list[j].approach;
        }
        assert_true(count > 0);
        double parts = speed * step / approach; // of the step, which is halved until they meet near its end
        assert_true(approach > 0 && parts < 4096.5);
        assert_near(log2(parts), round(log2(parts)), 1e-6);
        cdg_world_destroy(world);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_passes_obstacles),
        cmocka_unit_test(held_ends_are_not_asked_to_move),
        cmocka_unit_test(bodies_that_fly_approach),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
