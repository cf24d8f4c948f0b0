// Pairs of couples found anew (surface_renew.h).
#include "contact/surface_renew.h"

#include "base/error.h"
#include "base/parallel.h"
#include "contact/shape_motion.h"
#include "contact/surface_watch.h"

#include <stdlib.h>
#include <string.h>

// Primitives of one surface that are nearer than this at rest, of the sum of thicknesses, never touch.
static const double rest_share = 1.5;
static const double rounding_share = 1e-9; // of distances
// Steps for which couples of objects are expected to go on as they do; and what their pairs have room for at least and
// at most, of thicknesses. Couples that go farther than that in two steps have little more than for the step under way.
static const double steps_ahead = 12, least_range = 4, most_range = 8, fast_range = 1;
// Lots of couples, whoever takes them; so many couples are worth a second thread.
enum { PARTS = 16, COUPLES_WORTH = 4 };

void cdg_surface_renewals_free(cdg_contacts *c) {
    for (size_t k = 0; k < PARTS && c->renewals != NULL; k++) {
        cdg_surface_pairs_free(&c->renewals[k].search);
        free(c->renewals[k].named);
        free(c->renewals[k].pairs);
        free(c->renewals[k].measured);
    }
    free(c->renewals);
    c->renewals = NULL;
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

double cdg_surface_room(const cdg_contacts *c, const cdg_contact_input *input, const cdg_surface_pair *pair,
                        const cdg_kept_pair *kept, double range) {
    if (surface_pair_has_shape(pair)) return room_of_shape(c, input, pair, range);
    if (!kept->has_points) return room_of_segment(&c->pieces, pair);
    double room = kept->start_distance * (1 - rounding_share) - (1 + surface_listed_share) * kept->sum;
    return isfinite(room) ? room : -HUGE_VAL; // a triangle without an area may be anywhere
}

// ---- one couple -----------------------------------------------------------------------------------------------------

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
    if (!out.is_edges) out.limits = surface_limits(&s->triangles[pair->number[1]]);
    return out;
}

// Whether a pair of surfaces can neither come near before pairs are found again nor touch where it is.
static bool is_idle(const cdg_contacts *c, const cdg_contact_input *input, const cdg_surface_pair *pair,
                    const cdg_kept_pair *kept, double range) {
    if (surface_pair_has_shape(pair)) return false;
    if (cdg_surface_room(c, input, pair, kept, range) > range) return true;
    if (kept->object[0] != kept->object[1]) return false;
    feature sides[2];
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

static bool grow(void **memory, size_t bytes) {
    void *grown = realloc(*memory, bytes);
    if (grown != NULL) *memory = grown;
    return grown != NULL;
}

static bool reserve(cdg_surface_renewal *it) {
    size_t found = it->search.count, all = it->count + found;
    if (found > it->measured_capacity) {
        size_t capacity = found + found / 2;
        if (!grow((void **)&it->measured, capacity * sizeof *it->measured)) return false;
        it->measured_capacity = capacity;
    }
    if (all <= it->capacity) return true;
    size_t capacity = all + all / 2;
    if (!grow((void **)&it->named, capacity * sizeof *it->named) ||
        !grow((void **)&it->pairs, capacity * sizeof *it->pairs))
        return false;
    it->capacity = capacity;
    return true;
}

// Of the pairs that were found, those that can come near and are not so at rest.
static void sift(const cdg_contacts *c, const cdg_contact_input *input, cdg_surface_renewal *it, double range) {
    cdg_surface_pairs *found = &it->search;
    size_t kept = 0;
    for (uint32_t i = 0; i < found->count; i++) {
        it->measured[i] = describe(c, input, &found->pairs[i]);
        found->numbers_of_pairs[i] = i;
    }
    cdg_surface_gaps_measure(it->measured, found->numbers_of_pairs, found->count, &c->pieces.start[0].x);
    for (size_t i = 0; i < found->count; i++)
        if (!is_idle(c, input, &found->pairs[i], &it->measured[i], range)) found->pairs[kept++] = found->pairs[i];
    found->count = kept;
}

// Most of all are left out. Where the couple's pairs are in the list is noted in it until they are among those of all.
static cdg_result find_pairs(const cdg_contacts *c, const cdg_contact_input *input, cdg_surface_renewal *it,
                             cdg_near_couple *couple, cdg_error *error) {
    const cdg_object_couple objects = {{couple->object[0], couple->object[1]}};
    couple->range = choose_range(c, couple);
    cdg_result result =
        cdg_surface_pairs_find(&it->search, &c->pieces, &objects, couple->range, surface_margin_share, error);
    if (result != CDG_OK) return result;
    if (!reserve(it)) return cdg_fail(error, CDG_ERROR_MEMORY, "no memory for %zu pairs of contact", it->search.count);
    sift(c, input, it, couple->range);
    cdg_surface_pairs_sort(&it->search);
    couple->first = (uint32_t)it->count;
    for (size_t i = 0; i < it->search.count; i++) {
        it->named[it->count] = it->search.pairs[i];
        it->pairs[it->count++] = describe(c, input, &it->search.pairs[i]);
    }
    couple->end = (uint32_t)it->count;
    return CDG_OK;
}

// ---- all ------------------------------------------------------------------------------------------------------------

typedef struct renewing {
    cdg_contacts *contacts;
    const cdg_contact_input *input;
    const uint32_t *couples;
    size_t count, part_count;
} renewing;

static size_t begin_of(const renewing *w, size_t part) { return w->count * part / w->part_count; }

static void renew_part(void *user, size_t index, int thread) {
    const renewing *w = user;
    cdg_contacts *c = w->contacts;
    cdg_surface_renewal *it = &c->renewals[index];
    const cdg_surface_pairs *all = &c->surface_pairs;
    (void)thread;
    it->count = 0;
    it->result = CDG_OK;
    it->search.corners = all->corners, it->search.corner_count = all->corner_count;
    it->search.kept_shapes = all->kept_shapes, it->search.kept_shape_count = all->kept_shape_count;
    for (size_t i = begin_of(w, index); i < begin_of(w, index + 1) && it->result == CDG_OK; i++)
        it->result = find_pairs(c, w->input, it, &c->surface_near.couples[w->couples[i]], &it->error);
    it->search.corners = NULL, it->search.kept_shapes = NULL; // they are not its own
    it->search.corner_count = it->search.kept_shape_count = 0;
}

// Forces may have parted some of the pairs in this step, unless it is the first round.
static cdg_result take_part(const renewing *w, size_t index, bool is_first, cdg_error *error) {
    const cdg_surface_renewal *it = &w->contacts->renewals[index];
    cdg_surface_near *near = &w->contacts->surface_near;
    if (it->result != CDG_OK) {
        *error = it->error;
        return it->result;
    }
    for (size_t i = begin_of(w, index); i < begin_of(w, index + 1); i++) {
        cdg_near_couple *couple = &near->couples[w->couples[i]];
        size_t from = couple->first, count = couple->end - couple->first;
        if (!cdg_surface_near_take_pairs(near, w->couples[i], count))
            return cdg_fail(error, CDG_ERROR_MEMORY, "no memory for %zu pairs of contact", count);
        if (count > 0) {
            memcpy(near->named + couple->first, it->named + from, count * sizeof *near->named);
            memcpy(near->pairs + couple->first, it->pairs + from, count * sizeof *near->pairs);
        }
        for (size_t k = couple->first; k < couple->first + count; k++) near->pairs[k].was_listed = !is_first;
        cdg_surface_near_keep(near, w->couples[i], count);
    }
    return CDG_OK;
}

cdg_result cdg_surface_renew(cdg_contacts *c, const cdg_contact_input *input, const uint32_t *couples, size_t count,
                             bool is_first, cdg_error *error) {
    if (c->renewals == NULL) c->renewals = calloc(PARTS, sizeof *c->renewals);
    if (c->renewals == NULL) return cdg_fail(error, CDG_ERROR_MEMORY, "no memory for contact of surfaces");
    bool is_worth = c->threads > 1 && count >= COUPLES_WORTH;
    renewing work = {c, input, couples, count, is_worth && count > PARTS ? PARTS : is_worth ? count : 1};
    cdg_parallel_for(work.part_count, is_worth ? c->threads : 1, renew_part, &work);
    cdg_result result = CDG_OK;
    for (size_t k = 0; k < work.part_count && result == CDG_OK; k++) result = take_part(&work, k, is_first, error);
    return result;
}
