// Symmetric tridiagonal systems by L D L^T from both ends (tridiagonal.h). A ring is opened by taking off a matrix of
// rank one (Sherman and Morrison).
#include "math/tridiagonal.h"

// Two rows meet after elimination from both ends: the 2x2 system with pivots p and q, given by their inverses.
static bool meet(double inverse_p, double inverse_q, double off, double *a, double *b) {
    double left = 1 - off * off * inverse_p * inverse_q;
    if (!(left > 0)) return false;
    double x = (*a - off * inverse_q * *b) * inverse_p / left;
    *b = (*b - off * x) * inverse_q;
    *a = x;
    return true;
}

// From both ends at once, which are two chains of divisions that do not wait for each other. `more`: a second right
// side, or NULL.
static bool eliminate(size_t count, double *diagonal, const double *off, double *right, double *more) {
    size_t middle = (count - 1) / 2; // rows up to here from the first, the others from the last
    bool is_positive = diagonal[0] > 0 && diagonal[count - 1] > 0;
    double up = diagonal[0] = 1 / diagonal[0], down = up;
    if (count > 1) down = diagonal[count - 1] = 1 / diagonal[count - 1];
    for (size_t i = 1, j = count - 2; i <= middle; i++, j--) {
        double a = off[i - 1], b = off[j], above = a * up, below = b * down;
        if (j > middle) {
            double pivot = diagonal[j] - b * b * down;
            is_positive &= pivot > 0;
            diagonal[j] = down = 1 / pivot;
            right[j] -= below * right[j + 1];
            if (more != NULL) more[j] -= below * more[j + 1];
        }
        double pivot = diagonal[i] - a * a * up;
        is_positive &= pivot > 0;
        diagonal[i] = up = 1 / pivot;
        right[i] -= above * right[i - 1];
        if (more != NULL) more[i] -= above * more[i - 1];
    }
    if (!is_positive) return false;
    for (double *r = right; r != NULL; r = r == right ? more : NULL) {
        if (count == 1) {
            r[0] *= up;
            continue;
        }
        if (!meet(diagonal[middle], diagonal[middle + 1], off[middle], &r[middle], &r[middle + 1])) return false;
        for (size_t i = middle, j = middle + 2; i > 0 || j < count; j++) {
            if (j < count) r[j] = (r[j] - off[j - 1] * r[j - 1]) * diagonal[j];
            if (i > 0) i--, r[i] = (r[i] - off[i] * r[i + 1]) * diagonal[i];
        }
    }
    return true;
}

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
    if (!eliminate(count, diagonal, off, right, is_ring ? spare : NULL)) return false;
    if (!is_ring) return true;
    // (T - c u u^T)^-1 r = y + c (u.y)/(1 - c u.z) z with T y = r, T z = u
    double along = right[count - 1] + sign * right[0], left = 1 - corner * (spare[count - 1] + sign * spare[0]);
    if (!(left > 0)) return false;
    double share = corner * along / left;
    for (size_t i = 0; i < count; i++) right[i] += share * spare[i];
    return true;
}
