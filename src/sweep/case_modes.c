// Natural frequencies of a case's rods, from its world or its run.
#include "sweep/case_modes.h"

#include "base/error.h"
#include "output/run_reader.h"

#include <stdio.h>
#include <string.h>

size_t cdg_case_modes_count(const cdg_scene *scene) { return scene->rod_count * scene->mode_count; }

static const char *rod_of(const cdg_scene *scene, size_t column) {
    const char *name = scene->rods[column / scene->mode_count].name;
    return name != NULL ? name : "";
}

void cdg_case_modes_title(const cdg_scene *scene, size_t column, char *out, size_t size) {
    snprintf(out, size, "%s_mode_%zu [Hz]", rod_of(scene, column), column % scene->mode_count + 1);
}

bool cdg_case_modes_is_named(const cdg_scene *scene, size_t column, const char *name) {
    const char *rod = rod_of(scene, column);
    size_t length = strlen(rod);
    char number[32];
    snprintf(number, sizeof number, "_mode_%zu", column % scene->mode_count + 1);
    if (strcmp(name, "modes") == 0) return true;
    if (strncmp(name, rod, length) != 0) return false;
    return strcmp(name + length, "_modes") == 0 || strcmp(name + length, number) == 0;
}

cdg_result cdg_case_modes_find(const cdg_scene *scene, cdg_world *world, double *out, cdg_error *error) {
    cdg_result result = CDG_OK;
    for (size_t i = 0; i < scene->rod_count && scene->mode_count > 0 && result == CDG_OK; i++) {
        cdg_rod_id rod = cdg_world_rod_at(world, i);
        result = cdg_rod_find_modes(world, rod, scene->mode_count, out + i * scene->mode_count, NULL);
    }
    return result == CDG_OK ? CDG_OK : cdg_fail(error, result, "%s", cdg_world_message(world));
}

cdg_result cdg_case_modes_read(const cdg_scene *scene, const char *directory, double *out, cdg_error *error) {
    cdg_run_reader *reader = NULL;
    cdg_result result = cdg_run_reader_open(directory, &reader, error);
    if (result != CDG_OK) return result;
    if (reader->mode_count != scene->mode_count || reader->rod_count != scene->rod_count)
        result = cdg_fail(error, CDG_ERROR_FORMAT, "%s: the run has other rods or modes than its scene", directory);
    for (size_t i = 0; i < scene->rod_count && result == CDG_OK; i++)
        result = cdg_run_reader_modes(reader, i, out + i * scene->mode_count, NULL, error);
    cdg_run_reader_close(reader);
    return result;
}
