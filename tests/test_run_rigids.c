// Obstacles and bodies of a run as one list: shapes, what moves, and poses.
#include "scene_text.h"

#include "math/vec3.h"
#include "output/run_rigids.h"

#include <cordage/run.h>

#include <unistd.h>

static const char text[] =
    "cordage: 1\nsimulation: {duration: 1 s, step: 0.1 s, gravity: [0, 0, 0]}\noutput: {every: 0.5 s}\n" SCENE_CABLE
    "obstacles:\n"
    "  - {name: ball, sphere: {radius: 5 cm}, position: [5, 0, 0], motion: {move: [0, 0, 2], to: 1}}\n"
    "  - {name: floor, plane: {normal: [0, 0, 1], offset: -9}}\n"
    "bodies:\n"
    "  - {name: rocket, shape: {capsule: {radius: 1 cm, length: 10 cm}}, mass: 1 kg, position: [9, 0, 0],"
    " velocity: [0, 1, 0]}\n"
    "  - {name: table, shape: {box: {size: [1, 2, 3]}}, position: [0, 50, 0], fixed: true}\n";

static void test_one_list(void **state) {
    (void)state;
    cdg_scene *scene = NULL;
    cdg_error error = {0};
    cdg_result result = cdg_scene_parse(text, strlen(text), "scene.yaml", ".", NULL, 0, &scene, &error);
    assert_string_equal(error.message, "");
    assert_int_equal(result, CDG_OK);
    cdg_run_def def = {.scene = scene, .directory = "run_rigids_directory", .thread_count = 1};
    cdg_run_summary summary;
    assert_int_equal(cdg_run(&def, &summary, &error), CDG_OK);
    cdg_scene_destroy(scene);
    cdg_run_reader *reader = NULL;
    assert_int_equal(cdg_run_reader_open("run_rigids_directory", &reader, &error), CDG_OK);
    static const struct {
        const char *name;
        cdg_shape_kind kind;
        bool is_free, is_still;
        cdg_vec3 end;
    } expected[] = {{"ball", CDG_SHAPE_SPHERE, false, false, {5, 0, 2}},
                    {"floor", CDG_SHAPE_PLANE, false, true, {0, 0, 0}},
                    {"rocket", CDG_SHAPE_CAPSULE, true, false, {9, 1, 0}},
                    {"table", CDG_SHAPE_BOX, false, false, {0, 50, 0}}};
    assert_int_equal(cdg_run_rigid_count(reader), 4);
    for (size_t i = 0; i < 4; i++) {
        cdg_run_rigid rigid = cdg_run_rigid_get(reader, i);
        assert_string_equal(rigid.name, expected[i].name);
        assert_int_equal(rigid.shape.kind, expected[i].kind);
        assert_int_equal(rigid.is_free, expected[i].is_free);
        assert_int_equal(rigid.is_still, expected[i].is_still);
        cdg_vec3 position;
        cdg_quat orientation;
        assert_int_equal(cdg_run_rigid_pose(reader, 2, i, &position, &orientation, &error), CDG_OK);
        assert_true(vec3_distance(position, expected[i].end) < 1e-9);
    }
    assert_true(cdg_run_rigid_get(reader, 2).shape.length == 0.1);
    assert_true(cdg_run_rigid_get(reader, 3).shape.size.z == 3);
    cdg_vec3 position;
    cdg_quat orientation;
    assert_int_equal(cdg_run_rigid_pose(reader, 0, 4, &position, &orientation, &error), CDG_ERROR_ARGUMENT);
    cdg_run_reader_close(reader);
    unlink("run_rigids_directory/run.h5");
    unlink("run_rigids_directory/probes.csv");
    unlink("run_rigids_directory/summary.json");
    rmdir("run_rigids_directory");
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_one_list)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
