// Fibres between guides: each guide carries a copy of the fibre rigidly with its sections, and the fibre is the
// weighted mean of the copies. One guide gives the wisp of Sobottka et al. 2008 (their hair tress, experiment 6).
#include "geometry/fibers.h"

#include "base/error.h"

#include <stdlib.h>

// ---- guides ---------------------------------------------------------------------------------------------------------

static cdg_quat between(cdg_quat a, cdg_quat b) {
    double sign = quat_dot(a, b) < 0 ? -1 : 1;
    return quat_normalize(quat(a.w + sign * b.w, a.x + sign * b.x, a.y + sign * b.y, a.z + sign * b.z));
}

void cdg_guide_set(const cdg_vec3 *positions, const cdg_quat *frames, size_t node_count, cdg_guide_node *out) {
    size_t last = node_count - 1;
    for (size_t i = 0; i < node_count; i++) {
        cdg_quat frame = frames[i == 0 ? 0 : i - 1];
        if (i > 0 && i < last)
            frame = between(frame, frames[i]);
        else if (last > 1) // as far beyond the first and the last element as their neighbours are on the other side
            frame = i == 0 ? quat_multiply(
                                 frame, quat_conjugate(between(quat_identity(), quat_relative(frames[0], frames[1]))))
                           : quat_multiply(frame, between(quat_identity(), quat_relative(frames[i - 2], frame)));
        out[i] = (cdg_guide_node){positions[i], mat3_from_quat(frame)};
    }
}

void cdg_guide_set_rates(const cdg_guide_node *guide, const cdg_quat *frames, const cdg_vec3 *velocities,
                         const cdg_vec3 *angular_velocities, size_t node_count, cdg_guide_node *out) {
    cdg_vec3 before = vec3(0, 0, 0);
    for (size_t i = 0; i < node_count; i++) {
        bool has_next = i + 1 < node_count;
        cdg_vec3 after = has_next ? quat_rotate(frames[i], angular_velocities[i]) : before;
        cdg_vec3 spin = i == 0 ? after : vec3_scale(0.5, vec3_add(before, after));
        out[i] = (cdg_guide_node){velocities[i], mat3_multiply(mat3_cross(spin), guide[i].axes)};
        before = after;
    }
}

// ---- one fibre ------------------------------------------------------------------------------------------------------

// Elements of which at least a part is left; a hair more than a whole number is rounding.
static size_t element_count(const cdg_fibers *fibers, size_t fiber) {
    size_t all = fibers->node_count - 1;
    double wanted = ceil(fibers->lengths[fiber] * (double)all - 1e-6);
    return wanted < 1 ? 1 : wanted >= (double)all ? all : (size_t)wanted;
}

size_t cdg_fiber_node_count(const cdg_fibers *fibers, size_t fiber) {
    if (fibers == NULL || fibers->lengths == NULL || fiber >= fibers->fiber_count || fibers->node_count < 2) return 0;
    return element_count(fibers, fiber) + 1;
}

double cdg_fiber_last_share(const cdg_fibers *fibers, size_t fiber) {
    double share = fibers->lengths[fiber] * (double)(fibers->node_count - 1) - (double)element_count(fibers, fiber) + 1;
    return fmin(fmax(share, 1e-3), 1);
}

void cdg_fiber_root(const cdg_fibers *fibers, size_t fiber, const cdg_guide_node *guides,
                    cdg_vec3 out[CDG_FIBER_GUIDES]) {
    for (int k = 0; k < CDG_FIBER_GUIDES; k++) {
        const cdg_guide_node *first = guides + fibers->guides[fiber][k] * fibers->node_count;
        mat3 inverse = mat3_transpose(first->axes);
        out[k] = mat3_apply(&inverse, vec3_sub(fibers->roots[fiber], first->position));
    }
}

void cdg_fiber_place(const cdg_fibers *fibers, size_t fiber, const cdg_vec3 root[CDG_FIBER_GUIDES],
                     const cdg_guide_node *guides, cdg_vec3 *out) {
    size_t nodes = cdg_fiber_node_count(fibers, fiber);
    const cdg_vec3 *offsets = fibers->offsets + fiber * fibers->node_count;
    bool is_first = true;
    for (int k = 0; k < CDG_FIBER_GUIDES; k++) {
        double weight = fibers->weights[fiber][k];
        if (weight == 0) continue;
        const cdg_guide_node *guide = guides + fibers->guides[fiber][k] * fibers->node_count;
        for (size_t i = 0; i < nodes; i++) {
            cdg_vec3 away = vec3_mad(offsets[i], fibers->spread[i], root[k]);
            cdg_vec3 position = vec3_add(guide[i].position, mat3_apply(&guide[i].axes, away));
            out[i] = is_first ? vec3_scale(weight, position) : vec3_mad(out[i], weight, position);
        }
        is_first = false;
    }
    double share = cdg_fiber_last_share(fibers, fiber);
    if (share < 1) out[nodes - 1] = vec3_lerp(out[nodes - 2], out[nodes - 1], share);
}

// ---- all of them ----------------------------------------------------------------------------------------------------

struct cdg_fiber_placer {
    const cdg_fibers *fibers;
    cdg_vec3 (*roots)[CDG_FIBER_GUIDES]; // fiber_count
    cdg_guide_node *guides;              // guide_count * node_count
};

void cdg_fiber_placer_move(cdg_fiber_placer *placer, const cdg_vec3 *const *positions, const cdg_quat *const *frames) {
    if (placer == NULL || positions == NULL || frames == NULL) return;
    for (size_t g = 0; g < placer->fibers->guide_count; g++)
        if (positions[g] == NULL || frames[g] == NULL) return;
    size_t nodes = placer->fibers->node_count;
    for (size_t g = 0; g < placer->fibers->guide_count; g++)
        cdg_guide_set(positions[g], frames[g], nodes, placer->guides + g * nodes);
}

cdg_result cdg_fiber_placer_create(const cdg_fibers *fibers, const cdg_vec3 *const *positions,
                                   const cdg_quat *const *frames, cdg_fiber_placer **out, cdg_error *error) {
    if (out != NULL) *out = NULL;
    if (fibers == NULL) return cdg_fail_null(error, "fibers");
    if (positions == NULL) return cdg_fail_null(error, "positions");
    if (frames == NULL) return cdg_fail_null(error, "frames");
    if (out == NULL) return cdg_fail_null(error, "out");
    if (fibers->fiber_count > 0 && (fibers->guides == NULL || fibers->weights == NULL || fibers->roots == NULL ||
                                    fibers->lengths == NULL || fibers->spread == NULL || fibers->offsets == NULL))
        return cdg_fail_null(error, "an array of the fibres");
    for (size_t g = 0; g < fibers->guide_count; g++)
        if (positions[g] == NULL || frames[g] == NULL) return cdg_fail_null(error, "a guide's array");
    if (fibers->node_count < 2) return cdg_fail(error, CDG_ERROR_ARGUMENT, "a guide of fibres needs at least 2 nodes");
    for (size_t f = 0; f < fibers->fiber_count; f++)
        for (int k = 0; k < CDG_FIBER_GUIDES; k++)
            if (fibers->guides[f][k] >= fibers->guide_count)
                return cdg_fail(error, CDG_ERROR_ARGUMENT, "fibre %zu follows guide %u, but there are only %zu", f,
                                (unsigned)fibers->guides[f][k], fibers->guide_count);
    cdg_fiber_placer *placer = calloc(1, sizeof *placer);
    if (placer != NULL) {
        placer->fibers = fibers;
        placer->roots = calloc(fibers->fiber_count + 1, sizeof *placer->roots);
        placer->guides = calloc(fibers->guide_count * fibers->node_count + 1, sizeof *placer->guides);
    }
    if (placer == NULL || placer->roots == NULL || placer->guides == NULL) {
        cdg_fiber_placer_destroy(placer);
        return cdg_fail(error, CDG_ERROR_MEMORY, "no memory for %zu fibres", fibers->fiber_count);
    }
    cdg_fiber_placer_move(placer, positions, frames);
    for (size_t f = 0; f < fibers->fiber_count; f++) cdg_fiber_root(fibers, f, placer->guides, placer->roots[f]);
    *out = placer;
    return CDG_OK;
}

void cdg_fiber_placer_destroy(cdg_fiber_placer *placer) {
    if (placer == NULL) return;
    free(placer->roots);
    free(placer->guides);
    free(placer);
}

void cdg_fiber_placer_read(const cdg_fiber_placer *placer, size_t fiber, cdg_vec3 *out) {
    if (placer == NULL || out == NULL || fiber >= placer->fibers->fiber_count) return;
    cdg_fiber_place(placer->fibers, fiber, placer->roots[fiber], placer->guides, out);
}
