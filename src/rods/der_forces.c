// Forces on the nodes of a der rod (Bergou et al. 2008, section 7.1): bending and twisting with the holonomy's share,
// stretching, Kelvin-Voigt damping by the rates of the strains, torques on elements.
#include "rods/der_explicit.h"

// Adds tau times the rates of strains to the stress.
static void damp(const cdg_rod *rod, const der_gradient *g, const double left[4], const double right[4],
                 const der_material *m, der_spring_state *s) {
    double u[2], v[2], k0 = s->strain.kappa[0], k1 = s->strain.kappa[1];
    for (int i = 0; i < 2; i++) {
        u[i] = der_dot(g->along_left[i], left);
        v[i] = der_dot(g->along_right[i], right);
    }
    double w0 = v[0] - u[0], w1 = v[1] - u[1], along = (k0 * w0 + k1 * w1) / 4, psi = (left[3] + right[3]) / 2;
    double rate0 = w0 + along * k0 + psi * k1, rate1 = w1 + along * k1 - psi * k0;
    double rate2 = (k0 * (u[1] + v[1]) - k1 * (u[0] + v[0])) / 2 + right[3] - left[3];
    s->stress.moment[0] += rod->damping_time[2] * m->bend[0] * rate0;
    s->stress.moment[1] += rod->damping_time[2] * m->bend[1] * rate1;
    s->stress.torque += rod->damping_time[3] * m->twist * rate2;
}

// Velocity of an edge and spin of its frame.
static void read_motion(const cdg_rod *rod, size_t j, double out[4]) {
    size_t next = rod_next_node(rod, j);
    for (int k = 0; k < 3; k++) out[k] = rod->v[k][next] - rod->v[k][j];
    out[3] = rod->w[2][j];
}

static void spring_pull(const cdg_rod *rod, der_spring_state *s, size_t left, size_t right, const der_material *m,
                        der_gradient *g) {
    der_differentiate(&s->strain, &s->stress, &s->left, &s->right, g);
    if (m == NULL) return;
    double motion[2][4] = {{0}}; // a held section is at rest
    if (left != SIZE_MAX) read_motion(rod, left, motion[0]);
    if (right != SIZE_MAX) read_motion(rod, right, motion[1]);
    damp(rod, g, motion[0], motion[1], m, s);
    der_differentiate(&s->strain, &s->stress, &s->left, &s->right, g);
}

void der_internal_forces(const cdg_rod *rod, const der_chain *c, double *const force[3]) {
    size_t elements = rod->element_count, nodes = rod->node_count;
    bool is_damped = der_is_damped(rod), is_stretching = rod->der.constraint == CDG_DER_CONSTRAINT_NONE;
    for (int k = 0; k < 3; k++)
        for (size_t i = 0; i < nodes; i++) force[k][i] = c->force[k][i];
    for (size_t j = 0; j < elements; j++) {
        size_t next = rod_next_node(rod, j);
        double tension = 0;
        if (is_stretching) {
            double strain = 1 / (c->inverse_length[j] * rod->rest_length[j]) - 1;
            if (is_damped) {
                double motion[4], t[3] = {c->t[0][j], c->t[1][j], c->t[2][j]};
                read_motion(rod, j, motion);
                strain += rod->damping_time[1] * der_dot(t, motion) / rod->rest_length[j];
            }
            tension = c->stretch_stiffness[j] * strain;
        }
        for (int k = 0; k < 3; k++) {
            double pull = tension * c->t[k][j];
            if (c->torque[0] != NULL)
                pull -= (c->torque[1][j] * c->d1[k][j] - c->torque[0][j] * c->d2[k][j]) * c->inverse_length[j];
            force[k][j] += pull;
            force[k][next] -= pull;
        }
    }
    size_t first = rod->is_closed ? 0 : 1, last = rod->is_closed ? nodes : nodes - 1;
    for (size_t i = first; i < last; i++) {
        size_t l = i > 0 ? i - 1 : elements - 1, next = rod_next_node(rod, i);
        der_spring_state s;
        der_gradient g;
        der_chain_spring(c, i, &s);
        der_material m = {{c->bend_stiffness[0][i], c->bend_stiffness[1][i]}, c->bend_stiffness[2][i], {0}};
        spring_pull(rod, &s, l, i, is_damped ? &m : NULL, &g);
        for (int k = 0; k < 3; k++) {
            force[k][l] += g.left[k];
            force[k][i] += g.right[k] - g.left[k];
            force[k][next] -= g.right[k];
        }
    }
    for (size_t a = 0; a < c->anchor_count; a++) {
        const der_anchor *anchor = &c->anchors[a];
        size_t j = anchor->element, next = rod_next_node(rod, j);
        der_spring_state s;
        der_gradient g;
        der_chain_anchor(c, anchor, &s);
        spring_pull(rod, &s, anchor->is_left ? SIZE_MAX : j, anchor->is_left ? j : SIZE_MAX,
                    is_damped ? &anchor->material : NULL, &g);
        for (int k = 0; k < 3; k++) {
            double pull = anchor->is_left ? g.right[k] : g.left[k];
            force[k][j] += pull;
            force[k][next] -= pull;
        }
    }
}
