// Hertz's contact: a soft ball on a hard plane, and two soft balls: force and contact radius for a given approach.
//
// Hertz's theory is that of half spaces. What is simulated is a block of each, a few contact radii wide and deep, with
// a surface that is slightly curved, and fine where it touches. On its other faces nodes are held where the theory has
// them (Boussinesq's solution under Hertz's pressure): what is left to find is how the surfaces meet. Surfaces have a
// thickness (docs/solids.md), which shifts where they begin to touch: that is taken off.
//
// Forces act at vertices, and between them surfaces may bend away: blocks are softer than the theory, in proportion to
// the size of their cells. Two meshes give the limit.
#include "math/vec3.h"
#include "validation/case_functions.h"

#include <cordage/contact.h>
#include <cordage/obstacle.h>
#include <cordage/solid.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const double pi = 3.141592653589793;
static const double modulus = 1e6, ratio = 0.3; // Pa
static const double contact_radius = 0.01;      // m
static const double slope = 0.005;              // contact radius over that of the balls: strains of some thousandths
static const double thickness_share = 0.05;     // of surfaces in contact, in shortest edges (docs/solids.md)
enum { AXIS_MOST = 64, RISE_STEPS = 4, REST_STEPS = 3 };

// ---- the theory -----------------------------------------------------------------------------------------------------

// How a half space below z = 0 moves at `at` under Hertz's pressure with a whole force of 1 N within `radius`.
static cdg_vec3 field(cdg_vec3 at, double radius) {
    enum { RINGS = 12, SECTORS = 24 };
    cdg_vec3 sum = vec3(0, 0, 0);
    double depth = -at.z, unit = (1 + ratio) / (2 * pi * modulus);
    for (int i = 0; i < RINGS; i++)
        for (int k = 0; k < SECTORS; k++) {
            // rings of equal force: what is within r is 1 - (1 - r^2/radius^2)^(3/2)
            double within = (i + 0.5) / RINGS, r = radius * sqrt(1 - pow(1 - within, 2.0 / 3));
            double angle = 2 * pi * (k + 0.5) / SECTORS, x = at.x - r * cos(angle), y = at.y - r * sin(angle);
            double far = sqrt(x * x + y * y + depth * depth);
            double side = depth / (far * far * far) - (1 - 2 * ratio) / (far * (far + depth));
            double down = depth * depth / (far * far * far) + 2 * (1 - ratio) / far;
            sum = vec3_mad(sum, unit / (RINGS * SECTORS), vec3(side * x, side * y, -down));
        }
    return sum;
}

// ---- a block of a half space ----------------------------------------------------------------------------------------

// Places from 0 to `width`: cells of `cell` to 1.25 contact radii, then growing.
static int divide(double cell, double width, double growth, double *out) {
    int count = 1;
    out[0] = 0;
    for (double size = cell; out[count - 1] < width * (1 - 1e-9) && count < AXIS_MOST; count++) {
        if (out[count - 1] > 1.2 * contact_radius) size *= growth;
        out[count] = out[count - 1] + size;
    }
    for (int i = 0; i < count; i++) // the last is where it should be
        if (out[i] > 1.2 * contact_radius + cell)
            out[i] = out[i] + (width - out[count - 1]) * (out[i] - 1.2 * contact_radius - cell) /
                                  (out[count - 1] - 1.2 * contact_radius - cell);
    return count;
}

typedef struct block {
    cdg_mesh mesh;
    cdg_vec3 *flat; // points before the surface is curved, of a half space below z = 0
    bool *is_cut;   // on a face that is cut out of the half space
    double sign;    // -1: mirrored, the half space above
} block;

static void free_block(block *b) {
    cdg_mesh_free(&b->mesh);
    free(b->flat);
    free(b->is_cut);
}

static bool make_block(int cells, double widths, double curvature, double sign, block *out) {
    static const int kuhn[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    double half[AXIS_MOST], down[AXIS_MOST], cell = contact_radius / cells, width = widths * contact_radius;
    int n = divide(cell, width, 1.6, half), m = divide(cell, width, 1.5, down), across = 2 * n - 1;
    size_t points = (size_t)across * (size_t)across * (size_t)m, count = 0;
    *out = (block){.sign = sign};
    out->mesh.points = malloc(points * sizeof(cdg_vec3)), out->flat = malloc(points * sizeof(cdg_vec3));
    out->is_cut = malloc(points * sizeof(bool));
    out->mesh.tetrahedra = malloc(6 * points * sizeof *out->mesh.tetrahedra);
    if (out->mesh.points == NULL || out->flat == NULL || out->is_cut == NULL || out->mesh.tetrahedra == NULL)
        return false;
    for (int k = 0; k < m; k++)
        for (int j = 0; j < across; j++)
            for (int i = 0; i < across; i++) {
                double x = i < n ? -half[n - 1 - i] : half[i - n + 1], y = j < n ? -half[n - 1 - j] : half[j - n + 1];
                double bulge = 0.5 * curvature * (x * x + y * y) * (1 - down[k] / width);
                out->flat[count] = vec3(x, y, -down[k]);
                out->mesh.points[count] = vec3(x, y, sign * (-down[k] - bulge));
                out->is_cut[count++] = i == 0 || j == 0 || i == across - 1 || j == across - 1 || k == m - 1;
            }
    out->mesh.point_count = count;
    const size_t stride[3] = {1, (size_t)across, (size_t)(across * across)};
    count = 0;
    for (size_t k = 0; k + 1 < (size_t)m; k++)
        for (size_t j = 0; j + 1 < (size_t)across; j++)
            for (size_t i = 0; i + 1 < (size_t)across; i++)
                for (int t = 0; t < 6; t++) {
                    size_t at = i + j * stride[1] + k * stride[2];
                    uint32_t *to = out->mesh.tetrahedra[count++];
                    to[0] = (uint32_t)at;
                    for (int c = 0; c < 3; c++) to[c + 1] = (uint32_t)(at += stride[kuhn[t][c]]);
                    cdg_vec3 *p = out->mesh.points, e[3];
                    for (int c = 0; c < 3; c++) e[c] = vec3_sub(p[to[c + 1]], p[to[0]]);
                    if (vec3_dot(e[0], vec3_cross(e[1], e[2])) > 0) continue;
                    uint32_t kept = to[1];
                    to[1] = to[2], to[2] = kept;
                }
    out->mesh.tetrahedron_count = count;
    return true;
}

// ---- a trial --------------------------------------------------------------------------------------------------------

typedef struct trial {
    int soft;         // one or both
    int cells[2];     // across a contact radius, of each
    double widths;    // of blocks, in contact radii
    double radius;    // of balls, m
    double thickness; // m, of both surfaces
    double force, approach;
    cdg_world *world;
    block blocks[2];
    cdg_solid_support_id *supports[2];
    cdg_obstacle_id hard;
} trial;

static void free_trial(trial *t) {
    cdg_world_destroy(t->world);
    for (int i = 0; i < t->soft; i++) {
        free_block(&t->blocks[i]);
        free(t->supports[i]);
    }
}

// The soft ones stay where they are but for their fields; the hard one, or the second soft one, comes nearer.
static cdg_vec3 shift_of(const trial *t, int which, double approach) {
    return vec3(0, 0, which == 0 ? 0 : t->thickness - approach);
}

static cdg_result add_soft(const validation_context *context, trial *t, int which, cdg_error *error) {
    block *b = &t->blocks[which];
    cdg_solid_def def = cdg_solid_def_default();
    cdg_solid_id id;
    def.integrator = CDG_SOLID_EULER;
    def.young_modulus = modulus * context->factor.stretch, def.poisson_ratio = ratio;
    def.mesh = b->mesh;
    def.position = shift_of(t, which, -1e-3 * t->thickness);
    cdg_result result = cdg_world_add_solid(t->world, &def, &id);
    t->supports[which] = calloc(b->mesh.point_count, sizeof *t->supports[which]);
    for (size_t i = 0; i < b->mesh.point_count && result == CDG_OK && t->supports[which] != NULL; i++) {
        if (!b->is_cut[i]) continue;
        cdg_solid_support_def held = cdg_solid_support_def_default();
        held.solid = id;
        held.region = &(cdg_shape){.kind = CDG_SHAPE_SPHERE,
                                   .orientation = {1, 0, 0, 0},
                                   .position = vec3_add(b->mesh.points[i], def.position),
                                   .radius = 1e-3 * contact_radius};
        result = cdg_world_add_solid_support(t->world, &held, &t->supports[which][i]);
    }
    return validation_fail(t->world, result, error);
}

static cdg_result open_trial(const validation_context *context, trial *t, cdg_error *error) {
    cdg_world_def def = cdg_world_def_default();
    def.gravity = vec3(0, 0, 0);
    def.step = 1; // inertia is nothing then
    def.thread_count = 1;
    for (int i = 0; i < t->soft; i++) t->thickness += thickness_share * contact_radius / t->cells[i];
    cdg_result result = cdg_world_create(&def, &t->world, error);
    cdg_contact_def contact = cdg_contact_def_default();
    if (result == CDG_OK) result = cdg_world_set_contact(t->world, &contact);
    for (int i = 0; i < t->soft && result == CDG_OK; i++)
        result = make_block(t->cells[i], t->widths, 1 / t->radius, i == 0 ? 1 : -1, &t->blocks[i])
                     ? add_soft(context, t, i, error)
                     : CDG_ERROR_MEMORY;
    cdg_obstacle_def hard = cdg_obstacle_def_default();
    hard.shape.kind = CDG_SHAPE_BOX;
    hard.shape.size = vec3(10 * contact_radius, 10 * contact_radius, contact_radius);
    hard.shape.position = vec3(0, 0, 0.5 * contact_radius + 1.001 * t->thickness);
    if (result == CDG_OK && t->soft == 1) result = cdg_world_add_obstacle(t->world, &hard, &t->hard);
    return result;
}

// Everything is told where to be when the approach is this share of the whole.
static cdg_result drive(trial *t, double share, cdg_error *error) {
    double approach = share * t->approach, force = t->force * pow(share, 1.5), radius = contact_radius * sqrt(share);
    cdg_result result = CDG_OK;
    for (int k = 0; k < t->soft; k++)
        for (size_t i = 0; i < t->blocks[k].mesh.point_count && result == CDG_OK; i++) {
            const block *b = &t->blocks[k];
            if (!b->is_cut[i]) continue;
            cdg_vec3 move = vec3_scale(force, field(b->flat[i], radius));
            move.z *= b->sign;
            cdg_vec3 to = vec3_add(vec3_add(b->mesh.points[i], shift_of(t, k, approach)), move);
            result = cdg_solid_support_set_pose(t->world, t->supports[k][i], &to, NULL);
        }
    cdg_vec3 at = vec3(0, 0, 0.5 * contact_radius + t->thickness - approach);
    if (result == CDG_OK && t->soft == 1) result = cdg_obstacle_set_pose(t->world, t->hard, &at, NULL);
    if (result == CDG_OK) result = cdg_world_step(t->world, NULL);
    return validation_fail(t->world, result, error);
}

// Force and contact radius, over those of the theory.
typedef struct outcome {
    double force, radius;
} outcome;

static cdg_result press(const validation_context *context, trial t, outcome *out, cdg_error *error) {
    double stiffness = modulus / (1 - ratio * ratio) / t.soft; // Hertz's E*
    double together = t.soft == 2 ? 0.5 * t.radius : t.radius; // 1/(1/R + 1/R)
    t.approach = contact_radius * contact_radius / together;
    t.force = 4.0 / 3 * stiffness * contact_radius * t.approach;
    cdg_result result = open_trial(context, &t, error);
    for (int i = 1; i <= RISE_STEPS + REST_STEPS && result == CDG_OK; i++)
        result = drive(&t, fmin(1, (double)i / RISE_STEPS), error);
    double force = 0, spread = 0;
    size_t count = result == CDG_OK ? cdg_world_contact_count(t.world) : 0;
    for (size_t i = 0; i < count && result == CDG_OK; i++) {
        cdg_contact_info info;
        result = cdg_world_contact_at(t.world, i, &info);
        force += fabs(info.force.z);
        spread += fabs(info.force.z) * (info.point.x * info.point.x + info.point.y * info.point.y);
    }
    *out = (outcome){force / t.force, sqrt(2.5 * spread / force) / contact_radius}; // Hertz: mean square is 2/5 a^2
    free_trial(&t);
    return result;
}

// Force and radius in the limit of two meshes, of which errors fall with the size of cells.
static outcome limit_of(const int cells[2], const outcome at[2]) {
    double fine = cells[1], share = fine / (fine - cells[0]);
    return (outcome){at[0].force + share * (at[1].force - at[0].force),
                     at[0].radius + share * (at[1].radius - at[0].radius)};
}

static void tell(validation_context *context, const char *name, const int cells[2], const outcome at[2]) {
    char label[VALIDATION_TEXT_SIZE];
    outcome limit = limit_of(cells, at);
    snprintf(label, sizeof label, "%s: force over Hertz's, %d cells to the contact radius", name, cells[1]);
    validation_add_relative(context, label, "", at[1].force, 1, cells[1] >= 6 ? 0.03 : 0.05);
    snprintf(label, sizeof label, "%s: force over Hertz's, limit of %d and %d cells", name, cells[0], cells[1]);
    validation_add_relative(context, label, "", limit.force, 1, 0.03);
    snprintf(label, sizeof label, "%s: contact radius, limit of %d and %d cells", name, cells[0], cells[1]);
    validation_add_relative(context, label, "", limit.radius, 1, 0.03);
}

// By symmetry two alike are each as on a plane, if both meshes are mirrored. Where they do not match, vertices press
// between the vertices of the other.
static cdg_result two_balls(validation_context *context, const outcome *plane, cdg_error *error) {
    outcome alike, other;
    trial t = {.soft = 2, .cells = {3, 3}, .widths = 2.5, .radius = contact_radius / slope};
    cdg_result result = press(context, t, &alike, error);
    if (result != CDG_OK) return result;
    validation_add_relative(context, "two soft balls, mirrored, 3 cells: force over that on a plane", "",
                            alike.force / plane->force, 1, 1e-4);
    validation_add_relative(context, "two soft balls, mirrored, 3 cells: radius over that on a plane", "",
                            alike.radius / plane->radius, 1, 1e-4);
    validation_progress(context, 0.6);
    if (context->is_quick) return CDG_OK;
    t.cells[1] = 4;
    result = press(context, t, &other, error);
    if (result != CDG_OK) return result;
    validation_add_relative(context, "two soft balls, 3 cells against 4: force over that of 3 against 3", "",
                            other.force / alike.force, 1, 0.03);
    validation_add_relative(context, "two soft balls, 3 cells against 4: radius over that of 3 against 3", "",
                            other.radius / alike.radius, 1, 0.03);
    return CDG_OK;
}

cdg_result validate_hertz(validation_context *context, cdg_error *error) {
    const int cells[2] = {3, context->is_quick ? 4 : 6};
    outcome at[2];
    cdg_result result = CDG_OK;
    for (int k = 0; k < 2 && result == CDG_OK; k++) {
        trial t = {.soft = 1, .cells = {cells[k]}, .widths = 2.5, .radius = contact_radius / slope};
        result = press(context, t, &at[k], error);
        validation_progress(context, 0.1 + 0.3 * k);
    }
    if (result != CDG_OK) return result;
    tell(context, "a soft ball on a hard plane", cells, at);
    return validation_is_decided(context) ? CDG_OK : two_balls(context, &at[0], error);
}
