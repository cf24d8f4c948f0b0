// The simulation's own thread.
#include "view/stage.h"

#include "base/error.h"
#include "output/json.h"
#include "view/stage_clock.h"

#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { WAITING_MAX = 256 };
static const double work_budget = 0.012;   // s: stepping before requests and pictures are looked at again
static const double status_interval = 0.1; // s

typedef enum stage_state { STATE_PLAYING, STATE_PAUSED, STATE_FINISHED, STATE_FAILED } stage_state;

struct cdg_stage {
    cdg_board *board;
    cdg_act act;
    pthread_t thread;

    pthread_mutex_t lock; // of what follows
    pthread_cond_t bell;
    cdg_request waiting[WAITING_MAX]; // a ring
    size_t first, count;
    atomic_bool must_end;

    // the thread's own
    cdg_stage_clock clock;
    stage_state state;
    uint32_t steps_to_do; // when paused
    bool must_draw, must_tell;
    double last_status;
    uint32_t picture_index;
    cdg_picture_draft draft;
    char message[CDG_MESSAGE_SIZE];
};

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

// ---- requests -------------------------------------------------------------------------------------------------------

// A hand's move takes the place of its last one while nothing else has been asked since.
static bool replace_move(cdg_stage *stage, const cdg_request *request) {
    if (request->kind != CDG_REQUEST_MOVE) return false;
    for (size_t back = 1; back <= stage->count; back++) {
        cdg_request *before = &stage->waiting[(stage->first + stage->count - back) % WAITING_MAX];
        if (before->kind != CDG_REQUEST_MOVE) return false;
        if (before->hand != request->hand) continue;
        *before = *request;
        return true;
    }
    return false;
}

bool cdg_stage_request(cdg_stage *stage, const cdg_request *request) {
    pthread_mutex_lock(&stage->lock);
    bool is_taken = replace_move(stage, request);
    size_t room = request->kind == CDG_REQUEST_RELEASE ? WAITING_MAX : WAITING_MAX - CDG_HANDS_MAX; // hands can let go
    if (!is_taken && stage->count < room) {
        stage->waiting[(stage->first + stage->count++) % WAITING_MAX] = *request;
        is_taken = true;
    }
    pthread_cond_signal(&stage->bell);
    pthread_mutex_unlock(&stage->lock);
    if (!is_taken) free(request->text);
    return is_taken;
}

static bool take_request(cdg_stage *stage, cdg_request *out) {
    pthread_mutex_lock(&stage->lock);
    bool is_there = stage->count > 0 && !stage->must_end;
    if (is_there) {
        *out = stage->waiting[stage->first];
        stage->first = (stage->first + 1) % WAITING_MAX;
        stage->count--;
    }
    pthread_mutex_unlock(&stage->lock);
    return is_there;
}

static void tell_error(cdg_stage *stage, const char *text) {
    cdg_json json = {0};
    cdg_json_begin_object(&json, NULL);
    cdg_json_text(&json, "type", "error");
    cdg_json_text(&json, "message", text);
    cdg_json_null(&json, "about");
    cdg_json_end(&json);
    const char *bytes = cdg_json_finish(&json);
    if (bytes != NULL) cdg_board_tell(stage->board, cdg_message_create(bytes, json.size, false));
    cdg_json_free(&json);
}

static void enter(cdg_stage *stage, stage_state state) {
    if (state == STATE_PLAYING && stage->state != STATE_PLAYING) {
        stage->act.mark(stage->act.self);
        cdg_clock_start(&stage->clock, now(), stage->act.time(stage->act.self));
    }
    stage->state = state;
    stage->must_tell = stage->must_draw = true;
    if (state != STATE_FAILED) stage->message[0] = '\0';
}

static void play(cdg_stage *stage) {
    if (stage->state == STATE_FINISHED) { // from the beginning
        cdg_error error;
        cdg_request reset = {.kind = CDG_REQUEST_RESET};
        (void)stage->act.answer(stage->act.self, &reset, stage->board, &error);
    }
    enter(stage, STATE_PLAYING);
}

// Time jumped: to the start, to a mark, to a moment.
static void jump(cdg_stage *stage, const cdg_request *request) {
    cdg_error error;
    bool was_playing = stage->state == STATE_PLAYING;
    if (!stage->act.answer(stage->act.self, request, stage->board, &error)) {
        tell_error(stage, error.message);
        return;
    }
    bool goes_on = was_playing && request->kind != CDG_REQUEST_UNDO;
    stage->state = STATE_PAUSED;
    enter(stage, goes_on ? STATE_PLAYING : STATE_PAUSED);
}

static void act_on(cdg_stage *stage, const cdg_request *request) {
    cdg_error error;
    switch (request->kind) {
    case CDG_REQUEST_PLAY: play(stage); return;
    case CDG_REQUEST_PAUSE: enter(stage, STATE_PAUSED); return;
    case CDG_REQUEST_STEP:
        enter(stage, STATE_PAUSED);
        stage->steps_to_do += request->count;
        if (stage->steps_to_do > CDG_REQUEST_STEPS_MAX) stage->steps_to_do = CDG_REQUEST_STEPS_MAX;
        return;
    case CDG_REQUEST_SPEED:
        stage->clock.speed = request->value;
        cdg_clock_start(&stage->clock, now(), stage->act.time(stage->act.self));
        stage->must_tell = true;
        return;
    case CDG_REQUEST_RESET:
    case CDG_REQUEST_UNDO:
    case CDG_REQUEST_SEEK:
    case CDG_REQUEST_EDIT:
    case CDG_REQUEST_CONTROL: jump(stage, request); return;
    case CDG_REQUEST_RECORD:
        if (request->action != CDG_RECORD_START) break;
        jump(stage, request); // to the beginning
        return;
    default: break;
    }
    if (!stage->act.answer(stage->act.self, request, stage->board, &error)) tell_error(stage, error.message);
    // what hands do is seen when it has happened
    bool is_of_hands = request->kind == CDG_REQUEST_MOVE && stage->state == STATE_PLAYING;
    if (!is_of_hands) stage->must_draw = true;
}

// ---- time -----------------------------------------------------------------------------------------------------------

static bool advance(cdg_stage *stage, double wanted) {
    cdg_error error;
    if (stage->act.advance(stage->act.self, wanted, &error) == CDG_OK) return true;
    snprintf(stage->message, sizeof stage->message, "%s", error.message);
    enter(stage, STATE_FAILED);
    return false;
}

static bool must_look_up(cdg_stage *stage) {
    pthread_mutex_lock(&stage->lock);
    bool must = stage->count > 0 || stage->must_end;
    pthread_mutex_unlock(&stage->lock);
    return must;
}

static void keep_playing(cdg_stage *stage) {
    const cdg_act *act = &stage->act;
    double start = now(), wanted = fmin(cdg_clock_wanted(&stage->clock, start), act->end(act->self));
    double step = act->step(act->self);
    uint64_t steps = 0;
    while (act->time(act->self) + step <= wanted * (1 + 1e-12) && act->time(act->self) < wanted) {
        if (!advance(stage, wanted)) return;
        steps++;
        if (now() - start > work_budget || must_look_up(stage)) break;
    }
    cdg_clock_settle(&stage->clock, now(), act->time(act->self), steps);
    stage->must_draw = stage->must_draw || steps > 0;
    if (act->time(act->self) >= act->end(act->self)) enter(stage, STATE_FINISHED);
}

static void keep_stepping(cdg_stage *stage) {
    double start = now();
    while (stage->steps_to_do > 0 && now() - start < work_budget) {
        double time = stage->act.time(stage->act.self), step = stage->act.step(stage->act.self);
        stage->steps_to_do--;
        stage->must_draw = stage->must_tell = true;
        if (!advance(stage, time + (step > 0 ? step : 1.0 / 60))) stage->steps_to_do = 0;
    }
}

// ---- telling --------------------------------------------------------------------------------------------------------

static void put_status(cdg_stage *stage) {
    static const char *const states[] = {"playing", "paused", "finished", "failed"};
    const cdg_act *act = &stage->act;
    cdg_act_facts facts = act->facts(act->self);
    cdg_json json = {0};
    cdg_json_begin_object(&json, NULL);
    cdg_json_text(&json, "type", "status");
    cdg_json_text(&json, "state", states[stage->state]);
    cdg_json_number(&json, "time", act->time(act->self));
    cdg_json_number(&json, "ratio", stage->clock.ratio);
    cdg_json_number(&json, "speed", stage->clock.speed);
    cdg_json_boolean(&json, "late", stage->clock.is_late);
    cdg_json_text(&json, "message", stage->message[0] != '\0' ? stage->message : NULL);
    cdg_json_number(&json, "steps_per_second", stage->clock.steps_per_second);
    cdg_json_number(&json, "energy", facts.energy);
    cdg_json_integer(&json, "contacts", facts.contacts);
    cdg_json_end(&json);
    const char *text = cdg_json_finish(&json);
    if (text != NULL) cdg_board_put(stage->board, CDG_SLOT_STATUS, cdg_message_create(text, json.size, false));
    cdg_json_free(&json);
}

static void put_picture(cdg_stage *stage) {
    stage->act.draw(stage->act.self, &stage->draft, stage->picture_index++);
    cdg_board_put(stage->board, CDG_SLOT_SAMPLE, stage->act.sample(stage->act.self));
    cdg_board_put(stage->board, CDG_SLOT_PICTURE, cdg_draft_finish(&stage->draft));
}

// Returns when to come back at the latest, s.
static double show(cdg_stage *stage) {
    double wall = now(), time = stage->act.time(stage->act.self);
    bool is_playing = stage->state == STATE_PLAYING;
    double interval = is_playing ? cdg_clock_picture_interval(&stage->clock, wall, time) : 1.0 / 60;
    double next = stage->clock.last_picture + interval;
    if (stage->must_draw && wall >= next) {
        put_picture(stage);
        stage->must_draw = false;
        stage->clock.last_picture = wall - next < interval ? next : wall; // an even beat
        next = stage->clock.last_picture + interval;
    }
    if (stage->must_tell || (is_playing && wall - stage->last_status > status_interval)) {
        put_status(stage);
        stage->must_tell = false;
        stage->last_status = wall;
    }
    if (stage->steps_to_do > 0) return wall;
    return is_playing || stage->must_draw ? next : wall + 3600;
}

// Wakes for a request, at `until`, and when the next step is due.
static void sleep_until(cdg_stage *stage, double until) {
    double step = stage->act.step(stage->act.self), speed = stage->clock.speed;
    if (stage->state == STATE_PLAYING && step > 0) {
        double due =
            stage->clock.anchor_wall + (stage->act.time(stage->act.self) + step - stage->clock.anchor_time) / speed;
        // not for each of many short steps
        until = fmin(until, fmax(due, now() + 0.002));
    }
    struct timespec at = {.tv_sec = (time_t)until, .tv_nsec = (long)((until - floor(until)) * 1e9)};
    pthread_mutex_lock(&stage->lock);
    int result = 0;
    while (stage->count == 0 && !stage->must_end && result != ETIMEDOUT)
        result = pthread_cond_timedwait(&stage->bell, &stage->lock, &at);
    pthread_mutex_unlock(&stage->lock);
}

static void *run(void *user) {
    cdg_stage *stage = user;
    cdg_request request;
    stage->act.announce(stage->act.self, stage->board);
    cdg_clock_start(&stage->clock, now(), stage->act.time(stage->act.self));
    while (!stage->must_end) {
        while (take_request(stage, &request)) {
            act_on(stage, &request);
            free(request.text);
        }
        if (stage->state == STATE_PLAYING) keep_playing(stage);
        keep_stepping(stage);
        sleep_until(stage, show(stage));
    }
    return NULL;
}

// ---- beginning and end ----------------------------------------------------------------------------------------------

cdg_result cdg_stage_start(const cdg_stage_def *def, cdg_stage **out, cdg_error *error) {
    cdg_stage *stage = calloc(1, sizeof *stage);
    *out = NULL;
    if (stage == NULL) {
        def->act.destroy(def->act.self);
        return cdg_fail(error, CDG_ERROR_MEMORY, "no memory for a stage");
    }
    stage->board = def->board;
    stage->act = def->act;
    stage->clock.speed = def->speed;
    stage->state = def->is_paused ? STATE_PAUSED : STATE_PLAYING;
    stage->must_draw = stage->must_tell = true;
    if (!def->is_paused) stage->act.mark(stage->act.self);
    pthread_mutex_init(&stage->lock, NULL);
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&stage->bell, &attributes);
    pthread_condattr_destroy(&attributes);
    if (pthread_create(&stage->thread, NULL, run, stage) != 0) {
        stage->act.destroy(stage->act.self);
        free(stage);
        return cdg_fail(error, CDG_ERROR_MEMORY, "a thread for the simulation could not be started");
    }
    *out = stage;
    return CDG_OK;
}

void cdg_stage_stop(cdg_stage *stage) {
    if (stage == NULL) return;
    pthread_mutex_lock(&stage->lock);
    stage->must_end = true;
    pthread_cond_signal(&stage->bell);
    pthread_mutex_unlock(&stage->lock);
    pthread_join(stage->thread, NULL);
    for (size_t i = 0; i < stage->count; i++) free(stage->waiting[(stage->first + i) % WAITING_MAX].text);
    stage->act.destroy(stage->act.self);
    cdg_draft_free(&stage->draft);
    pthread_cond_destroy(&stage->bell);
    pthread_mutex_destroy(&stage->lock);
    free(stage);
}
