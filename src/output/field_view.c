// From the name that a user types to numbers of a stored field.
#include "output/field_view.h"

#include "base/error.h"
#include "scene/suggest.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// Names beside those of the fields.
static const struct named_view {
    const char *name, *label;
    cdg_field field;
    int component;
    double scale;
    const char *shown; // NULL: the field's unit
} named[] = {
    {"speed", "speed", CDG_FIELD_velocities, CDG_VIEW_LENGTH, 1, NULL},
    {"strain", "axial strain", CDG_FIELD_strains, 2, 100, "%"},
};
enum { NAMED_COUNT = sizeof named / sizeof *named };

cdg_view cdg_view_of(cdg_field field, int component) {
    cdg_field_info info = cdg_field_get(field);
    cdg_view view = {.field = field,
                     .component = component,
                     .unit = info.units,
                     .scale = 1,
                     .shown = info.units,
                     .is_signed = component != CDG_VIEW_LENGTH};
    if (component < 0 || info.component_count == 1) {
        snprintf(view.name, sizeof view.name, "%s", info.name);
        snprintf(view.label, sizeof view.label, "%s", info.label);
    } else {
        char letter = cdg_field_letters(&info)[component];
        snprintf(view.name, sizeof view.name, "%s.%c", info.name, letter);
        snprintf(view.label, sizeof view.label, "%s %c", info.label, letter);
    }
    return view;
}

static cdg_view view_named(const struct named_view *from) {
    cdg_view view = cdg_view_of(from->field, from->component);
    snprintf(view.name, sizeof view.name, "%s", from->name);
    snprintf(view.label, sizeof view.label, "%s", from->label);
    view.scale = from->scale;
    if (from->shown != NULL) view.shown = from->shown;
    return view;
}

static cdg_result refuse(const char *name, size_t length, const char *also, cdg_error *error) {
    char list[400] = "";
    size_t used = 0;
    word_search search = cdg_suggest_begin(name, length);
    for (int i = 0; i < CDG_FIELD_COUNT + NAMED_COUNT; i++) {
        const char *candidate =
            i < CDG_FIELD_COUNT ? cdg_field_get((cdg_field)i).name : named[i - CDG_FIELD_COUNT].name;
        cdg_suggest_offer(&search, candidate);
        used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", i > 0 ? ", " : "", candidate);
    }
    if (also != NULL) snprintf(list + used, sizeof list - used, ", %s", also);
    return cdg_fail(error, CDG_ERROR_ARGUMENT, "a rod has no field '%.*s'%s%s%s: %s", (int)(length < 80 ? length : 80),
                    name, search.best != NULL ? "; did you mean '" : "", search.best != NULL ? search.best : "",
                    search.best != NULL ? "'? There are" : "; there are", list);
}

static cdg_result refuse_component(const char *text, const char *name, const char *letters, cdg_error *error) {
    char list[200] = "";
    for (size_t i = 0, used = 0; letters[i] != '\0'; i++)
        used += (size_t)snprintf(list + used, sizeof list - used, "%s%s.%c", i > 0 ? ", " : "", name, letters[i]);
    if (letters[0] == '\0')
        return cdg_fail(error, CDG_ERROR_ARGUMENT, "'%.80s': %s is one number and has no components", text, name);
    return cdg_fail(error, CDG_ERROR_ARGUMENT, "'%.80s': the components of %s are %s", text, name, list);
}

// A letter or a number from 1; -1: neither.
static int find_component(const char *letters, const char *wanted) {
    if (wanted[0] == '\0' || wanted[1] != '\0') return -1;
    const char *found = strchr(letters, wanted[0]);
    if (found != NULL) return (int)(found - letters);
    int number = wanted[0] - '1';
    return number >= 0 && number < (int)strlen(letters) ? number : -1;
}

static bool is_name(const char *name, const char *text, size_t length) {
    return strlen(name) == length && strncmp(name, text, length) == 0;
}

cdg_result cdg_view_parse(const char *text, const char *also, cdg_view *out, cdg_error *error) {
    size_t length = strcspn(text, ".");
    const char *wanted = text[length] == '.' ? text + length + 1 : NULL;
    for (size_t i = 0; i < NAMED_COUNT; i++) {
        if (!is_name(named[i].name, text, length)) continue;
        if (wanted != NULL) return refuse_component(text, named[i].name, "", error);
        *out = view_named(&named[i]);
        return CDG_OK;
    }
    for (int i = 0; i < CDG_FIELD_COUNT; i++) {
        cdg_field_info info = cdg_field_get((cdg_field)i);
        if (!is_name(info.name, text, length)) continue;
        const char *letters = cdg_field_letters(&info);
        int component = info.component_count == 1               ? 0
                        : (info.traits & CDG_FIELD_LENGTH) != 0 ? CDG_VIEW_LENGTH
                                                                : CDG_VIEW_ALL;
        if (wanted != NULL) {
            component = find_component(letters, wanted);
            if (component < 0) return refuse_component(text, info.name, letters, error);
        }
        *out = cdg_view_of((cdg_field)i, component);
        return CDG_OK;
    }
    return refuse(text, length, also, error);
}

double cdg_view_value(const cdg_view *view, const double *numbers, size_t entry) {
    size_t width = cdg_field_get(view->field).component_count;
    const double *v = numbers + entry * width;
    if (view->component >= 0) return v[view->component];
    double sum = 0;
    for (size_t k = 0; k < width; k++) sum += v[k] * v[k];
    return sqrt(sum);
}

void cdg_view_fill_ends(double *values, size_t count, size_t width) {
    for (size_t k = 0; k < width && count > 0; k++) {
        double *first = values + k, *last = values + (count - 1) * width + k;
        if (isnan(*first)) *first = count > 1 ? values[width + k] : 0;
        if (isnan(*last)) *last = count > 1 ? last[-(ptrdiff_t)width] : 0;
        if (isnan(*first)) *first = isnan(*last) ? 0 : *last; // a rod of one element
        if (isnan(*last)) *last = *first;
    }
}
