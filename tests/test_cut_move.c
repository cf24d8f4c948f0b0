// What is on a rod stays at its place in the material when the rod is cut.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "cut_case.h"

// Supports hold what they held, by their handles; loads act where they did; both ends are free.
static void moves_with_the_material(void **state) {
    (void)state;
    stage s = make(CDG_MODEL_POBD, 1);
    cdg_load_def load = cdg_load_def_default();
    load.kind = CDG_LOAD_FORCE;
    load.place = node_of(s.rope, 20);
    load.value = vec3(0, 0.5, 0);
    cdg_load_id push;
    must(s.world, cdg_world_add_load(s.world, &load, &push));
    load = cdg_load_def_default();
    load.kind = CDG_LOAD_DRAG;
    load.drag_rate = 3;
    load.place.rod = s.rope;
    must(s.world, cdg_world_add_load(s.world, &load, NULL));
    run(s.world, 50);
    cdg_vec3 x[ELEMENTS + 1], y[ELEMENTS + 1];
    assert_int_equal(cdg_rod_positions(s.world, s.rope, x), CDG_OK);
    cdg_rod_id second = cut(s.world, s.rope, 10, NULL);
    assert_int_equal(cdg_rod_positions(s.world, second, y), CDG_OK);
    for (size_t i = 0; i <= ELEMENTS - 10; i++) assert_memory_equal(&y[i], &x[10 + i], sizeof *y);
    cdg_support_info info;
    assert_int_equal(cdg_support_get_info(s.world, s.pin, &info), CDG_OK);
    assert_int_equal(info.place.rod.index1, second.index1);
    assert_int_equal(info.place.index, ELEMENTS - 10);
    assert_int_equal(s.world->loads[push.index1 - 1].def.place.rod.index1, second.index1);
    assert_int_equal(s.world->loads[push.index1 - 1].def.place.index, 10);
    cdg_vec3 pinned = x[ELEMENTS], clamped = x[0];
    run(s.world, 100);
    assert_int_equal(cdg_rod_positions(s.world, second, y), CDG_OK);
    assert_vec3_near(y[ELEMENTS - 10], pinned, 1e-12);
    assert_true(y[0].y > 0.002); // pushed sideways, held at its end alone
    assert_int_equal(cdg_rod_positions(s.world, s.rope, x), CDG_OK);
    assert_vec3_near(x[0], clamped, 1e-12);
    assert_true(vec3_distance(x[10], y[0]) > 0.01); // they have come apart
    assert_near(cdg_world_get_rod(s.world, second)->drag_rate, 3, 0);
    assert_false(s.world->cuts[0].is_joined);
    cdg_world_destroy(s.world);
}

// A hand stays where it holds; masses of hands are in no part after they are gone.
static void keeps_hands(void **state) {
    (void)state;
    stage s = make(CDG_MODEL_POBD, 1);
    cdg_grip_def def = {.place = cdg_rod_along(s.rope, 20, 0.25), .target = vec3(0.3, 0.1, 0.2)};
    cdg_grip_id grip;
    must(s.world, cdg_world_add_grip(s.world, &def, &grip));
    run(s.world, 20);
    cdg_vec3 point, moved;
    must(s.world, cdg_grip_get(s.world, grip, &point, NULL));
    cdg_rod_id second = cut(s.world, s.rope, 10, NULL);
    must(s.world, cdg_grip_get(s.world, grip, &moved, NULL));
    assert_memory_equal(&point, &moved, sizeof point);
    run(s.world, 20);
    assert_true(cdg_world_get_rod(s.world, second)->is_gripped);
    assert_false(cdg_world_get_rod(s.world, s.rope)->is_gripped);
    must(s.world, cdg_world_remove_grip(s.world, grip));
    const cdg_rod *rods[] = {cdg_world_get_rod(s.world, s.rope), cdg_world_get_rod(s.world, second)};
    for (int k = 0; k < 2; k++)
        for (size_t i = 0; i < rods[k]->node_count; i++) assert_true(rods[k]->node_mass[i] == rod_own_mass(rods[k], i));
    cdg_world_destroy(s.world);
}

// What is joined stays so: of two ropes that cross, one is cut beside the joint.
static void keeps_joints(void **state) {
    (void)state;
    stage s = make(CDG_MODEL_DER, 1);
    cdg_rod_def def = cdg_rod_def_default();
    def.name = "cross";
    def.model = CDG_MODEL_DER;
    def.element_count = 8;
    def.section.radius = 4e-3;
    def.centerline.line.from = vec3(0.2, -0.2, 0.1);
    def.centerline.line.to = vec3(0.2, 0.2, 0.1);
    cdg_rod_id cross;
    must(s.world, cdg_world_add_rod(s.world, &def, &cross));
    cdg_place places[] = {node_of(s.rope, 20), node_of(cross, 4)};
    cdg_joint_def joint = {.places = places, .place_count = 2, .stiffness = 1};
    must(s.world, cdg_world_add_joint(s.world, &joint, NULL));
    run(s.world, 10);
    cdg_rod_id second = cut(s.world, s.rope, 17, NULL);
    run(s.world, 60);
    cdg_vec3 a[ELEMENTS], b[9];
    assert_int_equal(cdg_rod_positions(s.world, second, a), CDG_OK);
    assert_int_equal(cdg_rod_positions(s.world, cross, b), CDG_OK);
    assert_vec3_near(a[3], b[4], 1e-9);
    cdg_world_destroy(s.world);
}

// Where a node is in a body's axes.
static cdg_vec3 place_in(const cdg_world *world, cdg_body_id body, cdg_rod_id rod, size_t node) {
    cdg_vec3 nodes[ELEMENTS + 1];
    cdg_body_state now;
    must(world, cdg_rod_positions(world, rod, nodes));
    must(world, cdg_body_get_state(world, body, &now));
    return quat_rotate_inverse(now.orientation, vec3_sub(nodes[node], now.position));
}

// A body stays on the part that it is welded to, and the other one is free of it: cut before the weld, then behind it.
static void keeps_welds(void **state) {
    (void)state;
    stage s = make(CDG_MODEL_POBD, 1);
    cdg_body_def def = cdg_body_def_default();
    def.name = "weight";
    def.shape.kind = CDG_SHAPE_SPHERE;
    def.shape.radius = 0.01;
    def.shape.position = vec3(0.2, 0.03, 0.1); // node 20 and a lever
    cdg_weld_def weld_def = {.place = node_of(s.rope, 20)};
    must(s.world, cdg_world_add_body(s.world, &def, &weld_def.body));
    cdg_weld_id weld;
    must(s.world, cdg_world_add_weld(s.world, &weld_def, &weld));
    run(s.world, 10);
    cdg_vec3 before = place_in(s.world, weld_def.body, s.rope, 20);
    cdg_rod_id second = cut(s.world, s.rope, 10, NULL);
    assert_false(s.world->rods[s.rope.index1 - 1].has_weld);
    assert_true(s.world->rods[second.index1 - 1].has_weld);
    run(s.world, 20);
    assert_vec3_near(place_in(s.world, weld_def.body, second, 10), before, 1e-6);
    cdg_rod_id third = cut(s.world, second, 12, NULL);
    assert_true(s.world->rods[second.index1 - 1].has_weld);
    assert_false(s.world->rods[third.index1 - 1].has_weld);
    run(s.world, 20);
    assert_vec3_near(place_in(s.world, weld_def.body, second, 10), before, 1e-6);
    must(s.world, cdg_world_remove_weld(s.world, weld));
    assert_false(s.world->rods[second.index1 - 1].has_weld);
    cdg_world_destroy(s.world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(moves_with_the_material),
        cmocka_unit_test(keeps_hands),
        cmocka_unit_test(keeps_joints),
        cmocka_unit_test(keeps_welds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
