// Energies of elements and cells with their derivatives, one in each lane (rod_patch_terms.h).
#include "adapt/rod_patch_terms.h"

#include "math/simd_angle.h"

#include <math.h>

#define PASTE_(a, b) a##b
#define PASTE(a, b) PASTE_(a, b)
#define VARIANT(name) PASTE(name, CDG_SIMD_SUFFIX)

typedef simd_double real;

enum { XX, XY, XZ, YY, YZ, ZZ };
// Where entry (i, k) of a symmetric matrix is.
static const int entry[3][3] = {{XX, XY, XZ}, {XY, YY, YZ}, {XZ, YZ, ZZ}};

SIMD_INLINE void load(const cdg_patch_lane *from, size_t at, int count, real *out) {
    for (int k = 0; k < count; k++) out[k] = simd_load(from[k] + at);
}
SIMD_INLINE void store(const real *from, size_t at, int count, cdg_patch_lane *to) {
    for (int k = 0; k < count; k++) simd_store(to[k] + at, from[k]);
}

SIMD_INLINE real dot3(const real a[3], const real b[3]) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

SIMD_INLINE void cross3(const real a[3], const real b[3], real out[3]) {
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

// Columns of the rotation matrix: axes[a] is d_(a+1).
SIMD_INLINE void axes_of(const real q[4], real axes[3][3]) {
    real w = q[0], x = q[1], y = q[2], z = q[3];
    axes[0][0] = 1 - 2 * (y * y + z * z), axes[0][1] = 2 * (x * y + w * z), axes[0][2] = 2 * (x * z - w * y);
    axes[1][0] = 2 * (x * y - w * z), axes[1][1] = 1 - 2 * (x * x + z * z), axes[1][2] = 2 * (y * z + w * x);
    axes[2][0] = 2 * (x * z + w * y), axes[2][1] = 2 * (y * z - w * x), axes[2][2] = 1 - 2 * (x * x + y * y);
}

// ---- elements -------------------------------------------------------------------------------------------------------

// F with its derivatives by y.
typedef struct edge_law {
    real energy, force[3], stiffness[6];
} edge_law;

SIMD_INLINE edge_law cosserat(const real y[3], real length, const real stiffness[3]) {
    edge_law t;
    real inverse = 1 / length, zero = 0 * length;
    t.energy = zero;
    for (int k = 0; k < 6; k++) t.stiffness[k] = zero;
    for (int k = 0; k < 3; k++) {
        real strain = y[k] * inverse - (k == 2 ? 1 : 0);
        t.force[k] = stiffness[k] * strain;
        t.energy += 0.5 * length * t.force[k] * strain;
        t.stiffness[entry[k][k]] = stiffness[k] * inverse;
    }
    return t;
}

// Stretch by the edge's length alone: phi(s) with s = |y|/l, per E A l; below half its length a barrier, b of
// corde/terms.h.
SIMD_INLINE edge_law stretched(const real y[3], real norm, real length, real stiffness, bool has_barrier) {
    edge_law t;
    real s = norm / length, inverse = 1 / norm, zero = 0 * norm, energy = 0.5 * (s - 1) * (s - 1), over = zero;
    simd_mask is_barred = s < 0.5;
    if (has_barrier && simd_any(is_barred)) {
        over = simd_keep(is_barred, 0.5 / s - 1);
        for (size_t lane = 0; lane < SIMD_LANES; lane++) {
            double at = simd_get(&s, lane);
            if (at < 0.5) simd_lanes(&energy)[lane] += 0.25 / at + log(2 * at) - at;
        }
    }
    real tension = stiffness * (s - 1 - over * over), across = tension * inverse;
    real slope = stiffness * (1 + over / (s * s)) / length;
    t.energy = stiffness * length * energy;
    real unit[3] = {y[0] * inverse, y[1] * inverse, y[2] * inverse};
    for (int i = 0; i < 3; i++) {
        t.force[i] = tension * unit[i];
        for (int k = i; k < 3; k++)
            t.stiffness[entry[i][k]] = (slope - across) * unit[i] * unit[k] + (i == k ? across : zero);
    }
    return t;
}

// Coupling kappa l (1 - t.e3), t = y/|y|.
SIMD_INLINE void add_coupling(const real y[3], real norm, real scale, edge_law *t) {
    real inverse = 1 / norm, c = y[2] * inverse, unit[3] = {y[0] * inverse, y[1] * inverse, c};
    t->energy += 0.5 * scale * (unit[0] * unit[0] + unit[1] * unit[1] + (c - 1) * (c - 1));
    for (int i = 0; i < 3; i++) {
        t->force[i] -= scale * inverse * ((i == 2 ? 1 : 0) - c * unit[i]);
        for (int k = i; k < 3; k++) {
            real sum = 3 * c * unit[i] * unit[k];
            if (i == 2) sum -= unit[k];
            if (k == 2) sum -= unit[i];
            if (i == k) sum -= c;
            t->stiffness[entry[i][k]] -= scale * inverse * inverse * sum;
        }
    }
}

// Pressure of an edge that wants to give way: out of its stiffness across, of laws that have it there, and out of the
// force that turns bring about by second order.
SIMD_INLINE void clip(const real y[3], bool is_across, edge_law *t, real pressing[3]) {
    real along = dot3(t->force, y), square = dot3(y, y), lost = simd_keep(along < 0, along / square);
    for (int i = 0; i < 3; i++) {
        pressing[i] = lost * y[i];
        for (int k = i; k < 3 && is_across; k++)
            t->stiffness[entry[i][k]] -= lost * ((i == k ? 1 : 0) - y[i] * y[k] / square);
    }
}

// From y to the edge: forces in world axes.
SIMD_INLINE void force_to_world(const edge_law *t, real axes[3][3], real force[3]) {
    for (int i = 0; i < 3; i++)
        force[i] = axes[0][i] * t->force[0] + axes[1][i] * t->force[1] + axes[2][i] * t->force[2];
}

// And stiffness; A R^T on the way.
SIMD_INLINE void stiffness_to_world(const edge_law *t, real axes[3][3], real half[3][3], real edge[6]) {
    for (int a = 0; a < 3; a++)
        for (int i = 0; i < 3; i++)
            half[a][i] = t->stiffness[entry[a][0]] * axes[0][i] + t->stiffness[entry[a][1]] * axes[1][i] +
                         t->stiffness[entry[a][2]] * axes[2][i];
    for (int i = 0; i < 3; i++)
        for (int k = i; k < 3; k++)
            edge[entry[i][k]] = axes[0][i] * half[0][k] + axes[1][i] * half[1][k] + axes[2][i] * half[2][k];
}

// By theta: with T_a = e_a x y the torque is - f.T_a; these are the second derivatives, in which `pressing` does not
// count.
SIMD_INLINE void by_turns(const edge_law *t, const real pressing[3], const real y[3], real axes[3][3], real half[3][3],
                          real mixed[9], real turn[6]) {
    const real f[3] = {t->force[0] - pressing[0], t->force[1] - pressing[1], t->force[2] - pressing[2]};
    real zero = 0 * y[0], along = dot3(f, y),
         turned[3][3] = {{zero, -y[2], y[1]}, {y[2], zero, -y[0]}, {-y[1], y[0], zero}};
    const real f_cross[3][3] = {{zero, f[2], -f[1]}, {-f[2], zero, f[0]}, {f[1], -f[0], zero}}; // f.(e_a x e_b)
    real bent[3][3];                                                                            // A T_b
    for (int b = 0; b < 3; b++)
        for (int i = 0; i < 3; i++)
            bent[b][i] = t->stiffness[entry[i][0]] * turned[b][0] + t->stiffness[entry[i][1]] * turned[b][1] +
                         t->stiffness[entry[i][2]] * turned[b][2];
    for (int a = 0; a < 3; a++) {
        for (int i = 0; i < 3; i++)
            mixed[3 * a + i] = -dot3(turned[a], (real[3]){half[0][i], half[1][i], half[2][i]}) -
                               f_cross[a][0] * axes[0][i] - f_cross[a][1] * axes[1][i] - f_cross[a][2] * axes[2][i];
        for (int b = a; b < 3; b++) {
            turn[entry[a][b]] = dot3(turned[a], bent[b]) + 0.5 * (f[a] * y[b] + f[b] * y[a]);
            if (a == b) turn[entry[a][b]] -= along;
        }
    }
}

SIMD_INLINE void evaluate_edges(const cdg_edge_laws *laws, const cdg_patch_quats *q, const cdg_patch_vectors *edge,
                                cdg_patch_order order, size_t at, cdg_edge_terms *out) {
    real frame[4], e[3], axes[3][3], y[3], stiffness[3], force[3], pressing[3];
    load(q->of, at, 4, frame), load(edge->of, at, 3, e), load(laws->stiffness, at, 3, stiffness);
    axes_of(frame, axes);
    for (int k = 0; k < 3; k++) pressing[k] = 0 * e[0];
    for (int a = 0; a < 3; a++) y[a] = dot3(axes[a], e);
    real length = simd_load(laws->length + at), norm = simd_sqrt(dot3(e, e));
    edge_law t;
    if (laws->kind == CDG_EDGE_COSSERAT)
        t = cosserat(y, length, stiffness);
    else
        t = stretched(y, norm, length, stiffness[2], laws->kind != CDG_EDGE_STRETCHED);
    if (laws->kind == CDG_EDGE_COUPLED) add_coupling(y, norm, stiffness[0] * length, &t);
    force_to_world(&t, axes, force);
    simd_store(out->energy + at, t.energy);
    simd_store(out->length + at, norm);
    for (int a = 0; a < 3; a++) store(axes[a], at, 3, out->axes[a]);
    store(force, at, 3, out->force);
    if (!laws->follows) {
        real torque[3];
        cross3(t.force, y, torque);
        store(torque, at, 3, out->torque);
    }
    if (order == CDG_PATCH_FIRST) return;
    real half[3][3], block[6], mixed[9], turn[6];
    if (order == CDG_PATCH_CLIPPED) clip(y, laws->kind != CDG_EDGE_COSSERAT, &t, pressing);
    stiffness_to_world(&t, axes, half, block);
    store(block, at, 6, out->edge);
    if (laws->follows) return;
    by_turns(&t, pressing, y, axes, half, mixed, turn);
    store(mixed, at, 9, out->mixed), store(turn, at, 6, out->turn);
}

void VARIANT(cdg_edges_evaluate)(const cdg_edge_laws *laws, const cdg_patch_quats *q, const cdg_patch_vectors *edge,
                                 cdg_patch_order order, cdg_edge_terms *out) {
    for (size_t at = 0; at < CDG_PATCH_LANES; at += SIMD_LANES) evaluate_edges(laws, q, edge, order, at, out);
}

// ---- cells ----------------------------------------------------------------------------------------------------------

// The energy with its derivatives by p: h holds rows 0 to 3 of the symmetric matrix from its diagonal on.
typedef struct turn_energy {
    real energy, g[4], h[4][4];
} turn_energy;

// s = f(w) v - s0.
SIMD_INLINE turn_energy scaled(cdg_cell_kind kind, const real p[4], const real stiffness[3], const real rest_half[3]) {
    turn_energy t;
    real zero = 0 * p[0], f = 1 + zero, slope = zero, curve = zero;
    if (kind == CDG_CELL_TANGENT) f = 1 / p[0], slope = -f * f, curve = -2 * slope * f;
    if (kind == CDG_CELL_ANGLE) { // frame_angle.h
        real size = simd_abs(p[0]);
        size = simd_select(size > 1, 1 + zero, size);
        real inverse = 1 / (9 + 6 * size), twice = 75 * inverse * inverse;
        f = (14 + size) * inverse;
        slope = simd_select(p[0] < 0, twice, -twice);
        curve = 12 * inverse * twice;
    }
    real along = zero, square = zero;
    t.energy = zero;
    for (int k = 0; k < 3; k++) {
        real v = p[k + 1], s = f * v - rest_half[k], m = stiffness[k] * s;
        t.energy += 0.5 * m * s;
        along += m * v;
        square += stiffness[k] * v * v;
        t.g[k + 1] = f * m;
        t.h[0][k + 1] = slope * (f * stiffness[k] * v + m);
        for (int i = k; i < 3; i++) t.h[k + 1][i + 1] = i == k ? f * f * stiffness[k] : zero;
    }
    t.g[0] = slope * along;
    t.h[0][0] = slope * slope * square + curve * along;
    return t;
}

// Adds 1/2 K s^2 for a strain s that changes by `by`.
SIMD_INLINE void add_strain(real stiffness, real s, const real by[4], turn_energy *t) {
    real m = stiffness * s;
    t->energy += 0.5 * m * s;
    for (int i = 0; i < 4; i++) {
        t->g[i] += m * by[i];
        for (int k = i; k < 4; k++) t->h[i][k] += stiffness * by[i] * by[k];
    }
}

SIMD_INLINE turn_energy nothing(real zero) {
    turn_energy t;
    t.energy = zero;
    for (int i = 0; i < 4; i++) {
        t.g[i] = zero;
        for (int k = i; k < 4; k++) t.h[i][k] = zero;
    }
    return t;
}

// v - k v0, k = (p0.p + w)/(1 + w0): linear in p.
SIMD_INLINE turn_energy from_rest(const real p[4], const real stiffness[3], const real rest[4]) {
    real zero = 0 * p[0], share = 1 / (1 + rest[0]);
    real along = share * (rest[0] * p[0] + rest[1] * p[1] + rest[2] * p[2] + rest[3] * p[3] + p[0]);
    turn_energy t = nothing(zero);
    for (int k = 0; k < 3; k++) {
        real by[4];
        for (int i = 0; i < 4; i++) by[i] = (i == k + 1 ? 1 : 0) - share * (rest[i] + (i == 0 ? 1 : 0)) * rest[k + 1];
        add_strain(stiffness[k], p[k + 1] - along * rest[k + 1], by, &t);
    }
    return t;
}

// A(u) = atan(sqrt u)/sqrt u and its derivatives.
SIMD_INLINE void arctangent(real u, real *a, real *slope, real *curve) {
    real g = 1 / (1 + u), safe = simd_select(u < 0.01, 1 + 0 * u, u), root = simd_sqrt(safe);
    real series = 1 - u * (1.0 / 3 - u * (1.0 / 5 - u * (1.0 / 7 - u * (1.0 / 9 - u * (1.0 / 11 - u / 13)))));
    real series1 = -(1.0 / 3 - u * (2.0 / 5 - u * (3.0 / 7 - u * (4.0 / 9 - u * (5.0 / 11 - u * 6.0 / 13)))));
    real series2 = 2.0 / 5 - u * (6.0 / 7 - u * (12.0 / 9 - u * (20.0 / 11 - u * 30.0 / 13)));
    *a = simd_select(u < 0.01, series, simd_atan2(root, 1 + 0 * root) / root);
    *slope = simd_select(u < 0.01, series1, (g - *a) / (2 * safe));
    *curve = simd_select(u < 0.01, series2, (-g * g - 3 * *slope) / (2 * safe));
}

// c = sign (x, y)/r, r^2 = w^2 + z^2, along which the half angle is A(|c|^2) c, or A = 1; and half the twist,
// atan2(z, w) with its whole turns, of which an odd number turns c round.
SIMD_INLINE turn_energy curled(bool by_angle, const real p[4], const real stiffness[3], const real rest_half[3],
                               real near) {
    const double turn = 6.283185307179586;
    real zero = 0 * p[0], w = p[0], z = p[3], r2 = w * w + z * z, inverse2 = 1 / r2;
    real raw = 2 * simd_atan2(z, w), turns = simd_round((near - raw) / turn), twist = raw + turn * turns;
    real odd = turns - 2 * simd_round(turns / 2), inverse = simd_sqrt(inverse2);
    inverse = simd_select(simd_abs(odd) > 0.5, -inverse, inverse);
    real c[2], by_c[2][4], a = 1 + zero, slope = zero, curve = zero;
    for (int k = 0; k < 2; k++) {
        c[k] = p[k + 1] * inverse;
        by_c[k][0] = -c[k] * w * inverse2;
        by_c[k][1] = k == 0 ? inverse : zero;
        by_c[k][2] = k == 1 ? inverse : zero;
        by_c[k][3] = -c[k] * z * inverse2;
    }
    if (by_angle) arctangent(c[0] * c[0] + c[1] * c[1], &a, &slope, &curve);
    turn_energy t = nothing(zero);
    real m[3], by[4];
    for (int k = 0; k < 2; k++) {
        real s = a * c[k] - rest_half[k];
        for (int i = 0; i < 4; i++) by[i] = a * by_c[k][i] + 2 * slope * c[k] * (c[0] * by_c[0][i] + c[1] * by_c[1][i]);
        add_strain(stiffness[k], s, by, &t);
        m[k] = stiffness[k] * s;
    }
    real s = 0.5 * twist - rest_half[2];
    by[0] = -z * inverse2, by[1] = by[2] = zero, by[3] = w * inverse2;
    add_strain(stiffness[2], s, by, &t);
    m[2] = stiffness[2] * s;
    // m times second derivatives. By c twice: 2 A' (m c^T + c m^T + (m.c) 1) + 4 A'' (m.c) c c^T; then c's own
    real along = m[0] * c[0] + m[1] * c[1];
    if (by_angle)
        for (int i = 0; i < 4; i++) {
            real mi = m[0] * by_c[0][i] + m[1] * by_c[1][i], ci = c[0] * by_c[0][i] + c[1] * by_c[1][i];
            for (int k = i; k < 4; k++) {
                real mk = m[0] * by_c[0][k] + m[1] * by_c[1][k], ck = c[0] * by_c[0][k] + c[1] * by_c[1][k];
                t.h[i][k] +=
                    2 * slope * (mi * ck + mk * ci + along * (by_c[0][i] * by_c[0][k] + by_c[1][i] * by_c[1][k])) +
                    4 * curve * along * ci * ck;
            }
        }
    for (int k = 0; k < 2; k++) {
        real of_c = a * m[k] + 2 * slope * along * c[k], across = of_c * inverse * inverse2,
             whole = of_c * c[k] * inverse2;
        t.h[0][k + 1] -= across * w, t.h[k + 1][3] -= across * z;
        t.h[0][0] += whole * (3 * w * w * inverse2 - 1), t.h[3][3] += whole * (3 * z * z * inverse2 - 1);
        t.h[0][3] += whole * 3 * w * z * inverse2;
    }
    real torsion = m[2] * inverse2 * inverse2;
    t.h[0][0] += 2 * torsion * w * z, t.h[3][3] -= 2 * torsion * w * z;
    t.h[0][3] += torsion * (z * z - w * w);
    return t;
}

// By phi: columns p e_a, half of which is the change of p. Without `block` the torque alone.
SIMD_INLINE void by_relative_turn(const turn_energy *t, const real p[4], real torque[3], real *block) {
    const real column[3][4] = {{-p[1], p[0], p[3], -p[2]}, {-p[2], -p[3], p[0], p[1]}, {-p[3], p[2], -p[1], p[0]}};
    real own = t->g[0] * p[0] + t->g[1] * p[1] + t->g[2] * p[2] + t->g[3] * p[3];
    for (int a = 0; a < 3; a++) {
        torque[a] =
            0.5 * (t->g[0] * column[a][0] + t->g[1] * column[a][1] + t->g[2] * column[a][2] + t->g[3] * column[a][3]);
        if (block == NULL) continue;
        real bent[4];
        for (int i = 0; i < 4; i++) {
            bent[i] = 0 * own;
            for (int k = 0; k < 4; k++) bent[i] += (i <= k ? t->h[i][k] : t->h[k][i]) * column[a][k];
        }
        for (int b = 0; b <= a; b++)
            block[entry[a][b]] = 0.25 * (column[b][0] * bent[0] + column[b][1] * bent[1] + column[b][2] * bent[2] +
                                         column[b][3] * bent[3] - (a == b ? own : 0 * own));
    }
}

// From the torque and the block by phi to those by theta_l and between: R H R^T, - R H - R [torque]/2.
SIMD_INLINE void to_left(const real torque[3], const real h[6], real axes[3][3], real left_left[6],
                         real left_right[9]) {
    real half_turned[3][3], zero = 0 * torque[0];
    for (int i = 0; i < 3; i++)
        for (int b = 0; b < 3; b++) // R H
            half_turned[i][b] = axes[0][i] * h[entry[0][b]] + axes[1][i] * h[entry[1][b]] + axes[2][i] * h[entry[2][b]];
    const real spin[3][3] = {
        {zero, torque[2], -torque[1]}, {-torque[2], zero, torque[0]}, {torque[1], -torque[0], zero}};
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) {
            if (k >= i)
                left_left[entry[i][k]] =
                    half_turned[i][0] * axes[0][k] + half_turned[i][1] * axes[1][k] + half_turned[i][2] * axes[2][k];
            left_right[3 * i + k] = -half_turned[i][k] -
                                    0.5 * (axes[0][i] * spin[0][k] + axes[1][i] * spin[1][k] + axes[2][i] * spin[2][k]);
        }
}

SIMD_INLINE void evaluate_cells(cdg_cell_kind kind, const cdg_cell_laws *laws, const cdg_patch_quats *left,
                                const cdg_patch_quats *right, bool is_first, size_t at, cdg_cell_terms *out) {
    real l[4], r[4], stiffness[3], half[3], p[4], rest[4];
    load(left->of, at, 4, l), load(right->of, at, 4, r);
    load(laws->stiffness, at, 3, stiffness), load(laws->rest_half, at, 3, half), load(laws->rest, at, 4, rest);
    p[0] = l[0] * r[0] + l[1] * r[1] + l[2] * r[2] + l[3] * r[3];
    p[1] = l[0] * r[1] - l[1] * r[0] - l[2] * r[3] + l[3] * r[2];
    p[2] = l[0] * r[2] - l[2] * r[0] - l[3] * r[1] + l[1] * r[3];
    p[3] = l[0] * r[3] - l[3] * r[0] - l[1] * r[2] + l[2] * r[1];
    if (kind <= CDG_CELL_ANGLE) { // of both signs that nearer to rest
        simd_mask is_far = rest[0] * p[0] + rest[1] * p[1] + rest[2] * p[2] + rest[3] * p[3] < 0;
        for (int k = 0; k < 4; k++) p[k] = simd_select(is_far, -p[k], p[k]);
    }
    turn_energy t = kind <= CDG_CELL_ANGLE ? scaled(kind, p, stiffness, half)
                    : kind == CDG_CELL_FROM_REST
                        ? from_rest(p, stiffness, rest)
                        : curled(kind == CDG_CELL_CURL_ANGLE, p, stiffness, half, simd_load(laws->near + at));
    real torque[3], h[6], axes[3][3], other[3];
    by_relative_turn(&t, p, torque, is_first ? NULL : h);
    axes_of(p, axes); // R = (axes[0] axes[1] axes[2])
    for (int i = 0; i < 3; i++) other[i] = -(axes[0][i] * torque[0] + axes[1][i] * torque[1] + axes[2][i] * torque[2]);
    simd_store(out->energy + at, t.energy);
    store(other, at, 3, out->left), store(torque, at, 3, out->right);
    if (is_first) return;
    real left_left[6], left_right[9];
    to_left(torque, h, axes, left_left, left_right);
    store(left_left, at, 6, out->left_left), store(h, at, 6, out->right_right),
        store(left_right, at, 9, out->left_right);
}

// Of one kind, which the compiler knows.
SIMD_INLINE void evaluate_kind(cdg_cell_kind kind, const cdg_cell_laws *laws, const cdg_patch_quats *left,
                               const cdg_patch_quats *right, cdg_patch_order order, cdg_cell_terms *out) {
    for (size_t at = 0; at < CDG_PATCH_LANES; at += SIMD_LANES)
        if (order == CDG_PATCH_FIRST)
            evaluate_cells(kind, laws, left, right, true, at, out);
        else
            evaluate_cells(kind, laws, left, right, false, at, out);
}

void VARIANT(cdg_cells_evaluate)(const cdg_cell_laws *laws, const cdg_patch_quats *left, const cdg_patch_quats *right,
                                 cdg_patch_order order, cdg_cell_terms *out) {
    switch (laws->kind) {
    case CDG_CELL_SINE: evaluate_kind(CDG_CELL_SINE, laws, left, right, order, out); break;
    case CDG_CELL_TANGENT: evaluate_kind(CDG_CELL_TANGENT, laws, left, right, order, out); break;
    case CDG_CELL_ANGLE: evaluate_kind(CDG_CELL_ANGLE, laws, left, right, order, out); break;
    case CDG_CELL_FROM_REST: evaluate_kind(CDG_CELL_FROM_REST, laws, left, right, order, out); break;
    case CDG_CELL_CURL: evaluate_kind(CDG_CELL_CURL, laws, left, right, order, out); break;
    case CDG_CELL_CURL_ANGLE: evaluate_kind(CDG_CELL_CURL_ANGLE, laws, left, right, order, out); break;
    }
}
