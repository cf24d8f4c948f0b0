// Rings of gauss_seidel that adapt and strike each other: contact, which moves nodes by their own inertia alone,
// strains short elements no more than those of the definition, because it is met in shorter parts of a step.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>

#include "contact_case.h"
#include "math/vec3.h"
#include "rods/rod_model.h"
#include "world/world.h"

enum { RINGS = 8, ELEMENTS = 16, STEPS = 120 };
static const double step = 1e-3, pitch = 0.03, turn = 6.283185307179586;

static cdg_rod_def make_ring(int number, const char *name, bool adapts) {
    cdg_rod_def def = cdg_rod_def_default();
    def.name = name;
    def.model = CDG_MODEL_POBD;
    def.pobd.solver = CDG_POBD_GAUSS_SEIDEL;
    def.pobd.iterations = 20;
    def.adapt.is_on = adapts;
    def.adapt.angle = 0.5, def.adapt.coarsen = 0.21, def.adapt.hold = 0.01, def.adapt.levels = 2;
    def.material.young_modulus = 5e6;
    def.material.density = 3000;
    def.material.damping_stretch = def.material.damping_shear = 1e-3;
    def.material.damping_bend = def.material.damping_twist = 1e-3;
    def.section.radius = 3e-3;
    def.element_count = ELEMENTS;
    def.rest.kind = CDG_REST_INITIAL;
    def.centerline.kind = CDG_CENTERLINE_CIRCLE;
    def.centerline.closed = true;
    def.centerline.circle.center = vec3(pitch * number, 0, 0);
    def.centerline.circle.axis = number % 2 == 0 ? vec3(0, 0, 1) : vec3(0, 1, 0);
    def.centerline.circle.radius = 0.02;
    return def;
}

// The first ring is led in a circle by the node that is farthest from the second.
static cdg_world *hang_chain(bool adapts) {
    cdg_world *world = contact_world(vec3(0, 0, -9.81), step, 0.2, 1);
    cdg_rod_id first = {0};
    for (int i = 0; i < RINGS; i++) {
        char name[16];
        snprintf(name, sizeof name, "ring%d", i);
        cdg_rod_def def = make_ring(i, name, adapts);
        cdg_rod_id rod = contact_add(world, &def);
        if (i == 0) first = rod;
    }
    const cdg_rod *rod = world->rods[0].rod;
    size_t parts = rod->element_count / ELEMENTS, held = 0;
    for (size_t i = 1; i < ELEMENTS; i++)
        if (rod->x[0][parts * i] < rod->x[0][parts * held]) held = i;
    cdg_motion circle = {.kind = CDG_MOTION_ROTATE,
                         .axis = {0, 1, 0},
                         .angle = 3 * turn * step * STEPS,
                         .has_center = true,
                         .center = {0.03, 0, 0.05},
                         .to = step * STEPS};
    cdg_support_def pin = {.kind = CDG_SUPPORT_PIN,
                           .place = {.rod = first, .kind = CDG_PLACE_NODE, .index = held},
                           .motions = &circle,
                           .motion_count = 1};
    must(world, cdg_world_add_support(world, &pin, NULL));
    return world;
}

// The mean over steps of the largest share by which an element is longer or shorter than at rest.
static double shake(bool adapts, bool *is_fine) {
    cdg_world *world = hang_chain(adapts);
    double sum = 0;
    *is_fine = false;
    for (int i = 0; i < STEPS; i++) {
        double most = 0;
        must(world, cdg_world_step(world, NULL));
        for (size_t r = 0; r < RINGS; r++) {
            const cdg_rod *rod = world->rods[r].rod;
            *is_fine = *is_fine || rod->element_count > ELEMENTS;
            for (size_t j = 0; j < rod->element_count; j++) {
                double length = vec3_distance(rod_vec3(rod->x, j), rod_vec3(rod->x, rod_next_node(rod, j)));
                most = fmax(most, fabs(length / rod->rest_length[j] - 1));
            }
        }
        sum += most;
    }
    cdg_world_destroy(world);
    return sum / STEPS;
}

static void short_elements_are_strained_no_more(void **state) {
    (void)state;
    bool is_fine, was_fine;
    double coarse = shake(false, &was_fine), fine = shake(true, &is_fine);
    print_message("mean of the largest strains: %.3f as defined, %.3f adapting\n", coarse, fine);
    assert_true(is_fine && !was_fine);
    assert_true(fine < 1.5 * coarse);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(short_elements_are_strained_no_more)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
