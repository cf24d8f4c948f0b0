// Nodes of a rod marked on its skin: dark rings where they are.
#ifndef CDG_RENDER_NODE_MARKS_H
#define CDG_RENDER_NODE_MARKS_H

#include "geometry/skin.h"

// Darkens the vertices of the rings at each of the nodes, whose places are fractions of the rest length, rising; and of
// those within `half_width`, a fraction of it, too. `colors` are 3 a vertex.
void cdg_node_marks_put(const cdg_skin *skin, const double *nodes, size_t node_count, double half_width, float *colors);

#endif
