// A mesh whose elements are replaced a few at a time, with a journal: what was done since a mark can be undone.
#ifndef CDG_MESHING_SURGERY_H
#define CDG_MESHING_SURGERY_H

#include "meshing/stuffing.h"

#define CDG_NO_CORNER UINT32_MAX

typedef struct cdg_surgery {
    cdg_raw_mesh *mesh; // elements that are gone have the corner UINT32_MAX
    cdg_budget *budget;
    uint32_t *first, *next; // corners (4 element + k) of each point, as a list
    size_t point_room, corner_room;
    bool *is_boundary; // of each point
    struct cdg_surgery_change *changes;
    size_t change_count, change_capacity;
    bool has_memory; // false for good once some was missing; all calls then do nothing
} cdg_surgery;

bool cdg_surgery_begin(cdg_raw_mesh *mesh, cdg_budget *budget, cdg_surgery *out); // false: no memory
// Drops what is gone: elements, and points without elements. `kept` (may be NULL) gets room for a number for each
// point: which one it was; give it back to the budget.
bool cdg_surgery_end(cdg_surgery *s, uint32_t **kept);

uint32_t cdg_surgery_add_point(cdg_surgery *s, cdg_vec3 position, bool is_boundary); // UINT32_MAX: no memory
void cdg_surgery_move(cdg_surgery *s, uint32_t point, cdg_vec3 position);
void cdg_surgery_add(cdg_surgery *s, uint32_t a, uint32_t b, uint32_t c, uint32_t d);
void cdg_surgery_remove(cdg_surgery *s, uint32_t element);

static inline size_t cdg_surgery_mark(const cdg_surgery *s) { return s->change_count; }
void cdg_surgery_undo(cdg_surgery *s, size_t mark);
static inline void cdg_surgery_keep(cdg_surgery *s) { s->change_count = 0; } // nothing before this is undone

static inline bool cdg_surgery_is_gone(const cdg_surgery *s, uint32_t element) {
    return s->mesh->tetrahedra[element][0] == UINT32_MAX;
}

static inline bool cdg_surgery_has(const cdg_surgery *s, uint32_t element, uint32_t point) {
    const uint32_t *c = s->mesh->tetrahedra[element];
    return c[0] == point || c[1] == point || c[2] == point || c[3] == point;
}

// Elements that were added or moved since the mark and have cosines of dihedral angles outside of the bounds: up to
// `capacity` of them, each perhaps more than once; returns how many.
size_t cdg_surgery_find_bad(const cdg_surgery *s, size_t mark, double least, double most, uint32_t *out,
                            size_t capacity);

// The element on the other side of a face of `element`; UINT32_MAX: none, the face is on the boundary.
uint32_t cdg_surgery_beyond(const cdg_surgery *s, uint32_t element, uint32_t a, uint32_t b, uint32_t c);

// Whether the elements added since the mark are a mesh: four points each, and no face of theirs in more than two.
bool cdg_surgery_is_sound(const cdg_surgery *s, size_t mark);

// How bad an element is: the cosine farthest from 0 of its dihedral angles; 1 and more when it is flat or inverted.
// The range of cosines as well: -1 to 1 then.
double cdg_surgery_measure(const cdg_vec3 p[4], double *least, double *most);
static inline double cdg_surgery_badness(const cdg_vec3 p[4]) {
    double least, most;
    return cdg_surgery_measure(p, &least, &most);
}

#endif
