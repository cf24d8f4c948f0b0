// Obstacles and bodies of an export: their meshes are made once, poses are read when they are needed.
#include "export/solids.h"

#include "base/error.h"
#include "math/quat.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

// The box around the rods at some of the frames: a plane's part must not be too small, exact it need not be.
static cdg_result measure(const cdg_export *export, cdg_vec3 *low, cdg_vec3 *high, cdg_error *error) {
    enum { LOOKS = 32 };
    double *numbers = malloc(cdg_export_largest_field(export) * sizeof *numbers);
    if (numbers == NULL) return cdg_export_fail_memory(export, error);
    cdg_result result = CDG_OK;
    *low = vec3(INFINITY, INFINITY, INFINITY), *high = vec3(-INFINITY, -INFINITY, -INFINITY);
    for (size_t look = 0; look <= LOOKS; look++) {
        size_t frame = (export->frame_count - 1) * look / LOOKS;
        for (size_t rod = 0; rod < export->reader->rod_count && result == CDG_OK; rod++) {
            result = cdg_export_read(export, frame, rod, CDG_FIELD_positions, numbers, error);
            for (size_t i = 0; i < export->reader->rods[rod].node_count && result == CDG_OK; i++) {
                const double *x = numbers + 3 * i;
                *low = vec3(fmin(low->x, x[0]), fmin(low->y, x[1]), fmin(low->z, x[2]));
                *high = vec3(fmax(high->x, x[0]), fmax(high->y, x[1]), fmax(high->z, x[2]));
            }
        }
    }
    free(numbers);
    return result;
}

static cdg_result find_plane_part(const cdg_export *export, size_t solid, cdg_plane_part *out, cdg_error *error) {
    cdg_vec3 low = {0, 0, 0}, high = low, position;
    cdg_quat orientation;
    cdg_result result = measure(export, &low, &high, error);
    if (result == CDG_OK) result = cdg_export_solid_pose(export, 0, solid, &position, &orientation, error);
    if (result != CDG_OK) return result;
    out->middle = quat_rotate_inverse(orientation, vec3_sub(vec3_lerp(low, high, 0.5), position));
    out->reach = 0.75 * vec3_distance(low, high);
    return CDG_OK;
}

cdg_result cdg_export_solids_make(const cdg_export *export, cdg_export_solids *out, cdg_error *error) {
    size_t count = cdg_run_solid_count(export->reader);
    *out = (cdg_export_solids){.items = calloc(count + 1, sizeof *out->items)};
    if (out->items == NULL) return cdg_export_fail_memory(export, error);
    cdg_result result = CDG_OK;
    for (size_t i = 0; i < count && result == CDG_OK; i++) {
        cdg_run_solid solid = cdg_run_solid_get(export->reader, i);
        cdg_plane_part part = {{0, 0, 0}, 0};
        if (solid.shape.kind == CDG_OBSTACLE_PLANE) result = find_plane_part(export, i, &part, error);
        out->items[i] = (cdg_export_solid){
            .name = solid.shape.name, .is_free = solid.is_free, .is_still = solid.is_still || export->frame_count == 1};
        if (result == CDG_OK) result = cdg_solid_shape_make(&solid.shape, &part, &out->items[i].shape, error);
        if (result == CDG_OK) out->count = i + 1;
    }
    if (result != CDG_OK) cdg_export_solids_free(out);
    return result;
}

void cdg_export_solids_free(cdg_export_solids *solids) {
    for (size_t i = 0; i < solids->count; i++) cdg_solid_shape_free(&solids->items[i].shape);
    free(solids->items);
    *solids = (cdg_export_solids){0};
}

cdg_result cdg_export_solid_pose(const cdg_export *export, size_t frame, size_t solid, cdg_vec3 *position,
                                 cdg_quat *orientation, cdg_error *error) {
    size_t output = cdg_export_output(export, frame);
    cdg_result result = cdg_run_solid_pose(export->reader, output, solid, position, orientation, error);
    if (result != CDG_OK) return result;
    double largest = fmax(fabs(position->x), fmax(fabs(position->y), fabs(position->z)));
    if (largest <= (double)FLT_MAX) return CDG_OK;
    return cdg_fail(error, CDG_ERROR_FORMAT, "%s: '%s' is too far away at output %zu", export->def.run,
                    cdg_run_solid_get(export->reader, solid).shape.name, output);
}

void cdg_export_solid_color(const cdg_export_solid *solid, double out[3]) {
    static const double free_color[3] = {0.68, 0.66, 0.64}, fixed_color[3] = {0.71, 0.72, 0.75};
    memcpy(out, solid->is_free ? free_color : fixed_color, 3 * sizeof *out);
}
