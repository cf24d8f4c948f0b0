// Every example with deformable solids: whether an edge passes through a triangle, how deep anything lies in them, and
// whether rings still hang in each other, after each step, by looking at everything (solid_depths.h, ring_links.h).
#include "validation/case_functions.h"
#include "validation/ring_links.h"
#include "validation/solid_depths.h"

#include "examples_data.h"
#include "output/run_plan.h"

#include <cordage/contact.h>
#include <cordage/solid.h>

#include <math.h>
#include <stdio.h>

// Steps times tetrahedra that an example gets in a quick run, ten steps at least; else it runs to its end.
static const double work_when_quick = 2e4;

typedef struct example_run {
    cdg_scene *scene;
    cdg_world *world;
    cdg_run_plan plan;
    bool is_looked_at, has_contact;
} example_run;

static void close_example(example_run *run) {
    cdg_world_destroy(run->world);
    cdg_scene_destroy(run->scene);
}

static cdg_result open_example(const example_file *file, example_run *out, cdg_error *error) {
    *out = (example_run){0};
    cdg_result result = cdg_scene_parse(file->text, file->size, file->name, NULL, NULL, 0, &out->scene, error);
    if (result == CDG_OK) result = cdg_scene_build(out->scene, 1, &out->world, error);
    if (result != CDG_OK) return result;
    out->is_looked_at = out->scene->mode != SCENE_STATIC && cdg_world_solid_count(out->world) > 0;
    out->has_contact = cdg_world_contact(out->world).choice != CDG_CONTACT_OFF;
    if (!out->is_looked_at) return CDG_OK;
    result = cdg_run_plan_make(out->scene, out->world, &out->plan, error);
    if (result == CDG_OK) result = cdg_world_set_step_size(out->world, out->plan.step);
    return result;
}

static double count_tetrahedra(const cdg_world *world) {
    double count = 0;
    for (size_t i = 0; i < cdg_world_solid_count(world); i++) {
        cdg_solid_info info;
        if (cdg_solid_get_info(world, cdg_world_solid_at(world, i), &info) == CDG_OK)
            count += (double)info.tetrahedron_count;
    }
    return count;
}

typedef struct watched {
    uint64_t steps;      // that were taken
    solid_depth deepest; // with crossings of all steps
    size_t links, lost;  // at the start; at most
} watched;

static cdg_result watch(const validation_context *context, const example_run *run, watched *out, cdg_error *error) {
    *out = (watched){0};
    double most = context->is_quick ? fmax(work_when_quick / count_tetrahedra(run->world), 10) : HUGE_VAL;
    solid_depths *depths = solid_depths_create(run->world);
    ring_links *links = ring_links_create(run->world);
    cdg_result result = depths != NULL && links != NULL ? CDG_OK : CDG_ERROR_MEMORY;
    if (result == CDG_OK) out->links = ring_links_count(links);
    for (; result == CDG_OK && out->steps < run->plan.step_count && (double)out->steps < most; out->steps++) {
        result = validation_fail(run->world, cdg_world_step(run->world, NULL), error);
        if (result != CDG_OK) break;
        solid_depth now = solid_depths_measure(depths, run->world, 1 / context->factor.radius);
        size_t crossings = out->deepest.crossings + now.crossings, lost = ring_links_changed(links, run->world);
        if (!(now.depth <= out->deepest.depth)) out->deepest = now;
        out->deepest.crossings = crossings;
        out->lost = lost > out->lost ? lost : out->lost;
    }
    ring_links_free(links);
    solid_depths_free(depths);
    return result;
}

static void tell(validation_context *context, const char *name, const example_run *run, const watched *it) {
    char label[VALIDATION_TEXT_SIZE];
    snprintf(label, sizeof label, "crossings, %.20s, %llu of %llu steps", name, (unsigned long long)it->steps,
             (unsigned long long)run->plan.step_count);
    validation_add_limit(context, label, "", (double)it->deepest.crossings, 0);
    snprintf(label, sizeof label, "deepest, %.20s: %.50s", name, it->deepest.where);
    if (run->has_contact) validation_add_limit(context, label, "of the thickness", it->deepest.depth, 1e-3);
    snprintf(label, sizeof label, "links that were lost, %.20s, of %zu", name, it->links);
    if (it->links > 0) validation_add_limit(context, label, "", (double)it->lost, 0);
}

cdg_result validate_example_solids(validation_context *context, cdg_error *error) {
    cdg_result result = CDG_OK;
    for (size_t i = 0; i < cdg_example_file_count && result == CDG_OK && !validation_is_decided(context); i++) {
        example_run run;
        watched seen;
        result = open_example(&cdg_example_files[i], &run, error);
        if (result == CDG_OK && run.is_looked_at) {
            result = watch(context, &run, &seen, error);
            if (result == CDG_OK) tell(context, cdg_example_files[i].name, &run, &seen);
        }
        close_example(&run);
        validation_progress(context, (double)(i + 1) / (double)cdg_example_file_count);
    }
    return result;
}
