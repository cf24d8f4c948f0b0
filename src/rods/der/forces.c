// Forces on the nodes of a der rod (Bergou et al. 2008, section 7.1): bending and twisting with the holonomy's share,
// stretching, Kelvin-Voigt damping by the rates of the strains, torques on elements.
#include "rods/der/explicit.h"
#include "rods/der/options.h"

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
    double rate[3];
    der_rates(&s->strain, g, motion[0], motion[1], rate);
    for (int k = 0; k < 2; k++) s->stress.moment[k] += rod->damping_time[2] * m->bend[k] * rate[k];
    s->stress.torque += rod->damping_time[3] * m->twist * rate[2];
    der_differentiate(&s->strain, &s->stress, &s->left, &s->right, g);
}

// Adds what the spring at a node pulls at the edge before it, and puts what it pulls at the edge after it.
static void pull_spring(const cdg_rod *rod, const der_chain *c, size_t i, double *const pull[3], double before[3]) {
    size_t l = rod_left_element(rod, i);
    der_spring_state s;
    der_gradient g;
    der_chain_spring(c, i, &s);
    der_material m = {{c->bend_stiffness[0][i], c->bend_stiffness[1][i]}, c->bend_stiffness[2][i], {0}};
    spring_pull(rod, &s, l, i, der_is_damped(rod) ? &m : NULL, &g);
    for (int k = 0; k < 3; k++) before[k] = g.left[k], pull[k][i] = g.right[k];
}

static void pull_springs(const cdg_rod *rod, const der_chain *c, const der_loops *loops, double *const pull[3]) {
    size_t elements = rod->element_count;
    double first[3] = {0}, before[3];
    for (int k = 0; k < 3; k++) pull[k][0] = 0;
    if (rod->is_closed) pull_spring(rod, c, 0, pull, first);
    size_t end = rod->is_closed ? elements - 1 : elements; // the vector code takes velocities of nodes in a row
    size_t i = loops->pull_springs(c, der_is_damped(rod) ? rod->damping_time : NULL, rod->v, rod->w[2], 1, end, pull);
    for (; i < elements; i++) {
        pull_spring(rod, c, i, pull, before);
        for (int k = 0; k < 3; k++) pull[k][i - 1] += before[k];
    }
    for (int k = 0; k < 3; k++) pull[k][elements - 1] += first[k];
}

static void pull_edge(const cdg_rod *rod, const der_chain *c, size_t j, bool is_damped, double *const pull[3]) {
    double tension = 0;
    if (der_options(rod)->constraint == CDG_DER_CONSTRAINT_NONE) {
        double strain = 1 / (c->inverse_length[j] * rod->rest_length[j]) - 1;
        if (is_damped) {
            double motion[4], t[3] = {c->t[0][j], c->t[1][j], c->t[2][j]};
            read_motion(rod, j, motion);
            strain += rod->damping_time[1] * der_dot(t, motion) / rod->rest_length[j];
        }
        tension = c->stretch_stiffness[j] * strain;
    }
    for (int k = 0; k < 3; k++) {
        pull[k][j] += tension * c->t[k][j];
        if (c->torque[0] != NULL)
            pull[k][j] -= (c->torque[1][j] * c->d1[k][j] - c->torque[0][j] * c->d2[k][j]) * c->inverse_length[j];
    }
}

void der_internal_forces(const cdg_rod *rod, const der_chain *c, double *const pull[3], double *const force[3]) {
    const der_loops *loops = der_choose_loops();
    size_t elements = rod->element_count, nodes = rod->node_count;
    bool is_damped = der_is_damped(rod);
    pull_springs(rod, c, loops, pull);
    for (size_t a = 0; a < c->anchor_count; a++) {
        const der_anchor *anchor = &c->anchors[a];
        size_t j = anchor->element;
        der_spring_state s;
        der_gradient g;
        der_chain_anchor(c, anchor, &s);
        spring_pull(rod, &s, anchor->is_left ? SIZE_MAX : j, anchor->is_left ? j : SIZE_MAX,
                    is_damped ? &anchor->material : NULL, &g);
        for (int k = 0; k < 3; k++) pull[k][j] += anchor->is_left ? g.right[k] : g.left[k];
    }
    if (der_options(rod)->constraint == CDG_DER_CONSTRAINT_NONE || c->torque[0] != NULL)
        for (size_t j = 0; j < elements; j++) pull_edge(rod, c, j, is_damped, pull);
    for (int k = 0; k < 3; k++) {
        loops->sum_pulls(nodes, c->force[k], pull[k], force[k]);
        double before = rod->is_closed ? pull[k][elements - 1] : 0;
        force[k][0] = c->force[k][0] + pull[k][0] - before;
        double after = rod->is_closed ? pull[k][elements - 1] : 0;
        force[k][nodes - 1] = c->force[k][nodes - 1] + after - pull[k][nodes - 2];
    }
}
