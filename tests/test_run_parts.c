// Runs of scenes that cut rods: the parts are there from the first output on, on the whole rod before their time; runs
// that are continued have the same numbers.
#define _DEFAULT_SOURCE
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "math/vec3.h"
#include "output/run_reader.h"
#include "run_scene.h"

#include <cordage/history.h>
#include <cordage/scene.h>

static const char text[] = "cordage: 1\n"
                           "title: Cut\n"
                           "simulation: {step: 2 ms, duration: 0.2 s}\n"
                           "output: {every: 10 ms}\n"
                           "materials: {rubber: {young_modulus: 1 MPa, density: 1100 kg/m^3}}\n"
                           "rods:\n"
                           "  - {name: rope, material: rubber, section: {circle: {radius: 4 mm}}, elements: 20,\n"
                           "     centerline: {line: {from: [-20 cm, 0, 10 cm], to: [20 cm, 0, 10 cm]}}}\n"
                           "  - {name: ring, material: rubber, section: {circle: {radius: 3 mm}}, elements: 24,\n"
                           "     centerline: {circle: {center: [0, 0, 14 cm], radius: 6 cm, axis: [0, 0, 1]}}%s}\n"
                           "obstacles:\n"
                           "  - {name: ball, sphere: {radius: 3 cm}, position: [0, 0, 4 cm]}\n"
                           "supports: [{clamp: rope.start}, {pin: rope.end}]\n"
                           "probes: [{name: tip, position: rope.end}, {name: hold, reaction: rope.end}]\n"
                           "cuts:\n"
                           "  - {cut: rope.node(12), at: 100 ms}\n"
                           "  - {cut: ring.node(5), at: 50 ms}\n"
                           "  - {cut: ring.node(17), at: 120 ms}\n";

static cdg_scene *parse(const char *more) {
    char whole[sizeof text + 64];
    cdg_scene *scene = NULL;
    cdg_error error = {0};
    snprintf(whole, sizeof whole, text, more);
    cdg_result result = cdg_scene_parse(whole, strlen(whole), "cut.yaml", NULL, NULL, 0, &scene, &error);
    if (result != CDG_OK) print_error("%s\n", error.message);
    assert_int_equal(result, CDG_OK);
    return scene;
}

typedef struct stopping {
    size_t frame;
} stopping;

static bool stop_at(void *user, const cdg_run_progress *progress) {
    return progress->frame < ((const stopping *)user)->frame;
}

// In one go, or in three.
static void run(const cdg_scene *scene, const char *directory, bool is_interrupted) {
    cdg_error error = {0};
    cdg_run_summary summary;
    stopping stop = {7};
    cdg_run_def def = {.scene = scene, .directory = directory, .thread_count = is_interrupted ? 1 : 2};
    for (int part = 0; part < (is_interrupted ? 3 : 1); part++) {
        def.on_progress = is_interrupted && part < 2 ? stop_at : NULL;
        def.user = &stop;
        cdg_result result = cdg_run(&def, &summary, &error);
        if (result != CDG_OK && result != CDG_ERROR_INTERRUPTED) print_error("%s\n", error.message);
        assert_int_equal(result, is_interrupted && part < 2 ? CDG_ERROR_INTERRUPTED : CDG_OK);
        def.resume = true;
        stop.frame = 14; // between the cuts, and after them
    }
}

static cdg_history *open_run(const char *directory) {
    cdg_history *history = NULL;
    cdg_error error = {0};
    if (cdg_history_open(directory, &history, &error) != CDG_OK) fail_msg("%s", error.message);
    return history;
}

static size_t find_rod(const cdg_history *history, const char *name, cdg_history_rod *out) {
    cdg_history_info info;
    assert_int_equal(cdg_history_get_info(history, &info), CDG_OK);
    for (size_t i = 0; i < info.rod_count; i++) {
        assert_int_equal(cdg_history_rod_at(history, i, out), CDG_OK);
        if (strcmp(out->name, name) == 0) return i;
    }
    fail_msg("there is no rod %s", name);
    return 0;
}

static size_t read_nodes(const cdg_history *history, const char *name, size_t frame, cdg_vec3 *out, size_t room) {
    cdg_history_rod rod;
    cdg_error error = {0};
    size_t nodes, elements, index = find_rod(history, name, &rod);
    assert_int_equal(cdg_history_counts(history, frame, index, &nodes, &elements, &error), CDG_OK);
    cdg_result result = cdg_history_read(history, frame, index, "positions", &out->x, 3 * room, &error);
    if (result != CDG_OK) print_error("%s\n", error.message);
    assert_int_equal(result, CDG_OK);
    return nodes;
}

enum { ROOM = 400 };

static void check(const char *more) {
    char one[RUN_PATH_SIZE], two[RUN_PATH_SIZE];
    cdg_scene *scene = parse(more);
    run_directory_make(one);
    run_directory_make(two);
    run(scene, one, false);
    run(scene, two, true);
    cdg_history *a = open_run(one), *b = open_run(two);
    cdg_history_info info;
    assert_int_equal(cdg_history_get_info(a, &info), CDG_OK);
    assert_int_equal(info.rod_count, 4);
    static cdg_vec3 x[ROOM], y[ROOM], z[ROOM];
    const char *const names[] = {"rope", "ring", "rope.2", "ring.2"};
    for (size_t f = 0; f < info.frame_count; f++)
        for (int i = 0; i < 4; i++) {
            size_t nodes = read_nodes(a, names[i], f, x, ROOM);
            assert_int_equal(nodes, read_nodes(b, names[i], f, y, ROOM));
            assert_memory_equal(x, y, nodes * sizeof *x); // continued or not
        }
    // before the cut the parts meet, then they part; the ring is all round at first
    size_t last = read_nodes(a, "rope", 5, x, ROOM) - 1;
    read_nodes(a, "rope.2", 5, y, ROOM);
    assert_memory_equal(&x[last], &y[0], sizeof *x);
    size_t end = read_nodes(a, "ring.2", 3, z, ROOM) - 1;
    read_nodes(a, "ring", 3, y, ROOM);
    assert_memory_equal(&z[end], &y[0], sizeof *y);
    last = read_nodes(a, "rope", info.frame_count - 1, x, ROOM) - 1;
    size_t pinned = read_nodes(a, "rope.2", info.frame_count - 1, y, ROOM) - 1;
    assert_true(vec3_distance(x[last], y[0]) > 5e-3);
    assert_true(vec3_distance(y[pinned], vec3(0.2, 0, 0.1)) < 1e-12);
    size_t size;
    char *probes = run_read_text(one, "probes.csv", &size), *others = run_read_text(two, "probes.csv", &size);
    assert_string_equal(probes, others);
    assert_non_null(strstr(probes, "tip_x"));
    free(probes);
    free(others);
    size_t contacts;
    cdg_error error = {0};
    assert_int_equal(cdg_history_contact_count(a, 8, &contacts, &error), CDG_OK);
    assert_true(contacts > 0);
    cdg_history_close(a);
    cdg_history_close(b);
    run_directory_remove(one);
    run_directory_remove(two);
    cdg_scene_destroy(scene);
}

static void parts_are_there_from_the_start(void **state) {
    (void)state;
    check("");
}

static void parts_change_their_resolution(void **state) {
    (void)state;
    check(", adapt: on");
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(parts_are_there_from_the_start),
                                       cmocka_unit_test(parts_change_their_resolution)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
