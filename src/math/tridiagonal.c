// Symmetric tridiagonal systems by L D L^T (tridiagonal.h). A ring is opened by taking off a matrix of rank one
// (Sherman and Morrison).
#include "math/tridiagonal.h"

bool tridiagonal_solve(size_t count, double *diagonal, const double *off, double *right, bool is_ring, double *spare) {
    if (count == 0) return true;
    // A = T - |corner| u u^T with u = (sign, 0, ..., 0, 1): T is definite where A is
    double corner = is_ring ? off[count - 1] : 0, sign = corner < 0 ? 1 : -1;
    if (corner < 0) corner = -corner;
    if (is_ring) {
        diagonal[0] += corner, diagonal[count - 1] += corner;
        for (size_t i = 0; i < count; i++) spare[i] = 0;
        spare[0] = sign, spare[count - 1] = 1;
    }
    if (!(diagonal[0] > 0)) return false;
    diagonal[0] = 1 / diagonal[0];
    for (size_t i = 1; i < count; i++) {
        double l = off[i - 1] * diagonal[i - 1], pivot = diagonal[i] - l * off[i - 1];
        if (!(pivot > 0)) return false;
        right[i] -= l * right[i - 1];
        if (is_ring) spare[i] -= l * spare[i - 1];
        diagonal[i] = 1 / pivot;
    }
    right[count - 1] *= diagonal[count - 1];
    for (size_t i = count - 1; i-- > 0;) right[i] = (right[i] - off[i] * right[i + 1]) * diagonal[i];
    if (!is_ring) return true;
    spare[count - 1] *= diagonal[count - 1];
    for (size_t i = count - 1; i-- > 0;) spare[i] = (spare[i] - off[i] * spare[i + 1]) * diagonal[i];
    // (T - c u u^T)^-1 r = y + c (u.y)/(1 - c u.z) z with T y = r, T z = u
    double along = right[count - 1] + sign * right[0], left = 1 - corner * (spare[count - 1] + sign * spare[0]);
    if (!(left > 0)) return false;
    double share = corner * along / left;
    for (size_t i = 0; i < count; i++) right[i] += share * spare[i];
    return true;
}
