// Hands on solids: as on rods (grip.c), with the nodes about a place of the solid instead of the two beside one.
#include "world/solid_grip.h"

#include "base/error.h"
#include "solids/solid_model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double reach = 1.5;       // of the mean edge: how far about its place a hand takes hold
static const double rest_share = 1e-3; // of the reach: what a node at its rim counts at least

// ---- taking hold ----------------------------------------------------------------------------------------------------

static double distance_of(const cdg_solid *solid, size_t node, cdg_vec3 position) {
    return vec3_distance(solid_vec3(solid->rest, node), position);
}

// The nodes within reach of the place, at least the nearest; those near it count more.
static cdg_result find_nodes(cdg_world *world, const cdg_solid *solid, world_grip *grip) {
    double nearest = INFINITY, sum = 0;
    for (size_t i = 0; i < solid->node_count; i++)
        nearest = fmin(nearest, distance_of(solid, i, grip->def.place.point));
    double radius = fmax(reach * solid->mean_edge, 1.01 * nearest + rest_share * solid->mean_edge);
    grip->solid_nodes = calloc(solid->node_count, sizeof *grip->solid_nodes);
    grip->solid_shares = calloc(solid->node_count, sizeof *grip->solid_shares);
    if (grip->solid_nodes == NULL || grip->solid_shares == NULL)
        return cdg_fail(&world->error, CDG_ERROR_MEMORY, "no memory for a grip");
    for (size_t i = 0; i < solid->node_count; i++) {
        double d = distance_of(solid, i, grip->def.place.point) / radius;
        if (!(d < 1)) continue;
        grip->solid_nodes[grip->solid_node_count] = (uint32_t)i;
        grip->solid_shares[grip->solid_node_count] = 1 - d * d + rest_share;
        sum += grip->solid_shares[grip->solid_node_count++];
    }
    for (size_t i = 0; i < grip->solid_node_count; i++) grip->solid_shares[i] /= sum;
    return CDG_OK;
}

cdg_result cdg_solid_grip_aim(cdg_world *world, world_grip *grip) {
    world_solid *entry = cdg_world_get_solid(world, grip->def.place.solid);
    if (entry == NULL) return cdg_fail(&world->error, CDG_ERROR_STALE, "the solid no longer exists");
    cdg_solid *solid = &entry->solid;
    cdg_place *place = &grip->def.place; // from here on by where it was
    if (place->kind == CDG_PLACE_NODE && place->index < solid->node_count)
        place->point = solid_vec3(solid->rest, place->index), place->kind = CDG_PLACE_POINT;
    if (place->kind != CDG_PLACE_POINT || place->body.index1 != 0)
        return cdg_fail(&world->error, CDG_ERROR_ARGUMENT,
                        "solid '%s' is gripped at a point of it (cdg_solid_point) or at one of its %zu nodes",
                        solid->name, solid->node_count);
    if (solid->model->predict != NULL) // it does not see that nodes become heavier
        return cdg_fail(
            &world->error, CDG_ERROR_UNSUPPORTED,
            "solid '%s' has steps of its own model and cannot be gripped; those of neo_hookean, corotational "
            "and mass_spring can",
            solid->name);
    grip->solid = entry;
    grip->object = CDG_NO_INDEX - 1; // of no rod
    grip->is_sampled = !solid_is_implicit(solid);
    if (entry->own_mass == NULL) {
        entry->own_mass = malloc(solid->node_count * sizeof *entry->own_mass);
        if (entry->own_mass == NULL) return cdg_fail(&world->error, CDG_ERROR_MEMORY, "no memory for a grip");
        memcpy(entry->own_mass, solid->mass, solid->node_count * sizeof *entry->own_mass);
    }
    return find_nodes(world, solid, grip);
}

void cdg_solid_grip_free(world_grip *grip) {
    free(grip->solid_nodes);
    free(grip->solid_shares);
}

// What pulls an edge's length about the place to twice itself.
double cdg_solid_grip_limit(const world_grip *grip) {
    const cdg_solid *solid = &grip->solid->solid;
    double width = 2 * reach * solid->mean_edge;
    return solid->def.young_modulus * width * width;
}

double cdg_solid_grip_mass(const world_grip *grip) { return grip->solid->solid.total_mass; }

// Of a triangle, the weights of its corners at the point that is nearest to p; the distance is returned.
static double nearest_on(const cdg_vec3 x[3], cdg_vec3 p, double weights[3]) {
    cdg_vec3 u = vec3_sub(x[1], x[0]), v = vec3_sub(x[2], x[0]), d = vec3_sub(p, x[0]);
    double uu = vec3_dot(u, u), uv = vec3_dot(u, v), vv = vec3_dot(v, v), du = vec3_dot(d, u), dv = vec3_dot(d, v);
    double square = uu * vv - uv * uv;
    double s = square > 0 ? (vv * du - uv * dv) / square : 0, t = square > 0 ? (uu * dv - uv * du) / square : 0;
    weights[0] = fmax(1 - s - t, 0), weights[1] = fmax(s, 0), weights[2] = fmax(t, 0);
    double sum = weights[0] + weights[1] + weights[2];
    cdg_vec3 at = vec3(0, 0, 0);
    for (int k = 0; k < 3; k++) at = vec3_mad(at, weights[k] /= sum, x[k]);
    return vec3_distance(at, p);
}

cdg_vec3 cdg_solid_rest_point(const struct world_solid *entry, cdg_vec3 point) {
    const cdg_solid *solid = &entry->solid;
    double nearest = INFINITY;
    cdg_vec3 rest = point;
    for (size_t f = 0; f < solid->surface_count; f++) {
        cdg_vec3 x[3];
        double weights[3];
        for (int k = 0; k < 3; k++) x[k] = solid_vec3(solid->x, solid->surface[f][k]);
        double distance = nearest_on(x, point, weights);
        if (!(distance < nearest)) continue;
        nearest = distance;
        rest = vec3(0, 0, 0);
        for (int k = 0; k < 3; k++) rest = vec3_mad(rest, weights[k], solid_vec3(solid->rest, solid->surface[f][k]));
    }
    return rest;
}

// ---- holding --------------------------------------------------------------------------------------------------------

static cdg_vec3 mean(const world_grip *grip, double *const a[3]) {
    cdg_vec3 sum = vec3(0, 0, 0);
    for (size_t i = 0; i < grip->solid_node_count; i++)
        sum = vec3_mad(sum, grip->solid_shares[i], solid_vec3(a, grip->solid_nodes[i]));
    return sum;
}

cdg_vec3 cdg_solid_grip_point(const world_grip *grip) { return mean(grip, grip->solid->solid.x); }
cdg_vec3 cdg_solid_grip_velocity(const world_grip *grip) { return mean(grip, grip->solid->solid.v); }

void cdg_solid_grips_set_masses(const cdg_world *world, struct world_solid *entry) {
    cdg_solid *solid = &entry->solid;
    if (entry->own_mass == NULL) return;
    memcpy(solid->mass, entry->own_mass, solid->node_count * sizeof *solid->mass);
    for (size_t g = 0; g < world->grip_count; g++) {
        const world_grip *grip = &world->grips[g];
        if (!grip->is_holding || grip->solid != entry) continue;
        double added = cdg_grip_added_mass(grip);
        for (size_t i = 0; i < grip->solid_node_count; i++)
            solid->mass[grip->solid_nodes[i]] += added * grip->solid_shares[i];
    }
}

void cdg_solid_grips_apply(const cdg_world *world, struct world_solid *entry, double step) {
    cdg_solid *solid = &entry->solid;
    for (size_t g = 0; entry->own_mass != NULL && g < world->grip_count; g++) {
        const world_grip *grip = &world->grips[g];
        if (!grip->is_holding || grip->solid != entry) continue;
        cdg_vec3 spring = cdg_grip_spring(grip, cdg_solid_grip_point(grip));
        double drag = grip->stiffness * step + grip->damping, added = cdg_grip_added_mass(grip);
        for (size_t i = 0; i < grip->solid_node_count; i++) {
            size_t node = grip->solid_nodes[i];
            cdg_vec3 velocity = grip->is_sampled ? grip->velocity : solid_vec3(solid->v, node);
            cdg_vec3 force = vec3_mad(vec3_mad(spring, -drag, velocity), -added, world->def.gravity);
            force = vec3_mad(solid_vec3(solid->force, node), grip->solid_shares[i], force);
            solid_set_vec3(solid->force, node, force);
        }
    }
}
