// A static run: equilibria along the scene's loads and motions, one output each; and the vibrations of rods.
#include "output/run_static.h"

#include "base/error.h"

#include <cordage/solid.h>

#include <stdlib.h>

typedef struct follower {
    const cdg_run_static *run;
    cdg_result failure; // of writing
    cdg_error *error;
} follower;

static bool on_step(void *user, const cdg_path_report *report) {
    follower *f = user;
    f->failure = f->run->write(f->run->user, &report->equilibrium, f->error);
    if (f->failure != CDG_OK) return false;
    // After the last step there is nothing left to stop.
    return f->run->go_on(f->run->user, report) || report->time == f->run->plan->end;
}

cdg_result cdg_run_static_follow(const cdg_run_static *run, cdg_path_report *report, cdg_error *error) {
    follower f = {.run = run, .failure = CDG_OK, .error = error};
    const scene_statics *statics = &run->scene->statics;
    cdg_path_def def = {
        .kind = statics->path,
        .end = run->plan->end,
        .step = run->plan->every,
        .step_limit = statics->steps,
        .turn_limit = statics->limits,
        .imperfection = statics->imperfection,
        .seed = (uint64_t)statics->seed,
        .on_step = on_step,
        .user = &f,
    };
    cdg_result result = cdg_world_follow_path(run->world, &def, report);
    if (result == CDG_OK) return CDG_OK;
    if (f.failure != CDG_OK) return f.failure;
    return cdg_fail(error, result, "%s", cdg_world_message(run->world));
}

// Whose vibrations are written: a rod or a solid.
typedef struct vibrating {
    bool is_solid;
    size_t index; // among its like
    cdg_rod_id rod;
    cdg_solid_id solid;
    const char *name;
    size_t node_count;
} vibrating;

static cdg_result describe(cdg_world *world, vibrating *v) {
    if (v->is_solid) {
        cdg_solid_info info = {0};
        v->solid = cdg_world_solid_at(world, v->index);
        cdg_result result = cdg_solid_get_info(world, v->solid, &info);
        v->name = info.name, v->node_count = info.node_count;
        return result;
    }
    cdg_rod_info info = {0};
    v->rod = cdg_world_rod_at(world, v->index);
    cdg_result result = cdg_rod_get_info(world, v->rod, &info);
    v->name = info.name, v->node_count = info.node_count;
    return result;
}

static cdg_result write_vibrations(cdg_world *world, cdg_run_file *file, vibrating v, size_t mode_count,
                                   cdg_error *error) {
    cdg_result result = describe(world, &v);
    if (result != CDG_OK) return cdg_fail(error, result, "%s", cdg_world_message(world));
    double *frequencies = malloc(mode_count * sizeof *frequencies);
    cdg_vec3 *shapes = malloc(mode_count * v.node_count * sizeof *shapes);
    if (frequencies == NULL || shapes == NULL) {
        result = cdg_fail(error, CDG_ERROR_MEMORY, "no memory for %zu modes of %s '%s'", mode_count,
                          v.is_solid ? "solid" : "rod", v.name);
    } else {
        result = v.is_solid ? cdg_solid_find_modes(world, v.solid, mode_count, frequencies, shapes)
                            : cdg_rod_find_modes(world, v.rod, mode_count, frequencies, shapes);
        if (result != CDG_OK)
            result = cdg_fail(error, result, "%s", cdg_world_message(world));
        else
            result = v.is_solid ? cdg_run_file_write_solid_modes(file, v.index, frequencies, shapes, error)
                                : cdg_run_file_write_modes(file, v.index, frequencies, shapes, error);
    }
    free(frequencies);
    free(shapes);
    return result;
}

cdg_result cdg_run_write_modes(cdg_world *world, cdg_run_file *file, size_t mode_count, cdg_error *error) {
    cdg_result result = CDG_OK;
    for (size_t i = 0; i < cdg_world_rod_count(world) && mode_count > 0 && result == CDG_OK; i++)
        result = write_vibrations(world, file, (vibrating){.is_solid = false, .index = i}, mode_count, error);
    for (size_t i = 0; i < cdg_world_solid_count(world) && mode_count > 0 && result == CDG_OK; i++)
        result = write_vibrations(world, file, (vibrating){.is_solid = true, .index = i}, mode_count, error);
    return result;
}
