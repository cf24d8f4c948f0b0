// Candidates moved by the linear response of objects (contact_ahead.h).
#include "contact/contact_ahead.h"

#include "math/vec3.h"

// Rounds between two predictions; and the round from which all are predicted, so that the last one of a step is.
enum { ROUNDS_AHEAD = 2, ROUNDS_AHEAD_LAST = 20 };
// Of the radius: penetration that answers are too rough for; and of the thickness, how far a point may go, an edge.
static const double enough_share = 0.02, rough_share = 0.1, far_most = 20;

static bool is_far(const cdg_pieces *p, uint32_t object) {
    double most = far_most * p->surfaces.thickness[object - p->chain_count];
    for (uint32_t n = p->first_node[object]; n < p->first_node[object + 1]; n++) {
        cdg_vec3 move = p->move[p->point_of[n]];
        if (!(vec3_dot(move, move) < most * most)) return true;
    }
    return false;
}

static void move_candidate(cdg_contacts *c, uint32_t object) {
    const cdg_pieces *p = &c->pieces;
    c->coupling.objects[object].is_ahead = c->coupling.objects[object].is_new = true;
    for (uint32_t n = p->first_node[object]; n < p->first_node[object + 1]; n++) {
        uint32_t k = p->point_of[n];
        p->next[k] = vec3_add(p->next[k], p->move[k]);
    }
}

bool cdg_contacts_go_ahead(cdg_contacts *c, size_t count) {
    cdg_pieces *p = &c->pieces;
    bool is_rough = c->left.deep >= rough_share;
    if (count == 0 || !is_rough || !contacts_are_of_solids(c) || c->round >= ROUNDS_AHEAD_LAST ||
        c->ahead >= ROUNDS_AHEAD)
        return false;
    for (size_t i = 0; i < count; i++)
        if (!c->coupling.objects[c->again[i]].has_response) return false;
    cdg_coupling_respond_listed(&c->coupling, p, c->again, count, p->force_before, p->torque_before);
    for (size_t i = 0; i < count; i++)
        if (is_far(p, c->again[i])) return false;
    for (size_t i = 0; i < count; i++) move_candidate(c, c->again[i]);
    c->ahead++;
    return true;
}

bool cdg_contacts_are_ahead_enough(const cdg_contacts *c) { return c->ahead > 0 && c->left.deep < enough_share; }

size_t cdg_contacts_list_ahead(cdg_contacts *c, size_t listed) {
    size_t count = 0;
    if (c->ahead == 0) return listed;
    for (size_t i = 0; i < listed; i++) c->coupling.objects[c->again[i]].is_ahead = true;
    for (uint32_t i = 0; i < c->pieces.object_count; i++) {
        if (c->coupling.objects[i].is_ahead) c->again[count++] = i;
        c->coupling.objects[i].is_ahead = false;
    }
    c->ahead = 0;
    c->is_guessed = true;
    return count;
}
