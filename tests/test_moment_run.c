// A moment of a live world as a run: one output, at its time, with the rods where they are.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "output/run_reader.h"
#include "view/moment_run.h"
#include "view_case.h"

#include <math.h>
#include <stdio.h>
#include <unistd.h>

static void it_holds_the_present_state(void **state) {
    (void)state;
    char directory[4096], path[4200];
    cdg_error error = {0};
    cdg_scene *scene = view_scene();
    cdg_world *world;
    assert_int_equal(cdg_scene_build(scene, 1, &world, &error), CDG_OK);
    assert_int_equal(cdg_world_set_step_size(world, 2e-3), CDG_OK);
    for (int i = 0; i < 50; i++) assert_int_equal(cdg_world_step(world, NULL), CDG_OK);
    assert_int_equal(cdg_moment_run_write(scene, world, directory, sizeof directory, &error), CDG_OK);

    cdg_run_reader *reader;
    assert_int_equal(cdg_run_reader_open(directory, &reader, &error), CDG_OK);
    assert_int_equal(reader->frame_count, 1);
    assert_true(fabs(reader->times[0] - 0.1) < 1e-12);
    size_t size = reader->rods[0].node_count * sizeof(cdg_vec3);
    cdg_vec3 *positions = malloc(size), *now = malloc(size);
    assert_int_equal(cdg_run_reader_read(reader, 0, 0, CDG_FIELD_positions, (double *)positions, &error), CDG_OK);
    assert_int_equal(cdg_rod_positions(world, cdg_world_rod_at(world, 0), now), CDG_OK);
    assert_memory_equal(positions, now, size);
    cdg_run_reader_close(reader);
    free(positions);
    free(now);
    snprintf(path, sizeof path, "%s/run.h5", directory);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(rmdir(directory), 0); // nothing else is there
    cdg_world_destroy(world);
    cdg_scene_destroy(scene);
}

static void a_folder_that_cannot_be_made_is_told(void **state) {
    (void)state;
    char directory[4096];
    cdg_error error = {0};
    cdg_scene *scene = view_scene();
    cdg_world *world;
    assert_int_equal(cdg_scene_build(scene, 1, &world, &error), CDG_OK);
    assert_int_equal(setenv("TMPDIR", "/dev/null/nowhere", 1), 0);
    assert_int_equal(cdg_moment_run_write(scene, world, directory, sizeof directory, &error), CDG_ERROR_IO);
    assert_non_null(strstr(error.message, "temporary folder"));
    assert_int_equal(unsetenv("TMPDIR"), 0);
    cdg_world_destroy(world);
    cdg_scene_destroy(scene);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_holds_the_present_state),
        cmocka_unit_test(a_folder_that_cannot_be_made_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
