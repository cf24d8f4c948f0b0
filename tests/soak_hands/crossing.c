// Two segments whose ends move straight cross when their four ends lie in a plane at some time and the segments meet
// there. The volume of the four ends is a cubic in time; its roots are found by bisection between its turning points.
#include "crossing.h"

#include "math/vec3.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const double safe = 1e-6; // of the segments: nearer to their ends nobody can tell

static void collect(const cdg_world *world, cdg_vec3 *out) {
    for (size_t i = 0; i < cdg_world_rod_count(world); i++) {
        const cdg_rod *rod = cdg_world_get_rod(world, cdg_world_rod_at(world, i));
        for (size_t k = 0; k < rod->node_count; k++) *out++ = rod_vec3(rod->x, k);
    }
}

void crossing_begin(crossing_way *way, const cdg_world *world) {
    if (way->from == NULL) {
        for (size_t i = 0; i < cdg_world_rod_count(world); i++)
            way->count += cdg_world_get_rod(world, cdg_world_rod_at(world, i))->node_count;
        way->from = malloc(way->count * sizeof *way->from);
        way->to = malloc(way->count * sizeof *way->to);
        if (way->from == NULL || way->to == NULL) abort();
    }
    collect(world, way->from);
}

void crossing_end(crossing_way *way, const cdg_world *world) { collect(world, way->to); }

void crossing_free(crossing_way *way) {
    free(way->from);
    free(way->to);
    *way = (crossing_way){0};
}

typedef struct pair {
    cdg_vec3 from[4], to[4]; // ends of the first, then of the second
} pair;

static void at_time(const pair *p, double t, cdg_vec3 out[4]) {
    for (int k = 0; k < 4; k++) out[k] = vec3_lerp(p->from[k], p->to[k], t);
}

static double volume(const pair *p, double t) {
    cdg_vec3 x[4];
    at_time(p, t, x);
    return vec3_dot(vec3_cross(vec3_sub(x[1], x[0]), vec3_sub(x[3], x[2])), vec3_sub(x[2], x[0]));
}

// Whether the segments meet when their ends lie in a plane.
static bool do_meet(const pair *p, double t) {
    cdg_vec3 x[4];
    at_time(p, t, x);
    cdg_vec3 u = vec3_sub(x[1], x[0]), w = vec3_sub(x[3], x[2]), d = vec3_sub(x[2], x[0]), n = vec3_cross(u, w);
    double square = vec3_dot(n, n);
    if (!(square > 1e-20 * vec3_dot(u, u) * vec3_dot(w, w))) return false; // parallel: they slide along each other
    double s = vec3_dot(vec3_cross(d, w), n) / square, r = vec3_dot(vec3_cross(d, u), n) / square;
    return s > safe && s < 1 - safe && r > safe && r < 1 - safe;
}

static bool crosses_between(const pair *p, double a, double b) {
    double at_a = volume(p, a), at_b = volume(p, b);
    if (!(at_a * at_b < 0)) return false;
    for (int i = 0; i < 60; i++) {
        double middle = (a + b) / 2, value = volume(p, middle);
        if (value * at_a > 0)
            a = middle;
        else
            b = middle;
    }
    return do_meet(p, (a + b) / 2);
}

// The cubic through four values has its turning points where its derivative, a quadratic, is 0.
static bool do_cross(const pair *p) {
    double f0 = volume(p, 0), f1 = volume(p, 1.0 / 3), f2 = volume(p, 2.0 / 3), f3 = volume(p, 1);
    double c1 = (-11 * f0 + 18 * f1 - 9 * f2 + 2 * f3) / 2, c2 = 9 * (2 * f0 - 5 * f1 + 4 * f2 - f3) / 2,
           c3 = 9 * (-f0 + 3 * f1 - 3 * f2 + f3) / 2;
    double places[4] = {0, 1, 1, 1};
    int count = 1;
    double root = 4 * c2 * c2 - 12 * c3 * c1;
    if (c3 != 0 && root > 0) {
        double one = (-2 * c2 - sqrt(root)) / (6 * c3), two = (-2 * c2 + sqrt(root)) / (6 * c3);
        double low = fmin(one, two), high = fmax(one, two);
        if (low > 0 && low < 1) places[count++] = low;
        if (high > 0 && high < 1) places[count++] = high;
    } else if (c3 == 0 && c2 != 0) {
        double turn = -c1 / (2 * c2);
        if (turn > 0 && turn < 1) places[count++] = turn;
    }
    places[count] = 1;
    for (int i = 0; i < count; i++)
        if (crosses_between(p, places[i], places[i + 1])) return true;
    return false;
}

static void box_of(const cdg_vec3 x[4], cdg_vec3 *low, cdg_vec3 *high) {
    *low = *high = x[0];
    for (int k = 1; k < 4; k++) {
        *low = vec3(fmin(low->x, x[k].x), fmin(low->y, x[k].y), fmin(low->z, x[k].z));
        *high = vec3(fmax(high->x, x[k].x), fmax(high->y, x[k].y), fmax(high->z, x[k].z));
    }
}

typedef struct segment {
    cdg_vec3 x[4]; // from, from, to, to
    cdg_vec3 low, high;
    size_t rod, element;
} segment;

// Ends of segments that are one point, of one rod or of joined ones, always touch.
static bool share_a_point(const segment *a, const segment *b) {
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < 2; k++)
            if (vec3_norm(vec3_sub(a->x[i], b->x[k])) < 1e-9 || vec3_norm(vec3_sub(a->x[2 + i], b->x[2 + k])) < 1e-9)
                return true;
    return false;
}

static bool are_apart(const segment *a, const segment *b) {
    return a->low.x > b->high.x || a->low.y > b->high.y || a->low.z > b->high.z || b->low.x > a->high.x ||
           b->low.y > a->high.y || b->low.z > a->high.z;
}

static size_t list_segments(const crossing_way *way, const cdg_world *world, segment *out) {
    size_t first = 0, count = 0;
    for (size_t i = 0; i < cdg_world_rod_count(world); i++) {
        const cdg_rod *rod = cdg_world_get_rod(world, cdg_world_rod_at(world, i));
        for (size_t j = 0; j < rod->element_count; j++) {
            size_t a = first + j, b = first + rod_next_node(rod, j);
            segment *s = &out[count++];
            *s = (segment){.x = {way->from[a], way->from[b], way->to[a], way->to[b]}, .rod = i, .element = j};
            box_of(s->x, &s->low, &s->high);
        }
        first += rod->node_count;
    }
    return count;
}

bool crossing_find(const crossing_way *way, const cdg_world *world, char *text, size_t size) {
    segment *segments = malloc((way->count + 1) * sizeof *segments);
    if (segments == NULL) abort();
    size_t count = list_segments(way, world, segments);
    bool is_found = false;
    for (size_t i = 0; i < count && !is_found; i++)
        for (size_t k = i + 1; k < count && !is_found; k++) {
            const segment *a = &segments[i], *b = &segments[k];
            if (are_apart(a, b) || share_a_point(a, b)) continue;
            pair p = {.from = {a->x[0], a->x[1], b->x[0], b->x[1]}, .to = {a->x[2], a->x[3], b->x[2], b->x[3]}};
            is_found = do_cross(&p);
            if (is_found)
                snprintf(text, size, "element %zu of rod %zu and %zu of rod %zu passed through each other", a->element,
                         a->rod, b->element, b->rod);
        }
    free(segments);
    return is_found;
}
