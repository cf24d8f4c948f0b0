// The distance between two runs of a rod. It is measured between places of equal material coordinate, not between the
// curves as sets of points: sliding along itself is a difference, too.
#include "plot/run_distance.h"

#include "base/error.h"
#include "math/vec3.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

size_t cdg_run_find_rod(const cdg_run_reader *run, const char *name) {
    for (size_t i = 0; i < run->rod_count; i++)
        if (strcmp(run->rods[i].name, name) == 0) return i;
    return SIZE_MAX;
}

// A node of one rod as a place on the other: between two of its nodes.
typedef struct rod_place {
    size_t left, right;
    double share; // of the right one
} rod_place;

typedef struct distance_work {
    const cdg_run_reader *run, *other;
    size_t rod, other_rod;
    rod_place *places;                // for each node of the rod
    double *here;                     // positions of the rod
    double *before, *after;           // positions of the other at two of its outputs
    size_t frame_before, frame_after; // which are loaded; SIZE_MAX: none
} distance_work;

static double length_of(const cdg_run_rod *rod) {
    double length = 0;
    for (size_t i = 0; i < rod->element_count; i++) length += rod->rest_length[i];
    return length;
}

static void find_places(const cdg_run_rod *rod, const cdg_run_rod *other, rod_place *out) {
    if (rod->node_count == other->node_count) {
        bool is_same = true;
        for (size_t i = 0; i < rod->element_count && is_same; i++)
            is_same = fabs(rod->rest_length[i] - other->rest_length[i]) <= 1e-9 * other->rest_length[i];
        for (size_t i = 0; i < rod->node_count; i++) out[i] = (rod_place){i, i, 0};
        if (is_same) return;
    }
    double scale = length_of(other) / length_of(rod), at = 0, start = 0;
    size_t element = 0;
    for (size_t i = 0; i < rod->node_count; i++) {
        while (element + 1 < other->element_count && at * scale > start + other->rest_length[element])
            start += other->rest_length[element++];
        double share = (at * scale - start) / other->rest_length[element];
        size_t right = element + 1 < other->node_count ? element + 1 : 0;
        out[i] = (rod_place){element, right, fmin(fmax(share, 0), 1)};
        if (i < rod->element_count) at += rod->rest_length[i];
    }
}

static cdg_result load_frame(distance_work *work, size_t frame, double *positions, size_t *loaded, cdg_error *error) {
    if (*loaded == frame) return CDG_OK;
    *loaded = SIZE_MAX;
    cdg_result result = cdg_run_reader_read(work->other, frame, work->other_rod, CDG_FIELD_positions, positions, error);
    if (result == CDG_OK) *loaded = frame;
    return result;
}

static cdg_vec3 at_place(const double *positions, rod_place place) {
    const double *a = positions + 3 * place.left, *b = positions + 3 * place.right;
    return vec3_lerp(vec3(a[0], a[1], a[2]), vec3(b[0], b[1], b[2]), place.share);
}

// The outputs of the other run around a time, and the share of the later one. False when it has none there.
static bool find_outputs(const cdg_run_reader *other, double time, size_t *before, size_t *after, double *share) {
    double last = other->times[other->frame_count - 1];
    double spacing = other->frame_count > 1 ? other->times[1] - other->times[0] : 1;
    double close = 1e-6 * spacing; // outputs of equal time, up to rounding
    if (!(time >= other->times[0] - close) || !(time <= last + close)) return false;
    size_t nearest = cdg_run_reader_nearest_frame(other, time);
    *before = *after = nearest;
    *share = 0;
    if (fabs(other->times[nearest] - time) <= close) return true;
    if (other->times[nearest] > time) {
        *before = nearest - 1;
    } else {
        *after = nearest + 1;
    }
    *share = (time - other->times[*before]) / (other->times[*after] - other->times[*before]);
    return true;
}

static cdg_result measure(distance_work *work, size_t frame, double *out, cdg_error *error) {
    size_t before, after;
    double share;
    *out = NAN;
    if (!find_outputs(work->other, work->run->times[frame], &before, &after, &share)) return CDG_OK;
    cdg_result result = cdg_run_reader_read(work->run, frame, work->rod, CDG_FIELD_positions, work->here, error);
    if (result == CDG_OK) result = load_frame(work, before, work->before, &work->frame_before, error);
    if (result == CDG_OK) result = load_frame(work, after, work->after, &work->frame_after, error);
    if (result != CDG_OK) return result;
    *out = 0;
    for (size_t i = 0; i < work->run->rods[work->rod].node_count; i++) {
        rod_place place = work->places[i];
        cdg_vec3 there = vec3_lerp(at_place(work->before, place), at_place(work->after, place), share);
        const double *x = work->here + 3 * i;
        *out = fmax(*out, vec3_distance(vec3(x[0], x[1], x[2]), there));
    }
    return CDG_OK;
}

// The same where the resolution of either changes: nodes that the output has, against the other's curve at equal shares
// of the rest length.
static cdg_result measure_ragged(distance_work *work, size_t frame, double *out, cdg_error *error) {
    size_t before, after, rod = work->rod, other = work->other_rod;
    double share, *positions = work->here + 3 * work->run->rods[rod].node_count; // room for both
    *out = NAN;
    if (!find_outputs(work->other, work->run->times[frame], &before, &after, &share)) return CDG_OK;
    cdg_run_division own;
    cdg_result result = cdg_run_reader_division(work->run, frame, rod, &own, error);
    if (result != CDG_OK) return result;
    double scale = length_of(&work->other->rods[other]) / own.arc[own.element_count];
    for (size_t i = 0; i < own.node_count; i++) positions[i] = own.arc[i] * scale;
    result = cdg_run_reader_read_own(work->run, frame, rod, CDG_FIELD_positions, work->here, error);
    if (result == CDG_OK)
        result = cdg_run_reader_sample(work->other, before, other, CDG_FIELD_positions, positions, own.node_count,
                                       work->before, error);
    if (result == CDG_OK)
        result = cdg_run_reader_sample(work->other, after, other, CDG_FIELD_positions, positions, own.node_count,
                                       work->after, error);
    for (size_t i = 0; i < own.node_count && result == CDG_OK; i++) {
        rod_place node = {i, i, 0};
        cdg_vec3 there = vec3_lerp(at_place(work->before, node), at_place(work->after, node), share);
        double distance = vec3_distance(at_place(work->here, node), there);
        *out = i == 0 ? distance : fmax(*out, distance);
    }
    cdg_run_division_free(&own);
    return result;
}

cdg_result cdg_run_distance(const cdg_run_reader *run, size_t rod, const cdg_run_reader *other, size_t other_rod,
                            double *out, cdg_error *error) {
    const cdg_run_rod *mine = &run->rods[rod], *theirs = &other->rods[other_rod];
    for (size_t i = 0; i < run->frame_count; i++) out[i] = NAN;
    if (mine->is_closed != theirs->is_closed) return CDG_OK;
    bool is_ragged = mine->adapts || theirs->adapts;
    size_t most = mine->node_count > theirs->node_count ? mine->node_count : theirs->node_count;
    distance_work work = {.run = run,
                          .other = other,
                          .rod = rod,
                          .other_rod = other_rod,
                          .places = malloc(mine->node_count * sizeof *work.places),
                          .here = malloc(4 * mine->node_count * sizeof *work.here),
                          .before = malloc(3 * most * sizeof *work.before),
                          .after = malloc(3 * most * sizeof *work.after),
                          .frame_before = SIZE_MAX,
                          .frame_after = SIZE_MAX};
    bool has_memory = work.places != NULL && work.here != NULL && work.before != NULL && work.after != NULL;
    cdg_result result = has_memory ? CDG_OK : CDG_ERROR_MEMORY;
    if (has_memory) {
        find_places(mine, theirs, work.places);
    } else {
        cdg_fail(error, CDG_ERROR_MEMORY, "out of memory for comparing rod '%s'", mine->name);
    }
    for (size_t i = 0; i < run->frame_count && result == CDG_OK; i++)
        result = is_ragged ? measure_ragged(&work, i, &out[i], error) : measure(&work, i, &out[i], error);
    free(work.places);
    free(work.here);
    free(work.before);
    free(work.after);
    return result;
}
