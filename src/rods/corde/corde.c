// Cosserat rods as mass points and quaternions, stepped explicitly (Spillmann and Teschner, Cosserat Nets, sections IV
// and V; Spillmann's thesis, chapter 3), with the right second moments of area, the whole gyroscopic term and implicit
// inner friction.
//
// A step is one or more sub-steps of semi-implicit Euler: forces from the present state, then velocities, then
// positions and frames with the new velocities. That is symplectic, and torques on frames and forces on nodes always
// belong to the same configuration, so momentum is kept to rounding.
//
// The paper lets only the frames take sub-steps, with the nodes standing still meanwhile. That is an impulse method
// with two step sizes, and it resonates: whenever the step is near a multiple of half the period of a frame swinging
// about its tangent, an undamped rod gains energy without bound, at steps well below any stability limit. Moving the
// nodes in every sub-step costs a fifth more and has no such resonance.
#include "rods/corde/corde.h"
#include "rods/corde/options.h"

#include "base/error.h"
#include "base/scratch.h"
#include "math/quat.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- checks and constants -------------------------------------------------------------------------------------------

static cdg_result corde_check(const cdg_rod_def *def, cdg_error *error) {
    const cdg_corde_options *o = &def->corde;
    if (!(o->penalty >= 0 && isfinite(o->penalty)))
        return cdg_fail(error, CDG_ERROR_ARGUMENT,
                        "rod '%s': the corde penalty is %g N; it must be finite and not negative (0: E A)", def->name,
                        o->penalty);
    if (!(o->inertia_factor > 0 && isfinite(o->inertia_factor)))
        return cdg_fail(error, CDG_ERROR_ARGUMENT,
                        "rod '%s': the corde inertia factor is %g; it must be finite and positive", def->name,
                        o->inertia_factor);
    if (o->substeps < 0)
        return cdg_fail(error, CDG_ERROR_ARGUMENT, "rod '%s': corde needs at least 1 sub-step (0: as needed), not %d",
                        def->name, o->substeps);
    if (o->substeps > 0 && def->adapt.is_on)
        return cdg_fail(error, CDG_ERROR_UNSUPPORTED,
                        "rod '%s': where elements become short corde needs more sub-steps; take 'substeps: auto' with "
                        "'adapt'",
                        def->name);
    return CDG_OK;
}

static bool corde_needs_history(const cdg_rod_def *def) {
    (void)def;
    return false;
}

static void find_limits(cdg_rod *rod) {
    corde_limits limits = corde_find_limits(rod);
    rod->node_step_limit = limits.nodes;
    rod->frame_step_limit = limits.frames;
    rod->spin_step_limit = limits.spins;
}

// The shear stiffness becomes that of the coupling, the rotary inertia across the tangent what the frames carry of it.
static void prepare_section(cdg_rod *rod, size_t j) {
    bool is_constraint = corde_is_constraint(rod);
    double kappa = corde_options(rod)->penalty > 0 ? corde_options(rod)->penalty : rod->stretch_stiffness[2][j];
    for (int k = 0; k < 2; k++) {
        rod->stretch_stiffness[k][j] = is_constraint ? 0 : kappa;
        rod->frame_inertia[k][j] *= is_constraint ? 0 : corde_options(rod)->inertia_factor;
    }
}

// Of the two quaternions of a rest turn corde/terms.h wants the one with w >= 0.
static void prepare(cdg_rod *rod) {
    rod->measures_from_rest = true;
    for (size_t i = 0; i < rod->node_count; i++) {
        cdg_quat rest = rod_quat(rod->rest_turn, i);
        if (rest.w < 0) rod_set_quat(rod->rest_turn, i, quat_negate(rest));
    }
    size_t count = rod->section_stride != 0 ? rod->element_count : 1;
    for (size_t j = 0; j < count; j++) prepare_section(rod, j);
    find_limits(rod);
}

// ---- scratch --------------------------------------------------------------------------------------------------------

static double *take_doubles(cdg_scratch *s, size_t count) { return cdg_scratch_take(s, count * sizeof(double)); }

static corde_memory carve(const cdg_rod *rod, bool has_spare, cdg_scratch *s) {
    corde_memory m = {0};
    size_t elements = rod->element_count, nodes = rod->node_count;
    bool is_constraint = corde_is_constraint(rod);
    for (int k = 0; k < 3; k++) {
        m.work.near[k] = take_doubles(s, elements);
        m.work.far[k] = take_doubles(s, elements);
        m.work.force[k] = take_doubles(s, elements + 2);
        m.work.kick[k] = is_constraint ? take_doubles(s, elements + 2) : NULL;
        m.work.rest[k] = is_constraint ? take_doubles(s, elements) : NULL;
    }
    m.work.spin = is_constraint ? take_doubles(s, elements) : NULL;
    if (has_spare) {
        for (int k = 0; k < 3; k++) {
            m.spare.x[k] = take_doubles(s, nodes);
            m.spare.v[k] = take_doubles(s, nodes);
            m.spare.w[k] = take_doubles(s, elements);
        }
        for (int k = 0; k < 4; k++) m.spare.q[k] = take_doubles(s, elements);
    }
    m.pairs.items = cdg_scratch_take(s, corde_pairs_capacity(rod) * sizeof *m.pairs.items);
    m.pairs.replaced = cdg_scratch_take(s, (rod->hold_capacity + 1) * sizeof *m.pairs.replaced);
    if (corde_has_friction(rod)) m.friction = corde_friction_carve(rod, s);
    return m;
}

size_t corde_memory_bytes(const cdg_rod *rod, bool has_spare) {
    cdg_scratch counting = {0};
    carve(rod, has_spare, &counting);
    return counting.bytes;
}

corde_memory corde_memory_carve(const cdg_rod *rod, bool has_spare, void *memory) {
    cdg_scratch carving = {.next = memory};
    return carve(rod, has_spare, &carving);
}

static bool needs_spare(const cdg_rod *rod) { return corde_options(rod)->substeps != 1; }
static size_t scratch_size(const cdg_rod *rod) { return corde_memory_bytes(rod, needs_spare(rod)); }

// ---- the step -------------------------------------------------------------------------------------------------------

// Elements a sub-step treats at once: what their cells leave in scratch is still in the nearest cache for the rest.
enum { TILE = 512 };

corde_state corde_state_of(double *const x[3], double *const v[3], double *const q[4], double *const w[3]) {
    return (corde_state){{x[0], x[1], x[2]}, {v[0], v[1], v[2]}, {q[0], q[1], q[2], q[3]}, {w[0], w[1], w[2]}};
}

static void clear_ends(const cdg_rod *rod, const corde_work *work) {
    for (int k = 0; k < 3; k++) work->near[k][0] = work->far[k][rod->element_count - 1] = 0;
}

// Elements of a range, the last one of a closed rod, which reaches back to the first node, by itself.
static bool penalty_range(const cdg_rod *rod, corde_substep s, const cdg_rod_loads *loads, size_t begin, size_t end,
                          const corde_work *work) {
    size_t straight = rod->is_closed && end == rod->element_count ? end - 1 : end;
    bool is_finite = corde_penalty_elements(rod, &s, loads, begin, straight, work);
    if (straight == end) return is_finite;
    s.ahead = 1 - (ptrdiff_t)rod->node_count;
    return corde_penalty_elements(rod, &s, loads, straight, end, work) && is_finite;
}

static void penalty_forces_range(const cdg_rod *rod, corde_substep s, const cdg_rod_loads *loads, size_t begin,
                                 size_t end, const corde_work *work) {
    size_t straight = rod->is_closed && end == rod->element_count ? end - 1 : end;
    corde_penalty_forces(rod, &s, loads, begin, straight, work);
    s.ahead = 1 - (ptrdiff_t)rod->node_count;
    corde_penalty_forces(rod, &s, loads, straight, end, work);
}

static void constraint_range(const cdg_rod *rod, corde_substep s, const cdg_rod_loads *loads, size_t begin, size_t end,
                             const corde_work *work) {
    size_t straight = rod->is_closed && end == rod->element_count ? end - 1 : end;
    corde_constraint_elements(rod, &s, loads, begin, straight, work);
    s.ahead = 1 - (ptrdiff_t)rod->node_count;
    corde_constraint_elements(rod, &s, loads, straight, end, work);
}

// What ends of an open rod and the seam of a closed one see beyond them.
static void close_forces(const cdg_rod *rod, double *const force[3]) {
    size_t count = rod->element_count;
    for (int k = 0; k < 3; k++) {
        force[k][0] = rod->is_closed ? force[k][count] : 0;
        force[k][count + 1] = rod->is_closed ? force[k][1] : 0;
    }
}

static cdg_result fail_friction(cdg_error *error) {
    return cdg_fail(error, CDG_ERROR_NOT_FINITE,
                    "the equations of inner friction have no solution; a damping time, stiffness or mass is wrong by "
                    "orders of magnitude, or the state is not finite");
}

// Cells and elements tile by tile; the cell at a tile's end also serves the next tile.
static bool elements_by_tiles(cdg_rod *rod, const corde_memory *m, corde_substep s, const cdg_rod_loads *loads,
                              double weight, bool is_joined) {
    size_t elements = rod->element_count;
    bool is_finite = true;
    clear_ends(rod, &m->work);
    for (size_t begin = 0; begin < elements; begin += TILE) {
        size_t end = begin + TILE < elements ? begin + TILE : elements;
        size_t last = end < elements ? end + 1 : elements;
        corde_cells(rod, s.from, begin + 1, last, &m->work);
        corde_pairs_apply(rod, &m->pairs, s.from, weight, begin, end, &m->work);
        if (corde_is_constraint(rod))
            constraint_range(rod, s, loads, begin, end, &m->work);
        else if (corde_has_friction(rod) && is_joined)
            penalty_forces_range(rod, s, loads, begin, end, &m->work);
        else if (!corde_has_friction(rod))
            is_finite = penalty_range(rod, s, loads, begin, end, &m->work) && is_finite;
    }
    close_forces(rod, m->work.force);
    return is_finite;
}

bool corde_elastic(cdg_rod *rod, const corde_memory *m, const corde_substep *s, const cdg_rod_loads *loads,
                   double weight, bool is_joined) {
    return elements_by_tiles(rod, m, *s, loads, weight, is_joined);
}

// Elastic forces say at what rates friction will act. With the penalty coupling frames then move with both.
static cdg_result add_friction(cdg_rod *rod, const corde_memory *m, const corde_substep *s, const cdg_rod_loads *loads,
                               double weight, bool *is_finite, cdg_error *error) {
    if (!corde_friction_solve(rod, s, loads, &m->pairs, &m->work, &m->friction)) return fail_friction(error);
    corde_friction_exert(rod, s, &m->pairs, weight, &m->work, &m->friction);
    if (!corde_is_constraint(rod))
        *is_finite = corde_penalty_frames(rod, s, loads, 0, rod->element_count, &m->work) && *is_finite;
    close_forces(rod, m->work.force);
    return CDG_OK;
}

cdg_result corde_rub(cdg_rod *rod, const corde_memory *m, const corde_substep *s, const cdg_rod_loads *loads,
                     double weight, bool *is_finite, cdg_error *error) {
    return corde_has_friction(rod) ? add_friction(rod, m, s, loads, weight, is_finite, error) : CDG_OK;
}

// Positions and velocities of held nodes are those of their supports.
static void hold_nodes(const cdg_rod *rod, const corde_substep *s) {
    for (size_t h = 0; h < rod->hold_count; h++) {
        const cdg_hold *hold = &rod->holds[h];
        if (!hold->holds_position) continue;
        cdg_vec3 position = corde_held_position(rod, hold, s->done);
        cdg_vec3 moved = vec3_sub(position, rod_vec3(s->from->x, hold->node));
        rod_set_vec3(s->to->x, hold->node, position);
        rod_set_vec3(s->to->v, hold->node, vec3_scale(1 / s->step, moved));
    }
}

// The spins' share of the nodes' motion (corde/kernels_simd.c tells why before the frames).
void corde_spin(const cdg_rod *rod, const corde_memory *m, const corde_substep *s) {
    if (!corde_is_constraint(rod)) return;
    size_t count = rod->element_count, straight = rod->is_closed ? count - 1 : count;
    corde_substep seam = *s;
    seam.ahead = 1 - (ptrdiff_t)rod->node_count;
    corde_constraint_spin(s, 0, straight, &m->work);
    corde_constraint_spin(&seam, straight, count, &m->work);
    close_forces(rod, m->work.kick);
    corde_kick_nodes(rod, s, s->step, 0, rod->node_count, &m->work);
    hold_nodes(rod, s);
}

bool corde_move(const cdg_rod *rod, const corde_memory *m, const corde_substep *s, const cdg_rod_loads *loads) {
    bool is_finite = corde_nodes(rod, s, loads, 0, rod->node_count, &m->work);
    hold_nodes(rod, s);
    return is_finite;
}

bool corde_follow(const cdg_rod *rod, const corde_memory *m, const corde_substep *s) {
    if (!corde_is_constraint(rod)) return true;
    size_t count = rod->element_count, straight = rod->is_closed ? count - 1 : count;
    corde_substep seam = *s;
    seam.ahead = 1 - (ptrdiff_t)rod->node_count;
    bool is_finite = corde_constraint_frames(rod, s, 0, straight, &m->work);
    is_finite = corde_constraint_frames(rod, &seam, straight, count, &m->work) && is_finite;
    close_forces(rod, m->work.kick);
    corde_kick_nodes(rod, s, 0, 0, rod->node_count, &m->work);
    hold_nodes(rod, s);
    return is_finite;
}

cdg_vec3 corde_inner_force(const corde_work *work, size_t node) {
    return vec3(work->force[0][node + 1] - work->force[0][node], work->force[1][node + 1] - work->force[1][node],
                work->force[2][node + 1] - work->force[2][node]);
}

cdg_vec3 corde_missing_force(const cdg_rod *rod, const corde_memory *m, const corde_substep *s,
                             const cdg_rod_loads *loads, size_t node) {
    cdg_vec3 velocity = rod_vec3(s->to->v, node);
    cdg_vec3 acceleration = vec3_scale(1 / s->kick, vec3_sub(velocity, rod_vec3(s->from->v, node)));
    cdg_vec3 force = vec3_scale(rod->node_mass[node], vec3_mad(acceleration, rod->drag_rate, velocity));
    return vec3_sub(vec3_sub(force, corde_inner_force(&m->work, node)), rod_vec3(loads->force, node));
}

void corde_react(cdg_rod *rod, const corde_memory *m, const corde_substep *s, const cdg_rod_loads *loads,
                 double weight) {
    for (size_t h = 0; h < rod->hold_count; h++) {
        cdg_hold *hold = &rod->holds[h];
        if (!hold->holds_position) continue;
        hold->force = vec3_mad(hold->force, weight, corde_missing_force(rod, m, s, loads, hold->node));
    }
}

static cdg_result do_substep(cdg_rod *rod, corde_memory *m, const corde_substep *s, const cdg_rod_loads *loads,
                             double weight, bool *is_finite, cdg_error *error) {
    *is_finite = corde_elastic(rod, m, s, loads, weight, false) && *is_finite;
    cdg_result result = corde_rub(rod, m, s, loads, weight, is_finite, error);
    if (result != CDG_OK) return result;
    *is_finite = corde_move(rod, m, s, loads) && *is_finite;
    corde_spin(rod, m, s);
    *is_finite = corde_follow(rod, m, s) && *is_finite;
    corde_react(rod, m, s, loads, weight);
    return CDG_OK;
}

// The rod's own limits, or shorter ones by its joints (corde/net.c).
static corde_limits known_limits(const cdg_rod *rod) {
    static const char joints[] = "frames swinging against each other at joints";
    corde_limits limits = corde_find_limits(rod);
    if (rod->node_step_limit < limits.nodes)
        limits.nodes = rod->node_step_limit, limits.nodes_mode = joints, limits.nodes_limit = CDG_LIMIT_BEND;
    if (rod->frame_step_limit < limits.frames)
        limits.frames = rod->frame_step_limit, limits.frames_mode = joints, limits.frames_limit = CDG_LIMIT_BEND;
    return limits;
}

cdg_result corde_fail_not_finite(const cdg_rod *rod, double substep, cdg_error *error) {
    corde_limits limits = known_limits(rod);
    bool by_frames = limits.frames < limits.nodes;
    double limit = by_frames ? limits.frames : limits.nodes;
    if (substep > limit)
        return cdg_fail(
            error, CDG_ERROR_NOT_FINITE,
            "the simulation has blown up: the sub-step of %g s is longer than the %.3g s that %s allow; use "
            "'substeps: auto' or a shorter step",
            substep, limit, by_frames ? limits.frames_mode : limits.nodes_mode);
    return cdg_fail(error, CDG_ERROR_NOT_FINITE,
                    "positions or spins are no longer finite, though the sub-step of %g s is shorter than the stable "
                    "%.3g s; likely a load or a prescribed motion is far too large, or an element was crushed to no "
                    "length",
                    substep, limit);
}

cdg_result corde_choose_substeps(const cdg_rod *rod, double step, double *needed, cdg_error *error) {
    *needed = corde_options(rod)->substeps > 0 ? corde_options(rod)->substeps
                                               : corde_substeps_needed(rod, step, corde_nutation(rod));
    if (corde_options(rod)->substeps == 0 && rod->calm_substep > 0)
        *needed = fmax(*needed, ceil(step / rod->calm_substep));
    if (!(*needed <= CORDE_SUBSTEPS_MAX))
        return cdg_fail(error, CDG_ERROR_ARGUMENT,
                        "a step of %g s would need %.3g sub-steps; use a shorter step, fewer elements, a larger "
                        "inertia_factor, 'coupling: constraint', or the model pobd, which is stable at any step",
                        step, *needed);
    return CDG_OK;
}

// Velocities are those half a sub-step before the positions. Where sub-steps become longer or shorter, forces act for
// half of the one before and half of this one: with the whole of it, the energy of a vibration near the limit of
// stability would change by as much as half itself, up as often as down (steps with contact are taken in parts).
double corde_first_kick(const cdg_rod *rod, double part) {
    return rod->history_step > 0 ? (rod->history_step + part) / 2 : part;
}

// The step in `count` sub-steps. Ends early when an element is crushed, if somebody asks for that.
static cdg_result take_substeps(cdg_rod *rod, double step, int count, const cdg_rod_loads *loads, corde_memory *m,
                                bool *crushed, cdg_error *error) {
    double part = step / count, weight = 1.0 / count;
    for (size_t h = 0; h < rod->hold_count; h++) rod->holds[h].force = rod->holds[h].moment = vec3(0, 0, 0);
    corde_state next = corde_state_of(rod->x_next, rod->v_next, rod->q_next, rod->w_next);
    corde_state from = corde_state_of(rod->x, rod->v, rod->q, rod->w);
    bool is_finite = true, is_squeezed = false, is_turned = false;
    for (int i = 0; i < count && is_finite; i++) {
        corde_state to = (count - 1 - i) % 2 == 0 ? next : m->spare;
        double kick = i == 0 ? corde_first_kick(rod, part) : part;
        corde_substep s = {.step = part,
                           .kick = kick,
                           .slow = 1 / (1 + rod->drag_rate * kick),
                           .done = i + 1 == count ? 1 : (i + 1) / (double)count,
                           .from = &from,
                           .to = &to,
                           .ahead = 1,
                           .watched = corde_watched(rod, part),
                           .squeezed = &is_squeezed,
                           .least_cosine = corde_least_cosine,
                           .turned = &is_turned};
        corde_pairs_collect(rod, step, i / (double)count, &m->pairs);
        cdg_result status = do_substep(rod, m, &s, loads, weight, &is_finite, error);
        if (status != CDG_OK) return status;
        if (crushed != NULL && (is_turned || (is_squeezed && corde_is_crushed(rod, &s)))) {
            *crushed = true;
            return CDG_OK;
        }
        from = to;
    }
    return is_finite ? CDG_OK : corde_fail_not_finite(rod, part, error);
}

// What a rod whose sub-steps became shorter may take next. Near the limit of stability its energy counts strain for
// less than it is, by (omega h)^2/4: sub-steps that are short whenever the rod is strained, or touched, and long when
// it is not would feed it. They become longer slowly, whatever the phase.
void corde_calm(cdg_rod *rod, double step, int count) {
    const double growth = 1.005, longest = 1e3;
    rod->substep = step / count;
    bool is_shorter = rod->substep < 0.999 * rod->history_step;
    double from = is_shorter ? rod->substep : rod->calm_substep;
    rod->calm_substep_next = from > 0 ? fmin(growth * from, longest) : 0;
}

// Sub-steps are chosen for the rod at rest. Where it is squeezed so far on the way that they are too long, the step is
// taken again in twice as many. A step that has a last sub-step in bounds may end squeezed: the next one sees that.
static cdg_result predict(cdg_rod *rod, double step, const cdg_rod_loads *loads, void *memory,
                          cdg_rod_step_result *result, cdg_error *error) {
    corde_memory m = corde_memory_carve(rod, needs_spare(rod), memory);
    double needed;
    cdg_result status = corde_choose_substeps(rod, step, &needed, error);
    for (bool is_done = false; status == CDG_OK && !is_done; needed *= 2) {
        bool crushed = false, may_divide = corde_options(rod)->substeps == 0 && 2 * needed <= CORDE_SUBSTEPS_MAX;
        status = take_substeps(rod, step, (int)needed, loads, &m, may_divide ? &crushed : NULL, error);
        is_done = !crushed;
        result->iterations = (int)needed;
    }
    corde_calm(rod, step, result->iterations);
    result->residual = 0;
    return status;
}

static void corde_commit(cdg_rod *rod, double step) {
    cdg_rod_commit(rod, step);
    rod->history_step = rod->substep;
    rod->calm_substep = rod->calm_substep_next;
}

// The longest step that needs no sub-steps for the nodes' sake; frames that need shorter ones take sub-steps.
static double corde_advise_step(const cdg_rod *rod, char *reason) {
    corde_limits limits = known_limits(rod);
    bool by_frames = corde_is_constraint(rod) && limits.frames < limits.nodes;
    double step = corde_safe_step(by_frames ? limits.frames : limits.nodes);
    double substeps =
        corde_options(rod)->substeps > 0 ? corde_options(rod)->substeps : corde_substeps_needed(rod, step, 0);
    int used = snprintf(reason, 256, "corde is explicit: %s of rod '%.60s' allow %.3g s",
                        by_frames ? limits.frames_mode : limits.nodes_mode, rod->name, step);
    if (substeps > 1 && used > 0 && used < 256)
        snprintf(reason + used, (size_t)(256 - used), ", with %.0f sub-steps for %s", substeps, limits.frames_mode);
    return step;
}

static cdg_limit corde_limit(const cdg_rod *rod) {
    corde_limits limits = known_limits(rod);
    return corde_is_constraint(rod) && limits.frames < limits.nodes ? limits.frames_limit : limits.nodes_limit;
}

// Sub-steps that were given by hand are taken, whatever comes of it.
static bool doubt(const cdg_rod *rod, double step, char *text) {
    double limit = fmin(rod->node_step_limit, rod->frame_step_limit),
           part = step / fmax(corde_options(rod)->substeps, 1);
    if (corde_options(rod)->substeps == 0 || !(part > limit)) return false;
    snprintf(text, 256,
             "corde: rod '%.60s' takes sub-steps of %.3g s, as given by hand, but is stable up to %.3g s only and will "
             "blow up; use 'substeps: auto', or at least %.0f",
             rod->name, part, limit, corde_substeps_needed(rod, step, 0));
    return true;
}

static bool divides_steps(const cdg_rod *rod) { return corde_options(rod)->substeps == 0; }

// Contact acts on nodes and on spins, and over a step they give way to it by their own inertia alone, however stiff the
// rod: strands would roll over each other in a knot, and a blow would strain elements by the way of the whole step, for
// nothing. So each sub-step is a part. Damped rods are predicted with the forces that last, and lose what a blow gives
// them: for them it is enough that nodes and spins can follow.
static double contact_parts(const cdg_rod *rod, double step) {
    double safe = corde_safe_step(fmin(rod->node_step_limit, rod->spin_step_limit));
    if (corde_has_friction(rod)) return fmax(1, ceil(step / safe * (1 - 1e-12)));
    double needed =
        corde_options(rod)->substeps > 0 ? corde_options(rod)->substeps : corde_substeps_needed(rod, step, 0);
    return fmin(needed, CORDE_SUBSTEPS_MAX);
}

static double step_cost(const cdg_rod *rod, double step) {
    double substeps =
        corde_options(rod)->substeps > 0 ? corde_options(rod)->substeps : corde_substeps_needed(rod, step, 0);
    return (double)rod->element_count * substeps * (corde_has_friction(rod) ? 80e-9 : 20e-9);
}

// Holds go straight from where they are to where they will be, and force is the mean over the sub-steps, each taken
// where it begins: at a share s = (1 - 1/n)/2 of the way on average. A body on a spring then neither gains nor loses
// energy when its place follows a mean of velocities in which the new one has the share 1 - s.
static void weld_scheme(const cdg_rod *rod, double step, cdg_weld_scheme *out) {
    double count = corde_options(rod)->substeps > 0 ? corde_options(rod)->substeps
                                                    : corde_substeps_needed(rod, step, corde_nutation(rod));
    double done = (1 - 1 / fmax(count, 1)) / 2;
    cdg_rate_rule euler = cdg_rate_rule_euler();
    *out = (cdg_weld_scheme){euler, euler, cdg_rate_rule_mean(1 - done), done};
}

static double velocity_lag(const cdg_rod *rod, double step, int substeps) {
    (void)rod;
    return step / fmax(substeps, 1) / 2;
}

static cdg_edge_kind edge_kind(const cdg_rod *rod) {
    return corde_is_constraint(rod) ? CDG_EDGE_BARRED : CDG_EDGE_COUPLED;
}

const cdg_rod_model cdg_corde_model = {
    .name = "corde",
    .options = &corde_model_options,
    .element_cost = 9e-8,
    .supports_closed = true,
    .supports_anisotropic = true,
    .supports_varying_section = true,
    .supports_frame_clamp = true,
    .carries_node_mass = true,
    .adapts = true,
    .chatters_undamped = true,
    .check = corde_check,
    .needs_history = corde_needs_history,
    .scratch_size = scratch_size,
    .predict = predict,
    .commit = corde_commit,
    .advise_step = corde_advise_step,
    .limit = corde_limit,
    .weld_scheme = weld_scheme,
    .prepare = prepare,
    .prepare_section = prepare_section,
    .rest_changed = find_limits,
    .step_cost = step_cost,
    .doubt = doubt,
    .division.divides_steps = divides_steps,
    .division.contact_parts = contact_parts,
    .contact.frames_follow = corde_is_constraint,
    .contact.takes_loads = corde_has_friction,
    .net.supports_joints = corde_supports_joints,
    .net.scratch_size = corde_net_scratch_size,
    .net.prepare = corde_prepare_net,
    .net.settle = corde_settle_net,
    .net.predict = corde_predict_net,
    .measures.element = corde_measure_element,
    .measures.edge_kind = edge_kind,
    .measures.strain_power = corde_strain_power,
    .measures.velocity_lag = velocity_lag,
};
