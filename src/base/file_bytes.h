// A whole file in memory: regular files only, and no larger than told, both said before memory is spent.
#ifndef CDG_BASE_FILE_BYTES_H
#define CDG_BASE_FILE_BYTES_H

#include <cordage/base.h>

typedef struct cdg_file_bytes {
    char *data; // malloc'ed; a zero that does not count follows the last byte
    size_t size;
} cdg_file_bytes;

// Opens a regular file to read; a pipe, a device or a directory gets a sentence, and opening never waits for one.
cdg_result cdg_file_open(const char *path, int *descriptor, uint64_t *size, cdg_error *error);
// CDG_ERROR_IO: it cannot be opened or read; CDG_ERROR_FORMAT: it has more than `most` bytes.
cdg_result cdg_file_bytes_read(const char *path, uint64_t most, cdg_file_bytes *out, cdg_error *error);
void cdg_file_bytes_free(cdg_file_bytes *bytes); // leaves it empty

// Whether the name ends in this extension, such as ".stl", in capitals or not.
bool cdg_path_ends_with(const char *path, const char *extension);

#endif
