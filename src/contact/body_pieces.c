// Rigid bodies as contact sees them: from bodies to two points each, and back.
#include "contact/body_pieces.h"

#include <math.h>
#include <string.h>

static uint32_t point_of(const cdg_pieces *p, size_t index) { return p->first_body_point + 2 * (uint32_t)index; }

static bool is_free(const cdg_body_piece *body) { return !body->body->def.is_fixed; }

// ---- loading --------------------------------------------------------------------------------------------------------

// root(m) L with L L^T = the inverse inertia in world axes (Cholesky).
static void find_turning(cdg_body_piece *it) {
    symmetric3 a = symmetric3_inverse(cdg_body_world_inertia(it->body, body_piece_free(it)->q));
    double(*l)[3] = it->turning, root = sqrt(it->body->mass.mass);
    memset(it->turning, 0, sizeof it->turning);
    l[0][0] = sqrt(a.xx);
    l[1][0] = a.xy / l[0][0], l[2][0] = a.xz / l[0][0];
    l[1][1] = sqrt(a.yy - l[1][0] * l[1][0]);
    l[2][1] = (a.yz - l[2][0] * l[1][0]) / l[1][1];
    l[2][2] = sqrt(a.zz - l[2][0] * l[2][0] - l[2][1] * l[2][1]);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k <= i; k++) l[i][k] *= root;
}

// A body that is welded gives way as its response says: with its factor S, S S^T = response, both points' moves make
// S times them of the pose.
static bool find_response(cdg_body_piece *it, double *give) {
    double s[6][6] = {{0}};
    *give = (it->response[0][0] + it->response[1][1] + it->response[2][2]) / 3;
    for (int i = 0; i < 6; i++)
        for (int k = 0; k <= i; k++) {
            double sum = it->response[i][k];
            for (int m = 0; m < k; m++) sum -= s[i][m] * s[k][m];
            if (i == k && !(sum > 0)) return false;
            s[i][k] = i == k ? sqrt(sum) : sum / s[k][k];
        }
    double root = sqrt(*give);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) {
            it->moving[i][k] = s[i][k] / root;
            it->swaying[i][k] = s[3 + i][k] / root;
            it->turning[i][k] = s[3 + i][3 + k] / root;
        }
    return true;
}

// What a force and a torque about the centre are to the two points.
static void share_out(const cdg_body_piece *it, cdg_vec3 force, cdg_vec3 t, cdg_vec3 out[2]) {
    const double(*s)[3] = it->swaying, (*l)[3] = it->turning;
    cdg_vec3 sway = {s[0][0] * t.x + s[1][0] * t.y + s[2][0] * t.z, s[0][1] * t.x + s[1][1] * t.y + s[2][1] * t.z,
                     s[0][2] * t.x + s[1][2] * t.y + s[2][2] * t.z};
    out[0] = vec3_add(body_piece_move(it, vec3(0, 0, 0), force), sway);
    out[1] = vec3(l[0][0] * t.x + l[1][0] * t.y + l[2][0] * t.z, l[1][1] * t.y + l[2][1] * t.z, l[2][2] * t.z);
}

static void load_welded(cdg_pieces *p, cdg_body_piece *it, size_t index) {
    uint32_t k = point_of(p, index);
    double give = 0;
    bool is_known = it->has_response && find_response(it, &give);
    cdg_vec3 forces[2] = {{0, 0, 0}, {0, 0, 0}};
    if (is_known) share_out(it, it->force, it->torque, forces);
    p->free[k] = it->free.x, p->free[k + 1] = vec3(0, 0, 0);
    p->base[k] = it->free.x;
    for (uint32_t n = k; n < k + 2; n++) {
        p->held[n] = !is_known;
        p->give[n] = is_known ? give : 0;
        p->force[n] = p->loaded[n] = forces[n - k];
        p->start[n] = p->next[n] = p->free[n];
    }
}

static void load_body(cdg_pieces *p, cdg_body_piece *it, size_t index, double step) {
    uint32_t k = point_of(p, index);
    p->loaded[k] = p->loaded[k + 1] = vec3(0, 0, 0);
    double give = is_free(it) ? step * step / it->body->mass.mass : 0;
    const cdg_body_now *free = body_piece_free(it);
    memset(it->turning, 0, sizeof it->turning);
    if (is_free(it)) find_turning(it);
    p->free[k] = free->x, p->free[k + 1] = vec3(0, 0, 0);
    p->base[k] = vec3_mad(free->x, -step, free->v);
    for (uint32_t n = k; n < k + 2; n++) {
        p->held[n] = !is_free(it);
        p->give[n] = give;
        p->start[n] = p->next[n] = vec3_mad(p->free[n], give, p->force[n]);
    }
}

void cdg_body_pieces_load(cdg_pieces *p, cdg_body_piece *bodies, double step) {
    for (size_t i = 0; i < p->body_count; i++) {
        if (bodies[i].is_welded && is_free(&bodies[i]))
            load_welded(p, &bodies[i], i);
        else
            load_body(p, &bodies[i], i, step);
    }
}

bool cdg_body_pieces_touch(cdg_pieces *p, cdg_body_piece *bodies, double step) {
    bool is_any = false;
    for (size_t i = 0; i < p->body_count; i++) {
        uint32_t k = point_of(p, i);
        bool has_force = vec3_dot(p->force[k], p->force[k]) > 0 || vec3_dot(p->force[k + 1], p->force[k + 1]) > 0;
        if (bodies[i].is_touched || bodies[i].is_welded || !has_force || !is_free(&bodies[i])) continue;
        bodies[i].is_touched = is_any = true;
        load_body(p, &bodies[i], i, step);
    }
    return is_any;
}

bool cdg_body_piece_passes(const cdg_body_piece *body, uint32_t rod) {
    for (size_t i = 0; i < body->pass_count; i++)
        if (body->passes[i] == rod) return true;
    return false;
}

// ---- poses ----------------------------------------------------------------------------------------------------------

static cdg_pose pose_of(const cdg_body_piece *it, cdg_vec3 x, cdg_quat q) {
    return (cdg_pose){vec3_sub(x, quat_rotate(q, it->body->mass.center)), q};
}

cdg_pose cdg_body_piece_start(const cdg_body_piece *it) { return pose_of(it, it->body->now.x, it->body->now.q); }

static cdg_quat turned(const cdg_body_piece *it, cdg_vec3 move, cdg_vec3 rho) {
    const double(*l)[3] = it->turning;
    cdg_vec3 turn =
        vec3(l[0][0] * rho.x, l[1][0] * rho.x + l[1][1] * rho.y, l[2][0] * rho.x + l[2][1] * rho.y + l[2][2] * rho.z);
    if (it->is_welded) {
        const double(*s)[3] = it->swaying;
        turn = vec3_add(turn, vec3(s[0][0] * move.x + s[0][1] * move.y + s[0][2] * move.z,
                                   s[1][0] * move.x + s[1][1] * move.y + s[1][2] * move.z,
                                   s[2][0] * move.x + s[2][1] * move.y + s[2][2] * move.z));
    }
    return quat_normalize(quat_multiply(quat_exp(turn), body_piece_free(it)->q));
}

static cdg_vec3 center_of(const cdg_pieces *p, const cdg_body_piece *it, uint32_t k) {
    if (!it->is_welded) return p->next[k];
    cdg_vec3 d = vec3_sub(p->next[k], p->free[k]);
    const double(*m)[3] = it->moving;
    return vec3_add(p->free[k],
                    vec3(m[0][0] * d.x + m[0][1] * d.y + m[0][2] * d.z, m[1][0] * d.x + m[1][1] * d.y + m[1][2] * d.z,
                         m[2][0] * d.x + m[2][1] * d.y + m[2][2] * d.z));
}

cdg_pose cdg_body_piece_pose(const cdg_pieces *p, const cdg_body_piece *bodies, size_t index) {
    uint32_t k = point_of(p, index);
    const cdg_body_piece *it = &bodies[index];
    return pose_of(it, center_of(p, it, k), turned(it, vec3_sub(p->next[k], p->free[k]), p->next[k + 1]));
}

cdg_pose cdg_body_piece_predicted(const cdg_body_piece *it) { return pose_of(it, it->free.x, it->free.q); }

cdg_vec3 cdg_body_piece_velocity(const cdg_body_piece *it, cdg_vec3 point) {
    const cdg_body_now *now = &it->body->now;
    cdg_vec3 turning = cdg_body_angular_velocity(it->body, now->q, now->spin);
    return vec3_add(now->v, vec3_cross(turning, vec3_sub(point, now->x)));
}

// ---- storing --------------------------------------------------------------------------------------------------------

// The torque of which root(m) L^T torque is the force on the second point.
static cdg_vec3 torque_of(const cdg_body_piece *it, cdg_vec3 force) {
    const double(*l)[3] = it->turning;
    double z = force.z / l[2][2], y = (force.y - l[2][1] * z) / l[1][1];
    return vec3((force.x - l[1][0] * y - l[2][0] * z) / l[0][0], y, z);
}

// The force of which the first point gets `force` beside what the torque gives it.
static cdg_vec3 force_of(const cdg_body_piece *it, cdg_vec3 force, cdg_vec3 t) {
    const double(*m)[3] = it->moving, (*s)[3] = it->swaying;
    double x[3] = {force.x, force.y, force.z};
    for (int k = 0; k < 3; k++) x[k] -= s[0][k] * t.x + s[1][k] * t.y + s[2][k] * t.z;
    double z = x[2] / m[2][2], y = (x[1] - m[2][1] * z) / m[1][1];
    return vec3((x[0] - m[1][0] * y - m[2][0] * z) / m[0][0], y, z);
}

static bool is_same(cdg_vec3 a, cdg_vec3 b) { return a.x == b.x && a.y == b.y && a.z == b.z; }

bool cdg_body_pieces_change(const cdg_pieces *p, cdg_body_piece *bodies) {
    bool is_any = false;
    for (size_t i = 0; i < p->body_count; i++) {
        cdg_body_piece *it = &bodies[i];
        uint32_t k = point_of(p, i);
        if (!it->is_welded || !it->has_response || !(p->give[k] > 0)) continue;
        if (is_same(p->force[k], p->loaded[k]) && is_same(p->force[k + 1], p->loaded[k + 1])) continue;
        it->torque = torque_of(it, p->force[k + 1]);
        it->force = force_of(it, p->force[k], it->torque);
        is_any = true;
    }
    return is_any;
}

void cdg_body_piece_store(const cdg_pieces *p, const cdg_body_piece *bodies, size_t index, double step,
                          cdg_body_now *out) {
    const cdg_body_piece *it = &bodies[index];
    uint32_t k = point_of(p, index);
    const cdg_body_now *free = body_piece_free(it);
    *out = *free;
    bool is_touched = vec3_dot(p->force[k], p->force[k]) > 0 || vec3_dot(p->force[k + 1], p->force[k + 1]) > 0;
    if (!is_free(it) || it->is_welded || !is_touched) return;
    out->x = p->next[k];
    out->v = vec3_mad(free->v, step / it->body->mass.mass, p->force[k]);
    out->q = turned(it, vec3(0, 0, 0), p->next[k + 1]);
    out->spin = vec3_mad(free->spin, step, torque_of(it, p->force[k + 1]));
    out->move_rate = out->v;
    out->turn_rate = symmetric3_times(it->body->inverse_inertia, quat_rotate_inverse(out->q, out->spin));
}
