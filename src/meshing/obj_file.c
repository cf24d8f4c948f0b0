// Wavefront OBJ, of which only corners (v) and faces (f) matter here. Line by line; any bytes are safe.
#define _POSIX_C_SOURCE 200809L // newlocale
#include "meshing/polygon_files.h"

#include "base/error.h"
#include "math/vec3.h"
#include "meshing/triangle_build.h"

#include <locale.h>
#include <stdlib.h>
#include <string.h>

typedef struct reader {
    const char *path;
    size_t line, joined_lines;
    cdg_triangle_build build;
    cdg_error *error;
} reader;

static cdg_result no_memory(const reader *in) {
    return cdg_fail(in->error, CDG_ERROR_MEMORY, "%s: out of memory while reading triangles", in->path);
}

static cdg_result read_vertex(reader *in, const char *text) {
    double value[3];
    for (int k = 0; k < 3; k++) {
        char *end;
        value[k] = strtod(text, &end);
        if (end == text || !isfinite(in->build.scale * value[k]))
            return cdg_fail(in->error, CDG_ERROR_FORMAT, "%s:%zu: a corner needs three finite numbers: v x y z",
                            in->path, in->line);
        text = end;
    }
    return cdg_triangle_build_point(&in->build, vec3(value[0], value[1], value[2])) ? CDG_OK : no_memory(in);
}

static cdg_result no_corner(const reader *in, size_t line) {
    return cdg_fail(in->error, CDG_ERROR_FORMAT,
                    "%s:%zu: a face names a corner that is not there; corners count from 1, or from -1 backwards",
                    in->path, line);
}

// "3", "3/1/2", "-1": the number before the slash counts corners from 1, or back from the latest.
static cdg_result read_face(reader *in, const char *text) {
    uint32_t fan[3] = {0};
    size_t count = 0;
    for (;; count++) {
        text += strspn(text, " \t\r\n");
        if (*text == '\0' || *text == '#') break;
        char *end;
        long long number = strtoll(text, &end, 10), limit = (long long)in->build.mesh.point_count;
        bool is_number = end != text && (*end == '\0' || strchr("/ \t\r\n#", *end) != NULL);
        if (!is_number || number == 0 || number > UINT32_MAX || number < -limit || limit > UINT32_MAX)
            return no_corner(in, in->line);
        uint32_t index = (uint32_t)(number > 0 ? number - 1 : limit + number);
        if (!cdg_triangle_build_corner(&in->build, fan, count, index, in->line)) return no_memory(in);
        text = end + strcspn(end, " \t\r\n#");
    }
    if (count >= 3) return CDG_OK;
    return cdg_fail(in->error, CDG_ERROR_FORMAT, "%s:%zu: a face needs at least three corners", in->path, in->line);
}

// A backslash at the end of a line joins the next one to it.
static char *join_lines(reader *in, char *text, const char *end) {
    char *stop = memchr(text, '\n', (size_t)(end - text));
    while (stop != NULL && stop > text &&
           (stop[-1] == '\\' || (stop[-1] == '\r' && stop - 1 > text && stop[-2] == '\\'))) {
        char *mark = stop[-1] == '\\' ? stop - 1 : stop - 2;
        memset(mark, ' ', (size_t)(stop + 1 - mark));
        in->joined_lines++;
        stop = memchr(stop, '\n', (size_t)(end - stop));
    }
    return stop;
}

static cdg_result read_line(reader *in, const char *text) {
    text += strspn(text, " \t");
    if (text[0] == 'v' && (text[1] == ' ' || text[1] == '\t')) return read_vertex(in, text + 2);
    if (text[0] == 'f' && (text[1] == ' ' || text[1] == '\t')) return read_face(in, text + 2);
    return CDG_OK;
}

// The text is changed: each line ends in a zero while it is read.
static cdg_result read_lines(reader *in, char *text, char *end) {
    for (in->line = 1; text < end; in->line += 1 + in->joined_lines) {
        in->joined_lines = 0;
        char *stop = join_lines(in, text, end);
        if (stop == NULL) stop = end;
        char kept = *stop;
        *stop = '\0';
        cdg_result result = read_line(in, text);
        *stop = kept;
        if (result != CDG_OK) return result;
        if (stop == end) break;
        text = stop + 1;
    }
    return cdg_triangle_build_is_whole(&in->build) ? CDG_OK : no_corner(in, in->build.largest_line);
}

cdg_result cdg_obj_read(const char *path, const cdg_file_bytes *bytes, double scale, cdg_mesh *out, cdg_error *error) {
    // numbers are read the same way whatever language the program speaks; only this thread is affected
    locale_t plain = newlocale(LC_NUMERIC_MASK, "C", (locale_t)0);
    locale_t before = plain != (locale_t)0 ? uselocale(plain) : (locale_t)0;
    reader in = {.path = path, .build = {.scale = scale}, .error = error};
    cdg_result result = read_lines(&in, bytes->data, bytes->data + bytes->size);
    if (plain != (locale_t)0) {
        uselocale(before);
        freelocale(plain);
    }
    if (result == CDG_OK && in.build.mesh.triangle_count == 0)
        result =
            cdg_fail(error, CDG_ERROR_FORMAT, "%s: the file has no faces; an OBJ file needs v and f records", path);
    if (result != CDG_OK) cdg_mesh_free(&in.build.mesh);
    *out = in.build.mesh;
    return result;
}
