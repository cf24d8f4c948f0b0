// Contacts of segments with shapes: obstacles, and those of bodies. The deepest points in the candidate, where a
// segment would pass through a shape those at the moment of impact, and where it pushed before.
#include "base/error.h"
#include "contact/contact_find.h"
#include "contact/shape_motion.h"

#include <stdlib.h>

// Cosine of the angle between normals over one face, about.
static const double same_face = 0.999;
// What a contact at the moment of impact may lack of its gap for nothing to have passed, of the radius (contacts.c).
static const double impact_share = 1e-2;

// How far an element and the surface can come towards each other in the step: as both move, and by the turn of the
// surface's farthest point. Turning a ball does nothing.
static double most_approach(const cdg_obstacle *o, const cdg_pose *pose, const cdg_moving_segment *g) {
    cdg_vec3 move = vec3_sub(pose[1].position, pose[0].position);
    double largest = 0;
    for (int k = 0; k < BOTH_ENDS; k++) largest = fmax(largest, vec3_distance(vec3_sub(g->to[k], g->from[k]), move));
    if (o->def.shape.kind == CDG_SHAPE_SPHERE || !(o->reach < HUGE_VAL)) return largest;
    double angle = vec3_norm(quat_log(quat_relative(pose[0].orientation, pose[1].orientation)));
    return largest + angle * (vec3_norm(o->middle) + o->reach);
}

// When the gap falls to `near`. Conservative advancement along the distance: nothing approaches faster than `bound` a
// step.
static bool obstacle_impact(const cdg_obstacle *o, const cdg_pose *pose, const cdg_moving_segment *g, double radius,
                            double bound, double near, double *time) {
    *time = 0;
    for (int i = 0; i < 200; i++) {
        cdg_pose now = pose_between(&pose[0], &pose[1], *time);
        cdg_vec3 a0 = vec3_lerp(g->from[0], g->to[0], *time), a1 = vec3_lerp(g->from[1], g->to[1], *time);
        double gap, left = (1 - *time) * bound;
        if (!cdg_obstacle_gap(o, &now, a0, a1, radius, left, &gap)) return false;
        if (gap - near <= 0.02 * radius) return true;
        *time += (gap - near) / bound;
        if (*time >= 1) return false;
    }
    return true;
}

// Negative: the element lay that deep in the obstacle at the start of the step. What goes round something curved was
// below the tangent plane of where it is now, which says nothing.
static double gap_before(const cdg_obstacle *o, const cdg_pose *pose, const cdg_moving_segment *g, double radius) {
    cdg_obstacle_contact found[CDG_OBSTACLE_CONTACTS_MAX];
    int count = cdg_obstacle_contacts(o, pose, g->from[0], g->from[1], radius, 0, found);
    double gap = 0;
    for (int k = 0; k < count; k++) gap = fmin(gap, found[k].gap);
    return gap;
}

// The same with the element's own radius at each point, which at the thin end of a tapered rod is not the largest.
static double own_gap_before(const cdg_pieces *p, uint32_t a, const cdg_obstacle *o, const cdg_pose *pose,
                             const cdg_moving_segment *g, double radius) {
    cdg_obstacle_contact found[CDG_OBSTACLE_CONTACTS_MAX];
    int count = cdg_obstacle_contacts(o, pose, g->from[0], g->from[1], radius, 0, found);
    double gap = 0;
    for (int k = 0; k < count; k++) gap = fmin(gap, found[k].gap + (radius - pieces_radius(p, a, found[k].s)));
    return gap;
}

// Whether on straight ways the centreline gets into the obstacle, or nearly does. Of what started deep in it that
// cannot be told.
static bool do_cross(const cdg_obstacle *o, const cdg_pose *pose, const cdg_moving_segment *g, double radius,
                     double bound) {
    double time, near = (crossing_share - 1) * radius;
    return gap_before(o, &pose[0], g, radius) > 0.5 * near && obstacle_impact(o, pose, g, radius, bound, near, &time);
}

// Whether, at the end of the step, the element has come out on the side where it would have met the obstacle at `time`,
// but lies in it elsewhere: then the end is what counts.
static bool is_deep_elsewhere(const cdg_obstacle *o, const cdg_pose *pose, const cdg_moving_segment *g, double radius,
                              double time) {
    cdg_obstacle_contact met[CDG_OBSTACLE_CONTACTS_MAX];
    cdg_pose then = pose_between(&pose[0], &pose[1], time);
    cdg_vec3 a0 = vec3_lerp(g->from[0], g->to[0], time), a1 = vec3_lerp(g->from[1], g->to[1], time);
    int count = cdg_obstacle_contacts(o, &then, a0, a1, radius, radius, met);
    bool is_mesh = o->def.shape.kind == CDG_SHAPE_MESH;
    for (int i = 0; i < count; i++) {
        if (is_mesh && !(met[i].gap < 2 * margin_share * radius)) continue; // another part of the mesh
        cdg_vec3 surface = carry(met[i].point, &then, &pose[1]), at = vec3_lerp(g->to[0], g->to[1], met[i].s);
        if (vec3_dot(met[i].normal, vec3_sub(at, surface)) < (1 - impact_share) * radius) return false;
    }
    double gap;
    return cdg_obstacle_gap(o, &pose[1], g->to[0], g->to[1], radius, 0, &gap);
}

// The deepest point of an element along a face jumps from one end to the other at the slightest tilt, and pushing one
// end out lets the other sink in, for ever. So a point that pushed before is kept as a second contact beside the point
// that is deepest now; it demands nothing that the deepest does not. `old` are put in the order of the points. Returns
// how many there are.
static int keep_pressed(const cdg_obstacle *o, const cdg_pose *pose, const cdg_moving_segment *g, double radius,
                        const cdg_contact *old[CDG_OBSTACLE_CONTACTS_CONVEX],
                        cdg_obstacle_contact found[CDG_OBSTACLE_CONTACTS_MAX]) {
    double length = vec3_distance(g->to[0], g->to[1]);
    const cdg_contact *other = NULL;
    for (int k = 0; k < CDG_OBSTACLE_CONTACTS_CONVEX; k++) {
        bool is_kept = old[k] != NULL && has_force(old[k]) && !old[k]->is_impact &&
                       fabs(old[k]->parameter[0] - found[0].s) * length > 2 * apart_share * radius;
        if (is_kept &&
            (other == NULL || fabs(old[k]->parameter[0] - found[0].s) > fabs(other->parameter[0] - found[0].s)))
            other = old[k];
    }
    if (other == NULL) return 1;
    const cdg_contact *same = other == old[0] ? old[1] : old[0];
    cdg_vec3 at = vec3_lerp(g->to[0], g->to[1], other->parameter[0]);
    cdg_distance own = cdg_obstacle_distance(o, pose, at);
    if (vec3_dot(own.normal, found[0].normal) < same_face) return 1;
    int first = other->parameter[0] < found[0].s ? 0 : 1; // the kept one's index in the list
    found[1 - first] = found[0];
    old[1 - first] = same;
    found[first] = (cdg_obstacle_contact){other->parameter[0], own.value - radius, own.normal,
                                          vec3_mad(at, -own.value, own.normal)};
    old[first] = other;
    return 2;
}

// No force moves the held ends of an element. What these ends themselves lack of the target is therefore not demanded
// of a point between them, in proportion to its nearness to them.
static double forgiven(const cdg_contacts *c, const cdg_obstacle *o, const cdg_pose *pose, const cdg_contact *contact) {
    const cdg_pieces *p = &c->pieces;
    double sum = 0;
    for (int k = 0; k < BOTH_ENDS; k++) {
        if (!is_fixed(c, contact->side[0].element, k)) continue;
        cdg_vec3 end = p->next[p->ends[contact->side[0].element][k]];
        double gap = cdg_obstacle_distance(o, pose, end).value - p->radius[contact->side[0].element][k];
        sum += (k == 0 ? 1 - contact->parameter[0] : contact->parameter[0]) * fmax(0, contact->target - gap);
    }
    return sum;
}

// ---- contacts of one segment and one shape --------------------------------------------------------------------------

// What touches at some time of the step, in the candidate or at the moment of impact.
typedef struct encounter {
    cdg_contacts *contacts;
    const cdg_contact_input *input;
    uint32_t element;
    cdg_contact_shape shape;
    const cdg_pose *pose; // at the start and at the end of the step
    cdg_pose now;
    cdg_moving_segment motion;
    double radius, margin, bound; // m
    double depth_at_start;        // m, negative, by own radii; positive: not yet looked at
    bool is_impact, crosses, is_first;
} encounter;

static cdg_contact_side shape_side(const encounter *it, uint32_t number) {
    cdg_contact_side side = it->shape.side;
    side.primitive = number;
    return side;
}

static bool is_pressed(const cdg_contact *contact) {
    return contact != NULL && vec3_dot(contact->force, contact->force) > 0;
}

// Where an element lies this deep, contact only keeps it from going deeper.
static double depth_at_start(encounter *it) {
    if (it->depth_at_start > 0)
        it->depth_at_start =
            own_gap_before(&it->contacts->pieces, it->element, it->shape.form, &it->pose[0], &it->motion, it->radius);
    return it->depth_at_start;
}

static cdg_result add_found(encounter *it, const cdg_obstacle_contact *found, uint32_t number,
                            const cdg_contact *from_before, cdg_error *error) {
    cdg_contacts *c = it->contacts;
    const cdg_contact_input *input = it->input;
    const cdg_pieces *p = &c->pieces;
    const cdg_obstacle *o = it->shape.form;
    const cdg_body_piece *body = it->shape.body;
    uint32_t a = it->element;
    bool is_rigid = contact_shape_is_still(&it->shape);
    bool is_between_held = is_rigid && free_share(c, a, found->s) < least_free_share;
    if (is_between_held && !input->parts_held) return CDG_OK;
    cdg_contact *out = cdg_contacts_add(c);
    if (out == NULL) return cdg_fail(error, CDG_ERROR_MEMORY, "no memory for %zu contacts", c->count + 1);
    *out = (cdg_contact){.side = {segment_side(p, a), shape_side(it, number)},
                         .is_impact = it->is_impact,
                         .crosses = it->crosses,
                         .parameter = {found->s, 0},
                         .normal = found->normal,
                         .radius = it->radius,
                         .friction = o->def.friction < 0 ? input->def->friction : o->def.friction};
    double own_radius = pieces_radius(p, a, found->s);
    cdg_vec3 before = carry(found->point, &it->now, &it->pose[0]), after = carry(found->point, &it->now, &it->pose[1]);
    out->carried = vec3_sub(after, before);
    out->gap = vec3_dot(out->normal, vec3_sub(pieces_at(p, p->next, a, out->parameter[0]), after)) - own_radius;
    out->clearance = out->gap;
    if (from_before != NULL) cdg_contact_inherit(out, from_before);
    double at_start =
        vec3_dot(out->normal, vec3_sub(pieces_at(p, p->start, a, out->parameter[0]), before)) - own_radius;
    out->gap_before = at_start;
    if (at_start < 0) at_start = depth_at_start(it);
    if (is_between_held) {
        cdg_contact_note_held(c, input, out, at_start);
        return CDG_OK;
    }
    cdg_vec3 way = out->carried;
    double restitution = input->def->restitution;
    if (body != NULL && !body->body->def.is_fixed) way = vec3_scale(input->step, cdg_body_piece_velocity(body, before));
    if (body != NULL) restitution = fmax(restitution, body->body->def.restitution);
    out->approach = vec3_dot(out->normal, vec3_mad(way, -input->step, pieces_at(p, p->velocity, a, out->parameter[0])));
    cdg_contact_set_target(out, input, restitution, at_start);
    if (is_rigid) out->target -= forgiven(c, o, &it->pose[1], out);
    c->count++;
    return CDG_OK;
}

// One contact, or two at the ends of what lies along a face.
static cdg_result add_with_convex(encounter *it, const cdg_contact *old[CDG_OBSTACLE_CONTACTS_CONVEX],
                                  cdg_obstacle_contact *found, int count, cdg_error *error) {
    if (count == 1 && !it->is_impact && it->contacts->round >= ROUND_DAMPED)
        count = keep_pressed(it->shape.form, &it->now, &it->motion, it->radius, old, found);
    for (int i = 0; i < count; i++) {
        // Which end it is nearer to tells contacts apart; one alone may wander past the middle.
        int k = count == 2 ? i : found[i].s > 0.5;
        const cdg_contact *from_before = old[k] == NULL && count == 1 ? old[1 - k] : old[k];
        bool stays = is_pressed(from_before) && !it->is_first;
        if (!it->is_impact && !(found[i].gap < it->margin) && !stays) continue;
        cdg_result result = add_found(it, &found[i], (uint32_t)k, from_before, error);
        if (result != CDG_OK) return result;
    }
    return CDG_OK;
}

// Contacts of an element with one mesh in a round, at most: the deepest.
enum { CONTACTS_MESH = 8 };

// Matches contacts with those of the round before, by their distance along the segment and in direction, nearest pairs
// first: so a contact that slides on to the next triangle of a flat part keeps its force and its friction. Returns
// whether one that pushed has no match.
static bool find_same(const cdg_contact *old[CONTACTS_MESH],
                      const cdg_obstacle_contact found[CDG_OBSTACLE_CONTACTS_MAX], int count, double length_in_radii,
                      const cdg_contact *same[CDG_OBSTACLE_CONTACTS_MAX]) {
    static const double least_cosine = 0.9, angle_as_radius = 0.1;
    bool is_taken[CONTACTS_MESH] = {false};
    for (int i = 0; i < count; i++) same[i] = NULL;
    for (int turn = 0; turn < count; turn++) {
        int best = -1, best_old = -1;
        double least = HUGE_VAL;
        for (int i = 0; i < count; i++)
            for (int k = 0; k < CONTACTS_MESH && same[i] == NULL; k++) {
                if (old[k] == NULL || is_taken[k]) continue;
                double cosine = vec3_dot(old[k]->normal, found[i].normal);
                double along = (old[k]->parameter[0] - found[i].s) * length_in_radii;
                double off = along * along + 2 * (1 - cosine) / (angle_as_radius * angle_as_radius);
                if (cosine > least_cosine && off < least) least = off, best = i, best_old = k;
            }
        if (best < 0) break;
        same[best] = old[best_old];
        is_taken[best_old] = true;
    }
    for (int k = 0; k < CONTACTS_MESH; k++)
        if (is_pressed(old[k]) && !is_taken[k]) return true;
    return false;
}

// Those that are near, or pushed in the round before: the deepest of them.
static int choose(const encounter *it, const cdg_obstacle_contact found[CDG_OBSTACLE_CONTACTS_MAX], int count,
                  const cdg_contact *const same[CDG_OBSTACLE_CONTACTS_MAX], int chosen[CDG_OBSTACLE_CONTACTS_MAX]) {
    int number = 0;
    double deepest = HUGE_VAL;
    for (int i = 0; i < count; i++) deepest = fmin(deepest, found[i].gap);
    for (int i = 0; i < count; i++) {
        bool stays = is_pressed(same[i]) && !it->is_first, is_met = it->is_impact && found[i].gap <= deepest;
        if (is_met || found[i].gap < it->margin || stays) chosen[number++] = i;
    }
    while (number > CONTACTS_MESH) {
        int highest = 0;
        for (int i = 1; i < number; i++)
            if (found[chosen[i]].gap > found[chosen[highest]].gap) highest = i;
        number--;
        for (int i = highest; i < number; i++) chosen[i] = chosen[i + 1];
    }
    return number;
}

// A contact that pushed in the round before is searched for farther away only where it is not near, which is rare.
static cdg_result add_with_mesh(encounter *it, const cdg_contact *old[CONTACTS_MESH], const cdg_vec3 ends[2],
                                double within, cdg_error *error) {
    const cdg_contact *same[CDG_OBSTACLE_CONTACTS_MAX];
    cdg_obstacle_contact found[CDG_OBSTACLE_CONTACTS_MAX];
    int chosen[CDG_OBSTACLE_CONTACTS_MAX];
    const cdg_obstacle *o = it->shape.form;
    double length = vec3_distance(it->motion.to[0], it->motion.to[1]) / it->radius;
    double near = it->is_impact ? it->radius : it->margin;
    int count = cdg_obstacle_contacts(o, &it->now, ends[0], ends[1], it->radius, near, found);
    if (find_same(old, found, count, length, same) && within > near) {
        count = cdg_obstacle_contacts(o, &it->now, ends[0], ends[1], it->radius, within, found);
        find_same(old, found, count, length, same);
    }
    int number = choose(it, found, count, same, chosen);
    for (int i = 0; i < number; i++) {
        cdg_result result = add_found(it, &found[chosen[i]], (uint32_t)i, same[chosen[i]], error);
        if (result != CDG_OK) return result;
    }
    return CDG_OK;
}

cdg_result cdg_contacts_add_with_shape(cdg_contacts *c, const cdg_contact_input *input, uint32_t a, uint32_t number,
                                       bool is_first, size_t *from, cdg_error *error) {
    const cdg_pieces *p = &c->pieces;
    encounter it = {.contacts = c,
                    .input = input,
                    .element = a,
                    .shape = cdg_contact_shape_at(c, input, number),
                    .pose = &c->poses[2 * number],
                    .motion = motion_of(p, a),
                    .radius = pieces_largest_radius(p, a),
                    .depth_at_start = 1,
                    .is_first = is_first};
    const cdg_obstacle *o = it.shape.form;
    const cdg_moving_segment *g = &it.motion;
    it.margin = 2 * margin_share * it.radius;
    it.bound = most_approach(o, it.pose, g);
    if (it.shape.body != NULL && cdg_body_piece_passes(it.shape.body, p->object_of[a])) return CDG_OK;
    bool is_mesh = o->def.shape.kind == CDG_SHAPE_MESH, has_pressed = false;
    const cdg_contact *old[CONTACTS_MESH] = {NULL};
    for (uint32_t k = 0; k < (is_mesh ? CONTACTS_MESH : CDG_OBSTACLE_CONTACTS_CONVEX); k++) {
        const cdg_contact_side sides[2] = {segment_side(p, a), shape_side(&it, k)};
        old[k] = find_before(c, sides, from);
        has_pressed = has_pressed || is_pressed(old[k]);
    }
    double time = 1;
    it.is_impact = o->def.shape.kind != CDG_SHAPE_PLANE && it.bound > 0.25 * it.radius &&
                   obstacle_impact(o, it.pose, g, it.radius, it.bound, (closest_share - 1) * it.radius, &time);
    it.crosses = it.is_impact && do_cross(o, it.pose, g, it.radius, it.bound);
    if (it.is_impact && !it.crosses) it.is_impact = !is_deep_elsewhere(o, it.pose, g, it.radius, time);
    it.now = it.pose[1];
    if (it.is_impact) it.now = pose_between(&it.pose[0], &it.pose[1], time);
    cdg_vec3 ends[2];
    for (int k = 0; k < 2; k++) ends[k] = vec3_lerp(g->from[k], g->to[k], it.is_impact ? time : 1);
    double within = has_pressed && !is_first ? it.bound + 4 * it.radius : it.is_impact ? it.radius : it.margin;
    if (is_mesh) return add_with_mesh(&it, old, ends, within, error);
    cdg_obstacle_contact found[CDG_OBSTACLE_CONTACTS_MAX];
    int count = cdg_obstacle_contacts(o, &it.now, ends[0], ends[1], it.radius, within, found);
    return add_with_convex(&it, old, found, count, error);
}

// Where obstacles and bodies are at the start and at the end of the step, and what they may reach: those of bodies,
// wherever the rounds before had them, too, lest contacts that pushed them away are forgotten.
cdg_result cdg_contacts_make_poses(cdg_contacts *c, const cdg_contact_input *input, bool is_first, cdg_error *error) {
    size_t count = cdg_contact_shape_count(c, input);
    if (count > c->shape_capacity) {
        cdg_pose *grown = realloc(c->poses, 2 * count * sizeof *grown);
        if (grown != NULL) c->poses = grown;
        cdg_box *boxes = realloc(c->swept, count * sizeof *boxes);
        if (boxes != NULL) c->swept = boxes;
        cdg_pose *stood = realloc(c->stood, count * sizeof *stood);
        if (stood != NULL) c->stood = stood;
        if (grown == NULL || boxes == NULL || stood == NULL)
            return cdg_fail(error, CDG_ERROR_MEMORY, "no memory for contact with obstacles");
        c->shape_capacity = count;
    }
    for (size_t i = is_first ? 0 : input->obstacle_count; i < count; i++) {
        const cdg_contact_shape it = cdg_contact_shape_at(c, input, i);
        cdg_pose *pose = &c->poses[2 * i];
        if (it.body != NULL) {
            pose[0] = cdg_body_piece_start(it.body);
            pose[1] = input->step > 0 ? cdg_body_piece_pose(&c->pieces, c->bodies, it.side.object) : pose[0];
        } else {
            pose[0] = cdg_obstacle_pose(it.form, input->time - input->step);
            pose[1] = cdg_obstacle_pose(it.form, input->time);
        }
        if (it.form == NULL) continue;
        cdg_box box = cdg_obstacle_swept_box(it.form, &pose[0], &pose[1]);
        for (int k = 0; k < 3 && !is_first; k++) {
            box.low[k] = fmin(box.low[k], c->swept[i].low[k]);
            box.high[k] = fmax(box.high[k], c->swept[i].high[k]);
        }
        c->swept[i] = box;
    }
    return CDG_OK;
}
