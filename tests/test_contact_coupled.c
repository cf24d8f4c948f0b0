// Coupled contacts by alternating directions: the laws hold, and forces are those of sweeping.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/processor.h"
#include "contact/contact_coupled.h"
#include "contact/contact_coupled_turn.h"
#include "math/random.h"
#include "near.h"

#include <math.h>
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
        double answer[36] = {0}, memory[1500];
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

enum { GROUPS = 3, CONTACTS = GROUPS * CDG_COUPLED_GROUP, NUMBERS = 3 * CONTACTS, LISTS = 12 };

typedef struct turn_lists {
    double list[LISTS][NUMBERS];
    double friction[CONTACTS];
    float change[NUMBERS];
} turn_lists;

static cdg_coupled_turn turn_of(turn_lists *lists) {
    double(*l)[NUMBERS] = lists->list;
    return (cdg_coupled_turn){
        NUMBERS, l[0], l[1], l[2], l[3], l[4], l[5], l[6], l[7], l[8], l[9], l[10], lists->friction, lists->change};
}

static turn_lists random_lists(void) {
    cdg_random random = {11};
    turn_lists lists;
    for (int n = 0; n < LISTS; n++)
        for (int i = 0; i < NUMBERS; i++) lists.list[n][i] = random_in(&random, n < 4 ? -1 : 0.1, 1);
    for (int i = 0; i < NUMBERS; i++) lists.change[i] = (float)random_in(&random, -1, 1);
    for (int c = 0; c < CONTACTS; c++) lists.friction[c] = c % 4 == 0 ? 0 : random_in(&random, 0, 1);
    for (int i = 0; i < NUMBERS; i++) lists.list[2][i] *= i < 9 ? 0 : i < 12 ? 1e-200 : 1; // no force, and next to none
    return lists;
}

// P of contact c, one number at a time.
static void project(const turn_lists *lists, int c, const double from[3], double out[3]) {
    out[0] = fmax(from[0], 0);
    double across = hypot(from[1], from[2]), most = lists->friction[c] * out[0];
    for (int k = 1; k < 3; k++) out[k] = across > most ? from[k] * (most / across) : from[k];
}

// What turns do to vectors of contacts is what they are to do to each.
static void check_turns(const cdg_coupled_kernels *kernels) {
    for (int is_known = 0; is_known < 2; is_known++) {
        turn_lists before = random_lists(), after = before;
        cdg_coupled_turn was = turn_of(&before), is = turn_of(&after);
        kernels->aim(&is, is_known == 1);
        double apart = 0;
        for (int i = 0; i < NUMBERS; i++) {
            double right = was.weight[i] * (2 * was.split[i] - was.point[i]);
            double known = was.slip[i] + was.weight[i] * (was.point[i] - was.split[i]);
            assert_near(is.right[i], right, 1e-14);
            assert_near(is.change[i], is_known == 1 ? known : right - was.right[i], 1e-6);
        }
        double far = kernels->advance(&is, is_known == 1);
        for (int i = 0; i < NUMBERS; i++) {
            double change = (double)is.change[i], force = is_known == 1 ? was.split[i] - change : was.force[i] + change;
            assert_near(is.force[i], force, 1e-14);
            assert_near(is.force_slip[i], is.right[i] - was.weight[i] * force, 1e-14);
            assert_near(is.next[i], was.point[i] + 1.3 * (force - was.split[i]), 1e-14);
            apart = fmax(apart, fabs(force - was.split[i]) * was.weight[i] * was.inverse_tolerance[i]);
        }
        assert_near(far, apart, 1e-14);
        kernels->project(&is);
        double worst = 0;
        for (int c = 0; c < CONTACTS; c++) {
            double z[3], to[3], *f = is.force + 3 * c, most = 0;
            project(&before, c, is.point + 3 * c, z);
            for (int k = 0; k < 3; k++) assert_near(is.split[3 * c + k], z[k], 1e-14);
            for (int k = 0; k < 3; k++) to[k] = f[k] - is.force_slip[3 * c + k] * was.inverse_diagonal[3 * c + k];
            project(&before, c, to, to);
            for (int k = 0; k < 3; k++) most = fmax(most, fabs(to[k] - f[k]) * was.diagonal[3 * c + k]);
            worst = fmax(worst, most * was.inverse_tolerance[3 * c]);
        }
        assert_near(kernels->misfit(&is, is.force, is.force_slip), worst, 1e-13 * worst);
    }
}

static void turns_are_the_same_in_lanes(void **state) {
    (void)state;
    check_turns(&cdg_coupled_kernels_base);
#if defined(__x86_64__)
    if (cdg_processor_lanes() != CDG_LANES_BASE) check_turns(&cdg_coupled_kernels_avx2);
    if (cdg_processor_lanes() == CDG_LANES_AVX512) check_turns(&cdg_coupled_kernels_avx512);
#endif
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(laws_hold), cmocka_unit_test(what_is_near_enough_is_taken),
                                       cmocka_unit_test(redundant_contacts_share),
                                       cmocka_unit_test(turns_are_the_same_in_lanes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
