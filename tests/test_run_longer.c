// Runs that go on beyond their end: the overrides that make them longer, and the same bits as from the start.
#define _DEFAULT_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "output/run_longer.h"
#include "run_scene.h"

static const cdg_run_info finished = {.step = 0.001, .output_every = 0.005, .end_time = 0.06, .is_finished = true};

static void test_overrides(void **state) {
    (void)state;
    cdg_run_longer longer;
    cdg_error error;
    assert_int_equal(cdg_run_longer_make("dir", &finished, 0.1, &longer, &error), CDG_OK);
    assert_string_equal(longer.overrides[0], "simulation.duration=0.1");
    assert_string_equal(longer.overrides[1], "output.every=0.005");
    assert_string_equal(longer.overrides[2], "simulation.step=0.001");
    // between outputs: the next one
    assert_int_equal(cdg_run_longer_make("dir", &finished, 0.1011, &longer, &error), CDG_OK);
    assert_true(fabs(longer.end - 0.105) < 1e-15);
}

static void test_refused(void **state) {
    (void)state;
    cdg_run_longer longer;
    cdg_error error;
    const double before[] = {0.06, 0.02, 0, -1, NAN};
    for (size_t i = 0; i < sizeof before / sizeof *before; i++) {
        assert_int_equal(cdg_run_longer_make("dir", &finished, before[i], &longer, &error), CDG_ERROR_ARGUMENT);
        assert_non_null(strstr(error.message, "dir: the run ends at 0.06 s"));
    }
    cdg_run_info broken = finished, still = {.end_time = 1};
    broken.is_finished = false;
    assert_int_equal(cdg_run_longer_make("dir", &broken, 0.05, &longer, &error), CDG_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "leave out --until"));
    assert_int_equal(cdg_run_longer_make("dir", &still, 2, &longer, &error), CDG_ERROR_ARGUMENT); // static
}

static void test_longer_is(void **state) {
    (void)state;
    assert_true(cdg_run_longer_is("", "simulation.duration=2\n"));
    assert_true(cdg_run_longer_is("rods.a.elements=3\n", "rods.a.elements=3\nsimulation.duration=2\noutput.every=1\n"));
    assert_false(cdg_run_longer_is("", ""));
    assert_false(cdg_run_longer_is("rods.a.elements=3\n", "rods.a.elements=3\n"));
    assert_false(cdg_run_longer_is("rods.a.elements=3\n", "rods.a.elements=4\nsimulation.duration=2\n"));
    assert_false(cdg_run_longer_is("", "simulation.duration=2\nrods.a.elements=4\n"));
    assert_false(cdg_run_longer_is("simulation.duration=2\n", ""));
}

static cdg_result run(const char *directory, double duration_ms, const char *const *overrides, size_t count,
                      bool resume, cdg_error *error) {
    cdg_scene *scene = run_scene_make(
        (run_scene_options){.duration_ms = duration_ms, .overrides = overrides, .override_count = count});
    cdg_run_def def = {.scene = scene, .directory = directory, .resume = resume, .thread_count = 1};
    cdg_result result = cdg_run(&def, NULL, error);
    cdg_scene_destroy(scene);
    return result;
}

static void test_same_bits(void **state) {
    (void)state;
    char longer[RUN_PATH_SIZE], whole[RUN_PATH_SIZE];
    run_directory_make(longer);
    run_directory_make(whole);
    cdg_error error;
    static const char *const later[] = {"simulation.duration=0.1"};
    static const char *const other[] = {"simulation.duration=0.1", "rods.cable.elements=11"};
    static const char *const sooner[] = {"simulation.duration=0.03"};
    assert_int_equal(run(longer, 60, NULL, 0, false, &error), CDG_OK);
    assert_int_equal(run(longer, 60, other, 2, true, &error), CDG_ERROR_FORMAT);
    assert_int_equal(run(longer, 60, sooner, 1, true, &error), CDG_ERROR_FORMAT);
    if (run(longer, 60, later, 1, true, &error) != CDG_OK) fail_msg("%s", error.message);
    assert_int_equal(run(whole, 100, NULL, 0, false, &error), CDG_OK);
    hid_t file = run_open(longer);
    assert_int_equal(run_frames(file), 21);
    H5Fclose(file);
    assert_same_outputs(longer, whole, 21);
    assert_same_text(longer, whole, "probes.csv");
    run_directory_remove(longer);
    run_directory_remove(whole);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_overrides),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_longer_is),
        cmocka_unit_test(test_same_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
