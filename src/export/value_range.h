// The range that most of many numbers lie in: what a legend shows. Numbers come one after the other; a bounded and even
// choice of them is kept.
#ifndef CDG_EXPORT_VALUE_RANGE_H
#define CDG_EXPORT_VALUE_RANGE_H

#include <stdbool.h>
#include <stddef.h>

enum { CDG_VALUE_RANGE_ROOM = 8192 };

typedef struct cdg_value_range {
    double *kept; // CDG_VALUE_RANGE_ROOM
    size_t count, seen, stride;
} cdg_value_range;

bool cdg_value_range_make(cdg_value_range *range); // false: out of memory
void cdg_value_range_free(cdg_value_range *range);
void cdg_value_range_add(cdg_value_range *range, const double *values, size_t count); // what is not finite is left out
// 0.5 % of the numbers may be beyond either end; 0 and 1 when there are none.
void cdg_value_range_find(cdg_value_range *range, double out[2]);

#endif
