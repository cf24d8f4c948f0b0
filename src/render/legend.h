// What is written on a picture: the colours' meaning, the time, and notes.
#ifndef CDG_RENDER_LEGEND_H
#define CDG_RENDER_LEGEND_H

#include "fields/color_map.h"
#include "plot/canvas.h"

enum { CDG_DARK_PAPER = 16 }; // of 255: what legends of dark pictures stand on; those of light ones on white

typedef struct cdg_legend {
    bool has_map; // else only time and note
    const char *name, *unit;
    double range[2];
    bool reaches_beyond[2]; // values below or above are shown as the end's colour
    const cdg_color_map *map;
    bool is_count; // whole numbers, which have no ticks between them
    bool is_on_dark;
    bool is_static;      // an equilibrium, whose time says which part of the loads acts
    const char *caption; // in place of the time; NULL: the time
    const char *note;    // "" or NULL: none
} cdg_legend;

// Draws legend and time (NAN: none) over a whole picture of this size. The legend has a strip of its own at the right.
void cdg_legend_draw(const cdg_legend *legend, double time, double time_step, int width, int height,
                     cdg_canvas *canvas);

// Part of the picture's width that the legend takes on the right.
double cdg_legend_share(const cdg_legend *legend, int width, int height);

// Part of the picture's height that time and note take at the bottom, with the room above them.
double cdg_legend_base(int width, int height);

// "t = 1.20 s", with the decimals that times a `step` apart need.
void cdg_time_text(double time, double step, char *out, size_t size);

#endif
