// Jobs handed out under one lock, and the threads that do them.
#define _POSIX_C_SOURCE 200809L
#include "sweep/hand_out.h"

#include "base/error.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

void cdg_hand_out_begin(cdg_hand_out *out, const size_t *jobs, size_t job_count) {
    *out = (cdg_hand_out){.jobs = jobs, .job_count = job_count};
    pthread_mutex_init(&out->mutex, NULL);
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&out->has_news, &attributes);
    pthread_condattr_destroy(&attributes);
}

void cdg_hand_out_end(cdg_hand_out *hand_out) {
    for (size_t i = 0; i < hand_out->ready_count; i++) free(hand_out->ready[i].text);
    free(hand_out->ready);
    pthread_cond_destroy(&hand_out->has_news);
    pthread_mutex_destroy(&hand_out->mutex);
}

bool cdg_hand_out_take(cdg_hand_out *hand_out, size_t *job) {
    pthread_mutex_lock(&hand_out->mutex);
    bool has_one = !hand_out->is_stopped && hand_out->next < hand_out->job_count;
    if (has_one) *job = hand_out->jobs[hand_out->next++];
    pthread_mutex_unlock(&hand_out->mutex);
    return has_one;
}

static bool reserve(cdg_hand_out *hand_out) {
    if (hand_out->ready_count < hand_out->ready_capacity) return true;
    size_t capacity = hand_out->ready_capacity > 0 ? 2 * hand_out->ready_capacity : 64;
    cdg_line *grown = realloc(hand_out->ready, capacity * sizeof *grown);
    if (grown == NULL) return false;
    hand_out->ready = grown;
    hand_out->ready_capacity = capacity;
    return true;
}

void cdg_hand_out_give(cdg_hand_out *hand_out, char *text, size_t size) {
    pthread_mutex_lock(&hand_out->mutex);
    if (text != NULL && reserve(hand_out)) {
        hand_out->ready[hand_out->ready_count++] = (cdg_line){text, size};
    } else {
        hand_out->has_no_memory = true;
        free(text);
    }
    pthread_cond_signal(&hand_out->has_news);
    pthread_mutex_unlock(&hand_out->mutex);
}

void cdg_hand_out_stop(cdg_hand_out *hand_out) {
    pthread_mutex_lock(&hand_out->mutex);
    hand_out->is_stopped = true;
    pthread_cond_signal(&hand_out->has_news);
    pthread_mutex_unlock(&hand_out->mutex);
}

bool cdg_hand_out_is_stopped(cdg_hand_out *hand_out) {
    pthread_mutex_lock(&hand_out->mutex);
    bool is_stopped = hand_out->is_stopped;
    pthread_mutex_unlock(&hand_out->mutex);
    return is_stopped;
}

bool cdg_hand_out_has_lost(cdg_hand_out *hand_out) {
    pthread_mutex_lock(&hand_out->mutex);
    bool has_lost = hand_out->has_no_memory;
    pthread_mutex_unlock(&hand_out->mutex);
    return has_lost;
}

size_t cdg_hand_out_left(cdg_hand_out *hand_out) {
    pthread_mutex_lock(&hand_out->mutex);
    size_t left = hand_out->is_stopped ? 0 : hand_out->job_count - hand_out->next;
    pthread_mutex_unlock(&hand_out->mutex);
    return left;
}

static struct timespec time_from_now(double seconds) {
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    long nanoseconds = until.tv_nsec + (long)(1e9 * (seconds - (double)(long)seconds));
    until.tv_sec += (time_t)seconds + nanoseconds / 1000000000;
    until.tv_nsec = nanoseconds % 1000000000;
    return until;
}

size_t cdg_hand_out_collect(cdg_hand_out *hand_out, double seconds, cdg_line **out) {
    struct timespec until = time_from_now(seconds);
    pthread_mutex_lock(&hand_out->mutex);
    if (hand_out->ready_count == 0 && seconds > 0)
        pthread_cond_timedwait(&hand_out->has_news, &hand_out->mutex, &until); // once is enough: the caller comes again
    size_t count = hand_out->ready_count;
    *out = count > 0 ? hand_out->ready : NULL;
    if (count > 0) {
        hand_out->ready = NULL;
        hand_out->ready_count = hand_out->ready_capacity = 0;
    }
    pthread_mutex_unlock(&hand_out->mutex);
    return count;
}

// ---- threads --------------------------------------------------------------------------------------------------------

typedef struct crew_member {
    cdg_crew *crew;
    pthread_t thread;
    int number;
} crew_member;

struct cdg_crew {
    cdg_hand_out *hand_out;
    cdg_crew_work *work;
    void *user;
    crew_member *members;
    int count, busy; // busy: under the hand-out's lock
};

static void *do_jobs(void *argument) {
    crew_member *member = argument;
    cdg_crew *crew = member->crew;
    for (size_t job; cdg_hand_out_take(crew->hand_out, &job);)
        if (!crew->work(crew->user, member->number, job, crew->hand_out)) break;
    pthread_mutex_lock(&crew->hand_out->mutex);
    crew->busy--;
    pthread_cond_signal(&crew->hand_out->has_news);
    pthread_mutex_unlock(&crew->hand_out->mutex);
    return NULL;
}

static bool start_member(cdg_crew *crew, int number) {
    crew_member *member = &crew->members[number];
    *member = (crew_member){.crew = crew, .number = number};
    pthread_mutex_lock(&crew->hand_out->mutex);
    crew->busy++;
    pthread_mutex_unlock(&crew->hand_out->mutex);
    if (pthread_create(&member->thread, NULL, do_jobs, member) == 0) return true;
    pthread_mutex_lock(&crew->hand_out->mutex);
    crew->busy--;
    pthread_mutex_unlock(&crew->hand_out->mutex);
    return false;
}

cdg_result cdg_crew_start(cdg_hand_out *hand_out, int count, cdg_crew_work *work, void *user, cdg_crew **out,
                          cdg_error *error) {
    cdg_crew *crew = calloc(1, sizeof *crew);
    crew_member *members = calloc((size_t)count + 1, sizeof *members);
    *out = crew;
    if (crew == NULL || members == NULL) {
        free(crew);
        free(members);
        *out = NULL;
        return cdg_fail(error, CDG_ERROR_MEMORY, "out of memory for %d threads", count);
    }
    *crew = (cdg_crew){.hand_out = hand_out, .work = work, .user = user, .members = members};
    while (crew->count < count && start_member(crew, crew->count)) crew->count++;
    if (crew->count > 0 || count == 0) return CDG_OK; // fewer threads than wanted do the same work
    cdg_crew_join(crew);
    *out = NULL;
    return cdg_fail(error, CDG_ERROR_MEMORY, "the system gives no thread to work in");
}

bool cdg_crew_is_busy(cdg_crew *crew) {
    pthread_mutex_lock(&crew->hand_out->mutex);
    bool is_busy = crew->busy > 0;
    pthread_mutex_unlock(&crew->hand_out->mutex);
    return is_busy;
}

void cdg_crew_join(cdg_crew *crew) {
    if (crew == NULL) return;
    for (int i = 0; i < crew->count; i++) pthread_join(crew->members[i].thread, NULL);
    free(crew->members);
    free(crew);
}
