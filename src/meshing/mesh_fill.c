// Filling a surface: from options to a mesh with a report.
#include "base/error.h"
#include "base/parallel.h"
#include "meshing/crease_keep.h"
#include "meshing/lattice.h"
#include "meshing/lost.h"
#include "meshing/manifold.h"
#include "meshing/mesh_work.h"
#include "meshing/open_pieces.h"
#include "meshing/smooth.h"
#include "meshing/surface_fit.h"
#include "meshing/swaps.h"

#include <stdlib.h>
#include <string.h>

typedef struct filling {
    cdg_mesher_options options;
    cdg_budget budget;
    cdg_progress progress;
    cdg_patience patience;
    cdg_soup soup;
    cdg_winding winding;
    cdg_vote vote;
    cdg_inside inside;
    cdg_raw_mesh mesh;
    cdg_mesher_report report;
} filling;

// ---- options --------------------------------------------------------------------------------------------------------

static cdg_result check_number(double value, double least, double most, const char *name, cdg_error *error) {
    if (value >= least && value <= most) return CDG_OK;
    return cdg_fail(error, CDG_ERROR_ARGUMENT, "mesh: %s is %g; it must be from %g to %g", name, value, least, most);
}

static cdg_result check_options(const cdg_mesher_options *o, cdg_error *error) {
    if ((int)o->mesher < 0 || o->mesher >= CDG_MESHER_COUNT || (int)o->inside < 0 || o->inside >= CDG_INSIDE_RULE_COUNT)
        return cdg_fail(error, CDG_ERROR_ARGUMENT, "mesh: there is no mesher %d or rule %d", (int)o->mesher,
                        (int)o->inside);
    cdg_result result = check_number(o->size, 0, 1e100, "size", error);
    if (result == CDG_OK) result = check_number(o->grading, 0, 1, "grading", error);
    if (result == CDG_OK) result = check_number(o->close, 0, 1e100, "close", error);
    if (result == CDG_OK) result = check_number(o->keep_creases, 0, 3.1415926535897936, "keep_creases", error);
    if (result == CDG_OK) result = check_number(o->density, 1e-6, 1, "density", error);
    if (result == CDG_OK) result = check_number(o->smoothing_steps, 0, 10000, "smoothing_steps", error);
    if (result == CDG_OK) result = check_number(o->thread_count, 0, CDG_THREADS_MAX, "thread_count", error);
    return result;
}

static void complete_options(filling *f) {
    if (f->options.thread_count == 0) f->options.thread_count = cdg_parallel_default_threads();
    uint64_t machine = cdg_machine_memory();
    f->budget.limit = f->options.memory_limit != 0 ? f->options.memory_limit
                      : machine != 0               ? machine / 4 * 3
                                                   : (uint64_t)8 << 30;
    f->progress = (cdg_progress){.callback = f->options.progress, .user = f->options.user, .began = progress_clock()};
    f->patience.lasts = progress_goes_on;
    f->patience.user = &f->progress;
    f->budget.patience = &f->patience;
}

// ---- what does not fit is refused before memory is spent ------------------------------------------------------------

static cdg_result check_triangles(const filling *f, const cdg_mesh *surface, cdg_error *error) {
    double bytes = 550.0 * (double)surface->triangle_count + 24.0 * (double)surface->point_count; // soup and tree
    if (bytes <= (double)f->budget.limit) return CDG_OK;
    return cdg_fail(error, CDG_ERROR_MEMORY,
                    "mesh: %zu triangles take about %.0f MB, but the memory limit is %.0f MB; simplify the surface, or "
                    "allow more",
                    surface->triangle_count, bytes / 1e6, (double)f->budget.limit / 1e6);
}

static double longest_side(const cdg_soup *soup) {
    cdg_vec3 e = vec3_sub(soup->high, soup->low);
    return fmax(e.x, fmax(e.y, e.z));
}

// Of a plate the volume over the area is half of its thickness.
static double default_size(const cdg_soup *soup) {
    double longest = longest_side(soup), size = longest / 24;
    if (!soup->is_closed) return size;
    return fmax(longest / 200, fmin(size, fabs(cdg_soup_volume(soup)) / soup->area));
}

// At least this much: cubes that the surface takes (stuffing), or the box (lattice).
static double expected_bytes(const filling *f) {
    double size = f->options.size;
    if (f->options.mesher == CDG_MESHER_STUFFING) return 2000 * f->soup.area / (size * size);
    cdg_vec3 e = vec3_sub(f->soup.high, f->soup.low);
    return 6 * (e.x / size + 2) * (e.y / size + 2) * (e.z / size + 2);
}

// One sentence for both limits, so that the size that it names is within both.
static cdg_result check_size(const filling *f, cdg_error *error) {
    double size = f->options.size, bytes = expected_bytes(f), limit = (double)f->budget.limit;
    double finest = longest_side(&f->soup) / (0.7 * (double)(1 << CDG_BCC_LEVELS));
    double power = f->options.mesher == CDG_MESHER_STUFFING ? 0.5 : 1.0 / 3;
    double least = fmax(finest, 1.1 * size * pow(bytes / limit, power));
    if (size >= finest && bytes <= limit) return CDG_OK;
    return cdg_fail(error, size >= finest ? CDG_ERROR_MEMORY : CDG_ERROR_ARGUMENT,
                    "mesh: a size of %g m is finer than memory allows, %.0f MB, for a surface of %.3g m^2; take %.2g m "
                    "or more",
                    size, limit / 1e6, f->soup.area, least);
}

// ---- inside ---------------------------------------------------------------------------------------------------------

static cdg_result survey(filling *f, double *outward, cdg_error *error) {
    cdg_inside_facts facts;
    cdg_winding_free(&f->winding, &f->budget);
    if (!cdg_winding_build(&f->soup, &f->budget, &f->winding) ||
        !cdg_inside_survey(&f->soup, &f->winding, f->options.thread_count, &f->budget, &facts))
        return cdg_budget_fail(&f->budget, error);
    *outward = facts.outward_share;
    f->inside = (cdg_inside){.rule = CDG_INSIDE_WINDING,
                             .winding = &f->winding,
                             .threshold = facts.threshold,
                             .is_absolute = f->soup.is_closed && facts.has_inward};
    return CDG_OK;
}

static double mean_edge(const cdg_soup *soup) { return sqrt(2.3 * soup->area / (double)soup->triangle_count); }

// Some edges of the triangles: what random holes measure.
static double natural_gap(const cdg_soup *soup) { return 3 * mean_edge(soup); }

static cdg_result prepare_vote(filling *f, cdg_error *error) {
    double longest = longest_side(&f->soup), voxels = fmax(150, fmin(320, ceil(3 * longest / f->options.size)));
    double close = f->options.close > 0 ? f->options.close : fmin(natural_gap(&f->soup), longest / 6);
    f->report.close = close = fmax(close, 2 * longest / voxels);
    if (close > longest)
        return cdg_fail(error, CDG_ERROR_ARGUMENT,
                        "mesh: holes of %g m are to be closed in a surface %g m long, which would vanish", close,
                        longest);
    if (!cdg_vote_build(&f->soup, close, (int)voxels, f->options.thread_count, &f->budget, &f->vote))
        return cdg_budget_fail(&f->budget, error);
    f->inside.rule = CDG_INSIDE_VOTE;
    f->inside.vote = &f->vote;
    return CDG_OK;
}

// Winding numbers need orientations: of closed parts they are known; of others they must look as if outward.
static bool needs_vote(const filling *f, double outward) {
    if (f->options.inside != CDG_INSIDE_AUTO) return f->options.inside == CDG_INSIDE_VOTE;
    if (f->soup.is_closed) return false;
    return outward < 0.15 || f->soup.undecided_share > 0.1;
}

static cdg_result decide_inside(filling *f, cdg_error *error) {
    double outward = 0;
    cdg_result result = survey(f, &outward, error);
    if (result == CDG_OK && outward < -0.15) { // inside out as a whole
        cdg_soup_flip(&f->soup);
        result = survey(f, &outward, error);
    }
    if (result == CDG_OK && needs_vote(f, outward)) result = prepare_vote(f, error);
    f->report.inside = f->inside.rule;
    return result;
}

static cdg_result prepare(filling *f, const cdg_mesh *surface, cdg_error *error) {
    cdg_result result = check_triangles(f, surface, error);
    if (result == CDG_OK) result = cdg_soup_build(surface, &f->budget, &f->soup, error);
    if (result != CDG_OK) return result;
    if (f->options.size == 0) f->options.size = default_size(&f->soup);
    result = check_size(f, error);
    if (result == CDG_OK) result = decide_inside(f, error);
    return result;
}

// ---- mesh -----------------------------------------------------------------------------------------------------------

static cdg_result generate(filling *f) {
    if (f->options.mesher == CDG_MESHER_LATTICE) {
        cdg_lattice_def def = {.inside = &f->inside,
                               .low = f->soup.low,
                               .high = f->soup.high,
                               .size = f->options.size,
                               .density = f->options.density,
                               .thread_count = f->options.thread_count};
        return cdg_lattice_fill(&def, &f->budget, &f->progress, &f->mesh);
    }
    cdg_stuffing_def def = {.inside = &f->inside,
                            .low = f->soup.low,
                            .high = f->soup.high,
                            .size = f->options.size,
                            .grading = f->options.grading,
                            .thread_count = f->options.thread_count};
    return cdg_stuffing_fill(&def, &f->budget, &f->progress, &f->mesh);
}

// Lattices begin with 54.7 degrees; smoothing may take them down to this.
static const cdg_angle_bounds lattice_angles = {-0.95, 0.97};

static bool fit(filling *f, const bool *is_held) {
    cdg_moves moves;
    if (!cdg_moves_build(&f->mesh, &f->budget, &moves)) return false;
    bool has_memory = cdg_fit_boundary(&moves, &f->inside, f->options.size, cdg_promised_angles, is_held,
                                       f->options.thread_count, &f->budget);
    cdg_moves_free(&moves, &f->budget);
    return has_memory;
}

static bool copy_mesh(const cdg_raw_mesh *from, cdg_budget *budget, cdg_raw_mesh *out) {
    *out = (cdg_raw_mesh){.points = cdg_budget_take(budget, from->point_count, sizeof *out->points),
                          .point_count = from->point_count,
                          .point_capacity = from->point_count,
                          .tetrahedra = cdg_budget_take(budget, from->tetrahedron_count, sizeof *out->tetrahedra),
                          .tetrahedron_count = from->tetrahedron_count,
                          .tetrahedron_capacity = from->tetrahedron_count};
    bool has_memory = out->points != NULL && out->tetrahedra != NULL;
    if (has_memory) memcpy(out->points, from->points, from->point_count * sizeof *out->points);
    if (has_memory) memcpy(out->tetrahedra, from->tetrahedra, from->tetrahedron_count * sizeof *out->tetrahedra);
    return has_memory;
}

static bool is_sound(const cdg_raw_mesh *m, cdg_patience *patience) {
    cdg_mesh view = {.points = m->points,
                     .point_count = m->point_count,
                     .tetrahedra = m->tetrahedra,
                     .tetrahedron_count = m->tetrahedron_count};
    cdg_mesh_faults faults;
    return cdg_mesh_check_patiently(&view, patience, &faults, NULL) == CDG_OK && faults.total == 0;
}

// A mesh that is not sound with its creases goes on without them.
static bool keep_creases(filling *f, bool **is_held) {
    cdg_raw_mesh before;
    cdg_crease_result creases = {0};
    bool has_memory = copy_mesh(&f->mesh, &f->budget, &before) &&
                      cdg_creases_keep(&f->mesh, &f->winding, &f->soup, f->options.keep_creases, f->options.size,
                                       cdg_promised_angles, &f->budget, &creases);
    f->report.creases_missed = creases.missed;
    f->report.crease_length = creases.length.all;
    f->report.crease_length_missed = creases.length.missed;
    f->report.creases_cut_short = creases.is_cut_short;
    if (has_memory && !is_sound(&f->mesh, &f->patience)) {
        cdg_raw_mesh unsound = f->mesh;
        f->mesh = before;
        before = unsound;
        f->report.creases_missed = SIZE_MAX;
        f->report.crease_length_missed = f->report.crease_length;
        cdg_budget_give(&f->budget, creases.is_held);
        creases.is_held = NULL;
    }
    cdg_raw_mesh_free(&before, &f->budget);
    *is_held = creases.is_held;
    return has_memory;
}

static bool finish_stuffing(filling *f) {
    bool *is_held = NULL;
    bool has_memory = (f->options.keep_creases == 0 || keep_creases(f, &is_held)) && fit(f, is_held);
    cdg_budget_give(&f->budget, is_held);
    return has_memory;
}

static bool finish_lattice(filling *f) {
    cdg_moves moves;
    if (!cdg_moves_build(&f->mesh, &f->budget, &moves)) return false;
    bool has_memory = cdg_smooth_boundary(&moves, f->options.smoothing_steps, lattice_angles, &f->budget);
    cdg_moves_free(&moves, &f->budget);
    return has_memory;
}

// The boundary stays as it is.
static bool improve(filling *f) {
    enum { PASSES = 4 };
    static const double limit = 0.8; // 37 degrees and more are good enough
    cdg_surgery surgery;
    double size = f->options.size;
    cdg_swap_rules rules = {.is_strict = true, .tiny = 1e-9 * size * size * size};
    if (!cdg_surgery_begin(&f->mesh, &f->budget, &surgery)) return false;
    cdg_mesh_improve(&surgery, &rules, limit, PASSES);
    return cdg_surgery_end(&surgery, NULL);
}

// Winding numbers close every hole; what is closed only by one that is too large goes away again.
static cdg_result drop_open_pieces(filling *f, cdg_error *error) {
    static const double slack = 0.2; // of a size
    cdg_open_pieces found;
    if (!(f->options.close > 0) || f->inside.rule != CDG_INSIDE_WINDING || f->soup.is_closed) return CDG_OK;
    if (!cdg_open_pieces_drop(&f->mesh, &f->winding, f->options.close, slack * f->options.size, &f->budget, &found))
        return cdg_budget_fail(&f->budget, error);
    cdg_vec3 at = vec3_add(found.at, f->soup.origin);
    f->report.close = f->options.close;
    f->report.pieces = found.left;
    f->report.open_pieces = found.dropped;
    if (found.left > 0 || found.dropped == 0) return CDG_OK;
    return cdg_fail(error, CDG_ERROR_ARGUMENT,
                    "mesh: the surface has a hole about %.2g m wide at (%.3g, %.3g, %.3g) m, but only holes up to %g m "
                    "are to be closed; allow larger ones, or close it in the surface",
                    found.widest, at.x, at.y, at.z, f->options.close);
}

static cdg_result finish_mesh(filling *f) {
    if (!progress_enter(&f->progress, CDG_MESHER_IMPROVE, 0.8)) return CDG_ERROR_INTERRUPTED;
    bool has_memory = f->options.mesher == CDG_MESHER_STUFFING ? finish_stuffing(f) : finish_lattice(f);
    if (has_memory && f->options.improve) has_memory = improve(f);
    return has_memory ? CDG_OK : CDG_ERROR_MEMORY;
}

static cdg_result explain(const filling *f, cdg_result result, cdg_error *error) {
    if (result == CDG_ERROR_MEMORY) return cdg_budget_fail(&f->budget, error);
    if (result == CDG_ERROR_INTERRUPTED) return cdg_fail(error, result, "mesh: stopped on request");
    if (result == CDG_OK && f->mesh.tetrahedron_count == 0)
        return cdg_fail(error, CDG_ERROR_ARGUMENT,
                        "mesh: the surface encloses nothing that elements of %g m can fill; take a smaller size, or a "
                        "larger hole to close if the surface is open",
                        f->options.size);
    return result;
}

// ---- doubt ----------------------------------------------------------------------------------------------------------

enum { DOUBT_SAMPLES = 20000 };

// Hard to tell from either side.
static bool is_doubtful(const filling *f, const cdg_vec3 c[3], cdg_vec3 normal) {
    cdg_vec3 middle = vec3_scale(1.0 / 3, vec3_add(c[0], vec3_add(c[1], c[2])));
    double reach = 0.25 * f->options.size;
    cdg_vec3 nearest;
    if (f->inside.rule == CDG_INSIDE_VOTE && // made up, across a hole
        !cdg_winding_nearest(&f->winding, middle, fmax(mean_edge(&f->soup), 0.5 * f->options.size), &nearest, NULL))
        return true;
    return fabs(cdg_inside_value(&f->inside, vec3_mad(middle, reach, normal))) < 0.2 &&
           fabs(cdg_inside_value(&f->inside, vec3_mad(middle, -reach, normal))) < 0.2;
}

static double doubtful_share(const filling *f, const cdg_mesh *boundary) {
    double area = 0, doubtful = 0;
    size_t stride = boundary->triangle_count / DOUBT_SAMPLES + 1;
    for (size_t t = 0; t < boundary->triangle_count && cdg_patience_lasts(f->budget.patience); t += stride) {
        cdg_vec3 c[3];
        for (int k = 0; k < 3; k++) c[k] = vec3_sub(boundary->points[boundary->triangles[t][k]], f->soup.origin);
        cdg_vec3 cross = vec3_cross(vec3_sub(c[1], c[0]), vec3_sub(c[2], c[0]));
        area += vec3_norm(cross);
        if (is_doubtful(f, c, vec3_normalize(cross))) doubtful += vec3_norm(cross);
    }
    return area > 0 ? doubtful / area : 0;
}

static cdg_result measure_boundary(filling *f, const cdg_mesh *mesh, cdg_error *error) {
    cdg_mesh boundary;
    cdg_lost lost;
    cdg_result result = cdg_mesh_boundary_patiently(mesh, &f->patience, &boundary, NULL, error);
    if (result != CDG_OK) return result;
    f->report.doubtful_share = doubtful_share(f, &boundary);
    if (!cdg_lost_measure(&f->soup, &f->inside, &boundary, f->report.quality.volume, f->options.size,
                          f->options.thread_count, &f->budget, &lost))
        result = cdg_budget_fail(&f->budget, error);
    f->report.lost_share = lost.share;
    f->report.lost_thickness = lost.thickness;
    cdg_mesh_free(&boundary);
    return result;
}

// ---- result ---------------------------------------------------------------------------------------------------------

// The caller's arrays come from malloc, so that free returns them; they count like the mesher's own.
static cdg_result hand_over(filling *f, cdg_mesh *out, cdg_error *error) {
    uint64_t bytes = f->mesh.point_count * sizeof *out->points + f->mesh.tetrahedron_count * sizeof *out->tetrahedra;
    out->points = malloc(f->mesh.point_count * sizeof *out->points);
    out->tetrahedra = malloc(f->mesh.tetrahedron_count * sizeof *out->tetrahedra);
    if (out->points == NULL || out->tetrahedra == NULL) {
        cdg_mesh_free(out);
        return cdg_budget_fail(&f->budget, error);
    }
    out->point_count = f->mesh.point_count;
    out->tetrahedron_count = f->mesh.tetrahedron_count;
    for (size_t i = 0; i < out->point_count && cdg_budget_lasts(&f->budget, i); i++)
        out->points[i] = vec3_add(f->mesh.points[i], f->soup.origin);
    for (size_t i = 0; i < out->tetrahedron_count && cdg_budget_lasts(&f->budget, i); i++)
        memcpy(out->tetrahedra[i], f->mesh.tetrahedra[i], sizeof *out->tetrahedra);
    if (cdg_patience_is_over(&f->patience)) {
        cdg_mesh_free(out);
        return cdg_budget_fail(&f->budget, error);
    }
    if (f->budget.used + bytes > f->budget.peak) f->budget.peak = f->budget.used + bytes;
    cdg_raw_mesh_free(&f->mesh, &f->budget);
    return CDG_OK;
}

// What goes out is sound, or nothing does.
static cdg_result check_result(const filling *f, const cdg_mesh *mesh, cdg_error *error) {
    cdg_mesh_faults faults;
    cdg_result result = cdg_mesh_check_patiently(mesh, f->budget.patience, &faults, error);
    if (result != CDG_OK || faults.total == 0) return result;
    return cdg_fail(error, CDG_ERROR_NO_CONVERGENCE,
                    "mesh: the result has %zu faults (%zu flat or inverted elements), so it is withheld; %schange the "
                    "size, %g m, a little",
                    faults.total, faults.flat.count + faults.inverted.count,
                    f->options.keep_creases > 0 ? "keep no creases, or " : "", f->options.size);
}

static cdg_result complete_report(filling *f, const cdg_mesh *mesh, cdg_error *error) {
    cdg_mesher_report *r = &f->report;
    cdg_result result = cdg_mesh_measure_patiently(mesh, &f->patience, &r->quality, error);
    if (result == CDG_OK) result = measure_boundary(f, mesh, error);
    r->tetrahedron_count = mesh->tetrahedron_count;
    r->point_count = mesh->point_count;
    r->size = f->options.size;
    r->triangles_dropped = f->soup.dropped;
    r->triangles_flipped = f->soup.flipped;
    r->components = f->soup.components;
    r->one_sided = f->soup.one_sided;
    r->doubled = f->soup.doubled;
    r->peak_bytes = f->budget.peak;
    progress_enter(&f->progress, CDG_MESHER_IMPROVE, 1);
    if (result == CDG_OK && cdg_patience_is_over(&f->patience)) result = cdg_budget_fail(&f->budget, error);
    memcpy(r->seconds, f->progress.seconds, sizeof r->seconds);
    return result;
}

static void release(filling *f) {
    cdg_raw_mesh_free(&f->mesh, &f->budget);
    cdg_vote_free(&f->vote, &f->budget);
    cdg_winding_free(&f->winding, &f->budget);
    cdg_soup_free(&f->soup, &f->budget);
}

cdg_result cdg_mesh_fill(const cdg_mesh *surface, const cdg_mesher_options *options, cdg_mesh *out,
                         cdg_mesher_report *report, cdg_error *error) {
    if (surface == NULL || out == NULL) return cdg_fail_null(error, surface == NULL ? "surface" : "out");
    *out = (cdg_mesh){0};
    filling f = {.options = options != NULL ? *options : cdg_mesher_options_default()};
    cdg_result result = check_options(&f.options, error);
    if (result != CDG_OK) return result;
    complete_options(&f);
    result = prepare(&f, surface, error);
    if (result == CDG_OK) {
        if (!progress_enter(&f.progress, CDG_MESHER_INSIDE, 0.1)) result = CDG_ERROR_INTERRUPTED;
        if (result == CDG_OK) result = generate(&f);
        if (result == CDG_OK && !cdg_manifold_repair(&f.mesh, &f.budget, &f.report.pieces)) result = CDG_ERROR_MEMORY;
        result = explain(&f, result, error);
    }
    if (result == CDG_OK) result = drop_open_pieces(&f, error);
    if (result == CDG_OK) {
        result = finish_mesh(&f);
        result = explain(&f, result, error);
    }
    if (result == CDG_OK) result = hand_over(&f, out, error);
    if (result == CDG_OK) result = check_result(&f, out, error);
    if (result == CDG_OK) result = complete_report(&f, out, error);
    if (result == CDG_OK && report != NULL) *report = f.report;
    if (result != CDG_OK) cdg_mesh_free(out);
    release(&f);
    return result;
}
