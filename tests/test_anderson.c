// Anderson's mixing: linear and kinked fixed points, and memory that is given up.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "math/anderson.h"
#include "near.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SIZE = 21 }; // no whole number of vectors

// A contraction whose parts come nearer by factors from 0.3 to 0.99 a step; with a floor, as laws of contact have.
static void contract(const double *x, double floor, double *out) {
    for (int k = 0; k < SIZE; k++) {
        double share = 0.3 + 0.69 * (k % 5) / 4;
        out[k] = 1 + k + share * (x[k] - 1 - k) + 0.005 * (x[(k + 1) % SIZE] - 1 - (k + 1) % SIZE);
        if (out[k] < floor) out[k] = floor;
    }
}

static double off(const double *x, double floor) {
    double image[SIZE], most = 0;
    contract(x, floor, image);
    for (int k = 0; k < SIZE; k++) most = fmax(most, fabs(image[k] - x[k]));
    return most;
}

static int steps_to(double floor, bool is_mixed, double *out) {
    double weight[SIZE], x[SIZE] = {0}, image[SIZE], *memory = malloc(anderson_scratch(SIZE) * sizeof *memory);
    for (int k = 0; k < SIZE; k++) weight[k] = 1 + k % 3;
    for (size_t k = 0; k < anderson_scratch(SIZE); k++) memory[k] = NAN; // of which nothing may matter
    anderson a = anderson_begin(SIZE, weight, memory);
    int steps = 0;
    while (steps < 5000 && off(x, floor) > 1e-9) {
        contract(x, floor, image);
        if (is_mixed) anderson_mix(&a, x, image);
        memcpy(x, image, sizeof x);
        steps++;
    }
    free(memory);
    memcpy(out, x, sizeof x);
    return steps;
}

static void fixed_points_come_sooner(void **state) {
    (void)state;
    static const double floors[] = {-1e3, 12.5};
    for (int n = 0; n < 2; n++) {
        double plain[SIZE], mixed[SIZE];
        int slow = steps_to(floors[n], false, plain), quick = steps_to(floors[n], true, mixed);
        print_message("%d steps, %d mixed\n", slow, quick);
        assert_true(slow > 500 && 10 * quick < slow);
        for (int k = 0; k < SIZE; k++) assert_near(mixed[k], plain[k], 1e-5);
    }
}

// After it is forgotten, or a way was longer than the one before, the next steps are plain: nothing is left of others.
static void memory_is_given_up(void **state) {
    (void)state;
    double weight[3] = {1, 1, 1}, memory[3 * (2 + 2 * ANDERSON_MEMORY)];
    assert_int_equal(anderson_scratch(3), sizeof memory / sizeof *memory);
    for (int n = 0; n < 2; n++) {
        anderson a = anderson_begin(3, weight, memory);
        double x[3] = {8, 4, 2}, to[3];
        for (int step = 0; step < 4; step++) {
            for (int k = 0; k < 3; k++) to[k] = (0.5 + 0.1 * k) * x[k];
            double plain = to[2];
            anderson_mix(&a, x, to);
            assert_true(step < 2 ? to[2] == plain : to[2] != plain);
            memcpy(x, to, sizeof x);
        }
        if (n == 0) anderson_forget(&a);
        for (int step = 0; step < 2; step++) { // n == 1: much longer ways than before
            double at[3] = {9 - step, 9 - step, 9 - step}, there[3] = {5, 6, 7};
            anderson_mix(&a, at, there);
            assert_true(there[0] == 5 && there[1] == 6 && there[2] == 7);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(fixed_points_come_sooner),
                                       cmocka_unit_test(memory_is_given_up)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
