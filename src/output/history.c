// Runs read back through the public API: run_reader.h with every argument checked.
#include "base/error.h"
#include "output/run_reader.h"

#include <cordage/history.h>

#include <stdlib.h>
#include <string.h>

struct cdg_history {
    cdg_run_reader *reader;
};

cdg_result cdg_history_open(const char *path, cdg_history **out, cdg_error *error) {
    if (path == NULL) return cdg_fail_null(error, "path");
    if (out == NULL) return cdg_fail_null(error, "out");
    *out = NULL;
    cdg_history *history = calloc(1, sizeof *history);
    if (history == NULL) return cdg_fail(error, CDG_ERROR_MEMORY, "no memory to read a run");
    cdg_result result = cdg_run_reader_open(path, &history->reader, error);
    if (result != CDG_OK) {
        free(history);
        return result;
    }
    *out = history;
    return CDG_OK;
}

void cdg_history_close(cdg_history *history) {
    if (history == NULL) return;
    cdg_run_reader_close(history->reader);
    free(history);
}

static const char *text_of(const char *text) { return text != NULL ? text : ""; }

cdg_result cdg_history_get_info(const cdg_history *history, cdg_history_info *out) {
    if (history == NULL || out == NULL) return CDG_ERROR_ARGUMENT;
    const cdg_run_reader *r = history->reader;
    *out = (cdg_history_info){.title = text_of(r->title),
                              .scene_name = text_of(r->scene_name),
                              .scene_text = text_of(r->scene_text),
                              .overrides = text_of(r->overrides),
                              .frame_count = r->frame_count,
                              .times = r->times,
                              .rod_count = r->rod_count,
                              .body_count = r->body_count,
                              .obstacle_count = r->obstacle_count,
                              .has_contacts = r->has_contacts,
                              .is_static = r->is_static,
                              .mode_count = r->mode_count};
    return CDG_OK;
}

cdg_result cdg_history_rod_at(const cdg_history *history, size_t rod, cdg_history_rod *out) {
    if (history == NULL || out == NULL || rod >= history->reader->rod_count) return CDG_ERROR_ARGUMENT;
    const cdg_run_rod *r = &history->reader->rods[rod];
    *out = (cdg_history_rod){.name = r->name,
                             .model = r->model,
                             .is_closed = r->is_closed,
                             .node_count = r->node_count,
                             .element_count = r->element_count,
                             .length = r->length,
                             .mass = r->mass,
                             .radii = r->radius,
                             .rest_lengths = r->rest_length,
                             .sections = r->sections,
                             .adapts = r->adapts};
    return CDG_OK;
}

static cdg_result check_index(const cdg_history *history, size_t frame, size_t index, size_t count, const char *what,
                              cdg_error *error) {
    if (history == NULL) return cdg_fail_null(error, "history");
    if (frame >= history->reader->frame_count)
        return cdg_fail(error, CDG_ERROR_ARGUMENT, "the run has %zu outputs, and number %zu, counted from 0, is none",
                        history->reader->frame_count, frame);
    if (index >= count)
        return cdg_fail(error, CDG_ERROR_ARGUMENT, "the run has %zu %s, and number %zu, counted from 0, is none", count,
                        what, index);
    return CDG_OK;
}

cdg_result cdg_history_counts(const cdg_history *history, size_t frame, size_t rod, size_t *node_count,
                              size_t *element_count, cdg_error *error) {
    if (node_count == NULL) return cdg_fail_null(error, "node_count");
    if (element_count == NULL) return cdg_fail_null(error, "element_count");
    cdg_result result = check_index(history, frame, rod, history ? history->reader->rod_count : 0, "rods", error);
    if (result != CDG_OK) return result;
    return cdg_run_reader_counts(history->reader, frame, rod, node_count, element_count, error);
}

static cdg_result check_room(const cdg_history *history, size_t rod, const char *what, size_t needed, size_t capacity,
                             cdg_error *error) {
    if (capacity >= needed) return CDG_OK;
    return cdg_fail(error, CDG_ERROR_ARGUMENT, "field '%s' of rod '%s' has %zu numbers, and there is room for %zu",
                    what, history->reader->rods[rod].name, needed, capacity);
}

cdg_result cdg_history_arc_lengths(const cdg_history *history, size_t frame, size_t rod, double *out, size_t capacity,
                                   cdg_error *error) {
    if (out == NULL) return cdg_fail_null(error, "out");
    cdg_result result = check_index(history, frame, rod, history ? history->reader->rod_count : 0, "rods", error);
    if (result != CDG_OK) return result;
    cdg_run_division division;
    result = cdg_run_reader_division(history->reader, frame, rod, &division, error);
    if (result != CDG_OK) return result;
    result = check_room(history, rod, "arc_length", division.node_count, capacity, error);
    if (result == CDG_OK) memcpy(out, division.arc, division.node_count * sizeof *out);
    cdg_run_division_free(&division);
    return result;
}

static cdg_result find_field(const char *name, cdg_field *out, cdg_error *error) {
    if (cdg_field_find(name, out)) return CDG_OK;
    return cdg_fail(error, CDG_ERROR_ARGUMENT,
                    "there is no field '%.60s'; fields are those of run files, such as positions and moment", name);
}

cdg_result cdg_history_read(const cdg_history *history, size_t frame, size_t rod, const char *name, double *out,
                            size_t capacity, cdg_error *error) {
    if (name == NULL) return cdg_fail_null(error, "field");
    if (out == NULL) return cdg_fail_null(error, "out");
    size_t nodes, elements;
    cdg_result result = cdg_history_counts(history, frame, rod, &nodes, &elements, error);
    cdg_field field;
    if (result == CDG_OK) result = find_field(name, &field, error);
    if (result != CDG_OK) return result;
    cdg_field_info info = cdg_field_get(field);
    size_t needed = cdg_field_entries(&info, nodes, elements) * info.component_count;
    result = check_room(history, rod, name, needed, capacity, error);
    return result == CDG_OK ? cdg_run_reader_read_own(history->reader, frame, rod, field, out, error) : result;
}

cdg_result cdg_history_sample(const cdg_history *history, size_t frame, size_t rod, const char *name,
                              const double *places, size_t count, double *out, size_t capacity, cdg_error *error) {
    if (name == NULL) return cdg_fail_null(error, "field");
    if (places == NULL) return cdg_fail_null(error, "places");
    if (out == NULL) return cdg_fail_null(error, "out");
    cdg_field field;
    cdg_result result = check_index(history, frame, rod, history ? history->reader->rod_count : 0, "rods", error);
    if (result == CDG_OK) result = find_field(name, &field, error);
    if (result != CDG_OK) return result;
    size_t width = cdg_field_get(field).component_count;
    result = check_room(history, rod, name, count <= SIZE_MAX / width ? count * width : SIZE_MAX, capacity, error);
    if (result != CDG_OK) return result;
    return cdg_run_reader_sample(history->reader, frame, rod, field, places, count, out, error);
}

static bool is_energy(const char *name) {
#define IS_ENERGY(member, text)                                                                                        \
    if (strcmp(name, #member) == 0) return true;
    CDG_ENERGY_LIST(IS_ENERGY)
#undef IS_ENERGY
    return false;
}

cdg_result cdg_history_energy(const cdg_history *history, const char *name, double *out, cdg_error *error) {
    if (history == NULL) return cdg_fail_null(error, "history");
    if (name == NULL) return cdg_fail_null(error, "name");
    if (out == NULL) return cdg_fail_null(error, "out");
    if (!is_energy(name))
        return cdg_fail(error, CDG_ERROR_ARGUMENT, "there is no energy '%.60s'; try total, bend or kinetic", name);
    return cdg_run_reader_energy(history->reader, name, out, error);
}

const char *cdg_history_body_name(const cdg_history *history, size_t body) {
    if (history == NULL || body >= history->reader->body_count) return "";
    return text_of(history->reader->bodies[body].info.name);
}

cdg_result cdg_history_body(const cdg_history *history, size_t frame, size_t body, cdg_vec3 *position,
                            cdg_quat *orientation, cdg_error *error) {
    if (position == NULL) return cdg_fail_null(error, "position");
    if (orientation == NULL) return cdg_fail_null(error, "orientation");
    cdg_result result = check_index(history, frame, body, history ? history->reader->body_count : 0, "bodies", error);
    return result != CDG_OK ? result : cdg_run_reader_body(history->reader, frame, body, position, orientation, error);
}

cdg_result cdg_history_contact_count(const cdg_history *history, size_t frame, size_t *out, cdg_error *error) {
    if (out == NULL) return cdg_fail_null(error, "out");
    cdg_result result = check_index(history, frame, 0, 1, "", error);
    if (result != CDG_OK) return result;
    *out = 0;
    return history->reader->has_contacts ? cdg_run_reader_contact_count(history->reader, frame, out, error) : CDG_OK;
}

cdg_result cdg_history_modes(const cdg_history *history, size_t rod, double *frequencies, cdg_vec3 *shapes,
                             cdg_error *error) {
    if (frequencies == NULL) return cdg_fail_null(error, "frequencies");
    cdg_result result = check_index(history, 0, rod, history ? history->reader->rod_count : 0, "rods", error);
    if (result != CDG_OK) return result;
    if (history->reader->mode_count == 0)
        return cdg_fail(error, CDG_ERROR_ARGUMENT,
                        "the run has no vibrations; ask for them with 'modes: N' in its scene");
    return cdg_run_reader_modes(history->reader, rod, frequencies, shapes, error);
}
