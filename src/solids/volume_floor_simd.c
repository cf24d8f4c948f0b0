// Looks at the volumes of all tetrahedra, several at once (volume_floor.h).
#include "solids/solid_lanes.h"
#include "solids/volume_floor.h"

#include <math.h>

#define JOIN_TWO(a, b) a##b
#define JOIN(a, b) JOIN_TWO(a, b)
#define VARIANT(name) JOIN(name, CDG_SIMD_SUFFIX)

// From corner 0, a row each.
SIMD_INLINE lanes3 edges_of(const cdg_solid *solid, double *const x[3], size_t slot) {
    lanes3 e;
    for (int i = 0; i < 3; i++) {
        simd_double origin = simd_gather_uint32(x[i], solid->corner[0] + slot);
        for (int j = 0; j < 3; j++) e.m[j][i] = simd_gather_uint32(x[i], solid->corner[j + 1] + slot) - origin;
    }
    return e;
}

SIMD_INLINE simd_double dot3(const lanes3 *a, const lanes3 *b) {
    simd_double sum = a->m[0][0] * b->m[0][0];
    for (int k = 1; k < 9; k++) sum += a->m[k / 3][k % 3] * b->m[k / 3][k % 3];
    return sum;
}

SIMD_INLINE simd_double determinant(const lanes3 *e, const lanes3 *cof) {
    return e->m[0][0] * cof->m[0][0] + e->m[0][1] * cof->m[0][1] + e->m[0][2] * cof->m[0][2];
}

// With corners that each go at most d, |gradient of the motion| is at most d (sum of areas)/(3 volume) = s, and the
// volume at least (1 - s)^3 of what it is. So s may be 1 - cbrt(y), y being what it may come to over what it is; that
// is convex, and above its tangents at 1 and at 0.12.
double VARIANT(cdg_volume_floor_room)(const cdg_solid *solid, double *const x[3], double share) {
    simd_double least = simd_broadcast(HUGE_VAL);
    for (size_t slot = 0; slot < solid->slot_count; slot += SIMD_LANES) {
        lanes3 e = edges_of(solid, x, slot), cof = cofactor(&e);
        simd_double det = determinant(&e, &cof), rest = simd_load(solid->volume + slot), areas = {0}, fourth = {0};
        for (int j = 0; j < 3; j++) {
            areas += simd_sqrt(cof.m[j][0] * cof.m[j][0] + cof.m[j][1] * cof.m[j][1] + cof.m[j][2] * cof.m[j][2]);
            simd_double sum = cof.m[0][j] + cof.m[1][j] + cof.m[2][j];
            fourth += sum * sum;
        }
        areas = 0.5 * (areas + simd_sqrt(fourth));
        simd_double volume = det * (1.0 / 6), low = share * rest;
        simd_double room = simd_max(volume - low, 2.013 * volume - 4.1106 * low) / areas;
        least = simd_select(rest > 0, simd_min(least, room), least);
    }
    double out = HUGE_VAL;
    for (size_t lane = 0; lane < SIMD_LANES; lane++)
        if (!(simd_get(&least, lane) >= out)) out = simd_get(&least, lane);
    return out;
}

// The volume on a straight way is a cubic, which lies between its least and its largest Bernstein coefficient.
void VARIANT(cdg_volume_floor_look)(const cdg_solid *solid, double *const base[3], double *const x[3], double share,
                                    bool out[2]) {
    simd_mask is_low = {0}, is_doubtful = {0};
    for (size_t slot = 0; slot < solid->slot_count; slot += SIMD_LANES) {
        lanes3 e = edges_of(solid, x, slot), cof = cofactor(&e), from = edges_of(solid, base, slot), way;
        lanes3 cof_from = cofactor(&from);
        simd_double det = determinant(&e, &cof), det_from = determinant(&from, &cof_from);
        simd_double rest = simd_load(solid->volume + slot), volume = det * (1.0 / 6);
        for (int k = 0; k < 9; k++) way.m[k / 3][k % 3] = e.m[k / 3][k % 3] - from.m[k / 3][k % 3];
        simd_store(solid->slot_volume + slot, volume);
        is_low |= (rest > 0) & ~(volume >= share * rest);
        is_doubtful |= (rest > 0) & ((3 * det_from + dot3(&cof_from, &way) <= 0) | (3 * det - dot3(&cof, &way) <= 0));
    }
    out[0] = simd_any(is_low);
    out[1] = simd_any(is_doubtful);
}
