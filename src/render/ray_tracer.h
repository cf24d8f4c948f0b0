// Finding what a ray meets. The only user of Embree.
#ifndef CDG_RENDER_RAY_TRACER_H
#define CDG_RENDER_RAY_TRACER_H

#include "render/picture_scene.h"

typedef struct cdg_ray_tracer cdg_ray_tracer;

cdg_result cdg_ray_tracer_create(cdg_ray_tracer **out, cdg_error *error);
void cdg_ray_tracer_destroy(cdg_ray_tracer *tracer); // NULL is fine

// Takes the meshes as they are now. They must stay where they are until the next call or the tracer's end.
cdg_result cdg_ray_tracer_set_scene(cdg_ray_tracer *tracer, const cdg_picture_scene *scene, cdg_error *error);

typedef struct cdg_ray {
    float3 from, along; // along need not be a unit vector; distances are in its lengths
    float near, far;
} cdg_ray;

enum { CDG_NO_MESH = -1 };
typedef struct cdg_ray_hit {
    float distance;
    int mesh; // CDG_NO_MESH: nothing was met
    uint32_t triangle;
    float u, v;
} cdg_ray_hit;

// The nearest meeting. Any number of threads may ask at the same time.
cdg_ray_hit cdg_ray_tracer_meet(const cdg_ray_tracer *tracer, const cdg_ray *ray);
// The same for up to CDG_RAY_PACKET rays that run side by side, faster.
enum { CDG_RAY_PACKET = 8 };
void cdg_ray_tracer_meet_packet(const cdg_ray_tracer *tracer, const cdg_ray *rays, size_t count, cdg_ray_hit *hits);

#endif
