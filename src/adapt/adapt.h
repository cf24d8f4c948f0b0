// Resolution of a rod that follows its shape (Spillmann, thesis, chapter 4): where it should change, and the change
// itself with everything kept that a rod in motion has: momentum, links, what holds and pushes it.
#ifndef CDG_ADAPT_ADAPT_H
#define CDG_ADAPT_ADAPT_H

#include "rods/rod.h"

// A force on the rod at one place, not spread along it: of a contact, a load.
typedef struct cdg_adapt_push {
    double arc; // m
    cdg_vec3 force;
    bool is_contact; // with something on the other side of `normal`, into which the rod shall not move
    cdg_vec3 normal;
} cdg_adapt_push;

// How the centreline would move: the part between two nodes that stay. A node that comes or goes is on the chord of its
// neighbours before or after.
enum { CDG_ADAPT_POINTS_MAX = 7 };
typedef struct cdg_adapt_move {
    const cdg_rod *rod;
    size_t count; // points
    cdg_vec3 from[CDG_ADAPT_POINTS_MAX], to[CDG_ADAPT_POINTS_MAX];
    double radius[CDG_ADAPT_POINTS_MAX]; // m
    double at[CDG_ADAPT_POINTS_MAX];     // m, from the rod's start: where points are; beyond the length of a ring
    double arc[2];                       // of the first and the last
    size_t fresh;                        // the point that comes or goes
    bool is_split;
} cdg_adapt_move;

// Something that a move would enter: the place `share` from point `segment` to the next is to stay on the normal's
// side.
typedef struct cdg_adapt_obstruction {
    size_t segment;
    double share;
    cdg_vec3 normal;
    double offset; // m: normal . place is no less
} cdg_adapt_obstruction;
enum { CDG_ADAPT_OBSTRUCTIONS = 8 };
typedef struct cdg_adapt_obstructions {
    size_t count;
    cdg_adapt_obstruction list[CDG_ADAPT_OBSTRUCTIONS];
} cdg_adapt_obstructions;

typedef struct cdg_adapt_context {
    cdg_vec3 gravity;
    double step;                  // s, of the world; for the thesis' search alone
    bool waits;                   // a merge is refused while the skin would jump by it
    const cdg_adapt_push *pushes; // all that there are near the operation
    size_t push_count;
    // Whether nothing is in the way of a move, or what is; NULL: nothing can be. With nothing listed it goes too far to
    // tell.
    bool (*may_move)(const void *user, const cdg_adapt_move *move, cdg_adapt_obstructions *out);
    const void *user;
} cdg_adapt_context;

typedef enum cdg_adapt_kind { CDG_ADAPT_KEEP, CDG_ADAPT_SPLIT, CDG_ADAPT_MERGE } cdg_adapt_kind;

// What an operation did.
typedef struct cdg_adapt_outcome {
    double energy;           // J, gained
    double kinetic, gravity; // J, of it
    int iterations;
    cdg_adapt_refusal refusal; // why nothing was done
} cdg_adapt_outcome;

// operation.c: halves the element, or makes elements `element` and `element` + 1 one. False: that cannot be done now,
// and the rod is as it was.
bool cdg_adapt_split(cdg_rod *rod, size_t element, const cdg_adapt_context *context, cdg_adapt_outcome *out);
bool cdg_adapt_merge(cdg_rod *rod, size_t element, const cdg_adapt_context *context, cdg_adapt_outcome *out);

// criteria.c: how far the rod turns within an element, rad, as the cells beside it are bent; beside a clamp, twice
// what the half cell there has.
double cdg_adapt_turn_within(const cdg_rod *rod, size_t element);
// What should be done about an element: split it, or merge it with the next.
cdg_adapt_kind cdg_adapt_wanted(const cdg_rod *rod, size_t element);
// Before the first step: whether the element and the next are halves that are finer than the shape asks for.
bool cdg_adapt_starts_too_fine(const cdg_rod *rod, size_t element);
// How long elements have had no reason to be as fine as they are, after a step of `step` seconds; touch is that of it.
// What changes gave is forgotten by the time of the step.
void cdg_adapt_watch(cdg_rod *rod, double step);

#endif
