// Running a scene: interrupted at every step, killed at any moment, without room, in foreign directories: what was
// computed is kept and a resumed run equals an uninterrupted one to the bit.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mount.h>
#include <sys/wait.h>

#include <cmocka.h>

#include "math/random.h"
#include "output/disk.h"
#include "rounds.h"
#include "run_scene.h"

typedef struct fixture {
    char base[RUN_PATH_SIZE], whole[RUN_PATH_SIZE]; // where the test runs; an undisturbed run of the same scene
    cdg_scene *scene;
    uint64_t stop; // step after which on_progress says no; 0: never
    uint64_t last_step;
    size_t calls;
    bool force;
    char note[CDG_MESSAGE_SIZE]; // the last
} fixture;

static void keep_note(void *user, const char *sentence) {
    fixture *f = user;
    snprintf(f->note, sizeof f->note, "%s", sentence);
}

static bool progress(void *user, const cdg_run_progress *now) {
    fixture *f = user;
    assert_int_equal(now->step, f->last_step + 1);
    assert_non_null(now->report);
    assert_true(now->time == now->report->time && now->time <= now->duration * (1 + 1e-12));
    assert_true(now->frame <= now->frame_count && now->step <= now->step_count && now->elapsed >= 0);
    f->last_step = now->step;
    f->calls++;
    return f->stop == 0 || now->step < f->stop;
}

static cdg_result run_in(fixture *f, const char *directory, bool resume, cdg_run_summary *summary, cdg_error *error) {
    cdg_run_def def = {.scene = f->scene,
                       .directory = directory,
                       .resume = resume,
                       .force = f->force,
                       .thread_count = 1,
                       .on_progress = progress,
                       .on_note = keep_note,
                       .user = f};
    f->calls = 0;
    f->note[0] = '\0';
    return cdg_run(&def, summary, error);
}

static void expect_run(fixture *f, const char *directory, bool resume, cdg_result expected) {
    cdg_run_summary summary;
    cdg_error error;
    if (run_in(f, directory, resume, &summary, &error) != expected) fail_msg("%d: %s", error.code, error.message);
}

static void set_scene(fixture *f, run_scene_options options) {
    cdg_scene_destroy(f->scene);
    f->scene = run_scene_make(options);
}

// The scene undisturbed, for comparison.
static void make_whole(fixture *f) {
    f->stop = f->last_step = 0;
    expect_run(f, f->whole, false, CDG_OK);
    f->last_step = 0;
}

static int set_up(void **state) {
    static fixture f;
    f = (fixture){0};
    run_directory_make(f.base);
    run_directory_make(f.whole);
    f.scene = run_scene_make((run_scene_options){0});
    *state = &f;
    return 0;
}

static const char *name_before(const fixture *f, char out[RUN_PATH_SIZE]) {
    snprintf(out, RUN_PATH_SIZE, "%.500s.before", f->base);
    return out;
}

static int tear_down(void **state) {
    fixture *f = *state;
    cdg_scene_destroy(f->scene);
    char before[RUN_PATH_SIZE];
    run_directory_remove(f->base);
    run_directory_remove(f->whole);
    run_directory_remove(name_before(f, before));
    return 0;
}

static size_t frames_in(const char *directory) {
    hid_t file = run_open(directory);
    size_t frames = run_frames(file);
    H5Fclose(file);
    return frames;
}

static void expect_in_file(const char *directory, const char *name, const char *part) {
    char *text = run_read_text(directory, name, NULL);
    if (strstr(text, part) == NULL) fail_msg("'%s' is missing in:\n%s", part, text);
    free(text);
}

static void expect_whole(fixture *f, size_t frames) {
    assert_int_equal(frames_in(f->base), frames);
    assert_same_outputs(f->base, f->whole, frames);
    assert_same_text(f->base, f->whole, "probes.csv");
    expect_in_file(f->base, "summary.json", "\"finished\": true");
    const char *const left_overs[] = {"run.h5.new", "probes.csv.new", "summary.json.new"};
    for (size_t i = 0; i < 3; i++) assert_false(run_path_exists(f->base, left_overs[i]));
}

static void test_whole_run(void **state) {
    fixture *f = *state;
    char deep[RUN_PATH_SIZE];
    snprintf(deep, sizeof deep, "%.500s/new/directory", f->base);
    cdg_run_summary summary;
    cdg_error error;
    if (run_in(f, deep, false, &summary, &error) != CDG_OK) fail_msg("%s", error.message);
    assert_int_equal(f->calls, 60);
    assert_true(summary.finished && !summary.resumed);
    assert_true(summary.step == 1e-3 && summary.step_count == 60 && summary.frame_count == 13);
    assert_true(fabs(summary.time - 0.06) < 1e-15 && summary.wall_seconds > 0);
    hid_t file = run_open(deep);
    size_t count;
    double *time = run_read(file, "/time", NULL, &count), *total = run_read(file, "/energy/total", NULL, &count);
    assert_int_equal(count, 13);
    for (size_t i = 0; i < count; i++) assert_true(fabs(time[i] - 0.005 * (double)i) < 1e-15);
    assert_true(total[0] == summary.energy_start && total[12] == summary.energy_end);
    free(time);
    free(total);
    H5Fclose(file);
    // without a callback, a summary or an error
    cdg_run_def def = {.scene = f->scene, .directory = f->base, .thread_count = 2};
    assert_int_equal(cdg_run(&def, NULL, NULL), CDG_OK);
    assert_same_outputs(f->base, deep, 13); // nor does the number of threads matter
    assert_int_equal(cdg_run(NULL, NULL, &error), CDG_ERROR_ARGUMENT);
    assert_int_equal(cdg_run(&(cdg_run_def){.scene = f->scene}, NULL, &error), CDG_ERROR_ARGUMENT);
}

static void test_interrupted_at_every_step(void **state) {
    fixture *f = *state;
    set_scene(f, (run_scene_options){.duration_ms = 35});
    make_whole(f);
    cdg_run_summary summary;
    cdg_error error;
    for (uint64_t stop = 1; stop < 35; stop++) {
        f->stop = stop;
        f->last_step = 0;
        assert_int_equal(run_in(f, f->base, false, &summary, &error), CDG_ERROR_INTERRUPTED);
        assert_int_equal(f->calls, stop);
        assert_false(summary.finished);
        assert_int_equal(summary.frame_count, stop / 5 + 1);
        assert_int_equal(frames_in(f->base), stop / 5 + 1);
        assert_same_outputs(f->base, f->whole, stop / 5 + 1);
        expect_in_file(f->base, "summary.json", "stopped on request");

        f->stop = stop + 7; // and once more on the way, at another distance from an output
        cdg_result second = run_in(f, f->base, true, &summary, &error);
        f->stop = 0;
        if (second == CDG_ERROR_INTERRUPTED) second = run_in(f, f->base, true, &summary, &error);
        if (second != CDG_OK) fail_msg("resuming after step %d: %s", (int)stop, error.message);
        assert_true(summary.resumed && summary.finished && summary.step_count == 35 && summary.frame_count == 8);
        expect_whole(f, 8);
    }
    // a no at the very last step comes too late
    f->stop = 35;
    f->last_step = 0;
    expect_run(f, f->base, false, CDG_OK);
}

static void test_finished_already(void **state) {
    fixture *f = *state;
    make_whole(f);
    expect_run(f, f->base, false, CDG_OK);
    size_t before_size, after_size;
    char *before = run_read_text(f->base, "run.h5", &before_size), *page = run_read_text(f->base, "summary.json", NULL);
    cdg_run_summary summary;
    cdg_error error;
    assert_int_equal(run_in(f, f->base, true, &summary, &error), CDG_OK);
    assert_non_null(strstr(error.message, "already finished"));
    assert_int_equal(f->calls, 0);
    assert_true(summary.finished && !summary.resumed && summary.frame_count == 13 && summary.step_count == 60);
    char *after = run_read_text(f->base, "run.h5", &after_size);
    assert_int_equal(before_size, after_size);
    assert_memory_equal(before, after, after_size);
    expect_in_file(f->base, "summary.json", page);
    expect_whole(f, 13);
    // killed just before its summary
    unlink(run_path(f->base, "summary.json"));
    assert_int_equal(run_in(f, f->base, true, &summary, &error), CDG_OK);
    expect_whole(f, 13);
    free(before);
    free(after);
    free(page);
}

// ---- killed ---------------------------------------------------------------------------------------------------------

static bool has_h5py(void) { return system("/usr/bin/python3 -c 'import h5py' 2>/dev/null") == 0; }

// What a Python user sees: the same number of outputs, and finite positions in all of them.
static void check_with_h5py(const char *directory, size_t frames) {
    char command[2 * RUN_PATH_SIZE];
    snprintf(command, sizeof command,
             "/usr/bin/python3 -c \"\nimport h5py, numpy as n\n"
             "f = h5py.File('%s/run.h5', 'r')\n"
             "t = f['time'][:]\n"
             "t = t[n.isfinite(t)]\n"
             "assert len(t) == %zu, len(t)\n"
             "x = f['rods/cable/positions'][:len(t)]\n"
             "assert n.isfinite(x).all() and x.shape[2] == 3\n"
             "q = f['rods/ring/frames'][:len(t)]\n"
             "assert abs(n.linalg.norm(q, axis=2) - 1).max(initial=0) < 1e-9\n"
             "assert f['rods/cable/positions'].attrs['units'] == b'm'\n"
             "assert b'name: cable' in f.attrs['scene']\n\"",
             directory, frames);
    assert_int_equal(system(command), 0);
}

// Starts the run in a child and kills it after the given time; true when it was still running.
static bool run_and_kill(fixture *f, bool resume, useconds_t delay) {
    pid_t child = fork();
    if (child == 0) {
        cdg_run_def def = {.scene = f->scene, .directory = f->base, .resume = resume, .thread_count = 1};
        _exit(cdg_run(&def, NULL, NULL) == CDG_OK ? 0 : 1);
    }
    assert_true(child > 0);
    usleep(delay);
    kill(child, SIGKILL);
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    if (WIFEXITED(status)) assert_int_equal(WEXITSTATUS(status), 0);
    return WIFSIGNALED(status);
}

static void test_killed_at_any_moment(void **state) {
    fixture *f = *state;
    // an output after every step: most of the time is spent in writing
    set_scene(f, (run_scene_options){.duration_ms = 200, .every_ms = 1});
    double before = cdg_disk_clock();
    make_whole(f);
    // only how many of the kills hit something depends on this
    double typical = cdg_disk_clock() - before;
    cdg_random random = {9};
    bool sees_h5py = has_h5py();
    size_t kills = 0, kept = 0;
    for (int trial = 0; trial < rounds(30); trial++) {
        bool was_killed = run_and_kill(f, false, (useconds_t)(1e6 * random_in(&random, 0, typical)));
        if (!run_path_exists(f->base, "run.h5")) continue; // not even begun
        for (int again = 0; was_killed && again < 3; again++) {
            kills++;
            size_t frames = frames_in(f->base);
            kept += frames;
            assert_same_outputs(f->base, f->whole, frames);
            if (sees_h5py && trial % 10 == 0 && again == 0) check_with_h5py(f->base, frames);
            was_killed = run_and_kill(f, true, (useconds_t)(1e6 * random_in(&random, 0, typical / 2)));
        }
        f->stop = 0;
        cdg_run_def def = {.scene = f->scene, .directory = f->base, .resume = true, .thread_count = 1};
        cdg_run_summary summary;
        cdg_error error;
        if (cdg_run(&def, &summary, &error) != CDG_OK) fail_msg("%s", error.message);
        assert_true(summary.finished);
        unlink(
            run_path(f->base, "run.h5.new")); // a kill while a file is made leaves it; the next run uses the name again
        unlink(run_path(f->base, "probes.csv.new"));
        unlink(run_path(f->base, "summary.json.new"));
        expect_whole(f, 201);
        run_directory_remove(f->base);
        assert_int_equal(mkdir(f->base, 0777), 0);
    }
    print_message("%zu kills, %zu outputs found whole\n", kills, kept);
}

static bool look_with_python(void *user, const cdg_run_progress *now) {
    fixture *f = user;
    if (now->step == 31) check_with_h5py(f->base, 7);
    return true;
}

static void test_python_reads_during_the_run(void **state) {
    fixture *f = *state;
    if (!has_h5py()) skip();
    cdg_run_def def = {
        .scene = f->scene, .directory = f->base, .thread_count = 1, .on_progress = look_with_python, .user = f};
    assert_int_equal(cdg_run(&def, NULL, NULL), CDG_OK);
    check_with_h5py(f->base, 13);
}

// ---- failures -------------------------------------------------------------------------------------------------------

static void test_diverged(void **state) {
    fixture *f = *state;
    set_scene(f, (run_scene_options){.force = 1e300, .force_from_ms = 32});
    cdg_run_summary summary;
    cdg_error error;
    cdg_result result = run_in(f, f->base, false, &summary, &error);
    assert_int_equal(result, CDG_ERROR_NOT_FINITE);
    assert_int_equal(error.code, CDG_ERROR_NOT_FINITE);
    assert_non_null(strstr(error.message, "cable"));
    assert_false(summary.finished);
    assert_true(summary.time >= 0.031 && summary.time < 0.04); // the last good time
    assert_int_equal(summary.frame_count, 7);
    assert_int_equal(frames_in(f->base), 7);
    expect_in_file(f->base, "summary.json", "\"finished\": false");
    expect_in_file(f->base, "summary.json", "not finite");
    // it can be resumed, and fails in the same way
    cdg_error again;
    f->last_step = 30;
    assert_int_equal(run_in(f, f->base, true, &summary, &again), CDG_ERROR_NOT_FINITE);
    assert_string_equal(again.message, error.message);
    assert_int_equal(frames_in(f->base), 7);
}

// All files of a directory, to see that nothing was changed.
static char *contents(const char *directory) {
    size_t size, used = 0;
    char *all = calloc(1, 1 << 22);
    const char *const names[] = {"run.h5", "probes.csv", "summary.json"};
    for (size_t i = 0; i < 3; i++) {
        if (!run_path_exists(directory, names[i])) continue;
        char *text = run_read_text(directory, names[i], &size);
        assert_true(used + size < 1 << 22);
        memcpy(all + used, text, size);
        used += size;
        free(text);
    }
    return all;
}

static void expect_refused(fixture *f, bool resume, cdg_result code, const char *part) {
    char *before = contents(f->base);
    cdg_run_summary summary;
    cdg_error error = {0};
    assert_int_equal(run_in(f, f->base, resume, &summary, &error), code);
    if (strstr(error.message, part) == NULL) fail_msg("'%s' is missing in: %s", part, error.message);
    char *after = contents(f->base);
    assert_memory_equal(before, after, 1 << 22);
    free(before);
    free(after);
}

static void test_wrong_resumes(void **state) {
    fixture *f = *state;
    expect_refused(f, true, CDG_ERROR_FORMAT, "no run to resume");
    f->stop = 33;
    expect_run(f, f->base, false, CDG_ERROR_INTERRUPTED);
    f->stop = 0;

    set_scene(f, (run_scene_options){.elements = 12});
    expect_refused(f, true, CDG_ERROR_FORMAT, "another scene text");
    const char *const overrides[] = {"rods.cable.elements=12"};
    set_scene(f, (run_scene_options){.overrides = overrides, .override_count = 1});
    expect_refused(f, true, CDG_ERROR_FORMAT, "other overrides");
    set_scene(f, (run_scene_options){0});

    size_t size;
    char *bytes = run_read_text(f->base, "run.h5", &size), *rows = run_read_text(f->base, "probes.csv", NULL);
    run_write_text(f->base, "run.h5", bytes, size / 2);
    expect_refused(f, true, CDG_ERROR_FORMAT, "not a whole run file");
    run_write_text(f->base, "run.h5", rows, strlen(rows));
    expect_refused(f, true, CDG_ERROR_FORMAT, "not a whole run file");
    run_write_text(f->base, "run.h5", bytes, 0);
    expect_refused(f, true, CDG_ERROR_FORMAT, "not a whole run file");
    run_write_text(f->base, "run.h5", bytes, size);
    run_write_text(f->base, "probes.csv", rows, strlen(rows) / 2);
    cdg_run_summary summary; // run.h5 may be unpacked before probes.csv is looked at; its outputs stay
    cdg_error error;
    assert_int_equal(run_in(f, f->base, true, &summary, &error), CDG_ERROR_FORMAT);
    assert_non_null(strstr(error.message, "probes.csv"));
    unlink(run_path(f->base, "probes.csv"));
    assert_int_equal(run_in(f, f->base, true, &summary, &error), CDG_ERROR_FORMAT);
    run_write_text(f->base, "probes.csv", rows, strlen(rows)); // put back, it goes on as if nothing had been tried
    make_whole(f);
    f->last_step = 33;
    expect_run(f, f->base, true, CDG_OK);
    expect_whole(f, 13);
    free(bytes);
    free(rows);
}

static void test_replacing(void **state) {
    fixture *f = *state;
    expect_run(f, f->base, false, CDG_OK);
    run_write_text(f->base, "notes.txt", "mine", 4);
    set_scene(f, (run_scene_options){.elements = 14});
    f->last_step = 0;
    f->stop = 10;
    expect_run(f, f->base, false, CDG_ERROR_INTERRUPTED); // an old run is replaced
    assert_int_equal(frames_in(f->base), 3);
    expect_in_file(f->base, "notes.txt", "mine");
    f->stop = f->last_step = 0;
    // files of the same names that no run made
    const char *const names[] = {"run.h5", "probes.csv", "summary.json"};
    for (size_t i = 0; i < 3; i++) {
        size_t size;
        char *kept = run_read_text(f->base, names[i], &size);
        run_write_text(f->base, names[i], "{\"my\": \"own work\"}", 18);
        expect_refused(f, false, CDG_ERROR_ARGUMENT, "not made by cordage");
        run_write_text(f->base, names[i], "", 0); // empty: left by a power cut
        expect_run(f, f->base, false, CDG_OK);
        f->last_step = 0;
        free(kept);
    }
    // a run that cannot be laid out leaves the old one
    assert_int_equal(mkdir(run_path(f->base, "run.h5.new"), 0777), 0);
    expect_refused(f, false, CDG_ERROR_IO, "run.h5.new");
}

// ---- a run that is there --------------------------------------------------------------------------------------------

static cdg_scene *parse_named(run_scene_options options, const char *name, const char *more) {
    char *text = run_scene_text(&options), whole[8192];
    snprintf(whole, sizeof whole, "%s%s", text, more);
    free(text);
    cdg_scene *scene = NULL;
    cdg_error error;
    if (cdg_scene_parse(whole, strlen(whole), name, NULL, options.overrides, options.override_count, &scene, &error) !=
        CDG_OK)
        fail_msg("%s", error.message);
    return scene;
}

static void test_refused_run_costs_nothing(void **state) {
    fixture *f = *state;
    expect_run(f, f->base, false, CDG_OK);
    cdg_scene_destroy(f->scene); // the cable lies in the floor: the first step is refused
    const char *const touching[] = {"contact=on"};
    f->scene = parse_named((run_scene_options){.overrides = touching, .override_count = 1}, "test.yaml",
                           "obstacles: [{plane: {normal: [0, 0, 1]}}]\n");
    f->last_step = 0;
    expect_refused(f, false, CDG_ERROR_ARGUMENT, "");
    assert_non_null(strstr(f->note, "untouched"));
    assert_int_equal(frames_in(f->base), 13);
    for (size_t i = 0; i < 2; i++) assert_false(run_path_exists(f->base, i == 0 ? "run.h5.new" : "probes.csv.new"));
    f->force = true; // not even then
    expect_refused(f, false, CDG_ERROR_ARGUMENT, "");
    char before[RUN_PATH_SIZE];
    assert_int_not_equal(access(name_before(f, before), F_OK), 0);
    // where there was nothing, the start can be looked at
    run_directory_remove(f->base);
    f->last_step = 0;
    cdg_run_summary summary;
    assert_int_equal(run_in(f, f->base, false, &summary, &(cdg_error){0}), CDG_ERROR_ARGUMENT);
    assert_int_equal(frames_in(f->base), 1);
}

static void test_earlier_version_is_kept(void **state) {
    fixture *f = *state;
    char before[RUN_PATH_SIZE];
    name_before(f, before);
    make_whole(f);
    expect_run(f, f->base, false, CDG_OK);
    f->last_step = 0;
    expect_run(f, f->base, false, CDG_OK); // the same again: nothing to keep
    assert_int_not_equal(access(before, F_OK), 0);
    assert_string_equal(f->note, "");
    for (int elements = 11; elements < 13; elements++) {
        set_scene(f, (run_scene_options){.elements = elements});
        f->last_step = 0;
        f->stop = elements == 11 ? 7 : 0; // the second finds an interrupted one
        expect_run(f, f->base, false, elements == 11 ? CDG_ERROR_INTERRUPTED : CDG_OK);
        assert_non_null(strstr(f->note, "kept as"));
        assert_int_equal(frames_in(before), elements == 11 ? 13 : 2);
        if (elements == 11) assert_same_outputs(before, f->whole, 13);
        if (elements == 11) assert_same_text(before, f->whole, "probes.csv");
    }
    f->force = true;
    f->last_step = 0;
    set_scene(f, (run_scene_options){.elements = 13});
    expect_run(f, f->base, false, CDG_OK);
    assert_int_equal(frames_in(before), 2); // nothing was kept
    // what somebody else put there is not replaced, and then nothing is
    f->force = false;
    run_write_text(before, "probes.csv", "mine", 4);
    set_scene(f, (run_scene_options){.elements = 14});
    f->last_step = 0;
    expect_refused(f, false, CDG_ERROR_ARGUMENT, "not made by cordage");
}

static void test_another_scene_is_refused(void **state) {
    fixture *f = *state;
    expect_run(f, f->base, false, CDG_OK);
    cdg_scene_destroy(f->scene);
    f->scene = parse_named((run_scene_options){.elements = 11}, "other.yaml", "");
    expect_refused(f, false, CDG_ERROR_ARGUMENT, "test.yaml with 13 outputs, which is another scene");
    f->force = true;
    f->last_step = 0;
    expect_run(f, f->base, false, CDG_OK);
    // the same text under another name is the same scene
    cdg_scene_destroy(f->scene);
    f->scene = parse_named((run_scene_options){.elements = 11}, "renamed.yaml", "");
    f->force = false;
    f->last_step = 0;
    expect_run(f, f->base, false, CDG_OK);
    assert_string_equal(f->note, "");
}

static size_t planned_in(const char *directory) {
    hid_t file = run_open(directory);
    size_t count;
    free(run_read(file, "/time", NULL, &count));
    H5Fclose(file);
    return count;
}

// Killed while it takes the place of another run: one of the two is there whole, and nothing of the old one is lost.
// CORDAGE_KILLS=500 tries more often.
static void test_killed_while_replacing(void **state) {
    fixture *f = *state;
    char before[RUN_PATH_SIZE], old[RUN_PATH_SIZE];
    name_before(f, before);
    run_directory_make(old);
    expect_run(f, old, false, CDG_OK);
    cdg_scene *old_scene = f->scene;
    f->scene = NULL;
    set_scene(f, (run_scene_options){.elements = 11, .duration_ms = 20, .every_ms = 1});
    make_whole(f);
    cdg_run_def first = {.scene = old_scene, .directory = f->base, .thread_count = 1};
    assert_int_equal(cdg_run(&first, NULL, NULL), CDG_OK);
    // where the first kills fall depends on how long this takes, and on what else the machine does
    double start = cdg_disk_clock();
    cdg_run_def second = {.scene = f->scene, .directory = f->base, .thread_count = 1};
    assert_int_equal(cdg_run(&second, NULL, NULL), CDG_OK);
    double typical = 1.5 * (cdg_disk_clock() - start);
    run_directory_remove(f->base);
    const char *wanted = getenv("CORDAGE_KILLS");
    int count = wanted != NULL ? atoi(wanted) : 30, stays = 0, replaced = 0;
    cdg_random random = {11};
    for (int trial = 0; trial < count || ((stays == 0 || replaced == 0) && trial < 10 * count); trial++) {
        assert_int_equal(cdg_run(&first, NULL, NULL), CDG_OK);
        // Most kills early, where the old run goes. On a busy machine all may come too early, or too late: kills go on,
        // later or earlier, until there is one on either side.
        if (trial >= 10 && replaced == 0) typical *= 1.2;
        if (trial >= 10 && stays == 0) typical /= 1.2;
        double share = random_in(&random, 0, 1);
        run_and_kill(f, false, (useconds_t)(1e6 * typical * share * share));
        bool is_old = planned_in(f->base) == 13;
        stays += is_old;
        replaced += !is_old;
        assert_same_outputs(is_old ? f->base : before, old, 13);
        assert_same_text(is_old ? f->base : before, old, "probes.csv");
        expect_in_file(is_old ? f->base : before, "summary.json", "\"finished\": true");
        cdg_run_def again = {.scene = is_old ? old_scene : f->scene, .directory = f->base, .resume = true};
        cdg_error error;
        if (cdg_run(&again, NULL, &error) != CDG_OK) fail_msg("%s", error.message);
        if (is_old) {
            assert_same_outputs(f->base, old, 13);
        } else {
            expect_whole(f, 21);
        }
        run_directory_remove(f->base);
        run_directory_remove(before);
        assert_int_equal(mkdir(f->base, 0777), 0);
    }
    print_message("%d kills: the old run stays %d times, is kept beside %d times\n", stays + replaced, stays, replaced);
    assert_true(stays > 0 && replaced > 0);
    cdg_scene_destroy(old_scene);
    run_directory_remove(old);
}

static void test_pipes_in_the_way(void **state) {
    fixture *f = *state;
    const char *const names[] = {"run.h5",     "probes.csv",     "summary.json",
                                 "run.h5.new", "probes.csv.new", "summary.json.new"};
    alarm(1000); // none is waited for
    for (size_t i = 0; i < 6; i++) {
        assert_int_equal(mkfifo(run_path(f->base, names[i]), 0666), 0);
        cdg_run_summary summary;
        cdg_error error;
        assert_int_equal(run_in(f, f->base, false, &summary, &error), CDG_ERROR_IO);
        assert_non_null(strstr(error.message, "this is a pipe"));
        assert_int_equal(unlink(run_path(f->base, names[i])), 0);
    }
    alarm(0);
}

static void test_unwritable(void **state) {
    fixture *f = *state;
    cdg_run_summary summary;
    cdg_error error;
    run_write_text(f->base, "file", "x", 1);
    assert_int_equal(run_in(f, run_path(f->base, "file"), false, &summary, &error), CDG_ERROR_IO);
    assert_non_null(strstr(error.message, "is a file"));
    assert_int_equal(run_in(f, "/proc/run", false, &summary, &error), CDG_ERROR_IO);
    assert_non_null(strstr(error.message, "/proc/run"));
    // a directory without permission, as somebody who is not root
    assert_int_equal(chmod(f->base, 0555), 0);
    pid_t child = fork();
    if (child == 0) {
        if (geteuid() == 0 && seteuid(65534) != 0) _exit(0);
        bool is_right = run_in(f, f->base, false, &summary, &error) == CDG_ERROR_IO &&
                        strstr(error.message, "Permission denied") != NULL && strstr(error.message, f->base) != NULL;
        _exit(is_right ? 0 : 1);
    }
    int status;
    waitpid(child, &status, 0);
    chmod(f->base, 0755);
    assert_int_equal(status, 0);
}

static void test_one_run_at_a_time(void **state) {
    fixture *f = *state;
    int lock;
    assert_int_equal(cdg_disk_lock_directory(f->base, &lock, NULL), CDG_OK);
    cdg_run_summary summary;
    cdg_error error;
    assert_int_equal(run_in(f, f->base, false, &summary, &error), CDG_ERROR_IO);
    assert_non_null(strstr(error.message, "another run"));
    close(lock);
    expect_run(f, f->base, false, CDG_OK);
}

// ---- full disk ------------------------------------------------------------------------------------------------------

static bool mount_small(const char *path, const char *options, unsigned long flags) {
    return mount("none", path, "tmpfs", flags, options) == 0;
}

// In a child with its own file systems: disks of growing size, until the run fits. Exit status 77: not permitted here.
static int try_small_disks(fixture *f) {
    bool is_root = geteuid() == 0;
    if (unshare(CLONE_NEWNS | (is_root ? 0 : CLONE_NEWUSER)) != 0) return 77;
    if (mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0) return 77;
    size_t failures = 0, resumed = 0;
    for (int kilobytes = 8; kilobytes < 4096; kilobytes += kilobytes < 200 ? 8 : 36) {
        char options[40];
        snprintf(options, sizeof options, "size=%dk", kilobytes);
        if (!mount_small(f->base, options, 0)) return 77;
        cdg_run_summary summary;
        cdg_error error;
        f->stop = f->last_step = 0;
        cdg_result result = run_in(f, f->base, false, &summary, &error);
        if (result != CDG_OK) {
            failures++;
            assert_int_equal(result, CDG_ERROR_IO);
            if (strstr(error.message, "No space left on device") == NULL) fail_msg("%s", error.message);
            assert_non_null(strstr(error.message, f->base));
            if (run_path_exists(f->base, "run.h5")) {
                size_t frames = frames_in(f->base);
                assert_int_equal(frames, summary.frame_count);
                assert_same_outputs(f->base, f->whole, frames);
                if (!mount_small(f->base, "size=64m", MS_REMOUNT)) return 77; // somebody made room
                cdg_run_def def = {.scene = f->scene, .directory = f->base, .resume = true, .thread_count = 1};
                if (cdg_run(&def, &summary, &error) != CDG_OK) fail_msg("%s", error.message);
                assert_true(summary.finished);
                resumed++;
            }
        }
        if (summary.finished) expect_whole(f, 101);
        umount(f->base);
        if (result == CDG_OK) {
            print_message("%zu full disks, %zu runs resumed; %d kB are enough\n", failures, resumed, kilobytes);
            return failures > 10 && resumed > 5 ? 0 : 1;
        }
    }
    return 2;
}

static void test_full_disk(void **state) {
    fixture *f = *state;
    set_scene(f, (run_scene_options){.duration_ms = 100, .every_ms = 1, .elements = 30});
    make_whole(f);
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        int status = try_small_disks(f);
        fflush(NULL);
        H5close(); // as at the end of a program: HDF5 crashes here if a full disk has upset it
        _exit(status);
    }
    int status;
    waitpid(child, &status, 0);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 77) skip();
    assert_int_equal(status, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_whole_run, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_interrupted_at_every_step, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_finished_already, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_killed_at_any_moment, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_python_reads_during_the_run, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_diverged, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_wrong_resumes, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_replacing, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_refused_run_costs_nothing, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_earlier_version_is_kept, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_another_scene_is_refused, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_killed_while_replacing, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_pipes_in_the_way, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_unwritable, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_one_run_at_a_time, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_full_disk, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
