// Folders that are there whole or not at all. A folder that is not empty cannot be renamed over, so the old one steps
// aside first; nothing is ever removed but files with the folder's own extension.
#define _POSIX_C_SOURCE 200809L
#include "export/whole_folder.h"

#include "base/error.h"
#include "output/disk.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { SUFFIX_SIZE = 64, ATTEMPT_COUNT = 1000 };

static bool has_extension(const char *name, const char *extension) {
    size_t length = strlen(name), tail = strlen(extension);
    return length > tail && strcmp(name + length - tail, extension) == 0;
}

static bool is_dots(const char *name) { return strcmp(name, ".") == 0 || strcmp(name, "..") == 0; }

static void remove_folder(const char *path, const char *extension) {
    DIR *directory = opendir(path);
    if (directory == NULL) return;
    for (struct dirent *entry = readdir(directory); entry != NULL; entry = readdir(directory)) {
        if (has_extension(entry->d_name, extension)) unlinkat(dirfd(directory), entry->d_name, 0);
    }
    closedir(directory);
    rmdir(path);
}

static cdg_result check_replaceable(const char *path, const char *extension, cdg_error *error) {
    struct stat status;
    if (lstat(path, &status) != 0) {
        if (errno == ENOENT) return CDG_OK;
        return cdg_fail(error, CDG_ERROR_IO, "%s: cannot write here: %s", path, strerror(errno));
    }
    if (!S_ISDIR(status.st_mode)) {
        return cdg_fail(error, CDG_ERROR_IO,
                        "%s: cannot make this folder: something else has its name; choose another with -o", path);
    }
    DIR *directory = opendir(path);
    if (directory == NULL) return cdg_fail(error, CDG_ERROR_IO, "%s: cannot look into it: %s", path, strerror(errno));
    cdg_result result = CDG_OK;
    for (struct dirent *entry = readdir(directory); entry != NULL && result == CDG_OK; entry = readdir(directory)) {
        bool is_file =
            fstatat(dirfd(directory), entry->d_name, &status, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(status.st_mode);
        if (is_dots(entry->d_name) || (is_file && has_extension(entry->d_name, extension))) continue;
        result = cdg_fail(error, CDG_ERROR_IO,
                          "%s: this folder would be replaced, but holds other files than an export ('%.100s'); move "
                          "them away or choose another name with -o",
                          path, entry->d_name);
    }
    closedir(directory);
    return result;
}

// Makes a folder (or, with make false, only finds a free name) beside `path`: "path.partial-123-0".
static cdg_result beside(const char *path, bool make, char **out, cdg_error *error) {
    size_t size = strlen(path) + SUFFIX_SIZE;
    char *name = malloc(size);
    if (name == NULL) return cdg_fail(error, CDG_ERROR_MEMORY, "%s: out of memory", path);
    int number = EEXIST;
    for (int attempt = 0; attempt < ATTEMPT_COUNT && number == EEXIST; attempt++) {
        struct stat status;
        snprintf(name, size, "%s.partial-%ld-%d", path, (long)getpid(), attempt);
        if (make) {
            number = mkdir(name, 0777) == 0 ? 0 : errno;
        } else {
            number = lstat(name, &status) != 0 ? 0 : EEXIST;
        }
    }
    if (number != 0) {
        free(name);
        bool is_absent = number == ENOENT || number == ENOTDIR;
        return cdg_fail(error, CDG_ERROR_IO, "%s: cannot write here: %s", path,
                        is_absent ? "its directory does not exist; make it first" : strerror(number));
    }
    *out = name;
    return CDG_OK;
}

cdg_result cdg_whole_folder_begin(const char *path, const char *extension, cdg_whole_folder *out, cdg_error *error) {
    *out = (cdg_whole_folder){.extension = extension};
    cdg_result result = check_replaceable(path, extension, error);
    if (result != CDG_OK) return result;
    out->path = strdup(path);
    if (out->path == NULL) return cdg_fail(error, CDG_ERROR_MEMORY, "%s: out of memory", path);
    result = beside(path, true, &out->temporary_path, error);
    if (result != CDG_OK) cdg_whole_folder_abandon(out);
    return result;
}

cdg_result cdg_whole_folder_end(cdg_whole_folder *folder, cdg_error *error) {
    char *old = NULL;
    struct stat status;
    cdg_result result = check_replaceable(folder->path, folder->extension, error); // it may have been filled meanwhile
    bool has_old = result == CDG_OK && lstat(folder->path, &status) == 0;
    if (has_old) {
        result = beside(folder->path, false, &old, error);
        if (result == CDG_OK) result = cdg_disk_replace(folder->path, old, error);
        has_old = result == CDG_OK;
    }
    if (result == CDG_OK) {
        result = cdg_disk_replace(folder->temporary_path, folder->path, error);
        if (result == CDG_OK) {
            free(folder->temporary_path);
            folder->temporary_path = NULL;
        } else if (has_old && rename(old, folder->path) == 0) {
            has_old = false;
        }
    }
    if (result == CDG_OK && old != NULL) remove_folder(old, folder->extension);
    free(old);
    cdg_whole_folder_abandon(folder);
    return result;
}

void cdg_whole_folder_abandon(cdg_whole_folder *folder) {
    if (folder->temporary_path != NULL) remove_folder(folder->temporary_path, folder->extension);
    free(folder->path);
    free(folder->temporary_path);
    *folder = (cdg_whole_folder){0};
}
