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

// ---- a held roll ----------------------------------------------------------------------------------------------------

// From the held frame to the section, in the section's axes. Its roll is twice the last part, as the other models
// measure it: none where d3 is tilted the shortest way.
static cdg_quat turn_of(const cdg_hold *hold, const galpha_trial *t) {
    cdg_quat turn = quat_relative(hold->frame, t->frame);
    return turn.w < 0 ? quat_negate(turn) : turn;
}

// How the turn's parts change with a rotation theta in the section's axes: 2 dw = -v theta, 2 dv = (w + [v]x) theta.
typedef struct turn_rows {
    cdg_vec3 w, x, y, z;
} turn_rows;

static turn_rows derive_turn(cdg_quat turn) {
    cdg_vec3 v = quat_imaginary(turn);
    double w = turn.w;
    return (turn_rows){.w = vec3_scale(-0.5, v),
                       .x = vec3_scale(0.5, vec3(w, -v.z, v.y)),
                       .y = vec3_scale(0.5, vec3(v.z, w, -v.x)),
                       .z = vec3_scale(0.5, vec3(-v.y, v.x, w))};
}

// What holds a roll exerts a moment along the roll's derivative, (-y, x, w) in the section's axes, and none across: a
// moment about d3 alone would do work on a section that only tilts, and feed a rod that tumbles.
static void moment_across(cdg_quat turn, cdg_vec3 moment, double out[2]) {
    out[0] = turn.w * moment.x + turn.y * moment.z;
    out[1] = turn.w * moment.y - turn.x * moment.z;
}

// Rows of both and of the roll, by the moment and by a rotation of the section, both in the section's axes.
static void derive_roll(cdg_quat turn, cdg_vec3 moment, cdg_vec3 by_moment[2], cdg_vec3 by_turn[3]) {
    turn_rows d = derive_turn(turn);
    by_moment[0] = vec3(turn.w, 0, turn.y);
    by_moment[1] = vec3(0, turn.w, -turn.x);
    by_turn[0] = vec3_mad(vec3_scale(moment.x, d.w), moment.z, d.y);
    by_turn[1] = vec3_mad(vec3_scale(moment.y, d.w), -moment.z, d.x);
    // the moment, fixed in space, turns back in the section's axes: dL = L x theta
    for (int i = 0; i < 2; i++) by_turn[i] = vec3_add(by_turn[i], vec3_cross(by_moment[i], moment));
    by_turn[2] = vec3_scale(2, d.z);
}

// ---- conditions -----------------------------------------------------------------------------------------------------

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
    double moment_scale = step->force_scale * step->length_scale;
    put_vec3(out + 3, 1 / moment_scale, t->moment);
    if (frame_hold(step, end) != CDG_HOLD_ROLL) return;
    cdg_quat turn = turn_of(hold, t);
    moment_across(turn, vec3_scale(1 / moment_scale, quat_rotate_inverse(t->frame, t->moment)), out + 3);
    out[5] = 2 * turn.z;
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
    double moment_scale = step->force_scale * step->length_scale;
    cdg_vec3 by_moment[2], by_turn[3];
    derive_roll(turn_of(&step->holds->hold[end], t),
                vec3_scale(1 / moment_scale, quat_rotate_inverse(t->frame, t->moment)), by_moment, by_turn);
    memset(rows + 3, 0, 3 * sizeof *rows);
    for (int i = 0; i < 3; i++) {
        if (i < 2) put_vec3(&rows[3 + i][AT_MOMENT], 1, quat_rotate(t->frame, by_moment[i]));
        put_vec3(&rows[3 + i][AT_FRAME], 1, quat_rotate(t->frame, by_turn[i]));
    }
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
    }
}
