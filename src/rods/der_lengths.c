// Edges of fixed length: fast manifold projection (Bergou et al. 2008, section 7; Goldenthal et al. 2007) and the
// constraint solves of SHAKE and RATTLE (Andersen 1983). Each iteration is one tridiagonal system along the rod.
//
// With C_j = (|e_j|^2 - l_j^2)/2 and moves x += M^-1 G^T(y) lambda, G_j = edge of y at the element's ends, the linear
// system is G(x) M^-1 G^T(y) lambda = -C. For y other than x it is not quite symmetric; e_x is replaced by e_y in it,
// which costs convergence of third order in the step and nothing in the solution.
#include "rods/der_explicit.h"

#include "math/tridiagonal.h"

#include <math.h>
#include <string.h>

static void find_edges(const cdg_rod *rod, double *const x[3], double *const edge[3]) {
    for (int k = 0; k < 3; k++) {
        for (size_t j = 0; j + 1 < rod->node_count; j++) edge[k][j] = x[k][j + 1] - x[k][j];
        if (rod->is_closed) edge[k][rod->element_count - 1] = x[k][0] - x[k][rod->element_count - 1];
    }
}

static double edge_dot(double *const edge[3], size_t a, size_t b) {
    return edge[0][a] * edge[0][b] + edge[1][a] * edge[1][b] + edge[2][a] * edge[2][b];
}

// G M^-1 G^T of the edges. An edge between held nodes has nothing to move: its row is the unit's.
static void set_matrix(const cdg_rod *rod, const der_explicit_work *w) {
    size_t count = rod->element_count;
    for (size_t j = 0; j < count; j++) {
        size_t next = rod_next_node(rod, j), beside = j + 1 < count ? j + 1 : 0;
        double diagonal = (w->inverse_mass[j] + w->inverse_mass[next]) * edge_dot(w->edge, j, j);
        w->diagonal[j] = diagonal > 0 ? diagonal : 1;
        bool has_next = j + 1 < count || rod->is_closed;
        w->off[j] = has_next ? -w->inverse_mass[next] * edge_dot(w->edge, j, beside) : 0;
    }
}

static void move(const cdg_rod *rod, double *const y[3], const double *lambda, const der_explicit_work *w) {
    for (int k = 0; k < 3; k++) {
        const double *edge = w->edge[k];
        double before = rod->is_closed ? lambda[rod->element_count - 1] * edge[rod->element_count - 1] : 0;
        for (size_t i = 0; i < rod->node_count; i++) {
            double after = i < rod->element_count ? lambda[i] * edge[i] : 0;
            y[k][i] += w->inverse_mass[i] * (before - after);
            before = after;
        }
    }
}

bool der_project_lengths(const cdg_rod *rod, double *const x[3], double *const from_x[3], const der_explicit_work *w,
                         int *iterations) {
    enum { ITERATIONS = 50 };
    size_t count = rod->element_count;
    memset(w->multiplier, 0, count * sizeof(double));
    if (from_x != NULL) find_edges(rod, from_x, w->edge);
    for (*iterations = 0; *iterations < ITERATIONS; ++*iterations) {
        if (from_x == NULL) find_edges(rod, x, w->edge);
        double worst = 0;
        for (size_t j = 0; j < count; j++) {
            size_t next = rod_next_node(rod, j);
            double square, length = rod->rest_length[j];
            if (from_x == NULL) {
                square = edge_dot(w->edge, j, j);
            } else {
                double e0 = x[0][next] - x[0][j], e1 = x[1][next] - x[1][j], e2 = x[2][next] - x[2][j];
                square = e0 * e0 + e1 * e1 + e2 * e2;
            }
            double excess = (square - length * length) / 2;
            bool is_fixed = w->inverse_mass[j] + w->inverse_mass[next] == 0;
            w->right[j] = is_fixed ? 0 : -excess;
            worst = fmax(worst, fabs(excess) / (length * length));
            if (!isfinite(excess)) return false;
        }
        if (worst < 1e-10) return true;
        set_matrix(rod, w);
        if (!tridiagonal_solve(count, w->diagonal, w->off, w->right, rod->is_closed, w->spare)) return false;
        move(rod, x, w->right, w);
        for (size_t j = 0; j < count; j++) w->multiplier[j] += w->right[j];
    }
    return false;
}

bool der_project_velocities(const cdg_rod *rod, double *const x[3], double *const v[3], const der_explicit_work *w) {
    size_t count = rod->element_count;
    find_edges(rod, x, w->edge);
    for (size_t j = 0; j < count; j++) {
        size_t next = rod_next_node(rod, j);
        double rate = 0;
        for (int k = 0; k < 3; k++) rate += w->edge[k][j] * (v[k][next] - v[k][j]);
        w->right[j] = w->inverse_mass[j] + w->inverse_mass[next] == 0 ? 0 : -rate;
    }
    set_matrix(rod, w);
    if (!tridiagonal_solve(count, w->diagonal, w->off, w->right, rod->is_closed, w->spare)) return false;
    move(rod, v, w->right, w);
    memcpy(w->multiplier, w->right, count * sizeof(double));
    return true;
}
