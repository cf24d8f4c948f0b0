// Stepping: time, thread counts, supports that move, energy books.
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

static void strands(int thread_count, cdg_pobd_solver solver, cdg_vec3 *out, size_t rods, size_t elements) {
    cdg_world_def world_def = cdg_world_def_default();
    world_def.step = 5e-3;
    world_def.thread_count = thread_count;
    cdg_world *world;
    must(NULL, cdg_world_create(&world_def, &world, NULL));
    for (size_t i = 0; i < rods; i++) {
        cdg_rod_def def = cdg_rod_def_default();
        char name[32];
        snprintf(name, sizeof name, "strand%zu", i);
        def.name = name;
        def.element_count = elements;
        def.pobd.solver = solver;
        def.centerline.line.from = vec3(0, 0.1 * (double)i, 0);
        def.centerline.line.to = vec3(1, 0.1 * (double)i, 0.01 * (double)i);
        cdg_rod_id rod;
        must(world, cdg_world_add_rod(world, &def, &rod));
        cdg_support_def support = {.kind = CDG_SUPPORT_CLAMP, .place = {.rod = rod}};
        must(world, cdg_world_add_support(world, &support, NULL));
    }
    for (int s = 0; s < 40; s++) must(world, cdg_world_step(world, NULL));
    for (size_t i = 0; i < rods; i++)
        must(world, cdg_rod_positions(world, cdg_world_rod_at(world, i), out + i * (elements + 1)));
    cdg_world_destroy(world);
}

static void test_threads_do_not_change_results(void **state) {
    (void)state;
    enum { RODS = 13, ELEMENTS = 17, COUNT = RODS * (ELEMENTS + 1) };
    static cdg_vec3 one[COUNT], several[COUNT];
    for (int solver = 0; solver < 2; solver++) {
        strands(1, (cdg_pobd_solver)solver, one, RODS, ELEMENTS);
        for (int threads = 2; threads <= 5; threads += 3) {
            strands(threads, (cdg_pobd_solver)solver, several, RODS, ELEMENTS);
            assert_memory_equal(one, several, sizeof one);
        }
    }
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
        floor.offset = -1e3;
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
        plane.normal = vec3(0, 0, k == 0 ? 1 : -1);
        plane.offset = -6e-3;
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

// A rod of ten elements, drawn straight and then twisted by `turns` within `time`.
static small_world twisted(cdg_model model, cdg_pobd_solver solver, double turns, double time, double step) {
    cdg_rod_def def = cdg_rod_def_default();
    def.model = model;
    def.pobd.solver = solver;
    def.element_count = 10;
    def.centerline.line.to = vec3(0.2, 0, 0);
    def.section.radius = 5e-3;
    def.material.damping_stretch = def.material.damping_shear = 5e-3;
    def.material.damping_bend = def.material.damping_twist = 5e-3;
    small_world small = small_world_make(&def, vec3(0, 0, 0), step, true);
    const double pi = 3.14159265358979323846;
    cdg_motion motions[] = {
        {.kind = CDG_MOTION_MOVE, .move = {0.04, 0, 0}, .to = 0.05},
        {.kind = CDG_MOTION_ROTATE, .axis = {1, 0, 0}, .angle = turns * 2 * pi, .from = 0.05, .to = 0.05 + time}};
    cdg_support_def end = {
        .kind = CDG_SUPPORT_CLAMP, .place = {.rod = small.rod, .index = 10}, .motions = motions, .motion_count = 2};
    must(small.world, cdg_world_add_support(small.world, &end, NULL));
    return small;
}

// Eleven turns on ten elements: der counts them; the others stop before they would exert the torque of one turn.
static void test_turns_are_counted_or_refused(void **state) {
    (void)state;
    const struct {
        cdg_model model;
        cdg_pobd_solver solver;
        bool counts;
    } cases[] = {{CDG_MODEL_POBD, CDG_POBD_DIRECT, false},
                 {CDG_MODEL_POBD, CDG_POBD_GAUSS_SEIDEL, false},
                 {CDG_MODEL_CORDE, CDG_POBD_DIRECT, false},
                 {CDG_MODEL_GALPHA, CDG_POBD_DIRECT, false},
                 {CDG_MODEL_DER, CDG_POBD_DIRECT, true}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        small_world small = twisted(cases[i].model, cases[i].solver, 11, 0.45, 5e-4);
        cdg_result result = CDG_OK;
        for (int s = 0; s < 1200 && result == CDG_OK; s++) result = cdg_world_step(small.world, NULL);
        if (cases[i].counts) {
            must(small.world, result);
            cdg_vec3 force, moment;
            must(small.world, cdg_support_reaction(small.world, small.support, &force, &moment));
            assert_near(fabs(moment.x), 0.1131, 1e-3);
        } else {
            assert_int_equal(result, CDG_ERROR_NO_CONVERGENCE);
            assert_non_null(
                strstr(cdg_world_message(small.world), "use more elements or model der, which counts turns"));
            assert_true(cdg_world_time(small.world) < 0.3); // five turns are half a turn an element
        }
        cdg_world_destroy(small.world);
    }
}

// Three turns at once look like none to any model.
static void test_turns_at_once_are_refused(void **state) {
    (void)state;
    for (int model = 0; model < CDG_MODEL_COUNT; model++) {
        small_world small = twisted((cdg_model)model, CDG_POBD_DIRECT, 3, 0, 0.01);
        cdg_result result = CDG_OK;
        for (int s = 0; s < 20 && result == CDG_OK; s++) result = cdg_world_step(small.world, NULL);
        assert_int_equal(result, CDG_ERROR_NO_CONVERGENCE);
        assert_non_null(strstr(cdg_world_message(small.world), "turns by 3 turns in a step"));
        cdg_world_destroy(small.world);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_time_is_exact),
        cmocka_unit_test(test_threads_do_not_change_results),
        cmocka_unit_test(test_supports_move_the_rod),
        cmocka_unit_test(test_release_lets_go),
        cmocka_unit_test(test_energy_books_balance),
        cmocka_unit_test(test_impulses_arrive_whole),
        cmocka_unit_test(test_growing_loads_are_second_order),
        cmocka_unit_test(test_report_names_the_worst_rod),
        cmocka_unit_test(test_steps_are_divided_without_contact),
        cmocka_unit_test(test_blown_up_is_said),
        cmocka_unit_test(test_dividing_ends),
        cmocka_unit_test(test_turns_are_counted_or_refused),
        cmocka_unit_test(test_turns_at_once_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
