// Linking numbers and knot determinants from the crossings of a projection.
//
// Seen from a direction in general position, a link is described by which edge passes over which. A direction in which
// some corner nearly coincides with another edge is given up for the next. The linking number is the sum of the signs
// of the crossings where the first curve is above. The determinant is that of Fox's colouring equations: at each
// crossing twice the arc above equals the sum of the two arcs that end below it; one equation and one arc are left out.
#include "geometry/topology.h"

#include "base/error.h"
#include "math/random.h"

#include <stdlib.h>
#include <string.h>

enum { DIRECTIONS_MAX = 40 };

typedef struct edge {
    cdg_vec3 from, to;  // as seen: z towards the viewer
    double left, right; // extent in x
    uint32_t curve;     // 0 or 1
    uint32_t index;     // on its curve
} edge;

typedef struct crossing {
    double above, below; // places on the curves: edge index + fraction
    int sign;
    uint32_t curve_above, curve_below;
} crossing;

typedef struct view {
    edge *edges;
    size_t edge_count;
    crossing *crossings;
    size_t crossing_count, crossing_capacity;
} view;

static void view_free(view *v) {
    free(v->edges);
    free(v->crossings);
}

static int compare_edges(const void *a, const void *b) {
    const edge *x = a, *y = b;
    if (x->left != y->left) return x->left < y->left ? -1 : 1;
    if (x->curve != y->curve) return x->curve < y->curve ? -1 : 1;
    return (x->index > y->index) - (x->index < y->index);
}

static void add_curve(view *v, const cdg_vec3 *points, size_t count, uint32_t curve, cdg_quat turn, cdg_vec3 middle) {
    for (size_t i = 0; i < count; i++) {
        cdg_vec3 from = quat_rotate(turn, vec3_sub(points[i], middle));
        cdg_vec3 to = quat_rotate(turn, vec3_sub(points[(i + 1) % count], middle));
        v->edges[v->edge_count++] = (edge){from, to, fmin(from.x, to.x), fmax(from.x, to.x), curve, (uint32_t)i};
    }
}

// ---- crossings ------------------------------------------------------------------------------------------------------

typedef enum verdict { APART, CROSSING, UNCLEAR, NO_MEMORY } verdict;

// On which side of p's line a point lies: 1, -1, or 0 when rounding decides.
static int side_of(const edge *p, cdg_vec3 q, double *area) {
    double ux = p->to.x - p->from.x, uy = p->to.y - p->from.y, vx = q.x - p->from.x, vy = q.y - p->from.y;
    *area = ux * vy - uy * vx;
    // the coordinates were turned, which costs roundings of their own size, too
    double size = fabs(ux) + fabs(uy), reach = fabs(q.x) + fabs(q.y) + fabs(p->from.x) + fabs(p->from.y);
    double doubt = 1e-14 * size * reach;
    return *area > doubt ? 1 : *area < -doubt ? -1 : 0;
}

static verdict cross(const edge *p, const edge *q, crossing *out) {
    if (fmax(p->from.y, p->to.y) < fmin(q->from.y, q->to.y) || fmax(q->from.y, q->to.y) < fmin(p->from.y, p->to.y))
        return APART;
    double area[4];
    int side[4] = {side_of(p, q->from, &area[0]), side_of(p, q->to, &area[1]), side_of(q, p->from, &area[2]),
                   side_of(q, p->to, &area[3])};
    if (side[0] * side[1] > 0 || side[2] * side[3] > 0) return APART;
    if (side[0] * side[1] == 0 || side[2] * side[3] == 0) return UNCLEAR;
    double t = area[0] / (area[0] - area[1]), s = area[2] / (area[2] - area[3]);
    double height_p = p->from.z + s * (p->to.z - p->from.z), height_q = q->from.z + t * (q->to.z - q->from.z);
    double scale = fabs(p->from.z) + fabs(p->to.z) + fabs(q->from.z) + fabs(q->to.z) + fabs(p->from.x);
    if (!(fabs(height_p - height_q) > 1e-13 * scale)) return UNCLEAR;
    bool is_p_above = height_p > height_q;
    // The sign of (above x below) as seen; from p's left to its right is from + to - of its side.
    int turn = side[0] < 0 ? 1 : -1; // q runs from p's right to its left: p x q points to the viewer
    *out = (crossing){.above = is_p_above ? p->index + s : q->index + t,
                      .below = is_p_above ? q->index + t : p->index + s,
                      .sign = is_p_above ? turn : -turn,
                      .curve_above = is_p_above ? p->curve : q->curve,
                      .curve_below = is_p_above ? q->curve : p->curve};
    return CROSSING;
}

static bool are_neighbours(const edge *p, const edge *q, const size_t count[2]) {
    if (p->curve != q->curve) return false;
    size_t apart = p->index > q->index ? p->index - q->index : q->index - p->index;
    return apart <= 1 || apart == count[p->curve] - 1;
}

// All crossings of one view, or those between two curves only.
static verdict find_crossings(view *v, const size_t count[2], bool between_only) {
    qsort(v->edges, v->edge_count, sizeof *v->edges, compare_edges);
    v->crossing_count = 0;
    for (size_t i = 0; i < v->edge_count; i++) {
        const edge *p = &v->edges[i];
        for (size_t j = i + 1; j < v->edge_count && v->edges[j].left <= p->right; j++) {
            const edge *q = &v->edges[j];
            if ((between_only && p->curve == q->curve) || are_neighbours(p, q, count)) continue;
            crossing found;
            verdict result = cross(p, q, &found);
            if (result == APART) continue;
            if (result != CROSSING) return result;
            if (v->crossing_count == v->crossing_capacity) {
                size_t capacity = 2 * v->crossing_capacity + 64;
                crossing *grown = realloc(v->crossings, capacity * sizeof *grown);
                if (grown == NULL) return NO_MEMORY;
                v->crossings = grown;
                v->crossing_capacity = capacity;
            }
            v->crossings[v->crossing_count++] = found;
        }
    }
    return CROSSING;
}

// Looks from one direction after the other until all is clear.
static cdg_result look(view *v, const cdg_vec3 *points[2], const size_t count[2], cdg_error *error) {
    *v = (view){0};
    bool has_two = count[1] > 0;
    if (count[0] > UINT32_MAX / 2 || count[1] > UINT32_MAX / 2)
        return cdg_fail(error, CDG_ERROR_ARGUMENT, "a curve has too many points");
    cdg_vec3 middle = {0, 0, 0};
    for (int k = 0; k < 2; k++)
        for (size_t i = 0; i < count[k]; i++) {
            if (!vec3_is_finite(points[k][i]))
                return cdg_fail(error, CDG_ERROR_ARGUMENT, "point %zu of a curve is not finite", i);
            middle = vec3_mad(middle, 1 / (double)(count[0] + count[1]), points[k][i]);
        }
    v->edges = malloc((count[0] + count[1] + 1) * sizeof *v->edges);
    if (v->edges == NULL) return cdg_fail(error, CDG_ERROR_MEMORY, "no memory for the crossings of a curve");
    cdg_random random = {2};
    for (int attempt = 0; attempt < DIRECTIONS_MAX; attempt++) {
        cdg_quat turn = random_rotation(&random);
        v->edge_count = 0;
        for (uint32_t k = 0; k < 2; k++) add_curve(v, points[k], count[k], k, turn, middle);
        verdict result = find_crossings(v, count, has_two);
        if (result == CROSSING) return CDG_OK;
        if (result == NO_MEMORY) return cdg_fail(error, CDG_ERROR_MEMORY, "no memory for the crossings of a curve");
    }
    return cdg_fail(error, CDG_ERROR_NO_CONVERGENCE,
                    "the curve touches itself or the other, so it has no knot or link");
}

cdg_result cdg_linking_number(const cdg_vec3 *a, size_t a_count, const cdg_vec3 *b, size_t b_count, long *out,
                              cdg_error *error) {
    *out = 0;
    if (a_count < 3 || b_count < 3) return CDG_OK; // encloses nothing
    const cdg_vec3 *points[2] = {a, b};
    const size_t count[2] = {a_count, b_count};
    view v;
    cdg_result result = look(&v, points, count, error);
    for (size_t i = 0; i < v.crossing_count && result == CDG_OK; i++)
        if (v.crossings[i].curve_above == 0) *out += v.crossings[i].sign;
    view_free(&v);
    return result;
}

// ---- determinant ----------------------------------------------------------------------------------------------------

// Numbers modulo the prime 2^61 - 1: a determinant below half of it is known exactly.
static const uint64_t prime = ((uint64_t)1 << 61) - 1;
__extension__ typedef unsigned __int128 wide;

static uint64_t multiply(uint64_t a, uint64_t b) { return (uint64_t)((wide)a * b % prime); }
static uint64_t subtract(uint64_t a, uint64_t b) { return a >= b ? a - b : a + prime - b; }
static uint64_t inverse(uint64_t a) { // a^(prime - 2)
    uint64_t result = 1;
    for (uint64_t power = prime - 2; power > 0; power >>= 1) {
        if (power & 1) result = multiply(result, a);
        a = multiply(a, a);
    }
    return result;
}

typedef struct entry {
    uint32_t column;
    uint64_t value;
} entry;
typedef struct row {
    entry *entries; // ascending columns, no zeros
    size_t count;
    bool is_done;
} row;

static size_t find_column(const row *r, uint32_t column) {
    for (size_t k = 0; k < r->count; k++)
        if (r->entries[k].column == column) return k;
    return SIZE_MAX;
}

// target - factor * pivot into `room` (which has room for both), then into target. False: no memory.
static bool subtract_row(row *target, uint64_t factor, const row *pivot, entry *room) {
    size_t count = 0, i = 0, j = 0;
    while (i < target->count || j < pivot->count) {
        uint32_t a = i < target->count ? target->entries[i].column : UINT32_MAX;
        uint32_t b = j < pivot->count ? pivot->entries[j].column : UINT32_MAX;
        entry sum = {a < b ? a : b, a <= b ? target->entries[i].value : 0};
        if (b <= a) sum.value = subtract(sum.value, multiply(factor, pivot->entries[j].value));
        i += a <= b;
        j += b <= a;
        if (sum.value != 0) room[count++] = sum;
    }
    entry *grown = realloc(target->entries, (count > 0 ? count : 1) * sizeof *grown);
    if (grown == NULL) return false;
    memcpy(grown, room, count * sizeof *grown);
    target->entries = grown;
    target->count = count;
    return true;
}

// Gaussian elimination that takes the shortest row first: the equations of a projection are those of a plane graph, so
// few entries are added.
static bool determinant(row *rows, size_t size, uint64_t *out) {
    entry *room = malloc((size + 1) * sizeof *room);
    uint32_t *used = calloc(size + 1, sizeof *used); // rows that have an entry in a column
    bool has_memory = room != NULL && used != NULL;
    uint64_t product = 1;
    for (size_t r = 0; has_memory && r < size; r++)
        for (size_t k = 0; k < rows[r].count; k++) used[rows[r].entries[k].column]++;
    for (size_t step = 0; step < size && has_memory && product != 0; step++) {
        size_t best = SIZE_MAX, at = 0;
        for (size_t r = 0; r < size; r++)
            if (!rows[r].is_done && (best == SIZE_MAX || rows[r].count < rows[best].count)) best = r;
        row *pivot = &rows[best];
        if (pivot->count == 0) {
            product = 0;
            break;
        }
        for (size_t k = 1; k < pivot->count; k++)
            if (used[pivot->entries[k].column] < used[pivot->entries[at].column]) at = k;
        uint32_t column = pivot->entries[at].column;
        product = multiply(product, pivot->entries[at].value);
        uint64_t inverse_pivot = inverse(pivot->entries[at].value);
        pivot->is_done = true;
        for (size_t k = 0; k < pivot->count; k++) used[pivot->entries[k].column]--;
        for (size_t r = 0; r < size && used[column] > 0 && has_memory; r++) {
            size_t index = rows[r].is_done ? SIZE_MAX : find_column(&rows[r], column);
            if (index == SIZE_MAX) continue;
            uint64_t factor = multiply(rows[r].entries[index].value, inverse_pivot);
            for (size_t k = 0; k < rows[r].count; k++) used[rows[r].entries[k].column]--;
            has_memory = subtract_row(&rows[r], factor, pivot, room);
            for (size_t k = 0; k < rows[r].count; k++) used[rows[r].entries[k].column]++;
        }
    }
    free(room);
    free(used);
    *out = product > prime / 2 ? prime - product : product; // the sign depends on how arcs are numbered
    return has_memory;
}

static int compare_below(const void *a, const void *b) {
    const crossing *x = a, *y = b;
    return (x->below > y->below) - (x->below < y->below);
}

// The arc at a place: arcs end where the curve passes below, and are numbered by their ends.
static uint32_t arc_at(const crossing *sorted, size_t count, double along) {
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (sorted[middle].below < along)
            low = middle + 1;
        else
            high = middle;
    }
    return low == count ? 0 : (uint32_t)low;
}

static void add_entry(row *r, uint32_t column, uint64_t value) {
    size_t at = 0;
    while (at < r->count && r->entries[at].column < column) at++;
    if (at < r->count && r->entries[at].column == column) {
        r->entries[at].value = (r->entries[at].value + value) % prime;
        return;
    }
    memmove(&r->entries[at + 1], &r->entries[at], (r->count - at) * sizeof *r->entries);
    r->entries[at] = (entry){column, value};
    r->count++;
}

static void drop_zeros(row *r) {
    size_t kept = 0;
    for (size_t k = 0; k < r->count; k++)
        if (r->entries[k].value != 0) r->entries[kept++] = r->entries[k];
    r->count = kept;
}

static bool colouring_determinant(crossing *crossings, size_t count, uint64_t *out) {
    *out = 1;
    if (count < 2) return true;
    qsort(crossings, count, sizeof *crossings, compare_below);
    size_t size = count - 1; // without the last equation and the last arc
    row *rows = calloc(size, sizeof *rows);
    bool has_memory = rows != NULL;
    for (size_t k = 0; k < size && has_memory; k++) {
        rows[k].entries = malloc(3 * sizeof *rows[k].entries);
        has_memory = rows[k].entries != NULL;
        if (!has_memory) break;
        const uint32_t arcs[3] = {arc_at(crossings, count, crossings[k].above), (uint32_t)k, (uint32_t)(k + 1)};
        const uint64_t values[3] = {2, prime - 1, prime - 1};
        for (int i = 0; i < 3; i++)
            if (arcs[i] < size) add_entry(&rows[k], arcs[i], values[i]);
        drop_zeros(&rows[k]);
    }
    has_memory = has_memory && determinant(rows, size, out);
    for (size_t k = 0; rows != NULL && k < size; k++) free(rows[k].entries);
    free(rows);
    return has_memory;
}

// Three points that close an open line far away: from the end, around, to the start.
static void close_far_away(const cdg_vec3 *points, size_t count, cdg_vec3 out[3]) {
    cdg_vec3 middle = {0, 0, 0};
    for (size_t i = 0; i < count; i++) middle = vec3_mad(middle, 1 / (double)count, points[i]);
    double reach = 0;
    for (size_t i = 0; i < count; i++) reach = fmax(reach, vec3_distance(points[i], middle));
    cdg_vec3 from = vec3_normalize(vec3_sub(points[count - 1], middle)),
             to = vec3_normalize(vec3_sub(points[0], middle));
    // Perpendicular to both rays, so that the way around stays far away even when they are opposite or the same.
    cdg_vec3 across = vec3_cross(from, to);
    cdg_vec3 any = vec3_any_perpendicular(vec3_norm(from) > 0 ? from : vec3(1, 0, 0));
    across = vec3_norm(across) > 1e-3 ? vec3_normalize(across) : any;
    out[0] = vec3_mad(middle, 10 * reach, from);
    out[1] = vec3_mad(middle, 20 * reach, across);
    out[2] = vec3_mad(middle, 10 * reach, to);
}

cdg_result cdg_knot_determinant(const cdg_vec3 *points, size_t count, bool is_closed, uint64_t *out, cdg_error *error) {
    *out = 1;
    if (count < 4) return CDG_OK;
    size_t extra = is_closed ? 0 : 3;
    cdg_vec3 *closed = malloc((count + extra) * sizeof *closed);
    if (closed == NULL) return cdg_fail(error, CDG_ERROR_MEMORY, "no memory for the crossings of a curve");
    memcpy(closed, points, count * sizeof *closed);
    if (!is_closed) close_far_away(points, count, closed + count);
    const cdg_vec3 *curves[2] = {closed, NULL};
    const size_t counts[2] = {count + extra, 0};
    view v;
    cdg_result result = look(&v, curves, counts, error);
    if (result == CDG_OK && !colouring_determinant(v.crossings, v.crossing_count, out))
        result = cdg_fail(error, CDG_ERROR_MEMORY, "no memory for a knot of %zu crossings", v.crossing_count);
    view_free(&v);
    free(closed);
    return result;
}

// ---- writhe ---------------------------------------------------------------------------------------------------------

static double clamped_asin(double x) { return asin(fmax(-1, fmin(1, x))); }

// The solid angle of directions in which two edges are seen to cross, signed (Klenin and Langowski 2000, method 1a).
static double crossing_angle(cdg_vec3 a, cdg_vec3 b, cdg_vec3 c, cdg_vec3 d) {
    cdg_vec3 ac = vec3_sub(c, a), ad = vec3_sub(d, a), bc = vec3_sub(c, b), bd = vec3_sub(d, b);
    cdg_vec3 n[4] = {vec3_cross(ac, ad), vec3_cross(ad, bd), vec3_cross(bd, bc), vec3_cross(bc, ac)};
    for (int k = 0; k < 4; k++) {
        double size = vec3_norm(n[k]);
        if (!(size > 1e-300)) return 0; // in one plane
        n[k] = vec3_scale(1 / size, n[k]);
    }
    double angle = 0;
    for (int k = 0; k < 4; k++) angle += clamped_asin(vec3_dot(n[k], n[(k + 1) % 4]));
    double side = vec3_dot(vec3_cross(vec3_sub(d, c), vec3_sub(b, a)), ac);
    return side > 0 ? angle : side < 0 ? -angle : 0;
}

double cdg_writhe(const cdg_vec3 *points, size_t count, bool is_closed) {
    size_t edges = is_closed ? count : count > 0 ? count - 1 : 0;
    double sum = 0;
    for (size_t i = 0; i < edges; i++)
        for (size_t j = i + 2; j < edges; j++) {
            if (is_closed && i == 0 && j + 1 == edges) continue; // neighbours have none
            sum += crossing_angle(points[i], points[(i + 1) % count], points[j], points[(j + 1) % count]);
        }
    return sum / 6.28318530717958647693;
}
