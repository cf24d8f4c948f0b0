// Knots that are tied in ropes. The table has each strand as points of a natural spline, in units of 2 radius +
// clearance; here they are scaled, turned and moved, two strands are joined by a loop where they are one rope, and
// straight tails go on where the spline ends.
//
// Why strands stay apart: the table's curves are MARGIN units from each other (scripts/tie_knots.c). A chord of length
// h leaves a curve of curvature k by k h^2 / 8, two of them come nearer by twice that. With curvatures up to 1 / 0.7
// units, h <= 0.37 units costs at most 0.05 units, the margin.
#include "geometry/tied.h"

#include "base/error.h"
#include "geometry/tied_table.h"
#include "math/vec3.h"

#include <stdlib.h>

static const double PI = 3.141592653589793;
// Longest element, in units.
static const double ELEMENT = 0.37;
// Radius of the smallest loop that joins strands which leave in opposite directions, and of the one that is taken when
// no length is given, in units.
static const double LOOP_RADIUS_LEAST = 2.5, LOOP_RADIUS = 4;
// Length of a bowline's loop when none is given, in units.
static const double BOWLINE_LOOP = 24;
// Directions nearer to parallel than this (sine of the angle) leave no perpendicular part worth the name.
static const double PARALLEL = 1e-9;

typedef struct strand_table {
    const cdg_vec3 *points;
    size_t count;
    cdg_vec3 outward[2]; // at the first and the last point
} strand_table;

typedef struct knot_table {
    int strand_count;
    strand_table strands[2]; // without points: the first one, turned
    char axis;               // 'y' or 'z': by half a turn about this
    cdg_vec3 loop_side;      // where the joining loop lies: where no tail is
} knot_table;

#define STRAND(name) .points = (name), .count = sizeof(name) / sizeof *(name)

static const knot_table tables[CDG_TIED_KNOT_COUNT] = {
    [CDG_TIED_OVERHAND] = {1, {{STRAND(overhand_a), .outward = {{-1, 0, 0}, {1, 0, 0}}}}, 0, {0, 0, 0}},
    [CDG_TIED_FIGURE_EIGHT] = {1, {{STRAND(figure_eight_a), .outward = {{-1, 0, 0}, {1, 0, 0}}}}, 0, {0, 0, 0}},
    [CDG_TIED_BOWLINE] = {2,
                          {{STRAND(bowline_a), .outward = {{1, 0, 0}, {-1, 0, 0}}},
                           {STRAND(bowline_b), .outward = {{-1, 0, 0}, {-0.7071067811865476, 0, 0.7071067811865476}}}},
                          0,
                          {0, 0, 0}},
    [CDG_TIED_SQUARE] = {2, {{STRAND(square_a), .outward = {{-1, 0, 0}, {-1, 0, 0}}}}, 'y', {0, 1, 0}},
    [CDG_TIED_GRANNY] = {2, {{STRAND(granny_a), .outward = {{-1, 0, 0}, {-1, 0, 0}}}}, 'y', {0, 1, 0}},
    [CDG_TIED_BOW] = {2, {{STRAND(bow_a), .outward = {{-1, 0, 0}, {0, -1, 0}}}}, 'y', {0, 1, 0}},
    [CDG_TIED_SHEET_BEND] = {2,
                             {{STRAND(sheet_bend_a), .outward = {{-1, 0, 0}, {-1, 0, 0}}},
                              {STRAND(sheet_bend_b), .outward = {{1, 0, 0}, {0, 1, 0}}}},
                             0,
                             {0, -1, 0}},
    [CDG_TIED_DOUBLE_FISHERMAN] = {2,
                                   {{STRAND(double_fisherman_a), .outward = {{-1, 0, 0}, {1, 0, 0}}}},
                                   'z',
                                   {0, 0, 1}},
};

int cdg_tied_strand_count(cdg_tied_knot knot) { return tables[knot].strand_count; }

const char *cdg_tied_name(cdg_tied_knot knot) {
    static const char *const names[] = {
#define TIED_NAME(id, name, text) name,
        CDG_TIED_LIST(TIED_NAME)
#undef TIED_NAME
    };
    return names[knot];
}

// ---- strands --------------------------------------------------------------------------------------------------------

static cdg_vec3 half_turn(char axis, cdg_vec3 v) {
    return axis == 'y' ? vec3(-v.x, v.y, -v.z) : axis == 'z' ? vec3(-v.x, -v.y, v.z) : v;
}

// Point i of strand 0 or 1, and where it leaves at its first or last point.
static size_t strand_size(const knot_table *table, int strand) {
    return table->axis != 0 ? table->strands[0].count : table->strands[strand].count;
}

static cdg_vec3 strand_point(const knot_table *table, int strand, size_t i) {
    bool is_turned = strand == 1 && table->axis != 0;
    return half_turn(is_turned ? table->axis : 0, table->strands[is_turned ? 0 : strand].points[i]);
}

static cdg_vec3 strand_outward(const knot_table *table, int strand, int end) {
    bool is_turned = strand == 1 && table->axis != 0;
    return half_turn(is_turned ? table->axis : 0, table->strands[is_turned ? 0 : strand].outward[end]);
}

// ---- the loop between two strands -----------------------------------------------------------------------------------

// A list of points that grows up to its room.
typedef struct point_list {
    cdg_vec3 *points;
    size_t count;
} point_list;

static void put(point_list *list, cdg_vec3 point) { list->points[list->count++] = point; }

enum { ARC_POINTS = 12, LEG_POINTS_MAX = 64 };
enum { LOOP_POINTS_MAX = 2 * (ARC_POINTS + LEG_POINTS_MAX) };

// A straight leg from one place to another, ends left out. Points are the farther apart the farther they are from both
// ends, so that a long leg takes few and a spline through them does not swing.
static void put_leg(point_list *list, cdg_vec3 from, cdg_vec3 to) {
    double length = vec3_distance(from, to), away[LEG_POINTS_MAX / 2];
    int count = 0;
    for (double step = 0.6, along = step; along < length / 2 && count < LEG_POINTS_MAX / 2; step *= 1.5, along += step)
        away[count++] = along;
    for (int i = 0; i < count; i++) put(list, vec3_lerp(from, to, away[i] / length));
    for (int i = count; i-- > 0;) put(list, vec3_lerp(from, to, 1 - away[i] / length));
}

// Half a turn from `from` around the middle between it and `to`, starting along `along`; ends left out.
static void put_half_circle(point_list *list, cdg_vec3 from, cdg_vec3 to, cdg_vec3 along) {
    cdg_vec3 middle = vec3_lerp(from, to, 0.5), out = vec3_sub(from, middle);
    for (int i = 1; i < ARC_POINTS; i++) {
        double angle = PI * i / ARC_POINTS;
        put(list, vec3_mad(vec3_mad(middle, cos(angle), out), sin(angle) * vec3_norm(out), along));
    }
}

static cdg_result loop_too_short(const cdg_centerline *centerline, double least, double unit, cdg_error *error) {
    return cdg_fail(error, CDG_ERROR_ARGUMENT,
                    "centerline tied: loop is %g m; a %s in this rope needs one of %g m or more", centerline->tied.loop,
                    cdg_tied_name(centerline->tied.knot), least * unit);
}

// Strands that leave side by side along -x: two legs and half a circle.
static cdg_result put_bight(point_list *list, cdg_vec3 from, cdg_vec3 to, const cdg_centerline *centerline, double unit,
                            cdg_error *error) {
    double width = hypot(to.y - from.y, to.z - from.z), step = fabs(to.x - from.x);
    double least = PI * width / 2 + step + 2;
    double loop = centerline->tied.loop > 0 ? centerline->tied.loop / unit : fmax(least, BOWLINE_LOOP);
    if (!(loop >= least)) return loop_too_short(centerline, least, unit, error);
    double x = fmin(from.x, to.x) - (loop - PI * width / 2 - step) / 2;
    cdg_vec3 turn = vec3(x, from.y, from.z), back = vec3(x, to.y, to.z);
    put_leg(list, from, turn);
    put(list, turn);
    put_half_circle(list, turn, back, vec3(-1, 0, 0));
    put(list, back);
    put_leg(list, back, to);
    return CDG_OK;
}

// Strands that leave along -x and x: half a circle, a straight way back, half a circle.
static cdg_result put_ring(point_list *list, cdg_vec3 from, cdg_vec3 to, const cdg_centerline *centerline,
                           cdg_vec3 side, double unit, cdg_error *error) {
    double span = to.x - from.x, least = 2 * PI * LOOP_RADIUS_LEAST + span;
    double loop = centerline->tied.loop > 0 ? centerline->tied.loop / unit : 2 * PI * LOOP_RADIUS + span;
    if (!(loop >= least)) return loop_too_short(centerline, least, unit, error);
    double across = (loop - span) / PI;
    cdg_vec3 left = vec3_mad(from, across, side), right = vec3_mad(to, across, side);
    put_half_circle(list, from, left, vec3(-1, 0, 0));
    put(list, left);
    put_leg(list, left, right);
    put(list, right);
    put_half_circle(list, right, to, vec3(1, 0, 0));
    return CDG_OK;
}

// ---- the whole rope -------------------------------------------------------------------------------------------------

// Axes of the knot in the world, and where its origin is.
typedef struct placement {
    cdg_vec3 x, y, z, center;
    double unit;
} placement;

static cdg_vec3 turned(const placement *pose, cdg_vec3 v) {
    return vec3_mad(vec3_mad(vec3_scale(v.x, pose->x), v.y, pose->y), v.z, pose->z);
}

static cdg_result make_placement(const cdg_centerline *centerline, placement *out, cdg_error *error) {
    cdg_vec3 direction = centerline->tied.direction, normal = centerline->tied.normal;
    cdg_vec3 across = vec3_cross(normal, direction);
    double length = vec3_norm(direction), height = vec3_norm(normal);
    if (!(length > 0 && height > 0 && vec3_norm(across) > PARALLEL * length * height) || !vec3_is_finite(across)) {
        return cdg_fail(error, CDG_ERROR_ARGUMENT,
                        "centerline tied: direction (%g, %g, %g) and normal (%g, %g, %g) must be two different "
                        "directions",
                        direction.x, direction.y, direction.z, normal.x, normal.y, normal.z);
    }
    if (!vec3_is_finite(centerline->tied.center)) {
        return cdg_fail(error, CDG_ERROR_ARGUMENT,
                        "centerline tied: center has a component that is not a finite number");
    }
    out->x = vec3_scale(1 / length, direction);
    out->y = vec3_normalize(across);
    out->z = vec3_cross(out->x, out->y);
    out->center = centerline->tied.center;
    return CDG_OK;
}

static cdg_result check(const cdg_centerline *centerline, placement *pose, cdg_error *error) {
    double radius = centerline->tied.radius, clearance = centerline->tied.clearance;
    int knot = (int)centerline->tied.knot, strand = centerline->tied.strand;
    if (knot < 0 || knot >= CDG_TIED_KNOT_COUNT) {
        return cdg_fail(error, CDG_ERROR_ARGUMENT, "centerline tied: there is no knot number %d; use cdg_tied_knot",
                        knot);
    }
    if (!(radius > 0) || !isfinite(radius)) {
        return cdg_fail(error, CDG_ERROR_ARGUMENT,
                        "centerline tied: radius is %g m; give that of the rope, greater than 0", radius);
    }
    if (!(clearance >= 0) || !isfinite(clearance)) {
        return cdg_fail(error, CDG_ERROR_ARGUMENT,
                        "centerline tied: clearance is %g m; strands cannot lie in each other: give 0 or more",
                        clearance);
    }
    pose->unit = 2 * radius + clearance;
    for (int end = 0; end < 2; end++) {
        double tail = centerline->tied.tail[end];
        if (tail >= 0 && isfinite(tail)) continue;
        return cdg_fail(error, CDG_ERROR_ARGUMENT, "centerline tied: tail is %g m; give a length of 0 or more", tail);
    }
    int strand_count = tables[knot].strand_count;
    if (strand < 0 || strand > (strand_count == 1 ? 0 : 2)) {
        return cdg_fail(error, CDG_ERROR_ARGUMENT, "centerline tied: strand is %d; a %s has %s", strand,
                        cdg_tied_name(centerline->tied.knot),
                        strand_count == 1 ? "one only, number 0" : "1 and 2, or 0 for both in one rope");
    }
    bool has_loop = strand_count == 2 && strand == 0;
    if (!has_loop && (centerline->tied.loop != 0 || centerline->tied.through_count > 0)) {
        return cdg_fail(error, CDG_ERROR_ARGUMENT, "centerline tied: %s has no loop; leave out %s",
                        cdg_tied_name(centerline->tied.knot),
                        centerline->tied.through_count > 0 ? "the points to go through" : "its length");
    }
    if (!(centerline->tied.loop >= 0) || !isfinite(centerline->tied.loop)) {
        return cdg_fail(error, CDG_ERROR_ARGUMENT, "centerline tied: loop is %g m; give a length, or 0",
                        centerline->tied.loop);
    }
    if (centerline->tied.through_count > 0 && centerline->tied.through == NULL)
        return cdg_fail(error, CDG_ERROR_ARGUMENT, "through_count is %zu, but through is NULL",
                        centerline->tied.through_count);
    for (size_t i = 0; i < centerline->tied.through_count; i++) {
        if (vec3_is_finite(centerline->tied.through[i])) continue;
        return cdg_fail(error, CDG_ERROR_ARGUMENT,
                        "centerline tied: point %zu to go through (counted from 1) is not finite", i + 1);
    }
    return make_placement(centerline, pose, error);
}

// Points of strand 0 or 1, forward or backward, in units.
static void put_strand(point_list *list, const knot_table *table, int strand, bool is_backward) {
    size_t count = strand_size(table, strand);
    for (size_t i = 0; i < count; i++) put(list, strand_point(table, strand, is_backward ? count - 1 - i : i));
}

static void place_points(const placement *pose, cdg_vec3 *points, size_t count) {
    for (size_t i = 0; i < count; i++) points[i] = vec3_mad(pose->center, pose->unit, turned(pose, points[i]));
}

// All points of the rope, in the world's axes, and where it leaves.
static cdg_result make_points(const cdg_centerline *centerline, const placement *pose, point_list *list,
                              cdg_vec3 outward[2], cdg_error *error) {
    const knot_table *table = &tables[centerline->tied.knot];
    if (table->strand_count == 1 || centerline->tied.strand > 0) {
        int strand = centerline->tied.strand > 0 ? centerline->tied.strand - 1 : 0;
        put_strand(list, table, strand, false);
        place_points(pose, list->points, list->count);
        for (int end = 0; end < 2; end++) outward[end] = turned(pose, strand_outward(table, strand, end));
        return CDG_OK;
    }
    // A bowline's first strand leads from the standing part to the loop; of a bend, the tail comes first.
    bool is_bight = centerline->tied.knot == CDG_TIED_BOWLINE;
    put_strand(list, table, 0, !is_bight);
    outward[0] = turned(pose, strand_outward(table, 0, is_bight ? 0 : 1));
    outward[1] = turned(pose, strand_outward(table, 1, 1));
    cdg_vec3 from = list->points[list->count - 1], to = strand_point(table, 1, 0);
    size_t first_count = list->count, through_count = centerline->tied.through_count;
    cdg_result result = CDG_OK;
    if (through_count == 0) {
        result = is_bight ? put_bight(list, from, to, centerline, pose->unit, error)
                          : put_ring(list, from, to, centerline, table->loop_side, pose->unit, error);
        first_count = list->count;
    }
    place_points(pose, list->points, first_count);
    for (size_t i = 0; i < through_count; i++) put(list, centerline->tied.through[i]);
    size_t second_start = list->count;
    put_strand(list, table, 1, false);
    place_points(pose, list->points + second_start, list->count - second_start);
    return result;
}

cdg_result cdg_tied_init(const cdg_centerline *centerline, cdg_tied *out, cdg_error *error) {
    placement pose = {0};
    *out = (cdg_tied){0};
    cdg_result result = check(centerline, &pose, error);
    if (result != CDG_OK) return result;
    const knot_table *table = &tables[centerline->tied.knot];
    size_t room = strand_size(table, 0) + (table->strand_count == 2 ? strand_size(table, 1) : 0) + LOOP_POINTS_MAX +
                  centerline->tied.through_count;
    point_list list = {malloc(room * sizeof *list.points), 0};
    if (list.points == NULL) return cdg_fail(error, CDG_ERROR_MEMORY, "no memory for a knot");
    out->points = list.points;
    out->unit = pose.unit;
    for (int end = 0; end < 2; end++) out->tail[end] = centerline->tied.tail[end];
    result = make_points(centerline, &pose, &list, out->outward, error);
    for (size_t i = 1; i < list.count && result == CDG_OK; i++) {
        if (vec3_distance(list.points[i - 1], list.points[i]) > 1e-9 * pose.unit) continue;
        result = cdg_fail(error, CDG_ERROR_ARGUMENT, "centerline tied: two of the points to go through coincide");
    }
    if (result == CDG_OK) result = cdg_spline_init(out->points, list.count, false, &out->spline, error);
    if (result != CDG_OK) {
        free(out->points);
        *out = (cdg_tied){0};
    }
    return result;
}

void cdg_tied_free(cdg_tied *tied) {
    if (tied->points != NULL) cdg_spline_free(&tied->spline);
    free(tied->points);
    *tied = (cdg_tied){0};
}

static void evaluate(const void *context, size_t piece, double u, cdg_vec3 *position, cdg_vec3 *derivative) {
    const cdg_tied *tied = context;
    size_t spline_pieces = tied->spline.piece_count;
    if (tied->tail[0] > 0) {
        if (piece == 0) {
            *position = vec3_mad(tied->points[0], tied->tail[0] * (1 - u), tied->outward[0]);
            *derivative = vec3_scale(-tied->tail[0], tied->outward[0]);
            return;
        }
        piece--;
    }
    if (piece < spline_pieces) {
        cdg_spline_evaluate(&tied->spline, piece, u, position, derivative);
        return;
    }
    *position = vec3_mad(tied->points[spline_pieces], tied->tail[1] * u, tied->outward[1]);
    *derivative = vec3_scale(tied->tail[1], tied->outward[1]);
}

cdg_curve cdg_tied_curve(const cdg_tied *tied) {
    return (cdg_curve){tied, tied->spline.piece_count + (tied->tail[0] > 0) + (tied->tail[1] > 0), evaluate};
}

size_t cdg_tied_least_elements(const cdg_tied *tied, double length) {
    const double most = 1e15; // more than anyone can have, and few enough for a size_t
    return (size_t)fmin(most, ceil(length / (ELEMENT * tied->unit)));
}
