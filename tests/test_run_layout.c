// The structure of run.h5: shapes, units, attributes; a file is found again only by the scene that made it.
#define _DEFAULT_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include <cmocka.h>

#include "math/random.h"
#include "output/checkpoint.h"
#include "output/hdf5_file.h"
#include "output/run_layout.h"
#include "run_scene.h"

typedef struct fixture {
    char base[RUN_PATH_SIZE], path[RUN_PATH_SIZE + 20];
    cdg_scene *scene;
    cdg_world *world;
    cdg_run_plan plan;
    cdg_run_layout layout;
} fixture;

static void open_scene(fixture *f, run_scene_options options) {
    f->scene = run_scene_make(options);
    assert_int_equal(cdg_scene_build(f->scene, 1, &f->world, NULL), CDG_OK);
    assert_int_equal(cdg_run_plan_make(f->scene, f->world, &f->plan, NULL), CDG_OK);
    assert_int_equal(
        cdg_run_layout_make(f->world, f->plan.frame_count, cdg_checkpoint_words(f->world), &f->layout, NULL), CDG_OK);
}

static void close_scene(fixture *f) {
    cdg_run_layout_free(&f->layout);
    cdg_world_destroy(f->world);
    cdg_scene_destroy(f->scene);
}

static int set_up(void **state) {
    static fixture f;
    run_directory_make(f.base);
    snprintf(f.path, sizeof f.path, "%s/run.h5", f.base);
    open_scene(&f, (run_scene_options){0});
    cdg_error error;
    if (cdg_run_layout_create(&f.layout, f.path, f.scene, &f.plan, &error) != CDG_OK) fail_msg("%s", error.message);
    *state = &f;
    return 0;
}

static int tear_down(void **state) {
    fixture *f = *state;
    close_scene(f);
    run_directory_remove(f->base);
    return 0;
}

static void check_dataset(hid_t file, const char *name, int rank, const hsize_t *expected, const char *units) {
    hid_t dataset = H5Dopen2(file, name, H5P_DEFAULT);
    if (dataset < 0) fail_msg("%s is missing", name);
    hid_t space = H5Dget_space(dataset);
    hsize_t size[3] = {0};
    assert_int_equal(H5Sget_simple_extent_ndims(space), rank);
    H5Sget_simple_extent_dims(space, size, NULL);
    for (int i = 0; i < rank; i++) assert_int_equal(size[i], expected[i]);
    char *text = NULL;
    assert_true(cdg_hdf5_get_text(dataset, "units", &text));
    assert_string_equal(text, units);
    free(text);
    assert_true(cdg_hdf5_get_text(dataset, "description", &text));
    assert_true(strlen(text) > 5);
    free(text);
    H5Sclose(space);
    H5Dclose(dataset);
}

static void test_structure(void **state) {
    fixture *f = *state;
    hid_t file = run_open(f->base);
    const hsize_t T = 13, N = 11, M = 10, R = 12; // outputs, nodes and elements of the cable, both of the ring
    check_dataset(file, "/time", 1, (hsize_t[]){T}, "s");
    check_dataset(file, "/rods/cable/positions", 3, (hsize_t[]){T, N, 3}, "m");
    check_dataset(file, "/rods/cable/velocities", 3, (hsize_t[]){T, N, 3}, "m/s");
    check_dataset(file, "/rods/cable/frames", 3, (hsize_t[]){T, M, 4}, "1");
    check_dataset(file, "/rods/cable/angular_velocities", 3, (hsize_t[]){T, M, 3}, "rad/s");
    check_dataset(file, "/rods/cable/tension", 2, (hsize_t[]){T, M}, "N");
    check_dataset(file, "/rods/cable/forces", 3, (hsize_t[]){T, M, 3}, "N");
    check_dataset(file, "/rods/cable/moment", 3, (hsize_t[]){T, N, 3}, "N*m");
    check_dataset(file, "/rods/cable/radius", 1, (hsize_t[]){N}, "m");
    check_dataset(file, "/rods/cable/rest_length", 1, (hsize_t[]){M}, "m");
    check_dataset(file, "/rods/cable/section_size", 2, (hsize_t[]){N, 2}, "m");
    check_dataset(file, "/rods/ring/positions", 3, (hsize_t[]){T, R, 3}, "m");
    check_dataset(file, "/rods/ring/frames", 3, (hsize_t[]){T, R, 4}, "1");
#define CHECK(name, text) check_dataset(file, "/energy/" #name, 1, (hsize_t[]){T}, "J");
    CDG_ENERGY_LIST(CHECK)
#undef CHECK
    const char *const names[] = {"scene", "overrides", "version", "model", "settings", "title", "description"};
    const char *const expected[] = {f->scene->text, "", cdg_version(), "pobd", NULL, "A cable and a ring", NULL};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char *text = NULL;
        if (!cdg_hdf5_get_text(file, names[i], &text)) fail_msg("attribute %s is missing", names[i]);
        if (expected[i] != NULL) assert_string_equal(text, expected[i]);
        free(text);
    }
    double step = 0;
    assert_true(cdg_hdf5_get_number(file, "step", &step));
    assert_true(step == 1e-3);
    H5Fclose(file);
}

static void test_bytes(void **state) {
    fixture *f = *state;
    struct stat status;
    assert_int_equal(stat(f->path, &status), 0);
    double bytes = cdg_run_layout_bytes(&f->layout);
    assert_true((double)status.st_size > bytes);
    assert_true((double)status.st_size < bytes + 60000); // the structure
    // no dataset overlaps another
    uint64_t begin[100], end[100];
    size_t count = 0;
#define ADD(offset, numbers) begin[count] = (offset), end[count] = (offset) + 8 * (uint64_t)(numbers), count++;
    ADD(f->layout.time, 13)
    for (int i = 0; i < 2; i++) ADD(f->layout.checkpoint[i], f->layout.slot_words)
    for (size_t i = 0; i < f->layout.rod_count; i++) {
        const cdg_run_rod_entry *rod = &f->layout.rods[i];
        for (int k = 0; k < CDG_FIELD_COUNT; k++) {
            if (!cdg_run_has_field(rod, (cdg_field)k)) continue;
            ADD(rod->fields[k], 13 * cdg_run_field_row(&rod->info, (cdg_field)k))
        }
#define ADD_CONSTANT(name, per, components, units, text) ADD(rod->name, cdg_run_row(&rod->info, per, components))
        CDG_RUN_ROD_CONSTANT_LIST(ADD_CONSTANT)
#undef ADD_CONSTANT
    }
#define ADD_ENERGY(name, text) ADD(f->layout.energy_##name, 13)
    CDG_ENERGY_LIST(ADD_ENERGY)
#undef ADD_ENERGY
#undef ADD
    double sum = 0;
    for (size_t i = 0; i < count; i++) {
        sum += (double)(end[i] - begin[i]);
        assert_true(end[i] <= (uint64_t)status.st_size);
        for (size_t k = 0; k < i; k++) assert_true(begin[i] >= end[k] || begin[k] >= end[i]);
    }
    assert_true(sum == bytes);
}

static void test_found_again(void **state) {
    fixture *f = *state;
    cdg_run_layout found;
    assert_int_equal(cdg_run_layout_make(f->world, f->plan.frame_count, f->layout.slot_words, &found, NULL), CDG_OK);
    cdg_error error;
    if (cdg_run_layout_find(&found, f->path, f->scene, &f->plan, &error) != CDG_OK) fail_msg("%s", error.message);
    assert_int_equal(found.frame_count, 13);
    assert_true(found.time == f->layout.time && found.checkpoint[1] == f->layout.checkpoint[1]);
    assert_true(found.rods[1].fields[CDG_FIELD_moment] == f->layout.rods[1].fields[CDG_FIELD_moment] &&
                found.energy_total == f->layout.energy_total);
    cdg_run_layout_free(&found);
}

static void expect_refusal(fixture *f, run_scene_options options, const char *word) {
    fixture other;
    open_scene(&other, options);
    cdg_error error = {0};
    assert_int_equal(cdg_run_layout_find(&other.layout, f->path, other.scene, &other.plan, &error), CDG_ERROR_FORMAT);
    if (strstr(error.message, word) == NULL) fail_msg("expected '%s' in: %s", word, error.message);
    close_scene(&other);
}

static void test_other_scene(void **state) {
    fixture *f = *state;
    expect_refusal(f, (run_scene_options){.elements = 11}, "another scene text");
    expect_refusal(f, (run_scene_options){.step_ms = 0.5}, "another scene text");
    const char *const overrides[] = {"rods.cable.elements=11"};
    expect_refusal(f, (run_scene_options){.overrides = overrides, .override_count = 1}, "other overrides");
    // the same text and overrides, but the numbers differ: what a changed default or file would do
    cdg_run_plan plan = f->plan;
    cdg_error error;
    plan.step *= 1 + 1e-15;
    assert_int_equal(cdg_run_layout_find(&f->layout, f->path, f->scene, &plan, &error), CDG_ERROR_FORMAT);
    assert_non_null(strstr(error.message, "steps of"));
    cdg_run_layout layout = f->layout;
    layout.slot_words++;
    assert_int_equal(cdg_run_layout_find(&layout, f->path, f->scene, &f->plan, &error), CDG_ERROR_FORMAT);
    assert_non_null(strstr(error.message, "checkpoint"));
    f->layout.rods[0].info.element_count++;
    assert_int_equal(cdg_run_layout_find(&f->layout, f->path, f->scene, &f->plan, &error), CDG_ERROR_FORMAT);
    assert_non_null(strstr(error.message, "elements"));
}

static void test_cut_off(void **state) {
    fixture *f = *state;
    size_t size;
    char *bytes = run_read_text(f->base, "run.h5", &size);
    cdg_random random = {5};
    cdg_error error;
    for (int i = 0; i < 200; i++) {
        size_t length = i == 0 ? 0 : i == 1 ? size - 1 : random_bits(&random) % size;
        run_write_text(f->base, "run.h5", bytes, length);
        assert_int_equal(cdg_run_layout_find(&f->layout, f->path, f->scene, &f->plan, &error), CDG_ERROR_FORMAT);
    }
    free(bytes);
    unlink(f->path);
    assert_int_equal(cdg_run_layout_find(&f->layout, f->path, f->scene, &f->plan, &error), CDG_ERROR_FORMAT);
    assert_non_null(strstr(error.message, "no run to resume"));
    assert_int_equal(mkdir(f->path, 0777), 0);
    assert_int_equal(cdg_run_layout_find(&f->layout, f->path, f->scene, &f->plan, &error), CDG_ERROR_FORMAT);
}

// Noise in the structure is noticed without a crash. In a process of its own, because HDF5 complains when a process
// ends that has seen such files.
static void test_noise(void **state) {
    fixture *f = *state;
    size_t size;
    char *bytes = run_read_text(f->base, "run.h5", &size), *noisy = malloc(size);
    pid_t child = fork();
    if (child == 0) {
        cdg_random random = {6};
        int refused = 0;
        for (int i = 0; i < 300; i++) {
            memcpy(noisy, bytes, size);
            size_t at = random_bits(&random) % 4096, count = 1 + random_bits(&random) % 64;
            for (size_t k = at; k < at + count && k < size; k++) noisy[k] = (char)random_bits(&random);
            FILE *file = fopen(f->path, "wb");
            if (file == NULL || fwrite(noisy, 1, size, file) != size || fclose(file) != 0) _exit(2);
            cdg_result result = cdg_run_layout_find(&f->layout, f->path, f->scene, &f->plan, NULL);
            if (result != CDG_OK && result != CDG_ERROR_FORMAT) _exit(3);
            refused += result != CDG_OK; // noise may also hit numbers only
        }
        _exit(refused > 50 ? 0 : 4);
    }
    int status;
    waitpid(child, &status, 0);
    assert_int_equal(status, 0);
    free(noisy);
    free(bytes);
}

static void test_impossible_sizes(void **state) {
    fixture *f = *state;
    cdg_error error;
    f->layout.frame_count = (size_t)1 << 60;
    assert_int_equal(cdg_run_layout_create(&f->layout, f->path, f->scene, &f->plan, &error), CDG_ERROR_IO);
    assert_non_null(strstr(error.message, "less often"));
    // more than the system allows a file to have
    struct rlimit kept, small;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &kept), 0);
    small = (struct rlimit){.rlim_cur = 1 << 20, .rlim_max = kept.rlim_max};
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    f->layout.frame_count = 10000;
    cdg_result result = cdg_run_layout_create(&f->layout, f->path, f->scene, &f->plan, &error);
    setrlimit(RLIMIT_FSIZE, &kept);
    signal(SIGXFSZ, SIG_DFL);
    assert_int_equal(result, CDG_ERROR_IO);
    assert_non_null(strstr(error.message, "File too large"));
    assert_non_null(strstr(error.message, f->path));
    f->layout.frame_count = 13;
    assert_int_equal(cdg_run_layout_create(&f->layout, "/no/such/run.h5", f->scene, &f->plan, &error), CDG_ERROR_IO);
    assert_string_equal(error.message, "/no/such/run.h5: cannot create: No such file or directory");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_structure, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_bytes, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_found_again, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_other_scene, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_cut_off, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_noise, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_impossible_sizes, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
