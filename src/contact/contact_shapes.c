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
    for (int i = 0; i < count; i++) {
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
                        const cdg_contact *old[CDG_OBSTACLE_CONTACTS_MAX],
                        cdg_obstacle_contact found[CDG_OBSTACLE_CONTACTS_MAX]) {
    double length = vec3_distance(g->to[0], g->to[1]);
    const cdg_contact *other = NULL;
    for (int k = 0; k < CDG_OBSTACLE_CONTACTS_MAX; k++) {
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

cdg_result cdg_contacts_add_with_shape(cdg_contacts *c, const cdg_contact_input *input, uint32_t a, uint32_t number,
                                       bool is_first, size_t *from, cdg_error *error) {
    const cdg_pieces *p = &c->pieces;
    const cdg_contact_shape shape = cdg_contact_shape_at(c, input, number);
    const cdg_obstacle *o = shape.form;
    const cdg_body_piece *body = shape.body;
    const cdg_pose *pose = &c->poses[2 * number];
    cdg_moving_segment g = motion_of(p, a);
    double radius = pieces_largest_radius(p, a), margin = 2 * margin_share * radius;
    double bound = most_approach(o, pose, &g);
    if (body != NULL && cdg_body_piece_passes(body, p->object_of[a])) return CDG_OK;
    cdg_contact_side sides[CDG_OBSTACLE_CONTACTS_MAX][2];
    const cdg_contact *old[CDG_OBSTACLE_CONTACTS_MAX];
    bool has_force = false;
    for (uint32_t k = 0; k < CDG_OBSTACLE_CONTACTS_MAX; k++) {
        sides[k][0] = segment_side(p, a);
        sides[k][1] = shape.side;
        sides[k][1].primitive = k;
        old[k] = find_before(c, sides[k], from);
        has_force = has_force || (old[k] != NULL && vec3_dot(old[k]->force, old[k]->force) > 0);
    }
    cdg_obstacle_contact found[CDG_OBSTACLE_CONTACTS_MAX];
    double time = 1;
    bool is_impact = o->def.shape.kind != CDG_SHAPE_PLANE && bound > 0.25 * radius &&
                     obstacle_impact(o, pose, &g, radius, bound, (closest_share - 1) * radius, &time);
    bool crosses = is_impact && do_cross(o, pose, &g, radius, bound);
    if (is_impact && !crosses) is_impact = !is_deep_elsewhere(o, pose, &g, radius, time);
    cdg_pose now = pose[1];
    if (is_impact) now = pose_between(&pose[0], &pose[1], time);
    cdg_vec3 a0 = vec3_lerp(g.from[0], g.to[0], is_impact ? time : 1);
    cdg_vec3 a1 = vec3_lerp(g.from[1], g.to[1], is_impact ? time : 1);
    double within = has_force && !is_first ? bound + 4 * radius : is_impact ? radius : margin;
    int count = cdg_obstacle_contacts(o, &now, a0, a1, radius, within, found);
    if (count == 1 && !is_impact && c->round >= ROUND_DAMPED) count = keep_pressed(o, &now, &g, radius, old, found);
    for (int i = 0; i < count; i++) {
        // Which end it is nearer to tells contacts apart; one alone may wander past the middle.
        int k = count == 2 ? i : found[i].s > 0.5;
        const cdg_contact *from_before = old[k] == NULL && count == 1 ? old[1 - k] : old[k];
        bool is_pressed = from_before != NULL && vec3_dot(from_before->force, from_before->force) > 0;
        if (!is_impact && !(found[i].gap < margin) && !(is_pressed && !is_first)) continue;
        bool is_rigid = contact_shape_is_still(&shape);
        bool is_between_held = is_rigid && free_share(c, a, found[i].s) < least_free_share;
        if (is_between_held && !input->parts_held) continue;
        cdg_contact *out = cdg_contacts_add(c);
        if (out == NULL) return cdg_fail(error, CDG_ERROR_MEMORY, "no memory for %zu contacts", c->count + 1);
        *out = (cdg_contact){.side = {sides[k][0], sides[k][1]},
                             .is_impact = is_impact,
                             .crosses = crosses,
                             .parameter = {found[i].s, 0},
                             .normal = found[i].normal,
                             .radius = radius,
                             .friction = o->def.friction < 0 ? input->def->friction : o->def.friction};
        double own_radius = pieces_radius(p, a, found[i].s);
        cdg_vec3 before = carry(found[i].point, &now, &pose[0]), after = carry(found[i].point, &now, &pose[1]);
        out->carried = vec3_sub(after, before);
        out->gap = vec3_dot(out->normal, vec3_sub(pieces_at(p, p->next, a, out->parameter[0]), after)) - own_radius;
        out->clearance = out->gap;
        if (from_before != NULL) cdg_contact_inherit(out, from_before);
        double at_start =
            vec3_dot(out->normal, vec3_sub(pieces_at(p, p->start, a, out->parameter[0]), before)) - own_radius;
        out->gap_before = at_start;
        if (at_start < 0) at_start = own_gap_before(p, a, o, &pose[0], &g, radius);
        if (is_between_held) {
            cdg_contact_note_held(c, input, out, at_start);
            continue;
        }
        cdg_vec3 way = out->carried;
        double restitution = input->def->restitution;
        if (body != NULL && !body->body->def.is_fixed)
            way = vec3_scale(input->step, cdg_body_piece_velocity(body, before));
        if (body != NULL) restitution = fmax(restitution, body->body->def.restitution);
        out->approach =
            vec3_dot(out->normal, vec3_mad(way, -input->step, pieces_at(p, p->velocity, a, out->parameter[0])));
        cdg_contact_set_target(out, input, restitution, at_start);
        if (is_rigid) out->target -= forgiven(c, o, &pose[1], out);
        c->count++;
    }
    return CDG_OK;
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
