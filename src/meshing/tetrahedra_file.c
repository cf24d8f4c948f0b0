// Reading tetrahedra, whatever the format.
#include "base/error.h"
#include "meshing/tetrahedra_build.h"
#include "meshing/triangle_file.h"

#include <math.h>
#include <stdlib.h>

static cdg_result read_bytes(cdg_tetrahedra_build *build, cdg_mesh_format format) {
    cdg_file_bytes bytes;
    cdg_result result =
        cdg_regular_file_read(build->path, CDG_MESH_FILE_BYTES_MAX, &bytes.data, &bytes.size, build->error);
    if (result != CDG_OK) return result;
    if (bytes.size == 0)
        result = cdg_fail(build->error, CDG_ERROR_FORMAT, "%s: the file is empty", build->path);
    else if (format == CDG_MESH_VTU)
        result = cdg_vtu_read(build, &bytes);
    else if (format == CDG_MESH_MEDIT)
        result = cdg_medit_read(build, &bytes);
    else
        result = cdg_gmsh_read(build, &bytes);
    free(bytes.data);
    return result;
}

cdg_result cdg_tetrahedra_read(const char *path, double scale, cdg_mesh *out, cdg_mesh_found *found, cdg_error *error) {
    if (path == NULL || out == NULL) return cdg_fail_null(error, path == NULL ? "path" : "out");
    *out = (cdg_mesh){0};
    if (found != NULL) *found = (cdg_mesh_found){0};
    cdg_mesh_format format = cdg_mesh_format_of(path);
    cdg_tetrahedra_build build = {.path = path, .scale = scale, .error = error};
    if (!cdg_mesh_format_has_tetrahedra(format))
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
    bool is_pair = format == CDG_MESH_NODE || format == CDG_MESH_ELE;
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
