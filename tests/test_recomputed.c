// Fields made from positions and frames alone: as the rod measures them by angle, but for whole turns and clamps.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "fields/recomputed.h"
#include "hand_rod.h"

#include <math.h>

enum { ELEMENTS = 6, NODES_MAX = ELEMENTS + 1 };

static void test_against_the_measure(void **state) {
    (void)state;
    cdg_random random = {31};
    for (int closed = 0; closed < 2; closed++) {
        cdg_rod *rod = hand_rod(&random, ELEMENTS, closed);
        rod->measures_angle = true;
        cdg_vec3 positions[NODES_MAX];
        cdg_quat frames[ELEMENTS];
        for (size_t i = 0; i < rod->node_count; i++) {
            positions[i] = rod_vec3(rod->x, i);
            rod_set_quat(rod->rest_turn, i, quat_identity());
        }
        for (size_t j = 0; j < ELEMENTS; j++) frames[j] = rod_quat(rod->q, j);
        cdg_recomputed_rod shape = {closed, rod->node_count, ELEMENTS, rod->rest_length};
        for (int f = 0; f < CDG_FIELD_COUNT; f++) {
            cdg_field_info info = cdg_field_get((cdg_field)f);
            if ((info.traits & CDG_FIELD_LATER) == 0) continue;
            double here[NODES_MAX * CDG_FIELD_COMPONENTS_MAX], there[NODES_MAX * CDG_FIELD_COMPONENTS_MAX];
            cdg_field_recompute((cdg_field)f, &shape, positions, frames, here);
            cdg_field_measure_all((cdg_field)f, rod, there);
            size_t count = cdg_field_entries(&info, rod->node_count, ELEMENTS) * info.component_count;
            for (size_t i = 0; i < count; i++) {
                assert_true(isnan(here[i]) == isnan(there[i]));
                if (!isnan(here[i])) assert_float_equal(here[i], there[i], 1e-9);
            }
        }
        hand_rod_free(rod);
    }
}

// Eight turns on ten elements look like two the other way: what the file does not hold cannot be told.
static void test_whole_turns_are_lost(void **state) {
    (void)state;
    cdg_quat frames[10];
    double rest_length[10], twist[11];
    cdg_vec3 positions[11];
    for (size_t j = 0; j < 10; j++) {
        rest_length[j] = 0.1;
        frames[j] = quat_from_axis_angle(vec3(0, 0, 1), 1.6 * 3.141592653589793 * (double)j);
    }
    for (size_t i = 0; i < 11; i++) positions[i] = vec3(0, 0, 0.1 * (double)i);
    cdg_recomputed_rod shape = {false, 11, 10, rest_length};
    cdg_field_recompute(CDG_FIELD_twist, &shape, positions, frames, twist);
    assert_true(isnan(twist[0]) && isnan(twist[10]));
    for (size_t i = 1; i < 10; i++) assert_float_equal(twist[i], -4 * 3.141592653589793, 1e-9);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_against_the_measure),
                                       cmocka_unit_test(test_whole_turns_are_lost)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
