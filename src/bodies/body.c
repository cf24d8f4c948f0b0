// Building rigid bodies from definitions, and what can be read off their state.
#include "bodies/body.h"

#include "base/error.h"
#include "math/mat3.h"

#include <stdlib.h>
#include <string.h>

cdg_body_def cdg_body_def_default(void) {
    return (cdg_body_def){.shape = cdg_shape_default(), .density = 1000, .friction = -1, .restitution = -1};
}

// ---- checking -------------------------------------------------------------------------------------------------------

static bool is_size(double a) { return a > 0 && isfinite(a); }

static cdg_result check_shape(const cdg_body_def *def, const char *name, cdg_error *error) {
    if (def->shape.kind < CDG_SHAPE_SPHERE || def->shape.kind > CDG_SHAPE_MESH)
        return cdg_fail(error, CDG_ERROR_ARGUMENT, "there is no body kind number %d", (int)def->shape.kind);
    bool is_round = def->shape.kind != CDG_SHAPE_BOX && def->shape.kind != CDG_SHAPE_MESH;
    if (is_round && !is_size(def->shape.radius))
        return cdg_fail(error, CDG_ERROR_ARGUMENT, "body '%s': its radius is %g m; it must be positive", name,
                        def->shape.radius);
    bool is_long = def->shape.kind == CDG_SHAPE_CAPSULE || def->shape.kind == CDG_SHAPE_CYLINDER;
    if (is_long && !is_size(def->shape.length))
        return cdg_fail(error, CDG_ERROR_ARGUMENT, "body '%s': its length is %g m; it must be positive", name,
                        def->shape.length);
    if (def->shape.kind == CDG_SHAPE_BOX &&
        !(is_size(def->shape.size.x) && is_size(def->shape.size.y) && is_size(def->shape.size.z)))
        return cdg_fail(error, CDG_ERROR_ARGUMENT,
                        "body '%s': its sides are %g, %g and %g m long; they must be positive", name, def->shape.size.x,
                        def->shape.size.y, def->shape.size.z);
    return CDG_OK;
}

static const double speed_max = 1e100; // m/s, rad/s: as for rods (CDG_SPEED_MAX)

static cdg_result check_motion(const cdg_body_def *def, const char *name, cdg_error *error) {
    double norm2 = quat_dot(def->shape.orientation, def->shape.orientation);
    if (!vec3_is_finite(def->shape.position) || !(norm2 > 0 && isfinite(norm2)))
        return cdg_fail(error, CDG_ERROR_ARGUMENT, "body '%s': position and orientation must be finite", name);
    if (!vec3_is_finite(def->velocity) || !vec3_is_finite(def->angular_velocity))
        return cdg_fail(error, CDG_ERROR_ARGUMENT, "body '%s': its velocities must be finite", name);
    if (!(vec3_norm(def->velocity) <= speed_max) || !(vec3_norm(def->angular_velocity) <= speed_max))
        return cdg_fail(error, CDG_ERROR_ARGUMENT,
                        "body '%s': its velocity is beyond %g m/s or rad/s, where its energy is no number", name,
                        speed_max);
    if (def->is_fixed && (vec3_norm(def->velocity) > 0 || vec3_norm(def->angular_velocity) > 0))
        return cdg_fail(error, CDG_ERROR_ARGUMENT,
                        "body '%s' is fixed and has a velocity; let it go, or prescribe a motion instead", name);
    if (!def->is_fixed && def->motion_count > 0)
        return cdg_fail(error, CDG_ERROR_ARGUMENT,
                        "body '%s' has a prescribed motion but is not fixed; a body either moves as prescribed or "
                        "freely",
                        name);
    if (isnan(def->friction) || def->friction > 1e6 || isnan(def->restitution) || def->restitution > 1)
        return cdg_fail(error, CDG_ERROR_ARGUMENT,
                        "body '%s': friction must be a finite coefficient and restitution at most 1", name);
    return CDG_OK;
}

// Mass and inertia: from density or mass and the shape, unless given.
static cdg_result find_mass(const cdg_body_def *def, const char *name, cdg_mass *out, cdg_error *error) {
    if (!(def->density >= 0) || !isfinite(def->density) || !(def->mass >= 0) || !isfinite(def->mass))
        return cdg_fail(error, CDG_ERROR_ARGUMENT,
                        "body '%s': density %g kg/m^3 and mass %g kg must be finite and not negative", name,
                        def->density, def->mass);
    if (def->density > 0 && def->mass > 0)
        return cdg_fail(error, CDG_ERROR_ARGUMENT, "body '%s' has a density and a mass; give one of them", name);
    if (!def->is_fixed && !(def->density > 0 || def->mass > 0))
        return cdg_fail(error, CDG_ERROR_ARGUMENT,
                        "body '%s' has no mass; give it a density or a mass, or let it be fixed", name);
    *out = cdg_shape_mass(def, 1);
    if (!(out->mass > 0) || !isfinite(out->mass))
        return cdg_fail(error, CDG_ERROR_ARGUMENT, "body '%s' has no volume, or too much to compute with", name);
    double scale = def->mass > 0 ? def->mass / out->mass : def->density > 0 ? def->density : 1;
    out->mass *= scale;
    out->inertia = symmetric3_scale(scale, out->inertia);
    cdg_vec3 own = def->inertia;
    if (!vec3_is_finite(own) || own.x < 0 || own.y < 0 || own.z < 0)
        return cdg_fail(error, CDG_ERROR_ARGUMENT, "body '%s': its inertia must be finite and not negative", name);
    if (own.x == 0 && own.y == 0 && own.z == 0) {
        double least = fmin(out->inertia.xx, fmin(out->inertia.yy, out->inertia.zz));
        if (least > 1e-200 && isfinite(symmetric3_trace(out->inertia)) && isfinite(out->mass)) return CDG_OK;
        return cdg_fail(error, CDG_ERROR_ARGUMENT, "body '%s' is too small or too large to compute with", name);
    }
    // A moment of inertia is a sum of squares over two of three directions, so none exceeds the sum of the others.
    double largest = fmax(own.x, fmax(own.y, own.z)), sum = own.x + own.y + own.z;
    if (!(own.x > 0 && own.y > 0 && own.z > 0) || 2 * largest > sum * (1 + 1e-9))
        return cdg_fail(error, CDG_ERROR_ARGUMENT,
                        "body '%s': no body has moments of inertia of %g, %g and %g kg m^2; each must be positive and "
                        "at most the sum of the other two",
                        name, own.x, own.y, own.z);
    out->inertia = symmetric3_diagonal(own);
    return CDG_OK;
}

// ---- extent ---------------------------------------------------------------------------------------------------------

static void find_extent(cdg_body *body) {
    const cdg_body_def *def = &body->def;
    double half = 0.5 * def->shape.length;
    switch (def->shape.kind) {
    case CDG_SHAPE_SPHERE: body->reach = body->thickness = def->shape.radius; return;
    case CDG_SHAPE_CAPSULE: body->reach = half + def->shape.radius, body->thickness = def->shape.radius; return;
    case CDG_SHAPE_CYLINDER:
        body->reach = hypot(half, def->shape.radius), body->thickness = fmin(half, def->shape.radius);
        return;
    case CDG_SHAPE_BOX:
        body->reach = 0.5 * vec3_norm(def->shape.size);
        body->thickness = 0.5 * fmin(def->shape.size.x, fmin(def->shape.size.y, def->shape.size.z));
        return;
    case CDG_SHAPE_MESH:
    default: break;
    }
    cdg_vec3 low = {HUGE_VAL, HUGE_VAL, HUGE_VAL}, high = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
    for (size_t i = 0; i < def->shape.mesh.point_count; i++) {
        cdg_vec3 at = def->shape.mesh.points[i];
        body->reach = fmax(body->reach, vec3_distance(at, body->mass.center));
        low = vec3(fmin(low.x, at.x), fmin(low.y, at.y), fmin(low.z, at.z));
        high = vec3(fmax(high.x, at.x), fmax(high.y, at.y), fmax(high.z, at.z));
    }
    body->thickness = 0.25 * fmin(high.x - low.x, fmin(high.y - low.y, high.z - low.z));
}

// ---- building -------------------------------------------------------------------------------------------------------

static void *copy_array(const void *array, size_t count, size_t size, bool *has_memory) {
    if (count == 0) return NULL;
    void *copy = malloc(count * size);
    if (copy != NULL) memcpy(copy, array, count * size);
    *has_memory = *has_memory && copy != NULL;
    return copy;
}

cdg_result cdg_body_build(const cdg_body_def *def, const char *name, cdg_body *out, cdg_error *error) {
    *out = (cdg_body){0};
    cdg_result result = check_shape(def, name, error);
    if (result == CDG_OK) result = check_motion(def, name, error);
    if (result == CDG_OK) result = find_mass(def, name, &out->mass, error);
    if (result != CDG_OK) return result;
    bool has_memory = true;
    out->def = *def;
    out->name = copy_array(name, strlen(name) + 1, 1, &has_memory);
    out->def.name = out->name;
    bool is_mesh = def->shape.kind == CDG_SHAPE_MESH;
    out->def.shape.mesh.points = copy_array(def->shape.mesh.points, is_mesh ? def->shape.mesh.point_count : 0,
                                            sizeof *def->shape.mesh.points, &has_memory);
    out->def.shape.mesh.triangles = copy_array(def->shape.mesh.triangles, is_mesh ? def->shape.mesh.triangle_count : 0,
                                               sizeof *def->shape.mesh.triangles, &has_memory);
    out->def.motions = copy_array(def->motions, def->motion_count, sizeof *def->motions, &has_memory);
    if (!has_memory) {
        cdg_body_free(out);
        return cdg_fail(error, CDG_ERROR_MEMORY, "no memory for body '%s'", name);
    }
    find_extent(out);
    out->inverse_inertia = symmetric3_inverse(out->mass.inertia);
    out->def.shape.orientation = quat_normalize(def->shape.orientation);
    cdg_body_place(out, def->shape.position, out->def.shape.orientation);
    out->now.v = out->now.move_rate = def->velocity;
    out->now.spin = symmetric3_times(cdg_body_world_inertia(out, out->now.q), def->angular_velocity);
    out->now.turn_rate = quat_rotate_inverse(out->now.q, def->angular_velocity);
    return CDG_OK;
}

void cdg_body_free(cdg_body *body) {
    free(body->name);
    free(body->def.shape.mesh.points);
    free(body->def.shape.mesh.triangles);
    free((void *)(uintptr_t)body->def.motions);
    *body = (cdg_body){0};
}

// ---- reading --------------------------------------------------------------------------------------------------------

cdg_vec3 cdg_body_origin(const cdg_body *body, const cdg_body_now *now) {
    return vec3_sub(now->x, quat_rotate(now->q, body->mass.center));
}

void cdg_body_place(cdg_body *body, cdg_vec3 origin, cdg_quat orientation) {
    body->now.q = orientation;
    body->now.x = vec3_add(origin, quat_rotate(orientation, body->mass.center));
}

symmetric3 cdg_body_world_inertia(const cdg_body *body, cdg_quat q) {
    symmetric3 i = body->mass.inertia;
    mat3 r = mat3_from_quat(q), own = {{{i.xx, i.xy, i.xz}, {i.xy, i.yy, i.yz}, {i.xz, i.yz, i.zz}}};
    mat3 turned = mat3_multiply(mat3_multiply(r, own), mat3_transpose(r));
    return (symmetric3){turned.m[0][0], turned.m[0][1], turned.m[0][2], turned.m[1][1], turned.m[1][2], turned.m[2][2]};
}

cdg_vec3 cdg_body_angular_velocity(const cdg_body *body, cdg_quat q, cdg_vec3 spin) {
    return quat_rotate(q, symmetric3_times(body->inverse_inertia, quat_rotate_inverse(q, spin)));
}

double cdg_body_kinetic_energy(const cdg_body *body) {
    const cdg_body_now *now = &body->now;
    double turning = vec3_dot(now->spin, cdg_body_angular_velocity(body, now->q, now->spin));
    return body->def.is_fixed ? 0 : 0.5 * (body->mass.mass * vec3_dot(now->v, now->v) + turning);
}
