// A picture of a mesh: its faces in picture units, a camera that looks at the cut, light, ground.
#include "render/render_mesh.h"

#include "base/error.h"
#include "base/parallel.h"
#include "fields/color_map.h"
#include "math/vec3.h"
#include "plot/canvas.h"
#include "render/mesh_faces.h"

#include <stdlib.h>

static const cdg_vec3 upward = {0, 0, 1};

cdg_render_mesh_def cdg_render_mesh_def_default(void) {
    return (cdg_render_mesh_def){.width = 1280,
                                 .height = 720,
                                 .camera = cdg_camera_wish_default(),
                                 .quality = {.edge_samples = 16, .ground_samples = 1},
                                 .background = cdg_background_default()};
}

typedef struct mesh_picture {
    const cdg_render_mesh_def *def;
    cdg_mesh_faces faces;
    cdg_vec3 center; // m, becomes the origin
    double scale;    // m, becomes 1
    cdg_picture_scene *scene;
    cdg_ray_tracer *tracer;
    cdg_camera camera; // m
} mesh_picture;

// ---- what is seen ---------------------------------------------------------------------------------------------------

// Outer and inner faces are two meshes of the picture.
static void put_corner(cdg_picture_mesh *mesh, size_t vertex, cdg_vec3 at, cdg_vec3 normal, float3 color) {
    const float3 values[3] = {float3_from(at), float3_from(normal), color};
    float *const arrays[3] = {mesh->vertices, mesh->normals, mesh->colors};
    for (int i = 0; i < 3; i++) {
        arrays[i][3 * vertex] = values[i].x;
        arrays[i][3 * vertex + 1] = values[i].y;
        arrays[i][3 * vertex + 2] = values[i].z;
    }
    mesh->triangles[vertex] = (uint32_t)vertex;
}

static void put_faces(const mesh_picture *picture, size_t first, size_t count, float3 color, cdg_picture_mesh *mesh) {
    for (size_t i = 0; i < count; i++) {
        cdg_vec3 p[3];
        for (int k = 0; k < 3; k++)
            p[k] = vec3_scale(1 / picture->scale, vec3_sub(picture->faces.corners[first + i][k], picture->center));
        cdg_vec3 normal = vec3_cross(vec3_sub(p[1], p[0]), vec3_sub(p[2], p[0]));
        normal = vec3_norm(normal) > 0 ? vec3_normalize(normal) : upward;
        for (size_t k = 0; k < 3; k++) put_corner(mesh, 3 * i + k, p[k], normal, color);
    }
    mesh->edge_width = 1.3F;
    mesh->edge_color = float3_make(0.012F, 0.014F, 0.02F);
    mesh->offset = 1e-4F;
    mesh->is_sheet = true; // faces of any orientation are lit
}

static cdg_result make_scene(mesh_picture *picture, cdg_error *error) {
    const cdg_mesh_faces *faces = &picture->faces;
    const size_t triangles[2] = {faces->outer_count, faces->inner_count};
    const size_t vertices[2] = {3 * triangles[0], 3 * triangles[1]};
    const float3 outer = cdg_color_from_lch(0.70, 0.085, 4.35), inner = cdg_color_from_lch(0.80, 0.11, 1.35);
    size_t mesh_count = triangles[1] > 0 ? 2 : 1;
    cdg_result result = cdg_picture_scene_create(mesh_count, vertices, triangles, &picture->scene, error);
    if (result != CDG_OK) return result;
    put_faces(picture, 0, triangles[0], outer, &picture->scene->meshes[0]);
    if (mesh_count > 1) put_faces(picture, triangles[0], triangles[1], inner, &picture->scene->meshes[1]);
    picture->scene->up = upward;
    picture->scene->has_ground = !picture->def->has_no_ground;
    double lowest = HUGE_VAL;
    for (size_t i = 0; i < triangles[0] + triangles[1]; i++)
        for (int k = 0; k < 3; k++) lowest = fmin(lowest, faces->corners[i][k].z);
    picture->scene->ground_height = (lowest - picture->center.z) / picture->scale - 1e-3;
    return CDG_OK;
}

// ---- from where -----------------------------------------------------------------------------------------------------

// A cut is looked at from its own side, a little from above and from the left.
static cdg_vec3 side_of_cut(const cdg_cut_plane *cut) {
    cdg_vec3 left = vec3_cross(upward, cut->normal);
    left = vec3_norm(left) > 1e-9 ? vec3_normalize(left) : vec3(0, -1, 0);
    cdg_vec3 raised =
        fabs(vec3_dot(cut->normal, upward)) > 0.9 ? vec3_scale(-1.1, vec3(1, 0, 0)) : vec3_scale(0.55, upward);
    return vec3_add(vec3_add(cut->normal, vec3_scale(-0.6, left)), raised);
}

static void place_camera(mesh_picture *picture) {
    const cdg_render_mesh_def *def = picture->def;
    const cdg_mesh_faces *faces = &picture->faces;
    const cdg_vec3 *points = faces->corners[0];
    size_t count = 3 * (faces->outer_count + faces->inner_count);
    cdg_point_spread spread = {.count = 0};
    cdg_point_spread_add(&spread, points, count);
    cdg_camera_wish wish = def->camera;
    if (def->cut != NULL && !wish.has_from) {
        cdg_vec3 at = wish.has_at ? wish.at : vec3_lerp(spread.lower, spread.upper, 0.5);
        wish.has_from = true;
        wish.from = vec3_add(at, side_of_cut(def->cut));
    }
    cdg_camera camera = {.from = {0, 0, 0}};
    cdg_camera_choose_view(&spread, upward, &wish, &camera);
    cdg_camera_set_aspect(&camera, &def->camera, (double)def->width / def->height);
    cdg_camera_window window = {.left = -0.90, .right = 0.90, .bottom = -0.84, .top = 0.88};
    cdg_camera_fit fit = cdg_camera_fit_begin(&camera, window, 0);
    cdg_camera_fit_add(&fit, points, count);
    picture->camera = cdg_camera_fit_end(&fit, &def->camera);
}

static cdg_result find_faces(mesh_picture *picture, cdg_error *error) {
    const cdg_render_mesh_def *def = picture->def;
    cdg_mesh_faces *faces = &picture->faces;
    cdg_result result = def->tetrahedra != NULL ? cdg_mesh_faces_of_tetrahedra(def->tetrahedra, def->cut, faces, error)
                                                : cdg_mesh_faces_of_triangles(def->triangles, def->cut, faces, error);
    if (result != CDG_OK) return result;
    if (faces->outer_count + faces->inner_count == 0)
        return cdg_fail(error, CDG_ERROR_ARGUMENT,
                        faces->hidden_count > 0 ? "--cut takes the whole mesh away; move the plane or turn it around"
                                                : "the mesh has no faces to draw");
    picture->center = vec3_lerp(faces->low, faces->high, 0.5);
    picture->scale = 0.5 * vec3_norm(vec3_sub(faces->high, faces->low));
    if (!(picture->scale > 0 && isfinite(picture->scale)))
        return cdg_fail(error, CDG_ERROR_ARGUMENT,
                        "all points of the mesh are in one place, or too far apart to be drawn");
    return CDG_OK;
}

// ---- the picture ----------------------------------------------------------------------------------------------------

static cdg_result take(mesh_picture *picture, unsigned char *rgb, cdg_error *error) {
    const cdg_render_mesh_def *def = picture->def;
    cdg_camera camera = picture->camera;
    camera.from = vec3_scale(1 / picture->scale, vec3_sub(camera.from, picture->center));
    cdg_vec3 up = def->camera.has_up ? def->camera.up : upward;
    cdg_picture_def taken = {.width = def->width,
                             .height = def->height,
                             .threads = def->threads > 0 ? def->threads : cdg_parallel_default_threads(),
                             .quality = def->quality,
                             .camera = camera,
                             .studio = cdg_studio_make(&camera, up, &def->background),
                             .scene = picture->scene,
                             .tracer = picture->tracer,
                             .goes_on = def->goes_on,
                             .user = def->user};
    return cdg_picture_take(&taken, rgb, error);
}

static cdg_result make_png(mesh_picture *picture, unsigned char **png, size_t *size, cdg_error *error) {
    int width = picture->def->width, height = picture->def->height;
    unsigned char *rgb = malloc(3 * (size_t)width * (size_t)height);
    if (rgb == NULL) return cdg_fail(error, CDG_ERROR_MEMORY, "out of memory for a picture of %d x %d", width, height);
    cdg_canvas *canvas = NULL;
    cdg_result result = take(picture, rgb, error);
    if (result == CDG_OK) result = cdg_canvas_create_from_rgb(width, height, rgb, &canvas, error);
    if (result == CDG_OK) result = cdg_canvas_encode(canvas, png, size, error);
    cdg_canvas_destroy(canvas);
    free(rgb);
    return result;
}

cdg_result cdg_render_mesh(const cdg_render_mesh_def *def, unsigned char **png, size_t *size,
                           cdg_render_mesh_report *report, cdg_error *error) {
    mesh_picture picture = {.def = def};
    *png = NULL;
    *size = 0;
    cdg_result result = find_faces(&picture, error);
    if (result == CDG_OK) result = make_scene(&picture, error);
    if (result == CDG_OK) result = cdg_ray_tracer_create(&picture.tracer, error);
    if (result == CDG_OK) result = cdg_ray_tracer_set_scene(picture.tracer, picture.scene, error);
    if (result == CDG_OK) {
        place_camera(&picture);
        result = make_png(&picture, png, size, error);
    }
    *report = (cdg_render_mesh_report){.face_count = picture.faces.outer_count + picture.faces.inner_count,
                                       .hidden_count = picture.faces.hidden_count,
                                       .camera = picture.camera};
    cdg_ray_tracer_destroy(picture.tracer);
    cdg_picture_scene_destroy(picture.scene);
    cdg_mesh_faces_free(&picture.faces);
    return result;
}
