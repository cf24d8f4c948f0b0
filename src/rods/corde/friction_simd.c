// The loops of corde's inner friction (corde/friction.h) over arrays, which the compiler turns into vector code.
#include "rods/corde/friction.h"

#include <stdint.h>

#define PASTE_(a, b) a##b
#define PASTE(a, b) PASTE_(a, b)
#define VARIANT(name) PASTE(name, CDG_SIMD_SUFFIX)

// As in corde/kernels_simd.c: arrays do not overlap where one of them is written.
#if defined(__clang__)
#define INDEPENDENT_LOOP
#else
#define INDEPENDENT_LOOP _Pragma("GCC ivdep")
#endif

#define TAKE3(name, from) double *name[3] = {(from)[0], (from)[1], (from)[2]}
#define TAKE3_CONST(name, from) const double *const name[3] = {(from)[0], (from)[1], (from)[2]}
#define TAKE4_CONST(name, from) const double *const name[4] = {(from)[0], (from)[1], (from)[2], (from)[3]}
#define TAKE6(name, from) double *name[6] = {(from)[0], (from)[1], (from)[2], (from)[3], (from)[4], (from)[5]}

CORDE_INLINE corde_turn turn_at(const double *const a[4], size_t i) {
    return (corde_turn){a[0][i], a[1][i], a[2][i], a[3][i]};
}
CORDE_INLINE corde_vec vec_at(const double *const a[3], size_t i) { return (corde_vec){a[0][i], a[1][i], a[2][i]}; }
CORDE_INLINE void put(double *const a[3], size_t i, corde_vec v) { a[0][i] = v.x, a[1][i] = v.y, a[2][i] = v.z; }
CORDE_INLINE corde_vec plus(corde_vec a, corde_vec b) { return (corde_vec){a.x + b.x, a.y + b.y, a.z + b.z}; }
CORDE_INLINE corde_vec minus(corde_vec a, corde_vec b) { return (corde_vec){a.x - b.x, a.y - b.y, a.z - b.z}; }
CORDE_INLINE corde_vec times(double s, corde_vec a) { return (corde_vec){s * a.x, s * a.y, s * a.z}; }

// ---- dampers --------------------------------------------------------------------------------------------------------

// What the element's dampers exert when its nodes move by `dv` against each other and its frame turns with `spin`.
CORDE_INLINE corde_vec damper_impulse(corde_vec dv, corde_vec spin, corde_vec t, double length, double along,
                                      double across, bool is_constraint) {
    if (is_constraint) return times(along * corde_dot(t, dv), t);
    corde_vec u = minus(dv, times(length, corde_cross(spin, t)));
    return plus(times(across, u), times((along - across) * corde_dot(t, u), t));
}

CORDE_INLINE void elements(const cdg_rod *rod, const corde_substep *s, const cdg_rod_loads *loads, size_t begin,
                           size_t end, const corde_work *work, const corde_friction *friction, bool is_constraint,
                           bool is_uniform, bool is_round) {
    const corde_dampers *d = &friction->dampers;
    TAKE3_CONST(x, s->from->x);
    TAKE3_CONST(v, s->from->v);
    TAKE4_CONST(q, s->from->q);
    TAKE3_CONST(w, s->from->w);
    TAKE3_CONST(load, loads->torque);
    TAKE3_CONST(near, work->near);
    TAKE3_CONST(far, work->far);
    TAKE3(force, work->force);
    TAKE3_CONST(frame_inertia, rod->frame_inertia);
    TAKE3(tangent, d->tangent);
    TAKE6(inertia, d->inertia);
    TAKE3(moment, d->moment);
    TAKE3(through, friction->through);
    TAKE3(spins, friction->spin);
    double *lengths = d->length, *alongs = d->along, *acrosses = d->across;
    const double *rest_length = rod->rest_length, *stretch = rod->stretch_stiffness[2],
                 *coupling = rod->stretch_stiffness[0];
    double kick = s->kick, gain = 1 / s->slow, drag = rod->drag_rate * kick;
    double stretch_time = kick * rod->damping_time[1], shear_time = kick * rod->damping_time[0];
    size_t stride = is_uniform ? 0 : rod->section_stride;
    double watched = s->watched;
    ptrdiff_t ahead = s->ahead;
    int64_t squeezed = 0;
    INDEPENDENT_LOOP
    for (size_t j = begin; j < end; j++) {
        size_t at = is_uniform ? 0 : j * stride;
        double l = rest_length[is_uniform ? 0 : j], kappa = is_constraint ? 0 : coupling[at];
        corde_vec e = {x[0][(ptrdiff_t)j + ahead] - x[0][j], x[1][(ptrdiff_t)j + ahead] - x[1][j],
                       x[2][(ptrdiff_t)j + ahead] - x[2][j]};
        corde_vec dv = {v[0][(ptrdiff_t)j + ahead] - v[0][j], v[1][(ptrdiff_t)j + ahead] - v[1][j],
                        v[2][(ptrdiff_t)j + ahead] - v[2][j]};
        double inverse = 1 / sqrt(corde_dot(e, e)), norm = corde_dot(e, e) * inverse;
        corde_vec t = times(inverse, e);
        corde_axes a = corde_axes_of(turn_at(q, j));
        double along = stretch_time * stretch[at] / l, across = shear_time * kappa * l * inverse * inverse;
        // with the constraint coupling the frame turns as its tangent does
        corde_vec spin = is_constraint ? plus(times(inverse, corde_cross(t, dv)), times(w[2][j], a.d3))
                                       : corde_to_world(a, vec_at(w, j));
        corde_vec n = damper_impulse(dv, spin, t, norm, along, across, is_constraint);
        put(tangent, j, t), put(spins, j, spin);
        lengths[j] = norm, alongs[j] = along, acrosses[j] = across;
        double i3 = l * frame_inertia[2][at];
        double on_axis = kick * (near[2][j] + far[2][j] + load[2][j]) - drag * i3 * w[2][j];
        double g3 = gain * i3;
        corde_vec b3 = times(g3, a.d3);
        if (is_constraint) {
            corde_vec elastic = {force[0][j + 1], force[1][j + 1], force[2][j + 1]};
            put(through, j + 1, plus(n, times(kick, elastic)));
            put(moment, j, times(on_axis, a.d3));
            inertia[0][j] = b3.x * a.d3.x, inertia[1][j] = b3.x * a.d3.y, inertia[2][j] = b3.x * a.d3.z;
            inertia[3][j] = b3.y * a.d3.y, inertia[4][j] = b3.y * a.d3.z, inertia[5][j] = b3.z * a.d3.z;
            continue;
        }
        corde_vec local = corde_to_material(a, t);
        double pull = kappa * l * inverse,
               on_t = stretch[at] * corde_tension_at(norm * (1 / l), inverse, l) + pull * local.z; // 1/l: once
        corde_vec elastic = minus(times(on_t, t), times(pull, a.d3));
        squeezed |= !(norm >= watched * l);
        put(force, j + 1, elastic);
        put(through, j + 1, plus(n, times(kick, elastic)));
        double i1 = l * frame_inertia[0][at], i2 = l * frame_inertia[1][at];
        corde_vec net = {kick * (near[0][j] + far[0][j] + load[0][j] - kappa * l * local.y) - drag * i1 * w[0][j],
                         kick * (near[1][j] + far[1][j] + load[1][j] + kappa * l * local.x) - drag * i2 * w[1][j],
                         on_axis};
        put(moment, j, plus(corde_to_world(a, net), times(norm, corde_cross(t, n))));
        if (is_round) { // i1 = i2
            double across_axis = gain * i1;
            b3 = times(g3 - across_axis, a.d3);
            inertia[0][j] = across_axis + b3.x * a.d3.x, inertia[1][j] = b3.x * a.d3.y;
            inertia[2][j] = b3.x * a.d3.z, inertia[3][j] = across_axis + b3.y * a.d3.y;
            inertia[4][j] = b3.y * a.d3.z, inertia[5][j] = across_axis + b3.z * a.d3.z;
            continue;
        }
        corde_vec b1 = times(gain * i1, a.d1), b2 = times(gain * i2, a.d2);
        inertia[0][j] = b1.x * a.d1.x + b2.x * a.d2.x + b3.x * a.d3.x;
        inertia[1][j] = b1.x * a.d1.y + b2.x * a.d2.y + b3.x * a.d3.y;
        inertia[2][j] = b1.x * a.d1.z + b2.x * a.d2.z + b3.x * a.d3.z;
        inertia[3][j] = b1.y * a.d1.y + b2.y * a.d2.y + b3.y * a.d3.y;
        inertia[4][j] = b1.y * a.d1.z + b2.y * a.d2.z + b3.y * a.d3.z;
        inertia[5][j] = b1.z * a.d1.z + b2.z * a.d2.z + b3.z * a.d3.z;
    }
    if (s->squeezed != NULL && squeezed != 0) *s->squeezed = true;
}

void VARIANT(corde_friction_elements)(const cdg_rod *rod, const corde_substep *s, const cdg_rod_loads *loads,
                                      size_t begin, size_t end, const corde_work *work,
                                      const corde_friction *friction) {
    bool is_uniform = rod->section_stride == 0 && rod->has_equal_elements;
    bool is_round = is_uniform && rod->frame_inertia[0][0] == rod->frame_inertia[1][0];
    if (friction->dampers.is_constraint && is_uniform)
        elements(rod, s, loads, begin, end, work, friction, true, true, true);
    else if (friction->dampers.is_constraint)
        elements(rod, s, loads, begin, end, work, friction, true, false, false);
    else if (is_round)
        elements(rod, s, loads, begin, end, work, friction, false, true, true);
    else if (is_uniform)
        elements(rod, s, loads, begin, end, work, friction, false, true, false);
    else
        elements(rod, s, loads, begin, end, work, friction, false, false, false);
}

CORDE_INLINE void cells(const cdg_rod *rod, const corde_substep *s, size_t begin, size_t end,
                        const corde_friction *friction, bool is_uniform, bool is_straight) {
    TAKE4_CONST(q, s->from->q);
    TAKE4_CONST(rest_turn, rod->rest_turn);
    TAKE3_CONST(bend, rod->bend_stiffness);
    TAKE3_CONST(spins, friction->spin);
    TAKE6(cell, friction->dampers.cell);
    TAKE3(twist, friction->twist);
    const double *rest_length = rod->rest_length;
    double bend_time = s->kick * rod->damping_time[2], twist_time = s->kick * rod->damping_time[3];
    size_t stride = is_uniform ? 0 : rod->section_stride;
    INDEPENDENT_LOOP
    for (size_t i = begin; i < end; i++) {
        size_t at = is_uniform ? 0 : i * stride;
        double inverse = is_uniform ? 1 / rest_length[0] : 2 / (rest_length[i - 1] + rest_length[i]);
        corde_turn right = turn_at(q, i), p = corde_relative(turn_at(q, i - 1), right);
        corde_rest rest = {1, 0.5, {0, 0, 0}};
        if (!is_straight) rest = corde_rest_of(turn_at(rest_turn, i));
        corde_vec c = {inverse * bend_time * bend[0][at], inverse * bend_time * bend[1][at],
                       inverse * twist_time * bend[2][at]};
        corde_square k = corde_cell_damper(p, rest, corde_axes_of(right), c, is_straight);
        cell[0][i] = k.xx, cell[1][i] = k.xy, cell[2][i] = k.xz;
        cell[3][i] = k.yy, cell[4][i] = k.yz, cell[5][i] = k.zz;
        corde_vec apart = minus(vec_at(spins, i), vec_at(spins, i - 1));
        twist[0][i] = k.xx * apart.x + k.xy * apart.y + k.xz * apart.z;
        twist[1][i] = k.xy * apart.x + k.yy * apart.y + k.yz * apart.z;
        twist[2][i] = k.xz * apart.x + k.yz * apart.y + k.zz * apart.z;
    }
}

void VARIANT(corde_friction_cells)(const cdg_rod *rod, const corde_substep *s, size_t begin, size_t end,
                                   const corde_friction *friction) {
    if (begin >= end) return;
    bool is_uniform = rod->section_stride == 0 && rod->has_equal_elements;
    bool is_straight = rod->has_equal_turns && rod->rest_turn[0][begin] == 1;
    if (is_uniform && is_straight)
        cells(rod, s, begin, end, friction, true, true);
    else if (is_straight)
        cells(rod, s, begin, end, friction, false, true);
    else
        cells(rod, s, begin, end, friction, false, false);
}

void VARIANT(corde_friction_sums)(const cdg_rod *rod, const corde_substep *s, const cdg_rod_loads *loads,
                                  const corde_friction *friction) {
    TAKE3_CONST(v, s->from->v);
    TAKE3_CONST(load, loads->force);
    TAKE3_CONST(through, friction->through);
    TAKE3_CONST(twist, friction->twist);
    TAKE3(right, friction->dampers.right);
    TAKE3(moment, friction->dampers.moment);
    const double *node_mass = rod->node_mass;
    double *mass = friction->dampers.mass, kick = s->kick, gain = 1 / s->slow, drag = rod->drag_rate * kick;
    INDEPENDENT_LOOP
    for (size_t i = 0; i < rod->node_count; i++) {
        double m = node_mass[i], dragged = drag * m;
        mass[i] = gain * m;
        right[0][i] = kick * load[0][i] + (through[0][i + 1] - through[0][i]) - dragged * v[0][i];
        right[1][i] = kick * load[1][i] + (through[1][i + 1] - through[1][i]) - dragged * v[1][i];
        right[2][i] = kick * load[2][i] + (through[2][i + 1] - through[2][i]) - dragged * v[2][i];
    }
    INDEPENDENT_LOOP
    for (size_t j = 0; j < rod->element_count; j++) {
        moment[0][j] += twist[0][j + 1] - twist[0][j];
        moment[1][j] += twist[1][j + 1] - twist[1][j];
        moment[2][j] += twist[2][j + 1] - twist[2][j];
    }
}

// ---- what friction exerts -------------------------------------------------------------------------------------------

// The angular impulse through the cell at node i. Spins have an entry before the first and one behind the last.
CORDE_INLINE corde_vec cell_impulse(const double *const cell[6], const double *const spin[3],
                                    const double *const change[3], size_t i) {
    corde_vec apart =
        plus(minus(vec_at(spin, i),
                   (corde_vec){spin[0][(ptrdiff_t)i - 1], spin[1][(ptrdiff_t)i - 1], spin[2][(ptrdiff_t)i - 1]}),
             minus(vec_at(change, i),
                   (corde_vec){change[0][(ptrdiff_t)i - 1], change[1][(ptrdiff_t)i - 1], change[2][(ptrdiff_t)i - 1]}));
    corde_square k = {cell[0][i], cell[1][i], cell[2][i], cell[3][i], cell[4][i], cell[5][i]};
    return corde_square_times(k, apart);
}

CORDE_INLINE void apply(const cdg_rod *rod, const corde_substep *s, size_t begin, size_t end, const corde_work *work,
                        const corde_friction *friction, bool is_constraint, bool is_uniform) {
    const corde_dampers *d = &friction->dampers;
    TAKE3_CONST(v, s->from->v);
    TAKE4_CONST(q, s->from->q);
    TAKE3_CONST(spins, friction->spin);
    TAKE3_CONST(change, d->spin);
    TAKE3_CONST(velocity, d->velocity);
    TAKE3_CONST(tangent, d->tangent);
    const double *const cell[6] = {d->cell[0], d->cell[1], d->cell[2], d->cell[3], d->cell[4], d->cell[5]};
    TAKE3(near, work->near);
    TAKE3(force, work->force);
    const double *lengths = d->length, *alongs = d->along, *acrosses = d->across;
    const double *rest_length = rod->rest_length, *coupling = rod->stretch_stiffness[0];
    double *momentum = work->spin, inverse_kick = 1 / s->kick, slow = s->slow;
    size_t stride = is_uniform ? 0 : rod->section_stride;
    ptrdiff_t ahead = s->ahead;
    INDEPENDENT_LOOP
    for (size_t j = begin; j < end; j++) {
        size_t next = (size_t)((ptrdiff_t)j + ahead);
        corde_vec dv = plus(minus(vec_at(v, next), vec_at(v, j)), minus(vec_at(velocity, next), vec_at(velocity, j)));
        corde_vec spin = plus(vec_at(spins, j), vec_at(change, j)), t = vec_at(tangent, j);
        corde_vec n = damper_impulse(dv, spin, t, lengths[j], alongs[j], acrosses[j], is_constraint);
        corde_vec turn = minus(cell_impulse(cell, spins, change, j + 1), cell_impulse(cell, spins, change, j));
        corde_axes a = corde_axes_of(turn_at(q, j));
        if (is_constraint) {
            double axial = corde_dot(a.d3, turn), inverse = 1 / lengths[j];
            momentum[j] += slow * axial;
            corde_vec pair = corde_cross(minus(turn, times(axial, a.d3)), t);
            n = times(inverse_kick, minus(n, times(inverse, pair)));
            force[0][j + 1] += n.x, force[1][j + 1] += n.y, force[2][j + 1] += n.z;
            continue;
        }
        corde_vec torque = corde_to_material(a, plus(turn, times(lengths[j], corde_cross(t, n))));
        corde_vec local = corde_to_material(a, t);
        double pull = coupling[is_uniform ? 0 : j * stride] * rest_length[is_uniform ? 0 : j];
        near[0][j] += inverse_kick * torque.x - pull * local.y;
        near[1][j] += inverse_kick * torque.y + pull * local.x;
        near[2][j] += inverse_kick * torque.z;
        force[0][j + 1] += inverse_kick * n.x, force[1][j + 1] += inverse_kick * n.y;
        force[2][j + 1] += inverse_kick * n.z;
    }
}

void VARIANT(corde_friction_apply)(const cdg_rod *rod, const corde_substep *s, size_t begin, size_t end,
                                   const corde_work *work, const corde_friction *friction) {
    bool is_uniform = rod->section_stride == 0 && rod->has_equal_elements;
    if (friction->dampers.is_constraint)
        apply(rod, s, begin, end, work, friction, true, true);
    else if (is_uniform)
        apply(rod, s, begin, end, work, friction, false, true);
    else
        apply(rod, s, begin, end, work, friction, false, false);
}
