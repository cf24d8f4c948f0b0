// What rods of random scenes meet: obstacles and solids, and how contact with them is.
#ifndef CDG_TESTS_SOAK_SOLIDS_H
#define CDG_TESTS_SOAK_SOLIDS_H

#include "soak_writer.h"

// A floor below z and obstacles on it.
void write_obstacles(writer *w, double z);
void write_contact(writer *w, bool may_separate);
// Solids above all else in the scene: one, or two of which the second lies over the first, and falls on it or is thrown
// at it.
void write_solids(writer *w);

#endif
