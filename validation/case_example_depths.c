// Every example with contact and rods: how deep rods lie in each other, in themselves and in obstacles after each step,
// measured by looking at everything (rod_depths.h), beside what contact itself says.
#include "validation/case_functions.h"
#include "validation/rod_depths.h"

#include "examples_data.h"
#include "output/run_plan.h"

#include <cordage/contact.h>
#include <cordage/solid.h>

#include <math.h>
#include <stdio.h>

// Elements and tetrahedra times steps that an example gets: long ones are seen from their start only.
static const double work_in_full = 5e5, work_when_quick = 2e3, work_exhaustive = 2e7;

typedef struct example_run {
    cdg_scene *scene;
    cdg_world *world;
    cdg_run_plan plan;
    bool has_contact;
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
    out->has_contact = out->scene->mode != SCENE_STATIC && cdg_world_contact(out->world).choice != CDG_CONTACT_OFF &&
                       cdg_world_rod_count(out->world) > 0;
    if (!out->has_contact) return CDG_OK;
    result = cdg_run_plan_make(out->scene, out->world, &out->plan, error);
    if (result == CDG_OK) result = cdg_world_set_step_size(out->world, out->plan.step);
    return result;
}

typedef struct example_depth {
    uint64_t steps;       // that were taken
    double deepest, told; // radii: measured, and as the steps' reports say
} example_depth;

static size_t count_elements(const cdg_world *world) {
    size_t count = 0;
    for (size_t i = 0; i < cdg_world_rod_count(world); i++) {
        cdg_rod_info info;
        if (cdg_rod_get_info(world, cdg_world_rod_at(world, i), &info) == CDG_OK) count += info.element_count;
    }
    for (size_t i = 0; i < cdg_world_solid_count(world); i++) {
        cdg_solid_info info;
        if (cdg_solid_get_info(world, cdg_world_solid_at(world, i), &info) == CDG_OK) count += info.tetrahedron_count;
    }
    return count;
}

static cdg_result measure_example(const validation_context *context, const example_run *run, double work,
                                  example_depth *out, cdg_error *error) {
    *out = (example_depth){0};
    double most = fmax(work / (double)(count_elements(run->world) + 1), 10);
    rod_depths *depths = rod_depths_create(run->world);
    cdg_result result = depths != NULL ? CDG_OK : CDG_ERROR_MEMORY;
    for (; result == CDG_OK && out->steps < run->plan.step_count && (double)out->steps < most; out->steps++) {
        cdg_step_report report;
        result = validation_fail(run->world, cdg_world_step(run->world, &report), error);
        if (result != CDG_OK) break;
        out->deepest = fmax(out->deepest, rod_depths_measure(depths, run->world, 1 / context->factor.radius).depth);
        out->told = fmax(out->told, report.deepest);
    }
    rod_depths_free(depths);
    return result;
}

cdg_result validate_example_depths(validation_context *context, cdg_error *error) {
    double work = validation_by_level(context, work_when_quick, work_in_full, work_exhaustive);
    cdg_result result = CDG_OK;
    for (size_t i = 0; i < cdg_example_file_count && result == CDG_OK; i++) {
        example_run run;
        example_depth depth;
        char label[VALIDATION_TEXT_SIZE];
        result = open_example(&cdg_example_files[i], &run, error);
        if (result == CDG_OK && run.has_contact) {
            result = measure_example(context, &run, work, &depth, error);
            snprintf(label, sizeof label, "deepest, %s, %llu of %llu steps", cdg_example_files[i].name,
                     (unsigned long long)depth.steps, (unsigned long long)run.plan.step_count);
            validation_add_limit(context, label, "radii", depth.deepest, 1e-3);
        }
        close_example(&run);
        validation_progress(context, (double)(i + 1) / (double)cdg_example_file_count);
    }
    return result;
}
