// Supports: where a prescribed motion has a section at a given time, which nodes are held in a step, what they exert.
#include "math/quat.h"
#include "world/world.h"

// How far a part of a motion has come, in [0, 1].
static double motion_progress(const cdg_motion *motion, double time) {
    if (time < motion->from) return 0;
    if (time >= motion->to) return 1; // to <= from: all at once, at `from`
    double s = (time - motion->from) / (motion->to - motion->from);
    // The quintic has no speed and no acceleration at either end, so a smooth motion does not strike the rod.
    return motion->ease == CDG_EASE_SMOOTH ? s * s * s * (10 + s * (6 * s - 15)) : s;
}

void cdg_support_pose(const world_support *support, double time, cdg_vec3 *position, cdg_quat *frame) {
    cdg_vec3 x = support->position;
    cdg_quat q = support->frame;
    for (size_t i = 0; i < support->def.motion_count; i++) {
        const cdg_motion *motion = &support->def.motions[i];
        double progress = motion_progress(motion, time);
        if (motion->kind == CDG_MOTION_MOVE) {
            x = vec3_mad(x, progress, motion->move);
            continue;
        }
        // From the whole angle, never from a quaternion's power: ten turns stay ten turns and q stays continuous.
        cdg_quat turn = quat_from_axis_angle(motion->axis, progress * motion->angle);
        q = quat_multiply(turn, q);
        if (motion->has_center) x = vec3_add(motion->center, quat_rotate(turn, vec3_sub(x, motion->center)));
    }
    *position = x;
    *frame = quat_normalize(q);
}

// A step belongs to the time before the release when its middle does: rounding of the time cannot shift that.
static bool is_acting(const cdg_world *world, const world_support *support, double time) {
    return support->def.release <= 0 || time - world->step / 2 < support->def.release;
}

static bool sets_position(cdg_support_kind kind) { return kind == CDG_SUPPORT_CLAMP || kind == CDG_SUPPORT_PIN; }

static cdg_hold *find_hold(const cdg_rod *rod, size_t node) {
    for (size_t i = 0; i < rod->hold_count; i++)
        if (rod->holds[i].node == node) return &rod->holds[i];
    return NULL;
}

void cdg_supports_drive(const cdg_world *world, uint32_t rod_index, double time) {
    cdg_rod *rod = world->rods[rod_index].rod;
    rod->hold_count = 0;
    for (uint32_t i = world->rods[rod_index].first_support; i != CDG_NO_INDEX; i = world->supports[i].next_of_rod) {
        const world_support *support = &world->supports[i];
        if (!is_acting(world, support, time)) continue;
        cdg_hold *hold = find_hold(rod, support->def.place.index);
        if (hold == NULL) {
            hold = &rod->holds[rod->hold_count++];
            *hold = (cdg_hold){.node = support->def.place.index, .frame = quat_identity()};
        }
        cdg_vec3 position;
        cdg_quat frame;
        cdg_support_pose(support, time, &position, &frame);
        if (sets_position(support->def.kind)) {
            hold->holds_position = true;
            hold->position = position;
        }
        if (support->def.kind == CDG_SUPPORT_CLAMP) {
            hold->frame_hold = CDG_HOLD_FRAME;
            hold->frame = frame;
        } else if (support->def.kind == CDG_SUPPORT_TWIST && hold->frame_hold == CDG_HOLD_FRAME) {
            // A twist after a clamp overrules only its roll: the twist's frame, tilted the shortest way to the clamp's
            // d3.
            hold->frame = quat_multiply(quat_between(quat_d3(frame), quat_d3(hold->frame)), frame);
        } else if (support->def.kind == CDG_SUPPORT_TWIST) {
            hold->frame_hold = CDG_HOLD_ROLL;
            hold->frame = frame;
        }
    }
}

// Which parts of a support at one node later supports at the same node overrule.
typedef struct overruled {
    bool position, frame, roll;
} overruled;

static overruled find_overruled(const cdg_world *world, const world_support *support, double time) {
    overruled result = {0};
    for (uint32_t i = support->next_of_rod; i != CDG_NO_INDEX; i = world->supports[i].next_of_rod) {
        const world_support *later = &world->supports[i];
        if (later->def.place.index != support->def.place.index || !is_acting(world, later, time)) continue;
        if (sets_position(later->def.kind)) result.position = true;
        if (later->def.kind == CDG_SUPPORT_CLAMP) result.frame = true;
        if (later->def.kind != CDG_SUPPORT_PIN) result.roll = true;
    }
    return result;
}

double cdg_supports_collect(cdg_world *world, uint32_t rod_index, double time, double step) {
    const cdg_rod *rod = world->rods[rod_index].rod;
    double work = 0;
    for (uint32_t i = world->rods[rod_index].first_support; i != CDG_NO_INDEX; i = world->supports[i].next_of_rod) {
        world_support *support = &world->supports[i];
        cdg_vec3 force_before = support->force, moment_before = support->moment;
        support->force = support->moment = vec3(0, 0, 0);
        support->is_released = !is_acting(world, support, time);
        const cdg_hold *hold = find_hold(rod, support->def.place.index);
        if (support->is_released || hold == NULL) continue;

        overruled lost = find_overruled(world, support, time);
        cdg_vec3 axis = quat_d3(hold->frame);
        cdg_vec3 about_axis = vec3_scale(vec3_dot(hold->moment, axis), axis);
        if (sets_position(support->def.kind) && !lost.position) support->force = hold->force;
        if (support->def.kind == CDG_SUPPORT_CLAMP && !lost.frame)
            support->moment = lost.roll ? vec3_sub(hold->moment, about_axis) : hold->moment;
        if (support->def.kind == CDG_SUPPORT_TWIST && !lost.roll)
            support->moment = hold->frame_hold == CDG_HOLD_FRAME ? about_axis : hold->moment;

        if (support->def.motion_count == 0) continue;
        cdg_vec3 position[2];
        cdg_quat frame[2];
        cdg_support_pose(support, time - step, &position[0], &frame[0]);
        cdg_support_pose(support, time, &position[1], &frame[1]);
        // Less than half a turn a step: more could not be told from its complement by the rod either.
        cdg_vec3 rotation = quat_log(quat_multiply(frame[1], quat_conjugate(frame[0])));
        // the mean of the reactions before and after makes the work second order in the step
        cdg_vec3 force = vec3_scale(0.5, vec3_add(force_before, support->force));
        cdg_vec3 moment = vec3_scale(0.5, vec3_add(moment_before, support->moment));
        work += vec3_dot(force, vec3_sub(position[1], position[0])) + vec3_dot(moment, rotation);
    }
    return work;
}
