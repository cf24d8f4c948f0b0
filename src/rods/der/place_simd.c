// Frames that follow their edges (der/chain.h: start and follow), for many elements at once.
#include "rods/der/chain.h"

#include "math/simd_angle.h"

#define JOIN_TWO(a, b) a##b
#define JOIN(a, b) JOIN_TWO(a, b)
#define VARIANT(name) JOIN(name, CDG_SIMD_SUFFIX)

SIMD_INLINE simd_double read(const double *from) {
    simd_double value;
    __builtin_memcpy(&value, from, sizeof value);
    return value;
}
SIMD_INLINE void write(double *to, simd_double value) { __builtin_memcpy(to, &value, sizeof value); }

// Third column of the rotation.
SIMD_INLINE simd_vec3 third(simd_quat q) {
    return (simd_vec3){2 * (q.x * q.z + q.w * q.y), 2 * (q.y * q.z - q.w * q.x), 1 - 2 * (q.x * q.x + q.y * q.y)};
}
SIMD_INLINE simd_double dot(simd_vec3 a, simd_vec3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

// One group of elements, the first at j. `turn` NULL: from the base frames; else from where they are, turned by it.
// Lanes whose element has no length or has turned back are marked in the result.
SIMD_INLINE simd_mask place(const der_chain *c, size_t j, const double *turn) {
    simd_vec3 e = {read(c->x[0] + j + 1) - read(c->x[0] + j), read(c->x[1] + j + 1) - read(c->x[1] + j),
                   read(c->x[2] + j + 1) - read(c->x[2] + j)};
    simd_double length = simd_sqrt(dot(e, e)), inverse = 1 / length;
    simd_vec3 t = {e.x * inverse, e.y * inverse, e.z * inverse};
    simd_quat base = {read(c->q_base[0] + j), read(c->q_base[1] + j), read(c->q_base[2] + j), read(c->q_base[3] + j)};
    simd_quat q = base;
    if (turn != NULL) q = (simd_quat){read(c->q[0] + j), read(c->q[1] + j), read(c->q[2] + j), read(c->q[3] + j)};
    simd_vec3 before = third(q);
    if (turn != NULL) before = (simd_vec3){read(c->t[0] + j), read(c->t[1] + j), read(c->t[2] + j)};
    simd_mask is_bad = (length <= 1e-6 * read(c->rest_length + j)) | (dot(before, t) <= -0.999);
    is_bad |= ~(length < 1e300); // not a number, too
    // s = R^T t; from (0, 0, 1) to s: (1 + s_z, -s_y, s_x, 0), normed
    simd_double s_x = t.x * (1 - 2 * (q.y * q.y + q.z * q.z)) + t.y * (2 * (q.x * q.y + q.w * q.z)) +
                      t.z * (2 * (q.x * q.z - q.w * q.y));
    simd_double s_y = t.x * (2 * (q.x * q.y - q.w * q.z)) + t.y * (1 - 2 * (q.x * q.x + q.z * q.z)) +
                      t.z * (2 * (q.y * q.z + q.w * q.x));
    simd_double s_z = dot(third(q), t), scale = 1 / simd_sqrt(2 * (1 + s_z));
    simd_double w = (1 + s_z) * scale, x = -s_y * scale, y = s_x * scale, z = 0 * w;
    if (turn != NULL) { // then by the angle about the tangent; Taylor's series serve up to a half angle of 0.5
        simd_double half = read(turn + j) / 2, sine, cosine;
        simd_small_turn(half, &sine, &cosine);
        simd_double x0 = x, w0 = w;
        x = x * cosine + y * sine, y = y * cosine - x0 * sine, w = w * cosine, z = w0 * sine;
        simd_vec3 first = third(base), side = simd_cross(before, t);
        simd_double area = dot(first, side) / (1 + dot(first, before) + dot(before, t) + dot(t, first)),
                    a2 = area * area;
        // 2 atan(area); it is tiny, being of second order in two turns
        simd_double angle =
            2 * area * (1 - a2 * (1.0 / 3 - a2 * (1.0 / 5 - a2 * (1.0 / 7 - a2 * (1.0 / 9 - a2 / 11)))));
        write(c->theta + j, read(c->theta + j) + read(turn + j) + angle);
        is_bad |= (simd_abs(half) > 0.52) | (simd_abs(area) > 0.05); // beyond the series: one by one
    } else {
        write(c->theta + j, 0 * w);
    }
    simd_quat r = {q.w * w - q.x * x - q.y * y - q.z * z, q.w * x + q.x * w + q.y * z - q.z * y,
                   q.w * y - q.x * z + q.y * w + q.z * x, q.w * z + q.x * y - q.y * x + q.z * w};
    simd_double norm = 1.5 - 0.5 * (r.w * r.w + r.x * r.x + r.y * r.y + r.z * r.z);
    r = (simd_quat){norm * r.w, norm * r.x, norm * r.y, norm * r.z};
    write(c->q[0] + j, r.w), write(c->q[1] + j, r.x), write(c->q[2] + j, r.y), write(c->q[3] + j, r.z);
    write(c->d1[0] + j, 1 - 2 * (r.y * r.y + r.z * r.z));
    write(c->d1[1] + j, 2 * (r.x * r.y + r.w * r.z));
    write(c->d1[2] + j, 2 * (r.x * r.z - r.w * r.y));
    write(c->d2[0] + j, 2 * (r.x * r.y - r.w * r.z));
    write(c->d2[1] + j, 1 - 2 * (r.x * r.x + r.z * r.z));
    write(c->d2[2] + j, 2 * (r.y * r.z + r.w * r.x));
    write(c->t[0] + j, t.x), write(c->t[1] + j, t.y), write(c->t[2] + j, t.z);
    write(c->inverse_length + j, inverse);
    return is_bad;
}

SIMD_INLINE bool has_any(simd_mask mask) {
    int64_t any = 0;
    for (int lane = 0; lane < SIMD_LANES; lane++) any |= mask[lane];
    return any != 0;
}

// Groups are tried on copies of nothing: a bad group has spoiled its own frames, so it may only be redone from bases.
size_t VARIANT(der_place_start)(const der_chain *c) {
    size_t count = c->node_count - 1, j = 0;
    for (; j + SIMD_LANES <= count; j += SIMD_LANES)
        if (has_any(place(c, j, NULL))) return j;
    return j;
}

// The same after a change, where a group is first looked at: its frames must stay for one that is done one by one.
size_t VARIANT(der_place_follow)(const der_chain *c, size_t j, const double *turn) {
    size_t count = c->node_count - 1;
    for (; j + SIMD_LANES <= count; j += SIMD_LANES) {
        double kept[15][SIMD_LANES],
            *arrays[15] = {c->q[0],  c->q[1],  c->q[2],  c->q[3], c->theta, c->d1[0], c->d1[1],         c->d1[2],
                           c->d2[0], c->d2[1], c->d2[2], c->t[0], c->t[1],  c->t[2],  c->inverse_length};
        for (int k = 0; k < 15; k++) write(kept[k], read(arrays[k] + j));
        if (!has_any(place(c, j, turn))) continue;
        for (int k = 0; k < 15; k++) write(arrays[k] + j, read(kept[k]));
        return j;
    }
    return j;
}
