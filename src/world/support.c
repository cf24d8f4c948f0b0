// Supports: where a prescribed motion has a section at a given time, which nodes are held in a step, what they exert.
#include "geometry/motion.h"
#include "math/quat.h"
#include "world/tie.h"

#include <math.h>
#include <stdlib.h>

void cdg_support_pose(const world_support *support, double time, cdg_vec3 *position, cdg_quat *frame) {
    cdg_pose start = {support->position, support->frame};
    cdg_pose pose = cdg_motion_pose(support->def.motions, support->def.motion_count, start, time);
    *position = pose.position;
    *frame = pose.orientation;
}

static void pose_of(const cdg_world *world, const world_support *support, double time, cdg_vec3 *position,
                    cdg_quat *frame) {
    if (support->tie1 != 0) {
        *position = world->ties[support->tie1 - 1].trial.position;
        *frame = world->ties[support->tie1 - 1].trial.frame;
    } else if (support->weld1 == 0) {
        cdg_support_pose(support, time, position, frame);
    } else {
        *position = world->welds[support->weld1 - 1].position;
        *frame = world->welds[support->weld1 - 1].frame;
    }
}

double cdg_support_turn(const world_support *support, double from, double to) {
    double sum = 0;
    for (size_t i = 0; i < support->def.motion_count; i++) {
        const cdg_motion *motion = &support->def.motions[i];
        if (motion->kind != CDG_MOTION_ROTATE) continue;
        sum += fabs(motion->angle * (cdg_motion_progress(motion, to) - cdg_motion_progress(motion, from)));
    }
    return sum;
}

// A step belongs to the time before the release when its middle does: rounding of the time cannot shift that.
static bool is_acting(const cdg_world *world, const world_support *support, double time) {
    if (support->is_removed) return false;
    return support->def.release <= 0 || time - world->step / 2 < support->def.release;
}

static bool sets_position(const cdg_support_def *def) { return def->kind != CDG_SUPPORT_TWIST; }
static bool sets_frame(const cdg_support_def *def) {
    return def->kind == CDG_SUPPORT_CLAMP || (def->kind == CDG_SUPPORT_SLIDE && def->holds_frame);
}

// Schemes that look back two steps would give a rod back some of the motion that a support has just taken from it.
static void let_go(cdg_rod *rod) {
    if (rod->x_before[0] != NULL) rod->has_history = false;
}

static void drive(const cdg_world *world, cdg_rod *rod, world_support *support, double time) {
    support->hold = CDG_NO_INDEX;
    if (!is_acting(world, support, time)) {
        if (!support->is_removed && !support->is_released) let_go(rod);
        return;
    }
    size_t node = rod_user_node(rod, support->def.place.index);
    const cdg_hold *known = rod_hold_at(rod, node);
    support->hold = (uint32_t)(known != NULL ? (size_t)(known - rod->holds) : rod->hold_count);
    cdg_hold *hold = &rod->holds[support->hold];
    if (known == NULL) {
        rod->hold_count++;
        *hold = (cdg_hold){.node = node, .frame = quat_identity()};
        if (rod->hold_at != NULL) rod->hold_at[hold->node] = support->hold;
    }
    cdg_vec3 position;
    cdg_quat frame;
    pose_of(world, support, time, &position, &frame);
    if (sets_position(&support->def)) { // the last one counts
        hold->slides = support->def.kind == CDG_SUPPORT_SLIDE;
        hold->holds_position = !hold->slides;
        hold->position = position;
    }
    if (hold->slides && support->def.kind == CDG_SUPPORT_SLIDE) {
        cdg_quat turn = quat_multiply(frame, quat_conjugate(support->frame));
        hold->along = vec3_normalize(quat_rotate(turn, support->def.along));
    }
    if (support->weld1 != 0) {
        hold->has_velocity = world->welds[support->weld1 - 1].has_velocity;
        hold->velocity = world->welds[support->weld1 - 1].velocity;
        hold->yields = world->welds[support->weld1 - 1].yields;
        hold->yield = world->welds[support->weld1 - 1].yield;
        hold->expected = world->welds[support->weld1 - 1].expected;
    }
    if (sets_frame(&support->def)) {
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

void cdg_supports_drive(const cdg_world *world, uint32_t rod_index, double time) {
    world_rod *entry = &world->rods[rod_index];
    entry->rod->hold_count = 0;
    entry->driven_time = time;
    entry->driven_step = world->step;
    for (uint32_t i = entry->first_support; i != CDG_NO_INDEX; i = world->supports[i].next_of_rod)
        drive(world, entry->rod, &world->supports[i], time);
}

void cdg_supports_drive_last(const cdg_world *world, uint32_t rod_index) {
    world_rod *entry = &world->rods[rod_index];
    bool is_first = entry->first_support == entry->last_support;
    // When the others are where they were driven to, they need not be driven again: many are added one by one.
    if (is_first || entry->has_weld || entry->has_tie || entry->driven_time != world->time ||
        entry->driven_step != world->step) {
        cdg_supports_drive(world, rod_index, world->time);
    } else {
        drive(world, entry->rod, &world->supports[entry->last_support], world->time);
    }
}

// Which parts of a support at one node later supports at the same node overrule.
typedef struct overruled {
    bool position, frame, roll;
} overruled;

static overruled find_overruled(const cdg_world *world, const world_support *support, double time) {
    overruled result = {0};
    uint32_t last = world->rods[support->rod_index].rod->support_at[support->def.place.index];
    for (uint32_t i = last; &world->supports[i] != support; i = world->supports[i].before_at_node) {
        const world_support *later = &world->supports[i];
        if (!is_acting(world, later, time)) continue;
        if (sets_position(&later->def)) result.position = true;
        if (sets_frame(&later->def)) result.frame = true;
        if (sets_frame(&later->def) || later->def.kind == CDG_SUPPORT_TWIST) result.roll = true;
    }
    return result;
}

// What a support exerts in the step that ends at `time`; false: it has let go.
static bool reaction_of(const cdg_world *world, const world_support *support, double time, cdg_vec3 *force,
                        cdg_vec3 *moment) {
    const cdg_rod *rod = world->rods[support->rod_index].rod;
    const cdg_hold *hold = support->hold != CDG_NO_INDEX ? &rod->holds[support->hold] : NULL;
    *force = *moment = vec3(0, 0, 0);
    if (!is_acting(world, support, time) || hold == NULL) return false;
    overruled lost = find_overruled(world, support, time);
    cdg_vec3 axis = quat_d3(hold->frame);
    cdg_vec3 about_axis = vec3_scale(vec3_dot(hold->moment, axis), axis);
    if (sets_position(&support->def) && !lost.position) *force = hold->force;
    if (sets_frame(&support->def) && !lost.frame)
        *moment = lost.roll ? vec3_sub(hold->moment, about_axis) : hold->moment;
    if (support->def.kind == CDG_SUPPORT_TWIST && !lost.roll)
        *moment = hold->frame_hold == CDG_HOLD_FRAME ? about_axis : hold->moment;
    return true;
}

static double work_of(const cdg_world *world, const world_support *support, double time, double step, double *doubt) {
    cdg_vec3 force, moment, position[2];
    cdg_quat frame[2];
    if (!reaction_of(world, support, time, &force, &moment)) return 0;
    cdg_support_pose(support, time - step, &position[0], &frame[0]);
    cdg_support_pose(support, time, &position[1], &frame[1]);
    // Less than half a turn a step: more could not be told from its complement by the rod either.
    cdg_vec3 rotation = quat_log(quat_multiply(frame[1], quat_conjugate(frame[0])));
    cdg_vec3 way = vec3_sub(position[1], position[0]);
    // a line that turns pushes where the node is on it
    if (support->def.kind == CDG_SUPPORT_SLIDE) {
        const cdg_rod *rod = world->rods[support->rod_index].rod;
        cdg_vec3 node = rod_vec3(rod->x_next, rod_user_node(rod, support->def.place.index));
        way = vec3_add(way, vec3_cross(rotation, vec3_sub(node, position[1])));
    }
    // the mean of the reactions before and after makes the work second order in the step
    double before = vec3_dot(support->force, way) + vec3_dot(support->moment, rotation);
    double after = vec3_dot(force, way) + vec3_dot(moment, rotation);
    *doubt += 0.5 * fabs(after - before);
    return 0.5 * (before + after);
}

double cdg_supports_work(const cdg_world *world, uint32_t rod_index, double time, double step, double *doubt) {
    double work = 0;
    for (uint32_t i = world->rods[rod_index].first_support; i != CDG_NO_INDEX; i = world->supports[i].next_of_rod)
        if (world->supports[i].def.motion_count > 0) work += work_of(world, &world->supports[i], time, step, doubt);
    return work;
}

void cdg_supports_collect(cdg_world *world, uint32_t rod_index, double time) {
    for (uint32_t i = world->rods[rod_index].first_support; i != CDG_NO_INDEX; i = world->supports[i].next_of_rod) {
        world_support *support = &world->supports[i];
        support->is_released = !is_acting(world, support, time);
        reaction_of(world, support, time, &support->force, &support->moment);
    }
}

// ---- removing -------------------------------------------------------------------------------------------------------

static void unlink_support(cdg_world *world, uint32_t index) {
    const world_support *support = &world->supports[index];
    world_rod *entry = &world->rods[support->rod_index];
    uint32_t *link = &entry->first_support, before = CDG_NO_INDEX;
    while (*link != index) before = *link, link = &world->supports[*link].next_of_rod;
    *link = support->next_of_rod;
    if (entry->last_support == index) entry->last_support = before;
    link = &entry->rod->support_at[support->def.place.index];
    while (*link != index) link = &world->supports[*link].before_at_node;
    *link = support->before_at_node;
    entry->rod->support_count--;
}

static void free_support(cdg_world *world, uint32_t index) {
    world_support *support = &world->supports[index];
    world->motion_count -= support->def.motion_count;
    free((void *)(uintptr_t)support->def.motions);
    cdg_leads_leave_support(world, index);
    *support = (world_support){.is_removed = true, .next_of_rod = CDG_NO_INDEX, .hold = CDG_NO_INDEX};
    cdg_handles_remove(&world->handles[WORLD_SUPPORTS], index);
}

void cdg_supports_remove(cdg_world *world, uint32_t index) {
    uint32_t rod_index = world->supports[index].rod_index;
    cdg_rod *rod = world->rods[rod_index].rod;
    let_go(rod);
    unlink_support(world, index);
    free_support(world, index);
    cdg_supports_drive(world, rod_index, world->time);
    if (!rod->has_history && rod->model->state_changed != NULL) rod->model->state_changed(rod);
    world->scratch_size = 0; // other rods may be like this one now
}

void cdg_supports_leave_rod(cdg_world *world, uint32_t rod_index) {
    world_rod *entry = &world->rods[rod_index];
    for (uint32_t i = entry->first_support, next; i != CDG_NO_INDEX; i = next) {
        next = world->supports[i].next_of_rod;
        free_support(world, i);
    }
    entry->first_support = entry->last_support = CDG_NO_INDEX;
}
