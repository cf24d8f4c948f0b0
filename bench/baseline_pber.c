// Position-based elastic rods with ghost points: the constraints of Umetani, Schmidt and Stam (2014) with gradients
// derived anew below, projected as vector constraints (Kugelstadt and Schömer 2016, eq. 17) in bilateral
// interleaving order.
#include "bench/baseline_pber.h"

#include <stdlib.h>

#include "bench/interleave.h"
#include "math/vec3.h"

bool baseline_pber_init(baseline_pber *rod, size_t element_count, double length) {
    size_t count = 2 * element_count + 1;
    double edge = length / (double)element_count;
    *rod = (baseline_pber){
        .iterations = 10,
        .step = 0.01,
        .stiffness = {1, 1, 1},
        .gravity = {0, 0, -9.81},
        .element_count = element_count,
        .edge_length = edge,
        .ghost_distance = edge,
        .rest_darboux = calloc(element_count, sizeof(cdg_vec3)),
        .position = calloc(count, sizeof(cdg_vec3)),
        .velocity = calloc(count, sizeof(cdg_vec3)),
        .predicted = calloc(count, sizeof(cdg_vec3)),
        .inverse_mass = calloc(count, sizeof(double)),
    };
    if (rod->rest_darboux == NULL || rod->position == NULL || rod->velocity == NULL || rod->predicted == NULL ||
        rod->inverse_mass == NULL) {
        baseline_pber_destroy(rod);
        return false;
    }
    for (size_t i = 0; i <= element_count; i++) {
        rod->position[i] = vec3((double)i * edge, 0, 0);
        rod->inverse_mass[i] = i > 1;
    }
    for (size_t j = 0; j < element_count; j++) {
        rod->position[element_count + 1 + j] = vec3(((double)j + 0.5) * edge, 0, rod->ghost_distance);
        rod->inverse_mass[element_count + 1 + j] = j > 0;
    }
    return true;
}

void baseline_pber_destroy(baseline_pber *rod) {
    free(rod->rest_darboux);
    free(rod->position);
    free(rod->velocity);
    free(rod->predicted);
    free(rod->inverse_mass);
    *rod = (baseline_pber){0};
}

// ---- constraints ----------------------------------------------------------------------------------------------------

double baseline_pber_bisector(const cdg_vec3 p[3], cdg_vec3 gradient[3]) {
    cdg_vec3 edge = vec3_sub(p[1], p[0]), arm = vec3_sub(p[2], vec3_lerp(p[0], p[1], 0.5));
    gradient[0] = vec3_mad(vec3_scale(-1, arm), -0.5, edge);
    gradient[1] = vec3_mad(arm, -0.5, edge);
    gradient[2] = edge;
    return vec3_dot(arm, edge);
}

double baseline_pber_distance(const cdg_vec3 p[3], cdg_vec3 gradient[3]) {
    cdg_vec3 arm = vec3_sub(p[2], vec3_lerp(p[0], p[1], 0.5));
    gradient[2] = vec3_normalize(arm);
    gradient[0] = gradient[1] = vec3_scale(-0.5, gradient[2]);
    return vec3_norm(arm);
}

pber_frame baseline_pber_frame(cdg_vec3 p0, cdg_vec3 p1, cdg_vec3 ghost) {
    pber_frame frame;
    frame.d[2] = vec3_normalize(vec3_sub(p1, p0));
    frame.d[1] = vec3_normalize(vec3_cross(frame.d[2], vec3_sub(ghost, p0)));
    frame.d[0] = vec3_cross(frame.d[1], frame.d[2]);
    return frame;
}

// How an edge's frame turns when its points move. A frame stays orthonormal, so any change of it is a rotation:
// dd_k = r x d_k for one vector r, linear in the displacements. With edge e = p1 - p0 and arm s = g - p0, whose
// components in the frame are s1 > 0 along d1 and s3 along d3:
//   across the edge   r - (r . d3) d3 = d3 x dd3 = d3 x de / |e|
//   about the edge    r . d3 = -d1 . dd2 = (d2 . ds - (s3 / |e|) d2 . de) / s1
// (d2 is the direction of e x s, and d1 . (de x s) = s3 d2 . de, d1 . (e x ds) = -|e| d2 . ds.)
typedef struct frame_turn {
    double across; // r = across * (d3 x de) + d3 (about_edge . de + about_arm . ds)
    cdg_vec3 d3, about_edge, about_arm;
} frame_turn;

static frame_turn turn_of(const pber_frame *frame, cdg_vec3 p0, cdg_vec3 p1, cdg_vec3 ghost) {
    double length = vec3_distance(p0, p1);
    cdg_vec3 arm = vec3_sub(ghost, p0);
    double s1 = vec3_dot(arm, frame->d[0]), s3 = vec3_dot(arm, frame->d[2]);
    return (frame_turn){
        .across = 1 / length,
        .d3 = frame->d[2],
        .about_edge = vec3_scale(-s3 / (length * s1), frame->d[1]),
        .about_arm = vec3_scale(1 / s1, frame->d[1]),
    };
}

// Gradients of a scalar whose change is `by_turn` . r, with respect to p0, p1 and ghost: by edge and arm first.
static void gradient_of_turn(const frame_turn *turn, cdg_vec3 by_turn, cdg_vec3 *p0, cdg_vec3 *p1, cdg_vec3 *ghost) {
    double about = vec3_dot(by_turn, turn->d3);
    // by_turn . (d3 x de) = (by_turn x d3) . de
    cdg_vec3 by_edge = vec3_mad(vec3_scale(about, turn->about_edge), turn->across, vec3_cross(by_turn, turn->d3));
    cdg_vec3 by_arm = vec3_scale(about, turn->about_arm);
    *p0 = vec3_scale(-1, vec3_add(by_edge, by_arm));
    *p1 = by_edge;
    *ghost = by_arm;
}

// With R_jk = a_j . b_k for the frames a and b, u_i = R_kj - R_jk (i, j, k cyclic) and f = 1 + trace R, the vector is
// (2 / length) u / f. When the frames turn by r_a and r_b, dR_jk = (r_a - r_b) . (a_j x b_k); so every derivative is
// one vector that multiplies r_a - r_b.
cdg_vec3 baseline_pber_darboux(const cdg_vec3 p[PBER_POINTS], double length, cdg_vec3 gradient[3][PBER_POINTS]) {
    pber_frame a = baseline_pber_frame(p[PBER_P0], p[PBER_P1], p[PBER_GHOST0]);
    pber_frame b = baseline_pber_frame(p[PBER_P1], p[PBER_P2], p[PBER_GHOST1]);
    frame_turn turn_a = turn_of(&a, p[PBER_P0], p[PBER_P1], p[PBER_GHOST0]);
    frame_turn turn_b = turn_of(&b, p[PBER_P1], p[PBER_P2], p[PBER_GHOST1]);
    double f = 1, omega[3];
    cdg_vec3 f_by_turn = vec3(0, 0, 0);
    for (int i = 0; i < 3; i++) {
        f += vec3_dot(a.d[i], b.d[i]);
        f_by_turn = vec3_add(f_by_turn, vec3_cross(a.d[i], b.d[i]));
    }
    double scale = 2 / (length * f);
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        double u = vec3_dot(a.d[k], b.d[j]) - vec3_dot(a.d[j], b.d[k]);
        cdg_vec3 u_by_turn = vec3_sub(vec3_cross(a.d[k], b.d[j]), vec3_cross(a.d[j], b.d[k]));
        cdg_vec3 by_turn = vec3_scale(scale, vec3_mad(u_by_turn, -u / f, f_by_turn));
        omega[i] = scale * u;
        cdg_vec3 *g = gradient[i], shared;
        gradient_of_turn(&turn_a, by_turn, &g[PBER_P0], &g[PBER_P1], &g[PBER_GHOST0]);
        gradient_of_turn(&turn_b, vec3_scale(-1, by_turn), &shared, &g[PBER_P2], &g[PBER_GHOST1]);
        g[PBER_P1] = vec3_add(g[PBER_P1], shared);
    }
    return vec3(omega[0], omega[1], omega[2]);
}

// ---- projection -----------------------------------------------------------------------------------------------------

// One scalar constraint on three points.
static void project(cdg_vec3 *const p[3], const double w[3], double error, const cdg_vec3 gradient[3]) {
    double sum = 0;
    for (int k = 0; k < 3; k++) sum += w[k] * vec3_dot(gradient[k], gradient[k]);
    if (sum == 0) return;
    for (int k = 0; k < 3; k++) *p[k] = vec3_mad(*p[k], -w[k] * error / sum, gradient[k]);
}

static void project_edge(baseline_pber *rod, size_t element) {
    size_t ghost = rod->element_count + 1 + element;
    cdg_vec3 *const p[3] = {&rod->predicted[element], &rod->predicted[element + 1], &rod->predicted[ghost]};
    const double w[3] = {rod->inverse_mass[element], rod->inverse_mass[element + 1], rod->inverse_mass[ghost]};
    cdg_vec3 gradient[3];

    cdg_vec3 edge = vec3_sub(*p[1], *p[0]);
    gradient[1] = vec3_normalize(edge);
    gradient[0] = vec3_scale(-1, gradient[1]);
    gradient[2] = vec3(0, 0, 0);
    project(p, w, vec3_norm(edge) - rod->edge_length, gradient);

    double error = baseline_pber_bisector((cdg_vec3[3]){*p[0], *p[1], *p[2]}, gradient);
    project(p, w, error, gradient);
    error = baseline_pber_distance((cdg_vec3[3]){*p[0], *p[1], *p[2]}, gradient) - rod->ghost_distance;
    project(p, w, error, gradient);
}

// Solves the symmetric 3 x 3 system with the given rows; false when there is no finite solution: all points held, a
// ghost point on the line of its edge, or a half turn between neighbours, where the Darboux vector is infinite.
static bool solve(const cdg_vec3 row[3], cdg_vec3 right, cdg_vec3 *out) {
    cdg_vec3 c0 = vec3_cross(row[1], row[2]), c1 = vec3_cross(row[2], row[0]), c2 = vec3_cross(row[0], row[1]);
    double determinant = vec3_dot(row[0], c0);
    if (determinant == 0) return false;
    cdg_vec3 sum = vec3_mad(vec3_mad(vec3_scale(right.x, c0), right.y, c1), right.z, c2);
    *out = vec3_scale(1 / determinant, sum);
    return vec3_is_finite(*out);
}

static void project_bending(baseline_pber *rod, size_t element) {
    size_t ghost = rod->element_count + 1 + element;
    const size_t index[PBER_POINTS] = {element, element + 1, element + 2, ghost, ghost + 1};
    cdg_vec3 p[PBER_POINTS], gradient[3][PBER_POINTS], row[3], lambda;
    for (int k = 0; k < PBER_POINTS; k++) p[k] = rod->predicted[index[k]];
    cdg_vec3 darboux = baseline_pber_darboux(p, rod->edge_length, gradient), rest = rod->rest_darboux[element];
    cdg_vec3 error = vec3(rod->stiffness[0] * (darboux.x - rest.x), rod->stiffness[1] * (darboux.y - rest.y),
                          rod->stiffness[2] * (darboux.z - rest.z));

    double matrix[3][3] = {{0}};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            for (int k = 0; k < PBER_POINTS; k++)
                matrix[i][j] += rod->inverse_mass[index[k]] * vec3_dot(gradient[i][k], gradient[j][k]);
    for (int i = 0; i < 3; i++) row[i] = vec3(matrix[i][0], matrix[i][1], matrix[i][2]);
    if (!solve(row, error, &lambda)) return;
    for (int k = 0; k < PBER_POINTS; k++) {
        cdg_vec3 direction = vec3_mad(vec3_mad(vec3_scale(lambda.x, gradient[0][k]), lambda.y, gradient[1][k]),
                                      lambda.z, gradient[2][k]);
        rod->predicted[index[k]] = vec3_mad(p[k], -rod->inverse_mass[index[k]], direction);
    }
}

void baseline_pber_step(baseline_pber *rod) {
    size_t count = 2 * rod->element_count + 1;
    double h = rod->step;
    for (size_t i = 0; i < count; i++) {
        if (rod->inverse_mass[i] > 0)
            rod->velocity[i] = vec3_scale(1 - rod->damping, vec3_mad(rod->velocity[i], h, rod->gravity));
        rod->predicted[i] = vec3_mad(rod->position[i], h, rod->velocity[i]);
    }
    for (int iteration = 0; iteration < rod->iterations; iteration++) {
        for (size_t visit = 0; visit < rod->element_count; visit++) {
            size_t element = interleave(visit, rod->element_count);
            project_edge(rod, element);
            if (element + 1 < rod->element_count) project_bending(rod, element);
        }
    }
    for (size_t i = 0; i < count; i++) {
        rod->velocity[i] = vec3_scale(1 / h, vec3_sub(rod->predicted[i], rod->position[i]));
        rod->position[i] = rod->predicted[i];
    }
}
