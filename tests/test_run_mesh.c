// A mesh written to a group is found there again, corner by corner.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "output/run_mesh.h"
#include "run_scene.h"

static void test_round_trip(void **state) {
    (void)state;
    char base[RUN_PATH_SIZE];
    run_directory_make(base);
    const cdg_vec3 vertices[4] = {{1, 2, 3}, {4, 5, 6}, {7, 8, 9}, {-1, 0.5, 1e-3}};
    const uint32_t triangles[3][3] = {{0, 1, 2}, {3, 2, 1}, {0, 3, 1}};
    cdg_run_mesh mesh = {.vertex_count = 4, .triangle_count = 3};
    hid_t file = cdg_hdf5_create(run_path(base, "a.h5"));
    assert_true(file >= 0);
    assert_true(cdg_run_mesh_visit(&mesh, file, cdg_run_create_block, 0));
    assert_true(H5Fclose(file) >= 0);
    int descriptor = open(run_path(base, "a.h5"), O_RDWR);
    assert_int_equal(cdg_run_mesh_write(&mesh, vertices, triangles, descriptor, "a.h5", NULL), CDG_OK);
    struct stat status;
    assert_int_equal(fstat(descriptor, &status), 0);
    close(descriptor);

    file = cdg_hdf5_open(run_path(base, "a.h5"));
    cdg_run_mesh found = {0}; // counts are asked for
    assert_true(cdg_run_mesh_visit(&found, file, cdg_hdf5_find_block, (uint64_t)status.st_size));
    assert_memory_equal(&found, &mesh, sizeof mesh);
    double corners[4][3], numbers[3][3];
    hid_t set = H5Dopen2(file, "vertices", H5P_DEFAULT);
    assert_true(H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, corners) >= 0);
    H5Dclose(set);
    set = H5Dopen2(file, "triangles", H5P_DEFAULT);
    assert_true(H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers) >= 0);
    H5Dclose(set);
    assert_memory_equal(corners, vertices, sizeof corners);
    for (int t = 0; t < 3; t++)
        for (int k = 0; k < 3; k++) assert_true(numbers[t][k] == triangles[t][k]);
    cdg_run_mesh other = {.vertex_count = 5, .triangle_count = 3};
    assert_false(cdg_run_mesh_visit(&other, file, cdg_hdf5_find_block, (uint64_t)status.st_size));
    H5Fclose(file);
    cdg_vec3 *read_vertices;
    uint32_t(*read_triangles)[3];
    uint64_t size = (uint64_t)status.st_size;
    assert_true(cdg_run_mesh_read(&found, size, run_path(base, "a.h5"), &read_vertices, &read_triangles));
    assert_memory_equal(read_vertices, vertices, sizeof vertices);
    assert_memory_equal(read_triangles, triangles, sizeof triangles);
    free(read_vertices);
    free(read_triangles);
    found.vertex_count = 3; // a triangle has corner 3
    assert_false(cdg_run_mesh_read(&found, size, run_path(base, "a.h5"), &read_vertices, &read_triangles));
    free(read_vertices);
    free(read_triangles);
    found.vertex_count = (size_t)size; // more than the file can hold
    assert_false(cdg_run_mesh_read(&found, size, run_path(base, "a.h5"), &read_vertices, &read_triangles));
    run_directory_remove(base);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trip),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
