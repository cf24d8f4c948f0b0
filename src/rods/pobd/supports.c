// Supports of a pobd rod: sections that are held become springs over half cells, and what the supports exert follows
// from the balance at the held nodes and from those springs.
#include "rods/pobd/parts.h"

cdg_quat pobd_damped_rest_turn(const cdg_rod *rod, cdg_quat rest, cdg_vec3 now, double bend_share, double twist_share) {
    double scale = pobd_scale(rod, rest.w);
    cdg_vec3 v0 = vec3_scale(scale, quat_imaginary(rest));
    // (v0 + b v_hat)/(1 + b) with share = b/(1 + b)
    cdg_vec3 mixed = vec3(v0.x + bend_share * (now.x - v0.x), v0.y + bend_share * (now.y - v0.y),
                          v0.z + twist_share * (now.z - v0.z));
    mixed = vec3_scale(1 / scale, mixed);
    return quat(rest.w, mixed.x, mixed.y, mixed.z);
}

// The frame that a hold prescribed one step ago, for the damping of the half cell; without one, as it is now.
static cdg_quat hold_frame_before(const cdg_rod *rod, const cdg_hold *hold) {
    const cdg_hold *before = rod_hold_before(rod, hold);
    return before != NULL && before->frame_hold != CDG_HOLD_NO_FRAME ? before->frame : hold->frame;
}

size_t pobd_set_anchors(const cdg_rod *rod, double step, size_t bend_stride, double *const bend_stiffness[3],
                        pobd_anchor *anchors) {
    // First-order in time at these few half cells, since the history of a prescribed frame is not kept.
    double bend = rod->damping_time[2] / step, twist = rod->damping_time[3] / step;
    size_t count = 0;
    for (size_t h = 0; h < rod->hold_count; h++) {
        const cdg_hold *hold = &rod->holds[h];
        if (hold->frame_hold == CDG_HOLD_NO_FRAME) continue;
        size_t node = hold->node, left = rod_left_element(rod, node), right = rod_right_element(rod, node);
        bool is_interior = left != SIZE_MAX && right != SIZE_MAX, is_roll = hold->frame_hold == CDG_HOLD_ROLL;
        size_t at = node * rod->section_stride;
        for (int side = -1; side <= 1; side += 2) {
            size_t element = side < 0 ? left : right;
            if (element == SIZE_MAX) continue;
            double length = rod->rest_length[element] / 2, bend_scale = is_roll ? 0 : 4 / length * (1 + bend);
            cdg_quat rest = rod_half_cell_rest(rod, node, element);
            if (bend > 0 || twist > 0) {
                cdg_quat before = hold_frame_before(rod, hold), q = rod_quat(rod->q, element);
                cdg_vec3 turn = side > 0 ? pobd_half_turn(rod, before, q, rest) : pobd_half_turn(rod, q, before, rest);
                rest = pobd_damped_rest_turn(rod, rest, turn, bend / (1 + bend), twist / (1 + twist));
            }
            anchors[count++] = (pobd_anchor){
                .node = node,
                .frame = hold->frame,
                .stiffness = {bend_scale * rod->bend_stiffness[0][at], bend_scale * rod->bend_stiffness[1][at],
                              4 / length * (1 + twist) * rod->bend_stiffness[2][at]},
                .rest_half = rest,
                .side = side,
            };
        }
        if (is_interior && bend_stride != 0)
            for (int k = is_roll ? 2 : 0; k < 3; k++) bend_stiffness[k][node] = 0; // replaced by the two half cells
    }
    return count;
}

// ---- reactions ------------------------------------------------------------------------------------------------------

// Torque of a half-cell spring on the element at its right end (material frame): -J^T m with J = (w I + [v]x)/2 and
// m = K (v - v0); on the element at its left end with J = (-w I + [v]x)/2. Other measures scale v by f(w): d(f v) = f
// dv + f' v dw, with dw = -v.theta/2 on the right (+ on the left). Where there are multipliers, m is theirs.
static cdg_vec3 spring_torque(const pobd_problem *p, size_t number, cdg_quat from, cdg_quat to, bool on_right) {
    const pobd_anchor *anchor = &p->anchors[number];
    cdg_quat turn = quat_relative(from, to), rest = anchor->rest_half;
    if (quat_dot(turn, rest) < 0) turn = quat_negate(turn);
    cdg_vec3 v = quat_imaginary(turn), v0 = quat_imaginary(rest);
    double w = turn.w;
    double f = 1, f0 = 1, slope = 0;
    if (p->is_tangent) f = 1 / w, f0 = 1 / rest.w, slope = -1 / (w * w);
    if (p->is_angle) f = pobd_angle_scale(w), f0 = pobd_angle_scale(rest.w), slope = pobd_angle_slope(w);
    const pobd_multipliers *by = &p->multipliers;
    cdg_vec3 strain = by->solve != NULL ? by->turn(by->solve, number, on_right) : vec3_scale(f, v);
    cdg_vec3 c = vec3_sub(strain, vec3_scale(f0, v0));
    cdg_vec3 m = vec3(anchor->stiffness[0] * c.x, anchor->stiffness[1] * c.y, anchor->stiffness[2] * c.z);
    cdg_vec3 on_v = vec3_scale(f, m);
    double on_w = slope * vec3_dot(v, m);
    double sign = on_right ? 1 : -1;
    cdg_vec3 gradient = vec3_sub(vec3_scale(sign * w / 2, on_v), vec3_scale(0.5, vec3_cross(v, on_v)));
    gradient = vec3_mad(gradient, -sign * on_w / 2, v);
    return vec3_scale(-1, gradient);
}

// What a node's motion takes beyond its loads.
static cdg_vec3 beyond_loads(const cdg_rod *rod, pobd_scheme s, const cdg_rod_loads *loads, size_t node) {
    cdg_vec3 v_hat = pobd_hat_vec3(s, rod->v, rod->v_before, node), velocity = rod_vec3(rod->v_next, node);
    cdg_vec3 acceleration = vec3_scale(1 / s.h, vec3_sub(velocity, v_hat));
    cdg_vec3 inertia = vec3_scale(rod->node_mass[node], vec3_mad(acceleration, rod->drag_rate, velocity));
    return vec3_sub(inertia, rod_load_force(rod, loads, node));
}

cdg_vec3 pobd_missing_force(const cdg_rod *rod, const pobd_problem *p, pobd_scheme s, const cdg_rod_loads *loads,
                            size_t node) {
    cdg_vec3 missing = beyond_loads(rod, s, loads, node);
    for (int side = 0; side < 2; side++) {
        size_t element = side == 0 ? rod_left_element(rod, node) : rod_right_element(rod, node);
        if (element == SIZE_MAX) continue;
        const pobd_multipliers *by = &p->multipliers;
        cdg_vec3 strain =
            by->solve != NULL ? by->stretch(by->solve, element) : pobd_strain(rod->x_next, rod->q_next, rod, element);
        if (p->rest_strain[0] != NULL)
            strain = vec3_sub(strain,
                              vec3(p->rest_strain[0][element], p->rest_strain[1][element], p->rest_strain[2][element]));
        size_t at = element * p->stretch_stride;
        cdg_vec3 stress = vec3(p->stretch_stiffness[0][at] * strain.x, p->stretch_stiffness[1][at] * strain.y,
                               p->stretch_stiffness[2][at] * strain.z);
        cdg_vec3 force = quat_rotate(rod_quat(rod->q_next, element), stress);
        missing = vec3_mad(missing, side == 0 ? 1 : -1, force);
    }
    if (p->attachment_pull != NULL) missing = vec3_add(missing, p->attachment_pull[node]);
    return missing;
}

// Multipliers act in frames that turn between sweeps, so that forces by them are a little off. What the only support
// that holds a position of a rod with attachments gives is known exactly: all the momentum that loads do not.
static bool is_alone(const cdg_rod *rod, const pobd_problem *p) {
    size_t count = 0;
    for (size_t h = 0; h < rod->hold_count; h++) count += rod->holds[h].holds_position || rod->holds[h].slides;
    return p->attachment_reach != NULL && !p->is_joined && count == 1;
}

static cdg_vec3 missing_momentum(const cdg_rod *rod, pobd_scheme s, const cdg_rod_loads *loads) {
    cdg_vec3 sum = vec3(0, 0, 0);
    for (size_t i = 0; i < rod->node_count; i++) sum = vec3_add(sum, beyond_loads(rod, s, loads, i));
    return sum;
}

void pobd_set_reactions(cdg_rod *rod, const pobd_problem *p, pobd_scheme s, const cdg_rod_loads *loads) {
    for (size_t h = 0; h < rod->hold_count; h++) {
        cdg_hold *hold = &rod->holds[h];
        size_t node = hold->node, left = rod_left_element(rod, node), right = rod_right_element(rod, node);
        hold->force = hold->moment = vec3(0, 0, 0);
        if (hold->holds_position)
            hold->force =
                is_alone(rod, p) ? missing_momentum(rod, s, loads) : pobd_missing_force(rod, p, s, loads, node);
        for (size_t a = 0; a < p->anchor_count; a++) {
            const pobd_anchor *anchor = &p->anchors[a];
            if (anchor->node != node || hold->frame_hold == CDG_HOLD_NO_FRAME) continue;
            if (right != SIZE_MAX && anchor->side >= 0) {
                cdg_quat q = rod_quat(rod->q_next, right);
                hold->moment = vec3_add(hold->moment, quat_rotate(q, spring_torque(p, a, anchor->frame, q, true)));
            }
            if (left != SIZE_MAX && anchor->side <= 0) {
                cdg_quat q = rod_quat(rod->q_next, left);
                hold->moment = vec3_add(hold->moment, quat_rotate(q, spring_torque(p, a, q, anchor->frame, false)));
            }
        }
    }
}
