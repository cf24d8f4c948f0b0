// Rods as they are shown: by their own nodes, or carried to a division that stays.
#include "view/shown.h"

#include "base/error.h"
#include "fields/resampled.h"

#include <math.h>
#include <stdlib.h>

// Parts of the scene's elements that are shown: all that there can be, but a rod of thousands of elements needs no more
// for a smooth look than it has.
enum { ELEMENTS_WANTED = 1 << 14 };

static size_t part_count(const cdg_rod *rod) {
    if (rod->adapt == NULL) return 1;
    size_t parts = (size_t)1 << rod->adapt->options.levels;
    while (parts > 1 && parts * rod->adapt->user_element_count > ELEMENTS_WANTED) parts /= 2;
    return parts;
}

cdg_shown_counts cdg_shown_count(const cdg_rod *rod) {
    size_t elements = part_count(rod) * rod_user_element_count(rod);
    return (cdg_shown_counts){elements + (rod->is_closed ? 0 : 1), elements};
}

size_t cdg_shown_node(const cdg_rod *rod, size_t node) { return part_count(rod) * node; }

// Arc length at rest where a shown element begins; also of the end.
static double shown_arc(const cdg_rod *rod, size_t element) {
    const cdg_rod_adapt *adapt = rod->adapt;
    size_t parts = part_count(rod), whole = element / parts, last = adapt->user_element_count;
    double fraction = (double)(element % parts) / (double)parts, end = rod->length;
    double from = whole < adapt->user_node_count ? adapt->arc[adapt->user_node[whole]] : end;
    double to = whole + 1 < adapt->user_node_count ? adapt->arc[adapt->user_node[whole + 1]] : end;
    return whole >= last ? (rod->is_closed ? end : from) : from + fraction * (to - from);
}

// Where an element of the present begins; also of the end.
static double present_arc(const cdg_rod *rod, size_t element) {
    return element < rod->node_count ? rod->adapt->arc[element] : rod->length;
}

void cdg_shown_find(const cdg_rod *rod, size_t shown_element, double shown_fraction, size_t *element,
                    double *fraction) {
    size_t parts = part_count(rod);
    *element = shown_element / parts;
    *fraction = parts > 1 ? ((double)(shown_element % parts) + shown_fraction) / (double)parts : shown_fraction;
}

void cdg_shown_sections(const cdg_rod *rod, cdg_section *out) {
    size_t count = cdg_shown_count(rod).nodes;
    double arc = 0;
    for (size_t i = 0; i < count; i++) {
        if (rod->adapt != NULL) arc = shown_arc(rod, i);
        double fraction = rod->section_stride != 0 ? fmin(arc / rod->length, 1) : 0;
        out[i] = cdg_section_interpolate(&rod->section[0], &rod->section[1], fraction);
        if (rod->adapt == NULL && i < rod->element_count) arc += rod->rest_length[i];
    }
}

cdg_result cdg_shown_measure(const cdg_rod *rod, cdg_field field, double *out, cdg_error *error) {
    if (rod->adapt == NULL) return cdg_field_measure_all(field, rod, out), CDG_OK;
    size_t elements = rod->element_count, shown = cdg_shown_count(rod).elements;
    size_t room = CDG_FIELD_COMPONENTS_MAX * (elements + 1);
    double *arc = malloc((elements + shown + 2 + 2 * room + 5 * (elements + 1)) * sizeof *arc);
    if (arc == NULL) return cdg_fail(error, CDG_ERROR_MEMORY, "no memory to show a scene");
    double *to_arc = arc + elements + 1, *numbers = to_arc + shown + 1, *other = numbers + room;
    for (size_t j = 0; j <= elements; j++) arc[j] = present_arc(rod, j);
    for (size_t j = 0; j <= shown; j++) to_arc[j] = shown_arc(rod, j);
    cdg_field_measure_all(field, rod, numbers);
    bool is_positions = field == CDG_FIELD_positions;
    if (is_positions || field == CDG_FIELD_frames)
        cdg_field_measure_all(is_positions ? CDG_FIELD_frames : CDG_FIELD_positions, rod, other);
    double *shift = other + room, *roll = shift + 3 * (elements + 1), *node_roll = roll + elements + 1;
    cdg_field_measure_all(CDG_FIELD_drawn_shift, rod, shift);
    cdg_field_measure_all(CDG_FIELD_drawn_roll, rod, roll);
    cdg_field_measure_all(CDG_FIELD_drawn_node_roll, rod, node_roll);
    const cdg_division from = {.is_closed = rod->is_closed,
                               .element_count = elements,
                               .arc = arc,
                               .beside = {(const cdg_vec3 *)(const void *)shift, roll, node_roll}};
    const cdg_division to = {.is_closed = rod->is_closed, .element_count = shown, .arc = to_arc};
    cdg_result result = cdg_field_resample(field, &from, numbers, other, &to, out, error);
    free(arc);
    return result;
}
