// Ranks that share a sweep. Messages are text: "want COUNT FINGERPRINT\n" with lines of outcomes behind it, answered by
// "do JOB JOB ...\n" or "end\n" unless the count is 0; and "gone\n" or "lost\n", the last of a rank.
#define _DEFAULT_SOURCE
#include "sweep/ranks.h"

#include "base/error.h"
#include "base/growing_text.h"

#include <dlfcn.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { PATH_SIZE = 4096, JOBS_MAX = 256 };
// A message should carry work for this long: less, and waiting for messages counts; more, and the last rank is late.
static const double message_seconds = 0.02;

bool cdg_ranks_are_launched(void) {
    static const char *const names[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "PMIX_RANK", "MPI_LOCALNRANKS"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (getenv(names[i]) != NULL) return true;
    return false;
}

// ---- the shared object ----------------------------------------------------------------------------------------------

static void *open_beside(const char *relative) {
    char path[PATH_SIZE], whole[PATH_SIZE + 64];
    ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
    if (length <= 0) return NULL;
    path[length] = '\0';
    char *slash = strrchr(path, '/');
    if (slash == NULL) return NULL;
    *slash = '\0';
    snprintf(whole, sizeof whole, "%s/%s", path, relative);
    return dlopen(whole, RTLD_NOW | RTLD_GLOBAL);
}

static void *open_library(void) {
    const char *given = getenv("CORDAGE_MPI");
    if (given != NULL) return dlopen(given, RTLD_NOW | RTLD_GLOBAL);
    static const char *const paths[] = {"cordage_mpi.so", CDG_MPI_INSTALLED};
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        void *library = open_beside(paths[i]);
        if (library != NULL) return library;
    }
    return dlopen("cordage_mpi.so", RTLD_NOW | RTLD_GLOBAL);
}

cdg_result cdg_ranks_begin(cdg_ranks *out, cdg_error *error) {
    *out = (cdg_ranks){.size = 1};
    out->library = open_library();
    if (out->library == NULL)
        return cdg_fail(error, CDG_ERROR_IO,
                        "MPI is not there: %s; build Cordage where MPI is installed (Debian: libopenmpi-dev), or name "
                        "cordage_mpi.so in CORDAGE_MPI",
                        dlerror());
    out->door = dlsym(out->library, CDG_MPI_DOOR_SYMBOL);
    if (out->door == NULL || out->door->version != CDG_MPI_DOOR_VERSION)
        return cdg_fail(error, CDG_ERROR_FORMAT, "cordage_mpi.so belongs to another version of Cordage; build it anew");
    if (!out->door->begin(&out->rank, &out->size)) {
        out->door = NULL;
        return cdg_fail(error, CDG_ERROR_IO, "MPI does not begin; see what its launcher says");
    }
    return CDG_OK;
}

void cdg_ranks_end(cdg_ranks *ranks) {
    // The object stays: MPI leaves threads and handlers behind. Its end waits for every rank, and some may be dead.
    if (ranks->door != NULL && !ranks->are_missing) ranks->door->end();
    *ranks = (cdg_ranks){0};
}

// ---- rank 0 ---------------------------------------------------------------------------------------------------------

bool cdg_ranks_have_ended(const cdg_ranks *ranks) { return ranks->ended == ranks->size - 1; }

// Hands the lines of a message on, and learns from them how long cases take.
static void take_lines(cdg_ranks *ranks, const char *text, size_t size, cdg_hand_out *hand_out) {
    while (size > 0) {
        const char *newline = memchr(text, '\n', size);
        size_t length = newline != NULL ? (size_t)(newline - text) + 1 : size;
        char *line = malloc(length + 1);
        if (line != NULL) memcpy(line, text, length), line[length] = '\0';
        double seconds = 0;
        if (line != NULL && sscanf(line, "%*d\t%*[a-z]\t%lf", &seconds) == 1)
            ranks->case_seconds += 0.1 * (seconds - ranks->case_seconds);
        cdg_hand_out_give(hand_out, line, length);
        text += length;
        size -= length;
    }
}

// How many jobs the next message should carry: enough for a while, and few enough that others have some at the end.
static size_t fair_share(const cdg_ranks *ranks, size_t wanted, size_t left) {
    double enough = ranks->case_seconds > 0 ? message_seconds / ranks->case_seconds : 1;
    double most = fmax(1, (double)left / (4.0 * ranks->size));
    double share = (double)wanted * fmax(1, fmin(enough, most));
    return (size_t)fmin(share, JOBS_MAX);
}

static bool answer(cdg_ranks *ranks, int to, size_t wanted, cdg_hand_out *hand_out) {
    char text[JOBS_MAX * 21 + 8];
    size_t used = (size_t)snprintf(text, sizeof text, "do"), job, count = 0;
    size_t share = fair_share(ranks, wanted, cdg_hand_out_left(hand_out));
    for (; count < share && cdg_hand_out_take(hand_out, &job); count++)
        used += (size_t)snprintf(text + used, sizeof text - used, " %zu", job);
    if (count == 0) {
        used = (size_t)snprintf(text, sizeof text, "end");
    }
    text[used++] = '\n';
    return ranks->door->send(to, text, used);
}

bool cdg_ranks_attend(cdg_ranks *ranks, uint64_t fingerprint, cdg_hand_out *hand_out, cdg_result *result,
                      cdg_error *error) {
    int from = 0;
    char *text = NULL;
    size_t size = 0, wanted = 0;
    uint64_t theirs = 0;
    *result = CDG_OK;
    if (!ranks->door->receive(&from, &text, &size)) return false;
    if (strncmp(text, "gone", 4) == 0 || strncmp(text, "lost", 4) == 0) {
        ranks->ended++;
        ranks->lost += text[0] == 'l';
        free(text);
        return true;
    }
    bool is_known = sscanf(text, "want %zu %" SCNx64, &wanted, &theirs) == 2;
    const char *lines = memchr(text, '\n', size);
    if (!is_known || lines == NULL || theirs != fingerprint) {
        *result =
            cdg_fail(error, CDG_ERROR_FORMAT,
                     "rank %d has another sweep than rank 0: let all ranks see the same files and command line", from);
        cdg_hand_out_stop(hand_out);
    } else {
        lines++;
        take_lines(ranks, lines, size - (size_t)(lines - text), hand_out);
    }
    if ((wanted > 0 || !is_known) && !answer(ranks, from, wanted, hand_out) && *result == CDG_OK)
        *result = cdg_fail(error, CDG_ERROR_IO, "rank %d does not answer any more", from);
    free(text);
    return true;
}

// ---- other ranks ----------------------------------------------------------------------------------------------------

// Waiting without burning the processor, which others may want.
static void wait_a_little(double *seconds) {
    struct timespec pause = {.tv_nsec = (long)(1e9 * *seconds)};
    nanosleep(&pause, NULL);
    *seconds = fmin(1.5 * *seconds, 1e-3);
}

static size_t *read_jobs(const char *text, size_t *count) {
    size_t *jobs = malloc(JOBS_MAX * sizeof *jobs);
    *count = 0;
    for (char *next; jobs != NULL && *count < JOBS_MAX; text = next) {
        size_t job = (size_t)strtoull(text, &next, 10);
        if (next == text) break;
        jobs[(*count)++] = job;
    }
    return jobs;
}

bool cdg_ranks_want(cdg_ranks *ranks, uint64_t fingerprint, size_t count, const char *lines, size_t size) {
    char heading[64], *text = NULL;
    size_t used = 0, capacity = 0;
    int length = snprintf(heading, sizeof heading, "want %zu %016" PRIx64 "\n", count, fingerprint);
    bool is_sent = cdg_text_append(&text, &used, &capacity, heading, (size_t)length) &&
                   (size == 0 || cdg_text_append(&text, &used, &capacity, lines, size)) &&
                   ranks->door->send(0, text, used);
    free(text);
    return is_sent;
}

bool cdg_ranks_leave(cdg_ranks *ranks, bool has_begun) {
    return ranks->door->send(0, has_begun ? "gone\n" : "lost\n", 5);
}

cdg_ranks_answer cdg_ranks_hear(cdg_ranks *ranks, size_t **jobs, size_t *job_count) {
    char *reply = NULL;
    size_t size;
    int from;
    *jobs = NULL;
    *job_count = 0;
    if (!ranks->door->receive(&from, &reply, &size)) return CDG_RANKS_NOTHING_YET;
    if (strncmp(reply, "do ", 3) == 0) *jobs = read_jobs(reply + 3, job_count);
    free(reply);
    return *job_count > 0 ? CDG_RANKS_JOBS : CDG_RANKS_END;
}

cdg_ranks_answer cdg_ranks_wait(cdg_ranks *ranks, size_t **jobs, size_t *job_count) {
    double pause = 2e-5;
    for (;;) {
        cdg_ranks_answer answer = cdg_ranks_hear(ranks, jobs, job_count);
        if (answer != CDG_RANKS_NOTHING_YET) return answer;
        wait_a_little(&pause);
    }
}
