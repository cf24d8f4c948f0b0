// Passing over a chain of slots constraint by constraint (pobd_projection_simd.h), shared by the solver of one rod,
// whose lanes are runs of the rod (pobd_gauss_seidel_simd.c), and that of a team of rods, one in each lane
// (pobd_strands_simd.c).
#ifndef CDG_RODS_POBD_SWEEP_SIMD_H
#define CDG_RODS_POBD_SWEEP_SIMD_H

#include "rods/pobd_projection_simd.h"

#define SIMD_NAME_JOIN(name, suffix) name##suffix
#define SIMD_NAME_EXPAND(name, suffix) SIMD_NAME_JOIN(name, suffix)
#define SIMD_NAME(name) SIMD_NAME_EXPAND(name, CDG_SIMD_SUFFIX)

// Compliances are kept within these, so that products of three neither overflow nor vanish: no stiffness and infinite
// stiffness are then ordinary numbers.
static const double least_compliance = 1e-90, most_compliance = 1e90;

static const double root2 = 1.4142135623730951; // frames in slots are this times unit

typedef struct chain {
    size_t slot_count;
    slot *slots;
    section *sections; // 1 (uniform) or slot_count
    uint8_t *off_bits; // slot_count: lanes whose left node has no bend-twist constraint
} chain;

static inline double compliance_of(double stiffness) {
    double compliance = stiffness > 1 / most_compliance ? 1 / stiffness : most_compliance;
    return compliance > least_compliance ? compliance : least_compliance;
}

SIMD_INLINE void bend_slot(const chain *c, size_t k, flavour f) {
    slot *at = c->slots + k;
    const section *constants = c->sections + (f.is_uniform ? 0 : k);
    if (f.is_tangent)
        project_bend_tangent(&(at - 1)->q, at, constants, f);
    else
        project_bend(&(at - 1)->q, at, constants, c->off_bits[k], f);
}

SIMD_INLINE void stretch_slot(const chain *c, size_t k, flavour f) {
    slot *at = c->slots + k;
    const section *constants = c->sections + (f.is_uniform ? 0 : k);
    stretch_work work = {.q = normalise(at->q)};
    measure_stretch(&work, at, &(at + 1)->x, constants, f);
    apply_stretch(&work, at, &(at + 1)->x, constants, f);
}

// Stretches of two slots that do not touch each other, their parts mixed to hide the time of divisions.
SIMD_INLINE void stretch_two(const chain *c, size_t k, size_t other, flavour f) {
    slot *a = c->slots + k, *b = c->slots + other;
    const section *ca = c->sections + (f.is_uniform ? 0 : k), *cb = c->sections + (f.is_uniform ? 0 : other);
    stretch_work wa = {.q = normalise(a->q)}, wb = {.q = normalise(b->q)};
    measure_stretch(&wa, a, &(a + 1)->x, ca, f);
    measure_stretch(&wb, b, &(b + 1)->x, cb, f);
    apply_stretch(&wa, a, &(a + 1)->x, ca, f);
    apply_stretch(&wb, b, &(b + 1)->x, cb, f);
}

SIMD_INLINE void stretch_pass(const chain *c, size_t first, flavour f) {
    size_t k = first;
    for (; k + 2 < c->slot_count; k += 4) stretch_two(c, k, k + 2, f);
    if (k < c->slot_count) stretch_slot(c, k, f);
}

// One step of a single sweep, away from the ends, with the parts of the four projections mixed. Even bends lead; odd
// bends follow at 3, even stretches at 6, odd stretches at 9 slots. Everything that a projection needs was then done in
// an earlier step of the loop: a bend of odd node k needs those of k - 1 and k + 1, a stretch of even element k the
// bends of k and k + 1, a stretch of odd element k the stretches of k - 1 and k + 1.
SIMD_INLINE void step_fully(const chain *c, size_t k, flavour f) {
    slot *even = c->slots + k - 6, *odd = c->slots + k - 9;
    const section *even_section = c->sections + (f.is_uniform ? 0 : k - 6);
    const section *odd_section = c->sections + (f.is_uniform ? 0 : k - 9);
    stretch_work even_work = {.q = normalise(even->q)}, odd_work = {.q = normalise(odd->q)};
    bend_slot(c, k - 3, f);
    measure_stretch(&even_work, even, &(even + 1)->x, even_section, f);
    measure_stretch(&odd_work, odd, &(odd + 1)->x, odd_section, f);
    bend_slot(c, k, f);
    apply_stretch(&even_work, even, &(even + 1)->x, even_section, f);
    apply_stretch(&odd_work, odd, &(odd + 1)->x, odd_section, f);
}

#endif
