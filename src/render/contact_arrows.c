// An arrow is a shaft, the underside of its head, and the head: three strips of facets around an axis.
#include "render/contact_arrows.h"

#include "base/error.h"
#include "math/vec3.h"

#include <stdlib.h>
#include <string.h>

enum { SIDES = 8, RINGS = 6, VERTICES = SIDES * RINGS, STRIPS = 3, TRIANGLES = 2 * SIDES * STRIPS };

static const double shaft_radius = 0.03, head_radius = 0.08, head_length = 0.25; // in lengths of the arrow

cdg_result cdg_contact_arrows_make(const cdg_run_reader *reader, cdg_contact_arrows *out, cdg_error *error) {
    *out = (cdg_contact_arrows){0};
    if (!reader->has_contacts) return CDG_OK;
    if (!reader->has_contact_places)
        return cdg_fail(error, CDG_ERROR_ARGUMENT,
                        "%s: the run was made before cordage stored the places of contacts; run the scene anew",
                        reader->directory);
    cdg_result result = CDG_OK;
    for (size_t frame = 0; frame < reader->frame_count && result == CDG_OK; frame++) {
        size_t count = 0;
        result = cdg_run_reader_contact_count(reader, frame, &count, error);
        if (count > out->room) out->room = count;
    }
    if (result != CDG_OK) return result;
    out->contacts = calloc(out->room + 1, sizeof *out->contacts);
    if (out->contacts == NULL) return cdg_fail(error, CDG_ERROR_MEMORY, "out of memory for %zu contacts", out->room);
    for (size_t frame = 0; frame < reader->frame_count && result == CDG_OK; frame++) {
        size_t count = 0;
        result = cdg_run_reader_contact_count(reader, frame, &count, error);
        if (result == CDG_OK) result = cdg_run_reader_contacts(reader, frame, out->contacts, out->room, error);
        for (size_t i = 0; i < count && result == CDG_OK; i++)
            out->largest = fmax(out->largest, vec3_norm(out->contacts[i].force));
    }
    if (result != CDG_OK) cdg_contact_arrows_free(out);
    return result;
}

void cdg_contact_arrows_free(cdg_contact_arrows *arrows) {
    free(arrows->contacts);
    *arrows = (cdg_contact_arrows){0};
}

size_t cdg_contact_arrows_vertices(const cdg_contact_arrows *arrows) { return VERTICES * arrows->room; }
size_t cdg_contact_arrows_triangles(const cdg_contact_arrows *arrows) { return TRIANGLES * arrows->room; }

void cdg_contact_arrows_fill(const cdg_contact_arrows *arrows, cdg_picture_mesh *mesh) {
    static const float color[3] = {0.62F, 0.07F, 0.02F};
    uint32_t *out = mesh->triangles;
    for (size_t i = 0; i < 3 * cdg_contact_arrows_vertices(arrows); i++) mesh->colors[i] = color[i % 3];
    for (size_t a = 0; a < arrows->room; a++)
        for (size_t strip = 0; strip < STRIPS; strip++)
            for (size_t k = 0; k < SIDES; k++) {
                uint32_t low = (uint32_t)(a * VERTICES + 2 * strip * SIDES), high = low + SIDES;
                uint32_t here = (uint32_t)k, next = (uint32_t)((k + 1) % SIDES);
                const uint32_t corners[] = {low + here, low + next, high + next, low + here, high + next, high + here};
                memcpy(out, corners, sizeof corners);
                out += 6;
            }
    mesh->offset = 1e-4F;
}

typedef struct arrow {
    cdg_vec3 from, along, across[2]; // `along` as long as the arrow; the others unit
    double length;
} arrow;

// One ring: at a share of the way, with a radius and a normal that leans forward, in shares of the arrow's length.
static void put_ring(const arrow *a, double share, double radius, double outward, double forward, float *vertices,
                     float *normals) {
    for (int k = 0; k < SIDES; k++) {
        double angle = 2 * 3.141592653589793 * k / SIDES;
        cdg_vec3 out = vec3_add(vec3_scale(cos(angle), a->across[0]), vec3_scale(sin(angle), a->across[1]));
        cdg_vec3 at = vec3_mad(vec3_mad(a->from, share, a->along), radius * a->length, out);
        cdg_vec3 normal = vec3_add(vec3_scale(outward, out), vec3_scale(forward / a->length, a->along));
        vertices[3 * k] = (float)at.x, vertices[3 * k + 1] = (float)at.y, vertices[3 * k + 2] = (float)at.z;
        normals[3 * k] = (float)normal.x, normals[3 * k + 1] = (float)normal.y, normals[3 * k + 2] = (float)normal.z;
    }
}

static void put_arrow(const arrow *a, float *vertices, float *normals) {
    double neck = 1 - head_length, lean = hypot(head_radius, head_length);
    const struct {
        double share, radius, outward, forward;
    } rings[RINGS] = {
        {0, shaft_radius, 1, 0},
        {neck, shaft_radius, 1, 0},
        {neck, shaft_radius, 0, -1},
        {neck, head_radius, 0, -1},
        {neck, head_radius, head_length / lean, head_radius / lean},
        {1, 0, head_length / lean, head_radius / lean},
    };
    for (int r = 0; r < RINGS; r++)
        put_ring(a, rings[r].share, rings[r].radius, rings[r].outward, rings[r].forward, vertices + 3 * SIDES * r,
                 normals + 3 * SIDES * r);
}

static arrow make_arrow(const cdg_contact_arrows *arrows, const cdg_run_contact *contact, cdg_vec3 center, double scale,
                        double longest) {
    double force = vec3_norm(contact->force);
    arrow a = {.from = vec3_scale(1 / scale, vec3_sub(contact->position, center)),
               .length = longest * sqrt(force / arrows->largest)};
    cdg_vec3 direction = vec3_scale(1 / force, contact->force);
    cdg_vec3 other = fabs(direction.x) < 0.6 ? vec3(1, 0, 0) : vec3(0, 1, 0);
    a.along = vec3_scale(a.length, direction);
    a.across[0] = vec3_normalize(vec3_cross(direction, other));
    a.across[1] = vec3_cross(direction, a.across[0]);
    return a;
}

cdg_result cdg_contact_arrows_place(const cdg_contact_arrows *arrows, const cdg_run_reader *reader, size_t frame,
                                    cdg_vec3 center, double scale, double longest, cdg_picture_mesh *mesh,
                                    cdg_error *error) {
    size_t count = 0;
    cdg_result result = cdg_run_reader_contact_count(reader, frame, &count, error);
    if (result == CDG_OK) result = cdg_run_reader_contacts(reader, frame, arrows->contacts, arrows->room, error);
    if (result != CDG_OK) return result;
    for (size_t i = 0; i < arrows->room; i++) {
        float *vertices = mesh->vertices + 3 * VERTICES * i, *normals = mesh->normals + 3 * VERTICES * i;
        const cdg_run_contact *contact = &arrows->contacts[i];
        bool is_shown = i < count && vec3_is_finite(contact->position) && vec3_is_finite(contact->force) &&
                        vec3_norm(contact->force) > 1e-6 * arrows->largest;
        if (is_shown) {
            arrow a = make_arrow(arrows, contact, center, scale, longest);
            put_arrow(&a, vertices, normals);
            continue;
        }
        memset(vertices, 0, 3 * VERTICES * sizeof *vertices); // no rays meet what has no area
        for (size_t k = 0; k < VERTICES; k++) normals[3 * k] = normals[3 * k + 1] = 0, normals[3 * k + 2] = 1;
    }
    return CDG_OK;
}
