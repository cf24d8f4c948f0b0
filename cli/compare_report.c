// The report of a comparison.
#include "compare_report.h"

#include "format.h"
#include "json_print.h"
#include "plot/figure_file.h"
#include "plot/run_distance.h"
#include "scene/scene.h"
#include "terminal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const outcome_words[] = {"finished", "refused", "failed", "interrupted"};

static double seconds_per_element_step(const variant_result *result) {
    double work = (double)result->element_count * (double)result->summary.step_count;
    return work > 0 ? result->summary.wall_seconds / work : NAN;
}

// The models of a scene's rods: "pobd", or several with commas.
static void put_models(const variant_result *result, char *out, size_t size) {
    size_t used = 0;
    out[0] = '\0';
    if (result->model) {
        snprintf(out, size, "%s", result->model);
        return;
    }
    for (size_t i = 0; result->scene && i < result->scene->rod_count; i++) {
        const char *name = cdg_run_model_name(result->scene->rods[i].model);
        bool is_new = true;
        for (size_t k = 0; k < i && is_new; k++) is_new = result->scene->rods[k].model != result->scene->rods[i].model;
        if (is_new && used < size) used += (size_t)snprintf(out + used, size - used, "%s%s", used > 0 ? "," : "", name);
    }
}

// ---- measuring

static const variant_result *reference_of(const comparison *compared) {
    return &compared->results[compared->reference];
}

static cdg_result measure_end(variant_result *result, size_t rod, cdg_error *error) {
    const cdg_run_rod *info = &result->reader->rods[rod];
    double *positions = malloc(3 * info->node_count * sizeof *positions);
    if (!positions) return CDG_ERROR_MEMORY;
    cdg_result code = cdg_run_reader_read(result->reader, result->reader->frame_count - 1, rod, CDG_FIELD_positions,
                                          positions, error);
    const double *end = positions + 3 * (info->is_closed ? 0 : info->node_count - 1);
    if (code == CDG_OK) result->rods[rod].end = (cdg_vec3){end[0], end[1], end[2]};
    free(positions);
    return code;
}

static cdg_result measure_distance(variant_result *result, size_t rod, const variant_result *reference,
                                   cdg_error *error) {
    const cdg_run_reader *reader = result->reader;
    size_t other = cdg_run_find_rod(reference->reader, reader->rods[rod].name);
    if (other == SIZE_MAX) return CDG_OK;
    double *distances = malloc(reader->frame_count * sizeof *distances);
    if (!distances) return CDG_ERROR_MEMORY;
    cdg_result code = cdg_run_distance(reader, rod, reference->reader, other, distances, error);
    for (size_t i = 0; i < reader->frame_count && code == CDG_OK; i++) {
        rod_result *out = &result->rods[rod];
        if (isnan(distances[i])) continue;
        if (!(distances[i] <= out->largest_distance)) {
            out->largest_distance = distances[i];
            out->largest_at = reader->times[i];
        }
        result->distance[i] = fmax(result->distance[i], distances[i]); // fmax takes the number of a number and a NaN
    }
    free(distances);
    return code;
}

// Where the reference's end is at the time of this variant's last output; both must have one there.
static void measure_end_distance(variant_result *result, size_t rod, const variant_result *reference) {
    size_t other = cdg_run_find_rod(reference->reader, result->reader->rods[rod].name);
    if (other == SIZE_MAX) return;
    const cdg_run_rod *info = &reference->reader->rods[other];
    double time = result->reader->times[result->reader->frame_count - 1];
    size_t frame = cdg_run_reader_nearest_frame(reference->reader, time);
    if (fabs(reference->reader->times[frame] - time) > 1e-9 * (1 + fabs(time))) return;
    double *positions = malloc(3 * info->node_count * sizeof *positions);
    cdg_error ignored;
    if (positions &&
        cdg_run_reader_read(reference->reader, frame, other, CDG_FIELD_positions, positions, &ignored) == CDG_OK) {
        const double *end = positions + 3 * (info->is_closed ? 0 : info->node_count - 1);
        cdg_vec3 here = result->rods[rod].end;
        result->rods[rod].end_distance = hypot(hypot(here.x - end[0], here.y - end[1]), here.z - end[2]);
    }
    free(positions);
}

static cdg_result read_energy(variant_result *result, cdg_error *error) {
    size_t count = result->reader->frame_count;
    double *values = malloc(count * sizeof *values);
    cdg_result code = values ? CDG_OK : CDG_ERROR_MEMORY;
#define READ_ENERGY(name, text)                                                                                        \
    if (code == CDG_OK) code = cdg_run_reader_energy(result->reader, #name, values, error);                            \
    if (code == CDG_OK) result->energy.name = values[count - 1];
    CDG_ENERGY_LIST(READ_ENERGY)
#undef READ_ENERGY
    free(values);
    return code;
}

static cdg_result open_run(variant_result *result, cdg_error *error) {
    if (!result->directory || (result->outcome != VARIANT_FINISHED && !result->has_begun)) return CDG_OK;
    cdg_result code = cdg_run_reader_open(result->directory, &result->reader, error);
    if (code != CDG_OK && result->outcome != VARIANT_FINISHED) { // one that failed early may have no outputs
        result->reader = NULL;
        return CDG_OK;
    }
    if (code != CDG_OK) return code;
    const cdg_run_reader *reader = result->reader;
    result->rods = calloc(reader->rod_count + 1, sizeof *result->rods);
    result->distance = malloc(reader->frame_count * sizeof *result->distance);
    if (!result->rods || !result->distance) return CDG_ERROR_MEMORY;
    for (size_t i = 0; i < reader->frame_count; i++) result->distance[i] = NAN;
    for (size_t i = 0; i < reader->rod_count && code == CDG_OK; i++) {
        result->rods[i] = (rod_result){.name = reader->rods[i].name,
                                       .is_closed = reader->rods[i].is_closed,
                                       .length = reader->rods[i].length,
                                       .end_distance = NAN,
                                       .largest_distance = NAN,
                                       .largest_at = NAN};
        result->element_count += reader->rods[i].element_count;
        code = measure_end(result, i, error);
    }
    return code == CDG_OK ? read_energy(result, error) : code;
}

cdg_result comparison_measure(comparison *compared, cdg_error *error) {
    cdg_result code = CDG_OK;
    snprintf(error->message, sizeof error->message, "out of memory");
    for (size_t i = 0; i < compared->count && code == CDG_OK; i++) {
        code = open_run(&compared->results[i], error);
        compared->has_runs = compared->has_runs || compared->results[i].reader;
    }
    const variant_result *reference = reference_of(compared);
    for (size_t i = 0; i < compared->count && code == CDG_OK && reference->reader; i++) {
        variant_result *result = &compared->results[i];
        for (size_t rod = 0; result->reader && rod < result->reader->rod_count && code == CDG_OK; rod++) {
            code = measure_distance(result, rod, reference, error);
            measure_end_distance(result, rod, reference);
        }
    }
    return code;
}

void comparison_free(comparison *compared) {
    for (size_t i = 0; i < compared->count; i++) {
        cdg_run_reader_close(compared->results[i].reader);
        free(compared->results[i].rods);
        free(compared->results[i].distance);
        compared->results[i].reader = NULL;
        compared->results[i].rods = NULL;
        compared->results[i].distance = NULL;
    }
}

// ---- charts

static const char *title_of(const comparison *compared) {
    for (size_t i = 0; i < compared->count; i++) {
        const cdg_run_reader *reader = compared->results[i].reader;
        if (reader && reader->title && reader->title[0]) return reader->title;
    }
    return compared->scene_name;
}

static cdg_result add_energy_chart(const comparison *compared, cdg_chart_list *charts, const char *title,
                                   const char *const *names, size_t name_count, cdg_error *error) {
    cdg_chart *chart;
    cdg_result code = cdg_chart_list_add(charts, title, "time", "s", "energy", "J", &chart, error);
    for (size_t i = 0; i < compared->count && code == CDG_OK; i++) {
        const variant_result *result = &compared->results[i];
        if (!result->reader) continue;
        size_t count = result->reader->frame_count;
        double *sum = calloc(2 * count, sizeof *sum);
        if (!sum) return CDG_ERROR_MEMORY;
        for (size_t k = 0; k < name_count && code == CDG_OK; k++) {
            code = cdg_run_reader_energy(result->reader, names[k], sum + count, error);
            for (size_t j = 0; j < count; j++) sum[j] += sum[count + j];
        }
        if (code == CDG_OK) code = cdg_chart_add(chart, result->name, result->reader->times, sum, count, error);
        if (code == CDG_OK) chart->series[chart->series_count - 1].is_main = i == compared->reference;
        free(sum);
    }
    return code;
}

static cdg_result add_distance_chart(const comparison *compared, cdg_chart_list *charts, cdg_error *error) {
    cdg_chart *chart;
    char title[160];
    snprintf(title, sizeof title, "Largest distance from %s", reference_of(compared)->name);
    cdg_result code = cdg_chart_list_add(charts, title, "time", "s", "distance", "m", &chart, error);
    for (size_t i = 0; i < compared->count && code == CDG_OK; i++) {
        const variant_result *result = &compared->results[i];
        if (!result->reader || i == compared->reference) continue;
        code = cdg_chart_add(chart, result->name, result->reader->times, result->distance, result->reader->frame_count,
                             error);
    }
    return code;
}

static cdg_result make_charts(const comparison *compared, cdg_chart_list *charts, cdg_error *error) {
    static const char *const total[] = {"total"}, *const kinetic[] = {"kinetic"},
                             *const elastic[] = {"stretch", "shear", "bend", "twist"};
    cdg_result code = add_distance_chart(compared, charts, error);
    if (code == CDG_OK) code = add_energy_chart(compared, charts, "Total energy", total, 1, error);
    if (code == CDG_OK) code = add_energy_chart(compared, charts, "Kinetic energy", kinetic, 1, error);
    if (code == CDG_OK) code = add_energy_chart(compared, charts, "Elastic energy", elastic, 4, error);
    return code;
}

cdg_result comparison_write_files(comparison *compared, cdg_error *error) {
    if (!compared->has_runs) return CDG_OK;
    static const char *const names[] = {"compare.svg", "compare.png", "compare.html"};
    cdg_chart_list charts = {0};
    cdg_figure_files files = {0};
    snprintf(error->message, sizeof error->message, "out of memory");
    cdg_result code = make_charts(compared, &charts, error);
    const cdg_figure figure = {.title = title_of(compared), .charts = charts.items, .chart_count = charts.count};
    for (size_t i = 0; i < 3 && code == CDG_OK; i++) {
        char path[COMPARE_PATH_SIZE];
        snprintf(path, sizeof path, "%.*s/%s", COMPARE_PATH_SIZE - 20, compared->directory, names[i]);
        code = cdg_figure_files_add(&files, path, &figure, error);
        memcpy(compared->files[i], path, sizeof path);
    }
    if (code == CDG_OK) code = cdg_figure_files_write(&files, error);
    if (code == CDG_OK) compared->file_count = 3;
    cdg_figure_files_free(&files);
    cdg_chart_list_free(&charts);
    return code;
}

// ---- tables

enum { COLUMNS_MAX = 9, CELL_SIZE = 80 };

typedef struct text_table {
    char (*cells)[COLUMNS_MAX][CELL_SIZE];
    size_t rows, columns;
    bool is_left[COLUMNS_MAX];
} text_table;

static void print_table(const text_table *table) {
    size_t widths[COLUMNS_MAX] = {0};
    for (size_t r = 0; r < table->rows; r++)
        for (size_t c = 0; c < table->columns; c++) {
            size_t width = text_columns(table->cells[r][c]);
            if (width > widths[c]) widths[c] = width;
        }
    for (size_t r = 0; r < table->rows; r++) {
        printf(" ");
        for (size_t c = 0; c < table->columns; c++) {
            const char *text = table->cells[r][c];
            int pad = (int)(widths[c] - text_columns(text));
            bool is_last = c + 1 == table->columns;
            if (table->is_left[c])
                printf(" %s%*s%s", text, is_last ? 0 : pad, "", is_last ? "" : " ");
            else
                printf(" %*s%s%s", pad, "", text, is_last ? "" : " ");
        }
        printf("\n");
    }
}

static void print_variants(const comparison *compared) {
    text_table table = {.columns = 8, .is_left = {true, true, true}};
    table.cells = calloc(compared->count + 1, sizeof *table.cells);
    if (!table.cells) return;
    static const char *const heading[] = {"variant", "model",     "outcome",           "step",
                                          "steps",   "wall time", "per element, step", "energy at the end"};
    for (size_t c = 0; c < 8; c++) snprintf(table.cells[0][c], CELL_SIZE, "%s", heading[c]);
    double scale = 0;
    for (size_t i = 0; i < compared->count; i++)
        if (compared->results[i].reader) scale = fmax(scale, fabs(compared->results[i].energy.total));
    for (size_t i = 0; i < compared->count; i++) {
        const variant_result *result = &compared->results[i];
        char(*row)[CELL_SIZE] = table.cells[i + 1];
        snprintf(row[0], CELL_SIZE, "%s%s", result->name, i == compared->reference ? " *" : "");
        put_models(result, row[1], CELL_SIZE);
        snprintf(row[2], CELL_SIZE, "%s", outcome_words[result->outcome]);
        for (size_t c = 3; c < 8; c++) snprintf(row[c], CELL_SIZE, "-");
        if (!result->reader) continue;
        if (result->summary.step_count > 0) {
            snprintf(row[3], CELL_SIZE, "%s", format_seconds(result->summary.step).text);
            snprintf(row[4], CELL_SIZE, "%s", format_count(result->summary.step_count).text);
            snprintf(row[5], CELL_SIZE, "%s", format_seconds(result->summary.wall_seconds).text);
            snprintf(row[6], CELL_SIZE, "%s", format_seconds(seconds_per_element_step(result)).text);
        }
        snprintf(row[7], CELL_SIZE, "%s", format_beside(result->energy.total, scale, "J").text);
    }
    table.rows = compared->count + 1;
    print_table(&table);
    free(table.cells);
}

static void put_coordinate(char *out, double value, double scale) {
    snprintf(out, CELL_SIZE, "%.4f", fabs(value) < 5e-5 * scale ? 0.0 : value);
}

static size_t count_rod_rows(const comparison *compared) {
    size_t rows = 1;
    for (size_t i = 0; i < compared->count; i++)
        if (compared->results[i].reader) rows += compared->results[i].reader->rod_count;
    return rows;
}

enum { ROD_ROWS_MAX = 60 }; // the rest stands in the JSON document

static void print_rods(const comparison *compared) {
    size_t all = count_rod_rows(compared);
    text_table table = {.columns = 8, .is_left = {true, true}};
    table.cells = calloc(all, sizeof *table.cells);
    if (!table.cells) return;
    char from[CELL_SIZE];
    snprintf(from, sizeof from, "end from %.40s", reference_of(compared)->name);
    const char *const heading[] = {"rod", "variant", "end x (m)", "y", "z", from, "farthest ever", "at"};
    for (size_t c = 0; c < 8; c++) snprintf(table.cells[0][c], CELL_SIZE, "%s", heading[c]);
    table.rows = 1;
    for (size_t rod = 0; table.rows < all; rod++) { // rod by rod, so that variants stand below each other
        for (size_t i = 0; i < compared->count; i++) {
            const variant_result *result = &compared->results[i];
            if (!result->reader || rod >= result->reader->rod_count) continue;
            const rod_result *found = &result->rods[rod];
            char(*row)[CELL_SIZE] = table.cells[table.rows++];
            snprintf(row[0], CELL_SIZE, "%.70s", found->name);
            snprintf(row[1], CELL_SIZE, "%s%s", result->name, i == compared->reference ? " *" : "");
            put_coordinate(row[2], found->end.x, found->length);
            put_coordinate(row[3], found->end.y, found->length);
            put_coordinate(row[4], found->end.z, found->length);
            for (size_t c = 5; c < 8; c++) snprintf(row[c], CELL_SIZE, "-");
            if (i == compared->reference || isnan(found->largest_distance)) continue;
            if (!isnan(found->end_distance))
                snprintf(row[5], CELL_SIZE, "%s", format_beside(found->end_distance, found->length, "m").text);
            snprintf(row[6], CELL_SIZE, "%s", format_beside(found->largest_distance, found->length, "m").text);
            snprintf(row[7], CELL_SIZE, "%s", format_seconds(found->largest_at).text);
        }
    }
    size_t left_out = table.rows > ROD_ROWS_MAX ? table.rows - ROD_ROWS_MAX : 0;
    table.rows -= left_out;
    print_table(&table);
    if (left_out > 0) printf("  ... and %zu lines more; --json has all\n", left_out);
    free(table.cells);
}

void comparison_print(const comparison *compared) {
    printf("%s: %zu variants, compared with '%s' (*)\n\n", title_of(compared), compared->count,
           reference_of(compared)->name);
    print_variants(compared);
    printf("\n");
    print_rods(compared);
    for (size_t i = 0; i < compared->count; i++)
        if (compared->results[i].outcome != VARIANT_FINISHED)
            printf("\n  '%s' %s: %s\n", compared->results[i].name, outcome_words[compared->results[i].outcome],
                   compared->results[i].error.message);
    if (!reference_of(compared)->reader)
        printf("\n  '%s' did not run, so there are no distances; choose another with --against\n",
               reference_of(compared)->name);
    printf("\n");
    for (size_t i = 0; i < compared->file_count; i++) printf("  %s\n", compared->files[i]);
}

// ---- JSON

static void put_rods(cdg_json *json, const variant_result *result, bool is_reference) {
    cdg_json_begin_array(json, "rods");
    for (size_t i = 0; result->reader && i < result->reader->rod_count; i++) {
        const rod_result *rod = &result->rods[i];
        cdg_json_begin_object(json, NULL);
        cdg_json_text(json, "name", rod->name);
        cdg_json_begin_array(json, "end");
        cdg_json_number(json, NULL, rod->end.x);
        cdg_json_number(json, NULL, rod->end.y);
        cdg_json_number(json, NULL, rod->end.z);
        cdg_json_end(json);
        cdg_json_number(json, "end_distance", is_reference ? 0 : rod->end_distance);
        cdg_json_number(json, "largest_distance", is_reference ? 0 : rod->largest_distance);
        cdg_json_number(json, "largest_distance_time", is_reference ? NAN : rod->largest_at);
        cdg_json_end(json);
    }
    cdg_json_end(json);
}

static void put_variant(cdg_json *json, const comparison *compared, size_t index) {
    const variant_result *result = &compared->results[index];
    char models[CELL_SIZE];
    put_models(result, models, sizeof models);
    cdg_json_begin_object(json, NULL);
    cdg_json_text(json, "name", result->name);
    cdg_json_text(json, "model", models[0] ? models : NULL);
    cdg_json_text(json, "outcome", outcome_words[result->outcome]);
    cdg_json_text(json, "message", result->outcome == VARIANT_FINISHED ? NULL : result->error.message);
    cdg_json_text(json, "directory", result->reader ? result->directory : NULL);
    if (result->reader) {
        size_t count = result->reader->frame_count;
        cdg_json_number(json, "time", result->reader->times[count - 1]);
        cdg_json_number(json, "step", result->summary.step);
        cdg_json_integer(json, "steps", result->summary.step_count);
        cdg_json_integer(json, "outputs", count);
        cdg_json_integer(json, "elements", result->element_count);
        cdg_json_number(json, "wall_seconds", result->summary.wall_seconds);
        cdg_json_number(json, "seconds_per_element_step", seconds_per_element_step(result));
        cdg_json_begin_object(json, "energy");
#define PUT_ENERGY(name, text) cdg_json_number(json, #name, result->energy.name);
        CDG_ENERGY_LIST(PUT_ENERGY)
#undef PUT_ENERGY
        cdg_json_end(json);
        put_rods(json, result, index == compared->reference);
    }
    cdg_json_end(json);
}

void comparison_print_json(const comparison *compared, exit_status status) {
    cdg_json json = json_begin(compared->command);
    cdg_json_integer(&json, "exit_status", (uint64_t)status);
    cdg_json_text(&json, "scene", compared->scene_name);
    cdg_json_text(&json, "title", compared->count > 0 ? title_of(compared) : NULL);
    cdg_json_text(&json, "directory", compared->directory);
    cdg_json_text(&json, "reference", compared->count > 0 ? reference_of(compared)->name : NULL);
    cdg_json_begin_array(&json, "variants");
    for (size_t i = 0; i < compared->count; i++) put_variant(&json, compared, i);
    cdg_json_end(&json);
    cdg_json_begin_array(&json, "files");
    for (size_t i = 0; i < compared->file_count; i++) cdg_json_text(&json, NULL, compared->files[i]);
    cdg_json_end(&json);
    json_print(&json);
}
