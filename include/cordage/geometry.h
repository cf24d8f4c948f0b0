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
    X(CDG_CENTERLINE_KNOT, "knot")                                                                                     \
    X(CDG_CENTERLINE_TIED, "tied")

typedef enum cdg_centerline_kind {
#define CDG_CENTERLINE_ENUM(name, key) name,
    CDG_CENTERLINE_LIST(CDG_CENTERLINE_ENUM)
#undef CDG_CENTERLINE_ENUM
        CDG_CENTERLINE_KIND_COUNT
} cdg_centerline_kind;

// The one list of knots that are tied in ropes: X(enumerator, scene name, one-line description).
#define CDG_TIED_LIST(X)                                                                                               \
    X(CDG_TIED_OVERHAND, "overhand", "the simplest stopper, half of many knots")                                       \
    X(CDG_TIED_FIGURE_EIGHT, "figure_eight", "a stopper that jams less")                                               \
    X(CDG_TIED_BOWLINE, "bowline", "a loop that does not slip")                                                        \
    X(CDG_TIED_SQUARE, "square", "two bights through each other, both legs on one side: the reef knot")                \
    X(CDG_TIED_GRANNY, "granny", "the square knot with its second half the wrong way around")                          \
    X(CDG_TIED_BOW, "bow", "a square knot whose second half is tied with doubled ends: the shoelace")                  \
    X(CDG_TIED_SHEET_BEND, "sheet_bend", "a bight, and a rope through it, around it and under itself")                 \
    X(CDG_TIED_DOUBLE_FISHERMAN, "double_fisherman", "each rope winds twice around the other and itself")

typedef enum cdg_tied_knot {
#define CDG_TIED_ENUM(name, key, text) name,
    CDG_TIED_LIST(CDG_TIED_ENUM)
#undef CDG_TIED_ENUM
        CDG_TIED_KNOT_COUNT
} cdg_tied_knot;

// A point of how nodes are spaced along a curve: what lies at the share `even` of its length when all elements are
// equal lies at the share `at`.
typedef struct cdg_spacing {
    double even, at; // between 0 and 1
} cdg_spacing;

// A curve in space. Only the members of the chosen kind are read; lengths in m, angles in rad. Circle and closed knot
// are closed curves; polyline, spline and file are closed when `closed` is set. A file whose points form a ring needs
// it set.
typedef struct cdg_centerline {
    cdg_centerline_kind kind;
    bool closed;
    // Uneven elements: points in rising order, between which nodes are evenly spaced; of N elements node i is at the
    // share `at` when `even` is i/N. None: all elements are equal. Points of a polyline are then not kept.
    const cdg_spacing *spacing;
    size_t spacing_count;
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
    // A knot in a rope, tight but for the clearance: strands are 2 radius + clearance apart at least, of polygons, too,
    // and its size grows with that. In its own axes it is pulled along x and lies flat across z. Overhand and
    // figure-eight leave along -x at the start and x at the end; the others are made of two strands, which are two
    // ropes, or one.
    struct {
        cdg_tied_knot knot;
        double radius, clearance;           // of the rope, between strands, m; radius > 0, clearance >= 0
        double tail[2];                     // straight ends at the start and at the end beyond the knot itself, m
        cdg_vec3 center, direction, normal; // middle; own x; own z (made perpendicular to x)
        // Knots of two strands: 1 or 2, that strand alone, from its standing part to its tail (of a bowline: from the
        // standing part to the loop, and from the loop to the tail); 0: both in one rope, joined by a loop, with tails
        // at both ends. Others: 0.
        int strand;
        double loop; // m, rope between both strands; 0: as little as is round
        // Instead of a round loop: places that it goes through on its way, in the world's axes. The caller keeps
        // clearance there.
        const cdg_vec3 *through;
        size_t through_count;
    } tied;
} cdg_centerline;

cdg_centerline cdg_centerline_default(void); // a line from (0,0,0) to (1,0,0)

// Whether the curve closes on itself (then N elements have N nodes, else N + 1).
bool cdg_centerline_is_closed(const cdg_centerline *curve);

// Samples nodes by arc length *of the curve*, evenly or as `spacing` says; an even polyline keeps its points when
// element_count is points - 1 (or points, closed), else it is resampled. `out` holds element_count + 1 positions
// (closed: element_count). A circle or helix is sampled on the curve itself (the nodes lie on it).
cdg_result cdg_centerline_sample(const cdg_centerline *curve, size_t element_count, cdg_vec3 *out, cdg_error *error);

// Arc length of the curve, m.
cdg_result cdg_centerline_length(const cdg_centerline *curve, double *out, cdg_error *error);

// The fewest elements that the curve can be sampled with: 1, closed 3, and for a knot that is tied as many as keep its
// strands apart.
cdg_result cdg_centerline_least_elements(const cdg_centerline *curve, size_t *out, cdg_error *error);

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

// Finds them, exactly where there is a formula.
cdg_result cdg_section_compute(const cdg_section *section, double poisson_ratio, cdg_section_properties *out,
                               cdg_error *error);

// The section between two of the same kind at `fraction` in [0, 1]: sizes interpolate linearly (taper).
cdg_section cdg_section_interpolate(const cdg_section *a, const cdg_section *b, double fraction);

#ifdef __cplusplus
}
#endif
#endif
