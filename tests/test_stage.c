// The stage's thread: it acts on requests in their order, keeps time, and tells failures.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "view/stage.h"
#include "view_case.h"

#include <math.h>
#include <stdlib.h>
#include <time.h>

// An act whose time is counted in steps of 10 ms and which fails when it is told to.
typedef struct counter {
    double time, fails_at;
    int resets, marks;
    char asked[64]; // kinds of requests, one letter each
} counter;

static void destroy(void *self) { (void)self; }
static void announce(void *self, cdg_board *board) {
    (void)self;
    cdg_board_put(board, CDG_SLOT_HELLO, cdg_message_create("hello", 5, false));
}
static double time_of(const void *self) { return ((const counter *)self)->time; }
static double end_of(const void *self) { return self != NULL ? 0.5 : 0; }
static double step_of(const void *self) { return self != NULL ? 0.01 : 0; }
static cdg_result advance(void *self, double wanted, cdg_error *error) {
    counter *c = self;
    (void)wanted;
    if (c->fails_at > 0 && c->time >= c->fails_at) {
        strcpy(error->message, "it broke");
        return error->code = CDG_ERROR_NO_CONVERGENCE;
    }
    c->time = round((c->time + 0.01) * 100) / 100;
    return CDG_OK;
}
static void draw(void *self, cdg_picture_draft *draft, uint32_t index) {
    cdg_draft_begin(draft, 1, index, time_of(self));
}
static bool answer(void *self, const cdg_request *request, cdg_board *board, cdg_error *error) {
    counter *c = self;
    (void)board;
    size_t length = strlen(c->asked);
    if (length + 1 < sizeof c->asked) c->asked[length] = (char)('a' + request->kind), c->asked[length + 1] = '\0';
    if (request->kind == CDG_REQUEST_RESET) c->time = 0, c->resets++;
    strcpy(error->message, "refused");
    return request->kind != CDG_REQUEST_CUT;
}
static void mark(void *self) { ((counter *)self)->marks++; }
static cdg_act_facts facts(const void *self) { return (cdg_act_facts){.energy = self != NULL ? 1 : 0}; }
static cdg_message *sample(const void *self) { return self != NULL ? NULL : cdg_message_create("", 0, false); }

static cdg_act act_of(counter *c) {
    return (cdg_act){.self = c,
                     .destroy = destroy,
                     .announce = announce,
                     .time = time_of,
                     .end = end_of,
                     .step = step_of,
                     .advance = advance,
                     .draw = draw,
                     .answer = answer,
                     .mark = mark,
                     .facts = facts,
                     .sample = sample};
}

// Waits until the status says something; a test that fails here hangs until its time limit.
static void wait_for(cdg_board *board, const char *wanted) {
    for (bool is_there = false; !is_there;) {
        pthread_mutex_lock(&board->lock);
        char *text = view_text(board, CDG_SLOT_STATUS);
        pthread_mutex_unlock(&board->lock);
        is_there = text != NULL && strstr(text, wanted) != NULL;
        free(text);
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    }
}

static cdg_stage *start(counter *c, cdg_board *board, double speed, bool is_paused) {
    cdg_stage *stage;
    cdg_error error;
    cdg_stage_def def = {.board = board, .act = act_of(c), .speed = speed, .is_paused = is_paused};
    assert_int_equal(cdg_stage_start(&def, &stage, &error), CDG_OK);
    return stage;
}

static void ask(cdg_stage *stage, cdg_request_kind kind, uint32_t count) {
    assert_true(cdg_stage_request(stage, &(cdg_request){.kind = kind, .count = count, .value = 1}));
}

static void it_plays_to_the_end_and_again(void **state) {
    (void)state;
    cdg_board board;
    counter c = {0};
    cdg_board_init(&board);
    cdg_stage *stage = start(&c, &board, 10, false);
    wait_for(&board, "\"finished\"");
    ask(stage, CDG_REQUEST_PLAY, 0);
    wait_for(&board, "\"playing\"");
    wait_for(&board, "\"finished\"");
    cdg_stage_stop(stage);
    assert_true(c.time == 0.5 && c.resets == 1 && c.marks == 2);
    cdg_board_free(&board);
}

static void steps_requests_and_refusals(void **state) {
    (void)state;
    cdg_board board;
    counter c = {0};
    cdg_board_init(&board);
    cdg_stage *stage = start(&c, &board, 1, true);
    ask(stage, CDG_REQUEST_STEP, 7);
    wait_for(&board, "\"time\": 0.07");
    ask(stage, CDG_REQUEST_COLOR, 0);
    ask(stage, CDG_REQUEST_CUT, 0);
    ask(stage, CDG_REQUEST_RESET, 0);
    wait_for(&board, "\"time\": 0,");
    cdg_stage_stop(stage);
    assert_int_equal(strlen(c.asked), 3);
    assert_true(c.asked[0] == 'a' + CDG_REQUEST_COLOR && c.asked[2] == 'a' + CDG_REQUEST_RESET);
    assert_int_equal(board.event_count, 1); // the refusal
    assert_non_null(board.slots[CDG_SLOT_PICTURE]);
    cdg_board_free(&board);
}

static void a_failure_stops_and_is_told(void **state) {
    (void)state;
    cdg_board board;
    counter c = {.fails_at = 0.05};
    cdg_board_init(&board);
    cdg_stage *stage = start(&c, &board, 10, false);
    wait_for(&board, "it broke");
    wait_for(&board, "\"failed\"");
    cdg_stage_stop(stage);
    assert_true(c.time == 0.05);
    cdg_board_free(&board);
}

// Without a thread that takes them: moves replace each other, others wait, and there is an end to it.
static void waiting_requests_are_bounded(void **state) {
    (void)state;
    cdg_board board;
    counter c = {0};
    cdg_board_init(&board);
    cdg_stage *stage = start(&c, &board, 1, true);
    size_t taken = 0;
    for (int i = 0; i < 100000; i++) {
        cdg_request edit = {.kind = CDG_REQUEST_EDIT, .text = strdup("text")}, move = {.kind = CDG_REQUEST_MOVE};
        taken += cdg_stage_request(stage, &edit);
        (void)cdg_stage_request(stage, &move);
    }
    assert_true(taken > 0);
    cdg_stage_stop(stage); // and what still waits is freed
    cdg_board_free(&board);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_plays_to_the_end_and_again),
        cmocka_unit_test(steps_requests_and_refusals),
        cmocka_unit_test(a_failure_stops_and_is_told),
        cmocka_unit_test(waiting_requests_are_bounded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
