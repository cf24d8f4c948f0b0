// What is in a run directory: finished, interrupted, being written, damaged, or something else.
#define _DEFAULT_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/wait.h>

#include <cmocka.h>

#include "math/random.h"
#include "output/run_info.h"
#include "run_scene.h"

typedef struct fixture {
    char base[RUN_PATH_SIZE];
    cdg_scene *scene;
    uint64_t stop; // step after which the run is interrupted; 0: never
    bool looks;    // reads the info during the run
} fixture;

static int set_up(void **state) {
    static fixture f;
    f = (fixture){0};
    run_directory_make(f.base);
    f.scene = run_scene_make((run_scene_options){0});
    *state = &f;
    return 0;
}

static int tear_down(void **state) {
    fixture *f = *state;
    cdg_scene_destroy(f->scene);
    run_directory_remove(f->base);
    return 0;
}

static cdg_run_info info_of(const char *directory) {
    cdg_run_info info;
    cdg_error error;
    if (cdg_run_info_read(directory, &info, &error) != CDG_OK) fail_msg("%s", error.message);
    return info;
}

static bool progress(void *user, const cdg_run_progress *now) {
    fixture *f = user;
    if (f->looks && now->step == 37) {
        cdg_run_info info = info_of(f->base);
        assert_int_equal(info.frame_count, 8);
        assert_false(info.is_finished);
        assert_true(info.time_end == 0.035);
        cdg_run_info_free(&info);
    }
    return f->stop == 0 || now->step < f->stop;
}

static cdg_run_summary run(fixture *f, cdg_result expected) {
    cdg_run_def def = {.scene = f->scene, .directory = f->base, .thread_count = 1, .on_progress = progress, .user = f};
    cdg_run_summary summary;
    cdg_error error;
    if (cdg_run(&def, &summary, &error) != expected) fail_msg("%s", error.message);
    return summary;
}

static void test_finished(void **state) {
    fixture *f = *state;
    f->looks = true;
    cdg_run_summary summary = run(f, CDG_OK);
    cdg_run_info info = info_of(f->base);
    assert_string_equal(info.title, "A cable and a ring");
    assert_string_equal(info.version, cdg_version());
    assert_string_equal(info.model, "pobd");
    assert_string_equal(info.scene_name, "test.yaml");
    assert_non_null(strstr(info.scene_text, "name: cable"));
    assert_string_equal(info.overrides, "");
    assert_non_null(strstr(info.settings, "pobd"));
    assert_true(info.is_finished);
    assert_int_equal(info.frame_count, 13);
    assert_int_equal(info.frames_planned, 13);
    assert_true(info.time_start == 0 && info.time_end == summary.time && info.end_time == 0.06);
    assert_true(info.step == 1e-3 && info.steps_per_output == 5 && info.output_every == 0.005);
    assert_true(info.energy_start.total == summary.energy_start && info.energy_end.total == summary.energy_end);
    assert_int_equal(info.rod_count, 2);
    assert_string_equal(info.rods[0].name, "cable"); // in order of creation
    assert_string_equal(info.rods[1].name, "ring");
    assert_string_equal(info.rods[1].model, "pobd");
    assert_false(info.rods[0].is_closed);
    assert_true(info.rods[1].is_closed);
    assert_int_equal(info.rods[0].node_count, 11);
    assert_int_equal(info.rods[0].element_count, 10);
    assert_int_equal(info.rods[1].node_count, 12);
    assert_int_equal(info.rods[1].element_count, 12);
    assert_true(fabs(info.rods[0].length - 1) < 1e-9 && info.rods[0].mass > 0);
    assert_true(info.run_size > 0 && info.run_used > 0 && info.probes_size > 0 && info.summary_size > 0);

    cdg_json json = {0};
    cdg_run_info_write_json(&json, NULL, &info);
    const char *text = cdg_json_finish(&json);
    assert_non_null(text);
    const char *const parts[] = {"\"finished\": true", "\"name\": \"ring\"", "\"closed\": true", "\"outputs\": 13",
                                 "\"dissipated\""};
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) assert_non_null(strstr(text, parts[i]));
    cdg_json_free(&json);
    cdg_run_info_free(&info);
    cdg_run_info_free(&info); // again is harmless
}

static void test_interrupted(void **state) {
    fixture *f = *state;
    f->stop = 23;
    run(f, CDG_ERROR_INTERRUPTED);
    cdg_run_info info = info_of(f->base);
    assert_false(info.is_finished);
    assert_int_equal(info.frame_count, 5);
    assert_int_equal(info.frames_planned, 13);
    assert_true(info.time_end == 0.02);
    cdg_run_info_free(&info);
}

static void expect_failure(const char *directory, cdg_result code, const char *part) {
    cdg_run_info info;
    cdg_error error = {0};
    assert_int_equal(cdg_run_info_read(directory, &info, &error), code);
    if (strstr(error.message, part) == NULL) fail_msg("'%s' is missing in: %s", part, error.message);
    assert_null(info.rods);
}

static void test_not_a_run(void **state) {
    fixture *f = *state;
    expect_failure(f->base, CDG_ERROR_IO, "no run here");
    run_write_text(f->base, "run.h5", "hello", 5);
    expect_failure(f->base, CDG_ERROR_FORMAT, "not a whole run file");
    unlink(run_path(f->base, "run.h5"));
    H5Fclose(H5Fcreate(run_path(f->base, "run.h5"), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT));
    expect_failure(f->base, CDG_ERROR_FORMAT, "not a run of cordage");
    unlink(run_path(f->base, "run.h5"));
    mkdir(run_path(f->base, "run.h5"), 0777);
    expect_failure(f->base, CDG_ERROR_FORMAT, "not a whole run file");
}

static void test_cut_off(void **state) {
    fixture *f = *state;
    run(f, CDG_OK);
    size_t size;
    char *bytes = run_read_text(f->base, "run.h5", &size);
    cdg_random random = {7};
    for (int i = 0; i < 100; i++) {
        run_write_text(f->base, "run.h5", bytes, random_bits(&random) % size);
        expect_failure(f->base, CDG_ERROR_FORMAT, "run.h5");
    }
    free(bytes);
}

// Noise anywhere in the structure gives an answer or an error, never a crash. In a process of its own, because HDF5
// complains when a process ends that has seen such files.
static void test_noise(void **state) {
    fixture *f = *state;
    run(f, CDG_OK);
    size_t size;
    char *bytes = run_read_text(f->base, "run.h5", &size);
    pid_t child = fork();
    if (child == 0) {
        cdg_random random = {8};
        for (int i = 0; i < 300; i++) {
            size_t at = i % 2 ? random_bits(&random) % 4096 : random_bits(&random) % size;
            char kept = bytes[at];
            bytes[at] = (char)(kept ^ (char)(1u << random_bits(&random) % 8));
            run_write_text(f->base, "run.h5", bytes, size);
            bytes[at] = kept;
            cdg_run_info info;
            if (cdg_run_info_read(f->base, &info, NULL) == CDG_OK) cdg_run_info_free(&info);
        }
        _exit(0);
    }
    int status;
    waitpid(child, &status, 0);
    assert_int_equal(status, 0);
    free(bytes);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_finished, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_interrupted, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_not_a_run, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_cut_off, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_noise, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
