// Building solids: masses, uses of nodes, placing, what is refused.
#include "solid_case.h"

static void test_mass_and_place(void **state) {
    (void)state;
    cdg_solid_def def = solid_case_def(CDG_SOLID_NEO_HOOKEAN, CDG_SOLID_BDF2);
    def.position = vec3(1, 2, 3);
    def.orientation = quat_from_axis_angle(vec3(0, 0, 1), 1.5707963267948966);
    def.scale = 2;
    def.velocity = vec3(1, 0, 0);
    def.angular_velocity = vec3(0, 0, 2);
    cdg_solid s = solid_case_build(def, vec3(0.2, 0.1, 0.1), 0.05);
    double sum = 0;
    for (size_t i = 0; i < s.node_count; i++) sum += s.mass[i];
    assert_near(sum, 16, 1e-10); // 2 litres, eightfold, of water
    assert_near(s.total_mass, 16, 1e-10);
    assert_vec3_near(solid_case_center(&s, s.x), vec3(1, 2, 3), 1e-12);
    double reach[3] = {0};
    for (size_t i = 0; i < s.node_count; i++)
        for (int k = 0; k < 3; k++) reach[k] = fmax(reach[k], fabs(s.x[k][i] - (k + 1)));
    assert_near(reach[0], 0.1, 1e-12); // turned by a quarter
    assert_near(reach[1], 0.2, 1e-12);
    cdg_vec3 linear = {0}, angular = {0};
    cdg_solid_momentum(&s, s.x, s.v, &linear, &angular);
    assert_vec3_near(linear, vec3(16, 0, 0), 1e-10);
    angular = vec3_sub(angular, vec3_cross(vec3(1, 2, 3), linear));
    assert_true(angular.z > 0);
    for (size_t i = 0; i < s.node_count; i++)
        for (uint32_t u = s.first_use[i]; u < s.first_use[i + 1]; u++)
            assert_int_equal(s.tetrahedra[s.use[u] >> 2][s.use[u] & 3], i);
    assert_int_equal(s.first_use[s.node_count], 4 * s.tetrahedron_count);
    cdg_solid_free(&s);
}

// A solid's definition has the defaults of its parts, and a part that is put back to them is as it was.
static void test_defaults_of_parts(void **state) {
    (void)state;
    cdg_solid_def def = cdg_solid_def_default();
    cdg_shape_matching_def matching = cdg_shape_matching_def_default();
    cdg_mass_spring_def springs = cdg_mass_spring_def_default();
    assert_true(def.shape_matching.mode == matching.mode && def.shape_matching.cluster_count == matching.cluster_count);
    assert_true(def.shape_matching.relaxation_time == matching.relaxation_time && matching.relaxation_time == 0.01);
    assert_true(def.shape_matching.linear_time == 0 && matching.linear_time == 0);
    assert_true(def.shape_matching.quadratic_time == 0 && matching.quadratic_time == 0);
    assert_true(def.shape_matching.damping_ratio == 1 && matching.damping_ratio == 1);
    assert_true(def.shape_matching.cluster_size == 0 && matching.cluster_size == 0);
    assert_true(def.shape_matching.cluster_overlap == 0.25 && matching.cluster_overlap == 0.25);
    assert_true(def.mass_spring.length == 0 && springs.length == 0 && springs.area == 0 && springs.volume == 0);
}

static void refuse(cdg_solid_def def, const char *word) {
    cdg_solid s;
    cdg_error error = {0};
    cdg_mesh box = solid_case_box(vec3(1, 1, 1), 1);
    if (def.mesh.points == NULL) def.mesh = box;
    assert_int_equal(cdg_solid_build(&def, "thing", &s, &error), CDG_ERROR_ARGUMENT);
    if (strstr(error.message, word) == NULL) print_error("'%s' does not speak of '%s'\n", error.message, word);
    assert_non_null(strstr(error.message, word));
    assert_non_null(strstr(error.message, "thing"));
    cdg_mesh_free(&box);
}

static void test_what_is_refused(void **state) {
    (void)state;
    cdg_solid_def good = solid_case_def(CDG_SOLID_NEO_HOOKEAN, CDG_SOLID_BDF2), d;
    d = good, d.young_modulus = 0, refuse(d, "Young");
    d = good, d.poisson_ratio = 0.5, refuse(d, "Poisson");
    d = good, d.poisson_ratio = NAN, refuse(d, "Poisson");
    d = good, d.density = -1, refuse(d, "density");
    d = good, d.damping_time = -1, refuse(d, "damping");
    d = good, d.scale = 0, refuse(d, "scale");
    d = good, d.position.x = INFINITY, refuse(d, "finite");
    d = good, d.model = CDG_SOLID_MODEL_COUNT, refuse(d, "model");
    d = good, d.integrator = CDG_SOLID_INTEGRATOR_COUNT, refuse(d, "integrator");
    d = good, d.pressure = CDG_SOLID_PRESSURE_COUNT, refuse(d, "pressure");
    cdg_vec3 points[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    uint32_t inside_out[1][4] = {{0, 2, 1, 3}};
    d = good, d.mesh = (cdg_mesh){.points = points, .point_count = 4, .tetrahedra = inside_out, .tetrahedron_count = 1},
    refuse(d, "negative volume");
}

static void test_rate_bounds_that_of_the_mesh(void **state) {
    (void)state;
    // Explicit steps just within the advice stay bounded; at 3.5 times the advice they do not.
    for (int far = 0; far < 2; far++) {
        cdg_solid s =
            solid_case_build(solid_case_def(CDG_SOLID_NEO_HOOKEAN, CDG_SOLID_EXPLICIT), vec3(0.2, 0.1, 0.1), 0.05);
        double step = cdg_solid_stable_step(&s) * (far ? 3.5 : 1);
        cdg_random random = {1};
        solid_case_shake(&s, 1e-6, &random);
        double before = cdg_solid_elastic_energy(&s, s.x);
        cdg_solid_at at = {.x = s.x};
        for (int i = 0; i < 400; i++) {
            cdg_solid_forces(&s, &at, s.force, 1);
            for (int k = 0; k < 3; k++)
                for (size_t n = 0; n < s.node_count; n++) {
                    s.v[k][n] += step * s.force[k][n] / s.mass[n];
                    s.x[k][n] += step * s.v[k][n];
                }
        }
        double after = cdg_solid_elastic_energy(&s, s.x);
        assert_true(far ? !(after < 100 * before) : after < 3 * before);
        cdg_solid_free(&s);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_mass_and_place),
        cmocka_unit_test(test_defaults_of_parts),
        cmocka_unit_test(test_what_is_refused),
        cmocka_unit_test(test_rate_bounds_that_of_the_mesh),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
