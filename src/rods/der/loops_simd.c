// The loops of der's explicit step (der/loops.h; Bergou et al. 2008, sections 5.1 and 7), for many springs at once.
#include "rods/der/loops.h"

#include "math/simd_angle.h"

#define REAL simd_double
#define DER(name) lanes_##name
#define DER_INLINE SIMD_INLINE
#define DER_SQRT(a) simd_sqrt(a)
#define DER_ATAN(a) simd_atan2(a, 1 + 0 * (a))
#define DER_PICK(a, b, x, y) simd_select((a) < (b), x, y)
#define DER_TURN(w, z, near, twist, inverse)                                                                           \
    do {                                                                                                               \
        simd_double raw = 2 * simd_atan2(z, w), turns = simd_round(((near)-raw) * (1 / (2 * der_pi)));                 \
        twist = raw + 2 * der_pi * turns;                                                                              \
        inverse = simd_select(turns == 2 * simd_round(turns / 2), inverse, -inverse);                                  \
    } while (0)
#include "rods/discrete_spring_template.h"

#define JOIN_TWO(a, b) a##b
#define JOIN(a, b) JOIN_TWO(a, b)
#define VARIANT(name) JOIN(name, CDG_SIMD_SUFFIX)

SIMD_INLINE simd_double read(const double *from) {
    simd_double value;
    __builtin_memcpy(&value, from, sizeof value);
    return value;
}
SIMD_INLINE void write(double *to, simd_double value) { __builtin_memcpy(to, &value, sizeof value); }
// Of the first `lanes` only.
SIMD_INLINE simd_double read_some(const double *from, size_t lanes) {
    simd_double value = {0};
    __builtin_memcpy(&value, from, lanes * sizeof(double));
    return value;
}
SIMD_INLINE void write_some(double *to, simd_double value, size_t lanes) {
    __builtin_memcpy(to, &value, lanes * sizeof(double));
}
SIMD_INLINE void add(double *to, simd_double value) { write(to, read(to) + value); }

// ---- springs --------------------------------------------------------------------------------------------------------

// Strain and stress of the springs at the nodes from i on, between elements i - 1 and i.
SIMD_INLINE void respond(const der_chain *c, size_t i, lanes_material *m, lanes_strain *strain, lanes_stress *stress) {
    simd_double q[4], r[4], near = read(c->twist_base + i) + read(c->theta + i) - read(c->theta + i - 1);
    for (int k = 0; k < 4; k++) q[k] = read(c->q[k] + i - 1), r[k] = read(c->q[k] + i);
    for (int k = 0; k < 2; k++) m->bend[k] = read(c->bend_stiffness[k] + i);
    for (int k = 0; k < 3; k++) m->rest[k] = read(c->bend_rest[k] + i);
    m->twist = read(c->bend_stiffness[2] + i);
    *strain = lanes_measure(q, r, near);
    *stress = lanes_respond(strain, m, c->is_angle);
}

SIMD_INLINE lanes_section section_of(const der_chain *c, size_t j) {
    lanes_section s;
    for (int k = 0; k < 3; k++) s.d1[k] = read(c->d1[k] + j), s.d2[k] = read(c->d2[k] + j);
    s.inverse_length = read(c->inverse_length + j);
    return s;
}

SIMD_INLINE void read_motion(double *const v[3], const double *spin, size_t j, simd_double out[4]) {
    for (int k = 0; k < 3; k++) out[k] = read(v[k] + j + 1) - read(v[k] + j);
    out[3] = read(spin + j);
}

static size_t pull_springs(const der_chain *c, const double *damping_time, double *const v[3], const double *spin,
                           size_t i, size_t end, double *const pull[3]) {
    double before[3] = {pull[0][i - 1], pull[1][i - 1], pull[2][i - 1]};
    for (; i + SIMD_LANES <= end; i += SIMD_LANES) {
        lanes_material m;
        lanes_strain strain;
        lanes_stress stress;
        lanes_gradient g;
        respond(c, i, &m, &strain, &stress);
        lanes_section left = section_of(c, i - 1), right = section_of(c, i);
        lanes_differentiate(&strain, &stress, &left, &right, &g);
        if (damping_time != NULL) {
            simd_double motion[2][4], rate[3];
            read_motion(v, spin, i - 1, motion[0]);
            read_motion(v, spin, i, motion[1]);
            lanes_rates(&strain, &g, motion[0], motion[1], rate);
            for (int k = 0; k < 2; k++) stress.moment[k] += damping_time[2] * m.bend[k] * rate[k];
            stress.torque += damping_time[3] * m.twist * rate[2];
            lanes_differentiate(&strain, &stress, &left, &right, &g);
        }
        for (int k = 0; k < 3; k++) {
            write(pull[k] + i - 1, g.left[k] + simd_shift_up(g.right[k], before[k]));
            before[k] = simd_get(&g.right[k], SIMD_LANES - 1);
        }
    }
    for (int k = 0; k < 3; k++) pull[k][i - 1] = before[k];
    return i;
}

static size_t roll_springs(const der_chain *c, size_t i, size_t end, double *right, double *diagonal, double *off,
                           double *energy) {
    simd_double sum = {0};
    double before_right = 0, before_turn = 0;
    for (; i + SIMD_LANES <= end; i += SIMD_LANES) {
        lanes_material m;
        lanes_strain strain;
        lanes_stress s;
        respond(c, i, &m, &strain, &s);
        simd_double k0 = strain.kappa[0], k1 = strain.kappa[1];
        simd_double roll = (s.moment[1] * k0 - s.moment[0] * k1) / 2; // as in der/frames.c
        simd_double rolls =
            (s.bend11 * k1 * k1 - 2 * s.bend12 * k0 * k1 + s.bend22 * k0 * k0 - s.moment[0] * k0 - s.moment[1] * k1) /
            4;
        simd_double turn = rolls + s.twist, after = roll - s.torque;
        add(right + i - 1, s.torque + roll + simd_shift_up(after, before_right));
        add(diagonal + i - 1, turn + simd_shift_up(turn, before_turn));
        write(off + i - 1, rolls - s.twist);
        write(c->twist + i, strain.twist);
        before_right = simd_get(&after, SIMD_LANES - 1);
        before_turn = simd_get(&turn, SIMD_LANES - 1);
        sum += s.energy;
    }
    right[i - 1] += before_right;
    diagonal[i - 1] += before_turn;
    for (int lane = 0; lane < SIMD_LANES; lane++) *energy += sum[lane];
    return i;
}

// ---- frames ---------------------------------------------------------------------------------------------------------

static size_t turn_frames(const der_chain *c, const double *angle, double factor) {
    size_t j = 0;
    for (; j + SIMD_LANES <= c->element_count; j += SIMD_LANES) {
        simd_double turn = factor * read(angle + j), s, k;
        simd_double w = read(c->q[0] + j), x = read(c->q[1] + j), y = read(c->q[2] + j), z = read(c->q[3] + j);
        simd_small_turn(turn / 2, &s, &k);
        write(c->q[0] + j, k * w - s * z);
        write(c->q[1] + j, k * x + s * y);
        write(c->q[2] + j, k * y - s * x);
        write(c->q[3] + j, k * z + s * w);
        add(c->theta + j, turn);
    }
    return j;
}

// `lanes` frames from j on; `next` has the velocities of the nodes after them.
SIMD_INLINE void finish_group(const der_chain *c, double *const v[3], const double *const next[3], double inverse_step,
                              double *const w_next[3], size_t j, const size_t lanes) {
    simd_double q[4], e[3], along = {0}, inverse = read_some(c->inverse_length + j, lanes);
    for (int k = 0; k < 4; k++) {
        q[k] = read_some(c->q[k] + j, lanes);
        along += q[k] * read_some(c->q_base[k] + j, lanes);
    }
    for (int k = 0; k < 3; k++) e[k] = read_some(next[k], lanes) - read_some(v[k] + j, lanes);
    simd_double w = q[0], x = q[1], y = q[2], z = q[3], one = simd_broadcast(1);
    simd_double d1[3] = {1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)};
    simd_double d2[3] = {2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)};
    simd_double sign = simd_select(along < 0, -one, one);
    for (int k = 0; k < 3; k++) {
        write_some(c->d1[k] + j, d1[k], lanes);
        write_some(c->d2[k] + j, d2[k], lanes);
    }
    write_some(w_next[0] + j, -lanes_dot(e, d2) * inverse, lanes);
    write_some(w_next[1] + j, lanes_dot(e, d1) * inverse, lanes);
    write_some(w_next[2] + j, read_some(c->theta + j, lanes) * inverse_step, lanes);
    for (int k = 0; k < 4; k++) write_some(c->q[k] + j, sign * q[k], lanes);
}

static void finish_frames(const der_chain *c, double *const v[3], double inverse_step, double *const w_next[3]) {
    size_t inner = c->node_count - 1, j = 0;
    const double *next[3];
    for (; j < inner; j += SIMD_LANES) {
        for (int k = 0; k < 3; k++) next[k] = v[k] + j + 1;
        if (j + SIMD_LANES <= inner)
            finish_group(c, v, next, inverse_step, w_next, j, SIMD_LANES);
        else
            finish_group(c, v, next, inverse_step, w_next, j, inner - j);
    }
    if (c->is_closed) finish_group(c, v, (const double *const[3]){v[0], v[1], v[2]}, inverse_step, w_next, inner, 1);
}

// ---- nodes ----------------------------------------------------------------------------------------------------------

static void sum_pulls(size_t count, const double *restrict load, const double *restrict pull, double *restrict force) {
    for (size_t i = 1; i + 1 < count; i++) force[i] = load[i] + pull[i] - pull[i - 1];
}

static void drift(size_t count, const double *restrict x, const double *restrict v, const double *restrict force,
                  const double *restrict inverse_mass, double kick, double step, double *restrict x_next) {
    for (size_t i = 0; i < count; i++) x_next[i] = x[i] + step * (v[i] + kick * force[i] * inverse_mass[i]);
}

static void difference(size_t count, const double *restrict from, const double *restrict to, double factor,
                       double *restrict out) {
    for (size_t i = 0; i < count; i++) out[i] = (to[i] - from[i]) * factor;
}

static double largest(size_t count, const double *a) {
    simd_double most = {0};
    double result = 0;
    size_t i = 0;
    for (; i + SIMD_LANES <= count; i += SIMD_LANES) {
        simd_double value = simd_abs(read(a + i));
        most = simd_select(value <= most, most, simd_select(value < INFINITY, value, simd_broadcast(INFINITY)));
    }
    for (int lane = 0; lane < SIMD_LANES; lane++) result = most[lane] > result ? most[lane] : result;
    for (; i < count; i++) {
        double value = __builtin_fabs(a[i]);
        if (!(value <= result)) result = value < INFINITY ? value : INFINITY;
    }
    return result;
}

static double sum_of_squares(size_t count, const double *a) {
    simd_double sum = {0};
    double result = 0;
    size_t i = 0;
    for (; i + SIMD_LANES <= count; i += SIMD_LANES) sum += read(a + i) * read(a + i);
    for (; i < count; i++) result += a[i] * a[i];
    for (int lane = 0; lane < SIMD_LANES; lane++) result += sum[lane];
    return result;
}

// ---- edges ----------------------------------------------------------------------------------------------------------

static double find_edges(size_t count, double *const x[3], const double *rest_length, const double *inverse_mass,
                         double *const edge[3], double *right, double *diagonal) {
    simd_double worst = {0};
    double result = 0;
    size_t j = 0;
    for (; j + SIMD_LANES <= count; j += SIMD_LANES) {
        simd_double e[3], length = read(rest_length + j), square = {0};
        for (int k = 0; k < 3; k++) {
            e[k] = read(x[k] + j + 1) - read(x[k] + j);
            square += e[k] * e[k];
            write(edge[k] + j, e[k]);
        }
        simd_double mobility = read(inverse_mass + j) + read(inverse_mass + j + 1), rest = length * length;
        simd_double excess = (square - rest) / 2, part = simd_abs(excess) / rest;
        simd_mask is_free = mobility > 0;
        write(right + j, simd_keep(is_free, -excess));
        write(diagonal + j, simd_select(is_free & (square > 0), mobility * square, 1 + 0 * rest));
        worst = simd_select(part <= worst, worst, simd_select(part < INFINITY, part, simd_broadcast(INFINITY)));
    }
    for (; j < count; j++) {
        double square = 0, length = rest_length[j], mobility = inverse_mass[j] + inverse_mass[j + 1];
        for (int k = 0; k < 3; k++) {
            edge[k][j] = x[k][j + 1] - x[k][j];
            square += edge[k][j] * edge[k][j];
        }
        double excess = (square - length * length) / 2, part = __builtin_fabs(excess) / (length * length);
        right[j] = mobility > 0 ? -excess : 0;
        diagonal[j] = mobility > 0 && square > 0 ? mobility * square : 1;
        if (!(part <= result)) result = part < INFINITY ? part : INFINITY;
    }
    for (int lane = 0; lane < SIMD_LANES; lane++) result = worst[lane] > result ? worst[lane] : result;
    return result;
}

static void couple_edges(size_t count, double *const edge[3], const double *inverse_mass, double *restrict off) {
    const double *restrict x = edge[0], *restrict y = edge[1], *restrict z = edge[2];
    for (size_t j = 0; j + 1 < count; j++)
        off[j] = -inverse_mass[j + 1] * (x[j] * x[j + 1] + y[j] * y[j + 1] + z[j] * z[j + 1]);
}

static void move_nodes(size_t count, const double *restrict lambda, const double *restrict edge,
                       const double *restrict inverse_mass, double *restrict x) {
    for (size_t i = 1; i < count; i++) x[i] += inverse_mass[i] * (lambda[i - 1] * edge[i - 1] - lambda[i] * edge[i]);
}

const der_loops VARIANT(der_loops) = {
    .pull_springs = pull_springs,
    .roll_springs = roll_springs,
    .turn_frames = turn_frames,
    .finish_frames = finish_frames,
    .sum_pulls = sum_pulls,
    .drift = drift,
    .difference = difference,
    .largest = largest,
    .sum_of_squares = sum_of_squares,
    .find_edges = find_edges,
    .couple_edges = couple_edges,
    .move_nodes = move_nodes,
};
