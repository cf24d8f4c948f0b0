// Bodies and rods as one system: momentum, energy, statics, and continuation.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "welded_case.h"

// A body at each end, one of them off the rod's axis and turning, in free flight: momentum is what it was, to the
// rounding of the rods' own solvers, from the first step on, which begins with a jerk as the rod is at rest.
static void momentum_is_kept(void **state) {
    (void)state;
    for (int kind = 0; kind < CASE_COUNT; kind++)
        for (int light = 0; light < 2; light++) {
            cdg_rod_def def = rod_of(kind);
            small_world small = small_world_make(&def, vec3(0, 0, 0), step_of(kind), false);
            switch_contact_off(small.world);  // explicit rods on free bodies cannot touch anything
            double mass = light ? 1e-3 : 0.1; // the rod has 86 g
            cdg_body_id a = add_box(small.world, mass, vec3(1.03, 0.01, 0.02), vec3(0.3, -0.2, 0.5), vec3(1, 4, 2));
            cdg_body_id b = add_box(small.world, 0.05, vec3(-0.02, 0, 0.03), vec3(0, 0, 0), vec3(-2, 0, 1));
            weld(small.world, small.rod, ELEMENTS, a);
            weld(small.world, small.rod, 0, b);
            cdg_vec3 p0, l0, p, l;
            cdg_world_momentum(small.world, &p0, &l0);
            double start = cdg_world_energy(small.world).total;
            for (int n = 0; n < 5; n++) {
                small_world_run(&small, (int)(0.01 / step_of(kind)));
                cdg_world_momentum(small.world, &p, &l);
                assert_vec3_near(p, p0, 1e-8 * vec3_norm(p0));
                // models whose own steps keep angular momentum
                if (kind == CDG_MODEL_REFERENCE || kind == CDG_MODEL_CORDE)
                    assert_vec3_near(l, l0, (light ? 1e-4 : 1e-6) * vec3_norm(l0));
                if (!light) assert_vec3_near(l, l0, 5e-3 * vec3_norm(l0));
            }
            // The jerk costs energy (what galpha measures in between its nodes is not exact enough to tell).
            if (kind != CDG_MODEL_GALPHA) assert_true(cdg_world_energy(small.world).total < start * 1.001);
            cdg_world_destroy(small.world);
        }
}

// A hanging body is a dead load: same stretch, and the weld carries its weight.
static void a_hanging_body_is_its_weight(void **state) {
    (void)state;
    for (int kind = 0; kind < CASE_COUNT; kind++) {
        if (kind == EXPLICIT_DER) continue; // strong damping is not for explicit steps
        cdg_rod_def def = rod_of(kind);
        def.centerline.line.to = vec3(0, 0, -1);
        def.material.damping_stretch = def.material.damping_shear = 0.05;
        def.material.damping_bend = def.material.damping_twist = 0.05;
        if (kind == CDG_MODEL_REFERENCE) def.reference.dissipation = 0.5;
        double tip[2];
        for (int w = 0; w < 2; w++) {
            small_world small = small_world_make(&def, vec3(0, 0, -9.81), step_of(kind), true);
            switch_contact_off(small.world);
            cdg_weld_id id;
            cdg_place end = {small.rod, CDG_PLACE_NODE, ELEMENTS};
            if (w == 0) {
                cdg_body_id body = add_box(small.world, 0.1, vec3(0, 0, -1.04), vec3(0, 0, 0), vec3(0, 0, 0));
                must(small.world, cdg_world_add_weld(small.world, &(cdg_weld_def){end, body}, &id));
            } else {
                cdg_load_def load = cdg_load_def_default();
                load.place = end, load.value = vec3(0, 0, -0.981);
                must(small.world, cdg_world_add_load(small.world, &load, NULL));
            }
            small_world_run(&small, (int)(1.2 / step_of(kind)));
            cdg_vec3 nodes[ELEMENTS + 1], force, moment;
            must(small.world, cdg_rod_positions(small.world, small.rod, nodes));
            tip[w] = nodes[ELEMENTS].z;
            if (w == 0) {
                must(small.world, cdg_weld_reaction(small.world, id, &force, &moment));
                assert_vec3_near(force, vec3(0, 0, -0.981), 1e-5);
                assert_vec3_near(moment, vec3(0, 0, 0), 1e-7);
            }
            cdg_world_destroy(small.world);
        }
        assert_near(tip[0], tip[1], 1e-7);
        assert_true(tip[0] < -1.01); // it does hang
    }
}

// Rods joined into a net, with bodies at an end, at the joint's neighbour and between two nets; two threads or one.
static void several_rods_and_bodies(void **state) {
    (void)state;
    cdg_body_state end[2];
    for (int n = 0; n < 2; n++) {
        cdg_world_def world_def = cdg_world_def_default();
        cdg_world *world = NULL;
        world_def.gravity = vec3(0, 0, 0);
        world_def.step = 1e-4;
        world_def.thread_count = 1 + n;
        world_def.contact = CDG_CONTACT_OFF; // nor can these
        must(NULL, cdg_world_create(&world_def, &world, NULL));
        cdg_rod_id rods[4];
        for (int i = 0; i < 4; i++) {
            cdg_rod_def def = rod_of(i < 3 ? CDG_MODEL_CORDE : CDG_MODEL_DER);
            static const char *const names[] = {"a", "b", "c", "d"};
            def.name = names[i];
            def.centerline.line.from = i == 0 ? vec3(0, 0, 0) : i == 3 ? vec3(1.5, 0.8, 0) : vec3(1, 0, 0);
            def.centerline.line.to = i == 0   ? vec3(1, 0, 0)
                                     : i == 1 ? vec3(1.5, 0.7, 0)
                                     : i == 2 ? vec3(1.5, -0.7, 0)
                                              : vec3(1.5, 1.8, 0);
            must(world, cdg_world_add_rod(world, &def, &rods[i]));
        }
        cdg_place places[3] = {
            {rods[0], CDG_PLACE_NODE, ELEMENTS}, {rods[1], CDG_PLACE_NODE, 0}, {rods[2], CDG_PLACE_NODE, 0}};
        cdg_joint_def joint = cdg_joint_def_default();
        joint.places = places, joint.place_count = 3;
        must(world, cdg_world_add_joint(world, &joint, NULL));
        cdg_body_id a = add_box(world, 0.2, vec3(1.5, 0.75, 0), vec3(0, 0, 1), vec3(0, 0, 0));
        cdg_body_id b = add_box(world, 0.02, vec3(0.5, 0, 0.05), vec3(0, 0, 0), vec3(0, 0, 5));
        cdg_body_id c = add_box(world, 0.02, vec3(1.5, -0.7, 0.05), vec3(0, 0.5, 0), vec3(0, 0, 0));
        weld(world, rods[1], ELEMENTS, a); // both rods on one body
        weld(world, rods[3], 0, a);
        weld(world, rods[0], 4, b); // in the middle of a rod
        weld(world, rods[2], ELEMENTS, c);
        cdg_vec3 p0, l0, p, l;
        cdg_world_momentum(world, &p0, &l0);
        for (int i = 0; i < 200; i++) must(world, cdg_world_step(world, NULL));
        cdg_world_momentum(world, &p, &l);
        assert_vec3_near(p, p0, 1e-8 * vec3_norm(p0));
        must(world, cdg_body_get_state(world, b, &end[n]));
        cdg_world_destroy(world);
    }
    assert_memory_equal(&end[0], &end[1], sizeof end[0]);
}

// Falls on a floor, with a rod: what is saved in the middle goes on to the same bits.
static small_world make_dangling(void) {
    cdg_rod_def def = rod_of(CDG_MODEL_DER);
    small_world small = small_world_make(&def, vec3(0, 0, -9.81), 1e-3, true);
    cdg_obstacle_def plane = cdg_obstacle_def_default();
    plane.shape.offset = -0.12;
    must(small.world, cdg_world_add_obstacle(small.world, &plane, NULL));
    cdg_body_def ball = cdg_body_def_default();
    cdg_body_id id;
    ball.shape.radius = 0.03, ball.shape.position = vec3(1, 0, 0), ball.friction = 0.3;
    must(small.world, cdg_world_add_body(small.world, &ball, &id));
    weld(small.world, small.rod, ELEMENTS, id);
    ball.shape.position = vec3(0.99, 0.01, 0.1);
    must(small.world, cdg_world_add_body(small.world, &ball, NULL));
    cdg_contact_def contact = cdg_contact_def_default();
    contact.choice = CDG_CONTACT_OFF; // the rod's
    must(small.world, cdg_world_set_contact(small.world, &contact));
    return small;
}

static void continuation_is_bit_identical(void **state) {
    (void)state;
    const int starts[] = {0, 1, 140, 170};
    for (int s = 0; s < 4; s++) {
        small_world whole = make_dangling(), resumed = make_dangling();
        size_t size = cdg_world_snapshot_size(whole.world);
        double *saved = malloc(size * sizeof *saved), *a = malloc(size * sizeof *a), *b = malloc(size * sizeof *b);
        small_world_run(&whole, starts[s]);
        must(whole.world, cdg_world_snapshot_save(whole.world, saved));
        small_world_run(&whole, 60);
        must(whole.world, cdg_world_snapshot_save(whole.world, a));
        assert_int_equal(cdg_world_snapshot_size(resumed.world), size);
        must(resumed.world, cdg_world_snapshot_load(resumed.world, saved));
        small_world_run(&resumed, 60);
        must(resumed.world, cdg_world_snapshot_save(resumed.world, b));
        assert_memory_equal(a, b, size * sizeof *a);
        free(saved), free(a), free(b);
        if (s == 3) { // the welded ball lies on the floor, the other one has rolled off it
            small_world_run(&whole, 200);
            cdg_body_state now;
            must(whole.world, cdg_body_get_state(whole.world, cdg_world_body_at(whole.world, 0), &now));
            assert_true(now.position.z > -0.12 + 0.03 - 5e-3);
            assert_true(now.position.z < -0.12 + 0.03 + 2e-2);
        }
        cdg_world_destroy(whole.world);
        cdg_world_destroy(resumed.world);
    }
}

// A torsion pendulum: the period of a disk on a wire, and its energy after many swings.
static void a_torsion_pendulum_swings_as_it_should(void **state) {
    (void)state;
    for (int kind = 0; kind < CASE_COUNT; kind++) {
        cdg_rod_def def = rod_of(kind);
        def.centerline.line.to = vec3(0, 0, -1);
        def.element_count = 5;
        def.material.young_modulus = 1e9;
        double step = kind == CDG_MODEL_CORDE || kind == EXPLICIT_DER ? 1e-4 : 4e-3;
        small_world small = small_world_make(&def, vec3(0, 0, 0), step, true);
        switch_contact_off(small.world);
        cdg_body_def disk = cdg_body_def_default();
        cdg_body_id id;
        disk.shape.kind = CDG_SHAPE_CYLINDER, disk.shape.radius = 0.1, disk.shape.length = 0.02, disk.density = 0,
        disk.mass = 0.5;
        disk.shape.position = vec3(0, 0, -1), disk.angular_velocity = vec3(0, 0, 0.1);
        must(small.world, cdg_world_add_body(small.world, &disk, &id));
        weld(small.world, small.rod, 5, id);
        // G J/L over disk and a third of the rod
        double r4 = pow(5e-3, 4), pi = 3.141592653589793, stiffness = 1e9 / 2.6 * pi / 2 * r4;
        double own = kind == EXPLICIT_DER ? 0 : 1100 * pi / 2 * r4 / 3;
        double period = 2 * pi * sqrt((0.5 * 0.01 / 2 + own) / stiffness);
        small_world_run(&small, (int)round(2.75 * period / step));
        cdg_body_state now;
        must(small.world, cdg_body_get_state(small.world, id, &now));
        double angle = 2 * asin(now.orientation.z), amplitude = 0.1 * period / (2 * pi);
        assert_near(angle, -amplitude, 3e-3 * amplitude);
        assert_true(fabs(now.angular_velocity.z) < 0.1 * 0.1);
        cdg_world_destroy(small.world);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(momentum_is_kept),
        cmocka_unit_test(a_hanging_body_is_its_weight),
        cmocka_unit_test(several_rods_and_bodies),
        cmocka_unit_test(continuation_is_bit_identical),
        cmocka_unit_test(a_torsion_pendulum_swings_as_it_should),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
