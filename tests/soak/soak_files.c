// The files that random scenes refer to: two meshes and a curve.
#include "soak_scene.h"

#include <stdio.h>
#include <unistd.h>

static const char cube[] = "v -0.5 -0.5 -0.5\nv 0.5 -0.5 -0.5\nv 0.5 0.5 -0.5\nv -0.5 0.5 -0.5\n"
                           "v -0.5 -0.5 0.5\nv 0.5 -0.5 0.5\nv 0.5 0.5 0.5\nv -0.5 0.5 0.5\n"
                           "f 1 4 3 2\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n";
static const char tetra[] =
    "solid tetra\n"
    "facet normal 0 0 -1\nouter loop\nvertex 0 0 0\nvertex 0 1 0\nvertex 1 0 0\nendloop\nendfacet\n"
    "facet normal 0 -1 0\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 0 1\nendloop\nendfacet\n"
    "facet normal -1 0 0\nouter loop\nvertex 0 0 0\nvertex 0 0 1\nvertex 0 1 0\nendloop\nendfacet\n"
    "facet normal 1 1 1\nouter loop\nvertex 1 0 0\nvertex 0 1 0\nvertex 0 0 1\nendloop\nendfacet\n"
    "endsolid tetra\n";
static const char curve[] = "0, -0.2, 0\n0.1, -0.21, 0.02\n0.2, -0.2, 0.01\n0.3, -0.19, 0.03\n0.4, -0.2, 0\n";

static const struct {
    const char *name, *text;
} files[] = {{"cube.obj", cube}, {"tetra.stl", tetra}, {"curve.csv", curve}};
enum { FILE_COUNT = sizeof files / sizeof *files, PATH_SIZE = 512 };

bool soak_scene_write_files(const char *directory) {
    for (int i = 0; i < FILE_COUNT; i++) {
        char path[PATH_SIZE];
        snprintf(path, sizeof path, "%s/%s", directory, files[i].name);
        FILE *file = fopen(path, "w");
        if (file == NULL) return false;
        bool is_written = fputs(files[i].text, file) >= 0;
        if (fclose(file) != 0 || !is_written) return false;
    }
    return true;
}

void soak_scene_remove_files(const char *directory) {
    for (int i = 0; i < FILE_COUNT; i++) {
        char path[PATH_SIZE];
        snprintf(path, sizeof path, "%s/%s", directory, files[i].name);
        unlink(path);
    }
}
