// One output of a world, in a folder of its own.
#include "view/moment_run.h"

#include "base/error.h"
#include "output/run_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static cdg_result make_folder(char *directory, size_t size, cdg_error *error) {
    const char *parent = getenv("TMPDIR");
    int length = snprintf(directory, size, "%s/cordage-view-XXXXXX", parent != NULL && *parent ? parent : "/tmp");
    if (length < 0 || (size_t)length >= size)
        return cdg_fail(error, CDG_ERROR_IO, "the name of the folder for temporary files (TMPDIR) is too long");
    if (mkdtemp(directory) == NULL)
        return cdg_fail(error, CDG_ERROR_IO, "%s: a temporary folder cannot be made: %s", directory, strerror(errno));
    return CDG_OK;
}

cdg_result cdg_moment_run_write(const cdg_scene *scene, const cdg_world *world, char *directory, size_t size,
                                cdg_error *error) {
    cdg_run_file *file = NULL;
    double time = cdg_world_time(world);
    cdg_run_plan plan = {
        .step = cdg_world_step_size(world), .every = time > 0 ? time : 1, .end = time, .frame_count = 1};
    cdg_result result = make_folder(directory, size, error);
    if (result != CDG_OK) return result;
    char *path = malloc(strlen(directory) + sizeof "/run.h5");
    if (path == NULL) result = cdg_fail(error, CDG_ERROR_MEMORY, "no memory for a picture");
    if (path != NULL) sprintf(path, "%s/run.h5", directory);
    if (result == CDG_OK) result = cdg_run_file_stage(path, scene, world, &plan, &file, error);
    cdg_energy energy = cdg_world_energy(world);
    if (result == CDG_OK) result = cdg_run_file_write_frame(file, 0, world, &energy, error);
    if (result == CDG_OK) result = cdg_run_file_install(file, error);
    if (result == CDG_OK) {
        result = cdg_run_file_close(file, false, error);
    } else {
        cdg_run_file_discard(file);
    }
    if (result != CDG_OK) {
        if (path != NULL) unlink(path);
        rmdir(directory);
    }
    free(path);
    return result;
}
