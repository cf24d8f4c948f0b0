// Advice on step and resolution, and an estimate of what a run takes.
//
// Periods are those of a uniform rod: waves of length L along a rod have the period L/c with c^2 = E A/m for stretching
// and G J/I for twisting, and L^2/(2 pi) sqrt(m/(E I)) for bending; the shortest wave that elements of length l carry
// is two of them long, where the chain has omega = 2 c/l and (4/l^2) sqrt(E I/m).
#define _DEFAULT_SOURCE
#include "check_advice.h"

#include "cost_trial.h"
#include "math/quat.h"
#include "world/world.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

static const double pi = 3.141592653589793;

const char *limit_name(cdg_limit limit) {
    static const char *const names[] = {
#define LIMIT_NAME(name, key) key,
        CDG_LIMIT_LIST(LIMIT_NAME)
#undef LIMIT_NAME
    };
    return names[limit];
}

// ---- motions --------------------------------------------------------------------------------------------------------

static void take_shorter(motion_times *times, double longest, double shortest, const char *rod) {
    if (!isfinite(shortest) || (times->rod != NULL && times->shortest <= shortest)) return;
    *times = (motion_times){longest, shortest, rod};
}

static void add_rod(const cdg_rod *rod, motion_times *motions) {
    double mass = rod->mass / rod->length;
    for (size_t j = 0; j < rod->element_count; j++) {
        size_t at = j * rod->section_stride;
        double l = rod->rest_length[j];
        double stretch = sqrt(rod->stretch_stiffness[2][at] / mass);
        double bend = sqrt(fmax(rod->bend_stiffness[0][at], rod->bend_stiffness[1][at]) / mass);
        double twist = sqrt(rod->bend_stiffness[2][at] / rod->frame_inertia[2][at]);
        take_shorter(&motions[CDG_LIMIT_STRETCH], rod->length / stretch, pi * l / stretch, rod->name);
        take_shorter(&motions[CDG_LIMIT_BEND], rod->length * rod->length / (2 * pi * bend), pi * l * l / (2 * bend),
                     rod->name);
        take_shorter(&motions[CDG_LIMIT_TWIST], rod->length / twist, pi * l / twist, rod->name);
        if (rod->section_stride == 0 && rod->has_equal_elements) break; // all alike
    }
}

// ---- contact --------------------------------------------------------------------------------------------------------

static void add_contact(const cdg_scene *scene, const cdg_world *world, motion_times *motions, double *fastest) {
    cdg_contact_time contact = cdg_world_contact_time(world, scene->duration);
    *fastest = contact.fastest;
    if (contact.rod != SIZE_MAX)
        take_shorter(&motions[CDG_LIMIT_CONTACT], NAN, contact.time, world->rods[contact.rod].rod->name);
}

static step_recommendation recommend_step(const cdg_scene *scene, cdg_world *world, const cdg_run_plan *plan,
                                          double fastest) {
    cdg_step_advice advice = cdg_world_advise(world, scene->duration);
    step_recommendation out = {.step = advice.step, .limit = advice.limit, .fastest = fastest};
    out.is_short = !(plan->step > out.step * (1 + 1e-9));
    return out;
}

// ---- elements -------------------------------------------------------------------------------------------------------

// Angle between neighbouring elements' tangents at the start, the largest.
static double largest_bend(const cdg_rod *rod) {
    double largest = 0;
    for (size_t n = 0; n < rod->node_count; n++) {
        size_t left = rod_left_element(rod, n), right = rod_right_element(rod, n);
        if (left == SIZE_MAX || right == SIZE_MAX) continue;
        cdg_vec3 a = quat_d3(rod_quat(rod->q, left)), b = quat_d3(rod_quat(rod->q, right));
        largest = fmax(largest, atan2(vec3_norm(vec3_cross(a, b)), vec3_dot(a, b)));
    }
    return largest;
}

// Turns about the centreline that supports will give to the rod, rad.
static double imposed_twist(const cdg_scene *scene, const cdg_rod *rod, size_t index) {
    double most = 0;
    for (size_t i = 0; i < scene->support_count; i++) {
        const cdg_support_def *support = &scene->supports[i];
        if (support->place.rod.index1 != index + 1 || support->kind == CDG_SUPPORT_PIN) continue;
        size_t node = support->place.index, element = node < rod->element_count ? node : rod->element_count - 1;
        cdg_vec3 tangent = quat_d3(rod_quat(rod->q, element));
        double turn = 0;
        for (size_t m = 0; m < support->motion_count; m++)
            if (support->motions[m].kind == CDG_MOTION_ROTATE)
                turn += support->motions[m].angle * vec3_dot(vec3_normalize(support->motions[m].axis), tangent);
        most = fmax(most, fabs(turn));
    }
    return most;
}

static void want(element_recommendation *out, double count, cdg_limit limit, const char *reason) {
    if (!(count > (double)out->wanted) || count > 1e9) return;
    out->wanted = (size_t)ceil(count);
    out->limit = limit;
    snprintf(out->reason, sizeof out->reason, "%s", reason);
}

element_recommendation recommend_elements(const cdg_scene *scene, const cdg_world *world, size_t index) {
    // Strains are measured by the sine or tangent of a turn: 0.2 rad between elements is 1 % in the moment.
    const double finest_turn = 0.2, sharpest_twist = 0.4;
    element_recommendation out = {.wanted = 1, .limit = CDG_LIMIT_NONE};
    const cdg_rod *rod = world->rods[index].rod;
    if (rod == NULL) return out;
    char reason[sizeof out.reason];
    double radius = 0, bend = INFINITY, elements = (double)rod->element_count;
    for (size_t n = 0; n < rod->node_count; n++) {
        radius = fmax(radius, rod->radius[n * rod->section_stride]);
        bend = fmin(bend, fmin(rod->bend_stiffness[0][n * rod->section_stride],
                               rod->bend_stiffness[1][n * rod->section_stride]));
        if (rod->section_stride == 0) break;
    }
    double thick = rod->length / (2 * radius);
    out.most = thick < 1 ? 1 : thick < 1e9 ? (size_t)thick : (size_t)1e9;

    double turn = largest_bend(rod);
    snprintf(reason, sizeof reason, "neighbouring elements meet at up to %.2g rad; %.1g keep bending right to 1 %%",
             turn, finest_turn);
    if (turn > 1e-6) want(&out, elements * turn / finest_turn, CDG_LIMIT_BEND, reason);

    // The length over which a clamped end bends under the rod's own weight: (E I/(m g))^(1/3).
    double weight = vec3_norm(scene->gravity) * rod->mass / rod->length;
    double sag = weight > 0 ? cbrt(bend / weight) : INFINITY;
    snprintf(reason, sizeof reason, "its own weight bends it within %.2g m of a hold; that takes three elements", sag);
    if (sag < rod->length) want(&out, fmin(3 * rod->length / sag, (double)out.most), CDG_LIMIT_BEND, reason);

    double twist = imposed_twist(scene, rod, index);
    snprintf(reason, sizeof reason, "supports twist it by %.3g turns; %.1g rad an element are well resolved",
             twist / (2 * pi), sharpest_twist);
    want(&out, twist / sharpest_twist, CDG_LIMIT_TWIST, reason);

    // A polygon around something round of radius R cuts corners by l^2/(8 (R + r)): a tenth of the rod's radius.
    for (size_t i = 0; i < scene->obstacle_count && world_has_contact(world); i++) {
        const cdg_obstacle_def *obstacle = &scene->obstacles[i];
        bool is_round = obstacle->shape.kind == CDG_SHAPE_SPHERE || obstacle->shape.kind == CDG_SHAPE_CAPSULE ||
                        obstacle->shape.kind == CDG_SHAPE_CYLINDER;
        if (!is_round) continue;
        snprintf(reason, sizeof reason,
                 "elements that lie around obstacle '%.40s' then cut its corners by a tenth of a radius",
                 obstacle->name);
        want(&out, rod->length / sqrt(0.8 * radius * (obstacle->shape.radius + radius)), CDG_LIMIT_CONTACT, reason);
    }
    return out;
}

// ---- cost -----------------------------------------------------------------------------------------------------------

// Of this process alone, so that other work on the machine does not count. The world has one thread.
static double now_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

// Steps of scenes that are too large to try, by what the models say of their cost on one core.
static double known_cost(const cdg_world *world, double step) {
    double seconds = 0;
    for (size_t i = 0; i < world->rod_count; i++) {
        const cdg_rod *rod = world->rods[i].rod;
        if (rod == NULL) continue;
        seconds += rod->model->step_cost != NULL ? rod->model->step_cost(rod, step)
                                                 : rod->model->element_cost * (double)rod->element_count;
    }
    return seconds;
}

// Steps for a few hundredths of a second: the first, which fills caches and lists of contacts, does not count unless it
// takes long itself.
static void measure_cost(cdg_world *world, run_cost *out) {
    const double enough = 0.02, long_step = 0.2; // s
    double sum = 0, first = 0;
    for (int i = 0; i < 50 && sum < enough; i++) {
        double begin = now_seconds();
        cdg_result result = cdg_world_step(world, NULL);
        double seconds = now_seconds() - begin;
        if (result != CDG_OK) {
            snprintf(out->failure, sizeof out->failure, "%s", cdg_world_message(world));
            break;
        }
        if (i == 0) first = seconds;
        if (i > 0) sum += seconds;
        out->step_count = i + 1;
        if (first > long_step) break;
    }
    if (out->step_count == 0) return;
    out->basis = COST_MEASURED;
    out->step_seconds = out->step_count > 1 ? sum / (out->step_count - 1) : first;
}

// Where things may touch later than at the start, the run is tried further.
static void measure_further(cdg_world *world, size_t steps, run_cost *out) {
    cost_trial trial = {0};
    size_t done = (size_t)out->step_count;
    while (done + trial.steps < steps && cost_trial_goes_on(&trial, steps - done - trial.steps)) {
        double begin = now_seconds();
        if (cdg_world_step(world, NULL) != CDG_OK) break; // the run will tell; it may be what is asked for
        cost_trial_add(&trial, now_seconds() - begin);
    }
    if (trial.steps == 0) return;
    double left = cost_trial_rest(&trial, steps - done - trial.steps);
    out->step_seconds = (out->step_seconds * (double)done + trial.seconds + left) / (double)steps;
    out->step_count += (int)trial.steps;
}

// Measuring the fields that are written and the energies, once, and the kernel's part in writing them.
static double measure_output(const cdg_world *world, cdg_field_set left_out, bool is_single) {
    const double of_byte = 0.4e-9; // s; copying and a page of the cache, an estimate
    size_t longest = 1;
    for (size_t i = 0; i < world->rod_count; i++)
        if (world->rods[i].rod != NULL && world->rods[i].rod->node_count > longest)
            longest = world->rods[i].rod->node_count;
    double *numbers = malloc(CDG_FIELD_COUNT * CDG_FIELD_COMPONENTS_MAX * longest * sizeof *numbers);
    if (numbers == NULL) return 0;
    double *out[CDG_FIELD_COUNT], bytes = 0, begin = now_seconds();
    for (int k = 0; k < CDG_FIELD_COUNT; k++)
        out[k] = (left_out & cdg_field_bit((cdg_field)k)) == 0
                     ? numbers + (size_t)k * CDG_FIELD_COMPONENTS_MAX * longest
                     : NULL;
    for (size_t i = 0; i < world->rod_count; i++) {
        const cdg_rod *rod = world->rods[i].rod;
        if (rod == NULL) continue;
        cdg_field_measure_rod(rod, out);
        for (int k = 0; k < CDG_FIELD_COUNT; k++) {
            cdg_field_info field = cdg_field_get((cdg_field)k);
            if (out[k] == NULL) continue;
            bytes +=
                8 * (double)(cdg_field_entries(&field, rod->node_count, rod->element_count) * field.component_count);
        }
    }
    (void)cdg_world_energy(world);
    free(numbers);
    return now_seconds() - begin + of_byte * (is_single ? bytes / 2 : bytes);
}

static run_cost find_cost(const cdg_scene *scene, cdg_world *world, const cdg_run_plan *plan) {
    const size_t elements_max = 300000; // beyond, trying takes seconds
    run_cost out = {.basis = COST_UNKNOWN};
    if (scene->mode == SCENE_STATIC || plan->step_count == 0) return out;
    size_t elements = 0;
    for (size_t i = 0; i < world->rod_count; i++)
        if (world->rods[i].rod != NULL) elements += world->rods[i].rod->element_count;
    if (cdg_world_set_step_size(world, plan->step) != CDG_OK) return out;
    if (elements > elements_max) {
        out.basis = COST_KNOWN;
        out.step_seconds = known_cost(world, plan->step);
    } else {
        measure_cost(world, &out);
        if (scene->contact.choice != CDG_CONTACT_OFF && out.basis == COST_MEASURED && !out.failure[0])
            measure_further(world, plan->step_count, &out);
    }
    struct rusage usage;
    if (getrusage(RUSAGE_SELF, &usage) == 0) out.memory = 1024.0 * (double)usage.ru_maxrss;
    out.output_seconds = measure_output(world, scene->left_out, scene->precision == SCENE_SINGLE);
    out.seconds = out.step_seconds * (double)plan->step_count + out.output_seconds * (double)plan->frame_count;
    return out;
}

check_advice make_check_advice(const cdg_scene *scene, cdg_world *world, const cdg_run_plan *plan) {
    check_advice out = {0};
    double fastest;
    for (size_t i = 0; i < world->rod_count; i++)
        if (world->rods[i].rod != NULL) add_rod(world->rods[i].rod, out.motions);
    add_contact(scene, world, out.motions, &fastest);
    out.step = recommend_step(scene, world, plan, fastest);
    out.cost = find_cost(scene, world, plan);
    return out;
}
