// Open pieces: a ball without its cap is closed when the hole is allowed, and dropped when it is not; a whole one
// beside it stays.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "meshing/open_pieces.h"
#include "meshing_fixture.h"

// A ball whose cap of radius 0.6 is missing, and one that is whole.
static cdg_mesh two_balls(void) {
    cdg_mesh s = shape_sphere(1, vec3(0, 0, 0), 40, 80), whole = shape_sphere(0.8, vec3(3, 0, 0), 30, 60);
    size_t kept = 0, first = s.point_count;
    for (size_t t = 0; t < s.triangle_count; t++) {
        bool is_cap = true;
        for (int k = 0; k < 3; k++) is_cap = is_cap && s.points[s.triangles[t][k]].z > 0.79;
        if (!is_cap) memmove(s.triangles[kept++], s.triangles[t], sizeof *s.triangles);
    }
    s.points = realloc(s.points, (first + whole.point_count) * sizeof *s.points);
    s.triangles = realloc(s.triangles, (kept + whole.triangle_count) * sizeof *s.triangles);
    memcpy(s.points + first, whole.points, whole.point_count * sizeof *s.points);
    for (size_t t = 0; t < whole.triangle_count; t++)
        for (int k = 0; k < 3; k++) s.triangles[kept + t][k] = whole.triangles[t][k] + (uint32_t)first;
    s.point_count = first + whole.point_count;
    s.triangle_count = kept + whole.triangle_count;
    cdg_mesh_free(&whole);
    return s;
}

static void test_holes_larger_than_allowed(void **state) {
    (void)state;
    for (int allowed = 0; allowed < 2; allowed++) {
        fixture f;
        cdg_raw_mesh mesh;
        cdg_open_pieces found;
        fixture_build(&f, two_balls());
        fixture_fill(&f, 0.25, 1, 1, &mesh);
        assert_true(cdg_open_pieces_drop(&mesh, &f.winding, allowed ? 1.4 : 0.6, 0.05, &f.budget, &found));
        assert_int_equal(found.left, allowed ? 2 : 1);
        assert_int_equal(found.dropped, allowed ? 0 : 1);
        assert_int_equal(raw_faults(&mesh), 0);
        double ball = 4 * mesh_pi / 3 * 0.512;
        assert_true(allowed ? raw_quality(&mesh).volume > 2 * ball : fabs(raw_quality(&mesh).volume / ball - 1) < 0.06);
        if (!allowed) assert_true(found.widest > 0.9 && found.widest < 1.5);
        if (!allowed) assert_true(vec3_distance(vec3_add(found.at, f.soup.origin), vec3(0, 0, 0.8)) < 0.4);
        cdg_raw_mesh_free(&mesh, &f.budget);
        fixture_release(&f);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_holes_larger_than_allowed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
