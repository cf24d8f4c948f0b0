// Where rods are without a vibration: dashed lines beneath the picture of a mode.
#ifndef CDG_RENDER_REST_LINE_H
#define CDG_RENDER_REST_LINE_H

#include "plot/canvas.h"
#include "render/camera.h"
#include "render/run_player.h"

typedef struct cdg_rest_lines {
    double *xy;     // pixels, all rods' points one after the other
    size_t *counts; // points of each rod
    size_t rod_count;
} cdg_rest_lines;

// The rods at the player's moment, as a camera (m) sees them.
cdg_result cdg_rest_lines_make(const cdg_run_player *player, const cdg_camera *camera, int width, int height,
                               cdg_rest_lines *out, cdg_error *error);
void cdg_rest_lines_free(cdg_rest_lines *lines);
void cdg_rest_lines_draw(const cdg_rest_lines *lines, bool is_on_dark, double line_width, cdg_canvas *canvas);

#endif
