// Subspace iteration for the lowest eigenvalues (subspace.h).
#include "math/subspace.h"

#include "math/random.h"

#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// ---- the small dense problem ----------------------------------------------------------------------------------------

// Eigenvalues and vectors (columns of v) of the symmetric n x n matrix a, which is destroyed (Jacobi's rotations).
static void jacobi(size_t n, double *a, double *v) {
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            v[i * n + j] = i == j;
            if (j > i) a[i * n + j] = a[j * n + i] = (a[i * n + j] + a[j * n + i]) / 2; // rounding
        }
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

// The same where a is not symmetric: real parts on its diagonal; the two vectors of a complex pair are real and
// imaginary part, which span the same. `room` holds n values.
static void unsymmetric(size_t n, double *a, double *v, double *room) {
    double none;
    lapack_int size = (lapack_int)n, other = 1;
    double *imaginary = room + n;
    if (LAPACKE_dgeev(LAPACK_ROW_MAJOR, 'N', 'V', size, a, size, room, imaginary, &none, other, v, size) != 0) {
        jacobi(n, a, v);
        return;
    }
    for (size_t i = 0; i < n; i++) a[i * n + i] = room[i];
}

static double weighted_dot(const subspace_problem *p, const double *a, const double *b) {
    double sum = 0;
    for (size_t i = 0; i < p->size; i++) sum += p->mass[i] * a[i] * b[i];
    return sum;
}

// Makes the vectors orthonormal by mass; twice, for what rounding leaves. A vector that vanishes is drawn anew.
static void orthonormalise(const subspace_problem *p, double *x, size_t count, cdg_random *random) {
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
    double *room;      // 2 * count
} subspace;

// One round: y = (K - shift M)^-1 M x; within the span of y, made orthonormal, the eigenvalues are shift + 1/mu of
// the operator's mu. Vectors stay sorted by falling mu, i.e. rising eigenvalue.
static void iterate(const subspace_problem *p, subspace *s, cdg_random *random) {
    size_t n = s->count, size = p->size;
    orthonormalise(p, s->x, n, random);
    for (size_t a = 0; a < n; a++) p->apply(p->user, s->x + a * size, s->y + a * size);
    for (size_t a = 0; a < n; a++)
        for (size_t b = 0; b < n; b++) s->a[a * n + b] = weighted_dot(p, s->x + a * size, s->y + b * size);
    if (p->is_symmetric)
        jacobi(n, s->a, s->v);
    else
        unsymmetric(n, s->a, s->v, s->room);
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
        s->value[a] = p->shift + 1 / mu;
    }
    for (size_t a = 0; a < n; a++)
        for (size_t i = 0; i < size; i++) {
            double sum = 0;
            for (size_t k = 0; k < n; k++) sum += s->v[k * n + a] * s->y[k * size + i];
            s->x[a * size + i] = sum;
        }
}

size_t subspace_free_count(const subspace_problem *p) {
    size_t count = 0;
    for (size_t i = 0; i < p->size; i++) count += p->mass[i] > 0;
    return count;
}

subspace_result subspace_find(const subspace_problem *p, size_t count, double *eigenvalues, double *vectors) {
    size_t free_count = subspace_free_count(p);
    if (count > free_count) return SUBSPACE_TOO_FEW;
    subspace s = {.count = count + 8 < 2 * count + 2 ? count + 8 : 2 * count + 2};
    if (s.count > free_count) s.count = free_count;
    size_t n = s.count, doubles = n * p->size;
    s.x = malloc((2 * doubles + 2 * n * n + 4 * n + 1) * sizeof(double));
    if (s.x == NULL) return SUBSPACE_NO_MEMORY;
    s.y = s.x + doubles, s.a = s.y + doubles, s.v = s.a + n * n, s.value = s.v + n * n;
    s.old_value = s.value + n, s.room = s.old_value + n;
    cdg_random random = {1};
    for (size_t i = 0; i < doubles; i++) s.x[i] = p->mass[i % p->size] > 0 ? random_in(&random, -1, 1) : 0;
    for (size_t a = 0; a < n; a++) s.value[a] = INFINITY;
    enum { ROUNDS = 500, SURE = 3 };
    int settled = 0, above = 0, rounds = p->rounds > 0 ? p->rounds : ROUNDS;
    for (int round = 0; round < rounds && settled < SURE && above < SURE; round++) {
        iterate(p, &s, &random);
        // What lies closely below the shift is among the largest in size.
        above = s.a[n * n - 1] < -0.2 * s.a[0] ? above + 1 : 0;
        double change = 0;
        for (size_t a = 0; a < count; a++)
            change = fmax(change, fabs(s.value[a] - s.old_value[a]) / (fabs(s.value[a]) + fabs(p->shift)));
        settled = change < 1e-9 ? settled + 1 : 0;
    }
    orthonormalise(p, s.x, count, &random);
    memcpy(eigenvalues, s.value, count * sizeof(double));
    if (vectors != NULL) memcpy(vectors, s.x, count * p->size * sizeof(double));
    free(s.x);
    if (above == SURE) return SUBSPACE_NOT_BELOW;
    return settled < SURE ? SUBSPACE_NOT_CONVERGED : SUBSPACE_DONE;
}
