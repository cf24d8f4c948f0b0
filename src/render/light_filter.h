// Smooths how much light reaches each pixel of the ground, from few noisy samples a pixel, without blurring shadows
// more than they are blurred already.
#ifndef CDG_RENDER_LIGHT_FILTER_H
#define CDG_RENDER_LIGHT_FILTER_H

#include <cordage/base.h>

typedef struct cdg_light_filter_def {
    int width, height;
    int threads;
    double foreshortening; // height of a ground square in the picture against its width, (0, 1]
} cdg_light_filter_def;

// How wide a box suits each pixel: log2 of its width, 0 to CDG_LIGHT_LEVELS, and more up to one more where
// nothing is in the way far around. From `blur`: the width in pixels over which
// the light changes at a pixel at the fastest, 0 or less where nothing is in the way. width x height each.
enum { CDG_LIGHT_LEVELS = 5 };
cdg_result cdg_light_filter_levels(const cdg_light_filter_def *def, const float *blur, float *level, cdg_error *error);

// `seen`: the part of the light that reaches each pixel, sampled; `weight`: how much of the pixel is ground;
// `level`: as above. Overwrites `seen`.
cdg_result cdg_light_filter(const cdg_light_filter_def *def, float *seen, const float *weight, const float *level,
                            cdg_error *error);

#endif
