// Conjugate gradients for the systems of large solids (solid_gradients.h): factors, and the iteration.
#include "solids/solid_gradients.h"

#include "base/parallel.h"
#include "base/processor.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK_ROWS = 1000, BLOCKS_AT_ONCE = 4, BLOCKS_MAX = 16, ITERATIONS_MAX = 5000 }; // pairs of blocks for two

#if defined(__x86_64__)
#define CHOOSE(name, ...)                                                                                              \
    (cdg_processor_lanes() == CDG_LANES_AVX512 ? name##_avx512(__VA_ARGS__)                                            \
     : cdg_processor_lanes() == CDG_LANES_AVX2 ? name##_avx2(__VA_ARGS__)                                              \
                                               : name##_base(__VA_ARGS__))
#else
#define CHOOSE(name, ...) name##_base(__VA_ARGS__)
#endif

// ---- building -------------------------------------------------------------------------------------------------------

static void free_entries(cdg_gradient_entries *entries) {
    free(entries->light);
    free(entries->exact);
}

// The last one is read with three more numbers.
static bool make_entries(cdg_gradient_entries *out, size_t count) {
    out->light = calloc(9 * count + 3, sizeof *out->light);
    out->exact = calloc(9 * count + 3, sizeof *out->exact);
    return out->light != NULL && out->exact != NULL;
}

void cdg_solid_gradients_free(cdg_solid_gradients *g) {
    if (g == NULL) return;
    free(g->first_lower);
    free(g->lower);
    free(g->first_cross);
    free(g->cross);
    free_entries(&g->lower_entries);
    free_entries(&g->cross_entries);
    free_entries(&g->shift);
    free(g->diagonal);
    free(g->partial);
    free(g);
}

static bool list_columns(cdg_solid_gradients *g, const uint32_t *first, const uint32_t *column) {
    size_t n = g->node_count;
    g->first_lower = calloc(n + 1, sizeof *g->first_lower);
    g->first_cross = calloc(n + 1, sizeof *g->first_cross);
    if (g->first_lower == NULL || g->first_cross == NULL) return false;
    for (int pass = 0; pass < 2; pass++) {
        uint32_t lower = 0, cross = 0;
        for (uint32_t i = 0; i < n; i++) {
            for (uint32_t e = first[i]; e < first[i + 1]; e++) {
                bool is_cross = column[e] / g->block_rows != i / g->block_rows;
                if (is_cross && pass == 1) g->cross[cross] = column[e];
                if (!is_cross && column[e] < i && pass == 1) g->lower[lower] = column[e];
                cross += is_cross, lower += !is_cross && column[e] < i;
            }
            g->first_lower[i + 1] = lower, g->first_cross[i + 1] = cross;
        }
        if (pass == 1) break;
        g->lower = malloc((lower + 1) * sizeof *g->lower);
        g->cross = malloc((cross + 1) * sizeof *g->cross);
        if (g->lower == NULL || g->cross == NULL) return false;
        if (!make_entries(&g->lower_entries, lower) || !make_entries(&g->cross_entries, cross)) return false;
    }
    return true;
}

cdg_solid_gradients *cdg_solid_gradients_build(size_t node_count, const uint32_t *first, const uint32_t *column) {
    cdg_solid_gradients *g = calloc(1, sizeof *g);
    if (g == NULL) return NULL;
    size_t blocks = node_count / BLOCK_ROWS / BLOCKS_AT_ONCE * BLOCKS_AT_ONCE;
    blocks = blocks < 1 ? 1 : blocks > BLOCKS_MAX ? BLOCKS_MAX : blocks;
    g->node_count = node_count;
    g->block_rows = (node_count + blocks - 1) / blocks;
    g->block_count = (node_count + g->block_rows - 1) / g->block_rows;
    g->diagonal = calloc((9 + 9 + 5 * 4) * node_count, sizeof(double));
    g->partial = calloc(g->block_count, sizeof *g->partial);
    if (g->diagonal == NULL || g->partial == NULL || !make_entries(&g->shift, node_count) ||
        !list_columns(g, first, column)) {
        cdg_solid_gradients_free(g);
        return NULL;
    }
    g->root = g->diagonal + 9 * node_count;
    double **vectors[] = {&g->solution, &g->residual, &g->direction, &g->back, &g->forth};
    for (size_t k = 0; k < 5; k++) *vectors[k] = g->root + (9 + 4 * k) * node_count;
    return g;
}

// ---- factors --------------------------------------------------------------------------------------------------------

typedef struct gradients_work {
    cdg_solid_gradients *g;
    const bool *is_held;
    double share;
    const double *right;
    double *move;
} gradients_work;

static size_t end_of(const cdg_solid_gradients *g, size_t end) { return end < g->node_count ? end : g->node_count; }

static void range_of(const cdg_solid_gradients *g, size_t block, size_t *begin, size_t *end) {
    *begin = block * g->block_rows;
    *end = end_of(g, *begin + g->block_rows);
}

// Two blocks are solved side by side: a row waits for the one before it.
static void pair_range(const cdg_solid_gradients *g, size_t pair, size_t *begin, size_t *end) {
    *begin = 2 * pair * g->block_rows;
    *end = end_of(g, *begin + 2 * g->block_rows);
}
static size_t pair_count(const cdg_solid_gradients *g) { return (g->block_count + 1) / 2; }

// The inverse of the lower triangular factor of a; false: one of its pivots is below `least` of the diagonal in `of`.
static bool invert_root(const double a[9], const double of[9], double least, double out[9]) {
    double c[9] = {0};
    for (int i = 0; i < 3; i++)
        for (int k = 0; k <= i; k++) {
            double sum = a[3 * i + k];
            for (int j = 0; j < k; j++) sum -= c[3 * i + j] * c[3 * k + j];
            if (i == k && !(sum > least * of[4 * i] && sum > 0)) return false;
            c[3 * i + k] = i == k ? sqrt(sum) : sum / c[4 * k];
        }
    memset(out, 0, 9 * sizeof *out);
    for (int k = 0; k < 3; k++) out[4 * k] = 1 / c[4 * k];
    out[3] = -c[3] * out[0] * out[4];
    out[7] = -c[7] * out[4] * out[8];
    out[6] = -(c[6] * out[0] + c[7] * out[3]) * out[8];
    return true;
}

// to = left a right^T of 3 x 3 matrices; left NULL: 1.
static void scale(const double *left, const double *a, const double *right, double to[9]) {
    double half[9];
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            half[3 * i + k] =
                a[3 * i] * right[3 * k] + a[3 * i + 1] * right[3 * k + 1] + a[3 * i + 2] * right[3 * k + 2];
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            to[3 * i + k] = left == NULL
                                ? half[3 * i + k]
                                : left[3 * i] * half[k] + left[3 * i + 1] * half[3 + k] + left[3 * i + 2] * half[6 + k];
}

static void get(const cdg_solid_gradients *g, const cdg_gradient_entries *from, size_t entry, double out[9]) {
    for (size_t k = 0; k < 9; k++)
        out[k] = g->is_exact ? from->exact[9 * entry + k] : (double)from->light[9 * entry + k];
}

// An entry of a row before the diagonal, scaled from the right.
static void scale_entry(cdg_solid_gradients *g, const bool *is_held, size_t i, uint32_t e, double out[9]) {
    size_t j = g->lower[e];
    double a[9];
    memset(out, 0, 9 * sizeof *out);
    get(g, &g->lower_entries, e, a);
    if (!is_held[i] && !is_held[j]) scale(NULL, a, g->root + 9 * j, out);
    cdg_solid_gradients_put(g, &g->lower_entries, e, out);
}

// The row's new diagonal: its own less what the rows before it answer for.
static void factor_row(cdg_solid_gradients *g, const bool *is_held, size_t i) {
    static const double unit[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    const double least = 0.02; // of a pivot: less would make much of little
    const double *d = g->diagonal + 9 * i;
    double left[9], scaled[9], *root = g->root + 9 * i;
    memcpy(left, d, sizeof left);
    for (uint32_t e = g->first_lower[i]; e < g->first_lower[i + 1]; e++) {
        scale_entry(g, is_held, i, e, scaled);
        for (int r = 0; r < 3; r++)
            for (int c = 0; c < 3; c++)
                for (int k = 0; k < 3; k++) left[3 * r + c] -= scaled[3 * r + k] * scaled[3 * c + k];
    }
    bool has_root = !is_held[i] && (invert_root(left, d, least, root) || invert_root(d, d, 0, root));
    if (!has_root) memcpy(root, unit, sizeof unit); // a matrix that is not positive definite is told in the iteration
    for (uint32_t e = g->first_lower[i]; e < g->first_lower[i + 1]; e++) {
        double a[9], whole[9];
        get(g, &g->lower_entries, e, a);
        for (int r = 0; r < 3; r++)
            for (int c = 0; c < 3; c++)
                whole[3 * r + c] = root[3 * r] * a[c] + root[3 * r + 1] * a[3 + c] + root[3 * r + 2] * a[6 + c];
        cdg_solid_gradients_put(g, &g->lower_entries, e, whole);
    }
    double plain[9], shift[9];
    for (int k = 0; k < 9; k++) plain[k] = is_held[i] ? unit[k] : g->is_exact ? d[k] : (double)(float)d[k];
    scale(root, plain, root, scaled);
    for (int k = 0; k < 9; k++) shift[k] = 2 * unit[k] - scaled[k];
    cdg_solid_gradients_put(g, &g->shift, i, shift);
}

static void factor_block(void *user, size_t block, int thread) {
    (void)thread;
    const gradients_work *work = user;
    size_t begin, end;
    range_of(work->g, block, &begin, &end);
    for (size_t i = begin; i < end; i++) factor_row(work->g, work->is_held, i);
}

static void scale_cross(void *user, size_t block, int thread) {
    (void)thread;
    const gradients_work *work = user;
    cdg_solid_gradients *g = work->g;
    size_t begin, end;
    range_of(g, block, &begin, &end);
    for (size_t i = begin; i < end; i++)
        for (uint32_t e = g->first_cross[i]; e < g->first_cross[i + 1]; e++) {
            double a[9], scaled[9] = {0};
            get(g, &g->cross_entries, e, a);
            if (!work->is_held[i] && !work->is_held[g->cross[e]])
                scale(g->root + 9 * i, a, g->root + 9 * (size_t)g->cross[e], scaled);
            cdg_solid_gradients_put(g, &g->cross_entries, e, scaled);
        }
}

void cdg_solid_gradients_prepare(cdg_solid_gradients *g, const bool *is_held, int threads) {
    gradients_work work = {.g = g, .is_held = is_held};
    cdg_parallel_for(g->block_count, threads, factor_block, &work);
    cdg_parallel_for(g->block_count, threads, scale_cross, &work);
}

// ---- the iteration --------------------------------------------------------------------------------------------------

// residual = (1 + L)^-1 root right; solution = 0.
static void begin_pair(void *user, size_t pair, int thread) {
    (void)thread;
    const gradients_work *work = user;
    cdg_solid_gradients *g = work->g;
    size_t begin, end;
    pair_range(g, pair, &begin, &end);
    for (size_t i = begin; i < end; i++) {
        const double *root = g->root + 9 * i, *r = work->right + 3 * i;
        double *to = g->back + 4 * i;
        for (int k = 0; k < 3; k++)
            to[k] = work->is_held[i] ? 0 : root[3 * k] * r[0] + root[3 * k + 1] * r[1] + root[3 * k + 2] * r[2];
        to[3] = 0;
    }
    memset(g->solution + 4 * begin, 0, 4 * (end - begin) * sizeof(double));
    memset(g->direction + 4 * begin, 0, 4 * (end - begin) * sizeof(double));
    (void)CHOOSE(cdg_solid_gradients_forth, g, g->back, NULL, g->residual, begin, end);
    double sum = 0;
    for (size_t k = 4 * begin; k < 4 * end; k++) sum += g->residual[k] * g->residual[k];
    g->partial[pair] = sum;
}

static void turn_pair(void *user, size_t pair, int thread) { // direction = residual + share direction
    (void)thread;
    const gradients_work *work = user;
    size_t begin, end;
    pair_range(work->g, pair, &begin, &end);
    CHOOSE(cdg_solid_gradients_back, work->g, work->g->residual, work->share, work->g->direction, work->g->back, begin,
           end);
}

static void multiply_pair(void *user, size_t pair, int thread) {
    (void)thread;
    cdg_solid_gradients *g = ((const gradients_work *)user)->g;
    size_t begin, end;
    pair_range(g, pair, &begin, &end);
    g->partial[pair] = CHOOSE(cdg_solid_gradients_forth, g, g->direction, g->back, g->forth, begin, end);
}

static void advance_pair(void *user, size_t pair, int thread) {
    (void)thread;
    const gradients_work *work = user;
    cdg_solid_gradients *g = work->g;
    size_t begin, end;
    pair_range(g, pair, &begin, &end);
    double sum[4] = {0, 0, 0, 0}, share = work->share;
    double *restrict solution = g->solution, *restrict residual = g->residual;
    const double *restrict direction = g->direction, *restrict back = g->back, *restrict forth = g->forth;
    for (size_t i = 4 * begin; i < 4 * end; i += 4)
        for (size_t k = 0; k < 4; k++) {
            solution[i + k] += share * direction[i + k];
            double r = residual[i + k] - share * (back[i + k] + forth[i + k]);
            residual[i + k] = r;
            sum[k] += r * r;
        }
    g->partial[pair] = sum[0] + sum[1] + sum[2] + sum[3];
}

// move = root^T (1 + L^T)^-1 solution
static void end_pair(void *user, size_t pair, int thread) {
    (void)thread;
    const gradients_work *work = user;
    cdg_solid_gradients *g = work->g;
    size_t begin, end;
    pair_range(g, pair, &begin, &end);
    CHOOSE(cdg_solid_gradients_back, g, NULL, 0, g->solution, g->back, begin, end);
    for (size_t i = begin; i < end; i++) {
        const double *root = g->root + 9 * i, *x = g->back + 4 * i;
        for (size_t k = 0; k < 3; k++)
            work->move[3 * i + k] = work->is_held[i] ? 0 : root[k] * x[0] + root[3 + k] * x[1] + root[6 + k] * x[2];
    }
}

static double on_pairs(gradients_work *work, void (*body)(void *, size_t, int), int threads) {
    cdg_parallel_for(pair_count(work->g), threads, body, work);
    double sum = 0;
    for (size_t p = 0; p < pair_count(work->g); p++) sum += work->g->partial[p];
    return sum;
}

bool cdg_solid_gradients_solve(cdg_solid_gradients *g, const bool *is_held, const double *right, double *move,
                               double tolerance, int threads) {
    gradients_work work = {.g = g, .is_held = is_held, .right = right, .move = move};
    double size = on_pairs(&work, begin_pair, threads), enough = tolerance * tolerance * size;
    for (g->iterations = 0; g->iterations < ITERATIONS_MAX && size > enough; g->iterations++) {
        on_pairs(&work, turn_pair, threads);
        double bend = on_pairs(&work, multiply_pair, threads);
        if (!(bend > 0)) return false;
        work.share = size / bend;
        double next = on_pairs(&work, advance_pair, threads);
        work.share = next / size;
        size = next;
    }
    on_pairs(&work, end_pair, threads);
    return true; // as near as it gets; Newton's method goes on from there
}
