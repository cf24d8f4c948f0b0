// Structures of solids: many alike, placed as an arch, a stack, a chain of rings or a heap. Definitions only: they are
// expanded before a world sees them.
#ifndef CDG_SOLIDS_SOLID_STRUCTURE_H
#define CDG_SOLIDS_SOLID_STRUCTURE_H

#include <cordage/solid.h>

// The one list of structures of solids: X(enumerator, scene key, what it is).
#define CDG_SOLID_STRUCTURE_LIST(X)                                                                                    \
    X(SOLID_STRUCTURE_ARCH, "arch", "wedges side by side about the axis y")                                            \
    X(SOLID_STRUCTURE_STACK, "stack", "one above the other along z")                                                   \
    X(SOLID_STRUCTURE_CHAIN, "chain", "along x, every second a quarter turn about it: tori, one through the other")    \
    X(SOLID_STRUCTURE_HEAP, "heap", "in layers on a square, turned at random, to fall onto each other")

typedef enum solid_structure_kind {
#define SOLID_STRUCTURE_ENUM(name, key, text) name,
    CDG_SOLID_STRUCTURE_LIST(SOLID_STRUCTURE_ENUM)
#undef SOLID_STRUCTURE_ENUM
        SOLID_STRUCTURE_KIND_COUNT
} solid_structure_kind;

// Only the members of the chosen kind are read.
typedef struct solid_structure_def {
    solid_structure_kind kind;
    size_t count;
    double gap;      // arch: m, between neighbours
    double span;     // arch: rad, of all
    double distance; // stack, chain, heap: m, from one to the next
    double turn;     // stack: rad, of each against the one below, about z
    size_t side;     // heap: how many along x and along y in a layer
    size_t seed;     // heap
} solid_structure_def;

enum { SOLID_STRUCTURE_COUNT_MAX = 10000 };

// Where number `k` is in the structure's axes, and how it is turned.
void cdg_solid_structure_place(const solid_structure_def *def, size_t k, cdg_vec3 *position, cdg_quat *orientation);

#endif
