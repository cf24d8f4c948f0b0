// Quantities as text: values, dimensions, messages, locale.
#include "scene_text.h"

#include "math/random.h"
#include "near.h"
#include "scene/units.h"

#include <locale.h>

static cdg_measure measure(const char *text) {
    cdg_measure out;
    cdg_error error;
    if (cdg_measure_parse(text, strlen(text), &out, &error) != CDG_OK) fail_msg("'%s': %s", text, error.message);
    return out;
}

static void check(const char *text, double value, cdg_quantity quantity) {
    cdg_measure m = measure(text);
    if (!(fabs(m.value - value) <= 1e-14 * fabs(value))) fail_msg("'%s' is %.17g, not %.17g", text, m.value, value);
    if (!cdg_measure_fits(&m, quantity)) fail_msg("'%s' is not %s", text, cdg_quantity_text(quantity));
}

static void test_values(void **state) {
    (void)state;
    const double pi = acos(-1);
    check("2 mm", 2e-3, CDG_LENGTH);
    check("2mm", 2e-3, CDG_LENGTH);
    check("1.3 N m^2", 1.3, CDG_BENDING);
    check("0.79 N*m^2", 0.79, CDG_BENDING);
    check("0.79 N·m²", 0.79, CDG_BENDING);
    check("10 turns", 20 * pi, CDG_ANGLE);
    check("30 deg", pi / 6, CDG_ANGLE);
    check("30°", pi / 6, CDG_ANGLE);
    check("-9.81 m/s^2", -9.81, CDG_ACCELERATION);
    check("12 kN", 12e3, CDG_FORCE);
    check("1e6 Pa", 1e6, CDG_PRESSURE);
    check("1 MPa", 1e6, CDG_PRESSURE);
    check("30 N/mm^2", 30e6, CDG_PRESSURE);
    check("13.8 g/m", 13.8e-3, CDG_LINE_MASS);
    check("20 ms", 0.02, CDG_TIME);
    check("2 min", 120, CDG_TIME);
    check("2 1/s", 2, CDG_RATE);
    check("2/s", 2, CDG_RATE);
    check("2 s^-1", 2, CDG_RATE);
    check("5 Hz", 5, CDG_RATE);
    check("5 %", 0.05, CDG_NUMBER);
    check("1.2 kg/m^3", 1.2, CDG_DENSITY);
    check("1.1 g/cm^3", 1100, CDG_DENSITY);
    check("3 rad/m", 3, CDG_CURVATURE);
    check("3 1/m", 3, CDG_CURVATURE);
    check("90 deg/m", pi / 2, CDG_CURVATURE);
    check("1 turn/s", 2 * pi, CDG_ANGULAR_SPEED);
    check("60 rpm", 2 * pi, CDG_ANGULAR_SPEED);
    check("1 in", 0.0254, CDG_LENGTH);
    check("3 ft", 0.9144, CDG_LENGTH);
    check("1 lbf", 4.4482216152605, CDG_FORCE);
    check("10 µm", 1e-5, CDG_LENGTH);
    check("10 um", 1e-5, CDG_LENGTH);
    check("7 kg m^2/s^2", 7, CDG_MOMENT);
    check("7 J", 7, CDG_MOMENT);
    check("8 N/m/s s", 8, CDG_LINE_FORCE);
    check("3 m2", 3, CDG_AREA);
    check("  4  ", 4, CDG_LENGTH);
    check("+.5", 0.5, CDG_NUMBER);
    check("5.", 5, CDG_NUMBER);
    check("1E-3", 1e-3, CDG_NUMBER);
}

static void test_every_example_fits_its_kind(void **state) {
    (void)state;
    for (int i = 0; i < CDG_QUANTITY_COUNT; i++) {
        cdg_measure m = measure(cdg_quantity_example((cdg_quantity)i));
        assert_true(cdg_measure_fits(&m, (cdg_quantity)i));
        char unit[40], name[64];
        snprintf(unit, sizeof unit, "1 %s", cdg_quantity_unit((cdg_quantity)i));
        m = measure(unit);
        assert_near(m.value, 1, 1e-15);
        assert_true(cdg_measure_fits(&m, (cdg_quantity)i));
        cdg_dimension_describe(m.dimension, name, sizeof name);
        assert_string_equal(name, cdg_quantity_text((cdg_quantity)i));
    }
}

static void test_dimensions_that_do_not_fit(void **state) {
    (void)state;
    const struct {
        const char *text;
        cdg_quantity quantity;
        bool fits;
    } cases[] = {{"2 MPa", CDG_LENGTH, false},  {"30 deg", CDG_LENGTH, false},    {"30 deg", CDG_NUMBER, false},
                 {"3", CDG_ANGLE, true},        {"3", CDG_LENGTH, true},          {"5 %", CDG_ANGLE, true},
                 {"5 %", CDG_LENGTH, false},    {"1 turn/s", CDG_RATE, false},    {"2 1/s", CDG_ANGULAR_SPEED, true},
                 {"1 m", CDG_CURVATURE, false}, {"1 rad/m", CDG_CURVATURE, true}, {"1 N m", CDG_FORCE, false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        cdg_measure m = measure(cases[i].text);
        if (cdg_measure_fits(&m, cases[i].quantity) != cases[i].fits) fail_msg("case %zu: %s", i, cases[i].text);
    }
    char out[64];
    cdg_dimension_describe((cdg_dimension){.m = 2, .kg = 1}, out, sizeof out);
    assert_string_equal(out, "in kg m^2");
}

static void refuse(const char *text, const char *message) {
    cdg_measure out;
    cdg_error error;
    assert_int_equal(cdg_measure_parse(text, strlen(text), &out, &error), CDG_ERROR_FORMAT);
    if (strstr(error.message, message) == NULL) fail_msg("'%s' says: %s\nnot: %s", text, error.message, message);
}

static void test_messages(void **state) {
    (void)state;
    refuse("2 mmm", "'2 mmm' has the unknown unit 'mmm'; did you mean 'mm'?");
    refuse("10 trns", "did you mean 'turns'?");
    refuse("1 Nm", "did you mean 'N m'?");
    refuse("1 kNm", "did you mean 'kN m'?");
    refuse("1 Mpa", "did you mean 'MPa'?");
    refuse("3 furlong", "unknown unit 'furlong'; units are");
    refuse("20 °C", "temperature");
    refuse("2,5 mm", "decimal comma");
    refuse("abc", "does not begin with a number");
    refuse("", "does not begin with a number");
    refuse(".inf", "not a finite number");
    refuse("NaN", "not a finite number");
    refuse("1e999", "too large");
    refuse("1e308 km", "too large");
    refuse("2 m^", "power");
    refuse("2 m^12", "power");
    refuse("2 m/", "ends where a unit should follow");
    refuse("2 (m)", "cannot be read from '(m)' on");
    refuse("2 m 3", "cannot be read");
    refuse("1 m^9 m^9 m^9 m^9", "too high powers");
    refuse("0x10", "unknown unit 'x'");
}

static void test_numbers_round_trip(void **state) {
    (void)state;
    cdg_random random = {11};
    for (int i = 0; i < 20000; i++) {
        double value = random_in(&random, -1, 1) * pow(10, random_in(&random, -300, 300)), read;
        char text[40];
        snprintf(text, sizeof text, "%.17g", value);
        assert_true(cdg_number_parse(text, strlen(text), &read));
        assert_true(read == value);
    }
    double out;
    assert_false(cdg_number_parse("1 ", 2, &out));
    assert_false(cdg_number_parse("", 0, &out));
    assert_false(cdg_number_parse("-", 1, &out));
    assert_false(cdg_number_parse(".", 1, &out));
    assert_false(cdg_number_parse("1e", 2, &out));
}

static void test_locale_does_not_matter(void **state) {
    (void)state;
    static const char *const names[] = {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "de_DE"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (setlocale(LC_ALL, names[i]) != NULL) break; // where none is installed the test still runs under "C"
    }
    double value;
    assert_true(cdg_number_parse("1.5", 3, &value));
    assert_true(value == 1.5);
    check("1.5e-3 m", 1.5e-3, CDG_LENGTH);
    setlocale(LC_ALL, "C");
}

static void test_random_text_never_breaks_it(void **state) {
    (void)state;
    static const char letters[] = "0123456789.eE+-^*/ mkgsNPaturnd%\xC2\xB2\xB5\xB7()";
    cdg_random random = {5};
    for (int i = 0; i < 50000; i++) {
        char text[24];
        size_t length = (size_t)random_in(&random, 0, sizeof text);
        for (size_t k = 0; k < length; k++) text[k] = letters[(size_t)random_in(&random, 0, sizeof letters - 1)];
        cdg_measure out;
        cdg_error error;
        if (cdg_measure_parse(text, length, &out, &error) == CDG_OK) assert_true(isfinite(out.value));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values),
        cmocka_unit_test(test_every_example_fits_its_kind),
        cmocka_unit_test(test_dimensions_that_do_not_fit),
        cmocka_unit_test(test_messages),
        cmocka_unit_test(test_numbers_round_trip),
        cmocka_unit_test(test_locale_does_not_matter),
        cmocka_unit_test(test_random_text_never_breaks_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
