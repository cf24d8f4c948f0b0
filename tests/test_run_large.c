// A run whose outputs are so large that they are written beside the steps: every number is the world's own, a kill at
// any moment leaves whole outputs that a resumed run goes on from, and a full disk is told.
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "math/random.h"
#include "output/checkpoint.h"
#include "output/disk.h"
#include "output/run_file.h"
#include "output/run_plan.h"
#include "output/run_reader.h"
#include "world/world.h"

#include <sched.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/wait.h>

#include "rounds.h"
#include "run_scene.h"

enum { STRANDS = 1200, OUTPUTS = 9 };
#ifdef CORDAGE_SANITIZED
enum { TRIALS = 2 }; // when a run is killed is chance
#else
enum { TRIALS = 8 };
#endif

static const char *const text =
    "cordage: 1\ncontact: off\n"
    "simulation: {step: 1 ms, duration: 16 ms, pobd: {solver: gauss_seidel, iterations: 1}}\n"
    "output: {every: 2 ms}\n"
    "materials: {keratin: {young_modulus: 1 MPa, density: 1300 kg/m^3}}\n"
    "strands:\n"
    "  - {name: wig, material: keratin, section: {circle: {radius: 0.5 mm}}, length: 10 cm,\n"
    "     roots: {disc: {radius: 30 cm}}, guides: 1200, fibers: 0, elements: 20}\n"
    "probes:\n  - {name: tip, position: wig.g7.end}\n";

typedef struct fixture {
    char base[RUN_PATH_SIZE], whole[RUN_PATH_SIZE];
    cdg_scene *scene;
} fixture;

static int set_up(void **state) {
    static fixture f;
    run_directory_make(f.base);
    run_directory_make(f.whole);
    f.scene = run_scene_parse(text, NULL, 0);
    *state = &f;
    return 0;
}

static int tear_down(void **state) {
    fixture *f = *state;
    cdg_scene_destroy(f->scene);
    run_directory_remove(f->base);
    run_directory_remove(f->whole);
    return 0;
}

// A large state is saved with the first output, and from then on not while the one before is being written, nor so soon
// that saving takes more than its share.
static void checkpoints_are_rare(void **state) {
    const fixture *f = *state;
    char path[RUN_PATH_SIZE + 8];
    snprintf(path, sizeof path, "%s/a.h5", f->base);
    cdg_world *world = NULL;
    cdg_run_plan plan = {.step = 1e-3};
    cdg_run_file *file = NULL;
    cdg_error error = {0};
    cdg_run_tally tally = {.worst_rod = -1};
    assert_int_equal(cdg_scene_build(f->scene, 1, &world, &error), CDG_OK);
    assert_int_equal(cdg_run_plan_make(f->scene, world, &plan, &error), CDG_OK);
    double began = cdg_disk_clock(), words = (double)cdg_checkpoint_words(world);
    assert_true(8 * words > 1 << 20);
    assert_int_equal(cdg_run_file_stage(path, f->scene, world, &plan, &file, &error), CDG_OK);
    assert_int_equal(cdg_run_file_install(file, &error), CDG_OK);
    for (size_t frame = 0; frame < 2; frame++) {
        cdg_energy energy = cdg_world_energy(world);
        assert_int_equal(cdg_run_file_write_frame(file, frame, world, &energy, &error), CDG_OK);
        bool wants = cdg_run_file_wants_checkpoint(file);
        if (frame == 0)
            assert_true(wants);
        else if (wants)
            assert_true(cdg_disk_clock() - began >= 1); // a machine that slept meanwhile
        assert_int_equal(cdg_run_file_write_checkpoint(file, frame, &tally, world, &error), CDG_OK);
        began = cdg_disk_clock();
    }
    assert_int_equal(cdg_run_file_close(file, false, &error), CDG_OK);
    cdg_world_destroy(world);
}

static cdg_result run(const fixture *f, const char *directory, bool resume, cdg_run_summary *summary,
                      cdg_error *error) {
    cdg_run_def def = {.scene = f->scene, .directory = directory, .resume = resume, .thread_count = 2};
    return cdg_run(&def, summary, error);
}

static cdg_run_reader *open_run(const char *directory) {
    cdg_run_reader *reader = NULL;
    cdg_error error;
    if (cdg_run_reader_open(directory, &reader, &error) != CDG_OK) fail_msg("%s", error.message);
    return reader;
}

// The run's fields against those of a world that is stepped here.
static void check_numbers(const cdg_scene *scene, const char *directory) {
    cdg_error error;
    cdg_run_reader *reader = open_run(directory);
    assert_int_equal(reader->frame_count, OUTPUTS);
    assert_int_equal(reader->rod_count, STRANDS);
    cdg_world *world = NULL;
    assert_int_equal(cdg_scene_build(scene, 1, &world, &error), CDG_OK);
    double found[4 * 21], expected[4 * 21];
    for (size_t frame = 0; frame < OUTPUTS; frame++) {
        for (int i = 0; i < 2 && frame > 0; i++) assert_int_equal(cdg_world_step(world, NULL), CDG_OK);
        for (size_t k = 0; k < STRANDS * CDG_FIELD_COUNT; k++) {
            cdg_field field = (cdg_field)(k % CDG_FIELD_COUNT);
            cdg_field_info info = cdg_field_get(field);
            if ((info.traits & CDG_FIELD_ADAPTS) != 0) continue;
            size_t rod = k / CDG_FIELD_COUNT, count = cdg_field_entries(&info, 21, 20) * info.component_count;
            double *fields[CDG_FIELD_COUNT] = {NULL};
            fields[field] = expected;
            assert_int_equal(cdg_world_measure_rod(world, cdg_world_rod_at(world, rod), fields), CDG_OK);
            assert_int_equal(cdg_run_reader_read_own(reader, frame, rod, field, found, &error), CDG_OK);
            for (size_t i = 0; i < count && scene->precision == SCENE_SINGLE; i++)
                expected[i] = (double)(float)expected[i];
            if (memcmp(found, expected, count * sizeof *found) != 0)
                fail_msg("%s of rod %zu at output %zu", info.name, rod, frame);
        }
    }
    cdg_world_destroy(world);
    cdg_run_reader_close(reader);
}

static void every_number_is_the_worlds(void **state) {
    fixture *f = *state;
    cdg_error error;
    if (run(f, f->whole, false, NULL, &error) != CDG_OK) fail_msg("%s", error.message);
    check_numbers(f->scene, f->whole);
}

// Without the queue: half the bytes are too few for a thread.
static void numbers_of_single_precision(void **state) {
    fixture *f = *state;
    const char *const precision = "output.precision=single";
    fixture single = {.scene = run_scene_parse(text, &precision, 1)};
    cdg_error error;
    assert_int_equal(single.scene->precision, SCENE_SINGLE);
    if (run(&single, f->base, false, NULL, &error) != CDG_OK) fail_msg("%s", error.message);
    check_numbers(single.scene, f->base);
    cdg_scene_destroy(single.scene);
    run_directory_remove(f->base);
    assert_int_equal(mkdir(f->base, 0777), 0);
}

// Outputs of both, up to the number that the first has, are the same to the bit.
static size_t compare_runs(const char *directory, const char *other) {
    hid_t file = run_open(directory);
    size_t frames = run_frames(file);
    H5Fclose(file);
    if (frames == 0) return 0; // readers refuse such a run
    cdg_run_reader *a = open_run(directory), *b = open_run(other);
    double left[4 * 21], right[4 * 21];
    cdg_error error;
    for (size_t frame = 0; frame < a->frame_count; frame++)
        for (size_t rod = 0; rod < STRANDS; rod++)
            for (int k = 0; k < 2; k++) {
                cdg_field field = k == 0 ? CDG_FIELD_positions : CDG_FIELD_frames;
                size_t size = (k == 0 ? 3 * 21 : 4 * 20) * sizeof *left;
                assert_int_equal(cdg_run_reader_read_own(a, frame, rod, field, left, &error), CDG_OK);
                assert_int_equal(cdg_run_reader_read_own(b, frame, rod, field, right, &error), CDG_OK);
                assert_memory_equal(left, right, size);
            }
    assert_int_equal(a->frame_count, frames);
    cdg_run_reader_close(a);
    cdg_run_reader_close(b);
    return frames;
}

static void killed_at_any_moment(void **state) {
    skip_where_children_have_no_threads();
    fixture *f = *state;
    cdg_error error;
    double began = cdg_disk_clock();
    assert_int_equal(run(f, f->whole, false, NULL, &error), CDG_OK);
    double typical = cdg_disk_clock() - began; // only how many kills hit something depends on this
    cdg_random random = {3};
    size_t kills = 0, kept = 0;
    for (int trial = 0; trial < TRIALS; trial++) {
        pid_t child = fork();
        if (child == 0) _exit(run(f, f->base, false, NULL, NULL) == CDG_OK ? 0 : 1);
        usleep((useconds_t)(1e6 * random_in(&random, 0.1, 1) * typical));
        kill(child, SIGKILL);
        int status;
        assert_int_equal(waitpid(child, &status, 0), child);
        if (WIFSIGNALED(status) && run_path_exists(f->base, "run.h5")) {
            kills++;
            kept += compare_runs(f->base, f->whole);
            cdg_run_summary summary;
            if (run(f, f->base, true, &summary, &error) != CDG_OK) fail_msg("%s", error.message);
            assert_true(summary.finished);
            assert_int_equal(compare_runs(f->base, f->whole), OUTPUTS);
        }
        run_directory_remove(f->base);
        assert_int_equal(mkdir(f->base, 0777), 0);
    }
    print_message("%zu kills, %zu outputs found whole\n", kills, kept);
}

// In a child with its own file systems: disks of growing size. Exit status 77: not permitted here.
static int try_small_disks(const fixture *f) {
    if (unshare(CLONE_NEWNS | (geteuid() == 0 ? 0 : CLONE_NEWUSER)) != 0) return 77;
    if (mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0) return 77;
    size_t failures = 0, resumed = 0;
    for (int megabytes = 5; megabytes <= 60; megabytes += 11) {
        char options[40];
        snprintf(options, sizeof options, "size=%dm", megabytes);
        if (mount("none", f->base, "tmpfs", 0, options) != 0) return 77;
        cdg_run_summary summary;
        cdg_error error = {0};
        cdg_result result = run(f, f->base, false, &summary, &error);
        if (result != CDG_OK) {
            failures++;
            assert_int_equal(result, CDG_ERROR_IO);
            assert_false(summary.finished);
            if (strstr(error.message, "No space left on device") == NULL) fail_msg("%s", error.message);
            assert_non_null(strstr(error.message, f->base));
        }
        if (result != CDG_OK && run_path_exists(f->base, "run.h5")) {
            assert_int_equal(compare_runs(f->base, f->whole), summary.frame_count);
            if (mount("none", f->base, "tmpfs", MS_REMOUNT, "size=500m") != 0) return 77; // somebody made room
            if (run(f, f->base, true, &summary, &error) != CDG_OK) fail_msg("%s", error.message);
            assert_int_equal(compare_runs(f->base, f->whole), OUTPUTS);
            resumed++;
        }
        umount(f->base);
    }
    print_message("%zu full disks, %zu runs resumed\n", failures, resumed);
    return failures >= 3 && resumed >= 2 ? 0 : 1;
}

static void a_full_disk_is_told(void **state) {
    skip_where_children_have_no_threads();
    fixture *f = *state;
    cdg_error error;
    assert_int_equal(run(f, f->whole, false, NULL, &error), CDG_OK);
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        int status = try_small_disks(f);
        fflush(NULL);
        _exit(status);
    }
    int ended;
    waitpid(child, &ended, 0);
    if (WIFEXITED(ended) && WEXITSTATUS(ended) == 77) skip();
    assert_int_equal(ended, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(every_number_is_the_worlds, set_up, tear_down),
        cmocka_unit_test_setup_teardown(numbers_of_single_precision, set_up, tear_down),
        cmocka_unit_test_setup_teardown(checkpoints_are_rare, set_up, tear_down),
        cmocka_unit_test_setup_teardown(killed_at_any_moment, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_full_disk_is_told, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
