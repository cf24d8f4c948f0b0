// Sweeps over contacts of explicit rods: colours, batches, and going further along the way of the forces
// (contact_sweep.h).
#include "contact/contact_sweep.h"

#include "base/parallel.h"
#include "base/processor.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Sweeps over what has not come to rest between two looks at all, and what counts as rest, in tolerances.
enum { SWEEPS_BETWEEN = 20 };
static const float rest = 0.25F;
enum { FEW = 128 };
// Batches that a thread takes at once, and as many as are worth a second thread: in making them, and in a pass over a
// colour. Sums go by these parts, whoever takes them.
enum { PART = 8, BATCHES_WORTH = 24, VISITS_WORTH = 12 };
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
    free(sweeper->rows);
    free(sweeper->sums);
    free(sweeper->colours);
    free(sweeper->y);
    free(sweeper->waiting);
    free(sweeper->colour_of);
    *sweeper = (cdg_sweeper){0};
}

static size_t y_points(const cdg_sweeper *it, const cdg_sweep_problem *problem) {
    return problem->point_count + it->spare;
}

// Whole cache lines.
static size_t y_size(const cdg_sweeper *it, const cdg_sweep_problem *problem) {
    return (4 * y_points(it, problem) + problem->element_count + it->spare + 7) / 8 * 8;
}

static bool reserve_y(cdg_sweeper *it, const cdg_sweep_problem *problem) {
    size_t size = y_size(it, problem);
    if (size <= it->y_capacity) return true;
    free(it->y);
    it->y_capacity = 0;
    it->y = aligned_alloc(64, 3 * size * sizeof *it->y);
    if (it->y == NULL) return false;
    it->y_capacity = size;
    return true;
}

// As many as there are batches: parts are no more.
static bool reserve_sums(cdg_sweeper *it) {
    if (it->batch_count <= it->sums_capacity) return true;
    free(it->sums);
    it->sums_capacity = 0;
    it->sums = malloc(it->batch_capacity * sizeof *it->sums);
    if (it->sums == NULL) return false;
    it->sums_capacity = it->batch_capacity;
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
        it->row_capacity = 0;
        it->waiting = malloc(capacity * sizeof *it->waiting);
        it->colour_of = malloc(capacity * sizeof *it->colour_of);
        if (it->waiting == NULL || it->colour_of == NULL) return false;
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
        !grow(&it->rows, CDG_BATCH * capacity))
        return false;
    free(it->batches); // they are filled when all are listed
    it->batch_capacity = 0;
    it->batches = aligned_alloc(64, (capacity * sizeof *it->batches + 63) / 64 * 64);
    if (it->batches == NULL) return false;
    it->batch_capacity = capacity;
    return true;
}

// ---- batches --------------------------------------------------------------------------------------------------------

// Lists a batch, without rows yet. `spare`: its own entries in y for lanes that are empty.
static void list_batch(cdg_sweeper *it, uint32_t colour, size_t spare) {
    size_t number = it->batch_count++;
    it->colour_at[number] = colour;
    it->spare_at[number] = (uint32_t)spare;
    if (spare >= it->spare) it->spare = spare + 1;
    for (int lane = 0; lane < CDG_BATCH; lane++) it->rows[CDG_BATCH * number + (size_t)lane] = UINT32_MAX;
}

// Empty lanes are those of what never moves: the still point and the last element (pieces.h).
static void clear_batch(cdg_sweeper *it, size_t number, const cdg_sweep_problem *problem) {
    cdg_sweep_batch *batch = &it->batches[number];
    size_t spare = it->spare_at[number];
    memset(batch, 0, sizeof *batch);
    int32_t at_point = 4 * (int32_t)(problem->point_count + spare);
    int32_t at_element = (int32_t)(problem->element_count + spare);
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
        if (problem->give[link->more[i]] > 0) more->at_point[i][lane] = more->point[i][lane];
    }
    for (int i = 0; i < 4; i++) {
        batch->point[i][lane] = 4 * (int32_t)link->point[i];
        if (problem->give[link->point[i]] > 0) batch->at_point[i][lane] = batch->point[i][lane];
    }
    for (int i = 0; i < 2; i++) {
        batch->element[i][lane] = (int32_t)link->element[i];
        if (problem->turn_give[link->element[i]] > 0) batch->at_element[i][lane] = batch->element[i][lane];
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

// Eight of a colour become a batch, colour after colour: neighbours in the list share no point, and the processor works
// at several at once. Rows without a colour wait for another 64. False: no memory.
static bool colour(cdg_sweeper *it, const cdg_sweep_problem *problem, size_t count) {
    uint32_t first_colour = it->batch_count > 0 ? it->colour_at[it->batch_count - 1] + 1 : 0;
    while (count > 0) {
        choose_colours(it, problem, count);
        size_t sizes[COLOURS + 1] = {0}, start[COLOURS + 1], batches = it->batch_count, left = 0;
        for (size_t i = 0; i < count; i++) sizes[it->colour_of[i]]++;
        for (int k = 0; k < COLOURS; k++) {
            start[k] = CDG_BATCH * batches;
            batches += (sizes[k] + CDG_BATCH - 1) / CDG_BATCH;
        }
        if (!reserve_batches(it, batches)) return false;
        for (uint32_t k = 0; k < COLOURS; k++)
            for (size_t n = 0; CDG_BATCH * n < sizes[k]; n++) list_batch(it, first_colour + k, n);
        first_colour += COLOURS;
        for (size_t i = 0; i < count; i++) {
            uint32_t number = it->waiting[i];
            if (it->colour_of[i] == NO_COLOUR) {
                it->waiting[left++] = number;
                continue;
            }
            it->rows[start[it->colour_of[i]]++] = number;
        }
        count = left;
    }
    return true;
}

// Few rows are visited in the order of elements, which shares loads out more evenly among contacts that are redundant.
static bool keep_order(cdg_sweeper *it, const cdg_sweep_problem *problem) {
    if (!reserve_batches(it, problem->row_count)) return false;
    for (uint32_t i = 0; i < problem->row_count; i++) {
        list_batch(it, i, 0);
        it->rows[CDG_BATCH * i] = i;
    }
    return true;
}

// Rows that push or are pushed first, those that are only near after them: they sleep together.
static bool share_rows_out(cdg_sweeper *it, const cdg_sweep_problem *problem) {
    it->batch_count = it->spare = 0;
    if (problem->row_count <= FEW) return keep_order(it, problem);
    for (int pass = 0; pass < 2; pass++) {
        size_t count = 0;
        for (size_t i = 0; i < problem->row_count; i++)
            if (problem->links[i].is_active == (pass == 0)) it->waiting[count++] = (uint32_t)i;
        if (!colour(it, problem, count)) return false;
    }
    return true;
}

typedef struct filling {
    cdg_sweeper *sweeper;
    const cdg_sweep_problem *problem;
} filling;

static void fill_one(void *user, size_t index, int thread) {
    const filling *f = user;
    (void)thread;
    fill(f->sweeper, index, f->problem);
}

static bool make_batches(cdg_sweeper *it, const cdg_sweep_problem *problem) {
    if (!share_rows_out(it, problem) || (problem->fill_wide != NULL && !reserve_more(it)) || !reserve_y(it, problem) ||
        !reserve_sums(it))
        return false;
    filling f = {it, problem};
    cdg_parallel_for(it->batch_count, it->batch_count >= BATCHES_WORTH ? problem->threads : 1, fill_one, &f);
    return true;
}

// ---- sweeps ---------------------------------------------------------------------------------------------------------

// NULL: rows are not wide.
static const cdg_sweep_more *more_of(const cdg_sweeper *it, const cdg_sweep_problem *problem) {
    return problem->fill_wide != NULL ? it->more : NULL;
}

static double start(cdg_sweeper *it, const cdg_sweep_problem *problem, const cdg_sweep_kernels *kernels) {
    size_t points = problem->point_count;
    double *turn = it->y + 4 * y_points(it, problem), largest = 0;
    for (size_t k = 0; k < points; k++) {
        double root = sqrt(problem->give[k]);
        for (size_t i = 0; i < 3; i++) it->y[4 * k + i] = -root * problem->force_before[3 * k + i];
        it->y[4 * k + 3] = 0;
    }
    for (size_t i = 4 * points; i < y_size(it, problem); i++) it->y[i] = 0;
    for (size_t e = 0; e < problem->element_count; e++)
        turn[e] = -sqrt(problem->turn_give[e]) * problem->torque_before[e];
    kernels->add_forces(it->batches, more_of(it, problem), it->batch_count, it->y, turn);
    for (size_t i = 0; i < it->batch_count; i++)
        for (int lane = 0; lane < CDG_BATCH; lane++) largest = fmax(largest, it->batches[i].force[0][lane]);
    return largest;
}

// Those batches of which some contact has not come to rest.
static size_t list_restless(const cdg_sweeper *it, uint32_t *out) {
    size_t count = 0;
    for (size_t i = 0; i < it->batch_count; i++) {
        float most = 0;
        for (int lane = 0; lane < CDG_BATCH; lane++) most = fmaxf(most, it->batches[i].moved[lane]);
        if (most > rest) out[count++] = (uint32_t)i;
    }
    return count;
}

// ---- parts of a colour ----------------------------------------------------------------------------------------------

typedef struct sweep_work {
    const cdg_sweep_kernels *kernels;
    cdg_sweeper *sweeper;
    const cdg_sweep_more *more;
    double *turn;
    const uint32_t *order; // of a colour
    size_t count;
    double further, least_force, largest;
    int times;
} sweep_work;

static void sweep_part(void *user, size_t index, int thread) {
    const sweep_work *w = user;
    cdg_sweeper *it = w->sweeper;
    size_t first = PART * index, count = w->count - first < PART ? w->count - first : PART;
    (void)thread;
    it->sums[index] = (cdg_sweep_sums){.largest = w->largest};
    w->kernels->sweep(it->batches, w->more, w->order + first, count, it->y, w->turn, w->further, w->times,
                      w->least_force, &it->sums[index]);
}

// Batches in their order, colour after colour.
static void sweep(sweep_work *w, const uint32_t *order, size_t count, int threads, cdg_sweep_sums *sums) {
    const uint32_t *colour_at = w->sweeper->colour_at;
    w->largest = sums->largest;
    sums->worst = sums->square = 0;
    for (size_t first = 0, end = 0; first < count; first = end) {
        while (end < count && colour_at[order[end]] == colour_at[order[first]]) end++;
        w->order = order + first;
        w->count = end - first;
        size_t parts = (w->count + PART - 1) / PART;
        cdg_parallel_for(parts, w->count >= VISITS_WORTH ? threads : 1, sweep_part, w);
        for (size_t k = 0; k < parts; k++) {
            const cdg_sweep_sums *part = &w->sweeper->sums[k];
            sums->worst = fmax(sums->worst, part->worst);
            sums->largest = fmax(sums->largest, part->largest);
            sums->square += part->square;
        }
    }
}

int cdg_sweeper_solve(cdg_sweeper *it, const cdg_sweep_problem *problem) {
    if (!reserve(it, problem) || !make_batches(it, problem)) return -1;
    if (it->batch_count == 0) return 1;
    const cdg_sweep_kernels *kernels = choose_kernels();
    size_t size = y_size(it, problem);
    double *y = it->y, *before = y + size, *direction = before + size;
    sweep_work work = {
        .kernels = kernels, .sweeper = it, .more = more_of(it, problem), .turn = y + 4 * y_points(it, problem)};
    cdg_sweep_sums sums = {.largest = start(it, problem, kernels)};
    uint32_t *all = it->order, *restless = all + it->batch_count;
    for (size_t i = 0; i < it->batch_count; i++) all[i] = (uint32_t)i;
    size_t visits = 0, visits_most = (size_t)problem->most * it->batch_count;
    int sweeps = 0;
    for (;;) {
        work.further = -1;
        work.times = sweeps == 0 ? FIRST_TIMES : 1;
        work.least_force = problem->force_share * sums.largest;
        sweep(&work, all, it->batch_count, problem->threads, &sums);
        sweeps++;
        visits += it->batch_count;
        if (sums.worst <= 1 || visits >= visits_most) return sweeps;
        size_t count = list_restless(it, restless);
        double further = -1, last = 0;
        memset(direction, 0, size * sizeof *direction);
        memcpy(before, y, size * sizeof *y);
        for (int i = 0; i < SWEEPS_BETWEEN && visits + it->batch_count < visits_most; i++) {
            work.further = further;
            work.times = 1;
            work.least_force = problem->force_share * sums.largest;
            sweep(&work, restless, count, problem->threads, &sums);
            sweeps++;
            visits += count;
            if (sums.worst <= (double)rest || i + 1 == SWEEPS_BETWEEN) break; // y is what the forces make it
            further = i > 0 && sums.square < last ? sums.square / last : -1;
            last = sums.square;
            if (further >= 0) {
                kernels->go_further(y, before, direction, size, further);
            } else {
                memset(direction, 0, size * sizeof *direction);
                memcpy(before, y, size * sizeof *y);
            }
        }
    }
}
