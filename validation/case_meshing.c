// Meshes from triangles: angles and soundness over random surfaces, volumes of known bodies, orders of convergence,
// and damaged surfaces. `radius` spoils the surface's size before it is meshed.
#include "validation/case_functions.h"
#include "validation/mesh_bodies.h"
#include "validation/random_surfaces.h"
#include "validation/stencil_angles.h"

#include "math/random.h"
#include "meshing/hausdorff.h"
#include "meshing/stencil.h"

#include <stdio.h>

enum { SHAPES = 500, SHAPES_QUICK = 30, SHAPES_EXHAUSTIVE = 10000 };
static const double pi = 3.14159265358979323846;

static double degrees(double angle) { return angle * 180 / pi; }

static void spoil(const validation_context *context, cdg_mesh *s) {
    for (size_t p = 0; p < s->point_count; p++) s->points[p] = vec3_scale(context->factor.radius, s->points[p]);
}

static cdg_mesher_options options_of(const validation_context *context, double size) {
    cdg_mesher_options o = cdg_mesher_options_default();
    o.size = size;
    o.thread_count = context->thread_count;
    return o;
}

// ---- all stencils ---------------------------------------------------------------------------------------------------

// Of what the surface leaves of elements, before its points are fitted within the promised bounds.
static void check_stencils(validation_context *context) {
    static const double smallest = 11.77, largest = 160.9, degree = 0.017453292519943295;
    stencil_proof small = stencil_prove(stencil_near_long, stencil_near_short, smallest * degree, 164.8 * degree);
    stencil_proof large = stencil_prove(stencil_near_long, stencil_near_short, 10.7 * degree, largest * degree);
    validation_add_limit(context, "stencils: boxes where 11.77 degrees are not proven", "", (double)small.open, 0);
    validation_add_limit(context, "stencils: boxes where 160.9 degrees are not proven", "", (double)large.open, 0);
    validation_add_information(context, "stencils: cases", "", (double)small.cases);
    validation_add_information(context, "stencils: boxes of parameters", "", (double)(small.boxes + large.boxes));
    validation_add_information(context, "stencils: smallest angle met", "deg",
                               degrees(fmin(small.smallest, large.smallest)));
    validation_add_information(context, "stencils: largest angle met", "deg",
                               degrees(fmax(small.largest, large.largest)));
}

// ---- random surfaces ------------------------------------------------------------------------------------------------

typedef struct worst {
    double smallest, largest; // angles
    size_t faults, meshed, empty, elements;
} worst;

static cdg_result mesh_random(const validation_context *context, uint64_t seed, worst *w, cdg_error *error) {
    cdg_mesh s;
    if (!random_surface(seed, &s)) return CDG_ERROR_MEMORY;
    cdg_mesher_options o = options_of(context, 2.5 / (3 + (double)(seed % 7)) * context->factor.radius);
    o.grading = seed % 5 == 0 ? 0 : 1;
    spoil(context, &s);
    cdg_mesh mesh;
    cdg_mesher_report report;
    cdg_mesh_faults faults;
    cdg_result result = cdg_mesh_fill(&s, &o, &mesh, &report, error);
    cdg_mesh_free(&s);
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
    cdg_mesh_free(&mesh);
    return result;
}

// ---- whole bodies ---------------------------------------------------------------------------------------------------

static const double crease = 0.7; // rad: plates bend by more, round bodies by less

// Chooses the size that gives about 8,000 elements, by two trials.
static cdg_result mesh_about_8000(const validation_context *context, const cdg_mesh *s, double volume,
                                  cdg_mesher_report *report, cdg_error *error) {
    double size = cbrt(volume / 700);
    cdg_result result = CDG_OK;
    for (int trial = 0; trial < 3 && result == CDG_OK; trial++) {
        cdg_mesher_options o = options_of(context, size);
        o.keep_creases = crease;
        cdg_mesh mesh;
        result = cdg_mesh_fill(s, &o, &mesh, report, error);
        cdg_mesh_free(&mesh);
        if (result == CDG_OK) size *= pow((double)report->tetrahedron_count / 8000, 0.4);
    }
    return result;
}

static cdg_result check_bodies(validation_context *context, cdg_error *error) {
    cdg_result result = CDG_OK;
    for (int i = 0; i < MESH_BODIES && result == CDG_OK; i++) {
        cdg_mesh s;
        cdg_mesher_report report;
        char label[VALIDATION_TEXT_SIZE];
        if (!mesh_body(i, 1, &s)) return CDG_ERROR_MEMORY;
        double volume = surface_volume(&s);
        spoil(context, &s);
        result = mesh_about_8000(context, &s, volume, &report, error);
        cdg_mesh_free(&s);
        snprintf(label, sizeof label, "%s: volume at 8,000 elements", mesh_body_names[i]);
        if (result == CDG_OK) validation_add_relative(context, label, "m^3", report.quality.volume, volume, 0.01);
    }
    return result;
}

// ---- orders ---------------------------------------------------------------------------------------------------------

typedef struct errors {
    double volume;   // relative, without sign
    double distance; // m, the larger one of both ways; 0 when not asked for
    double elements;
} errors;

static cdg_result measure_distance(const validation_context *context, const cdg_mesh *s, const cdg_mesh *mesh,
                                   double *out, cdg_error *error) {
    cdg_mesh boundary;
    cdg_hausdorff there, back;
    cdg_result result = cdg_mesh_boundary(mesh, &boundary, NULL, error);
    if (result == CDG_OK) result = cdg_hausdorff_measure(&boundary, s, context->thread_count, NULL, &there, error);
    if (result == CDG_OK) result = cdg_hausdorff_measure(s, &boundary, context->thread_count, NULL, &back, error);
    if (result == CDG_OK) *out = fmax(there.distance, back.distance);
    cdg_mesh_free(&boundary);
    return result;
}

static cdg_result measure_errors(const validation_context *context, const cdg_mesh *s, double volume, double size,
                                 double keep_creases, bool wants_distance, errors *out, cdg_error *error) {
    cdg_mesher_options o = options_of(context, size);
    o.keep_creases = keep_creases;
    cdg_mesh mesh;
    cdg_mesher_report report;
    *out = (errors){0};
    cdg_result result = cdg_mesh_fill(s, &o, &mesh, &report, error);
    out->elements = result == CDG_OK ? (double)report.tetrahedron_count : 0;
    if (result == CDG_OK) out->volume = fabs(report.quality.volume / volume - 1);
    if (result == CDG_OK && wants_distance) result = measure_distance(context, s, &mesh, &out->distance, error);
    cdg_mesh_free(&mesh);
    return result;
}

enum { TURNS = 6, SIZES = 3, TURNS_QUICK = 2, SIZES_QUICK = 2 };

static void turn_surface(cdg_mesh *s, cdg_random *random) {
    cdg_quat turn = random_rotation(random);
    for (size_t p = 0; p < s->point_count; p++) s->points[p] = quat_rotate(turn, s->points[p]);
}

// Volume's is the root mean square over random turns of the body: how the lattice happens to lie would hide the order
// of errors that are this small. The distance is that of the first turn.
static cdg_result mean_errors(const validation_context *context, int body, double share, errors *out,
                              cdg_error *error) {
    int turns = context->is_quick ? TURNS_QUICK : TURNS;
    cdg_random random = {5};
    cdg_mesh s;
    cdg_result result = CDG_OK;
    *out = (errors){0};
    if (!mesh_body(body, context->is_quick ? 1 : 2, &s)) return CDG_ERROR_MEMORY;
    double volume = surface_volume(&s), size = share * cbrt(volume / 700);
    spoil(context, &s);
    for (int i = 0; i < turns && result == CDG_OK; i++) {
        errors one;
        turn_surface(&s, &random);
        result = measure_errors(context, &s, volume, size, 0, i == 0, &one, error);
        out->volume += one.volume * one.volume / turns;
        if (i == 0) out->distance = one.distance;
    }
    cdg_mesh_free(&s);
    out->volume = sqrt(out->volume);
    return result;
}

static void add_order(validation_context *context, const char *name, const char *what, double order) {
    char label[VALIDATION_TEXT_SIZE];
    snprintf(label, sizeof label, "%s: order of %s", name, what);
    validation_add_information(context, label, "", order);
    snprintf(label, sizeof label, "%s: 1.8 less order of %s", name, what);
    validation_add_limit(context, label, "", fmax(0, 1.8 - order), 0);
}

static cdg_result check_orders(validation_context *context, cdg_error *error) {
    static const double coarsest[] = {3, 2, 1.5}; // of the sphere, the torus, the knotted tube
    int halvings = (context->is_quick ? SIZES_QUICK : SIZES) - 1;
    for (int body = 0; body < (int)(sizeof coarsest / sizeof *coarsest); body++) {
        errors first = {0}, last = {0};
        for (int k = 0; k <= halvings; k++) {
            cdg_result result =
                mean_errors(context, body, coarsest[body] * pow(0.5, k), k == 0 ? &first : &last, error);
            if (result != CDG_OK) return result;
        }
        add_order(context, mesh_body_names[body], "volume", log2(first.volume / last.volume) / halvings);
        add_order(context, mesh_body_names[body], "distance", log2(first.distance / last.distance) / halvings);
    }
    return CDG_OK;
}

// ---- creases --------------------------------------------------------------------------------------------------------

// Of a box with its creases kept nothing is left to converge: volume and distance are those of the surface, however it
// is turned against the lattice. The limit is that of rounding, 1e-9, at which an order means nothing.
static cdg_result check_box(validation_context *context, cdg_error *error) {
    int turns = context->is_quick ? TURNS_QUICK : TURNS;
    cdg_random random = {5};
    for (int k = 0; k < (context->is_quick ? SIZES_QUICK : SIZES); k++) {
        double volume_error = 0, distance = 0, elements = 0;
        for (int i = 0; i < turns; i++) {
            cdg_mesh s;
            errors one;
            if (!mesh_box(&s)) return CDG_ERROR_MEMORY;
            double volume = surface_volume(&s);
            if (i > 0) turn_surface(&s, &random); // the first lies along the lattice
            spoil(context, &s);
            cdg_result result = measure_errors(context, &s, volume, 0.32 * pow(0.5, k), crease, true, &one, error);
            cdg_mesh_free(&s);
            if (result != CDG_OK) return result;
            volume_error = fmax(volume_error, one.volume);
            distance = fmax(distance, one.distance);
            elements += one.elements / turns;
        }
        char label[VALIDATION_TEXT_SIZE];
        snprintf(label, sizeof label, "box with creases, %.0f elements: error of volume", elements);
        validation_add_limit(context, label, "", volume_error, 1e-9);
        snprintf(label, sizeof label, "box with creases, %.0f elements: distance", elements);
        validation_add_limit(context, label, "m", distance, 1e-9);
    }
    return CDG_OK;
}

// ---- damage ---------------------------------------------------------------------------------------------------------

// Handles or cavities that the mesh has and the body does not, or the other way round.
static cdg_result count_holes(const cdg_mesh *mesh, int genus, double *out, cdg_error *error) {
    cdg_mesh boundary;
    cdg_result result = cdg_mesh_boundary(mesh, &boundary, NULL, error);
    if (result != CDG_OK) return result;
    *out = fabs((double)mesh_euler_number(&boundary) - (2 - 2 * genus)) / 2;
    cdg_mesh_free(&boundary);
    return CDG_OK;
}

static cdg_result check_damage(validation_context *context, int body, mesh_damage damage, cdg_error *error) {
    cdg_mesh s;
    cdg_mesh mesh;
    cdg_mesher_report report;
    char name[VALIDATION_TEXT_SIZE], label[VALIDATION_TEXT_SIZE];
    if (!mesh_body(body, 1, &s)) return CDG_ERROR_MEMORY;
    double volume = surface_volume(&s), holes = 0;
    bool has_memory = mesh_damage_surface(&s, damage, (uint64_t)body + 1);
    if (has_memory && damage == MESH_CROSSED) volume = mesh_union_volume(&s);
    spoil(context, &s);
    cdg_mesher_options o = options_of(context, cbrt(fabs(volume) / 700));
    cdg_result result = has_memory && volume > 0 ? cdg_mesh_fill(&s, &o, &mesh, &report, error) : CDG_ERROR_MEMORY;
    cdg_mesh_free(&s);
    if (result == CDG_OK && damage != MESH_CROSSED) // of two bodies through each other the genus is anything
        result = count_holes(&mesh, mesh_body_genus[body], &holes, error);
    if (result != CDG_OK) return result;
    snprintf(name, sizeof name, "%s, %s", mesh_body_names[body], mesh_damage_names[damage]);
    snprintf(label, sizeof label, "%.70s: volume", name);
    validation_add_relative(context, label, "m^3", report.quality.volume, volume, 0.05);
    snprintf(label, sizeof label, "%.70s: pieces and false holes", name);
    validation_add_absolute(context, label, "", (double)report.pieces + holes, 1, 0);
    cdg_mesh_free(&mesh);
    return CDG_OK;
}

static cdg_result check_damages(validation_context *context, cdg_error *error) {
    static const int quick[] = {1, 2, 9}; // torus, knotted tube, plate of genus 5
    int count = context->is_quick ? (int)(sizeof quick / sizeof *quick) : MESH_BODIES;
    cdg_result result = CDG_OK;
    for (int i = 0; i < count; i++)
        for (int d = 0; d < MESH_DAMAGES && result == CDG_OK; d++)
            result = check_damage(context, context->is_quick ? quick[i] : i, (mesh_damage)d, error);
    return result;
}

cdg_result validate_meshing(validation_context *context, cdg_error *error) {
    cdg_result result = check_bodies(context, error);
    if (validation_is_decided(context)) return result;
    check_stencils(context);
    if (result == CDG_OK) result = check_damages(context, error);
    if (result == CDG_OK) result = check_orders(context, error);
    if (result == CDG_OK) result = check_box(context, error);
    if (result != CDG_OK) return result;
    worst w = {.smallest = pi};
    uint64_t shapes = (uint64_t)validation_by_level(context, SHAPES_QUICK, SHAPES, SHAPES_EXHAUSTIVE);
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
