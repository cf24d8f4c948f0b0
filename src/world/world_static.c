// Equilibria of the world's rods, and vibrations about them: supports and loads as they are at the world's time, handed
// to the rods' models.
#include "base/error.h"
#include "math/vec3.h"
#include "world/world.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct load_memory {
    cdg_rod_loads loads;
    double *block;
    cdg_world *world;
    uint32_t index;
} load_memory;

static bool open_loads(load_memory *m, cdg_world *world, uint32_t index) {
    const cdg_rod *rod = world->rods[index].rod;
    *m = (load_memory){.loads = {.gravity = world->def.gravity}, .world = world, .index = index};
    m->block = calloc(3 * (rod->node_count + rod->element_count), sizeof(double));
    if (m->block == NULL) return false;
    for (size_t k = 0; k < 3; k++) {
        m->loads.force[k] = m->block + k * rod->node_count;
        m->loads.torque[k] = m->block + 3 * rod->node_count + k * rod->element_count;
    }
    return true;
}

// The step divides nothing here: winds are at their full force.
static void reload(void *user, const cdg_rod *rod, const cdg_rod_loads *loads) {
    const load_memory *m = user;
    (void)rod;
    cdg_loads_apply(m->world, m->index, m->world->time, 0, loads);
}

static void rest(cdg_rod *rod) {
    for (int k = 0; k < 3; k++) {
        memset(rod->v[k], 0, rod->node_count * sizeof(double));
        memset(rod->w[k], 0, rod->element_count * sizeof(double));
    }
    rod->has_history = false;
}

// Which models can find equilibria, for messages.
static const char *list_models(char *out, size_t size) {
    size_t used = 0;
    out[0] = '\0';
    for (int i = 0; i < CDG_MODEL_COUNT; i++) {
        const cdg_rod_model *model = cdg_rod_model_get((cdg_model)i);
        if (model->find_equilibrium != NULL && used < size)
            used += (size_t)snprintf(out + used, size - used, "%s%s", used > 0 ? ", " : "", model->name);
    }
    return out;
}

static cdg_result refuse(cdg_world *world, const cdg_rod *rod, const char *what) {
    char models[128];
    return cdg_fail(&world->error, CDG_ERROR_UNSUPPORTED, "rod '%s': model '%s' has no %s; models that have: %s",
                    rod->name, rod->model->name, what, list_models(models, sizeof models));
}

static cdg_result settle_rod(cdg_world *world, uint32_t index, cdg_rod_equilibrium *out) {
    cdg_rod *rod = world->rods[index].rod;
    load_memory m;
    if (!open_loads(&m, world, index))
        return cdg_fail(&world->error, CDG_ERROR_MEMORY, "rod '%s': no memory for its loads", rod->name);
    rest(rod);
    cdg_supports_drive(world, index, world->time);
    reload(&m, rod, &m.loads);
    cdg_error error = {0};
    cdg_result result = rod->model->find_equilibrium(rod, &m.loads, reload, &m, out, &error);
    free(m.block);
    cdg_supports_collect(world, index, world->time, 0);
    if (result != CDG_OK) return cdg_fail(&world->error, result, "%s", error.message);
    return CDG_OK;
}

cdg_result cdg_world_find_equilibrium(cdg_world *world, cdg_equilibrium_report *report) {
    cdg_error_clear(&world->error);
    cdg_equilibrium_report all = {.is_stable = true};
    bool is_first = true;
    for (uint32_t i = 0; i < world->rod_count; i++)
        if (world->rods[i].rod != NULL && world->rods[i].rod->model->find_equilibrium == NULL)
            return refuse(world, world->rods[i].rod, "equilibria");
    cdg_result result = CDG_OK;
    for (uint32_t i = 0; i < world->rod_count && result == CDG_OK; i++) {
        if (world->rods[i].rod == NULL) continue;
        cdg_rod_equilibrium one = {0};
        result = settle_rod(world, i, &one);
        all.iterations += one.iterations;
        all.is_stable = all.is_stable && one.is_stable;
        if (is_first || one.lowest < all.lowest) all.lowest = one.lowest;
        if (is_first || one.residual * all.force > all.residual * one.force) {
            all.residual = one.residual;
            all.force = one.force;
            all.worst_rod = (cdg_rod_id){i + 1, world->rods[i].generation};
        }
        is_first = false;
    }
    // What was lost on the way is nobody's dissipation.
    world->has_started = false;
    if (report != NULL) *report = all;
    return result;
}

cdg_result cdg_rod_find_modes(cdg_world *world, cdg_rod_id id, size_t count, double *frequencies, cdg_vec3 *shapes) {
    cdg_error_clear(&world->error);
    cdg_rod *rod = cdg_world_get_rod(world, id);
    if (rod == NULL) return cdg_fail(&world->error, CDG_ERROR_STALE, "the rod no longer exists");
    if (rod->model->find_modes == NULL) return refuse(world, rod, "modes");
    if (count == 0) return CDG_OK;
    load_memory m;
    if (!open_loads(&m, world, id.index1 - 1))
        return cdg_fail(&world->error, CDG_ERROR_MEMORY, "rod '%s': no memory for its loads", rod->name);
    cdg_supports_drive(world, id.index1 - 1, world->time);
    reload(&m, rod, &m.loads);
    cdg_error error = {0};
    cdg_result result = rod->model->find_modes(rod, &m.loads, count, frequencies, shapes, &error);
    free(m.block);
    if (result != CDG_OK) return cdg_fail(&world->error, result, "%s", error.message);
    const double two_pi = 6.283185307179586;
    for (size_t i = 0; i < count; i++)
        frequencies[i] = (frequencies[i] < 0 ? -sqrt(-frequencies[i]) : sqrt(frequencies[i])) / two_pi;
    return CDG_OK;
}
