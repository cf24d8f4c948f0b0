// Figure 4.3 of Spillmann's thesis: a rod that is swung by its end strikes a bar and whips around it. The path of its
// tip with resolution that follows the shape, against a fine and uniform rod; and with the coarse elements alone.
//
// The fine rod is the reference: wrong parameters (--wrong) do not reach it.
#include "validation/case_functions.h"
#include "validation/model_rods.h"
#include "validation/rod_depths.h"

#include "math/vec3.h"

#include <cordage/contact.h>

#include <math.h>
#include <stdio.h>

enum { COARSE = 24, LEVELS = 3, NODES_MAX = (COARSE << LEVELS) + 1, STEPS = 300 };
static const double length = 1, step = 2e-3;   // m, s
static const double swing = 1.9, swung = 0.35; // rad, s: how far its hand turns, and until when

typedef enum rod_kind { FINE, ADAPTIVE, COARSE_ALONE, ROD_KINDS } rod_kind;

typedef struct swung_rod {
    cdg_world *world;
    cdg_rod_id rod;
} swung_rod;

static cdg_result build(const validation_context *context, validation_model model, rod_kind kind, swung_rod *out,
                        cdg_error *error) {
    cdg_world_def world_def = cdg_world_def_default();
    world_def.gravity = (cdg_vec3){0, 0, 0};
    world_def.step = step;
    world_def.thread_count = 1;
    cdg_result result = cdg_world_create(&world_def, &out->world, error);
    if (result != CDG_OK) return result;
    cdg_rod_def def = cdg_rod_def_default();
    model_choose(model, &def);
    def.material.young_modulus = 5e6, def.material.poisson_ratio = 0.45, def.material.density = 1100;
    def.material.damping_stretch = def.material.damping_shear = 5e-3;
    def.material.damping_bend = def.material.damping_twist = 5e-3;
    def.section.radius = 0.01;
    def.centerline.line.to = (cdg_vec3){length, 0, 0};
    def.element_count = kind == FINE ? COARSE << LEVELS : COARSE;
    def.adapt.is_on = kind == ADAPTIVE;
    def.adapt.levels = LEVELS;
    if (kind != FINE) result = validation_spoil_rod(context, &def, error);
    if (result != CDG_OK) return result;
    cdg_contact_def contact = cdg_contact_def_default();
    contact.friction = 0.2;
    cdg_obstacle_def bar = cdg_obstacle_def_default();
    bar.shape.kind = CDG_SHAPE_CAPSULE;
    bar.shape.radius = 0.025, bar.shape.length = 0.3;
    bar.shape.position = (cdg_vec3){0.36, 0, 0.3};
    bar.shape.orientation = (cdg_quat){.w = sqrt(0.5), .x = sqrt(0.5)}; // along y
    cdg_motion motion = {
        .kind = CDG_MOTION_ROTATE, .axis = {0, -1, 0}, .angle = swing, .to = swung, .ease = CDG_EASE_SMOOTH};
    cdg_support_def hand = {.kind = CDG_SUPPORT_CLAMP, .motions = &motion, .motion_count = 1};
    result = cdg_world_add_rod(out->world, &def, &out->rod);
    hand.place.rod = out->rod;
    if (result == CDG_OK) result = cdg_world_set_contact(out->world, &contact);
    if (result == CDG_OK) result = cdg_world_add_obstacle(out->world, &bar, NULL);
    if (result == CDG_OK) result = cdg_world_add_support(out->world, &hand, NULL);
    return validation_fail(out->world, result, error);
}

// The tip after each step, and what there was of nodes and depth.
typedef struct tip_path {
    cdg_vec3 tip[STEPS];
    double mean_nodes, deepest; // deepest: radii
    bool strikes;
} tip_path;

static cdg_result follow(const validation_context *context, validation_model model, rod_kind kind, tip_path *out,
                         cdg_error *error) {
    *out = (tip_path){0};
    swung_rod it = {0};
    cdg_result result = build(context, model, kind, &it, error);
    rod_depths *depths = result == CDG_OK ? rod_depths_create(it.world) : NULL;
    if (result == CDG_OK && depths == NULL) result = CDG_ERROR_MEMORY;
    for (int i = 0; i < STEPS && result == CDG_OK; i++) {
        cdg_rod_info info;
        cdg_vec3 nodes[NODES_MAX];
        cdg_step_report report;
        result = cdg_world_step(it.world, &report);
        if (result == CDG_OK) result = cdg_rod_get_info(it.world, it.rod, &info);
        if (result == CDG_OK) result = cdg_rod_positions(it.world, it.rod, nodes);
        if (validation_fail(it.world, result, error) != CDG_OK) break;
        out->tip[i] = nodes[info.node_count - 1];
        out->mean_nodes += (double)info.node_count / STEPS;
        out->strikes = out->strikes || report.contact_count > 0;
        out->deepest = fmax(out->deepest, rod_depths_measure(depths, it.world, 1 / context->factor.radius).depth);
    }
    rod_depths_free(depths);
    cdg_world_destroy(it.world);
    return result;
}

// The largest distance of both tips at any time; not a number when one of them has missed the bar.
static double farthest(const tip_path *a, const tip_path *b) {
    double most = a->strikes && b->strikes ? 0 : NAN;
    for (int i = 0; i < STEPS; i++) most = fmax(most, vec3_distance(a->tip[i], b->tip[i]) / length);
    return a->strikes && b->strikes ? most : NAN;
}

static void add_path(validation_context *context, const char *label, const tip_path *path, bool is_reference) {
    double x[STEPS], z[STEPS];
    for (int i = 0; i < STEPS; i++) x[i] = path->tip[i].x, z[i] = path->tip[i].z;
    (is_reference ? validation_add_reference_curve : validation_add_curve)(context, label, x, z, STEPS);
}

cdg_result validate_swung_rods(validation_context *context, cdg_error *error) {
    static const validation_model models[] = {VALIDATION_DIRECT, VALIDATION_DER_IMPLICIT, VALIDATION_CORDE};
    enum { MODELS = sizeof models / sizeof *models };
    validation_begin_chart(context, "Path of the tip", "x", "m", "z", "m");
    for (int m = 0; m < MODELS && !validation_is_decided(context); m++) {
        const char *name = validation_model_name(models[m]);
        tip_path paths[ROD_KINDS];
        char label[VALIDATION_TEXT_SIZE];
        for (int k = 0; k < ROD_KINDS; k++) {
            cdg_result result = follow(context, models[m], (rod_kind)k, &paths[k], error);
            if (result != CDG_OK) return result;
        }
        validation_under(context, models[m]);
        snprintf(label, sizeof label, "%s: adaptive tip's distance from the fine rod's, %.1f of %d nodes", name,
                 paths[ADAPTIVE].mean_nodes, NODES_MAX);
        validation_add_limit(context, label, "L", farthest(&paths[ADAPTIVE], &paths[FINE]), 0.01);
        validation_cite(context, VALIDATION_SEED_004_4_3, "pictures of four moments in which both rods look alike");
        snprintf(label, sizeof label, "%s: the same with %d elements throughout", name, COARSE);
        validation_add_information(context, label, "L", farthest(&paths[COARSE_ALONE], &paths[FINE]));
        snprintf(label, sizeof label, "%s: adaptive rod's deepest penetration after any step", name);
        validation_add_limit(context, label, "radii", paths[ADAPTIVE].deepest, 1e-3);
        add_path(context, name, &paths[ADAPTIVE], false);
        if (m == 0) add_path(context, "fine, pobd direct", &paths[FINE], true);
        validation_progress(context, (m + 1.0) / MODELS);
    }
    validation_unsupported(context, VALIDATION_GAUSS_SEIDEL,
                           "60 iterations do not find the motion of 192 elements, so there is no fine rod");
    validation_unsupported(context, VALIDATION_DER_EXPLICIT, "its resolution does not change");
    validation_unsupported(context, VALIDATION_REFERENCE, "its resolution does not change");
    validation_unsupported(context, VALIDATION_GALPHA, "its resolution does not change");
    return CDG_OK;
}
