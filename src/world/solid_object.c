// Solids as objects of a world (object.h).
#include "world/solid_object.h"
#include "base/error.h"
#include "solids/solid_model.h"
#include "world/solid_grip.h"
#include "world/solid_proxy.h"

#include <stdio.h>
#include <stdlib.h>

static const char *name(const void *object) { return ((const world_solid *)object)->solid.name; }

// Of contact, and of rods that are tied to it.
static void take_forces(world_solid *entry, const cdg_contacts *contacts) {
    cdg_solid *s = &entry->solid;
    for (size_t i = 0; i < entry->tied_count; i++) solid_set_vec3(s->touch, entry->tied[i].node, vec3(0, 0, 0));
    if (contacts != NULL) cdg_solid_take_touch(entry, contacts);
    for (size_t i = 0; i < entry->tied_count; i++) {
        size_t node = entry->tied[i].node;
        solid_set_vec3(s->touch, node, vec3_add(solid_vec3(s->touch, node), entry->tied[i].force));
    }
}

static cdg_result predict(void *object, const cdg_object_step *at, cdg_object_report *report, cdg_error *error) {
    world_solid *entry = object;
    cdg_solid_result result;
    cdg_solid_drive(entry, at->time, at->step);
    cdg_solid_grips_apply(entry->world, entry, at->step);
    entry->solid.is_again = at->is_again;
    take_forces(entry, at->contacts);
    cdg_result code = cdg_solid_predict(&entry->solid, at->step, at->gravity, at->threads, &result, error);
    if (code == CDG_OK && at->contacts != NULL) code = cdg_solid_give_response(entry, at->contacts, at->threads, error);
    *report = (cdg_object_report){.iterations = result.iterations,
                                  .parts = result.parts,
                                  .residual = result.residual,
                                  .work_doubt = result.work_doubt};
    return code;
}

static void collect_reactions(world_solid *entry) {
    for (size_t s = 0; s < entry->support_count; s++) {
        cdg_vec3 sum = vec3(0, 0, 0);
        for (size_t i = 0; i < entry->supports[s].node_count; i++)
            sum = vec3_add(sum, solid_vec3(entry->solid.reaction, entry->supports[s].nodes[i]));
        entry->supports[s].force = sum;
    }
}

// Pressure is that on the faces where they are, so that loads are taken anew until nothing moves.
static cdg_result settle(void *object, const cdg_object_step *at, cdg_object_report *report, cdg_error *error) {
    enum { ROUNDS_MAX = 100 };
    world_solid *entry = object;
    cdg_result code = CDG_OK;
    *report = (cdg_object_report){0};
    for (int round = 0; round < ROUNDS_MAX && code == CDG_OK; round++) {
        cdg_solid_result result;
        cdg_solid_drive(entry, at->time, 0);
        code = cdg_solid_find_equilibrium(&entry->solid, at->gravity, at->threads, &result, error);
        report->iterations += result.iterations;
        report->residual = result.residual;
        report->unbalanced = result.unbalanced, report->force = result.force, report->lowest = result.lowest;
        if (!cdg_solid_has_pressure(entry) || result.iterations <= 1) break;
        if (round == ROUNDS_MAX - 1)
            code = cdg_fail(error, CDG_ERROR_NO_CONVERGENCE, "pressure and shape do not agree after %d rounds", round);
    }
    if (code == CDG_OK) collect_reactions(entry);
    return code;
}

static void commit(void *object, const cdg_object_step *at) {
    world_solid *entry = object;
    cdg_solid_commit(&entry->solid, at->step);
    collect_reactions(entry);
}

static double work(const void *object, const cdg_object_step *at) {
    const cdg_solid *s = &((const world_solid *)object)->solid;
    double sum = 0;
    (void)at;
    for (int k = 0; k < 3; k++)
        for (size_t i = 0; i < s->node_count; i++)
            sum += (s->force[k][i] + s->reaction[k][i]) * (s->x_next[k][i] - s->x[k][i]);
    return sum;
}

static void energy(void *object, cdg_vec3 gravity, bool of_candidate, cdg_energy *sum) {
    cdg_solid *s = &((world_solid *)object)->solid;
    solid_energies e = of_candidate ? cdg_solid_measure_motion(s, s->x_next, s->v_next, gravity)
                                    : cdg_solid_measure_energy(s, s->x, s->v, gravity);
    if (of_candidate) e.elastic = cdg_solid_look_ahead(s);
    sum->kinetic += e.kinetic;
    sum->gravity += e.gravity;
    sum->stretch += e.elastic;
    sum->total += e.kinetic + e.gravity + e.elastic;
}

static void momentum(const void *object, cdg_vec3 *linear, cdg_vec3 *angular) {
    const cdg_solid *s = &((const world_solid *)object)->solid;
    cdg_solid_momentum(s, s->x, s->v, linear, angular);
}

static void snapshot(void *object, cdg_object_pass pass, void *tape) {
    world_solid *entry = object;
    cdg_solid *s = &entry->solid;
    for (int k = 0; k < 3; k++) {
        pass(tape, s->x[k], s->node_count);
        pass(tape, s->v[k], s->node_count);
        pass(tape, s->reaction[k], s->node_count);
        if (s->x_before[0] == NULL) continue;
        pass(tape, s->x_before[k], s->node_count);
        pass(tape, s->v_before[k], s->node_count);
    }
    for (int k = 0; k < 4 && s->rotation[0] != NULL; k++) pass(tape, s->rotation[k], s->slot_count);
    double has_history = s->has_history;
    pass(tape, &has_history, 1);
    s->has_history = has_history != 0;
    pass(tape, &s->history_step, 1);
    double was_touched = s->was_touched;
    pass(tape, &was_touched, 1);
    s->was_touched = was_touched != 0;
    for (size_t i = 0; i < entry->support_count; i++) {
        pass(tape, &entry->supports[i].force.x, 1);
        pass(tape, &entry->supports[i].force.y, 1);
        pass(tape, &entry->supports[i].force.z, 1);
    }
}

// Implicit steps resolve the slowest vibration: they are a tenth of the time in which sound goes there and back along
// the solid's extent, and no shorter than explicit ones.
static double advise(const void *object, char reason[256]) {
    const cdg_solid *s = &((const world_solid *)object)->solid;
    double stable = cdg_solid_stable_step(s);
    if (isinf(stable)) {
        double time = s->def.shape_matching.relaxation_time;
        snprintf(reason, 256, "solid '%.60s': its shape comes back in %.3g s", s->name, time);
        return 0.5 * time;
    }
    if (s->def.integrator == CDG_SOLID_EXPLICIT) {
        snprintf(reason, 256, "solid '%.60s': its stiffest element swings in %.3g s; longer steps are divided", s->name,
                 2 * 3.14159265358979 / s->largest_rate);
        return 10 * stable;
    }
    double extent = cbrt(s->rest_volume), sound = sqrt(s->def.young_modulus / s->def.density);
    snprintf(reason, 256, "solid '%.60s': a wave passes its %.3g m in %.3g s", s->name, extent, extent / sound);
    double step = extent / sound / 5;
    return step > stable ? step : stable;
}

// Weight times size, and the energy of a strain of some 4 %.
static double usual(const void *object, double gravity) {
    const cdg_solid *s = &((const world_solid *)object)->solid;
    return s->total_mass * gravity * cbrt(s->rest_volume) + 1e-3 * s->def.young_modulus * s->rest_volume;
}

static void cost(const void *object, double step, double *looking, double *stepping) {
    const cdg_solid *s = &((const world_solid *)object)->solid;
    double count = (double)s->tetrahedron_count; // s for each: measured
    bool is_explicit = s->def.integrator == CDG_SOLID_EXPLICIT;
    *looking += 150e-9 * count;
    if (s->model->predict != NULL) {
        *stepping += 30e-9 * (double)s->node_count;
        return;
    }
    *stepping += is_explicit ? 40e-9 * count * ceil(step / cdg_solid_stable_step(s)) : 5e-6 * count;
}

static void destroy(void *object) {
    world_solid *entry = object;
    cdg_solid_forcing_free(entry);
    cdg_solid_skin_free(entry);
    free(entry->tied);
    free(entry->own_mass);
    cdg_solid_free(&entry->solid);
    free(entry);
}

const cdg_object_operations cdg_solid_operations = {.kind = "solid",
                                                    .name = name,
                                                    .predict = predict,
                                                    .commit = commit,
                                                    .work = work,
                                                    .usual = usual,
                                                    .energy = energy,
                                                    .momentum = momentum,
                                                    .snapshot = snapshot,
                                                    .settle = settle,
                                                    .advise = advise,
                                                    .cost = cost,
                                                    .destroy = destroy};
