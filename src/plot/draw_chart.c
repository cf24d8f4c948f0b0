// Drawing charts. Colours are Okabe and Ito's, which people with any colour vision tell apart; an ordered family of
// curves runs from dark blue to light green, so that its order survives a grey print.
#include "plot/draw_chart.h"

#include "base/error.h"
#include "plot/ticks.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const cdg_rgba INK = {0.13, 0.13, 0.13, 1}, SOFT_INK = {0.36, 0.36, 0.36, 1}, GRID = {0.9, 0.9, 0.9, 1},
                      PALE = {0.76, 0.76, 0.76, 1}, ZERO_LINE = {0.7, 0.7, 0.7, 1}, WHITE = {1, 1, 1, 1};

// Sizes in pixels of a chart of the default size.
enum { TITLE_SIZE = 15, LABEL_SIZE = 13, TICK_SIZE = 12, NAME_SIZE = 12, NAME_SPACING = 16, TICK_LENGTH = 4 };
enum { SAMPLE_LENGTH = 16, LEADER_LENGTH = 12 };

enum { PALETTE_COUNT = 7, NAMES_MAX = 64 };

static cdg_rgba from_bytes(unsigned red, unsigned green, unsigned blue) {
    return (cdg_rgba){red / 255.0, green / 255.0, blue / 255.0, 1};
}

static cdg_rgba palette(size_t index) {
    switch (index % PALETTE_COUNT) {
    case 0: return from_bytes(0, 114, 178);
    case 1: return from_bytes(213, 94, 0);
    case 2: return from_bytes(0, 158, 115);
    case 3: return from_bytes(204, 121, 167);
    case 4: return from_bytes(230, 159, 0);
    case 5: return from_bytes(86, 180, 233);
    default: return from_bytes(120, 120, 120);
    }
}

// t in [0, 1]; lightness grows all the way.
static cdg_rgba ramp(double t) {
    static const double stops[][3] = {{0.19, 0.10, 0.42}, {0.16, 0.36, 0.58}, {0.10, 0.58, 0.56}, {0.55, 0.78, 0.30}};
    double at = t * 3;
    size_t i = at >= 3 ? 2 : (size_t)at;
    double f = at - (double)i, c[3];
    for (int k = 0; k < 3; k++) c[k] = (1 - f) * stops[i][k] + f * stops[i + 1][k];
    return (cdg_rgba){c[0], c[1], c[2], 1};
}

// Index among the curves that take a colour from the palette.
static size_t palette_index(const cdg_chart *chart, size_t series) {
    size_t index = 0;
    for (size_t i = 0; i < series; i++) index += !chart->series[i].is_main && !chart->series[i].is_reference;
    return index;
}

cdg_rgba cdg_chart_color(const cdg_chart *chart, size_t series) {
    if (chart->series[series].is_main) return INK;
    if (chart->series[series].is_reference) return PALE;
    if (chart->is_sequence && chart->series_count > 1) return ramp((double)series / (double)(chart->series_count - 1));
    return palette(palette_index(chart, series));
}

// Colours come round again with dashes.
static size_t dashes_of(const cdg_chart *chart, size_t series, double scale, double out[4]) {
    static const double patterns[][4] = {{6, 3, 6, 3}, {2, 2, 2, 2}, {8, 2, 2, 2}};
    size_t round = palette_index(chart, series) / PALETTE_COUNT;
    if (chart->is_sequence || chart->series[series].is_main || chart->series[series].is_reference || round == 0)
        return 0;
    for (int i = 0; i < 4; i++) out[i] = scale * patterns[(round - 1) % 3][i];
    return 4;
}

// ---- from values to pixels

static double position_of(double value, double low, double high, bool is_log, double from, double to) {
    if (is_log) {
        if (!(value > 0)) return NAN;
        value = log(value);
        low = log(low);
        high = log(high);
    }
    return from + (to - from) * ((value - low) / (high - low));
}

double cdg_chart_frame_x(const cdg_chart_frame *frame, double value) {
    return position_of(value, frame->x_low, frame->x_high, frame->is_x_log, frame->left, frame->right);
}

double cdg_chart_frame_y(const cdg_chart_frame *frame, double value) {
    return position_of(value, frame->y_low, frame->y_high, frame->is_y_log, frame->bottom, frame->top);
}

// ---- layout

// What charts below each other have in common, so that a moment is at one place in all of them.
typedef struct chart_company {
    double left, right;   // pixels, least room for what stands beside the axes
    double x_low, x_high; // NaN: the chart's own
} chart_company;

typedef struct chart_drawing {
    cdg_canvas *canvas;
    const cdg_chart *chart;
    double x, y, width, height, scale;
    bool has_data;
    cdg_chart_bounds bounds;
    cdg_ticks x_ticks, y_ticks;
    cdg_chart_frame frame;
    size_t name_count; // curves named at the right
} chart_drawing;

// Air above and below the data; zero is the edge for data that begin near it.
static void pad_range(double *low, double *high, bool is_log, double scale) {
    static const double roundings = 1e-11; // of `scale`: what solvers leave of a zero
    if (is_log) {
        *low = fmax(*low, 1e-12 * *high); // below are roundings, such as a motion's first steps
        double factor = pow(*high / *low, 0.04);
        if (!isfinite(factor) || factor < 1.02) factor = 1.1;
        *low /= factor;
        *high *= factor;
        return;
    }
    double size = fmax(fabs(*low), fabs(*high));
    if (size <= roundings * scale) { // an axis that shows such numbers as the zero that they stand for
        *low = -scale, *high = scale;
        return;
    }
    if (*high - *low <= 1e-9 * size) { // a constant, up to rounding
        *low = *high = *low / 2 + *high / 2;
        return;
    }
    double air = 0.05 * (*high - *low);
    bool starts_at_zero = *low >= 0 && *low <= 0.25 * *high, ends_at_zero = *high <= 0 && *high >= 0.25 * *low;
    *low = starts_at_zero ? 0 : *low - air;
    *high = ends_at_zero ? 0 : *high + air;
}

static void choose_range(const cdg_axis *axis, double low, double high, bool is_padded, double *out_low,
                         double *out_high) {
    if (is_padded) pad_range(&low, &high, axis->is_log, axis->scale);
    *out_low = isfinite(axis->low) && (!axis->is_log || axis->low > 0) ? axis->low : low;
    *out_high = isfinite(axis->high) && (!axis->is_log || axis->high > 0) ? axis->high : high;
}

static cdg_ticks make_ticks(const cdg_axis *axis, double low, double high, size_t wanted) {
    return axis->is_log ? cdg_ticks_log(low, high, wanted) : cdg_ticks_linear(low, high, wanted, axis->unit);
}

static double label_width(chart_drawing *d, const cdg_ticks *ticks) {
    double widest = 0;
    for (size_t i = 0; i < ticks->count; i++)
        widest = fmax(widest, cdg_canvas_text_width(d->canvas, TICK_SIZE * d->scale, false, ticks->items[i].label));
    return widest;
}

static size_t labelled_count(const cdg_ticks *ticks) {
    size_t count = 0;
    for (size_t i = 0; i < ticks->count; i++) count += ticks->items[i].label[0] != '\0';
    return count;
}

// Cuts the text to a width, with dots at the end; `out` has room for all of it.
static void fit_text(cdg_canvas *canvas, double size, double width, const char *text, char *out, size_t out_size) {
    size_t length = strlen(text);
    if (length >= out_size) length = out_size - 1;
    memcpy(out, text, length);
    out[length] = '\0';
    while (length > 0 && cdg_canvas_text_width(canvas, size, false, out) > width) {
        do {
            length--;
        } while (length > 0 && ((unsigned char)text[length] & 0xC0) == 0x80);
        if (length + 4 > out_size) continue;
        memcpy(out + length, "\xE2\x80\xA6", 4); // an ellipsis and the terminating zero
    }
}

enum { NAME_BYTES = 128 };

static double names_width(chart_drawing *d) {
    if (d->chart->series_count < 2) return 0;
    double widest = 0, limit = 0.3 * d->width;
    for (size_t i = 0; i < d->chart->series_count; i++)
        widest = fmax(widest, cdg_canvas_text_width(d->canvas, NAME_SIZE * d->scale, false, d->chart->series[i].name));
    return fmin(widest, limit) + (LEADER_LENGTH + SAMPLE_LENGTH + 6) * d->scale;
}

static void lay_out(chart_drawing *d, const chart_company *company) {
    const cdg_chart *chart = d->chart;
    double s = d->scale, x_low, x_high, y_low, y_high;
    cdg_chart_bounds b = d->bounds;
    b.x_low = fmin(b.x_low, company->x_low), b.x_high = fmax(b.x_high, company->x_high); // NaN leaves them
    choose_range(&chart->x, b.x_low, b.x_high, false, &x_low, &x_high);
    choose_range(&chart->y, b.y_low, b.y_high, true, &y_low, &y_high);
    double top = d->y + (chart->title[0] != '\0' ? 40 : 16) * s, bottom = d->y + d->height - 50 * s;
    size_t y_wanted = (size_t)fmax(2, (bottom - top) / (42 * s));
    d->y_ticks = make_ticks(&chart->y, y_low, y_high, y_wanted);
    double left = d->x + fmax(company->left, 34 * s + label_width(d, &d->y_ticks) + (TICK_LENGTH + 4) * s);
    double right = d->x + d->width - fmax(company->right, 14 * s + names_width(d));
    size_t x_wanted = (size_t)fmax(2, (right - left) / (80 * s));
    do { // fewer ticks until their labels have room
        d->x_ticks = make_ticks(&chart->x, x_low, x_high, x_wanted);
        x_wanted--;
    } while (x_wanted > 1 &&
             (double)labelled_count(&d->x_ticks) * (label_width(d, &d->x_ticks) + 10 * s) > right - left);
    if (chart->series_count < 2) // the last label may stick out
        right = fmin(right, d->x + d->width - 2 * s - label_width(d, &d->x_ticks) / 2);
    d->frame = (cdg_chart_frame){.left = left,
                                 .top = top,
                                 .right = right,
                                 .bottom = bottom,
                                 .x_low = d->x_ticks.low,
                                 .x_high = d->x_ticks.high,
                                 .y_low = d->y_ticks.low,
                                 .y_high = d->y_ticks.high,
                                 .is_x_log = chart->x.is_log,
                                 .is_y_log = chart->y.is_log};
}

// ---- axes

static void line(chart_drawing *d, double x0, double y0, double x1, double y1, double width, cdg_rgba color) {
    const double xy[4] = {x0, y0, x1, y1};
    cdg_canvas_polyline(d->canvas, xy, 2, width, color, NULL, 0);
}

static void axis_title(const cdg_axis *axis, int exponent, char *out, size_t size) {
    char unit[CDG_UNIT_SIZE];
    cdg_unit_text(axis->unit, exponent, unit);
    snprintf(out, size, "%s%s%s%s", axis->label, unit[0] != '\0' ? " (" : "", unit, unit[0] != '\0' ? ")" : "");
}

static void draw_axes(chart_drawing *d) {
    const cdg_chart_frame *f = &d->frame;
    double s = d->scale, thin = fmax(0.5, 0.8 * s), tick = TICK_LENGTH * s;
    for (size_t i = 0; i < d->y_ticks.count; i++) {
        const cdg_tick *item = &d->y_ticks.items[i];
        double y = cdg_chart_frame_y(f, item->value);
        bool is_major = item->label[0] != '\0';
        bool is_zero = item->value == 0 && !f->is_y_log;
        if (is_major) line(d, f->left, y, f->right, y, thin, is_zero ? ZERO_LINE : GRID);
        line(d, f->left - (is_major ? tick : tick / 2), y, f->left, y, thin, INK);
        cdg_canvas_text(d->canvas, f->left - tick - 4 * s, y + 0.36 * TICK_SIZE * s, TICK_SIZE * s, CDG_TEXT_RIGHT, 0,
                        false, INK, item->label);
    }
    for (size_t i = 0; i < d->x_ticks.count; i++) {
        const cdg_tick *item = &d->x_ticks.items[i];
        double x = cdg_chart_frame_x(f, item->value);
        bool is_major = item->label[0] != '\0';
        line(d, x, f->bottom, x, f->bottom + (is_major ? tick : tick / 2), thin, INK);
        cdg_canvas_text(d->canvas, x, f->bottom + tick + (TICK_SIZE + 2) * s, TICK_SIZE * s, CDG_TEXT_CENTER, 0, false,
                        INK, item->label);
    }
    line(d, f->left, f->top, f->left, f->bottom, thin, INK);
    line(d, f->left, f->bottom, f->right, f->bottom, thin, INK);
    char title[256];
    axis_title(&d->chart->x, d->x_ticks.exponent, title, sizeof title);
    cdg_canvas_text(d->canvas, (f->left + f->right) / 2, f->bottom + 40 * s, LABEL_SIZE * s, CDG_TEXT_CENTER, 0, false,
                    INK, title);
    axis_title(&d->chart->y, d->y_ticks.exponent, title, sizeof title);
    cdg_canvas_text(d->canvas, d->x + 20 * s, (f->top + f->bottom) / 2, LABEL_SIZE * s, CDG_TEXT_CENTER, acos(0), false,
                    INK, title);
}

// ---- curves

// Points of a curve in pixels, as few as look the same: of many in one column of pixels only the first, the lowest, the
// highest and the last are kept. NaN marks gaps. Returns their number; *out is malloc'ed.
static size_t curve_points(const chart_drawing *d, const cdg_series *series, double **out) {
    size_t count = 0;
    double *xy = malloc((series->count > 0 ? series->count : 1) * 2 * sizeof *xy);
    *out = xy;
    if (xy == NULL) return 0;
    for (size_t i = 0; i < series->count; i++) {
        double x = cdg_chart_frame_x(&d->frame, series->x[i]), y = cdg_chart_frame_y(&d->frame, series->y[i]);
        // Far outside of the axes a number of pixels may be too large to draw.
        xy[2 * count] = isfinite(y) ? x : NAN;
        xy[2 * count + 1] = fmin(fmax(y, -1e5), 1e5);
        if (isnan(y)) xy[2 * count + 1] = NAN;
        count++;
    }
    if ((double)count < 8 * (d->frame.right - d->frame.left)) return count;
    size_t kept = 0;
    for (size_t begin = 0; begin < count;) {
        size_t end = begin + 1, low = begin, high = begin;
        while (end < count && floor(xy[2 * end]) == floor(xy[2 * begin])) { // never true for NaN
            if (xy[2 * end + 1] < xy[2 * low + 1]) low = end;
            if (xy[2 * end + 1] > xy[2 * high + 1]) high = end;
            end++;
        }
        size_t picks[4] = {begin, low < high ? low : high, low < high ? high : low, end - 1};
        double pick_xy[8];
        for (int k = 0; k < 4; k++) memcpy(pick_xy + 2 * k, xy + 2 * picks[k], 2 * sizeof *xy);
        for (int k = 0; k < 4; k++) {
            if (k > 0 && picks[k] == picks[k - 1]) continue;
            memcpy(xy + 2 * kept, pick_xy + 2 * k, 2 * sizeof *xy);
            kept++;
        }
        begin = end;
    }
    return kept;
}

static double stroke_width(const chart_drawing *d, size_t series) {
    const cdg_series *s = &d->chart->series[series];
    return (s->is_reference ? 6 : s->is_main ? 2.2 : 1.7) * d->scale;
}

static cdg_result draw_curve(chart_drawing *d, size_t index, cdg_error *error) {
    const cdg_series *series = &d->chart->series[index];
    cdg_rgba color = cdg_chart_color(d->chart, index);
    double *xy, dashes[4];
    size_t count = curve_points(d, series, &xy), dash_count = dashes_of(d->chart, index, d->scale, dashes);
    if (xy == NULL) return cdg_fail(error, CDG_ERROR_MEMORY, "out of memory for a curve of %zu points", series->count);
    cdg_canvas_polyline(d->canvas, xy, count, stroke_width(d, index), color, dashes, dash_count);
    for (size_t i = 0; i < count; i++) { // a point without neighbours is no line, so it gets a dot
        bool is_alone = (i == 0 || isnan(xy[2 * i - 2])) && (i + 1 == count || isnan(xy[2 * i + 2]));
        if (is_alone) cdg_canvas_circle(d->canvas, xy[2 * i], xy[2 * i + 1], 3 * d->scale, color);
    }
    free(xy);
    return CDG_OK;
}

static cdg_result draw_curves(chart_drawing *d, cdg_error *error) {
    const cdg_chart_frame *f = &d->frame;
    double air = 2 * d->scale; // a line along the edge is not cut in half
    cdg_canvas_clip(d->canvas, f->left - air, f->top - air, f->right - f->left + 2 * air, f->bottom - f->top + 2 * air);
    cdg_result result = CDG_OK;
    for (int turn = 0; turn < 3; turn++) {
        for (size_t i = 0; i < d->chart->series_count && result == CDG_OK; i++) {
            const cdg_series *series = &d->chart->series[i];
            if ((series->is_main ? 2 : series->is_reference ? 0 : 1) == turn) result = draw_curve(d, i, error);
        }
    }
    cdg_canvas_unclip(d->canvas);
    return result;
}

// ---- names at the curves' ends

typedef struct curve_name {
    size_t series;
    double x, end, name_at; // pixels: where the curve ends, and where its name goes
} curve_name;

static int by_end(const void *a, const void *b) {
    const curve_name *first = a, *second = b;
    if (first->end != second->end) return first->end < second->end ? -1 : 1;
    return first->series < second->series ? -1 : 1;
}

// Names as near to their curves' ends as they can be without overlapping, in the least-squares sense: pooling of
// adjacent violators (Ayer et al. 1955) on the positions with the spacing taken off.
static void spread_names(curve_name *names, size_t count, double spacing, double low, double high) {
    struct {
        double sum;
        size_t count;
    } pools[NAMES_MAX];
    size_t pool_count = 0;
    for (size_t i = 0; i < count; i++) {
        pools[pool_count].sum = names[i].end - (double)i * spacing;
        pools[pool_count++].count = 1;
        while (pool_count > 1 && pools[pool_count - 2].sum / (double)pools[pool_count - 2].count >
                                     pools[pool_count - 1].sum / (double)pools[pool_count - 1].count) {
            pools[pool_count - 2].sum += pools[pool_count - 1].sum;
            pools[pool_count - 2].count += pools[pool_count - 1].count;
            pool_count--;
        }
    }
    double last = high - (double)(count - 1) * spacing;
    for (size_t p = 0, i = 0; p < pool_count; p++) {
        double base = fmax(low, fmin(last, pools[p].sum / (double)pools[p].count));
        for (size_t k = 0; k < pools[p].count; k++, i++) names[i].name_at = base + (double)i * spacing;
    }
}

// Where a curve leaves the picture on the right, inside the axes.
static curve_name find_end(const chart_drawing *d, size_t index) {
    const cdg_series *series = &d->chart->series[index];
    const cdg_chart_frame *f = &d->frame;
    curve_name name = {index, NAN, f->bottom, 0};
    for (size_t i = series->count; i-- > 0;) {
        double x = cdg_chart_frame_x(f, series->x[i]), y = cdg_chart_frame_y(f, series->y[i]);
        if (!isfinite(y) || !(x >= f->left - 0.01) || !(x <= f->right + 0.01)) continue;
        name.x = x;
        name.end = fmin(fmax(y, f->top), f->bottom);
        break;
    }
    return name;
}

static void draw_names(chart_drawing *d) {
    const cdg_chart_frame *f = &d->frame;
    double s = d->scale, spacing = NAME_SPACING * s;
    size_t room = (size_t)fmax(1, floor((f->bottom - f->top) / spacing) + 1);
    if (d->chart->series_count < 2) return;
    if (room > NAMES_MAX) room = NAMES_MAX;
    size_t count = d->chart->series_count <= room ? d->chart->series_count : room - 1;
    size_t left_out = d->chart->series_count - count;
    curve_name names[NAMES_MAX];
    for (size_t i = 0; i < count; i++) names[i] = find_end(d, i);
    qsort(names, count, sizeof *names, by_end);
    if (count > 0) spread_names(names, count, spacing, f->top, f->bottom - (left_out > 0 ? spacing : 0));
    double sample = f->right + LEADER_LENGTH * s, text_x = sample + (SAMPLE_LENGTH + 5) * s;
    double room_for_text = d->x + d->width - 4 * s - text_x;
    for (size_t i = 0; i < count; i++) {
        cdg_rgba color = cdg_chart_color(d->chart, names[i].series), faint = color;
        double dashes[4];
        size_t dash_count = dashes_of(d->chart, names[i].series, s, dashes);
        faint.alpha = 0.55;
        if (f->right - names[i].x < 6 * s) // only where the curve comes up to the edge
            line(d, f->right + 2 * s, names[i].end, sample - 1 * s, names[i].name_at, fmax(0.5, 0.8 * s), faint);
        const double xy[4] = {sample, names[i].name_at, sample + SAMPLE_LENGTH * s, names[i].name_at};
        cdg_canvas_polyline(d->canvas, xy, 2, stroke_width(d, names[i].series), color, dashes, dash_count);
        char text[NAME_BYTES + 4];
        fit_text(d->canvas, NAME_SIZE * s, room_for_text, d->chart->series[names[i].series].name, text, sizeof text);
        cdg_canvas_text(d->canvas, text_x, names[i].name_at + 0.36 * NAME_SIZE * s, NAME_SIZE * s, CDG_TEXT_LEFT, 0,
                        false, INK, text);
    }
    if (left_out > 0) {
        char text[64];
        snprintf(text, sizeof text, "and %zu more", left_out);
        cdg_canvas_text(d->canvas, sample, f->bottom + 0.36 * NAME_SIZE * s, NAME_SIZE * s, CDG_TEXT_LEFT, 0, false,
                        SOFT_INK, text);
    }
}

static chart_drawing begin_chart(cdg_canvas *canvas, const cdg_chart *chart, double x, double y, double width,
                                 double height, const chart_company *company) {
    double scale = sqrt(width * height / ((double)CDG_PANEL_WIDTH * CDG_PANEL_HEIGHT));
    // Neither a strip nor a column may have text too large for its short side.
    scale = fmin(scale, fmin(1.5 * width / CDG_PANEL_WIDTH, 1.5 * height / CDG_PANEL_HEIGHT));
    chart_drawing d = {.canvas = canvas, .chart = chart, .x = x, .y = y, .width = width, .height = height};
    d.scale = fmax(scale, 0.5);
    d.has_data = cdg_chart_get_bounds(chart, &d.bounds);
    if (!d.has_data) d.bounds = (cdg_chart_bounds){chart->x.is_log ? 0.1 : 0, 1, chart->y.is_log ? 0.1 : 0, 1};
    lay_out(&d, company);
    return d;
}

static cdg_result end_chart(chart_drawing *d, cdg_chart_frame *frame, cdg_error *error) {
    cdg_canvas *canvas = d->canvas;
    char title[512];
    fit_text(canvas, 1.1 * TITLE_SIZE * d->scale, d->width - 24 * d->scale, d->chart->title, title, sizeof title);
    cdg_canvas_text(canvas, d->x + 14 * d->scale, d->y + 22 * d->scale, TITLE_SIZE * d->scale, CDG_TEXT_LEFT, 0, true,
                    INK, title);
    draw_axes(d);
    cdg_result result = draw_curves(d, error);
    if (d->has_data) {
        draw_names(d);
    } else {
        cdg_canvas_text(canvas, (d->frame.left + d->frame.right) / 2, (d->frame.top + d->frame.bottom) / 2,
                        LABEL_SIZE * d->scale, CDG_TEXT_CENTER, 0, false, SOFT_INK, "no values");
    }
    if (frame != NULL) *frame = d->frame;
    return result;
}

cdg_result cdg_draw_chart(cdg_canvas *canvas, const cdg_chart *chart, double x, double y, double width, double height,
                          cdg_chart_frame *frame, cdg_error *error) {
    const chart_company alone = {0, 0, NAN, NAN};
    chart_drawing d = begin_chart(canvas, chart, x, y, width, height, &alone);
    return end_chart(&d, frame, error);
}

// ---- figures

cdg_figure_grid cdg_figure_layout(size_t chart_count) {
    size_t columns = chart_count <= 3 ? 1 : chart_count <= 12 ? 2 : 3;
    size_t rows = chart_count > 0 ? (chart_count + columns - 1) / columns : 1;
    return (cdg_figure_grid){columns, rows};
}

static bool have_same_axis(const cdg_axis *a, const cdg_axis *b) {
    return strcmp(a->label, b->label) == 0 && strcmp(a->unit, b->unit) == 0 && a->is_log == b->is_log;
}

// Charts of one column have the same room beside their axes; all that have one horizontal axis have one range of it.
static chart_company find_company(cdg_canvas *canvas, const cdg_chart *charts, size_t count, size_t index,
                                  size_t columns, double width, double height) {
    const chart_company alone = {0, 0, NAN, NAN};
    chart_company found = alone;
    for (size_t i = 0; i < count; i++) {
        cdg_chart_bounds bounds;
        if (!have_same_axis(&charts[i].x, &charts[index].x) || !cdg_chart_get_bounds(&charts[i], &bounds)) continue;
        found.x_low = fmin(found.x_low, bounds.x_low), found.x_high = fmax(found.x_high, bounds.x_high);
    }
    chart_company widest = found;
    for (size_t i = index % columns; i < count; i += columns) {
        chart_drawing d = begin_chart(canvas, &charts[i], 0, 0, width, height, &found);
        widest.left = fmax(widest.left, d.frame.left);
        widest.right = fmax(widest.right, width - d.frame.right);
    }
    return widest;
}

cdg_result cdg_draw_figure(cdg_canvas *canvas, int width, int height, const char *title, const cdg_chart *charts,
                           size_t chart_count, cdg_chart_frame *frames, cdg_error *error) {
    cdg_figure_grid grid = cdg_figure_layout(chart_count);
    double panel_width = (double)width / (double)grid.columns;
    double scale = fmax(0.5, panel_width / CDG_PANEL_WIDTH), heading = title[0] != '\0' ? 36 * scale : 0;
    double panel_height = (height - heading) / (double)grid.rows;
    if (panel_width < CDG_PANEL_WIDTH_MIN || panel_height < CDG_PANEL_HEIGHT_MIN)
        return cdg_fail(error, CDG_ERROR_ARGUMENT,
                        "%d x %d pixels are too few for %zu %s; at least %zu x %.0f are needed", width, height,
                        chart_count, chart_count == 1 ? "chart" : "charts", grid.columns * CDG_PANEL_WIDTH_MIN,
                        ceil((double)(grid.rows * CDG_PANEL_HEIGHT_MIN) + heading));
    cdg_canvas_fill_all(canvas, WHITE);
    char text[512];
    fit_text(canvas, 1.1 * 17 * scale, width - 28 * scale, title, text, sizeof text);
    cdg_canvas_text(canvas, 14 * scale, 26 * scale, 17 * scale, CDG_TEXT_LEFT, 0, true, INK, text);
    cdg_result result = CDG_OK;
    for (size_t i = 0; i < chart_count && result == CDG_OK; i++) {
        size_t column = i % grid.columns, row = i / grid.columns;
        double x = (double)column * panel_width, y = heading + (double)row * panel_height;
        chart_company company = find_company(canvas, charts, chart_count, i, grid.columns, panel_width, panel_height);
        chart_drawing d = begin_chart(canvas, &charts[i], x, y, panel_width, panel_height, &company);
        result = end_chart(&d, frames ? &frames[i] : NULL, error);
    }
    return result;
}
