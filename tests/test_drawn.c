// The skin of rods whose resolution changes does not jump: in fast motion, bent and twisted, near ends, contacts,
// clamps and the seams of rings, with every model that adapts, no point of it moves by more than 2 % of the radius.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "adapt/drawn.h"
#include "contact_case.h"
#include "geometry/rod_curve.h"
#include "math/quat.h"
#include "near.h"
#include "world/world.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 400, STATIONS = 481, SIDES = 16, VARIANTS = 4 };
#ifdef CORDAGE_SANITIZED
enum { MORE_VARIANTS = 1 }; // sanitizers see all models in the first scene
#else
enum { MORE_VARIANTS = VARIANTS };
#endif
static const double bar = 0.02; // of the radius

// The rod's axis and frames as they are drawn, or as its nodes and frames are, at places that stay.
typedef struct picture {
    cdg_vec3 x[STATIONS];
    cdg_quat q[STATIONS];
} picture;

static void draw(const cdg_rod *rod, bool is_beside, picture *out) {
    cdg_vec3 x[MOST], shift[MOST];
    double roll[MOST], node_roll[MOST];
    cdg_quat q[MOST];
    for (size_t i = 0; i < rod->node_count; i++) {
        x[i] = rod_vec3(rod->x, i);
        shift[i] = rod_beside(rod, i)->shift, roll[i] = rod_beside(rod, i)->roll;
        node_roll[i] = rod_beside(rod, i)->node_roll;
    }
    for (size_t j = 0; j < rod->element_count; j++) q[j] = rod_quat(rod->q, j);
    cdg_rod_pose pose = {.is_closed = rod->is_closed,
                         .element_count = rod->element_count,
                         .rest_length = rod->rest_length,
                         .positions = x,
                         .frames = q};
    if (is_beside) pose.beside = (cdg_drawn_beside){shift, roll, node_roll};
    cdg_rod_curve curve;
    cdg_error error;
    if (cdg_rod_curve_make(&pose, &curve, &error) != CDG_OK) fail_msg("%s", error.message);
    for (size_t k = 0, e = 0; k < STATIONS; k++) {
        double at = rod->length * (double)k / (STATIONS - 1);
        e = cdg_rod_curve_element(&curve, e, at);
        cdg_rod_point point = cdg_rod_curve_at(&curve, e, at);
        out->x[k] = point.position, out->q[k] = point.frame;
    }
    cdg_rod_curve_free(&curve);
}

// The farthest that a point of the surface moves, in radii.
static double farthest(const picture *a, const picture *b, double radius) {
    double most = 0;
    for (size_t k = 0; k < STATIONS; k++)
        for (int side = 0; side < SIDES; side++) {
            double angle = 2 * 3.14159265358979 * side / SIDES;
            cdg_vec3 p = vec3(radius * cos(angle), radius * sin(angle), 0);
            cdg_vec3 from = vec3_add(a->x[k], quat_rotate(a->q[k], p));
            cdg_vec3 to = vec3_add(b->x[k], quat_rotate(b->q[k], p));
            most = fmax(most, vec3_distance(from, to) / radius);
        }
    return most;
}

// In radii, and rad.
static double farthest_shift(const cdg_rod *rod) {
    double most = 1e-3; // more than what is put to nothing
    for (size_t i = 0; i < rod->node_count; i++) {
        const cdg_rod_beside *at = rod_beside(rod, i);
        most = fmax(most, vec3_norm(at->shift) / rod->radius[i * rod->section_stride]);
        most = fmax(most, fmax(fabs(at->roll), fabs(at->node_roll)));
    }
    return most;
}

static cdg_rod_def rope(int variant, double radius) {
    cdg_rod_def def = contact_rod("rope", vec3(-0.3, 0, 0.05), vec3(0.3, 0.01, 0.05), radius, 12);
    def.model = variant <= 1 ? CDG_MODEL_POBD : variant == 2 ? CDG_MODEL_CORDE : CDG_MODEL_DER;
    if (variant == 1) def.pobd.solver = CDG_POBD_GAUSS_SEIDEL;
    def.adapt.is_on = true;
    def.adapt.hold = 0.01;
    def.material.damping_bend = def.material.damping_stretch = def.material.damping_twist = 5e-3;
    def.material.damping_shear = 5e-3;
    return def;
}

static cdg_world *over_a_pole(const cdg_rod_def *def) {
    cdg_world *world = contact_world(vec3(0, 0, -9.81), 1e-3, 0.2, 1);
    contact_add(world, def);
    cdg_obstacle_def pole = cdg_obstacle_def_default();
    pole.shape.kind = CDG_SHAPE_CAPSULE;
    pole.shape.radius = 0.02;
    pole.shape.length = 0.5;
    pole.shape.orientation = quat_exp(vec3(1.5707963267948966, 0, 0));
    must(world, cdg_world_add_obstacle(world, &pole, NULL));
    return world;
}

typedef struct jumps {
    double drawn, nodes; // radii: of the skin, and of one through the nodes
    double fading;       // radii a step, while no resolution changes: by what goes away
    uint64_t splits, merges;
} jumps;

// Steps, and changes of resolution between them, in which nothing else moves.
static jumps watch(cdg_world *world, int steps) {
    static picture before, after, plain_before, plain_after;
    jumps out = {0};
    contact_run(world, 1);
    size_t adapting = world->adapting_count;
    cdg_rod *rod = world->rods[0].rod;
    cdg_rod_adapt *adapt = rod->adapt;
    double radius = rod->radius[0];
    for (int s = 0; s < steps; s++) {
        world->adapting_count = 0; // the step leaves it to us
        must(world, cdg_world_step(world, NULL));
        world->adapting_count = adapting;
        uint64_t count = adapt->split_count + adapt->merge_count;
        bool fades = adapt->shifted > 0 && s % 10 == 0;
        if (fades) draw(rod, true, &before);
        cdg_drawn_settle(rod, world->step);
        draw(rod, true, &after);
        if (fades) out.fading = fmax(out.fading, farthest(&before, &after, radius));
        before = after;
        draw(rod, false, &plain_before);
        if (adapt->shifted > 0) adapt->shifted = 1e30; // so slowly does it come nearer: it has already
        cdg_adapt_rods(world, world->step);
        if (adapt->shifted > 0) adapt->shifted = farthest_shift(rod);
        if (adapt->split_count + adapt->merge_count == count) continue;
        draw(rod, true, &after);
        draw(rod, false, &plain_after);
        out.drawn = fmax(out.drawn, farthest(&before, &after, radius));
        out.nodes = fmax(out.nodes, farthest(&plain_before, &plain_after, radius));
    }
    out.splits = adapt->split_count, out.merges = adapt->merge_count;
    return out;
}

static void check(const char *what, cdg_world *world, int steps, double least_of_nodes) {
    jumps got = watch(world, steps);
    print_message("%s: %d splits, %d merges; skin %.4f, through the nodes %.3f, fading %.4f radii a step\n", what,
                  (int)got.splits, (int)got.merges, got.drawn, got.nodes, got.fading);
    assert_true(got.splits > 10 && got.merges > 0);
    assert_true(got.drawn < bar);
    assert_true(got.nodes > least_of_nodes); // else there would be nothing to hide
    assert_true(got.fading < 0.013);         // 0.01 of the farthest shift, and what a spline makes of it between nodes
    cdg_world_destroy(world);
}

static void twisted_ropes_fall_over_a_pole(void **state) {
    (void)state;
    for (int variant = 0; variant < VARIANTS; variant++) {
        cdg_rod_def def = rope(variant, 6e-3);
        def.initial_twist = 20;
        check("twisted", over_a_pole(&def), 400, 0.3);
    }
}

static void thin_ropes_fall_over_a_pole(void **state) {
    (void)state;
    for (int variant = 0; variant < MORE_VARIANTS; variant++) {
        cdg_rod_def def = rope(variant, 3e-3);
        check("thin", over_a_pole(&def), 400, 0.3);
    }
}

static void tapered_ropes_fall_over_a_pole(void **state) {
    (void)state;
    cdg_rod_def def = rope(3, 5e-3);
    def.is_tapered = true;
    def.section_end = def.section;
    def.section_end.radius = 4e-3;
    check("tapered", over_a_pole(&def), 400, 0.1);
}

// Clamped at one end, it whips.
static void clamped_ropes_whip(void **state) {
    (void)state;
    for (int variant = 0; variant < MORE_VARIANTS; variant++) {
        cdg_rod_def def = rope(variant, 3e-3);
        cdg_world *world = contact_world(vec3(0, 0, -9.81), 1e-3, 0.2, 1);
        cdg_rod_id id = contact_add(world, &def);
        cdg_support_def clamp = {.kind = CDG_SUPPORT_CLAMP, .place = {.rod = id, .kind = CDG_PLACE_NODE, .index = 0}};
        must(world, cdg_world_add_support(world, &clamp, NULL));
        check("clamped", world, 500, 0.02);
    }
}

// A ring has no ends, and fewer nodes than a spline needs to forget others.
static void rings_fall_over_a_pole(void **state) {
    (void)state;
    for (int variant = 0; variant < MORE_VARIANTS; variant++) {
        cdg_rod_def def = rope(variant, 3e-3);
        def.element_count = 10;
        def.centerline = (cdg_centerline){.kind = CDG_CENTERLINE_CIRCLE};
        def.centerline.circle.center = vec3(0.08, 0, 0.03);
        def.centerline.circle.radius = 0.1;
        def.centerline.circle.axis = vec3(0, 0, 1);
        check("ring", over_a_pole(&def), 400, 0.02);
    }
}

// What is drawn beside is there no more in the end.
static void it_comes_to_the_nodes(void **state) {
    (void)state;
    cdg_rod_def def = rope(3, 6e-3);
    cdg_world *world = over_a_pole(&def);
    contact_run(world, 120);
    cdg_rod *rod = world->rods[0].rod;
    assert_true(rod->adapt->shifted > 0.01);
    double last = rod->adapt->shifted;
    for (int s = 0; s < 2000 && rod->adapt->shifted > 0; s++) {
        cdg_drawn_settle(rod, 1e-3);
        assert_true(rod->adapt->shifted < last);
        last = rod->adapt->shifted;
    }
    assert_true(rod->adapt->shifted == 0);
    for (size_t k = 0; k < rod->node_capacity; k++) { // of what has gone, too
        const cdg_rod_beside *at = &rod->adapt->beside[k];
        assert_true(vec3_norm(at->shift) == 0 && at->roll == 0 && at->node_roll == 0);
    }
    cdg_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(twisted_ropes_fall_over_a_pole), cmocka_unit_test(thin_ropes_fall_over_a_pole),
        cmocka_unit_test(tapered_ropes_fall_over_a_pole), cmocka_unit_test(clamped_ropes_whip),
        cmocka_unit_test(rings_fall_over_a_pole),         cmocka_unit_test(it_comes_to_the_nodes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
