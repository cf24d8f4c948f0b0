// Rods that adapt in a world: places, contacts, snapshots, threads.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <cordage/body.h>
#include <cordage/grip.h>

#include "contact_case.h"
#include "near.h"
#include "rounds.h"
#include "world/world.h"

#include <stdlib.h>
#include <string.h>

// Two ropes cross over a pole.
static cdg_world *build(cdg_model model, int threads) {
    cdg_world *world = contact_world(vec3(0, 0, -9.81), 1e-3, 0.2, threads);
    for (int i = 0; i < 2; i++) {
        cdg_vec3 from = i == 0 ? vec3(-0.3, 0, 0.05) : vec3(0.01, -0.3, 0.08);
        cdg_vec3 to = i == 0 ? vec3(0.3, 0.01, 0.05) : vec3(0, 0.3, 0.08);
        cdg_rod_def def = contact_rod(i == 0 ? "a" : "b", from, to, 3e-3, 12);
        def.model = model;
        def.adapt.is_on = true;
        def.adapt.hold = 0.01;
        def.material.damping_bend = def.material.damping_stretch = def.material.damping_twist = 5e-3;
        def.material.damping_shear = 5e-3;
        contact_add(world, &def);
    }
    cdg_obstacle_def pole = cdg_obstacle_def_default();
    pole.shape.kind = CDG_SHAPE_CAPSULE;
    pole.shape.radius = 0.02;
    pole.shape.length = 0.5;
    pole.shape.orientation = quat_exp(vec3(1.5707963267948966, 0, 0));
    must(world, cdg_world_add_obstacle(world, &pole, NULL));
    return world;
}

static const cdg_rod *rod_of(const cdg_world *world, size_t i) { return world->rods[i].rod; }

static void ropes_become_fine_where_they_touch(void **state) {
    (void)state;
    skip_when_sanitized();
    const cdg_model models[] = {CDG_MODEL_POBD, CDG_MODEL_DER, CDG_MODEL_CORDE};
    for (int m = 0; m < 3; m++) {
        cdg_world *world = build(models[m], 1);
        contact_run(world, 250);
        const cdg_rod *rod = rod_of(world, 0);
        assert_true(rod->element_count > 12 && rod->adapt->split_count > 0);
        assert_int_equal(rod->node_count, rod->element_count + 1);
        uint8_t levels[96];
        double arcs[97];
        cdg_rod_id id = cdg_world_rod_at(world, 0);
        assert_int_equal(cdg_rod_node_capacity(world, id), 97);
        must(world, cdg_rod_levels(world, id, levels));
        must(world, cdg_rod_arc_lengths(world, id, arcs));
        for (size_t j = 0; j < rod->element_count; j++) {
            assert_near(arcs[j + 1] - arcs[j], rod->length / 12 / (1 << levels[j]), 1e-12);
            if (j > 0) assert_in_range(levels[j] + 1 - levels[j - 1], 0, 2); // 2:1
        }
        cdg_energy energy = cdg_world_energy(world);
        assert_true(energy.adapted != 0);
        cdg_world_destroy(world);
    }
}

static void resumed_and_on_threads_it_has_the_same_bits(void **state) {
    (void)state;
    const cdg_model models[] = {CDG_MODEL_POBD, CDG_MODEL_DER, CDG_MODEL_CORDE};
    for (int m = 0; m < 3; m++) {
        cdg_world *whole = build(models[m], 1), *resumed = build(models[m], 3);
        contact_run(whole, 120);
        double *kept = malloc(cdg_world_snapshot_size(whole) * sizeof *kept);
        must(whole, cdg_world_snapshot_save(whole, kept));
        must(resumed, cdg_world_snapshot_load(resumed, kept));
        assert_int_equal(rod_of(resumed, 0)->element_count, rod_of(whole, 0)->element_count);
        contact_run(whole, 80);
        contact_run(resumed, 80);
        for (size_t r = 0; r < 2; r++) {
            const cdg_rod *a = rod_of(whole, r), *b = rod_of(resumed, r);
            assert_int_equal(a->element_count, b->element_count);
            for (int k = 0; k < 3; k++) assert_memory_equal(a->x[k], b->x[k], a->node_count * sizeof(double));
            for (int k = 0; k < 4; k++) assert_memory_equal(a->q[k], b->q[k], a->element_count * sizeof(double));
        }
        assert_true(cdg_world_energy(whole).adapted == cdg_world_energy(resumed).adapted);
        free(kept);
        cdg_world_destroy(whole);
        cdg_world_destroy(resumed);
    }
}

// Where along its rod a hand would take hold now.
static double arc_of(cdg_world *world, size_t i) {
    world_grip *grip = &world->grips[i];
    double arcs[97];
    cdg_grip_find_place(world, grip);
    must(world, cdg_rod_arc_lengths(world, cdg_world_rod_at(world, grip->object), arcs));
    assert_int_equal(grip->node[0], grip->element);
    assert_int_equal(grip->node[1], grip->element + 1);
    assert_near(grip->share[0] + grip->share[1], 1, 1e-15);
    return grip->share[0] * arcs[grip->node[0]] + grip->share[1] * arcs[grip->node[1]];
}

// Elements before, at and behind a hand that is to come are halved and made one again; it keeps its place on the rod.
static void hands_to_come_keep_their_places(void **state) {
    (void)state;
    enum { COUNT = 24 };
    cdg_world *world = build(CDG_MODEL_POBD, 1);
    cdg_load_def drag = cdg_load_def_default();
    drag.kind = CDG_LOAD_DRAG, drag.drag_rate = 5;
    must(world, cdg_world_add_load(world, &drag, NULL));
    double before[COUNT];
    for (size_t i = 0; i < COUNT; i++) {
        const cdg_grip_key key = {.time = 100};
        cdg_grip_def def = cdg_grip_def_default();
        def.place = cdg_rod_along(cdg_world_rod_at(world, i % 2), i / 2, 0.13 + 0.07 * (double)(i / 2));
        def.keys = &key, def.key_count = 1, def.to = 101;
        cdg_grip_id grip;
        must(world, cdg_world_add_grip(world, &def, &grip));
        before[i] = arc_of(world, i);
    }
    size_t splits = 0, merges = 0;
    for (int k = 0; k < 12; k++) {
        contact_run(world, 100);
        for (size_t i = 0; i < COUNT; i++) assert_near(arc_of(world, i), before[i], 1e-12);
    }
    for (size_t r = 0; r < 2; r++)
        splits += rod_of(world, r)->adapt->split_count, merges += rod_of(world, r)->adapt->merge_count;
    assert_true(splits > 20 && merges > 5);
    cdg_world_destroy(world);
}

// Made at the finest resolution, which it keeps: what is known of it must be known of a world that is continued, too.
static void a_ring_as_fine_as_it_began_is_resumed(void **state) {
    (void)state;
    const cdg_model models[] = {CDG_MODEL_POBD, CDG_MODEL_DER, CDG_MODEL_CORDE};
    for (int m = 0; m < 3; m++) {
        cdg_world *worlds[2];
        for (int i = 0; i < 2; i++) {
            worlds[i] = contact_world(vec3(0.5, 0, -9.81), 2e-4, 0.2, 1);
            cdg_rod_def def = contact_rod("ring", vec3(0, 0, 0), vec3(1, 0, 0), 3e-3, 12);
            def.model = models[m];
            def.centerline.kind = CDG_CENTERLINE_CIRCLE, def.centerline.closed = true;
            def.centerline.circle.axis = vec3(0.1, 0, 1), def.centerline.circle.radius = 0.04;
            def.rest.kind = CDG_REST_INITIAL;
            def.angular_velocity = vec3(1, 20, 3);
            def.adapt.is_on = true;
            def.adapt.levels = 2;
            def.adapt.angle = 0.2;
            def.adapt.coarsen = 0.05;
            contact_add(worlds[i], &def);
        }
        contact_run(worlds[0], 6);
        assert_int_equal(rod_of(worlds[0], 0)->element_count, 48);
        double *kept = malloc(cdg_world_snapshot_size(worlds[0]) * sizeof *kept);
        must(worlds[0], cdg_world_snapshot_save(worlds[0], kept));
        must(worlds[1], cdg_world_snapshot_load(worlds[1], kept));
        for (int i = 0; i < 2; i++) contact_run(worlds[i], 20);
        const cdg_rod *a = rod_of(worlds[0], 0), *b = rod_of(worlds[1], 0);
        for (int k = 0; k < 3; k++) assert_memory_equal(a->x[k], b->x[k], a->node_count * sizeof(double));
        free(kept);
        for (int i = 0; i < 2; i++) cdg_world_destroy(worlds[i]);
    }
}

// Forces for the nodes of one resolution are none after a snapshot of another, and have room for the finest; without
// them the rod adapts again.
static void forces_on_nodes_end_with_their_resolution(void **state) {
    (void)state;
    cdg_world *world = build(CDG_MODEL_POBD, 1);
    double *coarse = malloc(cdg_world_snapshot_size(world) * sizeof *coarse), *fine;
    must(world, cdg_world_snapshot_save(world, coarse));
    contact_run(world, 250);
    fine = malloc(cdg_world_snapshot_size(world) * sizeof *fine);
    must(world, cdg_world_snapshot_save(world, fine));
    const cdg_rod *rod = rod_of(world, 0);
    size_t nodes = rod->node_count;
    cdg_rod_id id = cdg_world_rod_at(world, 0);
    must(world, cdg_world_snapshot_load(world, coarse));
    assert_int_equal(rod->node_count, 13);
    cdg_rod_info info;
    must(world, cdg_rod_get_info(world, id, &info));
    assert_int_equal(info.defined_element_count, 12);
    cdg_vec3 forces[97], torques[97];
    for (size_t i = 0; i < 97; i++) forces[i] = torques[i] = vec3(1e-3, 2e-3, 3e-3);
    must(world, cdg_rod_set_forces(world, id, forces, torques));
    contact_run(world, 2);
    must(world, cdg_world_snapshot_load(world, fine));
    assert_int_equal(rod->node_count, nodes);
    must(world, cdg_rod_get_info(world, id, &info));
    assert_int_equal(info.node_count, nodes);
    assert_int_equal(info.defined_node_count, 13);
    must(world, cdg_rod_get_forces(world, id, forces, torques));
    for (size_t i = 0; i < nodes; i++) assert_vec3_near(forces[i], vec3(0, 0, 0), 0);
    for (size_t i = 0; i + 1 < nodes; i++) assert_vec3_near(torques[i], vec3(0, 0, 0), 0);
    contact_run(world, 5);
    must(world, cdg_world_snapshot_load(world, coarse));
    must(world, cdg_rod_set_forces(world, id, NULL, NULL));
    contact_run(world, 250);
    assert_int_equal(rod->node_count, nodes);
    free(coarse);
    free(fine);
    cdg_world_destroy(world);
}

// Explicit rods take no sub-steps: the step that is chosen bears the shortest elements that there may be, and what
// bends under its weight, halved as it goes, comes to lie where an implicit one does.
static void explicit_rods_bear_short_elements(void **state) {
    (void)state;
    double tip[2][3];
    for (int is_explicit = 0; is_explicit < 2; is_explicit++) {
        cdg_world *world = contact_world(vec3(0, 0, -9.81), 0, 0.2, 1);
        cdg_rod_def def = contact_rod("rod", vec3(0, 0, 1), vec3(0.3, 0, 1), 5e-3, 4);
        def.model = CDG_MODEL_DER;
        def.der.integrator = is_explicit ? CDG_DER_EXPLICIT : CDG_DER_IMPLICIT;
        def.adapt.is_on = true;
        cdg_rod_id rod = contact_add(world, &def);
        cdg_support_def clamp = {.kind = CDG_SUPPORT_CLAMP, .place = {.rod = rod, .kind = CDG_PLACE_NODE, .index = 0}};
        must(world, cdg_world_add_support(world, &clamp, NULL));
        cdg_load_def drag = cdg_load_def_default();
        drag.kind = CDG_LOAD_DRAG, drag.drag_rate = 30;
        must(world, cdg_world_add_load(world, &drag, NULL));
        while (cdg_world_time(world) < 1) must(world, cdg_world_step(world, NULL));
        const cdg_rod *it = rod_of(world, 0);
        assert_true(it->element_count > 4);
        for (int k = 0; k < 3; k++) tip[is_explicit][k] = it->x[k][it->node_count - 1];
        cdg_world_destroy(world);
    }
    assert_true(tip[0][2] < 0.95);
    for (int k = 0; k < 3; k++) assert_near(tip[1][k], tip[0][k], 0.01 * 0.3);
}

// A soft cantilever, so heavy that most of it hangs: its tip and the moment at the clamp when it has settled.
typedef struct settled {
    cdg_vec3 tip;
    double moment; // N m
    uint64_t splits, refused;
} settled;

static settled settle(const cdg_rod_def *model, size_t elements, bool adapts) {
    cdg_world *world = contact_world(vec3(0, 0, -9.81), 2e-3, 0.2, 1);
    cdg_rod_def def = *model;
    def.element_count = elements;
    def.adapt.is_on = adapts;
    cdg_rod_id rod = contact_add(world, &def);
    cdg_support_def clamp = {.kind = CDG_SUPPORT_CLAMP, .place = {.rod = rod, .kind = CDG_PLACE_NODE, .index = 0}};
    cdg_support_id support;
    must(world, cdg_world_add_support(world, &clamp, &support));
    cdg_load_def drag = cdg_load_def_default();
    drag.kind = CDG_LOAD_DRAG, drag.drag_rate = 10;
    must(world, cdg_world_add_load(world, &drag, NULL));
    contact_run(world, 800);
    settled out = {.tip = rod_vec3(rod_of(world, 0)->x, rod_of(world, 0)->node_count - 1)};
    cdg_vec3 force, moment;
    must(world, cdg_support_reaction(world, support, &force, &moment));
    out.moment = vec3_norm(moment);
    const cdg_rod_adapt *adapt = rod_of(world, 0)->adapt;
    for (int k = 0; k < CDG_ADAPT_REFUSALS && adapts; k++) out.refused += adapt->refused[0][k];
    if (adapts) out.splits = adapt->split_count;
    cdg_world_destroy(world);
    return out;
}

// Eight elements of which the first turns by 0.8 rad against the clamp's section become as good as 64 there.
static void elements_beside_a_clamp_become_fine(void **state) {
    (void)state;
    skip_when_sanitized();
    const cdg_model models[] = {CDG_MODEL_POBD, CDG_MODEL_DER, CDG_MODEL_CORDE};
    for (int m = 0; m < 3; m++) {
        cdg_rod_def def = contact_rod("beam", vec3(0, 0, 0), vec3(0.3, 0, 0), 5e-3, 8);
        def.model = models[m];
        def.material.young_modulus = 3e5, def.material.density = 1100;
        settled fine = settle(&def, 64, false), adaptive = settle(&def, 8, true);
        assert_true(adaptive.splits >= 5 && adaptive.refused == 0);
        assert_near(adaptive.moment / fine.moment, 1, 0.01);
        assert_vec3_near(adaptive.tip, fine.tip, 0.005 * 0.3);
    }
}

// N m: the torque that holds a rope of 0.4 m which is twisted by a turn and a half, of so many elements.
static double hold_twist(cdg_model model, size_t elements, bool adapts) {
    cdg_world *world = contact_world(vec3(0, 0, 0), 1e-3, 0.2, 1);
    cdg_rod_def def = contact_rod("rope", vec3(0, 0, 0), vec3(0.4, 0, 0), 3e-3, elements);
    def.model = model;
    def.initial_twist = 9.42 / 0.4;
    def.adapt.is_on = adapts;
    def.material.damping_bend = def.material.damping_stretch = def.material.damping_twist = 5e-3;
    cdg_rod_id rod = contact_add(world, &def);
    cdg_support_id hand = {0};
    for (size_t end = 0; end < 2; end++) {
        cdg_support_def clamp = {.kind = CDG_SUPPORT_CLAMP,
                                 .place = {.rod = rod, .kind = CDG_PLACE_NODE, .index = end * elements}};
        must(world, cdg_world_add_support(world, &clamp, &hand));
    }
    contact_run(world, 150);
    cdg_vec3 force, moment;
    must(world, cdg_support_reaction(world, hand, &force, &moment));
    cdg_world_destroy(world);
    return fabs(moment.x);
}

// Of ten elements, twisted by 0.94 rad each.
static void twisted_ropes_become_fine_where_twist_is_not_exact(void **state) {
    (void)state;
    const cdg_model models[] = {CDG_MODEL_POBD, CDG_MODEL_DER, CDG_MODEL_CORDE};
    for (int m = 0; m < 3; m++) {
        double fine = hold_twist(models[m], 80, false), coarse = hold_twist(models[m], 10, false);
        print_message("%d: torque %.5g fine, %.4f of it coarse, %.4f adapting\n", m, fine, coarse / fine,
                      hold_twist(models[m], 10, true) / fine);
        assert_near(hold_twist(models[m], 10, true) / fine, 1, 0.02);
        if (models[m] == CDG_MODEL_CORDE) assert_true(coarse < 0.9 * fine);
    }
}

// Probes of whole rods name places of the definition, not of the elements that there are at the moment: a beam between
// two clamps is bent and pulled most at its ends, at any resolution.
static void ranges_name_places_of_the_definition(void **state) {
    (void)state;
    skip_when_sanitized();
    cdg_world *world = contact_world(vec3(0, 0, -9.81), 2e-3, 0.2, 1);
    cdg_rod_def def = contact_rod("beam", vec3(0, 0, 0), vec3(0.3, 0, 0), 5e-3, 8);
    def.model = CDG_MODEL_POBD;
    def.material.young_modulus = 3e5, def.material.density = 1100;
    def.adapt.is_on = true;
    cdg_rod_id rod = contact_add(world, &def);
    for (size_t end = 0; end < 2; end++) {
        cdg_place place = {.rod = rod, .kind = CDG_PLACE_NODE, .index = 8 * end};
        must(world, cdg_world_add_support(world, &(cdg_support_def){.kind = CDG_SUPPORT_CLAMP, .place = place}, NULL));
    }
    cdg_load_def drag = cdg_load_def_default();
    drag.kind = CDG_LOAD_DRAG, drag.drag_rate = 10;
    must(world, cdg_world_add_load(world, &drag, NULL));
    cdg_load_def pull = cdg_load_def_default(); // so that one end is bent and pulled more than the other
    pull.kind = CDG_LOAD_FORCE, pull.value = vec3(-1, 0, -0.5), pull.place = (cdg_place){rod, CDG_PLACE_NODE, 7};
    must(world, cdg_world_add_load(world, &pull, NULL));
    contact_run(world, 400);
    const cdg_rod *it = rod_of(world, 0);
    assert_true(it->element_count >= 12);
    const cdg_probe_kind kinds[] = {CDG_PROBE_TENSION_RANGE, CDG_PROBE_MOMENT_RANGE, CDG_PROBE_BEND_RADIUS};
    const int columns[] = {3, 2, 1};
    for (int k = 0; k < 3; k++) {
        double out[CDG_PROBE_COLUMNS_MAX];
        must(world, cdg_world_measure(world, &(cdg_probe){.kind = kinds[k], .place = {.rod = rod}}, out));
        assert_true(out[columns[k]] == (k == 0 ? 7 : 8));
    }
    cdg_world_destroy(world);
}

// A ball in the middle of a rod: what is welded to it lies in it, which is no reason to stay coarse, and the weld keeps
// its place on the rod.
static void what_is_welded_is_not_in_the_way(void **state) {
    (void)state;
    skip_when_sanitized();
    const cdg_model models[] = {CDG_MODEL_POBD, CDG_MODEL_DER};
    for (int m = 0; m < 2; m++) {
        cdg_world *world = contact_world(vec3(0, 0, -9.81), 1e-3, 0.2, 1);
        cdg_rod_def def = contact_rod("rod", vec3(0, 0, 0), vec3(0.6, 0, 0), 4e-3, 12);
        def.model = models[m];
        def.material.young_modulus = 2e6;
        def.material.damping_bend = def.material.damping_stretch = def.material.damping_twist = 5e-3;
        def.adapt.is_on = true;
        def.adapt.angle = 0.15, def.adapt.coarsen = 0.05;
        cdg_rod_id rod = contact_add(world, &def);
        cdg_support_def clamp = {.kind = CDG_SUPPORT_CLAMP, .place = {.rod = rod, .kind = CDG_PLACE_NODE, .index = 0}};
        must(world, cdg_world_add_support(world, &clamp, NULL));
        cdg_body_def ball = cdg_body_def_default();
        ball.name = "ball";
        ball.shape.radius = 0.03, ball.density = 0, ball.mass = 0.03;
        ball.shape.position = vec3(0.3, 0, 0);
        cdg_body_id body;
        must(world, cdg_world_add_body(world, &ball, &body));
        must(world, cdg_world_add_weld(world, &(cdg_weld_def){{rod, CDG_PLACE_NODE, 6}, body}, NULL));
        contact_run(world, 250);
        const cdg_rod *it = rod_of(world, 0);
        assert_true(it->adapt->split_count > 4);
        for (int k = 0; k < CDG_ADAPT_REFUSALS; k++) assert_int_equal(it->adapt->refused[0][k], 0);
        size_t welded = it->adapt->user_node[6];
        assert_near(it->adapt->arc[welded], 0.3, 1e-12);
        assert_vec3_near(rod_vec3(it->x, welded), world->bodies[0].now.x, 1e-6);
        cdg_world_destroy(world);
    }
}

// An explicit rod that becomes as fine as it may everywhere, at a multiple of the step that is advised while it is
// coarse: whether it can be stepped on.
static bool bears(double multiple, double shortest, size_t *elements) {
    cdg_world *world = contact_world(vec3(0, 0, -9.81), 0, 0.2, 1);
    cdg_rod_def def = contact_rod("rod", vec3(0, 0, 1), vec3(0.3, 0, 1), 5e-3, 4);
    def.model = CDG_MODEL_DER;
    def.der.integrator = CDG_DER_EXPLICIT;
    def.adapt.is_on = true;
    def.adapt.angle = 1e-4, def.adapt.coarsen = 0, def.adapt.shortest = shortest;
    cdg_rod_id rod = contact_add(world, &def);
    cdg_support_def clamp = {.kind = CDG_SUPPORT_CLAMP, .place = {.rod = rod, .kind = CDG_PLACE_NODE, .index = 0}};
    must(world, cdg_world_add_support(world, &clamp, NULL));
    double step = cdg_world_advice(world).step;
    must(world, cdg_world_set_step_size(world, multiple * step));
    bool goes_on = true;
    while (goes_on && cdg_world_time(world) < 0.1) goes_on = cdg_world_step(world, NULL) == CDG_OK;
    const cdg_rod *it = rod_of(world, 0);
    *elements = it->element_count;
    cdg_world_destroy(world);
    return goes_on;
}

// What is advised is 0.6 of what the shortest elements bear, and they bear no more.
static void the_step_is_that_of_the_shortest_elements(void **state) {
    (void)state;
    size_t elements;
    assert_true(bears(1, 0, &elements));
    assert_int_equal(elements, 32); // all have been halved thrice
    assert_false(bears(1.25 / 0.6, 3.5e-3, &elements));
}

// Where no shortest length is given, elements do not become so short that the step would be too long for them.
static void elements_stay_as_long_as_the_step_needs(void **state) {
    (void)state;
    size_t elements;
    assert_true(bears(1.25 / 0.6, 0, &elements));
    assert_in_range(elements, 8, 16); // of 32
}

// A force on a node bends the rod there until the elements beside it are halved. The halves are in equilibrium with the
// force, so that the node goes on as it did: without it in the balance it would be thrown.
static void halves_bear_the_force_beside_them(void **state) {
    (void)state;
    cdg_world *world = contact_world(vec3(0, 0, 0), 1e-3, 0, 1);
    cdg_rod_def def = contact_rod("rod", vec3(0, 0, 0), vec3(0.4, 0, 0), 5e-3, 8);
    def.model = CDG_MODEL_DER;
    def.adapt.is_on = true, def.adapt.angle = 0.03, def.adapt.coarsen = 0.01;
    def.material.damping_bend = def.material.damping_stretch = 0.02;
    cdg_rod_id id = contact_add(world, &def);
    for (size_t end = 0; end < 2; end++) {
        cdg_support_def clamp = {.kind = CDG_SUPPORT_CLAMP, .place = cdg_rod_node(id, end * 8)};
        must(world, cdg_world_add_support(world, &clamp, NULL));
    }
    cdg_load_def force = cdg_load_def_default(), drag = cdg_load_def_default();
    force.place = cdg_rod_node(id, 4), force.value = vec3(0, 0, -0.02), force.ramp = 1;
    must(world, cdg_world_add_load(world, &force, NULL));
    drag.kind = CDG_LOAD_DRAG, drag.drag_rate = 30;
    must(world, cdg_world_add_load(world, &drag, NULL));
    const cdg_rod *rod = rod_of(world, 0);
    double at_first = 0; // m/s, of the node when elements were halved first; it only slows down from then on
    while (cdg_world_time(world) < 0.6) {
        must(world, cdg_world_step(world, NULL));
        double speed = fabs(rod->v[2][rod_user_node(rod, 4)]);
        if (at_first == 0 && rod->adapt->split_count > 0) at_first = speed;
        if (at_first > 0) assert_true(speed < 1.01 * at_first);
    }
    assert_true(at_first > 0);
    cdg_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(halves_bear_the_force_beside_them),
                                       cmocka_unit_test(ropes_become_fine_where_they_touch),
                                       cmocka_unit_test(resumed_and_on_threads_it_has_the_same_bits),
                                       cmocka_unit_test(hands_to_come_keep_their_places),
                                       cmocka_unit_test(a_ring_as_fine_as_it_began_is_resumed),
                                       cmocka_unit_test(forces_on_nodes_end_with_their_resolution),
                                       cmocka_unit_test(explicit_rods_bear_short_elements),
                                       cmocka_unit_test(elements_beside_a_clamp_become_fine),
                                       cmocka_unit_test(twisted_ropes_become_fine_where_twist_is_not_exact),
                                       cmocka_unit_test(ranges_name_places_of_the_definition),
                                       cmocka_unit_test(what_is_welded_is_not_in_the_way),
                                       cmocka_unit_test(the_step_is_that_of_the_shortest_elements),
                                       cmocka_unit_test(elements_stay_as_long_as_the_step_needs)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
