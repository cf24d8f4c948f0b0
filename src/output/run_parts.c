// Parts of rods that the scene cuts, as rods of the run.
#include "output/run_parts.h"

#include "base/error.h"
#include "base/parallel.h"
#include "math/interleave.h"
#include "world/step.h"
#include "world/world.h"

#include <stdlib.h>
#include <string.h>

// ---- which ----------------------------------------------------------------------------------------------------------

// Lengths and masses of the part's elements.
static void measure_part(const cdg_world *world, const cdg_cut_span *span, cdg_rod_info *info) {
    const cdg_rod *rod = cdg_world_get_rod(world, span->rod);
    info->length = info->mass = 0;
    for (size_t k = 0; k < span->element_count; k++) {
        size_t j = (span->first_node + k) % rod->element_count;
        info->length += rod->rest_length[j];
        info->mass += rod->line_mass[j * rod->section_stride] * rod->rest_length[j];
    }
}

static cdg_result describe(const cdg_world *world, const cdg_cut_leaf *leaf, cdg_run_rod_entry *out) {
    size_t at;
    uint32_t index = cdg_cuts_find_element(world, leaf->part.root, leaf->part.first, &at);
    const cdg_rod *rod = world->rods[index].rod;
    *out = (cdg_run_rod_entry){.id = cdg_world_rod_id(world, index), .alike = 1, .part = leaf->part};
    cdg_result result = cdg_rod_get_info(world, out->id, &out->info);
    out->is_part = leaf->part.count != rod_user_element_count(rod) || leaf->is_closed != rod->is_closed;
    if (result != CDG_OK || !out->is_part) return result;
    cdg_cut_span span = cdg_cuts_span(world, &leaf->part);
    if (leaf->name != NULL) out->info.name = leaf->name;
    out->cut_time = leaf->time;
    out->info.is_closed = false;
    out->info.node_count = span.node_count;
    out->info.element_count = span.element_count;
    out->info.defined_element_count = leaf->part.count;
    out->info.defined_node_count = leaf->part.count + 1;
    measure_part(world, &span, &out->info);
    return CDG_OK;
}

cdg_result cdg_run_parts_make(const cdg_world *world, cdg_run_layout *out, cdg_error *error) {
    cdg_cut_leaf *leaves = NULL;
    size_t count = 0;
    bool has_memory = cdg_cuts_leaves(world, &leaves, &count);
    out->rods = calloc(count + 1, sizeof *out->rods);
    if (!has_memory || out->rods == NULL) {
        free(leaves);
        return cdg_fail(error, CDG_ERROR_MEMORY, "out of memory for the list of what a run writes");
    }
    out->rod_count = count;
    for (size_t i = 0; i < count; i++) {
        cdg_result result = describe(world, &leaves[i], &out->rods[i]);
        if (result == CDG_OK) continue;
        free(leaves);
        return cdg_fail(error, result, "rod number %zu of the scene cannot be asked for its size", i + 1);
    }
    free(leaves);
    return CDG_OK;
}

// ---- where ----------------------------------------------------------------------------------------------------------

cdg_cut_span cdg_run_part_span(const cdg_world *world, const cdg_run_rod_entry *rod) {
    if (rod->is_part) return cdg_cuts_span(world, &rod->part);
    const cdg_rod *whole = cdg_world_get_rod(world, rod->id);
    return (cdg_cut_span){rod->id, 0, whole->node_count, whole->element_count};
}

// Rows of a part out of those of the whole, all round a ring.
static void take_rows(const cdg_cut_span *span, const cdg_rod *rod, cdg_field_per per, size_t components,
                      const double *from, double *to) {
    bool is_node = per == CDG_FIELD_PER_NODE;
    size_t all = is_node ? rod->node_count : rod->element_count,
           count = is_node ? span->node_count : span->element_count;
    for (size_t i = 0; i < count; i++)
        memcpy(to + i * components, from + (span->first_node + i) % all * components, components * sizeof *to);
}

static bool is_whole(const cdg_cut_span *span, const cdg_rod *rod) {
    return span->first_node == 0 && span->node_count == rod->node_count;
}

cdg_result cdg_run_part_positions(const cdg_world *world, const cdg_run_rod_entry *rod, cdg_vec3 *out) {
    cdg_cut_span span = cdg_run_part_span(world, rod);
    const cdg_rod *of = cdg_world_get_rod(world, span.rod);
    for (size_t i = 0; i < span.node_count; i++) out[i] = rod_vec3(of->x, (span.first_node + i) % of->node_count);
    return CDG_OK;
}

cdg_result cdg_run_part_measure(const cdg_world *world, const cdg_run_rod_entry *rod,
                                double *const out[CDG_FIELD_COUNT]) {
    if (!rod->is_part) return cdg_world_measure_rod(world, rod->id, out);
    cdg_cut_span span = cdg_run_part_span(world, rod);
    const cdg_rod *of = cdg_world_get_rod(world, span.rod);
    if (is_whole(&span, of)) return cdg_world_measure_rod(world, span.rod, out);
    size_t components = 0;
    for (int k = 0; k < CDG_FIELD_COUNT; k++) components += cdg_field_get((cdg_field)k).component_count;
    double *numbers = malloc(of->node_count * components * sizeof *numbers), *at = numbers;
    double *whole[CDG_FIELD_COUNT];
    if (numbers == NULL) return CDG_ERROR_MEMORY;
    for (int k = 0; k < CDG_FIELD_COUNT; k++) {
        whole[k] = out[k] != NULL ? at : NULL;
        at += of->node_count * cdg_field_get((cdg_field)k).component_count;
    }
    cdg_result result = cdg_world_measure_rod(world, span.rod, whole);
    for (int k = 0; k < CDG_FIELD_COUNT && result == CDG_OK; k++) {
        cdg_field_info field = cdg_field_get((cdg_field)k);
        if (out[k] != NULL) take_rows(&span, of, field.per, field.component_count, whole[k], out[k]);
    }
    free(numbers);
    return result;
}

enum { RODS_AT_ONCE = 16 };

// By way of the thread's scratch, which stays in a cache.
static cdg_result measure_single(const cdg_run_parts_measure *m, size_t i, int thread) {
    double *out[CDG_FIELD_COUNT], *at = m->scratch + (size_t)thread * m->scratch_numbers;
    for (int k = 0; k < CDG_FIELD_COUNT; k++) {
        out[k] = m->begin[k] != NULL ? at : NULL;
        if (out[k] != NULL) at += m->rows[k];
    }
    cdg_result result = cdg_run_part_measure(m->world, &m->parts[m->indices[i]], out);
    for (int k = 0; k < CDG_FIELD_COUNT && result == CDG_OK; k++)
        if (out[k] != NULL) cdg_narrow(out[k], m->rows[k], (float *)m->begin[k] + i * m->rows[k]);
    return result;
}

static cdg_result measure_double(const cdg_run_parts_measure *m, size_t i) {
    double *out[CDG_FIELD_COUNT];
    for (int k = 0; k < CDG_FIELD_COUNT; k++)
        out[k] = m->begin[k] != NULL ? (double *)m->begin[k] + i * m->rows[k] : NULL;
    return cdg_run_part_measure(m->world, &m->parts[m->indices[i]], out);
}

static void measure_some(void *user, size_t index, int thread) {
    cdg_run_parts_measure *m = user;
    size_t first = index * RODS_AT_ONCE, end = first + RODS_AT_ONCE;
    for (size_t i = first; i < end && i < m->count; i++) {
        cdg_prefetch_state(m->world, m->parts[m->indices[i]].id.index1 - 1, false);
        cdg_result result = m->scratch != NULL ? measure_single(m, i, thread) : measure_double(m, i);
        if (result != CDG_OK) m->result[thread] = result;
    }
}

cdg_result cdg_run_parts_measure_all(cdg_run_parts_measure *m) {
    int threads = m->world->thread_count;
    cdg_parallel_for((m->count + RODS_AT_ONCE - 1) / RODS_AT_ONCE, threads, measure_some, m);
    for (int t = 0; t < threads; t++)
        if (m->result[t] != CDG_OK) return m->result[t];
    return CDG_OK;
}

cdg_result cdg_run_part_read(const cdg_world *world, const cdg_run_rod_entry *rod, cdg_run_read *read,
                             cdg_field_per per, size_t components, double *out) {
    if (!rod->is_part) return read(world, rod->id, out);
    cdg_cut_span span = cdg_run_part_span(world, rod);
    const cdg_rod *of = cdg_world_get_rod(world, span.rod);
    if (is_whole(&span, of)) return read(world, span.rod, out);
    double *whole = malloc(of->node_count * components * sizeof *whole);
    if (whole == NULL) return CDG_ERROR_MEMORY;
    cdg_result result = read(world, span.rod, whole);
    if (result == CDG_OK) take_rows(&span, of, per, components, whole, out);
    free(whole);
    return result;
}

// ---- contacts -------------------------------------------------------------------------------------------------------

static void place_side(const cdg_world *world, const cdg_run_layout *layout, cdg_run_contact_side *side) {
    if (side->kind != CDG_RUN_SIDE_ROD) return;
    for (size_t i = 0; i < layout->rod_count; i++) {
        cdg_cut_span span = cdg_run_part_span(world, &layout->rods[i]);
        if (span.rod.index1 - 1 != side->object) continue;
        size_t count = cdg_world_get_rod(world, span.rod)->element_count;
        size_t at = (side->element + count - span.first_node) % count;
        if (at >= span.element_count) continue;
        side->object = i;
        side->element = at;
        return;
    }
}

void cdg_run_parts_place_contacts(const cdg_world *world, const cdg_run_layout *layout, cdg_run_contact *contacts,
                                  size_t count) {
    bool has_parts = false;
    for (size_t i = 0; i < layout->rod_count && !has_parts; i++) has_parts = layout->rods[i].is_part;
    for (size_t c = 0; c < count && has_parts; c++)
        for (int k = 0; k < 2; k++) place_side(world, layout, &contacts[c].sides[k]);
}
