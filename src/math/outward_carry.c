// Loads on a chain carried on together (outward_carry.h): how they enter, and the choice of the instruction set.
#include "math/outward_carry.h"

#include "base/processor.h"

#include <math.h>
#include <string.h>

static const double *record_of(const outward_carry *c) {
    return c->chain.records + c->element * (c->chain.is_thick ? OUTWARD_THICK : OUTWARD_THIN);
}

static size_t turns_of(const outward_carry *c) { return c->chain.is_thick ? 3 : 1; }

outward_carry outward_carry_begin(outward_chain chain, size_t element, size_t threes, double *memory) {
    outward_carry carry = {.chain = chain, .element = element, .room = outward_carry_room(threes)};
    carry.x = memory, carry.t = memory + 3 * carry.room, carry.y = memory + 6 * carry.room;
    memset(memory, 0, OUTWARD_CARRY_ROWS * carry.room * sizeof *memory); // whole vectors are carried
    return carry;
}

static double larger(double a, double b) { return a > b ? a : b; } // fmax would be a call

// By the unknowns of the element: of a thick chain the turn's three are what its lever makes of it.
static void spread(const outward_carry *c, const outward_three *three, double rows[9][4]) {
    const double *lever = record_of(c) + OUTWARD_THICK_LEVER;
    size_t turns = turns_of(c);
    for (size_t a = 0; a < 4; a++) {
        for (size_t k = 0; k < 3; k++) rows[k][a] = three->row[k][a], rows[3 + turns + k][a] = three->row[4 + k][a];
        for (size_t k = 0; k < turns; k++) rows[3 + k][a] = (turns == 3 ? lever[k] : 1) * three->row[3][a];
    }
}

void outward_carry_enter(outward_carry *c, const outward_three *load) {
    const double *core = record_of(c) + (c->chain.is_thick ? OUTWARD_THICK_CORE : OUTWARD_THIN_CORE);
    double rows[9][4];
    spread(c, load, rows);
    switch (cdg_processor_lanes()) {
#if defined(__x86_64__)
    case CDG_LANES_AVX512: outward_carry_enter_avx512(c, core, rows); break;
    case CDG_LANES_AVX2: outward_carry_enter_avx2(c, core, rows); break;
#endif
    default: outward_carry_enter_base(c, core, rows);
    }
    c->end += 3;
}

double outward_carry_reach(const outward_carry *c, size_t first) {
    double most = 0;
    for (size_t a = first; a < first + 3; a++) {
        for (size_t k = 0; k < 3; k++)
            most = larger(most, larger(fabs(c->x[k * c->room + a]), fabs(c->y[k * c->room + a])));
        for (size_t k = 0; k < turns_of(c); k++) most = larger(most, c->chain.radius * fabs(c->t[k * c->room + a]));
    }
    return most;
}

void outward_carry_on(outward_carry *c) {
    c->element++;
    const double *transfer = record_of(c) + (c->chain.is_thick ? OUTWARD_THICK_RIGHT : OUTWARD_THIN_RIGHT);
    switch (cdg_processor_lanes()) {
#if defined(__x86_64__)
    case CDG_LANES_AVX512: outward_carry_on_avx512(c, transfer); break;
    case CDG_LANES_AVX2: outward_carry_on_avx2(c, transfer); break;
#endif
    default: outward_carry_on_base(c, transfer);
    }
    double *x = c->x; // what was the end is the start; the new end is where the start was
    c->x = c->y, c->y = x;
}

void outward_carry_felt(const outward_carry *c, const outward_three *weight, double *out) {
    double rows[9][4];
    spread(c, weight, rows);
    switch (cdg_processor_lanes()) {
#if defined(__x86_64__)
    case CDG_LANES_AVX512: outward_carry_felt_avx512(c, rows, out); return;
    case CDG_LANES_AVX2: outward_carry_felt_avx2(c, rows, out); return;
#endif
    default: outward_carry_felt_base(c, rows, out);
    }
}
