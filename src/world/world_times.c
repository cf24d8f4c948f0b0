// How short the events are that a scene prescribes: pulses of loads, motions of supports, obstacles and fixed bodies. A
// step takes in by its mean whatever happens within it, and does not see its course.
#include "math/vec3.h"
#include "world/wind_field.h"
#include "world/world.h"

#include <math.h>
#include <stdio.h>

// ---- pulses of loads ------------------------------------------------------------------------------------------------

// Follows a factor from extreme to extreme; swings back by less than `least` are no pulses but noise.
typedef struct swing {
    double least;
    int direction;             // +1 rises, -1 falls, 0: neither yet
    double value, first, last; // the extreme reached so far, and from when to when it lasts
    double left;               // when the extreme before was left
    double crossing;           // halfway there
    bool has_crossing;
    double shortest; // time between two crossings, there and back; s
} swing;

static void settle_swing(swing *s) {
    double crossing = (s->left + s->first) / 2;
    if (s->has_crossing) s->shortest = fmin(s->shortest, crossing - s->crossing);
    s->crossing = crossing;
    s->has_crossing = true;
}

static void visit(swing *s, double time, double value) {
    double on = s->direction != 0 ? s->direction * (value - s->value) : -fabs(value - s->value);
    if (fabs(on) <= 0.01 * s->least) s->last = time; // lasts
    if (on > 0.01 * s->least) s->value = value, s->first = s->last = time;
    if (!(-on > s->least)) return;
    if (s->direction != 0) settle_swing(s);
    s->left = s->last;
    s->direction = value > s->value ? 1 : -1;
    s->value = value;
    s->first = s->last = time;
}

// Factor just before and just after an instant.
static double factor_before(const cdg_load_def *load, double time) {
    return cdg_load_factor(load, nextafter(time, -INFINITY));
}

static void visit_bend(const cdg_load_def *load, double time, swing *s) {
    visit(s, time, factor_before(load, time));
    visit(s, time, cdg_load_factor(load, time));
}

static double largest_factor(const cdg_load_def *load) {
    double largest = load->keyframe_count == 0 ? 1 : 0;
    for (size_t k = 0; k < load->keyframe_count; k++) largest = fmax(largest, fabs(load->keyframes[k].factor));
    return largest;
}

// From half way up to half way down, of the shortest one; infinite: the load has none.
static double shortest_pulse(const cdg_load_def *load) {
    swing s = {.least = 0.1 * largest_factor(load), .first = load->from, .last = load->from, .shortest = INFINITY};
    double ramped = load->from + load->ramp;
    bool ends = load->to > load->from;
    visit_bend(load, load->from, &s);
    for (size_t k = 0; k <= load->keyframe_count; k++) {
        double time = k < load->keyframe_count ? load->keyframes[k].time : INFINITY;
        double before = k > 0 ? load->keyframes[k - 1].time : -INFINITY;
        if (load->ramp > 0 && ramped > before && ramped < time && !(ends && ramped > load->to))
            visit_bend(load, ramped, &s);
        if (time > load->from && isfinite(time) && !(ends && time > load->to)) visit_bend(load, time, &s);
    }
    if (ends && isfinite(load->to)) visit_bend(load, load->to, &s);
    if (s.direction != 0) settle_swing(&s);
    return fmin(s.shortest, cdg_wind_passing_time(load));
}

// ---- the shortest of all --------------------------------------------------------------------------------------------

static void take(cdg_event *shortest, double lasts, cdg_limit limit, size_t rod, const char *name) {
    if (!(lasts > 0 && lasts < shortest->lasts)) return;
    *shortest = (cdg_event){.lasts = lasts, .limit = limit, .rod = rod, .name = name};
}

static void take_motions(cdg_event *shortest, const cdg_motion *motions, size_t count, size_t rod, const char *name) {
    for (size_t i = 0; i < count; i++) take(shortest, motions[i].to - motions[i].from, CDG_LIMIT_MOTION, rod, name);
}

cdg_event cdg_world_shortest_event(const cdg_world *world) {
    cdg_event shortest = {.lasts = INFINITY, .rod = SIZE_MAX};
    for (size_t i = 0; i < world->load_count; i++) {
        const cdg_load_def *load = &world->loads[i].def;
        const cdg_rod *rod = cdg_world_get_rod(world, load->place.rod);
        if (load->place.rod.index1 != 0 && rod == NULL) continue; // of a rod that was removed
        size_t index = rod != NULL ? load->place.rod.index1 - 1 : SIZE_MAX;
        take(&shortest, shortest_pulse(load), CDG_LIMIT_LOAD, index, rod != NULL ? rod->name : "every rod");
    }
    for (size_t i = 0; i < world->support_count; i++) {
        const cdg_support_def *def = &world->supports[i].def;
        const cdg_rod *rod = cdg_world_get_rod(world, def->place.rod);
        if (rod != NULL) take_motions(&shortest, def->motions, def->motion_count, def->place.rod.index1 - 1, rod->name);
    }
    for (size_t i = 0; i < world->obstacle_count; i++) {
        const cdg_obstacle *obstacle = &world->obstacles[i];
        take_motions(&shortest, obstacle->def.motions, obstacle->def.motion_count, SIZE_MAX, obstacle->name);
    }
    for (size_t i = 0; i < world->body_count; i++) {
        const cdg_body *body = &world->bodies[i];
        if (body->def.is_fixed)
            take_motions(&shortest, body->def.motions, body->def.motion_count, SIZE_MAX, body->name);
    }
    return shortest;
}

bool cdg_world_doubts_times(const cdg_world *world, double step, char *text) {
    cdg_event event = cdg_world_shortest_event(world);
    if (!(event.lasts < step * (1 - 1e-9))) return false;
    double enough = event.lasts / CDG_EVENT_STEPS;
    if (event.limit == CDG_LIMIT_LOAD)
        snprintf(text, 256,
                 "a load on '%.60s' lasts %.3g s, less than a step of %.3g s: its impulse is right, but not what "
                 "happens meanwhile; steps of %.3g s would show it",
                 event.name, event.lasts, step, enough);
    else
        snprintf(text, 256,
                 "a motion of '%.60s' lasts %.3g s, less than a step of %.3g s: it takes a whole step and ends where "
                 "it should, but is slower than asked for; steps of %.3g s would show it",
                 event.name, event.lasts, step, enough);
    return true;
}
