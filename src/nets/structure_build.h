// Putting a structure together: rods between points of its own axes, and which of their nodes are one point.
#ifndef CDG_NETS_STRUCTURE_BUILD_H
#define CDG_NETS_STRUCTURE_BUILD_H

#include <cordage/structure.h>

#include "math/quat.h"

// Members of shapes.c; what follows is for them. A build that has failed ignores everything after it.
typedef struct structure_build structure_build;

// Rods that would be too many are refused before they are made.
enum { CDG_STRUCTURE_RODS_MAX = 100000, CDG_STRUCTURE_ELEMENTS_MAX = 10000000 };

// Adds a rod named NAME.suffix (empty: NAME) with the given centreline, which is in the structure's axes, and returns
// its number. The section's d1 points along the structure's z at the start, as far as the centreline leaves it free.
size_t cdg_build_rod(structure_build *build, const char *suffix, const cdg_centerline *curve, size_t element_count,
                     const cdg_section *section);
size_t cdg_build_line(structure_build *build, const char *suffix, cdg_vec3 from, cdg_vec3 to, size_t element_count,
                      const cdg_section *section);
// Keeps a copy of points that a centreline refers to.
const cdg_vec3 *cdg_build_points(structure_build *build, const cdg_vec3 *points, size_t count);

// Node `node` of rod `rod` is at the structure's point number `point`: nodes with the same number are joined.
void cdg_build_at(structure_build *build, size_t point, size_t rod, size_t node);
// Joints that are hinges, whatever the structure says.
void cdg_build_hinges(structure_build *build);

// The rod made last is straight without forces, whatever its shape is at the start.
void cdg_build_straight_rest(structure_build *build);
cdg_section cdg_section_scaled(cdg_section section, double factor);

// tied_shapes.c: the shapes that are ropes. They check their definitions, too.
cdg_result cdg_shape_bend(structure_build *build, const cdg_structure_def *def, cdg_error *error);
cdg_result cdg_shape_prusik(structure_build *build, const cdg_structure_def *def, cdg_error *error);

// shapes.c: checks the definition's sizes and builds the shape; on a mistake, the message is in error.
cdg_result cdg_shape_build(structure_build *build, const cdg_structure_def *def, cdg_error *error);

#endif
