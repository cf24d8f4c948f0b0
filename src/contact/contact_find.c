// Which contacts there are in a step: boxes over the step, pairs of them, closest points in the candidate, and where
// things would pass through each other, those at the moment of impact.
#include "contact/contact_find.h"
#include "base/error.h"
#include "base/parallel.h"
#include "contact/shape_motion.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Of the sum of radii: elements that were apart, and whose moves together are shorter than this, cannot have come past
// each other, so their normal points the right way.
static const double short_share = 0.25;
// How far points may leave the candidate that boxes were made for, in radii, before boxes are made anew.
static const double slack_share = 0.25;
// Rods that lie in each other are pushed apart by at most this many radii a second, and half of the depth a step.
static const double separation_speed = 10, separation_share = 0.5;
// In radii: overlaps little deeper than a step may leave are reduced to half of that at once; otherwise the overlaps
// that many short steps leave would add up.
static const double least_depth = 2e-3, least_left = 5e-4;
// Of the sum of radii: those that are farther apart along their chain are no neighbours (pieces.c).
static const double strangers_apart = 1.6;

// ---- boxes ----------------------------------------------------------------------------------------------------------

static void grow_box(cdg_box *box, cdg_vec3 point) {
    const double at[3] = {point.x, point.y, point.z};
    for (int k = 0; k < 3; k++) {
        box->low[k] = at[k] < box->low[k] ? at[k] : box->low[k];
        box->high[k] = at[k] > box->high[k] ? at[k] : box->high[k];
    }
}

// Elements that a thread takes at once; as many parts are worth a second one.
enum { ELEMENTS_AT_ONCE = 256, PARTS_WORTH = 4 };

static void make_box(cdg_contacts *c, size_t e) {
    const cdg_pieces *p = &c->pieces;
    cdg_vec3 first = p->start[p->ends[e][0]];
    cdg_box box = {{first.x, first.y, first.z}, {first.x, first.y, first.z}};
    grow_box(&box, p->start[p->ends[e][1]]);
    for (int k = 0; k < BOTH_ENDS; k++) grow_box(&box, p->next[p->ends[e][k]]);
    double more = (1 + margin_share + slack_share) * pieces_largest_radius(p, e);
    for (int k = 0; k < 3; k++) box.low[k] -= more, box.high[k] += more;
    c->boxes[e] = box;
}

static void make_some_boxes(void *user, size_t index, int thread) {
    cdg_contacts *c = user;
    size_t first = ELEMENTS_AT_ONCE * index, end = first + ELEMENTS_AT_ONCE;
    (void)thread;
    for (size_t e = first; e < end && e < c->pieces.element_count; e++) make_box(c, e);
}

static void make_boxes(cdg_contacts *c) {
    const cdg_pieces *p = &c->pieces;
    size_t parts = (p->element_count + ELEMENTS_AT_ONCE - 1) / ELEMENTS_AT_ONCE;
    cdg_parallel_for(parts, parts >= PARTS_WORTH ? c->threads : 1, make_some_boxes, c);
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

static cdg_vec3 middle(const cdg_pieces *p, const cdg_vec3 *points, uint32_t e) {
    return vec3_lerp(points[p->ends[e][0]], points[p->ends[e][1]], 0.5);
}

static double length_of(const cdg_pieces *p, const cdg_vec3 *points, uint32_t e) {
    return vec3_distance(points[p->ends[e][0]], points[p->ends[e][1]]);
}

// Whether neighbours may come as near to each other in the step as only a kink brings them: their middles as they move
// straight, while points may still leave the candidate by the boxes' slack.
static bool may_fold(const cdg_pieces *p, uint32_t a, uint32_t b) {
    double sum = pieces_largest_radius(p, a) + pieces_largest_radius(p, b);
    if (!contact_may_be_folded(p, a, b)) return false;
    cdg_vec3 from = vec3_sub(middle(p, p->start, a), middle(p, p->start, b));
    cdg_vec3 to = vec3_sub(middle(p, p->next, a), middle(p, p->next, b)), way = vec3_sub(to, from);
    double way2 = vec3_dot(way, way), time = way2 > 0 ? fmin(fmax(-vec3_dot(from, way) / way2, 0), 1) : 0;
    double reach = 0.5 * (fmax(length_of(p, p->start, a), length_of(p, p->next, a)) +
                          fmax(length_of(p, p->start, b), length_of(p, p->next, b)));
    return vec3_norm(vec3_mad(from, time, way)) < reach + (core_share + slack_share) * sum;
}

// What most pairs are, told quickly: of two chains, or far apart along one, with no joint near.
static bool are_strangers(const cdg_pieces *p, uint32_t a, uint32_t b) {
    if (p->near_joint[a][0] != UINT32_MAX || p->near_joint[a][1] != UINT32_MAX) return false;
    if (p->object_of[a] != p->object_of[b]) return true;
    if (p->objects[p->object_of[a]].is_closed) return false;
    double sum = pieces_largest_radius(p, a) + pieces_largest_radius(p, b);
    double apart = a < b ? p->arc[b][0] - p->arc[a][1] : p->arc[a][0] - p->arc[b][1];
    return apart > strangers_apart * sum;
}

static bool is_of_interest_though_held(const void *user, uint32_t a, uint32_t b) {
    const cdg_pieces *p = user;
    return are_strangers(p, a, b) || !cdg_pieces_are_neighbours(p, a, b) || may_fold(p, a, b);
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

void cdg_contact_inherit(cdg_contact *contact, const cdg_contact *old) {
    contact->force = old->force;
    contact->warm_start = old->warm_start;
    contact->restitution = old->restitution; // what bounced in a round before still does
    contact->drift = old->drift;
    contact->left = old->left;
    contact->sticks = old->sticks;
    contact->row = old->row;
    contact->far_share = old->far_share;
}

// ---- what the gap should be -----------------------------------------------------------------------------------------

// The gap to aim at is zero, and less for rods that started in each other, which part slowly. Whether they bounce, and
// keep `share` of their speed of approach, is found as well: below the speed that gravity gives in two steps they are
// at rest.
void cdg_contact_set_target(cdg_contact *contact, const cdg_contact_input *input, double share, double gap_at_start) {
    if (input->never_bounces) share = 0;
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

// A contact is stuck when its overlap grows by more than rounding and exceeds what is promised of other contacts.
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

// Appends a contact of a pair: points, normal and gap are there, and what it inherits.
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

// Gap and normal where an earlier contact of the pair was: at its point on a and what is nearest to it on b. Nowhere is
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

// The contact whose force keeps the pair from passing, at the moment of impact: it leaves nothing to be found there,
// and without it they would pass again, round after round. After some of these it stays, beside what is nearest.
static const cdg_contact *lasting_impact(const cdg_contacts *c, const cdg_contact *old, size_t old_count) {
    for (size_t i = 0; i < old_count && c->round >= ROUND_DAMPED; i++)
        if (old[i].is_impact && has_force(&old[i])) return &old[i];
    return NULL;
}

static bool add_impact(cdg_contacts *c, const cdg_contact_input *input, const pair_geometry *g, double start_gap,
                       double share, const cdg_contact *impact, const cdg_contact *found) {
    const cdg_pieces *p = &c->pieces;
    double s = impact->parameter[0], t = impact->parameter[1];
    cdg_contact out = {.side = {found->side[0], found->side[1]},
                       .is_impact = true,
                       .parameter = {s, t},
                       .normal = impact->normal,
                       .clearance = found->clearance};
    cdg_vec3 between = vec3_sub(vec3_lerp(g->a.to[0], g->a.to[1], s), vec3_lerp(g->b.to[0], g->b.to[1], t));
    out.gap = vec3_dot(out.normal, between) -
              share * (pieces_radius(p, out.side[0].element, s) + pieces_radius(p, out.side[1].element, t));
    cdg_contact_inherit(&out, impact);
    return add_found(c, input, &out, start_gap, share);
}

static cdg_result add_pair(cdg_contacts *c, const cdg_contact_input *input, const cdg_box_pair *pair,
                           const cdg_near_pair *near, double margin, bool is_first, size_t *from, cdg_error *error) {
    const cdg_pieces *p = &c->pieces;
    uint32_t a = pair->a, b = pair->b;
    pair_geometry g = {motion_of(p, a), motion_of(p, b), near->bound};
    double share = contact_touching_share(p, a, b), start_gap = near->start_gap;
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
    const cdg_contact *impact = is_first || found.is_impact ? NULL : lasting_impact(c, old, old_count);
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
        if (&old[i] != impact && (same == NULL || fabs(old[i].parameter[0] - found.parameter[0]) <
                                                      fabs(same->parameter[0] - found.parameter[0])))
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
    if (impact != NULL && is_added) is_added = add_impact(c, input, &g, start_gap, share, impact, &found);
    return is_added ? CDG_OK : cdg_fail(error, CDG_ERROR_MEMORY, "no memory for %zu contacts", c->count + 1);
}

// ---- all ------------------------------------------------------------------------------------------------------------

enum { CONTACTS_AT_ONCE = 512 };

static bool is_pair_before(const cdg_box_pair *pair, uint32_t a, uint32_t b) {
    return pair->a < a || (pair->a == a && pair->b < b);
}

// The first pair that is not before this one.
static size_t find_pair(const cdg_box_finder *finder, uint32_t a, uint32_t b) {
    size_t low = 0, high = finder->pair_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (is_pair_before(&finder->pairs[middle], a, b))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

// Pairs whose contacts had a force in the round before are looked at, however far they are.
static void mark_pressed_part(void *user, size_t index, int thread) {
    const cdg_contacts *c = user;
    const cdg_box_pair *pairs = c->finder.pairs;
    size_t first = CONTACTS_AT_ONCE * index, end = first + CONTACTS_AT_ONCE, count = c->finder.pair_count, pair = 0;
    (void)thread;
    for (size_t i = first; i < end && i < c->before_count; i++) {
        const cdg_contact *contact = &c->before[i];
        if (contact->side[0].kind != CDG_SIDE_SEGMENT) break;
        if (contact->side[1].kind != CDG_SIDE_SEGMENT || !has_force(contact)) continue;
        uint32_t a = contact->side[0].element, b = contact->side[1].element;
        if (pair == 0) pair = find_pair(&c->finder, a, b);
        while (pair < count && is_pair_before(&pairs[pair], a, b)) pair++;
        if (pair < count && pairs[pair].a == a && pairs[pair].b == b) c->gaps.gaps[pair] = -HUGE_VAL;
    }
}

static void mark_pressed(cdg_contacts *c) {
    size_t parts = (c->before_count + CONTACTS_AT_ONCE - 1) / CONTACTS_AT_ONCE;
    cdg_parallel_for(parts, parts > 2 ? c->threads : 1, mark_pressed_part, c);
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
            cdg_result result = cdg_contacts_add_with_shape(c, l->input, a, o, l->is_first, &from, error);
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
    const cdg_contacts *c = user;
    const cdg_contact_part *part = &c->parts[index];
    (void)thread;
    if (part->count > 0) memcpy(c->list + part->first, part->list, part->count * sizeof *part->list);
}

cdg_result cdg_contacts_join_parts(cdg_contacts *c, size_t part_count, cdg_error *error) {
    size_t count = c->count;
    for (size_t k = 0; k < part_count; k++) {
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
    cdg_parallel_for(part_count, c->threads, join_part, c);
    c->count = count;
    return CDG_OK;
}

enum { PARTS_A_THREAD = 8, PAIRS_WORTH_THREADS = 1000 };

static cdg_result find_all_elements(look *l, cdg_error *error) {
    cdg_contacts *c = l->contacts;
    l->part_count = PARTS_A_THREAD * (size_t)c->threads;
    if (l->part_count > CDG_CONTACT_PARTS) l->part_count = CDG_CONTACT_PARTS;
    if (c->threads < 2 || c->gaps.near_count < PAIRS_WORTH_THREADS)
        return find_elements(l, c, 0, (uint32_t)c->pieces.element_count, error);
    if (c->parts == NULL) c->parts = calloc(CDG_CONTACT_PARTS, sizeof *c->parts);
    if (c->parts == NULL) return cdg_fail(error, CDG_ERROR_MEMORY, "no memory for contacts");
    cdg_parallel_for(l->part_count, c->threads, find_part, l);
    return cdg_contacts_join_parts(c, l->part_count, error);
}

static cdg_result find(cdg_contacts *c, const cdg_contact_input *input, bool is_first, cdg_error *error) {
    const cdg_pieces *p = &c->pieces;
    cdg_result posed = cdg_contacts_make_poses(c, input, is_first, error);
    if (posed != CDG_OK) return posed;
    c->is_stuck = false;
    if (is_first || !boxes_are_good(c)) {
        make_boxes(c);
        c->finder.threads = c->threads;
        cdg_pair_filter filter = input->parts_held ? is_of_interest_though_held : is_of_interest;
        cdg_result result = cdg_box_finder_find(&c->finder, c->boxes, p->element_count, filter, p, error);
        if (result != CDG_OK) return result;
    }
    cdg_contact *list = c->before;
    size_t capacity = c->before_capacity;
    c->before = c->list, c->before_count = c->count, c->before_capacity = c->capacity;
    c->list = list, c->count = 0, c->capacity = capacity;

    c->gaps.threads = c->threads;
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
