// The objects of a world (object.h): a step's parts for all of them, and their share of sums.
#include "base/error.h"
#include "base/parallel.h"
#include "world/step.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

cdg_result cdg_world_check_name(cdg_world *world, const char *kind, const char *name, bool is_taken) {
    bool is_good = name[0] != '\0';
    for (const char *c = name; *c != '\0' && is_good; c++)
        is_good =
            (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') || (*c >= '0' && *c <= '9') || *c == '_' || *c == '-';
    if (!is_good)
        return cdg_fail(&world->error, CDG_ERROR_ARGUMENT,
                        "%s's name is made of letters, digits, '_' and '-', not '%.60s'", kind, name);
    if (is_taken) return cdg_fail(&world->error, CDG_ERROR_ARGUMENT, "there is already %s named '%s'", kind, name);
    return CDG_OK;
}

cdg_result cdg_objects_add(cdg_world *world, const cdg_object_operations *operations, void *self) {
    if (world->object_count == world->object_capacity) {
        size_t capacity = world->object_capacity > 0 ? 2 * world->object_capacity : 4;
        cdg_object *grown = realloc(world->objects, capacity * sizeof *grown);
        if (grown == NULL) return cdg_fail(&world->error, CDG_ERROR_MEMORY, "no memory for another object");
        world->objects = grown;
        world->object_capacity = capacity;
    }
    world->objects[world->object_count++] = (cdg_object){.operations = operations, .self = self};
    world_renew(world);
    return CDG_OK;
}

void cdg_objects_remove(cdg_world *world, void *self) {
    size_t index = 0;
    while (world->objects[index].self != self) index++;
    world->objects[index].operations->destroy(self);
    world->object_count--;
    memmove(&world->objects[index], &world->objects[index + 1], (world->object_count - index) * sizeof *world->objects);
    world->scratch_size = 0;
}

void cdg_objects_free(cdg_world *world) {
    for (size_t i = 0; i < world->object_count; i++) world->objects[i].operations->destroy(world->objects[i].self);
    free(world->objects);
}

static cdg_object_step step_of(const cdg_step_context *context) {
    cdg_world *world = context->world;
    return (cdg_object_step){.time = context->time,
                             .step = context->step,
                             .gravity = world->def.gravity,
                             .threads = 1,
                             .contacts = !world_has_contact(world) ? NULL : &world->contacts};
}

typedef struct predict_work {
    cdg_world *world;
    cdg_object_step at;
    const uint32_t *indices; // of those that are predicted; NULL: all
    cdg_error *errors;
    size_t *failed;
} predict_work;

static void predict_one(void *user, size_t index, int thread) {
    const predict_work *work = user;
    if (work->indices != NULL) index = work->indices[index] - work->world->rod_count;
    cdg_object *object = &work->world->objects[index];
    cdg_error error = {0};
    cdg_result result = object->operations->predict(object->self, &work->at, &object->report, &error);
    if (result == CDG_OK || index >= work->failed[thread]) return;
    work->failed[thread] = index;
    work->errors[thread] = error;
}

// Few objects share threads among their own parts, many are shared out.
static cdg_result predict(cdg_step_context *context, const uint32_t *indices, size_t count) {
    cdg_world *world = context->world;
    if (count == 0) return CDG_OK;
    int threads = world->thread_count;
    bool is_shared_out = count >= 2 * (size_t)threads;
    size_t worst = SIZE_MAX;
    predict_work work = {world, step_of(context), indices, context->errors, context->failed_rod};
    work.at.is_again = indices != NULL;
    work.at.threads = is_shared_out ? 1 : threads;
    for (int t = 0; t < threads; t++) work.failed[t] = SIZE_MAX;
    cdg_parallel_for(count, is_shared_out ? threads : 1, predict_one, &work);
    const cdg_error *error = NULL;
    for (int t = 0; t < threads; t++) {
        if (work.failed[t] < worst) worst = work.failed[t], error = &work.errors[t];
        work.failed[t] = SIZE_MAX; // these are not rods
    }
    if (error == NULL) return CDG_OK;
    const cdg_object *object = &world->objects[worst];
    world->failed_object = worst;
    return cdg_fail(&world->error, error->code, "%s '%s' at t = %.9g s (step %llu): %.800s", object->operations->kind,
                    object->operations->name(object->self), context->time, (unsigned long long)world->step_index + 1,
                    error->message);
}

cdg_result cdg_objects_predict(cdg_step_context *context) {
    return predict(context, NULL, context->world->object_count);
}

cdg_result cdg_objects_predict_again(cdg_step_context *context, const uint32_t *indices, size_t count) {
    return predict(context, indices, count);
}

cdg_result cdg_objects_settle(cdg_world *world, double time, cdg_object_report *sum) {
    cdg_object_step at = {.time = time, .gravity = world->def.gravity, .threads = world->thread_count};
    for (size_t i = 0; i < world->object_count; i++) {
        cdg_object *object = &world->objects[i];
        cdg_error error = {0};
        cdg_result result = object->operations->settle(object->self, &at, &object->report, &error);
        sum->iterations += object->report.iterations;
        const cdg_object_report *own = &object->report;
        if (own->unbalanced * sum->force >= sum->unbalanced * own->force)
            sum->unbalanced = own->unbalanced, sum->force = own->force;
        if (i == 0 || !(own->lowest >= sum->lowest)) sum->lowest = own->lowest;
        if (result != CDG_OK)
            return cdg_fail(&world->error, result, "%s '%s': %.800s", object->operations->kind,
                            object->operations->name(object->self), error.message);
    }
    return CDG_OK;
}

// ---- what is short for each object ----------------------------------------------------------------------------------

// Objects that a thread takes at once; as many parts are worth a second one.
enum { OBJECTS_AT_ONCE = 8, PARTS_WORTH = 4 };

typedef struct short_work {
    cdg_world *world;
    cdg_object_step at;
    void (*body)(cdg_object *object, const cdg_object_step *at);
} short_work;

static void do_some(void *user, size_t index, int thread) {
    const short_work *work = user;
    (void)thread;
    for (size_t i = OBJECTS_AT_ONCE * index; i < OBJECTS_AT_ONCE * (index + 1) && i < work->world->object_count; i++)
        work->body(&work->world->objects[i], &work->at);
}

static void for_each(cdg_world *world, const cdg_object_step *at,
                     void (*body)(cdg_object *object, const cdg_object_step *at)) {
    short_work work = {world, *at, body};
    size_t parts = (world->object_count + OBJECTS_AT_ONCE - 1) / OBJECTS_AT_ONCE;
    cdg_parallel_for(parts, parts >= PARTS_WORTH ? world->thread_count : 1, do_some, &work);
}

static void work_of(cdg_object *object, const cdg_object_step *at) {
    object->work = object->operations->work(object->self, at);
}

double cdg_objects_work(cdg_step_context *context) {
    cdg_world *world = context->world;
    cdg_object_step at = step_of(context);
    double sum = 0;
    for_each(world, &at, work_of);
    for (size_t i = 0; i < world->object_count; i++) sum += world->objects[i].work;
    return sum;
}

static void look_at(cdg_object *object, const cdg_object_step *at) {
    cdg_energy energy = {0};
    object->operations->energy(object->self, at->gravity, true, &energy);
    object->energy_next = energy.total, object->height_next = energy.gravity;
}

void cdg_objects_look(cdg_world *world) {
    cdg_object_step at = {.gravity = world->def.gravity};
    for_each(world, &at, look_at);
}

static void commit_one(cdg_object *object, const cdg_object_step *at) { object->operations->commit(object->self, at); }

void cdg_objects_commit(cdg_step_context *context) {
    cdg_object_step at = step_of(context);
    for_each(context->world, &at, commit_one);
}

void cdg_objects_energy(const cdg_world *world, bool of_candidate, cdg_energy *sum) {
    for (size_t i = 0; i < world->object_count; i++)
        world->objects[i].operations->energy(world->objects[i].self, world->def.gravity, of_candidate, sum);
}

void cdg_objects_momentum(const cdg_world *world, cdg_vec3 *linear, cdg_vec3 *angular) {
    for (size_t i = 0; i < world->object_count; i++)
        world->objects[i].operations->momentum(world->objects[i].self, linear, angular);
}

void cdg_objects_snapshot(cdg_world *world, cdg_object_pass pass, void *tape) {
    for (size_t i = 0; i < world->object_count; i++)
        world->objects[i].operations->snapshot(world->objects[i].self, pass, tape);
}

void cdg_objects_cost(const cdg_world *world, double step, double *looking, double *stepping) {
    for (size_t i = 0; i < world->object_count; i++)
        world->objects[i].operations->cost(world->objects[i].self, step, looking, stepping);
}
