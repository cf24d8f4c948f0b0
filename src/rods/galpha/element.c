// The equations of a pair of neighbouring nodes and their derivatives (Sobottka et al. 2008, eq. 18; see
// galpha/parts.h for the form they are kept in).
//
// In space the paper's averages with alpha_s = beta_s = gamma_s = 1/2 are used, the box scheme. It is the only member
// of the family that is second order and involves two nodes only: eliminating the derivative at the first node from
// eq. 18 and 20 leaves a factor beta_s gamma_s - (1 - beta_s)(1 - gamma_s) on it, and second order wants
// gamma_s = 1/2 and alpha_s = beta_s.
//
// Inertia, drag and loads act at the nodes: contact force and moment jump there by the share of the half element
// beside, and are constant between. Spread along the element, inertia would be known by its mean alone, and where an
// element is longer than bending waves come in a step (next to a clamp above all) accelerations would alternate from
// node to node between nothing and twice what they are.
//
// In time, for node values x with rate y (position and its rate, velocity and acceleration, ...),
//     x1 = x0 + h (gamma y1 + (1 - gamma) y0)                                                                 (eq. 19)
//     (1 - alpha) y1 + alpha y0 = (1 - beta) f1 + beta f0                                                     (eq. 17)
//
// Rotations vary by R -> exp([phi]) R with phi in fixed axes. With the turn psi = theta n between the pair's frames
// and both variations seen from the frame halfway, d psi = S (phi_b - phi_a),
// S = n n^T + (theta/2)/sin(theta/2) (1 - n n^T), and the frame halfway turns by
// (phi_a + phi_b)/2 - t x (phi_b - phi_a)/2, t = tan(theta/4) n: the left Jacobian of SO(3) loses its skew part there.
//
// The same S and t belong into the material law, or a strongly turning element would do work on itself. With the means
// V, W of the nodes' velocities and spins, the power of the balances is N.(dV - W x edge) + M.dW at the middle; the
// kinematics make dV = (W - t x dW/2) x edge + stretching and the strain rate S dW/l. Elastic energy changes by exactly
// this power if the moment of the law, g = K (kappa - kappa_rest), obeys
//     R_middle S g = (M_a + M_b)/2 + t x (edge x N)/2.
#include "rods/galpha/options.h"
#include "rods/galpha/parts.h"

#include <string.h>

enum { ROW_FORCE = 0, ROW_MOMENT = 3, ROW_BEND = 6, ROW_EDGE = 9 };
enum { AT_POSITION = 0, AT_FRAME = 3, AT_MOMENT = 6, AT_FORCE = 9 };

static cdg_vec3 multiply_each(cdg_vec3 a, cdg_vec3 b) { return vec3(a.x * b.x, a.y * b.y, a.z * b.z); }

cdg_vec3 galpha_bend_stiffness(const cdg_rod *rod, size_t element) {
    size_t a = element * rod->section_stride, b = (element + 1) * rod->section_stride;
    double *const *k = rod->bend_stiffness;
    return vec3(0.5 * (k[0][a] + k[0][b]), 0.5 * (k[1][a] + k[1][b]), 0.5 * (k[2][a] + k[2][b]));
}

static double element_mass(const cdg_rod *rod, size_t element) {
    return rod->line_mass[element * rod->section_stride] * rod->rest_length[element];
}

// ---- the step's numbers ---------------------------------------------------------------------------------------------

void galpha_step_prepare(galpha_step *step) {
    const cdg_rod *rod = step->rod;
    galpha_scheme s = step->scheme;
    step->balance_gain = 1 / (1 - s.beta);
    step->velocity_gain = step->balance_gain * (1 - s.alpha) * step->step_rate / s.gamma;
    for (int k = 0; k < 4; k++) step->damping_gain[k] = 1 + rod->damping_time[k] * step->step_rate / s.gamma;
    // Units in which no number is far from 1: lengths of elements, and the larger of the forces that bend an element
    // by a radian or move it by its length within the step.
    size_t middle = rod->element_count / 2 * rod->section_stride;
    step->length_scale = rod->length / (double)rod->element_count;
    double stiffness = fmax(rod->bend_stiffness[0][middle], rod->bend_stiffness[1][middle]);
    double inertia = rod->mass / (double)rod->element_count * step->length_scale * step->velocity_gain * (1 - s.alpha) *
                     step->balance_gain * step->step_rate / s.gamma;
    step->force_scale = stiffness / (step->length_scale * step->length_scale) + inertia;
    if (!(step->force_scale > 0)) step->force_scale = rod->stretch_stiffness[2][0]; // a string at rest
}

// ---- a node ---------------------------------------------------------------------------------------------------------

// Rate of a value that was `old` with rate `old_rate` (eq. 19).
static cdg_vec3 rate_of(const galpha_step *step, cdg_vec3 change, cdg_vec3 old_rate) {
    double gamma = step->scheme.gamma;
    return vec3_scale(1 / gamma, vec3_mad(vec3_scale(step->step_rate, change), gamma - 1, old_rate));
}

// The f1 of eq. 17.
static cdg_vec3 function_of(const galpha_step *step, cdg_vec3 rate, cdg_vec3 old_rate, cdg_vec3 old_function) {
    galpha_scheme s = step->scheme;
    cdg_vec3 mean = vec3_mad(vec3_scale(1 - s.alpha, rate), s.alpha, old_rate);
    return vec3_scale(step->balance_gain, vec3_mad(mean, -s.beta, old_function));
}

void galpha_update_trial(const galpha_step *step, size_t node, galpha_trial *t) {
    const galpha_node *old = &step->old[node];
    cdg_vec3 inertia = step->rest[node].inertia;
    cdg_vec3 old_velocity = quat_rotate(old->frame, old->velocity);
    t->position_rate = rate_of(step, vec3_sub(t->position, old->position), old->position_rate);
    t->velocity = function_of(step, t->position_rate, old->position_rate, old_velocity);
    t->acceleration = rate_of(step, vec3_sub(t->velocity, old_velocity), old->acceleration);

    t->frame_turn = quat_log(quat_relative(old->frame, t->frame));
    t->frame_rate = rate_of(step, t->frame_turn, old->frame_rate);
    t->spin = function_of(step, t->frame_rate, old->frame_rate, old->spin);
    t->momentum = quat_rotate(t->frame, multiply_each(inertia, t->spin));
    cdg_vec3 old_momentum = quat_rotate(old->frame, multiply_each(inertia, old->spin));
    t->momentum_rate = rate_of(step, vec3_sub(t->momentum, old_momentum), old->momentum_rate);

    t->force_per_mass = function_of(step, t->acceleration, old->acceleration, old->force_per_mass);
    t->moment_per_length = function_of(step, t->momentum_rate, old->momentum_rate, old->moment_per_length);
}

// ---- an element -----------------------------------------------------------------------------------------------------

cdg_vec3 galpha_stretch(const cdg_rod *rod, size_t element, cdg_vec3 from, cdg_vec3 to, cdg_quat frame) {
    cdg_vec3 edge = vec3_scale(1 / rod->rest_length[element], vec3_sub(to, from));
    return vec3_sub(quat_rotate_inverse(frame, edge), vec3(0, 0, 1));
}

static cdg_vec3 old_stretch(const galpha_step *step, size_t element) {
    const galpha_node *a = &step->old[element], *b = &step->old[element + 1];
    const galpha_rest *rest = &step->rest[element];
    cdg_quat frame = quat_multiply(galpha_middle(a->frame, b->frame, rest->turn), rest->offset);
    return galpha_stretch(step->rod, element, a->position, b->position, frame);
}

cdg_vec3 galpha_stretch_rate(const galpha_step *step, size_t element, cdg_vec3 stretch) {
    return rate_of(step, vec3_sub(stretch, old_stretch(step, element)), step->old[element].stretch_rate);
}

cdg_vec3 galpha_bend(const cdg_rod *rod, const galpha_rest *rest, size_t element, cdg_vec3 turn) {
    return vec3_scale(1 / rod->rest_length[element], vec3_sub(turn, rest->turn));
}

cdg_vec3 galpha_bend_rate(const galpha_step *step, size_t element, cdg_vec3 bend) {
    const galpha_rest *rest = &step->rest[element];
    cdg_vec3 turn = galpha_turn(step->old[element].frame, step->old[element + 1].frame, rest->turn);
    cdg_vec3 old = galpha_bend(step->rod, rest, element, turn);
    return rate_of(step, vec3_sub(bend, old), step->old[element].bend_rate);
}

static bool has_bend_damping(const galpha_step *step) {
    return step->rod->damping_time[2] > 0 || step->rod->damping_time[3] > 0;
}

static bool has_stretch_damping(const galpha_step *step) {
    return galpha_options(step->rod)->is_extensible &&
           (step->rod->damping_time[0] > 0 || step->rod->damping_time[1] > 0);
}

static bool stretches(const galpha_step *step) { return galpha_options(step->rod)->is_extensible || step->give > 0; }

// 1/N: what a unit of contact force stretches, damping included.
static cdg_vec3 compliance(const galpha_step *step, size_t element) {
    const cdg_rod *rod = step->rod;
    size_t at = element * rod->section_stride;
    if (!galpha_options(rod)->is_extensible) return vec3(0, 0, step->give / rod->stretch_stiffness[2][at]);
    return vec3(1 / (step->damping_gain[0] * rod->stretch_stiffness[0][at]),
                1 / (step->damping_gain[0] * rod->stretch_stiffness[1][at]),
                1 / (step->damping_gain[1] * rod->stretch_stiffness[2][at]));
}

// Edge per length without contact force, in the element's frame: d3, less what Kelvin-Voigt damping keeps back.
static cdg_vec3 unstressed_edge(const galpha_step *step, size_t element) {
    cdg_vec3 edge = vec3(0, 0, 1);
    if (!has_stretch_damping(step)) return edge;
    const double *time = step->rod->damping_time, *gain = step->damping_gain;
    cdg_vec3 rate_at_zero = galpha_stretch_rate(step, element, vec3(0, 0, 0));
    cdg_vec3 kept = multiply_each(vec3(time[0] / gain[0], time[0] / gain[0], time[1] / gain[1]), rate_at_zero);
    return vec3_sub(edge, kept);
}

// S of a turn.
static mat3 turn_derivative(cdg_vec3 turn) {
    double angle = vec3_norm(turn), half = angle / 2;
    double across = angle > 1e-3 ? half / sin(half) : 1 + half * half / 6;
    double along = angle > 1e-3 ? (1 - across) / (angle * angle) : -1.0 / 24; // of turn turn^T
    mat3 s = mat3_outer(along, turn, turn);
    for (int k = 0; k < 3; k++) s.m[k][k] += across;
    return s;
}

static double tilt_factor(double angle) { return angle > 1e-3 ? tan(angle / 4) / angle : 0.25 + angle * angle / 192; }

// K (kappa - kappa_rest) with its damping.
static cdg_vec3 law_moment(const galpha_step *step, size_t element, cdg_vec3 turn) {
    cdg_vec3 bend = galpha_bend(step->rod, &step->rest[element], element, turn);
    if (has_bend_damping(step)) {
        const double *time = step->rod->damping_time;
        cdg_vec3 rate = galpha_bend_rate(step, element, bend);
        bend = vec3_add(bend, multiply_each(vec3(time[2], time[2], time[3]), rate));
    }
    return multiply_each(galpha_bend_stiffness(step->rod, element), bend);
}

// Loads on the half of an element beside a node, less its inertia and drag.
static void pull_of(const galpha_step *step, size_t element, const galpha_trial *t, cdg_vec3 load, cdg_vec3 torque,
                    cdg_vec3 *pull, cdg_vec3 *twist) {
    const cdg_rod *rod = step->rod;
    cdg_vec3 needed = vec3_mad(t->force_per_mass, rod->drag_rate, t->velocity);
    *pull = vec3_mad(load, -element_mass(rod, element) / 2, needed);
    *twist = vec3_mad(vec3_scale(0.5, torque), -rod->rest_length[element] / 2, t->moment_per_length);
}

void galpha_measure_element(const galpha_step *step, size_t element, const galpha_trial *a, const galpha_trial *b,
                            galpha_element *e) {
    const galpha_rest *rest = &step->rest[element];
    const galpha_loads *loads = &step->loads[element];
    e->turn = galpha_turn(a->frame, b->frame, rest->turn);
    e->middle = galpha_middle(a->frame, b->frame, rest->turn);
    e->frame = quat_multiply(e->middle, rest->offset);
    e->edge = vec3_sub(b->position, a->position);
    cdg_vec3 torque = quat_rotate(e->frame, loads->torque);
    pull_of(step, element, a, loads->at_start, torque, &e->pull[0], &e->twist[0]);
    pull_of(step, element, b, loads->at_end, torque, &e->pull[1], &e->twist[1]);
    cdg_vec3 sum = vec3_add(vec3_add(a->force, b->force), vec3_sub(e->pull[1], e->pull[0]));
    e->force = vec3_scale(0.5, sum);
    cdg_vec3 local = quat_rotate_inverse(e->frame, e->force);
    local = vec3_add(unstressed_edge(step, element), multiply_each(compliance(step, element), local));
    e->tangent = quat_rotate(e->frame, local);

    e->force_balance = vec3_add(vec3_sub(b->force, a->force), vec3_add(e->pull[0], e->pull[1]));
    e->arm_moment = vec3_cross(e->edge, e->force);
    e->tilt = quat_rotate(e->middle, vec3_scale(tilt_factor(vec3_norm(e->turn)), e->turn));
    e->moment = vec3_add(vec3_add(a->moment, b->moment), vec3_cross(e->tilt, e->arm_moment));
    e->moment = vec3_add(e->moment, vec3_sub(e->twist[1], e->twist[0]));
    e->moment = vec3_scale(0.5, e->moment);
    mat3 s = turn_derivative(e->turn);
    e->law_local = law_moment(step, element, e->turn);
    e->law_moment = quat_rotate(e->middle, mat3_apply(&s, e->law_local));
    e->moment_balance = vec3_add(vec3_sub(b->moment, a->moment), e->arm_moment);
    e->moment_balance = vec3_add(e->moment_balance, vec3_add(e->twist[0], e->twist[1]));
}

static void put_vec3(double *out, double scale, cdg_vec3 v) {
    out[0] = scale * v.x, out[1] = scale * v.y, out[2] = scale * v.z;
}

static void put_residual(const galpha_step *step, size_t element, const galpha_element *e,
                         double out[TWO_POINT_FIELDS]) {
    cdg_vec3 edge = vec3_mad(e->edge, -step->rod->rest_length[element], e->tangent);
    put_vec3(out + ROW_FORCE, 1 / step->force_scale, e->force_balance);
    put_vec3(out + ROW_MOMENT, 1 / (step->force_scale * step->length_scale), e->moment_balance);
    put_vec3(out + ROW_BEND, 1 / (step->force_scale * step->length_scale), vec3_sub(e->law_moment, e->moment));
    put_vec3(out + ROW_EDGE, 1 / step->length_scale, edge);
}

void galpha_element_residual(const galpha_step *step, size_t element, const galpha_trial *a, const galpha_trial *b,
                             double out[TWO_POINT_FIELDS]) {
    galpha_element e;
    galpha_measure_element(step, element, a, b, &e);
    put_residual(step, element, &e, out);
}

// ---- derivatives ----------------------------------------------------------------------------------------------------

static void put_mat3(double (*rows)[TWO_POINT_COLUMNS], int row, int column, double scale, const mat3 *a) {
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) rows[row + i][column + k] = scale * a->m[i][k];
}

static void put_unit(double (*rows)[TWO_POINT_COLUMNS], int row, int column, double value) {
    for (int k = 0; k < 3; k++) rows[row + k][column + k] = value;
}

// d(S g)/d psi for a fixed g: S = a + b psi psi^T with a(theta) and b = (1 - a)/theta^2.
static mat3 turn_second_derivative(cdg_vec3 turn, cdg_vec3 g) {
    double angle2 = vec3_dot(turn, turn), angle = sqrt(angle2), half = angle / 2, along = vec3_dot(turn, g);
    double a_slope, b, b_slope; // slopes over theta
    if (angle > 0.02) {
        double sine = sin(half);
        b = (1 - half / sine) / angle2;
        a_slope = 0.5 * (sine - half * cos(half)) / (sine * sine * angle);
        b_slope = -(a_slope + 2 * b) / angle2;
    } else {
        b = -1.0 / 24 - 7 * angle2 / 5760;
        a_slope = 1.0 / 12 + 7 * angle2 / 1440;
        b_slope = -7.0 / 2880;
    }
    mat3 d = mat3_add(mat3_outer(a_slope, g, turn), mat3_outer(b_slope * along, turn, turn));
    d = mat3_add(d, mat3_outer(b, turn, g));
    for (int k = 0; k < 3; k++) d.m[k][k] += b * along;
    return d;
}

// d(tan(theta/4) n)/d psi.
static mat3 tilt_derivative(cdg_vec3 turn) {
    double angle2 = vec3_dot(turn, turn), angle = sqrt(angle2), q = angle / 4;
    double slope = 1.0 / 96 + q * q / 120; // of the factor, over theta
    if (angle > 0.02) {
        double cosine = cos(q);
        slope = (q / (cosine * cosine) - tan(q)) / (64 * q * q * q);
    }
    mat3 d = mat3_outer(slope, turn, turn);
    for (int k = 0; k < 3; k++) d.m[k][k] += tilt_factor(angle);
    return d;
}

// d theta/d phi for a frame turned by exp(theta), both in the moving frame: the inverse right Jacobian.
static mat3 inverse_right_jacobian(cdg_vec3 turn) {
    double angle2 = vec3_dot(turn, turn), angle = sqrt(angle2), half = angle / 2;
    double factor = angle > 1e-3 ? (1 - half / tan(half)) / angle2 : 1.0 / 12 + angle2 / 720;
    mat3 cross = mat3_cross(turn), j = mat3_multiply(cross, cross);
    j = mat3_add(mat3_scale(factor, j), mat3_scale(0.5, cross));
    for (int k = 0; k < 3; k++) j.m[k][k] += 1;
    return j;
}

// d momentum/d phi of a node: -[h]x + R J d spin/d theta d theta/d phi R^T.
static mat3 momentum_derivative(const galpha_step *step, size_t node, const galpha_trial *t) {
    cdg_vec3 j = step->rest[node].inertia;
    mat3 rotation = mat3_from_quat(t->frame);
    mat3 spin = mat3_multiply(inverse_right_jacobian(t->frame_turn), mat3_transpose(rotation));
    spin = mat3_multiply(mat3_diagonal(j.x, j.y, j.z), spin);
    spin = mat3_scale(step->velocity_gain, mat3_multiply(rotation, spin));
    return mat3_add(spin, mat3_cross(vec3_scale(-1, t->momentum)));
}

// What the derivatives with respect to both nodes share.
typedef struct element_derivatives {
    mat3 middle;       // of e->middle
    mat3 edge_cross;   // [edge]x
    mat3 force_cross;  // [N]x
    mat3 turn;         // d psi/d phi_b, phi in fixed axes; of phi_a: its negative
    mat3 bend;         // R_middle d(S g)/d psi d psi/d phi_b
    mat3 tilt;         // R_middle d t/d psi d psi/d phi_b
    mat3 bend_at_mean; // of the bending row to a turn of the frame halfway
    mat3 edge_at_mean; // of the edge row, over the length
    mat3 stretch;      // Q C Q^T, if extensible
    mat3 torque_cross; // [torque]x in fixed axes
    bool has_torque;
} element_derivatives;

static element_derivatives derive(const galpha_step *step, size_t element, const galpha_element *e) {
    element_derivatives d;
    d.middle = mat3_from_quat(e->middle);
    d.edge_cross = mat3_cross(e->edge);
    d.force_cross = mat3_cross(e->force);
    mat3 s = turn_derivative(e->turn);
    d.turn = mat3_multiply(s, mat3_transpose(d.middle));

    cdg_vec3 gain = vec3(step->damping_gain[2], step->damping_gain[2], step->damping_gain[3]);
    cdg_vec3 k =
        vec3_scale(1 / step->rod->rest_length[element], multiply_each(gain, galpha_bend_stiffness(step->rod, element)));
    mat3 law = mat3_multiply(s, mat3_diagonal(k.x, k.y, k.z));
    law = mat3_add(law, turn_second_derivative(e->turn, e->law_local));
    d.bend = mat3_multiply(d.middle, mat3_multiply(law, d.turn));
    d.tilt = mat3_multiply(d.middle, mat3_multiply(tilt_derivative(e->turn), d.turn));
    // law moment and tilt turn with the frame halfway: -[R S g]x phi - (1/2)(phi x t) x arm moment
    mat3 tilt_turns = mat3_multiply(mat3_cross(vec3_scale(0.5, e->arm_moment)), mat3_cross(vec3_scale(-1, e->tilt)));
    d.bend_at_mean = mat3_add(mat3_cross(vec3_scale(-1, e->law_moment)), tilt_turns);

    // with P = Q C Q^T, d tangent = -[tangent]x phi + P [N]x phi + P dN
    d.edge_at_mean = mat3_cross(e->tangent);
    if (stretches(step)) {
        cdg_vec3 c = compliance(step, element);
        mat3 frame = mat3_from_quat(e->frame);
        d.stretch = mat3_multiply(mat3_multiply(frame, mat3_diagonal(c.x, c.y, c.z)), mat3_transpose(frame));
        d.edge_at_mean = mat3_add(d.edge_at_mean, mat3_scale(-1, mat3_multiply(d.stretch, d.force_cross)));
    }
    cdg_vec3 torque = step->loads[element].torque;
    d.has_torque = torque.x != 0 || torque.y != 0 || torque.z != 0;
    if (d.has_torque) d.torque_cross = mat3_cross(quat_rotate(e->frame, torque));
    return d;
}

// The columns of one node: the first of the element (side -1) or the second (side 1).
static void node_columns(const galpha_step *step, size_t element, int side, const galpha_trial *t,
                         const galpha_element *e, const element_derivatives *d, double (*rows)[TWO_POINT_COLUMNS]) {
    const cdg_rod *rod = step->rod;
    galpha_scheme s = step->scheme;
    size_t node = side < 0 ? element : element + 1;
    int first = side < 0 ? 0 : TWO_POINT_FIELDS;
    double length = rod->rest_length[element], force = step->force_scale, unit = step->length_scale;
    double inertia_gain = step->balance_gain * (1 - s.alpha) * step->step_rate / s.gamma; // of a rate of velocity
    mat3 mean = mat3_cross(vec3_scale(-0.5 * side, e->tilt)); // how the frame halfway turns with this node's
    for (int k = 0; k < 3; k++) mean.m[k][k] += 0.5;

    // forces: +-N - (mass/2)(acceleration + drag); the force at the middle changes by -side/2 of the latter
    double mass_gain = element_mass(rod, element) / 2 * step->velocity_gain * (inertia_gain + rod->drag_rate);
    put_unit(rows, ROW_FORCE, first + AT_POSITION, -mass_gain * unit / force);
    put_unit(rows, ROW_FORCE, first + AT_FORCE, side);

    // moments: +-M + edge x N + torque - (length/2) d momentum/dt
    mat3 arm = mat3_add(d->force_cross, mat3_scale(0.5 * mass_gain, d->edge_cross));
    put_mat3(rows, ROW_MOMENT, first + AT_POSITION, -side / force, &arm);
    mat3 inertia = mat3_scale(length / 2 * inertia_gain, momentum_derivative(step, node, t));
    mat3 at_frame = mat3_scale(-1, inertia);
    if (d->has_torque) at_frame = mat3_add(at_frame, mat3_scale(-1, mat3_multiply(d->torque_cross, mean)));
    put_mat3(rows, ROW_MOMENT, first + AT_FRAME, 1 / (force * unit), &at_frame);
    put_unit(rows, ROW_MOMENT, first + AT_MOMENT, side);
    put_mat3(rows, ROW_MOMENT, first + AT_FORCE, 0.5 / unit, &d->edge_cross);

    // bending: R S g - (M_a + M_b)/2 - t x (edge x N)/2, and half of the inertia's jumps
    mat3 half_tilt = mat3_cross(vec3_scale(0.5, e->tilt));
    mat3 at_position = mat3_multiply(half_tilt, arm), at_force = mat3_multiply(half_tilt, d->edge_cross);
    put_mat3(rows, ROW_BEND, first + AT_POSITION, side / force, &at_position);
    put_mat3(rows, ROW_BEND, first + AT_FORCE, -0.5 / unit, &at_force);
    put_unit(rows, ROW_BEND, first + AT_MOMENT, -0.5);
    mat3 bend = mat3_add(d->bend, mat3_multiply(mat3_cross(vec3_scale(0.5, e->arm_moment)), d->tilt));
    bend = mat3_add(bend, mat3_scale(0.5, inertia));
    bend = mat3_add(mat3_scale(side, bend), mat3_multiply(d->bend_at_mean, mean));
    put_mat3(rows, ROW_BEND, first + AT_FRAME, 1 / (force * unit), &bend);

    // edges: edge - length tangent
    put_unit(rows, ROW_EDGE, first + AT_POSITION, side);
    mat3 edge = mat3_multiply(d->edge_at_mean, mean);
    put_mat3(rows, ROW_EDGE, first + AT_FRAME, length / unit, &edge);
    if (stretches(step)) {
        put_mat3(rows, ROW_EDGE, first + AT_FORCE, -0.5 * length * force / unit, &d->stretch);
        mat3 stretch = mat3_scale(0.5 * side * length * mass_gain, d->stretch);
        for (int k = 0; k < 3; k++) stretch.m[k][k] += side;
        put_mat3(rows, ROW_EDGE, first + AT_POSITION, 1, &stretch);
    }
}

void galpha_element_system(const galpha_step *step, size_t element, const galpha_trial *a, const galpha_trial *b,
                           double (*rows)[TWO_POINT_COLUMNS], double *residual) {
    galpha_element e;
    galpha_measure_element(step, element, a, b, &e);
    if (residual != NULL) put_residual(step, element, &e, residual);
    memset(rows, 0, TWO_POINT_FIELDS * sizeof *rows);
    element_derivatives d = derive(step, element, &e);
    node_columns(step, element, -1, a, &e, &d, rows);
    node_columns(step, element, 1, b, &e, &d, rows);
}

void galpha_element_rows(const galpha_step *step, size_t element, const galpha_trial *a, const galpha_trial *b,
                         double (*rows)[TWO_POINT_COLUMNS]) {
    galpha_element_system(step, element, a, b, rows, NULL);
}

void galpha_element_loads(const galpha_step *step, size_t element, const galpha_trial *a, const galpha_trial *b,
                          double columns[GALPHA_LOADS][TWO_POINT_FIELDS], double turn[6]) {
    galpha_element e;
    galpha_measure_element(step, element, a, b, &e);
    double length = step->rod->rest_length[element], unit = step->force_scale * step->length_scale;
    cdg_vec3 d3 = quat_d3(e.frame), compliant = compliance(step, element);
    memset(columns, 0, GALPHA_LOADS * sizeof *columns);
    for (int c = 0; c < 6; c++) {
        cdg_vec3 load = vec3(c % 3 == 0, c % 3 == 1, c % 3 == 2);
        cdg_vec3 force = vec3_scale(c < 3 ? -0.5 : 0.5, load); // of the contact force at the middle
        cdg_vec3 arm = vec3_cross(e.edge, force), local = quat_rotate_inverse(e.frame, force);
        put_vec3(columns[c] + ROW_FORCE, 1 / step->force_scale, load);
        put_vec3(columns[c] + ROW_MOMENT, 1 / unit, arm);
        put_vec3(columns[c] + ROW_BEND, -0.5 / unit, vec3_cross(e.tilt, arm));
        put_vec3(columns[c] + ROW_EDGE, -length / step->length_scale,
                 quat_rotate(e.frame, multiply_each(compliant, local)));
    }
    put_vec3(columns[6] + ROW_MOMENT, 1 / unit, d3);
    // the frame halfway turns by (phi_a + phi_b)/2 - t x (phi_b - phi_a)/2
    cdg_vec3 across = vec3_cross(d3, e.tilt);
    put_vec3(turn, 0.5, vec3_add(d3, across));
    put_vec3(turn + 3, 0.5, vec3_sub(d3, across));
}
