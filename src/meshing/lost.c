// Samples spread evenly over the surface: one with inside on one side and outside on the other is lost when no part of
// the mesh's boundary is within half an element.
#include "meshing/lost.h"

#include "base/parallel.h"
#include "math/vec3.h"
#include "meshing/triangle_tree.h"

#include <stdlib.h>

// Some for each element at the surface: more would see no more.
enum { SAMPLES_LEAST = 1024, SAMPLES_MOST = 4096, SAMPLES_EACH = 8, PIECE = 64 };

typedef struct sample {
    cdg_vec3 position, normal;
    bool is_surface, is_lost;
    bool is_simple; // winding numbers of one inside and of zero outside
    double thickness;
} sample;

typedef struct search {
    const cdg_soup *soup;
    const cdg_inside *inside;
    const cdg_triangle_tree *tree;
    double size, reach; // m
    sample *samples;
    size_t count; // of samples, in whole pieces
    cdg_patience *patience;
} search;

double cdg_soup_volume(const cdg_soup *soup) {
    double sum = 0;
    for (size_t t = 0; t < soup->triangle_count; t++)
        sum += vec3_dot(cdg_soup_corner(soup, t, 0),
                        vec3_cross(cdg_soup_corner(soup, t, 1), cdg_soup_corner(soup, t, 2))) /
               6;
    return sum;
}

// The place in the triangle follows a sequence that fills the square evenly, folded into a triangle.
static void place_in(const search *s, size_t triangle, size_t index, sample *out) {
    cdg_vec3 a = cdg_soup_corner(s->soup, triangle, 0);
    cdg_vec3 u = vec3_sub(cdg_soup_corner(s->soup, triangle, 1), a);
    cdg_vec3 v = vec3_sub(cdg_soup_corner(s->soup, triangle, 2), a);
    double x = fmod(0.5 + 0.7548776662466927 * (double)index, 1), y = fmod(0.5 + 0.5698402909980532 * (double)index, 1);
    if (x + y > 1) {
        x = 1 - x;
        y = 1 - y;
    }
    out->position = vec3_mad(vec3_mad(a, x, u), y, v);
    out->normal = vec3_normalize(vec3_cross(u, v));
}

static void place_samples(search *s) { // evenly in area
    size_t next = 0;
    double sum = 0;
    for (size_t t = 0; t < s->soup->triangle_count; t++) {
        cdg_vec3 a = cdg_soup_corner(s->soup, t, 0);
        sum += 0.5 * vec3_norm(vec3_cross(vec3_sub(cdg_soup_corner(s->soup, t, 1), a),
                                          vec3_sub(cdg_soup_corner(s->soup, t, 2), a)));
        for (; next < s->count && ((double)next + 0.5) / (double)s->count * s->soup->area <= sum; next++)
            place_in(s, t, next, &s->samples[next]);
    }
    for (; next < s->count; next++) place_in(s, s->soup->triangle_count - 1, next, &s->samples[next]);
}

// Through the wall to where the surface is met again.
static double wall_behind(const search *s, cdg_vec3 from, cdg_vec3 way) {
    enum { MOST = 16 };
    cdg_crossing crossings[MOST];
    double length = vec3_distance(s->soup->low, s->soup->high);
    size_t count = cdg_winding_cross(s->inside->winding, from, vec3_mad(from, length, way), crossings, MOST);
    if (count == 0) return length;
    return count <= MOST ? crossings[0].position * length : 0; // of more than these not all were seen
}

static void look_at(const search *s, sample *at) {
    cdg_vec3 out = vec3_mad(at->position, s->reach, at->normal), in = vec3_mad(at->position, -s->reach, at->normal);
    double outer = cdg_inside_value(s->inside, out), inner = cdg_inside_value(s->inside, in);
    at->is_surface = (outer > 0) != (inner > 0);
    at->is_simple = fabs(fmax(outer, inner) + s->inside->threshold - 1) < 0.1 &&
                    fabs(fmin(outer, inner) + s->inside->threshold) < 0.1;
    if (!at->is_surface) return;
    uint32_t leaf;
    at->is_lost = cdg_triangle_tree_nearest(s->tree, vec3_add(at->position, s->soup->origin), 0, &leaf) >
                  0.25 * s->size * s->size;
    if (!at->is_lost) return;
    bool is_inward = inner > 0;
    at->thickness = s->reach + wall_behind(s, is_inward ? in : out, vec3_scale(is_inward ? -1 : 1, at->normal));
}

static void look(void *user, size_t index, int thread) {
    search *s = user;
    if (!cdg_patience_lasts_on(s->patience, thread)) return;
    for (size_t i = index * PIECE; i < (index + 1) * PIECE; i++) look_at(s, &s->samples[i]);
}

static int compare_numbers(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void gather(const search *s, double volume, cdg_lost *out) {
    double walls[SAMPLES_MOST];
    size_t surface = 0, lost = 0, count = 0;
    bool is_simple = s->soup->is_closed && s->inside->rule == CDG_INSIDE_WINDING && !s->inside->is_absolute;
    for (size_t i = 0; i < s->count; i++) {
        surface += s->samples[i].is_surface;
        lost += s->samples[i].is_lost;
        is_simple = is_simple && s->samples[i].is_simple;
        if (s->samples[i].is_lost && s->samples[i].thickness > 0) walls[count++] = s->samples[i].thickness;
    }
    qsort(walls, count, sizeof *walls, compare_numbers);
    out->share = surface > 0 ? (double)lost / (double)surface : 0;
    out->thickness = count > 0 ? walls[count / 2] : 0;
    double whole = cdg_soup_volume(s->soup);
    if (is_simple && whole > 0) out->share = fmax(out->share, 1 - volume / whole);
}

bool cdg_lost_measure(const cdg_soup *soup, const cdg_inside *inside, const cdg_mesh *boundary, double volume,
                      double size, int thread_count, cdg_budget *budget, cdg_lost *out) {
    cdg_triangle_tree tree;
    search s = {.soup = soup, .inside = inside, .tree = &tree, .size = size, .patience = budget->patience};
    s.reach = inside->rule == CDG_INSIDE_VOTE ? inside->vote->voxel : 1e-3 * size;
    *out = (cdg_lost){0};
    double wanted = fmin(SAMPLES_MOST, fmax(SAMPLES_LEAST, SAMPLES_EACH * soup->area / (size * size)));
    s.count = (size_t)(wanted / PIECE) * PIECE;
    s.samples = cdg_budget_take_zero(budget, s.count, sizeof *s.samples);
    if (s.samples == NULL) return false;
    bool has_memory = cdg_triangle_tree_build(boundary, budget->patience, &tree);
    if (has_memory) {
        place_samples(&s);
        cdg_parallel_for(s.count / PIECE, thread_count, look, &s);
        gather(&s, volume, out);
        cdg_triangle_tree_free(&tree);
    }
    cdg_budget_give(budget, s.samples);
    return has_memory;
}
