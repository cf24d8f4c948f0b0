// Position and orientation based rods (Kugelstadt and Schömer 2016, algorithm 1) with physical stiffness: one step is a
// minimisation (pobd/problem.h) that a direct or a Gauss-Seidel solver carries out.
//
// Kelvin-Voigt damping with time tau: stress = S (strain + tau (strain - strain_hat)/h), i.e. stiffness S (1 + b) about
// the rest strain b/(1 + b) strain_hat with b = tau/h. Strains do not see rigid motions, so those are not damped.
#include "rods/pobd/pobd.h"
#include "rods/pobd/options.h"

#include "base/error.h"
#include "rods/pobd/net.h"
#include "rods/pobd/parts.h"
#include "rods/pobd/response.h"
#include "rods/pobd/team.h"

#include <stdio.h>
#include <string.h>

// ---- checks ---------------------------------------------------------------------------------------------------------

static cdg_result pobd_check(const cdg_rod_def *def, cdg_error *error) {
    const cdg_pobd_options *o = &def->pobd;
    if (o->iterations < 1)
        return cdg_fail(error, CDG_ERROR_ARGUMENT, "rod '%s': pobd needs at least 1 iteration a step, not %d",
                        def->name, o->iterations);
    if (!(o->tolerance >= 0 && isfinite(o->tolerance)))
        return cdg_fail(error, CDG_ERROR_ARGUMENT, "rod '%s': the pobd tolerance must be finite and not negative",
                        def->name);
    if (o->paper_stiffness && def->adapt.is_on)
        return cdg_fail(error, CDG_ERROR_UNSUPPORTED,
                        "rod '%s': stiffness 'paper' depends on the elements; take physical stiffness with 'adapt'",
                        def->name);
    if (o->paper_stiffness) {
        if (o->solver != CDG_POBD_GAUSS_SEIDEL || o->integrator != CDG_POBD_EULER)
            return cdg_fail(error, CDG_ERROR_UNSUPPORTED,
                            "rod '%s': stiffness 'paper' needs solver 'gauss_seidel' and integrator 'euler'",
                            def->name);
        if (!(o->paper_unit > 0 && isfinite(o->paper_unit)))
            return cdg_fail(error, CDG_ERROR_ARGUMENT,
                            "rod '%s': the unit of paper stiffness must be a positive number of elements", def->name);
        for (int k = 0; k < 3; k++)
            if (!(o->paper_stretch[k] >= 0 && o->paper_stretch[k] <= 1 && o->paper_bend[k] >= 0 &&
                  o->paper_bend[k] <= 1))
                return cdg_fail(error, CDG_ERROR_ARGUMENT, "rod '%s': paper stiffness factors lie between 0 and 1",
                                def->name);
    }
    if (o->long_range_attachments && o->solver != CDG_POBD_GAUSS_SEIDEL)
        return cdg_fail(error, CDG_ERROR_UNSUPPORTED,
                        "rod '%s': long-range attachments belong to solver 'gauss_seidel'; 'direct' needs none",
                        def->name);
    return CDG_OK;
}

static bool pobd_needs_history(const cdg_rod_def *def) { return def->pobd.integrator == CDG_POBD_BDF2; }

// ---- scratch --------------------------------------------------------------------------------------------------------

static size_t aligned_bytes(size_t bytes) { return (bytes + 63) / 64 * 64; }

static void *take(char **next, size_t bytes) {
    void *block = *next;
    *next += aligned_bytes(bytes);
    return block;
}
static double *take_doubles(char **next, size_t count) { return take(next, count * sizeof(double)); }

// Whether one bending stiffness K serves every node that has a left and a right element.
static bool has_uniform_bending(const cdg_rod *rod) {
    if (!has_uniform_inertia(rod) || rod->has_inner_joint) return false;
    for (size_t h = 0; h < rod->hold_count; h++) {
        size_t node = rod->holds[h].node;
        bool is_end = !rod->is_closed && (node == 0 || node == rod->node_count - 1);
        if (rod->holds[h].frame_hold != CDG_HOLD_NO_FRAME && !is_end) return false;
    }
    return true;
}

// Whether the solver will find one section for all elements at all times, whatever supports come and go: then it needs
// much less scratch.
static bool is_always_uniform(const cdg_rod *rod) {
    return has_uniform_inertia(rod) && !rod->has_inner_frame_support && !rod->has_inner_joint;
}

// While the solver works, the arrays of the candidate from v_next to w_next stand empty, one after the other
// (rod_build.c): it may use them.
static size_t spare_count(const cdg_rod *rod) { return (size_t)(rod->w_next[2] - rod->v_next[0]); }
static bool has_spare(const cdg_rod *rod) { return spare_count(rod) >= POBD_SPARE_FOR(rod->element_count); }

size_t pobd_scratch_size(const cdg_rod *rod) {
    size_t nodes = rod->node_count, elements = rod->element_count;
    size_t node_bytes = aligned_bytes(nodes * 8), element_bytes = aligned_bytes(elements * 8);
    size_t bytes = is_gauss_seidel(rod) ? 0 : 3 * node_bytes + 4 * element_bytes; // targets
    bytes += node_bytes;                                                          // weights
    bytes += (is_gauss_seidel(rod) ? 1 : 3) * (has_uniform_inertia(rod) ? 64 : element_bytes);
    bytes += 3 * (has_uniform_inertia(rod) ? 64 : element_bytes);    // inertia
    bytes += 3 * (rod->section_stride != 0 ? element_bytes : 64);    // stretch stiffness
    bytes += 3 * (is_always_uniform(rod) ? 64 : node_bytes);         // bend stiffness
    if (is_damped(rod)) bytes += 3 * element_bytes + 4 * node_bytes; // damped rest shape
    if (pobd_options(rod)->long_range_attachments) bytes += 2 * node_bytes + aligned_bytes(nodes * sizeof(cdg_vec3));
    bytes += aligned_bytes(2 * rod->hold_capacity * sizeof(pobd_anchor));
    bool is_plain =
        is_always_uniform(rod) && pobd_options(rod)->darboux != CDG_POBD_TANGENT && !pobd_options(rod)->paper_stiffness;
    bytes += is_gauss_seidel(rod)
                 ? pobd_gauss_seidel_scratch_size(elements, is_plain, has_spare(rod), 2 * rod->hold_capacity) +
                       pobd_gauss_seidel_best_parts().solve_size()
                 : pobd_direct_scratch_size(elements, rod->is_closed, true);
    return bytes;
}

// ---- time integration -----------------------------------------------------------------------------------------------

// Gauss-Seidel moves bending from frames to nodes through the stretch-shear constraint in the ratio of their weights;
// the true rotary inertia of a thin rod is so small that this would take hundreds of iterations. It is raised to this
// share of (element mass) x (element length)^2, an error that vanishes with the square of the element length and does
// not touch equilibria.
static const double gauss_seidel_inertia_share = 1;

static inline double larger(double a, double b) { return a > b ? a : b; } // fmax would be a call

static inline double largest_inertia(const cdg_rod *rod, size_t at) { // of the section's own
    return larger(rod->frame_inertia[0][at], larger(rod->frame_inertia[1][at], rod->frame_inertia[2][at]));
}

static inline double gauss_seidel_inertia(double line_mass, double own, double length) {
    return larger(length * own, gauss_seidel_inertia_share * line_mass * length * length * length);
}

double pobd_gauss_seidel_inertia(const cdg_rod *rod, size_t element) {
    size_t at = element * rod->section_stride;
    return gauss_seidel_inertia(rod->line_mass[at], largest_inertia(rod, at), rod->rest_length[element]);
}

static void frame_inertia(const cdg_rod *rod, size_t first, size_t count, double *const out[3]) {
    bool is_one = is_gauss_seidel(rod), is_uniform = is_one && rod->section_stride == 0;
    double line_mass = rod->line_mass[0], own = largest_inertia(rod, 0);
    for (size_t i = 0; i < count && is_uniform; i++)
        out[0][i] = gauss_seidel_inertia(line_mass, own, rod->rest_length[first + i]);
    for (size_t i = 0; i < count && is_one && !is_uniform; i++) out[0][i] = pobd_gauss_seidel_inertia(rod, first + i);
    for (int k = 1; k < 3 && is_one; k++) memcpy(out[k], out[0], count * sizeof *out[k]);
    for (int k = 0; k < 3 && !is_one; k++)
        for (size_t i = 0; i < count; i++)
            out[k][i] = rod->rest_length[first + i] * rod->frame_inertia[k][(first + i) * rod->section_stride];
}

// Rotary inertia of the frames as this rod's solver sees it, into arrays of one or element_count entries.
static void set_inertia(const cdg_rod *rod, double *const about[3]) {
    size_t count = has_uniform_inertia(rod) ? 1 : rod->element_count;
    for (size_t j = 0; j < count; j++) {
        if (is_gauss_seidel(rod))
            about[0][j] = pobd_gauss_seidel_inertia(rod, j);
        else
            for (int k = 0; k < 3; k++)
                about[k][j] = rod->rest_length[j] * rod->frame_inertia[k][j * rod->section_stride];
    }
}

// ---- elasticity -----------------------------------------------------------------------------------------------------

static void set_stretch(const cdg_rod *rod, pobd_scheme s, double *const stiffness[3], double *const rest_strain[3]) {
    double b[3] = {rod->damping_time[0] / s.h, rod->damping_time[0] / s.h, rod->damping_time[1] / s.h};
    size_t count = rod->section_stride != 0 ? rod->element_count : 1;
    for (int k = 0; k < 3; k++)
        for (size_t j = 0; j < count; j++) stiffness[k][j] = rod->stretch_stiffness[k][j] * (1 + b[k]);
    if (rest_strain[0] == NULL) return;
    for (size_t j = 0; j < rod->element_count; j++) {
        cdg_vec3 strain = pobd_strain(rod->x, rod->q, rod, j);
        if (s.history != 0) {
            cdg_vec3 before = pobd_strain(rod->x_before, rod->q_before, rod, j);
            strain = vec3_mad(strain, s.history, vec3_sub(strain, before));
        }
        rest_strain[0][j] = b[0] / (1 + b[0]) * strain.x;
        rest_strain[1][j] = b[1] / (1 + b[1]) * strain.y;
        rest_strain[2][j] = b[2] / (1 + b[2]) * strain.z;
    }
}

static void set_bend(const cdg_rod *rod, pobd_scheme s, size_t stride, double *const stiffness[3],
                     double *const rest_turn[4]) {
    double bend = rod->damping_time[2] / s.h, twist = rod->damping_time[3] / s.h;
    double raise[3] = {1 + bend, 1 + bend, 1 + twist};
    if (stride == 0) { // the rest length makes every cell that has two neighbours equally long
        for (int k = 0; k < 3; k++) stiffness[k][0] = 4 * rod->bend_stiffness[k][0] / rod->rest_length[0] * raise[k];
    } else {
        for (size_t i = 0; i < rod->node_count; i++) {
            bool is_interior = rod_left_element(rod, i) != SIZE_MAX && rod_right_element(rod, i) != SIZE_MAX;
            double scale = is_interior ? 4 / rod_cell_length(rod, i) : 0;
            for (int k = 0; k < 3; k++)
                stiffness[k][i] = scale * rod->bend_stiffness[k][i * rod->section_stride] * raise[k];
        }
    }
    if (rest_turn == NULL) return;
    for (size_t i = 0; i < rod->node_count; i++) {
        size_t left = rod_left_element(rod, i), right = rod_right_element(rod, i);
        cdg_quat rest = rod_rest_turn(rod, i);
        if (left != SIZE_MAX && right != SIZE_MAX) {
            cdg_vec3 turn = pobd_half_turn(rod, rod_quat(rod->q, left), rod_quat(rod->q, right), rest);
            if (s.history != 0) {
                cdg_vec3 before =
                    pobd_half_turn(rod, rod_quat(rod->q_before, left), rod_quat(rod->q_before, right), rest);
                turn = vec3_mad(turn, s.history, vec3_sub(turn, before));
            }
            rest = pobd_damped_rest_turn(rod, rest, turn, bend / (1 + bend), twist / (1 + twist));
        }
        rod_set_quat(rest_turn, i, rest);
    }
}

// Long-range attachments: how far along the rod each node is from the nearest held one (Kim et al. 2012).
static void set_attachments(const cdg_rod *rod, double *reach, size_t *attachment) {
    for (size_t i = 0; i < rod->node_count; i++) reach[i] = INFINITY, attachment[i] = i;
    for (size_t h = 0; h < rod->hold_count; h++) {
        if (!rod->holds[h].holds_position) continue;
        size_t held = rod->holds[h].node;
        reach[held] = 0;
        attachment[held] = held;
    }
    size_t rounds = rod->is_closed ? 2 : 1; // a loop needs a second round to carry the distance over the seam
    for (size_t step = 0; step < rounds * rod->element_count; step++) {
        size_t j = step % rod->element_count, next = rod_next_node(rod, j);
        double through = reach[j] + rod->rest_length[j];
        if (through < reach[next]) reach[next] = through, attachment[next] = attachment[j];
    }
    for (size_t step = rounds * rod->element_count; step-- > 0;) {
        size_t j = step % rod->element_count, next = rod_next_node(rod, j);
        double through = reach[next] + rod->rest_length[j];
        if (through < reach[j]) reach[j] = through, attachment[j] = attachment[next];
    }
}

// A node that is out of reach already, as in a rod that starts stretched or between supports that are too far apart,
// goes no farther, and its strain takes it back: put back at once, it would fly off by however much that is in a step,
// be it ever so short.
static void let_reach(const cdg_rod *rod, double *reach, const size_t *attachment) {
    for (size_t i = 0; i < rod->node_count; i++) {
        if (!(reach[i] > 0) || !isfinite(reach[i])) continue;
        reach[i] = fmax(reach[i], vec3_distance(rod_vec3(rod->x, i), rod_vec3(rod->x, attachment[i])));
    }
}

// ---- the step -------------------------------------------------------------------------------------------------------

// Names the first node or element without a finite candidate.
static cdg_result fail_not_finite(const cdg_rod *rod, double step, cdg_error *error) {
    for (size_t i = 0; i < rod->node_count; i++)
        if (!vec3_is_finite(rod_vec3(rod->x_next, i)) || !vec3_is_finite(rod_vec3(rod->v_next, i)))
            return cdg_fail(
                error, CDG_ERROR_NOT_FINITE,
                "node %zu has no finite position or velocity; likely a load or a prescribed motion is far too "
                "large for the step of %g s, or a stiffness or density is wrong by orders of magnitude",
                i, step);
    for (size_t j = 0; j < rod->element_count; j++)
        if (!vec3_is_finite(rod_vec3(rod->w_next, j)))
            return cdg_fail(
                error, CDG_ERROR_NOT_FINITE,
                "element %zu has no finite orientation or spin; likely a moment or a prescribed rotation is far too "
                "large for the step of %g s",
                j, step);
    return cdg_fail(error, CDG_ERROR_NOT_FINITE,
                    "velocities have grown beyond 1e300; the loads are far too large for the step of %g s", step);
}

static bool has_torque(const cdg_rod *rod, const cdg_rod_loads *loads) {
    if (loads->is_weight_only) return false;
    for (int k = 0; k < 3; k++)
        for (size_t j = 0; j < rod->element_count; j++)
            if (loads->torque[k][j] != 0) return true;
    return false;
}

void pobd_pose(cdg_rod *rod, double step, const cdg_rod_loads *loads, void *scratch, pobd_step *out) {
    size_t nodes = rod->node_count, elements = rod->element_count;
    pobd_scheme s = pobd_choose_scheme(rod, step);
    char *next = scratch;
    double *stretch_stiffness[3], *bend_stiffness[3], *inertia[3];
    pobd_targets targets;
    double *rest_strain[3] = {NULL, NULL, NULL}, *rest_turn[4];
    // Newton starts from the state now: it is hardly strained, whereas extrapolated nodes stretch every element that
    // turns, which a single iteration at a long step does not survive; and a rod in equilibrium starts from its
    // solution, an exact fixed point whatever the step and the iterations. Gauss-Seidel starts, as the paper does, from
    // the target, where its multipliers are zero, and does not need the target afterwards: it is the candidate itself.
    for (int k = 0; k < 3; k++) targets.x[k] = is_gauss_seidel(rod) ? rod->x_next[k] : take_doubles(&next, nodes);
    for (int k = 0; k < 4; k++) targets.q[k] = is_gauss_seidel(rod) ? rod->q_next[k] : take_doubles(&next, elements);
    targets.node_weight = take_doubles(&next, nodes);
    size_t inertia_stride = has_uniform_inertia(rod) ? 0 : 1;
    for (int k = 0; k < 3; k++) {
        bool is_shared = k > 0 && is_gauss_seidel(rod);
        targets.frame_weight[k] =
            is_shared ? targets.frame_weight[0] : take_doubles(&next, inertia_stride != 0 ? elements : 1);
        inertia[k] = is_shared ? inertia[0] : take_doubles(&next, inertia_stride != 0 ? elements : 1);
    }
    for (int k = 0; k < 3; k++) stretch_stiffness[k] = take_doubles(&next, rod->section_stride != 0 ? elements : 1);
    size_t bend_stride = has_uniform_bending(rod) ? 0 : 1;
    for (int k = 0; k < 3; k++) bend_stiffness[k] = take_doubles(&next, bend_stride != 0 ? nodes : 1);
    bool damped = is_damped(rod);
    if (damped) {
        for (int k = 0; k < 3; k++) rest_strain[k] = take_doubles(&next, elements);
        for (int k = 0; k < 4; k++) rest_turn[k] = take_doubles(&next, nodes);
    }
    pobd_anchor *anchors = take(&next, 2 * rod->hold_capacity * sizeof *anchors);

    set_inertia(rod, inertia);
    pobd_inertia frames = {{inertia[0], inertia[1], inertia[2]}, inertia_stride};
    pobd_predict(rod, s, loads, &frames, &targets);
    if (!is_gauss_seidel(rod) && !loads->starts_from_candidate) {
        cdg_rod_start_from_now(rod);
        for (int k = 0; k < 4; k++) memcpy(rod->q_next[k], rod->q[k], elements * sizeof(double));
    }
    // The paper's weights are 1, of nodes and frames alike, so that its factors mean something else in every unit of
    // length (eq. 37 adds them with the square of the element length). Here that unit is so many elements: in short
    // ones, with light frames, stiff rods droop and the spiral of figure 6 is late; in long ones elements are squeezed
    // where the ends of a stiff rod approach, as in figure 5.
    if (pobd_options(rod)->paper_stiffness) {
        double unit = pobd_options(rod)->paper_unit;
        for (size_t i = 0; i < nodes; i++) targets.node_weight[i] = 1;
        for (size_t j = 0; j < (inertia_stride != 0 ? elements : 1); j++)
            targets.frame_weight[0][j] = unit * unit * rod->rest_length[j] * rod->rest_length[j];
    }
    set_stretch(rod, s, stretch_stiffness, rest_strain);
    set_bend(rod, s, bend_stride, bend_stiffness, damped ? rest_turn : NULL);
    size_t anchor_count = pobd_set_anchors(rod, step, bend_stride, bend_stiffness, anchors);
    for (size_t h = 0; h < rod->hold_count; h++) {
        if (!rod->holds[h].holds_position) continue;
        rod_set_vec3(rod->x_next, rod->holds[h].node, rod->holds[h].position);
        targets.node_weight[rod->holds[h].node] = INFINITY;
    }

    out->scheme = s;
    out->problem = (pobd_problem){
        .node_count = nodes,
        .element_count = elements,
        .is_closed = rod->is_closed,
        .is_tangent = pobd_measure_of(rod) == CDG_POBD_TANGENT,
        .is_angle = pobd_measure_of(rod) == CDG_POBD_ANGLE,
        .node_weight = targets.node_weight,
        .rest_length = rod->rest_length,
        .stretch_stride = rod->section_stride,
        .bend_stride = bend_stride,
        .has_one_frame_weight = inertia_stride == 0,
        .has_equal_elements = has_uniform_inertia(rod),
        .has_equal_turns = rod->has_equal_turns && !damped,
        .has_one_turn = rod->has_one_turn && !damped,
        .anchors = anchors,
        .anchor_count = anchor_count,
        .spare = is_gauss_seidel(rod) ? rod->v_next[0] : NULL,
        .spare_count = is_gauss_seidel(rod) ? spare_count(rod) : 0,
        .is_paper = pobd_options(rod)->paper_stiffness,
        .iterations = pobd_options(rod)->iterations,
        .tolerance = pobd_options(rod)->tolerance * rod->length / (double)elements,
    };
    for (int k = 0; k < 3; k++) {
        out->problem.x[k] = rod->x_next[k];
        out->problem.x_target[k] = targets.x[k];
        out->problem.frame_weight[k] = targets.frame_weight[k];
        out->problem.spare_x[k] = is_gauss_seidel(rod) ? NULL : rod->v_next[k]; // empty until pobd_finish
        out->problem.spare_t[k] = is_gauss_seidel(rod) ? NULL : rod->w_next[k];
        out->problem.stretch_stiffness[k] = stretch_stiffness[k];
        out->problem.bend_stiffness[k] = out->bend_stiffness[k] = bend_stiffness[k];
        out->problem.rest_strain[k] = rest_strain[k];
        out->problem.paper_stretch[k] = pobd_options(rod)->paper_stretch[k];
        out->problem.paper_bend[k] = pobd_options(rod)->paper_bend[k];
    }
    for (int k = 0; k < 4; k++) {
        out->problem.q[k] = rod->q_next[k];
        out->problem.q_target[k] = targets.q[k];
        out->problem.rest_turn[k] = damped ? rest_turn[k] : rod->rest_turn[k];
    }
    if (!is_gauss_seidel(rod) && has_torque(rod, loads))
        for (int k = 0; k < 3; k++) out->problem.torque[k] = loads->torque[k];
    if (pobd_options(rod)->long_range_attachments) {
        double *reach = take_doubles(&next, nodes);
        size_t *attachment = take(&next, nodes * sizeof *attachment);
        cdg_vec3 *pull = take(&next, nodes * sizeof *pull);
        set_attachments(rod, reach, attachment);
        let_reach(rod, reach, attachment);
        memset(pull, 0, nodes * sizeof *pull);
        out->problem.attachment_reach = reach;
        out->problem.attachment_node = attachment;
        // the paper's weights are no masses
        out->problem.attachment_pull = pobd_options(rod)->paper_stiffness ? NULL : pull;
    }
    out->node_weight = targets.node_weight;
    out->solver_scratch = next;
}

static void solver_advice(const cdg_rod *rod, double step, char *text);

// By how much too few sweeps leave a rod longer, relative to its length under its forces, or its own.
static double length_left(const cdg_rod *rod, const pobd_multipliers *by) {
    double left = 0, said = 0;
    for (size_t j = 0; j < rod->element_count; j++) {
        cdg_vec3 strain = by->stretch(by->solve, j);
        double wanted = rod->rest_length[j] * vec3_norm(vec3(strain.x, strain.y, 1 + strain.z));
        double edge = vec3_distance(rod_vec3(rod->x_next, j), rod_vec3(rod->x_next, rod_next_node(rod, j)));
        left += edge - wanted;
        said += wanted;
    }
    return left / fmax(said, rod->length);
}

// Where that is half of it, shape, forces and energy are those of another thing.
static cdg_result check_length(const cdg_rod *rod, double step, const pobd_step *posed, double stretch,
                               cdg_error *error) {
    const pobd_multipliers *by = &posed->problem.multipliers;
    if (!(stretch > POBD_GROSS_STRETCH) || by->solve == NULL) return CDG_OK;
    double left = length_left(rod, by);
    if (!(left > POBD_GROSS_STRETCH)) return CDG_OK;
    char cure[256] = "more iterations, or model der or corde"; // nets are swept
    if (!posed->problem.is_joined) solver_advice(rod, step, cure);
    return cdg_fail(
        error, CDG_ERROR_NO_CONVERGENCE,
        "%d sweeps of gauss_seidel leave the rod longer by %.2g times its length than its forces imply, in a "
        "step of %.3g s: its shape, forces and energy would be wrong; take %s, or a shorter step",
        pobd_options(rod)->iterations, left, step, cure);
}

cdg_result pobd_conclude(cdg_rod *rod, double step, const cdg_rod_loads *loads, const pobd_step *posed,
                         const pobd_outcome *outcome, cdg_rod_step_result *result, cdg_error *error) {
    result->is_lost = false;
    if (!pobd_finish(rod, posed->scheme)) return fail_not_finite(rod, step, error);
    cdg_result lengths = check_length(rod, step, posed, outcome->stretch, error);
    result->is_lost = lengths != CDG_OK;
    if (lengths != CDG_OK) return lengths;
    pobd_set_reactions(rod, &posed->problem, posed->scheme, loads);
    result->iterations = outcome->iterations;
    result->residual = fmax(outcome->correction * (double)rod->element_count / rod->length, outcome->stretch);
    return CDG_OK;
}

void pobd_keep_multipliers(const pobd_gauss_seidel_parts *parts, pobd_step *posed) {
    if (posed->problem.is_paper) return; // factors in place of compliances: there are none
    posed->problem.multipliers = (pobd_multipliers){posed->solver_scratch, parts->stretch, parts->turn};
}

static void sweep(pobd_step *posed, pobd_outcome *outcome) {
    pobd_gauss_seidel_parts parts = pobd_gauss_seidel_best_parts();
    int count = outcome->iterations = posed->problem.iterations;
    parts.begin(&posed->problem, posed->solver_scratch);
    for (int i = 0; i < count; i++) parts.iterate(posed->solver_scratch, i + 1 == count);
    parts.end(posed->solver_scratch, outcome);
    pobd_keep_multipliers(&parts, posed);
}

static cdg_result predict(cdg_rod *rod, double step, const cdg_rod_loads *loads, void *scratch,
                          cdg_rod_step_result *result, cdg_error *error) {
    pobd_step posed;
    pobd_outcome outcome = {0};
    pobd_pose(rod, step, loads, scratch, &posed);
    cdg_result status = CDG_OK;
    if (is_gauss_seidel(rod))
        sweep(&posed, &outcome);
    else
        status = pobd_solve_direct(&posed.problem, posed.solver_scratch, &outcome, error);
    if (status != CDG_OK) return status;
    return pobd_conclude(rod, step, loads, &posed, &outcome, result, error);
}

// Gauss-Seidel carries bending from element to element, and needs about 2 B h^2/(m l^4) iterations, whether rods are
// whole or cut and joined. (Measured: settled cantilevers within 2 % of the direct solver's, 8 to 72 elements, 1 MPa to
// 1 GPa, steps of 0.5 to 8 ms, take that many within a factor of three.) With a quarter of them it is visibly soft.
static double iterations_for_bending(const cdg_rod *rod, double step) {
    double needed = 0;
    for (size_t j = 0; j < rod->element_count; j++) {
        size_t at = j * rod->section_stride;
        double l = rod->rest_length[j], bend = fmax(rod->bend_stiffness[0][at], rod->bend_stiffness[1][at]);
        needed = fmax(needed, 2 * bend * step * step / (rod->line_mass[at] * l * l * l * l));
        if (has_uniform_inertia(rod)) break;
    }
    return needed;
}

static double effective_step(const cdg_rod *rod, double step) {
    return pobd_options(rod)->integrator == CDG_POBD_BDF2 ? 2 * step / 3 : step;
}

// By which share a rope that hangs from one end is too long. In each step gravity moves all nodes by g h^2, and sweeps
// carry that to the support as heat spreads: the slowest of the chain's waves loses (pi/2N)^2 of itself in each, so
// that at rest N^2 16/pi^3 g h^2/iterations of it are left. h is that of the problem, 2/3 of the step with bdf2.
static double slack(const cdg_rod *rod, double step) {
    double h = effective_step(rod, step), count = (double)rod->element_count;
    if (rod->is_closed || rod->support_count > 1) count /= 2; // from both ends
    return 0.516 * rod->gravity * h * h * count * count / (pobd_options(rod)->iterations * rod->length);
}

// A rod that is straight between two supports hangs by its tension alone, however little it sags. Sweeps begin without
// any, and need 2 S (1 + tau/h) h^2/(m l^2) iterations to find it, S with its damping. (Measured: a sag within 10 % of
// der's; with a quarter of them it is twice as large, with few the rod falls freely.)
static bool is_taut(const cdg_rod *rod) {
    const double straight = 0.98;
    return !rod->is_closed && rod->support_count > 1 && !pobd_options(rod)->long_range_attachments &&
           vec3_distance(rod_vec3(rod->x, 0), rod_vec3(rod->x, rod->node_count - 1)) > straight * rod->length;
}

// s^2: of the shortest time that a stretching wave takes through an element.
static double crossing_square(const cdg_rod *rod) {
    double least = INFINITY;
    for (size_t j = 0; j < rod->element_count; j++) {
        size_t at = j * rod->section_stride;
        double l = rod->rest_length[j];
        least = fmin(least, rod->line_mass[at] * l * l / rod->stretch_stiffness[2][at]);
        if (has_uniform_inertia(rod)) break;
    }
    return least;
}

static double iterations_for_stretch(const cdg_rod *rod, double step) {
    double h = effective_step(rod, step);
    return 2 * h * (h + rod->damping_time[1]) / crossing_square(rod);
}
static double iterations_for_tension(const cdg_rod *rod, double step) {
    return is_taut(rod) ? iterations_for_stretch(rod, step) : 0;
}

// The step for which the iterations there are suffice.
static double step_for_tension(const cdg_rod *rod) {
    if (!is_taut(rod)) return INFINITY;
    double time = rod->damping_time[1], square = pobd_options(rod)->iterations * crossing_square(rod) / 2;
    double h = 2 * square / (time + sqrt(time * time + 4 * square)); // of h (h + tau) = square
    return h / effective_step(rod, 1);
}

static double advise_step(const cdg_rod *rod, char *reason) {
    const double most_slack = 0.005, shortest = 1e-4; // s
    double step = cdg_rod_advise_by_bending(rod, reason), iterations = pobd_options(rod)->iterations;
    if (!is_gauss_seidel(rod) || pobd_options(rod)->paper_stiffness) return step;
    double bend = step * sqrt(iterations / iterations_for_bending(rod, step));
    double stretch = pobd_options(rod)->long_range_attachments ? INFINITY : step * sqrt(most_slack / slack(rod, step));
    double tension = step_for_tension(rod), wanted = fmin(fmin(bend, stretch), tension);
    if (!(wanted < step)) return step;
    const char *carried = wanted == tension ? "tension" : stretch < bend ? "weight" : "bending";
    snprintf(reason, 256, "gauss_seidel with %d iterations carries %s along rod '%.60s' at %.3g s%s",
             pobd_options(rod)->iterations, carried, rod->name, wanted,
             wanted < shortest ? ", but not below 0.1 ms" : "");
    return fmax(wanted, shortest);
}

static bool doubt(const cdg_rod *rod, double step, char *text) {
    const double large_slack = 0.02;
    if (!is_gauss_seidel(rod) || pobd_options(rod)->paper_stiffness) return false;
    double needed = fmax(iterations_for_bending(rod, step), iterations_for_tension(rod, step));
    double longer = slack(rod, step);
    bool hangs = rod->support_count > 0 && !pobd_options(rod)->long_range_attachments;
    if (needed <= 4 * pobd_options(rod)->iterations && hangs && longer > large_slack) {
        snprintf(
            text, 256,
            "rod '%.40s' may hang some %.0f %% too long: at this step gauss_seidel would need about %.2g iterations "
            "to carry its weight, not %d; use more, fewer elements, a shorter step, or solver direct",
            rod->name, 100 * longer, pobd_options(rod)->iterations * longer / 0.005, pobd_options(rod)->iterations);
        return true;
    }
    if (needed <= 4 * pobd_options(rod)->iterations) return false;
    snprintf(
        text, 256,
        "rod '%.40s' will be softer than its stiffness: at this step gauss_seidel needs about %.2g iterations, "
        "some four times as many in nets, not %d; use more, fewer elements, a shorter step, or solver direct (nets: "
        "corde)",
        rod->name, needed, pobd_options(rod)->iterations);
    return true;
}

static void prepare(cdg_rod *rod) { rod->measure = pobd_measure_of(rod); }

static void weld_scheme(const cdg_rod *rod, double step, cdg_weld_scheme *out) {
    bool is_bdf2 = pobd_choose_scheme(rod, step).history != 0;
    cdg_rate_rule rule = is_bdf2 ? cdg_rate_rule_bdf2() : cdg_rate_rule_euler();
    *out = (cdg_weld_scheme){rule, rule, rule, 1};
}

static double pobd_spin_inertia(const cdg_rod *rod, size_t element) {
    if (is_gauss_seidel(rod)) return pobd_gauss_seidel_inertia(rod, element);
    return rod->frame_inertia[2][element * rod->section_stride] * rod->rest_length[element];
}

// What contact does to nodes by their masses, after the sweeps, strains the rod until the sweeps of the next step.
static bool pobd_takes_loads(const cdg_rod *rod) { return is_gauss_seidel(rod); }

// And it moves them by their own inertia alone, F h^2/m: that strains an element by (h c/l)^2 times what the force does
// for good, with c the speed of a wave, however many sweeps follow. A rod that adapts takes contact in so many parts
// that a wave passes no more than two of its finest elements in each, or in twice as many as these are shorter than
// as defined. (Rings that strike each other, elements halved once, mean of the largest strains: 0.43 in whole steps,
// 0.23 in 2 parts, 0.07 in 4, which take the least time, and 0.11 without adapting.)
static double contact_parts(const cdg_rod *rod, double step) {
    const double passed_most = 2;
    if (!is_gauss_seidel(rod) || rod->adapt == NULL || rod->adapt->halved_count == 0) return 1;
    int finest = 0;
    for (size_t j = 0; j < rod->element_count; j++)
        if (rod->adapt->level[j] > finest) finest = rod->adapt->level[j];
    double needed = ceil(step / (passed_most * sqrt(crossing_square(rod))));
    return fmin(fmax(needed, 1), (double)(2 << finest));
}

// More than there are, where none that may be asked for are enough only other solvers. To find the stretch that a load
// begins to cause takes four times as many as the waves say. (Measured: a rod of 50 and 100 elements, 20 MPa, is drawn
// by 100 N at its end; with as many, in steps of 1 and 5 ms, sweeps stop below 1 % of an element's length from the
// solution, and with a quarter of them at 17 to 24 %.) 0: none.
static int wanted_iterations(const cdg_rod *rod, double step) {
    const double most = 10000;
    double twice = 2.0 * pobd_options(rod)->iterations;
    if (!is_gauss_seidel(rod) || pobd_options(rod)->paper_stiffness) return (int)fmin(twice, most);
    double needed = fmax(4 * iterations_for_stretch(rod, step), iterations_for_bending(rod, step));
    double unit = pow(10, floor(log10(fmax(needed, 1)))), wanted = fmax(twice, unit * ceil(needed / unit));
    return wanted <= most ? (int)wanted : 0;
}

static void solver_advice(const cdg_rod *rod, double step, char *text) {
    bool is_direct = pobd_options(rod)->solver == CDG_POBD_DIRECT;
    const char *solver = is_direct ? "" : "the direct solver (--set simulation.pobd.solver=direct)";
    int wanted = wanted_iterations(rod, step);
    snprintf(text, 256, "%s", solver);
    if (wanted == 0) return;
    snprintf(text, 256, "%s%smore iterations (--set simulation.pobd.iterations=%d)", solver, is_direct ? "" : ", ",
             wanted);
}

static cdg_strain_trust strain_trust(const cdg_rod *rod) {
    if (pobd_options(rod)->paper_stiffness) return CDG_STRAIN_OTHER;
    return is_gauss_seidel(rod) ? CDG_STRAIN_ROUGH : CDG_STRAIN_TRUE;
}

static cdg_result check_rest_length(const cdg_rod *rod, cdg_error *error) {
    if (!pobd_options(rod)->paper_stiffness) return CDG_OK;
    return cdg_fail(error, CDG_ERROR_UNSUPPORTED,
                    "rod '%s' has stiffness: paper, which knows no lengths in metres; take physical stiffness to "
                    "change its rest length",
                    rod->name);
}

const cdg_rod_model cdg_pobd_model = {
    .name = "pobd",
    .options = &pobd_model_options,
    .element_cost = 6e-7,
    .supports_closed = true,
    .supports_anisotropic = true,
    .supports_varying_section = true,
    .supports_frame_clamp = true,
    .ties_to_solids = true,
    .takes_weight_only = true,
    .takes_one_turn = true,
    .carries_node_mass = true,
    .adapts = true,
    .solver_advice = solver_advice,
    .check = pobd_check,
    .check_rest_length = check_rest_length,
    .needs_history = pobd_needs_history,
    .scratch_size = pobd_scratch_size,
    .predict = predict,
    .commit = cdg_rod_commit,
    .advise_step = advise_step,
    .weld_scheme = weld_scheme,
    .prepare = prepare,
    .doubt = doubt,
    .division.contact_parts = contact_parts,
    .team.size = pobd_team_size,
    .team.is_alike = pobd_is_alike,
    .team.scratch_size = pobd_team_scratch_size,
    .team.predict = pobd_predict_team,
    .team.advance = pobd_advance_team,
    .contact.response_size = pobd_response_size,
    .contact.keep_response = pobd_keep_response,
    .contact.respond = pobd_respond,
    .contact.lighten = pobd_lighten,
    .contact.respond_lightly = pobd_respond_lightly,
    .contact.outward = pobd_outward,
    .contact.spin_inertia = pobd_spin_inertia,
    .contact.takes_loads = pobd_takes_loads,
    .contact.takes_loads_slowly = true,
    .net.supports_joints = pobd_supports_joints,
    .net.scratch_size = pobd_net_scratch_size,
    .net.predict = pobd_predict_net,
    .measures.strain_trust = strain_trust,
    .measures.frame_inertia = frame_inertia,
};
