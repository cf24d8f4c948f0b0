// Charts along a rod: numbers as the run file holds them (fields/field.h). Where nothing is measured, at free ends,
// curves of curvature and twist have no point.
#define _POSIX_C_SOURCE 200809L // fnmatch, strdup
#include "plot/along_rod.h"

#include "base/error.h"
#include "output/field_view.h"
#include "scene/suggest.h"

#include <fnmatch.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COMPONENTS_MAX = CDG_FIELD_COMPONENTS_MAX };

// A view of a stored field, or one of the constants of a rod.
typedef struct along_field {
    cdg_view view;
    cdg_field_per per;
    enum { STORED, RADIUS, REST_LENGTH } source;
} along_field;

typedef struct along_request {
    const cdg_run_reader *reader;
    const double *times;
    size_t time_count;
    cdg_chart_list *charts;
    cdg_error *error;
} along_request;

// ---- choosing

static cdg_result find_field(along_request *request, const char *text, along_field *out) {
    bool is_radius = strcmp(text, "radius") == 0, is_rest_length = strcmp(text, "rest_length") == 0;
    if (is_radius || is_rest_length) {
        *out = (along_field){.view = {.field = CDG_FIELD_positions, .unit = "m"},
                             .per = is_radius ? CDG_FIELD_PER_NODE : CDG_FIELD_PER_ELEMENT,
                             .source = is_radius ? RADIUS : REST_LENGTH};
        snprintf(out->view.label, sizeof out->view.label, "%s", is_radius ? "radius" : "rest length of elements");
        return CDG_OK;
    }
    *out = (along_field){.source = STORED};
    cdg_result result = cdg_view_parse(text, "radius, rest_length", &out->view, request->error);
    if (result == CDG_OK) out->per = cdg_field_get(out->view.field).per;
    return result;
}

static cdg_result check_times(along_request *request) {
    const cdg_run_reader *reader = request->reader;
    double first = reader->times[0], last = reader->times[reader->frame_count - 1];
    double air = reader->frame_count > 1 ? 0.51 * (last - first) / (double)(reader->frame_count - 1) : 0;
    for (size_t i = 0; i < request->time_count; i++) {
        double time = request->times[i];
        if (!(time >= first - air) || !(time <= last + air))
            return cdg_fail(request->error, CDG_ERROR_ARGUMENT,
                            "the run has no output at %g s; it goes from %g s to %g s", time, first, last);
    }
    return CDG_OK;
}

// ---- numbers

static double value_at(const cdg_run_rod *rod, const along_field *field, const double *numbers, size_t i) {
    switch (field->source) {
    case RADIUS: return rod->radius[i];
    case REST_LENGTH: return rod->rest_length[i];
    case STORED: break;
    }
    return cdg_view_value(&field->view, numbers, i);
}

static double rod_length(const cdg_run_rod *rod) {
    double length = 0;
    for (size_t i = 0; i < rod->element_count; i++) length += rod->rest_length[i];
    return length;
}

// Arc length at rest of the nodes or of the elements' middles.
static void put_arc_lengths(const cdg_run_rod *rod, cdg_field_per per, double *out) {
    double length = 0;
    for (size_t i = 0; i < rod->element_count; i++) {
        out[i] = per == CDG_FIELD_PER_NODE ? length : length + rod->rest_length[i] / 2;
        length += rod->rest_length[i];
    }
    if (per == CDG_FIELD_PER_NODE && rod->node_count > rod->element_count) out[rod->element_count] = length;
}

static cdg_result add_curve(along_request *request, cdg_chart *chart, size_t rod_index, const along_field *field,
                            double time, double *x, double *y, double *numbers) {
    const cdg_run_reader *reader = request->reader;
    size_t frame = cdg_run_reader_nearest_frame(reader, time);
    cdg_run_division division; // a point for each node or element that the output has
    cdg_result result = cdg_run_reader_division(reader, frame, rod_index, &division, request->error);
    if (result != CDG_OK) return result;
    const cdg_run_rod rod = cdg_run_division_rod(&division, &reader->rods[rod_index]);
    size_t count = field->per == CDG_FIELD_PER_NODE ? rod.node_count : rod.element_count;
    result = cdg_run_reader_read_own(reader, frame, rod_index, field->view.field, numbers, request->error);
    if (result == CDG_OK) {
        char name[64];
        put_arc_lengths(&rod, field->per, x);
        for (size_t i = 0; i < count; i++) y[i] = value_at(&rod, field, numbers, i);
        snprintf(name, sizeof name, "%.6g s", reader->times[frame]);
        result = cdg_chart_add(chart, name, x, y, count, request->error);
    }
    cdg_run_division_free(&division);
    return result;
}

static cdg_result add_chart(along_request *request, size_t rod_index, const along_field *field) {
    const cdg_run_rod *rod = &request->reader->rods[rod_index];
    char title[256], when[64] = "";
    size_t room = (rod->node_count > rod->element_count ? rod->node_count : rod->element_count) * COMPONENTS_MAX;
    if (request->time_count == 1) {
        size_t frame = cdg_run_reader_nearest_frame(request->reader, request->times[0]);
        snprintf(when, sizeof when, " at %.6g s", request->reader->times[frame]);
    }
    snprintf(title, sizeof title, "%.150s%s", rod->name, when);
    cdg_chart *chart;
    cdg_result result = cdg_chart_list_add(request->charts, title, "arc length at rest", "m", field->view.label,
                                           field->view.unit, &chart, request->error);
    if (result != CDG_OK) return result;
    chart->is_sequence = true;
    chart->x.low = 0; // the whole rod, though elements' middles begin half an element later
    chart->x.high = rod_length(rod);
    double *numbers = malloc((3 * room + 1) * sizeof *numbers);
    if (numbers == NULL) return cdg_fail(request->error, CDG_ERROR_MEMORY, "out of memory for a rod's numbers");
    for (size_t i = 0; i < request->time_count && result == CDG_OK; i++)
        result =
            add_curve(request, chart, rod_index, field, request->times[i], numbers + room, numbers + 2 * room, numbers);
    free(numbers);
    return result;
}

static cdg_result add_field(along_request *request, size_t rod, const char *text) {
    along_field field;
    cdg_result result = find_field(request, text, &field);
    if (result != CDG_OK) return result;
    if (field.view.component != CDG_VIEW_ALL) return add_chart(request, rod, &field);
    for (int i = 0; i < (int)cdg_field_get(field.view.field).component_count && result == CDG_OK; i++) {
        field.view = cdg_view_of(field.view.field, i);
        result = add_chart(request, rod, &field);
    }
    return result;
}

static cdg_result add_fields(along_request *request, size_t rod, const char *fields) {
    char *copy = strdup(fields), *rest = NULL;
    if (copy == NULL) return cdg_fail(request->error, CDG_ERROR_MEMORY, "out of memory for a chart");
    cdg_result result = CDG_OK;
    for (char *field = strtok_r(copy, ", ", &rest); field != NULL && result == CDG_OK;
         field = strtok_r(NULL, ", ", &rest))
        result = add_field(request, rod, field);
    free(copy);
    return result;
}

static cdg_result refuse_rod(const cdg_run_reader *reader, const char *name, cdg_error *error) {
    char list[600] = "";
    size_t used = 0;
    word_search search = cdg_suggest_begin(name, strlen(name));
    for (size_t i = 0; i < reader->rod_count; i++) cdg_suggest_offer(&search, reader->rods[i].name);
    for (size_t i = 0; i < reader->rod_count; i++) {
        if (used + strlen(reader->rods[i].name) + 32 > sizeof list) {
            snprintf(list + used, sizeof list - used, ", and %zu more", reader->rod_count - i);
            break;
        }
        used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", i > 0 ? ", " : "", reader->rods[i].name);
    }
    return cdg_fail(error, CDG_ERROR_ARGUMENT, "the run has no rod '%.80s'%s%s%s: %s", name,
                    search.best != NULL ? "; did you mean '" : "", search.best != NULL ? search.best : "",
                    search.best != NULL ? "'? There are" : "; there are", list);
}

cdg_result cdg_along_rod_charts(const cdg_run_reader *reader, const char *rods, const char *fields, const double *times,
                                size_t time_count, cdg_chart_list *out, cdg_error *error) {
    *out = (cdg_chart_list){0};
    double last = reader->times[reader->frame_count - 1];
    along_request request = {reader, time_count > 0 ? times : &last, time_count > 0 ? time_count : 1, out, error};
    cdg_result result = check_times(&request);
    bool was_found = false;
    for (size_t i = 0; i < reader->rod_count && result == CDG_OK; i++) {
        if (fnmatch(rods, reader->rods[i].name, 0) != 0) continue;
        was_found = true;
        result = add_fields(&request, i, fields);
    }
    if (result == CDG_OK && !was_found) result = refuse_rod(reader, rods, error);
    if (result == CDG_OK && out->count == 0)
        result = cdg_fail(error, CDG_ERROR_ARGUMENT, "no field was named; --field tension, for instance");
    if (result != CDG_OK) cdg_chart_list_free(out);
    return result;
}
