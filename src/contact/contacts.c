// A step of contact: rounds of finding and solving until nothing lies in or has passed through anything.
#include "contact/contacts.h"

#include "contact/contact_ahead.h"
#include "contact/contact_judge.h"
#include "contact/contact_lasting.h"
#include "contact/contact_paper.h"
#include "contact/contact_shock.h"

#include "base/error.h"
#include "base/parallel.h"
#include "contact/shape_motion.h"
#include "contact/surface_renew.h"
#include "math/vec3.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Lever arms at the base keep momentum, but where motions are long they are a poor guide to the candidate: the later
// rounds do without.
enum {
    ROUNDS_MAX = 30,
    ROUNDS_AT_BASE = 8,
    ROUNDS_FINE = 12,
    ROUNDS_FINE_IMPLICIT = 4,
    ROUNDS_FINE_MANY = 2,
    ROUNDS_FINE_SURFACES = 1
};
enum { MANY = 1000 }; // contacts
// Of the radius: penetration that ends the rounds, that ends them when they have become many or cost much (implicit
// rods are predicted anew in each; of many contacts a few are always off, so that each round more is dear). What is
// judged is what the step ends with, so that nothing has to be left for later.
static const double deepest_share = 2.5e-4, enough_share = 8e-4, enough_share_many = 9.5e-4;
enum { KEPT_PER_ELEMENT = 8, KEPT_PER_BODY = 16, KEPT_LEAST = 64 };
// Contacts that a thread takes at once; as many parts are worth a second one.
enum { KEPT_AT_ONCE = 256, PARTS_WORTH = 4 };
enum { NEAR_WORTH = 1000, KEPT_WORTH = 500, PAIRS_WORTH = 6000, ELEMENTS_WORTH = 8000, WATCHED_WORTH = 2000 };

// ---- memory ---------------------------------------------------------------------------------------------------------

size_t cdg_contacts_capacity(size_t element_count, size_t triangle_count, size_t body_count) {
    return KEPT_PER_ELEMENT * (element_count + triangle_count) + KEPT_PER_BODY * body_count + KEPT_LEAST;
}

cdg_result cdg_contacts_build(cdg_contacts *c, const cdg_proxy_list *list, cdg_error *error) {
    cdg_result result = cdg_pieces_build(&c->pieces, list, c->body_count, error);
    if (result != CDG_OK) return result;
    result = cdg_coupling_build(&c->coupling, &c->pieces, error);
    if (result != CDG_OK) return result;
    if (!cdg_idle_build(&c->idle, &c->pieces))
        return cdg_fail(error, CDG_ERROR_MEMORY, "no memory for contact of %zu rods", list->count);
    c->newton_capacity = 0; // there may be more elements
    surface_near_forget(&c->surface_near);
    free(c->boxes);
    free(c->boxed);
    free(c->again);
    free(c->bodies);
    c->bodies = calloc(c->body_count + 1, sizeof *c->bodies);
    c->again = malloc((list->count + 1) * sizeof *c->again);
    c->kept_capacity =
        cdg_contacts_capacity(c->pieces.element_capacity, c->pieces.surfaces.triangle_count, c->body_count);
    if (c->kept_count > c->kept_capacity) c->kept_count = c->kept_capacity;
    c->boxes = malloc((c->pieces.element_capacity + 1) * sizeof *c->boxes);
    c->boxed = malloc(c->pieces.point_capacity * sizeof *c->boxed);
    cdg_contact *kept = realloc(c->kept, c->kept_capacity * sizeof *c->kept);
    if (kept != NULL) c->kept = kept;
    if (c->boxes == NULL || c->boxed == NULL || c->again == NULL || kept == NULL || c->bodies == NULL)
        return cdg_fail(error, CDG_ERROR_MEMORY, "no memory for contact among %zu elements", c->pieces.element_count);
    return CDG_OK;
}

void cdg_contacts_resize(cdg_contacts *c, uint32_t object, size_t point_count, size_t segment_count) {
    c->pieces.objects[object].point_count = point_count;
    c->pieces.objects[object].segment_count = segment_count;
    cdg_coupled *coupled = &c->coupling.objects[object];
    if (c->pieces.objects[object].is_implicit && coupled->is_alone) coupled->size = point_count;
}

void cdg_contacts_renumber(cdg_contacts *c) {
    cdg_pieces_renumber(&c->pieces);
    surface_near_forget(&c->surface_near);
    cdg_idle_renumber(&c->idle, &c->pieces);
}

void cdg_contacts_free(cdg_contacts *c) {
    cdg_pieces_free(&c->pieces);
    cdg_coupling_free(&c->coupling);
    cdg_idle_free(&c->idle);
    free(c->again);
    free(c->bodies);
    cdg_box_finder_free(&c->finder);
    free(c->list);
    free(c->before);
    free(c->kept);
    free(c->rows);
    free(c->rows_before);
    cdg_row_memory_free(&c->lanes);
    cdg_sweeper_free(&c->sweeper);
    cdg_local_points_free(&c->local);
    cdg_contact_spots_free(&c->spots);
    free(c->touches);
    cdg_pair_gaps_free(&c->gaps);
    cdg_surface_pairs_free(&c->surface_pairs);
    cdg_surface_near_free(&c->surface_near);
    cdg_surface_renewals_free(c);
    cdg_paper_free(&c->paper);
    free(c->active);
    free(c->active_row);
    free(c->compliance);
    free(c->links);
    free(c->link_points);
    free(c->active_memory);
    free(c->dense_memory);
    cdg_contact_matrix_free(&c->touching);
    cdg_contact_sparse_free(&c->sparse);
    cdg_chain_matrix_free(&c->on_chains);
    cdg_newton_matrix_free(&c->matrix);
    free(c->normals);
    for (size_t k = 0; k < CDG_CONTACT_PARTS && c->parts != NULL; k++) free(c->parts[k].list);
    free(c->parts);
    free(c->newton_memory);
    free(c->newton_index);
    free(c->boxes);
    free(c->boxed);
    free(c->poses);
    free(c->swept);
    free(c->stood);
    *c = (cdg_contacts){0};
}

static bool reserve_lists(cdg_contacts *c) {
    if (c->kept_count > c->capacity) {
        cdg_contact *grown = realloc(c->list, c->kept_count * sizeof *grown);
        if (grown == NULL) return false;
        c->list = grown;
        c->capacity = c->kept_count;
    }
    return true;
}

// ---- objects that are solved as a whole -----------------------------------------------------------------------------

static cdg_vec3 vector_at(double *const arrays[3], size_t i) { return vec3(arrays[0][i], arrays[1][i], arrays[2][i]); }

// How many primitives of a side's kind its object has.
static size_t primitive_count(const cdg_pieces *p, const cdg_contact_side *side) {
    const cdg_surfaces *s = &p->surfaces;
    switch (side->kind) {
    case CDG_SIDE_SEGMENT: return p->objects[side->object].segment_count;
    case CDG_SIDE_VERTEX: return s->first_vertex[side->object + 1] - s->first_vertex[side->object];
    case CDG_SIDE_EDGE: return s->first_edge[side->object + 1] - s->first_edge[side->object];
    case CDG_SIDE_TRIANGLE: return s->first_triangle[side->object + 1] - s->first_triangle[side->object];
    case CDG_SIDE_OBSTACLE:
    case CDG_SIDE_BODY: break;
    }
    return 0;
}

// The proxy of a kept contact's side; NULL: it is a shape, or the primitive is gone.
static const cdg_proxy *proxy_of(const cdg_pieces *p, const cdg_contact_side *side) {
    uint32_t object = contact_object(p, side);
    size_t count = contact_side_is_surface(side) ? p->surfaces.count : p->chain_count;
    if (object == UINT32_MAX || side->object >= count) return NULL;
    return side->primitive < primitive_count(p, side) ? &p->objects[object] : NULL;
}

// A kept contact's force on a segment, as it lies at the start of the step.
static void push_segment(cdg_pieces *p, const cdg_proxy *proxy, const cdg_contact_side *side, double s, cdg_vec3 force,
                         cdg_vec3 normal) {
    size_t j = side->primitive;
    uint32_t e = p->first_element[side->object] + side->primitive, i0 = p->ends[e][0], i1 = p->ends[e][1];
    cdg_vec3 edge = vec3_sub(vector_at(proxy->now, proxy_next_point(proxy, j)), vector_at(proxy->now, j));
    cdg_vec3 axis = vec3_normalize(edge), arm = vec3_scale(-pieces_radius(p, e, s), normal);
    arm = vec3_mad(arm, -vec3_dot(arm, axis), axis);
    cdg_vec3 couple = vec3_scale(vec3_dot(axis, force) / vec3_norm(edge), arm);
    p->force[i0] = vec3_add(p->force[i0], vec3_add(vec3_scale(1 - s, force), couple));
    p->force[i1] = vec3_add(p->force[i1], vec3_sub(vec3_scale(s, force), couple));
    p->torque[e] += vec3_dot(vec3_cross(axis, arm), force);
}

// Of a kept contact's force on one of its sides, what the object is predicted with: all of it where it is solved as a
// whole, else what lasts.
static cdg_vec3 load_of(const cdg_proxy *proxy, const cdg_contact *contact, int i) {
    if (proxy->is_loaded_slowly) return contact->lasting[i];
    double force = vec3_norm(contact->force), share = force > contact->warm_start ? contact->warm_start / force : 1;
    cdg_vec3 on_side = vec3_scale(i == 0 ? 1 : -1, contact->force);
    return proxy->is_loaded ? vec3_scale(share, on_side) : on_side;
}

static void push(cdg_pieces *p, const cdg_contact *contact, int i) {
    const cdg_contact_side *side = &contact->side[i];
    const cdg_proxy *proxy = proxy_of(p, side);
    if (!(proxy->is_implicit || proxy->is_loaded)) return;
    cdg_vec3 force = load_of(proxy, contact, i), normal = vec3_scale(i == 0 ? 1 : -1, contact->normal);
    if (side->kind == CDG_SIDE_SEGMENT) {
        push_segment(p, proxy, side, contact->parameter[i], force, normal);
        return;
    }
    uint32_t point[3];
    const double w[3] = {contact->point[i].x, contact->point[i].y, contact->point[i].z};
    cdg_surface_points(p, side, point, NULL);
    for (int k = 0; k < 3; k++)
        if (point[k] != CDG_STILL_POINT) p->force[point[k]] = vec3_mad(p->force[point[k]], w[k], force);
}

// Where a kept contact's first side is now.
static cdg_vec3 point_of_first(const cdg_pieces *p, const cdg_contact *contact) {
    const cdg_contact_side *side = &contact->side[0];
    const cdg_proxy *proxy = proxy_of(p, side);
    cdg_vec3 position = {0, 0, 0};
    if (proxy == NULL) return position;
    if (side->kind == CDG_SIDE_SEGMENT) {
        size_t j = side->primitive;
        return vec3_lerp(vector_at(proxy->now, j), vector_at(proxy->now, proxy_next_point(proxy, j)),
                         contact->parameter[0]);
    }
    uint32_t point[3], local[3];
    const double w[3] = {contact->point[0].x, contact->point[0].y, contact->point[0].z};
    cdg_surface_points(p, side, point, local);
    for (int k = 0; k < 3; k++)
        if (point[k] != CDG_STILL_POINT)
            position = vec3_mad(position, w[k], vector_at(proxy->now, proxy_node(proxy, local[k])));
    return position;
}

// m/s: how fast an obstacle's surface moves where a kept contact is, in the step.
static cdg_vec3 surface_velocity(const cdg_pieces *p, const cdg_contact_input *input, const cdg_contact *contact) {
    uint32_t index = contact->side[1].object;
    if (index >= input->obstacle_count || !(input->step > 0)) return vec3(0, 0, 0);
    const cdg_obstacle *obstacle = &input->obstacles[index];
    cdg_pose from = cdg_obstacle_pose(obstacle, input->time - input->step);
    cdg_pose to = cdg_obstacle_pose(obstacle, input->time);
    cdg_vec3 at = point_of_first(p, contact);
    return vec3_scale(1 / input->step, vec3_sub(carry(at, &from, &to), at));
}

// How fast a kept contact's side moves against its normal.
static double approach_of(const cdg_pieces *p, const cdg_contact_input *input, const cdg_contact *contact, int i) {
    const cdg_contact_side *side = &contact->side[i];
    const cdg_proxy *proxy = proxy_of(p, side);
    if (side->kind == CDG_SIDE_OBSTACLE) return -vec3_dot(contact->normal, surface_velocity(p, input, contact));
    if (proxy == NULL) return 0;
    if (side->kind == CDG_SIDE_SEGMENT) {
        size_t j = side->primitive;
        cdg_vec3 from = vector_at(proxy->velocity, j), to = vector_at(proxy->velocity, proxy_next_point(proxy, j));
        return -vec3_dot(contact->normal, vec3_lerp(from, to, contact->parameter[i]));
    }
    uint32_t point[3], local[3];
    const double w[3] = {contact->point[i].x, contact->point[i].y, contact->point[i].z};
    cdg_surface_points(p, side, point, local);
    cdg_vec3 velocity = {0, 0, 0};
    for (int k = 0; k < 3; k++)
        if (point[k] != CDG_STILL_POINT)
            velocity = vec3_mad(velocity, w[k], vector_at(proxy->velocity, proxy_node(proxy, local[k])));
    return -vec3_dot(contact->normal, velocity);
}

static void want_response(const cdg_contacts *c, uint32_t index, cdg_contact_state state) {
    cdg_coupled *coupled = coupling_of(&c->coupling, &c->pieces, index);
    coupled->wants_response = state != CDG_CONTACT_NONE;
    coupled->has_response = false;
    if (state == CDG_CONTACT_NONE || state > coupled->state) coupled->state = state;
}

// What a kept contact is to objects that are solved as a whole. What yields is to gain in the step what the object
// loses, which integrators that look back do not promise.
static cdg_contact_state state_of(const cdg_pieces *p, const cdg_contact_input *input, const cdg_contact *contact) {
    double resting_speed = 2 * vec3_norm(input->gravity) * input->step; // what gravity gives in two steps
    for (int k = 0; k < 2; k++)
        if (contact->side[k].kind == CDG_SIDE_OBSTACLE) {
            double approach = approach_of(p, input, contact, 0) - approach_of(p, input, contact, 1);
            return approach > resting_speed ? CDG_CONTACT_STRIKES : CDG_CONTACT_RESTS;
        }
    return CDG_CONTACT_STRIKES;
}

void cdg_contacts_begin(cdg_contacts *c, const cdg_contact_input *input) {
    cdg_pieces *p = &c->pieces;
    if (!c->coupling.has_implicit && !p->has_loaded) return;
    if (c->idle.is_quiet && c->kept_count == 0) return;
    memset(p->force, 0, p->point_count * sizeof *p->force);
    memset(p->torque, 0, (p->element_count + 1) * sizeof *p->torque);
    for (uint32_t i = 0; i < p->object_count; i++) want_response(c, i, CDG_CONTACT_NONE);
    for (size_t i = 0; i < c->kept_count; i++) {
        const cdg_contact *contact = &c->kept[i];
        cdg_contact_state state = c->coupling.has_implicit ? state_of(p, input, contact) : CDG_CONTACT_RESTS;
        for (int k = 0; k < 2; k++) {
            if (proxy_of(p, &contact->side[k]) == NULL) continue;
            push(p, contact, k);
            want_response(c, contact_object(p, &contact->side[k]), state);
        }
    }
}

// Those that are listed are to be predicted again, with the forces as they are.
static void want_again(cdg_contacts *c, size_t count) {
    c->again_count = count;
    for (size_t i = 0; i < count; i++) {
        cdg_contact_state state = coupling_of(&c->coupling, &c->pieces, c->again[i])->state;
        want_response(c, c->again[i], state == CDG_CONTACT_NONE ? CDG_CONTACT_STRIKES : state);
    }
}

static void reload_again(cdg_contacts *c, double step) {
    for (size_t i = 0; i < c->again_count; i++)
        for (uint32_t k = c->again[i]; k != UINT32_MAX; k = c->coupling.objects[k].next)
            cdg_pieces_reload(&c->pieces, k, step), c->coupling.objects[k].is_new = true;
    c->again_count = 0;
    c->again_bodies = false;
}

// Bodies with welds that something is near: how they give way is to be found.
static bool want_bodies(cdg_contacts *c) {
    bool is_any = false;
    for (size_t i = 0; i < c->count; i++)
        for (int k = 0; k < 2; k++) {
            const cdg_contact_side *side = &c->list[i].side[k];
            cdg_body_piece *body = side->kind == CDG_SIDE_BODY ? &c->bodies[side->object] : NULL;
            if (body == NULL || !body->is_welded || body->has_response || body->wants_response) continue;
            body->wants_response = is_any = true;
        }
    return is_any;
}

// Objects that have contacts but no response yet.
static size_t list_unanswered(cdg_contacts *c) {
    const cdg_pieces *p = &c->pieces;
    if (!c->coupling.has_implicit) return 0;
    for (size_t i = 0; i < p->object_count; i++) c->coupling.objects[i].is_listed = false;
    for (size_t i = 0; i < c->count; i++)
        for (int k = 0; k < 2; k++) {
            uint32_t object = contact_object(p, &c->list[i].side[k]);
            if (object != UINT32_MAX) coupling_of(&c->coupling, p, object)->is_listed = true;
        }
    size_t count = 0;
    for (uint32_t i = 0; i < p->object_count; i++) {
        const cdg_proxy *proxy = &p->objects[i];
        const cdg_coupled *coupled = coupling_of(&c->coupling, p, i);
        if (!proxy->is_implicit || !coupled->is_listed || coupled->has_response) continue;
        if (proxy->lead == i) c->again[count++] = i;
        proxy->operations->restart(proxy->object);
    }
    return count;
}

static bool is_same(cdg_vec3 a, cdg_vec3 b) { return a.x == b.x && a.y == b.y && a.z == b.z; }

static bool is_changed(const cdg_pieces *p, uint32_t i) {
    for (uint32_t n = p->first_node[i]; n < p->first_node[i + 1]; n++)
        if (!is_same(p->force[p->point_of[n]], p->force_before[p->point_of[n]])) return true;
    for (uint32_t e = p->first_element[i]; e < p->first_element[i + 1]; e++)
        if (p->torque[e] != p->torque_before[e]) return true;
    return false;
}

// Objects on which the solver has changed forces, of those that are solved together their lead.
static size_t list_changed(cdg_contacts *c) {
    const cdg_pieces *p = &c->pieces;
    size_t count = 0;
    for (uint32_t i = 0; i < p->object_count && c->coupling.has_implicit; i++) {
        if (!p->objects[i].is_implicit || p->objects[i].lead != i) continue;
        bool is_any = false;
        for (uint32_t k = i; k != UINT32_MAX && !is_any; k = c->coupling.objects[k].next) is_any = is_changed(p, k);
        if (is_any) c->again[count++] = i;
    }
    return count;
}

// ---- a step ---------------------------------------------------------------------------------------------------------

// Rounds that aim at more than is promised: few. Those of surfaces list and solve for much that carries nothing.
static int fine_rounds(const cdg_contacts *c) {
    if (c->coupling.has_implicit) return c->count > MANY ? ROUNDS_FINE_MANY : ROUNDS_FINE_IMPLICIT;
    if (contacts_are_plain(c)) return ROUNDS_FINE_SURFACES;
    return c->count > MANY ? ROUNDS_FINE_MANY : ROUNDS_FINE;
}

// Whether the round may be the last by that.
static bool is_enough(const cdg_contacts *c, cdg_contact_shortfall left) {
    bool is_dear = c->count > MANY && c->coupling.has_implicit && c->pieces.surfaces.count == 0;
    double enough = is_dear ? enough_share_many : enough_share;
    return c->round < fine_rounds(c) ? left.missing <= deepest_share : left.deep <= enough;
}

// Whether what is found needs no further solve.
static bool is_settled(const cdg_contacts *c, const cdg_contact_outcome *out) {
    if (c->is_moved && c->count > 0 && c->round < ROUNDS_MAX - 1) return false;
    if (c->is_solved && !out->passes && is_enough(c, c->left)) return true;
    // What is judged is what is left. Candidates that were made with forces of contacts that are gone need a solve.
    bool is_free = c->count == 0 && (c->is_solved || c->kept_count == 0);
    return is_free || c->round == ROUNDS_MAX - 1;
}

// Which contacts the rounds still go on for.
static void mark_off(const cdg_contacts *c) {
    for (size_t i = 0; i < c->count && c->coupling.has_implicit; i++) {
        cdg_contact *contact = &c->list[i];
        contact->is_off =
            !c->is_solved || cdg_contact_passes(contact) || !is_enough(c, cdg_contact_shortfall_of(c, contact));
    }
}

cdg_result cdg_contacts_continue(cdg_contacts *c, const cdg_contact_input *input, cdg_contact_outcome *out,
                                 cdg_error *error) {
    reload_again(c, input->step);
    for (; c->round < ROUNDS_MAX; c->round++) {
        out->rounds = c->round;
        if (c->coupling.has_implicit && !cdg_contact_spots_take_changed(c))
            return cdg_fail(error, CDG_ERROR_MEMORY, "no memory for %zu contacts", c->count);
        cdg_result result = cdg_contacts_find(c, input, c->round == 0, error);
        if (result != CDG_OK) return result;
        c->left = cdg_contacts_judge(c, input, out);
        if (c->ahead == 0 && !c->is_guessed && is_settled(c, out)) {
            out->is_squeezed = cdg_contacts_hold(c, input->step);
            if (!out->is_squeezed || c->round == ROUNDS_MAX - 1) return CDG_OK;
            continue;
        }
        if (cdg_contacts_are_ahead_enough(c)) {
            want_again(c, cdg_contacts_list_ahead(c, 0));
            c->round++;
            return CDG_OK;
        }
        want_again(c, list_unanswered(c));
        c->again_bodies = want_bodies(c);
        if (c->again_count == 0 && !c->again_bodies) {
            if (cdg_contacts_are_dense(c)) cdg_contacts_thin(c, c->round == 0);
            mark_off(c);
            int sweeps = cdg_contacts_solve(c, c->round < ROUNDS_AT_BASE || contacts_are_of_solids(c));
            if (sweeps < 0) return cdg_fail(error, CDG_ERROR_MEMORY, "no memory for %zu contacts", c->count);
            out->iterations += sweeps;
            c->is_solved = true;
            c->is_moved = c->is_guessed = false;
            cdg_body_pieces_touch(&c->pieces, c->bodies, input->step);
            size_t changed = list_changed(c);
            if (cdg_contacts_go_ahead(c, changed)) continue;
            want_again(c, cdg_contacts_list_ahead(c, changed));
            c->again_bodies = cdg_body_pieces_change(&c->pieces, c->bodies);
        }
        if (c->again_count == 0 && !c->again_bodies) {
            cdg_contacts_hold(c, input->step);
            continue;
        }
        c->round++;
        return CDG_OK;
    }
    return CDG_OK;
}

// Bodies on which forces acted in the step before are taken to be touched from the start.
static void mark_touched(cdg_contacts *c) {
    for (size_t i = 0; i < c->body_count; i++) {
        cdg_body_piece *body = &c->bodies[i];
        body->is_touched = body->wants_response = body->has_response = false;
        body->force = body->torque = vec3(0, 0, 0);
    }
    for (size_t i = 0; i < c->kept_count; i++)
        for (int k = 0; k < 2; k++) {
            const cdg_contact_side *side = &c->kept[i].side[k];
            if (side->kind == CDG_SIDE_BODY && side->object < c->body_count) c->bodies[side->object].is_touched = true;
        }
}

// Whether the step is worth a second thread, by what the last one found: where loops are short, what another thread
// has in its cache costs more than it saves.
static bool is_much(const cdg_contacts *c) {
    return c->gaps.near_count >= NEAR_WORTH || c->kept_count >= KEPT_WORTH || c->finder.pair_count >= PAIRS_WORTH ||
           c->pieces.element_count >= ELEMENTS_WORTH || c->surface_near.watched_count >= WATCHED_WORTH;
}

static void take_part(void *user, size_t index, int thread) {
    cdg_contacts *c = user;
    size_t first = KEPT_AT_ONCE * index, end = first + KEPT_AT_ONCE;
    (void)thread;
    for (size_t i = first; i < end && i < c->kept_count; i++) {
        c->list[i] = c->kept[i];
        c->list[i].warm_start = vec3_norm(c->kept[i].force);
    }
}

// The list begins as the last step left it.
static void take_kept(cdg_contacts *c) {
    size_t parts = (c->kept_count + KEPT_AT_ONCE - 1) / KEPT_AT_ONCE;
    cdg_parallel_for(parts, parts >= PARTS_WORTH ? c->threads : 1, take_part, c);
    c->count = c->kept_count;
}

static void start(cdg_contacts *c, cdg_contact_outcome *out) {
    *out = (cdg_contact_outcome){.worst = UINT32_MAX};
    c->again_count = 0;
    c->again_bodies = false;
    c->idle.is_quiet = false;
    mark_touched(c);
}

bool cdg_contacts_skip(cdg_contacts *c, const cdg_contact_input *input, cdg_contact_outcome *out) {
    start(c, out);
    c->idle.is_quiet = cdg_contacts_are_idle(c, input);
    if (c->idle.is_quiet) c->count = 0;
    return c->idle.is_quiet;
}

cdg_result cdg_contacts_open(cdg_contacts *c, const cdg_contact_input *input, cdg_contact_outcome *out,
                             cdg_error *error) {
    start(c, out);
    c->pieces.threads = c->threads = is_much(c) ? c->thread_count : 1;
    cdg_pieces_load(&c->pieces, input->step);
    cdg_body_pieces_load(&c->pieces, c->bodies, input->step);
    if (!c->is_known_free) {
        cdg_result result = cdg_contacts_check_start(c, input, error);
        if (result != CDG_OK) return result;
        c->is_known_free = true;
    }
    c->left = (cdg_contact_shortfall){0, 0};
    if (input->def->response == CDG_RESPONSE_PAPER) return cdg_contacts_answer_by_paper(c, input, out, error);
    if (!reserve_lists(c)) return cdg_fail(error, CDG_ERROR_MEMORY, "no memory for contacts");
    take_kept(c);
    cdg_contacts_warm(c);
    cdg_shock_begin(c, input);
    c->round = c->ahead = 0;
    for (size_t i = 0; i < c->coupling.object_count; i++) {
        c->coupling.objects[i].is_ahead = false;
        c->coupling.objects[i].is_open = true;
    }
    c->is_solved = c->is_guessed = c->is_moved = false;
    return cdg_contacts_continue(c, input, out, error);
}

void cdg_contacts_close(cdg_contacts *c, const cdg_contact_input *input, cdg_contact_outcome *out, bool *touched) {
    if (c->idle.is_quiet) {
        memset(touched, 0, c->pieces.object_count * sizeof *touched);
        return;
    }
    for (size_t i = 0; i < c->count; i++) // those of bodies alone are not counted
        out->count += c->list[i].side[0].kind != CDG_SIDE_BODY && vec3_dot(c->list[i].force, c->list[i].force) > 0;
    out->has_acted = c->is_solved;
    out->is_deep = c->left.deep > contact_promised_share;
    cdg_shock_end(c, input);
    cdg_lasting_update(c, input);
    if (!out->passes) cdg_pieces_store(&c->pieces, input->step, touched);
}

// What the next step starts from, and no more: snapshots hold these members (snapshot.c).
static void keep_one(const cdg_contacts *c, const cdg_contact *contact, cdg_contact *kept) {
    *kept = (cdg_contact){.side = {contact->side[0], contact->side[1]},
                          .point = {contact->point[0], contact->point[1]},
                          .is_impact = contact->is_impact,
                          .sticks = contact->sticks,
                          .parameter = {contact->parameter[0], contact->parameter[1]},
                          .normal = contact->normal,
                          .gap = contact->clearance,
                          .radius = contact->radius,
                          .lasting = {cdg_lasting_force(c, contact, 0), cdg_lasting_force(c, contact, 1)},
                          .force = contact->force,
                          .warm_start = contact->warm_start,
                          .drift = contact->left};
    kept->side[0].element = kept->side[1].element = 0; // these numbers may change until then
}

typedef struct keeping {
    cdg_contacts *contacts;
    size_t part_count, first[CDG_CONTACT_PARTS]; // how many a part keeps, then where its first goes
} keeping;

static size_t part_begin(const keeping *k, size_t index) { return k->contacts->count * index / k->part_count; }

static void count_part(void *user, size_t index, int thread) {
    keeping *k = user;
    size_t count = 0;
    (void)thread;
    for (size_t i = part_begin(k, index); i < part_begin(k, index + 1); i++) {
        cdg_vec3 force = k->contacts->list[i].force;
        count += vec3_dot(force, force) != 0;
    }
    k->first[index] = count;
}

static void keep_part(void *user, size_t index, int thread) {
    const keeping *k = user;
    cdg_contacts *c = k->contacts;
    size_t next = k->first[index];
    (void)thread;
    for (size_t i = part_begin(k, index); i < part_begin(k, index + 1) && next < c->kept_capacity; i++)
        if (vec3_dot(c->list[i].force, c->list[i].force) != 0) keep_one(c, &c->list[i], &c->kept[next++]);
}

void cdg_contacts_keep(cdg_contacts *c) {
    if (c->count == 0) {
        c->kept_count = 0;
        return;
    }
    keeping k = {.contacts = c, .part_count = 1 + c->count / KEPT_AT_ONCE};
    if (k.part_count > CDG_CONTACT_PARTS) k.part_count = CDG_CONTACT_PARTS;
    int threads = k.part_count >= PARTS_WORTH ? c->threads : 1;
    cdg_parallel_for(k.part_count, threads, count_part, &k);
    size_t count = 0;
    for (size_t i = 0; i < k.part_count; i++) {
        size_t own = k.first[i];
        k.first[i] = count;
        count += own;
    }
    cdg_parallel_for(k.part_count, threads, keep_part, &k);
    c->kept_count = count < c->kept_capacity ? count : c->kept_capacity;
}

static void describe_surface(const cdg_pieces *p, const cdg_contact_side *side, const char *primitive, char *out,
                             size_t size) {
    const char *name = p->objects[p->chain_count + side->object].name;
    snprintf(out, size, "%s %u of the surface of '%.100s'", primitive, side->primitive, name);
}

void cdg_contact_describe(const cdg_contacts *c, const cdg_contact_side *side, const cdg_obstacle *obstacles, char *out,
                          size_t size) {
    const cdg_pieces *p = &c->pieces;
    switch (side->kind) {
    case CDG_SIDE_SEGMENT:
        snprintf(out, size, "element %u of rod '%.100s'", side->primitive, p->objects[side->object].name);
        break;
    case CDG_SIDE_OBSTACLE: snprintf(out, size, "obstacle '%.100s'", obstacles[side->object].name); break;
    case CDG_SIDE_BODY: snprintf(out, size, "body '%.100s'", c->bodies[side->object].body->name); break;
    case CDG_SIDE_VERTEX: describe_surface(p, side, "vertex", out, size); break;
    case CDG_SIDE_EDGE: describe_surface(p, side, "edge", out, size); break;
    case CDG_SIDE_TRIANGLE: describe_surface(p, side, "triangle", out, size); break;
    }
}
