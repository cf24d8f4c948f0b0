// Rods of a world as a page is told about them. A page takes rods to have the same nodes in all pictures, so one whose
// resolution changes is shown with the parts that its elements may be halved into at most, wherever it has nodes now.
#ifndef CDG_VIEW_SHOWN_H
#define CDG_VIEW_SHOWN_H

#include "fields/field.h"

// Numbers of nodes and elements in pictures.
typedef struct cdg_shown_counts {
    size_t nodes, elements;
} cdg_shown_counts;
cdg_shown_counts cdg_shown_count(const cdg_rod *rod);

// Places in pictures: of a node of the scene's; and the other way, an element of the scene's and where on it.
size_t cdg_shown_node(const cdg_rod *rod, size_t node);
void cdg_shown_find(const cdg_rod *rod, size_t shown_element, double shown_fraction, size_t *element, double *fraction);

// A field at what is shown, one entry after the other. CDG_ERROR_MEMORY, or CDG_ERROR_ARGUMENT for what is not finite.
cdg_result cdg_shown_measure(const cdg_rod *rod, cdg_field field, double *out, cdg_error *error);
// Sections at the nodes that are shown.
void cdg_shown_sections(const cdg_rod *rod, cdg_section *out);

#endif
