// Vibrations of solids: eigenvectors of stiffness against mass, six motions of a free body, a bar's tones.
#include "solid_case.h"

enum { COUNT = 8 };

static cdg_solid_def stiff(void) {
    cdg_solid_def def = solid_case_def(CDG_SOLID_NEO_HOOKEAN, CDG_SOLID_EXPLICIT);
    def.poisson_ratio = 0;
    return def;
}

// Stiffness times a shape is its eigenvalue times mass times it, by differences of forces.
static void check_shape(cdg_solid *s, double eigenvalue, const cdg_vec3 *shape) {
    double scale = 0, worst = 0;
    const double h = 1e-7;
    double *there[3], *back[3];
    for (int k = 0; k < 3; k++) {
        there[k] = malloc(s->node_count * sizeof(double));
        back[k] = malloc(s->node_count * sizeof(double));
    }
    for (int side = 0; side < 2; side++) {
        for (size_t i = 0; i < s->node_count; i++)
            solid_set_vec3(s->x_next, i, vec3_mad(solid_vec3(s->x, i), side == 0 ? h : -h, shape[i]));
        cdg_solid_at at = {.x = s->x_next};
        cdg_solid_forces(s, &at, side == 0 ? there : back, 1);
    }
    for (size_t i = 0; i < s->node_count; i++) {
        if (s->is_held[i]) continue;
        cdg_vec3 force = vec3_scale(-0.5 / h, vec3_sub(solid_vec3(there, i), solid_vec3(back, i)));
        cdg_vec3 inertia = vec3_scale(eigenvalue * s->mass[i], shape[i]);
        scale = fmax(scale, vec3_norm(inertia));
        worst = fmax(worst, vec3_distance(force, inertia));
    }
    assert_true(worst < 1e-4 * scale);
    for (int k = 0; k < 3; k++) free(there[k]), free(back[k]);
}

static void test_shapes_solve_their_equation(void **state) {
    (void)state;
    cdg_solid s = solid_case_build(stiff(), vec3(0.2, 0.1, 0.05), 0.025);
    cdg_error error = {0};
    double values[COUNT];
    cdg_vec3 *shapes = malloc(COUNT * s.node_count * sizeof *shapes);
    for (size_t i = 0; i < s.node_count; i++) s.is_held[i] = s.rest[0][i] < -0.09;
    assert_int_equal(cdg_solid_find_eigenvalues(&s, COUNT, values, shapes, &error), CDG_OK);
    for (size_t m = 0; m < COUNT; m++) {
        double most = 0;
        if (m > 0) assert_true(values[m] >= values[m - 1]);
        for (size_t i = 0; i < s.node_count; i++) most = fmax(most, vec3_norm(shapes[m * s.node_count + i]));
        assert_near(most, 1, 1e-12);
        if (m < 4) check_shape(&s, values[m], shapes + m * s.node_count);
    }
    free(shapes);
    cdg_solid_free(&s);
}

static void test_a_free_body_has_six_motions(void **state) {
    (void)state;
    cdg_solid s = solid_case_build(stiff(), vec3(0.2, 0.1, 0.05), 0.05);
    cdg_error error = {0};
    double values[COUNT];
    assert_int_equal(cdg_solid_find_eigenvalues(&s, COUNT, values, NULL, &error), CDG_OK);
    assert_true(values[6] > 0);
    for (int m = 0; m < 6; m++) assert_true(fabs(values[m]) < 1e-6 * values[6]);
    cdg_solid_free(&s);
}

// A bar of one layer that can only be stretched: held across, omega = pi/2 sqrt(E/rho)/L at one end held, nu = 0.
static void test_a_bar_sounds(void **state) {
    (void)state;
    cdg_solid s = solid_case_build(stiff(), vec3(1, 0.02, 0.02), 0.02);
    cdg_error error = {0};
    double values[60], nearest = INFINITY;
    for (size_t i = 0; i < s.node_count; i++) s.is_held[i] = s.rest[0][i] < -0.4999;
    assert_int_equal(cdg_solid_find_eigenvalues(&s, 24, values, NULL, &error), CDG_OK);
    double expected = pow(0.5 * 3.141592653589793, 2) * s.def.young_modulus / s.def.density;
    for (int m = 0; m < 24; m++) nearest = fmin(nearest, fabs(values[m] / expected - 1));
    assert_true(nearest < 2e-3);
    cdg_solid_free(&s);
}

static void test_too_many_are_refused(void **state) {
    (void)state;
    cdg_solid s = solid_case_build(stiff(), vec3(0.1, 0.1, 0.1), 0.1);
    cdg_error error = {0};
    double values[100];
    assert_int_equal(cdg_solid_find_eigenvalues(&s, 100, values, NULL, &error), CDG_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "24"));
    cdg_solid_free(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shapes_solve_their_equation),
        cmocka_unit_test(test_a_free_body_has_six_motions),
        cmocka_unit_test(test_a_bar_sounds),
        cmocka_unit_test(test_too_many_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
