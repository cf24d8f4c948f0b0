// The part of a rod that a change of resolution is about (rod_part.h).
#include "adapt/rod_part.h"

#include "math/quat.h"
#include "rods/discrete_spring.h"
#include "rods/rod_model.h"

// ---- which elements -------------------------------------------------------------------------------------------------

bool cdg_part_is_held(const cdg_rod *rod, size_t node) {
    const cdg_hold *hold = rod_hold_at(rod, node);
    return rod->adapt->joined[node] != 0 || (hold != NULL && (hold->holds_position || hold->slides));
}

bool cdg_part_follows(const cdg_rod *rod) {
    return rod->model->contact.frames_follow != NULL && rod->model->contact.frames_follow(rod);
}

// Of a ring, what moves must be between two elements that stay and are not the same.
static size_t most_beside(const cdg_rod *rod, size_t changed) {
    size_t coarse = rod->element_count - (changed - 1);
    if (!rod->is_closed) return CDG_PATCH_BESIDE;
    return coarse < 5 ? 0 : coarse < 3 + 2 * CDG_PATCH_BESIDE ? 1 : CDG_PATCH_BESIDE;
}

cdg_part_sides cdg_part_choose_sides(const cdg_rod *rod, size_t first, size_t last) {
    size_t most = most_beside(rod, last - first + 1), begin = first, end = rod_next_node(rod, last);
    cdg_part_sides out = {0, 0};
    for (; out.before < most && !cdg_part_is_held(rod, begin); out.before++) {
        begin = rod_left_element(rod, begin); // which begins at the node of the same number
        if (begin == SIZE_MAX) break;
    }
    for (; out.next < most && !cdg_part_is_held(rod, end); out.next++) {
        size_t element = rod_right_element(rod, end);
        if (element == SIZE_MAX) break;
        end = rod_next_node(rod, element);
    }
    return out;
}

cdg_rod_part cdg_part_beside(const cdg_rod *rod, size_t element, cdg_part_sides sides, bool is_fine) {
    cdg_rod_part p;
    p.count = (is_fine ? 2u : 1u) + sides.before + sides.next;
    p.changed = sides.before;
    p.fresh = is_fine ? sides.before + 1 : CDG_PART_NODES;
    size_t at = element;
    for (size_t k = 0; k < sides.before; k++) at = rod_left_element(rod, at);
    for (size_t k = 0; k < p.count; k++) {
        p.element[k] = p.node[k] = at;
        at = at + 1 < rod->node_count ? at + 1 : 0;
    }
    p.node[p.count] = at;
    return p;
}

// ---- its state ------------------------------------------------------------------------------------------------------

static cdg_vec3 get3(double *const a[3], size_t i) { return a[0] != NULL ? rod_vec3(a, i) : vec3(0, 0, 0); }
static cdg_quat get4(double *const a[4], size_t i) { return a[0] != NULL ? rod_quat(a, i) : quat_identity(); }
static void set3(double *const a[3], size_t i, cdg_vec3 v) {
    if (a[0] != NULL) rod_set_vec3(a, i, v);
}
static void set4(double *const a[4], size_t i, cdg_quat q) {
    if (a[0] != NULL) rod_set_quat(a, i, q);
}

void cdg_part_keep(const cdg_rod *rod, const cdg_rod_part *part, cdg_part_state *out) {
    for (size_t k = 0; k <= part->count; k++) {
        size_t i = part->node[k];
        out->x[k] = rod_vec3(rod->x, i), out->v[k] = rod_vec3(rod->v, i);
        out->x_before[k] = get3(rod->x_before, i), out->v_before[k] = get3(rod->v_before, i);
        out->rest_curl[k] = get3(rod->rest_curl, i);
        out->mass[k] = rod->node_mass[i];
        if (!rod->has_one_turn) out->rest_turn[k] = rod_quat(rod->rest_turn, i);
        if (rod->twist != NULL) out->twist[k] = rod->twist[i];
    }
    for (size_t k = 0; k < part->count; k++) {
        size_t j = part->element[k];
        out->q[k] = rod_quat(rod->q, j), out->w[k] = rod_vec3(rod->w, j);
        out->q_before[k] = get4(rod->q_before, j), out->w_before[k] = get3(rod->w_before, j);
        if (rod->tension != NULL) out->tension[k] = rod->tension[j];
        out->calm[k] = rod->adapt->calm[j];
    }
}

void cdg_part_put_back(cdg_rod *rod, const cdg_rod_part *part, const cdg_part_state *from) {
    for (size_t k = 0; k <= part->count; k++) {
        size_t i = part->node[k];
        rod_set_vec3(rod->x, i, from->x[k]), rod_set_vec3(rod->v, i, from->v[k]);
        set3(rod->x_before, i, from->x_before[k]), set3(rod->v_before, i, from->v_before[k]);
        set3(rod->rest_curl, i, from->rest_curl[k]);
        rod->node_mass[i] = from->mass[k];
        if (!rod->has_one_turn) rod_set_quat(rod->rest_turn, i, from->rest_turn[k]);
        if (rod->twist != NULL) rod->twist[i] = from->twist[k];
    }
    for (size_t k = 0; k < part->count; k++) {
        size_t j = part->element[k];
        rod_set_quat(rod->q, j, from->q[k]), rod_set_vec3(rod->w, j, from->w[k]);
        set4(rod->q_before, j, from->q_before[k]), set3(rod->w_before, j, from->w_before[k]);
        if (rod->tension != NULL) rod->tension[j] = from->tension[k];
        rod->adapt->calm[j] = from->calm[k];
    }
}

void cdg_part_move_past(cdg_rod *rod, const cdg_rod_part *part, const cdg_part_state *then) {
    if (rod->x_before[0] == NULL) return;
    for (size_t k = 0; k <= part->count; k++) {
        size_t i = part->node[k];
        cdg_vec3 way = vec3_sub(then->x[k], then->x_before[k]), faster = vec3_sub(then->v[k], then->v_before[k]);
        rod_set_vec3(rod->x_before, i, vec3_sub(rod_vec3(rod->x, i), way));
        rod_set_vec3(rod->v_before, i, vec3_sub(rod_vec3(rod->v, i), faster));
    }
    for (size_t k = 0; k < part->count; k++) {
        size_t j = part->element[k];
        cdg_quat back = quat_relative(then->q[k], then->q_before[k]);
        rod_set_quat(rod->q_before, j, quat_normalize(quat_multiply(rod_quat(rod->q, j), back)));
        cdg_vec3 faster = vec3_sub(then->w[k], then->w_before[k]);
        rod_set_vec3(rod->w_before, j, vec3_sub(rod_vec3(rod->w, j), faster));
    }
}

void cdg_part_count_turns(cdg_rod *rod, const cdg_rod_part *part) {
    for (size_t k = 0; k <= part->count && rod->twist != NULL; k++) {
        size_t i = part->node[k], left = rod_left_element(rod, i), right = rod_right_element(rod, i);
        if (left == SIZE_MAX || right == SIZE_MAX) continue;
        cdg_quat turn = quat_relative(rod_quat(rod->q, left), rod_quat(rod->q, right));
        rod->twist[i] = der_turn_strain(turn, rod->twist[i], rod->curls_by_angle).z;
    }
}
