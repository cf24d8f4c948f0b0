// Explicit surfaces start the first round with the forces of the last step (contacts.h: cdg_contacts_warm). Where
// things rest on each other these forces are nearly right. Nearest points are then those at the end of the step, not
// those of candidates that have sunk into each other, so one round of solving is mostly enough.
#include "contact/contacts.h"

#include "math/vec3.h"

// Of the thickness: forces that move a point by more are those of a blow, and no guess for this step.
static const double blow_share = 0.25;

static void push(const cdg_pieces *p, const cdg_contact *contact, int i) {
    if (!contact_side_is_surface(&contact->side[i])) return;
    uint32_t point[3];
    const double w[3] = {contact->point[i].x, contact->point[i].y, contact->point[i].z};
    cdg_surface_points(p, &contact->side[i], point, NULL);
    for (int k = 0; k < 3; k++)
        if (point[k] != CDG_STILL_POINT)
            p->force[point[k]] = vec3_mad(p->force[point[k]], i == 0 ? w[k] : -w[k], contact->force);
}

// Forces between a surface and a chain or a body depend on how these answered, which their new candidates do not
// contain.
static bool is_between_surfaces(const cdg_contact *contact) {
    return contact_side_is_surface(&contact->side[0]) &&
           (contact_side_is_surface(&contact->side[1]) || contact->side[1].kind == CDG_SIDE_OBSTACLE);
}

// Moves the points of a surface. Returns whether none goes as far as in a blow.
static bool move_surface(const cdg_pieces *p, size_t object) {
    double most = blow_share * p->surfaces.thickness[object - p->chain_count];
    for (uint32_t n = p->first_node[object]; n < p->first_node[object + 1]; n++) {
        uint32_t k = p->point_of[n];
        cdg_vec3 move = vec3_scale(p->give[k], vec3_sub(p->force[k], p->loaded[k]));
        if (!(vec3_dot(move, move) <= most * most)) return false;
        p->next[k] = vec3_add(p->free[k], move);
    }
    return true;
}

static void take_back(const cdg_pieces *p) {
    for (uint32_t n = p->first_node[p->chain_count]; n < p->first_node[p->object_count]; n++) {
        uint32_t k = p->point_of[n];
        p->force[k] = p->loaded[k];
        p->next[k] = p->free[k];
    }
}

void cdg_contacts_warm(const cdg_contacts *c) {
    const cdg_pieces *p = &c->pieces;
    if (c->coupling.has_implicit || p->surfaces.count == 0) return;
    for (size_t i = 0; i < c->kept_count; i++)
        for (int k = 0; k < 2 && is_between_surfaces(&c->kept[i]); k++) push(p, &c->kept[i], k);
    for (size_t i = p->chain_count; i < p->object_count; i++)
        if (!move_surface(p, i)) {
            take_back(p);
            return;
        }
}
