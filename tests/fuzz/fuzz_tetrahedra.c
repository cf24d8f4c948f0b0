// libFuzzer target of files of tetrahedra: VTK, Gmsh, TetGen, Medit. Whatever the bytes are, they give a mesh that can
// be checked, measured and written again, or a sentence. The first byte chooses the format; of TetGen's pair the second
// byte tells, in sixteenths, where the points end and the tetrahedra begin.
#define _DEFAULT_SOURCE
#include "math/vec3.h"

#include "meshing/triangle_file.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerInitialize(int *count, char ***words);

static const char *const names[] = {"a.vtu", "a.msh",  "a.mesh", "a.node", "a.ele",
                                    "b.msh", "b.mesh", "b.vtu",  "b.node", "b.ele"};
enum { NAME_COUNT = sizeof names / sizeof *names, FORMAT_COUNT = 4, PATH_SIZE = 128 };
static char directory[64];

static void check(bool condition) {
    if (!condition) abort();
}

static const char *path_of(int name) {
    static char paths[NAME_COUNT][PATH_SIZE];
    snprintf(paths[name], PATH_SIZE, "%s/%s", directory, names[name]);
    return paths[name];
}

static void clean_up(void) {
    for (int i = 0; i < NAME_COUNT; i++) unlink(path_of(i));
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

static void write_part(int name, const uint8_t *data, size_t size) {
    FILE *file = fopen(path_of(name), "wb");
    check(file != NULL && fwrite(data, 1, size, file) == size && fclose(file) == 0);
}

// What was read, written as another format and read again, is the same mesh.
static void check_mesh(const cdg_mesh *mesh, int format) {
    check(mesh->point_count > 0 && mesh->tetrahedron_count > 0);
    for (size_t i = 0; i < mesh->point_count; i++) check(vec3_is_finite(mesh->points[i]));
    for (size_t i = 0; i < mesh->tetrahedron_count; i++)
        for (int k = 0; k < 4; k++) check(mesh->tetrahedra[i][k] < mesh->point_count);
    cdg_mesh_faults faults;
    cdg_error error = {0};
    check(cdg_mesh_check(mesh, &faults, &error) == CDG_OK);
    cdg_mesh again;
    const char *path = path_of(5 + format);
    check(cdg_mesh_write(path, mesh, &error) == CDG_OK);
    check(cdg_tetrahedra_read(path, 1, &again, NULL, &error) == CDG_OK);
    check(again.point_count == mesh->point_count && again.tetrahedron_count == mesh->tetrahedron_count);
    check(memcmp(again.tetrahedra, mesh->tetrahedra, mesh->tetrahedron_count * sizeof *mesh->tetrahedra) == 0);
    for (size_t i = 0; i < mesh->point_count; i++)
        check(again.points[i].x == mesh->points[i].x && again.points[i].y == mesh->points[i].y &&
              again.points[i].z == mesh->points[i].z);
    cdg_mesh_free(&again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size < 2) return 0;
    int format = data[0] % FORMAT_COUNT;
    if (format < 3) {
        write_part(format, data + 1, size - 1);
    } else {
        size_t points = (size - 2) * (data[1] % 16u) / 16;
        write_part(3, data + 2, points);
        write_part(4, data + 2 + points, size - 2 - points);
    }
    cdg_mesh mesh;
    cdg_mesh_found found;
    cdg_error error = {0};
    cdg_result result = cdg_tetrahedra_read(path_of(format), 0.5, &mesh, &found, &error);
    check((result == CDG_OK) == (error.message[0] == '\0'));
    if (result == CDG_OK)
        check_mesh(&mesh, format);
    else
        check(mesh.points == NULL && mesh.tetrahedra == NULL);
    cdg_mesh_free(&mesh);
    return 0;
}
