// Whether a step is short enough for what moves by itself. Contact takes things to go straight and to turn steadily by
// less than half a turn in a step, and bodies meet each other where they are at its start. So a step is divided until
// prescribed motions are nearly straight and turn little, and until no body gets through what is near it.
#include "geometry/motion.h"
#include "math/quat.h"
#include "world/world.h"

#include <math.h>

// rad: above it, normals and lever arms of the step's end say little about what was met on the way. Half a turn of a
// support would be taken for one in the other direction.
static const double most_turn = 1;
// Of the thinnest rod's radius: how far a prescribed path may be from the straight line that contact sees.
static const double most_bulge = 0.25;
enum { SAMPLES = 8 };

// ---- prescribed motions ---------------------------------------------------------------------------------------------

typedef struct path {
    const cdg_motion *motions;
    size_t count;
    cdg_pose start; // before all motion
    double from, to;
} path;

// What happens at once is a jump, whatever the step.
static double share_of(const cdg_motion *motion, const path *it) {
    if (!(motion->to > motion->from) || it->to <= motion->from || it->from >= motion->to) return 0;
    return cdg_motion_progress(motion, it->to) - cdg_motion_progress(motion, it->from);
}

static double turn_of(const path *it) {
    double sum = 0;
    for (size_t i = 0; i < it->count; i++)
        if (it->motions[i].kind == CDG_MOTION_ROTATE) sum += fabs(it->motions[i].angle * share_of(&it->motions[i], it));
    return sum;
}

// One move alone, or a turn about the thing itself, is straight.
static bool may_bulge(const path *it) {
    size_t moves = 0;
    for (size_t i = 0; i < it->count; i++) {
        if (share_of(&it->motions[i], it) == 0) continue;
        if (it->motions[i].kind == CDG_MOTION_ROTATE && it->motions[i].has_center) return true;
        moves += it->motions[i].kind == CDG_MOTION_MOVE;
    }
    return moves > 1;
}

typedef struct chord {
    cdg_vec3 from, along; // along: unit, or nothing where both ends are one
    double length, farthest;
} chord;

// How far a point of the path is from the straight way, or behind where the path was on it before.
static double stray(chord *it, const path *way, double time) {
    cdg_vec3 at = cdg_motion_pose(way->motions, way->count, way->start, time).position;
    double along = vec3_dot(vec3_sub(at, it->from), it->along);
    double inside = fmin(it->length, fmax(0, along));
    double off = vec3_distance(at, vec3_mad(it->from, inside, it->along));
    it->farthest = fmax(it->farthest, inside);
    return fmax(off, it->farthest - inside);
}

static double bulge_of(const path *it) {
    cdg_vec3 ends[2] = {cdg_motion_pose(it->motions, it->count, it->start, it->from).position,
                        cdg_motion_pose(it->motions, it->count, it->start, it->to).position};
    chord straight = {.from = ends[0], .length = vec3_distance(ends[0], ends[1])};
    straight.along = straight.length > 0 ? vec3_scale(1 / straight.length, vec3_sub(ends[1], ends[0])) : ends[0];
    if (!(straight.length > 0)) straight.along = vec3(0, 0, 0);
    double most = 0;
    for (int i = 1; i < SAMPLES; i++)
        most = fmax(most, stray(&straight, it, it->from + (it->to - it->from) * i / SAMPLES));
    // Where a motion begins or ends, which the samples may have missed: there-and-back turns there.
    for (size_t i = 0; i < 2 * it->count; i++) {
        double time = i % 2 == 0 ? it->motions[i / 2].from : it->motions[i / 2].to;
        straight.farthest = 0;
        if (time > it->from && time < it->to) most = fmax(most, stray(&straight, it, time));
    }
    return most;
}

// `radius`: of the thinnest rod; HUGE_VAL: nothing touches.
static bool is_simple(const path *it, double radius) {
    if (turn_of(it) > most_turn) return false;
    return radius == HUGE_VAL || !may_bulge(it) || bulge_of(it) <= most_bulge * radius;
}

static double thinnest_radius(const cdg_world *world) {
    if (!world_has_contact(world)) return HUGE_VAL;
    double least = HUGE_VAL;
    for (size_t i = 0; i < world->rod_count; i++)
        if (world->rods[i].rod != NULL) least = fmin(least, world->rods[i].rod->radius[0]);
    return least;
}

static bool motions_are_simple(const cdg_world *world, double from, double to) {
    if (world->motion_count == 0) return true;
    double radius = thinnest_radius(world);
    for (size_t i = 0; i < world->support_count; i++) {
        const world_support *s = &world->supports[i];
        if (s->def.motion_count == 0 || s->is_released) continue;
        path it = {s->def.motions, s->def.motion_count, {s->position, s->frame}, from, to};
        if (!is_simple(&it, radius)) return false;
    }
    for (size_t i = 0; i < world->obstacle_count; i++) {
        const cdg_obstacle_def *def = &world->obstacles[i].def;
        path it = {def->motions, def->motion_count, {def->shape.position, def->shape.orientation}, from, to};
        if (def->motion_count > 0 && !is_simple(&it, radius)) return false;
    }
    for (size_t i = 0; i < world->body_count; i++) {
        const cdg_body_def *def = &world->bodies[i].def;
        path it = {def->motions, def->motion_count, {def->shape.position, def->shape.orientation}, from, to};
        if (def->motion_count > 0 && !is_simple(&it, radius)) return false;
    }
    return true;
}

// ---- bodies ---------------------------------------------------------------------------------------------------------

// A ball around something that moves, how far its points go in the step, and how thick it is.
typedef struct mover {
    cdg_vec3 center, move; // m; move: of the centre in the step
    double reach, turned;  // turned: m, how far the turn takes its farthest point
    double way, thickness; // way: m, no point goes farther
} mover;

static mover mover_of_body(const cdg_world *world, const cdg_body *b, double time, double step) {
    mover it = {.center = b->now.x, .reach = b->reach, .thickness = b->thickness};
    double turn;
    if (b->def.is_fixed) {
        cdg_body_now then = cdg_body_prescribed(b, time);
        turn = vec3_norm(quat_log(quat_relative(b->now.q, then.q)));
        it.move = vec3_sub(then.x, b->now.x);
    } else {
        turn = vec3_norm(cdg_body_angular_velocity(b, b->now.q, b->now.spin)) * step;
        it.move = vec3_scale(step, vec3_mad(b->now.v, step, world->def.gravity));
    }
    it.turned = b->def.shape.kind == CDG_SHAPE_SPHERE ? 0 : turn * b->reach;
    it.way = vec3_norm(it.move) + it.turned;
    return it;
}

static double obstacle_thickness(const cdg_obstacle *o) {
    const cdg_obstacle_def *def = &o->def;
    switch (def->shape.kind) {
    case CDG_SHAPE_SPHERE:
    case CDG_SHAPE_CAPSULE: return def->shape.radius;
    case CDG_SHAPE_CYLINDER: return fmin(def->shape.radius, 0.5 * def->shape.length);
    case CDG_SHAPE_BOX: return 0.5 * fmin(def->shape.size.x, fmin(def->shape.size.y, def->shape.size.z));
    case CDG_SHAPE_PLANE:
    case CDG_SHAPE_MESH:
    default: break;
    }
    return 0;
}

// Something that goes no farther in a step than half of the body's thickness, and half of the other thing's (up to the
// body's), is met before its middle has passed. Something that comes straight at the body has to be met as soon as it
// touches, because contact pushes out what lies deep, and that is a blow from nowhere.
static bool may_pass(const mover *body, double way, double thickness) {
    return way > 0.5 * (body->thickness + fmin(body->thickness, thickness));
}
static const double most_depth = 0.05; // of the body's thickness

static bool may_pass_obstacle(const mover *body, const cdg_obstacle *o, double time, double step) {
    if (o->def.shape.kind == CDG_SHAPE_PLANE) return false; // there is nothing behind it to come out of
    cdg_pose from = cdg_obstacle_pose(o, time - step), to = cdg_obstacle_pose(o, time);
    double turn = o->def.shape.kind == CDG_SHAPE_SPHERE
                      ? 0
                      : vec3_norm(quat_log(quat_relative(from.orientation, to.orientation)));
    cdg_vec3 move = vec3_sub(to.position, from.position);
    double turned = turn * (vec3_norm(o->middle) + o->reach), way = body->way + vec3_norm(move) + turned;
    if (!(way > most_depth * body->thickness)) return false;
    cdg_distance there = cdg_obstacle_distance(o, &from, body->center);
    double gap = there.value - body->reach;
    if (may_pass(body, way, obstacle_thickness(o)) && gap < way) return true;
    double nearer = vec3_dot(there.normal, vec3_sub(move, body->move)) + body->turned + turned;
    return gap > 0 && gap < nearer && nearer - gap > most_depth * body->thickness;
}

static bool may_pass_body(const cdg_world *world, const mover *it, size_t index, double time, double step) {
    for (size_t k = 0; k < world->body_count; k++) {
        if (k == index || world->bodies[k].def.is_ghost) continue;
        mover that = mover_of_body(world, &world->bodies[k], time, step);
        double way = it->way + that.way, apart = vec3_distance(it->center, that.center);
        double gap = apart - it->reach - that.reach;
        if (may_pass(it, way, that.thickness) && gap < way) return true;
        cdg_vec3 between = vec3_scale(apart > 0 ? 1 / apart : 0, vec3_sub(it->center, that.center));
        double nearer = vec3_dot(between, vec3_sub(that.move, it->move)) + it->turned + that.turned;
        if (gap > 0 && gap < nearer && nearer - gap > most_depth * it->thickness) return true;
    }
    return false;
}

static bool bodies_may_pass(const cdg_world *world, double time, double step) {
    double fastest = 0;
    for (size_t i = 0; i < world->body_count; i++)
        fastest = fmax(fastest, mover_of_body(world, &world->bodies[i], time, step).way);
    for (size_t i = 0; i < world->body_count; i++) {
        const cdg_body *b = &world->bodies[i];
        if (b->def.is_fixed || b->def.is_ghost) continue;
        mover it = mover_of_body(world, b, time, step);
        for (size_t k = 0; k < world->obstacle_count; k++)
            if (may_pass_obstacle(&it, &world->obstacles[k], time, step)) return true;
        if (it.way + fastest > most_depth * it.thickness && may_pass_body(world, &it, i, time, step)) return true;
    }
    return false;
}

bool cdg_step_resolves_motion(const cdg_world *world, double time, double step) {
    return motions_are_simple(world, time - step, time) && !bodies_may_pass(world, time, step);
}
