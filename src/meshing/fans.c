// Counting fans: at each point, triangles are joined when they share another point; runs of more than two branch.
#include "meshing/fans.h"

#include <stdlib.h>

typedef struct spoke { // an edge from the point in question to `other`, of one of its triangles
    uint32_t other, triangle;
} spoke;

static int compare_spokes(const void *a, const void *b) {
    const spoke *x = a, *y = b;
    if (x->other != y->other) return x->other < y->other ? -1 : 1;
    return (x->triangle > y->triangle) - (x->triangle < y->triangle);
}

static uint32_t find_root(uint32_t *parent, uint32_t at) {
    while (parent[at] != at) at = parent[at] = parent[parent[at]];
    return at;
}

// `spokes`: two for each of `count` triangles, which are numbered from 0; `parent` has `count` entries.
static void count_at_point(uint32_t point, spoke *spokes, uint32_t count, uint32_t *parent, cdg_fans *out) {
    qsort(spokes, 2 * (size_t)count, sizeof *spokes, compare_spokes);
    uint32_t fans = count;
    for (uint32_t i = 0; i < count; i++) parent[i] = i;
    for (size_t i = 0, end; i < 2 * (size_t)count; i = end) {
        for (end = i + 1; end < 2 * (size_t)count && spokes[end].other == spokes[i].other; end++) {
            uint32_t a = find_root(parent, spokes[i].triangle), b = find_root(parent, spokes[end].triangle);
            if (a != b) {
                parent[b] = a;
                fans--;
            }
        }
        if (end - i > 2 && spokes[i].other > point) out->branching[point]++;
    }
    out->fan_count[point] = fans;
    out->branching_total += out->branching[point];
    if (fans > 1) out->pinched_total++;
}

bool cdg_fans_count(const uint32_t (*triangles)[3], size_t triangle_count, size_t point_count, cdg_patience *patience,
                    cdg_fans *out) {
    out->branching_total = out->pinched_total = 0;
    size_t *start = calloc(point_count + 2, sizeof *start);
    spoke *spokes = malloc((6 * triangle_count + 1) * sizeof *spokes);
    uint32_t *parent = malloc((3 * triangle_count + 1) * sizeof *parent);
    bool goes_on = start != NULL && spokes != NULL && parent != NULL;
    for (size_t i = 0; goes_on && i < 3 * triangle_count; i++) start[triangles[i / 3][i % 3] + 2]++;
    for (size_t p = 0; goes_on && p < point_count; p++) start[p + 2] += start[p + 1];
    for (size_t i = 0; goes_on && i < 3 * triangle_count; i++) {
        goes_on = cdg_patience_lasts_at(patience, i);
        const uint32_t *corners = triangles[i / 3];
        size_t at = start[corners[i % 3] + 1]++;
        spokes[2 * at] = (spoke){corners[(i + 1) % 3], (uint32_t)at}; // numbered within its point below
        spokes[2 * at + 1] = (spoke){corners[(i + 2) % 3], (uint32_t)at};
    }
    for (size_t p = 0; goes_on && p < point_count; p++) {
        goes_on = cdg_patience_lasts_at(patience, p);
        out->fan_count[p] = out->branching[p] = 0;
        size_t count = start[p + 1] - start[p];
        for (size_t i = 2 * start[p]; i < 2 * start[p + 1]; i++) spokes[i].triangle -= (uint32_t)start[p];
        if (count > 0) count_at_point((uint32_t)p, spokes + 2 * start[p], (uint32_t)count, parent, out);
    }
    free(start);
    free(spokes);
    free(parent);
    return goes_on;
}
