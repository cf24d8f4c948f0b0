// Rows of the contacts of explicit rods, eight at a time, one in each lane: made into batches for the sweeps, and once
// forces are found made again, exactly, to give the forces to points and elements and to read back what they do.
// contact_row.c has the equations, and the same for one contact at a time.
#ifndef CDG_CONTACT_CONTACT_ROWS_H
#define CDG_CONTACT_CONTACT_ROWS_H

#include "contact/body_pieces.h"
#include "contact/contact_sweep.h"
#include "contact/pieces.h"

struct cdg_contact;

// A point as lanes read it: one cache line.
typedef struct cdg_row_point {
    double base[3];
    double give;    // m/N
    double move[3]; // m, in the step, in the candidate
    double root;    // of the give
} cdg_row_point;

// An element: two cache lines. Those without length have an inverse of 0.
typedef struct cdg_row_element {
    double axis[3], inverse;  // at the base: unit, and 1/length
    double radius[2];         // m: at the first end, and how much it grows to the other
    double turn, give;        // rad, in the candidate; rad/(N m)
    double plain[3], shorter; // as axis and inverse, but in the candidate
    double root, unused[3];   // of the give
} cdg_row_element;

enum { CDG_ROW_POINT = 8, CDG_ROW_ELEMENT = 16 }; // doubles

// Where a force acts on an element (contact_row.c).
typedef struct cdg_row_side {
    double w;           // parameter of the foot
    cdg_vec3 axis, arm; // arm over the length
    cdg_vec3 lever;     // axis x arm
} cdg_row_side;

typedef struct cdg_row_maker {
    struct cdg_contact *contacts;
    const cdg_pieces *pieces;
    const cdg_body_piece *bodies;
    bool at_base;           // where lever arms are taken (contacts.h)
    double tolerance_share; // of the radius
    int threads;            // that share contacts out; less than 2: none
    const double *points, *elements;
} cdg_row_maker;

typedef struct cdg_row_kernels {
    // Fills batches whose points, elements and numbers of rows are there.
    void (*fill)(const cdg_row_maker *maker, cdg_sweep_batch *batch);
    // Adds what a batch's forces do to the pieces' forces and torques.
    void (*give_back)(const cdg_row_maker *maker, const cdg_sweep_batch *batch);
    // The contacts' forces, and what is left of slips after the pieces' moves.
    void (*read_back)(const cdg_row_maker *maker, const cdg_sweep_batch *batch);
} cdg_row_kernels;

extern const cdg_row_kernels cdg_row_kernels_base, cdg_row_kernels_avx2, cdg_row_kernels_avx512;
const cdg_row_kernels *cdg_row_kernels_choose(void);

// Memory that is kept from call to call. Zero is a good start.
typedef struct cdg_row_memory {
    double *points, *elements;
    size_t point_capacity, element_capacity;
    cdg_sweep_link *links;
    size_t link_capacity;
} cdg_row_memory;

void cdg_row_memory_free(cdg_row_memory *memory);
// Room for links. False: no memory.
bool cdg_row_memory_reserve_links(cdg_row_memory *memory, size_t contact_count);
// Points, elements and links as they are in the candidate. False: no memory.
bool cdg_row_maker_start(cdg_row_maker *maker, cdg_row_memory *memory, size_t contact_count);

#endif
