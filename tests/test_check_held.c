// Rods that nothing holds, by themselves and through joints, and welds that are far from their bodies.
#include "scene_text.h"

#define HEAD(simulation) "cordage: 1\nsimulation: {duration: 1 s" simulation "}\n"
#define ROD(name, x)                                                                                                   \
    "  - {name: " name ", material: {young_modulus: 1 MPa, density: 1100}, section: {circle: {radius: 2 mm}}, "        \
    "centerline: {line: {from: [0, " x ", 0], to: [1 m, " x ", 0]}}}\n"

static size_t falling(const char *text) {
    cdg_scene *scene = scene_parse_good(text);
    size_t rod = cdg_scene_falling_rod(scene);
    cdg_scene_destroy(scene);
    return rod;
}

static void test_falling(void **state) {
    (void)state;
    assert_int_equal(falling(HEAD("") "rods:\n" ROD("a", "0")), 0);
    assert_int_equal(falling(HEAD(", gravity: [0, 0, 0]") "rods:\n" ROD("a", "0")), SIZE_MAX);
    assert_int_equal(falling(HEAD("") "rods:\n" ROD("a", "0") "supports: [{pin: a.end}]\n"), SIZE_MAX);
    assert_int_equal(falling(HEAD("") "rods:\n" ROD("a", "0") "supports: [{twist: a.end}]\n"), 0); // holds no position
    assert_int_equal(
        falling(HEAD("") "rods:\n" ROD("a", "0") "obstacles: [{plane: {normal: [0, 0, 1], offset: -1 m}}]\n"),
        SIZE_MAX);
    assert_int_equal(falling(HEAD("") "contact: off\nrods:\n" ROD("a", "0") ROD("b", "1") "supports: [{pin: a.end}]\n"),
                     1);
    assert_int_equal(falling(HEAD(", model: corde") "contact: off\nrods:\n" ROD("a", "0")
                                 ROD("b", "0") "joints: [{join: [a.start, b.start]}]\nsupports: [{pin: a.end}]\n"),
                     SIZE_MAX);
}

static void test_equilibria(void **state) {
    (void)state;
    assert_says(HEAD(", model: der, mode: static") "rods:\n" ROD("a", "0"),
                "scene.yaml:4:5: error: nothing holds rod 'a', and gravity pulls it: there is no equilibrium; add a "
                "support, for example 'supports: [{clamp: a.start}]', or turn gravity off: 'gravity: [0, 0, 0]'\n");
    assert_says(HEAD(", model: der, mode: static, gravity: [0, 0, 0]") "rods:\n" ROD("a", "0"), "");
    assert_says(HEAD(", model: der, mode: static") "rods:\n" ROD("a", "0") "supports: [{clamp: a.start}]\n", "");
}

static void test_welds(void **state) {
    (void)state;
#define WELDED(x)                                                                                                      \
    HEAD("")                                                                                                           \
    "rods:\n" ROD("a", "0") "bodies: [{name: b, shape: {sphere: {radius: 1 cm}}, mass: 1 kg, position: [" x            \
                            ", 0, 0]}]\njoints: [{weld: [a.end, b]}]\n"
    assert_says(WELDED("1.01"), "");
    assert_says(
        WELDED("3"),
        "scene.yaml:6:10: warning: node 50 of rod 'a', at (1, 0, 0) m, is welded to body 'b', whose position (3, "
        "0, 0) m is 2 m away: a rigid arm joins them; move the body to the rod's end\n");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_falling),
        cmocka_unit_test(test_equilibria),
        cmocka_unit_test(test_welds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
