// The largest distance of a surface from another, by branch and bound. Within a triangle the distance to the other
// surface is at most (1) the distance to any one triangle of it, which is a convex function, so its largest value is at
// a corner; (2) the distance at the centroid plus the way to the farthest corner. Triangles whose bound is above the
// largest distance found so far are cut into four, the one with the largest bound first.
#include "meshing/hausdorff.h"

#include "base/error.h"
#include "base/parallel.h"
#include "math/vec3.h"
#include "meshing/triangle_tree.h"

#include <stdlib.h>

static const double tolerance = 0.05; // of the distance
// The work is cut short after so many pieces for each triangle of this and of the other surface, and these in addition:
// surfaces that are far from each other everywhere by nearly the same distance have no place that stands out.
enum { PIECES_EACH = 16, PIECES_OTHER = 4, PIECES_MORE = 20000, CHUNK = 256 };

typedef struct piece {
    cdg_vec3 corners[3];
    double bound;
    uint32_t leaf; // near it
} piece;

typedef struct search {
    const cdg_triangle_mesh *from;
    cdg_triangle_tree tree;
    piece *pieces; // first: one for each triangle of `from`; later a heap
    double *found; // for each triangle, the largest distance at its corners and centroid
    cdg_vec3 *found_at;
    size_t count, capacity;
    double largest, rounding;
    cdg_vec3 at;
} search;

// Sets the bound; *largest and *at become those of the piece's own points.
static void look_at(const search *in, piece *p, double *largest, cdg_vec3 *at) {
    cdg_vec3 points[4] = {p->corners[0], p->corners[1], p->corners[2]};
    points[3] = vec3_scale(1.0 / 3, vec3_add(points[0], vec3_add(points[1], points[2])));
    uint32_t leaves[4];
    double distance[4];
    *largest = -1;
    for (int i = 0; i < 4; i++) {
        distance[i] = sqrt(cdg_triangle_tree_nearest(&in->tree, points[i], p->leaf, &leaves[i]));
        if (distance[i] > *largest) *largest = distance[i], *at = points[i];
        p->leaf = leaves[i];
    }
    double reach = 0;
    for (int k = 0; k < 3; k++) reach = fmax(reach, vec3_norm(vec3_sub(points[k], points[3])));
    p->bound = distance[3] + reach;
    for (int i = 0; i < 4; i++) {
        double worst = 0;
        for (int k = 0; k < 3; k++) worst = fmax(worst, cdg_triangle_distance2(in->tree.corners[leaves[i]], points[k]));
        p->bound = fmin(p->bound, sqrt(worst));
    }
    p->bound = fmax(p->bound, *largest); // rounding
}

static void look_at_chunk(void *user, size_t index, int thread) {
    (void)thread;
    search *in = user;
    size_t end = (index + 1) * CHUNK < in->from->triangle_count ? (index + 1) * CHUNK : in->from->triangle_count;
    uint32_t leaf = 0;
    for (size_t i = index * CHUNK; i < end; i++) {
        piece *p = &in->pieces[i];
        for (int k = 0; k < 3; k++) p->corners[k] = in->from->points[in->from->triangles[i][k]];
        p->leaf = leaf;
        look_at(in, p, &in->found[i], &in->found_at[i]);
        leaf = p->leaf;
    }
}

static void note(search *in, double distance, cdg_vec3 at) {
    if (distance > in->largest) in->largest = distance, in->at = at;
}

static bool is_of_interest(const search *in, const piece *p) {
    return p->bound > in->largest * (1 + tolerance) + in->rounding;
}

// ---- heap: the largest bound first ----------------------------------------------------------------------------------

static void sink(search *in, size_t place) {
    piece moved = in->pieces[place];
    for (;;) {
        size_t child = 2 * place + 1;
        if (child >= in->count) break;
        if (child + 1 < in->count && in->pieces[child + 1].bound > in->pieces[child].bound) child++;
        if (in->pieces[child].bound <= moved.bound) break;
        in->pieces[place] = in->pieces[child];
        place = child;
    }
    in->pieces[place] = moved;
}

static bool push(search *in, const piece *p) {
    if (in->count == in->capacity) {
        size_t larger = 2 * in->capacity + 64;
        piece *grown = realloc(in->pieces, larger * sizeof *grown);
        if (grown == NULL) return false;
        in->pieces = grown;
        in->capacity = larger;
    }
    size_t place = in->count++;
    while (place > 0 && in->pieces[(place - 1) / 2].bound < p->bound) {
        in->pieces[place] = in->pieces[(place - 1) / 2];
        place = (place - 1) / 2;
    }
    in->pieces[place] = *p;
    return true;
}

static piece pop(search *in) {
    piece top = in->pieces[0];
    in->pieces[0] = in->pieces[--in->count];
    if (in->count > 0) sink(in, 0);
    return top;
}

// ---- search ---------------------------------------------------------------------------------------------------------

// At the middles of the sides, into four.
static void cut(const piece *whole, piece parts[4]) {
    const cdg_vec3 *c = whole->corners;
    const cdg_vec3 middle[3] = {vec3_lerp(c[1], c[2], 0.5), vec3_lerp(c[2], c[0], 0.5), vec3_lerp(c[0], c[1], 0.5)};
    for (int k = 0; k < 3; k++)
        parts[k] = (piece){.corners = {c[k], middle[(k + 2) % 3], middle[(k + 1) % 3]}, .leaf = whole->leaf};
    parts[3] = (piece){.corners = {middle[0], middle[1], middle[2]}, .leaf = whole->leaf};
}

static bool refine(search *in, double *bound) {
    size_t budget = PIECES_EACH * in->from->triangle_count + PIECES_OTHER * in->tree.count + PIECES_MORE;
    while (in->count > 0 && is_of_interest(in, &in->pieces[0]) && budget >= 4) {
        piece top = pop(in), parts[4];
        cut(&top, parts);
        for (int i = 0; i < 4; i++, budget--) {
            double distance;
            cdg_vec3 at;
            look_at(in, &parts[i], &distance, &at);
            parts[i].bound = fmin(parts[i].bound, top.bound); // it is a part
            note(in, distance, at);
            if (is_of_interest(in, &parts[i]) && !push(in, &parts[i])) return false;
        }
    }
    *bound = in->largest * (1 + tolerance) + in->rounding;
    if (in->count > 0) *bound = fmax(*bound, in->pieces[0].bound);
    return true;
}

static bool begin(search *in, int thread_count) {
    size_t count = in->from->triangle_count;
    in->pieces = calloc(count, sizeof *in->pieces);
    in->found = malloc(count * sizeof *in->found);
    in->found_at = malloc(count * sizeof *in->found_at);
    if (in->pieces == NULL || in->found == NULL || in->found_at == NULL) return false;
    cdg_parallel_for((count + CHUNK - 1) / CHUNK, thread_count > 0 ? thread_count : cdg_parallel_default_threads(),
                     look_at_chunk, in);
    double size = 0;
    for (size_t i = 0; i < count; i++) {
        note(in, in->found[i], in->found_at[i]);
        for (int k = 0; k < 3; k++) size = fmax(size, vec3_norm(in->pieces[i].corners[k]));
    }
    in->rounding = 1e-12 * size;
    in->capacity = count;
    for (size_t i = 0; i < count; i++)
        if (is_of_interest(in, &in->pieces[i])) in->pieces[in->count++] = in->pieces[i];
    for (size_t i = in->count / 2; i-- > 0;) sink(in, i);
    return true;
}

cdg_result cdg_hausdorff_measure(const cdg_triangle_mesh *from, const cdg_triangle_mesh *to, int thread_count,
                                 cdg_hausdorff *out, cdg_error *error) {
    *out = (cdg_hausdorff){0};
    if (from->triangle_count == 0 || to->triangle_count == 0)
        return cdg_fail(error, CDG_ERROR_ARGUMENT, "there is no distance between surfaces without triangles");
    search in = {.from = from, .largest = -1};
    bool has_memory = cdg_triangle_tree_build(to, &in.tree) && begin(&in, thread_count) && refine(&in, &out->bound);
    out->distance = in.largest;
    out->at = in.at;
    cdg_triangle_tree_free(&in.tree);
    free(in.pieces);
    free(in.found);
    free(in.found_at);
    return has_memory ? CDG_OK : cdg_fail(error, CDG_ERROR_MEMORY, "out of memory for the distance between surfaces");
}
