// Everything that decides a world's future, as doubles: for a continuation that is identical to the last bit.
#include "base/error.h"
#include "world/cuts.h"
#include "world/planned.h"
#include "world/solid_object.h"
#include "world/tie.h"

#include <string.h>

// Either counts, writes or reads, always over the same values in the same order.
typedef enum direction { COUNT, SAVE, LOAD } direction;
typedef struct tape {
    direction direction;
    double *data;
    size_t count;
    bool is_brief;      // room for contacts that are not there is left as it is; they are the last
    double fingerprint; // of what snapshots are of (fingerprint.c); 0: none was taken
} tape;

static void pass(tape *t, double *values, size_t count) {
    if (t->direction == SAVE) memcpy(t->data + t->count, values, count * sizeof *values);
    if (t->direction == LOAD) memcpy(values, t->data + t->count, count * sizeof *values);
    t->count += count;
}

static void pass_index(tape *t, uint64_t *value) { // exact up to 2^53 steps
    double as_double = (double)*value;
    pass(t, &as_double, 1);
    if (t->direction == LOAD) *value = (uint64_t)as_double;
}

static void pass_flag(tape *t, bool *value) {
    double as_double = *value ? 1 : 0;
    pass(t, &as_double, 1);
    if (t->direction == LOAD) *value = as_double != 0;
}

static void pass_several(tape *t, double *const *arrays, size_t array_count, size_t count) {
    for (size_t k = 0; k < array_count; k++) pass(t, arrays[k], count);
}

static void pass_bytes(tape *t, uint8_t *values, size_t count) {
    for (size_t i = 0; i < count; i++) {
        double as_double = values[i];
        pass(t, &as_double, 1);
        if (t->direction == LOAD) values[i] = (uint8_t)as_double;
    }
}

static void pass_count(tape *t, size_t *value) {
    uint64_t as_index = *value;
    pass_index(t, &as_index);
    if (t->direction == LOAD) *value = (size_t)as_index;
}

static void pass_sections(tape *t, cdg_rod *rod) {
    pass(t, rod->line_mass, rod->element_count);
    pass_several(t, rod->stretch_stiffness, 3, rod->element_count);
    pass_several(t, rod->frame_inertia, 3, rod->element_count);
    pass_several(t, rod->bend_stiffness, 3, rod->node_count);
    pass(t, rod->radius, rod->node_count);
}

// Resolution, with the constants that go with it. To count, the rod is as large as it may become.
static void pass_resolution(tape *t, cdg_rod *rod) {
    cdg_rod_adapt *adapt = rod->adapt;
    pass_count(t, &rod->element_count);
    if (t->direction == LOAD) rod->node_count = rod->element_count + (rod->is_closed ? 0 : 1);
    pass_count(t, &adapt->halved_count);
    pass_flag(t, &adapt->is_new);
    pass_index(t, &adapt->split_count);
    pass_index(t, &adapt->merge_count);
    for (int k = 0; k < CDG_ADAPT_REFUSALS; k++)
        pass_index(t, &adapt->refused[0][k]), pass_index(t, &adapt->refused[1][k]);
    pass(t, &adapt->given, 1);
    pass(t, &adapt->scale, 1);
    pass_bytes(t, adapt->level, rod->element_count);
    pass_bytes(t, adapt->part, rod->element_count);
    for (size_t j = 0; j < rod->element_count; j++) {
        double calm = (double)adapt->calm[j];
        pass(t, &calm, 1);
        if (t->direction == LOAD) adapt->calm[j] = (float)calm;
    }
    pass(t, adapt->arc, rod->node_count);
    for (size_t i = 0; i < adapt->user_node_count; i++) {
        uint64_t node = adapt->user_node[i];
        pass_index(t, &node);
        if (t->direction == LOAD) adapt->user_node[i] = (uint32_t)node;
    }
    pass(t, rod->rest_length, rod->element_count);
    pass(t, rod->node_mass, rod->node_count);
    if (!rod->has_one_turn) pass_several(t, rod->rest_turn, 4, rod->node_count);
    if (rod->rest_curl[0] != NULL) pass_several(t, rod->rest_curl, 3, rod->node_count);
    if (rod->section_stride != 0) pass_sections(t, rod);
    if (t->direction == LOAD) cdg_rod_adapt_settle(rod);
}

static void pass_rod(tape *t, cdg_rod *rod) {
    if (rod->adapt != NULL) pass_resolution(t, rod);
    pass_several(t, rod->x, 3, rod->node_count);
    pass_several(t, rod->v, 3, rod->node_count);
    pass_several(t, rod->q, 4, rod->element_count);
    pass_several(t, rod->w, 3, rod->element_count);
    if (rod->twist != NULL) pass(t, rod->twist, rod->node_count);
    if (rod->tension != NULL) pass(t, rod->tension, rod->element_count);
    if (rod->x_before[0] != NULL) {
        pass_several(t, rod->x_before, 3, rod->node_count);
        pass_several(t, rod->v_before, 3, rod->node_count);
        pass_several(t, rod->q_before, 4, rod->element_count);
        pass_several(t, rod->w_before, 3, rod->element_count);
    }
    if (rod->own_count > 0) pass(t, rod->own, rod->own_count);
    pass_flag(t, &rod->has_history);
    pass(t, &rod->history_step, 1);
    pass(t, &rod->calm_substep, 1);
}

static void pass_vec3(tape *t, cdg_vec3 *v) {
    pass(t, &v->x, 1);
    pass(t, &v->y, 1);
    pass(t, &v->z, 1);
}

static void pass_body(tape *t, cdg_body_now *now) {
    pass_vec3(t, &now->x);
    double *q[4] = {&now->q.w, &now->q.x, &now->q.y, &now->q.z};
    for (int k = 0; k < 4; k++) pass(t, q[k], 1);
    pass_vec3(t, &now->v);
    pass_vec3(t, &now->spin);
    pass_vec3(t, &now->move_rate);
    pass_vec3(t, &now->turn_rate);
}

static void pass_weld(tape *t, world_weld *weld) {
    pass_flag(t, &weld->is_old);
    world_weld_past *p = &weld->past;
    cdg_vec3 *vectors[] = {&p->force, &p->lever, &p->moment, &p->force_rate, &p->lever_rate, &p->moment_rate};
    for (size_t k = 0; k < sizeof vectors / sizeof *vectors; k++) pass_vec3(t, vectors[k]);
}

static void pass_unit(tape *t, world_unit *unit) {
    pass_flag(t, &unit->is_known);
    pass(t, unit->stiffness, 36 * unit->weld_count * unit->weld_count);
}

static void pass_side(tape *t, cdg_contact_side *side) {
    uint64_t parts[3] = {side->kind, side->object, side->primitive};
    for (int k = 0; k < 3; k++) pass_index(t, &parts[k]);
    if (t->direction != LOAD) return;
    *side = (cdg_contact_side){
        .kind = (cdg_side_kind)parts[0], .object = (uint32_t)parts[1], .primitive = (uint32_t)parts[2]};
}

// Contacts of the last step, with what the next one starts from and what is read back. As much room as there can be, so
// that the size does not change in a run.
static void pass_contacts(tape *t, cdg_world *world) {
    cdg_contacts *c = &world->contacts;
    uint64_t count = c->kept_count;
    pass_flag(t, &c->is_known_free);
    pass_flag(t, &c->is_parting);
    pass_index(t, &count);
    if (t->direction == LOAD) c->kept_count = (size_t)count;
    size_t elements = 0, triangles = 0; // whether or not contact was prepared yet
    for (size_t i = 0; i < world->solid_count; i++) triangles += world->solids[i]->solid.surface_count;
    for (size_t i = 0; i < world->rod_count; i++)
        if (world->rods[i].rod != NULL) elements += world->rods[i].rod->element_capacity;
    size_t capacity = t->is_brief ? (size_t)count : cdg_contacts_capacity(elements, triangles, world->body_count);
    for (size_t i = 0; i < capacity; i++) {
        cdg_contact none = {0}, *contact = i < count ? &c->kept[i] : &none;
        if (t->direction == LOAD) *contact = none;
        for (int k = 0; k < 2; k++) pass_side(t, &contact->side[k]);
        for (int k = 0; k < 2; k++) pass_vec3(t, &contact->point[k]);
        pass_flag(t, &contact->sticks);
        pass_flag(t, &contact->is_impact);
        pass(t, contact->parameter, 2);
        pass(t, &contact->gap, 1);
        pass(t, &contact->radius, 1);
        pass(t, &contact->warm_start, 1);
        pass_vec3(t, &contact->normal);
        pass_vec3(t, &contact->force);
        pass_vec3(t, &contact->drift);
    }
}

static void pass_guard(tape *t, world_guard *guard) {
    double *values[] = {&guard->most_lost, &guard->lost,  &guard->scale,  &guard->work,
                        &guard->doubt,     &guard->worst, &guard->adapted};
    for (size_t k = 0; k < sizeof values / sizeof *values; k++) pass(t, values[k], 1);
    pass_index(t, &guard->wait);
    pass_index(t, &guard->patience);
    pass_index(t, &guard->streak);
    pass_flag(t, &guard->is_on);
    pass_flag(t, &guard->is_rough);
    pass_flag(t, &guard->is_new);
    pass_flag(t, &guard->begins_anew);
}

static void pass_grip(tape *t, world_grip *grip) {
    uint64_t key = grip->key;
    pass_flag(t, &grip->is_holding);
    pass_index(t, &key);
    if (t->direction == LOAD) grip->key = (size_t)key;
    pass_vec3(t, &grip->before);
    pass_vec3(t, &grip->velocity);
    pass(t, &grip->roll, 1);
    double *q[4] = {&grip->frame.w, &grip->frame.x, &grip->frame.y, &grip->frame.z};
    for (int k = 0; k < 4; k++) pass(t, q[k], 1);
}

// Those that are there now and were when it was saved; hands that came since stay as they are.
static void pass_grips(tape *t, cdg_world *world) {
    uint64_t count = world->grip_count;
    pass_index(t, &count);
    for (size_t i = 0; i < count; i++) {
        world_grip gone = {0};
        pass_grip(t, i < world->grip_count ? &world->grips[i] : &gone);
    }
}

// Those that are led now and were when it was saved; what has been led since then is what it was before.
static void pass_led(tape *t, cdg_world *world) {
    uint64_t count = world->led_count;
    pass_index(t, &count);
    for (size_t i = 0; i < count; i++) {
        double numbers[CDG_LED_NUMBERS] = {0};
        bool is_led = t->direction != LOAD && cdg_led_get(world, i, numbers);
        pass_flag(t, &is_led);
        pass(t, numbers, CDG_LED_NUMBERS);
        if (t->direction == LOAD && i < world->led_count) cdg_led_set(world, i, is_led, numbers);
    }
    for (size_t i = (size_t)count; t->direction == LOAD && i < world->led_count; i++)
        cdg_led_set(world, i, false, NULL);
}

// The first: what rods there are follows from it.
static void pass_cuts(tape *t, cdg_world *world) {
    uint64_t count = world->cut_count;
    bool changes = false;
    pass_index(t, &count);
    for (size_t i = 0; i < world->cut_count; i++) {
        struct world_cut *cut = &world->cuts[i];
        uint64_t numbers[2] = {cut->rod, cut->local};
        bool was_joined = cut->is_joined;
        for (int k = 0; k < 2; k++) pass_index(t, &numbers[k]);
        pass_flag(t, &cut->is_joined);
        changes = changes || cut->is_joined != was_joined;
    }
    if (changes) cdg_cuts_mark_anew(world);
}

static void pass_values(void *t, double *values, size_t count) { pass(t, values, count); }

// Forces that were set for nodes of another resolution.
static void forget_forces(world_rod *place, const cdg_rod *rod) {
    size_t count = rod->node_count + rod->element_count;
    if (place->own_forces != NULL) memset(place->own_forces, 0, 2 * count * sizeof *place->own_forces);
}

static void pass_world(tape *t, cdg_world *world) {
    pass_cuts(t, world);
    pass(t, &t->fingerprint, 1); // where fingerprint_in looks for it
    pass(t, &world->time, 1);
    pass(t, &world->step, 1);
    pass(t, &world->base_time, 1);
    pass_index(t, &world->step_index);
    pass_index(t, &world->base_index);
    pass(t, &world->external_work, 1);
    pass(t, &world->energy_at_start, 1);
    pass(t, &world->adapted, 1);
    pass_flag(t, &world->has_started);
    pass_guard(t, &world->guard);
    for (size_t i = 0; i < world->rod_count; i++) {
        pass(t, &world->rods[i].energy, 1);
        pass_flag(t, &world->rods[i].may_overlap);
    }
    for (size_t i = 0; i < world->rod_count; i++) {
        cdg_rod *rod = world->rods[i].rod;
        if (rod == NULL) continue;
        cdg_rod largest = t->direction == COUNT ? rod_largest(rod) : *rod;
        size_t nodes = rod->node_count;
        pass_rod(t, t->direction == COUNT ? &largest : rod);
        if (rod->node_count != nodes) forget_forces(&world->rods[i], rod);
    }
    if (t->direction == LOAD && world->adapting_count > 0) cdg_adapt_restore(world);
    for (size_t i = 0; i < world->support_count; i++) { // so that probes of reactions agree, too
        pass_vec3(t, &world->supports[i].force);
        pass_vec3(t, &world->supports[i].moment);
        pass_flag(t, &world->supports[i].is_released); // whether steps are divided for its motion
    }
    for (size_t i = 0; i < world->body_count; i++) pass_body(t, &world->bodies[i].now);
    cdg_objects_snapshot(world, pass_values, t);
    cdg_ties_snapshot(world, pass_values, t);
    for (size_t i = 0; i < world->weld_count; i++) pass_weld(t, &world->welds[i]);
    for (size_t i = 0; i < cdg_bodies_unit_count(world); i++) pass_unit(t, cdg_bodies_unit(world, i));
    pass_grips(t, world);
    pass_led(t, world);
    if (world_has_contact(world)) pass_contacts(t, world); // the last: a brief tape ends where they do
}

// Counting and saving only read the world; the tape needs one type for both ways.
static cdg_world *unconst(const cdg_world *world) { return (cdg_world *)(uintptr_t)world; }

size_t cdg_world_snapshot_size(const cdg_world *world) {
    if (world == NULL) return 0;
    if (cdg_bodies_prepare(unconst(world)) != CDG_OK || cdg_ties_reserve(unconst(world)) != CDG_OK) return 0;
    tape t = {.direction = COUNT};
    pass_world(&t, unconst(world));
    if (world->plan_count == 0) return t.count;
    size_t made = 0; // the size is that before all planned cuts were made, and after
    for (size_t i = 0; i < world->plan_count; i++) made += cdg_cuts_are_made(world, &world->plans[i]);
    size_t size = t.count + (world->plan_count - made) * CDG_CUT_ROOM;
    if (size > world->snapshot_room) unconst(world)->snapshot_room = size;
    return world->snapshot_room;
}

cdg_result cdg_world_snapshot_save(const cdg_world *world, double *out) {
    if (world == NULL || out == NULL) return CDG_ERROR_ARGUMENT;
    cdg_result result = cdg_bodies_prepare(unconst(world));
    if (result == CDG_OK) result = cdg_ties_reserve(unconst(world));
    if (result != CDG_OK) return result;
    tape t = {.direction = SAVE, .data = out, .fingerprint = cdg_world_fingerprint(world)};
    pass_world(&t, unconst(world));
    // The size is that of the finest resolution: what is left means nothing.
    if (world->adapting_count + world->plan_count > 0)
        memset(out + t.count, 0, (cdg_world_snapshot_size(world) - t.count) * sizeof *out);
    return CDG_OK;
}

void cdg_world_keep_state(cdg_world *world) {
    tape t = {.direction = SAVE, .data = world->snapshot, .is_brief = true};
    pass_world(&t, world);
}

static double fingerprint_in(const double *snapshot) { return snapshot[1 + CDG_CUT_NUMBERS * (size_t)snapshot[0]]; }

static const double *time_in(const double *snapshot) { // and the step after it
    return snapshot + 2 + CDG_CUT_NUMBERS * (size_t)snapshot[0];
}

// Once the cuts are the same.
static cdg_result check_fingerprint(cdg_world *world, const double *in) {
    const cdg_world *then = cdg_planned_at(world, time_in(in)[0], time_in(in)[1]); // as it was at that time
    if (fingerprint_in(in) == cdg_world_fingerprint(then)) return CDG_OK;
    return cdg_fail(&world->error, CDG_ERROR_ARGUMENT,
                    "the snapshot is of another world: materials, sections and masses must be the same");
}

cdg_result cdg_world_snapshot_check(cdg_world *world, const double *in) {
    if (world == NULL) return CDG_ERROR_ARGUMENT;
    if (in == NULL) return cdg_fail_null(&world->error, "in");
    if (!(in[0] >= 0 && in[0] < 4294967296.0))
        return cdg_fail(&world->error, CDG_ERROR_ARGUMENT, "this is no snapshot");
    return (size_t)in[0] == world->cut_count ? check_fingerprint(world, in) : CDG_OK;
}

static cdg_result load(cdg_world *world, const double *in, bool must_be_alike) {
    cdg_result result = must_be_alike ? cdg_world_snapshot_check(world, in) : CDG_OK;
    if (result == CDG_OK && must_be_alike) cdg_planned_choose(world, time_in(in)[0], time_in(in)[1]);
    if (result == CDG_OK) result = cdg_cuts_restore(world, in); // the message of a step that failed stays
    if (result == CDG_OK && must_be_alike) result = check_fingerprint(world, in);
    if (result == CDG_OK) result = cdg_joints_form_nets(world); // from the rest shape that the joints were made in
    // Room for contacts; and all that the next step would prepare, which then does not take the state for a new start.
    if (result == CDG_OK) result = cdg_world_ensure_scratch(world);
    if (result != CDG_OK) return result;
    tape t = {.direction = LOAD, .data = (double *)(uintptr_t)in, .is_brief = true};
    pass_world(&t, world);
    cdg_grips_restore(world);
    if (world->scratch_size == 0) { // hands hold that did not before: teams are others, and contacts are forgotten
        result = cdg_world_ensure_scratch(world);
        if (result != CDG_OK) return result;
        t.count = 0;
        pass_world(&t, world);
    }
    cdg_welds_follow(world);
    cdg_ties_follow(world);
    for (size_t i = 0; i < world->rod_count; i++)
        if (world->rods[i].rod != NULL) cdg_supports_drive(world, (uint32_t)i, world->time);
    return CDG_OK;
}

cdg_result cdg_world_snapshot_load(cdg_world *world, const double *in) {
    if (world == NULL) return CDG_ERROR_ARGUMENT;
    if (in == NULL) return cdg_fail_null(&world->error, "in");
    return load(world, in, true);
}

cdg_result cdg_world_take_state_over(cdg_world *world, const double *in) { return load(world, in, false); }
