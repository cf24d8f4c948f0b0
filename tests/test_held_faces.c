// Faces of solids that supports hold: those whose corners are all in the region at the start, until they are let go.
#define _DEFAULT_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "math/vec3.h"
#include "render/held_faces.h"
#include "render/run_player.h"
#include "run_scene.h"

// The first block swings about its left end, which is let go; the second, turned and scaled, stays held at its top.
static const char scene_text[] =
    "cordage: 1\n"
    "contact: off\n"
    "simulation: {step: 5 ms, duration: 0.1 s}\n"
    "output: {every: 10 ms}\n"
    "solids:\n"
    "  - name: block\n"
    "    shape: {box: {size: [20 cm, 4 cm, 4 cm]}, resolution: 2 cm}\n"
    "    material: &m {young_modulus: 100 kPa, poisson_ratio: 0.35, density: 1000 kg/m^3}\n"
    "    supports: [{plane: {point: [-9.9 cm, 0, 0], normal: [-1, 0, 0]}, release: 50 ms}]\n"
    "  - name: free\n"
    "    shape: {box: {size: [4 cm, 4 cm, 4 cm]}, resolution: 2 cm}\n"
    "    material: *m\n"
    "    position: [1 m, 0, 0]\n"
    "  - name: turned\n"
    "    shape: {box: {size: [10 cm, 2 cm, 2 cm]}, resolution: 1 cm}\n"
    "    scale: 2\n"
    "    position: [0, 1 m, 1 m]\n"
    "    orientation: {axis: [0, 1, 0], angle: 90 deg}\n"
    "    material: *m\n"
    "    supports: [{box: {low: [-1, 0.9, 1.099], high: [1, 1.1, 1.2]}}]\n";

static bool is_dark(const cdg_picture_mesh *mesh, size_t face) {
    return mesh->colors[9 * face] < 0.2F && mesh->colors[9 * face + 8] < 0.2F;
}

static void make_run(char *base) {
    run_directory_make(base);
    cdg_scene *scene = NULL;
    cdg_error error = {0};
    if (cdg_scene_parse(scene_text, strlen(scene_text), "held", NULL, NULL, 0, &scene, &error) != CDG_OK)
        fail_msg("%s", error.message);
    cdg_run_def def = {.scene = scene, .directory = base, .thread_count = 1};
    if (cdg_run(&def, NULL, &error) != CDG_OK) fail_msg("%s", error.message);
    cdg_scene_destroy(scene);
}

// How many faces are dark; each must be if, and only if, its corners have this coordinate at the start.
static size_t count_dark(const cdg_held_faces *held, const cdg_run_player *start, size_t solid, double time, int axis,
                         double wanted) {
    const cdg_run_solid_entry *entry = &start->reader->solids[solid];
    size_t vertices = 3 * entry->surface_count, triangles = entry->surface_count, dark = 0;
    cdg_picture_scene *picture = NULL;
    cdg_error error = {0};
    assert_int_equal(cdg_picture_scene_create(1, &vertices, &triangles, &picture, &error), CDG_OK);
    cdg_picture_mesh *mesh = &picture->meshes[0];
    for (size_t i = 0; i < 3 * vertices; i++) mesh->colors[i] = 0.5F;
    cdg_held_faces_color(held, solid, time, float3_make(0.5F, 0.5F, 0.5F), mesh);
    for (size_t t = 0; t < triangles; t++) {
        bool is_at = true;
        for (int k = 0; k < 3; k++) {
            cdg_vec3 x = start->solids[solid].positions[entry->surface[t][k]];
            const double components[3] = {x.x, x.y, x.z};
            is_at = is_at && fabs(components[axis] - wanted) < 1e-3;
        }
        if (is_dark(mesh, t)) assert_true(is_at);
        if (is_at && time < 0.05) assert_true(is_dark(mesh, t));
        dark += is_dark(mesh, t);
    }
    cdg_picture_scene_destroy(picture);
    return dark;
}

static void held_faces_are_dark(void **state) {
    (void)state;
    char base[RUN_PATH_SIZE];
    make_run(base);
    cdg_error error = {0};
    cdg_run_reader *reader = NULL;
    cdg_run_player *player = NULL;
    cdg_held_faces held;
    assert_int_equal(cdg_run_reader_open(base, &reader, &error), CDG_OK);
    assert_int_equal(cdg_run_player_create(reader, NULL, &player, &error), CDG_OK);
    assert_int_equal(cdg_held_faces_make(reader, &held, &error), CDG_OK);
    assert_int_equal(cdg_run_player_seek(player, 0, &error), CDG_OK);
    assert_int_equal(count_dark(&held, player, 0, 0, 0, -0.1), 8); // two by two cells
    assert_int_equal(count_dark(&held, player, 0, 0.049, 0, -0.1), 8);
    assert_int_equal(count_dark(&held, player, 0, 0.05, 0, -0.1), 0); // let go
    assert_int_equal(count_dark(&held, player, 1, 0, 0, 7), 0);       // never held
    assert_int_equal(count_dark(&held, player, 2, 0.1, 2, 1.1), 8);
    cdg_held_faces_free(&held);
    cdg_run_player_destroy(player);
    cdg_run_reader_close(reader);
    run_directory_remove(base);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(held_faces_are_dark)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
