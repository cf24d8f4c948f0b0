// The smooth curve of a rod at one moment, and the material's frame along it: what skins are laid on, and what tells
// where a rod is between its nodes. A place is an arc length at rest, so it is the same piece of material however an
// element is stretched, and however finely the rod is divided at the moment.
#ifndef CDG_GEOMETRY_ROD_CURVE_H
#define CDG_GEOMETRY_ROD_CURVE_H

#include "geometry/spline.h"

// How far beside its nodes and frames a rod is drawn whose resolution has changed, so that its skin does not jump
// (adapt/drawn.c). Each may be NULL: nothing.
typedef struct cdg_drawn_beside {
    const cdg_vec3 *shift;   // m, nodes
    const double *roll;      // rad about d3, elements
    const double *node_roll; // rad, nodes: at them, beyond what is between the elements'
} cdg_drawn_beside;

// A rod at one moment.
typedef struct cdg_rod_pose {
    bool is_closed;
    size_t element_count;
    const double *rest_length; // m, element_count
    const cdg_vec3 *positions; // nodes
    const cdg_quat *frames;    // element_count
    double closing_turn;       // rad about d3 that a closed rod's frames jump by from the last to the first; 0: none
    cdg_drawn_beside beside;   // for pictures of rods whose resolution changes
} cdg_rod_pose;

// Ready to be asked. All arrays lie in one block.
typedef struct cdg_rod_curve {
    size_t element_count;
    double *arc;      // m, element_count + 1: where elements begin, and the rod's end
    cdg_quat *frames; // element_count, unit
    // element_count + 1: rotation vector per length (material frame, 1/m) around the node where element i begins, and
    // the one where the last ends. A closed rod's joint is seen from after it in the first, from before in the last.
    cdg_vec3 *turn;
    // rad, element_count + 1, or NULL: what frames are turned by about d3 at nodes, and less towards middles
    double *node_roll;
    cdg_spline spline;
    void *memory;
} cdg_rod_curve;

// CDG_ERROR_ARGUMENT: too few elements, numbers that are not finite, lengths that are not positive.
cdg_result cdg_rod_curve_make(const cdg_rod_pose *pose, cdg_rod_curve *out, cdg_error *error);
void cdg_rod_curve_free(cdg_rod_curve *curve);

// The element at a place, found by going on from one before it.
size_t cdg_rod_curve_element(const cdg_rod_curve *curve, size_t from, double at);

// Where a place is, and how the rod bends, twists and stretches there.
typedef struct cdg_rod_point {
    cdg_vec3 position; // at a node the node's, unless it is drawn beside
    cdg_quat frame;    // d3 along the tangent, turned about it as the material is
    cdg_vec3 turn;     // 1/m
    double stretch;    // length now per length at rest
} cdg_rod_point;

cdg_rod_point cdg_rod_curve_at(const cdg_rod_curve *curve, size_t element, double at);

// The material's frame there, which in the middle of an element is the element's, wherever the curve's tangent points.
cdg_quat cdg_rod_curve_frame(const cdg_rod_curve *curve, size_t element, double at);

#endif
