// Files through assimp: it sees only what it is given, and files beside it only when they are files.
#define _DEFAULT_SOURCE // mkdtemp, mkfifo
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "meshing/assimp_file.h"
#include "near.h"
#include "run_scene.h"

static char directory[RUN_PATH_SIZE];

void __lsan_disable(void) __attribute__((weak)); // NOLINT(bugprone-reserved-identifier)
void __lsan_enable(void) __attribute__((weak));  // NOLINT(bugprone-reserved-identifier)

static cdg_result read_text(const char *path, const char *text, uint64_t most, cdg_mesh *out, cdg_error *error) {
    cdg_file_bytes bytes = {.data = strdup(text), .size = strlen(text)};
    if (__lsan_disable != NULL) __lsan_disable();
    cdg_result result = cdg_assimp_read(path, &bytes, most, 0.5, out, error);
    if (__lsan_enable != NULL) __lsan_enable();
    free(bytes.data);
    return result;
}

// The file itself need not be there: its bytes are given.
static void bytes_are_taken(void **state) {
    (void)state;
    cdg_mesh mesh;
    cdg_error error = {0};
    const char *text = "OFF\n4 1 0\n0 0 0\n2 0 0\n2 2 0\n0 2 0\n4 0 1 2 3\n";
    assert_int_equal(read_text("nowhere.off", text, 0, &mesh, &error), CDG_OK);
    assert_int_equal(mesh.triangle_count, 2); // of the polygon
    assert_vec3_near(mesh.points[mesh.triangles[0][1]], vec3(1, 0, 0), 0);
    cdg_mesh_free(&mesh);
    assert_int_equal(read_text("nowhere.off", "OFF\n3 0 0\n0 0 0\n2 0 0\n2 2 0\n", 0, &mesh, &error), CDG_ERROR_FORMAT);
    assert_non_null(strstr(error.message, "nowhere.off"));
    assert_null(mesh.points);
}

static void buffers_beside_it_are_files(void **state) {
    (void)state;
    static const char form[] =
        "{\"asset\": {\"version\": \"2.0\"}, \"scene\": 0, \"scenes\": [{\"nodes\": [0]}], \"nodes\": [{\"mesh\": 0}],"
        "\"meshes\": [{\"primitives\": [{\"attributes\": {\"POSITION\": 0}}]}],"
        "\"buffers\": [{\"uri\": \"%s\", \"byteLength\": 36}],"
        "\"bufferViews\": [{\"buffer\": 0, \"byteOffset\": 0, \"byteLength\": 36}],"
        "\"accessors\": [{\"bufferView\": 0, \"componentType\": 5126, \"count\": 3, \"type\": \"VEC3\"}]}";
    static const float corners[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    run_write_text(directory, "a.bin", (const char *)corners, sizeof corners);
    assert_int_equal(mkfifo(run_path(directory, "pipe"), 0600), 0);
    const struct {
        const char *uri;
        uint64_t most;
        cdg_result result;
    } cases[] = {{"a.bin", 36, CDG_OK},
                 {"a.bin", 35, CDG_ERROR_FORMAT},
                 {"pipe", 36, CDG_ERROR_FORMAT},
                 {"none", 36, CDG_ERROR_FORMAT}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[1000];
        cdg_mesh mesh;
        cdg_error error = {0};
        snprintf(text, sizeof text, form, cases[i].uri);
        assert_int_equal(read_text(run_path(directory, "a.gltf"), text, cases[i].most, &mesh, &error), cases[i].result);
        cdg_mesh_free(&mesh);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(bytes_are_taken),
                                       cmocka_unit_test(buffers_beside_it_are_files)};
    run_directory_make(directory);
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    run_directory_remove(directory);
    return failed;
}
