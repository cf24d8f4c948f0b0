// The run that stands where a new one is to go. A new run is written beside it, under names that end in ".new", and
// takes its place in three acts, of which the first decides: run.h5 is renamed, the old summary goes, probes.csv is
// renamed. Whoever comes after a process that died in between finishes them.
#define _XOPEN_SOURCE 700 // realpath, linkat
#include "output/old_run.h"

#include "base/error.h"
#include "base/regular_file.h"
#include "output/disk.h"
#include "output/run_info.h"
#include "output/run_origin.h"
#include "output/summary.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

const char *const cdg_run_file_names[CDG_RUN_FILE_COUNT] = {"run.h5", "summary.json", "probes.csv"};
static const char *const signatures[CDG_RUN_FILE_COUNT] = {"\x89HDF\r\n\x1a\n", CDG_SUMMARY_SIGNATURE, "time [s]"};

static cdg_result no_memory(const char *directory, cdg_error *error) {
    return cdg_fail(error, CDG_ERROR_MEMORY, "%s: out of memory", directory);
}

// ---- what is there --------------------------------------------------------------------------------------------------

// An empty file is what a power cut may leave of a run.
static cdg_result check_foreign(const char *path, const char *signature, cdg_error *error) {
    char begin[32] = {0};
    int descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (descriptor < 0) return CDG_OK; // absent; anything else shows when it is replaced
    ssize_t size = read(descriptor, begin, sizeof begin);
    close(descriptor);
    if (size == 0 || (size >= (ssize_t)strlen(signature) && memcmp(begin, signature, strlen(signature)) == 0)) {
        return CDG_OK;
    }
    return cdg_fail(
        error, CDG_ERROR_ARGUMENT,
        "%s: this file was not made by cordage and is not replaced; move it away or choose another directory", path);
}

static cdg_result check(const char *directory, bool should_be_own, cdg_error *error) {
    cdg_result result = CDG_OK;
    for (int i = 0; i < 2 * CDG_RUN_FILE_COUNT && result == CDG_OK; i++) {
        bool is_new = i >= CDG_RUN_FILE_COUNT;
        char *path = cdg_disk_join(directory, cdg_run_file_names[i % CDG_RUN_FILE_COUNT], is_new ? ".new" : "");
        if (path == NULL) return no_memory(directory, error);
        result = cdg_regular_file_check_target(path, error);
        if (result == CDG_OK && !is_new && should_be_own) result = check_foreign(path, signatures[i], error);
        free(path);
    }
    return result;
}

cdg_result cdg_old_run_check(const char *directory, cdg_error *error) { return check(directory, false, error); }
cdg_result cdg_old_run_check_own(const char *directory, cdg_error *error) { return check(directory, true, error); }

cdg_result cdg_old_run_settle(const char *directory, cdg_error *error) {
    char *run = cdg_disk_join(directory, "run.h5", ".new"), *probes = cdg_disk_join(directory, "probes.csv", ""),
         *new_probes = cdg_disk_join(directory, "probes.csv", ".new"),
         *summary = cdg_disk_join(directory, "summary.json", "");
    cdg_result result = CDG_OK;
    if (run == NULL || probes == NULL || new_probes == NULL || summary == NULL) {
        result = no_memory(directory, error);
    } else if (access(run, F_OK) == 0) { // the old run is untouched; in this order, because the rest would mislead
        unlink(new_probes);
        unlink(run);
    } else if (access(new_probes, F_OK) == 0) {
        unlink(summary);
        result = cdg_disk_replace(new_probes, probes, error);
    }
    free(run);
    free(probes);
    free(new_probes);
    free(summary);
    return result;
}

static const char *last_part(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

static cdg_old_run compare(const cdg_run_info *info, const char *path, const cdg_scene *scene) {
    bool is_same = strcmp(info->scene_text, scene->text) == 0 && strcmp(info->overrides, scene->overrides) == 0;
    char changes[CDG_MESSAGE_SIZE];
    bool is_known = false;
    if (is_same && cdg_run_origin_compare(path, scene, changes, &is_known, NULL) == CDG_OK && changes[0] == '\0')
        return CDG_OLD_RUN_SAME;
    bool has_name = strcmp(last_part(info->scene_name), last_part(scene->name)) == 0;
    return is_same || has_name ? CDG_OLD_RUN_EDITED : CDG_OLD_RUN_OTHER;
}

cdg_old_run cdg_old_run_find(const char *directory, const cdg_scene *scene, char *described, size_t size) {
    snprintf(described, size, "a run that cannot be read");
    char *path = cdg_disk_join(directory, "run.h5", "");
    struct stat status;
    if (path == NULL || stat(path, &status) != 0 || status.st_size == 0) {
        free(path);
        return CDG_OLD_RUN_NONE;
    }
    cdg_old_run found = CDG_OLD_RUN_EDITED;
    cdg_run_info info;
    if (cdg_run_info_read(directory, &info, NULL) == CDG_OK) {
        snprintf(described, size, "a run of %.200s with %zu output%s", info.scene_name, info.frame_count,
                 info.frame_count == 1 ? "" : "s");
        found = info.frame_count == 0 ? CDG_OLD_RUN_NONE : compare(&info, path, scene);
        cdg_run_info_free(&info);
    }
    free(path);
    return found;
}

// ---- keeping it -----------------------------------------------------------------------------------------------------

// "dir/" and "dir" give "dir.before"; "." and the like are asked for their names first.
static char *name_before(const char *directory) {
    size_t length = strlen(directory);
    while (length > 1 && directory[length - 1] == '/') length--;
    char *name = strndup(directory, length), *real = NULL;
    if (name == NULL) return NULL;
    const char *last = last_part(name);
    if (strcmp(last, ".") == 0 || strcmp(last, "..") == 0) {
        real = realpath(name, NULL);
        free(name);
        name = real;
    }
    char *where = name != NULL ? malloc(strlen(name) + sizeof ".before") : NULL;
    if (where != NULL) {
        memcpy(where, name, strlen(name));
        memcpy(where + strlen(name), ".before", sizeof ".before");
    }
    free(name);
    return where;
}

// One file of the run under a second name; where the file system has no second names, under that one alone. What the
// run does not have, a run before it may have left there: gone.
static cdg_result keep_file(const char *directory, const char *where, const char *name, cdg_error *error) {
    char *from = cdg_disk_join(directory, name, ""), *to = cdg_disk_join(where, name, ""),
         *between = cdg_disk_join(where, name, ".new");
    cdg_result result = CDG_OK;
    if (from == NULL || to == NULL || between == NULL) {
        result = no_memory(directory, error);
    } else if (access(from, F_OK) != 0) {
        unlink(to);
    } else {
        unlink(between);
        bool is_linked = link(from, between) == 0;
        if (rename(is_linked ? between : from, to) != 0) {
            result = cdg_fail(error, CDG_ERROR_IO, "%s: cannot keep the run that is in %s: %s", to, directory,
                              strerror(errno));
        }
        unlink(between); // two names of one file are not renamed
    }
    free(from);
    free(to);
    free(between);
    return result;
}

cdg_result cdg_old_run_keep(const char *directory, char **where, cdg_error *error) {
    *where = name_before(directory);
    if (*where == NULL) return no_memory(directory, error);
    int lock = -1;
    cdg_result result = cdg_disk_make_directory(*where, error);
    if (result == CDG_OK) result = cdg_disk_lock_directory(*where, &lock, error);
    if (result == CDG_OK) result = cdg_old_run_check_own(*where, error);
    for (int i = 0; i < CDG_RUN_FILE_COUNT && result == CDG_OK; i++)
        result = keep_file(directory, *where, cdg_run_file_names[i], error);
    if (lock >= 0) {
        (void)fsync(lock);
        close(lock);
    }
    return result;
}
