// From any triangles to ones that the mesher can use: checked, welded, without doubles.
#include "meshing/soup.h"

#include "base/error.h"
#include "math/vec3.h"
#include "meshing/orient.h"

#include <string.h>

void cdg_soup_free(cdg_soup *soup, cdg_budget *budget) {
    cdg_budget_give(budget, soup->points);
    cdg_budget_give(budget, soup->triangles);
    cdg_budget_give(budget, soup->mate);
    *soup = (cdg_soup){0};
}

void cdg_soup_flip(cdg_soup *soup) {
    for (size_t t = 0; t < soup->triangle_count; t++) cdg_orient_flip(soup, t);
    soup->flipped = soup->triangle_count - soup->flipped;
}

// ---- checks ---------------------------------------------------------------------------------------------------------

static cdg_result check_surface(const cdg_mesh *surface, cdg_error *error) {
    if (surface->triangle_count == 0 || surface->point_count == 0)
        return cdg_fail(error, CDG_ERROR_ARGUMENT, "mesh: the surface has no triangles");
    if (surface->triangle_count > UINT32_MAX / 4 || surface->point_count > UINT32_MAX - 2)
        return cdg_fail(error, CDG_ERROR_ARGUMENT,
                        "mesh: %zu triangles and %zu points are too many; at most %u triangles can be told apart",
                        surface->triangle_count, surface->point_count, UINT32_MAX / 4);
    for (size_t i = 0; i < 3 * surface->triangle_count; i++) {
        uint32_t corner = surface->triangles[i / 3][i % 3];
        if (corner >= surface->point_count)
            return cdg_fail(error, CDG_ERROR_ARGUMENT, "mesh: triangle %zu has the corner %u, but there are %zu points",
                            i / 3, corner, surface->point_count);
        cdg_vec3 p = surface->points[corner];
        if (!vec3_is_finite(p))
            return cdg_fail(error, CDG_ERROR_ARGUMENT,
                            "mesh: point %u of triangle %zu is (%g, %g, %g); give it finite coordinates", corner, i / 3,
                            p.x, p.y, p.z);
    }
    return CDG_OK;
}

// ---- points ---------------------------------------------------------------------------------------------------------

static void find_box(cdg_soup *soup, const cdg_mesh *surface) {
    cdg_vec3 low = surface->points[surface->triangles[0][0]], high = low;
    for (size_t i = 0; i < 3 * surface->triangle_count; i++) {
        cdg_vec3 p = surface->points[surface->triangles[i / 3][i % 3]];
        low = vec3(fmin(low.x, p.x), fmin(low.y, p.y), fmin(low.z, p.z));
        high = vec3(fmax(high.x, p.x), fmax(high.y, p.y), fmax(high.z, p.z));
    }
    soup->origin = vec3(low.x / 2 + high.x / 2, low.y / 2 + high.y / 2, low.z / 2 + high.z / 2);
    soup->low = vec3_sub(low, soup->origin);
    soup->high = vec3_sub(high, soup->origin);
}

static uint64_t mix(uint64_t z) {
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

typedef struct welding {
    uint32_t *table; // numbers of points, by hash of their cell, or of their place when the tolerance is zero
    size_t slots;
    double tolerance; // m
} welding;

static uint64_t hash_three(const uint64_t bits[3]) {
    return mix(bits[0] + 0x9E3779B97F4A7C15u * mix(bits[1] + 0x9E3779B97F4A7C15u * mix(bits[2])));
}

// Of the cell, four tolerances wide, that holds p.
static uint64_t hash_point(cdg_vec3 p, double tolerance) {
    double values[3] = {p.x + 0.0, p.y + 0.0, p.z + 0.0}; // -0 and 0 are one place
    if (tolerance > 0)
        for (int k = 0; k < 3; k++) values[k] = floor(values[k] / (4 * tolerance)) + 0.0;
    uint64_t bits[3];
    memcpy(bits, values, sizeof bits);
    return hash_three(bits);
}

// The slot of a point within the tolerance of p, among those of the cell of `corner`; or the empty one at the end.
static size_t find_slot(const welding *w, const cdg_soup *soup, cdg_vec3 p, cdg_vec3 corner) {
    size_t slot = hash_point(corner, w->tolerance) & (w->slots - 1);
    while (w->table[slot] != UINT32_MAX && vec3_distance(soup->points[w->table[slot]], p) > w->tolerance)
        slot = (slot + 1) & (w->slots - 1);
    return slot;
}

// The number of the first point within the tolerance, which may be in a cell next to p's own; else a new one.
static uint32_t find_or_add(const welding *w, cdg_soup *soup, cdg_vec3 p) {
    size_t own = find_slot(w, soup, p, p);
    double r = w->tolerance;
    for (int c = 0; c < 8 && r > 0 && w->table[own] == UINT32_MAX; c++) {
        size_t slot = find_slot(w, soup, p, vec3_add(p, vec3(c & 1 ? r : -r, c & 2 ? r : -r, c & 4 ? r : -r)));
        if (w->table[slot] != UINT32_MAX) return w->table[slot];
    }
    if (w->table[own] == UINT32_MAX) {
        w->table[own] = (uint32_t)soup->point_count;
        soup->points[soup->point_count++] = p;
    }
    return w->table[own];
}

// Points at the same place become one. `number` of a point that no triangle has stays UINT32_MAX.
static bool weld(const cdg_mesh *surface, double tolerance, cdg_budget *budget, cdg_soup *soup, uint32_t *number) {
    welding w = {.slots = 64, .tolerance = tolerance};
    while (w.slots < 2 * surface->point_count) w.slots *= 2;
    w.table = cdg_budget_take(budget, w.slots, sizeof *w.table);
    if (w.table == NULL) return false;
    memset(w.table, 0xFF, w.slots * sizeof *w.table);
    memset(number, 0xFF, surface->point_count * sizeof *number);
    for (size_t i = 0; i < 3 * surface->triangle_count; i++) {
        uint32_t corner = surface->triangles[i / 3][i % 3];
        if (!cdg_budget_lasts(budget, i)) break;
        if (number[corner] == UINT32_MAX)
            number[corner] = find_or_add(&w, soup, vec3_sub(surface->points[corner], soup->origin));
    }
    cdg_budget_give(budget, w.table);
    return !cdg_patience_is_over(budget->patience);
}

// ---- triangles ------------------------------------------------------------------------------------------------------

static cdg_vec3 area_vector(const cdg_soup *soup, const uint32_t c[3]) {
    cdg_vec3 a = soup->points[c[0]];
    return vec3_scale(0.5, vec3_cross(vec3_sub(soup->points[c[1]], a), vec3_sub(soup->points[c[2]], a)));
}

static uint64_t hash_triangle(const uint32_t c[3]) { // the same for any order
    return mix(mix(c[0]) + mix(c[1]) + mix(c[2]) + 0x9E3779B97F4A7C15u * ((uint64_t)c[0] ^ c[1] ^ c[2]));
}

static bool has_the_same_corners(const uint32_t a[3], const uint32_t b[3]) {
    int shared = 0;
    for (int i = 0; i < 3; i++) shared += a[i] == b[0] || a[i] == b[1] || a[i] == b[2];
    return shared == 3;
}

// Keeps triangles with an area, each set of corners once.
static bool collect_triangles(const cdg_mesh *surface, const uint32_t *number, cdg_budget *budget, cdg_soup *soup) {
    size_t slots = 64;
    while (slots < 2 * surface->triangle_count) slots *= 2;
    uint32_t *table = cdg_budget_take(budget, slots, sizeof *table);
    if (table == NULL) return false;
    memset(table, 0xFF, slots * sizeof *table);
    double box = vec3_distance(soup->low, soup->high), least_area = 1e-24 * box * box;
    for (size_t t = 0; t < surface->triangle_count; t++) {
        uint32_t c[3];
        if (!cdg_budget_lasts(budget, t)) break;
        for (int k = 0; k < 3; k++) c[k] = number[surface->triangles[t][k]];
        double area = vec3_norm(area_vector(soup, c));
        if (c[0] == c[1] || c[1] == c[2] || c[2] == c[0] || !(area > least_area)) continue;
        size_t slot = hash_triangle(c) & (slots - 1);
        while (table[slot] != UINT32_MAX && !has_the_same_corners(soup->triangles[table[slot]], c))
            slot = (slot + 1) & (slots - 1);
        if (table[slot] != UINT32_MAX) continue;
        table[slot] = (uint32_t)soup->triangle_count;
        soup->area += area;
        memcpy(soup->triangles[soup->triangle_count++], c, sizeof c);
    }
    soup->dropped = surface->triangle_count - soup->triangle_count;
    cdg_budget_give(budget, table);
    return !cdg_patience_is_over(budget->patience);
}

static cdg_result check_size(const cdg_soup *soup, cdg_error *error) {
    double box = vec3_distance(soup->low, soup->high), far = vec3_norm(soup->origin) + box;
    if (!isfinite(far * far))
        return cdg_fail(error, CDG_ERROR_ARGUMENT, "mesh: coordinates up to %g m are too large to compute with", far);
    if (soup->triangle_count == 0)
        return cdg_fail(error, CDG_ERROR_ARGUMENT, "mesh: none of the %zu triangles has an area", soup->dropped);
    cdg_vec3 e = vec3_sub(soup->high, soup->low);
    if (soup->triangle_count < 4 || fmin(e.x, fmin(e.y, e.z)) <= 1e-9 * box)
        return cdg_fail(error, CDG_ERROR_ARGUMENT, "mesh: %zu triangles in a box of %g x %g x %g m enclose nothing",
                        soup->triangle_count, e.x, e.y, e.z);
    if (box <= 1e-9 * far)
        return cdg_fail(error, CDG_ERROR_ARGUMENT,
                        "mesh: the surface is %g m large and %g m away from the origin, too far to tell its points "
                        "apart; move it nearer",
                        box, far);
    return CDG_OK;
}

static cdg_result build(const cdg_mesh *surface, double tolerance, cdg_budget *budget, cdg_soup *out,
                        cdg_error *error) {
    cdg_result result = CDG_OK;
    *out = (cdg_soup){0};
    find_box(out, surface);
    uint32_t *number = cdg_budget_take(budget, surface->point_count, sizeof *number);
    out->points = cdg_budget_take(budget, surface->point_count, sizeof *out->points);
    out->triangles = cdg_budget_take(budget, surface->triangle_count, sizeof *out->triangles);
    out->mate = cdg_budget_take(budget, 3 * surface->triangle_count, sizeof *out->mate);
    bool has_memory = number != NULL && out->points != NULL && out->triangles != NULL && out->mate != NULL &&
                      weld(surface, tolerance, budget, out, number) && collect_triangles(surface, number, budget, out);
    cdg_budget_give(budget, number);
    if (has_memory) result = check_size(out, error);
    if (has_memory && result == CDG_OK) has_memory = cdg_orient(out, budget);
    if (!has_memory) result = cdg_budget_fail(budget, error);
    if (result != CDG_OK) cdg_soup_free(out, budget);
    return result;
}

// Well below what edges measure, and below a millionth of the box.
static double noise_tolerance(const cdg_soup *soup) {
    double edge = sqrt(2.3 * soup->area / (double)soup->triangle_count);
    return fmin(1e-6 * vec3_distance(soup->low, soup->high), 0.01 * edge);
}

// Corners that differ by rounding leave seams open. Where joining those that are nearly at one place closes most of
// what was open, they are joined; a surface that is closed stays as it is, so that thin walls do.
static cdg_result close_seams(const cdg_mesh *surface, cdg_budget *budget, cdg_soup *soup) {
    cdg_soup joined;
    cdg_error ignored;
    if (soup->open_share == 0) return CDG_OK;
    cdg_result result = build(surface, noise_tolerance(soup), budget, &joined, &ignored);
    if (result == CDG_ERROR_MEMORY || result == CDG_ERROR_INTERRUPTED) return result;
    if (result != CDG_OK) return CDG_OK; // as given, then
    bool is_better = joined.open_share < 0.5 * soup->open_share;
    cdg_soup_free(is_better ? soup : &joined, budget);
    if (is_better) *soup = joined;
    return CDG_OK;
}

cdg_result cdg_soup_build(const cdg_mesh *surface, cdg_budget *budget, cdg_soup *out, cdg_error *error) {
    *out = (cdg_soup){0};
    cdg_result result = check_surface(surface, error);
    if (result == CDG_OK) result = build(surface, 0, budget, out, error);
    if (result != CDG_OK) return result;
    result = close_seams(surface, budget, out);
    if (result == CDG_OK) return CDG_OK;
    cdg_soup_free(out, budget);
    return cdg_budget_fail(budget, error);
}
