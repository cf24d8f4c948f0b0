// Faces that belong together.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "meshing/faces.h"

static cdg_vec3 points[5] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, 0, -1}};
static uint32_t corners[3][4] = {{0, 1, 2, 3}, {0, 2, 1, 4}, {0, 1, 2, 3}};
static cdg_mesh mesh = {
    .points = points, .point_count = 5, .tetrahedra = corners, .tetrahedron_count = 2}; // two on a common face

static void test_common_face_is_matched(void **state) {
    (void)state;
    uint32_t mate[12];
    assert_true(cdg_faces_match(&mesh, NULL, NULL, mate));
    assert_int_equal(mate[3], 7);
    assert_int_equal(mate[7], 3);
    for (int h = 0; h < 8; h++)
        if (h % 4 != 3) assert_int_equal(mate[h], CDG_NO_FACE);
}

static void test_third_element_makes_it_overfull(void **state) {
    (void)state;
    cdg_mesh three = mesh;
    three.tetrahedron_count = 3;
    uint32_t mate[12];
    assert_true(cdg_faces_match(&three, NULL, NULL, mate));
    assert_int_equal(mate[3], CDG_OVERFULL_FACE);
    assert_int_equal(mate[0], 8); // the other faces of the double meet
    const bool skip[3] = {false, false, true};
    assert_true(cdg_faces_match(&three, skip, NULL, mate));
    assert_int_equal(mate[3], 7);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_common_face_is_matched),
        cmocka_unit_test(test_third_element_makes_it_overfull),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
