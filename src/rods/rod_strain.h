// All that is measured at one node or one element of a rod's state, at once: for those who want several of its parts.
#ifndef CDG_RODS_ROD_STRAIN_H
#define CDG_RODS_ROD_STRAIN_H

#include "rods/rod.h"

typedef struct cdg_node_measure {
    cdg_vec3 darboux;          // 1/m about d1, d2, d3
    cdg_vec3 strain;           // the same minus that of the rest shape
    cdg_rod_measured measured; // what of it there is; the rest is 0
} cdg_node_measure;

// rod_measure.c
void cdg_rod_measure_node(const cdg_rod *rod, size_t node, cdg_node_measure *out);
void cdg_rod_measure_element(const cdg_rod *rod, size_t element, cdg_element_measure *out);
// N m, material frame, of a node's strain
cdg_vec3 cdg_rod_moment_of(const cdg_rod *rod, size_t node, cdg_vec3 strain);

#endif
