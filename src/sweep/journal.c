// The journal of a sweep: a heading that names the sweep, then outcomes (outcome.h).
#define _POSIX_C_SOURCE 200809L
#include "sweep/journal.h"

#include "base/error.h"
#include "output/disk.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { HEADING_SIZE = 128 };
static const double sync_seconds = 1;

struct cdg_journal {
    char *path;
    int descriptor;
    uint64_t size; // bytes that count
    double synced; // s, cdg_disk_clock
};

static size_t make_heading(const cdg_journal_def *def, char out[HEADING_SIZE]) {
    int length = snprintf(out, HEADING_SIZE, "cordage sweep journal 1, sweep %016" PRIx64 ", %zu cases, %zu columns\n",
                          def->fingerprint, def->case_count, def->column_count);
    return (size_t)length;
}

static cdg_result make(const cdg_journal_def *def, int flags, cdg_journal **out, cdg_error *error) {
    cdg_journal *journal = calloc(1, sizeof *journal);
    size_t length = strlen(def->path) + 1;
    *out = journal;
    if (journal != NULL) journal->descriptor = -1;
    if (journal == NULL || (journal->path = malloc(length)) == NULL)
        return cdg_fail(error, CDG_ERROR_MEMORY, "%s: out of memory", def->path);
    memcpy(journal->path, def->path, length);
    journal->descriptor = open(def->path, flags | O_CLOEXEC, 0666);
    if (journal->descriptor < 0)
        return cdg_fail(error, CDG_ERROR_IO, "%s: cannot open for writing: %s", def->path, strerror(errno));
    journal->synced = cdg_disk_clock();
    return CDG_OK;
}

static void drop(cdg_journal **journal) {
    if (*journal == NULL) return;
    if ((*journal)->descriptor >= 0) close((*journal)->descriptor);
    free((*journal)->path);
    free(*journal);
    *journal = NULL;
}

cdg_result cdg_journal_create(const cdg_journal_def *def, cdg_journal **out, cdg_error *error) {
    char heading[HEADING_SIZE];
    cdg_result result = make(def, O_WRONLY | O_CREAT | O_TRUNC, out, error);
    if (result == CDG_OK) result = cdg_journal_append(*out, heading, make_heading(def, heading), error);
    if (result == CDG_OK) result = cdg_disk_sync((*out)->descriptor, def->path, error);
    if (result != CDG_OK) drop(out);
    return result;
}

// ---- reading --------------------------------------------------------------------------------------------------------

// Fills the outcomes; *end is where the last whole line ends.
static cdg_result read_lines(const cdg_journal_def *def, const char *text, size_t size, cdg_outcome *outcomes,
                             size_t *damaged, size_t *end, cdg_error *error) {
    for (const char *newline; (newline = memchr(text + *end, '\n', size - *end)) != NULL;) {
        cdg_outcome outcome;
        size_t length = (size_t)(newline - text) - *end;
        cdg_outcome_state state = cdg_outcome_read(text + *end, length, def->column_count, &outcome);
        *end += length + 1;
        if (state == CDG_OUTCOME_NO_MEMORY) return cdg_fail(error, CDG_ERROR_MEMORY, "%s: out of memory", def->path);
        if (state == CDG_OUTCOME_READ && outcome.index < def->case_count) {
            cdg_outcome_free(&outcomes[outcome.index]);
            outcomes[outcome.index] = outcome;
            continue;
        }
        if (state == CDG_OUTCOME_READ) cdg_outcome_free(&outcome);
        ++*damaged;
    }
    return CDG_OK;
}

static cdg_result check_heading(const cdg_journal_def *def, const char *text, size_t size, size_t *end,
                                cdg_error *error) {
    char heading[HEADING_SIZE];
    *end = make_heading(def, heading);
    if (size >= *end && memcmp(text, heading, *end) == 0) return CDG_OK;
    const char *reason = size < 24 || memcmp(text, heading, 24) != 0
                             ? "this is not the journal of a sweep"
                             : "the cases that it holds belong to another sweep: the scene, what varies, the probes, "
                               "samples or seed, or Cordage's methods have changed since";
    return cdg_fail(error, CDG_ERROR_FORMAT, "%s: %s; choose another directory (--output), or begin anew (--force)",
                    def->path, reason);
}

cdg_result cdg_journal_open(const cdg_journal_def *def, cdg_outcome *outcomes, size_t *damaged, cdg_journal **out,
                            cdg_error *error) {
    char *text = NULL;
    size_t size = 0, end = 0;
    *damaged = 0;
    *out = NULL;
    cdg_result result = cdg_disk_read_file(def->path, SIZE_MAX / 2, &text, &size, error);
    if (result == CDG_OK) result = check_heading(def, text, size, &end, error);
    if (result == CDG_OK) result = read_lines(def, text, size, outcomes, damaged, &end, error);
    free(text);
    if (result == CDG_OK) result = make(def, O_WRONLY, out, error);
    if (result == CDG_OK && ftruncate((*out)->descriptor, (off_t)end) != 0) // half a line, cut off by a death
        result = cdg_fail(error, CDG_ERROR_IO, "%s: cannot be shortened: %s", def->path, strerror(errno));
    if (result == CDG_OK) {
        (*out)->size = end;
    } else {
        drop(out);
    }
    return result;
}

// ---- writing --------------------------------------------------------------------------------------------------------

cdg_result cdg_journal_append(cdg_journal *journal, const char *line, size_t size, cdg_error *error) {
    cdg_result result = cdg_disk_write_at(journal->descriptor, journal->path, line, size, journal->size, error);
    if (result != CDG_OK) return result;
    journal->size += size;
    double now = cdg_disk_clock();
    if (now - journal->synced < sync_seconds) return CDG_OK;
    journal->synced = now;
    return cdg_disk_sync(journal->descriptor, journal->path, error);
}

cdg_result cdg_journal_close(cdg_journal *journal, cdg_error *error) {
    if (journal == NULL) return CDG_OK;
    cdg_result result = cdg_disk_sync(journal->descriptor, journal->path, error);
    drop(&journal);
    return result;
}
