// Bounds of moving chains (swept_bounds.h), several nodes at once.
#include "geometry/swept_bounds.h"
#include "math/simd.h"

#include <string.h>

#define JOIN_TWO(a, b) a##b
#define JOIN(a, b) JOIN_TWO(a, b)
#define VARIANT(name) JOIN(name, CDG_SIMD_SUFFIX)

SIMD_INLINE simd_double read(const double *from) {
    simd_double value;
    memcpy(&value, from, sizeof value);
    return value;
}

// Largest values and largest negative values of both states' coordinates.
static void grow_along(const double *from, const double *to, size_t first, size_t end, double *low, double *high) {
    double most = *high, least = *low;
    size_t i = first;
    if (end - first >= SIMD_LANES) {
        simd_double high_from = read(from + first), low_from = -high_from, high_to = read(to + first),
                    low_to = -high_to;
        for (i = first + SIMD_LANES; i < end; i += SIMD_LANES) {
            size_t at = i + SIMD_LANES <= end ? i : end - SIMD_LANES; // those left, and some again
            simd_double a = read(from + at), b = read(to + at);
            high_from = simd_max(a, high_from), low_from = simd_max(-a, low_from);
            high_to = simd_max(b, high_to), low_to = simd_max(-b, low_to);
        }
        high_from = simd_max(high_from, high_to), low_from = simd_max(low_from, low_to);
        for (size_t k = 0; k < SIMD_LANES; k++) {
            double a = simd_get(&high_from, k), b = -simd_get(&low_from, k);
            most = a > most ? a : most, least = b < least ? b : least;
        }
        i = end;
    }
    for (; i < end; i++) {
        double larger = from[i] > to[i] ? from[i] : to[i], smaller = from[i] < to[i] ? from[i] : to[i];
        most = larger > most ? larger : most, least = smaller < least ? smaller : least;
    }
    *high = most, *low = least;
}

static void grow_box(const swept_chain *chain, double low[3], double high[3]) {
    for (int k = 0; k < 3; k++) grow_along(chain->from[k], chain->to[k], chain->first, chain->end, &low[k], &high[k]);
}

SIMD_INLINE simd_double along(const double *const at[3], size_t i, const double axis[3]) {
    simd_double sum = axis[0] * (read(at[0] + i + 1) - read(at[0] + i));
    for (int k = 1; k < 3; k++) sum += axis[k] * (read(at[k] + i + 1) - read(at[k] + i));
    return sum;
}
SIMD_INLINE double along_one(const double *const at[3], size_t i, const double axis[3]) {
    double sum = 0;
    for (int k = 0; k < 3; k++) sum += axis[k] * (at[k][i + 1] - at[k][i]);
    return sum;
}

static int goes_along(const swept_chain *chain, const double axis[3], double share) {
    size_t i = chain->first;
    for (; i + SIMD_LANES + 1 <= chain->end; i += SIMD_LANES) {
        simd_double wanted = share * read(chain->rest_length + i);
        simd_mask goes =
            (simd_mask)(along(chain->from, i, axis) >= wanted) & (simd_mask)(along(chain->to, i, axis) >= wanted);
        if (simd_any(~goes)) return 0;
    }
    for (; i + 1 < chain->end; i++) {
        double wanted = share * chain->rest_length[i];
        if (!(along_one(chain->from, i, axis) >= wanted) || !(along_one(chain->to, i, axis) >= wanted)) return 0;
    }
    return 1;
}

const swept_kernels VARIANT(swept_kernels) = {grow_box, goes_along};
