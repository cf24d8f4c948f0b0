// Marks of supports: where rods are held and as long as they are, collars across the rod, balls about pins.
#define _DEFAULT_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "math/vec3.h"
#include "render/support_marks.h"
#include "run_scene.h"

static const char scene_text[] = "cordage: 1\n"
                                 "simulation: {model: pobd, step: 10 ms, duration: 0.1 s}\n"
                                 "output: {every: 10 ms}\n"
                                 "materials: {m: {young_modulus: 10 MPa, density: 1200}}\n"
                                 "rods: [{name: bar, material: m, section: {circle: {radius: 5 mm}}, centerline: "
                                 "{line: {from: [0, 0, 0], to: [0.2, 0, 0]}}, elements: 8}]\n"
                                 "supports: [{clamp: bar.start}, {pin: bar.end, release: 50 ms}]\n";

static cdg_vec3 vertex(const cdg_picture_mesh *mesh, size_t i) {
    return vec3(mesh->vertices[3 * i], mesh->vertices[3 * i + 1], mesh->vertices[3 * i + 2]);
}

// Half of the extents of one mark's vertices, and their middle.
static cdg_vec3 extent(const cdg_picture_mesh *mesh, size_t mark, size_t each, cdg_vec3 *middle) {
    cdg_vec3 low = vertex(mesh, mark * each), high = low;
    for (size_t i = mark * each; i < (mark + 1) * each; i++) {
        cdg_vec3 p = vertex(mesh, i);
        low = vec3(fmin(low.x, p.x), fmin(low.y, p.y), fmin(low.z, p.z));
        high = vec3(fmax(high.x, p.x), fmax(high.y, p.y), fmax(high.z, p.z));
    }
    *middle = vec3_lerp(low, high, 0.5);
    return vec3_scale(0.5, vec3_sub(high, low));
}

static void marks_follow_supports(void **state) {
    (void)state;
    char base[RUN_PATH_SIZE];
    run_directory_make(base);
    cdg_scene *scene = NULL;
    cdg_error error = {0};
    if (cdg_scene_parse(scene_text, strlen(scene_text), "marks", NULL, NULL, 0, &scene, &error) != CDG_OK)
        fail_msg("%s", error.message);
    cdg_run_def def = {.scene = scene, .directory = base, .thread_count = 1};
    if (cdg_run(&def, NULL, &error) != CDG_OK) fail_msg("%s", error.message);
    cdg_scene_destroy(scene);
    cdg_run_reader *reader = NULL;
    cdg_run_player *player = NULL;
    cdg_support_marks marks;
    cdg_picture_scene *picture = NULL;
    const double radius = 0.02, unit = 0.02; // picture units, as drawn
    assert_int_equal(cdg_run_reader_open(base, &reader, &error), CDG_OK);
    assert_int_equal(cdg_run_player_create(reader, NULL, &player, &error), CDG_OK);
    assert_int_equal(cdg_support_marks_make(reader, &radius, &marks, &error), CDG_OK);
    assert_int_equal(marks.count, 2);
    size_t vertices = cdg_support_marks_vertices(&marks), triangles = cdg_support_marks_triangles(&marks);
    assert_int_equal(cdg_picture_scene_create(1, &vertices, &triangles, &picture, &error), CDG_OK);
    cdg_picture_mesh *mesh = &picture->meshes[0];
    cdg_support_marks_fill(&marks, mesh);

    assert_int_equal(cdg_run_player_seek(player, 0, &error), CDG_OK);
    cdg_support_marks_place(&marks, player, vec3(0.1, 0, 0), 0.1, mesh);
    cdg_vec3 middle, half = extent(mesh, 0, vertices / 2, &middle);
    assert_float_equal(vec3_distance(middle, vec3(-1, 0, 0)), 0, 1e-5); // at the start, a collar along x
    assert_float_equal(half.x, 1.6 * unit, 1e-5);
    assert_float_equal(half.z, 2.4 * unit, 0.05 * unit);
    half = extent(mesh, 1, vertices / 2, &middle);
    assert_float_equal(vec3_distance(middle, vec3(1, 0, 0)), 0, 1e-5); // a ball at the end
    assert_float_equal(half.x, 2.1 * unit, 1e-5);
    for (size_t t = 0; t < mesh->triangle_count; t++) { // facets face outward
        const uint32_t *k = mesh->triangles + 3 * t;
        cdg_vec3 a = vertex(mesh, k[0]), b = vertex(mesh, k[1]), c = vertex(mesh, k[2]);
        cdg_vec3 facet = vec3_cross(vec3_sub(b, a), vec3_sub(c, a));
        const float *n = mesh->normals + 3 * k[0];
        if (vec3_norm(facet) > 1e-9) assert_true(vec3_dot(facet, vec3(n[0], n[1], n[2])) > 0);
    }

    assert_int_equal(cdg_run_player_seek(player, 0.08, &error), CDG_OK); // the pin has let go
    cdg_support_marks_place(&marks, player, vec3(0.1, 0, 0), 0.1, mesh);
    assert_true(extent(mesh, 0, vertices / 2, &middle).x > unit);
    assert_true(vec3_norm(extent(mesh, 1, vertices / 2, &middle)) == 0);

    // Marks of a thick rod hold it, and are not all that is seen.
    const double thick = 0.1;
    cdg_support_marks_free(&marks);
    assert_int_equal(cdg_support_marks_make(reader, &thick, &marks, &error), CDG_OK);
    cdg_support_marks_place(&marks, player, vec3(0.1, 0, 0), 0.1, mesh);
    half = extent(mesh, 0, vertices / 2, &middle);
    assert_true(half.z > 1.2 * thick && half.z < 1.6 * thick && half.x < thick);

    cdg_picture_scene_destroy(picture);
    cdg_support_marks_free(&marks);
    cdg_run_player_destroy(player);
    cdg_run_reader_close(reader);
    run_directory_remove(base);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(marks_follow_supports)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
