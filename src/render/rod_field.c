// Colours show what the run file holds; at free ends, where nothing bends or twists, what is beside them.
#include "render/rod_field.h"

#include "base/error.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// The component of a solid's field that a name asks for: "speed", "positions.z", "stress". False: solids have none.
static bool find_of_solid(const char *text, cdg_rod_field *out) {
    size_t length = strcspn(text, ".");
    const char *wanted = text[length] == '.' ? text + length + 1 : NULL;
    out->of_solid_component = CDG_VIEW_LENGTH;
    if (strcmp(text, "speed") == 0) {
        out->of_solid = CDG_SOLID_FIELD_velocities;
        return true;
    }
    if (!cdg_solid_field_find(text, length, &out->of_solid)) return false;
    bool is_vector = cdg_solid_field_get(out->of_solid).component_count == 3;
    if (!is_vector) {
        out->of_solid_component = 0;
        return wanted == NULL;
    }
    if (wanted == NULL) return true;
    const char *letter = wanted[0] != '\0' && wanted[1] == '\0' ? strchr("xyz123", wanted[0]) : NULL;
    if (letter != NULL) out->of_solid_component = (int)(letter - "xyz123") % 3;
    return letter != NULL;
}

static cdg_view view_of_solid(cdg_solid_field field) {
    cdg_solid_field_info info = cdg_solid_field_get(field);
    cdg_view view = {.unit = info.units, .scale = info.scale, .shown = info.shown};
    snprintf(view.name, sizeof view.name, "%s", info.name);
    snprintf(view.label, sizeof view.label, "%s", info.entry_name);
    return view;
}

cdg_result cdg_rod_field_parse(const char *text, cdg_rod_field *out, cdg_error *error) {
    *out = (cdg_rod_field){.is_set = false};
    if (strcmp(text, "rod") == 0) return CDG_OK;
    out->is_of_solids = find_of_solid(text, out);
    cdg_error cause;
    cdg_result result = cdg_view_parse(text, "rod, stress (of solids)", &out->view, &cause);
    if (result != CDG_OK && out->is_of_solids) {
        out->is_only_of_solids = true;
        out->view = view_of_solid(out->of_solid);
    } else if (result != CDG_OK) {
        return cdg_fail(error, result, "%s", cause.message);
    }
    out->is_set = true;
    if (out->view.component == CDG_VIEW_ALL) out->view = cdg_view_of(out->view.field, CDG_VIEW_LENGTH);
    return CDG_OK;
}

cdg_result cdg_rod_field_check(const cdg_rod_field *field, const cdg_run_reader *reader, cdg_error *error) {
    if (!field->is_set || (cdg_rod_field_is_of_rods(field) && reader->rod_count > 0)) return CDG_OK;
    if (field->is_of_solids && reader->solid_count > 0) return CDG_OK;
    if (reader->rod_count > 0)
        return cdg_fail(error, CDG_ERROR_ARGUMENT,
                        "--color %s: the run has no solids, which this is of; of rods take tension, curvature, twist",
                        field->view.name);
    return cdg_fail(error, CDG_ERROR_ARGUMENT,
                    "--color %s: the run has no rods, which this is of; of solids take stress, strain or speed",
                    field->view.name);
}

cdg_result cdg_rod_field_read_solid(const cdg_rod_field *field, const cdg_run_reader *reader, size_t frame,
                                    size_t solid, double *scratch, double *out, cdg_error *error) {
    cdg_solid_field_info info = cdg_solid_field_get(field->of_solid);
    cdg_result result = cdg_run_reader_solid(reader, frame, solid, field->of_solid, scratch, error);
    if (result != CDG_OK) return result;
    for (size_t i = 0; i < cdg_rod_field_solid_entries(field, &reader->solids[solid]); i++) {
        const double *v = scratch + i * info.component_count;
        double value = field->of_solid_component >= 0 ? v[field->of_solid_component]
                                                      : sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
        out[i] = info.scale * value;
        if (!isfinite(out[i]))
            return cdg_fail(error, CDG_ERROR_FORMAT,
                            "%s: %s of solid '%s' at output %zu is not a finite number; the run is damaged, run the "
                            "scene anew",
                            reader->directory, field->view.name, reader->solids[solid].name, frame);
    }
    return CDG_OK;
}

cdg_result cdg_rod_field_read(const cdg_rod_field *field, const cdg_run_reader *reader, size_t frame, size_t rod,
                              double *scratch, double *out, cdg_error *error) {
    const cdg_run_rod *of = &reader->rods[rod];
    cdg_field_info info = cdg_field_get(field->view.field);
    size_t count = cdg_field_entries(&info, of->node_count, of->element_count);
    cdg_result result = cdg_run_reader_read(reader, frame, rod, field->view.field, scratch, error);
    if (result != CDG_OK) return result;
    for (size_t i = 0; i < count; i++) out[i] = field->view.scale * cdg_view_value(&field->view, scratch, i);
    if ((info.traits & CDG_FIELD_INNER) != 0) cdg_view_fill_ends(out, count, 1);
    return CDG_OK;
}
