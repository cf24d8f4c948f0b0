// Meshes of shapes: sound, with the volumes that geometry says, and shapes that are none refused.
#include "rounds.h"
#include "solid_case.h"
#include "solids/shape_mesh.h"

static const double pi = 3.14159265358979323846;
static const double profile[3][2] = {{0.1, 0}, {0.05, 0.1}, {0.08, 0.3}};

static double volume_of(cdg_shape_def def) {
    cdg_tetrahedral_mesh mesh;
    cdg_mesh_faults faults;
    cdg_mesh_quality quality;
    cdg_error error = {0};
    cdg_result result = cdg_shape_mesh(&def, &mesh, &error);
    if (result != CDG_OK) print_error("%s\n", error.message);
    assert_int_equal(result, CDG_OK);
    assert_int_equal(cdg_mesh_check(&mesh, &faults, &error), CDG_OK);
    assert_int_equal(faults.total, 0);
    assert_int_equal(cdg_mesh_measure(&mesh, &quality, &error), CDG_OK);
    assert_true(quality.smallest_dihedral > 0.1);
    cdg_tetrahedral_mesh_free(&mesh);
    return quality.volume;
}

static void test_volumes(void **state) {
    (void)state;
    skip_when_sanitized();
    cdg_shape_def d = {.size = {0.3, 0.2, 0.1},
                       .radius = 0.1,
                       .inner_radius = 0.06,
                       .thickness = 0.03,
                       .length = 0.2,
                       .angle = 0.5,
                       .profile = profile,
                       .profile_count = 3,
                       .resolution = 0.01};
    double cone1 = pi * 0.1 / 3 * (0.01 + 0.005 + 0.0025), cone2 = pi * 0.2 / 3 * (0.0025 + 0.004 + 0.0064);
    const double expected[] = {0.006,
                               4 * pi / 3 * 1e-3,
                               pi / 6 * 0.006,
                               pi * 0.002,
                               pi * 0.2 * (0.01 - 0.0036),
                               2 * pi * pi * 0.1 * 0.0009,
                               0.25 * 0.2 * (0.01 - 0.0036),
                               cone1 + cone2};
    for (int kind = 0; kind < CDG_SHAPE_KIND_COUNT; kind++) {
        d.kind = (cdg_shape_kind)kind;
        double tolerance = kind == CDG_SHAPE_BOX ? 1e-12 : 0.035; // chords instead of arcs
        assert_near(volume_of(d) / expected[kind], 1, tolerance);
    }
}

static cdg_shape_def shape_of(int kind) {
    return (cdg_shape_def){.kind = (cdg_shape_kind)kind,
                           .size = {0.3, 0.2, 0.1},
                           .radius = 0.1,
                           .inner_radius = 0.06,
                           .thickness = 0.03,
                           .length = 0.2,
                           .angle = 0.5,
                           .profile = profile,
                           .profile_count = 3};
}

static void test_coarse_and_default_resolution(void **state) {
    (void)state;
    for (int kind = 0; kind < CDG_SHAPE_KIND_COUNT; kind++) {
        cdg_shape_def d = shape_of(kind);
        assert_true(volume_of(d) > 0);
        if (kind == CDG_SHAPE_SPHERE || kind == CDG_SHAPE_ELLIPSOID) continue;
        d.resolution = 10;
        assert_true(volume_of(d) > 0);
    }
}

static void test_what_is_no_shape_is_refused(void **state) {
    (void)state;
    cdg_tetrahedral_mesh mesh;
    cdg_error error;
    for (int kind = 0; kind <= CDG_SHAPE_KIND_COUNT; kind++) {
        cdg_shape_def d = {.kind = (cdg_shape_kind)kind};
        assert_int_equal(cdg_shape_mesh(&d, &mesh, &error), CDG_ERROR_ARGUMENT);
        assert_null(mesh.points);
    }
    cdg_shape_def d = {.kind = CDG_SHAPE_BOX, .size = {1, 1, 1}, .resolution = -1};
    assert_int_equal(cdg_shape_mesh(&d, &mesh, &error), CDG_ERROR_ARGUMENT);
    d.resolution = 1e-9;
    assert_int_equal(cdg_shape_mesh(&d, &mesh, &error), CDG_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "2000"));
    d.resolution = 1e-3;
    assert_int_equal(cdg_shape_mesh(&d, &mesh, &error), CDG_ERROR_ARGUMENT);
    assert_string_equal(error.message, "a resolution of 0.001 m makes some 6e+09 tetrahedra, and a shape may have 10 "
                                       "million; take 0.0085 m or more");
}

static void test_count_is_foreseen(void **state) {
    (void)state;
    for (int kind = 0; kind < CDG_SHAPE_KIND_COUNT; kind++) {
        cdg_shape_def d = shape_of(kind);
        d.resolution = 0.01;
        cdg_tetrahedral_mesh mesh;
        assert_int_equal(cdg_shape_mesh(&d, &mesh, NULL), CDG_OK);
        double ratio = cdg_shape_tetrahedra(&d) / (double)mesh.tetrahedron_count;
        cdg_tetrahedral_mesh_free(&mesh);
        if (!(ratio > 0.7 && ratio < 1.4)) fail_msg("kind %d: foreseen %g of what was made", kind, ratio);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_volumes),
        cmocka_unit_test(test_coarse_and_default_resolution),
        cmocka_unit_test(test_what_is_no_shape_is_refused),
        cmocka_unit_test(test_count_is_foreseen),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
