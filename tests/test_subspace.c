// Subspace iteration: eigenvalues of matrices made from known ones, vectors orthonormal by mass, held unknowns, several
// equal eigenvalues, too many asked for.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "math/random.h"
#include "math/subspace.h"
#include "near.h"

enum { SIZE = 30 };

// K = M^(1/2) Q diag(value) Q^T M^(1/2) with a product of reflections Q; held unknowns are left out.
typedef struct made {
    double value[SIZE], axis[3][SIZE], mass[SIZE], shift;
    size_t held; // the first unknowns
} made;

static void reflect(const double *axis, double *x) {
    double dot = 0, norm = 0;
    for (int i = 0; i < SIZE; i++) dot += axis[i] * x[i], norm += axis[i] * axis[i];
    for (int i = 0; i < SIZE; i++) x[i] -= 2 * dot / norm * axis[i];
}

static void apply(void *user, const double *x, double *out) {
    const made *m = user;
    double y[SIZE];
    for (int i = 0; i < SIZE; i++) y[i] = sqrt(m->mass[i]) * x[i];
    for (int k = 0; k < 3; k++) reflect(m->axis[k], y);
    for (int i = 0; i < SIZE; i++) y[i] /= m->value[i] - m->shift;
    for (int k = 2; k >= 0; k--) reflect(m->axis[k], y);
    for (int i = 0; i < SIZE; i++) out[i] = m->mass[i] > 0 ? y[i] / sqrt(m->mass[i]) : 0;
}

static made make(cdg_random *random, size_t held) {
    made m = {.held = held};
    for (size_t i = 0; i < SIZE; i++) {
        m.mass[i] = i < held ? 0 : exp(random_in(random, -3, 3));
        m.value[i] = i < held ? 1e9 : -5 + (double)((i - held) * (i - held)); // held ones never come up
        for (int k = 0; k < 3; k++) m.axis[k][i] = i < held ? 0 : random_in(random, -1, 1);
    }
    m.shift = -5.5;
    return m;
}

static void test_known_eigenvalues(void **state) {
    (void)state;
    cdg_random random = {7};
    for (int round = 0; round < 20; round++) {
        size_t held = (size_t)round % 4, count = 1 + (size_t)round % 6;
        made m = make(&random, held);
        if (round % 5 == 0) m.value[held + 1] = m.value[held]; // twice the same
        subspace_problem problem = {
            .size = SIZE, .mass = m.mass, .shift = m.shift, .apply = apply, .user = &m, .is_symmetric = round % 2 == 0};
        double values[SIZE], vectors[SIZE * SIZE];
        assert_int_equal(subspace_free_count(&problem), SIZE - held);
        assert_int_equal(subspace_find(&problem, count, values, vectors), SUBSPACE_DONE);
        for (size_t a = 0; a < count; a++) {
            assert_near(values[a], m.value[held + a], 1e-6 * (1 + fabs(m.value[held + a])));
            for (size_t b = 0; b <= a; b++) {
                double dot = 0;
                for (size_t i = 0; i < SIZE; i++) dot += m.mass[i] * vectors[a * SIZE + i] * vectors[b * SIZE + i];
                assert_near(dot, a == b, 1e-9);
            }
            // An eigenvector is only scaled by the operator.
            double out[SIZE];
            apply(&m, vectors + a * SIZE, out);
            for (size_t i = 0; i < SIZE; i++)
                if (m.mass[i] > 0)
                    assert_near(out[i] * (values[a] - m.shift), vectors[a * SIZE + i], 1e-3 / sqrt(m.mass[i]));
        }
    }
}

static void test_too_many(void **state) {
    (void)state;
    cdg_random random = {3};
    made m = make(&random, 2);
    subspace_problem problem = {.size = SIZE, .mass = m.mass, .shift = m.shift, .apply = apply, .user = &m};
    double values[SIZE];
    assert_int_equal(subspace_find(&problem, SIZE - 1, values, NULL), SUBSPACE_TOO_FEW);
    assert_int_equal(subspace_find(&problem, SIZE - 2, values, NULL), SUBSPACE_DONE); // all there are
    for (size_t i = 0; i < SIZE - 2; i++) assert_near(values[i], m.value[i + 2], 1e-6 * (1 + fabs(m.value[i + 2])));
}

// A shift above an eigenvalue, and one so far below all that hardly anything happens in some rounds.
static void test_bad_shifts(void **state) {
    (void)state;
    cdg_random random = {5};
    for (int is_symmetric = 0; is_symmetric < 2; is_symmetric++) {
        made m = make(&random, 2);
        double values[SIZE];
        m.shift = m.value[2] + 0.2;
        subspace_problem problem = {.size = SIZE,
                                    .mass = m.mass,
                                    .shift = m.shift,
                                    .apply = apply,
                                    .user = &m,
                                    .is_symmetric = is_symmetric == 1};
        assert_int_equal(subspace_find(&problem, 3, values, NULL), SUBSPACE_NOT_BELOW);
        problem.shift = m.shift = -1e6;
        problem.rounds = 20;
        assert_int_equal(subspace_find(&problem, 3, values, NULL), SUBSPACE_NOT_CONVERGED);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_known_eigenvalues),
        cmocka_unit_test(test_too_many),
        cmocka_unit_test(test_bad_shifts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
