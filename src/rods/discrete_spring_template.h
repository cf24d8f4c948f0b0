// The bend-twist spring of discrete elastic rods between two sections: strains, energy, forces and stiffness. For any
// REAL (a double, or a vector of them); DER(name) gives the names, DER_SQRT, DER_ATAN, DER_TURN and DER_PICK the
// operations: include discrete_spring.h or do as it does.
//
// The turn between the sections' frames, p = conj(q_left) q_right, splits into A = p_w + i p_z and B = p_x + i p_y.
// With phi the angle between the tangents and tau the twist, |A| = cos(phi/2), arg A = tau/2, |B| = sin(phi/2).
// Strains are
//   kappa = 2 B/|A|   curvature binormal 2 tan(phi/2), Bergou et al. 2008 eq. 1, in the frame halfway between the two
//   tau   = 2 arg A   twist, whole turns counted: of all values the one nearest to `near`
// The paper measures kappa in each of the two frames and takes the mean of the energies; the frame halfway gives the
// same for isotropic rods and differs in second order for others, at half the cost. Sections turn by
// q <- q exp(a1, a2, 0) exp(0, 0, a3), which transports frames parallel in time: a1 and a2 follow from the edge,
// a3 is the change of the material angle. With u and v those turns of the left and right section across the rod, seen
// from halfway, s = u + v, w = v - u, J the quarter turn, P = 1 + kappa kappa^T/4, and the expansion to second order
//   kappa + P w + kappa ((|w|^2 - |s|^2)/8 + (kappa.w)^2/16 - (J kappa.s)^2/32) + ((s.kappa) s + (w.kappa) w)/8
//   tau + J kappa.s/2 - (s x w)/4 + (kappa.w)(J kappa.s)/8
// (the term J kappa.s/2 is the holonomy, eq. 9), after which a3 of left and right, with mean psi and difference zeta,
// turns kappa back by psi and adds zeta to tau. All below follows from this; tests compare it with differences.

typedef struct DER(section) {
    REAL d1[3], d2[3], t[3];
    REAL inverse_length; // 1/m, of the edge; 0 for a section that is held
} DER(section);

typedef struct DER(strain) {
    REAL kappa[2], twist;
    REAL half_cosine, half_sine; // of tau/2
} DER(strain);

// Stiffness over the spring's length (B/length) and rest strain.
typedef struct DER(material) {
    REAL bend[2], twist; // N m
    REAL rest[3];
} DER(material);

// The energy's value, first and second derivative by kappa and tau.
typedef struct DER(stress) {
    REAL energy, moment[2], torque;
    REAL bend11, bend12, bend22, twist;
} DER(stress);

typedef struct DER(gradient) {
    REAL left[3], right[3];                   // by the edges, N
    REAL left_turn, right_turn;               // by the material angles, N m
    REAL left_across[2], right_across[2];     // by u and v, N m
    REAL along_left[2][3], along_right[2][3]; // u_k = along_left[k] . change of edge
} DER(gradient);

typedef struct DER(hessian) {
    REAL left[6], right[6]; // edge with itself: xx xy xz yy yz zz
    REAL mixed[3][3];       // left edge (rows) with right edge
    REAL left_turns[2][3];  // left edge with left, right angle
    REAL right_turns[2][3]; // right edge with left, right angle
    REAL turn, turns_mixed; // an angle with itself (the same for both), left with right
} DER(hessian);

DER_INLINE REAL DER(dot)(const REAL a[3], const REAL b[3]) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

// Strains of the turn from q to r.
DER_INLINE DER(strain) DER(measure)(const REAL q[4], const REAL r[4], REAL near) {
    REAL w = q[0] * r[0] + q[1] * r[1] + q[2] * r[2] + q[3] * r[3];
    REAL x = q[0] * r[1] - q[1] * r[0] - q[2] * r[3] + q[3] * r[2];
    REAL y = q[0] * r[2] - q[2] * r[0] - q[3] * r[1] + q[1] * r[3];
    REAL z = q[0] * r[3] - q[3] * r[0] - q[1] * r[2] + q[2] * r[1];
    REAL inverse = 1 / DER_SQRT(w * w + z * z);
    DER(strain) s;
    // Which multiple of 2 pi; an odd one turns the frame halfway round.
    DER_TURN(w, z, near, s.twist, inverse);
    s.kappa[0] = 2 * x * inverse;
    s.kappa[1] = 2 * y * inverse;
    s.half_cosine = w * inverse;
    s.half_sine = z * inverse;
    return s;
}

DER_INLINE DER(stress) DER(respond)(const DER(strain) * strain, const DER(material) * m, bool is_angle) {
    const REAL *k = strain->kappa;
    DER(stress) s;
    REAL square = (k[0] * k[0] + k[1] * k[1]) / 4, scale = 1 + 0 * square, slope = 0 * square, curve = 0 * square;
    if (is_angle) { // the angle phi along kappa: scale = atan(root)/root, and its derivatives by `square`
        REAL root = DER_SQRT(square), g = 1 / (1 + square), safe = DER_PICK(square, 0.01, 1 + 0 * square, square);
        REAL n = -square, series = 1.0 / 21 + n / 23, series1 = 9.0 / 21 + 10 * n / 23,
             series2 = 72.0 / 21 + 90 * n / 23;
        for (int i = 9; i >= 0; i--) series = 1.0 / (2 * i + 1) + n * series;
        for (int i = 8; i >= 0; i--) series1 = (i + 1.0) / (2 * i + 3) + n * series1;
        for (int i = 7; i >= 0; i--) series2 = (i + 1.0) * (i + 2) / (2 * i + 5) + n * series2;
        scale = DER_PICK(square, 0.01, series, DER_ATAN(root) / DER_SQRT(safe));
        slope = DER_PICK(square, 0.01, -series1, (g - scale) / (2 * safe));
        curve = DER_PICK(square, 0.01, series2, (-g * g - 3 * slope) / (2 * safe));
    }
    REAL c0 = scale * k[0] - m->rest[0], c1 = scale * k[1] - m->rest[1], c2 = strain->twist - m->rest[2];
    REAL m0 = m->bend[0] * c0, m1 = m->bend[1] * c1;
    s.torque = m->twist * c2;
    s.energy = (m0 * c0 + m1 * c1 + s.torque * c2) / 2;
    s.twist = m->twist;
    if (!is_angle) {
        s.moment[0] = m0, s.moment[1] = m1;
        s.bend11 = m->bend[0], s.bend22 = m->bend[1], s.bend12 = 0 * m0;
        return s;
    }
    REAL along = m0 * k[0] + m1 * k[1], half = slope / 2, quarter = curve / 4;
    s.moment[0] = scale * m0 + half * along * k[0];
    s.moment[1] = scale * m1 + half * along * k[1];
    REAL g00 = scale + half * k[0] * k[0], g01 = half * k[0] * k[1], g11 = scale + half * k[1] * k[1];
    s.bend11 =
        m->bend[0] * g00 * g00 + m->bend[1] * g01 * g01 + slope * k[0] * m0 + along * (half + quarter * k[0] * k[0]);
    s.bend22 =
        m->bend[0] * g01 * g01 + m->bend[1] * g11 * g11 + slope * k[1] * m1 + along * (half + quarter * k[1] * k[1]);
    s.bend12 = m->bend[0] * g00 * g01 + m->bend[1] * g01 * g11 + half * (k[0] * m1 + k[1] * m0) +
               along * quarter * k[0] * k[1];
    return s;
}

DER_INLINE void DER(differentiate)(const DER(strain) * strain, const DER(stress) * s, const DER(section) * left,
                                   const DER(section) * right, DER(gradient) * out) {
    REAL c = strain->half_cosine, h = strain->half_sine, k0 = strain->kappa[0], k1 = strain->kappa[1];
    for (int i = 0; i < 3; i++) { // u turns the tangent by i (change of edge)/length: (u1, u2) = (-along D2, along D1)
        out->along_left[0][i] = left->inverse_length * (h * left->d1[i] - c * left->d2[i]);
        out->along_left[1][i] = left->inverse_length * (c * left->d1[i] + h * left->d2[i]);
        out->along_right[0][i] = right->inverse_length * (-h * right->d1[i] - c * right->d2[i]);
        out->along_right[1][i] = right->inverse_length * (c * right->d1[i] - h * right->d2[i]);
    }
    REAL along = (k0 * s->moment[0] + k1 * s->moment[1]) / 4, half_torque = s->torque / 2;
    REAL p0 = s->moment[0] + along * k0, p1 = s->moment[1] + along * k1; // P m
    out->left_across[0] = -p0 - half_torque * k1;
    out->left_across[1] = -p1 + half_torque * k0;
    out->right_across[0] = p0 - half_torque * k1;
    out->right_across[1] = p1 + half_torque * k0;
    REAL roll = (s->moment[1] * k0 - s->moment[0] * k1) / 2;
    out->left_turn = -s->torque - roll;
    out->right_turn = s->torque - roll;
    for (int i = 0; i < 3; i++) {
        out->left[i] = out->left_across[0] * out->along_left[0][i] + out->left_across[1] * out->along_left[1][i];
        out->right[i] = out->right_across[0] * out->along_right[0][i] + out->right_across[1] * out->along_right[1][i];
    }
}

// Rates of kappa and tau when the edges change at the rates left and right (m/s) and the material angles at those in
// their fourth component (rad/s). Of the gradient it takes along_left and along_right.
DER_INLINE void DER(rates)(const DER(strain) * strain, const DER(gradient) * g, const REAL left[4], const REAL right[4],
                           REAL out[3]) {
    REAL k0 = strain->kappa[0], k1 = strain->kappa[1];
    REAL u0 = DER(dot)(g->along_left[0], left), u1 = DER(dot)(g->along_left[1], left);
    REAL v0 = DER(dot)(g->along_right[0], right), v1 = DER(dot)(g->along_right[1], right);
    REAL w0 = v0 - u0, w1 = v1 - u1, along = (k0 * w0 + k1 * w1) / 4, psi = (left[3] + right[3]) / 2;
    out[0] = w0 + along * k0 + psi * k1;
    out[1] = w1 + along * k1 - psi * k0;
    out[2] = (k0 * (u1 + v1) - k1 * (u0 + v0)) / 2 + right[3] - left[3];
}

// An edge's block from the 2x2 matrix h (11, 12, 22) of the turns across, less (g t^T + t g^T)/length: a longer edge
// turns less.
DER_INLINE void DER(edge_block)(REAL h11, REAL h12, REAL h22, const REAL along[2][3], const REAL g[3],
                                const DER(section) * section, REAL geometric, REAL out[6]) {
    int n = 0;
    REAL scale = geometric * section->inverse_length;
    for (int i = 0; i < 3; i++) {
        REAL p0 = h11 * along[0][i] + h12 * along[1][i], p1 = h12 * along[0][i] + h22 * along[1][i];
        for (int j = i; j < 3; j++)
            out[n++] = p0 * along[0][j] + p1 * along[1][j] - scale * (g[i] * section->t[j] + section->t[i] * g[j]);
    }
}

// geometric 1: the Hessian; 0: without the terms that the stress multiplies, which is never indefinite (for the tangent
// measure).
DER_INLINE void DER(differentiate_twice)(const DER(strain) * strain, const DER(stress) * s, const DER(section) * left,
                                         const DER(section) * right, const DER(gradient) * g, REAL geometric,
                                         DER(hessian) * out) {
    REAL k0 = strain->kappa[0], k1 = strain->kappa[1], torque = geometric * s->torque;
    REAL m0 = geometric * s->moment[0], m1 = geometric * s->moment[1], mk = m0 * k0 + m1 * k1;
    // P K P
    REAL p00 = 1 + k0 * k0 / 4, p01 = k0 * k1 / 4, p11 = 1 + k1 * k1 / 4;
    REAL b00 = s->bend11 * p00 + s->bend12 * p01, b01 = s->bend11 * p01 + s->bend12 * p11;
    REAL b10 = s->bend12 * p00 + s->bend22 * p01, b11 = s->bend12 * p01 + s->bend22 * p11;
    REAL e00 = k0 * m0 / 4, e01 = (k0 * m1 + k1 * m0) / 8, e11 = k1 * m1 / 4;
    REAL ww00 = p00 * b00 + p01 * b10 + mk / 4 + mk / 8 * k0 * k0 + e00;
    REAL ww01 = p00 * b01 + p01 * b11 + mk / 8 * k0 * k1 + e01;
    REAL ww11 = p01 * b01 + p11 * b11 + mk / 4 + mk / 8 * k1 * k1 + e11;
    REAL t = s->twist / 4 - mk / 16;
    REAL ss00 = t * k1 * k1 - mk / 4 + e00, ss01 = -t * k0 * k1 + e01, ss11 = t * k0 * k0 - mk / 4 + e11;
    // s (rows) with w: torque (-[0 1; -1 0]/4 + J kappa kappa^T/8)
    REAL eighth = torque / 8;
    REAL sw00 = -eighth * k1 * k0, sw01 = -torque / 4 - eighth * k1 * k1;
    REAL sw10 = torque / 4 + eighth * k0 * k0, sw11 = eighth * k0 * k1;
    DER(edge_block)
    (ss00 + ww00 - 2 * sw00, ss01 + ww01 - sw01 - sw10, ss11 + ww11 - 2 * sw11, g->along_left, g->left, left, geometric,
     out->left);
    DER(edge_block)
    (ss00 + ww00 + 2 * sw00, ss01 + ww01 + sw01 + sw10, ss11 + ww11 + 2 * sw11, g->along_right, g->right, right,
     geometric, out->right);
    REAL uv00 = ss00 - ww00, uv01 = ss01 - ww01 + sw01 - sw10, uv10 = ss01 - ww01 - sw01 + sw10, uv11 = ss11 - ww11;
    // w with psi: P (J m - K J kappa); s with zeta: K3/2 J kappa
    REAL r0 = -m1 + s->bend11 * k1 - s->bend12 * k0, r1 = m0 + s->bend12 * k1 - s->bend22 * k0;
    REAL wp0 = (p00 * r0 + p01 * r1) / 2, wp1 = (p01 * r0 + p11 * r1) / 2;
    REAL sz0 = -s->twist / 2 * k1, sz1 = s->twist / 2 * k0;
    for (int i = 0; i < 3; i++) {
        REAL a0 = g->along_left[0][i], a1 = g->along_left[1][i], c0 = g->along_right[0][i], c1 = g->along_right[1][i];
        for (int j = 0; j < 3; j++)
            out->mixed[i][j] =
                (a0 * uv00 + a1 * uv10) * g->along_right[0][j] + (a0 * uv01 + a1 * uv11) * g->along_right[1][j];
        out->left_turns[0][i] = -a0 * (sz0 + wp0) - a1 * (sz1 + wp1);
        out->left_turns[1][i] = a0 * (sz0 - wp0) + a1 * (sz1 - wp1);
        out->right_turns[0][i] = c0 * (wp0 - sz0) + c1 * (wp1 - sz1);
        out->right_turns[1][i] = c0 * (wp0 + sz0) + c1 * (wp1 + sz1);
    }
    REAL roll = (s->bend11 * k1 * k1 - 2 * s->bend12 * k0 * k1 + s->bend22 * k0 * k0 - mk) / 4;
    out->turn = roll + s->twist;
    out->turns_mixed = roll - s->twist;
}
