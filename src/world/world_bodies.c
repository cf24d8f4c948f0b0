// One step of all rigid bodies, with the rods that are welded to them: memory, the order of what is done, what is
// committed. weld_solve.c finds where bodies and rods agree, body_touches.c what bodies do to each other where contact
// does not, world_project.c where bodies come to on rods whose lengths are constraints.
#include "world/world_bodies.h"
#include "base/error.h"

#include <stdlib.h>
#include <string.h>

// ---- memory ---------------------------------------------------------------------------------------------------------

static void free_collider(struct world_bodies *work) {
    cdg_collider_destroy(work->collider);
    free(work->items);
    work->collider = NULL;
    work->items = NULL;
}

void cdg_bodies_forget(cdg_world *world) {
    struct world_bodies *work = world->bodies_work;
    if (work == NULL) return;
    for (size_t u = 0; u < work->unit_count; u++) {
        free(work->units[u].welds);
        free(work->units[u].stiffness);
        free(work->units[u].pose);
        cdg_yield_free(&work->units[u]);
    }
    free(work->units);
    free(work->bodies);
    free(work->schemes);
    free(work->matrix.values);
    free(work->matrix.pivots);
    free(work->right);
    free_collider(work);
    free(work);
    world->bodies_work = NULL;
    world_renew(world);
}

size_t cdg_bodies_unit_count(const cdg_world *world) {
    return world->bodies_work != NULL ? world->bodies_work->unit_count : 0;
}
world_unit *cdg_bodies_unit(const cdg_world *world, size_t index) { return &world->bodies_work->units[index]; }

static bool is_unknown(const cdg_world *world, uint32_t body) { return !world->bodies[body].def.is_fixed; }

// Welds in the order of their creation, sorted into units by the rods that are predicted together.
static bool form_units(cdg_world *world, struct world_bodies *work) {
    if (world->weld_count == 0) return true;
    work->units = calloc(world->weld_count, sizeof *work->units);
    if (work->units == NULL) return false;
    uint32_t *roots = calloc(world->weld_count, sizeof *roots);
    if (roots == NULL) return false;
    for (size_t i = 0; i < world->weld_count; i++) {
        world_weld *weld = &world->welds[i];
        uint32_t root = cdg_weld_unit_rod(world, weld);
        size_t u = 0;
        while (u < work->unit_count && roots[u] != root) u++;
        if (u == work->unit_count) {
            roots[work->unit_count++] = root;
            work->units[u].team = CDG_NO_INDEX;
            const cdg_rod *rod = world->rods[weld->def.place.rod.index1 - 1].rod;
            work->units[u].length = rod->length / (double)rod->element_count;
        }
        weld->unit = (uint32_t)u;
        weld->slot = (uint32_t)work->units[u].weld_count++;
    }
    free(roots);
    bool has_memory = true;
    for (size_t u = 0; u < work->unit_count; u++) {
        world_unit *unit = &work->units[u];
        size_t size = 6 * unit->weld_count;
        unit->welds = malloc(unit->weld_count * sizeof *unit->welds);
        unit->stiffness = calloc(size * size, sizeof *unit->stiffness);
        unit->pose = calloc(4 * size, sizeof *unit->pose);
        has_memory = has_memory && unit->welds != NULL && unit->stiffness != NULL && unit->pose != NULL;
        if (!has_memory) return false;
        unit->reaction = unit->pose + size;
        unit->pose_before = unit->pose + 2 * size;
        unit->reaction_before = unit->pose + 3 * size;
    }
    for (size_t i = 0; i < world->weld_count; i++)
        work->units[world->welds[i].unit].welds[world->welds[i].slot] = (uint32_t)i;
    return true;
}

// Numbers the unknown bodies and sizes the system: bodies on one unit are neighbours in it.
static bool size_system(cdg_world *world, struct world_bodies *work) {
    for (size_t i = 0; i < world->body_count; i++) work->bodies[i].number = SIZE_MAX;
    for (size_t i = 0; i < world->weld_count; i++) {
        const world_weld *weld = &world->welds[i];
        body_work *b = &work->bodies[weld->body];
        double length = work->units[weld->unit].length;
        b->length = b->length > 0 ? fmin(b->length, length) : length;
        if (is_unknown(world, weld->body)) b->number = 0;
    }
    for (size_t i = 0; i < world->body_count; i++)
        if (work->bodies[i].number == 0) work->bodies[i].number = work->unknown_count++;
    size_t apart = 0;
    for (size_t u = 0; u < work->unit_count; u++) {
        size_t low = SIZE_MAX, high = 0;
        for (size_t k = 0; k < work->units[u].weld_count; k++) {
            size_t number = work->bodies[world->welds[work->units[u].welds[k]].body].number;
            if (number == SIZE_MAX) continue;
            low = number < low ? number : low;
            high = number > high ? number : high;
        }
        if (low != SIZE_MAX && high - low > apart) apart = high - low;
    }
    size_t size = 6 * work->unknown_count;
    if (size == 0) return true;
    work->matrix = (cdg_banded){.size = size, .width = 6 * apart + 5};
    if (work->matrix.width > size - 1) work->matrix.width = size - 1;
    work->matrix.values = malloc(size * cdg_banded_column(work->matrix.width) * sizeof(double));
    work->matrix.pivots = malloc(size * sizeof(int));
    work->right = malloc(size * sizeof(double));
    return work->matrix.values != NULL && work->matrix.pivots != NULL && work->right != NULL;
}

// The mesh is the obstacle's own, in another order than in its definition.
static cdg_shape shape_of_obstacle(const cdg_obstacle *o) {
    cdg_shape shape = o->def.shape;
    shape.mesh = cdg_contact_mesh_surface(&o->mesh);
    return shape;
}

static cdg_result prepare_collider(cdg_world *world, struct world_bodies *work) {
    work->item_count = world->body_count + world->obstacle_count;
    bool is_movable = false;
    for (size_t i = 0; i < world->body_count; i++)
        is_movable = is_movable || (!world->bodies[i].def.is_fixed && !world->bodies[i].def.is_ghost);
    if (!is_movable || work->item_count < 2) return CDG_OK;
    cdg_result result = cdg_collider_create(&work->collider, &world->error);
    for (size_t i = 0; i < work->item_count && result == CDG_OK; i++) {
        cdg_shape shape = i < world->body_count ? world->bodies[i].def.shape
                                                : shape_of_obstacle(&world->obstacles[i - world->body_count]);
        result = cdg_collider_add(work->collider, &shape, &world->error);
    }
    if (result != CDG_OK) return result;
    work->items = calloc(work->item_count + 1, sizeof *work->items);
    return work->items != NULL ? CDG_OK : CDG_ERROR_MEMORY;
}

void cdg_bodies_find_teams(cdg_world *world) {
    struct world_bodies *work = world->bodies_work;
    if (work == NULL) return;
    for (size_t u = 0; u < work->unit_count; u++) work->units[u].team = CDG_NO_INDEX;
    for (size_t t = 0; t < world->team_count; t++) {
        const world_team *team = &world->teams[t];
        if (!team->has_weld) continue;
        for (size_t i = 0; i < world->weld_count; i++) {
            uint32_t root = team->net != NULL ? world->net_rods[team->first] : team->first;
            if (cdg_weld_unit_rod(world, &world->welds[i]) == root)
                work->units[world->welds[i].unit].team = (uint32_t)t;
        }
    }
}

cdg_result cdg_bodies_prepare(cdg_world *world) {
    if (world->body_count == 0) return CDG_OK;
    cdg_result result = cdg_joints_form_nets(world);
    if (result != CDG_OK) return result;
    struct world_bodies *work = world->bodies_work;
    // obstacles that came since
    if (work != NULL && work->item_count != world->body_count + world->obstacle_count) {
        free_collider(work);
        result = prepare_collider(world, work);
    }
    if (work == NULL) {
        work = world->bodies_work = calloc(1, sizeof *work);
        if (work == NULL) return cdg_fail(&world->error, CDG_ERROR_MEMORY, "no memory for a step of bodies");
        work->bodies = calloc(world->body_count, sizeof *work->bodies);
        work->schemes = calloc(world->weld_count > 0 ? world->weld_count : 1, sizeof *work->schemes);
        bool has_memory =
            work->bodies != NULL && work->schemes != NULL && form_units(world, work) && size_system(world, work);
        result = has_memory ? prepare_collider(world, work) : CDG_ERROR_MEMORY;
        if (result != CDG_OK) {
            cdg_bodies_forget(world);
            if (result == CDG_ERROR_MEMORY) cdg_fail(&world->error, result, "no memory for a step of bodies");
            return result;
        }
    }
    return result;
}

// ---- the step -------------------------------------------------------------------------------------------------------

static cdg_weld_scheme scheme_of(const cdg_world *world, const world_weld *weld, double step) {
    const cdg_rod *rod = world->rods[weld->def.place.rod.index1 - 1].rod;
    cdg_rate_rule euler = cdg_rate_rule_euler();
    cdg_weld_scheme scheme = {euler, euler, euler, 1};
    if (rod->model->weld_scheme != NULL) rod->model->weld_scheme(rod, step, &scheme);
    if (!weld->is_old) scheme.force = scheme.moment = euler; // there is no past to continue
    return scheme;
}

// By which rules bodies follow their rods, which may change when contact makes a rod leave its two-step rule.
static void choose_rules(cdg_world *world, struct world_bodies *work) {
    for (size_t i = world->weld_count; i-- > 0;) {
        work->schemes[i] = scheme_of(world, &world->welds[i], work->step);
        work->bodies[world->welds[i].body].rule = work->schemes[i].motion;
    }
    for (size_t u = 0; u < work->unit_count; u++) work->units[u].is_new = true;
}

// Fixed bodies at the end of the step, nothing touched yet.
static void begin(cdg_world *world, struct world_bodies *work) {
    for (size_t i = 0; i < world->body_count; i++) {
        body_work *b = &work->bodies[i];
        if (b->length == 0) b->rule = cdg_rate_rule_mean(0.5); // no weld
        b->contact_impulse = b->contact_turn = vec3(0, 0, 0);
        b->trial =
            world->bodies[i].def.is_fixed ? cdg_body_prescribed(&world->bodies[i], work->time) : world->bodies[i].now;
    }
}

// With the reactions of the step before a body should come near to where it does without. If it does not, it is so
// light beside its rods that it goes where they do, and what a jerk needed then says nothing now.
static void distrust_far_guess(const cdg_world *world, const struct world_bodies *work, size_t index, body_work *b) {
    enum { PARTS_OF_ELEMENT = 4 }; // and of a radian
    const cdg_body *body = &world->bodies[index];
    cdg_vec3 impulse = vec3_scale(work->step * body->mass.mass, world->def.gravity);
    cdg_body_now alone;
    cdg_body_fly(body, work->step, vec3_add(impulse, b->contact_impulse), b->contact_turn, &b->rule, &alone);
    double move = vec3_distance(alone.x, b->trial.x) / b->length;
    double turn = vec3_norm(quat_log(quat_relative(alone.q, b->trial.q)));
    if (!(fmax(move, turn) * PARTS_OF_ELEMENT < 1)) b->trial = alone;
}

// Where bodies come to with the reactions of the step before: those without welds for good.
static void fly(cdg_world *world, struct world_bodies *work, bool with_welds) {
    for (size_t i = 0; i < world->body_count; i++) {
        body_work *b = &work->bodies[i];
        if (world->bodies[i].def.is_fixed || (b->number != SIZE_MAX && !with_welds)) continue;
        cdg_vec3 impulse, turn;
        cdg_bodies_collect(world, work, i, true, &impulse, &turn);
        cdg_body_fly(&world->bodies[i], work->step, vec3_add(impulse, b->contact_impulse),
                     vec3_add(turn, b->contact_turn), &b->rule, &b->trial);
        if (b->number != SIZE_MAX) distrust_far_guess(world, work, i, b);
    }
}

void cdg_bodies_predict_touched(const cdg_world *world, size_t index, cdg_body_now *out) {
    const struct world_bodies *work = world->bodies_work;
    const body_work *b = &work->bodies[index];
    *out = b->trial;
    if (world->bodies[index].def.is_fixed || b->number != SIZE_MAX) return;
    cdg_vec3 impulse, turn;
    cdg_rate_rule euler = cdg_rate_rule_euler();
    cdg_bodies_collect(world, work, index, true, &impulse, &turn);
    cdg_body_fly(&world->bodies[index], work->step, vec3_add(impulse, b->contact_impulse),
                 vec3_add(turn, b->contact_turn), &euler, out);
}

// Contact wants to know how some rods answer, at the trials that were agreed on.
static bool keep_responses(cdg_world *world, struct world_bodies *work) {
    if (!world_has_contact(world)) return true;
    const cdg_coupled *coupled = world->contacts.coupling.objects;
    for (size_t u = 0; u < work->unit_count; u++) {
        world_unit *unit = &work->units[u];
        if (unit->yield.way_count > 0 && coupled[unit->yield_rod].wants_response) cdg_weld_measure_unit(world, u, 0);
        if (unit->has_failed) return false;
    }
    work->keeps_response = true;
    for (size_t u = 0; u < work->unit_count && work->keeps_response; u++) {
        world_unit *unit = &work->units[u];
        if (!coupled[unit->yield_rod].wants_response) continue;
        for (size_t k = 0; k < unit->weld_count; k++)
            cdg_weld_hold_to_trial(world, work, &world->welds[unit->welds[k]]);
        bool has_yield = unit->yield.way_count == 0 || cdg_yield_finish(world, work, unit);
        work->keeps_response = has_yield && cdg_step_predict_team(work->context, unit->team, 0);
    }
    bool is_good = work->keeps_response;
    work->keeps_response = false;
    return is_good;
}

bool cdg_bodies_keep_response(const cdg_world *world) {
    return world->bodies_work != NULL && world->bodies_work->keeps_response;
}

// Contact and welds in turn: what a weld exerts changes little by a contact impulse that is nearly right.
static cdg_result agree(cdg_world *world, struct world_bodies *work) {
    enum { ROUNDS_MAX = 8 };
    cdg_result result = CDG_OK;
    for (int round = 0; round < ROUNDS_MAX && work->unit_count > 0; round++) {
        double change = 0;
        result = work->projects ? cdg_bodies_project(world) : cdg_welds_solve(world);
        if (result != CDG_OK || work->touch_count == 0 || round + 1 == ROUNDS_MAX) break;
        result = cdg_bodies_touch(world, false, &change);
        if (result != CDG_OK || change < 1e-9) break;
        fly(world, work, false);
    }
    if (result == CDG_OK && !keep_responses(world, work)) result = cdg_bodies_fail_to_meet(world, 0);
    if (result != CDG_OK) cdg_welds_follow(world);
    return result;
}

cdg_result cdg_bodies_predict(cdg_step_context *context) {
    cdg_world *world = context->world;
    struct world_bodies *work = world->bodies_work;
    if (work == NULL) return CDG_OK;
    work->time = context->time;
    work->step = context->step;
    work->context = context;
    // Trials are many and short: waking threads for each pays off only with long rods.
    enum { ELEMENTS_WORTH_THREADS = 2000 };
    size_t elements = 0;
    for (size_t i = 0; i < world->rod_count; i++)
        if (world->rods[i].rod != NULL && world->rods[i].has_weld) elements += world->rods[i].rod->element_count;
    work->thread_count = elements > ELEMENTS_WORTH_THREADS ? world->scratch_count : 1;
    work->projects = world->weld_count > 0 && cdg_bodies_are_projected(world);
    choose_rules(world, work);
    begin(world, work);
    cdg_result result = cdg_bodies_find_touches(world, work);
    if (result != CDG_OK) return result;
    // A free body that touches moves by its new speed, so that it does not go on into what it hits.
    for (size_t i = 0; i < world->body_count && work->touch_count > 0; i++)
        if (work->items[i].is_touched && work->bodies[i].length == 0) work->bodies[i].rule = cdg_rate_rule_euler();
    fly(world, work, true);
    return agree(world, work);
}

cdg_result cdg_bodies_predict_again(cdg_world *world) {
    choose_rules(world, world->bodies_work);
    return agree(world, world->bodies_work);
}

double cdg_bodies_work(cdg_world *world) {
    struct world_bodies *work = world->bodies_work;
    double sum = 0;
    for (size_t i = 0; i < world->weld_count && work != NULL; i++) {
        world_weld *weld = &world->welds[i];
        const cdg_body *b = &world->bodies[weld->body];
        if (!b->def.is_fixed) continue;
        cdg_weld_rate(world, work, weld, false);
        const cdg_body_now *end = &work->bodies[weld->body].trial;
        cdg_vec3 before = vec3_add(b->now.x, quat_rotate(b->now.q, weld->arm));
        cdg_vec3 turn = quat_log(quat_multiply(end->q, quat_conjugate(b->now.q)));
        // the mean of the reactions before and after makes the work second order in the step
        cdg_vec3 force = vec3_lerp(weld->past.force, weld->next.force, 0.5);
        cdg_vec3 moment = vec3_lerp(weld->past.moment, weld->next.moment, 0.5);
        sum += vec3_dot(force, vec3_sub(weld->position, before)) + vec3_dot(moment, turn);
    }
    return sum;
}

const cdg_body_now *cdg_bodies_candidate(const cdg_world *world, size_t index) {
    return world->bodies_work != NULL ? &world->bodies_work->bodies[index].trial : &world->bodies[index].now;
}

void cdg_bodies_measure_candidate(const cdg_world *world, double *kinetic, double *gravity) {
    for (size_t i = 0; i < world->body_count; i++) {
        cdg_body body = world->bodies[i];
        if (body.def.is_fixed) continue;
        body.now = *cdg_bodies_candidate(world, i);
        *kinetic += cdg_body_kinetic_energy(&body);
        *gravity -= body.mass.mass * vec3_dot(world->def.gravity, body.now.x);
    }
}

void cdg_bodies_commit(cdg_world *world) {
    struct world_bodies *work = world->bodies_work;
    if (work == NULL) return;
    for (size_t i = 0; i < world->weld_count; i++) {
        world->welds[i].past = world->welds[i].next;
        world->welds[i].is_old = true;
    }
    for (size_t i = 0; i < world->body_count; i++) world->bodies[i].now = work->bodies[i].trial;
}
