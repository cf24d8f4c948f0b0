// Whether two centrelines passed through each other in a step: found anew, without any of the library's contact.
#ifndef CROSSING_H
#define CROSSING_H

#include "world/world.h"

typedef struct crossing_way {
    cdg_vec3 *from, *to; // of all rods' nodes, one rod after the other
    size_t count;
} crossing_way;

void crossing_begin(crossing_way *way, const cdg_world *world); // where nodes are now
void crossing_end(crossing_way *way, const cdg_world *world);   // where they have come to
bool crossing_find(const crossing_way *way, const cdg_world *world, char *text, size_t size);
void crossing_free(crossing_way *way);

#endif
