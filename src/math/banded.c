// Banded linear systems by LAPACK. Bands here are some twenty entries wide, far below the sizes at which a BLAS starts
// threads or changes its way of summing, so results repeat to the last bit. The `_work` forms allocate nothing.
#include "math/banded.h"

#include <assert.h>
#include <lapacke.h>
#include <string.h>

_Static_assert(sizeof(lapack_int) == sizeof(int), "pivots are kept as int");

void cdg_banded_clear(const cdg_banded *a) {
    memset(a->values, 0, a->size * cdg_banded_column(a->width) * sizeof *a->values);
}

bool cdg_banded_factor(const cdg_banded *a) {
    int size = (int)a->size, width = (int)a->width, column = (int)cdg_banded_column(a->width);
    lapack_int info = LAPACKE_dgbtrf_work(LAPACK_COL_MAJOR, size, size, width, width, a->values, column, a->pivots);
    assert(info >= 0);
    return info == 0;
}

bool cdg_banded_solve(const cdg_banded *a, double *right) {
    if (!cdg_banded_factor(a)) return false;
    int size = (int)a->size, width = (int)a->width, column = (int)cdg_banded_column(a->width);
    lapack_int info =
        LAPACKE_dgbtrs_work(LAPACK_COL_MAJOR, 'N', size, width, width, 1, a->values, column, a->pivots, right, size);
    return info == 0;
}

void cdg_banded_positive_clear(const cdg_banded_positive *a) {
    memset(a->values, 0, a->size * (a->width + 1) * sizeof *a->values);
}

bool cdg_banded_positive_solve(const cdg_banded_positive *a, double *right) {
    int size = (int)a->size, width = (int)a->width, column = (int)(a->width + 1);
    lapack_int info = LAPACKE_dpbtrf_work(LAPACK_COL_MAJOR, 'L', size, width, a->values, column);
    assert(info >= 0);
    if (info != 0) return false;
    return LAPACKE_dpbtrs_work(LAPACK_COL_MAJOR, 'L', size, width, 1, a->values, column, right, size) == 0;
}
