// Cuts: a rod becomes two, or a ring an open rod, while the world is stepped.
#ifndef CORDAGE_CUT_H
#define CORDAGE_CUT_H

#include <cordage/world.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cdg_cut_report {
    cdg_rod_id second; // the new rod, from the cut on; null: a ring was cut, and is one open rod now
    double energy;     // J, lost: that of bending and twisting in the cell of the node (of joints there, too)
} cdg_cut_report;

// Cuts a rod at a node, one that is no end of it. The rod is its first part from then on, with the handle that it had;
// the second part is a new rod, named NAME.2 (or the next number that is free), whose nodes and elements are counted
// from the cut. A ring becomes open: its first and its last node are where it was cut. Both new ends are free, lie in
// one place and may lie in each other there until they have once been apart.
//
// What was on the rod stays at its place in the material: state, rest shape, whole turns of twist, supports, loads,
// joints, welds, grips, contacts. What is at the cut itself stays with the part before it. Loads on the whole rod, and
// forces that were set by hand, act on both. Handles of supports, loads, joints, welds and grips stay valid. Linear and
// angular momentum stay as they are.
//
// CDG_ERROR_UNSUPPORTED: rods of model galpha. `out` may be NULL. A snapshot of before the cut may be loaded after it:
// then the rod is whole again, and the handle of the second part is stale. A cut changes the size of snapshots.
cdg_result cdg_rod_cut(cdg_world *world, cdg_place place, cdg_cut_report *out);

// The same later: in the first step that begins at or after `time` (s). The place is one in the material: cuts that are
// made before do not change it. Room for its state is in snapshots from now on.
cdg_result cdg_world_plan_cut(cdg_world *world, cdg_place place, double time);

// Makes and undoes cuts until those are made that a snapshot knows of, as cdg_world_snapshot_load does first of all:
// for programs that compare sizes before they load one.
cdg_result cdg_world_restore_cuts(cdg_world *world, const double *snapshot);

// How many were made.
size_t cdg_world_cut_count(const cdg_world *world);

#ifdef __cplusplus
}
#endif
#endif
