// What rows are made from (contact_rows.h): points and elements side by side in memory.
#include "contact/contact_rows.h"

#include "base/parallel.h"
#include "base/processor.h"
#include "contact/contacts.h"
#include "math/vec3.h"

#include <stdlib.h>

const cdg_row_kernels *cdg_row_kernels_choose(void) {
    switch (cdg_processor_lanes()) {
#if defined(__x86_64__)
    case CDG_LANES_AVX512: return &cdg_row_kernels_avx512;
    case CDG_LANES_AVX2: return &cdg_row_kernels_avx2;
#endif
    default: return &cdg_row_kernels_base;
    }
}

void cdg_row_memory_free(cdg_row_memory *memory) {
    free(memory->points);
    free(memory->elements);
    free(memory->links);
    *memory = (cdg_row_memory){0};
}

bool cdg_row_memory_reserve_links(cdg_row_memory *it, size_t contact_count) {
    if (contact_count <= it->link_capacity) return true;
    size_t capacity = contact_count + contact_count / 2;
    free(it->links);
    it->link_capacity = 0;
    it->links = malloc(capacity * sizeof *it->links);
    if (it->links == NULL) return false;
    it->link_capacity = capacity;
    return true;
}

static bool reserve(cdg_row_memory *it, size_t point_count, size_t element_count, size_t contact_count) {
    if (point_count > it->point_capacity || element_count > it->element_capacity) {
        free(it->points);
        free(it->elements);
        it->point_capacity = it->element_capacity = 0;
        it->points = aligned_alloc(64, point_count * sizeof(cdg_row_point));
        it->elements = aligned_alloc(64, element_count * sizeof(cdg_row_element));
        if (it->points == NULL || it->elements == NULL) return false;
        it->point_capacity = point_count, it->element_capacity = element_count;
    }
    return cdg_row_memory_reserve_links(it, contact_count);
}

static void put(double out[3], cdg_vec3 v) { out[0] = v.x, out[1] = v.y, out[2] = v.z; }

static double inverse_of(double length) { return length > 0 ? 1 / length : 0; }

enum { LINKS_AT_ONCE = 512 };

typedef struct link_work {
    const cdg_row_maker *maker;
    cdg_sweep_link *links;
    size_t count;
} link_work;

// Which points and elements contacts share, and which of them push or are pushed.
static void link_part(void *user, size_t index, int thread) {
    const link_work *w = user;
    const cdg_pieces *p = w->maker->pieces;
    size_t first = LINKS_AT_ONCE * index, end = first + LINKS_AT_ONCE;
    (void)thread;
    for (size_t i = first; i < end && i < w->count; i++) {
        const cdg_contact *contact = &w->maker->contacts[i];
        cdg_sweep_link *link = &w->links[i];
        for (uint32_t k = 0; k < 2; k++) {
            link->point[k] = contact_point(p, &contact->side[0], k);
            link->point[2 + k] = contact_point(p, &contact->side[1], k);
        }
        link->element[0] = contact->side[0].element, link->element[1] = contact->side[1].element;
        link->is_active = contact->gap < contact->target || vec3_dot(contact->force, contact->normal) > 0;
    }
}

// Points and elements that a thread takes at once; as many parts are worth a second thread.
enum { PIECES_AT_ONCE = 256, PARTS_WORTH = 4 };

typedef struct piece_work {
    const cdg_pieces *pieces;
    cdg_row_point *points;
    cdg_row_element *elements;
} piece_work;

static void put_point(const cdg_pieces *p, size_t i, cdg_row_point *point) {
    put(point->base, p->base[i]);
    // What a body's surface does, its contacts have as `carried`.
    bool is_body = p->body_count > 0 && i >= p->first_body_point;
    put(point->move, is_body ? vec3(0, 0, 0) : vec3_sub(p->next[i], p->start[i]));
    point->give = p->give[i];
    point->root = sqrt(p->give[i]);
}

static void put_element(const cdg_pieces *p, size_t e, cdg_row_element *element) {
    uint32_t i = p->ends[e][0], k = p->ends[e][1];
    bool is_one = e < p->element_count; // the last stands for obstacles
    cdg_vec3 edge = vec3_sub(p->next[k], p->next[i]), axis = p->axis[e];
    element->inverse = is_one ? inverse_of(vec3_distance(p->base[i], p->base[k])) : 0;
    element->shorter = is_one ? inverse_of(vec3_norm(edge)) : 0;
    put(element->axis, is_one ? axis : vec3(0, 0, 0));
    put(element->plain, !is_one ? vec3(0, 0, 0) : element->shorter > 0 ? vec3_scale(element->shorter, edge) : axis);
    element->radius[0] = is_one ? p->radius[e][0] : 0;
    element->radius[1] = is_one ? p->radius[e][1] - p->radius[e][0] : 0;
    element->turn = p->turn[e];
    element->give = p->turn_give[e];
    element->root = sqrt(p->turn_give[e]);
}

static void put_part(void *user, size_t index, int thread) {
    const piece_work *w = user;
    size_t first = PIECES_AT_ONCE * index, end = first + PIECES_AT_ONCE;
    (void)thread;
    for (size_t i = first; i < end && i < w->pieces->point_count; i++) put_point(w->pieces, i, &w->points[i]);
    for (size_t e = first; e < end && e <= w->pieces->element_count; e++) put_element(w->pieces, e, &w->elements[e]);
}

bool cdg_row_maker_start(cdg_row_maker *maker, cdg_row_memory *memory, size_t contact_count) {
    const cdg_pieces *p = maker->pieces;
    if (!reserve(memory, p->point_capacity, p->element_capacity + 1, contact_count)) return false;
    piece_work pieces = {p, (cdg_row_point *)(void *)memory->points, (cdg_row_element *)(void *)memory->elements};
    size_t most = p->point_count > p->element_count + 1 ? p->point_count : p->element_count + 1;
    size_t parts = (most + PIECES_AT_ONCE - 1) / PIECES_AT_ONCE;
    cdg_parallel_for(parts, parts >= PARTS_WORTH ? maker->threads : 1, put_part, &pieces);
    link_work links = {maker, memory->links, contact_count};
    parts = (contact_count + LINKS_AT_ONCE - 1) / LINKS_AT_ONCE;
    cdg_parallel_for(parts, parts > 2 ? maker->threads : 1, link_part, &links);
    maker->points = memory->points, maker->elements = memory->elements;
    return true;
}
