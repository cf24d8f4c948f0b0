// When the room is used up every second number goes, and from then on only every second of those that come is kept.
#include "export/value_range.h"

#include <math.h>
#include <stdlib.h>

bool cdg_value_range_make(cdg_value_range *range) {
    *range = (cdg_value_range){.kept = malloc(CDG_VALUE_RANGE_ROOM * sizeof(double)), .stride = 1};
    return range->kept != NULL;
}

void cdg_value_range_free(cdg_value_range *range) {
    free(range->kept);
    *range = (cdg_value_range){0};
}

void cdg_value_range_add(cdg_value_range *range, const double *values, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (!isfinite(values[i]) || range->seen++ % range->stride != 0) continue;
        if (range->count == CDG_VALUE_RANGE_ROOM) {
            range->count /= 2;
            for (size_t k = 0; k < range->count; k++) range->kept[k] = range->kept[2 * k];
            range->stride *= 2;
        }
        range->kept[range->count++] = values[i];
    }
}

static int compare(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

void cdg_value_range_find(cdg_value_range *range, double out[2]) {
    out[0] = 0, out[1] = 1;
    if (range->count == 0) return;
    qsort(range->kept, range->count, sizeof *range->kept, compare);
    size_t beyond = (size_t)(0.005 * (double)range->count);
    out[0] = range->kept[beyond], out[1] = range->kept[range->count - 1 - beyond];
}
