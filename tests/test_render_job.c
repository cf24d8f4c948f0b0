// Pictures beside the simulation: told when they are done, one at a time, stopped when the stage ends.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "view/render_job.h"
#include "view_case.h"
#include "view_run.h"

#include <time.h>

static void a_film_is_begun_and_ended(void **state) {
    (void)state;
    cdg_board board;
    cdg_render_job job = {.board = &board};
    cdg_error error;
    cdg_board_init(&board);
    view_run("test_render_job_run");
    cdg_request film = {.kind = CDG_REQUEST_FILM, .to = -1}, picture = {.kind = CDG_REQUEST_PICTURE};
    assert_true(cdg_render_job_start(&job, "test_render_job_run", 0, &film, &error));
    bool is_second_refused = !cdg_render_job_start(&job, "test_render_job_run", 0, &picture, &error);
    assert_true(is_second_refused || board.event_count > 0); // or the film was done already
    cdg_render_job_end(&job);
    assert_false(job.is_running);
    cdg_render_job_end(&job);
    cdg_board_free(&board);
}

static void what_fails_is_told(void **state) {
    (void)state;
    cdg_board board;
    cdg_render_job job = {.board = &board};
    cdg_error error;
    cdg_board_init(&board);
    cdg_request picture = {.kind = CDG_REQUEST_PICTURE};
    assert_true(cdg_render_job_start(&job, "no such run", 0, &picture, &error));
    while (job.is_running) nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    assert_int_equal(board.event_count, 1);
    char *text = view_message_text(board.events[0]);
    assert_non_null(strstr(text, "\"error\""));
    free(text);
    cdg_render_job_end(&job);
    cdg_board_free(&board);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_film_is_begun_and_ended),
        cmocka_unit_test(what_fails_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
