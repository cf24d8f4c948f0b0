// Sums of columns (solid_columns.h), for each instruction set.
#include "math/simd.h"
#include "solids/solid_columns.h"

#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)

cdg_column_kernel JOIN(cdg_column_kernel, CDG_SIMD_SUFFIX);

void JOIN(cdg_column_kernel, CDG_SIMD_SUFFIX)(const double *columns, size_t stride, const double force[3],
                                              double *sum) {
    const double *x = columns, *y = columns + stride, *z = columns + 2 * stride;
    for (size_t i = 0; i < stride; i += SIMD_LANES)
        simd_store(sum + i, simd_load(sum + i) + force[0] * simd_load(x + i) + force[1] * simd_load(y + i) +
                                force[2] * simd_load(z + i));
}
