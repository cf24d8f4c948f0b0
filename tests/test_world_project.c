// Bodies on rods whose lengths are constraints: lengths and momentum are kept, motions are those of rods that hardly
// stretch, whole turns of twist come through, rods share a body, and continuation has the same bits.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "near.h"
#include "small_world.h"

enum { ELEMENTS = 8 };
static const cdg_der_constraint constraints[] = {CDG_DER_CONSTRAINT_PROJECTION, CDG_DER_CONSTRAINT_RATTLE};

static cdg_rod_def rod_of(cdg_der_constraint constraint) {
    cdg_rod_def def = cdg_rod_def_default();
    def.model = CDG_MODEL_DER;
    def.der.integrator = CDG_DER_EXPLICIT;
    def.der.constraint = constraint;
    def.element_count = ELEMENTS;
    def.section.radius = 5e-3;
    def.material.poisson_ratio = 0.3;
    return def;
}

static cdg_body_id add_box(cdg_world *world, double mass, cdg_vec3 position, cdg_vec3 velocity, cdg_vec3 spin) {
    cdg_body_def def = cdg_body_def_default();
    cdg_body_id id;
    def.shape.kind = CDG_SHAPE_BOX;
    def.shape.size = vec3(0.05, 0.03, 0.08);
    def.density = 0, def.mass = mass;
    def.shape.position = position, def.velocity = velocity, def.angular_velocity = spin;
    def.is_ghost = true;
    must(world, cdg_world_add_body(world, &def, &id));
    return id;
}

static void weld(cdg_world *world, cdg_rod_id rod, size_t node, cdg_body_id body) {
    must(world, cdg_world_add_weld(world, &(cdg_weld_def){{rod, CDG_PLACE_NODE, node}, body}, NULL));
}

static void assert_lengths(const small_world *small, double tolerance) {
    cdg_vec3 nodes[ELEMENTS + 1];
    must(small->world, cdg_rod_positions(small->world, small->rod, nodes));
    for (size_t j = 0; j < ELEMENTS; j++)
        assert_near(vec3_distance(nodes[j], nodes[j + 1]), 1.0 / ELEMENTS, tolerance / ELEMENTS);
}

// A body at each end and one in the middle, off the rod's axis and turning, heavy or as light as a tenth of an element.
static void lengths_and_momentum_are_kept(void **state) {
    (void)state;
    for (int c = 0; c < 2; c++)
        for (int light = 0; light < 2; light++) {
            cdg_rod_def def = rod_of(constraints[c]);
            small_world small = small_world_make(&def, vec3(0, 0, 0), 1e-4, false);
            switch_contact_off(small.world);  // explicit rods on free bodies cannot touch anything
            double mass = light ? 1e-3 : 0.1; // the rod has 86 g
            cdg_body_id a = add_box(small.world, mass, vec3(1.03, 0.01, 0.02), vec3(0.3, -0.2, 0.5), vec3(1, 4, 2));
            cdg_body_id b = add_box(small.world, 0.05, vec3(-0.02, 0, 0.03), vec3(0, 0, 0), vec3(-2, 0, 1));
            cdg_body_id m = add_box(small.world, 0.02, vec3(0.5, 0, 0.01), vec3(0, 0, 0), vec3(0, 0, 0));
            weld(small.world, small.rod, ELEMENTS, a);
            weld(small.world, small.rod, 0, b);
            weld(small.world, small.rod, ELEMENTS / 2, m);
            cdg_vec3 p0, l0, p, l;
            cdg_world_momentum(small.world, &p0, &l0);
            double start = cdg_world_energy(small.world).total;
            for (int n = 0; n < 5; n++) {
                small_world_run(&small, 100);
                cdg_world_momentum(small.world, &p, &l);
                assert_vec3_near(p, p0, 1e-8 * vec3_norm(p0));
                assert_vec3_near(l, l0, 1e-2 * vec3_norm(l0));
                assert_lengths(&small, 1e-9);
            }
            assert_true(cdg_world_energy(small.world).total < start * 1.001);
            cdg_world_destroy(small.world);
        }
}

// Let go from the horizontal: where a heavy body is half a second later, on this rod and on one that hardly stretches.
static void a_body_swings_as_on_a_rod_that_hardly_stretches(void **state) {
    (void)state;
    cdg_vec3 place[3];
    for (int c = 0; c < 3; c++) {
        cdg_rod_def def = rod_of(c < 2 ? constraints[c] : CDG_DER_CONSTRAINT_NONE);
        if (c == 2) def.der.integrator = CDG_DER_IMPLICIT;
        def.material.young_modulus = c == 2 ? 1e10 : 1e6;
        if (c == 2) def.section.radius = 5e-4, def.material.density *= 100; // bends as the others and weighs as much
        small_world small = small_world_make(&def, vec3(0, 0, -9.81), 1e-4, true);
        switch_contact_off(small.world); // explicit rods on free bodies cannot touch anything
        cdg_body_id id = add_box(small.world, 0.1, vec3(1, 0, -0.04), vec3(0, 0, 0), vec3(0, 0, 0));
        weld(small.world, small.rod, ELEMENTS, id);
        small_world_run(&small, 5000);
        if (c < 2) assert_lengths(&small, 1e-9);
        cdg_body_state now;
        must(small.world, cdg_body_get_state(small.world, id, &now));
        place[c] = now.position;
        cdg_world_destroy(small.world);
    }
    assert_true(place[2].z < -0.5);
    for (int c = 0; c < 2; c++) assert_vec3_near(place[c], place[2], 5e-3);
}

// The disk on a wire of test_world_bodies.c: torque of twist is passed on explicitly.
static void a_torsion_pendulum_swings_as_it_should(void **state) {
    (void)state;
    for (int c = 0; c < 2; c++) {
        cdg_rod_def def = rod_of(constraints[c]);
        def.centerline.line.to = vec3(0, 0, -1);
        def.material.young_modulus = 1e9;
        double step = 1e-4, pi = 3.141592653589793;
        small_world small = small_world_make(&def, vec3(0, 0, -9.81), step, true);
        switch_contact_off(small.world); // explicit rods on free bodies cannot touch anything
        cdg_body_def disk = cdg_body_def_default();
        cdg_body_id id;
        disk.shape.kind = CDG_SHAPE_CYLINDER, disk.shape.radius = 0.1, disk.shape.length = 0.02, disk.density = 0,
        disk.mass = 0.5;
        disk.shape.position = vec3(0, 0, -1), disk.angular_velocity = vec3(0, 0, 0.1);
        must(small.world, cdg_world_add_body(small.world, &disk, &id));
        weld(small.world, small.rod, ELEMENTS, id);
        double stiffness = 1e9 / 2.6 * pi / 2 * pow(5e-3, 4), period = 2 * pi * sqrt(0.5 * 0.01 / 2 / stiffness);
        small_world_run(&small, (int)round(2.75 * period / step));
        cdg_body_state now;
        must(small.world, cdg_body_get_state(small.world, id, &now));
        double angle = 2 * asin(now.orientation.z), amplitude = 0.1 * period / (2 * pi);
        assert_near(angle, -amplitude, 3e-3 * amplitude);
        assert_near(now.position.z, -1, 1e-9);
        cdg_world_destroy(small.world);
    }
}

// Two taut rods carry a bar, each its share of the weight.
static void rods_share_a_body(void **state) {
    (void)state;
    for (int light = 0; light < 2; light++) {
        cdg_rod_def def = rod_of(CDG_DER_CONSTRAINT_PROJECTION);
        def.centerline.line.to = vec3(0, 0, -1);
        small_world small = small_world_make(&def, vec3(0, 0, -9.81), 1e-4, true);
        switch_contact_off(small.world); // explicit rods on free bodies cannot touch anything
        def.name = "other";
        def.centerline.line.from = vec3(0.3, 0, 0), def.centerline.line.to = vec3(0.3, 0, -1);
        cdg_rod_id other;
        must(small.world, cdg_world_add_rod(small.world, &def, &other));
        cdg_support_def support = {.kind = CDG_SUPPORT_CLAMP, .place = {.rod = other}};
        must(small.world, cdg_world_add_support(small.world, &support, NULL));
        double mass = light ? 0.01 : 1;
        cdg_body_id id = add_box(small.world, mass, vec3(0.1, 0, -1.02), vec3(0, 0, 0), vec3(0, 0, 0));
        cdg_weld_id welds[2];
        cdg_weld_def defs[2] = {{{small.rod, CDG_PLACE_NODE, ELEMENTS}, id}, {{other, CDG_PLACE_NODE, ELEMENTS}, id}};
        for (int i = 0; i < 2; i++) must(small.world, cdg_world_add_weld(small.world, &defs[i], &welds[i]));
        small_world_run(&small, 300);
        cdg_body_state now;
        must(small.world, cdg_body_get_state(small.world, id, &now));
        assert_vec3_near(now.position, vec3(0.1, 0, -1.02), 1e-7);
        for (int i = 0; i < 2; i++) {
            cdg_vec3 force, moment;
            must(small.world, cdg_weld_reaction(small.world, welds[i], &force, &moment));
            assert_near(force.z, -mass * 9.81 * (i == 0 ? 2.0 : 1.0) / 3, 1e-4 * mass * 9.81);
        }
        cdg_world_destroy(small.world);
    }
}

static void rods_of_both_kinds_are_refused(void **state) {
    (void)state;
    cdg_rod_def def = rod_of(CDG_DER_CONSTRAINT_PROJECTION);
    small_world small = small_world_make(&def, vec3(0, 0, -9.81), 1e-4, true);
    switch_contact_off(small.world); // explicit rods on free bodies cannot touch anything
    def = rod_of(CDG_DER_CONSTRAINT_NONE);
    def.name = "other";
    def.centerline.line.from = vec3(0, 0.1, 0), def.centerline.line.to = vec3(1, 0.1, 0);
    cdg_rod_id other;
    must(small.world, cdg_world_add_rod(small.world, &def, &other));
    cdg_body_id id = add_box(small.world, 0.1, vec3(1, 0, 0), vec3(0, 0, 0), vec3(0, 0, 0));
    weld(small.world, small.rod, ELEMENTS, id);
    cdg_weld_def second = {{other, CDG_PLACE_NODE, ELEMENTS}, id};
    assert_int_equal(cdg_world_add_weld(small.world, &second, NULL), CDG_ERROR_UNSUPPORTED);
    assert_non_null(strstr(cdg_world_message(small.world), "kept at its length"));
    cdg_world_destroy(small.world);
}

static small_world make_swinging(void) {
    cdg_rod_def def = rod_of(CDG_DER_CONSTRAINT_PROJECTION);
    small_world small = small_world_make(&def, vec3(1, 0, -9.81), 1e-4, true);
    switch_contact_off(small.world); // explicit rods on free bodies cannot touch anything
    weld(small.world, small.rod, ELEMENTS,
         add_box(small.world, 0.1, vec3(1, 0.02, -0.04), vec3(0, 0, 0), vec3(5, 2, 3)));
    return small;
}

static void continuation_is_bit_identical(void **state) {
    (void)state;
    small_world whole = make_swinging(), resumed = make_swinging();
    size_t size = cdg_world_snapshot_size(whole.world);
    double *saved = malloc(size * sizeof *saved), *a = malloc(size * sizeof *a), *b = malloc(size * sizeof *b);
    small_world_run(&whole, 100);
    must(whole.world, cdg_world_snapshot_save(whole.world, saved));
    must(resumed.world, cdg_world_snapshot_load(resumed.world, saved));
    small_world_run(&whole, 60);
    small_world_run(&resumed, 60);
    must(whole.world, cdg_world_snapshot_save(whole.world, a));
    must(resumed.world, cdg_world_snapshot_save(resumed.world, b));
    assert_memory_equal(a, b, size * sizeof *a);
    free(saved), free(a), free(b);
    cdg_world_destroy(whole.world);
    cdg_world_destroy(resumed.world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lengths_and_momentum_are_kept),
        cmocka_unit_test(a_body_swings_as_on_a_rod_that_hardly_stretches),
        cmocka_unit_test(a_torsion_pendulum_swings_as_it_should),
        cmocka_unit_test(rods_share_a_body),
        cmocka_unit_test(rods_of_both_kinds_are_refused),
        cmocka_unit_test(continuation_is_bit_identical),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
