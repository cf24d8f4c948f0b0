// Quantities as text: a number with a unit, checked for its dimension. "2 mm", "1.3 N m^2", "10 turns", "-9.81 m/s^2".
#ifndef CDG_SCENE_UNITS_H
#define CDG_SCENE_UNITS_H

#include "keys/quantity.h"

#include <cordage/base.h>

// Exponents of metre, kilogram, second and radian. Angles are numbers with a name: see cdg_dimension_fits.
typedef struct cdg_dimension {
    int m, kg, s, rad;
} cdg_dimension;

cdg_dimension cdg_quantity_dimension(cdg_quantity quantity);
const char *cdg_quantity_text(cdg_quantity quantity);    // "a length"
const char *cdg_quantity_plural(cdg_quantity quantity);  // "lengths"
const char *cdg_quantity_unit(cdg_quantity quantity);    // "m"
const char *cdg_quantity_example(cdg_quantity quantity); // "2 mm"

typedef struct cdg_measure {
    double value; // SI
    bool has_unit;
    cdg_dimension dimension; // of the unit; all zero without one
} cdg_measure;

// Reads number and unit. Never depends on the locale. On failure the message says what is wrong and what to write, as a
// sentence about the text ("'2 mmm' has the unknown unit 'mmm'; did you mean 'mm'?"). Not-a-number, infinity and
// overflow are refused.
cdg_result cdg_measure_parse(const char *text, size_t length, cdg_measure *out, cdg_error *error);

// A bare number fits everything (SI). An angle fits where an angle is expected, and a plain number does too (radians);
// but an angle does not fit where none is expected.
bool cdg_measure_fits(const cdg_measure *measure, cdg_quantity quantity);

// "a pressure", or "in kg m^2" for what has no name here.
void cdg_dimension_describe(cdg_dimension dimension, char *out, size_t size);

// A number alone, with all of the text used: [+-] digits [. digits] [e [+-] digits]. Locale-independent.
bool cdg_number_parse(const char *text, size_t length, double *out);

#endif
