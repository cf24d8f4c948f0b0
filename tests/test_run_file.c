// run.h5: outputs arrive where readers look for them, checkpoints survive damage, packing changes nothing.
#define _DEFAULT_SOURCE
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "output/run_file.h"
#include "output/run_layout.h"
#include "output/run_peaks.h"
#include "run_scene.h"

typedef struct fixture {
    char base[RUN_PATH_SIZE], path[RUN_PATH_SIZE + 20];
    cdg_scene *scene;
    cdg_world *world;
    cdg_run_plan plan;
    cdg_run_file *file;
} fixture;

static const cdg_run_tally some_tally = {.wall_seconds = 1.5, .energy_start = 2.5, .worst_rod = 1};

static cdg_result create_file(const char *path, const cdg_scene *scene, const cdg_world *world,
                              const cdg_run_plan *plan, cdg_run_file **out, cdg_error *error) {
    cdg_result result = cdg_run_file_stage(path, scene, world, plan, out, error);
    return result == CDG_OK ? cdg_run_file_install(*out, error) : result;
}

static void build_world(fixture *f) {
    assert_int_equal(cdg_scene_build(f->scene, 1, &f->world, NULL), CDG_OK);
    assert_int_equal(cdg_world_set_step_size(f->world, f->plan.step), CDG_OK);
}

static int set_up(void **state) {
    static fixture f;
    run_directory_make(f.base);
    snprintf(f.path, sizeof f.path, "%s/run.h5", f.base);
    f.scene = run_scene_make((run_scene_options){0});
    f.plan = (cdg_run_plan){.step = 1e-3};
    build_world(&f);
    assert_int_equal(cdg_run_plan_make(f.scene, f.world, &f.plan, NULL), CDG_OK);
    cdg_error error;
    if (create_file(f.path, f.scene, f.world, &f.plan, &f.file, &error) != CDG_OK) fail_msg("%s", error.message);
    *state = &f;
    return 0;
}

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

// Outputs first .. last - 1, each followed by its checkpoint.
static void write_outputs(fixture *f, size_t first, size_t last) {
    cdg_error error;
    for (size_t frame = first; frame < last; frame++) {
        while (cdg_world_step_index(f->world) < frame * f->plan.steps_per_output) {
            assert_int_equal(cdg_world_step(f->world, NULL), CDG_OK);
        }
        if (write_frame(f->file, frame, f->world, &error) != CDG_OK) fail_msg("%s", error.message);
        assert_true(cdg_run_file_wants_checkpoint(f->file));
        assert_int_equal(cdg_run_file_write_checkpoint(f->file, frame, &some_tally, f->world, &error), CDG_OK);
    }
}

static void close_all(fixture *f, bool should_pack) {
    cdg_error error;
    if (cdg_run_file_close(f->file, should_pack, &error) != CDG_OK) fail_msg("%s", error.message);
    f->file = NULL;
    cdg_world_destroy(f->world);
    f->world = NULL;
}

static cdg_result reopen(fixture *f, size_t *frame, cdg_error *error) {
    if (f->world == NULL) build_world(f);
    cdg_result result = cdg_run_file_reopen(f->path, f->scene, f->world, &f->plan, &f->file, error);
    if (result != CDG_OK) return result;
    if (!cdg_run_file_has_checkpoint(f->file)) return CDG_ERROR_STALE;
    cdg_run_tally tally;
    result = cdg_run_file_read_checkpoint(f->file, f->world, frame, &tally, error);
    if (result == CDG_OK) assert_memory_equal(&tally, &some_tally, sizeof tally);
    return result;
}

static void test_rows(void **state) {
    fixture *f = *state;
    write_outputs(f, 0, 3);
    // the file is open for writing all the while
    hid_t file = run_open(f->base);
    assert_int_equal(run_frames(file), 3);
    size_t count;
    hsize_t size[3];
    cdg_rod_id cable = cdg_world_find_rod(f->world, "cable"), ring = cdg_world_find_rod(f->world, "ring");
#define CHECK_ROW(name, type, getter, rod, places)                                                                     \
    {                                                                                                                  \
        type row[20];                                                                                                  \
        double *values = run_read(file, name, size, &count);                                                           \
        assert_int_equal(getter(f->world, rod, row), CDG_OK);                                                          \
        assert_int_equal(size[1], places);                                                                             \
        assert_memory_equal(values + 2 * size[1] * size[2], row, places * sizeof *row);                                \
        free(values);                                                                                                  \
    }
    CHECK_ROW("/rods/cable/positions", cdg_vec3, cdg_rod_positions, cable, 11)
    CHECK_ROW("/rods/cable/velocities", cdg_vec3, cdg_rod_velocities, cable, 11)
    CHECK_ROW("/rods/cable/frames", cdg_quat, cdg_rod_frames, cable, 10)
    CHECK_ROW("/rods/cable/angular_velocities", cdg_vec3, cdg_rod_angular_velocities, cable, 10)
    CHECK_ROW("/rods/cable/forces", cdg_vec3, cdg_rod_forces, cable, 10)
    CHECK_ROW("/rods/cable/moment", cdg_vec3, cdg_rod_moments, cable, 11)
    CHECK_ROW("/rods/ring/positions", cdg_vec3, cdg_rod_positions, ring, 12)
    CHECK_ROW("/rods/ring/frames", cdg_quat, cdg_rod_frames, ring, 12)
#undef CHECK_ROW
    cdg_vec3 forces[10];
    double radii[11];
    assert_int_equal(cdg_rod_forces(f->world, cable, forces), CDG_OK);
    double *tension = run_read(file, "/rods/cable/tension", size, &count);
    for (size_t i = 0; i < 10; i++) assert_true(tension[20 + i] == forces[i].z);
    free(tension);
    assert_int_equal(cdg_rod_radii(f->world, cable, radii), CDG_OK);
    double *radius = run_read(file, "/rods/cable/radius", size, &count);
    assert_memory_equal(radius, radii, sizeof radii);
    free(radius);
    double *rest_length = run_read(file, "/rods/cable/rest_length", size, &count), sum = 0;
    for (size_t i = 0; i < count; i++) sum += rest_length[i];
    assert_true(fabs(sum - 1) < 1e-12);
    free(rest_length);
    cdg_energy energy = cdg_world_energy(f->world);
#define CHECK_ENERGY(name, text)                                                                                       \
    {                                                                                                                  \
        double *values = run_read(file, "/energy/" #name, NULL, &count);                                               \
        assert_true(values[2] == energy.name);                                                                         \
        free(values);                                                                                                  \
    }
    CDG_ENERGY_LIST(CHECK_ENERGY)
#undef CHECK_ENERGY
    double *time = run_read(file, "/time", NULL, &count);
    assert_true(time[2] == cdg_world_time(f->world));
    free(time);
    H5Fclose(file);
    assert_int_equal(write_frame(f->file, f->plan.frame_count, f->world, NULL), CDG_ERROR_ARGUMENT);
}

// Nothing but numbers changes after creation: all other bytes of the file stay.
static void test_structure_is_never_touched(void **state) {
    fixture *f = *state;
    size_t before_size, after_size;
    char *before = run_read_text(f->base, "run.h5", &before_size);
    write_outputs(f, 0, f->plan.frame_count);
    char *after = run_read_text(f->base, "run.h5", &after_size);
    assert_int_equal(before_size, after_size);

    cdg_run_layout layout;
    assert_int_equal(
        cdg_run_layout_make(f->world, f->plan.frame_count,
                            cdg_checkpoint_words(f->world) + CDG_PEAK_NUMBERS * cdg_run_peaks_count(f->scene), &layout,
                            NULL),
        CDG_OK);
    assert_int_equal(cdg_run_layout_find(&layout, f->path, f->scene, &f->plan, NULL), CDG_OK);
    size_t masked = 0, T = f->plan.frame_count;
#define MASK(offset, numbers)                                                                                          \
    memset(before + (offset), 0, 8 * (numbers)), memset(after + (offset), 0, 8 * (numbers)), masked++;
    MASK(layout.time, T)
    for (int i = 0; i < 2; i++) MASK(layout.checkpoint[i], layout.slot_words)
#define MASK_ENERGY(name, text) MASK(layout.energy_##name, T)
    CDG_ENERGY_LIST(MASK_ENERGY)
#undef MASK_ENERGY
    for (size_t i = 0; i < layout.rod_count; i++) {
        const cdg_run_rod_entry *rod = &layout.rods[i];
        for (int k = 0; k < CDG_FIELD_COUNT; k++)
            if (cdg_run_has_field(rod, (cdg_field)k))
                MASK(rod->fields[k], T * cdg_run_field_row(&rod->info, (cdg_field)k))
    }
#undef MASK
    size_t fields = 0; // without levels and others of rods that adapt
    for (int k = 0; k < CDG_FIELD_COUNT; k++) fields += (cdg_field_get((cdg_field)k).traits & CDG_FIELD_ADAPTS) == 0;
    assert_int_equal(masked, 1 + 2 + 9 + 2 * fields);
    assert_memory_equal(before, after, after_size);
    cdg_run_layout_free(&layout);
    free(before);
    free(after);
}

// Stopped after any output, closed packed or not, and continued: the same as without a stop.
static void test_continued(void **state) {
    fixture *f = *state;
    write_outputs(f, 0, f->plan.frame_count);
    close_all(f, true);
    char whole[RUN_PATH_SIZE];
    run_directory_make(whole);
    assert_int_equal(rename(f->path, run_path(whole, "run.h5")), 0);
    for (size_t stop = 1; stop < f->plan.frame_count; stop += 3) {
        for (int should_pack = 0; should_pack < 2; should_pack++) {
            build_world(f);
            assert_int_equal(create_file(f->path, f->scene, f->world, &f->plan, &f->file, NULL), CDG_OK);
            write_outputs(f, 0, stop);
            close_all(f, should_pack != 0);
            hid_t file = run_open(f->base);
            size_t count, frame = 0;
            free(run_read(file, "/time", NULL, &count));
            assert_int_equal(count, should_pack ? stop : f->plan.frame_count);
            assert_int_equal(run_frames(file), stop);
            H5Fclose(file);
            assert_same_outputs(f->base, whole, stop);

            cdg_error error;
            if (reopen(f, &frame, &error) != CDG_OK) fail_msg("%s", error.message);
            assert_int_equal(frame, stop - 1);
            write_outputs(f, stop, f->plan.frame_count);
            close_all(f, true);
            assert_same_outputs(f->base, whole, f->plan.frame_count);
            assert_false(run_path_exists(f->base, "run.h5.new"));
        }
    }
    run_directory_remove(whole);
}

static void damage(fixture *f, const cdg_run_layout *layout, int slot, size_t word, size_t count) {
    int descriptor = open(f->path, O_RDWR);
    double noise[64];
    for (size_t i = 0; i < 64; i++) noise[i] = -1.25;
    assert_true(count <= 64);
    assert_int_equal(pwrite(descriptor, noise, 8 * count, (off_t)(layout->checkpoint[slot] + 8 * word)),
                     8 * (ssize_t)count);
    close(descriptor);
}

static void test_torn_checkpoint(void **state) {
    fixture *f = *state;
    cdg_run_layout layout;
    assert_int_equal(
        cdg_run_layout_make(f->world, f->plan.frame_count,
                            cdg_checkpoint_words(f->world) + CDG_PEAK_NUMBERS * cdg_run_peaks_count(f->scene), &layout,
                            NULL),
        CDG_OK);
    assert_int_equal(cdg_run_layout_find(&layout, f->path, f->scene, &f->plan, NULL), CDG_OK);
    write_outputs(f, 0, 6); // the last went to slot 1
    close_all(f, false);
    damage(f, &layout, 1, layout.slot_words / 2, 1);
    size_t frame;
    cdg_error error;
    if (reopen(f, &frame, &error) != CDG_OK) fail_msg("%s", error.message);
    assert_int_equal(frame, 4); // the one before
    hid_t file = run_open(f->base);
    assert_int_equal(run_frames(file), 5); // output 5 counts as not written until it is written again
    H5Fclose(file);
    close_all(f, false);
    damage(f, &layout, 0, 0, 3);
    assert_int_equal(reopen(f, &frame, &error), CDG_ERROR_FORMAT);
    assert_non_null(strstr(error.message, "damaged"));
    assert_null(f->file);
    file = run_open(f->base);
    assert_int_equal(run_frames(file), 5); // nothing was destroyed
    H5Fclose(file);
    cdg_run_layout_free(&layout);
}

// Killed before the first checkpoint was whole: the run begins anew.
static void test_no_checkpoint_yet(void **state) {
    fixture *f = *state;
    size_t frame;
    cdg_error error;
    close_all(f, false);
    assert_int_equal(reopen(f, &frame, &error), CDG_ERROR_STALE);
    assert_int_equal(cdg_run_file_read_checkpoint(f->file, f->world, &frame, NULL, &error), CDG_ERROR_FORMAT);
    assert_int_equal(write_frame(f->file, 0, f->world, &error), CDG_OK);
    close_all(f, false);
    assert_int_equal(reopen(f, &frame, &error), CDG_ERROR_STALE);
}

// The scene is the same, but a file it names has changed.
static void test_other_start(void **state) {
    fixture *f = *state;
    write_outputs(f, 0, 2);
    close_all(f, true);
    size_t before_size, after_size, frame;
    char *before = run_read_text(f->base, "run.h5", &before_size);
    build_world(f);
    cdg_vec3 positions[11];
    cdg_rod_id cable = cdg_world_find_rod(f->world, "cable");
    assert_int_equal(cdg_rod_positions(f->world, cable, positions), CDG_OK);
    positions[7].y += 1e-6;
    assert_int_equal(cdg_rod_set_state(f->world, cable, positions, NULL, NULL, NULL), CDG_OK);
    cdg_error error;
    assert_int_equal(reopen(f, &frame, &error), CDG_ERROR_FORMAT);
    assert_non_null(strstr(error.message, "node 7"));
    char *after = run_read_text(f->base, "run.h5", &after_size); // it was not even unpacked
    assert_int_equal(before_size, after_size);
    assert_memory_equal(before, after, after_size);
    free(before);
    free(after);
}

// A new run that cannot begin leaves the old one alone.
static void test_old_run_is_kept(void **state) {
    fixture *f = *state;
    write_outputs(f, 0, 2);
    assert_int_equal(cdg_run_file_close(f->file, false, NULL), CDG_OK);
    f->file = NULL;
    assert_int_equal(mkdir(run_path(f->base, "run.h5.new"), 0777), 0); // in the way
    cdg_error error;
    assert_int_equal(create_file(f->path, f->scene, f->world, &f->plan, &f->file, &error), CDG_ERROR_IO);
    assert_null(f->file);
    assert_non_null(strstr(error.message, "run.h5.new"));
    hid_t file = run_open(f->base);
    assert_int_equal(run_frames(file), 2);
    H5Fclose(file);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_rows, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_structure_is_never_touched, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_continued, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_torn_checkpoint, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_no_checkpoint_yet, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_other_start, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_old_run_is_kept, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
