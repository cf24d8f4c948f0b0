// The contacts of the last step as programs and run files see them: of rods first, then those of solids, then those
// between bodies and obstacles alone.
#include "base/error.h"
#include "math/quat.h"
#include "world/rod_proxy.h"
#include "world/solid_object.h"
#include "world/solid_proxy.h"

// How many contacts have each kind of first side; the kept ones are in this order (contact/contacts.h).
typedef struct listed {
    size_t rods, shapes, surfaces; // how many have such a first side
} listed;

static listed find_listed(const cdg_world *world) {
    const cdg_contacts *c = &world->contacts;
    size_t count = cdg_contacts_kept(world), shapes_end = count;
    while (shapes_end > 0 && c->kept[shapes_end - 1].side[0].kind >= CDG_SIDE_VERTEX) shapes_end--;
    size_t rod_end = shapes_end;
    while (rod_end > 0 && c->kept[rod_end - 1].side[0].kind != CDG_SIDE_SEGMENT) rod_end--;
    return (listed){rod_end, shapes_end - rod_end, count - shapes_end};
}

static const cdg_contact *kept_at(const cdg_world *world, listed list, size_t index) {
    const cdg_contact *kept = world->contacts.kept;
    if (index < list.rods) return &kept[index];
    return index < list.rods + list.surfaces ? &kept[index + list.shapes] : &kept[index - list.surfaces];
}

static size_t count_of(listed list) { return list.rods + list.surfaces + list.shapes; }

size_t cdg_world_contact_count(const cdg_world *world) { return world != NULL ? count_of(find_listed(world)) : 0; }

// ---- sides ----------------------------------------------------------------------------------------------------------

// The triangle of the surface that the side is, or the first that it belongs to.
static size_t triangle_of(const cdg_surfaces *s, const cdg_contact_side *side) {
    uint32_t triangle = s->first_triangle[side->object] + side->primitive;
    if (side->kind == CDG_SIDE_VERTEX)
        triangle = s->vertices[s->first_vertex[side->object] + side->primitive].triangle;
    else if (side->kind == CDG_SIDE_EDGE)
        triangle = s->edges[s->first_edge[side->object] + side->primitive].triangle;
    return triangle - s->first_triangle[side->object];
}

static cdg_vec3 place_on_solid(const cdg_world *world, const cdg_contact_side *side, cdg_vec3 weights) {
    const world_solid *solid = world->solids[side->object];
    const double weight[3] = {weights.x, weights.y, weights.z};
    uint32_t point[3], local[3];
    int count = side->kind == CDG_SIDE_VERTEX ? 1 : side->kind == CDG_SIDE_EDGE ? 2 : 3;
    cdg_surface_points(&world->contacts.pieces, side, point, local);
    cdg_vec3 sum = {0, 0, 0};
    for (int k = 0; k < count; k++)
        sum = vec3_mad(sum, count == 1 ? 1 : weight[k], solid_vec3(solid->solid.x, solid->skin->node[local[k]]));
    return sum;
}

static cdg_vec3 place_on_rod(const cdg_world *world, cdg_rod_id id, size_t element, double parameter, cdg_vec3 normal) {
    const cdg_rod *rod = cdg_world_get_rod(world, id);
    size_t next = rod_next_node(rod, element);
    double radius = rod->radius[element * rod->section_stride];
    radius += parameter * (rod->radius[next * rod->section_stride] - radius);
    return vec3_mad(vec3_lerp(rod_vec3(rod->x, element), rod_vec3(rod->x, next), parameter), -radius, normal);
}

static void put_first(const cdg_world *world, const cdg_contact *contact, int side, cdg_contact_info *out) {
    const cdg_contact_side *a = &contact->side[side];
    if (a->kind == CDG_SIDE_SEGMENT) {
        out->rod = cdg_world_rod_id(world, a->object);
        out->element = a->primitive;
        out->place = contact->parameter[side];
        out->point = place_on_rod(world, out->rod, out->element, out->place, out->normal);
    } else if (a->kind == CDG_SIDE_BODY) {
        const cdg_body *body = &world->bodies[a->object];
        out->first_body = cdg_world_body_at(world, a->object);
        out->point = vec3_add(cdg_body_origin(body, &body->now), quat_rotate(body->now.q, contact->point[side]));
    } else {
        out->solid = cdg_world_solid_at(world, a->object);
        out->element = triangle_of(&world->contacts.pieces.surfaces, a);
        out->point = place_on_solid(world, a, contact->point[side]);
    }
}

static void put_second(const cdg_world *world, const cdg_contact *contact, int side, cdg_contact_info *out) {
    const cdg_contact_side *b = &contact->side[side];
    switch (b->kind) {
    case CDG_SIDE_BODY: out->body = cdg_world_body_at(world, b->object); break;
    case CDG_SIDE_OBSTACLE: out->obstacle = cdg_world_obstacle_at(world, b->object); break;
    case CDG_SIDE_SEGMENT:
        out->other = cdg_world_rod_id(world, b->object);
        out->other_element = b->primitive;
        out->other_place = contact->parameter[side];
        break;
    case CDG_SIDE_VERTEX:
    case CDG_SIDE_EDGE:
    case CDG_SIDE_TRIANGLE:
        out->other_solid = cdg_world_solid_at(world, b->object);
        out->other_element = triangle_of(&world->contacts.pieces.surfaces, b);
        break;
    }
}

// A rod that touches a solid comes first, and an obstacle never.
static void describe(const cdg_world *world, const cdg_contact *contact, cdg_contact_info *out) {
    bool is_turned = (contact->side[0].kind != CDG_SIDE_SEGMENT && contact->side[1].kind == CDG_SIDE_SEGMENT) ||
                     contact->side[0].kind == CDG_SIDE_OBSTACLE;
    double sign = is_turned ? -1 : 1;
    *out = (cdg_contact_info){.normal = is_turned ? vec3_scale(sign, contact->normal) : contact->normal,
                              .force = is_turned ? vec3_scale(sign, contact->force) : contact->force,
                              .gap = contact->gap,
                              .sticks = contact->sticks};
    put_first(world, contact, is_turned ? 1 : 0, out);
    put_second(world, contact, is_turned ? 0 : 1, out);
}

cdg_result cdg_world_contact_at(const cdg_world *world, size_t index, cdg_contact_info *out) {
    if (world == NULL || out == NULL) return CDG_ERROR_ARGUMENT;
    listed list = find_listed(world);
    if (index >= count_of(list)) return CDG_ERROR_ARGUMENT;
    describe(world, kept_at(world, list, index), out);
    return CDG_OK;
}

cdg_result cdg_world_contacts(const cdg_world *world, cdg_contact_info *out, size_t capacity, size_t *count) {
    if (world == NULL || (out == NULL && capacity > 0)) return CDG_ERROR_ARGUMENT;
    listed list = find_listed(world);
    size_t there = count_of(list), wanted = there < capacity ? there : capacity;
    for (size_t i = 0; i < wanted; i++) describe(world, kept_at(world, list, i), &out[i]);
    if (count != NULL) *count = there;
    return CDG_OK;
}

double cdg_world_deepest_contact(const cdg_world *world) {
    if (world == NULL) return 0;
    listed list = find_listed(world);
    double deepest = 0;
    for (size_t i = 0; i < list.rods + list.surfaces; i++) {
        const cdg_contact *contact = kept_at(world, list, i);
        deepest = fmax(deepest, -contact->gap / contact->radius);
    }
    return deepest;
}
