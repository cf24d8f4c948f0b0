// Bodies in run.h5: written, continued, read back by the reader, and played.
#include "scene_text.h"

#include "near.h"
#include "output/hdf5_file.h"
#include "output/run_reader.h"

#include <cordage/run.h>

#include <unistd.h>

static const char text[] =
    "cordage: 1\nsimulation: {model: der, duration: 1 s, step: 0.1 s, gravity: [0, 0, 0]}\noutput: {every: 0.5 "
    "s}\n" SCENE_CABLE "bodies:\n"
    "  - {name: z_ball, shape: {sphere: {radius: 5 cm}}, mass: 2, position: [9, 0, 0], velocity: [1, 0, 0]}\n"
    "  - {name: wall, shape: {box: {size: [1, 2, 3]}}, fixed: true, motion: {rotate: {axis: [0, 0, 1], angle: 2}, "
    "to: 1}}\n"
    "  - {name: part, shape: {mesh: {file: run_bodies.obj}}, density: 6, position: [0, 70, 0]}\n"
    "  - {name: can, shape: {cylinder: {radius: 3, height: 2}}, mass: 1, position: [90, 0, 0], angular_velocity: [0, "
    "0, "
    "1]}\n"
    "joints: [{weld: [cable.end, wall]}]\n";

static bool stop_at_seven(void *user, const cdg_run_progress *progress) {
    (void)user;
    return progress->step < 7;
}

static void check(const char *directory) {
    cdg_run_reader *reader = NULL;
    cdg_error error = {0};
    assert_int_equal(cdg_run_reader_open(directory, &reader, &error), CDG_OK);
    assert_int_equal(reader->body_count, 4); // in the scene's order, not the alphabet's
    assert_string_equal(reader->bodies[0].info.name, "z_ball");
    assert_int_equal(reader->bodies[0].info.shape.kind, CDG_SHAPE_SPHERE);
    assert_near(reader->bodies[0].info.shape.radius, 0.05, 1e-17);
    assert_near(reader->bodies[0].info.mass, 2, 0);
    assert_true(reader->bodies[1].info.is_fixed);
    assert_vec3_near(reader->bodies[1].info.shape.size, vec3(1, 2, 3), 0);
    assert_int_equal(reader->bodies[2].info.shape.mesh.point_count, 4);
    assert_int_equal(reader->bodies[2].info.shape.mesh.triangle_count, 4);
    assert_near(reader->bodies[2].info.mass, 1, 1e-12);
    assert_vec3_near(reader->bodies[2].info.center, vec3(0.25, 0.25, 0.25), 1e-12);
    double sum = 0;
    for (int i = 0; i < 4; i++) sum += vec3_dot(reader->bodies[2].info.shape.mesh.points[i], vec3(1, 1, 1));
    assert_near(sum, 3, 0);
    assert_near(reader->bodies[3].info.shape.length, 2, 0);
    for (size_t frame = 0; frame < 3; frame++) {
        cdg_vec3 position;
        cdg_quat orientation;
        assert_int_equal(cdg_run_reader_body(reader, frame, 0, &position, &orientation, &error), CDG_OK);
        assert_vec3_near(position, vec3(9 + 0.5 * (double)frame, 0, 0), 1e-12);
        assert_int_equal(cdg_run_reader_body(reader, frame, 1, &position, &orientation, &error), CDG_OK);
        assert_rotation_near(orientation, quat_exp(vec3(0, 0, (double)frame)), 1e-12);
        assert_int_equal(cdg_run_reader_body(reader, frame, 3, &position, &orientation, &error), CDG_OK);
        assert_rotation_near(orientation, quat_exp(vec3(0, 0, 0.5 * (double)frame)), 1e-12);
    }
    assert_int_equal(cdg_run_reader_body(reader, 3, 0, NULL, NULL, &error), CDG_ERROR_ARGUMENT);
    assert_int_equal(cdg_run_reader_body(reader, 0, 4, NULL, NULL, &error), CDG_ERROR_ARGUMENT);
    cdg_run_reader_close(reader);
}

static void test_a_run_has_its_bodies(void **state) {
    (void)state;
    FILE *mesh = fopen("run_bodies.obj", "w");
    assert_non_null(mesh);
    fputs("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n", mesh);
    fclose(mesh);
    cdg_scene *scene = NULL;
    cdg_error error = {0};
    cdg_result result = cdg_scene_parse(text, strlen(text), "scene.yaml", ".", NULL, 0, &scene, &error);
    assert_string_equal(error.message, "");
    assert_int_equal(result, CDG_OK);
    cdg_run_def def = {.scene = scene, .directory = "run_bodies_directory", .thread_count = 1};
    cdg_run_summary summary;
    def.on_progress = stop_at_seven;
    assert_int_equal(cdg_run(&def, &summary, &error), CDG_ERROR_INTERRUPTED);
    def.on_progress = NULL;
    def.resume = true; // finds them again
    error = (cdg_error){0};
    result = cdg_run(&def, &summary, &error);
    assert_string_equal(error.message, "");
    assert_int_equal(result, CDG_OK);
    check("run_bodies_directory");
    cdg_scene_destroy(scene);
    unlink("run_bodies.obj");
    unlink("run_bodies_directory/run.h5");
    unlink("run_bodies_directory/probes.csv");
    unlink("run_bodies_directory/summary.json");
    rmdir("run_bodies_directory");
}

static void test_without_bodies_there_is_no_group(void **state) {
    (void)state;
    cdg_run_bodies none = {0}, copy;
    cdg_error error;
    assert_true(cdg_run_bodies_create(&none, -1, 3));
    assert_true(cdg_run_bodies_find(&none, -1, 3, 0));
    assert_int_equal(cdg_run_bodies_copy(&none, &copy, &error), CDG_OK);
    assert_true(cdg_run_bodies_numbers(&none, 3) == 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_run_has_its_bodies),
        cmocka_unit_test(test_without_bodies_there_is_no_group),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
