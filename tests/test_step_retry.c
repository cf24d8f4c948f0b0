// Steps that are divided: where that helps, and where it ends.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/error.h"
#include "contact/segment_pair.h"
#include "math/vec3.h"
#include "near.h"
#include "rods/der/der.h"
#include "small_world.h"
#include "world/world.h"

// A rod wound into a coil that would be straight springs open: Newton's method fails at the step's length, not at a
// part of it.
static void test_steps_are_divided_without_contact(void **state) {
    (void)state;
    cdg_rod_def def = cdg_rod_def_default();
    def.model = CDG_MODEL_DER;
    def.element_count = 26;
    def.section.radius = 2e-3;
    def.material.young_modulus = 1e8;
    def.centerline.kind = CDG_CENTERLINE_HELIX;
    def.centerline.helix.axis = vec3(1, 0, 0);
    def.centerline.helix.radius = 0.0117;
    def.centerline.helix.pitch = 0.0112;
    def.centerline.helix.turns = 2.8;
    small_world small = small_world_make(&def, vec3(0, 0, -9.81), 2e-3, true);
    int halvings = 0;
    for (int i = 0; i < 5; i++) {
        cdg_step_report report;
        must(small.world, cdg_world_step(small.world, &report));
        if (report.contact_halvings > halvings) halvings = report.contact_halvings;
    }
    assert_true(halvings > 0);
    assert_near(cdg_world_time(small.world), 0.01, 1e-15);
    cdg_world_destroy(small.world);
}

// Ten times the longest stable step: it is told before numbers are absurd, also where contact would repeat the step in
// halves, and the world stays at its last good time.
static void test_blown_up_is_said(void **state) {
    (void)state;
    for (int has_contact = 0; has_contact < 2; has_contact++) {
        cdg_rod_def def = cdg_rod_def_default();
        def.model = CDG_MODEL_DER;
        def.der.integrator = CDG_DER_EXPLICIT;
        def.element_count = 16;
        small_world small = small_world_make(&def, vec3(0, 0, -9.81), 0, true);
        must(small.world, cdg_world_set_step_size(small.world, 10 * cdg_world_advice(small.world).step));
        cdg_obstacle_def floor = cdg_obstacle_def_default();
        floor.shape.offset = -1e3;
        if (has_contact) must(small.world, cdg_world_add_obstacle(small.world, &floor, NULL));
        cdg_result result = CDG_OK;
        cdg_vec3 x[17];
        double before = 0;
        for (int i = 0; i < 2000 && result == CDG_OK; i++) {
            before = cdg_world_time(small.world);
            result = cdg_world_step(small.world, NULL);
            must(small.world, cdg_rod_positions(small.world, small.rod, x));
            for (int k = 0; k < 17; k++) assert_true(vec3_norm(x[k]) < 100);
        }
        assert_true(result == CDG_ERROR_NOT_FINITE || result == CDG_ERROR_NO_CONVERGENCE || result == CDG_ERROR_ENERGY);
        assert_non_null(strstr(cdg_world_message(small.world), "step"));
        assert_near(cdg_world_time(small.world), before, 0);
        cdg_world_destroy(small.world);
    }
}

static const double longest = 1.0 / 60; // of the step: what the rod below bears

static cdg_result predict_short(cdg_rod *rod, double step, const cdg_rod_loads *loads, void *scratch,
                                cdg_rod_step_result *result, cdg_error *error) {
    if (step > 1e-3 * longest) return cdg_fail(error, CDG_ERROR_NO_CONVERGENCE, "too long");
    return cdg_der_model.predict(rod, step, loads, scratch, result, error);
}

// A rod that bears no longer part of the step than a 64th takes all of these: 63 tries fail, one for each division;
// the 64 that are taken do not count against it. (With both counted it was given up after 96.)
static void test_all_parts_of_a_step_may_be_short(void **state) {
    (void)state;
    cdg_rod_def def = cdg_rod_def_default();
    def.model = CDG_MODEL_DER;
    def.element_count = 4;
    small_world small = small_world_make(&def, vec3(0, 0, -9.81), 1e-3, false);
    cdg_rod_model model = cdg_der_model;
    model.predict = predict_short;
    cdg_rod *rod = small.world->rods[0].rod;
    rod->model = &model;
    cdg_step_report report;
    for (int i = 0; i < 3; i++) must(small.world, cdg_world_step(small.world, &report));
    assert_int_equal(report.contact_halvings, 6);
    assert_near(cdg_world_time(small.world), 3e-3, 1e-12);
    cdg_vec3 x[5];
    must(small.world, cdg_rod_positions(small.world, small.rod, x));
    assert_near(x[4].z, -9.81 * 9e-6 / 2, 1e-6);
    rod->model = &cdg_der_model;
    cdg_world_destroy(small.world);
}

// Two jaws close on a rod that has nowhere to go: after a bounded number of tries the step says where and why.
static void test_dividing_ends(void **state) {
    (void)state;
    cdg_rod_def def = cdg_rod_def_default();
    def.model = CDG_MODEL_DER;
    def.element_count = 1;
    def.section.radius = 5e-3;
    def.centerline.line.to = vec3(0.1, 0, 0);
    small_world small = small_world_make(&def, vec3(0, 0, 0), 1e-2, false);
    cdg_motion motions[2] = {{.kind = CDG_MOTION_MOVE, .move = {0, 0, 0.02}, .from = 0, .to = 0.02},
                             {.kind = CDG_MOTION_MOVE, .move = {0, 0, -0.02}, .from = 0, .to = 0.02}};
    for (int k = 0; k < 2; k++) {
        cdg_obstacle_def plane = cdg_obstacle_def_default();
        plane.shape.normal = vec3(0, 0, k == 0 ? 1 : -1);
        plane.shape.offset = -6e-3;
        plane.motions = &motions[k];
        plane.motion_count = 1;
        must(small.world, cdg_world_add_obstacle(small.world, &plane, NULL));
    }
    cdg_result result = CDG_OK;
    for (int i = 0; i < 20 && result == CDG_OK; i++) result = cdg_world_step(small.world, NULL);
    assert_int_equal(result, CDG_ERROR_NO_CONVERGENCE);
    assert_non_null(strstr(cdg_world_message(small.world), "squeeze"));
    cdg_world_destroy(small.world);
}

// Rods that are thrown at each other, as in `cordage validate tunnel`: with rings of 4 cm, rings on a cord.
static cdg_rod_def thrown_rod(cdg_model model, double radius, size_t elements) {
    cdg_rod_def def = cdg_rod_def_default();
    def.model = model;
    def.pobd.solver = CDG_POBD_DIRECT;
    def.pobd.iterations = 10;
    def.material.young_modulus = 1e4;
    def.section.radius = radius;
    def.element_count = elements;
    def.rest.kind = CDG_REST_INITIAL;
    def.adapt.is_on = true;
    def.adapt.levels = 3;
    def.adapt.hold = 0;
    return def;
}

static void make_ring(cdg_rod_def *def, cdg_vec3 center, cdg_vec3 axis, double size) {
    def->centerline.kind = CDG_CENTERLINE_CIRCLE;
    def->centerline.closed = true;
    def->centerline.circle.center = center;
    def->centerline.circle.axis = axis;
    def->centerline.circle.radius = size;
}

static small_world make_meeting(const cdg_rod_def rods[2], double friction, double restitution, cdg_rod_id *second) {
    small_world small = small_world_make(&rods[0], vec3(0, 0, 0), 1e-3, false);
    cdg_contact_def contact = cdg_contact_def_default();
    contact.friction = friction;
    contact.restitution = restitution;
    must(small.world, cdg_world_set_contact(small.world, &contact));
    cdg_rod_def other = rods[1];
    other.name = "other";
    must(small.world, cdg_world_add_rod(small.world, &other, second));
    return small;
}

enum { POINTS_MAX = 256 };

// m: how near the middles of two rings come to each other.
static double distance_of_rings(const cdg_world *world, const cdg_rod_id rods[2]) {
    cdg_vec3 x[2][POINTS_MAX];
    size_t count[2];
    for (int k = 0; k < 2; k++) {
        cdg_rod_info info;
        must(world, cdg_rod_get_info(world, rods[k], &info));
        count[k] = info.node_count;
        assert_true(cdg_rod_node_capacity(world, rods[k]) <= POINTS_MAX);
        must(world, cdg_rod_positions(world, rods[k], x[k]));
    }
    double nearest = HUGE_VAL;
    for (size_t i = 0; i < count[0]; i++)
        for (size_t j = 0; j < count[1]; j++) {
            cdg_closest it = cdg_segments_closest(x[0][i], x[0][(i + 1) % count[0]], x[1][j], x[1][(j + 1) % count[1]]);
            nearest = fmin(nearest, sqrt(it.distance2));
        }
    return nearest;
}

// A blow at 850 radii a step. Forces that keep rods from passing at the moment of impact stay in the rounds of contact,
// so that these find all of them. When they came and went, no forces were found in a 512th of the step, and rods that
// lay a quarter of a radius in each other were left so, unless it was divided further.
static void test_impacts_are_met_in_whole_steps(void **state) {
    (void)state;
    double thinner = 0.001142144911339097;
    cdg_rod_def rods[2] = {thrown_rod(CDG_MODEL_POBD, 2e-3, 17), thrown_rod(CDG_MODEL_POBD, thinner, 23)};
    make_ring(&rods[0], vec3(0, 0, 0), vec3(0, 0, 1), 0.04);
    make_ring(&rods[1], vec3(0.04, 0, 0), vec3(0, 1, 0), 0.04);
    rods[1].velocity = vec3(-188.33149223601822, 746.11278286492609, -594.90853623723171);
    cdg_rod_id ids[2];
    small_world small = make_meeting(rods, 0, 0, &ids[1]);
    ids[0] = small.rod;
    cdg_step_report report;
    for (int i = 0; i < 4; i++) {
        must(small.world, cdg_world_step(small.world, &report));
        assert_true(report.contact_halvings <= 2);
        assert_true(distance_of_rings(small.world, ids) > 2e-3 + thinner - 1e-3 * thinner);
    }
    cdg_world_destroy(small.world);
}

static void pin_ends(const small_world *small, size_t last) {
    for (int k = 0; k < 2; k++) {
        cdg_support_def pin = {.kind = CDG_SUPPORT_PIN,
                               .place = {.rod = small->rod, .kind = CDG_PLACE_NODE, .index = k == 0 ? 0 : last}};
        must(small->world, cdg_world_add_support(small->world, &pin, NULL));
    }
}

// A folded ring closes on a cord: what is to bounce off one side of it touches the other. The law of restitution gave
// the rods half of their energy again.
static void test_bounces_without_room_gain_no_energy(void **state) {
    (void)state;
    cdg_rod_def rods[2] = {thrown_rod(CDG_MODEL_POBD, 2e-3, 8), thrown_rod(CDG_MODEL_POBD, 0.0023763387082216796, 14)};
    rods[0].centerline.kind = CDG_CENTERLINE_LINE;
    rods[0].centerline.line.from = vec3(-0.8, 0, 0);
    rods[0].centerline.line.to = vec3(0.8, 0, 0);
    make_ring(&rods[1], vec3(0.10093965489365267, 0, 0), vec3(1, 0.5, 0), 0.02);
    rods[1].velocity = vec3(11.680231452794578, -236.60840538744469, 1315.9246660369511);
    cdg_rod_id second;
    small_world small = make_meeting(rods, 0.3, 0.5, &second);
    pin_ends(&small, 8);
    double before = cdg_world_energy(small.world).total;
    for (int i = 0; i < 4; i++) {
        must(small.world, cdg_world_step(small.world, NULL));
        double now = cdg_world_energy(small.world).total;
        assert_true(now < 1.01 * before);
        before = now;
    }
    cdg_world_destroy(small.world);
}

// The same of an explicit model, whose rings touch in many places at once, at 210 radii a step.
static void test_bounces_of_rings_gain_no_more_than_is_allowed(void **state) {
    (void)state;
    cdg_rod_def rods[2] = {thrown_rod(CDG_MODEL_CORDE, 2e-3, 18),
                           thrown_rod(CDG_MODEL_CORDE, 0.0014995447511022837, 18)};
    make_ring(&rods[0], vec3(0, 0, 0), vec3(-0.79226623012970387, 0.50957507360148946, -0.33562995241799121), 0.04);
    make_ring(&rods[1], vec3(0.046585483546522033, -0.049054714345326815, -0.082213451598773246),
              vec3(0.58643253839256115, -0.51692718736226362, 0.62360497182126184), 0.04);
    rods[1].velocity = vec3(-243.30368017882495, -1.8611660546767814, 207.96668547911693);
    cdg_rod_id second;
    small_world small = make_meeting(rods, 0, 0.5, &second);
    for (int i = 0; i < 4; i++) must(small.world, cdg_world_step(small.world, NULL));
    assert_true(cdg_world_energy_balance(small.world).worst < 1);
    cdg_world_destroy(small.world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_steps_are_divided_without_contact),
        cmocka_unit_test(test_blown_up_is_said),
        cmocka_unit_test(test_dividing_ends),
        cmocka_unit_test(test_all_parts_of_a_step_may_be_short),
        cmocka_unit_test(test_impacts_are_met_in_whole_steps),
        cmocka_unit_test(test_bounces_without_room_gain_no_energy),
        cmocka_unit_test(test_bounces_of_rings_gain_no_more_than_is_allowed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
