// Files and directories: short writes, interrupted calls and full disks in one place.
#ifdef __linux__
#define _GNU_SOURCE // fallocate
#endif
#define _DEFAULT_SOURCE // flock
#include "output/disk.h"

#include "base/error.h"
#include "base/regular_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

char *cdg_disk_join(const char *directory, const char *name, const char *suffix) {
    size_t size = strlen(directory) + strlen(name) + strlen(suffix) + 2;
    bool has_slash = directory[0] != '\0' && directory[strlen(directory) - 1] == '/';
    char *path = malloc(size);
    if (path != NULL) snprintf(path, size, "%s%s%s%s", directory, has_slash ? "" : "/", name, suffix);
    return path;
}

static cdg_result fail_directory(const char *path, int number, cdg_error *error) {
    return cdg_fail(error, CDG_ERROR_IO, "%s: cannot make this directory: %s", path, strerror(number));
}

cdg_result cdg_disk_make_directory(const char *path, cdg_error *error) {
    size_t length = strlen(path);
    if (length == 0) return cdg_fail(error, CDG_ERROR_IO, "the output directory has an empty name");
    char *partial = malloc(length + 1);
    if (partial == NULL) return cdg_fail(error, CDG_ERROR_MEMORY, "out of memory for the name of a directory");
    memcpy(partial, path, length + 1);
    cdg_result result = CDG_OK;
    for (size_t i = 1; i <= length && result == CDG_OK; i++) {
        if (partial[i] != '/' && partial[i] != '\0') continue;
        char kept = partial[i];
        partial[i] = '\0';
        struct stat status;
        // Asked first: a parent on a read-only or foreign file system may answer something else than EEXIST.
        if (stat(partial, &status) == 0) {
            if (!S_ISDIR(status.st_mode)) {
                result = cdg_fail(error, CDG_ERROR_IO,
                                  "%s: %s is a file, not a directory; choose another place for the run", path, partial);
            }
        } else if (mkdir(partial, 0777) != 0 && errno != EEXIST) {
            result = fail_directory(path, errno, error);
        }
        partial[i] = kept;
    }
    free(partial);
    return result;
}

cdg_result cdg_disk_lock_directory(const char *path, int *descriptor, cdg_error *error) {
    *descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (*descriptor < 0)
        return cdg_fail(error, CDG_ERROR_IO, "%s: cannot open this directory: %s", path, strerror(errno));
    if (flock(*descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
        close(*descriptor);
        *descriptor = -1;
        return cdg_fail(error, CDG_ERROR_IO,
                        "%s: another run is writing into this directory; wait for it or choose another directory",
                        path);
    }
    return CDG_OK;
}

cdg_result cdg_disk_write_at(int descriptor, const char *path, const void *data, size_t size, uint64_t offset,
                             cdg_error *error) {
    const char *bytes = data;
    while (size > 0) {
        ssize_t written = pwrite(descriptor, bytes, size, (off_t)offset);
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) {
            int number = written < 0 ? errno : ENOSPC;
            return cdg_fail(error, CDG_ERROR_IO, "%s: cannot write: %s", path, strerror(number));
        }
        bytes += written;
        size -= (size_t)written;
        offset += (uint64_t)written;
    }
    return CDG_OK;
}

cdg_result cdg_disk_read_at(int descriptor, const char *path, void *data, size_t size, uint64_t offset,
                            cdg_error *error) {
    char *bytes = data;
    while (size > 0) {
        ssize_t count = pread(descriptor, bytes, size, (off_t)offset);
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) return cdg_fail(error, CDG_ERROR_IO, "%s: cannot read: %s", path, strerror(errno));
        if (count == 0) return cdg_fail(error, CDG_ERROR_FORMAT, "%s: the file ends too early; it was cut off", path);
        bytes += count;
        size -= (size_t)count;
        offset += (uint64_t)count;
    }
    return CDG_OK;
}

// Into the last part of their room, from where they are made wider one after the other.
cdg_result cdg_disk_read_singles_at(int descriptor, const char *path, double *numbers, size_t count, uint64_t offset,
                                    cdg_error *error) {
    char *singles = (char *)numbers + count * sizeof(float);
    cdg_result result = cdg_disk_read_at(descriptor, path, singles, count * sizeof(float), offset, error);
    for (size_t i = 0; i < count && result == CDG_OK; i++) {
        float number;
        memcpy(&number, singles + i * sizeof number, sizeof number);
        numbers[i] = (double)number;
    }
    return result;
}

void cdg_disk_reserve(int descriptor, uint64_t offset, uint64_t size) {
#ifdef FALLOC_FL_KEEP_SIZE
    (void)fallocate(descriptor, FALLOC_FL_KEEP_SIZE, (off_t)offset, (off_t)size); // a full disk shows in the writing
#else
    (void)descriptor, (void)offset, (void)size;
#endif
}

cdg_result cdg_disk_sync(int descriptor, const char *path, cdg_error *error) {
    // EINVAL: a pipe or a device that has nothing to wait for
    if (fsync(descriptor) != 0 && errno != EINVAL) {
        return cdg_fail(error, CDG_ERROR_IO, "%s: cannot write: %s", path, strerror(errno));
    }
    return CDG_OK;
}

cdg_result cdg_disk_replace(const char *from, const char *to, cdg_error *error) {
    if (rename(from, to) != 0) {
        return cdg_fail(error, CDG_ERROR_IO, "%s: cannot put the new file in place: %s", to, strerror(errno));
    }
    return CDG_OK;
}

char *cdg_disk_new_name(const char *path) {
    size_t length = strlen(path);
    char *name = malloc(length + sizeof ".new");
    if (name == NULL) return NULL;
    memcpy(name, path, length);
    memcpy(name + length, ".new", sizeof ".new");
    return name;
}

cdg_result cdg_disk_install_new(const char *path, cdg_error *error) {
    char *name = cdg_disk_new_name(path);
    if (name == NULL) return cdg_fail(error, CDG_ERROR_MEMORY, "%s: out of memory", path);
    cdg_result result = cdg_disk_replace(name, path, error);
    free(name);
    return result;
}

void cdg_disk_discard_new(const char *path) {
    char *name = cdg_disk_new_name(path);
    if (name != NULL) unlink(name);
    free(name);
}

cdg_result cdg_disk_write_file(const char *path, const char *text, size_t size, bool should_sync, cdg_error *error) {
    char *name = cdg_disk_new_name(path);
    if (name == NULL) return cdg_fail(error, CDG_ERROR_MEMORY, "%s: out of memory", path);
    cdg_result result = cdg_regular_file_check_target(name, error);
    int descriptor = result == CDG_OK ? open(name, O_WRONLY | O_CREAT | O_TRUNC | O_NONBLOCK | O_CLOEXEC, 0666) : -1;
    if (result == CDG_OK && descriptor < 0) {
        result = cdg_fail(error, CDG_ERROR_IO, "%s: cannot create: %s", path, strerror(errno));
    } else if (result == CDG_OK) {
        result = cdg_disk_write_at(descriptor, path, text, size, 0, error);
        if (result == CDG_OK && should_sync) result = cdg_disk_sync(descriptor, path, error);
        if (close(descriptor) != 0 && result == CDG_OK) {
            result = cdg_fail(error, CDG_ERROR_IO, "%s: cannot write: %s", path, strerror(errno));
        }
        if (result == CDG_OK) result = cdg_disk_replace(name, path, error);
        if (result != CDG_OK) unlink(name);
    }
    free(name);
    return result;
}

cdg_result cdg_disk_read_file(const char *path, size_t size_limit, char **text, size_t *size, cdg_error *error) {
    return cdg_regular_file_read(path, size_limit, text, size, error);
}

double cdg_disk_clock(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}
