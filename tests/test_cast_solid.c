// Surfaces of solids: only what lies on them is numbered, and triangles stay the same.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "view/cast_solid.h"

static void only_the_surface_is_numbered(void **state) {
    (void)state;
    const uint32_t surface[][3] = {{7, 2, 5}, {2, 7, 9}};
    cdg_cast_solid solid;
    assert_true(cdg_cast_solid_make(&solid, "block", 10, surface, 2));
    assert_string_equal(solid.name, "block");
    assert_int_equal(solid.point_count, 4);
    assert_int_equal(solid.triangle_count, 2);
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < 3; k++) assert_int_equal(solid.nodes[solid.triangles[i][k]], surface[i][k]);
    cdg_cast_solid_free(&solid);
    assert_null(solid.nodes);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(only_the_surface_is_numbered)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
