// Normal forces of a few contacts by an active set: the laws hold exactly, even where contacts share a force.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "contact/contact_normal.h"
#include "math/random.h"
#include "near.h"

#include <stdlib.h>

enum { MOST = 40 };

// A random symmetric answer of the given rank: below full rank it is singular.
static void make_answer(cdg_random *random, size_t n, size_t rank, double *out) {
    double b[MOST][MOST];
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < rank; k++) b[i][k] = random_in(random, -1, 1);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            out[i * n + j] = 0;
            for (size_t k = 0; k < rank; k++) out[i * n + j] += b[i][k] * b[j][k] / (double)(1 + k * k);
        }
}

static double gap_after(const double *answer, const double *gap, const double *force, size_t n, size_t i) {
    double sum = gap[i];
    for (size_t j = 0; j < n; j++) sum += answer[i * n + j] * force[j];
    return sum;
}

static void laws_hold(void **state) {
    (void)state;
    cdg_random random = {3};
    size_t pushing = 0, open = 0;
    for (int round = 0; round < 300; round++) {
        size_t n = 1 + (size_t)round % MOST;
        double answer[MOST * MOST], gap[MOST], tolerance[MOST], force[MOST];
        double *scratch = malloc(cdg_normal_scratch(n) * sizeof *scratch);
        make_answer(&random, n, n, answer);
        for (size_t i = 0; i < n; i++) {
            gap[i] = random_in(&random, -1, 0.5);
            tolerance[i] = 1e-9;
            force[i] = round % 2 == 0 ? 0 : random_in(&random, -1, 1); // cold and warm
        }
        assert_true(cdg_normal_solve(answer, gap, tolerance, n, force, scratch));
        for (size_t i = 0; i < n; i++) {
            // the raised diagonal leaves its share of what the own force does
            double u = gap_after(answer, gap, force, n, i), left = 1e-9 + 2e-9 * answer[i * n + i] * force[i];
            assert_true(force[i] >= 0);
            assert_true(u > -left);
            if (force[i] > 0) assert_true(u < left);
            pushing += force[i] > 0;
            open += u > 1e-3;
        }
        free(scratch);
    }
    assert_true(pushing > 500 && open > 500);
}

// Contacts in the same place share a force in any way; the force together is what matters.
static void equal_contacts_share(void **state) {
    (void)state;
    double answer[16], gap[4] = {-1, -1, -1, -1}, tolerance[4] = {1e-9, 1e-9, 1e-9, 1e-9}, force[4] = {1, 0, 2, 3};
    double scratch[32];
    assert_true(cdg_normal_scratch(4) <= 32);
    for (int i = 0; i < 16; i++) answer[i] = 2;
    assert_true(cdg_normal_solve(answer, gap, tolerance, 4, force, scratch));
    double sum = 0;
    for (int i = 0; i < 4; i++) {
        assert_true(force[i] >= 0);
        sum += force[i];
    }
    assert_near(sum, 0.5, 1e-8);
}

// Where the gaps of a singular answer can be closed, they are.
static void singular_answers_are_solved(void **state) {
    (void)state;
    cdg_random random = {11};
    for (int round = 0; round < 100; round++) {
        size_t n = 12;
        double answer[MOST * MOST], gap[MOST], tolerance[MOST], force[MOST], hidden[MOST];
        double *scratch = malloc(cdg_normal_scratch(n) * sizeof *scratch);
        make_answer(&random, n, 5, answer);
        for (size_t i = 0; i < n; i++) {
            hidden[i] = random_in(&random, 0, 1);
            tolerance[i] = 1e-6;
            force[i] = 0;
        }
        for (size_t i = 0; i < n; i++) {
            gap[i] = 0;
            for (size_t j = 0; j < n; j++) gap[i] -= answer[i * n + j] * hidden[j];
        }
        assert_true(cdg_normal_solve(answer, gap, tolerance, n, force, scratch));
        for (size_t i = 0; i < n; i++) assert_true(gap_after(answer, gap, force, n, i) > -2e-6);
        free(scratch);
    }
}

static void what_is_apart_is_left_alone(void **state) {
    (void)state;
    double answer[4] = {1, 0.2, 0.2, 1}, gap[2] = {0.1, 0.2}, tolerance[2] = {1e-9, 1e-9}, force[2] = {5, 7};
    double scratch[16];
    assert_true(cdg_normal_solve(answer, gap, tolerance, 2, force, scratch));
    assert_true(force[0] == 0 && force[1] == 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(laws_hold),
        cmocka_unit_test(equal_contacts_share),
        cmocka_unit_test(singular_answers_are_solved),
        cmocka_unit_test(what_is_apart_is_left_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
