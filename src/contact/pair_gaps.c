// Gaps of many pairs of elements (pair_gaps.h): elements side by side in memory, for the kernels.
#include "contact/pair_gaps.h"

#include "base/parallel.h"
#include "base/processor.h"
#include "math/vec3.h"

#include <stdlib.h>
#include <string.h>

void cdg_pair_gaps_free(cdg_pair_gaps *gaps) {
    free(gaps->segments);
    free(gaps->starts);
    free(gaps->moves);
    free(gaps->gaps);
    free(gaps->sieved);
    free(gaps->sieved_count);
    free(gaps->near);
    free(gaps->records);
    *gaps = (cdg_pair_gaps){0};
}

static cdg_gap_kernel *choose_kernel(void) {
    switch (cdg_processor_lanes()) {
#if defined(__x86_64__)
    case CDG_LANES_AVX512: return cdg_gap_kernel_avx512;
    case CDG_LANES_AVX2: return cdg_gap_kernel_avx2;
#endif
    default: return cdg_gap_kernel_base;
    }
}

static cdg_near_kernel *choose_near_kernel(void) {
    switch (cdg_processor_lanes()) {
#if defined(__x86_64__)
    case CDG_LANES_AVX512: return cdg_near_kernel_avx512;
    case CDG_LANES_AVX2: return cdg_near_kernel_avx2;
#endif
    default: return cdg_near_kernel_base;
    }
}

// Whole vectors, so that a pair's numbers do not depend on who works at it.
enum { PAIRS_AT_ONCE = 1024 };

static bool reserve(cdg_pair_gaps *it, size_t element_count, size_t pair_count) {
    if (element_count > it->element_capacity) {
        free(it->segments);
        free(it->starts);
        free(it->moves);
        it->element_capacity = 0;
        it->segments = aligned_alloc(64, element_count * CDG_SEGMENT_SIZE * sizeof *it->segments);
        it->starts = aligned_alloc(64, element_count * CDG_SEGMENT_SIZE * sizeof *it->starts);
        it->moves = malloc(element_count * sizeof *it->moves);
        if (it->segments == NULL || it->starts == NULL || it->moves == NULL) return false;
        it->element_capacity = element_count;
    }
    if (pair_count > it->pair_capacity) {
        size_t capacity = pair_count + pair_count / 2;
        free(it->gaps);
        free(it->sieved);
        free(it->sieved_count);
        it->pair_capacity = 0;
        it->gaps = malloc(capacity * sizeof *it->gaps);
        it->sieved = malloc(capacity * sizeof *it->sieved);
        it->sieved_count = malloc((capacity / PAIRS_AT_ONCE + 1) * sizeof *it->sieved_count);
        if (it->gaps == NULL || it->sieved == NULL || it->sieved_count == NULL) return false;
        it->pair_capacity = capacity;
    }
    return true;
}

static void put_segment(double *out, cdg_vec3 from, cdg_vec3 to, const double radius[2]) {
    out[0] = from.x, out[1] = from.y, out[2] = from.z;
    out[3] = to.x, out[4] = to.y, out[5] = to.z;
    out[6] = radius[0], out[7] = radius[1];
}

// Elements that a thread takes at once; as many parts are worth a second thread.
enum { ELEMENTS_AT_ONCE = 256, PARTS_WORTH = 4 };

typedef struct move_work {
    cdg_pair_gaps *gaps;
    const cdg_pieces *pieces;
    double longest[CDG_THREADS_MAX]; // of each thread
} move_work;

static void measure_part(void *user, size_t index, int thread) {
    move_work *w = user;
    cdg_pair_gaps *out = w->gaps;
    const cdg_pieces *p = w->pieces;
    size_t first = ELEMENTS_AT_ONCE * index, end = first + ELEMENTS_AT_ONCE;
    double longest = w->longest[thread];
    for (size_t e = first; e < end && e < p->element_count; e++) {
        uint32_t i = p->ends[e][0], k = p->ends[e][1];
        put_segment(&out->segments[CDG_SEGMENT_SIZE * e], p->next[i], p->next[k], p->radius[e]);
        put_segment(&out->starts[CDG_SEGMENT_SIZE * e], p->start[i], p->start[k], p->radius[e]);
        double from = vec3_distance(p->start[i], p->next[i]), to = vec3_distance(p->start[k], p->next[k]);
        out->moves[e] = from > to ? from : to;
        double share = 0.5 * out->moves[e] / pieces_largest_radius(p, e);
        if (share > longest) longest = share;
    }
    w->longest[thread] = longest;
}

// Where elements are, and how far they move.
static void measure_moves(cdg_pair_gaps *out, const cdg_pieces *p) {
    move_work work = {.gaps = out, .pieces = p};
    size_t parts = (p->element_count + ELEMENTS_AT_ONCE - 1) / ELEMENTS_AT_ONCE;
    cdg_parallel_for(parts, parts >= PARTS_WORTH ? out->threads : 1, measure_part, &work);
    out->longest = 0;
    for (int t = 0; t < CDG_THREADS_MAX && t < (out->threads > 1 ? out->threads : 1); t++)
        if (work.longest[t] > out->longest) out->longest = work.longest[t];
}

typedef struct gap_work {
    cdg_pair_gaps *gaps;
    const cdg_box_pair *pairs;
    size_t pair_count;
    double most;
    double deepest[CDG_THREADS_MAX]; // of each thread
} gap_work;

static size_t part_size(size_t count, size_t first) {
    return count - first < PAIRS_AT_ONCE ? count - first : PAIRS_AT_ONCE;
}

static void find_part(void *user, size_t index, int thread) {
    gap_work *w = user;
    size_t first = PAIRS_AT_ONCE * index;
    double deepest = choose_kernel()(w->gaps->segments, w->gaps->moves, w->pairs + first,
                                     part_size(w->pair_count, first), w->most, w->gaps->gaps + first);
    if (deepest > w->deepest[thread]) w->deepest[thread] = deepest;
}

static void look_part(void *user, size_t index, int thread) {
    cdg_pair_gaps *it = user;
    size_t first = PAIRS_AT_ONCE * index;
    (void)thread;
    choose_near_kernel()(it->segments, it->starts, it->near + first, part_size(it->near_count, first),
                         it->records + first);
}

bool cdg_pair_gaps_find(cdg_pair_gaps *out, const cdg_pieces *p, const cdg_box_pair *pairs, size_t pair_count,
                        double most) {
    if (!reserve(out, p->element_capacity, pair_count)) return false;
    measure_moves(out, p);
    gap_work work = {out, pairs, pair_count, most, {0}};
    size_t parts = (pair_count + PAIRS_AT_ONCE - 1) / PAIRS_AT_ONCE;
    cdg_parallel_for(parts, out->threads, find_part, &work);
    out->deepest = 0;
    for (int t = 0; t < CDG_THREADS_MAX && t < (out->threads > 1 ? out->threads : 1); t++)
        if (work.deepest[t] > out->deepest) out->deepest = work.deepest[t];
    return true;
}

typedef struct sieve_work {
    const cdg_pair_gaps *gaps;
    const cdg_pieces *pieces;
    const cdg_box_pair *pairs;
    size_t pair_count;
    double margin;
} sieve_work;

static void sieve_part(void *user, size_t index, int thread) {
    const sieve_work *w = user;
    const cdg_pieces *p = w->pieces;
    size_t first = PAIRS_AT_ONCE * index, end = first + part_size(w->pair_count, first), count = 0;
    cdg_box_pair *out = w->gaps->sieved + first;
    (void)thread;
    for (size_t k = first; k < end; k++) {
        double reach = pieces_largest_radius(p, w->pairs[k].a) + pieces_largest_radius(p, w->pairs[k].b);
        if (!(w->gaps->gaps[k] > w->margin * reach)) out[count++] = w->pairs[k];
    }
    w->gaps->sieved_count[index] = (uint32_t)count;
}

static bool reserve_near(cdg_pair_gaps *it, size_t count) {
    if (count <= it->near_capacity) return true;
    size_t capacity = count + count / 2 + 256;
    free(it->near); // what is there is of the last look
    free(it->records);
    it->near_capacity = 0;
    it->near = malloc(capacity * sizeof *it->near);
    it->records = aligned_alloc(64, (capacity * sizeof *it->records + 63) / 64 * 64);
    if (it->near == NULL || it->records == NULL) return false;
    it->near_capacity = capacity;
    return true;
}

bool cdg_pair_gaps_look(cdg_pair_gaps *it, const cdg_pieces *p, const cdg_box_pair *pairs, size_t pair_count,
                        double margin) {
    sieve_work work = {it, p, pairs, pair_count, margin};
    size_t parts = (pair_count + PAIRS_AT_ONCE - 1) / PAIRS_AT_ONCE, count = 0, next = 0;
    cdg_parallel_for(parts, it->threads, sieve_part, &work);
    for (size_t k = 0; k < parts; k++) count += it->sieved_count[k];
    if (!reserve_near(it, count)) return false;
    for (size_t k = 0; k < parts; next += it->sieved_count[k++])
        if (it->sieved_count[k] > 0)
            memcpy(it->near + next, it->sieved + PAIRS_AT_ONCE * k, it->sieved_count[k] * sizeof *it->near);
    it->near_count = count;
    cdg_parallel_for((count + PAIRS_AT_ONCE - 1) / PAIRS_AT_ONCE, it->threads, look_part, it);
    return true;
}
