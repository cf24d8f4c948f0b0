// What explains a scene in a picture: axes, a scale bar, names, numbers of nodes, loads and motions of supports.
#ifndef CDG_RENDER_ANNOTATIONS_H
#define CDG_RENDER_ANNOTATIONS_H

#include "plot/canvas.h"
#include "render/camera.h"
#include "render/run_player.h"
#include "scene/scene.h"

typedef struct cdg_annotations {
    const cdg_scene *scene; // of the run; NULL: it can no longer be read, and only axes and scale are drawn
    cdg_camera camera;      // m
    cdg_vec3 center;        // m; the scale bar is as long as things there
    int margin;             // pixels at the right that the legend has
    bool is_on_dark;
} cdg_annotations;

// Draws over a whole picture of this size, at the player's moment.
void cdg_annotations_draw(const cdg_annotations *annotations, const cdg_run_player *player, int width, int height,
                          cdg_canvas *canvas);

// The longest of 1, 2, 5 times a power of ten that is not above `most`, and its text: "5 cm". m.
double cdg_scale_bar(double most, char *text, size_t size);

#endif
