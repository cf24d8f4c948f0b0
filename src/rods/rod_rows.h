// Measures of several nodes or elements of a rod at once, as arrays. Plain elements, and nodes that lie between two
// elements and are not held, are measured in vectors (rod_rows_simd.c), all others one by one (rod_measure.c), to the
// same bits.
#ifndef CDG_RODS_ROD_ROWS_H
#define CDG_RODS_ROD_ROWS_H

#include "rods/rod.h"

enum { CDG_ROWS = 64 }; // at most at once: they stay in the nearest cache

typedef struct cdg_element_rows {
    double strain[3][CDG_ROWS]; // shear d1, shear d2, stretch
    double force[3][CDG_ROWS];  // N
} cdg_element_rows;

typedef struct cdg_node_rows {
    double darboux[3][CDG_ROWS]; // 1/m; NaN: nothing is measured
    double moment[3][CDG_ROWS];  // N m; 0 at free ends
} cdg_node_rows;

// Energies, J. `bend` and `twist` are of nodes, `stretch` and `shear` of elements.
typedef struct cdg_energy_rows {
    double kinetic[CDG_ROWS], weight[CDG_ROWS]; // weight: m g . x, of nodes
    union {
        double bend[CDG_ROWS];
        double stretch[CDG_ROWS];
    };
    union {
        double twist[CDG_ROWS];
        double shear[CDG_ROWS];
    };
} cdg_energy_rows;

// Of `count` elements, or nodes, from `first` on, any of them.
void cdg_rod_element_rows(const cdg_rod *rod, size_t first, size_t count, cdg_element_rows *out);
void cdg_rod_node_rows(const cdg_rod *rod, size_t first, size_t count, cdg_node_rows *out);

// From `first` on, how many nodes or elements are measured in vectors; CDG_ROWS at most.
size_t cdg_rod_plain_elements(const cdg_rod *rod, size_t first);
size_t cdg_rod_plain_nodes(const cdg_rod *rod, size_t first);
// Energies of these.
void cdg_rod_element_energies(const cdg_rod *rod, size_t first, size_t count, cdg_energy_rows *out);
void cdg_rod_node_energies(const cdg_rod *rod, size_t first, size_t count, cdg_vec3 gravity, cdg_energy_rows *out);
// Whether all nodes turn from rest by less than the angle whose half has this cosine; of an open rod with free ends.
// Held nodes count as if they were free.
bool cdg_rod_turns_less(const cdg_rod *rod, double cosine);

// What rod_rows_simd.c holds, for each instruction set.
typedef struct cdg_rod_row_kernels {
    void (*elements)(const cdg_rod *rod, size_t first, size_t count, double *const strain[3], double *const force[3]);
    void (*nodes)(const cdg_rod *rod, size_t first, size_t count, double *const darboux[3], double *const moment[3]);
    void (*element_energies)(const cdg_rod *rod, size_t first, size_t count, double *const inertia[3],
                             cdg_energy_rows *out);
    void (*node_energies)(const cdg_rod *rod, size_t first, size_t count, cdg_vec3 gravity, cdg_energy_rows *out);
    size_t (*count_turns_less)(const cdg_rod *rod, double cosine);
} cdg_rod_row_kernels;
extern const cdg_rod_row_kernels cdg_rod_row_kernels_base, cdg_rod_row_kernels_avx2, cdg_rod_row_kernels_avx512;
const cdg_rod_row_kernels *cdg_rod_row_kernels_now(void);

#endif
