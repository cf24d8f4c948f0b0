// Objects may have constraints beside contact: the volumes of a solid's tetrahedra (solids/volume_floor.h). Contact and
// these constraints take turns in a step, until both hold in the same candidate. When an object pushes a point against
// a surface, contact pushes it back, by half of the way or more in each turn; so the object is told in which direction
// and how strongly contact holds a point back, and allows for that.
#include "contact/contacts.h"

#include "math/vec3.h"

#include <string.h>

// A point that contact held back almost entirely would need forces without limit.
static const double most_blocked = 0.9;

// Adds a blocked direction to what is known of the point: of two directions far apart the stronger one counts.
static void block(cdg_vec3 *known, cdg_vec3 normal, double share) {
    double before = vec3_dot(*known, *known), lean = vec3_dot(*known, normal);
    if (before > 0 && lean * lean > 0.5 * before)
        share = fmin(1, share + before);
    else if (share < before)
        return;
    *known = vec3_scale(sqrt(fmin(share, most_blocked)), normal);
}

// A contact that pushes responds to a move of one of its points by moving all of them.
static void block_points(const cdg_pieces *p, const cdg_contact *contact) {
    uint32_t point[2][3] = {{CDG_STILL_POINT}};
    double w[2][3] = {{0}}, give = 0;
    for (int i = 0; i < 2; i++) {
        if (!contact_side_is_surface(&contact->side[i])) continue;
        cdg_surface_points(p, &contact->side[i], point[i], NULL);
        w[i][0] = contact->point[i].x, w[i][1] = contact->point[i].y, w[i][2] = contact->point[i].z;
        for (int k = 0; k < 3; k++) give += w[i][k] * w[i][k] * p->give[point[i][k]];
    }
    if (!(give > 0)) return;
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < 3; k++) {
            double share = w[i][k] * w[i][k] * p->give[point[i][k]] / give;
            if (share > 0) block(&p->move[point[i][k]], contact->normal, share);
        }
}

bool cdg_contacts_hold(cdg_contacts *c, double step) {
    const cdg_pieces *p = &c->pieces;
    bool is_any = false;
    if (p->surfaces.count == 0) return false;
    memset(p->move, 0, p->point_count * sizeof *p->move);
    for (size_t i = 0; i < c->count; i++)
        if (vec3_dot(c->list[i].force, c->list[i].force) > 0) block_points(p, &c->list[i]);
    for (size_t i = p->chain_count; i < p->object_count; i++) {
        const cdg_proxy *proxy = &p->objects[i];
        if (proxy->object == NULL || proxy->operations->hold == NULL) continue;
        is_any = proxy->operations->hold(p, i, step) || is_any;
    }
    if (is_any) c->spots.is_partial = false; // any point may have moved since the round before
    c->is_moved = c->is_moved || is_any;
    return is_any;
}
