// Rigid bodies as contact sees them: shapes like obstacles, but with two points each that answer forces as those of
// rods do, so that one solver moves both.
//
// The first point is the centre of mass. The second is the turn by contact: with the body's mass m, L L^T the inverse
// of its inertia in world axes, and rho that point's move, the turn is theta = root(m) L rho. A torque is then a force
// root(m) L^T torque on it, and both points answer forces with step^2/m, alike in all directions.
//
// Contact adds step^2 f/m to the position and step f/m to the velocity, as it does to nodes, whatever rule the flight
// follows; so lever arms about x - step v keep angular momentum to rounding (pieces.h).
#ifndef CDG_CONTACT_BODY_PIECES_H
#define CDG_CONTACT_BODY_PIECES_H

#include "bodies/body.h"
#include "contact/pieces.h"
#include "geometry/motion.h"

typedef struct cdg_body_piece {
    const cdg_body *body;             // its `now` is the start of the step
    const struct cdg_obstacle *shape; // as obstacles have it; NULL: it touches nothing here
    const uint32_t *passes;           // indices of rods that it does not touch: they are welded to it
    size_t pass_count;
    cdg_body_now free;    // predicted without contact
    cdg_body_now touched; // the same by implicit Euler, so that what rests has no speed: once a force acts on it
    bool is_touched;
    double turning[3][3]; // root(m) L; zero: nothing changes its motion
    // A body that rods are welded to moves as these let it: contact asks for its response where something is near, and
    // it is predicted again with the forces. Both points' moves then change both its position and its turn.
    bool is_welded, wants_response, has_response;
    double response[6][6];              // m, rad by N, N m about its centre, world axes; symmetric
    double moving[3][3], swaying[3][3]; // of the first point's move: the position, and the turn
    cdg_vec3 force, torque;             // N, N m: that the candidate was made with
} cdg_body_piece;

static inline const cdg_body_now *body_piece_free(const cdg_body_piece *body) {
    return body->is_touched ? &body->touched : &body->free;
}

// After cdg_pieces_load, and when `free` changed; the candidate has the forces as they are.
void cdg_body_pieces_load(cdg_pieces *pieces, cdg_body_piece *bodies, double step);

// Bodies that a force has come to act on go on by implicit Euler. False: there are none.
bool cdg_body_pieces_touch(cdg_pieces *pieces, cdg_body_piece *bodies, double step);

bool cdg_body_piece_passes(const cdg_body_piece *body, uint32_t rod);

// Own axes at the start of the step, as predicted without contact, and in the candidate.
cdg_pose cdg_body_piece_start(const cdg_body_piece *body);
cdg_pose cdg_body_piece_predicted(const cdg_body_piece *body);
cdg_pose cdg_body_piece_pose(const cdg_pieces *pieces, const cdg_body_piece *bodies, size_t index);
// m/s, of the body at a point before the step.
cdg_vec3 cdg_body_piece_velocity(const cdg_body_piece *body, cdg_vec3 point);

// What a force at `lever` from the centre does to the second point; the transpose says how its move moves that point.
static inline cdg_vec3 body_piece_turn(const cdg_body_piece *body, cdg_vec3 lever, cdg_vec3 force) {
    cdg_vec3 torque = vec3_cross(lever, force);
    const double(*l)[3] = body->turning;
    return vec3(l[0][0] * torque.x + l[1][0] * torque.y + l[2][0] * torque.z, //
                l[1][1] * torque.y + l[2][1] * torque.z, l[2][2] * torque.z);
}

// The same for the first point, which is the centre of a body without welds.
static inline cdg_vec3 body_piece_move(const cdg_body_piece *body, cdg_vec3 lever, cdg_vec3 force) {
    if (!body->is_welded) return force;
    cdg_vec3 torque = vec3_cross(lever, force);
    const double(*m)[3] = body->moving, (*s)[3] = body->swaying;
    double out[3];
    for (int k = 0; k < 3; k++)
        out[k] = m[0][k] * force.x + m[1][k] * force.y + m[2][k] * force.z + //
                 s[0][k] * torque.x + s[1][k] * torque.y + s[2][k] * torque.z;
    return vec3(out[0], out[1], out[2]);
}

// Notes forces of welded bodies that the candidate was not made with; false: there are none.
bool cdg_body_pieces_change(const cdg_pieces *pieces, cdg_body_piece *bodies);

// The end of the step: `free` with what contact did.
void cdg_body_piece_store(const cdg_pieces *pieces, const cdg_body_piece *bodies, size_t index, double step,
                          cdg_body_now *out);

#endif
