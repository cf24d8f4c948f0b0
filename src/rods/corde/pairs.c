// Orientation elements of corde outside the chain: the seam of a closed rod, and the half cells on either side of a
// held section. A support of the roll alone holds only their twist; bending then still goes through the whole cell.
#include "rods/corde/corde.h"

#include "math/quat.h"

size_t corde_pairs_capacity(const cdg_rod *rod) { return 1 + 3 * rod->hold_capacity; }

static const cdg_hold *hold_before(const cdg_rod *rod, size_t node) {
    for (size_t h = 0; h < rod->hold_before_count; h++)
        if (rod->holds_before[h].node == node && rod->holds_before[h].frame_hold != CDG_HOLD_NO_FRAME)
            return &rod->holds_before[h];
    return NULL;
}

static corde_vec stiffness_over(const cdg_rod *rod, size_t node, double length, bool bends, bool twists) {
    size_t at = node * rod->section_stride;
    double bend = bends ? 1 / length : 0, twist = twists ? 1 / length : 0;
    return (corde_vec){bend * rod->bend_stiffness[0][at], bend * rod->bend_stiffness[1][at],
                       twist * rod->bend_stiffness[2][at]};
}

static corde_pair whole_cell(const cdg_rod *rod, size_t node, bool twists) {
    return (corde_pair){.left = rod_left_element(rod, node),
                        .right = rod_right_element(rod, node),
                        .hold = SIZE_MAX,
                        .rest = corde_turn_from(rod_quat(rod->rest_turn, node)),
                        .stiffness = stiffness_over(rod, node, rod_cell_length(rod, node), true, twists)};
}

void corde_pairs_collect(const cdg_rod *rod, double step, double done, corde_pairs *out) {
    out->count = out->replaced_count = 0;
    bool is_seam_held = false;
    for (size_t h = 0; h < rod->hold_count; h++) {
        const cdg_hold *hold = &rod->holds[h];
        if (hold->frame_hold == CDG_HOLD_NO_FRAME) continue;
        size_t node = hold->node, left = rod_left_element(rod, node), right = rod_right_element(rod, node);
        bool is_roll = hold->frame_hold == CDG_HOLD_ROLL;
        if (left != SIZE_MAX && right != SIZE_MAX) {
            if (rod->is_closed && node == 0)
                is_seam_held = true; // the chain has no cell there
            else
                out->replaced[out->replaced_count++] = node;
            if (is_roll) out->items[out->count++] = whole_cell(rod, node, false);
        }
        // The section's frame when the elements' frames are what they are; its spin is that of the step.
        const cdg_hold *before = hold_before(rod, node);
        cdg_quat now = before != NULL ? before->frame : hold->frame;
        cdg_vec3 turn = quat_log(quat_relative(now, hold->frame));
        if (done > 0) now = quat_multiply(now, quat_exp(vec3_scale(done, turn)));
        corde_vec spin = corde_vec_from(vec3_scale(1 / step, turn));
        for (int side = 0; side < 2; side++) {
            size_t element = side == 0 ? left : right;
            if (element == SIZE_MAX) continue;
            out->items[out->count++] = (corde_pair){
                .left = side == 0 ? element : SIZE_MAX,
                .right = side == 0 ? SIZE_MAX : element,
                .hold = h,
                .held = now,
                .held_spin = spin,
                .rest = corde_turn_from(rod_half_cell_rest(rod, node, element)),
                .stiffness = stiffness_over(rod, node, rod->rest_length[element] / 2, !is_roll, true),
            };
        }
    }
    if (rod->is_closed && !is_seam_held) out->items[out->count++] = whole_cell(rod, 0, true);
}

static bool is_within(size_t element, size_t begin, size_t end) { return element >= begin && element < end; }

static void add(double *const a[3], size_t i, corde_vec v) {
    a[0][i] += v.x;
    a[1][i] += v.y;
    a[2][i] += v.z;
}

void corde_pairs_apply(cdg_rod *rod, const corde_pairs *pairs, const corde_state *at, double weight, size_t begin,
                       size_t end, const corde_work *work) {
    for (size_t r = 0; r < pairs->replaced_count; r++) {
        size_t node = pairs->replaced[r];
        for (int k = 0; k < 3; k++) {
            if (is_within(node - 1, begin, end)) work->far[k][node - 1] = 0;
            if (is_within(node, begin, end)) work->near[k][node] = 0;
        }
    }
    for (size_t i = 0; i < pairs->count; i++) {
        const corde_pair *pair = &pairs->items[i];
        bool has_left = pair->left != SIZE_MAX, has_right = pair->right != SIZE_MAX;
        bool adds_left = is_within(pair->left, begin, end), adds_right = is_within(pair->right, begin, end);
        if (!adds_left && !adds_right) continue;
        cdg_quat left = has_left ? rod_quat(at->q, pair->left) : pair->held;
        cdg_quat right = has_right ? rod_quat(at->q, pair->right) : pair->held;
        corde_turn p = corde_relative(corde_turn_from(left), corde_turn_from(right));
        corde_rest rest = corde_rest_of(pair->rest);
        corde_vec b = pair->stiffness, m = corde_bend(p, rest);
        m = (corde_vec){2 * b.x * m.x, 2 * b.y * m.y, 2 * b.z * m.z};
        corde_torques t = corde_torques_of(p, rest, m);
        if (adds_left) add(work->far, pair->left, t.left);
        if (adds_right) add(work->near, pair->right, t.right);
        if (pair->hold == SIZE_MAX || weight == 0) continue;
        cdg_hold *hold = &rod->holds[pair->hold];
        cdg_vec3 moment = has_left ? quat_rotate(left, corde_vec3(t.left)) : quat_rotate(right, corde_vec3(t.right));
        hold->moment = vec3_mad(hold->moment, weight, moment);
    }
}
