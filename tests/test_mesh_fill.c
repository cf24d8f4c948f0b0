// Filling surfaces from outside: volumes, damaged input, refusals, limits, threads.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "mesh_shapes.h"

static cdg_mesher_report fill(cdg_mesh s, const cdg_mesher_options *options, cdg_mesh *out) {
    cdg_mesher_report report;
    cdg_error error = {.message = ""};
    cdg_mesh_faults faults;
    cdg_result result = cdg_mesh_fill(&s, options, out, &report, &error);
    if (result != CDG_OK) print_message("%s\n", error.message);
    assert_int_equal(result, CDG_OK);
    assert_int_equal(cdg_mesh_check(out, &faults, &error), CDG_OK);
    assert_int_equal(faults.total, 0);
    assert_int_equal(report.tetrahedron_count, out->tetrahedron_count);
    cdg_mesh_free(&s);
    return report;
}

static void expect_volume(cdg_mesh s, cdg_mesher_options o, double volume, double tolerance, cdg_inside_rule rule) {
    cdg_mesh mesh;
    cdg_mesher_report r = fill(s, &o, &mesh);
    assert_true(fabs(r.quality.volume / volume - 1) < tolerance);
    assert_int_equal(r.inside, rule);
    if (o.mesher == CDG_MESHER_STUFFING)
        assert_true(r.quality.smallest_dihedral > 10.7 * mesh_pi / 180 &&
                    r.quality.largest_dihedral < 164.8 * mesh_pi / 180);
    cdg_mesh_free(&mesh);
}

static void test_damaged_tori(void **state) {
    (void)state;
    cdg_mesher_options o = cdg_mesher_options_default();
    o.size = 0.1;
    for (int m = 0; m < CDG_MESHER_COUNT; m++) {
        o.mesher = (cdg_mesher)m;
        cdg_mesh s = shape_torus(0.5, 0.2, 54, 26);
        double volume = shape_volume(&s);
        cdg_mesh_free(&s);
        for (int damage = 0; damage < 4; damage++) {
            s = shape_torus(0.5, 0.2, 54, 26);
            if (damage == 1) shape_drop(&s, 0.5, 3);
            if (damage == 2) shape_flip(&s, 0.5, 3);
            if (damage == 3) shape_flip(&s, 1, 3);
            expect_volume(s, o, volume, 0.05, CDG_INSIDE_WINDING);
        }
    }
}

static void test_leaves_without_orientation(void **state) {
    (void)state;
    cdg_mesher_options o = cdg_mesher_options_default();
    o.size = 0.15;
    cdg_mesh s = shape_sphere(1, vec3(0, 0, 0), 26, 52);
    double volume = shape_volume(&s);
    shape_flip(&s, 0.5, 1);
    shape_loosen(&s, 0.9);
    expect_volume(s, o, volume, 0.03, CDG_INSIDE_VOTE);
}

// Lines that stay near thin walls meet the surface twice, not once.
static void test_leaves_of_thin_rings(void **state) {
    (void)state;
    cdg_mesher_options o = cdg_mesher_options_default();
    o.size = 0.06;
    cdg_mesh s = shape_torus(0.5, 0.11, 80, 20), other = shape_torus(0.9, 0.11, 130, 20);
    double volume = shape_volume(&s) + shape_volume(&other);
    shape_join(&s, &other);
    shape_flip(&s, 0.5, 1);
    shape_loosen(&s, 0.9);
    cdg_mesh mesh;
    cdg_mesher_report r = fill(s, &o, &mesh);
    assert_true(fabs(r.quality.volume / volume - 1) < 0.05);
    assert_int_equal(r.inside, CDG_INSIDE_VOTE);
    assert_int_equal(r.pieces, 2);
    cdg_mesh_free(&mesh);
}

static void test_parts_through_each_other(void **state) {
    (void)state;
    cdg_mesher_options o = cdg_mesher_options_default();
    o.size = 0.12;
    cdg_mesh s = shape_sphere(1, vec3(0, 0, 0), 40, 80), other = shape_sphere(1, vec3(1, 0, 0), 40, 80);
    double volume = 2 * shape_volume(&s) - mesh_pi * 5 / 12; // the lens: pi (4 r + d) (2 r - d)^2 / 12
    shape_flip(&other, 1, 1);
    shape_join(&s, &other);
    expect_volume(s, o, volume, 0.01, CDG_INSIDE_WINDING);
}

// A box whose lower end is mirrored: it crosses itself in the middle, and below the winding number is -1.
static void test_lobes_of_an_eight_are_filled(void **state) {
    (void)state;
    cdg_mesh s = shape_box(vec3(-1, -1, -1), vec3(1, 1, 1));
    for (int p = 0; p < 4; p++) s.points[p].x *= -0.8;
    cdg_mesher_options o = cdg_mesher_options_default();
    cdg_mesh mesh;
    o.size = 0.05;
    fill(s, &o, &mesh);
    double below = 0, above = 0;
    for (size_t p = 0; p < mesh.point_count; p++) {
        below = fmin(below, mesh.points[p].z);
        above = fmax(above, mesh.points[p].z);
    }
    assert_true(below < -0.95 && above > 0.95);
    cdg_mesh_free(&mesh);
}

// Three corners of a face may land on one straight crease.
static void test_creases_of_a_cube(void **state) {
    (void)state;
    cdg_mesher_options o = cdg_mesher_options_default();
    o.keep_creases = 40 * mesh_pi / 180;
    for (int i = 0; i < 50; i++) {
        o.size = 0.07 + 0.004 * i;
        expect_volume(shape_box(vec3(0, 0, 0), vec3(1, 1, 1)), o, 1, 0.05, CDG_INSIDE_WINDING);
    }
}

static void test_threads_change_nothing(void **state) {
    (void)state;
    cdg_mesh mesh[2];
    for (int improve = 0; improve < 2; improve++) {
        for (int i = 0; i < 2; i++) {
            cdg_mesher_options o = cdg_mesher_options_default();
            o.size = 0.1;
            o.thread_count = 1 + 2 * i;
            o.improve = improve;
            fill(shape_torus(0.5, 0.2, 40, 20), &o, &mesh[i]);
        }
        assert_int_equal(mesh[0].tetrahedron_count, mesh[1].tetrahedron_count);
        assert_memory_equal(mesh[0].points, mesh[1].points, mesh[0].point_count * sizeof *mesh[0].points);
        assert_memory_equal(mesh[0].tetrahedra, mesh[1].tetrahedra, 16 * mesh[0].tetrahedron_count);
        cdg_mesh_free(&mesh[0]);
        cdg_mesh_free(&mesh[1]);
    }
}

static void expect_refusal(cdg_mesh s, const cdg_mesher_options *o, cdg_result result, const char *text) {
    cdg_mesh mesh;
    cdg_error error;
    assert_int_equal(cdg_mesh_fill(&s, o, &mesh, NULL, &error), result);
    assert_non_null(strstr(error.message, text));
    assert_null(mesh.points);
    cdg_mesh_free(&s);
}

static bool stop(void *user, double share) {
    (void)share;
    return ++*(int *)user < 2;
}

static void test_refusals(void **state) {
    (void)state;
    cdg_mesher_options o = cdg_mesher_options_default();
    expect_refusal((cdg_mesh){0}, &o, CDG_ERROR_ARGUMENT, "no triangles");
    cdg_mesh one = shape_box(vec3(0, 0, 0), vec3(1, 1, 1));
    one.triangle_count = 1;
    expect_refusal(one, &o, CDG_ERROR_ARGUMENT, "enclose nothing");
    o.size = 1e-9;
    expect_refusal(shape_box(vec3(0, 0, 0), vec3(1, 1, 1)), &o, CDG_ERROR_ARGUMENT, "finer than memory allows");
    o.size = 1e-4;
    o.memory_limit = 1 << 26;
    expect_refusal(shape_box(vec3(0, 0, 0), vec3(1, 1, 1)), &o, CDG_ERROR_MEMORY, "finer than memory allows");
    o.mesher = CDG_MESHER_LATTICE;
    expect_refusal(shape_box(vec3(0, 0, 0), vec3(1, 1, 1)), &o, CDG_ERROR_MEMORY, "finer than memory allows");
    o = cdg_mesher_options_default();
    o.memory_limit = 1000;
    expect_refusal(shape_box(vec3(0, 0, 0), vec3(1, 1, 1)), &o, CDG_ERROR_MEMORY, "12 triangles");
    o.memory_limit = 0;
    o.size = NAN;
    expect_refusal(shape_box(vec3(0, 0, 0), vec3(1, 1, 1)), &o, CDG_ERROR_ARGUMENT, "size");
    int calls = 0;
    o = cdg_mesher_options_default();
    o.progress = stop;
    o.user = &calls;
    expect_refusal(shape_box(vec3(0, 0, 0), vec3(1, 1, 1)), &o, CDG_ERROR_INTERRUPTED, "stopped");
}

static void test_volume_does_not_depend_on_place_and_unit(void **state) {
    (void)state;
    double share[2];
    for (int i = 0; i < 2; i++) {
        double scale = i == 0 ? 1 : 1e-6;
        cdg_mesh s = shape_torus(0.5 * scale, 0.2 * scale, 60, 30);
        for (size_t p = 0; p < s.point_count; p++)
            s.points[p] = vec3_add(s.points[p], vec3_scale(100 * scale, vec3(1, 2, 3)));
        cdg_mesh mesh;
        cdg_mesher_report r = fill(s, NULL, &mesh);
        share[i] = r.quality.volume / (scale * scale * scale);
        cdg_mesh_free(&mesh);
    }
    assert_true(fabs(share[1] / share[0] - 1) < 1e-5);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_damaged_tori),
        cmocka_unit_test(test_leaves_without_orientation),
        cmocka_unit_test(test_leaves_of_thin_rings),
        cmocka_unit_test(test_parts_through_each_other),
        cmocka_unit_test(test_lobes_of_an_eight_are_filled),
        cmocka_unit_test(test_creases_of_a_cube),
        cmocka_unit_test(test_threads_change_nothing),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_volume_does_not_depend_on_place_and_unit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
