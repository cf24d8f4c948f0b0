// Vibrations about a state of a der rod: stiffness K from the analytic Hessian against the diagonal mass M. Subspace
// iteration (subspace.h) with (K - shift M)^-1, factored in linear time. The shift lies below all eigenvalues, which
// the signs of the factorisation tell.
#include "rods/der/static.h"

#include "base/error.h"
#include "math/subspace.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct pencil {
    cdg_rod *rod;
    der_chain chain;
    der_workspace work;
    void *memory;
    double *mass;   // 4 * node_count: kg and kg m^2; 0 where held
    double *scaled; // as mass
    size_t size;    // 4 * node_count
} pencil;

static void pencil_close(pencil *p) {
    free(p->memory);
    free(p->mass);
    free(p->scaled);
}

// The caller closes it, also when it fails.
static cdg_result pencil_open(pencil *p, cdg_rod *rod, const cdg_rod_loads *loads, cdg_error *error) {
    *p = (pencil){.rod = rod, .size = 4 * rod->node_count};
    p->memory = aligned_alloc(64, der_bytes(der_implicit_scratch(rod)));
    p->mass = calloc(p->size, sizeof *p->mass);
    p->scaled = calloc(p->size, sizeof *p->scaled);
    if (p->memory == NULL || p->mass == NULL || p->scaled == NULL)
        return cdg_fail(error, CDG_ERROR_MEMORY, "no memory for the modes of %zu elements", rod->element_count);
    char *next = der_setup(rod, (der_scheme){0}, loads, p->memory, &p->chain);
    der_workspace_place(&p->work, (double *)(void *)next, rod->node_count, rod->is_closed);
    for (int k = 0; k < 3; k++) memcpy(rod->x_next[k], rod->x[k], rod->node_count * sizeof(double));
    size_t element;
    if (!der_chain_start(&p->chain, &element))
        return cdg_fail(error, CDG_ERROR_NO_CONVERGENCE, "element %zu has no length", element);
    der_chain_settle_tension(&p->chain);
    for (size_t i = 0; i < rod->node_count; i++) {
        for (size_t k = 0; k < 3; k++) p->mass[4 * i + k] = isfinite(p->chain.weight[i]) ? rod->node_mass[i] : 0;
        if (i < rod->element_count)
            p->mass[4 * i + 3] = rod->rest_length[i] * rod->frame_inertia[2][i * rod->section_stride];
    }
    return CDG_OK;
}

static void pencil_factor(pencil *p, double shift) {
    strip_clear(&p->work.matrix);
    der_chain_assemble(&p->chain, &p->work.matrix, 1);
    for (size_t i = 0; i < p->rod->node_count; i++)
        for (int k = 0; k < 4; k++)
            der_strip_add_diagonal(&p->chain, &p->work.matrix, i, k, -shift * p->mass[4 * i + (size_t)k]);
    strip_factor(&p->work.matrix);
}

// out = (K - shift M)^-1 in
static void pencil_solve(pencil *p, const double *in, double *out) {
    double border[STRIP_BORDER] = {0};
    size_t skip = p->chain.is_closed ? STRIP_BORDER : 0;
    memcpy(border, in, skip * sizeof(double));
    memcpy(p->work.solution, in + skip, (p->size - skip) * sizeof(double));
    strip_solve_more(&p->work.matrix, p->work.solution, border);
    memcpy(out, border, skip * sizeof(double));
    memcpy(out + skip, p->work.solution, (p->size - skip) * sizeof(double));
}

cdg_result der_count_modes_below(cdg_rod *rod, const cdg_rod_loads *loads, double shift, size_t *count,
                                 cdg_error *error) {
    pencil p;
    cdg_result result = pencil_open(&p, rod, loads, error);
    if (result == CDG_OK) {
        pencil_factor(&p, shift);
        *count = p.work.matrix.negative_count;
    }
    pencil_close(&p);
    return result;
}

// The operator of subspace.h.
static void apply(void *user, const double *x, double *out) {
    pencil *p = user;
    for (size_t i = 0; i < p->size; i++) p->scaled[i] = p->mass[i] * x[i];
    pencil_solve(p, p->scaled, out);
}

static cdg_result find_modes(pencil *p, size_t count, double *eigenvalues, double *shapes, cdg_error *error) {
    double scale = cdg_rod_eigenvalue_scale(p->rod), shift = -1e-3 * scale;
    pencil_factor(p, shift);
    while (p->work.matrix.negative_count > 0 && shift > -1e15 * scale) pencil_factor(p, shift *= 8);
    subspace_problem problem = {
        .size = p->size, .mass = p->mass, .shift = shift, .apply = apply, .user = p, .is_symmetric = true};
    switch (subspace_find(&problem, count, eigenvalues, shapes)) {
    case SUBSPACE_DONE: return CDG_OK;
    case SUBSPACE_NO_MEMORY: return cdg_fail(error, CDG_ERROR_MEMORY, "no memory for %zu modes", count);
    case SUBSPACE_TOO_FEW:
        return cdg_fail(error, CDG_ERROR_ARGUMENT,
                        "rod '%s' has %zu modes, not %zu; ask for fewer modes, or give it more elements", p->rod->name,
                        subspace_free_count(&problem), count);
    case SUBSPACE_NOT_BELOW:
    case SUBSPACE_NOT_CONVERGED: break;
    }
    return cdg_fail(error, CDG_ERROR_NO_CONVERGENCE, "the modes of rod '%s' have not converged", p->rod->name);
}

cdg_result der_find_modes(cdg_rod *rod, const cdg_rod_loads *loads, size_t count, double *eigenvalues, double *shapes,
                          cdg_error *error) {
    pencil p;
    cdg_result result = pencil_open(&p, rod, loads, error);
    if (result == CDG_OK && count > 0) result = find_modes(&p, count, eigenvalues, shapes, error);
    pencil_close(&p);
    return result;
}
