// One implicit step of galpha: what is solved, how fast, and that giving up is noticed.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "galpha_case.h"
#include "near.h"

typedef struct newton_case {
    galpha_case base;
    galpha_work work;
    void *blocks[6];
} newton_case;

static void make(newton_case *c, cdg_random *random, bool is_extensible) {
    galpha_case_make(&c->base, random, is_extensible, false);
    galpha_read_arrays(c->base.rod, c->base.old); // at rest, loads as they are
    c->base.holds.has_hold[0] = true;
    c->base.holds.hold[0] = (cdg_hold){.holds_position = true,
                                       .frame_hold = CDG_HOLD_FRAME,
                                       .position = c->base.old[0].position,
                                       .frame = c->base.old[0].frame};
    c->base.rod->drag_rate = 0;
    const size_t nodes = GALPHA_CASE_NODES;
    size_t sizes[] = {nodes * sizeof(galpha_trial),
                      nodes * sizeof(galpha_trial),
                      nodes * sizeof(two_point_factor),
                      nodes * TWO_POINT_FIELDS * sizeof(double),
                      nodes * TWO_POINT_FIELDS * sizeof(double),
                      nodes * TWO_POINT_FIELDS * sizeof(double)};
    for (int k = 0; k < 6; k++) c->blocks[k] = aligned_alloc(64, (sizes[k] + 63) / 64 * 64);
    c->work = (galpha_work){c->blocks[0], c->blocks[1], c->blocks[2], c->blocks[3], c->blocks[4], c->blocks[5]};
}

static void clean(newton_case *c) {
    for (int k = 0; k < 6; k++) free(c->blocks[k]);
    galpha_case_free(&c->base);
}

static double largest_residual(const newton_case *c) {
    double residual[TWO_POINT_FIELDS], largest = 0;
    for (size_t j = 0; j < GALPHA_CASE_ELEMENTS; j++) {
        galpha_element_residual(&c->base.step, j, &c->work.trial[j], &c->work.trial[j + 1], residual);
        for (int k = 0; k < TWO_POINT_FIELDS; k++) largest = fmax(largest, fabs(residual[k]));
    }
    for (int end = 0; end < 2; end++) {
        galpha_end_residual(&c->base.step, end, &c->work.trial[end == 0 ? 0 : GALPHA_CASE_ELEMENTS], residual);
        for (int k = 0; k < TWO_POINT_ENDS; k++) largest = fmax(largest, fabs(residual[k]));
    }
    return largest;
}

static void test_solves(void **state) {
    (void)state;
    cdg_random random = {1};
    for (int round = 0; round < 20; round++) {
        newton_case c;
        make(&c, &random, round % 2 == 0);
        galpha_outcome outcome = galpha_solve(&c.base.step, &c.work);
        assert_true(outcome.is_solved);
        assert_in_range(outcome.iterations, 1, 15);
        assert_true(outcome.correction <= galpha_options(c.base.rod)->tolerance);
        assert_true(largest_residual(&c) < 1e-8);
        if (round % 2 == 1)
            for (size_t j = 0; j < GALPHA_CASE_ELEMENTS; j++)
                assert_near(vec3_distance(c.work.trial[j].position, c.work.trial[j + 1].position),
                            c.base.rod->rest_length[j], 1e-10);
        clean(&c);
    }
}

// Under-relaxation takes more iterations to the same place.
static void test_relaxation(void **state) {
    (void)state;
    cdg_random random = {2};
    newton_case c;
    make(&c, &random, true);
    galpha_outcome full = galpha_solve(&c.base.step, &c.work);
    cdg_vec3 tip = c.work.trial[GALPHA_CASE_ELEMENTS].position;
    ((cdg_galpha_options *)(void *)c.base.rod->options_memory)->relaxation = 0.5;
    ((cdg_galpha_options *)(void *)c.base.rod->options_memory)->iterations = 100;
    galpha_outcome half = galpha_solve(&c.base.step, &c.work);
    assert_true(full.is_solved && half.is_solved);
    assert_true(half.iterations > full.iterations);
    assert_vec3_near(c.work.trial[GALPHA_CASE_ELEMENTS].position, tip, 1e-8);
    clean(&c);
}

static void test_gives_up(void **state) {
    (void)state;
    cdg_random random = {3};
    newton_case c;
    make(&c, &random, true);
    ((cdg_galpha_options *)(void *)c.base.rod->options_memory)->iterations = 1;
    for (int j = 0; j < GALPHA_CASE_ELEMENTS; j++) c.base.loads[j].at_end = vec3(100, 0, 0);
    assert_false(galpha_solve(&c.base.step, &c.work).is_solved);
    ((cdg_galpha_options *)(void *)c.base.rod->options_memory)->iterations = 30;
    c.base.loads[2].at_end = vec3(NAN, 0, 0);
    assert_false(galpha_solve(&c.base.step, &c.work).is_solved);
    clean(&c);
}

// The state that is kept holds the paper's twelve fields in the moving frame.
static void test_accept(void **state) {
    (void)state;
    cdg_random random = {4};
    newton_case c;
    make(&c, &random, true);
    assert_true(galpha_solve(&c.base.step, &c.work).is_solved);
    galpha_node nodes[GALPHA_CASE_NODES];
    galpha_accept(&c.base.step, c.work.trial, nodes);
    for (size_t i = 0; i < GALPHA_CASE_NODES; i++) {
        const galpha_trial *t = &c.work.trial[i];
        assert_vec3_near(quat_rotate(nodes[i].frame, nodes[i].velocity), t->velocity, 1e-12);
        assert_vec3_near(quat_rotate(nodes[i].frame, nodes[i].force), t->force, 1e-9);
        cdg_vec3 moment = galpha_moment_of(c.base.rod, i, nodes[i].darboux);
        assert_vec3_near(quat_rotate(nodes[i].frame, moment), t->moment, 1e-9);
    }
    clean(&c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_solves),
        cmocka_unit_test(test_relaxation),
        cmocka_unit_test(test_gives_up),
        cmocka_unit_test(test_accept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
