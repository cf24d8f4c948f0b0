// Fields along rods: closed forms for twist, curvature, strain and speed.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "rod_case.h"

#include "math/random.h"
#include "render/rod_field.h"

static void test_twist(void **state) {
    (void)state;
    static rod_case rod;
    double values[ROD_CASE_NODES];
    for (int turns = -3; turns <= 3; turns++) {
        rod_case_make(&rod, cdg_section_default(), turns);
        cdg_rod_field_measure(CDG_ROD_FIELD_TWIST, &rod.rod, &rod.moment, values);
        for (int i = 0; i < ROD_CASE_NODES; i++) assert_float_equal(values[i], 6.283185307 * turns / 2, 1e-6);
        cdg_rod_field_measure(CDG_ROD_FIELD_CURVATURE, &rod.rod, &rod.moment, values);
        for (int i = 0; i < ROD_CASE_NODES; i++) assert_float_equal(values[i], 0, 1e-6);
    }
}

// A ring of elements has the same curvature at all nodes, also where it closes, and no twist.
static void test_ring(void **state) {
    (void)state;
    static rod_case rod;
    rod_case_make(&rod, cdg_section_default(), 0);
    cdg_random random = {.state = 6};
    cdg_quat turn = random_rotation(&random);
    rod.rod.is_closed = true;
    rod.rod.node_count = ROD_CASE_ELEMENTS;
    for (int i = 0; i < ROD_CASE_ELEMENTS; i++) {
        double angle = 6.283185307179586 * i / ROD_CASE_ELEMENTS;
        cdg_vec3 tangent = vec3(-sin(angle), cos(angle), 0), outward = vec3(cos(angle), sin(angle), 0);
        rod.frames[i] = quat_multiply(turn, quat_from_axes(vec3(0, 0, 1), outward, tangent));
        rod.frames[i] = quat_normalize(rod.frames[i]);
    }
    double values[ROD_CASE_NODES] = {0};
    cdg_rod_field_measure(CDG_ROD_FIELD_CURVATURE, &rod.rod, &rod.moment, values);
    for (int i = 0; i < ROD_CASE_ELEMENTS; i++) assert_float_equal(values[i], 3.14159265, 1e-6); // length 2: 2 pi / 2
    cdg_rod_field_measure(CDG_ROD_FIELD_TWIST, &rod.rod, &rod.moment, values);
    for (int i = 0; i < ROD_CASE_ELEMENTS; i++) assert_float_equal(values[i], 0, 1e-6);
}

static void test_strain_speed_tension(void **state) {
    (void)state;
    static rod_case rod;
    rod_case_make(&rod, cdg_section_default(), 1);
    for (int i = 0; i < ROD_CASE_NODES; i++) {
        rod.positions[i] = vec3_scale(1.05, rod.positions[i]);
        rod.velocities[i] = vec3(3, 0, 0.1 * i);
    }
    for (int i = 0; i < ROD_CASE_ELEMENTS; i++) rod.tension[i] = i;
    double values[ROD_CASE_NODES];
    cdg_rod_field_measure(CDG_ROD_FIELD_STRAIN, &rod.rod, &rod.moment, values);
    for (int i = 0; i < ROD_CASE_ELEMENTS; i++) assert_float_equal(values[i], 5, 1e-9); // percent
    cdg_rod_field_measure(CDG_ROD_FIELD_SPEED, &rod.rod, &rod.moment, values);
    for (int i = 0; i < ROD_CASE_NODES; i++) assert_float_equal(values[i], hypot(3, 0.1 * i), 1e-12);
    cdg_rod_field_measure(CDG_ROD_FIELD_TENSION, &rod.rod, &rod.moment, values);
    for (int i = 0; i < ROD_CASE_ELEMENTS; i++) assert_float_equal(values[i], i, 0);
}

static void test_names(void **state) {
    (void)state;
    cdg_rod_field field;
    cdg_error error;
    for (int i = 0; i < CDG_ROD_FIELD_COUNT; i++) {
        cdg_rod_field_info info = cdg_rod_field_get((cdg_rod_field)i);
        assert_int_equal(cdg_rod_field_parse(info.name, &field, &error), CDG_OK);
        assert_int_equal(field, i);
        assert_int_equal(cdg_rod_field_parse("colour", &field, &error), CDG_ERROR_ARGUMENT);
        assert_non_null(strstr(error.message, info.name)); // the message lists them all
    }
    assert_int_equal(cdg_rod_field_parse("rod", &field, &error), CDG_OK);
    assert_int_equal(field, CDG_ROD_FIELD_COUNT);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_twist), cmocka_unit_test(test_ring),
                                       cmocka_unit_test(test_strain_speed_tension), cmocka_unit_test(test_names)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
