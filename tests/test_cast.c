// Who is on the stage, from a world.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "math/quat.h"
#include "near.h"
#include "view/cast.h"
#include "view_case.h"

#include <cordage/cordage.h>

static void a_world_is_gathered(void **state) {
    (void)state;
    cdg_cast cast = {0};
    cdg_world *world;
    cdg_error error;
    cdg_scene *scene = view_scene();
    assert_int_equal(cdg_scene_build(scene, 1, &world, &error), CDG_OK);
    assert_int_equal(cdg_cast_add_world(&cast, world, &error), CDG_OK);
    assert_int_equal(cast.rod_count, 2);
    assert_int_equal(cast.node_count, 16);
    assert_int_equal(cast.element_count, 14);
    assert_int_equal(cast.body_count, 1);
    assert_int_equal(cast.obstacle_count, 2);
    assert_int_equal(cast.support_count, 1);
    assert_string_equal(cast.rods[1].name, "band");
    double half1, half2;
    cdg_section_halves(&cast.rods[1].sections[0], &half1, &half2);
    assert_near(half1 + half2, 4e-3, 1e-12);
    assert_near(cast.high.x, 2.03, 1e-9); // the ball; the ground does not count
    assert_near(cast.low.x, 0, 1e-9);
    assert_near(cdg_cast_reach(&cast), 1.015, 1e-9);
    cdg_cast_free(&cast);
    assert_near(cdg_cast_reach(&cast), 1, 0);
    cdg_world_destroy(world);
    cdg_scene_destroy(scene);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_world_is_gathered)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
