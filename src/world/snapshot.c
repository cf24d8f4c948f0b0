// Everything that decides a world's future, as doubles: for a continuation that is identical to the last bit.
#include "base/error.h"
#include "world/cuts.h"
#include "world/planned.h"
#include "world/solid_object.h"
#include "world/tape.h"
#include "world/tie.h"

#include <assert.h>
#include <string.h>

static void pass_weld(cdg_tape *t, world_weld *weld) {
    cdg_tape_pass_flag(t, &weld->is_old);
    world_weld_past *p = &weld->past;
    cdg_vec3 *vectors[] = {&p->force, &p->lever, &p->moment, &p->force_rate, &p->lever_rate, &p->moment_rate};
    for (size_t k = 0; k < sizeof vectors / sizeof *vectors; k++) cdg_tape_pass_vec3(t, vectors[k]);
}

static void pass_unit(cdg_tape *t, world_unit *unit) {
    cdg_tape_pass_flag(t, &unit->is_known);
    cdg_tape_pass(t, unit->stiffness, 36 * unit->weld_count * unit->weld_count);
}

static void pass_side(cdg_tape *t, cdg_contact_side *side) {
    uint64_t parts[3] = {side->kind, side->object, side->primitive};
    for (int k = 0; k < 3; k++) cdg_tape_pass_index(t, &parts[k]);
    if (t->direction != CDG_TAPE_LOAD) return;
    *side = (cdg_contact_side){
        .kind = (cdg_side_kind)parts[0], .object = (uint32_t)parts[1], .primitive = (uint32_t)parts[2]};
}

// Contacts of the last step, with what the next one starts from and what is read back. As much room as there can be, so
// that the size does not change in a run.
static void pass_contacts(cdg_tape *t, cdg_world *world) {
    cdg_contacts *c = &world->contacts;
    uint64_t count = c->kept_count;
    cdg_tape_pass_flag(t, &c->is_known_free);
    cdg_tape_pass_flag(t, &c->is_parting);
    cdg_tape_pass_index(t, &count);
    if (t->direction == CDG_TAPE_LOAD) c->kept_count = (size_t)count;
    size_t elements = 0, triangles = 0; // whether or not contact was prepared yet
    for (size_t i = 0; i < world->solid_count; i++) triangles += world->solids[i]->solid.surface_count;
    for (size_t i = 0; i < world->rod_count; i++)
        if (world->rods[i].rod != NULL) elements += world->rods[i].rod->element_capacity;
    size_t capacity = t->is_brief ? (size_t)count : cdg_contacts_capacity(elements, triangles, world->body_count);
    for (size_t i = 0; i < capacity; i++) {
        cdg_contact none = {0}, *contact = i < count ? &c->kept[i] : &none;
        if (t->direction == CDG_TAPE_LOAD) *contact = none;
        for (int k = 0; k < 2; k++) pass_side(t, &contact->side[k]);
        for (int k = 0; k < 2; k++) cdg_tape_pass_vec3(t, &contact->point[k]);
        cdg_tape_pass_flag(t, &contact->sticks);
        cdg_tape_pass_flag(t, &contact->is_impact);
        cdg_tape_pass(t, contact->parameter, 2);
        cdg_tape_pass(t, &contact->gap, 1);
        cdg_tape_pass(t, &contact->radius, 1);
        cdg_tape_pass(t, &contact->warm_start, 1);
        for (int k = 0; k < 2; k++) cdg_tape_pass_vec3(t, &contact->lasting[k]);
        cdg_tape_pass_vec3(t, &contact->normal);
        cdg_tape_pass_vec3(t, &contact->force);
        cdg_tape_pass_vec3(t, &contact->drift);
    }
}

static void pass_guard(cdg_tape *t, world_guard *guard) {
    double *values[] = {&guard->most_lost,     &guard->lost,        &guard->scale,   &guard->work,
                        &guard->doubt,         &guard->worst,       &guard->adapted, &guard->strained,
                        &guard->strained_time, &guard->strained_rod};
    for (size_t k = 0; k < sizeof values / sizeof *values; k++) cdg_tape_pass(t, values[k], 1);
    cdg_tape_pass_index(t, &guard->wait);
    cdg_tape_pass_index(t, &guard->patience);
    cdg_tape_pass_index(t, &guard->streak);
    cdg_tape_pass_flag(t, &guard->is_on);
    cdg_tape_pass_flag(t, &guard->is_rough);
    cdg_tape_pass_flag(t, &guard->is_new);
    cdg_tape_pass_flag(t, &guard->begins_anew);
}

static void pass_grip(cdg_tape *t, world_grip *grip) {
    uint64_t key = grip->key;
    cdg_tape_pass_flag(t, &grip->is_holding);
    cdg_tape_pass_index(t, &key);
    if (t->direction == CDG_TAPE_LOAD) grip->key = (size_t)key;
    cdg_tape_pass_vec3(t, &grip->before);
    cdg_tape_pass_vec3(t, &grip->velocity);
    cdg_tape_pass(t, &grip->roll, 1);
    cdg_tape_pass_quat(t, &grip->frame);
    cdg_tape_pass_vec3(t, &grip->exerted);
    cdg_tape_pass(t, &grip->torque, 1);
}

// Those that are there now and were when it was saved; hands that came since stay as they are.
static void pass_grips(cdg_tape *t, cdg_world *world) {
    uint64_t count = world->grip_count;
    cdg_tape_pass_index(t, &count);
    for (size_t i = 0; i < count; i++) {
        world_grip gone = {0};
        pass_grip(t, i < world->grip_count ? &world->grips[i] : &gone);
    }
}

// Those that are led now and were when it was saved; what has been led since then is what it was before.
static void pass_led(cdg_tape *t, cdg_world *world) {
    uint64_t count = world->led_count;
    cdg_tape_pass_index(t, &count);
    for (size_t i = 0; i < count; i++) {
        double numbers[CDG_LED_NUMBERS] = {0};
        bool is_led = t->direction != CDG_TAPE_LOAD && cdg_led_get(world, i, numbers);
        cdg_tape_pass_flag(t, &is_led);
        cdg_tape_pass(t, numbers, CDG_LED_NUMBERS);
        if (t->direction == CDG_TAPE_LOAD && i < world->led_count) cdg_led_set(world, i, is_led, numbers);
    }
    for (size_t i = (size_t)count; t->direction == CDG_TAPE_LOAD && i < world->led_count; i++)
        cdg_led_set(world, i, false, NULL);
}

// The first: what rods there are follows from it.
static void pass_cuts(cdg_tape *t, cdg_world *world) {
    uint64_t count = world->cut_count;
    bool changes = false;
    cdg_tape_pass_index(t, &count);
    for (size_t i = 0; i < world->cut_count; i++) {
        struct world_cut *cut = &world->cuts[i];
        uint64_t numbers[2] = {cut->rod, cut->local};
        bool was_joined = cut->is_joined;
        for (int k = 0; k < 2; k++) cdg_tape_pass_index(t, &numbers[k]);
        cdg_tape_pass_flag(t, &cut->is_joined);
        changes = changes || cut->is_joined != was_joined;
    }
    if (changes) cdg_cuts_mark_anew(world);
}

static void pass_world(cdg_tape *t, cdg_world *world) {
    pass_cuts(t, world);
    cdg_tape_pass(t, &t->fingerprint, 1); // where fingerprint_in looks for it
    cdg_tape_pass(t, &world->time, 1);
    cdg_tape_pass(t, &world->step, 1);
    cdg_tape_pass(t, &world->base_time, 1);
    cdg_tape_pass_index(t, &world->step_index);
    cdg_tape_pass_index(t, &world->base_index);
    cdg_tape_pass(t, &world->external_work, 1);
    cdg_tape_pass(t, &world->energy_at_start, 1);
    cdg_tape_pass(t, &world->adapted, 1);
    cdg_tape_pass_flag(t, &world->has_started);
    pass_guard(t, &world->guard);
    for (size_t i = 0; i < world->rod_count; i++) {
        cdg_tape_pass(t, &world->rods[i].energy, 1);
        cdg_tape_pass_flag(t, &world->rods[i].may_overlap);
    }
    for (int k = 0; k < CDG_KIND_COUNT; k++) cdg_kinds[k].snapshot(world, t);
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
    cdg_tape t = {.direction = CDG_TAPE_COUNT};
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
    cdg_tape t = {.direction = CDG_TAPE_SAVE, .data = out, .fingerprint = cdg_world_fingerprint(world)};
    pass_world(&t, unconst(world));
    // The size is that of the finest resolution; the numbers that are left over mean nothing.
    if (world->adapting_count + world->plan_count > 0)
        memset(out + t.count, 0, (cdg_world_snapshot_size(world) - t.count) * sizeof *out);
    return CDG_OK;
}

void cdg_world_keep_state(cdg_world *world) {
    cdg_tape t = {.direction = CDG_TAPE_SAVE, .data = world->snapshot, .is_brief = true};
    pass_world(&t, world);
    assert(t.count <= world->snapshot_capacity); // who adds to the state sets scratch_size to 0
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
    if (result == CDG_OK && must_be_alike) result = cdg_planned_choose(world, time_in(in)[0], time_in(in)[1]);
    if (result == CDG_OK) result = cdg_cuts_restore(world, in); // the message of a step that failed stays
    if (result == CDG_OK && must_be_alike) result = check_fingerprint(world, in);
    if (result == CDG_OK) result = cdg_joints_form_nets(world); // from the rest shape that the joints were made in
    // Room for contacts; and all that the next step would prepare, which then does not take the state for a new start.
    if (result == CDG_OK) result = cdg_world_ensure_scratch(world);
    if (result != CDG_OK) return result;
    cdg_tape t = {.direction = CDG_TAPE_LOAD, .data = (double *)(uintptr_t)in, .is_brief = true};
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
    cdg_guard_follow(world);
    if (!world_has_contact(world)) world->contacts.is_known_free = world->step_index > 0; // else the tape says it
    return CDG_OK;
}

cdg_result cdg_world_snapshot_load(cdg_world *world, const double *in) {
    if (world == NULL) return CDG_ERROR_ARGUMENT;
    if (in == NULL) return cdg_fail_null(&world->error, "in");
    return load(world, in, true);
}

cdg_result cdg_world_take_state_over(cdg_world *world, const double *in) { return load(world, in, false); }
