// libFuzzer target of the files that hold shapes: triangles (OBJ, PLY, OFF; STL through assimp) and points of
// centrelines (CSV, OBJ). Whatever the bytes are, they give numbers that can
// be used, or a sentence. The first byte chooses the reader. glTF, which assimp
// reads, is left out: its faults are not ours to mend.
#define _DEFAULT_SOURCE
#include "geometry/points_file.h"
#include "math/vec3.h"

#include "meshing/triangle_file.h"

#include <sanitizer/lsan_interface.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerInitialize(int *count, char ***words);

static const char *const names[] = {"a.stl", "a.obj", "b.obj", "a.csv", "c.obj", "a.ply", "a.off"};
enum { READER_COUNT = sizeof names / sizeof *names, PATH_SIZE = 128 };
static char directory[64];

static void check(bool condition) {
    if (!condition) abort();
}

static void clean_up(void) {
    for (int i = 0; i < READER_COUNT; i++) {
        char path[PATH_SIZE];
        snprintf(path, sizeof path, "%s/%s", directory, names[i]);
        unlink(path);
    }
    rmdir(directory);
}

int LLVMFuzzerInitialize(int *count, char ***words) {
    (void)count, (void)words;
    snprintf(directory, sizeof directory, "%s/cordage_fuzz_XXXXXX",
             access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp");
    check(mkdtemp(directory) != NULL);
    atexit(clean_up);
    return 0;
}

static void check_triangles(const cdg_vec3 *vertices, size_t vertex_count, uint32_t (*triangles)[3], size_t count) {
    check(vertex_count > 0 && count > 0);
    for (size_t i = 0; i < vertex_count; i++) check(vec3_is_finite(vertices[i]));
    for (size_t i = 0; i < count; i++)
        for (int k = 0; k < 3; k++) check(triangles[i][k] < vertex_count);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size == 0) return 0;
    unsigned kind = data[0] % READER_COUNT;
    char path[PATH_SIZE];
    snprintf(path, sizeof path, "%s/%s", directory, names[kind]);
    FILE *file = fopen(path, "wb");
    check(file != NULL && fwrite(data + 1, 1, size - 1, file) == size - 1 && fclose(file) == 0);
    cdg_error error = {0};
    cdg_result result;
    if (kind < 3 || kind > 4) {
        cdg_mesh mesh;
        if (kind != 1) __lsan_disable(); // assimp loses memory over files that it refuses
        result = cdg_triangles_read(path, 0.5, &mesh, &error);
        if (kind != 1) __lsan_enable();
        if (result == CDG_OK) check_triangles(mesh.points, mesh.point_count, mesh.triangles, mesh.triangle_count);
        cdg_mesh_free(&mesh);
    } else {
        cdg_vec3 *points = NULL;
        size_t count = 0;
        bool is_closed = false;
        result = cdg_points_read(path, &points, &count, &is_closed, &error);
        for (size_t i = 0; result == CDG_OK && i < count; i++) check(vec3_is_finite(points[i]));
        if (result == CDG_OK) free(points);
    }
    check((result == CDG_OK) == (error.message[0] == '\0'));
    return 0;
}
