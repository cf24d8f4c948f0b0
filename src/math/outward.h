// Loads on a chain of elements answered from where they act outwards. Element j has a position x_j at its start (the
// start of the next one is its end) and a turn t_j of its own.
//
// Let a symmetric system on the chain be eliminated from each end to the other. Then for every element the rest of the
// chain is summed up in what stands at its two sides, so that
// - the response of x_j, t_j and x_{j+1} to loads on just these is one matrix, the core,
// - what happens at an element follows from what happens beside it, on the side where the load is: transfers.
// A load is thus answered without any elimination, and as far as one cares to go.
//
// Two kinds of chains: thick ones have turns about three axes, thin ones about the tangent alone.
#ifndef CDG_MATH_OUTWARD_H
#define CDG_MATH_OUTWARD_H

#include <stddef.h>

// Offsets in an element's record, doubles. Matrices stand column after column, the core as its lower half by rows.
enum {
    OUTWARD_THICK_LEFT = 0,    // (x_j, t_j) from (x_{j+1}, t_{j+1})
    OUTWARD_THICK_RIGHT = 36,  // (t_j, x_{j+1}) from (t_{j-1}, x_j)
    OUTWARD_THICK_CORE = 72,   // x_j, t_j, x_{j+1}
    OUTWARD_THICK_LEVER = 117, // what a torque of 1 does on t, and what of t counts as the turn that is reported
    OUTWARD_THICK = 120,
    OUTWARD_THIN_LEFT = 0,   // (x_j, t_j) from (x_{j+1}, t_{j+1}, x_{j+2})
    OUTWARD_THIN_RIGHT = 28, // (t_j, x_{j+1}) from (x_{j-1}, t_{j-1}, x_j)
    OUTWARD_THIN_CORE = 56,  // x_j, t_j, x_{j+1}
    OUTWARD_THIN = 88,
};

typedef struct outward_range {
    size_t first, end; // first to end - 1
} outward_range;

typedef struct outward_push {
    const double *records;
    size_t element_count, node_count;    // one more node than elements, or as many: then the last is a stand-in
    outward_range nodes[2], elements[2]; // where forces and torques are; elsewhere they are not read
    double *const *force;                // 3, node_count
    const double *torque;                // element_count; NULL: none
    double radius, cutoff; // goes on until |x| and radius |t| are below cutoff times their largest; 0: to the ends
} outward_push;

typedef struct outward_answer {
    outward_range nodes;      // that were written, and the elements between them; none when there is no load
    double first[3], last[3]; // t of the chain's first and last element; 0 where they were not reached
} outward_answer;

outward_answer outward_push_thick(const outward_push *push, double *const move[3], double *turn);
outward_answer outward_push_thin(const outward_push *push, double *const move[3], double *turn);

// outward_simd.c; first_element, last_element: those that the loads belong to
#define OUTWARD_DECLARE(suffix)                                                                                        \
    outward_answer outward_push_thick##suffix(const outward_push *push, size_t first_element, size_t last_element,     \
                                              double *const move[3], double *turn);                                    \
    outward_answer outward_push_thin##suffix(const outward_push *push, size_t first_element, size_t last_element,      \
                                             double *const move[3], double *turn);
OUTWARD_DECLARE(_base)
OUTWARD_DECLARE(_avx2)
OUTWARD_DECLARE(_avx512)
#undef OUTWARD_DECLARE

#endif
