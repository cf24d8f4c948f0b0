// Playing a run: outputs come as stored, what is between follows velocities and turns, and time only goes as far as the
// run.
#define _DEFAULT_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "math/random.h"
#include "render/run_player.h"
#include "run_scene.h"

typedef struct fixture {
    char base[RUN_PATH_SIZE];
    cdg_run_reader *reader;
    cdg_run_player *player;
} fixture;

static int set_up(void **state) {
    static fixture f;
    run_directory_make(f.base);
    cdg_scene *scene = run_scene_make((run_scene_options){.force = 0.05, .every_ms = 10});
    cdg_run_def def = {.scene = scene, .directory = f.base};
    cdg_error error;
    cdg_run_summary summary;
    if (cdg_run(&def, &summary, &error) != CDG_OK) fail_msg("%s", error.message);
    cdg_scene_destroy(scene);
    if (cdg_run_reader_open(f.base, &f.reader, &error) != CDG_OK) fail_msg("%s", error.message);
    cdg_rod_field tension;
    assert_int_equal(cdg_rod_field_parse("tension", &tension, &error), CDG_OK);
    if (cdg_run_player_create(f.reader, &tension, &f.player, &error) != CDG_OK) fail_msg("%s", error.message);
    *state = &f;
    return 0;
}

static int tear_down(void **state) {
    fixture *f = *state;
    cdg_run_player_destroy(f->player);
    cdg_run_reader_close(f->reader);
    run_directory_remove(f->base);
    return 0;
}

static void test_outputs_as_stored(void **state) {
    fixture *f = *state;
    cdg_random random = {.state = 1};
    for (int trial = 0; trial < 20; trial++) {
        size_t frame = random_bits(&random) % f->reader->frame_count, rod = random_bits(&random) % f->reader->rod_count;
        double time = f->reader->times[frame], stored[200];
        assert_int_equal(trial % 2 ? cdg_run_player_seek(f->player, time, NULL)
                                   : cdg_run_player_show_frame(f->player, frame, NULL),
                         CDG_OK);
        assert_float_equal(f->player->time, time, 0);
        assert_int_equal(cdg_run_reader_read(f->reader, frame, rod, CDG_FIELD_positions, stored, NULL), CDG_OK);
        const double *shown = &f->player->rods[rod].positions->x;
        for (size_t i = 0; i < 3 * f->reader->rods[rod].node_count; i++) assert_float_equal(shown[i], stored[i], 1e-14);
        assert_int_equal(cdg_run_reader_read(f->reader, frame, rod, CDG_FIELD_tension, stored, NULL), CDG_OK);
        for (size_t i = 0; i < f->reader->rods[rod].element_count; i++)
            assert_float_equal(f->player->rods[rod].values[i], stored[i], 1e-14);
    }
}

// Between outputs: near to where both neighbours extrapolate to, unit frames, no jump at an output.
static void test_between(void **state) {
    fixture *f = *state;
    double tip = 0, before = 0, after = 0;
    size_t last = f->reader->rods[0].node_count - 1;
    for (size_t frame = 1; frame + 1 < f->reader->frame_count; frame++) {
        double time = f->reader->times[frame];
        const double *z = &f->player->rods[0].positions[last].z;
        assert_int_equal(cdg_run_player_seek(f->player, time, NULL), CDG_OK);
        tip = *z;
        double speed = f->player->rods[0].velocities[last].z;
        assert_int_equal(cdg_run_player_seek(f->player, time - 1e-5, NULL), CDG_OK);
        before = *z;
        assert_int_equal(cdg_run_player_seek(f->player, time + 1e-5, NULL), CDG_OK);
        after = *z;
        // to second order the film moves as fast as the rod
        assert_float_equal((tip - before) / 1e-5, speed, 2e-2 * fabs(speed) + 1e-4);
        assert_float_equal((after - tip) / 1e-5, speed, 2e-2 * fabs(speed) + 1e-4);
        assert_int_equal(cdg_run_player_seek(f->player, time + 0.004, NULL), CDG_OK);
        for (size_t i = 0; i < f->reader->rods[0].element_count; i++) {
            cdg_quat q = f->player->rods[0].frames[i];
            assert_float_equal(quat_dot(q, q), 1, 1e-12);
        }
    }
}

static void test_outside(void **state) {
    fixture *f = *state;
    assert_int_equal(cdg_run_player_seek(f->player, -5, NULL), CDG_OK);
    assert_float_equal(f->player->time, f->reader->times[0], 0);
    assert_int_equal(cdg_run_player_seek(f->player, 1e9, NULL), CDG_OK);
    assert_float_equal(f->player->time, f->reader->times[f->reader->frame_count - 1], 0);
    assert_int_equal(cdg_run_player_seek(f->player, NAN, NULL), CDG_OK);
    assert_float_equal(f->player->time, f->reader->times[0], 0);
}

// Embree would stop the whole program over a vertex that is nowhere.
static void test_spoiled_numbers(void **state) {
    (void)state;
    static const struct {
        const char *dataset, *part;
        double value;
    } cases[] = {{"/rods/cable/positions", "a position of rod 'cable' at output 0", NAN},
                 {"/rods/ring/velocities", "a velocity of rod 'ring' at output 0", INFINITY},
                 {"/rods/ring/frames", "a frame of rod 'ring' at output 0", NAN},
                 {"/rods/cable/tension", "tension of rod 'cable' at output 0", NAN}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        void *made = NULL;
        set_up(&made);
        fixture *f = made;
        run_poke(f->base, cases[i].dataset, 3, cases[i].value);
        cdg_run_player *player = NULL;
        cdg_error error = {0};
        assert_int_equal(cdg_run_player_create(f->reader, &f->player->field, &player, &error), CDG_ERROR_FORMAT);
        assert_null(player);
        if (strstr(error.message, cases[i].part) == NULL) fail_msg("%s", error.message);
        tear_down(&made);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test_setup_teardown(test_outputs_as_stored, set_up, tear_down),
                                       cmocka_unit_test_setup_teardown(test_between, set_up, tear_down),
                                       cmocka_unit_test_setup_teardown(test_outside, set_up, tear_down),
                                       cmocka_unit_test(test_spoiled_numbers)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
