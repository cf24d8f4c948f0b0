// A run shown again: seeking gives its outputs, between them and beyond its ends too.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "view/replay.h"
#include "view_run.h"

#include <math.h>

static const char *const names[] = {"test_replay_run", "test_replay_run"};

static cdg_act open_runs(size_t count) {
    cdg_act act;
    cdg_error error;
    view_run(names[0]);
    assert_int_equal(cdg_replay_create(names, count, &act, &error), CDG_OK);
    return act;
}

static cdg_message *draw_at(const cdg_act *act, double time) {
    cdg_error error;
    cdg_request seek = {.kind = CDG_REQUEST_SEEK, .value = time};
    assert_true(act->answer(act->self, &seek, NULL, &error));
    return view_draw(act);
}

static void seeking_shows_what_was_computed(void **state) {
    (void)state;
    cdg_act act = open_runs(1), live = view_live();
    cdg_error error;
    for (int i = 0; i < 25; i++) assert_int_equal(live.advance(live.self, 0, &error), CDG_OK);
    cdg_message *then = view_draw(&live), *now = draw_at(&act, 0.05);
    const cdg_block blocks[] = {CDG_BLOCK_POSITIONS, CDG_BLOCK_FRAMES, CDG_BLOCK_BODIES, CDG_BLOCK_OBSTACLES};
    for (size_t b = 0; b < 4; b++) {
        uint32_t count = 0, other = 0;
        const float *a = view_block(now, blocks[b], &count), *c = view_block(then, blocks[b], &other);
        assert_int_equal(count, other);
        for (uint32_t i = 0; i < count; i++) assert_true(fabsf(a[i] - c[i]) < 1e-6f);
    }
    cdg_message_release(then);
    cdg_message_release(now);
    now = draw_at(&act, 1e9);
    assert_true(view_picture_time(now) == act.end(act.self));
    cdg_message_release(now);
    now = draw_at(&act, -1e9);
    assert_true(view_picture_time(now) == 0);
    cdg_message_release(now);
    act.destroy(act.self);
    live.destroy(live.self);
}

static void two_runs_and_colors(void **state) {
    (void)state;
    cdg_board board;
    cdg_error error;
    cdg_board_init(&board);
    cdg_act act = open_runs(2);
    act.announce(act.self, &board);
    char *text = view_text(&board, CDG_SLOT_WORLD);
    assert_non_null(strstr(text, "\"run\": 1"));
    free(text);
    cdg_request color = {.kind = CDG_REQUEST_COLOR, .field = "forces", .component = 2};
    assert_true(act.answer(act.self, &color, &board, &error));
    cdg_message *picture = draw_at(&act, 0.03);
    uint32_t count;
    assert_non_null(view_block(picture, CDG_BLOCK_VALUES, &count));
    assert_int_equal(count, 2 * 16);
    cdg_message_release(picture);
    cdg_message *sample = act.sample(act.self);
    assert_non_null(sample);
    cdg_message_release(sample);
    assert_false(act.answer(act.self, &(cdg_request){.kind = CDG_REQUEST_CUT}, &board, &error));
    act.destroy(act.self);
    cdg_board_free(&board);
}

static void what_is_no_run_is_refused(void **state) {
    (void)state;
    cdg_act act;
    cdg_error error;
    const char *missing[] = {"no such run"};
    assert_int_equal(cdg_replay_create(missing, 1, &act, &error), CDG_ERROR_IO);
    assert_int_equal(cdg_replay_create(names, 0, &act, &error), CDG_ERROR_ARGUMENT);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(seeking_shows_what_was_computed),
        cmocka_unit_test(two_runs_and_colors),
        cmocka_unit_test(what_is_no_run_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
