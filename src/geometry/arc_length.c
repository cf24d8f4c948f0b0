// Arc length by adaptive Gauss-Legendre quadrature of the speed, and its inverse by Newton's method inside a bracket.
// The speed is smooth on each panel, so that eight nodes converge to rounding after few halvings.
#include "geometry/arc_length.h"

#include "base/error.h"
#include "math/vec3.h"

#include <stdlib.h>

// A stretch of one piece over which eight nodes integrate the speed to rounding.
typedef struct panel {
    size_t piece;
    double from, to;
    double start, length; // m, arc length at `from` and over the panel
} panel;

typedef struct panel_table {
    const cdg_curve *curve;
    panel *panels;
    size_t count, capacity;
    double length;    // m, so far
    double tolerance; // m, an error this small is rounding on the scale of the whole curve
} panel_table;

// Past 40 halvings a panel is below rounding of the parameter: a cusp then counts with its last estimate.
enum { DEPTH_MAX = 40, NEWTON_MAX = 80 };

static double speed_at(const cdg_curve *curve, size_t piece, double u) {
    cdg_vec3 position, derivative;
    curve->evaluate(curve->context, piece, u, &position, &derivative);
    return vec3_norm(derivative);
}

static double integrate_speed(const cdg_curve *curve, size_t piece, double from, double to) {
    static const double node[4] = {0.1834346424956498, 0.5255324099163290, 0.7966664774136267, 0.9602898564975363};
    static const double weight[4] = {0.3626837833783620, 0.3137066458778873, 0.2223810344533745, 0.1012285362903763};
    double middle = (from + to) / 2, half = (to - from) / 2, sum = 0;
    for (int i = 0; i < 4; ++i) {
        double offset = half * node[i];
        sum += weight[i] * (speed_at(curve, piece, middle - offset) + speed_at(curve, piece, middle + offset));
    }
    return half * sum;
}

static bool table_push(panel_table *table, size_t piece, double from, double to, double length) {
    if (table->count == table->capacity) {
        size_t capacity = table->capacity > 0 ? 2 * table->capacity : 64;
        panel *grown = capacity <= SIZE_MAX / sizeof *grown ? realloc(table->panels, capacity * sizeof *grown) : NULL;
        if (grown == NULL) return false;
        table->panels = grown;
        table->capacity = capacity;
    }
    table->panels[table->count++] = (panel){piece, from, to, table->length, length};
    table->length += length;
    return true;
}

static bool table_refine(panel_table *table, size_t piece, double from, double to, double whole, int depth) {
    double middle = (from + to) / 2;
    double left = integrate_speed(table->curve, piece, from, middle);
    double right = integrate_speed(table->curve, piece, middle, to);
    double difference = fabs(left + right - whole);
    // Also true for numbers that are not finite, which the caller reports once for the whole curve.
    if (!(difference > 1e-14 * (left + right) + table->tolerance) || depth >= DEPTH_MAX) {
        return table_push(table, piece, from, to, left + right);
    }
    return table_refine(table, piece, from, middle, left, depth + 1) &&
           table_refine(table, piece, middle, to, right, depth + 1);
}

static cdg_result table_build(panel_table *table, const cdg_curve *curve, cdg_error *error) {
    *table = (panel_table){.curve = curve};
    double estimate = 0;
    for (size_t piece = 0; piece < curve->piece_count; ++piece) estimate += integrate_speed(curve, piece, 0, 1);
    table->tolerance = 1e-16 * estimate;
    bool is_built = true;
    for (size_t piece = 0; piece < curve->piece_count && is_built; ++piece) {
        is_built = table_refine(table, piece, 0, 1, integrate_speed(curve, piece, 0, 1), 0);
    }
    if (is_built && table->count > 0 && isfinite(table->length) && table->length > 0) return CDG_OK;
    free(table->panels);
    table->panels = NULL;
    if (!is_built) {
        cdg_fail(error, CDG_ERROR_MEMORY, "out of memory while measuring a centerline of %zu pieces",
                 curve->piece_count);
        return CDG_ERROR_MEMORY;
    }
    cdg_fail(error, CDG_ERROR_ARGUMENT,
             "the centerline's length is %g m, which is not a positive finite number; check the scale of its "
             "coordinates",
             table->length);
    return CDG_ERROR_ARGUMENT;
}

cdg_result cdg_curve_length(const cdg_curve *curve, double *out, cdg_error *error) {
    panel_table table;
    cdg_result result = table_build(&table, curve, error);
    if (result != CDG_OK) return result;
    *out = table.length;
    free(table.panels);
    return CDG_OK;
}

// The parameter at which `target` of the panel's length lies behind. Newton's slope is the speed itself; where a step
// leaves the bracket (a cusp: zero speed) bisection replaces it.
static double invert(const cdg_curve *curve, const panel *at, double target, double tolerance) {
    double low = at->from, high = at->to;
    double u = low + (high - low) * (target / at->length);
    for (int i = 0; i < NEWTON_MAX; ++i) {
        double excess = integrate_speed(curve, at->piece, at->from, u) - target;
        if (fabs(excess) <= tolerance) break;
        if (excess > 0) {
            high = u;
        } else {
            low = u;
        }
        double next = u - excess / speed_at(curve, at->piece, u);
        if (!(next > low && next < high)) next = (low + high) / 2;
        if (next == u) break;
        u = next;
    }
    return u;
}

double cdg_node_share(const cdg_node_division *division, size_t node) {
    double even = (double)node / (double)division->element_count;
    if (division->spacing_count == 0) return even;
    cdg_spacing before = {0, 0}, after = {1, 1};
    size_t low = 0, high = division->spacing_count; // the first point beyond
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (division->spacing[middle].even > even)
            high = middle;
        else
            low = middle + 1;
    }
    if (low > 0) before = division->spacing[low - 1];
    if (low < division->spacing_count) after = division->spacing[low];
    return before.at + (after.at - before.at) * ((even - before.even) / (after.even - before.even));
}

cdg_result cdg_curve_sample(const cdg_curve *curve, size_t element_count, bool is_closed, cdg_vec3 *out,
                            cdg_error *error) {
    cdg_node_division even = {.element_count = element_count};
    return cdg_curve_divide(curve, &even, is_closed, out, error);
}

cdg_result cdg_curve_divide(const cdg_curve *curve, const cdg_node_division *division, bool is_closed, cdg_vec3 *out,
                            cdg_error *error) {
    size_t element_count = division->element_count;
    panel_table table;
    cdg_result result = table_build(&table, curve, error);
    if (result != CDG_OK) return result;
    cdg_vec3 derivative;
    curve->evaluate(curve->context, 0, 0, &out[0], &derivative);
    size_t index = 0;
    for (size_t i = 1; i < element_count; ++i) {
        double target = table.length * cdg_node_share(division, i);
        while (index + 1 < table.count && table.panels[index + 1].start <= target) ++index;
        const panel *at = &table.panels[index];
        double u = invert(curve, at, target - at->start, 4e-16 * table.length);
        curve->evaluate(curve->context, at->piece, u, &out[i], &derivative);
    }
    if (!is_closed) curve->evaluate(curve->context, curve->piece_count - 1, 1, &out[element_count], &derivative);
    free(table.panels);
    return CDG_OK;
}
