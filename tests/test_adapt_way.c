// What is in the way of a change of resolution: solids' triangles, what is tied to them, and the rod itself. (Other
// rods, obstacles and bodies: test_world_adapt.c, test_adapt_random.c.)
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "contact/segment_triangle.h"
#include "contact_case.h"
#include "rounds.h"
#include "solid_world_case.h"
#include "world/adapt_way.h"
#include "world/tie.h"

static const double radius = 4e-3;

// A block of 10 cm by 10 cm by 6 cm about the origin, and a rope along x above it.
static cdg_world *lay(cdg_model model, double height, bool adapts, size_t elements) {
    cdg_world *world = contact_world(vec3(0, 0, -9.81), 1e-3, 0.3, 1);
    cdg_rod_def def = contact_rod("rope", vec3(-0.2, 0.003, height), vec3(0.2, 0.003, height), radius, elements);
    def.model = model;
    def.material.young_modulus = 1e6;
    def.material.damping_bend = def.material.damping_stretch = def.material.damping_twist = 5e-3;
    def.material.damping_shear = 5e-3;
    def.adapt.is_on = adapts;
    contact_add(world, &def);
    cdg_solid_def block = solid_case_def(CDG_SOLID_NEO_HOOKEAN, CDG_SOLID_BDF2);
    block.damping_time = 5e-3;
    cdg_solid_support_def floor = cdg_solid_support_def_default();
    floor.solid = solid_world_add(world, block, vec3(0.1, 0.1, 0.06), 0.025);
    floor.region = &(cdg_shape){
        .kind = CDG_SHAPE_BOX, .position = {0, 0, -0.5145}, .orientation = {1, 0, 0, 0}, .size = {2, 2, 0.971}};
    must(world, cdg_world_add_solid_support(world, &floor, NULL));
    return world;
}

static const cdg_rod *rope_of(const cdg_world *world) { return world->rods[0].rod; }

// The part of the rope that would move, between the second and the sixth node, raised by `up` m.
static cdg_adapt_move raise(const cdg_rod *rod, double up) {
    cdg_adapt_move move = {.rod = rod, .count = 5};
    for (size_t k = 0; k < 5; k++) {
        move.from[k] = move.to[k] = rod_vec3(rod->x, k + 1);
        move.radius[k] = radius, move.at[k] = rod->adapt->arc[k + 1];
    }
    move.to[2].z += up;
    move.arc[0] = move.at[0], move.arc[1] = move.at[4];
    return move;
}

static void triangles_are_in_the_way(void **state) {
    (void)state;
    cdg_world *world = lay(CDG_MODEL_POBD, 0.03 + radius + 2e-3, true, 8);
    contact_run(world, 1); // contact is built
    const cdg_adapt_surroundings around = {world, 0};
    const cdg_proxy *block = &world->contacts.pieces.objects[1];
    const cdg_rod *rod = rope_of(world);
    double free = rod->x[2][3] - 0.03 - radius - block->thickness; // m: until it touches
    assert_true(free > 0 && free < 2e-3);
    cdg_adapt_obstructions found = {0};
    cdg_adapt_move up = raise(rod, 2e-3), near = raise(rod, -0.9 * free), deep = raise(rod, -free - 1e-4);
    cdg_adapt_move through = raise(rod, -0.07), none = raise(rod, 0);
    assert_true(cdg_adapt_may_move(&around, &none, &found) && found.count == 0);
    assert_true(cdg_adapt_may_move(&around, &up, &found) && found.count == 0);
    assert_true(cdg_adapt_may_move(&around, &near, &found) && found.count == 0);
    assert_false(cdg_adapt_may_move(&around, &through, &found)); // too far to tell
    assert_int_equal(found.count, 0);
    assert_false(cdg_adapt_may_move(&around, &deep, &found));
    assert_true(found.count > 0);
    for (size_t i = 0; i < found.count; i++) { // to stay on the block's face
        assert_true(found.list[i].normal.z > 0.99);
        assert_near(found.list[i].offset, 0.03 + radius + block->thickness, 1e-4);
        assert_in_range(found.list[i].segment, 1, 2);
    }
    cdg_world_destroy(world);
}

// A hairpin within the part that moves: its legs, between the first two and the last two points, 9 mm apart.
static cdg_adapt_move fold(const cdg_rod *rod, double closer) {
    cdg_adapt_move move = {.rod = rod, .count = 5, .fresh = 2};
    const cdg_vec3 points[5] = {{0, 0, 0}, {0.05, 0, 0}, {0.07, 4.5e-3, 0}, {0.05, 9e-3, 0}, {0, 9e-3, 0}};
    for (size_t k = 0; k < 5; k++) {
        move.from[k] = move.to[k] = points[k];
        move.radius[k] = radius, move.at[k] = 0.05 * (double)k;
    }
    move.to[1].y += closer, move.to[3].y -= closer;
    move.arc[0] = move.at[0], move.arc[1] = move.at[4];
    return move;
}

// What moves does not enter itself, either; and halves that can touch what their whole could not lie apart from it.
static void the_part_is_in_its_own_way(void **state) {
    (void)state;
    cdg_world *world = contact_world(vec3(0, 0, 0), 1e-3, 0.3, 1);
    cdg_rod_def def = contact_rod("rope", vec3(-0.2, 0, 0.5), vec3(0.2, 0, 0.5), radius, 8);
    def.adapt.is_on = true;
    contact_add(world, &def);
    contact_run(world, 1);
    const cdg_adapt_surroundings around = {world, 0};
    const cdg_rod *rod = rope_of(world);
    cdg_adapt_obstructions found = {0};
    cdg_adapt_move near = fold(rod, 4e-4), deep = fold(rod, 8e-4), through = fold(rod, 6e-3);
    assert_true(cdg_adapt_may_move(&around, &near, &found) && found.count == 0);
    assert_false(cdg_adapt_may_move(&around, &through, &found)); // too far to tell
    assert_int_equal(found.count, 0);
    assert_false(cdg_adapt_may_move(&around, &deep, &found));
    size_t legs = 0; // the outer segments, which stay 4 mm on their sides of the middle
    for (size_t i = 0; i < found.count; i++) {
        const cdg_adapt_obstruction *it = &found.list[i];
        bool is_first = it->segment == 0;
        if ((!is_first && it->segment != 3) || fabs(it->normal.x) > 1e-12) continue;
        assert_near(it->normal.y, is_first ? -1 : 1, 1e-12);
        assert_near(it->offset, (is_first ? -4.5e-3 : 4.5e-3) + radius, 1e-12);
        legs++;
    }
    assert_true(legs >= 2);

    // pi radii are 12.6 mm: the first half and the last leg were neighbours as long as it was a part of the whole
    const double at[5] = {0, 0.02, 0.034, 0.048, 0.068};
    cdg_adapt_move half = fold(rod, -1e-6);
    const cdg_vec3 over[3] = {{0.03, 8.5e-3, 0}, {0.03, 6e-3, 6e-3}, {0.06, 6e-3, 6e-3}}; // it crosses the half
    for (size_t k = 0; k < 3; k++) half.from[2 + k] = half.to[2 + k] = over[k];
    for (size_t k = 0; k < 5; k++) half.at[k] = at[k];
    half.arc[1] = at[4];
    found.count = 0;
    half.is_split = true;
    assert_false(cdg_adapt_may_move(&around, &half, &found));
    assert_int_equal(found.count, 0);
    half.is_split = false; // what was deep may stay so
    assert_true(cdg_adapt_may_move(&around, &half, &found) && found.count == 0);
    cdg_world_destroy(world);
}

// m: how deep a rope lies in the block's triangles.
static double deepest(const cdg_world *world) {
    const cdg_rod *rod = rope_of(world);
    const cdg_proxy *proxy = &world->contacts.pieces.objects[1];
    double least = radius;
    for (size_t j = 0; j < rod->element_count; j++)
        for (size_t t = 0; t < proxy->triangle_count; t++) {
            cdg_vec3 corners[3];
            for (int c = 0; c < 3; c++) {
                size_t n = proxy_node(proxy, proxy->triangles[t][c]);
                corners[c] = vec3(proxy->now[0][n], proxy->now[1][n], proxy->now[2][n]);
            }
            double distance2 =
                cdg_segment_triangle_closest(rod_vec3(rod->x, j), rod_vec3(rod->x, j + 1), corners).distance2;
            least = fmin(least, sqrt(distance2) - radius - proxy->thickness);
        }
    return -least;
}

// A rope that falls on a soft block becomes fine where it bends over the edges, and lies on it as a fine one does.
static void ropes_on_solids_become_fine(void **state) {
    (void)state;
    skip_when_sanitized();
    const cdg_model models[] = {CDG_MODEL_POBD, CDG_MODEL_DER, CDG_MODEL_CORDE};
    for (int m = 0; m < 3; m++) {
        cdg_world *world = lay(models[m], 0.04, true, 16), *fine = lay(models[m], 0.04, false, 128);
        double deep = 0;
        for (int i = 0; i < 150; i++) {
            contact_run(world, 1);
            contact_run(fine, 1);
            deep = fmax(deep, deepest(world));
        }
        const cdg_rod *rod = rope_of(world), *reference = rope_of(fine);
        uint64_t refused = 0;
        for (int k = 0; k < CDG_ADAPT_REFUSALS; k++) refused += rod->adapt->refused[0][k];
        assert_true(rod->adapt->split_count >= 10 && refused == 0);
        assert_true(deep < 1e-3 * radius);
        for (size_t end = 0; end < 2; end++) // after a blow, and of 0.4 m
            assert_vec3_near(rod_vec3(rod->x, rod_user_node(rod, 16 * end)), rod_vec3(reference->x, 128 * end), 4e-3);
        cdg_world_destroy(world);
        cdg_world_destroy(fine);
    }
}

// A rope that begins in the middle of the block, to which it is tied, goes out of its side and hangs down.
static cdg_world *tie_rope(cdg_model model, bool adapts, size_t elements) {
    cdg_world *world = contact_world(vec3(0, 0, -9.81), 1e-3, 0.3, 1);
    cdg_rod_def def = contact_rod("rope", vec3(0.01, 0.003, 0.005), vec3(0.33, 0.003, 0.005), radius, elements);
    def.model = model;
    def.material.young_modulus = 1e6;
    def.material.damping_bend = def.material.damping_stretch = def.material.damping_twist = 2e-2;
    def.material.damping_shear = 2e-2;
    def.adapt.is_on = adapts;
    cdg_rod_id rod = contact_add(world, &def);
    cdg_solid_def block = solid_case_def(CDG_SOLID_NEO_HOOKEAN, CDG_SOLID_BDF2);
    cdg_solid_support_def floor = cdg_solid_support_def_default();
    block.young_modulus = 1e6, block.damping_time = 5e-3;
    floor.solid = solid_world_add(world, block, vec3(0.1, 0.1, 0.06), 0.025);
    floor.region = &(cdg_shape){
        .kind = CDG_SHAPE_BOX, .position = {0, 0, -0.5145}, .orientation = {1, 0, 0, 0}, .size = {2, 2, 0.971}};
    must(world, cdg_world_add_solid_support(world, &floor, NULL));
    cdg_tie_def tie = {.place = {rod, CDG_PLACE_NODE, 0}, .solid = floor.solid};
    must(world, cdg_world_add_tie(world, &tie, NULL));
    return world;
}

// What is tied to a solid lies in it, which is no reason to stay coarse; between the part that passes through it and
// the rest, which touches it, elements are never made one.
static void what_is_tied_is_not_in_the_way(void **state) {
    (void)state;
    skip_when_sanitized();
    const cdg_model models[] = {CDG_MODEL_POBD, CDG_MODEL_DER};
    for (int m = 0; m < 2; m++) {
        cdg_world *world = tie_rope(models[m], true, 8), *fine = tie_rope(models[m], false, 64);
        fine->ties[0].pass[1] = world->ties[0].pass[1]; // how far a rope passes depends on its elements
        contact_run(world, 250);
        contact_run(fine, 250);
        const cdg_rod *rod = rope_of(world), *reference = rope_of(fine);
        uint64_t refused = 0;
        for (int k = 0; k < CDG_ADAPT_REFUSALS; k++) refused += rod->adapt->refused[0][k];
        assert_true(rod->adapt->split_count >= 5 && refused == 0);
        assert_vec3_near(rod_vec3(rod->x, rod->node_count - 1), rod_vec3(reference->x, 64), 0.01 * 0.32);
        double pass = world->ties[0].pass[1];
        assert_true(pass > 0.04 && cdg_ties_pass(world, 0, 0, pass - 1e-3) && !cdg_ties_pass(world, 0, 0, pass + 1e-3));
        assert_true(cdg_ties_end_between(world, 0, (double[2]){pass - 1e-3, pass + 1e-3}));
        assert_false(cdg_ties_end_between(world, 0, (double[2]){pass - 2e-3, pass - 1e-3}));
        cdg_world_destroy(world);
        cdg_world_destroy(fine);
    }
}

// Tapered ropes, which are as thick at each place as contact has them, and thin ones, of which nodes go farther than a
// radius when they begin to follow a pole, are not refused for it, and lie no deeper in it.
static void tapered_and_thin_ropes_follow_a_pole(void **state) {
    (void)state;
    const cdg_model models[] = {CDG_MODEL_POBD, CDG_MODEL_DER, CDG_MODEL_CORDE};
    for (int m = 0; m < 3; m++)
        for (int is_thin = 0; is_thin < 2; is_thin++) {
            cdg_world *world = contact_world(vec3(0, 0, -9.81), 1e-3, 0.2, 1);
            cdg_rod_def def =
                contact_rod("rope", vec3(-0.3, 0, 0.05), vec3(0.3, 0.01, 0.05), is_thin ? 0.9e-3 : 3e-3, 12);
            def.model = models[m];
            def.is_tapered = !is_thin;
            def.section_end = def.section;
            def.section_end.radius = 0.9e-3;
            def.adapt.is_on = true;
            def.adapt.hold = 0.01;
            def.material.damping_bend = def.material.damping_stretch = def.material.damping_twist = 5e-3;
            def.material.damping_shear = 5e-3;
            contact_add(world, &def);
            cdg_obstacle_def pole = cdg_obstacle_def_default();
            pole.shape.kind = CDG_SHAPE_CAPSULE, pole.shape.radius = 0.02, pole.shape.length = 0.5;
            pole.shape.orientation = quat_exp(vec3(1.5707963267948966, 0, 0));
            must(world, cdg_world_add_obstacle(world, &pole, NULL));
            double deep = 0;
            for (int i = 0; i < 400; i++) {
                cdg_step_report report;
                must(world, cdg_world_step(world, &report));
                deep = fmax(deep, report.deepest);
            }
            const cdg_rod_adapt *adapt = rope_of(world)->adapt;
            uint64_t refused = adapt->refused[0][CDG_ADAPT_IN_THE_WAY];
            print_message("%s, model %d: %d splits, %d refused, %.2g radii deep\n", is_thin ? "thin" : "tapered", m,
                          (int)adapt->split_count, (int)refused, deep);
            assert_true(adapt->split_count > 20 && refused * 10 <= adapt->split_count);
            assert_true(deep < 1.1e-3);
            cdg_world_destroy(world);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tapered_and_thin_ropes_follow_a_pole), cmocka_unit_test(triangles_are_in_the_way),
        cmocka_unit_test(the_part_is_in_its_own_way), cmocka_unit_test(ropes_on_solids_become_fine),
        cmocka_unit_test(what_is_tied_is_not_in_the_way)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
