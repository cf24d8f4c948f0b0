// Static runs: outputs at every step, what is known about each, and reading all that back; interrupted,
// failing, out of steps, resumed; a dynamic run with vibrations about its start.
#define _DEFAULT_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "static_run_case.h"

static void test_outputs_and_modes(void **state) {
    fixture *f = *state;
    for (int k = 0; k < 2; k++) {
        cdg_run_summary summary;
        cdg_error error;
        const char *text = k == 0 ? SCENE("model: der, mode: static, modes: 3", "0.01 N", "")
                                  : SCENE("model: galpha, mode: static, modes: 3", "0.01 N", "");
        if (run(f, text, false, &summary, &error) != CDG_OK) fail_msg("%s", error.message);
        assert_true(summary.is_static && summary.finished && summary.time == 1);
        assert_true(summary.path.equilibrium.is_stable && summary.frame_count == (size_t)summary.path.step_count + 1);
        assert_true(summary.frame_count >= 11 && f->calls == (int)summary.frame_count);
        cdg_run_reader *reader = NULL;
        assert_int_equal(cdg_run_reader_open(f->base, &reader, &error), CDG_OK);
        assert_true(reader->is_static && reader->mode_count == 3 && reader->frame_count == summary.frame_count);
        double *lowest = malloc(reader->frame_count * sizeof *lowest), frequencies[3], nodes[39];
        cdg_vec3 shapes[3 * 13];
        assert_int_equal(cdg_run_reader_stability(reader, lowest, &error), CDG_OK);
        assert_int_equal(cdg_run_reader_modes(reader, 0, frequencies, shapes, &error), CDG_OK);
        assert_true(lowest[reader->frame_count - 1] == summary.path.equilibrium.lowest && lowest[0] > 0);
        // The first eigenvalue is the first frequency squared.
        double first = 6.283185307179586 * frequencies[0];
        assert_near(first * first / summary.path.equilibrium.lowest, 1, 1e-6);
        assert_true(frequencies[1] >= frequencies[0] && frequencies[2] > frequencies[1]);
        assert_true(vec3_norm(shapes[0]) < 1e-9 && vec3_norm(shapes[12]) > 0.1);
        assert_int_equal(cdg_run_reader_read(reader, reader->frame_count - 1, 0, CDG_FIELD_positions, nodes, &error),
                         CDG_OK);
        assert_true(nodes[38] < -0.3);
        assert_int_equal(cdg_run_reader_modes(reader, 1, frequencies, NULL, &error), CDG_ERROR_ARGUMENT);
        cdg_run_reader_close(reader);
        free(lowest);
        cdg_run_info info;
        assert_int_equal(cdg_run_info_read(f->base, &info, &error), CDG_OK);
        assert_true(info.is_finished && info.frames_planned == summary.frame_count);
        cdg_run_info_free(&info);
        assert_int_equal(run(f, text, true, &summary, &error), CDG_ERROR_ARGUMENT); // nothing to resume
        assert_non_null(strstr(error.message, "a static run is not resumed"));
    }
}

// By arc length times turn back; the player's times rise all the same.
static void test_times_that_turn_back(void **state) {
    fixture *f = *state;
    cdg_run_summary summary;
    cdg_error error;
    const char *text =
        "cordage: 1\nsimulation: {model: der, mode: static, gravity: [0, 0, 0], static: {path: arc_length}}\n"
        "output: {every: 0.1 s}\n"
        "materials: {rubber: {young_modulus: 20 MPa, density: 1200 kg/m^3}}\n"
        "rods:\n  - {name: a, material: rubber, section: {rectangle: {width: 4 cm, height: 6 cm}}, "
        "normal: [0, 0, 1], elements: 20, rest: initial, centerline: {arc: {start: [0, 0, 0], tangent: "
        "[0.9715993, 0, 0.2366323], normal: [0.2366323, 0, -0.9715993], radius: 2.1129829 m, angle: "
        "0.4777932 rad}}}\n"
        "supports: [{pin: [a.start, a.end]}, {twist: [a.start, a.end]}]\n"
        "loads: [{force: [0, 0, -100 N], at: a.node(10), ramp: 1 s}]\n";
    if (run(f, text, false, &summary, &error) != CDG_OK) fail_msg("%s", error.message);
    assert_true(summary.path.turn_count >= 2 && summary.time == 1);
    cdg_run_reader *reader = NULL;
    assert_int_equal(cdg_run_reader_open(f->base, &reader, &error), CDG_OK);
    assert_true(reader->turns_back);
    bool has_fallen = false;
    for (size_t i = 1; i < reader->frame_count; i++) {
        has_fallen = has_fallen || reader->times[i] < reader->times[i - 1];
        assert_true(reader->play[i] > reader->play[i - 1]);
    }
    assert_true(has_fallen);
    cdg_run_reader_close(reader);
}

static void test_stops_and_failures(void **state) {
    fixture *f = *state;
    cdg_run_summary summary;
    cdg_error error;
    f->stop = 4;
    assert_int_equal(run(f, SCENE("model: der, mode: static", "0.01 N", ""), false, &summary, &error),
                     CDG_ERROR_INTERRUPTED);
    assert_true(!summary.finished && summary.frame_count == 4);
    f->stop = 0;
    assert_int_equal(
        run(f, SCENE("model: der, mode: static, static: {steps: 5}", "0.01 N", ""), false, &summary, &error),
        CDG_ERROR_NO_CONVERGENCE);
    assert_true(summary.frame_count == 6);
    // Let go, nothing holds it.
    assert_int_equal(
        run(f, SCENE("model: der, mode: static, duration: 1 s", "0.01 N", ", release: 0.5 s"), false, &summary, &error),
        CDG_ERROR_NO_CONVERGENCE);
    assert_true(summary.path.equilibrium.history_count > 0 && summary.time < 0.5 && summary.time > 0.3);
    char *json = run_read_text(f->base, "summary.json", NULL);
    assert_non_null(strstr(json, "\"history\": ["));
    assert_non_null(strstr(json, "falls for ever"));
    assert_non_null(strstr(json, "\"finished\": false"));
    free(json);
}

static void test_one_equilibrium(void **state) {
    fixture *f = *state;
    cdg_run_summary summary;
    cdg_error error;
    const char *text = "cordage: 1\nsimulation: {model: der, mode: static}\n"
                       "materials: {rubber: {young_modulus: 1 MPa, density: 1100 kg/m^3}}\n"
                       "rods:\n  - {name: a, material: rubber, section: {circle: {radius: 1 cm}}, elements: 8, "
                       "centerline: {line: {from: [0, 0, 0], to: [1, 0, 0]}}}\n"
                       "supports: [{clamp: a.start}]\n";
    if (run(f, text, false, &summary, &error) != CDG_OK) fail_msg("%s", error.message);
    assert_true(summary.frame_count == 1 && summary.time == 0 && summary.path.step_count == 0 && summary.finished);
}

static void test_dynamic_run_with_modes(void **state) {
    fixture *f = *state;
    cdg_run_summary summary;
    cdg_error error;
    const char *text = SCENE("model: der, duration: 0.2 s, step: 10 ms, modes: 1", "0.01 N", "");
    if (run(f, text, false, &summary, &error) != CDG_OK) fail_msg("%s", error.message);
    cdg_run_reader *reader = NULL;
    assert_int_equal(cdg_run_reader_open(f->base, &reader, &error), CDG_OK);
    double frequency, none;
    assert_true(!reader->is_static && reader->mode_count == 1);
    assert_int_equal(cdg_run_reader_modes(reader, 0, &frequency, NULL, &error), CDG_OK);
    // First frequency of a cantilever: B/m = E r^2/(4 rho), 12 elements.
    double expected = 1.8751040687 * 1.8751040687 * sqrt(1e6 * 1e-4 / 4 / 1100) / 6.283185307179586;
    assert_near(frequency / expected, 1, 0.01);
    assert_int_equal(cdg_run_reader_stability(reader, &none, &error), CDG_ERROR_ARGUMENT);
    cdg_run_reader_close(reader);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_outputs_and_modes, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_times_that_turn_back, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_stops_and_failures, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_one_equilibrium, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_dynamic_run_with_modes, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
