// Nearest points of smooth curves, and interpolation by cubics.
#include "sweep/fit_curve.h"

#include "math/vec3.h"

#include <math.h>

// ---- the curve ------------------------------------------------------------------------------------------------------

typedef struct curve {
    const cdg_vec3 *nodes;
    size_t count, segments;
    bool is_closed;
    const bool *is_seen;
    cdg_vec3 point;
} curve;

static size_t node_at(const curve *c, size_t segment, size_t offset) { // offset 0 is the node before the segment
    if (c->is_closed) return (segment + offset + c->count - 1) % c->count;
    size_t index = segment + offset;
    if (index == 0) return c->count > 2 ? 2 : 0; // slopes at the ends come from the two other neighbours
    return index - 1 < c->count ? index - 1 : c->count > 2 ? c->count - 3 : c->count - 1;
}

// Adds `share` of the slope at the segment's first (0) or last (1) node to the weights.
static void add_slope(const curve *c, size_t segment, int last, double share, double weights[4]) {
    bool is_first_end = !c->is_closed && last == 0 && segment == 0;
    bool is_last_end = !c->is_closed && last == 1 && segment + 1 == c->segments;
    if (c->count == 2 && !c->is_closed) {
        weights[1] -= share, weights[2] += share;
    } else if (is_first_end) { // of the parabola through three nodes; the third is entry 0
        weights[1] -= 1.5 * share, weights[2] += 2 * share, weights[0] -= 0.5 * share;
    } else if (is_last_end) {
        weights[2] += 1.5 * share, weights[1] -= 2 * share, weights[3] += 0.5 * share;
    } else {
        weights[last == 0 ? 0 : 1] -= share / 2;
        weights[last == 0 ? 2 : 3] += share / 2;
    }
}

static void fill_weights(const curve *c, size_t segment, const double basis[4], cdg_curve_foot *out) {
    for (size_t k = 0; k < 4; k++) {
        out->nodes[k] = node_at(c, segment, k);
        out->weights[k] = 0;
    }
    out->weights[1] = basis[0];
    out->weights[2] = basis[2];
    add_slope(c, segment, 0, basis[1], out->weights);
    add_slope(c, segment, 1, basis[3], out->weights);
}

static cdg_vec3 sum_of(const curve *c, const cdg_curve_foot *f) {
    cdg_vec3 sum = {0, 0, 0};
    for (int k = 0; k < 4; k++) sum = vec3_mad(sum, f->weights[k], c->nodes[f->nodes[k]]);
    return sum;
}

static size_t segment_of(const curve *c, double along, double *inside) {
    double limit = (double)c->segments;
    if (c->is_closed) along -= limit * floor(along / limit);
    size_t segment = along < limit ? (size_t)along : c->segments - 1;
    *inside = along - (double)segment;
    return segment;
}

static cdg_vec3 at(const curve *c, double along, cdg_curve_foot *out) {
    double t;
    size_t segment = segment_of(c, along, &t);
    const double basis[4] = {(1 + 2 * t) * (1 - t) * (1 - t), t * (1 - t) * (1 - t), t * t * (3 - 2 * t),
                             t * t * (t - 1)};
    fill_weights(c, segment, basis, out);
    return sum_of(c, out);
}

static cdg_vec3 slope_at(const curve *c, double along) {
    double t;
    cdg_curve_foot f;
    size_t segment = segment_of(c, along, &t);
    const double basis[4] = {6 * t * (t - 1), (1 - t) * (1 - 3 * t), 6 * t * (1 - t), t * (3 * t - 2)};
    fill_weights(c, segment, basis, &f);
    return sum_of(c, &f);
}

static cdg_vec3 seen(const curve *c, cdg_vec3 v) {
    return vec3(c->is_seen[0] ? v.x : 0, c->is_seen[1] ? v.y : 0, c->is_seen[2] ? v.z : 0);
}

static double distance2(const curve *c, double along) {
    cdg_curve_foot ignored;
    cdg_vec3 d = seen(c, vec3_sub(at(c, along, &ignored), c->point));
    return vec3_dot(d, d);
}

// The least distance between two places, by golden sections.
static double narrow(const curve *c, double low, double high) {
    const double golden = 0.6180339887498949;
    double a = high - golden * (high - low), b = low + golden * (high - low);
    double at_a = distance2(c, a), at_b = distance2(c, b);
    for (int i = 0; i < 30; i++) {
        if (at_a < at_b) {
            high = b, b = a, at_b = at_a;
            a = high - golden * (high - low), at_a = distance2(c, a);
        } else {
            low = a, a = b, at_a = at_b;
            b = low + golden * (high - low), at_b = distance2(c, b);
        }
    }
    return (low + high) / 2;
}

// Golden sections know a minimum to half of all digits; where the slope is across the distance is known to all.
static double polish(const curve *c, double along) {
    const double step = 1e-3;
    for (int i = 0; i < 3; i++) {
        cdg_curve_foot ignored;
        cdg_vec3 d = seen(c, vec3_sub(at(c, along, &ignored), c->point)), slope = seen(c, slope_at(c, along));
        cdg_vec3 before = seen(c, slope_at(c, along - step)), after = seen(c, slope_at(c, along + step));
        double bend = vec3_dot(d, vec3_sub(after, before)) / (2 * step) + vec3_dot(slope, slope);
        double change = vec3_dot(d, slope) / bend;
        if (!(fabs(change) < 1e-3)) break;
        along -= change;
    }
    return along;
}

cdg_curve_foot cdg_curve_foot_find(const cdg_vec3 *nodes, size_t count, bool is_closed, const bool is_seen[3],
                                   cdg_vec3 point) {
    enum { PARTS = 4 };
    curve c = {nodes, count, is_closed ? count : count - 1, is_closed, is_seen, point};
    double best = 0, least = INFINITY, end = (double)c.segments;
    for (size_t i = 0; i <= PARTS * c.segments; i++) {
        double along = (double)i / PARTS, now = distance2(&c, along);
        if (now < least) least = now, best = along;
    }
    double low = best - 1.0 / PARTS, high = best + 1.0 / PARTS;
    if (!is_closed) low = fmax(low, 0), high = fmin(high, end);
    double foot = narrow(&c, low, high);
    bool is_end = !is_closed && (foot < 1e-6 || foot > end - 1e-6);
    if (is_end)
        foot = foot < 0.5 * end ? 0 : end;
    else
        foot = polish(&c, foot);
    if (!is_closed) foot = fmin(fmax(foot, 0), end);
    cdg_curve_foot out;
    out.at = at(&c, foot, &out);
    out.tangent = vec3_normalize(seen(&c, slope_at(&c, foot)));
    out.is_end = is_end;
    return out;
}

cdg_vec3 cdg_curve_at(const cdg_vec3 *nodes, size_t count, bool is_closed, double along) {
    static const bool all[3] = {true, true, true};
    curve c = {nodes, count, is_closed ? count : count - 1, is_closed, all, {0, 0, 0}};
    cdg_curve_foot ignored;
    return at(&c, along, &ignored);
}

// ---- rows -----------------------------------------------------------------------------------------------------------

size_t cdg_row_weights(const double *at, size_t count, double where, double weights[4], size_t *used) {
    size_t low = 0, high = count - 1; // at[low] <= where <= at[high]
    while (high - low > 1 && count > 1) {
        size_t middle = (low + high) / 2;
        if (at[middle] <= where)
            low = middle;
        else
            high = middle;
    }
    if (count == 1) {
        *used = 1;
        weights[0] = 1;
        return 0;
    }
    bool is_inside = where >= at[0] && where <= at[count - 1];
    size_t first = low, rows = 2;
    if (is_inside) {
        rows = count < 4 ? count : 4;
        first = low > 0 ? low - 1 : 0;
        if (first + rows > count) first = count - rows;
    }
    for (size_t i = 0; i < rows; i++) {
        weights[i] = 1;
        for (size_t j = 0; j < rows; j++)
            if (j != i) weights[i] *= (where - at[first + j]) / (at[first + i] - at[first + j]);
    }
    *used = rows;
    return first;
}
