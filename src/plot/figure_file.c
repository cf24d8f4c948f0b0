// Charts as a file.
#define _POSIX_C_SOURCE 200809L // strcasecmp, strdup
#include "plot/figure_file.h"

#include "base/error.h"
#include "output/whole_file.h"
#include "plot/draw_chart.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { TITLE_HEIGHT = 36, SIDE_MAX = 16384, PNG_SCALE = 2 };

cdg_result cdg_figure_format_of(const char *path, cdg_figure_format *out, cdg_error *error) {
    static const char *const extensions[] = {".svg", ".png", ".html"};
    const char *slash = strrchr(path, '/'), *name = slash != NULL ? slash + 1 : path, *dot = strrchr(name, '.');
    for (int i = 0; i < 3 && dot != NULL && dot != name; i++) {
        if (strcasecmp(dot, extensions[i]) != 0) continue;
        *out = (cdg_figure_format)i;
        return CDG_OK;
    }
    return cdg_fail(error, CDG_ERROR_ARGUMENT,
                    "%s: a plot is written as .svg, .png or .html; end the file's name with one of them", path);
}

// The size in pixels that suits the charts, or the one that was asked for.
static cdg_result choose_size(const cdg_figure *figure, cdg_figure_format format, int *width, int *height,
                              cdg_error *error) {
    *width = figure->width;
    *height = figure->height;
    if (figure->width > 0) return CDG_OK;
    cdg_figure_grid grid = cdg_figure_layout(figure->chart_count);
    double wide = (double)(grid.columns * CDG_PANEL_WIDTH);
    double high = (double)(grid.rows * CDG_PANEL_HEIGHT) + (figure->title[0] != '\0' ? TITLE_HEIGHT : 0);
    double scale = fmin(format == CDG_FIGURE_PNG ? PNG_SCALE : 1, SIDE_MAX / fmax(wide, high));
    if (scale < 0.4)
        return cdg_fail(error, CDG_ERROR_ARGUMENT,
                        "%zu charts are too many for one picture; choose fewer columns, or rods", figure->chart_count);
    *width = (int)floor(wide * scale);
    *height = (int)floor(high * scale);
    return CDG_OK;
}

static cdg_result encode_picture(const cdg_figure *figure, cdg_figure_format format, unsigned char **bytes,
                                 size_t *size, cdg_error *error) {
    int width, height;
    cdg_canvas *canvas = NULL;
    cdg_result result = choose_size(figure, format, &width, &height, error);
    if (result != CDG_OK) return result;
    result = format == CDG_FIGURE_PNG ? cdg_canvas_create_image(width, height, &canvas, error)
                                      : cdg_canvas_create_svg(width, height, &canvas, error);
    if (result == CDG_OK)
        result =
            cdg_draw_figure(canvas, width, height, figure->title, figure->charts, figure->chart_count, NULL, error);
    if (result == CDG_OK) result = cdg_canvas_encode(canvas, bytes, size, error);
    cdg_canvas_destroy(canvas);
    return result;
}

cdg_result cdg_figure_encode(const cdg_figure *figure, cdg_figure_format format, unsigned char **bytes, size_t *size,
                             cdg_error *error) {
    *bytes = NULL;
    *size = 0;
    if (format != CDG_FIGURE_HTML) return encode_picture(figure, format, bytes, size, error);
    cdg_markup markup = {0};
    const cdg_page page = {.title = figure->title,
                           .facts = figure->facts,
                           .fact_count = figure->fact_count,
                           .charts = figure->charts,
                           .chart_count = figure->chart_count};
    cdg_result result = cdg_html_page_write(&page, &markup, error);
    if (result == CDG_OK) {
        *bytes = (unsigned char *)markup.text;
        *size = markup.size;
    } else {
        cdg_markup_free(&markup);
    }
    return result;
}

cdg_result cdg_figure_files_add(cdg_figure_files *files, const char *path, const cdg_figure *figure, cdg_error *error) {
    cdg_figure_format format = CDG_FIGURE_SVG;
    cdg_result result = cdg_figure_format_of(path, &format, error);
    if (result != CDG_OK) return result;
    cdg_figure_file *grown = realloc(files->items, (files->count + 1) * sizeof *grown);
    if (grown == NULL) return cdg_fail(error, CDG_ERROR_MEMORY, "%s: out of memory", path);
    files->items = grown;
    cdg_figure_file *file = &grown[files->count];
    *file = (cdg_figure_file){.path = strdup(path)};
    files->count++; // counted before the check, so that freeing finds it
    if (file->path == NULL) return cdg_fail(error, CDG_ERROR_MEMORY, "%s: out of memory", path);
    return cdg_figure_encode(figure, format, &file->bytes, &file->size, error);
}

cdg_result cdg_figure_files_write(const cdg_figure_files *files, cdg_error *error) {
    cdg_result result = CDG_OK;
    for (size_t i = 0; i < files->count && result == CDG_OK; i++)
        result = cdg_whole_file_write(files->items[i].path, files->items[i].bytes, files->items[i].size, error);
    return result;
}

void cdg_figure_files_free(cdg_figure_files *files) {
    for (size_t i = 0; i < files->count; i++) {
        free(files->items[i].path);
        free(files->items[i].bytes);
    }
    free(files->items);
    *files = (cdg_figure_files){0};
}
