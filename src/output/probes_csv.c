// probes.csv: RFC 4180 with a heading; numbers with 17 digits, so that reading them gives the same bits.
#define _POSIX_C_SOURCE 200809L
#include "output/probes_csv.h"

#include "base/error.h"
#include "base/regular_file.h"
#include "output/disk.h"
#include "output/number.h"
#include "output/probe_row.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct cdg_probes_csv {
    char *path;
    int descriptor;
    uint64_t size; // bytes written: lines are put there, so a line that failed half-way is overwritten, not continued
    cdg_probe_row row;
    double *values;             // room for one row
    const cdg_run_peaks *peaks; // NULL: not watched
    char *heading;
    char *line; // room for one line
};

static void free_file(cdg_probes_csv *file) {
    if (file == NULL) return;
    if (file->descriptor >= 0) close(file->descriptor);
    cdg_probe_row_free(&file->row);
    free(file->values);
    free(file->heading);
    free(file->line);
    free(file->path);
    free(file);
}

// Appends "title," to the heading; a title with a comma or a quote (none has today) is quoted.
static size_t put_title(char *out, const char *title) {
    size_t length = 0;
    bool is_quoted = strpbrk(title, ",\"\r\n") != NULL;
    if (is_quoted) out[length++] = '"';
    for (; *title != '\0'; title++) {
        if (*title == '"') out[length++] = '"';
        out[length++] = *title;
    }
    if (is_quoted) out[length++] = '"';
    out[length] = '\0';
    return length;
}

static cdg_result make_heading(cdg_probes_csv *file, cdg_error *error) {
    const cdg_probe_row *row = &file->row;
    size_t size = sizeof "time [s]\n";
    for (size_t i = 0; i < row->column_count; i++)
        size += 2 * strlen(row->titles[i]) + 3; // every character may be a quote, which is doubled
    file->heading = malloc(size);
    file->line = malloc((row->column_count + 1) * CDG_NUMBER_SIZE + 1);
    file->values = malloc((row->column_count + 1) * sizeof *file->values);
    if (file->heading == NULL || file->line == NULL || file->values == NULL)
        return cdg_fail(error, CDG_ERROR_MEMORY, "%s: out of memory", file->path);
    size_t used = put_title(file->heading, "time [s]");
    for (size_t i = 0; i < row->column_count; i++) {
        file->heading[used++] = ',';
        used += put_title(file->heading + used, row->titles[i]);
    }
    file->heading[used++] = '\n';
    file->heading[used] = '\0';
    return CDG_OK;
}

static cdg_result make_file(const char *path, const cdg_scene *scene, const cdg_world *world, cdg_probes_csv **out,
                            cdg_error *error) {
    *out = NULL;
    cdg_probes_csv *file = calloc(1, sizeof *file);
    if (file == NULL) return cdg_fail(error, CDG_ERROR_MEMORY, "%s: out of memory", path);
    file->descriptor = -1;
    file->path = strdup(path);
    if (file->path == NULL) {
        free_file(file);
        return cdg_fail(error, CDG_ERROR_MEMORY, "%s: out of memory", path);
    }
    cdg_result result = cdg_probe_row_make(scene, world, &file->row, error);
    if (result == CDG_OK) result = make_heading(file, error);
    if (result != CDG_OK) {
        free_file(file);
        return result;
    }
    *out = file;
    return CDG_OK;
}

cdg_result cdg_probes_csv_stage(const char *path, const cdg_scene *scene, const cdg_world *world, cdg_probes_csv **out,
                                cdg_error *error) {
    cdg_probes_csv *file = NULL;
    cdg_result result = make_file(path, scene, world, &file, error);
    *out = NULL;
    if (result != CDG_OK) return result;
    assert(file != NULL);
    char *name = cdg_disk_new_name(path);
    if (name == NULL) {
        result = cdg_fail(error, CDG_ERROR_MEMORY, "%s: out of memory", path);
    } else {
        result = cdg_regular_file_check_target(name, error);
    }
    if (result == CDG_OK) {
        file->descriptor = open(name, O_WRONLY | O_CREAT | O_TRUNC | O_NONBLOCK | O_CLOEXEC, 0666);
        if (file->descriptor < 0) {
            result = cdg_fail(error, CDG_ERROR_IO, "%s: cannot create: %s", path, strerror(errno));
        }
    }
    if (result == CDG_OK) {
        file->size = strlen(file->heading);
        result = cdg_disk_write_at(file->descriptor, path, file->heading, file->size, 0, error);
    }
    if (result != CDG_OK) {
        if (file->descriptor >= 0) unlink(name);
        free_file(file);
        file = NULL;
    }
    free(name);
    *out = file;
    return result;
}

cdg_result cdg_probes_csv_install(cdg_probes_csv *file, cdg_error *error) {
    return cdg_disk_install_new(file->path, error);
}

void cdg_probes_csv_discard(cdg_probes_csv *file) {
    if (file == NULL) return;
    cdg_disk_discard_new(file->path);
    free_file(file);
}

cdg_result cdg_probes_csv_sync(cdg_probes_csv *file, cdg_error *error) {
    return cdg_disk_sync(file->descriptor, file->path, error);
}

// Where the wanted number of lines ends; 0 when the text does not have them.
static size_t find_end(const char *text, size_t size, size_t skip, size_t line_count, double time) {
    size_t begin = skip, end = skip;
    for (size_t i = 0; i < line_count; i++) {
        const char *newline = memchr(text + end, '\n', size - end);
        if (newline == NULL) return 0;
        begin = end;
        end = (size_t)(newline - text) + 1;
    }
    char expected[CDG_NUMBER_SIZE];
    size_t length = cdg_number_exact(time, expected);
    bool has_time = end - begin > length && memcmp(text + begin, expected, length) == 0 &&
                    (text[begin + length] == ',' || text[begin + length] == '\n');
    return has_time ? end : 0;
}

cdg_result cdg_probes_csv_reopen(const char *path, const cdg_scene *scene, const cdg_world *world, size_t line_count,
                                 double time, cdg_probes_csv **out, cdg_error *error) {
    cdg_probes_csv *file = NULL;
    char *text = NULL;
    size_t size = 0;
    *out = NULL;
    cdg_result result = make_file(path, scene, world, &file, error);
    if (result != CDG_OK) return result;
    assert(file != NULL);
    cdg_error cause = {0};
    if (cdg_disk_read_file(path, SIZE_MAX / 2, &text, &size, &cause) != CDG_OK) {
        result = cdg_fail(error, CDG_ERROR_FORMAT, "%.900s; a run without its probes cannot be resumed", cause.message);
    } else {
        size_t heading = strlen(file->heading);
        bool has_heading = size >= heading && memcmp(text, file->heading, heading) == 0;
        size_t end = has_heading ? find_end(text, size, heading, line_count, time) : 0;
        if (!has_heading) {
            result = cdg_fail(error, CDG_ERROR_FORMAT, "%s: the columns are not those of the scene's probes", path);
        } else if (end == 0) {
            result = cdg_fail(error, CDG_ERROR_FORMAT,
                              "%s: the first %zu outputs, until %g s, are missing or damaged; run the scene anew", path,
                              line_count, time);
        } else {
            file->size = end;
            file->descriptor = open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC);
            if (file->descriptor < 0 || ftruncate(file->descriptor, (off_t)end) != 0) {
                result = cdg_fail(error, CDG_ERROR_IO, "%s: cannot open for writing: %s", path, strerror(errno));
            }
        }
    }
    free(text);
    if (result != CDG_OK) {
        free_file(file);
        file = NULL;
    }
    *out = file;
    return result;
}

void cdg_probes_csv_set_peaks(cdg_probes_csv *file, const cdg_run_peaks *peaks) { file->peaks = peaks; }

cdg_result cdg_probes_csv_write(cdg_probes_csv *file, const cdg_world *world, cdg_error *error) {
    cdg_result result = cdg_probe_row_measure(&file->row, world, file->peaks, file->values, error);
    if (result != CDG_OK) return result;
    size_t used = cdg_number_exact(cdg_world_time(world), file->line);
    for (size_t i = 0; i < file->row.column_count; i++) {
        file->line[used++] = ',';
        used += cdg_number_exact(file->values[i], file->line + used);
    }
    file->line[used++] = '\n';
    result = cdg_disk_write_at(file->descriptor, file->path, file->line, used, file->size, error);
    if (result == CDG_OK) {
        file->size += used;
    } else {
        int ignored = ftruncate(file->descriptor, (off_t)file->size); // if half a line stays, resuming cuts it off
        (void)ignored;
    }
    return result;
}

cdg_result cdg_probes_csv_close(cdg_probes_csv *file, cdg_error *error) {
    if (file == NULL) return CDG_OK;
    cdg_result result = cdg_disk_sync(file->descriptor, file->path, error);
    if (close(file->descriptor) != 0 && result == CDG_OK) {
        result = cdg_fail(error, CDG_ERROR_IO, "%s: cannot write: %s", file->path, strerror(errno));
    }
    file->descriptor = -1;
    free_file(file);
    return result;
}
