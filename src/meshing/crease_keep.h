// Keeping creases: points of a mesh are moved onto them, and edges that pass over them are divided there, wherever
// angles stay within bounds.
#ifndef CDG_MESHING_CREASE_KEEP_H
#define CDG_MESHING_CREASE_KEEP_H

#include "meshing/crease_length.h"
#include "meshing/moves.h"
#include "meshing/winding.h"

typedef struct cdg_crease_result {
    bool *is_held;       // of each point of the mesh: on a crease or a corner; give it back to the budget
    size_t kept, missed; // edges of the mesh along creases; edges of the boundary that still pass over one
    cdg_crease_length length;
    bool is_cut_short; // there were more than the work was worth
} cdg_crease_result;

// `angle`: edges that bend by more are creases. The work grows with the mesh, whatever the surface. False: no memory,
// or no patience.
bool cdg_creases_keep(cdg_raw_mesh *mesh, const cdg_winding *winding, const cdg_soup *soup, double angle, double size,
                      cdg_angle_bounds bounds, cdg_budget *budget, cdg_crease_result *out);

#endif
