// cable.along(30 %): a node is put there, the others lie evenly on both sides, and what cannot be is told.
#include "scene_text.h"

#include "near.h"
#include "rods/rod.h"

static const char *const ring =
    "  - {name: ring, material: {young_modulus: 1 MPa, density: 1100}, section: {circle: {radius: 2 mm}}, "
    "centerline: {circle: {radius: 1 m}}, elements: 10}\n";

static cdg_scene *with_joint(const char *cable_place, const char *more) {
    char text[2000];
    snprintf(text, sizeof text,
             SCENE_GOOD "  - {name: branch, material: {young_modulus: 1 MPa, density: 1100}, section: {circle: "
                        "{radius: 2 mm}}, centerline: {line: {from: [0.337, 0, 0], to: [0.337, 1, 0]}}, elements: 4}\n"
                        "%sjoints: [{join: [%s, branch.start]}]\n%s",
             ring, cable_place, more);
    return scene_parse_good(text);
}

static void sample(const cdg_scene *scene, size_t rod, cdg_vec3 *nodes) {
    const cdg_rod_def *def = &scene->rods[rod];
    assert_int_equal(cdg_centerline_sample(&def->centerline, def->element_count, nodes, NULL), CDG_OK);
}

static void test_a_node_is_there(void **state) {
    (void)state;
    const char *const same[] = {"cable.along(33.7 %)", "cable.along(0.337)", "cable.along( 33.7 cm )"};
    for (size_t k = 0; k < 3; k++) {
        cdg_vec3 nodes[101];
        cdg_scene *scene = with_joint(same[k], "");
        assert_int_equal(scene->joints[0].places[0].kind, CDG_PLACE_NODE);
        assert_int_equal(scene->joints[0].places[0].index, 34);
        sample(scene, 0, nodes);
        assert_near(nodes[34].x, 0.337, 1e-12);
        assert_near(nodes[100].x, 1, 0);
        for (int i = 0; i < 34; i++) assert_near(nodes[i + 1].x - nodes[i].x, 0.337 / 34, 1e-12);
        for (int i = 34; i < 100; i++) assert_near(nodes[i + 1].x - nodes[i].x, 0.663 / 66, 1e-12);
        cdg_scene_destroy(scene);
    }
}

static void test_several_on_one_rod(void **state) {
    (void)state;
    cdg_vec3 nodes[101];
    cdg_scene *scene =
        with_joint("cable.along(0.337)", "supports: [{clamp: cable.along(0.8123)}, {pin: cable.along(100 %)}]\n"
                                         "loads: [{force: [0, 0, 1 N], at: cable.along(0.337)}]\n"
                                         "probes: [{name: a, position: cable.along(5.21 cm)}]\n");
    assert_int_equal(scene->rods[0].centerline.spacing_count, 3);
    assert_int_equal(scene->loads[0].place.index, 34);
    assert_int_equal(scene->supports[0].place.index, 81);
    assert_int_equal(scene->supports[1].place.index, 100);
    assert_int_equal(scene->probes[0].probe.place.index, 5);
    sample(scene, 0, nodes);
    assert_near(nodes[5].x, 0.0521, 1e-12);
    assert_near(nodes[34].x, 0.337, 1e-12);
    assert_near(nodes[81].x, 0.8123, 1e-12);
    cdg_scene_destroy(scene);
}

// On a circle by arc length; its start is the place at 100 %, too.
static void test_closed(void **state) {
    (void)state;
    cdg_vec3 nodes[10];
    cdg_scene *scene = with_joint("ring.along(0.26)", "supports: [{pin: ring.along(100 %)}]\n");
    assert_int_equal(scene->joints[0].places[0].index, 3);
    assert_int_equal(scene->supports[0].place.index, 0);
    sample(scene, 1 + 1, nodes);
    cdg_vec3 first = nodes[0];
    assert_near(vec3_dot(nodes[3], first), cos(2 * 3.14159265358979323846 * 0.26), 1e-12);
    cdg_scene_destroy(scene);
}

// The built rod has what the definition says, rest shape included, and refined from the start it has the node, too.
static void test_built(void **state) {
    (void)state;
    for (int adapts = 0; adapts < 2; adapts++) {
        cdg_scene *scene = with_joint("ring.along(0.26)", "");
        cdg_rod_def def = scene->rods[2];
        def.adapt.is_on = adapts == 1;
        cdg_rod *rod;
        cdg_error error;
        if (cdg_rod_build(&def, &rod, &error) != CDG_OK) fail_msg("%s", error.message);
        size_t parts = rod->element_count / def.element_count;
        assert_true(adapts == 0 || parts > 1);
        cdg_vec3 at = rod_vec3(rod->x, 3 * parts), start = rod_vec3(rod->x, 0);
        assert_near(vec3_dot(at, start), cos(2 * 3.14159265358979323846 * 0.26), 1e-12);
        cdg_rod_destroy(rod);
        cdg_scene_destroy(scene);
    }
}

static void refuse(const char *place, const char *expected) {
    char text[2000], line[600];
    snprintf(text, sizeof text, SCENE_GOOD "%ssupports: [{clamp: '%s'}]\n", ring, place);
    snprintf(line, sizeof line, "scene.yaml:10:20: error: %s\n", expected);
    assert_says(text, line);
}

// Half of the way stays half of the way, or it is told that it does not, whichever comes first.
static void test_middle(void **state) {
    (void)state;
    cdg_scene *scene = with_joint("cable.along(50 %)", "supports: [{clamp: cable.middle}]\n");
    assert_int_equal(scene->supports[0].place.index, scene->joints[0].places[0].index);
    cdg_scene_destroy(scene);
    assert_says(SCENE_GOOD "supports: [{clamp: cable.along(33.7 %)}, {pin: cable.middle}]\n",
                "scene.yaml:9:48: error: 'cable.middle' would be at 49.8 % of rod 'cable', whose nodes along() moves; "
                "write 'cable.along(50 %)' in place of 'middle'\n");
    assert_says(SCENE_GOOD "supports: [{clamp: cable.middle}, {pin: cable.along(33.7 %)}]\n",
                "scene.yaml:9:41: error: 'cable.middle' would be at 49.8 % of rod 'cable', whose nodes along() moves; "
                "write 'cable.along(50 %)' in place of 'middle'\n");
}

static void test_mistakes(void **state) {
    (void)state;
    refuse("cable.along(30)",
           "clamp: along takes a share of rod 'cable' from 0 to 1, such as 30 %, or a length, such as "
           "12 cm; 30 is not among the shares");
    refuse("cable.along(1.2 m)",
           "clamp: rod 'cable' is 1 m long, and along(1.2 m) is not on it; use 'cable.end' for its "
           "end");
    refuse("cable.along(3 s)", "clamp: along is a plain number; '3 s' is a time");
    refuse("cable.along(0.4 %)", "clamp: this place is too near the start of rod 'cable' for its 100 elements; give it "
                                 "more 'elements', or name that place");
    refuse("cable.along(99.9 %)", "clamp: this place is too near the end of rod 'cable' for its 100 elements; give it "
                                  "more 'elements', or name that place");
    assert_says(
        SCENE_GOOD "supports: [{clamp: cable.along(0.301)}, {pin: cable.along(0.302)}]\n",
        "scene.yaml:9:47: error: pin: this place is too near another of rod 'cable' for its 100 elements; give it "
        "more 'elements', or name that place\n");
    assert_says(
        SCENE_GOOD "supports: [{clamp: cable.along(0.3049)}, {pin: cable.along(0.3051)}]\n",
        "scene.yaml:9:48: error: pin: this place is too near another of rod 'cable' for its 100 elements; give it "
        "more 'elements', or name that place\n");
    assert_says(
        SCENE_HEAD "rods: [{name: p, material: {young_modulus: 1 MPa, density: 1100}, section: {circle: {radius: "
                   "2 mm}}, centerline: {points: [[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]]}}]\n"
                   "supports: [{clamp: p.along(0.4)}]\n",
        "scene.yaml:4:20: error: the nodes of rod 'p' are the points of its centerline; add a point there, or give "
        "it other 'elements'\n");
    assert_says(SCENE_GOOD "probes: [{name: p, tension: cable.along(0.3)}]\n",
                "scene.yaml:9:29: error: tension takes an element such as cable.element(50); 'cable.along(0.3)' is a "
                "node\n");
    assert_says(
        SCENE_HEAD "structures: [{name: web, net: {size: [1, 1], threads: [3, 3]}, material: {young_modulus: 1 MPa, "
                   "density: 1100}, section: {circle: {radius: 2 mm}}, elements: 4}]\n"
                   "supports: [{clamp: web.h1.along(0.4)}]\n",
        "scene.yaml:4:20: error: rod 'web.h1' is part of a structure or strands, which place its nodes; name one of "
        "them, such as 'web.h1.node(1)'\n");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_node_is_there), cmocka_unit_test(test_several_on_one_rod),
        cmocka_unit_test(test_closed),          cmocka_unit_test(test_built),
        cmocka_unit_test(test_middle),          cmocka_unit_test(test_mistakes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
