// The memory of a step of tied rods and solids, shared by tie_solve.c, which finds where they come to, and tie_yield.c,
// which says how the rods yield to further forces.
#ifndef CDG_WORLD_TIE_WORK_H
#define CDG_WORLD_TIE_WORK_H

#include "world/tie.h"

typedef struct tie_unit {
    uint32_t team;
    size_t first, count; // in `order`
    bool has_failed;
    // How its rod yields to contact where solids do (tie_yield.c); no ways: contact does not ask.
    cdg_yield yield;
    uint32_t yield_rod; // its index
    double *kept;       // its candidate, before a section was moved
} tie_unit;

struct world_ties {
    size_t size; // unknowns
    // the inverse of I + C S, size^2, rows first, in moves (m) and turns times the tie's length; lasts
    double *inverse;
    bool is_known;
    double step; // s: that it is for
    // of a solution
    double *stiffness, *compliance, *matrix; // size^2
    double *gap, *best_gap, *move, *spare;   // size
    tie_state *best;
    uint32_t *order; // ties, unit by unit
    tie_unit *units;
    size_t unit_count;
    uint32_t *solids; // that carry ties, as contact counts them: after the rods
    size_t solid_count;
    cdg_step_context *context;
    bool keeps_response;
    bool has_yields; // of this step
};

// tie_yield.c
void cdg_tie_yields_free(struct world_ties *work);
// Of a unit that contact may touch: its rod's candidate is kept, and then what each move of a section, `size` of it,
// makes of that.
void cdg_tie_yield_begin(const cdg_world *world, tie_unit *unit);
void cdg_tie_yield_record(const cdg_world *world, tie_unit *unit, size_t way, double size);
bool cdg_tie_yields_are_wanted(const cdg_world *world, const struct world_ties *work);
// With the system just measured: how far sections go by forces along these ways.
void cdg_tie_yields_finish(const cdg_world *world, struct world_ties *work);

#endif
