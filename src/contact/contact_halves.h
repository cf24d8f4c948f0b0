// Two halves of the points such that most rows act within one of them: rows of different halves share no point, so two
// threads can sweep them at once without waiting for each other, each in its own caches.
#ifndef CDG_CONTACT_CONTACT_HALVES_H
#define CDG_CONTACT_CONTACT_HALVES_H

#include "contact/contact_sweep.h"

// Writes the half of each row, or that it acts on both. Points from cut[0] on are the second half's, elements from
// cut[1] on. False: no cut is worth it, all rows act on both, and all points and elements are the first half's.
// Independent of the number of threads.
bool cdg_halves_choose(const cdg_sweep_problem *problem, uint8_t *half_of, size_t cut[2]);

#endif
