// Mechanics of deformable solids: patch test, rigid motion, forces as slopes of energy, bending and twisting of blocks
// against closed forms, a cantilever against Timoshenko's beam, Cook's membrane, a vibration of a cube.
#include "math/quat.h"
#include "math/random.h"
#include "math/vec3.h"
#include "solids/solid_model.h"
#include "validation/case_functions.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const double young_modulus = 1e6, poisson_ratio = 0.3;

// ---- blocks ---------------------------------------------------------------------------------------------------------

typedef cdg_vec3 (*mapping)(cdg_vec3 at);

// A block of `size`, cut to cells of `cell`, whose points are mapped.
static cdg_result build(const validation_context *context, cdg_solid_model model, cdg_vec3 size, double cell,
                        mapping map, cdg_solid *out, cdg_error *error) {
    cdg_shape shape = {.kind = CDG_SHAPE_BOX, .size = size, .orientation = {1, 0, 0, 0}};
    cdg_solid_def def = cdg_solid_def_default();
    def.model = model;
    def.integrator = CDG_SOLID_EULER;
    def.young_modulus = context->factor.stretch * young_modulus;
    def.poisson_ratio = poisson_ratio;
    def.density = context->factor.mass * 1000;
    cdg_result result = cdg_shape_mesh(&shape, cell * (1 + 1e-9), &def.mesh, error);
    if (result != CDG_OK) return result;
    for (size_t i = 0; i < def.mesh.point_count && map != NULL; i++) def.mesh.points[i] = map(def.mesh.points[i]);
    result = cdg_solid_build(&def, "block", out, error);
    cdg_tetrahedral_mesh_free(&def.mesh);
    return result;
}

static cdg_result settle(cdg_solid *s, cdg_error *error) {
    cdg_solid_result result;
    return cdg_solid_find_equilibrium(s, vec3(0, 0, 0), 1, &result, error);
}

static void hold(cdg_solid *s, size_t node, cdg_vec3 at) {
    s->held_count += !s->is_held[node];
    s->is_held[node] = true;
    solid_set_vec3(s->target, node, at);
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

static cdg_result patch(validation_context *context, cdg_solid_model model, const char *name, cdg_error *error) {
    cdg_solid s;
    cdg_result result = build(context, model, vec3(0.1, 0.1, 0.1), 0.02, NULL, &s, error);
    if (result != CDG_OK) return result;
    bool *is_outside = calloc(s.node_count, sizeof *is_outside);
    if (is_outside == NULL) return CDG_ERROR_MEMORY;
    for (size_t t = 0; t < s.surface_count; t++)
        for (int k = 0; k < 3; k++) is_outside[s.surface[t][k]] = true;
    // Hooke's law on a face of one cell, as the scale of forces.
    double scale = young_modulus * 0.02 * 0.02;
    cdg_random random = {1};
    mat3 f = {{{1.1, 0.2, -0.05}, {-0.1, 0.95, 0.15}, {0.05, 0.1, 1.2}}};
    cdg_quat turn = quat_normalize(quat(0.3, -0.5, 0.7, 0.2));
    char label[VALIDATION_TEXT_SIZE];
    for (size_t i = 0; i < s.node_count; i++) solid_set_vec3(s.x, i, mat3_apply(&f, solid_vec3(s.rest, i)));
    snprintf(label, sizeof label, "patch test: forces on inner nodes, %s", name);
    validation_add_limit(context, label, "E x cell^2", largest_inner_force(&s, is_outside) / scale, 1e-12);
    for (size_t i = 0; i < s.node_count; i++)
        solid_set_vec3(s.x, i, vec3_add(quat_rotate(turn, solid_vec3(s.rest, i)), vec3(1, 2, 3)));
    snprintf(label, sizeof label, "rigid motion: forces, %s", name);
    validation_add_limit(context, label, "E x cell^2", largest_inner_force(&s, NULL) / scale, 1e-12);
    // Forces against fourth-order differences of energy along a random way.
    double slope = 0, expected = 0, size = 0;
    const double h = 1e-5, shift[4] = {-2 * h, -h, h, 2 * h}, weight[4] = {1, -8, 8, -1};
    cdg_vec3 *way = malloc(s.node_count * sizeof *way);
    if (way == NULL) return CDG_ERROR_MEMORY;
    for (size_t i = 0; i < s.node_count; i++) {
        way[i] = random_vec3(&random, 1);
        solid_set_vec3(s.x, i, vec3_add(mat3_apply(&f, solid_vec3(s.rest, i)), random_vec3(&random, 1e-3)));
    }
    largest_inner_force(&s, NULL);
    for (size_t i = 0; i < s.node_count; i++) {
        slope -= vec3_dot(solid_vec3(s.inner_force, i), way[i]);
        size += vec3_norm(solid_vec3(s.inner_force, i)) * vec3_norm(way[i]);
    }
    for (int k = 0; k < 4; k++) {
        for (size_t i = 0; i < s.node_count; i++)
            solid_set_vec3(s.x_next, i, vec3_mad(solid_vec3(s.x, i), shift[k], way[i]));
        expected += weight[k] * cdg_solid_elastic_energy(&s, s.x_next) / (12 * h);
    }
    snprintf(label, sizeof label, "forces against differences of energy, %s", name);
    validation_add_limit(context, label, "", fabs(slope - expected) / size, 1e-7);
    free(way);
    free(is_outside);
    cdg_solid_free(&s);
    return CDG_OK;
}

// ---- bending and twisting -------------------------------------------------------------------------------------------

enum { AROUND_Y = 1, AROUND_X = 0 };
static const double pi = 3.141592653589793;
static const double side = 0.1, bend = 1e-4, twist = 1e-3; // m, rad/m, rad/m

// Saint-Venant's pure bending about y: exact for a block whose ends are held as it has them.
static cdg_vec3 bent(cdg_vec3 p) {
    double nu = poisson_ratio;
    return vec3(p.x + bend * p.x * p.z, p.y - nu * bend * p.y * p.z,
                p.z - 0.5 * bend * (p.x * p.x + nu * (p.z * p.z - p.y * p.y)));
}

static cdg_vec3 twisted(cdg_vec3 p) {
    return vec3_add(vec3(p.x, 0, 0), quat_rotate(quat_from_axis_angle(vec3(1, 0, 0), twist * p.x), vec3(0, p.y, p.z)));
}

// Holds both ends as a mapping has them; the moment of the end's reactions about an axis.
static cdg_result moment(const validation_context *context, double length, double cell, mapping map, int axis,
                         cdg_solid *s, double *out, cdg_error *error) {
    cdg_result result = build(context, CDG_SOLID_COROTATIONAL, vec3(length, side, side), cell, NULL, s, error);
    if (result != CDG_OK) return result;
    for (size_t i = 0; i < s->node_count; i++)
        if (fabs(s->rest[0][i]) > 0.5 * length * (1 - 1e-9)) hold(s, i, map(solid_vec3(s->rest, i)));
    result = settle(s, error);
    *out = 0;
    for (size_t i = 0; i < s->node_count && result == CDG_OK; i++)
        if (s->rest[0][i] > 0.5 * length * (1 - 1e-9)) {
            cdg_vec3 m = vec3_cross(solid_vec3(s->rest, i), solid_vec3(s->reaction, i));
            *out += axis == AROUND_Y ? m.y : m.x;
        }
    return result;
}

static cdg_result pure_bending(validation_context *context, cdg_error *error) {
    const double expected = young_modulus * pow(side, 4) / 12 * bend;
    int finest = context->is_quick ? 8 : 16;
    double off[5] = {0};
    int count = 0;
    char label[VALIDATION_TEXT_SIZE];
    for (int cells = finest / 4; cells <= finest; cells *= 2) {
        cdg_solid s;
        double value;
        cdg_result result = moment(context, 2 * side, side / cells, bent, AROUND_Y, &s, &value, error);
        if (result != CDG_OK) return result;
        cdg_solid_free(&s);
        off[count++] = fabs(value / expected - 1);
        snprintf(label, sizeof label, "pure bending, moment at %d cells across", cells);
        if (cells < finest)
            validation_add_information(context, label, "of E I x curvature", fabs(value) / expected);
        else
            validation_add_relative(context, label, "N m", fabs(value), expected, context->is_quick ? 0.1 : 0.03);
    }
    validation_add_order(context, "pure bending, order in the size of cells", log2(off[count - 2] / off[count - 1]), 2,
                         0.2);
    return CDG_OK;
}

// Twist in the middle, away from the ends, whose warping is held.
static cdg_result torsion(validation_context *context, cdg_error *error) {
    const double length = 5 * side, shear = young_modulus / (2 * (1 + poisson_ratio));
    int cells = context->is_quick ? 8 : 20;
    cdg_solid s;
    double value, twice = 0, weight = 0;
    cdg_result result = moment(context, length, side / cells, twisted, AROUND_X, &s, &value, error);
    if (result != CDG_OK) return result;
    // by least squares over the middle fifth: angle = rate x
    for (size_t i = 0; i < s.node_count; i++) {
        cdg_vec3 p = solid_vec3(s.rest, i), d = vec3_sub(solid_vec3(s.x, i), p);
        double r2 = p.y * p.y + p.z * p.z;
        if (fabs(p.x) > 0.1 * length || r2 < 1e-12) continue;
        twice += p.x * (p.y * d.z - p.z * d.y);
        weight += p.x * p.x * r2;
    }
    validation_add_relative(context, "torque of a twisted square bar over its twist in the middle", "N m^2",
                            fabs(value / (twice / weight)), 0.140577 * shear * pow(side, 4),
                            context->is_quick ? 0.16 : 0.03);
    cdg_solid_free(&s);
    return CDG_OK;
}

// ---- cantilever, Cook's membrane ------------------------------------------------------------------------------------

// A force on the end face by the share of its triangles that nodes have.
static void load_end(cdg_solid *s, double end, cdg_vec3 force) {
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

static cdg_result cantilever(validation_context *context, cdg_error *error) {
    const double length = 10 * side, force = 1e-4, area = side * side, second = area * area / 12;
    const double shear = young_modulus / (2 * (1 + poisson_ratio));
    const double kappa = 10 * (1 + poisson_ratio) / (12 + 11 * poisson_ratio);
    int cells = context->is_quick ? 8 : 16;
    cdg_solid s;
    cdg_result result = build(context, CDG_SOLID_NEO_HOOKEAN, vec3(length, side, side), side / cells, NULL, &s, error);
    if (result != CDG_OK) return result;
    for (size_t i = 0; i < s.node_count; i++)
        if (s.rest[0][i] < -0.5 * length + 1e-9) hold(&s, i, solid_vec3(s.rest, i));
    load_end(&s, 0.5 * length, vec3(0, 0, -force));
    result = settle(&s, error);
    double sum = 0, count = 0;
    for (size_t i = 0; i < s.node_count; i++)
        if (s.rest[0][i] > 0.5 * length - 1e-9) sum += s.rest[2][i] - s.x[2][i], count++;
    char label[VALIDATION_TEXT_SIZE];
    snprintf(label, sizeof label, "cantilever of %d x %d x %d cells, its end sinks by", 10 * cells, cells, cells);
    if (result == CDG_OK)
        validation_add_relative(context, label, "m", sum / count,
                                force * pow(length, 3) / (3 * young_modulus * second) +
                                    force * length / (kappa * shear * area),
                                context->is_quick ? 0.1 : 0.03);
    cdg_solid_free(&s);
    return result;
}

// From the square [-1/2, 1/2]^2 to Cook's tapered panel, in metres, 1 m thick.
static cdg_vec3 cook(cdg_vec3 at) {
    double s = at.x + 0.5, low = 44 * s, high = 44 + 16 * s;
    return vec3(48 * s, low + (at.y + 0.5) * (high - low), at.z * 100);
}

static cdg_result cooks_membrane(validation_context *context, cdg_error *error) {
    // E = 1, nu = 1/3 and a force of 1 in the plane: 23.96 at the middle of the free end (Cook 1974; Simo and Rifai
    // 1990 and others, converged, plane stress).
    int cells = context->is_quick ? 32 : 64;
    cdg_solid s;
    cdg_result result = build(context, CDG_SOLID_COROTATIONAL, vec3(1, 1, 1.0 / 100), 1.0 / cells, cook, &s, error);
    if (result != CDG_OK) return result;
    double scale = context->factor.stretch;
    s.mu = scale * 1e6 / (2 * (1 + 1.0 / 3)), s.lambda = scale * 1e6 / 3 / ((1 + 1.0 / 3) * (1 - 2.0 / 3));
    for (size_t i = 0; i < s.node_count; i++)
        if (s.rest[0][i] < 1e-9) hold(&s, i, solid_vec3(s.rest, i));
    load_end(&s, 48, vec3(0, 1, 0)); // a millionth of the stiffness: small displacements
    result = settle(&s, error);
    double value = 0, nearest = INFINITY;
    for (size_t i = 0; i < s.node_count; i++) {
        double away = vec3_distance(solid_vec3(s.rest, i), vec3(48, 52, s.rest[2][i]));
        if (away < nearest) nearest = away, value = 1e6 * (s.x[1][i] - s.rest[1][i]);
    }
    char label[VALIDATION_TEXT_SIZE];
    snprintf(label, sizeof label, "Cook's membrane, %d x %d cells, rises by", cells, cells);
    if (result == CDG_OK) validation_add_relative(context, label, "", value, 23.96, context->is_quick ? 0.08 : 0.03);
    cdg_solid_free(&s);
    return result;
}

// ---- vibrations -----------------------------------------------------------------------------------------------------

// Lame's mode of a free cube about the origin: only shear, its faces free of stress, whatever Poisson's ratio.
static cdg_vec3 lame(cdg_vec3 p) {
    double x = pi * (p.x / side + 0.5), y = pi * (p.y / side + 0.5);
    return vec3(cos(x) * sin(y), -sin(x) * cos(y), 0);
}

// Its frequency, Hz: the mean over modes by how much of it each has.
static cdg_result lame_frequency(const validation_context *context, int cells, double *out, cdg_error *error) {
    enum { MODES = 24 };
    cdg_solid s;
    double eigenvalues[MODES], sum = 0, weight = 0;
    cdg_result result = build(context, CDG_SOLID_NEO_HOOKEAN, vec3(side, side, side), side / cells, NULL, &s, error);
    if (result != CDG_OK) return result;
    cdg_vec3 *shapes = malloc(MODES * s.node_count * sizeof *shapes);
    result = shapes != NULL ? cdg_solid_find_eigenvalues(&s, MODES, eigenvalues, shapes, error) : CDG_ERROR_MEMORY;
    for (size_t m = 0; m < MODES && result == CDG_OK; m++) {
        double common = 0, own = 0;
        for (size_t i = 0; i < s.node_count; i++) {
            cdg_vec3 move = shapes[m * s.node_count + i];
            common += s.mass[i] * vec3_dot(move, lame(solid_vec3(s.rest, i)));
            own += s.mass[i] * vec3_dot(move, move);
        }
        sum += common * common / own * eigenvalues[m];
        weight += common * common / own;
    }
    *out = sqrt(sum / weight) / (2 * pi);
    free(shapes);
    cdg_solid_free(&s);
    return result;
}

static cdg_result vibrations(validation_context *context, cdg_error *error) {
    const double shear = young_modulus / (2 * (1 + poisson_ratio)), expected = sqrt(shear / 1000) / (sqrt(2) * side);
    int coarse = context->is_quick ? 4 : 6;
    double one, two;
    cdg_result result = lame_frequency(context, coarse, &one, error);
    if (result == CDG_OK) result = lame_frequency(context, 2 * coarse, &two, error);
    if (result != CDG_OK) return result;
    validation_add_relative(context, "Lame's vibration of a free cube, in the limit of two meshes", "Hz",
                            two + (two - one) / 3, expected, 0.01);
    validation_add_information(context, "the same, the finer mesh", "of the exact", two / expected);
    return CDG_OK;
}

cdg_result validate_solids(validation_context *context, cdg_error *error) {
    cdg_result result = patch(context, CDG_SOLID_NEO_HOOKEAN, "neo_hookean", error);
    if (result == CDG_OK) result = patch(context, CDG_SOLID_COROTATIONAL, "corotational", error);
    cdg_result (*const rest[])(validation_context *, cdg_error *) = {pure_bending, torsion, cantilever, cooks_membrane,
                                                                     vibrations};
    for (size_t i = 0; i < 5 && result == CDG_OK && !validation_is_decided(context); i++) {
        result = rest[i](context, error);
        validation_progress(context, (double)(i + 1) / 5);
    }
    return result;
}
