// A part of a rod as a rod of its own: what a cut leaves. Everything that lies on the kept elements is as it was; a
// node at which the rod was cut becomes an end, with the half of its cell, of its mass and of its turns that is on this
// side.
#include "rods/rod_cut.h"

#include "base/error.h"
#include "math/vec3.h"
#include "rods/model_options.h"
#include "rods/rod_model.h"

#include <stdlib.h>
#include <string.h>

// ---- arrays ---------------------------------------------------------------------------------------------------------

// Entries from `first` on, of a closed rod on beyond its last.
static void copy(double *to, const double *from, size_t first, size_t count, size_t whole) {
    for (size_t i = 0; i < count; i++) to[i] = from[(first + i) % whole];
}

static void copy_several(double *const *to, double *const *from, size_t arrays, size_t first, size_t count,
                         size_t whole) {
    for (size_t k = 0; k < arrays && from[k] != NULL; k++) copy(to[k], from[k], first, count, whole);
}

static void copy_sections(cdg_rod *part, const cdg_rod *whole, size_t first) {
    size_t stride = whole->section_stride, elements = stride != 0 ? part->element_count : 1;
    size_t nodes = stride != 0 ? part->node_count : 1, from = stride != 0 ? first : 0;
    copy(part->line_mass, whole->line_mass, from, elements, whole->element_count);
    copy_several(part->stretch_stiffness, whole->stretch_stiffness, 3, from, elements, whole->element_count);
    copy_several(part->frame_inertia, whole->frame_inertia, 3, from, elements, whole->element_count);
    copy_several(part->bend_stiffness, whole->bend_stiffness, 3, from, nodes, whole->node_count);
    copy(part->radius, whole->radius, from, nodes, whole->node_count);
}

static void copy_state(cdg_rod *part, const cdg_rod *whole, size_t first) {
    size_t nodes = part->node_count, elements = part->element_count;
    size_t all_nodes = whole->node_count, all = whole->element_count;
    copy_several(part->x, whole->x, 3, first, nodes, all_nodes);
    copy_several(part->v, whole->v, 3, first, nodes, all_nodes);
    copy_several(part->q, whole->q, 4, first, elements, all);
    copy_several(part->w, whole->w, 3, first, elements, all);
    copy_several(part->x_before, whole->x_before, 3, first, nodes, all_nodes);
    copy_several(part->v_before, whole->v_before, 3, first, nodes, all_nodes);
    copy_several(part->q_before, whole->q_before, 4, first, elements, all);
    copy_several(part->w_before, whole->w_before, 3, first, elements, all);
    copy_several(&part->twist, &whole->twist, 1, first, nodes, all_nodes);
    copy_several(&part->tension, &whole->tension, 1, first, elements, all);
}

// ---- ends -----------------------------------------------------------------------------------------------------------

// The half of the cell at node `from` of the whole that lies in its element `element` is the cell of the end `end`. Of
// a node that was an end already everything is as it was.
static void make_end(cdg_rod *part, size_t end, const cdg_rod *whole, size_t from, size_t element) {
    double share = whole->rest_length[element] / 2 / rod_cell_length(whole, from);
    part->node_mass[end] = rod_own_mass(part, end);
    if (part->twist == NULL) {
        if (!part->has_one_turn) rod_set_quat(part->rest_turn, end, rod_half_cell_rest(whole, from, element));
    } else if (share < 1) { // of all its turns, which a quaternion does not tell
        cdg_rod_set_rest_turn_vector(part, end, vec3_scale(share, cdg_rod_rest_turn_vector(whole, from)));
        part->twist[end] = share * whole->twist[from];
    }
}

static void copy_rest(cdg_rod *part, const cdg_rod *whole, size_t first) {
    copy(part->rest_length, whole->rest_length, first, part->element_count, whole->element_count);
    copy(part->node_mass, whole->node_mass, first, part->node_count, whole->node_count);
    size_t turns = whole->has_one_turn ? 1 : part->node_count;
    copy_several(part->rest_turn, whole->rest_turn, 4, whole->has_one_turn ? 0 : first, turns, whole->node_count);
    copy_several(part->rest_curl, whole->rest_curl, 3, first, part->node_count, whole->node_count);
    part->length = part->mass = 0;
    for (size_t j = 0; j < part->element_count; j++) {
        part->length += part->rest_length[j];
        part->mass += part->line_mass[j * part->section_stride] * part->rest_length[j];
    }
}

static void make_ends(cdg_rod *part, const cdg_rod *whole, size_t first) {
    size_t count = part->element_count, last = (first + count - 1) % whole->element_count;
    make_end(part, 0, whole, first, first);
    make_end(part, count, whole, (first + count) % whole->node_count, last);
}

// Sizes are linear along the rod; a rod that is closed has the same all along.
static void cut_sections(cdg_rod *part, const cdg_rod *whole, size_t first) {
    if (whole->section_stride == 0) return;
    double from = 0, to;
    for (size_t j = 0; j < first; j++) from += whole->rest_length[j];
    to = from + part->length;
    part->section[0] = cdg_section_interpolate(&whole->section[0], &whole->section[1], from / whole->length);
    part->section[1] = cdg_section_interpolate(&whole->section[0], &whole->section[1], fmin(to / whole->length, 1));
}

// ---- resolution -----------------------------------------------------------------------------------------------------

static cdg_result copy_resolution(cdg_rod *part, const cdg_rod *whole, const cdg_rod_piece *cut, size_t first,
                                  cdg_error *error) {
    if (whole->adapt == NULL) return CDG_OK;
    cdg_result result = cdg_rod_adapt_allocate(part, cut->count, cut->count + 1, error);
    if (result != CDG_OK) return result;
    const cdg_rod_adapt *from = whole->adapt;
    cdg_rod_adapt *adapt = part->adapt, kept = *adapt;
    *adapt = *from;
    adapt->level = kept.level, adapt->part = kept.part, adapt->calm = kept.calm, adapt->touch = kept.touch;
    adapt->beside = kept.beside, adapt->finest = kept.finest;
    adapt->arc = kept.arc, adapt->user_node = kept.user_node, adapt->joined = kept.joined;
    adapt->user_element_count = cut->count, adapt->user_node_count = cut->count + 1;
    adapt->halved_count = 0;
    if (cut->first > 0) { // they are counted once
        adapt->split_count = adapt->merge_count = 0;
        memset(adapt->refused, 0, sizeof adapt->refused);
    }
    for (size_t j = 0; j < part->element_count; j++) {
        size_t k = (first + j) % whole->element_count;
        adapt->level[j] = from->level[k], adapt->part[j] = from->part[k];
        adapt->finest[j + 1] = adapt->finest[j] + (1u << (from->options.levels - from->level[k]));
        adapt->beside[adapt->finest[j]] = *rod_beside(whole, k);
        adapt->beside[adapt->finest[j + 1]] = *rod_beside(whole, rod_next_node(whole, k));
        adapt->calm[j] = from->calm[k], adapt->touch[j] = from->touch[k];
        adapt->halved_count += adapt->level[j] > 0;
        adapt->arc[j + 1] = adapt->arc[j] + part->rest_length[j];
    }
    for (size_t i = 0, j = 0; i < adapt->user_node_count; i++) {
        adapt->user_node[i] = (uint32_t)j;
        while (j < part->element_count && adapt->part[j] + 1 < 1 << adapt->level[j]) j++;
        j++;
    }
    return CDG_OK;
}

// ---- the part -------------------------------------------------------------------------------------------------------

// Everything but numbers and flags is the part's own.
static cdg_rod *begin(const cdg_rod *whole, const char *name) {
    cdg_rod *part = calloc(1, sizeof *part);
    char *own_name = malloc(strlen(name) + 1);
    if (part == NULL || own_name == NULL) {
        free(part);
        free(own_name);
        return NULL;
    }
    *part = *whole;
    part->holds = part->holds_before = NULL;
    part->hold_at = part->support_at = NULL;
    part->hold_count = part->hold_capacity = part->hold_before_count = part->support_count = 0;
    part->adapt = NULL;
    part->memory = NULL;
    part->turn_memory = NULL;
    part->name = memcpy(own_name, name, strlen(name) + 1);
    return part;
}

static void finish(cdg_rod *part) {
    part->is_gripped = false;
    part->has_inner_frame_support = false;
    part->calm_substep = part->calm_substep_next = 0; // nothing is calm after a cut
    if (part->x_before[0] != NULL) part->has_history = false;
    if (part->adapt != NULL)
        cdg_rod_adapt_settle(part);
    else if (part->model->rest_changed != NULL)
        part->model->rest_changed(part);
}

cdg_result cdg_rod_cut_check(const cdg_rod *rod, cdg_error *error) {
    if (rod->own_count == 0) return CDG_OK;
    return cdg_fail(error, CDG_ERROR_UNSUPPORTED,
                    "rod '%s': rods of model %s cannot be cut, since it keeps a state of the rod as a whole; take "
                    "pobd, der, corde or reference",
                    rod->name, rod->model->name);
}

cdg_result cdg_rod_cut_out(const cdg_rod *whole, const cdg_rod_piece *cut, const char *name, cdg_rod **out,
                           cdg_error *error) {
    *out = NULL;
    size_t first = rod_user_node(whole, cut->first);
    size_t count = whole->is_closed ? whole->element_count : rod_user_node(whole, cut->first + cut->count) - first;
    cdg_rod *part = begin(whole, name);
    if (part == NULL) return cdg_fail(error, CDG_ERROR_MEMORY, "rod '%s': no memory for a part of it", whole->name);
    part->is_closed = false;
    part->element_count = count;
    part->node_count = part->element_count + 1;
    part->element_capacity = whole->adapt != NULL ? cut->count << whole->adapt->options.levels : part->element_count;
    part->node_capacity = part->element_capacity + 1;
    cdg_result result = cdg_rod_allocate(part, whole->x_before[0] != NULL, error);
    if (result == CDG_OK && whole->options_memory != NULL) {
        memcpy(part->options_memory, whole->options_memory, whole->model->options->size);
        part->options = part->options_memory;
    }
    if (result == CDG_OK) {
        copy_sections(part, whole, first);
        copy_rest(part, whole, first);
        copy_state(part, whole, first);
        make_ends(part, whole, first);
        cut_sections(part, whole, first);
        result = copy_resolution(part, whole, cut, first, error);
    }
    if (result != CDG_OK) {
        cdg_rod_destroy(part);
        return result;
    }
    finish(part);
    *out = part;
    return CDG_OK;
}
