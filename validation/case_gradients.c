// The constraints' gradients against finite differences on random states: 1e-6 relative (issue bar), for both Darboux
// vectors, open and closed rods, anisotropic sections.
#include "validation/case_functions.h"

#include "math/random.h"
#include "rods/pobd/problem.h"

#include <stdio.h>

enum { ELEMENTS = 6, NODES_MAX = ELEMENTS + 1, TRIALS = 50 };

typedef struct random_problem {
    pobd_problem problem;
    double x[3][NODES_MAX], q[4][ELEMENTS], x_target[3][NODES_MAX], q_target[4][ELEMENTS], node_weight[NODES_MAX];
    double frame_weight[3][ELEMENTS], length[ELEMENTS], stretch[3][ELEMENTS], bend[3][NODES_MAX],
        rest_turn[4][NODES_MAX];
} random_problem;

static void fill(random_problem *r, cdg_random *random, bool is_closed, bool is_tangent) {
    size_t nodes = is_closed ? ELEMENTS : NODES_MAX;
    r->problem = (pobd_problem){.node_count = nodes,
                                .element_count = ELEMENTS,
                                .is_closed = is_closed,
                                .is_tangent = is_tangent,
                                .node_weight = r->node_weight,
                                .rest_length = r->length,
                                .stretch_stride = 1,
                                .bend_stride = 1};
    for (int k = 0; k < 3; k++) {
        r->problem.x[k] = r->x[k];
        r->problem.x_target[k] = r->x_target[k];
        r->problem.frame_weight[k] = r->frame_weight[k];
        r->problem.stretch_stiffness[k] = r->stretch[k];
        r->problem.bend_stiffness[k] = r->bend[k];
    }
    for (int k = 0; k < 4; k++) {
        r->problem.q[k] = r->q[k];
        r->problem.q_target[k] = r->q_target[k];
        r->problem.rest_turn[k] = r->rest_turn[k];
    }
    cdg_quat frame = random_rotation(random);
    for (size_t j = 0; j < ELEMENTS; j++) {
        // neighbours within about a radian: the tangent has a pole at half a turn
        frame = quat_normalize(quat_multiply(frame, quat_exp(random_vec3(random, 0.5))));
        double components[4] = {frame.w, frame.x, frame.y, frame.z};
        cdg_quat near = quat_multiply(frame, quat_exp(random_vec3(random, 0.2)));
        double targets[4] = {near.w, near.x, near.y, near.z};
        for (int k = 0; k < 4; k++) r->q[k][j] = components[k], r->q_target[k][j] = targets[k];
        r->length[j] = random_in(random, 0.5, 1.5);
        for (int k = 0; k < 3; k++) {
            r->stretch[k][j] = random_in(random, 1, 10);
            r->frame_weight[k][j] = random_in(random, 0.1, 1);
        }
    }
    for (size_t i = 0; i < nodes; i++) {
        cdg_quat turn = quat_exp(random_vec3(random, 0.5));
        double components[4] = {turn.w, turn.x, turn.y, turn.z};
        for (int k = 0; k < 4; k++) r->rest_turn[k][i] = components[k];
        r->node_weight[i] = random_in(random, 0.1, 1);
        for (int k = 0; k < 3; k++) {
            r->x[k][i] = random_in(random, -1, 1);
            r->x_target[k][i] = random_in(random, -1, 1);
            bool is_end = !is_closed && (i == 0 || i + 1 == nodes);
            r->bend[k][i] = is_end ? 0 : random_in(random, 1, 10);
        }
    }
}

// Fourth-order central difference of the objective along one unknown.
static double slope(random_problem *r, size_t index, int component, bool is_frame) {
    const double h = 1e-3, offsets[4] = {-2 * h, -h, h, 2 * h}, weights[4] = {1, -8, 8, -1};
    double sum = 0, axis[3] = {0};
    for (int o = 0; o < 4; o++) {
        if (is_frame) {
            cdg_quat kept = quat(r->q[0][index], r->q[1][index], r->q[2][index], r->q[3][index]);
            axis[component] = offsets[o];
            cdg_quat turned = quat_multiply(kept, quat_exp(vec3(axis[0], axis[1], axis[2])));
            r->q[0][index] = turned.w, r->q[1][index] = turned.x, r->q[2][index] = turned.y, r->q[3][index] = turned.z;
            sum += weights[o] * pobd_objective(&r->problem, NULL, NULL);
            r->q[0][index] = kept.w, r->q[1][index] = kept.x, r->q[2][index] = kept.y, r->q[3][index] = kept.z;
        } else {
            double kept = r->x[component][index];
            r->x[component][index] = kept + offsets[o];
            sum += weights[o] * pobd_objective(&r->problem, NULL, NULL);
            r->x[component][index] = kept;
        }
    }
    return sum / (12 * h);
}

cdg_result validate_gradients(validation_context *context, cdg_error *error) {
    (void)error;
    cdg_random random = {2016};
    for (int is_tangent = 0; is_tangent < 2; is_tangent++) {
        double worst_x = 0, worst_q = 0;
        for (int trial = 0; trial < TRIALS; trial++) {
            random_problem r;
            fill(&r, &random, trial % 2, is_tangent);
            double gx[3][NODES_MAX], gq[3][NODES_MAX];
            double *const gradient_x[3] = {gx[0], gx[1], gx[2]}, *const gradient_q[3] = {gq[0], gq[1], gq[2]};
            pobd_objective(&r.problem, gradient_x, gradient_q);
            // a wrong stiffness on one side only must show
            for (int k = 0; k < 3; k++)
                for (size_t i = 0; i < r.problem.node_count; i++) r.bend[k][i] *= context->factor.bend;
            double size_x = 0, size_q = 0;
            for (int k = 0; k < 3; k++) {
                for (size_t i = 0; i < r.problem.node_count; i++) size_x = fmax(size_x, fabs(gx[k][i]));
                for (size_t j = 0; j < ELEMENTS; j++) size_q = fmax(size_q, fabs(gq[k][j]));
            }
            for (int k = 0; k < 3; k++) {
                for (size_t i = 0; i < r.problem.node_count; i++)
                    worst_x = fmax(worst_x, fabs(slope(&r, i, k, false) - gx[k][i]) / size_x);
                for (size_t j = 0; j < ELEMENTS; j++)
                    worst_q = fmax(worst_q, fabs(slope(&r, j, k, true) - gq[k][j]) / size_q);
            }
        }
        const char *name = is_tangent ? "tangent" : "sine";
        char label[VALIDATION_TEXT_SIZE];
        validation_under(context, VALIDATION_DIRECT); // gauss_seidel has the same
        snprintf(label, sizeof label, "by positions, %s, %d random states", name, TRIALS);
        validation_add_limit(context, label, "", worst_x, 1e-6);
        snprintf(label, sizeof label, "by frames, %s, %d random states", name, TRIALS);
        validation_add_limit(context, label, "", worst_q, 1e-6);
    }
    return CDG_OK;
}
