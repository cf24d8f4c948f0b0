// Passing over a chain of slots constraint by constraint (pobd/projection_simd.h), shared by the solver of one rod,
// whose lanes are runs of the rod (pobd/gauss_seidel_simd.c), and that of a team of rods, one in each lane
// (pobd/strands_simd.c).
#ifndef CDG_RODS_POBD_SWEEP_SIMD_H
#define CDG_RODS_POBD_SWEEP_SIMD_H

#include "math/quat.h"
#include "rods/frame_angle.h"
#include "rods/pobd/problem.h"
#include "rods/pobd/projection_simd.h"

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
    node_weights *weights; // slot_count
    stretch_gains *gains;  // slot_count; NULL without has_gains
    section *sections;     // 1 (uniform) or slot_count
    uint8_t *off_bits;     // slot_count: lanes whose left node has no bend-twist constraint
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
    else if (f.is_angle)
        project_bend_angle(&(at - 1)->q, at, constants, c->off_bits[k], f);
    else
        project_bend(&(at - 1)->q, at, constants, c->off_bits[k], f);
}

// Where the stretch of a slot finds what it needs; that of the slot i further on finds it i entries further on.
typedef struct stretch_view {
    slot *at;
    const node_weights *weights;
    const stretch_gains *gains;
    const section *constants;
} stretch_view;

SIMD_INLINE stretch_view view_stretch(const chain *c, size_t k, flavour f) {
    return (stretch_view){c->slots + k, c->weights + k, f.has_gains ? c->gains + k : NULL,
                          c->sections + (f.is_uniform ? 0 : k)};
}

SIMD_INLINE stretch_view further(stretch_view p, size_t i, flavour f) {
    return (stretch_view){p.at + i, p.weights + i, f.has_gains ? p.gains + i : NULL,
                          p.constants + (f.is_uniform ? 0 : i)};
}

// The parts of a stretch, in order.
enum { STRETCH_PARTS = 10 };
SIMD_INLINE void stretch_part(int part, stretch_work *work, stretch_view p, flavour f) {
    if (part == 0) work->norm2 = norm2_of(p.at->q);
    if (part == 1) work->q = normalise_by(work->norm2, p.at->q);
    if (part == 2) measure_stretch(work, p.at, &p.at[1].x);
    if (part == 3) fade_stretch(work, p.constants, f);
    if (part == 4) weigh_stretch(work, p.weights, p.gains, p.constants, f);
    if (part == 5) invert_stretch(work, p.weights, p.constants, f);
    if (part == 6) solve_stretch(work, p.gains, p.constants, f);
    if (part == 7) find_turn(work, p.at, p.constants, f);
    if (part == 8) turn_stretched(work, p.at, p.constants, f);
    if (part == 9) move_stretched(work, p.at, &p.at[1].x, p.weights);
}

// The loop's body as often as it runs, one after the other: the compiler would find it too long for that.
#if defined(__clang__)
#define UNROLLED _Pragma("clang loop unroll(full)")
#else
#define UNROLLED _Pragma("GCC unroll 10")
#endif
#define NOT_UNROLLED _Pragma("GCC unroll 1") // bodies that are long enough

// Stretches of every second slot, which do not touch each other. A processor looks some fifty to a hundred instructions
// ahead, less than one stretch is long: their parts are mixed, so that it finds others to do while a part waits for the
// one before.
SIMD_INLINE void stretch_several(const chain *c, size_t first, size_t count, flavour f) {
    stretch_work work[4];
    stretch_view p = view_stretch(c, first, f);
    UNROLLED for (int part = 0; part < STRETCH_PARTS; part++) {
        UNROLLED for (size_t i = 0; i < count; i++) stretch_part(part, &work[i], further(p, 2 * i, f), f);
    }
}

SIMD_INLINE void stretch_slot(const chain *c, size_t k, flavour f) { stretch_several(c, k, 1, f); }

// Stretches of every second slot from `first` to before `end`.
SIMD_INLINE void stretch_pass(const chain *c, size_t first, size_t end, flavour f) {
    bool is_common = !f.is_tangent && !f.is_paper; // the others are not worth the time it takes to compile four
    size_t k = first;
    for (; is_common && k + 6 < end; k += 8) stretch_several(c, k, 4, f);
    for (; k + 2 < end; k += 4) stretch_several(c, k, 2, f);
    if (k < end) stretch_slot(c, k, f);
}

// One step of a single sweep, away from the ends, with the parts of the four projections mixed. Even bends lead; odd
// bends follow at 3, even stretches at 6, odd stretches at 9 slots. Everything that a projection needs was then done in
// an earlier step of the loop: a bend of odd node k needs those of k - 1 and k + 1, a stretch of even element k the
// bends of k and k + 1, a stretch of odd element k the stretches of k - 1 and k + 1.
SIMD_INLINE void step_fully(const chain *c, size_t k, flavour f) {
    stretch_view even = view_stretch(c, k - 6, f);
    stretch_view odd = view_stretch(c, k - 9, f);
    stretch_work even_work, odd_work;
    UNROLLED for (int part = 0; part < STRETCH_PARTS; part++) {
        if (part == 2) bend_slot(c, k - 3, f);
        if (part == 6) bend_slot(c, k, f);
        stretch_part(part, &even_work, even, f);
        stretch_part(part, &odd_work, odd, f);
    }
}

// The gains that belong to the weights at `k`, of a uniform rod.
static inline void set_gains(const chain *c, size_t k) {
    const section *s = c->sections;
    simd_double across = c->weights[k].left + c->weights[k].right + s->frame_weight * s->length * s->length;
    simd_double x = across + s->stretch_compliance.x, y = across + s->stretch_compliance.y,
                inverse = simd_near_inverse(x * y);
    c->gains[k] = (stretch_gains){y * inverse, x * inverse, across + s->stretch_compliance.z};
}

// ---- what is left ---------------------------------------------------------------------------------------------------

// The stretch constraint of a slot, C + a lambda, in element lengths: what its elements are too long or sheared.
SIMD_INLINE simd_vec3 stretch_left_in(const chain *c, size_t k, bool is_uniform) {
    stretch_work work;
    work.q = normalise(c->slots[k].q);
    measure_stretch(&work, c->slots + k, &c->slots[k + 1].x);
    simd_double scale = 1 / c->sections[is_uniform ? 0 : k].length;
    return (simd_vec3){scale * work.b.x, scale * work.b.y, scale * work.b.z};
}

// The largest in every lane, as its square, of the mean of neighbours: a projection moves what an element has too much
// to the elements beside it, so that after a sweep every second one has none and the others have twice as much. Lane
// `lane` has `count[lane]` slots, and those of a rod alone go on in the next lane.
SIMD_INLINE simd_double largest_stretch_left(const chain *c, const size_t count[SIMD_LANES], bool is_uniform) {
    simd_double largest = {0};
    simd_vec3 end = stretch_left_in(c, c->slot_count - 1, is_uniform);
    simd_vec3 last = {simd_shift_up(end.x, 0), simd_shift_up(end.y, 0), simd_shift_up(end.z, 0)};
    for (size_t k = 0; k < c->slot_count; k++) {
        simd_vec3 now = stretch_left_in(c, k, is_uniform);
        simd_double x = now.x + last.x, y = now.y + last.y, z = now.z + last.z;
        simd_double size = (x * x + y * y + z * z) * 0.25;
        for (size_t lane = 0; lane < SIMD_LANES; lane++)
            if (k >= count[lane] || (k == 0 && lane == 0)) simd_lanes(&size)[lane] = 0;
        largest = simd_max(size, largest);
        last = now;
    }
    return largest;
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
    bool is_angle;            // measured by the angle, else by the sine
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

// Half the strain: at the start the turn is from the held frame to the element's, at the end the other way.
SIMD_INLINE simd_vec3 half_cell_strain(const half_cell *cell, simd_quat q) {
    double half = cell->is_start ? 0.5 : -0.5;
    simd_vec3 v = relative_imaginary(cell->frame, q);
    return (simd_vec3){half * v.x, half * v.y, half * v.z};
}

// The lane's rest value, with the sign of the turn that is nearer to the one now.
static inline void start_half_cell(const slot *slots, half_cell *cell, size_t lane, const pobd_anchor *anchor) {
    simd_quat q = slots[cell->element].q, l = cell->frame;
    simd_vec3 v = half_cell_strain(cell, q);
    simd_double half_real = 0.5 * (l.w * q.w + l.x * q.x + l.y * q.y + l.z * q.z);
    cdg_quat rest = anchor != NULL ? anchor->rest_half : quat_identity();
    double dot = simd_get(&half_real, lane) * rest.w + simd_get(&v.x, lane) * rest.x + simd_get(&v.y, lane) * rest.y +
                 simd_get(&v.z, lane) * rest.z;
    double scale = (dot < 0 ? 1 : -1) * (cell->is_angle ? pobd_angle_scale(rest.w) : 1);
    set_lane(&cell->mu, lane, (double[3]){scale * rest.x, scale * rest.y, scale * rest.z});
}

SIMD_INLINE void project_half_cell(slot *slots, half_cell *cell) {
    slot *at = slots + cell->element;
    simd_quat l = cell->frame, q = at->q;
    simd_vec3 strain = half_cell_strain(cell, q), mu = cell->mu, y;
    bend_angle angle = {simd_broadcast(1), simd_broadcast(0), simd_broadcast(1)};
    if (cell->is_angle) angle = angle_of(l.w * q.w + l.x * q.x + l.y * q.y + l.z * q.z);
    y = (simd_vec3){(angle.value * strain.x + mu.x) * (angle.share * cell->gain.x),
                    (angle.value * strain.y + mu.y) * (angle.share * cell->gain.y),
                    (angle.value * strain.z + mu.z) * (angle.share * cell->gain.z)};
    // g v.y; the element's frame is the right one at the start, where push is negative, and the left one at the end
    simd_double real = 2 * angle.slope * (strain.x * y.x + strain.y * y.y + strain.z * y.z);
    if (!cell->is_start) real = -real;
    simd_double turn = cell->push * angle.value;
    at->q = add_whole_product(q, l, cell->push * real, (simd_vec3){turn * y.x, turn * y.y, turn * y.z});
    cell->mu =
        (simd_vec3){mu.x - cell->compliance.x * y.x, mu.y - cell->compliance.y * y.y, mu.z - cell->compliance.z * y.z};
}

#endif
