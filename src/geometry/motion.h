// Prescribed motion: where a list of moves and rotations has a thing at a given time.
#ifndef CDG_GEOMETRY_MOTION_H
#define CDG_GEOMETRY_MOTION_H

#include <cordage/world.h>

typedef struct cdg_pose {
    cdg_vec3 position;
    cdg_quat orientation;
} cdg_pose;

double cdg_motion_progress(const cdg_motion *motion, double time); // how far a motion has come, in [0, 1]
// The pose at `time` of what had `start` before all motion.
cdg_pose cdg_motion_pose(const cdg_motion *motions, size_t count, cdg_pose start, double time);

// Finite numbers, known kinds, ends not before beginnings; messages count motions from 1.
cdg_result cdg_motion_check(const cdg_motion *motions, size_t count, cdg_error *error);

#endif
