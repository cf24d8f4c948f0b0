// Swaps. Removing an edge leaves the polygon of points around it, which is filled anew with triangles, each joined to
// both ends of the edge; the best filling is found part by part (Klincsek 1980; Freitag and Ollivier-Gooch 1997): 3-2
// and 4-4 swaps are its smallest cases. A face swap is the inverse of the former, 2-3.
#include "meshing/swaps.h"

#include "meshing/faces.h"
#include "meshing/tetrahedron.h"

#include <string.h>

enum { RING_MOST = 9, STAR_MOST = 128 };
static const double least_gain = 1e-4; // of a cosine

// ---- what is better -------------------------------------------------------------------------------------------------

typedef struct worst {
    double badness, least, most; // of cosines
    double volume6;
} worst;

static const worst none = {-1, 1, -1, 0};

static void take_in(worst *w, const cdg_vec3 p[4]) {
    double least, most, badness = cdg_surgery_measure(p, &least, &most);
    if (badness > w->badness) w->badness = badness;
    if (least < w->least) w->least = least;
    if (most > w->most) w->most = most;
    w->volume6 += tetrahedron_volume6(p);
}

static void positions_of(const cdg_surgery *s, const uint32_t corners[4], cdg_vec3 p[4]) {
    for (int k = 0; k < 4; k++) p[k] = s->mesh->points[corners[k]];
}

static void take_in_corners(const cdg_surgery *s, worst *w, uint32_t a, uint32_t b, uint32_t c, uint32_t d) {
    const uint32_t corners[4] = {a, b, c, d};
    cdg_vec3 p[4];
    positions_of(s, corners, p);
    take_in(w, p);
}

// The smallest angle never gets smaller; the largest may grow while it is far from flat.
static bool keeps_angles(const cdg_swap_rules *rules, const worst *now, const worst *then) {
    static const double blunt = -0.77; // 140 degrees
    return !rules->is_strict || (then->most <= now->most && then->least >= fmin(now->least, blunt));
}

static bool is_better(const cdg_swap_rules *rules, const worst *now, const worst *then) {
    if (!(then->badness < fmax(now->badness - least_gain, rules->enough))) return false;
    return keeps_angles(rules, now, then);
}

static bool keeps_volume(const cdg_swap_rules *rules, const worst *now, const worst *then) {
    return fabs(now->volume6 - then->volume6) <= 6 * rules->tiny;
}

// Geometry alone does not tell where the mesh is folded over itself for the moment.
static bool keep_if_sound(cdg_surgery *s, size_t mark) {
    if (s->has_memory && cdg_surgery_is_sound(s, mark)) return true;
    cdg_surgery_undo(s, mark);
    return false;
}

// ---- edges ----------------------------------------------------------------------------------------------------------

typedef struct ring { // points about an edge, counter-clockwise about the way from a to b
    uint32_t a, b, point[RING_MOST], element[RING_MOST];
    int count, elements; // one element fewer than points: the edge is on the boundary
    worst now;
} ring;

typedef struct wedge { // an element as the edge sees it
    uint32_t element, from, to;
} wedge;

static wedge see_wedge(const cdg_surgery *s, uint32_t element, uint32_t a, uint32_t b) {
    wedge w = {.element = element};
    uint32_t others[2];
    const uint32_t *c = s->mesh->tetrahedra[element];
    int count = 0, turns = 0, at_a = 0, at_b = 0;
    for (int k = 0; k < 4; k++) {
        if (c[k] == a) at_a = k;
        if (c[k] == b) at_b = k;
        if (c[k] != a && c[k] != b) others[count++] = c[k];
    }
    // the sum of inversions: when it is even, a, b and the others in order turn as the corners do
    turns = at_a + at_b - (at_a < at_b);
    w.from = others[turns % 2];
    w.to = others[1 - turns % 2];
    return w;
}

// Chains wedges so that each begins where the one before ends.
static bool chain(const wedge *wedges, int count, ring *out) {
    int start = 0;
    for (int i = 0; i < count; i++) { // of an open ring the first is nobody's next
        bool is_next = false;
        for (int k = 0; k < count; k++) is_next = is_next || wedges[k].to == wedges[i].from;
        if (!is_next) start = i;
    }
    uint32_t at = wedges[start].from, first = at;
    bool is_used[RING_MOST] = {false};
    out->elements = count;
    for (int i = 0; i < count; i++) {
        int found = -1;
        for (int k = 0; k < count; k++)
            if (!is_used[k] && wedges[k].from == at) found = k;
        if (found < 0) return false; // more than one fan: no manifold
        is_used[found] = true;
        out->point[i] = at;
        out->element[i] = wedges[found].element;
        at = wedges[found].to;
    }
    out->count = count;
    if (at == first) return count >= 3;
    if (count == RING_MOST) return false;
    out->point[out->count++] = at;
    return out->count >= 3;
}

static bool find_ring(const cdg_surgery *s, uint32_t a, uint32_t b, ring *out) {
    wedge wedges[RING_MOST];
    int count = 0;
    *out = (ring){.a = a, .b = b, .now = none};
    for (uint32_t at = s->first[a]; at != CDG_NO_CORNER; at = s->next[at]) {
        if (!cdg_surgery_has(s, at / 4, b)) continue;
        if (count == RING_MOST) return false;
        wedges[count++] = see_wedge(s, at / 4, a, b);
        const uint32_t *c = s->mesh->tetrahedra[at / 4];
        take_in_corners(s, &out->now, c[0], c[1], c[2], c[3]);
    }
    return count > 0 && chain(wedges, count, out);
}

typedef struct filling {
    const cdg_surgery *s;
    const ring *ring;
    double badness[RING_MOST][RING_MOST]; // of the best filling of points i to k
    int apex[RING_MOST][RING_MOST];
} filling;

static double triangle_badness(const filling *f, int i, int j, int k) {
    const cdg_vec3 *points = f->s->mesh->points;
    const uint32_t *p = f->ring->point;
    cdg_vec3 above[4] = {points[p[i]], points[p[j]], points[p[k]], points[f->ring->b]};
    cdg_vec3 below[4] = {points[p[i]], points[p[k]], points[p[j]], points[f->ring->a]};
    double first = cdg_surgery_badness(above);
    return first >= 1 ? first : fmax(first, cdg_surgery_badness(below));
}

static void fill_best(filling *f) {
    int count = f->ring->count;
    for (int i = 0; i < count; i++)
        for (int k = 0; k < count; k++) f->badness[i][k] = -1;
    for (int span = 2; span < count; span++)
        for (int i = 0; i + span < count; i++) {
            double best = HUGE_VAL;
            for (int j = i + 1; j < i + span; j++) {
                double sides = fmax(f->badness[i][j], f->badness[j][i + span]);
                if (sides >= best) continue;
                double found = fmax(sides, triangle_badness(f, i, j, i + span));
                if (found >= best) continue;
                best = found;
                f->apex[i][i + span] = j;
            }
            f->badness[i][i + span] = best;
        }
}

typedef struct triangle_list {
    int corner[RING_MOST][3], count;
} triangle_list;

static void list_triangles(const filling *f, triangle_list *out) {
    int stack[2 * RING_MOST][2], depth = 0;
    stack[depth][0] = 0;
    stack[depth++][1] = f->ring->count - 1;
    out->count = 0;
    while (depth > 0) {
        int i = stack[--depth][0], k = stack[depth][1];
        if (k - i < 2) continue;
        int j = f->apex[i][k], *corner = out->corner[out->count++];
        corner[0] = i;
        corner[1] = j;
        corner[2] = k;
        stack[depth][0] = i;
        stack[depth++][1] = j;
        stack[depth][0] = j;
        stack[depth++][1] = k;
    }
}

static bool may_remove(const cdg_swap_rules *rules, const ring *r) {
    if (r->elements == r->count) return true; // inside
    const uint32_t corners[4] = {r->a, r->b, r->point[0], r->point[r->count - 1]};
    return rules->is_flat != NULL && rules->is_flat(rules->user, corners, 4);
}

bool cdg_swap_edge(cdg_surgery *s, const cdg_swap_rules *rules, uint32_t a, uint32_t b) {
    ring r;
    filling f = {.s = s, .ring = &r};
    triangle_list triangles;
    if (!find_ring(s, a, b, &r) || !may_remove(rules, &r)) return false;
    fill_best(&f);
    if (!(f.badness[0][r.count - 1] < fmax(r.now.badness - least_gain, rules->enough))) return false;
    list_triangles(&f, &triangles);
    worst then = none;
    for (int t = 0; t < triangles.count; t++) {
        uint32_t p[3];
        for (int k = 0; k < 3; k++) p[k] = r.point[triangles.corner[t][k]];
        take_in_corners(s, &then, p[0], p[1], p[2], b);
        take_in_corners(s, &then, p[0], p[2], p[1], a);
    }
    if (!is_better(rules, &r.now, &then) || !keeps_volume(rules, &r.now, &then)) return false;
    size_t mark = cdg_surgery_mark(s);
    for (int i = 0; i < r.elements; i++) cdg_surgery_remove(s, r.element[i]);
    for (int t = 0; t < triangles.count; t++) {
        uint32_t p[3];
        for (int k = 0; k < 3; k++) p[k] = r.point[triangles.corner[t][k]];
        cdg_surgery_add(s, p[0], p[1], p[2], b);
        cdg_surgery_add(s, p[0], p[2], p[1], a);
    }
    return keep_if_sound(s, mark);
}

// ---- faces ----------------------------------------------------------------------------------------------------------

bool cdg_swap_face(cdg_surgery *s, const cdg_swap_rules *rules, uint32_t element, int face) {
    uint32_t c[4], f[3];
    memcpy(c, s->mesh->tetrahedra[element], sizeof c);
    for (int k = 0; k < 3; k++) f[k] = c[cdg_face_corners[face][k]]; // counter-clockwise from outside
    uint32_t other = cdg_surgery_beyond(s, element, f[0], f[1], f[2]), inner = c[face], outer = 0;
    if (other == UINT32_MAX) return false;
    const uint32_t *o = s->mesh->tetrahedra[other];
    for (int k = 0; k < 4; k++)
        if (o[k] != f[0] && o[k] != f[1] && o[k] != f[2]) outer = o[k];
    worst now = none, then = none;
    take_in_corners(s, &now, c[0], c[1], c[2], c[3]);
    take_in_corners(s, &now, o[0], o[1], o[2], o[3]);
    for (int k = 0; k < 3; k++) take_in_corners(s, &then, f[k], f[(k + 1) % 3], inner, outer);
    if (!is_better(rules, &now, &then) || !keeps_volume(rules, &now, &then)) return false;
    size_t mark = cdg_surgery_mark(s);
    cdg_surgery_remove(s, element);
    cdg_surgery_remove(s, other);
    for (int k = 0; k < 3; k++) cdg_surgery_add(s, f[k], f[(k + 1) % 3], inner, outer);
    return keep_if_sound(s, mark);
}

// ---- contraction ----------------------------------------------------------------------------------------------------

static bool may_vanish(const cdg_surgery *s, const cdg_swap_rules *rules, uint32_t from, uint32_t to) {
    if (!s->is_boundary[from]) return true;
    if (rules->may_vanish == NULL) return false;
    uint32_t points[STAR_MOST];
    int count = 0;
    for (uint32_t at = s->first[from]; at != CDG_NO_CORNER; at = s->next[at]) {
        const uint32_t *c = s->mesh->tetrahedra[at / 4];
        for (int face = 0; face < 4; face++) {
            const unsigned char *k = cdg_face_corners[face];
            if (c[face] == from || cdg_surgery_beyond(s, at / 4, c[k[0]], c[k[1]], c[k[2]]) != UINT32_MAX) continue;
            if (count + 3 > STAR_MOST) return false;
            for (int i = 0; i < 3; i++) points[count++] = c[k[i]];
        }
    }
    return rules->may_vanish(rules->user, from, to, points, count);
}

bool cdg_contract_edge(cdg_surgery *s, const cdg_swap_rules *rules, uint32_t from, uint32_t to) {
    uint32_t star[STAR_MOST];
    int count = 0;
    worst now = none, then = none;
    for (uint32_t at = s->first[from]; at != CDG_NO_CORNER; at = s->next[at]) {
        if (count == STAR_MOST) return false;
        star[count++] = at / 4;
        uint32_t c[4];
        memcpy(c, s->mesh->tetrahedra[at / 4], sizeof c);
        take_in_corners(s, &now, c[0], c[1], c[2], c[3]);
        if (cdg_surgery_has(s, at / 4, to)) continue;
        for (int k = 0; k < 4; k++) c[k] = c[k] == from ? to : c[k];
        take_in_corners(s, &then, c[0], c[1], c[2], c[3]);
        if (then.badness >= 1) return false;
    }
    if (count == 0 || !is_better(rules, &now, &then) || !keeps_volume(rules, &now, &then) ||
        !may_vanish(s, rules, from, to))
        return false;
    size_t mark = cdg_surgery_mark(s);
    for (int i = 0; i < count; i++) {
        uint32_t c[4];
        bool vanishes = cdg_surgery_has(s, star[i], to);
        for (int k = 0; k < 4; k++) {
            c[k] = s->mesh->tetrahedra[star[i]][k];
            if (c[k] == from) c[k] = to;
        }
        cdg_surgery_remove(s, star[i]);
        if (!vanishes) cdg_surgery_add(s, c[0], c[1], c[2], c[3]);
    }
    return keep_if_sound(s, mark);
}

// ---- moves ----------------------------------------------------------------------------------------------------------

static worst worst_about(const cdg_surgery *s, uint32_t point, cdg_vec3 position, double stop, double *shortest) {
    worst w = none;
    for (uint32_t at = s->first[point]; at != CDG_NO_CORNER && w.badness < stop; at = s->next[at]) {
        cdg_vec3 p[4];
        positions_of(s, s->mesh->tetrahedra[at / 4], p);
        p[at % 4] = position;
        take_in(&w, p);
        for (int k = 0; k < 4 && shortest != NULL; k++)
            if (k != (int)(at % 4)) *shortest = fmin(*shortest, vec3_distance(p[k], position));
    }
    return w;
}

static cdg_vec3 direction(int way) { // 6 along axes, 8 along diagonals
    double sign = way % 2 == 0 ? -1 : 1;
    if (way < 6) return vec3(way / 2 == 0 ? sign : 0, way / 2 == 1 ? sign : 0, way / 2 == 2 ? sign : 0);
    return vec3_scale(0.57735026918962576,
                      vec3((way - 6) & 1 ? 1 : -1, (way - 6) & 2 ? 1 : -1, (way - 6) & 4 ? 1 : -1));
}

bool cdg_move_better(cdg_surgery *s, const cdg_swap_rules *rules, uint32_t point) {
    enum { ROUNDS = 5, WAYS = 14 };
    if (s->is_boundary[point] && rules->follow == NULL) return false;
    cdg_vec3 here = s->mesh->points[point];
    double shortest = HUGE_VAL;
    const worst before = worst_about(s, point, here, HUGE_VAL, &shortest);
    worst now = before;
    double reach = 0.25 * shortest;
    for (int round = 0; round < ROUNDS; round++, reach *= 0.5)
        for (int way = 0; way < WAYS; way++) {
            cdg_vec3 position = vec3_mad(here, reach, direction(way));
            if (s->is_boundary[point] && !rules->follow(rules->user, point, &position)) continue;
            worst then = worst_about(s, point, position, now.badness, NULL);
            if (!(then.badness < now.badness) || !keeps_angles(rules, &before, &then)) continue;
            now = then;
            here = position;
        }
    if (!(now.badness < before.badness - least_gain)) return false;
    cdg_surgery_move(s, point, here);
    return true;
}

// ---- elements -------------------------------------------------------------------------------------------------------

static bool improve_by_edges(cdg_surgery *s, const cdg_swap_rules *rules, const uint32_t c[4]) {
    for (int i = 0; i < 3; i++)
        for (int k = i + 1; k < 4; k++)
            if (cdg_swap_edge(s, rules, c[i], c[k])) return true;
    return false;
}

static bool improve_by_contraction(cdg_surgery *s, const cdg_swap_rules *rules, const uint32_t c[4]) {
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 4; k++)
            if (i != k && cdg_contract_edge(s, rules, c[i], c[k])) return true;
    return false;
}

bool cdg_element_improve(cdg_surgery *s, const cdg_swap_rules *rules, uint32_t element) {
    uint32_t c[4];
    memcpy(c, s->mesh->tetrahedra[element], sizeof c);
    if (improve_by_edges(s, rules, c)) return true;
    for (int face = 0; face < 4; face++)
        if (cdg_swap_face(s, rules, element, face)) return true;
    bool has_moved = false;
    for (int k = 0; k < 4; k++) has_moved = cdg_move_better(s, rules, c[k]) || has_moved;
    return has_moved || improve_by_contraction(s, rules, c);
}

static double badness_of(const cdg_surgery *s, uint32_t element) {
    cdg_vec3 p[4];
    positions_of(s, s->mesh->tetrahedra[element], p);
    return cdg_surgery_badness(p);
}

void cdg_mesh_improve(cdg_surgery *s, const cdg_swap_rules *rules, double limit, int passes) {
    for (int pass = 0; pass < passes && s->has_memory; pass++) {
        size_t done = 0, end = s->mesh->tetrahedron_count;
        for (uint32_t e = 0; e < end && s->has_memory && cdg_budget_lasts(s->budget, e); e++) {
            if (cdg_surgery_is_gone(s, e) || !(badness_of(s, e) > limit)) continue;
            done += cdg_element_improve(s, rules, e);
            cdg_surgery_keep(s);
        }
        if (done == 0 || cdg_patience_is_over(s->budget->patience)) return;
    }
}
