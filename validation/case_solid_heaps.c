// Heaps of soft chess figures (Spillmann's thesis, figures 5.6 and 5.7): what a step costs against the number of
// collisions, with explicit steps as there. Times inform and never fail. What must hold is that figures fall freely
// until they touch the floor, and that none lies deep in another.
#include "math/vec3.h"
#include "solids/solid_structure.h"
#include "validation/case_functions.h"

#include <cordage/contact.h>
#include <cordage/obstacle.h>
#include <cordage/solid.h>

#include <math.h>
#include <stdio.h>
#include <time.h>

static const double step = 1.3e-4, fall = 9.81, height = 0.07; // s, m/s^2, m
static const double thickness_share = 0.05;                    // of surfaces in contact, in shortest edges

static cdg_result open_world(const validation_context *context, cdg_world **out, cdg_error *error) {
    cdg_world_def def = cdg_world_def_default();
    cdg_contact_def contact = cdg_contact_def_default();
    cdg_obstacle_def floor = cdg_obstacle_def_default();
    def.gravity = validation_spoil_gravity(context, vec3(0, 0, -fall));
    def.step = step;
    def.thread_count = 1;
    contact.friction = 0.3 * context->factor.friction;
    floor.shape.kind = CDG_SHAPE_PLANE, floor.shape.normal = vec3(0, 0, 1);
    cdg_result result = cdg_world_create(&def, out, error);
    if (result == CDG_OK) result = cdg_world_set_contact(*out, &contact);
    if (result == CDG_OK) result = cdg_world_add_obstacle(*out, &floor, NULL);
    return result;
}

// As in the example chess_figures: 77 points and 180 tetrahedra each.
static cdg_result add_figures(const validation_context *context, cdg_world *world, size_t count, cdg_error *error) {
    static const double profile[][2] = {{0.015, -0.05}, {0.015, -0.04}, {0.009, -0.03}, {0.007, 0},
                                        {0.013, 0.02},  {0.011, 0.03},  {0.005, 0.05}};
    cdg_shape shape = {.kind = CDG_SHAPE_REVOLVED, .orientation = {1, 0, 0, 0}, .profile = profile, .profile_count = 7};
    solid_structure_def heap = {.kind = SOLID_STRUCTURE_HEAP,
                                .count = count,
                                .distance = 0.11,
                                .side = (size_t)ceil(cbrt((double)count)),
                                .seed = 5};
    cdg_solid_def def = cdg_solid_def_default();
    def.model = CDG_SOLID_COROTATIONAL, def.integrator = CDG_SOLID_EXPLICIT;
    def.young_modulus = 1e4 * context->factor.stretch, def.poisson_ratio = 0.35;
    def.density = 100 * context->factor.mass;
    cdg_result result = cdg_shape_mesh(&shape, 0.0102, &def.mesh, error);
    for (size_t k = 0; k < count && result == CDG_OK; k++) {
        cdg_solid_structure_place(&heap, k, &def.position, &def.orientation);
        def.position.z += height;
        result = validation_fail(world, cdg_world_add_solid(world, &def, NULL), error);
    }
    cdg_mesh_free(&def.mesh);
    return result;
}

// How far the lowest point has to fall until its surface is on the floor.
static double way_to_floor(const cdg_world *world) {
    double least = HUGE_VAL;
    for (size_t i = 0; i < cdg_world_solid_count(world); i++) {
        cdg_solid_info info;
        cdg_solid_view view;
        cdg_solid_id id = cdg_world_solid_at(world, i);
        if (cdg_solid_get_info(world, id, &info) != CDG_OK || cdg_solid_get_view(world, id, &view) != CDG_OK) continue;
        for (size_t k = 0; k < info.node_count; k++)
            least = fmin(least, view.position[2][k] - thickness_share * info.shortest_edge);
    }
    return least;
}

typedef struct heap_times {
    double fall, touch;          // s: until the floor by the theory, and as it was
    double free_step, last_step; // ms of processor time: while nothing touches, and in the last third
    double contacts, deepest;    // that push in the last third; of the thickness
} heap_times;

static cdg_result run_heap(const validation_context *context, size_t count, double time, heap_times *out,
                           cdg_error *error) {
    cdg_world *world = NULL;
    *out = (heap_times){0};
    cdg_result result = open_world(context, &world, error);
    if (result == CDG_OK) result = add_figures(context, world, count, error);
    if (result == CDG_OK) out->fall = sqrt(2 * way_to_floor(world) / fall);
    int steps = (int)(time / step), free_steps = 0, last = steps / 3;
    clock_t began = clock();
    for (int i = 0; i < steps && result == CDG_OK; i++) {
        cdg_step_report report;
        if (i == steps - last) began = clock();
        result = validation_fail(world, cdg_world_step(world, &report), error);
        if (result != CDG_OK) break;
        if (out->touch == 0 && report.contact_count > 0) {
            out->touch = report.time;
            out->free_step = 1e3 * (double)(clock() - began) / CLOCKS_PER_SEC / (free_steps + 1);
        }
        free_steps++;
        out->deepest = fmax(out->deepest, report.deepest);
        if (i >= steps - last) out->contacts += (double)report.contact_count / last;
    }
    out->last_step = 1e3 * (double)(clock() - began) / CLOCKS_PER_SEC / last;
    cdg_world_destroy(world);
    return result;
}

cdg_result validate_solid_heaps(validation_context *context, cdg_error *error) {
    enum { SIZES = 7 };
    static const size_t figures[SIZES] = {9, 18, 36, 72, 144, 288, 500};
    double contacts[SIZES], milliseconds[SIZES], response[SIZES], line[SIZES];
    int count = (int)validation_by_level(context, 2, 5, SIZES);
    for (int i = 0; i < count; i++) {
        heap_times it;
        char label[VALIDATION_TEXT_SIZE];
        cdg_result result = run_heap(context, figures[i], 0.45, &it, error);
        if (result != CDG_OK) return result;
        snprintf(label, sizeof label, "%zu figures fall freely until the first touches the floor", figures[i]);
        validation_add_relative(context, label, "s", it.touch, it.fall, 0.01);
        snprintf(label, sizeof label, "%zu figures: deepest", figures[i]);
        validation_add_limit(context, label, "of the thickness", it.deepest, 1e-3);
        snprintf(label, sizeof label, "%zu figures: collisions", figures[i]);
        validation_add_information(context, label, "", it.contacts);
        snprintf(label, sizeof label, "%zu figures: a step", figures[i]);
        validation_add_information(context, label, "ms", it.last_step);
        snprintf(label, sizeof label, "%zu figures: the same while nothing touches", figures[i]);
        validation_add_information(context, label, "ms", it.free_step);
        contacts[i] = it.contacts, milliseconds[i] = 1e-3 * it.last_step;
        response[i] = 1e-3 * (it.last_step - it.free_step);
        line[i] = milliseconds[0] * contacts[i] / contacts[0];
        validation_progress(context, pow(0.5, count - 1 - i));
        if (validation_is_decided(context)) return CDG_OK;
    }
    validation_begin_log_chart(context, "Chess figures: time of a step (figure 5.7)", "collisions", "1", "time", "s");
    validation_add_curve(context, "a step", contacts, milliseconds, (size_t)count);
    validation_add_curve(context, "of that contact", contacts, response, (size_t)count);
    validation_add_reference_curve(context, "linear", contacts, line, (size_t)count);
    return CDG_OK;
}
