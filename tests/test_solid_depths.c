// The check of crossings and depths of solids sees what it is there for.
#include "validation/solid_depths.h"

#include "solid_world_case.h"

static const double size = 0.1, cell = 0.05, thickness = 0.05 * 0.05; // m, of a block, its cells and its surface

// Nothing moves: contact is off, so that anything may lie in anything.
static cdg_world *empty_world(void) {
    cdg_world *world = solid_world(1, 1e-3);
    cdg_contact_def contact = cdg_contact_def_default();
    contact.choice = CDG_CONTACT_OFF;
    assert_int_equal(cdg_world_set_contact(world, &contact), CDG_OK);
    return world;
}

static void add_block(cdg_world *world, cdg_vec3 position) {
    cdg_solid_def def = cdg_solid_def_default();
    def.position = position;
    solid_world_add(world, def, vec3(size, size, size), cell);
}

static solid_depth look_at(const cdg_world *world) {
    solid_depths *depths = solid_depths_create(world);
    assert_non_null(depths);
    solid_depth out = solid_depths_measure(depths, world, 1);
    solid_depths_free(depths);
    return out;
}

static solid_depth two_blocks(cdg_vec3 apart) {
    cdg_world *world = empty_world();
    add_block(world, vec3(0, 0, 0));
    add_block(world, apart);
    solid_depth out = look_at(world);
    cdg_world_destroy(world);
    return out;
}

static void test_blocks(void **state) {
    (void)state;
    solid_depth it = two_blocks(vec3(size + 2.001 * thickness, 0.013, 0.007));
    assert_true(it.crossings == 0 && it.depth == 0 && it.where[0] == '\0');
    it = two_blocks(vec3(size + 1.7 * thickness, 0.013, 0.007)); // faces lie on each other
    assert_true(it.crossings == 0);
    assert_float_equal(it.depth, 0.3, 1e-9);
    it = two_blocks(vec3(size - 0.1 * cell, 0.013, 0.007)); // a tenth of a cell in each other
    assert_true(it.crossings > 0);
    assert_float_equal(it.depth, 2, 1e-9); // what crosses has no distance
}

// One edge over another, both beside all corners.
static void test_edges(void **state) {
    (void)state;
    for (int i = 0; i < 2; i++) {
        cdg_world *world = empty_world();
        cdg_solid_def def = cdg_solid_def_default();
        add_block(world, vec3(0, 0, 0));
        def.orientation = quat_from_axis_angle(vec3(1, 0, 0), 0.7853981633974483);
        def.position = vec3(0.5 * size + (i == 0 ? 0.02 : -0.002), 0.011, 0);
        def.position.z = 0.5 * size + 0.5 * sqrt(2) * size + (i == 0 ? 1.5 : -0.5) * thickness;
        def.orientation = quat_multiply(quat_from_axis_angle(vec3(0, 0, 1), 0.3), def.orientation);
        solid_world_add(world, def, vec3(size, size, size), cell);
        solid_depth it = look_at(world);
        assert_true(i == 0 ? it.crossings == 0 : it.crossings > 0);
        assert_float_equal(it.depth, i == 0 ? 0.5 : 2, 1e-9);
        cdg_world_destroy(world);
    }
}

static void test_shapes(void **state) {
    (void)state;
    cdg_world *world = empty_world();
    cdg_obstacle_def floor = cdg_obstacle_def_default();
    add_block(world, vec3(0, 0, 0));
    floor.shape.kind = CDG_SHAPE_PLANE;
    floor.shape.normal = vec3(0, 0, 1), floor.shape.offset = -0.5 * size - 0.6 * thickness;
    assert_int_equal(cdg_world_add_obstacle(world, &floor, NULL), CDG_OK);
    assert_float_equal(look_at(world).depth, 0.4, 1e-9);
    cdg_body_def ball = cdg_body_def_default();
    ball.shape.kind = CDG_SHAPE_SPHERE, ball.shape.radius = 0.03, ball.shape.orientation = quat_identity();
    ball.mass = 1, ball.density = 0;
    ball.shape.position = vec3(0.01, 0.02, 0.5 * size + 0.03 + 0.25 * thickness);
    assert_int_equal(cdg_world_add_body(world, &ball, NULL), CDG_OK);
    assert_float_equal(look_at(world).depth, 0.75, 1e-9);
    cdg_world_destroy(world);
}

// A rod beside a block, through it, and with an end in it, which is sewn in.
static void test_rods(void **state) {
    (void)state;
    const double radius = 1e-3;
    for (int i = 0; i < 3; i++) {
        cdg_world *world = empty_world();
        cdg_rod_def rod = cdg_rod_def_default();
        add_block(world, vec3(0, 0, 0));
        double height = i == 0 ? 0.5 * size + radius + 0.8 * thickness : 0.004;
        rod.centerline.line.from = vec3(-0.2, 0.003, height);
        rod.centerline.line.to = vec3(i == 2 ? 0.0 : 0.2, 0.003, height);
        rod.element_count = i == 1 ? 1 : 9; // of one element: no end is inside
        rod.section.radius = radius;
        assert_int_equal(cdg_world_add_rod(world, &rod, NULL), CDG_OK);
        solid_depth it = look_at(world);
        assert_int_equal(it.crossings, i == 1 ? 2 : 0);
        assert_float_equal(it.depth, i == 0 ? 0.2 : i == 1 ? 1 + radius / thickness : 0, 1e-9);
        cdg_world_destroy(world);
    }
}

// A block that is pressed through itself.
static void test_itself(void **state) {
    (void)state;
    cdg_world *world = empty_world();
    add_block(world, vec3(0, 0, 0));
    solid_depths *depths = solid_depths_create(world);
    assert_int_equal(solid_depths_measure(depths, world, 1).crossings, 0);
    cdg_solid *s = &world->solids[0]->solid;
    for (size_t i = 0; i < s->node_count; i++) // its left side to the right of its right one
        if (s->x[0][i] < -0.49 * size && fabs(s->x[1][i]) < 0.01 && fabs(s->x[2][i]) < 0.01) s->x[0][i] = 0.6 * size;
    solid_depth it = solid_depths_measure(depths, world, 1);
    assert_true(it.crossings > 0);
    assert_float_equal(it.depth, 2, 1e-9);
    solid_depths_free(depths);
    cdg_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_blocks), cmocka_unit_test(test_edges),  cmocka_unit_test(test_shapes),
        cmocka_unit_test(test_rods),   cmocka_unit_test(test_itself),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
