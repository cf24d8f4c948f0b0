// Small scenes to take pictures of, for the tests of src/render. The including file includes cmocka first.
#ifndef CDG_TESTS_PICTURE_CASE_H
#define CDG_TESTS_PICTURE_CASE_H

#include "math/vec3.h"
#include "render/picture.h"

#include <stdlib.h>

#define ASSERT_OK(call)                                                                                                \
    do {                                                                                                               \
        cdg_error case_error = {.code = CDG_OK};                                                                       \
        cdg_error *error = &case_error;                                                                                \
        if ((call) != CDG_OK) fail_msg("%s: %s", #call, case_error.message);                                           \
    } while (0)

// A box of one colour from `lower` to `upper`; its own vertices on each side, so that it has edges.
static inline void case_box(cdg_picture_mesh *mesh, float3 lower, float3 upper, float3 color) {
    const float low[3] = {lower.x, lower.y, lower.z}, high[3] = {upper.x, upper.y, upper.z};
    size_t v = 0, t = 0;
    for (int axis = 0; axis < 3; axis++)
        for (int side = 0; side < 2; side++) {
            int b = (axis + 1) % 3, c = (axis + 2) % 3;
            for (int k = 0; k < 4; k++, v++) {
                mesh->vertices[3 * v + (size_t)axis] = side ? high[axis] : low[axis];
                mesh->vertices[3 * v + (size_t)b] = k == 1 || k == 2 ? high[b] : low[b];
                mesh->vertices[3 * v + (size_t)c] = k >= 2 ? high[c] : low[c];
                mesh->normals[3 * v + (size_t)axis] = side ? 1 : -1;
                mesh->colors[3 * v] = color.x;
                mesh->colors[3 * v + 1] = color.y;
                mesh->colors[3 * v + 2] = color.z;
            }
            const uint32_t first = (uint32_t)v - 4;
            const uint32_t corners[2][6] = {{0, 2, 1, 0, 3, 2}, {0, 1, 2, 0, 2, 3}};
            for (int k = 0; k < 6; k++) mesh->triangles[t++] = first + corners[side][k];
        }
    mesh->offset = 1e-4F;
}

static inline cdg_picture_scene *case_boxes(size_t count) {
    size_t vertices[8], triangles[8];
    for (size_t i = 0; i < count; i++) vertices[i] = 24, triangles[i] = 12;
    cdg_picture_scene *scene = NULL;
    ASSERT_OK(cdg_picture_scene_create(count, vertices, triangles, &scene, error));
    return scene;
}

// A camera at `from` that looks at the origin.
static inline cdg_camera case_camera(cdg_vec3 from, double slope_up, double aspect) {
    cdg_camera camera = {.from = from, .slope_up = slope_up, .slope_right = aspect * slope_up};
    camera.forward = vec3_normalize(vec3_scale(-1, from));
    camera.right = vec3_normalize(vec3_cross(camera.forward, vec3(0, 0, 1)));
    camera.up = vec3_cross(camera.right, camera.forward);
    return camera;
}

// Takes a picture of a scene, 3 width height bytes; the caller frees them.
static inline unsigned char *case_picture(const cdg_picture_scene *scene, const cdg_camera *camera, int width,
                                          int height, int threads) {
    cdg_background background;
    ASSERT_OK(cdg_background_parse("white", &background, error));
    cdg_ray_tracer *tracer = NULL;
    ASSERT_OK(cdg_ray_tracer_create(&tracer, error));
    ASSERT_OK(cdg_ray_tracer_set_scene(tracer, scene, error));
    cdg_picture_def def = {.width = width,
                           .height = height,
                           .threads = threads,
                           .quality = {.edge_samples = 8, .ground_samples = 1},
                           .camera = *camera,
                           .studio = cdg_studio_make(camera, scene->up, &background),
                           .scene = scene,
                           .tracer = tracer};
    unsigned char *rgb = calloc((size_t)width * (size_t)height, 3);
    assert_non_null(rgb);
    ASSERT_OK(cdg_picture_take(&def, rgb, error));
    cdg_ray_tracer_destroy(tracer);
    return rgb;
}

#endif
