// Meshes from triangles: angles and soundness over random surfaces, volumes of known bodies, orders of convergence,
// and damaged surfaces. `radius` spoils the surface's size before it is meshed.
#include "validation/case_functions.h"
#include "validation/random_surfaces.h"

#include "math/vec3.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SHAPES = 10000, SHAPES_QUICK = 60 };
static const double pi = 3.14159265358979323846;

static double degrees(double angle) { return angle * 180 / pi; }

static void spoil(const validation_context *context, cdg_triangle_mesh *s) {
    for (size_t p = 0; p < s->point_count; p++) s->points[p] = vec3_scale(context->factor.radius, s->points[p]);
}

static cdg_mesher_options options_of(const validation_context *context, double size) {
    cdg_mesher_options o = cdg_mesher_options_default();
    o.size = size;
    o.thread_count = context->thread_count;
    return o;
}

// ---- random surfaces ------------------------------------------------------------------------------------------------

typedef struct worst {
    double smallest, largest; // angles
    size_t faults, meshed, empty, elements;
} worst;

static cdg_result mesh_random(const validation_context *context, uint64_t seed, worst *w, cdg_error *error) {
    cdg_triangle_mesh s;
    if (!random_surface(seed, &s)) return CDG_ERROR_MEMORY;
    cdg_mesher_options o = options_of(context, 2.5 / (3 + (double)(seed % 7)) * context->factor.radius);
    o.grading = seed % 5 == 0 ? 0 : 1;
    spoil(context, &s);
    cdg_tetrahedral_mesh mesh;
    cdg_mesher_report report;
    cdg_mesh_faults faults;
    cdg_result result = cdg_mesh_fill(&s, &o, &mesh, &report, error);
    cdg_triangle_mesh_free(&s);
    if (result == CDG_ERROR_ARGUMENT) { // nothing enclosed at this size: a sentence, no mesh
        w->empty++;
        return CDG_OK;
    }
    if (result == CDG_OK) result = cdg_mesh_check(&mesh, &faults, error);
    if (result == CDG_OK) {
        w->faults += faults.total;
        w->meshed++;
        w->elements += mesh.tetrahedron_count;
        w->smallest = fmin(w->smallest, report.quality.smallest_dihedral);
        w->largest = fmax(w->largest, report.quality.largest_dihedral);
    }
    cdg_tetrahedral_mesh_free(&mesh);
    return result;
}

// ---- known bodies ---------------------------------------------------------------------------------------------------

// The trefoil (2, 3) on a torus, as a tube.
static bool make_knot(cdg_triangle_mesh *out) {
    enum { SECTIONS = 400 };
    cdg_vec3 curve[SECTIONS];
    for (int i = 0; i < SECTIONS; i++) {
        double t = 2 * pi * i / SECTIONS, r = 1 + 0.4 * cos(3 * t);
        curve[i] = vec3(r * cos(2 * t), r * sin(2 * t), 0.4 * sin(3 * t));
    }
    return tube_surface(curve, SECTIONS, 0.18, out);
}

static bool make_torus(cdg_triangle_mesh *out) {
    enum { SECTIONS = 200 };
    cdg_vec3 curve[SECTIONS];
    for (int i = 0; i < SECTIONS; i++) curve[i] = vec3(cos(2 * pi * i / SECTIONS), sin(2 * pi * i / SECTIONS), 0);
    return tube_surface(curve, SECTIONS, 0.4, out);
}

// A plate of (2 kind + 1) x 3 cubes with `kind` holes: genus 0 to 5.
static bool has_no_hole(const int cell[3], int kind) {
    return cell[0] < 2 * kind + 3 && !(kind > 0 && cell[1] == 1 && cell[0] % 2 == 1 && cell[0] < 2 * kind);
}

static bool make_plate(int genus, cdg_triangle_mesh *out) {
    const int count[3] = {2 * genus + 3, 3, 2};
    return block_surface(count, has_no_hole, genus, 1.0 / 3, out);
}

enum { BODIES = 8 };
static bool make_body(int which, cdg_triangle_mesh *out) {
    return which == 0 ? make_torus(out) : which == 1 ? make_knot(out) : make_plate(which - 2, out);
}

// Chooses the size that gives about 8,000 elements, by two trials.
static cdg_result mesh_about_8000(const validation_context *context, const cdg_triangle_mesh *s, double volume,
                                  cdg_mesher_report *report, cdg_error *error) {
    double size = cbrt(volume / 8000 * 12);
    cdg_result result = CDG_OK;
    for (int trial = 0; trial < 3 && result == CDG_OK; trial++) {
        cdg_mesher_options o = options_of(context, size);
        o.keep_creases = 0.7;
        cdg_tetrahedral_mesh mesh;
        result = cdg_mesh_fill(s, &o, &mesh, report, error);
        cdg_tetrahedral_mesh_free(&mesh);
        if (result == CDG_OK) size *= pow((double)report->tetrahedron_count / 8000, 0.4);
    }
    return result;
}

static cdg_result check_bodies(validation_context *context, cdg_error *error) {
    static const char *const names[BODIES] = {"torus",
                                              "knotted tube",
                                              "plate of genus 0",
                                              "plate of genus 1",
                                              "plate of genus 2",
                                              "plate of genus 3",
                                              "plate of genus 4",
                                              "plate of genus 5"};
    cdg_result result = CDG_OK;
    for (int i = 0; i < BODIES && result == CDG_OK; i++) {
        cdg_triangle_mesh s;
        cdg_mesher_report report;
        char label[VALIDATION_TEXT_SIZE];
        if (!make_body(i, &s)) return CDG_ERROR_MEMORY;
        double volume = surface_volume(&s);
        spoil(context, &s);
        result = mesh_about_8000(context, &s, volume, &report, error);
        cdg_triangle_mesh_free(&s);
        snprintf(label, sizeof label, "%s: volume at 8,000 elements", names[i]);
        if (result == CDG_OK) validation_add_relative(context, label, "m^3", report.quality.volume, volume, 0.01);
    }
    return result;
}

// Half of the triangles missing.
static cdg_result check_half_gone(validation_context *context, cdg_error *error) {
    cdg_triangle_mesh s;
    if (!make_torus(&s)) return CDG_ERROR_MEMORY;
    double volume = surface_volume(&s);
    spoil(context, &s);
    uint64_t bits = 1;
    size_t kept = 0;
    for (size_t t = 0; t < s.triangle_count; t++) {
        bits = bits * 6364136223846793005u + 1442695040888963407u;
        if (bits >> 63) memmove(s.triangles[kept++], s.triangles[t], sizeof *s.triangles);
    }
    s.triangle_count = kept;
    cdg_mesher_options o = options_of(context, 0.12);
    cdg_tetrahedral_mesh mesh;
    cdg_mesher_report report;
    cdg_result result = cdg_mesh_fill(&s, &o, &mesh, &report, error);
    cdg_triangle_mesh_free(&s);
    if (result != CDG_OK) return result;
    validation_add_relative(context, "torus, half of its triangles missing: volume", "m^3", report.quality.volume,
                            volume, 0.05);
    validation_add_absolute(context, "torus, half of its triangles missing: pieces", "", (double)report.pieces, 1, 0);
    cdg_tetrahedral_mesh_free(&mesh);
    return CDG_OK;
}

cdg_result validate_meshing(validation_context *context, cdg_error *error) {
    cdg_result result = check_bodies(context, error);
    if (result == CDG_OK) result = check_half_gone(context, error);
    if (validation_is_decided(context)) return result;
    worst w = {.smallest = pi};
    uint64_t shapes = context->is_quick ? SHAPES_QUICK : SHAPES;
    for (uint64_t seed = 0; seed < shapes && result == CDG_OK; seed++) {
        result = mesh_random(context, seed, &w, error);
        if (context->on_progress != NULL) context->on_progress(context->user, (double)seed / (double)shapes);
    }
    if (result != CDG_OK) return result;
    validation_add_limit(context, "random surfaces: 10.7 degrees less smallest angle", "deg",
                         fmax(0, 10.7 - degrees(w.smallest)), 0);
    validation_add_limit(context, "random surfaces: largest angle less 164.8 degrees", "deg",
                         fmax(0, degrees(w.largest) - 164.8), 0);
    validation_add_limit(context, "random surfaces: faults of meshes", "", (double)w.faults, 0);
    validation_add_information(context, "random surfaces: smallest angle", "deg", degrees(w.smallest));
    validation_add_information(context, "random surfaces: largest angle", "deg", degrees(w.largest));
    validation_add_information(context, "random surfaces meshed", "", (double)w.meshed);
    validation_add_information(context, "random surfaces that enclose nothing at their size", "", (double)w.empty);
    validation_add_information(context, "random surfaces: elements", "", (double)w.elements);
    return CDG_OK;
}
