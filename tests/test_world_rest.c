// Rods whose rest shape is steered between steps, and friction that changes: each model comes to rest where a rod that
// had it from the start does.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "contact_case.h"
#include "math/quat.h"
#include "near.h"
#include "rounds.h"
#include "world/world.h"

#include <string.h>

enum { ELEMENTS = 12 };
static const double step = 2e-3, long_step = 5e-3, length = 0.3; // s, s, m
static const cdg_model models[] = {CDG_MODEL_POBD, CDG_MODEL_DER, CDG_MODEL_CORDE, CDG_MODEL_REFERENCE,
                                   CDG_MODEL_GALPHA};
enum { MODELS = sizeof models / sizeof *models };

static cdg_world *new_world(cdg_vec3 gravity) {
    cdg_world_def def = cdg_world_def_default();
    def.gravity = gravity;
    def.step = step;
    def.thread_count = 1;
    cdg_world *world;
    must(NULL, cdg_world_create(&def, &world, NULL));
    return world;
}

static cdg_rod_id add_cantilever(cdg_world *world, cdg_model model) {
    cdg_rod_def def = contact_rod("rod", vec3(0, 0, 0), vec3(length, 0, 0), 5e-3, ELEMENTS);
    def.model = model;
    def.material.damping_bend = def.material.damping_twist = 0.5; // nearly critical
    def.material.damping_stretch = def.material.damping_shear = 1e-3;
    cdg_rod_id rod = contact_add(world, &def);
    must(world,
         cdg_world_add_support(world, &(cdg_support_def){.kind = CDG_SUPPORT_CLAMP, .place = {.rod = rod}}, NULL));
    return rod;
}

static cdg_vec3 tip_of(const cdg_world *world, cdg_rod_id rod) {
    cdg_vec3 nodes[ELEMENTS + 1];
    must(NULL, cdg_rod_positions(world, rod, nodes));
    return nodes[ELEMENTS];
}

// A muscle that contracts while the rod moves, over 100 steps: the rod comes to rest as an arc of that curvature.
static void a_muscle_bends_every_model_into_an_arc(void **state) {
    (void)state;
    skip_when_sanitized();
    const double curvature = 4, angle = curvature * length;
    for (size_t m = 0; m < MODELS; m++) {
        cdg_world *world = new_world(vec3(0, 0, 0));
        must(world, cdg_world_set_step_size(world, long_step));
        cdg_rod_id rod = add_cantilever(world, models[m]);
        cdg_quat start[ELEMENTS];
        must(world, cdg_rod_frames(world, rod, start));
        for (int i = 1; i <= 800; i++) {
            cdg_vec3 rest[ELEMENTS + 1];
            for (size_t k = 0; k <= ELEMENTS; k++) rest[k] = vec3(curvature * fmin(i / 100.0, 1), 0, 0);
            if (i <= 100) must(world, cdg_rod_set_rest_curvature(world, rod, rest));
            must(world, cdg_world_step(world, NULL));
        }
        // about d1 the tangent turns away from d2
        cdg_vec3 across = quat_rotate(start[0], vec3(0, -1, 0));
        cdg_vec3 exact = vec3_mad(vec3(sin(angle) / curvature, 0, 0), (1 - cos(angle)) / curvature, across);
        cdg_vec3 tip = tip_of(world, rod);
        if (!(vec3_distance(tip, exact) < 2e-3 * length)) // chords of 12 elements: (angle/12)^2/24 = 4e-4
            fail_msg("model %d: %g %g %g, not %g %g %g", (int)models[m], tip.x, tip.y, tip.z, exact.x, exact.y,
                     exact.z);
        // the muscle did work from outside, and some of it was lost to damping
        assert_true(world->external_work > 0);
        assert_true(cdg_world_energy(world).dissipated > 0);
        cdg_world_destroy(world);
    }
}

// A winch: a hanging rope that is wound up by half lifts its end.
static void a_shorter_rest_length_lifts_a_load(void **state) {
    (void)state;
    for (size_t m = 0; m < MODELS; m++) {
        cdg_world *world = new_world(vec3(0, 0, -10));
        cdg_rod_def def = contact_rod("rod", vec3(0, 0, 0), vec3(0, 0, -length), 5e-3, ELEMENTS);
        def.model = models[m];
        def.material.damping_stretch = def.material.damping_bend = 5e-3;
        cdg_rod_id rod = contact_add(world, &def);
        must(world,
             cdg_world_add_support(world, &(cdg_support_def){.kind = CDG_SUPPORT_PIN, .place = {.rod = rod}}, NULL));
        cdg_rod_info info;
        must(world, cdg_rod_get_info(world, rod, &info));
        double mass = info.mass;
        for (int i = 1; i <= 600; i++) {
            if (i <= 200) must(world, cdg_rod_set_rest_length(world, rod, length * (1 - 0.5 * i / 200)));
            must(world, cdg_world_step(world, NULL));
        }
        // stretched by its own weight: m g L / (2 E A)
        double stiffness = def.material.young_modulus * 3.14159265358979 * 25e-6;
        double stretch = mass * 10 / (2 * stiffness);
        must(world, cdg_rod_get_info(world, rod, &info));
        assert_near(info.length, length / 2, 1e-12);
        assert_near(info.mass, mass, 0);
        if (!(fabs(tip_of(world, rod).z + length / 2 * (1 + stretch)) < 1e-4))
            fail_msg("model %d: the end is at %g m", (int)models[m], tip_of(world, rod).z);
        cdg_world_destroy(world);
    }
}

static void what_cannot_be_is_refused_with_a_sentence(void **state) {
    (void)state;
    cdg_world *world = new_world(vec3(0, 0, 0));
    cdg_rod_id rod = add_cantilever(world, CDG_MODEL_CORDE);
    cdg_rod_def def = contact_rod("other", vec3(length, 0, 0), vec3(2 * length, 0, 0), 5e-3, ELEMENTS);
    cdg_rod_id other = contact_add(world, &def);
    assert_int_equal(cdg_rod_set_rest_length(world, rod, 0), CDG_ERROR_ARGUMENT);
    assert_int_equal(cdg_rod_set_rest_length(world, rod, NAN), CDG_ERROR_ARGUMENT);
    assert_int_equal(cdg_rod_set_rest_length(world, (cdg_rod_id){9, 1}, 1), CDG_ERROR_STALE);
    cdg_place places[2] = {{.rod = rod, .index = ELEMENTS}, {.rod = other}};
    cdg_joint_def joint = cdg_joint_def_default();
    joint.places = places;
    joint.place_count = 2;
    must(world, cdg_world_add_joint(world, &joint, NULL));
    assert_int_equal(cdg_rod_set_rest_length(world, rod, 1), CDG_ERROR_UNSUPPORTED);
    assert_non_null(strstr(cdg_world_message(world), "joined"));
    cdg_vec3 rest[ELEMENTS + 1] = {{0}};
    rest[3].x = NAN;
    assert_int_equal(cdg_rod_set_rest_curvature(world, rod, rest), CDG_ERROR_ARGUMENT);
    assert_non_null(strstr(cdg_world_message(world), "node 3"));
    cdg_world_destroy(world);
}

// Of joined rods, too, all energy that a new rest shape makes is work from outside, with that of their joints.
static void a_new_rest_shape_of_a_net_is_work(void **state) {
    (void)state;
    for (int m = 0; m < 2; m++) {
        cdg_world *world = new_world(vec3(0, 0, 0));
        cdg_rod_def def = contact_rod("bar", vec3(0, 0, 0), vec3(length, 0, 0), 5e-3, ELEMENTS);
        def.model = m == 0 ? CDG_MODEL_DER : CDG_MODEL_CORDE;
        cdg_rod_id bar = contact_add(world, &def);
        def.name = "arm";
        def.centerline.line.from = vec3(length / 2, 0, 0), def.centerline.line.to = vec3(length / 2, length, 0);
        cdg_rod_id arm = contact_add(world, &def);
        cdg_place places[2] = {{.rod = bar, .index = ELEMENTS / 2}, {.rod = arm}};
        cdg_joint_def joint = cdg_joint_def_default();
        joint.places = places, joint.place_count = 2;
        must(world, cdg_world_add_joint(world, &joint, NULL));
        contact_run(world, 2);
        for (int k = 1; k <= 2; k++) { // first as it was made, then strained
            double before = cdg_world_energy(world).total, work = world->external_work;
            cdg_vec3 rest[ELEMENTS + 1];
            for (int i = 0; i <= ELEMENTS; i++) rest[i] = vec3(3 * k, 0, k);
            must(world, cdg_rod_set_rest_curvature(world, bar, rest));
            double made = cdg_world_energy(world).total - before;
            assert_true(made > 1e-6);
            assert_near(world->external_work - work, made, 1e-9 * made);
        }
        cdg_world_destroy(world);
    }
}

// A rod lies on a slope: with friction it stays, without it slides.
static void friction_of_an_obstacle_may_change(void **state) {
    (void)state;
    cdg_world *world = contact_world(vec3(3, 0, -9), step, 0.1, 1);
    cdg_obstacle_def plane = cdg_obstacle_def_default();
    cdg_obstacle_id floor;
    plane.friction = 1;
    must(world, cdg_world_add_obstacle(world, &plane, &floor));
    cdg_rod_def def = contact_rod("rod", vec3(0, 0, 5.001e-3), vec3(0.2, 0, 5.001e-3), 5e-3, ELEMENTS);
    cdg_rod_id rod = contact_add(world, &def);
    contact_run(world, 100);
    double before = tip_of(world, rod).x;
    assert_near(before, 0.2, 1e-3);
    must(world, cdg_obstacle_set_friction(world, floor, 0));
    contact_run(world, 100);
    double slid = tip_of(world, rod).x - before; // g t^2 / 2
    assert_near(slid, 0.5 * 3 * 0.2 * 0.2, 0.02 * 0.06);
    cdg_obstacle_info info;
    must(world, cdg_obstacle_set_friction(world, floor, -1));
    must(world, cdg_obstacle_get_info(world, floor, &info));
    assert_near(info.friction, 0.1, 0);
    assert_int_equal(cdg_obstacle_set_friction(world, floor, NAN), CDG_ERROR_ARGUMENT);
    cdg_world_destroy(world);
}

static void friction_of_a_body_may_change(void **state) {
    (void)state;
    cdg_world *world = contact_world(vec3(3, 0, -9), step, 1, 1);
    cdg_body_def def = cdg_body_def_default();
    cdg_body_id table;
    def.shape.kind = CDG_SHAPE_BOX;
    def.shape.size = vec3(2, 2, 0.1);
    def.shape.position = vec3(0, 0, -0.05);
    def.is_fixed = true;
    must(world, cdg_world_add_body(world, &def, &table));
    cdg_rod_def rod_def = contact_rod("rod", vec3(0, 0, 5.001e-3), vec3(0.2, 0, 5.001e-3), 5e-3, ELEMENTS);
    cdg_rod_id rod = contact_add(world, &rod_def);
    contact_run(world, 50);
    double before = tip_of(world, rod).x;
    assert_near(before, 0.2, 1e-3);
    must(world, cdg_body_set_friction(world, table, 0));
    contact_run(world, 100);
    assert_near(tip_of(world, rod).x - before, 0.06, 0.02 * 0.06);
    assert_int_equal(cdg_body_set_friction(world, (cdg_body_id){7, 1}, 0), CDG_ERROR_STALE);
    cdg_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_muscle_bends_every_model_into_an_arc),
        cmocka_unit_test(a_shorter_rest_length_lifts_a_load),
        cmocka_unit_test(what_cannot_be_is_refused_with_a_sentence),
        cmocka_unit_test(a_new_rest_shape_of_a_net_is_work),
        cmocka_unit_test(friction_of_an_obstacle_may_change),
        cmocka_unit_test(friction_of_a_body_may_change),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
