// Newton's method on a few elements: at most 21 unknowns, places of three nodes and turns of four frames, or 13 where
// frames lie along their edges and turn about them alone.
//
// Such a frame turns with its edge the shortest way and then about d3 by phi. In its own axes, with u the edge's change
// and L its length, that is the turn
//   theta = (-u_y/L + u_y u_z/L^2 + phi u_x/2L, u_x/L - u_x u_z/L^2 + phi u_y/2L, phi)
// to second order, by which the derivatives by theta become those by places and phi.
#include "adapt/rod_patch.h"

#include "math/quat.h"
#include "rods/discrete_spring.h"
#include "rods/rod_model.h"

#include <math.h>
#include <string.h>

enum { N = CDG_PATCH_UNKNOWNS, FRAMES = 3 * CDG_PATCH_ELEMENTS, ITERATIONS_MAX = 30, PATIENCE = 8, HALVINGS_MAX = 10 };
static const double tolerance = 1e-7; // of lengths and radians: a step this short has an error of its square
static const double enough = 1e-4;    // after so many: where the matrix is not positive definite it goes slowly
static const double stiffer = 50;     // planes than bending across an element
static const double longest_turn = 0.5, longest_way = 0.5; // of a step: rad, and of an element

// ---- from a rod -----------------------------------------------------------------------------------------------------

static cdg_cell_kind cell_kind(const cdg_rod *rod) {
    if (rod->twist != NULL) return rod->curls_by_angle ? CDG_CELL_CURL_ANGLE : CDG_CELL_CURL;
    if (rod->measures_from_rest) return CDG_CELL_FROM_REST;
    return rod->measure == CDG_POBD_SINE      ? CDG_CELL_SINE
           : rod->measure == CDG_POBD_TANGENT ? CDG_CELL_TANGENT
                                              : CDG_CELL_ANGLE;
}

// A spring over `length` of a node's cell. `rest`: its turn at rest.
static cdg_cell_law cell_law(const cdg_rod *rod, size_t node, double length, cdg_quat rest) {
    cdg_cell_law law = {.kind = cell_kind(rod), .rest = rest};
    size_t at = node * rod->section_stride;
    for (int k = 0; k < 3; k++) law.stiffness[k] = 4 * rod->bend_stiffness[k][at] / length;
    if (rod->twist == NULL) return law;
    double share = length / rod_cell_length(rod, node);
    cdg_vec3 curl = rod_vec3(rod->rest_curl, node);
    if (share != 1) curl = der_turn_strain(rest, share * curl.z, rod->curls_by_angle);
    law.near = share * rod->twist[node];
    law.rest_half[0] = curl.x / 2, law.rest_half[1] = curl.y / 2, law.rest_half[2] = curl.z / 2;
    return law;
}

typedef struct neighbours {
    int number[2];     // of the frames left and right of a node; negative: not of the patch
    cdg_quat frame[2]; // their frames
    size_t element[2]; // SIZE_MAX: there is none
} neighbours;

static void add_spring(cdg_rod_patch *p, cdg_cell_law law, int left, int right, cdg_quat still) {
    if (left < 0 && right < 0) return; // nothing of it moves
    p->spring[p->spring_count++] = (cdg_rod_patch_spring){law, left, right, still};
}

// As rod_measure.c lists them: one over the cell, or one over each half cell beside a section that is held.
static void add_springs(cdg_rod_patch *p, const cdg_rod *rod, size_t node, const neighbours *n) {
    const cdg_hold *hold = rod_hold_at(rod, node);
    if (hold != NULL && hold->frame_hold == CDG_HOLD_NO_FRAME) hold = NULL;
    bool is_inner = n->element[0] != SIZE_MAX && n->element[1] != SIZE_MAX;
    if (is_inner && (hold == NULL || hold->frame_hold == CDG_HOLD_ROLL)) {
        cdg_cell_law law = cell_law(rod, node, rod_cell_length(rod, node), rod_rest_turn(rod, node));
        if (hold != NULL) law.stiffness[2] = 0;
        add_spring(p, law, n->number[0], n->number[1], n->number[0] < 0 ? n->frame[0] : n->frame[1]);
    }
    for (int side = 0; side < 2 && hold != NULL; side++) {
        size_t element = n->element[side];
        if (element == SIZE_MAX) continue;
        cdg_cell_law law = cell_law(rod, node, rod->rest_length[element] / 2, rod_half_cell_rest(rod, node, element));
        if (hold->frame_hold == CDG_HOLD_ROLL) law.stiffness[0] = law.stiffness[1] = 0;
        add_spring(p, law, side == 0 ? n->number[0] : -1, side == 1 ? n->number[1] : -1, hold->frame);
    }
}

void cdg_rod_patch_read(cdg_rod_patch *out, const cdg_rod *rod, const size_t *elements, const size_t *nodes,
                        size_t count) {
    const cdg_rod_model *model = rod->model;
    *out = (cdg_rod_patch){.count = count,
                           .follows = model->contact.frames_follow != NULL && model->contact.frames_follow(rod)};
    cdg_edge_kind kind = model->measures.edge_kind != NULL ? model->measures.edge_kind(rod) : CDG_EDGE_COSSERAT;
    for (size_t k = 0; k < count; k++) {
        size_t j = elements[k], at = j * rod->section_stride;
        out->q[k] = rod_quat(rod->q, j);
        out->edge[k] = (cdg_edge_law){.kind = kind, .length = rod->rest_length[j]};
        for (int i = 0; i < 3; i++) out->edge[k].stiffness[i] = rod->stretch_stiffness[i][at];
    }
    for (size_t k = 0; k <= count; k++) {
        out->x[k] = rod_vec3(rod->x, nodes[k]);
        neighbours n = {.number = {k > 0 ? (int)k - 1 : -1, k < count ? (int)k : -1},
                        .element = {rod_left_element(rod, nodes[k]), rod_right_element(rod, nodes[k])}};
        for (int side = 0; side < 2; side++)
            n.frame[side] = n.element[side] != SIZE_MAX ? rod_quat(rod->q, n.element[side]) : quat_identity();
        add_springs(out, rod, nodes[k], &n);
    }
}

// ---- energy and derivatives -----------------------------------------------------------------------------------------

// By nodes, frames, and both, before unknowns are chosen.
typedef struct system {
    double energy;
    double node[CDG_PATCH_NODES][3], frame[CDG_PATCH_ELEMENTS][3];
    double edge[CDG_PATCH_ELEMENTS][3][3];  // by an edge's change twice, world axes
    double mixed[CDG_PATCH_ELEMENTS][3][3]; // by theta (rows) and the edge's change, world axes
    double turns[FRAMES][FRAMES];           // by thetas
    double axes[CDG_PATCH_ELEMENTS][3][3];  // d1, d2, d3
    double length[CDG_PATCH_ELEMENTS];      // of edges, m
} system;

static void put(double out[3], cdg_vec3 v) { out[0] = v.x, out[1] = v.y, out[2] = v.z; }

static double dot3(const double a[3], const double b[3]) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

// e_a x y
static void unit_cross(int a, const double y[3], double out[3]) {
    int b = (a + 1) % 3, c = (a + 2) % 3;
    out[a] = 0, out[b] = -y[c], out[c] = y[b];
}

// An edge that is pressed and only stretches, beside one whose direction counts, has no stiffness across of its own.
static void clip(const cdg_rod_patch *p, const double y[3], cdg_edge_term *t) {
    double along = dot3(t->force, y), square = dot3(y, y);
    if (!p->follows || !(along < 0)) return;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) t->stiffness[i][k] -= along / square * ((i == k ? 1 : 0) - y[i] * y[k] / square);
}

static void add_edge(const cdg_rod_patch *p, size_t e, bool is_clipped, system *s) {
    double edge[3], y[3], (*axes)[3] = s->axes[e];
    put(edge, vec3_sub(p->x[e + 1], p->x[e]));
    put(axes[0], quat_d1(p->q[e])), put(axes[1], quat_d2(p->q[e])), put(axes[2], quat_d3(p->q[e]));
    for (int a = 0; a < 3; a++) y[a] = dot3(axes[a], edge);
    s->length[e] = sqrt(dot3(y, y));
    cdg_edge_term t;
    cdg_edge_evaluate(&p->edge[e], y, &t);
    if (is_clipped) clip(p, y, &t);
    s->energy += t.energy;
    double half[3][3]; // A R^T
    for (int a = 0; a < 3; a++)
        for (int i = 0; i < 3; i++)
            half[a][i] =
                t.stiffness[a][0] * axes[0][i] + t.stiffness[a][1] * axes[1][i] + t.stiffness[a][2] * axes[2][i];
    for (int i = 0; i < 3; i++) {
        double force = axes[0][i] * t.force[0] + axes[1][i] * t.force[1] + axes[2][i] * t.force[2];
        s->node[e][i] -= force, s->node[e + 1][i] += force;
        for (int k = 0; k < 3; k++)
            s->edge[e][i][k] = axes[0][i] * half[0][k] + axes[1][i] * half[1][k] + axes[2][i] * half[2][k];
    }
    if (p->follows) return;
    double turned[3][3], fy = dot3(t.force, y); // e_a x y
    for (int a = 0; a < 3; a++) unit_cross(a, y, turned[a]);
    for (int a = 0; a < 3; a++) {
        s->frame[e][a] -= dot3(t.force, turned[a]);
        for (int i = 0; i < 3; i++) {
            double sum = 0, cross[3];
            for (int b = 0; b < 3; b++) sum -= turned[a][b] * half[b][i];
            for (int b = 0; b < 3; b++) { // - f.(e_a x e_b) d_b
                const double unit[3] = {b == 0, b == 1, b == 2};
                unit_cross(a, unit, cross);
                sum -= dot3(t.force, cross) * axes[b][i];
            }
            s->mixed[e][a][i] = sum;
        }
        for (int b = 0; b < 3; b++) {
            double sum = 0;
            for (int i = 0; i < 3; i++) sum += turned[a][i] * dot3(t.stiffness[i], turned[b]);
            sum += 0.5 * (t.force[a] * y[b] + t.force[b] * y[a]) - (a == b ? fy : 0);
            s->turns[3 * e + (size_t)a][3 * e + (size_t)b] += sum;
        }
    }
}

static void add_cell(const cdg_rod_patch *p, const cdg_rod_patch_spring *spring, system *s) {
    cdg_cell_term t;
    int at[2] = {spring->left, spring->right};
    cdg_cell_evaluate(&spring->law, at[0] < 0 ? spring->still : p->q[at[0]], at[1] < 0 ? spring->still : p->q[at[1]],
                      &t);
    s->energy += t.energy;
    for (int i = 0; i < 2; i++) {
        if (at[i] < 0) continue;
        for (int a = 0; a < 3; a++) s->frame[at[i]][a] += t.torque[3 * i + a];
        for (int k = 0; k < 2; k++) {
            if (at[k] < 0) continue;
            for (int a = 0; a < 3; a++)
                for (int b = 0; b < 3; b++) s->turns[3 * at[i] + a][3 * at[k] + b] += t.stiffness[3 * i + a][3 * k + b];
        }
    }
}

static size_t node_unknowns(const cdg_rod_patch *p) { return 3 * (p->count - 1); }
static size_t unknown_count(const cdg_rod_patch *p) { return node_unknowns(p) + (p->follows ? 1 : 3) * p->count; }

// The first unknown of a node; SIZE_MAX: it stays.
static size_t unknown_of_node(const cdg_rod_patch *p, size_t node) {
    return node > 0 && node < p->count ? 3 * (node - 1) : SIZE_MAX;
}

void cdg_rod_patch_add_plane(cdg_rod_patch *p, size_t element, double share, cdg_vec3 normal, double offset) {
    double stiffness = 0, length = p->edge[element].length;
    if (p->plane_count == CDG_PATCH_PLANES) return;
    for (size_t k = 0; k < p->spring_count; k++)
        stiffness = fmax(stiffness, fmax(p->spring[k].law.stiffness[0], p->spring[k].law.stiffness[1]));
    p->plane[p->plane_count++] =
        (cdg_rod_patch_plane){element, share, normal, offset, stiffer * stiffness / (length * length)};
}

static double depth_of(const cdg_rod_patch *p, const cdg_rod_patch_plane *plane) {
    cdg_vec3 place = vec3_lerp(p->x[plane->element], p->x[plane->element + 1], plane->share);
    return plane->offset - vec3_dot(plane->normal, place);
}

static void add_plane(const cdg_rod_patch *p, const cdg_rod_patch_plane *plane, system *s) {
    double depth = depth_of(p, plane), n[3], share[2] = {1 - plane->share, plane->share};
    if (!(depth > 0)) return;
    put(n, plane->normal);
    s->energy += 0.5 * plane->stiffness * depth * depth;
    for (size_t k = 0; k < 2; k++)
        for (int i = 0; i < 3; i++) s->node[plane->element + k][i] -= plane->stiffness * depth * share[k] * n[i];
}

static void add_plane_block(const cdg_rod_patch *p, const cdg_rod_patch_plane *plane, double h[N][N]) {
    double n[3], share[2] = {1 - plane->share, plane->share};
    if (!(depth_of(p, plane) > 0)) return;
    put(n, plane->normal);
    for (size_t i = 0; i < 2; i++)
        for (size_t k = 0; k < 2; k++) {
            size_t a = unknown_of_node(p, plane->element + i), b = unknown_of_node(p, plane->element + k);
            if (a == SIZE_MAX || b == SIZE_MAX) continue;
            for (size_t c = 0; c < 3; c++)
                for (size_t d = 0; d < 3; d++) h[a + c][b + d] += plane->stiffness * share[i] * share[k] * n[c] * n[d];
        }
}

static void evaluate(const cdg_rod_patch *p, bool is_clipped, system *s) {
    memset(s, 0, sizeof *s);
    for (size_t e = 0; e < p->count; e++) add_edge(p, e, is_clipped, s);
    for (size_t k = 0; k < p->spring_count; k++) add_cell(p, &p->spring[k], s);
    for (size_t k = 0; k < p->plane_count; k++) add_plane(p, &p->plane[k], s);
}

// theta_x and theta_y of a frame that follows, by its edge's change: rows of world vectors.
static void edge_turns(const system *s, size_t e, double out[2][3]) {
    for (int i = 0; i < 3; i++) {
        out[0][i] = -s->axes[e][1][i] / s->length[e];
        out[1][i] = s->axes[e][0][i] / s->length[e];
    }
}

// Torques on frames that follow act on nodes.
static void give_torques_to_nodes(const cdg_rod_patch *p, system *s) {
    for (size_t e = 0; e < p->count; e++) {
        double turns[2][3];
        edge_turns(s, e, turns);
        for (int i = 0; i < 3; i++) {
            double force = s->frame[e][0] * turns[0][i] + s->frame[e][1] * turns[1][i];
            s->node[e][i] -= force, s->node[e + 1][i] += force;
        }
    }
}

double cdg_rod_patch_energy(const cdg_rod_patch *patch, cdg_rod_patch_gradient *out) {
    system s;
    evaluate(patch, false, &s);
    if (out == NULL) return s.energy;
    if (patch->follows) give_torques_to_nodes(patch, &s);
    for (size_t k = 0; k <= patch->count; k++) out->node[k] = vec3(s.node[k][0], s.node[k][1], s.node[k][2]);
    for (size_t e = 0; e < patch->count; e++)
        out->frame[e] = patch->follows ? vec3(0, 0, s.frame[e][2]) : vec3(s.frame[e][0], s.frame[e][1], s.frame[e][2]);
    return s.energy;
}

// ---- unknowns -------------------------------------------------------------------------------------------------------

static void add_edge_blocks(const cdg_rod_patch *p, const system *s, double h[N][N]) {
    for (size_t e = 0; e < p->count; e++)
        for (size_t i = 0; i < 2; i++)
            for (size_t k = 0; k < 2; k++) {
                size_t a = unknown_of_node(p, e + i), b = unknown_of_node(p, e + k);
                if (a == SIZE_MAX || b == SIZE_MAX) continue;
                double sign = i == k ? 1 : -1;
                for (size_t c = 0; c < 3; c++)
                    for (size_t d = 0; d < 3; d++) h[a + c][b + d] += sign * s->edge[e][c][d];
            }
}

static void assemble_free(const cdg_rod_patch *p, const system *s, double h[N][N], double g[N]) {
    size_t first = node_unknowns(p);
    for (size_t e = 0; e < p->count; e++)
        for (size_t a = 0; a < 3; a++) {
            g[first + 3 * e + a] = s->frame[e][a];
            for (size_t k = 0; k < 2; k++) {
                size_t node = unknown_of_node(p, e + k);
                if (node == SIZE_MAX) continue;
                for (size_t i = 0; i < 3; i++) {
                    double value = (k == 1 ? 1 : -1) * s->mixed[e][a][i];
                    h[first + 3 * e + a][node + i] += value, h[node + i][first + 3 * e + a] += value;
                }
            }
        }
    for (size_t a = 0; a < 3 * p->count; a++)
        for (size_t b = 0; b < 3 * p->count; b++) h[first + a][first + b] += s->turns[a][b];
}

// What theta's second order adds, by the torques of a frame: to the edge's block, and between it and phi.
static void bend_follower(const system *s, size_t e, double edge[3][3], double spin[3]) {
    const double(*d)[3] = s->axes[e];
    double l = s->length[e], x = s->frame[e][0], y = s->frame[e][1];
    for (int i = 0; i < 3; i++) {
        spin[i] = 0.5 / l * (x * d[0][i] + y * d[1][i]);
        for (int k = 0; k < 3; k++)
            edge[i][k] =
                (x * (d[1][i] * d[2][k] + d[2][i] * d[1][k]) - y * (d[0][i] * d[2][k] + d[2][i] * d[0][k])) / (l * l);
    }
}

static void assemble_following(const cdg_rod_patch *p, system *s, double h[N][N], double g[N]) { // s: a copy
    size_t first = node_unknowns(p), n = unknown_count(p);
    double by[FRAMES][N] = {{0}}, bent[FRAMES][N];
    for (size_t e = 0; e < p->count; e++) {
        double turns[2][3], edge[3][3], spin[3];
        edge_turns(s, e, turns);
        bend_follower(s, e, edge, spin);
        for (int i = 0; i < 3; i++)
            for (int k = 0; k < 3; k++) s->edge[e][i][k] += edge[i][k];
        by[3 * e + 2][first + e] = 1;
        g[first + e] = s->frame[e][2];
        for (size_t k = 0; k < 2; k++) {
            size_t node = unknown_of_node(p, e + k);
            if (node == SIZE_MAX) continue;
            double sign = k == 1 ? 1 : -1;
            for (size_t i = 0; i < 3; i++) {
                by[3 * e][node + i] += sign * turns[0][i];
                by[3 * e + 1][node + i] += sign * turns[1][i];
                h[node + i][first + e] += sign * spin[i], h[first + e][node + i] += sign * spin[i];
            }
        }
    }
    size_t frames = 3 * p->count;
    for (size_t a = 0; a < frames; a++)
        for (size_t u = 0; u < n; u++) {
            bent[a][u] = 0;
            for (size_t b = 0; b < frames; b++) bent[a][u] += s->turns[a][b] * by[b][u];
        }
    for (size_t u = 0; u < n; u++)
        for (size_t w = 0; w < n; w++)
            for (size_t a = 0; a < frames; a++) h[u][w] += by[a][u] * bent[a][w];
    give_torques_to_nodes(p, s);
}

static size_t assemble(const cdg_rod_patch *p, const system *given, double h[N][N], double g[N]) {
    size_t n = unknown_count(p);
    system copy, *s = &copy;
    memcpy(&copy, given, sizeof copy);
    for (size_t u = 0; u < n; u++) memset(h[u], 0, n * sizeof h[u][0]);
    if (p->follows)
        assemble_following(p, s, h, g);
    else
        assemble_free(p, s, h, g);
    add_edge_blocks(p, s, h);
    for (size_t k = 0; k < p->plane_count; k++) add_plane_block(p, &p->plane[k], h);
    for (size_t k = 1; k < p->count; k++)
        for (size_t i = 0; i < 3; i++) g[3 * (k - 1) + i] = s->node[k][i];
    return n;
}

size_t cdg_rod_patch_hessian(const cdg_rod_patch *patch, double out[N][N], double gradient[N]) {
    system s;
    evaluate(patch, false, &s);
    return assemble(patch, &s, out, gradient);
}

void cdg_rod_patch_move(cdg_rod_patch *p, const double by[N]) {
    for (size_t k = 1; k < p->count; k++) {
        const double *d = by + 3 * (k - 1);
        p->x[k] = vec3_add(p->x[k], vec3(d[0], d[1], d[2]));
    }
    const double *turn = by + node_unknowns(p);
    for (size_t e = 0; e < p->count; e++) {
        if (p->follows) {
            cdg_vec3 tangent = vec3_normalize(vec3_sub(p->x[e + 1], p->x[e]));
            p->q[e] = der_transport(p->q[e], tangent, turn[e]);
        } else {
            p->q[e] =
                quat_normalize(quat_multiply(p->q[e], quat_exp(vec3(turn[3 * e], turn[3 * e + 1], turn[3 * e + 2]))));
        }
    }
}

// ---- Newton ---------------------------------------------------------------------------------------------------------

// Cholesky's factors in the lower half; false: not positive definite.
static bool factor(double h[N][N], size_t n) {
    for (size_t c = 0; c < n; c++) {
        double pivot = h[c][c];
        for (size_t k = 0; k < c; k++) pivot -= h[c][k] * h[c][k];
        if (!(pivot > 1e-14 * fabs(h[c][c])) || !isfinite(pivot)) return false;
        double root = sqrt(pivot), inverse = 1 / root;
        h[c][c] = root;
        for (size_t r = c + 1; r < n; r++) {
            double sum = h[r][c];
            for (size_t k = 0; k < c; k++) sum -= h[r][k] * h[c][k];
            h[r][c] = sum * inverse;
        }
    }
    return true;
}

static void substitute(double h[N][N], size_t n, double x[N]) {
    for (size_t r = 0; r < n; r++) {
        for (size_t k = 0; k < r; k++) x[r] -= h[r][k] * x[k];
        x[r] /= h[r][r];
    }
    for (size_t r = n; r-- > 0;) {
        for (size_t k = r + 1; k < n; k++) x[r] -= h[k][r] * x[k];
        x[r] /= h[r][r];
    }
}

// Where the matrix is not positive definite, its diagonal is raised.
static bool find_step(const cdg_rod_patch *p, const system *s, const double wanted[N], double step[N],
                      bool *is_raised) {
    double h[N][N], g[N], raise = 0;
    system clipped;
    for (int try = 0; try < 12; try++) {
        size_t n = assemble(p, s, h, g);
        for (size_t u = 0; u < n; u++) h[u][u] *= 1 + raise;
        for (size_t u = 0; u < n; u++) step[u] = wanted[u] - g[u];
        if (factor(h, n)) {
            substitute(h, n, step);
            *is_raised = try > 0;
            return true;
        }
        if (try == 0 && p->follows) { // pressed edges first
            evaluate(p, true, &clipped);
            s = &clipped;
            continue;
        }
        raise = raise > 0 ? 4 * raise : 1e-3;
    }
    return false;
}

static void list_wanted(const cdg_rod_patch *p, const cdg_rod_patch_gradient *wanted, double out[N]) {
    size_t n = 0;
    for (size_t k = 1; k < p->count; k++, n += 3) put(out + n, wanted->node[k]);
    for (size_t e = 0; e < p->count; e++) {
        if (p->follows) {
            out[n++] = wanted->frame[e].z;
        } else {
            put(out + n, wanted->frame[e]);
            n += 3;
        }
    }
}

// The longest of a step's parts, in lengths of elements and radians.
static double size_of(const cdg_rod_patch *p, const double step[N]) {
    double most = 0;
    size_t nodes = node_unknowns(p), n = unknown_count(p);
    for (size_t u = 0; u < n; u++) most = fmax(most, u < nodes ? fabs(step[u]) / p->edge[0].length : fabs(step[u]));
    return most;
}

static double work_of(const double wanted[N], const double step[N], size_t n) {
    double sum = 0;
    for (size_t u = 0; u < n; u++) sum += wanted[u] * step[u];
    return sum;
}

int cdg_rod_patch_solve(cdg_rod_patch *patch, const cdg_rod_patch_gradient *wanted) {
    double goal[N], step[N];
    size_t n = unknown_count(patch);
    system s;
    list_wanted(patch, wanted, goal);
    evaluate(patch, false, &s);
    for (int i = 1; i <= ITERATIONS_MAX; i++) {
        double energy = s.energy;
        bool is_raised = false;
        if (!find_step(patch, &s, goal, step, &is_raised)) return 0;
        double size = size_of(patch, step), limit = fmin(longest_turn, longest_way);
        if (!isfinite(size)) return 0;
        for (size_t u = 0; u < n && size > limit; u++) step[u] *= limit / size;
        if (size > limit) size = limit;
        cdg_rod_patch from = *patch;
        for (int k = 0;; k++) {
            *patch = from;
            cdg_rod_patch_move(patch, step);
            if (size < (is_raised && i >= PATIENCE ? enough : tolerance)) return i;
            evaluate(patch, false, &s);
            // energies of stiff rods are differences of large numbers: near the end they tell nothing
            if (s.energy - energy - work_of(goal, step, n) <= 1e-9 * fabs(energy) + 1e-30 || size < 1e-5) break;
            if (k == HALVINGS_MAX) return 0;
            for (size_t u = 0; u < n; u++) step[u] *= 0.5;
            size *= 0.5;
        }
    }
    return 0;
}
