// Solids that deform: meshes of tetrahedra with an elastic material, in the one world with rods, bodies and obstacles.
#ifndef CORDAGE_SOLID_H
#define CORDAGE_SOLID_H

#include <cordage/meshing.h>
#include <cordage/world.h>

#ifdef __cplusplus
extern "C" {
#endif

// The one list of models of solids: X(enumerator, scene name, one-line description).
#define CDG_SOLID_MODEL_LIST(X)                                                                                        \
    X(CDG_SOLID_NEO_HOOKEAN, "neo_hookean", "stable neo-Hookean material: any deformation, inverted elements too")     \
    X(CDG_SOLID_COROTATIONAL, "corotational", "linear elasticity in axes that turn with each element")

typedef enum cdg_solid_model {
#define CDG_SOLID_MODEL_ENUM(name, key, text) name,
    CDG_SOLID_MODEL_LIST(CDG_SOLID_MODEL_ENUM)
#undef CDG_SOLID_MODEL_ENUM
        CDG_SOLID_MODEL_COUNT
} cdg_solid_model;

// The one list of integrators of solids: X(enumerator, scene name, one-line description).
#define CDG_SOLID_INTEGRATOR_LIST(X)                                                                                   \
    X(CDG_SOLID_BDF2, "bdf2", "implicit, second order, little damping")                                                \
    X(CDG_SOLID_EULER, "euler", "implicit, first order, damps")                                                        \
    X(CDG_SOLID_EXPLICIT, "explicit", "symplectic Euler in sub-steps that are short enough")

typedef enum cdg_solid_integrator {
#define CDG_SOLID_INTEGRATOR_ENUM(name, key, text) name,
    CDG_SOLID_INTEGRATOR_LIST(CDG_SOLID_INTEGRATOR_ENUM)
#undef CDG_SOLID_INTEGRATOR_ENUM
        CDG_SOLID_INTEGRATOR_COUNT
} cdg_solid_integrator;

// ---- meshes of shapes -----------------------------------------------------------------------------------------------

// The one list of shapes: X(enumerator, scene key, what it is).
#define CDG_SHAPE_LIST(X)                                                                                              \
    X(CDG_SHAPE_BOX, "box", "a block about the origin")                                                                \
    X(CDG_SHAPE_SPHERE, "sphere", "a ball about the origin")                                                           \
    X(CDG_SHAPE_ELLIPSOID, "ellipsoid", "with axes along x, y and z about the origin")                                 \
    X(CDG_SHAPE_CYLINDER, "cylinder", "with flat ends, along z about the origin")                                      \
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

// Only the members of the chosen kind are read.
typedef struct cdg_shape_def {
    cdg_shape_kind kind;
    cdg_vec3 size;              // box, ellipsoid: whole lengths along the axes, m
    double radius;              // sphere, cylinder; tube, wedge: the outer one; torus: of its middle line; m
    double inner_radius;        // tube, wedge: of the hole, m
    double thickness;           // torus: radius of its section, m
    double length;              // cylinder, tube: along z; wedge: along y, m
    double angle;               // wedge: that it spans, rad
    const double (*profile)[2]; // revolved: radius and height (m) of points from bottom to top; heights ascend
    size_t profile_count;
    double resolution; // m: about the length of an edge; 0: the shape's longest extent over 10
} cdg_shape_def;

// A mesh of tetrahedra of the shape. Free `out` afterwards.
cdg_result cdg_shape_mesh(const cdg_shape_def *def, cdg_tetrahedral_mesh *out, cdg_error *error);

// ---- solids ---------------------------------------------------------------------------------------------------------

typedef struct cdg_solid_def {
    const char *name;          // copied; unique among solids; NULL: chosen for you
    cdg_tetrahedral_mesh mesh; // as it is at rest; copied; positive volumes, every point in a tetrahedron
    cdg_vec3 position;         // m: where the mesh's origin is
    cdg_quat orientation;      // how it is turned about that
    double scale;              // of the mesh, before it is placed
    cdg_solid_model model;
    cdg_solid_integrator integrator;
    double young_modulus;      // Pa
    double poisson_ratio;      // -1 < nu < 0.5
    double density;            // kg/m^3
    double damping_time;       // s: stress follows strain + damping_time * its rate (Kelvin-Voigt)
    cdg_vec3 velocity;         // m/s, of the centre of mass at the start
    cdg_vec3 angular_velocity; // rad/s, about it
} cdg_solid_def;

cdg_solid_def cdg_solid_def_default(void); // no mesh; rubber-like: 1 MPa, 0.4, 1000 kg/m^3

#ifdef __cplusplus
}
#endif
#endif
