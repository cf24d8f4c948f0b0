// Charts, curves and pictures that validation cases leave behind.
#include "validation/cases.h"

#include "base/growing_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CURVE_POINTS_MAX = 400 };

// One more item at the end of an array; NULL without memory, which the context remembers.
static void *grow(validation_context *context, void *items, size_t count, size_t size) {
    void *grown = realloc(items, (count + 1) * size);
    if (grown == NULL)
        context->out_of_memory = true;
    else
        memset((char *)grown + count * size, 0, size);
    return grown;
}

static void begin_chart(validation_context *context, const char *title, const char *x_label, const char *x_unit,
                        const char *y_label, const char *y_unit, bool is_log) {
    validation_chart *charts = grow(context, context->charts, context->chart_count, sizeof *charts);
    if (charts == NULL) return;
    context->charts = charts;
    validation_chart *chart = &charts[context->chart_count++];
    snprintf(chart->title, sizeof chart->title, "%s", title);
    snprintf(chart->x_label, sizeof chart->x_label, "%s", x_label);
    snprintf(chart->x_unit, sizeof chart->x_unit, "%s", x_unit);
    snprintf(chart->y_label, sizeof chart->y_label, "%s", y_label);
    snprintf(chart->y_unit, sizeof chart->y_unit, "%s", y_unit);
    chart->is_log = is_log;
}

void validation_begin_chart(validation_context *context, const char *title, const char *x_label, const char *x_unit,
                            const char *y_label, const char *y_unit) {
    begin_chart(context, title, x_label, x_unit, y_label, y_unit, false);
}

void validation_begin_log_chart(validation_context *context, const char *title, const char *x_label, const char *x_unit,
                                const char *y_label, const char *y_unit) {
    begin_chart(context, title, x_label, x_unit, y_label, y_unit, true);
}

static void add_curve(validation_context *context, const char *label, const double *x, const double *y, size_t count,
                      bool is_reference) {
    if (count == 0 || context->chart_count == 0) return;
    size_t every = (count + CURVE_POINTS_MAX - 1) / CURVE_POINTS_MAX, kept = 0;
    double *copies[2] = {malloc((count / every + 2) * sizeof(double)), malloc((count / every + 2) * sizeof(double))};
    validation_curve *curves = grow(context, context->curves, context->curve_count, sizeof *curves);
    if (curves != NULL) context->curves = curves;
    if (copies[0] == NULL || copies[1] == NULL || curves == NULL) {
        free(copies[0]);
        free(copies[1]);
        context->out_of_memory = true;
        return;
    }
    for (size_t i = 0; i < count; i += every, kept++) copies[0][kept] = x[i], copies[1][kept] = y[i];
    if ((count - 1) % every != 0) copies[0][kept] = x[count - 1], copies[1][kept] = y[count - 1], kept++;
    validation_curve *curve = &curves[context->curve_count++];
    snprintf(curve->label, sizeof curve->label, "%s", label);
    curve->chart = context->chart_count - 1;
    curve->is_reference = is_reference;
    curve->x = copies[0];
    curve->y = copies[1];
    curve->count = kept;
}

void validation_add_curve(validation_context *context, const char *label, const double *x, const double *y,
                          size_t count) {
    add_curve(context, label, x, y, count, false);
}

void validation_add_reference_curve(validation_context *context, const char *label, const double *x, const double *y,
                                    size_t count) {
    add_curve(context, label, x, y, count, true);
}

// ---- pictures -------------------------------------------------------------------------------------------------------

typedef struct text {
    char *bytes;
    size_t size, capacity;
    bool has_failed;
} text;

static void append(text *out, const char *bytes) {
    if (!cdg_text_append(&out->bytes, &out->size, &out->capacity, bytes, strlen(bytes))) out->has_failed = true;
}

// The rod as straight pieces from node to node, at rest: a scene in which nothing happens.
static void append_rod(text *out, const cdg_world *world, cdg_rod_id rod, size_t number) {
    cdg_rod_info info = {0};
    if (cdg_rod_get_info(world, rod, &info) != CDG_OK) return;
    cdg_vec3 *nodes = malloc(info.node_count * sizeof *nodes);
    double *radii = malloc(info.node_count * sizeof *radii);
    char line[200];
    if (nodes == NULL || radii == NULL || cdg_rod_positions(world, rod, nodes) != CDG_OK ||
        cdg_rod_radii(world, rod, radii) != CDG_OK) {
        out->has_failed = true;
    } else {
        snprintf(line, sizeof line,
                 "  - name: rod%zu\n    material: {young_modulus: 1 MPa, density: 1000 kg/m^3}\n"
                 "    section: {circle: {radius: %.9g m}}\n    rest: initial\n",
                 number, radii[0]);
        append(out, line);
        append(out, info.is_closed ? "    closed: true\n    centerline:\n      points:\n"
                                   : "    centerline:\n      points:\n");
        for (size_t i = 0; i < info.node_count; i++) {
            snprintf(line, sizeof line, "        - [%.9g m, %.9g m, %.9g m]\n", nodes[i].x, nodes[i].y, nodes[i].z);
            append(out, line);
        }
    }
    free(nodes);
    free(radii);
}

void validation_add_picture(validation_context *context, const char *caption, const cdg_world *world) {
    if (!context->wants_pictures) return;
    text scene = {0};
    append(&scene, "cordage: 1\nsimulation: {gravity: [0, 0, 0], duration: 1 ms, step: 1 ms}\nrods:\n");
    for (size_t i = 0; i < cdg_world_rod_count(world); i++) append_rod(&scene, world, cdg_world_rod_at(world, i), i);
    validation_picture *pictures = grow(context, context->pictures, context->picture_count, sizeof *pictures);
    if (pictures != NULL) context->pictures = pictures;
    if (pictures == NULL || scene.has_failed) {
        context->out_of_memory = true;
        free(scene.bytes);
        return;
    }
    snprintf(pictures[context->picture_count].caption, sizeof pictures->caption, "%s", caption);
    pictures[context->picture_count++].scene = scene.bytes;
}
