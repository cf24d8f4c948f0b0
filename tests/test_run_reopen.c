// Interrupted runs: checkpoints survive damage, and what no longer fits is refused.
#define _DEFAULT_SOURCE
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "run_file_case.h"

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
    find_layout(f, &layout);
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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_torn_checkpoint, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_no_checkpoint_yet, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_other_start, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
