// Knots in scenes: tied centerlines, bends and Prusiks by their keys, defaults, and what is wrong with one.
#include "scene_text.h"

#include "near.h"

#define HEAD SCENE_HEAD "materials: {m: {young_modulus: 1 MPa, density: 1100 kg/m^3}}\n"
#define LIKE "material: m, section: {circle: {radius: 2 mm}}"
#define ROPE(text) HEAD "rods:\n  - {name: a, " LIKE ", centerline: {tied: {" text "}}}\n"
#define KNOT(text) HEAD "structures:\n  - {name: s, " LIKE ", " text "}\n"

static void test_ropes(void **state) {
    (void)state;
#define EACH(id, key, text)                                                                                            \
    {                                                                                                                  \
        cdg_scene *each = scene_parse_good(ROPE("knot: " key ", clearance: 1 mm, tail: 5 cm"));                        \
        assert_int_equal(each->rods[0].centerline.tied.knot, id);                                                      \
        assert_near(each->rods[0].centerline.tied.radius, 2e-3, 1e-15);                                                \
        assert_near(each->rods[0].centerline.tied.tail[1], 0.05, 1e-15);                                               \
        assert_true(each->rods[0].element_count > 80);                                                                 \
        assert_int_equal(each->rods[0].rest.kind, CDG_REST_STRAIGHT);                                                  \
        cdg_scene_destroy(each);                                                                                       \
    }
    CDG_TIED_LIST(EACH)
#undef EACH
    cdg_scene *scene =
        scene_parse_good(ROPE("knot: bow, radius: 3 mm, tail: [1 cm, 2 cm], center: [1, 2, 3], direction: "
                              "[0, 0, 2], normal: [0, 1, 0], through: [[1, 2, 4], [1, 2.5, 4], [1, 2.5, "
                              "2], [1, 2, 2]]"));
    cdg_centerline curve = scene->rods[0].centerline;
    assert_near(curve.tied.radius, 3e-3, 1e-15);
    assert_near(curve.tied.clearance, 0, 0);
    assert_near(curve.tied.tail[0], 0.01, 1e-15);
    assert_near(curve.tied.tail[1], 0.02, 1e-15);
    assert_int_equal(curve.tied.through_count, 4);
    assert_vec3_near(curve.tied.center, vec3(1, 2, 3), 0);
    assert_vec3_near(curve.tied.direction, vec3(0, 0, 1), 1e-15);
    cdg_scene_destroy(scene);
}

static void test_bends_and_prusiks(void **state) {
    (void)state;
    cdg_scene *scene = scene_parse_good(
        KNOT("bend: {knot: double_fisherman, clearance: 1 mm, standing: 30 cm, tail: 2 cm, ratio: 0.5}"));
    assert_int_equal(scene->rod_count, 2);
    assert_string_equal(scene->rods[1].name, "s.b");
    assert_near(scene->rods[1].section.radius, 1e-3, 1e-15);
    assert_near(scene->rods[0].centerline.tied.tail[0], 0.3, 1e-15);
    assert_near(scene->rods[0].centerline.tied.tail[1], 0.02, 1e-15);
    cdg_scene_destroy(scene);
    scene = scene_parse_good(KNOT("bend: {knot: sheet_bend}"));
    assert_near(scene->rods[0].centerline.tied.tail[0], 0, 0);
    cdg_scene_destroy(scene);
    scene = scene_parse_good(KNOT("prusik: {post_radius: 5 mm, post_length: 20 cm, loop: 10 cm, wraps: 2}"));
    assert_int_equal(scene->rod_count, 2);
    assert_string_equal(scene->rods[1].name, "s.post");
    assert_near(scene->rods[1].section.radius, 5e-3, 1e-15);
    cdg_scene_destroy(scene);
}

static void test_mistakes(void **state) {
    (void)state;
    static const struct {
        const char *text, *expected;
    } cases[] = {
        {ROPE("knot: overhnd"), "did you mean 'overhand'?"},
        {ROPE("clearance: 1 mm"), "knot"},
        {ROPE("knot: overhand, clearance: -1 mm"), "clearance"},
        {ROPE("knot: overhand, clearence: 1 mm"), "did you mean 'clearance'?"},
        {ROPE("knot: overhand, loop: 1 m"), "has no loop"},
        {ROPE("knot: square, loop: 1 mm"), "needs one of"},
        {ROPE("knot: overhand, normal: [1, 0, 0]"), "two different directions"},
        {HEAD "rods:\n  - {name: a, " LIKE ", elements: 20, centerline: {tied: {knot: overhand, tail: 1 m}}}\n",
         "20 elements, but its knot needs"},
        {HEAD "rods:\n  - {name: a, " LIKE ", centerline: {knot: {type: overhand, radius: 1 m, tube_radius: 1 cm}}}\n",
         "tied: {knot: overhand}"},
        {KNOT("bend: {knot: overhand}"), "one rope"},
        {KNOT("bend: {knot: square}, elements: 10"), "10 elements are too few"},
        {KNOT("prusik: {post_radius: 1 mm, loop: 1 m}"), "thinner post"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        cdg_scene *scene = scene_parse_with(cases[i].text, NULL, 0);
        if (!scene_says(scene, cases[i].expected))
            fail_msg("'%s' is not said:\n%s", cases[i].expected, scene_said(scene));
        cdg_scene_destroy(scene);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ropes),
        cmocka_unit_test(test_bends_and_prusiks),
        cmocka_unit_test(test_mistakes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
