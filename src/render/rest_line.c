// Points behind the camera are left out.
#include "render/rest_line.h"

#include "base/error.h"

#include <stdlib.h>

cdg_result cdg_rest_lines_make(const cdg_run_player *player, const cdg_camera *camera, int width, int height,
                               cdg_rest_lines *out, cdg_error *error) {
    const cdg_run_reader *reader = player->reader;
    size_t points = 0;
    for (size_t i = 0; i < reader->rod_count; i++) points += reader->rods[i].node_count + 1;
    *out = (cdg_rest_lines){.xy = calloc(2 * points + 1, sizeof *out->xy),
                            .counts = calloc(reader->rod_count + 1, sizeof *out->counts),
                            .rod_count = reader->rod_count};
    if (!out->xy || !out->counts) {
        cdg_rest_lines_free(out);
        return cdg_fail(error, CDG_ERROR_MEMORY, "out of memory for lines of %zu points", points);
    }
    double *next = out->xy;
    for (size_t i = 0; i < reader->rod_count; i++) {
        size_t nodes = reader->rods[i].node_count, wanted = nodes + reader->rods[i].is_closed;
        for (size_t k = 0; k < wanted; k++) {
            cdg_camera_point at = cdg_camera_project(camera, width, height, player->rods[i].positions[k % nodes]);
            if (!(at.depth > 0)) continue;
            *next++ = at.x, *next++ = at.y;
            out->counts[i]++;
        }
    }
    return CDG_OK;
}

void cdg_rest_lines_free(cdg_rest_lines *lines) {
    free(lines->xy);
    free(lines->counts);
    *lines = (cdg_rest_lines){.rod_count = 0};
}

void cdg_rest_lines_draw(const cdg_rest_lines *lines, bool is_on_dark, double line_width, cdg_canvas *canvas) {
    const double dashes[] = {5 * line_width, 4 * line_width};
    cdg_rgba color = is_on_dark ? (cdg_rgba){0.93, 0.94, 0.96, 0.6} : (cdg_rgba){0.16, 0.18, 0.22, 0.6};
    const double *xy = lines->xy;
    for (size_t i = 0; i < lines->rod_count; xy += 2 * lines->counts[i++])
        if (lines->counts[i] > 1) cdg_canvas_polyline(canvas, xy, lines->counts[i], line_width, color, dashes, 2);
}
