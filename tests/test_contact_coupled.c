// Coupled contacts by alternating directions: the laws hold, and forces are those of sweeping.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "contact/contact_coupled.h"
#include "math/random.h"
#include "near.h"

#include <stdlib.h>
#include <string.h>

// A random symmetric positive definite answer, ill-conditioned as a stiff rod's is.
static void make_answer(cdg_random *random, size_t n, double *out) {
    double *b = malloc(n * n * sizeof *b);
    for (size_t i = 0; i < n * n; i++) b[i] = random_in(random, -1, 1);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            double sum = i == j ? 0.05 : 0;
            for (size_t k = 0; k < n; k++) sum += b[i * n + k] * b[j * n + k] / (double)(1 + k * k);
            out[i * n + j] = sum;
        }
    free(b);
}

static void laws_hold(void **state) {
    (void)state;
    cdg_random random = {9};
    size_t sliding = 0, sticking = 0, apart = 0, converged = 0, all = 0;
    for (int round = 0; round < 60; round++) {
        size_t count = 1 + (size_t)round % 12, n = 3 * count;
        cdg_coupled_contact contacts[12] = {0};
        double *answer = malloc(n * n * sizeof *answer), *memory = malloc(cdg_coupled_scratch(count) * sizeof *memory);
        make_answer(&random, n, answer);
        double start[36], given[36 * 36]; // the laws are judged by what was given: the solver changes it
        memcpy(given, answer, n * n * sizeof *given);
        for (size_t c = 0; c < count; c++) {
            contacts[c].friction = 0.3 * (double)(round % 5);
            contacts[c].tolerance = 1e-9;
            contacts[c].offset[0] = start[3 * c] = random_in(&random, -1, 0.3);
            for (int k = 1; k < 3; k++)
                contacts[c].offset[k] = start[3 * c + (size_t)k] = random_in(&random, -0.3, 0.3);
        }
        bool is_good;
        cdg_coupled_solve(contacts, count, answer, memory, &is_good);
        all++;
        converged += is_good;
        for (size_t c = 0; c < count && is_good; c++) {
            double u[3];
            for (size_t k = 0; k < 3; k++) {
                u[k] = start[3 * c + k];
                for (size_t d = 0; d < count; d++)
                    for (size_t l = 0; l < 3; l++) u[k] += given[(3 * c + k) * n + 3 * d + l] * contacts[d].force[l];
            }
            const double *f = contacts[c].force;
            double tangential = hypot(f[1], f[2]), most = contacts[c].friction * f[0];
            assert_true(f[0] > -1e-6);
            assert_true(u[0] > -1e-6);
            assert_near(f[0] * u[0], 0, 1e-5 * (1 + f[0]));
            assert_true(tangential <= most + 1e-6);
            if (f[0] < 1e-6) {
                apart++;
            } else if (tangential < most - 1e-5) {
                assert_near(hypot(u[1], u[2]), 0, 1e-6);
                sticking++;
            } else if (most > 1e-6) {
                double slip = hypot(u[1], u[2]);
                assert_near(u[1] * f[1] + u[2] * f[2], -slip * tangential, 1e-5 * (1 + slip * tangential));
                sliding++;
            }
        }
        free(answer), free(memory);
    }
    print_message("%zu of %zu converged; %zu slide, %zu stick, %zu are apart\n", converged, all, sliding, sticking,
                  apart);
    assert_true(sliding > 30 && sticking > 30 && apart > 30);
    assert_int_equal(converged, all);
}

// Two contacts between which there is no room: what one gains the other loses, and both stay as deep as they are. Laws
// that hold to two tolerances are taken as holding, after few turns; others are not, and are tried for longer.
static void what_is_near_enough_is_taken(void **state) {
    (void)state;
    static const struct {
        double depth; // tolerances
        bool is_good;
        int least, most; // turns
    } cases[] = {{0.9, true, 0, 0}, {1.8, true, 60, 100}, {2.2, false, 250, 1000}};
    for (int n = 0; n < 3; n++) {
        cdg_coupled_contact contacts[2] = {0};
        double answer[36] = {0}, memory[600];
        assert_true(cdg_coupled_scratch(2) <= sizeof memory / sizeof *memory);
        for (int i = 0; i < 6; i++) answer[7 * i] = 1;
        answer[3] = answer[18] = -1;
        for (int c = 0; c < 2; c++) {
            contacts[c].tolerance = 1e-6;
            contacts[c].offset[0] = -cases[n].depth * contacts[c].tolerance;
        }
        bool is_good;
        int turns = cdg_coupled_solve(contacts, 2, answer, memory, &is_good);
        assert_int_equal(is_good, cases[n].is_good);
        assert_in_range(turns, cases[n].least, cases[n].most);
    }
}

// Contacts at one and the same place, which can share a force in any way: the matrix is singular, and the laws hold for
// every friction, sticking or sliding.
static void redundant_contacts_share(void **state) {
    (void)state;
    static const double frictions[] = {0, 0.3, 5};
    for (int n = 0; n < 3; n++) {
        enum { COUNT = 4, SIZE = 3 * COUNT };
        cdg_coupled_contact contacts[COUNT] = {0};
        double answer[SIZE * SIZE] = {0}, *memory = malloc(cdg_coupled_scratch(COUNT) * sizeof *memory);
        for (size_t i = 0; i < SIZE; i++)
            for (size_t j = 0; j < SIZE; j++) answer[i * SIZE + j] = i % 3 == j % 3 ? 2 : i % 3 + j % 3 == 1 ? 0.5 : 0;
        for (int c = 0; c < COUNT; c++) {
            contacts[c] = (cdg_coupled_contact){.friction = frictions[n], .tolerance = 1e-7, .offset = {-1, 0.7, 0.2}};
            contacts[c].force[0] = 0; // none of them has the force of the other three at the start
        }
        bool is_good;
        cdg_coupled_solve(contacts, COUNT, answer, memory, &is_good);
        free(memory);
        assert_true(is_good);
        double sum[3] = {0};
        for (int c = 0; c < COUNT; c++) {
            for (int k = 0; k < 3; k++) sum[k] += contacts[c].force[k];
            assert_true(contacts[c].force[0] >= 0);
            assert_true(hypot(contacts[c].force[1], contacts[c].force[2]) <=
                        frictions[n] * contacts[c].force[0] + 1e-9);
        }
        double u[3] = {-1 + 2 * sum[0] + 0.5 * sum[1], 0.7 + 2 * sum[1] + 0.5 * sum[0], 0.2 + 2 * sum[2]};
        assert_near(u[0], 0, 1e-6);
        if (n == 2) {
            assert_near(hypot(u[1], u[2]), 0, 1e-6);
        } else {
            assert_near(hypot(sum[1], sum[2]), frictions[n] * sum[0], 1e-5);
            assert_near(u[1] * sum[1] + u[2] * sum[2], -hypot(u[1], u[2]) * hypot(sum[1], sum[2]), 1e-5);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(laws_hold), cmocka_unit_test(what_is_near_enough_is_taken),
                                       cmocka_unit_test(redundant_contacts_share)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
