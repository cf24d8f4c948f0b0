// Benchmarks: workloads whose speed or memory is measured. One table; each workload fills rows of samples.
//
// A workload is one function, in a file bench/bench_NAME.c. It never fails on time; it may fail on a wrong result
// (bench_check), for a fast wrong answer is worth nothing.
#ifndef BENCH_CASES_H
#define BENCH_CASES_H

#include <cordage/cordage.h>

enum { BENCH_TEXT_SIZE = 96 };

typedef struct bench_row {
    char label[BENCH_TEXT_SIZE]; // "" when the workload has one row only
    char unit[24];
    double bar; // at most this is wanted; 0: no bar
    // what plain loops take, in the row's unit; 0: not known
    double limit_memory;     // over the same data (plain_loop.h)
    double limit_arithmetic; // with as many operations (plain_arithmetic.h)
    double *samples;
    size_t sample_count, sample_capacity;
    // set by bench_finish_rows
    double median, least, spread; // spread: (largest - least)/median
} bench_row;

typedef struct bench_context {
    int repeat; // samples wanted of each figure
    void (*on_progress)(void *user, double fraction);
    void *user;
    bench_row *rows;
    size_t row_count, row_capacity;
    char failed_check[BENCH_TEXT_SIZE]; // "": all checks held
    bool out_of_memory;
} bench_context;

typedef struct bench_case {
    const char *name; // letters, digits, '_'
    const char *what; // one sentence
    cdg_result (*run)(bench_context *context, cdg_error *error);
} bench_case;

extern const bench_case bench_cases[];
extern const size_t bench_case_count;

// ---- for workloads (bench.c) ----------------------------------------------------------------------------------------

// Starts a row; samples go to the last row started.
void bench_add_row(bench_context *context, const char *label, const char *unit, double bar);
void bench_add_sample(bench_context *context, double value);
void bench_set_limits(bench_context *context, double memory, double arithmetic); // of the last row started
void bench_check(bench_context *context, bool holds, const char *claim);
void bench_progress(const bench_context *context, double fraction);
double bench_clock(void);     // s, never jumps
double bench_own_clock(void); // s that the processor spent on this thread: what others do on the machine does not count

// Seconds a call of `body` takes: calls it often enough that they last `least_seconds` together, and divides.
double bench_time(cdg_result (*body)(void *user), void *user, double least_seconds, cdg_result *result);

// ---- for the command and tests --------------------------------------------------------------------------------------

bench_context bench_context_default(void);
void bench_context_free(bench_context *context);
void bench_finish_rows(bench_context *context); // median, least, spread
double bench_row_limit(const bench_row *row);   // the larger of its limits; 0: none is known

#endif
