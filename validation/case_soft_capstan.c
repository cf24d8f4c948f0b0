// A rope is drawn over a soft cylinder, into which it sinks: the pull grows by Euler's law of the capstan, whatever the
// cylinder's stiffness. Friction acts on the rope's surface and tension in its middle, so by moments about the axis a
// rope of radius r on a cylinder of radius R has dT/dangle = friction T R/(R + r).
#include "math/vec3.h"
#include "validation/case_functions.h"

#include <cordage/contact.h>
#include <cordage/obstacle.h>
#include <cordage/solid.h>

#include <math.h>
#include <stdio.h>

static const double pi = 3.141592653589793;
static const double soft_modulus = 1e5, soft_ratio = 0.3; // Pa
static const double thickness_share = 0.05;               // of surfaces in contact, in shortest edges (docs/solids.md)

// Nothing falls.
static cdg_result open_world(const validation_context *context, double step, double friction, cdg_world **out,
                             cdg_error *error) {
    cdg_world_def def = cdg_world_def_default();
    def.gravity = vec3(0, 0, 0);
    def.step = step;
    def.thread_count = 1;
    cdg_result result = cdg_world_create(&def, out, error);
    if (result != CDG_OK) return result;
    cdg_contact_def contact = cdg_contact_def_default();
    contact.friction = friction * context->factor.friction;
    return cdg_world_set_contact(*out, &contact);
}

// Adds a solid, of which `region` is held, and frees the mesh.
static cdg_result add_held(const validation_context *context, cdg_world *world, cdg_solid_def def,
                           const cdg_shape *region, cdg_solid_id *out, cdg_error *error) {
    def.young_modulus *= context->factor.stretch;
    cdg_result result = cdg_world_add_solid(world, &def, out);
    cdg_mesh_free(&def.mesh);
    cdg_solid_support_def support = cdg_solid_support_def_default();
    support.solid = *out;
    support.region = region;
    if (result == CDG_OK) result = cdg_world_add_solid_support(world, &support, NULL);
    return validation_fail(world, result, error);
}

static double shortest_edge(const cdg_mesh *mesh) {
    double least = INFINITY;
    for (size_t t = 0; t < mesh->tetrahedron_count; t++)
        for (int a = 0; a < 4; a++)
            for (int b = 0; b < a; b++)
                least = fmin(least,
                             vec3_distance(mesh->points[mesh->tetrahedra[t][a]], mesh->points[mesh->tetrahedra[t][b]]));
    return least;
}

static cdg_result take_steps(cdg_world *world, int count, cdg_error *error) {
    cdg_result result = CDG_OK;
    for (int i = 0; i < count && result == CDG_OK; i++) result = cdg_world_step(world, NULL);
    return validation_fail(world, result, error);
}

enum { ROPE_POINTS = 61 };

// Half around the cylinder, and straight down on both sides.
static void lay_rope(double around, double leg, cdg_vec3 *out) {
    double length = pi * around + 2 * leg;
    for (int i = 0; i < ROPE_POINTS; i++) {
        double s = length * i / (ROPE_POINTS - 1) - leg, angle = s / around;
        if (s < 0)
            out[i] = vec3(-around, s, 0);
        else if (angle < pi)
            out[i] = vec3(-around * cos(angle), around * sin(angle), 0);
        else
            out[i] = vec3(around, -(s - pi * around), 0);
    }
}

cdg_result validate_soft_capstan(validation_context *context, cdg_error *error) {
    const double friction = 0.3, radius = 2e-3, outer = 0.05, pull = 1;
    const double step = 1e-2, cell = context->is_quick ? 1e-2 : 7e-3;
    cdg_world *world = NULL;
    cdg_solid_id id = {0};
    cdg_rod_id rope = {0};
    cdg_support_id end = {0};
    cdg_vec3 points[ROPE_POINTS];
    cdg_shape tube = {
        .kind = CDG_SHAPE_TUBE, .radius = outer, .inner_radius = 0.03, .length = 0.024, .orientation = {1, 0, 0, 0}};
    cdg_solid_def def = cdg_solid_def_default();
    def.integrator = CDG_SOLID_EULER;
    def.young_modulus = soft_modulus, def.poisson_ratio = soft_ratio, def.density = 500, def.damping_time = 5e-3;
    cdg_result result = cdg_shape_mesh(&tube, cell, &def.mesh, error);
    double gap = result == CDG_OK ? thickness_share * shortest_edge(&def.mesh) : 0;
    if (result == CDG_OK) result = open_world(context, step, friction, &world, error);
    cdg_shape hole = {.kind = CDG_SHAPE_SPHERE, .orientation = {1, 0, 0, 0}, .radius = hypot(0.031, 0.0121)};
    if (result == CDG_OK) result = add_held(context, world, def, &hole, &id, error);
    lay_rope(outer + radius + gap + 2e-4, 0.06, points);
    cdg_rod_def rod = cdg_rod_def_default();
    rod.name = "rope", rod.model = CDG_MODEL_DER;
    rod.centerline.kind = CDG_CENTERLINE_POLYLINE;
    rod.centerline.points.points = points, rod.centerline.points.count = ROPE_POINTS;
    rod.element_count = ROPE_POINTS - 1;
    rod.section.radius = radius;
    rod.material.young_modulus = 3e6, rod.material.density = 1000, rod.material.damping_stretch = 0.02,
    rod.material.damping_bend = 0.02;
    if (result == CDG_OK) result = cdg_world_add_rod(world, &rod, &rope);
    cdg_motion draw = cdg_motion_default();
    draw.move = vec3(0, -0.04, 0), draw.from = 0.05, draw.to = 0.45;
    cdg_support_def held = {
        .kind = CDG_SUPPORT_PIN, .place = {rope, CDG_PLACE_NODE, 0}, .motions = &draw, .motion_count = 1};
    cdg_load_def load = cdg_load_def_default();
    load.kind = CDG_LOAD_FORCE, load.value = vec3(0, -pull, 0), load.ramp = 0.05;
    load.place = (cdg_place){rope, CDG_PLACE_NODE, ROPE_POINTS - 1};
    if (result == CDG_OK) result = cdg_world_add_support(world, &held, &end);
    if (result == CDG_OK) result = cdg_world_add_load(world, &load, NULL);
    result = validation_fail(world, result, error);
    double mean = 0;
    int count = 0, steps = (int)(0.4 / step);
    for (int i = 0; i < steps && result == CDG_OK; i++) {
        result = take_steps(world, 1, error);
        cdg_vec3 force = vec3(0, 0, 0), moment;
        if (result == CDG_OK) result = cdg_support_reaction(world, end, &force, &moment);
        if (i >= steps / 2) mean -= force.y, count++;
        validation_progress(context, (double)i / steps);
    }
    cdg_world_destroy(world);
    if (result != CDG_OK) return result;
    validation_add_relative(context, "a rope drawn over a soft cylinder, half a turn, friction 0.3: pull over load", "",
                            mean / count / pull, exp(friction * pi * outer / (outer + radius)), 0.03);
    return CDG_OK;
}
