// The reference model's step (Spillmann and Teschner, Cosserat Nets, appendix II): assembly of elements and springs,
// Newton's method with a banded LU, and M(q) v = p with the configuration-dependent mass matrix (eq. 41) by a banded
// Cholesky.
#include "rods/reference/step.h"

#include "math/quat.h"

#include <string.h>

// ---- numbering ------------------------------------------------------------------------------------------------------

enum { ROLL = 3, BLOCK = 4 };

static size_t block_of(const cdg_rod *rod, size_t index) {
    if (!rod->is_closed) return index;
    return 2 * index < rod->node_count ? 2 * index : 2 * (rod->node_count - 1 - index) + 1;
}

size_t reference_block_of(const cdg_rod *rod, size_t index) { return block_of(rod, index); }

size_t reference_unknown_count(size_t node_count, bool is_closed) { return BLOCK * node_count - (is_closed ? 0 : 1); }
// A spring spans three nodes: two blocks and a position, or four blocks when both ways round alternate.
size_t reference_matrix_width(bool is_closed) { return is_closed ? 4 * BLOCK + ROLL : 2 * BLOCK + 2; }
size_t reference_mass_width(bool is_closed) { return is_closed ? 2 * BLOCK + ROLL : BLOCK + 2; }

// ---- one element and one spring -------------------------------------------------------------------------------------

static cdg_vec3 edge_of(const cdg_rod *rod, double *const x[3], size_t element) {
    return vec3_sub(rod_vec3(x, rod_next_node(rod, element)), rod_vec3(x, element));
}

static reference_motion motion_of(const reference_step *s, size_t element) {
    return (reference_motion){edge_of(s->rod, s->x0, element), rod_quat(s->q0, element),
                              edge_of(s->rod, s->x1, element), s->roll[element]};
}

// Stress = stiffness (strain in the middle + time * strain rate): shares of the strains at start and end.
static void set_weights(const reference_step *s, double damping_time, double weight[2]) {
    double shift = s->numerical + damping_time / s->step;
    weight[0] = 0.5 - shift;
    weight[1] = 0.5 + shift;
}

static reference_element element_of(const reference_step *s, size_t j) {
    const cdg_rod *rod = s->rod;
    size_t at = j * rod->section_stride;
    double length = rod->rest_length[j];
    reference_element e = {
        .step = s->step,
        .late = s->late,
        .rest_length = length,
        .stretch_stiffness = rod->stretch_stiffness[2][at],
        .drag_rate = rod->drag_rate,
        .moment = vec3(s->moment[0][j], s->moment[1][j], s->moment[2][j]),
    };
    for (int k = 0; k < 3; k++) e.inertia[k] = length * rod->frame_inertia[k][at];
    set_weights(s, rod->damping_time[1], e.weight);
    return e;
}

static reference_spring spring_at(const reference_step *s, size_t node, double length, cdg_quat rest, bool bends,
                                  bool twists) {
    const cdg_rod *rod = s->rod;
    size_t at = node * rod->section_stride;
    reference_spring spring = {.step = s->step, .late = s->late, .rest = rest, .is_angle = s->is_angle};
    for (int k = 0; k < 3; k++) {
        bool counts = k < 2 ? bends : twists;
        spring.stiffness[k] = counts ? 4 * rod->bend_stiffness[k][at] / length : 0;
        set_weights(s, rod->damping_time[k < 2 ? 2 : 3], spring.weight[k]);
    }
    spring.held[0] = spring.held[1] = quat_identity();
    return spring;
}

// ---- assembly -------------------------------------------------------------------------------------------------------

// Where an element's edge and roll stand among the unknowns.
typedef struct element_indices {
    size_t from, to, roll; // first component of either node's position; the roll
} element_indices;

static element_indices indices_of(const cdg_rod *rod, size_t element) {
    size_t block = block_of(rod, element);
    return (element_indices){BLOCK * block, BLOCK * block_of(rod, rod_next_node(rod, element)), BLOCK * block + ROLL};
}

// Adds an edge's momentum to its two nodes: x(next) - x(node).
static void scatter(double *out, element_indices p, const double *values, double sign) {
    for (int k = 0; k < 3; k++) {
        out[p.to + (size_t)k] += sign * values[k];
        out[p.from + (size_t)k] -= sign * values[k];
    }
    out[p.roll] += sign * values[ROLL];
}

static void scatter_matrix(const cdg_banded *m, element_indices rows, element_indices columns,
                           const double (*values)[8], int column0) {
    for (size_t r = 0; r < BLOCK; r++)
        for (size_t c = 0; c < BLOCK; c++) {
            double value = values[r][(size_t)column0 + c];
            size_t to_row = r < 3 ? rows.to + r : rows.roll, to_column = c < 3 ? columns.to + c : columns.roll;
            *cdg_banded_at(m, to_row, to_column) += value;
            if (r < 3) *cdg_banded_at(m, rows.from + r, to_column) -= value;
            if (c < 3) *cdg_banded_at(m, to_row, columns.from + c) -= value;
            if (r < 3 && c < 3) *cdg_banded_at(m, rows.from + r, columns.from + c) += value;
        }
}

// Momentum required at the start is subtracted from `right` (so that right = -residual) and that left at the end added
// to momentum1; the matrix is the derivative of the former.
static void add_term(const reference_step *s, const reference_term *term, const size_t *elements, int count) {
    for (int a = 0; a < count; a++) {
        element_indices row = indices_of(s->rod, elements[a]);
        scatter(s->right, row, term->start + BLOCK * a, -1);
        scatter(s->momentum1, row, term->end + BLOCK * a, 1);
        for (int b = 0; b < count; b++)
            scatter_matrix(&s->matrix, row, indices_of(s->rod, elements[b]), term->start_by + BLOCK * a, BLOCK * b);
    }
}

// Consistent mass of linear elements, m/6 [2 1; 1 2] (the exact kinetic energy of a straight segment), with the forces
// on nodes and the drag.
static void add_translation(const reference_step *s) {
    const cdg_rod *rod = s->rod;
    double h = s->step, early = 1 - s->late;
    double start = 1 / h + early * rod->drag_rate, end = 1 / h - s->late * rod->drag_rate;
    for (size_t j = 0; j < rod->element_count; j++) {
        double sixth = rod->line_mass[j * rod->section_stride] * rod->rest_length[j] / 6;
        element_indices p = indices_of(rod, j);
        size_t next = rod_next_node(rod, j);
        for (size_t k = 0; k < 3; k++) {
            double a = s->x1[k][j] - s->x0[k][j], b = s->x1[k][next] - s->x0[k][next];
            double at_from = sixth * (2 * a + b), at_to = sixth * (a + 2 * b);
            s->right[p.from + k] -= start * at_from, s->right[p.to + k] -= start * at_to;
            s->momentum1[p.from + k] += end * at_from, s->momentum1[p.to + k] += end * at_to;
            *cdg_banded_at(&s->matrix, p.from + k, p.from + k) += 2 * start * sixth;
            *cdg_banded_at(&s->matrix, p.to + k, p.to + k) += 2 * start * sixth;
            *cdg_banded_at(&s->matrix, p.from + k, p.to + k) += start * sixth;
            *cdg_banded_at(&s->matrix, p.to + k, p.from + k) += start * sixth;
        }
    }
    for (size_t i = 0; i < rod->node_count; i++)
        for (size_t k = 0; k < 3; k++) {
            double whole = h * s->loads->force[k][i];
            s->right[BLOCK * block_of(rod, i) + k] += early * whole;
            s->momentum1[BLOCK * block_of(rod, i) + k] += s->late * whole;
        }
}

static const reference_anchor *anchor_at(const reference_step *s, size_t node) {
    for (size_t a = 0; a < s->anchor_count; a++)
        if (s->anchors[a].node == node) return &s->anchors[a];
    return NULL;
}

// Half a cell on either side of a held section has its own spring, so that the element beside a clamp still bends.
static void add_half_cells(const reference_step *s, const reference_anchor *anchor,
                           const reference_path *const beside[2]) {
    const cdg_rod *rod = s->rod;
    size_t elements[2] = {rod_left_element(rod, anchor->node), rod_right_element(rod, anchor->node)};
    cdg_vec3 sum = {0};
    for (int side = 0; side < 2; side++) {
        size_t element = elements[side];
        if (element == SIZE_MAX) continue;
        reference_spring spring = spring_at(s, anchor->node, rod->rest_length[element] / 2,
                                            rod_half_cell_rest(rod, anchor->node, element), !anchor->is_roll, true);
        spring.is_roll = anchor->is_roll;
        spring.held[0] = anchor->frame[0], spring.held[1] = anchor->frame[1];
        reference_term term;
        reference_spring_term(&spring, side == 0 ? beside[0] : NULL, side == 0 ? NULL : beside[1], &term);
        add_term(s, &term, &element, 1);
        sum = vec3_add(sum, term.moment);
    }
    s->hold_moment[anchor->hold] = sum;
}

static void add_node(const reference_step *s, size_t node, const reference_path *left, const reference_path *right) {
    const cdg_rod *rod = s->rod;
    const reference_anchor *anchor = anchor_at(s, node);
    if (left != NULL && right != NULL && (anchor == NULL || anchor->is_roll)) {
        size_t pair[2] = {rod_left_element(rod, node), rod_right_element(rod, node)};
        reference_spring spring =
            spring_at(s, node, rod_cell_length(rod, node), rod_quat(rod->rest_turn, node), true, anchor == NULL);
        reference_term term;
        reference_spring_term(&spring, left, right, &term);
        add_term(s, &term, pair, 2);
    }
    if (anchor != NULL) add_half_cells(s, anchor, (const reference_path *const[2]){left, right});
}

void reference_assemble(const reference_step *s) {
    const cdg_rod *rod = s->rod;
    size_t unknowns = s->matrix.size, last = rod->element_count - 1;
    cdg_banded_clear(&s->matrix);
    memcpy(s->right, s->momentum0, unknowns * sizeof(double));
    memset(s->momentum1, 0, unknowns * sizeof(double));
    add_translation(s);
    reference_path paths[2]; // of the element before and of this one
    for (size_t j = 0; j <= last; j++) {
        reference_path *now = &paths[j % 2], *before = &paths[(j + 1) % 2];
        reference_element element = element_of(s, j);
        reference_motion motion = motion_of(s, j);
        reference_path_make(&motion, now);
        reference_term term;
        reference_element_term(&element, now, &term);
        add_term(s, &term, &j, 1);
        if (j > 0 || !rod->is_closed) add_node(s, j, j > 0 ? before : NULL, now);
    }
    if (!rod->is_closed) {
        add_node(s, last + 1, &paths[last % 2], NULL);
        return;
    }
    reference_path *first = &paths[(last + 1) % 2];
    reference_motion motion = motion_of(s, 0);
    reference_path_make(&motion, first);
    add_node(s, 0, &paths[last % 2], first);
}

// ---- momentum and velocity ------------------------------------------------------------------------------------------

// Rotary inertia as seen by the edge's rate: (I1 d2 d2^T + I2 d1 d1^T)/|e|^2. The roll does not couple with it, since
// the frame's own tangent is the pole of its chart.
typedef struct edge_inertia {
    cdg_vec3 d1, d2;
    double about1, about2; // kg, on rates along d2 and d1
} edge_inertia;

static edge_inertia inertia_of(const cdg_rod *rod, double *const x[3], double *const q[4], size_t j) {
    cdg_vec3 edge = edge_of(rod, x, j);
    double scale = rod->rest_length[j] / vec3_dot(edge, edge);
    size_t at = j * rod->section_stride;
    cdg_quat frame = rod_quat(q, j);
    return (edge_inertia){quat_d1(frame), quat_d2(frame), scale * rod->frame_inertia[0][at],
                          scale * rod->frame_inertia[1][at]};
}

static double roll_inertia(const cdg_rod *rod, size_t j) {
    return rod->rest_length[j] * rod->frame_inertia[2][j * rod->section_stride];
}

void reference_start_momentum(const reference_step *s) {
    const cdg_rod *rod = s->rod;
    memset(s->momentum0, 0, s->matrix.size * sizeof(double));
    for (size_t j = 0; j < rod->element_count; j++) {
        double sixth = rod->line_mass[j * rod->section_stride] * rod->rest_length[j] / 6;
        element_indices p = indices_of(rod, j);
        size_t next = rod_next_node(rod, j);
        for (size_t k = 0; k < 3; k++) {
            double a = s->v0[k][j], b = s->v0[k][next];
            s->momentum0[p.from + k] += sixth * (2 * a + b);
            s->momentum0[p.to + k] += sixth * (a + 2 * b);
        }
        edge_inertia inertia = inertia_of(rod, s->x0, s->q0, j);
        cdg_vec3 rate = edge_of(rod, s->v0, j);
        cdg_vec3 m = vec3_scale(inertia.about1 * vec3_dot(inertia.d2, rate), inertia.d2);
        m = vec3_mad(m, inertia.about2 * vec3_dot(inertia.d1, rate), inertia.d1);
        scatter(s->momentum0, p, (double[4]){m.x, m.y, m.z, roll_inertia(rod, j) * s->w0[2][j]}, 1);
    }
}

static void add_mass(const cdg_banded_positive *mass, size_t row, size_t column, double value) {
    if (row >= column) *cdg_banded_positive_at(mass, row, column) += value;
}

void reference_assemble_mass(const reference_step *s, double *const x[3], double *const q[4]) {
    const cdg_rod *rod = s->rod;
    cdg_banded_positive_clear(&s->mass);
    for (size_t j = 0; j < rod->element_count; j++) {
        double sixth = rod->line_mass[j * rod->section_stride] * rod->rest_length[j] / 6;
        element_indices p = indices_of(rod, j);
        edge_inertia inertia = inertia_of(rod, x, q, j);
        double d1[3] = {inertia.d1.x, inertia.d1.y, inertia.d1.z}, d2[3] = {inertia.d2.x, inertia.d2.y, inertia.d2.z};
        for (size_t r = 0; r < 3; r++)
            for (size_t c = 0; c < 3; c++) {
                double rotary = inertia.about1 * d2[r] * d2[c] + inertia.about2 * d1[r] * d1[c];
                double moving = r == c ? sixth : 0;
                add_mass(&s->mass, p.from + r, p.from + c, 2 * moving + rotary);
                add_mass(&s->mass, p.to + r, p.to + c, 2 * moving + rotary);
                add_mass(&s->mass, p.from + r, p.to + c, moving - rotary);
                add_mass(&s->mass, p.to + r, p.from + c, moving - rotary);
            }
        add_mass(&s->mass, p.roll, p.roll, roll_inertia(rod, j));
    }
}

// Takes a held component out of the mass matrix: its velocity is given, its share moves to the right side.
static void prescribe(const cdg_banded_positive *mass, double *right, size_t index, double velocity) {
    size_t first = index > mass->width ? index - mass->width : 0;
    size_t last = index + mass->width < mass->size ? index + mass->width : mass->size - 1;
    for (size_t other = first; other <= last; other++) {
        double *entry =
            other < index ? cdg_banded_positive_at(mass, index, other) : cdg_banded_positive_at(mass, other, index);
        if (other != index) right[other] -= *entry * velocity;
        *entry = other == index ? 1 : 0;
    }
    right[index] = velocity;
}

// The velocity of a held node at the end: that of its body where it is known, else the mean of the step.
static cdg_vec3 held_velocity(const reference_step *s, size_t node) {
    for (size_t h = 0; h < s->rod->hold_count && s->is_last; h++)
        if (s->rod->holds[h].node == node && s->rod->holds[h].has_velocity) return s->rod->holds[h].velocity;
    return vec3_scale(1 / s->step, vec3_sub(rod_vec3(s->x1, node), rod_vec3(s->x0, node)));
}

// Velocities at the end from momentum1, which at held nodes is completed by what the supports add.
static bool find_velocities(const reference_step *s) {
    const cdg_rod *rod = s->rod;
    reference_assemble_mass(s, s->x1, s->q1);
    memcpy(s->right, s->momentum1, s->matrix.size * sizeof(double));
    for (size_t i = 0; i < rod->node_count; i++) {
        if (!s->is_held[i]) continue;
        cdg_vec3 velocity = held_velocity(s, i);
        const double values[3] = {velocity.x, velocity.y, velocity.z};
        for (size_t k = 0; k < 3; k++) prescribe(&s->mass, s->right, BLOCK * block_of(rod, i) + k, values[k]);
    }
    if (!cdg_banded_positive_solve(&s->mass, s->right)) return false;
    for (size_t i = 0; i < rod->node_count; i++)
        for (size_t k = 0; k < 3; k++) s->v1[k][i] = s->right[BLOCK * block_of(rod, i) + k];
    for (size_t j = 0; j < rod->element_count; j++) {
        cdg_quat frame = rod_quat(s->q1, j);
        cdg_vec3 edge = edge_of(rod, s->x1, j), rate = vec3_scale(1 / vec3_norm(edge), edge_of(rod, s->v1, j));
        double roll_rate = s->right[indices_of(rod, j).roll];
        rod_set_vec3(s->w1, j, vec3(-vec3_dot(quat_d2(frame), rate), vec3_dot(quat_d1(frame), rate), roll_rate));
    }
    return true;
}

// ---- reactions ------------------------------------------------------------------------------------------------------

// Force on a held node: what momentum lacks at the start (right, before the last matrix was solved) and at the end,
// over the step. Called with momentum1 as assembled, right = -residual and velocities known.
static cdg_vec3 momentum_of_node(const reference_step *s, size_t node) {
    const cdg_rod *rod = s->rod;
    cdg_vec3 sum = {0};
    for (int side = 0; side < 2; side++) {
        size_t j = side == 0 ? rod_left_element(rod, node) : rod_right_element(rod, node);
        if (j == SIZE_MAX) continue;
        double sixth = rod->line_mass[j * rod->section_stride] * rod->rest_length[j] / 6;
        size_t other = side == 0 ? j : rod_next_node(rod, j);
        sum = vec3_mad(sum, 2 * sixth, rod_vec3(s->v1, node));
        sum = vec3_mad(sum, sixth, rod_vec3(s->v1, other));
        edge_inertia inertia = inertia_of(rod, s->x1, s->q1, j);
        cdg_vec3 rate = vec3_scale(side == 0 ? 1 : -1, edge_of(rod, s->v1, j));
        sum = vec3_mad(sum, inertia.about1 * vec3_dot(inertia.d2, rate), inertia.d2);
        sum = vec3_mad(sum, inertia.about2 * vec3_dot(inertia.d1, rate), inertia.d1);
    }
    return sum;
}

static cdg_vec3 block_vector(const double *values, size_t block) {
    return vec3(values[BLOCK * block], values[BLOCK * block + 1], values[BLOCK * block + 2]);
}

// ---- Newton ---------------------------------------------------------------------------------------------------------

// Free flight; held nodes are where they must be already.
static void start_from_free_flight(const reference_step *s) {
    for (size_t i = 0; i < s->rod->node_count; i++)
        for (int k = 0; k < 3 && !s->is_held[i]; k++) s->x1[k][i] = s->x0[k][i] + s->step * s->v0[k][i];
    for (size_t j = 0; j < s->rod->element_count; j++) s->roll[j] = s->step * s->w0[2][j];
}

// An element that turned by more than about 150 degrees in a step, or collapsed, has no smallest rotation to speak of.
static bool is_reasonable(const reference_step *s) {
    for (size_t j = 0; j < s->rod->element_count; j++) {
        cdg_vec3 a = edge_of(s->rod, s->x0, j), b = edge_of(s->rod, s->x1, j);
        double lengths = vec3_norm(a) * vec3_norm(b);
        if (!(vec3_dot(a, b) > -0.87 * lengths) || !(vec3_norm(b) > 1e-6 * s->rod->rest_length[j]) ||
            !(fabs(s->roll[j]) < 6))
            return false;
    }
    return true;
}

static void fix_held_rows(const reference_step *s) {
    size_t size = s->matrix.size, width = s->matrix.width;
    for (size_t i = 0; i < s->rod->node_count; i++) {
        if (!s->is_held[i]) continue;
        for (size_t row = BLOCK * block_of(s->rod, i), end = row + 3; row < end; row++) {
            size_t first = row > width ? row - width : 0, last = row + width < size ? row + width : size - 1;
            for (size_t column = first; column <= last; column++) *cdg_banded_at(&s->matrix, row, column) = 0;
            *cdg_banded_at(&s->matrix, row, row) = 1;
            s->right[row] = 0;
        }
    }
}

static reference_answer answer_of(const reference_step *s, size_t j) {
    reference_motion motion = motion_of(s, j);
    reference_path path;
    reference_path_make(&motion, &path);
    reference_element element = element_of(s, j);
    reference_term with, without;
    element.moment = quat_d3(motion.frame0);
    reference_element_term(&element, &path, &with); // it is linear in the moment
    element.moment = vec3(0, 0, 0);
    reference_element_term(&element, &path, &without);
    reference_answer out;
    for (int k = 0; k < 4; k++) out.torque[k] = without.start[k] - with.start[k];
    // Carried straight from where it was, and not by way of where it is, a frame lacks the area of the triangle between
    // the three tangents.
    double length = vec3_norm(motion.edge1);
    cdg_vec3 t0 = vec3_normalize(motion.edge0), t1 = vec3_scale(1 / length, motion.edge1);
    out.turn = vec3_scale(-1 / (length * (1 + vec3_dot(t0, t1))), vec3_cross(t0, t1));
    return out;
}

bool reference_linearise(const reference_step *s, reference_answer *answers) {
    for (size_t j = 0; j < s->rod->element_count; j++) {
        reference_motion motion = motion_of(s, j);
        motion.roll = 0;
        cdg_quat turn = quat_relative(reference_end_frame(&motion), rod_quat(s->q1, j));
        s->roll[j] = 2 * atan2(turn.w < 0 ? -turn.z : turn.z, fabs(turn.w));
        answers[j] = answer_of(s, j);
    }
    reference_assemble(s);
    fix_held_rows(s);
    return cdg_banded_factor(&s->matrix);
}

// Moves the candidate by the solution in `right`; returns the largest correction in element lengths and radians.
static double correct(const reference_step *s) {
    const cdg_rod *rod = s->rod;
    double scale = (double)rod->element_count / rod->length, largest = 0;
    for (size_t i = 0; i < rod->node_count; i++)
        for (size_t k = 0; k < 3; k++) {
            double change = s->right[BLOCK * block_of(rod, i) + k];
            s->x1[k][i] += change;
            if (!(fabs(change) * scale <= largest)) largest = fabs(change) * scale; // keeps what is not a number
        }
    for (size_t j = 0; j < rod->element_count; j++) {
        double change = s->right[indices_of(rod, j).roll];
        s->roll[j] += change;
        if (!(fabs(change) <= largest)) largest = fabs(change);
    }
    return largest;
}

reference_outcome reference_take_step(const reference_step *s) {
    const cdg_rod *rod = s->rod;
    reference_outcome outcome = {.correction = INFINITY};
    reference_start_momentum(s);
    start_from_free_flight(s);
    bool is_done = false;
    for (; outcome.iterations < s->iterations && !is_done; outcome.iterations++) {
        if (!is_reasonable(s)) return outcome;
        reference_assemble(s);
        fix_held_rows(s);
        if (!cdg_banded_solve(&s->matrix, s->right)) return outcome;
        double before = outcome.correction;
        outcome.correction = correct(s);
        if (!isfinite(outcome.correction)) return outcome;
        // A small correction that does not shrink any more is rounding: very fine rods cannot do better.
        is_done = outcome.correction <= s->tolerance || (outcome.correction < 1e-6 && outcome.correction > before / 4);
    }
    if (!is_done || !is_reasonable(s)) return outcome;

    reference_assemble(s); // momenta and reactions at the solution
    for (size_t h = 0; h < rod->hold_count; h++)
        if (rod->holds[h].holds_position)
            s->hold_force[h] = vec3_scale(-1, block_vector(s->right, block_of(rod, rod->holds[h].node)));
    for (size_t j = 0; j < rod->element_count; j++) {
        reference_motion motion = motion_of(s, j);
        rod_set_quat(s->q1, j, reference_end_frame(&motion));
    }
    if (!find_velocities(s)) return outcome;
    for (size_t h = 0; h < rod->hold_count; h++) {
        if (!rod->holds[h].holds_position) continue;
        size_t node = rod->holds[h].node;
        cdg_vec3 at_end = vec3_sub(momentum_of_node(s, node), block_vector(s->momentum1, block_of(rod, node)));
        s->hold_force[h] = vec3_scale(1 / s->step, vec3_add(s->hold_force[h], at_end));
    }
    outcome.is_converged = true;
    return outcome;
}
