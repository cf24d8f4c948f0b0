// Drawing charts: one in a rectangle, or several as the panels of a figure.
#ifndef CDG_PLOT_DRAW_CHART_H
#define CDG_PLOT_DRAW_CHART_H

#include "plot/canvas.h"
#include "plot/chart.h"

// Where a chart's data went: the rectangle inside the axes, in pixels, and the values at its edges.
typedef struct cdg_chart_frame {
    double left, top, right, bottom;
    double x_low, x_high, y_low, y_high;
    bool is_x_log, is_y_log;
} cdg_chart_frame;

// Pixels of a value; NaN where there is none (zero or less on a log axis).
double cdg_chart_frame_x(const cdg_chart_frame *frame, double value);
double cdg_chart_frame_y(const cdg_chart_frame *frame, double value);

// The colour of a curve.
cdg_rgba cdg_chart_color(const cdg_chart *chart, size_t series);

// Draws into a rectangle. Text and lines grow with its size. Curves are named at their right ends, outside of the axes;
// a chart without a single point says so. `frame` may be NULL.
cdg_result cdg_draw_chart(cdg_canvas *canvas, const cdg_chart *chart, double x, double y, double width, double height,
                          cdg_chart_frame *frame, cdg_error *error);

// Panels of a figure: one column up to three charts, then two, and three from 13 on.
typedef struct cdg_figure_grid {
    size_t columns, rows;
} cdg_figure_grid;
cdg_figure_grid cdg_figure_layout(size_t chart_count);

enum { CDG_PANEL_WIDTH = 720, CDG_PANEL_HEIGHT = 420, CDG_PANEL_WIDTH_MIN = 160, CDG_PANEL_HEIGHT_MIN = 120 };

// All charts on a white ground, with a title above them unless it is "". CDG_ERROR_ARGUMENT: no room, the message says
// how much is needed. `frames` (one for each chart) may be NULL.
cdg_result cdg_draw_figure(cdg_canvas *canvas, int width, int height, const char *title, const cdg_chart *charts,
                           size_t chart_count, cdg_chart_frame *frames, cdg_error *error);

#endif
