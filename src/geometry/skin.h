// The skin of a rod: its section's true shape swept along the centreline with the material frames, as triangles.
//
// Topology is made once and stays, whatever the pose and however finely the rod is divided at the moment: rings of
// vertices stand at fixed fractions of the rest length. So a skin can be animated, and does not pop when the rod's
// resolution changes. The centreline is a cubic spline through the nodes, and frames are interpolated between elements.
#ifndef CDG_GEOMETRY_SKIN_H
#define CDG_GEOMETRY_SKIN_H

#include <cordage/geometry.h>

#include "geometry/rod_curve.h"

typedef struct cdg_skin_def {
    bool is_closed;
    size_t element_count;        // of the rod when the skin is made; rings stand at its nodes
    const double *rest_length;   // m, element_count
    const cdg_section *sections; // element_count + 1 (closed: element_count), all of one kind
    size_t rings_per_element;    // 0: enough for a smooth look (at least 2)
    size_t side_count;           // corners of the section's outline; 0: chosen by its kind; may be rounded up
    // Closed rods only, optional: element_count frames at some moment, best a late one. A jump between the last and the
    // first that the section's symmetry hides, as the half turn in a Moebius band, is then where the skin is joined; it
    // would be drawn as a twist over one element else.
    const cdg_quat *frames;
} cdg_skin_def;

typedef struct cdg_skin {
    size_t vertex_count, triangle_count;
    uint32_t *triangles; // 3 triangle_count, counter-clockwise seen from outside
    // Stations along the rod where rings of vertices stand. A closed rod's last ring joins its first without a seam.
    // Vertex k of station s is number s ring_size + k; the caps' vertices come after those of all rings.
    size_t station_count, ring_size;
    double *station;      // station_count, fraction of the rest length in [0, 1]
    uint32_t *station_of; // vertex_count: the station that a vertex moves with (caps: 0 or the last)
    // vertex_count: place around the section in turns, [0, 1), 0 along +d1, counter-clockwise. An ellipse's is that of
    // the circle it is stretched from, a rectangle's runs evenly along its outline.
    float *around;
    float *local;        // 3 vertex_count: the vertex in its station's frame, m along d1, d2, d3 (d3 only in caps)
    float *local_normal; // 3 vertex_count: the outward unit normal there, of a straight untwisted rod
    bool is_closed;
    double closing_turn; // rad about d3 that a closed rod's frames jump by where its skin is joined; 0: none
} cdg_skin;

cdg_result cdg_skin_create(const cdg_skin_def *def, cdg_skin **out, cdg_error *error);
void cdg_skin_destroy(cdg_skin *skin); // NULL is fine

// The rod at one moment; its division may differ from the one the skin was made with.
typedef struct cdg_skin_pose {
    size_t element_count;
    const double *rest_length; // m, element_count
    const cdg_vec3 *positions; // nodes
    const cdg_quat *frames;    // element_count
    cdg_drawn_beside beside;   // rod_curve.h
} cdg_skin_pose;

// Where each station is: position, frame (d3 along the spline's tangent, turned about it as the material is). At a node
// of the rod the position is the node's. Arrays of station_count; any may be NULL.
cdg_result cdg_skin_place_stations(const cdg_skin *skin, const cdg_skin_pose *pose, cdg_vec3 *positions,
                                   cdg_quat *frames, cdg_error *error);

// Vertices and outward normals of the whole skin, 3 vertex_count floats each; normals may be NULL.
cdg_result cdg_skin_place(const cdg_skin *skin, const cdg_skin_pose *pose, float *vertices, float *normals,
                          cdg_error *error);

// Values given at nodes or at the middles of elements, carried to the stations (linear in rest arc length, constant
// beyond the first and the last middle).
void cdg_skin_spread(const cdg_skin *skin, const cdg_skin_pose *pose, const double *values, bool per_element,
                     double *out);

#endif
