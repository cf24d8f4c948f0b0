// Marks of nodes: rings of vertices made dark, one at least for each node.
#include "render/node_marks.h"

#include <math.h>

static const float darkness = 0.12F; // of the colour is left

static void darken(const cdg_skin *skin, size_t station, float *colors) {
    for (size_t i = 3 * station * skin->ring_size; i < 3 * (station + 1) * skin->ring_size; i++) colors[i] *= darkness;
}

void cdg_node_marks_put(const cdg_skin *skin, const double *nodes, size_t node_count, double half_width,
                        float *colors) {
    size_t next = 0; // the first station that is not dark yet
    for (size_t i = 0; i < node_count && next < skin->station_count; i++) {
        size_t nearest = next;
        while (nearest + 1 < skin->station_count &&
               fabs(skin->station[nearest + 1] - nodes[i]) < fabs(skin->station[nearest] - nodes[i]))
            nearest++;
        for (size_t s = next; s < skin->station_count && skin->station[s] <= nodes[i] + half_width; s++) {
            if (skin->station[s] < nodes[i] - half_width && s != nearest) continue;
            darken(skin, s, colors);
            next = s + 1;
        }
        if (next <= nearest) darken(skin, nearest, colors), next = nearest + 1;
    }
}
