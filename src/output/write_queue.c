// A ring of jobs between two threads. The caller alone adds jobs and takes buffers, the thread alone does jobs.
#define _POSIX_C_SOURCE 200809L
#include "output/write_queue.h"

#include "output/disk.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

enum { JOBS_MAX = 1024 };

typedef struct job {
    int descriptor;
    bool is_sync, is_room;
    void *buffer; // given back when it is done; NULL: none
    double number;
    size_t count;
    cdg_write_piece pieces[CDG_WRITE_PIECES_MAX]; // the first one with data NULL: `number`
} job;

struct cdg_write_queue {
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t changed; // something came, or is done
    char *path;
    size_t buffer_bytes, buffer_count, buffers_made, free_count;
    void **free_buffers;  // buffer_count
    uint64_t added, done; // tickets: jobs so far
    uint64_t own_ticket;  // the last job without a buffer that is done, and how long it took
    double own_seconds;
    bool is_ending;
    cdg_result failure;
    cdg_error error;
    job jobs[JOBS_MAX]; // ticket t in [t % JOBS_MAX]
};

// ---- the thread -----------------------------------------------------------------------------------------------------

static cdg_result do_job(const cdg_write_queue *q, const job *j, cdg_error *error) {
    if (j->is_sync) return cdg_disk_sync(j->descriptor, q->path, error);
    cdg_result result = CDG_OK;
    for (size_t i = 0; i < j->count && result == CDG_OK; i++) {
        const cdg_write_piece *piece = &j->pieces[i];
        if (j->is_room) {
            cdg_disk_reserve(j->descriptor, piece->offset, piece->size);
            continue;
        }
        const void *data = piece->data != NULL ? piece->data : &j->number;
        result = cdg_disk_write_at(j->descriptor, q->path, data, piece->size, piece->offset, error);
    }
    return result;
}

static void *work(void *user) {
    cdg_write_queue *q = user;
    pthread_mutex_lock(&q->lock);
    while (!q->is_ending || q->done < q->added) {
        if (q->done == q->added) {
            pthread_cond_wait(&q->changed, &q->lock);
            continue;
        }
        const job *j = &q->jobs[q->done % JOBS_MAX];
        cdg_result result = CDG_OK;
        cdg_error error = {0};
        if (q->failure == CDG_OK) {
            pthread_mutex_unlock(&q->lock);
            double began = cdg_disk_clock();
            result = do_job(q, j, &error);
            double seconds = cdg_disk_clock() - began;
            pthread_mutex_lock(&q->lock);
            if (j->buffer == NULL && j->count > 0 && j->pieces[0].data != NULL)
                q->own_ticket = q->done, q->own_seconds = seconds;
        }
        if (result != CDG_OK) q->failure = result, q->error = error;
        if (j->buffer != NULL) q->free_buffers[q->free_count++] = j->buffer;
        q->done++;
        pthread_cond_broadcast(&q->changed);
    }
    pthread_mutex_unlock(&q->lock);
    return NULL;
}

// Signals are the caller's: one that came to this thread would interrupt nothing that anybody waits for.
static bool start(cdg_write_queue *q) {
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    bool is_started = pthread_create(&q->thread, NULL, work, q) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return is_started;
}

// ---- the caller -----------------------------------------------------------------------------------------------------

static void free_queue(cdg_write_queue *q) {
    for (size_t i = 0; i < q->free_count; i++) free(q->free_buffers[i]);
    free((void *)q->free_buffers);
    free(q->path);
    pthread_cond_destroy(&q->changed);
    pthread_mutex_destroy(&q->lock);
    free(q);
}

cdg_write_queue *cdg_write_queue_create(const char *path, size_t buffer_bytes, size_t buffer_count) {
    cdg_write_queue *q = calloc(1, sizeof *q);
    if (q == NULL) return NULL;
    pthread_mutex_init(&q->lock, NULL);
    pthread_cond_init(&q->changed, NULL);
    q->buffer_bytes = buffer_bytes;
    q->buffer_count = buffer_count > 0 ? buffer_count : 1;
    q->path = strdup(path);
    q->free_buffers = calloc(q->buffer_count, sizeof *q->free_buffers);
    if (q->path != NULL && q->free_buffers != NULL && start(q)) return q;
    free_queue(q);
    return NULL;
}

void cdg_write_queue_destroy(cdg_write_queue *q) {
    if (q == NULL) return;
    pthread_mutex_lock(&q->lock);
    q->is_ending = true;
    pthread_cond_broadcast(&q->changed);
    pthread_mutex_unlock(&q->lock);
    pthread_join(q->thread, NULL);
    free_queue(q);
}

void *cdg_write_queue_take(cdg_write_queue *q) {
    pthread_mutex_lock(&q->lock);
    void *buffer = NULL;
    if (q->free_count == 0 && q->buffers_made < q->buffer_count) {
        buffer = malloc(q->buffer_bytes);
        q->buffers_made += buffer != NULL;
    }
    // Without memory for another one, those that are there do; without any there is nothing to wait for.
    while (buffer == NULL && q->free_count == 0 && q->buffers_made > 0) pthread_cond_wait(&q->changed, &q->lock);
    if (buffer == NULL && q->free_count > 0) buffer = q->free_buffers[--q->free_count];
    pthread_mutex_unlock(&q->lock);
    return buffer;
}

static uint64_t add(cdg_write_queue *q, const job *added) {
    pthread_mutex_lock(&q->lock);
    while (q->added - q->done == JOBS_MAX) pthread_cond_wait(&q->changed, &q->lock);
    q->jobs[q->added % JOBS_MAX] = *added;
    uint64_t ticket = q->added++;
    pthread_cond_broadcast(&q->changed);
    pthread_mutex_unlock(&q->lock);
    return ticket;
}

uint64_t cdg_write_queue_put(cdg_write_queue *q, int descriptor, void *buffer, const cdg_write_piece *pieces,
                             size_t count) {
    job j = {.descriptor = descriptor, .buffer = buffer, .count = count};
    memcpy(j.pieces, pieces, count * sizeof *pieces);
    return add(q, &j);
}

void cdg_write_queue_put_number(cdg_write_queue *q, int descriptor, double number, uint64_t offset) {
    job j = {.descriptor = descriptor, .number = number, .count = 1, .pieces = {{NULL, sizeof number, offset}}};
    add(q, &j);
}

void cdg_write_queue_put_room(cdg_write_queue *q, int descriptor, const cdg_write_piece *pieces, size_t count) {
    job j = {.descriptor = descriptor, .is_room = true, .count = count};
    memcpy(j.pieces, pieces, count * sizeof *pieces);
    add(q, &j);
}

void cdg_write_queue_put_sync(cdg_write_queue *q, int descriptor) {
    job j = {.descriptor = descriptor, .is_sync = true};
    add(q, &j);
}

static cdg_result failure_of(const cdg_write_queue *q, cdg_error *error) {
    if (q->failure != CDG_OK && error != NULL) *error = q->error;
    return q->failure;
}

cdg_result cdg_write_queue_wait(cdg_write_queue *q, uint64_t ticket, cdg_error *error) {
    pthread_mutex_lock(&q->lock);
    while (q->done < q->added && q->done <= ticket) pthread_cond_wait(&q->changed, &q->lock);
    cdg_result result = failure_of(q, error);
    pthread_mutex_unlock(&q->lock);
    return result;
}

double cdg_write_queue_seconds(cdg_write_queue *q, uint64_t ticket) {
    pthread_mutex_lock(&q->lock);
    double seconds = q->done <= ticket ? -1 : q->own_ticket == ticket ? q->own_seconds : 0;
    pthread_mutex_unlock(&q->lock);
    return seconds;
}

cdg_result cdg_write_queue_failure(cdg_write_queue *q, cdg_error *error) {
    pthread_mutex_lock(&q->lock);
    cdg_result result = failure_of(q, error);
    pthread_mutex_unlock(&q->lock);
    return result;
}
