// Contact in a world: how it is to be treated, its part of a step, and reading back.
#include "base/error.h"
#include "math/quat.h"
#include "world/cuts.h"
#include "world/rod_proxy.h"
#include "world/solid_object.h"
#include "world/solid_proxy.h"
#include "world/tie.h"
#include "world/world_bodies.h"

#include <stdlib.h>
#include <string.h>

// ---- treatment ------------------------------------------------------------------------------------------------------

cdg_contact_def cdg_contact_def_default(void) { return (cdg_contact_def){.choice = CDG_CONTACT_ON}; }

cdg_result cdg_world_set_contact(cdg_world *world, const cdg_contact_def *def) {
    if (world == NULL) return CDG_ERROR_ARGUMENT;
    if (def == NULL) return cdg_fail_null(&world->error, "def");
    cdg_error_clear(&world->error);
    if ((unsigned)def->choice >= CDG_CONTACT_CHOICE_COUNT)
        return cdg_fail(&world->error, CDG_ERROR_ARGUMENT, "%d is no choice about contact", (int)def->choice);
    if (!(def->friction >= 0) || !isfinite(def->friction))
        return cdg_fail(&world->error, CDG_ERROR_ARGUMENT,
                        "the friction coefficient is %g; it must be finite and not negative", def->friction);
    if (!(def->restitution >= 0 && def->restitution <= 1))
        return cdg_fail(&world->error, CDG_ERROR_ARGUMENT, "the restitution is %g; it must be from 0 to 1",
                        def->restitution);
    if (!(def->shock_height >= 0) || !isfinite(def->shock_height))
        return cdg_fail(&world->error, CDG_ERROR_ARGUMENT,
                        "the height of shock propagation is %g m; it must be finite and not negative",
                        def->shock_height);
    if ((unsigned)def->response >= CDG_RESPONSE_COUNT)
        return cdg_fail(&world->error, CDG_ERROR_ARGUMENT, "%d is no response of contact", (int)def->response);
    if (def->response == CDG_RESPONSE_PAPER && (def->restitution > 0 || def->shock_height > 0 || def->separates))
        return cdg_fail(&world->error, CDG_ERROR_ARGUMENT,
                        "contact with response paper has no %s: its formula decides how fast things part; leave it "
                        "out, or take response solved",
                        def->restitution > 0    ? "restitution"
                        : def->shock_height > 0 ? "shock propagation"
                                                : "gentle separation of what lies in each other");
    world->contact_def = *def;
    world_renew(world);
    return CDG_OK;
}

cdg_contact_def cdg_world_contact(const cdg_world *world) {
    if (world == NULL) return (cdg_contact_def){.choice = CDG_CONTACT_OFF};
    return world->contact_def;
}

// ---- a step ---------------------------------------------------------------------------------------------------------

// How far an element is along its rod from something on its first or last side that it may lie in others by: the
// nearest counts.
static void mark_near(const cdg_pieces *p, uint32_t element, int side, double distance, uint32_t mark) {
    if (p->near_joint[element][side] != CDG_NO_INDEX && p->joint_distance[element][side] <= distance) return;
    p->near_joint[element][side] = mark;
    p->joint_distance[element][side] = distance;
}

// Until they have been apart once, the ends of a cut meet as if they were still one.
static void mark_cuts(const cdg_world *world) {
    const cdg_pieces *p = &world->contacts.pieces;
    for (size_t c = 0; c < world->cut_count; c++) {
        if (!world->cuts[c].is_joined) continue;
        cdg_cut_ends ends = cdg_cuts_ends(world, &world->cuts[c]);
        uint32_t mark = CDG_NO_INDEX - 1 - (uint32_t)(world->body_count + c);
        for (int side = 0; side < 2; side++) { // of the elements: the first rod has the cut at its end
            uint32_t first = p->first_element[ends.rod[1 - side]], end = p->first_element[ends.rod[1 - side] + 1];
            for (uint32_t e = first; e < end; e++)
                mark_near(p, e, side, side == 0 ? p->arc[e][0] : p->arc[end - 1][1] - p->arc[e][1], mark);
        }
    }
}

// Rods on one body meet there as joined rods do: near their welds they may lie in each other.
void cdg_contact_mark_welds(const cdg_world *world) {
    const cdg_pieces *p = &world->contacts.pieces;
    for (size_t w = 0; w < world->weld_count; w++) {
        const world_weld *weld = &world->welds[w];
        uint32_t index = weld->def.place.rod.index1 - 1, mark = CDG_NO_INDEX - 1 - weld->body;
        size_t node = rod_user_node(world->rods[index].rod, weld->def.place.index);
        for (uint32_t e = p->first_element[index]; e < p->first_element[index + 1]; e++) {
            size_t j = e - p->first_element[index];
            int side = j >= node ? 0 : 1; // the weld lies before or after the element
            double at = node < p->objects[index].segment_count ? p->arc[p->first_element[index] + node][0]
                                                               : p->arc[p->first_element[index + 1] - 1][1];
            mark_near(p, e, side, side == 0 ? p->arc[e][0] - at : at - p->arc[e][1], mark);
        }
    }
    mark_cuts(world);
}

// A rod of a net does not answer forces by itself, and predicted alone it would leave its joints.
static cdg_result check_nets(cdg_world *world) {
    for (uint32_t i = 0; i < world->rod_count; i++) {
        const cdg_rod *rod = world->rods[i].rod;
        if (rod == NULL || !world->rods[i].is_in_net || !cdg_world_couples_contact(world, i)) continue;
        if (rod->model->net.response_size != NULL) continue;
        return cdg_fail(&world->error, CDG_ERROR_UNSUPPORTED,
                        "rod '%s' is joined to others and of model '%s': such nets cannot touch anything in this "
                        "version; take model der, corde, or pobd with solver gauss_seidel, or switch contact off (in a "
                        "scene 'contact: off')",
                        rod->name, rod->model->name);
    }
    return CDG_OK;
}

// Without gravity there is no up, and masses are what they are.
static bool has_shock(const cdg_world *world) {
    return world->contact_def.shock_height > 0 && vec3_norm(world->def.gravity) > 0;
}

// Masses that fall with height are those of single nodes: what is solved as a whole has none, and what is predicted
// with lasting forces would be predicted with those of other masses.
static cdg_result check_shock(cdg_world *world) {
    cdg_pieces *p = &world->contacts.pieces;
    if (!(world->contact_def.shock_height > 0)) return CDG_OK;
    if (world->solid_count > 0 || world->body_count > 0)
        return cdg_fail(&world->error, CDG_ERROR_UNSUPPORTED,
                        "shock propagation is for rods and obstacles; this world has %s, which lie on each other "
                        "without it: take it out of 'contact'",
                        world->body_count > 0 ? "bodies" : "solids");
    for (size_t i = 0; i < p->object_count; i++)
        if (p->objects[i].is_implicit || (p->objects[i].is_loaded && !p->objects[i].is_loaded_slowly))
            return cdg_fail(&world->error, CDG_ERROR_UNSUPPORTED,
                            "shock propagation is for rods that answer contact by their nodes' masses, and '%s' does "
                            "not: take model pobd with solver gauss_seidel, der with integrator explicit, or corde "
                            "without damping, or take it out of 'contact'",
                            p->objects[i].name);
    for (size_t i = 0; i < p->object_count && has_shock(world); i++)
        p->objects[i].is_loaded = p->objects[i].is_loaded_slowly = false;
    if (has_shock(world)) p->has_loaded = p->has_slow = false;
    return CDG_OK;
}

static cdg_result refuse_response(cdg_world *world, const char *kind, const char *name, const char *why) {
    return cdg_fail(&world->error, CDG_ERROR_UNSUPPORTED,
                    "contact with response paper is for explicit solids and obstacles alone, and %s '%s' %s, or take "
                    "response solved",
                    kind, name, why);
}

// The formula moves points by their own masses, out of what has an inside.
static cdg_result check_response(cdg_world *world) {
    if (world->contact_def.response != CDG_RESPONSE_PAPER) return CDG_OK;
    for (size_t i = 0; i < world->solid_count; i++) {
        const cdg_solid *solid = &world->solids[i]->solid;
        if (solid_is_implicit(solid))
            return refuse_response(world, "solid", solid->name, "is solved as a whole: give it integrator explicit");
        if (solid->def.model == CDG_SOLID_SHAPE_MATCHING)
            return refuse_response(world, "solid", solid->name, "has no forces inside: give it another model");
    }
    for (size_t i = 0; i < world->rod_count; i++)
        if (world->rods[i].rod != NULL)
            return refuse_response(world, "rod", world->rods[i].rod->name, "is none: take it out");
    if (world->body_count > 0) return refuse_response(world, "body", world->bodies[0].name, "is none: take it out");
    return CDG_OK;
}

cdg_result cdg_world_prepare_contact(cdg_world *world) {
    if (!world_has_contact(world)) return CDG_OK;
    cdg_result checked = check_response(world);
    if (checked == CDG_OK) checked = check_nets(world);
    if (checked != CDG_OK) return checked;
    cdg_rod **rods = calloc(world->rod_count + 1, sizeof(cdg_rod *));
    bool *touched = realloc(world->touched, (world->rod_count + world->solid_count + 1) * sizeof *touched);
    if (touched != NULL) world->touched = touched;
    bool *may_overlap = realloc(world->may_overlap, (world->rod_count + 1) * sizeof *may_overlap);
    if (may_overlap != NULL) world->may_overlap = may_overlap;
    cdg_result result = CDG_ERROR_MEMORY;
    if (rods != NULL && touched != NULL && may_overlap != NULL) {
        for (size_t i = 0; i < world->rod_count; i++) rods[i] = world->rods[i].rod;
        memset(touched, 0, (world->rod_count + world->solid_count) * sizeof *touched);
        result = cdg_rigids_prepare(world);
        if (result == CDG_OK) result = cdg_world_build_contacts(world, rods);
        if (result == CDG_OK) result = check_shock(world);
    } else {
        cdg_fail(&world->error, CDG_ERROR_MEMORY, "no memory for contact");
    }
    free(rods);
    if (result == CDG_OK) cdg_rigids_describe(world);
    if (result == CDG_OK) result = cdg_yield_prepare(world);
    if (result == CDG_OK) result = cdg_tie_yields_prepare(world);
    if (result != CDG_OK) return result;
    cdg_contact_mark_welds(world);
    cdg_ties_mark(world);
    return CDG_OK;
}

static const bool *list_overlaps(cdg_world *world) {
    for (size_t i = 0; i < world->rod_count; i++) world->may_overlap[i] = world->rods[i].may_overlap;
    return world->may_overlap;
}

cdg_result cdg_world_check_contact(cdg_world *world) {
    if (world == NULL) return CDG_ERROR_ARGUMENT;
    cdg_error_clear(&world->error);
    if (!world_has_contact(world)) return CDG_OK;
    cdg_result result = cdg_world_ensure_scratch(world); // it knows nets and welds that cannot touch anything
    if (result != CDG_OK) return result;
    cdg_rigids_describe(world); // bodies as they are now
    cdg_pieces_load(&world->contacts.pieces, 0);
    cdg_body_pieces_load(&world->contacts.pieces, world->contacts.bodies, 0);
    cdg_contact_input input = {.def = &world->contact_def,
                               .may_overlap = list_overlaps(world),
                               .obstacles = world->obstacles,
                               .obstacle_count = world->obstacle_count,
                               .time = world->time};
    cdg_error error;
    result = cdg_contacts_check_start(&world->contacts, &input, &error);
    return result != CDG_OK ? cdg_fail(&world->error, result, "%s", error.message) : CDG_OK;
}

void cdg_world_free_contact(cdg_world *world) {
    cdg_rigids_free(world);
    cdg_contacts_free(&world->contacts);
    free(world->may_overlap);
    free(world->touched);
    free(world->snapshot);
}

// Nothing that shorter steps would cure.
static cdg_result fail_stuck(cdg_world *world, double time) {
    const cdg_contacts *c = &world->contacts;
    char one[160], other[160];
    cdg_contact_describe(c, &c->stuck.side[0], world->obstacles, one, sizeof one);
    cdg_contact_describe(c, &c->stuck.side[1], world->obstacles, other, sizeof other);
    return cdg_fail(&world->error, CDG_ERROR_NO_CONVERGENCE,
                    "%s would be led into %s at t = %.9g s, and neither can give way: supports and obstacles that are "
                    "led may not bring what is held into what is held or fixed",
                    one, other, time);
}

static cdg_result fail_passing(cdg_world *world, double time, double step) {
    const cdg_contacts *c = &world->contacts;
    const cdg_contact_outcome *outcome = &world->contact_outcome;
    const cdg_contact *contact = outcome->worst < c->count ? &c->list[outcome->worst] : NULL;
    if (contact == NULL)
        return cdg_fail(&world->error, CDG_ERROR_NO_CONVERGENCE, "contact found no forces at t = %.9g s", time);
    const cdg_pieces *p = &c->pieces;
    char one[160], other[160];
    cdg_contact_describe(c, &contact->side[0], world->obstacles, one, sizeof one);
    cdg_contact_describe(c, &contact->side[1], world->obstacles, other, sizeof other);
    cdg_vec3 at = contact_is_wide(contact) ? cdg_surface_at(p, p->start, &contact->side[0], contact->point[0])
                  : contact->side[0].kind == CDG_SIDE_SEGMENT
                      ? pieces_at(p, p->start, contact->side[0].element, contact->parameter[0])
                      : world->bodies[contact->side[0].object].now.x;
    const char *flat = cdg_solids_squeezed(world);
    return cdg_fail(
        &world->error, CDG_ERROR_NO_CONVERGENCE,
        "%s would pass through %s at (%.4g, %.4g, %.4g) m, t = %.9g s, even with a step of %.3g s: supports "
        "or obstacles may squeeze it where there is no room, or motions are far too fast%s%.100s%s",
        one, other, at.x, at.y, at.z, time, step, flat != NULL ? "; tetrahedra of solid '" : "",
        flat != NULL ? flat : "",
        flat != NULL ? "' are at their least volume: give the solid room, a stiffer material, or volume_barrier: 0"
                     : "");
}

static cdg_contact_input input_of_step(const cdg_world *world, double time, double step) {
    const struct world_bodies *work = world->bodies_work;
    return (cdg_contact_input){.def = &world->contact_def,
                               .obstacles = world->obstacles,
                               .obstacle_count = world->obstacle_count,
                               .gravity = world->def.gravity,
                               .time = time,
                               .step = step,
                               .parts_held = cdg_leads_move(world, time, step),
                               .never_bounces = world->never_bounces,
                               .collider = work != NULL ? work->collider : NULL,
                               .items = work != NULL ? work->items : NULL};
}

void cdg_world_begin_contact(cdg_world *world, double time, double step) {
    if (!world_has_contact(world)) return;
    cdg_contact_input input = input_of_step(world, time, step);
    cdg_contacts_begin(&world->contacts, &input);
}

cdg_result cdg_world_open_contact(cdg_world *world, double time, double step) {
    world->contacts.again_count = 0;
    world->contacts.again_bodies = false;
    if (!world_has_contact(world)) return CDG_OK;
    cdg_contact_input input = input_of_step(world, time, step);
    if (!world->contacts.is_known_free) input.may_overlap = list_overlaps(world);
    cdg_rigids_predicted(world);
    world->contacts.thread_count = world->thread_count;
    if (cdg_contacts_skip(&world->contacts, &input, &world->contact_outcome)) return CDG_OK;
    cdg_rigids_predict_touched(world);
    if (input.collider != NULL) cdg_bodies_place_items(world);
    return cdg_contacts_open(&world->contacts, &input, &world->contact_outcome, &world->error);
}

cdg_result cdg_world_continue_contact(cdg_world *world, double time, double step) {
    cdg_contact_input input = input_of_step(world, time, step);
    return cdg_contacts_continue(&world->contacts, &input, &world->contact_outcome, &world->error);
}

static bool is_too_deep(const cdg_contact_outcome *outcome, cdg_step_demand demand) {
    if (outcome->passes || outcome->is_crushed) return true;
    if (demand == CDG_DEMAND_PROMISED) return outcome->is_deep || outcome->is_hard;
    return demand == CDG_DEMAND_NOT_SUNK && outcome->is_sunk;
}

cdg_result cdg_world_close_contact(cdg_world *world, double time, double step, cdg_step_demand demand) {
    if (!world_has_contact(world)) return CDG_OK;
    cdg_contact_input input = input_of_step(world, time, step);
    const cdg_contact_outcome *outcome = &world->contact_outcome;
    cdg_contacts_close(&world->contacts, &input, &world->contact_outcome, world->touched);
    if (outcome->is_stuck) return fail_stuck(world, time);
    if (is_too_deep(outcome, demand)) return fail_passing(world, time, step);
    cdg_rigids_store(world, step);
    return CDG_OK;
}

double cdg_world_obstacle_work(const cdg_world *world, double time, double step) {
    const cdg_contacts *c = &world->contacts;
    cdg_contact_input input = input_of_step(world, time, step);
    if (!world_has_contact(world)) return 0;
    double work = cdg_contacts_parting_work(c);
    for (size_t i = 0; i < c->count; i++) {
        const cdg_contact *contact = &c->list[i];
        const cdg_contact_side *other = &contact->side[1];
        bool is_shape = other->kind == CDG_SIDE_OBSTACLE || other->kind == CDG_SIDE_BODY;
        if (contact->side[0].kind == CDG_SIDE_BODY && is_shape) work += cdg_contact_driven_work(c, &input, contact);
        if (!is_shape || contact->side[0].kind == CDG_SIDE_BODY) continue;
        if (other->kind == CDG_SIDE_BODY && !world->bodies[other->object].def.is_fixed) continue;
        work += vec3_dot(contact->force, contact->carried);
    }
    return work;
}

// A rod that a weld held in something is like any other once it lies in nothing.
static void note_parted(cdg_world *world) {
    cdg_contacts *c = &world->contacts;
    if (c->is_parting) c->is_parting = cdg_contacts_overlap(c, UINT32_MAX);
    for (uint32_t i = 0; i < world->rod_count; i++) {
        if (!world->rods[i].may_overlap) continue;
        world->rods[i].may_overlap = cdg_contacts_overlap(c, i);
    }
}

// Joined rods alike: copies of a point would have velocities of two schemes.
static void share_history(const cdg_net *net) {
    bool has_history = true;
    for (size_t r = 0; r < net->rod_count; r++)
        has_history =
            has_history && net->rods[r]->has_history && net->rods[r]->history_step == net->rods[0]->history_step;
    for (size_t r = 0; r < net->rod_count && !has_history; r++)
        if (net->rods[r]->x_before[0] != NULL) net->rods[r]->has_history = false;
}

// A force that comes and goes makes the differences of two-step integrators swing; rods that are touched go on from
// the last state alone.
void cdg_world_keep_contact(cdg_world *world) {
    if (!world_has_contact(world)) return;
    note_parted(world);
    cdg_contacts_keep(&world->contacts);
    for (size_t i = 0; i < world->rod_count; i++) {
        cdg_rod *rod = world->rods[i].rod;
        if (rod != NULL && world->touched[i] && rod->x_before[0] != NULL) rod->has_history = false;
        if (rod != NULL && rod->touch == CDG_IS_STRUCK) rod->history_step = 0;
    }
    for (size_t n = 0; n < world->net_count; n++) share_history(world->nets[n]);
    for (size_t i = 0; i < world->solid_count; i++)
        if (world->touched[world->rod_count + i]) world->solids[i]->solid.has_history = false;
}

// ---- loads of implicit rods -----------------------------------------------------------------------------------------

bool cdg_world_loads_contact(const cdg_world *world, size_t rod_index) {
    const cdg_rod *rod = world->rods[rod_index].rod;
    if (cdg_world_couples_contact(world, rod_index)) return true;
    if (!world_has_contact(world) || (has_shock(world) && rod->model->contact.takes_loads_slowly)) return false;
    return rod->model->contact.takes_loads != NULL && rod->model->contact.takes_loads(rod);
}

bool cdg_world_couples_contact(const cdg_world *world, size_t rod_index) {
    const cdg_rod_model *model = world->rods[rod_index].rod->model;
    return world_has_contact(world) && model->contact.response_size != NULL &&
           model->contact.response_size(world->rods[rod_index].rod) > 0;
}

// NULL: it is none, or gone.
static const cdg_rod *rod_of_side(const cdg_world *world, const cdg_contact_side *side) {
    if (side->kind != CDG_SIDE_SEGMENT || side->object >= world->rod_count) return NULL;
    return world->rods[side->object].rod;
}

double cdg_world_contact_parts(const cdg_world *world, double step) {
    double most = 1;
    const cdg_contacts *c = &world->contacts;
    if (!world_has_contact(world)) return most;
    most = cdg_solids_contact_parts(world, step, true);
    const cdg_rod *last = NULL;
    for (size_t i = 0; i < c->kept_count; i++)
        for (int k = 0; k < 2; k++) {
            const cdg_rod *rod = rod_of_side(world, &c->kept[i].side[k]);
            if (rod == NULL || rod == last) continue;
            last = rod;
            if (rod->model->division.contact_parts != NULL)
                most = fmax(most, rod->model->division.contact_parts(rod, step));
        }
    return most;
}

// Nodes that joints make one are loaded once.
static cdg_vec3 force_at(const cdg_pieces *p, size_t index, size_t node) {
    size_t k = p->first_node[index] + node;
    return p->is_first[k] ? p->force[p->point_of[k]] : vec3(0, 0, 0);
}

// In material axes. Implicit rods take torques about d3; of explicit ones with frames of their own, d3 may lean.
static cdg_vec3 torque_at(const cdg_pieces *p, size_t index, size_t element) {
    const cdg_rod *rod = p->objects[index].object;
    double torque = p->torque[p->first_element[index] + element];
    if (p->objects[index].is_implicit) return vec3(0, 0, torque);
    cdg_vec3 edge = vec3_sub(rod_vec3(rod->x, rod_next_node(rod, element)), rod_vec3(rod->x, element));
    return quat_rotate_inverse(rod_quat(rod->q, element), vec3_scale(torque, vec3_normalize(edge)));
}

void cdg_world_add_contact_loads(const cdg_world *world, size_t rod_index, const cdg_rod_loads *loads) {
    const cdg_pieces *p = &world->contacts.pieces;
    const cdg_rod *rod = world->rods[rod_index].rod;
    if (world->contacts.idle.is_quiet && world->contacts.kept_count == 0) return; // there are none
    for (size_t i = 0; i < rod->node_count; i++) {
        cdg_vec3 force = force_at(p, rod_index, i);
        loads->force[0][i] += force.x, loads->force[1][i] += force.y, loads->force[2][i] += force.z;
    }
    for (size_t j = 0; j < rod->element_count; j++) {
        double torque = p->torque[p->first_element[rod_index] + j];
        if (torque == 0) continue;
        cdg_vec3 turning = torque_at(p, rod_index, j);
        loads->torque[0][j] += turning.x, loads->torque[1][j] += turning.y, loads->torque[2][j] += turning.z;
    }
}

double cdg_world_contact_work(const cdg_world *world, size_t rod_index) {
    const cdg_pieces *p = &world->contacts.pieces;
    const cdg_rod *rod = world->rods[rod_index].rod;
    double work = 0;
    for (size_t i = 0; i < rod->node_count; i++) {
        cdg_vec3 force = force_at(p, rod_index, i);
        work += vec3_dot(force, vec3_sub(rod_vec3(rod->x_next, i), rod_vec3(rod->x, i)));
    }
    for (size_t j = 0; j < rod->element_count; j++) {
        double torque = p->torque[p->first_element[rod_index] + j];
        if (torque == 0) continue;
        cdg_vec3 turn = quat_log(quat_relative(rod_quat(rod->q, j), rod_quat(rod->q_next, j)));
        work += vec3_dot(torque_at(p, rod_index, j), turn);
    }
    return work;
}

// ---- reading back ---------------------------------------------------------------------------------------------------

static bool is_on_rod(const cdg_contact_side *side, cdg_rod_id id) {
    return side->kind == CDG_SIDE_SEGMENT && side->object == id.index1 - 1;
}

cdg_result cdg_rod_contact_force(const cdg_world *world, cdg_rod_id id, cdg_vec3 *out, size_t *count) {
    if (world == NULL || out == NULL) return CDG_ERROR_ARGUMENT;
    if (cdg_world_get_rod(world, id) == NULL) return CDG_ERROR_STALE;
    cdg_vec3 sum = {0, 0, 0};
    size_t found = 0;
    for (size_t i = 0; i < cdg_contacts_kept(world); i++) {
        const cdg_contact *contact = &world->contacts.kept[i];
        bool is_first = is_on_rod(&contact->side[0], id), is_second = is_on_rod(&contact->side[1], id);
        if (is_first) sum = vec3_add(sum, contact->force);
        if (is_second) sum = vec3_sub(sum, contact->force);
        found += is_first || is_second;
    }
    *out = sum;
    if (count != NULL) *count = found;
    return CDG_OK;
}
