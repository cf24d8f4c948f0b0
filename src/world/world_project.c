// Bodies that are welded to rods whose lengths are constraints: manifold projection (Bergou et al. 2008, section 8). A
// rod that cannot be stretched follows next to no trial pose of a body. So its welded node is free in the step, with
// the mobility of the body beside its own, and lengths are projected in the metric of the kinetic energy of both
// (der/lengths.c). What the projection pulls at the node moves the body, as a force and a torque, by the body's own
// integrator, whatever that is; because a body turns, its point is then a little beside the node's, and the next round
// begins there. Rods that share a body take turns. Torques of bending and twisting are passed on explicitly.
#include "world/world_bodies.h"

#include <string.h>

// Of an element, and rad. Rods that share a body come nearer to each other by a constant factor a round, so that only
// what no longer shrinks is as near as rounding lets it.
static const double gap_wanted = 1e-10, gap_accepted = 1e-8;

bool cdg_bodies_are_projected(const cdg_world *world) {
    for (size_t i = 0; i < world->weld_count; i++) {
        const cdg_rod *rod = world->rods[world->welds[i].def.place.rod.index1 - 1].rod;
        if (!world->bodies[world->welds[i].body].def.is_fixed && cdg_weld_yields(rod)) return true;
    }
    return false;
}

// Where forces of gravity, contact and welds take a body.
static cdg_body_now end_of(const cdg_world *world, size_t index, bool is_guess) {
    const struct world_bodies *work = world->bodies_work;
    const body_work *b = &work->bodies[index];
    cdg_vec3 impulse, turn;
    cdg_body_now end;
    cdg_bodies_collect(world, work, index, is_guess, &impulse, &turn);
    impulse = vec3_add(impulse, b->contact_impulse), turn = vec3_add(turn, b->contact_turn);
    cdg_body_fly(&world->bodies[index], work->step, impulse, turn, &b->rule, &end);
    return end;
}

// How far a force through the weld moves its point, m/N. Halves of what is not quite symmetric are taken.
static symmetric3 yield_of(const cdg_world *world, size_t weld) {
    const struct world_bodies *work = world->bodies_work;
    const world_weld *at = &world->welds[weld];
    cdg_vec3 arm = quat_rotate(work->bodies[at->body].trial.q, at->arm), column[3];
    for (int k = 0; k < 3; k++) {
        double unit[3] = {0}, out[6];
        unit[k] = 1;
        cdg_bodies_push(world, work, weld, take(unit), vec3(0, 0, 0), out);
        column[k] = vec3_add(take(out), vec3_cross(take(out + 3), arm));
    }
    return (symmetric3){.xx = column[0].x,
                        .yy = column[1].y,
                        .zz = column[2].z,
                        .xy = (column[0].y + column[1].x) / 2,
                        .xz = (column[0].z + column[2].x) / 2,
                        .yz = (column[1].z + column[2].y) / 2};
}

static bool is_free(const cdg_world *world, const world_weld *weld) { return !world->bodies[weld->body].def.is_fixed; }

static bool predict_unit(cdg_world *world, const world_unit *unit) {
    struct world_bodies *work = world->bodies_work;
    for (size_t k = 0; k < unit->weld_count; k++) {
        world_weld *weld = &world->welds[unit->welds[k]];
        cdg_weld_follow(weld, &work->bodies[weld->body].trial);
        if (!is_free(world, weld)) continue;
        weld->yields = true;
        weld->yield = yield_of(world, unit->welds[k]);
        weld->expected = weld->next.force;
    }
    return cdg_step_predict_team(work->context, unit->team, 0);
}

// Its bodies to where the new forces take them. Returns how far they then are from where the rod has them.
static double let_bodies_follow(cdg_world *world, const world_unit *unit) {
    struct world_bodies *work = world->bodies_work;
    double gap = 0;
    for (size_t k = 0; k < unit->weld_count; k++) {
        world_weld *weld = &world->welds[unit->welds[k]];
        if (!is_free(world, weld)) continue;
        body_work *b = &work->bodies[weld->body];
        cdg_quat before = b->trial.q;
        b->trial = end_of(world, weld->body, false);
        const cdg_rod *rod = world->rods[weld->def.place.rod.index1 - 1].rod;
        cdg_vec3 position = vec3_add(b->trial.x, quat_rotate(b->trial.q, weld->arm));
        double apart = vec3_distance(position, rod_vec3(rod->x_next, cdg_weld_hold(world, weld)->node)) / unit->length;
        double turned = vec3_norm(quat_log(quat_relative(before, b->trial.q)));
        gap = fmax(gap, isfinite(apart) ? fmax(apart, turned) : HUGE_VAL);
    }
    return gap;
}

// All rods once, one after the other; negative: one of them has no step.
static double go_round(cdg_world *world, bool is_first) {
    struct world_bodies *work = world->bodies_work;
    double gap = 0;
    for (size_t u = 0; u < work->unit_count; u++) {
        if (!predict_unit(world, &work->units[u])) return -1;
        if (!is_first) gap = fmax(gap, let_bodies_follow(world, &work->units[u]));
    }
    for (size_t u = 0; u < work->unit_count && is_first; u++) // a body asks all its rods, which now have answered
        gap = fmax(gap, let_bodies_follow(world, &work->units[u]));
    return gap;
}

cdg_result cdg_bodies_project(cdg_world *world) {
    enum { ROUNDS_MAX = 1000 };
    struct world_bodies *work = world->bodies_work;
    for (size_t i = 0; i < world->body_count; i++)
        if (work->bodies[i].number != SIZE_MAX) work->bodies[i].trial = end_of(world, i, true);
    double best = HUGE_VAL, gap = HUGE_VAL;
    for (int round = 0; round < ROUNDS_MAX; round++) {
        gap = go_round(world, round == 0);
        if (gap < 0 || !isfinite(gap)) break;
        if (gap <= gap_wanted || (gap <= gap_accepted && gap >= best)) return CDG_OK;
        best = fmin(best, gap);
    }
    return cdg_bodies_fail_to_meet(world, fabs(gap));
}
