// Fields as numbers at nodes, for colours.
#include "view/colors.h"

#include "base/error.h"

#include <math.h>
#include <string.h>

bool cdg_colors_choose(cdg_colors *colors, const cdg_request *request, cdg_error *error) {
    cdg_field field;
    if (request->field[0] == '\0') return colors->is_set = false, true;
    if (!cdg_field_find(request->field, &field)) {
        (void)cdg_fail(error, CDG_ERROR_ARGUMENT, "there is no field '%s'", request->field);
        return false;
    }
    cdg_field_info info = cdg_field_get(field);
    if (request->component >= (int)info.component_count) {
        (void)cdg_fail(error, CDG_ERROR_ARGUMENT, "field '%s' has %zu components", info.name, info.component_count);
        return false;
    }
    int component = info.component_count == 1                ? 0
                    : request->component == CDG_REQUEST_NORM ? CDG_VIEW_LENGTH
                                                             : request->component;
    colors->view = cdg_view_of(field, component);
    colors->is_set = true;
    return true;
}

void cdg_colors_list(cdg_json *json) {
    cdg_json_begin_array(json, "fields");
    for (cdg_field field = 0; field < CDG_FIELD_COUNT; field++) {
        cdg_field_info info = cdg_field_get(field);
        if (info.axes == CDG_FIELD_QUATERNION) continue;
        cdg_json_begin_object(json, NULL);
        cdg_json_text(json, "name", info.name);
        cdg_json_text(json, "label", info.label);
        cdg_json_text(json, "unit", info.units);
        cdg_json_text(json, "at", info.per == CDG_FIELD_PER_NODE ? "node" : "element");
        cdg_json_integer(json, "components", info.component_count);
        cdg_json_end(json);
    }
    cdg_json_end(json);
}

// A node's number is the mean of its elements'.
static double at_node(const cdg_colors *colors, const double *numbers, size_t elements, bool is_closed, size_t node) {
    bool has_left = is_closed || node > 0, has_right = is_closed || node < elements;
    double left = has_left ? cdg_view_value(&colors->view, numbers, (node + elements - 1) % elements) : 0;
    double right = has_right ? cdg_view_value(&colors->view, numbers, node % elements) : 0;
    return has_left && has_right ? (left + right) / 2 : left + right;
}

void cdg_colors_put(const cdg_colors *colors, const double *numbers, size_t node_count, size_t element_count,
                    bool is_closed, float *out, double *low, double *high) {
    bool is_per_node = cdg_field_get(colors->view.field).per == CDG_FIELD_PER_NODE;
    for (size_t i = 0; i < node_count; i++) {
        double value = is_per_node ? cdg_view_value(&colors->view, numbers, i)
                                   : at_node(colors, numbers, element_count, is_closed, i);
        out[i] = (float)value;
        if (isfinite(value)) *low = fmin(*low, value), *high = fmax(*high, value);
    }
}

void cdg_colors_put_range(cdg_picture_draft *draft, double low, double high) {
    float *range = cdg_draft_block(draft, CDG_BLOCK_RANGE, 2);
    if (range == NULL) return;
    range[0] = low <= high ? (float)low : 0;
    range[1] = low <= high ? (float)high : 0;
}
