// What a rod is before it is simulated: material, section, shape, rest shape, model.
#ifndef CORDAGE_ROD_H
#define CORDAGE_ROD_H

#include <cordage/geometry.h>

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
    // Pa; against stretching alone, which bending does not feel, as in ropes, whose fibres slide; 0: young_modulus
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

// What a section of a material has.
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

// Options of the pobd model. docs/models/pobd.md explains each.
typedef enum cdg_pobd_solver { CDG_POBD_DIRECT, CDG_POBD_GAUSS_SEIDEL } cdg_pobd_solver;
typedef enum cdg_pobd_integrator { CDG_POBD_BDF2, CDG_POBD_EULER } cdg_pobd_integrator;
typedef enum cdg_pobd_darboux { CDG_POBD_SINE, CDG_POBD_TANGENT, CDG_POBD_ANGLE } cdg_pobd_darboux;

typedef struct cdg_pobd_options {
    cdg_pobd_solver solver; // direct: Newton on the whole chain; gauss_seidel: constraint by constraint
    int iterations;         // solver iterations a step, >= 1; direct: at most
    double tolerance;       // direct: stop early when the largest correction is below tolerance * element length
    cdg_pobd_integrator integrator; // bdf2: second order, little damping; euler: as the paper, damps
    cdg_pobd_darboux darboux;       // sine: Im(conj(q) u) (eq. 29); tangent: Im/Re (eq. 30); angle: the turn itself
    bool paper_stiffness;           // dimensionless factors below instead of moduli (gauss_seidel, euler only)
    double paper_stretch[3];        // factors in [0, 1] for shear d1, shear d2, stretch
    double paper_bend[3];           // factors in [0, 1] for bend d1, bend d2, twist
    double paper_unit;              // elements: the unit of length in which nodes and frames have the paper's weight 1
    bool long_range_attachments;    // gauss_seidel: no node farther from a held node than the rod between them
} cdg_pobd_options;

cdg_pobd_options cdg_pobd_options_default(void); // direct, at most 10 iterations, bdf2, angle, physical

// Options of the corde model. docs/models/corde.md explains each.
typedef enum cdg_corde_coupling { CDG_CORDE_PENALTY, CDG_CORDE_CONSTRAINT } cdg_corde_coupling;

typedef struct cdg_corde_options {
    cdg_corde_coupling coupling; // of frames to tangents: by a spring as the paper, or exactly
    double penalty;              // N, the spring's stiffness (penalty); 0: the stretching stiffness E A
    double inertia_factor;       // multiplies the rotary inertia about d1 and d2 (penalty), > 0
    int substeps;                // of the frames in a step (penalty); 0: as many as stability needs
} cdg_corde_options;

cdg_corde_options cdg_corde_options_default(void); // penalty of E A, inertia factor 1, sub-steps as needed
// Options of the reference model. docs/models/reference.md explains each.
typedef enum cdg_reference_darboux { CDG_REFERENCE_ANGLE, CDG_REFERENCE_SINE } cdg_reference_darboux;

typedef struct cdg_reference_options {
    int iterations;                // of Newton's method, at most, before the step is divided
    double tolerance;              // largest correction in element lengths and radians after which a step is done
    double dissipation;            // 0: none; 1/2: strains as in implicit Euler, for settling
    cdg_reference_darboux darboux; // angle: exact for uniform bending and twist; sine: as the other models
} cdg_reference_options;

cdg_reference_options cdg_reference_options_default(void); // 15 iterations, 1e-9, no dissipation, angle

// Options of the der model. docs/models/der.md explains each.
typedef enum cdg_der_integrator { CDG_DER_IMPLICIT, CDG_DER_EXPLICIT } cdg_der_integrator;
typedef enum cdg_der_scheme { CDG_DER_BDF2, CDG_DER_EULER } cdg_der_scheme;
typedef enum cdg_der_twist { CDG_DER_TWIST_AUTO, CDG_DER_TWIST_DYNAMIC, CDG_DER_TWIST_QUASISTATIC } cdg_der_twist;
typedef enum cdg_der_constraint {
    CDG_DER_CONSTRAINT_NONE,
    CDG_DER_CONSTRAINT_PROJECTION,
    CDG_DER_CONSTRAINT_RATTLE
} cdg_der_constraint;
typedef enum cdg_der_curvature { CDG_DER_TANGENT, CDG_DER_ANGLE } cdg_der_curvature;

typedef struct cdg_der_options {
    cdg_der_integrator integrator; // implicit: Newton on the whole rod; explicit: symplectic Euler as the paper
    cdg_der_scheme scheme;         // implicit: bdf2, second order, little damping; euler damps
    cdg_der_twist twist;           // quasistatic: sections have no rotary inertia about the tangent; auto: that when
                                   // explicit, else dynamic
    cdg_der_constraint constraint; // explicit: what keeps edges at their length instead of stretching stiffness
    cdg_der_curvature curvature;   // tangent: 2 tan(angle/2) as the paper; angle: the angle itself
    int iterations;                // implicit: at most, >= 1
    double tolerance;              // implicit: stop when corrections are below tolerance * element length
} cdg_der_options;

cdg_der_options cdg_der_options_default(void); // implicit, bdf2, dynamic, extensible, tangent, at most 30 iterations

// Options of the galpha model. docs/models/galpha.md explains each.
typedef struct cdg_galpha_options {
    double lambda_infinity;    // -1 (no numerical damping) to 0 (most): coefficients of second order
    bool has_coefficients;     // alpha, beta, gamma are given outright instead
    double alpha, beta, gamma; // at most 1/2, at most 1/2, at least 1/2, alpha - beta + gamma at least 1/2
    bool is_extensible;        // stretches and shears by the material law; else the contact force keeps lengths exactly
    double relaxation;         // (0, 1]: largest share of a Newton correction that is taken; a line search goes below
    double tolerance;          // largest correction, in element lengths and radians, after which a step is done
    int iterations;            // of Newton's method, at most, before the step is halved
    double step_error;         // error that a step may have, in rod lengths; others are divided. 0: no control
} cdg_galpha_options;

cdg_galpha_options cdg_galpha_options_default(void); // second order, gently damped, extensible

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
    double hold;     // s: how long there must have been no reason to be fine
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
