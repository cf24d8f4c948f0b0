// Curvature and twist follow from the turn between neighbouring elements over the length between their middles; they
// are those of the shape as it is, not against the rest shape.
#include "render/rod_field.h"

#include "base/error.h"
#include "math/quat.h"

#include <string.h>

static const cdg_rod_field_info fields[] = {
#define CDG_ROD_FIELD_INFO(name, key, unit, is_signed, per_element, text) {key, unit, text, is_signed, per_element},
    CDG_ROD_FIELD_LIST(CDG_ROD_FIELD_INFO)
#undef CDG_ROD_FIELD_INFO
};

cdg_rod_field_info cdg_rod_field_get(cdg_rod_field field) { return fields[field]; }

cdg_result cdg_rod_field_parse(const char *text, cdg_rod_field *out, cdg_error *error) {
    *out = CDG_ROD_FIELD_COUNT;
    if (strcmp(text, "rod") == 0) return CDG_OK;
    for (int i = 0; i < CDG_ROD_FIELD_COUNT; i++)
        if (strcmp(text, fields[i].name) == 0) {
            *out = (cdg_rod_field)i;
            return CDG_OK;
        }
    return cdg_fail(error, CDG_ERROR_ARGUMENT,
                    "--color: there is no '%s'; known are rod, twist, curvature, tension, speed and strain", text);
}

static double turn_rate(cdg_rod_field field, const cdg_run_rod *rod, const cdg_rod_moment *moment, size_t before,
                        size_t after) {
    cdg_vec3 turn = quat_log(quat_relative(moment->frames[before], moment->frames[after]));
    double length = 0.5 * (rod->rest_length[before] + rod->rest_length[after]);
    double amount = field == CDG_ROD_FIELD_TWIST ? turn.z : hypot(turn.x, turn.y);
    return length > 0 ? amount / length : 0;
}

static void measure_turns(cdg_rod_field field, const cdg_run_rod *rod, const cdg_rod_moment *moment, double *out) {
    size_t elements = rod->element_count;
    for (size_t i = 1; i < elements; i++) out[i] = turn_rate(field, rod, moment, i - 1, i);
    if (rod->is_closed) {
        out[0] = turn_rate(field, rod, moment, elements - 1, 0);
    } else { // nothing bends beyond the ends: as beside them
        out[0] = elements > 1 ? out[1] : 0;
        out[elements] = out[elements - 1];
    }
}

void cdg_rod_field_measure(cdg_rod_field field, const cdg_run_rod *rod, const cdg_rod_moment *moment, double *out) {
    switch (field) {
    case CDG_ROD_FIELD_TWIST:
    case CDG_ROD_FIELD_CURVATURE: measure_turns(field, rod, moment, out); return;
    case CDG_ROD_FIELD_TENSION: memcpy(out, moment->tension, rod->element_count * sizeof *out); return;
    case CDG_ROD_FIELD_SPEED:
        for (size_t i = 0; i < rod->node_count; i++) out[i] = vec3_norm(moment->velocities[i]);
        return;
    case CDG_ROD_FIELD_STRAIN:
        for (size_t i = 0; i < rod->element_count; i++) {
            double length = vec3_distance(moment->positions[i], moment->positions[(i + 1) % rod->node_count]);
            out[i] = 100 * (length / rod->rest_length[i] - 1);
        }
        return;
    case CDG_ROD_FIELD_COUNT: return;
    }
}
