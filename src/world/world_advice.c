// The step that a world should take: short enough for the models and for the prescribed loads and motions to be
// resolved, and, where there is contact, for nothing to move by more than a radius.
#include "base/error.h"
#include "math/vec3.h"
#include "world/planned.h"
#include "world/world.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// ---- models ---------------------------------------------------------------------------------------------------------

static cdg_step_advice ask_models(cdg_world *world) {
    cdg_step_advice advice = {.step = 1e-3, .reason = "there is no rod to choose a step for; 1 ms"};
    bool is_first = true;
    if (cdg_joints_form_nets(world) != CDG_OK) cdg_error_clear(&world->error); // the next step fails and says why
    for (size_t i = 0; i < world->rod_count; i++) {
        const cdg_rod *rod = world->rods[i].rod;
        if (rod == NULL) continue;
        char reason[sizeof advice.reason];
        double step = rod->model->advise_step(rod, reason);
        if (is_first || step < advice.step) {
            advice.step = step;
            advice.divides_longer =
                rod->model->division.divides_steps != NULL && rod->model->division.divides_steps(rod);
            memcpy(advice.reason, reason, sizeof reason);
            advice.limit = rod->model->limit != NULL ? rod->model->limit(rod) : CDG_LIMIT_BEND;
            advice.rod = cdg_world_rod_id(world, i);
        }
        is_first = false;
    }
    for (size_t i = 0; i < world->object_count; i++) {
        char reason[sizeof advice.reason];
        double step = world->objects[i].operations->advise(world->objects[i].self, reason);
        if (is_first || step < advice.step) {
            advice = (cdg_step_advice){.step = step, .limit = CDG_LIMIT_STRETCH};
            memcpy(advice.reason, reason, sizeof reason);
        }
        is_first = false;
    }
    return advice;
}

// ---- contact --------------------------------------------------------------------------------------------------------

// Fastest that a prescribed motion moves anything within `reach` of it. In its middle a smooth one is 15/8 times as
// fast as on average.
static double motion_speed(const cdg_motion *motions, size_t count, double reach) {
    double fastest = 0;
    for (size_t i = 0; i < count; i++) {
        double time = motions[i].to - motions[i].from, peak = motions[i].ease == CDG_EASE_SMOOTH ? 1.875 : 1;
        double way = motions[i].kind == CDG_MOTION_MOVE ? vec3_norm(motions[i].move) : fabs(motions[i].angle) * reach;
        if (time > 0) fastest = fmax(fastest, peak * way / time);
    }
    return fastest;
}

// Diagonal of the box around all rods, m, and the fastest node.
static double size_of_rods(const cdg_world *world, double *fastest) {
    cdg_vec3 low = vec3(INFINITY, INFINITY, INFINITY), high = vec3(-INFINITY, -INFINITY, -INFINITY);
    for (size_t i = 0; i < world->rod_count; i++) {
        const cdg_rod *rod = world->rods[i].rod;
        for (size_t n = 0; rod != NULL && n < rod->node_count; n++) {
            cdg_vec3 x = rod_vec3(rod->x, n);
            low = vec3(fmin(low.x, x.x), fmin(low.y, x.y), fmin(low.z, x.z));
            high = vec3(fmax(high.x, x.x), fmax(high.y, x.y), fmax(high.z, x.z));
            *fastest = fmax(*fastest, vec3_norm(rod_vec3(rod->v, n)));
        }
    }
    return vec3_norm(vec3_sub(high, low));
}

// What is known of speeds before the run: those now, prescribed motions, and a fall by the rods' own size or for
// `duration`.
static double fastest_speed(const cdg_world *world, double duration) {
    double fastest = 0, size = size_of_rods(world, &fastest), gravity = vec3_norm(world->def.gravity);
    if (!isfinite(size)) return 0;
    for (size_t i = 0; i < world->support_count; i++) {
        const cdg_support_def *def = &world->supports[i].def;
        if (cdg_world_get_rod(world, def->place.rod) == NULL) continue;
        fastest = fmax(fastest, motion_speed(def->motions, def->motion_count, size / 2));
    }
    for (size_t i = 0; i < world->obstacle_count; i++) {
        const cdg_obstacle_def *def = &world->obstacles[i].def;
        fastest = fmax(fastest, motion_speed(def->motions, def->motion_count, size / 2));
    }
    for (size_t i = 0; i < world->body_count; i++) {
        const cdg_body_def *def = &world->bodies[i].def;
        if (def->is_ghost) continue;
        fastest = fmax(fastest, def->is_fixed ? motion_speed(def->motions, def->motion_count, size / 2)
                                              : vec3_norm(def->velocity));
    }
    double fall = sqrt(2 * gravity * size);
    return fmax(fastest, gravity > 0 ? fmin(fall, gravity * duration) : 0);
}

cdg_contact_time cdg_world_contact_time(const cdg_world *world, double duration) {
    cdg_contact_time out = {.time = INFINITY, .rod = SIZE_MAX};
    if (!world_has_contact(world)) return out;
    if (world->contact_def.choice == CDG_CONTACT_DEFAULT && world->obstacle_count + world->body_count == 0) return out;
    out.fastest = fastest_speed(world, duration);
    for (size_t i = 0; i < world->rod_count && out.fastest > 0; i++) {
        const cdg_rod *rod = world->rods[i].rod;
        for (size_t n = 0; rod != NULL && n < rod->node_count; n++) {
            double time = rod->radius[n * rod->section_stride] / out.fastest;
            if (time < out.time) out.time = time, out.rod = i;
            if (rod->section_stride == 0) break;
        }
    }
    return out;
}

// ---- all together ---------------------------------------------------------------------------------------------------

// Shares of the models' step: steps do not become shorter than these to resolve events or contact, whatever they would
// gain.
static const double finest_for_events = 1.0 / 20, finest_for_contact = 1.0 / 100;

static void shorten(cdg_step_advice *advice, double step, cdg_limit limit, cdg_rod_id rod, const char *reason) {
    if (!(step < advice->step)) return;
    advice->step = step;
    advice->limit = limit;
    advice->rod = rod;
    advice->divides_longer = false;
    memcpy(advice->reason, reason, sizeof advice->reason);
}

static cdg_step_advice advise_now(cdg_world *world, double duration) {
    // Rods that start at their finest become coarser before the first step, which then may be longer.
    if (world->adapting_count > 0 && cdg_world_ensure_scratch(world) == CDG_OK) cdg_adapt_begin(world);
    cdg_step_advice advice = ask_models(world);
    char reason[sizeof advice.reason];
    double least = finest_for_events * advice.step, least_for_contact = finest_for_contact * advice.step;
    cdg_event event = cdg_world_shortest_event(world);
    double step = fmax(event.lasts / CDG_EVENT_STEPS, least);
    if (step < advice.step) {
        snprintf(reason, sizeof reason, "a %s '%.60s' lasts %.3g s, in which there should be %d steps%s",
                 event.limit == CDG_LIMIT_LOAD ? "push on" : "motion of", event.name, event.lasts, CDG_EVENT_STEPS,
                 event.lasts / CDG_EVENT_STEPS >= least * (1 - 1e-9)
                     ? ""
                     : ", but steps are not made shorter than a twentieth for it");
        shorten(&advice, step, event.limit, cdg_world_rod_id(world, event.rod), reason);
    }
    cdg_contact_time contact = cdg_world_contact_time(world, duration);
    step = fmax(contact.time, least_for_contact);
    if (contact.rod != SIZE_MAX && step < advice.step) {
        snprintf(reason, sizeof reason,
                 "contact: at %.3g m/s, the fastest known before the run, things move by the radius of rod '%.60s' in "
                 "%.3g s%s",
                 contact.fastest, world->rods[contact.rod].rod->name, contact.time,
                 step > contact.time ? "; steps are not made shorter than a hundredth for it" : "");
        shorten(&advice, step, CDG_LIMIT_CONTACT, cdg_world_rod_id(world, contact.rod), reason);
    }
    return advice;
}

// The step holds for the whole run: the shortest that the world or any of its changes needs.
cdg_step_advice cdg_world_advise(cdg_world *world, double duration) {
    cdg_step_advice advice = advise_now(world, duration);
    for (size_t i = 0; i < world->planned_count; i++) {
        double time;
        cdg_world *then = cdg_planned_other(world, i, &time);
        if (then == NULL) continue;
        cdg_step_advice later = advise_now(then, duration);
        if (!(later.step < advice.step)) continue;
        advice = later;
        snprintf(advice.reason, sizeof advice.reason, "after the change at %.3g s, %.*s", time,
                 (int)sizeof advice.reason - 40, later.reason);
    }
    return advice;
}

cdg_step_advice cdg_world_advice(cdg_world *world) {
    if (world == NULL) return (cdg_step_advice){.reason = "there is no world"};
    return cdg_world_advise(world, INFINITY);
}
