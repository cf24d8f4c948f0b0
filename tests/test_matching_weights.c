// The constants of shape matching: functions are orthonormal under the weights, and held nodes weigh more.
#include "solid_case.h"
#include "solids/matching_weights.h"

static cdg_solid build(cdg_matching_mode mode, size_t clusters, cdg_vec3 size) {
    cdg_solid_def def = solid_case_def(CDG_SOLID_SHAPE_MATCHING, CDG_SOLID_BDF2);
    def.shape_matching.mode = mode;
    def.shape_matching.cluster_count = clusters;
    return solid_case_build(def, size, 0.05);
}

static double product(const cdg_shape_matching *m, size_t c, int a, int b) {
    double sum = 0;
    for (size_t slot = m->first_slot[c]; slot < m->first_slot[c + 1]; slot++)
        sum += m->weight[slot] * m->basis[a][slot] * (b >= 0 ? m->basis[b][slot] : 1);
    return sum;
}

static void check_basis(const cdg_solid *s) {
    const cdg_shape_matching *m = s->own;
    double total = 0;
    for (size_t c = 0; c < m->cluster_count; c++) {
        for (int a = 0; a < m->basis_count; a++) {
            double norm = product(m, c, a, a);
            assert_true(norm == 0 || fabs(norm - 1) < 1e-12);
            assert_true(a >= 3 || norm > 0.5);
            assert_near(product(m, c, a, -1) / sqrt(m->mass[c]), 0, 1e-12);
            for (int b = 0; b < a; b++) assert_near(product(m, c, a, b), 0, 1e-12);
        }
        for (size_t slot = m->first_slot[c]; slot < m->first_slot[c + 1]; slot++) { // p = sum C phi
            if (m->weight[slot] == 0) continue;
            cdg_vec3 p = m->middle[c];
            for (int b = 0; b < 3; b++) p = vec3_mad(p, m->basis[b][slot], m->frame[c][b]);
            assert_near(vec3_distance(p, solid_vec3(s->rest, m->node[slot])), 0, 1e-12);
        }
        total += m->mass[c];
    }
    if (s->held_count == 0) assert_near(total, s->total_mass, 1e-12 * s->total_mass);
}

static void test_functions_are_orthonormal(void **state) {
    (void)state;
    for (int mode = 0; mode < CDG_MATCHING_MODE_COUNT; mode++)
        for (size_t clusters = 1; clusters <= 5; clusters += 4) {
            cdg_solid s = build((cdg_matching_mode)mode, clusters, vec3(0.5, 0.2, 0.2));
            check_basis(&s);
            cdg_solid_free(&s);
        }
}

// Two layers of points know no square of the height: it is left out, not divided by.
static void test_a_sheet_has_fewer_functions(void **state) {
    (void)state;
    cdg_solid s = build(CDG_MATCHING_QUADRATIC, 1, vec3(0.5, 0.5, 0.05));
    const cdg_shape_matching *m = s.own;
    check_basis(&s);
    assert_true(product(m, 0, 5, 5) == 0 && product(m, 0, 3, 3) > 0.5);
    cdg_solid_free(&s);
}

static void test_held_nodes_weigh_more(void **state) {
    (void)state;
    cdg_solid s = build(CDG_MATCHING_LINEAR, 3, vec3(0.5, 0.2, 0.2));
    const cdg_shape_matching *m = s.own;
    for (size_t i = 0; i < s.node_count; i++)
        if (s.rest[0][i] < -0.2) s.is_held[i] = true, s.held_count++;
    cdg_matching_renew_weights(&s);
    check_basis(&s);
    double held = 0, loose = 0;
    for (size_t k = 0; k < m->slot_count; k++) *(s.is_held[m->node[k]] ? &held : &loose) += m->weight[k];
    assert_true(held > 100 * loose);
    memset(s.is_held, 0, s.node_count);
    s.held_count = 0;
    cdg_matching_renew_weights(&s);
    check_basis(&s);
    cdg_solid_free(&s);
}

static void test_nonsense_is_refused(void **state) {
    (void)state;
    for (int which = 0; which < 6; which++) {
        cdg_solid_def def = solid_case_def(CDG_SOLID_SHAPE_MATCHING, CDG_SOLID_BDF2);
        cdg_shape_matching_def *d = &def.shape_matching;
        if (which == 0) d->mode = CDG_MATCHING_MODE_COUNT;
        if (which == 1) d->relaxation_time = 0;
        if (which == 2) d->linear_time = -1;
        if (which == 3) d->damping_ratio = NAN;
        if (which == 4) d->cluster_size = -1;
        if (which == 5) d->cluster_overlap = NAN;
        def.mesh = solid_case_box(vec3(0.1, 0.1, 0.1), 0.05);
        cdg_solid s;
        cdg_error error = {0};
        assert_int_equal(cdg_solid_build(&def, "block", &s, &error), CDG_ERROR_ARGUMENT);
        assert_true(strlen(error.message) > 20);
        cdg_mesh_free(&def.mesh);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_functions_are_orthonormal), cmocka_unit_test(test_a_sheet_has_fewer_functions),
        cmocka_unit_test(test_held_nodes_weigh_more), cmocka_unit_test(test_nonsense_is_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
