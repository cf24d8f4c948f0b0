// Charts of a sweep: curves and heat maps of grids, points of samples; one or more for each column of results.
#ifndef CDG_SWEEP_SWEEP_CHARTS_H
#define CDG_SWEEP_SWEEP_CHARTS_H

#include "plot/heat_map.h"
#include "sweep/sweep.h"

// A heat map that owns its texts and numbers.
enum { CDG_SWEEP_MAP_TEXTS = 7 };
typedef struct cdg_sweep_map {
    cdg_heat_map map;
    char *texts[CDG_SWEEP_MAP_TEXTS];
    double *numbers[3];
} cdg_sweep_map;

typedef struct cdg_sweep_charts {
    cdg_chart_list lines;
    cdg_sweep_map *maps;
    size_t map_count;
    size_t left_out; // columns beyond CDG_SWEEP_CHART_COLUMNS
} cdg_sweep_charts;

enum { CDG_SWEEP_CHART_COLUMNS = 12 };

// Of two numbers on a grid: a heat map, and curves over the one with more values, one for each value of the other. Of
// one number: a curve, or one for each word of another variable. Else points over each variable.
cdg_result cdg_sweep_charts_make(const cdg_sweep *sweep, const cdg_outcome *outcomes, cdg_sweep_charts *out,
                                 cdg_error *error);
void cdg_sweep_charts_free(cdg_sweep_charts *charts);

// A variable's number in what an axis shows: in SI, where its unit has a name there, as axes then choose a prefix; on a
// log axis in its own unit. Returns the factor; `label` gets the name.
double cdg_sweep_axis(const cdg_vary *vary, char *label, size_t label_size, char *unit, size_t unit_size);

#endif
