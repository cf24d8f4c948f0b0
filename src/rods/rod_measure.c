// Strains, section forces, energies and momentum of a rod's current state (Kugelstadt and Schömer 2016, eq. 21,
// 25 and section 5).
#include "math/quat.h"
#include "rods/discrete_spring.h"
#include "rods/frame_angle.h"
#include "rods/rod_model.h"
#include "rods/rod_rows.h"
#include "rods/rod_strain.h"

#define REAL double
#define VEC3 cdg_vec3
#define QUAT cdg_quat
#define STRAIN(name) strain_##name
#define STRAIN_INLINE static inline
#define STRAIN_TURNED(d, q) ((d) < 0 ? quat_negate(q) : (q))
#define STRAIN_AT_MOST_ONE(w) fmin(fabs(w), 1)
#include "rods/strain_template.h"

static cdg_element_measure measure_element(const cdg_rod *rod, size_t element) {
    cdg_element_measure m;
    if (rod->model != NULL && rod->model->measures.element != NULL) {
        rod->model->measures.element(rod, element, &m);
        return m;
    }
    cdg_vec3 from = rod_vec3(rod->x, element), to = rod_vec3(rod->x, rod_next_node(rod, element));
    cdg_vec3 strain = strain_of_edge(vec3_sub(to, from), rod_quat(rod->q, element), rod->rest_length[element]);
    size_t at = element * rod->section_stride;
    cdg_vec3 force = vec3(rod->stretch_stiffness[0][at] * strain.x, rod->stretch_stiffness[1][at] * strain.y,
                          rod->stretch_stiffness[2][at] * strain.z);
    double half_length = rod->rest_length[element] / 2;
    return (cdg_element_measure){.strain = strain,
                                 .force = force,
                                 .stretch_energy = half_length * strain.z * force.z,
                                 .shear_energy = half_length * (strain.x * force.x + strain.y * force.y)};
}

cdg_vec3 cdg_rod_strain(const cdg_rod *rod, size_t element) { return measure_element(rod, element).strain; }

// Half the turn as the model measures it: Im(p), Im(p)/Re(p), or half the angle.
static cdg_vec3 half_turn(const cdg_rod *rod, cdg_quat turn) {
    if (!rod->measures_angle) return strain_half_turn(rod->measure, turn);
    cdg_vec3 v = quat_imaginary(turn);
    double sine = vec3_norm(v);
    return vec3_scale(sine > 1e-8 ? atan2(sine, turn.w) / sine : 1 / turn.w, v);
}

cdg_quat rod_half_cell_rest(const cdg_rod *rod, size_t node, size_t element) {
    cdg_quat rest = rod_rest_turn(rod, node);
    bool is_interior = rod_left_element(rod, node) != SIZE_MAX && rod_right_element(rod, node) != SIZE_MAX;
    return is_interior ? quat_power(rest, rod->rest_length[element] / 2 / rod_cell_length(rod, node)) : rest;
}

// A share of the turn from one frame to the next, by way of all the turns that the model counts between them.
static cdg_quat share_of_turn(const cdg_rod *rod, size_t node, cdg_quat from, cdg_quat to, bool is_back, double share) {
    cdg_quat turn = quat_relative(from, to), part = quat_power(turn, share);
    if (rod->twist == NULL) return part;
    double twist = is_back ? -rod->twist[node] : rod->twist[node];
    const double two_pi = 6.283185307179586;
    double shortest = 2 * atan2(turn.w < 0 ? -turn.z : turn.z, fabs(turn.w));
    double more = round((twist - shortest) / two_pi);
    return more == 0 ? part : quat_multiply(part, quat_exp(vec3(0, 0, share * two_pi * more)));
}

cdg_quat rod_section_frame(const cdg_rod *rod, size_t node) {
    size_t left = rod_left_element(rod, node), right = rod_right_element(rod, node);
    if (left != SIZE_MAX && right != SIZE_MAX) {
        cdg_quat from = rod_quat(rod->q, left);
        double share = rod->rest_length[left] / 2 / rod_cell_length(rod, node);
        return quat_multiply(from, share_of_turn(rod, node, from, rod_quat(rod->q, right), false, share));
    }
    size_t end = left != SIZE_MAX ? left : right;
    cdg_quat frame = rod_quat(rod->q, end);
    if (rod->element_count == 1) return frame;
    size_t beside = left != SIZE_MAX ? end - 1 : end + 1, inner = left != SIZE_MAX ? node - 1 : node + 1;
    double share = rod_cell_length(rod, node) / rod_cell_length(rod, inner);
    bool is_back = left == SIZE_MAX;
    return quat_multiply(frame, share_of_turn(rod, inner, rod_quat(rod->q, beside), frame, is_back, share));
}

// One bend-twist spring: between two sections with rest turn `rest` over `length`.
typedef struct spring {
    cdg_quat turn, rest;
    double length;
    bool bends, twists;
    bool is_left_element, is_right_element; // the section there is an element's, not a held one
    double near, rest_near;                 // rad: the twist, as counted; only for models that count turns
} spring;

enum { SPRINGS_AT_NODE_MAX = 3 };

static spring spring_between(cdg_quat from, cdg_quat to, cdg_quat rest, double length) {
    return (spring){strain_turn(from, to, rest), rest, length, true, true, true, true, 0, 0};
}

// What the spring measures. By angle, a spring of the roll alone measures the turn about d3 that is left when the
// smallest rotation has aligned the tangents.
// With turns counted they are taken as near as can be to `near`.
static cdg_vec3 spring_half_turn(const cdg_rod *rod, const spring *s, cdg_quat turn, double near) {
    if (rod->twist != NULL) return vec3_scale(0.5, der_turn_strain(turn, near, rod->curls_by_angle));
    if (rod->measures_angle && !s->bends) return vec3(0, 0, atan2(turn.z, turn.w));
    return half_turn(rod, turn);
}

// What half cells at a held section turn from. Where only its roll is held and the model has sections at nodes, that is
// the section, which leans with the rod: from the support's frame, twist could not be told from the lean.
static cdg_quat anchor_frame(const cdg_rod *rod, const cdg_hold *anchor) {
    bool leans = anchor->frame_hold == CDG_HOLD_ROLL && rod->has_history && rod->model->section_frame != NULL;
    return leans ? rod->model->section_frame(rod, anchor->node) : anchor->frame;
}

// The springs that meet at a node: one over its cell, or, where a support holds the section's frame, one over each
// adjacent half cell, so that the element beside the clamp can still bend. A support of the roll alone replaces only
// the twisting. Returns their number; a free end has none.
static size_t list_springs(const cdg_rod *rod, size_t node, spring out[SPRINGS_AT_NODE_MAX]) {
    size_t left = rod_left_element(rod, node), right = rod_right_element(rod, node);
    bool is_interior = left != SIZE_MAX && right != SIZE_MAX;
    cdg_quat rest = rod_rest_turn(rod, node);
    const cdg_hold *anchor = rod_hold_at(rod, node);
    if (anchor != NULL && anchor->frame_hold == CDG_HOLD_NO_FRAME) anchor = NULL;
    size_t count = 0;
    if (is_interior && (anchor == NULL || anchor->frame_hold == CDG_HOLD_ROLL)) {
        out[count] = spring_between(rod_quat(rod->q, left), rod_quat(rod->q, right), rest, rod_cell_length(rod, node));
        out[count++].twists = anchor == NULL;
    }
    if (anchor == NULL) return count;
    size_t first = count;
    cdg_quat frame = anchor_frame(rod, anchor);
    if (left != SIZE_MAX) {
        out[count] = spring_between(rod_quat(rod->q, left), frame, rod_half_cell_rest(rod, node, left),
                                    rod->rest_length[left] / 2);
        out[count++].is_right_element = false;
    }
    if (right != SIZE_MAX) {
        out[count] = spring_between(frame, rod_quat(rod->q, right), rod_half_cell_rest(rod, node, right),
                                    rod->rest_length[right] / 2);
        out[count++].is_left_element = false;
    }
    for (size_t k = first; k < count; k++) out[k].bends = anchor->frame_hold == CDG_HOLD_FRAME;
    return count;
}

static size_t springs_at(const cdg_rod *rod, size_t node, spring out[SPRINGS_AT_NODE_MAX]) {
    size_t count = list_springs(rod, node, out);
    for (size_t k = 0; k < count && rod->twist != NULL; k++) {
        double share = out[k].length / rod_cell_length(rod, node);
        out[k].near = rod->twist[node];
        if (!out[k].is_left_element) out[k].near = cdg_rod_half_twist(rod, node, rod_right_element(rod, node));
        if (!out[k].is_right_element) out[k].near = cdg_rod_half_twist(rod, node, rod_left_element(rod, node));
        out[k].rest_near = share * rod->rest_curl[2][node];
    }
    return count;
}

// Half the strain of a spring; `now` is what it measures.
static cdg_vec3 strain_of(const cdg_rod *rod, const spring *s, cdg_vec3 now) {
    if (rod->measures_from_rest) return strain_half_turn_from_rest(s->turn, s->rest);
    return vec3_sub(now, spring_half_turn(rod, s, s->rest, s->rest_near));
}

static cdg_vec3 spring_strain(const cdg_rod *rod, const spring *s) {
    return strain_of(rod, s, spring_half_turn(rod, s, s->turn, s->near));
}

void cdg_rod_measure_node(const cdg_rod *rod, size_t node, cdg_node_measure *out) {
    spring springs[SPRINGS_AT_NODE_MAX];
    size_t count = springs_at(rod, node, springs), bending = 0, twisting = 0;
    cdg_vec3 now = {0}, strain = {0};
    for (size_t k = 0; k < count; k++) {
        double scale = 2 / springs[k].length;
        cdg_vec3 v = spring_half_turn(rod, &springs[k], springs[k].turn, springs[k].near);
        cdg_vec3 s = strain_of(rod, &springs[k], v);
        v = vec3_scale(scale, v), s = vec3_scale(scale, s);
        if (springs[k].bends) now.x += v.x, now.y += v.y, strain.x += s.x, strain.y += s.y, bending++;
        if (springs[k].twists) now.z += v.z, strain.z += s.z, twisting++;
    }
    if (bending > 1) now.x /= (double)bending, now.y /= (double)bending;
    if (bending > 1) strain.x /= (double)bending, strain.y /= (double)bending;
    if (twisting > 1) now.z /= (double)twisting, strain.z /= (double)twisting;
    *out = (cdg_node_measure){.darboux = now, .strain = strain, .measured = {bending > 0, twisting > 0}};
}

cdg_vec3 cdg_rod_darboux(const cdg_rod *rod, size_t node) {
    cdg_node_measure m;
    cdg_rod_measure_node(rod, node, &m);
    return m.darboux;
}
cdg_vec3 cdg_rod_darboux_strain(const cdg_rod *rod, size_t node) {
    cdg_node_measure m;
    cdg_rod_measure_node(rod, node, &m);
    return m.strain;
}

void cdg_rod_measure_element(const cdg_rod *rod, size_t element, cdg_element_measure *out) {
    *out = measure_element(rod, element);
}

cdg_rod_measured cdg_rod_is_measured(const cdg_rod *rod, size_t node) {
    spring springs[SPRINGS_AT_NODE_MAX];
    size_t count = list_springs(rod, node, springs);
    cdg_rod_measured out = {false, false};
    for (size_t k = 0; k < count; k++) {
        out.bending = out.bending || springs[k].bends;
        out.twist = out.twist || springs[k].twists;
    }
    return out;
}

cdg_vec3 cdg_rod_section_force(const cdg_rod *rod, size_t element) { return measure_element(rod, element).force; }

cdg_vec3 cdg_rod_moment_of(const cdg_rod *rod, size_t node, cdg_vec3 strain) {
    size_t at = node * rod->section_stride;
    return vec3(rod->bend_stiffness[0][at] * strain.x, rod->bend_stiffness[1][at] * strain.y,
                rod->bend_stiffness[2][at] * strain.z);
}

cdg_vec3 cdg_rod_section_moment(const cdg_rod *rod, size_t node) {
    return cdg_rod_moment_of(rod, node, cdg_rod_darboux_strain(rod, node));
}

// As corde/terms.h derives them.
cdg_vec3 cdg_rod_torque_on(const cdg_rod *rod, size_t element, bool at_last) {
    size_t node = at_last ? rod_next_node(rod, element) : element, at = node * rod->section_stride;
    spring springs[SPRINGS_AT_NODE_MAX];
    size_t count = springs_at(rod, node, springs);
    cdg_vec3 torque = vec3(0, 0, 0);
    for (size_t k = 0; k < count; k++) {
        bool has_part = at_last ? springs[k].is_left_element : springs[k].is_right_element;
        if (!has_part) continue;
        cdg_vec3 v = quat_imaginary(springs[k].turn), u = quat_imaginary(springs[k].rest);
        cdg_vec3 c = strain_half_turn_from_rest(springs[k].turn, springs[k].rest);
        double bend = springs[k].bends ? 2 / springs[k].length : 0,
               twist = springs[k].twists ? 2 / springs[k].length : 0;
        cdg_vec3 m = vec3(bend * rod->bend_stiffness[0][at] * c.x, bend * rod->bend_stiffness[1][at] * c.y,
                          twist * rod->bend_stiffness[2][at] * c.z);
        double along = vec3_dot(u, m);
        cdg_vec3 g = vec3_mad(m, -along / (1 + springs[k].rest.w), u);
        cdg_vec3 pull = vec3_mad(vec3_scale(springs[k].turn.w, g), along, v);
        torque = vec3_add(torque, vec3_mad(vec3_cross(v, g), at_last ? 1 : -1, pull));
    }
    return torque;
}

// The rate of half the turn from rest, times two, under the spins of both sections (corde/terms.h).
static cdg_vec3 turn_rate(const spring *s, cdg_vec3 left, cdg_vec3 right) {
    cdg_vec3 v = quat_imaginary(s->turn), u = quat_imaginary(s->rest), apart = vec3_sub(right, left);
    cdg_vec3 r = vec3_mad(vec3_cross(v, vec3_add(left, right)), s->turn.w, apart);
    return vec3_mad(r, vec3_dot(v, apart) - vec3_dot(u, r) / (1 + s->rest.w), u);
}

// Whether a node has one spring, over its cell, of a model that does not count turns: most have.
static bool has_plain_spring(const cdg_rod *rod, size_t node) {
    bool is_interior = rod_left_element(rod, node) != SIZE_MAX && rod_right_element(rod, node) != SIZE_MAX;
    return is_interior && rod->twist == NULL && rod_hold_at(rod, node) == NULL;
}

static spring plain_spring(const cdg_rod *rod, size_t node) {
    size_t left = rod_left_element(rod, node), right = rod_right_element(rod, node);
    return spring_between(rod_quat(rod->q, left), rod_quat(rod->q, right), rod_rest_turn(rod, node),
                          rod_cell_length(rod, node));
}

static double turning_power(const cdg_rod *rod, size_t node, const spring *s) {
    const cdg_vec3 still = {0, 0, 0};
    size_t at = node * rod->section_stride;
    cdg_vec3 left = s->is_left_element ? rod_vec3(rod->w, rod_left_element(rod, node)) : still;
    cdg_vec3 right = s->is_right_element ? rod_vec3(rod->w, rod_right_element(rod, node)) : still;
    cdg_vec3 c = strain_half_turn_from_rest(s->turn, s->rest), rate = turn_rate(s, left, right);
    double bend = rod->bend_stiffness[0][at] * c.x * rate.x + rod->bend_stiffness[1][at] * c.y * rate.y;
    double twist = rod->bend_stiffness[2][at] * c.z * rate.z;
    return 2 / s->length * ((s->bends ? bend : 0) + (s->twists ? twist : 0));
}

double cdg_rod_turning_power(const cdg_rod *rod) {
    double power = 0;
    for (size_t i = 0; i < rod->node_count; i++) {
        if (has_plain_spring(rod, i)) {
            spring s = plain_spring(rod, i);
            power += turning_power(rod, i, &s);
            continue;
        }
        spring springs[SPRINGS_AT_NODE_MAX];
        size_t count = springs_at(rod, i, springs);
        for (size_t k = 0; k < count; k++) power += turning_power(rod, i, &springs[k]);
    }
    return power;
}

double cdg_rod_largest_turn(const cdg_rod *rod) {
    double largest = 0;
    for (size_t i = 0; i < rod->node_count; i++) {
        spring springs[SPRINGS_AT_NODE_MAX];
        size_t count = springs_at(rod, i, springs);
        for (size_t k = 0; k < count; k++) {
            if (!springs[k].bends || !springs[k].twists) continue; // half of what another spring counts
            largest = fmax(largest, vec3_norm(quat_log(quat_relative(springs[k].rest, springs[k].turn))));
        }
    }
    return largest;
}

double cdg_sine_moment_error(double turn, double rest) {
    double slope = cos(turn / 2), chord = 2 * (sin(turn / 2) - sin(rest / 2));
    return turn != rest ? fabs(chord * slope / (turn - rest) - 1) : fabs(slope * slope - 1);
}

double cdg_tangent_moment_error(double turn, double rest) {
    double slope = 1 / (cos(turn / 2) * cos(turn / 2)), chord = 2 * (tan(turn / 2) - tan(rest / 2));
    return turn != rest ? fabs(chord * slope / (turn - rest) - 1) : fabs(slope * slope - 1);
}

// With half the turn a, the measure is 2 f(cos a) sin a, and its slope f cos a - f' sin^2 a (frame_angle.h).
double cdg_angle_moment_error(double turn, double rest) {
    double w = cos(turn / 2), s = sin(turn / 2), f = pobd_angle_scale(w);
    double slope = f * w - pobd_angle_slope(w) * s * s;
    double chord = 2 * (f * s - pobd_angle_scale(cos(rest / 2)) * sin(rest / 2));
    return turn != rest ? fabs(chord * slope / (turn - rest) - 1) : fabs(slope * slope - 1);
}

static double moment_error(const cdg_rod *rod, cdg_quat turn, cdg_quat rest) {
    if (rod->model != NULL && rod->model->measures.moment_error != NULL)
        return rod->model->measures.moment_error(rod, turn, rest);
    if (rod->measures_angle) return 0;
    double angle = vec3_norm(quat_log(turn)), rest_angle = vec3_norm(quat_log(rest));
    double between = vec3_norm(quat_log(quat_relative(rest, turn)));
    if (rod->measures_from_rest) return cdg_sine_moment_error(between, 0);
    // About different axes: as if the larger of the two turns was all there is.
    if (fabs(angle - rest_angle) < between / 2) angle = fmax(angle, rest_angle), rest_angle = 0;
    if (rod->measure == CDG_POBD_ANGLE) return cdg_angle_moment_error(angle, rest_angle);
    return rod->measure == CDG_POBD_TANGENT ? cdg_tangent_moment_error(angle, rest_angle)
                                            : cdg_sine_moment_error(angle, rest_angle);
}

// Whether a node that nobody holds turns from rest by less than the angle whose half has this cosine. Most do, and are
// looked at without a list of their springs.
static bool turns_less(const cdg_rod *rod, size_t node, double cosine) {
    size_t left = rod_left_element(rod, node), right = rod_right_element(rod, node);
    if (left == SIZE_MAX || right == SIZE_MAX || rod_hold_at(rod, node) != NULL) return false;
    cdg_quat turn = quat_relative(rod_quat(rod->q, left), rod_quat(rod->q, right));
    return fabs(quat_dot(turn, rod_rest_turn(rod, node))) > cosine;
}

// cos 0.05: neighbours that turn by less than 0.1 rad have no moment worth a word
static const double small_turn = 0.99875;

static void look_at_turn(const cdg_rod *rod, size_t node, cdg_turn_error *worst) {
    const double uncertain = 2; // rad: beyond half a turn frames do not tell which way, and a step may go that far
    spring springs[SPRINGS_AT_NODE_MAX];
    if (turns_less(rod, node, small_turn)) return;
    size_t count = list_springs(rod, node, springs);
    for (size_t k = 0; k < count; k++) {
        if (!springs[k].bends || !springs[k].twists) continue; // half of what another spring counts
        if (fabs(quat_dot(springs[k].turn, springs[k].rest)) > small_turn) continue;
        double turn = vec3_norm(quat_log(quat_relative(springs[k].rest, springs[k].turn)));
        double error = moment_error(rod, springs[k].turn, springs[k].rest);
        if (rod->twist == NULL && turn > uncertain) error = fmax(error, turn / uncertain);
        if (error > worst->error) *worst = (cdg_turn_error){.error = error, .turn = turn, .node = node};
    }
}

cdg_turn_error cdg_rod_turn_error(const cdg_rod *rod) {
    cdg_turn_error worst = {0};
    bool is_calm = !rod->is_closed && cdg_rod_turns_less(rod, small_turn);
    for (size_t h = 0; h < rod->hold_count && is_calm; h++) look_at_turn(rod, rod->holds[h].node, &worst);
    for (size_t i = 0; i < rod->node_count && !is_calm; i++) look_at_turn(rod, i, &worst);
    return worst;
}

void cdg_rod_frame_inertias(const cdg_rod *rod, size_t first, size_t count, double *const out[3]) {
    if (rod->model != NULL && rod->model->measures.frame_inertia != NULL) {
        rod->model->measures.frame_inertia(rod, first, count, out);
        return;
    }
    for (int k = 0; k < 3; k++)
        for (size_t i = 0; i < count; i++)
            out[k][i] = rod->rest_length[first + i] * rod->frame_inertia[k][(first + i) * rod->section_stride];
}

cdg_vec3 cdg_rod_frame_inertia(const cdg_rod *rod, size_t element) {
    cdg_vec3 inertia;
    cdg_rod_frame_inertias(rod, element, 1, (double *const[3]){&inertia.x, &inertia.y, &inertia.z});
    return inertia;
}

// Angular momentum of an element's frame, material axes, kg m^2/s.
static cdg_vec3 frame_momentum(const cdg_rod *rod, size_t element) {
    cdg_vec3 spin = rod_vec3(rod->w, element), inertia = cdg_rod_frame_inertia(rod, element);
    return vec3(inertia.x * spin.x, inertia.y * spin.y, inertia.z * spin.z);
}

static void add_element_energy(const cdg_rod *rod, size_t j, cdg_energy *e) {
    cdg_element_measure element = measure_element(rod, j);
    size_t at = j * rod->section_stride;
    e->shear += element.shear_energy;
    e->stretch += element.stretch_energy;
    e->kinetic += 0.5 * vec3_dot(rod_vec3(rod->w, j), frame_momentum(rod, j));
    // m/6 (a^2 + a b + b^2) instead of m/4 (a^2 + b^2)
    if (rod->has_consistent_mass) {
        cdg_vec3 change = vec3_sub(rod_vec3(rod->v, rod_next_node(rod, j)), rod_vec3(rod->v, j));
        e->kinetic -= rod->line_mass[at] * rod->rest_length[j] * vec3_dot(change, change) / 12;
    }
}

static void add_node_energy(const cdg_rod *rod, size_t i, cdg_vec3 gravity, cdg_energy *e) {
    cdg_vec3 velocity = rod_vec3(rod->v, i);
    e->kinetic += 0.5 * rod->node_mass[i] * vec3_dot(velocity, velocity);
    e->gravity -= rod->node_mass[i] * vec3_dot(gravity, rod_vec3(rod->x, i));
    spring springs[SPRINGS_AT_NODE_MAX];
    size_t count = springs_at(rod, i, springs), at = i * rod->section_stride;
    for (size_t k = 0; k < count; k++) {
        cdg_vec3 v = spring_strain(rod, &springs[k]);
        double scale = 2 / springs[k].length; // 1/2 B (2 v / length)^2 length
        if (springs[k].bends)
            e->bend += scale * (rod->bend_stiffness[0][at] * v.x * v.x + rod->bend_stiffness[1][at] * v.y * v.y);
        if (springs[k].twists) e->twist += scale * rod->bend_stiffness[2][at] * v.z * v.z;
    }
}

// Of elements first to end - 1, and of nodes, one after the other: in vectors what is plain (rod_rows.h), summed in the
// same order.
static void add_elements(const cdg_rod *rod, size_t first, size_t end, cdg_energy *e) {
    cdg_energy_rows rows;
    while (first < end) {
        size_t plain = rod->has_consistent_mass ? 0 : cdg_rod_plain_elements(rod, first);
        if (plain > end - first) plain = end - first;
        if (plain == 0) add_element_energy(rod, first++, e);
        if (plain > 0) cdg_rod_element_energies(rod, first, plain, &rows);
        for (size_t i = 0; i < plain; i++) {
            e->kinetic += rows.kinetic[i];
            e->stretch += rows.stretch[i];
            e->shear += rows.shear[i];
        }
        first += plain;
    }
}

static void add_nodes(const cdg_rod *rod, size_t first, size_t end, cdg_vec3 gravity, cdg_energy *e) {
    cdg_energy_rows rows;
    while (first < end) {
        size_t plain = cdg_rod_plain_nodes(rod, first);
        if (plain > end - first) plain = end - first;
        if (plain == 0) add_node_energy(rod, first++, gravity, e);
        if (plain > 0) cdg_rod_node_energies(rod, first, plain, gravity, &rows);
        for (size_t i = 0; i < plain; i++) {
            e->kinetic += rows.kinetic[i];
            e->gravity -= rows.weight[i];
            e->bend += rows.bend[i];
            e->twist += rows.twist[i];
        }
        first += plain;
    }
}

static double total_of(const cdg_energy *e) {
    return e->stretch + e->shear + e->bend + e->twist + e->kinetic + e->gravity;
}

// Of a model that measures its motion, bending and twist itself.
static void measure_own(const cdg_rod *rod, cdg_vec3 gravity, cdg_energy *e) {
    rod->model->measures.energy(rod, e);
    for (size_t j = 0; j < rod->element_count; j++) {
        cdg_element_measure element = measure_element(rod, j);
        e->shear += element.shear_energy;
        e->stretch += element.stretch_energy;
    }
    for (size_t i = 0; i < rod->node_count; i++)
        e->gravity -= rod->node_mass[i] * vec3_dot(gravity, rod_vec3(rod->x, i));
}

void cdg_rod_measure_energy(const cdg_rod *rod, cdg_vec3 gravity, cdg_energy *out) {
    cdg_energy e = {0};
    if (rod->model != NULL && rod->model->measures.energy != NULL) {
        measure_own(rod, gravity, &e);
    } else {
        add_elements(rod, 0, rod->element_count, &e);
        add_nodes(rod, 0, rod->node_count, gravity, &e);
    }
    e.total = total_of(&e);
    *out = e;
}

void cdg_rod_measure_part(const cdg_rod *rod, size_t first, size_t count, cdg_vec3 gravity, cdg_energy *out) {
    cdg_energy e = {0};
    for (size_t k = 0; k < count; k++) add_element_energy(rod, (first + k) % rod->element_count, &e);
    for (size_t k = 0; k <= count; k++) add_node_energy(rod, (first + k) % rod->node_count, gravity, &e);
    e.total = total_of(&e);
    *out = e;
}

void cdg_rod_measure_momentum(const cdg_rod *rod, cdg_vec3 *linear, cdg_vec3 *angular) {
    for (size_t i = 0; i < rod->node_count; i++) {
        cdg_vec3 momentum = vec3_scale(rod->node_mass[i], rod_vec3(rod->v, i));
        *linear = vec3_add(*linear, momentum);
        *angular = vec3_add(*angular, vec3_cross(rod_vec3(rod->x, i), momentum));
    }
    for (size_t j = 0; j < rod->element_count; j++) {
        size_t at = j * rod->section_stride;
        *angular = vec3_add(*angular, quat_rotate(rod_quat(rod->q, j), frame_momentum(rod, j)));
        if (rod->has_consistent_mass) {
            size_t next = rod_next_node(rod, j);
            cdg_vec3 edge = vec3_sub(rod_vec3(rod->x, next), rod_vec3(rod->x, j));
            cdg_vec3 change = vec3_sub(rod_vec3(rod->v, next), rod_vec3(rod->v, j));
            double share = rod->line_mass[at] * rod->rest_length[j] / 6;
            *angular = vec3_mad(*angular, -share, vec3_cross(edge, change));
        }
    }
}
