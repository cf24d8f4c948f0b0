// Gauss-Seidel over the constraints of a rod (Kugelstadt and Schömer 2016, sections 4, 6 and 7), with compliance as in
// XPBD: multipliers start at zero, the guess is the inertial target, and each projection moves nodes and frames by W
// J^T of its multiplier.
//
// Order. The paper's bilateral interleaving (fig. 4) takes even constraints on the way up and odd ones on the way
// down. Constraints of one parity do not touch each other, so the order within a parity does not matter and many can
// be done at once. An iteration is: anchors, bends of even nodes, bends of odd nodes, stretches of even elements,
// stretches of odd elements, attachments. Stretch comes last because lengths are what the eye sees first; measured
// on cantilevers, bending first or last and alternating single constraints converge alike.
//
// Layout. Lane l of a vector holds a run of K consecutive elements, K even: element l K + k is lane l of slot k.
// Slots of one parity are independent, every access is aligned, and only the seam from slot K - 1 to the next lane's
// slot 0 needs a shift of lanes. Slot -1 holds the left neighbours of slot 0 (frames), slot K the right nodes of
// slot K - 1. Lanes are filled up with elements that nothing is attached to. A closed rod's last element has node 0
// as right node: its entry n holds a copy of node 0 while odd stretches are done.
//
// Long rods do a whole iteration in one sweep, with the four passes following each other at a distance at which what
// they do in one step is independent: the result is that of four passes, the data is read once, and divisions
// overlap.
#include "math/quat.h"
#include "rods/pobd/gauss_seidel.h"
#include "rods/pobd/sweep_simd.h"

#include <assert.h>
#include <string.h>

// Differences in length or weight below this are rounding, and the rod is still uniform.
static const double uniform_tolerance = 1e-12;

enum { FEW_SLOTS = 20 }; // with fewer, a rod stays in the nearest cache whatever is kept for it

typedef struct lane_slot {
    size_t slot, lane;
} lane_slot;

typedef struct solve {
    const pobd_problem *problem;
    chain chain;         // slots -1 .. K with K = chain.slot_count
    simd_vec3 *before;   // K + 1, nodes before the last iteration
    double *anchor_left; // 3 for each anchor: mu of its left half cell; that of the right one is in the node's entry
    bool is_uniform;
    double weight_unit;               // inverse weights of nodes times this are in the slots
    lane_slot last_element, end_node; // of element n - 1 and of entry n
    void (*run)(const struct solve *s);
    // Held ends of an open uniform rod, in vectors: a frame that is written alone into its lane would keep the sweep,
    // which reads whole vectors, waiting. Else anchors are visited one by one.
    bool has_cells;
    half_cell ends[2];
} solve;

// ---- layout ---------------------------------------------------------------------------------------------------------

static size_t slots_needed(size_t element_count, bool is_closed) {
    assert(element_count > 0);
    size_t slot_count = (element_count + 2 * SIMD_LANES - 1) / (2 * SIMD_LANES) * 2;
    // The first and the last element of a loop of odd length have the same parity; they must not be in the same
    // vector.
    if (is_closed)
        while ((element_count - 1) % slot_count == 0 && element_count > 1) slot_count += 2;
    return slot_count;
}

// Of a rod that may also come to have fewer elements: a loop of 17 needs more slots than one of 23. In eight lanes or
// fewer no loop takes more than three turns to part its first and last element.
static size_t slots_at_most(size_t element_count) { return slots_needed(element_count, false) + 6; }

size_t SIMD_NAME(pobd_gauss_seidel_scratch_size)(size_t element_count, bool is_uniform, bool has_spare,
                                                 size_t anchor_count) {
    size_t most = slots_at_most(element_count);
    size_t bytes = (most + 2) * sizeof(slot) + (most + 1) * sizeof(node_weights) +
                   (has_spare ? 0 : (most + 1) * sizeof(simd_vec3));
    bytes += (is_uniform ? 1 : most) * sizeof(section);
    bytes += anchor_count * 3 * sizeof(double) + most;
    bytes += (most < FEW_SLOTS ? most : FEW_SLOTS) * sizeof(stretch_gains);
    return bytes + 8 * 64; // each block starts at a cache line, the first one too if the scratch does not
}

static void *take(char **next, size_t bytes) {
    void *block = *next;
    *next += (bytes + 63) / 64 * 64;
    return block;
}

static bool is_near(double a, double b) { return fabs(a - b) <= uniform_tolerance * fabs(a); }

// Whether all entries are the same but for rounding.
static bool is_constant(const double *array, size_t count) {
    double slack = uniform_tolerance * fabs(array[0]);
    simd_double low = simd_broadcast(array[0] - slack), high = simd_broadcast(array[0] + slack), value;
    simd_mask differs = {0};
    size_t i = 0;
    for (; i + SIMD_LANES <= count; i += SIMD_LANES) {
        memcpy(&value, array + i, sizeof value);
        differs |= (value < low) | (value > high);
    }
    int64_t any = 0;
    for (int lane = 0; lane < SIMD_LANES; lane++) any |= differs[lane];
    for (; i < count; i++) any |= !is_near(array[0], array[i]);
    return any == 0;
}

static bool has_bend(const pobd_problem *p, size_t node) {
    if (!p->is_closed && (node == 0 || node >= p->element_count)) return false;
    size_t at = node * p->bend_stride;
    return p->bend_stiffness[0][at] > 0 || p->bend_stiffness[1][at] > 0 || p->bend_stiffness[2][at] > 0;
}

// One section for all: equal lengths, weights and stiffness, apart from nodes without bending.
static bool is_uniform_rod(const pobd_problem *p) {
    if (p->stretch_stride != 0 || p->is_tangent || p->is_paper || !(p->frame_weight[0][0] < HUGE_VAL)) return false;
    if (!p->has_equal_elements && !(is_constant(p->rest_length, p->element_count) &&
                                    (p->has_one_frame_weight || is_constant(p->frame_weight[0], p->element_count))))
        return false;
    if (p->bend_stride == 0) return true;
    size_t first = 0;
    while (first < p->node_count && !has_bend(p, first)) first++;
    for (size_t i = first; i < p->node_count; i++)
        for (int k = 0; k < 3; k++)
            if (has_bend(p, i) && !is_near(p->bend_stiffness[k][first], p->bend_stiffness[k][i])) return false;
    return true;
}

static double frame_inverse_weight(const pobd_problem *p, size_t element) {
    double weight = p->frame_weight[0][p->has_one_frame_weight ? 0 : element];
    return (p->is_paper ? 4 : 1) / weight; // the paper's is of the four components of q
}

static size_t left_element(const pobd_problem *p, size_t node) { return node > 0 ? node - 1 : p->element_count - 1; }

// ---- seams ----------------------------------------------------------------------------------------------------------

// Of an element and its left node. Node W K is in the last lane of slot K.
static lane_slot lane_slot_of(const solve *s, size_t index) {
    size_t lane = index / s->chain.slot_count;
    if (lane == SIMD_LANES) return (lane_slot){s->chain.slot_count, SIMD_LANES - 1};
    return (lane_slot){index % s->chain.slot_count, lane};
}

static cdg_quat frame_at(const solve *s, lane_slot at) {
    const simd_quat *q = &s->chain.slots[at.slot].q;
    return quat(simd_get(&q->w, at.lane), simd_get(&q->x, at.lane), simd_get(&q->y, at.lane), simd_get(&q->z, at.lane));
}

static void set_frame(const solve *s, lane_slot at, cdg_quat frame) {
    simd_quat *q = &s->chain.slots[at.slot].q;
    simd_lanes(&q->w)[at.lane] = frame.w, simd_lanes(&q->x)[at.lane] = frame.x;
    simd_lanes(&q->y)[at.lane] = frame.y, simd_lanes(&q->z)[at.lane] = frame.z;
}

static cdg_vec3 node_at(const solve *s, lane_slot at) {
    const simd_vec3 *x = &s->chain.slots[at.slot].x;
    return vec3(simd_get(&x->x, at.lane), simd_get(&x->y, at.lane), simd_get(&x->z, at.lane));
}

static void set_node(const solve *s, lane_slot at, cdg_vec3 node) {
    set_lane(&s->chain.slots[at.slot].x, at.lane, (double[3]){node.x, node.y, node.z});
}

// Slot -1 gets the frames to the left of slot 0, and gives them back.
SIMD_INLINE void fetch_left_frames(const solve *s) {
    simd_quat *to = &(s->chain.slots - 1)->q, *last = &s->chain.slots[s->chain.slot_count - 1].q;
    cdg_quat end = frame_at(s, s->last_element);
    *to = (simd_quat){simd_shift_up(last->w, end.w), simd_shift_up(last->x, end.x), simd_shift_up(last->y, end.y),
                      simd_shift_up(last->z, end.z)};
}

SIMD_INLINE void return_left_frames(const solve *s) {
    simd_quat *from = &(s->chain.slots - 1)->q, *last = &s->chain.slots[s->chain.slot_count - 1].q;
    int end = SIMD_LANES - 1;
    *last = (simd_quat){simd_shift_down(from->w, last->w[end]), simd_shift_down(from->x, last->x[end]),
                        simd_shift_down(from->y, last->y[end]), simd_shift_down(from->z, last->z[end])};
    if (s->problem->is_closed) set_frame(s, s->last_element, quat(from->w[0], from->x[0], from->y[0], from->z[0]));
}

// Slot K gets the nodes to the right of slot K - 1, and gives them back; so does entry n of a closed rod with node 0.
SIMD_INLINE void fetch_right_nodes(const solve *s) {
    simd_vec3 *first = &s->chain.slots[0].x, *to = &s->chain.slots[s->chain.slot_count].x;
    int end = SIMD_LANES - 1;
    if (s->problem->is_closed) set_node(s, s->end_node, node_at(s, (lane_slot){0, 0}));
    *to = (simd_vec3){simd_shift_down(first->x, to->x[end]), simd_shift_down(first->y, to->y[end]),
                      simd_shift_down(first->z, to->z[end])};
}

SIMD_INLINE void return_right_nodes(const solve *s) {
    simd_vec3 *first = &s->chain.slots[0].x, *from = &s->chain.slots[s->chain.slot_count].x;
    *first = (simd_vec3){simd_shift_up(from->x, first->x[0]), simd_shift_up(from->y, first->y[0]),
                         simd_shift_up(from->z, first->z[0])};
    if (s->problem->is_closed) set_node(s, (lane_slot){0, 0}, node_at(s, s->end_node));
}

// ---- from the problem to vectors ------------------------------------------------------------------------------------

SIMD_INLINE simd_vec3 gather_vec3(const double *const array[3], const size_t index[SIMD_LANES]) {
    return (simd_vec3){simd_gather(array[0], index), simd_gather(array[1], index), simd_gather(array[2], index)};
}

SIMD_INLINE simd_quat gather_quat(const double *const array[4], const size_t index[SIMD_LANES]) {
    return (simd_quat){simd_gather(array[0], index), simd_gather(array[1], index), simd_gather(array[2], index),
                       simd_gather(array[3], index)};
}

static void fill_section(const pobd_problem *p, section *c, const size_t element[SIMD_LANES], uint32_t off_bits) {
    double share = p->is_tangent ? 0.25 : 0.5;
    for (size_t lane = 0; lane < SIMD_LANES; lane++) {
        size_t j = element[lane]; // and the node to its left
        double length = p->rest_length[j], weight = frame_inverse_weight(p, j);
        double left = frame_inverse_weight(p, left_element(p, j)), stretch[3], bend[3], gain[3];
        for (int k = 0; k < 3; k++) {
            stretch[k] = compliance_of(p->stretch_stiffness[k][j * p->stretch_stride] / length);
            if (p->is_paper) stretch[k] = p->paper_stretch[k];
            bend[k] = compliance_of(p->bend_stiffness[k][j * p->bend_stride] / (p->is_tangent ? 1 : 4));
            if (p->is_paper) bend[k] = least_compliance;
            gain[k] = (off_bits >> lane & 1) != 0 ? 0 : p->is_paper ? p->paper_bend[k] : 1;
            if (!p->is_tangent) gain[k] /= left + weight + bend[k];
        }
        double least = least_compliance; // so that the paper's D, w_0 + w_1 + 4 w_q l^2, is not zero
        simd_lanes(&c->frame_weight)[lane] = p->is_paper ? length * length * weight + least : weight;
        simd_lanes(&c->half_frame)[lane] = p->is_paper ? length * weight / 2 : weight / 2;
        set_lane(&c->stretch_compliance, lane, stretch);
        simd_lanes(&c->length)[lane] = length;
        simd_lanes(&c->fade)[lane] = 25 / (length * length);
        set_lane(&c->bend_gain, lane, gain);
        set_lane(&c->bend_compliance, lane, bend);
        simd_lanes(&c->bend_left)[lane] = share * left;
        simd_lanes(&c->bend_right)[lane] = share * weight;
    }
}

static void fill_uniform_section(const solve *s) {
    const pobd_problem *p = s->problem;
    section *c = s->chain.sections;
    size_t bending = 0;
    while (p->bend_stride != 0 && bending + 1 < p->node_count && !has_bend(p, bending)) bending++;
    double half = frame_inverse_weight(p, 0) / 2;
    c->frame_weight = simd_broadcast(2);
    c->length = simd_broadcast(p->rest_length[0]);
    c->fade = simd_broadcast(25 / (p->rest_length[0] * p->rest_length[0]));
    simd_double *stretch = &c->stretch_compliance.x, *gain = &c->bend_gain.x, *bend = &c->bend_compliance.x;
    for (int k = 0; k < 3; k++) {
        double bend_compliance = compliance_of(half * p->bend_stiffness[k][bending] / 4);
        stretch[k] = simd_broadcast(compliance_of(half * p->stretch_stiffness[k][0] / p->rest_length[0]));
        gain[k] = simd_broadcast(1 / (4 + bend_compliance));
        bend[k] = simd_broadcast(bend_compliance);
    }
}

// Where SIMD_LANES slots from `first` on have their entries in an array of `count`: lane l those from at[l] on.
typedef struct rows {
    size_t first, width; // slots
    size_t at[SIMD_LANES];
    simd_part part[SIMD_LANES];
} rows;

static void find_rows(rows *r, size_t slot_count, size_t first, size_t count) {
    r->first = first;
    r->width = slot_count - first < SIMD_LANES ? slot_count - first : SIMD_LANES;
    for (size_t lane = 0; lane < SIMD_LANES; lane++) {
        size_t at = lane * slot_count + first, left;
        if (at > count) at = count;
        left = count - at;
        r->at[lane] = at;
        r->part[lane] = simd_part_of(left < r->width ? left : r->width);
    }
}

// Entry l K + k of the array, times factor, into lane l of to[k * stride]; `fill` where there is no such entry. Whole
// vectors of neighbouring entries are read and transposed: entries written one by one would keep the vectors that are
// read next waiting.
SIMD_INLINE void spread(const rows *r, const double *from, double fill, double factor, simd_double *to, size_t stride) {
    simd_double row[SIMD_LANES];
    for (size_t lane = 0; lane < SIMD_LANES; lane++)
        row[lane] = simd_load_part(from + r->at[lane], r->part[lane], simd_broadcast(fill));
    simd_transpose(row);
    to += r->first * stride;
    for (size_t i = 0; i < SIMD_LANES; i++) {
        if (i >= r->width) break;
        to[i * stride] = factor * row[i];
    }
}

// The way back.
SIMD_INLINE void collect(const rows *r, const simd_double *from, size_t stride, double *to) {
    simd_double row[SIMD_LANES];
    from += r->first * stride;
    for (size_t i = 0; i < SIMD_LANES; i++) row[i] = from[(i < r->width ? i : 0) * stride];
    simd_transpose(row);
    for (size_t lane = 0; lane < SIMD_LANES; lane++) simd_store_part(to + r->at[lane], r->part[lane], row[lane]);
}

enum { SLOT_STRIDE = sizeof(slot) / sizeof(simd_double), WEIGHT_STRIDE = sizeof(node_weights) / sizeof(simd_double) };

// Copies nodes and frames. Inverse weights come later; left ones hold the weights. Lanes to spare have frames that are
// not turned and nodes that are held.
static void pack_state(const solve *s) {
    const pobd_problem *p = s->problem;
    size_t slot_count = s->chain.slot_count, nodes = p->node_count, elements = p->element_count;
    slot *slots = s->chain.slots;
    simd_double *x = &slots->x.x, *q = &slots->q.w;
    for (size_t first = 0; first < slot_count; first += SIMD_LANES) {
        rows r;
        find_rows(&r, slot_count, first, nodes);
        for (int k = 0; k < 3; k++) spread(&r, p->x[k], 0, 1, x + k, SLOT_STRIDE);
        spread(&r, p->node_weight, HUGE_VAL, 1, &s->chain.weights->left, WEIGHT_STRIDE);
        find_rows(&r, slot_count, first, elements);
        for (int k = 0; k < 4; k++) spread(&r, p->q[k], k == 0, root2, q + k, SLOT_STRIDE);
    }
    slots[slot_count].x = (simd_vec3){{0}, {0}, {0}};
    s->chain.weights[slot_count].left = simd_broadcast(HUGE_VAL);
    if (!p->is_closed && s->end_node.slot < slot_count) return;
    size_t end = p->is_closed ? 0 : nodes - 1; // what entry n holds
    set_node(s, s->end_node, vec3(p->x[0][end], p->x[1][end], p->x[2][end]));
    simd_lanes(&s->chain.weights[s->end_node.slot].left)[s->end_node.lane] = p->node_weight[end];
}

// Weights to inverse weights; each element gets that of its right node. Entry n is no element: it then has none
// itself.
static void pack_weights(const solve *s) {
    size_t slot_count = s->chain.slot_count;
    for (size_t k = 0; k <= slot_count; k++) {
        simd_double weight = s->chain.weights[k].left;
        if (s->problem->is_paper) weight = simd_select(weight < HUGE_VAL, simd_broadcast(1), weight);
        s->chain.weights[k].left = s->weight_unit / weight; // held: 1/inf = 0
    }
    node_weights *ghost = s->chain.weights + slot_count;
    ghost->left = simd_shift_down(s->chain.weights[0].left, ghost->left[SIMD_LANES - 1]);
    for (size_t k = 0; k < slot_count; k++) s->chain.weights[k].right = s->chain.weights[k + 1].left;
    simd_lanes(&s->chain.weights[s->end_node.slot].left)[s->end_node.lane] = 0;
    if (s->end_node.slot < slot_count) simd_lanes(&s->chain.weights[s->end_node.slot].right)[s->end_node.lane] = 0;
}

static void switch_off(const solve *s, size_t node) {
    lane_slot at = lane_slot_of(s, node);
    if (at.slot < s->chain.slot_count) s->chain.off_bits[at.slot] |= (uint8_t)(1u << at.lane);
}

// Which nodes have no bend-twist constraint of their own: ends, nodes without stiffness, anchors. With entry n off,
// those of the entries after it, which hold nothing, touch no frame of the rod.
static void pack_off_bits(const solve *s) {
    const pobd_problem *p = s->problem;
    memset(s->chain.off_bits, 0, s->chain.slot_count);
    if (!p->is_closed) switch_off(s, 0);
    switch_off(s, p->element_count);
    for (size_t i = 0; i < p->element_count && p->bend_stride != 0; i++)
        if (!has_bend(p, i)) switch_off(s, i);
    for (size_t number = 0; number < p->anchor_count; number++) switch_off(s, p->anchors[number].node);
}

// Sets stretch and bend of a slot to minus the rest strain. The sign that makes q and -q the same is that of the
// turn's product with the rest turn as quaternions: it is the nearer of the two also for a pre-curved rod that is
// bent the other way, where eq. 33, which compares imaginary parts only, would pull to the mirrored shape. It is
// chosen once a solve, as multipliers that were built up for one sign mean nothing for the other.
SIMD_INLINE void set_rest(const pobd_problem *p, slot *s, simd_quat l, simd_double length, simd_quat rest) {
    simd_quat r = s->q;
    simd_double scale;
    if (p->is_tangent) {
        simd_double least = simd_select(rest.w < 0, simd_broadcast(-0.01), simd_broadcast(0.01));
        scale = -1 / simd_select(rest.w * rest.w < 1e-4, least, rest.w);
    } else {
        simd_vec3 v = relative_imaginary(l, r);
        simd_double real = l.w * r.w + l.x * r.x + l.y * r.y + l.z * r.z;
        simd_mask is_far = real * rest.w + v.x * rest.x + v.y * rest.y + v.z * rest.z < 0;
        scale = simd_select(is_far, simd_broadcast(2), simd_broadcast(-2));
        if (p->is_angle) scale *= angle_of(2 * rest.w).value;
    }
    s->bend = (simd_vec3){scale * rest.x, scale * rest.y, scale * rest.z};
    s->stretch = (simd_vec3){{0}, {0}, -length};
}

static void pack(const solve *s) {
    const pobd_problem *p = s->problem;
    size_t slot_count = s->chain.slot_count, elements = p->element_count;
    pack_state(s);
    pack_weights(s);
    pack_off_bits(s);
    fetch_left_frames(s);

    // The ends of an open rod have rest turns of their own, which no constraint uses.
    size_t skip = p->is_closed || elements == 1 ? 0 : 1, count = elements - skip, shown = p->has_one_turn ? 0 : skip;
    bool is_plain = s->is_uniform && p->rest_strain[0] == NULL;
    for (int c = 0; c < 4 && !p->has_equal_turns && !p->has_one_turn; c++)
        is_plain = is_plain && is_constant(p->rest_turn[c] + skip, count);
    if (is_plain) {
        simd_double length = simd_broadcast(p->rest_length[0]);
        simd_quat rest = {simd_broadcast(p->rest_turn[0][shown]), simd_broadcast(p->rest_turn[1][shown]),
                          simd_broadcast(p->rest_turn[2][shown]), simd_broadcast(p->rest_turn[3][shown])};
        bool is_straight = !(fabs(rest.x[0]) + fabs(rest.y[0]) + fabs(rest.z[0]) > 0); // whatever the sign
        simd_vec3 zero = {{0}, {0}, {0}}, stretch = {{0}, {0}, -length};
        for (size_t k = 0; k < slot_count && is_straight; k++)
            s->chain.slots[k].bend = zero, s->chain.slots[k].stretch = stretch;
        for (size_t k = 0; k < slot_count && !is_straight; k++)
            set_rest(p, s->chain.slots + k, (s->chain.slots + k - 1)->q, length, rest);
        return;
    }
    for (size_t k = 0; k < slot_count; k++) {
        size_t element[SIMD_LANES];
        for (size_t lane = 0; lane < SIMD_LANES; lane++) {
            size_t at = lane * slot_count + k;
            element[lane] = at < elements ? at : elements - 1;
        }
        slot *to = s->chain.slots + k;
        simd_double length = simd_gather(p->rest_length, element);
        const size_t first[SIMD_LANES] = {0};
        set_rest(p, to, (to - 1)->q, length, gather_quat(p->rest_turn, p->has_one_turn ? first : element));
        if (p->rest_strain[0] != NULL) {
            simd_vec3 rest = gather_vec3(p->rest_strain, element);
            to->stretch = (simd_vec3){-length * rest.x, -length * rest.y, -length * (1 + rest.z)};
        }
        if (!s->is_uniform) fill_section(p, s->chain.sections + k, element, s->chain.off_bits[k]);
    }
}

// ---- constraints one at a time --------------------------------------------------------------------------------------

static cdg_quat unit_frame_at(const solve *s, lane_slot at) {
    cdg_quat q = frame_at(s, at);
    return quat(q.w / root2, q.x / root2, q.y / root2, q.z / root2);
}

// The projections of pobd/projection_simd.h for a frame against one that is prescribed: only one of the two turns.
static void project_anchor(const solve *s, const pobd_anchor *anchor, size_t element, bool is_right, double mu[3]) {
    const pobd_problem *p = s->problem;
    lane_slot at = lane_slot_of(s, element);
    cdg_quat q = unit_frame_at(s, at),
             turn = is_right ? quat_relative(anchor->frame, q) : quat_relative(q, anchor->frame);
    double quarter = frame_inverse_weight(p, element) / 4, sign = is_right ? -1 : 1;
    cdg_vec3 strain = quat_imaginary(turn);
    double steep = 1, share_of_turn = 1, slope = 0;
    if (p->is_angle) { // pobd/projection_simd.h, project_bend_angle
        strain = vec3_scale(pobd_angle_scale(turn.w), strain);
        slope = pobd_angle_slope(turn.w) / pobd_angle_scale(turn.w);
        share_of_turn = (9 + 6 * fmin(fabs(turn.w), 1)) / 15;
    }
    if (p->is_tangent) {
        double real = fabs(turn.w) < 0.01 ? copysign(0.01, turn.w) : turn.w;
        strain = vec3_scale(1 / real, strain);
        steep = 1 + vec3_dot(strain, strain);
    }
    double part[3] = {strain.x, strain.y, strain.z}, y[3];
    for (int k = 0; k < 3; k++) {
        double compliance = p->is_paper ? least_compliance : compliance_of(anchor->stiffness[k]);
        double share = anchor->stiffness[k] > 0 ? p->is_paper ? p->paper_bend[k] : share_of_turn : 0;
        y[k] = share * (part[k] + mu[k]) / (quarter * steep * steep + compliance);
        mu[k] -= compliance * y[k];
    }
    cdg_vec3 push = vec3(y[0], y[1], y[2]);
    cdg_quat other = anchor->frame;
    if (p->is_tangent) {
        push = vec3_add(vec3_mad(push, vec3_dot(strain, push), strain), vec3_scale(sign, vec3_cross(strain, push)));
        other = q;
    }
    double real = -sign * slope * vec3_dot(strain, push); // g v.y, v = strain/f
    if (p->is_angle) push = vec3_scale(pobd_angle_scale(turn.w), push);
    push = vec3_scale(sign * quarter, push);
    cdg_quat change = quat_multiply(other, quat(sign * quarter * real, push.x, push.y, push.z));
    q = quat(q.w + change.w, q.x + change.x, q.y + change.y, q.z + change.z);
    if (p->is_paper) q = quat_normalize(q);
    set_frame(s, at, quat(root2 * q.w, root2 * q.x, root2 * q.y, root2 * q.z));
}

// Minus the rest strain of a half cell.
static void start_anchor(const solve *s, const pobd_anchor *anchor, size_t element, bool is_right, double mu[3]) {
    cdg_quat q = unit_frame_at(s, lane_slot_of(s, element)), rest = anchor->rest_half;
    cdg_quat turn = is_right ? quat_relative(anchor->frame, q) : quat_relative(q, anchor->frame);
    double scale = quat_dot(turn, rest) < 0 ? 1 : -1;
    if (s->problem->is_angle) scale *= pobd_angle_scale(rest.w);
    if (s->problem->is_tangent) scale = -1 / (fabs(rest.w) < 0.01 ? copysign(0.01, rest.w) : rest.w);
    mu[0] = scale * rest.x, mu[1] = scale * rest.y, mu[2] = scale * rest.z;
}

static void visit_anchors(const solve *s, void (*visit)(const solve *s, const pobd_anchor *anchor, size_t element,
                                                        bool is_right, double mu[3])) {
    const pobd_problem *p = s->problem;
    for (size_t number = 0; number < p->anchor_count; number++) {
        const pobd_anchor *anchor = p->anchors + number;
        if (anchor->node < p->element_count && anchor->side >= 0) {
            lane_slot at = lane_slot_of(s, anchor->node);
            simd_vec3 *kept = &s->chain.slots[at.slot].bend;
            double mu[3] = {simd_get(&kept->x, at.lane), simd_get(&kept->y, at.lane), simd_get(&kept->z, at.lane)};
            visit(s, anchor, anchor->node, true, mu);
            set_lane(kept, at.lane, mu);
        }
        if ((anchor->node > 0 || p->is_closed) && anchor->side <= 0)
            visit(s, anchor, left_element(p, anchor->node), false, s->anchor_left + 3 * number);
    }
}

// Long-range attachments (Kim et al. 2012; paper section 6): a node out of reach goes back to the sphere.
static void pull_back(const solve *s) {
    const pobd_problem *p = s->problem;
    for (size_t i = 0; i < p->node_count; i++) {
        double reach = p->attachment_reach[i];
        if (!(reach < HUGE_VAL) || !(p->node_weight[i] < HUGE_VAL)) continue;
        lane_slot at = lane_slot_of(s, i);
        cdg_vec3 root = node_at(s, lane_slot_of(s, p->attachment_node[i])), d = vec3_sub(node_at(s, at), root);
        double distance2 = vec3_dot(d, d);
        if (!(distance2 > reach * reach)) continue;
        double kept = reach / sqrt(distance2);
        set_node(s, at, vec3_mad(root, kept, d));
        if (p->attachment_pull == NULL) continue;
        cdg_vec3 *pull = &p->attachment_pull[p->attachment_node[i]];
        *pull = vec3_mad(*pull, p->node_weight[i] * (kept - 1), d);
    }
}

// ---- the sweep ------------------------------------------------------------------------------------------------------

// Stretches of every second slot from `first` to before `end`.
typedef void stretch_slots(const chain *c, size_t first, size_t end);

// Four passes, for rods so short that they stay in the nearest cache and the ends of a single sweep would weigh.
SIMD_INLINE void sweep_in_passes(const solve *s, stretch_slots *stretches, flavour f) {
    const chain c = s->chain; // which what is stored cannot change, as the compiler would think of the original
    size_t slot_count = c.slot_count;
    for (size_t k = 2; k < slot_count; k += 2) bend_slot(&c, k, f);
    for (size_t k = 1; k < slot_count; k += 2) bend_slot(&c, k, f);
    if (s->problem->is_closed && s->problem->element_count % 2 != 0) { // the last element is even too and shares node 0
        stretches(&s->chain, 0, 1);
        fetch_right_nodes(s);
        stretches(&s->chain, 2, slot_count);
    } else {
        stretches(&s->chain, 0, slot_count);
        fetch_right_nodes(s);
    }
    stretches(&s->chain, 1, slot_count);
}

SIMD_INLINE void step_partly(const solve *s, size_t k, flavour f) {
    if (k >= 10) stretch_slot(&s->chain, k - 9, f);
    if (k >= 6 && k - 6 < s->chain.slot_count) stretch_slot(&s->chain, k - 6, f);
    if (k == 6) fetch_right_nodes(s);
    if (k >= 4 && k - 3 < s->chain.slot_count) bend_slot(&s->chain, k - 3, f);
    if (k < s->chain.slot_count) bend_slot(&s->chain, k, f);
}

SIMD_INLINE void sweep_at_once(const solve *s, flavour f) {
    for (size_t k = 2; k < s->chain.slot_count + 9; k += 2) {
        if (k >= 10 && k < s->chain.slot_count)
            step_fully(&s->chain, k, f);
        else
            step_partly(s, k, f);
    }
}

SIMD_INLINE void sweep(const solve *s, stretch_slots *stretches, flavour f) {
    fetch_left_frames(s);
    bend_slot(&s->chain, 0, f);
    return_left_frames(s);
    if (f.has_gains || f.is_tangent || f.is_paper || (!f.is_uniform && s->chain.slot_count < FEW_SLOTS))
        sweep_in_passes(s, stretches, f);
    else
        sweep_at_once(s, f);
    return_right_nodes(s);
}

#define POBD_SWEEP(name, ...)                                                                                          \
    static __attribute__((noinline)) void name##_stretches(const chain *c, size_t first, size_t end) {                 \
        stretch_pass(c, first, end, (flavour){__VA_ARGS__});                                                           \
    }                                                                                                                  \
    static void name(const solve *s) { sweep(s, name##_stretches, (flavour){__VA_ARGS__}); }
POBD_SWEEP(sweep_uniform, .is_uniform = true)
POBD_SWEEP(sweep_short, .is_uniform = true, .has_gains = true)
POBD_SWEEP(sweep_varying, .is_uniform = false)
POBD_SWEEP(sweep_tangent, .is_tangent = true)
POBD_SWEEP(sweep_uniform_angle, .is_uniform = true, .is_angle = true)
POBD_SWEEP(sweep_short_angle, .is_uniform = true, .has_gains = true, .is_angle = true)
POBD_SWEEP(sweep_varying_angle, .is_uniform = false, .is_angle = true)
POBD_SWEEP(sweep_paper, .is_paper = true)
POBD_SWEEP(sweep_paper_tangent, .is_paper = true, .is_tangent = true)

// ---- back to the problem --------------------------------------------------------------------------------------------

static void keep_nodes(const solve *s) {
    for (size_t k = 0; k <= s->chain.slot_count; k++) s->before[k] = s->chain.slots[k].x;
}

static double largest_move(const solve *s) {
    simd_double largest = {0};
    for (size_t k = 0; k <= s->chain.slot_count; k++) {
        const simd_vec3 *now = &s->chain.slots[k].x, *before = s->before + k;
        simd_double dx = now->x - before->x, dy = now->y - before->y, dz = now->z - before->z;
        simd_double move = dx * dx + dy * dy + dz * dz;
        largest = simd_select(move > largest, move, largest);
    }
    double result = 0;
    for (int lane = 0; lane < SIMD_LANES; lane++) result = largest[lane] > result ? largest[lane] : result;
    return sqrt(result);
}

// With paper stiffness factors say what is left.
static double stretch_left(const solve *s) {
    size_t count[SIMD_LANES], slots = s->chain.slot_count, elements = s->problem->element_count;
    if (s->problem->is_paper) return 0;
    fetch_right_nodes(s);
    for (size_t lane = 0; lane < SIMD_LANES; lane++) {
        size_t before = lane * slots;
        count[lane] = elements < before ? 0 : elements - before < slots ? elements - before : slots;
    }
    simd_double largest = largest_stretch_left(&s->chain, count, s->is_uniform);
    double result = 0;
    for (int lane = 0; lane < SIMD_LANES; lane++) result = largest[lane] > result ? largest[lane] : result;
    return sqrt(result);
}

static void unpack(const solve *s) {
    const pobd_problem *p = s->problem;
    size_t slot_count = s->chain.slot_count;
    for (size_t k = 0; k < slot_count; k++) {
        simd_quat q = s->chain.slots[k].q;
        simd_double norm2 = q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z;
        simd_mask is_lost = norm2 < 1e-200; // as good as zero: any frame will do
        q.w = simd_select(is_lost, simd_broadcast(1), q.w);
        simd_double scale = simd_unit_scale(simd_select(is_lost, simd_broadcast(1), norm2));
        s->chain.slots[k].q = (simd_quat){q.w * scale, q.x * scale, q.y * scale, q.z * scale};
    }
    const simd_double *x = &s->chain.slots->x.x, *q = &s->chain.slots->q.w;
    for (size_t first = 0; first < slot_count; first += SIMD_LANES) {
        rows r;
        find_rows(&r, slot_count, first, p->node_count);
        for (int k = 0; k < 3; k++) collect(&r, x + k, SLOT_STRIDE, p->x[k]);
        find_rows(&r, slot_count, first, p->element_count);
        for (int k = 0; k < 4; k++) collect(&r, q + k, SLOT_STRIDE, p->q[k]);
    }
    if (s->end_node.slot == slot_count && !p->is_closed) {
        rod_set_vec3(p->x, p->element_count, node_at(s, s->end_node));
    }
}

// ---- ends -----------------------------------------------------------------------------------------------------------

static int end_of(const pobd_problem *p, const pobd_anchor *anchor) {
    if (anchor->node == 0 && anchor->side >= 0) return 0;
    return anchor->node == p->element_count && anchor->side <= 0 ? 1 : -1;
}

// Only the lane of the end's element turns.
static void fill_end(const solve *s, half_cell *cell, lane_slot at, const pobd_anchor *anchor) {
    double weight = frame_inverse_weight(s->problem, 0);
    simd_mask only = simd_mask_without(~(1u << at.lane));
    simd_double *gain = &cell->gain.x, *compliance = &cell->compliance.x;
    cdg_quat frame = anchor->frame;
    cell->element = at.slot;
    cell->frame = (simd_quat){simd_broadcast(root2 * frame.w), simd_broadcast(root2 * frame.x),
                              simd_broadcast(root2 * frame.y), simd_broadcast(root2 * frame.z)};
    for (int k = 0; k < 3; k++) {
        double own = compliance_of(anchor->stiffness[k]);
        compliance[k] = simd_broadcast(own);
        gain[k] = simd_keep(only, simd_broadcast(anchor->stiffness[k] > 0 ? 1 / (weight / 4 + own) : 0));
    }
    cell->mu = (simd_vec3){{0}, {0}, {0}};
    cell->push = simd_broadcast((cell->is_start ? -0.25 : 0.25) * weight);
    start_half_cell(s->chain.slots, cell, at.lane, anchor);
}

static void start_ends(solve *s) {
    const pobd_problem *p = s->problem;
    s->has_cells = s->is_uniform && !p->is_closed && p->element_count > 1;
    for (size_t i = 0; i < p->anchor_count && s->has_cells; i++) s->has_cells = end_of(p, &p->anchors[i]) >= 0;
    if (!s->has_cells) {
        visit_anchors(s, start_anchor);
        return;
    }
    const pobd_anchor *anchors[2] = {NULL, NULL};
    for (size_t i = 0; i < p->anchor_count; i++) anchors[end_of(p, &p->anchors[i])] = &p->anchors[i];
    for (int end = 0; end < 2; end++) {
        half_cell *cell = &s->ends[end];
        cell->is_needed = anchors[end] != NULL;
        cell->is_angle = p->is_angle;
        cell->is_start = end == 0;
        if (cell->is_needed) fill_end(s, cell, end == 0 ? (lane_slot){0, 0} : s->last_element, anchors[end]);
    }
}

// ---- a solve in parts -----------------------------------------------------------------------------------------------

static void begin(solve *s, const pobd_problem *problem, void *scratch) {
    char *next = (char *)scratch + (64 - (uintptr_t)scratch % 64) % 64;
    s->problem = problem;
    s->chain.slot_count = slots_needed(problem->element_count, problem->is_closed);
    assert(s->chain.slot_count <= slots_at_most(problem->element_count));
    s->is_uniform = is_uniform_rod(problem);
    s->weight_unit = s->is_uniform ? 2 / frame_inverse_weight(problem, 0) : 1;
    s->chain.slots = (slot *)take(&next, (s->chain.slot_count + 2) * sizeof(slot)) + 1;
    s->chain.weights = take(&next, (s->chain.slot_count + 1) * sizeof(node_weights));
    s->chain.sections = take(&next, (s->is_uniform ? 1 : s->chain.slot_count) * sizeof(section));
    bool has_spare = problem->spare_count >= POBD_SPARE_FOR(problem->element_count);
    s->before = has_spare ? (void *)problem->spare : take(&next, (s->chain.slot_count + 1) * sizeof(simd_vec3));
    s->chain.off_bits = take(&next, s->chain.slot_count);
    bool has_gains = s->is_uniform && s->chain.slot_count < FEW_SLOTS;
    s->chain.gains = has_gains ? take(&next, s->chain.slot_count * sizeof(stretch_gains)) : NULL;
    s->anchor_left = take(&next, problem->anchor_count * 3 * sizeof(double));
    s->last_element = lane_slot_of(s, problem->element_count - 1);
    s->end_node = lane_slot_of(s, problem->element_count);

    if (s->is_uniform) fill_uniform_section(s);
    pack(s);
    for (size_t k = 0; k < s->chain.slot_count && has_gains; k++) set_gains(&s->chain, k);
    start_ends(s);
    s->run = has_gains ? sweep_short : s->is_uniform ? sweep_uniform : sweep_varying;
    if (problem->is_angle)
        s->run = has_gains ? sweep_short_angle : s->is_uniform ? sweep_uniform_angle : sweep_varying_angle;
    if (problem->is_tangent) s->run = sweep_tangent;
    if (problem->is_paper) s->run = problem->is_tangent ? sweep_paper_tangent : sweep_paper;
}

static void iterate(solve *s) {
    for (int end = 0; end < 2 && s->has_cells; end++)
        if (s->ends[end].is_needed) project_half_cell(s->chain.slots, &s->ends[end]);
    if (!s->has_cells) visit_anchors(s, project_anchor);
    s->run(s);
    if (s->problem->attachment_reach != NULL) pull_back(s);
}

void SIMD_NAME(pobd_solve_gauss_seidel)(const pobd_problem *problem, void *scratch, pobd_outcome *outcome) {
    solve s;
    begin(&s, problem, scratch);
    for (int iteration = 0; iteration < problem->iterations; iteration++) {
        if (iteration + 1 == problem->iterations) keep_nodes(&s);
        iterate(&s);
    }
    outcome->iterations = problem->iterations;
    outcome->correction = problem->iterations > 0 ? largest_move(&s) : 0;
    outcome->stretch = stretch_left(&s);
    unpack(&s);
}

// The same for rods of a net, which take turns: the solve is kept at the beginning of the scratch.
size_t SIMD_NAME(pobd_gauss_seidel_solve_size)(void) { return (sizeof(solve) + 63) / 64 * 64; }

void SIMD_NAME(pobd_gauss_seidel_begin)(const pobd_problem *problem, void *scratch) {
    begin(scratch, problem, (char *)scratch + SIMD_NAME(pobd_gauss_seidel_solve_size)());
}

void SIMD_NAME(pobd_gauss_seidel_iterate)(void *scratch, bool is_last) {
    if (is_last) keep_nodes(scratch);
    iterate(scratch);
}

void SIMD_NAME(pobd_gauss_seidel_end)(void *scratch, pobd_outcome *outcome) {
    outcome->correction = largest_move(scratch);
    outcome->stretch = stretch_left(scratch);
    unpack(scratch);
}

pobd_spot SIMD_NAME(pobd_gauss_seidel_node)(void *scratch, size_t node) {
    const solve *s = scratch;
    lane_slot at = lane_slot_of(s, node);
    return (pobd_spot){simd_lanes(&s->chain.slots[at.slot].x.x) + at.lane, SIMD_LANES};
}

pobd_spot SIMD_NAME(pobd_gauss_seidel_frame)(void *scratch, size_t element) {
    const solve *s = scratch;
    lane_slot at = lane_slot_of(s, element);
    return (pobd_spot){simd_lanes(&s->chain.slots[at.slot].q.w) + at.lane, SIMD_LANES};
}

// ---- multipliers ----------------------------------------------------------------------------------------------------

// mu = a lambda - rest, and what the multiplier stands for is rest - a lambda.
static cdg_vec3 of_lane(const simd_vec3 *mu, size_t lane, double factor) {
    return vec3(factor * simd_get(&mu->x, lane), factor * simd_get(&mu->y, lane), factor * simd_get(&mu->z, lane));
}

cdg_vec3 SIMD_NAME(pobd_gauss_seidel_stretch)(const void *scratch, size_t element) {
    const solve *s = scratch;
    lane_slot at = lane_slot_of(s, element);
    cdg_vec3 strain = of_lane(&s->chain.slots[at.slot].stretch, at.lane, -1 / s->problem->rest_length[element]);
    strain.z -= 1;
    return strain;
}

// With the sign of the turn that is nearer to the rest turn.
cdg_vec3 SIMD_NAME(pobd_gauss_seidel_turn)(const void *scratch, size_t number, bool is_right) {
    const solve *s = scratch;
    const pobd_problem *p = s->problem;
    const pobd_anchor *anchor = p->anchors + number;
    lane_slot at = lane_slot_of(s, is_right ? anchor->node : left_element(p, anchor->node));
    cdg_quat q = frame_at(s, at);
    cdg_quat turn = is_right ? quat_relative(anchor->frame, q) : quat_relative(q, anchor->frame);
    double sign = !p->is_tangent && quat_dot(turn, anchor->rest_half) < 0 ? 1 : -1;
    if (s->has_cells) return of_lane(&s->ends[end_of(p, anchor)].mu, at.lane, sign);
    if (is_right) return of_lane(&s->chain.slots[at.slot].bend, at.lane, sign);
    const double *mu = s->anchor_left + 3 * number;
    return vec3(sign * mu[0], sign * mu[1], sign * mu[2]);
}
