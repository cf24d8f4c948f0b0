// The galpha model as a whole: closed forms, conservation, orders, what it refuses, retries, snapshots.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "near.h"
#include "small_world.h"

static cdg_rod_def galpha_rod(size_t elements, bool is_extensible) {
    cdg_rod_def def = cdg_rod_def_default();
    def.model = CDG_MODEL_GALPHA;
    def.element_count = elements;
    def.galpha.is_extensible = is_extensible;
    def.material.young_modulus = 1e7;
    return def;
}

static cdg_vec3 node_position(const small_world *small, size_t node) {
    cdg_vec3 x[256];
    must(small->world, cdg_rod_positions(small->world, small->rod, x));
    return x[node];
}

static double length_of(const small_world *small) {
    cdg_probe probe = {.kind = CDG_PROBE_LENGTH, .place = {.rod = small->rod}};
    double out[CDG_PROBE_COLUMNS_MAX];
    must(small->world, cdg_world_measure(small->world, &probe, out));
    return out[0];
}

// Planar elastica under a tip load, alpha = P L^2/B, to 0.1 % at 100 elements (reference by elliptic integrals).
static void test_elastica(void **state) {
    (void)state;
    const double table[][3] = {{1, 0.9435667637, 0.3017207738}, {10, 0.4450044022, 0.8106090249}};
    for (int i = 0; i < 4; i++) {
        cdg_rod_def def = galpha_rod(100, i % 2 == 0);
        small_world small = small_world_make(&def, vec3(0, 0, 0), 0.01, true);
        double bend = 1e7 * 3.14159265358979323846 * pow(2e-3, 4) / 4;
        cdg_load_def load = cdg_load_def_default();
        load.place = (cdg_place){small.rod, CDG_PLACE_NODE, 100};
        load.value = vec3(0, 0, -table[i / 2][0] * bend);
        must(small.world, cdg_world_add_load(small.world, &load, NULL));
        must(small.world, cdg_world_find_equilibrium(small.world, NULL));
        cdg_vec3 tip = node_position(&small, 100);
        assert_near(tip.x, table[i / 2][1], 1e-3);
        assert_near(-tip.z, table[i / 2][2], 1e-3 * table[i / 2][2]);
        assert_near(cdg_world_time(small.world), 0, 0);
        assert_near(cdg_world_energy(small.world).kinetic, 0, 0);
        cdg_world_destroy(small.world);
    }
}

// Elements far longer than bending waves run meanwhile: the tip falls freely. Sums over elements alone
// would let every other node hang in the air.
static void test_long_elements(void **state) {
    (void)state;
    for (size_t elements = 1; elements <= 8; elements++) {
        cdg_rod_def def = galpha_rod(elements, elements % 3 != 0);
        def.material.young_modulus = 1e6;
        small_world small = small_world_make(&def, vec3(0, 0, -9.81), 4e-4, true);
        small_world_run(&small, 50);
        assert_near(node_position(&small, elements).z, -9.81 * 0.02 * 0.02 / 2, 0.005 * 1.962e-3);
        cdg_world_destroy(small.world);
    }
}

// No step is so long that a swinging rod gains energy, however little its scheme damps.
static void test_energy_at_long_steps(void **state) {
    (void)state;
    const double lambdas[] = {-0.5, -0.8, -1};
    for (int i = 0; i < 6; i++) {
        cdg_rod_def def = galpha_rod(30, i % 2 == 0);
        def.section.radius = 1e-3;
        def.material = (cdg_material){.young_modulus = 3.924e9, .poisson_ratio = 0.3, .density = 1000};
        def.galpha.lambda_infinity = lambdas[i / 2];
        small_world small = small_world_make(&def, vec3(0, 0, -9.81), 0.05, true);
        double start = cdg_world_energy(small.world).total;
        for (int k = 0; k < 250; k++) {
            must(small.world, cdg_world_step(small.world, NULL));
            assert_true(cdg_world_energy(small.world).total < start + 1e-6); // of 0.015 J that it falls through
        }
        cdg_world_destroy(small.world);
    }
}

// A free rod that spins and flies: straight on its parabola, momentum kept to rounding.
static void test_free_flight(void **state) {
    (void)state;
    for (int i = 0; i < 2; i++) {
        cdg_rod_def def = galpha_rod(20, i == 0);
        def.rest.kind = CDG_REST_INITIAL;
        def.centerline.kind = CDG_CENTERLINE_HELIX;
        def.centerline.helix.radius = 0.1;
        def.centerline.helix.pitch = 0.1;
        def.centerline.helix.turns = 1;
        def.velocity = vec3(1, 2, 3);
        def.angular_velocity = vec3(0.3, -0.5, 1);
        small_world small = small_world_make(&def, vec3(0, 0, -9.81), 0.01, false);
        cdg_rod_info info;
        must(small.world, cdg_rod_get_info(small.world, small.rod, &info));
        cdg_vec3 linear[2], angular[2];
        cdg_world_momentum(small.world, &linear[0], &angular[0]);
        cdg_energy before = cdg_world_energy(small.world);
        small_world_run(&small, 100);
        cdg_world_momentum(small.world, &linear[1], &angular[1]);
        cdg_vec3 expected = vec3_mad(linear[0], -info.mass * 9.81, vec3(0, 0, 1));
        assert_vec3_near(linear[1], expected, 1e-9 * info.mass);
        cdg_energy after = cdg_world_energy(small.world);
        assert_near(after.total, before.total, 2e-3 * before.kinetic);
        cdg_world_destroy(small.world);
    }
}

// Order from three steps on a smooth swing that starts from rest under a load that grows smoothly.
static double swing_tip(double step, size_t elements, double lambda) {
    cdg_rod_def def = galpha_rod(elements, true);
    def.galpha.lambda_infinity = lambda;
    def.galpha.tolerance = 1e-11;
    small_world small = small_world_make(&def, vec3(0, 0, 0), step, true);
    enum { KEYS = 200 };
    cdg_keyframe keys[KEYS + 1];
    for (int k = 0; k <= KEYS; k++) {
        double s = k / (double)KEYS;
        keys[k] = (cdg_keyframe){0.4 * s, s * s * s * (10 + s * (6 * s - 15))};
    }
    cdg_load_def load = cdg_load_def_default();
    load.kind = CDG_LOAD_LINE;
    load.place.rod = small.rod;
    load.value = vec3(0, 0, -0.1);
    load.keyframes = keys;
    load.keyframe_count = KEYS + 1;
    must(small.world, cdg_world_add_load(small.world, &load, NULL));
    small_world_run(&small, (int)(0.4 / step + 0.5));
    double z = node_position(&small, elements).z;
    cdg_world_destroy(small.world);
    return z;
}

static void test_order_in_time(void **state) {
    (void)state;
    const double lambdas[] = {-1, -0.5, 0};
    for (int i = 0; i < 3; i++) {
        double z[3];
        for (int k = 0; k < 3; k++) z[k] = swing_tip(0.01 / (1 << k), 20, lambdas[i]);
        double order = log2((z[0] - z[1]) / (z[1] - z[2]));
        assert_in_range((int)(order * 100), 190, 260); // errors of load and integrator may cancel
    }
}

// A heavy cantilever with w L^3/B = 10 against its elastica.
static void test_order_in_space(void **state) {
    (void)state;
    double errors[3];
    for (int k = 0; k < 3; k++) {
        cdg_rod_def def = galpha_rod((size_t)10 << k, false);
        double gravity = 10 * 1e7 * pow(2e-3, 2) / 4 / def.material.density;
        small_world small = small_world_make(&def, vec3(0, 0, -gravity), 0.01, true);
        must(small.world, cdg_world_find_equilibrium(small.world, NULL));
        errors[k] = fabs(node_position(&small, (size_t)10 << k).x - 0.6563537612);
        cdg_world_destroy(small.world);
    }
    for (int k = 0; k < 2; k++) assert_in_range((int)(log2(errors[k] / errors[k + 1]) * 100), 190, 210);
}

// Inextensible: the length stays to rounding, and clamps hold to rounding, over a thousand wild steps.
static void test_no_drift(void **state) {
    (void)state;
    cdg_rod_def def = galpha_rod(20, false);
    small_world small = small_world_make(&def, vec3(0, 0, -9.81), 1 / 30.0, true);
    small_world_run(&small, 1000);
    assert_near(length_of(&small), 1, 1e-10); // the last correction was below 1e-8, and errs by its square
    assert_vec3_near(node_position(&small, 0), vec3(0, 0, 0), 0);
    cdg_world_destroy(small.world);
}

// Both ends clamped and moved together by 0.3 L: the elastica of modulus k with E/K = 0.85 rises by k L/K.
static void test_buckling(void **state) {
    (void)state;
    cdg_rod_def def = galpha_rod(40, true);
    small_world small = small_world_make(&def, vec3(0, 0.01, 0), 0.01, true);
    cdg_motion motion = {.kind = CDG_MOTION_MOVE, .move = {-0.3, 0, 0}, .to = 0.5, .ease = CDG_EASE_SMOOTH};
    cdg_support_def support = {
        .kind = CDG_SUPPORT_CLAMP, .place = {small.rod, CDG_PLACE_NODE, 40}, .motions = &motion, .motion_count = 1};
    must(small.world, cdg_world_add_support(small.world, &support, NULL));
    small_world_drag(&small, 3);
    small_world_run(&small, 600);
    assert_vec3_near(node_position(&small, 40), vec3(0.7, 0, 0), 1e-12);
    assert_near(fabs(node_position(&small, 20).y), 0.3143126, 1e-3);
    assert_near(length_of(&small), 1, 1e-3);
    cdg_world_destroy(small.world);
}

// An end moment bends the rod into an arc of radius B/M.
static void test_end_moment(void **state) {
    (void)state;
    cdg_rod_def def = galpha_rod(100, true);
    small_world small = small_world_make(&def, vec3(0, 0, 0), 0.01, true);
    double bend = 1e7 * 3.14159265358979323846 * pow(2e-3, 4) / 4, angle = 3;
    cdg_load_def load = cdg_load_def_default();
    load.kind = CDG_LOAD_MOMENT;
    load.place = (cdg_place){small.rod, CDG_PLACE_NODE, 100};
    load.value = vec3(0, -angle * bend, 0);
    load.follows = false;
    must(small.world, cdg_world_add_load(small.world, &load, NULL));
    must(small.world, cdg_world_find_equilibrium(small.world, NULL));
    cdg_vec3 tip = node_position(&small, 100);
    assert_near(tip.x, sin(angle) / angle, 2e-3);
    assert_near(tip.z, (1 - cos(angle)) / angle, 2e-3);
    cdg_world_destroy(small.world);
}

// Kelvin-Voigt damping stills vibrations but not a rigid fall.
static void test_damping(void **state) {
    (void)state;
    cdg_rod_def def = galpha_rod(10, true);
    def.material.young_modulus = 1e10; // first mode 10 rad/s, which the scheme hardly damps at this step
    def.velocity = vec3(0, 0, 1);
    double kinetic[2];
    for (int i = 0; i < 2; i++) {
        def.material.damping_bend = def.material.damping_stretch = i == 0 ? 0 : 0.1;
        small_world small = small_world_make(&def, vec3(0, 0, 0), 0.01, true);
        small_world_run(&small, 300);
        kinetic[i] = cdg_world_energy(small.world).kinetic;
        cdg_world_destroy(small.world);
        small = small_world_make(&def, vec3(0, 0, 0), 0.01, false);
        small_world_run(&small, 50);
        assert_near(node_position(&small, 3).z, 0.5, 1e-12);
        cdg_world_destroy(small.world);
    }
    assert_true(kinetic[1] < 0.1 * kinetic[0]);
}

static void expect_refusal(const cdg_rod_def *def, cdg_result code, const char *word) {
    cdg_world_def world_def = cdg_world_def_default();
    cdg_world *world = NULL;
    must(NULL, cdg_world_create(&world_def, &world, NULL));
    assert_int_equal(cdg_world_add_rod(world, def, NULL), code);
    if (strstr(cdg_world_message(world), word) == NULL) print_error("%s\n", cdg_world_message(world));
    assert_non_null(strstr(cdg_world_message(world), word));
    cdg_world_destroy(world);
}

static void test_refusals(void **state) {
    (void)state;
    cdg_rod_def def = galpha_rod(10, true);
    def.galpha.lambda_infinity = 0.5;
    expect_refusal(&def, CDG_ERROR_ARGUMENT, "lambda_infinity");
    def = galpha_rod(10, true);
    def.galpha.has_coefficients = true;
    def.galpha.alpha = 0.6, def.galpha.beta = 0, def.galpha.gamma = 0.7;
    expect_refusal(&def, CDG_ERROR_ARGUMENT, "alpha <= 1/2");
    def.galpha.alpha = -0.5; // within the paper's bounds, yet oscillations grow
    expect_refusal(&def, CDG_ERROR_ARGUMENT, "alpha - beta + gamma >= 1/2");
    def = galpha_rod(10, true);
    def.galpha.relaxation = 0;
    expect_refusal(&def, CDG_ERROR_ARGUMENT, "relaxation");
    def = galpha_rod(10, true);
    def.galpha.tolerance = 0;
    expect_refusal(&def, CDG_ERROR_ARGUMENT, "tolerance");
    def = galpha_rod(10, true);
    def.galpha.iterations = 0;
    expect_refusal(&def, CDG_ERROR_ARGUMENT, "iteration");
    def = galpha_rod(10, true);
    def.centerline.kind = CDG_CENTERLINE_CIRCLE;
    def.centerline.circle.radius = 1;
    expect_refusal(&def, CDG_ERROR_UNSUPPORTED, "closed");
    def = galpha_rod(10, true);
    def.has_stiffness = true;
    def.stiffness = (cdg_stiffness){.stretch = 1, .bend = {1, 1}, .twist = 1, .mass = 1, .inertia = {1, 1, 1}};
    expect_refusal(&def, CDG_ERROR_ARGUMENT, "shear");

    def = galpha_rod(10, true);
    small_world small = small_world_make(&def, vec3(0, 0, 0), 0.01, false);
    cdg_support_def support = {.kind = CDG_SUPPORT_PIN, .place = {small.rod, CDG_PLACE_NODE, 4}};
    assert_int_equal(cdg_world_add_support(small.world, &support, NULL), CDG_ERROR_UNSUPPORTED);
    assert_non_null(strstr(cdg_world_message(small.world), "ends only"));
    must(small.world, cdg_world_step(small.world, NULL));
    cdg_world_destroy(small.world);
}

// A support that jumps a quarter of the rod's length within a step of a stiff rod: the step is divided and says so.
static void test_halving(void **state) {
    (void)state;
    cdg_rod_def def = galpha_rod(30, true);
    def.galpha.iterations = 5;
    small_world small = small_world_make(&def, vec3(0, 0, -9.81), 0.05, false);
    cdg_motion motion = {.kind = CDG_MOTION_ROTATE, .axis = {0, 0, 1}, .angle = 2, .from = 0.1, .to = 0.15};
    cdg_support_def support = {
        .kind = CDG_SUPPORT_CLAMP, .place = {.rod = small.rod}, .motions = &motion, .motion_count = 1};
    must(small.world, cdg_world_add_support(small.world, &support, NULL));
    int halvings = 0;
    for (int i = 0; i < 10; i++) {
        cdg_step_report report;
        must(small.world, cdg_world_step(small.world, &report));
        halvings += report.halvings;
    }
    assert_true(halvings > 0);
    cdg_world_destroy(small.world);
}

// One iteration is never enough here: the step fails with a cure, and the world stays where it was.
static void test_failure(void **state) {
    (void)state;
    cdg_rod_def def = galpha_rod(30, true);
    def.galpha.iterations = 1;
    def.galpha.tolerance = 1e-15;
    small_world small = small_world_make(&def, vec3(0, 0, -9.81), 0.05, true);
    cdg_vec3 before = node_position(&small, 30);
    assert_int_equal(cdg_world_step(small.world, NULL), CDG_ERROR_NO_CONVERGENCE);
    assert_non_null(strstr(cdg_world_message(small.world), "smaller step"));
    assert_vec3_near(node_position(&small, 30), before, 0);
    assert_near(cdg_world_time(small.world), 0, 0);
    cdg_world_destroy(small.world);
}

static void test_snapshot(void **state) {
    (void)state;
    cdg_rod_def def = galpha_rod(20, true);
    small_world small = small_world_make(&def, vec3(0, 0, -9.81), 0.02, true);
    small_world_run(&small, 7);
    double *saved = malloc(cdg_world_snapshot_size(small.world) * sizeof *saved);
    must(small.world, cdg_world_snapshot_save(small.world, saved));
    small_world_run(&small, 9);
    cdg_vec3 there = node_position(&small, 20);
    small_world again = small_world_make(&def, vec3(0, 0, -9.81), 0.02, true);
    must(again.world, cdg_world_snapshot_load(again.world, saved));
    small_world_run(&again, 9);
    assert_vec3_near(node_position(&again, 20), there, 0);
    free(saved);
    cdg_world_destroy(small.world);
    cdg_world_destroy(again.world);
}

// A new state from outside is taken up: the model's own copy of it is stale then.
static void test_set_state(void **state) {
    (void)state;
    cdg_rod_def def = galpha_rod(4, true);
    small_world small = small_world_make(&def, vec3(0, 0, 0), 0.01, false);
    small_world_run(&small, 3);
    cdg_vec3 x[5], v[5];
    for (int i = 0; i < 5; i++) x[i] = vec3(0.25 * i, 7, 0), v[i] = vec3(0, 1, 0);
    must(small.world, cdg_rod_set_state(small.world, small.rod, x, NULL, v, NULL));
    small_world_run(&small, 10);
    assert_vec3_near(node_position(&small, 2), vec3(0.5, 7.1, 0), 1e-12);
    cdg_world_destroy(small.world);
}

// A limp rod on elements three times as long as its weight bends it within fails at last, and says how many would do.
static void test_coarse_motion_is_told_so(void **state) {
    (void)state;
    for (int k = 0; k < 2; k++) {
        cdg_rod_def def = cdg_rod_def_default();
        def.model = CDG_MODEL_GALPHA;
        def.element_count = k == 0 ? 20 : 113;
        def.section.radius = 1.412e-3;
        def.material = (cdg_material){.young_modulus = 121254, .poisson_ratio = 0.4, .density = 1100};
        def.material.damping_stretch = def.material.damping_shear = 1.2e-3;
        def.material.damping_bend = def.material.damping_twist = 1.2e-3;
        small_world small = small_world_make(&def, vec3(0, 0, -9.81), 4.8e-3, true);
        cdg_motion motion = {.move = {-0.0931, 0.0931, 0}, .to = 0.0553, .ease = CDG_EASE_SMOOTH};
        cdg_support_def pin = {.kind = CDG_SUPPORT_PIN,
                               .place = {.rod = small.rod, .index = def.element_count},
                               .motions = &motion,
                               .motion_count = 1};
        must(small.world, cdg_world_add_support(small.world, &pin, NULL));
        cdg_result result = CDG_OK;
        for (int s = 0; s < 23 && result == CDG_OK; s++) result = cdg_world_step(small.world, NULL);
        assert_int_equal(result, k == 0 ? CDG_ERROR_NO_CONVERGENCE : CDG_OK);
        if (k == 0) assert_non_null(strstr(cdg_world_message(small.world), "use 113 elements or more"));
        cdg_world_destroy(small.world);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_coarse_motion_is_told_so),
        cmocka_unit_test(test_elastica),
        cmocka_unit_test(test_free_flight),
        cmocka_unit_test(test_order_in_time),
        cmocka_unit_test(test_order_in_space),
        cmocka_unit_test(test_no_drift),
        cmocka_unit_test(test_buckling),
        cmocka_unit_test(test_end_moment),
        cmocka_unit_test(test_damping),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_long_elements),
        cmocka_unit_test(test_energy_at_long_steps),
        cmocka_unit_test(test_halving),
        cmocka_unit_test(test_failure),
        cmocka_unit_test(test_snapshot),
        cmocka_unit_test(test_set_state),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
