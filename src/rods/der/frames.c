// The quasistatic material frame (Bergou et al. 2008, section 5.1): angles that minimise the energy while the nodes
// stay. Twisting is quadratic in the angles; curved or anisotropic rods bend differently as they turn, so Newton
// iterates.
#include "rods/der/explicit.h"

#include "math/tridiagonal.h"

#include <math.h>
#include <string.h>

// Whether turning sections changes nothing but the twist: then the first solution is the last.
static bool is_linear(const cdg_rod *rod, const der_chain *c) {
    for (size_t i = 0; i < rod->node_count; i++)
        if (c->bend_stiffness[0][i] != c->bend_stiffness[1][i] || c->bend_rest[0][i] != 0 || c->bend_rest[1][i] != 0)
            return false;
    for (size_t a = 0; a < c->anchor_count; a++) {
        const der_material *m = &c->anchors[a].material;
        if (m->bend[0] != m->bend[1] || m->rest[0] != 0 || m->rest[1] != 0) return false;
    }
    return true;
}

// Energy, its derivatives by the angles of left and right element, the second one (the same for both), the mixed one.
static double add_spring(const der_spring_state *s, double *left, double *right, double *turn, double *mixed) {
    const double *k = s->strain.kappa, *m = s->stress.moment;
    double roll = (m[1] * k[0] - m[0] * k[1]) / 2; // as in discrete_spring_template.h
    double rolls = (s->stress.bend11 * k[1] * k[1] - 2 * s->stress.bend12 * k[0] * k[1] +
                    s->stress.bend22 * k[0] * k[0] - m[0] * k[0] - m[1] * k[1]) /
                   4;
    *left = -s->stress.torque - roll;
    *right = s->stress.torque - roll;
    *turn = rolls + s->stress.twist;
    *mixed = rolls - s->stress.twist;
    return s->stress.energy;
}

static double add_node_spring(const der_chain *c, const der_explicit_work *w, size_t i) {
    size_t l = i > 0 ? i - 1 : c->element_count - 1;
    double turn, mixed, left, right;
    der_spring_state state;
    der_chain_spring_stress(c, i, &state);
    c->twist[i] = state.strain.twist;
    double value = add_spring(&state, &left, &right, &turn, &mixed);
    w->right[l] -= left;
    w->right[i] -= right;
    w->diagonal[l] += turn;
    w->diagonal[i] += turn;
    w->off[l] = mixed;
    return value;
}

// Energy of all springs; minus its gradient by the angles in `right`, its Hessian in diagonal and off.
static double assemble(const cdg_rod *rod, const der_chain *c, const der_explicit_work *w) {
    size_t elements = rod->element_count;
    double value = 0;
    for (size_t j = 0; j < elements; j++) {
        // next to nothing, so that a rod that nothing keeps from turning has one answer
        w->diagonal[j] = 1e-9 * w->scale[j];
        w->right[j] = c->torque[0] != NULL ? c->torque[2][j] : 0;
    }
    w->off[elements - 1] = 0;
    size_t done = der_choose_loops()->roll_springs(c, 1, elements, w->right, w->diagonal, w->off, &value);
    if (rod->is_closed) value += add_node_spring(c, w, 0);
    for (size_t i = done; i < elements; i++) value += add_node_spring(c, w, i);
    for (size_t a = 0; a < c->anchor_count; a++) {
        double turn, mixed, left, right;
        size_t j = c->anchors[a].element, node = c->anchors[a].node;
        der_spring_state state;
        der_chain_anchor(c, &c->anchors[a], &state);
        if (!rod->is_closed && (node == 0 || node + 1 == rod->node_count)) c->twist[node] = state.strain.twist;
        value += add_spring(&state, &left, &right, &turn, &mixed);
        w->right[j] -= c->anchors[a].is_left ? right : left;
        w->diagonal[j] += turn;
    }
    if (c->torque[0] != NULL)
        for (size_t j = 0; j < elements; j++) value -= c->torque[2][j] * c->theta[j];
    return value;
}

static void turn_frames(const der_chain *c, const double *angle, double largest, double factor) {
    size_t done = fabs(factor) * largest <= 1 ? der_choose_loops()->turn_frames(c, angle, factor) : 0;
    for (size_t j = done; j < c->element_count; j++) {
        double half = factor * angle[j] / 2, s = sin(half), k = cos(half);
        double w = c->q[0][j], x = c->q[1][j], y = c->q[2][j], z = c->q[3][j];
        c->q[0][j] = k * w - s * z, c->q[1][j] = k * x + s * y, c->q[2][j] = k * y - s * x, c->q[3][j] = k * z + s * w;
        c->theta[j] += factor * angle[j];
    }
}

// Solves for the change of the angles. Where the Hessian is indefinite a multiple of the twisting's scale is added to
// its diagonal until it is not; returns that multiple, or -1 when nothing helps.
static double solve(const cdg_rod *rod, const der_explicit_work *w, double *angle) {
    size_t count = rod->element_count;
    double *diagonal = w->force[0]; // free here
    double shift = 0;
    for (int attempt = 0; attempt < 18; attempt++) {
        memcpy(angle, w->right, count * sizeof(double));
        memcpy(diagonal, w->diagonal, count * sizeof(double));
        for (size_t j = 0; j < count && shift > 0; j++) diagonal[j] += shift * w->scale[j];
        if (tridiagonal_solve(count, diagonal, w->off, angle, rod->is_closed, w->spare)) return shift;
        shift = shift > 0 ? 8 * shift : 1e-6;
    }
    return -1;
}

static bool is_balanced(const cdg_rod *rod, const der_explicit_work *w) {
    for (size_t j = 0; j < rod->element_count; j++)
        if (!(fabs(w->right[j]) <= 1e-10 * w->scale[j])) return false;
    return true;
}

// Twist after all turns of this round; only to count turns, so what curved rods lose in the last round does not matter.
static void count_twist(const cdg_rod *rod, const der_chain *c, const double *angle) {
    size_t count = rod->element_count;
    for (size_t i = rod->is_closed ? 0 : 1; i < count; i++) c->twist[i] += angle[i] - angle[i > 0 ? i - 1 : count - 1];
}

bool der_relax_frames(const cdg_rod *rod, const der_chain *c, const der_explicit_work *w, int *iterations) {
    enum { ITERATIONS = 30 };
    size_t count = rod->element_count;
    bool is_quadratic = is_linear(rod, c);
    double *angle = w->multiplier; // free here
    if (rod->section_stride == 0) {
        double twist_stiffness = rod->bend_stiffness[2][0];
        for (size_t j = 0; j < count; j++) w->scale[j] = twist_stiffness / rod->rest_length[j];
    } else {
        for (size_t j = 0; j < count; j++) w->scale[j] = rod->bend_stiffness[2][j] / rod->rest_length[j];
    }
    double value = assemble(rod, c, w);
    // A rod that has hardly any curvature to align with its rest shape may need more rounds: the next step goes on.
    for (*iterations = 1; *iterations <= ITERATIONS; ++*iterations) {
        if (!is_quadratic && is_balanced(rod, w)) return true;
        if (solve(rod, w, angle) < 0) return false;
        double largest = der_choose_loops()->largest(count, angle);
        if (!isfinite(largest)) return false;
        double taken = largest > 1 && !is_quadratic ? 1 / largest : 1;
        turn_frames(c, angle, largest, taken);
        if (is_quadratic) {
            count_twist(rod, c, angle);
            return true;
        }
        for (;;) {
            double now = assemble(rod, c, w);
            if (now <= value + 1e-13 * fabs(value) || largest * taken < 1e-7) {
                value = now;
                break;
            }
            taken /= 2;
            turn_frames(c, angle, largest, -taken);
        }
    }
    return isfinite(value);
}
