// Nearest places of a triangle to a point, and moving ones.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "contact/point_triangle.h"
#include "math/random.h"
#include "math/vec3.h"
#include "near.h"

static cdg_vec3 anywhere(cdg_random *random, double size) { return random_vec3(random, size); }

// As the general case of a segment without length has it.
static void agrees_with_segments(void **state) {
    (void)state;
    cdg_random random = {11};
    for (int i = 0; i < 20000; i++) {
        cdg_vec3 corners[3], p = anywhere(&random, 2), sum = {0, 0, 0};
        for (int k = 0; k < 3; k++) corners[k] = anywhere(&random, 1);
        if (i % 10 == 0) corners[2] = vec3_lerp(corners[0], corners[1], 0.3);
        cdg_point_closest mine = cdg_point_triangle_closest(p, corners);
        cdg_triangle_closest other = cdg_segment_triangle_closest(p, p, corners);
        assert_near(sqrt(mine.distance2), sqrt(other.distance2), 1e-12);
        for (int k = 0; k < 3; k++) {
            assert_true(mine.weights[k] >= 0);
            sum = vec3_mad(sum, mine.weights[k], corners[k]);
        }
        assert_near(mine.weights[0] + mine.weights[1] + mine.weights[2], 1, 1e-12);
        assert_vec3_near(vec3_sub(p, sum), mine.between, 1e-12);
    }
}

// Against looking at many times; a meeting is no later than the first of these that is near, and shortly before it.
static void meetings_are_found(void **state) {
    (void)state;
    cdg_random random = {12};
    int met = 0;
    for (int i = 0; i < 4000; i++) {
        cdg_moving_triangle t;
        cdg_vec3 from = anywhere(&random, 1), to = anywhere(&random, 1);
        for (int k = 0; k < 3; k++) t.from[k] = anywhere(&random, 1), t.to[k] = anywhere(&random, 1);
        double separation = 0.02, time = -1, first = 2;
        if (sqrt(cdg_point_triangle_closest(from, t.from).distance2) < separation) continue;
        bool meets = cdg_point_triangle_meet(from, to, &t, separation, 1e-3, &time);
        for (int k = 0; k <= 2000 && first > 1; k++) {
            double at = k / 2000.0;
            cdg_vec3 corners[3];
            for (int c = 0; c < 3; c++) corners[c] = vec3_lerp(t.from[c], t.to[c], at);
            double distance = sqrt(cdg_point_triangle_closest(vec3_lerp(from, to, at), corners).distance2);
            if (distance < separation) first = at;
        }
        if (first <= 1) assert_true(meets && time <= first);
        if (!meets) continue;
        met++;
        cdg_vec3 corners[3];
        for (int c = 0; c < 3; c++) corners[c] = vec3_lerp(t.from[c], t.to[c], time);
        double distance = sqrt(cdg_point_triangle_closest(vec3_lerp(from, to, time), corners).distance2);
        assert_true(distance > separation * (1 - 1e-9) && distance < separation + 4e-3);
    }
    assert_true(met > 200);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(agrees_with_segments),
        cmocka_unit_test(meetings_are_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
