// Numbers as text that every program reads back: a decimal point whatever the locale says.
#ifndef CDG_OUTPUT_NUMBER_H
#define CDG_OUTPUT_NUMBER_H

#include <stddef.h>

enum { CDG_NUMBER_SIZE = 32 }; // holds any double in either form

// 17 significant digits ("%.17g"), so that reading gives the same bits; "nan", "inf" and "-inf" stand for themselves.
// Returns the length.
size_t cdg_number_exact(double value, char out[CDG_NUMBER_SIZE]);

// The fewest digits that still give the same bits when read.
size_t cdg_number_shortest(double value, char out[CDG_NUMBER_SIZE]);
// The same for single precision: at most 9 digits.
size_t cdg_number_shortest_float(float value, char out[CDG_NUMBER_SIZE]);

#endif
