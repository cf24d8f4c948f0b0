// Springs for lengths, areas and volumes: forces are slopes of the energy, rigid motion has none, stiffnesses are those
// of Young's modulus, the advised sub-step is stable, and damping takes nothing from rigid motion.
#include "rounds.h"
#include "solid_case.h"
#include "solids/mass_spring.h"

static cdg_solid block(double damping_time, double poisson_ratio) {
    cdg_solid_def def = solid_case_def(CDG_SOLID_MASS_SPRING, CDG_SOLID_BDF2);
    def.damping_time = damping_time;
    def.poisson_ratio = poisson_ratio;
    return solid_case_build(def, vec3(0.2, 0.15, 0.1), 0.04);
}

static void test_forces_are_slopes_of_the_energy(void **state) {
    (void)state;
    cdg_random random = {2};
    for (int which = 0; which < 4; which++) {
        cdg_solid_def def = solid_case_def(CDG_SOLID_MASS_SPRING, CDG_SOLID_EXPLICIT);
        def.mass_spring = (cdg_mass_spring_def){1e4, which == 1 ? 5e4 : 0, which == 2 ? 5e4 : 0};
        if (which == 3) def.mass_spring = (cdg_mass_spring_def){0};
        cdg_solid s = solid_case_build(def, vec3(0.2, 0.15, 0.1), 0.05);
        solid_case_shake(&s, 0.008, &random);
        cdg_solid_at at = {.x = s.x};
        cdg_solid_forces(&s, &at, s.inner_force, 1);
        double worst = 0, largest = 0;
        for (size_t i = 0; i < s.node_count; i++)
            for (int k = 0; k < 3; k++) {
                double kept = s.x[k][i], reach = 2e-6, e[4];
                for (int n = 0; n < 4; n++) {
                    s.x[k][i] = kept + reach * (n < 2 ? n - 2 : n - 1);
                    e[n] = cdg_solid_elastic_energy(&s, s.x);
                }
                s.x[k][i] = kept;
                double slope = (e[0] - 8 * e[1] + 8 * e[2] - e[3]) / (12 * reach);
                worst = fmax(worst, fabs(slope + s.inner_force[k][i]));
                largest = fmax(largest, fabs(slope));
            }
        if (!(worst < 1e-7 * largest)) print_error("%d: %g of %g\n", which, worst, largest);
        assert_true(worst < 1e-7 * largest);
        cdg_solid_free(&s);
    }
}

static void test_rigid_motion_has_no_force(void **state) {
    (void)state;
    cdg_random random = {4};
    cdg_solid s = block(0.01, 0.35);
    for (int round = 0; round < 5; round++) {
        cdg_quat turn = random_rotation(&random);
        cdg_vec3 spin = random_vec3(&random, 50);
        for (size_t i = 0; i < s.node_count; i++) {
            cdg_vec3 at = quat_rotate(turn, solid_vec3(s.rest, i));
            solid_set_vec3(s.x, i, vec3_add(at, vec3(1, 2, 3)));
            solid_set_vec3(s.v, i, vec3_cross(spin, at));
        }
        cdg_solid_at at = {.x = s.x, .v = s.v};
        cdg_solid_forces(&s, &at, s.inner_force, 1);
        for (size_t i = 0; i < s.node_count; i++)
            for (int k = 0; k < 3; k++) assert_near(s.inner_force[k][i], 0, 1e-11 * 1e5 * 0.04 * 0.04);
    }
    cdg_solid_free(&s);
}

// Over many directions the energy of a small strain is Hooke's: the mean over random rotations of a strain, since the
// mesh has directions of its own.
static void test_stiffness_is_that_of_the_moduli(void **state) {
    (void)state;
    skip_when_sanitized();
    for (double ratio = 0.25; ratio < 0.46; ratio += 0.1) {
        cdg_random random = {6};
        cdg_solid s = block(0, ratio);
        double strain = 1e-6;
        for (int kind = 0; kind < 2; kind++) { // stretch without change of width; shear
            double sum = 0;
            enum { TURNS = 3000 };
            for (int round = 0; round < TURNS; round++) {
                cdg_quat turn = random_rotation(&random);
                for (size_t i = 0; i < s.node_count; i++) {
                    cdg_vec3 p = quat_rotate(turn, solid_vec3(s.rest, i));
                    *(kind == 0 ? &p.x : &p.y) += strain * p.x;
                    solid_set_vec3(s.x, i, p);
                }
                sum += cdg_solid_elastic_energy(&s, s.x) / TURNS;
            }
            double hooke = kind == 0 ? 0.5 * s.lambda + s.mu : 0.5 * s.mu;
            double found = sum / (s.rest_volume * strain * strain);
            if (fabs(found / hooke - 1) > 0.02) print_error("ratio %g kind %d: %g\n", ratio, kind, found / hooke);
            assert_near(found / hooke, 1, 0.02);
        }
        cdg_solid_free(&s);
    }
}

static void test_advised_steps_are_stable(void **state) {
    (void)state;
    cdg_random random = {9};
    cdg_solid s = block(0, 0.4);
    solid_case_shake(&s, 0.002, &random);
    double before = cdg_solid_elastic_energy(&s, s.x), step = 0.99 * cdg_solid_stable_step(&s);
    cdg_vec3 linear = {0}, angular = {0}, after = {0}, turned = {0};
    for (size_t i = 0; i < s.node_count; i++) solid_set_vec3(s.v, i, vec3(1, 2, 3));
    cdg_solid_momentum(&s, s.x, s.v, &linear, &angular);
    double moving = 0.5 * 14 * s.total_mass;
    for (int n = 0; n < 3000; n++) solid_case_step(&s, step, vec3(0, 0, 0));
    solid_energies e = cdg_solid_measure_energy(&s, s.x, s.v, vec3(0, 0, 0));
    assert_true(e.kinetic + e.elastic - moving < 1.3 * before && e.kinetic + e.elastic - moving > 0.7 * before);
    cdg_solid_momentum(&s, s.x, s.v, &after, &turned);
    assert_near(vec3_distance(linear, after) / vec3_norm(linear), 0, 1e-12);
    assert_near(vec3_distance(angular, turned) / vec3_norm(linear), 0, 1e-12);
    cdg_solid_free(&s);
}

static void test_damping_calms_but_does_not_stop(void **state) {
    (void)state;
    cdg_random random = {9};
    cdg_solid s = block(0.02, 0.35);
    solid_case_shake(&s, 0.002, &random);
    for (size_t i = 0; i < s.node_count; i++)
        solid_set_vec3(s.v, i, vec3_add(vec3(1, 0, 0), vec3_cross(vec3(0, 0, 20), solid_vec3(s.x, i))));
    cdg_vec3 before = {0}, after = {0};
    cdg_solid_momentum(&s, s.x, s.v, NULL, &before);
    for (int n = 0; n < 300; n++) solid_case_step(&s, 1e-3, vec3(0, 0, 0));
    cdg_solid_momentum(&s, s.x, s.v, NULL, &after);
    assert_near(vec3_distance(before, after) / vec3_norm(before), 0, 1e-10);
    solid_energies e = cdg_solid_measure_energy(&s, s.x, s.v, vec3(0, 0, 0));
    assert_true(e.elastic < 0.05 * e.kinetic); // what centrifugal forces stretch is left
    cdg_solid_free(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_forces_are_slopes_of_the_energy), cmocka_unit_test(test_rigid_motion_has_no_force),
        cmocka_unit_test(test_stiffness_is_that_of_the_moduli), cmocka_unit_test(test_advised_steps_are_stable),
        cmocka_unit_test(test_damping_calms_but_does_not_stop)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
