// From a run to a file: pictures, sheets and films come out whole, and what goes wrong leaves the old file alone.
#define _DEFAULT_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "render/render_run.h"
#include "run_scene.h"

typedef struct fixture {
    char base[RUN_PATH_SIZE], run[RUN_PATH_SIZE + 8];
} fixture;

static int set_up(void **state) {
    static fixture f;
    run_directory_make(f.base);
    snprintf(f.run, sizeof f.run, "%s/run", f.base);
    cdg_scene *scene = run_scene_make((run_scene_options){.force = 0.05, .every_ms = 10, .duration_ms = 200});
    cdg_run_def def = {.scene = scene, .directory = f.run};
    cdg_error error;
    cdg_run_summary summary;
    if (cdg_run(&def, &summary, &error) != CDG_OK) fail_msg("%s", error.message);
    cdg_scene_destroy(scene);
    *state = &f;
    return 0;
}

static int tear_down(void **state) {
    run_directory_remove(((fixture *)*state)->base);
    return 0;
}

static cdg_render_def small_def(const fixture *f, const char *output) {
    cdg_render_def def = cdg_render_def_default();
    def.run = f->run;
    def.output = output;
    def.width = 64, def.height = 36;
    def.threads = 1;
    def.quality = (cdg_picture_quality){.edge_samples = 2, .ground_samples = 1};
    return def;
}

static size_t file_count(const char *base) {
    size_t count = 0;
    DIR *directory = opendir(base);
    assert_non_null(directory);
    for (struct dirent *entry; (entry = readdir(directory));) count += entry->d_name[0] != '.';
    closedir(directory);
    return count;
}

static void must_render(const cdg_render_def *def, cdg_render_report *report) {
    cdg_error error;
    if (cdg_render_run(def, report, &error) != CDG_OK) fail_msg("%s", error.message);
}

static void test_picture_is_repeatable(void **state) {
    fixture *f = *state;
    cdg_render_report report;
    char *bytes[2];
    size_t sizes[2];
    for (int i = 0; i < 2; i++) {
        cdg_render_def def = small_def(f, run_path(f->base, "shot.png"));
        def.threads = 1 + i;
        assert_int_equal(cdg_rod_field_parse("curvature", &def.field, NULL), CDG_OK);
        def.has_stripe = true;
        must_render(&def, &report);
        assert_int_equal(report.picture_count, 1);
        assert_float_equal(report.last_time, 0.2, 1e-9);
        assert_true(report.has_ground);
        bytes[i] = run_read_text(f->base, "shot.png", &sizes[i]);
    }
    assert_int_equal(sizes[0], sizes[1]);
    assert_memory_equal(bytes[0], bytes[1], sizes[0]);
    assert_memory_equal(bytes[0], "\x89PNG", 4);
    free(bytes[0]);
    free(bytes[1]);
    assert_int_equal(file_count(f->base), 2); // the run and the picture
}

static void test_time_and_frame(void **state) {
    fixture *f = *state;
    cdg_render_report report;
    cdg_render_def def = small_def(f, run_path(f->base, "shot.png"));
    def.has_time = true, def.time = 0.055;
    must_render(&def, &report);
    assert_float_equal(report.first_time, 0.055, 1e-12);
    def.has_time = false, def.has_frame = true, def.frame = 3;
    must_render(&def, &report);
    assert_float_equal(report.first_time, 0.03, 1e-12);
}

static void test_film_and_sheet(void **state) {
    fixture *f = *state;
    cdg_render_report report;
    cdg_render_def def = small_def(f, run_path(f->base, "film.mp4"));
    must_render(&def, &report);
    assert_int_equal(report.picture_count, 6); // 0.2 s at 30 a second
    def.speed = 0.5;
    must_render(&def, &report);
    assert_int_equal(report.picture_count, 12);
    def = small_def(f, run_path(f->base, "sheet.png"));
    def.sheet_columns = 3, def.sheet_rows = 2;
    must_render(&def, &report);
    assert_int_equal(report.picture_count, 6);
    assert_float_equal(report.first_time, 0, 0);
    assert_float_equal(report.last_time, 0.2, 1e-9);
}

static bool stop_at_third(void *user, const cdg_render_progress *progress) {
    size_t *calls = user;
    assert_true(progress->done <= *calls);
    return ++*calls < 3;
}

// Also in the middle of a single picture.
static void test_interrupted_leaves_nothing(void **state) {
    fixture *f = *state;
    static const char *const names[] = {"kept.mp4", "kept.png"};
    for (size_t i = 0; i < 2; i++) {
        run_write_text(f->base, names[i], "old", 3);
        size_t before = file_count(f->base), calls = 0, size;
        cdg_render_def def = small_def(f, run_path(f->base, names[i]));
        def.on_progress = stop_at_third;
        def.user = &calls;
        cdg_render_report report;
        cdg_error error;
        assert_int_equal(cdg_render_run(&def, &report, &error), CDG_ERROR_INTERRUPTED);
        assert_int_equal(calls, 3);
        assert_int_equal(file_count(f->base), before);
        char *text = run_read_text(f->base, names[i], &size);
        assert_int_equal(size, 3);
        assert_memory_equal(text, "old", 3);
        free(text);
    }
}

static void refuse(const cdg_render_def *def, cdg_result code, const char *part) {
    cdg_render_report report;
    cdg_error error = {.code = CDG_OK};
    assert_int_equal(cdg_render_run(def, &report, &error), code);
    if (!strstr(error.message, part)) fail_msg("'%s' lacks '%s'", error.message, part);
    if (def->output[0] != '/' || strncmp(def->output, "/no/", 4) != 0) assert_int_equal(access(def->output, F_OK), -1);
}

static void test_refusals(void **state) {
    fixture *f = *state;
    cdg_render_def def = small_def(f, run_path(f->base, "x.gif"));
    refuse(&def, CDG_ERROR_ARGUMENT, ".webm");
    def = small_def(f, run_path(f->base, "x.mp4"));
    def.has_time = true;
    refuse(&def, CDG_ERROR_ARGUMENT, "--time");
    def = small_def(f, run_path(f->base, "y.mp4"));
    def.width = 63;
    refuse(&def, CDG_ERROR_ARGUMENT, "even");
    def = small_def(f, run_path(f->base, "x.png"));
    def.has_time = true, def.time = 3;
    refuse(&def, CDG_ERROR_ARGUMENT, "0.2 s");
    def.has_time = false, def.has_frame = true, def.frame = 21;
    refuse(&def, CDG_ERROR_ARGUMENT, "0 to 20");
    def = small_def(f, run_path(f->base, "x.png"));
    def.run = run_path(f->base, "nothing");
    refuse(&def, CDG_ERROR_IO, "nothing");
    def = small_def(f, "/no/such/place/x.png");
    refuse(&def, CDG_ERROR_IO, "/no/such/place");
    def = small_def(f, run_path(f->base, "z.mp4"));
    def.speed = 1e-9;
    refuse(&def, CDG_ERROR_ARGUMENT, "--speed");
}

static void test_texts(void **state) {
    (void)state;
    int width, height;
    double range[2];
    cdg_picture_quality quality;
    cdg_error error;
    assert_int_equal(cdg_picture_size_parse("1280x720", &width, &height, &error), CDG_OK);
    assert_true(width == 1280 && height == 720);
    static const char *const sizes[] = {"0x0",   "1280",     "x720", "1280x",    "16385x16", "15x15",
                                        "-1x20", "1e3x1000", "axb",  "20x20x20", "",         "99999999999x16"};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        assert_int_equal(cdg_picture_size_parse(sizes[i], &width, &height, &error), CDG_ERROR_ARGUMENT);
    assert_int_equal(cdg_range_parse("-1.5:2e3", range, &error), CDG_OK);
    assert_true(range[0] == -1.5 && range[1] == 2000);
    static const char *const ranges[] = {"", "1", "1:", ":1", "2:1", "1:1", "a:b", "1:2:3", "nan:1", "0:inf"};
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++)
        assert_int_equal(cdg_range_parse(ranges[i], range, &error), CDG_ERROR_ARGUMENT);
    assert_int_equal(cdg_picture_quality_parse("fine", &quality, &error), CDG_OK);
    assert_int_equal(cdg_picture_quality_parse("7", &quality, &error), CDG_OK);
    assert_int_equal(quality.edge_samples, 7);
    static const char *const qualities[] = {"", "0", "-3", "257", "best", "4x"};
    for (size_t i = 0; i < sizeof qualities / sizeof *qualities; i++)
        assert_int_equal(cdg_picture_quality_parse(qualities[i], &quality, &error), CDG_ERROR_ARGUMENT);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_picture_is_repeatable),
                                       cmocka_unit_test(test_time_and_frame),
                                       cmocka_unit_test(test_film_and_sheet),
                                       cmocka_unit_test(test_interrupted_leaves_nothing),
                                       cmocka_unit_test(test_refusals),
                                       cmocka_unit_test(test_texts)};
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
