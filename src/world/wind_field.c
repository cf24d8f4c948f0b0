// Vortices in the wind (wind_field.h).
#include "world/wind_field.h"

#include <math.h>

static const double alpha = 1.2564312086261697;

static cdg_vec3 around(const cdg_vortex *v, cdg_vec3 position, double time) {
    cdg_vec3 axis = vec3_normalize(v->axis);
    cdg_vec3 from_centre = vec3_sub(position, vec3_mad(v->center, time, v->velocity));
    cdg_vec3 across = vec3_cross(axis, from_centre); // as long as the distance from the line, along the flow
    double ratio = vec3_dot(across, across) / (v->radius * v->radius);
    // (1 - exp(-a s))/s is a at the line
    double share = ratio > 0 ? -expm1(-alpha * ratio) / ratio : alpha;
    return vec3_scale(v->speed / v->radius * (1 + 1 / (2 * alpha)) * share, across);
}

cdg_vec3 cdg_wind_velocity(const cdg_load_def *load, cdg_vec3 position, double time) {
    cdg_vec3 sum = load->value;
    for (size_t k = 0; k < load->vortex_count; k++) sum = vec3_add(sum, around(&load->vortices[k], position, time));
    return sum;
}

bool cdg_wind_moves(const cdg_load_def *load) {
    for (size_t k = 0; k < load->vortex_count; k++)
        if (vec3_norm(load->vortices[k].velocity) > 0) return true;
    return false;
}

double cdg_wind_passing_time(const cdg_load_def *load) {
    double shortest = INFINITY;
    for (size_t k = 0; k < load->vortex_count; k++)
        shortest = fmin(shortest, 2 * load->vortices[k].radius / vec3_norm(load->vortices[k].velocity));
    return shortest;
}

cdg_result cdg_wind_check(const cdg_load_def *load, cdg_error *error) {
    if (load->vortex_count > 0 && load->kind != CDG_LOAD_WIND)
        return cdg_fail(error, CDG_ERROR_ARGUMENT, "only wind has vortices");
    if (load->vortex_count > 0 && load->vortices == NULL)
        return cdg_fail(error, CDG_ERROR_ARGUMENT, "vortex_count is %zu but vortices is NULL", load->vortex_count);
    for (size_t k = 0; k < load->vortex_count; k++) {
        const cdg_vortex *v = &load->vortices[k];
        bool is_finite = vec3_is_finite(v->center) && vec3_is_finite(v->axis) && vec3_is_finite(v->velocity) &&
                         isfinite(v->speed) && isfinite(v->radius);
        if (!is_finite) return cdg_fail(error, CDG_ERROR_ARGUMENT, "vortex %zu is not finite", k + 1);
        if (!(v->radius > 0))
            return cdg_fail(error, CDG_ERROR_ARGUMENT, "the radius of vortex %zu is %g m; it must be positive", k + 1,
                            v->radius);
        if (!(vec3_norm(v->axis) > 0))
            return cdg_fail(error, CDG_ERROR_ARGUMENT, "the axis of vortex %zu has no length", k + 1);
    }
    return CDG_OK;
}
