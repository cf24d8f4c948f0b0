// cordage plot: charts of a run over time or along a rod, as pictures, as a page or as numbers.
#include "commands.h"
#include "format.h"
#include "json_print.h"
#include "mix_up.h"
#include "output/disk.h"
#include "picture_options.h"
#include "plot/along_rod.h"
#include "plot/figure_file.h"
#include "plot/run_columns.h"
#include "terminal.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { TIMES_MAX = 100, FACTS_MAX = 8, PATH_SIZE = 4096 };

typedef struct plot_request {
    const command_line *line;
    const char *along; // NULL: over time
    double times[TIMES_MAX];
    size_t time_count;
    double from, to; // of the horizontal axis, SI; NaN: all
    int width, height;
    bool is_log, as_json, quiet;
    cdg_run_reader *reader;
    cdg_run_columns columns;
    cdg_chart_list charts;
    cdg_figure_files files;
    const char *title;
    cdg_page_fact facts[FACTS_MAX];
    size_t fact_count;
    char fact_texts[FACTS_MAX][256];
} plot_request;

// Wrong files and wishes are the request's fault; a full disk or a lack of memory is not.
static exit_status status_of(cdg_result result) {
    return result == CDG_OK ? EXIT_STATUS_DONE : result == CDG_ERROR_MEMORY ? EXIT_STATUS_FAILED : EXIT_STATUS_REFUSED;
}

static exit_status refuse(cdg_result result, const cdg_error *error) {
    if (result != CDG_OK) complain("%s", error->message);
    return status_of(result);
}

// ---- options

static bool read_times(plot_request *request) {
    const char *item;
    for (size_t i = 0; (item = option_list_item(request->line, "time", i)); i++) {
        char *copy = strdup(item), *rest = NULL;
        bool is_good = copy != NULL;
        for (char *part = copy ? strtok_r(copy, ",", &rest) : NULL; part && is_good;
             part = strtok_r(NULL, ",", &rest)) {
            is_good = request->time_count < TIMES_MAX;
            if (!is_good) complain("--time may name %d times at most", TIMES_MAX);
            is_good = is_good && parse_quantity("time", part, CDG_TIME, &request->times[request->time_count++]);
        }
        free(copy);
        if (!is_good) return false;
    }
    return true;
}

static bool read_options(plot_request *request) {
    const command_line *line = request->line;
    const char *size = option_text(line, "size"), *from = option_text(line, "from"), *to = option_text(line, "to");
    request->along = option_text(line, "along");
    request->is_log = has_option(line, "log");
    request->as_json = has_option(line, "json");
    request->quiet = has_option(line, "quiet");
    request->from = request->to = NAN;
    if (!request->along && (has_option(line, "field") || has_option(line, "time"))) {
        complain("--field and --time go with --along ROD; over time use --columns");
        return false;
    }
    if (request->along && has_option(line, "columns")) {
        complain("--columns are over time and --along is along a rod; plot one of them");
        return false;
    }
    static const char *const outputs[] = {"output", "html"};
    for (size_t i = 0; i < 2; i++) {
        const char *path = option_text(line, outputs[i]);
        cdg_figure_format format = CDG_FIGURE_HTML;
        cdg_error error = {0};
        if (path && cdg_figure_format_of(path, &format, &error) != CDG_OK) {
            complain("%s", error.message);
            return false;
        }
        if (path && i == 1 && format != CDG_FIGURE_HTML) {
            complain("--html writes a page: end '%s' with .html, or use --output", path);
            return false;
        }
    }
    cdg_quantity kind = request->along ? CDG_LENGTH : CDG_TIME;
    if (size && !parse_size("size", size, &request->width, &request->height)) return false;
    if (from && !parse_quantity("from", from, kind, &request->from)) return false;
    if (to && !parse_quantity("to", to, kind, &request->to)) return false;
    if (from && to && request->from >= request->to) {
        complain("--from must be less than --to");
        return false;
    }
    return read_times(request);
}

// ---- charts

// Names a field that older runs do not hold.
static bool names_later_field(const char *fields) {
    for (int i = 0; i < CDG_FIELD_COUNT && fields; i++) {
        cdg_field_info info = cdg_field_get((cdg_field)i);
        if ((info.traits & CDG_FIELD_LATER) != 0 && strstr(fields, info.name)) return true;
    }
    return fields && strstr(fields, "strain");
}

static exit_status make_charts(plot_request *request) {
    const command_line *line = request->line;
    const char *patterns = option_text(line, "columns"), *fields = option_text(line, "field");
    cdg_error error = {0};
    cdg_result result = is_no_run(line->words[0], line->command->name, &error)
                            ? CDG_ERROR_ARGUMENT
                            : cdg_run_reader_open(line->words[0], &request->reader, &error);
    if (result != CDG_OK) return refuse(result, &error);
    if (request->along) {
        if (request->reader->is_recomputed && names_later_field(fields) && !has_option(line, "quiet"))
            warn_recomputed();
        result = cdg_along_rod_charts(request->reader, request->along, fields ? fields : "tension", request->times,
                                      request->time_count, &request->charts, &error);
        return refuse(result, &error);
    }
    result = cdg_run_columns_read(request->reader, &request->columns, &error);
    if (result == CDG_OK)
        result = patterns ? cdg_run_columns_choose(&request->columns, patterns, &request->charts, &error)
                          : cdg_run_columns_overview(&request->columns, &request->charts, &error);
    return refuse(result, &error);
}

static bool has_value_below_zero(const cdg_chart *chart) {
    for (size_t s = 0; s < chart->series_count; s++)
        for (size_t i = 0; i < chart->series[s].count; i++)
            if (chart->series[s].y[i] <= 0) return true;
    return false;
}

// Applies --from, --to and --log; charts that have nothing to show then are left out.
static exit_status limit_charts(plot_request *request) {
    cdg_chart_list *list = &request->charts;
    size_t kept = 0, left_out = 0;
    bool lacks_values = false;
    for (size_t i = 0; i < list->count; i++) {
        cdg_chart *chart = &list->items[i];
        cdg_chart_bounds bounds;
        if (!isnan(request->from)) chart->x.low = request->from;
        if (!isnan(request->to)) chart->x.high = request->to;
        bool had_values = cdg_chart_get_bounds(chart, &bounds);
        chart->y.is_log = request->is_log;
        if (cdg_chart_get_bounds(chart, &bounds)) {
            lacks_values = lacks_values || (request->is_log && has_value_below_zero(chart));
            if (i != kept) {
                list->items[kept] = *chart;
                *chart = (cdg_chart){0};
            }
            kept++;
        } else {
            left_out++;
            if (had_values && !request->quiet)
                warn("%s: no value is above zero, so there is nothing to draw on a logarithmic axis",
                     chart->title[0] ? chart->title : chart->y.label);
            cdg_chart_free(chart);
        }
    }
    list->count = kept;
    if (kept == 0) {
        complain("there is nothing to plot%s", request->is_log ? " on a logarithmic axis: no value is above zero"
                                               : isnan(request->from) && isnan(request->to)
                                                   ? ": there are no finite values"
                                                   : " from --from to --to: the run has no values there");
        return EXIT_STATUS_REFUSED;
    }
    if (lacks_values && !request->quiet)
        warn("values of zero or less have no place on a logarithmic axis and are left out");
    if (left_out > 0 && !request->is_log && !request->quiet)
        warn("left out, without any value here: %s", format_plural(left_out, "chart").text);
    return EXIT_STATUS_DONE;
}

// ---- files

__attribute__((format(printf, 3, 4))) static void add_fact(plot_request *request, const char *name, const char *format,
                                                           ...) {
    va_list arguments;
    va_start(arguments, format);
    char *text = request->fact_texts[request->fact_count];
    vsnprintf(text, sizeof request->fact_texts[0], format, arguments);
    va_end(arguments);
    request->facts[request->fact_count++] = (cdg_page_fact){name, text};
}

static void collect_facts(plot_request *request) {
    const cdg_run_reader *reader = request->reader;
    size_t elements = 0;
    for (size_t i = 0; i < reader->rod_count; i++) elements += reader->rods[i].element_count;
    add_fact(request, "Scene", "%s", reader->scene_name);
    if (reader->overrides[0]) {
        add_fact(request, "Settings", "%s", reader->overrides);
        for (char *c = request->fact_texts[request->fact_count - 1]; *c; c++)
            if (*c == '\n') *c = c[1] ? ' ' : '\0';
    }
    add_fact(request, "Rods", "%s, %s", format_plural(reader->rod_count, "rod").text,
             format_plural(elements, "element").text);
    if (reader->rod_count > 0) add_fact(request, "Model", "%s", reader->rods[0].model);
    add_fact(request, "Outputs", "%s from %g s to %g s", format_count(reader->frame_count).text, reader->times[0],
             reader->times[reader->frame_count - 1]);
    add_fact(request, "Made by", "cordage %s", cdg_version());
}

static cdg_figure figure_of(const plot_request *request, const cdg_chart *charts, size_t count) {
    return (cdg_figure){.title = request->title,
                        .charts = charts,
                        .chart_count = count,
                        .width = request->width,
                        .height = request->height,
                        .facts = request->facts,
                        .fact_count = request->fact_count};
}

// "tip: position" becomes "tip_position": a name for a file, different from those before it.
static void make_name(const plot_request *request, size_t index, char *out, size_t size) {
    const cdg_chart *chart = &request->charts.items[index];
    char text[256];
    bool is_said_twice = chart->title[0] && nearest_word(chart->title, (const char *const[]){chart->y.label}, 1);
    snprintf(text, sizeof text, "%s%s%s", chart->title, chart->title[0] && !is_said_twice ? "_" : "",
             is_said_twice ? "" : chart->y.label);
    size_t length = 0;
    for (const char *c = text; *c && length + 1 < size; c++) {
        bool is_plain = (*c >= 'a' && *c <= 'z') || (*c >= '0' && *c <= '9') || *c == '-' || *c == '.';
        char letter = is_plain ? *c : *c >= 'A' && *c <= 'Z' ? (char)(*c - 'A' + 'a') : '_';
        if (letter != '_' || (length > 0 && out[length - 1] != '_')) out[length++] = letter;
    }
    out[length] = '\0';
}

static cdg_result add_chart_files(plot_request *request, const char *folder, size_t index, cdg_error *error) {
    char name[128], other[128];
    make_name(request, index, name, sizeof name);
    for (size_t i = 0; i < index; i++) {
        make_name(request, i, other, sizeof other);
        if (strcmp(name, other) != 0) continue;
        size_t length = strlen(name) < 100 ? strlen(name) : 100;
        snprintf(name + length, sizeof name - length, "-%zu", index + 1);
        break;
    }
    cdg_result result = CDG_OK;
    static const char *const extensions[] = {".svg", ".png"};
    cdg_figure figure = figure_of(request, &request->charts.items[index], 1);
    for (size_t i = 0; i < 2 && result == CDG_OK; i++) {
        char *path = cdg_disk_join(folder, name, extensions[i]);
        result = path ? cdg_figure_files_add(&request->files, path, &figure, error) : CDG_ERROR_MEMORY;
        free(path);
    }
    return result;
}

// Everything goes to DIR/plots: each chart alone, and all in one page.
static cdg_result add_all_files(plot_request *request, char *folder, cdg_error *error) {
    cdg_result result = CDG_OK;
    for (size_t i = 0; i < request->charts.count && result == CDG_OK; i++)
        result = add_chart_files(request, folder, i, error);
    char *path = cdg_disk_join(folder, "index", ".html");
    cdg_figure figure = figure_of(request, request->charts.items, request->charts.count);
    if (result == CDG_OK)
        result = path ? cdg_figure_files_add(&request->files, path, &figure, error) : CDG_ERROR_MEMORY;
    free(path);
    return result;
}

static exit_status write_files(plot_request *request) {
    const char *output = option_text(request->line, "output"), *html = option_text(request->line, "html");
    cdg_error error = {.message = "out of memory"};
    cdg_result result = CDG_OK;
    cdg_figure figure = figure_of(request, request->charts.items, request->charts.count);
    char *folder = NULL;
    if (output) result = cdg_figure_files_add(&request->files, output, &figure, &error);
    if (html && result == CDG_OK) result = cdg_figure_files_add(&request->files, html, &figure, &error);
    if (!output && !html && !request->as_json) {
        folder = cdg_disk_join(request->reader->directory, "plots", "");
        result = folder ? add_all_files(request, folder, &error) : CDG_ERROR_MEMORY;
        if (result == CDG_OK) result = cdg_disk_make_directory(folder, &error);
    }
    if (result == CDG_OK) result = cdg_figure_files_write(&request->files, &error);
    free(folder);
    return refuse(result, &error);
}

// ---- what is said

static void print_report(const plot_request *request) {
    size_t curves = 0;
    for (size_t i = 0; i < request->charts.count; i++) curves += request->charts.items[i].series_count;
    printf("%s: %s, %s\n", request->title, format_plural(request->charts.count, "chart").text,
           format_plural(curves, "curve").text);
    for (size_t i = 0; i < request->files.count; i++)
        printf("  %s  %s\n", request->files.items[i].path, format_bytes((double)request->files.items[i].size).text);
}

static void put_axis(cdg_json *json, const char *key, const cdg_axis *axis) {
    cdg_json_begin_object(json, key);
    cdg_json_text(json, "label", axis->label);
    cdg_json_text(json, "unit", axis->unit);
    cdg_json_end(json);
}

static void put_numbers(cdg_json *json, const char *key, const double *numbers, size_t count) {
    cdg_json_begin_array(json, key);
    for (size_t i = 0; i < count; i++) cdg_json_number(json, NULL, numbers[i]);
    cdg_json_end(json);
}

static void print_json(const plot_request *request, exit_status status) {
    cdg_json json = json_begin(request->line->command->name);
    cdg_json_integer(&json, "exit_status", (uint64_t)status);
    cdg_json_text(&json, "run", request->line->words[0]);
    cdg_json_text(&json, "title", request->title);
    cdg_json_begin_array(&json, "charts");
    for (size_t i = 0; i < request->charts.count && status == EXIT_STATUS_DONE; i++) {
        const cdg_chart *chart = &request->charts.items[i];
        cdg_json_begin_object(&json, NULL);
        cdg_json_text(&json, "title", chart->title);
        put_axis(&json, "x", &chart->x);
        put_axis(&json, "y", &chart->y);
        cdg_json_begin_array(&json, "series");
        for (size_t s = 0; s < chart->series_count; s++) {
            cdg_json_begin_object(&json, NULL);
            cdg_json_text(&json, "name", chart->series[s].name);
            put_numbers(&json, "x", chart->series[s].x, chart->series[s].count);
            put_numbers(&json, "y", chart->series[s].y, chart->series[s].count);
            cdg_json_end(&json);
        }
        cdg_json_end(&json);
        cdg_json_end(&json);
    }
    cdg_json_end(&json);
    cdg_json_begin_array(&json, "files");
    for (size_t i = 0; i < request->files.count && status == EXIT_STATUS_DONE; i++)
        cdg_json_text(&json, NULL, request->files.items[i].path);
    cdg_json_end(&json);
    json_print(&json);
}

exit_status cmd_plot(const command_line *line) {
    plot_request request = {.line = line, .title = option_text(line, "title")};
    exit_status status = read_options(&request) ? make_charts(&request) : EXIT_STATUS_REFUSED;
    if (status == EXIT_STATUS_DONE) status = limit_charts(&request);
    if (status == EXIT_STATUS_DONE) {
        if (!request.title) request.title = request.reader->title;
        if (!request.title || !request.title[0]) request.title = request.reader->scene_name;
        collect_facts(&request);
        status = write_files(&request);
    }
    if (request.as_json)
        print_json(&request, status);
    else if (status == EXIT_STATUS_DONE && !request.quiet)
        print_report(&request);
    cdg_figure_files_free(&request.files);
    cdg_chart_list_free(&request.charts);
    cdg_run_columns_free(&request.columns);
    cdg_run_reader_close(request.reader);
    return status;
}
