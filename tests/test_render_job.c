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
#include <unistd.h>

// What the board was last told, malloc'ed, once the job is done.
static char *wait_for_end(cdg_render_job *job) {
    cdg_board *board = job->board;
    uint64_t count = 0;
    while (count == 0) {
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
        pthread_mutex_lock(&board->lock);
        count = board->event_count;
        pthread_mutex_unlock(&board->lock);
    }
    return view_message_text(board->events[(count - 1) % CDG_BOARD_EVENTS]);
}

static void a_film_is_begun_and_ended(void **state) {
    (void)state;
    cdg_board board;
    cdg_render_job job = {.board = &board};
    cdg_error error;
    cdg_board_init(&board);
    view_run("test_render_job_run");
    cdg_render_source source = {.run = "test_render_job_run", .output = "test_render_job_run/view"};
    cdg_request film = {.kind = CDG_REQUEST_FILM, .to = -1}, picture = {.kind = CDG_REQUEST_PICTURE};
    assert_true(cdg_render_job_start(&job, &source, &film, &error));
    bool is_second_refused = !cdg_render_job_start(&job, &source, &picture, &error);
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
    cdg_render_source source = {.run = "no such run", .output = "test_render_job"};
    assert_true(cdg_render_job_start(&job, &source, &picture, &error));
    char *text = wait_for_end(&job);
    assert_int_equal(board.event_count, 1);
    assert_non_null(strstr(text, "\"error\""));
    free(text);
    cdg_render_job_end(&job);
    cdg_board_free(&board);
}

static void a_scene_is_run_before_it_is_drawn(void **state) {
    (void)state;
    cdg_board board;
    cdg_render_job job = {.board = &board};
    cdg_error error;
    cdg_board_init(&board);
    unlink("test_render_job-1.png");
    cdg_request picture = {.kind = CDG_REQUEST_PICTURE};
    cdg_render_source source = {.run = "test_render_job_passing",
                                .scene = view_scene(),
                                .output = "test_render_job",
                                .is_passing = true,
                                .time = 0.5};
    assert_true(cdg_render_job_start(&job, &source, &picture, &error));
    char *text = wait_for_end(&job);
    assert_non_null(strstr(text, "\"test_render_job-1.png\""));
    assert_int_equal(access("test_render_job-1.png", F_OK), 0);
    assert_int_not_equal(access("test_render_job_passing", F_OK), 0);
    free(text);
    cdg_render_job_end(&job);
    cdg_board_free(&board);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_film_is_begun_and_ended),
        cmocka_unit_test(what_fails_is_told),
        cmocka_unit_test(a_scene_is_run_before_it_is_drawn),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
