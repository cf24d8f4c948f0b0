// Closing surfaces by filling them: what the mesher takes for inside has a closed boundary.
#include "contact/close_surface.h"

#include "base/error.h"
#include "contact/contact_mesh.h"
#include "math/vec3.h"

static const double cells_along = 48; // fine enough for a rod to slide, coarse enough to be quick

static bool is_closed(const cdg_mesh *mesh) {
    cdg_contact_mesh built;
    cdg_error error;
    bool is_good = cdg_contact_mesh_build(mesh->points, mesh->point_count, (const uint32_t(*)[3])mesh->triangles,
                                          mesh->triangle_count, false, &built, &error) == CDG_OK;
    if (is_good) cdg_contact_mesh_free(&built);
    return is_good;
}

static double longest_side(const cdg_mesh *mesh) {
    cdg_vec3 low = mesh->points[0], high = low;
    for (size_t i = 1; i < mesh->point_count; i++) {
        cdg_vec3 p = mesh->points[i];
        low = vec3(fmin(low.x, p.x), fmin(low.y, p.y), fmin(low.z, p.z));
        high = vec3(fmax(high.x, p.x), fmax(high.y, p.y), fmax(high.z, p.z));
    }
    return fmax(high.x - low.x, fmax(high.y - low.y, high.z - low.z));
}

cdg_result cdg_surface_close(cdg_mesh *mesh, double size, cdg_closed_surface *out, cdg_error *error) {
    *out = (cdg_closed_surface){.was_closed = mesh->triangle_count > 0 && is_closed(mesh)};
    if (out->was_closed) return CDG_OK;
    cdg_mesher_options options = cdg_mesher_options_default();
    if (mesh->point_count > 0) options.size = size > 0 ? size : longest_side(mesh) / cells_along;
    cdg_mesh filled = {0};
    cdg_mesh boundary = {0};
    cdg_mesher_report report;
    cdg_result result = cdg_mesh_fill(mesh, &options, &filled, &report, error);
    if (result == CDG_OK && filled.tetrahedron_count == 0)
        result = cdg_fail(error, CDG_ERROR_ARGUMENT, "repair: the triangles enclose nothing that could be solid");
    if (result == CDG_OK && report.doubtful_share > 0.5)
        result = cdg_fail(error, CDG_ERROR_ARGUMENT,
                          "repair: the triangles hardly enclose anything: %.0f %% of the surface that was found is a "
                          "guess; use surface: true for a sheet",
                          100 * report.doubtful_share);
    if (result == CDG_OK) result = cdg_mesh_boundary(&filled, &boundary, NULL, error);
    if (result == CDG_OK) {
        cdg_mesh_free(mesh);
        *mesh = boundary;
        out->doubtful_share = report.doubtful_share;
    }
    cdg_mesh_free(&filled);
    return result;
}
