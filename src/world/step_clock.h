// Where the time of a world's steps goes. Nothing that is computed depends on it.
#ifndef CDG_WORLD_STEP_CLOCK_H
#define CDG_WORLD_STEP_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

typedef enum cdg_phase {
    CDG_PHASE_PREDICT, // everything alone, as if nothing touched
    CDG_PHASE_CONTACT, // finding contacts and their forces
    CDG_PHASE_AGAIN,   // what is touched once more, with the forces
    CDG_PHASE_COMMIT,  // books, energy guard, new state, new resolution
    CDG_PHASE_COUNT
} cdg_phase;

typedef struct cdg_step_clock {
    double seconds[CDG_PHASE_COUNT]; // of tries that became steps
    double in_vain;                  // s, of tries that did not: the step was divided
    double rounds;                   // how often something was predicted again with contact forces
    // The step under way.
    double weight; // steps that it stands for; 0: it is not timed
    double mark;   // s, when the phase under way began
    double tried[CDG_PHASE_COUNT];
} cdg_step_clock;

// Begins a step. Where steps are so short that looking at the clock would be felt, one in `one_in` is timed.
void cdg_step_clock_start(cdg_step_clock *clock, uint64_t step_index, unsigned one_in);
void cdg_step_clock_lap(cdg_step_clock *clock, cdg_phase phase); // what was done since the last lap was this
void cdg_step_clock_round(cdg_step_clock *clock);
void cdg_step_clock_end_try(cdg_step_clock *clock, bool is_kept);

#endif
