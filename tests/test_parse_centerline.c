// centerline: every kind, and what is wrong with one.
#include "scene_text.h"

#include "math/vec3.h"
#include "near.h"

#include <unistd.h>

#define ROD(text)                                                                                                      \
    SCENE_HEAD "rods:\n  - name: a\n    material: {young_modulus: 1 MPa, density: 1100}\n"                             \
               "    section: {circle: {radius: 1 mm}}\n    elements: 200\n    centerline: {" text "\n"

static cdg_centerline first_curve(const char *text, cdg_scene **scene, double length) {
    *scene = scene_parse_good(text);
    cdg_centerline curve = (*scene)->rods[0].centerline;
    double found;
    assert_int_equal(cdg_centerline_length(&curve, &found, NULL), CDG_OK);
    assert_near(found, length, 1e-6 * length);
    return curve;
}

static void test_kinds(void **state) {
    (void)state;
    const double pi = acos(-1);
    cdg_scene *scene;
    cdg_centerline c = first_curve(ROD("line: {from: [1, 2, 3], to: [1, 2, 5 m]}}"), &scene, 2);
    assert_vec3_near(c.line.from, vec3(1, 2, 3), 0);
    assert_vec3_near(c.line.to, vec3(1, 2, 5), 0);
    cdg_scene_destroy(scene);
    c = first_curve(
        ROD("arc: {radius: 20 cm, angle: 90 deg, start: [1, 0, 0], tangent: [0, 2, 0], normal: [1, 0, 0]}}"), &scene,
        0.1 * pi);
    assert_vec3_near(c.arc.tangent, vec3(0, 1, 0), 1e-15);
    cdg_scene_destroy(scene);
    c = first_curve(ROD("circle: {radius: 20 cm, axis: [1, 0, 0]}}"), &scene, 0.4 * pi);
    assert_true(c.closed);
    assert_near(vec3_dot(c.circle.axis, c.circle.start_direction), 0, 1e-15);
    cdg_scene_destroy(scene);
    c = first_curve(ROD("circle: {radius: 20 cm}}"), &scene, 0.4 * pi);
    assert_vec3_near(c.circle.start_direction, vec3(1, 0, 0), 1e-15);
    cdg_scene_destroy(scene);
    double turn = sqrt(pow(2 * pi * 0.02, 2) + 1e-4);
    c = first_curve(ROD("helix: {radius: 2 cm, pitch: 1 cm, turns: 5, left_handed: true}}"), &scene, 5 * turn);
    assert_true(c.helix.left_handed && !c.closed);
    cdg_scene_destroy(scene);
    c = first_curve(ROD("points: [[0, 0, 0], [10 cm, 0, 0], [10 cm, 10 cm, 0]]}"), &scene, 0.2);
    assert_int_equal(c.points.count, 3);
    cdg_scene_destroy(scene);
    c = first_curve(ROD("points: [[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0], [0, 0, 0]]}\n    closed: true"), &scene,
                    4);
    assert_int_equal(c.points.count, 4); // the repeated first point is dropped
    assert_true(c.closed);
    cdg_scene_destroy(scene);
    c = first_curve(ROD("spline: [[0, 0, 0], [1, 0, 0], [2, 0, 0], [3, 0, 0]]}"), &scene, 3);
    assert_int_equal(c.kind, CDG_CENTERLINE_SPLINE);
    cdg_scene_destroy(scene);
    scene = scene_parse_good(ROD("knot: {type: cinquefoil, radius: 10 cm, tube_radius: 4 cm}}"));
    assert_int_equal(scene->rods[0].centerline.knot.q, 5);
    assert_true(cdg_centerline_is_closed(&scene->rods[0].centerline));
    cdg_scene_destroy(scene);
    scene = scene_parse_good(ROD("knot: {torus: [3, 4], radius: 10 cm, tube_radius: 4 cm, tail: 20 cm}}"));
    assert_int_equal(scene->rods[0].centerline.knot.p, 3);
    assert_false(cdg_centerline_is_closed(&scene->rods[0].centerline));
    cdg_scene_destroy(scene);
}

static void test_closed(void **state) {
    (void)state;
    assert_says(ROD("line: {to: [1, 0, 0]}}\n    closed: true"),
                "scene.yaml:9:13: error: a line cannot be closed; circle, knot, points and spline can\n");
    assert_says(ROD("arc: {radius: 1 m, angle: 1}}\n    closed: true"),
                "scene.yaml:9:13: error: an arc cannot be closed; circle, knot, points and spline can\n");
    assert_says(ROD("circle: {radius: 1 m}}\n    closed: false"),
                "scene.yaml:9:13: error: a circle is closed; for an open ring use an arc\n");
    assert_says(ROD("knot: {radius: 10 cm, tube_radius: 4 cm}}\n    closed: false"),
                "scene.yaml:9:13: error: a knot without tails is closed; give it a tail\n");
    assert_says(ROD("knot: {radius: 10 cm, tube_radius: 4 cm, tail: 10 cm}}\n    closed: true"),
                "scene.yaml:9:13: error: a knot with tails is open; remove tail or closed\n");
    assert_says(ROD("line: {to: [1, 0, 0]}}\n    closed: perhaps"),
                "scene.yaml:9:13: error: closed: expected true or false, found 'perhaps'\n");
    assert_says(ROD("points: [[0, 0, 0], [1, 0, 0]]}\n    closed: true"),
                "scene.yaml:8:26: error: points: a closed curve needs at least 3 different points, found 2\n");
}

static void test_mistakes(void **state) {
    (void)state;
    assert_says(ROD("lime: {to: [1, 0, 0]}}"),
                "scene.yaml:8:18: error: unknown key 'lime' in the centerline of rod 'a'; did you mean 'line'?\n");
    assert_says(
        ROD("line: {from: [1, 0, 0]}}"),
        "scene.yaml:8:24: error: line in the centerline of rod 'a' has no to; add for example 'to: [1 m, 0, 0]'\n");
    assert_says(ROD("line: {to: [1, 0]}}"),
                "scene.yaml:8:29: error: to: expected three lengths such as [0, 0, 2 mm], found a list of 2\n");
    assert_says(ROD("helix: {radius: 2 cm, pitch: 30 deg, turns: 5}}"),
                "scene.yaml:8:47: error: pitch is a length; '30 deg' is an angle\n");
    assert_says(ROD("points: [[0, 0, 0]]}"),
                "scene.yaml:8:26: error: points: an open curve needs at least 2 different points, found 1\n");
    assert_says(
        ROD("points: [[0, 0, 0], [1, 2], x]}"),
        "scene.yaml:8:38: error: point 2 of points: expected three lengths such as [0, 0, 2 mm], found a list of 2\n"
        "scene.yaml:8:46: error: point 3 of points: expected a list of three lengths such as [0, 0, 2 mm], found "
        "'x'\n");
    assert_says(
        ROD("points: here}"),
        "scene.yaml:8:26: error: points: expected a list of points such as [[0, 0, 0], [1 m, 0, 0]], found 'here'\n");
    assert_says(ROD("knot: {torus: [2, 4], radius: 10 cm, tube_radius: 4 cm}}"),
                "scene.yaml:8:32: error: torus: 2 and 4 have a common divisor, which gives several rings instead of "
                "one knot\n");
    assert_says(ROD("knot: {torus: 3, radius: 10 cm, tube_radius: 4 cm}}"),
                "scene.yaml:8:32: error: torus: expected two whole numbers such as [2, 3], found '3'\n");
    assert_says(ROD("knot: {type: granny, radius: 10 cm, tube_radius: 4 cm}}"),
                "scene.yaml:8:31: error: knot type 'granny' is not known; types: trefoil, cinquefoil, septafoil, or "
                "'torus: [p, q]'; knots in ropes are 'tied: {knot: overhand}'\n");
    assert_says(ROD("knot: {type: trefoil, torus: [2, 3], radius: 10 cm, tube_radius: 4 cm}}"),
                "scene.yaml:8:40: error: a knot has either type or torus; keep one\n");
    assert_says(ROD("file: points.csv}"), "scene.yaml:8:24: error: file 'points.csv': this scene does not come from a "
                                          "file, so it cannot refer to others; "
                                          "use points\n");
}

// Geometry's own complaints arrive at the place of the curve.
static void test_geometric_nonsense(void **state) {
    (void)state;
    static const char *const texts[] = {
        ROD("line: {from: [1, 0, 0], to: [1, 0, 0]}}"),
        ROD("circle: {radius: 1 m, axis: [0, 0, 1], start_direction: [0, 0, 1]}}"),
        ROD("knot: {radius: 3 cm, tube_radius: 4 cm}}"),
        ROD("points: [[0, 0, 0], [0, 0, 0], [1, 0, 0]]}"),
        ROD("arc: {radius: 1 m, angle: 1, tangent: [1, 0, 0], normal: [1, 0, 0]}}"),
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        cdg_scene *scene = scene_parse_with(texts[i], NULL, 0);
        assert_false(scene->is_usable);
        assert_int_equal(cdg_scene_diagnostic_count(scene), 1);
        assert_int_equal(cdg_scene_diagnostic(scene, 0).line, 8);
        assert_true(scene_says(scene, "the centerline of rod 'a': "));
        cdg_scene_destroy(scene);
    }
}

static void test_files(void **state) {
    (void)state;
    char directory[] = "test_parse_centerline.XXXXXX", path[80];
    assert_non_null(mkdtemp(directory));
    snprintf(path, sizeof path, "%s/curve.csv", directory);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs("x,y,z\n0,0,0\n0.5,0,0\n0.5,0.5,0\n", file);
    fclose(file);
    const char *text =
        SCENE_HEAD "rods: [{name: a, material: {young_modulus: 1 MPa, density: 1100}, section: {circle: {radius: 1 "
                   "mm}}, centerline: {file: curve.csv}}]\n";
    cdg_scene *scene;
    assert_int_equal(cdg_scene_parse(text, strlen(text), "s", directory, NULL, 0, &scene, NULL), CDG_OK);
    assert_int_equal(scene->rods[0].centerline.points.count, 3);
    assert_int_equal(scene->rods[0].element_count, 2); // one a segment
    double length;
    assert_int_equal(cdg_centerline_length(&scene->rods[0].centerline, &length, NULL), CDG_OK);
    assert_near(length, 1, 1e-12);
    cdg_scene_destroy(scene);
    remove(path);
    assert_int_equal(cdg_scene_parse(text, strlen(text), "s", directory, NULL, 0, &scene, NULL), CDG_ERROR_SCENE);
    assert_true(scene_says(scene, "curve.csv"));
    assert_int_equal(cdg_scene_diagnostic(scene, 0).line, 3);
    cdg_scene_destroy(scene);
    rmdir(directory);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_kinds),    cmocka_unit_test(test_closed),
        cmocka_unit_test(test_mistakes), cmocka_unit_test(test_geometric_nonsense),
        cmocka_unit_test(test_files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
