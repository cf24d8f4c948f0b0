// From a mesh and a material to a solid in memory.
#include "base/error.h"
#include "solids/nodal_pressure.h"
#include "solids/solid_model.h"
#include "solids/solid_system.h"
#include "solids/volume_floor.h"

#include <stdlib.h>
#include <string.h>

cdg_shape_matching_def cdg_shape_matching_def_default(void) {
    return (cdg_shape_matching_def){.relaxation_time = 0.01, .damping_ratio = 1, .cluster_overlap = 0.25};
}

cdg_mass_spring_def cdg_mass_spring_def_default(void) { return (cdg_mass_spring_def){0, 0, 0}; }

cdg_solid_def cdg_solid_def_default(void) {
    return (cdg_solid_def){.orientation = {1, 0, 0, 0},
                           .scale = 1,
                           .young_modulus = 1e6,
                           .poisson_ratio = 0.4,
                           .density = 1000,
                           .volume_barrier = CDG_VOLUME_BARRIER_AUTO,
                           .shape_matching = cdg_shape_matching_def_default(),
                           .mass_spring = cdg_mass_spring_def_default()};
}

static cdg_result check(const cdg_solid_def *d, const char *name, cdg_error *error) {
    if (cdg_solid_model_get(d->model) == NULL)
        return cdg_fail(error, CDG_ERROR_ARGUMENT, "solid '%s': there is no model number %d", name, (int)d->model);
    if ((int)d->integrator < 0 || d->integrator >= CDG_SOLID_INTEGRATOR_COUNT)
        return cdg_fail(error, CDG_ERROR_ARGUMENT, "solid '%s': there is no integrator number %d", name,
                        (int)d->integrator);
    if ((int)d->pressure < 0 || d->pressure >= CDG_SOLID_PRESSURE_COUNT)
        return cdg_fail(error, CDG_ERROR_ARGUMENT, "solid '%s': there is no pressure number %d", name,
                        (int)d->pressure);
    if (!(d->young_modulus > 0) || !isfinite(d->young_modulus))
        return cdg_fail(error, CDG_ERROR_ARGUMENT, "solid '%s': Young's modulus is %g Pa; it must be positive", name,
                        d->young_modulus);
    if (!(d->poisson_ratio > -1 && d->poisson_ratio < 0.5))
        return cdg_fail(error, CDG_ERROR_ARGUMENT, "solid '%s': Poisson's ratio is %g; it must lie between -1 and 0.5",
                        name, d->poisson_ratio);
    if (!(d->density > 0) || !isfinite(d->density))
        return cdg_fail(error, CDG_ERROR_ARGUMENT, "solid '%s': the density is %g kg/m^3; it must be positive", name,
                        d->density);
    if (!(d->damping_time >= 0) || !isfinite(d->damping_time))
        return cdg_fail(error, CDG_ERROR_ARGUMENT, "solid '%s': the damping time is %g s; it cannot be negative", name,
                        d->damping_time);
    if (!(d->volume_barrier >= 0 && d->volume_barrier < 1) && d->volume_barrier != CDG_VOLUME_BARRIER_AUTO)
        return cdg_fail(error, CDG_ERROR_ARGUMENT, "solid '%s': the volume barrier is %g; it must be from 0 to below 1",
                        name, d->volume_barrier);
    if (d->volume_barrier > 0 && d->model == CDG_SOLID_SHAPE_MATCHING)
        return cdg_fail(error, CDG_ERROR_ARGUMENT,
                        "solid '%s': shape_matching has no volume barrier; take another model, or leave it out", name);
    const double most_explicit = 0.5;
    if (d->volume_barrier > most_explicit && (d->integrator == CDG_SOLID_EXPLICIT || d->model == CDG_SOLID_MASS_SPRING))
        return cdg_fail(error, CDG_ERROR_ARGUMENT,
                        "solid '%s': the volume barrier is %g; explicit solids, which never come below it, take %g at "
                        "most",
                        name, d->volume_barrier, most_explicit);
    if (!(d->scale > 0) || !isfinite(d->scale))
        return cdg_fail(error, CDG_ERROR_ARGUMENT, "solid '%s': the scale is %g; it must be positive", name, d->scale);
    double norm2 = quat_dot(d->orientation, d->orientation);
    if (!vec3_is_finite(d->position) || !(norm2 > 0 && isfinite(norm2)) || !vec3_is_finite(d->velocity) ||
        !vec3_is_finite(d->angular_velocity))
        return cdg_fail(error, CDG_ERROR_ARGUMENT, "solid '%s': position, orientation and velocity must be finite",
                        name);
    if (d->mesh.points == NULL || d->mesh.tetrahedra == NULL || d->mesh.tetrahedron_count == 0)
        return cdg_fail(error, CDG_ERROR_ARGUMENT, "solid '%s': the mesh has no tetrahedra", name);
    if (d->mesh.tetrahedron_count > UINT32_MAX / 64 || d->mesh.point_count > UINT32_MAX / 64)
        return cdg_fail(error, CDG_ERROR_ARGUMENT, "solid '%s': the mesh has more tetrahedra than fit", name);
    return CDG_OK;
}

static cdg_result check_mesh(const cdg_mesh *mesh, const char *name, cdg_error *error) {
    cdg_mesh_faults faults;
    cdg_result result = cdg_mesh_check(mesh, &faults, error);
    if (result != CDG_OK) return result;
#define REFUSE(fault, text)                                                                                            \
    if (faults.fault.count > 0)                                                                                        \
        return cdg_fail(error, CDG_ERROR_ARGUMENT, "solid '%s': the mesh has %zu %s (the first has index %u)", name,   \
                        faults.fault.count, text, (unsigned)faults.fault.first);
    CDG_MESH_FAULT_LIST(REFUSE)
#undef REFUSE
    return CDG_OK;
}

// ---- memory ---------------------------------------------------------------------------------------------------------

typedef struct taken_block {
    double *base; // NULL: only counted
    size_t used;
} taken_block;

static double *take(taken_block *next, size_t count) {
    double *taken = next->base != NULL ? next->base + next->used : NULL;
    next->used += (count + 7) / 8 * 8;
    return taken;
}

// The volume barrier of an explicit solid: a share of volumes at rest; 0: none.
static double floor_of(const cdg_solid *s) {
    const double usual = 0.1;
    if (s->def.integrator != CDG_SOLID_EXPLICIT || s->model->predict != NULL) return 0;
    return s->def.volume_barrier == CDG_VOLUME_BARRIER_AUTO ? usual : s->def.volume_barrier;
}

static void place_arrays(cdg_solid *s, taken_block *next) {
    size_t n = s->node_count, t = s->slot_count;
    for (int k = 0; k < 9; k++) s->shape[k] = take(next, t);
    s->volume = take(next, t);
    s->mass = take(next, n);
    double **triples[] = {s->rest,   s->x,     s->v,     s->x_next,   s->v_next,
                          s->target, s->force, s->touch, s->reaction, s->inner_force};
    for (size_t a = 0; a < sizeof triples / sizeof *triples; a++)
        for (int k = 0; k < 3; k++) triples[a][k] = take(next, n);
    if (s->def.integrator == CDG_SOLID_BDF2)
        for (int k = 0; k < 3; k++) s->x_before[k] = take(next, n), s->v_before[k] = take(next, n);
    if (s->model->keeps_rotation)
        for (int k = 0; k < 4; k++) s->turned[k] = s->rotation[k] = take(next, t);
    s->slot_force = take(next, 12 * t);
    s->part_energy = take(next, solid_part_count(s));
    if (cdg_solid_may_look_ahead(s)) {
        for (int k = 0; k < 3; k++) s->ahead.x[k] = take(next, n), s->ahead.v[k] = take(next, n);
        for (int k = 0; k < 4; k++) s->ahead.rotation[k] = take(next, t);
    }
    if (s->bulk > 0) s->node_volume = take(next, n), s->node_pressure = take(next, n);
    if (s->bulk > 0 || floor_of(s) > 0) s->slot_volume = take(next, t);
}

static bool allocate(cdg_solid *s) {
    taken_block next = {0};
    place_arrays(s, &next);
    size_t count = next.used;
    s->block = aligned_alloc(64, count * sizeof(double));
    s->tetrahedra = malloc(s->tetrahedron_count * sizeof *s->tetrahedra);
    uint32_t *corners = malloc(4 * s->slot_count * sizeof *corners);
    for (int k = 0; k < 4; k++) s->corner[k] = corners != NULL ? corners + (size_t)k * s->slot_count : NULL;
    s->first_use = calloc(s->node_count + 2, sizeof *s->first_use);
    s->use = malloc(4 * s->tetrahedron_count * sizeof *s->use);
    s->is_held = calloc(s->node_count, sizeof *s->is_held);
    if (s->block == NULL || s->tetrahedra == NULL || corners == NULL || s->first_use == NULL || s->use == NULL ||
        s->is_held == NULL)
        return false;
    memset(s->block, 0, count * sizeof(double));
    next = (taken_block){.base = s->block};
    place_arrays(s, &next);
    double floor = floor_of(s);
    s->def.volume_barrier = solid_is_implicit(s) && s->def.volume_barrier > 0 ? s->def.volume_barrier : 0;
    if (floor > 0 && !cdg_volume_floor_build(s, floor)) return false;
    return true;
}

void cdg_solid_free(cdg_solid *s) {
    if (s == NULL) return;
    cdg_solid_system_free(s->system);
    cdg_volume_floor_free(s);
    if (s->own != NULL) s->model->free(s);
    free(s->name);
    free(s->block);
    free(s->tetrahedra);
    free(s->corner[0]);
    free(s->first_use);
    free(s->use);
    free(s->surface);
    free(s->is_held);
    *s = (cdg_solid){0};
}

// ---- constants ------------------------------------------------------------------------------------------------------

static void list_uses(cdg_solid *s) {
    for (size_t t = 0; t < s->tetrahedron_count; t++)
        for (int c = 0; c < 4; c++) s->first_use[s->tetrahedra[t][c] + 2]++;
    for (size_t i = 0; i < s->node_count; i++) s->first_use[i + 2] += s->first_use[i + 1];
    for (size_t t = 0; t < s->tetrahedron_count; t++)
        for (int c = 0; c < 4; c++) s->use[s->first_use[s->tetrahedra[t][c] + 1]++] = (uint32_t)(4 * t) + (uint32_t)c;
}

// Gradients of a tetrahedron's corners at rest, row by row the inverse of its edges; returns its volume.
static double invert_edges(const cdg_vec3 p[4], double out[9]) {
    cdg_vec3 a = vec3_sub(p[1], p[0]), b = vec3_sub(p[2], p[0]), c = vec3_sub(p[3], p[0]);
    double det = vec3_dot(vec3_cross(a, b), c);
    cdg_vec3 rows[3] = {vec3_cross(b, c), vec3_cross(c, a), vec3_cross(a, b)};
    for (int j = 0; j < 3; j++) {
        out[3 * j] = rows[j].x / det;
        out[3 * j + 1] = rows[j].y / det;
        out[3 * j + 2] = rows[j].z / det;
    }
    return det / 6;
}

// Largest of |K u|/|u| for the element's stiffness at rest K, by repeated multiplication, with what the start missed.
static double largest_stiffness(const cdg_solid *s, const double shape[9], double volume) {
    double g[4][3], u[4][3], largest = 0;
    for (int k = 0; k < 3; k++) {
        for (int j = 0; j < 3; j++) g[j + 1][k] = shape[3 * j + k];
        g[0][k] = -(g[1][k] + g[2][k] + g[3][k]);
    }
    for (int c = 0; c < 4; c++)
        for (int k = 0; k < 3; k++) u[c][k] = g[c][k] + 0.1 * g[(c + 1) % 4][(k + 1) % 3];
    for (int iteration = 0; iteration < 12; iteration++) {
        double norm = 0, e[3][3] = {{0}}, size = 0;
        for (int c = 0; c < 4; c++)
            for (int k = 0; k < 3; k++) norm += u[c][k] * u[c][k];
        norm = 1 / sqrt(norm);
        for (int c = 0; c < 4; c++)
            for (int i = 0; i < 3; i++)
                for (int k = 0; k < 3; k++) e[i][k] += 0.5 * norm * (u[c][i] * g[c][k] + u[c][k] * g[c][i]);
        // averages over nodes resist less than elements would with the same modulus
        double trace = (s->lambda + s->bulk) * (e[0][0] + e[1][1] + e[2][2]);
        for (int c = 0; c < 4; c++)
            for (int i = 0; i < 3; i++) {
                double force = trace * g[c][i];
                for (int k = 0; k < 3; k++) force += 2 * s->mu * e[i][k] * g[c][k];
                u[c][i] = volume * force;
                size += u[c][i] * u[c][i];
            }
        largest = sqrt(size);
    }
    return 1.05 * largest;
}

static void build_elements(cdg_solid *s) {
    double edges = 0;
    s->shortest_edge = INFINITY;
    for (size_t slot = 0; slot < s->slot_count; slot++) {
        size_t t = slot < s->tetrahedron_count ? slot : s->tetrahedron_count - 1;
        cdg_vec3 p[4];
        double shape[9];
        for (int c = 0; c < 4; c++) {
            s->corner[c][slot] = s->tetrahedra[t][c];
            p[c] = solid_vec3(s->rest, s->tetrahedra[t][c]);
        }
        double volume = invert_edges(p, shape);
        for (int k = 0; k < 9; k++) s->shape[k][slot] = shape[k];
        if (s->rotation[0] != NULL) s->rotation[0][slot] = 1;
        if (slot >= s->tetrahedron_count) continue;
        s->volume[slot] = volume;
        s->rest_volume += volume;
        for (int c = 0; c < 4; c++) s->mass[s->tetrahedra[t][c]] += s->def.density * volume / 4;
        for (int c = 0; c < 4 && s->bulk > 0; c++) s->node_volume[s->tetrahedra[t][c]] += volume / 4;
        double rate2 = largest_stiffness(s, shape, volume) / (s->def.density * volume / 4);
        s->largest_rate = fmax(s->largest_rate, sqrt(rate2));
        for (int a = 0; a < 4; a++)
            for (int b = 0; b < a; b++) {
                double length = vec3_distance(p[a], p[b]);
                s->shortest_edge = fmin(s->shortest_edge, length);
                edges += length;
            }
    }
    s->mean_edge = edges / (6 * (double)s->tetrahedron_count);
    s->total_mass = s->def.density * s->rest_volume;
}

// Velocities of a rigid motion about the centre of mass.
static void start_moving(cdg_solid *s) {
    cdg_vec3 sum = vec3(0, 0, 0);
    for (size_t i = 0; i < s->node_count; i++) sum = vec3_mad(sum, s->mass[i], solid_vec3(s->x, i));
    cdg_vec3 center = vec3_scale(1 / s->total_mass, sum);
    for (size_t i = 0; i < s->node_count; i++) {
        cdg_vec3 turn = vec3_cross(s->def.angular_velocity, vec3_sub(solid_vec3(s->x, i), center));
        solid_set_vec3(s->v, i, vec3_add(s->def.velocity, turn));
    }
}

static cdg_result find_surface(cdg_solid *s, const cdg_mesh *mesh, cdg_error *error) {
    cdg_mesh surface;
    uint32_t *source = NULL;
    cdg_result result = cdg_mesh_boundary(mesh, &surface, &source, error);
    if (result != CDG_OK) return result;
    s->surface_count = surface.triangle_count;
    s->surface = malloc((surface.triangle_count + 1) * sizeof *s->surface);
    for (size_t i = 0; i < surface.triangle_count && s->surface != NULL; i++)
        for (int k = 0; k < 3; k++) s->surface[i][k] = source[surface.triangles[i][k]];
    cdg_mesh_free(&surface);
    free(source);
    return s->surface != NULL ? CDG_OK : CDG_ERROR_MEMORY;
}

static cdg_result fill(cdg_solid *s, const cdg_solid_def *def, cdg_error *error) {
    cdg_quat turn = quat_normalize(def->orientation);
    memcpy(s->tetrahedra, def->mesh.tetrahedra, s->tetrahedron_count * sizeof *s->tetrahedra);
    for (size_t i = 0; i < s->node_count; i++) {
        cdg_vec3 at = vec3_add(def->position, quat_rotate(turn, vec3_scale(def->scale, def->mesh.points[i])));
        if (!vec3_is_finite(at))
            return cdg_fail(error, CDG_ERROR_ARGUMENT, "solid '%s': point %zu of the mesh lands beyond all numbers",
                            s->name, i);
        solid_set_vec3(s->rest, i, at);
        solid_set_vec3(s->x, i, at);
        solid_set_vec3(s->target, i, at);
    }
    list_uses(s);
    build_elements(s);
    if (!isfinite(s->largest_rate) || !(s->rest_volume > 0) || !isfinite(s->total_mass))
        return cdg_fail(error, CDG_ERROR_ARGUMENT,
                        "solid '%s': its size, density and stiffness are too far apart for numbers", s->name);
    start_moving(s);
    for (int k = 0; k < 3; k++) {
        memcpy(s->x_next[k], s->x[k], s->node_count * sizeof(double));
        memcpy(s->v_next[k], s->v[k], s->node_count * sizeof(double));
    }
    cdg_result result = find_surface(s, &def->mesh, error);
    if (result == CDG_OK && s->def.integrator != CDG_SOLID_EXPLICIT) result = cdg_solid_system_build(s, error);
    if (result == CDG_OK && s->model->build != NULL) result = s->model->build(s, error);
    return result;
}

cdg_result cdg_solid_build(const cdg_solid_def *def, const char *name, cdg_solid *out, cdg_error *error) {
    *out = (cdg_solid){0};
    cdg_result result = check(def, name, error);
    if (result == CDG_OK) result = check_mesh(&def->mesh, name, error);
    if (result != CDG_OK) return result;
    cdg_solid *s = out;
    s->def = *def;
    s->def.name = NULL;
    s->def.mesh = (cdg_mesh){0};
    s->model = cdg_solid_model_get(def->model);
    if (s->model->curvature == NULL) s->def.integrator = CDG_SOLID_EXPLICIT;
    s->mu = def->young_modulus / (2 * (1 + def->poisson_ratio));
    s->lambda = def->young_modulus * def->poisson_ratio / ((1 + def->poisson_ratio) * (1 - 2 * def->poisson_ratio));
    cdg_nodal_pressure_divide(s);
    s->node_count = def->mesh.point_count;
    s->tetrahedron_count = def->mesh.tetrahedron_count;
    s->group_count = (s->tetrahedron_count + SOLID_GROUP - 1) / SOLID_GROUP;
    s->slot_count = SOLID_GROUP * s->group_count;
    size_t length = strlen(name) + 1;
    s->name = malloc(length);
    if (s->name != NULL) memcpy(s->name, name, length);
    if (s->name == NULL || !allocate(s))
        result = cdg_fail(error, CDG_ERROR_MEMORY, "no memory for solid '%s'", name);
    else
        result = fill(s, def, error);
    if (result == CDG_ERROR_MEMORY) cdg_fail(error, CDG_ERROR_MEMORY, "no memory for solid '%s'", name);
    if (result != CDG_OK) cdg_solid_free(s);
    return result;
}
