// The classic strand: predict, project constraint after constraint, take velocities from positions (Mueller et al.
// 2007, algorithm of section 3.1; stiffness of section 3.3; C = angle - rest angle as their bending constraint, for
// edges).
#include "bench/baseline_pbd_strand.h"

#include <stdlib.h>

#include "bench/interleave.h"
#include "math/vec3.h"

bool baseline_pbd_strand_init(baseline_pbd_strand *strand, size_t element_count, double length) {
    size_t count = element_count + 1;
    *strand = (baseline_pbd_strand){
        .iterations = 10,
        .step = 0.01,
        .stretch_stiffness = 1,
        .bend_stiffness = 0.5,
        .gravity = {0, 0, -9.81},
        .element_count = element_count,
        .edge_length = length / (double)element_count,
        .position = calloc(count, sizeof(cdg_vec3)),
        .velocity = calloc(count, sizeof(cdg_vec3)),
        .predicted = calloc(count, sizeof(cdg_vec3)),
        .inverse_mass = calloc(count, sizeof(double)),
    };
    if (strand->position == NULL || strand->velocity == NULL || strand->predicted == NULL ||
        strand->inverse_mass == NULL) {
        baseline_pbd_strand_destroy(strand);
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        strand->position[i] = vec3((double)i * strand->edge_length, 0, 0);
        strand->inverse_mass[i] = i > 1; // two held points hold the direction too
    }
    return true;
}

void baseline_pbd_strand_destroy(baseline_pbd_strand *strand) {
    free(strand->position);
    free(strand->velocity);
    free(strand->predicted);
    free(strand->inverse_mass);
    *strand = (baseline_pbd_strand){0};
}

// With unit edge directions n1, n2 and angle a: da = -(dn1 . n2 + n1 . dn2) / sin a, and dn = (I - n n^T) de / |e|,
// hence the gradient with respect to the first edge is -(n2 - cos a n1) / (sin a |e1|), and likewise for the second.
double baseline_pbd_strand_angle(const cdg_vec3 p[3], cdg_vec3 gradient[3]) {
    cdg_vec3 first = vec3_sub(p[1], p[0]), second = vec3_sub(p[2], p[1]);
    double first_length = vec3_norm(first), second_length = vec3_norm(second);
    gradient[0] = gradient[1] = gradient[2] = vec3(0, 0, 0);
    if (!(first_length > 0 && second_length > 0)) return 0;
    cdg_vec3 n1 = vec3_scale(1 / first_length, first), n2 = vec3_scale(1 / second_length, second);
    double cosine = vec3_dot(n1, n2), sine = vec3_norm(vec3_cross(n1, n2));
    // Below this the direction of n2 - cos a n1 is rounding noise.
    if (sine > 1e-12) {
        cdg_vec3 by_first = vec3_scale(-1 / (sine * first_length), vec3_mad(n2, -cosine, n1));
        cdg_vec3 by_second = vec3_scale(-1 / (sine * second_length), vec3_mad(n1, -cosine, n2));
        gradient[0] = vec3_scale(-1, by_first);
        gradient[1] = vec3_sub(by_first, by_second);
        gradient[2] = by_second;
    }
    return atan2(sine, cosine); // acos of the cosine would lose half the digits for nearly straight strands
}

static void project_distance(baseline_pbd_strand *strand, size_t element, double stiffness) {
    cdg_vec3 *p = &strand->predicted[element];
    const double *w = &strand->inverse_mass[element];
    double weight = w[0] + w[1];
    cdg_vec3 edge = vec3_sub(p[1], p[0]);
    double length = vec3_norm(edge);
    if (weight == 0 || length == 0) return;
    cdg_vec3 correction = vec3_scale(stiffness * (length - strand->edge_length) / (weight * length), edge);
    p[0] = vec3_mad(p[0], w[0], correction);
    p[1] = vec3_mad(p[1], -w[1], correction);
}

static void project_bending(baseline_pbd_strand *strand, size_t element, double stiffness) {
    cdg_vec3 *p = &strand->predicted[element], gradient[3];
    const double *w = &strand->inverse_mass[element];
    double error = baseline_pbd_strand_angle(p, gradient) - strand->rest_angle, sum = 0;
    for (int k = 0; k < 3; k++) sum += w[k] * vec3_dot(gradient[k], gradient[k]);
    if (sum == 0) return;
    for (int k = 0; k < 3; k++) p[k] = vec3_mad(p[k], -stiffness * w[k] * error / sum, gradient[k]);
}

void baseline_pbd_strand_step(baseline_pbd_strand *strand) {
    size_t count = strand->element_count + 1;
    double h = strand->step;
    for (size_t i = 0; i < count; i++) {
        if (strand->inverse_mass[i] > 0)
            strand->velocity[i] = vec3_scale(1 - strand->damping, vec3_mad(strand->velocity[i], h, strand->gravity));
        strand->predicted[i] = vec3_mad(strand->position[i], h, strand->velocity[i]);
    }
    // What remains of an error after all iterations is 1 - stiffness, however many there are.
    double stretch = 1 - pow(1 - strand->stretch_stiffness, 1.0 / strand->iterations);
    double bend = 1 - pow(1 - strand->bend_stiffness, 1.0 / strand->iterations);
    for (int iteration = 0; iteration < strand->iterations; iteration++) {
        for (size_t visit = 0; visit < strand->element_count; visit++) {
            size_t element = interleave(visit, strand->element_count);
            project_distance(strand, element, stretch);
            if (element + 1 < strand->element_count) project_bending(strand, element, bend);
        }
    }
    for (size_t i = 0; i < count; i++) {
        strand->velocity[i] = vec3_scale(1 / h, vec3_sub(strand->predicted[i], strand->position[i]));
        strand->position[i] = strand->predicted[i];
    }
}
