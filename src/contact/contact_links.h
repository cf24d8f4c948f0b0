// Rows of contacts as the products of projected gradients need them: forces of contacts to forces on points and torques
// on elements, and moves of points and turns of elements to gaps and slips. Compiled once for each instruction set.
#ifndef CDG_CONTACT_CONTACT_LINKS_H
#define CDG_CONTACT_CONTACT_LINKS_H

#include <stddef.h>
#include <stdint.h>

typedef struct cdg_link {
    uint32_t point[4], element[2];
    double turn[2][4];    // of each element: along the normal and two tangents; the last is not used
    double column[3][16]; // of each of these axes: four points' x, y, z and 0
} cdg_link;

// What a link has no room for: one more of its points.
typedef struct cdg_link_point {
    uint32_t link, point;
    double column[3][3]; // of each axis: x, y, z
} cdg_link_point;

typedef struct cdg_link_kernels {
    // Adds to what is there. `force` has three numbers a point, and one more behind the last that is written as it was.
    void (*spread)(const cdg_link *links, size_t count, const double *change, double *force, double *torque);
    // `move` likewise; `out` has three a link.
    void (*feel)(const cdg_link *links, size_t count, const double *move, const double *turn, double *out);
} cdg_link_kernels;

const cdg_link_kernels *cdg_link_kernels_choose(void);

// Forces and torques where links act become 0; and those of further points.
void cdg_links_clear(const cdg_link *links, size_t count, double *force, double *torque);
void cdg_link_points_clear(const cdg_link_point *points, size_t count, double *force);
// The same as the kernels for further points.
void cdg_link_points_spread(const cdg_link_point *points, size_t count, const double *change, double *force);
void cdg_link_points_feel(const cdg_link_point *points, size_t count, const double *move, double *out);

// contact_links_simd.c
extern const cdg_link_kernels cdg_link_kernels_base, cdg_link_kernels_avx2, cdg_link_kernels_avx512;

#endif
