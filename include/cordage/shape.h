// Shapes of obstacles, rigid bodies and solids, and regions of solids, described by value.
#ifndef CORDAGE_SHAPE_H
#define CORDAGE_SHAPE_H

#include <cordage/base.h>

#ifdef __cplusplus
extern "C" {
#endif

// A mesh: points, and triangles, tetrahedra, or both, whose corners are indices of points from 0. One that was read
// or made has memory of its own (cdg_mesh_free); functions that are given one copy what they keep.
typedef struct cdg_mesh {
    cdg_vec3 *points; // m
    size_t point_count;
    uint32_t (*triangles)[3]; // counter-clockwise as seen from outside, if there is one
    size_t triangle_count;
    uint32_t (*tetrahedra)[4]; // dot(cross(p1 - p0, p2 - p0), p3 - p0) > 0
    size_t tetrahedron_count;
} cdg_mesh;

void cdg_mesh_free(cdg_mesh *mesh); // leaves an empty one; NULL and empty ones are fine

// The one list of shapes: X(enumerator, scene key, what it is). Obstacles have those from plane to mesh, bodies those
// from sphere to mesh; solids are made of all but plane, capsule and mesh (cdg_mesh_fill fills a mesh).
#define CDG_SHAPE_LIST(X)                                                                                              \
    X(CDG_SHAPE_PLANE, "plane", "all that lies below a plane")                                                         \
    X(CDG_SHAPE_SPHERE, "sphere", "a ball about the position")                                                         \
    X(CDG_SHAPE_BOX, "box", "a block about the position")                                                              \
    X(CDG_SHAPE_CAPSULE, "capsule", "a rod with round ends along z about the position")                                \
    X(CDG_SHAPE_CYLINDER, "cylinder", "a cylinder with flat ends along z about the position")                          \
    X(CDG_SHAPE_MESH, "mesh", "the inside of a closed surface of triangles, or a surface")                             \
    X(CDG_SHAPE_ELLIPSOID, "ellipsoid", "with axes along x, y and z about the position")                               \
    X(CDG_SHAPE_TUBE, "tube", "a cylinder with a round hole along z")                                                  \
    X(CDG_SHAPE_TORUS, "torus", "a ring about the axis z")                                                             \
    X(CDG_SHAPE_WEDGE, "wedge", "a sector of a tube along y, its middle at the top (z): a stone of an arch")           \
    X(CDG_SHAPE_REVOLVED, "revolved", "what is inside a profile that turns about the axis z")

typedef enum cdg_shape_kind {
#define CDG_SHAPE_ENUM(name, key, text) name,
    CDG_SHAPE_LIST(CDG_SHAPE_ENUM)
#undef CDG_SHAPE_ENUM
        CDG_SHAPE_KIND_COUNT
} cdg_shape_kind;

// Only the members of the chosen kind are read. Shapes are described in their own axes; position and orientation place
// these in the world.
typedef struct cdg_shape {
    cdg_shape_kind kind;
    cdg_vec3 position; // m
    cdg_quat orientation;
    double radius;       // sphere, capsule, cylinder; tube, wedge: the outer one; torus: of its middle line; m
    double length;       // capsule: between the centres of its ends; cylinder, tube: along z; wedge: along y; m
    cdg_vec3 size;       // box, ellipsoid: whole lengths along the axes, m
    cdg_vec3 normal;     // plane: points out of the filled half; need not be of unit length
    double offset;       // plane: m, points x with normal . x = offset lie on it (unit normal)
    cdg_mesh mesh;       // mesh: its triangles; not copied, so they stay where they are as long as the shape is used
    bool is_surface;     // mesh: may be open; it has two sides, no inside, and nothing is ever within it
    double inner_radius; // tube, wedge: of the hole, m
    double thickness;    // torus: radius of its section, m
    double angle;        // wedge: that it spans, rad
    const double (*profile)[2]; // revolved: radius and height (m) of points from bottom to top; heights ascend
    size_t profile_count;
} cdg_shape;

// The inside of a mesh's triangles. NULL: of none.
cdg_shape cdg_shape_of_mesh(const cdg_mesh *mesh);
cdg_shape cdg_shape_default(void);               // a ball of 5 cm at the origin; sides and lengths are 10 cm
const char *cdg_shape_name(cdg_shape_kind kind); // the word of scenes; "": there is no such kind

#ifdef __cplusplus
}
#endif
#endif
