// The numbers along rods, and on solids, that colours show.
#ifndef CDG_RENDER_ROD_FIELD_H
#define CDG_RENDER_ROD_FIELD_H

#include "output/field_view.h"
#include "output/run_reader.h"

typedef struct cdg_rod_field {
    bool is_set;              // false: everything has its own colour
    bool is_only_of_solids;   // rods have no such field, and keep their colours; of the view names and units count
    bool is_of_solids;        // else these keep their colours
    cdg_view view;            // of rods
    cdg_solid_field of_solid; // and of solids,
    int of_solid_component;   // or CDG_VIEW_LENGTH
} cdg_rod_field;

// A field as output/field_view.h knows it, one of solids (stress, strain, speed, positions.z, ...), or "rod". A vector
// without a component is its length. The message of a failure lists the names.
cdg_result cdg_rod_field_parse(const char *text, cdg_rod_field *out, cdg_error *error);

static inline bool cdg_rod_field_is_per_element(const cdg_rod_field *field) {
    return cdg_field_get(field->view.field).per == CDG_FIELD_PER_ELEMENT;
}

static inline bool cdg_rod_field_is_of_rods(const cdg_rod_field *field) {
    return field->is_set && !field->is_only_of_solids;
}

// Refuses a field that nothing in the run has.
cdg_result cdg_rod_field_check(const cdg_rod_field *field, const cdg_run_reader *reader, cdg_error *error);

// How many numbers of a solid are shown: one for each node or tetrahedron.
static inline size_t cdg_rod_field_solid_entries(const cdg_rod_field *field, const cdg_run_solid_entry *solid) {
    cdg_solid_field_info info = cdg_solid_field_get(field->of_solid);
    return cdg_solid_field_entries(&info, solid->node_count, solid->tetrahedron_count);
}
// They at an output. `scratch` has room for the field (cdg_run_solid_numbers).
cdg_result cdg_rod_field_read_solid(const cdg_rod_field *field, const cdg_run_reader *reader, size_t frame,
                                    size_t solid, double *scratch, double *out, cdg_error *error);

// The field of a rod at an output, as shown: node_count or element_count numbers. `scratch` has room for the field.
cdg_result cdg_rod_field_read(const cdg_rod_field *field, const cdg_run_reader *reader, size_t frame, size_t rod,
                              double *scratch, double *out, cdg_error *error);

#endif
