// Newton's method on the whole chain for the minimisation of one pobd step: the direct solve that the paper (section 9)
// leaves to future work. Exact second derivatives first, so that convergence is quadratic and one iteration from a near
// guess is a linearly implicit step; a positive semidefinite matrix where those are not positive definite; and a line
// search that acts only when the objective rose.
#include "base/error.h"
#include "rods/pobd/chain.h"
#include "rods/pobd/terms.h"

#include <math.h>

// rad: largest turn of an element in one iteration. The objective is close to quadratic only within about this.
#define TURN_LIMIT 1.0
// rad: up to this turn the stretch energy may rise by the second order of the turns (see may_stand).
#define RELAXED_TURN_LIMIT 0.5
// Relative rise of the objective that counts as rounding: strains of stiff rods are differences of nearly equal
// numbers.
#define VALUE_SLACK 1e-9
// A correction below this part of an element's length (and this angle) is too small to make the objective rise in
// earnest.
#define NEGLIGIBLE 1e-9

size_t pobd_direct_scratch_size(size_t element_count, bool is_closed, bool has_spare) {
    return pobd_chain_scratch_size(element_count, is_closed, has_spare);
}

// ---- errors ---------------------------------------------------------------------------------------------------------

static bool is_finite_vector(block_vector v) { return isfinite(v.x) && isfinite(v.y) && isfinite(v.z); }

static cdg_result fail_not_finite(const pobd_problem *problem, cdg_error *error) {
    for (size_t i = 0; i < problem->node_count; i++) {
        if (!is_finite_vector(block_load_vector((const double *const *)problem->x, i, 1)))
            return cdg_fail(
                error, CDG_ERROR_NOT_FINITE,
                "the position of node %zu is not finite at the start of the solve; likely cause: an infinite "
                "velocity or a support's prescribed motion; check them or use a smaller step",
                i);
        if (!is_finite_vector(block_load_vector(problem->x_target, i, 1)) ||
            !isfinite(block_node_at(problem, i).energy))
            return cdg_fail(
                error, CDG_ERROR_NOT_FINITE,
                "the inertia of node %zu is not finite; likely cause: a load, velocity or time step that is too "
                "large or not a number; check the loads there or use a smaller step",
                i);
    }
    for (size_t j = 0; j < problem->element_count; j++) {
        if (!isfinite(block_stretch_at(problem, j, pobd_next_node(problem, j), true).energy))
            return cdg_fail(error, CDG_ERROR_NOT_FINITE,
                            "the stretch energy of the element after node %zu is not finite; likely cause: a zero rest "
                            "length, an enormous stiffness or a frame that is not a rotation; check the section there",
                            j);
        if (!isfinite(block_spin_at(problem, j, true).energy))
            return cdg_fail(error, CDG_ERROR_NOT_FINITE,
                            "the spin of the element after node %zu is not finite; likely cause: a torque or angular "
                            "velocity that is too large or not a number; check the loads there or use a smaller step",
                            j);
    }
    for (size_t i = 0; i < problem->node_count; i++) {
        size_t left = pobd_left_element(problem, i), right = pobd_right_element(problem, i);
        if (left == SIZE_MAX || right == SIZE_MAX) continue;
        if (!isfinite(block_bend_at(problem, left, right, i, pobd_measure(problem), true).energy))
            return cdg_fail(
                error, CDG_ERROR_NOT_FINITE,
                "the bending energy at node %zu is not finite; likely cause: a bending stiffness or rest shape "
                "that is not a number; check the section and rest shape there",
                i);
    }
    size_t node = problem->anchor_count > 0 ? problem->anchors[0].node : 0;
    return cdg_fail(
        error, CDG_ERROR_NOT_FINITE,
        "the energy of the rod is not finite (first support at node %zu); likely cause: a support's frame that is "
        "not a rotation, or forces too large for the numbers; check the supports",
        node);
}

static cdg_result check(const pobd_problem *problem, cdg_error *error) {
    if (problem->element_count < (problem->is_closed ? 2 : 1))
        return cdg_fail(error, CDG_ERROR_ARGUMENT, "a %s rod needs at least %d element%s; give it more elements",
                        problem->is_closed ? "closed" : "open", problem->is_closed ? 2 : 1,
                        problem->is_closed ? "s" : "");
    return CDG_OK;
}

// ---- one iteration --------------------------------------------------------------------------------------------------

void pobd_attempt_shifts(const pobd_problem *problem, int attempt, double *shift_x, double *shift_t) {
    *shift_x = *shift_t = 0;
    if (attempt < 2) return;
    double spring = 0, turning = 0; // the largest that stand in the matrix
    for (size_t j = 0; j < problem->element_count; j++) {
        block_stretch_term t = block_stretch_at(problem, j, pobd_next_node(problem, j), false);
        spring = block_larger(spring, t.spring.xx + t.spring.yy + t.spring.zz);
        turning = block_larger(turning, t.turning.xx + t.turning.yy + t.turning.zz);
        size_t left = pobd_left_element(problem, j);
        if (left == SIZE_MAX) continue;
        block_bend_term b = block_bend_at(problem, left, j, j, pobd_measure(problem), false);
        turning = block_larger(turning, b.right_right.xx + b.right_right.yy + b.right_right.zz);
        turning = block_larger(turning, b.left_left.xx + b.left_left.yy + b.left_left.zz);
    }
    double part = 1e-12 * pow(100, attempt - 2);
    *shift_x = part * spring + 1e-300, *shift_t = part * turning + 1e-300;
}

static bool eliminate(pobd_chain *chain, int attempt) {
    double shift_x, shift_t;
    pobd_attempt_shifts(chain->problem, attempt, &shift_x, &shift_t);
    return pobd_chain_eliminate(chain, attempt == 0, shift_x, shift_t);
}

// Whether a step from where the objective was `reference` may stand. It must not rise, except by the stretch energy
// that is second order in the turns: elements that turn by theta while their ends move straight on get longer by
// theta^2/2, which in a stiff rod outweighs all else, though the next iteration takes it back. To forbid it would allow
// but tiny steps (in constrained optimisation this is known as the Maratos effect).
static bool may_stand(const pobd_chain *chain, double reference, double value, double factor, double turn) {
    double limit = reference + VALUE_SLACK * fabs(reference);
    if (value <= limit) return true;
    if (!isfinite(value) || factor * turn > RELAXED_TURN_LIMIT) return false;
    return value - pobd_chain_excess(chain, factor) <= limit;
}

// A step of *factor times the correction may not stand: goes back to the minimum of the parabola through both values
// and the slope -decrement, again and again.
static void backtrack(const pobd_chain *chain, double *factor, double reference, double decrement, double turn,
                      double value) {
    enum { TRIES = 40 };
    for (int k = 0; k < TRIES; k++) {
        double f = *factor, linear = value - pobd_chain_excess(chain, f), curve = linear - reference + decrement * f;
        double next = isfinite(linear) && curve > 0 ? decrement * f * f / (2 * curve) : 0.1 * f;
        next = next < 0.1 * f ? 0.1 * f : next > 0.5 * f ? 0.5 * f : next;
        pobd_chain_advance(chain, -f);
        if (k == TRIES - 1) next = 0;
        pobd_chain_advance(chain, next);
        *factor = next;
        value = pobd_chain_value(chain);
        if (may_stand(chain, reference, value, next, turn)) break;
    }
}

cdg_result pobd_solve_direct(const pobd_problem *problem, void *scratch, pobd_outcome *outcome, cdg_error *error) {
    *outcome = (pobd_outcome){0, 0, 0};
    cdg_result result = check(problem, error);
    if (result != CDG_OK) return result;
    pobd_chain chain;
    pobd_chain_init(&chain, problem, scratch);

    int attempt = 0;
    bool is_pending = false, is_done = false; // a step that the objective has not been asked about; no further step
    double factor = 0, reference = 0, decrement = 0;
    pobd_size size = {0};
    for (;;) {
        if (!is_done && outcome->iterations >= problem->iterations) is_done = true;
        if (is_done && !is_pending) break;
        double value;
        if (is_done) {
            value = pobd_chain_value(&chain);
        } else {
            while (attempt < POBD_ATTEMPT_COUNT && !eliminate(&chain, attempt)) attempt++;
            value = attempt < POBD_ATTEMPT_COUNT ? chain.value : pobd_chain_value(&chain);
        }
        if (is_pending) {
            is_pending = false;
            if (!may_stand(&chain, reference, value, factor, size.turn)) {
                backtrack(&chain, &factor, reference, decrement, size.turn, value);
                outcome->correction = factor * fmax(size.move, size.swing);
                is_done = is_done || factor == 0; // nowhere lower
                attempt = 0;
                continue;
            }
        }
        if (is_done) break;
        if (!isfinite(value)) return fail_not_finite(problem, error);
        if (attempt == POBD_ATTEMPT_COUNT)
            return cdg_fail(
                error, CDG_ERROR_NO_CONVERGENCE,
                "the rod's equations cannot be solved: stiffness and inertia of its parts are too far apart; use "
                "a larger time step or stiffnesses that differ less");
        size = pobd_chain_substitute(&chain);
        if (!size.is_finite) { // overflow
            attempt++;
            continue;
        }
        attempt = 0;
        factor = size.turn > TURN_LIMIT ? TURN_LIMIT / size.turn : 1;
        reference = value, decrement = chain.decrement;
        pobd_chain_advance(&chain, factor);
        outcome->iterations++;
        outcome->correction = factor * fmax(size.move, size.swing);
        is_pending = outcome->correction > NEGLIGIBLE * problem->rest_length[0];
        is_done = outcome->correction < problem->tolerance;
    }
    return CDG_OK;
}
