// Shapes that twist makes: a slack rod winds up (Kugelstadt and Schömer 2016, figure 5), and in a flat, arched strip
// twist is uneven (Bergou et al. 2008, figure 5). The papers print no numbers: the reference model says what is right.
#include "validation/case_functions.h"
#include "validation/model_rods.h"

#include <math.h>
#include <stdio.h>

static const double pi = 3.14159265358979323846;
enum { ELEMENTS = 40, STRIP = 30, NODES_MAX = 121 };

// ---- winding up -----------------------------------------------------------------------------------------------------

typedef struct wound {
    double width, x[ELEMENTS + 1], off[ELEMENTS + 1]; // distance off the axis, m
    double bend;                                      // J
} wound;

// One end turns by two turns and comes closer by a tenth; a push tells the rod where to leave its axis.
static cdg_result wind(validation_context *context, validation_model model, bool is_shown, wound *out,
                       cdg_error *error) {
    cdg_rod_def def = model_unit_rod(ELEMENTS);
    if (model == VALIDATION_REFERENCE) def.reference.dissipation = 0.5; // it is to settle
    model_trial t = model_begin(context, model, def, (cdg_vec3){0, 0, 0}, 5e-3, error);
    const cdg_motion motions[] = {
        {.kind = CDG_MOTION_ROTATE, .axis = {1, 0, 0}, .angle = 4 * pi, .to = 2, .ease = CDG_EASE_SMOOTH},
        {.kind = CDG_MOTION_MOVE, .move = {-0.1, 0, 0}, .to = 2, .ease = CDG_EASE_SMOOTH}};
    cdg_support_def turned = {
        .kind = CDG_SUPPORT_CLAMP, .place = {.rod = t.rod, .index = ELEMENTS}, .motions = motions, .motion_count = 2};
    model_support(&t, CDG_SUPPORT_CLAMP, 0);
    if (t.result == CDG_OK) t.result = cdg_world_add_support(t.world, &turned, NULL);
    cdg_load_def push = cdg_load_def_default();
    push.place = (cdg_place){t.rod, CDG_PLACE_NODE, ELEMENTS / 2};
    push.value = (cdg_vec3){0, 0, 1};
    push.to = 1;
    if (t.result == CDG_OK) t.result = cdg_world_add_load(t.world, &push, NULL);
    model_drag(&t, 8);
    model_run(&t, 4);
    cdg_vec3 nodes[MODEL_NODES_MAX];
    model_positions(&t, nodes);
    if (t.result == CDG_OK) out->bend = cdg_world_energy(t.world).bend;
    if (t.result == CDG_OK && is_shown) validation_add_picture(context, "wound up, pobd gauss_seidel", t.world);
    out->width = 0;
    for (int i = 0; i <= ELEMENTS; i++) {
        out->x[i] = nodes[i].x, out->off[i] = hypot(nodes[i].y, nodes[i].z);
        out->width = fmax(out->width, out->off[i]);
    }
    return model_end(&t, error);
}

cdg_result validate_looping(validation_context *context, cdg_error *error) {
    validation_context right = validation_context_default(); // the reference is not spoiled
    wound reference, other;
    right.wants_pictures = false;
    cdg_result result = wind(&right, VALIDATION_REFERENCE, false, &reference, error);
    if (result != CDG_OK) return result;
    validation_unsupported(context, VALIDATION_REFERENCE, "what the others are compared with");
    validation_begin_chart(context, "A rod wound up by two turns, 40 elements", "x", "m", "off the axis", "m");
    for (int m = 0; m < VALIDATION_MODEL_COUNT && !validation_is_decided(context); m++) {
        if (m == VALIDATION_REFERENCE) continue;
        result = wind(context, (validation_model)m, m == VALIDATION_GAUSS_SEIDEL, &other, error);
        if (result != CDG_OK) return result;
        const char *name = validation_model_name((validation_model)m);
        char label[VALIDATION_TEXT_SIZE];
        validation_under(context, (validation_model)m);
        snprintf(label, sizeof label, "%s: width of the winding", name);
        validation_add_relative(context, label, "m", other.width, reference.width, 0.05);
        validation_cite(context, VALIDATION_SEED_002_5, "no number printed: looping as with PBER, side by side");
        snprintf(label, sizeof label, "%s: bending energy", name);
        validation_add_relative(context, label, "J", other.bend, reference.bend, 0.1);
        validation_cite(context, VALIDATION_SEED_002_5, "no number printed; compared with the reference model");
        validation_add_curve(context, name, other.x, other.off, ELEMENTS + 1);
        validation_progress(context, (m + 1.0) / VALIDATION_MODEL_COUNT);
    }
    validation_add_reference_curve(context, "reference model", reference.x, reference.off, ELEMENTS + 1);
    return CDG_OK;
}

// ---- uneven twist ---------------------------------------------------------------------------------------------------

typedef struct twisting {
    size_t count;
    double place[NODES_MAX], twist[NODES_MAX]; // rad/m
    double inside;                             // rad/m, at three quarters
    double share;                              // of the twisting energy in the half at the turned end
} twisting;

// A strip at rest as half a circle of 1 m, one end clamped, the other turned by 0.3 turns about its tangent.
static cdg_result turn_strip(validation_context *context, validation_model model, size_t elements, double flatness,
                             bool is_shown, twisting *out, cdg_error *error) {
    const cdg_vec3 across = {0, 1, 0};
    cdg_rod_def def = model_unit_rod(elements);
    def.stiffness.bend[1] = flatness; // about d2, in the plane of the strip: hard
    def.stiffness.twist = 0.8;
    def.centerline.kind = CDG_CENTERLINE_ARC;
    def.centerline.arc.start = (cdg_vec3){0, 0, 0};
    def.centerline.arc.tangent = (cdg_vec3){0, 0, 1};
    def.centerline.arc.normal = (cdg_vec3){1, 0, 0};
    def.centerline.arc.radius = 1 / pi;
    def.centerline.arc.angle = pi;
    def.initial_normal = &across;
    def.rest.kind = CDG_REST_INITIAL;
    if (model == VALIDATION_REFERENCE) def.reference.dissipation = 0.5;
    model_trial t = model_begin(context, model, def, (cdg_vec3){0, 0, 0}, 5e-3, error);
    const cdg_motion motion = {
        .kind = CDG_MOTION_ROTATE, .axis = {0, 0, -1}, .angle = 0.6 * pi, .to = 1.5, .ease = CDG_EASE_SMOOTH};
    cdg_support_def turned = {
        .kind = CDG_SUPPORT_CLAMP, .place = {.rod = t.rod, .index = elements}, .motions = &motion, .motion_count = 1};
    model_support(&t, CDG_SUPPORT_CLAMP, 0);
    if (t.result == CDG_OK) t.result = cdg_world_add_support(t.world, &turned, NULL);
    model_drag(&t, 20);
    model_run(&t, 3);
    cdg_vec3 moments[NODES_MAX] = {{0, 0, 0}};
    if (t.result == CDG_OK) t.result = cdg_rod_moments(t.world, t.rod, moments);
    if (t.result == CDG_OK && is_shown) validation_add_picture(context, "flat strip, one end turned", t.world);
    double sum[2] = {0, 0};
    out->count = elements - 1;
    for (size_t i = 1; i < elements; i++) {
        out->place[i - 1] = (double)i / (double)elements;
        out->twist[i - 1] = moments[i].z / 0.8;
        if (2 * i != elements) sum[2 * i > elements] += out->twist[i - 1] * out->twist[i - 1];
    }
    out->share = sum[1] / (sum[0] + sum[1]);
    out->inside = (out->twist[3 * elements / 4 - 1] + out->twist[(3 * elements + 3) / 4 - 1]) / 2;
    return model_end(&t, error);
}

cdg_result validate_twist_asymmetry(validation_context *context, cdg_error *error) {
    validation_context right = validation_context_default(); // the reference is not spoiled
    twisting fine, strip;
    cdg_result result = turn_strip(&right, VALIDATION_REFERENCE, 60, 20, false, &fine, error);
    if (result != CDG_OK) return result;
    validation_begin_chart(context, "Twist along a flat, arched strip", "along the rod", "1", "twist", "rad/m");
    for (int m = 0; m < VALIDATION_MODEL_COUNT && !validation_is_decided(context); m++) {
        const char *name = validation_model_name((validation_model)m);
        char label[VALIDATION_TEXT_SIZE];
        result = turn_strip(context, (validation_model)m, STRIP, 20, m == VALIDATION_DER_IMPLICIT, &strip, error);
        if (result != CDG_OK) return result;
        validation_under(context, (validation_model)m);
        snprintf(label, sizeof label, "%s: share of twisting energy in the half that is turned", name);
        validation_add_absolute(context, label, "", strip.share, fine.share, 0.02);
        validation_cite(context, VALIDATION_SEED_001_5, "no number printed: twist concentrates near the turned end");
        snprintf(label, sizeof label, "%s: twist in the middle of the half that is turned", name);
        validation_add_relative(context, label, "rad/m", strip.inside, fine.inside, 0.05);
        validation_add_curve(context, name, strip.place, strip.twist, strip.count);
        validation_progress(context, (m + 1.0) / VALIDATION_MODEL_COUNT);
    }
    validation_add_reference_curve(context, "reference model, 60 elements", fine.place, fine.twist, fine.count);
    return CDG_OK;
}
