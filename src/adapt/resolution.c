// Halving an element of a rod, and making two halves one again, in all of the rod's arrays.
//
// Turns at rest: what the cells beside lose is what the new one gets, so the sum stays; the reverse gives it back.
#include "adapt/resolution.h"

#include "adapt/rod_sections.h"
#include "math/quat.h"
#include "rods/rod_model.h"

#include <string.h>

// ---- arrays ---------------------------------------------------------------------------------------------------------

static void open_gap(void *array, size_t size, size_t count, size_t at) {
    char *bytes = array;
    memmove(bytes + (at + 1) * size, bytes + at * size, (count - at) * size);
}

static void close_gap(void *array, size_t size, size_t count, size_t at) {
    char *bytes = array;
    memmove(bytes + at * size, bytes + (at + 1) * size, (count - at - 1) * size);
}

typedef void gap_change(void *array, size_t size, size_t count, size_t at);

static void change_several(gap_change *change, double *const *arrays, size_t array_count, size_t count, size_t at) {
    for (size_t k = 0; k < array_count && arrays[k] != NULL; k++) change(arrays[k], sizeof(double), count, at);
}

// All arrays over nodes and elements, but for candidates, which are made anew. `at`: the entry that comes or goes.
static void change_arrays(cdg_rod *rod, gap_change *change, size_t at) {
    size_t nodes = rod->node_count, elements = rod->element_count;
    cdg_rod_adapt *adapt = rod->adapt;
    change_several(change, rod->x, 3, nodes, at);
    change_several(change, rod->v, 3, nodes, at);
    change_several(change, rod->q, 4, elements, at);
    change_several(change, rod->w, 3, elements, at);
    change_several(change, rod->x_before, 3, nodes, at);
    change_several(change, rod->v_before, 3, nodes, at);
    change_several(change, rod->q_before, 4, elements, at);
    change_several(change, rod->w_before, 3, elements, at);
    change_several(change, &rod->twist, 1, nodes, at);
    change_several(change, &rod->tension, 1, elements, at);
    change_several(change, &rod->rest_length, 1, elements, at);
    change_several(change, &rod->node_mass, 1, nodes, at);
    if (!rod->has_one_turn) change_several(change, rod->rest_turn, 4, nodes, at);
    if (rod->section_stride != 0) {
        change_several(change, &rod->line_mass, 1, elements, at);
        change_several(change, rod->stretch_stiffness, 3, elements, at);
        change_several(change, rod->frame_inertia, 3, elements, at);
        change_several(change, rod->bend_stiffness, 3, nodes, at);
        change_several(change, &rod->radius, 1, nodes, at);
    }
    change_several(change, rod->rest_curl, 3, nodes, at);
    if (rod->hold_at != NULL) change(rod->hold_at, sizeof *rod->hold_at, nodes, at);
    change(adapt->level, sizeof *adapt->level, elements, at);
    change(adapt->part, sizeof *adapt->part, elements, at);
    change(adapt->touch, sizeof *adapt->touch, elements, at);
    change(adapt->calm, sizeof *adapt->calm, elements, at);
    change(adapt->arc, sizeof *adapt->arc, nodes, at);
    change(adapt->finest, sizeof *adapt->finest, nodes, at);
    change(adapt->joined, sizeof *adapt->joined, nodes, at);
}

static void shift_holds(cdg_hold *holds, size_t count, size_t at, int by) {
    for (size_t h = 0; h < count; h++)
        if (holds[h].node >= at) holds[h].node = (size_t)((int64_t)holds[h].node + by);
}

static void shift_numbers(cdg_rod *rod, size_t at, int by) {
    cdg_rod_adapt *adapt = rod->adapt;
    size_t low = 0, high = adapt->user_node_count; // the first that is at `at` or later
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (adapt->user_node[middle] < at)
            low = middle + 1;
        else
            high = middle;
    }
    for (size_t i = low; i < adapt->user_node_count; i++)
        adapt->user_node[i] = (uint32_t)((int64_t)adapt->user_node[i] + by);
    shift_holds(rod->holds, rod->hold_count, at, by);
    shift_holds(rod->holds_before, rod->hold_before_count, at, by);
}

// ---- turns at rest --------------------------------------------------------------------------------------------------

// What of a node's rest turn lies within `length` of its cell.
static cdg_vec3 part_of_turn(const cdg_rod *rod, size_t node, double length) {
    return vec3_scale(length / rod_cell_length(rod, node), cdg_rod_rest_turn_vector(rod, node));
}

// Before lengths change: the element's quarters beside its ends go from their cells to that of the middle.
typedef struct turn_parts {
    cdg_vec3 first, middle, last;
} turn_parts;

static turn_parts halve_turns(const cdg_rod *rod, size_t element) {
    size_t next = rod_next_node(rod, element);
    double quarter = rod->rest_length[element] / 4;
    cdg_vec3 a = part_of_turn(rod, element, quarter), b = part_of_turn(rod, next, quarter);
    return (turn_parts){vec3_sub(cdg_rod_rest_turn_vector(rod, element), a), vec3_add(a, b),
                        vec3_sub(cdg_rod_rest_turn_vector(rod, next), b)};
}

// The cells at the ends grow by a quarter of the whole each, at their own curvature; what the middle's turn has beyond
// these two parts is shared.
static turn_parts join_turns(const cdg_rod *rod, size_t element) {
    size_t last = rod_next_node(rod, element + 1);
    double quarter = rod->rest_length[element] / 2;
    cdg_vec3 a = part_of_turn(rod, element, quarter), b = part_of_turn(rod, last, quarter);
    cdg_vec3 more = vec3_sub(cdg_rod_rest_turn_vector(rod, element + 1), vec3_add(a, b));
    a = vec3_mad(a, 0.5, more), b = vec3_mad(b, 0.5, more);
    return (turn_parts){vec3_add(cdg_rod_rest_turn_vector(rod, element), a), vec3(0, 0, 0),
                        vec3_add(cdg_rod_rest_turn_vector(rod, last), b)};
}

// ---- twist, of models that count it ---------------------------------------------------------------------------------

// What of a node's twist lies within `length` of its cell, on the element's side; counts of whole turns follow from the
// sum. Beside a section that is held the two sides are not twisted alike.
static double part_of_twist(const cdg_rod *rod, size_t node, size_t element, double length) {
    if (rod->twist == NULL) return 0;
    const cdg_hold *hold = rod->hold_count > 0 ? rod_hold_at(rod, node) : NULL;
    if (hold != NULL && hold->frame_hold != CDG_HOLD_NO_FRAME)
        return length / (rod->rest_length[element] / 2) * cdg_rod_half_twist(rod, node, element);
    return length / rod_cell_length(rod, node) * rod->twist[node];
}

// ---- the past, of integrators that look back ------------------------------------------------------------------------

static cdg_vec3 mean(double *const a[3], size_t i, size_t k) { return vec3_lerp(rod_vec3(a, i), rod_vec3(a, k), 0.5); }

static void put_between(double *const a[3], size_t to, size_t i, size_t k) {
    if (a[0] != NULL) rod_set_vec3(a, to, mean(a, i, k));
}

static void copy_quat(double *const a[4], size_t to, size_t from) {
    if (a[0] != NULL) rod_set_quat(a, to, rod_quat(a, from));
}
static void copy_vec3(double *const a[3], size_t to, size_t from) {
    if (a[0] != NULL) rod_set_vec3(a, to, rod_vec3(a, from));
}

static void put_halfway(double *const a[4], size_t to, size_t other) {
    if (a[0] == NULL) return;
    cdg_quat p = rod_quat(a, to), q = rod_quat(a, other);
    if (quat_dot(p, q) < 0) q = quat_negate(q);
    rod_set_quat(a, to, quat_normalize(quat(p.w + q.w, p.x + q.x, p.y + q.y, p.z + q.z)));
}

// ---- operations -----------------------------------------------------------------------------------------------------

// Masses of nodes first to last, which are own ones, and lengths.
static void set_masses(cdg_rod *rod, const size_t *nodes, size_t count) {
    for (size_t k = 0; k < count; k++) rod->node_mass[nodes[k]] = rod_own_mass(rod, nodes[k]);
}

static void change_counts(cdg_rod *rod, int by) {
    rod->element_count = (size_t)((int64_t)rod->element_count + by);
    rod->node_count = (size_t)((int64_t)rod->node_count + by);
}

void cdg_resolution_halve(cdg_rod *rod, size_t element) {
    cdg_rod_adapt *adapt = rod->adapt;
    size_t fresh = element + 1;
    turn_parts turns = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
    if (!rod->has_one_turn) turns = halve_turns(rod, element);
    double length = rod->rest_length[element] / 2, first_arc = adapt->arc[element];
    double a = part_of_twist(rod, element, element, length / 2);
    double b = part_of_twist(rod, rod_next_node(rod, element), element, length / 2);
    change_arrays(rod, open_gap, fresh);
    shift_numbers(rod, fresh, 1);
    change_counts(rod, 1);
    size_t last = rod_next_node(rod, fresh), nodes[3] = {element, fresh, last};
    rod->rest_length[element] = rod->rest_length[fresh] = length;
    adapt->arc[fresh] = first_arc + length;
    adapt->joined[fresh] = 0;
    if (adapt->level[element] == 0) adapt->halved_count++;
    adapt->halved_count++;
    adapt->level[fresh] = ++adapt->level[element];
    adapt->finest[fresh] = adapt->finest[element] + (1u << (adapt->options.levels - adapt->level[fresh]));
    adapt->part[element] = (uint8_t)(2 * adapt->part[element]);
    adapt->part[fresh] = (uint8_t)(adapt->part[element] + 1);
    adapt->calm[element] = adapt->calm[fresh] = 0;
    adapt->touch[fresh] = adapt->touch[element];
    if (rod->tension != NULL) rod->tension[fresh] = rod->tension[element];
    cdg_sections_halve(rod, element);
    set_masses(rod, nodes, 3);
    put_between(rod->x, fresh, element, last);
    put_between(rod->v, fresh, element, last);
    put_between(rod->x_before, fresh, element, last);
    put_between(rod->v_before, fresh, element, last);
    copy_quat(rod->q, fresh, element);
    copy_quat(rod->q_before, fresh, element);
    copy_vec3(rod->w, fresh, element);
    copy_vec3(rod->w_before, fresh, element);
    cdg_rod_set_rest_turn_vector(rod, element, turns.first);
    cdg_rod_set_rest_turn_vector(rod, fresh, turns.middle);
    cdg_rod_set_rest_turn_vector(rod, last, turns.last);
    if (rod->twist == NULL) return;
    if (rod->has_one_turn) rod_set_vec3(rod->rest_curl, fresh, vec3(0, 0, 0));
    rod->twist[element] -= a, rod->twist[last] -= b, rod->twist[fresh] = a + b;
}

bool cdg_resolution_are_halves(const cdg_rod *rod, size_t element) {
    const cdg_rod_adapt *adapt = rod->adapt;
    if (element + 1 >= rod->element_count) return false;
    return adapt->level[element] > 0 && adapt->level[element] == adapt->level[element + 1] &&
           adapt->part[element] % 2 == 0 && adapt->part[element + 1] == adapt->part[element] + 1;
}

void cdg_resolution_join(cdg_rod *rod, size_t element) {
    cdg_rod_adapt *adapt = rod->adapt;
    size_t gone = element + 1, last = rod_next_node(rod, gone);
    turn_parts turns = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
    if (!rod->has_one_turn) turns = join_turns(rod, element);
    double length = 2 * rod->rest_length[element], more = 0;
    if (rod->twist != NULL) {
        double a = part_of_twist(rod, element, element, length / 4), b = part_of_twist(rod, last, gone, length / 4);
        more = (rod->twist[gone] - a - b) / 2;
        rod->twist[element] += a + more, rod->twist[last] += b + more;
    }
    put_halfway(rod->q, element, gone);
    put_halfway(rod->q_before, element, gone);
    put_between(rod->w, element, element, gone);
    put_between(rod->w_before, element, element, gone);
    if (rod->tension != NULL) rod->tension[element] = (rod->tension[element] + rod->tension[gone]) / 2;
    cdg_sections_join(rod, element);
    change_arrays(rod, close_gap, gone);
    shift_numbers(rod, gone + 1, -1);
    change_counts(rod, -1);
    last = rod_next_node(rod, element);
    rod->rest_length[element] = length;
    adapt->part[element] = (uint8_t)(adapt->part[element] / 2);
    adapt->level[element]--;
    adapt->halved_count--;
    if (adapt->level[element] == 0) adapt->halved_count--;
    adapt->calm[element] = 0;
    set_masses(rod, (size_t[2]){element, last}, 2);
    cdg_rod_set_rest_turn_vector(rod, element, turns.first);
    cdg_rod_set_rest_turn_vector(rod, last, turns.last);
}
