// Peaks of forces over all steps: what lies between outputs is seen.
#define _DEFAULT_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "math/vec3.h"
#include "output/run_peaks.h"
#include "run_scene.h"

// A load that acts for 4 ms between two outputs.
static const char scene_text[] = "cordage: 1\n"
                                 "simulation: {model: pobd, step: 1 ms, duration: 60 ms, gravity: [0, 0, 0]}\n"
                                 "output: {every: 20 ms}\n"
                                 "materials: {m: {young_modulus: 1 GPa, density: 1200, damping: 2 ms}}\n"
                                 "rods: [{name: rod, material: m, section: {circle: {radius: 5 mm}}, centerline: "
                                 "{line: {to: [0.2, 0, 0]}}, elements: "
                                 "6}]\n"
                                 "supports: [{clamp: rod.start}]\n"
                                 "loads: [{force: [3, 0, 0], at: rod.end, from: 26 ms, to: 30 ms}]\n"
                                 "probes:\n"
                                 "  - {name: tip, position: rod.end}\n"
                                 "  - {name: hold, reaction: rod.start}\n";

static cdg_scene *parse(void) {
    cdg_scene *scene = NULL;
    cdg_error error = {0};
    if (cdg_scene_parse(scene_text, strlen(scene_text), "peaks", NULL, NULL, 0, &scene, &error) != CDG_OK)
        fail_msg("%s", error.message);
    return scene;
}

static void test_between_outputs(void **state) {
    (void)state;
    cdg_scene *scene = parse();
    char base[RUN_PATH_SIZE];
    run_directory_make(base);
    cdg_run_def def = {.scene = scene, .directory = base, .thread_count = 1};
    assert_int_equal(cdg_run(&def, NULL, NULL), CDG_OK);
    char *table = run_read_text(base, "probes.csv", NULL), *summary = run_read_text(base, "summary.json", NULL);
    assert_non_null(strstr(table, "hold_mz [N*m],hold_peak [N]\n"));
    double peaks[4], largest = 0, seen = 0;
    char *line = strchr(table, '\n') + 1;
    for (int i = 0; i < 4; i++, line = strchr(line, '\n') + 1) {
        double c[11];
        char *next = line;
        for (int k = 0; k < 11; k++, next++) c[k] = strtod(next, &next);
        peaks[i] = c[10];
        largest = fmax(largest, c[10]);
        seen = fmax(seen, vec3_norm(vec3(c[4], c[5], c[6])));
        assert_true(c[10] >= vec3_norm(vec3(c[4], c[5], c[6])));
    }
    assert_true(peaks[0] == 0 && peaks[1] < 1e-6 && peaks[2] > 2.5); // of outputs at 0, 20, 40, 60 ms
    assert_true(seen < 0.7 * largest);                               // outputs alone would miss it
    const char *at = strstr(summary, "\"force\": ");
    assert_non_null(at);
    assert_true(strtod(at + 9, NULL) == largest);
    double time = strtod(strstr(at, "\"time\": ") + 8, NULL);
    assert_true(time > 0.0259 && time < 0.0311);
    free(table);
    free(summary);
    cdg_scene_destroy(scene);
    run_directory_remove(base);
}

static void test_which_and_intervals(void **state) {
    (void)state;
    cdg_scene *scene = parse();
    cdg_world *world = NULL;
    cdg_run_peaks peaks;
    assert_int_equal(cdg_scene_build(scene, 1, &world, NULL), CDG_OK);
    assert_int_equal(cdg_run_peaks_count(scene), 1);
    assert_true(cdg_probe_has_peak(CDG_PROBE_CONTACT_FORCE) && !cdg_probe_has_peak(CDG_PROBE_POSITION));
    assert_int_equal(cdg_run_peaks_make(scene, world, &peaks, NULL), CDG_OK);
    assert_string_equal(peaks.names[0], "hold");
    for (int i = 0; i < 28; i++) {
        assert_int_equal(cdg_world_step(world, NULL), CDG_OK);
        cdg_run_peaks_look(&peaks, world);
    }
    double largest = peaks.values[0].largest;
    assert_true(largest > 0 && peaks.values[0].since_output == largest);
    cdg_run_peaks_begin_interval(&peaks);
    assert_true(peaks.values[0].since_output == 0 && peaks.values[0].largest == largest);
    cdg_run_peaks_free(&peaks);
    cdg_world_destroy(world);
    cdg_scene_destroy(scene);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_between_outputs),
                                       cmocka_unit_test(test_which_and_intervals)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
