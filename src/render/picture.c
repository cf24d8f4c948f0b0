// Passes over the picture: one ray a pixel finds out where something is; pixels near it get many rays with light and
// shade at each, bare ground gets few; then the light on ground and surfaces is smoothed apart from colours and edges,
// and all is put together.
#include "render/picture.h"

#include "base/error.h"
#include "base/parallel.h"
#include "fields/color_map.h"
#include "math/vec3.h"
#include "render/light_filter.h"
#include "render/sampling.h"

#include <stdlib.h>

// A pixel in which something other than ground is seen: sums over its samples.
typedef struct object_pixel {
    float3 lamp, sky;          // light when nothing hides lamp and sky
    float3 normal;             // sum
    float depth;               // sum
    float lamp_seen, sky_seen; // means over what was met: of the lamp by how much of its light each sample sends on
    float lamp_weight;         // sum
    float share;               // part of the samples that met something
    int mesh;                  // of the last sample
    bool is_shared;            // samples met more than one mesh
} object_pixel;

enum { PURPOSE_LAMP, PURPOSE_SKY, PURPOSE_GROUND_LAMP, PURPOSE_GROUND_SKY };
enum { NO_OBJECT = -1, TONE_STEPS = 4096, SEEN_ONE_IN = 4 }; // the last: samples that stop at what is see-through

typedef struct picture_state {
    const cdg_picture_def *def;
    float3 from, up, lamp_first, lamp_second;
    float ground_height, pixels_per_unit; // at depth 1
    float reach_squared;                  // of the farthest vertex from the origin, with a margin for rounding
    double foreshortening;                // of the ground's boxes; flat ones would hold too few samples
    int chunk;                            // rows of one thread
    int32_t *object_at;                   // each pixel: NO_OBJECT or its index in `objects`
    unsigned char *is_met;                // each pixel: its middle, or a vertex, shows something
    object_pixel *objects;
    // Ground, each pixel. seen and weight are sums over samples, then means and the share of the pixel; blur becomes
    // the filter's level.
    float *lamp_seen, *sky_seen, *weight, *lamp_blur, *sky_blur;
    unsigned char *rgb;
    float tones[TONE_STEPS + 1]; // sRGB bytes, from fill_tones
} picture_state;

static size_t pixel_count(const picture_state *state) { return (size_t)state->def->width * (size_t)state->def->height; }

// Loops give each thread a run of pieces; rows are dealt out in turn instead, since what costs time lies close
// together. Returns false for pieces beyond the last row.
static bool deal_row(const picture_state *state, size_t piece, int *row) {
    size_t chunk = (size_t)state->chunk, threads = (size_t)state->def->threads;
    *row = (int)(piece % chunk * threads + piece / chunk);
    return *row < state->def->height;
}

static cdg_ray view_ray(const picture_state *state, double x, double y) {
    const cdg_picture_def *def = state->def;
    cdg_vec3 along = cdg_camera_direction(&def->camera, def->width, def->height, x, y);
    return (cdg_ray){.from = state->from, .along = float3_from(along), .near = 1e-4F, .far = INFINITY};
}

// Distance along a view ray to the part of the ground that is not background; negative: it does not come there.
static float meet_ground(const picture_state *state, const cdg_ray *ray) {
    float descent = float3_dot(ray->along, state->up), height = float3_dot(ray->from, state->up) - state->ground_height;
    if (!state->def->scene->has_ground || descent > -1e-6F || height <= 0) return -1;
    float distance = -height / descent;
    float3 point = float3_mad(ray->from, distance, ray->along);
    return float3_norm(point) < cdg_studio_ground_end() ? distance : -1;
}

// ---- light at a point -----------------------------------------------------------------------------------------------

typedef struct light_probe {
    float lamp_seen, sky_seen;         // lamp: 0 or 1
    float lamp_distance, sky_distance; // to what hides it; INFINITY: nothing
} light_probe;

// Everything lies in a ball about the origin, so a ray that passes it needs no tree.
static bool may_meet(const picture_state *state, float3 from, float3 along) {
    float middle = -float3_dot(from, along);
    float3 nearest = float3_mad(from, fmaxf(middle, 0), along);
    return float3_dot(nearest, nearest) <= state->reach_squared;
}

static bool is_see_through(const picture_state *state, const cdg_ray_hit *hit) {
    return hit->mesh != CDG_NO_MESH && state->def->scene->meshes[hit->mesh].is_see_through;
}

// The first thing beyond `hit` that is not see-through.
static cdg_ray_hit look_through(const picture_state *state, cdg_ray ray, cdg_ray_hit hit) {
    enum { SURFACES_MAX = 64 };
    for (int i = 0; i < SURFACES_MAX && is_see_through(state, &hit); i++) {
        ray.near = hit.distance * (1 + 1e-5F) + 1e-5F;
        hit = cdg_ray_tracer_meet(state->def->tracer, &ray);
    }
    return hit;
}

static float probe_distance(const picture_state *state, float3 point, float3 along, float far) {
    if (!may_meet(state, point, along)) return INFINITY;
    cdg_ray ray = {.from = point, .along = along, .near = 0, .far = far};
    cdg_ray_hit hit = look_through(state, ray, cdg_ray_tracer_meet(state->def->tracer, &ray));
    return hit.mesh == CDG_NO_MESH ? INFINITY : hit.distance;
}

static light_probe probe_light(const picture_state *state, float3 point, float3 normal, cdg_sample2 lamp_sample,
                               cdg_sample2 sky_sample) {
    const cdg_studio *studio = &state->def->studio;
    light_probe probe = {.lamp_seen = 1, .sky_seen = 1, .lamp_distance = INFINITY, .sky_distance = INFINITY};
    if (float3_dot(normal, studio->to_lamp) > 0) {
        cdg_sample2 disk = cdg_sample_to_disk(lamp_sample);
        float3 along = float3_mad(studio->to_lamp, studio->lamp_size * disk.x, state->lamp_first);
        along = float3_normalize(float3_mad(along, studio->lamp_size * disk.y, state->lamp_second));
        probe.lamp_distance = probe_distance(state, point, along, INFINITY);
        probe.lamp_seen = isinf(probe.lamp_distance) ? 1 : 0;
    }
    float3 along = cdg_sample_to_hemisphere(sky_sample, normal);
    probe.sky_distance = probe_distance(state, point, along, studio->reach);
    if (!isinf(probe.sky_distance)) probe.sky_seen = 1 - cdg_studio_sky_hidden(studio, probe.sky_distance);
    return probe;
}

// `blurs`, unless NULL, becomes less when this sample says so: half the width of the lamp's penumbra, and about half
// the distance over which the sky comes into view, in pixels.
static void light_ground(picture_state *state, size_t pixel, int x, int y, uint32_t number, const cdg_ray *ray,
                         float distance, float blurs[2]) {
    float3 point = float3_mad(ray->from, distance, ray->along);
    light_probe probe =
        probe_light(state, point, state->up, cdg_sample_at_pixel((uint32_t)x, (uint32_t)y, number, PURPOSE_GROUND_LAMP),
                    cdg_sample_at_pixel((uint32_t)x, (uint32_t)y, number, PURPOSE_GROUND_SKY));
    float scale = state->pixels_per_unit / distance;
    state->weight[pixel] += 1;
    state->lamp_seen[pixel] += probe.lamp_seen;
    state->sky_seen[pixel] += probe.sky_seen;
    if (blurs) {
        blurs[0] = fminf(blurs[0], state->def->studio.lamp_size * probe.lamp_distance * scale);
        // the sky is wide: no shadow of it is sharp
        blurs[1] = fminf(blurs[1], fmaxf(6, 0.35F * probe.sky_distance * scale));
    }
}

// Samples `first` to `end` - 1 in a pixel of bare ground.
static void light_ground_pixel(picture_state *state, size_t pixel, int x, int y, int first, int end, float blurs[2]) {
    for (int s = first; s < end; s++) {
        cdg_sample2 sample = cdg_sample_square((uint32_t)s + 1); // the first one, 0 0, is the corner
        cdg_ray ray = view_ray(state, (double)x + (double)sample.x, (double)y + (double)sample.y);
        float distance = meet_ground(state, &ray);
        if (distance >= 0) light_ground(state, pixel, x, y, (uint32_t)s, &ray, distance, blurs);
    }
}

// ---- passes ---------------------------------------------------------------------------------------------------------

static void find_objects(void *user, size_t piece, int thread) {
    (void)thread;
    picture_state *state = user;
    int row, width = state->def->width;
    if (!deal_row(state, piece, &row)) return;
    for (int first = 0; first < width; first += CDG_RAY_PACKET) {
        cdg_ray rays[CDG_RAY_PACKET];
        cdg_ray_hit hits[CDG_RAY_PACKET];
        size_t count = 0;
        for (int x = first; x < width && count < CDG_RAY_PACKET; x++)
            rays[count++] = view_ray(state, x + 0.5, row + 0.5);
        cdg_ray_tracer_meet_packet(state->def->tracer, rays, count, hits);
        for (size_t i = 0; i < count; i++)
            if (hits[i].mesh != CDG_NO_MESH) state->is_met[(size_t)row * (size_t)width + (size_t)first + i] = 1;
    }
}

// What is thinner than a pixel may lie between the rays, but it has vertices.
static void mark_vertices(picture_state *state) {
    const cdg_picture_def *def = state->def;
    for (size_t m = 0; m < def->scene->mesh_count; m++) {
        const cdg_picture_mesh *mesh = &def->scene->meshes[m];
        for (size_t i = 0; i < mesh->vertex_count; i++) {
            const float *p = mesh->vertices + 3 * i;
            float reach = p[0] * p[0] + p[1] * p[1] + p[2] * p[2];
            state->reach_squared = fmaxf(state->reach_squared, 1.0001F * reach);
            cdg_camera_point at = cdg_camera_project(&def->camera, def->width, def->height, vec3(p[0], p[1], p[2]));
            if (at.depth > 0 && at.x >= 0 && at.x < def->width && at.y >= 0 && at.y < def->height)
                state->is_met[(size_t)at.y * (size_t)def->width + (size_t)at.x] = 1;
        }
    }
}

// Objects are met at most one pixel from a pixel that met one.
static size_t list_objects(picture_state *state) {
    int width = state->def->width, height = state->def->height;
    size_t count = 0;
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            bool is_near = false;
            for (int v = y > 0 ? y - 1 : 0; v <= y + 1 && v < height && !is_near; v++)
                for (int u = x > 0 ? x - 1 : 0; u <= x + 1 && u < width; u++)
                    is_near |= state->is_met[(size_t)v * (size_t)width + (size_t)u];
            state->object_at[(size_t)y * (size_t)width + (size_t)x] = is_near ? (int32_t)count++ : NO_OBJECT;
        }
    return count;
}

static void shade_hit(picture_state *state, object_pixel *pixel, int x, int y, uint32_t number, const cdg_ray *ray,
                      const cdg_ray_hit *hit) {
    const cdg_picture_mesh *mesh = &state->def->scene->meshes[hit->mesh];
    cdg_surface_point surface = cdg_picture_mesh_at(mesh, hit->triangle, hit->u, hit->v);
    if (mesh->edge_width > 0) {
        float width = mesh->edge_width * hit->distance / state->pixels_per_unit;
        float share = cdg_picture_mesh_edge_share(mesh, hit->triangle, hit->u, hit->v, width);
        surface.color = float3_lerp(surface.color, mesh->edge_color, share);
    }
    float3 to_viewer = float3_scale(-1, float3_normalize(ray->along));
    if (mesh->is_sheet && float3_dot(surface.normal, to_viewer) < 0) surface.normal = float3_scale(-1, surface.normal);
    float3 point = float3_mad(float3_mad(ray->from, hit->distance, ray->along), mesh->offset, surface.normal);
    cdg_shade shade = cdg_studio_shade(&state->def->studio, mesh->surface, surface.color, surface.normal, to_viewer);
    light_probe probe =
        probe_light(state, point, surface.normal, cdg_sample_at_pixel((uint32_t)x, (uint32_t)y, number, PURPOSE_LAMP),
                    cdg_sample_at_pixel((uint32_t)x, (uint32_t)y, number, PURPOSE_SKY));
    pixel->lamp = float3_add(pixel->lamp, shade.lamp);
    pixel->sky = float3_add(pixel->sky, shade.sky);
    pixel->normal = float3_add(pixel->normal, surface.normal);
    pixel->depth += hit->distance;
    float weight = shade.lamp.x + shade.lamp.y + shade.lamp.z + 1e-6F; // where two sides meet one may face away
    pixel->lamp_seen += weight * probe.lamp_seen;
    pixel->lamp_weight += weight;
    pixel->sky_seen += probe.sky_seen;
    pixel->is_shared |= pixel->share > 0 && pixel->mesh != hit->mesh;
    pixel->share += 1;
    pixel->mesh = hit->mesh;
}

static void finish_object(object_pixel *pixel, int samples) {
    if (pixel->share == 0) return;
    float part = 1 / pixel->share;
    pixel->lamp = float3_scale(part, pixel->lamp);
    pixel->sky = float3_scale(part, pixel->sky);
    pixel->normal = float3_normalize(pixel->normal);
    pixel->depth *= part;
    pixel->lamp_seen /= pixel->lamp_weight;
    pixel->sky_seen *= part;
    pixel->share /= (float)samples;
}

static void sample_object_pixel(picture_state *state, object_pixel *pixel, int x, int y, float blurs[2]) {
    int samples = state->def->quality.edge_samples;
    size_t at = (size_t)y * (size_t)state->def->width + (size_t)x;
    for (int first = 0; first < samples; first += CDG_RAY_PACKET) {
        cdg_ray rays[CDG_RAY_PACKET];
        cdg_ray_hit hits[CDG_RAY_PACKET];
        size_t count = 0;
        for (int s = first; s < samples && count < CDG_RAY_PACKET; s++) {
            cdg_sample2 sample = cdg_sample_square((uint32_t)s);
            rays[count++] = view_ray(state, (double)x + (double)sample.x, (double)y + (double)sample.y);
        }
        cdg_ray_tracer_meet_packet(state->def->tracer, rays, count, hits);
        for (size_t i = 0; i < count; i++) {
            float distance = meet_ground(state, &rays[i]);
            if ((first + (int)i) % SEEN_ONE_IN != 0) hits[i] = look_through(state, rays[i], hits[i]);
            if (hits[i].mesh != CDG_NO_MESH && (distance < 0 || hits[i].distance < distance))
                shade_hit(state, pixel, x, y, (uint32_t)(first + (int)i), &rays[i], &hits[i]);
            else if (distance >= 0)
                light_ground(state, at, x, y, (uint32_t)(first + (int)i), &rays[i], distance, blurs);
        }
    }
    finish_object(pixel, samples);
}

static void sample_row(void *user, size_t piece, int thread) {
    (void)thread;
    picture_state *state = user;
    int y, width = state->def->width;
    if (!deal_row(state, piece, &y)) return;
    for (int x = 0; x < width; x++) {
        size_t at = (size_t)y * (size_t)width + (size_t)x;
        float blurs[2] = {INFINITY, INFINITY};
        if (state->object_at[at] != NO_OBJECT) {
            sample_object_pixel(state, &state->objects[state->object_at[at]], x, y, blurs);
        } else if (x % 2 == 0 && y % 2 == 0) {
            light_ground_pixel(state, at, x, y, 0, state->def->quality.ground_samples, blurs);
        }
        state->lamp_blur[at] = isinf(blurs[0]) ? 0 : blurs[0]; // 0: nothing hides it
        state->sky_blur[at] = isinf(blurs[1]) ? 0 : blurs[1];
    }
}

// The other pixels of the ground, where something is in the way near by. Narrow boxes hold few pixels, so each needs
// more samples there.
static void refine_ground(picture_state *state, size_t at, int x, int y) {
    enum { REFINED_MAX = 48 };
    float level = fminf(state->lamp_blur[at], state->sky_blur[at]);
    if (level > CDG_LIGHT_LEVELS + 0.999F) return;
    int first = state->weight[at] > 0 ? state->def->quality.ground_samples : 0;
    float denser = exp2f(fmaxf(0, 2 * (4 - level))) / (float)state->foreshortening; // 4: a box of a sample block
    int wanted = (int)((float)state->def->quality.ground_samples * denser + 0.5F);
    if (wanted > REFINED_MAX) wanted = REFINED_MAX > first ? REFINED_MAX : first;
    light_ground_pixel(state, at, x, y, first, wanted, NULL);
}

// Refines, and makes means of sums.
static void refine_row(void *user, size_t piece, int thread) {
    (void)thread;
    picture_state *state = user;
    int y, width = state->def->width;
    if (!deal_row(state, piece, &y)) return;
    for (int x = 0; x < width; x++) {
        size_t at = (size_t)y * (size_t)width + (size_t)x;
        bool is_bare = state->object_at[at] == NO_OBJECT;
        if (is_bare) refine_ground(state, at, x, y);
        float count = state->weight[at];
        state->lamp_seen[at] = count > 0 ? state->lamp_seen[at] / count : 1;
        state->sky_seen[at] = count > 0 ? state->sky_seen[at] / count : 1;
        state->weight[at] = is_bare ? count > 0 : count / (float)state->def->quality.edge_samples;
    }
}

// Light on a surface: the mean over neighbours that lie on the same surface and face the same way. Where two meshes
// share a pixel, such as where steps meet, it has the light of both; its own few samples would show as dots.
static void smooth_light(const picture_state *state, int x, int y, const object_pixel *pixel, float *lamp_seen,
                         float *sky_seen) {
    enum { RADIUS = 3 };
    int width = state->def->width, height = state->def->height;
    float near = 6 * pixel->depth / state->pixels_per_unit; // six pixels' size
    float total = 0, lamp = 0, sky = 0, lamp_total = 0;
    for (int v = y > RADIUS ? y - RADIUS : 0; v <= y + RADIUS && v < height; v++)
        for (int u = x > RADIUS ? x - RADIUS : 0; u <= x + RADIUS && u < width; u++) {
            int32_t index = state->object_at[(size_t)v * (size_t)width + (size_t)u];
            if (index == NO_OBJECT) continue;
            const object_pixel *other = &state->objects[index];
            if (other->share <= 0 || fabsf(other->depth - pixel->depth) > near) continue;
            if (other->mesh != pixel->mesh && !pixel->is_shared) continue;
            float turn = pixel->is_shared ? 0 : 1 - float3_dot(other->normal, pixel->normal);
            float weight = other->share / (1 + 40 * turn + 400 * turn * turn);
            float lamp_weight = pixel->is_shared ? weight * other->lamp_weight : weight; // one side may face away
            total += weight;
            lamp_total += lamp_weight;
            lamp += lamp_weight * other->lamp_seen;
            sky += weight * other->sky_seen;
        }
    *lamp_seen = lamp_total > 0 ? lamp / lamp_total : pixel->lamp_seen;
    *sky_seen = total > 0 ? sky / total : pixel->sky_seen;
}

// sRGB bytes of even steps of the light's square root, which spends them about where the eye does.
static void fill_tones(float *tones) {
    for (int i = 0; i <= TONE_STEPS; i++) {
        float root = (float)i / TONE_STEPS;
        tones[i] = 255 * cdg_srgb_encode(root * root);
    }
}

// Ordered dithering (Bayer's 4 x 4 matrix) instead of rounding: the background's slow change would show steps.
static unsigned char to_byte(const picture_state *state, float linear, int x, int y) {
    static const unsigned char order[4][4] = {{0, 8, 2, 10}, {12, 4, 14, 6}, {3, 11, 1, 9}, {15, 7, 13, 5}};
    float tone = state->tones[(int)(TONE_STEPS * sqrtf(clamp_unit(linear)) + 0.5F)];
    return (unsigned char)(tone + ((float)order[y % 4][x % 4] + 0.5F) / 16);
}

static void compose_row(void *user, size_t piece, int thread) {
    (void)thread;
    picture_state *state = user;
    const cdg_picture_def *def = state->def;
    int y;
    if (!deal_row(state, piece, &y)) return;
    for (int x = 0; x < def->width; x++) {
        size_t at = (size_t)y * (size_t)def->width + (size_t)x;
        float right = ((float)x + 0.5F) / (float)def->width, down = ((float)y + 0.5F) / (float)def->height;
        float3 color = cdg_background_at(&def->studio.background, right, down);
        if (def->scene->has_ground && (state->lamp_seen[at] < 1 || state->sky_seen[at] < 1)) {
            cdg_ray ray = view_ray(state, x + 0.5, y + 0.5);
            float distance = meet_ground(state, &ray);
            float3 point = float3_mad(ray.from, distance, ray.along);
            float reach = distance < 0 ? cdg_studio_ground_end() : float3_norm(point);
            color = cdg_studio_ground(&def->studio, color, state->lamp_seen[at], state->sky_seen[at], reach);
        }
        int32_t index = state->object_at[at];
        if (index != NO_OBJECT && state->objects[index].share > 0) {
            const object_pixel *pixel = &state->objects[index];
            float lamp_seen, sky_seen;
            smooth_light(state, x, y, pixel, &lamp_seen, &sky_seen);
            float3 light = float3_add(float3_scale(lamp_seen, pixel->lamp), float3_scale(sky_seen, pixel->sky));
            color = float3_lerp(color, cdg_tone(light), pixel->share);
        }
        state->rgb[3 * at] = to_byte(state, color.x, x, y);
        state->rgb[3 * at + 1] = to_byte(state, color.y, x, y);
        state->rgb[3 * at + 2] = to_byte(state, color.z, x, y);
    }
}

// ---- all together ---------------------------------------------------------------------------------------------------

static void run_rows(picture_state *state, void (*body)(void *, size_t, int)) {
    size_t pieces = (size_t)state->chunk * (size_t)state->def->threads;
    cdg_parallel_for(pieces, state->def->threads, body, state);
}

// Large pictures take long; between their parts is the time to ask.
static cdg_result ask(const picture_state *state, cdg_error *error) {
    const cdg_picture_def *def = state->def;
    if (!def->goes_on || def->goes_on(def->user)) return CDG_OK;
    return cdg_fail(error, CDG_ERROR_INTERRUPTED, "stopped on request; nothing was written");
}

static cdg_result smooth_ground(picture_state *state, cdg_error *error) {
    const cdg_picture_def *def = state->def;
    if (!def->scene->has_ground) return CDG_OK;
    cdg_light_filter_def filter = {
        .width = def->width, .height = def->height, .threads = def->threads, .foreshortening = state->foreshortening};
    cdg_result result = cdg_light_filter_levels(&filter, state->lamp_blur, state->lamp_blur, error);
    if (result == CDG_OK) result = cdg_light_filter_levels(&filter, state->sky_blur, state->sky_blur, error);
    if (result != CDG_OK) return result;
    run_rows(state, refine_row);
    result = ask(state, error);
    if (result == CDG_OK) result = cdg_light_filter(&filter, state->lamp_seen, state->weight, state->lamp_blur, error);
    if (result == CDG_OK) result = cdg_light_filter(&filter, state->sky_seen, state->weight, state->sky_blur, error);
    return result;
}

static cdg_result take(picture_state *state, cdg_error *error) {
    const cdg_picture_def *def = state->def;
    run_rows(state, find_objects);
    cdg_result result = ask(state, error);
    if (result != CDG_OK) return result;
    mark_vertices(state);
    size_t object_count = list_objects(state);
    state->objects = calloc(object_count + 1, sizeof *state->objects);
    if (!state->objects)
        return cdg_fail(error, CDG_ERROR_MEMORY, "out of memory for a picture of %d x %d", def->width, def->height);
    run_rows(state, sample_row);
    result = ask(state, error);
    if (result == CDG_OK) result = smooth_ground(state, error);
    if (result != CDG_OK) return result;
    run_rows(state, compose_row);
    return ask(state, error);
}

cdg_result cdg_picture_take(const cdg_picture_def *def, unsigned char *rgb, cdg_error *error) {
    picture_state state = {.def = def,
                           .from = float3_from(def->camera.from),
                           .up = float3_from(def->scene->up),
                           .ground_height = (float)def->scene->ground_height,
                           .pixels_per_unit = (float)(0.5 * def->width / def->camera.slope_right),
                           .foreshortening = fmax(0.5, fabs(vec3_dot(def->camera.forward, def->scene->up))),
                           .chunk = (def->height + def->threads - 1) / def->threads,
                           .rgb = rgb};
    cdg_basis_about(def->studio.to_lamp, &state.lamp_first, &state.lamp_second);
    fill_tones(state.tones);
    size_t count = pixel_count(&state);
    float *ground = calloc(5 * count, sizeof *ground);
    state.object_at = calloc(count, sizeof *state.object_at);
    state.is_met = calloc(count, 1);
    cdg_result result = CDG_ERROR_MEMORY;
    if (ground && state.object_at && state.is_met) {
        state.lamp_seen = ground;
        state.sky_seen = ground + count;
        state.weight = ground + 2 * count;
        state.lamp_blur = ground + 3 * count;
        state.sky_blur = ground + 4 * count;
        result = take(&state, error);
    } else {
        cdg_fail(error, result, "out of memory for a picture of %d x %d", def->width, def->height);
    }
    free(ground);
    free(state.object_at);
    free(state.is_met);
    free(state.objects);
    return result;
}
