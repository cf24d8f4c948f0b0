// Prescribed motion of supports and obstacles: moves and rotations, one after the other, each over its own time.
#include "geometry/motion.h"

#include "base/error.h"
#include "math/quat.h"

// How far a part of a motion has come, in [0, 1].
double cdg_motion_progress(const cdg_motion *motion, double time) {
    if (time < motion->from) return 0;
    if (time >= motion->to) return 1; // to <= from: all at once, at `from`
    double s = (time - motion->from) / (motion->to - motion->from);
    // The quintic has no speed and no acceleration at either end, so a smooth motion does not strike the rod.
    return motion->ease == CDG_EASE_SMOOTH ? s * s * s * (10 + s * (6 * s - 15)) : s;
}

cdg_pose cdg_motion_pose(const cdg_motion *motions, size_t count, cdg_pose start, double time) {
    cdg_vec3 x = start.position;
    cdg_quat q = start.orientation;
    for (size_t i = 0; i < count; i++) {
        const cdg_motion *motion = &motions[i];
        double progress = cdg_motion_progress(motion, time);
        if (motion->kind == CDG_MOTION_MOVE) {
            x = vec3_mad(x, progress, motion->move);
            continue;
        }
        // From the whole angle, never from a quaternion's power: ten turns stay ten turns and q stays continuous.
        cdg_quat turn = quat_from_axis_angle(motion->axis, progress * motion->angle);
        q = quat_multiply(turn, q);
        if (motion->has_center) x = vec3_add(motion->center, quat_rotate(turn, vec3_sub(x, motion->center)));
    }
    return (cdg_pose){x, quat_normalize(q)};
}

cdg_motion cdg_motion_default(void) { return (cdg_motion){.kind = CDG_MOTION_MOVE, .axis = {0, 0, 1}, .to = 1}; }

cdg_result cdg_motion_check(const cdg_motion *motions, size_t count, cdg_error *error) {
    if (count > 0 && motions == NULL)
        return cdg_fail(error, CDG_ERROR_ARGUMENT, "motion_count is %zu but motions is NULL", count);
    for (size_t m = 0; m < count; m++) {
        const cdg_motion *motion = &motions[m];
        if ((unsigned)motion->kind > CDG_MOTION_ROTATE || (unsigned)motion->ease > CDG_EASE_SMOOTH)
            return cdg_fail(error, CDG_ERROR_ARGUMENT, "motion %zu has an unknown kind or ease", m + 1);
        if (!isfinite(motion->from) || !isfinite(motion->to) || motion->to < motion->from)
            return cdg_fail(error, CDG_ERROR_ARGUMENT,
                            "motion %zu runs from %g s to %g s; 'to' must not be before 'from'", m + 1, motion->from,
                            motion->to);
        if (motion->kind == CDG_MOTION_MOVE ? !vec3_is_finite(motion->move)
                                            : !vec3_is_finite(motion->axis) || !isfinite(motion->angle))
            return cdg_fail(error, CDG_ERROR_ARGUMENT, "motion %zu is not finite", m + 1);
        double axis = vec3_norm(motion->axis);
        if (motion->kind == CDG_MOTION_ROTATE && !(axis > 0 && isfinite(axis)))
            return cdg_fail(error, CDG_ERROR_ARGUMENT, "motion %zu rotates about an axis of %s length", m + 1,
                            axis > 0 ? "infinite" : "zero");
        if (motion->has_center && !vec3_is_finite(motion->center))
            return cdg_fail(error, CDG_ERROR_ARGUMENT, "motion %zu has a center that is not finite", m + 1);
    }
    return CDG_OK;
}
