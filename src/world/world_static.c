// Equilibria of the world's rods, and vibrations about them: supports and loads as they are at the world's time, handed
// to the rods' models.
#include "world/world_static.h"

#include "base/error.h"
#include "math/quat.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- supports and loads at a time that is only a parameter ----------------------------------------------------------

static size_t block_doubles(const cdg_rod *rod) { return 3 * (rod->node_count + rod->element_count); }

static cdg_rod_loads loads_in(const cdg_world *world, const cdg_rod *rod, double *block) {
    cdg_rod_loads loads = {.gravity = world->def.gravity};
    for (size_t k = 0; k < 3; k++) {
        loads.force[k] = block + k * rod->node_count;
        loads.torque[k] = block + 3 * rod->node_count + k * rod->element_count;
    }
    return loads;
}

bool static_loads_open(static_loads *s, cdg_world *world, uint32_t index) {
    const cdg_rod *rod = world->rods[index].rod;
    size_t doubles = block_doubles(rod);
    *s = (static_loads){.world = world, .index = index, .time = world->time, .begin = -INFINITY};
    s->block = calloc(2 * doubles, sizeof(double));
    s->kept = calloc(rod->hold_capacity > 0 ? rod->hold_capacity : 1, sizeof *s->kept);
    if (s->block == NULL || s->kept == NULL) return false;
    s->mirror = s->block + doubles;
    s->loads = loads_in(world, rod, s->block);
    s->second = loads_in(world, rod, s->mirror);
    return true;
}

void static_loads_close(static_loads *s) {
    free(s->block);
    free(s->kept);
    s->block = NULL;
    s->kept = NULL;
}

// The step divides nothing here: winds are at their full force.
void static_loads_reload(void *user, const cdg_rod *rod, const cdg_rod_loads *loads) {
    const static_loads *s = user;
    bool is_before = s->time < s->begin;
    cdg_loads_apply(s->world, s->index, is_before ? s->begin : s->time, 0, loads);
    if (is_before) {
        cdg_loads_apply(s->world, s->index, 2 * s->begin - s->time, 0, &s->second);
        for (size_t i = 0; i < block_doubles(rod); i++) s->block[i] = 2 * s->block[i] - s->mirror[i];
    }
    for (size_t i = 0; s->side != NULL && i < 3 * rod->node_count; i++) s->block[i] += s->side[i];
}

void static_loads_set(static_loads *s, double time) {
    cdg_rod *rod = s->world->rods[s->index].rod;
    s->time = time;
    cdg_supports_drive(s->world, s->index, time < s->begin ? 2 * s->begin - time : time);
    if (time < s->begin) { // holds come in the same order at both times
        size_t count = rod->hold_count;
        memcpy(s->kept, rod->holds, count * sizeof *s->kept);
        cdg_supports_drive(s->world, s->index, s->begin);
        for (size_t h = 0; h < count && h < rod->hold_count; h++) {
            cdg_hold *hold = &rod->holds[h];
            hold->position = vec3_sub(vec3_scale(2, hold->position), s->kept[h].position);
            hold->frame = quat_multiply(hold->frame, quat_multiply(quat_conjugate(s->kept[h].frame), hold->frame));
        }
    }
    static_loads_reload(s, rod, &s->loads);
}

// ---- equilibria -----------------------------------------------------------------------------------------------------

static void rest(cdg_rod *rod) {
    for (int k = 0; k < 3; k++) {
        memset(rod->v[k], 0, rod->node_count * sizeof(double));
        memset(rod->w[k], 0, rod->element_count * sizeof(double));
    }
    rod->has_history = false;
    if (rod->model->state_changed != NULL) rod->model->state_changed(rod);
}

// Which models can find equilibria, for messages.
static const char *list_models(char *out, size_t size) {
    size_t used = 0;
    out[0] = '\0';
    for (size_t i = 0; i < cdg_rod_model_count(); i++) {
        const cdg_rod_model *model = cdg_rod_model_get((cdg_model)i);
        if (model->statics.find_equilibrium != NULL && used < size)
            used += (size_t)snprintf(out + used, size - used, "%s%s", used > 0 ? ", " : "", model->name);
    }
    return out;
}

static cdg_result refuse(cdg_world *world, const cdg_rod *rod, const char *what) {
    char models[128];
    return cdg_fail(&world->error, CDG_ERROR_UNSUPPORTED, "rod '%s': model '%s' has no %s; models that have: %s",
                    rod->name, rod->model->name, what, list_models(models, sizeof models));
}

static cdg_result refuse_joined(cdg_world *world, uint32_t index) {
    if (!cdg_joints_hold_rod(world, index)) return CDG_OK;
    return cdg_fail(&world->error, CDG_ERROR_UNSUPPORTED,
                    "rod '%s' is joined to others; equilibria and vibrations are found for single rods only: let the "
                    "net come to rest in a run, with damping",
                    world->rods[index].rod->name);
}

// Vibrations with a body on the rod are not those of the rod alone, nor of a rod that the body holds still.
static cdg_result refuse_free_bodies(cdg_world *world, uint32_t rod, const char *what) {
    for (size_t i = 0; i < world->weld_count; i++) {
        const cdg_body *body = &world->bodies[world->welds[i].body];
        bool is_here = rod == CDG_NO_INDEX || world->welds[i].def.place.rod.index1 - 1 == rod;
        if (is_here && !body->def.is_fixed)
            return cdg_fail(&world->error, CDG_ERROR_UNSUPPORTED,
                            "body '%s' is free and welded to a rod; %s are found of rods alone: fix the body, or let "
                            "it come to rest with damping",
                            body->name, what);
    }
    return CDG_OK;
}

cdg_result cdg_static_check(cdg_world *world) {
    for (uint32_t i = 0; i < world->rod_count; i++)
        if (world->rods[i].rod != NULL && world->rods[i].rod->model->statics.find_equilibrium == NULL)
            return refuse(world, world->rods[i].rod, "equilibria");
    if (world->tie_count > 0)
        return cdg_fail(&world->error, CDG_ERROR_UNSUPPORTED,
                        "a rod is tied to a solid; equilibria are found of rods and solids alone: let both come to "
                        "rest in a run, with damping");
    cdg_result welded = refuse_free_bodies(world, CDG_NO_INDEX, "equilibria");
    if (welded != CDG_OK) return welded;
    for (uint32_t i = 0; i < world->rod_count; i++) {
        if (world->rods[i].rod == NULL) continue;
        cdg_result result = refuse_joined(world, i);
        if (result != CDG_OK) return result;
    }
    if (world_has_contact(world) && world->contact_def.choice != CDG_CONTACT_DEFAULT)
        return cdg_fail(&world->error, CDG_ERROR_UNSUPPORTED,
                        "equilibria know no contact in this version; switch it off ('contact: off'), or let the rods "
                        "come to rest in a run, with damping");
    return CDG_OK;
}

cdg_result cdg_static_check_apart(cdg_world *world) {
    cdg_result result = world_has_contact(world) ? cdg_world_check_contact(world) : CDG_OK;
    if (result != CDG_ERROR_ARGUMENT) return result;
    cdg_error found = world->error;
    return cdg_fail(
        &world->error, CDG_ERROR_UNSUPPORTED,
        "things touch in the equilibrium, and equilibria know no contact in this version: switch it off, if "
        "rods may pass through each other, or let them come to rest in a run, with damping; %.600s",
        found.message);
}

// Loads of a rod at a time, open; the caller closes them in any case.
static cdg_result open_at(cdg_world *world, uint32_t index, double time, double begin, double *const *side,
                          static_loads *out) {
    if (!static_loads_open(out, world, index))
        return cdg_fail(&world->error, CDG_ERROR_MEMORY, "rod '%s': no memory for its loads",
                        world->rods[index].rod->name);
    out->begin = begin;
    out->side = side != NULL ? side[index] : NULL;
    static_loads_set(out, time);
    return CDG_OK;
}

static cdg_result settle_rod(cdg_world *world, uint32_t index, double time, double begin, double *const *side,
                             cdg_rod_equilibrium *out) {
    cdg_rod *rod = world->rods[index].rod;
    static_loads s;
    rest(rod);
    cdg_result result = open_at(world, index, time, begin, side, &s);
    if (result == CDG_OK) {
        cdg_error error = {0};
        result = rod->model->statics.find_equilibrium(rod, &s.loads, static_loads_reload, &s, out, &error);
        cdg_supports_collect(world, index, time);
        if (result != CDG_OK) cdg_fail(&world->error, result, "%s", error.message);
    }
    static_loads_close(&s);
    return result;
}

cdg_result cdg_static_settle(cdg_world *world, double time, double begin, double *const *side,
                             cdg_equilibrium_report *report) {
    cdg_equilibrium_report all = {.is_stable = true};
    bool is_first = true;
    cdg_result result = CDG_OK;
    for (uint32_t i = 0; i < world->rod_count && result == CDG_OK; i++) {
        if (world->rods[i].rod == NULL) continue;
        cdg_rod_equilibrium one = {0};
        result = settle_rod(world, i, time, begin, side, &one);
        all.iterations += one.iterations;
        all.is_stable = all.is_stable && one.is_stable;
        if (is_first || one.lowest < all.lowest || isnan(one.lowest)) all.lowest = one.lowest;
        if (is_first || one.residual * all.force > all.residual * one.force) {
            all.residual = one.residual;
            all.force = one.force;
            all.worst_rod = cdg_world_rod_id(world, i);
        }
        all.history_count = one.history_count;
        memcpy(all.history, one.history, sizeof all.history);
        is_first = false;
    }
    cdg_object_report objects = {0};
    if (result == CDG_OK) result = cdg_objects_settle(world, time, &objects);
    all.iterations += objects.iterations;
    if (world->object_count > 0 && result == CDG_OK) {
        if (is_first || objects.unbalanced * all.force > all.residual * objects.force)
            all.residual = objects.unbalanced, all.force = objects.force;
        all.is_stable = all.is_stable && !(objects.lowest < 0);
        if (is_first || !(objects.lowest >= all.lowest)) all.lowest = objects.lowest;
    }
    *report = all;
    return result;
}

cdg_result cdg_world_find_equilibrium(cdg_world *world, cdg_equilibrium_report *report) {
    if (world == NULL) return CDG_ERROR_ARGUMENT;
    cdg_error_clear(&world->error);
    cdg_equilibrium_report own;
    cdg_result result = cdg_static_check(world);
    if (result != CDG_OK) return result;
    result = cdg_static_settle(world, world->time, -INFINITY, NULL, report != NULL ? report : &own);
    if (result == CDG_OK) result = cdg_static_check_apart(world);
    // What was lost on the way is nobody's dissipation.
    world->has_started = false;
    return result;
}

cdg_result cdg_world_check_equilibrium(cdg_world *world) {
    if (world == NULL) return CDG_ERROR_ARGUMENT;
    cdg_error_clear(&world->error);
    return cdg_static_check(world);
}

void cdg_static_set_time(cdg_world *world, double time) {
    world->time = time;
    world->base_time = time;
    world->base_index = world->step_index;
    world->has_started = false; // what was lost on the way is nobody's dissipation
}

cdg_result cdg_static_lowest(cdg_world *world, double time, double begin, double *const *side, double *lowest,
                             bool *is_stable) {
    cdg_result result = CDG_OK;
    *lowest = INFINITY;
    *is_stable = true;
    for (uint32_t i = 0; i < world->rod_count && result == CDG_OK; i++) {
        cdg_rod *rod = world->rods[i].rod;
        if (rod == NULL) continue;
        static_loads s;
        double value = NAN;
        result = open_at(world, i, time, begin, side, &s);
        cdg_error error = {0};
        if (result == CDG_OK && rod->model->statics.find_modes != NULL &&
            rod->model->statics.find_modes(rod, &s.loads, 1, &value, NULL, &error) != CDG_OK)
            value = NAN;
        static_loads_close(&s);
        // Motions that nothing holds have eigenvalues of zero but for rounding.
        *is_stable = *is_stable && !(value < -1e-6 * cdg_rod_eigenvalue_scale(rod));
        if (!(value >= *lowest)) *lowest = value;
    }
    return result;
}

// ---- vibrations -----------------------------------------------------------------------------------------------------

cdg_result cdg_rod_find_modes(cdg_world *world, cdg_rod_id id, size_t count, double *frequencies, cdg_vec3 *shapes) {
    if (world == NULL) return CDG_ERROR_ARGUMENT;
    if (frequencies == NULL && count > 0) return cdg_fail_null(&world->error, "frequencies");
    cdg_error_clear(&world->error);
    cdg_rod *rod = cdg_world_get_rod(world, id);
    if (rod == NULL) return cdg_fail(&world->error, CDG_ERROR_STALE, "the rod no longer exists");
    if (rod->model->statics.find_modes == NULL) return refuse(world, rod, "modes");
    if (count == 0) return CDG_OK;
    static_loads s;
    cdg_error error = {0};
    cdg_result result = refuse_joined(world, id.index1 - 1);
    if (result == CDG_OK) result = refuse_free_bodies(world, id.index1 - 1, "vibrations");
    if (result != CDG_OK) return result;
    result = open_at(world, id.index1 - 1, world->time, -INFINITY, NULL, &s);
    if (result == CDG_OK) {
        result = rod->model->statics.find_modes(rod, &s.loads, count, frequencies, shapes, &error);
        if (result != CDG_OK) cdg_fail(&world->error, result, "%s", error.message);
    }
    static_loads_close(&s);
    if (result != CDG_OK) return result;
    const double two_pi = 6.283185307179586;
    for (size_t i = 0; i < count; i++)
        frequencies[i] = (frequencies[i] < 0 ? -sqrt(-frequencies[i]) : sqrt(frequencies[i])) / two_pi;
    return CDG_OK;
}
