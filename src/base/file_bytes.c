// Reading whole files safely: what is opened is looked at before anything is read from it.
#define _POSIX_C_SOURCE 200809L // O_CLOEXEC
#include "base/file_bytes.h"

#include "base/error.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool cdg_path_ends_with(const char *path, const char *extension) {
    if (path == NULL) return false;
    size_t length = strlen(path), size = strlen(extension);
    if (length < size) return false;
    for (size_t i = 0; i < size; i++)
        if (tolower((unsigned char)path[length - size + i]) != tolower((unsigned char)extension[i])) return false;
    return true;
}

cdg_result cdg_file_open(const char *path, int *descriptor, uint64_t *size, cdg_error *error) {
    struct stat status;
    // without O_NONBLOCK, opening a pipe waits until somebody writes into it
    *descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (*descriptor < 0) return cdg_fail(error, CDG_ERROR_IO, "%s: cannot open: %s", path, strerror(errno));
    const char *fault = NULL;
    if (fstat(*descriptor, &status) != 0)
        fault = strerror(errno);
    else if (S_ISDIR(status.st_mode))
        fault = "this is a directory; name a file in it";
    else if (!S_ISREG(status.st_mode))
        fault = "this is a pipe or a device; copy it into a file first";
    if (fault == NULL) {
        *size = (uint64_t)status.st_size;
        return CDG_OK;
    }
    close(*descriptor);
    *descriptor = -1;
    return cdg_fail(error, CDG_ERROR_IO, "%s: cannot read: %s", path, fault);
}

static cdg_result read_all(int descriptor, const char *path, cdg_file_bytes *bytes, cdg_error *error) {
    size_t done = 0;
    while (done < bytes->size) {
        ssize_t count = read(descriptor, bytes->data + done, bytes->size - done);
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) return cdg_fail(error, CDG_ERROR_IO, "%s: cannot read: %s", path, strerror(errno));
        if (count == 0) break; // it became shorter meanwhile
        done += (size_t)count;
    }
    bytes->size = done;
    bytes->data[done] = '\0';
    return CDG_OK;
}

cdg_result cdg_file_bytes_read(const char *path, uint64_t most, cdg_file_bytes *out, cdg_error *error) {
    *out = (cdg_file_bytes){0};
    int descriptor;
    uint64_t size;
    cdg_result result = cdg_file_open(path, &descriptor, &size, error);
    if (result != CDG_OK) return result;
    if (size > most || size >= SIZE_MAX) {
        close(descriptor);
        return cdg_fail(error, CDG_ERROR_FORMAT, "%s: the file has %.4g MB; at most %.4g MB are read", path,
                        1e-6 * (double)size, 1e-6 * (double)most);
    }
    out->size = (size_t)size;
    out->data = malloc(out->size + 1);
    result = out->data != NULL
                 ? read_all(descriptor, path, out, error)
                 : cdg_fail(error, CDG_ERROR_MEMORY, "%s: no memory for its %.4g MB", path, 1e-6 * (double)size);
    close(descriptor);
    if (result != CDG_OK) cdg_file_bytes_free(out);
    return result;
}

void cdg_file_bytes_free(cdg_file_bytes *bytes) {
    free(bytes->data);
    *bytes = (cdg_file_bytes){0};
}
