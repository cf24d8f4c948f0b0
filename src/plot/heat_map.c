// Heat maps: cells reach half-way to their neighbours' values, on a log axis by ratios.
#include "plot/heat_map.h"

#include "base/error.h"
#include "plot/ticks.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const cdg_rgba INK = {0.13, 0.13, 0.13, 1}, GRAY = {0.88, 0.88, 0.88, 1}, CROSS = {0.6, 0.6, 0.6, 1},
                      WHITE = {1, 1, 1, 1};
enum { TITLE_SIZE = 15, LABEL_SIZE = 13, TICK_SIZE = 12 };

cdg_rgba cdg_heat_color(double t) {
    static const double stops[][3] = {{0.20, 0.08, 0.38}, {0.19, 0.28, 0.54}, {0.13, 0.47, 0.56},
                                      {0.16, 0.65, 0.47}, {0.55, 0.79, 0.29}, {0.98, 0.90, 0.28}};
    double at = 5 * fmin(fmax(t, 0), 1);
    size_t i = at >= 5 ? 4 : (size_t)at;
    double f = at - (double)i, c[3];
    for (int k = 0; k < 3; k++) c[k] = (1 - f) * stops[i][k] + f * stops[i + 1][k];
    return (cdg_rgba){c[0], c[1], c[2], 1};
}

// ---- axes -----------------------------------------------------------------------------------------------------------

// Edges of the cells along an axis, count + 1 of them, in the axis' own measure (logarithms on a log axis).
typedef struct edges {
    double *at;
    size_t count; // cells
    bool is_log;
    double low, high;
} edges;

static double measure(double value, bool is_log) { return is_log ? log(value) : value; }

static bool make_edges(const double *values, size_t count, bool is_log, edges *out) {
    *out = (edges){.count = count, .is_log = is_log};
    for (size_t i = 0; i < count; i++) out->is_log = out->is_log && values[i] > 0;
    out->at = malloc((count + 1) * sizeof *out->at);
    if (out->at == NULL) return false;
    is_log = out->is_log;
    for (size_t i = 1; i < count; i++) out->at[i] = (measure(values[i - 1], is_log) + measure(values[i], is_log)) / 2;
    double first = measure(values[0], is_log), last = measure(values[count - 1], is_log);
    double single = count == 1 ? fmax(fabs(first) / 2, 0.5) : 0;
    out->at[0] = count > 1 ? 2 * first - out->at[1] : first - single;
    out->at[count] = count > 1 ? 2 * last - out->at[count - 1] : last + single;
    out->low = fmin(out->at[0], out->at[count]);
    out->high = fmax(out->at[0], out->at[count]);
    return true;
}

static cdg_ticks make_ticks(const edges *e, size_t wanted, const char *unit) {
    return e->is_log ? cdg_ticks_log(exp(e->low), exp(e->high), wanted)
                     : cdg_ticks_linear(e->low, e->high, wanted, unit);
}

typedef struct map_drawing {
    cdg_canvas *canvas;
    const cdg_heat_map *map;
    double x, y, width, height, scale;
    double left, top, right, bottom; // of the cells
    edges across, up;
    double low, high; // of the values
    bool has_data;
} map_drawing;

static double pixel_x(const map_drawing *d, double at) {
    return d->left + (d->right - d->left) * (at - d->across.low) / (d->across.high - d->across.low);
}

static double pixel_y(const map_drawing *d, double at) {
    return d->bottom - (d->bottom - d->top) * (at - d->up.low) / (d->up.high - d->up.low);
}

static void line(const map_drawing *d, double x0, double y0, double x1, double y1, double width, cdg_rgba color) {
    const double xy[4] = {x0, y0, x1, y1};
    cdg_canvas_polyline(d->canvas, xy, 2, width, color, NULL, 0);
}

static void axis_title(const char *label, const char *unit_name, int exponent, char *out, size_t size) {
    char unit[CDG_UNIT_SIZE];
    cdg_unit_text(unit_name, exponent, unit);
    snprintf(out, size, "%s%s%s%s", label, unit[0] != '\0' ? " (" : "", unit, unit[0] != '\0' ? ")" : "");
}

static void draw_axes(map_drawing *d) {
    double s = d->scale;
    cdg_ticks across = make_ticks(&d->across, (size_t)fmax(2, (d->right - d->left) / (90 * s)), d->map->x.unit);
    cdg_ticks up = make_ticks(&d->up, (size_t)fmax(2, (d->bottom - d->top) / (42 * s)), d->map->y.unit);
    char title[256];
    for (size_t i = 0; i < across.count; i++) {
        double at = measure(across.items[i].value, d->across.is_log);
        if (at < d->across.low || at > d->across.high) continue;
        double x = pixel_x(d, at), tick = across.items[i].label[0] != '\0' ? 4 * s : 2 * s;
        line(d, x, d->bottom, x, d->bottom + tick, 0.8 * s, INK);
        cdg_canvas_text(d->canvas, x, d->bottom + 18 * s, TICK_SIZE * s, CDG_TEXT_CENTER, 0, false, INK,
                        across.items[i].label);
    }
    for (size_t i = 0; i < up.count; i++) {
        double at = measure(up.items[i].value, d->up.is_log);
        if (at < d->up.low || at > d->up.high) continue;
        double y = pixel_y(d, at), tick = up.items[i].label[0] != '\0' ? 4 * s : 2 * s;
        line(d, d->left - tick, y, d->left, y, 0.8 * s, INK);
        cdg_canvas_text(d->canvas, d->left - 8 * s, y + 0.36 * TICK_SIZE * s, TICK_SIZE * s, CDG_TEXT_RIGHT, 0, false,
                        INK, up.items[i].label);
    }
    axis_title(d->map->x.label, d->map->x.unit, across.exponent, title, sizeof title);
    cdg_canvas_text(d->canvas, (d->left + d->right) / 2, d->bottom + 40 * s, LABEL_SIZE * s, CDG_TEXT_CENTER, 0, false,
                    INK, title);
    axis_title(d->map->y.label, d->map->y.unit, up.exponent, title, sizeof title);
    cdg_canvas_text(d->canvas, d->x + 20 * s, (d->top + d->bottom) / 2, LABEL_SIZE * s, CDG_TEXT_CENTER, acos(0), false,
                    INK, title);
}

// ---- cells ----------------------------------------------------------------------------------------------------------

static double share_of(const map_drawing *d, double value) {
    return d->high > d->low ? (value - d->low) / (d->high - d->low) : 0.5;
}

static void draw_cell(map_drawing *d, size_t column, size_t row) {
    double value = d->map->values[row * d->map->x_count + column];
    double x0 = pixel_x(d, d->across.at[column]), x1 = pixel_x(d, d->across.at[column + 1]);
    double y0 = pixel_y(d, d->up.at[row]), y1 = pixel_y(d, d->up.at[row + 1]);
    double left = fmin(x0, x1), top = fmin(y0, y1), width = fabs(x1 - x0), height = fabs(y1 - y0);
    double overlap = 0.4; // no white hairlines between cells
    bool is_good = isfinite(value);
    cdg_canvas_rectangle(d->canvas, left, top, width + overlap, height + overlap,
                         is_good ? cdg_heat_color(share_of(d, value)) : GRAY);
    if (is_good) return;
    line(d, left, top, left + width, top + height, 0.8 * d->scale, CROSS);
    line(d, left, top + height, left + width, top, 0.8 * d->scale, CROSS);
}

static void find_range(map_drawing *d) {
    d->low = INFINITY;
    d->high = -INFINITY;
    for (size_t i = 0; i < d->map->x_count * d->map->y_count; i++) {
        if (!isfinite(d->map->values[i])) continue;
        d->low = fmin(d->low, d->map->values[i]);
        d->high = fmax(d->high, d->map->values[i]);
    }
    d->has_data = d->low <= d->high;
}

static void draw_scale(map_drawing *d) {
    enum { BANDS = 128 };
    double s = d->scale, left = d->right + 22 * s, width = 16 * s, height = d->bottom - d->top;
    if (!d->has_data) return;
    for (int i = 0; i < BANDS; i++)
        cdg_canvas_rectangle(d->canvas, left, d->bottom - height * (i + 1) / BANDS, width, height / BANDS + 0.5,
                             cdg_heat_color((i + 0.5) / BANDS));
    cdg_ticks ticks = cdg_ticks_linear(d->low, d->high, (size_t)fmax(2, height / (42 * s)), d->map->unit);
    for (size_t i = 0; i < ticks.count; i++) {
        double share = d->high > d->low ? (ticks.items[i].value - d->low) / (d->high - d->low) : NAN;
        if (!(share >= -1e-9 && share <= 1 + 1e-9)) continue;
        double y = d->bottom - share * height;
        line(d, left + width, y, left + width + 4 * s, y, 0.8 * s, INK);
        cdg_canvas_text(d->canvas, left + width + 8 * s, y + 0.36 * TICK_SIZE * s, TICK_SIZE * s, CDG_TEXT_LEFT, 0,
                        false, INK, ticks.items[i].label);
    }
    char title[256];
    axis_title(d->map->label, d->map->unit, ticks.exponent, title, sizeof title);
    cdg_canvas_text(d->canvas, d->x + d->width - 12 * s, d->top - 12 * s, LABEL_SIZE * s, CDG_TEXT_RIGHT, 0, false, INK,
                    title);
}

static void draw(map_drawing *d) {
    double s = d->scale;
    d->left = d->x + 84 * s;
    d->right = d->x + d->width - 112 * s;
    d->top = d->y + 58 * s;
    d->bottom = d->y + d->height - 50 * s;
    cdg_canvas_rectangle(d->canvas, d->x, d->y, d->width, d->height, WHITE);
    cdg_canvas_text(d->canvas, d->left, d->y + 24 * s, TITLE_SIZE * s, CDG_TEXT_LEFT, 0, true, INK, d->map->title);
    find_range(d);
    for (size_t row = 0; row < d->map->y_count; row++)
        for (size_t column = 0; column < d->map->x_count; column++) draw_cell(d, column, row);
    draw_axes(d);
    draw_scale(d);
}

cdg_result cdg_draw_heat_map(cdg_canvas *canvas, const cdg_heat_map *map, double x, double y, double width,
                             double height, cdg_error *error) {
    map_drawing d = {.canvas = canvas, .map = map, .x = x, .y = y, .width = width, .height = height};
    if (map->x_count == 0 || map->y_count == 0)
        return cdg_fail(error, CDG_ERROR_ARGUMENT, "a heat map needs at least one cell");
    d.scale = fmin(width / 720, height / 460);
    bool has_memory = make_edges(map->xs, map->x_count, map->x.is_log, &d.across) &&
                      make_edges(map->ys, map->y_count, map->y.is_log, &d.up);
    if (has_memory) draw(&d);
    free(d.across.at);
    free(d.up.at);
    return has_memory ? CDG_OK : cdg_fail(error, CDG_ERROR_MEMORY, "out of memory for a heat map");
}

cdg_result cdg_heat_map_encode(const cdg_heat_map *map, int width, int height, bool is_svg, unsigned char **bytes,
                               size_t *size, cdg_error *error) {
    cdg_canvas *canvas = NULL;
    cdg_result result = is_svg ? cdg_canvas_create_svg(width, height, &canvas, error)
                               : cdg_canvas_create_image(width, height, &canvas, error);
    if (result == CDG_OK) result = cdg_draw_heat_map(canvas, map, 0, 0, width, height, error);
    if (result == CDG_OK) result = cdg_canvas_encode(canvas, bytes, size, error);
    cdg_canvas_destroy(canvas);
    return result;
}
