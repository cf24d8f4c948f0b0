// The semicircular arch of loose stiff wedges under its own weight: below a thickness of 0.1075 radii it falls, with
// hinges at the crown, the haunches and the springings; above, it stands (Couplet 1730, Milankovitch 1907, Heyman).
#include "math/quat.h"
#include "math/vec3.h"
#include "validation/case_functions.h"

#include <cordage/contact.h>
#include <cordage/obstacle.h>
#include <cordage/solid.h>

#include <math.h>
#include <stdio.h>

enum { WEDGES = 10 };
static const double pi = 3.141592653589793;

// ---- limit analysis -------------------------------------------------------------------------------------------------

// An arch of radius 1 and `thickness`, cut at the crown, where a thrust acts: its horizontal force and its moment about
// the middle are unknown. At every joint the resultant must pass between intrados and extrados, each of which bounds
// the moment; wedges are blocks with flat sides, so that their weights are at `center` from the middle. Returns how far
// these bounds leave room for a moment.
static double room_for_moments(double thickness, double center, double thrust) {
    double low = -INFINITY, high = INFINITY, weight = 0, moment = 0;
    for (int joint = 0; joint <= WEDGES / 2; joint++) { // from the crown down
        double angle = joint * pi / WEDGES;
        if (joint > 0) {
            weight += 1;
            moment += center * sin(angle - 0.5 * pi / WEDGES);
        }
        double across = weight * sin(angle) + thrust * cos(angle);
        low = fmax(low, (1 - 0.5 * thickness) * across - moment);
        high = fmin(high, (1 + 0.5 * thickness) * across - moment);
    }
    return high - low;
}

static double center_of(double inner, double outer) { // of the weight of a wedge with flat sides
    double cubes = pow(outer, 3) - pow(inner, 3), squares = outer * outer - inner * inner;
    return 2.0 / 3 * cubes / squares * cos(0.5 * pi / WEDGES);
}

// Contact keeps joints open by `skin` times the thickness: wedges of a smaller radius, moved outwards.
static const double skin = 0.1;
static double outwards(double thickness) { return skin * thickness / (2 * sin(0.5 * pi / WEDGES)); }

static bool can_stand(double thickness) {
    double out = outwards(thickness), radius = 1 - out * cos(0.5 * pi / WEDGES), low = 0, high = 2 * WEDGES;
    double center = center_of(radius - 0.5 * thickness, radius + 0.5 * thickness) + out;
    for (int i = 0; i < 100; i++) { // room is concave in the thrust
        double a = low + (high - low) / 3, b = high - (high - low) / 3;
        if (room_for_moments(thickness, center, a) < room_for_moments(thickness, center, b))
            low = a;
        else
            high = b;
    }
    return room_for_moments(thickness, center, 0.5 * (low + high)) >= 0;
}

static double least_thickness(void) {
    double low = 0.05, high = 0.2;
    for (int i = 0; i < 50; i++) *(can_stand(0.5 * (low + high)) ? &high : &low) = 0.5 * (low + high);
    return high;
}

// ---- simulation -----------------------------------------------------------------------------------------------------

static cdg_result open_world(const validation_context *context, cdg_world **out, cdg_error *error) {
    cdg_world_def def = cdg_world_def_default();
    def.gravity = validation_spoil_gravity(context, vec3(0, 0, -9.81));
    def.step = 1e-2;
    def.thread_count = 1;
    cdg_result result = cdg_world_create(&def, out, error);
    if (result != CDG_OK) return result;
    cdg_contact_def contact = cdg_contact_def_default();
    cdg_obstacle_def floor = cdg_obstacle_def_default();
    contact.friction = context->factor.friction; // 1: joints do not slide
    floor.shape.kind = CDG_SHAPE_PLANE;
    floor.shape.normal = vec3(0, 0, 1);
    result = cdg_world_set_contact(*out, &contact);
    if (result == CDG_OK) result = cdg_world_add_obstacle(*out, &floor, NULL);
    return validation_fail(*out, result, error);
}

// A wedge is one block of six tetrahedra: stiff against its weight by 1e4.
static cdg_result add_wedges(const validation_context *context, cdg_world *world, double thickness, cdg_solid_id *top,
                             cdg_error *error) {
    thickness *= context->factor.radius;
    const double share = pi / WEDGES, out = outwards(thickness) * (1 + 1e-4);
    const double radius = 1 - outwards(thickness) * cos(0.5 * share);
    cdg_shape wedge = {.kind = CDG_SHAPE_WEDGE,
                       .orientation = {1, 0, 0, 0},
                       .radius = radius + 0.5 * thickness,
                       .inner_radius = radius - 0.5 * thickness,
                       .length = thickness,
                       .angle = share};
    for (int i = 0; i < WEDGES; i++) {
        double angle = -pi / 2 + (i + 0.5) * share;
        cdg_solid_def def = cdg_solid_def_default();
        cdg_solid_id id;
        def.young_modulus = context->factor.stretch * 1e8, def.poisson_ratio = 0.2, def.damping_time = 1e-4;
        def.density = context->factor.mass * 1000;
        def.position = vec3(out * sin(angle), 0, out * cos(angle));
        def.orientation = quat_from_axis_angle(vec3(0, 1, 0), angle);
        cdg_result result = cdg_shape_mesh(&wedge, 0.5, &def.mesh, error);
        if (result != CDG_OK) return result;
        result = cdg_world_add_solid(world, &def, &id);
        cdg_mesh_free(&def.mesh);
        if (result != CDG_OK) return validation_fail(world, result, error);
        if (i == WEDGES / 2) *top = id;
    }
    return CDG_OK;
}

static double height_of(const cdg_world *world, cdg_solid_id id) {
    cdg_solid_state state = {0};
    (void)cdg_solid_get_state(world, id, &state);
    return state.center.z;
}

// By how much the top has sunk after `duration`; no more is looked at once it has fallen by a tenth of the radius.
static cdg_result sink(const validation_context *context, double thickness, double duration, double *sunk,
                       double *deepest, cdg_error *error) {
    cdg_world *world = NULL;
    cdg_solid_id top = {0};
    cdg_result result = open_world(context, &world, error);
    if (result == CDG_OK) result = add_wedges(context, world, thickness, &top, error);
    double start = result == CDG_OK ? height_of(world, top) : 0;
    *sunk = 0;
    for (double time = 0; time < duration && *sunk < 0.1 && result == CDG_OK; time += 1e-2) {
        cdg_step_report report;
        result = validation_fail(world, cdg_world_step(world, &report), error);
        if (result != CDG_OK) break;
        *deepest = fmax(*deepest, report.deepest);
        *sunk = start - height_of(world, top);
    }
    cdg_world_destroy(world);
    return result;
}

// The least thickness with which it stands for `duration`.
static cdg_result find_least(const validation_context *context, double duration, double *least, double *deepest,
                             cdg_error *error) {
    double low = 0.095, high = 0.12;
    cdg_result result = CDG_OK;
    for (int i = 0; i < 5 && result == CDG_OK; i++) {
        double sunk, middle = 0.5 * (low + high);
        result = sink(context, middle, duration, &sunk, deepest, error);
        *(sunk < 0.01 ? &high : &low) = middle;
        validation_progress(context, 0.4 + 0.12 * i);
    }
    *least = 0.5 * (low + high);
    return result;
}

cdg_result validate_arch_ratio(validation_context *context, cdg_error *error) {
    double duration = context->is_quick ? 0.8 : 3, sunk, deepest = 0, least;
    validation_add_absolute(context, "least thickness of ten wedges by limit analysis, Milankovitch's 0.1075",
                            "of the radius", least_thickness(), 0.1075, 0.002);
    cdg_result result = sink(context, 0.12, duration, &sunk, &deepest, error);
    if (result != CDG_OK) return result;
    validation_add_limit(context, "thickness 0.12: its top has sunk in 3 s (quick: 0.8 s) by", "of the radius", sunk,
                         1e-3);
    if (validation_is_decided(context)) return CDG_OK;
    result = sink(context, 0.1, 1.5, &sunk, &deepest, error);
    if (result != CDG_OK) return result;
    validation_add_limit(context, "thickness 0.10: the height of its top after 1.5 s at most", "of the radius",
                         1 - sunk, 0.9);
    if (!context->is_quick && !validation_is_decided(context)) {
        result = find_least(context, duration, &least, &deepest, error);
        if (result != CDG_OK) return result;
        validation_add_relative(context, "least thickness with which it stands for 3 s", "of the radius", least,
                                least_thickness(), 0.03);
    }
    validation_add_limit(context, "depth", "of the thickness of contact", deepest, 1e-3);
    return CDG_OK;
}
