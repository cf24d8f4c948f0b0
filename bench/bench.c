// The benchmark framework: rows of samples, repeated timing, medians and spreads.
#define _POSIX_C_SOURCE 200809L
#include "bench/cases.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

bench_context bench_context_default(void) { return (bench_context){.repeat = 7}; }

void bench_context_free(bench_context *context) {
    for (size_t i = 0; i < context->row_count; i++) free(context->rows[i].samples);
    free(context->rows);
    context->rows = NULL;
    context->row_count = context->row_capacity = 0;
}

void bench_add_row(bench_context *context, const char *label, const char *unit, double bar) {
    if (context->row_count == context->row_capacity) {
        size_t capacity = context->row_capacity > 0 ? 2 * context->row_capacity : 8;
        bench_row *rows = realloc(context->rows, capacity * sizeof *rows);
        if (rows == NULL) {
            context->out_of_memory = true;
            return;
        }
        context->rows = rows;
        context->row_capacity = capacity;
    }
    bench_row *row = &context->rows[context->row_count++];
    *row = (bench_row){.bar = bar};
    snprintf(row->label, sizeof row->label, "%s", label);
    snprintf(row->unit, sizeof row->unit, "%s", unit);
}

void bench_add_sample(bench_context *context, double value) {
    if (context->row_count == 0) return;
    bench_row *row = &context->rows[context->row_count - 1];
    if (row->sample_count == row->sample_capacity) {
        size_t capacity = row->sample_capacity > 0 ? 2 * row->sample_capacity : 16;
        double *samples = realloc(row->samples, capacity * sizeof *samples);
        if (samples == NULL) {
            context->out_of_memory = true;
            return;
        }
        row->samples = samples;
        row->sample_capacity = capacity;
    }
    row->samples[row->sample_count++] = value;
}

void bench_set_limits(bench_context *context, double memory, double arithmetic) {
    if (context->row_count == 0) return;
    context->rows[context->row_count - 1].limit_memory = memory;
    context->rows[context->row_count - 1].limit_arithmetic = arithmetic;
}

double bench_row_limit(const bench_row *row) { return fmax(row->limit_memory, row->limit_arithmetic); }

void bench_check(bench_context *context, bool holds, const char *claim) {
    if (holds || context->failed_check[0] != '\0') return; // the first failure is the one to tell
    snprintf(context->failed_check, sizeof context->failed_check, "%s", claim);
}

void bench_progress(const bench_context *context, double fraction) {
    if (context->on_progress != NULL) context->on_progress(context->user, fraction);
}

double bench_clock(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

double bench_own_clock(void) {
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

double bench_time(cdg_result (*body)(void *user), void *user, double least_seconds, cdg_result *result) {
    const size_t count_max = (size_t)1 << 30; // a clock that stands still must not loop for ever
    for (size_t count = 1;;) {
        double start = bench_clock();
        for (size_t i = 0; i < count; i++) {
            *result = body(user);
            if (*result != CDG_OK) return 0;
        }
        double seconds = bench_clock() - start;
        if (seconds >= least_seconds || count >= count_max) return seconds / (double)count;
        // A fifth more than the last try says is needed, but neither creeping up nor trusting a tiny sample too far.
        double growth = seconds > 0 ? 1.2 * least_seconds / seconds : 10;
        growth = growth < 2 ? 2 : growth > 10 ? 10 : growth;
        count = (size_t)((double)count * growth);
    }
}

static int compare_doubles(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

void bench_finish_rows(bench_context *context) {
    for (size_t i = 0; i < context->row_count; i++) {
        bench_row *row = &context->rows[i];
        size_t count = row->sample_count;
        if (count == 0) continue;
        qsort(row->samples, count, sizeof *row->samples, compare_doubles);
        const double *samples = row->samples;
        row->least = samples[0];
        row->median = count % 2 ? samples[count / 2] : 0.5 * (samples[count / 2 - 1] + samples[count / 2]);
        row->spread = row->median > 0 ? (samples[count - 1] - row->least) / row->median : 0;
    }
}
