// Explicit surfaces start the first round with the forces of the last step (contacts.h: cdg_contacts_warm). Where
// things rest on each other these forces are nearly right. Nearest points are then those at the end of the step, not
// those of candidates that have sunk into each other, so one round of solving is mostly enough. In a heap some
// impact goes on at any time: only contacts that act on a point which moves as far as in an impact are left out.
#include "contact/contacts.h"

#include "math/vec3.h"

// Of the thickness: forces that move a point by more are those of a blow, and no guess for this step.
static const double blow_share = 0.5;
// Contacts that are left out may let points of others move farther: how often these are checked again.
enum { TIMES_MAX = 6 };

// The points that a side's force acts on by its weights; how many.
static int points_of(const cdg_pieces *p, const cdg_contact *contact, int i, uint32_t point[3]) {
    if (!contact_side_is_surface(&contact->side[i])) return 0;
    cdg_surface_points(p, &contact->side[i], point, NULL);
    return contact->side[i].kind == CDG_SIDE_VERTEX ? 1 : contact->side[i].kind == CDG_SIDE_EDGE ? 2 : 3;
}

// Forces between a surface and a chain or a body depend on how these answered, which their new candidates do not
// contain.
static bool is_between_surfaces(const cdg_contact *contact) {
    return contact_side_is_surface(&contact->side[0]) &&
           (contact_side_is_surface(&contact->side[1]) || contact->side[1].kind == CDG_SIDE_OBSTACLE);
}

// Replaces the forces by those of the contacts that are not left out.
static void push_all(const cdg_contacts *c) {
    const cdg_pieces *p = &c->pieces;
    for (uint32_t n = p->first_node[p->chain_count]; n < p->first_node[p->object_count]; n++)
        p->force[p->point_of[n]] = p->loaded[p->point_of[n]];
    for (size_t m = 0; m < c->kept_count; m++)
        for (int i = 0; i < 2 && !c->kept[m].is_left_out; i++) {
            const cdg_contact *contact = &c->kept[m];
            const double w[3] = {contact->point[i].x, contact->point[i].y, contact->point[i].z};
            uint32_t point[3];
            int count = points_of(p, contact, i, point);
            for (int k = 0; k < count; k++)
                p->force[point[k]] = vec3_mad(p->force[point[k]], i == 0 ? w[k] : -w[k], contact->force);
        }
}

static cdg_vec3 move_of(const cdg_pieces *p, uint32_t point) {
    return vec3_scale(p->give[point], vec3_sub(p->force[point], p->loaded[point]));
}

// Whether any point that it acts on is moved as far as in a blow.
static bool is_blow(const cdg_pieces *p, const cdg_contact *contact) {
    for (int i = 0; i < 2; i++) {
        uint32_t point[3];
        int count = points_of(p, contact, i, point);
        for (int k = 0; k < count; k++) {
            double most = blow_share * p->surfaces.thickness[contact->side[i].object];
            cdg_vec3 move = move_of(p, point[k]);
            if (!(vec3_dot(move, move) <= most * most)) return true;
        }
    }
    return false;
}

static size_t leave_blows_out(const cdg_contacts *c) {
    size_t count = 0;
    for (size_t i = 0; i < c->kept_count; i++) {
        if (c->kept[i].is_left_out || !is_blow(&c->pieces, &c->kept[i])) continue;
        c->kept[i].is_left_out = true;
        count++;
    }
    return count;
}

void cdg_contacts_warm(const cdg_contacts *c) {
    const cdg_pieces *p = &c->pieces;
    if (c->coupling.has_implicit || p->surfaces.count == 0 || c->kept_count == 0) return;
    for (size_t i = 0; i < c->kept_count; i++) c->kept[i].is_left_out = !is_between_surfaces(&c->kept[i]);
    push_all(c);
    for (int times = 0; leave_blows_out(c) > 0; times++) {
        for (size_t i = 0; i < c->kept_count && times == TIMES_MAX; i++) c->kept[i].is_left_out = true;
        push_all(c);
    }
    for (uint32_t n = p->first_node[p->chain_count]; n < p->first_node[p->object_count]; n++)
        p->next[p->point_of[n]] = vec3_add(p->free[p->point_of[n]], move_of(p, p->point_of[n]));
}
