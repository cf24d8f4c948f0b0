// The definition of a rod: material, section, shape, rest shape, model.
#ifndef CORDAGE_ROD_H
#define CORDAGE_ROD_H

#include <cordage/geometry.h>

// Options, each in a header of its model's own.
#include <cordage/corde.h>
#include <cordage/der.h>
#include <cordage/galpha.h>
#include <cordage/pobd.h>
#include <cordage/reference.h>

#ifdef __cplusplus
extern "C" {
#endif

// The one list of rod models: X(enumerator, name, one-line description). #name is the word of scenes.
#define CDG_MODEL_LIST(X)                                                                                              \
    X(CDG_MODEL_POBD, pobd, "position and orientation based Cosserat rod with physical stiffness")                     \
    X(CDG_MODEL_CORDE, corde, "explicit mass points and quaternions, coupled by a penalty or exactly")                 \
    X(CDG_MODEL_REFERENCE, reference, "constraint-free finite elements with exact kinetic energy, to compare with")    \
    X(CDG_MODEL_DER, der, "discrete elastic rod: centreline and material angle, implicit or explicit")                 \
    X(CDG_MODEL_GALPHA, galpha, "dynamic Cosserat equations as a boundary value problem, implicit in space and time")

typedef enum cdg_model {
#define CDG_MODEL_ENUM(name, key, text) name,
    CDG_MODEL_LIST(CDG_MODEL_ENUM)
#undef CDG_MODEL_ENUM
        CDG_MODEL_COUNT
} cdg_model;

typedef struct cdg_material {
    double young_modulus; // Pa
    double poisson_ratio; // shear modulus = E / (2 (1 + nu)) unless given
    double shear_modulus; // Pa; 0: from the two above
    double density;       // kg/m^3
    // Pa; against stretching, which bending does not feel, as in ropes, whose fibres slide; 0: young_modulus. Above
    // that it stiffens shear alike, or taut rods would give way sideways.
    double stretch_modulus;
    // Kelvin-Voigt relaxation times, s: stress = stiffness * (strain + time * strain rate). Acts on strains only, so a
    // rigid motion is never damped.
    double damping_stretch, damping_shear, damping_bend, damping_twist;
} cdg_material;

cdg_material cdg_material_default(void); // rubber-like: 1 MPa, 0.5, 1100 kg/m^3, undamped

// Section stiffness and inertia at one place of a rod, in the material frame (d1, d2, d3).
typedef struct cdg_stiffness {
    double shear[2];   // N, along d1, d2 (G A k)
    double stretch;    // N (E A)
    double bend[2];    // N m^2, about d1, d2 (E I1, E I2)
    double twist;      // N m^2 (G J)
    double mass;       // kg/m
    double inertia[3]; // kg m, rotary inertia per length about d1, d2, d3
    double radius;     // m, for contact, drag and pictures
} cdg_stiffness;

// The stiffness and inertia of a section of a material.
cdg_result cdg_stiffness_compute(const cdg_material *material, const cdg_section *section, cdg_stiffness *out,
                                 cdg_error *error);

#define CDG_REST_LIST(X)                                                                                               \
    X(CDG_REST_STRAIGHT, "straight")                                                                                   \
    X(CDG_REST_INITIAL, "initial")                                                                                     \
    X(CDG_REST_CURVATURE, "curvature")                                                                                 \
    X(CDG_REST_CENTERLINE, "centerline")

typedef enum cdg_rest_kind {
#define CDG_REST_ENUM(name, key) name,
    CDG_REST_LIST(CDG_REST_ENUM)
#undef CDG_REST_ENUM
        CDG_REST_KIND_COUNT
} cdg_rest_kind;

typedef struct cdg_rest {
    cdg_rest_kind kind;
    double curvature[2]; // 1/m about d1, d2 (kind curvature)
    double twist;        // rad/m (kind curvature; straight may have it too)
    cdg_centerline
        centerline; // kind centerline: sampled with the rod's element count; its lengths are the rest lengths
    double roll;    // rad, turns the section of the rest centerline about its tangent at the start
} cdg_rest;

// Resolution that follows the shape (docs/adaptivity.md): elements are halved where the rod bends or is touched, and
// halves are made one again where it is straight and free. Nodes of the definition stay.
typedef enum cdg_adapt_method { CDG_ADAPT_VARIATIONAL, CDG_ADAPT_PAPER } cdg_adapt_method;
// What contact halves an element: any, or contact on both of its halves, as in Spillmann's thesis.
typedef enum cdg_adapt_contact { CDG_ADAPT_TOUCHED, CDG_ADAPT_TOUCHED_ON_BOTH } cdg_adapt_contact;

typedef struct cdg_adapt_options {
    bool is_on;
    double angle;    // rad: elements that turn further than this against a neighbour are halved
    double coarsen;  // rad: two halves that turn less than this against each other and their neighbours become one
    double shortest; // m: no element becomes shorter; 0: chosen by the section's radius and the model
    int levels;      // how often an element may be halved, 1 to 7
    double hold;     // s: how long elements stay fine after the last reason to be
    cdg_adapt_contact contact;
    cdg_adapt_method method; // variational: by Newton's method; paper: by conjugate gradients, as Spillmann's thesis
} cdg_adapt_options;

cdg_adapt_options
cdg_adapt_options_default(void); // off; 0.3 rad, 0.1 rad, chosen, 3 levels, 50 ms, any contact, variational

typedef struct cdg_rod_def {
    const char *name; // copied; unique in a world; letters, digits, '_', '-', and '.' inside
    cdg_model model;
    cdg_pobd_options pobd;
    cdg_corde_options corde;
    cdg_reference_options reference;
    cdg_der_options der;
    cdg_galpha_options galpha;
    const void *options; // of a model that has no member here; NULL: its defaults
    cdg_material material;
    cdg_section section, section_end; // section_end is used when `is_tapered`
    bool is_tapered;
    bool has_stiffness; // stiffness given outright instead of material and section (material's damping still counts)
    cdg_stiffness stiffness;
    cdg_centerline centerline;      // the initial shape
    double roll;                    // rad: turns all initial frames about the tangent
    double initial_twist;           // rad/m: twist of the initial frames against parallel transport
    const cdg_vec3 *initial_normal; // optional: direction that d1 at the start should point to; NULL: chosen for you
    size_t element_count;
    cdg_adapt_options adapt;
    cdg_rest rest;
    cdg_vec3 velocity;         // m/s, of every node at the start
    cdg_vec3 angular_velocity; // rad/s, rigid rotation about the centre of mass at the start
} cdg_rod_def;

cdg_rod_def cdg_rod_def_default(void); // 1 m line, 2 mm circle, rubber, 50 elements, straight rest, pobd

#ifdef __cplusplus
}
#endif
#endif
