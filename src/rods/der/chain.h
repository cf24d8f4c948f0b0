// The nonlinear system that a der rod poses: value, gradient and Hessian of
//
//   sum_i 1/2 weight_i |x_i - target_i|^2 - force_i . x_i  +  sum_j 1/2 turn_weight_j (theta_j - turn_target_j)^2
//   + sum_j 1/2 S_j l_j (|e_j|/l_j - stretch_rest_j)^2  +  springs (discrete_spring.h) at nodes and held sections
//
// over nodes x and frames, which turn with their edges by parallel transport and by angles of their own. theta_j is the
// angle of frame j from its base frame transported to the edge the shortest way: what it has spun in the step. Inertia
// gives the weights of a time step; an equilibrium has none. Gradient and Hessian are by changes of x and angle from
// where the frames are; the inertia of the angle does no work on a change of x alone (d'Alembert's principle).
#ifndef CDG_RODS_DER_CHAIN_H
#define CDG_RODS_DER_CHAIN_H

#include "math/strip_solve.h"
#include "rods/discrete_spring.h"
#include "rods/rod_model.h"

// A held section acts on the element beside it by a spring over the half cell between them.
typedef struct der_anchor {
    size_t node, element;
    bool is_left; // the held section is the spring's left one: the element lies after the node
    cdg_quat frame;
    der_material material;
    double near; // rad: the twist of the half cell at the base, to count turns
} der_anchor;

typedef struct der_chain {
    size_t node_count, element_count;
    bool is_closed, is_angle; // is_angle: curvature by the angle instead of twice the tangent of its half
    // unknowns
    double *x[3];  // m, node_count
    double *q[4];  // element_count
    double *theta; // rad, element_count, since the base
    // follow from the unknowns
    double *d1[3], *d2[3], *t[3]; // element_count
    double *inverse_length;       // 1/m, element_count
    double *twist;                // rad, node_count; set by assembling, to count turns
    double *tension;              // N, element_count: stiffens edges against turning (der_chain_settle_tension)
    // constants
    const double *q_base[4];                        // element_count
    const double *twist_base;                       // rad, node_count
    const double *rest_length;                      // m, element_count
    const double *stretch_stiffness, *stretch_rest; // N, 1; element_count
    const double *bend_stiffness[3];                // N m, B/length; node_count; 0: no spring there
    const double *bend_rest[3];                     // node_count
    double *weight;                                 // N/m, node_count; may be INFINITY: held
    const double *target[3], *force[3];             // m, N; node_count
    const double *turn_weight, *turn_target;        // N m, rad; element_count
    const double *torque[3];                        // N m, material frame, element_count; NULL: none
    const der_anchor *anchors;
    size_t anchor_count;
} der_chain;

// Frames from their bases, transported to the edges as they are now. Returns false when an edge has (almost) no length
// or has turned back; *element says which.
bool der_chain_start(const der_chain *chain, size_t *element);
// Frames from where they were before x changed, transported and then turned by turn[j].
bool der_chain_follow(const der_chain *chain, const double *turn, size_t *element);

// Frames as they are in q, along their edges; theta by them, with as many whole turns as the nearest to `near` has.
// False when some frame is not along its edge.
bool der_chain_resume(const der_chain *chain, const double *near);

// der/place_simd.c: groups of elements from the first, or from j, on; returns the first element that is not done.
#define DER_PLACE_DECLARE(suffix)                                                                                      \
    size_t der_place_start##suffix(const der_chain *chain);                                                            \
    size_t der_place_follow##suffix(const der_chain *chain, size_t j, const double *turn);
DER_PLACE_DECLARE(_base)
DER_PLACE_DECLARE(_avx2)
DER_PLACE_DECLARE(_avx512)
#undef DER_PLACE_DECLARE

// The Hessian has tension/length across an edge. Newton may put an independent tension there, that which its linear
// step predicted: the true one of an iterate is spurious, since an edge that a straight step turns by a is stretched
// by a^2/2, which in a stiff rod outweighs everything else. (It is Newton's method with the tension as a further
// unknown.) This sets the true ones.
void der_chain_settle_tension(const der_chain *chain);

// Adds Hessian and minus gradient to a cleared strip and returns the value. Held nodes get unit rows. geometric as in
// discrete_spring_template.h; at 0 compression is left out, too.
double der_chain_assemble(const der_chain *chain, strip *s, double geometric);

// Where a node's unknowns are in the strip: nodes of an open chain in their order, those of a closed one from node 2
// on, nodes 0 and 1 in the border.
static inline size_t der_strip_count(const der_chain *chain) {
    return chain->is_closed ? chain->node_count - 2 : chain->node_count;
}
// Adds to the diagonal of unknown k (0 to 2: position, 3: angle) of a node.
// Where minus the gradient by that unknown is, as long as the strip is not factored.
double *der_right_side(const der_chain *chain, strip *s, size_t node, int k);
void der_strip_add_diagonal(const der_chain *chain, strip *s, size_t node, int k, double value);

// Derivative of the value without inertia, forces and torques by edge and angle of one element: the section force in
// world axes, N, and the twisting that its neighbours exert, N m.
cdg_vec3 der_chain_edge_force(const der_chain *chain, size_t element, double *turn);

// A spring as it is: at a node between two elements, or of an anchor.
typedef struct der_spring_state {
    der_section left, right;
    der_strain strain;
    der_stress stress;
} der_spring_state;
void der_chain_spring(const der_chain *chain, size_t node, der_spring_state *out);
void der_chain_spring_stress(const der_chain *chain, size_t node, der_spring_state *out); // without left and right
void der_chain_anchor(const der_chain *chain, const der_anchor *anchor, der_spring_state *out);

// Moment that a held section exerts on the rod through this anchor, world axes, N m.
cdg_vec3 der_chain_anchor_moment(const der_chain *chain, const der_anchor *anchor);

#endif
