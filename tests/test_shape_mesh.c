// Meshes of shapes: sound, with the volumes that geometry says, and shapes that are none refused.
#include "rounds.h"
#include "solid_case.h"
#include "solids/shape_mesh.h"

static const double pi = 3.14159265358979323846;
static const double profile[3][2] = {{0.1, 0}, {0.05, 0.1}, {0.08, 0.3}};

// Those that solids are made of.
static const cdg_shape_kind kinds[] = {CDG_SHAPE_BOX,  CDG_SHAPE_SPHERE, CDG_SHAPE_ELLIPSOID, CDG_SHAPE_CYLINDER,
                                       CDG_SHAPE_TUBE, CDG_SHAPE_TORUS,  CDG_SHAPE_WEDGE,     CDG_SHAPE_REVOLVED};
enum { KINDS = sizeof kinds / sizeof *kinds };

static double volume_of(cdg_shape shape, double resolution) {
    cdg_mesh mesh;
    cdg_mesh_faults faults;
    cdg_mesh_quality quality;
    cdg_error error = {0};
    cdg_result result = cdg_shape_mesh(&shape, resolution, &mesh, &error);
    if (result != CDG_OK) print_error("%s\n", error.message);
    assert_int_equal(result, CDG_OK);
    assert_int_equal(cdg_mesh_check(&mesh, &faults, &error), CDG_OK);
    assert_int_equal(faults.total, 0);
    assert_int_equal(cdg_mesh_measure(&mesh, &quality, &error), CDG_OK);
    assert_true(quality.smallest_dihedral > 0.1);
    cdg_mesh_free(&mesh);
    return quality.volume;
}

static void test_volumes(void **state) {
    (void)state;
    skip_when_sanitized();
    cdg_shape d = {.size = {0.3, 0.2, 0.1},
                   .radius = 0.1,
                   .inner_radius = 0.06,
                   .thickness = 0.03,
                   .length = 0.2,
                   .angle = 0.5,
                   .profile = profile,
                   .profile_count = 3,
                   .orientation = {1, 0, 0, 0}};
    double cone1 = pi * 0.1 / 3 * (0.01 + 0.005 + 0.0025), cone2 = pi * 0.2 / 3 * (0.0025 + 0.004 + 0.0064);
    const double expected[] = {0.006,
                               4 * pi / 3 * 1e-3,
                               pi / 6 * 0.006,
                               pi * 0.002,
                               pi * 0.2 * (0.01 - 0.0036),
                               2 * pi * pi * 0.1 * 0.0009,
                               0.25 * 0.2 * (0.01 - 0.0036),
                               cone1 + cone2};
    for (int i = 0; i < KINDS; i++) {
        d.kind = kinds[i];
        double tolerance = kinds[i] == CDG_SHAPE_BOX ? 1e-12 : 0.035; // chords instead of arcs
        assert_near(volume_of(d, 0.01) / expected[i], 1, tolerance);
    }
}

static cdg_shape shape_of(cdg_shape_kind kind) {
    return (cdg_shape){.kind = kind,
                       .orientation = {1, 0, 0, 0},
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
    for (int i = 0; i < KINDS; i++) {
        cdg_shape d = shape_of(kinds[i]);
        assert_true(volume_of(d, 0) > 0);
        if (kinds[i] == CDG_SHAPE_SPHERE || kinds[i] == CDG_SHAPE_ELLIPSOID) continue;
        assert_true(volume_of(d, 10) > 0);
    }
}

static void test_what_is_no_shape_is_refused(void **state) {
    (void)state;
    cdg_mesh mesh;
    cdg_error error;
    for (int kind = 0; kind <= CDG_SHAPE_KIND_COUNT; kind++) {
        cdg_shape d = {.kind = (cdg_shape_kind)kind, .orientation = {1, 0, 0, 0}};
        assert_int_equal(cdg_shape_mesh(&d, 0, &mesh, &error), CDG_ERROR_ARGUMENT);
        assert_null(mesh.points);
        if (kind == CDG_SHAPE_CAPSULE) assert_non_null(strstr(error.message, "a capsule is not divided"));
    }
    cdg_shape d = {.kind = CDG_SHAPE_BOX, .size = {1, 1, 1}, .orientation = {1, 0, 0, 0}};
    assert_int_equal(cdg_shape_mesh(&d, -1, &mesh, &error), CDG_ERROR_ARGUMENT);
    assert_int_equal(cdg_shape_mesh(&d, 1e-9, &mesh, &error), CDG_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "2000"));
    assert_int_equal(cdg_shape_mesh(&d, 1e-3, &mesh, &error), CDG_ERROR_ARGUMENT);
    assert_string_equal(error.message, "a resolution of 0.001 m makes some 6e+09 tetrahedra, and a shape may have 10 "
                                       "million; take 0.0085 m or more");
}

// The mesh is where the shape is; bits of one at the origin are as made.
static void test_meshes_are_placed(void **state) {
    (void)state;
    cdg_shape d = shape_of(CDG_SHAPE_TUBE);
    cdg_mesh here, there;
    assert_int_equal(cdg_shape_mesh(&d, 0.05, &here, NULL), CDG_OK);
    d.position = (cdg_vec3){1, 2, 3};
    d.orientation = (cdg_quat){2, 2, 0, 0}; // a quarter turn about x, not of unit length
    assert_int_equal(cdg_shape_mesh(&d, 0.05, &there, NULL), CDG_OK);
    assert_int_equal(here.point_count, there.point_count);
    for (size_t i = 0; i < here.point_count; i++) {
        cdg_vec3 p = here.points[i], q = there.points[i];
        assert_true(fabs(q.x - (1 + p.x)) < 1e-14 && fabs(q.y - (2 - p.z)) < 1e-14 && fabs(q.z - (3 + p.y)) < 1e-14);
    }
    cdg_mesh_free(&here);
    cdg_mesh_free(&there);
}

static void test_count_is_foreseen(void **state) {
    (void)state;
    for (int i = 0; i < KINDS; i++) {
        cdg_shape d = shape_of(kinds[i]);
        cdg_mesh mesh;
        assert_int_equal(cdg_shape_mesh(&d, 0.01, &mesh, NULL), CDG_OK);
        double ratio = cdg_shape_tetrahedra(&d, 0.01) / (double)mesh.tetrahedron_count;
        cdg_mesh_free(&mesh);
        if (!(ratio > 0.7 && ratio < 1.4))
            fail_msg("%s: foreseen %g of what was made", cdg_shape_name(kinds[i]), ratio);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_volumes),
        cmocka_unit_test(test_coarse_and_default_resolution),
        cmocka_unit_test(test_what_is_no_shape_is_refused),
        cmocka_unit_test(test_count_is_foreseen),
        cmocka_unit_test(test_meshes_are_placed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
