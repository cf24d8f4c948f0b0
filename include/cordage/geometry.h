// Shapes: centrelines and cross-sections, described by value, and the functions that turn them into numbers.
#ifndef CORDAGE_GEOMETRY_H
#define CORDAGE_GEOMETRY_H

#include <cordage/base.h>

#ifdef __cplusplus
extern "C" {
#endif

// ---- centrelines ----------------------------------------------------------------------------------------------------

// X(enumerator, scene key)
#define CDG_CENTERLINE_LIST(X)                                                                                         \
    X(CDG_CENTERLINE_LINE, "line")                                                                                     \
    X(CDG_CENTERLINE_ARC, "arc")                                                                                       \
    X(CDG_CENTERLINE_CIRCLE, "circle")                                                                                 \
    X(CDG_CENTERLINE_HELIX, "helix")                                                                                   \
    X(CDG_CENTERLINE_POLYLINE, "points")                                                                               \
    X(CDG_CENTERLINE_SPLINE, "spline")                                                                                 \
    X(CDG_CENTERLINE_FILE, "file")                                                                                     \
    X(CDG_CENTERLINE_KNOT, "knot")

typedef enum cdg_centerline_kind {
#define CDG_CENTERLINE_ENUM(name, key) name,
    CDG_CENTERLINE_LIST(CDG_CENTERLINE_ENUM)
#undef CDG_CENTERLINE_ENUM
        CDG_CENTERLINE_KIND_COUNT
} cdg_centerline_kind;

// A curve in space. Only the members of the chosen kind are read; lengths in m, angles in rad. Circle and closed knot
// are closed curves; polyline, spline and file are closed when `closed` is set. A file whose points form a ring needs
// it set.
typedef struct cdg_centerline {
    cdg_centerline_kind kind;
    bool closed;
    struct {
        cdg_vec3 from, to;
    } line;
    struct { // starts at `start` along `tangent`, turns towards `normal` by `angle` on a circle of `radius`
        cdg_vec3 start, tangent, normal;
        double radius, angle;
    } arc;
    // start_direction of circle and helix is made perpendicular to axis; zero: any (x when the axis is z)
    struct { // starts at center + radius * start_direction, turns right-handed about axis
        cdg_vec3 center, axis, start_direction;
        double radius;
    } circle;
    struct { // axis through `base` along `axis`; starts at base + radius * start_direction; pitch is the rise a turn
        cdg_vec3 base, axis, start_direction;
        double radius, pitch, turns;
        bool left_handed;
    } helix;
    struct { // polyline, spline and file (when read): control points
        const cdg_vec3 *points;
        size_t count;
    } points;
    struct {
        const char *path; // .csv (x,y,z a line, optional header) or .obj (v and l records)
    } file;
    struct {      // torus knot (p, q): p times around the torus' axis, q times through its hole. trefoil = (2, 3)
        int p, q; // coprime; right-handed when p q > 0, mirrored when one is negative
        double radius, tube_radius; // torus: centre circle and tube
        cdg_vec3 center, axis;
        // > 0: the knot is opened where it is farthest from the axis and gets two straight tails of this length, which
        // run in opposite directions along the tangent there: (0, p (radius + tube_radius), -q tube_radius) when the
        // axis is z. 0: closed
        double tail;
    } knot;
} cdg_centerline;

cdg_centerline cdg_centerline_default(void); // a line from (0,0,0) to (1,0,0)

// Whether the curve closes on itself (then N elements have N nodes, else N + 1).
bool cdg_centerline_is_closed(const cdg_centerline *curve);

// Samples node positions equally spaced in arc length *of the curve*; polylines keep their points when element_count
// is points - 1 (or points, closed), else they are resampled by arc length. `out` holds element_count + 1 positions
// (closed: element_count). A circle or helix is sampled on the curve itself (the nodes lie on it).
cdg_result cdg_centerline_sample(const cdg_centerline *curve, size_t element_count, cdg_vec3 *out, cdg_error *error);

// Arc length of the curve, m.
cdg_result cdg_centerline_length(const cdg_centerline *curve, double *out, cdg_error *error);

// ---- cross-sections -------------------------------------------------------------------------------------------------

#define CDG_SECTION_LIST(X)                                                                                            \
    X(CDG_SECTION_CIRCLE, "circle")                                                                                    \
    X(CDG_SECTION_ELLIPSE, "ellipse")                                                                                  \
    X(CDG_SECTION_RECTANGLE, "rectangle")                                                                              \
    X(CDG_SECTION_TUBE, "tube")

typedef enum cdg_section_kind {
#define CDG_SECTION_ENUM(name, key) name,
    CDG_SECTION_LIST(CDG_SECTION_ENUM)
#undef CDG_SECTION_ENUM
        CDG_SECTION_KIND_COUNT
} cdg_section_kind;

// Sizes in m. d1 and d2 are the section's principal axes.
typedef struct cdg_section {
    cdg_section_kind kind;
    double radius;       // circle; tube: outer radius
    double inner_radius; // tube
    double semi_axis[2]; // ellipse: along d1, d2
    double side[2];      // rectangle: full width along d1, d2
} cdg_section;

cdg_section cdg_section_default(void); // circle of radius 1 mm

// Geometric properties of a section.
typedef struct cdg_section_properties {
    double area;             // m^2
    double second_moment[2]; // m^4, about d1 (integral of y2^2) and about d2 (integral of y1^2)
    double polar_moment;     // m^4, sum of the two: rotary inertia about d3
    double torsion_constant; // m^4, Saint-Venant
    double shear_factor[2];  // Timoshenko, along d1 and d2 (Cowper, for poisson_ratio)
    double bounding_radius;  // m, of the smallest circle about the centroid that holds the section: contact, pictures
} cdg_section_properties;

cdg_result cdg_section_compute(const cdg_section *section, double poisson_ratio, cdg_section_properties *out,
                               cdg_error *error);

// The section between two of the same kind at `fraction` in [0, 1]: sizes interpolate linearly (taper).
cdg_section cdg_section_interpolate(const cdg_section *a, const cdg_section *b, double fraction);

#ifdef __cplusplus
}
#endif
#endif
