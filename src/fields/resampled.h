// A rod's numbers carried to another division of the same material: what was measured at some nodes and elements, at
// others.
#ifndef CDG_FIELDS_RESAMPLED_H
#define CDG_FIELDS_RESAMPLED_H

#include "fields/field.h"
#include "geometry/rod_curve.h"

// How a rod is divided: arc length at rest (m) where each element begins, and of the end; element_count + 1, rising.
typedef struct cdg_division {
    bool is_closed;
    size_t element_count;
    const double *arc;
    cdg_drawn_beside beside; // for pictures: positions and frames as they are drawn
} cdg_division;

static inline size_t cdg_division_nodes(const cdg_division *division) {
    return division->element_count + (division->is_closed ? 0 : 1);
}

// Positions lie on the rod's smooth curve (geometry/rod_curve.h) and frames turn along it; numbers of nodes are linear
// between nodes, those of elements between the middles of elements; levels are the elements'. A node or element that
// both divisions have keeps its numbers, to the bit, but for those that are drawn beside. Where a number is not known
// at one side (NaN at free ends) it is that of the other.
//
// `numbers` are the field's at `from`; of positions and frames the other one of the two is needed, too.
cdg_result cdg_field_resample(cdg_field field, const cdg_division *from, const double *numbers, const double *other,
                              const cdg_division *to, double *out, cdg_error *error);

// The field at places (m, arc length at rest, in any order): component_count numbers each.
cdg_result cdg_field_at_places(cdg_field field, const cdg_division *from, const double *numbers, const double *other,
                               const double *places, size_t count, double *out, cdg_error *error);

#endif
