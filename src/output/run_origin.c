// What a run is made with: attributes that are written when it begins and compared when it goes on.
#define _POSIX_C_SOURCE 200809L
#include "output/run_origin.h"

#include "base/error.h"
#include "base/growing_text.h"
#include "base/processor.h"
#include "output/algorithm.h"
#include "output/run_longer.h"
#include "output/run_settings.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// "8c97f0a3… 211 head.obj\n" for each file that the scene names: hash and size of its contents.
static char *list_files(const cdg_scene *scene) {
    char *text = NULL;
    size_t size = 0, capacity = 0;
    bool is_done = cdg_text_append(&text, &size, &capacity, "", 0);
    for (size_t i = 0; i < scene->file_count && is_done; i++) {
        const scene_file *file = &scene->files[i];
        char numbers[64];
        int length = snprintf(numbers, sizeof numbers, "%016" PRIx64 " %zu ", file->hash, file->size);
        is_done = cdg_text_append(&text, &size, &capacity, numbers, (size_t)length) &&
                  cdg_text_append(&text, &size, &capacity, file->name, strlen(file->name)) &&
                  cdg_text_append(&text, &size, &capacity, "\n", 1);
    }
    if (is_done) return text;
    free(text);
    return NULL;
}

static char *list_settings(const cdg_scene *scene) {
    cdg_json json = {0};
    cdg_run_settings_write(&json, NULL, scene);
    const char *text = cdg_json_finish(&json);
    char *copy = text != NULL ? strdup(text) : NULL;
    cdg_json_free(&json);
    return copy;
}

uint64_t cdg_algorithm_version(void) { return CDG_ALGORITHM_VERSION; }

bool cdg_run_origin_put(hid_t file, const cdg_scene *scene) {
    char *files = list_files(scene);
    bool is_done = files != NULL && cdg_hdf5_put_text(file, "files", files) &&
                   cdg_hdf5_put_text(file, "instructions", cdg_processor_lanes_name(cdg_processor_lanes())) &&
                   cdg_hdf5_put_integer(file, "algorithm", CDG_ALGORITHM_VERSION);
    free(files);
    return is_done;
}

static void add_clause(char changes[CDG_MESSAGE_SIZE], const char *clause) {
    size_t used = strlen(changes);
    snprintf(changes + used, CDG_MESSAGE_SIZE - used, "%s%s", used > 0 ? "; " : "", clause);
}

// The line of `list` that ends in " NAME"; its hash and size go to `numbers`. False: there is none.
static bool find_file(const char *list, const char *name, char numbers[64]) {
    for (const char *line = list; *line != '\0';) {
        size_t length = strcspn(line, "\n"), first = strcspn(line, " ");
        size_t second = first < length ? first + 1 + strcspn(line + first + 1, " ") : length;
        if (second < length && second < 64 && length - second - 1 == strlen(name) &&
            memcmp(line + second + 1, name, strlen(name)) == 0) {
            snprintf(numbers, 64, "%.*s", (int)second, line);
            return true;
        }
        line += length + (line[length] == '\n');
    }
    return false;
}

static void compare_files(const char *then, const cdg_scene *scene, char changes[CDG_MESSAGE_SIZE]) {
    for (size_t i = 0; i < scene->file_count; i++) {
        const scene_file *file = &scene->files[i];
        char before[64] = "", now[64], clause[400];
        snprintf(now, sizeof now, "%016" PRIx64 " %zu", file->hash, file->size);
        if (find_file(then, file->name, before) && strcmp(before, now) == 0) continue;
        snprintf(clause, sizeof clause, "file '%.300s' has changed", file->name);
        add_clause(changes, clause);
    }
}

static bool has_text(hid_t file, const char *name, const char *expected) {
    char *text = NULL;
    bool is_equal = cdg_hdf5_get_text(file, name, &text) && strcmp(text, expected) == 0;
    free(text);
    return is_equal;
}

// Cuts out when the run steps and ends, which is told apart from the rest when a run is made longer (run_longer.h).
static void cut_times(char *settings) {
    char *first = strstr(settings, "\"step\""), *rest = strstr(settings, "\"energy_guard\"");
    if (first != NULL && rest != NULL && first < rest) memmove(first, rest, strlen(rest) + 1);
}

static bool is_made_longer(hid_t file, const cdg_scene *scene) {
    char *then = NULL;
    bool is_longer = cdg_hdf5_get_text(file, "overrides", &then) && cdg_run_longer_is(then, scene->overrides);
    free(then);
    return is_longer;
}

static cdg_result compare(hid_t file, const char *path, const cdg_scene *scene, char changes[CDG_MESSAGE_SIZE],
                          bool *is_known, cdg_error *error) {
    // A run of another scene or version is refused elsewhere, for that reason.
    bool is_longer = is_made_longer(file, scene);
    if (!has_text(file, "version", cdg_version()) || !has_text(file, "scene", scene->text) ||
        (!is_longer && !has_text(file, "overrides", scene->overrides)))
        return CDG_OK;
    *is_known = H5Aexists(file, "files") > 0 && H5Aexists(file, "instructions") > 0 && H5Aexists(file, "algorithm") > 0;
    if (!*is_known) return CDG_OK;
    char *files = NULL, *instructions = NULL, *settings = NULL, *settings_now = list_settings(scene);
    uint64_t algorithm = 0;
    bool is_read = cdg_hdf5_get_text(file, "files", &files) && cdg_hdf5_get_text(file, "instructions", &instructions) &&
                   cdg_hdf5_get_integer(file, "algorithm", &algorithm) &&
                   cdg_hdf5_get_text(file, "settings", &settings);
    if (is_read && settings_now != NULL) {
        compare_files(files, scene, changes);
        if (is_longer) {
            cut_times(settings);
            cut_times(settings_now);
        }
        const char *name = cdg_processor_lanes_name(cdg_processor_lanes());
        char clause[200];
        snprintf(clause, sizeof clause,
                 "the instruction set was '%.20s' and is '%s' (" CDG_LANES_VARIABLE " chooses it)", instructions, name);
        if (strcmp(instructions, name) != 0) add_clause(changes, clause);
        if (strcmp(settings, settings_now) != 0) add_clause(changes, "options that the scene leaves open have changed");
        if (algorithm != CDG_ALGORITHM_VERSION) add_clause(changes, "the methods of cordage have changed");
    }
    free(files);
    free(instructions);
    free(settings);
    bool has_memory = settings_now != NULL;
    free(settings_now);
    if (is_read && has_memory) return CDG_OK;
    if (!has_memory) return cdg_fail(error, CDG_ERROR_MEMORY, "%s: out of memory", path);
    return cdg_fail(error, CDG_ERROR_FORMAT, "%s: the run is damaged: its attributes", path);
}

cdg_result cdg_run_origin_compare(const char *path, const cdg_scene *scene, char changes[CDG_MESSAGE_SIZE],
                                  bool *is_known, cdg_error *error) {
    changes[0] = '\0';
    *is_known = true;
    cdg_hdf5_quiet quiet;
    cdg_hdf5_quiet_begin(&quiet);
    hid_t file = cdg_hdf5_open(path);
    cdg_result result = CDG_OK;
    if (file < 0) {
        result = cdg_fail(error, CDG_ERROR_FORMAT, "%s: this is not a whole run file: %s", path, quiet.reason);
    } else {
        result = compare(file, path, scene, changes, is_known, error);
        H5Fclose(file);
    }
    cdg_hdf5_quiet_end(&quiet);
    return result;
}
