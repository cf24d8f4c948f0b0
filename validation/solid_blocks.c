// Blocks of solids for cases of their mechanics (solid_blocks.h).
#include "validation/solid_blocks.h"

#include "math/quat.h"
#include "math/random.h"
#include "math/vec3.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

cdg_result validation_block(const validation_context *context, cdg_solid_def def, cdg_vec3 size, double cell,
                            solid_mapping map, cdg_solid *out, cdg_error *error) {
    cdg_shape shape = {.kind = CDG_SHAPE_BOX, .size = size, .orientation = {1, 0, 0, 0}};
    def.integrator = CDG_SOLID_EULER;
    def.young_modulus *= context->factor.stretch;
    def.density *= context->factor.mass;
    cdg_result result = cdg_shape_mesh(&shape, cell * (1 + 1e-9), &def.mesh, error);
    if (result != CDG_OK) return result;
    for (size_t i = 0; i < def.mesh.point_count && map != NULL; i++) def.mesh.points[i] = map(def.mesh.points[i]);
    result = cdg_solid_build(&def, "block", out, error);
    cdg_mesh_free(&def.mesh);
    return result;
}

cdg_result validation_settle(cdg_solid *s, cdg_error *error) {
    cdg_solid_result result;
    return cdg_solid_find_equilibrium(s, vec3(0, 0, 0), 1, &result, error);
}

void validation_hold(cdg_solid *s, size_t node, cdg_vec3 at) {
    s->held_count += !s->is_held[node];
    s->is_held[node] = true;
    solid_set_vec3(s->target, node, at);
}

void validation_load_end(cdg_solid *s, double end, cdg_vec3 force) {
    double area = 0;
    for (int pass = 0; pass < 2; pass++)
        for (size_t t = 0; t < s->surface_count; t++) {
            const uint32_t *c = s->surface[t];
            bool is_there = true;
            for (int k = 0; k < 3; k++) is_there = is_there && fabs(s->rest[0][c[k]] - end) < 1e-9;
            if (!is_there) continue;
            cdg_vec3 a = solid_vec3(s->rest, c[0]);
            double own = 0.5 * vec3_norm(vec3_cross(vec3_sub(solid_vec3(s->rest, c[1]), a),
                                                    vec3_sub(solid_vec3(s->rest, c[2]), a)));
            if (pass == 0) area += own;
            for (int k = 0; k < 3 && pass == 1; k++)
                solid_set_vec3(s->force, c[k], vec3_add(solid_vec3(s->force, c[k]), vec3_scale(own / area / 3, force)));
        }
}

// ---- patch test, rigid motion, slopes -------------------------------------------------------------------------------

static double largest_inner_force(cdg_solid *s, const bool *is_outside) {
    cdg_solid_at at = {.x = s->x};
    double most = 0;
    cdg_solid_forces(s, &at, s->inner_force, 1);
    for (size_t i = 0; i < s->node_count; i++)
        if (is_outside == NULL || !is_outside[i]) most = fmax(most, vec3_norm(solid_vec3(s->inner_force, i)));
    return most;
}

// Forces against fourth-order differences of energy along a random way, about a state that is far from rest. The scale
// is what a slope along such a way is, as terms of either sign add up.
static double slope_error(cdg_solid *s, const mat3 *f, cdg_vec3 *way) {
    double slope = 0, expected = 0, size = 0;
    const double h = 1e-5, shift[4] = {-2 * h, -h, h, 2 * h}, weight[4] = {1, -8, 8, -1};
    cdg_random random = {1};
    for (size_t i = 0; i < s->node_count; i++) {
        way[i] = random_vec3(&random, 1);
        solid_set_vec3(s->x, i, vec3_add(mat3_apply(f, solid_vec3(s->rest, i)), random_vec3(&random, 1e-3)));
    }
    largest_inner_force(s, NULL);
    for (size_t i = 0; i < s->node_count; i++) {
        slope -= vec3_dot(solid_vec3(s->inner_force, i), way[i]);
        size = hypot(size, vec3_norm(solid_vec3(s->inner_force, i)) * vec3_norm(way[i]));
    }
    for (int k = 0; k < 4; k++) {
        for (size_t i = 0; i < s->node_count; i++)
            solid_set_vec3(s->x_next, i, vec3_mad(solid_vec3(s->x, i), shift[k], way[i]));
        expected += weight[k] * cdg_solid_elastic_energy(s, s->x_next) / (12 * h);
    }
    return fabs(slope - expected) / size;
}

cdg_result validation_patch(validation_context *context, cdg_solid_def def, const char *name, cdg_error *error) {
    cdg_solid s;
    cdg_result result = validation_block(context, def, vec3(0.1, 0.1, 0.1), 0.02, NULL, &s, error);
    if (result != CDG_OK) return result;
    bool *is_outside = calloc(s.node_count, sizeof *is_outside);
    cdg_vec3 *way = malloc(s.node_count * sizeof *way);
    if (is_outside == NULL || way == NULL) {
        free(is_outside), free(way);
        return CDG_ERROR_MEMORY;
    }
    for (size_t t = 0; t < s.surface_count; t++)
        for (int k = 0; k < 3; k++) is_outside[s.surface[t][k]] = true;
    // Hooke's law on a face of one cell, as the scale of forces: E, or lambda where that is larger.
    double nu = def.poisson_ratio, lambda = def.young_modulus * nu / ((1 + nu) * (1 - 2 * nu));
    double scale = fmax(def.young_modulus, lambda) * 0.02 * 0.02;
    mat3 f = {{{1.1, 0.2, -0.05}, {-0.1, 0.95, 0.15}, {0.05, 0.1, 1.2}}};
    cdg_quat turn = quat_normalize(quat(0.3, -0.5, 0.7, 0.2));
    char label[VALIDATION_TEXT_SIZE], unit[16];
    snprintf(unit, sizeof unit, "%s x cell^2", lambda > def.young_modulus ? "lambda" : "E");
    for (size_t i = 0; i < s.node_count; i++) solid_set_vec3(s.x, i, mat3_apply(&f, solid_vec3(s.rest, i)));
    snprintf(label, sizeof label, "patch test: forces on inner nodes, %s", name);
    validation_add_limit(context, label, unit, largest_inner_force(&s, is_outside) / scale, 1e-12);
    for (size_t i = 0; i < s.node_count; i++)
        solid_set_vec3(s.x, i, vec3_add(quat_rotate(turn, solid_vec3(s.rest, i)), vec3(1, 2, 3)));
    snprintf(label, sizeof label, "rigid motion: forces, %s", name);
    validation_add_limit(context, label, unit, largest_inner_force(&s, NULL) / scale, 1e-12);
    snprintf(label, sizeof label, "forces against differences of energy, %s", name);
    validation_add_limit(context, label, "", slope_error(&s, &f, way), 1e-7);
    free(way);
    free(is_outside);
    cdg_solid_free(&s);
    return CDG_OK;
}

// ---- bending, a cantilever, Cook's membrane -------------------------------------------------------------------------

cdg_result validation_bending_moment(const validation_context *context, cdg_solid_def def, double side, int cells,
                                     double curvature, double *out, cdg_error *error) {
    const double length = 2 * side, nu = def.poisson_ratio;
    cdg_solid s;
    cdg_result result = validation_block(context, def, vec3(length, side, side), side / cells, NULL, &s, error);
    if (result != CDG_OK) return result;
    for (size_t i = 0; i < s.node_count; i++) {
        cdg_vec3 p = solid_vec3(s.rest, i); // exact for a block whose ends are held as it has them
        if (fabs(p.x) > 0.5 * length * (1 - 1e-9))
            validation_hold(&s, i,
                            vec3(p.x + curvature * p.x * p.z, p.y - nu * curvature * p.y * p.z,
                                 p.z - 0.5 * curvature * (p.x * p.x + nu * (p.z * p.z - p.y * p.y))));
    }
    result = validation_settle(&s, error);
    *out = 0;
    for (size_t i = 0; i < s.node_count && result == CDG_OK; i++)
        if (s.rest[0][i] > 0.5 * length * (1 - 1e-9))
            *out += vec3_cross(solid_vec3(s.rest, i), solid_vec3(s.reaction, i)).y;
    *out = fabs(*out);
    cdg_solid_free(&s);
    return result;
}

cdg_result validation_cantilever(const validation_context *context, cdg_solid_def def, double side, int cells,
                                 double *out, cdg_error *error) {
    const double length = 10 * side, force = 1e-10 * def.young_modulus, area = side * side, second = area * area / 12;
    const double shear = def.young_modulus / (2 * (1 + def.poisson_ratio));
    const double kappa = 10 * (1 + def.poisson_ratio) / (12 + 11 * def.poisson_ratio);
    cdg_solid s;
    cdg_result result = validation_block(context, def, vec3(length, side, side), side / cells, NULL, &s, error);
    if (result != CDG_OK) return result;
    for (size_t i = 0; i < s.node_count; i++)
        if (s.rest[0][i] < -0.5 * length + 1e-9) validation_hold(&s, i, solid_vec3(s.rest, i));
    validation_load_end(&s, 0.5 * length, vec3(0, 0, -force));
    result = validation_settle(&s, error);
    double sum = 0, count = 0;
    for (size_t i = 0; i < s.node_count; i++)
        if (s.rest[0][i] > 0.5 * length - 1e-9) sum += s.rest[2][i] - s.x[2][i], count++;
    *out = sum / count /
           (force * pow(length, 3) / (3 * def.young_modulus * second) + force * length / (kappa * shear * area));
    cdg_solid_free(&s);
    return result;
}

// From the square [-1/2, 1/2]^2 to Cook's tapered panel, in metres, 1 m thick.
static cdg_vec3 cook(cdg_vec3 at) {
    double s = at.x + 0.5, low = 44 * s, high = 44 + 16 * s;
    return vec3(48 * s, low + (at.y + 0.5) * (high - low), at.z * 100);
}

cdg_result validation_cook(const validation_context *context, cdg_solid_def def, int cells, double *out,
                           cdg_error *error) {
    cdg_solid s;
    def.young_modulus = 1e6; // and a force of 1: small displacements
    cdg_result result = validation_block(context, def, vec3(1, 1, 1.0 / 100), 1.0 / cells, cook, &s, error);
    if (result != CDG_OK) return result;
    for (size_t i = 0; i < s.node_count; i++)
        if (s.rest[0][i] < 1e-9) validation_hold(&s, i, solid_vec3(s.rest, i));
    validation_load_end(&s, 48, vec3(0, 1, 0));
    result = validation_settle(&s, error);
    double nearest = INFINITY;
    for (size_t i = 0; i < s.node_count; i++) {
        double away = vec3_distance(solid_vec3(s.rest, i), vec3(48, 52, s.rest[2][i]));
        if (away < nearest) nearest = away, *out = 1e6 * (s.x[1][i] - s.rest[1][i]);
    }
    cdg_solid_free(&s);
    return result;
}
