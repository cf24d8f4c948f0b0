// Exports in general: what is asked for, where it goes, stopping, and failures that leave nothing behind.
#define _DEFAULT_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "export_case.h"

#include "hair_case.h"
#include "ragged_case.h"

#include <signal.h>
#include <sys/resource.h>

static void expect_refusal(cdg_export_def def, cdg_result code, const char *word) {
    cdg_export *export = NULL;
    cdg_error error;
    assert_int_equal(cdg_export_open(&def, &export, &error), code);
    assert_null(export);
    expect_text(error.message, word);
}

static void test_formats(void **state) {
    (void)state;
    assert_int_equal(cdg_export_format_count(), 5);
    for (size_t i = 0; i < cdg_export_format_count(); i++) {
        const cdg_export_format *format = cdg_export_format_at(i);
        assert_ptr_equal(cdg_export_format_find(format->name), format);
        assert_true(format->extension[0] == '.' && strlen(format->help) > 10 && strlen(format->help) < 90);
    }
    assert_null(cdg_export_format_find("obj"));
    assert_null(cdg_export_format_find(""));
}

static void test_wrong_requests(void **state) {
    export_case *c = *state;
    cdg_export_def def = cdg_export_def_default();
    def.run = c->run;
    expect_refusal(def, CDG_ERROR_ARGUMENT, "vtk, gltf, usd, csv, html");
    def.format = "gtlf";
    expect_refusal(def, CDG_ERROR_ARGUMENT, "did you mean 'gltf'");
    def.format = "usda";
    expect_refusal(def, CDG_ERROR_ARGUMENT, "did you mean 'usd'");
    def.format = "no such thing";
    expect_refusal(def, CDG_ERROR_ARGUMENT, "vtk, gltf, usd, csv, html");
    def.format = "gltf";
    def.first = 13;
    expect_refusal(def, CDG_ERROR_ARGUMENT, "0 to 12");
    def.first = 3, def.last = 13;
    expect_refusal(def, CDG_ERROR_ARGUMENT, "output 13");
    def.last = 2;
    expect_refusal(def, CDG_ERROR_ARGUMENT, "before");
    def = cdg_export_def_default();
    def.run = c->run, def.format = "gltf", def.path = "x.csv";
    expect_refusal(def, CDG_ERROR_ARGUMENT, "'.glb'");
    def.path = "";
    expect_refusal(def, CDG_ERROR_ARGUMENT, "empty");
    def.path = NULL, def.run = c->base;
    expect_refusal(def, CDG_ERROR_IO, "run.h5");
}

static void test_frames(void **state) {
    export_case *c = *state;
    cdg_export_def def = cdg_export_def_default();
    def.format = "csv";
    for (def.first = 0; def.first < 13; def.first++) {
        for (def.last = def.first; def.last < 13; def.last++) {
            for (def.every = 0; def.every < 16; def.every++) {
                if (def.first % 5 != 0 && def.every > 2) continue;
                cdg_export *export = export_open(c, "x", def);
                size_t expected = 0, step = def.every > 0 ? def.every : 1;
                for (size_t i = def.first; i <= def.last; i += step, expected++) {
                    assert_int_equal(cdg_export_output(export, expected), i);
                    assert_true(cdg_export_time(export, expected) == export->reader->times[i]);
                }
                assert_int_equal(cdg_export_frame_count(export), expected);
                cdg_export_close(export);
            }
        }
    }
}

static void test_places(void **state) {
    export_case *c = *state;
    cdg_export_def def = cdg_export_def_default();
    cdg_export *export = export_open(c, "a.glb", def); // the extension tells the format
    assert_string_equal(cdg_export_get_format(export)->name, "gltf");
    assert_string_equal(cdg_export_path(export), run_path(c->base, "a.glb"));
    cdg_export_close(export);
    def.format = "usd";
    export = export_open(c, "a.b", def);
    assert_string_equal(cdg_export_path(export), run_path(c->base, "a.b.usda"));
    assert_string_equal(export->stem, run_path(c->base, "a.b"));
    cdg_export_close(export);
    export = export_open(c, "", def); // a directory
    assert_string_equal(cdg_export_path(export), run_path(c->base, "test.usda"));
    cdg_export_close(export);
    def.run = c->run;
    cdg_error error;
    assert_int_equal(cdg_export_open(&def, &export, &error), CDG_OK); // no place: the run's
    assert_string_equal(cdg_export_path(export), run_path(c->run, "test.usda"));
    cdg_export_close(export);
    // a folder that an export made is not a directory to write into
    def.format = "vtk";
    cdg_export_close(export_write(c, "series", def));
    export = export_open(c, "series", def);
    assert_string_equal(cdg_export_path(export), run_path(c->base, "series.pvd"));
    cdg_export_close(export);
    cdg_export_close(NULL);
}

typedef struct stopper {
    size_t calls, stop, total;
} stopper;

static bool stop_after(void *user, size_t done, size_t total) {
    stopper *s = user;
    assert_int_equal(done, ++s->calls);
    s->total = total;
    return done < s->stop;
}

static void test_stopped(void **state) {
    export_case *c = *state;
    for (size_t i = 0; i < cdg_export_format_count(); i++) {
        cdg_export_def def = cdg_export_def_default();
        def.format = cdg_export_format_at(i)->name;
        stopper s = {.stop = SIZE_MAX};
        def.on_progress = stop_after, def.user = &s;
        cdg_export_close(export_write(c, "whole", def));
        assert_int_equal(s.calls, s.total);
        size_t entries = entry_count(c->base), total = s.total;
        for (size_t stop = 1; stop <= total; stop += 1 + total / 5) {
            s = (stopper){.stop = stop};
            cdg_export *export = export_open(c, "half", def);
            cdg_error error;
            assert_int_equal(cdg_export_write(export, &error), CDG_ERROR_INTERRUPTED);
            assert_int_equal(s.calls, stop);
            cdg_export_close(export);
            assert_int_equal(entry_count(c->base), entries);
        }
    }
}

// A limit on the size of files stands for a full disk. Wherever it strikes, nothing is left.
static void test_full_disk(void **state) {
    export_case *c = *state;
    signal(SIGXFSZ, SIG_IGN);
    for (size_t i = 0; i < cdg_export_format_count(); i++) {
        cdg_export_def def = cdg_export_def_default();
        def.format = cdg_export_format_at(i)->name;
        for (rlim_t limit = 0; limit < 30000; limit = 2 * limit + 500) {
            cdg_export *export = export_open(c, "x", def);
            struct rlimit old, tight;
            getrlimit(RLIMIT_FSIZE, &old);
            tight = (struct rlimit){limit, old.rlim_max};
            setrlimit(RLIMIT_FSIZE, &tight);
            cdg_error error = {0};
            cdg_result result = cdg_export_write(export, &error);
            setrlimit(RLIMIT_FSIZE, &old);
            if (result == CDG_OK) { // small enough; not for the smallest limits
                assert_true(limit > 1000);
                cdg_export_close(export);
                break;
            }
            assert_int_equal(result, CDG_ERROR_IO);
            assert_true(cdg_export_has_begun(export));
            expect_text(error.message, "cannot write");
            cdg_export_close(export);
            assert_int_equal(entry_count(c->base), 0);
        }
        run_directory_remove(c->base);
        mkdir(c->base, 0777);
    }
    signal(SIGXFSZ, SIG_DFL);
}

static void test_estimates(void **state) {
    export_case *c = *state;
    for (size_t i = 0; i < cdg_export_format_count(); i++) {
        cdg_export_def def = cdg_export_def_default();
        def.format = cdg_export_format_at(i)->name;
        cdg_export *export = export_write(c, "x", def);
        double ratio = cdg_export_estimate(export) / cdg_export_bytes(export);
        bool is_gltf = strcmp(def.format, "gltf") == 0; // its mesh is counted, vertex by vertex
        if (!(ratio > (is_gltf ? 0.8 : 0.3) && ratio < (is_gltf ? 1.25 : 3)))
            fail_msg("%s: estimate is %g times the size", def.format, ratio);
        assert_false(cdg_export_is_large(export));
        export->frame_count = 2000000000; // only the estimate is asked
        assert_true(cdg_export_is_large(export));
        cdg_export_close(export);
    }
}

// One number that single precision cannot hold: refused with its place, nothing left; tables of doubles keep it.
static void test_spoiled_numbers(void **state) {
    export_case *c = *state, spoiled = *c;
    static const struct {
        const char *dataset, *format, *part;
        double value;
    } cases[] = {{"/rods/cable/positions", "gltf", "'positions' of rod 'cable' at output 0", NAN},
                 {"/rods/ring/positions", "gltf", "'positions' of rod 'ring' at output 0", 1e300},
                 {"/rods/ring/frames", "gltf", "'frames' of rod 'ring' at output 0", INFINITY},
                 {"/rods/cable/frames", "gltf", "output 0 of rod 'cable' is damaged: the frame of element 0", 0},
                 {"/rods/cable/positions", "usd", "'positions' of rod 'cable' at output 0", NAN},
                 {"/rods/ring/velocities", "usd", "'velocities' of rod 'ring' at output 0", -1e39},
                 {"/rods/cable/positions", "csv", NULL, NAN},
                 {"/rods/cable/positions", "vtk", NULL, 1e300}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        run_directory_make(spoiled.run);
        cdg_scene *scene = run_scene_make((run_scene_options){.force = 0.01});
        const cdg_run_def run = {.scene = scene, .directory = spoiled.run, .thread_count = 1};
        cdg_run_summary summary;
        cdg_error error = {0};
        assert_int_equal(cdg_run(&run, &summary, &error), CDG_OK);
        cdg_scene_destroy(scene);
        for (size_t k = 0; k < 4; k++) run_poke(spoiled.run, cases[i].dataset, k, cases[i].value); // a whole frame
        cdg_export_def def = cdg_export_def_default();
        def.format = cases[i].format;
        cdg_export *export = export_open(&spoiled, "x", def);
        cdg_result expected = cases[i].part != NULL ? CDG_ERROR_FORMAT : CDG_OK;
        assert_int_equal(cdg_export_write(export, &error), expected);
        if (cases[i].part != NULL) {
            expect_text(error.message, cases[i].part);
            assert_int_equal(entry_count(c->base), 0);
        }
        cdg_export_close(export);
        run_directory_remove(spoiled.run);
    }
}

static void test_colors(void **state) {
    (void)state;
    assert_true(cdg_export_linear(0) == 0 && fabs(cdg_export_linear(1) - 1) < 1e-15);
    assert_true(fabs(cdg_export_linear(0.5) - 0.21404114) < 1e-8);
}

// Exports of hair hold its fibres, unless told not to.
static void test_fibers(void **state) {
    const export_case *c = *state;
    char run[RUN_PATH_SIZE];
    hair_run(run);
    for (int i = 0; i < 2; i++) {
        cdg_export_def def = cdg_export_def_default();
        def.run = run;
        def.format = "csv";
        def.path = run_path(c->base, "hair.csv");
        def.has_no_fibers = i == 1;
        cdg_export *export = NULL;
        cdg_error error = {0};
        if (cdg_export_open(&def, &export, &error) != CDG_OK) fail_msg("%s", error.message);
        assert_int_equal(export->reader->rod_count, HAIR_RODS + (i == 0 ? HAIR_FIBERS : 0));
        if (cdg_export_write(export, &error) != CDG_OK) fail_msg("%s", error.message);
        double plain[3], hair[3];
        cdg_export_rod_color(export, 0, plain); // the stick
        cdg_export_rod_color(export, 1, hair);
        assert_true(plain[0] > plain[2] + 0.4 && hair[0] - hair[2] < 0.4); // orange; brown
        if (i == 0) assert_true(hair[0] > hair[1] && hair[1] > hair[2]);   // brown
        cdg_export_close(export);
        char *text = run_read_text(c->base, "hair_nodes.csv", NULL);
        assert_true((strstr(text, ",two.f8,") != NULL) == (i == 0));
        assert_non_null(strstr(text, ",two.g3,"));
        free(text);
    }
    run_directory_remove(run);
}

// Formats whose curves and skins keep their points take one division for all outputs, and draw along the curve that
// hardly moves when resolution changes.
static void test_changing_resolution(void **state) {
    export_case *c = *state, ragged = *c;
    run_directory_make(ragged.run);
    ragged_run(ragged.run, false, 6);
    static const struct {
        const char *name;
        bool is_picture;
    } files[] = {{"r.glb", true}, {"r.usda", true}, {"r.html", true}, {"r.csv", false}, {"r.pvd", false}};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        cdg_export_def def = cdg_export_def_default();
        def.page = export_page;
        def.page_size = strlen(export_page);
        cdg_export *export = export_write(&ragged, files[i].name, def);
        assert_int_equal(export->reader->is_for_pictures, files[i].is_picture);
        assert_true(cdg_export_file_count(export) > 0 && cdg_export_bytes(export) > 1000);
        cdg_export_close(export);
    }
    char *text = run_read_text(c->base, "r.usda", NULL), counts[60];
    cdg_run_reader *reader = NULL;
    assert_int_equal(cdg_run_reader_open(ragged.run, &reader, NULL), CDG_OK);
    snprintf(counts, sizeof counts, "curveVertexCounts = [%zu]", reader->rods[0].node_count);
    expect_text(text, counts);
    char *samples = strstr(text, "point3f[] points.timeSamples = {");
    assert_non_null(samples);
    for (size_t frame = 0; frame < 6; frame++) {
        size_t points = 0;
        samples = strchr(samples, '[') + 1 + (frame == 0 ? strlen("] points.timeSamples = {") : 0);
        if (frame == 0) samples = strchr(samples, '[') + 1;
        for (; *samples != ']'; samples++) points += *samples == '(';
        assert_int_equal(points, reader->rods[0].node_count);
    }
    free(text);
    cdg_run_reader_close(reader);
    run_directory_remove(ragged.run);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        export_test(test_changing_resolution),
        export_test(test_formats),
        export_test(test_wrong_requests),
        export_test(test_frames),
        export_test(test_places),
        export_test(test_stopped),
        export_test(test_full_disk),
        export_test(test_estimates),
        export_test(test_spoiled_numbers),
        export_test(test_colors),
        export_test(test_fibers),
    };
    return cmocka_run_group_tests(tests, export_set_up_run, export_tear_down_run);
}
