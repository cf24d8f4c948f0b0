// Light and material: a studio with one large lamp, a bright sky and a seamless background.
#ifndef CDG_RENDER_SHADING_H
#define CDG_RENDER_SHADING_H

#include "math/float3.h"
#include "render/camera.h"
#include "scene/scene.h"

typedef struct cdg_background {
    float3 low, high; // linear light at the picture's bottom and top
    float vignette;   // how much darker the corners are
} cdg_background;

// "light" (default), "white", "dark", or "#rrggbb".
cdg_result cdg_background_parse(const char *text, cdg_background *out, cdg_error *error);
cdg_background cdg_background_default(void);
float3 cdg_background_at(const cdg_background *background, float x, float y); // x, y in [0, 1], y downward
bool cdg_background_is_dark(const cdg_background *background);                // text on it should be light

typedef struct cdg_studio {
    float3 up, to_lamp, to_fill; // unit
    float lamp_size;             // tangent of half the angle that the lamp covers
    float reach;                 // ambient occlusion looks this far, picture units
    cdg_background background;
} cdg_studio;

// The lamp stands to the left of the camera, behind it and above.
cdg_studio cdg_studio_make(const cdg_camera *camera, cdg_vec3 up, const cdg_background *background);

// What a surface sends to the viewer, split by what may be in the way: `lamp` is to be multiplied by the part of the
// lamp that is seen from there, `sky` by the part of the sky.
typedef struct cdg_shade {
    float3 lamp, sky;
} cdg_shade;
// `to_viewer` and `normal` are unit vectors.
cdg_shade cdg_studio_shade(const cdg_studio *studio, scene_surface surface, float3 color, float3 normal,
                           float3 to_viewer);

// The ground is the background, darkened where lamp and sky are hidden; `distance` from the origin, picture units.
float3 cdg_studio_ground(const cdg_studio *studio, float3 background, float lamp_seen, float sky_seen, float distance);
// Beyond this distance the ground is nothing but background.
float cdg_studio_ground_end(void);

// How much of the sky something at `distance` hides: 1 when near, 0 beyond the reach.
float cdg_studio_sky_hidden(const cdg_studio *studio, float distance);

// Compresses what is brighter than the screen, softly.
float3 cdg_tone(float3 light);

#endif
