// Points that the rows of a solve act on, numbered anew from 1 on in the order in which they come: sweeps then go over
// these alone. 0 is the still point.
#ifndef CDG_CONTACT_CONTACT_LOCAL_H
#define CDG_CONTACT_CONTACT_LOCAL_H

#include "contact/pieces.h"

// Keeps its memory from call to call. Zero is a good start.
typedef struct cdg_local_points {
    uint32_t *number;       // of the pieces' points; 0: not numbered
    uint32_t *point;        // of numbers
    double *give;           // of numbers
    cdg_vec3 *force_before; // likewise
    size_t count, capacity;
} cdg_local_points;

void cdg_local_points_free(cdg_local_points *local);
// No point has a number. False: no memory.
bool cdg_local_points_start(cdg_local_points *local, const cdg_pieces *pieces);
uint32_t cdg_local_points_number(cdg_local_points *local, const cdg_pieces *pieces, uint32_t point);

#endif
