// The kinds of objects in a world, in the order in which a step and its books take them (object.h).
#include "base/parallel.h"
#include "world/step.h"
#include "world/tape.h"
#include "world/tie.h"

// ---- rods -----------------------------------------------------------------------------------------------------------

static cdg_result predict_rods(cdg_step_context *context) {
    cdg_step_predict_rods(context);
    return cdg_step_failure(context);
}

// Energies of some rods, one after the other: measured on several threads, a few at once, and summed in their order.
enum { RODS_OF_ENERGY = 512, RODS_AT_ONCE = 32 };
typedef struct some_energies {
    const cdg_world *world;
    size_t first, count;
    cdg_energy energy[RODS_OF_ENERGY];
} some_energies;

static void measure_energies(void *user, size_t index, int thread) {
    some_energies *some = user;
    (void)thread;
    for (size_t i = index * RODS_AT_ONCE; i < (index + 1) * RODS_AT_ONCE && i < some->count; i++) {
        const cdg_rod *rod = some->world->rods[some->first + i].rod;
        cdg_prefetch_state(some->world, some->first + i, false);
        some->energy[i] = (cdg_energy){0};
        if (rod != NULL) cdg_rod_measure_energy(rod, some->world->def.gravity, &some->energy[i]);
    }
}

static void measure_rods(const cdg_world *world, cdg_energy *sum) {
    some_energies some;
    some.world = world;
    for (some.first = 0; some.first < world->rod_count; some.first += some.count) {
        size_t left = world->rod_count - some.first;
        some.count = left < RODS_OF_ENERGY ? left : RODS_OF_ENERGY;
        cdg_parallel_for((some.count + RODS_AT_ONCE - 1) / RODS_AT_ONCE, world->thread_count, measure_energies, &some);
        for (size_t i = 0; i < some.count; i++) {
            const cdg_energy *e = &some.energy[i];
#define ADD_MEMBER(name, text) sum->name += e->name;
            CDG_ENERGY_LIST(ADD_MEMBER)
#undef ADD_MEMBER
        }
    }
}

static void sum_rods(const cdg_world *world, cdg_vec3 *linear, cdg_vec3 *angular) {
    for (size_t i = 0; i < world->rod_count; i++)
        if (world->rods[i].rod != NULL) cdg_rod_measure_momentum(world->rods[i].rod, linear, angular);
}

// ---- rigid bodies ---------------------------------------------------------------------------------------------------

// With the rods that are welded to them, which are predicted several times.
static cdg_result predict_bodies(cdg_step_context *context) {
    context->is_again = true;
    cdg_result bodies = cdg_bodies_predict(context);
    if (bodies == CDG_OK) return CDG_OK;
    cdg_result rod = cdg_step_failure(context);
    return rod != CDG_OK ? rod : bodies;
}

static void commit_bodies(cdg_step_context *context) { cdg_bodies_commit(context->world); }

static void pass_body(cdg_tape *t, cdg_body_now *now) {
    cdg_tape_pass_vec3(t, &now->x);
    cdg_tape_pass_quat(t, &now->q);
    cdg_tape_pass_vec3(t, &now->v);
    cdg_tape_pass_vec3(t, &now->spin);
    cdg_tape_pass_vec3(t, &now->move_rate);
    cdg_tape_pass_vec3(t, &now->turn_rate);
}

static void pass_bodies(cdg_world *world, cdg_tape *t) {
    for (size_t i = 0; i < world->body_count; i++) pass_body(t, &world->bodies[i].now);
}

// ---- solids ---------------------------------------------------------------------------------------------------------

// With the rods that are tied to them.
static cdg_result predict_solids(cdg_step_context *context) {
    cdg_ties_begin(context);
    cdg_result result = cdg_objects_predict(context);
    return result == CDG_OK ? cdg_ties_predict(context) : result;
}

static void commit_solids(cdg_step_context *context) {
    cdg_objects_commit(context);
    cdg_ties_commit(context->world);
}

static void pass_solids(cdg_world *world, cdg_tape *t) {
    cdg_objects_snapshot(world, cdg_tape_pass_values, t);
    cdg_ties_snapshot(world, cdg_tape_pass_values, t);
}

static void measure_objects(const cdg_world *world, cdg_energy *sum) { cdg_objects_energy(world, false, sum); }

const cdg_kind cdg_kinds[CDG_KIND_COUNT] = {
    {"rods", predict_rods, cdg_step_commit_rods, measure_rods, sum_rods, cdg_rods_snapshot},
    {"bodies", predict_bodies, commit_bodies, cdg_bodies_measure_energy, cdg_bodies_measure_momentum, pass_bodies},
    {"solids", predict_solids, commit_solids, measure_objects, cdg_objects_momentum, pass_solids},
};
