// Broad phase (box_pairs.h): a tree of boxes walked by each of its leaves, and a hashed uniform grid.
#include "contact/box_groups.h"

#include "base/error.h"
#include "base/parallel.h"
#include "base/processor.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// What one thread compares: pairs of groups, and the pairs of boxes that come of them.
typedef struct cdg_box_part {
    size_t first, end; // pairs of groups
    cdg_pair_list found;
    size_t at; // in the list of all
    bool is_done;
} cdg_box_part;
// As many whoever takes them, and pairs of groups that are worth a second thread.
enum { PARTS = 16, PAIRS_WORTH = 500 };

void cdg_box_finder_free(cdg_box_finder *finder) {
    for (size_t k = 0; k < PARTS && finder->parts != NULL; k++) free(finder->parts[k].found.pairs);
    free(finder->parts);
    free(finder->pairs);
    free(finder->groups);
    free(finder->numbers);
    free(finder->keys);
    free(finder->sorting);
    *finder = (cdg_box_finder){.method = finder->method, .threads = finder->threads};
}

static const cdg_box_kernels *choose_kernels(void) {
    switch (cdg_processor_lanes()) {
#if defined(__x86_64__)
    case CDG_LANES_AVX512: return &cdg_box_kernels_avx512;
    case CDG_LANES_AVX2: return &cdg_box_kernels_avx2;
#endif
    default: return &cdg_box_kernels_base;
    }
}

// Makes room for `count` entries; what is there is kept. False: no memory.
static bool reserve(void **block, size_t *capacity, size_t count, size_t size) {
    if (count <= *capacity) return true;
    size_t wanted = count + count / 2 + 64;
    if (wanted > SIZE_MAX / size) return false;
    void *grown = realloc(*block, wanted * size);
    if (grown == NULL) return false;
    *block = grown;
    *capacity = wanted;
    return true;
}

static bool grow_list(cdg_pair_list *list, size_t more) {
    return reserve((void **)&list->pairs, &list->capacity, list->count + more, sizeof *list->pairs);
}

typedef struct search {
    cdg_box_finder *finder;
    const cdg_box *boxes;
    size_t count;
    size_t group_count; // boxes by eight, in their order
    const cdg_box_kernels *kernels;
    cdg_pair_filter filter; // NULL: all are of interest
    const void *user;
    cdg_pair_list found, between; // pairs of boxes; pairs of groups, or what waits to be sorted
    const cdg_box *leaf_boxes;    // around the groups
} search;

// Of a list's pairs from `first` on, keeps those of interest.
static void sift(const search *s, cdg_pair_list *list, size_t first) {
    if (s->filter == NULL) return;
    size_t kept = first;
    for (size_t k = first; k < list->count; k++)
        if (s->filter(s->user, list->pairs[k].a, list->pairs[k].b)) list->pairs[kept++] = list->pairs[k];
    list->count = kept;
}

// ---- groups ---------------------------------------------------------------------------------------------------------

// Overlaps nothing, whatever the other is.
static void clear_box(cdg_box_group *group, size_t index) {
    for (int k = 0; k < 3; k++) {
        group->low[k][index] = NAN;
        group->high[k][index] = NAN;
    }
}

static void set_box(cdg_box_group *group, size_t index, const cdg_box *box) {
    for (int k = 0; k < 3; k++) {
        group->low[k][index] = box->low[k];
        group->high[k][index] = box->high[k];
    }
}

// The box around a group's boxes; not-a-number counts for nothing.
static cdg_box around(const cdg_box_group *group) {
    cdg_box box;
    for (int k = 0; k < 3; k++) {
        double low = HUGE_VAL, high = -HUGE_VAL;
        for (int i = 0; i < CDG_GROUP; i++) {
            low = group->low[k][i] < low ? group->low[k][i] : low;
            high = group->high[k][i] > high ? group->high[k][i] : high;
        }
        box.low[k] = low;
        box.high[k] = high;
    }
    return box;
}

// In the order given by `order`; NULL: as they are.
static void group_boxes(const search *s, cdg_box_group *groups, const uint32_t *order) {
    for (size_t i = 0; i < s->count; i++)
        set_box(&groups[i / CDG_GROUP], i % CDG_GROUP, &s->boxes[order != NULL ? order[i] : i]);
    for (size_t i = s->count; i < s->group_count * CDG_GROUP; i++) clear_box(&groups[i / CDG_GROUP], i % CDG_GROUP);
}

// ---- order in space -------------------------------------------------------------------------------------------------

// A box's middle. What is not finite counts as 0: any order gives the right pairs, some orders take longer.
static double middle(const cdg_box *box, int k) {
    double m = 0.5 * box->low[k] + 0.5 * box->high[k];
    return isfinite(m) ? m : 0;
}

static uint64_t spread_bits(uint64_t a) { // 10 bits, two zeros after each
    a = (a | a << 16) & 0x30000FF;
    a = (a | a << 8) & 0x300F00F;
    a = (a | a << 4) & 0x30C30C3;
    return (a | a << 2) & 0x9249249;
}

// Position on Morton's curve through 1024^3 cells.
static uint64_t curve_key(const cdg_box *box, const double low[3], const double scale[3]) {
    uint64_t key = 0;
    for (int k = 0; k < 3; k++) {
        double at = (middle(box, k) - low[k]) * scale[k];
        key |= spread_bits(at > 0 ? (at < 1023 ? (uint64_t)at : 1023) : 0) << k;
    }
    return key;
}

// Sorts keys, each with a number in its low half, by the `bits` bits from bit 32 on; the order of equal keys is kept.
static void sort_keys(uint64_t *keys, uint64_t *spare, size_t count, int bits) {
    enum { DIGIT = 10 };
    for (int shift = 32; shift < 32 + bits; shift += DIGIT) {
        uint32_t start[(1 << DIGIT) + 1] = {0};
        for (size_t i = 0; i < count; i++) start[(keys[i] >> shift & ((1 << DIGIT) - 1)) + 1]++;
        for (int d = 0; d < 1 << DIGIT; d++) start[d + 1] += start[d];
        for (size_t i = 0; i < count; i++) spare[start[keys[i] >> shift & ((1 << DIGIT) - 1)]++] = keys[i];
        uint64_t *swap = keys;
        keys = spare, spare = swap;
    }
}
enum { CURVE_BITS = 30 }; // an odd number of digits: the sorted keys are in the spare array

// ---- order of pairs -------------------------------------------------------------------------------------------------

// Counts into `start` (size + 1), then puts each pair where its a, or its b, belongs; the order of equal ones is kept.
static void place_pairs(const cdg_box_pair *from, cdg_box_pair *to, size_t count, bool by_a, uint32_t *start,
                        size_t size) {
    memset(start, 0, (size + 1) * sizeof *start);
    for (size_t k = 0; k < count; k++) start[(by_a ? from[k].a : from[k].b) + 1]++;
    for (size_t i = 0; i < size; i++) start[i + 1] += start[i];
    for (size_t k = 0; k < count; k++) to[start[by_a ? from[k].a : from[k].b]++] = from[k];
}

// Sorts by a, then b, numbers below `size`.
static void sort_pairs(cdg_box_pair *pairs, cdg_box_pair *spare, size_t count, uint32_t *start, size_t size) {
    place_pairs(pairs, spare, count, false, start, size);
    place_pairs(spare, pairs, count, true, start, size);
}

// ---- tree -----------------------------------------------------------------------------------------------------------

// Fills the levels above the leaves; `ranked` gets the number of the leaf at each rank.
static cdg_box_tree build_tree(search *s, cdg_box_group *level, cdg_box *leaf_boxes, uint64_t *keys, uint32_t *ranked) {
    const size_t leaf_count = s->group_count;
    double low[3], high[3], scale[3];
    for (int k = 0; k < 3; k++) low[k] = HUGE_VAL, high[k] = -HUGE_VAL;
    for (size_t i = 0; i < leaf_count; i++) {
        leaf_boxes[i] = around(&s->finder->groups[i]);
        for (int k = 0; k < 3; k++) {
            double at = middle(&leaf_boxes[i], k);
            low[k] = at < low[k] ? at : low[k];
            high[k] = at > high[k] ? at : high[k];
        }
    }
    for (int k = 0; k < 3; k++) scale[k] = high[k] > low[k] ? 1024 / (high[k] - low[k]) : 0;
    for (size_t i = 0; i < leaf_count; i++) keys[i] = curve_key(&leaf_boxes[i], low, scale) << 32 | i;
    uint64_t *sorted = keys + leaf_count;
    sort_keys(keys, sorted, leaf_count, CURVE_BITS);

    cdg_box_tree tree = {.leaf_count = leaf_count};
    for (size_t rank = 0; rank < leaf_count; rank++) {
        ranked[rank] = (uint32_t)sorted[rank];
        set_box(&level[rank / CDG_GROUP], rank % CDG_GROUP, &leaf_boxes[ranked[rank]]);
    }
    for (size_t count = leaf_count;;) {
        size_t groups = (count + CDG_GROUP - 1) / CDG_GROUP;
        for (size_t i = count; i < groups * CDG_GROUP; i++) clear_box(&level[i / CDG_GROUP], i % CDG_GROUP);
        tree.level[tree.level_count++] = level;
        if (groups == 1) return tree;
        for (size_t i = 0; i < groups; i++) {
            cdg_box box = around(&level[i]);
            set_box(&level[groups + i / CDG_GROUP], i % CDG_GROUP, &box);
        }
        level += groups;
        count = groups;
    }
}

// Boxes of pairs of groups, from `first` to before `end` in their order. False: no memory.
static bool compare_leaves(const search *s, size_t first, size_t end, cdg_pair_list *out) {
    cdg_box_pair *sorted = s->between.pairs;
    for (size_t next; first < end; first = next) {
        size_t before = out->count;
        for (next = first + 1; next < end && sorted[next].a == sorted[first].a;) next++;
        if (!s->kernels->compare_groups(s->finder->groups, s->leaf_boxes, sorted[first].a, &sorted[first], next - first,
                                        out))
            return false;
        sift(s, out, before);
    }
    return true;
}

static void compare_part(void *user, size_t index, int thread) {
    const search *s = user;
    cdg_box_part *part = &s->finder->parts[index];
    (void)thread;
    part->found.count = 0;
    part->is_done = compare_leaves(s, part->first, part->end, &part->found);
}

static void join_part(void *user, size_t index, int thread) {
    const search *s = user;
    const cdg_box_part *part = &s->finder->parts[index];
    (void)thread;
    if (part->found.count > 0)
        memcpy(s->found.pairs + part->at, part->found.pairs, part->found.count * sizeof *part->found.pairs);
}

// All of a group's pairs are in one part.
static void divide(const search *s, size_t count) {
    const cdg_box_pair *sorted = s->between.pairs;
    for (size_t k = 0, first = 0; k < PARTS; k++) {
        size_t end = count * (k + 1) / PARTS;
        if (end < first) end = first;
        while (end > 0 && end < count && sorted[end].a == sorted[end - 1].a) end++;
        s->finder->parts[k].first = first, s->finder->parts[k].end = end;
        first = end;
    }
}

// Parts' pairs in their order are those of one thread.
static bool compare_in_parts(search *s, size_t count) {
    cdg_box_finder *finder = s->finder;
    if (finder->parts == NULL) {
        finder->parts = calloc(PARTS, sizeof *finder->parts);
        if (finder->parts == NULL) return false;
        for (size_t k = 0; k < PARTS; k++) finder->parts[k].found.grow = grow_list;
    }
    divide(s, count);
    cdg_parallel_for(PARTS, finder->threads, compare_part, s);
    size_t found = 0;
    for (size_t k = 0; k < PARTS; k++) {
        if (!finder->parts[k].is_done) return false;
        finder->parts[k].at = found;
        found += finder->parts[k].found.count;
    }
    if (found > s->found.capacity && !grow_list(&s->found, found)) return false;
    cdg_parallel_for(PARTS, finder->threads, join_part, s);
    s->found.count = found;
    return true;
}

static bool find_by_tree(search *s) {
    cdg_box_finder *finder = s->finder;
    const size_t leaves = s->group_count;
    // All levels together have less than leaves / 7 groups, and one more for each level that is not full.
    const size_t level_groups = leaves / 7 + CDG_TREE_LEVELS_MAX;
    const size_t box_groups = leaves * sizeof(cdg_box) / sizeof(cdg_box_group) + 1; // room for the leaves' boxes
    if (!reserve((void **)&finder->groups, &finder->group_capacity, leaves + level_groups + box_groups,
                 sizeof *finder->groups) ||
        !reserve((void **)&finder->keys, &finder->key_capacity, 2 * leaves, sizeof *finder->keys) ||
        !reserve((void **)&finder->numbers, &finder->number_capacity, 2 * leaves + 1, sizeof *finder->numbers))
        return false;
    group_boxes(s, finder->groups, NULL);
    cdg_box *leaf_boxes = (cdg_box *)(void *)(finder->groups + leaves + level_groups);
    uint32_t *ranked = finder->numbers, *start = ranked + leaves;
    cdg_box_tree tree = build_tree(s, finder->groups + leaves, leaf_boxes, finder->keys, ranked);
    if (!s->kernels->find_leaves(&tree, &s->between)) return false;

    // From ranks to numbers of leaves, in order, so that the pairs of boxes come out in order too.
    size_t count = s->between.count;
    for (size_t k = 0; k < count; k++) {
        uint32_t a = ranked[s->between.pairs[k].a], b = ranked[s->between.pairs[k].b];
        s->between.pairs[k] = (cdg_box_pair){a < b ? a : b, a < b ? b : a};
    }
    s->between.count = 2 * count; // the upper half is spare
    if (s->between.count > s->between.capacity && !grow_list(&s->between, 0)) return false;
    sort_pairs(s->between.pairs, s->between.pairs + count, count, start, leaves);
    s->leaf_boxes = leaf_boxes;
    if (s->finder->threads < 2 || count < PAIRS_WORTH) return compare_leaves(s, 0, count, &s->found);
    return compare_in_parts(s, count);
}

// ---- grid -----------------------------------------------------------------------------------------------------------

// Boxes up to a cell's width overlap only when their middles are in the same or in neighbouring cells. The cell is
// as wide as the widest box but for those of more than twice the median, which are compared with all. Cells share the
// buckets of a hash table; in each bucket boxes are sorted by cell.
enum { CELL_BITS = 20 }; // of a cell's coordinate
static const uint64_t no_cell = UINT64_MAX;

typedef struct grid {
    double low[3], inverse;
    uint32_t *start; // bucket count + 1: where a bucket's boxes begin in `order`
    uint32_t *order; // box indices by bucket, then cell
    uint64_t *cell;  // of each in `order`
    uint32_t bucket_mask;
} grid;

static uint32_t bucket_of(const grid *g, uint64_t cell) {
    uint64_t hash = cell * 0x9E3779B97F4A7C15u;
    hash ^= hash >> 29;
    return (uint32_t)(hash * 0xBF58476D1CE4E5B9u >> 32) & g->bucket_mask;
}

// One cell of margin keeps the neighbours of the lowest cells from falling below zero.
static uint64_t cell_of(const grid *g, const cdg_box *box) {
    uint64_t cell = 0;
    for (int k = 0; k < 3; k++) {
        double at = (0.5 * box->low[k] + 0.5 * box->high[k] - g->low[k]) * g->inverse + 1;
        at = at > 1 ? (at < 1 << CELL_BITS ? at : 1 << CELL_BITS) : 1; // not-a-number (absurdly far apart) too
        cell |= (uint64_t)at << (CELL_BITS + 1) * k;
    }
    return cell;
}

static double width_of(const cdg_box *box) {
    return fmax(fmax(box->high[0] - box->low[0], box->high[1] - box->low[1]), box->high[2] - box->low[2]);
}

static int compare_doubles(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

// The median of a sample of the boxes, because it need only be about right.
static double median_width(const search *s) {
    enum { SAMPLE = 255 };
    double widths[SAMPLE];
    size_t stride = (s->count + SAMPLE - 1) / SAMPLE, count = 0;
    for (size_t i = 0; i < s->count; i += stride) {
        double width = width_of(&s->boxes[i]);
        if (width >= 0 && isfinite(width)) widths[count++] = width;
    }
    if (count == 0) return 0;
    qsort(widths, count, sizeof *widths, compare_doubles);
    return widths[count / 2];
}

// Whether a box may be found by its cell. Others are large, turned inside out, or not finite.
static bool fits_cell(const cdg_box *box, double width) {
    double own = width_of(box);
    for (int k = 0; k < 3; k++)
        if (!isfinite(box->low[k]) || !isfinite(box->high[k]) || box->high[k] < box->low[k]) return false;
    return own <= width;
}

// By bucket, and in a bucket by cell, then by box; those without a cell at the end.
static void fill_grid(const search *s, grid *g, const uint64_t *cell_of_box) {
    memset(g->start, 0, ((size_t)g->bucket_mask + 2) * sizeof *g->start);
    for (size_t i = 0; i < s->count; i++)
        if (cell_of_box[i] != no_cell) g->start[bucket_of(g, cell_of_box[i]) + 1]++;
    for (size_t k = 0; k <= g->bucket_mask; k++) g->start[k + 1] += g->start[k];
    for (size_t i = 0; i < s->count; i++) {
        if (cell_of_box[i] == no_cell) continue;
        uint32_t at = g->start[bucket_of(g, cell_of_box[i])]++;
        g->order[at] = (uint32_t)i;
        g->cell[at] = cell_of_box[i];
    }
    uint32_t at_end = (uint32_t)s->count;
    for (size_t i = s->count; i-- > 0;)
        if (cell_of_box[i] == no_cell) g->order[--at_end] = (uint32_t)i;
    for (size_t k = g->bucket_mask + 1; k > 0; k--) g->start[k] = g->start[k - 1];
    g->start[0] = 0;
    for (size_t k = 0; k <= g->bucket_mask; k++) // different cells in one bucket are few
        for (uint32_t i = g->start[k] + 1; i < g->start[k + 1]; i++) {
            uint64_t cell = g->cell[i];
            uint32_t box = g->order[i], at = i;
            for (; at > g->start[k] && g->cell[at - 1] > cell; at--)
                g->cell[at] = g->cell[at - 1], g->order[at] = g->order[at - 1];
            g->cell[at] = cell, g->order[at] = box;
        }
}

// A cell is compared with itself and with half of its neighbours; these do it with the other half.
static bool compare_cells(search *s, const grid *g, size_t small_count) {
    bool (*compare)(const cdg_box_group *, size_t, size_t, size_t, size_t, cdg_pair_list *) =
        s->kernels->compare_ranges;
    int64_t forward[13];
    int forward_count = 0;
    for (int n = 14; n < 27; n++)
        forward[forward_count++] = (n % 3 - 1) + (int64_t)(n / 3 % 3 - 1) * (1 << (CELL_BITS + 1)) +
                                   (int64_t)(n / 9 - 1) * ((int64_t)1 << 2 * (CELL_BITS + 1));
    for (uint32_t first = 0, end; first < small_count; first = end) {
        uint64_t cell = g->cell[first];
        for (end = first + 1; end < small_count && g->cell[end] == cell;) end++;
        if (!compare(s->finder->groups, first, end, first, end, &s->between)) return false;
        for (int n = 0; n < forward_count; n++) {
            uint64_t wanted = cell + (uint64_t)forward[n];
            uint32_t bucket = bucket_of(g, wanted), other = g->start[bucket], bucket_end = g->start[bucket + 1];
            while (other < bucket_end && g->cell[other] < wanted) other++;
            uint32_t other_end = other;
            while (other_end < bucket_end && g->cell[other_end] == wanted) other_end++;
            if (other < other_end && !compare(s->finder->groups, first, end, other, other_end, &s->between))
                return false;
        }
    }
    return true;
}

static bool find_by_grid(search *s) {
    cdg_box_finder *finder = s->finder;
    double most = 2 * median_width(s), width = 0, extent = 0, low[3], high[3];
    for (int k = 0; k < 3; k++) low[k] = HUGE_VAL, high[k] = -HUGE_VAL;
    for (size_t i = 0; i < s->count; i++) {
        double own = width_of(&s->boxes[i]);
        if (own <= most && own > width) width = own;
        for (int k = 0; k < 3; k++) {
            double at = middle(&s->boxes[i], k);
            low[k] = at < low[k] ? at : low[k];
            high[k] = at > high[k] ? at : high[k];
        }
    }
    for (int k = 0; k < 3; k++) extent = fmax(extent, high[k] - low[k]);
    // Not so many cells that their number overflows.
    width = fmax(width, extent / (1 << (CELL_BITS - 1)));
    uint32_t buckets = 64;
    while (buckets < 2 * s->count && buckets < 1u << 30) buckets *= 2;
    if (!reserve((void **)&finder->groups, &finder->group_capacity, s->group_count, sizeof *finder->groups) ||
        !reserve((void **)&finder->keys, &finder->key_capacity, 2 * s->count, sizeof *finder->keys) ||
        !reserve((void **)&finder->numbers, &finder->number_capacity, (size_t)buckets + 2 + s->count,
                 sizeof *finder->numbers))
        return false;
    grid g = {.inverse = width > 0 ? 1 / width : 0, .bucket_mask = buckets - 1};
    for (int k = 0; k < 3; k++) g.low[k] = low[k];
    g.start = finder->numbers;
    g.order = g.start + buckets + 2;
    g.cell = finder->keys + s->count;
    uint64_t *cell_of_box = finder->keys;
    size_t small_count = 0;
    for (size_t i = 0; i < s->count; i++) {
        bool is_small = isfinite(g.inverse) && fits_cell(&s->boxes[i], width);
        cell_of_box[i] = is_small ? cell_of(&g, &s->boxes[i]) : no_cell;
        small_count += is_small;
    }
    fill_grid(s, &g, cell_of_box);
    group_boxes(s, finder->groups, g.order);
    if (!compare_cells(s, &g, small_count)) return false;
    bool (*compare)(const cdg_box_group *, size_t, size_t, size_t, size_t, cdg_pair_list *) =
        s->kernels->compare_ranges;
    if (!compare(finder->groups, small_count, s->count, 0, small_count, &s->between) ||
        !compare(finder->groups, small_count, s->count, small_count, s->count, &s->between))
        return false;
    for (size_t k = 0; k < s->between.count; k++) { // from indices in `order` to boxes
        uint32_t a = g.order[s->between.pairs[k].a], b = g.order[s->between.pairs[k].b];
        s->between.pairs[k] = (cdg_box_pair){a < b ? a : b, a < b ? b : a};
    }
    s->found.count = s->between.count;
    if (s->found.count > s->found.capacity && !grow_list(&s->found, 0)) return false;
    sort_pairs(s->between.pairs, s->found.pairs, s->found.count, finder->numbers, s->count);
    cdg_pair_list sorted = s->between;
    s->between = s->found, s->found = sorted;
    sift(s, &s->found, 0);
    return true;
}

// ---- choice ---------------------------------------------------------------------------------------------------------

// Whether boxes that follow each other lie near each other, as those of rods do: the tree lives by it. The box around
// eight in a row is then not much larger than the eight together. Judged by a sample.
static bool is_in_order(const search *s) {
    enum { SAMPLE = 256, LARGEST = 4 };
    size_t stride = 1 + s->group_count / SAMPLE, loose = 0, seen = 0;
    for (size_t g = 0; g < s->group_count; g += stride) {
        double sum = 0, low[3], high[3];
        for (int k = 0; k < 3; k++) low[k] = HUGE_VAL, high[k] = -HUGE_VAL;
        for (size_t i = g * CDG_GROUP; i < (g + 1) * CDG_GROUP && i < s->count; i++) {
            const cdg_box *box = &s->boxes[i];
            sum += (box->high[0] - box->low[0]) * (box->high[1] - box->low[1]) * (box->high[2] - box->low[2]);
            for (int k = 0; k < 3; k++) {
                low[k] = box->low[k] < low[k] ? box->low[k] : low[k];
                high[k] = box->high[k] > high[k] ? box->high[k] : high[k];
            }
        }
        loose += (high[0] - low[0]) * (high[1] - low[1]) * (high[2] - low[2]) > LARGEST * sum;
        seen++;
    }
    return 2 * loose <= seen;
}

// Whether the grid would compare only few boxes with all others.
static bool are_alike(const search *s) {
    double most = 2 * median_width(s);
    size_t wide = 0;
    for (size_t i = 0; i < s->count; i++) wide += !(width_of(&s->boxes[i]) <= most);
    return wide <= 8 + s->count / 1000;
}

cdg_result cdg_box_finder_find(cdg_box_finder *finder, const cdg_box *boxes, size_t count, cdg_pair_filter filter,
                               const void *user, cdg_error *error) {
    finder->pair_count = 0;
    if (count >= UINT32_MAX / 4)
        return cdg_fail(error, CDG_ERROR_ARGUMENT, "contact takes at most a billion pieces, not %zu", count);
    if (count < 2) return CDG_OK;
    search s = {.finder = finder,
                .boxes = boxes,
                .count = count,
                .group_count = (count + CDG_GROUP - 1) / CDG_GROUP,
                .kernels = choose_kernels(),
                .filter = filter,
                .user = user,
                .found = {finder->pairs, 0, finder->pair_capacity, grow_list},
                .between = {finder->sorting, 0, finder->sorting_capacity, grow_list}};
    bool by_grid =
        finder->method == CDG_BROAD_GRID || (finder->method == CDG_BROAD_AUTO && !is_in_order(&s) && are_alike(&s));
    bool is_done = by_grid ? find_by_grid(&s) : find_by_tree(&s);
    finder->pairs = s.found.pairs, finder->pair_capacity = s.found.capacity;
    finder->sorting = s.between.pairs, finder->sorting_capacity = s.between.capacity;
    if (!is_done) return cdg_fail(error, CDG_ERROR_MEMORY, "no memory for contacts among %zu pieces", count);
    finder->pair_count = s.found.count;
    return CDG_OK;
}

// ---- between two lots -----------------------------------------------------------------------------------------------

// Comparisons of each with each, eight at a time: where they are more, a tree has fewer.
enum { COMPARED_MAX = 1 << 16 };

// The first `split` boxes are of the first lot.
static bool are_of_both(const void *user, uint32_t a, uint32_t b) {
    size_t split = *(const size_t *)user;
    return a < split && b >= split;
}

cdg_result cdg_box_finder_find_between(cdg_box_finder *finder, const cdg_box *boxes, size_t split, size_t count,
                                       cdg_error *error) {
    finder->pair_count = 0;
    if (split == 0 || split >= count) return CDG_OK;
    if (count - split > COMPARED_MAX / split)
        return cdg_box_finder_find(finder, boxes, count, are_of_both, &split, error);
    search s = {.finder = finder,
                .boxes = boxes,
                .count = count,
                .group_count = (count + CDG_GROUP - 1) / CDG_GROUP,
                .kernels = choose_kernels(),
                .found = {finder->pairs, 0, finder->pair_capacity, grow_list}};
    bool is_done = reserve((void **)&finder->groups, &finder->group_capacity, s.group_count, sizeof *finder->groups);
    if (is_done) {
        group_boxes(&s, finder->groups, NULL);
        is_done = s.kernels->compare_ranges(finder->groups, 0, split, split, count, &s.found);
        finder->pairs = s.found.pairs, finder->pair_capacity = s.found.capacity;
    }
    if (!is_done) return cdg_fail(error, CDG_ERROR_MEMORY, "no memory for contacts among %zu pieces", count);
    finder->pair_count = s.found.count;
    return CDG_OK;
}
