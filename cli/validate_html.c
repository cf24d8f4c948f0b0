// The report of validation as one HTML page: a summary, the papers' figures and tables beside ours, and each case with
// its rows, plots and pictures. Everything is in the page: charts and pictures are data URIs, styles are inline.
#include "validate_results.h"

#include "output/whole_file.h"
#include "plot/canvas.h"
#include "plot/draw_chart.h"
#include "plot/markup.h"
#include "plot/ticks.h"
#include "validate_picture.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CHART_WIDTH = 640, CHART_HEIGHT = 380 };

static const char STYLE[] =
    "<style>\n"
    "body{margin:0 auto;padding:1.5rem;max-width:84rem;background:#fff;color:#222;"
    "font:15px/1.45 \"DejaVu Sans\",Verdana,sans-serif}\n"
    "h1{font-size:1.4rem;margin:0 0 .4rem}h2{font-size:1.15rem;margin:2rem 0 .5rem}h3{font-size:1.05rem;margin:2.2rem "
    "0 "
    ".3rem;border-top:1px solid #ddd;padding-top:1rem}\n"
    "table{border-collapse:collapse;font-variant-numeric:tabular-nums;font-size:.85rem}\n"
    "th,td{padding:.2rem .7rem .2rem 0;text-align:right;border-bottom:1px solid #e4e4e4;font-weight:normal;"
    "vertical-align:top}\n"
    "th{color:#666}.l{text-align:left}.c{text-align:center}.n{white-space:nowrap}\n"
    ".pass{background:#dff3e3;color:#0b5a22;padding:.05rem .4rem;white-space:nowrap}\n"
    ".fail{background:#fbdcdc;color:#8a0f0f;font-weight:bold;padding:.05rem .4rem;white-space:nowrap}\n"
    ".info{background:#eee;color:#555;padding:.05rem .4rem;white-space:nowrap}\n"
    ".scroll{overflow-x:auto}.soft{color:#666;font-size:.85rem}a{color:#1a4f8a}\n"
    ".charts{display:flex;flex-wrap:wrap;gap:1rem;margin:.8rem "
    "0}figure{margin:0}figcaption{font-size:.8rem;color:#666}\n"
    "img{max-width:100%;height:auto}ul{margin:.3rem 0;padding-left:1.2rem;font-size:.85rem}\n"
    "</style>\n";

static void put(cdg_markup *out, const char *format, ...) __attribute__((format(printf, 2, 3)));

// Formatted text, escaped.
static void put(cdg_markup *out, const char *format, ...) {
    char text[1200];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    cdg_markup_text(out, text);
}

static void put_number(cdg_markup *out, double value, const char *unit) {
    char text[64];
    if (isnan(value)) return;
    cdg_number_text(value, 5, text, sizeof text);
    cdg_markup_text(out, text);
    if (unit[0] != '\0') {
        cdg_markup_raw(out, "&nbsp;");
        cdg_markup_text(out, unit);
    }
}

static void put_measure(cdg_markup *out, const validation_row *row, double value) {
    if (row->kind == VALIDATION_INFORMATION) return;
    put(out, row->is_relative ? "%.3g %%" : "%.3g", row->is_relative ? 100 * value : value);
}

// ---- summary --------------------------------------------------------------------------------------------------------

static void put_summary(cdg_markup *out, const validate_results *results) {
    cdg_markup_raw(out,
                   "<h2>Summary</h2>\n<p class=\"soft\">The number beside pass or FAIL is the largest error of the "
                   "case's rows as a share of its tolerance. A filled circle: the case ran under that model; a "
                   "dash: it did not, and the case says why.</p>\n<div class=\"scroll\"><table><thead><tr><th "
                   "class=\"l\">case</th><th class=\"l\">result</th><th>rows</th><th>order</th>");
    for (int m = 0; m < VALIDATION_MODEL_COUNT; m++) {
        cdg_markup_raw(out, "<th class=\"c\">");
        put(out, "%s", validation_model_name((validation_model)m));
        cdg_markup_raw(out, "</th>");
    }
    cdg_markup_raw(out, "<th>cost</th></tr></thead><tbody>\n");
    for (size_t i = 0; i < results->count; i++) {
        const case_result *result = &results->cases[i];
        cdg_markup_raw(out, "<tr><td class=\"l n\"><a href=\"#");
        put(out, "%s", result->item->name);
        cdg_markup_raw(out, "\">");
        put(out, "%s", result->item->name);
        cdg_markup_raw(out, result->pass ? "</a></td><td class=\"l\"><span class=\"pass\">pass "
                                         : "</a></td><td class=\"l\"><span class=\"fail\">FAIL ");
        put(out, "%.2g", worst_share(&result->context));
        cdg_markup_raw(out, "</span></td><td>");
        put(out, "%zu", result->context.row_count);
        cdg_markup_raw(out, "</td><td>");
        double order = observed_order(&result->context, VALIDATION_MODEL_COUNT);
        if (!isnan(order)) put(out, "%.2f", order);
        cdg_markup_raw(out, "</td>");
        for (int m = 0; m < VALIDATION_MODEL_COUNT; m++)
            cdg_markup_raw(out, result->context.has_run[m] ? "<td class=\"c\">\xE2\x97\x8F</td>"
                                                           : "<td class=\"c\">\xE2\x80\x93</td>");
        cdg_markup_raw(out, "<td class=\"n\">");
        put(out, "%.2f s", result->cpu_seconds);
        cdg_markup_raw(out, "</td></tr>\n");
    }
    cdg_markup_raw(out, "</tbody></table></div>\n");
}

static void put_verdict(cdg_markup *out, const validation_row *row) {
    cdg_markup_raw(out, !row->pass                            ? "<span class=\"fail\">FAIL</span>"
                        : row->kind == VALIDATION_INFORMATION ? "<span class=\"info\">measured</span>"
                                                              : "<span class=\"pass\">pass</span>");
}

// ---- the papers -----------------------------------------------------------------------------------------------------

static bool cites_papers(const validate_results *results) {
    for (size_t c = 0; c < results->count; c++)
        for (size_t i = 0; i < results->cases[c].context.row_count; i++)
            if ((int)results->cases[c].context.rows[i].seed > 0) return true;
    return false;
}

static void put_seeds(cdg_markup *out, const validate_results *results) {
    if (!cites_papers(results)) return;
    cdg_markup_raw(out, "<h2>The papers' figures and tables beside ours</h2>\n<p class=\"soft\">000: Spillmann and "
                        "Teschner, Cosserat Nets. 001: Bergou et al. 2008. 002: Kugelstadt and Sch&#246;mer 2016. 003: "
                        "Sobottka, Lay and Weber 2008. 004: Spillmann's thesis. Times are processor time on this "
                        "machine beside theirs on the machine named, and never fail.</p>\n<div class=\"scroll\"><table>"
                        "<thead><tr><th class=\"l\">place</th><th class=\"l\">what</th><th class=\"l\">theirs</th><th>"
                        "ours</th><th>reference</th><th>error</th><th class=\"l\">result</th><th class=\"l\">case</th>"
                        "</tr></thead><tbody>\n");
    for (int seed = 1; seed < VALIDATION_SEED_END; seed++) {
        for (size_t c = 0; c < results->count; c++) {
            const validation_context *context = &results->cases[c].context;
            for (size_t i = 0; i < context->row_count; i++) {
                const validation_row *row = &context->rows[i];
                if ((int)row->seed != seed) continue;
                cdg_markup_raw(out, "<tr><td class=\"l n\">");
                put(out, "%s", validation_seed_name(row->seed));
                cdg_markup_raw(out, "</td><td class=\"l\">");
                put(out, "%s", row->label);
                cdg_markup_raw(out, "</td><td class=\"l\">");
                put(out, "%s", row->theirs);
                cdg_markup_raw(out, "</td><td class=\"n\">");
                put_number(out, row->value, row->unit);
                cdg_markup_raw(out, "</td><td class=\"n\">");
                put_number(out, row->reference, row->unit);
                cdg_markup_raw(out, "</td><td class=\"n\">");
                put_measure(out, row, row->error);
                cdg_markup_raw(out, "</td><td class=\"l\">");
                put_verdict(out, row);
                cdg_markup_raw(out, "</td><td class=\"l n\"><a href=\"#");
                put(out, "%s", results->cases[c].item->name);
                cdg_markup_raw(out, "\">");
                put(out, "%s", results->cases[c].item->name);
                cdg_markup_raw(out, "</a></td></tr>\n");
            }
        }
    }
    cdg_markup_raw(out, "</tbody></table></div>\n");
}

// ---- one case -------------------------------------------------------------------------------------------------------

static void put_models(cdg_markup *out, const case_result *result) {
    cdg_markup_raw(out, "<ul>");
    for (int m = 0; m < VALIDATION_MODEL_COUNT; m++) {
        const char *status = validation_model_status(result->item, &result->context, (validation_model)m);
        double order = observed_order(&result->context, (validation_model)m);
        cdg_markup_raw(out, "<li>");
        put(out, "%s: %s", validation_model_name((validation_model)m),
            result->context.has_run[m] ? "ran"
            : status != NULL           ? status
                                       : "nobody says why not");
        if (!isnan(order)) put(out, ", observed order %.2f", order);
        cdg_markup_raw(out, "</li>");
    }
    cdg_markup_raw(out, "</ul>\n");
}

static void put_rows(cdg_markup *out, const case_result *result) {
    cdg_markup_raw(out, "<div class=\"scroll\"><table><thead><tr><th class=\"l\">row</th><th class=\"l\">model</th><th>"
                        "value</th><th>reference</th><th>error</th><th>tolerance</th><th class=\"l\">result</th><th "
                        "class=\"l\">why this tolerance</th></tr></thead><tbody>\n");
    for (size_t i = 0; i < result->context.row_count; i++) {
        const validation_row *row = &result->context.rows[i];
        cdg_markup_raw(out, "<tr><td class=\"l\">");
        put(out, "%s", row->label);
        cdg_markup_raw(out, "</td><td class=\"l n\">");
        put(out, "%s", validation_model_name(row->model));
        cdg_markup_raw(out, "</td><td class=\"n\">");
        put_number(out, row->value, row->unit);
        cdg_markup_raw(out, "</td><td class=\"n\">");
        put_number(out, row->reference, row->unit);
        cdg_markup_raw(out, "</td><td class=\"n\">");
        put_measure(out, row, row->error);
        cdg_markup_raw(out, "</td><td class=\"n\">");
        put_measure(out, row, row->tolerance);
        cdg_markup_raw(out, "</td><td class=\"l\">");
        put_verdict(out, row);
        cdg_markup_raw(out, "</td><td class=\"l\">");
        put(out, "%s", row->reason != NULL ? row->reason : "");
        cdg_markup_raw(out, "</td></tr>\n");
    }
    cdg_markup_raw(out, "</tbody></table></div>\n");
}

static cdg_result put_chart(cdg_markup *out, const validation_context *context, size_t number, cdg_error *error) {
    const validation_chart *what = &context->charts[number];
    cdg_chart chart = {0};
    cdg_canvas *canvas = NULL;
    unsigned char *bytes = NULL;
    size_t size = 0;
    cdg_result result =
        cdg_chart_create(what->title, what->x_label, what->x_unit, what->y_label, what->y_unit, &chart, error);
    chart.x.is_log = chart.y.is_log = what->is_log;
    for (size_t k = 0; k < context->curve_count && result == CDG_OK; k++) {
        const validation_curve *curve = &context->curves[k];
        if (curve->chart != number) continue;
        result = cdg_chart_add(&chart, curve->label, curve->x, curve->y, curve->count, error);
        if (result == CDG_OK) chart.series[chart.series_count - 1].is_reference = curve->is_reference;
    }
    if (result == CDG_OK) result = cdg_canvas_create_svg(CHART_WIDTH, CHART_HEIGHT, &canvas, error);
    if (result == CDG_OK) result = cdg_draw_chart(canvas, &chart, 0, 0, CHART_WIDTH, CHART_HEIGHT, NULL, error);
    if (result == CDG_OK) result = cdg_canvas_encode(canvas, &bytes, &size, error);
    cdg_canvas_destroy(canvas);
    cdg_chart_free(&chart);
    if (result != CDG_OK) return result;
    cdg_markup_raw(out, "<figure><img width=\"640\" height=\"380\" alt=\"");
    put(out, "%s", what->title);
    cdg_markup_raw(out, "\" src=\"data:image/svg+xml;base64,");
    cdg_markup_base64(out, bytes, size);
    cdg_markup_raw(out, "\"></figure>\n");
    free(bytes);
    return CDG_OK;
}

static cdg_result put_picture(cdg_markup *out, const validation_picture *picture, cdg_error *error) {
    char *bytes = NULL;
    size_t size = 0;
    cdg_result result = validate_picture_render(picture, &bytes, &size, error);
    if (result != CDG_OK) return result;
    cdg_markup_raw(out, "<figure><img width=\"480\" height=\"320\" alt=\"");
    put(out, "%s", picture->caption);
    cdg_markup_raw(out, "\" src=\"data:image/png;base64,");
    cdg_markup_base64(out, (const unsigned char *)bytes, size);
    cdg_markup_raw(out, "\"><figcaption>");
    put(out, "%s", picture->caption);
    cdg_markup_raw(out, "</figcaption></figure>\n");
    free(bytes);
    return CDG_OK;
}

static cdg_result put_case(cdg_markup *out, const case_result *result, cdg_error *error) {
    const validation_context *context = &result->context;
    cdg_markup_raw(out, "<h3 id=\"");
    put(out, "%s", result->item->name);
    cdg_markup_raw(out, "\">");
    put(out, "%s ", result->item->name);
    cdg_markup_raw(out, result->pass ? "<span class=\"pass\">pass</span></h3>\n<p>"
                                     : "<span class=\"fail\">FAIL</span></h3>\n<p>");
    put(out, "It shows that %s.", result->item->shows);
    if (result->error.code != CDG_OK) put(out, " It ended early: %s", result->error.message);
    cdg_markup_raw(out, "</p>\n<p class=\"soft\">");
    put(out, "Source: %s. Tolerance: %s. Cost: %.2f s of processor time. It fails with --wrong %s.",
        result->item->source, result->item->reason != NULL ? result->item->reason : "", result->cpu_seconds,
        result->item->spoiler);
    cdg_markup_raw(out, "</p>\n");
    put_models(out, result);
    put_rows(out, result);
    cdg_markup_raw(out, "<div class=\"charts\">\n");
    cdg_result code = CDG_OK;
    for (size_t i = 0; i < context->chart_count && code == CDG_OK; i++) code = put_chart(out, context, i, error);
    for (size_t i = 0; i < context->picture_count && code == CDG_OK; i++)
        code = put_picture(out, &context->pictures[i], error);
    cdg_markup_raw(out, "</div>\n");
    return code;
}

cdg_result validate_results_html(const validate_results *results, const char *path, cdg_error *error) {
    cdg_markup page = {0};
    cdg_markup_raw(&page,
                   "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" "
                   "content=\"width=device-width, initial-scale=1\">\n<meta http-equiv=\"Content-Security-Policy\" "
                   "content=\"default-src 'none'; style-src 'unsafe-inline'; img-src data:\">\n<title>Validation "
                   "of Cordage</title>\n");
    cdg_markup_raw(&page, STYLE);
    cdg_markup_raw(&page, "</head>\n<body>\n<h1>Validation of Cordage ");
    put(&page, "%s", cdg_version());
    cdg_markup_raw(&page, "</h1>\n<p>");
    put(&page, "%zu of %zu cases passed, %zu rows, %.0f s of processor time%s.", results->count - results->failed,
        results->count, results->rows, results->cpu_seconds,
        results->is_quick        ? "; long cases with fewer elements or less time (--quick)"
        : results->is_exhaustive ? "; long cases with all that is claimed of them (--exhaustive)"
                                 : "");
    cdg_markup_raw(&page, "</p>\n");
    put_summary(&page, results);
    put_seeds(&page, results);
    cdg_markup_raw(&page, "<h2>Cases</h2>\n");
    cdg_result code = CDG_OK;
    for (size_t i = 0; i < results->count && code == CDG_OK; i++) code = put_case(&page, &results->cases[i], error);
    cdg_markup_raw(&page, "</body>\n</html>\n");
    if (code == CDG_OK && page.has_failed) {
        error->code = code = CDG_ERROR_MEMORY;
        snprintf(error->message, sizeof error->message, "out of memory");
    }
    if (code == CDG_OK) code = cdg_whole_file_write(path, page.text, page.size, error);
    cdg_markup_free(&page);
    return code;
}
