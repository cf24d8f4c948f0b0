// What is in the way of a change of resolution.
#ifndef CDG_WORLD_ADAPT_WAY_H
#define CDG_WORLD_ADAPT_WAY_H

#include "adapt/adapt.h"
#include "world/world.h"

typedef struct cdg_adapt_surroundings {
    const cdg_world *world;
    size_t rod_index;
} cdg_adapt_surroundings;

// The `may_move` of cdg_adapt_context; `user` are surroundings. The world has contact.
bool cdg_adapt_may_move(const void *user, const cdg_adapt_move *move, cdg_adapt_obstructions *out);

#endif
