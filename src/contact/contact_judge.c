// Judging contacts (contact_judge.h), part by part of their list: what counts is the worst of all, whoever finds it.
#include "contact/contact_judge.h"

#include "base/parallel.h"

#include <math.h>

// Of the radius: how far a force of an implicit rod may act, and penetrations of what is free.
static const double far_share = 0.1;
static const double crushed_share = 0.25, sunk_share = 0.02, rounding_share = 1e-6;
static const double passing_share = 1e-2; // at an impact
// Radii that something may come nearer in a step in which it bounces.
static const double approach_share = 1;

// Contacts of a part at least; so many parts are worth a second thread.
enum { PART_LEAST = 256, PARTS_WORTH = 4 };

typedef struct judgement {
    cdg_contact_shortfall worst;
    cdg_contact_outcome out;
} judgement;

typedef struct judging {
    const cdg_contacts *contacts;
    const cdg_contact_input *input;
    size_t part_count;
    judgement parts[CDG_CONTACT_PARTS];
} judging;

// Whether the primitive, of which no point is held, is pressed in deeper than this share of the radius, and deeper than
// it was by more than `more` of it. At `crushed_share` no force seems to keep it out: a few such steps and it would be
// on the other side. What is held may be so, unless a hand is to give way.
static bool is_pressed_in(const cdg_contacts *c, const cdg_contact_input *input, const cdg_contact *contact,
                          double share, double more) {
    const cdg_pieces *p = &c->pieces;
    uint32_t a = contact->side[0].element, point[3] = {p->ends[a][0], p->ends[a][1], CDG_STILL_POINT};
    if (contact->side[0].kind == CDG_SIDE_BODY || !(contact->clearance < -share * contact->radius)) return false;
    if (contact_is_wide(contact)) cdg_surface_points(p, &contact->side[0], point, NULL);
    for (int k = 0; k < 3; k++)
        if (point[k] != CDG_STILL_POINT && p->held[point[k]] && !input->parts_held) return false;
    return contact->clearance < fmin(-share * contact->radius, contact->gap_before - more * contact->radius);
}

// A step that is divided may press things in little by little: beyond `crushed_share` they may get no deeper at all,
// unless they lay in each other at the start and are on their way out.
static bool is_crushed(const cdg_contacts *c, const cdg_contact_input *input, const cdg_contact *contact) {
    double more = c->is_parting ? contact_promised_share : rounding_share;
    return is_pressed_in(c, input, contact, crushed_share, more);
}

// NaN counts for nothing.
static void raise(double *largest, double value) {
    if (value > *largest) *largest = value;
}

cdg_contact_shortfall cdg_contact_shortfall_of(const cdg_contacts *c, const cdg_contact *contact) {
    double deep = -contact->clearance / contact->radius, aim = -contact->target / contact->radius;
    if (!(aim > 0)) aim = 0;
    cdg_contact_shortfall out = {0, 0};
    raise(&out.missing, deep - aim);
    raise(&out.deep, deep - (aim > contact_promised_share ? aim : 0));
    // A force at a distance: the linear answer of an implicit object was off.
    if (c->coupling.has_implicit && vec3_dot(contact->force, contact->force) > 0) {
        double far = far_share * (contact->gap - contact->target) / contact->radius;
        raise(&out.missing, far);
        raise(&out.deep, far);
    }
    return out;
}

bool cdg_contact_passes(const cdg_contact *contact) {
    return contact->crosses || (contact->is_impact && contact->gap < -passing_share * contact->radius);
}

static void judge_one(const cdg_contacts *c, const cdg_contact_input *input, uint32_t number, judgement *j) {
    const cdg_contact *contact = &c->list[number];
    cdg_contact_outcome *out = &j->out;
    cdg_contact_shortfall off = cdg_contact_shortfall_of(c, contact);
    double deep = -contact->clearance / contact->radius;
    out->passes = out->passes || cdg_contact_passes(contact);
    out->is_hard = out->is_hard || (contact->restitution > 0 && contact->approach > approach_share * contact->radius);
    out->bounces = out->bounces || contact->restitution > 0;
    if (contact->clearance < -sunk_share * contact->radius) {
        out->is_sunk = out->is_sunk || is_pressed_in(c, input, contact, sunk_share, contact_promised_share);
        out->is_crushed = out->is_crushed || is_crushed(c, input, contact);
    }
    raise(&j->worst.missing, off.missing);
    raise(&j->worst.deep, off.deep);
    if (deep <= out->deepest) return;
    out->deepest = deep;
    out->worst = number;
}

static void judge_part(void *user, size_t index, int thread) {
    judging *all = user;
    size_t count = all->contacts->count, first = count * index / all->part_count;
    size_t end = count * (index + 1) / all->part_count;
    judgement own = {.out.worst = UINT32_MAX}; // others write beside it
    (void)thread;
    for (size_t i = first; i < end; i++) judge_one(all->contacts, all->input, (uint32_t)i, &own);
    all->parts[index] = own;
}

static void take_part(const judgement *part, judgement *all) {
    raise(&all->worst.missing, part->worst.missing);
    raise(&all->worst.deep, part->worst.deep);
    all->out.passes = all->out.passes || part->out.passes;
    all->out.is_hard = all->out.is_hard || part->out.is_hard;
    all->out.bounces = all->out.bounces || part->out.bounces;
    all->out.is_sunk = all->out.is_sunk || part->out.is_sunk;
    all->out.is_crushed = all->out.is_crushed || part->out.is_crushed;
    if (part->out.deepest <= all->out.deepest) return;
    all->out.deepest = part->out.deepest;
    all->out.worst = part->out.worst;
}

cdg_contact_shortfall cdg_contacts_judge(const cdg_contacts *c, const cdg_contact_input *input,
                                         cdg_contact_outcome *out) {
    judging all = {.contacts = c, .input = input, .part_count = 1 + c->count / PART_LEAST};
    if (all.part_count > CDG_CONTACT_PARTS) all.part_count = CDG_CONTACT_PARTS;
    cdg_parallel_for(all.part_count, all.part_count >= PARTS_WORTH ? c->threads : 1, judge_part, &all);
    judgement total = {.out = *out};
    total.out.deepest = 0;
    total.out.passes = total.out.is_crushed = total.out.is_sunk = total.out.bounces = false;
    total.out.is_stuck = c->is_stuck;
    total.out.worst = UINT32_MAX;
    for (size_t k = 0; k < all.part_count; k++) take_part(&all.parts[k], &total);
    *out = total.out;
    return total.worst;
}
