// From a rod's arrays to the system of der/chain.h: inertia, Kelvin-Voigt damping, loads, held sections; and what
// supports exert.
//
// Damping with time tau: stress = S (strain + tau (strain - strain_hat)/h), i.e. stiffness S (1 + b) about the rest
// strain (rest + b strain_hat)/(1 + b), b = tau/h. Strains do not see rigid motions, so those are not damped.
#include "rods/der/der.h"
#include "rods/der/options.h"

#include <math.h>
#include <string.h>

der_scheme der_choose_scheme(const cdg_rod *rod, double step) {
    // After a start, a new state or a change of step there is no usable history: one Euler step costs no order.
    bool is_bdf2 = der_options(rod)->scheme == CDG_DER_BDF2 && rod->has_history && rod->history_step == step;
    return is_bdf2 ? (der_scheme){.step = step, .h = 2 * step / 3, .history = 1.0 / 3}
                   : (der_scheme){.step = step, .h = step};
}

// ---- springs --------------------------------------------------------------------------------------------------------

der_material der_material_of(const cdg_rod *rod, size_t node, double length, cdg_vec3 rest) {
    size_t at = node * rod->section_stride;
    return (der_material){{rod->bend_stiffness[0][at] / length, rod->bend_stiffness[1][at] / length},
                          rod->bend_stiffness[2][at] / length,
                          {rest.x, rest.y, rest.z}};
}

cdg_vec3 der_half_rest(const cdg_rod *rod, size_t node, size_t element) {
    bool is_interior = rod_left_element(rod, node) != SIZE_MAX && rod_right_element(rod, node) != SIZE_MAX;
    cdg_vec3 rest = rod_vec3(rod->rest_curl, node);
    if (!is_interior) return rest; // already that of the half cell
    double share = rod->rest_length[element] / 2 / rod_cell_length(rod, node);
    return der_turn_strain(rod_half_cell_rest(rod, node, element), share * rest.z,
                           der_options(rod)->curvature == CDG_DER_ANGLE);
}

size_t der_list_anchors(const cdg_rod *rod, der_anchor *anchors) {
    size_t count = 0;
    for (size_t h = 0; h < rod->hold_count; h++) {
        const cdg_hold *hold = &rod->holds[h];
        if (hold->frame_hold == CDG_HOLD_NO_FRAME) continue;
        for (int side = 0; side < 2; side++) {
            size_t element = side == 0 ? rod_left_element(rod, hold->node) : rod_right_element(rod, hold->node);
            if (element == SIZE_MAX) continue;
            double length = rod->rest_length[element] / 2;
            der_anchor a = {.node = hold->node, .element = element, .is_left = side == 1, .frame = hold->frame};
            a.material = der_material_of(rod, hold->node, length, der_half_rest(rod, hold->node, element));
            if (hold->frame_hold == CDG_HOLD_ROLL) a.material.bend[0] = a.material.bend[1] = 0;
            a.near = cdg_rod_half_twist(rod, hold->node, element);
            anchors[count++] = a;
        }
    }
    return count;
}

// ---- damping --------------------------------------------------------------------------------------------------------

// strain_hat: now + history (now - before).
static cdg_vec3 extrapolate(cdg_vec3 now, cdg_vec3 before, double history) {
    return vec3_mad(now, history, vec3_sub(now, before));
}

static cdg_vec3 strain_between(const cdg_rod *rod, cdg_quat from, cdg_quat to, double near) {
    return der_turn_strain(quat_relative(from, to), near, der_options(rod)->curvature == CDG_DER_ANGLE);
}

static double mix(double rest, double hat, double b) { return (rest + b * hat) / (1 + b); }

static void damp_anchors(const cdg_rod *rod, der_scheme s, der_anchor *anchors, size_t count) {
    // First order in time at these few half cells, since the history of a prescribed frame is not kept.
    double bend = rod->damping_time[2] / s.step, twist = rod->damping_time[3] / s.step;
    for (size_t k = 0; k < count; k++) {
        der_anchor *a = &anchors[k];
        cdg_quat frame = a->frame, q = rod_quat(rod->q, a->element);
        for (size_t h = 0; h < rod->hold_before_count; h++)
            if (rod->holds_before[h].node == a->node && rod->holds_before[h].frame_hold != CDG_HOLD_NO_FRAME)
                frame = rod->holds_before[h].frame;
        cdg_vec3 hat = a->is_left ? strain_between(rod, frame, q, a->near) : strain_between(rod, q, frame, a->near);
        a->material.rest[0] = mix(a->material.rest[0], hat.x, bend);
        a->material.rest[1] = mix(a->material.rest[1], hat.y, bend);
        a->material.rest[2] = mix(a->material.rest[2], hat.z, twist);
        a->material.bend[0] *= 1 + bend, a->material.bend[1] *= 1 + bend, a->material.twist *= 1 + twist;
    }
}

static void damp_springs(const cdg_rod *rod, der_scheme s, double *const stiffness[3], double *const rest[3]) {
    double b[3] = {rod->damping_time[2] / s.h, rod->damping_time[2] / s.h, rod->damping_time[3] / s.h};
    for (size_t i = 0; i < rod->node_count; i++) {
        size_t left = rod_left_element(rod, i), right = rod_right_element(rod, i);
        if (left == SIZE_MAX || right == SIZE_MAX) continue;
        cdg_vec3 hat = strain_between(rod, rod_quat(rod->q, left), rod_quat(rod->q, right), rod->twist[i]);
        if (s.history != 0)
            hat = extrapolate(
                hat, strain_between(rod, rod_quat(rod->q_before, left), rod_quat(rod->q_before, right), rod->twist[i]),
                s.history);
        double hats[3] = {hat.x, hat.y, hat.z};
        for (int k = 0; k < 3; k++) {
            stiffness[k][i] *= 1 + b[k];
            rest[k][i] = mix(rod->rest_curl[k][i], hats[k], b[k]);
        }
    }
}

size_t der_damped_bytes(const cdg_rod *rod) {
    return 6 * der_bytes(rod->node_count * sizeof(double)) + der_bytes(2 * rod->hold_capacity * sizeof(der_anchor));
}

char *der_damp_chain(const cdg_rod *rod, double step, const der_chain *elastic, char *next, der_chain *out) {
    double *stiffness[3], *rest[3];
    *out = *elastic;
    for (int k = 0; k < 3; k++) {
        out->bend_stiffness[k] = stiffness[k] = der_take(&next, rod->node_count);
        out->bend_rest[k] = rest[k] = der_take(&next, rod->node_count);
        memcpy(stiffness[k], elastic->bend_stiffness[k], rod->node_count * sizeof(double));
        memcpy(rest[k], elastic->bend_rest[k], rod->node_count * sizeof(double));
    }
    der_scheme scheme = {.step = step, .h = step};
    damp_springs(rod, scheme, stiffness, rest);
    der_anchor *anchors = (der_anchor *)(void *)next;
    if (elastic->anchor_count > 0) memcpy(anchors, elastic->anchors, elastic->anchor_count * sizeof *anchors);
    damp_anchors(rod, scheme, anchors, elastic->anchor_count);
    out->anchors = anchors;
    return next + der_bytes(2 * rod->hold_capacity * sizeof *anchors);
}

// B/length of the nodes' cells; 0 where there is no spring.
static void set_springs(const cdg_rod *rod, double *const stiffness[3]) {
    size_t last = rod->node_count - 1, stride = rod->section_stride;
    const double *length = rod->rest_length;
    for (int k = 0; k < 3; k++) {
        const double *bend = rod->bend_stiffness[k];
        if (stride == 0) {
            double twice = 2 * bend[0];
            for (size_t i = 1; i < last; i++) stiffness[k][i] = twice / (length[i - 1] + length[i]);
        } else {
            for (size_t i = 1; i < last; i++) stiffness[k][i] = 2 * bend[i] / (length[i - 1] + length[i]);
        }
        stiffness[k][0] = rod->is_closed ? bend[0] / rod_cell_length(rod, 0) : 0;
        stiffness[k][last] = rod->is_closed ? bend[last * stride] / rod_cell_length(rod, last) : 0;
    }
}

static double stretch_of(const cdg_rod *rod, double *const x[3], size_t j) {
    return vec3_distance(rod_vec3(x, j), rod_vec3(x, rod_next_node(rod, j))) / rod->rest_length[j];
}

static void set_stretching(const cdg_rod *rod, der_scheme s, double *stiffness, double *rest) {
    double b = s.h > 0 ? rod->damping_time[1] / s.h : 0;
    for (size_t j = 0; j < rod->element_count; j++) {
        stiffness[j] = rod->stretch_stiffness[2][j * rod->section_stride] * (1 + b);
        rest[j] = 1;
        if (b == 0) continue;
        double hat = stretch_of(rod, rod->x, j);
        if (s.history != 0) hat += s.history * (hat - stretch_of(rod, rod->x_before, j));
        rest[j] = mix(1, hat, b);
    }
}

// ---- inertia --------------------------------------------------------------------------------------------------------

// Where nodes and angles would fly freely. Drag of rate d makes the weight m (1 + d h)/h^2 about
// x_hat + h v_hat/(1 + d h).
static void set_inertia(const cdg_rod *rod, der_scheme s, double *weight, double *const target[3], double *turn_weight,
                        double *turn_target) {
    double drag = 1 + rod->drag_rate * s.h, inverse = 1 / (s.h * s.h);
    for (size_t i = 0; i < rod->node_count; i++) {
        weight[i] = rod->node_mass[i] * drag * inverse;
        for (int k = 0; k < 3; k++) {
            double x = rod->x[k][i], v = rod->v[k][i];
            if (s.history != 0) {
                x += s.history * (x - rod->x_before[k][i]);
                v += s.history * (v - rod->v_before[k][i]);
            }
            target[k][i] = x + s.h * v / drag;
        }
    }
    for (size_t j = 0; j < rod->element_count; j++) {
        size_t at = j * rod->section_stride;
        if (der_is_quasistatic(rod)) { // next to nothing, so that a rod that nothing keeps from turning has one answer
            turn_weight[j] = 1e-9 * rod->bend_stiffness[2][at] / rod->rest_length[j];
            turn_target[j] = 0;
            continue;
        }
        double turned = 0, spin = rod->w[2][j];
        if (s.history != 0) {
            cdg_quat before = rod_quat(rod->q_before, j);
            turned = s.history * strain_between(rod, before, rod_quat(rod->q, j), s.step * spin).z;
            spin += s.history * (spin - rod->w_before[2][j]);
        }
        turn_weight[j] = rod->rest_length[j] * rod->frame_inertia[2][at] * drag * inverse;
        turn_target[j] = turned + s.h * spin / drag;
    }
}

static bool has_torque(const cdg_rod *rod, const cdg_rod_loads *loads) {
    for (int k = 0; k < 3; k++)
        for (size_t j = 0; j < rod->element_count; j++)
            if (loads->torque[k][j] != 0) return true;
    return false;
}

// ---- all together ---------------------------------------------------------------------------------------------------

size_t der_setup_bytes(const cdg_rod *rod) {
    size_t node = der_bytes(rod->node_count * sizeof(double)), element = der_bytes(rod->element_count * sizeof(double));
    return (4 + 3 + 3) * node + (2 + 1 + 10 + 3) * element + der_bytes(2 * rod->hold_capacity * sizeof(der_anchor));
}

char *der_setup(const cdg_rod *rod, der_scheme s, const cdg_rod_loads *loads, char *next, der_chain *out) {
    size_t nodes = rod->node_count, elements = rod->element_count;
    double *weight = der_take(&next, nodes), *target[3], *stiffness[3], *rest[3];
    for (int k = 0; k < 3; k++) target[k] = der_take(&next, nodes);
    for (int k = 0; k < 3; k++) stiffness[k] = der_take(&next, nodes);
    for (int k = 0; k < 3; k++) rest[k] = der_take(&next, nodes);
    double *turn_weight = der_take(&next, elements), *turn_target = der_take(&next, elements);
    double *theta = der_take(&next, elements), *stretch = der_take(&next, elements);
    double *stretch_rest = der_take(&next, elements);
    bool is_dynamic = s.h > 0, is_damped = is_dynamic && der_is_damped(rod);
    *out = (der_chain){.node_count = nodes,
                       .element_count = elements,
                       .is_closed = rod->is_closed,
                       .is_angle = der_options(rod)->curvature == CDG_DER_ANGLE,
                       .theta = theta,
                       .twist = rod->twist_next,
                       .tension = der_take(&next, elements),
                       .twist_base = rod->twist,
                       .rest_length = rod->rest_length,
                       .stretch_stiffness = stretch,
                       .stretch_rest = stretch_rest,
                       .weight = weight,
                       .turn_weight = turn_weight,
                       .turn_target = turn_target};
    for (int k = 0; k < 3; k++) {
        out->x[k] = rod->x_next[k];
        out->d1[k] = der_take(&next, elements);
        out->d2[k] = der_take(&next, elements);
        out->t[k] = der_take(&next, elements);
        out->target[k] = target[k];
        out->force[k] = loads->force[k];
        out->bend_stiffness[k] = stiffness[k];
        out->bend_rest[k] = is_damped ? rest[k] : rod->rest_curl[k];
    }
    if (has_torque(rod, loads))
        for (int k = 0; k < 3; k++) out->torque[k] = loads->torque[k];
    out->inverse_length = der_take(&next, elements);
    for (int k = 0; k < 4; k++) out->q[k] = rod->q_next[k], out->q_base[k] = rod->q[k];
    der_anchor *anchors = (der_anchor *)(void *)next;
    next += der_bytes(2 * rod->hold_capacity * sizeof *anchors);

    if (is_dynamic) {
        set_inertia(rod, s, weight, target, turn_weight, turn_target);
    } else if (!s.is_explicit) {
        for (size_t i = 0; i < nodes; i++) weight[i] = s.pull * rod->node_mass[i];
        for (size_t j = 0; j < elements; j++) {
            double length = rod->rest_length[j], mass = rod->line_mass[j * rod->section_stride] * length;
            turn_weight[j] = s.pull * mass * length * length; // the rotary inertia of a thin rod would leave it loose
            turn_target[j] = 0;
        }
        for (int k = 0; k < 3; k++)
            for (size_t i = 0; i < nodes; i++) target[k][i] = rod->x[k][i];
    }
    set_stretching(rod, s, stretch, stretch_rest);
    set_springs(rod, stiffness);
    memcpy(rod->twist_next, rod->twist, nodes * sizeof(double)); // ends without a spring keep what they have
    if (is_damped) damp_springs(rod, s, stiffness, rest);
    for (size_t h = 0; h < rod->hold_count; h++) {
        const cdg_hold *hold = &rod->holds[h];
        if (hold->holds_position) weight[hold->node] = INFINITY;
        if (hold->frame_hold == CDG_HOLD_NO_FRAME) continue; // else replaced by the two half cells
        for (int k = hold->frame_hold == CDG_HOLD_ROLL ? 2 : 0; k < 3; k++) stiffness[k][hold->node] = 0;
    }
    out->anchor_count = der_list_anchors(rod, anchors);
    if (is_damped) damp_anchors(rod, s, anchors, out->anchor_count);
    out->anchors = anchors;
    return next;
}

// ---- reactions ------------------------------------------------------------------------------------------------------

// Force in an edge with the pull of torques across it (der/chain.c) taken off.
static cdg_vec3 edge_force(const der_chain *c, size_t j) {
    double turn;
    cdg_vec3 force = der_chain_edge_force(c, j, &turn);
    if (c->torque[0] == NULL) return force;
    cdg_vec3 pull =
        vec3_sub(vec3_scale(c->torque[1][j], rod_vec3(c->d1, j)), vec3_scale(c->torque[0][j], rod_vec3(c->d2, j)));
    return vec3_mad(force, -c->inverse_length[j], pull);
}

cdg_vec3 der_missing_force(const cdg_rod *rod, const der_chain *c, der_scheme s, const cdg_rod_loads *loads,
                           size_t node) {
    size_t left = rod_left_element(rod, node), right = rod_right_element(rod, node);
    cdg_vec3 force = vec3_scale(-1, rod_vec3(loads->force, node));
    if (s.h > 0) {
        cdg_vec3 v = rod_vec3(rod->v_next, node), hat = rod_vec3(rod->v, node);
        if (s.history != 0) hat = extrapolate(hat, rod_vec3(rod->v_before, node), s.history);
        cdg_vec3 rate = vec3_mad(vec3_scale(1 / s.h, vec3_sub(v, hat)), rod->drag_rate, v);
        force = vec3_mad(force, rod->node_mass[node], rate);
    }
    if (left != SIZE_MAX) force = vec3_add(force, edge_force(c, left));
    if (right != SIZE_MAX) force = vec3_sub(force, edge_force(c, right));
    return force;
}

void der_set_reactions(cdg_rod *rod, const der_chain *c, der_scheme s, const cdg_rod_loads *loads) {
    for (size_t h = 0; h < rod->hold_count; h++) {
        cdg_hold *hold = &rod->holds[h];
        size_t node = hold->node;
        hold->force = hold->moment = vec3(0, 0, 0);
        for (size_t a = 0; a < c->anchor_count; a++)
            if (c->anchors[a].node == node)
                hold->moment = vec3_add(hold->moment, der_chain_anchor_moment(c, &c->anchors[a]));
        if (hold->holds_position) hold->force = der_missing_force(rod, c, s, loads, node);
    }
}
