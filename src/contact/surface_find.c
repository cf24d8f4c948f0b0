// Which contacts surfaces have in a step: vertex and triangle, edge and edge, an edge or a triangle and what a chain
// has near it, and vertices, edges and triangles with shapes. Nearest points in the candidate, and where something
// would have passed through, those at the moment of impact, as contact_find.c has them for segments.
//
// What is nearest at the limit of a primitive belongs to the lower one: an edge that is nearest at its end is left to
// the vertex, a triangle that is nearest on an edge that it does not own to the triangle that does.
#include "base/error.h"
#include "base/parallel.h"
#include "contact/contacts.h"
#include "contact/point_triangle.h"
#include "contact/shape_motion.h"
#include "contact/surface_watch.h"

#include <stdlib.h>
#include <string.h>

// Other shares are those of contact_find.c.
static const double closest_share = 0.9, crossing_share = 0.1;
static const double least_free_share = 1e-2;
static const double sunk_share = 2e-4; // of the radius: deeper than this an impact's old points will not do
// Of the radius: explicit surfaces aim at so small a gap rather than none. Nearest points that move under the forces
// then leave no penetration that wants another round. What was deeper than the second at the start of the step parts
// slowly.
static const double aimed_share = 1e-3, parting_share = 2e-3;
enum { ROUND_DAMPED = 4, ROUND_DAMPED_MORE = 8, ROUND_DAMPED_MOST = 14, ADVANCES_MAX = 200 };

// ---- a pair that moves ----------------------------------------------------------------------------------------------

typedef struct moving {
    int count[2];
    cdg_vec3 from[2][3], to[2][3];
    double bound; // m: no point of one comes nearer to one of the other by more than this in the step
} moving;

static moving motion_of(const cdg_pieces *p, const feature *a, const feature *b) {
    moving it = {.count = {a->count, b->count}};
    read_points(a, p->start, it.from[0]);
    read_points(b, p->start, it.from[1]);
    read_points(a, p->next, it.to[0]);
    read_points(b, p->next, it.to[1]);
    return it;
}

static void find_bound(moving *it) {
    double most = 0;
    for (int i = 0; i < it->count[0]; i++)
        for (int k = 0; k < it->count[1]; k++) {
            cdg_vec3 a = vec3_sub(it->to[0][i], it->from[0][i]), b = vec3_sub(it->to[1][k], it->from[1][k]);
            cdg_vec3 between = vec3_sub(a, b);
            double square = vec3_dot(between, between);
            most = square > most ? square : most;
        }
    it->bound = sqrt(most);
}

static bool meet(const moving *it, double separation, double slack, double *time) {
    if (it->count[0] == 2) {
        cdg_moving_segment s[2];
        for (int i = 0; i < 2; i++)
            for (int k = 0; k < 2; k++) s[i].from[k] = it->from[i][k], s[i].to[k] = it->to[i][k];
        return cdg_segments_meet(&s[0], &s[1], separation, slack, time);
    }
    int triangle = it->count[0] == 3 ? 0 : 1;
    cdg_moving_triangle t;
    for (int k = 0; k < 3; k++) t.from[k] = it->from[triangle][k], t.to[k] = it->to[triangle][k];
    return cdg_point_triangle_meet(it->from[1 - triangle][0], it->to[1 - triangle][0], &t, separation, slack, time);
}

// From the second to the first; where they cross exactly, across both.
static cdg_vec3 normal_between(const nearest_points *at, const int count[2], cdg_vec3 x[2][3]) {
    cdg_vec3 across;
    double size = 0;
    if (count[0] == 2) {
        across = vec3_cross(vec3_sub(x[0][1], x[0][0]), vec3_sub(x[1][1], x[1][0]));
        size = vec3_distance(x[0][0], x[0][1]) + vec3_distance(x[1][0], x[1][1]);
    } else {
        const cdg_vec3 *t = count[0] == 3 ? x[0] : x[1];
        across = vec3_cross(vec3_sub(t[1], t[0]), vec3_sub(t[2], t[0]));
        size = vec3_distance(t[0], t[1]) + vec3_distance(t[0], t[2]);
    }
    if (at->distance > 1e-12 * size) return vec3_scale(1 / at->distance, at->between);
    return vec3_norm(across) > 0 ? vec3_normalize(across) : vec3(0, 0, 1);
}

static cdg_vec3 sum_of(const cdg_vec3 *x, int count, const double w[3]) {
    cdg_vec3 sum = vec3_scale(w[0], x[0]);
    for (int k = 1; k < count; k++) sum = vec3_mad(sum, w[k], x[k]);
    return sum;
}

// ---- the list -------------------------------------------------------------------------------------------------------

static bool has_force(const cdg_contact *contact) { return vec3_dot(contact->force, contact->force) > 0; }

static void put_weights(cdg_contact *out, int i, const feature *it, const double w[3]) {
    if (it->side.kind != CDG_SIDE_SEGMENT) {
        out->point[i] = vec3(w[0], w[1], w[2]);
        return;
    }
    out->parameter[i] = it->count == 2 ? w[1] : it->end;
}

static void read_weights(const cdg_contact *contact, int i, const feature *it, double w[3]) {
    w[0] = 1, w[1] = w[2] = 0;
    if (it->side.kind != CDG_SIDE_SEGMENT)
        w[0] = contact->point[i].x, w[1] = contact->point[i].y, w[2] = contact->point[i].z;
    else if (it->count == 2)
        w[0] = 1 - contact->parameter[i], w[1] = contact->parameter[i];
}

// The contact of the round before with these sides, of which there is one. Lists are in order.
static const cdg_contact *find_with_sides(const cdg_contacts *c, const cdg_contact_side sides[2], size_t *from) {
    for (; *from < c->before_count; (*from)++) {
        int order = contact_compare_sides(c->before[*from].side, sides);
        if (order >= 0) return order == 0 ? &c->before[*from] : NULL;
    }
    return NULL;
}

// ... and, of a segment's end, this end.
static const cdg_contact *find_before(const cdg_contacts *c, const cdg_contact *it, size_t *from) {
    while (*from < c->before_count && contact_compare_sides(c->before[*from].side, it->side) < 0) (*from)++;
    for (size_t i = *from; i < c->before_count && contact_compare_sides(c->before[i].side, it->side) == 0; i++)
        if (it->side[0].kind != CDG_SIDE_TRIANGLE || it->side[1].kind != CDG_SIDE_SEGMENT ||
            c->before[i].parameter[1] == it->parameter[1])
            return &c->before[i];
    return NULL;
}

// Whether nothing but the step's supports moves the point.
static double free_share(const cdg_contacts *c, const feature *it, const double w[3]) {
    double share = 0;
    for (int k = 0; k < it->count; k++) share += c->pieces.held[it->point[k]] ? 0 : w[k];
    return share;
}

static cdg_result append(cdg_contacts *c, const cdg_contact *found, cdg_error *error) {
    cdg_contact *out = cdg_contacts_add(c);
    if (out == NULL) return cdg_fail(error, CDG_ERROR_MEMORY, "no memory for %zu contacts", c->count + 1);
    *out = *found;
    c->count++;
    return CDG_OK;
}

// ---- limits of primitives -------------------------------------------------------------------------------------------

// Whether a point on a triangle, or on its edges or corners, belongs to this triangle.
static bool is_own_point(const cdg_surface_triangle *t, const double w[3]) {
    return surface_gaps_is_own(surface_limits(t), w);
}

static bool is_inside(const double w[3], int count) {
    for (int k = 0; k < count; k++)
        if (w[k] < surface_gaps_limit) return false;
    return true;
}

// An edge that meets a segment at its end stands for the vertex, if it is the first to end there.
static bool is_own_end(const cdg_surfaces *s, uint32_t edge, const double w[3]) {
    for (int k = 0; k < 2; k++)
        if (w[1 - k] < surface_gaps_limit) return s->vertices[s->edges[edge].end[k]].edge == edge;
    return true;
}

static bool belongs_here(const cdg_pieces *p, const cdg_surface_pair *pair, const nearest_points *at) {
    const cdg_surfaces *s = &p->surfaces;
    if (pair->kind[0] == CDG_SIDE_VERTEX) return is_own_point(&s->triangles[pair->number[1]], at->weight[1]);
    if (pair->kind[0] == CDG_SIDE_TRIANGLE) return is_own_point(&s->triangles[pair->number[0]], at->weight[0]);
    bool is_within = is_inside(at->weight[1], 2);
    if (pair->kind[1] == CDG_SIDE_EDGE) return is_within && is_inside(at->weight[0], 2);
    return is_within && is_own_end(s, pair->number[0], at->weight[0]);
}

// ---- pairs of objects -----------------------------------------------------------------------------------------------

typedef struct finding {
    cdg_contacts *c;
    const cdg_contact_input *input;
    bool is_first;
    bool is_known; // the pair was listed in this step, and stays
    cdg_kept_pair *pair;
    const cdg_pair_nearest *nearest; // where it is nearest in the candidate; NULL: it is not between surfaces
    size_t from;                     // in the list before
    double aimed;                    // of the radius: gap that contacts aim at
} finding;

static void set_target(const finding *it, cdg_contact *contact, double restitution, double start_gap) {
    cdg_contact_set_target(contact, it->input, restitution, start_gap);
    if (start_gap > -parting_share * contact->radius)
        contact->target = fmax(contact->target, it->aimed * contact->radius);
}

static void grow_by(cdg_box *box, cdg_vec3 x) {
    const double at[3] = {x.x, x.y, x.z};
    for (int k = 0; k < 3; k++) {
        box->low[k] = fmin(box->low[k], at[k]);
        box->high[k] = fmax(box->high[k], at[k]);
    }
}

// Over the step, and where the prediction without contact had it.
static cdg_box box_of(const cdg_pieces *p, const feature *it) {
    cdg_box box = {{HUGE_VAL, HUGE_VAL, HUGE_VAL}, {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}};
    for (int k = 0; k < it->count; k++) {
        grow_by(&box, p->start[it->point[k]]);
        grow_by(&box, p->next[it->point[k]]);
        grow_by(&box, p->free[it->point[k]]);
    }
    double more = (1 + surface_margin_share) * largest_radius(it);
    for (int k = 0; k < 3; k++) box.low[k] -= more, box.high[k] += more;
    return box;
}

static bool do_boxes_meet(const cdg_pieces *p, const feature sides[2]) {
    cdg_box a = box_of(p, &sides[0]), b = box_of(p, &sides[1]);
    return cdg_boxes_overlap(&a, &b);
}

// What was pressed in the round before stays a contact, unless it is gone.
static bool is_pressed_still(const finding *it, const cdg_contact *old, const feature sides[2]) {
    return old != NULL && has_force(old) && !it->is_first && do_boxes_meet(&it->c->pieces, sides);
}

// When they come too near in the step, the contact is that of the moment before.
static bool find_impact(const moving *g, double sum, nearest_points *at, cdg_vec3 *normal) {
    double time;
    if (!meet(g, closest_share * sum, 0.05, &time)) return false;
    cdg_vec3 x[2][3];
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < g->count[i]; k++) x[i][k] = vec3_lerp(g->from[i][k], g->to[i][k], time);
    *at = closest(g->count[0], x[0], x[1]);
    *normal = normal_between(at, g->count, x);
    return true;
}

static bool find_crossing(const moving *g, double sum, double start) {
    double near = fmin(crossing_share * sum, 0.5 * start), time;
    return meet(g, near, near / fmax(start, sum), &time);
}

static cdg_vec3 between_at(const cdg_vec3 x[2][3], const int count[2], const nearest_points *at) {
    return vec3_sub(sum_of(x[0], count[0], at->weight[0]), sum_of(x[1], count[1], at->weight[1]));
}

// Halfway between where the contact was in the round before and the nearest points. Those of edges that are nearly
// parallel may still go to and fro, with a period of some rounds: then less than halfway.
static void damp(const finding *it, const cdg_contact *old, const feature sides[2], nearest_points *at,
                 cdg_vec3 *normal) {
    if (!(vec3_norm(vec3_add(*normal, old->normal)) > 1)) return;
    int round = it->c->round;
    double share = round < ROUND_DAMPED_MORE ? 0.5 : round < ROUND_DAMPED_MOST ? 0.25 : 0.125;
    for (int i = 0; i < 2; i++) {
        double w[3];
        read_weights(old, i, &sides[i], w);
        for (int k = 0; k < 3; k++) at->weight[i][k] = w[k] + share * (at->weight[i][k] - w[k]);
    }
    *normal = vec3_normalize(vec3_lerp(old->normal, *normal, share));
}

// A force that keeps two from passing, at the moment of impact, leaves nothing to be found there; without it they would
// pass again, round after round. After some of these it stays.
static bool is_impact_kept(const finding *it, const cdg_contact *old) {
    return old != NULL && old->is_impact && has_force(old) && !it->is_first && it->c->round >= ROUND_DAMPED;
}

// A force at the nearest points of implicit solids that keeps two from passing: where an impact is, which comes and
// goes from round to round, it would be at a distance.
static bool is_held_elsewhere(const finding *it, const cdg_contact *old) {
    return contacts_are_of_solids(it->c) && old != NULL && !old->is_impact && has_force(old) && !it->is_first &&
           it->c->round >= ROUND_DAMPED;
}

// Where the two then penetrate each other elsewhere, no force at the old points can part them, however many the rounds:
// then the contact goes halfway to the nearest points, round after round.
static void take_over(const finding *it, const cdg_contact *old, const feature sides[2], double clearance,
                      nearest_points *at, cdg_vec3 *normal) {
    if (clearance < -sunk_share * old->radius && vec3_dot(*normal, old->normal) > 0.5) {
        damp(it, old, sides, at, normal);
        return;
    }
    for (int i = 0; i < 2; i++) read_weights(old, i, &sides[i], at->weight[i]);
    *normal = old->normal;
}

// Distance at the start of the step, which all rounds have in common. Pairs of surfaces have it from one function,
// whether they are watched since the step began or not: else results would depend on how long they slept.
static double start_distance(cdg_kept_pair *pair, const moving *g, const feature sides[2]) {
    if (!pair->has_start) {
        nearest_points start = closest(g->count[0], g->from[0], g->from[1]);
        pair->start_distance = start.distance;
        pair->start_sum = radius_at(&sides[0], start.weight[0]) + radius_at(&sides[1], start.weight[1]);
        pair->has_start = true;
    }
    return pair->start_distance;
}

static nearest_points nearest_of(const cdg_kept_pair *pair, const cdg_pair_nearest *found) {
    nearest_points at = {.between = vec3(found->between[0], found->between[1], found->between[2]),
                         .distance = found->distance};
    if (pair->is_edges) {
        at.weight[0][0] = 1 - found->first, at.weight[0][1] = found->first;
        at.weight[1][0] = 1 - found->second, at.weight[1][1] = found->second;
        return at;
    }
    double left = 1 - found->first - found->second;
    at.weight[0][0] = 1;
    at.weight[1][0] = left > 0 ? left : 0, at.weight[1][1] = found->first, at.weight[1][2] = found->second;
    return at;
}

static cdg_result add_pair(finding *it, const cdg_surface_pair *pair, cdg_error *error) {
    cdg_contacts *c = it->c;
    const cdg_pieces *p = &c->pieces;
    feature sides[2];
    surface_pair_sides(p, pair, sides);
    cdg_contact found = {.side = {sides[0].side, sides[1].side}};
    if (pair->kind[1] == CDG_SIDE_SEGMENT) found.parameter[1] = sides[1].end;
    const cdg_contact *old = find_before(c, &found, &it->from);
    bool is_pressed = it->is_known || is_pressed_still(it, old, sides);
    moving g = motion_of(p, &sides[0], &sides[1]);
    g.bound = it->c->surface_near.couples[it->pair->couple].now;
    if (it->pair->is_long) find_bound(&g); // its own
    double most = largest_radius(&sides[0]) + largest_radius(&sides[1]);
    double start = start_distance(it->pair, &g, sides), start_sum = it->pair->start_sum;
    if (start - g.bound > (1 + surface_margin_share) * most && !is_pressed) return CDG_OK;
    nearest_points at = it->nearest != NULL ? nearest_of(it->pair, it->nearest) : closest(g.count[0], g.to[0], g.to[1]);
    double sum = radius_at(&sides[0], at.weight[0]) + radius_at(&sides[1], at.weight[1]);
    found.clearance = at.distance - sum;
    nearest_points impact = at;
    cdg_vec3 normal = normal_between(&at, g.count, g.to);
    bool may_pass = g.bound > surface_short_share * sum || at.distance < surface_deep_share * sum;
    double most_gap = (pair->kind[1] == CDG_SIDE_SEGMENT ? surface_margin_share : surface_listed_share) * sum;
    if (!may_pass && !(found.clearance < most_gap) && !is_pressed) return CDG_OK;
    found.is_impact = may_pass && find_impact(&g, sum, &impact, &found.normal);
    if (found.is_impact) {
        found.crosses = find_crossing(&g, sum, start);
        found.gap = vec3_dot(found.normal, between_at((const cdg_vec3(*)[3])g.to, g.count, &impact)) - sum;
        bool is_apart = found.gap >= 0 && found.clearance < 0; // there; elsewhere they are not
        if (!found.crosses && (is_apart || is_held_elsewhere(it, old) || !belongs_here(p, pair, &impact)))
            found.is_impact = false;
    }
    if (!found.is_impact && is_impact_kept(it, old)) {
        found.is_impact = true;
        take_over(it, old, sides, found.clearance, &at, &normal);
    } else if (found.is_impact) {
        at = impact, normal = found.normal;
    } else {
        if (!(found.clearance < most_gap) && !is_pressed) return CDG_OK;
        if (!it->is_known && !belongs_here(p, pair, &at)) return CDG_OK;
        bool is_damped = old != NULL && has_force(old) && !old->is_impact && c->round >= ROUND_DAMPED;
        if (is_damped) damp(it, old, sides, &at, &normal);
    }
    double radius[2] = {radius_at(&sides[0], at.weight[0]), radius_at(&sides[1], at.weight[1])};
    found.radius = fmin(radius[0], radius[1]);
    if (fmax(free_share(c, &sides[0], at.weight[0]), free_share(c, &sides[1], at.weight[1])) < least_free_share) {
        cdg_contact_note_held(c, it->input, &found, start - start_sum);
        return CDG_OK;
    }
    for (int i = 0; i < 2; i++) put_weights(&found, i, &sides[i], at.weight[i]);
    found.normal = normal;
    sum = radius[0] + radius[1];
    found.gap = vec3_dot(normal, between_at((const cdg_vec3(*)[3])g.to, g.count, &at)) - sum;
    found.friction = it->input->def->friction;
    found.gap_before = vec3_dot(normal, between_at((const cdg_vec3(*)[3])g.from, g.count, &at)) - sum;
    cdg_vec3 approach = vec3_sub(point_of(&sides[0], p->velocity, at.weight[0]), //
                                 point_of(&sides[1], p->velocity, at.weight[1]));
    found.approach = -it->input->step * vec3_dot(normal, approach);
    if (old != NULL) cdg_contact_inherit(&found, old);
    set_target(it, &found, it->input->def->restitution, start - start_sum);
    return append(c, &found, error);
}

// ---- pairs of surfaces at rest --------------------------------------------------------------------------------------

// Nearly all pairs neither move far nor lie deep, and are in an early round: of these the nearest points are all there
// is to know.
static bool is_quiet(const finding *it, const cdg_contact *old) {
    const cdg_kept_pair *pair = it->pair;
    if (it->nearest == NULL || pair->is_long || !pair->has_start) return false;
    if (!(it->nearest->distance >= surface_deep_share * pair->sum)) return false;
    return it->c->round < ROUND_DAMPED || old == NULL || !has_force(old);
}

static cdg_contact_side side_of(const finding *it, const cdg_surface_pair *pair, int i) {
    const cdg_pieces *p = &it->c->pieces;
    const cdg_surfaces *s = &p->surfaces;
    uint32_t surface = it->pair->object[i] - (uint32_t)p->chain_count;
    const uint32_t *first = pair->kind[i] == CDG_SIDE_VERTEX ? s->first_vertex
                            : pair->kind[i] == CDG_SIDE_EDGE ? s->first_edge
                                                             : s->first_triangle;
    return (cdg_contact_side){(cdg_side_kind)pair->kind[i], surface, pair->number[i] - first[surface],
                              (uint32_t)p->element_count};
}

// Points of a pair and how much of each is in a difference between its nearest points.
static cdg_vec3 difference_at(const cdg_kept_pair *pair, const nearest_points *at, const cdg_vec3 *x) {
    int first = pair->is_edges ? 2 : 1;
    cdg_vec3 sum = vec3_scale(at->weight[0][0], x[pair->point[0]]);
    for (int k = 1; k < 4; k++)
        sum = vec3_mad(sum, k < first ? at->weight[0][k] : -at->weight[1][k - first], x[pair->point[k]]);
    return sum;
}

static double free_part(const cdg_kept_pair *pair, const nearest_points *at, const bool *held) {
    int first = pair->is_edges ? 2 : 1;
    double share[2] = {0, 0};
    for (int k = 0; k < 4; k++)
        if (!held[pair->point[k]]) share[k >= first] += k < first ? at->weight[0][k] : at->weight[1][k - first];
    return fmax(share[0], share[1]);
}

static cdg_result add_quiet(finding *it, const cdg_contact_side sides[2], const nearest_points *at,
                            const cdg_contact *old, cdg_error *error) {
    cdg_contacts *c = it->c;
    const cdg_pieces *p = &c->pieces;
    const cdg_kept_pair *pair = it->pair;
    const cdg_contact_def *def = it->input->def;
    static const cdg_contact none; // copied faster than cleared
    cdg_contact *out = cdg_contacts_add(c);
    if (out == NULL) return cdg_fail(error, CDG_ERROR_MEMORY, "no memory for %zu contacts", c->count + 1);
    *out = none;
    out->side[0] = sides[0], out->side[1] = sides[1];
    out->friction = def->friction;
    out->clearance = out->gap = at->distance - pair->sum;
    out->normal = vec3_scale(1 / at->distance, at->between);
    double one = p->surfaces.thickness[sides[0].object], other = p->surfaces.thickness[sides[1].object];
    out->radius = one < other ? one : other;
    for (int i = 0; i < 2; i++) out->point[i] = vec3(at->weight[i][0], at->weight[i][1], at->weight[i][2]);
    double start_gap = pair->start_distance - pair->start_sum;
    if (free_part(pair, at, p->held) < least_free_share) {
        cdg_contact_note_held(c, it->input, out, start_gap);
        return CDG_OK;
    }
    bool may_lie_deep = out->gap < 0 || start_gap < 0 || def->restitution > 0;
    if (may_lie_deep) out->gap_before = vec3_dot(out->normal, difference_at(pair, at, p->start)) - pair->sum;
    if (def->restitution > 0)
        out->approach = -it->input->step * vec3_dot(out->normal, difference_at(pair, at, p->velocity));
    if (old != NULL) cdg_contact_inherit(out, old);
    set_target(it, out, def->restitution, start_gap);
    c->count++;
    return CDG_OK;
}

// m: no point of one of the pair comes nearer to one of the other by more than this in the step.
static double bound_of(const cdg_pieces *p, const cdg_kept_pair *pair) {
    int first = pair->is_edges ? 2 : 1;
    cdg_vec3 move[4];
    double most = 0;
    for (int k = 0; k < 4; k++) move[k] = vec3_sub(p->next[pair->point[k]], p->start[pair->point[k]]);
    for (int i = 0; i < first; i++)
        for (int k = first; k < 4; k++) {
            cdg_vec3 between = vec3_sub(move[i], move[k]);
            double square = vec3_dot(between, between);
            most = square > most ? square : most;
        }
    return sqrt(most);
}

// Of a couple that moves far most pairs are still far, or do not move much themselves.
static bool is_out_of_reach(finding *it) {
    cdg_kept_pair *pair = it->pair;
    if (!pair->is_long || !pair->has_start) return false;
    double bound = bound_of(&it->c->pieces, pair);
    pair->is_long = !(bound <= surface_short_share * pair->sum);
    return !it->is_known && !pair->was_listed && pair->start_distance - bound > (1 + surface_margin_share) * pair->sum;
}

static cdg_result add_surface_pair(finding *it, const cdg_surface_pair *pair, cdg_error *error) {
    if (is_out_of_reach(it)) return CDG_OK;
    cdg_contact_side sides[2] = {side_of(it, pair, 0), side_of(it, pair, 1)};
    size_t from = it->from;
    const cdg_contact *old = find_with_sides(it->c, sides, &it->from);
    double gap = it->nearest->distance - it->pair->sum;
    bool is_listed = gap < surface_listed_share * it->pair->sum;
    if (!is_quiet(it, old) || (!is_listed && (it->is_known || (old != NULL && has_force(old) && !it->is_first)))) {
        it->from = from;
        return add_pair(it, pair, error);
    }
    nearest_points at = nearest_of(it->pair, it->nearest);
    if (!is_listed || (!it->is_known && !belongs_here(&it->c->pieces, pair, &at))) return CDG_OK;
    return add_quiet(it, sides, &at, old, error);
}

// ---- shapes ---------------------------------------------------------------------------------------------------------

typedef struct shape_case {
    const cdg_obstacle *form;
    const cdg_pose *pose; // two
    int count;
    cdg_vec3 from[3], to[3];
    double turn;  // m: how far a turn in the step brings a point of the shape, at most
    double bound; // m: no point of the primitive comes nearer to the shape by more than this in the step
} shape_case;

static void find_shape_bound(shape_case *it) {
    const cdg_obstacle *o = it->form;
    cdg_vec3 move = vec3_sub(it->pose[1].position, it->pose[0].position);
    for (int k = 0; k < it->count; k++)
        it->bound = fmax(it->bound, vec3_distance(vec3_sub(it->to[k], it->from[k]), move));
    if (o->def.shape.kind == CDG_SHAPE_SPHERE || !(o->reach < HUGE_VAL)) return;
    double angle = vec3_norm(quat_log(quat_relative(it->pose[0].orientation, it->pose[1].orientation)));
    it->turn = angle * (vec3_norm(o->middle) + o->reach);
    it->bound += it->turn;
}

// How long, at least, until the primitive is within `near` of a convex shape, whose tangent plane is between them.
static double time_to_plane(const shape_case *it, const cdg_vec3 *now, cdg_vec3 foot, cdg_vec3 n, double near) {
    cdg_vec3 move = vec3_sub(it->pose[1].position, it->pose[0].position);
    double least = HUGE_VAL;
    for (int k = 0; k < it->count; k++) {
        double speed = it->turn - vec3_dot(n, vec3_sub(vec3_sub(it->to[k], it->from[k]), move));
        if (speed > 0) least = fmin(least, (vec3_dot(n, vec3_sub(now[k], foot)) - near) / speed);
    }
    return least;
}

// When the distance falls to `near`.
static bool shape_impact(const shape_case *it, double near, double slack, double *time) {
    *time = 0;
    for (int i = 0; i < ADVANCES_MAX; i++) {
        cdg_pose now = pose_between(&it->pose[0], &it->pose[1], *time);
        cdg_vec3 x[3];
        for (int k = 0; k < it->count; k++) x[k] = vec3_lerp(it->from[k], it->to[k], *time);
        double w[3], wait;
        cdg_distance at;
        if (!cdg_obstacle_lowest(it->form, &now, x, it->count, near + slack + (1 - *time) * it->bound, w, &at))
            return false;
        if (at.value <= near + slack) return true;
        if (it->form->def.shape.kind == CDG_SHAPE_MESH) {
            wait = (at.value - near) / it->bound;
        } else {
            cdg_vec3 foot = vec3_mad(sum_of(x, it->count, w), -at.value, at.normal);
            wait = time_to_plane(it, x, foot, at.normal, near);
        }
        *time += fmax(wait, (at.value - near) / it->bound);
        if (*time >= 1) return false;
    }
    return true;
}

static shape_case case_of(const cdg_contacts *c, const feature *a, const cdg_contact_shape *shape, size_t number) {
    shape_case it = {.form = shape->form, .pose = &c->poses[2 * number], .count = a->count};
    read_points(a, c->pieces.start, it.from);
    read_points(a, c->pieces.next, it.to);
    find_shape_bound(&it);
    return it;
}

// Fills what is common to contacts with shapes: weights, normal and the shape's point at `now` are there.
static cdg_result add_shape_contact(finding *it, const feature *a, const cdg_contact_shape *shape, size_t number,
                                    const double w[3], const cdg_pose *now, cdg_vec3 point, double start_gap,
                                    const cdg_contact *old, cdg_contact *found, cdg_error *error) {
    cdg_contacts *c = it->c;
    const cdg_pieces *p = &c->pieces;
    const cdg_pose *pose = &c->poses[2 * number];
    const cdg_body_piece *body = shape->body;
    put_weights(found, 0, a, w);
    cdg_vec3 before = carry(point, now, &pose[0]), after = carry(point, now, &pose[1]);
    double friction = shape->form->def.friction;
    found->radius = a->radius[0];
    found->friction = friction < 0 ? it->input->def->friction : friction;
    found->carried = vec3_sub(after, before);
    found->gap = vec3_dot(found->normal, vec3_sub(point_of(a, p->next, w), after)) - a->radius[0];
    found->gap_before = vec3_dot(found->normal, vec3_sub(point_of(a, p->start, w), before)) - a->radius[0];
    if (!found->is_impact) found->clearance = found->gap;
    if (contact_shape_is_still(shape) && free_share(c, a, w) < least_free_share) {
        cdg_contact_note_held(c, it->input, found, start_gap);
        return CDG_OK;
    }
    if (old != NULL) cdg_contact_inherit(found, old);
    cdg_vec3 way = found->carried;
    double restitution = it->input->def->restitution;
    if (body != NULL && !body->body->def.is_fixed)
        way = vec3_scale(it->input->step, cdg_body_piece_velocity(body, before));
    if (body != NULL) restitution = fmax(restitution, body->body->def.restitution);
    found->approach = vec3_dot(found->normal, vec3_mad(way, -it->input->step, point_of(a, p->velocity, w)));
    set_target(it, found, restitution, start_gap);
    return append(c, found, error);
}

static double start_gap_of(const shape_case *g, double radius) {
    double w[3];
    cdg_distance at;
    if (!cdg_obstacle_lowest(g->form, &g->pose[0], g->from, g->count, radius, w, &at)) return 0;
    return at.value - radius;
}

static cdg_result add_with_shape(finding *it, const cdg_surface_pair *pair, cdg_error *error) {
    cdg_contacts *c = it->c;
    size_t number = pair->number[1] + (pair->kind[1] == CDG_SIDE_BODY ? it->input->obstacle_count : 0);
    const cdg_contact_shape shape = cdg_contact_shape_at(c, it->input, number);
    const cdg_obstacle *o = shape.form;
    feature a = surface_feature(&c->pieces, pair->kind[0], pair->number[0]);
    cdg_contact found = {.side = {a.side, shape.side}};
    const cdg_contact *old = find_before(c, &found, &it->from);
    bool is_pressed = old != NULL && has_force(old) && !it->is_first;
    cdg_box reach = box_of(&c->pieces, &a);
    if (!cdg_boxes_overlap(&c->swept[number], &reach)) return CDG_OK;
    shape_case g = case_of(c, &a, &shape, number);
    double radius = a.radius[0], time = 1, w[3];
    found.is_impact = o->def.shape.kind != CDG_SHAPE_PLANE && g.bound > surface_short_share * radius &&
                      shape_impact(&g, closest_share * radius, 0.02 * radius, &time);
    found.crosses = found.is_impact && start_gap_of(&g, radius) > -crossing_share * radius;
    double crossing;
    found.crosses = found.crosses && shape_impact(&g, crossing_share * radius, 0.02 * radius, &crossing);
    cdg_distance at;
    cdg_pose now = g.pose[1];
    double within = is_pressed ? 2 * radius + g.bound : (1 + 2 * surface_margin_share) * radius;
    bool is_near = cdg_obstacle_lowest(o, &now, g.to, a.count, within, w, &at);
    found.clearance = is_near ? at.value - radius : 0;
    if (found.is_impact && !found.crosses && is_near && found.clearance < 0) found.is_impact = false;
    cdg_vec3 x[3];
    for (int k = 0; k < a.count; k++) x[k] = found.is_impact ? vec3_lerp(g.from[k], g.to[k], time) : g.to[k];
    if (found.is_impact) {
        now = pose_between(&g.pose[0], &g.pose[1], time);
        is_near = cdg_obstacle_lowest(o, &now, x, a.count, HUGE_VAL, w, &at);
    }
    if (!is_near || (a.count > 1 && !is_inside(w, a.count))) return CDG_OK;
    found.normal = at.normal;
    cdg_vec3 point = vec3_mad(sum_of(x, a.count, w), -at.value, at.normal);
    return add_shape_contact(it, &a, &shape, number, w, &now, point, fmin(0, start_gap_of(&g, radius)), old, &found,
                             error);
}

// A corner of a mesh and a triangle: as a vertex that does not give way.
static cdg_result add_mesh_corner(finding *it, const cdg_surface_pair *pair, cdg_error *error) {
    cdg_contacts *c = it->c;
    size_t number = pair->number[1] + (pair->kind[1] == CDG_SIDE_BODY ? it->input->obstacle_count : 0);
    cdg_contact_shape shape = cdg_contact_shape_at(c, it->input, number);
    shape.side.primitive = pair->detail;
    const cdg_pose *pose = &c->poses[2 * number];
    feature a = surface_feature(&c->pieces, pair->kind[0], pair->number[0]);
    cdg_contact found = {.side = {a.side, shape.side}};
    const cdg_contact *old = find_before(c, &found, &it->from);
    bool is_pressed = old != NULL && has_force(old) && !it->is_first;
    moving g = {.count = {3, 1}};
    read_points(&a, c->pieces.start, g.from[0]);
    read_points(&a, c->pieces.next, g.to[0]);
    cdg_vec3 own = shape.form->mesh.vertices[pair->detail - 1];
    for (int k = 0; k < 2; k++) {
        cdg_vec3 at = vec3_add(pose[k].position, quat_rotate(pose[k].orientation, own));
        if (k == 0) g.from[1][0] = at;
        if (k == 1) g.to[1][0] = at;
    }
    find_bound(&g);
    double radius = a.radius[0];
    nearest_points start = closest(3, g.from[0], g.from[1]), at = closest(3, g.to[0], g.to[1]), impact = at;
    if (start.distance - g.bound > (1 + surface_margin_share) * radius && !is_pressed) return CDG_OK;
    found.clearance = at.distance - radius;
    found.normal = normal_between(&at, g.count, g.to);
    cdg_vec3 normal = found.normal;
    bool may_pass = g.bound > surface_short_share * radius || at.distance < 0.6 * radius;
    found.is_impact = may_pass && find_impact(&g, radius, &impact, &normal);
    if (found.is_impact) {
        found.crosses = find_crossing(&g, radius, start.distance);
        at = impact, found.normal = normal;
    } else if (!(found.clearance < surface_margin_share * radius) && !is_pressed) {
        return CDG_OK;
    }
    if (!is_inside(at.weight[0], 3)) return CDG_OK;
    return add_shape_contact(it, &a, &shape, number, at.weight[0], &pose[1], g.to[1][0], start.distance - radius, old,
                             &found, error);
}

// ---- all of them ----------------------------------------------------------------------------------------------------

static cdg_result look_at(finding *it, const cdg_surface_pair *pair, cdg_error *error) {
    if (it->nearest != NULL) return add_surface_pair(it, pair, error);
    if (!surface_pair_has_shape(pair)) return add_pair(it, pair, error);
    return pair->detail > 0 ? add_mesh_corner(it, pair, error) : add_with_shape(it, pair, error);
}

// The contact of a pair of which no point has moved since the round before.
static cdg_result keep_contact(finding *it, uint32_t pair, cdg_error *error) {
    const cdg_contacts *c = it->c;
    while (it->from < c->before_count && c->before[it->from].pair != pair) it->from++;
    return it->from < c->before_count ? append(it->c, &c->before[it->from], error) : CDG_OK;
}

// Of one that is due.
static cdg_result find_of_pair(finding *it, uint32_t number, size_t at, bool is_again, cdg_error *error) {
    cdg_contacts *c = it->c;
    const cdg_surface_near *near = &c->surface_near;
    cdg_kept_pair *pair = &near->pairs[number];
    size_t before = c->count;
    if (!pair->has_start && pair->has_points) cdg_surface_watch_measure(c, number);
    it->is_known = is_again && pair->is_contact;
    it->pair = pair;
    it->nearest = pair->has_points ? &near->nearest[at] : NULL;
    cdg_result result = look_at(it, &near->named[number], error);
    pair->is_contact = c->count > before;
    for (size_t k = before; k < c->count; k++) c->list[k].pair = number;
    pair->was_listed = pair->was_listed || pair->is_contact;
    return result;
}

// One after the other; where contact is about spots, what lies elsewhere is as it was.
static cdg_result find_in_order(finding *it, bool is_again, cdg_error *error) {
    const cdg_surface_near *near = &it->c->surface_near;
    cdg_result result = CDG_OK;
    for (size_t i = 0, changed = 0; i < near->watched_count && result == CDG_OK; i++) {
        uint32_t number = near->watched[i];
        const cdg_kept_pair *pair = &near->pairs[number];
        if (contact_spots_move(&it->c->spots, pair->point)) {
            size_t at = changed++;
            if (pair->is_due) result = find_of_pair(it, number, at, is_again, error);
        } else if (pair->is_contact) {
            result = keep_contact(it, number, error);
        }
    }
    return result;
}

// ---- in parts, each with a list of its own --------------------------------------------------------------------------

enum { PAIRS_OF_PART = 512, PARTS_WORTH = 3 };

typedef struct partition {
    const finding *all;
    bool is_again;
    size_t part_count;
} partition;

// The first of the contacts before that may be of a pair or those after it.
static size_t first_before(const finding *it, uint32_t number) {
    const cdg_contacts *c = it->c;
    const cdg_surface_pair *pair = &c->surface_near.named[number];
    feature sides[2] = {surface_feature(&c->pieces, pair->kind[0], pair->number[0])};
    size_t low = 0, high = c->before_count;
    if (surface_pair_has_shape(pair)) {
        sides[1].side = (cdg_contact_side){.kind = (cdg_side_kind)pair->kind[1], .object = pair->number[1]};
    } else {
        surface_pair_sides(&c->pieces, pair, sides);
    }
    const cdg_contact_side wanted[2] = {sides[0].side, sides[1].side};
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (contact_compare_sides(c->before[middle].side, wanted) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void find_part(void *user, size_t index, int thread) {
    const partition *w = user;
    cdg_contact_part *part = &w->all->c->parts[index];
    cdg_contacts own = *w->all->c;
    finding it = *w->all;
    size_t count = own.surface_near.watched_count;
    size_t first = count * index / w->part_count, end = count * (index + 1) / w->part_count;
    (void)thread;
    own.list = part->list, own.count = 0, own.capacity = part->capacity, own.is_stuck = false;
    it.c = &own;
    it.from = first_before(&it, own.surface_near.watched[first]);
    part->result = CDG_OK;
    for (size_t i = first; i < end && part->result == CDG_OK; i++) {
        uint32_t number = own.surface_near.watched[i];
        if (own.surface_near.pairs[number].is_due)
            part->result = find_of_pair(&it, number, i, w->is_again, &part->error);
    }
    part->list = own.list, part->count = own.count, part->capacity = own.capacity;
    part->is_stuck = own.is_stuck, part->stuck = own.stuck;
}

// Where all of many pairs are examined.
static bool is_worth_parts(const cdg_contacts *c) {
    return c->threads > 1 && !c->spots.is_partial && c->surface_near.watched_count >= PARTS_WORTH * PAIRS_OF_PART;
}

static cdg_result find_in_parts(const finding *it, bool is_again, cdg_error *error) {
    cdg_contacts *c = it->c;
    partition work = {it, is_again, c->surface_near.watched_count / PAIRS_OF_PART};
    if (work.part_count > CDG_CONTACT_PARTS) work.part_count = CDG_CONTACT_PARTS;
    if (c->parts == NULL) c->parts = calloc(CDG_CONTACT_PARTS, sizeof *c->parts);
    if (c->parts == NULL) return cdg_fail(error, CDG_ERROR_MEMORY, "no memory for contacts");
    cdg_parallel_for(work.part_count, c->threads, find_part, &work);
    return cdg_contacts_join_parts(c, work.part_count, error);
}

cdg_result cdg_contacts_find_surfaces(cdg_contacts *c, const cdg_contact_input *input, bool is_first,
                                      cdg_error *error) {
    if (c->pieces.surfaces.count == 0) return CDG_OK;
    finding it = {.c = c, .input = input, .is_first = is_first, .aimed = contacts_are_plain(c) ? aimed_share : 0};
    bool is_again = false;
    cdg_result result = cdg_surface_watch(c, input, is_first, &is_again, error);
    if (result != CDG_OK) return result;
    return is_worth_parts(c) ? find_in_parts(&it, is_again, error) : find_in_order(&it, is_again, error);
}

// ---- the start ------------------------------------------------------------------------------------------------------

// Whether an edge, or a segment, goes through a triangle that it shares no corner with.
static bool goes_through(const cdg_pieces *p, const feature *edge, const feature *t, cdg_contact *out) {
    cdg_vec3 x[3], y[3];
    read_points(t, p->start, x);
    read_points(edge, p->start, y);
    for (int m = 0; m < 6; m++)
        if (edge->point[m % 2] == t->point[m / 2]) return false;
    cdg_triangle_closest near = cdg_segment_triangle_closest(y[0], y[1], x);
    if (near.distance2 > 1e-24 * vec3_dot(vec3_sub(y[1], y[0]), vec3_sub(y[1], y[0]))) return false;
    *out = (cdg_contact){.side = {t->side, edge->side},
                         .point = {vec3(near.weights[0], near.weights[1], near.weights[2])}};
    return true;
}

cdg_result cdg_contacts_find_crossing(cdg_contacts *c, bool *crosses, cdg_contact *out, cdg_error *error) {
    const cdg_pieces *p = &c->pieces;
    const cdg_surfaces *s = &p->surfaces;
    const cdg_box_finder *finder = &c->surface_pairs.finder;
    *crosses = false;
    if (s->count == 0) return CDG_OK;
    cdg_result result = cdg_surface_pairs_find_meeting(&c->surface_pairs, p, error);
    for (size_t i = 0; i < finder->pair_count && result == CDG_OK; i++)
        for (int turned = 0; turned < 2; turned++) {
            uint32_t a = finder->pairs[i].a, b = finder->pairs[i].b;
            uint32_t triangle = turned ? b : a, other = turned ? a : b;
            if (triangle >= s->triangle_count) continue;
            feature t = surface_feature(p, CDG_SIDE_TRIANGLE, triangle);
            bool is_segment = other >= s->triangle_count;
            if (is_segment && pieces_pass(p, other - (uint32_t)s->triangle_count, triangle)) continue;
            for (int k = 0; k < (is_segment ? 1 : 3); k++) {
                feature edge = is_segment ? segment_feature(p, other - (uint32_t)s->triangle_count, true, 0)
                                          : surface_feature(p, CDG_SIDE_EDGE, s->triangles[other].edge[k]);
                *crosses = goes_through(p, &edge, &t, out);
                if (*crosses) return CDG_OK;
            }
        }
    return result;
}
