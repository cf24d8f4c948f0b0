// Faults are counted, each alone, with the first place.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "mesh_shapes.h"

static cdg_vec3 points[5] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, 0, -1}};
static uint32_t corners[3][4] = {{0, 1, 2, 3}, {0, 2, 1, 4}, {0, 1, 2, 3}};
static cdg_mesh mesh = {
    .points = points, .point_count = 5, .tetrahedra = corners, .tetrahedron_count = 2}; // two on a common face

static cdg_mesh_faults check(cdg_mesh m) {
    cdg_mesh_faults faults;
    cdg_error error;
    assert_int_equal(cdg_mesh_check(&m, &faults, &error), CDG_OK);
    return faults;
}

static void test_sound_meshes_have_none(void **state) {
    (void)state;
    assert_int_equal(check(mesh).total, 0);
    assert_int_equal(check((cdg_mesh){0}).total, 0);
}

static void test_each_fault_is_told(void **state) {
    (void)state;
    cdg_vec3 p[6] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, 0, -1}, {5, 5, 5}};
    uint32_t t[2][4] = {{0, 1, 2, 3}, {0, 1, 2, 4}}; // the second is inverted
    cdg_mesh_faults f = check((cdg_mesh){.points = p, .point_count = 6, .tetrahedra = t, .tetrahedron_count = 2});
    assert_true(f.inverted.count == 1 && f.inverted.first == 1 && f.unused_point.count == 1 &&
                f.unused_point.first == 5);
    assert_int_equal(f.total, 2);
    p[4] = vec3(0.3, 0.3, 0);
    f = check((cdg_mesh){.points = p, .point_count = 5, .tetrahedra = t, .tetrahedron_count = 2});
    assert_true(f.flat.count == 1 && f.flat.first == 1);
    p[4] = vec3(0.2, 0.2, 0.5); // both on the same side
    f = check((cdg_mesh){.points = p, .point_count = 5, .tetrahedra = t, .tetrahedron_count = 2});
    assert_true(f.folded_face.count == 1);
    t[1][3] = 3;
    f = check((cdg_mesh){.points = p, .point_count = 4, .tetrahedra = t, .tetrahedron_count = 2});
    assert_true(f.duplicate.count == 1 && f.duplicate.first == 1);
    t[1][3] = 9;
    f = check((cdg_mesh){.points = p, .point_count = 4, .tetrahedra = t, .tetrahedron_count = 2});
    assert_true(f.out_of_range.count == 1 && f.out_of_range.first == 1 && f.total == 1);
    p[2].y = NAN;
    f = check((cdg_mesh){.points = p, .point_count = 4, .tetrahedra = t, .tetrahedron_count = 1});
    assert_true(f.not_finite.count == 1 && f.not_finite.first == 2);
}

static void test_faces_edges_and_points(void **state) {
    (void)state;
    cdg_vec3 p[7] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, 0, -1}, {0.1, 0.1, 2}, {-1, -1, -3}};
    uint32_t t[3][4] = {{0, 1, 2, 3}, {0, 2, 1, 4}, {0, 1, 2, 5}};
    cdg_mesh_faults f = check((cdg_mesh){.points = p, .point_count = 6, .tetrahedra = t, .tetrahedron_count = 3});
    assert_true(f.overfull_face.count == 1 && f.overfull_face.first == 0);
    cdg_vec3 q[7] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {-1, 0, 0}, {0, -1, 0}, {0, 0, -1}};
    uint32_t pinch[2][4] = {{0, 1, 2, 3}, {0, 5, 4, 6}};
    f = check((cdg_mesh){.points = q, .point_count = 7, .tetrahedra = pinch, .tetrahedron_count = 2});
    assert_true(f.pinched_point.count == 1 && f.pinched_point.first == 0 && f.total == f.inverted.count + 1);
    uint32_t edge[2][4] = {{0, 1, 2, 3}, {0, 4, 5, 3}};
    f = check((cdg_mesh){.points = q, .point_count = 6, .tetrahedra = edge, .tetrahedron_count = 2});
    assert_true(f.branching_edge.count == 1 && f.branching_edge.first == 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sound_meshes_have_none),
        cmocka_unit_test(test_each_fault_is_told),
        cmocka_unit_test(test_faces_edges_and_points),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
