// Fibres in run.h5: what the scene has is what stands there and is read back, also after packing; damage is noticed.
#define _DEFAULT_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <fcntl.h>

#include "hair_case.h"
#include "output/run_fibers.h"

static char directory[RUN_PATH_SIZE];
static const size_t node_counts[HAIR_RODS] = {5, 11, 9, 9, 9, 9, 4};

static cdg_result read_in(const char *place, cdg_run_fibers **out, size_t *count, cdg_error *error) {
    const char *path = run_path(place, "run.h5");
    int descriptor = open(path, O_RDONLY);
    assert_true(descriptor >= 0);
    cdg_result result = cdg_run_fibers_read(path, descriptor, node_counts, HAIR_RODS, out, count, error);
    close(descriptor);
    return result;
}

static void compare(const cdg_run_fibers *group, const cdg_strands *strands, size_t first) {
    const cdg_fibers *a = &group->fibers, *b = &strands->fibers;
    assert_string_equal(group->name, strands->name);
    assert_true(a->fiber_count == b->fiber_count && a->node_count == b->node_count && a->radius == b->radius);
    for (size_t i = 0; i < 3 * a->fiber_count; i++)
        assert_int_equal(group->first_guide + a->guides[i / 3][i % 3], first + b->guides[i / 3][i % 3]);
    assert_memory_equal(a->weights, b->weights, a->fiber_count * sizeof *a->weights);
    assert_memory_equal(a->roots, b->roots, a->fiber_count * sizeof *a->roots);
    assert_memory_equal(a->lengths, b->lengths, a->fiber_count * sizeof *a->lengths);
    assert_memory_equal(a->spread, b->spread, a->node_count * sizeof *a->spread);
    assert_memory_equal(a->offsets, b->offsets, a->fiber_count * a->node_count * sizeof *a->offsets);
}

static void check_all(const char *place) {
    cdg_scene *scene = run_scene_parse(HAIR_TEXT, NULL, 0);
    cdg_run_fibers *groups = NULL;
    size_t count = 0;
    cdg_error error = {0};
    if (read_in(place, &groups, &count, &error) != CDG_OK) fail_msg("%s", error.message);
    assert_int_equal(count, 2); // the bald one has none
    compare(&groups[0], scene->strands[0], 1);
    compare(&groups[1], scene->strands[1], 2);
    cdg_run_fibers_free(groups, count);
    cdg_scene_destroy(scene);
}

static void test_round_trip(void **state) {
    (void)state;
    check_all(directory);
}

static bool stop_early(void *user, const cdg_run_progress *progress) {
    (void)user;
    return progress->step < 4;
}

// A run that is interrupted is rewritten to its size, and again when it goes on.
static void test_packed(void **state) {
    (void)state;
    char place[RUN_PATH_SIZE];
    run_directory_make(place);
    cdg_scene *scene = run_scene_parse(HAIR_TEXT, NULL, 0);
    cdg_run_def def = {.scene = scene, .directory = place, .on_progress = stop_early};
    cdg_run_summary summary;
    cdg_error error = {0};
    assert_int_equal(cdg_run(&def, &summary, &error), CDG_ERROR_INTERRUPTED);
    check_all(place);
    def.on_progress = NULL;
    def.resume = true;
    assert_int_equal(cdg_run(&def, &summary, &error), CDG_OK);
    assert_true(summary.resumed);
    check_all(place);
    cdg_scene_destroy(scene);
    run_directory_remove(place);
}

static void test_damage(void **state) {
    (void)state;
    static const struct {
        const char *dataset;
        size_t place;
        double value;
        const char *part;
    } cases[] = {{"/fibers/one/weights", 2, NAN, "a weight of fibres 'one'"},
                 {"/fibers/two/roots", 5, INFINITY, "a root of fibres 'two'"},
                 {"/fibers/two/spread", 1, NAN, "the spread"},
                 {"/fibers/one/offsets", 40, NAN, "an offset"},
                 {"/fibers/one/lengths", 0, 0, "a length"},
                 {"/fibers/one/lengths", 0, 1.5, "a length"},
                 {"/fibers/two/guides", 3, 99, "a guide of fibres 'two'"},
                 {"/fibers/two/guides", 3, 0, "the number of nodes"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char place[RUN_PATH_SIZE];
        hair_run(place);
        run_poke(place, cases[i].dataset, cases[i].place, cases[i].value);
        cdg_run_fibers *groups = NULL;
        size_t count = 0;
        cdg_error error = {0};
        assert_int_equal(read_in(place, &groups, &count, &error), CDG_ERROR_FORMAT);
        if (strstr(error.message, cases[i].part) == NULL) fail_msg("'%s' is not in: %s", cases[i].part, error.message);
        assert_true(groups == NULL && count == 0);
        run_directory_remove(place);
    }
}

static void test_missing(void **state) {
    (void)state;
    hid_t file = H5Fopen(run_path(directory, "run.h5"), H5F_ACC_RDWR, H5P_DEFAULT);
    assert_true(H5Ldelete(file, "/fibers/two/roots", H5P_DEFAULT) >= 0);
    H5Fclose(file);
    cdg_run_fibers *groups = NULL;
    size_t count = 0;
    cdg_error error = {0};
    assert_int_equal(read_in(directory, &groups, &count, &error), CDG_ERROR_FORMAT);
    assert_non_null(strstr(error.message, "a dataset of fibres 'two'"));
    file = H5Fopen(run_path(directory, "run.h5"), H5F_ACC_RDWR, H5P_DEFAULT);
    assert_true(H5Ldelete(file, "/fibers", H5P_DEFAULT) >= 0); // a run of rods alone
    H5Fclose(file);
    assert_int_equal(read_in(directory, &groups, &count, &error), CDG_OK);
    assert_true(groups == NULL && count == 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_round_trip), cmocka_unit_test(test_packed),
                                       cmocka_unit_test(test_damage), cmocka_unit_test(test_missing)};
    hair_run(directory);
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    run_directory_remove(directory);
    return failed;
}
