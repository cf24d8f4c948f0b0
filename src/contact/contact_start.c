// What lies in each other at the start of a step, and in a candidate: told of, or pushed apart.
#include "base/error.h"
#include "contact/contacts.h"
#include "contact/shape_motion.h"

#include <stdio.h>
#include <string.h>

static bool are_same_things(const cdg_contact *a, const cdg_contact *b) {
    for (int k = 0; k < 2; k++)
        if (a->side[k].kind != b->side[k].kind || a->side[k].object != b->side[k].object) return false;
    return true;
}

// Of the radius. Steps may leave overlaps of a tenth of a per cent, and shapes that are drawn to touch overlap by
// rounding: neither is refused.
static const double overlap_share = 1e-2;
static bool is_overlap(const cdg_contact *contact) {
    return contact->side[0].kind != CDG_SIDE_BODY && contact->gap < -overlap_share * contact->radius;
}

// In radii: things that were pushed apart count as free once their overlap is what contact may leave. Contact removes
// the last bit in one step (least_depth in contact_find.c), which is still part of the pushing.
static const double parted_share = 1.5e-3;

// Another check reports a rod that is bent so sharply at the start.
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
        if (is_its && contact->clearance < -parted_share * contact->radius) return true;
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

static bool is_excused(const cdg_contact_input *input, const cdg_contact *contact) {
    if (input->def->separates) return true;
    // A block that stands on a table: its mesh may touch, though its surface has a thickness.
    if (contact_is_wide(contact) && contact->gap >= -(1 + overlap_share) * contact->radius) return true;
    for (int k = 0; k < 2 && input->may_overlap != NULL; k++)
        if (contact->side[k].kind == CDG_SIDE_SEGMENT && input->may_overlap[contact->side[k].object]) return true;
    return false;
}

// Other things that lie in each other: one point of each pair, three pairs at most, the rest by number.
static void tell_others(const cdg_contacts *c, size_t count, const cdg_contact_input *input, const cdg_contact *worst,
                        char *out, size_t size) {
    enum { TOLD_MAX = 3 };
    const cdg_contact *told[TOLD_MAX];
    size_t told_count = 0, more = 0, used = 0;
    out[0] = '\0';
    for (size_t i = 0; i < count; i++) {
        const cdg_contact *contact = &c->list[i];
        if (!is_overlap(contact) || is_excused(input, contact) || are_same_things(contact, worst)) continue;
        bool is_told = false;
        for (size_t k = 0; k < told_count; k++) is_told = is_told || are_same_things(contact, told[k]);
        if (is_told) continue;
        if (told_count == TOLD_MAX) {
            more++;
            continue;
        }
        char one[160], other[160];
        cdg_contact_describe(c, &contact->side[0], input->obstacles, one, sizeof one);
        cdg_contact_describe(c, &contact->side[1], input->obstacles, other, sizeof other);
        if (used < size)
            used += (size_t)snprintf(out + used, size - used, "%s%s in %s", told_count == 0 ? "; likewise " : ", ", one,
                                     other);
        told[told_count++] = contact;
    }
    if (more > 0 && used < size) snprintf(out + used, size - used, " and others");
}

// Says what lies in what.
static cdg_result fail_start(const cdg_contacts *c, size_t count, const cdg_contact_input *input,
                             const cdg_contact *worst, bool crosses, cdg_error *error) {
    const cdg_pieces *p = &c->pieces;
    char one[160], other[160], others[400];
    tell_others(c, count, input, worst, others, sizeof others);
    cdg_contact_describe(c, &worst->side[0], input->obstacles, one, sizeof one);
    cdg_contact_describe(c, &worst->side[1], input->obstacles, other, sizeof other);
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

cdg_result cdg_contacts_check_start(cdg_contacts *c, const cdg_contact_input *input, cdg_error *error) {
    const cdg_pieces *p = &c->pieces;
    memcpy(p->next, p->start, p->point_count * sizeof *p->next);
    cdg_contact_input still = *input;
    still.time = input->time - input->step;
    still.step = 0;
    cdg_result result = cdg_contacts_find(c, &still, true, error);
    memcpy(p->next, p->free, p->point_count * sizeof *p->next);
    if (result != CDG_OK) return result;
    cdg_contact crossing, *worst = NULL;
    for (size_t i = 0; i < c->count; i++) {
        cdg_contact *contact = &c->list[i];
        if (!is_overlap(contact) || is_kink(p, contact)) continue;
        if (is_excused(input, contact)) {
            c->is_parting = true;
            continue;
        }
        if (worst == NULL || contact->gap / contact->radius < worst->gap / worst->radius) worst = contact;
    }
    bool crosses;
    result = cdg_contacts_find_crossing(c, &crosses, &crossing, error);
    if (result != CDG_OK) return result;
    size_t count = c->count;
    c->count = 0;
    if (worst == NULL && !crosses) return CDG_OK;
    if (crosses) worst = &crossing;
    return fail_start(c, count, input, worst, crosses, error);
}
