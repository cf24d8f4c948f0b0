// The small dense system in the middle of a chain (chain_solve.h), by Cholesky's method.
#include "math/chain_solve.h"

#include <math.h>

bool chain_solve_dense(size_t size, double a[15][15], double right[15]) {
    for (size_t j = 0; j < size; j++) {
        double pivot = a[j][j];
        for (size_t k = 0; k < j; k++) pivot -= a[j][k] * a[j][k];
        if (!(pivot > 0)) return false; // also when it is not a number
        double inverse = 1 / sqrt(pivot);
        a[j][j] = inverse;
        for (size_t i = j + 1; i < size; i++) {
            double sum = a[i][j];
            for (size_t k = 0; k < j; k++) sum -= a[i][k] * a[j][k];
            a[i][j] = sum * inverse;
        }
    }
    for (size_t i = 0; i < size; i++) {
        for (size_t k = 0; k < i; k++) right[i] -= a[i][k] * right[k];
        right[i] *= a[i][i];
    }
    for (size_t i = size; i-- > 0;) {
        for (size_t k = i + 1; k < size; k++) right[i] -= a[k][i] * right[k];
        right[i] *= a[i][i];
    }
    return true;
}
