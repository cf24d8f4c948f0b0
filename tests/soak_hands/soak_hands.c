// Random hands on knots, links and nets: grabs, pulls at 10 m/s, pins, releases, twists. Nothing may pass through
// anything (knots and links stay, and no two segments cross on the straight ways of their ends in a step, or in each of
// the parts that the world takes it in), nothing may blow up, no step may fail for good, no number may be lost.
// Usage: cordage_soak_hands [--grabs N] [--seed N] SCENE...
#include "crossing.h"

#include "math/quat.h"
#include "math/random.h"
#include "scene/scene.h"
#include "view/hands.h"
#include "world/step.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double hand_speed = 10; // m/s
static const double reach = 0.4;     // m
enum { HANDS = 4, PROBES_MAX = 8 };

typedef struct soak {
    cdg_scene *scene;
    cdg_world *world;
    cdg_hands hands;
    cdg_random random;
    cdg_vec3 directions[HANDS];
    double start[PROBES_MAX];
    size_t grabs, steps, relaxed;
    double deepest, fastest;
} soak;

// What was seen in the parts of the step.
typedef struct watch {
    crossing_way way;
    size_t parts;
    char crossing[128]; // empty: none
} watch;
static watch seen;

static size_t pick(soak *s, size_t count) { return (size_t)(random_unit(&s->random) * (double)count); }

static double measure(soak *s, size_t i) {
    double values[CDG_PROBE_COLUMNS_MAX] = {NAN};
    cdg_probe probe = s->scene->probes[i].probe;
    if (probe.place.rod.index1 != 0) probe.place.rod = cdg_world_rod_at(s->world, probe.place.rod.index1 - 1);
    if (probe.other.index1 != 0) probe.other = cdg_world_rod_at(s->world, probe.other.index1 - 1);
    (void)cdg_world_measure(s->world, &probe, values);
    return round(values[0]);
}

static cdg_request random_grab(soak *s, uint32_t hand) {
    cdg_request request = {.kind = CDG_REQUEST_GRAB, .hand = hand};
    double kind = random_unit(&s->random);
    size_t bodies = cdg_world_body_count(s->world), obstacles = cdg_world_obstacle_count(s->world);
    if (kind < 0.1 && bodies > 0) {
        cdg_body_state state;
        request.object = CDG_GRAB_BODY;
        request.index = (uint32_t)pick(s, bodies);
        request.local = random_vec3(&s->random, 0.04);
        (void)cdg_body_get_state(s->world, cdg_world_body_at(s->world, request.index), &state);
        request.point = vec3_add(state.position, quat_rotate(state.orientation, request.local));
    } else if (kind < 0.15 && obstacles > 1) {
        cdg_quat orientation;
        request.object = CDG_GRAB_OBSTACLE;
        request.index = 1; // the first is the table
        (void)cdg_obstacle_get_pose(s->world, cdg_world_obstacle_at(s->world, 1), &request.point, &orientation);
    } else if (kind < 0.2 && s->world->support_count > 0) {
        cdg_quat frame;
        request.object = CDG_GRAB_SUPPORT;
        request.index = (uint32_t)pick(s, s->world->support_count);
        cdg_support_pose(&s->world->supports[request.index], cdg_world_time(s->world), &request.point, &frame);
    } else {
        request.index = (uint32_t)pick(s, cdg_world_rod_count(s->world));
        const cdg_rod *rod = cdg_world_get_rod(s->world, cdg_world_rod_at(s->world, request.index));
        request.element = (uint32_t)pick(s, rod->element_count);
        request.fraction = random_unit(&s->random);
        request.point = vec3_lerp(rod_vec3(rod->x, request.element),
                                  rod_vec3(rod->x, rod_next_node(rod, request.element)), request.fraction);
    }
    return request;
}

static void act(soak *s) {
    cdg_error error = {0};
    uint32_t hand = (uint32_t)pick(s, HANDS);
    double what = random_unit(&s->random);
    cdg_request request = {.hand = hand};
    if (what < 0.6) {
        request = random_grab(s, hand);
        s->grabs += cdg_hands_grab(&s->hands, s->world, &request, &error);
        s->directions[hand] = vec3_scale(hand_speed, vec3_normalize(random_vec3(&s->random, 1)));
    } else if (what < 0.75 && s->hands.hands[hand].is_holding) {
        (void)cdg_hands_pin(&s->hands, &request, &error);
        s->directions[hand] = vec3(0, 0, 0);
    } else {
        cdg_hands_release(&s->hands, s->world, hand);
    }
}

// The hands' targets fly on, and turn back at the walls.
static void move_hands(soak *s) {
    for (uint32_t i = 0; i < HANDS; i++) {
        cdg_error error;
        const cdg_hand *hand = &s->hands.hands[i];
        if (!hand->is_holding) continue;
        cdg_vec3 point = vec3_mad(hand->target, cdg_world_step_size(s->world), s->directions[i]);
        if (vec3_norm(point) > reach) s->directions[i] = vec3_scale(-hand_speed / vec3_norm(point), point);
        cdg_request move = {
            .hand = i, .point = point, .has_twist = i == 0, .twist = 3 * sin(20 * cdg_world_time(s->world))};
        (void)cdg_hands_move(&s->hands, s->world, &move, &error);
    }
}

static bool fail(const soak *s, const char *why) {
    printf("%s: %s after %zu grabs, %zu steps, t = %g s\n", s->scene->name, why, s->grabs, s->steps,
           cdg_world_time(s->world));
    return false;
}

static bool is_sound(soak *s) {
    for (size_t i = 0; i < cdg_world_rod_count(s->world); i++) {
        const cdg_rod *rod = cdg_world_get_rod(s->world, cdg_world_rod_at(s->world, i));
        for (size_t k = 0; k < rod->node_count; k++) {
            double speed = vec3_norm(rod_vec3(rod->v, k));
            if (!vec3_is_finite(rod_vec3(rod->x, k)) || !isfinite(speed)) return fail(s, "a number is lost");
            if (vec3_norm(rod_vec3(rod->x, k)) > 20) return fail(s, "a rod flew away");
            s->fastest = fmax(s->fastest, speed);
        }
    }
    s->deepest = fmax(s->deepest, cdg_world_deepest_contact(s->world));
    if (s->deepest > 1) return fail(s, "rods lie in each other");
    return true;
}

// Segments may go round each other from part to part, so whole steps tell nothing: the linker puts this in the place of
// the world's own function, which takes one part, and the rest of the world calls it.
// NOLINTBEGIN(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp)
cdg_result __real_cdg_step_try(cdg_world *world, double time, double step, int threads, cdg_step_demand demand);
cdg_result __wrap_cdg_step_try(cdg_world *world, double time, double step, int threads, cdg_step_demand demand);
cdg_result __wrap_cdg_step_try(cdg_world *world, double time, double step, int threads, cdg_step_demand demand) {
    char text[sizeof seen.crossing];
    crossing_begin(&seen.way, world);
    cdg_result result = __real_cdg_step_try(world, time, step, threads, demand);
    seen.parts++;
    crossing_end(&seen.way, world);
    if (result == CDG_OK && crossing_find(&seen.way, world, text, sizeof text)) strcpy(seen.crossing, text);
    return result;
}
// NOLINTEND(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp)

static bool has_crossed(soak *s) {
    if (seen.parts == 0) return !fail(s, "the parts of the step were not seen");
    return seen.crossing[0] != '\0' ? !fail(s, seen.crossing) : false;
}

static cdg_result take_step(soak *s) {
    seen.parts = 0;
    seen.crossing[0] = '\0';
    return cdg_world_step(s->world, NULL);
}

static bool step(soak *s) {
    move_hands(s);
    cdg_hands_drive(&s->hands, s->world);
    s->steps++;
    if (take_step(s) == CDG_OK) return is_sound(s) && !has_crossed(s);
    s->relaxed++;
    cdg_hands_relax(&s->hands, s->world);
    if (take_step(s) == CDG_OK) return is_sound(s) && !has_crossed(s);
    return fail(s, cdg_world_message(s->world));
}

static bool keeps_its_knots(soak *s) {
    for (size_t i = 0; i < s->scene->probe_count; i++) {
        double now = measure(s, i);
        if (now == s->start[i]) continue;
        printf("%s: probe '%s' was %g and is %g\n", s->scene->name, s->scene->probes[i].name, s->start[i], now);
        return fail(s, "something passed through something");
    }
    return true;
}

static bool run(soak *s, size_t grabs) {
    for (size_t i = 0; i < s->scene->probe_count && i < PROBES_MAX; i++) s->start[i] = measure(s, i);
    while (s->grabs < grabs) {
        act(s);
        size_t steps = 1 + pick(s, 8);
        for (size_t i = 0; i < steps; i++)
            if (!step(s)) return false;
        if (s->grabs % 32 == 0 && !keeps_its_knots(s)) return false;
    }
    return keeps_its_knots(s);
}

static bool run_scene(const char *path, size_t grabs, uint64_t seed) {
    soak s = {.random = {seed}};
    cdg_error error;
    bool is_good = cdg_scene_load(path, NULL, 0, &s.scene, &error) == CDG_OK &&
                   cdg_scene_build(s.scene, 1, &s.world, &error) == CDG_OK;
    if (!is_good)
        printf("%s: %s\n", path, error.message);
    else
        is_good = run(&s, grabs);
    if (is_good)
        printf(
            "%s: %zu grabs, %zu steps; hands gave way %zu times; deepest contact %.2g radii, fastest node %.3g m/s\n",
            s.scene->name, s.grabs, s.steps, s.relaxed, s.deepest, s.fastest);
    crossing_free(&seen.way);
    cdg_world_destroy(s.world);
    cdg_scene_destroy(s.scene);
    return is_good;
}

int main(int count, char **arguments) {
    size_t grabs = 300;
    uint64_t seed = 1;
    bool is_good = true;
    for (int i = 1; i < count; i++) {
        if (strcmp(arguments[i], "--grabs") == 0 && i + 1 < count)
            grabs = strtoull(arguments[++i], NULL, 10);
        else if (strcmp(arguments[i], "--seed") == 0 && i + 1 < count)
            seed = strtoull(arguments[++i], NULL, 10);
        else
            is_good = run_scene(arguments[i], grabs, seed) && is_good;
    }
    return is_good ? 0 : 1;
}
