// Pressure that is averaged over nodes (nodal_pressure.h).
#include "solids/nodal_pressure.h"

#include "base/parallel.h"
#include "solids/solid_model.h"

#include <stdlib.h>
#include <string.h>

enum { GROUPS_AT_ONCE = 64, NODES_AT_ONCE = 256 };

static size_t pieces_of(size_t count, size_t at_once) { return (count + at_once - 1) / at_once; }
static size_t end_of(size_t begin, size_t at_once, size_t count) {
    return begin + at_once < count ? begin + at_once : count;
}

void cdg_nodal_pressure_divide(cdg_solid *s) {
    bool is_averaged = s->def.pressure == CDG_SOLID_PRESSURE_AVERAGED ||
                       (s->def.pressure == CDG_SOLID_PRESSURE_AUTO && s->def.poisson_ratio > CDG_NODAL_PRESSURE_ABOVE);
    double kept = fmin(s->lambda, CDG_NODAL_PRESSURE_KEPT * s->mu);
    if (s->model->curvature == NULL || !is_averaged || !(s->lambda - kept > 0)) return;
    s->bulk = s->lambda - kept;
    s->lambda = kept;
}

// ---- pressure -------------------------------------------------------------------------------------------------------

typedef struct places {
    const cdg_solid *solid;
    double *const *x;
    nodal_slopes *slopes;
} places;

static void slot_volumes(void *user, size_t index, int thread) {
    (void)thread;
    const places *at = user;
    size_t begin = index * GROUPS_AT_ONCE;
    cdg_solid_slot_volumes(at->solid, at->x, begin, end_of(begin, GROUPS_AT_ONCE, at->solid->group_count));
}

static void node_pressures(void *user, size_t index, int thread) {
    (void)thread;
    const cdg_solid *s = ((const places *)user)->solid;
    size_t begin = index * NODES_AT_ONCE, end = end_of(begin, NODES_AT_ONCE, s->node_count);
    for (size_t i = begin; i < end; i++) {
        double sum = 0;
        for (uint32_t u = s->first_use[i]; u < s->first_use[i + 1]; u++) sum += s->slot_volume[s->use[u] >> 2];
        s->node_pressure[i] = s->bulk * (0.25 * sum / s->node_volume[i] - 1);
    }
}

void cdg_nodal_pressure_find(const cdg_solid *s, double *const x[3], int threads) {
    places at = {.solid = s, .x = x};
    cdg_parallel_for(pieces_of(s->group_count, GROUPS_AT_ONCE), threads, slot_volumes, &at);
    cdg_parallel_for(pieces_of(s->node_count, NODES_AT_ONCE), threads, node_pressures, &at);
}

double cdg_nodal_pressure_energy(const cdg_solid *s, double *const x[3]) {
    double sum = 0;
    cdg_nodal_pressure_find(s, x, 1);
    for (size_t i = 0; i < s->node_count; i++) sum += s->node_volume[i] * s->node_pressure[i] * s->node_pressure[i];
    return 0.5 * sum / s->bulk;
}

// ---- slopes ---------------------------------------------------------------------------------------------------------

static int compare(const void *left, const void *right) {
    uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
    return a < b ? -1 : a > b;
}

// Sorts, and leaves one of each; returns how many there are.
static size_t unite(uint32_t *list, size_t count) {
    size_t kept = 0;
    if (count > 1) qsort(list, count, sizeof *list, compare);
    for (size_t k = 0; k < count; k++)
        if (k == 0 || list[k] != list[k - 1]) list[kept++] = list[k];
    return kept;
}

nodal_slopes *cdg_nodal_slopes_build(const cdg_solid *s) {
    nodal_slopes *it = calloc(1, sizeof *it);
    size_t total = 0;
    if (it == NULL) return NULL;
    uint32_t *near = malloc(16 * s->tetrahedron_count * sizeof *near); // as often as they are met: all fit
    it->first = malloc((s->node_count + 1) * sizeof *it->first);
    if (near != NULL && it->first != NULL) {
        it->first[0] = 0;
        for (size_t i = 0; i < s->node_count; i++) {
            size_t count = 0;
            for (uint32_t u = s->first_use[i]; u < s->first_use[i + 1]; u++)
                for (int c = 0; c < 4; c++) near[total + count++] = s->tetrahedra[s->use[u] >> 2][c];
            total += unite(near + total, count);
            it->first[i + 1] = (uint32_t)total;
        }
        it->near = realloc(near, (total + 1) * sizeof *near);
        near = it->near == NULL ? near : NULL;
        it->slope = malloc((3 * total + 1) * sizeof *it->slope);
    }
    free(near);
    if (it->first != NULL && it->near != NULL && it->slope != NULL) return it;
    cdg_nodal_slopes_free(it);
    return NULL;
}

void cdg_nodal_slopes_free(nodal_slopes *it) {
    if (it == NULL) return;
    free(it->first);
    free(it->near);
    free(it->slope);
    free(it);
}

size_t cdg_nodal_slopes_columns(const nodal_slopes *it, size_t node, uint32_t *out) {
    size_t count = 0;
    for (uint32_t e = it->first[node]; e < it->first[node + 1]; e++) {
        uint32_t middle = it->near[e], length = it->first[middle + 1] - it->first[middle];
        memcpy(out + count, it->near + it->first[middle], length * sizeof *out);
        count += length;
    }
    return unite(out, count);
}

size_t cdg_nodal_slopes_most(const nodal_slopes *it, size_t node_count) {
    size_t most = 0;
    for (size_t i = 0; i < node_count; i++) {
        size_t count = 0;
        for (uint32_t e = it->first[i]; e < it->first[i + 1]; e++)
            count += it->first[it->near[e] + 1] - it->first[it->near[e]];
        most = count > most ? count : most;
    }
    return most;
}

static uint32_t find_near(const nodal_slopes *it, size_t node, uint32_t wanted) {
    uint32_t low = it->first[node], high = it->first[node + 1];
    while (high - low > 1) {
        uint32_t middle = (low + high) / 2;
        *(it->near[middle] <= wanted ? &low : &high) = middle;
    }
    return low;
}

const double *cdg_nodal_slope(const nodal_slopes *it, size_t node, size_t neighbour) {
    return it->slope + 3 * (size_t)find_near(it, node, (uint32_t)neighbour);
}

static void node_slopes(void *user, size_t index, int thread) {
    (void)thread;
    const places *at = user;
    const cdg_solid *s = at->solid;
    nodal_slopes *it = at->slopes;
    size_t begin = index * NODES_AT_ONCE, end = end_of(begin, NODES_AT_ONCE, s->node_count);
    for (size_t i = begin; i < end; i++) {
        uint32_t first = it->first[i];
        memset(it->slope + 3 * (size_t)first, 0, 3 * (size_t)(it->first[i + 1] - first) * sizeof *it->slope);
        for (uint32_t u = s->first_use[i]; u < s->first_use[i + 1]; u++) {
            const uint32_t *t = s->tetrahedra[s->use[u] >> 2], c = s->use[u] & 3;
            // a corner's slope is a third of the area of the face opposite it: seen from the corner with the others as
            // they are, in an order that depends on whether it is even or odd
            cdg_vec3 a = solid_vec3(at->x, t[(c + 1) % 4]), b = solid_vec3(at->x, t[(c + 2) % 4]);
            cdg_vec3 d = solid_vec3(at->x, t[(c + 3) % 4]);
            cdg_vec3 slope = vec3_scale((c % 2 == 0 ? -1.0 : 1.0) / 24, vec3_cross(vec3_sub(b, a), vec3_sub(d, a)));
            for (int k = 0; k < 4; k++) {
                double *to = it->slope + 3 * (size_t)find_near(it, i, t[k]);
                to[0] += slope.x, to[1] += slope.y, to[2] += slope.z;
            }
        }
        for (uint32_t e = first; e < it->first[i + 1]; e++)
            for (int k = 0; k < 3; k++)
                it->slope[3 * (size_t)e + (size_t)k] *= sqrt(s->bulk / s->node_volume[it->near[e]]);
    }
}

void cdg_nodal_slopes_find(const cdg_solid *s, nodal_slopes *it, double *const x[3], int threads) {
    places at = {s, x, it};
    cdg_parallel_for(pieces_of(s->node_count, NODES_AT_ONCE), threads, node_slopes, &at);
}

void cdg_nodal_slopes_add(const nodal_slopes *it, size_t row, size_t column, double block[9]) {
    uint32_t a = it->first[row], b = it->first[column];
    while (a < it->first[row + 1] && b < it->first[column + 1]) {
        if (it->near[a] == it->near[b]) {
            const double *left = it->slope + 3 * (size_t)a, *right = it->slope + 3 * (size_t)b;
            for (int c = 0; c < 3; c++)
                for (int r = 0; r < 3; r++) block[3 * c + r] += left[r] * right[c];
            a++, b++;
        } else if (it->near[a] < it->near[b])
            a++;
        else
            b++;
    }
}
