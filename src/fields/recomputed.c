// Strain, curvature and twist from positions and frames alone: for run files that are older than these fields.
#include "fields/recomputed.h"

#include "math/quat.h"

#include <assert.h>

// About d1, d2, d3, 1/m; NaN where the node has not two elements.
static cdg_vec3 darboux(const cdg_recomputed_rod *rod, const cdg_quat *frames, size_t node) {
    bool is_end = !rod->is_closed && (node == 0 || node + 1 == rod->node_count);
    if (is_end || rod->element_count < 2) return vec3(NAN, NAN, NAN);
    size_t left = node > 0 ? node - 1 : rod->element_count - 1, right = node;
    double length = (rod->rest_length[left] + rod->rest_length[right]) / 2;
    return vec3_scale(1 / length, quat_log(quat_relative(frames[left], frames[right])));
}

static cdg_vec3 strain(const cdg_recomputed_rod *rod, const cdg_vec3 *positions, const cdg_quat *frames,
                       size_t element) {
    size_t next = element + 1 < rod->node_count ? element + 1 : 0;
    cdg_vec3 edge = vec3_scale(1 / rod->rest_length[element], vec3_sub(positions[next], positions[element]));
    cdg_vec3 out = quat_rotate_inverse(frames[element], edge);
    return vec3(out.x, out.y, out.z - 1);
}

void cdg_field_recompute(cdg_field field, const cdg_recomputed_rod *rod, const cdg_vec3 *positions,
                         const cdg_quat *frames, double *out) {
    cdg_field_info info = cdg_field_get(field);
    assert((info.traits & CDG_FIELD_LATER) != 0);
    size_t count = cdg_field_entries(&info, rod->node_count, rod->element_count);
    for (size_t i = 0; i < count; i++) {
        cdg_vec3 v = field == CDG_FIELD_strains ? strain(rod, positions, frames, i) : darboux(rod, frames, i);
        double *entry = out + i * info.component_count;
        if (field == CDG_FIELD_strains) entry[0] = v.x, entry[1] = v.y, entry[2] = v.z;
        if (field == CDG_FIELD_curvature) entry[0] = v.x, entry[1] = v.y;
        if (field == CDG_FIELD_twist) entry[0] = v.z;
    }
}
