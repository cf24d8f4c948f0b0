// A run that stands where another is to go: what it is to the new scene, keeping it, and ends of processes in between.
#define _DEFAULT_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "output/old_run.h"
#include "run_scene.h"

typedef struct fixture {
    char base[RUN_PATH_SIZE], before[RUN_PATH_SIZE];
    cdg_scene *scene;
} fixture;

static int set_up(void **state) {
    static fixture f;
    run_directory_make(f.base);
    snprintf(f.before, sizeof f.before, "%.500s.before", f.base);
    f.scene = run_scene_make((run_scene_options){0});
    cdg_run_def def = {.scene = f.scene, .directory = f.base, .thread_count = 1};
    assert_int_equal(cdg_run(&def, NULL, NULL), CDG_OK);
    *state = &f;
    return 0;
}

static int tear_down(void **state) {
    fixture *f = *state;
    cdg_scene_destroy(f->scene);
    run_directory_remove(f->base);
    run_directory_remove(f->before);
    return 0;
}

static cdg_old_run find(const fixture *f, cdg_scene *scene) {
    char described[300];
    cdg_old_run found = cdg_old_run_find(f->base, scene, described, sizeof described);
    assert_true(strlen(described) > 0);
    return found;
}

static cdg_scene *parse(const char *name, int elements) {
    char *text = run_scene_text(&(run_scene_options){.elements = elements});
    cdg_scene *scene = NULL;
    assert_int_equal(cdg_scene_parse(text, strlen(text), name, NULL, NULL, 0, &scene, NULL), CDG_OK);
    free(text);
    return scene;
}

static void test_relations(void **state) {
    fixture *f = *state;
    assert_int_equal(find(f, f->scene), CDG_OLD_RUN_SAME);
    const struct {
        const char *name;
        int elements;
        cdg_old_run expected;
    } cases[] = {{"test.yaml", 10, CDG_OLD_RUN_SAME},
                 {"elsewhere/test.yaml", 10, CDG_OLD_RUN_SAME},
                 {"new.yaml", 10, CDG_OLD_RUN_SAME},
                 {"test.yaml", 11, CDG_OLD_RUN_EDITED},
                 {"elsewhere/test.yaml", 11, CDG_OLD_RUN_EDITED},
                 {"new.yaml", 11, CDG_OLD_RUN_OTHER}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        cdg_scene *scene = parse(cases[i].name, cases[i].elements);
        assert_int_equal(find(f, scene), cases[i].expected);
        cdg_scene_destroy(scene);
    }
    size_t size;
    char *bytes = run_read_text(f->base, "run.h5", &size);
    run_write_text(f->base, "run.h5", bytes, size / 2);
    assert_int_equal(find(f, f->scene), CDG_OLD_RUN_EDITED); // damaged: kept
    run_write_text(f->base, "run.h5", bytes, 0);
    assert_int_equal(find(f, f->scene), CDG_OLD_RUN_NONE);
    unlink(run_path(f->base, "run.h5"));
    assert_int_equal(find(f, f->scene), CDG_OLD_RUN_NONE);
    free(bytes);
}

static void test_keeping(void **state) {
    fixture *f = *state;
    const char *const names[] = {"run.h5", "probes.csv", "summary.json"};
    for (int round = 0; round < 2; round++) { // also over what is there already
        char with_slash[RUN_PATH_SIZE], *place = NULL;
        snprintf(with_slash, sizeof with_slash, "%.500s%s", f->base, round == 0 ? "" : "//");
        assert_int_equal(cdg_old_run_keep(with_slash, &place, NULL), CDG_OK);
        assert_string_equal(place, f->before);
        free(place);
        for (size_t i = 0; i < 3; i++) {
            assert_same_text(f->base, f->before, names[i]);
            char name[50];
            snprintf(name, sizeof name, "%s.new", names[i]);
            assert_false(run_path_exists(f->before, name));
        }
    }
    unlink(run_path(f->base, "summary.json")); // a run without one must not be given that of another
    char *place = NULL;
    assert_int_equal(cdg_old_run_keep(f->base, &place, NULL), CDG_OK);
    assert_false(run_path_exists(f->before, "summary.json"));
    free(place);
    // "." is asked for its name
    char here[RUN_PATH_SIZE];
    assert_non_null(getcwd(here, sizeof here));
    assert_int_equal(chdir(f->base), 0);
    assert_int_equal(cdg_old_run_keep(".", &place, NULL), CDG_OK);
    assert_string_equal(place, f->before);
    free(place);
    assert_int_equal(chdir(here), 0);
    // a file in the way
    run_directory_remove(f->before);
    FILE *file = fopen(f->before, "w");
    assert_non_null(file);
    fclose(file);
    cdg_error error;
    assert_int_equal(cdg_old_run_keep(f->base, &place, &error), CDG_ERROR_IO);
    assert_non_null(strstr(error.message, f->before));
    free(place);
    unlink(f->before);
}

// What a process leaves that dies before, between and after the renames.
static void test_settling(void **state) {
    fixture *f = *state;
    char *old = run_read_text(f->base, "probes.csv", NULL);
    run_write_text(f->base, "run.h5.new", "begun", 5);
    run_write_text(f->base, "probes.csv.new", "time [s]\n", 9);
    assert_int_equal(cdg_old_run_settle(f->base, NULL), CDG_OK); // before: the old run stays
    char *now = run_read_text(f->base, "probes.csv", NULL);
    assert_string_equal(now, old);
    free(now);
    assert_true(run_path_exists(f->base, "summary.json"));
    assert_false(run_path_exists(f->base, "run.h5.new") || run_path_exists(f->base, "probes.csv.new"));
    run_write_text(f->base, "probes.csv.new", "time [s]\n", 9); // run.h5 is in place already
    assert_int_equal(cdg_old_run_settle(f->base, NULL), CDG_OK);
    now = run_read_text(f->base, "probes.csv", NULL);
    assert_string_equal(now, "time [s]\n");
    assert_false(run_path_exists(f->base, "summary.json") || run_path_exists(f->base, "probes.csv.new"));
    assert_int_equal(cdg_old_run_settle(f->base, NULL), CDG_OK); // nothing to do
    free(now);
    free(old);
}

static void test_foreign_files(void **state) {
    fixture *f = *state;
    assert_int_equal(cdg_old_run_check_own(f->base, NULL), CDG_OK);
    for (size_t i = 0; i < CDG_RUN_FILE_COUNT; i++) {
        run_write_text(f->base, cdg_run_file_names[i], "my own", 6);
        cdg_error error;
        assert_int_equal(cdg_old_run_check_own(f->base, &error), CDG_ERROR_ARGUMENT);
        assert_non_null(strstr(error.message, cdg_run_file_names[i]));
        unlink(run_path(f->base, cdg_run_file_names[i]));
    }
    assert_int_equal(cdg_old_run_check_own(f->base, NULL), CDG_OK); // nothing at all
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_relations, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_keeping, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_settling, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_foreign_files, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
