// What writing costs: hair of 40,000 strands with 2 steps a picture, run as `cordage run` does it, into the directory
// for temporary files ($TMPDIR, or /tmp). Every other step is written; what that takes beyond a step that is not is
// output: measuring fields and energies, the look of the energy guard, handing over, and in a thread of its own the
// kernel's part. As a share of all, by the processor time of the thread that steps, by that of all threads, and by the
// clock, which only means something where nothing else runs.
#define _POSIX_C_SOURCE 200809L
#include "bench/case_functions.h"

#include "base/error.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { STRANDS = 40000, ELEMENTS = 25, PICTURES = 10, STEPS = 2 * PICTURES };
static const double bar = 10; // %

static const char *const form =
    "cordage: 1\ncontact: off\n"
    "simulation: {step: 1 ms, duration: %d ms, pobd: {solver: %s}}\n"
    "output: {every: 2 ms, %s}\n"
    "materials: {keratin: {young_modulus: 4 GPa, poisson_ratio: 0.37, density: 1300 kg/m^3}}\n"
    "strands:\n"
    "  - {name: wig, material: keratin, section: {circle: {radius: 50 um}}, length: 25 cm, variation: 0.2,\n"
    "     roots: {cap: {center: [0, 0, 0], radius: 10 cm, angle: 60 deg}}, guides: %d, fibers: 0, elements: %d}\n"
    "loads: [{drag: 0.5 1/s}]\n";

static const struct {
    const char *name, *solver, *output;
    bool has_bar;
} kinds[] = {
    {"direct", "direct", "fields: all", true},
    {"gauss_seidel", "gauss_seidel", "fields: all", true},
    {"gauss_seidel, single", "gauss_seidel", "fields: all, precision: single", true},
    {"gauss_seidel, places, single", "gauss_seidel", "fields: [], precision: single", true},
};
enum { KINDS = sizeof kinds / sizeof *kinds };

typedef struct moment {
    double own, all, clock; // s
} moment;

typedef struct record {
    moment after[STEPS]; // each step and its output
    size_t count;
} record;

static double all_threads(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static bool note(void *user, const cdg_run_progress *progress) {
    record *r = user;
    (void)progress;
    if (r->count < STEPS) r->after[r->count++] = (moment){bench_own_clock(), all_threads(), bench_clock()};
    return true;
}

static int compare(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

// The median time of steps that are written, or of those that are not; the first picture, for which memory is new, is
// left out.
static double median(const record *r, bool is_written, bool by_clock) {
    double times[STEPS];
    size_t count = 0;
    for (size_t i = 2; i < r->count; i++) {
        const moment *from = &r->after[i - 1], *to = &r->after[i];
        if ((i % 2 == 1) == is_written) times[count++] = by_clock ? to->clock - from->clock : to->own - from->own;
    }
    qsort(times, count, sizeof *times, compare);
    return count > 0 ? times[count / 2] : 0;
}

static double share(double output, double all) { return 100 * output / all; }

static double share_of_one(const record *r, bool by_clock) {
    double written = median(r, true, by_clock), other = median(r, false, by_clock);
    return share(written - other, written + other);
}

// The steps themselves run on one thread: all else is output.
static double share_of_all(const record *r) {
    if (r->count < STEPS) return NAN;
    double each = (r->after[STEPS - 1].all - r->after[1].all) / (PICTURES - 1);
    return share(each - 2 * median(r, false, false), each);
}

static void remove_run(const char *directory) {
    static const char *const names[] = {"run.h5", "probes.csv", "summary.json"};
    char path[512];
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        snprintf(path, sizeof path, "%s/%s", directory, names[i]);
        unlink(path);
    }
    rmdir(directory);
}

static cdg_result run(int kind, record *out, cdg_error *error) {
    char text[1024], directory[256];
    const char *temporary = getenv("TMPDIR");
    cdg_scene *scene = NULL;
    out->count = 0;
    snprintf(text, sizeof text, form, STEPS, kinds[kind].solver, kinds[kind].output, STRANDS, ELEMENTS);
    snprintf(directory, sizeof directory, "%s/cordage-bench-XXXXXX", temporary != NULL ? temporary : "/tmp");
    if (mkdtemp(directory) == NULL)
        return cdg_fail(error, CDG_ERROR_IO, "%s: cannot make this directory: %s", directory, strerror(errno));
    cdg_result result = cdg_scene_parse(text, strlen(text), "hair", NULL, NULL, 0, &scene, error);
    cdg_run_def def = cdg_run_def_default();
    def.scene = scene, def.directory = directory, def.thread_count = 1, def.on_progress = note, def.user = out;
    if (result == CDG_OK) result = cdg_run(&def, NULL, error);
    cdg_scene_destroy(scene);
    remove_run(directory);
    return result;
}

cdg_result bench_output(bench_context *context, cdg_error *error) {
    enum { WAYS = 3 };
    static const char *const ways[WAYS] = {"the thread that steps", "all threads", "the clock"};
    size_t repeat = (size_t)context->repeat;
    double(*shares)[WAYS] = calloc(repeat, sizeof *shares);
    record *r = malloc(sizeof *r);
    cdg_result result = CDG_OK;
    if (shares == NULL || r == NULL) {
        free(shares);
        free(r);
        return cdg_fail(error, CDG_ERROR_MEMORY, "out of memory");
    }
    for (int kind = 0; kind < KINDS && result == CDG_OK; kind++) {
        for (size_t i = 0; i < repeat && result == CDG_OK; i++) {
            result = run(kind, r, error);
            if (result != CDG_OK) break;
            shares[i][0] = share_of_one(r, false), shares[i][1] = share_of_all(r), shares[i][2] = share_of_one(r, true);
            bench_check(context, r->count == STEPS, "every step is taken");
            bench_progress(context, ((double)kind + (double)(i + 1) / (double)repeat) / KINDS);
        }
        for (int way = 0; way < WAYS && result == CDG_OK; way++) {
            char label[BENCH_TEXT_SIZE];
            snprintf(label, sizeof label, "%s: by %s", kinds[kind].name, ways[way]);
            bench_add_row(context, label, "%", kinds[kind].has_bar ? bar : 0);
            for (size_t i = 0; i < repeat; i++) bench_add_sample(context, shares[i][way]);
        }
    }
    free(shares);
    free(r);
    return result;
}
