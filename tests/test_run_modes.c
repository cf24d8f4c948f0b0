// Vibrations of rods and solids as a run holds them, and a mode shown as if it were a run.
#define _DEFAULT_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "static_run_case.h"

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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_modes_of_solids, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_mode_is_shown, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
