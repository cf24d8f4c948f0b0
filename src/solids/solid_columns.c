// Columns of a solid's response, made when they are asked for (solid_columns.h).
#include "solids/solid_columns.h"

#include "base/processor.h"
#include "solids/solid_system.h"

#include <stdlib.h>
#include <string.h>

enum { WHOLE = 8 }; // doubles of a vector

static cdg_column_kernel *choose_kernel(void) {
    switch (cdg_processor_lanes()) {
#if defined(__x86_64__)
    case CDG_LANES_AVX512: return cdg_column_kernel_avx512;
    case CDG_LANES_AVX2: return cdg_column_kernel_avx2;
#endif
    default: return cdg_column_kernel_base;
    }
}

void cdg_solid_columns_free(cdg_solid_columns *it) {
    free(it->place);
    free(it->listed);
    free(it->value);
    free(it->sum);
    *it = (cdg_solid_columns){0};
}

bool cdg_solid_columns_make(cdg_solid_columns *it, const uint32_t *node, size_t node_count) {
    size_t most = node_count < CDG_SOLID_COLUMNS_MOST ? node_count : CDG_SOLID_COLUMNS_MOST;
    *it = (cdg_solid_columns){.node = node, .node_count = node_count};
    it->stride = (3 * node_count + WHOLE) / WHOLE * WHOLE;
    it->place = malloc((node_count + 1) * sizeof *it->place);
    it->listed = malloc((most + 1) * sizeof *it->listed);
    it->value = aligned_alloc(64, 3 * (most + 1) * it->stride * sizeof *it->value);
    it->sum = aligned_alloc(64, it->stride * sizeof *it->sum);
    if (it->place == NULL || it->listed == NULL || it->value == NULL || it->sum == NULL) {
        cdg_solid_columns_free(it);
        return false;
    }
    memset(it->place, 0xff, (node_count + 1) * sizeof *it->place);
    return true;
}

static void forget(cdg_solid_columns *it) {
    for (size_t i = 0; i < it->count; i++) it->place[it->listed[i]] = UINT32_MAX;
    it->count = 0;
}

// Three columns: unit forces on a node.
static void find_columns(cdg_solid_columns *it, cdg_solid *s, uint32_t at) {
    const cdg_solid_system *m = s->system;
    double *column = it->value + 3 * it->count * it->stride;
    memset(column, 0, 3 * it->stride * sizeof *column);
    it->place[at] = (uint32_t)it->count;
    it->listed[it->count++] = at;
    if (s->is_held[it->node[at]]) return;
    cdg_solid_solve_units(s, it->node[at]);
    for (size_t i = 0; i < it->node_count; i++) {
        const double *from = m->units + BLOCK_DOUBLES * m->pattern->position[it->node[i]];
        for (size_t axis = 0; axis < 3; axis++)
            for (size_t k = 0; k < 3; k++) column[axis * it->stride + 3 * i + k] = from[4 * k + axis];
    }
}

bool cdg_solid_columns_respond(cdg_solid_columns *it, cdg_solid *s, double *const force[3], double *const move[3]) {
    const cdg_solid_system *m = s->system;
    if (m->pattern == NULL || !m->has_factors || it->value == NULL) return false;
    if (it->of_factor != m->factor_number) forget(it);
    it->of_factor = m->factor_number;
    cdg_column_kernel *add = choose_kernel();
    memset(it->sum, 0, it->stride * sizeof *it->sum);
    for (uint32_t i = 0; i < it->node_count; i++) {
        const double f[3] = {force[0][i], force[1][i], force[2][i]};
        if (f[0] == 0 && f[1] == 0 && f[2] == 0) continue;
        if (it->place[i] == UINT32_MAX && it->count == CDG_SOLID_COLUMNS_MOST) return false;
        if (it->place[i] == UINT32_MAX) find_columns(it, s, i);
        add(it->value + 3 * (size_t)it->place[i] * it->stride, it->stride, f, it->sum);
    }
    for (size_t i = 0; i < it->node_count; i++)
        for (int k = 0; k < 3; k++) move[k][i] = it->sum[3 * i + (size_t)k];
    return true;
}
