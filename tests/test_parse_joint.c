// joints.
#include "scene_text.h"

#include "near.h"

#define TWO                                                                                                            \
    "cordage: 1\nsimulation: {duration: 1 s, model: corde}\n"                                                          \
    "rods:\n"                                                                                                          \
    "  - &rod\n"                                                                                                       \
    "    name: trunk\n"                                                                                                \
    "    material: {young_modulus: 1 MPa, density: 1100 kg/m^3}\n"                                                     \
    "    section: {circle: {radius: 2 mm}}\n"                                                                          \
    "    centerline: {line: {to: [1 m, 0, 0]}}\n"                                                                      \
    "    elements: 10\n"                                                                                               \
    "  - {<<: *rod, name: branch, centerline: {line: {from: [0.5 m, 0, 0], to: [0.5 m, 1 m, 0]}}}\n"
#define JOINTS(text) TWO "joints:\n" text

static void test_values(void **state) {
    (void)state;
    cdg_scene *scene = scene_parse_good(JOINTS("  - join: [trunk.node(5), branch.start]\n"
                                               "  - {join: [trunk.start, trunk.end, branch.end], stiffness: 0}\n"));
    assert_int_equal(scene->joint_count, 2);
    const cdg_joint_def *joint = &scene->joints[0];
    assert_int_equal(joint->place_count, 2);
    assert_int_equal(joint->places[0].rod.index1, 1);
    assert_int_equal(joint->places[0].index, 5);
    assert_int_equal(joint->places[1].rod.index1, 2);
    assert_near(joint->stiffness, 1, 0);
    assert_near(scene->joints[1].stiffness, 0, 0);
    assert_int_equal(scene->joints[1].place_count, 3);
    assert_int_equal(scene->joint_marks[0].line, 12);
    cdg_scene_destroy(scene);
}

static void test_stiffness_about_axes(void **state) {
    (void)state;
    cdg_scene *scene = scene_parse_good(
        JOINTS("  - {join: [trunk.node(5), branch.start], stiffness: {bend: [0.1 N m, rigid], twist: 0}}\n"
               "  - {join: [trunk.start, branch.start], stiffness: {bend: 20 N mm}}\n"));
    assert_true(scene->joints[0].has_axes && scene->joints[1].has_axes);
    const double expected[2][3] = {{0.1, HUGE_VAL, 0}, {0.02, 0.02, HUGE_VAL}};
    for (int j = 0; j < 2; j++)
        for (int k = 0; k < 3; k++) assert_true(scene->joints[j].axes[k] == expected[j][k]);
    cdg_scene_destroy(scene);
    assert_says(
        JOINTS("  - {join: [trunk.node(5), branch.start], stiffness: {bend: [1, 2, 3]}}\n"),
        "scene.yaml:12:61: error: bend: expected one stiffness or two, such as [0.1 N m, rigid], found a list\n");
    assert_says(JOINTS("  - {join: [trunk.node(5), branch.start], stiffness: {twist: -1}}\n"),
                "scene.yaml:12:62: error: twist must be 0 or more; it is '-1'\n");
    assert_says(JOINTS("  - {join: [trunk.node(5), branch.start], stiffness: {torsion: 1}}\n"),
                "scene.yaml:12:55: error: unknown key 'torsion' in the stiffness of joint 1; keys here: bend, twist\n");
}

static void test_mistakes(void **state) {
    (void)state;
    assert_says(JOINTS("  - join: [trunk.node(5), brunch.start]\n"),
                "scene.yaml:12:27: error: no rod is named 'brunch'; did you mean 'branch'?\n");
    assert_says(JOINTS("  - join: trunk.end\n"),
                "scene.yaml:12:11: error: join: expected a list of two places or more, such as [trunk.end, "
                "branch.start], found 'trunk.end'\n");
    assert_says(JOINTS("  - join: [trunk.end]\n"),
                "scene.yaml:12:11: error: a joint needs two places or more; this is one\n");
    assert_says(JOINTS("  - join: [trunk.end, trunk.node(10)]\n"),
                "scene.yaml:12:11: error: the joint names node 10 of rod 'trunk' twice; it needs different ones\n");
    assert_says(JOINTS("  - join: [trunk.end, branch.element(2)]\n"),
                "scene.yaml:12:23: error: join takes a node such as cable.start or cable.node(40); "
                "'branch.element(2)' is an element\n");
    assert_says(JOINTS("  - {join: [trunk.end, branch.end], stifness: 1}\n"),
                "scene.yaml:12:37: error: unknown key 'stifness' in joint 1; did you mean 'stiffness'?\n");
    assert_says(JOINTS("  - {join: [trunk.end, branch.end], stiffness: -1}\n"),
                "scene.yaml:12:48: error: stiffness must be 0 or more; it is '-1'\n");
    assert_says(JOINTS("  - {stiffness: 1}\n"), "scene.yaml:12:5: error: joint 1 needs one of join, weld or pin\n");
    assert_says(JOINTS("  - {weld: [trunk.end, disk], join: [trunk.end, branch.end]}\n"),
                "scene.yaml:12:6: error: joint 1 has both join and weld; keep one\n");
    assert_says(TWO "joints: 3\n",
                "scene.yaml:11:9: error: joints: expected a list, each item after a '-', such as '- join: [trunk.end, "
                "branch.start]'; found '3'\n");
}

// What only shows when the world is built has its place, too.
static void test_nodes_that_lie_apart(void **state) {
    (void)state;
    cdg_scene *scene = scene_parse_good(JOINTS("  - join: [trunk.node(5), branch.start]\n"
                                               "  - join: [trunk.start, branch.end]\n"));
    cdg_world *world = NULL;
    cdg_error error;
    assert_int_equal(cdg_scene_build(scene, 1, &world, &error), CDG_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "scene.yaml:13:5: node 0 of rod 'trunk' and node 10 of rod 'branch'"));
    assert_null(world);
    cdg_scene_destroy(scene);
    scene = scene_parse_good(JOINTS("  - join: [trunk.node(5), branch.start]\n"));
    assert_int_equal(cdg_scene_build(scene, 1, &world, &error), CDG_OK);
    assert_int_equal(cdg_world_step(world, NULL), CDG_OK);
    cdg_world_destroy(world);
    cdg_scene_destroy(scene);
}

// Newton metres are per radian, whether it is written or not; per degree they are more.
static void test_units_of_stiffness(void **state) {
    (void)state;
    cdg_scene *scene = scene_parse_good(
        JOINTS("  - {join: [trunk.node(5), branch.start], stiffness: {bend: [1 N m, 1 N m/rad], twist: 1 N m/deg}}\n"));
    assert_near(scene->joints[0].axes[0], 1, 0);
    assert_near(scene->joints[0].axes[1], 1, 0);
    assert_near(scene->joints[0].axes[2], 180 / 3.14159265358979323846, 1e-12);
    cdg_scene_destroy(scene);
    scene =
        scene_parse_with(JOINTS("  - {join: [trunk.node(5), branch.start], stiffness: {bend: 1 N rad}}\n"), NULL, 0);
    assert_false(scene->is_usable);
    cdg_scene_destroy(scene);
}

static void test_joints_of_the_same_nodes(void **state) {
    (void)state;
    cdg_scene *scene =
        scene_parse_good(JOINTS("  - {join: [trunk.node(5), branch.start], stiffness: {bend: 1 N m}}\n"
                                "  - {join: [branch.start, trunk.node(5)], stiffness: {bend: 2 N m}}\n"));
    assert_true(scene_says(scene, "the joint in line 12 joins the same nodes") && scene_says(scene, "add up"));
    cdg_scene_destroy(scene);
    scene = scene_parse_good(JOINTS("  - {join: [trunk.node(5), branch.start], stiffness: 0}\n"
                                    "  - {join: [branch.start, trunk.node(5)], stiffness: 0}\n"));
    assert_true(scene_says(scene, "what the one in line 12 says"));
    cdg_scene_destroy(scene);
    scene = scene_parse_good(JOINTS("  - {join: [trunk.node(5), branch.start], stiffness: 0}\n"
                                    "  - {join: [trunk.node(5), branch.start, trunk.end], stiffness: 1}\n"));
    assert_false(scene_says(scene, "line 12"));
    cdg_scene_destroy(scene);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values),
        cmocka_unit_test(test_stiffness_about_axes),
        cmocka_unit_test(test_units_of_stiffness),
        cmocka_unit_test(test_joints_of_the_same_nodes),
        cmocka_unit_test(test_mistakes),
        cmocka_unit_test(test_nodes_that_lie_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
