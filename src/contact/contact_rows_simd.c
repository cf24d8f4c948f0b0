// Rows of contacts in lanes (contact_rows.h), for each instruction set; the equations are those of contact_row.c.
#include "contact/contact_rows.h"
#include "contact/contacts.h"
#include "math/simd.h"

#include <assert.h>

// Lanes read contacts by eight doubles.
static_assert(offsetof(cdg_contact, target) == offsetof(cdg_contact, parameter) + 7 * sizeof(double) &&
                  offsetof(cdg_contact, force) == offsetof(cdg_contact, radius) + 5 * sizeof(double) &&
                  offsetof(cdg_contact, left) + 3 * sizeof(double) == sizeof(cdg_contact) &&
                  offsetof(cdg_contact, left) == offsetof(cdg_contact, drift) + 3 * sizeof(double),
              "members of a contact are not where lanes look for them");

#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)

static const double tiny = 1e-280;

SIMD_INLINE simd_double read(const double *from) {
    simd_double v;
    __builtin_memcpy(&v, from, sizeof v);
    return v;
}

SIMD_INLINE void write(double *to, simd_double v) { __builtin_memcpy(to, &v, sizeof v); }

SIMD_INLINE void write_float(float *to, simd_double v) {
#if CDG_SIMD_DOUBLES == 8
    _mm256_storeu_ps(to, _mm512_cvtpd_ps((__m512d)v));
#elif CDG_SIMD_DOUBLES == 4
    _mm_storeu_ps(to, _mm256_cvtpd_ps((__m256d)v));
#else
    for (int i = 0; i < SIMD_LANES; i++) to[i] = (float)simd_get(&v, (size_t)i);
#endif
}

SIMD_INLINE simd_double dot(simd_vec3 a, simd_vec3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
SIMD_INLINE simd_vec3 plus(simd_vec3 a, simd_vec3 b) { return (simd_vec3){a.x + b.x, a.y + b.y, a.z + b.z}; }
SIMD_INLINE simd_vec3 minus(simd_vec3 a, simd_vec3 b) { return (simd_vec3){a.x - b.x, a.y - b.y, a.z - b.z}; }
SIMD_INLINE simd_vec3 times(simd_double s, simd_vec3 a) { return (simd_vec3){s * a.x, s * a.y, s * a.z}; }
SIMD_INLINE simd_vec3 either(simd_mask mask, simd_vec3 a, simd_vec3 b) {
    return (simd_vec3){simd_select(mask, a.x, b.x), simd_select(mask, a.y, b.y), simd_select(mask, a.z, b.z)};
}
SIMD_INLINE simd_double component(simd_vec3 a, int c) { return c == 0 ? a.x : c == 1 ? a.y : a.z; }

// Eight doubles of each lane's record, from the one `first` on.
SIMD_INLINE void load(const double *records, const size_t at[SIMD_LANES], size_t first, simd_double out[8]) {
    for (size_t k = 0; k < 8; k += SIMD_LANES) {
        for (size_t i = 0; i < SIMD_LANES; i++) out[k + i] = read(records + at[i] + first + k);
        simd_transpose(&out[k]);
    }
}

// Contacts of some lanes. What a force does to points' moves (4 x 3) and elements' turns (2) and the reverse, along the
// normal and two tangents that do not move each other (`jacobian`); all of contact_row.c's rows.
typedef struct lanes {
    simd_double jacobian[14][3], root[6];
    simd_vec3 axes[3];
    simd_double answer[3], across[2], offset[3], force[3], friction, radius;
} lanes;

typedef struct side {
    simd_double w;
    simd_vec3 axis, arm, lever; // arm over the length
} side;

SIMD_INLINE simd_vec3 normalize(simd_vec3 a) {
    return times(1 / simd_sqrt(simd_max(dot(a, a), simd_broadcast(tiny))), a);
}

SIMD_INLINE side side_of(const simd_double element[16], simd_vec3 from, simd_vec3 point) {
    simd_vec3 axis = {element[0], element[1], element[2]}, way = minus(point, from);
    simd_double along = dot(way, axis);
    simd_vec3 arm = minus(way, times(along, axis));
    return (side){along * element[3], axis, times(element[3], arm), simd_cross(axis, arm)};
}

SIMD_INLINE side plain_side(const simd_double element[16], simd_double s, simd_vec3 arm) {
    simd_vec3 axis = {element[8], element[9], element[10]};
    arm = minus(arm, times(dot(arm, axis), axis));
    return (side){s, axis, times(element[11], arm), simd_cross(axis, arm)};
}

SIMD_INLINE side choose(simd_mask mask, side a, side b) {
    return (side){simd_select(mask, a.w, b.w), either(mask, a.axis, b.axis), either(mask, a.arm, b.arm),
                  either(mask, a.lever, b.lever)};
}

SIMD_INLINE simd_vec3 at(const simd_double first[8], const simd_double second[8], simd_double s) {
    return (simd_vec3){first[0] + s * (second[0] - first[0]), first[1] + s * (second[1] - first[1]),
                       first[2] + s * (second[2] - first[2])};
}

// Friction along one tangent shall not move the contact along the other: a rotation of Jacobi's.
SIMD_INLINE void turn_tangents(lanes *out, simd_double both) {
    simd_double a = out->answer[1], c = out->answer[2];
    simd_mask is_needed = simd_abs(both) > 1e-12 * (a + c);
    simd_double half = simd_select(is_needed, 2 * both, simd_broadcast(1)), ratio = (c - a) / half;
    simd_double tangent = 1 / (simd_abs(ratio) + simd_sqrt(1 + ratio * ratio));
    tangent = simd_keep(is_needed, simd_select(ratio < 0, -tangent, tangent));
    simd_double cosine = 1 / simd_sqrt(1 + tangent * tangent), sine = tangent * cosine;
#define TURN(one, two)                                                                                                 \
    do {                                                                                                               \
        simd_double first_ = one, second_ = two;                                                                       \
        (one) = cosine * first_ - sine * second_, (two) = sine * first_ + cosine * second_;                            \
    } while (0)
    for (int m = 0; m < 14; m++) TURN(out->jacobian[m][1], out->jacobian[m][2]);
    TURN(out->axes[1].x, out->axes[2].x);
    TURN(out->axes[1].y, out->axes[2].y);
    TURN(out->axes[1].z, out->axes[2].z);
    TURN(out->offset[1], out->offset[2]);
    TURN(out->force[1], out->force[2]);
    TURN(out->across[0], out->across[1]);
#undef TURN
    out->answer[1] = a - tangent * both, out->answer[2] = c + tangent * both;
}

// What lanes of contacts that bounce aim at.
static void bounce(const cdg_row_maker *maker, const cdg_sweep_batch *batch, int first, lanes *out) {
    for (size_t i = 0; i < SIMD_LANES; i++) {
        size_t lane = (size_t)first + i;
        if (batch->row[lane] == UINT32_MAX || !(maker->contacts[batch->row[lane]].restitution > 0)) continue;
        uint32_t point[4];
        double normal[12];
        for (int k = 0; k < 4; k++) point[k] = (uint32_t)batch->point[k][lane] / 4;
        for (int m = 0; m < 12; m++) normal[m] = simd_get(&out->jacobian[m][0], i);
        simd_lanes(&out->offset[0])[i] =
            cdg_contact_missing_gap(maker->pieces, &maker->contacts[batch->row[lane]], point, normal, 4);
    }
}

// ---- bodies ---------------------------------------------------------------------------------------------------------

static bool has_shape(const cdg_contact *contact) {
    return contact->side[0].kind == CDG_SIDE_BODY || contact->side[1].kind == CDG_SIDE_BODY;
}

// Lanes of contacts with bodies: levers about their centres; and, where the first side is a segment, where the force
// acts on it.
static void take_bodies(const cdg_row_maker *maker, const uint32_t *rows, side *rod, cdg_vec3 lever[SIMD_LANES][2]) {
    for (size_t i = 0; i < SIMD_LANES; i++) {
        const cdg_contact *contact = rows[i] != UINT32_MAX ? &maker->contacts[rows[i]] : NULL;
        if (contact == NULL || !has_shape(contact)) continue;
        if (contact->side[0].kind != CDG_SIDE_SEGMENT) {
            cdg_contact_shape_levers(maker->pieces, maker->bodies, contact, maker->at_base, lever[i]);
            continue;
        }
        cdg_row_side sides[2];
        cdg_contact_body_sides(maker->pieces, contact, maker->at_base, sides, &lever[i][1]);
        simd_lanes(&rod->w)[i] = sides[0].w;
        simd_vec3 *to[3] = {&rod->axis, &rod->arm, &rod->lever};
        cdg_vec3 from[3] = {sides[0].axis, sides[0].arm, sides[0].lever};
        for (int k = 0; k < 3; k++) {
            simd_lanes(&to[k]->x)[i] = from[k].x;
            simd_lanes(&to[k]->y)[i] = from[k].y;
            simd_lanes(&to[k]->z)[i] = from[k].z;
        }
    }
}

static void turn_bodies(const cdg_row_maker *maker, const uint32_t *rows, cdg_vec3 lever[SIMD_LANES][2], lanes *out) {
    for (size_t i = 0; i < SIMD_LANES; i++)
        for (int k = 0; k < 2 && rows[i] != UINT32_MAX; k++) {
            const cdg_body_piece *body = contact_body(maker->bodies, &maker->contacts[rows[i]].side[k]);
            for (int a = 0; a < 3 && body != NULL; a++) {
                double sign = k == 0 ? 1 : -1;
                cdg_vec3 axis = {sign * simd_get(&out->axes[a].x, i), sign * simd_get(&out->axes[a].y, i),
                                 sign * simd_get(&out->axes[a].z, i)};
                cdg_vec3 turn = body_piece_turn(body, lever[i][k], axis),
                         move = body_piece_move(body, lever[i][k], axis);
                simd_lanes(&out->jacobian[6 * k][a])[i] = move.x;
                simd_lanes(&out->jacobian[6 * k + 1][a])[i] = move.y;
                simd_lanes(&out->jacobian[6 * k + 2][a])[i] = move.z;
                simd_lanes(&out->jacobian[6 * k + 3][a])[i] = turn.x;
                simd_lanes(&out->jacobian[6 * k + 4][a])[i] = turn.y;
                simd_lanes(&out->jacobian[6 * k + 5][a])[i] = turn.z;
            }
        }
}

// ---- rows -----------------------------------------------------------------------------------------------------------

// One and the same function for all three kernels, so that they agree about tangents to the last bit.
static __attribute__((noinline)) void make(const cdg_row_maker *maker, const cdg_sweep_batch *batch, int first,
                                           lanes *out) {
    const simd_double zero = simd_broadcast(0), one = simd_broadcast(1);
    enum { CONTACT = sizeof(cdg_contact) / sizeof(double) };
    size_t contact[SIMD_LANES], slot[SIMD_LANES];
    simd_double is_there, is_rod;
    bool has_body = false, bounces = false;
    for (size_t i = 0; i < SIMD_LANES; i++) {
        uint32_t row = batch->row[(size_t)first + i];
        contact[i] = row != UINT32_MAX ? row * (size_t)CONTACT : 0;
        simd_lanes(&is_there)[i] = row != UINT32_MAX;
        bounces = bounces || (row != UINT32_MAX && maker->contacts[row].restitution > 0);
        has_body = has_body || (row != UINT32_MAX && has_shape(&maker->contacts[row]));
        simd_lanes(&is_rod)[i] = (size_t)batch->element[1][(size_t)first + i] < maker->pieces->element_count;
    }
    // parameters, normal, gap, clearance, target; radius, friction, carried, force; two others, drift, left
    const double *records = (const double *)(const void *)maker->contacts;
    simd_double field[3][8];
    load(records, contact, offsetof(cdg_contact, parameter) / sizeof(double), field[0]);
    load(records, contact, offsetof(cdg_contact, radius) / sizeof(double), field[1]);
    load(records, contact, CONTACT - 8, field[2]);
    simd_double s = field[0][0], t = field[0][1];
    simd_vec3 normal = {field[0][2], field[0][3], field[0][4]}, carried = {field[1][2], field[1][3], field[1][4]};
    simd_vec3 force = {field[1][5], field[1][6], field[1][7]}, drift = {field[2][2], field[2][3], field[2][4]};
    out->radius = field[1][0];
    out->friction = field[1][1] * is_there;

    simd_double point[4][8], element[2][16];
    for (int k = 0; k < 4; k++) {
        for (size_t i = 0; i < SIMD_LANES; i++)
            slot[i] = (size_t)batch->point[k][(size_t)first + i] / 4 * CDG_ROW_POINT;
        load(maker->points, slot, 0, point[k]);
        out->root[k] = point[k][7];
    }
    for (int k = 0; k < 2; k++) {
        for (size_t i = 0; i < SIMD_LANES; i++)
            slot[i] = (size_t)batch->element[k][(size_t)first + i] * CDG_ROW_ELEMENT;
        load(maker->elements, slot, 0, element[k]);
        load(maker->elements, slot, 8, &element[k][8]);
        out->root[4 + k] = element[k][12];
    }

    simd_double ra = element[0][4] + s * element[0][5], rb = element[1][4] + t * element[1][5];
    simd_vec3 a = at(point[0], point[1], s), b = at(point[2], point[3], t), between = minus(b, a);
    simd_vec3 touch = plus(a, times(ra / simd_max(ra + rb, simd_broadcast(tiny)), between));
    side sides[2] = {side_of(element[0], (simd_vec3){point[0][0], point[0][1], point[0][2]}, touch),
                     side_of(element[1], (simd_vec3){point[2][0], point[2][1], point[2][2]}, touch)};
    // Farther than two radii from the axis, or off the element by more than half of it: too far a guess.
    simd_double reach = 2 * (ra + rb);
    simd_mask is_near = (dot(between, between) < reach * reach) & (simd_abs(sides[0].w - s) < 0.5) &
                        (simd_abs(sides[1].w - t) < 0.5) & (is_rod > 0);
    if (!maker->at_base) is_near = (simd_mask){0};
    sides[0] = choose(is_near, sides[0], plain_side(element[0], s, times(-ra, normal)));
    sides[1] = choose(is_near, sides[1], plain_side(element[1], t, times(rb, normal)));
    sides[1].w *= is_rod; // an obstacle has no axis and no arm
    cdg_vec3 lever[SIMD_LANES][2];
    if (has_body) take_bodies(maker, &batch->row[first], &sides[0], lever);

    simd_vec3 along = minus(sides[0].axis, times(dot(sides[0].axis, normal), normal));
    simd_mask is_x = simd_abs(normal.x) < 0.6;
    simd_vec3 other = {simd_select(is_x, one, zero), simd_select(is_x, zero, one), zero};
    out->axes[0] = normal;
    out->axes[1] = normalize(either(dot(along, along) > 1e-6, along, simd_cross(normal, other)));
    out->axes[2] = simd_cross(normal, out->axes[1]);
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < 2; i++) {
            simd_vec3 d = i == 0 ? out->axes[k] : times(-one, out->axes[k]);
            simd_double share = dot(sides[i].axis, d), w = sides[i].w;
            for (int c = 0; c < 3; c++) {
                simd_double arm = share * component(sides[i].arm, c), way = w * component(d, c);
                out->jacobian[6 * i + c][k] = component(d, c) - way + arm;
                out->jacobian[6 * i + 3 + c][k] = way - arm;
            }
            out->jacobian[12 + i][k] = dot(sides[i].lever, d);
        }

    if (has_body) turn_bodies(maker, &batch->row[first], lever, out);

    simd_double answer[6] = {zero, zero, zero, zero, zero, zero}, slip[3] = {zero, zero, zero};
    simd_vec3 more = minus(drift, carried);
    for (int k = 1; k < 3; k++) slip[k] = dot(out->axes[k], more);
    for (int m = 0; m < 14; m++) {
        const simd_double *j = out->jacobian[m];
        simd_double give = m < 12 ? point[m / 3][3] : element[m - 12][7];
        simd_double moved = m < 12 ? point[m / 3][4 + m % 3] : element[m - 12][6], g0 = give * j[0], g1 = give * j[1];
        answer[0] += g0 * j[0];
        answer[1] += g0 * j[1];
        answer[2] += g0 * j[2];
        answer[3] += g1 * j[1];
        answer[4] += g1 * j[2];
        answer[5] += give * j[2] * j[2];
        for (int k = 1; k < 3; k++) slip[k] += j[k] * moved;
    }
    out->answer[0] = answer[0], out->answer[1] = answer[3], out->answer[2] = answer[5];
    out->across[0] = answer[1], out->across[1] = answer[2];
    out->offset[0] = field[0][5] - field[0][7], out->offset[1] = slip[1], out->offset[2] = slip[2];
    if (bounces) bounce(maker, batch, first, out);
    for (int k = 0; k < 3; k++) out->force[k] = is_there * dot(out->axes[k], force);
    out->force[0] = simd_max(out->force[0], zero);
    // Into the disk that friction allows.
    simd_double size2 = out->force[1] * out->force[1] + out->force[2] * out->force[2];
    simd_double most = out->friction * out->force[0];
    simd_double scale = most / simd_sqrt(simd_max(size2, simd_broadcast(tiny)));
    scale = simd_select(size2 <= most * most, one, scale);
    for (int k = 1; k < 3; k++) out->force[k] *= scale;
    turn_tangents(out, answer[4]);
}

static void fill(const cdg_row_maker *maker, cdg_sweep_batch *batch) {
    bool pushes = false, rubs = false;
    for (int first = 0; first < CDG_BATCH; first += SIMD_LANES) {
        if (batch->row[first] == UINT32_MAX) break; // what follows is empty, and was cleared
        lanes l;
        make(maker, batch, first, &l);
        for (int m = 0; m < 14; m++)
            for (int k = 0; k < 3; k++)
                write_float(&batch->column[m / 2][k][m % 2][first], l.root[m < 12 ? m / 3 : m - 8] * l.jacobian[m][k]);
        for (int k = 0; k < 3; k++) {
            simd_mask is_some = l.answer[k] > 0;
            simd_double inverse = 1 / simd_select(is_some, l.answer[k], simd_broadcast(1));
            write_float(&batch->answer[k][first], l.answer[k]);
            write_float(&batch->inverse[k][first], simd_keep(is_some, inverse));
            write(&batch->offset[k][first], l.offset[k]);
            write(&batch->force[k][first], l.force[k]);
        }
        for (int k = 0; k < 2; k++) write_float(&batch->across[k][first], l.across[k]);
        write(&batch->friction[first], l.friction);
        for (size_t i = 0; i < SIMD_LANES; i++) {
            size_t lane = (size_t)first + i;
            if (batch->row[lane] == UINT32_MAX) continue;
            batch->tolerance[lane] = (float)(maker->tolerance_share * simd_get(&l.radius, i));
            pushes = pushes || simd_get(&l.force[0], i) > 0;
            rubs = rubs || simd_get(&l.friction, i) > 0;
        }
    }
    batch->pushes = pushes;
    batch->rubs = rubs;
}

static bool has_force(const cdg_sweep_batch *batch, int first) {
    for (int lane = first; lane < first + SIMD_LANES; lane++)
        if (batch->force[0][lane] != 0 || batch->force[1][lane] != 0 || batch->force[2][lane] != 0) return true;
    return false;
}

static void give_back(const cdg_row_maker *maker, const cdg_sweep_batch *batch) {
    const cdg_pieces *p = maker->pieces;
    int32_t still = (int32_t)p->element_count;
    for (int first = 0; first < CDG_BATCH; first += SIMD_LANES) {
        if (!has_force(batch, first)) continue;
        lanes l;
        make(maker, batch, first, &l);
        simd_double f[3], act[14];
        for (int k = 0; k < 3; k++) f[k] = read(&batch->force[k][first]);
        for (int m = 0; m < 14; m++)
            act[m] = l.jacobian[m][0] * f[0] + l.jacobian[m][1] * f[1] + l.jacobian[m][2] * f[2];
        for (size_t i = 0; i < SIMD_LANES; i++) {
            size_t lane = (size_t)first + i;
            if (batch->row[lane] == UINT32_MAX) continue;
            for (int k = 0; k < 4; k++) {
                if (batch->point[k][lane] == 4 * CDG_STILL_POINT) continue; // which threads share
                cdg_vec3 *force = &p->force[batch->point[k][lane] / 4];
                force->x += simd_get(&act[3 * k], i);
                force->y += simd_get(&act[3 * k + 1], i);
                force->z += simd_get(&act[3 * k + 2], i);
            }
            for (int k = 0; k < 2; k++)
                if (batch->element[k][lane] != still) p->torque[batch->element[k][lane]] += simd_get(&act[12 + k], i);
        }
    }
}

static void read_back(const cdg_row_maker *maker, const cdg_sweep_batch *batch) {
    const cdg_pieces *p = maker->pieces;
    for (int first = 0; first < CDG_BATCH; first += SIMD_LANES) {
        if (!has_force(batch, first)) {
            for (int lane = first; lane < first + SIMD_LANES; lane++) {
                if (batch->row[lane] == UINT32_MAX) continue;
                cdg_contact *contact = &maker->contacts[batch->row[lane]];
                contact->sticks = false;
                contact->force = contact->left = (cdg_vec3){0, 0, 0};
            }
            continue;
        }
        lanes l;
        make(maker, batch, first, &l);
        simd_double f[3], u[3] = {l.offset[0], l.offset[1], l.offset[2]};
        for (int k = 0; k < 3; k++) f[k] = read(&batch->force[k][first]);
        for (int m = 0; m < 14; m++) {
            simd_double move;
            for (size_t i = 0; i < SIMD_LANES; i++) {
                size_t lane = (size_t)first + i;
                const cdg_vec3 *point = m < 12 ? &p->move[batch->point[m / 3][lane] / 4] : NULL;
                simd_lanes(&move)[i] = m >= 12      ? p->more_turn[batch->element[m - 12][lane]]
                                       : m % 3 == 0 ? point->x
                                       : m % 3 == 1 ? point->y
                                                    : point->z;
            }
            for (int k = 1; k < 3; k++) u[k] += l.jacobian[m][k] * move;
        }
        simd_vec3 force = plus(plus(times(f[0], l.axes[0]), times(f[1], l.axes[1])), times(f[2], l.axes[2]));
        simd_vec3 left = plus(times(u[1], l.axes[1]), times(u[2], l.axes[2]));
        simd_double most = l.friction * f[0] * (1 - 1e-9), size2 = f[1] * f[1] + f[2] * f[2];
        for (size_t i = 0; i < SIMD_LANES; i++) {
            uint32_t row = batch->row[(size_t)first + i];
            if (row == UINT32_MAX) continue;
            cdg_contact *contact = &maker->contacts[row];
            double limit = simd_get(&most, i);
            contact->force = (cdg_vec3){simd_get(&force.x, i), simd_get(&force.y, i), simd_get(&force.z, i)};
            contact->sticks = simd_get(&f[0], i) > 0 && simd_get(&size2, i) < limit * limit;
            contact->left = (cdg_vec3){0, 0, 0};
            if (contact->sticks)
                contact->left = (cdg_vec3){simd_get(&left.x, i), simd_get(&left.y, i), simd_get(&left.z, i)};
        }
    }
}

extern const cdg_row_kernels JOIN(cdg_row_kernels, CDG_SIMD_SUFFIX);
const cdg_row_kernels JOIN(cdg_row_kernels, CDG_SIMD_SUFFIX) = {fill, give_back, read_back};
