// What a camera follows: the middle of a rod, where a body is; other names are refused.
#define _DEFAULT_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "math/vec3.h"
#include "render/follow.h"

#include <string.h>

static void middles(void **state) {
    (void)state;
    cdg_vec3 positions[] = {{0, 0, 0}, {1, 0, 3}, {2, 3, 3}};
    cdg_run_rod rod = {.name = "cord", .node_count = 3};
    cdg_run_body_entry body = {.info = {.name = "ball"}};
    cdg_run_reader reader = {
        .directory = (char *)"my-run", .rods = &rod, .rod_count = 1, .bodies = &body, .body_count = 1};
    cdg_rod_moment moment = {.positions = positions};
    cdg_rigid_moment rigid = {.position = {7, 8, 9}};
    cdg_run_player player = {.reader = &reader, .rods = &moment, .rigids = &rigid};
    cdg_vec3 middle;
    cdg_error error;
    assert_int_equal(cdg_follow_middle(&player, "cord", &middle, &error), CDG_OK);
    assert_float_equal(vec3_distance(middle, vec3(1, 1, 2)), 0, 1e-12);
    assert_int_equal(cdg_follow_middle(&player, "ball", &middle, &error), CDG_OK);
    assert_float_equal(vec3_distance(middle, vec3(7, 8, 9)), 0, 0);
    assert_int_equal(cdg_follow_middle(&player, "cor", &middle, &error), CDG_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "follow=cor: "));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(middles)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
