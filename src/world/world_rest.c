// Changing what rods and surfaces are between steps: the shape at rest, and friction.
#include "base/error.h"
#include "world/world.h"

#include <math.h>

// ---- shape at rest --------------------------------------------------------------------------------------------------

static double energy_of(const cdg_world *world, const cdg_rod *rod) {
    cdg_energy energy;
    cdg_rod_measure_energy(rod, world->def.gravity, &energy);
    return energy.total;
}

// The energy that a new rest shape gives a rod is work from outside. Where the energy guard does not count strains, it
// cannot tell when that energy becomes motion.
static void book_work(cdg_world *world, world_rod *entry, double work) {
    if (!world->has_started) return;
    const cdg_rod *rod = entry->rod;
    bool is_trusted =
        rod->model->measures.strain_trust == NULL || rod->model->measures.strain_trust(rod) == CDG_STRAIN_TRUE;
    world->external_work += work;
    world->guard.work += fabs(work);
    if (is_trusted) entry->energy += work;
    if (!is_trusted) world->guard.doubt += fabs(work);
}

static bool is_joined(const cdg_world *world, uint32_t index) {
    for (size_t j = 0; j < world->joint_count; j++)
        for (size_t m = 0; m < world->joints[j].count; m++)
            if (world->joints[j].members[m].rod == index) return true;
    return false;
}

// Where others join a rod between its ends, the springs that complete its cell have the cell's rest turn
// (rods/net_pairs.h). Steps become as short as the net needs.
static cdg_result renew_nets(cdg_world *world) {
    double before = world->has_started ? cdg_joints_energy(world, false) : 0;
    world->nets_are_old = true;
    world_renew(world);
    cdg_result result = cdg_joints_form_nets(world);
    if (result != CDG_OK || !world->has_started) return result;
    double work = cdg_joints_energy(world, false) - before;
    world->external_work += work;
    world->guard.work += fabs(work);
    return CDG_OK;
}

cdg_result cdg_rod_set_rest_curvature(cdg_world *world, cdg_rod_id id, const cdg_vec3 *curvatures) {
    if (world == NULL) return CDG_ERROR_ARGUMENT;
    cdg_error_clear(&world->error);
    cdg_rod *rod = cdg_world_get_rod(world, id);
    if (rod == NULL) return cdg_fail(&world->error, CDG_ERROR_STALE, "the rod no longer exists");
    bool had_one = rod->has_one_turn, had_equal = rod->has_equal_turns;
    double before = world->has_started ? energy_of(world, rod) : 0;
    cdg_result result = cdg_rod_set_rest_darboux(rod, curvatures, &world->error);
    if (result != CDG_OK) return result;
    if (world->has_started) book_work(world, &world->rods[id.index1 - 1], energy_of(world, rod) - before);
    if (rod->has_one_turn != had_one || rod->has_equal_turns != had_equal) world->scratch_size = 0; // other teams
    return is_joined(world, id.index1 - 1) ? renew_nets(world) : CDG_OK;
}

cdg_result cdg_rod_rest_curvature(const cdg_world *world, cdg_rod_id id, cdg_vec3 *out) {
    if (world == NULL || out == NULL) return CDG_ERROR_ARGUMENT;
    const cdg_rod *rod = cdg_world_get_rod(world, id);
    if (rod == NULL) return CDG_ERROR_STALE;
    cdg_rod_rest_darboux(rod, out);
    return CDG_OK;
}

static cdg_result check_length(cdg_world *world, const cdg_rod *rod, uint32_t index, double length) {
    if (!(length > 0 && isfinite(length)))
        return cdg_fail(&world->error, CDG_ERROR_ARGUMENT,
                        "rod '%s': a rest length must be positive and finite, not %g", rod->name, length);
    if (is_joined(world, index))
        return cdg_fail(&world->error, CDG_ERROR_UNSUPPORTED,
                        "rod '%s' is joined to others: the rest length of rods in nets cannot be changed in this "
                        "version; let a support or a load pull it",
                        rod->name);
    return rod->model->check_rest_length != NULL ? rod->model->check_rest_length(rod, &world->error) : CDG_OK;
}

cdg_result cdg_rod_set_rest_length(cdg_world *world, cdg_rod_id id, double length) {
    if (world == NULL) return CDG_ERROR_ARGUMENT;
    cdg_error_clear(&world->error);
    cdg_rod *rod = cdg_world_get_rod(world, id);
    if (rod == NULL) return cdg_fail(&world->error, CDG_ERROR_STALE, "the rod no longer exists");
    cdg_result result = check_length(world, rod, id.index1 - 1, length);
    if (result != CDG_OK) return result;
    double before = world->has_started ? energy_of(world, rod) : 0;
    cdg_rod_scale_rest_length(rod, length / rod->length);
    rod->length = length;
    if (world->has_started) book_work(world, &world->rods[id.index1 - 1], energy_of(world, rod) - before);
    if (world_has_contact(world)) world_renew(world); // contact keeps arc lengths
    return CDG_OK;
}

// ---- friction -------------------------------------------------------------------------------------------------------

static cdg_result check_friction(cdg_world *world, double friction) {
    if (friction < 1e6) return CDG_OK; // negative: that of the world
    return cdg_fail(&world->error, CDG_ERROR_ARGUMENT, "the friction coefficient is %g; it must be below 1e6",
                    friction);
}

cdg_result cdg_obstacle_set_friction(cdg_world *world, cdg_obstacle_id id, double friction) {
    if (world == NULL) return CDG_ERROR_ARGUMENT;
    cdg_error_clear(&world->error);
    cdg_obstacle *obstacle = cdg_world_get_obstacle(world, id);
    if (obstacle == NULL) return cdg_fail(&world->error, CDG_ERROR_STALE, "the obstacle no longer exists");
    cdg_result result = check_friction(world, friction);
    if (result != CDG_OK) return result;
    obstacle->def.friction = friction;
    return CDG_OK;
}

cdg_result cdg_body_set_friction(cdg_world *world, cdg_body_id id, double friction) {
    if (world == NULL) return CDG_ERROR_ARGUMENT;
    cdg_error_clear(&world->error);
    size_t index = WORLD_INDEX(world, WORLD_BODIES, id);
    if (index == SIZE_MAX) return cdg_fail(&world->error, CDG_ERROR_STALE, "the body no longer exists");
    cdg_result result = check_friction(world, friction);
    if (result != CDG_OK) return result;
    world->bodies[index].def.friction = friction;
    cdg_rigids_set_friction(world, index);
    return CDG_OK;
}
