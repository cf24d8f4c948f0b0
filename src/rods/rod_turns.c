// Whole turns of twist between neighbouring frames, which the frames themselves forget: counting them, for models whose
// twist is an angle that may exceed half a turn, and noticing when one is lost, for the others.
#include "math/quat.h"
#include "rods/discrete_spring.h"
#include "rods/rod.h"

#include <math.h>
#include <string.h>

static void count(cdg_rod *rod, size_t node, double near) {
    size_t left = rod_left_element(rod, node), right = rod_right_element(rod, node);
    bool is_interior = left != SIZE_MAX && right != SIZE_MAX;
    if (is_interior)
        near = der_turn_strain(quat_relative(rod_quat(rod->q, left), rod_quat(rod->q, right)), near, false).z;
    rod->twist[node] = near;
}

void cdg_rod_set_turns(cdg_rod *rod, double rest_rate, double rate) {
    for (size_t i = 0; i < rod->node_count; i++) {
        double cell = rod_cell_length(rod, i);
        bool is_angle = rod->curls_by_angle;
        rod_set_vec3(rod->rest_curl, i, der_turn_strain(rod_quat(rod->rest_turn, i), rest_rate * cell, is_angle));
        count(rod, i, rate * cell);
    }
}

void cdg_rod_recount_turns(cdg_rod *rod) {
    for (size_t i = 0; i < rod->node_count; i++) count(rod, i, rod->rest_curl[2][i]);
}

// ---- half cells -----------------------------------------------------------------------------------------------------

// rad/m, of the cell beside a held one; NAN where that says nothing: it ends the rod, or is held itself.
static double rate_beside(const cdg_rod *rod, size_t node) {
    const cdg_hold *hold = rod_hold_at(rod, node);
    bool is_end = rod_left_element(rod, node) == SIZE_MAX || rod_right_element(rod, node) == SIZE_MAX;
    bool is_held = hold != NULL && hold->frame_hold != CDG_HOLD_NO_FRAME;
    return is_end || is_held ? NAN : rod->twist[node] / rod_cell_length(rod, node);
}

// The turns of the whole cell are counted, and say those of both halves together. Either half goes on as the cell
// beside it does, and what is left over belongs to both.
double cdg_rod_half_twist(const cdg_rod *rod, size_t node, size_t element) {
    size_t left = rod_left_element(rod, node), right = rod_right_element(rod, node);
    double whole = rod->twist[node], share = rod->rest_length[element] / 2 / rod_cell_length(rod, node);
    if (left == SIZE_MAX || right == SIZE_MAX) return share * whole;
    bool is_left = element == left;
    double before = rod->rest_length[left] / 2 * rate_beside(rod, left);
    double after = rod->rest_length[right] / 2 * rate_beside(rod, rod_next_node(rod, right));
    if (isnan(before) && isnan(after)) return share * whole;
    if (isnan(before)) return is_left ? whole - after : after;
    if (isnan(after)) return is_left ? before : whole - before;
    return (is_left ? before : after) + share * (whole - before - after);
}

// cos(turn/2), the size of A in discrete_spring.h: curvature grows without bound as it goes to zero.
static bool is_folded(cdg_quat turn) {
    const double least = 1e-3; // a tenth of a degree from 180
    return turn.w * turn.w + turn.z * turn.z < least * least;
}

size_t cdg_rod_folded_node(const cdg_rod *rod, bool *is_rest) {
    for (size_t i = 0; i < rod->node_count; i++) {
        size_t left = rod_left_element(rod, i), right = rod_right_element(rod, i);
        if (left == SIZE_MAX || right == SIZE_MAX) continue;
        *is_rest = is_folded(rod_quat(rod->rest_turn, i));
        if (*is_rest || is_folded(quat_relative(rod_quat(rod->q, left), rod_quat(rod->q, right)))) return i;
    }
    return SIZE_MAX;
}

// ---- lost turns -----------------------------------------------------------------------------------------------------

// The turn from `left` to `right` against the rest turn. Its w changes sign where it passes half a turn, and of the two
// quaternions of a turn the other one begins to count.
static cdg_quat against_rest(cdg_quat left, cdg_quat right, cdg_quat rest) {
    return quat_relative(rest, quat_relative(left, right));
}

// A rod that folds passes half a turn, too, but elements that lie side by side have bent no farther than they seem to.
static bool is_lost(cdg_quat before, cdg_quat after) {
    bool is_passed = before.w * after.w < 0;
    return is_passed && after.z * after.z > after.x * after.x + after.y * after.y;
}

// Of the products of w before and after, all signs in one: what is asked in every step, of hair by the million.
static bool some_sign_changes(const cdg_rod *rod) {
    const cdg_quat rest = rod_rest_turn(rod, 0);
    uint64_t signs = 0;
    for (size_t j = 1; j < rod->element_count; j++) {
        cdg_quat r = rod->has_one_turn ? rest : rod_quat(rod->rest_turn, j);
        double now = quat_dot(quat_multiply(rod_quat(rod->q, j - 1), r), rod_quat(rod->q, j));
        double next = quat_dot(quat_multiply(rod_quat(rod->q_next, j - 1), r), rod_quat(rod->q_next, j));
        double product = now * next;
        uint64_t bits;
        memcpy(&bits, &product, sizeof bits);
        signs |= bits;
    }
    return signs >> 63 != 0;
}

static bool some_sign_changes_straight(const cdg_rod *rod) {
    uint64_t signs = 0;
    const double *w = rod->q[0], *x = rod->q[1], *y = rod->q[2], *z = rod->q[3];
    const double *a = rod->q_next[0], *b = rod->q_next[1], *c = rod->q_next[2], *d = rod->q_next[3];
    for (size_t j = 1; j < rod->element_count; j++) {
        size_t i = j - 1;
        double product = (w[i] * w[j] + x[i] * x[j] + y[i] * y[j] + z[i] * z[j]) *
                         (a[i] * a[j] + b[i] * b[j] + c[i] * c[j] + d[i] * d[j]);
        uint64_t bits;
        memcpy(&bits, &product, sizeof bits);
        signs |= bits;
    }
    return signs >> 63 != 0;
}

static bool is_straight(const cdg_rod *rod) {
    if (!rod->has_equal_turns || rod->element_count < 2) return false;
    cdg_quat rest = rod_rest_turn(rod, 1);
    return rest.x == 0 && rest.y == 0 && rest.z == 0;
}

static bool is_lost_between(const cdg_rod *rod, size_t left, size_t right, cdg_quat rest) {
    return is_lost(against_rest(rod_quat(rod->q, left), rod_quat(rod->q, right), rest),
                   against_rest(rod_quat(rod->q_next, left), rod_quat(rod->q_next, right), rest));
}

static const cdg_hold *hold_before(const cdg_rod *rod, const cdg_hold *hold) {
    for (size_t h = 0; h < rod->hold_before_count; h++)
        if (rod->holds_before[h].node == hold->node && rod->holds_before[h].frame_hold == hold->frame_hold)
            return &rod->holds_before[h];
    return NULL;
}

// Over the half cells beside a held section. Prescribed frames are continuous in time, whole turns and all.
static bool is_lost_at(const cdg_rod *rod, const cdg_hold *hold) {
    const cdg_hold *before = hold->frame_hold == CDG_HOLD_FRAME ? hold_before(rod, hold) : NULL;
    if (before == NULL) return false;
    size_t left = rod_left_element(rod, hold->node), right = rod_right_element(rod, hold->node);
    if (left != SIZE_MAX &&
        is_lost(against_rest(rod_quat(rod->q, left), before->frame, rod_half_cell_rest(rod, hold->node, left)),
                against_rest(rod_quat(rod->q_next, left), hold->frame, rod_half_cell_rest(rod, hold->node, left))))
        return true;
    if (right == SIZE_MAX) return false;
    cdg_quat rest = rod_half_cell_rest(rod, hold->node, right);
    return is_lost(against_rest(before->frame, rod_quat(rod->q, right), rest),
                   against_rest(hold->frame, rod_quat(rod->q_next, right), rest));
}

static bool has_frame_hold(const cdg_rod *rod, size_t node) {
    for (size_t h = 0; h < rod->hold_count; h++)
        if (rod->holds[h].node == node && rod->holds[h].frame_hold != CDG_HOLD_NO_FRAME) return true;
    return false;
}

size_t cdg_rod_lost_turn(const cdg_rod *rod) {
    for (size_t h = 0; h < rod->hold_count; h++)
        if (is_lost_at(rod, &rod->holds[h])) return rod->holds[h].node;
    if (rod->is_closed && is_lost_between(rod, rod->element_count - 1, 0, rod_rest_turn(rod, 0)) &&
        !has_frame_hold(rod, 0))
        return 0;
    if (!(is_straight(rod) ? some_sign_changes_straight(rod) : some_sign_changes(rod))) return SIZE_MAX;
    for (size_t i = 1; i < rod->element_count; i++)
        if (is_lost_between(rod, i - 1, i, rod_rest_turn(rod, i)) && !has_frame_hold(rod, i)) return i;
    return SIZE_MAX;
}
