// The rest shape of a rod that is built already, set anew: curvature and twist of every cell, or the length.
#include "rods/rod.h"

#include "base/error.h"
#include "math/quat.h"
#include "rods/discrete_spring.h"
#include "rods/rod_model.h"

#include <stdlib.h>
#include <string.h>

// rad: beyond this, neighbours at rest nearly lie against each other, and which way they turn is not known.
static const double largest_turn = 3;

static cdg_vec3 turn_at(const cdg_rod *rod, const cdg_vec3 *darboux, size_t node) {
    return darboux != NULL ? vec3_scale(rod_cell_length(rod, node), darboux[node]) : vec3(0, 0, 0);
}

static cdg_result check_turns(const cdg_rod *rod, const cdg_vec3 *darboux, cdg_error *error) {
    for (size_t i = 0; i < rod->node_count && darboux != NULL; i++) {
        if (!vec3_is_finite(darboux[i]))
            return cdg_fail(error, CDG_ERROR_ARGUMENT, "rod '%s': its rest curvature at node %zu is not finite",
                            rod->name, i);
        cdg_vec3 turn = turn_at(rod, darboux, i);
        if (rod->model->measures.counts_turns) turn.z = 0;
        if (!(vec3_norm(turn) <= largest_turn))
            return cdg_fail(error, CDG_ERROR_ARGUMENT,
                            "rod '%s': with this rest curvature it turns by %.3g rad at node %zu, and a cell may turn "
                            "by %g at most; use more elements",
                            rod->name, vec3_norm(turn), i, largest_turn);
    }
    return CDG_OK;
}

// A straight rod may have one entry for all nodes.
static cdg_result make_room(cdg_rod *rod, cdg_error *error) {
    if (!rod->has_one_turn) return CDG_OK;
    rod->turn_memory = calloc(4 * rod->node_capacity, sizeof *rod->turn_memory);
    if (rod->turn_memory == NULL)
        return cdg_fail(error, CDG_ERROR_MEMORY, "rod '%s': no memory for its rest shape", rod->name);
    for (size_t k = 0; k < 4; k++) rod->rest_turn[k] = rod->turn_memory + k * rod->node_capacity;
    rod->has_one_turn = false;
    return CDG_OK;
}

static bool are_equal(const cdg_rod *rod) {
    size_t first = rod->is_closed ? 0 : 1, end = rod->is_closed ? rod->node_count : rod->node_count - 1;
    for (size_t i = first; i < end; i++)
        for (int k = 0; k < 4; k++)
            if (!(fabs(rod->rest_turn[k][i] - rod->rest_turn[k][first]) <= 1e-14)) return false; // as rod_build.c
    return true;
}

static void set_curl(cdg_rod *rod, size_t node, double twist) {
    bool is_angle = rod->curls_by_angle;
    rod_set_vec3(rod->rest_curl, node, der_turn_strain(rod_quat(rod->rest_turn, node), twist, is_angle));
}

cdg_result cdg_rod_set_rest_darboux(cdg_rod *rod, const cdg_vec3 *darboux, cdg_error *error) {
    cdg_result result = check_turns(rod, darboux, error);
    if (result == CDG_OK) result = make_room(rod, error);
    if (result != CDG_OK) return result;
    for (size_t i = 0; i < rod->node_count; i++) {
        cdg_vec3 turn = turn_at(rod, darboux, i);
        rod_set_quat(rod->rest_turn, i, quat_exp(turn));
        if (rod->model->measures.counts_turns) set_curl(rod, i, turn.z);
    }
    rod->has_equal_turns = are_equal(rod);
    if (rod->adapt != NULL) rod->adapt->had_equal_turns = rod->adapt->is_straight = rod->has_equal_turns = false;
    if (rod->model->rest_changed != NULL) rod->model->rest_changed(rod);
    return CDG_OK;
}

cdg_vec3 cdg_rod_rest_turn_vector(const cdg_rod *rod, size_t node) {
    cdg_vec3 turn = quat_log(rod_rest_turn(rod, node));
    if (!rod->model->measures.counts_turns) return turn;
    double angle = vec3_norm(turn), whole = 2 * der_pi * nearbyint((rod->rest_curl[2][node] - turn.z) / (2 * der_pi));
    if (whole == 0) return turn;
    return angle > 1e-8 ? vec3_scale(1 + copysign(1, turn.z) * whole / angle, turn) : vec3(0, 0, whole);
}

void cdg_rod_rest_darboux(const cdg_rod *rod, cdg_vec3 *out) {
    for (size_t i = 0; i < rod->node_count; i++)
        out[i] = vec3_scale(1 / rod_cell_length(rod, i), cdg_rod_rest_turn_vector(rod, i));
}

void cdg_rod_set_rest_turn_vector(cdg_rod *rod, size_t node, cdg_vec3 turn) {
    if (rod->has_one_turn) return;
    rod_set_quat(rod->rest_turn, node, quat_exp(turn));
    if (rod->model->measures.counts_turns) set_curl(rod, node, turn.z);
}

// Mass and rotary inertia of each element stay what they are, and so do curvatures.
void cdg_rod_scale_rest_length(cdg_rod *rod, double factor) {
    size_t entries = rod->section_stride != 0 ? rod->element_count : 1;
    for (size_t i = 0; i < rod->node_count && !rod->has_one_turn; i++) {
        cdg_vec3 turn = vec3_scale(factor, cdg_rod_rest_turn_vector(rod, i));
        rod_set_quat(rod->rest_turn, i, quat_exp(turn));
        if (rod->model->measures.counts_turns) set_curl(rod, i, turn.z);
    }
    for (size_t j = 0; j < rod->element_count; j++) rod->rest_length[j] *= factor;
    for (size_t j = 0; j < entries; j++) {
        rod->line_mass[j] /= factor;
        for (int k = 0; k < 3; k++) rod->frame_inertia[k][j] /= factor;
    }
    for (size_t i = 0; i < rod->node_count && rod->adapt != NULL; i++) rod->adapt->arc[i] *= factor;
    rod->length *= factor;
    if (rod->model->rest_changed != NULL) rod->model->rest_changed(rod);
}
