// Ties the knots of src/geometry/tied_table.h: from hand-drawn diagrams with heights at the crossings to smooth curves
// whose strands keep a given distance. A rope is shortened and smoothed a little at a time; after each time strands
// that are too near are pushed apart and sharp bends are blunted, so no strand ever passes another and the knot stays the
// knot that was drawn. Everything is measured in the distance between touching strands (two radii and a clearance).
//
//     cc -O2 -o tie_knots scripts/tie_knots.c -lm && ./tie_knots > src/geometry/tied_table.h
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct vec {
    double x, y, z;
} vec;

static vec add(vec a, double s, vec b) { return (vec){a.x + s * b.x, a.y + s * b.y, a.z + s * b.z}; }
static double dot(vec a, vec b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static vec sub(vec a, vec b) { return add(a, -1, b); }
static double norm(vec a) { return sqrt(dot(a, a)); }
static vec unit(vec a) { return add((vec){0, 0, 0}, 1 / norm(a), a); }

enum { DRAWN_MAX = 64, NODES_MAX = 1200, STRANDS_MAX = 2 };

static const double SPACING = 0.15;      // of nodes while tying
static const double DISTANCE = 1.10;     // that tying keeps between strands; the table is scaled to MARGIN in the end
static const double MARGIN = 1.05;       // of the smooth curve, so that a polygon on it still keeps 1
static const double BLUNT = 1 / 0.95;    // largest curvature that tying leaves
static const double NEIGHBOURS = 1.9;    // along the rope: nearer than that is the same bend, not another strand
static const double KEPT_SPACING = 0.55; // of the points in the table

// A strand as drawn: points, and the directions in which it leaves at its start and end.
typedef struct drawn_strand {
    int count;
    vec points[DRAWN_MAX];
    vec away[2];
} drawn_strand;

typedef struct drawn_knot {
    const char *name;
    int strand_count;
    drawn_strand strands[STRANDS_MAX];
    bool is_symmetric; // the second strand is the first, turned by half a turn about `axis` ('y' or 'z')
    char axis;
    double scale; // of the drawing
    struct {      // a post along z that keeps a bight open
        double x, y, radius;
    } peg;
    int rounds;
} drawn_knot;

// Heights at crossings: over and under.
#define O 0.7
#define U (-0.7)

static const drawn_knot knots[] = {
    // clang-format off
    // Along the x axis, around a loop, back under the first part and up through the loop.
    {.name = "overhand",
     .strand_count = 1,
     .strands = {{.count = 13,
                  .points = {{-5, 0, 0}, {-4, 0, 0}, {-1.3, 0, U}, {0.8, 0, O}, {2.3, 0.6, 0}, {2.2, 2, U},
                             {0.5, 2.9, 0}, {-1.4, 2, 0}, {-1.3, 0, O}, {-0.3, -1.2, 0}, {0.8, 0, U}, {2.2, 2, O}, {5.5, 2, 0}},
                  .away = {{-1, 0, 0}, {1, 0, 0}}}},
     .scale = 1.4, .rounds = 2500},
    // Through the place of three crossings, over the top and down through the first, up through the third, down through
    // the second.
    {.name = "figure_eight",
     .strand_count = 1,
     .strands = {{.count = 17,
                  .points = {{-4, 0, 0}, {-3, 0, 0}, {0, 0, O}, {1.2, 0, U}, {2.4, 0, O}, {3.6, 0.6, 0}, {3.2, 2.2, 0},
                             {1.2, 2.6, 0}, {-0.8, 1.4, 0}, {0, 0, U}, {1.2, -1.4, O}, {2.4, 0, U}, {1.9, 1.0, 0},
                             {1.2, 0, O}, {1.2, -1.4, U}, {1.6, -2.4, 0}, {6, -2.4, 0}},
                  .away = {{-1, 0, 0}, {1, 0, 0}}}},
     .scale = 1.4, .rounds = 3000},
    // Two bights, each with both legs through the other on the same side.
    {.name = "square",
     .strand_count = 2, .is_symmetric = true, .axis = 'y',
     .strands = {{.count = 11,
                  .points = {{-6, 0.7, 0}, {-4, 0.7, 0}, {-2.4, 0.7, U}, {0, 1.4, O}, {1.8, 1.8, 0}, {2.4, 0.7, U},
                             {2.4, -0.7, U}, {1.8, -1.8, 0}, {0, -1.4, O}, {-2.4, -0.7, U}, {-6, -0.7, 0}},
                  .away = {{-1, 0, 0}, {-1, 0, 0}}}},
     .scale = 1.2, .rounds = 2500},
    // The second half the other way around.
    {.name = "granny",
     .strand_count = 2, .is_symmetric = true, .axis = 'y',
     .strands = {{.count = 11,
                  .points = {{-6, 0.7, 0}, {-4, 0.7, 0}, {-2.4, 0.7, U}, {0, 1.4, O}, {1.8, 1.8, 0}, {2.4, 0.7, U},
                             {2.4, -0.7, O}, {1.8, -1.8, 0}, {0, -1.4, U}, {-2.4, -0.7, O}, {-6, -0.7, 0}},
                  .away = {{-1, 0, 0}, {-1, 0, 0}}}},
     .scale = 1.2, .rounds = 2500},
    // A bight, and a rope up through it, behind both legs and under itself. Standing parts first.
    {.name = "sheet_bend",
     .strand_count = 2,
     .strands = {{.count = 10,
                  .points = {{-6, -1, 0}, {-4, -1, 0}, {-1.6, -1, O}, {0, -1, U}, {1.4, -1.1, 0}, {2.5, 0, O}, {1.2, 1.1, U},
                             {0, 1, U}, {-1.6, 1, O}, {-6, 1, 0}},
                  .away = {{-1, 0, 0}, {-1, 0, 0}}},
                 {.count = 13,
                  .points = {{6, 0, 0}, {4.5, 0, 0}, {2.5, 0, U}, {1.6, 0, 0}, {0.7, 0.4, 1.5}, {0, 1, O}, {-0.6, 2.3, 0},
                             {-1.6, 1, U}, {-1.6, -1, U}, {-0.8, -2.3, 0}, {0, -1, O}, {1.2, 1.1, O}, {1.2, 5, 0}},
                  .away = {{1, 0, 0}, {0, 1, 0}}}},
     .scale = 1.4, .rounds = 2500},
    // The same in one rope: what is tucked under itself goes on as the loop and comes back as the bight. First strand:
    // standing part to loop; second: loop to tail.
    {.name = "bowline",
     .strand_count = 2,
     .strands = {{.count = 15,
                  .points = {{6, 0, 0}, {4.5, 0, 0}, {2.5, 0, U}, {1.6, 0, 0}, {0.7, 0.4, 1.5}, {0, 1, O}, {-0.6, 2.3, 0},
                             {-1.6, 1, U}, {-1.6, -1, U}, {-0.8, -2.3, 0}, {0, -1, O}, {1.2, 1.1, O}, {0.8, 2.8, 0.3},
                             {-1.2, 3.4, 0}, {-6, 3.4, 0}},
                  .away = {{1, 0, 0}, {-1, 0, 0}}},
                 {.count = 10,
                  .points = {{-6, -1, 0}, {-4, -1, 0}, {-1.6, -1, O}, {0, -1, U}, {1.4, -1.1, 0}, {2.5, 0, O}, {1.2, 1.1, U},
                             {0, 1, U}, {-1.6, 1, O}, {-4.5, 1, 4}},
                  .away = {{-1, 0, 0}, {-0.7071067811865476, 0, 0.7071067811865476}}}},
     .scale = 1.4, .rounds = 2500},
    // A square knot whose second half is tied with doubled ends; the free ends lie across the ears.
    {.name = "bow",
     .strand_count = 2, .is_symmetric = true, .axis = 'y',
     .strands = {{.count = 25,
                  .points = {{-7, 1.2, 0}, {-5, 1.2, 0}, {-3.2, 1.2, U}, {0, 2, O}, {2.6, 2.4, 0}, {3.8, 1.0, U},
                             // the outer of the two strands, through to the ear
                             {4.3, -0.6, U}, {4.3, -2.2, U}, {3.2, -4.3, 0}, {1.5, -4.5, O}, {-1.5, -2.1, O},
                             {-2.9, -2.2, U}, {-4.3, -2.2, U}, {-7, -3.2, 0}, {-9.5, -1.6, 0}, {-7, 0, 0},
                             // and back as the inner
                             {-4.3, -0.6, U}, {-2.9, -0.6, U}, {-1.5, -0.9, O}, {1.5, -3.3, O}, {2.9, -2.2, U},
                             {2.9, -0.6, U}, {4.6, 0.3, 1.6}, {6.2, -1.4, 2.0}, {6.2, -7, 2.0}},
                  .away = {{-1, 0, 0}, {0, -1, 0}}}},
     .scale = 1.2, .peg = {-7.4, -1.6, 1.5}, .rounds = 2500},
    // Each rope runs along the other, turns back, winds around both and goes out through its own turns.
    {.name = "double_fisherman",
     .strand_count = 2, .is_symmetric = true, .axis = 'z',
     .strands = {{.count = 27,
                  .points = {{-9, 0.60, 0.35}, {-6, 0.60, 0.35}, {-3, 0.60, 0.35}, {0, 0.60, 0.35}, {3, 0.60, 0.35},
                             {6.2, 0.60, 0.35}, {6.71, 0.20, 1.79}, {6.42, -1.31, 1.23}, {6.13, -1.77, -0.32}, {5.84,
                             -0.80, -1.61}, {5.56, 0.81, -1.61}, {5.27, 1.77, -0.31}, {4.98, 1.31, 1.24}, {4.69, -0.21,
                             1.79}, {4.4, -1.56, 0.90}, {4.11, -1.65, -0.72}, {3.82, -0.41, -1.75}, {3.53, 1.16,
                             -1.38}, {3.24, 1.80, 0.11}, {2.96, 0.99, 1.50}, {2.67, -0.62, 1.69}, {2.38, -1.72, 0.52},
                             {2.09, -1.44, -1.08}, {1.2, 0.00, -1.00}, {2.2, 0.00, -0.70}, {6, 0.00, -0.70}, {9, 0.00,
                             -0.70}},
                  .away = {{-1, 0, 0}, {1, 0, 0}}}},
     .scale = 1.1, .rounds = 2500},
    // clang-format on
};
static const int knot_count = sizeof knots / sizeof *knots;

// ---- tying ----------------------------------------------------------------------------------------------------------

typedef struct strand {
    int count;
    vec nodes[NODES_MAX];
    vec away[2];
    double reach[2]; // where the ends are held, along their directions
} strand;

typedef struct knot {
    const char *name;
    int strand_count;
    strand strands[STRANDS_MAX];
} knot;

// Equal distances along a polygon.
static void resample(strand *s, double spacing) {
    static vec old[NODES_MAX];
    int old_count = s->count;
    memcpy(old, s->nodes, sizeof *old * (size_t)old_count);
    double length = 0;
    for (int i = 0; i + 1 < old_count; i++) length += norm(sub(old[i + 1], old[i]));
    int pieces = (int)ceil(length / spacing);
    if (pieces + 1 > NODES_MAX) exit(2);
    int edge = 0;
    double start = 0, edge_length = norm(sub(old[1], old[0]));
    for (int k = 1; k < pieces; k++) {
        double target = length * k / pieces;
        while (target > start + edge_length && edge + 2 < old_count) {
            start += edge_length;
            edge++;
            edge_length = norm(sub(old[edge + 1], old[edge]));
        }
        s->nodes[k] = add(old[edge], (target - start) / edge_length, sub(old[edge + 1], old[edge]));
    }
    s->nodes[pieces] = old[old_count - 1];
    s->count = pieces + 1;
}

static void hold_ends(strand *s) {
    vec *first = &s->nodes[0], *last = &s->nodes[s->count - 1];
    *first = add(s->nodes[1], s->reach[0] - dot(s->nodes[1], s->away[0]), s->away[0]);
    *last = add(s->nodes[s->count - 2], s->reach[1] - dot(s->nodes[s->count - 2], s->away[1]), s->away[1]);
}

static void shorten(strand *s, double factor) {
    static vec old[NODES_MAX];
    memcpy(old, s->nodes, sizeof *old * (size_t)s->count);
    for (int i = 1; i + 1 < s->count; i++) {
        vec middle = add(add((vec){0, 0, 0}, 0.5, old[i - 1]), 0.5, old[i + 1]);
        s->nodes[i] = add(old[i], factor, sub(middle, old[i]));
    }
}

static double curvature_at(const strand *s, int i) {
    vec a = sub(s->nodes[i], s->nodes[i - 1]), b = sub(s->nodes[i + 1], s->nodes[i]);
    double length = 0.5 * (norm(a) + norm(b));
    double cosine = dot(a, b) / (norm(a) * norm(b));
    double angle = acos(fmax(-1, fmin(1, cosine)));
    return 2 * tan(angle / 2) / length;
}

static void blunt(strand *s) {
    for (int i = 1; i + 1 < s->count; i++) {
        double curvature = curvature_at(s, i);
        if (curvature <= BLUNT) continue;
        vec middle = add(add((vec){0, 0, 0}, 0.5, s->nodes[i - 1]), 0.5, s->nodes[i + 1]);
        vec inward = add((vec){0, 0, 0}, 0.5 * (1 - BLUNT / curvature), sub(middle, s->nodes[i]));
        s->nodes[i] = add(s->nodes[i], 0.5, inward);
        s->nodes[i - 1] = add(s->nodes[i - 1], -0.25, inward);
        s->nodes[i + 1] = add(s->nodes[i + 1], -0.25, inward);
    }
}

static void keep_off_peg(strand *s, const drawn_knot *drawn) {
    double radius = drawn->scale * drawn->peg.radius;
    for (int i = 0; i < s->count; i++) {
        vec out = {s->nodes[i].x - drawn->scale * drawn->peg.x, s->nodes[i].y - drawn->scale * drawn->peg.y, 0};
        double distance = norm(out);
        if (distance < radius) s->nodes[i] = add(s->nodes[i], fmin(radius - distance, 0.02) / distance, out);
    }
}

static void push_apart(knot *k, double distance) {
    for (int a = 0; a < k->strand_count; a++)
        for (int b = a; b < k->strand_count; b++)
            for (int i = 0; i < k->strands[a].count; i++) {
                int first = a == b ? i + (int)ceil(NEIGHBOURS / SPACING) : 0;
                for (int j = first; j < k->strands[b].count; j++) {
                    vec *p = &k->strands[a].nodes[i], *q = &k->strands[b].nodes[j];
                    vec between = sub(*p, *q);
                    double square = dot(between, between);
                    if (square >= distance * distance) continue;
                    double length = sqrt(square);
                    // small steps: strands must never jump across each other
                    double move = fmin(0.5 * 0.5 * (distance - length), 0.02);
                    *p = add(*p, move / length, between);
                    *q = add(*q, -move / length, between);
                }
            }
}

static void turn(const strand *s, char axis, strand *out) {
    *out = *s;
    for (int i = 0; i < s->count; i++) {
        vec p = s->nodes[i];
        out->nodes[i] = axis == 'y' ? (vec){-p.x, p.y, -p.z} : (vec){-p.x, -p.y, p.z};
    }
    for (int e = 0; e < 2; e++) {
        vec d = s->away[e];
        out->away[e] = axis == 'y' ? (vec){-d.x, d.y, -d.z} : (vec){-d.x, -d.y, d.z};
    }
}

// ---- the smooth curve -----------------------------------------------------------------------------------------------

// Natural cubic spline with chords as parameter: what the library does with the table.
static int evaluate(const vec *points, int count, int fine, vec *out) {
    static double h[NODES_MAX], diagonal[NODES_MAX];
    static vec right[NODES_MAX], second[NODES_MAX];
    for (int i = 0; i + 1 < count; i++) h[i] = norm(sub(points[i + 1], points[i]));
    second[0] = second[count - 1] = (vec){0, 0, 0};
    for (int i = 1; i + 1 < count; i++) {
        vec slope = add((vec){0, 0, 0}, 1 / h[i], sub(points[i + 1], points[i]));
        slope = add(slope, -1 / h[i - 1], sub(points[i], points[i - 1]));
        right[i] = add((vec){0, 0, 0}, 6, slope);
        diagonal[i] = 2 * (h[i - 1] + h[i]);
        if (i > 1) {
            double factor = h[i - 1] / diagonal[i - 1];
            diagonal[i] -= factor * h[i - 1];
            right[i] = add(right[i], -factor, right[i - 1]);
        }
    }
    for (int i = count - 2; i > 0; i--)
        second[i] = add((vec){0, 0, 0}, 1 / diagonal[i], add(right[i], -h[i], second[i + 1]));
    int n = 0;
    for (int i = 0; i + 1 < count; i++)
        for (int f = 0; f < fine || (i + 2 == count && f == fine); f++) {
            double u = (double)f / fine, v = 1 - u;
            vec p = add(add((vec){0, 0, 0}, v, points[i]), u, points[i + 1]);
            p = add(p, (v * v * v - v) * h[i] * h[i] / 6, second[i]);
            out[n++] = add(p, (u * u * u - u) * h[i] * h[i] / 6, second[i + 1]);
        }
    return n;
}

static double segment_distance(vec a0, vec a1, vec b0, vec b1) {
    vec u = sub(a1, a0), v = sub(b1, b0), w = sub(a0, b0);
    double a = dot(u, u), b = dot(u, v), c = dot(v, v), d = dot(u, w), e = dot(v, w), determinant = a * c - b * b;
    double s = determinant > 1e-12 * a * c ? fmax(0, fmin(1, (b * e - c * d) / determinant)) : 0;
    double t = (b * s + e) / c;
    if (t < 0) t = 0, s = fmax(0, fmin(1, -d / a));
    if (t > 1) t = 1, s = fmax(0, fmin(1, (b - d) / a));
    return norm(add(add(w, s, u), -t, v));
}

enum { FINE = 6, FINE_MAX = 8000 };

static void measure(const vec (*points)[NODES_MAX], const int *counts, int strand_count, double scale, double *nearest,
                    double *sharpest) {
    static vec fine[STRANDS_MAX][FINE_MAX];
    static double along[STRANDS_MAX][FINE_MAX];
    int n[STRANDS_MAX];
    *nearest = 1e9;
    *sharpest = 0;
    for (int s = 0; s < strand_count; s++) {
        n[s] = evaluate(points[s], counts[s], FINE, fine[s]);
        along[s][0] = 0;
        for (int i = 1; i < n[s]; i++) along[s][i] = along[s][i - 1] + norm(sub(fine[s][i], fine[s][i - 1]));
        for (int i = 1; i + 1 < n[s]; i++) {
            vec a = sub(fine[s][i], fine[s][i - 1]), b = sub(fine[s][i + 1], fine[s][i]);
            double angle = acos(fmax(-1, fmin(1, dot(a, b) / (norm(a) * norm(b)))));
            *sharpest = fmax(*sharpest, 2 * tan(angle / 2) / (0.5 * (norm(a) + norm(b))));
        }
    }
    for (int a = 0; a < strand_count; a++)
        for (int b = a; b < strand_count; b++)
            for (int i = 0; i + 1 < n[a]; i++)
                for (int j = a == b ? i + 2 : 0; j + 1 < n[b]; j++) {
                    if (a == b && along[a][j] - along[a][i + 1] < NEIGHBOURS * scale) continue;
                    *nearest = fmin(*nearest, segment_distance(fine[a][i], fine[a][i + 1], fine[b][j], fine[b][j + 1]));
                }
}

// ---- the table ------------------------------------------------------------------------------------------------------

// Which nodes to keep: ends that are straight are cut off and go on exactly straight a little, the rest is thinned.
static int thin(const strand *s, vec *out) {
    enum { STRAIGHT_KEPT = 6, STRAIGHT_ADDED = 3 };
    int first = 0, last = s->count - 1;
    while (dot(unit(sub(s->nodes[first], s->nodes[first + 1])), s->away[0]) > 1 - 2e-5) first++;
    while (dot(unit(sub(s->nodes[last], s->nodes[last - 1])), s->away[1]) > 1 - 2e-5) last--;
    first = first > STRAIGHT_KEPT ? first - STRAIGHT_KEPT : 0;
    last = last + STRAIGHT_KEPT < s->count ? last + STRAIGHT_KEPT : s->count - 1;
    int pieces = (int)ceil((last - first) * SPACING / KEPT_SPACING);
    for (int k = 0; k <= pieces; k++) out[STRAIGHT_ADDED + k] = s->nodes[first + (last - first) * k / pieces];
    int end = STRAIGHT_ADDED + pieces;
    for (int k = 1; k <= STRAIGHT_ADDED; k++) {
        out[STRAIGHT_ADDED - k] = add(out[STRAIGHT_ADDED], KEPT_SPACING * k, s->away[0]);
        out[end + k] = add(out[end], KEPT_SPACING * k, s->away[1]);
    }
    return end + STRAIGHT_ADDED + 1;
}

// Moves the middle of all to the origin, as far as the symmetry lets it.
static void centre(vec (*points)[NODES_MAX], const int *counts, const drawn_knot *drawn) {
    vec low = {1e9, 1e9, 1e9}, high = {-1e9, -1e9, -1e9};
    for (int s = 0; s < drawn->strand_count; s++)
        for (int i = 0; i < counts[s]; i++) {
            vec p = points[s][i];
            low = (vec){fmin(low.x, p.x), fmin(low.y, p.y), fmin(low.z, p.z)};
            high = (vec){fmax(high.x, p.x), fmax(high.y, p.y), fmax(high.z, p.z)};
        }
    vec middle = {(low.x + high.x) / 2, (low.y + high.y) / 2, (low.z + high.z) / 2};
    if (drawn->is_symmetric) middle = drawn->axis == 'y' ? (vec){0, middle.y, 0} : (vec){0, 0, middle.z};
    for (int s = 0; s < drawn->strand_count; s++)
        for (int i = 0; i < counts[s]; i++) points[s][i] = sub(points[s][i], middle);
}

static void tie(const drawn_knot *drawn) {
    static knot k;
    k = (knot){.name = drawn->name, .strand_count = drawn->strand_count};
    int own = drawn->is_symmetric ? 1 : drawn->strand_count;
    for (int s = 0; s < own; s++) {
        const drawn_strand *from = &drawn->strands[s];
        strand *to = &k.strands[s];
        to->count = from->count;
        for (int i = 0; i < from->count; i++) to->nodes[i] = add((vec){0, 0, 0}, drawn->scale, from->points[i]);
        for (int e = 0; e < 2; e++) {
            to->away[e] = from->away[e];
            to->reach[e] = dot(to->nodes[e == 0 ? 0 : to->count - 1], to->away[e]);
        }
        resample(to, SPACING);
    }
    for (int round = 0; round < drawn->rounds; round++) {
        for (int s = 0; s < own; s++) {
            strand *rope = &k.strands[s];
            shorten(rope, 0.4);
            for (int i = 0; i < 3; i++) blunt(rope);
            keep_off_peg(rope, drawn);
            hold_ends(rope);
            if (round % 5 == 4) resample(rope, SPACING);
        }
        for (int pass = 0; pass < 3; pass++) {
            if (drawn->is_symmetric) turn(&k.strands[0], drawn->axis, &k.strands[1]);
            push_apart(&k, DISTANCE);
            for (int s = 0; s < own; s++) blunt(&k.strands[s]);
        }
        for (int s = 0; s < own; s++) hold_ends(&k.strands[s]);
    }
    if (drawn->is_symmetric) turn(&k.strands[0], drawn->axis, &k.strands[1]);

    static vec points[STRANDS_MAX][NODES_MAX];
    int counts[STRANDS_MAX];
    double nearest, sharpest;
    for (int s = 0; s < k.strand_count; s++) counts[s] = thin(&k.strands[s], points[s]);
    centre(points, counts, drawn);
    measure((const vec(*)[NODES_MAX])points, counts, k.strand_count, 1, &nearest, &sharpest);
    double factor = MARGIN / nearest * (1 + 1e-3); // rounding of the printed digits
    fprintf(stderr, "%-16s nearest %.4f before scaling by %.4f, curvature radius %.3f after, points", k.name, nearest,
            factor, factor / sharpest);
    for (int s = 0; s < own; s++) {
        fprintf(stderr, " %d", counts[s]);
        printf("\nstatic const cdg_vec3 %s_%c[] = {\n", k.name, 'a' + s);
        for (int i = 0; i < counts[s]; i++) {
            vec p = points[s][i];
            printf("%s{%.3f, %.3f, %.3f},%s", i % 4 == 0 ? "    " : " ", factor * p.x, factor * p.y, factor * p.z,
                   i % 4 == 3 || i + 1 == counts[s] ? "\n" : "");
        }
        printf("};\n");
    }
    fprintf(stderr, "\n");
}

int main(int argc, char **argv) {
    printf("// Knots as points of splines, written by scripts/tie_knots.c. The unit is the distance between touching "
           "strands; their\n"
           "// smooth curves keep %.2f of it. Of two strands that are alike only the first is here.\n"
           "#ifndef CDG_GEOMETRY_TIED_TABLE_H\n#define CDG_GEOMETRY_TIED_TABLE_H\n\n#include <cordage/base.h>\n\n"
           "// clang-format off\n",
           MARGIN);
    for (int i = 0; i < knot_count; i++)
        if (argc < 2 || strcmp(argv[1], knots[i].name) == 0) tie(&knots[i]);
    printf("// clang-format on\n\n#endif\n");
}
