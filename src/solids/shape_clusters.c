// Clusters by distances along edges, so that fingers that are near each other in space are not glued together: seeds by
// farthest points, two rounds of moving each to the middle of its cell (Lloyd's method), then growth.
#include "solids/shape_clusters.h"

#include <stdlib.h>

// ---- distances along edges (Dijkstra's method) ----------------------------------------------------------------------

typedef struct reach {
    double distance;
    uint32_t node;
} reach;

typedef struct search {
    const cdg_solid *solid;
    double *distance; // node_count, m
    uint32_t *cell;   // node_count: whose seed is nearest
    reach *heap;      // a node is in it once for every time that it came nearer
    size_t count, capacity;
    bool has_failed;
} search;

static void push(search *s, double distance, uint32_t node) {
    if (s->count == s->capacity) {
        size_t capacity = 2 * s->capacity + 64;
        reach *grown = realloc(s->heap, capacity * sizeof *grown);
        if (grown == NULL) {
            s->has_failed = true;
            return;
        }
        s->heap = grown;
        s->capacity = capacity;
    }
    size_t at = s->count++;
    while (at > 0 && s->heap[(at - 1) / 2].distance > distance) {
        s->heap[at] = s->heap[(at - 1) / 2];
        at = (at - 1) / 2;
    }
    s->heap[at] = (reach){distance, node};
}

static reach pop(search *s) {
    reach top = s->heap[0], last = s->heap[--s->count];
    size_t at = 0;
    for (;;) {
        size_t child = 2 * at + 1;
        if (child >= s->count) break;
        if (child + 1 < s->count && s->heap[child + 1].distance < s->heap[child].distance) child++;
        if (!(s->heap[child].distance < last.distance)) break;
        s->heap[at] = s->heap[child];
        at = child;
    }
    if (s->count > 0) s->heap[at] = last;
    return top;
}

static void offer(search *s, uint32_t node, double distance, uint32_t cell) {
    if (!(distance < s->distance[node])) return;
    s->distance[node] = distance;
    s->cell[node] = cell;
    push(s, distance, node);
}

// From what was offered, until nothing within `limit` comes nearer.
static void spread(search *s, double limit) {
    const cdg_solid *solid = s->solid;
    while (s->count > 0 && !s->has_failed) {
        reach top = pop(s);
        if (top.distance > s->distance[top.node]) continue;
        cdg_vec3 here = solid_vec3(solid->rest, top.node);
        for (uint32_t u = solid->first_use[top.node]; u < solid->first_use[top.node + 1]; u++)
            for (int c = 0; c < 4; c++) {
                uint32_t other = solid->tetrahedra[solid->use[u] >> 2][c];
                double distance = top.distance + vec3_distance(here, solid_vec3(solid->rest, other));
                if (other != top.node && distance <= limit) offer(s, other, distance, s->cell[top.node]);
            }
    }
}

static void forget(search *s) {
    for (size_t i = 0; i < s->solid->node_count; i++) s->distance[i] = INFINITY, s->cell[i] = UINT32_MAX;
    s->count = 0;
}

// ---- seeds ----------------------------------------------------------------------------------------------------------

static uint32_t farthest(const search *s) {
    uint32_t best = 0;
    for (size_t i = 1; i < s->solid->node_count; i++)
        if (s->distance[i] > s->distance[best]) best = (uint32_t)i;
    return best;
}

static size_t choose_seeds(search *s, size_t wanted, uint32_t *seeds) {
    const cdg_solid *solid = s->solid;
    size_t count = 0;
    forget(s);
    offer(s, 0, 0, 0); // the first is what is farthest from any node
    spread(s, INFINITY);
    uint32_t next = farthest(s);
    forget(s);
    while (count < solid->node_count && !s->has_failed && (count < wanted || isinf(s->distance[next]))) {
        seeds[count] = next;
        offer(s, next, 0, (uint32_t)count++);
        spread(s, INFINITY);
        next = farthest(s);
        if (s->distance[next] == 0) break; // every node is one
    }
    return count;
}

// Seeds move to the nodes nearest to the middles of their cells, and cells are found anew.
static void center_seeds(search *s, size_t count, uint32_t *seeds, double *middle) {
    const cdg_solid *solid = s->solid;
    for (size_t k = 0; k < 4 * count; k++) middle[k] = 0;
    for (size_t i = 0; i < solid->node_count; i++) {
        double *sum = middle + 4 * (size_t)s->cell[i];
        sum[3] += solid->mass[i];
        for (int k = 0; k < 3; k++) sum[k] += solid->mass[i] * solid->rest[k][i];
    }
    for (size_t c = 0; c < count; c++) { // now the distance of the best node so far is the fourth
        for (int k = 0; k < 3; k++) middle[4 * c + (size_t)k] /= middle[4 * c + 3];
        middle[4 * c + 3] = INFINITY;
    }
    for (size_t i = 0; i < solid->node_count; i++) {
        double *at = middle + 4 * (size_t)s->cell[i];
        double distance = vec3_distance(solid_vec3(solid->rest, i), vec3(at[0], at[1], at[2]));
        if (distance < at[3]) at[3] = distance, seeds[s->cell[i]] = (uint32_t)i;
    }
    forget(s);
    for (size_t c = 0; c < count; c++) offer(s, seeds[c], 0, (uint32_t)c);
    spread(s, INFINITY);
}

// ---- growth ---------------------------------------------------------------------------------------------------------

static double mean_radius(const search *s, const uint32_t *cells, uint32_t cell) {
    double sum = 0, count = 0;
    for (size_t i = 0; i < s->solid->node_count; i++)
        if (cells[i] == cell) sum += s->distance[i], count++;
    return sum / count;
}

// One ring of edges around the cell, then as far as `width`.
static void grow_cell(search *s, const uint32_t *cells, uint32_t cell, double width) {
    const cdg_solid *solid = s->solid;
    forget(s);
    for (size_t i = 0; i < solid->node_count; i++) {
        if (cells[i] != cell) continue;
        offer(s, (uint32_t)i, 0, cell);
        for (uint32_t u = solid->first_use[i]; u < solid->first_use[i + 1]; u++)
            for (int c = 0; c < 4; c++) s->cell[solid->tetrahedra[solid->use[u] >> 2][c]] = cell;
    }
    spread(s, width);
}

static bool append(const search *s, uint32_t cell, shape_clusters *out, size_t *capacity) {
    size_t used = out->first[out->count], added = 0;
    for (size_t i = 0; i < s->solid->node_count; i++) added += s->cell[i] == cell;
    if (used + added > *capacity) {
        *capacity = 2 * (used + added);
        uint32_t *grown = realloc(out->node, *capacity * sizeof *grown);
        if (grown == NULL) return false;
        out->node = grown;
    }
    for (size_t i = 0; i < s->solid->node_count; i++)
        if (s->cell[i] == cell) out->node[used++] = (uint32_t)i;
    out->first[++out->count] = (uint32_t)used;
    return true;
}

void cdg_shape_clusters_free(shape_clusters *clusters) {
    free(clusters->first);
    free(clusters->node);
    *clusters = (shape_clusters){0};
}

static bool grow_cells(search *s, const uint32_t *seeds, size_t count, double overlap, uint32_t *cells, double *radius,
                       shape_clusters *out) {
    size_t capacity = 0;
    (void)seeds;
    for (size_t i = 0; i < s->solid->node_count; i++) cells[i] = s->cell[i];
    for (size_t c = 0; c < count; c++) radius[c] = mean_radius(s, cells, (uint32_t)c);
    for (size_t c = 0; c < count; c++) {
        // the mean distance from the middle of a ball is 3/4 of its radius, 3/8 of its size
        grow_cell(s, cells, (uint32_t)c, overlap * radius[c] / 0.375);
        if (s->has_failed || !append(s, (uint32_t)c, out, &capacity)) return false;
    }
    return true;
}

bool cdg_shape_clusters_choose(const cdg_solid *solid, size_t wanted, double overlap, shape_clusters *out) {
    size_t n = solid->node_count;
    *out = (shape_clusters){0};
    search s = {.solid = solid, .distance = malloc(n * sizeof(double)), .cell = malloc(n * sizeof(uint32_t))};
    uint32_t *seeds = malloc(n * sizeof *seeds), *cells = malloc(n * sizeof *cells);
    double *middle = malloc(4 * n * sizeof *middle);
    out->first = calloc(n + 1, sizeof *out->first);
    bool is_good =
        s.distance != NULL && s.cell != NULL && seeds != NULL && cells != NULL && middle != NULL && out->first != NULL;
    if (is_good) {
        size_t count = choose_seeds(&s, wanted > n ? n : wanted, seeds);
        for (int round = 0; round < 2 && !s.has_failed; round++) center_seeds(&s, count, seeds, middle);
        is_good = !s.has_failed && grow_cells(&s, seeds, count, overlap, cells, middle, out);
    }
    free(s.distance), free(s.cell), free(s.heap), free(seeds), free(cells), free(middle);
    if (!is_good) cdg_shape_clusters_free(out);
    return is_good;
}
