// What a plot's curve or a picture's colours show: one number an entry, made of a stored field.
#ifndef CDG_OUTPUT_FIELD_VIEW_H
#define CDG_OUTPUT_FIELD_VIEW_H

#include "fields/field.h"

enum {
    CDG_VIEW_LENGTH = -1, // the length of the vector
    CDG_VIEW_ALL = -2     // no component was chosen of several
};

typedef struct cdg_view {
    cdg_field field;
    int component;     // or CDG_VIEW_LENGTH, CDG_VIEW_ALL
    char name[40];     // "moment.3"
    char label[64];    // "moment 3"
    const char *unit;  // of the number
    double scale;      // pictures show this many times the number ...
    const char *shown; // ... in this unit
    bool is_signed;    // both signs mean something
} cdg_view;

// "tension", "moment.3", "positions.z", "speed", "strain" (the axial one): a field, its component as a letter or a
// number from 1, or a name of its own. A vector without a component is its length where the field says so, else
// CDG_VIEW_ALL. The message of a failure lists what there is; `also` (may be NULL) is one more name of the caller's.
cdg_result cdg_view_parse(const char *text, const char *also, cdg_view *out, cdg_error *error);

// One component of a field, or its length.
cdg_view cdg_view_of(cdg_field field, int component);

// Reads an entry's number out of those of the field at all entries.
double cdg_view_value(const cdg_view *view, const double *numbers, size_t entry);

// Colours need a number everywhere: at free ends, where nothing is measured, that of the neighbour. `width` numbers an
// entry.
void cdg_view_fill_ends(double *values, size_t count, size_t width);

#endif
