// Newton's method on a few elements: at most 33 unknowns, positions of five nodes and turns of six frames, or 21 where
// frames lie along their edges and turn about them alone. Frames and nodes in turn make a band.
//
// Such a frame turns with its edge the shortest way and then about d3 by phi. In its own axes, with u the edge's change
// and L its length, that is the turn
//   theta = (-u_y/L + u_y u_z/L^2 + phi u_x/2L, u_x/L - u_x u_z/L^2 + phi u_y/2L, phi)
// to second order, by which the derivatives by theta become those by positions and phi.
#include "adapt/rod_patch.h"

#include "math/quat.h"
#include "math/short_band.h"
#include "rods/discrete_spring.h"
#include "rods/rod_model.h"

#include <math.h>
#include <string.h>

enum { N = CDG_PATCH_UNKNOWNS, ITERATIONS_MAX = 30, PATIENCE = 8, HALVINGS_MAX = 10, PLANE_ROUNDS = 4 };
// A frame and a node have six unknowns, or four; the band is as wide as what is between two frames, or three nodes.
enum { FREE_STRIDE = 6, FREE_WIDTH = 8, FOLLOWING_STRIDE = 4, FOLLOWING_WIDTH = 10 };

static const double smallest = 1e-10;         // of lengths and radians: what a step may leave
static const double first_rate = 10;          // by which the matrix changes, before that is seen: of stiff rods in arcs
static const double clipped_tolerance = 1e-6; // of a step by a matrix in which pressed edges do not count
static const double enough = 1e-4;            // after so many: where the matrix is not positive definite it goes slowly
static const double stiffer = 1000;           // planes than bending across an element
static const double longest = 0.5;            // of a step: rad, and of an element

// ---- energy and derivatives -----------------------------------------------------------------------------------------

// By nodes and frames, before unknowns are chosen. Matrices are as in rod_patch_terms.h.
typedef struct system {
    double energy;
    double node[CDG_PATCH_NODES][3], frame[CDG_PATCH_ELEMENTS][3];
    double turn[CDG_PATCH_ELEMENTS][6];    // a frame with itself
    double between[CDG_PATCH_ELEMENTS][9]; // with the next
    cdg_edge_terms edges;
} system;

static const int entry[3][3] = {{0, 1, 2}, {1, 3, 4}, {2, 4, 5}}; // in a symmetric matrix

static double depth_of(const cdg_rod_patch *p, const cdg_rod_patch_plane *plane) {
    cdg_vec3 at = vec3_lerp(p->x[plane->element], p->x[plane->element + 1], plane->share);
    return plane->offset - vec3_dot(plane->normal, at);
}

static void add_plane(const cdg_rod_patch *p, const cdg_rod_patch_plane *plane, system *s) {
    const double n[3] = {plane->normal.x, plane->normal.y, plane->normal.z};
    double depth = depth_of(p, plane), share[2] = {1 - plane->share, plane->share};
    if (!(depth > 0)) return;
    s->energy += 0.5 * plane->stiffness * depth * depth;
    for (size_t k = 0; k < 2; k++)
        for (int i = 0; i < 3; i++) s->node[plane->element + k][i] -= plane->stiffness * depth * share[k] * n[i];
}

static void put_quat(cdg_patch_quats *to, size_t lane, cdg_quat q) {
    to->of[0][lane] = q.w, to->of[1][lane] = q.x, to->of[2][lane] = q.y, to->of[3][lane] = q.z;
}

static void evaluate_edges(const cdg_rod_patch *p, cdg_patch_order order, cdg_edge_terms *out) {
    cdg_patch_quats q;
    cdg_patch_vectors edge;
    for (size_t e = 0; e < CDG_PATCH_LANES; e++) {
        bool is_there = e < p->count;
        cdg_vec3 d = is_there ? vec3_sub(p->x[e + 1], p->x[e]) : vec3(0, 0, 1);
        put_quat(&q, e, is_there ? p->q[e] : quat_identity());
        edge.of[0][e] = d.x, edge.of[1][e] = d.y, edge.of[2][e] = d.z;
    }
    cdg_edges_evaluate(&p->edges, &q, &edge, order, out);
}

static void add_edges(const cdg_rod_patch *p, cdg_patch_order order, system *s) {
    evaluate_edges(p, order, &s->edges);
    for (int i = 0; i < 3; i++) s->node[0][i] = 0;
    for (size_t e = 0; e < p->count; e++) {
        s->energy += s->edges.energy[e];
        for (int i = 0; i < 3; i++) s->node[e][i] -= s->edges.force[i][e], s->node[e + 1][i] = s->edges.force[i][e];
        for (int i = 0; i < 3; i++) s->frame[e][i] = p->follows ? 0 : s->edges.torque[i][e];
    }
    if (order == CDG_PATCH_FIRST) return;
    for (size_t e = 0; e < p->count; e++)
        for (int i = 0; i < 6; i++) s->turn[e][i] = p->follows ? 0 : s->edges.turn[i][e];
    memset(s->between, 0, p->count * sizeof s->between[0]);
}

// Cells `first` and on, as many as there are lanes. Returns how many there are.
static size_t evaluate_cells(const cdg_rod_patch *p, size_t first, cdg_patch_order order, cdg_cell_terms *out) {
    cdg_patch_quats left, right;
    size_t count = p->spring_count - first < CDG_PATCH_LANES ? p->spring_count - first : CDG_PATCH_LANES;
    for (size_t k = 0; k < CDG_PATCH_LANES; k++) {
        const cdg_rod_patch_ends *ends = &p->ends[first + k];
        put_quat(&left, k, k >= count ? quat_identity() : ends->left < 0 ? ends->still : p->q[ends->left]);
        put_quat(&right, k, k >= count ? quat_identity() : ends->right < 0 ? ends->still : p->q[ends->right]);
    }
    cdg_cells_evaluate(&p->springs[first / CDG_PATCH_LANES], &left, &right, order, out);
    return count;
}

static void add_cells(const cdg_rod_patch *p, size_t first, cdg_patch_order order, system *s) {
    cdg_cell_terms t;
    size_t count = evaluate_cells(p, first, order, &t);
    for (size_t k = 0; k < count; k++) {
        int l = p->ends[first + k].left, r = p->ends[first + k].right;
        s->energy += t.energy[k];
        for (int i = 0; i < 3 && l >= 0; i++) s->frame[l][i] += t.left[i][k];
        for (int i = 0; i < 3 && r >= 0; i++) s->frame[r][i] += t.right[i][k];
        if (order == CDG_PATCH_FIRST) continue;
        for (int i = 0; i < 6 && l >= 0; i++) s->turn[l][i] += t.left_left[i][k];
        for (int i = 0; i < 6 && r >= 0; i++) s->turn[r][i] += t.right_right[i][k];
        for (int i = 0; i < 9 && l >= 0 && r >= 0; i++) s->between[l][i] += t.left_right[i][k];
    }
}

static void evaluate(const cdg_rod_patch *p, cdg_patch_order order, system *s) {
    s->energy = 0;
    add_edges(p, order, s);
    for (size_t k = 0; k < p->spring_count; k += CDG_PATCH_LANES) add_cells(p, k, order, s);
    for (size_t k = 0; k < p->plane_count; k++) add_plane(p, &p->plane[k], s);
}

// ---- frames that follow their edges ---------------------------------------------------------------------------------

// theta_x and theta_y of such a frame by its edge's change: rows of world vectors.
static void edge_turns(const system *s, size_t e, double out[2][3]) {
    double inverse = 1 / s->edges.length[e];
    for (int i = 0; i < 3; i++) {
        out[0][i] = -s->edges.axes[1][i][e] * inverse;
        out[1][i] = s->edges.axes[0][i][e] * inverse;
    }
}

// Torques on them act on nodes.
static void find_gradient(const cdg_rod_patch *p, const system *s, cdg_rod_patch_gradient *out) {
    for (size_t k = 0; k <= p->count; k++) out->node[k] = vec3(s->node[k][0], s->node[k][1], s->node[k][2]);
    for (size_t e = 0; e < p->count; e++) {
        const double *t = s->frame[e];
        out->frame[e] = p->follows ? vec3(0, 0, t[2]) : vec3(t[0], t[1], t[2]);
        if (!p->follows) continue;
        double turns[2][3];
        edge_turns(s, e, turns);
        cdg_vec3 force = vec3(t[0] * turns[0][0] + t[1] * turns[1][0], t[0] * turns[0][1] + t[1] * turns[1][1],
                              t[0] * turns[0][2] + t[1] * turns[1][2]);
        out->node[e] = vec3_sub(out->node[e], force), out->node[e + 1] = vec3_add(out->node[e + 1], force);
    }
}

double cdg_rod_patch_energy(const cdg_rod_patch *patch, cdg_rod_patch_gradient *out) {
    system s;
    evaluate(patch, CDG_PATCH_FIRST, &s);
    if (out != NULL) find_gradient(patch, &s, out);
    return s.energy;
}

double cdg_rod_patch_own_energy(const cdg_rod_patch *patch) {
    cdg_edge_terms edges;
    cdg_cell_terms cells;
    double energy = 0;
    evaluate_edges(patch, CDG_PATCH_FIRST, &edges);
    for (size_t e = 0; e < patch->count; e++) energy += edges.energy[e];
    for (size_t first = 0; first < patch->spring_count; first += CDG_PATCH_LANES) {
        size_t count = evaluate_cells(patch, first, CDG_PATCH_FIRST, &cells);
        for (size_t k = 0; k < count; k++) energy += cells.energy[k];
    }
    return energy;
}

// ---- unknowns -------------------------------------------------------------------------------------------------------

static size_t stride_of(const cdg_rod_patch *p) { return p->follows ? FOLLOWING_STRIDE : FREE_STRIDE; }
static size_t unknown_count(const cdg_rod_patch *p) { return stride_of(p) * p->count - 3; }
static size_t unknown_of_frame(const cdg_rod_patch *p, size_t frame) { return stride_of(p) * frame; }
// The first unknown of a node; SIZE_MAX: it stays.
static size_t unknown_of_node(const cdg_rod_patch *p, size_t node) {
    return node > 0 && node < p->count ? stride_of(p) * node - 3 : SIZE_MAX;
}

bool cdg_rod_patch_is_position(const cdg_rod_patch *p, size_t unknown) {
    return unknown % stride_of(p) >= (p->follows ? 1 : 3);
}

double cdg_rod_patch_stiffness(const cdg_rod_patch *p) {
    double stiffness = 0;
    for (size_t k = 0; k < p->spring_count; k++) {
        const cdg_cell_laws *laws = &p->springs[k / CDG_PATCH_LANES];
        for (int i = 0; i < 2; i++) stiffness = fmax(stiffness, laws->stiffness[i][k % CDG_PATCH_LANES]);
    }
    return stiffness;
}

void cdg_rod_patch_add_plane(cdg_rod_patch *p, size_t element, double share, cdg_vec3 normal, double offset) {
    double length = p->edges.length[element];
    if (p->plane_count == CDG_PATCH_PLANES) return;
    p->plane[p->plane_count++] = (cdg_rod_patch_plane){
        element, share, normal, offset, stiffer * cdg_rod_patch_stiffness(p) / (length * length), false};
}

// The part of a block that is in the upper half.
static void add_square_block(short_band *m, size_t at, const double block[6]) {
    for (size_t i = 0; i < 3; i++)
        for (size_t k = i; k < 3; k++) m->rows[at + i][at + k] += block[entry[i][k]];
}

// Rows from `at`, columns from `to`, which is beyond.
static void add_block(short_band *m, size_t at, size_t to, double sign, double block[3][3]) {
    for (size_t i = 0; i < 3; i++)
        for (size_t k = 0; k < 3; k++) m->rows[at + i][to + k] += sign * block[i][k];
}

static void add_column(short_band *m, size_t at, size_t to, double sign, const double column[3]) {
    for (size_t i = 0; i < 3; i++) *(at < to ? &m->rows[at + i][to] : &m->rows[to][at + i]) += sign * column[i];
}

static void add_plane_block(const cdg_rod_patch *p, const cdg_rod_patch_plane *plane, short_band *m) {
    const double n[3] = {plane->normal.x, plane->normal.y, plane->normal.z},
                 share[2] = {1 - plane->share, plane->share};
    if (!plane->counts && !(depth_of(p, plane) > 0)) return;
    for (size_t i = 0; i < 2; i++)
        for (size_t k = i; k < 2; k++) {
            size_t a = unknown_of_node(p, plane->element + i), b = unknown_of_node(p, plane->element + k);
            if (a == SIZE_MAX || b == SIZE_MAX) continue;
            for (size_t c = 0; c < 3; c++)
                for (size_t d = i == k ? c : 0; d < 3; d++)
                    m->rows[a + c][b + d] += plane->stiffness * share[i] * share[k] * n[c] * n[d];
        }
}

// An edge's block, symmetric, at its nodes.
static void add_edge_block(const cdg_rod_patch *p, size_t e, const double edge[6], short_band *m) {
    size_t a = unknown_of_node(p, e), b = unknown_of_node(p, e + 1);
    if (a != SIZE_MAX) add_square_block(m, a, edge);
    if (b != SIZE_MAX) add_square_block(m, b, edge);
    if (a == SIZE_MAX || b == SIZE_MAX) return;
    for (size_t i = 0; i < 3; i++)
        for (size_t k = 0; k < 3; k++) m->rows[a + i][b + k] -= edge[entry[i][k]];
}

static void assemble_free(const cdg_rod_patch *p, const system *s, short_band *m) {
    for (size_t e = 0; e < p->count; e++) {
        size_t frame = unknown_of_frame(p, e), before = unknown_of_node(p, e), after = unknown_of_node(p, e + 1);
        double edge[6];
        for (int i = 0; i < 6; i++) edge[i] = s->edges.edge[i][e];
        add_edge_block(p, e, edge, m);
        add_square_block(m, frame, s->turn[e]);
        for (size_t a = 0; a < 3; a++) {
            for (size_t i = 0; i < 3; i++) {
                if (before != SIZE_MAX) m->rows[before + i][frame + a] -= s->edges.mixed[3 * a + i][e];
                if (after != SIZE_MAX) m->rows[frame + a][after + i] += s->edges.mixed[3 * a + i][e];
                if (e + 1 < p->count) m->rows[frame + a][frame + FREE_STRIDE + i] += s->between[e][3 * a + i];
            }
        }
    }
}

// A follower by itself: its turns by its edge, and what theta's second order adds by its torques, to the edge's block
// and between it and phi.
static void assemble_follower(const cdg_rod_patch *p, const system *s, size_t e, double turns[2][3], short_band *m) {
    double edge[6], spin[3], d[3][3], l = 1 / s->edges.length[e], x = s->frame[e][0], y = s->frame[e][1];
    const double *t = s->turn[e];
    size_t frame = unknown_of_frame(p, e), nodes[2] = {unknown_of_node(p, e), unknown_of_node(p, e + 1)};
    for (int a = 0; a < 3; a++)
        for (int i = 0; i < 3; i++) d[a][i] = s->edges.axes[a][i][e];
    for (int i = 0; i < 3; i++) {
        spin[i] = 0.5 * l * (x * d[0][i] + y * d[1][i]) + t[2] * turns[0][i] + t[4] * turns[1][i];
        for (int k = i; k < 3; k++)
            edge[entry[i][k]] =
                s->edges.edge[entry[i][k]][e] + t[0] * turns[0][i] * turns[0][k] + t[3] * turns[1][i] * turns[1][k] +
                t[1] * (turns[0][i] * turns[1][k] + turns[1][i] * turns[0][k]) +
                l * l * (x * (d[1][i] * d[2][k] + d[2][i] * d[1][k]) - y * (d[0][i] * d[2][k] + d[2][i] * d[0][k]));
    }
    add_edge_block(p, e, edge, m);
    m->rows[frame][frame] += t[5];
    for (int k = 0; k < 2; k++)
        if (nodes[k] != SIZE_MAX) add_column(m, nodes[k], frame, k == 1 ? 1 : -1, spin);
}

// Between a follower and the next.
static void assemble_followers(const cdg_rod_patch *p, const double between[9], size_t e, double turns[2][3],
                               double next[2][3], short_band *m) {
    double block[3][3], twice[6], by_next[3], by_own[3], part[3][3];
    size_t frame = unknown_of_frame(p, e), beyond = unknown_of_frame(p, e + 1);
    // the node between is an inner one
    size_t a = unknown_of_node(p, e), b = FOLLOWING_STRIDE * (e + 1) - 3, c = unknown_of_node(p, e + 2);
    for (int k = 0; k < 3; k++) // of between, its columns by this edge
        for (int i = 0; i < 3; i++) part[k][i] = between[k] * turns[0][i] + between[3 + k] * turns[1][i];
    for (int i = 0; i < 3; i++) {
        by_next[i] = part[2][i];
        by_own[i] = between[6] * next[0][i] + between[7] * next[1][i];
        for (int k = 0; k < 3; k++) block[i][k] = part[0][i] * next[0][k] + part[1][i] * next[1][k];
    }
    for (int i = 0; i < 3; i++)
        for (int k = i; k < 3; k++) twice[entry[i][k]] = -block[i][k] - block[k][i];
    add_square_block(m, b, twice);
    if (a != SIZE_MAX) add_block(m, a, b, 1, block);
    if (c != SIZE_MAX) add_block(m, b, c, 1, block);
    if (a != SIZE_MAX && c != SIZE_MAX) add_block(m, a, c, -1, block);
    if (a != SIZE_MAX) add_column(m, a, beyond, -1, by_next);
    add_column(m, b, beyond, 1, by_next);
    add_column(m, b, frame, -1, by_own);
    if (c != SIZE_MAX) add_column(m, c, frame, 1, by_own);
    m->rows[frame][beyond] += between[8];
}

static void assemble_following(const cdg_rod_patch *p, const system *s, short_band *m) {
    double turns[CDG_PATCH_ELEMENTS][2][3];
    for (size_t e = 0; e < p->count; e++) {
        edge_turns(s, e, turns[e]);
        assemble_follower(p, s, e, turns[e], m);
        if (e > 0) assemble_followers(p, s->between[e - 1], e - 1, turns[e - 1], turns[e], m);
    }
}

static void assemble(const cdg_rod_patch *p, const system *s, short_band *m) {
    short_band_clear(m, unknown_count(p), p->follows ? FOLLOWING_WIDTH : FREE_WIDTH);
    if (p->follows)
        assemble_following(p, s, m);
    else
        assemble_free(p, s, m);
    for (size_t k = 0; k < p->plane_count; k++) add_plane_block(p, &p->plane[k], m);
}

static void put(double *out, cdg_vec3 v) { out[0] = v.x, out[1] = v.y, out[2] = v.z; }

static void list_gradient(const cdg_rod_patch *p, const cdg_rod_patch_gradient *from, double out[N]) {
    for (size_t k = 1; k < p->count; k++) put(out + unknown_of_node(p, k), from->node[k]);
    for (size_t e = 0; e < p->count; e++) {
        double *to = out + unknown_of_frame(p, e);
        if (p->follows)
            *to = from->frame[e].z;
        else
            put(to, from->frame[e]);
    }
}

void cdg_rod_patch_list(const cdg_rod_patch *patch, const cdg_rod_patch_gradient *from, double out[N]) {
    list_gradient(patch, from, out);
}

double cdg_rod_patch_slope(const cdg_rod_patch *patch, double out[N]) {
    cdg_rod_patch_gradient g;
    double energy = cdg_rod_patch_energy(patch, &g);
    list_gradient(patch, &g, out);
    return energy;
}

size_t cdg_rod_patch_spread(const cdg_rod_patch *p, const double *node, const double *frame, double out[N]) {
    size_t count = unknown_count(p), stride = stride_of(p), frames = p->follows ? 1 : 3;
    for (size_t u = 0; u < count; u++) out[u] = u % stride < frames ? frame[u / stride] : node[u / stride + 1];
    return count;
}

size_t cdg_rod_patch_hessian(const cdg_rod_patch *patch, double out[N][N], double gradient[N]) {
    system s;
    short_band m;
    cdg_rod_patch_gradient g;
    evaluate(patch, CDG_PATCH_SECOND, &s);
    assemble(patch, &s, &m);
    find_gradient(patch, &s, &g);
    list_gradient(patch, &g, gradient);
    for (size_t i = 0; i < m.size; i++)
        for (size_t k = i; k < m.size; k++) out[i][k] = out[k][i] = k - i <= m.width ? m.rows[i][k] : 0;
    return m.size;
}

// A turn by theta, to third order.
static cdg_quat turned(cdg_quat q, cdg_vec3 theta) {
    cdg_quat r = quat_multiply(q, quat(1, 0.5 * theta.x, 0.5 * theta.y, 0.5 * theta.z));
    double scale = 1 / sqrt(quat_dot(r, r));
    return quat(scale * r.w, scale * r.x, scale * r.y, scale * r.z);
}

void cdg_rod_patch_move(cdg_rod_patch *p, const double by[N]) {
    for (size_t k = 1; k < p->count; k++) {
        const double *d = by + unknown_of_node(p, k);
        p->x[k] = vec3_add(p->x[k], vec3(d[0], d[1], d[2]));
    }
    for (size_t e = 0; e < p->count; e++) {
        const double *turn = by + unknown_of_frame(p, e);
        p->q[e] = p->follows ? der_transport(p->q[e], vec3_normalize(vec3_sub(p->x[e + 1], p->x[e])), *turn)
                             : turned(p->q[e], vec3(turn[0], turn[1], turn[2]));
    }
}

// ---- Newton ---------------------------------------------------------------------------------------------------------

// A plane that counts though it is not entered is gone to, not into.
static void pull_to_plane(const cdg_rod_patch *p, const cdg_rod_patch_plane *plane, double right[N]) {
    double force = plane->stiffness * depth_of(p, plane), share[2] = {1 - plane->share, plane->share};
    if (!plane->counts || force > 0) return;
    for (size_t k = 0; k < 2; k++) {
        size_t u = unknown_of_node(p, plane->element + k);
        if (u == SIZE_MAX) continue;
        right[u] += force * share[k] * plane->normal.x;
        right[u + 1] += force * share[k] * plane->normal.y;
        right[u + 2] += force * share[k] * plane->normal.z;
    }
}

// A step: what is left of the gradient, by the factors. Returns the work of the one along the other: where the matrix
// is the true one, half of it is what the energy is still above its least.
static double find_step(const cdg_rod_patch *p, const system *s, const short_band *m, const double wanted[N],
                        double step[N]) {
    double left[N], work = 0;
    cdg_rod_patch_gradient g;
    find_gradient(p, s, &g);
    list_gradient(p, &g, left);
    for (size_t u = 0; u < m->size; u++) step[u] = left[u] = wanted[u] - left[u];
    for (size_t k = 0; k < p->plane_count; k++) pull_to_plane(p, &p->plane[k], step);
    short_band_solve(m, step);
    for (size_t u = 0; u < m->size; u++) work += left[u] * step[u];
    return work;
}

// The matrix and its factors. Where it is not positive definite, pressed edges do not count, and then its diagonal is
// raised: `is_rough`.
static bool find_factors(const cdg_rod_patch *p, const system *s, bool is_clipped, short_band *m, bool *is_rough) {
    system clipped;
    double raise = 0;
    *is_rough = false;
    for (int try = 0; try < 12; try++) {
        assemble(p, s, m);
        for (size_t u = 0; u < m->size && raise > 0; u++) m->rows[u][u] *= 1 + raise;
        if (short_band_factor(m)) return true;
        *is_rough = true;
        if (try == 0 && !is_clipped) {
            evaluate(p, CDG_PATCH_CLIPPED, &clipped);
            s = &clipped;
            continue;
        }
        raise = raise > 0 ? 4 * raise : 1e-3;
    }
    return false;
}

// How far a step takes a plane's place into it.
static double depth_by(const cdg_rod_patch *p, const cdg_rod_patch_plane *plane, const double step[N]) {
    double sum = 0, share[2] = {1 - plane->share, plane->share};
    for (size_t k = 0; k < 2; k++) {
        size_t u = unknown_of_node(p, plane->element + k);
        if (u == SIZE_MAX) continue;
        sum -= share[k] * (plane->normal.x * step[u] + plane->normal.y * step[u + 1] + plane->normal.z * step[u + 2]);
    }
    return sum;
}

// A step into planes that the matrix does not have meets what is a thousand times stiffer, and hardly any of it could
// be gone: with them in the matrix it goes to them and slides along.
static bool find_step_beside_planes(cdg_rod_patch *p, const system *s, short_band *m, const double wanted[N],
                                    double step[N], bool *is_rough) {
    for (int round = 0; round < PLANE_ROUNDS; round++) {
        bool is_any = false;
        for (size_t k = 0; k < p->plane_count; k++) {
            cdg_rod_patch_plane *plane = &p->plane[k];
            double depth = depth_of(p, plane);
            if (plane->counts || depth > 0 || !(depth + depth_by(p, plane, step) > 0)) continue;
            plane->counts = is_any = true;
        }
        if (!is_any) break;
        if (!find_factors(p, s, false, m, is_rough)) return false;
        find_step(p, s, m, wanted, step);
    }
    return true;
}

// The longest of a step's parts, in lengths of elements and radians.
static double size_of(const cdg_rod_patch *p, const double step[N]) {
    double way = 0, turn = 0;
    size_t stride = stride_of(p), frames = p->follows ? 1 : 3, n = unknown_count(p);
    for (size_t first = 0; first < n; first += stride) {
        for (size_t u = first; u < first + frames; u++) turn = fabs(step[u]) > turn ? fabs(step[u]) : turn;
        for (size_t u = first + frames; u < first + stride && u < n; u++)
            way = fabs(step[u]) > way ? fabs(step[u]) : way;
    }
    double size = way / p->edges.length[0];
    return size > turn ? size : turn;
}

static bool is_finite(const double *step, size_t n) {
    double sum = 0;
    for (size_t u = 0; u < n; u++) sum += step[u];
    return isfinite(sum);
}

static double work_of(const double wanted[N], const double step[N], size_t n) {
    double sum = 0;
    for (size_t u = 0; u < n; u++) sum += wanted[u] * step[u];
    return sum;
}

// Where the search is: the size of its last step; how fast the matrix changes, by which share for a step of one;
// whether it was made positive definite, and whether the factors of before do once more.
typedef struct course {
    double size, rate;
    bool is_rough, is_again;
} course;

// The longest step that may be the last. One by factors of its own leaves rate times its square, and is taken for the
// first where the rod hardly moves; one by factors of before becomes shorter by the same share again and again.
static double last_step(const course *c, bool is_clipped) {
    if (is_clipped) return clipped_tolerance;
    return c->is_again ? sqrt(smallest * c->size) : sqrt(smallest / c->rate);
}

// Near the end the factors of before do: what two steps by them leave is small enough.
static bool keep_factors(const course *c, double size) {
    double share = c->is_again ? size / c->size : c->rate * size;
    return !c->is_rough && size * share * share < smallest;
}

// Moves along the step, or a part of it, until the energy falls; s: where it ends, unless the step is short enough to
// be the last. The size of what was gone; negative: nowhere.
static void search(cdg_rod_patch *p, const double goal[N], double step[N], double last, course *c, system *s) {
    size_t n = unknown_count(p);
    cdg_vec3 x[CDG_PATCH_NODES];
    cdg_quat q[CDG_PATCH_ELEMENTS];
    double energy = s->energy, size = size_of(p, step);
    for (size_t u = 0; u < n && size > longest; u++) step[u] *= longest / size;
    if (size > longest) size = longest;
    memcpy(x, p->x, (p->count + 1) * sizeof *x), memcpy(q, p->q, p->count * sizeof *q);
    for (int k = 0; k <= HALVINGS_MAX; k++) {
        bool is_again = keep_factors(c, size), is_end = size < last;
        cdg_rod_patch_move(p, step);
        if (!is_end) evaluate(p, is_again && p->plane_count == 0 ? CDG_PATCH_FIRST : CDG_PATCH_SECOND, s);
        // energies of stiff rods are differences of large numbers: near the end they tell nothing
        if (is_end || s->energy - energy - work_of(goal, step, n) <= 1e-9 * fabs(energy) + 1e-30 || size < 1e-5) {
            c->size = size, c->is_again = is_again;
            return;
        }
        for (size_t u = 0; u < n; u++) step[u] *= 0.5;
        size *= 0.5;
        memcpy(p->x, x, (p->count + 1) * sizeof *x), memcpy(p->q, q, p->count * sizeof *q);
    }
    c->size = -1;
}

int cdg_rod_patch_solve(cdg_rod_patch *patch, const cdg_rod_patch_gradient *wanted, bool is_pressed, double *energy) {
    double goal[N], step[N];
    system s;
    short_band m;
    course c = {.size = 1, .rate = first_rate};
    list_gradient(patch, wanted, goal);
    evaluate(patch, is_pressed ? CDG_PATCH_CLIPPED : CDG_PATCH_SECOND, &s);
    for (int i = 1; i <= ITERATIONS_MAX; i++) {
        bool is_clipped = is_pressed && i == 1;
        for (size_t k = 0; k < patch->plane_count && !c.is_again; k++) patch->plane[k].counts = false;
        if (!c.is_again && !find_factors(patch, &s, is_clipped, &m, &c.is_rough)) return 0;
        double work = find_step(patch, &s, &m, goal, step);
        if (patch->plane_count > 0 && !find_step_beside_planes(patch, &s, &m, goal, step, &c.is_rough)) return 0;
        if (!is_finite(step, m.size)) return 0;
        if (i > 1 && !c.is_again) c.rate = fmax(first_rate, size_of(patch, step) / (c.size * c.size));
        double last = c.is_rough && i >= PATIENCE ? enough : last_step(&c, is_clipped);
        search(patch, goal, step, last, &c, &s);
        if (c.size < 0) return 0;
        if (c.size >= last) continue;
        // by the step itself where its matrix is the true one, to the third power of its size
        bool is_exact = patch->plane_count == 0 && !c.is_rough && !(is_clipped && c.size > smallest);
        *energy = is_exact ? s.energy + work_of(goal, step, m.size) - work / 2 : cdg_rod_patch_own_energy(patch);
        return i;
    }
    return 0;
}
