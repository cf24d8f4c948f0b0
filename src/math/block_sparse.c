// Sparse L D L^T by blocks (block_sparse.h): the order of elimination on the graph of the matrix, and its blocks.
#include "math/block_sparse.h"

#include "base/processor.h"

#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

// ---- order ----------------------------------------------------------------------------------------------------------

// Neighbours of a block among those not eliminated yet, ascending.
typedef struct neighbours {
    size_t *list;
    size_t count, capacity;
} neighbours;

// Blocks not eliminated, in lists by their number of neighbours.
typedef struct queue {
    size_t *head;          // count: by degree; SIZE_MAX: none
    size_t *next, *before; // count
    size_t lowest;         // no list below it has a block
} queue;

static void take_out(queue *q, size_t block, size_t degree) {
    size_t next = q->next[block], before = q->before[block];
    if (next != SIZE_MAX) q->before[next] = before;
    *(before != SIZE_MAX ? &q->next[before] : &q->head[degree]) = next;
}

static void put_in(queue *q, size_t block, size_t degree) {
    q->next[block] = q->head[degree];
    q->before[block] = SIZE_MAX;
    if (q->head[degree] != SIZE_MAX) q->before[q->head[degree]] = block;
    q->head[degree] = block;
    if (degree < q->lowest) q->lowest = degree;
}

static bool reserve(neighbours *n, size_t capacity) {
    if (n->capacity >= capacity) return true;
    size_t *grown = realloc(n->list, (capacity + 1) * sizeof *grown);
    if (grown == NULL) return false;
    n->list = grown;
    n->capacity = capacity;
    return true;
}

// n becomes n and m together, without two of them. `spare` has room for both.
static bool merge(neighbours *n, const neighbours *m, size_t without, size_t also_without, size_t *spare) {
    size_t count = 0;
    for (size_t i = 0, j = 0; i < n->count || j < m->count;) {
        size_t a = i < n->count ? n->list[i] : SIZE_MAX, b = j < m->count ? m->list[j] : SIZE_MAX;
        size_t least = a < b ? a : b;
        i += a == least, j += b == least;
        if (least != without && least != also_without) spare[count++] = least;
    }
    if (!reserve(n, count)) return false;
    if (count > 0) memcpy(n->list, spare, count * sizeof *spare);
    n->count = count;
    return true;
}

static int compare_sizes(const void *left, const void *right) {
    size_t a = *(const size_t *)left, b = *(const size_t *)right;
    return a < b ? -1 : a > b;
}

static bool list_neighbours(size_t count, const block_pair *pairs, size_t pair_count, neighbours *n) {
    for (size_t p = 0; p < pair_count; p++) n[pairs[p].a].capacity++, n[pairs[p].b].capacity++;
    for (size_t i = 0; i < count; i++) {
        n[i].list = calloc(n[i].capacity + 1, sizeof *n[i].list);
        if (n[i].list == NULL) return false;
    }
    for (size_t p = 0; p < pair_count; p++) {
        size_t a = pairs[p].a, b = pairs[p].b;
        if (a == b) continue;
        n[a].list[n[a].count++] = b;
        n[b].list[n[b].count++] = a;
    }
    for (size_t i = 0; i < count; i++) {
        qsort(n[i].list, n[i].count, sizeof *n[i].list, compare_sizes);
        size_t kept = 0;
        for (size_t k = 0; k < n[i].count; k++)
            if (k == 0 || n[i].list[k] != n[i].list[k - 1]) n[i].list[kept++] = n[i].list[k];
        n[i].count = kept;
    }
    return true;
}

// Eliminates the block with the fewest neighbours, which then are all neighbours of each other, until none is left.
// What its neighbours were stays in n: that column of L.
static bool eliminate_graph(size_t count, neighbours *n, queue *q, size_t *order, size_t *spare) {
    for (size_t i = 0; i < count; i++) q->head[i] = SIZE_MAX;
    q->lowest = count;
    for (size_t i = count; i-- > 0;) put_in(q, i, n[i].count);
    for (size_t step = 0; step < count; step++) {
        while (q->head[q->lowest] == SIZE_MAX) q->lowest++;
        size_t block = q->head[q->lowest];
        take_out(q, block, n[block].count);
        order[step] = block;
        for (size_t k = 0; k < n[block].count; k++) {
            size_t other = n[block].list[k], degree = n[other].count;
            if (!merge(&n[other], &n[block], other, block, spare)) return false;
            take_out(q, other, degree);
            put_in(q, other, n[other].count);
        }
    }
    return true;
}

static block_pattern *lay_out(size_t count, const neighbours *n, const size_t *order) {
    size_t entries = 0;
    for (size_t i = 0; i < count; i++) entries += n[i].count;
    block_pattern *p = calloc(1, sizeof *p);
    size_t *memory = malloc((2 * count + 1 + entries) * sizeof *memory);
    if (p == NULL || memory == NULL) {
        free(p);
        free(memory);
        return NULL;
    }
    *p = (block_pattern){count, entries, memory, memory + count, memory + 2 * count + 1};
    for (size_t step = 0; step < count; step++) p->position[order[step]] = step;
    p->first[0] = 0;
    for (size_t step = 0; step < count; step++) {
        const neighbours *of = &n[order[step]];
        size_t *row = p->row + p->first[step];
        for (size_t k = 0; k < of->count; k++) row[k] = p->position[of->list[k]];
        qsort(row, of->count, sizeof *row, compare_sizes);
        p->first[step + 1] = p->first[step] + of->count;
    }
    return p;
}

block_pattern *block_pattern_find(size_t count, const block_pair *pairs, size_t pair_count) {
    block_pattern *pattern = NULL;
    neighbours *n = calloc(count + 1, sizeof *n);
    size_t *memory = malloc((6 * count + 1) * sizeof *memory);
    if (n != NULL && memory != NULL && list_neighbours(count, pairs, pair_count, n)) {
        queue q = {memory, memory + count, memory + 2 * count, 0};
        size_t *order = memory + 3 * count, *spare = memory + 4 * count;
        if (eliminate_graph(count, n, &q, order, spare)) pattern = lay_out(count, n, order);
    }
    for (size_t i = 0; i < count && n != NULL; i++) free(n[i].list);
    free(n);
    free(memory);
    return pattern;
}

void block_pattern_free(block_pattern *pattern) {
    if (pattern == NULL) return;
    free(pattern->position);
    free(pattern);
}

// ---- a given order --------------------------------------------------------------------------------------------------

struct block_planner {
    block_pattern pattern;
    size_t entry_capacity;
    size_t *memory;
    // Of each column, in the order of elimination: where its pairs begin; the last column that found it; its first
    // child, the column eliminated before whose first entry it is, and the next child of the same column.
    size_t *first_pair, *found, *child, *sibling; // the first has one more
    size_t *below;                                // pair_count: rows of pairs, by columns
};

block_planner *block_planner_make(size_t count, size_t pair_count, size_t entry_count) {
    block_planner *p = calloc(1, sizeof *p);
    size_t *memory = malloc((6 * count + 2 + pair_count + entry_count) * sizeof *memory);
    if (p == NULL || memory == NULL) {
        free(p);
        free(memory);
        return NULL;
    }
    *p = (block_planner){.entry_capacity = entry_count, .memory = memory};
    p->pattern.position = memory;
    p->pattern.first = memory + count;
    p->first_pair = p->pattern.first + count + 1;
    p->found = p->first_pair + count + 1;
    p->child = p->found + count;
    p->sibling = p->child + count;
    p->below = p->sibling + count;
    p->pattern.row = p->below + pair_count;
    return p;
}

void block_planner_free(block_planner *planner) {
    if (planner == NULL) return;
    free(planner->memory);
    free(planner);
}

static void sort_pairs(block_planner *p, size_t count, const size_t *position, const block_pair *pairs,
                       size_t pair_count) {
    size_t *first = p->first_pair;
    memset(first, 0, (count + 1) * sizeof *first);
    for (size_t k = 0; k < pair_count; k++) {
        size_t a = position[pairs[k].a], b = position[pairs[k].b];
        if (a != b) first[(a < b ? a : b) + 1]++;
    }
    for (size_t i = 0; i < count; i++) first[i + 1] += first[i];
    for (size_t k = pair_count; k-- > 0;) { // from each column's end, which first[i + 1] is, down
        size_t a = position[pairs[k].a], b = position[pairs[k].b];
        if (a != b) p->below[--first[(a < b ? a : b) + 1]] = a < b ? b : a;
    }
    // first[i + 1] is now where column i begins
    memmove(first, first + 1, count * sizeof *first);
}

static void sort_rows(size_t *row, size_t count) { // few, and mostly in order
    for (size_t i = 1; i < count; i++) {
        size_t value = row[i], k = i;
        for (; k > 0 && row[k - 1] > value; k--) row[k] = row[k - 1];
        row[k] = value;
    }
}

// Adds rows to a column, those that it does not have; false: no room.
static bool add_rows(block_planner *p, size_t column, const size_t *rows, size_t count, size_t *end) {
    for (size_t k = 0; k < count; k++) {
        if (rows[k] == column || p->found[rows[k]] == column) continue;
        if (*end == p->entry_capacity) return false;
        p->found[rows[k]] = column;
        p->pattern.row[(*end)++] = rows[k];
    }
    return true;
}

const block_pattern *block_planner_order(block_planner *p, size_t count, const size_t *position,
                                         const block_pair *pairs, size_t pair_count) {
    block_pattern *out = &p->pattern;
    size_t end = 0, used = 0;
    sort_pairs(p, count, position, pairs, pair_count);
    for (size_t k = 0; k < pair_count; k++) used += pairs[k].a != pairs[k].b;
    p->first_pair[count] = used;
    memcpy(out->position, position, count * sizeof *position);
    for (size_t i = 0; i < count; i++) p->found[i] = p->child[i] = SIZE_MAX;
    for (size_t i = 0; i < count; i++) { // what it is coupled with, and what its children's elimination couples it with
        size_t begin = out->first[i] = end;
        if (!add_rows(p, i, p->below + p->first_pair[i], p->first_pair[i + 1] - p->first_pair[i], &end)) return NULL;
        for (size_t c = p->child[i]; c != SIZE_MAX; c = p->sibling[c])
            if (!add_rows(p, i, out->row + out->first[c], out->first[c + 1] - out->first[c], &end)) return NULL;
        sort_rows(out->row + begin, end - begin);
        out->first[i + 1] = end;
        if (end == begin) continue;
        size_t parent = out->row[begin];
        p->sibling[i] = p->child[parent];
        p->child[parent] = i;
    }
    out->count = count;
    out->entry_count = end;
    return out;
}

// ---- matrix ---------------------------------------------------------------------------------------------------------

size_t block_matrix_doubles(const block_pattern *pattern) {
    return BLOCK_DOUBLES * (pattern->count + pattern->entry_count);
}

void block_matrix_place(block_matrix *m, const block_pattern *pattern, double *memory) {
    *m = (block_matrix){.pattern = pattern, .diagonal = memory, .below = memory + BLOCK_DOUBLES * pattern->count};
}

void block_clear(block_matrix *m) {
    memset(m->diagonal, 0, block_matrix_doubles(m->pattern) * sizeof(double)); // what is below follows it in memory
}

void block_add(block_matrix *m, size_t a, size_t b, const double values[BLOCK_DOUBLES]) {
    const block_pattern *p = m->pattern;
    size_t row = p->position[a], column = p->position[b];
    bool is_mirrored = row < column;
    if (row == column) {
        double *to = m->diagonal + BLOCK_DOUBLES * row;
        for (int k = 0; k < BLOCK_DOUBLES; k++) to[k] += values[k];
        return;
    }
    if (is_mirrored) {
        size_t swapped = row;
        row = column, column = swapped;
    }
    size_t entry = p->first[column];
    while (entry < p->first[column + 1] && p->row[entry] < row) entry++;
    assert(entry < p->first[column + 1] && p->row[entry] == row);
    double *to = m->below + BLOCK_DOUBLES * entry;
    for (int k = 0; k < BLOCK_SIZE; k++)
        for (int l = 0; l < BLOCK_SIZE; l++) to[4 * k + l] += values[is_mirrored ? 4 * l + k : 4 * k + l];
}

#if defined(__x86_64__)
#define CHOOSE(name, ...)                                                                                              \
    (cdg_processor_lanes() == CDG_LANES_AVX512 ? name##_avx512(__VA_ARGS__)                                            \
     : cdg_processor_lanes() == CDG_LANES_AVX2 ? name##_avx2(__VA_ARGS__)                                              \
                                               : name##_base(__VA_ARGS__))
#else
#define CHOOSE(name, ...) name##_base(__VA_ARGS__)
#endif

void block_factor(block_matrix *m) { CHOOSE(block_factor, m); }
void block_solve(const block_matrix *m, double *right, double *spare) { CHOOSE(block_solve, m, right, spare); }
void block_solve_units(const block_matrix *m, size_t block, double *out) { CHOOSE(block_solve_units, m, block, out); }
