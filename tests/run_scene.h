// A small scene to run, directories to run it in, and comparing two runs number by number: for the tests of src/output.
// The including file defines _DEFAULT_SOURCE and includes cmocka first.
#ifndef CDG_TESTS_RUN_SCENE_H
#define CDG_TESTS_RUN_SCENE_H

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cordage/run.h>
#include <hdf5.h>

// What varies in the scene; zero members take the values of run_scene_text.
typedef struct run_scene_options {
    int elements;       // of the cable
    double duration_ms; // default 60
    double every_ms;    // default 5
    double step_ms;     // default 1
    double force;       // N, downwards at the cable's end, from force_from_ms on
    double force_from_ms;
    const char *const *overrides;
    size_t override_count;
} run_scene_options;

static inline char *run_scene_text(const run_scene_options *options) {
    char *text = malloc(4096), load[200] = "";
    assert_non_null(text);
    if (options->force != 0) {
        snprintf(load, sizeof load, "loads:\n  - {force: [0, 0, -%g], at: cable.end, from: %g ms}\n", options->force,
                 options->force_from_ms);
    }
    snprintf(text, 4096,
             "cordage: 1\ncontact: off\n" // the rods cross
             "title: A cable and a ring\n"
             "simulation: {step: %g ms, duration: %g s}\n"
             "output: {every: %g ms}\n"
             "materials:\n"
             "  rubber: {young_modulus: 1 MPa, density: 1100 kg/m^3}\n"
             "rods:\n"
             "  - name: cable\n"
             "    material: rubber\n"
             "    section: {circle: {radius: 2 mm}}\n"
             "    centerline: {line: {from: [0, 0, 0], to: [1, 0, 0]}}\n"
             "    elements: %d\n"
             "    pobd: {solver: gauss_seidel}\n"
             "  - name: ring\n"
             "    material: rubber\n"
             "    section: {circle: {radius: 2 mm}}\n"
             "    centerline: {circle: {radius: 10 cm}}\n"
             "    rest: initial\n"
             "    elements: 12\n"
             "supports:\n"
             "  - clamp: cable.start\n"
             "%s"
             "probes:\n"
             "  - {name: tip, position: cable.end}\n"
             "  - {name: pull, reaction: cable.start}\n"
             "  - {name: all, energy: all}\n",
             options->step_ms > 0 ? options->step_ms : 1, (options->duration_ms > 0 ? options->duration_ms : 60) * 1e-3,
             options->every_ms > 0 ? options->every_ms : 5, options->elements > 0 ? options->elements : 10, load);
    return text;
}

static inline cdg_scene *run_scene_parse(const char *text, const char *const *overrides, size_t override_count) {
    cdg_scene *scene = NULL;
    cdg_error error = {0};
    cdg_result result =
        cdg_scene_parse(text, strlen(text), "test.yaml", NULL, overrides, override_count, &scene, &error);
    if (result != CDG_OK) {
        char line[1000];
        for (size_t i = 0; scene != NULL && i < cdg_scene_diagnostic_count(scene); i++) {
            cdg_scene_format_diagnostic(scene, i, line, sizeof line);
            print_error("%s\n", line);
        }
        fail_msg("the test's scene is wrong: %s", error.message);
    }
    return scene;
}

static inline cdg_scene *run_scene_make(run_scene_options options) {
    char *text = run_scene_text(&options);
    cdg_scene *scene = run_scene_parse(text, options.overrides, options.override_count);
    free(text);
    return scene;
}

// ---- directories ----------------------------------------------------------------------------------------------------

enum { RUN_PATH_SIZE = 600 };

// A new empty directory; its name is kept in `out`.
static inline void run_directory_make(char out[RUN_PATH_SIZE]) {
    const char *base = getenv("TMPDIR");
    // In memory where possible: the tests wait for the device often, and a real one makes them slow.
    if (base == NULL) base = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp";
    snprintf(out, RUN_PATH_SIZE, "%s/cordage_test_XXXXXX", base);
    assert_non_null(mkdtemp(out));
}

static inline void run_directory_remove(const char *path) {
    DIR *directory = opendir(path);
    if (directory == NULL) return;
    for (struct dirent *entry = readdir(directory); entry != NULL; entry = readdir(directory)) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) continue;
        char name[RUN_PATH_SIZE * 2];
        snprintf(name, sizeof name, "%s/%s", path, entry->d_name);
        struct stat status;
        if (lstat(name, &status) == 0 && S_ISDIR(status.st_mode)) {
            run_directory_remove(name);
        } else {
            unlink(name);
        }
    }
    closedir(directory);
    rmdir(path);
}

static inline const char *run_path(const char *directory, const char *name) { // valid until the fourth call after
    static char paths[4][RUN_PATH_SIZE * 2];
    static int next = 0;
    char *path = paths[next++ % 4];
    snprintf(path, sizeof paths[0], "%s/%s", directory, name);
    return path;
}

static inline bool run_path_exists(const char *directory, const char *name) {
    return access(run_path(directory, name), F_OK) == 0;
}

static inline char *run_read_text(const char *directory, const char *name, size_t *size) { // malloc'ed, terminated
    FILE *file = fopen(run_path(directory, name), "rb");
    if (file == NULL) fail_msg("%s/%s is missing", directory, name);
    fseek(file, 0, SEEK_END);
    long length = ftell(file);
    rewind(file);
    char *text = malloc((size_t)length + 1);
    assert_non_null(text);
    assert_int_equal(fread(text, 1, (size_t)length, file), length);
    text[length] = '\0';
    fclose(file);
    if (size != NULL) *size = (size_t)length;
    return text;
}

static inline void run_write_text(const char *directory, const char *name, const char *text, size_t size) {
    FILE *file = fopen(run_path(directory, name), "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

// ---- reading runs back with plain HDF5, as anyone would -------------------------------------------------------------

static inline hid_t run_open(const char *directory) {
    hid_t file = H5Fopen(run_path(directory, "run.h5"), H5F_ACC_RDONLY, H5P_DEFAULT);
    if (file < 0) fail_msg("HDF5 cannot open %s/run.h5", directory);
    return file;
}

// All numbers of a dataset, malloc'ed; sizes in `size`.
static inline double *run_read(hid_t file, const char *name, hsize_t size[3], size_t *count) {
    hid_t dataset = H5Dopen2(file, name, H5P_DEFAULT);
    if (dataset < 0) fail_msg("there is no dataset %s", name);
    hid_t space = H5Dget_space(dataset);
    hsize_t own[3] = {1, 1, 1};
    assert_true(H5Sget_simple_extent_ndims(space) <= 3);
    H5Sget_simple_extent_dims(space, own, NULL);
    *count = (size_t)H5Sget_simple_extent_npoints(space);
    double *values = malloc(*count * sizeof *values);
    assert_non_null(values);
    assert_true(H5Dread(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0);
    H5Sclose(space);
    H5Dclose(dataset);
    if (size != NULL) memcpy(size, own, sizeof own);
    return values;
}

// Sets one number of a dataset, counted from its start.
static inline void run_poke(const char *directory, const char *name, size_t place, double value) {
    hid_t file = H5Fopen(run_path(directory, "run.h5"), H5F_ACC_RDWR, H5P_DEFAULT);
    size_t count;
    double *values = run_read(file, name, NULL, &count);
    assert_true(place < count);
    values[place] = value;
    hid_t dataset = H5Dopen2(file, name, H5P_DEFAULT);
    assert_true(H5Dwrite(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0);
    free(values);
    H5Dclose(dataset);
    H5Fclose(file);
}

// Outputs with a time; they must come first.
static inline size_t run_frames(hid_t file) {
    size_t count = 0, written = 0;
    double *time = run_read(file, "/time", NULL, &count);
    while (written < count && isfinite(time[written])) written++;
    for (size_t i = written; i < count; i++) assert_true(isnan(time[i]));
    free(time);
    return written;
}

typedef struct run_compare {
    hid_t other;
    size_t frames, room_a, room_b, datasets;
} run_compare;

static inline herr_t run_compare_dataset(hid_t file, const char *name, const H5O_info_t *info, void *user) {
    run_compare *compare = user;
    if (info->type != H5O_TYPE_DATASET || strncmp(name, "checkpoint/", 11) == 0) return 0;
    hsize_t size_a[3], size_b[3];
    size_t count_a, count_b;
    double *a = run_read(file, name, size_a, &count_a), *b = run_read(compare->other, name, size_b, &count_b);
    bool is_constant = strstr(name, "/radius") != NULL || strstr(name, "/rest_length") != NULL ||
                       strstr(name, "/section_size") != NULL;
    size_t numbers = is_constant ? count_a : count_a / size_a[0] * compare->frames;
    if (is_constant) assert_int_equal(count_a, count_b);
    assert_int_equal(size_a[1], size_b[1]);
    assert_int_equal(size_a[2], size_b[2]);
    if (memcmp(a, b, numbers * sizeof *a) != 0) {
        size_t at = 0;
        while (memcmp(a + at, b + at, sizeof *a) == 0) at++;
        fail_msg("%s differs at number %zu: %.17g and %.17g", name, at, a[at], b[at]);
    }
    free(a);
    free(b);
    compare->datasets++;
    return 0;
}

// The first `frames` outputs of both runs are the same to the bit, in every dataset.
static inline void assert_same_outputs(const char *directory_a, const char *directory_b, size_t frames) {
    hid_t a = run_open(directory_a), b = run_open(directory_b);
    run_compare compare = {.other = b, .frames = frames};
    H5Ovisit(a, H5_INDEX_NAME, H5_ITER_NATIVE, run_compare_dataset, &compare);
    assert_int_equal(compare.datasets, 1 + 9 + 2 * 13); // time, energies, two rods
    H5Fclose(a);
    H5Fclose(b);
}

static inline void assert_same_text(const char *directory_a, const char *directory_b, const char *name) {
    size_t size_a, size_b;
    char *a = run_read_text(directory_a, name, &size_a), *b = run_read_text(directory_b, name, &size_b);
    assert_int_equal(size_a, size_b);
    assert_memory_equal(a, b, size_a);
    free(a);
    free(b);
}

#endif
