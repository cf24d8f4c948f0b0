// Filling a surface: from options to a mesh with a report.
#include "base/error.h"
#include "base/parallel.h"
#include "meshing/fit.h"
#include "meshing/manifold.h"

#include <stdlib.h>
#include <string.h>

typedef struct filling {
    cdg_mesher_options options;
    cdg_budget budget;
    cdg_progress progress;
    cdg_soup soup;
    cdg_winding winding;
    cdg_inside inside;
    cdg_raw_mesh mesh;
    cdg_mesher_report report;
} filling;

static cdg_result prepare(filling *f, const cdg_triangle_mesh *surface, cdg_error *error) {
    cdg_result result = cdg_soup_build(surface, &f->budget, &f->soup, error);
    if (result != CDG_OK) return result;
    cdg_vec3 e = vec3_sub(f->soup.high, f->soup.low);
    if (f->options.size == 0) f->options.size = fmax(e.x, fmax(e.y, e.z)) / 24;
    if (!cdg_winding_build(&f->soup, &f->budget, &f->winding)) return cdg_budget_fail(&f->budget, error);
    double threshold, outward;
    cdg_inside_survey(&f->soup, &f->winding, f->options.thread_count, &threshold, &outward);
    f->inside = (cdg_inside){
        .rule = CDG_INSIDE_WINDING, .winding = &f->winding, .threshold = threshold, .is_closed = f->soup.is_closed};
    return CDG_OK;
}

cdg_result cdg_mesh_fill(const cdg_triangle_mesh *surface, const cdg_mesher_options *options, cdg_tetrahedral_mesh *out,
                         cdg_mesher_report *report, cdg_error *error) {
    *out = (cdg_tetrahedral_mesh){0};
    filling f = {.options = options != NULL ? *options : cdg_mesher_options_default()};
    if (f.options.thread_count == 0) f.options.thread_count = cdg_parallel_default_threads();
    f.budget.limit = f.options.memory_limit != 0 ? f.options.memory_limit : (uint64_t)16 << 30;
    f.progress.began = progress_clock();
    cdg_result result = prepare(&f, surface, error);
    progress_enter(&f.progress, CDG_MESHER_INSIDE, 0.1);
    cdg_stuffing_def def = {.inside = &f.inside,
                            .low = f.soup.low,
                            .high = f.soup.high,
                            .size = f.options.size,
                            .grading = f.options.grading,
                            .thread_count = f.options.thread_count};
    if (result == CDG_OK) result = cdg_stuffing_fill(&def, &f.budget, &f.progress, &f.mesh);
    if (result == CDG_OK) cdg_manifold_repair(&f.mesh, &f.budget, &f.report.pieces);
    progress_enter(&f.progress, CDG_MESHER_IMPROVE, 1);
    cdg_moves moves;
    if (!getenv("NOFIT") && cdg_moves_build(&f.mesh, &f.budget, &moves)) {
        cdg_fit_boundary(&moves, &f.inside, f.options.size, cdg_promised_angles, f.options.thread_count, &f.budget);
        cdg_moves_free(&moves, &f.budget);
    }
    progress_enter(&f.progress, CDG_MESHER_IMPROVE, 1);
    out->points = malloc((f.mesh.point_count + 1) * sizeof *out->points);
    out->tetrahedra = malloc((f.mesh.tetrahedron_count + 1) * sizeof *out->tetrahedra);
    out->point_count = f.mesh.point_count;
    out->tetrahedron_count = f.mesh.tetrahedron_count;
    for (size_t i = 0; i < f.mesh.point_count; i++) out->points[i] = vec3_add(f.mesh.points[i], f.soup.origin);
    memcpy(out->tetrahedra, f.mesh.tetrahedra, f.mesh.tetrahedron_count * sizeof *out->tetrahedra);
    memcpy(f.report.seconds, f.progress.seconds, sizeof f.report.seconds);
    f.report.peak_bytes = f.budget.peak;
    f.report.size = f.options.size;
    cdg_mesh_measure(out, &f.report.quality, NULL);
    if (report != NULL) *report = f.report;
    cdg_raw_mesh_free(&f.mesh, &f.budget);
    cdg_winding_free(&f.winding, &f.budget);
    cdg_soup_free(&f.soup, &f.budget);
    return result;
}
