// Energy of a net's pair and its derivatives (der/net_pair.h).
//
// With the error e = (w, v) of net.h the energy is U = 2 (v - v0)^T K (v - v0). Frames turn by rotation vectors theta
// (b's axes) and phi = R(r)^T theta_a: e becomes exp(-phi) e exp(theta), whose vector part is, with n = 4 K (v - v0),
//   v + J_b theta + J_f phi - v (|theta|^2 + |phi|^2)/8 - Vec(phi e theta)/4,  J_b = (w + [v]x)/2, J_f = -(w - [v]x)/2,
//   Vec(phi e theta) = -(phi.v) theta - (v.theta) phi + (phi.theta) v + w phi x theta
// so that the gradients are J^T n and the second derivatives
//   theta theta: 4 J_b^T K J_b - n.v/4,   phi phi: 4 J_f^T K J_f - n.v/4,
//   phi theta:   4 J_f^T K J_b + (v n^T + n v^T)/4 - n.v/4 + w [n]x/4.
// A frame turns by theta = A de + z a3 + (a2 a3, -a1 a3, 0)/2 - (t.de)/length (a1, a2, 0) to second order, where
// A = (-d2, d1, 0)^T/length, (a1, a2) = A de: first along with its edge, then about it (discrete_spring_template.h).
#include "rods/der/net_pair.h"

#include <string.h>

static void set_cross(double scale, cdg_vec3 v, double m[3][3]) { // scale [v]x
    m[0][0] = m[1][1] = m[2][2] = 0;
    m[0][1] = -scale * v.z, m[0][2] = scale * v.y, m[1][2] = -scale * v.x;
    m[1][0] = scale * v.z, m[2][0] = -scale * v.y, m[2][1] = scale * v.x;
}

// a^T K b
static void sandwich(double a[3][3], double k[3][3], double b[3][3], double out[3][3]) {
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            out[i][j] = 0;
            for (int m = 0; m < 3; m++)
                for (int l = 0; l < 3; l++) out[i][j] += a[m][i] * k[m][l] * b[l][j];
        }
}

static void read3(cdg_vec3 v, double out[3]) { out[0] = v.x, out[1] = v.y, out[2] = v.z; }

// How a frame turns with its edge and angle: columns are the four unknowns.
typedef struct turning {
    double map[3][4];
    double axis[3]; // the tangent
    double inverse; // 1/m
} turning;

static turning turning_of(cdg_quat q, double inverse) {
    turning t = {.inverse = inverse};
    double d1[3], d2[3];
    read3(quat_d1(q), d1);
    read3(quat_d2(q), d2);
    read3(quat_d3(q), t.axis);
    for (int k = 0; k < 3; k++) t.map[0][k] = -inverse * d2[k], t.map[1][k] = inverse * d1[k];
    t.map[2][3] = 1;
    return t;
}

// The second order of theta, along the gradient g by theta.
static void add_second_order(const turning *t, const double g[3], double geometric, int at,
                             double hessian[DER_PAIR_SIZE][DER_PAIR_SIZE]) {
    double across[3];
    for (int k = 0; k < 3; k++) across[k] = geometric * (g[0] * t->map[0][k] + g[1] * t->map[1][k]);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++)
            hessian[at + i][at + j] -= t->inverse * (across[i] * t->axis[j] + t->axis[i] * across[j]);
        double mixed = geometric * (g[0] * t->map[1][i] - g[1] * t->map[0][i]) / 2;
        hessian[at + i][at + 3] += mixed;
        hessian[at + 3][at + i] += mixed;
    }
}

// out[at_a ...][at_b ...] = A^T h B
static void project(const turning *a, double h[3][3], const turning *b, int at_a, int at_b,
                    double out[DER_PAIR_SIZE][DER_PAIR_SIZE]) {
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++) {
            double sum = 0;
            for (int k = 0; k < 3; k++)
                for (int l = 0; l < 3; l++) sum += a->map[k][i] * h[k][l] * b->map[l][j];
            out[at_a + i][at_b + j] = sum;
        }
}

void der_pair_evaluate(const der_pair *p, cdg_quat a, double inverse_a, cdg_quat b, double inverse_b, double geometric,
                       der_pair_state *out) {
    cdg_quat e = cdg_net_pair_error(p->pair, a, b);
    cdg_vec3 v = quat_imaginary(e), strain = vec3_sub(v, p->rest);
    cdg_vec3 n = vec3_scale(4 * p->factor, cdg_net_pair_times(p->pair->stiffness, strain));
    out->energy = vec3_dot(n, strain) / 2;
    const double *s = p->pair->stiffness, f = 4 * p->factor;
    double k[3][3] = {{f * s[0], f * s[1], f * s[2]}, {f * s[1], f * s[3], f * s[4]}, {f * s[2], f * s[4], f * s[5]}};
    double jb[3][3], jf[3][3], bb[3][3], ff[3][3], fb[3][3], gb[3] = {0}, gf[3] = {0}, vs[3], ns[3], turn[3][3];
    set_cross(0.5, v, jb);
    set_cross(0.5, v, jf);
    for (int i = 0; i < 3; i++) jb[i][i] = e.w / 2, jf[i][i] = -e.w / 2;
    read3(v, vs);
    read3(n, ns);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) gb[i] += jb[j][i] * ns[j], gf[i] += jf[j][i] * ns[j];
    sandwich(jb, k, jb, bb);
    sandwich(jf, k, jf, ff);
    sandwich(jf, k, jb, fb);
    double along = geometric * vec3_dot(n, v) / 4;
    set_cross(geometric * e.w / 4, n, turn);
    for (int i = 0; i < 3; i++) {
        bb[i][i] -= along, ff[i][i] -= along, fb[i][i] -= along;
        for (int j = 0; j < 3; j++) fb[i][j] += geometric * (vs[i] * ns[j] + ns[i] * vs[j]) / 4 + turn[i][j];
    }
    // theta_a = R(r) phi: put R(r)^T into the map of a's frame
    turning of_a = turning_of(a, inverse_a), of_b = turning_of(b, inverse_b), of_f = of_a;
    for (int j = 0; j < 4; j++) {
        cdg_vec3 turned = quat_rotate_inverse(p->pair->rest, vec3(of_a.map[0][j], of_a.map[1][j], of_a.map[2][j]));
        of_f.map[0][j] = turned.x, of_f.map[1][j] = turned.y, of_f.map[2][j] = turned.z;
    }
    double ga[3];
    read3(quat_rotate(p->pair->rest, vec3(gf[0], gf[1], gf[2])), ga);
    project(&of_f, ff, &of_f, 0, 0, out->hessian);
    project(&of_f, fb, &of_b, 0, 4, out->hessian);
    project(&of_b, bb, &of_b, 4, 4, out->hessian);
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++) out->hessian[4 + j][i] = out->hessian[i][4 + j];
    add_second_order(&of_a, ga, geometric, 0, out->hessian);
    add_second_order(&of_b, gb, geometric, 4, out->hessian);
    memset(out->gradient, 0, sizeof out->gradient);
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 3; j++) {
            out->gradient[i] += of_a.map[j][i] * ga[j];
            out->gradient[4 + i] += of_b.map[j][i] * gb[j];
        }
}
