// Rods as contact sees them: one numbering of all points and elements, and the way from rods to it and back.
#include "contact/pieces.h"

#include "base/arena.h"
#include "base/error.h"
#include "math/quat.h"
#include "rods/rod_model.h"

#include <stdlib.h>
#include <string.h>

// ---- building -------------------------------------------------------------------------------------------------------

// Carves all arrays; with `memory` NULL it only counts.
static size_t carve(cdg_pieces *p, void *memory) {
    size_t used = 0;
#define PIECE(member, count)                                                                                           \
    do {                                                                                                               \
        p->member = memory != NULL ? (void *)((char *)memory + used) : NULL;                                           \
        used += arena_size((count) * sizeof *p->member);                                                               \
    } while (0)
    size_t e = p->element_count + 1;
    PIECE(rods, p->rod_count + 1);
    PIECE(is_implicit, p->rod_count + 1);
    PIECE(is_loaded, p->rod_count + 1);
    PIECE(first_element, p->rod_count + 1);
    PIECE(first_node, p->rod_count + 1);
    PIECE(point_of, p->node_count + 1);
    PIECE(is_first, p->node_count + 1);
    PIECE(ends, e);
    PIECE(rod_of, e);
    PIECE(radius, e);
    PIECE(arc, e);
    PIECE(near_joint, e);
    PIECE(joint_distance, e);
    PIECE(start, p->point_count);
    PIECE(base, p->point_count);
    PIECE(free, p->point_count);
    PIECE(velocity, p->point_count);
    PIECE(held, p->point_count);
    PIECE(give, p->point_count);
    PIECE(turn_free, e);
    PIECE(turn_give, e);
    PIECE(axis, e);
    PIECE(next, p->point_count);
    PIECE(turn, e);
    PIECE(force, p->point_count);
    PIECE(torque, e);
    PIECE(loaded, p->point_count);
    PIECE(loaded_torque, e);
    PIECE(force_before, p->point_count);
    PIECE(torque_before, e);
    PIECE(move, p->point_count);
    PIECE(more_turn, e);
#undef PIECE
    return used;
}

static uint32_t place_of(const cdg_pieces *p, const cdg_rod *rod) {
    for (size_t i = 0; i < p->rod_count; i++)
        if (p->rods[i] == rod) return (uint32_t)i;
    return UINT32_MAX;
}

// Members of a joint take the number of their first; then numbers without gaps. Returns how many points there are.
static size_t number_points(cdg_pieces *p, cdg_net *const *nets, size_t net_count, uint32_t *joint_of) {
    for (size_t i = 0; i < p->node_count; i++) {
        p->point_of[i] = (uint32_t)i;
        joint_of[i] = UINT32_MAX;
    }
    uint32_t joint_number = 0;
    for (size_t n = 0; n < net_count; n++)
        for (size_t j = 0; j < nets[n]->joint_count; j++, joint_number++) {
            const cdg_net_member *members = &nets[n]->members[nets[n]->joints[j].first];
            uint32_t first = UINT32_MAX;
            for (size_t m = 0; m < nets[n]->joints[j].count; m++) {
                uint32_t rod = place_of(p, nets[n]->rods[members[m].rod]);
                if (rod == UINT32_MAX) continue;
                uint32_t node = p->first_node[rod] + (uint32_t)members[m].node;
                if (first == UINT32_MAX || node < first) first = node;
                joint_of[node] = joint_number;
            }
            for (size_t m = 0; m < nets[n]->joints[j].count; m++) {
                uint32_t rod = place_of(p, nets[n]->rods[members[m].rod]);
                if (rod != UINT32_MAX) p->point_of[p->first_node[rod] + (uint32_t)members[m].node] = first;
            }
        }
    uint32_t count = 1; // after the still point
    for (size_t i = 0; i < p->node_count; i++) {
        p->is_first[i] = p->point_of[i] == i;
        p->point_of[i] = p->is_first[i] ? count++ : p->point_of[p->point_of[i]];
    }
    return count;
}

// Distances along the rod to the next joints, both ways; a closed rod is walked twice to get past its seam.
static void find_joints(cdg_pieces *p, size_t place, const uint32_t *joint_of) {
    const cdg_rod *rod = p->rods[place];
    size_t count = rod->element_count, rounds = rod->is_closed ? 2 : 1;
    uint32_t first = p->first_element[place];
    const uint32_t *joint = joint_of + p->first_node[place];
    uint32_t last = UINT32_MAX;
    double distance = 0;
    for (size_t k = 0; k < rounds * count; k++) {
        size_t j = k % count;
        if (joint[j] != UINT32_MAX) last = joint[j], distance = 0;
        p->near_joint[first + j][0] = last;
        p->joint_distance[first + j][0] = distance;
        distance += rod->rest_length[j];
    }
    last = UINT32_MAX, distance = 0;
    for (size_t k = rounds * count; k-- > 0;) {
        size_t j = k % count, next = rod_next_node(rod, j);
        if (joint[next] != UINT32_MAX) last = joint[next], distance = 0;
        p->near_joint[first + j][1] = last;
        p->joint_distance[first + j][1] = distance;
        distance += rod->rest_length[j];
    }
}

static void describe_rod(cdg_pieces *p, size_t place) {
    const cdg_rod *rod = p->rods[place];
    const uint32_t *point = p->point_of + p->first_node[place];
    double arc = 0;
    for (size_t j = 0; j < rod->element_count; j++) {
        uint32_t e = p->first_element[place] + (uint32_t)j;
        size_t next = rod_next_node(rod, j);
        p->ends[e][0] = point[j], p->ends[e][1] = point[next];
        p->rod_of[e] = (uint32_t)place;
        p->radius[e][0] = rod->radius[j * rod->section_stride];
        p->radius[e][1] = rod->radius[next * rod->section_stride];
        p->arc[e][0] = arc;
        arc += rod->rest_length[j];
        p->arc[e][1] = arc;
    }
}

cdg_result cdg_pieces_build(cdg_pieces *out, cdg_rod *const *rods, size_t rod_count, cdg_net *const *nets,
                            size_t net_count, size_t body_count, cdg_error *error) {
    cdg_pieces_free(out);
    cdg_pieces p = {.rod_count = rod_count, .body_count = body_count};
    for (size_t i = 0; i < rod_count; i++) {
        if (rods[i] == NULL) continue;
        p.node_count += rods[i]->node_count;
        p.element_count += rods[i]->element_count;
    }
    p.point_count = p.node_count + 1 + 2 * body_count;
    size_t bytes = carve(&p, NULL);
    void *memory = aligned_alloc(64, bytes);
    uint32_t *joint_of = malloc((p.node_count + 1) * sizeof *joint_of);
    if (memory == NULL || joint_of == NULL || p.element_count >= UINT32_MAX / 4) {
        free(memory);
        free(joint_of);
        return cdg_fail(error, CDG_ERROR_MEMORY, "no memory for contact among %zu elements", p.element_count);
    }
    memset(memory, 0, bytes);
    carve(&p, memory);
    p.memory = memory;
    for (size_t i = 0; i < rod_count; i++) {
        p.rods[i] = rods[i];
        p.is_implicit[i] =
            rods[i] != NULL && rods[i]->model->response_size != NULL && rods[i]->model->response_size(rods[i]) > 0;
        p.is_loaded[i] = rods[i] != NULL && !p.is_implicit[i] && rods[i]->model->takes_contact_loads != NULL &&
                         rods[i]->model->takes_contact_loads(rods[i]);
        p.has_loaded = p.has_loaded || p.is_loaded[i];
        p.first_node[i + 1] = p.first_node[i] + (rods[i] != NULL ? (uint32_t)rods[i]->node_count : 0);
        p.first_element[i + 1] = p.first_element[i] + (rods[i] != NULL ? (uint32_t)rods[i]->element_count : 0);
    }
    p.first_body_point = (uint32_t)number_points(&p, nets, net_count, joint_of);
    p.point_count = p.first_body_point + 2 * body_count;
    for (size_t i = 0; i < rod_count; i++) {
        if (rods[i] == NULL) continue;
        describe_rod(&p, i);
        find_joints(&p, i, joint_of);
    }
    p.ends[p.element_count][0] = p.ends[p.element_count][1] = CDG_STILL_POINT;
    free(joint_of);
    *out = p;
    return CDG_OK;
}

void cdg_pieces_free(cdg_pieces *pieces) {
    free(pieces->memory);
    *pieces = (cdg_pieces){0};
}

// ---- neighbours -----------------------------------------------------------------------------------------------------

// Bent to a half circle of its own radius, the sharpest it can without lying in itself, a rod touches itself after
// pi radii.
static const double bend_back = 3.141592653589793;

bool cdg_pieces_are_neighbours(const cdg_pieces *p, uint32_t a, uint32_t b) {
    double reach = bend_back * 0.25 * (p->radius[a][0] + p->radius[a][1] + p->radius[b][0] + p->radius[b][1]);
    if (p->rod_of[a] == p->rod_of[b]) {
        uint32_t low = a < b ? a : b, high = a < b ? b : a;
        double apart = p->arc[high][0] - p->arc[low][1];
        if (apart < reach) return true;
        const cdg_rod *rod = p->rods[p->rod_of[a]];
        if (rod->is_closed && p->arc[low][0] + rod->length - p->arc[high][1] < reach) return true;
    }
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < 2; k++)
            if (p->near_joint[a][i] != UINT32_MAX && p->near_joint[a][i] == p->near_joint[b][k] &&
                p->joint_distance[a][i] + p->joint_distance[b][k] < reach)
                return true;
    return false;
}

// ---- a step ---------------------------------------------------------------------------------------------------------

// Inertia of an element's frame about its tangent, as its model has it; 0: contact does not turn it.
static double spin_inertia(const cdg_rod *rod, size_t element) {
    if (rod->model->spin_inertia != NULL) return rod->model->spin_inertia(rod, element);
    return rod->frame_inertia[2][element * rod->section_stride] * rod->rest_length[element];
}

static void load_rod(cdg_pieces *p, size_t place, double step) {
    const cdg_rod *rod = p->rods[place];
    const uint32_t *point = p->point_of + p->first_node[place];
    for (size_t i = 0; i < rod->node_count; i++) {
        uint32_t k = point[i];
        p->start[k] = rod_vec3(rod->x, i);
        p->free[k] = p->next[k] = rod_vec3(rod->x_next, i);
        p->velocity[k] = rod_vec3(rod->v, i);
        p->base[k] = vec3_mad(p->free[k], -step, rod_vec3(rod->v_next, i));
        p->give[k] += rod->node_mass[i]; // masses first
    }
    for (size_t h = 0; h < rod->hold_count; h++)
        if (rod->holds[h].holds_position) p->held[point[rod->holds[h].node]] = true;
    for (size_t j = 0; j < rod->element_count; j++) {
        uint32_t e = p->first_element[place] + (uint32_t)j;
        double inertia = p->is_implicit[place] ? 1 : spin_inertia(rod, j);
        p->turn[e] = inertia > 0 ? quat_log(quat_relative(rod_quat(rod->q, j), rod_quat(rod->q_next, j))).z : 0;
        p->turn_free[e] = p->turn[e];
        p->turn_give[e] = inertia > 0 && !p->is_implicit[place] ? step * step / inertia : 0;
    }
}

// Axes, and what only explicit rods have: points that answer for themselves, and forces that they were loaded with.
static void finish_rod(cdg_pieces *p, size_t place) {
    const cdg_rod *rod = p->rods[place];
    const uint32_t *point = p->point_of + p->first_node[place];
    for (size_t j = 0; j < rod->element_count; j++) {
        uint32_t e = p->first_element[place] + (uint32_t)j;
        p->axis[e] = vec3_normalize(vec3_sub(p->base[p->ends[e][1]], p->base[p->ends[e][0]]));
        if (p->is_implicit[place]) continue;
        if (!p->is_loaded[place]) p->torque[e] = 0;
        p->loaded_torque[e] = p->torque[e];
    }
    for (size_t i = 0; i < rod->node_count; i++) {
        uint32_t k = point[i];
        if (p->is_implicit[place]) p->give[k] = 0;
        if (!p->is_implicit[place] && !p->is_loaded[place]) p->force[k] = vec3(0, 0, 0);
        if (!p->is_implicit[place]) p->loaded[k] = p->force[k];
    }
}

void cdg_pieces_load(cdg_pieces *p, double step) {
    memset(p->give, 0, p->point_count * sizeof *p->give);
    memset(p->held, 0, p->point_count * sizeof *p->held);
    for (size_t i = 0; i < p->rod_count; i++)
        if (p->rods[i] != NULL) load_rod(p, i, step);
    p->held[CDG_STILL_POINT] = true;
    for (size_t k = p->first_body_point; k < p->point_count; k++) { // until body_pieces.c says more
        p->held[k] = true;
        p->force[k] = vec3(0, 0, 0);
    }
    for (size_t k = 0; k < p->point_count; k++) p->give[k] = p->held[k] ? 0 : step * step / p->give[k];
    for (size_t i = 0; i < p->rod_count; i++)
        if (p->rods[i] != NULL) finish_rod(p, i);
    p->force[CDG_STILL_POINT] = p->loaded[CDG_STILL_POINT] = vec3(0, 0, 0);
    p->torque[p->element_count] = p->loaded_torque[p->element_count] = 0;
}

void cdg_pieces_reload(cdg_pieces *p, size_t place, double step) {
    load_rod(p, place, step);
    finish_rod(p, place);
}

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

static bool store_rod(const cdg_pieces *p, size_t place, double step) {
    cdg_rod *rod = p->rods[place];
    const uint32_t *point = p->point_of + p->first_node[place];
    bool is_touched = false;
    for (size_t i = 0; i < rod->node_count; i++) {
        uint32_t k = point[i];
        if (is_zero(p->force[k]) && is_zero(p->loaded[k])) continue;
        is_touched = true;
        if (p->is_implicit[place]) return true; // its candidate was made with the forces
        cdg_vec3 move = vec3_scale(p->give[k], vec3_sub(p->force[k], p->loaded[k]));
        rod_set_vec3(rod->x_next, i, vec3_add(p->free[k], move));
        rod_set_vec3(rod->v_next, i, vec3_mad(rod_vec3(rod->v_next, i), 1 / step, move));
    }
    // What contact presses onto a held node, its support must hold, beyond what the prediction had.
    for (size_t h = 0; h < rod->hold_count; h++)
        if (rod->holds[h].holds_position)
            rod->holds[h].force = vec3_sub(rod->holds[h].force, vec3_sub(p->force[point[rod->holds[h].node]], //
                                                                         p->loaded[point[rod->holds[h].node]]));
    bool follows = rod->model->frames_follow != NULL && rod->model->frames_follow(rod);
    for (size_t j = 0; j < rod->element_count; j++) {
        uint32_t e = p->first_element[place] + (uint32_t)j;
        if (follows && !(is_still(p, p->ends[e][0]) && is_still(p, p->ends[e][1])))
            follow_edge(rod, j, vec3_sub(p->next[p->ends[e][1]], p->next[p->ends[e][0]]));
        double torque = p->torque[e] - p->loaded_torque[e];
        if (torque == 0 || p->turn_give[e] == 0) continue;
        is_touched = true;
        turn_frame(rod, j, p->axis[e], p->turn_give[e] * torque, torque, step);
    }
    return is_touched;
}

void cdg_pieces_store(const cdg_pieces *p, double step, bool *touched) {
    for (size_t i = 0; i < p->rod_count; i++) touched[i] = p->rods[i] != NULL && store_rod(p, i, step);
}
