// The sieve of what may be in the way of a move: nothing that is near is left out, nothing far away is kept.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "adapt/near_move.h"
#include "contact/segment_pair.h"
#include "math/random.h"
#include "math/vec3.h"
#include "near.h"

enum { POINTS = 58, MOVING = 6 };

static void sieves_by_distance(void **state) {
    (void)state;
    cdg_random random = {31};
    size_t near_count = 0, found_count = 0, all = 0;
    for (int round = 0; round < 4000; round++) {
        double lists[3][POINTS], *x[3] = {lists[0], lists[1], lists[2]}, reach = 0.05, other = 0.03;
        cdg_vec3 points[POINTS], moving[MOVING + 1], at = random_vec3(&random, 1);
        for (size_t i = 0; i < POINTS; i++) {
            points[i] = at = vec3_add(at, random_vec3(&random, 0.15));
            lists[0][i] = at.x, lists[1][i] = at.y, lists[2][i] = at.z;
        }
        cdg_near_move move = {.box = {{9, 9, 9}, {-9, -9, -9}}};
        at = random_vec3(&random, 1);
        for (size_t k = 0; k <= MOVING; k++) {
            moving[k] = at = vec3_add(at, random_vec3(&random, 0.1));
            const double c[3] = {at.x, at.y, at.z};
            for (int a = 0; a < 3; a++) {
                move.box.low[a] = fmin(move.box.low[a], c[a] - reach - other);
                move.box.high[a] = fmax(move.box.high[a], c[a] + reach + other);
            }
        }
        for (size_t k = 0; k < CDG_NEAR_LANES; k++) {
            cdg_vec3 middle = k < MOVING ? vec3_lerp(moving[k], moving[k + 1], 0.5) : vec3(1e150, 0, 0);
            move.middle[0][k] = middle.x, move.middle[1][k] = middle.y, move.middle[2][k] = middle.z;
            move.reach[k] = k < MOVING ? 0.5 * vec3_distance(moving[k], moving[k + 1]) + reach : 0;
        }
        size_t first = (size_t)(round % 9), count = (size_t)(POINTS - 1) - first;
        uint64_t found = cdg_near_segments(&move, x, first, count, other);
        assert_true(found >> count == 0);
        for (size_t i = 0; i < count; i++) {
            bool is_found = (found >> i & 1) != 0;
            double least = HUGE_VAL, farthest = 0;
            cdg_vec3 a = points[first + i], b = points[first + i + 1];
            for (size_t k = 0; k < MOVING; k++) {
                least = fmin(least, cdg_segments_closest(moving[k], moving[k + 1], a, b).distance2);
                farthest = fmax(farthest, 0.5 * vec3_distance(moving[k], moving[k + 1]));
            }
            double bound = reach + other + 2 * farthest + vec3_distance(a, b);
            if (least < (reach + other) * (reach + other)) assert_true(is_found);
            if (is_found) assert_true(least <= bound * bound);
            near_count += least < (reach + other) * (reach + other), found_count += is_found, all++;
        }
    }
    assert_true(near_count > 100 && found_count < all / 5);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(sieves_by_distance)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
