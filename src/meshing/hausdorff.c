// The largest distance of a surface from another, by branch and bound. Within a triangle the distance to the other
// surface is at most (1) the distance to any one triangle of it, which is a convex function, so its largest value is at
// a corner; (2) the distance at the centroid plus the way to the farthest corner. Triangles whose bound is above the
// largest distance found so far are cut into four, the one with the largest bound first.
#include "meshing/hausdorff.h"

#include "base/error.h"
#include "base/parallel.h"
#include "math/vec3.h"
#include "meshing/mesh_work.h"
#include "meshing/triangle_tree.h"

#include <stdlib.h>

static const double tolerance = 0.05; // of the distance
// The work is cut short after one cut for so many triangles of both surfaces, and some more: surfaces that are far from
// each other everywhere by nearly the same distance have no place that stands out. A cut asks for six distances, the
// first look for one and a half a triangle; so cuts take as long as that, half a second apart.
enum { TRIANGLES_A_CUT = 4, CUTS_MORE = 50000, CHUNK = 256 };

typedef struct piece {
    cdg_vec3 corners[3];
    double distance[4]; // of the corners and the centroid
    uint32_t leaf[4];   // nearest to them
    double bound;
} piece;

typedef struct search {
    const cdg_mesh *from;
    cdg_triangle_tree tree;
    double *distance; // of each point of `from`
    uint32_t *leaf;
    piece *pieces; // first: one for each triangle of `from`; later a heap
    size_t count, capacity;
    double largest, rounding;
    cdg_vec3 at;
    cdg_patience *patience;
} search;

static cdg_vec3 centroid(const cdg_vec3 c[3]) { return vec3_scale(1.0 / 3, vec3_add(c[0], vec3_add(c[1], c[2]))); }

static double find_distance(const search *in, cdg_vec3 point, uint32_t hint, uint32_t *leaf) {
    return sqrt(cdg_triangle_tree_nearest(&in->tree, point, hint, leaf));
}

// Of what is known at its corners and centroid.
static void set_bound(const search *in, piece *p) {
    cdg_vec3 middle = centroid(p->corners);
    double reach = 0;
    for (int k = 0; k < 3; k++) reach = fmax(reach, vec3_norm(vec3_sub(p->corners[k], middle)));
    p->bound = p->distance[3] + reach;
    for (int i = 0; i < 4; i++) {
        if (i > 0 && p->leaf[i] == p->leaf[i - 1]) continue;
        double worst = 0;
        for (int k = 0; k < 3; k++)
            worst = fmax(worst, cdg_triangle_distance2(in->tree.corners[p->leaf[i]], p->corners[k]));
        p->bound = fmin(p->bound, sqrt(worst));
    }
    for (int i = 0; i < 4; i++) p->bound = fmax(p->bound, p->distance[i]); // rounding
}

static void look_at_points(void *user, size_t index, int thread) {
    search *in = user;
    if (!cdg_patience_lasts_on(in->patience, thread)) return;
    size_t end = (index + 1) * CHUNK < in->from->point_count ? (index + 1) * CHUNK : in->from->point_count;
    uint32_t hint = 0;
    for (size_t i = index * CHUNK; i < end; i++) {
        in->distance[i] = find_distance(in, in->from->points[i], hint, &in->leaf[i]);
        hint = in->leaf[i];
    }
}

static void look_at_triangles(void *user, size_t index, int thread) {
    search *in = user;
    if (!cdg_patience_lasts_on(in->patience, thread)) return;
    size_t end = (index + 1) * CHUNK < in->from->triangle_count ? (index + 1) * CHUNK : in->from->triangle_count;
    for (size_t i = index * CHUNK; i < end; i++) {
        piece *p = &in->pieces[i];
        for (int k = 0; k < 3; k++) {
            uint32_t point = in->from->triangles[i][k];
            p->corners[k] = in->from->points[point];
            p->distance[k] = in->distance[point];
            p->leaf[k] = in->leaf[point];
        }
        p->distance[3] = find_distance(in, centroid(p->corners), p->leaf[0], &p->leaf[3]);
        set_bound(in, p);
    }
}

static void note(search *in, double distance, cdg_vec3 at) {
    if (distance > in->largest) in->largest = distance, in->at = at;
}

static bool is_of_interest(const search *in, const piece *p) {
    return p->bound > in->largest * (1 + tolerance) + in->rounding;
}

// ---- heap: the largest bound first ----------------------------------------------------------------------------------

static void sink(search *in, size_t index) {
    piece moved = in->pieces[index];
    for (;;) {
        size_t child = 2 * index + 1;
        if (child >= in->count) break;
        if (child + 1 < in->count && in->pieces[child + 1].bound > in->pieces[child].bound) child++;
        if (in->pieces[child].bound <= moved.bound) break;
        in->pieces[index] = in->pieces[child];
        index = child;
    }
    in->pieces[index] = moved;
}

static bool push(search *in, const piece *p) {
    if (in->count == in->capacity) {
        size_t larger = 2 * in->capacity + 64;
        piece *grown = realloc(in->pieces, larger * sizeof *grown);
        if (grown == NULL) return false;
        in->pieces = grown;
        in->capacity = larger;
    }
    size_t index = in->count++;
    while (index > 0 && in->pieces[(index - 1) / 2].bound < p->bound) {
        in->pieces[index] = in->pieces[(index - 1) / 2];
        index = (index - 1) / 2;
    }
    in->pieces[index] = *p;
    return true;
}

static piece pop(search *in) {
    piece top = in->pieces[0];
    in->pieces[0] = in->pieces[--in->count];
    if (in->count > 0) sink(in, 0);
    return top;
}

// ---- search ---------------------------------------------------------------------------------------------------------

static void note_piece(search *in, const piece *p) {
    for (int k = 0; k < 3; k++) note(in, p->distance[k], p->corners[k]);
    note(in, p->distance[3], centroid(p->corners));
}

// At the middles of the sides, into four; the one in the middle has the same centroid.
static void cut(const search *in, const piece *whole, piece parts[4]) {
    piece *inner = &parts[3];
    *inner = *whole;
    for (int k = 0; k < 3; k++) {
        inner->corners[k] = vec3_lerp(whole->corners[(k + 1) % 3], whole->corners[(k + 2) % 3], 0.5);
        inner->distance[k] = find_distance(in, inner->corners[k], whole->leaf[3], &inner->leaf[k]);
    }
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < 3; i++) { // corner k stays, the others are middles
            const piece *source = i == k ? whole : inner;
            int from = i == k ? k : 3 - i - k;
            parts[k].corners[i] = source->corners[from];
            parts[k].distance[i] = source->distance[from];
            parts[k].leaf[i] = source->leaf[from];
        }
        parts[k].distance[3] = find_distance(in, centroid(parts[k].corners), whole->leaf[k], &parts[k].leaf[3]);
    }
    for (int k = 0; k < 4; k++) {
        set_bound(in, &parts[k]);
        parts[k].bound = fmin(parts[k].bound, whole->bound); // it is a part
    }
}

static bool refine(search *in, double *bound) {
    size_t cuts = (in->from->triangle_count + in->tree.count) / TRIANGLES_A_CUT + CUTS_MORE;
    for (; in->count > 0 && is_of_interest(in, &in->pieces[0]) && cuts > 0; cuts--) {
        piece top = pop(in), parts[4];
        if (!cdg_patience_lasts_at(in->patience, cuts)) return false;
        cut(in, &top, parts);
        for (int i = 0; i < 4; i++) note_piece(in, &parts[i]);
        for (int i = 0; i < 4; i++)
            if (is_of_interest(in, &parts[i]) && !push(in, &parts[i])) return false;
    }
    *bound = in->largest * (1 + tolerance) + in->rounding;
    if (in->count > 0) *bound = fmax(*bound, in->pieces[0].bound);
    return true;
}

static bool begin(search *in, int thread_count) {
    size_t count = in->from->triangle_count, points = in->from->point_count;
    in->pieces = malloc(count * sizeof *in->pieces);
    in->distance = malloc(points * sizeof *in->distance);
    in->leaf = malloc(points * sizeof *in->leaf);
    if (in->pieces == NULL || in->distance == NULL || in->leaf == NULL) return false;
    int threads = thread_count > 0 ? thread_count : cdg_parallel_default_threads();
    cdg_parallel_for((points + CHUNK - 1) / CHUNK, threads, look_at_points, in);
    if (!cdg_patience_is_over(in->patience))
        cdg_parallel_for((count + CHUNK - 1) / CHUNK, threads, look_at_triangles, in);
    if (cdg_patience_is_over(in->patience)) return false;
    double size = 0;
    for (size_t i = 0; i < count; i++) {
        note_piece(in, &in->pieces[i]);
        for (int k = 0; k < 3; k++) size = fmax(size, vec3_norm(in->pieces[i].corners[k]));
    }
    in->rounding = 1e-12 * size;
    in->capacity = count;
    for (size_t i = 0; i < count; i++)
        if (is_of_interest(in, &in->pieces[i])) in->pieces[in->count++] = in->pieces[i];
    for (size_t i = in->count / 2; i-- > 0;) sink(in, i);
    return true;
}

cdg_result cdg_hausdorff_measure(const cdg_mesh *from, const cdg_mesh *to, int thread_count, cdg_patience *patience,
                                 cdg_hausdorff *out, cdg_error *error) {
    *out = (cdg_hausdorff){0};
    if (from->triangle_count == 0 || to->triangle_count == 0)
        return cdg_fail(error, CDG_ERROR_ARGUMENT, "there is no distance between surfaces without triangles");
    search in = {.from = from, .largest = -1, .patience = patience};
    bool has_memory =
        cdg_triangle_tree_build(to, patience, &in.tree) && begin(&in, thread_count) && refine(&in, &out->bound);
    out->distance = in.largest;
    out->at = in.at;
    cdg_triangle_tree_free(&in.tree);
    free(in.pieces);
    free(in.distance);
    free(in.leaf);
    return has_memory ? CDG_OK : cdg_mesh_work_fail(patience, "for the distance between surfaces", error);
}
