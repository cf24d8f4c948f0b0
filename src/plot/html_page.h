// One HTML page with charts, a table of their numbers and a read-out under the pointer. It needs nothing from outside.
#ifndef CDG_PLOT_HTML_PAGE_H
#define CDG_PLOT_HTML_PAGE_H

#include "plot/chart.h"
#include "plot/markup.h"

// A line of the table at the top.
typedef struct cdg_page_fact {
    const char *name, *value;
} cdg_page_fact;

// A picture above the charts: the bytes of a PNG file.
typedef struct cdg_page_picture {
    const char *caption;
    const unsigned char *png;
    size_t size;
} cdg_page_picture;

typedef struct cdg_page {
    const char *title;
    const cdg_page_fact *facts;
    size_t fact_count;
    const cdg_page_picture *pictures;
    size_t picture_count;
    const cdg_chart *charts;
    size_t chart_count;
    int chart_width, chart_height; // pixels; 0: the usual
} cdg_page;

// Appends the whole document to `out`.
cdg_result cdg_html_page_write(const cdg_page *page, cdg_markup *out, cdg_error *error);

#endif
