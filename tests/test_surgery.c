// Replacing elements: what is undone is as it was, to the last bit.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "meshing/surgery.h"
#include "meshing_fixture.h"

static void test_undo_restores_everything(void **state) {
    (void)state;
    cdg_budget budget = {.limit = 1 << 24};
    cdg_raw_mesh m;
    cdg_surgery s;
    take_cubes(&m, &budget, (1u << 27) - 1);
    cdg_vec3 points[64];
    uint32_t elements[135][4];
    memcpy(points, m.points, sizeof points);
    memcpy(elements, m.tetrahedra, sizeof elements);
    assert_true(cdg_surgery_begin(&m, &budget, &s));
    assert_true(s.is_boundary[0] && !s.is_boundary[21]);
    size_t mark = cdg_surgery_mark(&s);
    for (uint32_t i = 0; i < 40; i++) { // more than there was room for
        uint32_t p = cdg_surgery_add_point(&s, vec3(i, 0, 0), false);
        cdg_surgery_move(&s, i, vec3(0, 0, i));
        cdg_surgery_remove(&s, i);
        cdg_surgery_add(&s, p, 1, 2, 3);
    }
    assert_int_equal(m.point_count, 104);
    assert_true(cdg_surgery_is_gone(&s, 5) && !cdg_surgery_is_gone(&s, 140));
    cdg_surgery_undo(&s, mark);
    assert_true(s.has_memory);
    assert_int_equal(m.point_count, 64);
    assert_int_equal(m.tetrahedron_count, 135);
    assert_memory_equal(m.points, points, sizeof points);
    assert_memory_equal(m.tetrahedra, elements, sizeof elements);
    size_t corners = 0;
    for (uint32_t p = 0; p < 64; p++)
        for (uint32_t at = s.first[p]; at != CDG_NO_CORNER; at = s.next[at]) {
            assert_int_equal(m.tetrahedra[at / 4][at % 4], p);
            corners++;
        }
    assert_int_equal(corners, 4 * 135);
    assert_true(cdg_surgery_end(&s, NULL));
    cdg_raw_mesh_free(&m, &budget);
    assert_int_equal(budget.used, 0);
}

static void test_gone_elements_and_points_are_dropped(void **state) {
    (void)state;
    cdg_budget budget = {.limit = 1 << 24};
    cdg_raw_mesh m;
    cdg_surgery s;
    uint32_t *kept;
    take_cubes(&m, &budget, (1u << 27) - 1);
    assert_true(cdg_surgery_begin(&m, &budget, &s));
    for (uint32_t e = 0; e < 5; e++) cdg_surgery_remove(&s, e); // the first cube; its outer corner has no other
    assert_true(cdg_surgery_beyond(&s, 5, m.tetrahedra[5][0], m.tetrahedra[5][0], m.tetrahedra[5][0]) != 0);
    assert_true(cdg_surgery_end(&s, &kept));
    assert_int_equal(m.tetrahedron_count, 130);
    assert_int_equal(m.point_count, 63);
    assert_int_equal(kept[0], 1);
    assert_int_equal(raw_faults(&m), 0);
    assert_true(fabs(raw_quality(&m).volume - 26) < 1e-12);
    cdg_budget_give(&budget, kept);
    cdg_raw_mesh_free(&m, &budget);
    assert_int_equal(budget.used, 0);
}

static void test_soundness_and_badness(void **state) {
    (void)state;
    cdg_budget budget = {.limit = 1 << 24};
    cdg_raw_mesh m;
    cdg_surgery s;
    uint32_t bad[8];
    take_cubes(&m, &budget, (1u << 27) - 1);
    assert_true(cdg_surgery_begin(&m, &budget, &s));
    const uint32_t *c = m.tetrahedra[60];
    cdg_surgery_add(&s, c[0], c[1], c[2], c[3]); // a second one at the same place
    assert_false(cdg_surgery_is_sound(&s, 0));
    cdg_surgery_undo(&s, 0);
    assert_true(cdg_surgery_is_sound(&s, 0));
    assert_int_equal(cdg_surgery_find_bad(&s, 0, -0.9, 0.9, bad, 8), 0);
    cdg_surgery_move(&s, 21, vec3(2.5, 1, 1)); // through its neighbours
    assert_true(cdg_surgery_find_bad(&s, 0, -0.9, 0.9, bad, 8) > 1);
    cdg_surgery_end(&s, NULL);
    cdg_raw_mesh_free(&m, &budget);
    cdg_vec3 p[4] = {vec3(0, 0, 0), vec3(1, 0, 0), vec3(0, 1, 0), vec3(0, 0, 1)};
    assert_true(fabs(cdg_surgery_badness(p) - 1 / sqrt(3)) < 1e-12);
    p[3].z = -0.5;
    double little = cdg_surgery_badness(p);
    p[3].z = -1;
    assert_true(little > 1 && cdg_surgery_badness(p) > little);
    p[3].z = (double)NAN;
    assert_true(cdg_surgery_badness(p) >= 1);
}

static void test_memory_that_ends_stops_it(void **state) {
    (void)state;
    cdg_budget budget = {.limit = 1 << 24};
    cdg_raw_mesh m;
    cdg_surgery s;
    take_cubes(&m, &budget, (1u << 27) - 1);
    assert_true(cdg_surgery_begin(&m, &budget, &s));
    budget.limit = budget.used + 5000;
    for (uint32_t i = 0; i < 1000; i++) cdg_surgery_add(&s, 0, 1, 2, 3);
    assert_false(s.has_memory);
    cdg_surgery_undo(&s, 0);
    assert_int_equal(m.tetrahedron_count, 135);
    assert_false(cdg_surgery_end(&s, NULL));
    cdg_raw_mesh_free(&m, &budget);
    assert_int_equal(budget.used, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_undo_restores_everything),
        cmocka_unit_test(test_gone_elements_and_points_are_dropped),
        cmocka_unit_test(test_soundness_and_badness),
        cmocka_unit_test(test_memory_that_ends_stops_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
