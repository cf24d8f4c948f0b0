// Where to cut the points in two (contact_halves.h): by their numbers, which follow rods and so the order in which
// contacts are found: threads find contacts, and solve for them, with the same data.
#include "contact/contact_halves.h"

#include <string.h>

// Fewer rows are not worth a cut: it leaves more lanes of batches empty. Wide ones take longer.
enum { ROWS_LEAST = 2000, WIDE_ROWS_LEAST = 1000 };
// Numbers of points are sorted into so many bins of equal width; a cut lies between two bins.
enum { BINS = 256 };
// Sweeps visit rows that push again and again, others now and then.
enum { ACTIVE_WEIGHT = 4 };
// The longer of both ways through the rows, as a share of all of them, with which a cut is taken.
static const double longest = 0.8;

typedef struct reach {
    uint32_t first, last; // point
} reach;

// The still point, number 0, is on nobody's side: a row that has no other reaches from 1 to 0.
static reach reach_of(const cdg_sweep_problem *problem, size_t row) {
    const cdg_sweep_link *link = &problem->links[row];
    reach r = {UINT32_MAX, 0};
    for (int i = 0; i < (problem->fill_wide != NULL ? 6 : 4); i++) {
        uint32_t point = i < 4 ? link->point[i] : link->more[i - 4];
        if (point == 0) continue;
        r.first = point < r.first ? point : r.first;
        r.last = point > r.last ? point : r.last;
    }
    return r.last > 0 ? r : (reach){1, 0};
}

// The cut with which the longer way is the shortest: the larger half, then what acts on both. 0: there is none.
static size_t find_cut(const cdg_sweep_problem *problem) {
    uint32_t ends[BINS] = {0}, starts[BINS] = {0}; // weights of rows whose last point is there, and whose first is
    uint64_t total = 0, left = 0, right = 0, least = UINT64_MAX;
    size_t width = problem->point_count / BINS + 1, best = 0;
    for (size_t i = 0; i < problem->row_count; i++) {
        reach r = reach_of(problem, i);
        uint32_t weight = problem->links[i].is_active ? ACTIVE_WEIGHT : 1;
        total += weight;
        if (r.last == 0) continue;
        starts[r.first / width] += weight;
        ends[r.last / width] += weight;
        right += weight;
    }
    for (size_t bin = 1; bin < BINS; bin++) {
        left += ends[bin - 1];
        right -= starts[bin - 1];
        uint64_t way = total - (left < right ? left : right);
        if (way < least) least = way, best = bin * width;
    }
    return (double)least <= longest * (double)total ? best : 0;
}

// Rows of the halves share no elements, either, and these are in order, too, as those of rods are.
static bool cut_elements(const cdg_sweep_problem *problem, const uint8_t *half_of, size_t *cut) {
    size_t end = 0, start = problem->element_count - 1; // the last is what never turns
    for (size_t i = 0; i < problem->row_count; i++)
        for (int k = 0; k < 2 && half_of[i] != CDG_BOTH_HALVES; k++) {
            size_t element = problem->links[i].element[k];
            if (element + 1 == problem->element_count) continue;
            if (half_of[i] == 0 && element >= end) end = element + 1;
            if (half_of[i] == 1 && element < start) start = element;
        }
    *cut = end;
    return end <= start;
}

bool cdg_halves_choose(const cdg_sweep_problem *problem, uint8_t *half_of, size_t cut[2]) {
    for (size_t i = 0; i < problem->row_count; i++) half_of[i] = CDG_BOTH_HALVES;
    cut[0] = problem->point_count;
    cut[1] = problem->element_count;
    if (problem->row_count < (problem->fill_wide != NULL ? WIDE_ROWS_LEAST : ROWS_LEAST)) return false;
    size_t found = find_cut(problem), element = 0;
    if (found == 0) return false;
    for (size_t i = 0; i < problem->row_count; i++) {
        reach r = reach_of(problem, i);
        if (r.last == 0) continue;
        if (r.last < found) half_of[i] = 0;
        if (r.first >= found) half_of[i] = 1;
    }
    if (!cut_elements(problem, half_of, &element)) {
        memset(half_of, CDG_BOTH_HALVES, problem->row_count);
        return false;
    }
    cut[0] = found;
    cut[1] = element;
    return true;
}
