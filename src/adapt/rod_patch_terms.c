// Energies of elements and cells with their derivatives (patch_terms.h).
#include "adapt/rod_patch_terms.h"

#include "math/quat.h"
#include "rods/discrete_spring.h"
#include "rods/frame_angle.h"

#include <math.h>
#include <string.h>

// ---- elements -------------------------------------------------------------------------------------------------------

static void evaluate_cosserat(const cdg_edge_law *law, const double y[3], cdg_edge_term *out) {
    out->energy = 0;
    memset(out->stiffness, 0, sizeof out->stiffness);
    for (int k = 0; k < 3; k++) {
        double strain = y[k] / law->length - (k == 2 ? 1 : 0);
        out->force[k] = law->stiffness[k] * strain;
        out->energy += 0.5 * law->length * law->stiffness[k] * strain * strain;
        out->stiffness[k][k] = law->stiffness[k] / law->length;
    }
}

// Stretch by the edge's length alone: phi(s) with s = |y|/l, per E A l.
static void evaluate_stretch(const cdg_edge_law *law, const double y[3], bool has_barrier, cdg_edge_term *out) {
    double norm = sqrt(y[0] * y[0] + y[1] * y[1] + y[2] * y[2]), s = norm / law->length, stiffness = law->stiffness[2];
    double over = has_barrier && s < 0.5 ? 0.5 / s - 1 : 0; // b of corde/terms.h
    double tension = stiffness * (s - 1 - over * over), slope = stiffness * (1 + over / (s * s)) / law->length;
    double energy = 0.5 * (s - 1) * (s - 1);
    if (over > 0) energy += 0.25 / s + log(2 * s) - s;
    out->energy = stiffness * law->length * energy;
    double t[3] = {y[0] / norm, y[1] / norm, y[2] / norm}, across = tension / norm;
    for (int i = 0; i < 3; i++) {
        out->force[i] = tension * t[i];
        for (int k = 0; k < 3; k++) out->stiffness[i][k] = (slope - across) * t[i] * t[k] + (i == k ? across : 0);
    }
}

// Coupling kappa l (1 - t.e3), t = y/|y|.
static void add_coupling(const cdg_edge_law *law, const double y[3], cdg_edge_term *out) {
    double norm = sqrt(y[0] * y[0] + y[1] * y[1] + y[2] * y[2]), scale = law->stiffness[0] * law->length;
    double t[3] = {y[0] / norm, y[1] / norm, y[2] / norm}, c = t[2], e[3] = {0, 0, 1};
    double away = t[0] * t[0] + t[1] * t[1] + (t[2] - 1) * (t[2] - 1);
    out->energy += 0.5 * scale * away;
    for (int i = 0; i < 3; i++) {
        out->force[i] -= scale / norm * (e[i] - c * t[i]);
        for (int k = 0; k < 3; k++)
            out->stiffness[i][k] -=
                scale / (norm * norm) * (3 * c * t[i] * t[k] - e[i] * t[k] - t[i] * e[k] - (i == k ? c : 0));
    }
}

void cdg_edge_evaluate(const cdg_edge_law *law, const double y[3], cdg_edge_term *out) {
    switch (law->kind) {
    case CDG_EDGE_COSSERAT: evaluate_cosserat(law, y, out); return;
    case CDG_EDGE_COUPLED:
        evaluate_stretch(law, y, true, out);
        add_coupling(law, y, out);
        return;
    case CDG_EDGE_STRETCHED: evaluate_stretch(law, y, false, out); return;
    case CDG_EDGE_BARRED: evaluate_stretch(law, y, true, out); return;
    }
}

// ---- cells ----------------------------------------------------------------------------------------------------------

// Half strain s of a turn p = (w, x, y, z), ds/dp, and, once the moment m is known, sum of m_k d2s_k/dp2.
typedef struct measure {
    double s[3], by[3][4];
} measure;

static cdg_quat nearest_sign(cdg_quat p, cdg_quat rest) { return quat_dot(p, rest) < 0 ? quat_negate(p) : p; }

// s = f(w) v - f(w0) v0 and its derivatives by w.
typedef struct scale_of_w {
    double f, slope, curve;
} scale_of_w;

static scale_of_w scale_of(cdg_cell_kind kind, double w) {
    if (kind == CDG_CELL_SINE) return (scale_of_w){1, 0, 0};
    if (kind == CDG_CELL_TANGENT) return (scale_of_w){1 / w, -1 / (w * w), 2 / (w * w * w)};
    double d = 9 + 6 * fmin(fabs(w), 1);
    return (scale_of_w){pobd_angle_scale(w), pobd_angle_slope(w), 900 / (d * d * d)};
}

static void measure_scaled(const cdg_cell_law *law, const double p[4], measure *out) {
    scale_of_w now = scale_of(law->kind, p[0]), rest = scale_of(law->kind, law->rest.w);
    const double v0[3] = {law->rest.x, law->rest.y, law->rest.z};
    memset(out->by, 0, sizeof out->by);
    for (int k = 0; k < 3; k++) {
        out->s[k] = now.f * p[k + 1] - rest.f * v0[k];
        out->by[k][k + 1] = now.f;
        out->by[k][0] = now.slope * p[k + 1];
    }
}

static void bend_scaled(const cdg_cell_law *law, const double p[4], const double m[3], double h[4][4]) {
    scale_of_w now = scale_of(law->kind, p[0]);
    for (int k = 0; k < 3; k++) {
        h[0][k + 1] += now.slope * m[k];
        h[k + 1][0] += now.slope * m[k];
        h[0][0] += now.curve * m[k] * p[k + 1];
    }
}

// v - k v0, k = (p0.p + w)/(1 + w0): linear in p.
static void measure_from_rest(const cdg_cell_law *law, const double p[4], measure *out) {
    const double p0[4] = {law->rest.w, law->rest.x, law->rest.y, law->rest.z};
    double share = 1 / (1 + p0[0]);
    double along = share * (p0[0] * p[0] + p0[1] * p[1] + p0[2] * p[2] + p0[3] * p[3] + p[0]);
    for (int k = 0; k < 3; k++) {
        out->s[k] = p[k + 1] - along * p0[k + 1];
        for (int i = 0; i < 4; i++)
            out->by[k][i] = (i == k + 1 ? 1 : 0) - share * (p0[i] + (i == 0 ? 1 : 0)) * p0[k + 1];
    }
}

// c = sign (x, y)/r, r^2 = w^2 + z^2, along which the half angle is A(|c|^2) c with A(u) = atan(sqrt u)/sqrt u, or
// A = 1; and half the twist, atan2(z, w) with its whole turns.
typedef struct curl {
    double c[2], by[2][4];
    double r2, sign;
    double a, slope, curve;
} curl;

static void arctangent(double u, double *a, double *slope, double *curve) {
    if (u < 0.01) {
        *a = 1 - u * (1.0 / 3 - u * (1.0 / 5 - u * (1.0 / 7 - u * (1.0 / 9 - u * (1.0 / 11 - u / 13)))));
        *slope = -(1.0 / 3 - u * (2.0 / 5 - u * (3.0 / 7 - u * (4.0 / 9 - u * (5.0 / 11 - u * 6.0 / 13)))));
        *curve = 2.0 / 5 - u * (6.0 / 7 - u * (12.0 / 9 - u * (20.0 / 11 - u * 30.0 / 13)));
        return;
    }
    double root = sqrt(u), g = 1 / (1 + u);
    *a = atan(root) / root;
    *slope = (g - *a) / (2 * u);
    *curve = (-g * g - 3 * *slope) / (2 * u);
}

static curl curl_of(const cdg_cell_law *law, const double p[4]) {
    curl c = {.r2 = p[0] * p[0] + p[3] * p[3], .sign = 1, .a = 1};
    double raw = 2 * atan2(p[3], p[0]);
    if (fmod(nearbyint((law->near - raw) / (2 * der_pi)), 2) != 0) c.sign = -1;
    double inverse = c.sign / sqrt(c.r2);
    for (int k = 0; k < 2; k++) {
        c.c[k] = p[k + 1] * inverse;
        memset(c.by[k], 0, sizeof c.by[k]);
        c.by[k][k + 1] = inverse;
        c.by[k][0] = -c.c[k] * p[0] / c.r2;
        c.by[k][3] = -c.c[k] * p[3] / c.r2;
    }
    if (law->kind == CDG_CELL_CURL_ANGLE) arctangent(c.c[0] * c.c[0] + c.c[1] * c.c[1], &c.a, &c.slope, &c.curve);
    return c;
}

static void measure_curl(const cdg_cell_law *law, const curl *c, const double p[4], measure *out) {
    double raw = 2 * atan2(p[3], p[0]), twist = raw + 2 * der_pi * nearbyint((law->near - raw) / (2 * der_pi));
    for (int k = 0; k < 2; k++) {
        out->s[k] = c->a * c->c[k] - law->rest_half[k];
        for (int i = 0; i < 4; i++)
            out->by[k][i] =
                c->a * c->by[k][i] + 2 * c->slope * c->c[k] * (c->c[0] * c->by[0][i] + c->c[1] * c->by[1][i]);
    }
    out->s[2] = 0.5 * twist - law->rest_half[2];
    out->by[2][0] = -p[3] / c->r2, out->by[2][1] = out->by[2][2] = 0, out->by[2][3] = p[0] / c->r2;
}

static void bend_curl(const curl *c, const double p[4], const double m[3], double h[4][4]) {
    // by c, twice: 2 A' (m c^T + c m^T + (m.c) 1) + 4 A'' (m.c) c c^T; then by p, and what c's own second derivatives
    // add
    double along = m[0] * c->c[0] + m[1] * c->c[1], twice[2][2], by_c[2];
    for (int i = 0; i < 2; i++) {
        by_c[i] = c->a * m[i] + 2 * c->slope * along * c->c[i];
        for (int k = 0; k < 2; k++)
            twice[i][k] = 2 * c->slope * (m[i] * c->c[k] + m[k] * c->c[i] + (i == k ? along : 0)) +
                          4 * c->curve * along * c->c[i] * c->c[k];
    }
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 4; k++)
            for (int a = 0; a < 2; a++)
                h[i][k] += c->by[a][i] * (twice[a][0] * c->by[0][k] + twice[a][1] * c->by[1][k]);
    double w = p[0], z = p[3], r2 = c->r2, inverse = c->sign / sqrt(r2);
    for (int a = 0; a < 2; a++) {
        double by_w = -by_c[a] * inverse * w / r2, by_z = -by_c[a] * inverse * z / r2, whole = by_c[a] * c->c[a] / r2;
        h[a + 1][0] += by_w, h[0][a + 1] += by_w, h[a + 1][3] += by_z, h[3][a + 1] += by_z;
        h[0][0] += whole * (3 * w * w / r2 - 1), h[3][3] += whole * (3 * z * z / r2 - 1);
        h[0][3] += whole * 3 * w * z / r2, h[3][0] += whole * 3 * w * z / r2;
    }
    double t = m[2] / (r2 * r2);
    h[0][0] += 2 * t * w * z, h[3][3] -= 2 * t * w * z;
    h[0][3] += t * (z * z - w * w), h[3][0] += t * (z * z - w * w);
}

// e_a p and p e_a for the unit vector e_a as a quaternion.
static void unit_times(int a, const double p[4], double out[4]) {
    int b = (a + 1) % 3, c = (a + 2) % 3;
    out[0] = -p[a + 1], out[a + 1] = p[0], out[b + 1] = -p[c + 1], out[c + 1] = p[b + 1];
}
static void times_unit(const double p[4], int a, double out[4]) {
    int b = (a + 1) % 3, c = (a + 2) % 3;
    out[0] = -p[a + 1], out[a + 1] = p[0], out[b + 1] = p[c + 1], out[c + 1] = -p[b + 1];
}

static double dot4(const double a[4], const double b[4]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
}

void cdg_cell_evaluate(const cdg_cell_law *law, cdg_quat left, cdg_quat right, cdg_cell_term *out) {
    cdg_quat turn = quat_relative(left, right);
    if (law->kind <= CDG_CELL_ANGLE) turn = nearest_sign(turn, law->rest);
    const double p[4] = {turn.w, turn.x, turn.y, turn.z};
    measure is;
    curl c = {.r2 = 1};
    bool is_curl = law->kind == CDG_CELL_CURL || law->kind == CDG_CELL_CURL_ANGLE;
    if (is_curl) c = curl_of(law, p), measure_curl(law, &c, p, &is);
    if (law->kind == CDG_CELL_FROM_REST) measure_from_rest(law, p, &is);
    if (law->kind <= CDG_CELL_ANGLE) measure_scaled(law, p, &is);
    double m[3], g[4] = {0}, h[4][4] = {{0}};
    out->energy = 0;
    for (int k = 0; k < 3; k++) {
        m[k] = law->stiffness[k] * is.s[k];
        out->energy += 0.5 * m[k] * is.s[k];
        out->strain[k] = is.s[k];
        for (int i = 0; i < 4; i++) {
            g[i] += m[k] * is.by[k][i];
            for (int j = 0; j < 4; j++) h[i][j] += law->stiffness[k] * is.by[k][i] * is.by[k][j];
        }
    }
    if (is_curl) bend_curl(&c, p, m, h);
    if (law->kind <= CDG_CELL_ANGLE) bend_scaled(law, p, m, h);
    double by[6][4], bent[6][4]; // dp by theta_l and theta_r, and h times it
    for (int a = 0; a < 3; a++) {
        unit_times(a, p, by[a]);
        times_unit(p, a, by[a + 3]);
        for (int i = 0; i < 4; i++) by[a][i] *= -0.5, by[a + 3][i] *= 0.5;
    }
    for (int a = 0; a < 6; a++) {
        out->torque[a] = dot4(g, by[a]);
        for (int i = 0; i < 4; i++) bent[a][i] = dot4(h[i], by[a]);
    }
    double own = -0.25 * dot4(g, p);
    for (int a = 0; a < 6; a++)
        for (int b = a; b < 6; b++) out->stiffness[a][b] = dot4(by[a], bent[b]) + (a == b ? own : 0);
    for (int b = 0; b < 3; b++) {
        double between[4];
        for (int a = 0; a < 3; a++) {
            double half[4] = {2 * by[b + 3][0], 2 * by[b + 3][1], 2 * by[b + 3][2], 2 * by[b + 3][3]}; // p e_b
            unit_times(a, half, between);
            out->stiffness[a][b + 3] -= 0.25 * dot4(g, between);
        }
    }
    for (int a = 0; a < 6; a++)
        for (int b = 0; b < a; b++) out->stiffness[a][b] = out->stiffness[b][a];
}
