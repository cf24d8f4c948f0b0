// Structures that are ropes: bends of two ropes, and the Prusik hitch.
//
// The Prusik is wound by formula, since it must fit posts of any thickness. All lengths in units of 2 radius +
// clearance, u along the post's circumference, x along the post, h away from the first layer: a leg comes up in front
// of the post, winds outwards in a helix, climbs to the second layer and turns to run back along the post across its
// own turns, the bridge; the other half is its mirror image. Turns are PITCH apart and layers LAYER, somewhat more than
// 1 because a polygon cuts corners (geometry/tied.c).
#include "base/error.h"
#include "nets/structure_build.h"

#include <stdlib.h>

static const double PI = 3.141592653589793;
static const double PITCH = 1.12, LAYER = 1.10;
// Distance of the first layer from the post beyond contact: a chord of 0.37 cuts 0.02 at the thinnest post.
static const double FIRST_LAYER = 0.05;
// Length over which the rope climbs to the second layer, and radius of its turn into the bridge.
static const double CLIMB = 3.0, TURN = 1.2;
// Radius of the turn at the lower end of the hanging ring, and how long legs stay side by side below the post.
static const double LOWER_TURN = 2.0, TOGETHER = 2.0; // the latter beyond the post's own thickness
static const double ELEMENT = 0.37;                   // longest, as in geometry/tied.c

static cdg_result rope_radius(const cdg_structure_def *def, double *out, cdg_error *error) {
    if (def->rod.has_stiffness) {
        *out = def->rod.stiffness.radius;
    } else {
        cdg_section_properties section;
        cdg_result result = cdg_section_compute(&def->rod.section, def->rod.material.poisson_ratio, &section, error);
        if (result != CDG_OK) return result;
        *out = section.bounding_radius;
    }
    if (*out > 0) return CDG_OK;
    return cdg_fail(error, CDG_ERROR_ARGUMENT, "structure '%s': its rope needs a radius greater than 0; give a section",
                    def->name);
}

static cdg_result too_few(const cdg_structure_def *def, size_t least, cdg_error *error) {
    return cdg_fail(error, CDG_ERROR_ARGUMENT,
                    "structure '%s': %zu elements are too few for its knot, whose strands would come too near each "
                    "other; use at least %zu",
                    def->name, def->element_count, least);
}

cdg_result cdg_shape_bend(structure_build *build, const cdg_structure_def *def, cdg_error *error) {
    double radius, ratio = def->bend.ratio;
    cdg_result result = rope_radius(def, &radius, error);
    if (result != CDG_OK) return result;
    bool is_bend = def->bend.knot >= CDG_TIED_SQUARE && def->bend.knot < CDG_TIED_KNOT_COUNT;
    if (!is_bend) {
        return cdg_fail(error, CDG_ERROR_ARGUMENT,
                        "structure '%s': this knot is tied in one rope; give a rod the centerline 'tied'", def->name);
    }
    if (!(ratio > 0) || !isfinite(ratio)) {
        return cdg_fail(error, CDG_ERROR_ARGUMENT, "structure '%s': ratio is %g; give a number greater than 0",
                        def->name, ratio);
    }
    if (def->rod.has_stiffness && ratio != 1) {
        return cdg_fail(error, CDG_ERROR_ARGUMENT,
                        "structure '%s': ratio scales the section, but the ropes have their stiffness outright; give a "
                        "section, or leave ratio out",
                        def->name);
    }
    cdg_centerline curve = cdg_centerline_default();
    curve.kind = CDG_CENTERLINE_TIED;
    curve.tied.knot = def->bend.knot;
    curve.tied.radius = radius * fmax(1, ratio);
    curve.tied.clearance = def->bend.clearance;
    curve.tied.tail[0] = def->bend.standing;
    curve.tied.tail[1] = def->bend.tail;
    for (int rope = 0; rope < 2 && result == CDG_OK; rope++) {
        curve.tied.strand = rope + 1;
        size_t least;
        result = cdg_centerline_least_elements(&curve, &least, error);
        if (result != CDG_OK) break;
        int levels = def->rod.adapt.is_on ? def->rod.adapt.levels : 0; // at the start it is at its finest
        size_t coarsest = ((least - 1) >> levels) + 1, count = def->element_count > 0 ? def->element_count : coarsest;
        if (count < coarsest) return too_few(def, coarsest, error);
        cdg_section section = cdg_section_scaled(def->rod.section, rope == 0 ? 1 : ratio);
        cdg_build_rod(build, rope == 0 ? "a" : "b", &curve, count, &section);
    }
    return result;
}

// ---- Prusik ---------------------------------------------------------------------------------------------------------

// Points of half the ring, from the middle of its lower end to the middle of the bridge; the left one (x < 0).
typedef struct half_ring {
    cdg_vec3 *points;
    size_t count, room;
} half_ring;

static void put(half_ring *half, cdg_vec3 point) {
    if (half->count < half->room) half->points[half->count] = point;
    half->count++;
}

// A place on the post's layers: u from the front upwards.
static cdg_vec3 wound(double around, double u, double x, double h) {
    double angle = u / around, away = around + h;
    return vec3(x, away * cos(angle), away * sin(angle));
}

// A straight leg with both its ends. Points are the farther apart the farther they are from both, so that a long leg
// takes few and a spline through them does not swing.
static void put_leg(half_ring *half, cdg_vec3 from, cdg_vec3 to) {
    enum { POINTS_MAX = 60 };
    double length = vec3_distance(from, to), away[POINTS_MAX] = {0}, step = 0.6;
    int count = 1;
    while (count < POINTS_MAX && away[count - 1] + step < length / 2) {
        away[count] = away[count - 1] + step;
        step *= 1.5;
        count++;
    }
    for (int i = 0; i < count; i++) put(half, vec3_lerp(from, to, away[i] / length));
    for (int i = count; i-- > 0;) put(half, vec3_lerp(from, to, 1 - away[i] / length));
}

// `around`: radius of the first layer.
static void wind_half(half_ring *half, double around, double drop, size_t wraps) {
    double side = PITCH / 2, end = 2 * PI * around * (double)wraps;
    // lower end: a quarter of a turn, then a leg that closes in on its fellow, then straight up
    for (int i = 0; i < 6; i++) {
        double angle = PI / 2 * i / 6;
        put(half, vec3(-LOWER_TURN * sin(angle), around, -drop + LOWER_TURN * (1 - cos(angle))));
    }
    double upper = -(TOGETHER + around);
    put_leg(half, vec3(-LOWER_TURN, around, -drop + LOWER_TURN), vec3(-side, around, upper));
    int straight = (int)ceil(-upper);
    for (int i = 1; i < straight; i++) put(half, vec3(-side, around, upper * (1 - (double)i / straight)));
    // the helix and the climb
    double outer = side + PITCH * (double)wraps, helix_end = end - TURN;
    int pieces = (int)ceil(helix_end / fmin(0.5, 0.35 * around));
    for (int i = 0; i <= pieces; i++) {
        double u = helix_end * i / pieces, climbed = fmax(0, fmin(1, (u - (helix_end - CLIMB)) / CLIMB));
        double x = side + (outer - side) * fmin(1, u / helix_end);
        put(half, wound(around, u, -x, LAYER * 0.5 * (1 - cos(PI * climbed))));
    }
    // into the bridge
    for (int i = 1; i <= 4; i++) {
        double angle = PI / 2 * i / 4;
        put(half, wound(around, helix_end + TURN * sin(angle), -outer + TURN * (1 - cos(angle)), LAYER));
    }
    int bridge = (int)ceil((outer - TURN) / 0.5);
    for (int i = 1; i < bridge; i++) put(half, wound(around, end, (TURN - outer) * (1 - (double)i / bridge), LAYER));
}

static cdg_result check_prusik(const cdg_structure_def *def, double radius, cdg_error *error) {
    double post = def->prusik.post_radius, clearance = def->prusik.clearance, unit = 2 * radius + clearance;
    if (!(clearance >= 0) || !isfinite(clearance)) {
        return cdg_fail(error, CDG_ERROR_ARGUMENT, "structure '%s': clearance is %g m; give 0 or more", def->name,
                        clearance);
    }
    if (!(post >= radius) || !isfinite(post)) {
        return cdg_fail(error, CDG_ERROR_ARGUMENT,
                        "structure '%s': post_radius is %g m; a rope of radius %g m cannot bend around a thinner post",
                        def->name, post, radius);
    }
    if (!(def->prusik.post_length >= 0) || !isfinite(def->prusik.post_length)) {
        return cdg_fail(error, CDG_ERROR_ARGUMENT, "structure '%s': post_length is %g m; give a length, or 0 for none",
                        def->name, def->prusik.post_length);
    }
    enum { WRAPS_MAX = 20 };
    if (def->prusik.wraps < 1 || def->prusik.wraps > WRAPS_MAX) {
        return cdg_fail(error, CDG_ERROR_ARGUMENT, "structure '%s': %zu wraps; give 1 to %d", def->name,
                        def->prusik.wraps, WRAPS_MAX);
    }
    double least = (LOWER_TURN + TOGETHER + 3) * unit + post + radius + clearance;
    if (!(def->prusik.loop >= least) || !isfinite(def->prusik.loop)) {
        return cdg_fail(error, CDG_ERROR_ARGUMENT,
                        "structure '%s': loop is %g m; for this rope it must be at least %g m", def->name,
                        def->prusik.loop, least);
    }
    return CDG_OK;
}

// The whole ring in the structure's own axes, as points of a closed spline. `points` is the caller's to free.
static cdg_result wind(const cdg_structure_def *def, double radius, cdg_vec3 **points, size_t *count,
                       cdg_error *error) {
    double unit = 2 * radius + def->prusik.clearance;
    double around = (def->prusik.post_radius + radius + def->prusik.clearance) / unit + FIRST_LAYER;
    half_ring half = {0};
    wind_half(&half, around, def->prusik.loop / unit, def->prusik.wraps);
    half.room = half.count;
    *points = malloc(2 * half.room * sizeof **points);
    if (*points == NULL) return cdg_fail(error, CDG_ERROR_MEMORY, "no memory for structure '%s'", def->name);
    half.points = *points;
    half.count = 0;
    wind_half(&half, around, def->prusik.loop / unit, def->prusik.wraps);
    *count = 2 * half.count - 1; // the lowest point is its own image
    for (size_t i = 0; i < half.count; i++) (*points)[i] = vec3_scale(unit, (*points)[i]);
    for (size_t i = 1; i < half.count; i++) {
        cdg_vec3 p = (*points)[i];
        (*points)[2 * half.count - 1 - i] = vec3(-p.x, p.y, p.z);
    }
    return CDG_OK;
}

cdg_result cdg_shape_prusik(structure_build *build, const cdg_structure_def *def, cdg_error *error) {
    double radius, length = 0;
    cdg_result result = rope_radius(def, &radius, error);
    if (result == CDG_OK) result = check_prusik(def, radius, error);
    if (result != CDG_OK) return result;
    cdg_vec3 *points = NULL;
    size_t count = 0;
    result = wind(def, radius, &points, &count, error);
    if (result != CDG_OK) return result;
    const cdg_vec3 *kept = cdg_build_points(build, points, count);
    free(points);
    if (kept == NULL) return cdg_fail(error, CDG_ERROR_MEMORY, "no memory for structure '%s'", def->name);
    cdg_centerline curve = {.kind = CDG_CENTERLINE_SPLINE, .closed = true, .points = {kept, count}};
    result = cdg_centerline_length(&curve, &length, error);
    if (result != CDG_OK) return result;
    size_t least = (size_t)ceil(length / (ELEMENT * (2 * radius + def->prusik.clearance)));
    size_t element_count = def->element_count > 0 ? def->element_count : least;
    if (element_count < least) return too_few(def, least, error);
    cdg_build_rod(build, "loop", &curve, element_count, NULL);
    cdg_build_straight_rest(build);
    double half = def->prusik.post_length / 2;
    if (half > 0) {
        cdg_section post = {.kind = CDG_SECTION_CIRCLE, .radius = def->prusik.post_radius};
        size_t post_elements = (size_t)fmax(8, ceil(half / def->prusik.post_radius));
        cdg_build_line(build, "post", vec3(-half, 0, 0), vec3(half, 0, 0), post_elements, &post);
    }
    return CDG_OK;
}
