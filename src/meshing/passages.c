// Two sweeps over the rows: the first finds passages and notes where they are, the second counts votes between them.
// All lines of a row go side by side in plain loops over bytes, which compilers turn into vectors.
#include "meshing/passages.h"

#include <stdint.h>
#include <string.h>

typedef struct sweep {
    const cdg_passage_rows *rows;
    int lines, shift; // line of column x in row k: x - k slant + shift
    unsigned char *least, *peak, *is_odd, *is_inside;
    unsigned char *marks; // a byte for each voxel: a passage
    unsigned char *mask;  // a byte for each column
    uint16_t *best;       // row of the nearest voxel so far
} sweep;

static int line_count(int width, int length) { return width + length; }

size_t cdg_passages_scratch(int width, int length) {
    size_t lines = (size_t)line_count(width, length);
    return 6 * lines + (size_t)width * (size_t)length + (size_t)width + 2;
}

static sweep begin(const cdg_passage_rows *rows, unsigned char *scratch) {
    sweep s = {.rows = rows,
               .lines = line_count(rows->width, rows->length),
               .shift = rows->slant > 0 ? rows->length - 1 : 0,
               .best = (uint16_t *)(void *)scratch}; // first: it must be aligned
    size_t lines = (size_t)s.lines, voxels = (size_t)rows->width * (size_t)rows->length;
    s.least = scratch + 2 * lines;
    s.peak = s.least + lines;
    s.is_odd = s.peak + lines;
    s.is_inside = s.is_odd + lines;
    s.marks = s.is_inside + lines;
    s.mask = s.marks + voxels;
    memset(s.least, CDG_FAR_VOXEL, 2 * lines);
    memset(s.is_odd, 0, 2 * lines + voxels);
    return s;
}

static int first_line(const sweep *s, int row) { return s->shift - row * s->rows->slant; } // of column 0

static void note_passage(const sweep *s, int line) {
    int row = s->best[line], column = line - first_line(s, row);
    s->marks[(size_t)row * (size_t)s->rows->width + (size_t)column] = 1;
    s->is_odd[line] ^= 1;
}

// Bit 0 of the mask: a passage ends here, or the next begins; bit 1: this voxel is the nearest so far.
static void compare_row(const unsigned char *restrict nearness, int width, unsigned char met, unsigned char left,
                        unsigned char *restrict least, unsigned char *restrict peak, unsigned char *restrict mask) {
    for (int x = 0; x < width; x++) {
        unsigned char here = nearness[x], low = least[x], high = peak[x];
        unsigned char is_far = here == CDG_FAR_VOXEL;
        unsigned char again = (unsigned char)((here <= met) & (low <= met) & (high >= left));
        unsigned char takes = (unsigned char)(again | (here < low));
        mask[x] = (unsigned char)(again | (is_far & (low != CDG_FAR_VOXEL)) | takes << 1);
        unsigned char higher = high > here ? high : here;
        peak[x] = takes ? here : higher; // far is the highest
        low = takes ? here : low;
        least[x] = is_far ? CDG_FAR_VOXEL : low;
    }
}

static void follow_mask(const sweep *s, int row) {
    int first = first_line(s, row), x = 0;
    while (x < s->rows->width) {
        uint64_t eight = 1;
        if (x + 8 <= s->rows->width) memcpy(&eight, s->mask + x, 8);
        if (eight == 0) {
            x += 8;
            continue;
        }
        for (int end = x + 8 < s->rows->width ? x + 8 : s->rows->width; x < end; x++) {
            if (s->mask[x] & 1) note_passage(s, first + x);
            if (s->mask[x] & 2) s->best[first + x] = (uint16_t)row;
        }
    }
}

static void end_line(const sweep *s, int line) {
    if (s->least[line] != CDG_FAR_VOXEL) note_passage(s, line);
    s->least[line] = CDG_FAR_VOXEL;
}

static void find_passages(const sweep *s, int met, int left) {
    const cdg_passage_rows *r = s->rows;
    for (int row = 0; row < r->length; row++) {
        int first = first_line(s, row);
        compare_row(r->nearness + row * r->stride, r->width, (unsigned char)met,
                    (unsigned char)(left < CDG_FAR_VOXEL ? left : CDG_FAR_VOXEL), s->least + first, s->peak + first,
                    s->mask);
        follow_mask(s, row);
        if (r->slant != 0) end_line(s, first + (r->slant > 0 ? r->width - 1 : 0)); // leaves at the side
    }
    for (int x = 0; x < r->width; x++) end_line(s, first_line(s, r->length - 1) + x);
}

// Between the first and the second passage is inside, the third and the fourth, ...; passages themselves are halves.
static void vote_row(const unsigned char *restrict marks, int width, const unsigned char *restrict is_odd,
                     unsigned char *restrict is_inside, unsigned char *restrict votes,
                     unsigned char *restrict abstentions) {
    for (int x = 0; x < width; x++) {
        unsigned char mark = marks[x], inside = is_inside[x], odd = is_odd[x];
        unsigned char vote = (unsigned char)(inside + (inside ^ mark));
        votes[x] = (unsigned char)(votes[x] + (odd ? 0 : vote));
        abstentions[x] = (unsigned char)(abstentions[x] + odd);
        is_inside[x] = inside ^ mark;
    }
}

void cdg_passages_vote(const cdg_passage_rows *rows, int met, int left, unsigned char *scratch) {
    sweep s = begin(rows, scratch);
    find_passages(&s, met, left);
    for (int row = 0; row < rows->length; row++) {
        int first = first_line(&s, row);
        vote_row(s.marks + (size_t)row * (size_t)rows->width, rows->width, s.is_odd + first, s.is_inside + first,
                 rows->votes + row * rows->stride, rows->abstentions + row * rows->stride);
    }
}
