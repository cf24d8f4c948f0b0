// Values from nodes, and what is said about wrong ones.
#include "scene_text.h"

#include "math/vec3.h"
#include "near.h"

typedef struct value_case {
    scene_storage *storage;
    scene_diagnostics diagnostics;
    scene_reader reader;
    const scene_node *node;
} value_case;

static void begin(value_case *c, const char *text) {
    *c = (value_case){.storage = cdg_storage_create(0)};
    c->diagnostics.storage = c->storage;
    c->reader = (scene_reader){.storage = c->storage, .diagnostics = &c->diagnostics};
    c->node = cdg_tree_parse(text, strlen(text), NULL, c->storage, &c->diagnostics);
    assert_non_null(c->node);
}

static void finish(value_case *c, const char *expected) {
    if (expected == NULL) {
        assert_int_equal(c->diagnostics.count, 0);
    } else {
        assert_int_equal(c->diagnostics.count, 1);
        assert_string_equal(c->diagnostics.items[0].text, expected);
    }
    cdg_storage_destroy(c->storage);
}

static void check_quantity(const char *text, cdg_quantity quantity, scene_range range, double value,
                           const char *expected) {
    value_case c;
    begin(&c, text);
    double out = -77;
    bool is_good = cdg_read_quantity(&c.reader, c.node, "radius", quantity, range, &out);
    assert_int_equal(is_good, expected == NULL);
    assert_near(out, is_good ? value : -77, 1e-15);
    finish(&c, expected);
}

static void test_quantities(void **state) {
    (void)state;
    check_quantity("2 mm", CDG_LENGTH, SCENE_POSITIVE, 2e-3, NULL);
    check_quantity("'2 mm'", CDG_LENGTH, SCENE_POSITIVE, 2e-3, NULL);
    check_quantity("0.5", CDG_NUMBER, SCENE_POISSON, 0.5, NULL);
    check_quantity("2 MPa", CDG_LENGTH, SCENE_POSITIVE, 0, "radius is a length; '2 MPa' is a pressure");
    check_quantity("30 deg", CDG_LENGTH, SCENE_POSITIVE, 0, "radius is a length; '30 deg' is an angle");
    check_quantity("[2 mm]", CDG_LENGTH, SCENE_POSITIVE, 0, "radius: expected a length such as '2 mm', found a list");
    check_quantity("{a: 2 mm}", CDG_LENGTH, SCENE_POSITIVE, 0, "radius: expected a length such as '2 mm', found a map");
    check_quantity("small", CDG_LENGTH, SCENE_POSITIVE, 0, "radius: expected a length such as '2 mm', found 'small'");
    check_quantity("2 mmm", CDG_LENGTH, SCENE_POSITIVE, 0,
                   "radius: '2 mmm' has the unknown unit 'mmm'; did you mean 'mm'?");
    check_quantity(".nan", CDG_LENGTH, SCENE_POSITIVE, 0, "radius: '.nan' is not a finite number");
    check_quantity("inf", CDG_LENGTH, SCENE_ANY, 0, "radius: 'inf' is not a finite number");
    check_quantity("-2 mm", CDG_LENGTH, SCENE_POSITIVE, 0, "radius must be greater than 0; it is '-2 mm'");
    check_quantity("0", CDG_LENGTH, SCENE_POSITIVE, 0, "radius must be greater than 0; it is '0'");
    check_quantity("-1", CDG_LENGTH, SCENE_NOT_NEGATIVE, 0, "radius must be 0 or more; it is '-1'");
    check_quantity("101 %", CDG_NUMBER, SCENE_FRACTION, 0, "radius must be from 0 to 1; it is '101 %'");
    check_quantity("0.6", CDG_NUMBER, SCENE_POISSON, 0, "radius must be greater than -1 and at most 0.5; it is '0.6'");
}

static void check_direction(const char *text, cdg_vec3 value, const char *expected) {
    value_case c;
    begin(&c, text);
    cdg_vec3 out = vec3(0, 0, 0);
    assert_int_equal(cdg_read_direction(&c.reader, c.node, "axis", &out), expected == NULL);
    if (expected == NULL) assert_vec3_near(out, value, 1e-15);
    finish(&c, expected);
}

static void test_directions_are_made_unit(void **state) {
    (void)state;
    check_direction("[0, 0, 5]", vec3(0, 0, 1), NULL);
    check_direction("[3e200, 0, 4e200]", vec3(0.6, 0, 0.8), NULL);
    check_direction("[3e-200, 0, 4e-200]", vec3(0.6, 0, 0.8), NULL);
    check_direction("[0, 0, 0]", vec3(0, 0, 0), "axis is a direction; it must not be zero");
    check_direction("[0, 0]", vec3(0, 0, 0), "axis: expected three plain numbers such as [0, 0, 1], found a list of 2");
    check_direction("[0, 0, 1 m]", vec3(0, 0, 0), "axis is a plain number; '1 m' is a length");
    check_direction("up", vec3(0, 0, 0), "axis: expected a list of three plain numbers such as [0, 0, 1], found 'up'");
}

static void check_integer(const char *text, int value, const char *expected) {
    value_case c;
    begin(&c, text);
    int out = -77;
    assert_int_equal(cdg_read_integer(&c.reader, c.node, "elements", 1, 1000, &out), expected == NULL);
    assert_int_equal(out, expected == NULL ? value : -77);
    finish(&c, expected);
}

static void test_integers(void **state) {
    (void)state;
    check_integer("100", 100, NULL);
    check_integer("1e2", 100, NULL);
    check_integer("2.5", 0, "elements: expected a whole number such as 5, found '2.5'");
    check_integer("100 m", 0, "elements: expected a whole number such as 5, found '100 m'");
    check_integer("0", 0, "elements must be from 1 to 1000; it is '0'");
    check_integer("1e300", 0, "elements must be from 1 to 1000; it is '1e300'");
    check_integer("[]", 0, "elements: expected a whole number such as 5, found an empty list");
}

static void test_switches(void **state) {
    (void)state;
    static const char *const texts[] = {"true", "yes", "on", "false", "no", "off"};
    for (int i = 0; i < 6; i++) {
        value_case c;
        begin(&c, texts[i]);
        bool out = i >= 3;
        assert_true(cdg_read_switch(&c.reader, c.node, "closed", &out));
        assert_int_equal(out, i < 3);
        finish(&c, NULL);
    }
    value_case c;
    begin(&c, "maybe");
    bool out;
    assert_false(cdg_read_switch(&c.reader, c.node, "closed", &out));
    finish(&c, "closed: expected true or false, found 'maybe'");
}

static void test_choices_and_keys(void **state) {
    (void)state;
    assert_says("cordage: 1\nsimulation: {duration: 1 s, pobd: {solver: gaus_seidel, darboux: x, integrator: "
                "[bdf2]}}\n" SCENE_CABLE,
                "scene.yaml:2:44: error: solver: 'gaus_seidel' is not known; did you mean 'gauss_seidel'?\n"
                "scene.yaml:2:66: error: darboux: expected one of sine, tangent, angle, found 'x'\n"
                "scene.yaml:2:81: error: integrator: expected one of bdf2, euler, found a list\n");
    assert_says("cordage: 1\nsimulation: {duratoin: 1 s, step:, colour: red, title: x}\n" SCENE_CABLE,
                "scene.yaml:2:14: error: unknown key 'duratoin' in simulation; did you mean 'duration'?\n"
                "scene.yaml:2:29: error: step has no value; expected 'auto' or a time\n"
                "scene.yaml:2:36: error: unknown key 'colour' in simulation; keys here: model, step, duration, "
                "mode, static, modes, "
                "energy_guard, adapt, gravity, pobd, corde, reference, der, galpha\n"
                "scene.yaml:2:49: error: unknown key 'title' in simulation; keys here: model, step, duration, "
                "mode, static, modes, energy_guard, adapt, gravity, "
                "pobd, corde, reference, der, galpha\n");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_quantities),       cmocka_unit_test(test_directions_are_made_unit),
        cmocka_unit_test(test_integers),         cmocka_unit_test(test_switches),
        cmocka_unit_test(test_choices_and_keys),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
