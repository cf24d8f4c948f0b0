// Normal forces of many contacts by Newton's method: the laws hold, also where contacts share forces, and high stacks
// need no more turns than low ones.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "contact/contact_newton.h"
#include "math/random.h"

#include <math.h>
#include <stdlib.h>

enum { MOST = 700, CALLS = 60 };

typedef struct problem {
    size_t count;
    double *answer; // count^2
    double gap[MOST], compliance[MOST], tolerance[MOST], force[MOST];
    double *scratch;
    uint32_t numbers[2 * MOST];
    cdg_newton_matrix matrix;
    size_t columns; // that were asked for
} problem;

static problem *make(size_t count) {
    problem *p = calloc(1, sizeof *p);
    assert_non_null(p);
    p->count = count;
    p->answer = calloc(count * count, sizeof *p->answer);
    p->scratch = malloc(cdg_newton_scratch(count) * sizeof *p->scratch);
    assert_true(p->answer != NULL && p->scratch != NULL && cdg_newton_matrix_start(&p->matrix, count));
    return p;
}

static void destroy(problem *p) {
    cdg_newton_matrix_free(&p->matrix);
    free(p->answer);
    free(p->scratch);
    free(p);
}

static bool add_column(void *user, uint32_t column) {
    problem *p = user;
    uint32_t rows[MOST];
    double values[MOST];
    size_t count = 0;
    for (uint32_t i = 0; i < p->count; i++) {
        values[i] = p->answer[i * p->count + column];
        if (values[i] != 0) rows[count++] = i;
    }
    p->columns++;
    return cdg_newton_matrix_add(&p->matrix, column, rows, values, count);
}

static double gap_after(const problem *p, size_t i) {
    double sum = p->gap[i];
    for (size_t j = 0; j < p->count; j++) sum += p->answer[i * p->count + j] * p->force[j];
    return sum;
}

// In tolerances.
static double misfit_of(const problem *p) {
    double worst = 0;
    for (size_t i = 0; i < p->count; i++) {
        assert_true(p->force[i] >= 0);
        worst = fmax(worst, fabs(fmin(p->force[i] * p->compliance[i], gap_after(p, i))) / p->tolerance[i]);
    }
    return worst;
}

// Calls until the laws hold, each from the true gaps. Returns the turns.
static int solve(problem *p, double held) {
    int turns = 0;
    for (size_t i = 0; i < p->count; i++) p->compliance[i] = p->answer[i * p->count + i];
    for (int call = 0; call < CALLS && misfit_of(p) > 1; call++) {
        double gap[MOST];
        for (size_t i = 0; i < p->count; i++) gap[i] = gap_after(p, i);
        const cdg_newton_problem posed = {.matrix = &p->matrix,
                                          .add_column = add_column,
                                          .user = p,
                                          .gap = gap,
                                          .compliance = p->compliance,
                                          .tolerance = p->tolerance,
                                          .held = held,
                                          .force = p->force};
        int more = 0;
        assert_int_equal(cdg_newton_solve(&posed, p->scratch, p->numbers, &more), CDG_NEWTON_OK);
        turns += more;
    }
    assert_true(misfit_of(p) <= 1);
    return turns;
}

// Things on top of each other, each of mass 1, that all fall by 1 in the step: contact i is between i - 1 and i, that
// of 0 is with the floor. All are listed `copies` times.
static problem *stack_of(size_t height, size_t copies) {
    problem *p = make(height * copies);
    for (size_t a = 0; a < p->count; a++) {
        size_t i = a / copies;
        p->gap[a] = i == 0 ? -1 : 0;
        p->tolerance[a] = 1e-4;
        p->force[a] = 0.5 / (double)copies; // they pushed before
        for (size_t b = 0; b < p->count; b++) {
            size_t j = b / copies;
            double *entry = &p->answer[a * p->count + b];
            if (i == j) *entry = i == 0 ? 1 : 2;
            if (i == j + 1 || j == i + 1) *entry = -1;
        }
    }
    return p;
}

static void stack_carries_its_weight(void **state) {
    (void)state;
    for (size_t height = 2; height <= 200; height *= 10) {
        problem *p = stack_of(height, 1);
        int turns = solve(p, 1e-6);
        assert_true(turns < 10);
        for (size_t i = 0; i < height; i++)
            assert_true(fabs(p->force[i] - (double)(height - i)) < 0.05 * (double)height);
        destroy(p);
    }
}

static void contacts_share_forces(void **state) {
    (void)state;
    problem *p = stack_of(20, 3);
    solve(p, 3e-3);
    for (size_t i = 0; i < 20; i++) {
        double sum = p->force[3 * i] + p->force[3 * i + 1] + p->force[3 * i + 2];
        assert_true(fabs(sum - (double)(20 - i)) < 0.1);
    }
    destroy(p);
}

static void laws_hold(void **state) {
    (void)state;
    cdg_random random = {7};
    size_t pushing = 0, open = 0;
    for (int round = 0; round < 100; round++) {
        problem *p = make(1 + (size_t)round % 60);
        size_t n = p->count;
        for (size_t i = 0; i < n; i++) { // neighbours that pull and push each other
            p->gap[i] = random_in(&random, -1, 0.5);
            p->tolerance[i] = 1e-6;
            p->force[i] = round % 2 == 0 ? 0 : random_in(&random, 0, 1);
            p->answer[i * n + i] = random_in(&random, 1, 2);
            if (i > 0) p->answer[i * n + i - 1] = p->answer[(i - 1) * n + i] = random_in(&random, -0.45, 0.45);
        }
        solve(p, 3e-3);
        for (size_t i = 0; i < n; i++) pushing += p->force[i] > 0, open += gap_after(p, i) > 1e-3;
        destroy(p);
    }
    assert_true(pushing > 500 && open > 200);
}

// Columns of what never touches are not asked for.
static void far_contacts_cost_nothing(void **state) {
    (void)state;
    problem *p = make(100);
    for (size_t i = 0; i < 100; i++) p->gap[i] = i < 10 ? -1 : 1, p->tolerance[i] = 1e-6, p->answer[i * 100 + i] = 1;
    solve(p, 3e-3);
    assert_int_equal(p->columns, 10);
    destroy(p);
}

// What is coupled all with all is left to others.
static void dense_is_refused(void **state) {
    (void)state;
    problem *p = make(MOST);
    for (size_t i = 0; i < MOST; i++) {
        p->gap[i] = -1, p->tolerance[i] = 1e-6, p->compliance[i] = 2;
        for (size_t j = 0; j < MOST; j++) p->answer[i * MOST + j] = i == j ? 2 : 1;
    }
    const cdg_newton_problem posed = {.matrix = &p->matrix,
                                      .add_column = add_column,
                                      .user = p,
                                      .gap = p->gap,
                                      .compliance = p->compliance,
                                      .tolerance = p->tolerance,
                                      .held = 3e-3,
                                      .force = p->force};
    int turns = 0;
    assert_int_equal(cdg_newton_solve(&posed, p->scratch, p->numbers, &turns), CDG_NEWTON_LARGE);
    for (size_t i = 0; i < MOST; i++) assert_true(p->force[i] == 0);
    destroy(p);
}

static bool no_memory(void *user, uint32_t column) {
    (void)user;
    (void)column;
    return false;
}

static void lack_of_memory_is_told(void **state) {
    (void)state;
    problem *p = stack_of(4, 1);
    for (size_t i = 0; i < 4; i++) p->compliance[i] = 2;
    const cdg_newton_problem posed = {.matrix = &p->matrix,
                                      .add_column = no_memory,
                                      .gap = p->gap,
                                      .compliance = p->compliance,
                                      .tolerance = p->tolerance,
                                      .held = 3e-3,
                                      .force = p->force};
    int turns = 0;
    assert_int_equal(cdg_newton_solve(&posed, p->scratch, p->numbers, &turns), CDG_NEWTON_MEMORY);
    destroy(p);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stack_carries_its_weight),
        cmocka_unit_test(contacts_share_forces),
        cmocka_unit_test(laws_hold),
        cmocka_unit_test(far_contacts_cost_nothing),
        cmocka_unit_test(dense_is_refused),
        cmocka_unit_test(lack_of_memory_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
