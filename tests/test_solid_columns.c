// Sums of kept columns answer forces as the solid's own system does, until its factors change.
#include "solid_case.h"

#include "solids/solid_columns.h"

enum { STEPS = 3 };

static void fill(double *field[3], size_t count, size_t first, size_t loaded, double size) {
    for (int k = 0; k < 3; k++) {
        memset(field[k], 0, count * sizeof(double));
        for (size_t i = first; i < first + loaded; i++) field[k][i] = size * sin(1.0 + (double)(3 * i) + k);
    }
}

// What the system says of the same forces.
static void compare(cdg_solid *s, const uint32_t *node, size_t count, double *const force[3], double *const move[3]) {
    double most = 0;
    cdg_solid_system *m = s->system;
    memset(m->right, 0, 3 * s->node_count * sizeof(double));
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < 3; k++) m->right[3 * node[i] + k] = force[k][i];
    cdg_solid_respond(s, 1);
    for (size_t k = 0; k < 3 * s->node_count; k++) most = fmax(most, fabs(m->move[k]));
    assert_true(most > 0);
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < 3; k++) assert_near(move[k][i], m->move[3 * node[i] + k], 1e-12 * most);
}

static void columns_answer_as_the_system_does(void **state) {
    (void)state;
    cdg_solid_def def = solid_case_def(CDG_SOLID_NEO_HOOKEAN, CDG_SOLID_EULER);
    cdg_solid s = solid_case_build(def, vec3(0.2, 0.1, 0.1), 0.025);
    size_t count = s.node_count - 7; // "the surface"
    uint32_t *node = malloc(count * sizeof *node);
    double *force[3], *move[3];
    for (size_t i = 0; i < count; i++) node[i] = (uint32_t)(s.node_count - 1 - i);
    for (int k = 0; k < 3; k++) force[k] = malloc(count * sizeof(double)), move[k] = malloc(count * sizeof(double));
    for (size_t i = 0; i < s.node_count; i++)
        if (s.rest[0][i] < -0.09) s.is_held[i] = true, s.held_count++;
    cdg_solid_columns columns;
    cdg_error error = {0};
    assert_true(cdg_solid_columns_make(&columns, node, count));
    assert_true(count > CDG_SOLID_COLUMNS_MOST);
    for (int step = 0; step < STEPS; step++) { // other factors in each, since the step is another one
        cdg_solid_result result;
        assert_int_equal(cdg_solid_predict(&s, 5e-3 * (step + 1), vec3(0, 0, -10), 1, &result, &error), CDG_OK);
        assert_int_equal(cdg_solid_keep_response(&s, 1, &error), CDG_OK);
        size_t first = 10 * (size_t)step;
        fill(force, count, first, 5, 0.1);
        assert_true(cdg_solid_columns_respond(&columns, &s, force, move));
        compare(&s, node, count, force, move);
        assert_int_equal(columns.count, 5);
        fill(force, count, first + 3, 4, 2); // two of them are there already
        assert_true(cdg_solid_columns_respond(&columns, &s, force, move));
        compare(&s, node, count, force, move);
        assert_int_equal(columns.count, 7);
    }
    fill(force, count, 0, count, 1); // too many
    assert_false(cdg_solid_columns_respond(&columns, &s, force, move));
    s.system->has_factors = false;
    fill(force, count, 0, 1, 1);
    assert_false(cdg_solid_columns_respond(&columns, &s, force, move));
    cdg_solid_columns_free(&columns);
    for (int k = 0; k < 3; k++) free(force[k]), free(move[k]);
    free(node);
    cdg_solid_free(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(columns_answer_as_the_system_does)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
