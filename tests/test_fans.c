// Fans around points: whole surfaces have one, pinched points several, edges may branch.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "mesh_shapes.h"
#include "meshing/fans.h"

static cdg_fans count(const cdg_mesh *s, uint32_t *fan_count, uint32_t *branching) {
    cdg_fans fans = {.fan_count = fan_count, .branching = branching};
    assert_true(cdg_fans_count((const uint32_t(*)[3])s->triangles, s->triangle_count, s->point_count, NULL, &fans));
    return fans;
}

static void test_whole_surface(void **state) {
    (void)state;
    uint32_t fan_count[500], branching[500];
    cdg_mesh s = shape_torus(2, 1, 12, 8);
    cdg_fans fans = count(&s, fan_count, branching);
    assert_true(fans.branching_total == 0 && fans.pinched_total == 0);
    for (size_t p = 0; p < s.point_count; p++) assert_int_equal(fan_count[p], 1);
    cdg_mesh_free(&s);
}

static void test_touching_boxes(void **state) {
    (void)state;
    uint32_t fan_count[16], branching[16];
    cdg_mesh s = shape_box(vec3(0, 0, 0), vec3(1, 1, 1)), other = shape_box(vec3(1, 1, 1), vec3(2, 2, 2));
    shape_join(&s, &other);
    for (size_t i = 0; i < 3 * s.triangle_count; i++)
        if (s.triangles[i / 3][i % 3] == 8) s.triangles[i / 3][i % 3] = 7; // one common corner
    cdg_fans fans = count(&s, fan_count, branching);
    assert_true(fans.pinched_total == 1 && fans.branching_total == 0 && fan_count[7] == 2 && fan_count[8] == 0);
    for (size_t i = 0; i < 3 * s.triangle_count; i++)
        if (s.triangles[i / 3][i % 3] == 12) s.triangles[i / 3][i % 3] = 3; // and a common edge
    fans = count(&s, fan_count, branching);
    assert_true(fans.branching_total == 1 && branching[3] == 1);
    cdg_mesh_free(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_whole_surface),
        cmocka_unit_test(test_touching_boxes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
