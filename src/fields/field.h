// Every quantity that a rod has along its length, once: name, unit, where it lives, what each format calls it, and how
// it is measured on a rod. Run files, probes, plots, pictures and exports all go by this list.
//
// A new field is one line here and one function in field.c; everything else follows.
#ifndef CDG_FIELDS_FIELD_H
#define CDG_FIELDS_FIELD_H

#include "rods/rod.h"

typedef enum cdg_field_per { CDG_FIELD_PER_NODE, CDG_FIELD_PER_ELEMENT } cdg_field_per;

// What the components are along: none for a single number, the world's x y z, w x y z of a quaternion, or d1 d2 d3.
typedef enum cdg_field_axes {
    CDG_FIELD_SCALAR,
    CDG_FIELD_WORLD,
    CDG_FIELD_QUATERNION,
    CDG_FIELD_MATERIAL
} cdg_field_axes;

typedef enum cdg_field_trait {
    CDG_FIELD_PLAIN = 0,
    CDG_FIELD_INNER = 1,   // measured between two sections: NaN at the free ends of a rod
    CDG_FIELD_LATER = 2,   // run files of format 1 do not hold it; recomputed.h makes it from positions and frames
    CDG_FIELD_LENGTH = 4,  // without a component named, plots show the length of the vector
    CDG_FIELD_ADAPTS = 8,  // run files hold it of rods whose resolution changes alone; of others it is 0
    CDG_FIELD_ALWAYS = 16, // every run file holds it: pictures, exports and everything that is recomputed need it
    CDG_FIELD_STATE = 32,  // stands in the rod's arrays; the others are measured, which takes longer
    CDG_FIELD_DRAWN = 64   // older run files do not hold it: 0
} cdg_field_trait;

// X(name in run files and of plots, per, axes, components, unit, label of plots, name in VTK, beginning of columns in
// CSV, traits, description)
#define CDG_FIELD_LIST(X)                                                                                              \
    X(positions, CDG_FIELD_PER_NODE, CDG_FIELD_WORLD, 3, "m", "position", "position", "",                              \
      CDG_FIELD_ALWAYS | CDG_FIELD_STATE, "positions of the nodes, world axes")                                        \
    X(velocities, CDG_FIELD_PER_NODE, CDG_FIELD_WORLD, 3, "m/s", "velocity", "velocity", "v", CDG_FIELD_STATE,         \
      "velocities of the nodes, world axes")                                                                           \
    X(frames, CDG_FIELD_PER_ELEMENT, CDG_FIELD_QUATERNION, 4, "1", "frame", "frame", "q",                              \
      CDG_FIELD_ALWAYS | CDG_FIELD_STATE, "orientations of the elements, unit quaternions w x y z; d3 is the tangent") \
    X(angular_velocities, CDG_FIELD_PER_ELEMENT, CDG_FIELD_MATERIAL, 3, "rad/s", "angular velocity",                   \
      "angular_velocity", "angular_velocity_", CDG_FIELD_STATE, "angular velocities of the elements, material frame")  \
    X(tension, CDG_FIELD_PER_ELEMENT, CDG_FIELD_SCALAR, 1, "N", "tension", "tension", "tension", CDG_FIELD_PLAIN,      \
      "axial forces in the elements; pull is positive")                                                                \
    X(forces, CDG_FIELD_PER_ELEMENT, CDG_FIELD_MATERIAL, 3, "N", "section force", "force", "force_", CDG_FIELD_PLAIN,  \
      "section forces in the elements, material frame: shear d1, shear d2, tension")                                   \
    X(moment, CDG_FIELD_PER_NODE, CDG_FIELD_MATERIAL, 3, "N*m", "moment", "moment", "moment_", CDG_FIELD_PLAIN,        \
      "section moments at the nodes, material frame: bending d1, d2, torque; 0 at free ends")                          \
    X(strains, CDG_FIELD_PER_ELEMENT, CDG_FIELD_MATERIAL, 3, "1", "strain", "strain", "strain_", CDG_FIELD_LATER,      \
      "strains of the elements by the model's measure: shear d1, shear d2, stretch")                                   \
    X(curvature, CDG_FIELD_PER_NODE, CDG_FIELD_MATERIAL, 2, "1/m", "curvature", "curvature", "curvature_",             \
      CDG_FIELD_INNER | CDG_FIELD_LATER | CDG_FIELD_LENGTH,                                                            \
      "curvatures about d1 and d2 at the nodes by the model's measure; NaN at free ends")                              \
    X(twist, CDG_FIELD_PER_NODE, CDG_FIELD_SCALAR, 1, "rad/m", "twist rate", "twist", "twist",                         \
      CDG_FIELD_INNER | CDG_FIELD_LATER,                                                                               \
      "twist rates at the nodes by the model's measure, whole turns counted where it counts them; NaN at free ends")   \
    X(level, CDG_FIELD_PER_ELEMENT, CDG_FIELD_SCALAR, 1, "1", "level", "level", "level",                               \
      CDG_FIELD_ADAPTS | CDG_FIELD_STATE,                                                                              \
      "how often the elements were halved since the scene made them; 0: not at all")                                   \
    X(drawn_shift, CDG_FIELD_PER_NODE, CDG_FIELD_WORLD, 3, "m", "shift", "drawn_shift", "drawn_shift_",                \
      CDG_FIELD_ADAPTS | CDG_FIELD_STATE | CDG_FIELD_DRAWN, "how far beside the nodes the skin is drawn, world axes")  \
    X(drawn_roll, CDG_FIELD_PER_ELEMENT, CDG_FIELD_SCALAR, 1, "rad", "roll", "drawn_roll", "drawn_roll",               \
      CDG_FIELD_ADAPTS | CDG_FIELD_STATE | CDG_FIELD_DRAWN, "how far the skin is turned about d3 against the frames")  \
    X(drawn_node_roll, CDG_FIELD_PER_NODE, CDG_FIELD_SCALAR, 1, "rad", "roll at nodes", "drawn_node_roll",             \
      "drawn_node_roll", CDG_FIELD_ADAPTS | CDG_FIELD_STATE | CDG_FIELD_DRAWN,                                         \
      "the same at the nodes, beyond what is between the elements")

typedef enum cdg_field {
#define CDG_FIELD_ENUM(name, per, axes, components, unit, label, vtk, csv, traits, text) CDG_FIELD_##name,
    CDG_FIELD_LIST(CDG_FIELD_ENUM)
#undef CDG_FIELD_ENUM
        CDG_FIELD_COUNT
} cdg_field;

enum { CDG_FIELD_COMPONENTS_MAX = 4 };

// Some of the fields, a bit for each.
typedef unsigned cdg_field_set;
static inline cdg_field_set cdg_field_bit(cdg_field field) { return 1u << field; }

typedef struct cdg_field_info {
    const char *name, *units, *description;
    const char *label;      // of plots
    const char *entry_name; // in VTK: what one entry is
    const char *column;     // in CSV: all of the column's name for a single number, else its beginning
    cdg_field_per per;
    cdg_field_axes axes;
    size_t component_count;
    unsigned traits; // cdg_field_trait
} cdg_field_info;
cdg_field_info cdg_field_get(cdg_field field);
bool cdg_field_find(const char *name, cdg_field *out);

// One character a component: "xyz", "wxyz", "123"; "" for a single number.
const char *cdg_field_letters(const cdg_field_info *info);
// Names of the components in VTK: x, w, d1 ...; NULL for a single number.
const char *const *cdg_field_component_names(const cdg_field_info *info);

// Entries of a field on a rod: its nodes or its elements.
static inline size_t cdg_field_entries(const cdg_field_info *info, size_t node_count, size_t element_count) {
    return info->per == CDG_FIELD_PER_NODE ? node_count : element_count;
}

// The field at one node or element of the rod's state: component_count numbers.
void cdg_field_measure(cdg_field field, const cdg_rod *rod, size_t index, double *out);
// At all of them, one after the other.
void cdg_field_measure_all(cdg_field field, const cdg_rod *rod, double *out);
// All fields at once, which costs little more than the dearest; those with out[field] NULL are left out.
void cdg_field_measure_rod(const cdg_rod *rod, double *const out[CDG_FIELD_COUNT]);

#endif
