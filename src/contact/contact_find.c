// Which contacts there are in a step: boxes over the step, pairs of them, closest points in the candidate, and where
// things would pass through each other, those at the moment of impact.
#include "base/error.h"
#include "base/parallel.h"
#include "contact/contacts.h"
#include "contact/segment_pair.h"
#include "contact/shape_motion.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Pressing others moves nodes, so that what is near counts as a contact: below a share of the sum of both radii that
// grows with the deepest overlap, of which it is a multiple, and with motion, from the least share to this one. What
// is farther and comes to touch is a contact in the next round.
static const double margin_share = 0.05, least_margin_share = 2.5e-3, margin_overlaps = 2;
// Moves of both elements of a pair, of the sum of radii: shorter ones of what was apart cannot have turned the normal
// round.
static const double short_share = 0.25;
// How far points may leave the candidate that boxes were made for, in radii, before boxes are made anew.
static const double slack_share = 0.25;
// Nearer than this share of the sum of radii nothing may come at any time in the step.
static const double closest_share = 0.9;
// Cosine of the angle between normals over one face, about.
static const double same_face = 0.999;
// What a contact at the moment of impact may lack of its gap for nothing to have passed, of the radius (contacts.c).
static const double impact_share = 1e-2;
// Straight ways that come as near as this share of the sum of radii cross, or nearly do.
static const double crossing_share = 0.1;
// From this round on places and normals go only half of the way to the nearest points: forces turn elements, which may
// make the nearest points wander to and fro for ever.
enum { ROUND_DAMPED = 4 };
// Rods that lie in each other are pushed apart by at most this many radii a second, and half of the depth a step.
static const double separation_speed = 10, separation_share = 0.5;
// Of the sum of radii: when the nearest places of two elements are farther from where they were, both are contacts.
static const double apart_share = 0.05;
// Those that lie in each other by little more than a step may leave, in radii, go back to half of that at once: short
// steps would else add up what each of them leaves.
static const double least_depth = 2e-3, least_left = 5e-4;
// What is held pushes nobody: a contact is none where less than this share of both places can move. Nearer to a held
// end a force would have to be so large, by its lever, that rounding of the gap throws the other end about.
static const double least_free_share = 1e-2;
enum { BOTH_ENDS = 2 };
// Neighbours lie in each other wherever a rod is bent sharply, but no kink may be pulled through itself: they keep a
// core apart, of this share of their radii, and at most of what lies between them along the rod.
static const double core_share = 0.1, core_along = 0.5;

// ---- boxes ----------------------------------------------------------------------------------------------------------

static void grow_box(cdg_box *box, cdg_vec3 point) {
    const double at[3] = {point.x, point.y, point.z};
    for (int k = 0; k < 3; k++) {
        box->low[k] = at[k] < box->low[k] ? at[k] : box->low[k];
        box->high[k] = at[k] > box->high[k] ? at[k] : box->high[k];
    }
}

static void make_boxes(cdg_contacts *c) {
    const cdg_pieces *p = &c->pieces;
    for (uint32_t e = 0; e < p->element_count; e++) {
        cdg_vec3 first = p->start[p->ends[e][0]];
        cdg_box box = {{first.x, first.y, first.z}, {first.x, first.y, first.z}};
        grow_box(&box, p->start[p->ends[e][1]]);
        for (int k = 0; k < BOTH_ENDS; k++) grow_box(&box, p->next[p->ends[e][k]]);
        double more = (1 + margin_share + slack_share) * pieces_largest_radius(p, e);
        for (int k = 0; k < 3; k++) box.low[k] -= more, box.high[k] += more;
        c->boxes[e] = box;
    }
    memcpy(c->boxed, p->next, p->point_count * sizeof *c->boxed);
}

static bool boxes_are_good(const cdg_contacts *c) {
    const cdg_pieces *p = &c->pieces;
    for (uint32_t e = 0; e < p->element_count; e++) {
        double most = slack_share * pieces_largest_radius(p, e);
        for (int k = 0; k < BOTH_ENDS; k++)
            if (!(vec3_distance(p->next[p->ends[e][k]], c->boxed[p->ends[e][k]]) <= most)) return false;
    }
    return true;
}

// Which part of their radii two elements keep apart.
static double touching_share(const cdg_pieces *p, uint32_t a, uint32_t b) {
    if (!cdg_pieces_are_neighbours(p, a, b)) return 1;
    double sum = pieces_largest_radius(p, a) + pieces_largest_radius(p, b);
    return fmin(core_share, core_along * cdg_pieces_separation(p, a, b) / sum);
}

static cdg_vec3 middle(const cdg_pieces *p, const cdg_vec3 *points, uint32_t e) {
    return vec3_lerp(points[p->ends[e][0]], points[p->ends[e][1]], 0.5);
}

static double length_of(const cdg_pieces *p, const cdg_vec3 *points, uint32_t e) {
    return vec3_distance(points[p->ends[e][0]], points[p->ends[e][1]]);
}

// Whether neighbours may come as near to each other in the step as only a kink brings them: their middles as they move
// straight, while points may still leave the candidate by the boxes' slack. Those that are nearer along the rod than
// their radius are short beside it, and are bent before they are folded.
static bool may_fold(const cdg_pieces *p, uint32_t a, uint32_t b) {
    double sum = pieces_largest_radius(p, a) + pieces_largest_radius(p, b);
    if (!(cdg_pieces_separation(p, a, b) >= 0.5 * sum)) return false;
    cdg_vec3 from = vec3_sub(middle(p, p->start, a), middle(p, p->start, b));
    cdg_vec3 to = vec3_sub(middle(p, p->next, a), middle(p, p->next, b)), way = vec3_sub(to, from);
    double way2 = vec3_dot(way, way), time = way2 > 0 ? fmin(fmax(-vec3_dot(from, way) / way2, 0), 1) : 0;
    double reach = 0.5 * (fmax(length_of(p, p->start, a), length_of(p, p->next, a)) +
                          fmax(length_of(p, p->start, b), length_of(p, p->next, b)));
    return vec3_norm(vec3_mad(from, time, way)) < reach + (core_share + slack_share) * sum;
}

static bool is_of_interest_though_held(const void *user, uint32_t a, uint32_t b) {
    return !cdg_pieces_are_neighbours(user, a, b) || may_fold(user, a, b);
}

static bool is_of_interest(const void *user, uint32_t a, uint32_t b) {
    const cdg_pieces *p = user;
    if (p->held[p->ends[a][0]] && p->held[p->ends[a][1]] && p->held[p->ends[b][0]] && p->held[p->ends[b][1]])
        return false;
    return is_of_interest_though_held(p, a, b);
}

// ---- the list -------------------------------------------------------------------------------------------------------

// False: no memory.
static bool reserve_contacts(cdg_contacts *c, size_t count) {
    if (count <= c->capacity) return true;
    size_t capacity = c->capacity > 0 ? 2 * c->capacity : 256;
    if (capacity < count) capacity = count;
    cdg_contact *grown = realloc(c->list, capacity * sizeof *grown);
    if (grown == NULL) return false;
    c->list = grown;
    c->capacity = capacity;
    return true;
}

cdg_contact *cdg_contacts_add(cdg_contacts *c) { return reserve_contacts(c, c->count + 1) ? &c->list[c->count] : NULL; }

// The contact of the list before that has these sides; lists are in order, so the search goes on from the last.
static const cdg_contact *find_before(const cdg_contacts *c, const cdg_contact_side sides[2], size_t *from) {
    while (*from < c->before_count && contact_compare_sides(c->before[*from].side, sides) < 0) (*from)++;
    bool is_there = *from < c->before_count && contact_compare_sides(c->before[*from].side, sides) == 0;
    return is_there ? &c->before[*from] : NULL;
}

void cdg_contact_inherit(cdg_contact *contact, const cdg_contact *old) {
    contact->force = old->force;
    contact->warm_start = old->warm_start;
    contact->restitution = old->restitution; // what bounced in a round before still does
    contact->drift = old->drift;
    contact->left = old->left;
    contact->sticks = old->sticks;
}

static cdg_contact_side segment_side(const cdg_pieces *p, uint32_t e) {
    return (cdg_contact_side){CDG_SIDE_SEGMENT, p->object_of[e], pieces_local(p, e), e};
}

static bool has_force(const cdg_contact *contact) {
    return contact->force.x != 0 || contact->force.y != 0 || contact->force.z != 0;
}

// ---- what the gap should be -----------------------------------------------------------------------------------------

// Never less than none, but rods that start within each other part slowly. And whether they bounce, and keep `share` of
// their speed of approach: slower than what gravity gives in two steps is rest.
void cdg_contact_set_target(cdg_contact *contact, const cdg_contact_place *place, double share, double gap_at_start) {
    contact->target = 0;
    if (gap_at_start < 0)
        contact->target =
            gap_at_start + fmin(-separation_share * gap_at_start, separation_speed * contact->radius * input->step);
    if (gap_at_start > -least_depth * contact->radius)
        contact->target = fmax(contact->target, -least_left * contact->radius);
    bool is_fast = share * contact->approach > 2 * vec3_norm(input->gravity) * input->step * input->step;
    contact->restitution = is_fast && (contact->gap < 0 || contact->restitution > 0) ? share : 0;
    if (contact->restitution > 0)
        contact->target = fmax(contact->target, contact->gap_before + share * contact->approach);
}

// ---- held points ----------------------------------------------------------------------------------------------------

// Whether nothing but the step's supports moves the point. What is welded to a free body moves with it.
static bool is_fixed(const cdg_contacts *c, uint32_t element, int end) {
    const cdg_pieces *p = &c->pieces;
    return p->held[p->ends[element][end]] && coupling_of(&c->coupling, p, p->object_of[element])->yield == NULL;
}

// How much of a place on an element can move: 0 at a held end, 1 at a free one.
static double free_share(const cdg_contacts *c, uint32_t element, double s) {
    return (is_fixed(c, element, 0) ? 0 : 1 - s) + (is_fixed(c, element, 1) ? 0 : s);
}

// It is stuck when it gets deeper, beyond rounding, and is deeper than is promised of others.
void cdg_contact_note_held(cdg_contacts *c, const cdg_contact_input *input, const cdg_contact *contact,
                           double start_gap) {
    static const double deep = 1e-3, more = 1e-6; // of the radius
    bool is_worse =
        contact->crosses || contact->clearance < fmin(-deep * contact->radius, start_gap - more * contact->radius);
    if (!input->parts_held || !is_worse) return;
    c->is_stuck = true;
    c->stuck = *contact;
}

// ---- rods -----------------------------------------------------------------------------------------------------------

typedef struct pair_geometry {
    cdg_moving_segment a, b;
    double bound; // m: no point of a comes nearer to one of b by more than this in the step
} pair_geometry;

static cdg_moving_segment motion_of(const cdg_pieces *p, uint32_t e) {
    uint32_t i = p->ends[e][0], k = p->ends[e][1];
    return (cdg_moving_segment){{p->start[i], p->start[k]}, {p->next[i], p->next[k]}};
}

// From b to a; where they cross exactly, across both.
static cdg_vec3 normal_between(const cdg_closest *closest, cdg_vec3 da, cdg_vec3 db) {
    double distance = sqrt(closest->distance2);
    if (distance > 1e-12 * (vec3_norm(da) + vec3_norm(db))) return vec3_scale(1 / distance, closest->between);
    cdg_vec3 across = vec3_cross(da, db);
    return vec3_norm(across) > 0 ? vec3_normalize(across) : vec3_any_perpendicular(da);
}

// When they come too near in the step, the contact is that of the moment before.
static void find_impact(const pair_geometry *g, double sum, cdg_contact *out) {
    double time;
    if (!cdg_segments_meet(&g->a, &g->b, closest_share * sum, 0.05, &time)) return;
    cdg_vec3 a[2], b[2];
    for (int k = 0; k < 2; k++) {
        a[k] = vec3_lerp(g->a.from[k], g->a.to[k], time);
        b[k] = vec3_lerp(g->b.from[k], g->b.to[k], time);
    }
    cdg_closest closest = cdg_segments_closest(a[0], a[1], b[0], b[1]);
    out->parameter[0] = closest.s, out->parameter[1] = closest.t;
    out->normal = normal_between(&closest, vec3_sub(a[1], a[0]), vec3_sub(b[1], b[0]));
    cdg_vec3 between = vec3_sub(vec3_lerp(g->a.to[0], g->a.to[1], closest.s), //
                                vec3_lerp(g->b.to[0], g->b.to[1], closest.t));
    out->gap = vec3_dot(out->normal, between) - sum;
    out->is_impact = true;
}

static cdg_vec3 between(const cdg_pieces *p, const cdg_vec3 *points, const cdg_contact *contact) {
    return vec3_sub(pieces_at(p, points, contact->side[0].element, contact->parameter[0]),
                    pieces_at(p, points, contact->side[1].element, contact->parameter[1]));
}

static bool is_between_held(const cdg_contacts *c, const cdg_contact *found) {
    return fmax(free_share(c, found->side[0].element, found->parameter[0]),
                free_share(c, found->side[1].element, found->parameter[1])) < least_free_share;
}

// Appends a contact of a pair: places, normal and gap are there, and what it inherits.
static bool add_found(cdg_contacts *c, const cdg_contact_input *input, cdg_contact *found, double start_gap,
                      double share) {
    const cdg_pieces *p = &c->pieces;
    found->radius = share * fmin(pieces_radius(p, found->side[0].element, found->parameter[0]),
                                 pieces_radius(p, found->side[1].element, found->parameter[1]));
    if (is_between_held(c, found)) {
        cdg_contact_note_held(c, input, found, start_gap);
        return true;
    }
    cdg_contact *out = cdg_contacts_add(c);
    if (out == NULL) return false;
    found->friction = share < 1 ? 0 : input->def->friction;
    double sum = share * (pieces_radius(p, found->side[0].element, found->parameter[0]) +
                          pieces_radius(p, found->side[1].element, found->parameter[1]));
    found->gap_before = vec3_dot(found->normal, between(p, p->start, found)) - sum;
    found->approach = -input->step * vec3_dot(found->normal, between(p, p->velocity, found));
    cdg_contact_set_target(found, input, input->def->restitution, start_gap);
    *out = *found;
    c->count++;
    return true;
}

// Gap and normal where an earlier contact of the pair was: at its place on a and what is nearest to it on b. Nowhere is
// the gap below that between the nearest points, so it demands nothing that these do not.
static void measure_at(const cdg_pieces *p, const pair_geometry *g, double s, double share, cdg_contact *out) {
    cdg_vec3 at = vec3_lerp(g->a.to[0], g->a.to[1], s), db = vec3_sub(g->b.to[1], g->b.to[0]);
    cdg_closest closest = cdg_segments_closest(at, at, g->b.to[0], g->b.to[1]);
    out->parameter[0] = s, out->parameter[1] = closest.t;
    out->normal = normal_between(&closest, vec3_sub(g->a.to[1], g->a.to[0]), db);
    out->gap = sqrt(closest.distance2) - share * pieces_radius(p, out->side[0].element, s) -
               share * pieces_radius(p, out->side[1].element, closest.t);
}

static double distance_at_start(const pair_geometry *g) {
    return sqrt(cdg_segments_closest(g->a.from[0], g->a.from[1], g->b.from[0], g->b.from[1]).distance2);
}

static bool find_crossing(const pair_geometry *g, double sum) {
    double start = distance_at_start(g);
    double near = fmin(crossing_share * sum, 0.5 * start), time;
    return cdg_segments_meet(&g->a, &g->b, near, near / fmax(start, sum), &time);
}

// Halfway between where the contact was in the round before and the nearest points.
static void damp(const pair_geometry *g, const cdg_pieces *p, double share, const cdg_contact *old,
                 cdg_contact *contact) {
    cdg_vec3 normal = vec3_add(contact->normal, old->normal);
    if (!(vec3_norm(normal) > 1)) return;
    contact->parameter[0] = 0.5 * (contact->parameter[0] + old->parameter[0]);
    contact->parameter[1] = 0.5 * (contact->parameter[1] + old->parameter[1]);
    contact->normal = vec3_normalize(normal);
    cdg_vec3 between = vec3_sub(vec3_lerp(g->a.to[0], g->a.to[1], contact->parameter[0]), //
                                vec3_lerp(g->b.to[0], g->b.to[1], contact->parameter[1]));
    contact->gap = vec3_dot(contact->normal, between) -
                   share * pieces_radius(p, contact->side[0].element, contact->parameter[0]) -
                   share * pieces_radius(p, contact->side[1].element, contact->parameter[1]);
}

static cdg_result add_pair(cdg_contacts *c, const cdg_contact_input *input, const cdg_box_pair *pair,
                           const cdg_near_pair *near, double margin, bool is_first, size_t *from, cdg_error *error) {
    const cdg_pieces *p = &c->pieces;
    uint32_t a = pair->a, b = pair->b;
    pair_geometry g = {motion_of(p, a), motion_of(p, b), near->bound};
    double share = touching_share(p, a, b), start_gap = near->start_gap;
    double most = share * (pieces_largest_radius(p, a) + pieces_largest_radius(p, b));
    cdg_closest closest = {near->s, near->t, vec3(near->between[0], near->between[1], near->between[2]),
                           near->distance * near->distance};
    double sum = share * (pieces_radius(p, a, closest.s) + pieces_radius(p, b, closest.t)), distance = near->distance;
    if (share < 1) start_gap = distance_at_start(&g) - sum;
    cdg_contact found = {.side = {segment_side(p, a), segment_side(p, b)}};
    const cdg_contact *old = find_before(c, found.side, from);
    size_t old_count = 0;
    bool is_pressed = false;
    for (; old != NULL && old + old_count < c->before + c->before_count; old_count++) {
        if (contact_compare_sides(old[old_count].side, found.side) != 0) break;
        is_pressed = is_pressed || has_force(&old[old_count]);
    }
    bool may_pass = g.bound > short_share * sum || distance < 0.6 * sum;
    if (may_pass) find_impact(&g, sum, &found);
    found.clearance = distance - sum;
    if (found.is_impact) {
        found.crosses = find_crossing(&g, sum);
        // Where they would have met they are apart, but elsewhere they are not.
        if (!found.crosses && found.gap >= 0 && found.clearance < 0) found.is_impact = false;
        // Where they would have met nothing can move, but elsewhere they lie in each other.
        if (is_between_held(c, &found) && found.clearance < 0) {
            found.is_impact = false;
            found.crosses = found.crosses && input->parts_held;
        }
    }
    if (!found.is_impact) {
        if (!(found.clearance < margin * most) && !(is_pressed && !is_first)) return CDG_OK;
        found.parameter[0] = closest.s, found.parameter[1] = closest.t;
        found.normal = normal_between(&closest, vec3_sub(g.a.to[1], g.a.to[0]), vec3_sub(g.b.to[1], g.b.to[0]));
        found.gap = found.clearance;
    }

    // The earlier contact that is nearest is the same; another that pushed is kept.
    double length = vec3_distance(g.a.to[0], g.a.to[1]);
    const cdg_contact *same = NULL, *other = NULL;
    for (size_t i = 0; i < old_count; i++)
        if (same == NULL ||
            fabs(old[i].parameter[0] - found.parameter[0]) < fabs(same->parameter[0] - found.parameter[0]))
            same = &old[i];
    for (size_t i = 0; i < old_count && !found.is_impact; i++) {
        if (!has_force(&old[i]) || old[i].is_impact ||
            !(fabs(old[i].parameter[0] - found.parameter[0]) * length > apart_share * sum))
            continue;
        if (other == NULL ||
            fabs(old[i].parameter[0] - found.parameter[0]) > fabs(other->parameter[0] - found.parameter[0]))
            other = &old[i];
    }
    bool is_damped = same != NULL && other == NULL && has_force(same) && !same->is_impact && !found.is_impact;
    if (is_damped && c->round >= ROUND_DAMPED) damp(&g, p, share, same, &found);
    if (same != NULL) cdg_contact_inherit(&found, same);
    if (same != NULL && same == other) found.force = vec3(0, 0, 0);
    bool is_added = add_found(c, input, &found, start_gap, share);
    if (other != NULL && is_added) {
        measure_at(p, &g, other->parameter[0], share, &found);
        found.clearance = found.gap;
        cdg_contact_inherit(&found, other);
        is_added = add_found(c, input, &found, start_gap, share);
    }
    return is_added ? CDG_OK : cdg_fail(error, CDG_ERROR_MEMORY, "no memory for %zu contacts", c->count + 1);
}

// ---- obstacles ------------------------------------------------------------------------------------------------------

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

// The same with the element's own radius at each place, which at the thin end of a tapered rod is not the largest.
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

// The deepest place of an element along a face goes from one end of it to the other at the slightest tilt, and pressing
// one lets the other sink in, for ever. A place that pushed, elsewhere than where it is deepest now, is kept as a
// second contact; it demands nothing that the deepest does not. `old` are put in the order of the places. Returns how
// many there are.
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
    int first = other->parameter[0] < found[0].s ? 0 : 1; // the kept one's place in the list
    found[1 - first] = found[0];
    old[1 - first] = same;
    found[first] = (cdg_obstacle_contact){other->parameter[0], own.value - radius, own.normal,
                                          vec3_mad(at, -own.value, own.normal)};
    old[first] = other;
    return 2;
}

// What the held ends of an element lack of the target themselves, no force can give: of it, the share that the place
// has of them is not asked for.
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

static cdg_result add_with_obstacle(cdg_contacts *c, const cdg_contact_place *place, uint32_t a, uint32_t number,
                                    bool is_first, size_t *from, cdg_error *error) {
    const cdg_pieces *p = &c->pieces;
    const cdg_contact_shape solid = cdg_contact_shape_at(c, place, number);
    const cdg_obstacle *o = solid.form;
    const cdg_body_piece *body = solid.body;
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
        sides[k][1] = solid.side;
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
        bool is_rigid = contact_shape_is_still(&solid);
        bool is_between_held = is_rigid && free_share(c, a, found[i].s) < least_free_share;
        if (is_between_held && !place->parts_held) continue;
        cdg_contact *out = cdg_contacts_add(c);
        if (out == NULL) return cdg_fail(error, CDG_ERROR_MEMORY, "no memory for %zu contacts", c->count + 1);
        *out = (cdg_contact){.side = {sides[k][0], sides[k][1]},
                             .is_impact = is_impact,
                             .crosses = crosses,
                             .parameter = {found[i].s, 0},
                             .normal = found[i].normal,
                             .radius = radius,
                             .friction = o->def.friction < 0 ? place->def->friction : o->def.friction};
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
            cdg_contact_note_held(c, place, out, at_start);
            continue;
        }
        cdg_vec3 way = out->carried;
        double restitution = place->def->restitution;
        if (body != NULL && !body->body->def.is_fixed)
            way = vec3_scale(place->step, cdg_body_piece_velocity(body, before));
        if (body != NULL) restitution = fmax(restitution, body->body->def.restitution);
        out->approach =
            vec3_dot(out->normal, vec3_mad(way, -place->step, pieces_at(p, p->velocity, a, out->parameter[0])));
        cdg_contact_set_target(out, place, restitution, at_start);
        if (is_rigid) out->target -= forgiven(c, o, &pose[1], out);
        c->count++;
    }
    return CDG_OK;
}

// Where obstacles and bodies are at the start and at the end of the step, and what they may reach: those of bodies,
// wherever the rounds before had them, too, lest contacts that pushed them away are forgotten.
static cdg_result make_poses(cdg_contacts *c, const cdg_contact_place *place, bool is_first, cdg_error *error) {
    size_t count = cdg_contact_shape_count(c, place);
    if (count > c->shape_capacity) {
        cdg_pose *grown = realloc(c->poses, 2 * count * sizeof *grown);
        if (grown != NULL) c->poses = grown;
        cdg_box *boxes = realloc(c->swept, count * sizeof *boxes);
        if (boxes != NULL) c->swept = boxes;
        if (grown == NULL || boxes == NULL)
            return cdg_fail(error, CDG_ERROR_MEMORY, "no memory for contact with obstacles");
        c->shape_capacity = count;
    }
    for (size_t i = is_first ? 0 : place->obstacle_count; i < count; i++) {
        const cdg_contact_shape it = cdg_contact_shape_at(c, place, i);
        cdg_pose *pose = &c->poses[2 * i];
        if (it.body != NULL) {
            pose[0] = cdg_body_piece_start(it.body);
            pose[1] = place->step > 0 ? cdg_body_piece_pose(&c->pieces, c->bodies, it.side.object) : pose[0];
        } else {
            pose[0] = cdg_obstacle_pose(it.form, place->time - place->step);
            pose[1] = cdg_obstacle_pose(it.form, place->time);
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

// ---- all ------------------------------------------------------------------------------------------------------------

// Pairs whose contacts had a force in the round before are looked at, however far they are.
static void mark_pressed(cdg_contacts *c) {
    const cdg_box_pair *pairs = c->finder.pairs;
    size_t pair = 0;
    for (size_t i = 0; i < c->before_count; i++) {
        const cdg_contact *contact = &c->before[i];
        if (contact->side[0].kind != CDG_SIDE_SEGMENT) break;
        if (contact->side[1].kind != CDG_SIDE_SEGMENT || !has_force(contact)) continue;
        uint32_t a = contact->side[0].element, b = contact->side[1].element;
        while (pair < c->finder.pair_count && (pairs[pair].a < a || (pairs[pair].a == a && pairs[pair].b < b))) pair++;
        if (pair < c->finder.pair_count && pairs[pair].a == a && pairs[pair].b == b) c->gaps.gaps[pair] = -HUGE_VAL;
    }
}

typedef struct look {
    cdg_contacts *contacts;
    const cdg_contact_input *input;
    double margin;
    bool is_first;
    size_t part_count;
} look;

// The first of the contacts before, and of the near pairs, that may be of element `a` or those after it.
static size_t first_before(const cdg_contacts *c, uint32_t a) {
    const cdg_contact_side sides[2] = {segment_side(&c->pieces, a), {0}};
    size_t low = 0, high = c->before_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (contact_compare_sides(c->before[middle].side, sides) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}
static size_t first_pair(const cdg_pair_gaps *gaps, uint32_t a) {
    size_t low = 0, high = gaps->near_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (gaps->near[middle].a < a)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

// Element by element: its pairs, which are in order, then obstacles, whose keys are above those of elements. Contacts
// are appended to the list of `c`.
static cdg_result find_elements(const look *l, cdg_contacts *c, uint32_t first, uint32_t end, cdg_error *error) {
    const cdg_pieces *p = &c->pieces;
    const cdg_pair_gaps *gaps = &c->gaps;
    if (first >= end) return CDG_OK;
    size_t from = first_before(c, first), pair = first_pair(gaps, first);
    size_t shapes = cdg_contact_shape_count(c, l->input);
    for (uint32_t a = first; a < end; a++) {
        for (; pair < gaps->near_count && gaps->near[pair].a == a; pair++) {
            cdg_result result =
                add_pair(c, l->input, &gaps->near[pair], &gaps->records[pair], l->margin, l->is_first, &from, error);
            if (result != CDG_OK) return result;
        }
        bool is_held = p->held[p->ends[a][0]] && p->held[p->ends[a][1]];
        for (uint32_t o = 0; o < shapes; o++) {
            const cdg_contact_shape it = cdg_contact_shape_at(c, l->input, o);
            bool is_free = l->input->parts_held || !(is_held && contact_shape_is_still(&it));
            if (it.form == NULL || !is_free || !cdg_boxes_overlap(&c->swept[o], &c->boxes[a])) continue;
            cdg_result result = add_with_obstacle(c, l->place, a, o, l->is_first, &from, error);
            if (result != CDG_OK) return result;
        }
    }
    return CDG_OK;
}

// Part by part, each with a list of its own.
static void find_part(void *user, size_t index, int thread) {
    const look *l = user;
    cdg_contact_part *part = &l->contacts->parts[index];
    cdg_contacts own = *l->contacts;
    size_t elements = own.pieces.element_count;
    (void)thread;
    own.list = part->list, own.count = 0, own.capacity = part->capacity, own.is_stuck = false;
    part->result = find_elements(l, &own, (uint32_t)(elements * index / l->part_count),
                                 (uint32_t)(elements * (index + 1) / l->part_count), &part->error);
    part->list = own.list, part->count = own.count, part->capacity = own.capacity;
    part->is_stuck = own.is_stuck, part->stuck = own.stuck;
}

// Behind what is in the list.
static void join_part(void *user, size_t index, int thread) {
    const look *l = user;
    const cdg_contact_part *part = &l->contacts->parts[index];
    (void)thread;
    if (part->count > 0) memcpy(l->contacts->list + part->first, part->list, part->count * sizeof *part->list);
}

static cdg_result join_parts(look *l, cdg_error *error) {
    cdg_contacts *c = l->contacts;
    size_t count = c->count;
    for (size_t k = 0; k < l->part_count; k++) {
        cdg_contact_part *part = &c->parts[k];
        if (part->result != CDG_OK) {
            *error = part->error;
            return part->result;
        }
        if (part->is_stuck) c->is_stuck = true, c->stuck = part->stuck;
        part->first = count;
        count += part->count;
    }
    if (!reserve_contacts(c, count)) return cdg_fail(error, CDG_ERROR_MEMORY, "no memory for %zu contacts", count);
    cdg_parallel_for(l->part_count, c->thread_count, join_part, l);
    c->count = count;
    return CDG_OK;
}

enum { PARTS_A_THREAD = 2, PAIRS_WORTH_THREADS = 1000 };

static cdg_result find_all_elements(look *l, cdg_error *error) {
    cdg_contacts *c = l->contacts;
    l->part_count = PARTS_A_THREAD * (size_t)c->thread_count;
    if (l->part_count > CDG_CONTACT_PARTS) l->part_count = CDG_CONTACT_PARTS;
    if (c->thread_count < 2 || c->gaps.near_count < PAIRS_WORTH_THREADS)
        return find_elements(l, c, 0, (uint32_t)c->pieces.element_count, error);
    if (c->parts == NULL) c->parts = calloc(CDG_CONTACT_PARTS, sizeof *c->parts);
    if (c->parts == NULL) return cdg_fail(error, CDG_ERROR_MEMORY, "no memory for contacts");
    cdg_parallel_for(l->part_count, c->thread_count, find_part, l);
    return join_parts(l, error);
}

static cdg_result find(cdg_contacts *c, const cdg_contact_input *input, bool is_first, cdg_error *error) {
    const cdg_pieces *p = &c->pieces;
    cdg_result posed = make_poses(c, place, is_first, error);
    if (posed != CDG_OK) return posed;
    c->is_stuck = false;
    if (is_first || !boxes_are_good(c)) {
        make_boxes(c);
        cdg_pair_filter filter = input->parts_held ? is_of_interest_though_held : is_of_interest;
        cdg_result result = cdg_box_finder_find(&c->finder, c->boxes, p->element_count, filter, p, error);
        if (result != CDG_OK) return result;
    }
    cdg_contact *list = c->before;
    size_t capacity = c->before_capacity;
    c->before = c->list, c->before_count = c->count, c->before_capacity = c->capacity;
    c->list = list, c->count = 0, c->capacity = capacity;

    c->gaps.threads = c->thread_count;
    if (!cdg_pair_gaps_find(&c->gaps, p, c->finder.pairs, c->finder.pair_count, short_share))
        return cdg_fail(error, CDG_ERROR_MEMORY, "no memory for %zu pairs of elements", c->finder.pair_count);
    double margin = fmin(margin_share, fmax(least_margin_share, fmax(margin_overlaps * c->gaps.deepest, //
                                                                     c->gaps.longest)));
    if (!is_first) mark_pressed(c);

    if (!cdg_pair_gaps_look(&c->gaps, p, c->finder.pairs, c->finder.pair_count, margin))
        return cdg_fail(error, CDG_ERROR_MEMORY, "no memory for %zu pairs of elements", c->finder.pair_count);

    look l = {.contacts = c, .input = input, .margin = margin, .is_first = is_first};
    cdg_result result = find_all_elements(&l, error);
    if (result != CDG_OK) return result;
    result = cdg_contacts_find_bodies(c, input, is_first, error);
    return result == CDG_OK ? cdg_contacts_find_surfaces(c, input, is_first, error) : result;
}

cdg_result cdg_contacts_find(cdg_contacts *c, const cdg_contact_input *input, bool is_first, cdg_error *error) {
    double start = c->clock != NULL ? c->clock() : 0;
    cdg_result result = find(c, input, is_first, error);
    if (c->clock != NULL) c->find_seconds += c->clock() - start;
    return result;
}

static bool are_same_things(const cdg_contact *a, const cdg_contact *b) {
    for (int k = 0; k < 2; k++)
        if (a->side[k].kind != b->side[k].kind || a->side[k].object != b->side[k].object) return false;
    return true;
}

// A tenth of a per cent is what a step may leave, too; files and lines meet by rounding.
static const double overlap_share = 1e-2;
static bool is_overlap(const cdg_contact *contact) {
    return contact->side[0].kind != CDG_SIDE_BODY && contact->gap < -overlap_share * contact->radius;
}

// A rod that is bent so sharply at the start is told of elsewhere.
static bool is_kink(const cdg_pieces *p, const cdg_contact *contact) {
    return contact->side[0].kind == CDG_SIDE_SEGMENT && contact->side[1].kind == CDG_SIDE_SEGMENT &&
           cdg_pieces_are_neighbours(p, contact->side[0].element, contact->side[1].element);
}

static bool is_of_chain(const cdg_contact *contact, uint32_t chain) {
    for (int k = 0; k < 2; k++)
        if (contact->side[k].kind == CDG_SIDE_SEGMENT && contact->side[k].object == chain) return true;
    return false;
}

bool cdg_contacts_overlap(const cdg_contacts *c, uint32_t chain) {
    for (size_t i = 0; i < c->count; i++) {
        const cdg_contact *contact = &c->list[i];
        bool is_its = chain == UINT32_MAX ? !is_kink(&c->pieces, contact) : is_of_chain(contact, chain);
        if (is_its && contact->side[0].kind != CDG_SIDE_BODY && contact->clearance < -overlap_share * contact->radius)
            return true;
    }
    return false;
}

double cdg_contacts_parting_work(const cdg_contacts *c) {
    double work = 0;
    for (size_t i = 0; i < c->count && c->is_parting; i++) {
        const cdg_contact *contact = &c->list[i];
        if (!(contact->gap_before < -overlap_share * contact->radius)) continue;
        double way = fmin(contact->gap, 0) - contact->gap_before;
        work += fmax(0, way) * fmax(0, vec3_dot(contact->force, contact->normal));
    }
    return work;
}

static bool is_excused(const cdg_contact_place *place, const cdg_contact *contact) {
    if (place->def->separates) return true;
    // A block that stands on a table: its mesh may touch, though its surface has a thickness.
    if (contact_is_wide(contact) && contact->gap >= -(1 + overlap_share) * contact->radius) return true;
    for (int k = 0; k < 2 && place->may_overlap != NULL; k++)
        if (contact->side[k].kind == CDG_SIDE_SEGMENT && place->may_overlap[contact->side[k].object]) return true;
    return false;
}

// Other things that lie in each other: one place of each pair, three pairs at most, the rest by number.
static void tell_others(const cdg_contacts *c, size_t count, const cdg_contact_place *place, const cdg_contact *worst,
                        char *out, size_t size) {
    enum { TOLD_MAX = 3 };
    const cdg_contact *told[TOLD_MAX];
    size_t told_count = 0, more = 0, used = 0;
    out[0] = '\0';
    for (size_t i = 0; i < count; i++) {
        const cdg_contact *contact = &c->list[i];
        if (!is_overlap(contact) || is_excused(place, contact) || are_same_things(contact, worst)) continue;
        bool is_told = false;
        for (size_t k = 0; k < told_count; k++) is_told = is_told || are_same_things(contact, told[k]);
        if (is_told) continue;
        if (told_count == TOLD_MAX) {
            more++;
            continue;
        }
        char one[160], other[160];
        cdg_contact_describe(c, &contact->side[0], place->obstacles, one, sizeof one);
        cdg_contact_describe(c, &contact->side[1], place->obstacles, other, sizeof other);
        if (used < size)
            used += (size_t)snprintf(out + used, size - used, "%s%s in %s", told_count == 0 ? "; likewise " : ", ", one,
                                     other);
        told[told_count++] = contact;
    }
    if (more > 0 && used < size) snprintf(out + used, size - used, " and others");
}

// Says what lies in what.
static cdg_result fail_start(const cdg_contacts *c, size_t count, const cdg_contact_place *place,
                             const cdg_contact *worst, bool crosses, cdg_error *error) {
    const cdg_pieces *p = &c->pieces;
    char one[160], other[160], others[400];
    tell_others(c, count, place, worst, others, sizeof others);
    cdg_contact_describe(c, &worst->side[0], place->obstacles, one, sizeof one);
    cdg_contact_describe(c, &worst->side[1], place->obstacles, other, sizeof other);
    cdg_vec3 at = contact_is_wide(worst) ? cdg_surface_at(p, p->start, &worst->side[0], worst->point[0])
                                         : pieces_at(p, p->start, worst->side[0].element, worst->parameter[0]);
    if (crosses)
        return cdg_fail(error, CDG_ERROR_ARGUMENT,
                        "%s goes through %s, at (%.4g, %.4g, %.4g) m%s; move them apart, or say contact: off", other,
                        one, at.x, at.y, at.z, others);
    return cdg_fail(error, CDG_ERROR_ARGUMENT,
                    "%s lies %.3g m deep in %s, at (%.4g, %.4g, %.4g) m%s; move them apart%s, or say contact: "
                    "{separate: true} to have them pushed apart gently, or contact: off",
                    one, -worst->gap, other, at.x, at.y, at.z, others,
                    contact_is_wide(worst) ? " (surfaces of solids are a twentieth of their shortest edge thick)"
                                           : ", make the rod thinner");
}

cdg_result cdg_contacts_check_start(cdg_contacts *c, const cdg_contact_place *place, cdg_error *error) {
    const cdg_pieces *p = &c->pieces;
    memcpy(p->next, p->start, p->point_count * sizeof *p->next);
    cdg_contact_place still = *place;
    still.time = place->time - place->step;
    still.step = 0;
    cdg_result result = cdg_contacts_find(c, &still, true, error);
    memcpy(p->next, p->free, p->point_count * sizeof *p->next);
    if (result != CDG_OK) return result;
    cdg_contact crossing, *worst = NULL;
    for (size_t i = 0; i < c->count; i++) {
        cdg_contact *contact = &c->list[i];
        if (!is_overlap(contact) || is_kink(p, contact)) continue;
        if (is_excused(place, contact)) {
            c->is_parting = true;
            continue;
        }
        if (worst == NULL || contact->gap / contact->radius < worst->gap / worst->radius) worst = contact;
    }
    bool crosses = cdg_contacts_find_crossing(c, &crossing);
    size_t count = c->count;
    c->count = 0;
    if (worst == NULL && !crosses) return CDG_OK;
    if (crosses) worst = &crossing;
    return fail_start(c, count, place, worst, crosses, error);
}
