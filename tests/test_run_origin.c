// A run goes on only in the world that it began in: meshes, points and roots, instruction set, methods.
#define _DEFAULT_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/processor.h"
#include "output/run_origin.h"
#include "run_scene.h"

typedef struct fixture {
    char base[RUN_PATH_SIZE], run[RUN_PATH_SIZE];
    char note[CDG_MESSAGE_SIZE];
} fixture;

// Contents of the files that the scene names; `part` makes them differ.
static void write_files(const fixture *f, int part) {
    char text[400];
    snprintf(text, sizeof text, "v 0 0 0\nv 0.05 0 0\nv 0 0.05 0\nv 0 0 %g\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n",
             part == 1 ? 0.04 : 0.05);
    run_write_text(f->base, "wall.obj", text, strlen(text));
    snprintf(text, sizeof text, "0,0,1\n0.1,0,1\n0.2,0,%g\n", part == 2 ? 1.01 : 1);
    run_write_text(f->base, "line.csv", text, strlen(text));
    snprintf(text, sizeof text, "v 0 0 3\nv 0.1 0 3\nv 0 0.1 3\nf 1 2 3\n%s", part == 3 ? "v 1 1 1\n" : "");
    run_write_text(f->base, "roots.obj", text, strlen(text));
}

static const char scene_text[] =
    "cordage: 1\n"
    "simulation: {duration: 20 ms, step: 1 ms}\n"
    "output: {every: 5 ms}\n"
    "materials: {m: {young_modulus: 1 MPa, density: 1100}}\n"
    "rods: [{name: a, material: m, section: {circle: {radius: 1 mm}}, centerline: {file: line.csv}, elements: 8}]\n"
    "strands: [{name: h, roots: {mesh: {file: roots.obj}}, material: m, section: {circle: {radius: 40 um}}, guides: "
    "2,\n"
    "           length: 5 cm, elements: 4}]\n"
    "obstacles: [{mesh: {file: wall.obj}}]\n";

static cdg_scene *load(const fixture *f) {
    run_write_text(f->base, "scene.yaml", scene_text, strlen(scene_text));
    cdg_scene *scene = NULL;
    cdg_error error;
    if (cdg_scene_load(run_path(f->base, "scene.yaml"), NULL, 0, &scene, &error) != CDG_OK)
        fail_msg("%s", error.message);
    return scene;
}

static bool stop_at_7(void *user, const cdg_run_progress *now) {
    (void)user;
    return now->step != 7;
}

static void keep_note(void *user, const char *sentence) {
    fixture *f = user;
    snprintf(f->note, sizeof f->note, "%s", sentence);
}

static int set_up(void **state) {
    static fixture f;
    f = (fixture){0};
    run_directory_make(f.base);
    snprintf(f.run, sizeof f.run, "%.500s/run", f.base);
    write_files(&f, 0);
    cdg_scene *scene = load(&f);
    cdg_run_def def = {.scene = scene, .directory = f.run, .thread_count = 1, .on_progress = stop_at_7};
    assert_int_equal(cdg_run(&def, NULL, NULL), CDG_ERROR_INTERRUPTED);
    cdg_scene_destroy(scene);
    *state = &f;
    return 0;
}

static int tear_down(void **state) {
    run_directory_remove(((fixture *)*state)->base);
    return 0;
}

static cdg_result resume(fixture *f, bool force, cdg_error *error) {
    cdg_scene *scene = load(f);
    cdg_run_def def = {.scene = scene,
                       .directory = f->run,
                       .resume = true,
                       .force = force,
                       .thread_count = 1,
                       .on_note = keep_note,
                       .user = f};
    f->note[0] = '\0';
    cdg_result result = cdg_run(&def, NULL, error);
    cdg_scene_destroy(scene);
    return result;
}

static void test_changed_files(void **state) {
    fixture *f = *state;
    const char *const names[] = {"", "wall.obj", "line.csv", "roots.obj"};
    cdg_error error;
    for (int part = 1; part <= 3; part++) {
        write_files(f, part);
        assert_int_equal(resume(f, false, &error), CDG_ERROR_FORMAT);
        for (int i = 1; i <= 3; i++) // the one that changed, and no other
            assert_int_equal(strstr(error.message, names[i]) != NULL, i == part);
        assert_non_null(strstr(error.message, "--force"));
    }
    write_files(f, 1);
    assert_int_equal(resume(f, true, &error), CDG_OK); // with another wall it may go on
    assert_non_null(strstr(f->note, "'wall.obj' has changed; it goes on all the same"));
}

static void test_unchanged(void **state) {
    fixture *f = *state;
    write_files(f, 1);
    write_files(f, 0); // put back
    assert_int_equal(resume(f, false, NULL), CDG_OK);
    assert_string_equal(f->note, "");
}

// Replaces an attribute's value, or removes it.
static void set_attribute(const fixture *f, const char *name, const char *value) {
    hid_t file = H5Fopen(run_path(f->run, "run.h5"), H5F_ACC_RDWR, H5P_DEFAULT);
    assert_true(file >= 0);
    assert_true(H5Adelete(file, name) >= 0);
    if (value != NULL) assert_true(cdg_hdf5_put_text(file, name, value));
    H5Fclose(file);
}

static void test_other_instructions(void **state) {
    fixture *f = *state;
    cdg_error error;
    set_attribute(f, "instructions", "mmx");
    assert_int_equal(resume(f, false, &error), CDG_ERROR_FORMAT);
    assert_non_null(strstr(error.message, "the instruction set was 'mmx'"));
    set_attribute(f, "instructions", cdg_processor_lanes_name(cdg_processor_lanes()));
    hid_t file = H5Fopen(run_path(f->run, "run.h5"), H5F_ACC_RDWR, H5P_DEFAULT);
    H5Adelete(file, "algorithm");
    assert_true(cdg_hdf5_put_integer(file, "algorithm", CDG_ALGORITHM_VERSION + 1));
    H5Fclose(file);
    assert_int_equal(resume(f, false, &error), CDG_ERROR_FORMAT);
    assert_non_null(strstr(error.message, "methods"));
    assert_int_equal(resume(f, true, &error), CDG_OK);
    assert_non_null(strstr(f->note, "methods"));
}

static void test_run_that_does_not_tell(void **state) {
    fixture *f = *state;
    set_attribute(f, "files", NULL);
    set_attribute(f, "instructions", NULL);
    write_files(f, 1);
    assert_int_equal(resume(f, false, NULL), CDG_OK);
    assert_non_null(strstr(f->note, "not checked"));
}

static void test_lists(void **state) {
    fixture *f = *state;
    cdg_scene *scene = load(f);
    assert_int_equal(scene->file_count, 3);
    char changes[CDG_MESSAGE_SIZE];
    bool is_known = false;
    assert_int_equal(cdg_run_origin_compare(run_path(f->run, "run.h5"), scene, changes, &is_known, NULL), CDG_OK);
    assert_true(is_known);
    assert_string_equal(changes, "");
    assert_int_equal(cdg_run_origin_compare(run_path(f->run, "none.h5"), scene, changes, &is_known, NULL),
                     CDG_ERROR_FORMAT);
    cdg_scene_destroy(scene);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_changed_files, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_unchanged, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_other_instructions, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_run_that_does_not_tell, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_lists, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
