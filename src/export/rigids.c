// Obstacles and bodies of an export: their meshes are made once, poses are read when they are needed.
#include "export/rigids.h"

#include "base/error.h"
#include "math/quat.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

static void reach(const double *positions, size_t count, cdg_vec3 *low, cdg_vec3 *high) {
    for (size_t i = 0; i < count; i++) {
        const double *x = positions + 3 * i;
        *low = vec3(fmin(low->x, x[0]), fmin(low->y, x[1]), fmin(low->z, x[2]));
        *high = vec3(fmax(high->x, x[0]), fmax(high->y, x[1]), fmax(high->z, x[2]));
    }
}

// The box around the rods and solids at some of the frames: a plane's part must not be too small, exact it need not be.
static cdg_result measure(const cdg_export *export, cdg_vec3 *low, cdg_vec3 *high, cdg_error *error) {
    enum { LOOKS = 32 };
    size_t room = cdg_export_largest_field(export) + cdg_export_largest_solid_field(export);
    double *numbers = malloc(room * sizeof *numbers);
    if (numbers == NULL) return cdg_export_fail_memory(export, error);
    cdg_result result = CDG_OK;
    *low = vec3(INFINITY, INFINITY, INFINITY), *high = vec3(-INFINITY, -INFINITY, -INFINITY);
    for (size_t look = 0; look <= LOOKS; look++) {
        size_t frame = (export->frame_count - 1) * look / LOOKS;
        for (size_t rod = 0; rod < export->reader->rod_count && result == CDG_OK; rod++) {
            result = cdg_export_read(export, frame, rod, CDG_FIELD_positions, numbers, error);
            if (result == CDG_OK) reach(numbers, export->reader->rods[rod].node_count, low, high);
        }
        for (size_t solid = 0; solid < export->reader->solid_count && result == CDG_OK; solid++) {
            result = cdg_export_read_solid(export, frame, solid, CDG_SOLID_FIELD_positions, numbers, error);
            if (result == CDG_OK) reach(numbers, export->reader->solids[solid].node_count, low, high);
        }
    }
    free(numbers);
    return result;
}

static cdg_result find_plane_part(const cdg_export *export, size_t rigid, cdg_plane_part *out, cdg_error *error) {
    cdg_vec3 low = {0, 0, 0}, high = low, position;
    cdg_quat orientation;
    cdg_result result = measure(export, &low, &high, error);
    if (result == CDG_OK) result = cdg_export_rigid_pose(export, 0, rigid, &position, &orientation, error);
    if (result != CDG_OK) return result;
    out->middle = quat_rotate_inverse(orientation, vec3_sub(vec3_lerp(low, high, 0.5), position));
    out->reach = 0.75 * vec3_distance(low, high);
    return CDG_OK;
}

cdg_result cdg_export_rigids_make(const cdg_export *export, cdg_export_rigids *out, cdg_error *error) {
    size_t count = cdg_run_rigid_count(export->reader);
    *out = (cdg_export_rigids){.items = calloc(count + 1, sizeof *out->items)};
    if (out->items == NULL) return cdg_export_fail_memory(export, error);
    cdg_result result = CDG_OK;
    for (size_t i = 0; i < count && result == CDG_OK; i++) {
        cdg_run_rigid rigid = cdg_run_rigid_get(export->reader, i);
        cdg_plane_part part = {{0, 0, 0}, 0};
        if (rigid.shape.kind == CDG_SHAPE_PLANE) result = find_plane_part(export, i, &part, error);
        out->items[i] = (cdg_export_rigid){
            .name = rigid.name, .is_free = rigid.is_free, .is_still = rigid.is_still || export->frame_count == 1};
        if (result == CDG_OK) result = cdg_shape_surface_make(&rigid.shape, &part, &out->items[i].shape, error);
        if (result == CDG_OK) out->count = i + 1;
    }
    if (result != CDG_OK) cdg_export_rigids_free(out);
    return result;
}

void cdg_export_rigids_free(cdg_export_rigids *rigids) {
    for (size_t i = 0; i < rigids->count; i++) cdg_shape_surface_free(&rigids->items[i].shape);
    free(rigids->items);
    *rigids = (cdg_export_rigids){0};
}

cdg_result cdg_export_rigid_pose(const cdg_export *export, size_t frame, size_t rigid, cdg_vec3 *position,
                                 cdg_quat *orientation, cdg_error *error) {
    size_t output = cdg_export_output(export, frame);
    cdg_result result = cdg_run_rigid_pose(export->reader, output, rigid, position, orientation, error);
    if (result != CDG_OK) return result;
    double largest = fmax(fabs(position->x), fmax(fabs(position->y), fabs(position->z)));
    if (largest <= (double)FLT_MAX) return CDG_OK;
    return cdg_fail(error, CDG_ERROR_FORMAT, "%s: '%s' is too far away at output %zu", export->def.run,
                    cdg_run_rigid_get(export->reader, rigid).name, output);
}
