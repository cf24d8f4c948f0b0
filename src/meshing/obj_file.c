// Wavefront OBJ, of which only corners (v) and faces (f) matter here. Line by line; any bytes are safe.
#define _POSIX_C_SOURCE 200809L // getline, newlocale
#include "meshing/obj_file.h"

#include "base/error.h"
#include "math/vec3.h"

#include <errno.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct reader {
    const char *path;
    double scale;
    size_t line, vertex_capacity, triangle_capacity;
    cdg_triangles *out;
    cdg_error *error;
} reader;

static cdg_result no_memory(const reader *in) {
    return cdg_fail(in->error, CDG_ERROR_MEMORY, "%s: out of memory while reading triangles", in->path);
}

// Room for one more in an array from malloc; false: there is none.
static bool grow(void **array, size_t count, size_t *capacity, size_t size) {
    if (count < *capacity) return true;
    size_t larger = *capacity > 0 ? 2 * *capacity : 256;
    void *grown = realloc(*array, larger * size);
    if (grown == NULL) return false;
    *array = grown;
    *capacity = larger;
    return true;
}

static cdg_result read_vertex(reader *in, const char *text) {
    double value[3];
    for (int k = 0; k < 3; k++) {
        char *end;
        value[k] = in->scale * strtod(text, &end);
        if (end == text || !isfinite(value[k]))
            return cdg_fail(in->error, CDG_ERROR_FORMAT, "%s:%zu: a corner needs three finite numbers: v x y z",
                            in->path, in->line);
        text = end;
    }
    void *vertices = in->out->vertices;
    bool has_room = grow(&vertices, in->out->vertex_count, &in->vertex_capacity, sizeof(cdg_vec3));
    in->out->vertices = vertices;
    if (!has_room) return no_memory(in);
    in->out->vertices[in->out->vertex_count++] = vec3(value[0], value[1], value[2]);
    return CDG_OK;
}

static cdg_result add_triangle(reader *in, const uint32_t corner[3]) {
    void *triangles = in->out->triangles;
    bool has_room = grow(&triangles, in->out->triangle_count, &in->triangle_capacity, 3 * sizeof(uint32_t));
    in->out->triangles = triangles;
    if (!has_room) return no_memory(in);
    memcpy(in->out->triangles[in->out->triangle_count++], corner, 3 * sizeof *corner);
    return CDG_OK;
}

// "3", "3/1/2", "-1": the number before the slash counts corners from 1, or back from the latest.
static cdg_result read_face(reader *in, const char *text) {
    uint32_t corner[3] = {0};
    size_t count = 0;
    for (;;) {
        text += strspn(text, " \t\r\n");
        if (*text == '\0' || *text == '#') break;
        char *end;
        long long number = strtoll(text, &end, 10);
        long long limit = (long long)in->out->vertex_count;
        bool is_number = end != text && (*end == '\0' || strchr("/ \t\r\n#", *end) != NULL);
        if (!is_number || number == 0 || number > limit || number < -limit || limit > UINT32_MAX)
            return cdg_fail(in->error, CDG_ERROR_FORMAT,
                            "%s:%zu: a face names a corner that is not there; corners count from 1, or from -1 "
                            "backwards, and stand before their faces",
                            in->path, in->line);
        corner[count < 2 ? count : 2] = (uint32_t)(number > 0 ? number - 1 : limit + number);
        if (++count >= 3) {
            cdg_result result = add_triangle(in, corner);
            if (result != CDG_OK) return result;
            corner[1] = corner[2];
        }
        text = end + strcspn(end, " \t\r\n#");
    }
    if (count >= 3) return CDG_OK;
    return cdg_fail(in->error, CDG_ERROR_FORMAT, "%s:%zu: a face needs at least three corners", in->path, in->line);
}

static cdg_result read_lines(reader *in, FILE *file) {
    char *line = NULL;
    size_t room = 0;
    cdg_result result = CDG_OK;
    errno = 0;
    for (in->line = 1; result == CDG_OK && getline(&line, &room, file) >= 0; in->line++) {
        const char *text = line + strspn(line, " \t");
        if (text[0] == 'v' && (text[1] == ' ' || text[1] == '\t')) result = read_vertex(in, text + 2);
        if (text[0] == 'f' && (text[1] == ' ' || text[1] == '\t')) result = read_face(in, text + 2);
    }
    if (result == CDG_OK && ferror(file))
        result = cdg_fail(in->error, CDG_ERROR_IO, "%s: cannot read: %s", in->path, strerror(errno));
    free(line);
    return result;
}

cdg_result cdg_triangles_read(const char *path, double scale, cdg_triangles *out, cdg_error *error) {
    *out = (cdg_triangles){0};
    FILE *file = fopen(path, "rb");
    if (file == NULL) return cdg_fail(error, CDG_ERROR_IO, "%s: cannot open: %s", path, strerror(errno));
    // numbers are read the same way whatever language the program speaks; only this thread is affected
    locale_t plain = newlocale(LC_NUMERIC_MASK, "C", (locale_t)0);
    locale_t before = plain != (locale_t)0 ? uselocale(plain) : (locale_t)0;
    reader in = {.path = path, .scale = scale, .out = out, .error = error};
    cdg_result result = read_lines(&in, file);
    if (plain != (locale_t)0) {
        uselocale(before);
        freelocale(plain);
    }
    fclose(file);
    if (result == CDG_OK && out->triangle_count == 0)
        result = cdg_fail(error, CDG_ERROR_FORMAT,
                          "%s: the file has no faces; a surface is read from an OBJ file with "
                          "v and f records",
                          path);
    if (result != CDG_OK) cdg_triangles_free(out);
    return result;
}

void cdg_triangles_free(cdg_triangles *triangles) {
    free(triangles->vertices);
    free(triangles->triangles);
    *triangles = (cdg_triangles){0};
}
