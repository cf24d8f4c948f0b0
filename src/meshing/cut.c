// Finding cuts: an edge belongs to its middle vertex, or to its lower end, which finds the cut for both. Warping goes
// from vertex to vertex in their order: one that is warped has no cuts any more, nor have its neighbours towards it.
#include "meshing/cut.h"

#include "base/parallel.h"
#include "meshing/stencil.h"

#include <string.h>

void cdg_cuts_free(cdg_cuts *cuts, cdg_budget *budget) {
    cdg_budget_give(budget, cuts->rows);
    cdg_budget_give(budget, cuts->row_of);
    *cuts = (cdg_cuts){0};
}

// The other end's number when it is on the other side.
static uint32_t other_side(const cdg_track *track, uint32_t vertex, int edge) {
    uint32_t other = cdg_key_map_find(&track->vertices, track->vertices.keys[vertex] + bcc_step(edge));
    if (other == CDG_NO_NUMBER || (track->values[other] > 0) == (track->values[vertex] > 0)) return CDG_NO_NUMBER;
    return other;
}

static bool add_row(const cdg_track *track, cdg_cuts *cuts, uint32_t vertex) {
    if (cuts->row_of[vertex] != CDG_NO_NUMBER) return true;
    if (!cdg_budget_grow(track->budget, (void **)&cuts->rows, cuts->count, &cuts->capacity, sizeof *cuts->rows))
        return false;
    cdg_cut_vertex *row = &cuts->rows[cuts->count];
    row->vertex = vertex;
    row->is_warped = false;
    row->at = bcc_point(track->lattice, track->vertices.keys[vertex]);
    memset(row->neighbour, 0xFF, sizeof row->neighbour);
    memset(row->point, 0xFF, sizeof row->point);
    cuts->row_of[vertex] = cuts->count++;
    return true;
}

static bool add_rows_about(const cdg_track *track, cdg_cuts *cuts, uint32_t vertex) {
    for (int edge = 0; edge < CDG_BCC_EDGES; edge++) {
        uint32_t other = other_side(track, vertex, edge);
        if (other != CDG_NO_NUMBER && (!add_row(track, cuts, vertex) || !add_row(track, cuts, other))) return false;
    }
    return true;
}

// One end at least of each cut edge belongs to a cut cube.
static bool list_rows(const cdg_track *track, cdg_cuts *cuts) {
    bool *is_seen = cdg_budget_take_zero(track->budget, track->vertices.count, sizeof *is_seen), has_memory = true;
    if (is_seen == NULL) return false;
    for (size_t i = 0; has_memory && i < 9 * (size_t)track->cubes.count; i++) {
        if (!(has_memory = cdg_budget_lasts(track->budget, i))) break;
        if (!track->is_cut[i / 9]) continue;
        uint64_t cube = track->cubes.keys[i / 9], key = i % 9 < 8 ? bcc_corner(cube, 0, (int)(i % 9)) : cube;
        uint32_t vertex = cdg_key_map_find(&track->vertices, key);
        if (is_seen[vertex]) continue;
        is_seen[vertex] = true;
        has_memory = add_rows_about(track, cuts, vertex);
    }
    cdg_budget_give(track->budget, is_seen);
    return has_memory;
}

// ---- places ---------------------------------------------------------------------------------------------------------

enum { PIECE = 16 };

typedef struct search {
    const cdg_track *track;
    cdg_cuts *cuts;
} search;

static bool is_owner(const cdg_track *track, uint32_t vertex, int edge) {
    if (edge < CDG_BCC_LONG_EDGES) return edge % 2 == 0;
    return (track->vertices.keys[vertex] & 1) != 0; // the middle of a cube
}

static void find_places(const search *s, uint32_t number) {
    cdg_cut_vertex *row = &s->cuts->rows[number];
    const cdg_track *track = s->track;
    for (int edge = 0; edge < CDG_BCC_EDGES; edge++) {
        if (!is_owner(track, row->vertex, edge)) continue;
        uint32_t other = other_side(track, row->vertex, edge);
        if (other == CDG_NO_NUMBER) continue;
        uint32_t other_row = s->cuts->row_of[other];
        cdg_cut_vertex *far = &s->cuts->rows[other_row];
        int back = bcc_opposite(edge);
        row->neighbour[edge] = other_row;
        far->neighbour[back] = number; // no other thread writes there: the edge has one owner
        row->position[edge] =
            cdg_inside_cut(track->inside, row->at, track->values[row->vertex], far->at, track->values[other]);
        far->position[back] = 1 - row->position[edge];
    }
}

static void find_piece(void *user, size_t index, int thread) {
    const search *s = user;
    if (!cdg_patience_lasts_on(s->track->budget->patience, thread)) return;
    for (size_t i = index * PIECE; i < (index + 1) * PIECE && i < s->cuts->count; i++) find_places(s, (uint32_t)i);
}

bool cdg_cuts_find(const cdg_track *track, cdg_cuts *out) {
    *out = (cdg_cuts){.row_of = cdg_budget_take(track->budget, track->vertices.count, sizeof *out->row_of)};
    if (out->row_of == NULL) return false;
    memset(out->row_of, 0xFF, track->vertices.count * sizeof *out->row_of);
    if (!list_rows(track, out)) return false;
    search s = {track, out};
    cdg_parallel_for((out->count + PIECE - 1) / PIECE, track->thread_count, find_piece, &s);
    return !cdg_patience_is_over(track->budget->patience);
}

cdg_vec3 cdg_cut_at(const cdg_track *track, const cdg_cuts *cuts, uint32_t row, int edge) {
    const cdg_cut_vertex *here = &cuts->rows[row];
    if (!is_owner(track, here->vertex, edge)) {
        row = here->neighbour[edge];
        edge = bcc_opposite(edge);
        here = &cuts->rows[row];
    }
    return vec3_lerp(here->at, cuts->rows[here->neighbour[edge]].at, here->position[edge]);
}

// ---- warping --------------------------------------------------------------------------------------------------------

// The nearest cut that is too near; -1: none.
static int find_violation(const cdg_cut_vertex *row) {
    int best = -1;
    double least = HUGE_VAL;
    for (int edge = 0; edge < CDG_BCC_EDGES; edge++) {
        if (row->neighbour[edge] == CDG_NO_NUMBER) continue;
        bool is_long = edge < CDG_BCC_LONG_EDGES;
        double distance = row->position[edge] * (is_long ? 2 : sqrt(3));
        if (row->position[edge] < (is_long ? stencil_near_long : stencil_near_short) && distance < least) {
            least = distance;
            best = edge;
        }
    }
    return best;
}

bool cdg_cuts_warp(const cdg_track *track, cdg_cuts *cuts) {
    for (uint32_t i = 0; i < cuts->count; i++) {
        cdg_cut_vertex *row = &cuts->rows[i];
        if (!cdg_budget_lasts(track->budget, i)) return false;
        int violation = find_violation(row);
        if (violation < 0) continue;
        row->at = cdg_cut_at(track, cuts, i, violation);
        row->is_warped = true;
        for (int edge = 0; edge < CDG_BCC_EDGES; edge++) {
            if (row->neighbour[edge] == CDG_NO_NUMBER) continue;
            cuts->rows[row->neighbour[edge]].neighbour[bcc_opposite(edge)] = CDG_NO_NUMBER;
            row->neighbour[edge] = CDG_NO_NUMBER;
        }
    }
    return true;
}
