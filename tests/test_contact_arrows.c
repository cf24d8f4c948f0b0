// Arrows of contact forces: where they begin, which way they point, how long they are, and facets that face outward.
#define _DEFAULT_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "math/vec3.h"
#include "render/contact_arrows.h"
#include "run_scene.h"

// A bar that falls onto a floor.
static const char scene_text[] = "cordage: 1\n"
                                 "simulation: {model: pobd, step: 1 ms, duration: 0.12 s}\n"
                                 "output: {every: 10 ms}\n"
                                 "materials: {m: {young_modulus: 10 MPa, density: 1200, damping: 2 ms}}\n"
                                 "rods: [{name: bar, material: m, section: {circle: {radius: 5 mm}}, centerline: "
                                 "{line: {from: [0, 0, 0.02], to: [0.2, "
                                 "0, 0.02]}}, elements: 8}]\n"
                                 "obstacles: [{plane: {normal: [0, 0, 1]}, name: floor}]\n";

static cdg_run_reader *simulate(const char *base) {
    cdg_scene *scene = NULL;
    cdg_error error = {0};
    cdg_run_reader *reader = NULL;
    if (cdg_scene_parse(scene_text, strlen(scene_text), "arrows", NULL, NULL, 0, &scene, &error) != CDG_OK)
        fail_msg("%s", error.message);
    cdg_run_def def = {.scene = scene, .directory = base, .thread_count = 1};
    if (cdg_run(&def, NULL, &error) != CDG_OK) fail_msg("%s", error.message);
    cdg_scene_destroy(scene);
    if (cdg_run_reader_open(base, &reader, &error) != CDG_OK) fail_msg("%s", error.message);
    return reader;
}

static cdg_vec3 vertex(const cdg_picture_mesh *mesh, size_t i) {
    return vec3(mesh->vertices[3 * i], mesh->vertices[3 * i + 1], mesh->vertices[3 * i + 2]);
}

static void check_mesh(const cdg_contact_arrows *arrows, const cdg_run_reader *reader, size_t frame,
                       const cdg_picture_mesh *mesh, cdg_vec3 center, double scale, double longest) {
    size_t count = 0, each = mesh->vertex_count / arrows->room;
    cdg_run_contact contacts[100];
    assert_int_equal(cdg_run_reader_contact_count(reader, frame, &count, NULL), CDG_OK);
    assert_int_equal(cdg_run_reader_contacts(reader, frame, contacts, 100, NULL), CDG_OK);
    for (size_t a = 0; a < count; a++) {
        double force = vec3_norm(contacts[a].force), length = longest * sqrt(force / arrows->largest);
        if (force <= 1e-6 * arrows->largest) continue; // touches, but does not push
        cdg_vec3 along = vec3_scale(1 / force, contacts[a].force);
        cdg_vec3 from = vec3_scale(1 / scale, vec3_sub(contacts[a].position, center));
        double reach = 0, back = 0;
        for (size_t i = 0; i < each; i++) {
            cdg_vec3 way = vec3_sub(vertex(mesh, a * each + i), from);
            reach = fmax(reach, vec3_dot(way, along));
            back = fmin(back, vec3_dot(way, along));
            assert_true(vec3_norm(vec3_mad(way, -vec3_dot(way, along), along)) < 0.1 * length + 1e-6);
        }
        assert_float_equal(reach, length, 1e-5);
        assert_float_equal(back, 0, 1e-5);
    }
    for (size_t t = 0; t < mesh->triangle_count; t++) { // corners run counter-clockwise seen from where normals point
        const uint32_t *k = mesh->triangles + 3 * t;
        cdg_vec3 a = vertex(mesh, k[0]), b = vertex(mesh, k[1]), c = vertex(mesh, k[2]);
        cdg_vec3 facet = vec3_cross(vec3_sub(b, a), vec3_sub(c, a));
        const float *n = mesh->normals + 3 * k[0];
        double size = vec3_norm(vec3(n[0], n[1], n[2]));
        assert_float_equal(size, 1, 1e-5);
        if (vec3_norm(facet) > 1e-9) assert_true(vec3_dot(facet, vec3(n[0], n[1], n[2])) > 0);
    }
}

static void test_arrows(void **state) {
    (void)state;
    char base[RUN_PATH_SIZE];
    run_directory_make(base);
    cdg_run_reader *reader = simulate(base);
    cdg_contact_arrows arrows;
    assert_int_equal(cdg_contact_arrows_make(reader, &arrows, NULL), CDG_OK);
    assert_true(arrows.room > 0 && arrows.room <= 100 && arrows.largest > 0);
    size_t vertices = cdg_contact_arrows_vertices(&arrows), triangles = cdg_contact_arrows_triangles(&arrows);
    cdg_picture_scene *scene = NULL;
    assert_int_equal(cdg_picture_scene_create(1, &vertices, &triangles, &scene, NULL), CDG_OK);
    cdg_contact_arrows_fill(&arrows, &scene->meshes[0]);
    cdg_vec3 center = vec3(0.1, 0, 0.05);
    for (size_t frame = 0; frame < reader->frame_count; frame++) {
        assert_int_equal(cdg_contact_arrows_place(&arrows, reader, frame, center, 0.3, 0.4, &scene->meshes[0], NULL),
                         CDG_OK);
        check_mesh(&arrows, reader, frame, &scene->meshes[0], center, 0.3, 0.4);
    }
    cdg_picture_scene_destroy(scene);
    cdg_contact_arrows_free(&arrows);
    cdg_run_reader_close(reader);
    run_directory_remove(base);
}

// A run without contact has no arrows; one that is too old to have places is refused.
static void test_none(void **state) {
    (void)state;
    cdg_contact_arrows arrows;
    cdg_run_reader reader = {.directory = (char *)"old"};
    assert_int_equal(cdg_contact_arrows_make(&reader, &arrows, NULL), CDG_OK);
    assert_int_equal(arrows.room, 0);
    cdg_contact_arrows_free(&arrows);
    reader.has_contacts = true;
    cdg_error error = {0};
    assert_int_equal(cdg_contact_arrows_make(&reader, &arrows, &error), CDG_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "run the scene anew"));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_arrows), cmocka_unit_test(test_none)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
