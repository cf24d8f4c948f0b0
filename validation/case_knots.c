// Knots: a loose overhand knot without friction is a circle on a straight line, and the pull says how large
// (Audoly, Clauvelin and Neukirch, Elastic knots, Phys. Rev. Lett. 99, 164301, 2007).
#include "validation/case_functions.h"

#include "geometry/topology.h"

#include <cordage/contact.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { ELEMENTS = 400 };
// Thin, because T = B / (2 R^2) is the limit of no thickness: corrections are of the order of sqrt(radius / R), here
// 5 %, and of a smaller factor. The strands touch along sqrt(radius R), 2.5 mm, which elements must resolve.
static const double rope_radius = 0.125e-3, bend = 1e-3; // m, N m^2

static int compare(const void *left, const void *right) {
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

// Radius of the loop: from the median of the curvatures that are more than half of the largest.
static double loop_radius(const cdg_vec3 *nodes) {
    double curvatures[ELEMENTS - 1];
    for (int i = 1; i < ELEMENTS; i++) {
        double a[3] = {nodes[i].x - nodes[i - 1].x, nodes[i].y - nodes[i - 1].y, nodes[i].z - nodes[i - 1].z};
        double b[3] = {nodes[i + 1].x - nodes[i].x, nodes[i + 1].y - nodes[i].y, nodes[i + 1].z - nodes[i].z};
        double a2 = 0, b2 = 0, ab = 0;
        for (int k = 0; k < 3; k++) a2 += a[k] * a[k], b2 += b[k] * b[k], ab += a[k] * b[k];
        double angle = acos(fmax(-1, fmin(1, ab / sqrt(a2 * b2))));
        curvatures[i - 1] = angle / (0.5 * (sqrt(a2) + sqrt(b2)));
    }
    qsort(curvatures, ELEMENTS - 1, sizeof *curvatures, compare);
    int first = 0;
    while (curvatures[first] < 0.5 * curvatures[ELEMENTS - 2]) first++;
    return 1 / curvatures[(first + ELEMENTS - 2) / 2];
}

static cdg_result pull_overhand(const validation_context *context, double pull, double *radius, double *determinant,
                                cdg_error *error) {
    cdg_world_def def = cdg_world_def_default();
    def.gravity = validation_spoil_gravity(context, (cdg_vec3){0, 0, 0});
    def.step = 5e-3;
    def.thread_count = 1;
    cdg_rod_def rod = cdg_rod_def_default();
    rod.name = "cord";
    rod.has_stiffness = true;
    rod.stiffness = (cdg_stiffness){.stretch = 1e3,
                                    .shear = {1e3, 1e3},
                                    .bend = {bend, bend},
                                    .twist = 0.8 * bend,
                                    .mass = 0.05,
                                    .inertia = {5e-8, 5e-8, 1e-7},
                                    .radius = rope_radius};
    rod.material.damping_stretch = rod.material.damping_shear = 0.03;
    rod.material.damping_bend = rod.material.damping_twist = 0.03;
    rod.element_count = ELEMENTS;
    rod.centerline.kind = CDG_CENTERLINE_TIED;
    rod.centerline.tied.knot = CDG_TIED_OVERHAND;
    rod.centerline.tied.radius = rope_radius;
    rod.centerline.tied.clearance = 0.018;
    rod.centerline.tied.tail[0] = rod.centerline.tied.tail[1] = 0.02;
    cdg_result result = validation_spoil_rod(context, &rod, error);
    if (result != CDG_OK) return result;
    cdg_world *world = NULL;
    result = cdg_world_create(&def, &world, error);
    if (result != CDG_OK) return result;
    cdg_rod_id id = {0};
    cdg_contact_def contact = cdg_contact_def_default();
    result = cdg_world_set_contact(world, &contact);
    if (result == CDG_OK) result = cdg_world_add_rod(world, &rod, &id);
    cdg_support_def pin = {.kind = CDG_SUPPORT_PIN, .place = {.rod = id, .kind = CDG_PLACE_NODE, .index = 0}};
    if (result == CDG_OK) result = cdg_world_add_support(world, &pin, NULL);
    cdg_load_def load = cdg_load_def_default();
    load.value = (cdg_vec3){pull, 0, 0};
    load.place = (cdg_place){.rod = id, .kind = CDG_PLACE_NODE, .index = ELEMENTS};
    if (result == CDG_OK) result = cdg_world_add_load(world, &load, NULL);
    cdg_load_def drag = cdg_load_def_default();
    drag.kind = CDG_LOAD_DRAG;
    drag.drag_rate = 5;
    if (result == CDG_OK) result = cdg_world_add_load(world, &drag, NULL);
    for (int i = 0; i < 400 && result == CDG_OK; i++) result = cdg_world_step(world, NULL);
    cdg_vec3 nodes[ELEMENTS + 1];
    if (result == CDG_OK) result = cdg_rod_positions(world, id, nodes);
    if (result != CDG_OK) {
        if (error != NULL) {
            error->code = result;
            snprintf(error->message, sizeof error->message, "%s", cdg_world_message(world));
        }
    } else {
        uint64_t knot = 0;
        *radius = loop_radius(nodes);
        result = cdg_knot_determinant(nodes, ELEMENTS + 1, false, &knot, error);
        *determinant = (double)knot;
    }
    cdg_world_destroy(world);
    return result;
}

cdg_result validate_loose_knot(validation_context *context, cdg_error *error) {
    double radius = 0, determinant = 0, pull = 0.2;
    cdg_result result = pull_overhand(context, pull, &radius, &determinant, error);
    if (result != CDG_OK) return result;
    validation_under(context, VALIDATION_DIRECT);
    validation_add_relative(context, "pull of a loose overhand knot, without friction", "N", pull,
                            bend / (2 * radius * radius), 0.05);
    validation_add_absolute(context, "determinant of the knot afterwards", "", determinant, 3, 0);
    return CDG_OK;
}
