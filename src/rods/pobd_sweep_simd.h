// Passing over a chain of slots constraint by constraint (pobd_projection_simd.h), shared by the solver of one rod,
// whose lanes are runs of the rod (pobd_gauss_seidel_simd.c), and that of a team of rods, one in each lane
// (pobd_strands_simd.c).
#ifndef CDG_RODS_POBD_SWEEP_SIMD_H
#define CDG_RODS_POBD_SWEEP_SIMD_H

#include "math/quat.h"
#include "rods/pobd_problem.h"
#include "rods/pobd_projection_simd.h"

#define SIMD_NAME_JOIN(name, suffix) name##suffix
#define SIMD_NAME_EXPAND(name, suffix) SIMD_NAME_JOIN(name, suffix)
#define SIMD_NAME(name) SIMD_NAME_EXPAND(name, CDG_SIMD_SUFFIX)

// Compliances are kept within these, so that products of four neither overflow nor vanish: no stiffness and infinite
// stiffness are then ordinary numbers.
static const double least_compliance = 1e-70, most_compliance = 1e70;

static const double root2 = 1.4142135623730951; // frames in slots are this times unit

typedef struct chain {
    size_t slot_count;
    slot *slots;
    node_weights *weights; // slot_count; a team: of the first slot, of those between, of the last one
    section *sections;     // 1 (uniform) or slot_count
    uint8_t *off_bits;     // slot_count: lanes whose left node has no bend-twist constraint; not for a team
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
        project_bend(&(at - 1)->q, at, constants, f.is_team ? 0 : c->off_bits[k], f);
}

SIMD_INLINE const node_weights *weights_of(const chain *c, size_t k, flavour f) {
    if (!f.is_team) return c->weights + k;
    return c->weights + (k == 0 ? 0 : k + 1 < c->slot_count ? 1 : 2);
}

SIMD_INLINE void stretch_slot(const chain *c, size_t k, flavour f) {
    slot *at = c->slots + k;
    const section *constants = c->sections + (f.is_uniform ? 0 : k);
    const node_weights *weights = weights_of(c, k, f);
    stretch_work work = {.q = normalise(at->q)};
    measure_stretch(&work, at, &(at + 1)->x, weights, constants, f);
    apply_stretch(&work, at, &(at + 1)->x, weights, constants, f);
}

// Stretches of two slots that do not touch each other, their parts mixed to hide the time of divisions.
SIMD_INLINE void stretch_two(const chain *c, size_t k, size_t other, flavour f) {
    slot *a = c->slots + k, *b = c->slots + other;
    const section *ca = c->sections + (f.is_uniform ? 0 : k), *cb = c->sections + (f.is_uniform ? 0 : other);
    const node_weights *weights_a = weights_of(c, k, f), *weights_b = weights_of(c, other, f);
    stretch_work wa = {.q = normalise(a->q)}, wb = {.q = normalise(b->q)};
    measure_stretch(&wa, a, &(a + 1)->x, weights_a, ca, f);
    measure_stretch(&wb, b, &(b + 1)->x, weights_b, cb, f);
    apply_stretch(&wa, a, &(a + 1)->x, weights_a, ca, f);
    apply_stretch(&wb, b, &(b + 1)->x, weights_b, cb, f);
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
    const node_weights *even_weights = c->weights + (f.is_team ? 1 : k - 6);
    const node_weights *odd_weights = c->weights + (f.is_team ? 1 : k - 9);
    stretch_work even_work = {.q = normalise(even->q)}, odd_work = {.q = normalise(odd->q)};
    bend_slot(c, k - 3, f);
    measure_stretch(&even_work, even, &(even + 1)->x, even_weights, even_section, f);
    measure_stretch(&odd_work, odd, &(odd + 1)->x, odd_weights, odd_section, f);
    bend_slot(c, k, f);
    apply_stretch(&even_work, even, &(even + 1)->x, even_weights, even_section, f);
    apply_stretch(&odd_work, odd, &(odd + 1)->x, odd_weights, odd_section, f);
}

// ---- ends -----------------------------------------------------------------------------------------------------------

// The half cell between an end section that is held and the middle of the element beside it, in every lane.
typedef struct half_cell {
    simd_quat frame;          // sqrt(2) times the held one
    simd_vec3 mu;             // as in slots
    simd_vec3 gain;           // 1/D; 0 in lanes whose section is free
    simd_vec3 compliance;     // 1/K
    simd_double push;         // w_q/4, minus at the start: how far a multiplier turns the element's frame
    size_t element;           // its slot
    bool is_start, is_needed; // needed: held in some lane
} half_cell;

static inline void set_lane(simd_vec3 *to, size_t lane, const double value[3]) {
    simd_lanes(&to->x)[lane] = value[0], simd_lanes(&to->y)[lane] = value[1], simd_lanes(&to->z)[lane] = value[2];
}

static inline void set_quat_lane(simd_quat *to, size_t lane, cdg_quat q) {
    simd_lanes(&to->w)[lane] = q.w, simd_lanes(&to->x)[lane] = q.x;
    simd_lanes(&to->y)[lane] = q.y, simd_lanes(&to->z)[lane] = q.z;
}

static inline void fill_half_cell(half_cell *cell, size_t lane, const pobd_anchor *anchor,
                                  double frame_inverse_weight) {
    double gain[3] = {0, 0, 0}, compliance[3] = {0, 0, 0};
    cdg_quat frame = anchor != NULL ? anchor->frame : quat_identity();
    for (int k = 0; k < 3 && anchor != NULL; k++) {
        compliance[k] = compliance_of(anchor->stiffness[k]);
        gain[k] = anchor->stiffness[k] > 0 ? 1 / (frame_inverse_weight / 4 + compliance[k]) : 0;
        cell->is_needed = true;
    }
    set_lane(&cell->gain, lane, gain);
    set_lane(&cell->compliance, lane, compliance);
    set_quat_lane(&cell->frame, lane, quat(root2 * frame.w, root2 * frame.x, root2 * frame.y, root2 * frame.z));
    simd_lanes(&cell->push)[lane] = (cell->is_start ? -0.25 : 0.25) * frame_inverse_weight;
}

// Frames from and to of a half cell's turn.
SIMD_INLINE simd_quat cell_from(const half_cell *cell, simd_quat q) { return cell->is_start ? cell->frame : q; }
SIMD_INLINE simd_quat cell_to(const half_cell *cell, simd_quat q) { return cell->is_start ? q : cell->frame; }

// The lane's rest value, with the sign of the turn that is nearer to the one now.
static inline void start_half_cell(const chain *c, half_cell *cell, size_t lane, const pobd_anchor *anchor) {
    simd_quat q = c->slots[cell->element].q, l = cell_from(cell, q), r = cell_to(cell, q);
    simd_vec3 v = relative_imaginary(l, r);
    simd_double real = l.w * r.w + l.x * r.x + l.y * r.y + l.z * r.z;
    cdg_quat rest = anchor != NULL ? anchor->rest_half : quat_identity();
    double dot = simd_get(&real, lane) * rest.w + simd_get(&v.x, lane) * rest.x + simd_get(&v.y, lane) * rest.y +
                 simd_get(&v.z, lane) * rest.z;
    double scale = dot < 0 ? 1 : -1;
    set_lane(&cell->mu, lane, (double[3]){scale * rest.x, scale * rest.y, scale * rest.z});
}

SIMD_INLINE void project_half_cell(const chain *c, half_cell *cell) {
    simd_quat q = c->slots[cell->element].q;
    simd_vec3 strain = relative_imaginary(cell_from(cell, q), cell_to(cell, q)), mu = cell->mu, y, turn;
    y.x = (0.5 * strain.x + mu.x) * cell->gain.x;
    y.y = (0.5 * strain.y + mu.y) * cell->gain.y;
    y.z = (0.5 * strain.z + mu.z) * cell->gain.z;
    cell->mu =
        (simd_vec3){mu.x - cell->compliance.x * y.x, mu.y - cell->compliance.y * y.y, mu.z - cell->compliance.z * y.z};
    turn = (simd_vec3){cell->push * y.x, cell->push * y.y, cell->push * y.z};
    c->slots[cell->element].q = add_quaternion_product(q, cell->frame, turn);
}

#endif
