// A tree of boxes over triangles: halves along the longest side of the centroids' box, nearer child first.
#include "meshing/triangle_tree.h"

#include "math/vec3.h"

#include <stdlib.h>

enum { LEAF_MOST = 4, DEPTH_MOST = 64 };

typedef struct cdg_tree_box {
    cdg_vec3 low, high;
    uint32_t first, count; // leaf: triangles; inner node (count 0): children are this node + 1 and `first`
} cdg_tree_box;

typedef struct tree_item {
    cdg_vec3 middle;
    uint32_t triangle;
} tree_item;

// ---- distance -------------------------------------------------------------------------------------------------------

static double segment_distance2(cdg_vec3 a, cdg_vec3 b, cdg_vec3 p) {
    cdg_vec3 d = vec3_sub(b, a);
    double length2 = vec3_dot(d, d), t = length2 > 0 ? vec3_dot(vec3_sub(p, a), d) / length2 : 0;
    cdg_vec3 offset = vec3_sub(p, vec3_mad(a, t < 0 ? 0 : t > 1 ? 1 : t, d));
    return vec3_dot(offset, offset);
}

// Above the triangle the height, else the nearest side.
double cdg_triangle_distance2(const cdg_vec3 c[3], cdg_vec3 point) {
    cdg_vec3 normal = vec3_cross(vec3_sub(c[1], c[0]), vec3_sub(c[2], c[0]));
    double size2 = vec3_dot(normal, normal);
    bool is_above = size2 > 0;
    for (int k = 0; k < 3 && is_above; k++) {
        cdg_vec3 side = vec3_sub(c[(k + 1) % 3], c[k]);
        is_above = vec3_dot(vec3_cross(normal, side), vec3_sub(point, c[k])) >= 0;
    }
    if (is_above) {
        double height = vec3_dot(vec3_sub(point, c[0]), normal);
        return height * height / size2;
    }
    double least = HUGE_VAL;
    for (int k = 0; k < 3; k++) least = fmin(least, segment_distance2(c[k], c[(k + 1) % 3], point));
    return least;
}

static double outside(double value, double low, double high) {
    return value < low ? low - value : value > high ? value - high : 0;
}

static double box_distance2(const cdg_tree_box *box, cdg_vec3 p) {
    double x = outside(p.x, box->low.x, box->high.x), y = outside(p.y, box->low.y, box->high.y),
           z = outside(p.z, box->low.z, box->high.z);
    return x * x + y * y + z * z;
}

double cdg_triangle_tree_nearest(const cdg_triangle_tree *tree, cdg_vec3 point, uint32_t hint, uint32_t *leaf) {
    uint32_t stack[DEPTH_MOST], used = 0;
    *leaf = hint < tree->count ? hint : 0;
    double least = cdg_triangle_distance2(tree->corners[*leaf], point);
    stack[used++] = 0;
    while (used > 0) {
        uint32_t at = stack[--used];
        const cdg_tree_box *node = &tree->nodes[at];
        if (box_distance2(node, point) >= least) continue;
        for (uint32_t i = node->first; node->count > 0 && i < node->first + node->count; i++) {
            double distance2 = cdg_triangle_distance2(tree->corners[i], point);
            if (distance2 < least) least = distance2, *leaf = i;
        }
        if (node->count > 0) continue;
        uint32_t near = at + 1, far = node->first;
        if (box_distance2(&tree->nodes[far], point) < box_distance2(&tree->nodes[near], point))
            near = node->first, far = at + 1;
        stack[used++] = far;
        stack[used++] = near;
    }
    return least;
}

// ---- building -------------------------------------------------------------------------------------------------------

static cdg_vec3 lower(cdg_vec3 a, cdg_vec3 b) { return vec3(fmin(a.x, b.x), fmin(a.y, b.y), fmin(a.z, b.z)); }
static cdg_vec3 upper(cdg_vec3 a, cdg_vec3 b) { return vec3(fmax(a.x, b.x), fmax(a.y, b.y), fmax(a.z, b.z)); }

static double along(cdg_vec3 v, int axis) { return axis == 0 ? v.x : axis == 1 ? v.y : v.z; }

static int compare(const tree_item *a, const tree_item *b, int axis) {
    double x = along(a->middle, axis), y = along(b->middle, axis);
    if (x != y) return x < y ? -1 : 1;
    return (a->triangle > b->triangle) - (a->triangle < b->triangle);
}

// Quickselect: items before `middle` are not behind it along the axis. Ties are broken by the triangle, so that the
// order is the same on every machine.
static void part(tree_item *items, size_t count, size_t middle, int axis) {
    size_t low = 0, high = count - 1;
    while (low < high) {
        tree_item pivot = items[low + (high - low) / 2];
        size_t i = low, j = high;
        while (i <= j) {
            while (compare(&items[i], &pivot, axis) < 0) i++;
            while (compare(&pivot, &items[j], axis) < 0) j--;
            if (i > j) break;
            tree_item kept = items[i];
            items[i++] = items[j], items[j] = kept;
            if (j == 0) break;
            j--;
        }
        if (middle <= j)
            high = j;
        else if (middle >= i)
            low = i;
        else
            return;
    }
}

static int longest_side(const tree_item *items, size_t count) {
    cdg_vec3 low = items[0].middle, high = low;
    for (size_t i = 1; i < count; i++) low = lower(low, items[i].middle), high = upper(high, items[i].middle);
    cdg_vec3 size = vec3_sub(high, low);
    return size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2;
}

// Children follow their parent; the tree is as deep as halving goes.
static uint32_t build_node(cdg_triangle_tree *tree, tree_item *items, size_t first, size_t count,
                           cdg_patience *patience, uint32_t *used) {
    uint32_t at = (*used)++;
    cdg_tree_box *node = &tree->nodes[at];
    if (count <= LEAF_MOST || !cdg_patience_lasts_at(patience, count > 512 ? 0 : 1)) {
        node->first = (uint32_t)first, node->count = (uint32_t)count;
        return at;
    }
    size_t half = count / 2;
    part(items + first, count, half, longest_side(items + first, count));
    node->count = 0;
    build_node(tree, items, first, half, patience, used);
    tree->nodes[at].first = build_node(tree, items, first + half, count - half, patience, used);
    return at;
}

// From the leaves up, which stand behind their parents.
static void fit_boxes(cdg_triangle_tree *tree, uint32_t node_count) {
    for (uint32_t at = node_count; at-- > 0;) {
        cdg_tree_box *node = &tree->nodes[at];
        if (node->count == 0) {
            node->low = lower(tree->nodes[at + 1].low, tree->nodes[node->first].low);
            node->high = upper(tree->nodes[at + 1].high, tree->nodes[node->first].high);
            continue;
        }
        node->low = node->high = tree->corners[node->first][0];
        for (uint32_t i = node->first; i < node->first + node->count; i++)
            for (int k = 0; k < 3; k++) {
                node->low = lower(node->low, tree->corners[i][k]);
                node->high = upper(node->high, tree->corners[i][k]);
            }
    }
}

bool cdg_triangle_tree_build(const cdg_mesh *mesh, cdg_patience *patience, cdg_triangle_tree *out) {
    size_t count = mesh->triangle_count;
    *out = (cdg_triangle_tree){.count = count};
    if (count == 0 || count > UINT32_MAX / 2) return false;
    tree_item *items = malloc(count * sizeof *items);
    out->nodes = malloc(count * sizeof *out->nodes); // leaves hold more than one, so there are fewer nodes than this
    out->corners = malloc(count * sizeof *out->corners);
    out->source = malloc(count * sizeof *out->source);
    bool has_memory = items != NULL && out->nodes != NULL && out->corners != NULL && out->source != NULL;
    if (has_memory) {
        for (size_t i = 0; i < count; i++) {
            const uint32_t *t = mesh->triangles[i];
            cdg_vec3 sum = vec3_add(mesh->points[t[0]], vec3_add(mesh->points[t[1]], mesh->points[t[2]]));
            items[i] = (tree_item){vec3_scale(1.0 / 3, sum), (uint32_t)i};
        }
        uint32_t used = 0;
        build_node(out, items, 0, count, patience, &used);
        for (size_t i = 0; i < count; i++) {
            out->source[i] = items[i].triangle;
            for (int k = 0; k < 3; k++) out->corners[i][k] = mesh->points[mesh->triangles[items[i].triangle][k]];
        }
        fit_boxes(out, used);
    }
    bool is_built = has_memory && !cdg_patience_is_over(patience);
    if (!is_built) cdg_triangle_tree_free(out);
    free(items);
    return is_built;
}

void cdg_triangle_tree_free(cdg_triangle_tree *tree) {
    free(tree->nodes);
    free(tree->corners);
    free(tree->source);
    *tree = (cdg_triangle_tree){0};
}
