// A vibration of a rod as a swing about the shape that it vibrates about.
#include "output/mode_view.h"

#include "math/quat.h"

#include <math.h>

double cdg_mode_view_phase(size_t frame) { return cos(6.283185307179586 * (double)frame / (CDG_MODE_VIEW_FRAMES - 1)); }

double cdg_mode_view_factor(const cdg_vec3 *const *shapes, const size_t *node_counts, size_t rod_count,
                            double amplitude) {
    double largest = 0;
    for (size_t r = 0; r < rod_count; r++)
        for (size_t i = 0; i < node_counts[r]; i++) largest = fmax(largest, vec3_norm(shapes[r][i]));
    return largest > 0 ? amplitude / largest : 0;
}

void cdg_mode_view_move(const cdg_vec3 *shape, double factor, size_t node_count, size_t element_count,
                        cdg_vec3 *positions, cdg_quat *frames) {
    for (size_t j = 0; j < element_count && frames != NULL; j++) {
        size_t next = j + 1 < node_count ? j + 1 : 0;
        cdg_vec3 edge = vec3_sub(positions[next], positions[j]), change = vec3_sub(shape[next], shape[j]);
        cdg_vec3 from = vec3_normalize(edge), to = vec3_normalize(vec3_mad(edge, factor, change));
        if (vec3_norm(from) > 0 && vec3_norm(to) > 0 && vec3_dot(from, to) > -0.999)
            frames[j] = quat_normalize(quat_multiply(quat_between(from, to), frames[j]));
    }
    for (size_t i = 0; i < node_count; i++) positions[i] = vec3_mad(positions[i], factor, shape[i]);
}
