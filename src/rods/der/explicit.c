// An explicit step of a der rod as published (Bergou et al. 2008, algorithm 1): symplectic Euler for the nodes, edges
// brought back to their length by projection, frames transported and relaxed. Or, beyond the paper, RATTLE, whose
// constraint forces act inside the step and do not dissipate.
#include "rods/der/explicit.h"
#include "rods/der/options.h"

#include "base/error.h"

#include <math.h>
#include <string.h>

size_t der_explicit_work_bytes(const cdg_rod *rod) {
    size_t node = der_bytes(rod->node_count * sizeof(double)), element = der_bytes(rod->element_count * sizeof(double));
    return 8 * node + 5 * element;
}

char *der_explicit_work_place(const cdg_rod *rod, char *next, der_explicit_work *work) {
    for (int k = 0; k < 3; k++) work->force[k] = der_take(&next, rod->node_count);
    work->diagonal = der_take(&next, rod->node_count);
    work->off = der_take(&next, rod->node_count);
    work->right = der_take(&next, rod->node_count);
    work->spare = der_take(&next, rod->node_count);
    work->inverse_mass = der_take(&next, rod->node_count);
    work->scale = der_take(&next, rod->element_count);
    work->multiplier = der_take(&next, rod->element_count);
    for (int k = 0; k < 3; k++) work->edge[k] = der_take(&next, rod->element_count);
    return next;
}

static bool resists_turns(const cdg_rod *rod) { return rod->damping_time[2] > 0 || rod->damping_time[3] > 0; }

size_t der_explicit_scratch(const cdg_rod *rod) {
    return der_setup_bytes(rod) + der_explicit_work_bytes(rod) + (resists_turns(rod) ? der_damped_bytes(rod) : 0);
}

static void place_held(const cdg_rod *rod) {
    for (size_t h = 0; h < rod->hold_count; h++)
        if (rod->holds[h].holds_position) rod_set_vec3(rod->x_next, rod->holds[h].node, rod->holds[h].position);
}

// The nodes after free flight: v = (v + step force/m)/(1 + drag step) all along the step. Held nodes have no inverse
// mass and are put where they belong.
static void drift(cdg_rod *rod, const der_explicit_work *work, double share, double step) {
    double drag = 1 / (1 + rod->drag_rate * share);
    for (int k = 0; k < 3; k++)
        der_choose_loops()->drift(rod->node_count, rod->x[k], rod->v[k], work->force[k], work->inverse_mass, share,
                                  step * drag, rod->x_next[k]);
    place_held(rod);
}

// Where the rod is welded to a body its node has the body's mobility beside its own: `yield` becomes that of both, in
// 1/kg as inverse_mass is, from what moves the body alone.
static bool let_places_yield(cdg_rod *rod, const der_explicit_work *work) {
    bool is_any = false;
    for (size_t h = 0; h < rod->hold_count; h++) {
        cdg_hold *hold = &rod->holds[h];
        if (!hold->yields) continue;
        double inertia = rod->node_mass[hold->node] * work->pull; // of the node, N/m
        symmetric3 both = symmetric3_add_diagonal(symmetric3_inverse(hold->yield), inertia);
        hold->yield = symmetric3_scale(work->pull, symmetric3_inverse(both));
        work->inverse_mass[hold->node] = 0;
        is_any = true;
    }
    return is_any;
}

// Without constraints: the hold exerts what the node's motion takes beyond the forces on it, and yields to the rest.
static void place_yielding(cdg_rod *rod, const der_explicit_work *work, double step) {
    for (size_t h = 0; h < rod->hold_count; h++) {
        const cdg_hold *hold = &rod->holds[h];
        if (!hold->yields) continue;
        size_t node = hold->node;
        double mass = rod->node_mass[node];
        cdg_vec3 behind = vec3_sub(rod_vec3(rod->x, node), hold->position);
        cdg_vec3 push = vec3_scale(mass * work->pull, behind);
        push = vec3_mad(push, mass / step, rod_vec3(rod->v, node));
        push = vec3_add(push, vec3_add(rod_vec3(work->force, node), hold->expected));
        cdg_vec3 way = symmetric3_times(hold->yield, vec3_scale(1 / work->pull, push));
        rod_set_vec3(rod->x_next, node, vec3_add(hold->position, way));
    }
}

// RATTLE's second half step.
static void kick(cdg_rod *rod, const der_explicit_work *work, double step) {
    double drag = 1 / (1 + rod->drag_rate * step);
    for (int k = 0; k < 3; k++)
        for (size_t i = 0; i < rod->node_count; i++)
            rod->v_next[k][i] = (rod->v_next[k][i] + step * work->force[k][i] * work->inverse_mass[i]) * drag;
}

static cdg_result fail_length(cdg_error *error) {
    return cdg_fail(error, CDG_ERROR_NO_CONVERGENCE,
                    "elements cannot be kept at their length: supports may pull the rod longer than it is, or push it "
                    "along a straight line from which nothing makes it bend, or the step is too long");
}

// The largest ratio of chord to length of parts between held nodes, where their supports are at the end of the step.
static double tautness(const cdg_rod *rod, const der_explicit_work *work) {
    size_t held = SIZE_MAX;
    double length = 0, largest = 0;
    if (rod->hold_count < 2) return 0;
    place_held(rod);
    for (size_t i = 0; i < rod->node_count; i++) {
        if (i > 0) length += rod->rest_length[i - 1];
        if (work->inverse_mass[i] > 0) continue;
        bool has_part = held != SIZE_MAX && i > held + 1;
        if (has_part)
            largest = fmax(largest, vec3_distance(rod_vec3(rod->x_next, held), rod_vec3(rod->x_next, i)) / length);
        held = i, length = 0;
    }
    return largest;
}

// The largest strain at the start of the step.
static double strain_before(const cdg_rod *rod) {
    double largest = 0;
    for (size_t j = 0; j < rod->element_count; j++) {
        double length = vec3_distance(rod_vec3(rod->x, j), rod_vec3(rod->x, rod_next_node(rod, j)));
        largest = fmax(largest, fabs(length / rod->rest_length[j] - 1));
    }
    return largest;
}

// What is all but straight between supports has one constraint too many (der/lengths.c) and gives way by its stretching
// stiffness, until it has buckled so far that hardly any strain is left.
static bool does_give_way(const cdg_rod *rod, double taut) {
    const double straight = 0.99, strained = 1e-3;
    return taut > straight || (taut > 0 && strain_before(rod) > strained);
}

// Frames and angles at the candidate's nodes. Damped ones creep to where they would rest: at once, as at the start or
// when a support lets go, would be a rate of strain without bound, and the next step's damping a blow.
static cdg_result settle_frames(const cdg_rod *rod, const der_chain *elastic, const der_explicit_work *work,
                                double step, char *memory, int *iterations, cdg_error *error) {
    der_chain damped;
    if (resists_turns(rod)) der_damp_chain(rod, step, elastic, memory, &damped);
    const der_chain *c = resists_turns(rod) ? &damped : elastic;
    size_t element;
    if (!der_chain_start(c, &element))
        return cdg_fail(error, CDG_ERROR_NO_CONVERGENCE,
                        "element %zu has lost its length or turned back within a step; use a shorter step", element);
    if (!der_relax_frames(rod, c, work, iterations))
        return cdg_fail(error, CDG_ERROR_NO_CONVERGENCE,
                        "no material angles balance the rod's twisting; use a shorter step");
    return CDG_OK;
}

static void find_directors(const cdg_rod *rod, const der_chain *c) {
    for (size_t j = 0; j < rod->element_count; j++) {
        cdg_quat q = rod_quat(rod->q_next, j);
        rod_set_vec3(c->d1, j, quat_d1(q));
        rod_set_vec3(c->d2, j, quat_d2(q));
    }
}

// No rod comes through a step in which its nodes leave each other by many times its length; numbers are finite for
// some steps more, and shorter steps only hide it.
static bool has_blown_up(const cdg_rod *rod, double sum_of_squares, double step) {
    const double most = 10 * rod->length / step, nodes = (double)rod->node_count;
    if (sum_of_squares <= nodes * most * most) return false;
    double mean2 = 0;
    for (int k = 0; k < 3; k++) {
        double sum = 0;
        for (size_t i = 0; i < rod->node_count; i++) sum += rod->v_next[k][i];
        mean2 += sum * sum / nodes;
    }
    return !(sum_of_squares - mean2 <= nodes * most * most) || sum_of_squares > 1e300;
}

static bool finish(cdg_rod *rod, const der_chain *c, double step) {
    double sum = 0;
    for (int k = 0; k < 3; k++) sum += der_choose_loops()->sum_of_squares(rod->node_count, rod->v_next[k]);
    der_choose_loops()->finish_frames(c, rod->v_next, 1 / step, rod->w_next);
    return isfinite(sum) && !has_blown_up(rod, sum, step);
}

// What the supports exert: the momentum that nothing else gives. `force` is what acted on the nodes without supports
// and constraints, tension what the constraints did.
static void set_reactions(cdg_rod *rod, const der_chain *c, double step, double *const force[3]) {
    for (size_t h = 0; h < rod->hold_count; h++) {
        cdg_hold *hold = &rod->holds[h];
        size_t node = hold->node, left = rod_left_element(rod, node), right = rod_right_element(rod, node);
        hold->force = hold->moment = vec3(0, 0, 0);
        for (size_t a = 0; a < c->anchor_count; a++)
            if (c->anchors[a].node == node)
                hold->moment = vec3_add(hold->moment, der_chain_anchor_moment(c, &c->anchors[a]));
        if (!hold->holds_position) continue;
        cdg_vec3 v = rod_vec3(rod->v_next, node), change = vec3_sub(v, rod_vec3(rod->v, node));
        cdg_vec3 needed = vec3_mad(vec3_scale(1 / step, change), rod->drag_rate, v);
        cdg_vec3 other = rod_vec3(force, node);
        if (der_options(rod)->constraint != CDG_DER_CONSTRAINT_NONE && !hold->yields) { // which have them already
            if (left != SIZE_MAX) other = vec3_mad(other, -rod->tension[left], rod_vec3(c->t, left));
            if (right != SIZE_MAX) other = vec3_mad(other, rod->tension[right], rod_vec3(c->t, right));
        }
        hold->force = vec3_sub(vec3_scale(rod->node_mass[node], needed), other);
    }
}

// Multipliers move nodes by mass^-1 lambda e; over the time squared that is a tension.
static void set_tension(cdg_rod *rod, const der_explicit_work *work, double factor) {
    for (size_t j = 0; j < rod->element_count; j++)
        rod->tension[j] = -work->multiplier[j] * rod->rest_length[j] * factor;
}

cdg_result der_explicit_predict(cdg_rod *rod, double step, const cdg_rod_loads *loads, void *scratch,
                                cdg_rod_step_result *result, cdg_error *error) {
    der_chain chain;
    der_explicit_work work;
    char *next = der_setup(rod, (der_scheme){.is_explicit = true}, loads, scratch, &chain);
    next = der_explicit_work_place(rod, next, &work);
    bool is_rattle = der_options(rod)->constraint == CDG_DER_CONSTRAINT_RATTLE;
    bool is_constrained = der_options(rod)->constraint != CDG_DER_CONSTRAINT_NONE;
    for (size_t i = 0; i < rod->node_count; i++) work.inverse_mass[i] = 1 / rod->node_mass[i];
    for (size_t h = 0; h < rod->hold_count; h++)
        if (rod->holds[h].holds_position && !rod->holds[h].yields) work.inverse_mass[rod->holds[h].node] = 0;
    int iterations = 0, frame_iterations = 0;
    size_t element;
    for (int k = 0; k < 3; k++) memcpy(rod->x_next[k], rod->x[k], rod->node_count * sizeof(double));
    if (!der_chain_start(&chain, &element))
        return cdg_fail(error, CDG_ERROR_NO_CONVERGENCE, "element %zu has no length", element);
    der_internal_forces(rod, &chain, work.edge, work.force);

    double taut = is_constrained ? tautness(rod, &work) : 0;
    bool gives_way = does_give_way(rod, taut);
    // RATTLE does not dissipate: stretching would ring; and bodies are no part of its second half.
    work.pull = (1 + rod->drag_rate * step) / (step * step);
    if (let_places_yield(rod, &work) || gives_way) is_rattle = false;
    double share = is_rattle ? step / 2 : step;
    work.pull = (1 + rod->drag_rate * share) / (step * share);
    drift(rod, &work, share, step);
    place_yielding(rod, &work, step);
    // Reactions need the forces at the held nodes; the arrays are used again below.
    for (size_t h = 0; h < rod->hold_count; h++) rod->holds[h].force = rod_vec3(work.force, rod->holds[h].node);
    if (is_constrained) {
        const double longer = 1 + 2e-3;
        double time2 = gives_way ? step * share : 0;
        if (taut > longer ||
            !der_project_lengths(rod, rod->x_next, is_rattle ? rod->x : NULL, time2, &work, &iterations))
            return fail_length(error);
        set_tension(rod, &work, work.pull);
    }
    for (int k = 0; k < 3; k++)
        der_choose_loops()->difference(rod->node_count, rod->x[k], rod->x_next[k], 1 / step, rod->v_next[k]);
    cdg_result status = settle_frames(rod, &chain, &work, step, next, &frame_iterations, error);
    if (status != CDG_OK) return status;
    if (is_rattle) {
        find_directors(rod, &chain);
        der_internal_forces(rod, &chain, work.edge, work.force);
        kick(rod, &work, step / 2);
        for (size_t h = 0; h < rod->hold_count; h++) {
            if (!rod->holds[h].holds_position) continue; // a support moves on as it moved in this step
            cdg_vec3 moved = vec3_sub(rod->holds[h].position, rod_vec3(rod->x, rod->holds[h].node));
            rod_set_vec3(rod->v_next, rod->holds[h].node, vec3_scale(1 / step, moved));
        }
        if (!der_project_velocities(rod, rod->x_next, rod->v_next, &work)) return fail_length(error);
    }
    if (!finish(rod, &chain, step))
        return cdg_fail(error, CDG_ERROR_NOT_FINITE,
                        "velocities have grown beyond all bounds: the step of %g s is longer than the explicit "
                        "integrator's limit (see the advice on the step)",
                        step);
    for (size_t h = 0; h < rod->hold_count; h++)
        for (int k = 0; k < 3; k++) {
            double f[3] = {rod->holds[h].force.x, rod->holds[h].force.y, rod->holds[h].force.z};
            work.force[k][rod->holds[h].node] = f[k];
        }
    set_reactions(rod, &chain, step, work.force);
    result->iterations = iterations > frame_iterations ? iterations : frame_iterations;
    result->residual = 0;
    return CDG_OK;
}
