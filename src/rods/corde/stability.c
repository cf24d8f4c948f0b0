// Longest stable steps of corde. Semi-implicit Euler is stable for an oscillation omega while step < 2/omega. The
// largest omega^2 is an eigenvalue of M^-1 K, and by Gershgorin's theorem no larger than the largest row sum of |M^-1
// K|; for a uniform chain the bounds below are the exact suprema. Local lengths and sections are used throughout; half
// cells are counted at the ends of open rods, which may be clamped. Friction is implicit and only makes steps longer.
#include "rods/corde/corde.h"

#include <float.h>

// Nonlinear effects (compression, tension, geometric stiffness) shift frequencies by some per cent.
static const double safety = 0.8;

typedef struct bound {
    double square; // of omega, 1/s^2
    const char *mode;
    cdg_limit limit;
} bound;

static void raise_bound(bound *b, double square, const char *mode, cdg_limit limit) {
    if (square > b->square) *b = (bound){square, mode, limit};
}

// Half the row sum of a cell over its stiffness, 1/m: a spring between two frames counts in the diagonal and beside it,
// the half cell at a clamped end only in the diagonal.
static double cell_inverse(const cdg_rod *rod, size_t node) {
    bool is_end = rod_left_element(rod, node) == SIZE_MAX || rod_right_element(rod, node) == SIZE_MAX;
    return (is_end ? 0.5 : 1) / rod_cell_length(rod, node);
}

// Bending of a chain whose frames follow their tangents: in cell i the curvature is
// (x_{i+1} - x_i)/(l_i c) - (x_i - x_{i-1})/(l_{i-1} c). Adds |K| row sums of the cell's three nodes.
static void add_bending(const cdg_rod *rod, size_t cell, size_t of_node, double *sum) {
    size_t left = rod_left_element(rod, cell), right = rod_right_element(rod, cell), at = cell * rod->section_stride;
    double c = rod_cell_length(rod, cell), b = fmax(rod->bend_stiffness[0][at], rod->bend_stiffness[1][at]);
    double from = left != SIZE_MAX ? 1 / (rod->rest_length[left] * c) : 0;
    double to = right != SIZE_MAX ? 1 / (rod->rest_length[right] * c) : 0;
    double own = 0;
    if (of_node == cell) own += from + to;
    if (left != SIZE_MAX && of_node == left) own += from;
    if (right != SIZE_MAX && of_node == rod_next_node(rod, right)) own += to;
    *sum += b * c * own * 2 * (from + to);
}

static double bending_row(const cdg_rod *rod, size_t node) {
    double sum = 0;
    size_t left = rod_left_element(rod, node), right = rod_right_element(rod, node);
    bool is_end = left == SIZE_MAX || right == SIZE_MAX; // a clamped one is held, a free one has no half cell
    if (!is_end) add_bending(rod, node, node, &sum);
    if (left != SIZE_MAX) add_bending(rod, left, node, &sum);
    if (right != SIZE_MAX) add_bending(rod, rod_next_node(rod, right), node, &sum);
    return sum;
}

corde_limits corde_find_limits(const cdg_rod *rod) { return corde_find_limits_with(rod, NULL, NULL); }

corde_limits corde_find_limits_with(const cdg_rod *rod, const double *on_frames, const double *on_nodes) {
    bool is_constraint = corde_is_constraint(rod);
    bound nodes = {0, "none", CDG_LIMIT_NONE}, frames = nodes, spins = nodes;
    for (size_t i = 0; i < rod->node_count; i++) {
        double stretch = 0, couple = 0;
        for (int side = 0; side < 2; side++) {
            size_t j = side == 0 ? rod_left_element(rod, i) : rod_right_element(rod, i);
            if (j == SIZE_MAX) continue;
            stretch += rod->stretch_stiffness[2][j * rod->section_stride] / rod->rest_length[j];
            couple += rod->stretch_stiffness[0][j * rod->section_stride] / rod->rest_length[j];
        }
        double mass = rod->node_mass[i], pull = 2 * stretch / mass;
        raise_bound(&nodes, pull, "stretching waves of one element's length", CDG_LIMIT_STRETCH);
        if (is_constraint) { // both at once in a bent rod
            double bend = bending_row(rod, i) / mass + (on_nodes != NULL ? on_nodes[i] : 0);
            raise_bound(&nodes, pull + bend,
                        bend > pull ? "bending waves of one element's length"
                                    : "stretching waves of one element's length",
                        bend > pull ? CDG_LIMIT_BEND : CDG_LIMIT_STRETCH);
        } else {
            raise_bound(&nodes, 2 * couple / mass, "the penalty that keeps frames and tangents parallel",
                        CDG_LIMIT_SHEAR);
        }
    }
    for (size_t j = 0; j < rod->element_count; j++) {
        size_t next = rod_next_node(rod, j), at = j * rod->section_stride;
        double l = rod->rest_length[j], near = cell_inverse(rod, j), far = cell_inverse(rod, next);
        size_t at_near = j * rod->section_stride, at_far = next * rod->section_stride;
        double joints = on_frames != NULL ? on_frames[j] : 0;
        double twist = near * rod->bend_stiffness[2][at_near] + far * rod->bend_stiffness[2][at_far] + joints;
        raise_bound(&spins, 2 * twist / (l * rod->frame_inertia[2][at]), "twisting waves of one element's length",
                    CDG_LIMIT_TWIST);
        if (spins.square > frames.square) frames = spins;
        if (is_constraint) continue;
        double kappa = rod->stretch_stiffness[0][at];
        double drag = 2 * kappa / l * (1 / rod->node_mass[j] + 1 / rod->node_mass[next]); // nodes that follow
        for (int k = 0; k < 2; k++) {
            double bend = near * rod->bend_stiffness[k][at_near] + far * rod->bend_stiffness[k][at_far] + joints;
            double inertia = l * rod->frame_inertia[k][at];
            raise_bound(&frames, (2 * bend + kappa * l) / inertia + drag,
                        2 * bend > kappa * l ? "frames swinging against each other"
                                             : "frames swinging about their tangents",
                        2 * bend > kappa * l ? CDG_LIMIT_BEND : CDG_LIMIT_SHEAR);
        }
    }
    return (corde_limits){nodes.square > 0 ? 2 / sqrt(nodes.square) : DBL_MAX,
                          frames.square > 0 ? 2 / sqrt(frames.square) : DBL_MAX,
                          spins.square > 0 ? 2 / sqrt(spins.square) : DBL_MAX,
                          nodes.mode,
                          frames.mode,
                          nodes.limit,
                          frames.limit};
}

double corde_safe_step(double limit) { return safety * limit; }

// Forces across an element of length e act on its frame by the lever e, and turn it by their moves over e: coupling and
// bending are stiffer by (l/e)^2 when it is squeezed. Stretched elements are softer; the tension that then holds nodes
// across is never as stiff as stretching. What is kept from the limit at rest is left for this, but for 5 %. Below half
// its length the barrier (corde/terms.h) makes stretching stiffer by 1 + (l/(2 e) - 1) (l/e)^2, less than (l/e)^3/2.
double corde_shortest_element(const cdg_rod *rod, double part) {
    double used = part / (0.95 * fmin(rod->node_step_limit, rod->frame_step_limit));
    return fmax(used, cbrt(used * used / 2) < 0.5 ? cbrt(used * used / 2) : 0);
}

// The smallest length of an edge that moves evenly from `from` to `to`.
static double least_length(cdg_vec3 from, cdg_vec3 to) {
    cdg_vec3 way = vec3_sub(to, from);
    double square = vec3_dot(way, way), at = square > 0 ? -vec3_dot(from, way) / square : 0;
    return vec3_norm(vec3_mad(from, fmin(fmax(at, 0), 1), way));
}

// Elements are squeezed that far in shocks, whose short waves are not small: near their limit of stability these would
// still gain energy. A rod let go at 70 % stretch gains a quarter of its energy in 0.2 s at the limit, 3 % at a quarter
// of it.
static const double shock = 4;

bool corde_is_crushed(const cdg_rod *rod, const corde_substep *s) {
    double shortest = corde_shortest_element(rod, shock * s->step);
    for (size_t j = 0; j < rod->element_count; j++) {
        size_t next = rod_next_node(rod, j);
        cdg_vec3 from = vec3_sub(rod_vec3(s->from->x, next), rod_vec3(s->from->x, j));
        cdg_vec3 to = vec3_sub(rod_vec3(s->to->x, next), rod_vec3(s->to->x, j));
        if (!(least_length(from, to) >= shortest * rod->rest_length[j])) return true;
    }
    return false;
}

// A frame that spins about its axis is a top: pushed across, it nutates at spin I3/I1 and, held by springs of frequency
// omega besides, at up to omega plus that. Light frames (small inertia factors) are fast tops. With the constraint
// coupling, the inertia across is that of the element's nodes.
static double tops_speed(const cdg_rod *rod, size_t element, double spin) {
    size_t at = element * rod->section_stride;
    double axial = rod->frame_inertia[2][at], l = rod->rest_length[element];
    if (!corde_is_constraint(rod)) return spin * axial / fmin(rod->frame_inertia[0][at], rod->frame_inertia[1][at]);
    double inverse = 1 / rod->node_mass[element] + 1 / rod->node_mass[rod_next_node(rod, element)];
    return spin * axial * inverse / l;
}

double corde_nutation(const cdg_rod *rod) {
    const double *spin = rod->w[2];
    double largest = 0;
    if (rod->section_stride == 0 && rod->has_equal_elements) { // the end nodes are the lightest
        for (size_t j = 0; j < rod->element_count; j++) largest = fabs(spin[j]) > largest ? fabs(spin[j]) : largest;
        return tops_speed(rod, 0, largest);
    }
    for (size_t j = 0; j < rod->element_count; j++) largest = fmax(largest, tops_speed(rod, j, fabs(spin[j])));
    return largest;
}

double corde_substeps_needed(const cdg_rod *rod, double step, double nutation) {
    double limit = fmin(rod->node_step_limit, rod->frame_step_limit);
    if (!(nutation > 0)) nutation = 1e-300;
    // 5 % short of the limit of both together; slow tops are covered by what is kept from the limit of the springs.
    // With the constraint coupling the shortest waves grow in each sub-step by an eighth of the fourth power of half
    // this product (corde/kernels_simd.c): by a millionth.
    double with_tops = corde_is_constraint(rod) ? 0.1 / nutation : 0.95 * 2 / (2 / limit + nutation);
    return fmax(1, ceil(step / fmin(corde_safe_step(limit), with_tops) * (1 - 1e-12))); // the advised step needs one
}
