// Cuts of rods: which were made, which are to come, and where places of a rod as it was made are since.
#ifndef CDG_WORLD_CUTS_H
#define CDG_WORLD_CUTS_H

#include "rods/rod_cut.h"
#include "world/world.h"

#include <cordage/cut.h>

// A cut that was made. Its root is the rod that was made as such; elements and nodes are counted as of that one's
// definition.
struct world_cut {
    uint32_t root;   // index of the rod
    size_t node;     // of the root
    uint32_t rod;    // index of what was cut, and of its first part
    uint32_t second; // index of the second part; CDG_NO_INDEX: a ring was cut
    bool is_joined;  // its ends have not been apart since
    size_t local;    // the node, as of the rod that was cut
    double time;     // s; of plans alone, which have nothing but root, node and this
    // of cuts that were made: what is needed to make the rod whole again
    cdg_rod *whole;
    uint32_t *order; // its supports, in their order
    size_t order_count;
    uint32_t *copies; // loads that were added for the second part
    size_t copy_count;
};

// A run of elements of a root.
typedef struct cdg_cut_part {
    uint32_t root;
    size_t first, count;
} cdg_cut_part;

// cut_places.c --------------------------------------------------------------------------------------------------------
// What part of its root a rod is.
cdg_cut_part cdg_cuts_part_of(const cdg_world *world, uint32_t rod);
// The rod that has an element of a root, and where in it.
uint32_t cdg_cuts_find_element(const cdg_world *world, uint32_t root, size_t element, size_t *at);
// Where a place of a rod as it was made is now: for what names places once and for all, as scenes do. Places of rods
// that were made by cuts are as they are.
cdg_place cdg_cuts_place_now(const cdg_world *world, cdg_place place);
// The other way round: the root's place of what is at a place now.
cdg_place cdg_cuts_place_then(const cdg_world *world, cdg_place place);
// A rod or a part of it, of definition elements: where it is now. `node_count` counts both ends.
typedef struct cdg_cut_span {
    cdg_rod_id rod;
    size_t first_node, node_count, element_count; // as they are numbered at present; of a ring modulo its counts
} cdg_cut_span;
cdg_cut_span cdg_cuts_span(const cdg_world *world, const cdg_cut_part *part);
// The parts that there will be once all planned cuts are made, in the order that the rods will have then; malloc'ed.
// Names of those that are new live as long as the world; others are NULL. False: no memory.
typedef struct cdg_cut_leaf {
    cdg_cut_part part;
    const char *name;
    double time;    // s, when it comes into being; 0: it is there
    bool is_closed; // a ring that no plan cuts
} cdg_cut_leaf;
bool cdg_cuts_leaves(const cdg_world *world, cdg_cut_leaf **out, size_t *count);
bool cdg_cuts_are_made(const cdg_world *world, const struct world_cut *plan); // whether it was carried out
// The plan that comes next, by time and then in order, of those that were not made; NULL: none.
const struct world_cut *cdg_cuts_next_plan(const cdg_world *world);
// A name for a second part that neither a rod nor a leaf has; it lives as long as the world. NULL: no memory.
const char *cdg_cuts_name(cdg_world *world, const char *name, const cdg_cut_leaf *leaves, size_t count);

// probe.c: a probe of rods as they were made, wherever its place is now.
cdg_probe cdg_probe_now(const cdg_world *world, const cdg_probe *probe);

// cut_move.c ----------------------------------------------------------------------------------------------------------
// Both rods are in the world, with room for what is on them.
typedef struct cdg_cut_change {
    uint32_t rod, second;             // indices; CDG_NO_INDEX: a ring is cut
    size_t at, count;                 // the node, and the elements of the whole: of the definition, and
    size_t present_at, present_count; // as they are
    const uint32_t *supports;         // of both rods, in their order
    size_t support_count;
    bool is_undone; // the parts become one
} cdg_cut_change;
// Supports, welds, loads, joints and grips get the numbers of their places after a cut, or before it again.
void cdg_cuts_move(cdg_world *world, const cdg_cut_change *change);

// world_cut.c ---------------------------------------------------------------------------------------------------------
cdg_result cdg_cuts_make_due(cdg_world *world); // before a step: those whose time has come; message in world->error
// After a step: ends that have come apart touch each other from then on.
void cdg_cuts_part_ends(cdg_world *world);
void cdg_cuts_destroy(cdg_world *world);
void cdg_cuts_forget(cdg_world *world, uint32_t rod); // it is removed: cuts that were made are past recall
// The rods whose last and whose first node lie at a cut.
typedef struct cdg_cut_ends {
    uint32_t rod[2];
} cdg_cut_ends;
cdg_cut_ends cdg_cuts_ends(const cdg_world *world, const struct world_cut *cut);
void cdg_cuts_mark_anew(cdg_world *world); // which ends are joined has changed
// For snapshot.c: cdg_world_restore_cuts. A snapshot begins with their number.
enum { CDG_CUT_NUMBERS = 3, CDG_CUT_ROOM = 64 }; // in a snapshot: rod, node, is_joined; and what a part's state takes
cdg_result cdg_cuts_restore(cdg_world *world, const double *snapshot);

#endif
