// A field over a whole rod and a whole run: its least and most value with place and time, and its mean.
#ifndef CDG_OUTPUT_FIELD_RANGE_H
#define CDG_OUTPUT_FIELD_RANGE_H

#include "output/field_view.h"
#include "output/run_reader.h"

typedef struct cdg_field_extreme {
    double value, time, place; // s; m along the rod at rest
    size_t entry;              // node or element of the division that the reader shows
} cdg_field_extreme;

typedef struct cdg_field_range {
    cdg_field_extreme least, most; // NaN where nothing is measured
    double mean;                   // over the rod's length, then over outputs
} cdg_field_range;

// `view` names one number an entry.
cdg_result cdg_field_range_find(const cdg_run_reader *reader, size_t rod, const cdg_view *view, cdg_field_range *out,
                                cdg_error *error);

#endif
