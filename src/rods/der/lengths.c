// Edges of fixed length: fast manifold projection (Bergou et al. 2008, section 7; Goldenthal et al. 2007) and the
// constraint solves of SHAKE and RATTLE (Andersen 1983). Each iteration is one tridiagonal system along the rod.
//
// With C_j = (|e_j|^2 - l_j^2)/2 and moves x += M^-1 G^T(y) lambda, G_j = edge of y at the element's ends, the linear
// system is G(x) M^-1 G^T(y) lambda = -C. For y other than x it is not quite symmetric; e_x is replaced by e_y in it,
// which costs convergence of third order in the step and nothing in the solution.
//
// A straight rod whose ends are held has one constraint too many: no force of its edges moves a node across it, so
// lengths cannot be kept when its ends approach (or only by leaps: nodes across it go as the root of the way, with no
// bound at first), and tension is undetermined when they do not. There elements give way by their stiffness.
#include "rods/der/explicit.h"

#include "math/tridiagonal.h"

#include <float.h>
#include <math.h>
#include <string.h>

static double edge_dot(double *const edge[3], size_t a, size_t b) {
    return edge[0][a] * edge[0][b] + edge[1][a] * edge[1][b] + edge[2][a] * edge[2][b];
}

// Edges of x, G M^-1 G^T's diagonal, and the constraints' excess with its sign changed; returns the largest part of it.
// An edge between held nodes has nothing to move: its row is the unit's.
static double find_edges(const cdg_rod *rod, double *const x[3], const der_explicit_work *w) {
    size_t inner = rod->node_count - 1;
    double worst =
        der_choose_loops()->find_edges(inner, x, rod->rest_length, w->inverse_mass, w->edge, w->right, w->diagonal);
    if (!rod->is_closed) return worst;
    for (int k = 0; k < 3; k++) w->edge[k][inner] = x[k][0] - x[k][inner];
    double square = edge_dot(w->edge, inner, inner), length = rod->rest_length[inner];
    double excess = (square - length * length) / 2, part = fabs(excess) / (length * length);
    double mobility = w->inverse_mass[inner] + w->inverse_mass[0];
    w->right[inner] = mobility > 0 ? -excess : 0;
    w->diagonal[inner] = mobility > 0 && square > 0 ? mobility * square : 1;
    return part <= worst ? worst : isfinite(part) ? part : INFINITY;
}

static double yield_dot(const cdg_hold *hold, double *const edge[3], size_t a, size_t b) {
    return vec3_dot(rod_vec3(edge, a), symmetric3_times(hold->yield, rod_vec3(edge, b)));
}

// Edges at places of bodies, which yield by matrices: their parts of the diagonal. Those that nothing else moves were
// taken for held ones.
static double add_yields(const cdg_rod *rod, const der_explicit_work *w) {
    double worst = 0;
    for (int adds = 0; adds < 2; adds++)
        for (size_t h = 0; h < rod->hold_count; h++) {
            const cdg_hold *hold = &rod->holds[h];
            size_t beside[2] = {rod_left_element(rod, hold->node), rod_right_element(rod, hold->node)};
            for (int side = 0; side < 2 && hold->yields; side++) {
                size_t j = beside[side];
                if (j == SIZE_MAX) continue;
                if (adds) w->diagonal[j] += yield_dot(hold, w->edge, j, j);
                if (adds || w->inverse_mass[j] + w->inverse_mass[rod_next_node(rod, j)] > 0) continue;
                double rest = rod->rest_length[j] * rod->rest_length[j];
                w->right[j] = (rest - edge_dot(w->edge, j, j)) / 2;
                w->diagonal[j] = 0;
                worst = fmax(worst, fabs(w->right[j]) / rest);
            }
        }
    return worst;
}

static void couple_edges(const cdg_rod *rod, const der_explicit_work *w) {
    size_t last = rod->element_count - 1;
    der_choose_loops()->couple_edges(rod->element_count, w->edge, w->inverse_mass, w->off);
    w->off[last] = rod->is_closed ? -w->inverse_mass[0] * edge_dot(w->edge, last, 0) : 0;
    for (size_t h = 0; h < rod->hold_count; h++) {
        const cdg_hold *hold = &rod->holds[h];
        size_t left = rod_left_element(rod, hold->node), right = rod_right_element(rod, hold->node);
        if (hold->yields && left != SIZE_MAX && right != SIZE_MAX)
            w->off[left] -= yield_dot(hold, w->edge, left, right);
    }
}

// Places of bodies, whose holds get the forces that moved them.
static void move_yielding(const cdg_rod *rod, double *const y[3], const double *lambda, const der_explicit_work *w) {
    for (size_t h = 0; h < rod->hold_count; h++) {
        cdg_hold *hold = &rod->holds[h];
        if (!hold->yields) continue;
        size_t left = rod_left_element(rod, hold->node), right = rod_right_element(rod, hold->node);
        cdg_vec3 pull = vec3(0, 0, 0);
        if (left != SIZE_MAX) pull = vec3_mad(pull, lambda[left], rod_vec3(w->edge, left));
        if (right != SIZE_MAX) pull = vec3_mad(pull, -lambda[right], rod_vec3(w->edge, right));
        rod_set_vec3(y, hold->node, vec3_add(rod_vec3(y, hold->node), symmetric3_times(hold->yield, pull)));
        hold->force = vec3_mad(hold->force, w->pull, pull);
    }
}

static void move(const cdg_rod *rod, double *const y[3], const double *lambda, const der_explicit_work *w) {
    size_t count = rod->element_count, last = count - 1;
    for (int k = 0; k < 3; k++) {
        const double *edge = w->edge[k];
        der_choose_loops()->move_nodes(count, lambda, edge, w->inverse_mass, y[k]);
        double wrap = lambda[last] * edge[last];
        y[k][0] += w->inverse_mass[0] * ((rod->is_closed ? wrap : 0) - lambda[0] * edge[0]);
        if (!rod->is_closed) y[k][count] += w->inverse_mass[count] * wrap;
    }
    move_yielding(rod, y, lambda, w);
}

// Half the squared lengths' excess of x, with its sign changed, where the edges are those of another shape.
static double find_excess(const cdg_rod *rod, double *const x[3], const der_explicit_work *w) {
    double worst = 0;
    for (size_t j = 0; j < rod->element_count; j++) {
        size_t next = rod_next_node(rod, j);
        double e0 = x[0][next] - x[0][j], e1 = x[1][next] - x[1][j], e2 = x[2][next] - x[2][j];
        double rest = rod->rest_length[j] * rod->rest_length[j], excess = (e0 * e0 + e1 * e1 + e2 * e2 - rest) / 2;
        w->right[j] = w->inverse_mass[j] + w->inverse_mass[next] == 0 ? 0 : -excess;
        double part = fabs(excess) / rest;
        if (!(part <= worst)) worst = isfinite(part) ? part : INFINITY;
    }
    return worst;
}

// Elements that give way by their stiffness: excess + compliance multiplier = 0, where a multiplier over time^2 is the
// tension over the length, so the compliance of half the squared length is length^3/(E A time^2).
static double add_compliance(const cdg_rod *rod, double time2, const der_explicit_work *w) {
    double worst = 0;
    for (size_t j = 0; j < rod->element_count; j++) {
        double length = rod->rest_length[j], rest = length * length;
        double compliance = rest * length / (rod->stretch_stiffness[2][j * rod->section_stride] * time2);
        if (w->inverse_mass[j] + w->inverse_mass[rod_next_node(rod, j)] == 0) continue;
        w->right[j] -= compliance * w->multiplier[j];
        w->diagonal[j] += compliance;
        double part = fabs(w->right[j]) / rest;
        if (!(part <= worst)) worst = isfinite(part) ? part : INFINITY;
    }
    return worst;
}

// How well lengths can be told: coordinates far from the origin are rounded by more than 1e-10 of a short element.
static double rounding(const cdg_rod *rod, double *const x[3]) {
    double largest = 0, shortest = INFINITY;
    for (int k = 0; k < 3; k++)
        for (size_t i = 0; i < rod->node_count; i++) largest = fmax(largest, fabs(x[k][i]));
    for (size_t j = 0; j < rod->element_count; j++) shortest = fmin(shortest, rod->rest_length[j]);
    return 4 * DBL_EPSILON * largest / shortest;
}

bool der_project_lengths(const cdg_rod *rod, double *const x[3], double *const from_x[3], double time2,
                         const der_explicit_work *w, int *iterations) {
    enum { ITERATIONS = 50, FAST = 4 };
    size_t count = rod->element_count;
    double limit = 1e-10;
    memset(w->multiplier, 0, count * sizeof(double));
    for (*iterations = 0; *iterations < ITERATIONS; ++*iterations) {
        if (*iterations == FAST) limit = fmax(limit, rounding(rod, x));
        double worst = find_edges(rod, from_x == NULL ? x : from_x, w);
        if (from_x != NULL) worst = find_excess(rod, x, w);
        worst = fmax(worst, add_yields(rod, w));
        if (time2 > 0) worst = add_compliance(rod, time2, w);
        if (worst < limit) return true;
        if (!(worst < INFINITY)) return false;
        couple_edges(rod, w);
        if (!tridiagonal_solve(count, w->diagonal, w->off, w->right, rod->is_closed, w->spare)) return false;
        move(rod, x, w->right, w);
        for (size_t j = 0; j < count; j++) w->multiplier[j] += w->right[j];
    }
    return false;
}

bool der_project_velocities(const cdg_rod *rod, double *const x[3], double *const v[3], const der_explicit_work *w) {
    size_t count = rod->element_count;
    find_edges(rod, x, w);
    for (size_t j = 0; j < count; j++) {
        size_t next = rod_next_node(rod, j);
        double rate = 0;
        for (int k = 0; k < 3; k++) rate += w->edge[k][j] * (v[k][next] - v[k][j]);
        w->right[j] = w->inverse_mass[j] + w->inverse_mass[next] == 0 ? 0 : -rate;
    }
    couple_edges(rod, w);
    if (!tridiagonal_solve(count, w->diagonal, w->off, w->right, rod->is_closed, w->spare)) return false;
    move(rod, v, w->right, w);
    memcpy(w->multiplier, w->right, count * sizeof(double));
    return true;
}
