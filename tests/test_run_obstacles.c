// Obstacles in run.h5, read back with plain HDF5 as a user would.
#include "scene_text.h"

#include "output/hdf5_file.h"
#include "output/run_reader.h"

#include <cordage/run.h>

#include <math.h>
#include <unistd.h>

static const char text[] =
    "cordage: 1\nsimulation: {duration: 1 s, step: 0.1 s, gravity: [0, 0, 0]}\noutput: {every: 0.5 s}\n" SCENE_CABLE
    "obstacles:\n"
    "  - {name: ball, sphere: {radius: 5 cm}, position: [5, 0, 0], motion: {move: [0, 0, 2], to: 1}, friction: 0.4}\n"
    "  - {plane: {normal: [0, 0, 1], offset: -9}, orientation: [0, 1, 0, 0]}\n"
    "  - {mesh: {file: run_obstacles.obj}, position: [0, 0, 7]}\n"
    "  - {box: {size: [1, 2, 3]}, position: [0, 50, 0]}\n"
    "  - {cylinder: {radius: 1, length: 2}, position: [0, 90, 0]}\n";

static void read_doubles(hid_t file, const char *name, double *out) {
    hid_t dataset = H5Dopen2(file, name, H5P_DEFAULT);
    assert_true(dataset >= 0);
    assert_true(H5Dread(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, out) >= 0);
    H5Dclose(dataset);
}

static double attribute(hid_t file, const char *group, const char *name) {
    hid_t object = H5Gopen2(file, group, H5P_DEFAULT);
    double value = NAN;
    assert_true(object >= 0);
    assert_true(cdg_hdf5_get_number(object, name, &value));
    H5Gclose(object);
    return value;
}

static void check_file(const char *path) {
    hid_t file = cdg_hdf5_open(path);
    assert_true(file >= 0);
    double position[9], orientation[12], vertices[12], triangles[12];
    read_doubles(file, "obstacles/ball/position", position);
    for (int frame = 0; frame < 3; frame++) {
        assert_true(position[3 * frame] == 5);
        assert_true(fabs(position[3 * frame + 2] - frame) < 1e-12);
    }
    read_doubles(file, "obstacles/obstacle_2/orientation", orientation);
    for (int frame = 0; frame < 3; frame++) assert_true(orientation[4 * frame + 1] == 1);
    read_doubles(file, "obstacles/obstacle_3/vertices", vertices);
    read_doubles(file, "obstacles/obstacle_3/triangles", triangles);
    double sum = 0, corners = 0;
    for (int i = 0; i < 12; i++) sum += vertices[i], corners += triangles[i];
    assert_true(sum == 3 && corners == 18); // each corner is in three triangles
    assert_true(fabs(attribute(file, "obstacles/ball", "radius") - 0.05) < 1e-15);
    assert_true(attribute(file, "obstacles/ball", "friction") == 0.4);
    assert_true(attribute(file, "obstacles/obstacle_2", "offset") == -9);
    assert_true(attribute(file, "obstacles/obstacle_2", "normal_z") == 1);
    assert_true(attribute(file, "obstacles/obstacle_4", "size_y") == 2);
    assert_true(attribute(file, "obstacles/obstacle_5", "length") == 2);
    hid_t group = H5Gopen2(file, "obstacles/obstacle_3", H5P_DEFAULT);
    char *kind = NULL;
    assert_true(cdg_hdf5_get_text(group, "kind", &kind));
    assert_string_equal(kind, "mesh");
    free(kind);
    H5Gclose(group);
    H5Fclose(file);
}

// As the run's own reader finds them: in the scene's order.
static void check_reader(const char *directory) {
    cdg_run_reader *reader = NULL;
    cdg_error error = {0};
    assert_int_equal(cdg_run_reader_open(directory, &reader, &error), CDG_OK);
    static const cdg_shape_kind kinds[] = {CDG_SHAPE_SPHERE, CDG_SHAPE_PLANE, CDG_SHAPE_MESH, CDG_SHAPE_BOX,
                                           CDG_SHAPE_CYLINDER};
    assert_int_equal(reader->obstacle_count, 5);
    for (int i = 0; i < 5; i++) {
        assert_int_equal(reader->obstacles[i].info.shape.kind, kinds[i]);
        assert_true(reader->obstacles[i].info.is_moving == (i == 0));
    }
    assert_string_equal(reader->obstacles[0].info.name, "ball");
    assert_true(reader->obstacles[0].info.shape.radius == 0.05 && reader->obstacles[0].info.friction == 0.4);
    assert_true(reader->obstacles[1].info.shape.normal.z == 1 && reader->obstacles[1].info.shape.offset == -9);
    assert_int_equal(reader->obstacles[2].info.shape.mesh.point_count, 4);
    assert_int_equal(reader->obstacles[2].info.shape.mesh.triangle_count, 4);
    double sum = 0, corners = 0;
    for (int i = 0; i < 4; i++) {
        cdg_vec3 v = reader->obstacles[2].info.shape.mesh.points[i];
        sum += v.x + v.y + v.z;
        for (int k = 0; k < 3; k++) corners += reader->obstacles[2].info.shape.mesh.triangles[i][k];
    }
    assert_true(sum == 3 && corners == 18);
    assert_true(reader->obstacles[3].info.shape.size.y == 2 && reader->obstacles[4].info.shape.length == 2);
    cdg_vec3 position;
    cdg_quat orientation;
    for (size_t frame = 0; frame < 3; frame++) {
        assert_int_equal(cdg_run_reader_obstacle(reader, frame, 0, &position, &orientation, &error), CDG_OK);
        assert_true(position.x == 5 && fabs(position.z - (double)frame) < 1e-12 && orientation.w == 1);
        assert_int_equal(cdg_run_reader_obstacle(reader, frame, 1, &position, &orientation, &error), CDG_OK);
        assert_true(orientation.x == 1);
    }
    assert_int_equal(cdg_run_reader_obstacle(reader, 3, 0, &position, &orientation, &error), CDG_ERROR_ARGUMENT);
    assert_int_equal(cdg_run_reader_obstacle(reader, 0, 5, &position, &orientation, &error), CDG_ERROR_ARGUMENT);
    cdg_run_reader_close(reader);
}

// A file whose obstacle lost its sizes, or is of a kind that is none, is refused.
static void check_damaged(const char *directory, const char *path) {
    hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
    assert_true(file >= 0);
    hid_t group = H5Gopen2(file, "obstacles/obstacle_4", H5P_DEFAULT);
    assert_true(H5Adelete(group, "size_x") >= 0);
    H5Gclose(group);
    H5Fclose(file);
    cdg_run_reader *reader = NULL;
    cdg_error error = {0};
    assert_int_equal(cdg_run_reader_open(directory, &reader, &error), CDG_ERROR_FORMAT);
    assert_non_null(strstr(error.message, "obstacles"));
}

static bool stop_at_seven(void *user, const cdg_run_progress *progress) {
    (void)user;
    return progress->step < 7;
}

static void test_a_run_has_its_obstacles(void **state) {
    (void)state;
    FILE *mesh = fopen("run_obstacles.obj", "w");
    assert_non_null(mesh);
    fputs("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n", mesh);
    fclose(mesh);
    cdg_scene *scene = NULL;
    cdg_error error = {0};
    cdg_result result = cdg_scene_parse(text, strlen(text), "scene.yaml", ".", NULL, 0, &scene, &error);
    assert_string_equal(error.message, "");
    assert_int_equal(result, CDG_OK);
    cdg_run_def def = {.scene = scene, .directory = "run_obstacles_directory", .thread_count = 1};
    cdg_run_summary summary;
    def.on_progress = stop_at_seven;
    assert_int_equal(cdg_run(&def, &summary, &error), CDG_ERROR_INTERRUPTED);
    def.on_progress = NULL;
    def.resume = true; // finds them again
    error = (cdg_error){0};
    result = cdg_run(&def, &summary, &error);
    assert_string_equal(error.message, "");
    assert_int_equal(result, CDG_OK);
    check_file("run_obstacles_directory/run.h5");
    check_reader("run_obstacles_directory");
    check_damaged("run_obstacles_directory", "run_obstacles_directory/run.h5");
    cdg_scene_destroy(scene);
    unlink("run_obstacles.obj");
    unlink("run_obstacles_directory/run.h5");
    unlink("run_obstacles_directory/probes.csv");
    unlink("run_obstacles_directory/summary.json");
    rmdir("run_obstacles_directory");
}

static void test_without_obstacles_there_is_no_group(void **state) {
    (void)state;
    cdg_run_obstacles none = {0}, copy;
    cdg_error error;
    assert_true(cdg_run_obstacles_create(&none, -1, 3));
    assert_true(cdg_run_obstacles_find(&none, -1, 3, 0));
    assert_int_equal(cdg_run_obstacles_copy(&none, &copy, &error), CDG_OK);
    assert_true(cdg_run_obstacles_numbers(&none, 3) == 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_run_has_its_obstacles),
        cmocka_unit_test(test_without_obstacles_there_is_no_group),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
