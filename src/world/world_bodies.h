// The memory of a step of bodies, shared by world_bodies.c, whose step it is, weld_solve.c, which finds where bodies
// and rods agree, body_touches.c, and world_yield.c, which says how they and their rods yield to further forces.
#ifndef CDG_WORLD_WORLD_BODIES_H
#define CDG_WORLD_WORLD_BODIES_H

#include "math/banded.h"
#include "math/quat.h"
#include "world/step.h"

typedef struct body_work {
    cdg_body_now trial, best; // the best is the one with the smallest gap in this step so far
    cdg_rate_rule rule;       // of its motion
    cdg_vec3 contact_impulse, contact_turn;
    double length;  // m, of a typical element of its rods; 0: no weld
    size_t number;  // among those that are unknown; SIZE_MAX: not unknown
    double gap[6];  // m, rad: from the trial to where forces take it
    double move[6]; // m, rad: Newton's correction of the best
    double move_before[6];
} body_work;

struct world_bodies {
    world_unit *units;
    size_t unit_count;
    body_work *bodies;        // one for each
    cdg_weld_scheme *schemes; // one for each weld
    size_t unknown_count;
    cdg_banded matrix;
    double *right;
    cdg_collider *collider; // NULL: nothing can touch
    cdg_collider_item *items;
    size_t item_count;
    double time, step;         // of the step under way, which ends at time
    cdg_step_context *context; // of that step
    int thread_count;
    size_t touch_count;  // of bodies, in the step under way
    bool keeps_response; // a prediction is the last one, and rods are to keep how they answer
    bool projects;       // rods' holds yield: world_project.c
};

static inline void put(double *out, cdg_vec3 v) { out[0] = v.x, out[1] = v.y, out[2] = v.z; }
static inline cdg_vec3 take(const double *from) { return vec3(from[0], from[1], from[2]); }

// The axes of a unit, which turn with it from step to step.
static inline cdg_quat unit_axes(const cdg_world *world, const world_unit *unit) {
    const world_weld *weld = &world->welds[unit->welds[0]];
    return quat_multiply(world->bodies[weld->body].now.q, weld->turn);
}

// Where a body comes to without contact by implicit Euler, once forces act on it.
void cdg_bodies_predict_touched(const cdg_world *world, size_t index, cdg_body_now *out);

// weld_solve.c: poses of welded bodies at which their rods and they agree.
cdg_result cdg_welds_solve(cdg_world *world);
// The stiffness of a unit (by its index) by differences about the present trial. Predictions are then those of the last
// difference.
void cdg_weld_measure_unit(void *user, size_t index, int thread);
// The section's pose in the trial, and the velocity there that goes with the body's motion so far.
void cdg_weld_hold_to_trial(const cdg_world *world, const struct world_bodies *work, world_weld *weld);
// Forces of the step from what the holds exert, or, for a first guess, what they exerted in the step before.
void cdg_weld_rate(const cdg_world *world, const struct world_bodies *work, world_weld *weld, bool is_guess);
// The matrix of Newton's method at the trials as they are.
void cdg_bodies_assemble(const cdg_world *world, struct world_bodies *work);
// Where a body comes to, m and rad, by a force and a moment on it through a weld, with nothing else in its way.
void cdg_bodies_push(const cdg_world *world, const struct world_bodies *work, size_t weld, cdg_vec3 force,
                     cdg_vec3 moment, double out[6]);

// The hold of a weld in the last prediction of its rod.
const cdg_hold *cdg_weld_hold(const cdg_world *world, const world_weld *weld);
// Impulses of gravity, hands and welds on a body, N s, N m s: welds as they are in the last predictions, or, for a
// guess, as they were in the step before.
void cdg_bodies_collect(const cdg_world *world, const struct world_bodies *work, size_t index, bool is_guess,
                        cdg_vec3 *impulse, cdg_vec3 *turn);
cdg_result cdg_bodies_fail_to_meet(cdg_world *world, double gap);

// body_touches.c: points and first impulses of contact between bodies.
void cdg_bodies_place_items(const cdg_world *world); // where and how fast they are in the step
cdg_result cdg_bodies_find_touches(cdg_world *world, struct world_bodies *work);
// Their impulses, given what welds exert, and by how much the largest changed, as a share of the largest.
cdg_result cdg_bodies_touch(cdg_world *world, bool is_guess, double *change);

// body_overlaps.c: before the first step, with items placed: refuses bodies that lie in each other or in obstacles.
cdg_result cdg_bodies_check_apart(cdg_world *world);

// world_project.c: rods and bodies together, where holds yield.
bool cdg_bodies_are_projected(const cdg_world *world);
cdg_result cdg_bodies_project(cdg_world *world);

// world_yield.c: of a unit that contact may touch. The candidate of its rod is kept, and then what each move or turn of
// a weld, one after the other, makes of it.
void cdg_yield_begin(const cdg_world *world, world_unit *unit);
void cdg_yield_record(const cdg_world *world, world_unit *unit, size_t way, double size);
// With all stiffnesses known: how far the welds go by forces along these ways. False: the system is singular.
bool cdg_yield_finish(const cdg_world *world, struct world_bodies *work, world_unit *unit);

#endif
