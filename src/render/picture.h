// Takes one picture of a scene.
#ifndef CDG_RENDER_PICTURE_H
#define CDG_RENDER_PICTURE_H

#include "render/ray_tracer.h"
#include "render/shading.h"

typedef struct cdg_picture_quality {
    int edge_samples;   // in each pixel in which something is seen
    int ground_samples; // in each pixel of bare ground; smoothed over its neighbours
} cdg_picture_quality;

enum { CDG_PICTURE_SIDE_MAX = 16384, CDG_SAMPLES_MAX = 256 };

typedef struct cdg_picture_def {
    int width, height, threads;
    cdg_picture_quality quality;
    cdg_camera camera;
    cdg_studio studio;
    const cdg_picture_scene *scene;
    const cdg_ray_tracer *tracer; // has the scene
    bool (*goes_on)(void *user);  // NULL; asked a few times in each picture, false: stop (CDG_ERROR_INTERRUPTED)
    void *user;
} cdg_picture_def;

// 8-bit sRGB triples, rows from the top, 3 width height bytes. The same for any number of threads.
cdg_result cdg_picture_take(const cdg_picture_def *def, unsigned char *rgb, cdg_error *error);

#endif
