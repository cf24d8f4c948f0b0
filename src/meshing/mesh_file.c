// The one reader of meshes: the name says which format, and with it triangles or tetrahedra.
#include "base/error.h"
#include "meshing/triangle_file.h"

static const char *const extensions[] = {
#define EXTENSION(name, extension, text) extension,
    CDG_TRIANGLE_FORMAT_LIST(EXTENSION) CDG_TETRAHEDRON_FORMAT_LIST(EXTENSION)
#undef EXTENSION
};

cdg_mesh_format cdg_mesh_format_of(const char *path) {
    int format = 0;
    while (format < CDG_MESH_FORMAT_COUNT && !cdg_path_ends_with(path, extensions[format])) format++;
    return (cdg_mesh_format)format;
}

bool cdg_mesh_format_has_triangles(cdg_mesh_format format) {
    switch (format) {
#define TRIANGLES(name, extension, text) case name:
        CDG_TRIANGLE_FORMAT_LIST(TRIANGLES)
#undef TRIANGLES
        return true;
    default: return false;
    }
}

bool cdg_mesh_format_has_tetrahedra(cdg_mesh_format format) {
    switch (format) {
#define TETRAHEDRA(name, extension, text) case name:
        CDG_TETRAHEDRON_FORMAT_LIST(TETRAHEDRA)
#undef TETRAHEDRA
        return true;
    default: return false;
    }
}

cdg_result cdg_mesh_read(const char *path, double scale, cdg_mesh *out, cdg_mesh_found *found, cdg_error *error) {
    if (path == NULL || out == NULL) return cdg_fail_null(error, path == NULL ? "path" : "out");
    *out = (cdg_mesh){0};
    if (found != NULL) *found = (cdg_mesh_found){0};
    cdg_mesh_format format = cdg_mesh_format_of(path);
    if (cdg_mesh_format_has_triangles(format)) return cdg_triangles_read(path, scale, out, error);
    if (cdg_mesh_format_has_tetrahedra(format)) return cdg_tetrahedra_read(path, scale, out, found, error);
    return cdg_fail(error, CDG_ERROR_FORMAT,
                    "%s: meshes are read from files that end in "
#define NAME(name, extension, text) extension " "
                    CDG_TRIANGLE_FORMAT_LIST(NAME) CDG_TETRAHEDRON_FORMAT_LIST(NAME)
#undef NAME
                        "; convert it to one of these",
                    path);
}
