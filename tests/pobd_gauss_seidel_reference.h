// The Gauss-Seidel iteration of pobd one constraint after the other, in unit quaternions and plain strains, with the
// formulas as they stand in the paper and in the comments of the solver: what the vectorised solver is compared
// with.
#ifndef CDG_TESTS_POBD_GAUSS_SEIDEL_REFERENCE_H
#define CDG_TESTS_POBD_GAUSS_SEIDEL_REFERENCE_H

#include "math/quat.h"
#include "rods/frame_angle.h"
#include "rods/pobd/problem.h"

#include <stdlib.h>

typedef struct reference {
    const pobd_problem *p;
    double (*stretch)[3], (*bend)[3], (*half)[2][3]; // multipliers
    double *sign;
} reference;

static inline void reference_add(cdg_quat *q, double scale, cdg_quat change) {
    q->w += scale * change.w, q->x += scale * change.x, q->y += scale * change.y, q->z += scale * change.z;
}

static inline cdg_quat reference_times(cdg_quat q, cdg_vec3 v) { return quat_multiply(q, quat(0, v.x, v.y, v.z)); }

static inline double reference_node(const pobd_problem *p, size_t i) {
    return p->node_weight[i] < HUGE_VAL ? p->is_paper ? 1 : 1 / p->node_weight[i] : 0;
}

static inline double reference_frame(const pobd_problem *p, size_t j) {
    return p->frame_weight[0][j] < HUGE_VAL ? (p->is_paper ? 4 : 1) / p->frame_weight[0][j] : 0;
}

static inline void reference_stretch(reference *r, size_t j) {
    const pobd_problem *p = r->p;
    size_t k = j + 1 < p->node_count ? j + 1 : 0;
    cdg_quat q = quat_normalize(rod_quat(p->q, j));
    double l = p->rest_length[j];
    cdg_vec3 x0 = rod_vec3(p->x, j), x1 = rod_vec3(p->x, k);
    cdg_vec3 e = quat_rotate_inverse(q, vec3_scale(1 / l, vec3_sub(x1, x0)));
    double w0 = reference_node(p, j), w1 = reference_node(p, k), wq = reference_frame(p, j);
    double part[3] = {e.x, e.y, e.z - 1}, shear = e.x * e.x + e.y * e.y, ws = (w0 + w1) / (l * l), a[3], b[3], y[3];
    for (int c = 0; c < 3; c++) {
        a[c] = p->is_paper ? 0 : 1 / (l * p->stretch_stiffness[c][j * p->stretch_stride]);
        b[c] = part[c] - (p->rest_strain[c] != NULL ? p->rest_strain[c][j] : 0) + a[c] * r->stretch[j][c];
    }
    double g = fmax(1 - 25 * (shear + (e.z - 1) * (e.z - 1)), 0);
    for (int c = 0; c < 3; c++) {
        y[c] = b[c] / (ws + wq * (c < 2 ? 1 : 1 - g + g * (shear + b[2] * b[2])) + a[c]);
        if (p->is_paper) y[c] = p->paper_stretch[c] * b[c] / (ws + wq);
        r->stretch[j][c] -= y[c];
    }
    cdg_vec3 force = quat_rotate(q, vec3(y[0], y[1], y[2]));
    cdg_vec3 arm = p->is_paper ? vec3(0, 0, 1) : vec3(g * e.x, g * e.y, 1 + g * (e.z - 1));
    double along = ws + wq * (1 - g + g * (shear + b[2] * b[2])) + a[2];
    double grown = p->is_paper ? 1 : 1 + (1 - g) * wq * fabs(e.z - 1) / along;
    rod_set_vec3(p->x, j, vec3_mad(x0, w0 / l, force));
    rod_set_vec3(p->x, k, vec3_mad(rod_vec3(p->x, k), -w1 / l, force));
    cdg_quat turned = q;
    reference_add(&turned, wq / 2 / grown, reference_times(q, vec3_cross(arm, vec3(y[0], y[1], y[2]))));
    if (p->is_paper) reference_add(&turned, wq / 2 * y[2], q); // the part of C q conj(e3) along q (eq. 37)
    rod_set_quat(p->q, j, p->is_paper ? quat_normalize(turned) : turned);
}

// One bend-twist constraint between frames l and r, of which either may be prescribed (weight 0).
static inline void reference_turn(const pobd_problem *p, cdg_quat *l, cdg_quat *r, double wl, double wr, cdg_quat rest,
                                  double sign, const double stiffness[3], double lambda[3]) {
    cdg_quat turn = quat_relative(*l, *r), ql = *l, qr = *r;
    double v[3] = {turn.x, turn.y, turn.z}, v0[3] = {rest.x, rest.y, rest.z}, y[3], steep = 1;
    if (p->is_tangent) {
        for (int c = 0; c < 3; c++) v[c] /= turn.w, v0[c] /= rest.w;
        steep = 1 + v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
        sign = 1;
    }
    double f = 1, slope = 0, share = 1;
    if (p->is_angle) {
        f = pobd_angle_scale(turn.w), slope = pobd_angle_slope(turn.w), share = (9 + 6 * fmin(fabs(turn.w), 1)) / 15;
        for (int c = 0; c < 3; c++) v[c] *= f, v0[c] *= pobd_angle_scale(rest.w);
    }
    for (int c = 0; c < 3; c++) {
        double strain = v[c] - sign * v0[c], weight = (wl + wr) / 4 * steep * steep;
        y[c] = 0;
        if (stiffness[c] > 0)
            y[c] = p->is_paper ? p->paper_bend[c] * strain / weight
                               : share * (strain + lambda[c] / stiffness[c]) / (weight + 1 / stiffness[c]);
        lambda[c] -= y[c];
    }
    cdg_vec3 push = vec3(y[0], y[1], y[2]), psi = vec3(v[0], v[1], v[2]);
    if (p->is_angle) {
        double real = slope / f * vec3_dot(psi, push);
        reference_add(l, wl / 4, quat_multiply(qr, quat(-real, f * push.x, f * push.y, f * push.z)));
        reference_add(r, -wr / 4, quat_multiply(ql, quat(real, f * push.x, f * push.y, f * push.z)));
    } else if (p->is_tangent) {
        cdg_vec3 both = vec3_mad(push, vec3_dot(psi, push), psi), turned = vec3_cross(psi, push);
        reference_add(l, wl / 4, reference_times(ql, vec3_add(both, turned)));
        reference_add(r, -wr / 4, reference_times(qr, vec3_sub(both, turned)));
    } else {
        reference_add(l, wl / 4, reference_times(qr, push));
        reference_add(r, -wr / 4, reference_times(ql, push));
    }
    if (p->is_paper) *l = quat_normalize(*l), *r = quat_normalize(*r);
}

static inline size_t reference_left(const pobd_problem *p, size_t i) {
    return i > 0 ? i - 1 : p->is_closed ? p->element_count - 1 : SIZE_MAX;
}

static inline bool reference_is_anchored(const pobd_problem *p, size_t i) {
    for (size_t a = 0; a < p->anchor_count; a++)
        if (p->anchors[a].node == i) return true;
    return false;
}

static inline void reference_bend(reference *r, size_t i) {
    const pobd_problem *p = r->p;
    size_t left = reference_left(p, i), at = i * p->bend_stride;
    if (left == SIZE_MAX || reference_is_anchored(p, i)) return;
    double stiffness[3] = {p->bend_stiffness[0][at], p->bend_stiffness[1][at], p->bend_stiffness[2][at]};
    cdg_quat ql = rod_quat(p->q, left), qr = rod_quat(p->q, i);
    cdg_quat rest = quat(p->rest_turn[0][i], p->rest_turn[1][i], p->rest_turn[2][i], p->rest_turn[3][i]);
    if (r->sign[i] == 0) r->sign[i] = quat_dot(quat_relative(ql, qr), rest) < 0 ? -1 : 1;
    reference_turn(p, &ql, &qr, reference_frame(p, left), reference_frame(p, i), rest, r->sign[i], stiffness,
                   r->bend[i]);
    rod_set_quat(p->q, left, ql);
    rod_set_quat(p->q, i, qr);
}

static inline void reference_anchor(reference *r, size_t a) {
    const pobd_problem *p = r->p;
    const pobd_anchor *anchor = &p->anchors[a];
    for (int side = 0; side < 2; side++) {
        size_t j = side == 0 ? anchor->node : reference_left(p, anchor->node);
        if (j >= p->element_count) continue;
        cdg_quat frame = anchor->frame, q = rod_quat(p->q, j);
        cdg_quat turn = side == 0 ? quat_relative(frame, q) : quat_relative(q, frame);
        double *sign = &r->sign[p->node_count + 2 * a + (size_t)side];
        if (*sign == 0) *sign = quat_dot(turn, anchor->rest_half) < 0 ? -1 : 1;
        reference_turn(p, side == 0 ? &frame : &q, side == 0 ? &q : &frame, side == 0 ? 0 : reference_frame(p, j),
                       side == 0 ? reference_frame(p, j) : 0, anchor->rest_half, *sign, anchor->stiffness,
                       r->half[a][side]);
        rod_set_quat(p->q, j, q);
    }
}

// The signs of all turns are those at the start.
static inline void reference_solve(const pobd_problem *p) {
    size_t n = p->element_count, anchors = p->anchor_count + 1;
    reference r = {p, calloc(n, sizeof *r.stretch), calloc(p->node_count, sizeof *r.bend),
                   calloc(anchors, sizeof *r.half), calloc(p->node_count + 2 * anchors, sizeof(double))};
    pobd_problem still = *p; // every frame held: projections only take note of the signs
    double *held = malloc(n * sizeof(double));
    for (size_t j = 0; j < n; j++) held[j] = HUGE_VAL;
    still.frame_weight[0] = held;
    still.is_paper = still.is_tangent = false;
    r.p = &still;
    for (size_t a = 0; a < p->anchor_count; a++) reference_anchor(&r, a);
    for (size_t i = 0; i < n; i++) reference_bend(&r, i);
    for (size_t i = 0; i < n; i++) r.bend[i][0] = r.bend[i][1] = r.bend[i][2] = 0;
    for (size_t a = 0; a < p->anchor_count; a++)
        for (int c = 0; c < 3; c++) r.half[a][0][c] = r.half[a][1][c] = 0;
    r.p = p;
    for (int iteration = 0; iteration < p->iterations; iteration++) {
        for (size_t a = 0; a < p->anchor_count; a++) reference_anchor(&r, a);
        for (size_t parity = 0; parity < 2; parity++)
            for (size_t i = parity; i < n; i += 2) reference_bend(&r, i);
        for (size_t parity = 0; parity < 2; parity++)
            for (size_t j = parity; j < n; j += 2) reference_stretch(&r, j);
        for (size_t i = 0; i < p->node_count && p->attachment_reach != NULL; i++) {
            cdg_vec3 root = rod_vec3(p->x, p->attachment_node[i]), d = vec3_sub(rod_vec3(p->x, i), root);
            if (p->node_weight[i] < HUGE_VAL && vec3_norm(d) > p->attachment_reach[i])
                rod_set_vec3(p->x, i, vec3_mad(root, p->attachment_reach[i] / vec3_norm(d), d));
        }
    }
    for (size_t j = 0; j < n; j++) rod_set_quat(p->q, j, quat_normalize(rod_quat(p->q, j)));
    free(r.stretch), free(r.bend), free(r.half), free(r.sign), free(held);
}

#endif
