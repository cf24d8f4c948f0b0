// What a chart shows: a title, two axes with label and unit, and curves. How it looks is draw_chart.h's business.
#ifndef CDG_PLOT_CHART_H
#define CDG_PLOT_CHART_H

#include <cordage/base.h>

typedef struct cdg_axis {
    char *label, *unit; // unit in SI, as in a run's files: "m", "N*m", "1"
    bool is_log;
    double low, high; // wanted range; NaN: from the data
    double scale; // how large such numbers are elsewhere: what is beyond their digits is drawn as nothing; 0: unknown
} cdg_axis;

typedef struct cdg_series {
    char *name;
    double *x, *y; // SI; points that are not finite leave a gap
    size_t count;
    bool is_main;      // drawn last, in the text's colour: the sum among its parts
    bool is_reference; // drawn first, wide and pale, so that curves that lie on it can be seen
} cdg_series;

typedef struct cdg_chart {
    char *title; // "" for none
    cdg_axis x, y;
    cdg_series *series;
    size_t series_count;
    bool is_sequence; // the curves have an order (times, resolutions): colours from dark to light
} cdg_chart;

// Copies all texts. After a failure the chart must still be freed.
cdg_result cdg_chart_create(const char *title, const char *x_label, const char *x_unit, const char *y_label,
                            const char *y_unit, cdg_chart *out, cdg_error *error);
// Copies name and numbers.
cdg_result cdg_chart_add(cdg_chart *chart, const char *name, const double *x, const double *y, size_t count,
                         cdg_error *error);
void cdg_chart_free(cdg_chart *chart); // fine for a zeroed one

// Charts that belong together. The list owns them.
typedef struct cdg_chart_list {
    cdg_chart *items;
    size_t count;
} cdg_chart_list;

// Adds an empty chart, as cdg_chart_create makes it; *out lives until the next one is added.
cdg_result cdg_chart_list_add(cdg_chart_list *list, const char *title, const char *x_label, const char *x_unit,
                              const char *y_label, const char *y_unit, cdg_chart **out, cdg_error *error);
void cdg_chart_list_free(cdg_chart_list *list); // fine for a zeroed one

// Least and largest finite value of both coordinates over points inside the x axis' wanted range (and above zero on a
// log axis). False when there is no such point.
typedef struct cdg_chart_bounds {
    double x_low, x_high, y_low, y_high;
} cdg_chart_bounds;
bool cdg_chart_get_bounds(const cdg_chart *chart, cdg_chart_bounds *out);

// What one series says in numbers, for a table; over the x axis' wanted range.
typedef struct cdg_series_facts {
    size_t count; // finite points
    double first, last, least, least_at, largest, largest_at;
} cdg_series_facts;
cdg_series_facts cdg_chart_get_facts(const cdg_chart *chart, size_t series);

#endif
