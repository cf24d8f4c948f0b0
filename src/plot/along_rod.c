// Charts along a rod. Curvature and twist are the Darboux vector of neighbouring frames, 2 Im(conj(q_i) q_i+1) over the
// length between their middles (Kugelstadt and Schömer 2016, eq. 29), as the probes have it at free nodes; the file
// does not hold what a clamp adds at an end, so the ends are left out.
#define _POSIX_C_SOURCE 200809L // fnmatch, strdup
#include "plot/along_rod.h"

#include "base/error.h"
#include "math/quat.h"
#include "scene/suggest.h"

#include <fnmatch.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum made_field {
    MADE_NONE, // stored at every output
    MADE_SPEED,
    MADE_CURVATURE,
    MADE_TWIST,
    MADE_STRAIN,
    MADE_RADIUS,
    MADE_REST_LENGTH,
} made_field;

enum { COMPONENTS_MAX = 4, WHOLE = -1 };

typedef struct field_spec {
    const char *name, *label;
    const char *units;      // NULL: as the file has it
    const char *components; // letters, one a component; "" for a single number
    cdg_run_per per;
    cdg_run_field stored; // where the numbers come from
    made_field made;
    bool has_magnitude; // without a component it is one number: the length of the vector
} field_spec;

static const field_spec specs[] = {
    {"tension", "tension", NULL, "", CDG_RUN_PER_ELEMENT, CDG_RUN_FIELD_tension, MADE_NONE, false},
    {"moment", "moment", NULL, "123", CDG_RUN_PER_NODE, CDG_RUN_FIELD_moment, MADE_NONE, false},
    {"forces", "section force", NULL, "123", CDG_RUN_PER_ELEMENT, CDG_RUN_FIELD_forces, MADE_NONE, false},
    {"curvature", "curvature", "1/m", "12", CDG_RUN_PER_NODE, CDG_RUN_FIELD_frames, MADE_CURVATURE, true},
    {"twist", "twist rate", "rad/m", "", CDG_RUN_PER_NODE, CDG_RUN_FIELD_frames, MADE_TWIST, false},
    {"strain", "axial strain", "1", "", CDG_RUN_PER_ELEMENT, CDG_RUN_FIELD_positions, MADE_STRAIN, false},
    {"speed", "speed", "m/s", "", CDG_RUN_PER_NODE, CDG_RUN_FIELD_velocities, MADE_SPEED, false},
    {"positions", "position", NULL, "xyz", CDG_RUN_PER_NODE, CDG_RUN_FIELD_positions, MADE_NONE, false},
    {"velocities", "velocity", NULL, "xyz", CDG_RUN_PER_NODE, CDG_RUN_FIELD_velocities, MADE_NONE, false},
    {"angular_velocities", "angular velocity", NULL, "123", CDG_RUN_PER_ELEMENT, CDG_RUN_FIELD_angular_velocities,
     MADE_NONE, false},
    {"frames", "frame", NULL, "wxyz", CDG_RUN_PER_ELEMENT, CDG_RUN_FIELD_frames, MADE_NONE, false},
    {"radius", "radius", "m", "", CDG_RUN_PER_NODE, CDG_RUN_FIELD_positions, MADE_RADIUS, false},
    {"rest_length", "rest length of elements", "m", "", CDG_RUN_PER_ELEMENT, CDG_RUN_FIELD_positions, MADE_REST_LENGTH,
     false},
};
enum { SPEC_COUNT = sizeof specs / sizeof *specs };

typedef struct along_request {
    const cdg_run_reader *reader;
    const double *times;
    size_t time_count;
    cdg_chart_list *charts;
    cdg_error *error;
} along_request;

// ---- choosing

static cdg_result refuse_field(along_request *request, const char *name, size_t length) {
    char list[400] = "";
    size_t used = 0;
    word_search search = cdg_suggest_begin(name, length);
    for (size_t i = 0; i < SPEC_COUNT; i++) {
        cdg_suggest_offer(&search, specs[i].name);
        used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", i > 0 ? ", " : "", specs[i].name);
    }
    return cdg_fail(request->error, CDG_ERROR_ARGUMENT, "a rod has no field '%.*s'%s%s%s: %s",
                    (int)(length < 80 ? length : 80), name, search.best != NULL ? "; did you mean '" : "",
                    search.best != NULL ? search.best : "", search.best != NULL ? "'? There are" : "; there are", list);
}

// "moment.1": the spec and which component; WHOLE when none is named. Letters and numbers from 1 both count.
static cdg_result find_field(along_request *request, const char *text, const field_spec **spec, int *component) {
    size_t length = strcspn(text, ".");
    *spec = NULL;
    *component = WHOLE;
    for (size_t i = 0; i < SPEC_COUNT; i++)
        if (strlen(specs[i].name) == length && strncmp(specs[i].name, text, length) == 0) *spec = &specs[i];
    if (*spec == NULL) return refuse_field(request, text, length);
    if (text[length] == '\0') return CDG_OK;
    const char *wanted = text + length + 1, *letters = (*spec)->components;
    const char *found = wanted[0] != '\0' && wanted[1] == '\0' ? strchr(letters, wanted[0]) : NULL;
    if (found != NULL) {
        *component = (int)(found - letters);
        return CDG_OK;
    }
    if (wanted[0] >= '1' && wanted[0] <= '9' && wanted[1] == '\0' && (size_t)(wanted[0] - '1') < strlen(letters)) {
        *component = wanted[0] - '1';
        return CDG_OK;
    }
    char list[100] = "";
    for (size_t i = 0, used = 0; i < strlen(letters); i++)
        used +=
            (size_t)snprintf(list + used, sizeof list - used, "%s%s.%c", i > 0 ? ", " : "", (*spec)->name, letters[i]);
    if (letters[0] == '\0')
        return cdg_fail(request->error, CDG_ERROR_ARGUMENT, "'%.80s': %s is one number and has no components", text,
                        (*spec)->name);
    return cdg_fail(request->error, CDG_ERROR_ARGUMENT, "'%.80s': the components of %s are %s", text, (*spec)->name,
                    list);
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

static cdg_quat frame_at(const double *frames, size_t element) {
    const double *q = frames + 4 * element;
    return quat(q[0], q[1], q[2], q[3]);
}

static cdg_vec3 vec3_at(const double *numbers, size_t index) {
    return vec3(numbers[3 * index], numbers[3 * index + 1], numbers[3 * index + 2]);
}

// Curvatures about d1 and d2 and the twist rate at a node; NaN where it has not two elements.
static cdg_vec3 darboux(const cdg_run_rod *rod, const double *frames, size_t node) {
    bool is_end = !rod->is_closed && (node == 0 || node + 1 == rod->node_count);
    if (is_end || rod->element_count < 2) return vec3(NAN, NAN, NAN);
    size_t left = node > 0 ? node - 1 : rod->element_count - 1, right = node;
    cdg_quat turn = quat_relative(frame_at(frames, left), frame_at(frames, right));
    if (turn.w < 0) turn = quat_negate(turn);
    double length = (rod->rest_length[left] + rod->rest_length[right]) / 2;
    return vec3_scale(2 / length, quat_imaginary(turn));
}

static double value_at(const cdg_run_rod *rod, const field_spec *spec, const double *numbers, int component, size_t i) {
    switch (spec->made) {
    case MADE_SPEED: return vec3_norm(vec3_at(numbers, i));
    case MADE_CURVATURE: {
        cdg_vec3 d = darboux(rod, numbers, i);
        return component == 0 ? d.x : component == 1 ? d.y : hypot(d.x, d.y);
    }
    case MADE_TWIST: return darboux(rod, numbers, i).z;
    case MADE_STRAIN: {
        size_t next = i + 1 < rod->node_count ? i + 1 : 0;
        return vec3_distance(vec3_at(numbers, i), vec3_at(numbers, next)) / rod->rest_length[i] - 1;
    }
    case MADE_RADIUS: return rod->radius[i];
    case MADE_REST_LENGTH: return rod->rest_length[i];
    case MADE_NONE: break;
    }
    size_t width = strlen(spec->components);
    return width == 0 ? numbers[i] : numbers[width * i + (size_t)component];
}

static double rod_length(const cdg_run_rod *rod) {
    double length = 0;
    for (size_t i = 0; i < rod->element_count; i++) length += rod->rest_length[i];
    return length;
}

// Arc length at rest of the nodes or of the elements' middles.
static void put_arc_lengths(const cdg_run_rod *rod, cdg_run_per per, double *out) {
    double length = 0;
    for (size_t i = 0; i < rod->element_count; i++) {
        out[i] = per == CDG_RUN_PER_NODE ? length : length + rod->rest_length[i] / 2;
        length += rod->rest_length[i];
    }
    if (per == CDG_RUN_PER_NODE && rod->node_count > rod->element_count) out[rod->element_count] = length;
}

static cdg_result add_curve(along_request *request, cdg_chart *chart, size_t rod_index, const field_spec *spec,
                            int component, double time, double *x, double *y, double *numbers) {
    const cdg_run_reader *reader = request->reader;
    const cdg_run_rod *rod = &reader->rods[rod_index];
    size_t frame = cdg_run_reader_nearest_frame(reader, time);
    size_t count = spec->per == CDG_RUN_PER_NODE ? rod->node_count : rod->element_count;
    cdg_result result = cdg_run_reader_read(reader, frame, rod_index, spec->stored, numbers, request->error);
    if (result != CDG_OK) return result;
    put_arc_lengths(rod, spec->per, x);
    for (size_t i = 0; i < count; i++) y[i] = value_at(rod, spec, numbers, component, i);
    char name[64];
    snprintf(name, sizeof name, "%.6g s", reader->times[frame]);
    return cdg_chart_add(chart, name, x, y, count, request->error);
}

static cdg_result add_chart(along_request *request, size_t rod_index, const field_spec *spec, int component) {
    const cdg_run_rod *rod = &request->reader->rods[rod_index];
    char title[256], label[128], when[64] = "";
    size_t room = (rod->node_count > rod->element_count ? rod->node_count : rod->element_count) * COMPONENTS_MAX;
    if (component == WHOLE) {
        snprintf(label, sizeof label, "%s", spec->label);
    } else {
        snprintf(label, sizeof label, "%s %c", spec->label, spec->components[component]);
    }
    if (request->time_count == 1) {
        size_t frame = cdg_run_reader_nearest_frame(request->reader, request->times[0]);
        snprintf(when, sizeof when, " at %.6g s", request->reader->times[frame]);
    }
    snprintf(title, sizeof title, "%.150s%s", rod->name, when);
    const char *units = spec->units != NULL ? spec->units : cdg_run_field_get(spec->stored).units;
    cdg_chart *chart;
    cdg_result result =
        cdg_chart_list_add(request->charts, title, "arc length at rest", "m", label, units, &chart, request->error);
    if (result != CDG_OK) return result;
    chart->is_sequence = true;
    chart->x.low = 0; // the whole rod, though elements' middles begin half an element later
    chart->x.high = rod_length(rod);
    double *numbers = malloc((3 * room + 1) * sizeof *numbers);
    if (numbers == NULL) return cdg_fail(request->error, CDG_ERROR_MEMORY, "out of memory for a rod's numbers");
    for (size_t i = 0; i < request->time_count && result == CDG_OK; i++)
        result = add_curve(request, chart, rod_index, spec, component, request->times[i], numbers + room,
                           numbers + 2 * room, numbers);
    free(numbers);
    return result;
}

static cdg_result add_field(along_request *request, size_t rod, const char *text) {
    const field_spec *spec;
    int component;
    cdg_result result = find_field(request, text, &spec, &component);
    if (result != CDG_OK) return result;
    size_t width = strlen(spec->components);
    if (component != WHOLE || width == 0 || spec->has_magnitude) return add_chart(request, rod, spec, component);
    for (int i = 0; i < (int)width && result == CDG_OK; i++) result = add_chart(request, rod, spec, i);
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
