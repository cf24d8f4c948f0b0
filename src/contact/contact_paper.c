// Spillmann, CORDE (2008), 5.2.5 to 5.2.8. With h_ij the weights of corner j in the place of T that point i has passed,
// c_i = 1/(1 + sum of h_ji), S_i = sum of c_j h_ij m_j and alpha_i = S_i/(c_i m_i + S_i), the force on i is
// (m_i/step^2) alpha_i d_i and friction. The post-correction takes half of it and gives the other half of T's share
// back: f_i - sum of h_ki f_k, over two. That is what the proof of (5.32) sums up; as (5.31) is printed, a corner's own
// force would be halved once for every triangle that the corner belongs to. So each collision pushes its point with
// half of its force and T with the opposite, by weights, and momentum is kept to rounding.
//
// What never moves has infinite mass. An obstacle has no points that collide, so that nothing would make up for the
// half: there all of the force acts.
#include "contact/contact_paper.h"

#include "contact/paper_collisions.h"

#include <string.h>

double cdg_paper_stiffness(double c, double own, double others) {
    bool is_held = !(own < HUGE_VAL), is_on_held = !(others < HUGE_VAL);
    if (is_held && is_on_held) return 0;
    if (is_on_held) return own;
    if (is_held) return others / c;
    return own * others / (c * own + others);
}

static double mass_over_step2(const cdg_pieces *p, uint32_t point) {
    return p->give[point] > 0 ? 1 / p->give[point] : HUGE_VAL;
}

static void weights_of(const cdg_contact *contact, double w[3]) {
    w[0] = contact->point[1].x, w[1] = contact->point[1].y, w[2] = contact->point[1].z;
}

// The collision's point and T's corners; `corner` of a shape: none, and false.
static bool points_of(const cdg_pieces *p, const cdg_contact *contact, uint32_t *point, uint32_t corner[3]) {
    uint32_t own[3];
    cdg_surface_points(p, &contact->side[0], own, NULL);
    *point = own[0];
    if (contact->side[1].kind != CDG_SIDE_TRIANGLE) return false;
    cdg_surface_points(p, &contact->side[1], corner, NULL);
    return true;
}

// Adds the weights of the collisions first .. end - 1 to their corners' columns, or takes them out.
static void sum_columns(cdg_contacts *c, size_t first, size_t end, bool is_in) {
    for (size_t i = first; i < end; i++) {
        uint32_t point, corner[3];
        double w[3];
        weights_of(&c->list[i], w);
        if (!points_of(&c->pieces, &c->list[i], &point, corner)) continue;
        for (int k = 0; k < 3; k++) c->paper.column[corner[k]] = is_in ? c->paper.column[corner[k]] + w[k] : 0;
    }
}

// N: what presses the point into the surface, all that acts on it but contact (5.2.7: in place of the contact force).
static double pressing_force(const cdg_pieces *p, uint32_t point, cdg_vec3 normal, double step) {
    if (!(p->give[point] > 0)) return 0;
    cdg_vec3 way = vec3_mad(vec3_sub(p->free[point], p->start[point]), -step, p->velocity[point]);
    return fmax(0, -vec3_dot(normal, way) / p->give[point]);
}

// m: how far the point goes along the surface in the candidate.
static cdg_vec3 slip_of(const cdg_pieces *p, const cdg_contact *contact, uint32_t point, const uint32_t corner[3],
                        bool has_corners) {
    double w[3];
    weights_of(contact, w);
    cdg_vec3 way = vec3_sub(vec3_sub(p->free[point], p->start[point]), contact->carried);
    for (int k = 0; k < 3 && has_corners; k++)
        way = vec3_mad(way, -w[k], vec3_sub(p->free[corner[k]], p->start[corner[k]]));
    return vec3_mad(way, -vec3_dot(way, contact->normal), contact->normal);
}

static void push_apart(cdg_contacts *c, cdg_contact *contact, double step) {
    cdg_pieces *p = &c->pieces;
    const double *column = c->paper.column;
    uint32_t point, corner[3];
    double w[3], others = HUGE_VAL;
    bool has_corners = points_of(p, contact, &point, corner);
    weights_of(contact, w);
    if (has_corners) others = 0;
    for (int k = 0; k < 3 && has_corners; k++)
        if (w[k] > 0) others += w[k] / (1 + column[corner[k]]) * mass_over_step2(p, corner[k]);
    double stiffness = cdg_paper_stiffness(1 / (1 + column[point]), mass_over_step2(p, point), others);
    cdg_vec3 force = vec3_scale(-stiffness * contact->gap, contact->normal);
    cdg_vec3 rub = vec3_scale(-stiffness, slip_of(p, contact, point, corner, has_corners));
    double most = contact->friction * pressing_force(p, point, contact->normal, step), size = vec3_norm(rub);
    contact->sticks = size <= most;
    if (!contact->sticks) rub = vec3_scale(most / size, rub);
    contact->force = vec3_scale(has_corners ? 0.5 : 1, vec3_add(force, rub));
    p->force[point] = vec3_add(p->force[point], contact->force);
    for (int k = 0; k < 3 && has_corners; k++)
        p->force[corner[k]] = vec3_mad(p->force[corner[k]], -w[k], contact->force);
}

// m: how far the collision's point and the place that it has passed have been moved apart.
static double parted_by(const cdg_pieces *p, const cdg_contact *contact) {
    uint32_t point, corner[3];
    double w[3];
    weights_of(contact, w);
    bool has_corners = points_of(p, contact, &point, corner);
    cdg_vec3 way = vec3_sub(p->next[point], p->free[point]);
    for (int k = 0; k < 3 && has_corners; k++)
        way = vec3_mad(way, -w[k], vec3_sub(p->next[corner[k]], p->free[corner[k]]));
    return vec3_dot(way, contact->normal);
}

// Of one pair of objects, which have a matrix of weights of their own.
static bool are_same_pair(const cdg_contact *a, const cdg_contact *b) {
    if (a->side[1].kind != b->side[1].kind) return false;
    uint32_t one[2] = {a->side[0].object, a->side[1].object}, other[2] = {b->side[0].object, b->side[1].object};
    bool is_alike = one[0] == other[0] && one[1] == other[1];
    bool is_turned = a->side[1].kind == CDG_SIDE_TRIANGLE && one[0] == other[1] && one[1] == other[0];
    return is_alike || is_turned;
}

void cdg_paper_respond(cdg_contacts *c, const cdg_contact_input *input) {
    cdg_pieces *p = &c->pieces;
    memset(p->force, 0, p->point_count * sizeof *p->force);
    for (size_t first = 0, end = 0; first < c->count; first = end) {
        while (end < c->count && are_same_pair(&c->list[first], &c->list[end])) end++;
        sum_columns(c, first, end, true);
        for (size_t i = first; i < end; i++) push_apart(c, &c->list[i], input->step);
        sum_columns(c, first, end, false);
    }
    for (size_t k = 0; k < p->point_count; k++)
        if (p->give[k] > 0) p->next[k] = vec3_mad(p->free[k], p->give[k], p->force[k]);
    for (size_t i = 0; i < c->count; i++) {
        c->list[i].gap += parted_by(p, &c->list[i]);
        c->list[i].clearance = c->list[i].gap;
    }
}

// Deeper than this share of the search's reach it could soon be no longer told what a point has passed.
static const double lost_share = 0.5;

cdg_result cdg_contacts_answer_by_paper(cdg_contacts *c, const cdg_contact_input *input, cdg_contact_outcome *out,
                                        cdg_error *error) {
    out->worst = UINT32_MAX;
    cdg_result result = cdg_paper_find(c, input, &out->passes, error);
    if (result != CDG_OK) return result;
    cdg_paper_respond(c, input);
    out->rounds = 1;
    for (size_t i = 0; i < c->count; i++) {
        const cdg_contact *contact = &c->list[i];
        double depth = -contact->clearance / contact->radius;
        bool is_lost = contact->side[1].kind == CDG_SIDE_TRIANGLE && depth > lost_share * CDG_PAPER_REACH;
        out->passes = out->passes || is_lost;
        if (!(depth > out->deepest)) continue;
        out->deepest = depth;
        out->worst = (uint32_t)i;
    }
    return CDG_OK;
}
