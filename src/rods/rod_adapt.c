// A rod whose resolution follows its shape: options, memory, and where places of the definition are at present. What
// halves elements and makes them one again is in src/adapt.
#include "rods/rod_model.h"

#include "base/error.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LEVELS_MAX = 7 }; // parts of an element are counted in eight bits
// As fine as ropes are tied (geometry/tied.c): tight knots are no rounder than this can follow.
static const double shortest_in_radii = 0.7;

cdg_adapt_options cdg_adapt_options_default(void) {
    return (cdg_adapt_options){
        .angle = 0.3, .coarsen = 0.1, .levels = 3, .hold = 0.05, .method = CDG_ADAPT_VARIATIONAL};
}

static cdg_result fail_model(const cdg_rod_def *def, const cdg_rod_model *model, cdg_error *error) {
    char names[100] = "";
    size_t used = 0;
    for (size_t i = 0; i < cdg_rod_model_count() && used < sizeof names; i++)
        if (cdg_rod_model_get((cdg_model)i)->adapts)
            used += (size_t)snprintf(names + used, sizeof names - used, "%s%s", used > 0 ? ", " : "",
                                     cdg_rod_model_get((cdg_model)i)->name);
    return cdg_fail(error, CDG_ERROR_UNSUPPORTED,
                    "rod '%s': model '%s' cannot change its resolution; models that can: %s", def->name, model->name,
                    names);
}

cdg_result cdg_adapt_check(const cdg_rod_def *def, bool is_closed, cdg_error *error) {
    const cdg_adapt_options *o = &def->adapt;
    (void)is_closed;
    if (!o->is_on) return CDG_OK;
    const cdg_rod_model *model = cdg_rod_model_get(def->model);
    if (!model->adapts) return fail_model(def, model, error);
    if (!(o->angle > 0 && o->angle < 3) || !(o->coarsen >= 0 && o->coarsen < o->angle / 2))
        return cdg_fail(error, CDG_ERROR_ARGUMENT,
                        "rod '%s': it adapts above a turn of %g rad and below one of %g rad; the first must lie "
                        "between 0 and 3, and the second below half of it, or elements would be halved and made one in "
                        "turn",
                        def->name, o->angle, o->coarsen);
    if (!(o->shortest >= 0 && isfinite(o->shortest)) || !(o->hold >= 0 && isfinite(o->hold)))
        return cdg_fail(error, CDG_ERROR_ARGUMENT,
                        "rod '%s': the shortest element and the time to hold must be finite and not negative",
                        def->name);
    if (o->levels < 1 || o->levels > LEVELS_MAX)
        return cdg_fail(error, CDG_ERROR_ARGUMENT, "rod '%s': elements may be halved 1 to %d times, not %d", def->name,
                        LEVELS_MAX, o->levels);
    if ((unsigned)o->method > CDG_ADAPT_PAPER)
        return cdg_fail(error, CDG_ERROR_ARGUMENT, "rod '%s': adapt.method is %d, which is not in its list", def->name,
                        (int)o->method);
    if ((unsigned)o->contact > CDG_ADAPT_TOUCHED_ON_BOTH)
        return cdg_fail(error, CDG_ERROR_ARGUMENT, "rod '%s': adapt.contact is %d, which is not in its list", def->name,
                        (int)o->contact);
    if (def->element_count > (UINT32_MAX / 4) >> o->levels)
        return cdg_fail(error, CDG_ERROR_ARGUMENT, "rod '%s': %zu elements, halved %d times, are too many", def->name,
                        def->element_count, o->levels);
    return CDG_OK;
}

size_t cdg_adapt_capacity(const cdg_rod_def *def) {
    return def->adapt.is_on ? def->element_count << def->adapt.levels : def->element_count;
}

// A curve is sampled at the finest resolution, which follows it where elements as defined would cut its corners, and
// what is straight is made coarser before the first step. Points that were given stay.
size_t cdg_adapt_start_levels(const cdg_rod_def *def) {
    cdg_centerline_kind kind = def->centerline.kind;
    bool is_curve = kind == CDG_CENTERLINE_ARC || kind == CDG_CENTERLINE_CIRCLE || kind == CDG_CENTERLINE_HELIX ||
                    kind == CDG_CENTERLINE_SPLINE || kind == CDG_CENTERLINE_KNOT || kind == CDG_CENTERLINE_TIED;
    return def->adapt.is_on && is_curve && def->rest.kind != CDG_REST_CENTERLINE ? (size_t)def->adapt.levels : 0;
}

double rod_adapt_shortest(const cdg_rod *rod, size_t element) {
    const cdg_adapt_options *o = &rod->adapt->options;
    if (o->shortest > 0) return o->shortest;
    size_t at = element * rod->section_stride, next = rod_next_node(rod, element) * rod->section_stride;
    return shortest_in_radii * fmax(rod->radius[at], rod->radius[next]);
}

// An array of `count` entries of `size` from *next, aligned for any of them.
static void *take(char **next, size_t count, size_t size) {
    void *block = *next;
    *next += (count * size + 15) / 16 * 16;
    return block;
}

static void tell_what_is_equal(cdg_rod *rod) {
    const cdg_rod_adapt *adapt = rod->adapt;
    bool is_defined = adapt->halved_count == 0; // all as they were
    rod->has_equal_elements = is_defined && adapt->had_equal_elements;
    rod->has_equal_turns = adapt->is_straight || (is_defined && adapt->had_equal_turns);
}

cdg_result cdg_rod_adapt_allocate(cdg_rod *rod, size_t user_elements, size_t user_nodes, cdg_error *error) {
    size_t elements = rod->element_capacity, nodes = rod->node_capacity, slack = 16;
    size_t bytes = sizeof(cdg_rod_adapt) + elements * (3 * sizeof(uint8_t) + sizeof(float)) +
                   nodes * (sizeof(double) + sizeof(uint8_t) + sizeof(uint32_t) + sizeof(cdg_rod_beside)) +
                   user_nodes * sizeof(uint32_t) + 12 * slack;
    cdg_rod_adapt *adapt = calloc(1, bytes);
    if (adapt == NULL)
        return cdg_fail(error, CDG_ERROR_MEMORY, "rod '%s': no memory for up to %zu elements", rod->name, elements);
    char *next = (char *)adapt;
    (void)take(&next, 1, sizeof *adapt);
    adapt->arc = take(&next, nodes, sizeof *adapt->arc);
    adapt->beside = take(&next, nodes, sizeof *adapt->beside);
    adapt->finest = take(&next, nodes, sizeof *adapt->finest);
    adapt->user_node = take(&next, user_nodes, sizeof *adapt->user_node);
    adapt->calm = take(&next, elements, sizeof *adapt->calm);
    adapt->level = take(&next, elements, sizeof *adapt->level);
    adapt->part = take(&next, elements, sizeof *adapt->part);
    adapt->touch = take(&next, elements, sizeof *adapt->touch);
    adapt->joined = take(&next, nodes, sizeof *adapt->joined);
    adapt->user_element_count = user_elements;
    adapt->user_node_count = user_nodes;
    rod->adapt = adapt;
    return CDG_OK;
}

cdg_result cdg_rod_adapt_create(cdg_rod *rod, const cdg_rod_def *def, cdg_error *error) {
    size_t start = cdg_adapt_start_levels(def), user_nodes = def->element_count + (rod->is_closed ? 0 : 1);
    cdg_result result = cdg_rod_adapt_allocate(rod, def->element_count, user_nodes, error);
    if (result != CDG_OK) return result;
    cdg_rod_adapt *adapt = rod->adapt;
    adapt->options = def->adapt;
    adapt->material = def->material;
    adapt->is_new = start > 0;
    adapt->halved_count = start > 0 ? rod->element_count : 0;
    for (size_t j = 0; j < rod->element_count; j++) {
        adapt->level[j] = (uint8_t)start;
        adapt->part[j] = (uint8_t)(j % ((size_t)1 << start));
    }
    // What is said of a resolution must follow from it alone, or a run that is continued would not have the same bits.
    adapt->had_equal_elements = start == 0 && rod->has_equal_elements;
    adapt->had_equal_turns = start == 0 && rod->has_equal_turns;
    cdg_quat turn = rod_rest_turn(rod, rod->node_count / 2);
    adapt->is_straight = rod->has_equal_turns && turn.x == 0 && turn.y == 0 && turn.z == 0;
    for (size_t i = 0; i < user_nodes; i++) adapt->user_node[i] = (uint32_t)(i << start);
    for (size_t i = 0; i < rod->node_count; i++)
        adapt->finest[i] = (uint32_t)(i << ((size_t)def->adapt.levels - start));
    for (size_t j = 0; j + 1 < rod->node_count; j++) adapt->arc[j + 1] = adapt->arc[j] + rod->rest_length[j];
    tell_what_is_equal(rod);
    return CDG_OK;
}

double rod_shortest_length(const cdg_rod *rod, size_t element) {
    double length = rod->rest_length[element];
    if (rod->adapt == NULL) return length;
    double shortest = rod_adapt_shortest(rod, element) * (1 - 1e-9);
    for (int level = rod->adapt->level[element]; level < rod->adapt->options.levels && length / 2 >= shortest; level++)
        length /= 2;
    return length;
}

void cdg_rod_adapt_settle(cdg_rod *rod) {
    tell_what_is_equal(rod);
    if (rod->model->rest_changed != NULL) rod->model->rest_changed(rod);
}

// Of an element that was halved, the middle is a node: that where its parts from the middle on begin.
static size_t middle_node(const cdg_rod *rod, size_t element) {
    const cdg_rod_adapt *adapt = rod->adapt;
    size_t j = adapt->user_node[element];
    while (adapt->part[j] < (1 << adapt->level[j]) / 2) j++;
    return j;
}

cdg_place rod_present_place(const cdg_rod *rod, cdg_place place) {
    if (rod->adapt == NULL) return place;
    size_t first = rod->adapt->user_node[place.index];
    if (place.kind == CDG_PLACE_NODE || rod->adapt->level[first] == 0)
        return (cdg_place){.rod = place.rod, .kind = place.kind, .index = first};
    return (cdg_place){.rod = place.rod, .kind = CDG_PLACE_NODE, .index = middle_node(rod, place.index)};
}

// Where an element of the present begins, along the rod at rest; also of the end.
static double present_arc(const cdg_rod *rod, size_t element) {
    return element < rod->node_count ? rod->adapt->arc[element] : rod->length;
}

void rod_present_point(const cdg_rod *rod, size_t element, double fraction, size_t *out_element, double *out_fraction) {
    *out_element = element;
    *out_fraction = fraction;
    if (rod->adapt == NULL) return;
    size_t next = element + 1;
    double from = rod->adapt->arc[rod->adapt->user_node[element]];
    double to = next < rod->adapt->user_node_count ? rod->adapt->arc[rod->adapt->user_node[next]] : rod->length;
    double at = from + fraction * (to - from);
    size_t low = rod->adapt->user_node[element], high = rod->element_count; // the element is between them
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (present_arc(rod, middle) <= at) {
            low = middle;
        } else {
            high = middle;
        }
    }
    double begin = present_arc(rod, low), end = present_arc(rod, low + 1);
    *out_element = low;
    *out_fraction = fmin(fmax((at - begin) / (end - begin), 0), 1);
}

double rod_user_number(const cdg_rod *rod, size_t node) {
    const cdg_rod_adapt *adapt = rod->adapt;
    if (adapt == NULL) return (double)node;
    size_t low = 0, high = adapt->user_node_count; // the last of the definition's nodes that does not lie behind it
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (adapt->user_node[middle] <= node)
            low = middle;
        else
            high = middle;
    }
    if (adapt->user_node[low] == node || node >= rod->element_count) return (double)low;
    return (double)low + (double)adapt->part[node] / (double)(1 << adapt->level[node]);
}

cdg_rod rod_largest(const cdg_rod *rod) {
    cdg_rod large = *rod;
    if (rod->adapt == NULL) return large;
    large.node_count = rod->node_capacity;
    large.element_count = rod->element_capacity;
    large.has_equal_elements = false;
    large.has_equal_turns = rod->has_one_turn;
    return large;
}
