// What of the contact forces lasts to the next step (contact_lasting.h).
//
// Loads are followed at points, not at contacts: when the point of contact moves on to the next segment, one contact
// loses a load that another gains, while the points keep theirs. They are then shared out to the contacts, because
// these are kept from step to step.
#include "contact/contact_lasting.h"

#include "math/vec3.h"

#include <string.h>

// Share of the pace at which loads are just stable.
static const double pace = 0.4;
// Across the normal, of that: friction that holds a sagging object along itself also holds its swing, by levers that
// make it as heavy as the square of them. (Measured: a quarter still swings where nothing else damps, an eighth rests.)
static const double pace_across = 0.1;

static bool is_slow(const cdg_pieces *p, const cdg_contact_side *side) {
    return side->kind == CDG_SIDE_SEGMENT && p->objects[side->object].is_loaded_slowly;
}

static const uint32_t *ends_of(const cdg_pieces *p, const cdg_contact_side *side) {
    return p->ends[p->first_element[side->object] + side->primitive];
}

// The share of the way that an object's loads go towards its forces in this step: one share for all of its points, so
// that loads are in the same proportion as the forces. The touched points carry the whole object; a point that is
// pressed by more than its share of that is taken to carry a mass of that weight.
static double share_of(const cdg_pieces *p, size_t index, double step, double gravity) {
    double mass = 0, touched = 0, least = 1;
    for (uint32_t n = p->first_node[index]; n < p->first_node[index + 1]; n++) {
        uint32_t k = p->point_of[n];
        if (!(p->give[k] > 0)) continue;
        double own = step * step / p->give[k], force2 = vec3_dot(p->force[k], p->force[k]);
        mass += own;
        if (!(force2 > 0)) continue;
        touched += own;
        double weight = own * gravity;
        if (weight > 0 && weight * weight < least * least * force2) least = weight / sqrt(force2);
    }
    return touched > 0 ? pace * fmin(least, touched / mass) : 0;
}

void cdg_lasting_update(const cdg_contacts *c, const cdg_contact_input *input) {
    const cdg_pieces *p = &c->pieces;
    double gravity = vec3_norm(input->gravity);
    if (!p->has_slow) return;
    for (size_t i = 0; i < p->object_count; i++) {
        if (p->objects[i].object == NULL || !p->objects[i].is_loaded_slowly) continue;
        double share = share_of(p, i, input->step, gravity);
        for (uint32_t n = p->first_node[i]; n < p->first_node[i + 1]; n++) {
            uint32_t k = p->point_of[n]; // no load moves what is held
            cdg_vec3 lag = p->give[k] > 0 ? vec3_sub(p->loaded[k], p->force[k]) : vec3(0, 0, 0);
            p->lag[k] = vec3_scale(1 - share, lag);
            p->lag_across[k] = vec3_scale(1 - pace_across * share, lag);
        }
    }
    memset(p->pressed, 0, p->point_count * sizeof *p->pressed);
    for (size_t i = 0; i < c->count; i++) {
        const cdg_contact *contact = &c->list[i];
        double force = vec3_norm(contact->force);
        for (int k = 0; k < 2 && force > 0; k++) {
            if (!is_slow(p, &contact->side[k])) continue;
            const uint32_t *end = ends_of(p, &contact->side[k]);
            p->pressed[end[0]] += (1 - contact->parameter[k]) * force;
            p->pressed[end[1]] += contact->parameter[k] * force;
        }
    }
}

cdg_vec3 cdg_lasting_force(const cdg_contacts *c, const cdg_contact *contact, int side) {
    const cdg_pieces *p = &c->pieces;
    if (!p->has_slow || !is_slow(p, &contact->side[side])) return vec3(0, 0, 0);
    const uint32_t *end = ends_of(p, &contact->side[side]);
    cdg_vec3 force = vec3_scale(side == 0 ? 1 : -1, contact->force), load = force;
    double size = vec3_norm(force), s = contact->parameter[side];
    for (int n = 0; n < 2; n++) {
        double part = (n == 0 ? 1 - s : s) * size;
        if (!(part > 0)) continue;
        cdg_vec3 lag = p->lag[end[n]], across = contact->friction > 0 ? p->lag_across[end[n]] : lag;
        double along = vec3_dot(vec3_sub(lag, across), contact->normal);
        load = vec3_mad(load, part / p->pressed[end[n]], vec3_mad(across, along, contact->normal));
    }
    double loaded = vec3_norm(load);
    if (!(vec3_dot(load, force) > 0)) return vec3(0, 0, 0);
    return loaded > size ? vec3_scale(size / loaded, load) : load;
}
