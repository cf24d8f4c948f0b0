// Reading files that somebody else named: regular files only, opened without waiting, of bounded size.
#ifndef CDG_BASE_REGULAR_FILE_H
#define CDG_BASE_REGULAR_FILE_H

#include <cordage/base.h>

// What a mesh, a list of points or a table of roots may take at most.
#define CDG_INPUT_BYTES_MAX ((size_t)1 << 30)

typedef struct cdg_file_bytes { // what was read
    char *data;
    size_t size;
} cdg_file_bytes;

// Opens a regular file for reading. A pipe, device, socket or directory is refused with a sentence and never waited
// for, and so is a file of more than `size_limit` bytes. *size may be NULL. The caller closes *descriptor.
cdg_result cdg_regular_file_open(const char *path, size_t size_limit, int *descriptor, size_t *size, cdg_error *error);
// Whether `path` can be read so.
cdg_result cdg_regular_file_check(const char *path, size_t size_limit, cdg_error *error);
// The whole file; *text is malloc'ed and ends in a zero byte that does not count. NULL and 0 on failure.
cdg_result cdg_regular_file_read(const char *path, size_t size_limit, char **text, size_t *size, cdg_error *error);
// The same, and pipes and terminals as well, which are read to their end (`cordage run <(…)`). A pipe that nobody
// writes into within some seconds is refused. Beyond `size_limit` bytes nothing more is read, and it is refused.
cdg_result cdg_stream_read(const char *path, size_t size_limit, char **text, size_t *size, cdg_error *error);

// Whether a file may be written at `path`: there is none, or a regular one.
cdg_result cdg_regular_file_check_target(const char *path, cdg_error *error);

// Whether the name ends in this extension, such as ".stl", in capitals or not.
bool cdg_path_ends_with(const char *path, const char *extension);

// 64 bits that tell contents apart (FNV-1a); `hash` is 0 at first, or what the bytes before gave.
uint64_t cdg_bytes_hash(uint64_t hash, const void *bytes, size_t size);

#endif
