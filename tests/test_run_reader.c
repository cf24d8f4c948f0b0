// Reading a run back: the same numbers as HDF5 gives, during a run, after a crash, and never from a damaged file.
#define _DEFAULT_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/wait.h>

#include <cmocka.h>

#include "math/random.h"
#include "output/run_reader.h"
#include "run_scene.h"

typedef struct fixture {
    char base[RUN_PATH_SIZE];
    cdg_scene *scene;
    uint64_t stop, crash; // step after which the run is interrupted or its process dies; 0: never
    bool looks;           // opens the run while it goes on
    size_t looked;
} fixture;

static int set_up(void **state) {
    static fixture f;
    f = (fixture){0};
    run_directory_make(f.base);
    f.scene = run_scene_make((run_scene_options){.force = 0.01});
    *state = &f;
    return 0;
}

static int tear_down(void **state) {
    fixture *f = *state;
    cdg_scene_destroy(f->scene);
    run_directory_remove(f->base);
    return 0;
}

static cdg_run_reader *open_run(const char *place) {
    cdg_run_reader *reader = NULL;
    cdg_error error;
    if (cdg_run_reader_open(place, &reader, &error) != CDG_OK) fail_msg("%s", error.message);
    return reader;
}

static void must_read(const cdg_run_reader *reader, size_t frame, size_t rod, cdg_field field, double *out) {
    cdg_error error;
    if (cdg_run_reader_read(reader, frame, rod, field, out, &error) != CDG_OK) fail_msg("%s", error.message);
}

static bool progress(void *user, const cdg_run_progress *now) {
    fixture *f = user;
    if (f->looks) {
        cdg_run_reader *reader = open_run(f->base);
        assert_int_equal(reader->frame_count, now->step / 5 + 1);
        double positions[33], time = reader->times[reader->frame_count - 1];
        must_read(reader, reader->frame_count - 1, 0, CDG_FIELD_positions, positions);
        // under a load from rest, so every output differs from the ones before
        if (time > 0) assert_true(positions[32] < -1e-9 && positions[30] > 0.9);
        cdg_run_reader_close(reader);
        f->looked++;
    }
    if (f->crash != 0 && now->step >= f->crash) _exit(7);
    return f->stop == 0 || now->step < f->stop;
}

static void run(fixture *f, cdg_result expected) {
    cdg_run_def def = {.scene = f->scene, .directory = f->base, .thread_count = 1, .on_progress = progress, .user = f};
    cdg_run_summary summary;
    cdg_error error;
    if (cdg_run(&def, &summary, &error) != expected) fail_msg("%s", error.message);
}

// Every number of every field against HDF5's own reading.
static void expect_same_as_hdf5(const char *base, const cdg_run_reader *reader) {
    hid_t file = run_open(base);
    size_t count;
    double *time = run_read(file, "/time", NULL, &count);
    assert_true(count >= reader->frame_count);
    assert_memory_equal(time, reader->times, reader->frame_count * sizeof *time);
    for (size_t r = 0; r < reader->rod_count; r++) {
        const cdg_run_rod *rod = &reader->rods[r];
        for (int k = 0; k < CDG_FIELD_COUNT; k++) {
            cdg_field_info info = cdg_field_get((cdg_field)k);
            if ((info.traits & CDG_FIELD_ADAPTS) != 0) continue; // of other rods alone
            char name[200];
            snprintf(name, sizeof name, "/rods/%s/%s", rod->name, info.name);
            hsize_t size[3];
            double *expected = run_read(file, name, size, &count), *got = NULL;
            size_t row = count / size[0];
            assert_int_equal(row, (info.per == CDG_FIELD_PER_NODE ? rod->node_count : rod->element_count) *
                                      info.component_count);
            got = malloc(row * sizeof *got);
            assert_non_null(got);
            for (size_t t = reader->frame_count; t-- > 0;) {
                must_read(reader, t, r, (cdg_field)k, got);
                assert_memory_equal(got, expected + t * row, row * sizeof *got);
            }
            free(got);
            free(expected);
        }
        char name[200];
        snprintf(name, sizeof name, "/rods/%s/rest_length", rod->name);
        double *rest = run_read(file, name, NULL, &count);
        assert_int_equal(count, rod->element_count);
        assert_memory_equal(rest, rod->rest_length, count * sizeof *rest);
        free(rest);
    }
    double *energy = malloc(reader->frame_count * sizeof *energy);
    assert_non_null(energy);
#define CHECK_ENERGY(member, text)                                                                                     \
    {                                                                                                                  \
        double *expected = run_read(file, "/energy/" #member, NULL, &count);                                           \
        assert_int_equal(cdg_run_reader_energy(reader, #member, energy, NULL), CDG_OK);                                \
        assert_memory_equal(energy, expected, reader->frame_count * sizeof *energy);                                   \
        free(expected);                                                                                                \
    }
    CDG_ENERGY_LIST(CHECK_ENERGY)
#undef CHECK_ENERGY
    free(energy);
    free(time);
    H5Fclose(file);
}

static void test_finished(void **state) {
    fixture *f = *state;
    f->looks = true;
    run(f, CDG_OK);
    assert_true(f->looked > 50);
    cdg_run_reader *reader = open_run(f->base);
    assert_string_equal(reader->title, "A cable and a ring");
    assert_string_equal(reader->scene_name, "test.yaml");
    assert_non_null(strstr(reader->scene_text, "name: cable"));
    assert_string_equal(reader->overrides, "");
    assert_string_equal(reader->directory, f->base);
    assert_int_equal(reader->frame_count, 13);
    assert_int_equal(reader->rod_count, 2);
    assert_string_equal(reader->rods[0].name, "cable");
    assert_string_equal(reader->rods[1].model, "pobd");
    assert_true(!reader->rods[0].is_closed && reader->rods[1].is_closed);
    assert_int_equal(reader->rods[0].node_count, 11);
    assert_int_equal(reader->rods[1].node_count, 12);
    assert_true(fabs(reader->rods[0].length - 1) < 1e-9 && reader->rods[0].mass > 0);
    for (size_t i = 0; i < 11; i++) {
        assert_true(reader->rods[0].radius[i] == 2e-3 && reader->rods[0].sections[i].radius == 2e-3);
        assert_int_equal(reader->rods[0].sections[i].kind, CDG_SECTION_CIRCLE);
    }
    expect_same_as_hdf5(f->base, reader);

    for (int i = -20; i < 100; i++) {
        double time = i * 1e-3;
        size_t frame = cdg_run_reader_nearest_frame(reader, time);
        for (size_t k = 0; k < 13; k++) assert_true(fabs(reader->times[frame] - time) <= fabs(reader->times[k] - time));
    }
    double out[100];
    cdg_error error;
    assert_int_equal(cdg_run_reader_read(reader, 13, 0, CDG_FIELD_positions, out, &error), CDG_ERROR_ARGUMENT);
    assert_int_equal(cdg_run_reader_read(reader, 0, 2, CDG_FIELD_positions, out, &error), CDG_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "13 outputs and 2 rods"));
    assert_int_equal(cdg_run_reader_energy(reader, "bent", out, &error), CDG_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "bend twist"));
    cdg_run_reader_close(reader);
    cdg_run_reader_close(NULL);

    reader = open_run(run_path(f->base, "run.h5")); // the file stands for its directory
    assert_string_equal(reader->directory, f->base);
    expect_same_as_hdf5(f->base, reader);
    cdg_run_reader_close(reader);
}

static void test_field_names(void **state) {
    (void)state;
    for (int k = 0; k < CDG_FIELD_COUNT; k++) {
        cdg_field found = CDG_FIELD_COUNT;
        assert_true(cdg_field_find(cdg_field_get((cdg_field)k).name, &found));
        assert_int_equal(found, k);
    }
    cdg_field found;
    assert_false(cdg_field_find("colour", &found));
    assert_int_equal(cdg_field_get(CDG_FIELD_frames).component_count, 4);
    assert_string_equal(cdg_field_get(CDG_FIELD_tension).units, "N");
}

static void test_interrupted(void **state) {
    fixture *f = *state;
    f->stop = 23; // packed to the outputs that are there
    run(f, CDG_ERROR_INTERRUPTED);
    cdg_run_reader *reader = open_run(f->base);
    assert_int_equal(reader->frame_count, 5);
    expect_same_as_hdf5(f->base, reader);
    cdg_run_reader_close(reader);
}

static void test_crashed(void **state) {
    fixture *f = *state;
    f->crash = 38;
    pid_t child = fork();
    if (child == 0) {
        run(f, CDG_OK);
        _exit(0);
    }
    int status;
    waitpid(child, &status, 0);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 7);
    cdg_run_reader *reader = open_run(f->base);
    assert_int_equal(reader->frame_count, 8);
    expect_same_as_hdf5(f->base, reader);
    cdg_run_reader_close(reader);
}

// The file is replaced while a reader has it open: the reader keeps what it opened.
static void test_replaced_while_open(void **state) {
    fixture *f = *state;
    run(f, CDG_OK);
    cdg_run_reader *reader = open_run(f->base);
    double before[33], after[33];
    must_read(reader, 12, 0, CDG_FIELD_positions, before);
    f->stop = 10;
    run(f, CDG_ERROR_INTERRUPTED);
    must_read(reader, 12, 0, CDG_FIELD_positions, after);
    assert_memory_equal(before, after, sizeof before);
    cdg_run_reader_close(reader);
}

static const char *const sections_text =
    "cordage: 1\n"
    "simulation: {step: 1 ms, duration: 2 ms}\n"
    "output: {every: 1 ms}\n"
    "materials:\n"
    "  rubber: {young_modulus: 1 MPa, density: 1100 kg/m^3}\n"
    "rods:\n"
    "  - {name: a, material: rubber, section: {rectangle: {width: 8 mm, height: 1 mm}, end: {rectangle: {width: 4 mm, "
    "height: 3 mm}}}, centerline: {line: {from: [0, 0, 0], to: [1, 0, 0]}}, elements: 4}\n"
    "  - {name: b, material: rubber, section: {tube: {radius: 3 mm, inner_radius: 2 mm}}, centerline: {line: {from: "
    "[0, 1, 0], to: [1, 1, 0]}}, elements: 3}\n"
    "  - {name: c, material: rubber, section: {ellipse: {semi_axes: [4 mm, 2 mm]}}, centerline: {line: {from: "
    "[0, 2, 0], to: [1, 2, 0]}}, elements: 3}\n"
    "  - {name: d, stiffness: {stretch: 10, shear: [4, 4], bend: [1e-3, 1e-3], twist: 1e-3, mass: 0.01, inertia: "
    "[1e-6, 1e-6, 1e-6], radius: 5 mm}, centerline: {line: {from: [0, 3, 0], to: [1, 3, 0]}}, elements: 3}\n";

static void test_sections(void **state) {
    fixture *f = *state;
    cdg_scene_destroy(f->scene);
    f->scene = run_scene_parse(sections_text, NULL, 0);
    run(f, CDG_OK);
    cdg_run_reader *reader = open_run(f->base);
    for (size_t i = 0; i < 5; i++) {
        const cdg_section *section = &reader->rods[0].sections[i];
        assert_int_equal(section->kind, CDG_SECTION_RECTANGLE);
        assert_true(fabs(section->side[0] - (8e-3 - 1e-3 * (double)i)) < 1e-15);
        assert_true(fabs(section->side[1] - (1e-3 + 0.5e-3 * (double)i)) < 1e-15);
    }
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(reader->rods[1].sections[i].kind, CDG_SECTION_TUBE);
        assert_true(reader->rods[1].sections[i].radius == 3e-3 && reader->rods[1].sections[i].inner_radius == 2e-3);
        assert_int_equal(reader->rods[2].sections[i].kind, CDG_SECTION_ELLIPSE);
        assert_true(reader->rods[2].sections[i].semi_axis[0] == 4e-3 &&
                    reader->rods[2].sections[i].semi_axis[1] == 2e-3);
        assert_int_equal(reader->rods[3].sections[i].kind, CDG_SECTION_CIRCLE);
        assert_true(reader->rods[3].sections[i].radius == 5e-3);
    }
    cdg_run_reader_close(reader);

    // as a file from before the sections were stored
    hid_t file = H5Fopen(run_path(f->base, "run.h5"), H5F_ACC_RDWR, H5P_DEFAULT);
    assert_true(file >= 0);
    const char *const names[] = {"/rods/a", "/rods/b", "/rods/c", "/rods/d"};
    for (size_t i = 0; i < 4; i++) {
        hid_t group = H5Gopen2(file, names[i], H5P_DEFAULT);
        assert_true(H5Ldelete(group, "section_size", H5P_DEFAULT) >= 0 && H5Adelete(group, "section") >= 0);
        H5Gclose(group);
    }
    H5Fclose(file);
    reader = open_run(f->base);
    for (size_t r = 0; r < 4; r++) {
        for (size_t i = 0; i < reader->rods[r].node_count; i++) {
            assert_int_equal(reader->rods[r].sections[i].kind, CDG_SECTION_CIRCLE);
            assert_true(reader->rods[r].sections[i].radius == reader->rods[r].radius[i]);
            assert_true(reader->rods[r].radius[i] > 0);
        }
    }
    cdg_run_reader_close(reader);
}

// ---- what is no run -------------------------------------------------------------------------------------------------

static void expect_failure(const char *place, cdg_result code, const char *part) {
    cdg_run_reader *reader = NULL;
    cdg_error error = {0};
    assert_int_equal(cdg_run_reader_open(place, &reader, &error), code);
    assert_null(reader);
    if (strstr(error.message, part) == NULL) fail_msg("'%s' is missing in: %s", part, error.message);
}

static void test_not_a_run(void **state) {
    fixture *f = *state;
    expect_failure(f->base, CDG_ERROR_IO, "no run here");
    expect_failure(run_path(f->base, "absent"), CDG_ERROR_IO, "no run here");
    run_write_text(f->base, "other.h5", "hello", 5);
    expect_failure(run_path(f->base, "other.h5"), CDG_ERROR_FORMAT, "not a whole run file");
    mkdir(run_path(f->base, "run.h5"), 0777);
    expect_failure(f->base, CDG_ERROR_IO, "run.h5");
}

// Overwrites a dataset of a good run.
static void spoil(const char *base, const char *dataset, double value) {
    hid_t file = H5Fopen(run_path(base, "run.h5"), H5F_ACC_RDWR, H5P_DEFAULT);
    hid_t set = H5Dopen2(file, dataset, H5P_DEFAULT), space = H5Dget_space(set);
    size_t count = (size_t)H5Sget_simple_extent_npoints(space);
    double *values = malloc(count * sizeof *values);
    assert_non_null(values);
    for (size_t i = 0; i < count; i++) values[i] = value;
    assert_true(H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0);
    free(values);
    H5Sclose(space);
    H5Dclose(set);
    H5Fclose(file);
}

static void test_spoiled_numbers(void **state) {
    fixture *f = *state;
    const struct {
        const char *dataset, *part;
        double value;
    } cases[] = {{"/rods/cable/radius", "a radius", NAN},
                 {"/rods/ring/rest_length", "a rest length", 0},
                 {"/rods/ring/section_size", "the sections", -1},
                 {"/time", "no output yet", NAN}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        run(f, CDG_OK);
        spoil(f->base, cases[i].dataset, cases[i].value);
        expect_failure(f->base, CDG_ERROR_FORMAT, cases[i].part);
    }
    run(f, CDG_OK);
    hid_t file = H5Fopen(run_path(f->base, "run.h5"), H5F_ACC_RDWR, H5P_DEFAULT);
    assert_true(H5Ldelete(file, "/rods/cable/forces", H5P_DEFAULT) >= 0);
    H5Fclose(file);
    expect_failure(f->base, CDG_ERROR_FORMAT, "'forces' of rod 'cable' is not stored");
}

static void test_cut_off(void **state) {
    fixture *f = *state;
    run(f, CDG_OK);
    size_t size;
    char *bytes = run_read_text(f->base, "run.h5", &size);
    cdg_random random = {17};
    for (int i = 0; i < 100; i++) {
        run_write_text(f->base, "run.h5", bytes, i == 0 ? size - 1 : random_bits(&random) % size);
        expect_failure(f->base, CDG_ERROR_FORMAT, "run.h5");
    }
    free(bytes);
}

// Noise gives numbers or an error, never a crash. In a process of its own, because HDF5 complains when a process ends
// that has seen such files.
static void test_noise(void **state) {
    fixture *f = *state;
    run(f, CDG_OK);
    size_t size;
    char *bytes = run_read_text(f->base, "run.h5", &size);
    pid_t child = fork();
    if (child == 0) {
        cdg_random random = {18};
        for (int i = 0; i < 300; i++) {
            size_t at = i % 2 ? random_bits(&random) % 4096 : random_bits(&random) % size;
            char kept = bytes[at];
            bytes[at] = (char)(kept ^ (char)(1u << random_bits(&random) % 8));
            run_write_text(f->base, "run.h5", bytes, size);
            bytes[at] = kept;
            cdg_run_reader *reader;
            if (cdg_run_reader_open(f->base, &reader, NULL) != CDG_OK) continue;
            for (size_t r = 0; r < reader->rod_count; r++) {
                double *out = malloc(4 * reader->rods[r].node_count * sizeof *out);
                for (size_t t = 0; t < reader->frame_count && out != NULL; t++) {
                    cdg_run_reader_read(reader, t, r, CDG_FIELD_frames, out, NULL);
                }
                free(out);
            }
            cdg_run_reader_close(reader);
        }
        _exit(0);
    }
    int status;
    waitpid(child, &status, 0);
    assert_int_equal(status, 0);
    free(bytes);
}

// A file of format 1 has neither strains nor curvature and twist: they are made from its frames, and that is told.
static void test_old_file(void **state) {
    fixture *f = *state;
    run(f, CDG_OK);
    cdg_run_reader *reader = open_run(f->base);
    double stored[3 * 13], made[3 * 13];
    assert_false(reader->is_recomputed);
    assert_int_equal(cdg_run_reader_read(reader, 4, 1, CDG_FIELD_twist, stored, NULL), CDG_OK);
    cdg_run_reader_close(reader);
    hid_t file = H5Fopen(run_path(f->base, "run.h5"), H5F_ACC_RDWR, H5P_DEFAULT);
    static const char *const rods[] = {"cable", "ring"}, *const later[] = {"strains", "curvature", "twist"};
    for (int r = 0; r < 2; r++)
        for (int k = 0; k < 3; k++) {
            char name[64];
            snprintf(name, sizeof name, "/rods/%s/%s", rods[r], later[k]);
            assert_true(H5Ldelete(file, name, H5P_DEFAULT) >= 0);
        }
    assert_true(H5Ldelete(file, "/energy/adapted", H5P_DEFAULT) >= 0);
    const uint64_t version = 1;
    hid_t attribute = H5Aopen(file, "format_version", H5P_DEFAULT);
    assert_true(H5Awrite(attribute, H5T_NATIVE_UINT64, &version) >= 0);
    H5Aclose(attribute);
    H5Fclose(file);
    reader = open_run(f->base);
    assert_true(reader->is_recomputed);
    assert_int_equal(cdg_run_reader_read(reader, 4, 1, CDG_FIELD_twist, made, NULL), CDG_OK);
    for (size_t i = 0; i < 12; i++) assert_float_equal(made[i], stored[i], 0.05);
    assert_int_equal(cdg_run_reader_read(reader, 4, 1, CDG_FIELD_strains, made, NULL), CDG_OK);
    assert_int_equal(cdg_run_reader_read(reader, 4, 1, CDG_FIELD_positions, made, NULL), CDG_OK);
    double adapted[13];
    for (size_t i = 0; i < 13; i++) adapted[i] = 1;
    assert_int_equal(cdg_run_reader_energy(reader, "adapted", adapted, NULL), CDG_OK);
    for (size_t i = 0; i < 13; i++) assert_true(adapted[i] == 0);
    cdg_run_reader_close(reader);
}

// What the scene leaves out is not in the file and not made up; what it keeps is the same to the bit.
static void test_left_out(void **state) {
    fixture *f = *state;
    run(f, CDG_OK);
    cdg_run_reader *all = open_run(f->base);
    fixture some = {0};
    run_directory_make(some.base);
    const char *const fields = "output.fields=[tension, twist]";
    some.scene = run_scene_make((run_scene_options){.force = 0.01, .overrides = &fields, .override_count = 1});
    some.stop = 32; // and is continued
    run(&some, CDG_ERROR_INTERRUPTED);
    some.stop = 0;
    cdg_run_def def = {.scene = some.scene, .directory = some.base, .thread_count = 1, .resume = true};
    cdg_run_summary summary;
    cdg_error error;
    if (cdg_run(&def, &summary, &error) != CDG_OK) fail_msg("%s", error.message);
    cdg_run_reader *reader = open_run(some.base);
    assert_int_equal(reader->frame_count, all->frame_count);
    assert_false(reader->is_recomputed);
    double *a = malloc(4096 * sizeof *a), *b = malloc(4096 * sizeof *b);
    for (int k = 0; k < CDG_FIELD_COUNT; k++) {
        bool is_held = k == CDG_FIELD_positions || k == CDG_FIELD_frames || k == CDG_FIELD_tension ||
                       k == CDG_FIELD_twist || (cdg_field_get((cdg_field)k).traits & CDG_FIELD_ADAPTS) != 0;
        cdg_field_info info = cdg_field_get((cdg_field)k);
        assert_int_equal(cdg_run_reader_has(reader, (cdg_field)k), is_held);
        for (size_t rod = 0; rod < reader->rod_count; rod++)
            for (size_t t = 0; t < reader->frame_count; t++) {
                cdg_result result = cdg_run_reader_read(reader, t, rod, (cdg_field)k, a, &error);
                assert_int_equal(result, is_held ? CDG_OK : CDG_ERROR_ARGUMENT);
                if (!is_held) assert_non_null(strstr(error.message, info.name));
                if (!is_held) assert_non_null(strstr(error.message, "leaves it out"));
                if (!is_held) continue;
                must_read(all, t, rod, (cdg_field)k, b);
                size_t count = cdg_field_entries(&info, reader->rods[rod].node_count, reader->rods[rod].element_count);
                assert_memory_equal(a, b, count * info.component_count * sizeof *a);
            }
    }
    free(a);
    free(b);
    cdg_run_reader_close(reader);
    cdg_run_reader_close(all);
    cdg_scene_destroy(some.scene);
    run_directory_remove(some.base);
}

// Single precision: every number of a rod is the nearest to that of double precision, of runs that are continued and
// packed, too; what else is in the file is as it was.
static void test_single(void **state) {
    fixture *f = *state;
    run(f, CDG_OK);
    cdg_run_reader *all = open_run(f->base);
    fixture single = {0};
    run_directory_make(single.base);
    const char *const precision = "output.precision=single";
    single.scene = run_scene_make((run_scene_options){.force = 0.01, .overrides = &precision, .override_count = 1});
    single.stop = 32;
    run(&single, CDG_ERROR_INTERRUPTED);
    single.stop = 0;
    cdg_run_def def = {.scene = single.scene, .directory = single.base, .thread_count = 1, .resume = true};
    cdg_error error;
    if (cdg_run(&def, NULL, &error) != CDG_OK) fail_msg("%s", error.message);
    cdg_run_reader *reader = open_run(single.base);
    assert_int_equal(reader->frame_count, all->frame_count);
    double *a = malloc(4096 * sizeof *a), *b = malloc(4096 * sizeof *b);
    size_t narrowed = 0;
    for (int k = 0; k < CDG_FIELD_COUNT; k++)
        for (size_t rod = 0; rod < reader->rod_count; rod++)
            for (size_t t = 0; t < reader->frame_count; t++) {
                cdg_field_info info = cdg_field_get((cdg_field)k);
                if (!cdg_run_reader_has(reader, (cdg_field)k) || (info.traits & CDG_FIELD_ADAPTS) != 0) continue;
                must_read(reader, t, rod, (cdg_field)k, a);
                must_read(all, t, rod, (cdg_field)k, b);
                size_t count = cdg_field_entries(&info, reader->rods[rod].node_count, reader->rods[rod].element_count);
                for (size_t i = 0; i < count * info.component_count; i++) {
                    assert_true(a[i] == (double)(float)b[i] || (isnan(a[i]) && isnan(b[i])));
                    narrowed += a[i] != b[i] && !isnan(a[i]);
                }
            }
    assert_true(narrowed > 100);
    for (size_t t = 0; t < reader->frame_count; t++) assert_true(reader->times[t] == all->times[t]);
    assert_int_equal(cdg_run_reader_energy(reader, "total", a, NULL), CDG_OK);
    assert_int_equal(cdg_run_reader_energy(all, "total", b, NULL), CDG_OK);
    assert_memory_equal(a, b, reader->frame_count * sizeof *a);
    free(a);
    free(b);
    cdg_run_reader_close(reader);
    cdg_run_reader_close(all);
    cdg_scene_destroy(single.scene);
    run_directory_remove(single.base);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_finished, set_up, tear_down),
        cmocka_unit_test(test_field_names),
        cmocka_unit_test_setup_teardown(test_interrupted, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_crashed, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_replaced_while_open, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_sections, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_not_a_run, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_spoiled_numbers, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_cut_off, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_noise, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_old_file, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_left_out, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_single, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
