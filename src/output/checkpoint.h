// A world's state as a block of 64-bit words that knows whether it is whole.
#ifndef CDG_OUTPUT_CHECKPOINT_H
#define CDG_OUTPUT_CHECKPOINT_H

#include <cordage/world.h>

// What a run has counted until now, so that a resumed run's summary speaks of the whole run. All doubles: it is
// stored as such.
typedef struct cdg_run_tally {
    double wall_seconds;        // in all processes that worked on the run
    double energy_start;        // J, total
    double worst_residual;      // largest of any step, relative to the element length
    double worst_residual_time; // s
    double worst_rod;           // index of the rod in order of creation; -1: none
    double poor_step_count;     // steps whose residual was above the limit that warns
    double halved_step_count;   // steps that a model, or the world for contact, had to halve to find a solution
    double part_count;          // internal steps of the rod that took most, in all steps
    double turn_error;          // largest share at any output by which turns between neighbours make a moment wrong
    double turn, turn_time;     // rad, s: the turn there, and when
    double turn_rod;            // index of the rod; -1: none
    double inverted_count;      // most tetrahedra of a solid that were inside out at any output
    double inverted_solid;      // its index in order of creation
    double inverted_time;       // s
    double inverted_at[3];      // m: the middle of the one that is turned most
    double tilt;                // rad: most at any output by which a section of a taut rod has given way by shear
    double tilt_stretch;        // of the element there: its length over that at rest, less one
    double tilt_time, tilt_rod; // s; index of the rod in order of creation
} cdg_run_tally;

typedef struct cdg_checkpoint {
    uint64_t sequence; // counts up; the higher of two is the newer
    uint64_t frame;    // the last output written
    uint64_t step;     // the world's step index, at or after that output
    cdg_run_tally tally;
    const double *extra; // numbers of the run's own that are kept, too; decoded: within the block
    size_t extra_count;  // at most the words that the block has beyond those of the world; decoded: as many
} cdg_checkpoint;

// 64-bit words of a block for this world, without extra numbers.
size_t cdg_checkpoint_words(const cdg_world *world);

// A block is memory of that many doubles: the state is doubles, the other words are 64-bit integers copied in and out.

// Fills `block` with the world's state.
cdg_result cdg_checkpoint_encode(const cdg_checkpoint *checkpoint, const cdg_world *world, double *block,
                                 size_t word_count);

// Whether the block is whole, and what it says.
bool cdg_checkpoint_decode(const double *block, size_t word_count, cdg_checkpoint *out);

// Puts a whole block's state into the world. False when the block does not belong to such a world.
bool cdg_checkpoint_load(const double *block, cdg_world *world);

#endif
