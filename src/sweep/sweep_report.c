// What a sweep leaves: tables first, which matter most; then charts and the page.
#include "sweep/sweep_report.h"

#include "base/error.h"
#include "output/disk.h"
#include "output/whole_file.h"
#include "plot/figure_file.h"
#include "sweep/sweep_charts.h"
#include "sweep/sweep_table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAP_WIDTH = 720, MAP_HEIGHT = 460, FACTS_MAX = 48, FACT_SIZE = 1200, SHOWN_PROBLEMS = 20 };

void cdg_sweep_files_free(cdg_sweep_files *files) {
    for (size_t i = 0; i < files->count; i++) free(files->paths[i]);
    files->count = 0;
}

// Writes a file and remembers its name.
static cdg_result note_file(cdg_sweep_files *files, char *path, cdg_error *error) {
    if (path == NULL) return cdg_fail(error, CDG_ERROR_MEMORY, "out of memory");
    if (files->count < CDG_SWEEP_FILES_MAX)
        files->paths[files->count++] = path;
    else
        free(path);
    return CDG_OK;
}

// ---- tables ---------------------------------------------------------------------------------------------------------

static cdg_result write_tables(const cdg_sweep *sweep, const cdg_outcome *outcomes, const char *directory,
                               cdg_sweep_files *files, cdg_error *error) {
    cdg_sweep_table table;
    cdg_result result = cdg_sweep_table_make(sweep, outcomes, &table, error);
    if (result != CDG_OK) return result;
    char *csv = cdg_disk_join(directory, "table.csv", ""), *hdf5 = cdg_disk_join(directory, "table.h5", "");
    if (csv == NULL || hdf5 == NULL) result = cdg_fail(error, CDG_ERROR_MEMORY, "out of memory");
    if (result == CDG_OK) result = cdg_table_file_write_csv(&table.file, csv, error);
    if (result == CDG_OK) result = cdg_table_file_write_hdf5(&table.file, hdf5, error);
    if (result == CDG_OK) result = note_file(files, csv, error);
    if (result == CDG_OK) result = note_file(files, hdf5, error);
    if (result != CDG_OK) free(csv), free(hdf5);
    cdg_sweep_table_free(&table);
    return result;
}

// ---- pictures -------------------------------------------------------------------------------------------------------

typedef struct pictures {
    cdg_page_picture *items;
    size_t count;
} pictures;

static void free_pictures(pictures *p) {
    for (size_t i = 0; i < p->count; i++) free((unsigned char *)p->items[i].png);
    free(p->items);
}

static cdg_result write_bytes(const char *directory, const char *name, const unsigned char *bytes, size_t size,
                              cdg_sweep_files *files, cdg_error *error) {
    char *path = cdg_disk_join(directory, name, "");
    cdg_result result = path != NULL ? cdg_whole_file_write(path, bytes, size, error)
                                     : cdg_fail(error, CDG_ERROR_MEMORY, "out of memory");
    if (result == CDG_OK) return note_file(files, path, error);
    free(path);
    return result;
}

static cdg_result write_maps(const cdg_sweep_charts *charts, const char *directory, cdg_sweep_files *files,
                             pictures *out, cdg_error *error) {
    cdg_result result = CDG_OK;
    out->items = calloc(charts->map_count + 1, sizeof *out->items);
    if (out->items == NULL) return cdg_fail(error, CDG_ERROR_MEMORY, "out of memory");
    for (size_t i = 0; i < charts->map_count && result == CDG_OK; i++) {
        const cdg_heat_map *map = &charts->maps[i].map;
        char name[64];
        unsigned char *svg = NULL, *png = NULL;
        size_t svg_size = 0, png_size = 0;
        result = cdg_heat_map_encode(map, MAP_WIDTH, MAP_HEIGHT, true, &svg, &svg_size, error);
        if (result == CDG_OK)
            result = cdg_heat_map_encode(map, 2 * MAP_WIDTH, 2 * MAP_HEIGHT, false, &png, &png_size, error);
        snprintf(name, sizeof name, "map_%zu.svg", i + 1);
        if (result == CDG_OK) result = write_bytes(directory, name, svg, svg_size, files, error);
        snprintf(name, sizeof name, "map_%zu.png", i + 1);
        if (result == CDG_OK) result = write_bytes(directory, name, png, png_size, files, error);
        free(svg);
        if (png != NULL)
            out->items[out->count++] = (cdg_page_picture){.caption = map->title, .png = png, .size = png_size};
    }
    return result;
}

static cdg_result write_lines(const cdg_sweep *sweep, const cdg_sweep_charts *charts, const char *directory,
                              cdg_sweep_files *files, cdg_error *error) {
    cdg_figure figure = {
        .title = sweep->source.name, .charts = charts->lines.items, .chart_count = charts->lines.count};
    static const char *const names[] = {"charts.svg", "charts.png"};
    cdg_result result = CDG_OK;
    for (int i = 0; i < 2 && charts->lines.count > 0 && result == CDG_OK; i++) {
        unsigned char *bytes = NULL;
        size_t size = 0;
        result = cdg_figure_encode(&figure, i == 0 ? CDG_FIGURE_SVG : CDG_FIGURE_PNG, &bytes, &size, error);
        if (result == CDG_OK) result = write_bytes(directory, names[i], bytes, size, files, error);
        free(bytes);
    }
    return result;
}

// ---- the page -------------------------------------------------------------------------------------------------------

typedef struct fact_list {
    cdg_page_fact facts[FACTS_MAX];
    char names[FACTS_MAX][64], values[FACTS_MAX][FACT_SIZE];
    size_t count;
} fact_list;

static char *add_fact(fact_list *list, const char *name) {
    if (list->count == FACTS_MAX) list->count--;
    size_t i = list->count++;
    snprintf(list->names[i], sizeof list->names[i], "%s", name);
    list->facts[i] = (cdg_page_fact){list->names[i], list->values[i]};
    return list->values[i];
}

static void describe_variable(const cdg_vary *vary, fact_list *list) {
    char title[64];
    snprintf(title, sizeof title, "%s", vary->label);
    char *value = add_fact(list, title);
    size_t used = 0;
    for (size_t i = 0; i < vary->path_count && vary->has_label; i++)
        used += (size_t)snprintf(value + used, FACT_SIZE - used, "%.200s%s", vary->paths[i],
                                 i + 1 < vary->path_count ? ", " : ": ");
    if (used >= FACT_SIZE - 400) return;
    if (vary->kind == CDG_VARY_RANGE) {
        used += (size_t)snprintf(value + used, FACT_SIZE - used, "%g to %g%s%s", vary->low, vary->high,
                                 vary->unit[0] != '\0' ? " " : "", vary->unit);
        if (vary->count > 0) used += (size_t)snprintf(value + used, FACT_SIZE - used, ", %zu values", vary->count);
        if (vary->is_log) snprintf(value + used, FACT_SIZE - used, ", equal ratios");
        return;
    }
    for (size_t i = 0; i < vary->item_count && used < FACT_SIZE - 200; i++)
        used += (size_t)snprintf(value + used, FACT_SIZE - used, "%s%.100s", i > 0 ? ", " : "", vary->items[i]);
}

size_t cdg_sweep_problems(const cdg_outcome *outcomes, size_t count, cdg_sweep_problem *out, size_t most) {
    size_t found = 0;
    for (size_t i = 0; i < count; i++) {
        const cdg_outcome *outcome = &outcomes[i];
        if (!outcome->is_known || outcome->sentence == NULL || (!outcome->has_failed && !outcome->is_doubtful))
            continue;
        size_t k = 0;
        while (k < found && strcmp(out[k].sentence, outcome->sentence) != 0) k++;
        if (k < found) out[k].count++;
        if (k == found && found < most)
            out[found++] = (cdg_sweep_problem){outcome->sentence, i, 1, outcome->has_failed};
    }
    return found;
}

static void add_problems(const cdg_outcome *outcomes, size_t count, fact_list *list) {
    cdg_sweep_problem problems[SHOWN_PROBLEMS];
    size_t found = cdg_sweep_problems(outcomes, count, problems, SHOWN_PROBLEMS);
    for (size_t i = 0; i < found; i++) {
        char name[64];
        const char *what = problems[i].has_failed ? "failed" : "doubtful";
        if (problems[i].count > 1)
            snprintf(name, sizeof name, "%zu cases %s, from case %zu on", problems[i].count, what, problems[i].first);
        else
            snprintf(name, sizeof name, "case %zu %s", problems[i].first, what);
        snprintf(add_fact(list, name), FACT_SIZE, "%s", problems[i].sentence);
    }
}

static void add_facts(const cdg_sweep *sweep, const cdg_outcome *outcomes, const cdg_sweep_progress *progress,
                      fact_list *list) {
    static const char *const kinds[] = {"every combination", "random samples", "a Latin hypercube"};
    double seconds = 0;
    snprintf(add_fact(list, "scene"), FACT_SIZE, "%s", sweep->source.name);
    snprintf(add_fact(list, "cases"), FACT_SIZE, "%zu: %s", progress->case_count, kinds[sweep->kind]);
    snprintf(add_fact(list, "outcome"), FACT_SIZE, "%zu done, %zu of them doubtful, %zu failed, %zu missing",
             progress->done - progress->failed, progress->doubtful, progress->failed,
             progress->case_count - progress->done);
    for (size_t i = 0; i < sweep->vary_count && i < 12; i++) describe_variable(&sweep->varies[i], list);
    for (size_t i = 0; i < progress->case_count; i++) seconds += outcomes[i].seconds;
    snprintf(add_fact(list, "processor time"), FACT_SIZE, "%.3g s", seconds);
    add_problems(outcomes, progress->case_count, list);
}

static cdg_result write_page(const cdg_sweep *sweep, const cdg_outcome *outcomes, const cdg_sweep_progress *progress,
                             const cdg_sweep_charts *charts, const pictures *maps, const char *directory,
                             cdg_sweep_files *files, cdg_error *error) {
    char title[256];
    cdg_markup markup = {0};
    fact_list *list = calloc(1, sizeof *list);
    if (list == NULL) return cdg_fail(error, CDG_ERROR_MEMORY, "out of memory");
    add_facts(sweep, outcomes, progress, list);
    snprintf(title, sizeof title, "Sweep of %.200s", sweep->source.name);
    cdg_page page = {.title = title,
                     .facts = list->facts,
                     .fact_count = list->count,
                     .pictures = maps->items,
                     .picture_count = maps->count,
                     .charts = charts->lines.items,
                     .chart_count = charts->lines.count};
    cdg_result result = cdg_html_page_write(&page, &markup, error);
    if (result == CDG_OK && markup.has_failed) result = cdg_fail(error, CDG_ERROR_MEMORY, "out of memory");
    if (result == CDG_OK)
        result = write_bytes(directory, "report.html", (const unsigned char *)markup.text, markup.size, files, error);
    cdg_markup_free(&markup);
    free(list);
    return result;
}

cdg_result cdg_sweep_report_write(const cdg_sweep *sweep, const cdg_outcome *outcomes,
                                  const cdg_sweep_progress *progress, const char *directory, cdg_sweep_files *files,
                                  cdg_error *error) {
    cdg_sweep_charts charts = {0};
    pictures maps = {0};
    cdg_result result = write_tables(sweep, outcomes, directory, files, error);
    if (result == CDG_OK) result = cdg_sweep_charts_make(sweep, outcomes, &charts, error);
    if (result == CDG_OK) result = write_lines(sweep, &charts, directory, files, error);
    if (result == CDG_OK) result = write_maps(&charts, directory, files, &maps, error);
    if (result == CDG_OK) result = write_page(sweep, outcomes, progress, &charts, &maps, directory, files, error);
    free_pictures(&maps);
    cdg_sweep_charts_free(&charts);
    return result;
}
