// Loads on places of an open chain, answered there and at places after them, all at once: what matrices between places
// on a chain are made of. One goes along the chain, loads enter on the way and are carried on together: each is a
// column, and an element's transfer is applied to all columns, a vector of them at a time. The chain's compliance is
// symmetric, so what is before a load need not be asked.
#ifndef CDG_MATH_OUTWARD_CARRY_H
#define CDG_MATH_OUTWARD_CARRY_H

#include "math/outward.h"

#include <stdbool.h>

// A chain that is summed up in records. NULL: there is none.
typedef struct outward_chain {
    const double *records;
    bool is_thick;
    double radius; // m: how far out a turn moves the surface
} outward_chain;

// Of an element, by rows: its start (3), its turn, its end (3). Columns are three loads, or how moves of these change
// three numbers; the fourth is not used.
typedef struct outward_three {
    double row[7][4];
} outward_three;

enum { OUTWARD_CARRY_ROWS = 9, OUTWARD_CARRY_LANES = 16 };

typedef struct outward_carry {
    outward_chain chain;
    size_t element;    // that one is at
    size_t first, end; // columns that are carried; those before them no longer move anything
    size_t room;       // numbers from row to row
    double *x, *t, *y; // what the columns do to the element's start, turn and end: three rows each; thin: one of t
} outward_carry;

// Columns for so many loads in threes, and for one more, since they enter by fours.
static inline size_t outward_carry_room(size_t threes) {
    return (3 * threes + OUTWARD_CARRY_LANES) / OUTWARD_CARRY_LANES * OUTWARD_CARRY_LANES;
}
// `memory`: OUTWARD_CARRY_ROWS x room doubles
outward_carry outward_carry_begin(outward_chain chain, size_t element, size_t threes, double *memory);
// Three loads more, on the element that one is at.
void outward_carry_enter(outward_carry *carry, const outward_three *load);
// To the next element.
void outward_carry_on(outward_carry *carry);
// What three numbers feel of the columns first to end - 1 at the element; `out`: three rows, `room` numbers each.
void outward_carry_felt(const outward_carry *carry, const outward_three *weight, double *out);
// The largest move by the three loads from column `first` on: of positions, and what turns do to the surface.
double outward_carry_reach(const outward_carry *carry, size_t first);

// outward_carry_simd.c; `rows`: of start, t (thick: three), end
#define OUTWARD_CARRY_DECLARE(suffix)                                                                                  \
    void outward_carry_enter##suffix(const outward_carry *carry, const double *core, double rows[9][4]);               \
    void outward_carry_on##suffix(const outward_carry *carry, const double *transfer);                                 \
    void outward_carry_felt##suffix(const outward_carry *carry, double rows[9][4], double *out);
OUTWARD_CARRY_DECLARE(_base)
OUTWARD_CARRY_DECLARE(_avx2)
OUTWARD_CARRY_DECLARE(_avx512)
#undef OUTWARD_CARRY_DECLARE

#endif
