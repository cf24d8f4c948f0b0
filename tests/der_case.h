// Random der rods for tests, and their energy in long double, written from the definitions of Bergou et al. 2008 with
// vectors (curvature binormal, parallel transport) and not from the model's quaternions.
#ifndef CDG_TESTS_DER_CASE_H
#define CDG_TESTS_DER_CASE_H

#include "model_case.h"
#include "rods/der/der.h"

enum { CASE_SIZE = 4 * (CASE_ELEMENTS + 1) };

typedef model_case der_case;

static inline cdg_rod_def case_def(bool is_closed, cdg_der_curvature curvature, cdg_vec3 *points, cdg_random *random) {
    cdg_rod_def def = model_case_def(CDG_MODEL_DER, is_closed, points, random);
    def.der.curvature = curvature;
    return def;
}

static inline void case_step(der_case *c, double step) {
    case_predict(c, step);
    c->rod->model->commit(c->rod, step);
}

// Pushes nodes and turns frames at random; frames keep to their edges. Signs of quaternions at random, too.
static inline void case_shake(der_case *c, cdg_random *random, double size) {
    cdg_rod *rod = c->rod;
    for (size_t i = 0; i < rod->node_count; i++)
        rod_set_vec3(rod->x, i, vec3_add(rod_vec3(rod->x, i), random_vec3(random, 0.1 * size)));
    for (size_t j = 0; j < rod->element_count; j++) {
        cdg_vec3 e = vec3_sub(rod_vec3(rod->x, rod_next_node(rod, j)), rod_vec3(rod->x, j));
        cdg_quat q = der_transport(rod_quat(rod->q, j), vec3_normalize(e), random_in(random, -size, size));
        rod_set_quat(rod->q, j, random_unit(random) < 0.5 ? q : quat_negate(q));
    }
    cdg_rod_recount_turns(rod);
}

// ---- energy in long double ------------------------------------------------------------------------------------------

typedef long double real;

static inline real long_dot(const real a[3], const real b[3]) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
static inline void long_cross(const real a[3], const real b[3], real out[3]) {
    out[0] = a[1] * b[2] - a[2] * b[1], out[1] = a[2] * b[0] - a[0] * b[2], out[2] = a[0] * b[1] - a[1] * b[0];
}
static inline void long_normalize(real a[3]) {
    real norm = sqrtl(long_dot(a, a));
    for (int k = 0; k < 3; k++) a[k] /= norm;
}
// Turns v the way that takes unit a to unit b with the smallest turn.
static inline void long_carry(const real a[3], const real b[3], real v[3]) {
    real axis[3], once[3], twice[3], c = long_dot(a, b);
    long_cross(a, b, axis);
    long_cross(axis, v, once);
    long_cross(axis, once, twice);
    for (int k = 0; k < 3; k++) v[k] += once[k] + twice[k] / (1 + c);
}

typedef struct long_frame {
    real t[3], d1[3], d2[3];
} long_frame;

static inline long_frame long_frame_of(cdg_quat q) {
    cdg_vec3 t = quat_d3(q), d1 = quat_d1(q);
    long_frame f = {{t.x, t.y, t.z}, {d1.x, d1.y, d1.z}, {0}};
    long_normalize(f.t);
    real along = long_dot(f.t, f.d1);
    for (int k = 0; k < 3; k++) f.d1[k] -= along * f.t[k];
    long_normalize(f.d1);
    long_cross(f.t, f.d1, f.d2);
    return f;
}

static inline void long_turn(long_frame *f, real angle) {
    real c = cosl(angle), s = sinl(angle);
    for (int k = 0; k < 3; k++) {
        real d1 = f->d1[k], d2 = f->d2[k];
        f->d1[k] = c * d1 + s * d2, f->d2[k] = c * d2 - s * d1;
    }
}

static inline real long_spring(const long_frame *a, const long_frame *b, const der_material *m, double near,
                               bool is_angle) {
    real binormal[3], carried[3] = {a->d1[0], a->d1[1], a->d1[2]}, c = long_dot(a->t, b->t);
    long_cross(a->t, b->t, binormal);
    for (int k = 0; k < 3; k++) binormal[k] *= 2 / (1 + c); // eq. 1
    long_carry(a->t, b->t, carried);
    real twist = atan2l(-long_dot(carried, b->d2), long_dot(carried, b->d1)), whole = 2 * 3.14159265358979323846264L;
    twist += whole * roundl((near - twist) / whole);
    real k1 = long_dot(binormal, a->d1), k2 = long_dot(binormal, a->d2), size = sqrtl(k1 * k1 + k2 * k2) / 2;
    if (is_angle && size > 0) k1 *= atanl(size) / size, k2 *= atanl(size) / size;
    real h1 = cosl(twist / 2) * k1 + sinl(twist / 2) * k2, h2 = cosl(twist / 2) * k2 - sinl(twist / 2) * k1;
    real e1 = h1 - m->rest[0], e2 = h2 - m->rest[1], e3 = twist - m->rest[2];
    return (m->bend[0] * e1 * e1 + m->bend[1] * e2 * e2 + m->twist * e3 * e3) / 2;
}

// Elastic energy of the rod's state with nodes moved and angles turned: move[4 i + k], frames carried along.
static inline real long_energy(const cdg_rod *rod, const real move[CASE_SIZE]) {
    long_frame frame[CASE_ELEMENTS];
    bool is_angle = rod->curls_by_angle;
    real sum = 0;
    for (size_t j = 0; j < rod->element_count; j++) {
        size_t next = rod_next_node(rod, j);
        real e[3], from[3];
        frame[j] = long_frame_of(rod_quat(rod->q, j));
        for (int k = 0; k < 3; k++)
            e[k] = (rod->x[k][next] + move[4 * next + (size_t)k]) - (rod->x[k][j] + move[4 * j + (size_t)k]);
        real length = sqrtl(long_dot(e, e)), l = rod->rest_length[j], strain = length / l - 1;
        sum += rod->stretch_stiffness[2][j * rod->section_stride] * strain * strain * l / 2;
        for (int k = 0; k < 3; k++) from[k] = frame[j].t[k], frame[j].t[k] = e[k] / length;
        long_carry(from, frame[j].t, frame[j].d1);
        long_cross(frame[j].t, frame[j].d1, frame[j].d2);
        long_turn(&frame[j], move[4 * j + 3]);
    }
    for (size_t i = 0; i < rod->node_count; i++) {
        size_t left = rod_left_element(rod, i), right = rod_right_element(rod, i);
        const cdg_hold *hold = NULL;
        for (size_t h = 0; h < rod->hold_count; h++)
            if (rod->holds[h].node == i && rod->holds[h].frame_hold != CDG_HOLD_NO_FRAME) hold = &rod->holds[h];
        bool is_roll = hold != NULL && hold->frame_hold == CDG_HOLD_ROLL;
        if (left != SIZE_MAX && right != SIZE_MAX && (hold == NULL || is_roll)) {
            der_material m = der_material_of(rod, i, rod_cell_length(rod, i), rod_vec3(rod->rest_curl, i));
            if (is_roll) m.twist = 0;
            sum += long_spring(&frame[left], &frame[right], &m, rod->twist[i], is_angle);
        }
        if (hold == NULL) continue;
        long_frame held = long_frame_of(hold->frame);
        for (int side = 0; side < 2; side++) {
            size_t j = side == 0 ? left : right;
            if (j == SIZE_MAX) continue;
            double half = rod->rest_length[j] / 2, near = half / rod_cell_length(rod, i) * rod->twist[i];
            der_material m = der_material_of(rod, i, half, der_half_rest(rod, i, j));
            if (is_roll) m.bend[0] = m.bend[1] = 0;
            sum += side == 0 ? long_spring(&frame[j], &held, &m, near, is_angle)
                             : long_spring(&held, &frame[j], &m, near, is_angle);
        }
    }
    return sum;
}

// ---- the model's system, dense --------------------------------------------------------------------------------------

typedef struct dense_system {
    double value, gradient[CASE_SIZE], hessian[CASE_SIZE][CASE_SIZE];
} dense_system;

// Sets the chain up for an equilibrium about the rod's state, with its unknowns there. Its memory is the scratch.
static inline void case_chain(der_case *c, der_chain *chain, der_workspace *work) {
    cdg_rod *rod = c->rod;
    size_t element;
    char *next = der_setup(rod, (der_scheme){0}, &c->loads, c->scratch, chain);
    der_workspace_place(work, (double *)(void *)next, rod->node_count, rod->is_closed);
    for (int k = 0; k < 3; k++) memcpy(rod->x_next[k], rod->x[k], rod->node_count * sizeof(double));
    assert_true(der_chain_start(chain, &element));
    der_chain_settle_tension(chain);
    strip_clear(&work->matrix);
}

static inline void case_dense(const der_chain *chain, const strip *s, dense_system *out) {
    size_t border = chain->is_closed ? 2 : 0;
    for (size_t i = 0; i < border; i++)
        for (size_t k = 0; k < 4; k++) {
            out->gradient[4 * i + k] = -s->border_right[4 * i + k];
            for (size_t l = 0; l < 8; l++) out->hessian[4 * i + k][l] = s->border[4 * i + k][l];
        }
    for (size_t i = 0; i < s->count; i++)
        for (size_t k = 0; k < 4; k++) {
            const double *row = s->rows + STRIP_NODE * i + STRIP_ROW * k;
            size_t a = 4 * (i + border) + k;
            out->gradient[a] = -row[STRIP_RIGHT];
            for (size_t l = 0; l < STRIP_RIGHT; l++) {
                size_t b = 4 * (i + border) + l;
                if (b >= 4 * chain->node_count || (l < 4 && l > k)) continue;
                out->hessian[a][b] = out->hessian[b][a] = row[l];
            }
            for (size_t l = 0; l < 4 * border; l++)
                out->hessian[a][l] = out->hessian[l][a] = s->ring[STRIP_RING_NODE * i + 8 * k + l];
        }
}

#endif
