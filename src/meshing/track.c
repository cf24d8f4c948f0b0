// Following a surface through the lattice. Work goes in rounds: all new vertices are evaluated, by all threads, then
// cubes with both signs hand on to their neighbours; so the result depends on neither order nor threads.
#include "meshing/track.h"

#include "base/parallel.h"
#include "meshing/raster.h"

void cdg_track_free(cdg_track *track) {
    cdg_key_map_free(&track->vertices, track->budget);
    cdg_key_map_free(&track->cubes, track->budget);
    cdg_budget_give(track->budget, track->values);
    cdg_budget_give(track->budget, track->is_cut);
}

bool cdg_track_enter(cdg_track *track, uint64_t cube) {
    uint32_t number = cdg_budget_lasts(track->budget, track->cubes.count)
                          ? cdg_key_map_add(&track->cubes, cube, track->budget)
                          : CDG_NO_NUMBER;
    if (number == CDG_NO_NUMBER ||
        !cdg_budget_grow(track->budget, (void **)&track->is_cut, number, &track->cut_capacity, sizeof *track->is_cut))
        return false;
    return true;
}

// ---- cubes that triangles touch -------------------------------------------------------------------------------------

static bool enter_cell(void *user, const long cell[3]) {
    return cdg_track_enter(
        user, bcc_key((uint32_t)(2 * cell[0] + 1), (uint32_t)(2 * cell[1] + 1), (uint32_t)(2 * cell[2] + 1)));
}

bool cdg_track_touch(cdg_track *track, const cdg_winding *winding) {
    cdg_raster raster = {track->lattice->origin, 2 * track->lattice->half, enter_cell, track};
    for (size_t t = 0; t < winding->triangle_count; t++)
        if (!cdg_raster_triangle(&raster, winding->corners[t])) return false;
    return true;
}

// ---- rounds ---------------------------------------------------------------------------------------------------------

enum { PIECE = 64 }; // vertices that a thread evaluates at a time

// Of what is scattered, winding numbers fall so slowly that inside would go on beyond the root; it ends at the rim, so
// that no cut edge leads to where nothing is followed.
static bool is_at_rim(const cdg_track *track, uint64_t key) {
    for (int a = 0; a < 3; a++) {
        uint32_t x = bcc_coordinate(key, a);
        if (x <= 5 || x + 5 >= 2u << track->lattice->levels) return true;
    }
    return false;
}

typedef struct evaluation {
    cdg_track *track;
    uint32_t first;
} evaluation;

static void evaluate_piece(void *user, size_t index, int thread) {
    evaluation *e = user;
    if (!cdg_patience_lasts_on(e->track->budget->patience, thread)) return;
    uint32_t begin = e->first + (uint32_t)index * PIECE, end = begin + PIECE;
    if (end > e->track->vertices.count) end = e->track->vertices.count;
    for (uint32_t i = begin; i < end; i++) {
        uint64_t key = e->track->vertices.keys[i];
        double value = cdg_inside_value(e->track->inside, bcc_point(e->track->lattice, key));
        e->track->values[i] = is_at_rim(e->track, key) ? fmin(value, -1e-9) : value;
    }
}

static bool evaluate_new(cdg_track *track, uint32_t first) {
    uint32_t count = track->vertices.count;
    if (count > track->value_capacity) {
        size_t capacity = count + count / 2;
        double *values = cdg_budget_resize(track->budget, track->values, capacity, sizeof *values);
        if (values == NULL) return false;
        track->values = values;
        track->value_capacity = capacity;
    }
    evaluation e = {track, first};
    cdg_parallel_for((count - first + PIECE - 1) / PIECE, track->thread_count, evaluate_piece, &e);
    return !cdg_patience_is_over(track->budget->patience);
}

static bool enter_vertices(cdg_track *track, uint64_t cube) {
    for (int c = 0; c < 8; c++)
        if (cdg_key_map_add(&track->vertices, bcc_corner(cube, 0, c), track->budget) == CDG_NO_NUMBER) return false;
    return cdg_key_map_add(&track->vertices, cube, track->budget) != CDG_NO_NUMBER;
}

static bool is_inside(const cdg_track *track, uint64_t key) {
    return track->values[cdg_key_map_find(&track->vertices, key)] > 0;
}

static bool is_within_root(const cdg_track *track, uint64_t cube) {
    for (int a = 0; a < 3; a++) {
        uint32_t x = bcc_coordinate(cube, a);
        if (x < 5 || x + 5 > 2u << track->lattice->levels) return false; // two cubes of margin
    }
    return true;
}

// Whether the cube has both signs; if so, neighbours across faces that have both, or another than the middle, follow.
static bool look_at(cdg_track *track, uint32_t number) {
    uint64_t cube = track->cubes.keys[number];
    bool middle = is_inside(track, cube), corner[8], is_cut = false;
    for (int c = 0; c < 8; c++) {
        corner[c] = is_inside(track, bcc_corner(cube, 0, c));
        is_cut = is_cut || corner[c] != middle;
    }
    track->is_cut[number] = is_cut;
    track->cut_count += is_cut;
    if (!is_cut) return true;
    for (int side = 0; side < 6; side++) {
        bool leads_on = false;
        for (int c = 0; c < 8; c++)
            if ((c >> side / 2 & 1) == (side % 2 == 0)) leads_on = leads_on || corner[c] != middle;
        uint64_t next = bcc_neighbour(cube, 0, side);
        if (leads_on && is_within_root(track, next) && !cdg_track_enter(track, next)) return false;
    }
    return true;
}

bool cdg_track_follow(cdg_track *track, uint32_t first) {
    while (first < track->cubes.count) {
        uint32_t end = track->cubes.count, first_vertex = track->vertices.count;
        for (uint32_t i = first; i < end; i++)
            if (!cdg_budget_lasts(track->budget, i) || !enter_vertices(track, track->cubes.keys[i])) return false;
        if (!evaluate_new(track, first_vertex)) return false;
        for (uint32_t i = first; i < end; i++)
            if (!cdg_budget_lasts(track->budget, i) || !look_at(track, i)) return false;
        first = end;
    }
    return true;
}
