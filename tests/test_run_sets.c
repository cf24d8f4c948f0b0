// Rods that share datasets: which do, that every number comes back, stopped and continued runs, and damage.
#define _DEFAULT_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "output/run_reader.h"
#include "output/run_sets.h"
#include "run_scene.h"
#include "world/world.h"

enum { STRANDS = 70, OTHERS = 5, OUTPUTS = 5 };

static const char scene_text[] =
    "cordage: 1\n"
    "contact: off\n"
    "simulation: {model: pobd, step: 2 ms, duration: 40 ms, pobd: {solver: gauss_seidel}}\n"
    "output: {every: 10 ms}\n"
    "materials: {m: {young_modulus: 10 MPa, density: 1200}}\n"
    "rods:\n"
    "  - {name: cable, material: m, section: {circle: {radius: 2 mm}}, centerline: {line: {to: [1, 0, 0]}}, elements: "
    "9}\n"
    "  - {name: ring, material: m, section: {circle: {radius: 2 mm}}, centerline: {circle: {radius: 0.1}}, elements: "
    "12}\n"
    "strands:\n"
    "  - {name: wig, material: m, section: {circle: {radius: 0.2 mm}}, roots: {disc: {radius: 0.2}}, guides: 70, "
    "elements: 6, length: 10 cm}\n"
    "  - {name: beard, material: m, section: {circle: {radius: 0.2 mm}}, roots: {disc: {center: [1, 1, 0], radius: "
    "0.1}}, "
    "guides: 5, elements: 4, length: 5 cm}\n"
    "supports: [{clamp: cable.start}]\n"
    "probes: [{name: tip, position: wig.g33.end}]\n";

static cdg_scene *parse(void) {
    cdg_scene *scene = NULL;
    cdg_error error = {0};
    if (cdg_scene_parse(scene_text, strlen(scene_text), "sets", NULL, NULL, 0, &scene, &error) != CDG_OK)
        fail_msg("%s", error.message);
    return scene;
}

static bool stop_at(void *user, const cdg_run_progress *progress) { return progress->step < *(const uint64_t *)user; }

// Stopped after `stop` steps, 0: not at all.
static cdg_result run(const char *directory, uint64_t stop, bool resume) {
    cdg_scene *scene = parse();
    cdg_run_def def = {.scene = scene, .directory = directory, .resume = resume, .thread_count = 1};
    if (stop > 0) def.on_progress = stop_at, def.user = &stop;
    cdg_error error = {0};
    cdg_result result = cdg_run(&def, NULL, &error);
    if (result != CDG_OK && result != CDG_ERROR_INTERRUPTED) fail_msg("%s", error.message);
    cdg_scene_destroy(scene);
    return result;
}

static cdg_run_reader *open_run(const char *directory) {
    cdg_run_reader *reader = NULL;
    cdg_error error = {0};
    if (cdg_run_reader_open(directory, &reader, &error) != CDG_OK) fail_msg("%s", error.message);
    return reader;
}

// One group for the wig, none for its strands; the rest have theirs.
static void test_layout(void **state) {
    (void)state;
    char base[RUN_PATH_SIZE];
    run_directory_make(base);
    run(base, 0, false);
    hid_t file = run_open(base);
    H5G_info_t links;
    assert_true(H5Gget_info_by_name(file, "rods", &links, H5P_DEFAULT) >= 0 && links.nlinks == 2 + OTHERS);
    assert_true(H5Gget_info_by_name(file, "rod_sets", &links, H5P_DEFAULT) >= 0 && links.nlinks == 1);
    hsize_t size[4];
    hid_t dataset = H5Dopen2(file, "rod_sets/0/positions", H5P_DEFAULT), space = H5Dget_space(dataset);
    assert_int_equal(H5Sget_simple_extent_dims(space, size, NULL), 4);
    assert_true(size[0] == OUTPUTS && size[1] == STRANDS && size[2] == 7 && size[3] == 3);
    H5Sclose(space);
    H5Dclose(dataset);
    H5Fclose(file);
    run_directory_remove(base);
}

// Against a world that makes the same steps.
static void test_every_number(void **state) {
    (void)state;
    char base[RUN_PATH_SIZE];
    run_directory_make(base);
    run(base, 0, false);
    cdg_run_reader *reader = open_run(base);
    assert_int_equal(reader->rod_count, 2 + STRANDS + OTHERS);
    assert_int_equal(reader->frame_count, OUTPUTS);
    cdg_scene *scene = parse();
    cdg_world *world = NULL;
    assert_int_equal(cdg_scene_build(scene, 1, &world, NULL), CDG_OK);
    assert_int_equal(cdg_world_set_step_size(world, reader->times[1] / 5), CDG_OK);
    for (size_t frame = 0; frame < OUTPUTS; frame++) {
        for (size_t r = 0; r < reader->rod_count; r++) {
            cdg_rod_id id = cdg_world_rod_at(world, r);
            cdg_rod_info info;
            assert_int_equal(cdg_rod_get_info(world, id, &info), CDG_OK);
            assert_string_equal(reader->rods[r].name, info.name);
            assert_true(reader->rods[r].length == info.length && reader->rods[r].mass == info.mass);
            for (int f = 0; f < CDG_FIELD_COUNT; f++) {
                double stored[13 * 4], now[13 * 4];
                assert_int_equal(cdg_run_reader_read(reader, frame, r, (cdg_field)f, stored, NULL), CDG_OK);
                assert_int_equal(cdg_world_measure_field(world, id, (cdg_field)f, now), CDG_OK);
                assert_memory_equal(stored, now, cdg_run_field_row(&info, (cdg_field)f) * sizeof *now);
            }
            double radii[13];
            assert_int_equal(cdg_rod_radii(world, id, radii), CDG_OK);
            assert_memory_equal(reader->rods[r].radius, radii, info.node_count * sizeof *radii);
        }
        for (int i = 0; i < 5; i++) assert_int_equal(cdg_world_step(world, NULL), CDG_OK);
    }
    cdg_world_destroy(world);
    cdg_scene_destroy(scene);
    cdg_run_reader_close(reader);
    run_directory_remove(base);
}

static void assert_same(const char *a, const char *b) {
    cdg_run_reader *x = open_run(a), *y = open_run(b);
    assert_int_equal(x->frame_count, y->frame_count);
    for (size_t frame = 0; frame < x->frame_count; frame++)
        for (size_t r = 0; r < x->rod_count; r++)
            for (int f = 0; f < CDG_FIELD_COUNT; f++) {
                double p[13 * 4] = {0}, q[13 * 4] = {0};
                assert_int_equal(cdg_run_reader_read(x, frame, r, (cdg_field)f, p, NULL), CDG_OK);
                assert_int_equal(cdg_run_reader_read(y, frame, r, (cdg_field)f, q, NULL), CDG_OK);
                assert_memory_equal(p, q, sizeof p);
            }
    cdg_run_reader_close(x);
    cdg_run_reader_close(y);
}

// A run that is stopped is packed, and unpacked when it goes on: the same bits as without a stop.
static void test_continued(void **state) {
    (void)state;
    char whole[RUN_PATH_SIZE], parts[RUN_PATH_SIZE];
    run_directory_make(whole);
    run_directory_make(parts);
    run(whole, 0, false);
    for (uint64_t stop = 3; stop < 20; stop += 6) {
        assert_int_equal(run(parts, stop, false), CDG_ERROR_INTERRUPTED);
        cdg_run_reader *reader = open_run(parts);
        assert_int_equal(reader->frame_count, stop / 5 + 1);
        cdg_run_reader_close(reader);
        assert_int_equal(run(parts, 0, true), CDG_OK);
        assert_same(whole, parts);
    }
    run_directory_remove(whole);
    run_directory_remove(parts);
}

static void poke(const char *base, const char *dataset, hsize_t at, uint64_t value) {
    hid_t file = H5Fopen(run_path(base, "run.h5"), H5F_ACC_RDWR, H5P_DEFAULT);
    hid_t set = H5Dopen2(file, dataset, H5P_DEFAULT), space = H5Dget_space(set);
    hsize_t one = 1;
    hid_t memory = H5Screate_simple(1, &one, NULL);
    H5Sselect_hyperslab(space, H5S_SELECT_SET, &at, NULL, &one, NULL);
    assert_true(H5Dwrite(set, H5T_NATIVE_UINT64, memory, space, H5P_DEFAULT, &value) >= 0);
    H5Sclose(memory);
    H5Sclose(space);
    H5Dclose(set);
    H5Fclose(file);
}

// Two rods in one place, or one beyond all: the file is called damaged, nothing is read out of bounds.
static void test_damage(void **state) {
    (void)state;
    char base[RUN_PATH_SIZE];
    const uint64_t wrong[] = {0, 3, 76, 1000000, UINT64_MAX};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        run_directory_make(base);
        run(base, 0, false);
        poke(base, "rod_sets/0/places", 7, wrong[i]);
        cdg_run_reader *reader = NULL;
        cdg_error error = {0};
        assert_int_equal(cdg_run_reader_open(base, &reader, &error), CDG_ERROR_FORMAT);
        assert_non_null(strstr(error.message, "damaged: its rods"));
        run_directory_remove(base);
    }
}

// Only rods that agree in all that a group says share one; few rods never do.
static void test_forming(void **state) {
    (void)state;
    cdg_scene *scene = parse();
    cdg_world *world = NULL;
    assert_int_equal(cdg_scene_build(scene, 1, &world, NULL), CDG_OK);
    for (int trial = 0; trial < 3; trial++) {
        cdg_run_layout layout, copy;
        assert_int_equal(cdg_run_layout_make(world, 3, 1, &layout, NULL), CDG_OK);
        if (trial == 1) layout.mode_count = 2;
        if (trial == 2) scene->rods[10].pobd.iterations += 1; // one of the wig's has other options
        assert_int_equal(cdg_run_sets_form(&layout, scene, NULL), CDG_OK);
        assert_int_equal(layout.set_count, trial == 1 ? 0 : 1);
        size_t shared = 0;
        for (size_t i = 0; i < layout.rod_count; i++) {
            const cdg_run_rod_entry *rod = &layout.rods[i];
            assert_true(rod->set == 0 ? rod->alike == 1 : rod->alike == layout.sets[0].count);
            if (rod->set == 1) assert_int_equal(layout.sets[0].rods[rod->row], i);
            shared += rod->set == 1;
        }
        assert_int_equal(shared, trial == 0 ? STRANDS : trial == 1 ? 0 : STRANDS - 1);
        copy = layout;
        assert_int_equal(cdg_run_sets_copy(&layout, &copy, NULL), CDG_OK);
        assert_int_equal(copy.set_count, layout.set_count);
        if (trial != 1) {
            assert_int_equal(copy.sets[0].count, layout.sets[0].count);
            assert_memory_equal(copy.sets[0].rods, layout.sets[0].rods, shared * sizeof(size_t));
        }
        cdg_run_sets_free(&copy);
        cdg_run_layout_free(&layout);
    }
    cdg_world_destroy(world);
    cdg_scene_destroy(scene);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_layout), cmocka_unit_test(test_every_number),
                                       cmocka_unit_test(test_continued), cmocka_unit_test(test_damage),
                                       cmocka_unit_test(test_forming)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
