// Options of the der model. docs/models/der.md explains each.
#ifndef CORDAGE_DER_H
#define CORDAGE_DER_H

#include <cordage/base.h>

#ifdef __cplusplus
extern "C" {
#endif

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

#ifdef __cplusplus
}
#endif
#endif
