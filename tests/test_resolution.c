// Halving elements and making them one again, in the rod's arrays: what was there comes back.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "adapt/resolution.h"
#include "adapt_case.h"

static double total_mass(const cdg_rod *rod) {
    double sum = 0;
    for (size_t i = 0; i < rod->node_count; i++) sum += rod->node_mass[i];
    return sum;
}

static double total_length(const cdg_rod *rod) {
    double sum = 0;
    for (size_t j = 0; j < rod->element_count; j++) sum += rod->rest_length[j];
    return sum;
}

static cdg_vec3 total_turn(const cdg_rod *rod) {
    cdg_vec3 sum = vec3(0, 0, 0);
    for (size_t i = 0; i < rod->node_count; i++) sum = vec3_add(sum, cdg_rod_rest_turn_vector(rod, i));
    return sum;
}

// Random operations, each of which keeps mass, length and turn at rest; and the definition's nodes know their places.
static void sums_stay(void **state) {
    (void)state;
    for (int variant = 0; variant < ADAPT_VARIANTS; variant++)
        for (int closed = 0; closed < 2; closed++) {
            cdg_random random = {17 + (uint64_t)variant};
            cdg_rod_def def = adapt_def((adapt_variant)variant, 6);
            cdg_vec3 hexagon[6];
            for (int i = 0; i < 6; i++) hexagon[i] = vec3(0.2 * cos(i * 1.0471975512), 0.2 * sin(i * 1.0471975512), 0);
            if (closed)
                def.centerline = (cdg_centerline){
                    .kind = CDG_CENTERLINE_POLYLINE, .closed = true, .points = {.points = hexagon, .count = 6}};
            def.rest = (cdg_rest){.kind = CDG_REST_CURVATURE, .curvature = {2, 0}};
            cdg_rod *rod = adapt_build(&def);
            double mass = total_mass(rod), length = total_length(rod), user[7];
            cdg_vec3 turn = total_turn(rod);
            for (size_t i = 0; i < rod->node_count; i++) user[i] = rod->adapt->arc[i];
            for (int round = 0; round < 300; round++) {
                size_t j = (size_t)random_in(&random, 0, (double)rod->element_count);
                if (rod->adapt->level[j] < 3 && random_unit(&random) < 0.5) {
                    cdg_resolution_halve(rod, j);
                } else if (cdg_resolution_are_halves(rod, j)) {
                    cdg_resolution_join(rod, j);
                }
                assert_near(total_mass(rod), mass, 1e-14 * mass);
                assert_near(total_length(rod), length, 1e-14);
                assert_vec3_near(total_turn(rod), turn, 1e-13);
                size_t halved = 0;
                for (size_t k = 0; k < rod->element_count; k++) halved += rod->adapt->level[k] > 0;
                assert_int_equal(halved, rod->adapt->halved_count);
            }
            for (size_t i = 0; i < rod->adapt->user_node_count; i++)
                assert_near(rod->adapt->arc[rod->adapt->user_node[i]], user[i], 1e-15);
            while (rod->adapt->halved_count > 0)
                for (size_t j = 0; j < rod->element_count; j++)
                    if (cdg_resolution_are_halves(rod, j)) cdg_resolution_join(rod, j);
            assert_int_equal(rod->element_count, 6);
            for (size_t i = 0; i < rod->node_count; i++) assert_int_equal(rod->adapt->user_node[i], i);
            cdg_rod_destroy(rod);
        }
}

// One operation and its reverse leave every bit but those of sums as they were.
static void the_reverse_gives_back(void **state) {
    (void)state;
    for (int variant = 0; variant < ADAPT_VARIANTS; variant++) {
        cdg_random random = {5};
        cdg_rod_def def = adapt_def((adapt_variant)variant, 6);
        def.rest = (cdg_rest){.kind = CDG_REST_CURVATURE, .curvature = {1, 0.5}, .twist = 3};
        cdg_rod *rod = adapt_build(&def), *same = adapt_build(&def);
        adapt_shake(rod, &random, 1);
        memcpy(same->memory, rod->memory, rod->memory_size);
        for (size_t j = 0; j < 6; j++) {
            cdg_resolution_halve(rod, j);
            assert_int_equal(rod->element_count, 7);
            assert_true(cdg_resolution_are_halves(rod, j));
            assert_near(rod->adapt->arc[j + 1], (rod->adapt->arc[j] + rod->adapt->arc[j + 2]) / 2, 1e-15);
            cdg_resolution_join(rod, j);
            for (size_t i = 0; i < 7; i++) {
                assert_vec3_near(rod_vec3(rod->x, i), rod_vec3(same->x, i), 0);
                assert_vec3_near(rod_vec3(rod->v, i), rod_vec3(same->v, i), 0);
                assert_near(rod->node_mass[i], same->node_mass[i], 0);
                assert_vec3_near(cdg_rod_rest_turn_vector(rod, i), cdg_rod_rest_turn_vector(same, i), 1e-15);
                if (rod->twist != NULL) assert_near(rod->twist[i], same->twist[i], 1e-15);
            }
            for (size_t i = 0; i < 6; i++) {
                assert_rotation_near(rod_quat(rod->q, i), rod_quat(same->q, i), 1e-15);
                assert_vec3_near(rod_vec3(rod->w, i), rod_vec3(same->w, i), 1e-15);
                assert_near(rod->rest_length[i], same->rest_length[i], 0);
            }
        }
        cdg_rod_destroy(rod);
        cdg_rod_destroy(same);
    }
}

// A clamp in a rod, with ten turns on one side of it and none on the other: halves have the turns of their own side.
static void a_clamp_parts_twist(void **state) {
    (void)state;
    const double rate = 62.8; // rad within an element
    cdg_rod_def def = adapt_def(ADAPT_DER, 12);
    cdg_rod *rod = adapt_build(&def);
    cdg_hold hold = {.node = 6, .holds_position = true, .frame_hold = CDG_HOLD_FRAME, .frame = rod_quat(rod->q, 6)};
    uint32_t *hold_at = rod->hold_at;
    rod->holds = &hold, rod->hold_count = 1, rod->hold_at = NULL;
    for (size_t i = 0; i <= 12; i++) rod->twist[i] = i < 6 ? 0 : i == 6 ? rate / 2 : rate;
    cdg_resolution_halve(rod, 5);
    assert_near(rod->twist[5], 0, 1e-12);
    assert_near(rod->twist[6], 0, 1e-12);
    assert_near(rod->twist[7], rate / 2, 1e-12);
    cdg_resolution_halve(rod, 7);
    assert_near(rod->twist[7], rate / 4, 1e-12);
    assert_near(rod->twist[8], rate / 2, 1e-12);
    assert_near(rod->twist[9], 0.75 * rate, 1e-12);
    cdg_resolution_join(rod, 7);
    cdg_resolution_join(rod, 5);
    for (size_t i = 0; i <= 12; i++) assert_near(rod->twist[i], i < 6 ? 0 : i == 6 ? rate / 2 : rate, 1e-12);
    rod->holds = NULL, rod->hold_count = 0, rod->hold_at = hold_at;
    cdg_rod_destroy(rod);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(sums_stay), cmocka_unit_test(the_reverse_gives_back),
                                       cmocka_unit_test(a_clamp_parts_twist)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
