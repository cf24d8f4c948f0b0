// Light records (outward_light.h), and the choice of the instruction set.
#include "math/outward_light.h"

#include "base/processor.h"

#if defined(__x86_64__)
#define CHOOSE(name, ...)                                                                                              \
    (cdg_processor_lanes() == CDG_LANES_AVX512 ? name##_avx512(__VA_ARGS__)                                            \
     : cdg_processor_lanes() == CDG_LANES_AVX2 ? name##_avx2(__VA_ARGS__)                                              \
                                               : name##_base(__VA_ARGS__))
#else
#define CHOOSE(name, ...) name##_base(__VA_ARGS__)
#endif

static void copy(const double *from, float *to, int count) {
    for (int k = 0; k < count; k++) to[k] = (float)from[k];
}

// An entry of a symmetric matrix whose lower half stands by rows.
static double entry(const double *core, int row, int column) {
    return row >= column ? core[row * (row + 1) / 2 + column] : core[column * (column + 1) / 2 + row];
}

void outward_lighten_thick(const double *records, outward_range elements, float *light) {
    for (size_t j = elements.first; j < elements.end; j++) {
        const double *record = records + j * OUTWARD_THICK, *core = record + OUTWARD_THICK_CORE;
        const double *lever = record + OUTWARD_THICK_LEVER;
        float *to = light + j * OUTWARD_LIGHT_THICK, *columns = to + OUTWARD_LIGHT_THICK_CORE;
        copy(record + OUTWARD_THICK_LEFT, to + OUTWARD_LIGHT_THICK_LEFT, 36);
        copy(record + OUTWARD_THICK_RIGHT, to + OUTWARD_LIGHT_THICK_RIGHT, 36);
        for (int row = 0; row < 9; row++) {
            double sum = 0;
            for (int k = 0; k < 3; k++) {
                columns[9 * k + row] = (float)entry(core, row, k);
                sum += entry(core, row, 3 + k) * lever[k];
            }
            columns[27 + row] = (float)sum;
        }
        copy(lever, to + OUTWARD_LIGHT_THICK_LEVER, 3);
        to[OUTWARD_LIGHT_THICK - 1] = 0;
    }
}

void outward_lighten_thin(const double *records, outward_range elements, float *light) {
    for (size_t j = elements.first; j < elements.end; j++) {
        const double *record = records + j * OUTWARD_THIN, *core = record + OUTWARD_THIN_CORE;
        float *to = light + j * OUTWARD_LIGHT_THIN, *columns = to + OUTWARD_LIGHT_THIN_CORE;
        copy(record + OUTWARD_THIN_LEFT, to + OUTWARD_LIGHT_THIN_LEFT, 28);
        copy(record + OUTWARD_THIN_RIGHT, to + OUTWARD_LIGHT_THIN_RIGHT, 28);
        for (int row = 0; row < 7; row++)
            for (int k = 0; k < 4; k++) columns[7 * k + row] = (float)entry(core, row, k);
        for (int k = OUTWARD_LIGHT_THIN_CORE + 28; k < OUTWARD_LIGHT_THIN; k++) to[k] = 0;
    }
}

void outward_light_thick(const outward_light_push *push, double *const move[3], double *turn) {
    CHOOSE(outward_light_thick, push, move, turn);
}

void outward_light_thin(const outward_light_push *push, double *const move[3], double *turn) {
    CHOOSE(outward_light_thin, push, move, turn);
}
