// Systems of implicit steps: the matrix against differences of forces, both solvers against multiplication back.
#include "solid_case.h"

static double block_entry(const cdg_solid_system *m, size_t at) {
    bool is_light = m->gradients != NULL && !m->gradients->is_exact;
    return is_light ? (double)m->light_blocks[at] : m->blocks[at];
}

// By element matrices, which both solvers' entries are made of.
static void multiply(const cdg_solid *s, double inertia, const double *x, double *out) {
    for (size_t k = 0; k < 3 * s->node_count; k++) out[k] = inertia * s->mass[k / 3] * x[k];
    for (size_t t = 0; t < s->tetrahedron_count; t++) {
        size_t at = 90 * t;
        for (size_t a = 0; a < 4; a++)
            for (size_t b = a; b < 4; b++, at += 9)
                for (size_t k = 0; k < 9; k++) {
                    size_t row = 3 * s->tetrahedra[t][a] + k / 3, column = 3 * s->tetrahedra[t][b] + k % 3;
                    out[row] += block_entry(s->system, at + k) * x[column];
                    if (a != b) out[column] += block_entry(s->system, at + k) * x[row];
                }
    }
}

// Element matrices of vector code against those of plain code, in the precision that the solver takes. Of what is
// squeezed to a thread vector code leaves some to plain code.
static void check_vector_code(cdg_solid_model model, bool is_damped, bool is_fine, bool is_squeezed) {
    cdg_solid_def def = solid_case_def(model, CDG_SOLID_EULER);
    def.damping_time = is_damped ? 1e-2 : 0;
    cdg_solid s = solid_case_build(def, vec3(0.2, 0.1, 0.1), is_fine ? 0.0105 : 0.025);
    assert_true((s.system->pattern == NULL) == is_fine);
    cdg_random random = {13};
    solid_case_shake(&s, is_fine ? 0.002 : 0.005, &random);
    for (size_t i = 0; i < s.node_count && is_squeezed; i++)
        if (s.rest[0][i] > 0) s.x[1][i] *= 0.02, s.x[2][i] *= 0.02;
    cdg_solid_at at = {.x = s.x, .before = s.rest, .rate = 100};
    const cdg_solid_model_table *vector = s.model;
    cdg_solid_model_table plain = *vector;
    plain.matrices = NULL;
    size_t count = 90 * s.tetrahedron_count;
    double *kept = malloc(count * sizeof *kept), scale = 0;
    for (int pass = 0; pass < 2; pass++) {
        s.model = pass == 0 ? &plain : vector;
        cdg_solid_assemble(&s, &at, 1e6, false, 1);
        for (size_t k = 0; k < count; k++) {
            double value = is_fine ? (double)s.system->light_blocks[k] : s.system->blocks[k];
            if (pass == 0)
                kept[k] = value, scale = fmax(scale, fabs(value));
            else
                assert_near(value, kept[k], (is_fine ? 2e-7 : 1e-12) * scale);
        }
    }
    free(kept);
    cdg_solid_free(&s);
}

static void test_matrices_of_vector_code(void **state) {
    (void)state;
    for (int model = 0; model < SOLID_CASE_LAWS; model++)
        for (int way = 0; way < 8; way++)
            check_vector_code((cdg_solid_model)model, way % 2 != 0, way / 2 % 2 != 0, way / 4 != 0);
}

static void check_slope(cdg_solid_model model) {
    cdg_solid s = solid_case_build(solid_case_def(model, CDG_SOLID_EULER), vec3(0.2, 0.1, 0.1), 0.05);
    cdg_random random = {11};
    solid_case_shake(&s, 0.005, &random);
    cdg_solid_at at = {.x = s.x};
    cdg_solid_forces(&s, &at, s.force, 1);
    cdg_solid_assemble(&s, &at, 0, false, 1);
    double *d = malloc(3 * s.node_count * sizeof *d), *product = malloc(3 * s.node_count * sizeof *d);
    for (size_t k = 0; k < 3 * s.node_count; k++) d[k] = random_in(&random, -1, 1);
    multiply(&s, 0, d, product);
    double *slope = calloc(3 * s.node_count, sizeof *d), scale = 0;
    const double h = 1e-5, shift[4] = {-2 * h, -h, h, 2 * h}, weight[4] = {1, -8, 8, -1};
    for (int j = 0; j < 4; j++) {
        for (size_t i = 0; i < s.node_count; i++)
            for (size_t k = 0; k < 3; k++) s.x_next[k][i] = s.x[k][i] + shift[j] * d[3 * i + k];
        cdg_solid_at moved = at;
        moved.x = s.x_next;
        cdg_solid_forces(&s, &moved, s.force, 1);
        for (size_t i = 0; i < s.node_count; i++)
            for (size_t k = 0; k < 3; k++) slope[3 * i + k] -= weight[j] * s.force[k][i] / (12 * h);
    }
    for (size_t k = 0; k < 3 * s.node_count; k++) scale = fmax(scale, fabs(slope[k]));
    for (size_t k = 0; k < 3 * s.node_count; k++) assert_near(product[k], slope[k], 1e-7 * scale);
    free(d), free(product), free(slope);
    cdg_solid_free(&s);
}

static void test_matrix_is_the_slope_of_forces(void **state) {
    (void)state;
    for (int model = 0; model < SOLID_CASE_LAWS; model++) check_slope((cdg_solid_model)model);
}

// Coarse: factors; fine: conjugate gradients, in single precision, or in double where there is next to no inertia. With
// damping, held nodes, two threads.
static void test_solutions(void **state) {
    (void)state;
    for (int way = 0; way < 3; way++) {
        bool is_fine = way > 0, is_exact = way == 2;
        double inertia = is_exact ? 1 : 1e4;
        cdg_solid_def def = solid_case_def(CDG_SOLID_NEO_HOOKEAN, CDG_SOLID_EULER);
        def.damping_time = 1e-3;
        cdg_solid s = solid_case_build(def, vec3(0.2, 0.1, 0.1), is_fine ? 0.0105 : 0.025);
        assert_true((s.system->pattern == NULL) == is_fine);
        cdg_random random = {12};
        solid_case_shake(&s, is_fine ? 0.0005 : 0.002, &random);
        cdg_solid_at at = {.x = s.x, .before = s.rest, .rate = 100};
        for (size_t i = 0; i < s.node_count; i++) s.is_held[i] = s.rest[0][i] < -0.09;
        for (size_t k = 0; k < 3 * s.node_count; k++) s.system->right[k] = random_in(&random, -1, 1);
        cdg_solid_assemble(&s, &at, inertia, true, 1);
        if (is_fine) assert_int_equal(s.system->gradients->is_exact, is_exact);
        assert_true(cdg_solid_solve(&s, 1e-12, 1));
        double *product = malloc(3 * s.node_count * sizeof *product), *kept = malloc(3 * s.node_count * sizeof *kept);
        double rounding = is_fine && !is_exact ? 2e-5 : 1e-8;
        multiply(&s, inertia, s.system->move, product);
        for (size_t i = 0; i < s.node_count; i++)
            for (size_t k = 0; k < 3; k++)
                if (s.is_held[i])
                    assert_near(s.system->move[3 * i + k], 0, 0);
                else
                    assert_near(product[3 * i + k], s.system->right[3 * i + k], rounding);
        memcpy(kept, s.system->move, 3 * s.node_count * sizeof *kept);
        int thread_count = 2;
        cdg_solid_assemble(&s, &at, inertia, true, thread_count);
        assert_true(cdg_solid_solve(&s, 1e-12, thread_count));
        assert_memory_equal(kept, s.system->move, 3 * s.node_count * sizeof *kept);
        free(product), free(kept);
        cdg_solid_free(&s);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_matrix_is_the_slope_of_forces),
        cmocka_unit_test(test_matrices_of_vector_code),
        cmocka_unit_test(test_solutions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
