// Solids in run.h5: written, continued, read back by the reader, and the same bits when a run is continued.
#include "scene_text.h"

#include "near.h"
#include "output/run_reader.h"

#include <cordage/run.h>

#include <unistd.h>

static const char text[] =
    "cordage: 1\ncontact: off\nsimulation: {duration: 0.1 s, step: 5 ms}\noutput: {every: 50 ms}\nsolids:\n"
    "  - {name: z_block, shape: {box: {size: [20 cm, 10 cm, 10 cm]}, resolution: 5 cm}, material: {young_modulus: 100 "
    "kPa, density: 1000 kg/m^3}, supports: {plane: {point: [-9 cm, 0, 0], normal: [-1, 0, 0]}}}\n"
    "  - {name: ball, shape: {sphere: {radius: 5 cm}, resolution: 3 cm}, material: {young_modulus: 1 MPa, density: "
    "1000 "
    "kg/m^3}, position: [1 m, 0, 0], integrator: explicit}\n";

static bool stop_at_twelve(void *user, const cdg_run_progress *progress) {
    (void)user;
    return progress->step < 12;
}

static void remove_run(const char *directory) {
    static const char *const files[] = {"run.h5", "probes.csv", "summary.json"};
    for (int i = 0; i < 3; i++) {
        char path[100];
        snprintf(path, sizeof path, "%s/%s", directory, files[i]);
        unlink(path);
    }
    rmdir(directory);
}

static double run(const char *directory, bool is_stopped) {
    cdg_scene *scene = NULL;
    cdg_error error = {0};
    cdg_result result = cdg_scene_parse(text, strlen(text), "scene.yaml", ".", NULL, 0, &scene, &error);
    assert_string_equal(error.message, "");
    assert_int_equal(result, CDG_OK);
    cdg_run_def def = {.scene = scene, .directory = directory, .thread_count = 1};
    cdg_run_summary summary;
    def.force = true;
    if (is_stopped) {
        def.on_progress = stop_at_twelve;
        assert_int_equal(cdg_run(&def, &summary, &error), CDG_ERROR_INTERRUPTED);
        def.on_progress = NULL;
        def.force = false;
        def.resume = true;
    }
    result = cdg_run(&def, &summary, &error);
    if (result != CDG_OK) print_error("%s\n", error.message);
    assert_int_equal(result, CDG_OK);
    cdg_scene_destroy(scene);
    cdg_run_reader *reader = NULL;
    assert_int_equal(cdg_run_reader_open(directory, &reader, &error), CDG_OK);
    assert_int_equal(reader->solid_count, 2); // in the scene's order
    assert_string_equal(reader->solids[0].name, "z_block");
    assert_int_equal(reader->solids[0].node_count, 45);
    assert_near(reader->solids[0].mass, 2, 1e-12);
    assert_int_equal(reader->frame_count, 3);
    cdg_vec3 at[45];
    double *stress = malloc(reader->solids[0].tetrahedron_count * sizeof *stress), most = 0, lowest = 0;
    assert_int_equal(cdg_run_reader_solid(reader, 0, 0, CDG_SOLID_FIELD_positions, &at->x, &error), CDG_OK);
    assert_near(fabs(at[0].x), 0.1, 1e-12);
    assert_int_equal(cdg_run_reader_solid(reader, 2, 0, CDG_SOLID_FIELD_positions, &at->x, &error), CDG_OK);
    assert_int_equal(cdg_run_reader_solid(reader, 2, 0, CDG_SOLID_FIELD_stress, stress, &error), CDG_OK);
    for (size_t i = 0; i < reader->solids[0].tetrahedron_count; i++) {
        most = fmax(most, stress[i]);
        for (int k = 0; k < 4; k++) assert_true(reader->solids[0].tetrahedra[i][k] < 45);
    }
    for (int i = 0; i < 45; i++) lowest = fmin(lowest, at[i].z);
    assert_true(most > 100);       // Pa: it bends
    assert_true(lowest < -0.0501); // and sinks
    assert_int_equal(cdg_run_reader_solid(reader, 3, 0, CDG_SOLID_FIELD_stress, stress, &error), CDG_ERROR_ARGUMENT);
    assert_int_equal(cdg_run_reader_solid(reader, 0, 2, CDG_SOLID_FIELD_stress, stress, &error), CDG_ERROR_ARGUMENT);
    cdg_run_reader_close(reader);
    free(stress);
    remove_run(directory);
    return lowest;
}

static void test_a_run_has_its_solids(void **state) {
    (void)state;
    double whole = run("run_solids_directory", false), resumed = run("run_solids_resumed", true);
    assert_memory_equal(&whole, &resumed, sizeof whole);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_a_run_has_its_solids)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
