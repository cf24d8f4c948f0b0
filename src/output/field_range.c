#include "output/field_range.h"

#include "base/error.h"

#include <math.h>
#include <stdlib.h>

typedef struct rod_entry {
    double place, weight; // m: along the rod at rest, and how much of it the entry stands for
} rod_entry;

static bool is_per_node(const cdg_view *view) { return cdg_field_get(view->field).per == CDG_FIELD_PER_NODE; }

// Elements are in their middles; nodes stand for half of each element beside them.
static void place_entries(const cdg_run_rod *rod, const cdg_view *view, rod_entry *out) {
    double arc = 0;
    for (size_t i = 0; i < rod->element_count; i++) {
        double length = rod->rest_length[i];
        if (is_per_node(view)) {
            size_t next = (i + 1) % rod->node_count;
            out[i].place = arc;
            if (next > i) out[next].place = arc + length;
            out[i].weight += length / 2, out[next].weight += length / 2;
        } else {
            out[i] = (rod_entry){arc + length / 2, length};
        }
        arc += length;
    }
}

static void widen(cdg_field_range *range, double value, double time, double place, size_t entry) {
    cdg_field_extreme here = {value, time, place, entry};
    if (!(value >= range->least.value)) range->least = here;
    if (!(value <= range->most.value)) range->most = here;
}

// What is not measured, at free ends, does not count. Returns the mean over the rod.
static double look_at(const cdg_view *view, const double *numbers, const rod_entry *entries, size_t count, double time,
                      cdg_field_range *range) {
    double sum = 0, weight = 0;
    for (size_t i = 0; i < count; i++) {
        double value = cdg_view_value(view, numbers, i);
        if (!isfinite(value)) continue;
        widen(range, value, time, entries[i].place, i);
        sum += entries[i].weight * value, weight += entries[i].weight;
    }
    return sum / weight;
}

cdg_result cdg_field_range_find(const cdg_run_reader *reader, size_t rod, const cdg_view *view, cdg_field_range *out,
                                cdg_error *error) {
    const cdg_run_rod *of = &reader->rods[rod];
    size_t count = is_per_node(view) ? of->node_count : of->element_count;
    *out = (cdg_field_range){{NAN, NAN, NAN, 0}, {NAN, NAN, NAN, 0}, 0};
    double *numbers = calloc(count * cdg_field_get(view->field).component_count + 1, sizeof *numbers);
    rod_entry *entries = calloc(count + 1, sizeof *entries);
    cdg_result result = CDG_OK;
    if (!numbers || !entries) result = cdg_fail(error, CDG_ERROR_MEMORY, "out of memory for rod '%s'", of->name);
    if (result == CDG_OK) place_entries(of, view, entries);
    for (size_t frame = 0; frame < reader->frame_count && result == CDG_OK; frame++) {
        result = cdg_run_reader_read(reader, frame, rod, view->field, numbers, error);
        if (result == CDG_OK)
            out->mean +=
                look_at(view, numbers, entries, count, reader->times[frame], out) / (double)reader->frame_count;
    }
    free(numbers);
    free(entries);
    return result;
}
