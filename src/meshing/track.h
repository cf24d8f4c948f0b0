// Finding the cubes of the lattice that the surface passes through: begins at the triangles and follows the change of
// sign across holes.
#ifndef CDG_MESHING_TRACK_H
#define CDG_MESHING_TRACK_H

#include "meshing/bcc.h"
#include "meshing/inside.h"
#include "meshing/key_map.h"

typedef struct cdg_track {
    const cdg_bcc *lattice;
    const cdg_inside *inside;
    int thread_count;
    cdg_budget *budget;
    cdg_key_map vertices; // corners and middles whose value is known
    double *values;       // of each; positive inside
    size_t value_capacity;
    cdg_key_map cubes; // that were looked at, by their middles
    bool *is_cut;      // of each: not all nine vertices are on one side
    size_t cut_capacity, cut_count;
} cdg_track;

// Enters the cubes that triangles touch. False: no memory.
bool cdg_track_touch(cdg_track *track, const cdg_winding *winding);
bool cdg_track_enter(cdg_track *track, uint64_t cube); // one more
// Looks at all that were entered, and at neighbours that the surface leads to. `first`: the first that is new.
bool cdg_track_follow(cdg_track *track, uint32_t first);
void cdg_track_free(cdg_track *track);

#endif
