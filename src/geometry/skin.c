// A skin's mesh, made once: rings of the section's outline at stations along the rod, caps, and the triangles between.
//
// Round sections share their vertices, so that shading is smooth; a rectangle's corners are doubled, so that its faces
// are flat. A tube has a second, inner wall. Ends: rings of a rectangle and a tube are closed flat, as they are cut. A
// circle or ellipse gets a dome whose depth is a quarter of the smaller semi-axis: deep enough to catch light and to
// look smooth, yet at the scale of a whole rod it does not make it visibly longer (a hemisphere would, by a radius).
#include "geometry/skin.h"

#include "base/error.h"
#include "math/quat.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static const double PI = 3.14159265358979323846;
static const double dome_depth = 0.25; // of the smaller semi-axis

enum {
    ROUND_SIDES = 24,       // the outline is within 1 % of the circle
    ELLIPSE_SIDES = 32,     // more, for the sharp ends of a flat one
    RINGS_WANTED = 400,     // along a rod: a knot of ten full turns then has 9 degrees between rings
    RINGS_AT_MOST = 16,     // an element of a coarse rod
    SIDES_AT_MOST = 1 << 16 // an outline that is not a mistake
};

// The outline of a section. `sides` counts its edges; a rectangle has sides / 4 on each face.
typedef struct outline {
    cdg_section_kind kind; // a tube without a bore is a circle
    size_t sides;
    size_t ring_size; // vertices
    size_t edges;     // in a ring, of all walls
} outline;

typedef struct builder {
    cdg_skin *skin;
    const cdg_skin_def *def;
    outline outline;
    size_t vertices, triangles; // made so far
} builder;

// ---- the section's outline ------------------------------------------------------------------------------------------

typedef struct outline_point {
    double p[2], normal[2]; // m and unit, along d1 and d2
    double around;          // turns
} outline_point;

static outline_point round_point(double a, double b, double turns) {
    double c = cos(2 * PI * turns), s = sin(2 * PI * turns);
    double size = hypot(b * c, a * s);
    outline_point point = {.p = {a * c, b * s}, .normal = {c, s}, .around = turns};
    if (size > 0) point.normal[0] = b * c / size, point.normal[1] = a * s / size;
    return point;
}

// Faces follow each other counter-clockwise; face 0 looks along +d1.
static outline_point rectangle_point(const cdg_section *section, size_t face, double fraction) {
    double a = section->side[0] / 2, b = section->side[1] / 2;
    double half = face % 2 == 0 ? b : a, along = (2 * fraction - 1) * half;
    static const double normals[4][2] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}};
    const double *n = normals[face];
    // the distance to the face along its normal, and `along` to the left of it
    double distance = face % 2 == 0 ? a : b;
    outline_point point = {.p = {distance * n[0] - along * n[1], distance * n[1] + along * n[0]},
                           .normal = {n[0], n[1]}};
    double perimeter = 4 * (a + b), turns = 0.25 * (double)face + (perimeter > 0 ? along / perimeter : 0);
    point.around = turns < 0 ? turns + 1 : turns;
    return point;
}

static outline_point ring_point(const outline *line, const cdg_section *section, size_t vertex) {
    size_t n = line->sides, per_face = n / 4;
    assert(n >= 3 && (per_face > 0 || line->kind != CDG_SECTION_RECTANGLE));
    double turns = (double)(vertex % n) / (double)n;
    switch (line->kind) {
    case CDG_SECTION_ELLIPSE: return round_point(section->semi_axis[0], section->semi_axis[1], turns);
    case CDG_SECTION_RECTANGLE:
        return rectangle_point(section, vertex / (per_face + 1), (double)(vertex % (per_face + 1)) / (double)per_face);
    case CDG_SECTION_TUBE:
        if (vertex >= n) {
            outline_point inner = round_point(section->inner_radius, section->inner_radius, turns);
            inner.normal[0] = -inner.normal[0], inner.normal[1] = -inner.normal[1];
            return inner;
        }
        return round_point(section->radius, section->radius, turns);
    default: return round_point(section->radius, section->radius, turns);
    }
}

// The two vertices of an edge: in this order an outer wall is walked counter-clockwise about d3, an inner one the
// other way.
static void edge_ends(const outline *line, size_t edge, size_t ends[2]) {
    size_t n = line->sides;
    if (line->kind == CDG_SECTION_RECTANGLE) {
        ends[0] = edge / (n / 4) * (n / 4 + 1) + edge % (n / 4);
        ends[1] = ends[0] + 1;
    } else if (edge < n) {
        ends[0] = edge;
        ends[1] = (edge + 1) % n;
    } else { // inner wall
        ends[0] = n + (edge + 1 - n) % n;
        ends[1] = edge;
    }
}

static outline outline_of(const cdg_skin_def *def) {
    outline line = {.kind = def->sections[0].kind, .sides = def->side_count};
    size_t node_count = def->element_count + (def->is_closed ? 0 : 1);
    bool has_bore = false;
    for (size_t i = 0; i < node_count; i++) has_bore = has_bore || def->sections[i].inner_radius > 0;
    if (line.kind == CDG_SECTION_TUBE && !has_bore) line.kind = CDG_SECTION_CIRCLE;
    if (line.kind == CDG_SECTION_RECTANGLE || line.kind == CDG_SECTION_ELLIPSE) {
        // vertices at both ends of both axes
        size_t wanted = line.kind == CDG_SECTION_ELLIPSE ? ELLIPSE_SIDES : 4;
        line.sides = line.sides == 0 ? wanted : (line.sides + 3) / 4 * 4;
    } else {
        line.sides = line.sides == 0 ? ROUND_SIDES : line.sides < 3 ? 3 : line.sides;
    }
    size_t walls = line.kind == CDG_SECTION_TUBE ? 2 : 1;
    line.edges = walls * line.sides;
    line.ring_size = line.kind == CDG_SECTION_RECTANGLE ? line.sides + 4 : walls * line.sides;
    return line;
}

// ---- where a closed skin is joined ----------------------------------------------------------------------------------

// The angle about d3 in the rotation from a to b, in (-pi, pi].
static double twist_between(cdg_quat a, cdg_quat b) {
    cdg_quat turn = quat_relative(a, b);
    return 2 * atan2(turn.w < 0 ? -turn.z : turn.z, fabs(turn.w));
}

// The number of symmetry steps of the outline that the frames jump by from the last element to the first, beyond the
// twist of the elements beside them. Ordinary twist is far below a quarter turn an element, so less is no jump.
static int closing_steps(const builder *b, double *step) {
    const cdg_skin_def *def = b->def;
    const double *h = def->rest_length;
    const cdg_quat *q = def->frames;
    size_t last = def->element_count - 1;
    bool is_square = true;
    for (size_t i = 0; i <= last; i++) is_square = is_square && def->sections[i].side[0] == def->sections[i].side[1];
    *step = b->outline.kind == CDG_SECTION_ELLIPSE                  ? PI
            : b->outline.kind == CDG_SECTION_RECTANGLE && is_square ? PI / 2
            : b->outline.kind == CDG_SECTION_RECTANGLE              ? PI
                                                                    : 2 * PI / (double)b->outline.sides;
    if (!def->is_closed || q == NULL) return 0;
    double before = twist_between(q[last - 1], q[last]) / (h[last - 1] + h[last]);
    double after = twist_between(q[0], q[1]) / (h[0] + h[1]);
    double excess = twist_between(q[last], q[0]) - (before + after) / 2 * (h[last] + h[0]);
    excess = remainder(excess, 2 * PI);
    return fabs(excess) > PI / 4 ? (int)lround(excess / *step) : 0;
}

// The vertex of the first ring that continues vertex `vertex` of the last one when the frames jump by `turn`: what was
// at an angle is at that angle less the jump.
static size_t continued(const outline *line, size_t vertex, double turn) {
    size_t n = line->sides;
    long shift = lround(turn / (2 * PI) * (double)n);
    size_t back = (size_t)(((shift % (long)n) + (long)n) % (long)n);
    if (line->kind == CDG_SECTION_RECTANGLE) { // whole faces
        size_t per_face = n / 4 + 1, face = (vertex / per_face + 4 - back / (n / 4)) % 4;
        return face * per_face + vertex % per_face;
    }
    return vertex / n * n + (vertex % n + n - back) % n;
}

// ---- vertices and triangles -----------------------------------------------------------------------------------------

static void put_vertex(builder *b, size_t station, double around, cdg_vec3 local, cdg_vec3 normal) {
    cdg_skin *skin = b->skin;
    size_t i = b->vertices++;
    skin->station_of[i] = (uint32_t)station;
    skin->around[i] = (float)around;
    if (skin->around[i] >= 1) skin->around[i] = 0;
    skin->local[3 * i] = (float)local.x, skin->local[3 * i + 1] = (float)local.y,
                    skin->local[3 * i + 2] = (float)local.z;
    skin->local_normal[3 * i] = (float)normal.x;
    skin->local_normal[3 * i + 1] = (float)normal.y;
    skin->local_normal[3 * i + 2] = (float)normal.z;
}

static void put_triangle(builder *b, size_t i, size_t j, size_t k) {
    uint32_t *triangle = b->skin->triangles + 3 * b->triangles++;
    triangle[0] = (uint32_t)i, triangle[1] = (uint32_t)j, triangle[2] = (uint32_t)k;
}

// Between an edge and the one farther along d3.
static void put_quad(builder *b, size_t lower_i, size_t lower_j, size_t upper_i, size_t upper_j) {
    put_triangle(b, lower_i, lower_j, upper_j);
    put_triangle(b, lower_i, upper_j, upper_i);
}

static cdg_section section_at(const builder *b, size_t element, double fraction) {
    const cdg_skin_def *def = b->def;
    size_t next = def->is_closed && element + 1 == def->element_count ? 0 : element + 1;
    if (element == def->element_count) return def->sections[element]; // the end of an open rod
    return cdg_section_interpolate(&def->sections[element], &def->sections[next], fraction);
}

// The section's sizes change along the rod, so the surface and its normal lean towards d3.
static cdg_vec3 leaning_normal(const builder *b, const cdg_section *behind, const cdg_section *ahead, double distance,
                               size_t vertex, const outline_point *point) {
    outline_point from = ring_point(&b->outline, behind, vertex), to = ring_point(&b->outline, ahead, vertex);
    double slope = (point->normal[0] * (to.p[0] - from.p[0]) + point->normal[1] * (to.p[1] - from.p[1])) / distance;
    return vec3_normalize(vec3(point->normal[0], point->normal[1], -slope));
}

static void put_rings(builder *b, size_t rings, double length) {
    const cdg_skin_def *def = b->def;
    double arc = 0;
    for (size_t s = 0; s < b->skin->station_count; s++) {
        size_t element = s / rings, k = s % rings;
        double fraction = (double)k / (double)rings, h = element < def->element_count ? def->rest_length[element] : 0;
        cdg_section here = section_at(b, element, fraction);
        // the element that the station stands in or ends, for the slope of its sections
        size_t beside = element < def->element_count ? element : element - 1;
        cdg_section behind = section_at(b, beside, 0), ahead = section_at(b, beside, 1);
        b->skin->station[s] = element < def->element_count ? (arc + fraction * h) / length : 1;
        for (size_t i = 0; i < b->outline.ring_size; i++) {
            outline_point point = ring_point(&b->outline, &here, i);
            cdg_vec3 normal = leaning_normal(b, &behind, &ahead, def->rest_length[beside], i, &point);
            put_vertex(b, s, point.around, vec3(point.p[0], point.p[1], 0), normal);
        }
        if (k + 1 == rings) arc += h;
    }
    size_t ring = b->outline.ring_size, gaps = b->skin->station_count - (def->is_closed ? 0 : 1);
    for (size_t s = 0; s < gaps; s++) {
        bool is_joint = s + 1 == b->skin->station_count;
        for (size_t e = 0; e < b->outline.edges; e++) {
            size_t ends[2], upper[2];
            edge_ends(&b->outline, e, ends);
            for (int k = 0; k < 2; k++) {
                upper[k] = is_joint ? continued(&b->outline, ends[k], b->skin->closing_turn) : (s + 1) * ring + ends[k];
            }
            put_quad(b, s * ring + ends[0], s * ring + ends[1], upper[0], upper[1]);
        }
    }
}

// ---- caps -----------------------------------------------------------------------------------------------------------

// Joins two loops of n vertices of a cap; `outer` is the one nearer to the rim. A cap's outside is d3 at the end of the
// rod and -d3 at its start.
static void join_loops(builder *b, size_t outer, size_t inner, size_t n, bool is_end) {
    for (size_t i = 0; i < n; i++) {
        size_t j = (i + 1) % n;
        if (is_end) {
            put_quad(b, outer + i, outer + j, inner + i, inner + j);
        } else {
            put_quad(b, inner + i, inner + j, outer + i, outer + j);
        }
    }
}

static void close_loop(builder *b, size_t loop, size_t pole, size_t n, bool is_end) {
    for (size_t i = 0; i < n; i++) {
        size_t j = (i + 1) % n;
        put_triangle(b, loop + (is_end ? i : j), loop + (is_end ? j : i), pole);
    }
}

static size_t dome_loops(size_t sides) { return sides / 6 > 2 ? sides / 6 : 2; } // the rim and those above it

// Half an ellipsoid on the rim: (a cos f cos t, b cos f sin t, depth sin f), f from 0 at the rim to a quarter turn.
static void put_dome(builder *b, const cdg_section *section, bool is_end) {
    bool is_ellipse = b->outline.kind == CDG_SECTION_ELLIPSE;
    double a1 = is_ellipse ? section->semi_axis[0] : section->radius;
    double a2 = is_ellipse ? section->semi_axis[1] : section->radius;
    double depth = dome_depth * fmin(a1, a2), sign = is_end ? 1 : -1;
    size_t n = b->outline.sides, loops = dome_loops(n), station = is_end ? b->skin->station_count - 1 : 0;
    size_t rim = station * b->outline.ring_size;
    for (size_t k = 1; k < loops; k++) {
        double f = PI / 2 * (double)k / (double)loops;
        size_t loop = b->vertices;
        for (size_t i = 0; i < n; i++) {
            outline_point point = ring_point(&b->outline, section, i);
            double size = hypot(a2 * point.p[0], a1 * point.p[1]); // of a1 a2 (cos t, sin t)
            double c = size > 0 ? a2 * point.p[0] / size : 1, s = size > 0 ? a1 * point.p[1] / size : 0;
            cdg_vec3 normal = vec3(a2 * depth * cos(f) * c, a1 * depth * cos(f) * s, sign * a1 * a2 * sin(f));
            normal = vec3_norm(normal) > 0 ? vec3_normalize(normal) : vec3(0, 0, sign);
            put_vertex(b, station, point.around, vec3(cos(f) * point.p[0], cos(f) * point.p[1], sign * depth * sin(f)),
                       normal);
        }
        join_loops(b, rim, loop, n, is_end);
        rim = loop;
    }
    put_vertex(b, station, 0, vec3(0, 0, sign * depth), vec3(0, 0, sign));
    close_loop(b, rim, b->vertices - 1, n, is_end);
}

// A flat end: the outline again, with normals along the rod, and the bore's outline or a middle point.
static void put_flat_end(builder *b, const cdg_section *section, bool is_end) {
    size_t n = b->outline.sides, station = is_end ? b->skin->station_count - 1 : 0, rim = b->vertices;
    cdg_vec3 normal = vec3(0, 0, is_end ? 1 : -1);
    bool is_tube = b->outline.kind == CDG_SECTION_TUBE;
    assert(n >= 4 || is_tube);
    for (size_t i = 0; i < (is_tube ? 2 * n : n); i++) {
        size_t vertex = is_tube ? i : i / (n / 4) * (n / 4 + 1) + i % (n / 4);
        outline_point point = ring_point(&b->outline, section, vertex);
        put_vertex(b, station, point.around, vec3(point.p[0], point.p[1], 0), normal);
    }
    if (is_tube) {
        join_loops(b, rim, rim + n, n, is_end);
    } else {
        put_vertex(b, station, 0, vec3(0, 0, 0), normal);
        close_loop(b, rim, b->vertices - 1, n, is_end);
    }
}

// Vertices and triangles of one cap.
static void cap_size(const outline *line, size_t *vertices, size_t *triangles) {
    size_t n = line->sides, loops = dome_loops(n);
    bool is_dome = line->kind == CDG_SECTION_CIRCLE || line->kind == CDG_SECTION_ELLIPSE;
    *vertices = is_dome ? (loops - 1) * n + 1 : line->kind == CDG_SECTION_TUBE ? 2 * n : n + 1;
    *triangles = is_dome ? (2 * loops - 1) * n : line->kind == CDG_SECTION_TUBE ? 2 * n : n;
}

// ---- making it ------------------------------------------------------------------------------------------------------

static cdg_result check_def(const cdg_skin_def *def, cdg_error *error) {
    size_t least = def->is_closed ? 3 : 1, node_count = def->element_count + (def->is_closed ? 0 : 1);
    if (def->element_count < least) {
        return cdg_fail(error, CDG_ERROR_ARGUMENT, "a skin of %zu elements: there must be at least %zu",
                        def->element_count, least);
    }
    for (size_t j = 0; j < def->element_count; j++) {
        if (!(def->rest_length[j] > 0 && isfinite(def->rest_length[j]))) {
            return cdg_fail(error, CDG_ERROR_ARGUMENT, "the rest length of element %zu is %g m; it must be positive", j,
                            def->rest_length[j]);
        }
    }
    for (size_t i = 0; i < node_count; i++) {
        const cdg_section *s = &def->sections[i];
        if (s->kind != def->sections[0].kind || (unsigned)s->kind >= CDG_SECTION_KIND_COUNT) {
            return cdg_fail(error, CDG_ERROR_ARGUMENT, "the section at node %zu is not of the first one's kind", i);
        }
        const double sizes[] = {s->radius, s->inner_radius, s->semi_axis[0], s->semi_axis[1], s->side[0], s->side[1]};
        for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++) {
            if (!(sizes[k] >= 0 && isfinite(sizes[k]))) {
                return cdg_fail(error, CDG_ERROR_ARGUMENT, "the section at node %zu has the size %g m", i, sizes[k]);
            }
        }
    }
    if (def->side_count > SIDES_AT_MOST || def->rings_per_element > SIDES_AT_MOST) {
        return cdg_fail(error, CDG_ERROR_ARGUMENT, "a skin with %zu sides and %zu rings an element is too fine",
                        def->side_count, def->rings_per_element);
    }
    return CDG_OK;
}

void cdg_skin_destroy(cdg_skin *skin) {
    if (skin == NULL) return;
    free(skin->triangles);
    free(skin->station);
    free(skin->station_of);
    free(skin->around);
    free(skin->local);
    free(skin->local_normal);
    free(skin);
}

static cdg_result allocate(cdg_skin *skin, cdg_error *error) {
    skin->triangles = malloc(3 * skin->triangle_count * sizeof *skin->triangles);
    skin->station = malloc(skin->station_count * sizeof *skin->station);
    skin->station_of = malloc(skin->vertex_count * sizeof *skin->station_of);
    skin->around = malloc(skin->vertex_count * sizeof *skin->around);
    skin->local = malloc(3 * skin->vertex_count * sizeof *skin->local);
    skin->local_normal = malloc(3 * skin->vertex_count * sizeof *skin->local_normal);
    if (skin->triangles == NULL || skin->station == NULL || skin->station_of == NULL || skin->around == NULL ||
        skin->local == NULL || skin->local_normal == NULL) {
        return cdg_fail(error, CDG_ERROR_MEMORY, "out of memory for a skin of %zu vertices", skin->vertex_count);
    }
    return CDG_OK;
}

static size_t choose_rings(const cdg_skin_def *def) {
    if (def->rings_per_element > 0) return def->rings_per_element;
    size_t rings = (RINGS_WANTED + def->element_count - 1) / def->element_count;
    return rings < 2 ? 2 : rings > RINGS_AT_MOST ? RINGS_AT_MOST : rings;
}

cdg_result cdg_skin_create(const cdg_skin_def *def, cdg_skin **out, cdg_error *error) {
    *out = NULL;
    cdg_result result = check_def(def, error);
    if (result != CDG_OK) return result;
    builder b = {.def = def, .outline = outline_of(def)};
    size_t rings = choose_rings(def), cap_vertices, cap_triangles;
    cap_size(&b.outline, &cap_vertices, &cap_triangles);
    double stations = (double)def->element_count * (double)rings + 1;
    // each vertex of a ring begins two triangles of three numbers
    if (!(stations * (double)b.outline.ring_size + 2 * (double)cap_vertices < 0x1p31 / 6)) {
        return cdg_fail(error, CDG_ERROR_ARGUMENT,
                        "a skin of %zu elements with %zu rings each of %zu vertices is too large; take fewer rings or "
                        "sides",
                        def->element_count, rings, b.outline.ring_size);
    }
    b.skin = calloc(1, sizeof *b.skin);
    if (b.skin == NULL) return cdg_fail(error, CDG_ERROR_MEMORY, "out of memory for a skin");
    cdg_skin *skin = b.skin;
    size_t gaps = def->element_count * rings, caps = def->is_closed ? 0 : 2;
    skin->is_closed = def->is_closed;
    skin->station_count = gaps + (def->is_closed ? 0 : 1);
    skin->ring_size = b.outline.ring_size;
    skin->vertex_count = skin->station_count * skin->ring_size + caps * cap_vertices;
    skin->triangle_count = 2 * gaps * b.outline.edges + caps * cap_triangles;
    double step;
    skin->closing_turn = (double)closing_steps(&b, &step) * step;
    result = allocate(skin, error);
    if (result != CDG_OK) {
        cdg_skin_destroy(skin);
        return result;
    }
    double length = 0;
    for (size_t j = 0; j < def->element_count; j++) length += def->rest_length[j];
    put_rings(&b, rings, length);
    for (size_t end = 0; end < caps; end++) {
        const cdg_section *section = &def->sections[end == 0 ? 0 : def->element_count];
        if (b.outline.kind == CDG_SECTION_CIRCLE || b.outline.kind == CDG_SECTION_ELLIPSE) {
            put_dome(&b, section, end == 1);
        } else {
            put_flat_end(&b, section, end == 1);
        }
    }
    *out = skin;
    return CDG_OK;
}
