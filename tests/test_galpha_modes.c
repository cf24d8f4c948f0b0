// Vibrations of galpha rods: a cantilever's closed form, a free rod's rigid motions, the load at which the lowest
// eigenvalue of a column passes zero, the same as der's about a loaded shape; damping has no say.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "arch_case.h"
#include "near.h"

// Frequencies of a clamped and a free end: cos b cosh b = -1 and = 1.
static const double clamped[3] = {1.8751040687, 4.6940911330, 7.8547574382};
static const double two_pi = 6.283185307179586;

static void test_cantilever(void **state) {
    (void)state;
    small_world small = column_make(CDG_MODEL_GALPHA, 60, 0);
    double frequencies[5];
    cdg_vec3 shapes[5 * 61];
    must(small.world, cdg_rod_find_modes(small.world, small.rod, 5, frequencies, shapes));
    // Bending about d1 (1 N m^2) and about d2 (4 N m^2): the soft ones at 0 and 2, the stiff one at 1 and 3.
    assert_near(frequencies[0] / (clamped[0] * clamped[0] / two_pi), 1, 2e-3);
    assert_near(frequencies[1] / (2 * clamped[0] * clamped[0] / two_pi), 1, 2e-3);
    assert_near(frequencies[2] / (clamped[1] * clamped[1] / two_pi), 1, 5e-3);
    assert_near(frequencies[3] / (2 * clamped[1] * clamped[1] / two_pi), 1, 5e-3);
    for (int m = 0; m < 4; m++) {
        double mass = 0;
        for (int i = 0; i <= 60; i++)
            mass += (i == 0 || i == 60 ? 0.5 : 1) / 60 * vec3_dot(shapes[m * 61 + i], shapes[m * 61 + i]);
        assert_near(mass, 1, 1e-2); // modal mass; the little that is missing turns
        assert_vec3_near(shapes[m * 61], vec3(0, 0, 0), 1e-9);
        assert_near(shapes[m * 61 + 60].x, 0, 1e-6);
    }
    cdg_world_destroy(small.world);
}

static void test_free_rod(void **state) {
    (void)state;
    cdg_rod_def def = cdg_rod_def_default();
    def.model = CDG_MODEL_GALPHA;
    def.element_count = 30;
    def.section.radius = 0.01;
    small_world small = small_world_make(&def, vec3(0, 0, 0), 0, false);
    double frequencies[7], first = 0;
    must(small.world, cdg_rod_find_modes(small.world, small.rod, 7, frequencies, NULL));
    cdg_stiffness stiffness;
    assert_int_equal(cdg_stiffness_compute(&def.material, &def.section, &stiffness, NULL), CDG_OK);
    first = 4.7300407449 * 4.7300407449 * sqrt(stiffness.bend[0] / stiffness.mass) / two_pi;
    for (int m = 0; m < 6; m++) assert_true(fabs(frequencies[m]) < 1e-2 * first);
    assert_near(frequencies[6] / first, 1, 1e-2);
    cdg_world_destroy(small.world);
}

// A column below and above its critical load, as it stands: the lowest eigenvalue falls linearly with the load.
static double lowest_of_column(double force) {
    small_world small = column_make(CDG_MODEL_GALPHA, 40, force);
    cdg_path_def path = cdg_path_def_default();
    path.kind = CDG_PATH_ARC_LENGTH; // does not leave the straight column
    path.step = 0.25;
    cdg_path_report report;
    must(small.world, cdg_world_follow_path(small.world, &path, &report));
    cdg_vec3 nodes[41];
    must(small.world, cdg_rod_positions(small.world, small.rod, nodes));
    assert_near(nodes[40].y, 0, 1e-6);
    assert_true(report.equilibrium.is_stable == (report.equilibrium.lowest > 0));
    cdg_world_destroy(small.world);
    return report.equilibrium.lowest;
}

static void test_critical_load(void **state) {
    (void)state;
    const double critical = 9.8696044 / 4;
    double below = lowest_of_column(0.99 * critical), above = lowest_of_column(1.01 * critical);
    assert_true(below > 0 && above < 0);
    double zero = 0.99 + 0.02 * below / (below - above);
    assert_near(zero, 1, 2e-3);
}

static void test_same_as_der_about_a_bent_shape(void **state) {
    (void)state;
    double frequencies[2][4];
    for (int k = 0; k < 2; k++) {
        small_world small = column_make(k == 0 ? CDG_MODEL_GALPHA : CDG_MODEL_DER, 60, 0);
        arch_load(&small, 60, vec3(-1, 2, 1));
        cdg_path_def path = cdg_path_def_default();
        path.step = 0.5;
        must(small.world, cdg_world_follow_path(small.world, &path, NULL));
        must(small.world, cdg_rod_find_modes(small.world, small.rod, 4, frequencies[k], NULL));
        cdg_world_destroy(small.world);
    }
    for (int m = 0; m < 4; m++) assert_near(frequencies[0][m] / frequencies[1][m], 1, 0.01);
}

// A soft rod hangs from a clamp that holds it level: the moment there makes a shift that is below all eigenvalues for
// sure some ten thousand times as large as the lowest, which is that of a rope.
static void test_same_as_der_hanging(void **state) {
    (void)state;
    double frequencies[2];
    for (int k = 0; k < 2; k++) {
        cdg_rod_def def = cdg_rod_def_default();
        def.model = k == 0 ? CDG_MODEL_GALPHA : CDG_MODEL_DER;
        def.element_count = 40;
        def.material.young_modulus = 8e6;
        def.material.density = 3800;
        def.section.radius = 3e-3;
        small_world small = small_world_make(&def, vec3(0, 0, -9.81), 0, true);
        must(small.world, cdg_world_find_equilibrium(small.world, NULL));
        must(small.world, cdg_rod_find_modes(small.world, small.rod, 1, &frequencies[k], NULL));
        cdg_world_destroy(small.world);
    }
    assert_near(frequencies[0] / frequencies[1], 1, 0.01);
}

static void test_damping_has_no_say(void **state) {
    (void)state;
    double frequencies[2];
    for (int k = 0; k < 2; k++) {
        cdg_rod_def def = cdg_rod_def_default();
        def.model = CDG_MODEL_GALPHA;
        def.element_count = 10;
        if (k == 1) def.material.damping_bend = def.material.damping_stretch = def.material.damping_twist = 3;
        small_world small = small_world_make(&def, vec3(0, 0, 0), 0, true);
        must(small.world, cdg_rod_find_modes(small.world, small.rod, 1, &frequencies[k], NULL));
        cdg_world_destroy(small.world);
    }
    assert_near(frequencies[1] / frequencies[0], 1, 1e-6);
}

static void test_too_many(void **state) {
    (void)state;
    small_world small = column_make(CDG_MODEL_GALPHA, 3, 0);
    double frequencies[100];
    assert_int_equal(cdg_rod_find_modes(small.world, small.rod, 100, frequencies, NULL), CDG_ERROR_ARGUMENT);
    cdg_world_destroy(small.world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cantilever),
        cmocka_unit_test(test_free_rod),
        cmocka_unit_test(test_critical_load),
        cmocka_unit_test(test_same_as_der_about_a_bent_shape),
        cmocka_unit_test(test_same_as_der_hanging),
        cmocka_unit_test(test_damping_has_no_say),
        cmocka_unit_test(test_too_many),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
