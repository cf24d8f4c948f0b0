// A spiral started from a random pose, positions and frames alike, must be back at its rest shape within 100 frames
// (Kugelstadt and Schömer 2016, figure 6; its time step of 10 ms, the 50 elements of its table 1), for 20 random
// starts.
#include "validation/case_functions.h"

#include "math/random.h"

#include <stdio.h>

enum { ELEMENTS = 50, NODES = ELEMENTS + 1, SEEDS = 20, FRAMES = 100 };

// Root-mean-square distance of two shapes after the best rigid motion (Horn 1987: the largest eigenvalue of a 4 x 4
// symmetric matrix, here by shifted power iteration).
static double shape_distance(const cdg_vec3 *a, const cdg_vec3 *b) {
    cdg_vec3 ca = {0}, cb = {0};
    for (int i = 0; i < NODES; i++) ca = vec3_mad(ca, 1.0 / NODES, a[i]), cb = vec3_mad(cb, 1.0 / NODES, b[i]);
    double s[3][3] = {{0}}, size = 0;
    for (int i = 0; i < NODES; i++) {
        cdg_vec3 u = vec3_sub(a[i], ca), v = vec3_sub(b[i], cb);
        double from[3] = {u.x, u.y, u.z}, to[3] = {v.x, v.y, v.z};
        for (int k = 0; k < 3; k++)
            for (int l = 0; l < 3; l++) s[k][l] += from[k] * to[l];
        size += vec3_dot(u, u) + vec3_dot(v, v);
    }
    double n[4][4] = {
        {s[0][0] + s[1][1] + s[2][2], s[1][2] - s[2][1], s[2][0] - s[0][2], s[0][1] - s[1][0]},
        {s[1][2] - s[2][1], s[0][0] - s[1][1] - s[2][2], s[0][1] + s[1][0], s[2][0] + s[0][2]},
        {s[2][0] - s[0][2], s[0][1] + s[1][0], s[1][1] - s[0][0] - s[2][2], s[1][2] + s[2][1]},
        {s[0][1] - s[1][0], s[2][0] + s[0][2], s[1][2] + s[2][1], s[2][2] - s[0][0] - s[1][1]},
    };
    for (int k = 0; k < 4; k++) n[k][k] += size; // all eigenvalues positive
    double q[4] = {0.9, 0.3, 0.2, 0.1}, value = 0;
    for (int round = 0; round < 2000; round++) {
        double next[4] = {0}, length = 0;
        for (int k = 0; k < 4; k++) {
            for (int l = 0; l < 4; l++) next[k] += n[k][l] * q[l];
            length += next[k] * next[k];
        }
        value = sqrt(length);
        for (int k = 0; k < 4; k++) q[k] = next[k] / value;
    }
    return sqrt(fmax(size - 2 * (value - size), 0) / NODES);
}

static cdg_result recover(const validation_context *context, cdg_pobd_solver solver, uint64_t seed, double *distance,
                          cdg_error *error) {
    cdg_rod_def rod = cdg_rod_def_default();
    rod.element_count = ELEMENTS;
    rod.section.radius = 3e-3;
    rod.centerline.kind = CDG_CENTERLINE_HELIX;
    rod.centerline.helix.axis = vec3(0, 0, 1);
    rod.centerline.helix.start_direction = vec3(1, 0, 0);
    rod.centerline.helix.radius = 0.05;
    rod.centerline.helix.pitch = 0.04;
    rod.centerline.helix.turns = 3;
    rod.rest.kind = CDG_REST_INITIAL;
    rod.pobd.solver = solver;
    rod.pobd.integrator = CDG_POBD_EULER;
    rod.pobd.iterations = solver == CDG_POBD_DIRECT ? 10 : 50;
    if (solver == CDG_POBD_GAUSS_SEIDEL) rod.pobd.paper_stiffness = true; // as the paper
    // Nylon: what recovers within a second must have a period well below it, and damping.
    rod.material.young_modulus = 2e9;
    rod.material.damping_bend = rod.material.damping_twist = 0.1;

    // The wrong rest shape to prove that this case can fail: a helix with its radius off by the factor.
    cdg_centerline right = rod.centerline;
    rod.centerline.helix.radius *= context->factor.rest;
    cdg_vec3 rest[NODES], nodes[NODES], start[NODES];
    cdg_quat frames[ELEMENTS];
    cdg_result result = cdg_centerline_sample(&right, ELEMENTS, rest, error);
    if (result != CDG_OK) return result;

    cdg_world_def def = cdg_world_def_default();
    def.contact = CDG_CONTACT_OFF; // models alone
    def.gravity = vec3(0, 0, 0);
    def.step = 10e-3;
    def.thread_count = 1;
    cdg_world *world = NULL;
    result = cdg_world_create(&def, &world, error);
    if (result != CDG_OK) return result;
    cdg_rod_id id = {0};
    result = cdg_world_add_rod(world, &rod, &id);
    cdg_random random = {seed};
    for (int i = 0; i < NODES; i++) start[i] = random_vec3(&random, 0.2);
    for (int j = 0; j < ELEMENTS; j++) frames[j] = random_rotation(&random);
    if (result == CDG_OK) result = cdg_rod_set_state(world, id, start, frames, NULL, NULL);
    for (int i = 0; i < FRAMES && result == CDG_OK; i++) result = cdg_world_step(world, NULL);
    if (result == CDG_OK) result = cdg_rod_positions(world, id, nodes);
    if (result == CDG_OK) *distance = shape_distance(nodes, rest);
    if (result != CDG_OK && error != NULL) {
        error->code = result;
        snprintf(error->message, sizeof error->message, "%s", cdg_world_message(world));
    }
    cdg_world_destroy(world);
    return result;
}

cdg_result validate_spiral(validation_context *context, cdg_error *error) {
    const char *names[] = {"direct, physical", "gauss_seidel, paper"};
    for (int solver = 0; solver < 2; solver++) {
        double worst = 0;
        for (int seed = 1; seed <= SEEDS; seed++) {
            double distance = 0;
            cdg_result result = recover(context, (cdg_pobd_solver)solver, (uint64_t)seed, &distance, error);
            if (result != CDG_OK) return result;
            worst = fmax(worst, distance);
            validation_progress(context, (solver * SEEDS + seed) / (2.0 * SEEDS));
        }
        char label[VALIDATION_TEXT_SIZE];
        snprintf(label, sizeof label, "worst of 20 random starts after 100 frames, rms off the rest shape, %s",
                 names[solver]);
        validation_under(context, solver == CDG_POBD_DIRECT ? VALIDATION_DIRECT : VALIDATION_GAUSS_SEIDEL);
        validation_add_limit(context, label, "m", worst, 0.5e-3); // a hundredth of the coil's radius
        validation_cite(context, VALIDATION_SEED_002_6, "no number printed: back at rest in about 100 frames");
    }
    return CDG_OK;
}
