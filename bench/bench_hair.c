// A tress as in Sobottka et al. 2008: one guide of 100 elements and 180 fibres. What the guide costs in a step of
// 1/30 s to convergence, and what it costs to find all fibres for a picture.
#include "bench/case_functions.h"

#include <stdio.h>
#include <stdlib.h>

static const double sample_seconds = 0.05; // long against the clock and the scheduler, short enough to repeat

typedef struct tress {
    cdg_strands *strands;
    cdg_world *world;
    cdg_fiber_placer *placer;
    cdg_rod_id *ids;
    cdg_vec3 **positions; // of each guide
    cdg_quat **frames;
    cdg_vec3 *fiber;
    double checksum;
    double *start; // snapshot of the world before its first step
} tress;

enum { FALL_STEPS = 90 }; // 3 s: the tress falls into its hanging shape and swings

static cdg_result fall(void *user) {
    tress *t = user;
    cdg_result result = cdg_world_snapshot_load(t->world, t->start);
    for (int i = 0; i < FALL_STEPS && result == CDG_OK; i++) result = cdg_world_step(t->world, NULL);
    return result;
}

static cdg_result find_fibers(void *user) {
    tress *t = user;
    const cdg_fibers *fibers = &t->strands->fibers;
    cdg_fiber_placer_move(t->placer, (const cdg_vec3 *const *)t->positions, (const cdg_quat *const *)t->frames);
    for (size_t f = 0; f < fibers->fiber_count; f++) {
        cdg_fiber_placer_read(t->placer, f, t->fiber);
        t->checksum += t->fiber[1].x; // so that the work is wanted
    }
    return CDG_OK;
}

static cdg_result read_guides(tress *t) {
    cdg_result result = CDG_OK;
    for (size_t g = 0; g < t->strands->rod_count && result == CDG_OK; g++) {
        result = cdg_rod_positions(t->world, t->ids[g], t->positions[g]);
        if (result == CDG_OK) result = cdg_rod_frames(t->world, t->ids[g], t->frames[g]);
    }
    return result;
}

static cdg_result build(size_t guides, tress *t, cdg_error *error) {
    cdg_strands_def def = cdg_strands_def_default();
    def.name = "tress";
    def.guide_count = guides;
    def.rod.model = CDG_MODEL_GALPHA;
    def.rod.galpha.is_extensible = false;
    def.rod.material = (cdg_material){.young_modulus = 3.89e9, .shear_modulus = 0.89e9, .density = 1320};
    def.rod.section.radius = 21.85e-6;
    def.curl_radius = 8e-3;
    def.fiber_curl_radius = 1e-3;
    cdg_result result = cdg_strands_expand(&def, &t->strands, error);
    cdg_world_def world_def = cdg_world_def_default();
    world_def.contact = CDG_CONTACT_OFF; // models alone
    world_def.step = 1 / 30.0;
    world_def.thread_count = 1;
    if (result == CDG_OK) result = cdg_world_create(&world_def, &t->world, error);
    if (result != CDG_OK) return result;
    t->ids = calloc(guides, sizeof *t->ids);
    t->positions = calloc(guides, sizeof *t->positions);
    t->frames = calloc(guides, sizeof *t->frames);
    t->fiber = calloc(t->strands->fibers.node_count, sizeof *t->fiber);
    if (t->ids == NULL || t->positions == NULL || t->frames == NULL || t->fiber == NULL) return CDG_ERROR_MEMORY;
    for (size_t g = 0; g < guides; g++) {
        t->positions[g] = calloc(t->strands->fibers.node_count, sizeof **t->positions);
        t->frames[g] = calloc(t->strands->fibers.node_count, sizeof **t->frames);
        if (t->positions[g] == NULL || t->frames[g] == NULL) return CDG_ERROR_MEMORY;
    }
    result = cdg_world_add_strands(t->world, t->strands, t->ids);
    t->start = calloc(cdg_world_snapshot_size(t->world) + 1, sizeof *t->start);
    if (t->start == NULL) return CDG_ERROR_MEMORY;
    if (result == CDG_OK) result = cdg_world_snapshot_save(t->world, t->start);
    if (result == CDG_OK) result = read_guides(t);
    if (result == CDG_OK)
        result = cdg_fiber_placer_create(&t->strands->fibers, (const cdg_vec3 *const *)t->positions,
                                         (const cdg_quat *const *)t->frames, &t->placer, error);
    return result;
}

static void release(tress *t) {
    for (size_t g = 0; t->strands != NULL && g < t->strands->rod_count; g++) {
        if (t->positions != NULL) free(t->positions[g]);
        if (t->frames != NULL) free(t->frames[g]);
    }
    free(t->ids);
    free(t->positions);
    free(t->frames);
    free(t->fiber);
    free(t->start);
    cdg_fiber_placer_destroy(t->placer);
    cdg_world_destroy(t->world);
    cdg_strands_destroy(t->strands);
}

static cdg_result measure(bench_context *context, cdg_result (*body)(void *), double calls, tress *t, double done) {
    cdg_result result = CDG_OK;
    for (int k = -1; k < context->repeat && result == CDG_OK; k++) { // the first warms caches
        double seconds = bench_time(body, t, sample_seconds, &result);
        if (k >= 0 && result == CDG_OK) bench_add_sample(context, seconds * 1e3 / calls);
        bench_progress(context, done + (k + 1.0) / context->repeat / 3);
    }
    return result;
}

cdg_result bench_hair(bench_context *context, cdg_error *error) {
    cdg_result result = CDG_OK;
    for (int i = 0; i < 2 && result == CDG_OK; i++) {
        tress t = {0};
        result = build(i == 0 ? 1 : 20, &t, error);
        if (result == CDG_OK && i == 0) {
            bench_add_row(context, "a guide that falls, a step", "ms", 1);
            result = measure(context, fall, FALL_STEPS, &t, 0);
        }
        if (result == CDG_OK) result = read_guides(&t);
        if (result == CDG_OK) {
            bench_add_row(context, i == 0 ? "180 fibres of 1 guide, a picture" : "180 fibres of 20 guides, a picture",
                          "ms", i == 0 ? 0.2 : 0);
            result = measure(context, find_fibers, 1, &t, (i + 1) / 3.0);
            bench_check(context, t.checksum == t.checksum, "fibres are finite");
        }
        if (result != CDG_OK && error != NULL && error->message[0] == '\0')
            snprintf(error->message, sizeof error->message, "%s",
                     t.world != NULL ? cdg_world_message(t.world) : "no memory for a tress");
        release(&t);
    }
    return result;
}
