// Element values at nodes. Elements stand at their middles, so a node between elements of lengths a and b takes the
// parts b / (a + b) and a / (a + b) of them.
#include "export/node_values.h"

#include "math/quat.h"

#include <math.h>

// The two elements at a node and the part of the second.
typedef struct node_sides {
    size_t before, after;
    double fraction;
} node_sides;

static node_sides sides_of(const cdg_run_rod *rod, bool has_joint, size_t node) {
    size_t last = rod->element_count - 1;
    if (node == 0 && (!rod->is_closed || has_joint)) return (node_sides){0, 0, 0};
    if (!rod->is_closed && node > last) return (node_sides){last, last, 0};
    size_t before = node > 0 ? node - 1 : last;
    double sum = rod->rest_length[before] + rod->rest_length[node];
    return (node_sides){before, node, sum > 0 ? rod->rest_length[before] / sum : 0.5};
}

void cdg_node_values_average(const cdg_run_rod *rod, bool has_joint, const double *values, size_t component_count,
                             double *out) {
    for (size_t node = 0; node < rod->node_count; node++) {
        node_sides sides = sides_of(rod, has_joint, node);
        const double *before = values + sides.before * component_count, *after = values + sides.after * component_count;
        for (size_t k = 0; k < component_count; k++) {
            out[node * component_count + k] = before[k] + sides.fraction * (after[k] - before[k]);
        }
    }
}

void cdg_node_values_largest(const cdg_run_rod *rod, const double *values, double *out) {
    for (size_t node = 0; node < rod->node_count; node++) {
        node_sides sides = sides_of(rod, false, node);
        out[node] = fmax(values[sides.before], values[sides.after]);
    }
}

void cdg_node_values_frames(const cdg_run_rod *rod, bool has_joint, const cdg_quat *frames, cdg_quat *out) {
    for (size_t node = 0; node < rod->node_count; node++) {
        node_sides sides = sides_of(rod, has_joint, node);
        cdg_quat before = frames[sides.before], turn = quat_relative(before, frames[sides.after]);
        cdg_quat frame = quat_normalize(quat_multiply(before, quat_power(turn, sides.fraction)));
        if (node > 0 && quat_dot(frame, out[node - 1]) < 0) frame = quat_negate(frame);
        out[node] = frame;
    }
}

bool cdg_node_values_has_joint(const cdg_run_rod *rod, const cdg_quat *frames) {
    cdg_quat turn = quat_relative(frames[rod->element_count - 1], frames[0]);
    return rod->is_closed && turn.w * turn.w < 0.5; // w is the cosine of half the angle
}
