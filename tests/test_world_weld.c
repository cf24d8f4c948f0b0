// Welds: what is refused, and that a weld to a fixed body is a clamp.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "welded_case.h"

#include <string.h>

static void expect(const cdg_world *world, cdg_result result, cdg_result expected, const char *words) {
    assert_int_equal(result, expected);
    if (strstr(cdg_world_message(world), words) == NULL) print_error("'%s'\n", cdg_world_message(world));
    assert_non_null(strstr(cdg_world_message(world), words));
}

static void contradictions_are_told(void **state) {
    (void)state;
    cdg_rod_def def = cdg_rod_def_default();
    def.name = "cable";
    small_world small = small_world_make(&def, vec3(0, 0, 0), 1e-3, true);
    switch_contact_off(small.world); // bodies lie in each other and in the rod
    cdg_world *world = small.world;
    cdg_body_def body = cdg_body_def_default();
    cdg_body_id a, b;
    body.name = "disk", body.shape.position = vec3(1, 0, 0);
    must(world, cdg_world_add_body(world, &body, &a));
    body.name = "block";
    must(world, cdg_world_add_body(world, &body, &b));
    cdg_place start = {small.rod, CDG_PLACE_NODE, 0}, end = {small.rod, CDG_PLACE_NODE, 50};
    cdg_weld_id id;
    expect(world, cdg_world_add_weld(world, &(cdg_weld_def){{{7, 1}, CDG_PLACE_NODE, 0}, a}, &id), CDG_ERROR_STALE,
           "rod that does not exist");
    expect(world, cdg_world_add_weld(world, &(cdg_weld_def){end, {5, 1}}, &id), CDG_ERROR_STALE,
           "body that does not exist");
    expect(world, cdg_world_add_weld(world, &(cdg_weld_def){start, a}, &id), CDG_ERROR_ARGUMENT, "has a support");
    expect(world, cdg_world_add_weld(world, &(cdg_weld_def){{small.rod, CDG_PLACE_NODE, 99}, a}, &id),
           CDG_ERROR_ARGUMENT, "nodes 0 to 50");
    expect(world, cdg_world_add_weld(world, &(cdg_weld_def){{small.rod, CDG_PLACE_ELEMENT, 3}, a}, &id),
           CDG_ERROR_ARGUMENT, "holds a node");
    must(world, cdg_world_add_weld(world, &(cdg_weld_def){end, a}, &id));
    expect(world, cdg_world_add_weld(world, &(cdg_weld_def){end, b}, &id), CDG_ERROR_ARGUMENT,
           "welded to body 'disk' already");
    cdg_support_def pin = {.kind = CDG_SUPPORT_PIN, .place = end};
    expect(world, cdg_world_add_support(world, &pin, NULL), CDG_ERROR_ARGUMENT, "welded to a body");
    assert_int_equal(cdg_world_weld_count(world), 1);
    expect(world, cdg_world_remove_rod(world, small.rod), CDG_ERROR_UNSUPPORTED, "welded to a body");
    cdg_body_state now;
    must(world, cdg_body_get_state(world, a, &now));
    expect(world, cdg_body_set_state(world, a, &now), CDG_ERROR_ARGUMENT, "carries a weld");
    assert_int_equal(cdg_weld_reaction(world, (cdg_weld_id){2, 1}, NULL, NULL), CDG_ERROR_STALE);
    cdg_world_destroy(world);

    def.model = CDG_MODEL_DER;
    small = small_world_make(&def, vec3(0, 0, 0), 1e-3, true);
    must(small.world, cdg_world_add_body(small.world, &body, &a));
    must(small.world, cdg_world_add_weld(small.world, &(cdg_weld_def){{small.rod, CDG_PLACE_NODE, 50}, a}, &id));
    expect(small.world, cdg_world_find_equilibrium(small.world, NULL), CDG_ERROR_UNSUPPORTED, "'block' is free");
    cdg_world_destroy(small.world);

    def.model = CDG_MODEL_GALPHA; // holds ends only
    small = small_world_make(&def, vec3(0, 0, 0), 1e-3, false);
    switch_contact_off(small.world); // the body lies about the end of the rod
    must(small.world, cdg_world_add_body(small.world, &body, &a));
    expect(small.world, cdg_world_add_weld(small.world, &(cdg_weld_def){{small.rod, CDG_PLACE_NODE, 20}, a}, NULL),
           CDG_ERROR_UNSUPPORTED, "ends only");
    must(small.world, cdg_world_step(small.world, NULL));
    cdg_world_destroy(small.world);
}

// A fixed body that moves and turns drives the rod as a clamp with the same motion does, and does the same work.
// A fixed body is a clamp to a rod that cannot be stretched; with a free one it is projected (test_world_project.c).
static void constrained_rods_take_bodies(void **state) {
    (void)state;
    for (int is_fixed = 0; is_fixed < 2; is_fixed++) {
        cdg_rod_def def = cdg_rod_def_default();
        def.model = CDG_MODEL_DER;
        def.der.integrator = CDG_DER_EXPLICIT;
        def.der.constraint = CDG_DER_CONSTRAINT_PROJECTION;
        small_world small = small_world_make(&def, vec3(0, 0, -9.81), 1e-5, true);
        switch_contact_off(small.world); // explicit rods on free bodies cannot touch anything
        cdg_body_def body = cdg_body_def_default();
        cdg_body_id id;
        body.shape.position = vec3(1, 0, 0), body.is_fixed = is_fixed;
        must(small.world, cdg_world_add_body(small.world, &body, &id));
        cdg_weld_def weld = {{small.rod, CDG_PLACE_NODE, 50}, id};
        must(small.world, cdg_world_add_weld(small.world, &weld, NULL));
        small_world_run(&small, 3);
        cdg_world_destroy(small.world);
    }
}

static void a_fixed_body_is_a_clamp(void **state) {
    (void)state;
    cdg_motion motions[] = {
        {.kind = CDG_MOTION_MOVE, .move = {0.1, 0.2, -0.1}, .to = 0.2, .ease = CDG_EASE_SMOOTH},
        {.kind = CDG_MOTION_ROTATE, .axis = {1, 2, 0}, .angle = 1, .to = 0.3, .has_center = true, .center = {1, 0, 0}}};
    for (int model = 0; model < CDG_MODEL_COUNT; model++) {
        cdg_rod_def def = cdg_rod_def_default();
        def.model = (cdg_model)model;
        def.element_count = 12;
        double step = model == CDG_MODEL_CORDE ? 1e-4 : 1e-3;
        small_world worlds[2];
        cdg_vec3 nodes[2][13], force[2], moment[2];
        cdg_support_id clamp_id;
        cdg_weld_id weld_id;
        for (int w = 0; w < 2; w++) {
            worlds[w] = small_world_make(&def, vec3(0, 0, -9.81), step, true);
            cdg_place end = {worlds[w].rod, CDG_PLACE_NODE, 12};
            if (w == 0) {
                cdg_support_def clamp = {
                    .kind = CDG_SUPPORT_CLAMP, .place = end, .motions = motions, .motion_count = 2};
                must(worlds[w].world, cdg_world_add_support(worlds[w].world, &clamp, &clamp_id));
            } else {
                cdg_body_def body = cdg_body_def_default();
                cdg_body_id id;
                body.is_fixed = true, body.shape.position = vec3(1, 0, 0), body.motions = motions,
                body.motion_count = 2;
                body.shape.orientation = quat_exp(vec3(1, 2, 3));
                must(worlds[w].world, cdg_world_add_body(worlds[w].world, &body, &id));
                must(worlds[w].world, cdg_world_add_weld(worlds[w].world, &(cdg_weld_def){end, id}, &weld_id));
            }
            small_world_run(&worlds[w], (int)(0.05 / step));
            must(worlds[w].world, cdg_rod_positions(worlds[w].world, worlds[w].rod, nodes[w]));
        }
        for (int i = 0; i <= 12; i++) assert_vec3_near(nodes[1][i], nodes[0][i], 1e-9);
        must(worlds[0].world, cdg_support_reaction(worlds[0].world, clamp_id, &force[0], &moment[0]));
        must(worlds[1].world, cdg_weld_reaction(worlds[1].world, weld_id, &force[1], &moment[1]));
        assert_true(vec3_norm(force[0]) > 0);
        assert_vec3_near(force[1], force[0], 1e-5 * vec3_norm(force[0]));
        assert_vec3_near(moment[1], moment[0], 1e-5 * (vec3_norm(moment[0]) + vec3_norm(force[0])));
        cdg_energy a = cdg_world_energy(worlds[0].world), b = cdg_world_energy(worlds[1].world);
        assert_near(b.dissipated, a.dissipated, 1e-7 * (fabs(a.total) + 1));
        for (int w = 0; w < 2; w++) cdg_world_destroy(worlds[w].world);
    }
}

// Of three rods that hang with a body each, the first loses its weld: its body falls freely, and the other two stay
// with their own rods and bodies.
static void other_welds_stay_when_one_goes(void **state) {
    (void)state;
    cdg_world_def world_def = cdg_world_def_default();
    world_def.step = 1e-3, world_def.thread_count = 1, world_def.contact = CDG_CONTACT_OFF;
    cdg_world *world;
    must(NULL, cdg_world_create(&world_def, &world, NULL));
    cdg_weld_id welds[3];
    cdg_body_id bodies[3];
    for (int i = 0; i < 3; i++) {
        cdg_rod_def def = rod_of(CDG_MODEL_DER);
        def.centerline.line.from = vec3(0.5 * i, 0, 0), def.centerline.line.to = vec3(0.5 * i, 0, -0.3);
        def.name = (const char *[]){"one", "two", "three"}[i];
        cdg_rod_id rod;
        must(world, cdg_world_add_rod(world, &def, &rod));
        cdg_support_def clamp = {.kind = CDG_SUPPORT_CLAMP, .place = cdg_rod_node(rod, 0)};
        must(world, cdg_world_add_support(world, &clamp, NULL));
        bodies[i] =
            add_box(world, i == 2 ? 0.08 : 0.01 * (1 + i), vec3(0.5 * i, 0, -0.3), vec3(0, 0, 0), vec3(0, 0, 0));
        must(world, cdg_world_add_weld(world, &(cdg_weld_def){cdg_rod_node(rod, ELEMENTS), bodies[i]}, &welds[i]));
    }
    for (int i = 0; i < 20; i++) must(world, cdg_world_step(world, NULL));
    cdg_vec3 before[3], force;
    cdg_body_state fallen, at;
    for (int i = 0; i < 3; i++) must(world, cdg_weld_reaction(world, welds[i], &before[i], NULL));
    must(world, cdg_body_get_state(world, bodies[0], &fallen));
    must(world, cdg_world_remove_weld(world, welds[0]));
    assert_int_equal(cdg_weld_reaction(world, welds[0], &force, NULL), CDG_ERROR_STALE);
    must(world, cdg_world_step(world, NULL));
    must(world, cdg_body_get_state(world, bodies[0], &at));
    assert_near(at.velocity.z, fallen.velocity.z - 9.81e-3, 1e-12);
    for (int i = 1; i < 3; i++) {
        must(world, cdg_weld_reaction(world, welds[i], &force, NULL));
        assert_vec3_near(force, before[i], 0.1 * vec3_norm(before[i]));
        must(world, cdg_body_get_state(world, bodies[i], &at));
        assert_near(at.position.x, 0.5 * i, 1e-9);
    }
    assert_true(vec3_norm(before[2]) > 1.3 * vec3_norm(before[1])); // so that one is not the other
    cdg_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(other_welds_stay_when_one_goes),
        cmocka_unit_test(contradictions_are_told),
        cmocka_unit_test(constrained_rods_take_bodies),
        cmocka_unit_test(a_fixed_body_is_a_clamp),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
