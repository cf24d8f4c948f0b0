// Following a surface through the lattice. Work goes in rounds: all new vertices are evaluated, by all threads, then
// cubes with both signs hand on to their neighbours; so the result depends on neither order nor threads.
#include "meshing/track.h"

#include "base/parallel.h"

void cdg_track_free(cdg_track *track) {
    cdg_key_map_free(&track->vertices, track->budget);
    cdg_key_map_free(&track->cubes, track->budget);
    cdg_budget_give(track->budget, track->values);
    cdg_budget_give(track->budget, track->is_cut);
}

bool cdg_track_enter(cdg_track *track, uint64_t cube) {
    uint32_t number = cdg_key_map_add(&track->cubes, cube, track->budget);
    if (number == CDG_NO_NUMBER ||
        !cdg_budget_grow(track->budget, (void **)&track->is_cut, number, &track->cut_capacity, sizeof *track->is_cut))
        return false;
    return true;
}

// ---- cubes that triangles touch -------------------------------------------------------------------------------------

typedef struct column_range { // of the cubes above and below a square
    double least, most;
} column_range;

// Heights of a triangle's plane over the square about (u, v), in cubes; n is the normal, w the axis it is largest along.
static column_range plane_over_square(const double n[3], const double p0[3], int u, int v, int w, double at_u,
                                      double at_v) {
    double height = p0[w] - (n[u] * (at_u - p0[u]) + n[v] * (at_v - p0[v])) / n[w];
    double slope = 0.5 * (fabs(n[u]) + fabs(n[v])) / fabs(n[w]);
    return (column_range){height - slope, height + slope};
}

static bool square_is_met(const double c[3][3], int u, int v, double at_u, double at_v) {
    double turn = (c[1][u] - c[0][u]) * (c[2][v] - c[0][v]) - (c[1][v] - c[0][v]) * (c[2][u] - c[0][u]);
    double sign = turn < 0 ? -1 : 1;
    for (int k = 0; k < 3; k++) {
        const double *p = c[k], *q = c[(k + 1) % 3];
        double nu = -(q[v] - p[v]) * sign, nv = (q[u] - p[u]) * sign; // inward
        if (nu * (at_u - p[u]) + nv * (at_v - p[v]) + 0.5 * (fabs(nu) + fabs(nv)) < 0) return false;
    }
    return true;
}

static bool enter_column(cdg_track *track, int u, int v, int w, long at_u, long at_v, column_range range) {
    const double margin = 1e-6; // cubes that are only touched count, too
    for (long k = (long)floor(range.least - margin); k <= (long)floor(range.most + margin); k++) {
        uint32_t index[3];
        index[u] = (uint32_t)(2 * at_u + 1);
        index[v] = (uint32_t)(2 * at_v + 1);
        index[w] = (uint32_t)(2 * k + 1);
        if (!cdg_track_enter(track, bcc_key(index[0], index[1], index[2]))) return false;
    }
    return true;
}

static bool touch_triangle(cdg_track *track, const cdg_vec3 corners[3]) {
    double c[3][3], low[3], high[3], e[2][3], n[3], cube = 2 * track->lattice->half;
    for (int k = 0; k < 3; k++) {
        cdg_vec3 p = vec3_scale(1 / cube, vec3_sub(corners[k], track->lattice->origin));
        c[k][0] = p.x;
        c[k][1] = p.y;
        c[k][2] = p.z;
    }
    for (int a = 0; a < 3; a++) {
        low[a] = fmin(c[0][a], fmin(c[1][a], c[2][a]));
        high[a] = fmax(c[0][a], fmax(c[1][a], c[2][a]));
        for (int k = 0; k < 2; k++) e[k][a] = c[k + 1][a] - c[0][a];
    }
    int w = 0;
    for (int a = 0; a < 3; a++) n[a] = e[0][(a + 1) % 3] * e[1][(a + 2) % 3] - e[0][(a + 2) % 3] * e[1][(a + 1) % 3];
    for (int a = 1; a < 3; a++)
        if (fabs(n[a]) > fabs(n[w])) w = a;
    int u = (w + 1) % 3, v = (w + 2) % 3;
    for (long i = (long)floor(low[u]); i <= (long)floor(high[u]); i++)
        for (long j = (long)floor(low[v]); j <= (long)floor(high[v]); j++) {
            double at_u = (double)i + 0.5, at_v = (double)j + 0.5;
            if (!square_is_met((const double(*)[3])c, u, v, at_u, at_v)) continue;
            column_range range = plane_over_square(n, c[0], u, v, w, at_u, at_v);
            range.least = fmax(range.least, low[w]);
            range.most = fmin(range.most, high[w]);
            if (!enter_column(track, u, v, w, i, j, range)) return false;
        }
    return true;
}

bool cdg_track_touch(cdg_track *track, const cdg_winding *winding) {
    for (size_t t = 0; t < winding->triangle_count; t++)
        if (!touch_triangle(track, winding->corners[t])) return false;
    return true;
}

// ---- rounds ---------------------------------------------------------------------------------------------------------

enum { PIECE = 64 }; // vertices that a thread evaluates at a time

typedef struct evaluation {
    cdg_track *track;
    uint32_t first;
} evaluation;

static void evaluate_piece(void *user, size_t index, int thread) {
    evaluation *e = user;
    (void)thread;
    uint32_t begin = e->first + (uint32_t)index * PIECE, end = begin + PIECE;
    if (end > e->track->vertices.count) end = e->track->vertices.count;
    for (uint32_t i = begin; i < end; i++)
        e->track->values[i] =
            cdg_inside_value(e->track->inside, bcc_place(e->track->lattice, e->track->vertices.keys[i]));
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
    return true;
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
            if (!enter_vertices(track, track->cubes.keys[i])) return false;
        if (!evaluate_new(track, first_vertex)) return false;
        for (uint32_t i = first; i < end; i++)
            if (!look_at(track, i)) return false;
        first = end;
    }
    return true;
}
