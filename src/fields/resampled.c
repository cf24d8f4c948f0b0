// Numbers of a rod at other nodes and elements than they were measured at.
#include "fields/resampled.h"

#include "base/error.h"
#include "math/quat.h"

#include <stdlib.h>
#include <string.h>

// Of an element: places nearer to a node or a middle are it. Arc lengths are sums, whose roundings are far below.
static const double near = 1e-9;

// A place as a share of the way through an element.
typedef struct share {
    size_t element;
    double u; // 0 to 1; 0, 1/2 and 1 are exact
} share;

// Places come in order, so the element is found by going on from the last one's.
static share share_at(const cdg_division *from, size_t element, double at) {
    while (element + 1 < from->element_count && from->arc[element + 1] <= at) element++;
    double length = from->arc[element + 1] - from->arc[element], u = (at - from->arc[element]) / length;
    u = u < near ? 0 : u > 1 - near ? 1 : u;
    return (share){element, fabs(u - 0.5) < near ? 0.5 : u};
}

static double between(double a, double b, double u) {
    if (u == 0 || (isnan(b) && u < 1)) return a;
    if (u == 1 || isnan(a)) return b;
    return (1 - u) * a + u * b;
}

static void put_node(const cdg_division *from, const double *numbers, size_t width, share at, double *out) {
    size_t left = at.element, right = left + 1;
    if (right == cdg_division_nodes(from)) right = 0;
    for (size_t k = 0; k < width; k++) out[k] = between(numbers[left * width + k], numbers[right * width + k], at.u);
}

static void put_element(const cdg_division *from, const double *numbers, size_t width, share at, double *out) {
    size_t count = from->element_count, e = at.element, last = count - 1;
    const double *arc = from->arc;
    size_t before = e > 0 ? e - 1 : from->is_closed ? last : 0, after = e < last ? e + 1 : from->is_closed ? 0 : last;
    size_t beside = at.u < 0.5 ? before : after;
    double h = arc[e + 1] - arc[e], length = (h + arc[beside + 1] - arc[beside]) / 2;
    double u = beside == e ? 0 : fabs(at.u - 0.5) * h / length;
    for (size_t k = 0; k < width; k++) out[k] = between(numbers[e * width + k], numbers[beside * width + k], u);
}

// ---- positions and frames -------------------------------------------------------------------------------------------

static cdg_result make_curve(const cdg_division *from, const double *positions, const double *frames,
                             double **rest_length, cdg_rod_curve *out, cdg_error *error) {
    *rest_length = malloc(from->element_count * sizeof **rest_length);
    if (*rest_length == NULL)
        return cdg_fail(error, CDG_ERROR_MEMORY, "out of memory for a rod of %zu elements", from->element_count);
    for (size_t j = 0; j < from->element_count; j++) (*rest_length)[j] = from->arc[j + 1] - from->arc[j];
    const cdg_rod_pose pose = {.is_closed = from->is_closed,
                               .element_count = from->element_count,
                               .rest_length = *rest_length,
                               .positions = (const cdg_vec3 *)(const void *)positions,
                               .frames = (const cdg_quat *)(const void *)frames,
                               .beside = from->beside};
    return cdg_rod_curve_make(&pose, out, error);
}

static double place_of(const cdg_division *from, share at) {
    double begin = from->arc[at.element], end = from->arc[at.element + 1];
    return begin + at.u * (end - begin) - from->arc[0];
}

static void put_position(const cdg_rod_curve *curve, share at, double *out) {
    cdg_vec3 p, derivative;
    cdg_spline_evaluate(&curve->spline, at.element, at.u, &p, &derivative);
    out[0] = p.x, out[1] = p.y, out[2] = p.z;
}

static void put_frame(const cdg_rod_curve *curve, const cdg_division *from, const double *frames, share at,
                      double *out) {
    if (at.u == 0.5 && from->beside.roll == NULL) {
        memcpy(out, frames + 4 * at.element, 4 * sizeof *out);
        return;
    }
    cdg_quat q = quat_normalize(cdg_rod_curve_frame(curve, at.element, place_of(from, at)));
    out[0] = q.w, out[1] = q.x, out[2] = q.y, out[3] = q.z;
}

// ---- all ------------------------------------------------------------------------------------------------------------

typedef struct request {
    cdg_field field;
    cdg_field_info info;
    const cdg_division *from;
    const double *numbers;
    cdg_rod_curve curve; // of positions and frames
} request;

static void put(const request *r, share at, double *out) {
    size_t width = r->info.component_count;
    if (r->field == CDG_FIELD_positions) {
        put_position(&r->curve, at, out);
    } else if (r->field == CDG_FIELD_frames) {
        put_frame(&r->curve, r->from, r->numbers, at, out);
    } else if (r->field == CDG_FIELD_level) {
        out[0] = r->numbers[at.element];
    } else if (r->info.per == CDG_FIELD_PER_NODE) {
        put_node(r->from, r->numbers, width, at, out);
    } else {
        put_element(r->from, r->numbers, width, at, out);
    }
}

static cdg_result begin(request *r, cdg_field field, const cdg_division *from, const double *numbers,
                        const double *other, double **rest_length, cdg_error *error) {
    *r = (request){.field = field, .info = cdg_field_get(field), .from = from, .numbers = numbers};
    *rest_length = NULL;
    bool is_positions = field == CDG_FIELD_positions;
    if (!is_positions && field != CDG_FIELD_frames) return CDG_OK;
    return make_curve(from, is_positions ? numbers : other, is_positions ? other : numbers, rest_length, &r->curve,
                      error);
}

static void end(request *r, double *rest_length) {
    cdg_rod_curve_free(&r->curve);
    free(rest_length);
}

cdg_result cdg_field_resample(cdg_field field, const cdg_division *from, const double *numbers, const double *other,
                              const cdg_division *to, double *out, cdg_error *error) {
    request r;
    double *rest_length;
    cdg_result result = begin(&r, field, from, numbers, other, &rest_length, error);
    bool per_node = r.info.per == CDG_FIELD_PER_NODE;
    size_t count = per_node ? cdg_division_nodes(to) : to->element_count;
    share at = {0, 0};
    for (size_t i = 0; i < count && result == CDG_OK; i++) {
        at = share_at(from, at.element, per_node ? to->arc[i] : (to->arc[i] + to->arc[i + 1]) / 2);
        put(&r, at, out + i * r.info.component_count);
    }
    end(&r, rest_length);
    return result;
}

cdg_result cdg_field_at_places(cdg_field field, const cdg_division *from, const double *numbers, const double *other,
                               const double *places, size_t count, double *out, cdg_error *error) {
    request r;
    double *rest_length;
    cdg_result result = begin(&r, field, from, numbers, other, &rest_length, error);
    share at = {0, 0};
    for (size_t i = 0; i < count && result == CDG_OK; i++) {
        at = share_at(from, places[i] < from->arc[at.element] ? 0 : at.element, places[i]);
        put(&r, at, out + i * r.info.component_count);
    }
    end(&r, rest_length);
    return result;
}
