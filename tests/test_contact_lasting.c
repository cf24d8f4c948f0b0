// Rods of sweeps that rest on few places are not strained by contact: what held them in the step before holds them
// through the sweeps of the next. And what holds no longer pushes nobody.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "contact_case.h"
#include "near.h"
#include "world/world.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double radius = 5e-3, bar = 5e-3, span = 0.1;
static const cdg_vec3 down = {0, 0, -9.81};
enum { ELEMENTS = 16, MIDDLE = ELEMENTS / 2 };

// Two bars across x, whose tops lie at the height 0.
static void add_bars(cdg_world *world, double apart, double length) {
    cdg_obstacle_def def = cdg_obstacle_def_default();
    def.shape.kind = CDG_SHAPE_CAPSULE;
    def.shape.radius = bar, def.shape.length = length;
    def.shape.orientation = (cdg_quat){sqrt(0.5), sqrt(0.5), 0, 0};
    for (int side = -1; side <= 1; side += 2) {
        def.shape.position = vec3(0.5 * apart * side, 0, -bar);
        must(world, cdg_world_add_obstacle(world, &def, NULL));
    }
}

static cdg_rod_def rubber(double from, double to, double y, size_t elements) {
    cdg_rod_def def = contact_rod("rod", vec3(from, y, radius), vec3(to, y, radius), radius, elements);
    def.model = CDG_MODEL_POBD;
    def.pobd.solver = CDG_POBD_GAUSS_SEIDEL;
    def.pobd.iterations = 400;
    def.material.young_modulus = 1e7;
    def.material.density = 1000;
    return def;
}

static void damp(cdg_rod_def *def) {
    cdg_material *m = &def->material;
    m->damping_stretch = m->damping_shear = m->damping_bend = m->damping_twist = 2e-3;
}

typedef struct rest {
    double sag, shear, bend, kinetic;
} rest;

static rest rest_of(const cdg_world *world, cdg_rod_id id, size_t node) {
    cdg_energy energy;
    cdg_vec3 at[8 * ELEMENTS + 1];
    must(world, cdg_rod_energy(world, id, &energy));
    must(world, cdg_rod_positions(world, id, at));
    return (rest){radius - at[node].z, energy.shear, energy.bend, energy.kinetic};
}

static rest on_bars(cdg_pobd_solver solver, double step, double friction, double time) {
    cdg_world *world = contact_world(down, step, friction, 1);
    cdg_rod_def def = rubber(-0.08, 0.08, 0, ELEMENTS);
    damp(&def);
    def.pobd.solver = solver;
    add_bars(world, span, 0.1);
    cdg_rod_id id = contact_add(world, &def);
    contact_run(world, (int)(time / step + 0.5));
    rest out = rest_of(world, id, MIDDLE);
    cdg_world_destroy(world);
    return out;
}

static void sweeps_sag_as_the_direct_solver(void **state) {
    (void)state;
    rest direct = on_bars(CDG_POBD_DIRECT, 2e-3, 0, 0.6);
    assert_true(direct.sag > 1.1e-4 && direct.sag < 1.3e-4);
    static const double steps[] = {2e-3, 1e-3, 0.5e-3};
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        rest sweeps = on_bars(CDG_POBD_GAUSS_SEIDEL, steps[i], 0, 0.6);
        assert_near(sweeps.sag, direct.sag, 0.02 * direct.sag);
        assert_near(sweeps.shear, direct.shear, 0.1 * direct.shear);
        assert_near(sweeps.bend, direct.bend, 0.03 * direct.bend);
    }
}

// Friction keeps some of what it had while the rod came to rest, but no shear; that takes its time, for friction lasts
// more slowly.
static void friction_leaves_no_shear(void **state) {
    (void)state;
    rest it = on_bars(CDG_POBD_GAUSS_SEIDEL, 2e-3, 0.5, 4);
    assert_true(it.shear < 0.2 * it.bend);
    assert_true(it.kinetic < 1e-6 * it.bend);
}

// A soft rod sags between the bars, and friction along it would drive its swing, if it lasted as fast as what presses.
static void soft_rods_come_to_rest_by_friction(void **state) {
    (void)state;
#ifdef CORDAGE_SANITIZED
    static const double frictions[] = {0.3}; // of long runs that differ in numbers alone
#else
    static const double frictions[] = {0.1, 0.3, 1};
#endif
    for (size_t i = 0; i < sizeof frictions / sizeof *frictions; i++) {
        cdg_world *world = contact_world(down, 2e-3, frictions[i], 1);
        cdg_rod_def def = rubber(-0.25, 0.25, 0, ELEMENTS + 4);
        damp(&def);
        def.material.damping_bend = 2e-2; // its swing is slow
        def.pobd.iterations = 100;
        def.material.young_modulus = 5e6;
        add_bars(world, 0.3, 0.1);
        cdg_rod_id id = contact_add(world, &def);
        contact_run(world, 4000);
        cdg_energy energy;
        must(world, cdg_rod_energy(world, id, &energy));
        assert_true(energy.kinetic < 1e-6 * energy.bend);
        assert_true(energy.stretch + energy.shear < 0.1 * energy.bend);
        cdg_world_destroy(world);
    }
}

// One strand in each lane, and their loads with them; the last is not touched.
static void strands_rest_in_lanes(void **state) {
    (void)state;
    enum { STRANDS = 16 };
    double first[STRANDS] = {0};
    for (int threads = 1; threads <= 2; threads++) {
        cdg_world *world = contact_world(down, 2e-3, 0, threads);
        add_bars(world, span, 1);
        cdg_rod_id ids[STRANDS];
        for (int i = 0; i < STRANDS; i++) {
            char name[16];
            snprintf(name, sizeof name, "strand_%d", i);
            cdg_rod_def def = rubber(-0.08, 0.08, 0.02 * i, ELEMENTS);
            def.name = name;
            if (i == STRANDS - 1) def.centerline.line.from.z = def.centerline.line.to.z = 5;
            ids[i] = contact_add(world, &def);
        }
        contact_run(world, 300);
        for (int i = 0; i < STRANDS; i++) {
            rest it = rest_of(world, ids[i], MIDDLE);
            if (i < STRANDS - 1) assert_true(it.sag > 1.15e-4 && it.sag < 1.27e-4);
            if (i < STRANDS - 1) assert_true(it.shear < 0.2 * it.bend);
            if (threads == 1) first[i] = it.sag;
            assert_true(first[i] == it.sag);
        }
        cdg_world_destroy(world);
    }
}

static void joined_halves_sag_as_one(void **state) {
    (void)state;
    cdg_world *world = contact_world(down, 1e-3, 0, 1);
    add_bars(world, span, 0.1);
    cdg_rod_def left = rubber(-0.08, 0, 0, MIDDLE), right = rubber(0, 0.08, 0, MIDDLE);
    damp(&left), damp(&right);
    right.name = "right";
    cdg_rod_id ids[2] = {contact_add(world, &left), contact_add(world, &right)};
    const cdg_place places[2] = {{ids[0], CDG_PLACE_NODE, MIDDLE}, {ids[1], CDG_PLACE_NODE, 0}};
    cdg_joint_def joint = cdg_joint_def_default();
    joint.places = places, joint.place_count = 2;
    must(world, cdg_world_add_joint(world, &joint, NULL));
    contact_run(world, 600);
    rest it = rest_of(world, ids[0], MIDDLE);
    assert_true(it.sag > 1.1e-4 && it.sag < 1.4e-4);
    assert_true(it.shear < 0.2 * it.bend);
    cdg_world_destroy(world);
}

static void rings_rest_without_shear(void **state) {
    (void)state;
    cdg_world *world = contact_world(down, 2e-3, 0.3, 1);
    add_bars(world, span, 0.3);
    cdg_rod_def def = rubber(0, 0, 0, 32);
    damp(&def);
    def.centerline.kind = CDG_CENTERLINE_CIRCLE;
    def.centerline.circle.radius = 0.08;
    def.centerline.circle.center = vec3(0, 0, radius);
    def.centerline.circle.axis = vec3(0, 0, 1);
    cdg_rod_id id = contact_add(world, &def);
    contact_run(world, 500);
    assert_true(rest_of(world, id, 0).shear < 1e-5); // J; 0.01 where contact strains it
    cdg_world_destroy(world);
}

static void adaptive_rods_rest_without_shear(void **state) {
    (void)state;
    cdg_world *world = contact_world(down, 1e-3, 0, 1);
    add_bars(world, span, 0.1);
    cdg_rod_def def = rubber(-0.08, 0.08, 0, ELEMENTS);
    damp(&def);
    def.material.young_modulus = 1e6; // bends enough
    def.adapt.is_on = true;
    def.adapt.levels = 1;
    def.adapt.angle = 0.01, def.adapt.coarsen = 0.004;
    cdg_rod_id id = contact_add(world, &def);
    contact_run(world, 600);
    const cdg_rod *rod = cdg_world_get_rod(world, id);
    assert_true(rod->element_count > ELEMENTS);
    rest it = rest_of(world, id, 0);
    assert_true(it.shear < 0.2 * it.bend);
    cdg_world_destroy(world);
}

static void snapshots_keep_what_lasts(void **state) {
    (void)state;
    cdg_world *world = contact_world(down, 2e-3, 0.4, 1);
    add_bars(world, span, 0.1);
    cdg_rod_def def = rubber(-0.08, 0.081, 0, ELEMENTS);
    cdg_rod_id id = contact_add(world, &def);
    contact_run(world, 20);
    double *saved = calloc(cdg_world_snapshot_size(world), sizeof *saved);
    assert_non_null(saved);
    must(world, cdg_world_snapshot_save(world, saved));
    contact_run(world, 20);
    rest first = rest_of(world, id, MIDDLE);
    must(world, cdg_world_snapshot_load(world, saved));
    contact_run(world, 20);
    rest again = rest_of(world, id, MIDDLE);
    assert_memory_equal(&first, &again, sizeof first);
    free(saved);
    cdg_world_destroy(world);
}

// The floor is pulled away from under a rod at rest: it falls as if there had been none.
static void what_lets_go_pushes_nobody(void **state) {
    (void)state;
    const double step = 1e-3, gone = 0.2;
    cdg_world *world = contact_world(down, step, 0.3, 1);
    cdg_motion motion = {.move = {0, 0, -4}, .from = gone, .to = gone + 1};
    cdg_obstacle_def floor = cdg_obstacle_def_default();
    floor.motions = &motion, floor.motion_count = 1;
    must(world, cdg_world_add_obstacle(world, &floor, NULL));
    cdg_rod_def def = rubber(-0.08, 0.08, 0, ELEMENTS);
    damp(&def);
    cdg_rod_id id = contact_add(world, &def);
    contact_run(world, 210);
    const cdg_rod *rod = cdg_world_get_rod(world, id);
    for (size_t i = 0; i < rod->node_count; i++) assert_near(rod->v[2][i], -9.81 * 10 * step, 1e-6);
    cdg_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sweeps_sag_as_the_direct_solver),    cmocka_unit_test(friction_leaves_no_shear),
        cmocka_unit_test(soft_rods_come_to_rest_by_friction), cmocka_unit_test(strands_rest_in_lanes),
        cmocka_unit_test(joined_halves_sag_as_one),           cmocka_unit_test(rings_rest_without_shear),
        cmocka_unit_test(adaptive_rods_rest_without_shear),   cmocka_unit_test(snapshots_keep_what_lasts),
        cmocka_unit_test(what_lets_go_pushes_nobody),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
