// The galpha model keeps all fields at nodes, the library has frames in the middles of elements: this
// file turns one into the other and computes the rest shape between nodes.
#include "rods/galpha/options.h"
#include "rods/galpha/parts.h"

static cdg_quat nearest(cdg_quat turn, cdg_vec3 near) {
    return quat_dot(turn, quat_exp(near)) < 0 ? quat_negate(turn) : turn;
}

cdg_vec3 galpha_turn(cdg_quat from, cdg_quat to, cdg_vec3 near) {
    cdg_quat turn = nearest(quat_relative(from, to), near);
    cdg_vec3 u = quat_imaginary(turn);
    double sine = vec3_norm(u);
    return vec3_scale(sine > 1e-8 ? 2 * atan2(sine, turn.w) / sine : 2 / turn.w, u);
}

cdg_quat galpha_middle(cdg_quat from, cdg_quat to, cdg_vec3 near) {
    cdg_quat turn = nearest(quat_relative(from, to), near);
    turn.w += 1; // half of (cos, sin n) is along (1 + cos, sin n)
    return quat_multiply(from, quat_normalize(turn));
}

// ---- rest shape -----------------------------------------------------------------------------------------------------

void galpha_set_rest(cdg_rod *rod) {
    galpha_rest *rest = (galpha_rest *)(void *)rod->own_constant;
    size_t last = rod->node_count - 1;
    for (size_t i = 0; i < rod->node_count; i++) {
        rest[i].darboux = vec3_scale(1 / rod_cell_length(rod, i), quat_log(rod_quat(rod->rest_turn, i)));
        size_t left = rod_left_element(rod, i), right = rod_right_element(rod, i);
        double total = 0, inertia[3] = {0};
        for (int side = 0; side < 2; side++) {
            size_t element = side == 0 ? left : right;
            if (element == SIZE_MAX) continue;
            total += rod->rest_length[element];
            for (int k = 0; k < 3; k++)
                inertia[k] += rod->rest_length[element] * rod->frame_inertia[k][element * rod->section_stride];
        }
        rest[i].inertia = vec3(inertia[0] / total, inertia[1] / total, inertia[2] / total);
        rest[i].turn = vec3(0, 0, 0);
        rest[i].offset = quat_identity();
        if (i == last) continue;
        // from the node to the element's middle and on to the next node
        cdg_quat before = rod_half_cell_rest(rod, i, i), after = rod_half_cell_rest(rod, i + 1, i);
        rest[i].turn = vec3_add(quat_log(before), quat_log(after));
        rest[i].turn = galpha_turn(quat_identity(), quat_multiply(before, after), rest[i].turn);
        rest[i].offset = quat_multiply(quat_exp(vec3_scale(-0.5, rest[i].turn)), before);
    }
}

cdg_vec3 galpha_moment_of(const cdg_rod *rod, size_t node, cdg_vec3 darboux) {
    cdg_vec3 strain = vec3_sub(darboux, galpha_rest_of(rod)[node].darboux);
    size_t at = node * rod->section_stride;
    return vec3(rod->bend_stiffness[0][at] * strain.x, rod->bend_stiffness[1][at] * strain.y,
                rod->bend_stiffness[2][at] * strain.z);
}

cdg_vec3 galpha_darboux_of(const cdg_rod *rod, size_t node, cdg_vec3 moment) {
    size_t at = node * rod->section_stride;
    double k[3], m[3] = {moment.x, moment.y, moment.z};
    for (int i = 0; i < 3; i++) { // without stiffness there is no moment
        double stiffness = rod->bend_stiffness[i][at];
        k[i] = stiffness > 0 ? m[i] / stiffness : 0;
    }
    return vec3_add(galpha_rest_of(rod)[node].darboux, vec3(k[0], k[1], k[2]));
}

// ---- from the staggered grid to nodes -------------------------------------------------------------------------------

// Between the frames of the elements beside it; at an end, turned back by the half cell's share of the turn beside it.
// A first guess.
static cdg_quat node_frame(const cdg_rod *rod, size_t node) {
    size_t last = rod->node_count - 1;
    if (node > 0 && node < last) {
        cdg_quat from = rod_quat(rod->q, node - 1), turn = quat_relative(from, rod_quat(rod->q, node));
        return quat_multiply(from, quat_power(turn, rod->rest_length[node - 1] / 2 / rod_cell_length(rod, node)));
    }
    size_t end = node == 0 ? 0 : last - 1;
    cdg_quat frame = rod_quat(rod->q, end);
    if (rod->element_count == 1)
        return quat_multiply(frame, quat_power(rod_quat(rod->rest_turn, node), node == 0 ? -1 : 1));
    size_t inner = node == 0 ? 1 : last - 1;
    double share = rod_cell_length(rod, node) / rod_cell_length(rod, inner);
    cdg_quat turn = quat_relative(rod_quat(rod->q, inner - 1), rod_quat(rod->q, inner));
    return quat_multiply(frame, quat_power(turn, node == 0 ? -share : share));
}

static cdg_vec3 mean_beside(const cdg_rod *rod, size_t node, cdg_vec3 (*value)(const cdg_rod *, size_t)) {
    cdg_vec3 sum = vec3(0, 0, 0);
    double count = 0;
    if (node > 0) sum = vec3_add(sum, value(rod, node - 1)), count++;
    if (node < rod->element_count) sum = vec3_add(sum, value(rod, node)), count++;
    return vec3_scale(1 / count, sum);
}

static cdg_vec3 spin_of_element(const cdg_rod *rod, size_t element) { // fixed axes
    return quat_rotate(rod_quat(rod->q, element), rod_vec3(rod->w, element));
}

static cdg_quat element_frame(const galpha_rest *rest, const galpha_node *a) {
    return quat_multiply(galpha_middle(a[0].frame, a[1].frame, rest->turn), rest->offset);
}

cdg_quat galpha_own_frame(const cdg_rod *rod, size_t element) {
    return element_frame(&galpha_rest_of(rod)[element], &galpha_nodes_of(rod->own)[element]);
}

// As they are given, but an element that cannot stretch has its length and lies along its frame.
static void set_positions(const cdg_rod *rod, galpha_node *nodes) {
    for (size_t i = 0; i < rod->node_count; i++) nodes[i].position = rod_vec3(rod->x, i);
    for (size_t j = 0; j < rod->element_count && !galpha_options(rod)->is_extensible; j++) {
        cdg_vec3 edge = vec3_scale(rod->rest_length[j], quat_d3(element_frame(&galpha_rest_of(rod)[j], &nodes[j])));
        nodes[j + 1].position = vec3_add(nodes[j].position, edge);
    }
}

void galpha_read_arrays(const cdg_rod *rod, galpha_node *nodes) {
    const galpha_rest *rest = galpha_rest_of(rod);
    for (size_t i = 0; i < rod->node_count; i++) nodes[i] = (galpha_node){.frame = node_frame(rod, i)};
    galpha_fit_frames(rod, nodes);
    for (size_t i = 0; i < rod->node_count; i++) {
        cdg_vec3 velocity = rod_vec3(rod->v, i), spin = mean_beside(rod, i, spin_of_element);
        nodes[i].velocity = quat_rotate_inverse(nodes[i].frame, velocity);
        nodes[i].spin = quat_rotate_inverse(nodes[i].frame, spin);
        nodes[i].position_rate = velocity;
        nodes[i].frame_rate = nodes[i].spin;
    }
    set_positions(rod, nodes);
    for (size_t i = 0; i < rod->node_count; i++) { // curvature: mean of the elements beside
        cdg_vec3 strain = vec3(0, 0, 0);
        double count = 0;
        for (size_t j = i > 0 ? i - 1 : 0; j <= i && j < rod->element_count; j++, count++) {
            cdg_vec3 turn = galpha_turn(nodes[j].frame, nodes[j + 1].frame, rest[j].turn);
            strain = vec3_mad(strain, 1 / rod->rest_length[j], vec3_sub(turn, rest[j].turn));
        }
        nodes[i].darboux = vec3_mad(rest[i].darboux, 1 / count, strain);
    }
}

// ---- and back -------------------------------------------------------------------------------------------------------

void galpha_write_arrays(const cdg_rod *rod, const galpha_node *nodes, double *const x[3], double *const v[3],
                         double *const q[4], double *const w[3]) {
    const galpha_rest *rest = galpha_rest_of(rod);
    for (size_t i = 0; i < rod->node_count; i++) {
        rod_set_vec3(x, i, nodes[i].position);
        rod_set_vec3(v, i, quat_rotate(nodes[i].frame, nodes[i].velocity));
    }
    for (size_t j = 0; j < rod->element_count; j++) {
        cdg_quat frame = quat_normalize(element_frame(&rest[j], &nodes[j]));
        cdg_vec3 spin =
            vec3_add(quat_rotate(nodes[j].frame, nodes[j].spin), quat_rotate(nodes[j + 1].frame, nodes[j + 1].spin));
        rod_set_quat(q, j, frame);
        rod_set_vec3(w, j, quat_rotate_inverse(frame, vec3_scale(0.5, spin)));
    }
}
