// Charts as a file: SVG, PNG or an HTML page, chosen by the file's extension; made in memory, then written whole.
#ifndef CDG_PLOT_FIGURE_FILE_H
#define CDG_PLOT_FIGURE_FILE_H

#include "plot/html_page.h"

typedef enum cdg_figure_format { CDG_FIGURE_SVG, CDG_FIGURE_PNG, CDG_FIGURE_HTML } cdg_figure_format;

// By the extension, in capitals or not. CDG_ERROR_ARGUMENT names those there are.
cdg_result cdg_figure_format_of(const char *path, cdg_figure_format *out, cdg_error *error);

typedef struct cdg_figure {
    const char *title; // above all charts; "" for none
    const cdg_chart *charts;
    size_t chart_count;
    int width, height;          // pixels; 0: what suits the charts, twice as large in a PNG as in an SVG
    const cdg_page_fact *facts; // for the table of a page
    size_t fact_count;
} cdg_figure;

// The file's bytes, malloc'ed.
cdg_result cdg_figure_encode(const cdg_figure *figure, cdg_figure_format format, unsigned char **bytes, size_t *size,
                             cdg_error *error);

// A file waiting to be written: several are made before the first is written, so that a mistake leaves none.
typedef struct cdg_figure_file {
    char *path;
    unsigned char *bytes;
    size_t size;
} cdg_figure_file;
typedef struct cdg_figure_files {
    cdg_figure_file *items;
    size_t count;
} cdg_figure_files;

cdg_result cdg_figure_files_add(cdg_figure_files *files, const char *path, const cdg_figure *figure, cdg_error *error);
cdg_result cdg_figure_files_write(const cdg_figure_files *files, cdg_error *error);
void cdg_figure_files_free(cdg_figure_files *files);

#endif
