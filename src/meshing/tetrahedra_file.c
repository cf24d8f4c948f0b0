// Reading tetrahedra, whatever the format.
#include "base/error.h"
#include "meshing/tetrahedra_build.h"
#include "meshing/triangle_file.h"

#include <math.h>
#include <stdlib.h>

static const char *const extensions[] = {
#define EXTENSION(name, extension, text) extension,
    CDG_TETRAHEDRON_FORMAT_LIST(EXTENSION)
#undef EXTENSION
};

cdg_tetrahedron_format cdg_tetrahedron_format_of(const char *path) {
    int format = 0;
    while (format < CDG_TETRAHEDRON_FORMAT_COUNT && !cdg_path_ends_with(path, extensions[format])) format++;
    return (cdg_tetrahedron_format)format;
}

static cdg_result read_bytes(cdg_tetrahedra_build *build, cdg_tetrahedron_format format) {
    cdg_file_bytes bytes;
    cdg_result result =
        cdg_regular_file_read(build->path, CDG_MESH_FILE_BYTES_MAX, &bytes.data, &bytes.size, build->error);
    if (result != CDG_OK) return result;
    if (bytes.size == 0)
        result = cdg_fail(build->error, CDG_ERROR_FORMAT, "%s: the file is empty", build->path);
    else if (format == CDG_TETRAHEDRA_VTU)
        result = cdg_vtu_read(build, &bytes);
    else if (format == CDG_TETRAHEDRA_MEDIT)
        result = cdg_medit_read(build, &bytes);
    else
        result = cdg_gmsh_read(build, &bytes);
    free(bytes.data);
    return result;
}

cdg_result cdg_tetrahedral_mesh_read(const char *path, double scale, cdg_tetrahedral_mesh *out,
                                     cdg_tetrahedra_found *found, cdg_error *error) {
    if (path == NULL || out == NULL) return cdg_fail_null(error, path == NULL ? "path" : "out");
    *out = (cdg_tetrahedral_mesh){0};
    if (found != NULL) *found = (cdg_tetrahedra_found){0};
    cdg_tetrahedron_format format = cdg_tetrahedron_format_of(path);
    cdg_tetrahedra_build build = {.path = path, .scale = scale, .error = error};
    if (format == CDG_TETRAHEDRON_FORMAT_COUNT)
        return cdg_fail(error, CDG_ERROR_FORMAT,
                        "%s: tetrahedra are read from files that end in "
#define NAME(name, extension, text) extension " "
                        CDG_TETRAHEDRON_FORMAT_LIST(NAME)
#undef NAME
                            "; convert it to one of these",
                        path);
    if (!(scale > 0 && isfinite(scale)))
        return cdg_fail(error, CDG_ERROR_ARGUMENT, "%s: its scale must be a finite number above 0, not %g", path,
                        scale);
    bool is_pair = format == CDG_TETRAHEDRA_NODE || format == CDG_TETRAHEDRA_ELE;
    cdg_result result = is_pair ? cdg_tetgen_read(&build, CDG_MESH_FILE_BYTES_MAX) : read_bytes(&build, format);
    if (result == CDG_OK && build.mesh.tetrahedron_count == 0)
        result =
            cdg_fail(error, CDG_ERROR_FORMAT, "%s: there are no tetrahedra in it, but %zu points and %zu other cells",
                     path, build.mesh.point_count, build.found.other_cells);
    if (result != CDG_OK) {
        cdg_build_free(&build);
        return result;
    }
    *out = build.mesh;
    if (found != NULL) *found = build.found;
    return CDG_OK;
}
