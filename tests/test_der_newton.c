// Newton's method on der's system: it finds a stationary point from random starts, quickly near one, and says what it
// tried when it cannot.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "der_case.h"
#include "near.h"

// A chain with inertia, as a time step poses it.
static void make_chain(der_case *c, double step, der_chain *chain, der_workspace *work) {
    cdg_rod *rod = c->rod;
    char *next = der_setup(rod, (der_scheme){.step = step, .h = step}, &c->loads, c->scratch, chain);
    der_workspace_place(work, (double *)(void *)next, rod->node_count, rod->is_closed);
    for (int k = 0; k < 3; k++) memcpy(rod->x_next[k], rod->x[k], rod->node_count * sizeof(double));
}

static double largest_gradient(const der_chain *chain, der_workspace *work) {
    dense_system *s = calloc(1, sizeof *s);
    strip_clear(&work->matrix);
    der_chain_assemble(chain, &work->matrix, 1);
    case_dense(chain, &work->matrix, s);
    double largest = 0;
    for (size_t a = 0; a < 4 * chain->node_count; a++) largest = fmax(largest, fabs(s->gradient[a]));
    free(s);
    return largest;
}

static void test_finds_stationary_points(void **state) {
    (void)state;
    cdg_random random = {21};
    for (int round = 0; round < 40; round++) {
        cdg_vec3 points[CASE_ELEMENTS + 1];
        cdg_rod_def def = case_def(round % 2, round / 2 % 2 == 0 ? CDG_DER_TANGENT : CDG_DER_ANGLE, points, &random);
        der_case c = case_build(&def);
        case_shake(&c, &random, 0.3);
        if (round % 3 == 0) case_hold(&c, &random);
        der_chain chain;
        der_workspace work;
        der_outcome outcome;
        cdg_error error = {0};
        make_chain(&c, round < 20 ? 1e-2 : 0.3, &chain, &work);
        double before = 0, after;
        size_t element;
        der_chain_start(&chain, &element);
        der_chain_settle_tension(&chain);
        before = largest_gradient(&chain, &work);
        cdg_result result = der_newton(&chain, &work, 200, 1e-11, &outcome, &error);
        if (result != CDG_OK) print_error("%s\n", error.message);
        assert_int_equal(result, CDG_OK);
        after = largest_gradient(&chain, &work);
        assert_true(after < 1e-7 * before);
        assert_true(outcome.iterations < 60);
        case_free(&c);
    }
}

static void test_gives_up_with_a_history(void **state) {
    (void)state;
    cdg_random random = {22};
    cdg_vec3 points[CASE_ELEMENTS + 1];
    cdg_rod_def def = case_def(false, CDG_DER_TANGENT, points, &random);
    der_case c = case_build(&def);
    case_shake(&c, &random, 0.5);
    der_chain chain;
    der_workspace work;
    der_outcome outcome;
    cdg_error error = {0};
    make_chain(&c, 0.3, &chain, &work);
    assert_int_equal(der_newton(&chain, &work, 2, 1e-12, &outcome, &error), CDG_ERROR_NO_CONVERGENCE);
    assert_int_equal(outcome.history.count, 2);
    assert_non_null(strstr(error.message, "last iterations"));
    case_free(&c);
}

static void test_history_keeps_the_last(void **state) {
    (void)state;
    der_history history = {0};
    char text[200];
    for (int i = 0; i < DER_HISTORY + 3; i++) der_history_add(&history, i);
    der_history_print(&history, text, sizeof text);
    assert_int_equal(strncmp(text, "..., 3.0e+00, ", 14), 0);
    assert_non_null(strstr(text, ", 1.4e+01"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_finds_stationary_points),
        cmocka_unit_test(test_gives_up_with_a_history),
        cmocka_unit_test(test_history_keeps_the_last),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
