// Each point of the boundary belongs to a patch of the surface; where an edge of the mesh joins points of two patches,
// it passes over a crease. One of its points is then moved onto the crease, or it is divided there. Every such change
// is followed by swaps and moves about it, and undone when angles do not come back into bounds.
#include "meshing/crease_keep.h"

#include "meshing/faces.h"
#include "meshing/swaps.h"

#include <stdlib.h>
#include <string.h>

// Where every edge of a surface is a crease, most attempts fail, each after some hundred elements were tried.
enum { EFFORT_LEAST = 2000 };
static const double effort_share = 0.05; // of the elements; plates of genus 5 need a quarter of that

typedef enum tag_kind { INSIDE, UNKNOWN, ON_PATCH, ON_CREASE, ON_CORNER } tag_kind;

typedef struct tag { // where on the surface a point is
    uint8_t kind, count;
    uint32_t patch[CDG_CORNER_PATCHES];
} tag;

typedef struct keeping {
    cdg_surgery surgery;
    cdg_swap_rules rules;
    cdg_creases creases;
    const cdg_winding *winding;
    const cdg_soup *soup;
    double size;
    cdg_angle_bounds bounds;
    tag *tags;
    size_t tag_capacity;
    bool *is_corner_kept;
    size_t effort, effort_limit; // elements that were tried to improve; beyond the limit nothing more is begun
} keeping;

// ---- patches of points ----------------------------------------------------------------------------------------------

static bool has_patch(const tag *t, uint32_t patch) {
    for (int i = 0; i < t->count; i++)
        if (t->patch[i] == patch) return true;
    return false;
}

// The patches that all of these points have; the number of them.
static int common_patches(const keeping *k, const uint32_t *points, int count, uint32_t *out) {
    const tag *first = &k->tags[points[0]];
    int found = 0;
    for (int i = 0; i < first->count; i++) {
        bool is_common = true;
        for (int n = 1; n < count && is_common; n++) is_common = has_patch(&k->tags[points[n]], first->patch[i]);
        if (is_common) out[found++] = first->patch[i];
    }
    return found;
}

// An edge of the boundary between points of different patches passes over a crease; so does one between two creases of
// a patch that is not in the surface, as in the mouth of a hole.
static bool passes_over(const keeping *k, uint32_t p, uint32_t q) {
    const uint32_t ends[2] = {p, q};
    uint32_t patches[CDG_CORNER_PATCHES];
    if (k->tags[p].kind < ON_PATCH || k->tags[q].kind < ON_PATCH) return false;
    int common = common_patches(k, ends, 2, patches);
    if (common != 1 || k->tags[p].kind == ON_PATCH || k->tags[q].kind == ON_PATCH) return common == 0;
    cdg_vec3 a = k->surgery.mesh->points[p], b = k->surgery.mesh->points[q], nearest;
    return !cdg_winding_nearest(k->winding, vec3_lerp(a, b, 0.5), 0.05 * vec3_distance(a, b), &nearest, NULL);
}

static bool is_flat(void *user, const uint32_t *points, int count) {
    const keeping *k = user;
    uint32_t patches[CDG_CORNER_PATCHES];
    int found = common_patches(k, points, count, patches);
    for (int i = 0; i < found; i++)
        if (k->creases.is_plane[patches[i]]) return true;
    return false;
}

// Along a crease of planes, or within one.
static bool may_vanish(void *user, uint32_t from, uint32_t to, const uint32_t *points, int count) {
    const keeping *k = user;
    const tag *a = &k->tags[from], *b = &k->tags[to];
    if (a->kind == ON_PATCH) return has_patch(b, a->patch[0]) && is_flat(user, points, count);
    if (a->kind != ON_CREASE) return false;
    for (int i = 0; i < 2; i++)
        if (!has_patch(b, a->patch[i]) || !k->creases.is_plane[a->patch[i]]) return false;
    return true;
}

static bool follow(void *user, uint32_t point, cdg_vec3 *position) {
    const keeping *k = user;
    const tag *t = &k->tags[point];
    cdg_vec3 found;
    uint32_t triangle;
    if (t->kind == ON_CREASE) {
        if (cdg_creases_nearest(&k->creases, *position, 0.5 * k->size, t->patch, 2, t->patch, 2, &found) == UINT32_MAX)
            return false;
    } else if (t->kind == ON_PATCH) {
        if (!cdg_winding_nearest(k->winding, *position, 0.25 * k->size, &found, &triangle) ||
            k->creases.patch[triangle] != t->patch[0])
            return false;
    } else {
        return false;
    }
    *position = found;
    return true;
}

static bool reserve_tags(keeping *k) {
    size_t points = k->surgery.mesh->point_count + 1;
    if (points <= k->tag_capacity) return true;
    tag *tags = cdg_budget_resize(k->surgery.budget, k->tags, points + points / 4, sizeof *tags);
    if (tags == NULL) return k->surgery.has_memory = false;
    k->tags = tags;
    k->tag_capacity = points + points / 4;
    return true;
}

static bool tag_points(keeping *k) {
    for (uint32_t p = 0; p < k->surgery.mesh->point_count; p++) {
        if (!cdg_budget_lasts(k->surgery.budget, p)) return false;
        cdg_vec3 nearest;
        uint32_t triangle;
        k->tags[p] = (tag){.kind = INSIDE};
        if (!k->surgery.is_boundary[p]) continue;
        k->tags[p].kind = UNKNOWN;
        if (!cdg_winding_nearest(k->winding, k->surgery.mesh->points[p], 0.02 * k->size, &nearest, &triangle)) continue;
        k->tags[p] = (tag){.kind = ON_PATCH, .count = 1, .patch = {k->creases.patch[triangle]}};
    }
    return true;
}

// ---- one change -----------------------------------------------------------------------------------------------------

enum { BAD_MOST = 24 }; // more than these are not worth the work

// Improves elements that were touched since the mark and are outside of the bounds.
static bool improve_touched(keeping *k, size_t mark, cdg_angle_bounds bounds) {
    uint32_t bad[BAD_MOST];
    size_t count = cdg_surgery_find_bad(&k->surgery, mark, bounds.least, bounds.most, bad, BAD_MOST);
    bool has_changed = false;
    for (size_t i = 0; i < count; i++)
        if (!cdg_surgery_is_gone(&k->surgery, bad[i]))
            k->effort++, has_changed = cdg_element_improve(&k->surgery, &k->rules, bad[i]) || has_changed;
    return has_changed;
}

// Repairs what the changes since the mark spoiled; false: it could not. Where the bad ones alone do not get better,
// those beside them make room, twice.
static bool settle(keeping *k, size_t mark) {
    enum { ROUNDS = 12 };
    static const cdg_angle_bounds good = {-0.9, 0.9};
    uint32_t bad[BAD_MOST];
    for (int round = 0, wider = 0; round < ROUNDS; round++) {
        size_t count = cdg_surgery_find_bad(&k->surgery, mark, k->bounds.least, k->bounds.most, bad, BAD_MOST);
        if (count == 0) return k->surgery.has_memory;
        if (count == BAD_MOST) return false;
        if (!improve_touched(k, mark, k->bounds) && (wider++ == 2 || !improve_touched(k, mark, good))) return false;
    }
    return false;
}

static bool keep_or_undo(keeping *k, size_t mark, uint32_t point, tag before) {
    if (settle(k, mark) && k->surgery.first[point] != CDG_NO_CORNER) {
        cdg_surgery_keep(&k->surgery);
        return true;
    }
    cdg_surgery_undo(&k->surgery, mark);
    if (point < k->surgery.mesh->point_count) k->tags[point] = before;
    return false;
}

static bool bring(keeping *k, uint32_t point, cdg_vec3 position, tag then) {
    size_t mark = cdg_surgery_mark(&k->surgery);
    tag before = k->tags[point];
    k->tags[point] = then;
    cdg_surgery_move(&k->surgery, point, position);
    return keep_or_undo(k, mark, point, before);
}

static bool divide(keeping *k, uint32_t p, uint32_t q, cdg_vec3 position, tag then) {
    enum { MOST = 64 };
    cdg_surgery *s = &k->surgery;
    uint32_t around[MOST];
    int count = 0;
    for (uint32_t at = s->first[p]; at != CDG_NO_CORNER; at = s->next[at])
        if (cdg_surgery_has(s, at / 4, q)) {
            if (count == MOST) return false;
            around[count++] = at / 4;
        }
    size_t mark = cdg_surgery_mark(s);
    if (count == 0 || !reserve_tags(k)) return false;
    uint32_t middle = cdg_surgery_add_point(s, position, true);
    if (middle == UINT32_MAX) return false;
    k->tags[middle] = then;
    for (int i = 0; i < count; i++) {
        uint32_t c[4], first[4], second[4];
        memcpy(c, s->mesh->tetrahedra[around[i]], sizeof c);
        for (int n = 0; n < 4; n++) {
            first[n] = c[n] == q ? middle : c[n];
            second[n] = c[n] == p ? middle : c[n];
        }
        cdg_surgery_remove(s, around[i]);
        cdg_surgery_add(s, first[0], first[1], first[2], first[3]);
        cdg_surgery_add(s, second[0], second[1], second[2], second[3]);
    }
    return keep_or_undo(k, mark, middle, then);
}

// ---- edges over creases ---------------------------------------------------------------------------------------------

typedef struct over { // an edge of the boundary that passes over a crease
    uint32_t p, q;
    double distance; // of the nearer one from the crease
} over;

static uint32_t crease_between(const keeping *k, cdg_vec3 from, uint32_t p, uint32_t q, cdg_vec3 *position) {
    uint32_t a[CDG_CORNER_PATCHES], b[CDG_CORNER_PATCHES];
    int a_count = 0, b_count = 0;
    for (int i = 0; i < k->tags[p].count; i++)
        if (!has_patch(&k->tags[q], k->tags[p].patch[i])) a[a_count++] = k->tags[p].patch[i];
    for (int i = 0; i < k->tags[q].count; i++)
        if (!has_patch(&k->tags[p], k->tags[q].patch[i])) b[b_count++] = k->tags[q].patch[i];
    return cdg_creases_nearest(&k->creases, from, 1.2 * k->size, a, a_count, b, b_count, position);
}

static tag crease_tag(const keeping *k, uint32_t edge) {
    const uint32_t *patch = k->creases.edges[edge].patch;
    return (tag){.kind = ON_CREASE, .count = 2, .patch = {patch[0], patch[1]}};
}

static int compare_over(const void *a, const void *b) {
    const over *x = a, *y = b;
    if (x->distance != y->distance) return x->distance < y->distance ? -1 : 1;
    if (x->p != y->p) return x->p < y->p ? -1 : 1;
    return (x->q > y->q) - (x->q < y->q);
}

static double distance_from_crease(const keeping *k, uint32_t point, uint32_t p, uint32_t q) {
    cdg_vec3 position, at = k->surgery.mesh->points[point];
    return crease_between(k, at, p, q, &position) == UINT32_MAX ? HUGE_VAL : vec3_distance(at, position);
}

// Of the boundary's faces. Each edge is found twice, once from either side.
static bool list_over(keeping *k, over **out, size_t *count, size_t *capacity) {
    const cdg_raw_mesh *m = k->surgery.mesh;
    *count = 0;
    for (uint32_t h = 0; h < 4 * m->tetrahedron_count; h++) {
        if (!cdg_budget_lasts(k->surgery.budget, h)) return false;
        if (cdg_surgery_is_gone(&k->surgery, h / 4)) continue;
        uint32_t f[3];
        for (int i = 0; i < 3; i++) f[i] = m->tetrahedra[h / 4][cdg_face_corners[h % 4][i]];
        for (int i = 0; i < 3; i++) {
            uint32_t p = f[i], q = f[(i + 1) % 3];
            if (p > q || !passes_over(k, p, q) ||
                cdg_surgery_beyond(&k->surgery, h / 4, f[0], f[1], f[2]) != UINT32_MAX)
                continue;
            if (!cdg_budget_grow(k->surgery.budget, (void **)out, *count, capacity, sizeof **out)) return false;
            (*out)[(*count)++] = (over){p, q, fmin(distance_from_crease(k, p, p, q), distance_from_crease(k, q, p, q))};
        }
    }
    if (*count > 0) qsort(*out, *count, sizeof **out, compare_over);
    return true;
}

static bool bring_onto(keeping *k, uint32_t point, uint32_t p, uint32_t q) {
    cdg_vec3 position;
    if (k->tags[point].kind != ON_PATCH) return false;
    uint32_t edge = crease_between(k, k->surgery.mesh->points[point], p, q, &position);
    return edge != UINT32_MAX && bring(k, point, position, crease_tag(k, edge));
}

// Where the edge is nearest to the crease.
static bool divide_over(keeping *k, uint32_t p, uint32_t q) {
    double first = distance_from_crease(k, p, p, q), second = distance_from_crease(k, q, p, q);
    if (!(first + second > 0 && isfinite(first + second))) return false;
    cdg_vec3 position, at = vec3_lerp(k->surgery.mesh->points[p], k->surgery.mesh->points[q], first / (first + second));
    uint32_t edge = crease_between(k, at, p, q, &position);
    return edge != UINT32_MAX && divide(k, p, q, position, crease_tag(k, edge));
}

static bool is_boundary_edge(const cdg_surgery *s, uint32_t p, uint32_t q) {
    for (uint32_t at = s->first[p]; at != CDG_NO_CORNER; at = s->next[at]) {
        if (!cdg_surgery_has(s, at / 4, q)) continue;
        for (int i = 0; i < 4; i++) {
            uint32_t c = s->mesh->tetrahedra[at / 4][i];
            if (c != p && c != q && cdg_surgery_beyond(s, at / 4, p, q, c) == UINT32_MAX) return true;
        }
    }
    return false;
}

static bool is_ear(const keeping *k, uint32_t point) { // of one element, and free to go
    uint32_t first = k->surgery.first[point];
    return first != CDG_NO_CORNER && k->surgery.next[first] == CDG_NO_CORNER && k->tags[point].kind != ON_CORNER;
}

typedef struct fan { // what is about an edge of the boundary, from face to face
    uint32_t element[3], point[4];
    int count; // of elements; one point more
} fan;

static bool find_fan(const cdg_surgery *s, uint32_t p, uint32_t q, fan *out) {
    uint32_t at_face = UINT32_MAX;
    *out = (fan){0};
    for (uint32_t at = s->first[p]; at != CDG_NO_CORNER; at = s->next[at])
        for (int i = 0; i < 4 && cdg_surgery_has(s, at / 4, q); i++) {
            uint32_t c = s->mesh->tetrahedra[at / 4][i];
            if (c == p || c == q || cdg_surgery_beyond(s, at / 4, p, q, c) != UINT32_MAX) continue;
            at_face = at / 4;
            out->point[0] = c;
        }
    while (at_face != UINT32_MAX && out->count < 3) {
        uint32_t last = out->point[out->count];
        out->element[out->count++] = at_face;
        for (int i = 0; i < 4; i++) {
            uint32_t c = s->mesh->tetrahedra[at_face][i];
            if (c != p && c != q && c != last) out->point[out->count] = c;
        }
        at_face = cdg_surgery_beyond(s, at_face, p, q, out->point[out->count]);
    }
    return out->count > 0 && at_face == UINT32_MAX;
}

static bool is_in_patch(const keeping *k, uint32_t a, uint32_t b, uint32_t c) {
    const uint32_t points[3] = {a, b, c};
    uint32_t patches[CDG_CORNER_PATCHES];
    return common_patches(k, points, 3, patches) > 0;
}

// Whether an edge that would be new lies in the surface, as along a straight crease.
static bool may_join(const keeping *k, uint32_t a, uint32_t b) {
    cdg_vec3 p = k->surgery.mesh->points[a], q = k->surgery.mesh->points[b], nearest;
    for (uint32_t at = k->surgery.first[a]; at != CDG_NO_CORNER; at = k->surgery.next[at])
        if (cdg_surgery_has(&k->surgery, at / 4, b)) return false;
    return cdg_winding_nearest(k->winding, vec3_lerp(p, q, 0.5), 0.01 * vec3_distance(p, q), &nearest, NULL);
}

// Elements that bridge the two sides of an inward crease go away, when the faces that they cover lie in patches. A
// point between two of them comes onto the crease.
static bool peel(keeping *k, uint32_t p, uint32_t q) {
    cdg_surgery *s = &k->surgery;
    fan f;
    cdg_vec3 position;
    if (!find_fan(s, p, q, &f) || f.count > 2) return false;
    uint32_t between = f.count == 2 ? f.point[1] : UINT32_MAX, edge = UINT32_MAX;
    bool is_new = between != UINT32_MAX && k->tags[between].kind == INSIDE;
    if (between != UINT32_MAX && !is_new) return false;
    if (is_new) edge = crease_between(k, s->mesh->points[between], p, q, &position);
    if (is_new && edge == UINT32_MAX) return false;
    size_t mark = cdg_surgery_mark(s);
    tag before = k->tags[is_new ? between : p];
    if (is_new) {
        k->tags[between] = crease_tag(k, edge);
        s->is_boundary[between] = true;
        cdg_surgery_move(s, between, position);
    }
    bool fits = f.count == 2 || !is_boundary_edge(s, f.point[0], f.point[1]) || is_ear(k, p) || is_ear(k, q);
    for (int i = 0; i < f.count; i++)
        fits = fits && is_in_patch(k, p, f.point[i], f.point[i + 1]) && is_in_patch(k, q, f.point[i], f.point[i + 1]);
    for (int i = 0; i < f.count && fits; i++) cdg_surgery_remove(s, f.element[i]);
    if (fits && settle(k, mark)) {
        cdg_surgery_keep(s);
        return true;
    }
    cdg_surgery_undo(s, mark);
    if (is_new) {
        k->tags[between] = before;
        s->is_boundary[between] = false;
    }
    return false;
}

// The gap between an edge and an outward crease that both of its faces reach is filled with an element.
static bool fill(keeping *k, uint32_t p, uint32_t q) {
    cdg_surgery *s = &k->surgery;
    fan f;
    if (!find_fan(s, p, q, &f)) return false;
    uint32_t r = f.point[0], t = f.point[f.count];
    if (f.count < 2 || !is_in_patch(k, p, r, t) || !is_in_patch(k, q, r, t) || !may_join(k, r, t)) return false;
    const uint32_t *c = s->mesh->tetrahedra[f.element[0]];
    uint32_t order[4];
    for (int i = 0; i < 4; i++) order[i] = c[i] == f.point[1] ? t : c[i];
    size_t mark = cdg_surgery_mark(s);
    cdg_surgery_add(s, order[1], order[0], order[2], order[3]); // on the other side of the face
    return cdg_surgery_is_sound(s, mark) ? keep_or_undo(k, mark, p, k->tags[p]) : (cdg_surgery_undo(s, mark), false);
}

static bool is_reshaped_well(void *user, const uint32_t *points, int count) {
    const keeping *k = user;
    return count == 4 && is_in_patch(k, points[0], points[2], points[3]) &&
           is_in_patch(k, points[1], points[2], points[3]) && may_join(k, points[2], points[3]);
}

// The edge is swapped for one along the crease, which changes the volume.
static bool reshape(keeping *k, uint32_t p, uint32_t q) {
    cdg_swap_rules rules = {.user = k, .is_flat = is_reshaped_well, .enough = 1, .tiny = HUGE_VAL};
    size_t mark = cdg_surgery_mark(&k->surgery);
    return cdg_swap_edge(&k->surgery, &rules, p, q) && keep_or_undo(k, mark, p, k->tags[p]);
}

// What is near gets better, so that there is room for what comes.
static void relax(keeping *k, uint32_t point) {
    enum { MOST = 64 };
    static const double limit = 0.85; // 32 degrees
    cdg_surgery *s = &k->surgery;
    cdg_swap_rules rules = k->rules;
    rules.is_strict = true; // nothing looks at the bounds afterwards
    uint32_t star[MOST];
    int count = 0;
    for (uint32_t at = s->first[point]; at != CDG_NO_CORNER && count < MOST; at = s->next[at]) star[count++] = at / 4;
    for (int i = 0; i < count; i++) {
        if (cdg_surgery_is_gone(s, star[i])) continue;
        cdg_vec3 p[4];
        for (int c = 0; c < 4; c++) p[c] = s->mesh->points[s->mesh->tetrahedra[star[i]][c]];
        if (cdg_surgery_badness(p) > limit) k->effort++, cdg_element_improve(s, &rules, star[i]);
    }
    cdg_surgery_keep(s);
}

static bool cure(keeping *k, const over *o) {
    if (!passes_over(k, o->p, o->q) || k->surgery.first[o->p] == CDG_NO_CORNER ||
        k->surgery.first[o->q] == CDG_NO_CORNER)
        return false;
    if (peel(k, o->p, o->q) || fill(k, o->p, o->q) || reshape(k, o->p, o->q)) return true;
    bool is_first_nearer = distance_from_crease(k, o->p, o->p, o->q) <= distance_from_crease(k, o->q, o->p, o->q);
    uint32_t nearer = is_first_nearer ? o->p : o->q, other = is_first_nearer ? o->q : o->p;
    return bring_onto(k, nearer, o->p, o->q) || bring_onto(k, other, o->p, o->q) || divide_over(k, o->p, o->q);
}

// ---- corners --------------------------------------------------------------------------------------------------------

typedef struct near {
    uint32_t corner, point;
    double distance;
} near;

static int compare_near(const void *a, const void *b) {
    const near *x = a, *y = b;
    if (x->corner != y->corner) return x->corner < y->corner ? -1 : 1;
    if (x->distance != y->distance) return x->distance < y->distance ? -1 : 1;
    return (x->point > y->point) - (x->point < y->point);
}

static tag corner_tag(const cdg_crease_corner *corner) {
    tag t = {.kind = ON_CORNER, .count = (uint8_t)corner->patch_count};
    memcpy(t.patch, corner->patch, sizeof t.patch);
    return t;
}

// A point may go to the corner when it belongs to one of its patches, and to no other.
static bool fits_corner(const tag *t, const tag *corner) {
    if (t->kind != ON_PATCH && t->kind != ON_CREASE) return false;
    for (int i = 0; i < t->count; i++)
        if (!has_patch(corner, t->patch[i])) return false;
    return true;
}

// Points of the boundary near corners.
static bool list_near(keeping *k, near **out, size_t *count) {
    enum { MOST = 16 };
    size_t capacity = 0;
    for (uint32_t p = 0; p < k->surgery.mesh->point_count; p++) {
        uint32_t found[MOST];
        cdg_vec3 at = k->surgery.mesh->points[p];
        if (k->tags[p].kind < ON_PATCH) continue;
        int corners = cdg_creases_corners(&k->creases, at, 1.2 * k->size, found, MOST);
        for (int i = 0; i < corners; i++) {
            if (k->is_corner_kept[found[i]]) continue;
            if (!cdg_budget_grow(k->surgery.budget, (void **)out, *count, &capacity, sizeof **out)) return false;
            double distance = vec3_distance(k->soup->points[k->creases.corners[found[i]].point], at);
            (*out)[(*count)++] = (near){found[i], p, distance};
        }
    }
    if (*count > 0) qsort(*out, *count, sizeof **out, compare_near);
    return true;
}

static bool divide_at_corner(keeping *k, uint32_t point, cdg_vec3 position, tag then) {
    enum { MOST = 24 };
    const cdg_surgery *s = &k->surgery;
    uint32_t ends[MOST];
    int count = 0;
    for (uint32_t at = s->first[point]; at != CDG_NO_CORNER; at = s->next[at])
        for (int i = 0; i < 4 && count < MOST; i++) {
            uint32_t other = s->mesh->tetrahedra[at / 4][i];
            if (other > point && fits_corner(&k->tags[other], &then) && passes_over(k, point, other))
                ends[count++] = other;
        }
    for (int i = 0; i < count; i++)
        if (divide(k, point, ends[i], position, then)) return true;
    return false;
}

// The new point goes into the elements whose boundary faces have three of the corner's patches.
static bool divide_face_at_corner(keeping *k, uint32_t point, cdg_vec3 position, tag then) {
    cdg_surgery *s = &k->surgery;
    for (uint32_t at = s->first[point]; at != CDG_NO_CORNER; at = s->next[at]) {
        uint32_t c[4], f[3];
        memcpy(c, s->mesh->tetrahedra[at / 4], sizeof c);
        for (int face = 0; face < 4; face++) {
            bool fits = c[face] != point;
            for (int i = 0; i < 3; i++) {
                f[i] = c[cdg_face_corners[face][i]];
                fits = fits && fits_corner(&k->tags[f[i]], &then);
            }
            if (!fits || cdg_surgery_beyond(s, at / 4, f[0], f[1], f[2]) != UINT32_MAX) continue;
            size_t mark = cdg_surgery_mark(s);
            uint32_t middle = reserve_tags(k) ? cdg_surgery_add_point(s, position, true) : UINT32_MAX;
            if (middle == UINT32_MAX) return false;
            k->tags[middle] = then;
            cdg_surgery_remove(s, at / 4);
            for (int i = 0; i < 3; i++) cdg_surgery_add(s, f[i], middle, f[(i + 1) % 3], c[face]);
            return keep_or_undo(k, mark, middle, then);
        }
    }
    return false;
}

// The new point makes an element with a face whose corners are on creases that meet in the corner.
static bool cap_corner(keeping *k, uint32_t point, cdg_vec3 position, tag then) {
    cdg_surgery *s = &k->surgery;
    for (uint32_t at = s->first[point]; at != CDG_NO_CORNER; at = s->next[at])
        for (int face = 0; face < 4; face++) {
            const uint32_t *c = s->mesh->tetrahedra[at / 4];
            uint32_t f[3];
            bool fits = c[face] != point;
            for (int i = 0; i < 3; i++) {
                f[i] = c[cdg_face_corners[face][i]];
                fits = fits && k->tags[f[i]].kind == ON_CREASE && fits_corner(&k->tags[f[i]], &then);
            }
            if (!fits || cdg_surgery_beyond(s, at / 4, f[0], f[1], f[2]) != UINT32_MAX) continue;
            size_t mark = cdg_surgery_mark(s);
            uint32_t top = reserve_tags(k) ? cdg_surgery_add_point(s, position, true) : UINT32_MAX;
            if (top == UINT32_MAX) return false;
            k->tags[top] = then;
            cdg_surgery_add(s, f[0], f[1], f[2], top);
            if (keep_or_undo(k, mark, top, then)) return true;
        }
    return false;
}

static bool keep_corner(keeping *k, int way, uint32_t point, cdg_vec3 position, tag then) {
    if (way == 0) return bring(k, point, position, then);
    if (way == 1) return cap_corner(k, point, position, then);
    return way == 2 ? divide_at_corner(k, point, position, then) : divide_face_at_corner(k, point, position, then);
}

static bool keep_corners(keeping *k, int pass, size_t *cured) {
    near *list = NULL;
    size_t count = 0;
    bool has_memory = list_near(k, &list, &count);
    for (int way = 0; way < 4; way++)
        for (size_t i = 0; i < count && has_memory && k->effort < k->effort_limit; i++) {
            const cdg_crease_corner *corner = &k->creases.corners[list[i].corner];
            tag then = corner_tag(corner);
            if (!(has_memory = cdg_budget_lasts(k->surgery.budget, 0))) break;
            cdg_vec3 position = k->soup->points[corner->point];
            uint32_t p = list[i].point;
            if (pass > 0 && way == 0 && !k->is_corner_kept[list[i].corner]) relax(k, p);
            if (k->is_corner_kept[list[i].corner] || k->surgery.first[p] == CDG_NO_CORNER ||
                !fits_corner(&k->tags[p], &then))
                continue;
            k->is_corner_kept[list[i].corner] = keep_corner(k, way, p, position, then);
            *cured += k->is_corner_kept[list[i].corner];
        }
    cdg_budget_give(k->surgery.budget, list);
    return has_memory && k->surgery.has_memory;
}

// ---- all ------------------------------------------------------------------------------------------------------------

static bool keep_all(keeping *k, size_t *missed) {
    enum { PASSES = 8 };
    over *list = NULL;
    size_t count = 0, capacity = 0;
    bool has_memory = true;
    for (int pass = 0; pass < PASSES && has_memory && k->effort < k->effort_limit; pass++) {
        has_memory = list_over(k, &list, &count, &capacity);
        size_t cured = 0;
        for (size_t i = 0; i < count && has_memory && k->effort < k->effort_limit; i++) {
            if (!(has_memory = cdg_budget_lasts(k->surgery.budget, 0))) break;
            if (pass > 0) relax(k, list[i].p);
            if (pass > 0) relax(k, list[i].q);
            cured += cure(k, &list[i]);
            has_memory = k->surgery.has_memory;
        }
        has_memory = has_memory && keep_corners(k, pass, &cured);
        if (cured == 0 || 20 * cured < count) break; // rough surfaces have creases that no pass cures
    }
    if (has_memory) has_memory = list_over(k, &list, &count, &capacity);
    *missed = count;
    cdg_budget_give(k->surgery.budget, list);
    return has_memory;
}

static bool hand_over(keeping *k, cdg_crease_result *out) {
    uint32_t *kept = NULL;
    bool has_memory = cdg_surgery_end(&k->surgery, &kept);
    cdg_budget *budget = k->surgery.budget;
    size_t points = k->surgery.mesh->point_count;
    if (has_memory) out->is_held = cdg_budget_take(budget, points, sizeof *out->is_held);
    has_memory = has_memory && out->is_held != NULL;
    for (size_t p = 0; has_memory && p < points; p++) {
        out->is_held[p] = k->tags[kept[p]].kind >= ON_CREASE;
        out->kept += out->is_held[p];
    }
    cdg_budget_give(budget, kept);
    return has_memory;
}

bool cdg_creases_keep(cdg_raw_mesh *mesh, const cdg_winding *winding, const cdg_soup *soup, double angle, double size,
                      cdg_angle_bounds bounds, cdg_budget *budget, cdg_crease_result *out) {
    *out = (cdg_crease_result){0};
    keeping k = {.winding = winding, .soup = soup, .size = size, .bounds = bounds};
    k.rules = (cdg_swap_rules){
        .user = &k, .is_flat = is_flat, .may_vanish = may_vanish, .follow = follow, .tiny = 1e-9 * size * size * size};
    if (!cdg_creases_find(soup, angle, size, budget, &k.creases)) return false;
    bool has_memory = cdg_surgery_begin(mesh, budget, &k.surgery);
    k.effort_limit = EFFORT_LEAST + (size_t)(effort_share * (double)mesh->tetrahedron_count);
    if (has_memory) {
        k.is_corner_kept = cdg_budget_take_zero(budget, k.creases.corner_count, sizeof *k.is_corner_kept);
        has_memory = reserve_tags(&k) && k.is_corner_kept != NULL;
        has_memory = has_memory && tag_points(&k) && keep_all(&k, &out->missed);
        has_memory = hand_over(&k, out) && has_memory;
        out->is_cut_short = k.effort >= k.effort_limit;
        has_memory = has_memory && cdg_crease_length_measure(&k.creases, mesh, size, budget, &out->length);
    }
    cdg_budget_give(budget, k.tags);
    cdg_budget_give(budget, k.is_corner_kept);
    cdg_creases_free(&k.creases, budget);
    return has_memory;
}
