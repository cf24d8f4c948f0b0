// Which nodes and elements are measured in vectors, and all of them in arrays (rod_rows.h).
#include "rods/rod_rows.h"

#include "base/processor.h"
#include "rods/rod_model.h"
#include "rods/rod_strain.h"

#include <math.h>

const cdg_rod_row_kernels *cdg_rod_row_kernels_now(void) {
    switch (cdg_processor_lanes()) {
#if defined(__x86_64__)
    case CDG_LANES_AVX512: return &cdg_rod_row_kernels_avx512;
    case CDG_LANES_AVX2: return &cdg_rod_row_kernels_avx2;
#endif
    default: return &cdg_rod_row_kernels_base;
    }
}

static size_t at_most(size_t count, size_t most) { return count < most ? count : most; }

// ---- which are plain ------------------------------------------------------------------------------------------------

size_t cdg_rod_plain_elements(const cdg_rod *rod, size_t first) {
    size_t end = rod->element_count - (rod->is_closed ? 1 : 0); // the last of a ring leads back to node 0
    if (rod->model != NULL && rod->model->measures.element != NULL) return 0;
    return first < end ? at_most(end - first, CDG_ROWS) : 0;
}

size_t cdg_rod_plain_nodes(const cdg_rod *rod, size_t first) {
    enum { HOLDS_MAX = 16 }; // more are looked for node by node
    if (first == 0 || rod->twist != NULL || rod->measures_angle) return 0;
    size_t end = first < rod->element_count ? first + at_most(rod->element_count - first, CDG_ROWS) : first;
    for (size_t h = 0; h < rod->hold_count && rod->hold_count <= HOLDS_MAX; h++)
        if (rod->holds[h].node >= first && rod->holds[h].node < end) end = rod->holds[h].node;
    if (rod->hold_count <= HOLDS_MAX) return end - first;
    size_t i = first;
    while (i < end && rod_hold_at(rod, i) == NULL) i++;
    return i - first;
}

// ---- all of them ----------------------------------------------------------------------------------------------------

static void put(double *const rows[3], size_t row, cdg_vec3 v) {
    rows[0][row] = v.x, rows[1][row] = v.y, rows[2][row] = v.z;
}

// Kernels write whole vectors, beyond the last row that is asked for: runs within are measured apart and copied.
static void copy(double *const from[3], double *const to[3], size_t at, size_t count) {
    for (int k = 0; k < 3; k++)
        for (size_t i = 0; i < count; i++) to[k][at + i] = from[k][i];
}

void cdg_rod_element_rows(const cdg_rod *rod, size_t first, size_t count, cdg_element_rows *out) {
    double *const strain[3] = {out->strain[0], out->strain[1], out->strain[2]};
    double *const force[3] = {out->force[0], out->force[1], out->force[2]};
    size_t plain = at_most(cdg_rod_plain_elements(rod, first), count);
    if (plain > 0) cdg_rod_row_kernels_now()->elements(rod, first, plain, strain, force);
    for (size_t i = plain; i < count; i++) {
        cdg_element_measure m;
        cdg_rod_measure_element(rod, first + i, &m);
        put(strain, i, m.strain);
        put(force, i, m.force);
    }
}

static void measure_node(const cdg_rod *rod, size_t node, double *const darboux[3], double *const moment[3],
                         size_t row) {
    cdg_node_measure m;
    cdg_rod_measure_node(rod, node, &m);
    put(darboux, row, m.darboux);
    put(moment, row, cdg_rod_moment_of(rod, node, m.strain));
    if (!m.measured.bending) darboux[0][row] = darboux[1][row] = NAN;
    if (!m.measured.twist) darboux[2][row] = NAN;
}

void cdg_rod_node_rows(const cdg_rod *rod, size_t first, size_t count, cdg_node_rows *out) {
    const cdg_rod_row_kernels *kernels = cdg_rod_row_kernels_now();
    double *const darboux[3] = {out->darboux[0], out->darboux[1], out->darboux[2]};
    double *const moment[3] = {out->moment[0], out->moment[1], out->moment[2]};
    cdg_node_rows run;
    double *const run_darboux[3] = {run.darboux[0], run.darboux[1], run.darboux[2]};
    double *const run_moment[3] = {run.moment[0], run.moment[1], run.moment[2]};
    for (size_t i = 0; i < count;) {
        size_t plain = at_most(cdg_rod_plain_nodes(rod, first + i), count - i);
        if (plain == 0) {
            measure_node(rod, first + i, darboux, moment, i);
            i++;
            continue;
        }
        kernels->nodes(rod, first + i, plain, run_darboux, run_moment);
        copy(run_darboux, darboux, i, plain);
        copy(run_moment, moment, i, plain);
        i += plain;
    }
}

// ---- energies of plain ones -----------------------------------------------------------------------------------------

void cdg_rod_element_energies(const cdg_rod *rod, size_t first, size_t count, cdg_energy_rows *out) {
    double rows[3][CDG_ROWS], *const inertia[3] = {rows[0], rows[1], rows[2]};
    cdg_rod_frame_inertias(rod, first, count, inertia);
    cdg_rod_row_kernels_now()->element_energies(rod, first, count, inertia, out);
}

void cdg_rod_node_energies(const cdg_rod *rod, size_t first, size_t count, cdg_vec3 gravity, cdg_energy_rows *out) {
    cdg_rod_row_kernels_now()->node_energies(rod, first, count, gravity, out);
}

bool cdg_rod_turns_less(const cdg_rod *rod, double cosine) {
    return cdg_rod_row_kernels_now()->count_turns_less(rod, cosine) == rod->element_count - 1;
}
