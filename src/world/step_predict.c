// Rods in a step: supports and loads are driven, models predict candidates, which are committed or not.
#include "base/error.h"
#include "base/parallel.h"
#include "math/quat.h"
#include "world/rod_proxy.h"
#include "world/step.h"
#include "world/tie.h"
#include "world/world_step.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static void keep_holds(cdg_rod *rod) {
    if (rod->hold_count > 0) memcpy(rod->holds_before, rod->holds, rod->hold_count * sizeof *rod->holds);
    rod->hold_before_count = rod->hold_count;
}

// The holds, which are about to be made anew, become those before.
static void exchange_holds(cdg_rod *rod) {
    cdg_hold *before = rod->holds_before;
    __atomic_store_n(&rod->holds_before, rod->holds, __ATOMIC_RELAXED); // the prefetch reads it from other threads
    rod->hold_before_count = rod->hold_count;
    rod->holds = before;
}

static void drive_supports(cdg_step_context *context, size_t index) {
    if (!context->is_again) exchange_holds(context->world->rods[index].rod);
    cdg_supports_drive(context->world, (uint32_t)index, context->time);
}

static void fail_rod(cdg_step_context *context, size_t index, const cdg_error *error, int thread) {
    if (index >= context->failed_rod[thread]) return;
    context->failed_rod[thread] = index;
    context->errors[thread] = *error;
}

// Work of loads other than contact. Integrators that remember the step before spread a load that jumps over the steps
// after it, so the work may be off by the difference between what they take in and the mean.
static void book_loads(const cdg_step_context *context, size_t index, const cdg_rod_loads *loads) {
    const cdg_world *world = context->world;
    world_rod *entry = &context->world->rods[index];
    entry->work = cdg_loads_work(world, (uint32_t)index, context->step, loads);
    entry->work_doubt = 0;
    bool has_contact = cdg_world_loads_contact(world, index) && !cdg_loads_are_weight_only(world, (uint32_t)index);
    if (has_contact) entry->work -= cdg_world_contact_work(world, index);
    if (loads->is_weight_only || !cdg_loads_apply_means(world, (uint32_t)index, context->time, context->step, loads))
        return;
    double taken = entry->work;
    entry->work = cdg_loads_work(world, (uint32_t)index, context->step, loads);
    entry->work_doubt = fabs(taken - entry->work);
}

// A lost turn makes the torque wrong only where two holds keep the rod's twist: at a free end it unwinds, as after a
// blow.
static bool keeps_turns(const cdg_rod *rod) {
    size_t held = 0;
    for (size_t h = 0; h < rod->hold_count; h++) held += rod->holds[h].frame_hold != CDG_HOLD_NO_FRAME;
    return held > 1;
}

bool cdg_step_is_quiet(const cdg_world *world, size_t index) {
    const world_rod *entry = &world->rods[index];
    if (entry->has_weld || entry->has_tie || !cdg_step_is_weight_only(world, index)) return false;
    if (!entry->rod->model->measures.counts_turns && keeps_turns(entry->rod)) return false;
    for (uint32_t i = entry->first_support; i != CDG_NO_INDEX; i = world->supports[i].next_of_rod) {
        const world_support *support = &world->supports[i];
        if (!support->is_removed && support->def.release > 0 && !support->is_released) return false;
    }
    return true;
}

// Models that do not count turns lose one where the twist between neighbours passes half a turn: from then on their
// torque would be that of the complementary angle.
static void check_turns(cdg_step_context *context, size_t index, int thread) {
    world_rod *entry = &context->world->rods[index];
    const cdg_rod *rod = entry->rod;
    if (rod->model->measures.counts_turns || !keeps_turns(rod)) return;
    if (entry->has_wild_turns) entry->has_wild_turns = cdg_rod_largest_turn(rod) > CDG_WILD_TURN;
    if (entry->has_wild_turns) return;
    size_t node = cdg_rod_lost_turn(rod);
    if (node == SIZE_MAX) return;
    cdg_error error;
    (void)cdg_fail(&error, CDG_ERROR_NO_CONVERGENCE,
                   "the twist at node %zu passes half a turn between neighbouring elements, more than %s can tell "
                   "apart: use more elements or model der, which counts turns",
                   node, rod->model->name);
    fail_rod(context, index, &error, thread);
}

// No model sees how often a section was turned between the beginning and the end of a step.
static void check_support_turns(cdg_step_context *context, size_t index, int thread) {
    const cdg_world *world = context->world;
    const double half_turn = 3.14159265358979323846;
    for (uint32_t i = world->rods[index].first_support; i != CDG_NO_INDEX; i = world->supports[i].next_of_rod) {
        const world_support *support = &world->supports[i];
        if (support->def.motion_count == 0 || support->def.kind == CDG_SUPPORT_PIN) continue;
        double turn = cdg_support_turn(support, context->time - context->step, context->time);
        if (!(turn > half_turn * (1 + 1e-9))) continue;
        cdg_error error;
        (void)cdg_fail(&error, CDG_ERROR_NO_CONVERGENCE,
                       "the support at node %zu turns by %.3g turns in a step of %.3g s, where more than half a turn "
                       "cannot be told from its complement; take a shorter step or a slower motion",
                       support->def.place.index, turn / (2 * half_turn), context->step);
        fail_rod(context, index, &error, thread);
    }
}

static void predict_rod(cdg_step_context *context, size_t index, const cdg_rod_loads *loads, void *scratch,
                        int thread) {
    world_rod *entry = &context->world->rods[index];
    cdg_rod *rod = entry->rod;
    cdg_error error;
    cdg_coupled *coupled =
        cdg_world_couples_contact(context->world, index) ? &context->world->contacts.coupling.objects[index] : NULL;
    rod->touch = cdg_rod_touch_of(coupled);
    cdg_result result = rod->model->predict(rod, context->step, loads, scratch, &entry->result, &error);
    bool is_last = (!entry->has_weld || cdg_bodies_keep_response(context->world)) &&
                   (!entry->has_tie || cdg_ties_keep_response(context->world));
    if (result == CDG_OK && coupled != NULL && coupled->wants_response && is_last) {
        result = rod->model->contact.keep_response(rod, context->step, loads, scratch, coupled->response, &error);
        coupled->has_response = result == CDG_OK;
    }
    if (result == CDG_OK) {
        book_loads(context, index, loads);
        check_turns(context, index, thread);
    } else {
        fail_rod(context, index, &error, thread);
    }
}

// Together if the model can; false: nothing is predicted yet.
static bool predict_together(cdg_step_context *context, const world_team *team, const cdg_rod_loads *loads,
                             void *scratch, int thread) {
    cdg_world *world = context->world;
    cdg_rod *rods[CDG_TEAM_MAX];
    cdg_rod_step_result results[CDG_TEAM_MAX] = {0};
    cdg_soon soon;
    if (team->count < 2) return false;
    cdg_prefetch_list(world, team, &soon);
    for (size_t i = 0; i < team->count; i++) rods[i] = world->rods[team->first + i].rod;
    if (!rods[0]->model->team.predict(rods, team->count, context->step, loads, &soon, scratch, results)) return false;
    for (size_t i = 0; i < team->count; i++) {
        world_rod *entry = &world->rods[team->first + i];
        entry->result = results[i];
        book_loads(context, team->first + i, &loads[i]);
        check_turns(context, team->first + i, thread);
    }
    return true;
}

// Whether the rods of a team feel their weight only in this step, though contact may load them in others: of the many
// strands of a head few are touched. What is predicted with others until all agree may be touched at any time.
static bool feels_weight_only(const cdg_world *world, const world_team *team) {
    for (size_t i = team->first; i < team->first + team->count; i++) {
        const world_rod *entry = &world->rods[i];
        const cdg_rod_model *model = entry->rod->model;
        if (entry->has_weld || entry->has_tie || !model->takes_weight_only || !model->contact.takes_loads_slowly)
            return false;
        if (!cdg_loads_are_weight_only(world, (uint32_t)i) || cdg_world_couples_contact(world, i)) return false;
        if (cdg_world_loads_contact(world, i) && world->contacts.coupling.objects[i].wants_response) return false;
    }
    return true;
}

static void collect_loads(cdg_step_context *context, size_t index, bool is_weight_only, char **next,
                          cdg_rod_loads *out) {
    cdg_world *world = context->world;
    cdg_rod *rod = world->rods[index].rod;
    *out = (cdg_rod_loads){.gravity = world->def.gravity, .is_weight_only = is_weight_only};
    rod->drag_rate = 0;
    if (out->is_weight_only) return;
    for (int k = 0; k < 3; k++) {
        out->force[k] = (double *)(void *)*next;
        *next += step_aligned_bytes(rod->node_count * sizeof(double));
        out->torque[k] = (double *)(void *)*next;
        *next += step_aligned_bytes(rod->element_count * sizeof(double));
    }
    cdg_loads_apply(world, (uint32_t)index, context->time, context->step, out);
    if (cdg_world_loads_contact(world, index)) cdg_world_add_contact_loads(world, index, out);
}

static void predict_net(cdg_step_context *context, const world_team *team, char *next, int thread) {
    cdg_world *world = context->world;
    cdg_rod_loads *loads = (cdg_rod_loads *)(void *)next;
    cdg_rod_step_result *results = (cdg_rod_step_result *)(void *)(loads + team->count);
    next += step_aligned_bytes(team->count * (sizeof *loads + sizeof *results));
    for (size_t i = 0; i < team->count; i++) {
        size_t index = cdg_team_rod(world, team, i);
        results[i] = (cdg_rod_step_result){0};
        drive_supports(context, index);
        check_support_turns(context, index, thread);
        collect_loads(context, index, cdg_step_is_weight_only(world, index), &next, &loads[i]);
    }
    cdg_error error;
    size_t failed = 0;
    cdg_result result = cdg_net_check_holds(team->net, &failed, &error);
    const cdg_rod_model *model = team->net->rods[0]->model;
    size_t lead = cdg_team_rod(world, team, 0);
    cdg_coupled *coupled = cdg_world_couples_contact(world, lead) ? &world->contacts.coupling.objects[lead] : NULL;
    for (size_t i = 0; i < team->count; i++) team->net->rods[i]->touch = cdg_rod_touch_of(coupled);
    if (result == CDG_OK) result = model->net.predict(team->net, context->step, loads, next, results, &failed, &error);
    bool is_last = !team->has_tie || cdg_ties_keep_response(world);
    if (result == CDG_OK && coupled != NULL && coupled->wants_response && is_last) {
        result = model->net.keep_response(team->net, context->step, loads, next, coupled->response, &error);
        coupled->has_response = result == CDG_OK;
    }
    if (result != CDG_OK) {
        world->rods[cdg_team_rod(world, team, failed)].result = results[failed];
        fail_rod(context, cdg_team_rod(world, team, failed), &error, thread);
        return;
    }
    for (size_t i = 0; i < team->count; i++) {
        size_t slot = cdg_team_rod(world, team, i);
        world->rods[slot].result = results[i];
        book_loads(context, slot, &loads[i]);
        check_turns(context, slot, thread);
    }
}

static void predict_team(void *user, size_t index, int thread) {
    cdg_step_context *context = user;
    const world_team *team = &context->world->teams[index];
    if (team->net != NULL) {
        predict_net(context, team, context->world->scratch[thread], thread);
        return;
    }
    char *next = context->world->scratch[thread];
    cdg_rod_loads loads[CDG_TEAM_MAX];
    if (team->count == 1) cdg_prefetch_next(context->world, team);
    bool is_weight_only = feels_weight_only(context->world, team);
    for (size_t i = 0; i < team->count; i++) {
        drive_supports(context, team->first + i);
        check_support_turns(context, team->first + i, thread);
        collect_loads(context, team->first + i,
                      is_weight_only || cdg_step_is_weight_only(context->world, team->first + i), &next, &loads[i]);
    }
    if (predict_together(context, team, loads, next, thread)) return;
    for (size_t i = 0; i < team->count; i++) predict_rod(context, team->first + i, &loads[i], next, thread);
}

static void predict_unwelded(void *user, size_t index, int thread) {
    const cdg_step_context *context = user;
    const world_team *team = &context->world->teams[index];
    bool is_alone = !team->has_weld && !team->has_tie;
    if (is_alone) predict_team(user, index, thread);
    for (size_t i = 0; i < team->count && !is_alone; i++)
        keep_holds(context->world->rods[cdg_team_rod(context->world, team, i)].rod);
}

void cdg_step_predict_rods(cdg_step_context *context) {
    cdg_parallel_for(context->world->team_count, context->threads, predict_unwelded, context);
}

bool cdg_step_predict_team(cdg_step_context *context, size_t index, int thread) {
    context->failed_rod[thread] = SIZE_MAX; // a trial that failed is over when the next one begins
    predict_team(context, index, thread);
    return context->failed_rod[thread] == SIZE_MAX;
}

// Puts the prescribed frames back to the last good time, so that what is measured there is still true.
static void drive_supports_back(const cdg_world *world) {
    for (size_t i = 0; i < world->rod_count; i++)
        if (world->rods[i].rod != NULL) cdg_supports_drive(world, (uint32_t)i, world->time);
}

// A roll is measured from the support's frame, and means nothing where the section has leant over by half a turn.
static const char *doubt_rolls(const cdg_rod *rod, char text[200]) {
    const double most = 150 * 3.14159265358979 / 180;
    text[0] = '\0';
    for (size_t h = 0; h < rod->hold_count; h++) {
        const cdg_hold *hold = &rod->holds[h];
        size_t left = rod_left_element(rod, hold->node), right = rod_right_element(rod, hold->node);
        cdg_vec3 along = quat_d3(rod_quat(rod->q, right != SIZE_MAX ? right : left));
        double lean = acos(fmax(-1, fmin(1, vec3_dot(along, quat_d3(hold->frame)))));
        if (hold->frame_hold != CDG_HOLD_ROLL || lean < most) continue;
        snprintf(
            text, 200,
            "; at node %zu its roll is held, and it has leant over by %.0f degrees: near 180 a roll means nothing; "
            "clamp it there, or let it roll",
            hold->node, lean * 180 / 3.14159265358979);
    }
    return text;
}

cdg_result cdg_step_failure(cdg_step_context *context) {
    cdg_world *world = context->world;
    size_t worst = SIZE_MAX;
    const cdg_error *error = NULL;
    for (int t = 0; t < world->thread_count; t++)
        if (context->failed_rod[t] < worst) worst = context->failed_rod[t], error = &context->errors[t];
    if (error == NULL) return CDG_OK;
    drive_supports_back(world);
    world->failed_rod = worst;
    char doubt[200];
    return cdg_fail(&world->error, error->code, "rod '%s' at t = %.9g s (step %llu): %.800s%s",
                    world->rods[worst].rod->name, context->time, (unsigned long long)world->step_index + 1,
                    error->message, doubt_rolls(world->rods[worst].rod, doubt));
}

void cdg_step_drive_back(cdg_world *world) {
    cdg_welds_follow(world);
    cdg_ties_follow(world);
    drive_supports_back(world);
}

// ---- again, with other contact forces -------------------------------------------------------------------------------

typedef struct again_context {
    cdg_step_context *step;
    const uint32_t *indices;
} again_context;

static void predict_listed(void *user, size_t index, int thread) {
    const again_context *again = user;
    cdg_world *world = again->step->world;
    const world_rod *entry = &world->rods[again->indices[index]];
    if (entry->has_weld || entry->has_tie) return; // with its bodies or solids
    if (entry->is_in_net && world->teams[entry->team].has_tie) return;
    char *next = world->scratch[thread];
    cdg_rod_loads loads;
    if (entry->is_in_net) {
        predict_net(again->step, &world->teams[entry->team], next, thread);
        return;
    }
    collect_loads(again->step, again->indices[index], cdg_step_is_weight_only(world, again->indices[index]), &next,
                  &loads);
    predict_rod(again->step, again->indices[index], &loads, next, thread);
}

// Rods with welds move with their bodies, so that all of them are predicted when one is.
static cdg_result predict_bodies_again(cdg_step_context *context, const uint32_t *indices, size_t count) {
    cdg_world *world = context->world;
    bool is_any = world->contacts.again_bodies;
    for (size_t i = 0; i < count; i++) is_any = is_any || world->rods[indices[i]].has_weld;
    if (!is_any) return CDG_OK;
    cdg_rigids_push(world);
    cdg_result bodies = cdg_bodies_predict_again(world);
    cdg_result result = bodies != CDG_OK ? cdg_step_failure(context) : CDG_OK;
    for (size_t i = 0; i < world->rod_count && bodies == CDG_OK; i++)
        if (world->rods[i].rod != NULL && world->rods[i].has_weld)
            cdg_pieces_reload(&world->contacts.pieces, i, context->step);
    if (bodies == CDG_OK) {
        cdg_rigids_respond(world);
        cdg_rigids_predicted(world);
        cdg_rigids_predict_touched(world);
        cdg_body_pieces_load(&world->contacts.pieces, world->contacts.bodies, context->step);
    }
    return result != CDG_OK ? result : bodies;
}

static cdg_result predict_again_apart(cdg_step_context *context, const uint32_t *indices, size_t count) {
    again_context again = {context, indices};
    size_t rods = 0; // come first, ascending
    while (rods < count && indices[rods] < context->world->rod_count) rods++;
    cdg_result objects = cdg_objects_predict_again(context, indices + rods, count - rods);
    if (objects != CDG_OK) return objects;
    count = rods;
    size_t elements = 0, worth = 500; // as many take long enough to wake a thread for
    for (size_t i = 0; i < count; i++) elements += context->world->rods[indices[i]].rod->element_count;
    cdg_parallel_for(count, count > 1 && elements > worth ? context->threads : 1, predict_listed, &again);
    cdg_result result = cdg_step_failure(context);
    return result == CDG_OK ? predict_bodies_again(context, indices, count) : result;
}

cdg_result cdg_step_predict_again(cdg_step_context *context, const uint32_t *indices, size_t count) {
    cdg_result result = predict_again_apart(context, indices, count);
    return result == CDG_OK ? cdg_ties_predict_again(context, indices, count) : result;
}

// ---- commit ---------------------------------------------------------------------------------------------------------

static void commit_rod(void *user, size_t index, int thread) {
    (void)thread;
    cdg_step_context *context = user;
    world_rod *entry = &context->world->rods[index];
    cdg_prefetch_commit(context->world, index);
    if (entry->rod == NULL) return;
    entry->rod->model->commit(entry->rod, context->step);
    cdg_loads_keep(context->world, (uint32_t)index);
    cdg_supports_collect(context->world, (uint32_t)index, context->time);
}

void cdg_step_commit_rods(cdg_step_context *context) {
    cdg_parallel_for(context->world->rod_count, context->threads, commit_rod, context);
}

// ---- single rods, for many worlds at once (world_together.c) --------------------------------------------------------

cdg_step_context cdg_step_context_of(cdg_world *world, cdg_step_part *part) {
    return (cdg_step_context){.world = world,
                              .time = part->time,
                              .step = part->step,
                              .threads = 1,
                              .errors = &part->error,
                              .failed_rod = &part->failed_rod};
}

void cdg_step_load(cdg_world *world, cdg_step_part *part, size_t index, cdg_rod_loads *out) {
    cdg_step_context context = cdg_step_context_of(world, part);
    char *next = world->scratch[0];
    drive_supports(&context, index);
    check_support_turns(&context, index, 0);
    collect_loads(&context, index, cdg_step_is_weight_only(world, index), &next, out);
    part->scratch = next;
}

void cdg_step_take(cdg_world *world, cdg_step_part *part, size_t index, const cdg_rod_loads *loads,
                   const cdg_rod_step_result *result) {
    cdg_step_context context = cdg_step_context_of(world, part);
    world->rods[index].result = *result;
    book_loads(&context, index, loads);
    check_turns(&context, index, 0);
}

void cdg_step_predict(cdg_world *world, cdg_step_part *part, size_t index, const cdg_rod_loads *loads) {
    cdg_step_context context = cdg_step_context_of(world, part);
    predict_rod(&context, index, loads, part->scratch, 0);
}
