// Rods of corde under friction that nobody gave damping get a little, are told so, and hold where they should.
#include "scene_text.h"

#include <cordage/world.h>

#include <math.h>

#define HEAD "cordage: 1\nsimulation: {duration: 1 s, model: corde}\n"
#define ROD(rest)                                                                                                      \
    "rods:\n  - {name: a, material: m, section: {circle: {radius: 2 mm}}, centerline: {line: {to: [1, 0, 0]}}, "       \
    "elements: 10" rest "}\n"
#define MATERIAL(rest) "materials: {m: {young_modulus: 1.1 MPa, density: 1100" rest "}}\n"
#define SAYS                                                                                                           \
    "scene.yaml:6:5: warning: rod 'a' has no damping, and without any rods of corde chatter under friction and slide " \
    "where they should hold: it gets 'damping: 0.00032 s'; 'damping: 0' takes it away\n"

static double bend_damping(const char *text) {
    cdg_scene *scene = scene_parse_with(text, NULL, 0);
    double damping = scene->rods[0].material.damping_bend;
    cdg_scene_destroy(scene);
    return damping;
}

// A tenth of 0.1 m at sqrt(1.1e6/1100) m/s.
static void test_undamped_rods_are_damped_and_told(void **state) {
    (void)state;
    static const char *const frictions[] = {
        "contact: {friction: 0.3}\n", "obstacles: [{plane: {normal: [0, 0, 1], offset: -1}, friction: 0.2}]\n",
        "bodies: [{name: b, shape: {sphere: {radius: 1 cm}}, mass: 1, position: [0, 0, 1], friction: 0.2}]\n"};
    for (int i = 0; i < 3; i++) {
        char text[1000];
        snprintf(text, sizeof text, HEAD "%s" MATERIAL("") ROD(""), frictions[i]);
        assert_true(fabs(bend_damping(text) / (0.01 / sqrt(1000)) - 1) < 1e-12);
    }
    assert_says(HEAD "contact: {friction: 0.3}\n" MATERIAL("") ROD(""), SAYS);
}

static void test_only_where_nobody_chose(void **state) {
    (void)state;
#define UNDER "contact: {friction: 0.3}\n"
    assert_true(bend_damping(HEAD UNDER MATERIAL(", damping: 0") ROD("")) == 0);
    assert_true(bend_damping(HEAD UNDER MATERIAL("") ROD(", damping: 0")) == 0);
    assert_true(bend_damping(HEAD UNDER MATERIAL(", damping: {stretch: 1 ms}") ROD("")) == 0);
    assert_true(bend_damping(HEAD UNDER MATERIAL(", damping: 2 ms") ROD("")) == 2e-3);
    assert_true(bend_damping(HEAD UNDER MATERIAL("") ROD(", model: der")) == 0);
    assert_true(bend_damping(HEAD MATERIAL("") ROD("")) == 0);
    assert_true(bend_damping(HEAD "contact: off\n" MATERIAL("") ROD("")) == 0);
#undef UNDER
}

// A rope, once around a bollard, that friction holds by a fifth more than it needs to. Without damping it slides, and
// its slack end, pulled back with 2 N, has gone towards the bollard by a tenth of a metre after 0.1 s.
static void test_rope_holds_on_a_bollard(void **state) {
    (void)state;
    enum { AROUND = 15, TAIL = 6, SIZE = 6000 };
    const double pi = 3.141592653589793, part = 2 * pi / AROUND, r = 0.0505 / cos(part / 2), rise = 2e-4;
    char *text = malloc(SIZE);
    assert_non_null(text);
    size_t used = (size_t)snprintf(
        text, SIZE,
        "cordage: 1\nsimulation: {duration: 0.1, model: corde, gravity: [0, 0, 0]}\ncontact: {friction: 0.3}\n"
        "materials: {m: {young_modulus: 20 MPa, density: 1100, poisson_ratio: 0.4}}\n"
        "obstacles: [{cylinder: {radius: 5 cm, length: 30 cm}}]\n"
        "loads:\n  - {force: [0, -2, 0], at: a.start, ramp: 0.1}\n  - {force: [0, %g, 0], at: a.end, ramp: 0.1}\n"
        "rods:\n  - {name: a, material: m, section: {circle: {radius: 0.5 mm}}, rest: initial, centerline: {points: [",
        0.8 * 2 * exp(0.3 * 2 * pi));
    for (int i = -TAIL; i <= AROUND + TAIL; i++) {
        double angle = part * fmin(fmax(i, 0), AROUND), beyond = r * part * (i < 0 ? i : fmax(0, i - AROUND));
        used += (size_t)snprintf(text + used, SIZE - used, "%s[%.9g, %.9g, %.9g]", i > -TAIL ? ", " : "",
                                 r * cos(angle), r * sin(angle) + beyond, rise * i);
    }
    snprintf(text + used, SIZE - used, "]}}\n");
    cdg_scene *scene = scene_parse_with(text, NULL, 0);
    cdg_world *world = NULL;
    cdg_error error;
    assert_int_equal(cdg_scene_build(scene, 1, &world, &error), CDG_OK);
    cdg_rod_id rod = cdg_world_rod_at(world, 0);
    cdg_vec3 before[AROUND + 2 * TAIL + 1], after[AROUND + 2 * TAIL + 1];
    assert_int_equal(cdg_rod_positions(world, rod, before), CDG_OK);
    while (cdg_world_time(world) < 0.1) assert_int_equal(cdg_world_step(world, NULL), CDG_OK);
    assert_int_equal(cdg_rod_positions(world, rod, after), CDG_OK);
    assert_true(after[0].y < before[0].y);
    assert_true(after[0].y > before[0].y - 0.05);
    cdg_world_destroy(world);
    cdg_scene_destroy(scene);
    free(text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_undamped_rods_are_damped_and_told),
        cmocka_unit_test(test_only_where_nobody_chose),
        cmocka_unit_test(test_rope_holds_on_a_bollard),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
