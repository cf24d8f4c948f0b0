// Replacing elements. Each point has a list of its corners; elements are only ever appended and marked as gone, so that
// undoing goes back the same way.
#include "meshing/surgery.h"

#include "meshing/faces.h"
#include "meshing/tetrahedron.h"

#include <string.h>

typedef enum change_kind { POINT_ADDED, POINT_MOVED, ELEMENT_ADDED, ELEMENT_REMOVED } change_kind;

typedef struct cdg_surgery_change {
    change_kind kind;
    uint32_t index, corners[4];
    cdg_vec3 position;
} cdg_surgery_change;

// ---- lists ----------------------------------------------------------------------------------------------------------

static void link_element(cdg_surgery *s, uint32_t element) {
    for (uint32_t k = 0; k < 4; k++) {
        uint32_t point = s->mesh->tetrahedra[element][k];
        s->next[4 * element + k] = s->first[point];
        s->first[point] = 4 * element + k;
    }
}

static void unlink_element(cdg_surgery *s, uint32_t element) {
    for (uint32_t k = 0; k < 4; k++) {
        uint32_t *at = &s->first[s->mesh->tetrahedra[element][k]];
        while (*at != 4 * element + k) at = &s->next[*at];
        *at = s->next[4 * element + k];
    }
}

// ---- journal --------------------------------------------------------------------------------------------------------

static bool note(cdg_surgery *s, cdg_surgery_change change) {
    s->has_memory = s->has_memory && cdg_budget_grow(s->budget, (void **)&s->changes, s->change_count,
                                                     &s->change_capacity, sizeof *s->changes);
    if (s->has_memory) s->changes[s->change_count++] = change;
    return s->has_memory;
}

static bool make_room_for_point(cdg_surgery *s) {
    cdg_raw_mesh *m = s->mesh;
    s->has_memory = s->has_memory && cdg_budget_grow(s->budget, (void **)&m->points, m->point_count, &m->point_capacity,
                                                     sizeof *m->points);
    if (!s->has_memory || m->point_capacity <= s->point_room) return s->has_memory;
    uint32_t *first = cdg_budget_resize(s->budget, s->first, m->point_capacity, sizeof *first);
    if (first != NULL) s->first = first;
    bool *flags = cdg_budget_resize(s->budget, s->is_boundary, m->point_capacity, sizeof *flags);
    if (flags != NULL) s->is_boundary = flags;
    s->has_memory = first != NULL && flags != NULL;
    if (s->has_memory) s->point_room = m->point_capacity;
    return s->has_memory;
}

static bool make_room_for_element(cdg_surgery *s) {
    cdg_raw_mesh *m = s->mesh;
    s->has_memory = s->has_memory && m->tetrahedron_count < UINT32_MAX / 4 &&
                    cdg_budget_grow(s->budget, (void **)&m->tetrahedra, m->tetrahedron_count, &m->tetrahedron_capacity,
                                    sizeof *m->tetrahedra);
    if (!s->has_memory || 4 * m->tetrahedron_capacity <= s->corner_room) return s->has_memory;
    uint32_t *next = cdg_budget_resize(s->budget, s->next, 4 * m->tetrahedron_capacity, sizeof *next);
    s->has_memory = next != NULL;
    if (s->has_memory) {
        s->next = next;
        s->corner_room = 4 * m->tetrahedron_capacity;
    }
    return s->has_memory;
}

uint32_t cdg_surgery_add_point(cdg_surgery *s, cdg_vec3 position, bool is_boundary) {
    cdg_raw_mesh *m = s->mesh;
    uint32_t point = (uint32_t)m->point_count;
    if (!make_room_for_point(s) || !note(s, (cdg_surgery_change){.kind = POINT_ADDED, .index = point}))
        return UINT32_MAX;
    m->points[m->point_count++] = position;
    s->first[point] = CDG_NO_CORNER;
    s->is_boundary[point] = is_boundary;
    return point;
}

void cdg_surgery_move(cdg_surgery *s, uint32_t point, cdg_vec3 position) {
    cdg_vec3 *at = &s->mesh->points[point];
    if (!note(s, (cdg_surgery_change){.kind = POINT_MOVED, .index = point, .position = *at})) return;
    *at = position;
}

void cdg_surgery_add(cdg_surgery *s, uint32_t a, uint32_t b, uint32_t c, uint32_t d) {
    uint32_t element = (uint32_t)s->mesh->tetrahedron_count;
    if (!make_room_for_element(s) || !note(s, (cdg_surgery_change){.kind = ELEMENT_ADDED, .index = element})) return;
    const uint32_t corners[4] = {a, b, c, d};
    memcpy(s->mesh->tetrahedra[s->mesh->tetrahedron_count++], corners, sizeof corners);
    link_element(s, element);
}

void cdg_surgery_remove(cdg_surgery *s, uint32_t element) {
    cdg_surgery_change change = {.kind = ELEMENT_REMOVED, .index = element};
    memcpy(change.corners, s->mesh->tetrahedra[element], sizeof change.corners);
    if (!note(s, change)) return;
    unlink_element(s, element);
    s->mesh->tetrahedra[element][0] = UINT32_MAX;
}

static void undo_one(cdg_surgery *s, const cdg_surgery_change *change) {
    cdg_raw_mesh *m = s->mesh;
    switch (change->kind) {
    case POINT_ADDED: m->point_count--; break;
    case POINT_MOVED: m->points[change->index] = change->position; break;
    case ELEMENT_ADDED:
        unlink_element(s, change->index);
        m->tetrahedron_count--;
        break;
    case ELEMENT_REMOVED:
        memcpy(m->tetrahedra[change->index], change->corners, sizeof change->corners);
        link_element(s, change->index);
        break;
    }
}

void cdg_surgery_undo(cdg_surgery *s, size_t mark) {
    while (s->change_count > mark) undo_one(s, &s->changes[--s->change_count]);
}

// ---- looking around -------------------------------------------------------------------------------------------------

uint32_t cdg_surgery_beyond(const cdg_surgery *s, uint32_t element, uint32_t a, uint32_t b, uint32_t c) {
    for (uint32_t at = s->first[a]; at != CDG_NO_CORNER; at = s->next[at])
        if (at / 4 != element && cdg_surgery_has(s, at / 4, b) && cdg_surgery_has(s, at / 4, c)) return at / 4;
    return UINT32_MAX;
}

static bool is_bad(const cdg_surgery *s, uint32_t element, double least, double most) {
    cdg_vec3 p[4];
    double low, high;
    for (int k = 0; k < 4; k++) p[k] = s->mesh->points[s->mesh->tetrahedra[element][k]];
    if (!tetrahedron_is_solid(p)) return true;
    tetrahedron_cosine_range(p, &low, &high);
    return !(low >= least && high <= most);
}

size_t cdg_surgery_find_bad(const cdg_surgery *s, size_t mark, double least, double most, uint32_t *out,
                            size_t capacity) {
    size_t count = 0;
    for (size_t i = mark; i < s->change_count && count < capacity; i++) {
        const cdg_surgery_change *change = &s->changes[i];
        if (change->kind == ELEMENT_ADDED && !cdg_surgery_is_gone(s, change->index) &&
            is_bad(s, change->index, least, most))
            out[count++] = change->index;
        if (change->kind != POINT_MOVED) continue;
        for (uint32_t at = s->first[change->index]; at != CDG_NO_CORNER && count < capacity; at = s->next[at])
            if (is_bad(s, at / 4, least, most)) out[count++] = at / 4;
    }
    return count;
}

static bool is_sound_element(const cdg_surgery *s, uint32_t element) {
    const uint32_t *c = s->mesh->tetrahedra[element];
    for (int i = 1; i < 4; i++)
        for (int k = 0; k < i; k++)
            if (c[i] == c[k]) return false;
    for (int face = 0; face < 4; face++) {
        const unsigned char *k = cdg_face_corners[face];
        int others = 0;
        for (uint32_t at = s->first[c[k[0]]]; at != CDG_NO_CORNER; at = s->next[at])
            others += at / 4 != element && cdg_surgery_has(s, at / 4, c[k[1]]) && cdg_surgery_has(s, at / 4, c[k[2]]);
        if (others > 1) return false;
    }
    return true;
}

bool cdg_surgery_is_sound(const cdg_surgery *s, size_t mark) {
    for (size_t i = mark; i < s->change_count; i++)
        if (s->changes[i].kind == ELEMENT_ADDED && !cdg_surgery_is_gone(s, s->changes[i].index) &&
            !is_sound_element(s, s->changes[i].index))
            return false;
    return true;
}

double cdg_surgery_measure(const cdg_vec3 p[4], double *least, double *most) {
    double longest2 = 0, volume6 = tetrahedron_volume6(p);
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < i; k++) {
            cdg_vec3 d = vec3_sub(p[i], p[k]);
            double length2 = vec3_dot(d, d);
            longest2 = length2 > longest2 ? length2 : longest2;
        }
    double share = volume6 / (longest2 * sqrt(longest2));
    *least = -1;
    *most = 1;
    if (!(share > 1e-9)) return share <= 1e-9 ? 1 + 1e-9 - share : 2;
    tetrahedron_cosine_range(p, least, most);
    return *most > -*least ? *most : -*least;
}

// ---- begin and end --------------------------------------------------------------------------------------------------

static void mark_boundary(cdg_surgery *s, const uint32_t *mate) {
    for (size_t h = 0; h < 4 * s->mesh->tetrahedron_count; h++)
        for (int k = 0; k < 3 && mate[h] == CDG_NO_FACE; k++)
            s->is_boundary[s->mesh->tetrahedra[h / 4][cdg_face_corners[h % 4][k]]] = true;
}

static void release(cdg_surgery *s) {
    cdg_budget_give(s->budget, s->first);
    cdg_budget_give(s->budget, s->next);
    cdg_budget_give(s->budget, s->is_boundary);
    cdg_budget_give(s->budget, s->changes);
    s->first = s->next = NULL;
    s->is_boundary = NULL;
    s->changes = NULL;
}

bool cdg_surgery_begin(cdg_raw_mesh *mesh, cdg_budget *budget, cdg_surgery *out) {
    size_t points = mesh->point_count, elements = mesh->tetrahedron_count;
    *out = (cdg_surgery){.mesh = mesh,
                         .budget = budget,
                         .first = cdg_budget_take(budget, points, sizeof *out->first),
                         .next = cdg_budget_take(budget, 4 * elements, sizeof *out->next),
                         .point_room = points,
                         .corner_room = 4 * elements,
                         .is_boundary = cdg_budget_take_zero(budget, points, sizeof *out->is_boundary)};
    uint32_t *mate = cdg_budget_take(budget, 4 * elements, sizeof *mate);
    cdg_mesh view = {
        .points = mesh->points, .point_count = points, .tetrahedra = mesh->tetrahedra, .tetrahedron_count = elements};
    out->has_memory = out->first != NULL && out->next != NULL && out->is_boundary != NULL && mate != NULL &&
                      cdg_faces_match(&view, NULL, budget->patience, mate);
    if (out->has_memory) {
        memset(out->first, 0xFF, points * sizeof *out->first);
        for (size_t e = elements; e-- > 0;) link_element(out, (uint32_t)e);
        mark_boundary(out, mate);
    }
    cdg_budget_give(budget, mate);
    if (!out->has_memory) release(out);
    return out->has_memory;
}

static void drop_elements(cdg_raw_mesh *m) {
    size_t kept = 0;
    for (size_t e = 0; e < m->tetrahedron_count; e++)
        if (m->tetrahedra[e][0] != UINT32_MAX) memmove(m->tetrahedra[kept++], m->tetrahedra[e], sizeof *m->tetrahedra);
    m->tetrahedron_count = kept;
}

// `first` becomes the points' new numbers, `kept` their old ones.
static void drop_points(cdg_surgery *s, uint32_t *kept) {
    cdg_raw_mesh *m = s->mesh;
    uint32_t count = 0;
    for (uint32_t p = 0; p < m->point_count; p++) {
        if (s->first[p] == CDG_NO_CORNER) continue;
        if (kept != NULL) kept[count] = p;
        m->points[count] = m->points[p];
        s->first[p] = count++;
    }
    m->point_count = count;
    for (size_t i = 0; i < 4 * m->tetrahedron_count; i++)
        m->tetrahedra[i / 4][i % 4] = s->first[m->tetrahedra[i / 4][i % 4]];
}

bool cdg_surgery_end(cdg_surgery *s, uint32_t **kept) {
    bool has_memory = s->has_memory;
    uint32_t *numbers = NULL;
    if (kept != NULL && has_memory) {
        numbers = cdg_budget_take(s->budget, s->mesh->point_count, sizeof *numbers);
        has_memory = numbers != NULL;
    }
    drop_elements(s->mesh);
    drop_points(s, numbers);
    if (kept != NULL) *kept = numbers;
    has_memory = has_memory && !cdg_patience_is_over(s->budget->patience);
    release(s);
    return has_memory;
}
