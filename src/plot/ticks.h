// Where an axis has ticks and what stands there: round numbers, SI prefixes for the unit, decades on a log axis.
#ifndef CDG_PLOT_TICKS_H
#define CDG_PLOT_TICKS_H

#include <stdbool.h>
#include <stddef.h>

enum { CDG_TICKS_MAX = 128, CDG_TICK_LABEL_SIZE = 32, CDG_UNIT_SIZE = 64 };

typedef struct cdg_tick {
    double value;                    // in the data's own unit
    char label[CDG_TICK_LABEL_SIZE]; // of value / 10^exponent; "" for a minor tick
} cdg_tick;

typedef struct cdg_ticks {
    double low, high; // the axis' range, at least as wide as the data's
    int exponent;     // a multiple of 3; 0 on a log axis
    cdg_tick items[CDG_TICKS_MAX];
    size_t count;
} cdg_ticks;

// Power of ten, a multiple of 3, by which numbers of this size are best divided to be read with this unit: 0.02 m gives
// -3 (20 mm). Times are never multiplied (no ks), and nothing changes between 0.1 and 10000.
int cdg_ticks_exponent(double largest, const char *unit);

// Ticks at 1, 2, 2.5 or 5 times a power of ten, about `wanted` of them. The range is the given one, unless that is
// empty, upside down, not finite or too narrow for doubles, in which case it is widened.
cdg_ticks cdg_ticks_linear(double low, double high, size_t wanted, const char *unit);
// Ticks at powers of ten with minor ticks between; 0 < low. Ranges below a decade get labels at 1, 2, 5.
cdg_ticks cdg_ticks_log(double low, double high, size_t wanted);

// "mm" for -3 and "m"; "N*m" is shown with a centred dot; units that take no prefix are preceded by the power of ten;
// "1" is nothing. Always terminated.
void cdg_unit_text(const char *unit, int exponent, char out[CDG_UNIT_SIZE]);

// A number with at most `digits` significant ones, a true minus sign, and a power of ten where it is shorter.
void cdg_number_text(double value, int digits, char *out, size_t size);

#endif
