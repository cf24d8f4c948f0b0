// How rings of tetrahedra hang in each other: linking numbers of the middles of solids with one hole.
#ifndef VALIDATION_RING_LINKS_H
#define VALIDATION_RING_LINKS_H

#include <cordage/cordage.h>

typedef struct ring_links ring_links;

// Of the world as it is now, in which rings should be as they are at rest. NULL: no memory.
ring_links *ring_links_create(const cdg_world *world);
void ring_links_free(ring_links *links); // NULL is fine

size_t ring_links_count(const ring_links *links); // of pairs that hang in each other at the start
// Pairs whose linking number is another than at the start; rings whose middles touch count.
size_t ring_links_changed(ring_links *links, const cdg_world *world);

#endif
