// Assembling and solving the systems of implicit steps (solid_system.h). Element matrices are made first, then every
// entry collects its own in a fixed order: the same bits for any number of threads.
#include "solids/solid_system.h"
#include "solids/volume_barrier.h"

#include "base/error.h"
#include "base/parallel.h"
#include "base/processor.h"
#include "math/symmetric3.h"
#include "solids/nodal_pressure.h"
#include "solids/solid_model.h"

#include <stdlib.h>
#include <string.h>

enum {
    DIRECT_NODES = 1500,           // up to which factors are made: beyond, conjugate gradients are faster
    DIRECT_NODES_AVERAGED = 15000, // the same with averaged pressure, under which conjugate gradients crawl
    ROWS_AT_ONCE = 256,
    ELEMENTS_AT_ONCE = 256,
    NODES_WORTH = 4000 // fewer are not worth another thread
};

static size_t direct_nodes(const cdg_solid *s) { return s->bulk > 0 ? DIRECT_NODES_AVERAGED : DIRECT_NODES; }

static const int pair_of[4][4] = {{0, 1, 2, 3}, {1, 4, 5, 6}, {2, 5, 7, 8}, {3, 6, 8, 9}};

static size_t pieces_of(size_t count, size_t at_once) { return (count + at_once - 1) / at_once; }
static size_t end_of(size_t begin, size_t at_once, size_t count) {
    return begin + at_once < count ? begin + at_once : count;
}

// ---- building -------------------------------------------------------------------------------------------------------

static int compare(const void *left, const void *right) {
    uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
    return a < b ? -1 : a > b;
}

// Columns of a row: nodes that share a tetrahedron with it, itself among them; or a neighbour, where pressures are not
// unknowns of the system. Returns how many.
static size_t list_columns(const cdg_solid *s, size_t node, uint32_t *out) {
    size_t count = 0;
    if (s->system->is_condensed) return cdg_nodal_slopes_columns(s->system->slopes, node, out);
    for (uint32_t u = s->first_use[node]; u < s->first_use[node + 1]; u++)
        for (int c = 0; c < 4; c++) out[count++] = s->tetrahedra[s->use[u] >> 2][c];
    qsort(out, count, sizeof *out, compare);
    size_t kept = 0;
    for (size_t k = 0; k < count; k++)
        if (k == 0 || out[k] != out[k - 1]) out[kept++] = out[k];
    return kept;
}

static uint32_t find_entry(const cdg_solid_system *m, uint32_t row, uint32_t column) {
    uint32_t low = m->first[row], high = m->first[row + 1];
    while (high - low > 1) {
        uint32_t middle = (low + high) / 2;
        if (m->column[middle] <= column)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static bool build_pattern(const cdg_solid *s, cdg_solid_system *m) {
    size_t most = 0;
    for (size_t i = 0; i < s->node_count; i++)
        if (s->first_use[i + 1] - s->first_use[i] > most) most = s->first_use[i + 1] - s->first_use[i];
    if (s->bulk > 0 && (m->slopes = cdg_nodal_slopes_build(s)) == NULL) return false;
    m->is_condensed = m->slopes != NULL && s->node_count > direct_nodes(s);
    size_t room = m->is_condensed ? cdg_nodal_slopes_most(m->slopes, s->node_count) : 4 * most;
    uint32_t *list = malloc((room + 1) * sizeof *list);
    m->first = malloc((s->node_count + 1) * sizeof *m->first);
    if (list == NULL || m->first == NULL) {
        free(list);
        return false;
    }
    m->first[0] = 0;
    for (size_t i = 0; i < s->node_count; i++) m->first[i + 1] = m->first[i] + (uint32_t)list_columns(s, i, list);
    m->entry_count = m->first[s->node_count];
    m->column = malloc(m->entry_count * sizeof *m->column);
    m->first_source = calloc(m->entry_count + 2, sizeof *m->first_source);
    m->source = malloc(16 * s->tetrahedron_count * sizeof *m->source);
    bool is_good = m->column != NULL && m->first_source != NULL && m->source != NULL;
    for (size_t i = 0; i < s->node_count && is_good; i++) {
        size_t count = list_columns(s, i, list);
        memcpy(m->column + m->first[i], list, count * sizeof *list);
    }
    free(list);
    if (!is_good) return false;
    for (int pass = 0; pass < 2; pass++) {
        for (size_t t = 0; t < s->tetrahedron_count; t++)
            for (uint32_t k = 0; k < 16; k++) {
                uint32_t entry = find_entry(m, s->tetrahedra[t][k / 4], s->tetrahedra[t][k % 4]);
                if (pass == 0)
                    m->first_source[entry + 2]++;
                else
                    m->source[m->first_source[entry + 1]++] = (uint32_t)(16 * t) + k;
            }
        for (size_t e = 0; e < m->entry_count && pass == 0; e++) m->first_source[e + 2] += m->first_source[e + 1];
    }
    return true;
}

static bool build_solver(const cdg_solid *s, cdg_solid_system *m) {
    if (s->node_count > direct_nodes(s)) {
        m->gradients = cdg_solid_gradients_build(m->node_count, m->first, m->column);
        return m->gradients != NULL;
    }
    block_pair *pairs = malloc(m->entry_count * sizeof *pairs);
    size_t count = 0;
    for (size_t i = 0; i < s->node_count && pairs != NULL; i++)
        for (uint32_t e = m->first[i]; e < m->first[i + 1]; e++)
            if (m->column[e] > i) pairs[count++] = (block_pair){i, m->column[e]};
    m->pattern = pairs != NULL ? block_pattern_find(s->node_count, pairs, count) : NULL;
    free(pairs);
    if (m->pattern == NULL) return false;
    m->factor_memory = malloc(block_matrix_doubles(m->pattern) * sizeof(double));
    if (m->factor_memory == NULL) return false;
    block_matrix_place(&m->factors, m->pattern, m->factor_memory);
    return true;
}

static bool build_memory(cdg_solid_system *m) {
    size_t n = m->node_count;
    bool is_direct = m->pattern != NULL;
    m->blocks = malloc(90 * m->slot_count * sizeof *m->blocks); // what is never used takes no memory but addresses
    if (!is_direct) m->light_blocks = malloc(90 * m->slot_count * sizeof *m->light_blocks);
    if (is_direct) m->entries = malloc(9 * m->entry_count * sizeof *m->entries);
    if (is_direct) m->units = aligned_alloc(64, 16 * (n + 4) / 8 * 8 * sizeof *m->units);
    m->inverse = calloc(9 * n, sizeof(double));
    double *vectors = calloc((2 * 3 + 2 * 4 + 15) * n, sizeof(double));
    m->right = vectors;
    if (m->blocks == NULL || (!is_direct && m->light_blocks == NULL) || (is_direct && m->entries == NULL) ||
        (is_direct && m->units == NULL) || m->inverse == NULL || vectors == NULL)
        return false;
    m->move = vectors + 3 * n;
    m->padded = vectors + 6 * n;
    m->spare = vectors + 10 * n;
    double **triples[] = {m->start, m->aim, m->force, m->tried, m->load};
    for (size_t a = 0; a < 5; a++)
        for (size_t k = 0; k < 3; k++) triples[a][k] = vectors + (14 + 3 * a + k) * n;
    return true;
}

cdg_result cdg_solid_system_build(cdg_solid *s, cdg_error *error) {
    if (s->model->curvature == NULL)
        return cdg_fail(error, CDG_ERROR_UNSUPPORTED,
                        "solid '%s': model %s has neither equilibria nor vibrations; neo_hookean and corotational have",
                        s->name, s->model->name);
    cdg_solid_system *m = calloc(1, sizeof *m);
    s->system = m;
    if (m != NULL) {
        m->node_count = s->node_count;
        m->slot_count = s->slot_count;
    }
    if (m == NULL || !build_pattern(s, m) || !build_solver(s, m) || !build_memory(m))
        return cdg_fail(error, CDG_ERROR_MEMORY, "no memory for solid '%s'", s->name);
    return CDG_OK;
}

void cdg_solid_system_free(cdg_solid_system *m) {
    if (m == NULL) return;
    free(m->first);
    free(m->column);
    free(m->first_source);
    free(m->source);
    free(m->blocks);
    free(m->light_blocks);
    free(m->entries);
    free(m->units);
    free(m->inverse);
    free(m->right);
    cdg_nodal_slopes_free(m->slopes);
    cdg_solid_gradients_free(m->gradients);
    block_pattern_free(m->pattern);
    free(m->factor_memory);
    free(m);
}

// ---- assembling -----------------------------------------------------------------------------------------------------

typedef struct assembly {
    cdg_solid *solid;
    const cdg_solid_at *at;
    double inertia;
    bool is_projected;
} assembly;

// The part of damping that is never negative: (2 mu |sym(F^T dF)|^2 + lambda tr^2) times damping time and rate. The
// other, the stress of damping times dF, is left out. Newton's method would take fewer iterations with it. But it is
// negative where something is compressed, as in impacts: there the matrix comes close to having no inverse, answers to
// contact are many times too large, and rounds of contact lead away from each other (a heavy block on a light one).
static void add_damping(const cdg_solid *s, const mat3 *f, const cdg_vec3 g[4], const cdg_vec3 fg[4], double rate,
                        double volume, double *out) {
    double mu = s->mu * s->def.damping_time * rate * volume, lambda = s->lambda * s->def.damping_time * rate * volume;
    mat3 square = mat3_multiply(*f, mat3_transpose(*f));
    int pair = 0;
    for (int a = 0; a < 4; a++)
        for (int b = a; b < 4; b++, out += 9, pair++) {
            double dot = mu * vec3_dot(g[a], g[b]);
            mat3 one = mat3_outer(mu, fg[b], fg[a]), two = mat3_outer(lambda, fg[a], fg[b]);
            for (int k = 0; k < 9; k++)
                out[k] += dot * square.m[k / 3][k % 3] + one.m[k / 3][k % 3] + two.m[k / 3][k % 3];
        }
}

static void element_matrix(const assembly *work, size_t slot, double out[90]) {
    const cdg_solid *s = work->solid;
    double volume = s->volume[slot];
    mat3 f = solid_gradient(s, work->at->x, slot);
    solid_curvature c;
    s->model->curvature(s, &f, solid_rotation(s, slot), work->is_projected, &c);
    if (s->bulk > 0 && !work->is_projected) c.curl += nodal_pressure_of(s, slot); // may be negative, slopes never are
    if (s->def.volume_barrier > 0) cdg_volume_barrier_bend(s, &f, work->is_projected, &c);
    cdg_vec3 g[4] = {{0, 0, 0}}, fg[4], along[10][4];
    for (int j = 1; j < 4; j++) {
        g[j] = vec3(s->shape[3 * j - 3][slot], s->shape[3 * j - 2][slot], s->shape[3 * j - 1][slot]);
        g[0] = vec3_sub(g[0], g[j]);
    }
    for (int a = 0; a < 4; a++) {
        fg[a] = mat3_apply(&f, g[a]);
        for (int r = 0; r < c.count; r++) along[r][a] = mat3_apply(&c.direction[r], g[a]);
    }
    double *to = out;
    for (int a = 0; a < 4; a++)
        for (int b = a; b < 4; b++, to += 9) {
            double dot = volume * c.scale * vec3_dot(g[a], g[b]);
            mat3 k = mat3_diagonal(dot, dot, dot);
            for (int r = 0; r < c.count; r++)
                k = mat3_add(k, mat3_outer(volume * c.factor[r], along[r][a], along[r][b]));
            if (c.curl != 0 && a != b) {
                cdg_vec3 edge = vec3_cross(g[a], g[b]);
                k = mat3_add(k, mat3_cross(vec3_scale(-volume * c.curl, mat3_apply(&f, edge))));
            }
            memcpy(to, k.m, 9 * sizeof(double));
        }
    if (!(s->def.damping_time > 0) || work->at->before == NULL) return;
    add_damping(s, &f, g, fg, work->at->rate, volume, out);
}

#if defined(__x86_64__)
#define CHOOSE(name, ...)                                                                                              \
    (cdg_processor_lanes() == CDG_LANES_AVX512 ? name##_avx512(__VA_ARGS__)                                            \
     : cdg_processor_lanes() == CDG_LANES_AVX2 ? name##_avx2(__VA_ARGS__)                                              \
                                               : name##_base(__VA_ARGS__))
#else
#define CHOOSE(name, ...) name##_base(__VA_ARGS__)
#endif

bool cdg_neo_hookean_matrices(const cdg_solid *solid, const cdg_solid_at *at, size_t begin, size_t end) {
    return CHOOSE(cdg_neo_hookean_matrices, solid, at, begin, end);
}
bool cdg_corotational_matrices(const cdg_solid *solid, const cdg_solid_at *at, size_t begin, size_t end) {
    return CHOOSE(cdg_corotational_matrices, solid, at, begin, end);
}

static bool is_light(const cdg_solid_system *m) { return cdg_solid_system_is_light(m); }

static void element_matrices(void *user, size_t index, int thread) {
    (void)thread;
    const assembly *work = user;
    cdg_solid_system *m = work->solid->system;
    size_t begin = index * ELEMENTS_AT_ONCE, end = end_of(begin, ELEMENTS_AT_ONCE, work->solid->slot_count);
    bool is_plain = !work->is_projected && !(work->solid->def.volume_barrier > 0);
    bool is_vector = work->solid->model->matrices != NULL && is_plain;
    for (size_t slot = begin; slot < end; slot++) {
        bool is_group = is_vector && slot % SOLID_GROUP == 0;
        if (is_group && work->solid->model->matrices(work->solid, work->at, slot, slot + SOLID_GROUP)) {
            slot += SOLID_GROUP - 1;
            continue;
        }
        double block[90];
        element_matrix(work, slot, block);
        if (!is_light(m)) memcpy(m->blocks + 90 * slot, block, sizeof block);
        for (size_t k = 0; k < 90 && is_light(m); k++) m->light_blocks[90 * slot + k] = (float)block[k];
    }
}

// Inverse of a positive definite block; one that is not gives the inverse of its diagonal, or nothing.
static void invert_diagonal(const double *a, double *out) {
    symmetric3 m = {a[0], a[1], a[2], a[4], a[5], a[8]};
    double minor = m.xx * m.yy - m.xy * m.xy;
    double det =
        m.xx * (m.yy * m.zz - m.yz * m.yz) - m.xy * (m.xy * m.zz - m.yz * m.xz) + m.xz * (m.xy * m.yz - m.yy * m.xz);
    symmetric3 i = {.xx = 1, .yy = 1, .zz = 1};
    if (m.xx > 0 && minor > 0 && det > 0) i = symmetric3_inverse(m);
    const double rows[9] = {i.xx, i.xy, i.xz, i.xy, i.yy, i.yz, i.xz, i.yz, i.zz};
    memcpy(out, rows, sizeof rows);
}

// Column by column.
static void collect_entry(const cdg_solid_system *m, uint32_t entry, double sum[9]) {
    float light[9] = {0};
    memset(sum, 0, 9 * sizeof *sum);
    for (uint32_t u = m->first_source[entry]; u < m->first_source[entry + 1]; u++) {
        uint32_t a = m->source[u] / 4 % 4, b = m->source[u] % 4;
        size_t at = 90 * (size_t)(m->source[u] / 16) + 9 * (size_t)pair_of[a][b];
        for (int k = 0; k < 9 && is_light(m); k++)
            light[k] += m->light_blocks[at + (size_t)(a > b ? k : k % 3 * 3 + k / 3)];
        for (int k = 0; k < 9 && !is_light(m); k++) sum[k] += m->blocks[at + (size_t)(a > b ? k : k % 3 * 3 + k / 3)];
    }
    for (int k = 0; k < 9 && is_light(m); k++) sum[k] = light[k];
}

static void entry_rows(void *user, size_t index, int thread) {
    (void)thread;
    const assembly *work = user;
    const cdg_solid *s = work->solid;
    cdg_solid_system *m = s->system;
    size_t begin = index * ROWS_AT_ONCE, end = end_of(begin, ROWS_AT_ONCE, s->node_count);
    for (size_t i = begin; i < end; i++) {
        solid_gradients_row at = {0};
        if (m->gradients != NULL) at = cdg_solid_gradients_begin(m->gradients, i);
        for (uint32_t e = m->first[i]; e < m->first[i + 1]; e++) {
            bool is_diagonal = m->column[e] == i;
            const cdg_gradient_entries *to = NULL;
            if (m->gradients != NULL) to = cdg_solid_gradients_next(m->gradients, &at, m->column[e]);
            if (m->gradients != NULL && to == NULL && !is_diagonal) continue; // the transposed of one that is there
            double sum[9];
            collect_entry(m, e, sum);
            if (m->is_condensed) cdg_nodal_slopes_add(m->slopes, i, m->column[e], sum);
            for (int k = 0; k < 9 && is_diagonal; k += 4) sum[k] += work->inertia * s->mass[i];
            if (is_diagonal) invert_diagonal(sum, m->inverse + 9 * i);
            if (is_diagonal && m->gradients != NULL) memcpy(m->gradients->diagonal + 9 * i, sum, sizeof sum);
            if (m->entries != NULL) memcpy(m->entries + 9 * (size_t)e, sum, sizeof sum);
            double rows[9];
            for (int k = 0; k < 9; k++) rows[k] = sum[k % 3 * 3 + k / 3];
            if (to != NULL) cdg_solid_gradients_put(m->gradients, to, at.entry, rows);
        }
    }
}

// Rounding to single precision changes a stiffness by up to some 1e-6 of that of its stiffest swing. Where inertia is
// less, as in equilibria, it may turn soft shapes' stiffness into less than none.
static bool needs_exact(const cdg_solid *s, double inertia) {
    const double rounded = 1e-6;
    return inertia < rounded * s->largest_rate * s->largest_rate;
}

void cdg_solid_assemble(cdg_solid *solid, const cdg_solid_at *at, double inertia, bool is_projected, int threads) {
    assembly work = {solid, at, inertia, is_projected};
    solid->system->inertia = inertia;
    if (solid->system->gradients != NULL) solid->system->gradients->is_exact = needs_exact(solid, inertia);
    int used = solid->node_count > NODES_WORTH ? threads : 1;
    if (solid->bulk > 0) {
        cdg_nodal_pressure_find(solid, at->x, used);
        cdg_nodal_slopes_find(solid, solid->system->slopes, at->x, used);
    }
    cdg_parallel_for(pieces_of(solid->slot_count, ELEMENTS_AT_ONCE), used, element_matrices, &work);
    cdg_parallel_for(pieces_of(solid->node_count, ROWS_AT_ONCE), used, entry_rows, &work);
    if (solid->system->gradients != NULL) cdg_solid_gradients_prepare(solid->system->gradients, solid->is_held, used);
    solid->system->has_factors = false;
    solid->system->has_entries = true;
}

// ---- solving directly -----------------------------------------------------------------------------------------------

static void put_block(block_matrix *to, size_t a, size_t b, const double *k) {
    double padded[BLOCK_DOUBLES] = {k[0], k[3], k[6], 0, k[1], k[4], k[7], 0, k[2], k[5], k[8], 0, 0, 0, 0, a == b};
    block_add(to, a, b, padded);
}

// With averaged pressure the fourth unknown of a node is its pressure p times the root of its volume over bulk:
// K u + T p = right, T^T u - p = 0. Eliminating p makes K + T T^T of it.
static void put_mixed_block(const cdg_solid *s, size_t i, size_t j, const double *k) {
    static const double unit[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, zero[9] = {0};
    const nodal_slopes *slopes = s->system->slopes;
    if (s->is_held[i] || s->is_held[j]) k = i == j ? unit : zero;
    const double *down = s->is_held[i] ? zero : cdg_nodal_slope(slopes, i, j);   // of j's volume as i moves
    const double *across = s->is_held[j] ? zero : cdg_nodal_slope(slopes, j, i); // of i's as j moves
    double padded[BLOCK_DOUBLES] = {k[0], k[3], k[6], down[0], k[1],      k[4],      k[7],      down[1],
                                    k[2], k[5], k[8], down[2], across[0], across[1], across[2], i == j ? -1 : 0};
    block_add(&s->system->factors, i, j, padded);
}

static bool factor(cdg_solid *s) {
    static const double unit[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    cdg_solid_system *m = s->system;
    block_clear(&m->factors);
    for (size_t i = 0; i < s->node_count; i++) {
        for (uint32_t e = m->first[i]; e < m->first[i + 1] && m->slopes != NULL; e++)
            if (m->column[e] >= i) put_mixed_block(s, i, m->column[e], m->entries + 9 * (size_t)e);
        if (m->slopes != NULL) continue;
        if (s->is_held[i]) put_block(&m->factors, i, i, unit);
        for (uint32_t e = m->first[i]; e < m->first[i + 1] && !s->is_held[i]; e++)
            if (m->column[e] >= i && !s->is_held[m->column[e]])
                put_block(&m->factors, i, m->column[e], m->entries + 9 * (size_t)e);
    }
    block_factor(&m->factors);
    m->factor_number++;
    // the matrix without pressures is positive definite when each pressure has made one eigenvalue negative, no more
    size_t expected = m->slopes != NULL ? s->node_count : 0;
    m->has_factors = !m->factors.is_broken && m->factors.negative_count == expected;
    return m->has_factors;
}

static bool solve_directly(cdg_solid *s) {
    cdg_solid_system *m = s->system;
    if (!m->has_factors && !factor(s)) return false;
    double *right = m->padded;
    for (size_t i = 0; i < s->node_count; i++) {
        for (size_t k = 0; k < 3; k++) right[4 * i + k] = s->is_held[i] ? 0 : m->right[3 * i + k];
        right[4 * i + 3] = 0;
    }
    block_solve(&m->factors, right, m->spare);
    for (size_t i = 0; i < s->node_count; i++)
        for (size_t k = 0; k < 3; k++) m->move[3 * i + k] = right[4 * i + k];
    m->iterations = 0;
    return true;
}

void cdg_solid_solve_units(cdg_solid *s, size_t node) {
    block_solve_units(&s->system->factors, node, s->system->units);
}

// ---- conjugate gradients --------------------------------------------------------------------------------------------

// Of a free solid stiffness has no part in how its centre of mass moves, which is so exact to rounding.
static void keep_momentum(cdg_solid *s) {
    cdg_solid_system *m = s->system;
    if (!(m->inertia > 0)) return;
    for (size_t i = 0; i < s->node_count; i++)
        if (s->is_held[i]) return;
    for (size_t k = 0; k < 3; k++) {
        double missing = 0, mass = 0; // with that of hands, which total_mass has not
        for (size_t i = 0; i < s->node_count; i++) {
            missing += m->right[3 * i + k] - m->inertia * s->mass[i] * m->move[3 * i + k];
            mass += s->mass[i];
        }
        for (size_t i = 0; i < s->node_count; i++) m->move[3 * i + k] += missing / (m->inertia * mass);
    }
}

bool cdg_solid_solve(cdg_solid *s, double tolerance, int threads) {
    cdg_solid_system *m = s->system;
    if (m->pattern != NULL) return solve_directly(s);
    int used = s->node_count > NODES_WORTH ? threads : 1;
    bool is_good = cdg_solid_gradients_solve(m->gradients, s->is_held, m->right, m->move, tolerance, used);
    m->iterations = m->gradients->iterations;
    if (is_good) keep_momentum(s);
    return is_good;
}
