// libFuzzer target of glTF files, text and binary: whatever the bytes are, they give triangles that can be used, or a
// sentence. The first byte chooses between the two.
#define _DEFAULT_SOURCE
#include "math/vec3.h"

#include "meshing/triangle_file.h"

#include <sanitizer/lsan_interface.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerInitialize(int *count, char ***words);

static const char *const names[] = {"a.gltf", "a.glb"};
static char directory[64];

static void check(bool condition) {
    if (!condition) abort();
}

static const char *path_of(int name) {
    static char path[128];
    snprintf(path, sizeof path, "%s/%s", directory, names[name]);
    return path;
}

static void clean_up(void) {
    for (int i = 0; i < 2; i++) unlink(path_of(i));
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

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size == 0) return 0;
    const char *path = path_of(data[0] % 2);
    FILE *file = fopen(path, "wb");
    check(file != NULL && fwrite(data + 1, 1, size - 1, file) == size - 1 && fclose(file) == 0);
    cdg_mesh mesh;
    cdg_error error = {0};
    __lsan_disable(); // assimp loses memory over files that it refuses
    cdg_result result = cdg_triangles_read(path, 0.5, &mesh, &error);
    __lsan_enable();
    check((result == CDG_OK) == (error.message[0] == '\0'));
    if (result == CDG_OK) {
        check(mesh.point_count > 0 && mesh.triangle_count > 0);
        for (size_t i = 0; i < mesh.point_count; i++) check(vec3_is_finite(mesh.points[i]));
        for (size_t i = 0; i < 3 * mesh.triangle_count; i++) check(mesh.triangles[i / 3][i % 3] < mesh.point_count);
    }
    cdg_mesh_free(&mesh);
    return 0;
}
