// corde's loops (corde/kernels.h) over arrays, which the compiler turns into vector code; formulas in corde/terms.h.
#include "rods/corde/kernels.h"

#include "rods/corde/terms.h"

#define PASTE_(a, b) a##b
#define PASTE(a, b) PASTE_(a, b)
#define VARIANT(name) PASTE(name, CDG_SIMD_SUFFIX)

// The arrays of a rod and of the scratch do not overlap where one of them is written. (clang's pragma for that warns
// where sanitizers keep it from vectorising.)
#if defined(__clang__)
#define INDEPENDENT_LOOP
#else
#define INDEPENDENT_LOOP _Pragma("GCC ivdep")
#endif

// Which constants are the same for all elements: known where the loops are inlined, so that uniform rods load nothing.
typedef enum sameness { ALL_SAME, ONE_SECTION, ALL_DIFFERENT } sameness;

static sameness sameness_of(const cdg_rod *rod) {
    if (rod->section_stride != 0) return ALL_DIFFERENT;
    return rod->has_equal_elements ? ALL_SAME : ONE_SECTION;
}
CORDE_INLINE size_t section(sameness same, size_t i) { return same == ALL_DIFFERENT ? i : 0; }
CORDE_INLINE size_t length(sameness same, size_t i) { return same == ALL_SAME ? 0 : i; }

#define WITH_SAMENESS(rod, call)                                                                                       \
    switch (sameness_of(rod)) {                                                                                        \
    case ALL_SAME: call(ALL_SAME); break;                                                                              \
    case ONE_SECTION: call(ONE_SECTION); break;                                                                        \
    case ALL_DIFFERENT: call(ALL_DIFFERENT); break;                                                                    \
    }

CORDE_INLINE corde_turn turn_at(const double *const a[4], size_t i) {
    return (corde_turn){a[0][i], a[1][i], a[2][i], a[3][i]};
}
CORDE_INLINE corde_vec vec_at(const double *const a[3], size_t i) { return (corde_vec){a[0][i], a[1][i], a[2][i]}; }

// Pointers in registers: the compiler cannot know that writing through one does not change the others in the struct.
#define TAKE3(name, from) double *name[3] = {(from)[0], (from)[1], (from)[2]}
#define TAKE3_CONST(name, from) const double *const name[3] = {(from)[0], (from)[1], (from)[2]}
#define TAKE4_CONST(name, from) const double *const name[4] = {(from)[0], (from)[1], (from)[2], (from)[3]}

// ---- cells ----------------------------------------------------------------------------------------------------------

CORDE_INLINE void cells(const cdg_rod *rod, const corde_state *at, size_t begin, size_t end, const corde_work *work,
                        sameness same, bool has_equal_turns) {
    TAKE4_CONST(q, at->q);
    TAKE4_CONST(rest_turn, rod->rest_turn);
    TAKE3_CONST(bend, rod->bend_stiffness);
    TAKE3(near, work->near);
    TAKE3(far, work->far);
    const double *rest_length = rod->rest_length;
    corde_rest one_rest = corde_rest_of(turn_at(rest_turn, begin));
    INDEPENDENT_LOOP
    for (size_t i = begin; i < end; i++) {
        double inverse = 2 / (rest_length[length(same, i - 1)] + rest_length[length(same, i)]);
        corde_rest rest = has_equal_turns ? one_rest : corde_rest_of(turn_at(rest_turn, i));
        corde_turn p = corde_relative(turn_at(q, i - 1), turn_at(q, i));
        corde_vec b = vec_at(bend, section(same, i)), m = corde_bend(p, rest);
        b = (corde_vec){inverse * b.x, inverse * b.y, inverse * b.z}; // B/c
        m = (corde_vec){2 * b.x * m.x, 2 * b.y * m.y, 2 * b.z * m.z};
        corde_torques t = corde_torques_of(p, rest, m);
        far[0][i - 1] = t.left.x, far[1][i - 1] = t.left.y, far[2][i - 1] = t.left.z;
        near[0][i] = t.right.x, near[1][i] = t.right.y, near[2][i] = t.right.z;
    }
}

void VARIANT(corde_cells)(const cdg_rod *rod, const corde_state *at, size_t begin, size_t end, const corde_work *work) {
#define CELLS(same)                                                                                                    \
    if (rod->has_equal_turns)                                                                                          \
        cells(rod, at, begin, end, work, same, true);                                                                  \
    else                                                                                                               \
        cells(rod, at, begin, end, work, same, false)
    if (begin >= end) return;
    WITH_SAMENESS(rod, CELLS)
#undef CELLS
}

// ---- penalty coupling -----------------------------------------------------------------------------------------------

CORDE_INLINE bool penalty_elements(const cdg_rod *rod, const corde_substep *s, const cdg_rod_loads *loads, size_t begin,
                                   size_t end, const corde_work *work, sameness same, bool pulls, bool moves) {
    TAKE3_CONST(x, s->from->x);
    TAKE4_CONST(q, s->from->q);
    TAKE3_CONST(w, s->from->w);
    TAKE3_CONST(inertia, rod->frame_inertia);
    TAKE3_CONST(torque, loads->torque);
    TAKE3_CONST(near, work->near);
    TAKE3_CONST(far, work->far);
    TAKE3(force, work->force);
    TAKE3(w_to, s->to->w);
    double *q_to[4] = {s->to->q[0], s->to->q[1], s->to->q[2], s->to->q[3]};
    const double *rest_length = rod->rest_length, *stretch = rod->stretch_stiffness[2],
                 *coupling = rod->stretch_stiffness[0];
    double h = s->step, kick = s->kick, slow = s->slow, watched = s->watched;
    ptrdiff_t ahead = s->ahead;
    int64_t bad = 0, squeezed = 0;
    INDEPENDENT_LOOP
    for (size_t j = begin; j < end; j++) {
        double l = rest_length[length(same, j)], kappa = coupling[section(same, j)];
        corde_vec along = {0, 0, 0}; // the tangent in material axes
        if (pulls) {
            corde_vec e = {x[0][(ptrdiff_t)j + ahead] - x[0][j], x[1][(ptrdiff_t)j + ahead] - x[1][j],
                           x[2][(ptrdiff_t)j + ahead] - x[2][j]};
            double inverse = 1 / sqrt(corde_dot(e, e)), norm = corde_dot(e, e) * inverse;
            squeezed |= !(norm >= watched * l);
            corde_vec t = {inverse * e.x, inverse * e.y, inverse * e.z};
            corde_axes d = corde_axes_of(turn_at(q, j));
            along = corde_to_material(d, t);
            double tension = stretch[section(same, j)] * corde_stretch_tension(norm, inverse, l),
                   pull = kappa * l * inverse;
            double on_t = tension + pull * along.z;
            force[0][j + 1] = on_t * t.x - pull * d.d3.x;
            force[1][j + 1] = on_t * t.y - pull * d.d3.y;
            force[2][j + 1] = on_t * t.z - pull * d.d3.z;
        }
        if (!moves) continue;
        corde_vec net = {near[0][j] + far[0][j] + torque[0][j] - kappa * l * along.y,
                         near[1][j] + far[1][j] + torque[1][j] + kappa * l * along.x,
                         near[2][j] + far[2][j] + torque[2][j]};
        corde_vec i3 = vec_at(inertia, section(same, j)), mass = {l * i3.x, l * i3.y, l * i3.z};
        corde_vec inverse_mass = {1 / mass.x, 1 / mass.y, 1 / mass.z};
        corde_body body = {turn_at(q, j),
                           {slow * (mass.x * w[0][j] + kick * net.x), slow * (mass.y * w[1][j] + kick * net.y),
                            slow * (mass.z * w[2][j] + kick * net.z)}};
        corde_vec half = {0.5 * h * inverse_mass.x, 0.5 * h * inverse_mass.y, 0.5 * h * inverse_mass.z};
        body = corde_drift(body, half);
        double unit = 1 / sqrt(body.q.w * body.q.w + body.q.x * body.q.x + body.q.y * body.q.y + body.q.z * body.q.z);
        q_to[0][j] = unit * body.q.w, q_to[1][j] = unit * body.q.x;
        q_to[2][j] = unit * body.q.y, q_to[3][j] = unit * body.q.z;
        corde_vec spin = {inverse_mass.x * body.p.x, inverse_mass.y * body.p.y, inverse_mass.z * body.p.z};
        w_to[0][j] = spin.x, w_to[1][j] = spin.y, w_to[2][j] = spin.z;
        bad |= !(fabs(spin.x) + fabs(spin.y) + fabs(spin.z) <= 1e300);
    }
    if (s->squeezed != NULL && squeezed != 0) *s->squeezed = true;
    return bad == 0;
}

bool VARIANT(corde_penalty_elements)(const cdg_rod *rod, const corde_substep *s, const cdg_rod_loads *loads,
                                     size_t begin, size_t end, const corde_work *work) {
    bool is_finite = true;
#define ELEMENTS(same) is_finite = penalty_elements(rod, s, loads, begin, end, work, same, true, true)
    WITH_SAMENESS(rod, ELEMENTS)
#undef ELEMENTS
    return is_finite;
}

void VARIANT(corde_penalty_forces)(const cdg_rod *rod, const corde_substep *s, const cdg_rod_loads *loads, size_t begin,
                                   size_t end, const corde_work *work) {
#define ELEMENTS(same) penalty_elements(rod, s, loads, begin, end, work, same, true, false)
    WITH_SAMENESS(rod, ELEMENTS)
#undef ELEMENTS
}

bool VARIANT(corde_penalty_frames)(const cdg_rod *rod, const corde_substep *s, const cdg_rod_loads *loads, size_t begin,
                                   size_t end, const corde_work *work) {
    bool is_finite = true;
#define ELEMENTS(same) is_finite = penalty_elements(rod, s, loads, begin, end, work, same, false, true)
    WITH_SAMENESS(rod, ELEMENTS)
#undef ELEMENTS
    return is_finite;
}

// ---- nodes ----------------------------------------------------------------------------------------------------------

bool VARIANT(corde_nodes)(const cdg_rod *rod, const corde_substep *s, const cdg_rod_loads *loads, size_t begin,
                          size_t end, const corde_work *work) {
    TAKE3_CONST(x, s->from->x);
    TAKE3_CONST(v, s->from->v);
    TAKE3_CONST(load, loads->force);
    TAKE3_CONST(force, work->force);
    TAKE3(x_next, s->to->x);
    TAKE3(v_next, s->to->v);
    const double *mass = rod->node_mass;
    double h = s->step, kick = s->kick, slow = s->slow;
    int64_t bad = 0;
    INDEPENDENT_LOOP
    for (size_t i = begin; i < end; i++) {
        double share = kick / mass[i];
        double a = slow * (v[0][i] + share * (load[0][i] + (force[0][i + 1] - force[0][i])));
        double b = slow * (v[1][i] + share * (load[1][i] + (force[1][i + 1] - force[1][i])));
        double c = slow * (v[2][i] + share * (load[2][i] + (force[2][i + 1] - force[2][i])));
        v_next[0][i] = a, v_next[1][i] = b, v_next[2][i] = c;
        x_next[0][i] = x[0][i] + h * a, x_next[1][i] = x[1][i] + h * b, x_next[2][i] = x[2][i] + h * c;
        bad |= !(fabs(a) + fabs(b) + fabs(c) <= 1e300);
    }
    return bad == 0;
}

void VARIANT(corde_kick_nodes)(const cdg_rod *rod, const corde_substep *s, double drift, size_t begin, size_t end,
                               const corde_work *work) {
    TAKE3_CONST(kick, work->kick);
    TAKE3(x_next, s->to->x);
    TAKE3(v_next, s->to->v);
    const double *mass = rod->node_mass;
    INDEPENDENT_LOOP
    for (size_t i = begin; i < end; i++) {
        double inverse = 1 / mass[i];
        double a = inverse * (kick[0][i + 1] - kick[0][i]), b = inverse * (kick[1][i + 1] - kick[1][i]),
               c = inverse * (kick[2][i + 1] - kick[2][i]);
        v_next[0][i] += a, v_next[1][i] += b, v_next[2][i] += c;
        x_next[0][i] += drift * a, x_next[1][i] += drift * b, x_next[2][i] += drift * c;
    }
}

// ---- constraint coupling --------------------------------------------------------------------------------------------
// d3 = t exactly. Frame j then turns by theta = t x dt + t dphi, with dt = (1 - t t^T) de/|e|, so a torque T on it does
// the work T.theta = de.(T x t)/|e| + T.t dphi: its part across the tangent acts on the nodes as the couple of forces
// +-(T x t)/|e| (which is the constraint's Lagrange multiplier), its axial part spins the frame. No system need be
// solved: the constraint of an element involves no other element's multiplier, because the frames across the tangent
// carry no inertia.
//
// The axial momentum p3 points along t. When t turns, the frame takes p3 dt of angular momentum from its nodes. Half of
// it, at the rate that the elastic forces lead to, is taken by a couple before the nodes move, the rest when the new
// tangent t' is known: of what is left, L = p3 t - (first half), the part along t' stays with the frame and the part
// across it goes to the nodes as a couple. Whatever the first half was, nothing is lost: linear and angular momentum
// are kept to rounding. Taking the first half at the rate of the step before would do that too, but let the shortest
// bending waves of a spinning rod grow by the square of eps = p3 h/(node mass length^2) in each step; this grows by
// eps^4/8.

CORDE_INLINE void constraint_elements(const cdg_rod *rod, const corde_substep *s, const cdg_rod_loads *loads,
                                      size_t begin, size_t end, const corde_work *work, sameness same) {
    TAKE3_CONST(x, s->from->x);
    TAKE4_CONST(q, s->from->q);
    TAKE3_CONST(torque, loads->torque);
    TAKE3_CONST(near, work->near);
    TAKE3_CONST(far, work->far);
    TAKE3(force, work->force);
    double *spin = work->spin;
    const double *rest_length = rod->rest_length, *stretch = rod->stretch_stiffness[2], *axial = rod->frame_inertia[2],
                 *w3 = s->from->w[2];
    double kick = s->kick, slow = s->slow, watched = s->watched;
    ptrdiff_t ahead = s->ahead;
    int64_t squeezed = 0;
    INDEPENDENT_LOOP
    for (size_t j = begin; j < end; j++) {
        double l = rest_length[length(same, j)];
        corde_vec e = {x[0][(ptrdiff_t)j + ahead] - x[0][j], x[1][(ptrdiff_t)j + ahead] - x[1][j],
                       x[2][(ptrdiff_t)j + ahead] - x[2][j]};
        double inverse = 1 / sqrt(corde_dot(e, e)), norm = corde_dot(e, e) * inverse;
        squeezed |= !(norm >= watched * l);
        corde_vec t = {inverse * e.x, inverse * e.y, inverse * e.z};
        corde_axes d = corde_axes_of(turn_at(q, j));
        corde_vec net = {near[0][j] + far[0][j] + torque[0][j], near[1][j] + far[1][j] + torque[1][j],
                         near[2][j] + far[2][j] + torque[2][j]};
        spin[j] = slow * (l * axial[section(same, j)] * w3[j] + kick * net.z);
        corde_vec pair = corde_cross(corde_to_world(d, (corde_vec){net.x, net.y, 0}), t);
        double tension = stretch[section(same, j)] * corde_stretch_tension(norm, inverse, l);
        force[0][j + 1] = tension * t.x - inverse * pair.x;
        force[1][j + 1] = tension * t.y - inverse * pair.y;
        force[2][j + 1] = tension * t.z - inverse * pair.z;
    }
    if (s->squeezed != NULL && squeezed != 0) *s->squeezed = true;
}

void VARIANT(corde_constraint_elements)(const cdg_rod *rod, const corde_substep *s, const cdg_rod_loads *loads,
                                        size_t begin, size_t end, const corde_work *work) {
#define ELEMENTS(same) constraint_elements(rod, s, loads, begin, end, work, same)
    WITH_SAMENESS(rod, ELEMENTS)
#undef ELEMENTS
}

void VARIANT(corde_constraint_spin)(const corde_substep *s, size_t begin, size_t end, const corde_work *work) {
    TAKE3_CONST(x, s->from->x);
    TAKE3_CONST(v, s->to->v);
    TAKE3(kick, work->kick);
    TAKE3(rest, work->rest);
    const double *spin = work->spin;
    double half_step = 0.5 * s->step;
    ptrdiff_t ahead = s->ahead;
    INDEPENDENT_LOOP
    for (size_t j = begin; j < end; j++) {
        corde_vec e = {x[0][(ptrdiff_t)j + ahead] - x[0][j], x[1][(ptrdiff_t)j + ahead] - x[1][j],
                       x[2][(ptrdiff_t)j + ahead] - x[2][j]};
        corde_vec de = {v[0][(ptrdiff_t)j + ahead] - v[0][j], v[1][(ptrdiff_t)j + ahead] - v[1][j],
                        v[2][(ptrdiff_t)j + ahead] - v[2][j]};
        double inverse = 1 / sqrt(corde_dot(e, e)), half = half_step * spin[j] * inverse;
        corde_vec t = {inverse * e.x, inverse * e.y, inverse * e.z};
        double along = corde_dot(t, de);
        corde_vec taken = {half * (de.x - along * t.x), half * (de.y - along * t.y), half * (de.z - along * t.z)};
        corde_vec pair = corde_cross(taken, t); // the nodes get -taken
        kick[0][j + 1] = inverse * pair.x, kick[1][j + 1] = inverse * pair.y, kick[2][j + 1] = inverse * pair.z;
        rest[0][j] = spin[j] * t.x + taken.x, rest[1][j] = spin[j] * t.y + taken.y;
        rest[2][j] = spin[j] * t.z + taken.z;
    }
}

CORDE_INLINE bool constraint_frames(const cdg_rod *rod, const corde_substep *s, size_t begin, size_t end,
                                    const corde_work *work, sameness same) {
    TAKE3_CONST(x, s->to->x);
    TAKE3_CONST(v, s->to->v);
    TAKE4_CONST(q, s->from->q);
    TAKE3_CONST(rest, work->rest);
    TAKE3(kick, work->kick);
    TAKE3(w_to, s->to->w);
    double *q_to[4] = {s->to->q[0], s->to->q[1], s->to->q[2], s->to->q[3]};
    const double *rest_length = rod->rest_length, *axial = rod->frame_inertia[2];
    double h = s->step, least_cosine = s->least_cosine;
    ptrdiff_t ahead = s->ahead;
    int64_t bad = 0, turned = 0;
    INDEPENDENT_LOOP
    for (size_t j = begin; j < end; j++) {
        corde_vec e = {x[0][(ptrdiff_t)j + ahead] - x[0][j], x[1][(ptrdiff_t)j + ahead] - x[1][j],
                       x[2][(ptrdiff_t)j + ahead] - x[2][j]};
        corde_vec de = {v[0][(ptrdiff_t)j + ahead] - v[0][j], v[1][(ptrdiff_t)j + ahead] - v[1][j],
                        v[2][(ptrdiff_t)j + ahead] - v[2][j]};
        double inverse = 1 / sqrt(corde_dot(e, e));
        corde_vec t = {inverse * e.x, inverse * e.y, inverse * e.z}, left = vec_at(rest, j);
        double spin = corde_dot(left, t);
        corde_vec couple = {left.x - spin * t.x, left.y - spin * t.y, left.z - spin * t.z};
        corde_vec pair = corde_cross(couple, t);
        kick[0][j + 1] = -inverse * pair.x, kick[1][j + 1] = -inverse * pair.y, kick[2][j + 1] = -inverse * pair.z;

        // the smallest turn from the old d3 to t, (1 + d3.t, d3 x t), then the turn about t
        corde_turn old = turn_at(q, j);
        corde_axes d = corde_axes_of(old);
        corde_vec c = corde_cross(d.d3, t);
        double a = 1 + corde_dot(d.d3, t);
        turned |= !(a >= 1 + least_cosine);
        double w3 = spin / (rest_length[length(same, j)] * axial[section(same, j)]);
        corde_turn m = {
            a * old.w - c.x * old.x - c.y * old.y - c.z * old.z, a * old.x + c.x * old.w + c.y * old.z - c.z * old.y,
            a * old.y - c.x * old.z + c.y * old.w + c.z * old.x, a * old.z + c.x * old.y - c.y * old.x + c.z * old.w};
        double b = 0.5 * h * w3;
        corde_turn to = {m.w - b * m.z, m.x + b * m.y, m.y - b * m.x, m.z + b * m.w};
        double unit = 1 / sqrt(to.w * to.w + to.x * to.x + to.y * to.y + to.z * to.z);
        to = (corde_turn){unit * to.w, unit * to.x, unit * to.y, unit * to.z};
        q_to[0][j] = to.w, q_to[1][j] = to.x, q_to[2][j] = to.y, q_to[3][j] = to.z;
        // across the tangent the frame turns as the tangent does: t x dt/dt in material axes
        corde_vec rate = corde_to_material(corde_axes_of(to), de);
        w_to[0][j] = -inverse * rate.y, w_to[1][j] = inverse * rate.x, w_to[2][j] = w3;
        bad |= !(fabs(w3) + fabs(unit) <= 1e300);
    }
    if (s->turned != NULL && turned != 0) *s->turned = true;
    return bad == 0;
}

bool VARIANT(corde_constraint_frames)(const cdg_rod *rod, const corde_substep *s, size_t begin, size_t end,
                                      const corde_work *work) {
    bool is_finite = true;
#define FRAMES(same) is_finite = constraint_frames(rod, s, begin, end, work, same)
    WITH_SAMENESS(rod, FRAMES)
#undef FRAMES
    return is_finite;
}
