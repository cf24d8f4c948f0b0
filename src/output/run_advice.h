// What a run should make its user doubt, and what helps: asked of the models of the rods concerned.
#ifndef CDG_OUTPUT_RUN_ADVICE_H
#define CDG_OUTPUT_RUN_ADVICE_H

#include "output/checkpoint.h"

// A residual above this (relative to the element length) makes a step a poor one: a rope that is drawn over a table is
// strained by as much, and its far end may not have moved at all.
#define CDG_POOR_RESIDUAL 5e-3

// Turns between neighbours that make a model's moment wrong by more than this share are too large: for a straight rod
// whose turns count by their sine, from 0.39 rad on.
#define CDG_POOR_MOMENT 0.025

enum { CDG_ADVICE_SIZE = 512 };

// After every step: counts poor ones and those that were divided, and keeps the worst.
void cdg_run_advice_count(const cdg_world *world, const cdg_step_report *report, cdg_run_tally *tally);
// Tetrahedra of less than this times their volume at rest are told to be inside out; what is squeezed flat is not.
#define CDG_INVERTED_VOLUME -0.01

// Sections of a taut rod that lean against its centreline by more than this, rad, have given way by shear.
#define CDG_POOR_TILT 0.1

// At every output: keeps where turns between neighbours make moments wrong by most, solids are inside out, and sections
// of taut rods have given way.
void cdg_run_advice_look(const cdg_world *world, cdg_run_tally *tally);

// One sentence or two, with the rod, the time and the cure; false and "" when all is well.
bool cdg_run_advice_residual(const cdg_world *world, const cdg_run_tally *tally, char out[CDG_ADVICE_SIZE]);
bool cdg_run_advice_turn(const cdg_world *world, const cdg_run_tally *tally, char out[CDG_ADVICE_SIZE]);
bool cdg_run_advice_solid(const cdg_world *world, const cdg_run_tally *tally, char out[CDG_ADVICE_SIZE]);
// Sections that give way by shear where a rod is pulled.
bool cdg_run_advice_tilt(const cdg_world *world, const cdg_run_tally *tally, char out[CDG_ADVICE_SIZE]);
// Energy from nowhere, more than the guard allows, though for a few steps only.
bool cdg_run_advice_energy(const cdg_world *world, const cdg_run_tally *tally, char out[CDG_ADVICE_SIZE]);

// How often resolution has changed, and how often it should have become finer but could not.
typedef struct cdg_adapt_counts {
    uint64_t splits, merges, refused_splits;
} cdg_adapt_counts;
cdg_adapt_counts cdg_run_count_changes(const cdg_world *world);
// Of the rod with most refusals, if they are more than a few of what was asked for.
bool cdg_run_advice_adapt(const cdg_world *world, char out[CDG_ADVICE_SIZE]);

#endif
