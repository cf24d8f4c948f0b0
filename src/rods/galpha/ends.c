// Six boundary conditions at each end of a galpha rod: a position or no force, a line and no force along it, a frame or
// no moment, a roll or no torque (Sobottka et al. 2008, section 3.4.1), and what the supports exert.
#include "rods/galpha/parts.h"

#include <string.h>

enum { AT_POSITION = 0, AT_FRAME = 3, AT_MOMENT = 6, AT_FORCE = 9 };

galpha_hold_pair galpha_holds_at(const cdg_rod *rod, const galpha_node *first, const galpha_node *last, double share) {
    galpha_hold_pair pair = {0};
    for (size_t h = 0; h < rod->hold_count; h++) {
        int end = rod->holds[h].node == 0 ? 0 : 1;
        const galpha_node *from = end == 0 ? first : last;
        pair.has_hold[end] = true;
        pair.hold[end] = rod->holds[h];
        if (share == 1) continue;
        cdg_hold *hold = &pair.hold[end];
        hold->position = vec3_lerp(from->position, hold->position, share);
        hold->frame = quat_multiply(from->frame, quat_power(quat_relative(from->frame, hold->frame), share));
    }
    return pair;
}

static bool holds_position(const galpha_step *step, int end) {
    return step->holds->has_hold[end] && step->holds->hold[end].holds_position;
}
static bool slides(const galpha_step *step, int end) {
    return step->holds->has_hold[end] && step->holds->hold[end].slides;
}
static cdg_frame_hold frame_hold(const galpha_step *step, int end) {
    return step->holds->has_hold[end] ? step->holds->hold[end].frame_hold : CDG_HOLD_NO_FRAME;
}

static void put_vec3(double *out, double scale, cdg_vec3 v) {
    out[0] = scale * v.x, out[1] = scale * v.y, out[2] = scale * v.z;
}

// The turn about d3 from the held frame: twice the quaternion's last part, as the other models measure it.
static double roll_of(const cdg_hold *hold, const galpha_trial *t, cdg_vec3 *derivative) {
    cdg_quat turn = quat_relative(hold->frame, t->frame);
    if (turn.w < 0) turn = quat_negate(turn);
    cdg_vec3 v = quat_imaginary(turn);
    // 2 dv = (w + [v]x) theta with theta in the moving frame
    cdg_vec3 row = vec3_add(vec3(0, 0, turn.w), vec3_cross(vec3(0, 0, 1), v));
    *derivative = quat_rotate(t->frame, row);
    return 2 * v.z;
}

// Two directions across the line, and the line.
static void slide_axes(const cdg_hold *hold, cdg_vec3 out[3]) {
    out[0] = vec3_any_perpendicular(hold->along);
    out[1] = vec3_cross(hold->along, out[0]);
    out[2] = hold->along;
}

void galpha_end_residual(const galpha_step *step, int end, const galpha_trial *t, double out[TWO_POINT_ENDS]) {
    const cdg_hold *hold = &step->holds->hold[end];
    if (holds_position(step, end))
        put_vec3(out, 1 / step->length_scale, vec3_sub(t->position, hold->position));
    else
        put_vec3(out, 1 / step->force_scale, t->force);
    if (slides(step, end)) {
        cdg_vec3 axes[3], away = vec3_sub(t->position, hold->position);
        slide_axes(hold, axes);
        for (int k = 0; k < 2; k++) out[k] = vec3_dot(axes[k], away) / step->length_scale;
        out[2] = vec3_dot(axes[2], t->force) / step->force_scale;
    }
    if (frame_hold(step, end) == CDG_HOLD_FRAME) {
        cdg_vec3 turn = quat_log(quat_multiply(t->frame, quat_conjugate(hold->frame)));
        put_vec3(out + 3, 1, turn);
        return;
    }
    put_vec3(out + 3, 1 / (step->force_scale * step->length_scale), t->moment);
    cdg_vec3 derivative;
    if (frame_hold(step, end) != CDG_HOLD_ROLL) return;
    cdg_vec3 local = quat_rotate_inverse(t->frame, t->moment); // bending is free, in the moving frame
    put_vec3(out + 3, 1 / (step->force_scale * step->length_scale), local);
    out[5] = roll_of(hold, t, &derivative);
}

void galpha_end_rows(const galpha_step *step, int end, const galpha_trial *t, double (*rows)[TWO_POINT_COLUMNS]) {
    memset(rows, 0, TWO_POINT_ENDS * sizeof *rows);
    for (int k = 0; k < 3; k++) {
        rows[k][(holds_position(step, end) ? AT_POSITION : AT_FORCE) + k] = 1;
        // For a held frame the residual is the rotation that is too much, so the correction is its negative exactly:
        // no Jacobian of the logarithm.
        rows[3 + k][(frame_hold(step, end) == CDG_HOLD_FRAME ? AT_FRAME : AT_MOMENT) + k] = 1;
    }
    if (slides(step, end)) {
        cdg_vec3 axes[3];
        slide_axes(&step->holds->hold[end], axes);
        memset(rows, 0, 3 * sizeof *rows);
        for (int k = 0; k < 3; k++) put_vec3(&rows[k][k < 2 ? AT_POSITION : AT_FORCE], 1, axes[k]);
    }
    if (frame_hold(step, end) != CDG_HOLD_ROLL) return;
    // d(R^T M) = R^T (dM - phi x M) = R^T dM + R^T [M]x phi
    mat3 turned = mat3_transpose(mat3_from_quat(t->frame));
    mat3 at_frame = mat3_multiply(turned, mat3_cross(t->moment));
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < 3; k++) {
            rows[3 + i][AT_MOMENT + k] = turned.m[i][k];
            rows[3 + i][AT_FRAME + k] = at_frame.m[i][k] / (step->force_scale * step->length_scale);
        }
    cdg_vec3 derivative;
    roll_of(&step->holds->hold[end], t, &derivative);
    rows[5][AT_MOMENT + 2] = 0;
    put_vec3(&rows[5][AT_FRAME], 1, derivative);
}

// The contact force acts on the part before: at the first node a support pushes against it, at the last along it.
void galpha_set_reactions(cdg_rod *rod, const galpha_trial *first, const galpha_trial *last) {
    for (size_t h = 0; h < rod->hold_count; h++) {
        cdg_hold *hold = &rod->holds[h];
        bool is_first = hold->node == 0;
        const galpha_trial *t = is_first ? first : last;
        double sign = is_first ? -1 : 1;
        hold->force = hold->holds_position || hold->slides ? vec3_scale(sign, t->force) : vec3(0, 0, 0);
        hold->moment = hold->frame_hold == CDG_HOLD_NO_FRAME ? vec3(0, 0, 0) : vec3_scale(sign, t->moment);
        if (hold->frame_hold == CDG_HOLD_ROLL) {
            cdg_vec3 axis = quat_d3(t->frame);
            hold->moment = vec3_scale(vec3_dot(hold->moment, axis), axis);
        }
    }
}
