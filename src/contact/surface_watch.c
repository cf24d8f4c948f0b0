// Which pairs of surfaces' primitives are watched (surface_watch.h).
#include "contact/surface_watch.h"

#include "base/error.h"
#include "base/parallel.h"
#include "contact/shape_motion.h"
#include "contact/surface_renew.h"

#include <stdlib.h>

// Of thickness: in candidates that differ by less only pairs that are watched come near.
static const double known_share = 0.15;
// Steps for which objects are expected to go on as they do, and what they have room for at least, of thicknesses.
static const double steps_ahead = 12, least_room = 2;

// ---- shapes ---------------------------------------------------------------------------------------------------------

static bool reserve_shapes(cdg_surface_pairs *it, size_t shapes, size_t corners) {
    if (shapes > it->shape_capacity) {
        cdg_shape_reach *grown = realloc(it->shapes, shapes * sizeof *grown);
        if (grown == NULL) return false;
        it->shapes = grown, it->shape_capacity = shapes;
    }
    if (corners > it->corner_capacity) {
        cdg_contact_mesh_corner *grown = realloc(it->corners, corners * sizeof *grown);
        if (grown == NULL) return false;
        it->corners = grown, it->corner_capacity = corners;
    }
    return true;
}

static void list_corners(cdg_surface_pairs *out, const cdg_contact_shape *shape, const cdg_pose *pose,
                         const cdg_box *reach) {
    for (uint32_t i = 0; i < shape->form->mesh.vertex_count; i++) {
        cdg_contact_mesh_corner corner = {.kind = shape->side.kind, .shape = shape->side.object, .corner = i};
        cdg_vec3 own = shape->form->mesh.vertices[i];
        corner.from = vec3_add(pose[0].position, quat_rotate(pose[0].orientation, own));
        corner.to = vec3_add(pose[1].position, quat_rotate(pose[1].orientation, own));
        cdg_box box = {
            {fmin(corner.from.x, corner.to.x), fmin(corner.from.y, corner.to.y), fmin(corner.from.z, corner.to.z)},
            {fmax(corner.from.x, corner.to.x), fmax(corner.from.y, corner.to.y), fmax(corner.from.z, corner.to.z)}};
        if (cdg_boxes_overlap(&box, reach)) out->corners[out->corner_count++] = corner;
    }
}

static bool list_shapes(cdg_contacts *c, const cdg_contact_input *input) {
    cdg_surface_pairs *out = &c->surface_pairs;
    size_t count = cdg_contact_shape_count(c, input), corners = 0;
    for (size_t i = 0; i < count; i++) {
        const cdg_contact_shape it = cdg_contact_shape_at(c, input, i);
        if (it.form != NULL && it.form->def.shape.kind == CDG_SHAPE_MESH) corners += it.form->mesh.vertex_count;
    }
    if (!reserve_shapes(out, count, corners)) return false;
    cdg_box reach = {{0, 0, 0}, {0, 0, 0}};
    if (corners > 0) reach = cdg_surface_pairs_reach(&c->pieces, surface_margin_share);
    out->shape_count = out->corner_count = 0;
    for (size_t i = 0; i < count; i++) {
        const cdg_contact_shape it = cdg_contact_shape_at(c, input, i);
        if (it.form == NULL) continue;
        bool is_mesh = it.form->def.shape.kind == CDG_SHAPE_MESH;
        out->shapes[out->shape_count++] = (cdg_shape_reach){.kind = it.side.kind,
                                                            .number = it.side.object,
                                                            .object = (uint32_t)(c->pieces.object_count + i),
                                                            .is_flat = it.form->def.shape.kind == CDG_SHAPE_PLANE,
                                                            .has_corners = is_mesh,
                                                            .box = c->swept[i]};
        if (is_mesh && cdg_boxes_overlap(&c->swept[i], &reach)) list_corners(out, &it, &c->poses[2 * i], &reach);
    }
    return true;
}

// ---- distances at the start of the step -----------------------------------------------------------------------------

// Distances of pairs of surfaces at the start of the step, which all rounds have in common.
static void measure_pairs(const cdg_contacts *c, const uint32_t *numbers, size_t count) {
    const cdg_surface_near *near = &c->surface_near;
    cdg_surface_gaps_measure(near->pairs, numbers, count, &c->pieces.start[0].x);
    for (size_t i = 0; i < count; i++) {
        cdg_kept_pair *pair = &near->pairs[numbers[i]];
        pair->start_sum = pair->sum;
        pair->has_start = pair->has_points && isfinite(pair->start_distance);
    }
}

void cdg_surface_watch_measure(const cdg_contacts *c, uint32_t pair) { measure_pairs(c, &pair, 1); }

// ---- couples --------------------------------------------------------------------------------------------------------

static bool are_couples_good(const cdg_contacts *c) {
    const cdg_surface_near *near = &c->surface_near;
    if (!near->is_good || !cdg_surface_pairs_hold_shapes(&c->surface_pairs)) return false;
    for (size_t i = 0; i < c->pieces.object_count; i++)
        if (!(cdg_surface_near_walked(near, i) <= near->room[i])) return false;
    return true;
}

// m: how far an object's points may go from the start of the step until couples are listed again. In earlier rounds of
// it they have gone no farther than what is left of the room before.
static double choose_room(const cdg_contacts *c, size_t object) {
    const cdg_surface_near *near = &c->surface_near;
    if (c->pieces.first_node[object] == c->pieces.first_node[object + 1]) return 0;
    double size = cdg_surface_near_size(&c->pieces, object);
    double step = cdg_surface_near_walked(near, object) - near->walked[object];
    double wanted = step + fmax(steps_ahead * step, least_room * size) + known_share * size;
    return fmax(wanted, near->room[object] - near->walked[object]);
}

static cdg_result list_couples(cdg_contacts *c, cdg_error *error) {
    cdg_surface_near *near = &c->surface_near;
    cdg_surface_pairs *pairs = &c->surface_pairs;
    for (size_t i = 0; i < c->pieces.object_count; i++) near->room[i] = choose_room(c, i);
    cdg_result result = cdg_surface_pairs_list_couples(pairs, &c->pieces, near->room, surface_margin_share, error);
    if (result != CDG_OK) return result;
    if (!cdg_surface_near_take_couples(near, &c->pieces, pairs->couples, pairs->couple_count, known_share))
        return cdg_fail(error, CDG_ERROR_MEMORY, "no memory for contact of surfaces");
    near->is_good = true;
    for (size_t i = 0; i < near->order_count; i++) {
        cdg_near_couple *couple = &near->couples[near->order[i]];
        const cdg_shape_reach *shape = cdg_surface_pairs_shape(pairs, couple->object[1]);
        if (shape != NULL && shape->has_moved) couple->is_found = false;
    }
    return CDG_OK;
}

// Corners of meshes go as they like.
static bool is_stale(const cdg_contacts *c, const cdg_near_couple *couple) {
    const cdg_shape_reach *shape = cdg_surface_pairs_shape(&c->surface_pairs, couple->object[1]);
    if (shape != NULL && shape->has_corners) return true;
    return !couple->is_found || couple->gone + couple->farthest + couple->reach > couple->range;
}

// Whether all pairs of a couple are examined again because one of its objects has moved.
static bool has_moved_whole(const cdg_contacts *c, const cdg_near_couple *couple) {
    if (!c->spots.is_by_object) return false;
    for (int k = 0; k < 2; k++)
        if (couple->object[k] < c->pieces.object_count && contact_spots_moves(c, couple->object[k])) return true;
    return false;
}

// Makes sure that the pairs of all couples are there.
static cdg_result renew_pairs(cdg_contacts *c, const cdg_contact_input *input, bool is_first, cdg_error *error) {
    cdg_surface_near *near = &c->surface_near;
    bool is_listed = !are_couples_good(c);
    cdg_result result = is_listed ? list_couples(c, error) : CDG_OK;
    if (result != CDG_OK) return result;
    cdg_surface_near_approach(near, &c->pieces, c->poses);
    size_t count = 0;
    for (size_t i = 0; i < near->order_count; i++) {
        if (!is_stale(c, &near->couples[near->order[i]])) continue;
        near->spare[count++] = near->order[i];
        // New pairs do not know which of them have been contacts.
        if (!has_moved_whole(c, &near->couples[near->order[i]])) c->spots.is_partial = false;
    }
    return count > 0 ? cdg_surface_renew(c, input, near->spare, count, is_first, error) : CDG_OK;
}

// ---- what is watched ------------------------------------------------------------------------------------------------

// What was known of the last step is forgotten.
static void sleep_all(cdg_surface_near *near) {
    for (size_t i = 0; i < near->watched_count; i++) {
        cdg_kept_pair *pair = &near->pairs[near->watched[i]];
        pair->was_listed = pair->is_contact = pair->has_start = false;
    }
    cdg_surface_near_tidy(near);
}

// Pairs in a lot, which one thread takes; lots that are worth a second thread.
enum { PAIRS_AT_ONCE = 512, PARTS_WORTH = 3 };

typedef struct watching {
    const cdg_contacts *contacts;
    const cdg_contact_input *input;
    size_t count;
} watching;

static void for_lots(const watching *w, void (*body)(void *user, size_t index, int thread)) {
    size_t parts = (w->count + PAIRS_AT_ONCE - 1) / PAIRS_AT_ONCE;
    cdg_parallel_for(parts, parts >= PARTS_WORTH ? w->contacts->threads : 1, body, (void *)(uintptr_t)w);
}

static size_t end_of(const watching *w, size_t lot) {
    size_t end = PAIRS_AT_ONCE * (lot + 1);
    return end < w->count ? end : w->count;
}

static void rest_lot(void *user, size_t index, int thread) {
    const watching *w = user;
    const cdg_contacts *c = w->contacts;
    const cdg_surface_near *near = &c->surface_near;
    size_t first = PAIRS_AT_ONCE * index, end = end_of(w, index);
    (void)thread;
    measure_pairs(c, near->watched + first, end - first);
    for (size_t i = first; i < end; i++) {
        uint32_t number = near->watched[i];
        const cdg_kept_pair *pair = &near->pairs[number];
        double range = near->couples[pair->couple].range;
        cdg_surface_near_rest(near, number, cdg_surface_room(c, w->input, &near->named[number], pair, range));
        near->moved[i] = surface_near_is_far(near, number); // until all are known
    }
}

// Of the pairs that were woken, those that are still far sleep on. Shapes that move may be anywhere.
static void watch_first(cdg_contacts *c, const cdg_contact_input *input) {
    cdg_surface_near *near = &c->surface_near;
    const watching work = {c, input, near->watched_count};
    for_lots(&work, rest_lot);
    size_t count = 0;
    for (size_t i = 0; i < near->watched_count; i++) {
        uint32_t number = near->watched[i];
        if (near->moved[i] != 0)
            near->pairs[number].has_start = false; // of this step, which may be over when it is woken
        else
            near->watched[count++] = number;
    }
    near->watched_count = count;
}

static void mark_lot(void *user, size_t index, int thread) {
    const watching *w = user;
    const cdg_contacts *c = w->contacts;
    const cdg_surface_near *near = &c->surface_near;
    size_t first = PAIRS_AT_ONCE * index, count = end_of(w, index) - first;
    (void)thread;
    for (size_t i = first; i < first + count; i++) {
        cdg_kept_pair *pair = &near->pairs[near->moved[i]];
        pair->is_long = !(near->couples[pair->couple].now <= surface_short_share * pair->sum); // or of no surfaces
        pair->is_due = pair->was_listed || pair->is_long || !pair->has_points;
    }
    cdg_gap_limits limits = {.near = 1 + surface_listed_share, .deep = surface_deep_share};
    cdg_surface_gaps_mark(near->pairs, near->moved + first, count, &c->pieces.next[0].x, limits, near->nearest + first);
}

// Pairs that have been listed in the step, those that move so far that they may have passed, and those that are nearest
// where it is theirs to meet.
static void mark_due(const cdg_contacts *c) {
    const cdg_surface_near *near = &c->surface_near;
    watching work = {c, NULL, 0};
    for (size_t i = 0; i < near->watched_count; i++)
        if (!c->spots.is_partial || contact_spots_move(&c->spots, near->pairs[near->watched[i]].point))
            near->moved[work.count++] = near->watched[i];
    for_lots(&work, mark_lot);
}

// Whatever is not watched is not near in this candidate either: points have gone by less than pairs are watched for.
// Bodies may have gone anywhere.
static bool is_list_good(const cdg_contacts *c, bool is_first) {
    return !is_first && c->body_count == 0 && cdg_surface_near_is_close(&c->surface_near, &c->pieces, known_share);
}

cdg_result cdg_surface_watch(cdg_contacts *c, const cdg_contact_input *input, bool is_first, bool *is_again,
                             cdg_error *error) {
    cdg_surface_near *near = &c->surface_near;
    if (is_first) c->spots.is_partial = false;
    near->threads = c->threads;
    *is_again = is_list_good(c, is_first);
    if (!*is_again && !list_shapes(c, input))
        return cdg_fail(error, CDG_ERROR_MEMORY, "no memory for contact of surfaces");
    if (is_first) sleep_all(near);
    if (is_first && !cdg_surface_near_begin(near, &c->pieces, c->poses, cdg_contact_shape_count(c, input)))
        return cdg_fail(error, CDG_ERROR_MEMORY, "no memory for contact of surfaces");
    cdg_surface_near_move(near, &c->pieces);
    if (*is_again) {
        cdg_surface_near_approach(near, &c->pieces, c->poses);
    } else {
        cdg_result result = renew_pairs(c, input, is_first, error);
        if (result != CDG_OK) {
            surface_near_forget(near); // what is known is not of all
            return result;
        }
        cdg_surface_near_note(near, &c->pieces);
        cdg_surface_near_wake(near);
        if (is_first) watch_first(c, input);
    }
    mark_due(c);
    return CDG_OK;
}
