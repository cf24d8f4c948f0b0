// Options of the pobd model. docs/models/pobd.md explains each.
#ifndef CORDAGE_POBD_H
#define CORDAGE_POBD_H

#include <cordage/base.h>

#ifdef __cplusplus
extern "C" {
#endif

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

#ifdef __cplusplus
}
#endif
#endif
