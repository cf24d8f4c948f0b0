// A mark is a profile turned about the rod's tangent: rings of vertices, strips of triangles between them.
#include "render/support_marks.h"

#include "base/error.h"
#include "math/vec3.h"
#include "output/run_scene.h"

#include <stdlib.h>
#include <string.h>

enum { SIDES = 20, RINGS = 10, VERTICES = SIDES * RINGS, TRIANGLES = 2 * SIDES * (RINGS - 1) };

typedef struct profile_ring {
    double along, radius;    // rod radii
    double forward, outward; // of the normal
} profile_ring;

// A collar with bevelled edges; rings at one place have the normals of what is on either side.
static const profile_ring collar[RINGS] = {
    {-1.6, 0, -1, 0},  {-1.6, 2.1, -1, 0}, {-1.6, 2.1, -0.707, 0.707}, {-1.3, 2.4, -0.707, 0.707},
    {-1.3, 2.4, 0, 1}, {1.3, 2.4, 0, 1},   {1.3, 2.4, 0.707, 0.707},   {1.6, 2.1, 0.707, 0.707},
    {1.6, 2.1, 1, 0},  {1.6, 0, 1, 0}};
static const double ball_radius = 2.1;

static profile_ring profile_at(bool is_clamp, int ring) {
    if (is_clamp) return collar[ring];
    double latitude = 3.141592653589793 * ((double)ring / (RINGS - 1) - 0.5), s = sin(latitude), c = cos(latitude);
    return (profile_ring){ball_radius * s, ball_radius * c, s, c};
}

// ---- which there are ------------------------------------------------------------------------------------------------

// The node of the run's rod at a node of the definition. Nodes of the definition stay where resolution changes.
static size_t node_of(const cdg_run_rod *rod, size_t element_count, size_t node) {
    if (!rod->adapts) return node < rod->node_count ? node : rod->node_count - 1;
    double wanted = rod->length * (double)node / (double)element_count, arc = 0, best = INFINITY;
    size_t nearest = 0;
    for (size_t i = 0; i < rod->node_count; i++) {
        if (fabs(arc - wanted) < best) best = fabs(arc - wanted), nearest = i;
        if (i < rod->element_count) arc += rod->rest_length[i];
    }
    return nearest;
}

static bool is_shown(const cdg_run_reader *reader, const cdg_scene *scene, const cdg_support_def *def) {
    size_t rod = def->place.rod.index1;
    return rod >= 1 && rod <= reader->rod_count && rod <= scene->rod_count && reader->rods[rod - 1].strands == 0 &&
           def->place.kind == CDG_PLACE_NODE && def->kind != CDG_SUPPORT_TWIST;
}

// Marks of thin rods are twice as thick as these, to be seen; those of thick ones just hold them, so as not to be all
// that is seen. Picture units.
static double mark_radius(double rod_radius) {
    const double wanted = 0.02, least = 0.6;
    return rod_radius * fmin(1, fmax(least, wanted / rod_radius));
}

cdg_result cdg_support_marks_make(const cdg_run_reader *reader, const double *radii, cdg_support_marks *out,
                                  cdg_error *error) {
    *out = (cdg_support_marks){.count = 0};
    cdg_scene *scene = cdg_run_reader_scene(reader);
    if (!scene) return CDG_OK;
    out->items = calloc(scene->support_count + 1, sizeof *out->items);
    for (size_t i = 0; out->items && i < scene->support_count; i++) {
        const cdg_support_def *def = &scene->supports[i];
        if (!is_shown(reader, scene, def)) continue;
        size_t rod = def->place.rod.index1 - 1;
        out->items[out->count++] = (cdg_support_mark){
            .rod = rod,
            .node = node_of(&reader->rods[rod], scene->rods[rod].element_count, def->place.index),
            .is_clamp = def->kind == CDG_SUPPORT_CLAMP || (def->kind == CDG_SUPPORT_SLIDE && def->holds_frame),
            .end = def->release > 0 ? def->release : INFINITY,
            .radius = mark_radius(radii[rod])};
    }
    cdg_scene_destroy(scene);
    return out->items ? CDG_OK : cdg_fail(error, CDG_ERROR_MEMORY, "out of memory for marks of supports");
}

void cdg_support_marks_free(cdg_support_marks *marks) {
    free(marks->items);
    *marks = (cdg_support_marks){.count = 0};
}

// ---- their mesh -----------------------------------------------------------------------------------------------------

size_t cdg_support_marks_vertices(const cdg_support_marks *marks) { return VERTICES * marks->count; }
size_t cdg_support_marks_triangles(const cdg_support_marks *marks) { return TRIANGLES * marks->count; }

void cdg_support_marks_fill(const cdg_support_marks *marks, cdg_picture_mesh *mesh) {
    static const float color[3] = {0.060F, 0.075F, 0.100F}; // slate: no rod has it
    uint32_t *out = mesh->triangles;
    for (size_t i = 0; i < 3 * cdg_support_marks_vertices(marks); i++) mesh->colors[i] = color[i % 3];
    for (size_t m = 0; m < marks->count; m++)
        for (size_t ring = 0; ring + 1 < RINGS; ring++)
            for (size_t k = 0; k < SIDES; k++) {
                uint32_t low = (uint32_t)(m * VERTICES + ring * SIDES), high = low + SIDES;
                uint32_t here = (uint32_t)k, next = (uint32_t)((k + 1) % SIDES);
                const uint32_t corners[] = {low + here, low + next, high + next, low + here, high + next, high + here};
                memcpy(out, corners, sizeof corners);
                out += 6;
            }
    mesh->offset = 1e-4F;
}

static void put_float3(float *out, cdg_vec3 v) { out[0] = (float)v.x, out[1] = (float)v.y, out[2] = (float)v.z; }

static void put_mark(const cdg_support_mark *mark, cdg_vec3 at, cdg_vec3 along, float *vertices, float *normals) {
    cdg_vec3 first = vec3_any_perpendicular(along), second = vec3_cross(along, first);
    for (int ring = 0; ring < RINGS; ring++) {
        profile_ring p = profile_at(mark->is_clamp, ring);
        for (int k = 0; k < SIDES; k++, vertices += 3, normals += 3) {
            double angle = 2 * 3.141592653589793 * k / SIDES;
            cdg_vec3 out = vec3_add(vec3_scale(cos(angle), first), vec3_scale(sin(angle), second));
            put_float3(vertices, vec3_mad(vec3_mad(at, mark->radius * p.along, along), mark->radius * p.radius, out));
            put_float3(normals, vec3_add(vec3_scale(p.forward, along), vec3_scale(p.outward, out)));
        }
    }
}

// Along the rod, between the neighbours of a node.
static cdg_vec3 direction_at(const cdg_run_rod *rod, const cdg_vec3 *positions, size_t node) {
    size_t before = node > 0 ? node - 1 : 0, after = node + 1 < rod->node_count ? node + 1 : node;
    cdg_vec3 way = vec3_sub(positions[after], positions[before]);
    return vec3_norm(way) > 0 ? vec3_normalize(way) : vec3(1, 0, 0);
}

void cdg_support_marks_place(const cdg_support_marks *marks, const cdg_run_player *player, cdg_vec3 center,
                             double scale, cdg_picture_mesh *mesh) {
    for (size_t m = 0; m < marks->count; m++) {
        const cdg_support_mark *mark = &marks->items[m];
        float *vertices = mesh->vertices + 3 * VERTICES * m, *normals = mesh->normals + 3 * VERTICES * m;
        const cdg_run_rod *rod = &player->reader->rods[mark->rod];
        const cdg_vec3 *positions = player->rods[mark->rod].positions;
        if (player->time < mark->end && vec3_is_finite(positions[mark->node])) {
            cdg_vec3 at = vec3_scale(1 / scale, vec3_sub(positions[mark->node], center));
            put_mark(mark, at, direction_at(rod, positions, mark->node), vertices, normals);
            continue;
        }
        memset(vertices, 0, 3 * VERTICES * sizeof *vertices); // no rays meet what has no area
        for (size_t k = 0; k < VERTICES; k++) normals[3 * k] = normals[3 * k + 1] = 0, normals[3 * k + 2] = 1;
    }
}
