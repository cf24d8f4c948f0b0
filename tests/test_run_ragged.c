// Rods whose resolution changes, in run files: rows, offsets, growth, packing, resuming, damage.
#define _DEFAULT_SOURCE
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "output/run_ragged.h"
#include "output/run_reader.h"
#include "run_scene.h"

#include "ragged_case.h"

typedef struct fixture {
    char base[RUN_PATH_SIZE], path[RUN_PATH_SIZE + 16];
    cdg_scene *scene;
    cdg_world *world;
    cdg_run_plan plan;
    cdg_run_file *file;
} fixture;

static void build_world(fixture *f) {
    assert_int_equal(cdg_scene_build(f->scene, 1, &f->world, NULL), CDG_OK);
    assert_int_equal(cdg_world_set_step_size(f->world, f->plan.step), CDG_OK);
}

static int set_up_of(void **state, bool is_closed) {
    static fixture f;
    f = (fixture){0};
    run_directory_make(f.base);
    snprintf(f.path, sizeof f.path, "%s/run.h5", f.base);
    f.scene = ragged_scene(is_closed);
    f.plan = (cdg_run_plan){.step = 1e-3};
    build_world(&f);
    cdg_error error;
    assert_int_equal(cdg_run_plan_make(f.scene, f.world, &f.plan, NULL), CDG_OK);
    if (cdg_run_file_stage(f.path, f.scene, f.world, &f.plan, &f.file, &error) != CDG_OK ||
        cdg_run_file_install(f.file, &error) != CDG_OK)
        fail_msg("%s", error.message);
    *state = &f;
    return 0;
}

static int set_up(void **state) { return set_up_of(state, false); }
static int set_up_closed(void **state) { return set_up_of(state, true); }

static int tear_down(void **state) {
    fixture *f = *state;
    cdg_run_file_close(f->file, false, NULL);
    cdg_world_destroy(f->world);
    cdg_scene_destroy(f->scene);
    run_directory_remove(f->base);
    return 0;
}

static cdg_result write_frame(cdg_run_file *file, size_t frame, const cdg_world *world, cdg_error *error) {
    cdg_energy energy = cdg_world_energy(world);
    return cdg_run_file_write_frame(file, frame, world, &energy, error);
}

static void write_outputs(fixture *f, size_t first, size_t last, const int *levels) {
    cdg_error error;
    cdg_run_tally tally = {0};
    for (size_t frame = first; frame < last; frame++) {
        ragged_show(f->world, levels != NULL ? levels : ragged_levels_at(frame), 0.1 * (double)frame);
        if (write_frame(f->file, frame, f->world, &error) != CDG_OK) fail_msg("%s", error.message);
        if (cdg_run_file_write_checkpoint(f->file, frame, &tally, f->world, &error) != CDG_OK)
            fail_msg("%s", error.message);
    }
}

static void close_file(fixture *f, bool should_pack) {
    cdg_error error;
    if (cdg_run_file_close(f->file, should_pack, &error) != CDG_OK) fail_msg("%s", error.message);
    f->file = NULL;
}

static cdg_run_reader *open_run(const fixture *f) {
    cdg_run_reader *reader = NULL;
    cdg_error error;
    if (cdg_run_reader_open(f->base, &reader, &error) != CDG_OK) fail_msg("%s", error.message);
    return reader;
}

// Every field and constant of every output, as the world had them when it was written.
static void expect_outputs(fixture *f, const cdg_run_reader *reader, size_t first, size_t last, const int *levels) {
    cdg_rod_id id = cdg_world_find_rod(f->world, "rope");
    for (size_t frame = first; frame < last; frame++) {
        ragged_show(f->world, levels != NULL ? levels : ragged_levels_at(frame), 0.1 * (double)frame);
        const cdg_rod *rod = cdg_world_get_rod(f->world, id);
        cdg_run_division division;
        cdg_error error;
        if (cdg_run_reader_division(reader, frame, 0, &division, &error) != CDG_OK) fail_msg("%s", error.message);
        assert_int_equal(division.node_count, rod->node_count);
        assert_int_equal(division.element_count, rod->element_count);
        assert_memory_equal(division.arc, rod->adapt->arc, rod->node_count * sizeof(double));
        assert_memory_equal(division.rest_length, rod->rest_length, rod->element_count * sizeof(double));
        for (size_t i = 0; i < rod->node_count; i++) assert_true(division.radius[i] == 0.004);
        for (int k = 0; k < CDG_FIELD_COUNT; k++) {
            cdg_field_info info = cdg_field_get((cdg_field)k);
            size_t count = cdg_field_entries(&info, rod->node_count, rod->element_count) * info.component_count;
            double now[4 * RAGGED_NODES_MAX], read[4 * RAGGED_NODES_MAX];
            cdg_field_measure_all((cdg_field)k, rod, now);
            assert_int_equal(cdg_run_reader_read_own(reader, frame, 0, (cdg_field)k, read, &error), CDG_OK);
            assert_memory_equal(now, read, count * sizeof *now);
        }
        cdg_run_division_free(&division);
    }
}

static void test_rows(void **state) {
    fixture *f = *state;
    write_outputs(f, 0, 6, NULL);
    hid_t file = run_open(f->base);
    size_t count;
    double *offsets = run_read(file, "/rods/rope/node_offsets", NULL, &count),
           *others = run_read(file, "/rods/rope/element_offsets", NULL, &count);
    assert_int_equal(count, f->plan.frame_count + 1);
    assert_true(offsets[0] == 0 && others[0] == 0);
    for (size_t i = 0; i < 6; i++) {
        size_t elements = ragged_elements(ragged_levels_at(i));
        assert_true(others[i + 1] - others[i] == (double)elements);
        assert_true(offsets[i + 1] - offsets[i] == (double)elements + 1);
    }
    double *level = run_read(file, "/rods/rope/level", NULL, &count);
    for (size_t i = 0; i < 6; i++)
        for (size_t e = 0, j = (size_t)others[i]; e < RAGGED_ELEMENTS; e++)
            for (int k = 0; k < 1 << ragged_levels_at(i)[e]; k++) assert_true(level[j++] == ragged_levels_at(i)[e]);
    // the other rod has what it always had
    hsize_t size[3];
    free(run_read(file, "/rods/other/positions", size, &count));
    assert_true(size[0] == f->plan.frame_count && size[1] == 6 && size[2] == 3);
    assert_true(H5Lexists(file, "/rods/other/level", H5P_DEFAULT) == 0);
    assert_true(H5Lexists(file, "/rods/other/arc_length", H5P_DEFAULT) == 0);
    free(level);
    free(others);
    free(offsets);
    H5Fclose(file);
    cdg_run_reader *reader = open_run(f); // while the run goes on
    assert_true(reader->has_adaptive && reader->rods[0].adapts && !reader->rods[1].adapts);
    expect_outputs(f, reader, 0, 6, NULL);
    double zeros[5] = {1, 1, 1, 1, 1};
    assert_int_equal(cdg_run_reader_read(reader, 3, 1, CDG_FIELD_level, zeros, NULL), CDG_OK);
    for (int i = 0; i < 5; i++) assert_true(zeros[i] == 0);
    cdg_run_reader_close(reader);
}

static void test_closed(void **state) {
    fixture *f = *state;
    write_outputs(f, 0, 6, NULL);
    close_file(f, true);
    cdg_run_reader *reader = open_run(f);
    assert_true(reader->rods[0].is_closed && reader->rods[0].node_count == reader->rods[0].element_count);
    expect_outputs(f, reader, 0, 6, NULL);
    cdg_run_reader_close(reader);
}

static const int finest[RAGGED_ELEMENTS] = {3, 3, 3, 3, 3, 3, 3, 3};

// The room for rows is for few halvings; the file is made anew when there are more, and nothing is lost.
static void test_grows_and_is_packed(void **state) {
    fixture *f = *state;
    size_t last = f->plan.frame_count;
    write_outputs(f, 0, 2, NULL);
    hid_t file = run_open(f->base);
    hsize_t before[3], after[3];
    size_t count;
    free(run_read(file, "/rods/rope/positions", before, &count));
    H5Fclose(file);
    assert_true(before[0] < last * RAGGED_NODES_MAX);
    write_outputs(f, 2, last, finest);
    close_file(f, true);
    file = run_open(f->base);
    free(run_read(file, "/rods/rope/positions", after, &count));
    H5Fclose(file);
    size_t rows = ragged_elements(ragged_levels_at(0)) + ragged_elements(ragged_levels_at(1)) + 2;
    assert_int_equal(after[0], rows + (last - 2) * RAGGED_NODES_MAX); // not a row too many
    cdg_run_reader *reader = open_run(f);
    expect_outputs(f, reader, 0, 2, NULL);
    expect_outputs(f, reader, 2, last, finest);
    cdg_run_reader_close(reader);
}

// A run that was stopped and packed, or killed, goes on where its last checkpoint was, at another resolution.
static void resume(fixture *f, bool is_packed, size_t stop) {
    write_outputs(f, 0, stop, NULL);
    if (is_packed) {
        close_file(f, true);
    } else { // one more output that no checkpoint knows, as a killed process leaves it
        ragged_show(f->world, finest, 77);
        assert_int_equal(write_frame(f->file, stop, f->world, NULL), CDG_OK);
        close_file(f, false);
    }
    cdg_world_destroy(f->world);
    build_world(f);
    ragged_show(f->world, ragged_levels_at(0), 0); // where the run began
    cdg_error error;
    size_t frame = 0;
    cdg_run_tally tally;
    if (cdg_run_file_reopen(f->path, f->scene, f->world, &f->plan, &f->file, &error) != CDG_OK ||
        cdg_run_file_read_checkpoint(f->file, f->world, &frame, &tally, &error) != CDG_OK)
        fail_msg("%s", error.message);
    assert_int_equal(frame, stop - 1);
    const cdg_rod *rod = cdg_world_get_rod(f->world, cdg_world_find_rod(f->world, "rope"));
    assert_int_equal(rod->element_count, ragged_elements(ragged_levels_at(stop - 1)));
    write_outputs(f, stop, f->plan.frame_count, NULL);
    close_file(f, true);
    cdg_run_reader *reader = open_run(f);
    assert_int_equal(reader->frame_count, f->plan.frame_count);
    expect_outputs(f, reader, 0, f->plan.frame_count, NULL);
    cdg_run_reader_close(reader);
}

static void test_stopped(void **state) { resume(*state, true, 5); }
static void test_killed(void **state) { resume(*state, false, 4); }

static void test_estimate(void **state) {
    fixture *f = *state;
    cdg_run_layout layout;
    assert_int_equal(cdg_run_layout_make(f->world, f->plan.frame_count, 100, &layout, NULL), CDG_OK);
    cdg_run_sets_form(&layout, f->scene, NULL);
    double bytes = cdg_run_layout_bytes(&layout);
    layout.rods[0].room += 1000;
    assert_true(cdg_run_layout_bytes(&layout) - bytes == 8.0 * 1000 * (double)cdg_run_ragged_row());
    cdg_run_layout_free(&layout);
}

// ---- damage ---------------------------------------------------------------------------------------------------------

static void overwrite(const fixture *f, const char *dataset, size_t index, const void *value) {
    hid_t file = run_open(f->base), set = H5Dopen2(file, dataset, H5P_DEFAULT);
    assert_true(set >= 0);
    haddr_t offset = H5Dget_offset(set);
    H5Dclose(set);
    H5Fclose(file);
    int descriptor = open(f->path, O_RDWR);
    assert_true(descriptor >= 0);
    assert_int_equal(pwrite(descriptor, value, 8, (off_t)(offset + 8 * index)), 8);
    close(descriptor);
}

static void expect_damaged(const fixture *f, const char *about) {
    cdg_run_reader *reader = NULL;
    cdg_error error;
    if (cdg_run_reader_open(f->base, &reader, &error) != CDG_ERROR_FORMAT) fail_msg("%s went unnoticed", about);
    assert_null(reader);
    assert_non_null(strstr(error.message, "damaged"));
}

static void test_damage(void **state) {
    fixture *f = *state;
    write_outputs(f, 0, 6, NULL);
    close_file(f, true);
    const uint64_t huge = (uint64_t)1 << 60, zero = 0, nine = 9, ten = 10, eight = 8;
    const double nan = NAN, minus = -0.1, far = 1.5, zero_place = 0, small = 1e-3;
    const double half = 0.5;
    overwrite(f, "/rods/rope/node_offsets", 2, &huge);
    expect_damaged(f, "an offset far away");
    overwrite(f, "/rods/rope/node_offsets", 2, &zero);
    expect_damaged(f, "an offset that falls");
    uint64_t right = ragged_elements(ragged_levels_at(0)) + ragged_elements(ragged_levels_at(1)) + 2;
    overwrite(f, "/rods/rope/node_offsets", 2, &right);
    overwrite(f, "/rods/rope/element_offsets", 1, &nine);
    expect_damaged(f, "elements that do not fit the nodes");
    overwrite(f, "/rods/rope/element_offsets", 1, &eight);
    overwrite(f, "/rods/rope/node_offsets", 1, &ten);
    expect_damaged(f, "nodes that do not fit the elements");
    overwrite(f, "/rods/rope/node_offsets", 1, &nine);
    cdg_run_reader_close(open_run(f)); // all is as it was
    const double *bad[] = {&nan, &minus, &far, &zero_place};
    for (size_t i = 0; i < 4; i++) {
        overwrite(f, "/rods/rope/arc_length", 4, bad[i]);
        expect_damaged(f, "a node at a wrong place");
    }
    overwrite(f, "/rods/rope/arc_length", 4, &half);
    cdg_run_reader_close(open_run(f));
    overwrite(f, "/rods/rope/arc_length", 0, &small);
    expect_damaged(f, "a rod that does not begin at its start");
    overwrite(f, "/rods/rope/arc_length", 0, &zero_place);
    overwrite(f, "/rods/rope/radius", 3, &minus);
    expect_damaged(f, "a negative radius");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_rows, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_closed, set_up_closed, tear_down),
        cmocka_unit_test_setup_teardown(test_grows_and_is_packed, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_stopped, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_killed, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_estimate, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_damage, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
