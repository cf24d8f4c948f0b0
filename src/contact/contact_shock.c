// Masses that fall with height while contacts are solved for (contact_shock.h).
#include "contact/contact_shock.h"

#include "math/vec3.h"

// Multiples of the shock height above which masses fall no further, because the columns of sweeps are in single
// precision.
static const double most_heights = 60;

typedef struct shock {
    cdg_vec3 up; // unit
    double lowest, height;
} shock;

static bool is_segment(const cdg_pieces *p, const cdg_contact_side *side) {
    return side->kind == CDG_SIDE_SEGMENT && side->object < p->chain_count &&
           side->primitive < p->objects[side->object].segment_count;
}

static bool make(const cdg_pieces *p, const cdg_contact_input *input, shock *out) {
    double gravity = vec3_norm(input->gravity);
    if (!(input->def->shock_height > 0) || !(gravity > 0)) return false;
    *out = (shock){.up = vec3_scale(-1 / gravity, input->gravity), .lowest = HUGE_VAL};
    out->height = input->def->shock_height;
    for (size_t k = CDG_STILL_POINT + 1; k < p->first_body_point; k++)
        out->lowest = fmin(out->lowest, vec3_dot(out->up, p->start[k]));
    return true;
}

// By how much less it weighs where it was at the start of the step.
static double factor(const shock *it, cdg_vec3 at) {
    return exp(fmin(most_heights, (vec3_dot(it->up, at) - it->lowest) / it->height));
}

static double factor_of_element(const shock *it, const cdg_pieces *p, size_t e) {
    return factor(it, pieces_at(p, p->start, (uint32_t)e, 0.5));
}

static double factor_of_contact(const shock *it, const cdg_pieces *p, const cdg_contact *contact) {
    const cdg_contact_side *side = &contact->side[0];
    if (!is_segment(p, side)) return 1;
    return factor_of_element(it, p, p->first_element[side->object] + side->primitive);
}

void cdg_shock_begin(cdg_contacts *c, const cdg_contact_input *input) {
    const cdg_pieces *p = &c->pieces;
    shock it;
    if (!make(p, input, &it)) return;
    for (size_t k = CDG_STILL_POINT + 1; k < p->first_body_point; k++) p->give[k] *= factor(&it, p->start[k]);
    for (size_t e = 0; e < p->element_count; e++) p->turn_give[e] *= factor_of_element(&it, p, e);
    for (size_t i = 0; i < c->count; i++)
        c->list[i].force = vec3_scale(1 / factor_of_contact(&it, p, &c->list[i]), c->list[i].force);
}

void cdg_shock_end(cdg_contacts *c, const cdg_contact_input *input) {
    const cdg_pieces *p = &c->pieces;
    shock it;
    if (!make(p, input, &it)) return;
    for (size_t k = CDG_STILL_POINT + 1; k < p->first_body_point; k++) {
        double by = factor(&it, p->start[k]);
        p->give[k] /= by;
        p->force[k] = vec3_scale(by, p->force[k]);
    }
    for (size_t e = 0; e < p->element_count; e++) {
        double by = factor_of_element(&it, p, e);
        p->turn_give[e] /= by;
        p->torque[e] *= by;
    }
    for (size_t i = 0; i < c->count; i++)
        c->list[i].force = vec3_scale(factor_of_contact(&it, p, &c->list[i]), c->list[i].force);
}
