// Mechanics of deformable solids: patch test, rigid motion, forces as slopes of energy, bending and twisting of blocks
// against closed forms, a cantilever against Timoshenko's beam, Cook's membrane, a vibration of a cube.
#include "math/quat.h"
#include "math/vec3.h"
#include "validation/solid_blocks.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const double young_modulus = 1e6, poisson_ratio = 0.3;

static cdg_solid_def def_of(cdg_solid_model model) {
    cdg_solid_def def = cdg_solid_def_default();
    def.model = model;
    def.young_modulus = young_modulus, def.poisson_ratio = poisson_ratio;
    return def;
}

// ---- bending and twisting -------------------------------------------------------------------------------------------

static const double pi = 3.141592653589793;
static const double side = 0.1, bend = 1e-4, twist = 1e-3; // m, rad/m, rad/m

static cdg_vec3 twisted(cdg_vec3 p) {
    return vec3_add(vec3(p.x, 0, 0), quat_rotate(quat_from_axis_angle(vec3(1, 0, 0), twist * p.x), vec3(0, p.y, p.z)));
}

static cdg_result pure_bending(validation_context *context, cdg_error *error) {
    const double expected = young_modulus * pow(side, 4) / 12 * bend;
    int finest = context->is_quick ? 8 : 16;
    double off[5] = {0};
    int count = 0;
    char label[VALIDATION_TEXT_SIZE];
    for (int cells = finest / 4; cells <= finest; cells *= 2) {
        double value;
        cdg_result result =
            validation_bending_moment(context, def_of(CDG_SOLID_COROTATIONAL), side, cells, bend, &value, error);
        if (result != CDG_OK) return result;
        off[count++] = fabs(value / expected - 1);
        snprintf(label, sizeof label, "pure bending, moment at %d cells across", cells);
        if (cells < finest)
            validation_add_information(context, label, "of E I x curvature", value / expected);
        else
            validation_add_relative(context, label, "N m", value, expected, context->is_quick ? 0.1 : 0.03);
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
    double value = 0, twice = 0, weight = 0;
    cdg_result result = validation_block(context, def_of(CDG_SOLID_COROTATIONAL), vec3(length, side, side),
                                         side / cells, NULL, &s, error);
    if (result != CDG_OK) return result;
    for (size_t i = 0; i < s.node_count; i++)
        if (fabs(s.rest[0][i]) > 0.5 * length * (1 - 1e-9)) validation_hold(&s, i, twisted(solid_vec3(s.rest, i)));
    result = validation_settle(&s, error);
    for (size_t i = 0; i < s.node_count && result == CDG_OK; i++)
        if (s.rest[0][i] > 0.5 * length * (1 - 1e-9))
            value += vec3_cross(solid_vec3(s.rest, i), solid_vec3(s.reaction, i)).x;
    if (result != CDG_OK) {
        cdg_solid_free(&s);
        return result;
    }
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

static cdg_result cantilever(validation_context *context, cdg_error *error) {
    int cells = context->is_quick ? 8 : 16;
    double value;
    char label[VALIDATION_TEXT_SIZE];
    cdg_result result = validation_cantilever(context, def_of(CDG_SOLID_NEO_HOOKEAN), side, cells, &value, error);
    if (result != CDG_OK) return result;
    snprintf(label, sizeof label, "cantilever of %d x %d x %d cells, its end sinks by", 10 * cells, cells, cells);
    validation_add_relative(context, label, "of Timoshenko's", value, 1, context->is_quick ? 0.1 : 0.03);
    return CDG_OK;
}

static cdg_result cooks_membrane(validation_context *context, cdg_error *error) {
    // nu = 1/3: 23.96 at the middle of the free end (Cook 1974; Simo and Rifai 1990 and others, converged, plane
    // stress)
    int cells = context->is_quick ? 32 : 64;
    double value;
    char label[VALIDATION_TEXT_SIZE];
    cdg_solid_def def = def_of(CDG_SOLID_COROTATIONAL);
    def.poisson_ratio = 1.0 / 3;
    cdg_result result = validation_cook(context, def, cells, &value, error);
    if (result != CDG_OK) return result;
    snprintf(label, sizeof label, "Cook's membrane, %d x %d cells, rises by", cells, cells);
    validation_add_relative(context, label, "", value, 23.96, context->is_quick ? 0.08 : 0.03);
    return CDG_OK;
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
    cdg_result result =
        validation_block(context, def_of(CDG_SOLID_NEO_HOOKEAN), vec3(side, side, side), side / cells, NULL, &s, error);
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
    cdg_result result = validation_patch(context, def_of(CDG_SOLID_NEO_HOOKEAN), "neo_hookean", error);
    if (result == CDG_OK) result = validation_patch(context, def_of(CDG_SOLID_COROTATIONAL), "corotational", error);
    cdg_result (*const rest[])(validation_context *, cdg_error *) = {pure_bending, torsion, cantilever, cooks_membrane,
                                                                     vibrations};
    for (size_t i = 0; i < 5 && result == CDG_OK && !validation_is_decided(context); i++) {
        result = rest[i](context, error);
        validation_progress(context, (double)(i + 1) / 5);
    }
    return result;
}
