// Rods that adapt, in a world: after a step, where contact and shape ask for it, resolution changes, and all that knows
// nodes by number follows: supports, contacts. Hands find their place when they take hold.
#include "adapt/adapt.h"
#include "math/quat.h"
#include "world/adapt_way.h"
#include "world/rod_proxy.h"
#include "world/tie.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// After an operation the next element stays as it is in this step. (Farther apart, resolution takes more steps to
// follow, after each of which contact begins anew.)
enum { APART = 1 };

// Pushes near one operation; what there is beyond is left out.
enum { PUSHES_MAX = 64, PUSH_ELEMENTS = 4 };

// ---- contact --------------------------------------------------------------------------------------------------------

static void mark_side(const cdg_world *world, const cdg_contact *contact, int k) {
    const cdg_contact_side *side = &contact->side[k];
    if (side->kind != CDG_SIDE_SEGMENT || side->object >= world->rod_count) return;
    const cdg_rod *rod = world->rods[side->object].rod;
    if (rod == NULL || rod->adapt == NULL || side->primitive >= rod->element_count) return;
    rod->adapt->touch[side->primitive] |= contact->parameter[k] < 0.5 ? 1 : 2;
}

static void mark_contacts(const cdg_world *world) {
    for (size_t i = 0; i < world->rod_count; i++) {
        const cdg_rod *rod = world->rods[i].rod;
        if (rod != NULL && rod->adapt != NULL) memset(rod->adapt->touch, 0, rod->element_count);
    }
    for (size_t i = 0; i < world->contacts.kept_count && world_has_contact(world); i++) {
        const cdg_contact *contact = &world->contacts.kept[i];
        if (!(vec3_dot(contact->force, contact->force) > 0)) continue;
        for (int k = 0; k < 2; k++) mark_side(world, contact, k);
    }
}

static bool has_contacts(const cdg_world *world) {
    return world_has_contact(world) && world->contacts.pieces.memory != NULL;
}

// ---- pushes ---------------------------------------------------------------------------------------------------------

static bool is_near_element(const cdg_rod *rod, size_t a, size_t b) {
    size_t apart = a > b ? a - b : b - a;
    return apart <= PUSH_ELEMENTS || (rod->is_closed && rod->element_count - apart <= PUSH_ELEMENTS);
}

static size_t add_contact_pushes(const cdg_world *world, size_t index, size_t element, cdg_adapt_push *out) {
    const cdg_rod *rod = world->rods[index].rod;
    size_t count = 0;
    for (size_t i = 0; i < world->contacts.kept_count; i++) {
        const cdg_contact *contact = &world->contacts.kept[i];
        for (int k = 0; k < 2; k++) {
            const cdg_contact_side *side = &contact->side[k];
            if (side->kind != CDG_SIDE_SEGMENT || side->object != index) continue;
            if (count == PUSHES_MAX || !is_near_element(rod, side->primitive, element)) continue;
            if (!(vec3_dot(contact->force, contact->force) > 0)) continue;
            double arc = rod->adapt->arc[side->primitive] + contact->parameter[k] * rod->rest_length[side->primitive];
            double sign = k == 0 ? 1 : -1;
            out[count++] =
                (cdg_adapt_push){arc, vec3_scale(sign, contact->force), true, vec3_scale(sign, contact->normal)};
        }
    }
    return count;
}

static size_t add_load_pushes(const cdg_world *world, size_t index, size_t element, size_t count, cdg_adapt_push *out) {
    const cdg_rod *rod = world->rods[index].rod;
    for (uint32_t i = world->rods[index].first_load; i != CDG_NO_INDEX; i = world->loads[i].next) {
        const cdg_load_def *load = &world->loads[i].def;
        if (load->kind != CDG_LOAD_FORCE || count == PUSHES_MAX) continue;
        cdg_place place = rod_present_place(rod, load->place);
        size_t beside = place.index < rod->element_count ? place.index : rod->element_count - 1;
        if (!is_near_element(rod, beside, element)) continue;
        cdg_vec3 force = vec3_scale(cdg_load_factor(load, world->time), load->value);
        if (load->follows) force = quat_rotate(rod_quat(rod->q, beside), force);
        double half = place.kind == CDG_PLACE_ELEMENT ? rod->rest_length[place.index] / 2 : 0;
        out[count++] = (cdg_adapt_push){.arc = rod->adapt->arc[place.index] + half, .force = force};
    }
    return count;
}

// ---- a rod ----------------------------------------------------------------------------------------------------------

// Whose nodes somebody else knows by number: a hand, a program that sets forces.
static bool is_fixed(const world_rod *entry) {
    return entry->rod->is_gripped || entry->grip_count > 0 || entry->own_forces != NULL;
}

static bool has_true_strain(const cdg_rod *rod) {
    return rod->model->measures.strain_trust == NULL || rod->model->measures.strain_trust(rod) == CDG_STRAIN_TRUE;
}

static void book(cdg_world *world, const cdg_rod *rod, const cdg_adapt_outcome *outcome) {
    world->adapted += outcome->energy;
    world->guard.adapted += has_true_strain(rod) ? outcome->energy : outcome->kinetic + outcome->gravity;
}

// What segments are bent by against others at joints, where frames beside have moved.
static void book_joints(cdg_world *world, double before) {
    if (world->net_count == 0) return;
    double gained = cdg_joints_energy(world, false) - before;
    world->adapted += gained;
    if (has_true_strain(world->nets[0]->rods[0])) world->guard.adapted += gained;
}

// A whole element either passes through what its rod is tied to or touches it: two halves of which one does each stay.
static bool is_tie_between(const cdg_world *world, size_t index, size_t j) {
    const cdg_rod *rod = world->rods[index].rod;
    double half = rod->rest_length[j] / 2, arc = rod->adapt->arc[j];
    return cdg_ties_end_between(world, (uint32_t)index, (double[2]){arc + half, arc + 3 * half});
}

static bool do_one(cdg_world *world, size_t index, size_t j, cdg_adapt_kind kind) {
    cdg_rod *rod = world->rods[index].rod;
    if (kind == CDG_ADAPT_MERGE && is_tie_between(world, index, j)) return false;
    cdg_adapt_push pushes[PUSHES_MAX];
    cdg_adapt_surroundings around = {world, index};
    cdg_adapt_context context = {.gravity = world->def.gravity, .step = world->step, .pushes = pushes, .user = &around};
    context.waits = rod->adapt->options.hold > 0;
    cdg_adapt_outcome outcome;
    if (has_contacts(world)) {
        context.may_move = cdg_adapt_may_move;
        context.push_count = add_contact_pushes(world, index, j, pushes);
    }
    context.push_count = add_load_pushes(world, index, j, context.push_count, pushes);
    bool is_split = kind == CDG_ADAPT_SPLIT;
    bool is_done = (is_split ? cdg_adapt_split : cdg_adapt_merge)(rod, j, &context, &outcome);
    if (!is_done && !is_split) rod->adapt->calm[j] = 0; // not again at once
    if (!is_done) rod->adapt->refused[is_split ? 0 : 1][outcome.refusal]++;
    if (!is_done) return false;
    if (!rod->adapt->is_new) book(world, rod, &outcome);
    if (has_contacts(world))
        (is_split ? cdg_contacts_halve : cdg_contacts_join)(&world->contacts, (uint32_t)index, (uint32_t)j);
    return true;
}

static bool change_rod(cdg_world *world, size_t index) {
    const cdg_rod *rod = world->rods[index].rod;
    bool is_changed = false;
    for (size_t j = 0; j < rod->element_count; j++) {
        cdg_adapt_kind kind = cdg_adapt_wanted(rod, j);
        if (kind == CDG_ADAPT_KEEP || !do_one(world, index, j, kind)) continue;
        is_changed = true;
        j += APART;
    }
    return is_changed;
}

// What was made at the finest resolution becomes as coarse as its shape allows.
static bool coarsen_new(cdg_world *world, size_t index) {
    cdg_rod *rod = world->rods[index].rod;
    bool is_changed = false, goes_on = true;
    rod->adapt->step = world->step;
    for (int pass = 0; pass < 2 * rod->adapt->options.levels && goes_on; pass++) {
        goes_on = false;
        for (size_t j = rod->element_count; j-- > 0;) // so that less comes after what goes, and has to be moved
            if (cdg_adapt_starts_too_fine(rod, j) && do_one(world, index, j, CDG_ADAPT_MERGE)) goes_on = true;
        is_changed = is_changed || goes_on;
    }
    rod->adapt->is_new = false;
    return is_changed;
}

static void follow(cdg_world *world, size_t index) {
    cdg_rod *rod = world->rods[index].rod;
    cdg_rod_adapt_settle(rod);
    if (has_contacts(world))
        cdg_contacts_resize(&world->contacts, (uint32_t)index, rod->node_count, rod->element_count);
}

static void renumber(cdg_world *world) {
    if (!has_contacts(world)) return;
    cdg_rod_proxies_renumber(&world->contacts.pieces, world->nets, world->net_count);
    cdg_contacts_sort_kept(&world->contacts);
    cdg_contacts_renumber(&world->contacts);
    cdg_contact_mark_welds(world);
    cdg_ties_mark(world);
}

void cdg_adapt_begin(cdg_world *world) {
    bool is_any = false;
    for (size_t i = 0; i < world->rod_count; i++) {
        const cdg_rod *rod = world->rods[i].rod;
        if (rod == NULL || rod->adapt == NULL || !rod->adapt->is_new) continue;
        double before = cdg_world_energy(world).total;
        if (is_fixed(&world->rods[i]) || !coarsen_new(world, i)) continue;
        follow(world, i);
        if (world->net_count > 0) cdg_joints_renumber(world);
        if (world->has_started) world->energy_at_start += cdg_world_energy(world).total - before;
        is_any = true;
    }
    if (is_any) renumber(world);
}

void cdg_adapt_rods(cdg_world *world, double step) {
    bool is_any = false;
    double joints = world->net_count > 0 ? cdg_joints_energy(world, false) : 0;
    mark_contacts(world);
    for (size_t i = 0; i < world->rod_count; i++) {
        cdg_rod *rod = world->rods[i].rod;
        if (rod == NULL || rod->adapt == NULL) continue;
        rod->adapt->step = world->step;
        cdg_adapt_watch(rod, step);
        if (is_fixed(&world->rods[i]) || !change_rod(world, i)) continue;
        follow(world, i);
        is_any = true;
    }
    if (!is_any) return;
    if (world->net_count > 0) cdg_joints_renumber(world);
    book_joints(world, joints);
    renumber(world);
}

void cdg_adapt_restore(cdg_world *world) {
    bool is_any = false;
    for (size_t i = 0; i < world->rod_count && has_contacts(world); i++) {
        const cdg_rod *rod = world->rods[i].rod;
        if (rod == NULL || rod->adapt == NULL) continue;
        if (world->contacts.pieces.objects[i].segment_count == rod->element_count) continue;
        cdg_contacts_resize(&world->contacts, (uint32_t)i, rod->node_count, rod->element_count);
        is_any = true;
    }
    cdg_joints_renumber(world);
    if (!is_any && (world->net_count == 0 || !has_contacts(world))) return;
    cdg_rod_proxies_renumber(&world->contacts.pieces, world->nets, world->net_count);
    cdg_contacts_renumber(&world->contacts);
    cdg_contact_mark_welds(world);
    cdg_ties_mark(world);
}
