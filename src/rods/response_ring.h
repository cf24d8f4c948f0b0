// Ranges of nodes and elements of a closed rod (rod_model.h), which may go on beyond its seam, for models' responses.
#ifndef CDG_RODS_RESPONSE_RING_H
#define CDG_RODS_RESPONSE_RING_H

#include "math/outward.h"
#include "rods/rod_model.h"

// The same with first below count.
static inline outward_range ring_range(cdg_rod_range range, size_t count) {
    size_t first = range.first % count;
    return (outward_range){first, range.end - range.first + first};
}

static inline bool ring_holds(outward_range range, size_t count, size_t index) {
    return (index >= range.first && index < range.end) || index + count < range.end;
}

// The parts of a range that lie in entries low to high - 1, counted from low.
static inline void ring_parts(outward_range range, size_t count, size_t low, size_t high, outward_range parts[2]) {
    for (size_t turn = 0; turn < 2; turn++) {
        size_t first = range.first > turn * count ? range.first - turn * count : 0;
        size_t end = range.end > turn * count ? range.end - turn * count : 0;
        if (first < low) first = low;
        if (end > high) end = high;
        parts[turn] = first < end ? (outward_range){first - low, end - low} : (outward_range){0, 0};
    }
}

#endif
