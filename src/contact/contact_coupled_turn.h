// What a turn of alternating directions (contact_coupled.h) does to all contacts, a vector of them at a time: all but
// the solve with the factor. Lists have three numbers a contact and are made up to whole vectors by contacts that are
// never pressed; friction has one. Compiled once for each instruction set.
#ifndef CDG_CONTACT_CONTACT_COUPLED_TURN_H
#define CDG_CONTACT_CONTACT_COUPLED_TURN_H

#include <stdbool.h>
#include <stddef.h>

enum { CDG_COUPLED_GROUP = 8 }; // contacts, of which lists are made up to a multiple

typedef struct cdg_coupled_turn {
    size_t size;               // numbers of a list
    double *force, *split;     // f, z
    double *point, *next;      // z + w, before and after an iteration
    double *weight;            // r
    double *right;             // r (z - w)
    double *slip;              // u of z, where it was looked at
    double *force_slip;        // u of f, but for single precision
    double *diagonal;          // of A, the same for both tangents
    double *inverse_diagonal;  //
    double *inverse_tolerance; // of the number's contact
    double *friction;          // of each contact
    float *change;             // of the right side, then of f
} cdg_coupled_turn;

typedef struct cdg_coupled_kernels {
    // The right side of (A + r) f = r (z - w) - u_0, less what it was at the last turn; or, where u of z is known, of
    // what f is less than z.
    void (*aim)(const cdg_coupled_turn *it, bool is_known);
    // The solution back into f, u of f, and the next point z + w. Returns how far f and z are from each other, in
    // tolerances.
    double (*advance)(const cdg_coupled_turn *it, bool is_known);
    // z from the point.
    void (*project)(const cdg_coupled_turn *it);
    // By how much the laws do not hold for forces and slips, in tolerances.
    double (*misfit)(const cdg_coupled_turn *it, const double *force, const double *slip);
} cdg_coupled_kernels;

// contact_coupled_simd.c
extern const cdg_coupled_kernels cdg_coupled_kernels_base, cdg_coupled_kernels_avx2, cdg_coupled_kernels_avx512;

#endif
