// Whole scenes: the promise of the scene language, all errors at once, memory, files, examples.
#include "scene_text.h"

#include "math/random.h"

#include <dirent.h>
#include <unistd.h>

// The scene that the project promises to understand, less what later versions bring.
static const char promised[] =
    "cordage: 1                         # format version\n"
    "title: A cable clamped at both ends, twisted until it loops\n"
    "simulation:\n"
    "  model: pobd\n"
    "  step: auto\n"
    "  duration: 4 s\n"
    "  gravity: [0, 0, -9.81]\n"
    "output: {every: 20 ms}\n"
    "materials:\n"
    "  rubber: {young_modulus: 1 MPa, poisson_ratio: 0.5, density: 1100 kg/m^3, damping: {stretch: 0, "
    "bend: 0, twist: 0}}\n"
    "rods:\n"
    "  - name: cable\n"
    "    material: rubber\n"
    "    section: {circle: {radius: 2 mm}}\n"
    "    centerline: {line: {from: [0, 0, 0], to: [1 m, 0, 0]}}\n"
    "    elements: 100\n"
    "    rest: straight\n"
    "supports:\n"
    "  - clamp: cable.start\n"
    "  - clamp: cable.end\n"
    "    motion:\n"
    "      - {rotate: {axis: [1, 0, 0], angle: 10 turns}, from: 0 s, to: 2 s}\n"
    "      - {move: [-0.3 m, 0, 0], from: 0 s, to: 2 s, ease: smooth}\n"
    "loads:\n"
    "  - {force: [0, 0, -1 N], at: cable.node(40), from: 1 s}\n"
    "probes:\n"
    "  - {name: tip, position: cable.end}\n"
    "  - {name: pull, reaction: cable.start}\n"
    "  - {name: tension, tension: cable.element(50)}\n";

static void test_the_promised_scene(void **state) {
    (void)state;
    assert_says(promised, "");
    cdg_scene *scene = scene_parse_good(promised);
    assert_string_equal(scene->name, "scene.yaml");
    assert_string_equal(scene->text, promised);
    assert_int_equal(scene->text_size, strlen(promised));
    assert_string_equal(scene->overrides, "");
    assert_null(scene->directory);
    assert_string_equal(scene->title, "A cable clamped at both ends, twisted until it loops");
    cdg_scene_destroy(scene);
}

static void test_all_errors_at_once_in_file_order(void **state) {
    (void)state;
    assert_says(
        "cordage: 1\n"
        "simulation: {duration: 4 m, model: galfa}\n"
        "probes: [{name: tip, position: cabel.end}]\n"
        "materials:\n"
        "  rubber: {young_modul: 1 MPa, density: 1100}\n"
        "rods:\n"
        "  - name: cable\n"
        "    material: ruber\n"
        "    section: {circle: {radius: 2 MPa}}\n"
        "    centerline: {line: {to: [1 m, 0]}}\n"
        "supports:\n"
        "  - clamp: cable.start\n"
        "    colour: red\n",
        "scene.yaml:2:24: error: duration is a time; '4 m' is a length\n"
        "scene.yaml:2:36: error: unknown model 'galfa'; did you mean 'galpha'?\n"
        "scene.yaml:3:32: error: no rod is named 'cabel'; did you mean 'cable'?\n"
        "scene.yaml:5:12: error: unknown key 'young_modul' in material 'rubber'; did you mean 'young_modulus'?\n"
        "scene.yaml:8:15: error: no material 'ruber'; did you mean 'rubber'?\n"
        "scene.yaml:9:32: error: radius is a length; '2 MPa' is a pressure\n"
        "scene.yaml:10:29: error: to: expected three lengths such as [0, 0, 2 mm], found a list of 2\n"
        "scene.yaml:13:5: error: unknown key 'colour' in support 1; keys here: clamp, pin, twist, slide, along, "
        "holds_frame, motion, release\n");
}

static void test_versions_and_wrong_beginnings(void **state) {
    (void)state;
    assert_says("", "scene.yaml:1:1: error: the scene is empty; begin with 'cordage: 1'\n");
    assert_says("# nothing\n", "scene.yaml:1:1: error: the scene is empty; begin with 'cordage: 1'\n");
    assert_says("~\n", "scene.yaml:1:1: error: the scene is empty; begin with 'cordage: 1'\n");
    assert_says("hello\n", "scene.yaml:1:1: error: a scene is a map that begins with 'cordage: 1'; found 'hello'\n");
    assert_says("[]\n", "scene.yaml:1:1: error: a scene is a map that begins with 'cordage: 1'; found an empty list\n");
    assert_says("cordage: 2\nsimulation: {duration: 1}\n" SCENE_CABLE,
                "scene.yaml:1:10: error: scene format '2' is not known; this version of Cordage reads 'cordage: 1'\n");
    assert_says("simulation: {duration: 1}\n" SCENE_CABLE,
                "scene.yaml:1:1: error: the scene has no cordage; add for example 'cordage: 1'\n");
}

static void test_json_is_read_too(void **state) {
    (void)state;
    assert_says(
        "{\"cordage\": 1, \"simulation\": {\"duration\": \"1 s\"}, \"rods\": [{\"name\": \"a\",\n"
        "\"material\": {\"young_modulus\": 1e6, \"density\": 1100}, \"section\": {\"circle\": {\"radius\": 0.002}},\n"
        "\"centerline\": {\"line\": {\"to\": [1, 0, 0]}}, \"closed\": false}]}\n",
        "");
}

// Runs out of memory at every point: no crash, no leak, a clear code.
static void test_every_memory_limit(void **state) {
    (void)state;
    static const char faulty[] =
        "cordage: 1\nmaterials: {a: {E: 1}, b: 3}\nrods: [{name: 1 2}, 3]\nsupports: [{pin: x}]\n";
    const struct {
        const char *text;
        cdg_result result;
    } cases[] = {{promised, CDG_OK}, {faulty, CDG_ERROR_SCENE}};
    const char *overrides[] = {"simulation.step=1 ms"};
    for (size_t i = 0; i < 2; i++) {
        bool has_succeeded = false;
        for (size_t limit = 1; limit < 200000 && !has_succeeded; limit += 61) {
            cdg_scene *scene = NULL;
            cdg_error error;
            cdg_result result = cdg_scene_parse_bounded(cases[i].text, strlen(cases[i].text), "s", NULL, overrides, 1,
                                                        limit, &scene, &error);
            has_succeeded = result == cases[i].result;
            if (!has_succeeded) {
                assert_int_equal(result, CDG_ERROR_MEMORY);
                assert_null(scene);
                assert_string_equal(error.message, "s: no memory for the scene");
            }
            cdg_scene_destroy(scene);
        }
        assert_true(has_succeeded);
    }
}

// Every text that a slip of the finger makes of a good scene is refused or read, never more.
static void test_random_slips(void **state) {
    (void)state;
    cdg_random random = {2024};
    for (int i = 0; i < 3000; i++) {
        char text[sizeof promised];
        memcpy(text, promised, sizeof promised);
        for (int k = 0; k < 1 + i % 4; k++) {
            size_t at = (size_t)random_in(&random, 0, sizeof promised - 1);
            text[at] = (char)random_in(&random, 32, 127);
        }
        cdg_scene *scene = scene_parse_with(text, NULL, 0);
        for (size_t k = 1; k < cdg_scene_diagnostic_count(scene); k++) {
            assert_true(cdg_scene_diagnostic(scene, k - 1).line <= cdg_scene_diagnostic(scene, k).line);
        }
        cdg_scene_destroy(scene);
    }
}

static void test_thousands_of_errors_end(void **state) {
    (void)state;
    enum { COUNT = 20000 };
    char *text = malloc(COUNT * 12 + 100), *at = text + sprintf(text, SCENE_GOOD "loads:\n");
    for (int i = 0; i < COUNT; i++) at += sprintf(at, "  - {x: 1}\n");
    cdg_scene *scene = scene_parse_with(text, NULL, 0);
    assert_int_equal(cdg_scene_diagnostic_count(scene), CDG_DIAGNOSTICS_MAX + 1);
    assert_true(scene_says(scene, "more like these"));
    cdg_scene_destroy(scene);
    free(text);
}

static void test_files(void **state) {
    (void)state;
    char path[] = "test_scene.XXXXXX";
    int descriptor = mkstemp(path);
    assert_true(descriptor >= 0);
    FILE *file = fdopen(descriptor, "w");
    fputs(promised, file);
    fclose(file);
    cdg_scene *scene = NULL;
    cdg_error error;
    assert_int_equal(cdg_scene_load(path, NULL, 0, &scene, &error), CDG_OK);
    assert_string_equal(scene->directory, ".");
    assert_string_equal(scene->name, path);
    cdg_scene_destroy(scene);
    remove(path);
    assert_int_equal(cdg_scene_load(path, NULL, 0, &scene, &error), CDG_ERROR_IO);
    assert_null(scene);
    assert_true(strstr(error.message, path) != NULL && strstr(error.message, "No such file") != NULL);
    assert_int_equal(cdg_scene_load(".", NULL, 0, &scene, &error), CDG_ERROR_IO);
    assert_true(strstr(error.message, "directory") != NULL);
    assert_null(scene);
}

static void test_the_error_names_the_first_fault(void **state) {
    (void)state;
    cdg_scene *scene = NULL;
    cdg_error error;
    const char *text = "cordage: 1\nsimulation: {duration: 1}\nrods: 3\nloads: 3\n";
    assert_int_equal(cdg_scene_parse(text, strlen(text), "s", NULL, NULL, 0, &scene, &error), CDG_ERROR_SCENE);
    assert_string_equal(error.message,
                        "s:3:7: error: rods: expected a list, each item after a '-', such as '- name: cable'; "
                        "found '3' (and 1 more)");
    assert_int_equal(cdg_scene_diagnostic(scene, 99).text[0], '\0');
    char out[4] = "abc";
    assert_int_equal(cdg_scene_format_diagnostic(scene, 99, out, sizeof out), 0);
    assert_string_equal(out, "");
    cdg_scene_destroy(scene);
    cdg_scene_destroy(NULL);
}

// Every example of the project is without errors and warnings, and says what it is about.
static void test_examples(void **state) {
    (void)state;
    DIR *directory = opendir(CDG_SOURCE_DIR "/examples");
    assert_non_null(directory);
    size_t count = 0;
    for (struct dirent *entry; (entry = readdir(directory)) != NULL;) {
        const char *dot = strrchr(entry->d_name, '.');
        if (dot == NULL || strcmp(dot, ".yaml") != 0) continue;
        char path[600];
        snprintf(path, sizeof path, CDG_SOURCE_DIR "/examples/%s", entry->d_name);
        cdg_scene *scene = NULL;
        cdg_error error;
        if (cdg_scene_load(path, NULL, 0, &scene, &error) != CDG_OK) fail_msg("%s", error.message);
        // a suture is drawn tight: that is what it is for, and it is told
        bool is_drawn = strcmp(entry->d_name, "suture.yaml") == 0;
        if (!is_drawn) scene_check_said(scene, "", __FILE__, __LINE__);
        if (is_drawn) assert_int_equal(cdg_scene_diagnostic_count(scene), 3);
        assert_true(strlen(scene->title) > 10);
        assert_true(scene->probe_count > 0);
        assert_int_equal(scene->text[0], '#');
        cdg_scene_destroy(scene);
        count++;
    }
    closedir(directory);
    assert_true(count >= 8);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_promised_scene),
        cmocka_unit_test(test_all_errors_at_once_in_file_order),
        cmocka_unit_test(test_versions_and_wrong_beginnings),
        cmocka_unit_test(test_json_is_read_too),
        cmocka_unit_test(test_every_memory_limit),
        cmocka_unit_test(test_random_slips),
        cmocka_unit_test(test_thousands_of_errors_end),
        cmocka_unit_test(test_files),
        cmocka_unit_test(test_the_error_names_the_first_fault),
        cmocka_unit_test(test_examples),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
