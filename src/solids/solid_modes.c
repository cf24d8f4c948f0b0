// Vibrations of a solid about its state: its stiffness against the masses of its nodes, by subspace iteration
// (subspace.h) with (K - shift M)^-1, a shift below all eigenvalues.
#include "base/error.h"
#include "math/subspace.h"
#include "solids/solid_model.h"
#include "solids/solid_system.h"

#include <stdlib.h>
#include <string.h>

typedef struct pencil {
    cdg_solid *solid;
    double *mass; // 3 node_count, kg; 0 where held
} pencil;

// out = (K - shift M)^-1 M x
static void apply(void *user, const double *x, double *out) {
    const pencil *p = user;
    cdg_solid_system *m = p->solid->system;
    size_t size = 3 * p->solid->node_count;
    for (size_t k = 0; k < size; k++) m->right[k] = p->mass[k] * x[k];
    (void)cdg_solid_solve(p->solid, 1e-12, 1);
    memcpy(out, m->move, size * sizeof *out);
}

// 1/s^2: of a wave across the solid. The shift below zero is small beside it, and grows where the state is unstable.
static double find_shift(cdg_solid *s) {
    double extent = cbrt(s->rest_volume), scale = s->def.young_modulus / (s->def.density * extent * extent);
    cdg_solid_at at = {.x = s->x};
    double shift = -1e-5 * scale;
    memset(s->system->right, 0, 3 * s->node_count * sizeof(double));
    s->system->right[0] = 1; // conjugate gradients tell by their way
    for (; shift > -1e6 * scale; shift *= 8) {
        cdg_solid_assemble(s, &at, -shift, false, 1);
        if (cdg_solid_solve(s, 1e-9, 1)) return shift;
    }
    return 0;
}

static void put_shapes(const cdg_solid *s, size_t count, const double *vectors, cdg_vec3 *shapes) {
    for (size_t mode = 0; mode < count; mode++) {
        const double *v = vectors + 3 * s->node_count * mode;
        double most = 0;
        for (size_t i = 0; i < s->node_count; i++)
            most = fmax(most, sqrt(v[3 * i] * v[3 * i] + v[3 * i + 1] * v[3 * i + 1] + v[3 * i + 2] * v[3 * i + 2]));
        for (size_t i = 0; i < s->node_count; i++)
            shapes[mode * s->node_count + i] = vec3_scale(1 / most, vec3(v[3 * i], v[3 * i + 1], v[3 * i + 2]));
    }
}

static cdg_result find(pencil *p, size_t count, double *eigenvalues, double *vectors, cdg_error *error) {
    cdg_solid *s = p->solid;
    for (size_t i = 0; i < s->node_count; i++)
        for (size_t k = 0; k < 3; k++) p->mass[3 * i + k] = s->is_held[i] ? 0 : s->mass[i];
    double shift = find_shift(s);
    if (shift == 0)
        return cdg_fail(error, CDG_ERROR_NO_CONVERGENCE, "the state of solid '%s' is too unstable", s->name);
    subspace_problem problem = {
        .size = 3 * s->node_count, .mass = p->mass, .shift = shift, .apply = apply, .user = p, .is_symmetric = true};
    switch (subspace_find(&problem, count, eigenvalues, vectors)) {
    case SUBSPACE_DONE: return CDG_OK;
    case SUBSPACE_NO_MEMORY: return cdg_fail(error, CDG_ERROR_MEMORY, "no memory for %zu modes", count);
    case SUBSPACE_TOO_FEW:
        return cdg_fail(error, CDG_ERROR_ARGUMENT, "solid '%s' has %zu modes, not %zu; ask for fewer", s->name,
                        subspace_free_count(&problem), count);
    case SUBSPACE_NOT_BELOW:
    case SUBSPACE_NOT_CONVERGED: break;
    }
    return cdg_fail(error, CDG_ERROR_NO_CONVERGENCE, "the modes of solid '%s' have not converged", s->name);
}

cdg_result cdg_solid_find_eigenvalues(cdg_solid *s, size_t count, double *eigenvalues, cdg_vec3 *shapes,
                                      cdg_error *error) {
    cdg_result result = s->system != NULL ? CDG_OK : cdg_solid_system_build(s, error);
    if (result != CDG_OK || count == 0) return result;
    size_t size = 3 * s->node_count;
    pencil p = {s, malloc(size * sizeof(double))};
    double *vectors = malloc(count * size * sizeof *vectors);
    if (p.mass == NULL || vectors == NULL)
        result = cdg_fail(error, CDG_ERROR_MEMORY, "no memory for %zu modes of solid '%s'", count, s->name);
    else
        result = find(&p, count, eigenvalues, vectors, error);
    if (result == CDG_OK && shapes != NULL) put_shapes(s, count, vectors, shapes);
    free(p.mass);
    free(vectors);
    return result;
}
