// Pairs of primitives that have to be looked at: all that are near where it is theirs to meet, and hardly any other.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/processor.h"
#include "contact/surface_feature.h"
#include "contact/surface_gaps.h"
#include "math/random.h"
#include "near.h"

enum { PAIRS = 4001 }; // no multiple of any number of lanes

static cdg_vec3 x[4 * PAIRS];
static cdg_kept_pair pairs[PAIRS];
static uint32_t numbers[PAIRS]; // every pair, the last first
static cdg_pair_nearest nearest[PAIRS];
static const cdg_gap_limits limits = {.near = 1.03, .deep = 0.6};
static const double sum = 0.1;

// Two edges or a vertex and a triangle about as far apart as counts; every third pair of edges nearly parallel.
// Triangles stand for none of their limits, or for one set of them after the other.
static void make(bool is_edges, bool has_limits) {
    cdg_random random = {is_edges ? 3 : 4};
    for (size_t i = 0; i < PAIRS; i++) {
        cdg_vec3 *p = &x[4 * i];
        for (int k = 0; k < 4; k++) p[k] = random_vec3(&random, 0.5);
        if (is_edges && i % 3 == 0) p[3] = vec3_add(p[2], vec3_add(vec3_sub(p[1], p[0]), random_vec3(&random, 1e-3)));
        nearest_points at = is_edges ? closest(2, p, p + 2) : closest(1, p, p + 1);
        double wanted = sum * (0.3 + 1.2 * random_unit(&random));
        cdg_vec3 shift = vec3_scale(wanted / at.distance - 1, at.between);
        for (int k = 0; k < (is_edges ? 2 : 1); k++) p[k] = vec3_add(p[k], shift);
        pairs[i] = (cdg_kept_pair){.has_points = true, .is_edges = is_edges, .sum = sum};
        if (has_limits) pairs[i].limits = (uint8_t)(i % 64);
        numbers[i] = (uint32_t)(PAIRS - 1 - i);
        for (uint32_t k = 0; k < 4; k++) pairs[i].point[k] = 4 * (uint32_t)i + k;
    }
}

static bool is_inside(const nearest_points *at, bool is_edges, double margin) {
    for (int i = is_edges ? 0 : 1; i < 2; i++)
        for (int k = 0; k < (is_edges ? 2 : 3); k++)
            if (at->weight[i][k] < margin) return false;
    return true;
}

// Of edges that are nearly parallel the nearest points are uncertain, but not how far these are apart.
static void compare_nearest(const cdg_pair_nearest *found, const nearest_points *at, const cdg_vec3 *p, bool is_edges) {
    const double one = found->first, other = found->second;
    cdg_vec3 a = is_edges ? vec3_lerp(p[0], p[1], one) : p[0];
    cdg_vec3 b = is_edges ? vec3_lerp(p[2], p[3], other)
                          : vec3_mad(vec3_mad(vec3_scale(1 - one - other, p[1]), one, p[2]), other, p[3]);
    cdg_vec3 between = vec3(found->between[0], found->between[1], found->between[2]);
    assert_near(found->distance, at->distance, 1e-9);
    assert_near(vec3_norm(between), found->distance, 1e-12);
    assert_true(vec3_distance(between, vec3_sub(a, b)) < 1e-12);
    if (!is_edges) assert_near(found->first, at->weight[1][1], 1e-6);
}

static bool is_even(size_t pair, bool is_edges) { return is_edges && pair % 3 == 0; }

// Whether a triangle stands for the limit of it that a point is at.
static bool is_own_limit(const nearest_points *at, uint8_t owned) {
    const double *w = at->weight[1];
    int zeros = (w[0] < 1e-9) + (w[1] < 1e-9) + (w[2] < 1e-9);
    for (int k = 0; k < 3; k++) {
        if (zeros == 1 && w[k] < 1e-9) return (owned >> k & 1) != 0;
        if (zeros == 2 && w[k] >= 1e-9) return (owned >> (3 + k) & 1) != 0;
    }
    return false;
}

static void compare(bool is_edges) {
    size_t due = 0, needed = 0;
    for (size_t i = 0; i < PAIRS; i++) {
        const cdg_vec3 *p = &x[4 * i];
        nearest_points at = is_edges ? closest(2, p, p + 2) : closest(1, p, p + 1);
        bool is_own = is_inside(&at, is_edges, 1e-9) || (!is_edges && is_own_limit(&at, pairs[i].limits));
        bool is_deep = at.distance < limits.deep * sum;
        bool is_needed = is_deep || (at.distance < limits.near * sum && is_own);
        if (is_needed && (is_deep || !is_even(i, is_edges))) assert_true(pairs[i].is_due);
        if (!is_needed && !is_even(i, is_edges) && !is_edges) assert_false(pairs[i].is_due);
        if (at.distance > 1.001 * limits.near * sum) assert_false(pairs[i].is_due);
        due += pairs[i].is_due, needed += is_needed;
        if (pairs[i].is_due) compare_nearest(&nearest[PAIRS - 1 - i], &at, p, is_edges);
    }
    assert_true(needed > PAIRS / 10 && due < needed + PAIRS / 50);
}

static void what_is_near_is_due(void **state) {
    (void)state;
    for (int kind = 0; kind < 3; kind++) {
        make(kind == 0, kind == 2);
        cdg_surface_gaps_mark(pairs, numbers, PAIRS, &x[0].x, limits, nearest);
        compare(kind == 0);
    }
}

static void every_instruction_set_knows_what_is_near(void **state) {
    (void)state;
    const cdg_surface_gap_kernels *all[] = {
        &cdg_surface_gap_kernels_base,
#if defined(__x86_64__)
        &cdg_surface_gap_kernels_avx2,
        &cdg_surface_gap_kernels_avx512
#endif
    };
    const size_t lanes[] = {CDG_LANES_BASE, CDG_LANES_AVX2, CDG_LANES_AVX512};
    for (size_t k = 0; k < sizeof all / sizeof *all && lanes[k] <= (size_t)cdg_processor_lanes(); k++)
        for (int is_edges = 0; is_edges < 2; is_edges++) {
            make(is_edges, false);
            (is_edges ? all[k]->edges : all[k]->triangles)(pairs, numbers, PAIRS, &x[0].x, limits, nearest);
            compare(is_edges);
        }
}

static void what_was_due_stays_due(void **state) {
    (void)state;
    make(true, false);
    for (size_t i = 0; i < PAIRS; i++) pairs[i].is_edges = i % 7 < 4, pairs[i].is_due = i % 5 == 0;
    cdg_surface_gaps_mark(pairs, numbers, PAIRS, &x[0].x, (cdg_gap_limits){1e-6, 1e-6}, nearest);
    for (size_t i = 0; i < PAIRS; i++) assert_int_equal(pairs[i].is_due, i % 5 == 0);
}

// Distances alone; pairs with chains and shapes are left as they are.
static void distances_are_measured(void **state) {
    (void)state;
    for (int is_edges = 0; is_edges < 2; is_edges++) {
        make(is_edges, false);
        for (size_t i = 0; i < PAIRS; i++) pairs[i].has_points = i % 11 != 0, pairs[i].start_distance = -1;
        cdg_surface_gaps_measure(pairs, numbers, PAIRS, &x[0].x);
        for (size_t i = 0; i < PAIRS; i++) {
            const cdg_vec3 *p = &x[4 * i];
            nearest_points at = is_edges ? closest(2, p, p + 2) : closest(1, p, p + 1);
            assert_near(pairs[i].start_distance, i % 11 != 0 ? at.distance : -1, 1e-9);
            assert_false(pairs[i].is_due);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_near_is_due),
        cmocka_unit_test(every_instruction_set_knows_what_is_near),
        cmocka_unit_test(what_was_due_stays_due),
        cmocka_unit_test(distances_are_measured),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
