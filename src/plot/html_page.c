// One HTML page. Charts are SVG in the page; their numbers stand beside them as JSON, which a few lines of script show
// under the pointer. Dark surroundings invert the lightness of the drawings and keep their hues.
#include "plot/html_page.h"

#include "base/error.h"
#include "output/number.h"
#include "plot/draw_chart.h"
#include "plot/ticks.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { POINTS_MAX = 2000 }; // of one curve in the read-out; a page must stay small

static const char STYLE[] =
    "<style>\n"
    ":root{color-scheme:light dark;--ground:#fff;--ink:#222;--soft:#666;--line:#ddd;--tip:#fffffff2}\n"
    "@media(prefers-color-scheme:dark){:root{--ground:#16181a;--ink:#e6e6e6;--soft:#a0a0a0;--line:#3a3d40;"
    "--tip:#24272af2}\n"
    "figure>svg{filter:invert(.92) hue-rotate(180deg)}}\n"
    "body{margin:0 auto;padding:1.5rem;max-width:96rem;background:var(--ground);color:var(--ink);"
    "font:15px/1.45 \"DejaVu Sans\",Verdana,sans-serif}\n"
    "h1{font-size:1.35rem;margin:0 0 .6rem}h2{font-size:1.05rem;margin:1.6rem 0 .4rem}\n"
    "table{border-collapse:collapse;font-variant-numeric:tabular-nums}\n"
    "th,td{padding:.2rem .9rem .2rem 0;text-align:right;border-bottom:1px solid var(--line);font-weight:normal;"
    "white-space:nowrap}\n"
    "th:first-child,td:first-child{text-align:left}thead th{color:var(--soft)}\n"
    "table.facts th{color:var(--soft);text-align:left}table.facts td{text-align:left;white-space:normal}\n"
    ".scroll{overflow-x:auto}\n"
    ".charts{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,34rem),1fr));gap:1rem;margin:1rem 0}\n"
    "img{max-width:100%;height:auto;display:block;margin:1rem 0 .2rem}.caption{color:var(--soft);font-size:.85rem}\n"
    "figure{margin:0;position:relative}figure>svg{width:100%;height:auto;display:block}\n"
    ".rule{position:absolute;width:1px;background:var(--soft);pointer-events:none}\n"
    ".tip{position:absolute;pointer-events:none;background:var(--tip);border:1px solid var(--line);border-radius:4px;"
    "padding:.3rem .5rem;font-size:.8rem;font-variant-numeric:tabular-nums;white-space:nowrap;z-index:1}\n"
    ".tip i{display:inline-block;width:.7em;height:.7em;border-radius:50%;margin-right:.4em}\n"
    "</style>\n";

// A chart's data are found in the script element that follows its figure's drawing.
static const char SCRIPT[] =
    "<script>\n"
    "document.querySelectorAll('figure').forEach(figure => {\n"
    "  const chart = JSON.parse(figure.querySelector('script').textContent);\n"
    "  const svg = figure.querySelector('svg'), frame = chart.frame;\n"
    "  const rule = figure.appendChild(document.createElement('div'));\n"
    "  const tip = figure.appendChild(document.createElement('div'));\n"
    "  rule.className = 'rule'; tip.className = 'tip';\n"
    "  const hide = () => { rule.hidden = tip.hidden = true; };\n"
    "  hide();\n"
    "  const number = value => value === null ? '\\u2013' : Number(value.toPrecision(5)).toString();\n"
    "  const nearest = (xs, x) => {\n"
    "    let best = -1, distance = Infinity;\n"
    "    xs.forEach((value, i) => {\n"
    "      const here = Math.abs(value - x);\n"
    "      if (value !== null && here < distance) { best = i; distance = here; }\n"
    "    });\n"
    "    return best;\n"
    "  };\n"
    "  figure.addEventListener('pointerleave', hide);\n"
    "  figure.addEventListener('pointermove', event => {\n"
    "    const box = svg.getBoundingClientRect(), zoom = box.width / chart.width;\n"
    "    const px = (event.clientX - box.left) / zoom, py = (event.clientY - box.top) / zoom;\n"
    "    if (px < frame.left || px > frame.right || py < frame.top || py > frame.bottom) { hide(); return; }\n"
    "    const part = (px - frame.left) / (frame.right - frame.left);\n"
    "    const x = frame.xlog ? frame.x0 * Math.pow(frame.x1 / frame.x0, part)\n"
    "                         : frame.x0 + part * (frame.x1 - frame.x0);\n"
    "    let at = null;\n"
    "    tip.textContent = '';\n"
    "    const head = tip.appendChild(document.createElement('div'));\n"
    "    chart.series.forEach(series => {\n"
    "      const i = nearest(series.x, x);\n"
    "      if (i < 0) return;\n"
    "      if (at === null || Math.abs(series.x[i] - x) < Math.abs(at - x)) at = series.x[i];\n"
    "      const row = tip.appendChild(document.createElement('div'));\n"
    "      row.appendChild(document.createElement('i')).style.background = series.color;\n"
    "      row.append(series.name + ': ' + number(series.y[i]) + ' ' + chart.yunit);\n"
    "    });\n"
    "    if (at === null) { hide(); return; }\n"
    "    head.textContent = chart.xlabel + ': ' + number(at) + ' ' + chart.xunit;\n"
    "    rule.hidden = tip.hidden = false;\n"
    "    const left = svg.offsetLeft + px * zoom;\n"
    "    rule.style.left = left + 'px';\n"
    "    rule.style.top = svg.offsetTop + frame.top * zoom + 'px';\n"
    "    rule.style.height = (frame.bottom - frame.top) * zoom + 'px';\n"
    "    const room = figure.clientWidth - left - 12;\n"
    "    tip.style.left = (room > tip.offsetWidth ? left + 12 : Math.max(0, left - 12 - tip.offsetWidth)) + 'px';\n"
    "    tip.style.top = svg.offsetTop + frame.top * zoom + 'px';\n"
    "  });\n"
    "});\n"
    "</script>\n";

// ---- numbers for the script

// A JSON string that cannot end the script element it stands in.
static void put_json_text(cdg_markup *out, const char *text) {
    char *clean = cdg_markup_clean(text);
    if (clean == NULL) {
        out->has_failed = true;
        return;
    }
    cdg_markup_raw(out, "\"");
    for (const char *c = clean; *c != '\0'; c++) {
        char escape[8];
        if (strchr("\"\\<>&", *c) != NULL) {
            snprintf(escape, sizeof escape, "\\u%04x", (unsigned)*c);
            cdg_markup_raw(out, escape);
        } else {
            cdg_markup_bytes(out, c, 1);
        }
    }
    cdg_markup_raw(out, "\"");
    free(clean);
}

// Seven digits: more than the read-out shows.
static void put_json_number(cdg_markup *out, double value) {
    char text[CDG_NUMBER_SIZE];
    if (isfinite(value)) {
        snprintf(text, sizeof text, "%.7g", value);
        cdg_markup_raw(out, text);
    } else {
        cdg_markup_raw(out, "null");
    }
}

static void put_member(cdg_markup *out, const char *name, double value) {
    cdg_markup_raw(out, ",\"");
    cdg_markup_raw(out, name);
    cdg_markup_raw(out, "\":");
    put_json_number(out, value);
}

static void put_array(cdg_markup *out, const char *name, const double *numbers, size_t count) {
    size_t stride = (count + POINTS_MAX - 1) / POINTS_MAX;
    cdg_markup_raw(out, ",\"");
    cdg_markup_raw(out, name);
    cdg_markup_raw(out, "\":[");
    for (size_t i = 0; i < count; i += stride) {
        if (i > 0) cdg_markup_raw(out, ",");
        put_json_number(out, numbers[i]);
    }
    cdg_markup_raw(out, "]");
}

static void put_color(cdg_markup *out, cdg_rgba color) {
    char text[16];
    snprintf(text, sizeof text, "#%02x%02x%02x", (unsigned)(255 * color.red + 0.5), (unsigned)(255 * color.green + 0.5),
             (unsigned)(255 * color.blue + 0.5));
    cdg_markup_raw(out, text);
}

static void put_data(cdg_markup *out, const cdg_chart *chart, const cdg_chart_frame *frame, int width) {
    char unit[CDG_UNIT_SIZE];
    cdg_markup_raw(out, "<script type=\"application/json\">{\"xlabel\":");
    put_json_text(out, chart->x.label);
    cdg_markup_raw(out, ",\"xunit\":");
    cdg_unit_text(chart->x.unit, 0, unit);
    put_json_text(out, unit);
    cdg_markup_raw(out, ",\"yunit\":");
    cdg_unit_text(chart->y.unit, 0, unit);
    put_json_text(out, unit);
    put_member(out, "width", width);
    cdg_markup_raw(out, frame->is_x_log ? ",\"frame\":{\"xlog\":true" : ",\"frame\":{\"xlog\":false");
    put_member(out, "left", frame->left);
    put_member(out, "top", frame->top);
    put_member(out, "right", frame->right);
    put_member(out, "bottom", frame->bottom);
    put_member(out, "x0", frame->x_low);
    put_member(out, "x1", frame->x_high);
    cdg_markup_raw(out, "},\"series\":[");
    for (size_t i = 0; i < chart->series_count; i++) {
        const cdg_series *series = &chart->series[i];
        cdg_markup_raw(out, i > 0 ? ",\n{\"name\":" : "\n{\"name\":");
        put_json_text(out, series->name);
        cdg_markup_raw(out, ",\"color\":\"");
        put_color(out, cdg_chart_color(chart, i));
        cdg_markup_raw(out, "\"");
        put_array(out, "x", series->x, series->count);
        put_array(out, "y", series->y, series->count);
        cdg_markup_raw(out, "}");
    }
    cdg_markup_raw(out, "]}</script>\n");
}

// ---- charts

static cdg_result put_chart(const cdg_page *page, const cdg_chart *chart, cdg_markup *out, cdg_error *error) {
    int width = page->chart_width > 0 ? page->chart_width : CDG_PANEL_WIDTH;
    int height = page->chart_height > 0 ? page->chart_height : CDG_PANEL_HEIGHT;
    cdg_canvas *canvas;
    cdg_chart_frame frame;
    unsigned char *bytes = NULL;
    size_t size = 0;
    cdg_result result = cdg_canvas_create_svg(width, height, &canvas, error);
    if (result != CDG_OK) return result;
    result = cdg_draw_chart(canvas, chart, 0, 0, width, height, &frame, error);
    if (result == CDG_OK) result = cdg_canvas_encode(canvas, &bytes, &size, error);
    cdg_canvas_destroy(canvas);
    if (result != CDG_OK) return result;
    cdg_markup_raw(out, "<figure>\n");
    // HTML knows the namespace of <svg>, and a page without any address in it is seen to need none.
    const char *begin = (const char *)bytes, *name = strstr(begin, " xmlns=\""), *rest = begin;
    if (name != NULL) {
        cdg_markup_bytes(out, begin, (size_t)(name - begin));
        rest = strchr(name + strlen(" xmlns=\""), '"') + 1;
    }
    cdg_markup_raw(out, rest);
    put_data(out, chart, &frame, width);
    cdg_markup_raw(out, "</figure>\n");
    free(bytes);
    return CDG_OK;
}

// ---- tables

static void put_facts(const cdg_page *page, cdg_markup *out) {
    if (page->fact_count == 0) return;
    cdg_markup_raw(out, "<table class=\"facts\">\n");
    for (size_t i = 0; i < page->fact_count; i++) {
        cdg_markup_raw(out, "<tr><th scope=\"row\">");
        cdg_markup_text(out, page->facts[i].name);
        cdg_markup_raw(out, "</th><td>");
        cdg_markup_text(out, page->facts[i].value);
        cdg_markup_raw(out, "</td></tr>\n");
    }
    cdg_markup_raw(out, "</table>\n");
}

static void put_cell(cdg_markup *out, double value) {
    char text[64];
    cdg_markup_raw(out, "<td>");
    if (isfinite(value)) cdg_number_text(value, 5, text, sizeof text);
    cdg_markup_text(out, isfinite(value) ? text : "\xE2\x80\x93");
    cdg_markup_raw(out, "</td>");
}

static void put_place(cdg_markup *out, double place, const char *unit) {
    char text[64], shown[CDG_UNIT_SIZE];
    cdg_markup_raw(out, "<td>");
    if (isfinite(place)) {
        cdg_number_text(place, 4, text, sizeof text);
        cdg_unit_text(unit, 0, shown);
        cdg_markup_text(out, text);
        cdg_markup_raw(out, " ");
        cdg_markup_text(out, shown);
    }
    cdg_markup_raw(out, "</td>");
}

static void put_numbers(const cdg_page *page, cdg_markup *out) {
    cdg_markup_raw(out,
                   "<h2>In numbers</h2>\n<div class=\"scroll\"><table>\n<thead><tr><th></th><th>unit</th>"
                   "<th>first</th><th>last</th><th>least</th><th>at</th><th>largest</th><th>at</th></tr></thead>\n");
    for (size_t c = 0; c < page->chart_count; c++) {
        const cdg_chart *chart = &page->charts[c];
        for (size_t s = 0; s < chart->series_count; s++) {
            cdg_series_facts facts = cdg_chart_get_facts(chart, s);
            char unit[CDG_UNIT_SIZE];
            cdg_unit_text(chart->y.unit, 0, unit);
            cdg_markup_raw(out, "<tr><td>");
            cdg_markup_text(out, chart->title);
            if (chart->title[0] != '\0') cdg_markup_raw(out, ": ");
            if (strcmp(chart->title, chart->series[s].name) != 0) cdg_markup_text(out, chart->series[s].name);
            cdg_markup_raw(out, "</td><td>");
            cdg_markup_text(out, unit);
            cdg_markup_raw(out, "</td>");
            put_cell(out, facts.first);
            put_cell(out, facts.last);
            put_cell(out, facts.least);
            put_place(out, facts.least_at, chart->x.unit);
            put_cell(out, facts.largest);
            put_place(out, facts.largest_at, chart->x.unit);
            cdg_markup_raw(out, "</tr>\n");
        }
    }
    cdg_markup_raw(out, "</table></div>\n");
}

static void put_picture(const cdg_page_picture *picture, cdg_markup *out) {
    cdg_markup_raw(out, "<img alt=\"");
    cdg_markup_text(out, picture->caption);
    cdg_markup_raw(out, "\" src=\"data:image/png;base64,");
    cdg_markup_base64(out, picture->png, picture->size);
    cdg_markup_raw(out, "\">\n<div class=\"caption\">");
    cdg_markup_text(out, picture->caption);
    cdg_markup_raw(out, "</div>\n");
}

cdg_result cdg_html_page_write(const cdg_page *page, cdg_markup *out, cdg_error *error) {
    cdg_markup_raw(out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                        // Says to the browser what holds anyway: nothing is fetched from anywhere.
                        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
                        "style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:\">\n<title>");
    cdg_markup_text(out, page->title);
    cdg_markup_raw(out, "</title>\n");
    cdg_markup_raw(out, STYLE);
    cdg_markup_raw(out, "</head>\n<body>\n<h1>");
    cdg_markup_text(out, page->title);
    cdg_markup_raw(out, "</h1>\n");
    put_facts(page, out);
    for (size_t i = 0; i < page->picture_count; i++) put_picture(&page->pictures[i], out);
    cdg_markup_raw(out, "<div class=\"charts\">\n");
    cdg_result result = CDG_OK;
    for (size_t i = 0; i < page->chart_count && result == CDG_OK; i++)
        result = put_chart(page, &page->charts[i], out, error);
    if (result != CDG_OK) return result;
    cdg_markup_raw(out, "</div>\n");
    put_numbers(page, out);
    cdg_markup_raw(out, SCRIPT);
    cdg_markup_raw(out, "</body>\n</html>\n");
    if (out->has_failed) return cdg_fail(error, CDG_ERROR_MEMORY, "out of memory for a page");
    return CDG_OK;
}
