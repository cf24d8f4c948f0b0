// Static runs: outputs at every step, what is known about each, vibrations, and reading all that back; interrupted,
// failing, out of steps, resumed; a dynamic run with vibrations about its start.
#define _DEFAULT_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "near.h"
#include "output/run_info.h"
#include "output/run_reader.h"
#include "run_scene.h"

// A cantilever along x: its tip load grows over a second.
#define SCENE(simulation, load, rest)                                                                                  \
    "cordage: 1\n"                                                                                                     \
    "simulation: {" simulation ", gravity: [0, 0, 0]}\n"                                                               \
    "output: {every: 0.1 s}\n"                                                                                         \
    "materials: {rubber: {young_modulus: 1 MPa, density: 1100 kg/m^3}}\n"                                              \
    "rods:\n"                                                                                                          \
    "  - name: cable\n"                                                                                                \
    "    material: rubber\n"                                                                                           \
    "    section: {circle: {radius: 1 cm}}\n"                                                                          \
    "    centerline: {line: {from: [0, 0, 0], to: [1, 0, 0]}}\n"                                                       \
    "    elements: 12\n"                                                                                               \
    "supports: [{clamp: cable.start" rest "}]\n"                                                                       \
    "loads: [{force: [0, 0, -" load "], at: cable.end, ramp: 1 s}]\n"                                                  \
    "probes: [{name: tip, position: cable.end}]\n"

typedef struct fixture {
    char base[RUN_PATH_SIZE];
    int calls, stop;
} fixture;

static int set_up(void **state) {
    fixture *f = calloc(1, sizeof *f);
    assert_non_null(f);
    run_directory_make(f->base);
    *state = f;
    return 0;
}
static int tear_down(void **state) {
    fixture *f = *state;
    run_directory_remove(f->base);
    free(f);
    return 0;
}

static bool progress(void *user, const cdg_run_progress *now) {
    fixture *f = user;
    assert_true(now->time <= now->duration && now->report != NULL);
    return ++f->calls != f->stop;
}

static cdg_result run(fixture *f, const char *text, bool resume, cdg_run_summary *summary, cdg_error *error) {
    cdg_scene *scene = run_scene_parse(text, NULL, 0);
    cdg_run_def def = {
        .scene = scene, .directory = f->base, .resume = resume, .thread_count = 1, .on_progress = progress, .user = f};
    f->calls = 0;
    cdg_result result = cdg_run(&def, summary, error);
    cdg_scene_destroy(scene);
    return result;
}

// Of a bar with one end held, about its rest: as the library finds them, read back, and shown as a swing. Longitudinal
// waves of a bar without contraction are exact: a quarter of a wave in its length.
static void test_modes_of_solids(void **state) {
    enum { MODES = 7 };
    fixture *f = *state;
    cdg_run_summary summary;
    cdg_error error;
    const char *text = "cordage: 1\n"
                       "contact: off\n"
                       "simulation: {mode: static, gravity: [0, 0, 0], modes: 7}\n"
                       "solids:\n"
                       "  - name: bar\n"
                       "    shape: {box: {size: [0.4, 0.1, 0.1]}, resolution: 0.025}\n"
                       "    material: {young_modulus: 0.1 MPa, poisson_ratio: 0, density: 1000 kg/m^3}\n"
                       "    supports: [{plane: {point: [-0.199, 0, 0], normal: [-1, 0, 0]}}]\n";
    if (run(f, text, false, &summary, &error) != CDG_OK) fail_msg("%s", error.message);
    cdg_run_reader *reader = NULL;
    assert_int_equal(cdg_run_reader_open(f->base, &reader, &error), CDG_OK);
    assert_int_equal(reader->mode_count, MODES);
    size_t nodes = reader->solids[0].node_count;
    double frequencies[MODES];
    cdg_vec3 *shapes = malloc(MODES * nodes * sizeof *shapes), *rest = malloc(nodes * sizeof *rest),
             *swung = malloc(nodes * sizeof *swung);
    assert_true(shapes != NULL && rest != NULL && swung != NULL);
    assert_int_equal(cdg_run_reader_solid_modes(reader, 0, frequencies, shapes, &error), CDG_OK);
    assert_int_equal(cdg_run_reader_solid_modes(reader, 1, frequencies, NULL, &error), CDG_ERROR_ARGUMENT);
    double along = 0, found = 0;
    for (int m = 0; m < MODES; m++) { // the one that moves the free end along the bar
        double sum = 0, largest = 0;
        for (size_t i = 0; i < nodes; i++) {
            sum += shapes[(size_t)m * nodes + i].x / (double)nodes;
            largest = fmax(largest, vec3_norm(shapes[(size_t)m * nodes + i]));
        }
        assert_near(largest, 1, 1e-12);
        if (fabs(sum) > along) along = fabs(sum), found = frequencies[m];
        assert_true(m == 0 || frequencies[m] >= frequencies[m - 1]);
    }
    assert_near(found / (sqrt(0.1e6 / 1000) / (4 * 0.4)), 1, 2e-3);
    assert_int_equal(cdg_run_reader_solid(reader, 0, 0, CDG_SOLID_FIELD_positions, &rest->x, &error), CDG_OK);
    assert_int_equal(cdg_run_reader_show_mode(reader, 1, 0.01, &error), CDG_OK);
    assert_int_equal(cdg_run_reader_solid(reader, 0, 0, CDG_SOLID_FIELD_positions, &swung->x, &error), CDG_OK);
    for (size_t i = 0; i < nodes; i++)
        assert_near(vec3_distance(vec3_mad(rest[i], 0.01, shapes[i]), swung[i]), 0, 1e-12);
    free(shapes), free(rest), free(swung);
    cdg_run_reader_close(reader);
}

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

// A mode instead of the run: outputs over a period, about the last equilibrium, or about the start of a dynamic run.
static void test_mode_is_shown(void **state) {
    fixture *f = *state;
    for (int k = 0; k < 2; k++) {
        cdg_run_summary summary;
        cdg_error error;
        const char *text = k == 0 ? SCENE("model: der, mode: static, modes: 2", "0.01 N", "")
                                  : SCENE("model: der, duration: 0.2 s, step: 10 ms, modes: 2", "0.1 N", "");
        if (run(f, text, false, &summary, &error) != CDG_OK) fail_msg("%s", error.message);
        cdg_run_reader *reader = NULL;
        assert_int_equal(cdg_run_reader_open(f->base, &reader, &error), CDG_OK);
        double about[39], first[39], middle[39], energy[100], frames[48];
        size_t base = k == 0 ? reader->frame_count - 1 : 0;
        assert_int_equal(cdg_run_reader_read(reader, base, 0, CDG_FIELD_positions, about, &error), CDG_OK);
        assert_int_equal(cdg_run_reader_show_mode(reader, 3, 0, &error), CDG_ERROR_ARGUMENT);
        assert_int_equal(cdg_run_reader_show_mode(reader, 0, 0, &error), CDG_ERROR_ARGUMENT);
        assert_int_equal(cdg_run_reader_show_mode(reader, 2, 0.25, &error), CDG_OK);
        assert_true(reader->frame_count % 2 == 1 && reader->times[0] == 0 &&
                    reader->times[reader->frame_count - 1] == 1);
        assert_int_equal(cdg_run_reader_read(reader, 0, 0, CDG_FIELD_positions, first, &error), CDG_OK);
        assert_int_equal(cdg_run_reader_read(reader, reader->frame_count / 2, 0, CDG_FIELD_positions, middle, &error),
                         CDG_OK);
        double largest = 0;
        for (int i = 0; i < 39; i++) {
            assert_near(first[i] + middle[i], 2 * about[i], 1e-12);
            if (i % 3 == 2)
                largest = fmax(largest, hypot(hypot(first[i] - about[i], first[i - 1] - about[i - 1]),
                                              first[i - 2] - about[i - 2]));
        }
        assert_near(largest, 0.25, 1e-12);
        assert_int_equal(cdg_run_reader_read(reader, 0, 0, CDG_FIELD_frames, frames, &error), CDG_OK);
        cdg_quat q = {frames[44], frames[45], frames[46], frames[47]};
        cdg_vec3 edge = vec3(first[36] - first[33], first[37] - first[34], first[38] - first[35]);
        assert_vec3_near(quat_d3(q), vec3_normalize(edge), 1e-6);
        assert_int_equal(cdg_run_reader_energy(reader, "total", energy, &error), CDG_ERROR_ARGUMENT);
        assert_int_equal(cdg_run_reader_stability(reader, energy, &error), CDG_ERROR_ARGUMENT);
        cdg_run_reader_close(reader);
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
        cmocka_unit_test_setup_teardown(test_modes_of_solids, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_outputs_and_modes, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_mode_is_shown, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_times_that_turn_back, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_stops_and_failures, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_one_equilibrium, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_dynamic_run_with_modes, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
