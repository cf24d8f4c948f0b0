// Contact through the public API: reading back, bad input, threads, snapshots.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <cordage/cordage.h>

#include "contact_case.h"
#include "near.h"
#include "rounds.h"
#include "world/world.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const cdg_vec3 none = {0, 0, 0}, down = {0, 0, -9.81};

static void add_floor(cdg_world *world, double friction) {
    cdg_obstacle_def plane = cdg_obstacle_def_default();
    plane.friction = friction;
    must(world, cdg_world_add_obstacle(world, &plane, NULL));
}

// The floor carries a resting rod's weight.
static void forces_are_read_back(void **state) {
    (void)state;
    cdg_world *world = contact_world(down, 1e-4, 0, 1);
    add_floor(world, 0.5);
    cdg_rod_def def = contact_rod("rod", vec3(0, 0, 5e-3), vec3(0.1, 0, 5e-3), 5e-3, 8);
    cdg_rod_id rod = contact_add(world, &def);
    cdg_step_report report;
    for (int i = 0; i < 50; i++) must(world, cdg_world_step(world, &report));
    cdg_rod_info info;
    cdg_rod_get_info(world, rod, &info);
    cdg_vec3 force;
    size_t count;
    must(world, cdg_rod_contact_force(world, rod, &force, &count));
    assert_vec3_near(force, vec3(0, 0, 9.81 * info.mass), 1e-3 * 9.81 * info.mass);
    assert_int_equal(count, report.contact_count);
    assert_int_equal(cdg_world_contact_count(world), count);
    cdg_vec3 sum = none;
    for (size_t i = 0; i < count; i++) {
        cdg_contact_info contact;
        must(world, cdg_world_contact_at(world, i, &contact));
        assert_int_equal(contact.rod.index1, rod.index1);
        assert_int_equal(contact.obstacle.index1, 1);
        assert_int_equal(contact.other.index1, 0);
        assert_vec3_near(contact.normal, vec3(0, 0, 1), 1e-12);
        assert_near(contact.point.z, 0, 1e-7);
        if (vec3_norm(contact.force) > 1e-2 * force.z) assert_true(contact.sticks);
        sum = vec3_add(sum, contact.force);
    }
    assert_vec3_near(sum, force, 1e-12);
    cdg_contact_info beyond;
    assert_int_equal(cdg_world_contact_at(world, count, &beyond), CDG_ERROR_ARGUMENT);
    assert_true(cdg_world_deepest_contact(world) < 1e-3);
    cdg_world_destroy(world);
}

static void rods_within_each_other_are_refused(void **state) {
    (void)state;
    for (int separates = 0; separates < 2; separates++) {
        cdg_world *world = contact_world(none, 1e-3, 0, 1);
        cdg_contact_def contact = cdg_contact_def_default();
        contact.separates = separates == 1;
        must(world, cdg_world_set_contact(world, &contact));
        cdg_rod_def a = contact_rod("left", vec3(-0.1, 0, 0), vec3(0.1, 0, 0), 5e-3, 11);
        cdg_rod_def b = contact_rod("right", vec3(0, -0.1, 4e-3), vec3(0, 0.1, 4e-3), 5e-3, 11);
        contact_add(world, &a);
        contact_add(world, &b);
        cdg_result asked = cdg_world_check_contact(world);
        assert_int_equal(asked, separates == 0 ? CDG_ERROR_ARGUMENT : CDG_OK);
        char before[1024];
        snprintf(before, sizeof before, "%s", cdg_world_message(world));
        cdg_result result = cdg_world_step(world, NULL);
        if (separates == 0) {
            assert_int_equal(result, CDG_ERROR_ARGUMENT);
            assert_string_equal(cdg_world_message(world), before);
            const char *text = cdg_world_message(world);
            assert_non_null(strstr(text, "element 5 of rod 'left'"));
            assert_non_null(strstr(text, "element 5 of rod 'right'"));
            assert_non_null(strstr(text, "0.006 m deep"));
            assert_non_null(strstr(text, "separate"));
            assert_near(cdg_world_time(world), 0, 0);
        } else {
            must(world, result);
            contact_run(world, 300);
            assert_true(cdg_world_deepest_contact(world) < 1e-2);
            cdg_energy energy = cdg_world_energy(world);
            cdg_rod_info info;
            cdg_rod_get_info(world, cdg_world_rod_at(world, 0), &info);
            assert_true(energy.kinetic < 4 * info.mass * 0.05 * 0.05); // about ten radii a second
        }
        cdg_world_destroy(world);
    }
}

// Two rods, one above the other: by default they touch; a choice that is none is refused.
static void things_touch_by_default(void **state) {
    (void)state;
    for (int choice = CDG_CONTACT_DEFAULT; choice < CDG_CONTACT_CHOICE_COUNT; choice++) {
        cdg_world_def def = cdg_world_def_default();
        cdg_world *world = NULL;
        assert_int_equal(def.contact, CDG_CONTACT_DEFAULT);
        def.step = 1e-3;
        def.contact = (cdg_contact_choice)choice;
        must(NULL, cdg_world_create(&def, &world, NULL));
        cdg_rod_def rod = cdg_rod_def_default();
        rod.element_count = 9;
        rod.name = "lower";
        cdg_rod_id lower, upper;
        must(world, cdg_world_add_rod(world, &rod, &lower));
        rod.name = "upper";
        rod.centerline.line.from = vec3(0.45, -0.5, 0.01), rod.centerline.line.to = vec3(0.45, 0.5, 0.01);
        must(world, cdg_world_add_rod(world, &rod, &upper));
        for (size_t node = 0; node < 10; node++) {
            cdg_support_def pin = {.kind = CDG_SUPPORT_PIN, .place = {lower, CDG_PLACE_NODE, node}};
            must(world, cdg_world_add_support(world, &pin, NULL));
        }
        for (int i = 0; i < 60; i++) must(world, cdg_world_step(world, NULL));
        assert_int_equal(cdg_world_contact_count(world) > 0, choice != CDG_CONTACT_OFF);
        cdg_contact_def contact = cdg_world_contact(world);
        assert_int_equal(contact.choice, choice);
        contact.choice = CDG_CONTACT_CHOICE_COUNT;
        assert_int_equal(cdg_world_set_contact(world, &contact), CDG_ERROR_ARGUMENT);
        cdg_world_destroy(world);
        def.contact = CDG_CONTACT_CHOICE_COUNT;
        assert_int_equal(cdg_world_create(&def, &world, NULL), CDG_ERROR_ARGUMENT);
    }
}

static void an_obstacle_leaves_contact_as_chosen(void **state) {
    (void)state;
    assert_int_equal(cdg_world_contact(NULL).choice, CDG_CONTACT_OFF); // no world has no contact
    cdg_world_def def = cdg_world_def_default();
    cdg_world *world = NULL;
    must(NULL, cdg_world_create(&def, &world, NULL));
    add_floor(world, -1);
    assert_int_equal(cdg_world_contact(world).choice, CDG_CONTACT_DEFAULT);
    cdg_world_destroy(world);
    must(NULL, cdg_world_create(&def, &world, NULL));
    cdg_contact_def off = cdg_contact_def_default();
    off.choice = CDG_CONTACT_OFF;
    must(world, cdg_world_set_contact(world, &off));
    add_floor(world, -1);
    assert_int_equal(cdg_world_contact(world).choice, CDG_CONTACT_OFF);
    cdg_world_destroy(world);
}

// Rods of several models fall onto each other and onto the floor.
static cdg_world *heap(int threads) {
    cdg_world *world = contact_world(down, 2e-4, 0.3, threads);
    add_floor(world, 0.4);
    for (int k = 0; k < 6; k++) {
        char name[8] = {'r', (char)('0' + k), 0};
        double z = 0.006 + 0.012 * k, turn = 1.1 * k;
        cdg_vec3 half = vec3(0.06 * cos(turn), 0.06 * sin(turn), 0.002 * (k % 2));
        cdg_rod_def def =
            contact_rod(name, vec3_sub(vec3(0, 0, z), half), vec3_add(vec3(0.004 * k, 0, z), half), 4e-3, 12);
        def.model = k % 3 == 0 ? CDG_MODEL_CORDE : k % 3 == 1 ? CDG_MODEL_DER : CDG_MODEL_POBD;
        def.der.integrator = CDG_DER_EXPLICIT;
        def.pobd.solver = CDG_POBD_GAUSS_SEIDEL;
        contact_add(world, &def);
    }
    return world;
}

static double *save(const cdg_world *world, size_t *size) {
    *size = cdg_world_snapshot_size(world);
    double *state = malloc(*size * sizeof *state);
    must(world, cdg_world_snapshot_save(world, state));
    return state;
}

static void same_for_all_threads_and_after_a_pause(void **state) {
    (void)state;
    double *end[4];
    size_t size[4];
    for (int k = 0; k < 4; k++) {
        cdg_world *world = heap(k == 1 ? 2 : 1);
        size_t before = cdg_world_snapshot_size(world);
        contact_run(world, 200);
        assert_int_equal(cdg_world_snapshot_size(world), before);
        if (k == 3) { // goes on in another world
            double *middle = save(world, &size[k]);
            cdg_world_destroy(world);
            world = heap(1);
            must(world, cdg_world_snapshot_load(world, middle));
            free(middle);
        }
        contact_run(world, 60);
        assert_true(cdg_world_contact_count(world) > 5);
        assert_true(cdg_world_deepest_contact(world) < 1e-3);
        end[k] = save(world, &size[k]);
        cdg_world_destroy(world);
    }
    for (int k = 1; k < 4; k++) {
        assert_int_equal(size[k], size[0]);
        assert_memory_equal(end[k], end[0], size[0] * sizeof(double));
    }
    for (int k = 0; k < 4; k++) free(end[k]);
}

enum { MODEL_COUNT = 5 };
static void choose_model(cdg_rod_def *def, int number) {
    static const cdg_model models[MODEL_COUNT] = {CDG_MODEL_CORDE, CDG_MODEL_POBD, CDG_MODEL_DER, CDG_MODEL_REFERENCE,
                                                  CDG_MODEL_GALPHA};
    def->model = models[number];
    def->galpha.lambda_infinity = -1; // no damping of its own
}

// What has come to rest on a slope stays: neither the schemes that conserve energy nor what the solver leaves each step
// may add up to motion.
static void rods_rest_on_a_slope(void **state) {
    (void)state;
    for (int number = 1; number < MODEL_COUNT; number++) {
        cdg_world *world = contact_world(vec3(2.9, 0, -9.37), 5e-3, 0, 1); // tan 0.31
        add_floor(world, 0.33);
        cdg_rod_def def = contact_rod("rod", vec3(0, 0, 5e-3), vec3(0.1, 0, 5e-3), 5e-3, 5);
        choose_model(&def, number);
        cdg_rod_id rod = contact_add(world, &def);
        cdg_vec3 before[6], after[6], velocity[6];
        contact_run(world, 100);
        cdg_rod_positions(world, rod, before);
        contact_run(world, 100);
        cdg_rod_positions(world, rod, after);
        cdg_rod_velocities(world, rod, velocity);
        for (int i = 0; i < 6; i++) {
            assert_vec3_near(velocity[i], none, 1e-5);
            assert_vec3_near(after[i], before[i], 2e-8); // nodes jump that far, in no direction
        }
        cdg_world_destroy(world);
    }
}

// A ball dropped on the floor comes up to the square of the restitution; here a short rod.
static void rods_bounce(void **state) {
    (void)state;
    skip_when_sanitized();
    for (int k = 0; k < 3 * MODEL_COUNT; k++) {
        double restitution = 0.4 * (k % 3), top = 0;
        cdg_world *world = contact_world(down, 1e-4, 0, 1);
        cdg_contact_def contact = cdg_contact_def_default();
        contact.restitution = restitution;
        must(world, cdg_world_set_contact(world, &contact));
        add_floor(world, 0);
        cdg_rod_def def = contact_rod("rod", vec3(-0.02, 0, 0.055), vec3(0.02, 0, 0.055), 5e-3, 2);
        choose_model(&def, k / 3);
        cdg_rod_id rod = contact_add(world, &def);
        contact_run(world, 1020); // 0.05 m take 0.101 s
        for (int i = 0; i < 1000; i++) {
            contact_run(world, 1);
            cdg_vec3 x[3];
            cdg_rod_positions(world, rod, x);
            top = fmax(top, x[1].z - 5e-3);
        }
        assert_near(top, 0.05 * restitution * restitution, 2e-3 * 0.05 + 0.01 * 0.05 * restitution);
        cdg_world_destroy(world);
    }
}

// A net of joined rods, in the form of an L, comes to lie on the floor: explicit ones by their points' masses, der as a
// whole. Nothing sinks in, and the floor carries the weight.
static void nets_touch(void **state) {
    (void)state;
    static const cdg_model models[] = {CDG_MODEL_CORDE, CDG_MODEL_DER, CDG_MODEL_DER};
    for (int m = 0; m < 3; m++) {
        bool is_whole = models[m] == CDG_MODEL_DER;
        cdg_world *world = contact_world(down, is_whole ? 1e-3 : 1e-4, 0, 1);
        add_floor(world, 0.5);
        cdg_rod_def def = contact_rod("a", vec3(0, 0, 6e-3), vec3(0.1, 0, 6e-3), 5e-3, 8);
        def.model = models[m];
        if (m == 2) def.der.scheme = CDG_DER_EULER;
        def.material.damping_bend = def.material.damping_twist = def.material.damping_stretch = is_whole ? 0.01 : 0;
        cdg_place ends[2] = {{contact_add(world, &def), CDG_PLACE_NODE, 8}, {{0}, CDG_PLACE_NODE, 0}};
        def.name = "b";
        def.centerline.line.from = vec3(0.1, 0, 6e-3), def.centerline.line.to = vec3(0.1, 0.1, 6e-3);
        ends[1].rod = contact_add(world, &def);
        cdg_joint_def joint = cdg_joint_def_default();
        joint.places = ends, joint.place_count = 2;
        must(world, cdg_world_add_joint(world, &joint, NULL));
        must(world, cdg_world_check_contact(world));
        contact_run(world, is_whole ? 100 : 10);
        double weight = 0, carried = 0;
        for (int k = 0; k < 2 && is_whole; k++) {
            cdg_vec3 x[9], force;
            must(world, cdg_rod_positions(world, ends[k].rod, x));
            for (int i = 0; i < 9; i++) assert_true(x[i].z > 5e-3 * (1 - 2e-3) && x[i].z < 5.5e-3);
            must(world, cdg_rod_contact_force(world, ends[k].rod, &force, NULL));
            carried += force.z;
            weight += 9.81 * cdg_world_get_rod(world, ends[k].rod)->mass;
        }
        if (is_whole) assert_near(carried, weight, 1e-2 * weight);
        cdg_world_destroy(world);
    }
}

// A der net struck by a bar that flies, and both by nothing else: what one loses the other gains, and nothing passes.
static void struck_nets_keep_momentum(void **state) {
    (void)state;
    cdg_world *world = contact_world(none, 1e-3, 0.3, 1);
    cdg_rod_def def = contact_rod("a", vec3(-0.1, 0, 0), vec3(0.1, 0, 0), 5e-3, 10);
    def.model = CDG_MODEL_DER;
    cdg_place ends[2] = {{contact_add(world, &def), CDG_PLACE_NODE, 5}, {{0}, CDG_PLACE_NODE, 5}};
    def.name = "b";
    def.centerline.line.from = vec3(0, -0.1, 0), def.centerline.line.to = vec3(0, 0.1, 0);
    ends[1].rod = contact_add(world, &def);
    cdg_joint_def joint = cdg_joint_def_default();
    joint.places = ends, joint.place_count = 2;
    must(world, cdg_world_add_joint(world, &joint, NULL));
    def.name = "bar";
    def.model = CDG_MODEL_CORDE;
    def.centerline.line.from = vec3(-0.05, -0.09, 0.03), def.centerline.line.to = vec3(0.09, 0.05, 0.03);
    cdg_rod_id bar = contact_add(world, &def);
    cdg_rod *flying = cdg_world_get_rod(world, bar);
    for (size_t i = 0; i < flying->node_count; i++) flying->v[2][i] = -0.5;
    double before = -0.5 * flying->mass, least = 1;
    contact_run(world, 120);
    cdg_vec3 linear, angular;
    cdg_world_momentum(world, &linear, &angular);
    assert_near(linear.z, before, 1e-9 * fabs(before));
    for (int k = 0; k < 2; k++) {
        const cdg_rod *rod = cdg_world_get_rod(world, ends[k].rod);
        assert_true(rod->v[2][5] < -0.01); // it was struck
        for (size_t i = 0; i < flying->node_count; i++) least = fmin(least, flying->x[2][i] - rod->x[2][5]);
    }
    assert_true(least > -0.02);
    cdg_world_destroy(world);
}

// A plate presses on the middle of a rod that is clamped at its ends, and goes aside: the rod yields by bending and by
// rolling, for it twists. What friction it takes to hold that is a matter of stiffness, not of inertia.
static cdg_vec3 roll_under_plate(cdg_model model, cdg_corde_coupling coupling, double damping, double step) {
    cdg_world *world = contact_world(none, step, 1, 1);
    cdg_rod_def def = contact_rod("rod", vec3(0, -0.05, 0), vec3(0, 0.05, 0), 5e-3, 11);
    def.model = model;
    def.corde.coupling = coupling;
    def.has_stiffness = true;
    def.stiffness = (cdg_stiffness){.stretch = 100,
                                    .shear = {100, 100},
                                    .bend = {1e-3, 1e-3},
                                    .twist = 1e-4,
                                    .mass = 0.5,
                                    .inertia = {3e-6, 3e-6, 6e-6},
                                    .radius = 5e-3};
    def.material.damping_stretch = def.material.damping_shear = damping;
    def.material.damping_bend = def.material.damping_twist = damping;
    cdg_rod_id rod = contact_add(world, &def);
    for (size_t k = 0; k < 2; k++) {
        cdg_support_def clamp = {.kind = CDG_SUPPORT_CLAMP,
                                 .place = {.rod = rod, .kind = CDG_PLACE_NODE, .index = 11 * k}};
        must(world, cdg_world_add_support(world, &clamp, NULL));
    }
    cdg_load_def drag = cdg_load_def_default();
    drag.kind = CDG_LOAD_DRAG;
    drag.drag_rate = 50;
    must(world, cdg_world_add_load(world, &drag, NULL));
    cdg_motion motions[2] = {
        {.kind = CDG_MOTION_MOVE, .move = {0, 0, -1e-3}, .to = 0.2, .ease = CDG_EASE_SMOOTH},
        {.kind = CDG_MOTION_MOVE, .move = {1e-3, 0, 0}, .from = 0.2, .to = 0.5, .ease = CDG_EASE_SMOOTH}};
    cdg_obstacle_def plate = cdg_obstacle_def_default();
    plate.shape.kind = CDG_SHAPE_BOX;
    plate.shape.size = vec3(0.1, 4e-3, 0.02);
    plate.shape.position = vec3(0, 0, 0.015);
    plate.motions = motions;
    plate.motion_count = 2;
    must(world, cdg_world_add_obstacle(world, &plate, NULL));
    contact_run(world, (int)(1 / step + 0.5));
    cdg_vec3 force;
    must(world, cdg_rod_contact_force(world, rod, &force, NULL));
    cdg_world_destroy(world);
    return force;
}

static void friction_feels_stiffness_however_long_the_step(void **state) {
    (void)state;
    skip_when_sanitized();
    static const struct {
        cdg_corde_coupling coupling;
        double damping, step;
    } cases[] = {{CDG_CORDE_CONSTRAINT, 0, 5e-4},    {CDG_CORDE_CONSTRAINT, 0, 1e-2},
                 {CDG_CORDE_CONSTRAINT, 0.02, 1e-2}, {CDG_CORDE_CONSTRAINT, 0.02, 5e-4},
                 {CDG_CORDE_PENALTY, 0, 1e-2},       {CDG_CORDE_PENALTY, 0.02, 1e-2}};
    cdg_vec3 expected = roll_under_plate(CDG_MODEL_DER, CDG_CORDE_CONSTRAINT, 0.02, 5e-3);
    print_message("der: %.4g N along, %.4g N down\n", expected.x, -expected.z);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        cdg_vec3 force = roll_under_plate(CDG_MODEL_CORDE, cases[i].coupling, cases[i].damping, cases[i].step);
        print_message("corde, coupling %d, damping %g s, step %g s: %.4g N, %.4g N\n", (int)cases[i].coupling,
                      cases[i].damping, cases[i].step, force.x, -force.z);
        double share = cases[i].coupling == CDG_CORDE_PENALTY ? 0.1 : 0.06; // the penalty yields as shearing does
        assert_near(force.x, expected.x, share * expected.x);
        assert_near(force.z, expected.z, -share * expected.z);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(forces_are_read_back),
        cmocka_unit_test(rods_within_each_other_are_refused),
        cmocka_unit_test(things_touch_by_default),
        cmocka_unit_test(an_obstacle_leaves_contact_as_chosen),
        cmocka_unit_test(same_for_all_threads_and_after_a_pause),
        cmocka_unit_test(rods_rest_on_a_slope),
        cmocka_unit_test(rods_bounce),
        cmocka_unit_test(nets_touch),
        cmocka_unit_test(struck_nets_keep_momentum),
        cmocka_unit_test(friction_feels_stiffness_however_long_the_step),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
