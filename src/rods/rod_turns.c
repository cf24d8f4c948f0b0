// Counting whole turns of twist between neighbouring frames, which the frames themselves forget: for models whose twist
// is an angle that may exceed half a turn.
#include "math/quat.h"
#include "rods/der_spring.h"
#include "rods/rod.h"

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
        bool is_angle = rod->der.curvature == CDG_DER_ANGLE;
        rod_set_vec3(rod->rest_curl, i, der_turn_strain(rod_quat(rod->rest_turn, i), rest_rate * cell, is_angle));
        count(rod, i, rate * cell);
    }
}

void cdg_rod_recount_turns(cdg_rod *rod) {
    for (size_t i = 0; i < rod->node_count; i++) count(rod, i, rod->rest_curl[2][i]);
}

// cos(turn/2), the size of A in der_spring.h: curvature grows without bound as it goes to zero.
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
