// Isosurface stuffing. Cubes that the surface passes through, and all that touch them, are of one size, so that what is
// cut or warped are regular tetrahedra of the lattice; elsewhere leaves of an octree are filled with whole ones:
// between two leaves of a size four around their common face (halved where an edge has a point in its middle), between
// a leaf and smaller ones eight in the large and two in each small one.
#include "meshing/stuffing.h"

#include "meshing/stencil.h"

#include <string.h>

enum { OUTSIDE = -1, CUT = 0, INSIDE = 1, UNKNOWN = 2 };
#define EXTRA_POINT (1u << 30) // marks numbers of vertices that no value was computed of
#define CUT_POINT (2u << 30)   // and of cuts

typedef struct cut_edge {
    uint32_t row;
    int edge;
} cut_edge;

typedef struct stuffing {
    const cdg_stuffing_def *def;
    cdg_budget *budget;
    cdg_progress *progress;
    cdg_bcc lattice;
    cdg_track track;
    cdg_octree tree;
    cdg_cuts cuts;
    int16_t *side;   // of each leaf
    uint64_t *whole; // leaves that are to be divided wholly
    size_t whole_count, whole_capacity;
    cdg_key_map extra;
    cut_edge *cut_edges;
    size_t cut_count, cut_capacity;
    cdg_raw_mesh *mesh; // corners are marked numbers until the end
} stuffing;

void cdg_raw_mesh_free(cdg_raw_mesh *mesh, cdg_budget *budget) {
    cdg_budget_give(budget, mesh->points);
    cdg_budget_give(budget, mesh->tetrahedra);
    *mesh = (cdg_raw_mesh){0};
}

static void release(stuffing *s) {
    cdg_track_free(&s->track);
    cdg_octree_free(&s->tree, s->budget);
    cdg_cuts_free(&s->cuts, s->budget);
    cdg_key_map_free(&s->extra, s->budget);
    cdg_budget_give(s->budget, s->side);
    cdg_budget_give(s->budget, s->whole);
    cdg_budget_give(s->budget, s->cut_edges);
}

// ---- lattice --------------------------------------------------------------------------------------------------------

// The root cube about the box, with a quarter of it and some cubes of margin. The lattice is shifted by uneven parts of
// a cube, so that faces of boxes do not lie in its planes.
static void place_lattice(stuffing *s) {
    const cdg_stuffing_def *def = s->def;
    double extent = fmax(def->high.x - def->low.x, fmax(def->high.y - def->low.y, def->high.z - def->low.z));
    double cubes = 1.25 * extent / def->size + 12;
    int levels = 3;
    while (levels < CDG_BCC_LEVELS && (double)(1 << levels) < cubes) levels++;
    double root = def->size * (double)(1 << levels);
    cdg_vec3 middle = vec3_scale(0.5, vec3_add(def->low, def->high));
    cdg_vec3 corner = vec3(middle.x - 0.5 * root, middle.y - 0.5 * root, middle.z - 0.5 * root);
    s->lattice = (cdg_bcc){
        .origin = vec3_mad(corner, def->size, vec3(0.3713, 0.2237, 0.4141)), .half = 0.5 * def->size, .levels = levels};
}

// ---- sides of leaves ------------------------------------------------------------------------------------------------

static bool enter_whole(stuffing *s, uint64_t leaf) {
    if (!cdg_budget_grow(s->budget, (void **)&s->whole, s->whole_count, &s->whole_capacity, sizeof *s->whole))
        return false;
    s->whole[s->whole_count++] = leaf;
    return true;
}

// From values that are known of its corners and middle; CUT when they differ.
static int known_side(const stuffing *s, uint64_t leaf) {
    int level = bcc_level(leaf), side = UNKNOWN;
    for (int k = 0; k < 9; k++) {
        uint64_t key = k < 8 ? bcc_corner(leaf, level, k) : leaf;
        uint32_t vertex = cdg_key_map_find(&s->track.vertices, key);
        if (vertex == CDG_NO_NUMBER) continue;
        int found = s->track.values[vertex] > 0 ? INSIDE : OUTSIDE;
        if (side == UNKNOWN) side = found;
        if (side != found) return CUT;
    }
    return side;
}

static bool was_looked_at(const stuffing *s, uint64_t leaf) {
    return cdg_key_map_find(&s->track.cubes, leaf) != CDG_NO_NUMBER;
}

typedef struct spreading {
    uint32_t *queue, begin, end;
    bool has_memory;
} spreading;

static void hand_on(stuffing *s, spreading *q, uint32_t from, uint32_t to) {
    if (s->side[to] == UNKNOWN) {
        s->side[to] = s->side[from];
        q->queue[q->end++] = to;
    } else if (s->side[to] == -s->side[from] && s->side[from] != CUT) { // the surface passes between them unseen
        q->has_memory =
            q->has_memory && enter_whole(s, s->tree.leaves.keys[from]) && enter_whole(s, s->tree.leaves.keys[to]);
    }
}

static void spread_from(stuffing *s, spreading *q, uint32_t leaf) {
    uint64_t key = s->tree.leaves.keys[leaf];
    int level = bcc_level(key);
    for (int side = 0; side < 6; side++) {
        uint32_t other, smaller[4];
        switch (cdg_octree_beyond(&s->tree, key, level, side, &other)) {
        case CDG_OCTREE_SAME:
        case CDG_OCTREE_LARGER: hand_on(s, q, leaf, other); break;
        case CDG_OCTREE_SMALLER:
            cdg_octree_smaller(&s->tree, key, level, side, smaller);
            for (int k = 0; k < 4; k++) hand_on(s, q, leaf, smaller[k]);
            break;
        case CDG_OCTREE_NONE: break;
        }
    }
}

// Leaves that are not cut lie on one side; those of which nothing is known take it from their neighbours.
static bool find_sides(stuffing *s) {
    uint32_t count = s->tree.leaves.count;
    cdg_budget_give(s->budget, s->side);
    s->side = cdg_budget_take(s->budget, count, sizeof *s->side);
    spreading q = {.queue = cdg_budget_take(s->budget, count, sizeof *q.queue), .has_memory = true};
    bool has_memory = s->side != NULL && q.queue != NULL;
    for (uint32_t i = 0; has_memory && i < count; i++) {
        uint64_t key = s->tree.leaves.keys[i];
        has_memory = cdg_budget_lasts(s->budget, i);
        s->side[i] = (int16_t)known_side(s, key);
        if (s->side[i] == CUT && !was_looked_at(s, key)) has_memory = has_memory && enter_whole(s, key);
        if (s->side[i] == INSIDE || s->side[i] == OUTSIDE) q.queue[q.end++] = i;
    }
    for (; has_memory && q.begin < q.end; has_memory = cdg_budget_lasts(s->budget, q.begin))
        spread_from(s, &q, q.queue[q.begin++]);
    for (uint32_t i = 0; has_memory && i < count; i++)
        if (s->side[i] == UNKNOWN) s->side[i] = OUTSIDE; // no surface at all
    cdg_budget_give(s->budget, q.queue);
    return has_memory && q.has_memory;
}

// ---- octree ---------------------------------------------------------------------------------------------------------

static bool build_tree(stuffing *s) {
    cdg_octree_free(&s->tree, s->budget);
    s->tree = (cdg_octree){.levels = s->lattice.levels};
    for (uint32_t i = 0; i < s->track.cubes.count; i++) {
        if (!cdg_budget_lasts(s->budget, i)) return false;
        if (s->track.is_cut[i] && !cdg_octree_refine_about(&s->tree, s->track.cubes.keys[i], s->budget)) return false;
    }
    for (size_t i = 0; i < s->whole_count; i++)
        if (!cdg_budget_lasts(s->budget, i) || !cdg_octree_refine_all(&s->tree, s->whole[i], s->budget)) return false;
    double layers = s->def->grading > 0 ? 1 / s->def->grading : 1;
    return cdg_octree_finish(&s->tree, layers < 64 ? (int)(layers + 0.5) : 64, s->budget) && find_sides(s);
}

// All cubes of a leaf are looked at.
static bool look_into(stuffing *s, uint64_t leaf) {
    int level = bcc_level(leaf);
    uint32_t side = 1u << level, low[3];
    for (int a = 0; a < 3; a++) low[a] = bcc_coordinate(leaf, a) - side;
    for (uint32_t z = 0; z < side; z++)
        for (uint32_t y = 0; y < side; y++)
            for (uint32_t x = 0; x < side; x++)
                if (!cdg_track_enter(&s->track, bcc_key(low[0] + 2 * x + 1, low[1] + 2 * y + 1, low[2] + 2 * z + 1)))
                    return false;
    return true;
}

// Where the surface was not followed but signs tell that it passes, look closely and build again.
static bool settle_tree(stuffing *s) {
    if (!build_tree(s)) return false;
    for (size_t done = 0; done < s->whole_count;) {
        uint32_t first = s->track.cubes.count;
        for (; done < s->whole_count; done++)
            if (!look_into(s, s->whole[done])) return false;
        if (!cdg_track_follow(&s->track, first) || !build_tree(s)) return false;
    }
    if (s->def->grading > 0) return true;
    for (uint32_t i = 0; i < s->tree.leaves.count; i++)
        if (s->side[i] == INSIDE && bcc_level(s->tree.leaves.keys[i]) > 0 && !enter_whole(s, s->tree.leaves.keys[i]))
            return false;
    return build_tree(s);
}

// ---- elements -------------------------------------------------------------------------------------------------------

typedef struct node { // a vertex of the lattice as an element sees it
    uint64_t key;
    uint32_t number, row; // row of its cuts, or CDG_NO_NUMBER
    int side;
} node;

static bool find_node(stuffing *s, uint64_t key, int default_side, node *out) {
    uint32_t vertex = cdg_key_map_find(&s->track.vertices, key);
    *out = (node){.key = key, .number = vertex, .row = CDG_NO_NUMBER, .side = default_side};
    if (vertex == CDG_NO_NUMBER) {
        uint32_t number = cdg_key_map_add(&s->extra, key, s->budget);
        out->number = number | EXTRA_POINT;
        return number != CDG_NO_NUMBER;
    }
    out->row = s->cuts.row_of[vertex];
    out->side = s->track.values[vertex] > 0 ? INSIDE : OUTSIDE;
    if (out->row != CDG_NO_NUMBER && s->cuts.rows[out->row].is_warped) out->side = 0;
    return true;
}

static bool emit(stuffing *s, uint32_t a, uint32_t b, uint32_t c, uint32_t d) {
    cdg_raw_mesh *m = s->mesh;
    if (!cdg_budget_grow(s->budget, (void **)&m->tetrahedra, m->tetrahedron_count, &m->tetrahedron_capacity,
                         sizeof *m->tetrahedra))
        return false;
    uint32_t *t = m->tetrahedra[m->tetrahedron_count++];
    t[0] = a;
    t[1] = b;
    t[2] = c;
    t[3] = d;
    return true;
}

static cdg_vec3 node_point(const stuffing *s, const node *n) {
    return n->row != CDG_NO_NUMBER ? s->cuts.rows[n->row].at : bcc_point(&s->lattice, n->key);
}

static int edge_between(uint64_t from, uint64_t to) {
    for (int e = 0; e < CDG_BCC_EDGES; e++)
        if (from + bcc_step(e) == to) return e;
    return -1;
}

// Number of the point at a cut, which is new when met for the first time.
static bool find_cut_point(stuffing *s, const node *a, const node *b, uint32_t *number, cdg_vec3 *position) {
    int edge = edge_between(a->key, b->key);
    cdg_cut_vertex *row = &s->cuts.rows[a->row];
    if (row->point[edge] == CDG_NO_NUMBER) {
        if (!cdg_budget_grow(s->budget, (void **)&s->cut_edges, s->cut_count, &s->cut_capacity, sizeof *s->cut_edges))
            return false;
        row->point[edge] = (uint32_t)s->cut_count | CUT_POINT;
        s->cuts.rows[b->row].point[bcc_opposite(edge)] = row->point[edge];
        s->cut_edges[s->cut_count++] = (cut_edge){a->row, edge};
    }
    *number = row->point[edge];
    *position = cdg_cut_at(&s->track, &s->cuts, a->row, edge);
    return true;
}

static bool fill_cut(stuffing *s, const node n[4]) {
    cdg_stencil stencil;
    for (int k = 0; k < 4; k++) {
        stencil.side[k] = n[k].side;
        stencil.point[k] = n[k].number;
        stencil.position[k] = node_point(s, &n[k]);
    }
    for (int a = 0; a < 3; a++)
        for (int b = a + 1; b < 4; b++) {
            int e = stencil_edge(a, b);
            if (n[a].side * n[b].side < 0 && !find_cut_point(s, &n[a], &n[b], &stencil.cut[e], &stencil.cut_point[e]))
                return false;
        }
    uint32_t parts[CDG_STENCIL_MOST][4];
    int count = cdg_stencil_fill(&stencil, parts);
    for (int t = 0; t < count; t++)
        if (!emit(s, parts[t][0], parts[t][1], parts[t][2], parts[t][3])) return false;
    return true;
}

// One tetrahedron of the lattice, positively oriented: whole, in part, or not at all.
static bool fill_element(stuffing *s, const node *a, const node *b, const node *c, const node *d) {
    int inside = (a->side > 0) + (b->side > 0) + (c->side > 0) + (d->side > 0);
    int outside = (a->side < 0) + (b->side < 0) + (c->side < 0) + (d->side < 0);
    if (inside == 0) return true;
    if (outside == 0) return emit(s, a->number, b->number, c->number, d->number);
    const node n[4] = {*a, *b, *c, *d};
    return fill_cut(s, n);
}

// Corners of a side, counter-clockwise about the way out.
static void side_corners(int side, int out[4]) {
    int a = side / 2, b = (a + 1) % 3, c = (a + 2) % 3, positive = side % 2 == 0;
    for (int k = 0; k < 4; k++) {
        int turn = positive ? k : 3 - k, at_b = turn == 1 || turn == 2, at_c = turn >= 2;
        out[k] = positive << a | at_b << b | at_c << c;
    }
}

static uint64_t middle_between(uint64_t a, uint64_t b) { // of keys that differ by even coordinates: none carries
    return (a & b) + ((a ^ b) >> 1);
}

typedef struct leaf_view {
    uint64_t key;
    int level, side;
    node middle, corner[8];
} leaf_view;

static bool view_leaf(stuffing *s, uint32_t leaf, leaf_view *out) {
    out->key = s->tree.leaves.keys[leaf];
    out->level = bcc_level(out->key);
    out->side = s->side[leaf];
    for (int k = 0; k < 8; k++)
        if (!find_node(s, bcc_corner(out->key, out->level, k), out->side, &out->corner[k])) return false;
    return find_node(s, out->key, out->side, &out->middle);
}

// Whether an edge of the face between two leaves has a point in its middle: one of the other two cubes at the edge is
// divided. `towards` is the side of the leaves that the edge lies at.
static bool has_middle(const stuffing *s, uint64_t first, uint64_t second, int level, int towards) {
    return level > 0 &&
           (cdg_key_map_find(&s->tree.divided[level], bcc_neighbour(first, level, towards)) != CDG_NO_NUMBER ||
            cdg_key_map_find(&s->tree.divided[level], bcc_neighbour(second, level, towards)) != CDG_NO_NUMBER);
}

static int edge_side(int p, int q, int axis) { // which side, other than along `axis`, both corners are at
    for (int a = 0; a < 3; a++)
        if (a != axis && (p >> a & 1) == (q >> a & 1)) return 2 * a + (p >> a & 1 ? 0 : 1);
    return -1;
}

// Around the face between two leaves of a size.
static bool fill_between(stuffing *s, const leaf_view *first, uint32_t second, int side) {
    int corners[4];
    node other, middle;
    side_corners(side, corners);
    if (!find_node(s, s->tree.leaves.keys[second], s->side[second], &other)) return false;
    for (int k = 0; k < 4; k++) {
        const node *p = &first->corner[corners[k]], *q = &first->corner[corners[(k + 1) % 4]];
        int towards = edge_side(corners[k], corners[(k + 1) % 4], side / 2);
        bool is_good = true;
        if (has_middle(s, first->key, other.key, first->level, towards)) {
            is_good = find_node(s, middle_between(p->key, q->key), first->side, &middle) &&
                      fill_element(s, &first->middle, &other, p, &middle) &&
                      fill_element(s, &first->middle, &other, &middle, q);
        } else {
            is_good = fill_element(s, &first->middle, &other, p, q);
        }
        if (!is_good) return false;
    }
    return true;
}

// In a leaf towards four smaller ones: all edges of the side have a point in their middle, and so has the side.
static bool fill_towards_smaller(stuffing *s, const leaf_view *leaf, int side) {
    int corners[4];
    node center, middle;
    side_corners(side, corners);
    uint64_t key = middle_between(leaf->key, bcc_neighbour(leaf->key, leaf->level, side));
    if (!find_node(s, key, leaf->side, &center)) return false;
    for (int k = 0; k < 4; k++) {
        const node *p = &leaf->corner[corners[k]], *q = &leaf->corner[corners[(k + 1) % 4]];
        if (!find_node(s, middle_between(p->key, q->key), leaf->side, &middle) ||
            !fill_element(s, &leaf->middle, &center, p, &middle) ||
            !fill_element(s, &leaf->middle, &center, &middle, q))
            return false;
    }
    return true;
}

// In a leaf towards a larger one: a pyramid, halved along the diagonal that ends at the middle of the larger side.
static bool fill_towards_larger(stuffing *s, const leaf_view *leaf, uint32_t larger, int side) {
    int corners[4], center = 0;
    side_corners(side, corners);
    uint64_t large = s->tree.leaves.keys[larger];
    for (int k = 0; k < 4; k++) {
        uint64_t key = leaf->corner[corners[k]].key;
        bool is_center = true;
        for (int a = 0; a < 3; a++)
            is_center = is_center && (a == side / 2 || bcc_coordinate(key, a) == bcc_coordinate(large, a));
        if (is_center) center = k;
    }
    const node *c[4];
    for (int k = 0; k < 4; k++) c[k] = &leaf->corner[corners[(center + k) % 4]];
    return fill_element(s, &leaf->middle, c[0], c[1], c[2]) && fill_element(s, &leaf->middle, c[0], c[2], c[3]);
}

static bool fill_leaf(stuffing *s, uint32_t leaf) {
    leaf_view view;
    bool is_viewed = false;
    for (int side = 0; side < 6; side++) {
        uint32_t other;
        uint64_t key = s->tree.leaves.keys[leaf];
        int level = bcc_level(key);
        cdg_octree_relation relation = cdg_octree_beyond(&s->tree, key, level, side, &other);
        bool is_wanted = relation == CDG_OCTREE_SAME
                             ? side % 2 == 0 && (s->side[leaf] != OUTSIDE || s->side[other] != OUTSIDE)
                             : relation != CDG_OCTREE_NONE && s->side[leaf] == INSIDE;
        if (!is_wanted) continue;
        if (!is_viewed && !view_leaf(s, leaf, &view)) return false;
        is_viewed = true;
        if (relation == CDG_OCTREE_SAME && !fill_between(s, &view, other, side)) return false;
        if (relation == CDG_OCTREE_SMALLER && !fill_towards_smaller(s, &view, side)) return false;
        if (relation == CDG_OCTREE_LARGER && !fill_towards_larger(s, &view, other, side)) return false;
    }
    return true;
}

// ---- points ---------------------------------------------------------------------------------------------------------

static cdg_vec3 place_of(const stuffing *s, uint32_t number) {
    uint32_t index = number & (EXTRA_POINT - 1);
    if (number & CUT_POINT) return cdg_cut_at(&s->track, &s->cuts, s->cut_edges[index].row, s->cut_edges[index].edge);
    if (number & EXTRA_POINT) return bcc_point(&s->lattice, s->extra.keys[index]);
    uint32_t row = s->cuts.row_of[index];
    return row != CDG_NO_NUMBER ? s->cuts.rows[row].at : bcc_point(&s->lattice, s->track.vertices.keys[index]);
}

// Points in the order in which elements name them.
static bool number_points(stuffing *s) {
    size_t counts[3] = {s->track.vertices.count, s->extra.count, s->cut_count};
    uint32_t *number[3] = {NULL, NULL, NULL};
    bool has_memory = true;
    for (int k = 0; k < 3; k++) {
        number[k] = cdg_budget_take(s->budget, counts[k], sizeof *number[k]);
        has_memory = has_memory && number[k] != NULL;
        if (number[k] != NULL) memset(number[k], 0xFF, counts[k] * sizeof *number[k]);
    }
    cdg_raw_mesh *m = s->mesh;
    for (size_t i = 0; has_memory && i < 4 * m->tetrahedron_count; i++) {
        uint32_t *corner = &m->tetrahedra[i / 4][i % 4], *found = &number[*corner >> 30][*corner & (EXTRA_POINT - 1)];
        if (*found == CDG_NO_NUMBER) {
            has_memory =
                cdg_budget_grow(s->budget, (void **)&m->points, m->point_count, &m->point_capacity, sizeof *m->points);
            if (!has_memory) break;
            m->points[m->point_count] = place_of(s, *corner);
            *found = (uint32_t)m->point_count++;
        }
        *corner = *found;
        has_memory = cdg_budget_lasts(s->budget, i);
    }
    for (int k = 0; k < 3; k++) cdg_budget_give(s->budget, number[k]);
    return has_memory;
}

// ---- all ------------------------------------------------------------------------------------------------------------

static bool fill_all(stuffing *s) {
    for (uint32_t leaf = 0; leaf < s->tree.leaves.count; leaf++)
        if (!cdg_budget_lasts(s->budget, leaf) || !fill_leaf(s, leaf)) return false;
    return number_points(s);
}

cdg_result cdg_stuffing_fill(const cdg_stuffing_def *def, cdg_budget *budget, cdg_progress *progress,
                             cdg_raw_mesh *out) {
    *out = (cdg_raw_mesh){0};
    stuffing s = {.def = def, .budget = budget, .progress = progress, .mesh = out};
    place_lattice(&s);
    s.track =
        (cdg_track){.lattice = &s.lattice, .inside = def->inside, .thread_count = def->thread_count, .budget = budget};
    cdg_result result = CDG_OK;
    if (!cdg_track_touch(&s.track, def->inside->winding) || !cdg_track_follow(&s.track, 0)) result = CDG_ERROR_MEMORY;
    if (result == CDG_OK && !settle_tree(&s)) result = CDG_ERROR_MEMORY;
    if (result == CDG_OK && !progress_enter(progress, CDG_MESHER_CUT, 0.4)) result = CDG_ERROR_INTERRUPTED;
    if (result == CDG_OK && !cdg_cuts_find(&s.track, &s.cuts)) result = CDG_ERROR_MEMORY;
    if (result == CDG_OK && !cdg_cuts_warp(&s.track, &s.cuts)) result = CDG_ERROR_MEMORY;
    if (result == CDG_OK && !progress_enter(progress, CDG_MESHER_FILL, 0.6)) result = CDG_ERROR_INTERRUPTED;
    if (result == CDG_OK && !fill_all(&s)) result = CDG_ERROR_MEMORY;
    release(&s);
    if (result != CDG_OK) cdg_raw_mesh_free(out, budget);
    return result;
}
