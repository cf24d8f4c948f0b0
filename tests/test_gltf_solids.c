// Solids in a .glb: the binary part ends in weights, points, triangles and moves, which are the run's own numbers.
// tests/exports/test_deformable.py lets others read the same.
#define _DEFAULT_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "export/gltf_solids.h"
#include "export_case.h"

#include <math.h>

static const char scene_text[] =
    "cordage: 1\ncontact: off\nsimulation: {duration: 20 ms, step: 5 ms}\noutput: {every: 10 ms}\nsolids:\n"
    "  - {name: one, shape: {box: {size: [10 cm, 5 cm, 5 cm]}, resolution: 5 cm}, material: {young_modulus: 100 kPa, "
    "density: 1000 kg/m^3}}\n";

static void test_bytes(void **state) {
    (void)state;
    export_case place;
    run_directory_make(place.run);
    run_directory_make(place.base);
    cdg_scene *scene = NULL;
    cdg_error error = {0};
    assert_int_equal(cdg_scene_parse(scene_text, strlen(scene_text), "glb", NULL, NULL, 0, &scene, &error), CDG_OK);
    cdg_run_def def = {.scene = scene, .directory = place.run, .thread_count = 1};
    assert_int_equal(cdg_run(&def, NULL, &error), CDG_OK);
    cdg_scene_destroy(scene);
    cdg_export *export = export_write(&place, "one.glb", cdg_export_def_default());
    size_t size = 0;
    char *bytes = run_read_text(place.base, "one.glb", &size);
    // 12 nodes, all of them on the surface, 20 triangles, three outputs
    size_t expected = 4 * 3 * 2 + 12 * 12 * 3 + 12 * 20;
    const char *at = bytes + size - expected;
    const float weights[6] = {0, 0, 1, 0, 0, 1};
    assert_memory_equal(at, weights, sizeof weights);
    float points[3][12][3];
    memcpy(points[0], at + 24, sizeof points[0]);
    memcpy(points[1], at + 24 + 144 + 240, 2 * sizeof points[0]);
    uint32_t corners[60];
    memcpy(corners, at + 24 + 144, sizeof corners);
    double numbers[36];
    for (size_t frame = 0; frame < 3; frame++) {
        assert_int_equal(cdg_export_read_solid(export, frame, 0, CDG_SOLID_FIELD_positions, numbers, &error), CDG_OK);
        for (size_t i = 0; i < 60; i++) {
            uint32_t node = export->reader->solids[0].surface[i / 3][i % 3], point = corners[i];
            for (int k = 0; k < 3; k++) {
                double x = (double)points[0][point][k] + (frame > 0 ? (double)points[frame][point][k] : 0);
                assert_true(fabs(x - numbers[3 * node + (uint32_t)k]) < 1e-8);
            }
        }
    }
    assert_true(cdg_gltf_solids_bytes(export) > (double)expected);
    assert_true(points[2][0][2] < -1e-3F); // it has fallen
    cdg_export_close(export);
    free(bytes);
    run_directory_remove(place.run);
    run_directory_remove(place.base);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_bytes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
