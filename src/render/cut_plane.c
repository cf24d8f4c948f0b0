// A plane that cuts a mesh open.
#include "render/cut_plane.h"

#include "base/error.h"
#include "math/vec3.h"
#include "scene/units.h"

#include <stdlib.h>
#include <string.h>

// "x" or "-x"; moves behind it.
static bool parse_axis(const char **text, cdg_vec3 *out) {
    const char *at = *text;
    double sign = *at == '-' ? -1 : 1;
    if (*at == '-' || *at == '+') at++;
    if (*at < 'x' || *at > 'z') return false;
    *out = vec3(*at == 'x' ? sign : 0, *at == 'y' ? sign : 0, *at == 'z' ? sign : 0);
    *text = at + 1;
    return true;
}

static bool parse_direction(const char **text, cdg_vec3 *out) {
    double value[3];
    const char *at = *text;
    for (int k = 0; k < 3; k++) {
        char *end;
        value[k] = strtod(at, &end);
        if (end == at || !isfinite(value[k]) || (k < 2 && *end != ',')) return false;
        at = end + (k < 2);
    }
    double norm = vec3_norm(vec3(value[0], value[1], value[2]));
    if (!(norm > 1e-150 && norm < 1e150)) return false;
    *out = vec3_scale(1 / norm, vec3(value[0], value[1], value[2]));
    *text = at;
    return true;
}

static bool parse_offset(const char *text, double *out) {
    cdg_measure measure;
    cdg_error error;
    if (cdg_measure_parse(text, strlen(text), &measure, &error) != CDG_OK || !cdg_measure_fits(&measure, CDG_LENGTH))
        return false;
    *out = measure.value;
    return isfinite(measure.value);
}

cdg_result cdg_cut_plane_parse(const char *text, cdg_cut_plane *out, cdg_error *error) {
    const char *at = text;
    *out = (cdg_cut_plane){.has_offset = false};
    bool is_good = parse_axis(&at, &out->normal) || parse_direction(&at, &out->normal);
    if (is_good && *at == '=') {
        out->has_offset = true;
        is_good = parse_offset(at + 1, &out->offset);
    } else if (is_good) {
        is_good = *at == '\0';
    }
    if (is_good) return CDG_OK;
    return cdg_fail(error, CDG_ERROR_ARGUMENT,
                    "--cut is a plane such as x, -y, z=2cm, 1,1,0 or 1,1,0=2cm (the side that its direction points to "
                    "is taken away), not '%s'",
                    text);
}

bool cdg_cut_plane_removes(const cdg_cut_plane *plane, cdg_vec3 middle, cdg_vec3 point) {
    double offset = plane->has_offset ? plane->offset : vec3_dot(plane->normal, middle);
    return vec3_dot(plane->normal, point) > offset;
}
