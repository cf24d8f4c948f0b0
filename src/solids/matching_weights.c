// Building shape matching: clusters in slots, and orthonormal functions of the rest positions under the points'
// weights.
#include "solids/matching_weights.h"
#include "base/error.h"
#include "solids/shape_clusters.h"

#include <stdlib.h>
#include <string.h>

// ---- memory ---------------------------------------------------------------------------------------------------------

static cdg_result check(const cdg_solid *s, cdg_error *error) {
    const cdg_shape_matching_def *d = &s->def.shape_matching;
    if ((int)d->mode < 0 || d->mode >= CDG_MATCHING_MODE_COUNT)
        return cdg_fail(error, CDG_ERROR_ARGUMENT, "solid '%s': there is no mode of shape matching number %d", s->name,
                        (int)d->mode);
    if (!(d->relaxation_time > 0 && isfinite(d->relaxation_time)))
        return cdg_fail(error, CDG_ERROR_ARGUMENT, "solid '%s': the relaxation time is %g s; it must be positive",
                        s->name, d->relaxation_time);
    if (!(d->linear_time >= 0) || !(d->quadratic_time >= 0))
        return cdg_fail(error, CDG_ERROR_ARGUMENT, "solid '%s': times of shape matching cannot be negative", s->name);
    if (!(d->damping_ratio >= 0 && isfinite(d->damping_ratio)))
        return cdg_fail(error, CDG_ERROR_ARGUMENT, "solid '%s': the damping ratio is %g; it cannot be negative",
                        s->name, d->damping_ratio);
    if (!(d->cluster_size >= 0) || !(d->cluster_overlap >= 0))
        return cdg_fail(error, CDG_ERROR_ARGUMENT, "solid '%s': size and overlap of clusters cannot be negative",
                        s->name);
    return CDG_OK;
}

// By number, or as many balls of the size as fill the volume; never so many that a cluster would have few points.
static size_t wanted_clusters(const cdg_solid *s) {
    const cdg_shape_matching_def *d = &s->def.shape_matching;
    double most = fmax(1, (double)s->node_count / 4), count = 1;
    if (d->cluster_count > 0)
        count = (double)d->cluster_count;
    else if (d->cluster_size > 0)
        count = round(s->rest_volume / (3.14159265358979 / 6 * d->cluster_size * d->cluster_size * d->cluster_size));
    return (size_t)fmax(1, fmin(count, fmin(most, (double)s->slot_count)));
}

typedef struct taken_bytes {
    char *base; // NULL: only counted
    size_t used;
} taken_bytes;

static void *take(taken_bytes *next, size_t count, size_t size) {
    void *taken = next->base != NULL ? next->base + next->used : NULL;
    next->used += (count * size + 63) / 64 * 64;
    return taken;
}

static void place_arrays(const cdg_solid *s, cdg_shape_matching *m, taken_bytes *next) {
    size_t n = (s->node_count + SOLID_GROUP - 1) / SOLID_GROUP * SOLID_GROUP, t = m->slot_count;
    m->first_slot = take(next, m->cluster_count + 1, sizeof *m->first_slot);
    m->node = take(next, t, sizeof *m->node);
    m->weight = take(next, t, sizeof(double));
    for (int b = 0; b < m->basis_count; b++) m->basis[b] = take(next, t, sizeof(double));
    for (int k = 0; k < 3; k++) m->move[k] = take(next, t, sizeof(double));
    for (int k = 0; k < 3; k++) m->given[k] = m->is_whole ? m->move[k] : take(next, n, sizeof(double));
    m->mass = take(next, m->cluster_count, sizeof(double));
    m->middle = take(next, m->cluster_count, sizeof *m->middle);
    m->frame = take(next, m->cluster_count, sizeof *m->frame);
    m->goal_free = take(next, n, sizeof(double));
    m->inverse_mass = take(next, n, sizeof(double));
    m->first_use = take(next, s->node_count + 2, sizeof *m->first_use);
    m->use = take(next, t, sizeof *m->use);
    m->was_held = take(next, s->node_count, sizeof *m->was_held);
    m->chunks = take(next, m->chunk_count, sizeof *m->chunks);
    m->partial = take(next, m->chunk_count, sizeof *m->partial);
    m->moves = take(next, m->cluster_count, sizeof *m->moves);
}

void cdg_matching_free(cdg_solid *s) {
    cdg_shape_matching *m = s->own;
    if (m != NULL) free(m->block);
    free(m);
    s->own = NULL;
}

static size_t slots_of(const shape_clusters *clusters, size_t c) {
    return (clusters->first[c + 1] - clusters->first[c] + SOLID_GROUP - 1) / SOLID_GROUP * SOLID_GROUP;
}

static void fill_slots(const cdg_solid *s, cdg_shape_matching *m, const shape_clusters *clusters) {
    uint32_t slot = 0, chunk = 0;
    for (size_t c = 0; c < clusters->count; c++) {
        size_t end = slot + slots_of(clusters, c), last = clusters->first[c + 1] - 1;
        m->first_slot[c] = slot;
        for (uint32_t begin = slot; begin < end; begin += MATCHING_CHUNK) {
            uint32_t stop = begin + MATCHING_CHUNK < end ? begin + MATCHING_CHUNK : (uint32_t)end;
            m->chunks[chunk++] = (matching_chunk){(uint32_t)c, begin, stop};
        }
        for (size_t at = clusters->first[c]; slot < end; at++, slot++) {
            m->node[slot] = clusters->node[at < last ? at : last];
            m->weight[slot] = at <= last ? 1 : 0;
        }
    }
    m->first_slot[clusters->count] = slot;
    for (size_t k = 0; k < m->slot_count; k++)
        if (m->weight[k] > 0) m->first_use[m->node[k] + 2]++;
    for (size_t i = 0; i < s->node_count; i++) m->first_use[i + 2] += m->first_use[i + 1];
    for (size_t k = 0; k < m->slot_count; k++)
        if (m->weight[k] > 0) m->use[m->first_use[m->node[k] + 1]++] = (uint32_t)k;
    for (size_t i = 0; i < s->node_count; i++) m->inverse_mass[i] = 1 / s->mass[i];
}

cdg_result cdg_matching_build(cdg_solid *s, cdg_error *error) {
    cdg_result result = check(s, error);
    if (result != CDG_OK) return result;
    shape_clusters clusters;
    cdg_shape_matching *m = calloc(1, sizeof *m);
    bool is_chosen = cdg_shape_clusters_choose(s, wanted_clusters(s), s->def.shape_matching.cluster_overlap, &clusters);
    s->own = m;
    if (m != NULL && is_chosen) {
        m->basis_count = s->def.shape_matching.mode == CDG_MATCHING_QUADRATIC ? MATCHING_BASIS_MAX : 3;
        m->cluster_count = clusters.count;
        m->is_whole = clusters.count == 1 && clusters.first[1] == s->node_count;
        for (size_t c = 0; c < clusters.count; c++) {
            m->slot_count += slots_of(&clusters, c);
            m->chunk_count += (slots_of(&clusters, c) + MATCHING_CHUNK - 1) / MATCHING_CHUNK;
        }
        taken_bytes next = {0};
        place_arrays(s, m, &next);
        m->block = aligned_alloc(64, next.used);
        if (m->block != NULL) {
            memset(m->block, 0, next.used);
            next = (taken_bytes){.base = m->block};
            place_arrays(s, m, &next);
            fill_slots(s, m, &clusters);
            s->has_history = true; // nothing touched it yet
            cdg_matching_renew_weights(s);
        }
    }
    bool is_good = m != NULL && is_chosen && m->block != NULL;
    cdg_shape_clusters_free(&clusters);
    return is_good ? CDG_OK : CDG_ERROR_MEMORY;
}

// ---- weights --------------------------------------------------------------------------------------------------------

// Held nodes together weigh this much more than the others of their cluster, so that the shape goes where they are.
static const double held_share = 1000;

static void weigh_cluster(const cdg_solid *s, cdg_shape_matching *m, size_t c) {
    double held = 0, loose = 0, mass = 0;
    cdg_vec3 middle = vec3(0, 0, 0);
    uint32_t begin = m->first_slot[c], end = m->first_slot[c + 1];
    for (uint32_t slot = begin; slot < end; slot++) {
        uint32_t i = m->node[slot];
        if (slot > begin && m->weight[slot] == 0) break; // the rest fills up
        m->weight[slot] = s->mass[i] / (m->first_use[i + 1] - m->first_use[i]);
        *(s->is_held[i] ? &held : &loose) += m->weight[slot];
    }
    double more = held > 0 && loose > 0 ? held_share * loose / held : 1;
    for (uint32_t slot = begin; slot < end; slot++) {
        uint32_t i = m->node[slot];
        if (s->is_held[i]) m->weight[slot] *= more;
        mass += m->weight[slot];
        middle = vec3_mad(middle, m->weight[slot], solid_vec3(s->rest, i));
    }
    m->mass[c] = mass;
    m->middle[c] = vec3_scale(1 / mass, middle);
}

// Monomials of position over size about the middle.
static double monomial(int which, cdg_vec3 p) {
    switch (which) {
    case 0: return p.x;
    case 1: return p.y;
    case 2: return p.z;
    case 3: return p.x * p.x;
    case 4: return p.y * p.y;
    case 5: return p.z * p.z;
    case 6: return p.x * p.y;
    case 7: return p.y * p.z;
    default: return p.z * p.x;
    }
}

static double dot(const cdg_shape_matching *m, size_t c, const double *a, const double *b) {
    double sum = 0;
    for (size_t slot = m->first_slot[c]; slot < m->first_slot[c + 1]; slot++)
        sum += m->weight[slot] * a[slot] * (b != NULL ? b[slot] : 1);
    return sum;
}

static void take_off(const cdg_shape_matching *m, size_t c, double *from, double share, const double *what) {
    for (size_t slot = m->first_slot[c]; slot < m->first_slot[c + 1]; slot++)
        from[slot] -= share * (what != NULL ? what[slot] : 1);
}

// Gram and Schmidt, twice for rounding. What depends on those before it is zero: a sheet has no thickness to fit.
static void build_basis(const cdg_solid *s, cdg_shape_matching *m, size_t c) {
    double size2 = 0;
    for (size_t slot = m->first_slot[c]; slot < m->first_slot[c + 1]; slot++) {
        cdg_vec3 p = vec3_sub(solid_vec3(s->rest, m->node[slot]), m->middle[c]);
        size2 = fmax(size2, vec3_dot(p, p));
    }
    double scale = size2 > 0 ? 1 / sqrt(size2) : 1;
    for (int b = 0; b < m->basis_count; b++) {
        double *phi = m->basis[b], least = b < 3 ? 1e-20 : 1e-6;
        for (size_t slot = m->first_slot[c]; slot < m->first_slot[c + 1]; slot++)
            phi[slot] = monomial(b, vec3_scale(scale, vec3_sub(solid_vec3(s->rest, m->node[slot]), m->middle[c])));
        take_off(m, c, phi, dot(m, c, phi, NULL) / m->mass[c], NULL);
        double before = dot(m, c, phi, phi);
        for (int round = 0; round < 2; round++) {
            for (int a = 0; a < b; a++) take_off(m, c, phi, dot(m, c, phi, m->basis[a]), m->basis[a]);
            take_off(m, c, phi, dot(m, c, phi, NULL) / m->mass[c], NULL);
        }
        double after = dot(m, c, phi, phi), unit = after > least * before && after > 0 ? 1 / sqrt(after) : 0;
        for (size_t slot = m->first_slot[c]; slot < m->first_slot[c + 1]; slot++)
            phi[slot] *= m->weight[slot] > 0 ? unit : 0;
    }
    for (int b = 0; b < 3; b++) {
        cdg_vec3 sum = vec3(0, 0, 0);
        for (size_t slot = m->first_slot[c]; slot < m->first_slot[c + 1]; slot++)
            sum = vec3_mad(sum, m->weight[slot] * m->basis[b][slot],
                           vec3_sub(solid_vec3(s->rest, m->node[slot]), m->middle[c]));
        m->frame[c][b] = sum;
    }
}

void cdg_matching_renew_weights(cdg_solid *s) {
    cdg_shape_matching *m = solid_matching(s);
    if (m->has_weights && memcmp(m->was_held, s->is_held, s->node_count * sizeof *m->was_held) == 0) return;
    for (size_t c = 0; c < m->cluster_count; c++) {
        weigh_cluster(s, m, c);
        build_basis(s, m, c);
    }
    m->is_projector = m->is_whole;
    for (size_t i = 0; i < s->node_count; i++) {
        m->goal_free[i] = s->is_held[i] ? 0 : 1;
        m->is_projector = m->is_projector && !s->is_held[i];
    }
    memcpy(m->was_held, s->is_held, s->node_count * sizeof *m->was_held);
    m->has_weights = true;
}
