// Where the search for the end of a step starts: the state now, carried along by the supports that move it.
//
// The state now is hardly strained, whereas extrapolated nodes stretch every element that turns. But supports that move
// by more than an element in a step would turn the elements beside them back if they moved alone, however gently the
// rod flies along with them.
#include "rods/rod_model.h"

#include "math/vec3.h"

#include <string.h>

enum { FEW_HOLDS = 8 }; // up to which looking at all of them again and again is cheaper than at all nodes

// The held node that comes next from `node` on, itself included; NULL: none.
static const cdg_hold *next_hold(const cdg_rod *rod, size_t node) {
    const cdg_hold *next = NULL;
    if (rod->hold_at != NULL && rod->hold_count > FEW_HOLDS) { // node by node, so that all nodes are passed once
        for (size_t i = node; i < rod->node_count; i++) {
            next = rod_hold_at(rod, i);
            if (next != NULL && next->holds_position && !next->slides) return next;
        }
        return NULL;
    }
    for (size_t h = 0; h < rod->hold_count; h++) {
        const cdg_hold *hold = &rod->holds[h];
        if (!hold->holds_position || hold->slides || hold->node < node) continue;
        if (next == NULL || hold->node < next->node) next = hold;
    }
    return next;
}

static cdg_vec3 move_of(const cdg_rod *rod, const cdg_hold *hold) {
    return vec3_sub(hold->position, rod_vec3(rod->x, hold->node));
}

// Nodes after `from`, up to the one `count` nodes on, where the move is that of `to`; round the seam of a closed rod.
static void carry_between(cdg_rod *rod, const cdg_hold *from, const cdg_hold *to, size_t count) {
    cdg_vec3 first = move_of(rod, from), last = move_of(rod, to);
    for (size_t n = 1; n < count; n++) {
        size_t i = (from->node + n) % rod->node_count;
        cdg_vec3 move = vec3_lerp(first, last, (double)n / (double)count);
        rod_set_vec3(rod->x_next, i, vec3_add(rod_vec3(rod->x, i), move));
    }
}

static void carry_all(cdg_rod *rod, const cdg_hold *with, size_t begin, size_t end) {
    cdg_vec3 move = move_of(rod, with);
    for (size_t i = begin; i < end; i++) rod_set_vec3(rod->x_next, i, vec3_add(rod_vec3(rod->x, i), move));
}

void cdg_rod_start_from_now(cdg_rod *rod) {
    for (int k = 0; k < 3; k++) memcpy(rod->x_next[k], rod->x[k], rod->node_count * sizeof(double));
    const cdg_hold *first = next_hold(rod, 0), *last = first;
    if (first == NULL) return;
    for (const cdg_hold *next = next_hold(rod, first->node + 1); next != NULL; next = next_hold(rod, last->node + 1)) {
        carry_between(rod, last, next, next->node - last->node);
        last = next;
    }
    if (rod->is_closed) {
        carry_between(rod, last, first, first->node + rod->node_count - last->node);
    } else {
        carry_all(rod, first, 0, first->node);
        carry_all(rod, last, last->node + 1, rod->node_count);
    }
    for (size_t h = 0; h < rod->hold_count; h++)
        if (rod->holds[h].holds_position) rod_set_vec3(rod->x_next, rod->holds[h].node, rod->holds[h].position);
}
