// What is measured on solids: volume, energy, momentum, stress of known deformations.
#include "solid_case.h"

static void test_stretched_block(void **state) {
    (void)state;
    for (int model = 0; model < SOLID_CASE_LAWS; model++) {
        cdg_solid s =
            solid_case_build(solid_case_def((cdg_solid_model)model, CDG_SOLID_EULER), vec3(0.2, 0.1, 0.1), 0.05);
        const double small = 1e-5;
        for (size_t i = 0; i < s.node_count; i++) { // as under a pull along x
            s.x[0][i] *= 1 + small;
            s.x[1][i] *= 1 - 0.35 * small;
            s.x[2][i] *= 1 - 0.35 * small;
            solid_set_vec3(s.v, i, vec3(1, 2, 3));
        }
        double *mises = malloc(s.tetrahedron_count * sizeof *mises),
               *strain = malloc(s.tetrahedron_count * sizeof *mises);
        cdg_solid_stresses(&s, s.x, mises, strain);
        for (size_t t = 0; t < s.tetrahedron_count; t++) {
            assert_near(mises[t] / (1e5 * small), 1, 1e-3);
            assert_near(strain[t], small, 1e-9);
        }
        solid_energies e = cdg_solid_measure_energy(&s, s.x, s.v, vec3(0, 0, -10));
        assert_near(e.elastic / (0.5 * 1e5 * small * small * 0.002), 1, 1e-3);
        assert_near(e.kinetic, 0.5 * 2 * 14, 1e-10);
        assert_near(e.gravity, 0, 1e-10);
        assert_near(cdg_solid_volume(&s, s.x), 0.002 * (1 + small) * (1 - 0.35 * small) * (1 - 0.35 * small), 1e-15);
        size_t where = SIZE_MAX;
        assert_near(cdg_solid_least_volume(&s, s.x, &where), 1 + 0.3 * small, 1e-8);
        assert_true(where < s.tetrahedron_count);
        free(mises), free(strain);
        cdg_solid_free(&s);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_stretched_block)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
