// Regular files only: whatever else a name may stand for (a pipe, a device) could be waited for or read without end.
#define _POSIX_C_SOURCE 200809L
#include "base/regular_file.h"

#include "base/error.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FIRST_BYTES_WAIT = 10000 }; // ms that a pipe may stay silent before anything came

static const char *kind_of(mode_t mode) {
    if (S_ISDIR(mode)) return "a directory";
    if (S_ISFIFO(mode)) return "a pipe";
    if (S_ISCHR(mode) || S_ISBLK(mode)) return "a device";
    return "a socket";
}

static cdg_result fail_kind(const char *path, mode_t mode, cdg_error *error) {
    return cdg_fail(error, CDG_ERROR_IO, "%s: this is %s; a regular file is needed here", path, kind_of(mode));
}

static cdg_result open_any(const char *path, int *descriptor, struct stat *status, cdg_error *error) {
    *descriptor = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (*descriptor >= 0 && fstat(*descriptor, status) == 0) return CDG_OK;
    int number = errno;
    if (*descriptor >= 0) close(*descriptor);
    *descriptor = -1;
    // a socket cannot be opened at all, and says so in words that help nobody
    if (number == ENXIO && stat(path, status) == 0) return fail_kind(path, status->st_mode, error);
    return cdg_fail(error, CDG_ERROR_IO, "%s: cannot open: %s", path, strerror(number));
}

cdg_result cdg_regular_file_open(const char *path, size_t size_limit, int *descriptor, size_t *size, cdg_error *error) {
    struct stat status;
    cdg_result result = open_any(path, descriptor, &status, error);
    if (result != CDG_OK) return result;
    if (!S_ISREG(status.st_mode)) {
        result = fail_kind(path, status.st_mode, error);
    } else if ((uint64_t)status.st_size > size_limit) {
        result = cdg_fail(error, CDG_ERROR_FORMAT, "%s: the file has %.4g MB; at most %.4g MB are read here", path,
                          (double)status.st_size / 1e6, (double)size_limit / 1e6);
    }
    if (size != NULL) *size = (size_t)status.st_size;
    if (result != CDG_OK) {
        close(*descriptor);
        *descriptor = -1;
    }
    return result;
}

cdg_result cdg_regular_file_check(const char *path, size_t size_limit, cdg_error *error) {
    int descriptor = -1;
    cdg_result result = cdg_regular_file_open(path, size_limit, &descriptor, NULL, error);
    if (descriptor >= 0) close(descriptor);
    return result;
}

static bool make_room(char **text, size_t size, size_t *capacity) { // for a byte and the zero behind
    if (*capacity >= size + 2) return true;
    size_t larger = *capacity < 1024 ? 1024 : 2 * *capacity;
    char *grown = realloc(*text, larger);
    if (grown == NULL) return false;
    *text = grown;
    *capacity = larger;
    return true;
}

// Reads on until the end; one byte more than the limit is enough to be refused for its size. `expected`: what a regular
// file has, for which memory is taken once; others grow.
static cdg_result read_all(int descriptor, const char *path, size_t expected, size_t size_limit, char **text,
                           size_t *size, cdg_error *error) {
    size_t capacity = expected < SIZE_MAX - 2 ? expected + 2 : 0;
    *text = capacity > 0 ? malloc(capacity) : NULL;
    if (*text == NULL)
        return cdg_fail(error, CDG_ERROR_MEMORY, "%s: no memory for its %.4g MB", path, 1e-6 * (double)expected);
    for (;;) {
        if (!make_room(text, *size, &capacity))
            return cdg_fail(error, CDG_ERROR_MEMORY, "%s: no memory to read it", path);
        ssize_t count = read(descriptor, *text + *size, capacity - *size - 1);
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) return cdg_fail(error, CDG_ERROR_IO, "%s: cannot read: %s", path, strerror(errno));
        *size += (size_t)count;
        (*text)[*size] = '\0';
        if (*size > size_limit)
            return cdg_fail(error, CDG_ERROR_FORMAT, "%s: this has more than the %.4g MB that are read here", path,
                            (double)size_limit / 1e6);
        if (count == 0) return CDG_OK;
    }
}

static cdg_result keep_or_free(cdg_result result, char **text, size_t *size) {
    if (result == CDG_OK) return CDG_OK;
    free(*text);
    *text = NULL;
    *size = 0;
    return result;
}

cdg_result cdg_regular_file_read(const char *path, size_t size_limit, char **text, size_t *size, cdg_error *error) {
    *text = NULL;
    *size = 0;
    int descriptor = -1;
    size_t expected = 0;
    cdg_result result = cdg_regular_file_open(path, size_limit, &descriptor, &expected, error);
    if (result != CDG_OK) return result;
    result = read_all(descriptor, path, expected, size_limit, text, size, error);
    close(descriptor);
    return keep_or_free(result, text, size);
}

// A pipe was opened without waiting; whoever writes into it may be late, or never come.
static cdg_result await_writer(int descriptor, const char *path, cdg_error *error) {
    struct pollfd wait = {.fd = descriptor, .events = POLLIN};
    int ready = poll(&wait, 1, FIRST_BYTES_WAIT);
    if (ready == 0)
        return cdg_fail(error, CDG_ERROR_IO, "%s: nothing came through this pipe in %d s", path,
                        FIRST_BYTES_WAIT / 1000);
    if (ready < 0) return cdg_fail(error, CDG_ERROR_IO, "%s: cannot read: %s", path, strerror(errno));
    (void)fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) & ~O_NONBLOCK);
    return CDG_OK;
}

cdg_result cdg_stream_read(const char *path, size_t size_limit, char **text, size_t *size, cdg_error *error) {
    *text = NULL;
    *size = 0;
    int descriptor = -1;
    struct stat status;
    cdg_result result = open_any(path, &descriptor, &status, error);
    if (result != CDG_OK) return result;
    if (S_ISDIR(status.st_mode) || S_ISBLK(status.st_mode)) result = fail_kind(path, status.st_mode, error);
    if (result == CDG_OK && !S_ISREG(status.st_mode)) result = await_writer(descriptor, path, error);
    size_t expected = S_ISREG(status.st_mode) && (uint64_t)status.st_size <= size_limit ? (size_t)status.st_size : 0;
    if (result == CDG_OK) result = read_all(descriptor, path, expected, size_limit, text, size, error);
    close(descriptor);
    return keep_or_free(result, text, size);
}

cdg_result cdg_regular_file_check_target(const char *path, cdg_error *error) {
    struct stat status;
    if (stat(path, &status) != 0 || S_ISREG(status.st_mode)) return CDG_OK; // what else is wrong shows in writing
    return cdg_fail(error, CDG_ERROR_IO, "%s: this is %s; remove it or choose another place", path,
                    kind_of(status.st_mode));
}

bool cdg_path_ends_with(const char *path, const char *extension) {
    if (path == NULL) return false;
    size_t length = strlen(path), size = strlen(extension);
    if (length < size) return false;
    for (size_t i = 0; i < size; i++)
        if (tolower((unsigned char)path[length - size + i]) != tolower((unsigned char)extension[i])) return false;
    return true;
}

uint64_t cdg_bytes_hash(uint64_t hash, const void *bytes, size_t size) {
    const unsigned char *byte = bytes;
    if (hash == 0) hash = 0xCBF29CE484222325u;
    for (size_t i = 0; i < size; i++) hash = (hash ^ byte[i]) * 0x100000001B3u;
    return hash;
}
