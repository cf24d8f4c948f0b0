// Vibrations about a state of a der rod: stiffness K from the analytic Hessian against the diagonal mass M. Subspace
// iteration with (K - shift M)^-1, factored in linear time, and a small dense problem by Jacobi's method. The shift
// lies below all eigenvalues, which the signs of the factorisation tell.
#include "rods/der_static.h"

#include "base/error.h"
#include "math/random.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct pencil {
    cdg_rod *rod;
    der_chain chain;
    der_workspace work;
    void *memory;
    double *mass; // 4 * node_count: kg and kg m^2; 0 where held
    size_t size;  // 4 * node_count
} pencil;

static void pencil_close(pencil *p) {
    free(p->memory);
    free(p->mass);
}

// The caller closes it, also when it fails.
static cdg_result pencil_open(pencil *p, cdg_rod *rod, const cdg_rod_loads *loads, cdg_error *error) {
    *p = (pencil){.rod = rod, .size = 4 * rod->node_count};
    p->memory = aligned_alloc(64, der_bytes(der_implicit_scratch(rod)));
    p->mass = calloc(p->size, sizeof *p->mass);
    if (p->memory == NULL || p->mass == NULL)
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

// ---- the small dense problem ----------------------------------------------------------------------------------------

// Eigenvalues and vectors (columns of v) of the symmetric n x n matrix a, which is destroyed (Jacobi's rotations).
static void jacobi(size_t n, double *a, double *v) {
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) v[i * n + j] = i == j;
    for (int sweep = 0; sweep < 60; sweep++) {
        double off = 0, on = 0;
        for (size_t i = 0; i < n; i++)
            for (size_t j = 0; j < n; j++) *(i == j ? &on : &off) += a[i * n + j] * a[i * n + j];
        if (!(off > 1e-30 * on)) return;
        for (size_t i = 0; i < n; i++)
            for (size_t j = i + 1; j < n; j++) {
                if (a[i * n + j] == 0) continue;
                double ratio = (a[j * n + j] - a[i * n + i]) / (2 * a[i * n + j]);
                double t = (ratio >= 0 ? 1 : -1) / (fabs(ratio) + sqrt(ratio * ratio + 1));
                double c = 1 / sqrt(t * t + 1), s = t * c;
                for (size_t k = 0; k < n; k++) {
                    double x = a[k * n + i], y = a[k * n + j];
                    a[k * n + i] = c * x - s * y, a[k * n + j] = s * x + c * y;
                }
                for (size_t k = 0; k < n; k++) {
                    double x = a[i * n + k], y = a[j * n + k];
                    a[i * n + k] = c * x - s * y, a[j * n + k] = s * x + c * y;
                    x = v[k * n + i], y = v[k * n + j];
                    v[k * n + i] = c * x - s * y, v[k * n + j] = s * x + c * y;
                }
            }
    }
}

static double weighted_dot(const pencil *p, const double *a, const double *b) {
    double sum = 0;
    for (size_t i = 0; i < p->size; i++) sum += p->mass[i] * a[i] * b[i];
    return sum;
}

// Makes the vectors orthonormal by mass; twice, for what rounding leaves. A vector that vanishes is drawn anew.
static void orthonormalise(const pencil *p, double *x, size_t count, cdg_random *random) {
    for (size_t a = 0; a < count; a++) {
        double *v = x + a * p->size;
        for (int attempt = 0; attempt < 4; attempt++) {
            double before = sqrt(weighted_dot(p, v, v));
            for (int round = 0; round < 2; round++)
                for (size_t b = 0; b < a; b++) {
                    double share = weighted_dot(p, v, x + b * p->size);
                    for (size_t i = 0; i < p->size; i++) v[i] -= share * x[b * p->size + i];
                }
            double norm = sqrt(weighted_dot(p, v, v));
            if (norm > 1e-10 * before && norm > 0 && isfinite(norm)) {
                for (size_t i = 0; i < p->size; i++) v[i] /= norm;
                break;
            }
            for (size_t i = 0; i < p->size; i++) v[i] = random_in(random, -1, 1);
        }
    }
}

typedef struct subspace {
    size_t count;
    double *x, *y;     // count * size
    double *a, *v;     // count * count
    double *value;     // count
    double *old_value; // count
} subspace;

// One round: y = (K - shift M)^-1 M x; within the span of y, made orthonormal, the eigenvalues are shift + 1/mu of
// the operator's mu. Vectors stay sorted by falling mu, i.e. rising eigenvalue.
static void iterate(pencil *p, subspace *s, double shift, cdg_random *random) {
    size_t n = s->count, size = p->size;
    double *scaled = s->y + n * size;
    orthonormalise(p, s->x, n, random);
    for (size_t a = 0; a < n; a++) {
        for (size_t i = 0; i < size; i++) scaled[i] = p->mass[i] * s->x[a * size + i];
        pencil_solve(p, scaled, s->y + a * size);
    }
    for (size_t a = 0; a < n; a++)
        for (size_t b = 0; b <= a; b++)
            s->a[a * n + b] = s->a[b * n + a] = (weighted_dot(p, s->x + a * size, s->y + b * size) +
                                                 weighted_dot(p, s->x + b * size, s->y + a * size)) /
                                                2;
    jacobi(n, s->a, s->v);
    for (size_t a = 0; a < n; a++) { // selection sort by mu
        size_t best = a;
        for (size_t b = a + 1; b < n; b++)
            if (s->a[b * n + b] > s->a[best * n + best]) best = b;
        double mu = s->a[best * n + best];
        s->a[best * n + best] = s->a[a * n + a], s->a[a * n + a] = mu;
        for (size_t k = 0; k < n && best != a; k++) {
            double swap = s->v[k * n + a];
            s->v[k * n + a] = s->v[k * n + best], s->v[k * n + best] = swap;
        }
        s->old_value[a] = s->value[a];
        s->value[a] = shift + 1 / mu;
    }
    for (size_t a = 0; a < n; a++)
        for (size_t i = 0; i < size; i++) {
            double sum = 0;
            for (size_t k = 0; k < n; k++) sum += s->v[k * n + a] * s->y[k * size + i];
            s->x[a * size + i] = sum;
        }
}

static cdg_result find_modes(pencil *p, size_t count, double *eigenvalues, double *shapes, cdg_error *error) {
    size_t free_count = 0;
    for (size_t i = 0; i < p->size; i++) free_count += p->mass[i] > 0;
    if (count > free_count)
        return cdg_fail(error, CDG_ERROR_ARGUMENT, "rod '%s' has %zu modes, not %zu", p->rod->name, free_count, count);

    subspace s = {.count = count + 8 < 2 * count + 2 ? count + 8 : 2 * count + 2};
    if (s.count > free_count) s.count = free_count;
    size_t n = s.count, vectors = n * p->size;
    s.x = malloc((2 * vectors + p->size + 2 * n * n + 2 * n) * sizeof(double));
    if (s.x == NULL) return cdg_fail(error, CDG_ERROR_MEMORY, "no memory for %zu modes", count);

    s.y = s.x + vectors, s.a = s.y + vectors + p->size, s.v = s.a + n * n, s.value = s.v + n * n;
    s.old_value = s.value + n;
    cdg_random random = {1};
    for (size_t i = 0; i < vectors; i++) s.x[i] = p->mass[i % p->size] > 0 ? random_in(&random, -1, 1) : 0;
    for (size_t a = 0; a < n; a++) s.value[a] = INFINITY;

    double scale = der_eigenvalue_scale(p->rod), shift = -1e-3 * scale;
    pencil_factor(p, shift);
    while (p->work.matrix.negative_count > 0 && shift > -1e15 * scale) pencil_factor(p, shift *= 8);
    enum { ROUNDS = 500 };
    int settled = 0;
    for (int round = 0; round < ROUNDS && settled < 3; round++) {
        iterate(p, &s, shift, &random);
        double change = 0;
        for (size_t a = 0; a < count; a++)
            change = fmax(change, fabs(s.value[a] - s.old_value[a]) / (fabs(s.value[a]) + fabs(shift)));
        settled = change < 1e-9 ? settled + 1 : 0;
    }
    orthonormalise(p, s.x, count, &random);
    memcpy(eigenvalues, s.value, count * sizeof(double));
    if (shapes != NULL) memcpy(shapes, s.x, count * p->size * sizeof(double));
    free(s.x);
    if (settled < 3)
        return cdg_fail(error, CDG_ERROR_NO_CONVERGENCE, "the modes of rod '%s' have not converged", p->rod->name);
    return CDG_OK;
}

cdg_result der_find_modes(cdg_rod *rod, const cdg_rod_loads *loads, size_t count, double *eigenvalues, double *shapes,
                          cdg_error *error) {
    pencil p;
    cdg_result result = pencil_open(&p, rod, loads, error);
    if (result == CDG_OK && count > 0) result = find_modes(&p, count, eigenvalues, shapes, error);
    pencil_close(&p);
    return result;
}
