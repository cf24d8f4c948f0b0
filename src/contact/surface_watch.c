// Which pairs of surfaces' primitives are watched (surface_watch.h).
#include "contact/surface_watch.h"

#include "base/error.h"
#include "contact/shape_motion.h"

#include <stdlib.h>

// Primitives of one surface that are nearer than this at rest, of the sum of thicknesses, never touch.
static const double rest_share = 1.5;
// Of thickness: in candidates that differ by less only pairs that are watched come near.
static const double known_share = 0.15;
static const double rounding_share = 1e-9; // of distances
// Steps for which objects, and couples of them, are expected to go on as they do; and what they have room for at least
// and pairs at most, of thicknesses. Couples that go farther than that in two steps have little more than for the step
// under way.
static const double fast_range = 1;
static const double steps_ahead = 12, least_room = 2, least_range = 4, most_range = 8;

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

// Of one surface: what is near at rest.
static bool are_near_at_rest(const cdg_pieces *p, const cdg_surface_pair *pair, const feature *a, const feature *b) {
    if (!contact_side_is_surface(&b->side) || a->side.object != b->side.object) return false;
    const cdg_surfaces *s = &p->surfaces;
    cdg_vec3 x[2][3];
    for (int i = 0; i < 2; i++) {
        uint32_t number = pair->number[i];
        if (pair->kind[i] == CDG_SIDE_VERTEX) x[i][0] = s->vertices[number].rest;
        for (int k = 0; k < 2 && pair->kind[i] == CDG_SIDE_EDGE; k++)
            x[i][k] = s->vertices[s->edges[number].end[k]].rest;
        for (int k = 0; k < 3 && pair->kind[i] == CDG_SIDE_TRIANGLE; k++)
            x[i][k] = s->vertices[s->triangles[number].corner[k]].rest;
    }
    return closest(a->count, x[0], x[1]).distance < rest_share * (a->radius[0] + b->radius[0]);
}

static double room_of_segment(const cdg_pieces *p, const cdg_surface_pair *pair) {
    feature sides[2];
    cdg_vec3 x[2][3];
    surface_pair_sides(p, pair, sides);
    for (int i = 0; i < 2; i++) read_points(&sides[i], p->start, x[i]);
    double most = (1 + surface_margin_share) * (largest_radius(&sides[0]) + largest_radius(&sides[1]));
    return closest(sides[0].count, x[0], x[1]).distance - most;
}

static double room_of_shape(const cdg_contacts *c, const cdg_contact_input *input, const cdg_surface_pair *pair,
                            double range) {
    size_t number = surface_pair_shape(input, pair);
    if (pair->detail > 0) return -HUGE_VAL;
    feature a = surface_feature(&c->pieces, pair->kind[0], pair->number[0]);
    double near = (1 + 2 * surface_margin_share) * a.radius[0], within = near + range, w[3];
    cdg_vec3 x[3];
    cdg_distance at;
    read_points(&a, c->pieces.start, x);
    if (!cdg_obstacle_lowest(cdg_contact_shape_at(c, input, number).form, &c->poses[2 * number], x, a.count, within, w,
                             &at))
        return within - near;
    return at.value - near;
}

// m: how much farther than near a pair is. Those of surfaces are measured.
static double room_of(const cdg_contacts *c, const cdg_contact_input *input, size_t number) {
    const cdg_surface_pair *pair = &c->surface_near.named[number];
    const cdg_kept_pair *kept = &c->surface_near.pairs[number];
    if (surface_pair_has_shape(pair)) return room_of_shape(c, input, pair, c->surface_near.couples[kept->couple].range);
    if (!kept->has_points) return room_of_segment(&c->pieces, pair);
    double room = kept->start_distance * (1 - rounding_share) - (1 + surface_listed_share) * kept->sum;
    return isfinite(room) ? room : -HUGE_VAL; // a triangle without an area may be anywhere
}

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

// ---- new pairs ------------------------------------------------------------------------------------------------------

static cdg_kept_pair describe(const cdg_contacts *c, const cdg_contact_input *input, const cdg_surface_pair *pair) {
    const cdg_pieces *p = &c->pieces;
    const cdg_surfaces *s = &p->surfaces;
    cdg_kept_pair out = {.has_points = pair->kind[1] >= CDG_SIDE_VERTEX, .is_edges = pair->kind[0] == CDG_SIDE_EDGE};
    feature first = surface_feature(p, pair->kind[0], pair->number[0]);
    out.object[0] = contact_object(p, &first.side);
    if (surface_pair_has_shape(pair))
        out.object[1] = (uint32_t)(p->object_count + surface_pair_shape(input, pair));
    else if (!out.has_points)
        out.object[1] = p->object_of[pair->number[1]];
    for (int k = 0; k < first.count; k++) out.point[k] = first.point[k];
    if (!out.has_points) return out;
    feature second = surface_feature(p, pair->kind[1], pair->number[1]);
    out.object[1] = contact_object(p, &second.side);
    out.sum = first.radius[0] + second.radius[0];
    for (int k = 0; k < 4; k++) out.point[k] = k < first.count ? first.point[k] : second.point[k - first.count];
    const cdg_surface_triangle *t = &s->triangles[pair->number[1]];
    for (int k = 0; k < 3 && !out.is_edges; k++)
        out.has_limits = out.has_limits || t->owns_corner[k] || t->owns_edge[k];
    return out;
}

// Whether a pair of surfaces can neither come near before pairs are found again nor touch where it is.
static bool is_idle(const cdg_contacts *c, const cdg_surface_pair *pair, double room, double range) {
    if (surface_pair_has_shape(pair)) return false;
    feature sides[2];
    if (room > range) return true;
    surface_pair_sides(&c->pieces, pair, sides);
    return are_near_at_rest(&c->pieces, pair, &sides[0], &sides[1]);
}

// m: how far the two may come nearer to each other until pairs are found again.
static double choose_range(const cdg_contacts *c, const cdg_near_couple *couple) {
    double sum = 0;
    for (int k = 0; k < 2; k++)
        if (couple->object[k] < c->pieces.object_count) sum += cdg_surface_near_size(&c->pieces, couple->object[k]);
    double wanted = fmax(least_range * sum, fmin(steps_ahead * couple->own, most_range * sum));
    if (2 * couple->own > most_range * sum) wanted = fast_range * sum;
    return couple->farthest + couple->reach + wanted;
}

// Describes the pairs that were found, as those of a couple that begin at `first`.
static void describe_found(const cdg_contacts *c, const cdg_contact_input *input, uint32_t number, uint32_t first) {
    const cdg_surface_near *near = &c->surface_near;
    const cdg_surface_pairs *found = &c->surface_pairs;
    for (uint32_t i = 0; i < found->count; i++) {
        near->named[first + i] = found->pairs[i];
        near->pairs[first + i] = describe(c, input, &found->pairs[i]);
        near->pairs[first + i].couple = number;
        found->numbers_of_pairs[i] = first + i;
    }
}

// Finds the pairs of a couple. Those that cannot come near, or are so at rest, are left out, most of all. Forces may
// have parted some of them in this step.
static cdg_result find_pairs(cdg_contacts *c, const cdg_contact_input *input, uint32_t number, bool is_first,
                             cdg_error *error) {
    cdg_surface_pairs *found = &c->surface_pairs;
    cdg_surface_near *near = &c->surface_near;
    cdg_near_couple *couple = &near->couples[number];
    const cdg_object_couple objects = {{couple->object[0], couple->object[1]}};
    couple->range = choose_range(c, couple);
    cdg_result result = cdg_surface_pairs_find(found, &c->pieces, &objects, couple->range, surface_margin_share, error);
    if (result != CDG_OK) return result;
    if (!cdg_surface_near_take_pairs(near, number, found->count))
        return cdg_fail(error, CDG_ERROR_MEMORY, "no memory for %zu pairs of contact", found->count);
    uint32_t first = couple->first, end = 0;
    describe_found(c, input, number, first);
    cdg_surface_gaps_measure(near->pairs, found->numbers_of_pairs, found->count, &c->pieces.start[0].x);
    for (uint32_t i = 0; i < found->count; i++)
        if (!is_idle(c, &found->pairs[i], room_of(c, input, first + i), couple->range))
            found->pairs[end++] = found->pairs[i];
    found->count = end;
    cdg_surface_pairs_sort(found);
    describe_found(c, input, number, first);
    for (uint32_t i = first; i < first + end; i++) near->pairs[i].was_listed = !is_first;
    cdg_surface_near_keep(near, number, end);
    return CDG_OK;
}

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

// Whether all pairs of a couple are looked at anew, as one of its objects has moved.
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
    for (size_t i = 0; i < near->order_count && result == CDG_OK; i++) {
        if (!is_stale(c, &near->couples[near->order[i]])) continue;
        // Which of the pairs have been contacts is not known of new ones.
        if (!has_moved_whole(c, &near->couples[near->order[i]])) c->spots.is_partial = false;
        result = find_pairs(c, input, near->order[i], is_first, error);
    }
    return result;
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

// Of the pairs that were woken, those that are still far sleep on. Shapes that move may be anywhere.
static void watch_first(cdg_contacts *c, const cdg_contact_input *input) {
    cdg_surface_near *near = &c->surface_near;
    measure_pairs(c, near->watched, near->watched_count);
    size_t count = 0;
    for (size_t i = 0; i < near->watched_count; i++) {
        uint32_t number = near->watched[i];
        cdg_surface_near_rest(near, number, room_of(c, input, number));
        if (surface_near_is_far(near, number))
            near->pairs[number].has_start = false; // of this step, which may be over when it is woken
        else
            near->watched[count++] = number;
    }
    near->watched_count = count;
}

// Pairs that have been listed in the step, those that move so far that they may have passed, and those that are nearest
// where it is theirs to meet.
static void mark_due(const cdg_contacts *c) {
    const cdg_surface_near *near = &c->surface_near;
    size_t count = 0;
    for (size_t i = 0; i < near->watched_count; i++) {
        cdg_kept_pair *pair = &near->pairs[near->watched[i]];
        if (!contact_spots_move(&c->spots, pair->point)) continue;
        pair->is_long = !(near->couples[pair->couple].now <= surface_short_share * pair->sum); // or of no surfaces
        pair->is_due = pair->was_listed || pair->is_long || !pair->has_points;
        near->moved[count++] = near->watched[i];
    }
    cdg_gap_limits limits = {.near = 1 + surface_listed_share, .deep = surface_deep_share};
    cdg_surface_gaps_mark(near->pairs, near->moved, count, &c->pieces.next[0].x, limits, near->places);
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
