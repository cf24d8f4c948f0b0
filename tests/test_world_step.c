// Stepping: time, supports that move, loads, energy books, the report.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "math/quat.h"
#include "near.h"
#include "small_world.h"

static void test_time_is_exact(void **state) {
    (void)state;
    cdg_rod_def def = cdg_rod_def_default();
    def.element_count = 2;
    small_world small = small_world_make(&def, vec3(0, 0, 0), 0.1, false);
    small_world_run(&small, 1000);
    assert_true(cdg_world_time(small.world) == 1000 * 0.1);
    must(small.world, cdg_world_set_step_size(small.world, 0.25));
    small_world_run(&small, 4);
    assert_true(cdg_world_time(small.world) == 101);
    assert_int_equal(cdg_world_step_index(small.world), 1004);
    assert_int_equal(cdg_world_set_step_size(small.world, 0), CDG_ERROR_ARGUMENT);
    cdg_world_destroy(small.world);
}

static void test_supports_move_the_rod(void **state) {
    (void)state;
    cdg_rod_def def = cdg_rod_def_default();
    def.element_count = 10;
    def.material.young_modulus = 1e9; // first mode 3.4 rad/s: settles within the 15 s
    small_world small = small_world_make(&def, vec3(0, 0, 0), 1e-2, false);
    cdg_motion motions[] = {
        {.kind = CDG_MOTION_MOVE, .move = {0, 0, 0.5}, .from = 0, .to = 1, .ease = CDG_EASE_SMOOTH},
        {.kind = CDG_MOTION_ROTATE, .axis = {0, 0, 1}, .angle = 1.5, .from = 0, .to = 1},
    };
    cdg_support_def support = {
        .kind = CDG_SUPPORT_CLAMP, .place = {.rod = small.rod}, .motions = motions, .motion_count = 2};
    must(small.world, cdg_world_add_support(small.world, &support, NULL));
    small_world_drag(&small, 5);
    small_world_run(&small, 1500);
    cdg_vec3 nodes[11], along = vec3(cos(1.5), sin(1.5), 0);
    must(small.world, cdg_rod_positions(small.world, small.rod, nodes));
    for (int i = 0; i < 11; i++) assert_vec3_near(nodes[i], vec3_mad(vec3(0, 0, 0.5), 0.1 * i, along), 1e-4);
    cdg_world_destroy(small.world);
}

static void test_release_lets_go(void **state) {
    (void)state;
    cdg_rod_def def = cdg_rod_def_default();
    def.element_count = 4;
    small_world small = small_world_make(&def, vec3(0, 0, -10), 1e-2, false);
    cdg_support_def support = {.kind = CDG_SUPPORT_PIN, .place = {.rod = small.rod}, .release = 0.5};
    must(small.world, cdg_world_add_support(small.world, &support, NULL));
    small_world_run(&small, 50);
    cdg_vec3 nodes[5];
    must(small.world, cdg_rod_positions(small.world, small.rod, nodes));
    assert_vec3_near(nodes[0], vec3(0, 0, 0), 0);
    small_world_run(&small, 10);
    must(small.world, cdg_rod_positions(small.world, small.rod, nodes));
    assert_true(vec3_norm(nodes[0]) > 1e-3);
    cdg_world_destroy(small.world);
}

// What supports and loads put in is found as energy or as dissipation, which never shrinks under drag.
static void test_energy_books_balance(void **state) {
    (void)state;
    cdg_rod_def def = cdg_rod_def_default();
    def.element_count = 20;
    def.section.radius = 1e-2;
    small_world small = small_world_make(&def, vec3(0, 0, 0), 1e-3, true);
    cdg_load_def load = cdg_load_def_default();
    load.place = (cdg_place){small.rod, CDG_PLACE_NODE, 20};
    load.value = vec3(0, 0, 2e-3);
    load.ramp = 2;
    must(small.world, cdg_world_add_load(small.world, &load, NULL));
    small_world_run(&small, 2000);
    cdg_energy energy = cdg_world_energy(small.world);
    assert_true(energy.bend > 0);
    // slowly loaded and undamped: almost nothing may be missing
    assert_true(fabs(energy.dissipated) < 0.02 * energy.total);
    cdg_world_destroy(small.world);
}

// Every integrator there is; a rod that nothing holds.
typedef struct integrator_case {
    cdg_model model;
    void (*choose)(cdg_rod_def *def);
    int settling; // steps after which the impulse is all there
} integrator_case;

static void choose_nothing(cdg_rod_def *def) { (void)def; }
static void choose_bdf2(cdg_rod_def *def) { def->pobd.integrator = CDG_POBD_BDF2, def->der.scheme = CDG_DER_BDF2; }
static void choose_euler(cdg_rod_def *def) { def->pobd.integrator = CDG_POBD_EULER, def->der.scheme = CDG_DER_EULER; }
static void choose_sweeps(cdg_rod_def *def) { def->pobd.solver = CDG_POBD_GAUSS_SEIDEL; }
static void choose_rattle(cdg_rod_def *def) {
    def->der.integrator = CDG_DER_EXPLICIT, def->der.constraint = CDG_DER_CONSTRAINT_RATTLE;
}

static const integrator_case integrator_cases[] = {
    {CDG_MODEL_POBD, choose_euler, 0},      {CDG_MODEL_POBD, choose_bdf2, 0},
    {CDG_MODEL_POBD, choose_sweeps, 0},     {CDG_MODEL_DER, choose_euler, 0},
    {CDG_MODEL_DER, choose_bdf2, 0},        {CDG_MODEL_DER, choose_rattle, 0},
    {CDG_MODEL_CORDE, choose_nothing, 0},   {CDG_MODEL_REFERENCE, choose_nothing, 0},
    {CDG_MODEL_GALPHA, choose_nothing, 40},
};
enum { INTEGRATOR_CASES = sizeof integrator_cases / sizeof *integrator_cases };

// Momentum along z after `steps` of a load, kg m/s.
static double momentum_after(const integrator_case *c, const cdg_load_def *load, double step, int steps) {
    cdg_rod_def def = cdg_rod_def_default();
    def.model = c->model;
    def.element_count = 8;
    def.material.young_modulus = 1e8;
    c->choose(&def);
    small_world small = small_world_make(&def, vec3(0, 0, 0), step, false);
    cdg_load_def own = *load;
    if (own.kind == CDG_LOAD_FORCE) own.place = (cdg_place){small.rod, CDG_PLACE_NODE, 4};
    must(small.world, cdg_world_add_load(small.world, &own, NULL));
    small_world_run(&small, steps);
    cdg_vec3 linear, angular;
    cdg_world_momentum(small.world, &linear, &angular);
    cdg_world_destroy(small.world);
    return linear.z;
}

// However short a push is, and wherever in the step, all of it arrives: 1 mN s, in the first steps as in later ones.
static void test_impulses_arrive_whole(void **state) {
    (void)state;
    const double step = 4e-4, begins[] = {0, 1.1e-4, 3.7e-4, 9e-4, 1.9e-3};
    for (int i = 0; i < INTEGRATOR_CASES; i++)
        for (int b = 0; b < 5; b++)
            for (int kind = 0; kind < 3; kind++) {
                const cdg_keyframe peak[] = {{begins[b], 0}, {begins[b] + 1e-4, 1}, {begins[b] + 2e-4, 0}};
                cdg_load_def load = cdg_load_def_default();
                load.kind = kind == 1 ? CDG_LOAD_LINE : CDG_LOAD_FORCE;
                load.value = vec3(0, 0, kind == 2 ? 10 : 20.0 / 3); // over 1 m
                if (kind == 2) {
                    load.keyframes = peak, load.keyframe_count = 3;
                } else {
                    load.from = begins[b], load.to = begins[b] + 1.5e-4;
                }
                const integrator_case *c = &integrator_cases[i];
                double momentum = momentum_after(c, &load, step, 8 + c->settling);
                assert_near(momentum, 1e-3, 1e-15);
            }
}

// What grows slowly is taken at second order where the integrator is of it, and exactly elsewhere: (1 N/s) t^2/2.
static void test_growing_loads_are_second_order(void **state) {
    (void)state;
    cdg_load_def load = cdg_load_def_default();
    load.value = vec3(0, 0, 1);
    load.ramp = 1;
    for (int i = 0; i < INTEGRATOR_CASES; i++) {
        double tolerance = integrator_cases[i].settling > 0 ? 2e-7 : 1e-14; // half a step late would be 2e-5
        double momentum = momentum_after(&integrator_cases[i], &load, 4e-4, 250);
        assert_near(momentum, 0.005, tolerance);
    }
}

static void test_report_names_the_worst_rod(void **state) {
    (void)state;
    cdg_rod_def def = cdg_rod_def_default();
    small_world small = small_world_make(&def, vec3(0, 0, -9.81), 1e-3, true);
    cdg_step_report report;
    must(small.world, cdg_world_step(small.world, &report));
    assert_int_equal(report.worst_rod.index1, small.rod.index1);
    assert_true(report.iterations >= 1 && report.residual >= 0 && report.residual < 1e-3);
    assert_near(report.time, 1e-3, 0);
    cdg_world_destroy(small.world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_time_is_exact),
        cmocka_unit_test(test_supports_move_the_rod),
        cmocka_unit_test(test_release_lets_go),
        cmocka_unit_test(test_energy_books_balance),
        cmocka_unit_test(test_impulses_arrive_whole),
        cmocka_unit_test(test_growing_loads_are_second_order),
        cmocka_unit_test(test_report_names_the_worst_rod),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
