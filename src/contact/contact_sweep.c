// Sweeps over contacts of explicit rods: colours, batches, and going further along the way of the forces
// (contact_sweep.h).
#include "contact/contact_sweep.h"

#include "base/processor.h"
#include "contact/contacts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// How many sweeps sleeping batches are left out before they are looked at again.
enum { NAP = 4 };
enum { FEW = 128 };
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
    free(sweeper->colours);
    free(sweeper->y);
    free(sweeper->waiting);
    free(sweeper->colour_of);
    *sweeper = (cdg_sweeper){0};
}

// Whole cache lines.
static size_t y_size(size_t point_count, size_t element_count) { return (4 * point_count + element_count + 7) / 8 * 8; }

static bool reserve(cdg_sweeper *it, const cdg_sweep_problem *problem) {
    if (problem->point_count > it->point_capacity || problem->element_count > it->element_capacity) {
        free(it->colours);
        free(it->y);
        it->point_capacity = it->element_capacity = 0;
        it->colours = malloc(problem->point_count * sizeof *it->colours);
        it->y = aligned_alloc(64, 3 * y_size(problem->point_count, problem->element_count) * sizeof *it->y);
        if (it->colours == NULL || it->y == NULL) return false;
        it->point_capacity = problem->point_count, it->element_capacity = problem->element_count;
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

static bool reserve_batches(cdg_sweeper *it, size_t count) {
    if (count <= it->batch_capacity) return true;
    size_t capacity = count + count / 2;
    cdg_sweep_batch *grown = aligned_alloc(64, (capacity * sizeof *grown + 63) / 64 * 64);
    if (grown == NULL) return false;
    if (it->batch_count > 0) memcpy(grown, it->batches, it->batch_count * sizeof *grown);
    free(it->batches);
    it->batches = grown;
    it->batch_capacity = capacity;
    return true;
}

// ---- batches --------------------------------------------------------------------------------------------------------

// Turns the tangents so that friction along one does not move the contact along the other (a rotation of Jacobi's).
static void turn_tangents(cdg_contact_row *row) {
    double a = row->answer[3], b = row->answer[4], c = row->answer[5];
    if (!(fabs(b) > 1e-12 * (a + c))) return;
    double ratio = (c - a) / (2 * b), tangent = copysign(1, ratio) / (fabs(ratio) + sqrt(1 + ratio * ratio));
    double cosine = 1 / sqrt(1 + tangent * tangent), sine = tangent * cosine;
#define TURN(one, two)                                                                                                 \
    do {                                                                                                               \
        double first = one, second = two;                                                                              \
        (one) = cosine * first - sine * second, (two) = sine * first + cosine * second;                                \
    } while (0)
    for (int m = 0; m < 14; m++) TURN(row->jacobian[m][1], row->jacobian[m][2]);
    TURN(row->axes[1].x, row->axes[2].x);
    TURN(row->axes[1].y, row->axes[2].y);
    TURN(row->axes[1].z, row->axes[2].z);
    TURN(row->offset[1], row->offset[2]);
    TURN(row->force[1], row->force[2]);
    TURN(row->answer[1], row->answer[2]);
#undef TURN
    row->answer[3] = a - tangent * b, row->answer[5] = c + tangent * b;
    row->answer[4] = 0;
}

static void fill_lane(cdg_sweep_batch *batch, int lane, const cdg_contact_row *row, uint32_t number) {
    batch->row[lane] = number;
    double root[6];
    for (int i = 0; i < 6; i++) root[i] = sqrt(row->give[i]);
    for (int m = 0; m < 14; m++)
        for (int k = 0; k < 3; k++)
            batch->column[m / 2][k][m % 2][lane] = (float)(root[m < 12 ? m / 3 : m - 8] * row->jacobian[m][k]);
    static const int own[3] = {0, 3, 5};
    for (int k = 0; k < 3; k++) {
        double answer = row->answer[own[k]];
        batch->answer[k][lane] = (float)answer;
        batch->inverse[k][lane] = answer > 0 ? (float)(1 / answer) : 0;
        batch->offset[k][lane] = row->offset[k];
        batch->force[k][lane] = row->force[k];
    }
    for (int k = 0; k < 2; k++) batch->across[k][lane] = (float)row->answer[1 + k];
    batch->friction[lane] = row->friction;
    batch->tolerance[lane] = (float)row->tolerance;
    for (int i = 0; i < 4; i++) batch->point[i][lane] = 4 * (int32_t)row->point[i];
    for (int i = 0; i < 2; i++) batch->element[i][lane] = (int32_t)row->element[i];
    batch->sleeps = batch->sleeps && row->force[0] == 0;
    batch->rubs = batch->rubs || row->friction > 0;
}

// Empty lanes are those of what never moves: the still point and the last element (pieces.h).
static void clear_batch(cdg_sweep_batch *batch, const cdg_sweep_problem *problem) {
    memset(batch, 0, sizeof *batch);
    for (int lane = 0; lane < CDG_BATCH; lane++) {
        batch->row[lane] = UINT32_MAX;
        batch->tolerance[lane] = 1;
        for (int i = 0; i < 2; i++) batch->element[i][lane] = (int32_t)problem->element_count - 1;
    }
    batch->sleeps = true;
}

enum { COLOURS = 64, NO_COLOUR = COLOURS };

// Gives rows the first colour that none of their points has. Rows for which 64 colours are not enough have none.
static void choose_colours(cdg_sweeper *it, const cdg_sweep_problem *problem, size_t count) {
    memset(it->colours, 0, problem->point_count * sizeof *it->colours);
    for (size_t i = 0; i < count; i++) {
        const cdg_contact_row *row = &problem->rows[it->waiting[i]];
        uint64_t taken = 0;
        for (int k = 0; k < 4; k++) // points that do not move may be shared, if elements between them do not turn
            if (row->give[k] > 0 || row->give[4 + k / 2] > 0) taken |= it->colours[row->point[k]];
        it->colour_of[i] = NO_COLOUR;
        if (~taken == 0) continue;
        int mine = __builtin_ctzll(~taken);
        it->colour_of[i] = (uint8_t)mine;
        for (int k = 0; k < 4; k++) it->colours[row->point[k]] |= (uint64_t)1 << mine;
    }
}

// Eight of a colour become a batch, colour after colour: neighbours in the list share no point, and the processor works
// at several at once. Rows without a colour wait for another 64. False: no memory.
static bool colour(cdg_sweeper *it, const cdg_sweep_problem *problem, size_t count) {
    while (count > 0) {
        choose_colours(it, problem, count);
        size_t sizes[COLOURS + 1] = {0}, place[COLOURS + 1], batches = it->batch_count, left = 0;
        for (size_t i = 0; i < count; i++) sizes[it->colour_of[i]]++;
        for (int k = 0; k < COLOURS; k++) {
            place[k] = CDG_BATCH * batches;
            batches += (sizes[k] + CDG_BATCH - 1) / CDG_BATCH;
        }
        if (!reserve_batches(it, batches)) return false;
        for (; it->batch_count < batches; it->batch_count++) clear_batch(&it->batches[it->batch_count], problem);
        for (size_t i = 0; i < count; i++) {
            uint32_t number = it->waiting[i];
            if (it->colour_of[i] == NO_COLOUR) {
                it->waiting[left++] = number;
                continue;
            }
            size_t at = place[it->colour_of[i]]++;
            fill_lane(&it->batches[at / CDG_BATCH], (int)(at % CDG_BATCH), &problem->rows[number], number);
        }
        count = left;
    }
    return true;
}

// Few rows are visited in the order of elements, which shares loads out more evenly among contacts that are redundant.
static bool keep_order(cdg_sweeper *it, const cdg_sweep_problem *problem) {
    if (!reserve_batches(it, problem->row_count)) return false;
    for (size_t i = 0; i < problem->row_count; i++) {
        if (!(problem->rows[i].answer[0] > 0)) continue;
        turn_tangents(&problem->rows[i]);
        cdg_sweep_batch *batch = &it->batches[it->batch_count++];
        clear_batch(batch, problem);
        fill_lane(batch, 0, &problem->rows[i], (uint32_t)i);
    }
    return true;
}

// Rows that push or are pushed first, those that are only near after them: they sleep together.
static bool make_batches(cdg_sweeper *it, const cdg_sweep_problem *problem) {
    it->batch_count = 0;
    if (problem->row_count <= FEW) return keep_order(it, problem);
    for (int pass = 0; pass < 2; pass++) {
        size_t count = 0;
        for (size_t i = 0; i < problem->row_count; i++) {
            cdg_contact_row *row = &problem->rows[i];
            bool is_active = row->force[0] > 0 || row->offset[0] < 0;
            if (is_active != (pass == 0) || !(row->answer[0] > 0)) continue;
            turn_tangents(row);
            it->waiting[count++] = (uint32_t)i;
        }
        if (!colour(it, problem, count)) return false;
    }
    return true;
}

// ---- sweeps ---------------------------------------------------------------------------------------------------------

static double start(cdg_sweeper *it, const cdg_sweep_problem *problem, const cdg_sweep_kernels *kernels) {
    size_t points = problem->point_count;
    double *turn = it->y + 4 * points, largest = 0;
    for (size_t k = 0; k < points; k++) {
        double root = sqrt(problem->give[k]);
        for (size_t i = 0; i < 3; i++) it->y[4 * k + i] = -root * problem->force_before[3 * k + i];
        it->y[4 * k + 3] = 0;
    }
    for (size_t e = 0; e < problem->element_count; e++)
        turn[e] = -sqrt(problem->turn_give[e]) * problem->torque_before[e];
    kernels->add_forces(it->batches, it->batch_count, it->y, turn);
    for (size_t i = 0; i < problem->row_count; i++) largest = fmax(largest, problem->rows[i].force[0]);
    return largest;
}

// The moves go `share` of their direction further, from where the next sweep begins; the direction becomes what is left
// of it and the sweep's change.
static void go_further(double *restrict y, double *restrict before, double *restrict direction, size_t size,
                       double share) {
    for (size_t i = 0; i < size; i++) {
        double change = y[i] - before[i], more = share * direction[i];
        y[i] = before[i] = y[i] + more;
        direction[i] = more + change;
    }
}

int cdg_sweeper_solve(cdg_sweeper *it, const cdg_sweep_problem *problem) {
    if (!reserve(it, problem) || !make_batches(it, problem)) return -1;
    const cdg_sweep_kernels *kernels = choose_kernels();
    size_t size = y_size(problem->point_count, problem->element_count);
    double *y = it->y, *before = y + size, *direction = before + size, *turn = y + 4 * problem->point_count;
    cdg_sweep_sums sums = {.largest = start(it, problem, kernels)};
    memset(direction, 0, size * sizeof *direction);
    memcpy(before, y, size * sizeof *y);
    double further = -1, last = 0;
    bool is_good = false, all = true;
    int sweeps = 0;
    while (sweeps < problem->most && !is_good) {
        kernels->sweep(it->batches, it->batch_count, y, turn, further, sweeps == 0 ? FIRST_TIMES : 1,
                       problem->force_share * sums.largest, all, &sums);
        sweeps++;
        is_good = all && sums.worst <= 1;
        if (is_good || sweeps == problem->most) break;
        further = sweeps > 1 && sums.square < last ? sums.square / last : -1;
        last = sums.square;
        if (further >= 0) {
            go_further(y, before, direction, size, further);
        } else {
            memset(direction, 0, size * sizeof *direction);
            memcpy(before, y, size * sizeof *y);
        }
        all = sweeps % NAP == 0 || sums.worst <= 1 || sweeps + 1 == problem->most;
    }
    for (size_t i = 0; i < it->batch_count; i++) {
        const cdg_sweep_batch *batch = &it->batches[i];
        for (int lane = 0; lane < CDG_BATCH; lane++)
            for (int k = 0; k < 3 && batch->row[lane] != UINT32_MAX; k++)
                problem->rows[batch->row[lane]].force[k] = batch->force[k][lane];
    }
    return sweeps;
}
