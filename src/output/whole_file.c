// Files that are there whole or not at all: a temporary file beside it, renamed at the end.
#define _XOPEN_SOURCE 700 // realpath
#include "output/whole_file.h"

#include "base/error.h"
#include "output/disk.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    STEM_MAX = 150,      // so that a name of the system's limit, 255, still leaves room for the rest
    EXTENSION_MAX = 32,  // longer ones are no extensions
    SUFFIX_SIZE = 64,    // ".partial-PID-COUNT"
    ATTEMPT_COUNT = 1000 // names of crashed writers that had the same process id
};

static void forget(cdg_whole_file *file) {
    free(file->path);
    free(file->temporary_path);
    *file = (cdg_whole_file){0};
}

void cdg_whole_file_abandon(cdg_whole_file *file) {
    if (file->stream != NULL) fclose(file->stream);
    if (file->temporary_path != NULL && !file->is_direct) unlink(file->temporary_path);
    forget(file);
}

static cdg_result fail_open(const char *path, int number, cdg_error *error) {
    if (number == ENOENT || number == ENOTDIR) {
        return cdg_fail(error, CDG_ERROR_IO, "%s: cannot write here: its directory does not exist; make it first",
                        path);
    }
    return cdg_fail(error, CDG_ERROR_IO, "%s: cannot write here: %s", path, strerror(number));
}

// path "a/film.mp4": "a/film.partial-123-0.mp4". The process id keeps two writers of one path apart.
static void temporary_name(const char *path, int attempt, char *out, size_t size) {
    const char *slash = strrchr(path, '/');
    const char *name = slash != NULL ? slash + 1 : path;
    const char *dot = strrchr(name, '.');
    if (dot == NULL || dot == name || strlen(dot) > EXTENSION_MAX) dot = name + strlen(name);
    size_t stem = (size_t)(dot - name) < STEM_MAX ? (size_t)(dot - name) : STEM_MAX;
    snprintf(out, size, "%.*s%.*s.partial-%ld-%d%s", (int)(name - path), path, (int)stem, name, (long)getpid(), attempt,
             dot);
}

static cdg_result make_temporary(cdg_whole_file *file, int *descriptor, cdg_error *error) {
    assert(file->path != NULL);
    size_t size = strlen(file->path) + SUFFIX_SIZE;
    file->temporary_path = malloc(size);
    if (file->temporary_path == NULL) return cdg_fail(error, CDG_ERROR_MEMORY, "%s: out of memory", file->path);
    *descriptor = -1;
    for (int attempt = 0; attempt < ATTEMPT_COUNT && *descriptor < 0; attempt++) {
        temporary_name(file->path, attempt, file->temporary_path, size);
        *descriptor = open(file->temporary_path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (*descriptor < 0 && errno != EEXIST) break;
    }
    if (*descriptor >= 0) return CDG_OK;
    cdg_result result = fail_open(file->path, errno, error);
    free(file->temporary_path);
    file->temporary_path = NULL;
    return result;
}

// What is at the path decides how it is written: a link is followed, a device or pipe written itself.
static cdg_result look_at(const char *path, bool should_open, cdg_whole_file *file, cdg_error *error) {
    *file = (cdg_whole_file){0};
    if (path[0] == '\0') return cdg_fail(error, CDG_ERROR_IO, "the file to write has an empty name");
    struct stat status;
    bool is_there = stat(path, &status) == 0;
    if ((is_there && S_ISDIR(status.st_mode)) || path[strlen(path) - 1] == '/') {
        return cdg_fail(error, CDG_ERROR_IO, "%s: cannot write here: this is a directory; add the name of a file",
                        path);
    }
    file->is_direct = is_there && !S_ISREG(status.st_mode);
    if (is_there && S_ISFIFO(status.st_mode) && !should_open) { // a library that opens it would wait for a reader
        return cdg_fail(error, CDG_ERROR_IO, "%s: cannot write here: this is a pipe; give the name of a file", path);
    }
    struct stat link;
    bool is_link = is_there && !file->is_direct && lstat(path, &link) == 0 && S_ISLNK(link.st_mode);
    file->path = is_link ? realpath(path, NULL) : strdup(path);
    if (file->path == NULL) return cdg_fail(error, CDG_ERROR_IO, "%s: cannot write here: %s", path, strerror(errno));
    return CDG_OK;
}

// A pipe is not waited for: whoever reads it must be there already.
static cdg_result open_direct(const char *path, int *descriptor, cdg_error *error) {
    *descriptor = open(path, O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (*descriptor < 0 && errno == ENXIO)
        return cdg_fail(error, CDG_ERROR_IO, "%s: cannot write here: nobody reads from this pipe", path);
    if (*descriptor < 0) return fail_open(path, errno, error);
    (void)fcntl(*descriptor, F_SETFL, fcntl(*descriptor, F_GETFL) & ~O_NONBLOCK);
    return CDG_OK;
}

static cdg_result begin(const char *path, bool should_open, cdg_whole_file *out, cdg_error *error) {
    cdg_whole_file file;
    int descriptor = -1;
    cdg_result result = look_at(path, should_open, &file, error);
    if (result == CDG_OK && !file.is_direct) {
        result = make_temporary(&file, &descriptor, error);
    } else if (result == CDG_OK) {
        file.temporary_path = strdup(file.path);
        if (file.temporary_path == NULL) result = cdg_fail(error, CDG_ERROR_MEMORY, "%s: out of memory", path);
        if (result == CDG_OK && should_open) {
            result = open_direct(path, &descriptor, error);
        }
    }
    if (result == CDG_OK && should_open) {
        file.stream = fdopen(descriptor, "wb");
        if (file.stream == NULL) result = cdg_fail(error, CDG_ERROR_MEMORY, "%s: out of memory", path);
    }
    if (file.stream == NULL && descriptor >= 0) close(descriptor);
    if (result != CDG_OK) cdg_whole_file_abandon(&file);
    *out = file;
    return result;
}

cdg_result cdg_whole_file_begin(const char *path, cdg_whole_file *out, cdg_error *error) {
    return begin(path, true, out, error);
}

cdg_result cdg_whole_file_begin_named(const char *path, cdg_whole_file *out, cdg_error *error) {
    return begin(path, false, out, error);
}

cdg_result cdg_whole_file_end(cdg_whole_file *file, cdg_error *error) {
    cdg_result result = CDG_OK;
    if (file->stream != NULL) {
        bool failed_before = ferror(file->stream) != 0; // its reason is lost by now
        bool is_written = fflush(file->stream) == 0 && !failed_before;
        int number = errno;
        is_written = fclose(file->stream) == 0 && is_written;
        file->stream = NULL;
        if (!is_written) {
            const char *reason = failed_before ? "the disk may be full" : strerror(number);
            result = cdg_fail(error, CDG_ERROR_IO, "%s: cannot write: %s", file->path, reason);
        }
    }
    if (result == CDG_OK && !file->is_direct) result = cdg_disk_replace(file->temporary_path, file->path, error);
    if (result == CDG_OK) {
        forget(file);
    } else {
        cdg_whole_file_abandon(file);
    }
    return result;
}

cdg_result cdg_whole_file_write(const char *path, const void *bytes, size_t size, cdg_error *error) {
    cdg_whole_file file;
    cdg_result result = cdg_whole_file_begin(path, &file, error);
    if (result != CDG_OK) return result;
    if (size > 0) fwrite(bytes, 1, size, file.stream); // a failure is noticed at the end
    return cdg_whole_file_end(&file, error);
}
