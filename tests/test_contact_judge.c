// Judging contacts: what is said of each kind of fault, and the same whoever looks at them.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "contact/contact_judge.h"
#include "math/random.h"
#include "near.h"

#include <stdlib.h>
#include <string.h>

enum { MOST = 5000 };

// Elements between three points: one free, one held, and the still one.
typedef struct judged {
    cdg_contacts contacts;
    bool held[4];
    uint32_t ends[3][2];
    cdg_contact list[MOST];
} judged;

static judged *make(size_t count) {
    judged *it = calloc(1, sizeof *it);
    assert_non_null(it);
    it->held[CDG_STILL_POINT] = it->held[3] = true;
    it->ends[0][0] = 1, it->ends[0][1] = 2;
    it->ends[1][0] = 2, it->ends[1][1] = 3;
    it->contacts.pieces.held = it->held;
    it->contacts.pieces.ends = it->ends;
    it->contacts.list = it->list;
    it->contacts.count = count;
    for (size_t i = 0; i < count; i++) it->list[i] = (cdg_contact){.radius = 2e-3, .clearance = 1e-3, .gap = 1e-3};
    return it;
}

static cdg_contact_outcome judge(judged *it, cdg_contact_shortfall *worst) {
    cdg_contact_outcome out = {.iterations = 7, .rounds = 3, .passes = true, .is_sunk = true, .worst = 4};
    *worst = cdg_contacts_judge(&it->contacts, &(cdg_contact_input){0}, &out);
    assert_int_equal(out.iterations, 7);
    assert_int_equal(out.rounds, 3);
    return out;
}

static void what_is_apart_is_no_fault(void **state) {
    (void)state;
    cdg_contact_shortfall worst;
    for (size_t count = 0; count < 3; count++) {
        judged *it = make(count);
        cdg_contact_outcome out = judge(it, &worst);
        assert_true(worst.missing == 0 && worst.deep == 0 && out.deepest == 0);
        assert_int_equal(out.worst, UINT32_MAX);
        assert_false(out.passes || out.is_hard || out.bounces || out.is_sunk || out.is_crushed || out.is_stuck);
        free(it);
    }
}

static void faults_are_told_apart(void **state) {
    (void)state;
    cdg_contact_shortfall worst;
    judged *it = make(3);
    it->list[1].clearance = -1e-4; // 0.05 radii, of which the first 0.002 are let
    it->list[1].target = -4e-6;
    cdg_contact_outcome out = judge(it, &worst);
    assert_near(worst.missing, 0.048, 1e-12);
    assert_near(worst.deep, 0.048, 1e-12);
    assert_near(out.deepest, 0.05, 1e-12);
    assert_int_equal(out.worst, 1);
    assert_true(out.is_sunk && !out.is_crushed && !out.passes);

    it->list[2].clearance = -6e-4;
    out = judge(it, &worst);
    assert_true(out.is_sunk && out.is_crushed);
    assert_int_equal(out.worst, 2);
    it->list[1].clearance = 0;
    it->list[2].side[0].element = 1; // one end is held
    out = judge(it, &worst);
    assert_false(out.is_sunk || out.is_crushed);
    it->list[2].side[0].element = 0;
    it->list[2].gap_before = -7e-4; // it lay deeper
    out = judge(it, &worst);
    assert_false(out.is_sunk || out.is_crushed);

    it->list[0].crosses = true;
    assert_true(judge(it, &worst).passes);
    it->list[0].crosses = false;
    it->list[0].is_impact = true;
    assert_false(judge(it, &worst).passes);
    it->list[0].gap = -1e-4;
    assert_true(judge(it, &worst).passes);

    it->list[0].restitution = 0.5;
    it->list[0].approach = 1e-3;
    out = judge(it, &worst);
    assert_true(out.bounces && !out.is_hard);
    it->list[0].approach = 3e-3;
    assert_true(judge(it, &worst).is_hard);
    free(it);
}

// A force at a distance counts where implicit rods answered linearly, and there alone.
static void forces_at_a_distance_count_of_implicit_rods(void **state) {
    (void)state;
    cdg_contact_shortfall worst;
    judged *it = make(1);
    it->list[0].force = vec3(0, 0, 1);
    it->list[0].normal = vec3(0, 0, 1);
    judge(it, &worst);
    assert_true(worst.deep == 0);
    it->contacts.coupling.has_implicit = true;
    judge(it, &worst);
    assert_near(worst.deep, 0.05, 1e-12);
    assert_near(worst.missing, 0.05, 1e-12);
    free(it);
}

// Of equals the first is the worst, wherever parts of the list begin.
static void all_threads_find_the_same(void **state) {
    (void)state;
    cdg_random random = {5};
    judged *it = make(MOST);
    for (int round = 0; round < 40; round++) {
        it->contacts.count = round == 0 ? MOST : (size_t)(random_bits(&random) % MOST);
        for (size_t i = 0; i < it->contacts.count; i++) {
            it->list[i].clearance = -1e-6 * floor(random_in(&random, -50, 50));
            it->list[i].target = -1e-6 * floor(random_in(&random, 0, 20));
            it->list[i].crosses = random_bits(&random) % MOST == 0;
        }
        cdg_contact_outcome out[4];
        cdg_contact_shortfall worst[4];
        memset(out, 0, sizeof out);
        for (int threads = 1; threads < 4; threads++) {
            it->contacts.threads = threads; // cdg_parallel_for
            worst[threads] = cdg_contacts_judge(&it->contacts, &(cdg_contact_input){0}, &out[threads]);
        }
        double deepest = 0;
        uint32_t first = UINT32_MAX;
        for (uint32_t i = 0; i < it->contacts.count; i++) {
            double radii = -it->list[i].clearance / it->list[i].radius;
            if (radii > deepest) deepest = radii, first = i;
        }
        for (int threads = 1; threads < 4; threads++) {
            assert_true(out[threads].deepest == deepest);
            assert_int_equal(out[threads].worst, first);
            assert_true(worst[threads].missing == worst[1].missing && worst[threads].deep == worst[1].deep);
            assert_int_equal(out[threads].passes, out[1].passes);
        }
    }
    free(it);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_apart_is_no_fault),
        cmocka_unit_test(faults_are_told_apart),
        cmocka_unit_test(forces_at_a_distance_count_of_implicit_rods),
        cmocka_unit_test(all_threads_find_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
