// A run file of the scene of run_scene.h, written output by output by hand.
#ifndef CDG_TESTS_RUN_FILE_CASE_H
#define CDG_TESTS_RUN_FILE_CASE_H

#include "output/run_file.h"
#include "output/run_layout.h"
#include "output/run_peaks.h"
#include "run_scene.h"

typedef struct fixture {
    char base[RUN_PATH_SIZE], path[RUN_PATH_SIZE + 20];
    cdg_scene *scene;
    cdg_world *world;
    cdg_run_plan plan;
    cdg_run_file *file;
} fixture;

static const cdg_run_tally some_tally = {.wall_seconds = 1.5, .energy_start = 2.5, .worst_rod = 1};

static inline cdg_result create_file(const char *path, const cdg_scene *scene, const cdg_world *world,
                                     const cdg_run_plan *plan, cdg_run_file **out, cdg_error *error) {
    cdg_result result = cdg_run_file_stage(path, scene, world, plan, out, error);
    return result == CDG_OK ? cdg_run_file_install(*out, error) : result;
}

static inline void build_world(fixture *f) {
    assert_int_equal(cdg_scene_build(f->scene, 1, &f->world, NULL), CDG_OK);
    assert_int_equal(cdg_world_set_step_size(f->world, f->plan.step), CDG_OK);
}

static inline int set_up(void **state) {
    static fixture f;
    run_directory_make(f.base);
    snprintf(f.path, sizeof f.path, "%s/run.h5", f.base);
    f.scene = run_scene_make((run_scene_options){0});
    f.plan = (cdg_run_plan){.step = 1e-3};
    build_world(&f);
    assert_int_equal(cdg_run_plan_make(f.scene, f.world, &f.plan, NULL), CDG_OK);
    cdg_error error;
    if (create_file(f.path, f.scene, f.world, &f.plan, &f.file, &error) != CDG_OK) fail_msg("%s", error.message);
    *state = &f;
    return 0;
}

static inline int tear_down(void **state) {
    fixture *f = *state;
    cdg_run_file_close(f->file, false, NULL);
    cdg_world_destroy(f->world);
    cdg_scene_destroy(f->scene);
    run_directory_remove(f->base);
    return 0;
}

static inline cdg_result write_frame(cdg_run_file *file, size_t frame, const cdg_world *world, cdg_error *error) {
    cdg_energy energy = cdg_world_energy(world);
    return cdg_run_file_write_frame(file, frame, world, &energy, error);
}

// Where the file's datasets lie.
static inline void find_layout(const fixture *f, cdg_run_layout *out) {
    size_t words = cdg_checkpoint_words(f->world) + CDG_PEAK_NUMBERS * cdg_run_peaks_count(f->scene);
    assert_int_equal(cdg_run_layout_make(f->world, f->plan.frame_count, words, out, NULL), CDG_OK);
    assert_int_equal(cdg_run_layout_find(out, f->path, f->scene, &f->plan, NULL), CDG_OK);
}

// Outputs first .. last - 1, each followed by its checkpoint.
static inline void write_outputs(fixture *f, size_t first, size_t last) {
    cdg_error error;
    for (size_t frame = first; frame < last; frame++) {
        while (cdg_world_step_index(f->world) < frame * f->plan.steps_per_output) {
            assert_int_equal(cdg_world_step(f->world, NULL), CDG_OK);
        }
        if (write_frame(f->file, frame, f->world, &error) != CDG_OK) fail_msg("%s", error.message);
        assert_true(cdg_run_file_wants_checkpoint(f->file));
        assert_int_equal(cdg_run_file_write_checkpoint(f->file, frame, &some_tally, f->world, &error), CDG_OK);
    }
}

static inline void close_all(fixture *f, bool should_pack) {
    cdg_error error;
    if (cdg_run_file_close(f->file, should_pack, &error) != CDG_OK) fail_msg("%s", error.message);
    f->file = NULL;
    cdg_world_destroy(f->world);
    f->world = NULL;
}

static inline cdg_result reopen(fixture *f, size_t *frame, cdg_error *error) {
    if (f->world == NULL) build_world(f);
    cdg_result result = cdg_run_file_reopen(f->path, f->scene, f->world, &f->plan, &f->file, error);
    if (result != CDG_OK) return result;
    if (!cdg_run_file_has_checkpoint(f->file)) return CDG_ERROR_STALE;
    cdg_run_tally tally;
    result = cdg_run_file_read_checkpoint(f->file, f->world, frame, &tally, error);
    if (result == CDG_OK) assert_memory_equal(&tally, &some_tally, sizeof tally);
    return result;
}

#endif
