// Supports and loads of solids: regions, motions, reactions, pressure; empty regions are errors.
#include "solid_world_case.h"

static cdg_world *block(cdg_solid_id *id) {
    cdg_world *world = solid_world(1, 5e-3);
    cdg_solid_def def = solid_case_def(CDG_SOLID_NEO_HOOKEAN, CDG_SOLID_EULER);
    def.damping_time = 0.05;
    *id = solid_world_add(world, def, vec3(0.1, 0.1, 0.2), 0.05);
    return world;
}

static void test_reaction_and_release(void **state) {
    (void)state;
    cdg_solid_id id;
    cdg_world *world = block(&id);
    cdg_solid_support_def top = {.solid = id,
                                 .region = &(cdg_shape){.kind = CDG_SHAPE_BOX,
                                                        .position = {0, 0, 0.545},
                                                        .orientation = {1, 0, 0, 0},
                                                        .size = {2, 2, 0.91}},
                                 .release = 2};
    cdg_solid_support_id support;
    assert_int_equal(cdg_world_add_solid_support(world, &top, &support), CDG_OK);
    solid_world_steps(world, 390);
    cdg_vec3 force;
    assert_int_equal(cdg_solid_support_reaction(world, support, &force), CDG_OK);
    assert_vec3_near(force, vec3(0, 0, 20), 1e-3);
    solid_world_steps(world, 110); // released at 2 s
    cdg_solid_state s;
    assert_int_equal(cdg_solid_get_state(world, id, &s), CDG_OK);
    assert_near(s.velocity.z, -5, 0.06);
    assert_int_equal(cdg_solid_support_reaction(world, support, &force), CDG_OK);
    assert_vec3_near(force, vec3(0, 0, 0), 0);
    cdg_world_destroy(world);
}

// Turned by a quarter about its middle: nodes follow.
static void test_motions_turn_about_the_middle(void **state) {
    (void)state;
    cdg_solid_id id;
    cdg_world *world = block(&id);
    cdg_motion turn = {.kind = CDG_MOTION_ROTATE, .axis = {0, 0, 1}, .angle = 1.5707963267948966, .from = 0, .to = 0.5};
    cdg_solid_support_def all = {.solid = id, .motions = &turn, .motion_count = 1};
    assert_int_equal(cdg_world_add_solid_support(world, &all, NULL), CDG_OK);
    cdg_solid_view view;
    assert_int_equal(cdg_solid_get_view(world, id, &view), CDG_OK);
    double x = view.position[0][0], y = view.position[1][0];
    solid_world_steps(world, 120);
    assert_int_equal(cdg_solid_get_view(world, id, &view), CDG_OK);
    assert_near(view.position[0][0], -y, 1e-9);
    assert_near(view.position[1][0], x, 1e-9);
    cdg_world_destroy(world);
}

// Under pressure from all sides the volume falls as the bulk modulus says; a force gives momentum.
static void test_pressure_and_force(void **state) {
    (void)state;
    cdg_solid_id id;
    cdg_world *world = block(&id);
    cdg_world_set_gravity(world, vec3(0, 0, 0));
    double pressure = 100, bulk = 1e5 / (3 * (1 - 0.7));
    cdg_solid_load_def squeeze = {.solid = id, .pressure = pressure, .ramp = 0.5};
    assert_int_equal(cdg_world_add_solid_load(world, &squeeze, NULL), CDG_OK);
    solid_world_steps(world, 600);
    cdg_solid_state s;
    assert_int_equal(cdg_solid_get_state(world, id, &s), CDG_OK);
    assert_near((1 - s.volume / 0.002) / (pressure / bulk), 1, 0.01);
    assert_true(vec3_norm(s.velocity) < 1e-9);
    cdg_solid_load_def push = {.solid = id, .force = {4, 0, 0}, .from = 3.0, .to = 3.5};
    assert_int_equal(cdg_world_add_solid_load(world, &push, NULL), CDG_OK);
    solid_world_steps(world, 200);
    assert_int_equal(cdg_solid_get_state(world, id, &s), CDG_OK);
    assert_near(s.velocity.x, 1, 1e-6); // 4 N for half a second on 2 kg
    cdg_world_destroy(world);
}

// Loads that are changed between steps, and forces of one's own, carry the weight and let it fall.
static void test_loads_are_changed(void **state) {
    (void)state;
    cdg_solid_id id;
    cdg_world *world = block(&id);
    cdg_solid_info info;
    assert_int_equal(cdg_solid_get_info(world, id, &info), CDG_OK);
    cdg_solid_load_def lift = {.solid = id};
    cdg_solid_load_id load;
    assert_int_equal(cdg_world_add_solid_load(world, &lift, &load), CDG_OK);
    double weight = 10 * info.mass;
    assert_int_equal(cdg_solid_load_set(world, load, vec3(0, 0, weight), 0), CDG_OK);
    solid_world_steps(world, 20);
    cdg_solid_state s;
    assert_int_equal(cdg_solid_get_state(world, id, &s), CDG_OK);
    assert_near(s.velocity.z, 0, 1e-9);
    assert_int_equal(cdg_solid_load_set(world, load, vec3(0, 0, 0), 0), CDG_OK);
    cdg_vec3 *forces = calloc(info.node_count, sizeof *forces);
    for (size_t i = 0; i < info.node_count; i++) forces[i].z = 2 * weight / (double)info.node_count;
    assert_int_equal(cdg_solid_set_forces(world, id, forces), CDG_OK);
    solid_world_steps(world, 20); // 0.1 s
    assert_int_equal(cdg_solid_get_state(world, id, &s), CDG_OK);
    assert_near(s.velocity.z, 1, 1e-9); // as far upward as it would have fallen
    assert_int_equal(cdg_solid_set_forces(world, id, NULL), CDG_OK);
    solid_world_steps(world, 20);
    assert_int_equal(cdg_solid_get_state(world, id, &s), CDG_OK);
    assert_near(s.velocity.z, 0, 1e-9);
    assert_int_equal(cdg_solid_load_set(world, load, vec3(0, 0, 0), 5), CDG_ERROR_ARGUMENT);
    assert_non_null(strstr(cdg_world_message(world), "without pressure"));
    assert_int_equal(cdg_solid_load_set(world, load, vec3(NAN, 0, 0), 0), CDG_ERROR_ARGUMENT);
    assert_int_equal(cdg_solid_load_set(world, (cdg_solid_load_id){2, 1}, vec3(0, 0, 0), 0), CDG_ERROR_STALE);
    forces[3].y = INFINITY;
    assert_int_equal(cdg_solid_set_forces(world, id, forces), CDG_ERROR_ARGUMENT);
    assert_non_null(strstr(cdg_world_message(world), "node 3"));
    free(forces);
    cdg_world_destroy(world);
}

static void test_empty_regions_are_errors(void **state) {
    (void)state;
    cdg_solid_id id;
    cdg_world *world = block(&id);
    cdg_shape away = {.kind = CDG_SHAPE_SPHERE, .orientation = {1, 0, 0, 0}, .position = {9, 9, 9}, .radius = 1};
    cdg_solid_support_def support = {.solid = id, .region = &away};
    cdg_solid_load_def force = {.solid = id, .region = &away, .force = {1, 0, 0}},
                       pressure = {.solid = id, .region = &away, .pressure = 1};
    assert_int_equal(cdg_world_add_solid_support(world, &support, NULL), CDG_ERROR_ARGUMENT);
    assert_non_null(strstr(cdg_world_message(world), "lies between"));
    assert_int_equal(cdg_world_add_solid_load(world, &force, NULL), CDG_ERROR_ARGUMENT);
    assert_int_equal(cdg_world_add_solid_load(world, &pressure, NULL), CDG_ERROR_ARGUMENT);
    solid_world_steps(world, 1);
    cdg_world_destroy(world);
}

// Any shape is a region: as many nodes are held as the shape has of the block's 3 x 3 x 5.
static void test_regions_of_every_kind(void **state) {
    (void)state;
    cdg_shape shape = cdg_shape_default();
    shape.kind = CDG_SHAPE_BOX, shape.size = vec3(0.1, 0, 0.2); // flat: between two corners of the same y
    const struct {
        cdg_shape_kind kind;
        double length, radius;
        size_t count;
    } cases[] = {{CDG_SHAPE_BOX, 0, 0, 15},
                 {CDG_SHAPE_CYLINDER, 0.1, 0.05, 15},
                 {CDG_SHAPE_CAPSULE, 0.1, 0.001, 3},
                 {CDG_SHAPE_SPHERE, 0, 0.05, 7}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        cdg_solid_id id;
        cdg_world *world = block(&id);
        shape.kind = cases[i].kind, shape.length = cases[i].length, shape.radius = cases[i].radius;
        cdg_solid_load_def load = {.solid = id, .region = &shape, .force = {3, 0, 0}};
        assert_int_equal(cdg_world_add_solid_load(world, &load, NULL), CDG_OK);
        assert_int_equal(cdg_world_get_solid(world, id)->loads[0].node_count, cases[i].count);
        cdg_world_destroy(world);
    }
}

static void test_bad_regions_are_errors(void **state) {
    (void)state;
    cdg_solid_id id;
    cdg_world *world = block(&id);
    cdg_vec3 points[3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    uint32_t triangles[1][3] = {{0, 1, 3}};
    cdg_shape good = cdg_shape_default(), bad[7];
    for (int i = 0; i < 7; i++) bad[i] = good;
    bad[0].kind = CDG_SHAPE_KIND_COUNT;
    bad[1].orientation = (cdg_quat){0, 0, 0, 0};
    bad[2].position.y = NAN;
    bad[3].radius = 0;
    bad[4].kind = CDG_SHAPE_PLANE, bad[4].normal = vec3(0, 0, 0);
    bad[5] = cdg_shape_of_mesh(NULL);
    bad[6].kind = CDG_SHAPE_MESH, bad[6].mesh = (cdg_mesh){points, 3, triangles, 1, NULL, 0}; // has no point 3
    static const char *const words[] = {"number 11", "orientation", "position", "radius", "normal", "mesh", "mesh"};
    for (int i = 0; i < 7; i++) {
        cdg_solid_support_def support = {.solid = id, .region = &bad[i]};
        cdg_solid_load_def load = {.solid = id, .region = &bad[i], .force = {1, 0, 0}};
        assert_int_equal(cdg_world_add_solid_support(world, &support, NULL), CDG_ERROR_ARGUMENT);
        assert_non_null(strstr(cdg_world_message(world), words[i]));
        assert_int_equal(cdg_world_add_solid_load(world, &load, NULL), CDG_ERROR_ARGUMENT);
        assert_non_null(strstr(cdg_world_message(world), words[i]));
    }
    cdg_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reaction_and_release),     cmocka_unit_test(test_motions_turn_about_the_middle),
        cmocka_unit_test(test_pressure_and_force),       cmocka_unit_test(test_loads_are_changed),
        cmocka_unit_test(test_empty_regions_are_errors), cmocka_unit_test(test_regions_of_every_kind),
        cmocka_unit_test(test_bad_regions_are_errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
