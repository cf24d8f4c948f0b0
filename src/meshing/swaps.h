// Local operations that make elements better: edges and faces swapped, edges contracted, points moved. Each is done
// only when the worst of the elements that it replaces was worse than the worst of those that it makes.
#ifndef CDG_MESHING_SWAPS_H
#define CDG_MESHING_SWAPS_H

#include "meshing/surgery.h"

// What may happen at the boundary. Without functions its points and edges stay.
typedef struct cdg_swap_rules {
    void *user;
    // whether these points of the boundary lie in one flat part of the surface
    bool (*is_flat)(void *user, const uint32_t *points, int count);
    // whether a point of the boundary may be contracted into another, as far as these, all points of its boundary
    // faces, tell; that the volume stays is looked at besides
    bool (*may_vanish)(void *user, uint32_t from, uint32_t to, const uint32_t *points, int count);
    // where a point of the boundary that goes to *place ends up; false: it must not
    bool (*follow)(void *user, uint32_t point, cdg_vec3 *position);
    bool is_strict; // the smallest angle of what is replaced may not get smaller, nor the largest one, if above 140
                    // degrees, larger
    double enough;  // badness below which a swap need not make anything better; 0: none
    double tiny;    // m^3: difference of volumes that is rounding
} cdg_swap_rules;

bool cdg_swap_edge(cdg_surgery *s, const cdg_swap_rules *rules, uint32_t a, uint32_t b);
bool cdg_swap_face(cdg_surgery *s, const cdg_swap_rules *rules, uint32_t element, int face);
bool cdg_contract_edge(cdg_surgery *s, const cdg_swap_rules *rules, uint32_t from, uint32_t to);
bool cdg_move_better(cdg_surgery *s, const cdg_swap_rules *rules, uint32_t point);

// All of the above on the edges, faces and points of an element, until one helps.
bool cdg_element_improve(cdg_surgery *s, const cdg_swap_rules *rules, uint32_t element);

// Passes over all elements worse than `limit` (see cdg_surgery_badness), and over what became of them.
void cdg_mesh_improve(cdg_surgery *s, const cdg_swap_rules *rules, double limit, int passes);

#endif
