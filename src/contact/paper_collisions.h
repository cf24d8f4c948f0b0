// Which points of surfaces lie in other surfaces or in obstacles at the end of a step, and which triangle each has
// passed: the nearest. Unlike the rest of contact, this takes a point that is on the wrong side for one that is on it.
#ifndef CDG_CONTACT_PAPER_COLLISIONS_H
#define CDG_CONTACT_PAPER_COLLISIONS_H

#include "contact/box_pairs.h"

#include <cordage/base.h>

struct cdg_contacts;
struct cdg_contact_input;

// Memory of the search; zero is a good start.
typedef struct cdg_paper {
    double *column;   // of the pieces' points: sum of the weights of what has passed a triangle there; 0 between uses
    cdg_box *boxes;   // of all vertices, then of all triangles
    cdg_box *near;    // of what may meet of two surfaces: vertices of both, then triangles of both
    uint32_t *number; // which these are
    cdg_box *around;  // of each surface, over the step
    size_t point_capacity, box_capacity, surface_capacity;
    cdg_box_finder finder;
} cdg_paper;

// Radii, which are a twentieth of the shortest edge: how far from triangles points are looked for.
enum { CDG_PAPER_REACH = 10 };

// Puts the collisions into the contacts' list, those of each pair of objects side by side: gap and normal, the weights
// in the triangle. *is_too_fast is set where points move so far at once that some may have gone through unnoticed.
cdg_result cdg_paper_find(struct cdg_contacts *contacts, const struct cdg_contact_input *input, bool *is_too_fast,
                          cdg_error *error);
void cdg_paper_free(cdg_paper *paper);

#endif
