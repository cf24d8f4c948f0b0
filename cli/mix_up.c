// A name that a command cannot use is looked at before it is read, so that the message says what it is.
#include "mix_up.h"

#include "base/error.h"
#include "scene_source.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PATH_SIZE = 4096 };

static bool ends_with(const char *text, const char *end) {
    size_t length = strlen(text), size = strlen(end);
    return length >= size && strcmp(text + length - size, end) == 0;
}

static bool is_file(const char *path) {
    struct stat status;
    return stat(path, &status) == 0 && S_ISREG(status.st_mode);
}

static bool is_directory(const char *path) {
    struct stat status;
    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

static bool holds_run(const char *directory) {
    char path[PATH_SIZE];
    int length = snprintf(path, sizeof path, "%s/run.h5", directory);
    return length > 0 && (size_t)length < sizeof path && is_file(path);
}

// The directory that a file is in, "." for a name alone.
static void parent_of(const char *path, char out[PATH_SIZE]) {
    const char *slash = strrchr(path, '/');
    size_t length = slash == NULL ? 0 : slash == path ? 1 : (size_t)(slash - path);
    snprintf(out, PATH_SIZE, "%.*s", length > 0 ? (int)length : 1, length > 0 ? path : ".");
}

// "cable" of "dir/cable.yaml".
static void base_of(const char *path, char out[256]) {
    const char *slash = strrchr(path, '/'), *start = slash != NULL ? slash + 1 : path, *dot = strrchr(start, '.');
    snprintf(out, 256, "%.*s", dot != NULL && dot != start ? (int)(dot - start) : (int)strlen(start), start);
}

static bool has_scene_ending(const char *argument) {
    return ends_with(argument, ".yaml") || ends_with(argument, ".yml") ||
           (ends_with(argument, ".json") && !ends_with(argument, "summary.json"));
}

bool names_scene(const char *argument) {
    struct stat status;
    if (stat(argument, &status) != 0) return has_scene_ending(argument) || find_example(argument) != NULL;
    return S_ISREG(status.st_mode) && has_scene_ending(argument);
}

bool is_no_run(const char *argument, const char *command, cdg_error *error) {
    char where[PATH_SIZE], base[256];
    bool is_scene = has_scene_ending(argument);
    if (access(argument, F_OK) != 0 && find_example(argument) != NULL) {
        cdg_fail(error, CDG_ERROR_ARGUMENT,
                 "%s is an example's name, and 'cordage %s' takes a run; first run it: cordage run %s, then: cordage "
                 "%s %s-run",
                 argument, command, argument, command, argument);
        return true;
    }
    if (!is_file(argument)) {
        if (!is_directory(argument) || holds_run(argument)) return false;
        cdg_fail(error, CDG_ERROR_ARGUMENT,
                 "%s: there is no run.h5 in this directory; 'cordage run SCENE -o %s' makes one", argument, argument);
        return true;
    }
    if (is_scene) {
        base_of(argument, base);
        cdg_fail(error, CDG_ERROR_ARGUMENT,
                 "%s is a scene, and 'cordage %s' takes a run; first run it: cordage run %s, then: cordage %s %s-run",
                 argument, command, argument, command, base);
        return true;
    }
    parent_of(argument, where);
    if ((ends_with(argument, "probes.csv") || ends_with(argument, "summary.json")) && holds_run(where)) {
        cdg_fail(error, CDG_ERROR_ARGUMENT, "%s is a part of a run; name the run itself: cordage %s %s", argument,
                 command, where);
        return true;
    }
    return false;
}

bool is_no_scene(const char *argument, cdg_error *error) {
    char where[PATH_SIZE];
    if (is_directory(argument)) {
        if (!holds_run(argument)) {
            cdg_fail(error, CDG_ERROR_ARGUMENT,
                     "%s: this is a directory; a scene is a file such as scene.yaml, or the name of an example, which "
                     "'cordage examples' lists",
                     argument);
            return true;
        }
        snprintf(where, sizeof where, "%s", argument);
    } else {
        parent_of(argument, where);
        bool is_part =
            ends_with(argument, ".h5") || ends_with(argument, "probes.csv") || ends_with(argument, "summary.json");
        if (!is_file(argument) || !is_part || !holds_run(where)) return false;
    }
    cdg_fail(
        error, CDG_ERROR_ARGUMENT,
        "%s is a run, not a scene; 'cordage info %s' tells about it, 'cordage run --resume %s' goes on with one that "
        "was interrupted, and with '--until T' with any",
        argument, where, where);
    return true;
}

// Makes the first directory of the way that is missing, and removes it again.
bool can_hold_run(const char *directory, cdg_error *error) {
    char path[PATH_SIZE], parent[PATH_SIZE];
    snprintf(path, sizeof path, "%s", directory);
    for (size_t length = strlen(path); length > 1 && path[length - 1] == '/';) path[--length] = '\0';
    for (;;) {
        struct stat status;
        if (stat(path, &status) == 0) {
            if (S_ISDIR(status.st_mode) && access(path, W_OK) == 0) return true;
            bool is_there = S_ISDIR(status.st_mode);
            cdg_fail(error, CDG_ERROR_ARGUMENT, "-o %s: %s %s; choose another place for the run", directory, path,
                     is_there ? "may not be written to" : "is a file, not a directory");
            return false;
        }
        parent_of(path, parent);
        if (strcmp(parent, path) == 0 || is_directory(parent)) break;
        memcpy(path, parent, sizeof path);
    }
    if (mkdir(path, 0777) != 0) {
        cdg_fail(error, CDG_ERROR_ARGUMENT, "-o %s: %s cannot be made: %s; choose another place for the run", directory,
                 path, strerror(errno));
        return false;
    }
    rmdir(path);
    return true;
}
