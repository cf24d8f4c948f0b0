// Only the files that are known to be there are removed.
#define _XOPEN_SOURCE 700 // P_tmpdir
#include "temporary_run.h"

#include "base/error.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

cdg_result temporary_run_begin(char directory[TEMPORARY_PATH_SIZE], cdg_error *error) {
    const char *base = getenv("TMPDIR");
    snprintf(directory, TEMPORARY_PATH_SIZE, "%.250s/cordage-picture-XXXXXX", base != NULL ? base : P_tmpdir);
    if (mkdtemp(directory) != NULL) return CDG_OK;
    cdg_result result = cdg_fail(error, CDG_ERROR_IO, "%s: cannot make a directory for a picture", directory);
    directory[0] = '\0';
    return result;
}

void temporary_run_end(const char *directory) {
    static const char *const names[] = {"run.h5", "probes.csv", "summary.json", "picture.png"};
    if (directory == NULL || directory[0] == '\0') return;
    char path[TEMPORARY_PATH_SIZE + 20];
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        snprintf(path, sizeof path, "%s/%s", directory, names[i]);
        unlink(path);
    }
    rmdir(directory);
}
