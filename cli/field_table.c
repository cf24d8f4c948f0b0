#include "field_table.h"

#include "base/error.h"
#include "format.h"
#include "output/field_range.h"

#include <stdio.h>
#include <string.h>

enum { ROWS_MAX = 200, NAME_SIZE = 64 };

static void print_row(const cdg_run_rod *rod, const cdg_view *view, const cdg_field_range *range) {
    char title[160];
    snprintf(title, sizeof title, "%.60s %s [%s]", rod->name, view->name, view->unit);
    printf("            %-32s %12.5g %9.4g m %10s %12.5g %9.4g m %10s %12.5g\n", title, range->least.value,
           range->least.place, format_seconds(range->least.time).text, range->most.value, range->most.place,
           format_seconds(range->most.time).text, range->mean);
}

static void add_extreme(cdg_json *json, const char *name, const cdg_field_extreme *extreme) {
    cdg_json_begin_object(json, name);
    cdg_json_number(json, "value", extreme->value);
    cdg_json_number(json, "time", extreme->time);
    cdg_json_number(json, "along", extreme->place);
    cdg_json_integer(json, "index", extreme->entry);
    cdg_json_end(json);
}

static void add_row(cdg_json *json, const cdg_run_rod *rod, const cdg_view *view, const cdg_field_range *range) {
    cdg_json_begin_object(json, NULL);
    cdg_json_text(json, "rod", rod->name);
    cdg_json_text(json, "field", view->name);
    cdg_json_text(json, "unit", view->unit);
    cdg_json_text(json, "per", cdg_field_get(view->field).per == CDG_FIELD_PER_NODE ? "node" : "element");
    add_extreme(json, "least", &range->least);
    add_extreme(json, "most", &range->most);
    cdg_json_number(json, "mean", range->mean);
    cdg_json_end(json);
}

static cdg_result tell_field(const cdg_run_reader *reader, const cdg_view *view, cdg_json *json, cdg_error *error) {
    for (size_t i = 0; i < reader->rod_count && i < ROWS_MAX; i++) {
        cdg_field_range range;
        cdg_result result = cdg_field_range_find(reader, i, view, &range, error);
        if (result != CDG_OK) return result;
        if (json != NULL) {
            add_row(json, &reader->rods[i], view, &range);
        } else {
            print_row(&reader->rods[i], view, &range);
        }
    }
    if (json == NULL && reader->rod_count > ROWS_MAX)
        printf("            ... and %zu more rods\n", reader->rod_count - ROWS_MAX);
    return CDG_OK;
}

// The next name of a list; false at its end.
static bool next_name(const char **list, char out[NAME_SIZE]) {
    if (**list == '\0') return false;
    size_t length = strcspn(*list, ",");
    snprintf(out, NAME_SIZE, "%.*s", (int)length, *list);
    *list += length + ((*list)[length] == ',');
    return true;
}

static cdg_result parse(const char *name, cdg_view *out, cdg_error *error) {
    cdg_result result = cdg_view_parse(name, NULL, out, error);
    if (result != CDG_OK || out->component != CDG_VIEW_ALL) return result;
    cdg_field_info info = cdg_field_get(out->field);
    return cdg_fail(error, CDG_ERROR_ARGUMENT, "--field: '%s' has several components; choose one, such as '%s.%c'",
                    name, name, cdg_field_letters(&info)[0]);
}

cdg_result tell_fields(const char *directory, const char *fields, cdg_json *json, cdg_error *error) {
    cdg_run_reader *reader = NULL;
    cdg_result result = cdg_run_reader_open(directory, &reader, error);
    if (result != CDG_OK) return result;
    if (json != NULL) cdg_json_begin_array(json, "fields");
    if (json == NULL)
        printf("  fields    %-32s %12s %11s %10s %12s %11s %10s %12s\n", "", "least", "along", "at", "most", "along",
               "at", "mean");
    char name[NAME_SIZE];
    while (result == CDG_OK && next_name(&fields, name)) {
        cdg_view view;
        result = parse(name, &view, error);
        if (result == CDG_OK) result = tell_field(reader, &view, json, error);
    }
    if (json != NULL) cdg_json_end(json);
    cdg_run_reader_close(reader);
    return result;
}
