// Rods as contact sees them: the way from a rod to its proxy and back.
#include "world/rod_proxy.h"

#include "base/error.h"
#include "base/parallel.h"
#include "math/quat.h"
#include "rods/rod_model.h"

#include <stdatomic.h>
#include <stdlib.h>

// ---- reading the candidate ------------------------------------------------------------------------------------------

// Inertia of an element's frame about its tangent, as its model has it; 0: contact does not turn it.
static double spin_inertia(const cdg_rod *rod, size_t element) {
    if (rod->model->contact.spin_inertia != NULL) return rod->model->contact.spin_inertia(rod, element);
    return rod->frame_inertia[2][element * rod->section_stride] * rod->rest_length[element];
}

// Nodes and elements that a thread takes at once; as many parts of a rod are worth a second one.
enum { PIECES_AT_ONCE = 256, PARTS_WORTH = 4 };

static size_t part_count(const cdg_rod *rod) { return (rod->node_count + PIECES_AT_ONCE - 1) / PIECES_AT_ONCE; }

static int threads_for(const cdg_pieces *p, const cdg_rod *rod) {
    return part_count(rod) >= PARTS_WORTH && p->joint_count == 0 ? p->threads : 1; // joints' points are shared
}

typedef struct read_work {
    cdg_pieces *pieces;
    const cdg_rod *rod;
    size_t index;
    double step;
} read_work;

static void read_node(const read_work *w, size_t i) {
    cdg_pieces *p = w->pieces;
    const cdg_rod *rod = w->rod;
    uint32_t k = p->point_of[p->first_node[w->index] + i];
    p->start[k] = rod_vec3(rod->x, i);
    p->free[k] = p->next[k] = rod_vec3(rod->x_next, i);
    p->velocity[k] = rod_vec3(rod->v, i);
    p->base[k] = vec3_mad(p->free[k], -w->step, rod_vec3(rod->v_next, i));
    p->give[k] += rod->node_mass[i]; // masses first
}

static void read_element(const read_work *w, size_t j) {
    cdg_pieces *p = w->pieces;
    const cdg_rod *rod = w->rod;
    bool is_implicit = p->objects[w->index].is_implicit;
    uint32_t e = p->first_element[w->index] + (uint32_t)j;
    double inertia = is_implicit ? 1 : spin_inertia(rod, j);
    p->turn[e] = inertia > 0 ? quat_log(quat_relative(rod_quat(rod->q, j), rod_quat(rod->q_next, j))).z : 0;
    p->turn_free[e] = p->turn[e];
    p->turn_give[e] = inertia > 0 && !is_implicit ? w->step * w->step / inertia : 0;
}

static void read_part(void *user, size_t index, int thread) {
    const read_work *w = user;
    size_t first = PIECES_AT_ONCE * index, end = first + PIECES_AT_ONCE;
    (void)thread;
    for (size_t i = first; i < end && i < w->rod->node_count; i++) read_node(w, i);
    for (size_t j = first; j < end && j < w->rod->element_count; j++) read_element(w, j);
}

static void read_rod(cdg_pieces *p, size_t index, double step) {
    const cdg_rod *rod = p->objects[index].object;
    const uint32_t *point = p->point_of + p->first_node[index];
    read_work work = {p, rod, index, step};
    cdg_parallel_for(part_count(rod), threads_for(p, rod), read_part, &work);
    for (size_t h = 0; h < rod->hold_count; h++)
        if (rod->holds[h].holds_position) p->held[point[rod->holds[h].node]] = true;
}

// ---- giving back ----------------------------------------------------------------------------------------------------

// A torque about the element's axis: the frame turns, and its angular momentum changes by exactly the torque's
// impulse.
static void turn_frame(cdg_rod *rod, size_t j, cdg_vec3 axis, double turn, double torque, double step) {
    double inertia[3];
    for (int k = 0; k < 3; k++) inertia[k] = rod->frame_inertia[k][j * rod->section_stride] * rod->rest_length[j];
    double factor = spin_inertia(rod, j) / inertia[2];
    for (int k = 0; k < 3; k++) inertia[k] *= factor;
    cdg_quat q = rod_quat(rod->q_next, j);
    cdg_vec3 w = rod_vec3(rod->w_next, j);
    cdg_vec3 momentum = quat_rotate(q, vec3(inertia[0] * w.x, inertia[1] * w.y, inertia[2] * w.z));
    momentum = vec3_mad(momentum, step * torque, axis);
    cdg_quat turned = quat_normalize(quat_multiply(quat_exp(vec3_scale(turn, axis)), q));
    momentum = quat_rotate_inverse(turned, momentum);
    rod_set_quat(rod->q_next, j, turned);
    // A frame without inertia across turns there as its edge does, which the torque leaves alone.
    cdg_vec3 edge = quat_rotate_inverse(turned, quat_rotate(q, w));
    rod_set_vec3(rod->w_next, j,
                 vec3(inertia[0] > 0 ? momentum.x / inertia[0] : edge.x,
                      inertia[1] > 0 ? momentum.y / inertia[1] : edge.y, momentum.z / inertia[2]));
}

// Models whose frames lie along the edges: turned the shortest way to where the edge is now.
static void follow_edge(cdg_rod *rod, size_t j, cdg_vec3 edge) {
    cdg_quat q = rod_quat(rod->q_next, j);
    cdg_vec3 direction = vec3_normalize(edge);
    if (vec3_norm(direction) > 0)
        rod_set_quat(rod->q_next, j, quat_normalize(quat_multiply(quat_between(quat_d3(q), direction), q)));
}

static bool is_zero(cdg_vec3 a) { return a.x == 0 && a.y == 0 && a.z == 0; }

static bool is_still(const cdg_pieces *p, uint32_t point) {
    return is_zero(vec3_sub(p->force[point], p->loaded[point]));
}

typedef struct return_work {
    const cdg_pieces *pieces;
    cdg_rod *rod;
    size_t index;
    double step;
    bool follows;           // frames lie along the edges
    atomic_bool is_touched; // by what any thread has seen
} return_work;

static bool give_back_node(const return_work *w, size_t i) {
    const cdg_pieces *p = w->pieces;
    cdg_rod *rod = w->rod;
    uint32_t k = p->point_of[p->first_node[w->index] + i];
    if (is_zero(p->force[k]) && is_zero(p->loaded[k])) return false;
    cdg_vec3 move = vec3_scale(p->give[k], vec3_sub(p->force[k], p->loaded[k]));
    rod_set_vec3(rod->x_next, i, vec3_add(p->free[k], move));
    rod_set_vec3(rod->v_next, i, vec3_mad(rod_vec3(rod->v_next, i), 1 / w->step, move));
    return true;
}

static bool give_back_element(const return_work *w, size_t j) {
    const cdg_pieces *p = w->pieces;
    uint32_t e = p->first_element[w->index] + (uint32_t)j;
    if (w->follows && !(is_still(p, p->ends[e][0]) && is_still(p, p->ends[e][1])))
        follow_edge(w->rod, j, vec3_sub(p->next[p->ends[e][1]], p->next[p->ends[e][0]]));
    double torque = p->torque[e] - p->loaded_torque[e];
    if (torque == 0 || p->turn_give[e] == 0) return false;
    turn_frame(w->rod, j, p->axis[e], p->turn_give[e] * torque, torque, w->step);
    return true;
}

static void give_back_part(void *user, size_t index, int thread) {
    return_work *w = user;
    size_t first = PIECES_AT_ONCE * index, end = first + PIECES_AT_ONCE;
    bool is_touched = false;
    for (size_t i = first; i < end && i < w->rod->node_count; i++) is_touched |= give_back_node(w, i);
    for (size_t j = first; j < end && j < w->rod->element_count; j++) is_touched |= give_back_element(w, j);
    (void)thread;
    if (is_touched) atomic_store_explicit(&w->is_touched, true, memory_order_relaxed);
}

static bool is_pushed(const cdg_pieces *p, const cdg_rod *rod, const uint32_t *point) {
    for (size_t i = 0; i < rod->node_count; i++)
        if (!is_zero(p->force[point[i]]) || !is_zero(p->loaded[point[i]])) return true;
    return false;
}

static bool give_back_rod(const cdg_pieces *p, size_t index, double step) {
    cdg_rod *rod = p->objects[index].object;
    const uint32_t *point = p->point_of + p->first_node[index];
    // The candidate of an implicit one was made with the forces.
    bool is_implicit = p->objects[index].is_implicit;
    if (is_implicit && is_pushed(p, rod, point)) return true;
    // What contact presses onto a held node, its support must hold, beyond what the prediction had.
    for (size_t h = 0; h < rod->hold_count; h++)
        if (rod->holds[h].holds_position)
            rod->holds[h].force = vec3_sub(rod->holds[h].force, vec3_sub(p->force[point[rod->holds[h].node]], //
                                                                         p->loaded[point[rod->holds[h].node]]));
    bool follows = rod->model->contact.frames_follow != NULL && rod->model->contact.frames_follow(rod);
    return_work work = {.pieces = p, .rod = rod, .index = index, .step = step, .follows = follows};
    cdg_parallel_for(part_count(rod), threads_for(p, rod), give_back_part, &work);
    return atomic_load(&work.is_touched);
}

// ---- answers --------------------------------------------------------------------------------------------------------

cdg_touch cdg_rod_touch_of(const cdg_coupled *coupled) {
    switch (coupled != NULL ? coupled->state : CDG_CONTACT_NONE) {
    case CDG_CONTACT_NONE: break;
    case CDG_CONTACT_RESTS: return CDG_RESTS;
    case CDG_CONTACT_STRIKES: return CDG_IS_STRUCK;
    }
    return CDG_UNTOUCHED;
}

static void restart_rod(void *object) {
    cdg_rod *rod = object;
    if (rod->x_before[0] != NULL) rod->has_history = false;
}

static cdg_chain_range respond_rod(const void *whole, void *response, cdg_chain_range loaded, double *const force[3],
                                   const double *torque, double cutoff, double *const move[3], double *turn) {
    const cdg_rod *rod = whole;
    cdg_rod_range range = {loaded.first, loaded.end};
    range = rod->model->contact.respond(rod, response, range, force, torque, cutoff, move, turn);
    return (cdg_chain_range){range.first, range.end};
}

static bool lighten_rod(const void *whole, void *response, cdg_chain_range loaded) {
    const cdg_rod *rod = whole;
    if (rod->model->contact.lighten == NULL) return false;
    return rod->model->contact.lighten(rod, response, (cdg_rod_range){loaded.first, loaded.end});
}

static void respond_rod_lightly(const void *whole, void *response, cdg_chain_range loaded, double *const force[3],
                                const double *torque, double *const move[3], double *turn) {
    const cdg_rod *rod = whole;
    cdg_rod_range range = {loaded.first, loaded.end};
    rod->model->contact.respond_lightly(rod, response, range, force, torque, move, turn);
}

static outward_chain outward_rod(const void *whole, const void *response) {
    const cdg_rod *rod = whole;
    if (rod->model->contact.outward == NULL) return (outward_chain){0};
    return rod->model->contact.outward(rod, response);
}

static cdg_chain_range respond_net(const void *whole, void *response, cdg_chain_range loaded, double *const force[3],
                                   const double *torque, double cutoff, double *const move[3], double *turn) {
    const cdg_net *net = whole;
    (void)cutoff;
    net->rods[0]->model->net.respond(net, response, force, torque, move, turn);
    return loaded;
}

static const cdg_proxy_operations operations = {.read = read_rod,
                                                .give_back = give_back_rod,
                                                .restart = restart_rod,
                                                .respond = respond_rod,
                                                .lighten = lighten_rod,
                                                .respond_lightly = respond_rod_lightly,
                                                .outward = outward_rod};
static const cdg_proxy_operations net_operations = {
    .read = read_rod, .give_back = give_back_rod, .restart = restart_rod, .respond = respond_net};

// ---- building -------------------------------------------------------------------------------------------------------

cdg_proxy cdg_rod_proxy(cdg_rod *rod) {
    if (rod == NULL) return (cdg_proxy){.operations = &operations};
    const cdg_rod_model *model = rod->model;
    cdg_rod largest = rod_largest(rod);
    size_t response = model->contact.response_size != NULL ? model->contact.response_size(&largest) : 0;
    bool is_loaded = response == 0 && model->contact.takes_loads != NULL && model->contact.takes_loads(rod);
    return (cdg_proxy){
        .object = rod,
        .operations = &operations,
        .name = rod->name,
        .point_count = rod->node_count,
        .segment_count = rod->element_count,
        .point_capacity = rod->node_capacity,
        .segment_capacity = rod->element_capacity,
        .is_closed = rod->is_closed,
        .length = rod->length,
        .rest_length = rod->rest_length,
        .radius = rod->radius,
        .radius_stride = rod->section_stride,
        .now = rod->x,
        .next = rod->x_next,
        .velocity = rod->v,
        .is_implicit = response > 0,
        .is_loaded = is_loaded,
        .is_loaded_slowly = is_loaded && model->contact.takes_loads_slowly,
        .response_size = response,
        .whole = rod,
    };
}

static uint32_t index_of(cdg_rod *const *rods, size_t rod_count, const cdg_rod *rod) {
    for (size_t i = 0; i < rod_count; i++)
        if (rods[i] == rod) return (uint32_t)i;
    return UINT32_MAX;
}

static void add_joints(cdg_rod_proxies *out, const cdg_net *net, const uint32_t *indices) {
    for (size_t j = 0; j < net->joint_count; j++) {
        const cdg_net_member *members = &net->members[net->joints[j].first];
        cdg_proxy_joint *joint = &out->joints[out->list.joint_count++];
        *joint = (cdg_proxy_joint){.first = out->member_count};
        for (size_t m = 0; m < net->joints[j].count; m++) {
            uint32_t index = indices[members[m].rod];
            if (index == UINT32_MAX) continue;
            out->members[out->member_count++] = (cdg_proxy_member){index, (uint32_t)members[m].node};
            joint->count++;
        }
    }
}

// Nets of models that solve them at once answer as a whole.
static void join_proxies(cdg_rod_proxies *out, const cdg_net *net, const uint32_t *indices) {
    const cdg_rod_model *model = net->rods[0]->model;
    size_t response = model->net.response_size != NULL ? model->net.response_size(net) : 0, first = 0;
    for (size_t i = 0; i < net->rod_count && response > 0; first += net->rods[i++]->node_capacity) {
        cdg_proxy *proxy = &out->proxies[indices[i]];
        proxy->operations = &net_operations;
        proxy->lead = indices[0];
        proxy->first_in_whole = first;
        proxy->whole = net;
        proxy->response_size = response;
    }
}

cdg_result cdg_rod_proxies_build(cdg_rod_proxies *out, cdg_rod *const *rods, size_t rod_count, cdg_net *const *nets,
                                 size_t net_count, cdg_error *error) {
    *out = (cdg_rod_proxies){0};
    size_t joints = 0, members = 0, most = 0;
    for (size_t n = 0; n < net_count; n++) {
        joints += nets[n]->joint_count;
        members += nets[n]->member_count;
        if (nets[n]->rod_count > most) most = nets[n]->rod_count;
    }
    uint32_t *indices = malloc((most + 1) * sizeof *indices);
    out->proxies = calloc(rod_count + 1, sizeof *out->proxies);
    out->joints = calloc(joints + 1, sizeof *out->joints);
    out->members = calloc(members + 1, sizeof *out->members);
    if (indices == NULL || out->proxies == NULL || out->joints == NULL || out->members == NULL) {
        free(indices);
        cdg_rod_proxies_free(out);
        return cdg_fail(error, CDG_ERROR_MEMORY, "no memory for contact of %zu rods", rod_count);
    }
    for (size_t i = 0; i < rod_count; i++) {
        out->proxies[i] = cdg_rod_proxy(rods[i]);
        out->proxies[i].lead = (uint32_t)i;
    }
    for (size_t n = 0; n < net_count; n++) {
        for (size_t i = 0; i < nets[n]->rod_count; i++) indices[i] = index_of(rods, rod_count, nets[n]->rods[i]);
        add_joints(out, nets[n], indices);
        join_proxies(out, nets[n], indices);
    }
    free(indices);
    out->list.proxies = out->proxies;
    out->list.count = rod_count;
    out->list.joints = out->joints;
    out->list.members = out->members;
    return CDG_OK;
}

void cdg_rod_proxies_renumber(cdg_pieces *pieces, cdg_net *const *nets, size_t net_count) {
    for (size_t n = 0, next = 0; n < net_count; n++)
        for (size_t m = 0; m < nets[n]->member_count && next < pieces->member_count; m++)
            pieces->members[next++].point = (uint32_t)nets[n]->members[m].node;
}

void cdg_rod_proxies_free(cdg_rod_proxies *proxies) {
    free(proxies->proxies);
    free(proxies->joints);
    free(proxies->members);
    *proxies = (cdg_rod_proxies){0};
}

cdg_result cdg_rod_contacts_build(cdg_contacts *contacts, cdg_rod *const *rods, size_t rod_count, cdg_net *const *nets,
                                  size_t net_count, cdg_error *error) {
    cdg_rod_proxies proxies;
    cdg_result result = cdg_rod_proxies_build(&proxies, rods, rod_count, nets, net_count, error);
    if (result == CDG_OK) result = cdg_contacts_build(contacts, &proxies.list, error);
    cdg_rod_proxies_free(&proxies);
    return result;
}
