// Running a sweep: who does the cases, and what becomes of the lines that come back.
#define _POSIX_C_SOURCE 200809L
#include "sweep/sweep_run.h"

#include "base/error.h"
#include "base/growing_text.h"
#include "base/parallel.h"
#include "output/disk.h"
#include "sweep/case_time.h"
#include "sweep/child.h"
#include "sweep/journal.h"

#include <inttypes.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct sweep_runner {
    const cdg_sweep_run_def *def;
    const cdg_sweep *sweep;
    cdg_hand_out hand_out;
    cdg_child *children; // one a worker; NULL: threads
    int worker_count;
    cdg_outcome *outcomes;
    cdg_sweep_progress *progress;
    cdg_journal *journal;
    double began;
    double pause;      // s, between two looks for messages
    double stopped_at; // when the sweep was asked to stop; 0: it was not
} sweep_runner;

// Ranks that were asked to stop have this long to hand in what they finished. A launcher that ends a job asks its ranks
// first and kills them a little later: by then rank 0 must have said how things stand.
static const double patience_seconds = 0.4;

// ---- workers --------------------------------------------------------------------------------------------------------

static void give_line(void *target, char *line, size_t size) { cdg_hand_out_give(target, line, size); }

static bool work_in_thread(void *user, int worker, size_t job, cdg_hand_out *hand_out) {
    const sweep_runner *run = user;
    (void)worker;
    if (cdg_sweep_do_job(run->sweep, job, run->def->go_on, run->def->user, give_line, hand_out)) return true;
    cdg_hand_out_stop(hand_out);
    return false;
}

static bool start_child(const sweep_runner *run, cdg_child *child) {
    char expected[32];
    cdg_error error;
    const cdg_sweep_command *command = run->def->command;
    if (child->process > 0) return true;
    if (cdg_child_start(command->path, command->arguments, command->environment, child, &error) != CDG_OK) return false;
    char *greeting = cdg_child_answer(child, NULL);
    snprintf(expected, sizeof expected, "sweep %016" PRIx64, run->sweep->fingerprint);
    bool is_same = greeting != NULL && strcmp(greeting, expected) == 0;
    free(greeting);
    return is_same;
}

typedef enum child_state { CHILD_DONE, CHILD_GONE, CHILD_STOPPED } child_state;

// Asks for a job or a case; its lines go to the hand-out. *given counts them.
static child_state ask_child(const sweep_runner *run, cdg_child *child, const char *what, size_t number,
                             cdg_hand_out *hand_out, size_t *given) {
    char question[64];
    snprintf(question, sizeof question, "%s %zu", what, number);
    *given = 0;
    if (!start_child(run, child)) return CHILD_STOPPED;
    if (!cdg_child_ask(child, question)) return CHILD_GONE;
    for (;;) {
        size_t length;
        char *line = cdg_child_answer(child, &length);
        if (line == NULL) return CHILD_GONE;
        bool is_end = strcmp(line, "end") == 0, is_stop = strcmp(line, "stopped") == 0;
        if (is_end || is_stop) {
            free(line);
            return is_end ? CHILD_DONE : CHILD_STOPPED;
        }
        line[length] = '\n'; // in place of its zero, which nobody needs
        cdg_hand_out_give(hand_out, line, length + 1);
        ++*given;
    }
}

// A child that is gone: its case has failed, unless somebody wanted the sweep to stop.
static bool bury_child(const sweep_runner *run, cdg_child *child, size_t index, cdg_hand_out *hand_out) {
    char how[128], sentence[256];
    int signal_number;
    size_t size;
    cdg_child_end(child, how, sizeof how, &signal_number);
    bool is_wanted = signal_number == SIGINT || signal_number == SIGTERM || signal_number == SIGHUP;
    if (is_wanted || cdg_hand_out_is_stopped(hand_out)) return false;
    snprintf(sentence, sizeof sentence, "the case's process %s", how[0] != '\0' ? how : "ended without a result");
    cdg_outcome outcome = {.index = index, .has_failed = true, .sentence = sentence};
    char *line = cdg_outcome_write(&outcome, run->sweep->readout.column_count, &size);
    cdg_hand_out_give(hand_out, line, size);
    return true;
}

// After a death the cases of the job that are missing are done one by one, so that one of them is to blame.
static bool do_one_by_one(const sweep_runner *run, cdg_child *child, size_t job, size_t given, cdg_hand_out *hand_out) {
    size_t first, count = cdg_sweep_cases_of(run->sweep, job, &first), one;
    for (size_t i = given; i < count; i++) {
        child_state state = ask_child(run, child, "case", first + i, hand_out, &one);
        if (state == CHILD_STOPPED) return false;
        if (state == CHILD_GONE && !bury_child(run, child, first + i, hand_out)) return false;
    }
    return true;
}

static bool work_in_process(void *user, int worker, size_t job, cdg_hand_out *hand_out) {
    sweep_runner *run = user;
    cdg_child *child = &run->children[worker];
    size_t given, first, count = cdg_sweep_cases_of(run->sweep, job, &first);
    child_state state = ask_child(run, child, "job", job, hand_out, &given);
    bool goes_on = state == CHILD_DONE;
    if (state == CHILD_GONE && count == 1) goes_on = bury_child(run, child, first, hand_out);
    if (state == CHILD_GONE && count > 1) {
        char how[128];
        int signal_number;
        cdg_child_end(child, how, sizeof how, &signal_number);
        goes_on = do_one_by_one(run, child, job, given, hand_out);
    }
    if (!goes_on) cdg_hand_out_stop(hand_out);
    return goes_on;
}

static void end_children(sweep_runner *run) {
    char how[128];
    int signal_number;
    for (int i = 0; run->children != NULL && i < run->worker_count; i++)
        if (run->children[i].process > 0) cdg_child_end(&run->children[i], how, sizeof how, &signal_number);
    free(run->children);
    run->children = NULL;
}

static void say_line(void *target, char *line, size_t size) {
    cdg_child *self = target;
    cdg_child_say(self, line, size);
    free(line);
}

void cdg_sweep_serve(const cdg_sweep *sweep, cdg_sweep_go_on *go_on, void *user) {
    cdg_child self = {.socket = CDG_CHILD_SOCKET};
    char greeting[32], *question;
    int length = snprintf(greeting, sizeof greeting, "sweep %016" PRIx64 "\n", sweep->fingerprint);
    cdg_child_say(&self, greeting, (size_t)length);
    while ((question = cdg_child_hear(&self)) != NULL) {
        size_t number = 0, size;
        bool is_done = false;
        if (sscanf(question, "job %zu", &number) == 1 && number < sweep->job_count) {
            is_done = cdg_sweep_do_job(sweep, number, go_on, user, say_line, &self);
        } else if (sscanf(question, "case %zu", &number) == 1 && number < sweep->design.case_count) {
            char *line = cdg_sweep_do_case(sweep, number, go_on, user, &size);
            is_done = line != NULL;
            if (is_done) say_line(&self, line, size);
        }
        free(question);
        cdg_child_say(&self, is_done ? "end\n" : "stopped\n", is_done ? 4 : 8);
        if (!is_done) break;
    }
    free(self.buffer);
}

// ---- lines that come back -------------------------------------------------------------------------------------------

static cdg_result keep_line(sweep_runner *run, const cdg_line *line, cdg_error *error) {
    cdg_outcome outcome;
    cdg_outcome_state state = cdg_outcome_read(line->text, line->size - 1, run->sweep->readout.column_count, &outcome);
    if (state == CDG_OUTCOME_NO_MEMORY) return cdg_fail(error, CDG_ERROR_MEMORY, "out of memory");
    if (state == CDG_OUTCOME_DAMAGED || outcome.index >= run->sweep->design.case_count) {
        if (state == CDG_OUTCOME_READ) cdg_outcome_free(&outcome);
        return cdg_fail(error, CDG_ERROR_FORMAT, "a worker answered with a line that cannot be read");
    }
    cdg_outcome *slot = &run->outcomes[outcome.index];
    if (slot->is_known) { // of a job that was done in part before
        cdg_outcome_free(&outcome);
        return CDG_OK;
    }
    *slot = outcome;
    run->progress->done++;
    run->progress->failed += outcome.has_failed;
    run->progress->doubtful += outcome.is_doubtful;
    return cdg_journal_append(run->journal, line->text, line->size, error);
}

static cdg_result collect(sweep_runner *run, double seconds, cdg_error *error) {
    cdg_line *lines;
    cdg_result result = CDG_OK;
    size_t count = cdg_hand_out_collect(&run->hand_out, seconds, &lines);
    for (size_t i = 0; i < count; i++) {
        if (result == CDG_OK) result = keep_line(run, &lines[i], error);
        free(lines[i].text);
    }
    free(lines);
    if (result == CDG_OK && cdg_hand_out_has_lost(&run->hand_out))
        result = cdg_fail(error, CDG_ERROR_MEMORY, "out of memory");
    return result;
}

static bool report(sweep_runner *run) {
    run->progress->elapsed = cdg_disk_clock() - run->began;
    return run->def->on_progress == NULL || run->def->on_progress(run->def->user, run->progress);
}

// ---- the loop -------------------------------------------------------------------------------------------------------

static cdg_result start_crew(sweep_runner *run, cdg_crew **crew, cdg_error *error) {
    const cdg_sweep_run_def *def = run->def;
    bool has_processes = def->process_count > 0;
    int wanted = has_processes ? def->process_count : def->thread_count;
    if (wanted <= 0) wanted = def->ranks != NULL ? 1 : cdg_parallel_default_threads();
    if (has_processes && run->children == NULL) {
        run->worker_count = wanted;
        run->children = calloc((size_t)wanted + 1, sizeof *run->children);
        if (run->children == NULL) return cdg_fail(error, CDG_ERROR_MEMORY, "out of memory");
        for (int i = 0; i < wanted; i++) run->children[i].socket = -1;
    }
    if ((size_t)wanted > run->hand_out.job_count) wanted = (int)run->hand_out.job_count;
    return cdg_crew_start(&run->hand_out, wanted, has_processes ? work_in_process : work_in_thread, run, crew, error);
}

// Messages until there are none; how long to wait for workers here afterwards.
static double attend_ranks(sweep_runner *run, cdg_result *result, cdg_error *error) {
    bool was_busy = false;
    if (run->def->ranks == NULL || cdg_ranks_have_ended(run->def->ranks)) return 0.05;
    while (*result == CDG_OK &&
           cdg_ranks_attend(run->def->ranks, run->sweep->fingerprint, &run->hand_out, result, error))
        was_busy = true;
    // Looking takes processor time from cases. Ranks have asked ahead, so that they do not wait for this.
    run->pause = was_busy ? 2e-4 : fmin(1.5 * run->pause, 5e-3);
    return run->pause;
}

static bool is_over(sweep_runner *run, cdg_crew *crew) {
    cdg_ranks *ranks = run->def->ranks;
    if (cdg_crew_is_busy(crew)) return false;
    if (ranks == NULL || cdg_ranks_have_ended(ranks)) return true;
    bool is_late = run->stopped_at > 0 && cdg_disk_clock() - run->stopped_at > patience_seconds;
    if (is_late) ranks->are_missing = true;
    return is_late;
}

static cdg_result lead(sweep_runner *run, cdg_error *error) {
    cdg_crew *crew = NULL;
    cdg_error later;
    cdg_result result = start_crew(run, &crew, error);
    if (result != CDG_OK) cdg_hand_out_stop(&run->hand_out);
    for (bool is_last = false; crew != NULL && !is_last;) {
        cdg_result attended = CDG_OK;
        double wait = attend_ranks(run, &attended, result == CDG_OK ? error : &later);
        if (result == CDG_OK) result = attended;
        is_last = is_over(run, crew); // asked before the last lines are collected
        cdg_result collected = collect(run, is_last ? 0 : wait, result == CDG_OK ? error : &later);
        if (result == CDG_OK) result = collected;
        bool goes_on = report(run);
        if (!goes_on || result != CDG_OK) cdg_hand_out_stop(&run->hand_out);
        if (!goes_on && run->stopped_at == 0) run->stopped_at = cdg_disk_clock();
    }
    cdg_crew_join(crew);
    end_children(run);
    return result;
}

// ---- other ranks ----------------------------------------------------------------------------------------------------

typedef struct follower {
    sweep_runner *run;
    size_t workers;
    // What was asked for ahead, while the last jobs are being done.
    bool has_asked;
    cdg_ranks_answer answer;
    size_t *jobs, job_count;
} follower;

// Lines that came back go to rank 0 at once: what has ended must not be lost with this rank.
static bool hand_in(follower *f, double seconds) {
    cdg_line *lines;
    char *text = NULL;
    size_t size = 0, capacity = 0, count = cdg_hand_out_collect(&f->run->hand_out, seconds, &lines);
    bool is_good = true;
    for (size_t i = 0; i < count; i++) {
        is_good = is_good && cdg_text_append(&text, &size, &capacity, lines[i].text, lines[i].size);
        free(lines[i].text);
    }
    free(lines);
    if (is_good && size > 0) is_good = cdg_ranks_want(f->run->def->ranks, f->run->sweep->fingerprint, 0, text, size);
    free(text);
    return is_good;
}

static bool ask_ahead(follower *f) {
    if (!f->has_asked) {
        f->has_asked = true;
        f->answer = CDG_RANKS_NOTHING_YET;
        return cdg_ranks_want(f->run->def->ranks, f->run->sweep->fingerprint, f->workers, NULL, 0);
    }
    if (f->answer == CDG_RANKS_NOTHING_YET) f->answer = cdg_ranks_hear(f->run->def->ranks, &f->jobs, &f->job_count);
    return true;
}

// The jobs of one message, by as many workers as this rank has. More are asked for when half of them are begun, and
// when there is but one at once: rank 0 looks for messages now and then, and the last of many short cases is over
// before it does.
static bool do_message(follower *f, const size_t *jobs, size_t count) {
    cdg_crew *crew = NULL;
    cdg_error error;
    sweep_runner *run = f->run;
    cdg_hand_out_begin(&run->hand_out, jobs, count);
    bool is_good = start_crew(run, &crew, &error) == CDG_OK;
    while (is_good && cdg_crew_is_busy(crew)) {
        bool is_half_begun = 2 * cdg_hand_out_left(&run->hand_out) <= count + 1;
        if (is_half_begun && !cdg_hand_out_is_stopped(&run->hand_out)) is_good = ask_ahead(f);
        bool is_waiting = f->has_asked && f->answer == CDG_RANKS_NOTHING_YET;
        is_good = hand_in(f, is_waiting ? 3e-3 : 0.05) && is_good;
    }
    if (!is_good) cdg_hand_out_stop(&run->hand_out);
    cdg_crew_join(crew);
    is_good = hand_in(f, 0) && is_good && !run->hand_out.is_stopped && !run->hand_out.has_no_memory;
    cdg_hand_out_end(&run->hand_out);
    return is_good;
}

// The next jobs, asked for now or before.
static cdg_ranks_answer next_jobs(follower *f, size_t **jobs, size_t *count) {
    *jobs = NULL;
    if (!f->has_asked && !ask_ahead(f)) return CDG_RANKS_END;
    if (f->answer == CDG_RANKS_NOTHING_YET) f->answer = cdg_ranks_wait(f->run->def->ranks, &f->jobs, &f->job_count);
    *jobs = f->jobs;
    *count = f->job_count;
    f->jobs = NULL;
    f->has_asked = false;
    return f->answer;
}

static cdg_result follow(sweep_runner *run, cdg_error *error) {
    follower f = {.run = run, .workers = 1};
    size_t *jobs, count;
    bool is_good = true;
    if (run->def->thread_count > 1) f.workers = (size_t)run->def->thread_count;
    if (run->def->process_count > 0) f.workers = (size_t)run->def->process_count;
    while (next_jobs(&f, &jobs, &count) == CDG_RANKS_JOBS) {
        // After a stop the jobs that come are only taken, until rank 0 says that there are none.
        is_good = is_good && do_message(&f, jobs, count);
        free(jobs);
    }
    end_children(run);
    cdg_ranks_leave(run->def->ranks, true);
    return is_good ? CDG_OK : cdg_fail(error, CDG_ERROR_INTERRUPTED, "stopped on request");
}

// ---- beginning and end ----------------------------------------------------------------------------------------------

static cdg_result open_journal(sweep_runner *run, const char *path, cdg_error *error) {
    const cdg_sweep_run_def *def = run->def;
    size_t damaged = 0, known = 0, count = run->sweep->design.case_count;
    cdg_journal_def journal = {.path = path,
                               .fingerprint = run->sweep->fingerprint,
                               .case_count = count,
                               .column_count = run->sweep->readout.column_count};
    struct stat file; // an empty one is of a sweep that was killed before it began
    if (stat(path, &file) != 0 || file.st_size == 0 || def->force)
        return cdg_journal_create(&journal, &run->journal, error);
    if (!def->resume)
        return cdg_fail(error, CDG_ERROR_ARGUMENT,
                        "%s holds a sweep; go on with it (--resume), begin anew (--force), or choose another directory "
                        "(--output)",
                        def->directory);
    cdg_result result = cdg_journal_open(&journal, run->outcomes, &damaged, &run->journal, error);
    for (size_t i = 0; i < count && result == CDG_OK; i++) {
        double limit = run->outcomes[i].has_failed ? cdg_case_time_told(run->outcomes[i].sentence) : 0;
        bool has_more_time = run->sweep->case_time == 0 || run->sweep->case_time > limit;
        if (limit > 0 && has_more_time) {
            cdg_outcome_free(&run->outcomes[i]);
            run->outcomes[i] = (cdg_outcome){0};
        }
        known += run->outcomes[i].is_known;
        run->progress->failed += run->outcomes[i].has_failed;
        run->progress->doubtful += run->outcomes[i].is_doubtful;
    }
    run->progress->done = run->progress->done_before = known;
    if (result == CDG_OK && damaged > 0 && def->on_note != NULL) {
        char sentence[256];
        snprintf(sentence, sizeof sentence, "%zu %s damaged; %s done again", damaged,
                 damaged == 1 ? "line of the journal was" : "lines of the journal were",
                 damaged == 1 ? "its case is" : "their cases are");
        def->on_note(def->user, sentence);
    }
    return result;
}

// The jobs of which a case is missing.
static size_t *list_jobs(const sweep_runner *run, size_t *count) {
    size_t *jobs = malloc((run->sweep->job_count + 1) * sizeof *jobs);
    *count = 0;
    for (size_t job = 0; jobs != NULL && job < run->sweep->job_count; job++) {
        size_t first, cases = cdg_sweep_cases_of(run->sweep, job, &first), known = 0;
        for (size_t i = 0; i < cases; i++) known += run->outcomes[first + i].is_known;
        if (known < cases) jobs[(*count)++] = job;
    }
    return jobs;
}

static cdg_result run_leader(sweep_runner *run, cdg_error *error) {
    size_t count;
    size_t *jobs = list_jobs(run, &count);
    if (jobs == NULL) return cdg_fail(error, CDG_ERROR_MEMORY, "out of memory");
    cdg_hand_out_begin(&run->hand_out, jobs, count);
    cdg_result result = lead(run, error);
    cdg_hand_out_end(&run->hand_out);
    free(jobs);
    const cdg_sweep_progress *progress = run->progress;
    if (result == CDG_OK && progress->done < progress->case_count)
        return cdg_fail(error, CDG_ERROR_INTERRUPTED, "%s: stopped after %zu of %zu cases; --resume goes on",
                        run->def->directory, progress->done, progress->case_count);
    return result;
}

void cdg_sweep_dismiss(cdg_ranks *ranks) {
    cdg_hand_out nothing;
    cdg_result ignored;
    cdg_error error;
    cdg_hand_out_begin(&nothing, NULL, 0);
    while (!cdg_ranks_have_ended(ranks) && !ranks->are_missing) {
        cdg_line *lines;
        size_t count = cdg_hand_out_collect(&nothing, 1e-3, &lines);
        for (size_t i = 0; i < count; i++) free(lines[i].text);
        free(lines);
        cdg_ranks_attend(ranks, 0, &nothing, &ignored, &error);
    }
    cdg_hand_out_end(&nothing);
}

cdg_result cdg_sweep_run(const cdg_sweep_run_def *def, cdg_outcome *outcomes, cdg_sweep_progress *progress,
                         cdg_error *error) {
    int lock = -1;
    sweep_runner run = {.def = def,
                        .sweep = def->sweep,
                        .outcomes = outcomes,
                        .progress = progress,
                        .began = cdg_disk_clock(),
                        .pause = 2e-4};
    *progress = (cdg_sweep_progress){.case_count = def->sweep->design.case_count};
    if (def->ranks != NULL && def->ranks->rank > 0) return follow(&run, error);
    char *path = cdg_disk_join(def->directory, "journal.txt", "");
    cdg_result result = path != NULL ? CDG_OK : cdg_fail(error, CDG_ERROR_MEMORY, "out of memory");
    if (result == CDG_OK) result = cdg_disk_make_directory(def->directory, error);
    if (result == CDG_OK) result = cdg_disk_lock_directory(def->directory, &lock, error);
    if (result == CDG_OK) result = open_journal(&run, path, error);
    if (result == CDG_OK) {
        result = run_leader(&run, error);
        cdg_error later;
        cdg_result closed = cdg_journal_close(run.journal, result == CDG_OK ? error : &later);
        if (result == CDG_OK) result = closed;
    }
    if (def->ranks != NULL) cdg_sweep_dismiss(def->ranks);
    free(path);
    if (lock >= 0) close(lock);
    return result;
}
