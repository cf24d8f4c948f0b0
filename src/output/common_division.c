// The nodes that a rod had at any output, gathered by merging sorted lists of their places.
#include "output/common_division.h"

#include "base/error.h"
#include "output/disk.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Of the rod's length: places this near are one. They are sums and halves of lengths, with roundings far below.
static const double near = 1e-9;

void cdg_common_division_free(cdg_common_division *division) {
    free(division->arc);
    free(division->radius);
    free(division->section_size);
    *division = (cdg_common_division){0};
}

static cdg_result fail_memory(const char *path, cdg_error *error) {
    return cdg_fail(error, CDG_ERROR_MEMORY, "%s: out of memory for reading the run", path);
}

static cdg_result read_rows(int descriptor, const char *path, uint64_t offset, size_t first, size_t count,
                            size_t components, double *out, cdg_error *error) {
    size_t row = components * sizeof *out;
    return cdg_disk_read_at(descriptor, path, out, count * row, offset + first * row, error);
}

cdg_result cdg_run_ragged_arc(const cdg_run_rod_entry *rod, const cdg_run_rows *rows, int descriptor, const char *path,
                              double *out, cdg_error *error) {
    cdg_result result = read_rows(descriptor, path, rod->arc_length, rows->first_node, rows->node_count, 1, out, error);
    if (result != CDG_OK) return result;
    size_t last = rows->element_count;
    if (rod->info.is_closed) out[last] = rod->info.length;
    bool is_right =
        fabs(out[0]) <= near * rod->info.length && isfinite(out[last]) && out[last] <= rod->info.length * (1 + near);
    for (size_t i = 0; i < last && is_right; i++) is_right = out[i + 1] - out[i] > near * rod->info.length;
    if (is_right) return CDG_OK;
    return cdg_fail(error, CDG_ERROR_FORMAT, "%s: the run is damaged: places of the nodes of rod '%s'", path,
                    rod->info.name);
}

// A list of nodes, sorted by place.
typedef struct node_list {
    size_t count;
    double *arc, *radius, *section_size;
} node_list;

static bool make_list(node_list *list, size_t room) {
    *list = (node_list){.arc = malloc((room + 1) * sizeof(double)),
                        .radius = malloc((room + 1) * sizeof(double)),
                        .section_size = malloc(2 * (room + 1) * sizeof(double))};
    return list->arc != NULL && list->radius != NULL && list->section_size != NULL;
}

static void free_list(node_list *list) {
    free(list->arc);
    free(list->radius);
    free(list->section_size);
    *list = (node_list){0};
}

static void take(const node_list *from, size_t i, node_list *to) {
    to->arc[to->count] = from->arc[i];
    to->radius[to->count] = from->radius[i];
    memcpy(to->section_size + 2 * to->count, from->section_size + 2 * i, 2 * sizeof(double));
    to->count++;
}

static void merge(const node_list *a, const node_list *b, double close, node_list *out) {
    size_t i = 0, k = 0;
    out->count = 0;
    while (i < a->count || k < b->count) {
        bool takes_a = k == b->count || (i < a->count && a->arc[i] <= b->arc[k] + close);
        if (!takes_a) {
            take(b, k++, out);
            continue;
        }
        if (k < b->count && fabs(a->arc[i] - b->arc[k]) <= close) k++; // the same node
        take(a, i++, out);
    }
}

// Whether all nodes of `b` are in `a`.
static bool has_all(const node_list *a, const node_list *b, double close) {
    size_t i = 0;
    for (size_t k = 0; k < b->count; k++) {
        while (i < a->count && a->arc[i] < b->arc[k] - close) i++;
        if (i == a->count || a->arc[i] > b->arc[k] + close) return false;
    }
    return true;
}

static cdg_result add_output(const cdg_run_rod_entry *rod, size_t frame, int descriptor, const char *path,
                             node_list *all, node_list *here, double *end, cdg_error *error) {
    cdg_run_rows rows;
    double close = near * rod->info.length;
    cdg_result result = cdg_run_ragged_rows(rod, frame, descriptor, path, &rows, error);
    free_list(here);
    if (result != CDG_OK) return result;
    if (!make_list(here, rows.node_count)) return fail_memory(path, error);
    here->count = rows.node_count;
    result = cdg_run_ragged_arc(rod, &rows, descriptor, path, here->arc, error);
    if (result != CDG_OK) return result;
    *end = here->arc[rows.element_count];
    if (has_all(all, here, close)) return CDG_OK;
    result = read_rows(descriptor, path, rod->radius, rows.first_node, here->count, 1, here->radius, error);
    if (result == CDG_OK)
        result =
            read_rows(descriptor, path, rod->section_size, rows.first_node, here->count, 2, here->section_size, error);
    node_list merged = {0};
    if (result == CDG_OK && !make_list(&merged, all->count + here->count)) result = fail_memory(path, error);
    if (result == CDG_OK) {
        merge(all, here, close, &merged);
        node_list old = *all;
        *all = merged;
        merged = old;
    }
    free_list(&merged);
    return result;
}

cdg_result cdg_common_division_find(const cdg_run_rod_entry *rod, size_t frame_count, int descriptor, const char *path,
                                    cdg_common_division *out, cdg_error *error) {
    node_list all = {0}, here = {0};
    double end = 0;
    *out = (cdg_common_division){0};
    cdg_result result = CDG_OK;
    for (size_t frame = 0; frame < frame_count && result == CDG_OK; frame++)
        result = add_output(rod, frame, descriptor, path, &all, &here, &end, error);
    free_list(&here);
    if (result != CDG_OK) {
        free_list(&all);
        return result;
    }
    *out = (cdg_common_division){.node_count = all.count,
                                 .element_count = all.count - (rod->info.is_closed ? 0 : 1),
                                 .arc = all.arc,
                                 .radius = all.radius,
                                 .section_size = all.section_size};
    out->arc[out->element_count] = end;
    return CDG_OK;
}
