// A heat map: a number for each pair of two values, as coloured cells with a scale beside them.
#ifndef CDG_PLOT_HEAT_MAP_H
#define CDG_PLOT_HEAT_MAP_H

#include "plot/canvas.h"
#include "plot/chart.h"

typedef struct cdg_heat_map {
    const char *title;
    cdg_axis x, y;            // labels, units in SI, log or not; low and high are not looked at
    const char *label, *unit; // of the numbers
    const double *xs, *ys;    // rising or falling
    size_t x_count, y_count;
    const double *values; // y_count rows of x_count; not finite: a cell that is crossed out
} cdg_heat_map;

// Draws into a rectangle. CDG_ERROR_ARGUMENT without cells.
cdg_result cdg_draw_heat_map(cdg_canvas *canvas, const cdg_heat_map *map, double x, double y, double width,
                             double height, cdg_error *error);
// The bytes of a picture, malloc'ed: PNG, or SVG.
cdg_result cdg_heat_map_encode(const cdg_heat_map *map, int width, int height, bool is_svg, unsigned char **bytes,
                               size_t *size, cdg_error *error);

// Dark blue over green to yellow, lightness growing all the way; t in [0, 1].
cdg_rgba cdg_heat_color(double t);

#endif
