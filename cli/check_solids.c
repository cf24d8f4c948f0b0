// One line a solid; advice for the one that needs it most.
#include "check_solids.h"

#include "format.h"
#include "solids/solid_advice.h"
#include "solids/solid_model.h"
#include "world/solid_object.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { SHOWN_MAX = 20 };

static const char *model_name(const cdg_solid *s) {
    static const char *const names[] = {
#define MODEL_NAME(id, name, text) name,
        CDG_SOLID_MODEL_LIST(MODEL_NAME)
#undef MODEL_NAME
    };
    return names[s->def.model];
}

static const cdg_solid *solid_at(const cdg_world *world, size_t i) { return &world->solids[i]->solid; }

// Sub-steps of an explicit solid in a step of the run; 1: it takes steps whole.
static double sub_steps(const cdg_solid *s, double step) {
    double stable = cdg_solid_stable_step(s);
    return s->def.integrator == CDG_SOLID_EXPLICIT && isfinite(stable) && step > 0 ? ceil(step / stable) : 1;
}

// Laws of stress bend by them; springs and shape matching are no numbers of a material.
static bool is_law(const cdg_solid *s) {
    return s->def.model == CDG_SOLID_NEO_HOOKEAN || s->def.model == CDG_SOLID_COROTATIONAL;
}

static void print_table(const cdg_world *world, double step) {
    size_t column = 5, count = world->solid_count < SHOWN_MAX ? world->solid_count : SHOWN_MAX;
    for (size_t i = 0; i < count; i++)
        if (strlen(solid_at(world, i)->name) > column) column = strlen(solid_at(world, i)->name);
    printf("  %-*s  %-14s  %9s  %10s  %10s  %10s  %9s\n", (int)column, "solid", "model", "nodes", "tetrahedra", "cell",
           "thickness", "sub-steps");
    for (size_t i = 0; i < count; i++) {
        const cdg_solid *s = solid_at(world, i);
        cdg_solid_advice advice = cdg_solid_advise(s);
        printf("  %-*s  %-14s  %9s  %10s  %10s  %10s  %9.0f\n", (int)column, s->name, model_name(s),
               format_count(s->node_count).text, format_count(s->tetrahedron_count).text,
               format_unit(advice.cell, "m").text, format_unit(advice.thickness, "m").text, sub_steps(s, step));
    }
    if (world->solid_count > SHOWN_MAX) printf("  ... and %zu more\n", world->solid_count - SHOWN_MAX);
}

static void print_resolution(const cdg_world *world) {
    const cdg_solid *coarsest = NULL;
    cdg_solid_advice worst = {0};
    size_t coarse = 0;
    for (size_t i = 0; i < world->solid_count; i++) {
        const cdg_solid *s = solid_at(world, i);
        cdg_solid_advice advice = cdg_solid_advise(s);
        if (!is_law(s)) continue;
        coarse += advice.bending_error > CDG_SOLID_GOOD_BENDING;
        if (coarsest == NULL || advice.bending_error > worst.bending_error) coarsest = s, worst = advice;
    }
    if (coarsest == NULL) return;
    double across = worst.thickness / worst.cell, error = 100 * worst.bending_error;
    if (coarse == 0) {
        printf("  resolution    fine: where solids bend they are too stiff by %.2g %% at most\n", error);
        return;
    }
    printf(
        "  resolution    coarse where it bends: solid '%s' has %.2g cells across, and is too stiff there by %s%.2g %%; "
        "cells of %s: 3 %%\n",
        coarsest->name, across, error > 30 ? "more than " : "about ", fmin(error, 30),
        format_unit(worst.resolution, "m").text);
    if (coarse > 1) printf("                %s are so\n", format_plural(coarse, "solid").text);
}

static void print_slivers(const cdg_world *world) {
    for (size_t i = 0; i < world->solid_count; i++) {
        const cdg_solid *s = solid_at(world, i);
        cdg_solid_advice advice = cdg_solid_advise(s);
        if (advice.sliver_count == 0) continue;
        printf(
            "  note          solid '%s': %s of its tetrahedra are flatter than a tenth of a cell, number %zu most (%s "
            "high): stress there is poor, and explicit steps are short; mesh it anew\n",
            s->name, format_count(advice.sliver_count).text, advice.flattest,
            format_unit(advice.least_height, "m").text);
        return; // the first is enough
    }
}

void print_check_solids(const cdg_world *world, double step) {
    if (world->solid_count == 0) return;
    print_table(world, step);
    print_resolution(world);
    print_slivers(world);
    printf("\n");
}

void add_check_solids_json(cdg_json *json, const cdg_world *world, double step) {
    cdg_json_begin_array(json, "solids");
    for (size_t i = 0; i < world->solid_count; i++) {
        const cdg_solid *s = solid_at(world, i);
        cdg_solid_advice advice = cdg_solid_advise(s);
        cdg_json_begin_object(json, NULL);
        cdg_json_text(json, "name", s->name);
        cdg_json_text(json, "model", model_name(s));
        cdg_json_integer(json, "nodes", s->node_count);
        cdg_json_integer(json, "tetrahedra", s->tetrahedron_count);
        cdg_json_number(json, "mass", s->total_mass);
        cdg_json_number(json, "cell", advice.cell);
        cdg_json_number(json, "thickness", advice.thickness);
        cdg_json_number(json, "bending_error", is_law(s) ? advice.bending_error : NAN);
        cdg_json_number(json, "recommended_resolution", is_law(s) ? advice.resolution : NAN);
        cdg_json_number(json, "sub_steps", sub_steps(s, step));
        cdg_json_integer(json, "slivers", advice.sliver_count);
        cdg_json_number(json, "least_height", advice.least_height);
        cdg_json_end(json);
    }
    cdg_json_end(json);
}
