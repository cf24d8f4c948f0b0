// Rigid motions of nodes and frames, one in each lane (rigid_lanes.h).
#include "adapt/rigid_lanes.h"

#include "math/simd.h"

#define PASTE_(a, b) a##b
#define PASTE(a, b) PASTE_(a, b)
#define VARIANT(name) PASTE(name, CDG_SIMD_SUFFIX)

typedef simd_double real;

SIMD_INLINE void load(const cdg_rigid_lane *from, size_t at, int count, real *out) {
    for (int k = 0; k < count; k++) out[k] = simd_load(from[k] + at);
}
SIMD_INLINE void store(const real *from, size_t at, int count, cdg_rigid_lane *to) {
    for (int k = 0; k < count; k++) simd_store(to[k] + at, from[k]);
}
SIMD_INLINE real dot3(const real a[3], const real b[3]) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

SIMD_INLINE double sum_of(real a) {
    double sum = 0;
    for (size_t lane = 0; lane < SIMD_LANES; lane++) sum += simd_get(&a, lane);
    return sum;
}

// d1, d2, d3 in world axes.
SIMD_INLINE void axes_of(const real q[4], real d[3][3]) {
    real w = q[0], x = q[1], y = q[2], z = q[3];
    d[0][0] = 1 - 2 * (y * y + z * z), d[0][1] = 2 * (x * y + w * z), d[0][2] = 2 * (x * z - w * y);
    d[1][0] = 2 * (x * y - w * z), d[1][1] = 1 - 2 * (x * x + z * z), d[1][2] = 2 * (y * z + w * x);
    d[2][0] = 2 * (x * z + w * y), d[2][1] = 2 * (y * z - w * x), d[2][2] = 1 - 2 * (x * x + y * y);
}

typedef struct lane_sums {
    real mass, along, x[3], r[3], turn[3][3];
} lane_sums;

// Of x x (turn x r) = turn (x.r) - r (x.turn).
SIMD_INLINE void add_nodes(const cdg_rigid_nodes *nodes, size_t at, lane_sums *s) {
    real m = simd_load(nodes->mass + at) * simd_load(nodes->share + at), x[3], r[3];
    load(nodes->x, at, 3, x), load(nodes->arm, at, 3, r);
    s->mass += m;
    s->along += m * dot3(x, r);
    for (int i = 0; i < 3; i++) {
        real mr = m * r[i];
        s->x[i] += m * x[i], s->r[i] += mr;
        for (int k = 0; k < 3; k++) s->turn[i][k] -= mr * x[k];
    }
}

SIMD_INLINE void add_frames(const cdg_rigid_frames *frames, size_t at, lane_sums *s) {
    real inertia[3], q[4], axis[3], d[3][3];
    load(frames->inertia, at, 3, inertia), load(frames->q, at, 4, q), load(frames->axis, at, 3, axis);
    axes_of(q, d);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            s->turn[i][k] += frames->follows ? inertia[2] * d[2][i] * axis[k]
                                             : inertia[0] * d[0][i] * d[0][k] + inertia[1] * d[1][i] * d[1][k] +
                                                   inertia[2] * d[2][i] * d[2][k];
}

void VARIANT(cdg_rigid_sum)(const cdg_rigid_nodes *nodes, const cdg_rigid_frames *frames, size_t groups,
                            cdg_rigid_sums *out) {
    lane_sums s = {0};
    for (size_t at = 0; at < groups * CDG_RIGID_GROUP; at += SIMD_LANES)
        add_nodes(nodes, at, &s), add_frames(frames, at, &s);
    out->mass = sum_of(s.mass), out->along = sum_of(s.along);
    for (int i = 0; i < 3; i++) {
        out->x[i] = sum_of(s.x[i]), out->r[i] = sum_of(s.r[i]);
        for (int k = 0; k < 3; k++) out->turn[i][k] = sum_of(s.turn[i][k]);
    }
}

// m (v + d)^2/2 - m v^2/2
SIMD_INLINE real gain_of(real m, real v, real d) { return m * d * (v + 0.5 * d); }

double VARIANT(cdg_rigid_move)(const cdg_rigid_nodes *nodes, const cdg_rigid_frames *frames, size_t groups, cdg_vec3 u,
                               cdg_vec3 turn, cdg_rigid_change *out) {
    real gain = {0};
    for (size_t at = 0; at < groups * CDG_RIGID_GROUP; at += SIMD_LANES) {
        real r[3], v[3], q[4], w[3], inertia[3], axis[3], d[3][3], change[3], spin[3];
        real share = simd_load(nodes->share + at), mass = simd_load(nodes->mass + at);
        load(nodes->arm, at, 3, r), load(nodes->v, at, 3, v);
        change[0] = share * (u.x + turn.y * r[2] - turn.z * r[1]);
        change[1] = share * (u.y + turn.z * r[0] - turn.x * r[2]);
        change[2] = share * (u.z + turn.x * r[1] - turn.y * r[0]);
        load(frames->q, at, 4, q), load(frames->w, at, 3, w), load(frames->axis, at, 3, axis);
        load(frames->inertia, at, 3, inertia);
        axes_of(q, d);
        for (int k = 0; k < 3; k++) {
            spin[k] = turn.x * d[k][0] + turn.y * d[k][1] + turn.z * d[k][2];
            if (frames->follows) spin[k] = k < 2 ? 0 * r[0] : turn.x * axis[0] + turn.y * axis[1] + turn.z * axis[2];
            gain += gain_of(mass, v[k], change[k]) + gain_of(inertia[k], w[k], spin[k]);
        }
        store(change, at, 3, out->v), store(spin, at, 3, out->w);
    }
    return sum_of(gain);
}
