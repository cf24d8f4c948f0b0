// Sphere trees: building, moving, and the search to a level of detail.
#include "solids/sphere_tree.h"
#include "base/error.h"
#include "base/processor.h"
#include "math/eigen3.h"
#include "math/mat3.h"
#include "math/vec3.h"

#include <stdlib.h>
#include <string.h>

#if defined(__x86_64__)
#define CHOOSE(name, ...)                                                                                              \
    (cdg_processor_lanes() == CDG_LANES_AVX512 ? name##_avx512(__VA_ARGS__)                                            \
     : cdg_processor_lanes() == CDG_LANES_AVX2 ? name##_avx2(__VA_ARGS__)                                              \
                                               : name##_base(__VA_ARGS__))
#else
#define CHOOSE(name, ...) name##_base(__VA_ARGS__)
#endif

// ---- balls ----------------------------------------------------------------------------------------------------------

static cdg_vec3 point_of(double *const x[3], size_t i) { return vec3(x[0][i], x[1][i], x[2][i]); }

// Towards the farthest point by ever smaller steps (Badoiu and Clarkson 2003).
cdg_sphere cdg_sphere_around(double *const x[3], size_t first, size_t count, double *weights) {
    enum { ROUNDS = 100 };
    cdg_vec3 c = point_of(x, first);
    for (size_t i = 0; i < count && weights != NULL; i++) weights[i] = i == 0;
    double radius2 = 0;
    for (int round = 1; round <= ROUNDS + 1; round++) {
        size_t farthest = 0;
        radius2 = -1;
        for (size_t i = 0; i < count; i++) {
            double d2 = vec3_dot(vec3_sub(point_of(x, first + i), c), vec3_sub(point_of(x, first + i), c));
            if (d2 > radius2) radius2 = d2, farthest = i;
        }
        if (round > ROUNDS || count == 1) break;
        double share = 1.0 / (round + 1);
        c = vec3_mad(vec3_scale(1 - share, c), share, point_of(x, first + farthest));
        for (size_t i = 0; i < count && weights != NULL; i++) weights[i] *= 1 - share;
        if (weights != NULL) weights[farthest] += share;
    }
    return (cdg_sphere){c, sqrt(radius2)};
}

// ---- functions ------------------------------------------------------------------------------------------------------

static double monomial(int which, cdg_vec3 p) {
    const double value[9] = {p.x, p.y, p.z, p.x * p.x, p.y * p.y, p.z * p.z, p.x * p.y, p.y * p.z, p.z * p.x};
    return value[which];
}

static double dot(const double *a, const double *b, size_t count) {
    double sum = 0;
    for (size_t i = 0; i < count; i++) sum += a[i] * (b != NULL ? b[i] : 1);
    return sum;
}

static void take_off(double *from, double share, const double *what, size_t count) {
    for (size_t i = 0; i < count; i++) from[i] -= share * (what != NULL ? what[i] : 1);
}

// Orthonormal, by Gram and Schmidt twice; what depends on those before is zero.
static void build_basis(cdg_sphere_tree *t) {
    size_t n = t->point_count;
    cdg_vec3 middle = vec3(0, 0, 0), rows[3] = {{0}};
    double size2 = 0;
    for (size_t i = 0; i < n; i++) middle = vec3_mad(middle, 1 / (double)n, point_of(t->x, i));
    for (size_t i = 0; i < n; i++) {
        cdg_vec3 p = vec3_sub(point_of(t->x, i), middle);
        size2 = fmax(size2, vec3_dot(p, p));
    }
    for (int b = 0; b < t->basis_count; b++) {
        double *phi = t->basis[b], least = b < 3 ? 1e-16 : 1e-6;
        for (size_t i = 0; i < n; i++)
            phi[i] = monomial(b, vec3_scale(size2 > 0 ? 1 / sqrt(size2) : 1, vec3_sub(point_of(t->x, i), middle)));
        double before = dot(phi, phi, n);
        for (int round = 0; round < 2; round++) {
            for (int a = 0; a < b; a++) take_off(phi, dot(phi, t->basis[a], n), t->basis[a], n);
            take_off(phi, dot(phi, NULL, n) / (double)n, NULL, n);
        }
        double after = dot(phi, phi, n), unit = after > least * before && after > 0 ? 1 / sqrt(after) : 0;
        for (size_t i = 0; i < n; i++) phi[i] *= unit;
        if (b < 3 && unit == 0) t->is_flat = true;
        for (size_t i = 0; i < n && b < 3; i++)
            rows[b] = vec3_mad(rows[b], phi[i], vec3_sub(point_of(t->x, i), middle)); // p = sum rows_b phi_b
    }
    if (t->is_flat) return;
    double det = vec3_dot(rows[0], vec3_cross(rows[1], rows[2]));
    for (int b = 0; b < 3; b++) { // phi_b = frame[b] . p
        cdg_vec3 inverse = vec3_scale(1 / det, vec3_cross(rows[(b + 1) % 3], rows[(b + 2) % 3]));
        t->frame[b][0] = inverse.x, t->frame[b][1] = inverse.y, t->frame[b][2] = inverse.z;
    }
}

// ---- building -------------------------------------------------------------------------------------------------------

typedef struct sorted_point {
    double key;
    uint32_t index;
} sorted_point;

static int compare_points(const void *a, const void *b) {
    const sorted_point *p = a, *q = b;
    if (p->key != q->key) return p->key < q->key ? -1 : 1;
    return p->index < q->index ? -1 : p->index > q->index;
}

// Halves, along the longest side of their box.
static void split(cdg_sphere_tree *t, const cdg_vec3 *rest, size_t node, sorted_point *room) {
    sphere_node *n = &t->nodes[node];
    if (n->count <= SPHERE_TREE_LEAF) return;
    double low[3] = {HUGE_VAL, HUGE_VAL, HUGE_VAL}, high[3] = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
    for (uint32_t i = n->first; i < n->first + n->count; i++) {
        const double at[3] = {rest[t->index[i]].x, rest[t->index[i]].y, rest[t->index[i]].z};
        for (int k = 0; k < 3; k++) low[k] = fmin(low[k], at[k]), high[k] = fmax(high[k], at[k]);
    }
    int axis = 0;
    for (int k = 1; k < 3; k++)
        if (high[k] - low[k] > high[axis] - low[axis]) axis = k;
    for (uint32_t i = 0; i < n->count; i++) {
        cdg_vec3 p = rest[t->index[n->first + i]];
        room[i] = (sorted_point){axis == 0 ? p.x : axis == 1 ? p.y : p.z, t->index[n->first + i]};
    }
    qsort(room, n->count, sizeof *room, compare_points);
    for (uint32_t i = 0; i < n->count; i++) t->index[n->first + i] = room[i].index;
    uint32_t half = n->count / 2;
    n->child = (uint32_t)t->node_count;
    t->nodes[t->node_count++] = (sphere_node){.first = n->first, .count = half, .level = n->level + 1};
    t->nodes[t->node_count++] =
        (sphere_node){.first = n->first + half, .count = n->count - half, .level = n->level + 1};
}

// Centre at rest, with functions there, and how far its points are from both.
static void enclose(cdg_sphere_tree *t, const sphere_node *n, sphere_rest *out, double *weights) {
    cdg_sphere ball = cdg_sphere_around(t->x, n->first, n->count, weights);
    for (int b = 0; b < t->basis_count; b++)
        for (uint32_t i = 0; i < n->count; i++) out->middle[b] += weights[i] * t->basis[b][n->first + i];
    double spread2 = 0, bend2 = 0;
    for (uint32_t i = n->first; i < n->first + n->count; i++) {
        double linear = 0, quadratic = 0;
        for (int b = 0; b < t->basis_count; b++) {
            double away = t->basis[b][i] - out->middle[b];
            *(b < 3 ? &linear : &quadratic) += away * away;
        }
        spread2 = fmax(spread2, linear);
        bend2 = fmax(bend2, quadratic);
    }
    out->spread = t->is_flat ? sqrt(spread2) : ball.radius;
    out->bend = sqrt(bend2);
}

static void place_arrays(cdg_sphere_tree *t, double *base) {
    size_t used = 0;
    for (int b = 0; b < t->basis_count; b++) t->basis[b] = base + t->room * used++;
    for (int k = 0; k < 3; k++) t->x[k] = base + t->room * used++;
    t->away2 = base + t->room * used;
}

cdg_result cdg_sphere_tree_build(cdg_sphere_tree *t, const cdg_vec3 *rest, size_t count, bool is_quadratic,
                                 cdg_error *error) {
    *t = (cdg_sphere_tree){.point_count = count, .basis_count = is_quadratic ? SPHERE_TREE_BASIS_MAX : 3};
    if (count == 0) return cdg_fail(error, CDG_ERROR_ARGUMENT, "a tree of spheres needs points");
    t->room = (count + SPHERE_TREE_GROUP - 1) / SPHERE_TREE_GROUP * SPHERE_TREE_GROUP;
    size_t arrays = (size_t)t->basis_count + 4;
    t->block = aligned_alloc(64, arrays * t->room * sizeof(double));
    t->index = malloc(count * sizeof *t->index);
    t->nodes = malloc(2 * count * sizeof *t->nodes);
    t->ranges = malloc(2 * count * sizeof *t->ranges);
    t->rests = calloc(2 * count, sizeof *t->rests);
    t->residual = calloc(2 * count, sizeof *t->residual);
    sorted_point *room = malloc(count * sizeof *room);
    double *weights = malloc(count * sizeof *weights);
    bool is_good = t->block != NULL && t->index != NULL && t->nodes != NULL && t->ranges != NULL && t->rests != NULL &&
                   t->residual != NULL && room != NULL && weights != NULL;
    if (is_good) {
        memset(t->block, 0, arrays * t->room * sizeof(double));
        place_arrays(t, t->block);
        for (size_t i = 0; i < count; i++) t->index[i] = (uint32_t)i;
        t->nodes[t->node_count++] = (sphere_node){.count = (uint32_t)count};
        for (size_t n = 0; n < t->node_count; n++) split(t, rest, n, room);
        for (size_t i = 0; i < count; i++) {
            cdg_vec3 p = rest[t->index[i]];
            t->x[0][i] = p.x, t->x[1][i] = p.y, t->x[2][i] = p.z;
        }
        build_basis(t);
        for (size_t n = 0; n < t->node_count; n++) {
            const sphere_node *node = &t->nodes[n];
            t->ranges[n] = (sphere_range){node->first, node->count, node->child};
            enclose(t, node, &t->rests[n], weights);
        }
    }
    free(room);
    free(weights);
    if (is_good) return CDG_OK;
    cdg_sphere_tree_free(t);
    return cdg_fail(error, CDG_ERROR_MEMORY, "no memory for a tree of spheres around %zu points", count);
}

void cdg_sphere_tree_free(cdg_sphere_tree *t) {
    free(t->block);
    free(t->index);
    free(t->nodes);
    free(t->ranges);
    free(t->rests);
    free(t->residual);
    *t = (cdg_sphere_tree){0};
}

// ---- moving ---------------------------------------------------------------------------------------------------------

// Largest singular value of the matrix whose columns are given.
static double norm_of(double columns[][3], size_t count) {
    mat3 a = {{{0}}}, axes;
    double value[3];
    for (size_t b = 0; b < count; b++)
        for (int i = 0; i < 3; i++)
            for (int k = 0; k < 3; k++) a.m[i][k] += columns[b][i] * columns[b][k];
    eigen3(a, value, &axes);
    return sqrt(fmax(0, fmax(value[0], fmax(value[1], value[2]))));
}

void cdg_sphere_tree_move(cdg_sphere_tree *t, double *const x[3], const uint32_t *at) {
    for (int k = 0; k < 3; k++) {
        for (size_t i = 0; i < t->point_count; i++) t->x[k][i] = x[k][at != NULL ? at[t->index[i]] : t->index[i]];
        for (size_t i = t->point_count; i < t->room; i++) t->x[k][i] = t->x[k][0];
    }
    CHOOSE(cdg_sphere_tree_sum, t);
    CHOOSE(cdg_sphere_tree_leave, t);
    double linear[3][3] = {{0}};
    for (int b = 0; b < 3; b++)
        for (int i = 0; i < 3; i++)
            for (int k = 0; k < 3; k++) linear[k][i] += t->fit[b][i] * t->frame[b][k]; // columns of the gradient
    t->linear_norm = t->is_flat ? norm_of(t->fit, 3) : norm_of(linear, 3);
    t->quadratic_norm = t->basis_count > 3 ? norm_of(t->fit + 3, (size_t)t->basis_count - 3) : 0;
    for (size_t n = t->node_count; n-- > 0;) { // children come later than their parents
        sphere_range range = t->ranges[n];
        double most2 = 0;
        if (range.child != 0) {
            double one = t->residual[range.child], other = t->residual[range.child + 1];
            t->residual[n] = one > other ? one : other;
            continue;
        }
        for (uint32_t i = range.first; i < range.first + range.count; i++)
            most2 = t->away2[i] > most2 ? t->away2[i] : most2;
        t->residual[n] = sqrt(most2);
    }
    t->stamp++;
}

static inline cdg_sphere make_sphere(const cdg_sphere_tree *t, size_t which) {
    const sphere_rest *rest = &t->rests[which];
    double c[3] = {t->center.x, t->center.y, t->center.z};
    for (int b = 0; b < t->basis_count; b++)
        for (int k = 0; k < 3; k++) c[k] += t->fit[b][k] * rest->middle[b];
    const double rounding = 1 + 1e-12;
    double radius = t->linear_norm * rest->spread + t->quadratic_norm * rest->bend + t->residual[which];
    return (cdg_sphere){vec3(c[0], c[1], c[2]), rounding * radius};
}

static inline const sphere_node *fresh(cdg_sphere_tree *t, size_t which) {
    sphere_node *n = &t->nodes[which];
    if (n->stamp == t->stamp) return n;
    n->sphere = make_sphere(t, which);
    n->stamp = t->stamp;
    t->updates++;
    return n;
}

cdg_sphere cdg_sphere_tree_get(cdg_sphere_tree *t, size_t which) { return fresh(t, which)->sphere; }

void cdg_sphere_tree_refresh(cdg_sphere_tree *t, uint32_t level) {
    for (size_t n = 0; n < t->node_count && t->nodes[n].level <= level; n++) (void)fresh(t, n); // by level
}

// ---- searching ------------------------------------------------------------------------------------------------------

void cdg_sphere_pairs_free(sphere_pairs *it) {
    free(it->pairs);
    free(it->stack);
    *it = (sphere_pairs){0};
}

static bool reserve(sphere_pair **list, size_t count, size_t *capacity) {
    if (count <= *capacity) return true;
    size_t more = 2 * count + 256;
    sphere_pair *grown = realloc(*list, more * sizeof *grown);
    if (grown == NULL) return false;
    *list = grown;
    *capacity = more;
    return true;
}

static inline bool do_meet(const sphere_node *a, const sphere_node *b) {
    cdg_vec3 away = vec3_sub(a->sphere.center, b->sphere.center);
    double reach = a->sphere.radius + b->sphere.radius;
    return vec3_dot(away, away) <= reach * reach;
}

static inline bool is_last(const sphere_node *n, uint32_t level) { return (n->child == 0) | (n->level >= level); }

// The larger sphere is opened first. Pairs on the stack meet and are not both last. Whether spheres meet is as good as
// random: both entries are written, and what is counted decides, so that the processor need not guess.
bool cdg_sphere_trees_meet(cdg_sphere_tree *a, cdg_sphere_tree *b, uint32_t level, sphere_pairs *out) {
    const sphere_node *one = fresh(a, 0), *other = fresh(b, 0);
    if (!do_meet(one, other)) return true;
    size_t depth = 0;
    if (!reserve(&out->stack, 1, &out->stack_capacity) || !reserve(&out->pairs, out->count + 1, &out->capacity))
        return false;
    bool are_last = is_last(one, level) && is_last(other, level);
    out->pairs[out->count] = out->stack[depth] = (sphere_pair){0, 0};
    out->count += are_last, depth += !are_last;
    while (depth > 0) {
        sphere_pair top = out->stack[--depth];
        if (!reserve(&out->stack, depth + 2, &out->stack_capacity) ||
            !reserve(&out->pairs, out->count + 2, &out->capacity))
            return false;
        const sphere_node *p = &a->nodes[top.a], *q = &b->nodes[top.b];
        bool can_a = !is_last(p, level), opens_a = can_a & (is_last(q, level) | (p->sphere.radius >= q->sphere.radius));
        const sphere_node *kept = opens_a ? q : p;
        cdg_sphere_tree *opened = opens_a ? a : b;
        uint32_t first = opens_a ? p->child : q->child;
        bool kept_last = is_last(kept, level);
        for (uint32_t k = 2; k-- > 0;) {
            const sphere_node *child = fresh(opened, first + k);
            bool meets = do_meet(child, kept), ends = kept_last & is_last(child, level);
            sphere_pair next = {opens_a ? first + k : top.a, opens_a ? top.b : first + k};
            out->pairs[out->count] = out->stack[depth] = next;
            out->count += meets & ends, depth += meets & (ends ^ 1);
        }
    }
    return true;
}
