// The numbers along a rod that colours show.
#ifndef CDG_RENDER_ROD_FIELD_H
#define CDG_RENDER_ROD_FIELD_H

#include "output/field_view.h"
#include "output/run_reader.h"

typedef struct cdg_rod_field {
    bool is_set; // false: each rod has its colour
    cdg_view view;
} cdg_rod_field;

// A field as output/field_view.h knows it, or "rod". A vector without a component is its length. The message of a
// failure lists the names.
cdg_result cdg_rod_field_parse(const char *text, cdg_rod_field *out, cdg_error *error);

static inline bool cdg_rod_field_is_per_element(const cdg_rod_field *field) {
    return cdg_field_get(field->view.field).per == CDG_FIELD_PER_ELEMENT;
}

// The field of a rod at an output, as shown: node_count or element_count numbers. `scratch` has room for the field.
cdg_result cdg_rod_field_read(const cdg_rod_field *field, const cdg_run_reader *reader, size_t frame, size_t rod,
                              double *scratch, double *out, cdg_error *error);

#endif
