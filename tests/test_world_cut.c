// Cuts in a world: momentum, what moves with the material, the same bits again, and a way back.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "cut_case.h"

static void keeps_momentum(void **state) {
    (void)state;
    const cdg_model models[] = {CDG_MODEL_POBD, CDG_MODEL_DER, CDG_MODEL_CORDE};
    for (size_t m = 0; m < 3; m++) {
        stage s = make(models[m], 1);
        run(s.world, 60);
        cdg_vec3 p0, l0, p1, l1;
        double lost, also;
        cdg_energy before = cdg_world_energy(s.world);
        cdg_world_momentum(s.world, &p0, &l0);
        cdg_rod_id second = cut(s.world, s.rope, 10, &lost);
        cdg_rod_id none = cut(s.world, s.ring, 5, &also);
        cdg_world_momentum(s.world, &p1, &l1);
        cdg_energy after = cdg_world_energy(s.world);
        assert_int_equal(none.index1, 0);
        assert_true(vec3_norm(p0) > 1e-4);
        assert_vec3_near(p0, p1, 1e-12 * vec3_norm(p0));
        assert_vec3_near(l0, l1, 1e-12 * vec3_norm(l0));
        assert_true(lost > 0 && also > 0);
        assert_near(before.total - after.total, lost + also, 1e-12 * fabs(before.total));
        assert_near(after.kinetic, before.kinetic, 1e-12 * before.kinetic);
        assert_near(after.dissipated - before.dissipated, lost + also, 1e-9 * (lost + also) + 1e-12 * before.total);
        cdg_rod_info info;
        assert_int_equal(cdg_rod_get_info(s.world, second, &info), CDG_OK);
        assert_string_equal(info.name, "rope.2");
        assert_int_equal(info.element_count, ELEMENTS - 10);
        assert_int_equal(cdg_rod_get_info(s.world, s.rope, &info), CDG_OK);
        assert_int_equal(info.element_count, 10);
        assert_int_equal(cdg_rod_get_info(s.world, s.ring, &info), CDG_OK);
        assert_false(info.is_closed);
        run(s.world, 100);
        cdg_world_destroy(s.world);
    }
}

// A load along all of a rod lifts both parts as it lifted the whole; a force at a node acts where the node went, alone.
static void carries_loads_on(void **state) {
    (void)state;
    cdg_world_def world_def = cdg_world_def_default();
    world_def.gravity = vec3(0, 0, -10), world_def.step = 1e-3, world_def.thread_count = 1;
    cdg_world *world;
    assert_int_equal(cdg_world_create(&world_def, &world, NULL), CDG_OK);
    cdg_rod_def def = cdg_rod_def_default();
    def.element_count = 10;
    cdg_rod_id rod;
    assert_int_equal(cdg_world_add_rod(world, &def, &rod), CDG_OK);
    cdg_rod_info info;
    assert_int_equal(cdg_rod_get_info(world, rod, &info), CDG_OK);
    cdg_load_def lift = cdg_load_def_default(), pull = lift;
    lift.kind = CDG_LOAD_LINE, lift.place.rod = rod, lift.value = vec3(0, 0, 10 * info.mass / info.length);
    pull.place = (cdg_place){.rod = rod, .kind = CDG_PLACE_NODE, .index = 8}, pull.value = vec3(0, info.mass, 0);
    assert_int_equal(cdg_world_add_load(world, &lift, NULL), CDG_OK);
    assert_int_equal(cdg_world_add_load(world, &pull, NULL), CDG_OK);
    cdg_rod_id second = cut(world, rod, 4, NULL);
    run(world, 100);
    cdg_vec3 first_part[5], second_part[7];
    assert_int_equal(cdg_rod_positions(world, rod, first_part), CDG_OK);
    assert_int_equal(cdg_rod_positions(world, second, second_part), CDG_OK);
    for (int i = 0; i < 5; i++) assert_vec3_near(first_part[i], vec3(first_part[i].x, 0, 0), 1e-9);
    double moved = 0; // the second part's centre, by 1 m/s^2 over 0.6 of the mass
    for (int i = 0; i < 7; i++) assert_near(second_part[i].z, 0, 1e-9);
    for (int i = 0; i < 6; i++) moved += (second_part[i].y + second_part[i + 1].y) / 12;
    assert_near(moved, 0.5 * 0.1 * 0.1 / 0.6, 2e-4);
    cdg_world_destroy(world);
}

// Forces and torques that were set by hand stay on their nodes and elements; the cut node's goes with the part before
// it, which at a ring is the new end. In the first step from rest each node's momentum is what its force has given.
static void carries_forces_on(void **state) {
    (void)state;
    enum { COUNT = 10 };
    const double h = 1e-5;
    for (int is_ring = 0; is_ring < 2; is_ring++) {
        cdg_rod_def def = cdg_rod_def_default();
        def.model = CDG_MODEL_CORDE, def.element_count = COUNT;
        if (is_ring) def.centerline.kind = CDG_CENTERLINE_CIRCLE, def.centerline.circle.radius = 0.2;
        small_world small = small_world_make(&def, vec3(0, 0, 0), h, false);
        cdg_vec3 forces[COUNT + 1], torques[COUNT];
        for (int i = 0; i <= COUNT; i++) forces[i] = vec3(0, 0.1 * i + 0.3, 0.05 * i * i + 0.2);
        for (int j = 0; j < COUNT; j++) torques[j] = vec3(0, 0, 1e-4 * (j + 1));
        must(small.world, cdg_rod_set_forces(small.world, small.rod, forces, torques));
        cdg_rod_id parts[2] = {small.rod, cut(small.world, small.rod, 4, NULL)};
        must(small.world, cdg_world_step(small.world, NULL));
        for (int part = 0; part < 2 - is_ring; part++) {
            const cdg_rod *rod = small.world->rods[parts[part].index1 - 1].rod;
            size_t first = is_ring || part == 1 ? 4 : 0, nodes = is_ring ? COUNT : COUNT + 1;
            assert_int_equal(rod->element_count, is_ring ? COUNT : part == 1 ? COUNT - 4 : 4);
            for (size_t i = 0; i < rod->node_count; i++) {
                bool has_none = i == 0 && (is_ring || part == 1);
                cdg_vec3 given = has_none ? vec3(0, 0, 0) : vec3_scale(h, forces[(first + i) % nodes]);
                cdg_vec3 got = vec3_scale(rod->node_mass[i], rod_vec3(rod->v, i));
                assert_vec3_near(got, given, 1e-3 * h);
            }
            cdg_vec3 set[2 * COUNT + 1]; // and torques, as the world tells
            must(small.world, cdg_rod_get_forces(small.world, parts[part], set, set + COUNT + 1));
            for (size_t j = 0; j < rod->element_count; j++)
                assert_vec3_near(set[COUNT + 1 + j], torques[(first + j) % COUNT], 0);
        }
        cdg_world_destroy(small.world);
    }
}

static size_t loads_of(const cdg_world *world) {
    size_t count = 0;
    for (size_t i = 0; i < world->load_count; i++) count += world->loads[i].is_removed ? 0 : 1;
    return count;
}

// A load along the whole rod is copied to what is cut off; with the rod whole again there is one, as before.
static void takes_loads_back(void **state) {
    (void)state;
    stage s = make(CDG_MODEL_POBD, 1), other = make(CDG_MODEL_POBD, 1);
    cdg_load_def wind = cdg_load_def_default();
    wind.kind = CDG_LOAD_LINE, wind.place.rod = s.rope, wind.value = vec3(0, 0.5, 0);
    must(s.world, cdg_world_add_load(s.world, &wind, NULL));
    must(other.world, cdg_world_add_load(other.world, &wind, NULL));
    run(s.world, 10);
    size_t size;
    double *before = snapshot_of(s.world, &size);
    cut(s.world, s.rope, 10, NULL);
    assert_int_equal(loads_of(s.world), 2);
    run(s.world, 5);
    must(s.world, cdg_world_snapshot_load(s.world, before));
    assert_int_equal(loads_of(s.world), 1);
    run(s.world, 20);
    run(other.world, 30);
    assert_same(s.world, other.world);
    free(before);
    cdg_world_destroy(s.world);
    cdg_world_destroy(other.world);
}

// By hand or by plan, on one thread or two, continued or not: the same bits.
static void gives_the_same_bits(void **state) {
    (void)state;
    const cdg_model models[] = {CDG_MODEL_POBD, CDG_MODEL_DER, CDG_MODEL_CORDE};
    for (size_t m = 0; m < 3; m++) {
        stage by_hand = make(models[m], 1), planned = make(models[m], 2), continued = make(models[m], 1);
        cdg_world *worlds[] = {planned.world, continued.world, by_hand.world};
        for (int i = 0; i < 3; i++) { // the last one never comes; sizes of snapshots are the same
            plan(worlds[i], planned.rope, 17, i < 2 ? 0.16 : 9);
            plan(worlds[i], planned.rope, 10, i < 2 ? 0.1 : 9);
            plan(worlds[i], planned.ring, 5, i < 2 ? 0.12 : 9);
        }
        size_t size, start;
        free(snapshot_of(planned.world, &start));
        size_t touching = 0;
        for (int i = 0; i < 50; i++) {
            run(by_hand.world, 1);
            size_t now = cdg_world_contact_count(by_hand.world);
            if (now > touching) touching = now;
        }
        cdg_rod_id second = cut(by_hand.world, by_hand.rope, 10, NULL);
        run(by_hand.world, 10);
        cut(by_hand.world, by_hand.ring, 5, NULL);
        run(by_hand.world, 20);
        cut(by_hand.world, second, 7, NULL);
        run(by_hand.world, 40);
        run(planned.world, 70);
        double *middle = snapshot_of(planned.world, &size);
        assert_int_equal(size, start);
        must(continued.world, cdg_world_snapshot_load(continued.world, middle));
        run(planned.world, 50);
        run(continued.world, 50);
        assert_same(planned.world, by_hand.world);
        assert_same(planned.world, continued.world);
        assert_true(touching > 0);
        free(middle);
        for (int i = 0; i < 3; i++) cdg_world_destroy(worlds[i]);
    }
}

// A snapshot of before makes the rods whole, and what comes then is what came before.
static void goes_back(void **state) {
    (void)state;
    stage s = make(CDG_MODEL_POBD, 1), other = make(CDG_MODEL_POBD, 1);
    size_t size;
    run(s.world, 50);
    double *before = snapshot_of(s.world, &size);
    cdg_rod_id second = cut(s.world, s.rope, 10, NULL);
    cut(s.world, s.ring, 5, NULL);
    run(s.world, 30);
    double *after = snapshot_of(s.world, &size);
    run(s.world, 10);
    cut(s.world, second, 4, NULL);
    must(s.world, cdg_world_snapshot_load(s.world, before));
    assert_int_equal(cdg_world_rod_count(s.world), 2);
    assert_int_equal(cdg_world_cut_count(s.world), 0);
    cdg_rod_info info;
    assert_int_equal(cdg_rod_get_info(s.world, second, &info), CDG_ERROR_STALE);
    run(s.world, 60);
    run(other.world, 110);
    assert_same(s.world, other.world);
    must(s.world, cdg_world_snapshot_load(s.world, after)); // and forward again
    assert_int_equal(cdg_world_cut_count(s.world), 2);
    assert_int_equal(cdg_world_rod_count(s.world), 3);
    run(s.world, 20);
    free(before);
    free(after);
    cdg_world_destroy(s.world);
    cdg_world_destroy(other.world);
}

static void adapts_on(void **state) {
    (void)state;
    cdg_world_def world_def = cdg_world_def_default();
    world_def.step = 2e-3;
    cdg_world *world;
    must(NULL, cdg_world_create(&world_def, &world, NULL));
    cdg_rod_def def = cdg_rod_def_default();
    def.element_count = 10;
    def.adapt.is_on = true;
    def.section.radius = 3e-3;
    def.centerline.kind = CDG_CENTERLINE_CIRCLE;
    def.centerline.circle.radius = 0.1;
    def.centerline.circle.axis = vec3(0, 1, 0);
    cdg_rod_id rod;
    must(world, cdg_world_add_rod(world, &def, &rod));
    cdg_support_def support = {.kind = CDG_SUPPORT_PIN, .place = node_of(rod, 3)};
    must(world, cdg_world_add_support(world, &support, NULL));
    run(world, 20);
    size_t size;
    double *snapshot = snapshot_of(world, &size);
    cdg_vec3 p0, p1;
    cdg_world_momentum(world, &p0, NULL);
    cut(world, rod, 8, NULL);
    cdg_rod_id second = cut(world, rod, 4, NULL);
    cdg_world_momentum(world, &p1, NULL);
    assert_vec3_near(p0, p1, 1e-12 * vec3_norm(p0));
    run(world, 100);
    cdg_rod_info info;
    assert_int_equal(cdg_rod_get_info(world, second, &info), CDG_OK);
    assert_int_equal(info.defined_element_count, 6);
    must(world, cdg_world_snapshot_load(world, snapshot));
    run(world, 50);
    free(snapshot);
    cdg_world_destroy(world);
}

static void refuses(void **state) {
    (void)state;
    stage s = make(CDG_MODEL_POBD, 1);
    assert_int_equal(cdg_rod_cut(s.world, node_of(s.rope, 0), NULL), CDG_ERROR_ARGUMENT);
    assert_non_null(strstr(cdg_world_message(s.world), "end"));
    assert_int_equal(cdg_rod_cut(s.world, node_of(s.rope, ELEMENTS), NULL), CDG_ERROR_ARGUMENT);
    assert_int_equal(cdg_rod_cut(s.world, node_of(s.rope, 99), NULL), CDG_ERROR_ARGUMENT);
    assert_int_equal(cdg_rod_cut(s.world, (cdg_place){s.rope, CDG_PLACE_ELEMENT, 3}, NULL), CDG_ERROR_ARGUMENT);
    assert_int_equal(cdg_rod_cut(s.world, node_of((cdg_rod_id){9, 9}, 3), NULL), CDG_ERROR_STALE);
    plan(s.world, s.rope, 5, 1);
    assert_int_equal(cdg_world_plan_cut(s.world, node_of(s.rope, 5), 2), CDG_ERROR_ARGUMENT);
    assert_int_equal(cdg_world_plan_cut(s.world, node_of(s.rope, 6), NAN), CDG_ERROR_ARGUMENT);
    cdg_world_destroy(s.world);
}

// What was cut may go: one part, then the other.
static void lets_parts_go(void **state) {
    (void)state;
    stage s = make(CDG_MODEL_POBD, 1);
    run(s.world, 20);
    cdg_rod_id second = cut(s.world, s.rope, 10, NULL);
    plan(s.world, s.rope, 4, 0.05);
    must(s.world, cdg_world_remove_rod(s.world, s.rope));
    run(s.world, 20);
    must(s.world, cdg_world_remove_rod(s.world, second));
    run(s.world, 20);
    assert_int_equal(cdg_world_rod_count(s.world), 1);
    cdg_world_destroy(s.world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keeps_momentum), cmocka_unit_test(carries_loads_on),  cmocka_unit_test(gives_the_same_bits),
        cmocka_unit_test(goes_back),      cmocka_unit_test(adapts_on),         cmocka_unit_test(refuses),
        cmocka_unit_test(lets_parts_go),  cmocka_unit_test(carries_forces_on), cmocka_unit_test(takes_loads_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
