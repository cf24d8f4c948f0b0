// Smooth random rods for the tests of skins, sampled as finely as wanted, and what can be said of a closed mesh.
// The including file includes cmocka first.
#ifndef CDG_TESTS_SKIN_CASE_H
#define CDG_TESTS_SKIN_CASE_H

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "geometry/skin.h"
#include "math/random.h"

#define SKIN_PI 3.14159265358979323846

enum { SMOOTH_SAMPLES = 4096, SKIN_ELEMENTS_MAX = 512 };

// A smooth curve with a frame at each of its points, known at many equally spaced parameters.
typedef struct smooth_rod {
    bool is_closed;
    cdg_vec3 position[SMOOTH_SAMPLES + 1];
    cdg_quat frame[SMOOTH_SAMPLES + 1];
    double arc[SMOOTH_SAMPLES + 1]; // m
} smooth_rod;

// A few waves of random amplitude `size` about a line of length 1 or a circle of length 1, twisted by `turns`. The
// frames of a closed rod close up when `turns` is whole.
static inline void smooth_rod_make(smooth_rod *rod, cdg_random *random, bool is_closed, double size, double turns) {
    cdg_vec3 wave[3][2];
    for (int k = 0; k < 3; k++) {
        wave[k][0] = random_vec3(random, size / (k + 1));
        wave[k][1] = random_vec3(random, size / (k + 1));
    }
    rod->is_closed = is_closed;
    for (size_t i = 0; i <= SMOOTH_SAMPLES; i++) {
        double t = (double)i / SMOOTH_SAMPLES, turn = 2 * SKIN_PI * t;
        cdg_vec3 p = is_closed ? vec3(cos(turn) / (2 * SKIN_PI), sin(turn) / (2 * SKIN_PI), 0) : vec3(t, 0, 0);
        for (int k = 0; k < 3; k++) {
            double angle = (k + 1) * turn;
            p = vec3_mad(vec3_mad(p, cos(angle), wave[k][0]), sin(angle), wave[k][1]);
        }
        rod->position[i] = p;
        rod->arc[i] = i == 0 ? 0 : rod->arc[i - 1] + vec3_distance(rod->position[i - 1], p);
    }
    if (is_closed) rod->position[SMOOTH_SAMPLES] = rod->position[0];
    for (size_t i = 0; i <= SMOOTH_SAMPLES; i++) {
        size_t before = i > 0 ? i - 1 : is_closed ? SMOOTH_SAMPLES - 1 : 0;
        size_t after = i < SMOOTH_SAMPLES ? i + 1 : is_closed ? 1 : SMOOTH_SAMPLES;
        cdg_vec3 tangent = vec3_normalize(vec3_sub(rod->position[after], rod->position[before]));
        cdg_quat last = i > 0 ? rod->frame[i - 1] : quat_identity();
        rod->frame[i] = quat_normalize(quat_multiply(quat_between(quat_d3(last), tangent), last));
    }
    double closure = 0;
    if (is_closed) {
        cdg_quat turn = quat_relative(rod->frame[SMOOTH_SAMPLES], rod->frame[0]);
        closure = 2 * atan2(turn.w < 0 ? -turn.z : turn.z, fabs(turn.w));
    }
    for (size_t i = 0; i <= SMOOTH_SAMPLES; i++) {
        double angle = (closure + 2 * SKIN_PI * turns) * rod->arc[i] / rod->arc[SMOOTH_SAMPLES];
        rod->frame[i] = quat_multiply(rod->frame[i], quat_exp(vec3(0, 0, angle)));
    }
}

static inline void smooth_rod_at(const smooth_rod *rod, double fraction, cdg_vec3 *position, cdg_quat *frame) {
    double at = fraction * rod->arc[SMOOTH_SAMPLES];
    size_t low = 0, high = SMOOTH_SAMPLES;
    while (high - low > 1) {
        size_t middle = (low + high) / 2;
        if (rod->arc[middle] <= at) {
            low = middle;
        } else {
            high = middle;
        }
    }
    double t = (at - rod->arc[low]) / (rod->arc[high] - rod->arc[low]);
    if (position != NULL) *position = vec3_lerp(rod->position[low], rod->position[high], t);
    if (frame != NULL) {
        *frame = quat_multiply(rod->frame[low], quat_power(quat_relative(rod->frame[low], rod->frame[high]), t));
    }
}

// The rod cut into elements. Its rest lengths are those along the curve.
typedef struct cut_rod {
    bool is_closed;
    size_t element_count, node_count;
    double rest_length[SKIN_ELEMENTS_MAX];
    cdg_vec3 positions[SKIN_ELEMENTS_MAX + 1];
    cdg_quat frames[SKIN_ELEMENTS_MAX];
    cdg_section sections[SKIN_ELEMENTS_MAX + 1];
} cut_rod;

// `unevenness` in [0, 1) varies the elements' lengths; element k of 2 N elements is half of element k / 2 of N when it
// is 0.
static inline void cut_rod_make(cut_rod *cut, const smooth_rod *rod, size_t element_count, double unevenness,
                                cdg_random *random, const cdg_section *start, const cdg_section *end) {
    cut->is_closed = rod->is_closed;
    cut->element_count = element_count;
    cut->node_count = element_count + (rod->is_closed ? 0 : 1);
    double sum = 0, at = 0;
    for (size_t j = 0; j < element_count; j++) {
        cut->rest_length[j] = 1 + (unevenness > 0 ? random_in(random, -unevenness, unevenness) : 0);
        sum += cut->rest_length[j];
    }
    for (size_t j = 0; j < element_count; j++) {
        double share = cut->rest_length[j] / sum;
        smooth_rod_at(rod, at, &cut->positions[j], NULL);
        smooth_rod_at(rod, at + share / 2, NULL, &cut->frames[j]);
        cut->sections[j] = cdg_section_interpolate(start, end, at);
        cut->rest_length[j] = share * rod->arc[SMOOTH_SAMPLES];
        at += share;
    }
    if (!rod->is_closed) {
        smooth_rod_at(rod, 1, &cut->positions[element_count], NULL);
        cut->sections[element_count] = *end;
    }
}

static inline cdg_skin_def cut_rod_def(const cut_rod *cut, size_t rings, size_t sides) {
    return (cdg_skin_def){.is_closed = cut->is_closed,
                          .element_count = cut->element_count,
                          .rest_length = cut->rest_length,
                          .sections = cut->sections,
                          .rings_per_element = rings,
                          .side_count = sides};
}

static inline cdg_skin_pose cut_rod_pose(const cut_rod *cut) {
    return (cdg_skin_pose){.element_count = cut->element_count,
                           .rest_length = cut->rest_length,
                           .positions = cut->positions,
                           .frames = cut->frames};
}

static inline cdg_skin *skin_make(const cdg_skin_def *def) {
    cdg_skin *skin = NULL;
    cdg_error error;
    if (cdg_skin_create(def, &skin, &error) != CDG_OK) fail_msg("%s", error.message);
    return skin;
}

static inline float *skin_place(const cdg_skin *skin, const cdg_skin_pose *pose, float **normals) { // malloc'ed
    float *vertices = malloc(3 * skin->vertex_count * sizeof *vertices);
    assert_non_null(vertices);
    if (normals != NULL) {
        *normals = malloc(3 * skin->vertex_count * sizeof **normals);
        assert_non_null(*normals);
    }
    cdg_error error;
    if (cdg_skin_place(skin, pose, vertices, normals != NULL ? *normals : NULL, &error) != CDG_OK) {
        fail_msg("%s", error.message);
    }
    return vertices;
}

static inline cdg_vec3 float_vec3(const float *v) { return vec3(v[0], v[1], v[2]); }

// Signed: positive when the triangles look outward.
static inline double skin_volume(const cdg_skin *skin, const float *vertices) {
    double sum = 0;
    cdg_vec3 origin = float_vec3(vertices); // near, for the digits
    for (size_t t = 0; t < skin->triangle_count; t++) {
        cdg_vec3 p[3];
        for (int k = 0; k < 3; k++)
            p[k] = vec3_sub(float_vec3(vertices + 3 * (size_t)skin->triangles[3 * t + k]), origin);
        sum += vec3_dot(p[0], vec3_cross(p[1], p[2])) / 6;
    }
    return sum;
}

static inline int skin_compare_edges(const void *a, const void *b) {
    const uint32_t *x = a, *y = b;
    if (x[0] != y[0]) return x[0] < y[0] ? -1 : 1;
    return x[1] < y[1] ? -1 : x[1] > y[1] ? 1 : 0;
}

// Every edge is walked once in each direction, after vertices at one place have been made one. Returns Euler's
// characteristic.
static inline long skin_check_watertight(const cdg_skin *skin) {
    uint32_t *same = malloc(skin->vertex_count * sizeof *same);
    assert_non_null(same);
    long merged = 0;
    // a vertex can only meet those of its own station: the ring's and the caps'
    for (size_t i = 0; i < skin->vertex_count; i++) {
        size_t ring = (size_t)skin->station_of[i] * skin->ring_size, caps = skin->station_count * skin->ring_size;
        same[i] = (uint32_t)i;
        for (size_t k = ring; k < i; k = k + 1 == ring + skin->ring_size && k < caps ? caps : k + 1) {
            if (skin->station_of[k] != skin->station_of[i]) continue;
            const float *a = skin->local + 3 * i, *b = skin->local + 3 * k;
            if (a[0] != b[0] || a[1] != b[1] || a[2] != b[2]) continue;
            same[i] = same[k];
            merged++;
            break;
        }
    }
    size_t count = 3 * skin->triangle_count;
    uint32_t(*edges)[2] = malloc(count * sizeof *edges);
    assert_non_null(edges);
    bool *is_used = calloc(skin->vertex_count, sizeof *is_used);
    assert_non_null(is_used);
    for (size_t t = 0; t < skin->triangle_count; t++) {
        for (size_t k = 0; k < 3; k++) {
            assert_true(skin->triangles[3 * t + k] < skin->vertex_count);
            edges[3 * t + k][0] = same[skin->triangles[3 * t + k]];
            edges[3 * t + k][1] = same[skin->triangles[3 * t + (k + 1) % 3]];
            is_used[skin->triangles[3 * t + k]] = true;
        }
    }
    for (size_t i = 0; i < skin->vertex_count; i++) assert_true(is_used[i]);
    qsort(edges, count, sizeof *edges, skin_compare_edges);
    for (size_t i = 0; i < count; i++) {
        uint32_t back[2] = {edges[i][1], edges[i][0]};
        assert_true(edges[i][0] != edges[i][1]);
        if (i > 0 && skin_compare_edges(edges[i - 1], edges[i]) == 0) fail_msg("an edge is walked twice");
        if (bsearch(back, edges, count, sizeof *edges, skin_compare_edges) == NULL) fail_msg("the skin has a hole");
    }
    long euler = (long)skin->vertex_count - merged - (long)(count / 2) + (long)skin->triangle_count;
    free(is_used);
    free(edges);
    free(same);
    return euler;
}

// One of each kind, of about the given size.
static inline cdg_section skin_section(cdg_section_kind kind, double size) {
    return (cdg_section){.kind = kind,
                         .radius = size,
                         .inner_radius = kind == CDG_SECTION_TUBE ? 0.6 * size : 0,
                         .semi_axis = {size, 0.5 * size},
                         .side = {2 * size, 0.3 * size}};
}

#endif
