// Value, gradient and Hessian of a chain of edges and bend-twist springs (der/chain.h), summed into a strip.
#include "rods/der/chain.h"

#include "base/processor.h"

#include <math.h>

#if defined(__x86_64__)
#define CHOOSE(name, ...)                                                                                              \
    (cdg_processor_lanes() == CDG_LANES_AVX512 ? name##_avx512(__VA_ARGS__)                                            \
     : cdg_processor_lanes() == CDG_LANES_AVX2 ? name##_avx2(__VA_ARGS__)                                              \
                                               : name##_base(__VA_ARGS__))
#else
#define CHOOSE(name, ...) name##_base(__VA_ARGS__)
#endif

// ---- geometry -------------------------------------------------------------------------------------------------------

static size_t next_node(const der_chain *c, size_t element) { return element + 1 < c->node_count ? element + 1 : 0; }
static bool has_spring(const der_chain *c, size_t node) {
    return c->is_closed || (node > 0 && node + 1 < c->node_count);
}
static size_t left_element(const der_chain *c, size_t node) { return node > 0 ? node - 1 : c->element_count - 1; }

// Length and tangent of an edge. A millionth of an element leaves no direction worth the name; nor does an edge that
// turns back at once.
static bool find_edge(const der_chain *c, size_t j, cdg_vec3 before, cdg_vec3 *tangent, double *length) {
    cdg_vec3 e = vec3_sub(rod_vec3(c->x, next_node(c, j)), rod_vec3(c->x, j));
    *length = vec3_norm(e);
    *tangent = vec3_scale(1 / *length, e);
    return *length > 1e-6 * c->rest_length[j] && *length < 1e300 && vec3_dot(before, *tangent) > -0.999;
}

static void set_frame(const der_chain *c, size_t j, cdg_quat q, cdg_vec3 tangent, double length) {
    rod_set_quat(c->q, j, q);
    rod_set_vec3(c->d1, j, quat_d1(q));
    rod_set_vec3(c->d2, j, quat_d2(q));
    rod_set_vec3(c->t, j, tangent);
    c->inverse_length[j] = 1 / length;
}

static cdg_quat base_of(const der_chain *c, size_t j) {
    return quat(c->q_base[0][j], c->q_base[1][j], c->q_base[2][j], c->q_base[3][j]);
}

static bool start_one(const der_chain *c, size_t j) {
    cdg_vec3 tangent;
    double length;
    cdg_quat base = base_of(c, j);
    if (!find_edge(c, j, quat_d3(base), &tangent, &length)) return false;
    set_frame(c, j, der_transport(base, tangent, 0), tangent, length);
    c->theta[j] = 0;
    return true;
}

static bool follow_one(const der_chain *c, size_t j, double turn) {
    cdg_vec3 tangent, before = rod_vec3(c->t, j), first = quat_d3(base_of(c, j));
    double length;
    if (!find_edge(c, j, before, &tangent, &length)) return false;
    set_frame(c, j, der_transport(rod_quat(c->q, j), tangent, turn), tangent, length);
    // By way of the tangent before, a frame turns from its base by the area of the spherical triangle more.
    double height = vec3_dot(first, vec3_cross(before, tangent));
    double sum = 1 + vec3_dot(first, before) + vec3_dot(before, tangent) + vec3_dot(tangent, first);
    c->theta[j] += turn + 2 * atan2(height, sum);
    return true;
}

bool der_chain_start(const der_chain *c, size_t *element) {
    size_t done = CHOOSE(der_place_start, c);
    for (size_t j = done; j < c->element_count; j++) {
        *element = j;
        if (!start_one(c, j)) return false;
    }
    return true;
}

bool der_chain_follow(const der_chain *c, const double *turn, size_t *element) {
    size_t j = 0;
    while (j < c->element_count) {
        j = CHOOSE(der_place_follow, c, j, turn);
        // The rest at the end, or a group with an element that the vector code leaves alone.
        size_t end = j + 8 < c->element_count ? j + 8 : c->element_count;
        for (; j < end; j++) {
            *element = j;
            if (!follow_one(c, j, turn[j])) return false;
        }
    }
    return true;
}

bool der_chain_resume(const der_chain *c, const double *near) {
    for (size_t j = 0; j < c->element_count; j++) {
        cdg_vec3 tangent;
        double length;
        cdg_quat base = base_of(c, j), q = rod_quat(c->q, j);
        if (!find_edge(c, j, quat_d3(base), &tangent, &length)) return false;
        if (!(vec3_distance(tangent, quat_d3(q)) < 1e-9)) return false;
        set_frame(c, j, q, tangent, length);
        cdg_quat turned = quat_relative(der_transport(base, tangent, 0), q);
        double theta = 2 * atan2(turned.z, turned.w);
        c->theta[j] = theta + 2 * der_pi * round((near[j] - theta) / (2 * der_pi));
    }
    return true;
}

void der_chain_settle_tension(const der_chain *c) {
    for (size_t j = 0; j < c->element_count; j++)
        c->tension[j] = c->stretch_stiffness[j] * (1 / (c->inverse_length[j] * c->rest_length[j]) - c->stretch_rest[j]);
}

static der_section section_of(const der_chain *c, size_t j) {
    der_section s;
    for (int k = 0; k < 3; k++) s.d1[k] = c->d1[k][j], s.d2[k] = c->d2[k][j], s.t[k] = c->t[k][j];
    s.inverse_length = c->inverse_length[j];
    return s;
}

static der_section section_of_frame(cdg_quat q) {
    cdg_vec3 d1 = quat_d1(q), d2 = quat_d2(q), t = quat_d3(q);
    return (der_section){{d1.x, d1.y, d1.z}, {d2.x, d2.y, d2.z}, {t.x, t.y, t.z}, 0};
}

static void read_frame(const der_chain *c, size_t j, double out[4]) {
    for (int k = 0; k < 4; k++) out[k] = c->q[k][j];
}

// ---- springs --------------------------------------------------------------------------------------------------------

void der_chain_spring(const der_chain *c, size_t node, der_spring_state *out) {
    out->left = section_of(c, left_element(c, node));
    out->right = section_of(c, node);
    der_chain_spring_stress(c, node, out);
}

void der_chain_spring_stress(const der_chain *c, size_t node, der_spring_state *out) {
    size_t l = left_element(c, node), r = node;
    double q[4], p[4], near = c->twist_base[node] + c->theta[r] - c->theta[l];
    read_frame(c, l, q);
    read_frame(c, r, p);
    der_material m = {{c->bend_stiffness[0][node], c->bend_stiffness[1][node]},
                      c->bend_stiffness[2][node],
                      {c->bend_rest[0][node], c->bend_rest[1][node], c->bend_rest[2][node]}};
    out->strain = der_measure(q, p, near);
    out->stress = der_respond(&out->strain, &m, c->is_angle);
}

void der_chain_anchor(const der_chain *c, const der_anchor *a, der_spring_state *out) {
    double held[4] = {a->frame.w, a->frame.x, a->frame.y, a->frame.z}, q[4];
    read_frame(c, a->element, q);
    double turn = c->theta[a->element];
    out->left = a->is_left ? section_of_frame(a->frame) : section_of(c, a->element);
    out->right = a->is_left ? section_of(c, a->element) : section_of_frame(a->frame);
    out->strain = a->is_left ? der_measure(held, q, a->near + turn) : der_measure(q, held, a->near - turn);
    out->stress = der_respond(&out->strain, &a->material, c->is_angle);
}

static void differentiate(const der_spring_state *s, der_gradient *out) {
    der_differentiate(&s->strain, &s->stress, &s->left, &s->right, out);
}

// ---- into the strip -------------------------------------------------------------------------------------------------

// Adds to the symmetric matrix at unknowns k of node a and l of node b; each pair of unknowns once.
static void add(const der_chain *c, strip *s, size_t a, int k, size_t b, int l, double value) {
    if (!c->is_closed) {
        if (a > b || (a == b && k < l)) { // within a node the lower triangle, else from the earlier node
            size_t n = a;
            int m = k;
            a = b, k = l, b = n, l = m;
        }
        s->rows[STRIP_NODE * a + STRIP_ROW * (size_t)k + 4 * (b - a) + (size_t)l] += value;
        return;
    }
    bool a_border = a < 2, b_border = b < 2;
    if (a_border && b_border) {
        size_t i = 4 * a + (size_t)k, j = 4 * b + (size_t)l;
        s->border[i][j] += value;
        if (i != j) s->border[j][i] += value;
    } else if (a_border || b_border) {
        size_t inner = (a_border ? b : a) - 2, i = (size_t)(a_border ? l : k);
        size_t outer = a_border ? 4 * a + (size_t)k : 4 * b + (size_t)l;
        s->ring[STRIP_RING_NODE * inner + 8 * i + outer] += value;
    } else {
        a -= 2, b -= 2;
        if (a > b || (a == b && k < l)) {
            size_t n = a;
            int m = k;
            a = b, k = l, b = n, l = m;
        }
        s->rows[STRIP_NODE * a + STRIP_ROW * (size_t)k + 4 * (b - a) + (size_t)l] += value;
    }
}

void der_strip_add_diagonal(const der_chain *c, strip *s, size_t node, int k, double value) {
    add(c, s, node, k, node, k, value);
}

double *der_right_side(const der_chain *c, strip *s, size_t node, int k) {
    if (c->is_closed && node < 2) return &s->border_right[4 * node + (size_t)k];
    return &s->rows[STRIP_NODE * (c->is_closed ? node - 2 : node) + STRIP_ROW * (size_t)k + STRIP_RIGHT];
}

static const int symmetric_entry[3][3] = {{0, 1, 2}, {1, 3, 4}, {2, 4, 5}};

// An edge's own 3x3 block and gradient at its two nodes.
static void add_edge(const der_chain *c, strip *s, size_t element, const double block[6], const double gradient[3]) {
    size_t from = element, to = next_node(c, element), border = c->is_closed ? 2 : 0;
    if (from >= border && to == from + 1) { // neighbours in the strip
        double *rows = s->rows + STRIP_NODE * (from - border);
        for (int i = 0; i < 3; i++) {
            double *row = rows + STRIP_ROW * i, *next = row + STRIP_NODE;
            for (int j = 0; j < 3; j++) {
                double value = block[symmetric_entry[i][j]];
                row[j] += value;
                row[STRIP_NEXT + j] -= value;
                next[j] += value;
            }
            row[STRIP_RIGHT] += gradient[i];
            next[STRIP_RIGHT] -= gradient[i];
        }
        return;
    }
    for (int i = 0; i < 3; i++) {
        *der_right_side(c, s, from, i) += gradient[i];
        *der_right_side(c, s, to, i) -= gradient[i];
        for (int j = 0; j < 3; j++) {
            double value = block[symmetric_entry[i][j]];
            if (j <= i) add(c, s, from, i, from, j, value), add(c, s, to, i, to, j, value);
            add(c, s, from, i, to, j, -value);
        }
    }
}

// A spring's contribution for three nodes in a row in the strip, the first one's rows at r.
static void add_spring(double *r, const der_gradient *g, const der_hessian *h) {
    double *n0 = r, *n1 = r + STRIP_NODE, *n2 = r + 2 * STRIP_NODE;
    for (int i = 0; i < 3; i++) {
        double *row0 = n0 + STRIP_ROW * i, *row1 = n1 + STRIP_ROW * i, *row2 = n2 + STRIP_ROW * i;
        for (int j = 0; j < 3; j++) {
            double p = h->left[symmetric_entry[i][j]], q = h->mixed[i][j], w = h->right[symmetric_entry[i][j]];
            row0[j] += p;
            row0[STRIP_NEXT + j] += q - p;
            row0[STRIP_AFTER_NEXT + j] -= q;
            row1[j] += p - q - h->mixed[j][i] + w;
            row1[STRIP_NEXT + j] += q - w;
            row2[j] += w;
        }
        row0[STRIP_NEXT + 3] -= h->left_turns[1][i];
        row0[STRIP_RIGHT] += g->left[i];
        row1[STRIP_RIGHT] -= g->left[i] - g->right[i];
        row2[STRIP_RIGHT] -= g->right[i];
        double *turn0 = n0 + STRIP_ROW * 3, *turn1 = n1 + STRIP_ROW * 3;
        turn0[i] -= h->left_turns[0][i];
        turn0[STRIP_NEXT + i] += h->left_turns[0][i] - h->right_turns[0][i];
        turn0[STRIP_AFTER_NEXT + i] += h->right_turns[0][i];
        turn1[i] += h->left_turns[1][i] - h->right_turns[1][i];
        turn1[STRIP_NEXT + i] += h->right_turns[1][i];
    }
    n0[STRIP_ROW * 3 + 3] += h->turn;
    n0[STRIP_ROW * 3 + STRIP_NEXT + 3] += h->turns_mixed;
    n0[STRIP_ROW * 3 + STRIP_RIGHT] -= g->left_turn;
    n1[STRIP_ROW * 3 + 3] += h->turn;
    n1[STRIP_ROW * 3 + STRIP_RIGHT] -= g->right_turn;
}

// The same where the nodes are not in a row: at the seam of a ring. The matrix is made as for three nodes in a row.
static void add_spring_anywhere(const der_chain *c, strip *s, const size_t node[3], const der_gradient *g,
                                const der_hessian *h) {
    double rows[3 * STRIP_NODE] = {0};
    add_spring(rows, g, h);
    for (int a = 0; a < 3; a++)
        for (int k = 0; k < 4; k++) {
            const double *row = rows + STRIP_NODE * a + STRIP_ROW * k;
            if (a < 2 || k < 3) *der_right_side(c, s, node[a], k) += row[STRIP_RIGHT];
            for (int b = a; b < 3; b++)
                for (int l = 0; l < (b == 2 ? 3 : 4); l++)
                    if ((a < b || l <= k) && row[4 * (b - a) + l] != 0)
                        add(c, s, node[a], k, node[b], l, row[4 * (b - a) + l]);
        }
}

static double add_node_spring(const der_chain *c, strip *s, size_t node, double geometric) {
    der_spring_state state;
    der_gradient g;
    der_hessian h;
    der_chain_spring(c, node, &state);
    c->twist[node] = state.strain.twist;
    differentiate(&state, &g);
    der_differentiate_twice(&state.strain, &state.stress, &state.left, &state.right, &g, geometric, &h);
    size_t l = left_element(c, node), after = next_node(c, node);
    if (!c->is_closed || (node >= 3 && node + 1 < c->node_count)) {
        add_spring(s->rows + STRIP_NODE * (c->is_closed ? l - 2 : l), &g, &h);
    } else {
        const size_t nodes[3] = {l, node, after};
        add_spring_anywhere(c, s, nodes, &g, &h);
    }
    return state.stress.energy;
}

static double add_anchor(const der_chain *c, strip *s, const der_anchor *a, double geometric) {
    der_spring_state state;
    der_gradient gradient;
    der_hessian h;
    der_chain_anchor(c, a, &state);
    differentiate(&state, &gradient);
    if (!has_spring(c, a->node)) c->twist[a->node] = state.strain.twist;
    der_differentiate_twice(&state.strain, &state.stress, &state.left, &state.right, &gradient, geometric, &h);
    const der_gradient *g = &gradient;
    size_t from = a->element, to = next_node(c, a->element);
    add_edge(c, s, a->element, a->is_left ? h.right : h.left, a->is_left ? g->right : g->left);
    const double *turn = a->is_left ? h.right_turns[1] : h.left_turns[0];
    for (int i = 0; i < 3; i++) {
        add(c, s, from, i, from, 3, -turn[i]);
        add(c, s, to, i, from, 3, turn[i]);
    }
    add(c, s, from, 3, from, 3, h.turn);
    *der_right_side(c, s, from, 3) -= a->is_left ? g->right_turn : g->left_turn;
    return state.stress.energy;
}

// Stretching, inertia and torque of one element and inertia and load of its first node.
static double add_element(const der_chain *c, strip *s, size_t j, double geometric) {
    double length = 1 / c->inverse_length[j], strain = length / c->rest_length[j] - c->stretch_rest[j];
    double stiffness = c->stretch_stiffness[j] / c->rest_length[j], tension = c->stretch_stiffness[j] * strain;
    double value = tension * strain * c->rest_length[j] / 2;
    double across = c->tension[j] * c->inverse_length[j];
    if (geometric == 0 && across < 0) across = 0;
    double t[3] = {c->t[0][j], c->t[1][j], c->t[2][j]}, block[6], gradient[3];
    int n = 0;
    for (int i = 0; i < 3; i++) {
        gradient[i] = tension * t[i];
        for (int k = i; k < 3; k++) block[n++] = (stiffness - across) * t[i] * t[k] + (i == k ? across : 0);
    }
    if (c->torque[0] != NULL) {
        // A torque (m1, m2, m3) in the material frame pulls the edge by f = (m2 d1 - m1 d2)/length. It follows the rod,
        // so it has no potential; the potential of its first order serves the line search.
        double m1 = c->torque[0][j], m2 = c->torque[1][j], m3 = c->torque[2][j], f[3];
        for (int k = 0; k < 3; k++) f[k] = (m2 * c->d1[k][j] - m1 * c->d2[k][j]) * c->inverse_length[j];
        n = 0;
        for (int i = 0; i < 3; i++) {
            gradient[i] -= f[i];
            for (int k = i; k < 3; k++) block[n++] += geometric * c->inverse_length[j] * (f[i] * t[k] + t[i] * f[k]);
        }
        *der_right_side(c, s, j, 3) += m3;
        for (int k = 0; k < 3; k++) { // it turns with the frame's own angle, too; of that the symmetric half
            double half = geometric * (m1 * c->d1[k][j] + m2 * c->d2[k][j]) * c->inverse_length[j] / 2;
            add(c, s, j, k, j, 3, half);
            add(c, s, next_node(c, j), k, j, 3, -half);
        }
        value -= vec3_dot(vec3(m1, m2, m3), quat_log(quat_relative(base_of(c, j), rod_quat(c->q, j))));
    }
    add_edge(c, s, j, block, gradient);
    double turn = c->theta[j] - c->turn_target[j];
    add(c, s, j, 3, j, 3, c->turn_weight[j]);
    *der_right_side(c, s, j, 3) -= c->turn_weight[j] * turn;
    return value + c->turn_weight[j] * turn * turn / 2;
}

static double add_node(const der_chain *c, strip *s, size_t i) {
    double weight = c->weight[i], value = 0;
    for (int k = 0; k < 3; k++) {
        double *right = der_right_side(c, s, i, k);
        value -= c->force[k][i] * c->x[k][i];
        *right += c->force[k][i];
        if (!(weight < INFINITY)) continue;
        double away = c->x[k][i] - c->target[k][i];
        value += weight * away * away / 2;
        *right -= weight * away;
        add(c, s, i, k, i, k, weight);
    }
    return value;
}

// A unit row for an unknown that is known: nothing couples to it.
static void hold_node(const der_chain *c, strip *s, size_t node) {
    bool in_border = c->is_closed && node < 2;
    size_t index = c->is_closed ? node - 2 : node;
    for (size_t k = 0; k < 3; k++) {
        if (in_border) {
            size_t column = 4 * node + k;
            for (size_t i = 0; i < s->count; i++)
                for (size_t l = 0; l < 4; l++) s->ring[STRIP_RING_NODE * i + 8 * l + column] = 0;
            for (size_t l = 0; l < STRIP_BORDER; l++) s->border[column][l] = s->border[l][column] = 0;
            s->border[column][column] = 1;
            s->border_right[column] = 0;
            continue;
        }
        double *row = s->rows + STRIP_NODE * index + STRIP_ROW * k;
        for (size_t l = 0; l < STRIP_ROW; l++) row[l] = 0;
        for (size_t l = 0; l < 4; l++) {
            s->rows[STRIP_NODE * index + STRIP_ROW * l + k] = 0;
            if (index >= 1) s->rows[STRIP_NODE * (index - 1) + STRIP_ROW * l + STRIP_NEXT + k] = 0;
            if (index >= 2) s->rows[STRIP_NODE * (index - 2) + STRIP_ROW * l + STRIP_AFTER_NEXT + k] = 0;
            if (s->ring != NULL) s->ring[STRIP_RING_NODE * index + 8 * k + l] = 0;
            if (s->ring != NULL) s->ring[STRIP_RING_NODE * index + 8 * k + 4 + l] = 0;
        }
        row[k] = 1;
    }
}

double der_chain_assemble(const der_chain *c, strip *s, double geometric) {
    double value = 0;
    for (size_t i = 0; i < c->node_count; i++) {
        value += add_node(c, s, i);
        if (i < c->element_count) value += add_element(c, s, i, geometric);
        if (has_spring(c, i)) value += add_node_spring(c, s, i, geometric);
    }
    for (size_t a = 0; a < c->anchor_count; a++) value += add_anchor(c, s, &c->anchors[a], geometric);
    if (!c->is_closed) add(c, s, c->node_count - 1, 3, c->node_count - 1, 3, 1); // there is no such angle
    for (size_t i = 0; i < c->node_count; i++)
        if (!(c->weight[i] < INFINITY)) hold_node(c, s, i);
    return value;
}

// ---- parts for reactions and measures -------------------------------------------------------------------------------

cdg_vec3 der_chain_edge_force(const der_chain *c, size_t j, double *turn) {
    double strain = 1 / (c->inverse_length[j] * c->rest_length[j]) - c->stretch_rest[j];
    cdg_vec3 force = vec3_scale(c->stretch_stiffness[j] * strain, rod_vec3(c->t, j));
    *turn = 0;
    size_t ends[2] = {j, next_node(c, j)};
    for (int end = 0; end < 2; end++) {
        if (!has_spring(c, ends[end])) continue;
        der_spring_state state;
        der_gradient gradient;
        der_chain_spring(c, ends[end], &state);
        differentiate(&state, &gradient);
        const double *g = end == 0 ? gradient.right : gradient.left;
        force = vec3_add(force, vec3(g[0], g[1], g[2]));
        *turn += end == 0 ? gradient.right_turn : gradient.left_turn;
    }
    for (size_t a = 0; a < c->anchor_count; a++) {
        const der_anchor *anchor = &c->anchors[a];
        if (anchor->element != j) continue;
        der_spring_state state;
        der_gradient gradient;
        der_chain_anchor(c, anchor, &state);
        differentiate(&state, &gradient);
        const double *g = anchor->is_left ? gradient.right : gradient.left;
        force = vec3_add(force, vec3(g[0], g[1], g[2]));
        *turn += anchor->is_left ? gradient.right_turn : gradient.left_turn;
    }
    return force;
}

// The energy's derivative by a turn of the held section: u (or v) lies along D1 and D2, the frame turned halfway.
cdg_vec3 der_chain_anchor_moment(const der_chain *c, const der_anchor *a) {
    der_spring_state state;
    der_gradient gradient;
    der_chain_anchor(c, a, &state);
    differentiate(&state, &gradient);
    const der_section *held = a->is_left ? &state.left : &state.right;
    const double *across = a->is_left ? gradient.left_across : gradient.right_across;
    double turn = a->is_left ? gradient.left_turn : gradient.right_turn, m[3];
    double cosine = state.strain.half_cosine, sine = a->is_left ? state.strain.half_sine : -state.strain.half_sine;
    for (int k = 0; k < 3; k++) {
        double d1 = cosine * held->d1[k] + sine * held->d2[k], d2 = cosine * held->d2[k] - sine * held->d1[k];
        m[k] = across[0] * d1 + across[1] * d2 + turn * held->t[k];
    }
    return vec3(m[0], m[1], m[2]);
}
