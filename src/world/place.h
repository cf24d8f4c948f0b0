// Places on objects (cdg_place), as functions of the world check them.
#ifndef CDG_WORLD_PLACE_H
#define CDG_WORLD_PLACE_H

#include <cordage/world.h>

// Whether it names no object but, maybe, a rod, in a way that rods have.
bool cdg_place_is_of_rod(const cdg_place *place);
// For functions that serve rods alone: refuses a place on a body or a solid, and kinds that rods have not. `serves` is
// the beginning of the sentence: "a support holds a node of a rod".
cdg_result cdg_place_check_rod(const cdg_place *place, const char *serves, cdg_error *error);
// Refuses a point that lies farther outside of the solid, as it was made, than an edge: nothing of it is there.
// The sentence is the world's message.
cdg_result cdg_place_check_solid(cdg_world *world, const cdg_place *place);

#endif
