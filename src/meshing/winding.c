// The tree of triangles: built by halving at the median, evaluated from the root down; a node that is more than twice
// its radius away is replaced by three terms of the Taylor series of its dipoles' potential.
#include "meshing/winding.h"

#include "math/vec3.h"
#include "meshing/solid_angle.h"
#include "meshing/triangle.h"

#include <string.h>

enum { LEAF_TRIANGLES = 4, STACK = 128 };
static const double opening_ratio = 2; // distance over radius; the error is that of the third term left out
static const double four_pi = 12.566370614359172954;

void cdg_winding_free(cdg_winding *winding, cdg_budget *budget) {
    cdg_budget_give(budget, winding->nodes);
    cdg_budget_give(budget, winding->corners);
    cdg_budget_give(budget, winding->source);
    *winding = (cdg_winding){0};
}

// ---- moments --------------------------------------------------------------------------------------------------------

static cdg_vec3 area_vector(const cdg_vec3 c[3]) {
    return vec3_scale(0.5, vec3_cross(vec3_sub(c[1], c[0]), vec3_sub(c[2], c[0])));
}

static cdg_vec3 triangle_middle(const cdg_vec3 c[3]) {
    return vec3_scale(1.0 / 3, vec3_add(c[0], vec3_add(c[1], c[2])));
}

static void find_middle(const cdg_winding *w, cdg_winding_node *node) {
    double area = 0;
    cdg_vec3 sum = vec3(0, 0, 0);
    for (uint32_t t = node->begin; t < node->begin + node->count; t++) {
        double weight = vec3_norm(area_vector(w->corners[t]));
        sum = vec3_mad(sum, weight, triangle_middle(w->corners[t]));
        area += weight;
    }
    node->middle = vec3_scale(1 / area, sum);
}

static void find_extent(const cdg_winding *w, cdg_winding_node *node) {
    cdg_vec3 low = w->corners[node->begin][0], high = low;
    double radius2 = 0;
    for (uint32_t i = 3 * node->begin; i < 3 * (node->begin + node->count); i++) {
        cdg_vec3 p = w->corners[i / 3][i % 3], d = vec3_sub(p, node->middle);
        radius2 = fmax(radius2, vec3_dot(d, d));
        low = vec3(fmin(low.x, p.x), fmin(low.y, p.y), fmin(low.z, p.z));
        high = vec3(fmax(high.x, p.x), fmax(high.y, p.y), fmax(high.z, p.z));
    }
    node->far2 = radius2 * opening_ratio * opening_ratio;
    const double lows[3] = {low.x, low.y, low.z}, highs[3] = {high.x, high.y, high.z};
    for (int k = 0; k < 3; k++) {
        node->low[k] = nextafterf((float)lows[k], -HUGE_VALF);
        node->high[k] = nextafterf((float)highs[k], HUGE_VALF);
    }
}

// Adds the moments of one triangle: area vector n, offsets d of its middle, and the spread of its own area.
static void add_moments(const cdg_vec3 c[3], cdg_winding_node *node) {
    cdg_vec3 area = area_vector(c), middle = triangle_middle(c), offset = vec3_sub(middle, node->middle);
    const double n[3] = {area.x, area.y, area.z}, d[3] = {offset.x, offset.y, offset.z};
    double spread[3][3] = {{0}};
    for (int v = 0; v < 3; v++) {
        cdg_vec3 e3 = vec3_sub(c[v], middle);
        const double e[3] = {e3.x, e3.y, e3.z};
        for (int i = 0; i < 9; i++) spread[i / 3][i % 3] += e[i / 3] * e[i % 3] / 12;
    }
    for (int i = 0; i < 9; i++) spread[i / 3][i % 3] += d[i / 3] * d[i % 3];
    for (int k = 0; k < 3; k++) {
        node->dipole[k] += n[k];
        node->trace += n[k] * d[k];
        node->form[k] += n[k] * d[k];
        for (int i = 0; i < 3; i++) node->vector[k] += n[i] * spread[i][k] + 0.5 * n[k] * spread[i][i];
    }
    node->form[3] += n[0] * d[1] + n[1] * d[0];
    node->form[4] += n[0] * d[2] + n[2] * d[0];
    node->form[5] += n[1] * d[2] + n[2] * d[1];
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        if (j > k) {
            int kept = j;
            j = k;
            k = kept;
        }
        node->cubic[i] += n[i] * spread[i][i];
        node->cubic[3 + 2 * i] += n[j] * spread[i][i] + 2 * n[i] * spread[i][j];     // i i j, j < k the others
        node->cubic[3 + 2 * i + 1] += n[k] * spread[i][i] + 2 * n[i] * spread[i][k]; // i i k
    }
    node->cubic[9] += 2 * (n[0] * spread[1][2] + n[1] * spread[0][2] + n[2] * spread[0][1]);
}

// ---- building -------------------------------------------------------------------------------------------------------

static double middle_along(const cdg_vec3 c[3], int axis) {
    return axis == 0 ? c[0].x + c[1].x + c[2].x : axis == 1 ? c[0].y + c[1].y + c[2].y : c[0].z + c[1].z + c[2].z;
}

static void swap_triangles(cdg_winding *w, uint32_t a, uint32_t b) {
    cdg_vec3 kept[3];
    memcpy(kept, w->corners[a], sizeof kept);
    memcpy(w->corners[a], w->corners[b], sizeof kept);
    memcpy(w->corners[b], kept, sizeof kept);
    uint32_t source = w->source[a];
    w->source[a] = w->source[b];
    w->source[b] = source;
}

// Quickselect: afterwards triangles before `nth` are not above it along the axis.
static void split_at(cdg_winding *w, uint32_t begin, uint32_t end, uint32_t nth, int axis) {
    while (end - begin > 1) {
        double pivot = middle_along(w->corners[begin + (end - begin) / 2], axis);
        uint32_t i = begin, j = end - 1;
        while (true) {
            while (middle_along(w->corners[i], axis) < pivot) i++;
            while (middle_along(w->corners[j], axis) > pivot) j--;
            if (i >= j) break;
            swap_triangles(w, i++, j--);
        }
        uint32_t cut = j + 1;
        if (cut == begin || cut == end) return; // all the same
        if (nth < cut) {
            end = cut;
        } else {
            begin = cut;
        }
    }
}

static int longest_axis(const cdg_winding_node *node) {
    int axis = 0;
    for (int k = 1; k < 3; k++)
        if (node->high[k] - node->low[k] > node->high[axis] - node->low[axis]) axis = k;
    return axis;
}

static void finish_node(cdg_winding *w, size_t at) {
    cdg_winding_node *node = &w->nodes[at];
    find_middle(w, node);
    find_extent(w, node);
    for (uint32_t t = node->begin; t < node->begin + node->count; t++) add_moments(w->corners[t], node);
    if (node->count <= LEAF_TRIANGLES) return;
    uint32_t half = node->count / 2;
    split_at(w, node->begin, node->begin + node->count, node->begin + half, longest_axis(node));
    node->child = (uint32_t)w->node_count;
    w->nodes[w->node_count++] = (cdg_winding_node){.begin = node->begin, .count = half};
    w->nodes[w->node_count++] = (cdg_winding_node){.begin = node->begin + half, .count = node->count - half};
}

bool cdg_winding_build(const cdg_soup *soup, cdg_budget *budget, cdg_winding *out) {
    size_t count = soup->triangle_count;
    *out = (cdg_winding){.nodes = cdg_budget_take(budget, count + 1, sizeof *out->nodes),
                         .corners = cdg_budget_take(budget, count, sizeof *out->corners),
                         .source = cdg_budget_take(budget, count, sizeof *out->source),
                         .triangle_count = count};
    if (out->nodes == NULL || out->corners == NULL || out->source == NULL) {
        cdg_winding_free(out, budget);
        return false;
    }
    for (size_t t = 0; t < count; t++) {
        out->source[t] = (uint32_t)t;
        for (int k = 0; k < 3; k++) out->corners[t][k] = cdg_soup_corner(soup, t, k);
    }
    out->nodes[0] = (cdg_winding_node){.count = (uint32_t)count};
    out->node_count = 1;
    for (size_t at = 0; at < out->node_count && cdg_budget_lasts(budget, at < 512 ? 0 : at); at++) finish_node(out, at);
    if (!cdg_patience_is_over(budget->patience)) return true;
    cdg_winding_free(out, budget);
    return false;
}

// ---- winding numbers ------------------------------------------------------------------------------------------------

static double triangle_share(const cdg_vec3 c[3], cdg_vec3 p) {
    return solid_angle_share(vec3_sub(c[0], p), vec3_sub(c[1], p), vec3_sub(c[2], p));
}

// The node's share in 4 pi times the winding number; r from the point to the node's middle.
static double expansion(const cdg_winding_node *n, cdg_vec3 r, double r2) {
    double i2 = 1 / r2, i3 = i2 * sqrt(i2), x = r.x, y = r.y, z = r.z;
    double dipole = n->dipole[0] * x + n->dipole[1] * y + n->dipole[2] * z;
    double form = n->form[0] * x * x + n->form[1] * y * y + n->form[2] * z * z + n->form[3] * x * y +
                  n->form[4] * x * z + n->form[5] * y * z;
    double vector = n->vector[0] * x + n->vector[1] * y + n->vector[2] * z;
    const double *c = n->cubic;
    double cubic = x * x * (c[0] * x + c[3] * y + c[4] * z) + y * y * (c[1] * y + c[5] * x + c[6] * z) +
                   z * z * (c[2] * z + c[7] * x + c[8] * y) + c[9] * x * y * z;
    return i3 * (dipole + n->trace + i2 * (-3 * (form + vector) + 7.5 * cubic * i2));
}

double cdg_winding_at(const cdg_winding *winding, cdg_vec3 point) {
    uint32_t stack[STACK], depth = 0;
    double near = 0, far = 0;
    stack[depth++] = 0;
    while (depth > 0) {
        const cdg_winding_node *node = &winding->nodes[stack[--depth]];
        cdg_vec3 r = vec3_sub(node->middle, point);
        double r2 = vec3_dot(r, r);
        if (r2 > node->far2) {
            far += expansion(node, r, r2);
        } else if (node->child != 0) {
            stack[depth++] = node->child + 1;
            stack[depth++] = node->child;
        } else {
            for (uint32_t t = node->begin; t < node->begin + node->count; t++)
                near += triangle_share(winding->corners[t], point);
        }
    }
    return near + far / four_pi;
}

double cdg_winding_direct(const cdg_winding *winding, cdg_vec3 point) {
    double sum = 0;
    for (size_t t = 0; t < winding->triangle_count; t++) sum += triangle_share(winding->corners[t], point);
    return sum;
}

// ---- crossings ------------------------------------------------------------------------------------------------------

static bool comes_before(cdg_vec3 a, cdg_vec3 b) {
    if (a.x != b.x) return a.x < b.x;
    if (a.y != b.y) return a.y < b.y;
    return a.z < b.z;
}

// On which side the line through `from` along `way` passes the edge from p to q. Neighbours that share the edge get
// opposite answers, so that no line slips through between them.
static bool passes_left(cdg_vec3 from, cdg_vec3 way, cdg_vec3 p, cdg_vec3 q) {
    bool is_swapped = comes_before(q, p);
    cdg_vec3 a = vec3_sub(is_swapped ? q : p, from), b = vec3_sub(is_swapped ? p : q, from);
    return (vec3_dot(way, vec3_cross(a, b)) >= 0) != is_swapped;
}

static bool cross_triangle(const cdg_vec3 c[3], cdg_vec3 a, cdg_vec3 b, cdg_crossing *out) {
    cdg_vec3 way = vec3_sub(b, a);
    bool side = passes_left(a, way, c[0], c[1]);
    if (passes_left(a, way, c[1], c[2]) != side || passes_left(a, way, c[2], c[0]) != side) return false;
    cdg_vec3 n = vec3_cross(vec3_sub(c[1], c[0]), vec3_sub(c[2], c[0]));
    double before = vec3_dot(vec3_sub(a, c[0]), n), after = vec3_dot(vec3_sub(b, c[0]), n);
    if ((before < 0) == (after < 0)) return false;
    out->position = fmax(0, fmin(1, before / (before - after)));
    out->change = before < 0 ? -1 : 1; // on the way out the number falls
    return true;
}

static bool box_is_met(const cdg_winding_node *node, const double from[3], const double inverse[3]) {
    double enter = 0, leave = 1;
    for (int k = 0; k < 3; k++) {
        double near = (node->low[k] - from[k]) * inverse[k], far = (node->high[k] - from[k]) * inverse[k];
        enter = fmax(enter, fmin(near, far));
        leave = fmin(leave, fmax(near, far));
    }
    return enter <= leave;
}

static void keep_crossing(cdg_crossing found, cdg_crossing *out, size_t *count, size_t capacity) {
    if (*count < capacity) {
        size_t k = *count;
        for (; k > 0 && out[k - 1].position > found.position; k--) out[k] = out[k - 1];
        out[k] = found;
    }
    (*count)++;
}

size_t cdg_winding_cross(const cdg_winding *winding, cdg_vec3 a, cdg_vec3 b, cdg_crossing *out, size_t capacity) {
    const double from[3] = {a.x, a.y, a.z}, way[3] = {b.x - a.x, b.y - a.y, b.z - a.z};
    double inverse[3];
    for (int k = 0; k < 3; k++) inverse[k] = 1 / (fabs(way[k]) > 1e-300 ? way[k] : 1e-300);
    uint32_t stack[STACK], depth = 0;
    size_t count = 0;
    stack[depth++] = 0;
    while (depth > 0) {
        const cdg_winding_node *node = &winding->nodes[stack[--depth]];
        if (!box_is_met(node, from, inverse)) continue;
        if (node->child != 0) {
            stack[depth++] = node->child + 1;
            stack[depth++] = node->child;
            continue;
        }
        cdg_crossing found;
        for (uint32_t t = node->begin; t < node->begin + node->count; t++)
            if (cross_triangle(winding->corners[t], a, b, &found)) keep_crossing(found, out, &count, capacity);
    }
    return count;
}

// ---- nearest point --------------------------------------------------------------------------------------------------

static double box_distance2(const cdg_winding_node *node, cdg_vec3 point) {
    const double p[3] = {point.x, point.y, point.z};
    double sum = 0;
    for (int k = 0; k < 3; k++) {
        double d = fmax(0, fmax(node->low[k] - p[k], p[k] - node->high[k]));
        sum += d * d;
    }
    return sum;
}

bool cdg_winding_nearest(const cdg_winding *winding, cdg_vec3 point, double most, cdg_vec3 *nearest,
                         uint32_t *triangle) {
    uint32_t stack[STACK], depth = 0;
    double best = most * most;
    bool is_found = false;
    stack[depth++] = 0;
    while (depth > 0) {
        const cdg_winding_node *node = &winding->nodes[stack[--depth]];
        if (box_distance2(node, point) > best) continue;
        if (node->child != 0) {
            bool is_left_nearer = box_distance2(&winding->nodes[node->child], point) <=
                                  box_distance2(&winding->nodes[node->child + 1], point);
            stack[depth++] = node->child + (is_left_nearer ? 1 : 0);
            stack[depth++] = node->child + (is_left_nearer ? 0 : 1);
            continue;
        }
        for (uint32_t t = node->begin; t < node->begin + node->count; t++) {
            cdg_vec3 candidate = triangle_nearest(winding->corners[t], point), d = vec3_sub(candidate, point);
            if (vec3_dot(d, d) > best) continue;
            best = vec3_dot(d, d);
            *nearest = candidate;
            if (triangle != NULL) *triangle = winding->source[t];
            is_found = true;
        }
    }
    return is_found;
}
