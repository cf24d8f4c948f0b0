// Cutting rods: a rod becomes two, and whole again when a state of before is loaded.
#include "base/error.h"
#include "world/cuts.h"
#include "world/place.h"
#include "world/tie.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Ends of a cut that are so far apart, in radii, have no places near them that lie in each other: those are within
// pi radii of the cut along the rods (contact/pieces.c), which may be stretched.
static const double apart = 6;

size_t cdg_world_cut_count(const cdg_world *world) { return world != NULL ? world->cut_count : 0; }

// ---- asking ---------------------------------------------------------------------------------------------------------

static cdg_result check_place(cdg_world *world, cdg_place place) {
    cdg_result placed = cdg_place_check_rod(&place, "a rod is cut at a node of it", &world->error);
    if (placed != CDG_OK) return placed;
    const cdg_rod *rod = cdg_world_get_rod(world, place.rod);
    if (rod == NULL) return cdg_fail(&world->error, CDG_ERROR_STALE, "the rod no longer exists");
    if (world->rods[place.rod.index1 - 1].has_tie)
        return cdg_fail(&world->error, CDG_ERROR_UNSUPPORTED,
                        "rod '%s' is tied to a solid and cannot be cut; remove its ties first", rod->name);
    size_t count = rod_user_node_count(rod), first = rod->is_closed ? 0 : 1;
    if (place.kind != CDG_PLACE_NODE || place.index >= count)
        return cdg_fail(&world->error, CDG_ERROR_ARGUMENT, "a rod is cut at a node; rod '%s' has nodes 0 to %zu",
                        rod->name, count - 1);
    if (place.index < first || (!rod->is_closed && place.index + 1 == count))
        return cdg_fail(&world->error, CDG_ERROR_ARGUMENT,
                        "node %zu is an end of rod '%s'; it is cut at a node between two elements", place.index,
                        rod->name);
    return cdg_rod_cut_check(rod, &world->error);
}

// ---- memory ---------------------------------------------------------------------------------------------------------

static bool reserve(struct world_cut **array, size_t count, size_t *capacity) {
    if (count < *capacity) return true;
    size_t wanted = *capacity > 0 ? 2 * *capacity : 4;
    struct world_cut *grown = realloc(*array, wanted * sizeof *grown);
    if (grown == NULL) return false;
    *array = grown;
    *capacity = wanted;
    return true;
}

static void free_cut(struct world_cut *cut) {
    cdg_rod_destroy(cut->whole);
    free(cut->order);
    free(cut->copies);
}

void cdg_cuts_destroy(cdg_world *world) {
    for (size_t i = 0; i < world->cut_count; i++) free_cut(&world->cuts[i]);
    for (size_t i = 0; i < world->part_name_count; i++) free(world->part_names[i]);
    free(world->part_names);
    free(world->cuts);
    free(world->plans);
}

void cdg_cuts_forget(cdg_world *world, uint32_t rod) {
    uint32_t root = world->rods[rod].root;
    for (size_t i = world->plan_count; i-- > 0;)
        if (world->plans[i].root == root) world->plans[i] = world->plans[--world->plan_count];
    if (world->cut_count == 0) return;
    for (size_t i = 0; i < world->cut_count; i++) free_cut(&world->cuts[i]);
    world->cut_count = 0;
    for (uint32_t i = 0; i < world->rod_count; i++) world->rods[i].root = i, world->rods[i].root_first = 0;
}

// Lists of what is on the rod, and how many of its loads act on all of it.
static bool list_supports(const cdg_world *world, uint32_t rod, struct world_cut *cut) {
    const world_rod *entry = &world->rods[rod];
    size_t loads = 0;
    cut->order = calloc(entry->rod->support_count + 1, sizeof *cut->order);
    for (uint32_t i = entry->first_support; cut->order != NULL && i != CDG_NO_INDEX; i = world->supports[i].next_of_rod)
        cut->order[cut->order_count++] = i;
    for (uint32_t i = entry->first_load; i != CDG_NO_INDEX; i = world->loads[i].next) loads++;
    cut->copies = calloc(loads + 1, sizeof *cut->copies);
    return cut->order != NULL && cut->copies != NULL;
}

// ---- forces that were set by hand -----------------------------------------------------------------------------------

// Those of the last step stand behind them.
static void copy_forces(cdg_vec3 *to, const cdg_rod *rod, const cdg_vec3 *from, const cdg_rod *whole, size_t first,
                        bool has_first_node) {
    size_t count = rod->node_count + rod->element_count, all = whole->node_count + whole->element_count;
    for (int k = 0; k < 2; k++) {
        for (size_t i = has_first_node ? 0 : 1; i < rod->node_count; i++)
            to[(size_t)k * count + i] = from[(size_t)k * all + (first + i) % whole->node_count];
        for (size_t j = 0; j < rod->element_count; j++)
            to[(size_t)k * count + rod->node_count + j] =
                from[(size_t)k * all + whole->node_count + (first + j) % whole->element_count];
    }
}

static cdg_vec3 *make_forces(const cdg_rod *rod) {
    return calloc(2 * (rod->node_capacity + rod->element_capacity), sizeof(cdg_vec3));
}

// ---- a cut ----------------------------------------------------------------------------------------------------------

typedef struct making {
    struct world_cut cut;
    cdg_rod *parts[2];
    cdg_vec3 *forces[2];
} making;

static void give_up(making *m) {
    for (int k = 0; k < 2; k++) {
        cdg_rod_destroy(m->parts[k]);
        free(m->forces[k]);
    }
    m->cut.whole = NULL; // it stays
    free_cut(&m->cut);
}

// All that needs memory, before anything changes.
static cdg_result prepare(cdg_world *world, const cdg_place *place, making *m) {
    uint32_t index = place->rod.index1 - 1;
    const world_rod *of = &world->rods[index];
    cdg_rod *whole = of->rod;
    const cdg_rod *root = whole;
    size_t count = rod_user_element_count(whole);
    cdg_place then = cdg_cuts_place_then(world, *place);
    for (size_t i = world->cut_count; i-- > 0;)
        if (world->cuts[i].root == of->root) root = world->cuts[i].whole;
    m->cut = (struct world_cut){.root = of->root,
                                .node = then.index,
                                .rod = index,
                                .second = CDG_NO_INDEX,
                                .local = place->index,
                                .is_joined = true,
                                .whole = whole};
    const char *name = cdg_cuts_name(world, root->name, NULL, 0);
    bool has_memory = name != NULL && reserve(&world->cuts, world->cut_count, &world->cut_capacity) &&
                      list_supports(world, index, &m->cut);
    cdg_rod_piece first = {whole->is_closed ? place->index : 0, whole->is_closed ? count : place->index};
    cdg_rod_piece second = {place->index, count - place->index};
    cdg_result result = has_memory ? CDG_OK : cdg_fail(&world->error, CDG_ERROR_MEMORY, "no memory to cut a rod");
    if (result == CDG_OK) result = cdg_rod_cut_out(whole, &first, whole->name, &m->parts[0], &world->error);
    if (result == CDG_OK && !whole->is_closed)
        result = cdg_rod_cut_out(whole, &second, name, &m->parts[1], &world->error);
    for (int k = 0; k < 2 && result == CDG_OK; k++) {
        if (m->parts[k] == NULL) continue;
        has_memory = m->cut.order_count == 0 || cdg_world_reserve_holds(m->parts[k], m->cut.order_count);
        if (of->own_forces != NULL) has_memory = (m->forces[k] = make_forces(m->parts[k])) != NULL && has_memory;
        if (!has_memory) result = cdg_fail(&world->error, CDG_ERROR_MEMORY, "no memory to cut a rod");
    }
    return result;
}

static double energy_of(const cdg_world *world, const cdg_rod *rod) {
    cdg_energy energy = {0};
    if (rod != NULL) cdg_rod_measure_energy(rod, world->def.gravity, &energy);
    return energy.total;
}

// Loads on all of the rod act on its second part, too.
static cdg_result copy_loads(cdg_world *world, struct world_cut *cut) {
    cdg_result result = CDG_OK;
    for (uint32_t i = world->rods[cut->rod].first_load; i != CDG_NO_INDEX && result == CDG_OK;
         i = world->loads[i].next) {
        cdg_load_def def = world->loads[i].def;
        if (cdg_load_acts_at_place(def.kind)) continue;
        cdg_load_id id;
        def.place.rod = cdg_world_rod_id(world, cut->second);
        result = cdg_world_add_load(world, &def, &id);
        if (result == CDG_OK) cut->copies[cut->copy_count++] = id.index1 - 1;
    }
    return result;
}

static cdg_cut_change change_of(const struct world_cut *cut) {
    return (cdg_cut_change){.rod = cut->rod,
                            .second = cut->second,
                            .at = cut->local,
                            .count = rod_user_element_count(cut->whole),
                            .present_at = rod_user_node(cut->whole, cut->local),
                            .present_count = cut->whole->element_count,
                            .supports = cut->order,
                            .support_count = cut->order_count};
}

// Nets, teams and contact are made anew: they know rods by their arrays.
static cdg_result settle(cdg_world *world) {
    if (world->weld_count > 0) cdg_bodies_forget(world);
    world->scratch_size = 0;
    cdg_result result = cdg_grips_feel(world);
    if (result == CDG_OK) cdg_welds_follow(world);
    for (uint32_t i = 0; i < world->rod_count && result == CDG_OK; i++)
        if (world->rods[i].rod != NULL && world->rods[i].first_support != CDG_NO_INDEX)
            cdg_supports_drive(world, i, world->time);
    return result == CDG_OK ? cdg_world_ensure_scratch(world) : result;
}

static void put_parts(cdg_world *world, making *m) {
    world_rod *entry = &world->rods[m->cut.rod];
    const cdg_rod *whole = m->cut.whole;
    size_t first = rod_user_node(whole, m->cut.local);
    entry->rod = m->parts[0];
    if (m->parts[1] == NULL) entry->root_first = m->cut.node; // of a ring that was never cut
    if (m->forces[0] != NULL)
        copy_forces(m->forces[0], m->parts[0], entry->own_forces, whole, whole->is_closed ? first : 0,
                    !whole->is_closed);
    if (m->parts[1] != NULL) {
        world_rod *second = &world->rods[m->cut.second];
        second->root = m->cut.root;
        second->root_first = m->cut.node;
        second->has_wild_turns = entry->has_wild_turns;
        second->may_overlap = entry->may_overlap; // the end that may still be in a body is that of either
        second->driven_time = entry->driven_time;
        second->driven_step = entry->driven_step;
        if (m->forces[1] != NULL) copy_forces(m->forces[1], m->parts[1], entry->own_forces, whole, first, false);
        second->own_forces = m->forces[1];
        second->energy = energy_of(world, m->parts[1]);
        entry->energy -= second->energy;
    }
    if (m->forces[0] != NULL) {
        free(entry->own_forces);
        entry->own_forces = m->forces[0];
    }
}

static void renumber_contacts(cdg_world *world, const cdg_cut_change *change) {
    bool is_ring = change->second == CDG_NO_INDEX;
    cdg_segment_cut cut = {change->rod, is_ring ? change->rod : change->second, (uint32_t)change->present_at,
                           (uint32_t)change->present_count};
    if (world_has_contact(world)) cdg_contacts_cut(&world->contacts, &cut);
}

static cdg_result undo(cdg_world *world);

static cdg_result cut_at(cdg_world *world, cdg_place place, cdg_cut_report *out) {
    making m = {0};
    if (world->plan_count > 0) (void)cdg_world_snapshot_size(world); // which stays what it is now
    cdg_grips_shed(world, place.rod.index1 - 1);
    cdg_result result = cdg_joints_form_nets(world);
    if (result == CDG_OK) result = prepare(world, &place, &m);
    if (result == CDG_OK && m.parts[1] != NULL) result = cdg_world_own_rod(world, m.parts[1], &m.cut.second);
    if (result != CDG_OK) return give_up(&m), result;
    double before = energy_of(world, m.cut.whole) + cdg_joints_energy(world, false);
    put_parts(world, &m);
    cdg_cut_change change = change_of(&m.cut);
    cdg_cuts_move(world, &change);
    renumber_contacts(world, &change);
    world->cuts[world->cut_count++] = m.cut;
    if (m.parts[1] != NULL) result = copy_loads(world, &world->cuts[world->cut_count - 1]);
    if (result == CDG_OK) result = settle(world);
    if (result != CDG_OK) { // as it was, and the message is of what went wrong first
        cdg_error error = world->error;
        (void)undo(world);
        world->error = error;
        return result;
    }
    double after = energy_of(world, m.parts[0]) + energy_of(world, m.parts[1]) + cdg_joints_energy(world, false);
    *out = (cdg_cut_report){.energy = before - after};
    if (m.parts[1] != NULL) out->second = cdg_world_rod_id(world, m.cut.second);
    return CDG_OK;
}

cdg_result cdg_rod_cut(cdg_world *world, cdg_place place, cdg_cut_report *out) {
    cdg_cut_report own;
    if (out != NULL) *out = (cdg_cut_report){0};
    if (world == NULL) return CDG_ERROR_ARGUMENT;
    cdg_error_clear(&world->error);
    cdg_result result = check_place(world, place);
    return result == CDG_OK ? cut_at(world, place, out != NULL ? out : &own) : result;
}

// ---- and back -------------------------------------------------------------------------------------------------------

// Supports in the order that they had, then those that came since.
static uint32_t *list_both(const cdg_world *world, const struct world_cut *cut, size_t *count) {
    uint32_t rods[2] = {cut->rod, cut->second};
    size_t most = 0;
    for (int k = 0; k < 2; k++)
        if (rods[k] != CDG_NO_INDEX) most += world->rods[rods[k]].rod->support_count;
    uint32_t *list = calloc(most + 1, sizeof *list);
    *count = 0;
    for (size_t i = 0; list != NULL && i < cut->order_count; i++) {
        const world_support *support = &world->supports[cut->order[i]];
        bool is_here = !support->is_removed && (support->rod_index == cut->rod || support->rod_index == cut->second);
        if (is_here) list[(*count)++] = cut->order[i];
    }
    for (int k = 0; k < 2 && list != NULL; k++) {
        if (rods[k] == CDG_NO_INDEX) continue;
        for (uint32_t i = world->rods[rods[k]].first_support; i != CDG_NO_INDEX; i = world->supports[i].next_of_rod) {
            bool is_listed = false;
            for (size_t j = 0; j < cut->order_count && !is_listed; j++) is_listed = cut->order[j] == i;
            if (!is_listed) list[(*count)++] = i;
        }
    }
    return list;
}

// The last cut: the rod is whole, in the state that it was in, which whoever undoes it replaces.
static cdg_result undo(cdg_world *world) {
    struct world_cut *cut = &world->cuts[world->cut_count - 1];
    world_rod *entry = &world->rods[cut->rod];
    size_t count;
    uint32_t *supports = list_both(world, cut, &count);
    cdg_vec3 *forces = entry->own_forces != NULL ? make_forces(cut->whole) : NULL;
    bool has_memory = supports != NULL && (forces != NULL || entry->own_forces == NULL) &&
                      (count == 0 || cdg_world_reserve_holds(cut->whole, count));
    if (!has_memory) {
        free(supports);
        free(forces);
        return cdg_fail(&world->error, CDG_ERROR_MEMORY, "no memory to make rod '%s' whole", cut->whole->name);
    }
    cdg_grips_shed(world, cut->rod);
    if (cut->second != CDG_NO_INDEX) cdg_grips_shed(world, cut->second);
    for (size_t i = 0; i < cut->copy_count; i++)
        if (!world->loads[cut->copies[i]].is_removed) cdg_loads_remove(world, cut->copies[i]);
    cdg_cut_change change = change_of(cut);
    change.is_undone = true;
    change.supports = supports, change.support_count = count;
    if (cut->second == CDG_NO_INDEX) entry->root_first = 0;
    cdg_rod *first = entry->rod;
    entry->rod = cut->whole;
    entry->rod->is_gripped = false;
    cdg_cuts_move(world, &change);
    free(entry->own_forces);
    entry->own_forces = forces;
    cdg_rod_destroy(first);
    if (cut->second != CDG_NO_INDEX) {
        world->rods[cut->second].grip_count = 0;
        cdg_rod_destroy(cdg_world_disown_rod(world, cut->second));
        if (cut->second + 1 == world->rod_count) world->rod_count--;
    }
    world->contacts.kept_count = 0;
    cut->whole = NULL;
    free_cut(cut);
    world->cut_count--;
    free(supports);
    return settle(world);
}

cdg_result cdg_cuts_restore(cdg_world *world, const double *snapshot) {
    if (!(snapshot[0] >= 0 && snapshot[0] < 4294967296.0))
        return cdg_fail(&world->error, CDG_ERROR_ARGUMENT, "this is no snapshot");
    const double *cuts = snapshot + 1;
    size_t same = 0, count = (size_t)snapshot[0];
    cdg_result result = CDG_OK;
    while (same < count && same < world->cut_count && (double)world->cuts[same].rod == cuts[CDG_CUT_NUMBERS * same] &&
           (double)world->cuts[same].local == cuts[CDG_CUT_NUMBERS * same + 1])
        same++;
    while (world->cut_count > same && result == CDG_OK) result = undo(world);
    for (; same < count && result == CDG_OK; same++) {
        const double *cut = cuts + CDG_CUT_NUMBERS * same;
        if (!(cut[0] >= 0 && cut[0] < (double)world->rod_count && cut[1] >= 0 && cut[1] < 4294967296.0))
            return cdg_fail(&world->error, CDG_ERROR_ARGUMENT, "the snapshot is of another world: it cuts other rods");
        cdg_place place = cdg_rod_node(cdg_world_rod_id(world, (size_t)cut[0]), (size_t)cut[1]);
        cdg_cut_report report;
        result = check_place(world, place);
        if (result == CDG_OK) result = cut_at(world, place, &report);
    }
    return result;
}

cdg_result cdg_world_restore_cuts(cdg_world *world, const double *snapshot) {
    if (world == NULL) return CDG_ERROR_ARGUMENT;
    if (snapshot == NULL) return cdg_fail_null(&world->error, "snapshot");
    cdg_error_clear(&world->error);
    return cdg_cuts_restore(world, snapshot);
}

// ---- plans ----------------------------------------------------------------------------------------------------------

cdg_result cdg_world_plan_cut(cdg_world *world, cdg_place place, double time) {
    if (world == NULL) return CDG_ERROR_ARGUMENT;
    cdg_error_clear(&world->error);
    cdg_result result = check_place(world, place);
    if (result != CDG_OK) return result;
    if (!isfinite(time)) return cdg_fail(&world->error, CDG_ERROR_ARGUMENT, "the time of a cut must be finite");
    cdg_place then = cdg_cuts_place_then(world, place);
    for (size_t i = 0; i < world->plan_count; i++)
        if (world->plans[i].root == then.rod.index1 - 1 && world->plans[i].node == then.index)
            return cdg_fail(&world->error, CDG_ERROR_ARGUMENT, "rod '%s' is to be cut at node %zu already",
                            cdg_world_get_rod(world, place.rod)->name, place.index);
    if (!reserve(&world->plans, world->plan_count, &world->plan_capacity))
        return cdg_fail(&world->error, CDG_ERROR_MEMORY, "no memory for a cut");
    world->plans[world->plan_count++] =
        (struct world_cut){.root = then.rod.index1 - 1, .node = then.index, .time = time};
    world->scratch_size = 0; // room for its state
    return CDG_OK;
}

cdg_result cdg_cuts_make_due(cdg_world *world) {
    double now = world->time + world->step / 2; // rounding of times does not matter
    for (const struct world_cut *plan = cdg_cuts_next_plan(world); plan != NULL && plan->time < now;
         plan = cdg_cuts_next_plan(world)) {
        cdg_place place = cdg_rod_node(cdg_world_rod_id(world, plan->root), plan->node);
        cdg_cut_report report;
        place = cdg_cuts_place_now(world, place);
        cdg_result result = check_place(world, place);
        if (result == CDG_OK) result = cut_at(world, place, &report);
        if (result != CDG_OK) return result;
    }
    return CDG_OK;
}

// ---- ends -----------------------------------------------------------------------------------------------------------

cdg_cut_ends cdg_cuts_ends(const cdg_world *world, const struct world_cut *cut) {
    cdg_cut_ends ends = {.rod = {CDG_NO_INDEX, CDG_NO_INDEX}};
    const cdg_rod *root = cut->whole;
    for (size_t i = 0; i < world->cut_count; i++)
        if (world->cuts[i].root == cut->root) {
            root = world->cuts[i].whole;
            break;
        }
    size_t count = rod_user_element_count(root), at;
    ends.rod[0] = cdg_cuts_find_element(world, cut->root, (cut->node + count - 1) % count, &at);
    ends.rod[1] = cdg_cuts_find_element(world, cut->root, cut->node, &at);
    return ends;
}

void cdg_cuts_mark_anew(cdg_world *world) {
    if (!world_has_contact(world) || world->scratch_size == 0) return;
    cdg_contacts_renumber(&world->contacts);
    cdg_contact_mark_welds(world);
    cdg_ties_mark(world);
}

void cdg_cuts_part_ends(cdg_world *world) {
    bool is_any = false;
    for (size_t i = 0; i < world->cut_count; i++) {
        struct world_cut *cut = &world->cuts[i];
        if (!cut->is_joined) continue;
        cdg_cut_ends ends = cdg_cuts_ends(world, cut);
        const cdg_rod *a = world->rods[ends.rod[0]].rod, *b = world->rods[ends.rod[1]].rod;
        double radius = fmax(a->radius[(a->node_count - 1) * a->section_stride], b->radius[0]);
        double distance = vec3_distance(rod_vec3(a->x, a->node_count - 1), rod_vec3(b->x, 0));
        if (!(distance > apart * radius)) continue;
        cut->is_joined = false;
        is_any = true;
    }
    if (is_any) cdg_cuts_mark_anew(world);
}
