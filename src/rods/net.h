// Rods joined at nodes: a Cosserat net (Spillmann and Teschner, Cosserat Nets, section VI). Which points are one, which
// pairs of segments feel each other's orientation, and the energy of such a pair. No model knows more about joints.
//
// A joint makes nodes of several rods (or of one) a single point. Each rod keeps its own copy of it, with its own share
// of the mass; the copies move alike. Every two segments that meet there and are not already neighbours in a rod form
// an orientation element, as two neighbours in a rod do, whose rest turn is that of the rest shape: any angle, any
// number of segments, loops too.
//
// Energy of a pair. With the turn p = conj(q_a) q_b and its rest r, the error e = conj(r) p = (w, v) is the identity at
// rest whatever the angle between the segments (Im p - Im r, the measure within a rod, loses a component where the
// segments meet at 180 degrees). Of e and -e the one with w >= 0 counts:
//   U = 2 v^T K v
// with K from the half segments between both frames and the joint, and the joint's own stiffness (net_pairs.h): for two
// rods joined end to end this is the energy of the cell between neighbours.
// A small turn theta_b (material axes) changes v by (w theta_b + v x theta_b)/2, a turn theta_a by -(w phi - v x phi)/2
// with phi = R(r)^T theta_a, so with m = 2 K v
//   torque on b: -w m + v x m   (axes of b),     on a: R(r) (w m + v x m)   (axes of a).
// In world axes they are opposite.
#ifndef CDG_RODS_NET_H
#define CDG_RODS_NET_H

#include "math/quat.h"
#include "rods/rod.h"

// A node of the net's rod number `rod`, and the frames at rest of the segments on either side (as far as there are).
typedef struct cdg_net_member {
    uint32_t rod;
    size_t node, defined; // at present, and of the rod's definition, which differ where its resolution changes
    cdg_quat left, right;
} cdg_net_member;

// A node of the rod's definition, with the present frames as those at rest.
cdg_net_member cdg_net_member_of(const cdg_rod *rod, uint32_t number, size_t node);

// Members first .. first + count - 1 are one point.
typedef struct cdg_net_joint {
    size_t first, count;
} cdg_net_joint;

// An element that meets others at a joint, once however many pairs it is in.
typedef struct cdg_net_segment {
    uint32_t rod;
    uint32_t pair_count; // it is in, without those of neighbours in a rod
    size_t element;
} cdg_net_segment;

// Where a pair's segment is: before or after the node of a member.
typedef struct cdg_net_end {
    size_t member;
    bool is_after;
} cdg_net_end;

typedef struct cdg_net_pair {
    uint32_t segment_a, segment_b; // indices in the net's segments
    uint32_t rod_a, rod_b;
    size_t element_a, element_b;
    cdg_net_end end_a, end_b;
    cdg_quat rest;         // conj(q_a) q_b of the rest shape
    double stiffness[6];   // K, N m: xx xy xz yy yz zz, axes of b
    double damping_time;   // s, mean of both rods' bending
    size_t node_a, node_b; // where they meet
    // Neighbours in a rod, whose cell is stiffer than what the joint leaves of it (net_pairs.h): K is what it has too
    // much, negative; `instead` is the stiffness of the whole, for models that take the cell away.
    bool is_within;
    double instead[6];
} cdg_net_pair;

typedef struct cdg_net {
    cdg_rod **rods; // rod_count, not owned
    size_t rod_count;
    cdg_net_joint *joints;
    size_t joint_count;
    cdg_net_member *members;
    size_t member_count;
    cdg_net_pair *pairs;
    size_t pair_count;
    cdg_net_segment *segments;
    size_t segment_count;
    void *plan; // what the rods' model keeps for the net (rod_model.h: prepare_net), freed with free_plan; NULL: none
    void (*free_plan)(void *plan);
} cdg_net;

// What the user asked for: nodes that are to be one point. Rods by their number in the net.
typedef struct cdg_net_joint_def {
    const cdg_net_member *members;
    size_t count;
    double stiffness; // factor of K; 0: the segments turn freely against each other
    // In place of the factor: N m/rad about the section's axes of the first member, HUGE_VAL: rigid. In series with the
    // half segments that meet there.
    bool has_axes;
    double axes[3];
} cdg_net_joint_def;

// Joints that share a node become one point, where each keeps its own stiffness. Fails when a node does not exist or
// when nodes lie apart by more than a thousandth of a segment; else puts them all at one point.
cdg_result cdg_net_build(cdg_rod *const *rods, size_t rod_count, const cdg_net_joint_def *joints, size_t joint_count,
                         cdg_net **out, cdg_error *error);
void cdg_net_destroy(cdg_net *net); // NULL is fine
// After the resolution of rods has changed: numbers of nodes and elements. Elements beside a joint keep their length,
// and so pairs their stiffness.
void cdg_net_renumber(cdg_net *net);

// e of above, with w >= 0.
static inline cdg_quat cdg_net_pair_error(const cdg_net_pair *pair, cdg_quat a, cdg_quat b) {
    cdg_quat e = quat_multiply(quat_conjugate(pair->rest), quat_relative(a, b));
    return e.w < 0 ? quat_negate(e) : e;
}

static inline cdg_vec3 cdg_net_pair_times(const double k[6], cdg_vec3 v) { // K v
    return vec3(k[0] * v.x + k[1] * v.y + k[2] * v.z, k[1] * v.x + k[3] * v.y + k[4] * v.z,
                k[2] * v.x + k[4] * v.y + k[5] * v.z);
}

typedef struct cdg_net_torques {
    cdg_vec3 on_a, on_b; // N m, each in the material axes of its own frame
} cdg_net_torques;

// From the error e and the moment m (axes of b), which is 2 K v or has friction, too.
static inline cdg_net_torques cdg_net_torques_of(const cdg_net_pair *pair, cdg_quat e, cdg_vec3 m) {
    cdg_vec3 turned = vec3_cross(quat_imaginary(e), m);
    return (cdg_net_torques){.on_a = quat_rotate(pair->rest, vec3_mad(turned, e.w, m)),
                             .on_b = vec3_mad(turned, -e.w, m)};
}

static inline cdg_net_torques cdg_net_pair_torques(const cdg_net_pair *pair, cdg_quat a, cdg_quat b) {
    cdg_quat e = cdg_net_pair_error(pair, a, b);
    return cdg_net_torques_of(pair, e, vec3_scale(2, cdg_net_pair_times(pair->stiffness, quat_imaginary(e))));
}

double cdg_net_pair_energy(const cdg_net_pair *pair, cdg_quat a, cdg_quat b); // J
// Not where supports hold the sections of both: half cells between these and the segments are there then.
bool cdg_net_pair_acts(const cdg_net *net, const cdg_net_pair *pair);

// The hold that keeps a node in place; NULL: none. That of a joint is its first held member's, and holds all its
// copies.
cdg_hold *cdg_net_position_hold(const cdg_rod *rod, size_t node);
cdg_hold *cdg_net_holder(const cdg_net *net, size_t joint);
// Fails when supports want one point to be at two; `failed` is then the number of one of the rods.
cdg_result cdg_net_check_holds(const cdg_net *net, size_t *failed, cdg_error *error);

#endif
