// A file that is there whole or not at all: written under a temporary name beside it, then renamed.
#ifndef CDG_OUTPUT_WHOLE_FILE_H
#define CDG_OUTPUT_WHOLE_FILE_H

#include <cordage/base.h>

#include <stdio.h>

typedef struct cdg_whole_file {
    char *path, *temporary_path;
    FILE *stream;   // write here; NULL for a file that something else writes to temporary_path
    bool is_direct; // `path` is a device or a pipe, which must not be replaced: it is written itself
} cdg_whole_file;

// Opens the temporary file. CDG_ERROR_IO says why it cannot be made and where; then *out is empty and may be abandoned.
cdg_result cdg_whole_file_begin(const char *path, cdg_whole_file *out, cdg_error *error);
// Only makes the temporary file, empty and with the extension of `path`, for libraries that open files themselves.
cdg_result cdg_whole_file_begin_named(const char *path, cdg_whole_file *out, cdg_error *error);
// Flushes, checks that everything was written, renames; does not wait for the device. On failure the temporary file is
// removed.
cdg_result cdg_whole_file_end(cdg_whole_file *file, cdg_error *error);
// Removes the temporary file; the old file at `path`, if any, stays. Fine after end, too.
void cdg_whole_file_abandon(cdg_whole_file *file);

cdg_result cdg_whole_file_write(const char *path, const void *bytes, size_t size, cdg_error *error); // all in one

#endif
