// Points from text files: CSV (x, y, z a line) and Wavefront OBJ (v and l records). One pass over the bytes, then, for
// OBJ, one walk along the edges, both linear in the file's size. Any bytes are safe: what is not understood is an
// error with its line.
#define _POSIX_C_SOURCE 200809L // newlocale

#include "geometry/points_file.h"

#include "base/error.h"
#include "base/regular_file.h"
#include "math/vec3.h"

#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TOKEN_MAX = 400, SHOWN_MAX = 32 };

typedef struct line_edge {
    size_t vertex[2]; // counted from 0
    size_t line;
} line_edge;

// Everything known about the file being read.
typedef struct reader {
    const char *path;
    char *text;
    size_t size, position;
    size_t line; // of `position`, counted from 1
    cdg_vec3 *points;
    size_t *point_lines;
    size_t point_count, point_capacity;
    line_edge *edges; // OBJ
    size_t edge_count, edge_capacity;
    cdg_error *error;
} reader;

// ---- text -----------------------------------------------------------------------------------------------------------

static cdg_result no_memory(const reader *in) {
    cdg_fail(in->error, CDG_ERROR_MEMORY, "%s: out of memory while reading points", in->path);
    return CDG_ERROR_MEMORY;
}

// Reads the whole file and ends it with a zero; refuses zeros inside at once, so that an endless device stops too.
static cdg_result read_text(reader *in) {
    cdg_result result = cdg_regular_file_read(in->path, CDG_INPUT_BYTES_MAX, &in->text, &in->size, in->error);
    if (result != CDG_OK) return result;
    if (memchr(in->text, '\0', in->size) != NULL)
        return cdg_fail(in->error, CDG_ERROR_FORMAT,
                        "%s: holds zero bytes, so it is not plain text; save it as CSV or OBJ in UTF-8", in->path);
    if (in->size >= 3 && memcmp(in->text, "\xEF\xBB\xBF", 3) == 0) in->position = 3; // byte order mark
    return CDG_OK;
}

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\v' || c == '\f'; }
static bool is_line_end(char c) { return c == '\n' || c == '\r' || c == '\0'; }

static void skip_blanks(reader *in) {
    while (is_blank(in->text[in->position])) ++in->position;
}

// True at the end of what the line says: its end or a comment.
static bool at_line_end(const reader *in) {
    char c = in->text[in->position];
    return is_line_end(c) || c == '#';
}

// Goes to the next line; "\r\n" is one end, a lone "\r" also.
static void next_line(reader *in) {
    while (!is_line_end(in->text[in->position])) ++in->position;
    if (in->text[in->position] == '\0') return;
    if (in->text[in->position] == '\r' && in->text[in->position + 1] == '\n') ++in->position;
    ++in->position;
    ++in->line;
}

static bool is_at_end(const reader *in) { return in->position >= in->size; }

typedef struct token {
    const char *text;
    size_t size;
} token;

// The text up to a blank, the line's end, a comment or one of `separators`.
static token next_token(reader *in, const char *separators) {
    const char *start = in->text + in->position, *end = start;
    while (!is_blank(*end) && !is_line_end(*end) && *end != '#' && strchr(separators, *end) == NULL) ++end;
    in->position += (size_t)(end - start);
    return (token){start, (size_t)(end - start)};
}

// A token for a message: at most SHOWN_MAX characters, printable ones only.
typedef struct shown_token {
    char text[SHOWN_MAX + 4];
} shown_token;

static shown_token show(token value) {
    shown_token shown;
    size_t count = value.size < SHOWN_MAX ? value.size : SHOWN_MAX;
    for (size_t i = 0; i < count; ++i) {
        shown.text[i] = value.text[i] >= ' ' && value.text[i] <= '~' ? value.text[i] : '?';
    }
    memcpy(shown.text + count, value.size > SHOWN_MAX ? "..." : "\0\0\0", 4);
    return shown;
}

// A decimal number; false when the token is none or is too large. "nan", "inf" and hexadecimal numbers are refused by
// their letters. The caller has set the C locale, so that the decimal point is a point.
static bool parse_number(token value, double *out) {
    if (value.size == 0 || value.size > TOKEN_MAX) return false;
    char text[TOKEN_MAX + 1];
    for (size_t i = 0; i < value.size; ++i) {
        char c = value.text[i];
        if (!(c >= '0' && c <= '9') && strchr("+-.eE", c) == NULL) return false;
        text[i] = c;
    }
    text[value.size] = '\0';
    char *end;
    *out = strtod(text, &end);
    return end == text + value.size && isfinite(*out);
}

static bool add_point(reader *in, cdg_vec3 point, size_t line) {
    if (in->point_count == in->point_capacity) {
        size_t capacity = in->point_capacity > 0 ? 2 * in->point_capacity : 256;
        cdg_vec3 *points = realloc(in->points, capacity * sizeof *points);
        if (points == NULL) return false;
        in->points = points;
        size_t *lines = realloc(in->point_lines, capacity * sizeof *lines);
        if (lines == NULL) return false;
        in->point_lines = lines;
        in->point_capacity = capacity;
    }
    in->points[in->point_count] = point;
    in->point_lines[in->point_count++] = line;
    return true;
}

// ---- CSV ------------------------------------------------------------------------------------------------------------

typedef struct csv_row {
    double value[3];
    size_t value_count; // tokens, numbers or not
    bool is_data;       // some value is a number or looks like one, so the row is no header
    token bad;          // the first that is no number
    bool has_gap;       // two separators with nothing between
    bool has_semicolon;
} csv_row;

// Whether a token that is no finite number was meant as one: "1e999", "12x", "-nan", "inf".
static bool looks_numeric(token value) {
    char first = value.text[0];
    if ((first >= '0' && first <= '9') || first == '+' || first == '-' || first == '.') return true;
    if (value.size < 3) return false;
    char word[4] = {(char)(value.text[0] | 32), (char)(value.text[1] | 32), (char)(value.text[2] | 32), '\0'};
    return strcmp(word, "nan") == 0 || strcmp(word, "inf") == 0;
}

static csv_row read_row(reader *in) {
    csv_row row = {.value_count = 0};
    bool is_separated = true; // a value may follow
    skip_blanks(in);
    while (!at_line_end(in)) {
        char c = in->text[in->position];
        if (c == ',' || c == ';') {
            if (is_separated) row.has_gap = true;
            if (c == ';') row.has_semicolon = true;
            is_separated = true;
            ++in->position;
        } else {
            token value = next_token(in, ",;");
            double number = 0;
            bool is_number = parse_number(value, &number);
            if (is_number && row.value_count < 3) row.value[row.value_count] = number;
            if (is_number || looks_numeric(value)) row.is_data = true;
            if (!is_number && row.bad.text == NULL) row.bad = value;
            ++row.value_count;
            is_separated = false;
        }
        skip_blanks(in);
    }
    return row;
}

static cdg_result check_row(const reader *in, const csv_row *row) {
    if (row->bad.text != NULL) {
        return cdg_fail(in->error, CDG_ERROR_FORMAT,
                        "%s:%zu: '%s' is not a finite number; a line holds x, y and z, for example: 0.1, 0, 2.5e-3",
                        in->path, in->line, show(row->bad).text);
    }
    if (row->has_gap) {
        return cdg_fail(in->error, CDG_ERROR_FORMAT,
                        "%s:%zu: a value is missing between two separators; give x, y and z", in->path, in->line);
    }
    if (row->value_count != 3) {
        const char *hint = row->has_semicolon && row->value_count > 3 ? " (decimals are written with a point)" : "";
        return cdg_fail(in->error, CDG_ERROR_FORMAT, "%s:%zu: %zu values where x, y and z are expected%s", in->path,
                        in->line, row->value_count, hint);
    }
    return CDG_OK;
}

static cdg_result read_csv(reader *in) {
    for (bool is_first = true; !is_at_end(in); next_line(in)) {
        skip_blanks(in);
        if (at_line_end(in)) continue;
        csv_row row = read_row(in);
        bool is_header = is_first && !row.is_data && row.value_count > 0;
        is_first = false;
        if (is_header) continue;
        cdg_result result = check_row(in, &row);
        if (result != CDG_OK) return result;
        if (!add_point(in, vec3(row.value[0], row.value[1], row.value[2]), in->line)) return no_memory(in);
    }
    return CDG_OK;
}

// ---- OBJ ------------------------------------------------------------------------------------------------------------

// Blanks, and line ends hidden by a backslash.
static void skip_obj_blanks(reader *in) {
    for (;;) {
        skip_blanks(in);
        if (in->text[in->position] != '\\') return;
        char next = in->text[in->position + 1];
        if (next != '\n' && next != '\r') return;
        ++in->position;
        next_line(in);
    }
}

static cdg_result read_vertex(reader *in) {
    size_t line = in->line;
    double value[3];
    for (int i = 0; i < 3; ++i) {
        skip_obj_blanks(in);
        if (at_line_end(in)) {
            return cdg_fail(in->error, CDG_ERROR_FORMAT, "%s:%zu: a v record has %d of its three coordinates", in->path,
                            line, i);
        }
        token text = next_token(in, "\\");
        if (!parse_number(text, &value[i])) {
            return cdg_fail(in->error, CDG_ERROR_FORMAT, "%s:%zu: '%s' is not a finite number; write v x y z", in->path,
                            in->line, show(text).text);
        }
    }
    // a weight or a colour may follow; neither matters here
    return add_point(in, vec3(value[0], value[1], value[2]), line) ? CDG_OK : no_memory(in);
}

// "5", "-1" or "5/2" (the part after the slash names a texture) as a vertex counted from 0; its range is checked later,
// as vertices may follow their use.
static bool parse_index(const reader *in, token text, size_t *out) {
    bool is_negative = text.size > 0 && text.text[0] == '-';
    size_t i = is_negative ? 1 : 0, value = 0, first = i;
    for (; i < text.size && text.text[i] >= '0' && text.text[i] <= '9'; ++i) {
        if (value > SIZE_MAX / 100) return false;
        value = 10 * value + (size_t)(text.text[i] - '0');
    }
    if (i == first || value == 0 || (i < text.size && text.text[i] != '/')) return false;
    if (is_negative && value > in->point_count) return false;
    *out = is_negative ? in->point_count - value : value - 1;
    return true;
}

static bool add_edge(reader *in, line_edge edge) {
    if (in->edge_count == in->edge_capacity) {
        size_t capacity = in->edge_capacity > 0 ? 2 * in->edge_capacity : 256;
        line_edge *edges = realloc(in->edges, capacity * sizeof *edges);
        if (edges == NULL) return false;
        in->edges = edges;
        in->edge_capacity = capacity;
    }
    in->edges[in->edge_count++] = edge;
    return true;
}

static cdg_result read_line_record(reader *in) {
    size_t line = in->line, before = 0, count = 0;
    for (;; ++count) {
        skip_obj_blanks(in);
        if (at_line_end(in)) break;
        token text = next_token(in, "\\");
        size_t vertex;
        if (!parse_index(in, text, &vertex)) {
            return cdg_fail(in->error, CDG_ERROR_FORMAT,
                            "%s:%zu: '%s' is not the number of a vertex; count from 1, or from -1 for the latest",
                            in->path, in->line, show(text).text);
        }
        if (count > 0 && vertex == before) {
            return cdg_fail(in->error, CDG_ERROR_FORMAT, "%s:%zu: vertex %zu follows itself; name it once", in->path,
                            in->line, vertex + 1);
        }
        if (count > 0 && !add_edge(in, (line_edge){{before, vertex}, in->line})) return no_memory(in);
        before = vertex;
    }
    if (count < 2) {
        return cdg_fail(in->error, CDG_ERROR_FORMAT, "%s:%zu: an l record needs at least two vertices", in->path, line);
    }
    return CDG_OK;
}

// Up to two edges at each vertex; SIZE_MAX: none.
typedef struct vertex_edges {
    size_t edge[2];
} vertex_edges;

static cdg_result connect_edges(const reader *in, vertex_edges *at) {
    for (size_t i = 0; i < in->point_count; ++i) at[i] = (vertex_edges){{SIZE_MAX, SIZE_MAX}};
    for (size_t e = 0; e < in->edge_count; ++e) {
        for (int side = 0; side < 2; ++side) {
            size_t vertex = in->edges[e].vertex[side];
            if (vertex >= in->point_count) {
                return cdg_fail(in->error, CDG_ERROR_FORMAT, "%s:%zu: there is no vertex %zu; the file has %zu",
                                in->path, in->edges[e].line, vertex + 1, in->point_count);
            }
            if (at[vertex].edge[1] != SIZE_MAX) {
                return cdg_fail(
                    in->error, CDG_ERROR_FORMAT,
                    "%s:%zu: the line branches or crosses itself at vertex %zu; a rod is one line without branches "
                    "(where it only touches itself, repeat the vertex)",
                    in->path, in->edges[e].line, vertex + 1);
            }
            at[vertex].edge[at[vertex].edge[0] != SIZE_MAX] = e;
        }
    }
    return CDG_OK;
}

static size_t other_vertex(const reader *in, size_t edge, size_t vertex) {
    const size_t *both = in->edges[edge].vertex;
    return both[0] == vertex ? both[1] : both[0];
}
static size_t other_edge(const vertex_edges *at, size_t vertex, size_t edge) {
    return at[vertex].edge[0] == edge ? at[vertex].edge[1] : at[vertex].edge[0];
}

// Follows the edges in the direction of the first one (programs write them as one record, as many, or in any order) and
// replaces the points by those on the way.
static cdg_result walk_edges(reader *in, bool *is_closed) {
    vertex_edges *at = calloc(in->point_count > 0 ? in->point_count : 1, sizeof *at);
    cdg_vec3 *points = calloc(in->edge_count + 1, sizeof *points);
    size_t *lines = calloc(in->edge_count + 1, sizeof *lines);
    cdg_result result = at != NULL && points != NULL && lines != NULL ? connect_edges(in, at) : no_memory(in);
    if (result == CDG_OK) {
        size_t start = in->edges[0].vertex[0], edge = 0, count = 0;
        for (;;) { // back to an end, or once around
            size_t previous = other_edge(at, start, edge);
            if (previous == SIZE_MAX) break;
            edge = previous;
            start = other_vertex(in, edge, start);
            if (edge == 0) break;
        }
        // A ring was followed backwards into edge 0, whose other end is where the way round starts.
        *is_closed = edge == 0 && other_edge(at, start, edge) != SIZE_MAX;
        if (*is_closed) start = in->edges[0].vertex[0];
        size_t vertex = start;
        for (;;) {
            points[count] = in->points[vertex];
            lines[count++] = in->point_lines[vertex];
            if (edge == SIZE_MAX || count > in->edge_count) break;
            vertex = other_vertex(in, edge, vertex);
            edge = other_edge(at, vertex, edge);
            if (*is_closed && vertex == start) break;
        }
        if (count != in->edge_count + (*is_closed ? 0 : 1)) {
            result = cdg_fail(in->error, CDG_ERROR_FORMAT,
                              "%s: the l records form more than one line; keep one, as one file describes one rod",
                              in->path);
        } else {
            free(in->points);
            free(in->point_lines);
            in->points = points;
            in->point_lines = lines;
            in->point_count = count;
            points = NULL;
            lines = NULL;
        }
    }
    free(at);
    free(points);
    free(lines);
    return result;
}

static cdg_result read_obj(reader *in, bool *is_closed) {
    for (; !is_at_end(in); next_line(in)) {
        skip_obj_blanks(in);
        if (at_line_end(in)) continue;
        token key = next_token(in, "\\");
        cdg_result result = CDG_OK;
        if (key.size == 1 && key.text[0] == 'v') result = read_vertex(in);
        if (key.size == 1 && key.text[0] == 'l') result = read_line_record(in);
        if (result != CDG_OK) return result;
        // the rest of a record may go on in hidden line ends
        while (!at_line_end(in)) {
            size_t position = in->position;
            skip_obj_blanks(in);
            if (!at_line_end(in) && in->position == position) ++in->position;
        }
    }
    return in->edge_count > 0 ? walk_edges(in, is_closed) : CDG_OK;
}

// ---- both -----------------------------------------------------------------------------------------------------------

static bool is_same(cdg_vec3 a, cdg_vec3 b) { return a.x == b.x && a.y == b.y && a.z == b.z; }

static cdg_result finish(reader *in, bool *is_closed) {
    // A last point that repeats the first is how a list of points says that it is a ring.
    if (!*is_closed && in->point_count > 2 && is_same(in->points[0], in->points[in->point_count - 1])) {
        *is_closed = true;
        --in->point_count;
    }
    size_t least = *is_closed ? 3 : 2;
    if (in->point_count < least) {
        return cdg_fail(in->error, CDG_ERROR_FORMAT, "%s: %zu points; %s needs at least %zu", in->path, in->point_count,
                        *is_closed ? "a ring" : "a rod", least);
    }
    size_t pair_count = *is_closed ? in->point_count : in->point_count - 1;
    for (size_t i = 0; i < pair_count; ++i) {
        size_t next = i + 1 < in->point_count ? i + 1 : 0;
        if (is_same(in->points[i], in->points[next])) {
            return cdg_fail(in->error, CDG_ERROR_FORMAT,
                            "%s:%zu: the same point as its neighbour in line %zu; remove one of them", in->path,
                            in->point_lines[next], in->point_lines[i]);
        }
    }
    return CDG_OK;
}

static bool has_obj_name(const char *path) {
    size_t size = strlen(path);
    if (size < 4) return false;
    const char *end = path + size - 4;
    return end[0] == '.' && (end[1] | 32) == 'o' && (end[2] | 32) == 'b' && (end[3] | 32) == 'j';
}

cdg_result cdg_points_read(const char *path, cdg_vec3 **points, size_t *count, bool *is_closed, cdg_error *error) {
    reader in = {.path = path, .line = 1, .error = error};
    bool is_ring = false;
    cdg_result result = read_text(&in);
    if (result == CDG_OK) {
        // numbers are read the same way whatever language the program speaks; only this thread is affected
        locale_t plain = newlocale(LC_NUMERIC_MASK, "C", (locale_t)0);
        locale_t before = plain != (locale_t)0 ? uselocale(plain) : (locale_t)0;
        result = has_obj_name(path) ? read_obj(&in, &is_ring) : read_csv(&in);
        if (plain != (locale_t)0) {
            uselocale(before);
            freelocale(plain);
        }
    }
    if (result == CDG_OK) result = finish(&in, &is_ring);
    free(in.text);
    free(in.point_lines);
    free(in.edges);
    if (result != CDG_OK) {
        free(in.points);
        return result;
    }
    *points = in.points;
    *count = in.point_count;
    *is_closed = is_ring;
    return CDG_OK;
}
