// Sweeps over contacts of explicit rods: colours, batches, and going further along the way of the forces
// (contact_sweep.h).
#include "contact/contact_sweep.h"

#include "base/parallel.h"
#include "base/processor.h"
#include "contact/contact_halves.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Between two sweeps over all batches: how many sweeps over those that have not come to rest, and what counts as rest,
// in tolerances.
enum { SWEEPS_BETWEEN = 20 };
static const float rest = 0.25F;
enum { FEW = 128 };
// Numbers of batches: those that a thread takes at once; those that are worth a second thread in making them where one
// thread would sweep them all, in a pass over a colour, and in one over both halves; and those from which on more
// threads share colours out instead of two taking halves. Sums are made part by part, whichever thread takes a part.
enum { PART = 8, BATCHES_WORTH = 500, WIDE_WORTH = 32, VISITS_WORTH = 12, HALVES_WORTH = 24, COLOURS_WORTH = 2000 };
// Steps of the search for sliding friction in the first sweep; later ones go on from there, one a sweep.
enum { FIRST_TIMES = 4 };

static const cdg_sweep_kernels *choose_kernels(void) {
    switch (cdg_processor_lanes()) {
#if defined(__x86_64__)
    case CDG_LANES_AVX512: return &cdg_sweep_kernels_avx512;
    case CDG_LANES_AVX2: return &cdg_sweep_kernels_avx2;
#endif
    default: return &cdg_sweep_kernels_base;
    }
}

// ---- memory ---------------------------------------------------------------------------------------------------------

void cdg_sweeper_free(cdg_sweeper *sweeper) {
    free(sweeper->batches);
    free(sweeper->more);
    free(sweeper->order);
    free(sweeper->colour_at);
    free(sweeper->spare_at);
    free(sweeper->half_at);
    free(sweeper->by_half);
    free(sweeper->is_restless);
    free(sweeper->rows);
    free(sweeper->parts);
    free(sweeper->sums);
    free(sweeper->colours);
    free(sweeper->y);
    free(sweeper->waiting);
    free(sweeper->colour_of);
    free(sweeper->half_of);
    *sweeper = (cdg_sweeper){0};
}

enum { LINE = 8 }; // numbers

static size_t to_lines(size_t numbers) { return (numbers + LINE - 1) / LINE * LINE; }

// Where y has points and elements.
static void lay_out(cdg_sweeper *it, const cdg_sweep_problem *problem) {
    const size_t count[2] = {problem->point_count, problem->element_count}, entry[2] = {4, 1};
    for (int k = 0; k < 2; k++) {
        it->gap[k] = it->is_halved ? (to_lines(it->cut[k] * entry[k]) - it->cut[k] * entry[k]) / entry[k] : 0;
        it->spare_from[k] = to_lines((count[k] + it->gap[k]) * entry[k]) / entry[k];
    }
}

static size_t point_at(const cdg_sweeper *it, size_t point) {
    return 4 * (point + (point >= it->cut[0] ? it->gap[0] : 0));
}

static size_t element_at(const cdg_sweeper *it, size_t element) {
    return element + (element >= it->cut[1] ? it->gap[1] : 0);
}

static size_t turn_from(const cdg_sweeper *it) { return 4 * (it->spare_from[0] + to_lines(it->spare)); }

// Whole cache lines.
static size_t y_size(const cdg_sweeper *it) { return turn_from(it) + to_lines(it->spare_from[1] + it->spare); }

static bool reserve_y(cdg_sweeper *it) {
    size_t size = y_size(it);
    if (size <= it->y_capacity) return true;
    free(it->y);
    it->y_capacity = 0;
    it->y = aligned_alloc(64, 3 * size * sizeof *it->y);
    if (it->y == NULL) return false;
    it->y_capacity = size;
    return true;
}

// As many as there are batches: parts are no more.
static bool reserve_parts(cdg_sweeper *it) {
    if (it->batch_count <= it->part_capacity) return true;
    free(it->parts);
    free(it->sums);
    it->part_capacity = 0;
    it->parts = malloc((it->batch_capacity + 1) * sizeof *it->parts);
    it->sums = aligned_alloc(64, (it->batch_capacity + 1) * sizeof *it->sums);
    if (it->parts == NULL || it->sums == NULL) return false;
    it->part_capacity = it->batch_capacity;
    return true;
}

static bool reserve(cdg_sweeper *it, const cdg_sweep_problem *problem) {
    if (problem->point_count > it->point_capacity) {
        free(it->colours);
        it->point_capacity = 0;
        it->colours = malloc(problem->point_count * sizeof *it->colours);
        if (it->colours == NULL) return false;
        it->point_capacity = problem->point_count;
    }
    if (problem->row_count > it->row_capacity) {
        size_t capacity = problem->row_count + problem->row_count / 2;
        free(it->waiting);
        free(it->colour_of);
        free(it->half_of);
        it->row_capacity = 0;
        it->waiting = malloc(capacity * sizeof *it->waiting);
        it->colour_of = malloc(capacity * sizeof *it->colour_of);
        it->half_of = malloc(capacity * sizeof *it->half_of);
        if (it->waiting == NULL || it->colour_of == NULL || it->half_of == NULL) return false;
        it->row_capacity = capacity;
    }
    return true;
}

static bool reserve_more(cdg_sweeper *it) {
    if (it->batch_capacity <= it->more_capacity) return true;
    free(it->more);
    it->more_capacity = 0;
    it->more = aligned_alloc(64, it->batch_capacity * sizeof *it->more);
    if (it->more == NULL) return false;
    it->more_capacity = it->batch_capacity;
    return true;
}

// False: no memory; what was there is as it was.
static bool grow(uint32_t **list, size_t count) {
    uint32_t *grown = realloc(*list, count * sizeof **list);
    if (grown != NULL) *list = grown;
    return grown != NULL;
}

static bool reserve_batches(cdg_sweeper *it, size_t count) {
    if (count <= it->batch_capacity) return true;
    size_t capacity = count + count / 2;
    if (!grow(&it->order, 2 * capacity) || !grow(&it->colour_at, capacity) || !grow(&it->spare_at, capacity) ||
        !grow(&it->half_at, capacity) || !grow(&it->by_half, capacity) || !grow(&it->rows, CDG_BATCH * capacity))
        return false;
    bool *is_restless = realloc(it->is_restless, capacity * sizeof *is_restless);
    if (is_restless == NULL) return false;
    it->is_restless = is_restless;
    free(it->batches); // they are filled when all are listed
    it->batch_capacity = 0;
    it->batches = aligned_alloc(64, (capacity * sizeof *it->batches + 63) / 64 * 64);
    if (it->batches == NULL) return false;
    it->batch_capacity = capacity;
    return true;
}

// ---- batches --------------------------------------------------------------------------------------------------------

// Lists a batch, without rows yet. `spare`: its own entries in y for lanes that are empty.
static void list_batch(cdg_sweeper *it, uint32_t colour, uint32_t half, size_t spare) {
    size_t number = it->batch_count++;
    it->colour_at[number] = colour;
    it->half_at[number] = half;
    it->spare_at[number] = (uint32_t)spare;
    if (spare >= it->spare) it->spare = spare + 1;
    for (int lane = 0; lane < CDG_BATCH; lane++) it->rows[CDG_BATCH * number + (size_t)lane] = UINT32_MAX;
}

// Empty lanes are those of what never moves: the still point and the last element (pieces.h).
static void clear_batch(cdg_sweeper *it, size_t number, const cdg_sweep_problem *problem) {
    cdg_sweep_batch *batch = &it->batches[number];
    size_t spare = it->spare_at[number];
    memset(batch, 0, sizeof *batch);
    int32_t at_point = 4 * (int32_t)(it->spare_from[0] + spare);
    int32_t at_element = (int32_t)(it->spare_from[1] + spare);
    if (problem->fill_wide != NULL) memset(&it->more[number], 0, sizeof *it->more);
    for (int lane = 0; lane < CDG_BATCH; lane++) {
        batch->row[lane] = UINT32_MAX;
        batch->tolerance[lane] = 1;
        for (int i = 0; i < 2; i++) batch->element[i][lane] = (int32_t)problem->element_count - 1;
        for (int i = 0; i < 4; i++) batch->at_point[i][lane] = at_point;
        for (int i = 0; i < 2; i++) batch->at_element[i][lane] = at_element;
        for (int i = 0; i < 2 && problem->fill_wide != NULL; i++) it->more[number].at_point[i][lane] = at_point;
    }
}

static void set_lane(cdg_sweeper *it, size_t index, const cdg_sweep_problem *problem, uint32_t number) {
    cdg_sweep_batch *batch = &it->batches[index / CDG_BATCH];
    const cdg_sweep_link *link = &problem->links[number];
    size_t lane = index % CDG_BATCH;
    batch->row[lane] = number;
    for (int i = 0; i < 2 && problem->fill_wide != NULL; i++) {
        cdg_sweep_more *more = &it->more[index / CDG_BATCH];
        more->point[i][lane] = 4 * (int32_t)link->more[i];
        if (problem->give[link->more[i]] > 0) more->at_point[i][lane] = (int32_t)point_at(it, link->more[i]);
    }
    for (int i = 0; i < 4; i++) {
        batch->point[i][lane] = 4 * (int32_t)link->point[i];
        if (problem->give[link->point[i]] > 0) batch->at_point[i][lane] = (int32_t)point_at(it, link->point[i]);
    }
    for (int i = 0; i < 2; i++) {
        batch->element[i][lane] = (int32_t)link->element[i];
        if (problem->turn_give[link->element[i]] > 0)
            batch->at_element[i][lane] = (int32_t)element_at(it, link->element[i]);
    }
}

static void fill(cdg_sweeper *it, size_t number, const cdg_sweep_problem *problem) {
    clear_batch(it, number, problem);
    for (size_t index = CDG_BATCH * number; index < CDG_BATCH * (number + 1); index++)
        if (it->rows[index] != UINT32_MAX) set_lane(it, index, problem, it->rows[index]);
    if (problem->fill_wide != NULL)
        problem->fill_wide(problem->user, &it->batches[number], &it->more[number]);
    else
        problem->fill(problem->user, &it->batches[number]);
}

enum { COLOURS = 64, NO_COLOUR = COLOURS };

// Gives rows the first colour that none of their points has. Rows for which 64 colours are not enough have none.
static void choose_colours(cdg_sweeper *it, const cdg_sweep_problem *problem, size_t count) {
    memset(it->colours, 0, problem->point_count * sizeof *it->colours);
    for (size_t i = 0; i < count; i++) {
        const cdg_sweep_link *link = &problem->links[it->waiting[i]];
        uint64_t taken = 0;
        for (int k = 0; k < 4; k++) // points that do not move may be shared, if elements between them do not turn
            if (problem->give[link->point[k]] > 0 || problem->turn_give[link->element[k / 2]] > 0)
                taken |= it->colours[link->point[k]];
        for (int k = 0; k < 2 && problem->fill_wide != NULL; k++)
            if (problem->give[link->more[k]] > 0) taken |= it->colours[link->more[k]];
        it->colour_of[i] = NO_COLOUR;
        if (~taken == 0) continue;
        int mine = __builtin_ctzll(~taken);
        it->colour_of[i] = (uint8_t)mine;
        for (int k = 0; k < 4; k++) it->colours[link->point[k]] |= (uint64_t)1 << mine;
        for (int k = 0; k < 2 && problem->fill_wide != NULL; k++) it->colours[link->more[k]] |= (uint64_t)1 << mine;
    }
}

// Rows of a colour and half, of which each eight become a batch. Spare entries of two halves lie apart: threads
// write them at once.
static void list_batches(cdg_sweeper *it, uint32_t colour, uint32_t half, size_t count) {
    enum { APART = 64 };
    for (size_t n = 0; CDG_BATCH * n < count; n++)
        list_batch(it, colour, half, half == CDG_BOTH_HALVES ? n : APART * (2 * (n / APART) + half) + n % APART);
}

// Eight of a colour become a batch, colour after colour: neighbours in the list share no point, and the processor works
// at several at once. All colours of a half lie together in memory: processors fetch ahead what lies beyond. Rows
// without a colour wait for another 64. False: no memory.
static bool colour(cdg_sweeper *it, const cdg_sweep_problem *problem, size_t count) {
    enum { HALVES = CDG_BOTH_HALVES + 1 };
    uint32_t first_colour = it->batch_count > 0 ? it->colour_at[it->batch_count - 1] + 1 : 0;
    while (count > 0) {
        choose_colours(it, problem, count);
        size_t sizes[COLOURS + 1][HALVES] = {0}, start[COLOURS + 1][HALVES], batches = it->batch_count, left = 0;
        for (size_t i = 0; i < count; i++) sizes[it->colour_of[i]][it->half_of[it->waiting[i]]]++;
        for (int half = 0; half < HALVES; half++)
            for (int k = 0; k < COLOURS; k++) {
                start[k][half] = CDG_BATCH * batches;
                batches += (sizes[k][half] + CDG_BATCH - 1) / CDG_BATCH;
            }
        if (!reserve_batches(it, batches)) return false;
        for (uint32_t half = 0; half < HALVES; half++)
            for (uint32_t k = 0; k < COLOURS; k++) list_batches(it, first_colour + k, half, sizes[k][half]);
        first_colour += COLOURS;
        for (size_t i = 0; i < count; i++) {
            uint32_t number = it->waiting[i];
            if (it->colour_of[i] == NO_COLOUR) {
                it->waiting[left++] = number;
                continue;
            }
            it->rows[start[it->colour_of[i]][it->half_of[number]]++] = number;
        }
        count = left;
    }
    return true;
}

// Few rows are visited in the order of elements, which shares loads out more evenly among contacts that are redundant.
static bool keep_order(cdg_sweeper *it, const cdg_sweep_problem *problem) {
    if (!reserve_batches(it, problem->row_count)) return false;
    for (uint32_t i = 0; i < problem->row_count; i++) {
        list_batch(it, i, CDG_BOTH_HALVES, 0);
        it->rows[CDG_BATCH * i] = i;
    }
    return true;
}

// Rows within halves first, and of these, as of those on both, first the ones that push or are pushed, then those that
// are only near: they sleep together.
static bool share_rows_out(cdg_sweeper *it, const cdg_sweep_problem *problem) {
    it->batch_count = it->spare = 0;
    it->is_halved = cdg_halves_choose(problem, it->half_of, it->cut);
    if (problem->row_count <= FEW) return keep_order(it, problem);
    for (int pass = it->is_halved ? 0 : 2; pass < 4; pass++) {
        size_t count = 0;
        for (size_t i = 0; i < problem->row_count; i++)
            if (problem->links[i].is_active == (pass % 2 == 0) && (it->half_of[i] == CDG_BOTH_HALVES) == (pass >= 2))
                it->waiting[count++] = (uint32_t)i;
        if (!colour(it, problem, count)) return false;
    }
    return true;
}

// ---- halves ---------------------------------------------------------------------------------------------------------

static void sort_by_half(cdg_sweeper *it) {
    static const uint32_t order[] = {0, CDG_BOTH_HALVES, 1};
    size_t count = 0;
    for (int k = 0; k < 3; k++)
        for (size_t i = 0; i < it->batch_count; i++)
            if (it->half_at[i] == order[k]) it->by_half[count++] = (uint32_t)i;
}

typedef struct batch_work {
    const cdg_sweeper *sweeper;
    void (*body)(void *user, size_t batch);
    void *user;
} batch_work;

static void do_one(void *user, size_t index, int thread) {
    const batch_work *w = user;
    (void)thread;
    w->body(w->user, w->sweeper->by_half[index]);
}

static void do_half(void *user, size_t half, int thread) {
    const batch_work *w = user;
    (void)thread;
    for (size_t i = 0; i < w->sweeper->batch_count; i++)
        if (w->sweeper->half_at[i] == half) w->body(w->user, i);
}

void cdg_sweeper_for_halves(const cdg_sweeper *it, int threads, void (*body)(void *user, size_t batch), void *user) {
    batch_work work = {it, body, user};
    if (it->is_halved) cdg_parallel_for(CDG_BOTH_HALVES, threads, do_half, &work);
    do_half(&work, CDG_BOTH_HALVES, 0);
}

static void for_batches(const cdg_sweeper *it, int threads, void (*body)(void *user, size_t batch), void *user) {
    batch_work work = {it, body, user};
    cdg_parallel_for(it->batch_count, threads, do_one, &work);
}

static bool is_worth_threads(const cdg_sweeper *it) { return it->is_halved || it->batch_count >= BATCHES_WORTH; }

void cdg_sweeper_for_all(const cdg_sweeper *it, int threads, void (*body)(void *user, size_t batch), void *user) {
    for_batches(it, is_worth_threads(it) ? threads : 1, body, user);
}

typedef struct filling {
    cdg_sweeper *sweeper;
    const cdg_sweep_problem *problem;
} filling;

static void fill_one(void *user, size_t batch) {
    const filling *f = user;
    fill(f->sweeper, batch, f->problem);
}

static bool make_batches(cdg_sweeper *it, const cdg_sweep_problem *problem) {
    if (!share_rows_out(it, problem)) return false;
    lay_out(it, problem);
    if ((problem->fill_wide != NULL && !reserve_more(it)) || !reserve_y(it) || !reserve_parts(it)) return false;
    sort_by_half(it);
    filling f = {it, problem};
    bool is_worth = problem->fill_wide != NULL && it->batch_count >= WIDE_WORTH;
    for_batches(it, is_worth || is_worth_threads(it) ? problem->threads : 1, fill_one, &f);
    return true;
}

// ---- sweeps ---------------------------------------------------------------------------------------------------------

// NULL: rows are not wide.
static const cdg_sweep_more *more_of(const cdg_sweeper *it, const cdg_sweep_problem *problem) {
    return problem->fill_wide != NULL ? it->more : NULL;
}

typedef struct beginning {
    cdg_sweeper *sweeper;
    const cdg_sweep_problem *problem;
    const cdg_sweep_kernels *kernels;
    double largest[CDG_BOTH_HALVES + 1][LINE]; // the first counts: one line each, as threads write them at once
} beginning;

// The numbers of a half's points, or of its elements.
static void range_of(const cdg_sweeper *it, size_t half, int k, size_t count, size_t out[2]) {
    size_t cut = it->is_halved && it->cut[k] < count ? it->cut[k] : count;
    out[0] = half == 0 ? 0 : cut;
    out[1] = half == 0 ? cut : count;
}

// y before any force of the rows.
static void clear_half(const beginning *b, size_t half) {
    const cdg_sweeper *it = b->sweeper;
    const cdg_sweep_problem *problem = b->problem;
    size_t points[2], elements[2];
    double *turn = it->y + turn_from(it);
    range_of(it, half, 0, problem->point_count, points);
    range_of(it, half, 1, problem->element_count, elements);
    for (size_t k = points[0]; k < points[1]; k++) {
        double root = sqrt(problem->give[k]), *y = it->y + point_at(it, k);
        for (size_t i = 0; i < 3; i++) y[i] = -root * problem->force_before[3 * k + i];
        y[3] = 0;
    }
    for (size_t e = elements[0]; e < elements[1]; e++)
        turn[element_at(it, e)] = -sqrt(problem->turn_give[e]) * problem->torque_before[e];
}

static void begin_half(void *user, size_t half, int thread) {
    beginning *b = user;
    cdg_sweeper *it = b->sweeper;
    const cdg_sweep_more *more = more_of(it, b->problem);
    double largest = 0;
    (void)thread;
    if (half != CDG_BOTH_HALVES) clear_half(b, half);
    for (size_t i = 0; i < it->batch_count; i++) {
        if (it->half_at[i] != half) continue;
        b->kernels->add_forces(&it->batches[i], more != NULL ? &more[i] : NULL, 1, it->y, it->y + turn_from(it));
        for (int lane = 0; lane < CDG_BATCH; lane++) largest = fmax(largest, it->batches[i].force[0][lane]);
    }
    b->largest[half][0] = largest;
}

// Returns the largest normal force.
static double start(cdg_sweeper *it, const cdg_sweep_problem *problem, const cdg_sweep_kernels *kernels) {
    beginning b = {.sweeper = it, .problem = problem, .kernels = kernels};
    size_t points = point_at(it, problem->point_count),
           elements = turn_from(it) + element_at(it, problem->element_count);
    memset(it->y + points, 0, (turn_from(it) - points) * sizeof *it->y);
    memset(it->y + elements, 0, (y_size(it) - elements) * sizeof *it->y);
    memset(it->y + 4 * it->cut[0], 0, 4 * it->gap[0] * sizeof *it->y);
    memset(it->y + turn_from(it) + it->cut[1], 0, it->gap[1] * sizeof *it->y);
    cdg_parallel_for(CDG_BOTH_HALVES, it->is_halved ? problem->threads : 1, begin_half, &b);
    begin_half(&b, CDG_BOTH_HALVES, 0);
    return fmax(b.largest[0][0], fmax(b.largest[1][0], b.largest[CDG_BOTH_HALVES][0]));
}

// Those batches of which some contact has not come to rest.
static size_t list_restless(const cdg_sweeper *it, uint32_t *out) {
    size_t count = 0;
    for (size_t i = 0; i < it->batch_count; i++)
        if (it->is_restless[i]) out[count++] = (uint32_t)i;
    return count;
}

// ---- parts of a colour ----------------------------------------------------------------------------------------------

typedef struct sweep_work {
    const cdg_sweep_kernels *kernels;
    cdg_sweeper *sweeper;
    const cdg_sweep_more *more;
    double *turn;
    const uint32_t *order; // of batches
    size_t halved, count;  // parts within halves, which come first; batches of these
    size_t first;          // part of the colour under way
    double *before, *direction;
    bool begins; // no direction yet
    bool looks;  // which batches have not come to rest
    double further, least_force, largest;
    int times, threads;
} sweep_work;

// Lists what sweeps are to visit: batches in their order, colour after colour.
static void visit(sweep_work *w, const uint32_t *order, size_t count) {
    cdg_sweeper *it = w->sweeper;
    w->order = order;
    w->halved = w->count = it->part_count = 0;
    for (size_t first = 0, end = 0; first < count; first = end) {
        uint32_t colour = it->colour_at[order[first]], half = it->half_at[order[first]];
        while (end < count && end < first + PART && it->colour_at[order[end]] == colour &&
               it->half_at[order[end]] == half)
            end++;
        it->parts[it->part_count++] = (cdg_sweep_part){(uint32_t)first, (uint32_t)(end - first), colour, half};
        if (half != CDG_BOTH_HALVES) w->halved = it->part_count, w->count = end;
    }
}

static bool is_restless(const cdg_sweep_batch *batch) {
    bool is_any = false;
    for (int lane = 0; lane < CDG_BATCH; lane++) is_any |= batch->moved[lane] > rest;
    return is_any;
}

static void sweep_one(const sweep_work *w, size_t index) {
    cdg_sweeper *it = w->sweeper;
    const cdg_sweep_part *part = &it->parts[index];
    it->sums[index] = (cdg_sweep_sums){.largest = w->largest};
    w->kernels->sweep(it->batches, w->more, w->order + part->first, part->count, it->y, w->turn, w->further, w->times,
                      w->least_force, &it->sums[index]);
    for (size_t i = part->first; i < part->first + part->count && w->looks; i++)
        it->is_restless[w->order[i]] = is_restless(&it->batches[w->order[i]]);
}

static void sweep_part(void *user, size_t index, int thread) {
    const sweep_work *w = user;
    (void)thread;
    sweep_one(w, w->first + index);
}

// Of y from one entry to before another: whole cache lines.
static void move_range(const sweep_work *w, size_t from, size_t to) {
    double *y = w->sweeper->y + from, *before = w->before + from, *direction = w->direction + from;
    if (w->further >= 0) w->kernels->go_further(y, before, direction, to - from, w->further);
    if (!w->begins) return;
    memset(direction, 0, (to - from) * sizeof *y);
    memcpy(before, y, (to - from) * sizeof *y);
}

// What goes before a sweep: further along the way, or a new beginning. Spare entries stay where they are.
static void move_half(const sweep_work *w, size_t half) {
    const cdg_sweeper *it = w->sweeper;
    const size_t entry[2] = {4, 1}, base[2] = {0, turn_from(it)};
    for (int k = 0; k < 2; k++) {
        size_t end = it->spare_from[k] * entry[k];
        size_t cut = it->is_halved ? (it->cut[k] + it->gap[k]) * entry[k] : end;
        move_range(w, base[k] + (half == 0 ? 0 : cut), base[k] + (half == 0 ? cut : end));
    }
}

static void sweep_half(void *user, size_t half, int thread) {
    const sweep_work *w = user;
    (void)thread;
    move_half(w, half);
    for (size_t k = 0; k < w->halved; k++)
        if (w->sweeper->parts[k].half == half) sweep_one(w, k);
}

// Colour after colour, from a part to before another.
static void sweep_colours(sweep_work *w, size_t from, size_t to) {
    const cdg_sweep_part *parts = w->sweeper->parts;
    for (size_t end = from; from < to; from = end) {
        size_t batches = 0;
        for (; end < to && parts[end].colour == parts[from].colour; end++) batches += parts[end].count;
        w->first = from;
        cdg_parallel_for(end - from, batches >= VISITS_WORTH ? w->threads : 1, sweep_part, w);
    }
}

static void sweep(sweep_work *w, cdg_sweep_sums *sums) {
    const cdg_sweeper *it = w->sweeper;
    w->largest = sums->largest;
    sums->worst = sums->square = 0;
    if (w->threads > CDG_BOTH_HALVES && w->count >= COLOURS_WORTH) {
        for (size_t half = 0; half < CDG_BOTH_HALVES; half++) move_half(w, half);
        sweep_colours(w, 0, w->halved);
    } else {
        cdg_parallel_for(CDG_BOTH_HALVES, w->count >= HALVES_WORTH ? w->threads : 1, sweep_half, w);
    }
    sweep_colours(w, w->halved, it->part_count);
    for (size_t k = 0; k < it->part_count; k++) {
        sums->worst = fmax(sums->worst, it->sums[k].worst);
        sums->largest = fmax(sums->largest, it->sums[k].largest);
        sums->square += it->sums[k].square;
    }
}

int cdg_sweeper_solve(cdg_sweeper *it, const cdg_sweep_problem *problem) {
    if (!reserve(it, problem) || !make_batches(it, problem)) return -1;
    if (it->batch_count == 0) return 1;
    const cdg_sweep_kernels *kernels = choose_kernels();
    size_t size = y_size(it);
    sweep_work work = {.kernels = kernels,
                       .sweeper = it,
                       .more = more_of(it, problem),
                       .turn = it->y + turn_from(it),
                       .before = it->y + size,
                       .direction = it->y + 2 * size,
                       .threads = problem->threads};
    cdg_sweep_sums sums = {.largest = start(it, problem, kernels)};
    uint32_t *all = it->order, *restless = all + it->batch_count;
    for (size_t i = 0; i < it->batch_count; i++) all[i] = (uint32_t)i;
    size_t visits = 0, visits_most = (size_t)problem->most * it->batch_count;
    int sweeps = 0;
    for (;;) {
        work.further = -1;
        work.begins = false;
        work.times = sweeps == 0 ? FIRST_TIMES : 1;
        work.least_force = problem->force_share * sums.largest;
        visit(&work, all, it->batch_count);
        work.looks = true;
        sweep(&work, &sums);
        work.looks = false;
        sweeps++;
        visits += it->batch_count;
        if (sums.worst <= 1 || visits >= visits_most) return sweeps;
        size_t count = list_restless(it, restless);
        double last = 0;
        visit(&work, restless, count);
        work.times = 1;
        for (int i = 0; i < SWEEPS_BETWEEN && visits + it->batch_count < visits_most; i++) {
            work.begins = work.further < 0;
            work.least_force = problem->force_share * sums.largest;
            sweep(&work, &sums);
            sweeps++;
            visits += count;
            if (sums.worst <= (double)rest) break; // y is what the forces make it
            work.further = i > 0 && sums.square < last ? sums.square / last : -1;
            last = sums.square;
            // Where the visits end, y has gone further before the last look at all.
            if (i + 1 == SWEEPS_BETWEEN || visits + it->batch_count < visits_most) continue;
            for (size_t half = 0; half < CDG_BOTH_HALVES; half++) move_half(&work, half);
        }
    }
}
