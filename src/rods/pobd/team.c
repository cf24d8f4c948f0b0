// Teams of alike pobd rods (pobd/strands.h): open and uniform, undamped, with the same solver settings, held at the
// ends only. Everything else is done rod by rod (pobd/pobd.c).
#include "rods/pobd/team.h"
#include "rods/pobd/options.h"

#include "rods/pobd/parts.h"
#include "rods/pobd/strands.h"

#include <math.h>

// With fewer, rods one by one are as fast.
static bool is_worthwhile(size_t count) { return count > pobd_strands_most() / 2; }

static bool may_join(const cdg_rod *rod) {
    return is_gauss_seidel(rod) && !rod->is_closed && pobd_options(rod)->darboux != CDG_POBD_TANGENT &&
           !pobd_options(rod)->paper_stiffness && !pobd_options(rod)->long_range_attachments && !is_damped(rod) &&
           has_uniform_inertia(rod) && !rod->is_gripped && rod->has_equal_turns && !rod->has_inner_frame_support;
}

size_t pobd_team_size(void) { return pobd_strands_most(); }

bool pobd_is_alike(const cdg_rod *a, const cdg_rod *b) {
    return may_join(a) && may_join(b) && a->element_count == b->element_count &&
           pobd_options(a)->iterations == pobd_options(b)->iterations &&
           pobd_options(a)->darboux == pobd_options(b)->darboux &&
           pobd_options(a)->integrator == pobd_options(b)->integrator;
}

size_t pobd_team_scratch_size(const cdg_rod *rod) {
    return may_join(rod) ? pobd_strands_scratch_size(rod->element_count) : 0;
}

// The rod's index in the team; false when something but an end is held.
static bool enlist(cdg_rod *rod, double step, const cdg_rod_loads *loads, pobd_anchor anchors[2], size_t *anchor_count,
                   pobd_strand *out) {
    size_t last = rod->node_count - 1;
    *out = (pobd_strand){.rod = rod, .loads = loads, .inertia = pobd_gauss_seidel_inertia(rod, 0)};
    if (rod->hold_count > 2) return false;
    for (size_t h = 0; h < rod->hold_count; h++) {
        const cdg_hold *hold = &rod->holds[h];
        if (hold->node != 0 && hold->node != last) return false;
        if (hold->holds_position) out->held[hold->node == last] = hold;
    }
    *anchor_count = pobd_set_anchors(rod, step, 0, NULL, anchors);
    for (size_t a = 0; a < *anchor_count; a++) out->anchored[anchors[a].node == last] = &anchors[a];
    return true;
}

typedef struct enlisted {
    pobd_strand strands[CDG_TEAM_MAX];
    pobd_anchor anchors[CDG_TEAM_MAX][2]; // an end has one half cell
    size_t anchor_count[CDG_TEAM_MAX];
    pobd_scheme scheme;
} enlisted;

static bool enlist_all(cdg_rod *const *rods, size_t count, double step, const cdg_rod_loads *loads, enlisted *out) {
    if (!is_worthwhile(count)) return false;
    out->scheme = pobd_choose_scheme(rods[0], step);
    for (size_t i = 0; i < count; i++) {
        if (pobd_choose_scheme(rods[i], step).history != out->scheme.history) return false;
        if (loads[i].is_weight_only != loads[0].is_weight_only) return false; // all have arrays of loads, or none has
        if (!enlist(rods[i], step, &loads[i], out->anchors[i], &out->anchor_count[i], &out->strands[i])) return false;
    }
    return true;
}

static cdg_vec3 stretch_of(const void *solve, size_t element) {
    const pobd_strand *strand = solve;
    return strand->end_stretch[element > 0];
}

static cdg_vec3 turn_of(const void *solve, size_t anchor, bool is_right) {
    (void)anchor;
    return ((const pobd_strand *)solve)->end_turn[is_right ? 0 : 1];
}

// Of candidates that the solver has made.
static void tell_results(const enlisted *team, cdg_rod *const *rods, size_t count, int iterations,
                         const cdg_rod_loads *loads, cdg_rod_step_result *results) {
    for (size_t i = 0; i < count; i++) {
        cdg_rod *rod = rods[i];
        const pobd_strand *strand = &team->strands[i];
        pobd_problem problem = {.is_angle = pobd_measure_of(rod) == CDG_POBD_ANGLE,
                                .multipliers = {strand, stretch_of, turn_of},
                                .anchors = team->anchors[i],
                                .anchor_count = team->anchor_count[i]};
        for (int k = 0; k < 3; k++) problem.stretch_stiffness[k] = rod->stretch_stiffness[k];
        pobd_set_reactions(rod, &problem, team->scheme, &loads[i]);
        results[i].iterations = iterations;
        results[i].residual = fmax(strand->correction * (double)rod->element_count / rod->length, strand->stretch);
    }
}

bool pobd_predict_team(cdg_rod *const *rods, size_t count, double step, const cdg_rod_loads *loads,
                       const cdg_soon *soon, void *scratch, cdg_rod_step_result *results) {
    enlisted team;
    if (!enlist_all(rods, count, step, loads, &team)) return false;
    int iterations = pobd_options(rods[0])->iterations;
    if (!pobd_solve_strands(team.strands, count, team.scheme, iterations, soon, scratch)) return false;
    tell_results(&team, rods, count, iterations, loads, results);
    return true;
}

// Where there is a history the scheme does not change on the way; a first step has its own.
bool pobd_advance_team(cdg_rod *const *rods, size_t count, double step, uint64_t steps, bool is_final,
                       const cdg_rod_loads *loads, const cdg_soon *soon, void *scratch, uint64_t *taken,
                       cdg_rod_step_result *results) {
    enlisted team;
    *taken = 0;
    for (size_t i = 0; i < count; i++) {
        bool is_settled = rods[i]->x_before[0] == NULL || (rods[i]->has_history && rods[i]->history_step == step);
        if (!is_settled || (rods[i]->x_before[0] == NULL) != (rods[0]->x_before[0] == NULL)) return false;
        if (!loads[i].is_weight_only) return false;
    }
    int iterations = pobd_options(rods[0])->iterations;
    if (!enlist_all(rods, count, step, loads, &team) ||
        !pobd_advance_strands(team.strands, count, team.scheme, iterations, steps, is_final, soon, scratch, taken))
        return false;
    tell_results(&team, rods, count, iterations, loads, results);
    return true;
}
