// Solids in contact: a block lies on a floor, slides or sticks, two collide, momentum is kept, nothing passes.
#include "solid_world_case.h"

#include "rounds.h"
#include "world/solid_proxy.h"

#include <cordage/body.h>
#include <cordage/obstacle.h>

static cdg_solid_def block(cdg_vec3 at, cdg_solid_integrator integrator) {
    cdg_solid_def def = solid_case_def(CDG_SOLID_NEO_HOOKEAN, integrator);
    def.position = at;
    def.damping_time = 2e-3;
    return def;
}

static void set_contact(cdg_world *world, double friction) {
    cdg_contact_def contact = cdg_contact_def_default();
    contact.friction = friction;
    assert_int_equal(cdg_world_set_contact(world, &contact), CDG_OK);
}

static void add_floor(cdg_world *world, cdg_vec3 normal) {
    cdg_obstacle_def floor = cdg_obstacle_def_default();
    floor.shape.kind = CDG_SHAPE_PLANE;
    floor.shape.normal = normal;
    assert_int_equal(cdg_world_add_obstacle(world, &floor, NULL), CDG_OK);
}

static double lowest(const cdg_world *world, cdg_solid_id id, cdg_vec3 up) {
    cdg_solid_view view;
    cdg_solid_info info;
    assert_int_equal(cdg_solid_get_view(world, id, &view), CDG_OK);
    assert_int_equal(cdg_solid_get_info(world, id, &info), CDG_OK);
    double least = INFINITY;
    for (size_t i = 0; i < info.node_count; i++)
        least = fmin(least, up.x * view.position[0][i] + up.y * view.position[1][i] + up.z * view.position[2][i]);
    return least;
}

static void fall_and_rest(cdg_solid_integrator integrator, double step) {
    cdg_world *world = solid_world(1, step);
    set_contact(world, 0.5);
    add_floor(world, vec3(0, 0, 1));
    cdg_solid_id id = solid_world_add(world, block(vec3(0, 0, 0.08), integrator), vec3(0.1, 0.1, 0.1), 0.05);
    double deepest = INFINITY;
    for (int i = 0; i < 0.6 / step; i++) {
        solid_world_steps(world, 1);
        deepest = fmin(deepest, lowest(world, id, vec3(0, 0, 1)));
    }
    cdg_solid_state s;
    assert_int_equal(cdg_solid_get_state(world, id, &s), CDG_OK);
    assert_true(deepest > 0); // nothing went below the floor
    assert_true(vec3_norm(s.velocity) < 0.01);
    assert_near(s.center.z, 0.05, 0.004);
    cdg_world_destroy(world);
}

static void test_a_block_falls_and_rests(void **state) {
    (void)state;
    fall_and_rest(CDG_SOLID_EXPLICIT, 1e-3);
    fall_and_rest(CDG_SOLID_EULER, 1e-2);
    fall_and_rest(CDG_SOLID_BDF2, 1e-2);
}

// Its mesh touches the floor, or a millionth of an edge is in it: the surface's thickness is made room for, gently.
static void test_a_block_may_stand_on_the_floor(void **state) {
    (void)state;
    for (int k = 0; k < 4; k++) {
        cdg_world *world = solid_world(1, 5e-3);
        set_contact(world, 0.5);
        add_floor(world, vec3(0, 0, 1));
        cdg_vec3 at = vec3(0, 0, k == 3 ? 0.04 : 0.05 - 5e-8 * (k == 1));
        cdg_solid_id id =
            solid_world_add(world, block(at, k == 2 ? CDG_SOLID_EXPLICIT : CDG_SOLID_BDF2), vec3(0.1, 0.1, 0.1), 0.05);
        if (k == 3) { // a centimetre deep is no such start
            assert_int_equal(cdg_world_step(world, NULL), CDG_ERROR_ARGUMENT);
            assert_non_null(strstr(cdg_world_message(world), "a twentieth of their shortest edge"));
            cdg_world_destroy(world);
            continue;
        }
        double fastest = 0;
        for (int i = 0; i < 100; i++) {
            cdg_solid_state s;
            solid_world_steps(world, 1);
            assert_int_equal(cdg_solid_get_state(world, id, &s), CDG_OK);
            fastest = fmax(fastest, vec3_norm(s.velocity));
        }
        assert_true(fastest < 0.6); // 2.5 mm in a step
        assert_near(lowest(world, id, vec3(0, 0, 1)), 0.05 / 20, 5e-4);
        cdg_world_destroy(world);
    }
}

// Implicit steps keep linear momentum; only explicit ones keep the angular one of bodies that turn.
static void collide(cdg_solid_integrator one, cdg_solid_integrator other, double step) {
    cdg_world *world = solid_world(1, step);
    cdg_world_set_gravity(world, vec3(0, 0, 0));
    set_contact(world, 0.3);
    cdg_solid_def a = block(vec3(-0.08, 0, 0), one), b = block(vec3(0.08, 0.03, 0.02), other);
    a.velocity = vec3(2, 0, 0), b.velocity = vec3(-1, 0, 0);
    cdg_solid_id first = solid_world_add(world, a, vec3(0.1, 0.1, 0.1), 0.05);
    cdg_solid_id second = solid_world_add(world, b, vec3(0.1, 0.1, 0.1), 0.05);
    cdg_vec3 linear[2], angular[2];
    cdg_world_momentum(world, &linear[0], &angular[0]);
    solid_world_steps(world, (int)(0.1 / step));
    cdg_world_momentum(world, &linear[1], &angular[1]);
    assert_vec3_near(linear[1], linear[0], 1e-12 * 10);
    bool is_explicit = one == CDG_SOLID_EXPLICIT && other == CDG_SOLID_EXPLICIT;
    assert_vec3_near(angular[1], angular[0], is_explicit ? 1e-10 : 0.02);
    cdg_solid_state s[2];
    assert_int_equal(cdg_solid_get_state(world, first, &s[0]), CDG_OK);
    assert_int_equal(cdg_solid_get_state(world, second, &s[1]), CDG_OK);
    assert_true(s[0].velocity.x < s[1].velocity.x); // they part
    assert_true(s[0].center.x < s[1].center.x);
    cdg_world_destroy(world);
}

static void test_two_collide_and_keep_their_momentum(void **state) {
    (void)state;
    collide(CDG_SOLID_EXPLICIT, CDG_SOLID_EXPLICIT, 5e-4);
    collide(CDG_SOLID_EULER, CDG_SOLID_BDF2, 2e-3);
    collide(CDG_SOLID_BDF2, CDG_SOLID_BDF2, 1e-3);
    collide(CDG_SOLID_BDF2, CDG_SOLID_EXPLICIT, 5e-4);
}

// Speed along a slope after half a second.
static double slide(double friction, cdg_solid_integrator integrator, double step) {
    cdg_world *world = solid_world(1, step);
    const double angle = 0.3;
    cdg_vec3 normal = vec3(sin(angle), 0, cos(angle)), along = vec3(cos(angle), 0, -sin(angle));
    set_contact(world, friction);
    add_floor(world, normal);
    cdg_solid_def def = block(vec3_scale(0.0528, normal), integrator);
    def.orientation = quat_from_axis_angle(vec3(0, 1, 0), angle);
    cdg_solid_id id = solid_world_add(world, def, vec3(0.1, 0.1, 0.1), 0.05);
    solid_world_steps(world, (int)(0.5 / step));
    cdg_solid_state s;
    assert_int_equal(cdg_solid_get_state(world, id, &s), CDG_OK);
    cdg_world_destroy(world);
    return vec3_dot(s.velocity, along);
}

static void test_a_slope(void **state) {
    (void)state;
    skip_when_sanitized();
    const double speed = 0.5 * 10 * (sin(0.3) - 0.1 * cos(0.3));
    assert_near(slide(0.6, CDG_SOLID_EXPLICIT, 1e-3), 0, 5e-3);         // sticks
    assert_near(slide(0.1, CDG_SOLID_EXPLICIT, 1e-3) / speed, 1, 0.03); // slides
    assert_near(slide(0.6, CDG_SOLID_BDF2, 1e-2), 0, 1e-6);
    assert_near(slide(0.1, CDG_SOLID_BDF2, 1e-2) / speed, 1, 0.01);
}

// Implicit blocks on each other, on one and two threads, and put back: the same bits.
static void test_a_pile_rests_to_the_bit(void **state) {
    (void)state;
    skip_when_sanitized();
    cdg_vec3 end[2];
    for (int threads = 1; threads < 3; threads++) {
        cdg_world *world = solid_world(threads, 1e-2);
        set_contact(world, 0.5);
        add_floor(world, vec3(0, 0, 1));
        cdg_solid_id id = {0};
        for (int i = 0; i < 3; i++)
            id = solid_world_add(world, block(vec3(0.01 * (i % 2), 0, 0.0528 + 0.106 * i), CDG_SOLID_BDF2),
                                 vec3(0.1, 0.1, 0.1), 0.05);
        solid_world_steps(world, 50);
        double *saved = malloc(cdg_world_snapshot_size(world) * sizeof *saved);
        assert_int_equal(cdg_world_snapshot_save(world, saved), CDG_OK);
        for (int pass = 0; pass < 2; pass++) {
            solid_world_steps(world, 10);
            cdg_solid_state s;
            assert_int_equal(cdg_solid_get_state(world, id, &s), CDG_OK);
            assert_true(vec3_norm(s.velocity) < 2e-2);
            assert_near(s.center.z, 0.05 + 0.105 * 2, 0.01);
            if (threads + pass > 1) assert_memory_equal(&s.center, &end[0], sizeof s.center);
            end[0] = s.center;
            assert_int_equal(cdg_world_snapshot_load(world, saved), CDG_OK);
        }
        free(saved);
        cdg_world_destroy(world);
    }
}

// ---- by the closed form ---------------------------------------------------------------------------------------------

static void set_paper(cdg_world *world, double friction) {
    cdg_contact_def contact = cdg_contact_def_default();
    contact.friction = friction;
    contact.response = CDG_RESPONSE_PAPER;
    assert_int_equal(cdg_world_set_contact(world, &contact), CDG_OK);
}

// Momentum to rounding, where overlaps remain; and the same bits on two threads and from a snapshot taken in them.
static void test_the_closed_form_keeps_momentum(void **state) {
    (void)state;
    cdg_vec3 end = {0, 0, 0};
    for (int threads = 1; threads < 3; threads++) {
        cdg_world *world = solid_world(threads, 5e-4);
        cdg_world_set_gravity(world, vec3(0, 0, 0));
        set_paper(world, 0.3);
        cdg_solid_def a = block(vec3(-0.08, 0, 0), CDG_SOLID_EXPLICIT), b = block(vec3(0.08, 0.03, 0.02), a.integrator);
        a.velocity = vec3(2, 0, 0), b.velocity = vec3(-1, 0, 0);
        cdg_solid_id first = solid_world_add(world, a, vec3(0.1, 0.1, 0.1), 0.05);
        solid_world_add(world, b, vec3(0.1, 0.1, 0.1), 0.05);
        cdg_vec3 before, after, angular;
        cdg_world_momentum(world, &before, &angular);
        while (!(cdg_world_deepest_contact(world) > 0.01)) solid_world_steps(world, 1);
        double *saved = malloc(cdg_world_snapshot_size(world) * sizeof *saved);
        assert_int_equal(cdg_world_snapshot_save(world, saved), CDG_OK);
        for (int pass = 0; pass < 2; pass++) {
            solid_world_steps(world, 100);
            cdg_world_momentum(world, &after, &angular);
            assert_vec3_near(after, before, 1e-12);
            cdg_solid_state s;
            assert_int_equal(cdg_solid_get_state(world, first, &s), CDG_OK);
            assert_true(s.velocity.x < 1);
            if (threads + pass > 1) assert_memory_equal(&s.center, &end, sizeof end);
            end = s.center;
            assert_int_equal(cdg_world_snapshot_load(world, saved), CDG_OK);
        }
        free(saved);
        cdg_world_destroy(world);
    }
}

static void test_the_closed_form_is_refused_elsewhere(void **state) {
    (void)state;
    for (int k = 0; k < 4; k++) {
        cdg_world *world = solid_world(1, 5e-4);
        set_paper(world, 0);
        cdg_solid_def def = block(vec3(0, 0, 0), k == 0 ? CDG_SOLID_BDF2 : CDG_SOLID_EXPLICIT);
        if (k == 1) def.model = CDG_SOLID_SHAPE_MATCHING, def.shape_matching.relaxation_time = 0.01;
        solid_world_add(world, def, vec3(0.1, 0.1, 0.1), 0.05);
        cdg_body_def ball = cdg_body_def_default();
        ball.shape = (cdg_shape){.kind = CDG_SHAPE_SPHERE, .radius = 0.01, .orientation = {1, 0, 0, 0}};
        ball.shape.position = vec3(1, 0, 0);
        if (k == 2) assert_int_equal(cdg_world_add_body(world, &ball, NULL), CDG_OK);
        assert_int_equal(cdg_world_step(world, NULL), k == 3 ? CDG_OK : CDG_ERROR_UNSUPPORTED);
        if (k < 3) assert_non_null(strstr(cdg_world_message(world), "response solved"));
        cdg_contact_def contact = cdg_world_contact(world);
        contact.restitution = 0.5;
        assert_int_equal(cdg_world_set_contact(world, &contact), CDG_ERROR_ARGUMENT);
        contact.restitution = 0, contact.response = CDG_RESPONSE_COUNT;
        assert_int_equal(cdg_world_set_contact(world, &contact), CDG_ERROR_ARGUMENT);
        cdg_world_destroy(world);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_block_falls_and_rests),
        cmocka_unit_test(test_a_block_may_stand_on_the_floor),
        cmocka_unit_test(test_two_collide_and_keep_their_momentum),
        cmocka_unit_test(test_a_slope),
        cmocka_unit_test(test_a_pile_rests_to_the_bit),
        cmocka_unit_test(test_the_closed_form_keeps_momentum),
        cmocka_unit_test(test_the_closed_form_is_refused_elsewhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
