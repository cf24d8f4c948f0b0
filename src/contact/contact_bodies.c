// Contacts of bodies with each other and with obstacles. A collider finds where shapes lie in each other at the poses
// of the candidate; such a point is followed by the surfaces' own points, through the rounds of a step and to the next.
#include "contact/contacts.h"

#include "base/error.h"
#include "math/quat.h"

// Shares of the contact's size up to which a contact point is kept: the gap between the surfaces, and the distance
// along them between its two points.
static const double margin_share = 0.05, slide_share = 0.25;
// Two points that are nearer to each other than this share of the size are one.
static const double same_share = 0.2;

// ---- sizes ----------------------------------------------------------------------------------------------------------

// Half of the least extent of a body's shape, m: what tolerances are relative to.
static double size_of(const cdg_body_piece *body) {
    const cdg_body_def *def = &body->body->def;
    switch (def->shape.kind) {
    case CDG_SHAPE_SPHERE:
    case CDG_SHAPE_CAPSULE: return def->shape.radius;
    case CDG_SHAPE_CYLINDER: return fmin(def->shape.radius, 0.5 * def->shape.length);
    case CDG_SHAPE_BOX: return 0.5 * fmin(def->shape.size.x, fmin(def->shape.size.y, def->shape.size.z));
    case CDG_SHAPE_MESH:
    default: break;
    }
    // A thin body's least moment of inertia belongs to its largest extents: 12 I / m is the square of one.
    symmetric3 i = body->body->mass.inertia;
    double least = i.xx + i.yy + i.zz - 2 * fmax(i.xx, fmax(i.yy, i.zz));
    return 0.5 * sqrt(fmax(6 * least, 0.02 * fmax(i.xx, fmax(i.yy, i.zz))) / body->body->mass.mass);
}

// ---- one point ------------------------------------------------------------------------------------------------------

static size_t number_of(const cdg_contact_input *input, const cdg_contact_side *side) {
    return side->kind == CDG_SIDE_BODY ? input->obstacle_count + side->object : side->object;
}

static const cdg_pose *poses_of(const cdg_contacts *c, const cdg_contact_input *input, const cdg_contact_side *side) {
    return &c->poses[2 * number_of(input, side)];
}

static cdg_vec3 at_pose(const cdg_pose *pose, cdg_vec3 own) {
    return vec3_add(pose->position, quat_rotate(pose->orientation, own));
}
static cdg_vec3 own_of(const cdg_pose *pose, cdg_vec3 point) {
    return quat_rotate_inverse(pose->orientation, vec3_sub(point, pose->position));
}

// How far a surface's point goes in the step at the speed that its body has before it.
static cdg_vec3 way_of(const cdg_contacts *c, const cdg_contact_input *input, const cdg_contact_side *side,
                       cdg_vec3 start, cdg_vec3 end) {
    const cdg_body_piece *body = contact_body(c->bodies, side);
    if (body == NULL || body->body->def.is_fixed) return vec3_sub(end, start);
    return vec3_scale(input->step, cdg_body_piece_velocity(body, start));
}

static const cdg_collider_item *item_of(const cdg_contacts *c, const cdg_contact_input *input,
                                        const cdg_contact_side *side) {
    return &input->items[side->kind == CDG_SIDE_BODY ? side->object : c->body_count + side->object];
}

// Gap, slip and aim of a contact whose sides, points and normal are there. Returns how far apart along the surfaces its
// points are, m.
static double measure(const cdg_contacts *c, const cdg_contact_input *input, cdg_contact *it) {
    cdg_vec3 start[2], end[2], way[2];
    const cdg_collider_item *item[2];
    it->radius = HUGE_VAL;
    for (int k = 0; k < 2; k++) {
        const cdg_pose *pose = poses_of(c, input, &it->side[k]);
        start[k] = at_pose(&pose[0], it->point[k]);
        end[k] = at_pose(&pose[1], it->point[k]);
        way[k] = way_of(c, input, &it->side[k], start[k], end[k]);
        item[k] = item_of(c, input, &it->side[k]);
        const cdg_body_piece *body = contact_body(c->bodies, &it->side[k]);
        if (body != NULL) it->radius = fmin(it->radius, size_of(body));
    }
    cdg_vec3 apart = vec3_sub(end[0], end[1]);
    it->gap = it->clearance = vec3_dot(it->normal, apart);
    it->gap_before = vec3_dot(it->normal, vec3_sub(start[0], start[1]));
    it->approach = vec3_dot(it->normal, vec3_sub(way[1], way[0]));
    it->carried = vec3_sub(vec3_sub(end[1], start[1]), vec3_sub(end[0], start[0]));
    it->friction = 0.5 * (item[0]->friction + item[1]->friction);
    cdg_contact_set_target(it, input, fmax(item[0]->restitution, item[1]->restitution), it->gap_before);
    return vec3_norm(vec3_mad(apart, -it->gap, it->normal));
}

double cdg_contact_driven_work(const cdg_contacts *c, const cdg_contact_input *input, const cdg_contact *it) {
    double work = 0;
    for (int k = 0; k < 2; k++) {
        const cdg_body_piece *body = contact_body(c->bodies, &it->side[k]);
        if (body != NULL && !body->body->def.is_fixed) continue;
        const cdg_pose *pose = poses_of(c, input, &it->side[k]);
        cdg_vec3 way = vec3_sub(at_pose(&pose[1], it->point[k]), at_pose(&pose[0], it->point[k]));
        work += (k == 1 ? 1 : -1) * vec3_dot(it->force, way);
    }
    return work;
}

static bool is_same_pair(const cdg_contact *a, const cdg_contact *b) {
    for (int k = 0; k < 2; k++)
        if (a->side[k].kind != b->side[k].kind || a->side[k].object != b->side[k].object) return false;
    return true;
}

// The contact of a list, from `from` on, between the same two and at the same point; NULL: there is none.
static const cdg_contact *nearest(const cdg_contact *list, size_t from, size_t count, const cdg_contact *it) {
    const cdg_contact *found = NULL;
    double least = same_share * it->radius;
    for (size_t i = from; i < count; i++) {
        if (!is_same_pair(&list[i], it)) continue;
        double apart = vec3_distance(list[i].point[0], it->point[0]);
        if (apart < least) least = apart, found = &list[i];
    }
    return found;
}

// ---- all ------------------------------------------------------------------------------------------------------------

static cdg_result append(cdg_contacts *c, size_t first, const cdg_contact *it, cdg_error *error) {
    cdg_contact *out = cdg_contacts_add(c);
    if (out == NULL) return cdg_fail(error, CDG_ERROR_MEMORY, "no memory for %zu contacts", c->count + 1);
    *out = *it;
    out->side[0].primitive = out->side[1].primitive = (uint32_t)(c->count - first);
    c->count++;
    return CDG_OK;
}

// Contacts that were there, as far as they still are.
static cdg_result follow_old(cdg_contacts *c, const cdg_contact_input *input, size_t first, cdg_error *error) {
    for (size_t i = 0; i < c->before_count; i++) {
        cdg_contact it = c->before[i];
        if (it.side[0].kind != CDG_SIDE_BODY) continue;
        it.side[0].element = it.side[1].element = (uint32_t)c->pieces.element_count;
        double slid = measure(c, input, &it);
        bool has_force = vec3_dot(it.force, it.force) > 0;
        if (!(it.gap < margin_share * it.radius) && !(has_force && c->round > 0)) continue;
        if (slid > slide_share * it.radius || nearest(c->list, first, c->count, &it) != NULL) continue;
        cdg_result result = append(c, first, &it, error);
        if (result != CDG_OK) return result;
    }
    return CDG_OK;
}

static cdg_contact_side side_of_item(const cdg_contacts *c, uint32_t item) {
    uint32_t none = (uint32_t)c->pieces.element_count;
    if (item < c->body_count) return (cdg_contact_side){CDG_SIDE_BODY, item, 0, none};
    return (cdg_contact_side){CDG_SIDE_OBSTACLE, item - (uint32_t)c->body_count, 0, none};
}

static void place_items(const cdg_contacts *c, const cdg_contact_input *input) {
    for (uint32_t i = 0; i < c->body_count + input->obstacle_count; i++) {
        cdg_contact_side side = side_of_item(c, i);
        const cdg_pose *pose = poses_of(c, input, &side);
        input->items[i].position = pose[1].position;
        input->items[i].orientation = pose[1].orientation;
    }
}

// What the collider finds: a point that is known takes its force and drift.
static cdg_result add_found(cdg_contacts *c, const cdg_contact_input *input, size_t first, size_t found, bool is_first,
                            cdg_error *error) {
    for (size_t i = 0; i < found; i++) {
        cdg_collider_touch touch = cdg_collider_touch_at(input->collider, i);
        cdg_contact it = {.side = {side_of_item(c, touch.a), side_of_item(c, touch.b)}, .normal = touch.normal};
        for (int k = 0; k < 2; k++) {
            double half = (k == 0 ? -0.5 : 0.5) * touch.depth;
            it.point[k] = own_of(&poses_of(c, input, &it.side[k])[1], vec3_mad(touch.point, half, touch.normal));
        }
        (void)measure(c, input, &it);
        if (nearest(c->list, first, c->count, &it) != NULL) continue;
        const cdg_contact *old = is_first ? nearest(c->before, 0, c->before_count, &it) : NULL;
        if (old != NULL) cdg_contact_inherit(&it, old);
        (void)measure(c, input, &it); // what bounces may be inherited
        cdg_result result = append(c, first, &it, error);
        if (result != CDG_OK) return result;
    }
    return CDG_OK;
}

cdg_result cdg_contacts_find_bodies(cdg_contacts *c, const cdg_contact_input *input, bool is_first, cdg_error *error) {
    if (input->collider == NULL || !(input->step > 0)) return CDG_OK;
    size_t first = c->count, found = 0;
    place_items(c, input);
    cdg_result result = cdg_collider_find(input->collider, input->items, &found, error);
    // At first the collider's points are better than those of the step before; then those of the round before.
    if (result == CDG_OK && !is_first) result = follow_old(c, input, first, error);
    if (result == CDG_OK) result = add_found(c, input, first, found, is_first, error);
    if (result == CDG_OK && is_first) result = follow_old(c, input, first, error);
    return result;
}
