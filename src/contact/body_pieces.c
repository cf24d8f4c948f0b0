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

static void load_body(cdg_pieces *p, cdg_body_piece *it, size_t index, double step) {
    uint32_t k = point_of(p, index);
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
    for (size_t i = 0; i < p->body_count; i++) load_body(p, &bodies[i], i, step);
}

bool cdg_body_pieces_touch(cdg_pieces *p, cdg_body_piece *bodies, double step) {
    bool is_any = false;
    for (size_t i = 0; i < p->body_count; i++) {
        uint32_t k = point_of(p, i);
        bool has_force = vec3_dot(p->force[k], p->force[k]) > 0 || vec3_dot(p->force[k + 1], p->force[k + 1]) > 0;
        if (bodies[i].is_touched || !has_force || !is_free(&bodies[i])) continue;
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

static cdg_quat turned(const cdg_body_piece *it, cdg_vec3 rho) {
    const double(*l)[3] = it->turning;
    cdg_vec3 turn =
        vec3(l[0][0] * rho.x, l[1][0] * rho.x + l[1][1] * rho.y, l[2][0] * rho.x + l[2][1] * rho.y + l[2][2] * rho.z);
    return quat_normalize(quat_multiply(quat_exp(turn), body_piece_free(it)->q));
}

cdg_pose cdg_body_piece_pose(const cdg_pieces *p, const cdg_body_piece *bodies, size_t index) {
    uint32_t k = point_of(p, index);
    return pose_of(&bodies[index], p->next[k], turned(&bodies[index], p->next[k + 1]));
}

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

void cdg_body_piece_store(const cdg_pieces *p, const cdg_body_piece *bodies, size_t index, double step,
                          cdg_body_now *out) {
    const cdg_body_piece *it = &bodies[index];
    uint32_t k = point_of(p, index);
    const cdg_body_now *free = body_piece_free(it);
    *out = *free;
    bool is_touched = vec3_dot(p->force[k], p->force[k]) > 0 || vec3_dot(p->force[k + 1], p->force[k + 1]) > 0;
    if (!is_free(it) || !is_touched) return;
    out->x = p->next[k];
    out->v = vec3_mad(free->v, step / it->body->mass.mass, p->force[k]);
    out->q = turned(it, p->next[k + 1]);
    out->spin = vec3_mad(free->spin, step, torque_of(it, p->force[k + 1]));
    out->move_rate = out->v;
    out->turn_rate = symmetric3_times(it->body->inverse_inertia, quat_rotate_inverse(out->q, out->spin));
}
