// Fibres of live scenes.
#include "view/live_fibers.h"

#include "base/error.h"
#include "view/shown.h"
#include "world/world.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct fiber_group {
    const cdg_strands *strands; // of the scene
    size_t first_guide;         // index among the world's rods
    size_t first_node;          // of it, among those that are shown: all guides have as many
    cdg_fiber_placer *placer;
    cdg_vec3 *positions; // guides * nodes
    cdg_quat *frames;    // guides * elements
    const cdg_vec3 **position_rows;
    const cdg_quat **frame_rows;
} fiber_group;

struct cdg_live_fibers {
    fiber_group *groups;
    size_t count;
    size_t rod_count; // of the world
    cdg_vec3 *room;   // nodes of the longest fibre
};

void cdg_live_fibers_destroy(cdg_live_fibers *fibers) {
    if (fibers == NULL) return;
    for (size_t i = 0; i < fibers->count; i++) {
        fiber_group *group = &fibers->groups[i];
        cdg_fiber_placer_destroy(group->placer);
        free(group->positions);
        free(group->frames);
        free(group->position_rows);
        free(group->frame_rows);
    }
    free(fibers->groups);
    free(fibers->room);
    free(fibers);
}

static void read_guides(fiber_group *group, const cdg_world *world) {
    const cdg_fibers *f = &group->strands->fibers;
    for (size_t g = 0; g < f->guide_count; g++) {
        const cdg_rod *rod = cdg_world_get_rod(world, cdg_world_rod_at(world, group->first_guide + g));
        cdg_vec3 *positions = group->positions + g * f->node_count;
        cdg_quat *frames = group->frames + g * (f->node_count - 1);
        for (size_t i = 0; i < f->node_count; i++) positions[i] = rod_vec3(rod->x, i);
        for (size_t i = 0; i + 1 < f->node_count; i++) frames[i] = rod_quat(rod->q, i);
        group->position_rows[g] = positions;
        group->frame_rows[g] = frames;
    }
}

static cdg_result make_group(fiber_group *group, const cdg_world *world, cdg_error *error) {
    const cdg_fibers *f = &group->strands->fibers;
    group->positions = malloc(f->guide_count * f->node_count * sizeof *group->positions);
    group->frames = malloc(f->guide_count * f->node_count * sizeof *group->frames);
    group->position_rows = malloc(f->guide_count * sizeof *group->position_rows);
    group->frame_rows = malloc(f->guide_count * sizeof *group->frame_rows);
    if (group->positions == NULL || group->frames == NULL || group->position_rows == NULL || group->frame_rows == NULL)
        return cdg_fail(error, CDG_ERROR_MEMORY, "no memory to show fibres");
    read_guides(group, world);
    return cdg_fiber_placer_create(f, group->position_rows, group->frame_rows, &group->placer, error);
}

// Guides are the last of the scene's rods, one strand after the other.
cdg_result cdg_live_fibers_create(const cdg_scene *scene, const cdg_world *world, cdg_live_fibers **out,
                                  cdg_error *error) {
    size_t first = scene->rod_count, most = 1, all = 0;
    *out = NULL;
    for (size_t i = 0; i < scene->strands_count; i++) {
        first -= scene->strands[i]->rod_count;
        all += scene->strands[i]->fibers.fiber_count;
    }
    if (all == 0) return CDG_OK;
    cdg_live_fibers *fibers = calloc(1, sizeof *fibers);
    if (fibers != NULL) fibers->groups = calloc(scene->strands_count, sizeof *fibers->groups);
    if (fibers != NULL) fibers->rod_count = cdg_world_rod_count(world);
    cdg_result result = fibers != NULL && fibers->groups != NULL
                            ? CDG_OK
                            : cdg_fail(error, CDG_ERROR_MEMORY, "no memory to show fibres");
    for (size_t i = 0; i < scene->strands_count && result == CDG_OK; first += scene->strands[i++]->rod_count) {
        if (scene->strands[i]->fibers.fiber_count == 0) continue;
        fiber_group *group = &fibers->groups[fibers->count++];
        *group = (fiber_group){.strands = scene->strands[i], .first_guide = first};
        for (size_t r = 0; r < first; r++)
            group->first_node += cdg_shown_count(cdg_world_get_rod(world, cdg_world_rod_at(world, r))).nodes;
        size_t nodes = group->strands->fibers.node_count;
        most = most < nodes ? nodes : most;
        result = make_group(group, world, error);
    }
    if (result == CDG_OK && (fibers->room = malloc(most * sizeof *fibers->room)) == NULL)
        result = cdg_fail(error, CDG_ERROR_MEMORY, "no memory to show fibres");
    if (result == CDG_OK)
        *out = fibers;
    else
        cdg_live_fibers_destroy(fibers);
    return result;
}

bool cdg_live_fibers_cast(const cdg_live_fibers *fibers, cdg_cast *cast) {
    for (size_t i = 0; fibers != NULL && i < fibers->count; i++) {
        const fiber_group *group = &fibers->groups[i];
        const cdg_fibers *f = &group->strands->fibers;
        for (size_t g = 0; g < f->guide_count; g++) cast->rods[group->first_guide + g].strands = i + 1;
        for (size_t k = 0; k < f->fiber_count; k++) {
            char name[128];
            snprintf(name, sizeof name, "%.100s.f%zu", group->strands->name, k);
            if (!cdg_cast_add_fiber(cast, name, cdg_fiber_node_count(f, k), f->radius, i + 1)) return false;
        }
    }
    return true;
}

float *cdg_live_fibers_place(cdg_live_fibers *fibers, const cdg_world *world, float *to) {
    for (size_t i = 0; fibers != NULL && i < fibers->count; i++) {
        fiber_group *group = &fibers->groups[i];
        const cdg_fibers *f = &group->strands->fibers;
        read_guides(group, world);
        cdg_fiber_placer_move(group->placer, group->position_rows, group->frame_rows);
        for (size_t k = 0; k < f->fiber_count; k++) {
            cdg_fiber_placer_read(group->placer, k, fibers->room);
            for (size_t n = 0; n < cdg_fiber_node_count(f, k); n++) to = cdg_put_vec3(to, fibers->room[n]);
        }
    }
    return to;
}

static uint32_t main_guide(const cdg_fibers *f, size_t fiber) {
    int best = 0;
    for (int k = 1; k < CDG_FIBER_GUIDES; k++)
        if (f->weights[fiber][k] > f->weights[fiber][best]) best = k;
    return f->guides[fiber][best];
}

float *cdg_live_fibers_color(const cdg_live_fibers *fibers, const float *values, float *to) {
    for (size_t i = 0; fibers != NULL && i < fibers->count; i++) {
        const fiber_group *group = &fibers->groups[i];
        const cdg_fibers *f = &group->strands->fibers;
        for (size_t k = 0; k < f->fiber_count; k++) {
            size_t count = cdg_fiber_node_count(f, k);
            memcpy(to, values + group->first_node + main_guide(f, k) * f->node_count, count * sizeof *to);
            to += count;
        }
    }
    return to;
}

uint32_t cdg_live_fibers_guide(const cdg_live_fibers *fibers, uint32_t rod) {
    if (fibers == NULL) return rod;
    if (rod < fibers->rod_count) return rod;
    size_t fiber = rod - fibers->rod_count;
    for (size_t i = 0; i < fibers->count; i++) {
        const cdg_fibers *f = &fibers->groups[i].strands->fibers;
        if (fiber < f->fiber_count) return (uint32_t)fibers->groups[i].first_guide + main_guide(f, fiber);
        fiber -= f->fiber_count;
    }
    return rod;
}

bool cdg_live_fibers_follow(const cdg_live_fibers *fibers, uint32_t rod) {
    for (size_t i = 0; fibers != NULL && i < fibers->count; i++) {
        size_t first = fibers->groups[i].first_guide;
        if (rod >= first && rod < first + fibers->groups[i].strands->fibers.guide_count) return true;
    }
    return false;
}
