// A run file that is made anew with another room: packed and unpacked, it holds what it held.
#define _DEFAULT_SOURCE
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "run_file_case.h"

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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_continued, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
