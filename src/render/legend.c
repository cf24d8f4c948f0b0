// A bar of colours at the right with round numbers beside it; the time at the lower left. Sizes follow the picture's.
#include "render/legend.h"

#include "plot/ticks.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

void cdg_time_text(double time, double step, char *out, size_t size) {
    if (fabs(time) < 1e-9 * step) time = 0;
    if (step < 1e-4) {
        snprintf(out, size, "t = %.4g s", time);
        return;
    }
    int decimals = 0;
    for (double rest = step; decimals < 5 && fabs(rest - round(rest)) > 1e-6; rest *= 10) decimals++;
    snprintf(out, size, "t = %.*f s", decimals, time);
}

static double text_size(int width, int height) {
    double size = fmin(width / 1280.0, height / 720.0) * 17;
    return size < 9 ? 9 : size;
}

double cdg_legend_share(const cdg_legend *legend, int width, int height) {
    return legend->has_map ? fmin(0.35, 6.5 * text_size(width, height) / width) : 0;
}

double cdg_legend_base(int width, int height) { return fmin(0.35, 2.4 * text_size(width, height) / height); }

static cdg_rgba ink(const cdg_legend *legend, double alpha) {
    return legend->is_on_dark ? (cdg_rgba){0.93, 0.94, 0.96, alpha} : (cdg_rgba){0.16, 0.18, 0.22, alpha};
}

// Behind what is written over the picture itself: nothing on its own background, but a rim on what is as dark as ink.
static cdg_rgba rim(const cdg_legend *legend) {
    return legend->is_on_dark ? (cdg_rgba){0.1, 0.11, 0.13, 0.5} : (cdg_rgba){0.91, 0.925, 0.945, 0.5};
}

static void draw_bar(const cdg_legend *legend, double x, double y, double bar_width, double bar_height,
                     cdg_canvas *canvas) {
    int rows = (int)bar_height;
    for (int i = 0; i < rows; i++) {
        float3 color = cdg_color_map_at(legend->map, 1 - (i + 0.5) / rows);
        cdg_rgba shown = {cdg_srgb_encode(color.x), cdg_srgb_encode(color.y), cdg_srgb_encode(color.z), 1};
        cdg_canvas_rectangle(canvas, x, y + i, bar_width, 1, shown);
    }
    const double frame[] = {x, y, x + bar_width, y, x + bar_width, y + rows, x, y + rows, x, y};
    cdg_canvas_polyline(canvas, frame, 5, 1, ink(legend, 0.35), NULL, 0);
}

static void draw_map(const cdg_legend *legend, int width, int height, cdg_canvas *canvas) {
    double size = text_size(width, height), bar_width = round(0.9 * size), bar_height = round(0.42 * height);
    double x = round(width - 5.2 * size), y = round(0.5 * (height - bar_height));
    draw_bar(legend, x, y, bar_width, bar_height, canvas);
    double span = legend->range[1] - legend->range[0];
    size_t wanted = bar_height > 14 * size ? 6 : 4;
    if (legend->is_count && span >= 1 && span < (double)wanted) wanted = (size_t)span;
    cdg_ticks ticks = cdg_ticks_linear(legend->range[0], legend->range[1], wanted, legend->unit);
    for (size_t i = 0; i < ticks.count; i++) {
        double part = (ticks.items[i].value - legend->range[0]) / span;
        if (legend->is_count && ticks.items[i].value != round(ticks.items[i].value)) continue;
        if (!(part > -1e-6 && part < 1 + 1e-6)) continue;
        double level = y + bar_height * (1 - part);
        const double mark[] = {x + bar_width, level, x + bar_width + 0.35 * size, level};
        cdg_canvas_polyline(canvas, mark, 2, 1, ink(legend, 0.6), NULL, 0);
        cdg_canvas_text(canvas, x + bar_width + 0.6 * size, level + 0.35 * size, size, CDG_TEXT_LEFT, 0, false,
                        ink(legend, 0.95), ticks.items[i].label);
    }
    double middle = fmin(x + 0.5 * bar_width + 1.2 * size, width - 2.6 * size);
    double title = legend->reaches_beyond[1] ? y - 0.6 * size : y;
    char unit[CDG_UNIT_SIZE], shown[CDG_UNIT_SIZE + 2];
    cdg_unit_text(legend->unit, ticks.exponent, unit);
    snprintf(shown, sizeof shown, "[%s]", unit);
    cdg_canvas_text(canvas, middle, title - 2.1 * size, size, CDG_TEXT_CENTER, 0, true, ink(legend, 0.95),
                    legend->name);
    if (unit[0] != '\0') // pure numbers have none
        cdg_canvas_text(canvas, middle, title - 0.8 * size, size, CDG_TEXT_CENTER, 0, false, ink(legend, 0.8), shown);
    // Small arrows where values go on beyond the bar.
    double center = x + 0.5 * bar_width, half = 0.35 * bar_width;
    if (legend->reaches_beyond[0]) {
        double level = y + bar_height + 0.3 * size;
        const double arrow[] = {center - half, level, center + half, level, center, level + 0.45 * size};
        cdg_canvas_polygon(canvas, arrow, 3, ink(legend, 0.7));
    }
    if (legend->reaches_beyond[1]) {
        double level = y - 0.3 * size;
        const double arrow[] = {center - half, level, center + half, level, center, level - 0.45 * size};
        cdg_canvas_polygon(canvas, arrow, 3, ink(legend, 0.7));
    }
}

// What a camera that was placed by hand shows there would lie under the numbers.
static void draw_paper(const cdg_legend *legend, double left, int width, int height, cdg_canvas *canvas) {
    double level = legend->is_on_dark ? CDG_DARK_PAPER / 255.0 : 1;
    cdg_canvas_rectangle(canvas, left, 0, width - left, height, (cdg_rgba){level, level, level, 1});
}

void cdg_legend_draw(const cdg_legend *legend, double time, double time_step, int width, int height,
                     cdg_canvas *canvas) {
    double size = text_size(width, height), margin = 1.2 * size;
    double right = width - floor(cdg_legend_share(legend, width, height) * width); // of the picture beside the legend
    if (legend->has_map) {
        draw_paper(legend, right, width, height, canvas);
        draw_map(legend, width, height, canvas);
    }
    double x = margin, y = height - margin;
    char text[80] = "";
    if (legend->caption) {
        snprintf(text, sizeof text, "%s", legend->caption);
    } else if (isfinite(time)) {
        size_t begin = legend->is_static ? strlen(strcpy(text, "loads of ")) : 0;
        cdg_time_text(time, time_step, text + begin, sizeof text - begin);
    }
    cdg_canvas_text_on(canvas, x, y, size, CDG_TEXT_LEFT, false, ink(legend, 0.9), rim(legend), text);
    if (!legend->note || !legend->note[0]) return;
    const char *note = legend->note;
    double room = right - 3 * margin - cdg_canvas_text_width(canvas, size, false, text);
    if (strncmp(note, "drawn ", 6) == 0 && cdg_canvas_text_width(canvas, 0.8 * size, false, note) > room) note += 6;
    if (cdg_canvas_text_width(canvas, 0.8 * size, false, note) > room) y = margin; // side by side they would touch
    cdg_canvas_text_on(canvas, right - margin, y, 0.8 * size, CDG_TEXT_RIGHT, false, ink(legend, 0.8), rim(legend),
                       note);
}
