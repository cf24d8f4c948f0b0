// Fibres as rods of a run. The guides' poses of the last output asked for are kept, because fibres are mostly read one
// after the other.
#define _POSIX_C_SOURCE 200809L
#include "output/fiber_reader.h"

#include "base/error.h"
#include "geometry/fibers.h"
#include "output/run_fibers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_ROOM = 24 }; // of ".f" and a number

typedef struct fiber_group {
    const cdg_run_fibers *data;
    size_t first_rod; // of the reader: its first fibre
    char *names;
    cdg_vec3 (*roots)[CDG_FIBER_GUIDES];
    size_t frame; // of the poses below; SIZE_MAX: none
    bool has_rates;
    cdg_guide_node *poses, *rates; // guides * nodes
    cdg_quat *frames;              // guides * nodes, of which the last is not used
} fiber_group;

struct cdg_fiber_reader {
    cdg_run_fibers *data;
    size_t group_count;
    fiber_group *groups;
    cdg_vec3 *positions, *other; // scratch: nodes of the longest guide
    double *numbers;             // scratch: any field of a guide
};

void cdg_fiber_reader_destroy(cdg_fiber_reader *fibers) {
    if (fibers == NULL) return;
    for (size_t i = 0; i < fibers->group_count && fibers->groups != NULL; i++) {
        fiber_group *group = &fibers->groups[i];
        free(group->names);
        free(group->roots);
        free(group->poses);
        free(group->rates);
        free(group->frames);
    }
    free(fibers->groups);
    cdg_run_fibers_free(fibers->data, fibers->group_count);
    free(fibers->positions);
    free(fibers->other);
    free(fibers->numbers);
    free(fibers);
}

static cdg_result fail_memory(const cdg_run_reader *reader, cdg_error *error) {
    return cdg_fail(error, CDG_ERROR_MEMORY, "%s: out of memory for the run's fibres", reader->directory);
}

// ---- guides ---------------------------------------------------------------------------------------------------------

static cdg_result show_poses(const cdg_run_reader *reader, fiber_group *group, size_t frame, cdg_error *error) {
    if (group->frame == frame) return CDG_OK;
    const cdg_fibers *fibers = &group->data->fibers;
    group->frame = SIZE_MAX;
    group->has_rates = false;
    for (size_t g = 0; g < fibers->guide_count; g++) {
        size_t rod = group->data->first_guide + g;
        cdg_vec3 *positions = reader->fibers->positions;
        cdg_quat *frames = group->frames + g * fibers->node_count;
        cdg_result result = cdg_run_reader_read(reader, frame, rod, CDG_FIELD_positions, &positions->x, error);
        if (result == CDG_OK) result = cdg_run_reader_read(reader, frame, rod, CDG_FIELD_frames, &frames->w, error);
        if (result != CDG_OK) return result;
        cdg_guide_set(positions, frames, fibers->node_count, group->poses + g * fibers->node_count);
    }
    group->frame = frame;
    return CDG_OK;
}

static cdg_result show_rates(const cdg_run_reader *reader, fiber_group *group, size_t frame, cdg_error *error) {
    cdg_result result = show_poses(reader, group, frame, error);
    if (result != CDG_OK || group->has_rates) return result;
    const cdg_fibers *fibers = &group->data->fibers;
    for (size_t g = 0; g < fibers->guide_count; g++) {
        size_t rod = group->data->first_guide + g, at = g * fibers->node_count;
        cdg_vec3 *velocities = reader->fibers->positions, *spins = reader->fibers->other;
        result = cdg_run_reader_read(reader, frame, rod, CDG_FIELD_velocities, &velocities->x, error);
        if (result == CDG_OK)
            result = cdg_run_reader_read(reader, frame, rod, CDG_FIELD_angular_velocities, &spins->x, error);
        if (result != CDG_OK) return result;
        cdg_guide_set_rates(group->poses + at, group->frames + at, velocities, spins, fibers->node_count,
                            group->rates + at);
    }
    group->has_rates = true;
    return CDG_OK;
}

// ---- fields ---------------------------------------------------------------------------------------------------------

static uint32_t main_guide(const cdg_fibers *fibers, size_t fiber) {
    int best = 0;
    for (int k = 1; k < CDG_FIBER_GUIDES; k++)
        if (fibers->weights[fiber][k] > fibers->weights[fiber][best]) best = k;
    return fibers->guides[fiber][best];
}

// The main guide's frames, turned the shortest way onto the fibre's own tangents.
static void find_frames(const fiber_group *group, size_t fiber, const cdg_vec3 *positions, cdg_quat *out) {
    const cdg_fibers *fibers = &group->data->fibers;
    const cdg_quat *guide = group->frames + main_guide(fibers, fiber) * fibers->node_count;
    size_t elements = cdg_fiber_node_count(fibers, fiber) - 1;
    for (size_t i = 0; i < elements; i++) {
        cdg_vec3 edge = vec3_sub(positions[i + 1], positions[i]);
        bool has_tangent = vec3_norm(edge) > 0;
        cdg_quat turn = has_tangent ? quat_between(quat_d3(guide[i]), vec3_normalize(edge)) : quat_identity();
        out[i] = quat_normalize(quat_multiply(turn, guide[i]));
    }
}

static cdg_result read_spins(const cdg_run_reader *reader, const fiber_group *group, size_t frame, size_t fiber,
                             double *out, cdg_error *error) {
    const cdg_fibers *fibers = &group->data->fibers;
    size_t guide = main_guide(fibers, fiber), elements = cdg_fiber_node_count(fibers, fiber) - 1;
    cdg_vec3 *spins = (cdg_vec3 *)(void *)reader->fibers->numbers;
    cdg_quat *frames = malloc(fibers->node_count * sizeof *frames);
    if (frames == NULL) return fail_memory(reader, error);
    cdg_result result = cdg_run_reader_read(reader, frame, group->data->first_guide + guide,
                                            CDG_FIELD_angular_velocities, &spins->x, error);
    find_frames(group, fiber, reader->fibers->positions, frames);
    for (size_t i = 0; i < elements && result == CDG_OK; i++) {
        cdg_vec3 spin = quat_rotate(group->frames[guide * fibers->node_count + i], spins[i]);
        spin = quat_rotate_inverse(frames[i], spin);
        memcpy(out + 3 * i, &spin, sizeof spin);
    }
    free(frames);
    return result;
}

static cdg_result read_mean(const cdg_run_reader *reader, const fiber_group *group, size_t frame, size_t fiber,
                            cdg_field field, double *out, cdg_error *error) {
    const cdg_fibers *fibers = &group->data->fibers;
    cdg_field_info info = cdg_field_get(field);
    size_t nodes = cdg_fiber_node_count(fibers, fiber);
    size_t count = (info.per == CDG_FIELD_PER_NODE ? nodes : nodes - 1) * info.component_count;
    memset(out, 0, count * sizeof *out);
    for (int k = 0; k < CDG_FIBER_GUIDES; k++) {
        double weight = fibers->weights[fiber][k];
        if (weight == 0) continue;
        cdg_result result = cdg_run_reader_read(reader, frame, group->data->first_guide + fibers->guides[fiber][k],
                                                field, reader->fibers->numbers, error);
        if (result != CDG_OK) return result;
        for (size_t i = 0; i < count; i++) out[i] += weight * reader->fibers->numbers[i];
    }
    return CDG_OK;
}

cdg_result cdg_fiber_reader_read(const cdg_run_reader *reader, size_t frame, size_t rod, cdg_field field, double *out,
                                 cdg_error *error) {
    size_t g = 0;
    while (g + 1 < reader->fibers->group_count && reader->fibers->groups[g + 1].first_rod <= rod) g++;
    fiber_group *group = &reader->fibers->groups[g];
    const cdg_fibers *fibers = &group->data->fibers;
    size_t fiber = rod - group->first_rod;
    cdg_vec3 *positions = reader->fibers->positions;
    bool is_rate = field == CDG_FIELD_velocities;
    cdg_result result = is_rate ? show_rates(reader, group, frame, error) : show_poses(reader, group, frame, error);
    if (result != CDG_OK) return result;
    cdg_fiber_place(fibers, fiber, group->roots[fiber], is_rate ? group->rates : group->poses, positions);
    switch (field) {
    case CDG_FIELD_positions:
    case CDG_FIELD_velocities:
        memcpy(out, positions, cdg_fiber_node_count(fibers, fiber) * sizeof *positions);
        return CDG_OK;
    case CDG_FIELD_frames: find_frames(group, fiber, positions, (cdg_quat *)(void *)out); return CDG_OK;
    case CDG_FIELD_angular_velocities: return read_spins(reader, group, frame, fiber, out, error);
    default: return read_mean(reader, group, frame, fiber, field, out, error);
    }
}

// ---- opening --------------------------------------------------------------------------------------------------------

static bool make_group(const cdg_run_fibers *data, size_t first_rod, fiber_group *group) {
    const cdg_fibers *fibers = &data->fibers;
    size_t nodes = fibers->guide_count * fibers->node_count;
    group->data = data;
    group->first_rod = first_rod;
    group->frame = SIZE_MAX;
    group->names = calloc(fibers->fiber_count, strlen(data->name) + NAME_ROOM);
    group->roots = calloc(fibers->fiber_count, sizeof *group->roots);
    group->poses = calloc(nodes, sizeof *group->poses);
    group->rates = calloc(nodes, sizeof *group->rates);
    group->frames = calloc(nodes, sizeof *group->frames);
    return group->names != NULL && group->roots != NULL && group->poses != NULL && group->rates != NULL &&
           group->frames != NULL;
}

// A fibre is as long at rest as it is at the first output.
static cdg_result append_fiber(cdg_run_reader *reader, fiber_group *group, size_t fiber, cdg_error *error) {
    const cdg_fibers *fibers = &group->data->fibers;
    size_t nodes = cdg_fiber_node_count(fibers, fiber), room = strlen(group->data->name) + NAME_ROOM;
    const cdg_run_rod *guide = &reader->rods[group->data->first_guide + main_guide(fibers, fiber)];
    char *name = group->names + fiber * room;
    snprintf(name, room, "%s.f%zu", group->data->name, fiber);
    double *radius = malloc(nodes * sizeof *radius), *rest_length = malloc((nodes - 1) * sizeof *rest_length);
    cdg_section *sections = malloc(nodes * sizeof *sections);
    cdg_run_rod *rod = &reader->rods[reader->rod_count++];
    *rod = (cdg_run_rod){.name = name,
                         .model = guide->model,
                         .node_count = nodes,
                         .element_count = nodes - 1,
                         .mass = guide->mass * fibers->lengths[fiber],
                         .radius = radius,
                         .rest_length = rest_length,
                         .sections = sections,
                         .strands = guide->strands,
                         .is_fiber = true};
    if (radius == NULL || rest_length == NULL || sections == NULL) return fail_memory(reader, error);
    cdg_vec3 *positions = reader->fibers->positions;
    cdg_fiber_root(fibers, fiber, group->poses, group->roots[fiber]);
    cdg_fiber_place(fibers, fiber, group->roots[fiber], group->poses, positions);
    for (size_t i = 0; i < nodes; i++) {
        radius[i] = fibers->radius;
        sections[i] = (cdg_section){.kind = CDG_SECTION_CIRCLE, .radius = fibers->radius};
        if (i == 0) continue;
        rest_length[i - 1] = fmax(vec3_distance(positions[i - 1], positions[i]), 1e-12);
        rod->length += rest_length[i - 1];
    }
    return CDG_OK;
}

static cdg_result append_group(cdg_run_reader *reader, size_t index, cdg_error *error) {
    cdg_fiber_reader *own = reader->fibers;
    fiber_group *group = &own->groups[index];
    if (!make_group(&own->data[index], reader->rod_count, group)) return fail_memory(reader, error);
    cdg_result result = show_poses(reader, group, 0, error);
    for (size_t g = 0; g < group->data->fibers.guide_count; g++)
        reader->rods[group->data->first_guide + g].strands = index + 1;
    for (size_t f = 0; f < group->data->fibers.fiber_count && result == CDG_OK; f++)
        result = append_fiber(reader, group, f, error);
    return result;
}

static cdg_result make_room(cdg_run_reader *reader, cdg_error *error) {
    cdg_fiber_reader *own = reader->fibers;
    size_t total = reader->rod_count, nodes = 1;
    for (size_t i = 0; i < own->group_count; i++) {
        total += own->data[i].fibers.fiber_count;
        if (own->data[i].fibers.node_count > nodes) nodes = own->data[i].fibers.node_count;
    }
    cdg_run_rod *rods = realloc(reader->rods, total * sizeof *rods);
    if (rods != NULL) reader->rods = rods;
    own->groups = calloc(own->group_count, sizeof *own->groups);
    own->positions = calloc(nodes, sizeof *own->positions);
    own->other = calloc(nodes, sizeof *own->other);
    own->numbers = calloc(nodes, 4 * sizeof *own->numbers);
    bool has_room =
        rods != NULL && own->groups != NULL && own->positions != NULL && own->other != NULL && own->numbers != NULL;
    return has_room ? CDG_OK : fail_memory(reader, error);
}

cdg_result cdg_run_reader_add_fibers(cdg_run_reader *reader, cdg_error *error) {
    if (reader->fibers != NULL) return CDG_OK;
    size_t *node_counts = calloc(reader->rod_count + 1, sizeof *node_counts);
    cdg_fiber_reader *own = calloc(1, sizeof *own);
    if (node_counts == NULL || own == NULL) {
        free(node_counts);
        free(own);
        return fail_memory(reader, error);
    }
    for (size_t i = 0; i < reader->rod_count; i++)
        node_counts[i] = reader->rods[i].is_closed ? 0 : reader->rods[i].node_count;
    cdg_result result = cdg_run_reader_find_fibers(reader, node_counts, &own->data, &own->group_count, error);
    free(node_counts);
    if (result != CDG_OK || own->group_count == 0) {
        cdg_fiber_reader_destroy(own);
        return result;
    }
    reader->fibers = own;
    result = make_room(reader, error);
    for (size_t i = 0; i < own->group_count && result == CDG_OK; i++) result = append_group(reader, i, error);
    return result;
}
