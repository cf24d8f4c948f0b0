// From a run to a file: pictures show what is there, pictures, sheets and films come out whole, and what goes wrong
// leaves the old file alone.
#define _DEFAULT_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "fields/color_map.h"
#include "plot/canvas.h"
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
        assert_false(report.has_ground); // the scene has none
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
    cdg_render_def def = small_def(f, run_path(f->base, "x.tiff"));
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

// ---- what is in the picture -----------------------------------------------------------------------------------------

enum { WIDE = 160, HIGH = 90 };
static const double eye_distance = 3, eye_height = 0.3, half_angle = 0.2; // m, m, rad

// Two bars that no mirror maps onto each other, seen from the front: x to the right, z upward.
static void make_bars(const fixture *f, char run[RUN_PATH_SIZE + 8]) {
    static const char text[] = "cordage: 1\n"
                               "contact: off\n"
                               "simulation: {step: 1 ms, duration: 1 ms, gravity: [0, 0, 0]}\n"
                               "materials: {m: {young_modulus: 1 MPa, density: 1100}}\n"
                               "rods:\n"
                               "  - {name: tall, material: m, section: {circle: {radius: 3 cm}}, elements: 12,\n"
                               "     centerline: {line: {from: [-0.5, 0, 0], to: [-0.5, 0, 0.6]}}}\n"
                               "  - {name: flat, material: m, section: {circle: {radius: 3 cm}}, elements: 12,\n"
                               "     centerline: {line: {from: [0.1, 0, 0.1], to: [0.4, 0, 0.1]}}}\n";
    snprintf(run, RUN_PATH_SIZE + 8, "%s/bars", f->base);
    cdg_scene *scene = run_scene_parse(text, NULL, 0);
    cdg_run_def def = {.scene = scene, .directory = run};
    cdg_error error;
    if (cdg_run(&def, NULL, &error) != CDG_OK) fail_msg("%s", error.message);
    cdg_scene_destroy(scene);
}

static unsigned char *take(const fixture *f, const char *run, const char *field) {
    cdg_render_def def = small_def(f, run_path(f->base, "bars.png"));
    def.run = run;
    def.width = WIDE, def.height = HIGH;
    def.quality.edge_samples = 4;
    def.is_plain = true;
    def.ground = CDG_GROUND_OFF;
    assert_int_equal(cdg_background_parse("white", &def.background, NULL), CDG_OK);
    def.camera.has_from = def.camera.has_at = def.camera.has_up = def.camera.has_fov = true;
    def.camera.from = (cdg_vec3){0, -eye_distance, eye_height};
    def.camera.at = (cdg_vec3){0, 0, eye_height};
    def.camera.up = (cdg_vec3){0, 0, 1};
    def.camera.fov = 2 * half_angle;
    if (field != NULL) {
        assert_int_equal(cdg_rod_field_parse(field, &def.field, NULL), CDG_OK);
        def.has_range = true;
        def.range[0] = 0, def.range[1] = 0.6;
    }
    cdg_render_report report;
    must_render(&def, &report);
    size_t size;
    char *bytes = run_read_text(f->base, "bars.png", &size);
    cdg_canvas *canvas = NULL;
    assert_int_equal(cdg_canvas_create_from_png((const unsigned char *)bytes, size, &canvas, NULL), CDG_OK);
    free(bytes);
    unsigned char *rgb = malloc((size_t)3 * WIDE * HIGH);
    assert_non_null(rgb);
    assert_int_equal(cdg_canvas_read_rgb(canvas, rgb, NULL), CDG_OK);
    cdg_canvas_destroy(canvas);
    return rgb;
}

// Lightness and the two axes of hue where a point of the plane y = 0 is in the picture.
static void look(const unsigned char *picture, double x, double z, double lab[3]) {
    double slope = eye_distance * tan(half_angle);
    int column = (int)floor(WIDE / 2.0 * (1 + x / (slope * WIDE / HIGH)));
    int row = (int)floor(HIGH / 2.0 * (1 - (z - eye_height) / slope));
    assert_in_range(column, 0, WIDE - 1);
    assert_in_range(row, 0, HIGH - 1);
    float light[3];
    for (int k = 0; k < 3; k++) light[k] = cdg_srgb_decode((float)picture[3 * (WIDE * row + column) + k] / 255);
    cdg_color_to_lab((float3){light[0], light[1], light[2]}, lab);
}

// Light and shade change lightness and hardly the hue.
static void expect_hue(const unsigned char *picture, double x, double z, float3 color) {
    double seen[3], wanted[3];
    look(picture, x, z, seen);
    cdg_color_to_lab(color, wanted);
    double chroma = hypot(seen[1], seen[2]);
    double turn = atan2(seen[2], seen[1]) - atan2(wanted[2], wanted[1]);
    if (chroma < 0.03 || fabs(remainder(turn, 2 * 3.141592653589793)) > 0.4)
        fail_msg("at (%g, %g) the picture has chroma %.3f, and its hue is %.2f rad off", x, z, chroma, turn);
}

static void expect_nothing(const unsigned char *picture, double x, double z) {
    double seen[3];
    look(picture, x, z, seen);
    if (hypot(seen[1], seen[2]) > 0.02 || seen[0] < 0.9)
        fail_msg("at (%g, %g) there is something: lightness %.2f, chroma %.3f", x, z, seen[0], hypot(seen[1], seen[2]));
}

static void test_rods_are_where_they_are(void **state) {
    fixture *f = *state;
    char run[RUN_PATH_SIZE + 8];
    make_bars(f, run);
    unsigned char *picture = take(f, run, NULL);
    double hues[2][3];
    for (size_t i = 0; i < 2; i++) cdg_color_to_lab(cdg_rod_color(i, 2), hues[i]);
    double apart = atan2(hues[0][2], hues[0][1]) - atan2(hues[1][2], hues[1][1]);
    assert_true(fabs(remainder(apart, 2 * 3.141592653589793)) > 0.9); // else nothing tells which rod it is
    for (double z = 0.02; z < 0.59; z += 0.05) {
        expect_hue(picture, -0.5, z, cdg_rod_color(0, 2));
        expect_nothing(picture, 0.5, z);   // mirrored
        expect_nothing(picture, -0.56, z); // twice as thick
        expect_nothing(picture, -0.44, z);
    }
    for (double x = 0.12; x < 0.39; x += 0.05) {
        expect_hue(picture, x, 0.1, cdg_rod_color(1, 2));
        expect_nothing(picture, x, 0.5); // upside down
    }
    expect_nothing(picture, -0.5, 0.66); // beyond its end
    expect_nothing(picture, 0.46, 0.1);
    free(picture);

    // By a field: where a colour is tells the number.
    cdg_color_map map = cdg_color_map_make(CDG_COLOR_MAP_RISING);
    picture = take(f, run, "positions.z");
    for (double z = 0.05; z < 0.59; z += 0.1) expect_hue(picture, -0.5, z, cdg_color_map_at(&map, z / 0.6));
    for (double x = 0.12; x < 0.39; x += 0.05) expect_hue(picture, x, 0.1, cdg_color_map_at(&map, 0.1 / 0.6));
    free(picture);
}

enum { SHEET_WIDTH = 160, SHEET_HEIGHT = 60 };

// A short rod flies away, by ten of its lengths; how a sheet of two pictures shows it.
static unsigned char *fly(const fixture *f, void (*choose)(cdg_render_def *)) {
    static const char text[] =
        "cordage: 1\n"
        "simulation: {step: 1 ms, duration: 0.2 s, gravity: [0, 0, 0]}\n"
        "output: {every: 0.1 s}\n"
        "materials: {m: {young_modulus: 1 MPa, density: 1100}}\n"
        "rods: [{name: a, material: m, section: {circle: {radius: 1 cm}}, elements: 4, velocity: [5, 0, 0],\n"
        "        centerline: {line: {to: [0.1, 0, 0]}}},\n"
        "       {name: stays, material: m, section: {circle: {radius: 1 mm}}, elements: 4,\n"
        "        centerline: {line: {from: [0, 0, 0.02], to: [0.1, 0, 0.02]}}}]\n";
    char run[RUN_PATH_SIZE + 8];
    snprintf(run, sizeof run, "%s/fly", f->base);
    cdg_error error;
    if (access(run, F_OK) != 0) {
        cdg_scene *scene = run_scene_parse(text, NULL, 0);
        cdg_run_def run_def = {.scene = scene, .directory = run};
        if (cdg_run(&run_def, NULL, &error) != CDG_OK) fail_msg("%s", error.message);
        cdg_scene_destroy(scene);
    }
    cdg_render_def def = small_def(f, run_path(f->base, "fly.png"));
    def.run = run;
    def.width = SHEET_WIDTH, def.height = SHEET_HEIGHT;
    def.is_plain = true;
    def.sheet_columns = 2, def.sheet_rows = 1;
    def.hidden = "stays";
    choose(&def);
    cdg_render_report report;
    must_render(&def, &report);
    size_t size;
    char *bytes = run_read_text(f->base, "fly.png", &size);
    cdg_canvas *canvas = NULL;
    assert_int_equal(cdg_canvas_create_from_png((const unsigned char *)bytes, size, &canvas, NULL), CDG_OK);
    free(bytes);
    static unsigned char rgb[3 * SHEET_WIDTH * SHEET_HEIGHT];
    assert_int_equal(cdg_canvas_read_rgb(canvas, rgb, NULL), CDG_OK);
    cdg_canvas_destroy(canvas);
    return rgb;
}

// In how many columns and in how many pixels of each picture something of colour is seen.
static void measure(const unsigned char *rgb, int columns[2], int pixels[2]) {
    memset(columns, 0, 2 * sizeof *columns);
    memset(pixels, 0, 2 * sizeof *pixels);
    for (int x = 0; x < SHEET_WIDTH; x++) {
        int seen = 0;
        for (int y = 0; y < SHEET_HEIGHT; y++) {
            const unsigned char *pixel = rgb + 3 * (y * SHEET_WIDTH + x);
            seen += abs(pixel[0] - pixel[2]) > 60; // rods alone have colour
        }
        columns[2 * x / SHEET_WIDTH] += seen > 0;
        pixels[2 * x / SHEET_WIDTH] += seen;
    }
}

static void fit_each(cdg_render_def *def) {
    def->hidden = NULL;
    def->camera.has_fit = true, def->camera.fits_moment = true;
}
static void fit_run(cdg_render_def *def) { def->camera.has_fit = true; }
static void fit_begin(cdg_render_def *def) { // the first tenth: by one of its lengths
    def->moments = (cdg_moments){.count = 2, .is_span = true, .times = {0, 0.02}};
}
static void fit_list(cdg_render_def *def) { def->moments = (cdg_moments){.count = 2, .times = {0.2, 0.18}}; }
static void go_along(cdg_render_def *def) { strcpy(def->camera.follow, "a"); }
static void go_along_from(cdg_render_def *def) { // where it stands at the run's start
    go_along(def);
    def->camera.has_from = def->camera.has_at = true;
    def->camera.from = vec3(0.05, -0.5, 0), def->camera.at = vec3(0.05, 0, 0);
    def->moments = (cdg_moments){.count = 2, .times = {0.1, 0.2}};
}

static void test_sheets_fit_what_they_show(void **state) {
    static const struct {
        void (*choose)(cdg_render_def *);
        int least, most; // columns of 80
    } cases[] = {
        {fit_run, 2, 20}, {fit_begin, 30, 50}, {fit_list, 30, 50}, {go_along, 40, 64}, {go_along_from, 20, 30}};
    int columns[2], pixels[2];
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        measure(fly(*state, cases[k].choose), columns, pixels);
        for (int i = 0; i < 2; i++)
            if (columns[i] < cases[k].least || columns[i] > cases[k].most)
                fail_msg("case %zu, picture %d: %d columns", k, i, columns[i]);
    }
}

// Where each picture is filled, rods are as thick as that picture needs: the thin one, beside which the other flies
// away, is drawn thicker in the second picture alone.
static void test_each_picture_has_its_thickness(void **state) {
    int columns[2], pixels[2];
    measure(fly(*state, fit_each), columns, pixels);
    assert_in_range(columns[0], 45, 80);
    assert_in_range(pixels[0], 72 * 8, 72 * 20); // 2 cm of 10 cm and a line; with the second's line 24 more
}

static void test_moments_are_refused(void **state) {
    const fixture *f = *state;
    cdg_render_report report;
    cdg_error error;
    cdg_render_def def = small_def(f, run_path(f->base, "no.png"));
    def.moments = (cdg_moments){.count = 2, .times = {0, 0.1}};
    assert_int_equal(cdg_render_run(&def, &report, &error), CDG_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "belong to --sheet"));
    def.sheet_columns = 3, def.sheet_rows = 2;
    assert_int_equal(cdg_render_run(&def, &report, &error), CDG_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "has 6 pictures, but --time gives 2 times"));
    def.sheet_columns = 2, def.sheet_rows = 1, def.moments.times[1] = 9;
    assert_int_equal(cdg_render_run(&def, &report, &error), CDG_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "--time 9 is outside of the run"));
    def = small_def(f, run_path(f->base, "no.mp4"));
    def.moments = (cdg_moments){.count = 2, .times = {0, 0.1}};
    assert_int_equal(cdg_render_run(&def, &report, &error), CDG_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "--time 0.2:1"));
    def.moments.is_span = true, def.moments.times[0] = 0.05;
    must_render(&def, &report);
    assert_int_equal(report.picture_count, 1); // 0.05 s at 30 a second
    assert_float_equal(report.first_time, 0.05, 1e-12);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_picture_is_repeatable),
                                       cmocka_unit_test(test_time_and_frame),
                                       cmocka_unit_test(test_film_and_sheet),
                                       cmocka_unit_test(test_interrupted_leaves_nothing),
                                       cmocka_unit_test(test_refusals),
                                       cmocka_unit_test(test_texts),
                                       cmocka_unit_test(test_rods_are_where_they_are),
                                       cmocka_unit_test(test_sheets_fit_what_they_show),
                                       cmocka_unit_test(test_each_picture_has_its_thickness),
                                       cmocka_unit_test(test_moments_are_refused)};
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
