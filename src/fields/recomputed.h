// Fields that run files of format 1 do not hold, made from the positions and frames that they do hold.
#ifndef CDG_FIELDS_RECOMPUTED_H
#define CDG_FIELDS_RECOMPUTED_H

#include "fields/field.h"

typedef struct cdg_recomputed_rod {
    bool is_closed;
    size_t node_count, element_count;
    const double *rest_length; // m, element_count
} cdg_recomputed_rod;

// Fields with CDG_FIELD_LATER only. Turns between neighbouring frames are taken as the smallest that fit, by angle:
// whole turns, and what a clamp adds at an end, are not known.
void cdg_field_recompute(cdg_field field, const cdg_recomputed_rod *rod, const cdg_vec3 *positions,
                         const cdg_quat *frames, double *out);

#endif
