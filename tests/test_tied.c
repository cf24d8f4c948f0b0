// Knots that are tied in ropes: each is the knot it is called (Jones polynomial and determinant of the closed rope),
// strands keep their distance at every size and resolution, ends leave straight where they are pulled, and what cannot
// be tied is refused.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "contact/segment_pair.h"
#include "geometry/tied.h"
#include "geometry/topology.h"
#include "math/random.h"
#include "near.h"

enum { NODES_MAX = 2100 };

static cdg_centerline tied(cdg_tied_knot knot, double radius, double clearance, double tail) {
    cdg_centerline curve = cdg_centerline_default();
    curve.kind = CDG_CENTERLINE_TIED;
    curve.tied.knot = knot;
    curve.tied.radius = radius;
    curve.tied.clearance = clearance;
    curve.tied.tail[0] = curve.tied.tail[1] = tail;
    return curve;
}

static size_t least_of(const cdg_centerline *curve) {
    cdg_error error = {0};
    size_t least = 0;
    if (cdg_centerline_least_elements(curve, &least, &error) != CDG_OK) fail_msg("%s", error.message);
    return least;
}

static void sample(const cdg_centerline *curve, size_t element_count, cdg_vec3 *out) {
    cdg_error error = {0};
    assert_true(element_count < NODES_MAX);
    if (cdg_centerline_sample(curve, element_count, out, &error) != CDG_OK) fail_msg("%s", error.message);
}

// ---- which knot it is -----------------------------------------------------------------------------------------------

// Laurent polynomials in the fourth root of 1/t, by exponent + MIDDLE.
enum { MIDDLE = 160, TERMS = 2 * MIDDLE + 1, CROSSINGS_MAX = 22 };
typedef struct polynomial {
    long at[TERMS];
} polynomial;

typedef struct passage {
    double place; // along the polygon: edge number + fraction
    int crossing;
    bool is_over;
} passage;

static int compare_places(const void *left, const void *right) {
    double a = ((const passage *)left)->place, b = ((const passage *)right)->place;
    return (a > b) - (a < b);
}

static int find_root(int *parent, int i) {
    while (parent[i] != i) i = parent[i] = parent[parent[i]];
    return i;
}

// Jones polynomial of a closed polygon by Kauffman's bracket: each crossing of its shadow is cut open in both ways, and
// 2^crossings pictures of circles are summed up. A^4 = 1/t.
static polynomial jones(const cdg_vec3 *nodes, size_t count) {
    static passage passages[2 * CROSSINGS_MAX];
    int signs[CROSSINGS_MAX], n = 0, writhe = 0;
    for (size_t i = 0; i < count; i++) {
        cdg_vec3 a = nodes[i], u = vec3_sub(nodes[(i + 1) % count], a);
        for (size_t j = i + 2; j < count; j++) {
            if (i == 0 && j == count - 1) continue;
            cdg_vec3 b = nodes[j], v = vec3_sub(nodes[(j + 1) % count], b);
            double area = u.x * v.y - u.y * v.x, x = b.x - a.x, y = b.y - a.y;
            double s = (x * v.y - y * v.x) / area, t = (x * u.y - y * u.x) / area;
            if (!(s >= 0 && s < 1 && t >= 0 && t < 1)) continue;
            if (n == CROSSINGS_MAX) fail_msg("too many crossings");
            bool is_first_over = a.z + s * u.z > b.z + t * v.z;
            signs[n] = (area > 0) == is_first_over ? 1 : -1;
            writhe += signs[n];
            passages[2 * n] = (passage){(double)i + s, n, is_first_over};
            passages[2 * n + 1] = (passage){(double)j + t, n, !is_first_over};
            n++;
        }
    }
    qsort(passages, (size_t)(2 * n), sizeof *passages, compare_places);
    int in[CROSSINGS_MAX][2], out[CROSSINGS_MAX][2]; // arcs; [0] under, [1] over
    for (int k = 0; k < 2 * n; k++) {                // arc k ends at passage k
        in[passages[k].crossing][passages[k].is_over] = k;
        out[passages[k].crossing][passages[k].is_over] = (k + 1) % (2 * n);
    }
    static polynomial circles[2 * CROSSINGS_MAX + 2]; // (-A^2 - A^-2)^k
    memset(circles, 0, sizeof circles);
    circles[0].at[MIDDLE] = 1;
    for (int k = 1; k <= n + 1; k++)
        for (int e = 2; e + 2 < TERMS; e++) circles[k].at[e] = -circles[k - 1].at[e - 2] - circles[k - 1].at[e + 2];
    static long states[2 * CROSSINGS_MAX + 1][CROSSINGS_MAX + 2]; // by exponent of A + n, and circles - 1
    memset(states, 0, sizeof states);
    for (unsigned long state = 0; state < 1ul << n; state++) {
        int parent[2 * CROSSINGS_MAX + 1], loops = n == 0 ? 1 : 2 * n, exponent = 0;
        for (int k = 0; k < 2 * n; k++) parent[k] = k;
        for (int c = 0; c < n; c++) {
            bool is_first = (state >> c & 1) != 0;
            exponent += is_first ? 1 : -1;
            bool is_oriented = is_first == (signs[c] > 0);
            int ends[2][2] = {{in[c][1], is_oriented ? out[c][0] : in[c][0]},
                              {out[c][1], is_oriented ? in[c][0] : out[c][0]}};
            for (int k = 0; k < 2; k++) {
                int a = find_root(parent, ends[k][0]), b = find_root(parent, ends[k][1]);
                if (a != b) parent[a] = b, loops--;
            }
        }
        states[exponent + n][loops - 1]++;
    }
    polynomial bracket = {{0}}, result = {{0}};
    for (int e = -n; e <= n; e++)
        for (int k = 0; k <= n + 1 && k < CROSSINGS_MAX + 2; k++)
            for (int f = 0; f < TERMS && states[e + n][k] != 0; f++)
                if (f + e >= 0 && f + e < TERMS) bracket.at[f + e] += states[e + n][k] * circles[k].at[f];
    for (int f = 0; f < TERMS; f++) { // times (-A^3)^-writhe
        int to = f - 3 * writhe;
        if (bracket.at[f] != 0) assert_true(to >= 0 && to < TERMS);
        if (to >= 0 && to < TERMS) result.at[to] = (writhe % 2 != 0 ? -1 : 1) * bracket.at[f];
    }
    return result;
}

// From coefficients of t^first, t^(first + 1), ...
static polynomial in_t(int first, int count, const int *coefficients) {
    polynomial out = {{0}};
    for (int k = 0; k < count; k++) out.at[MIDDLE - 4 * (first + k)] = coefficients[k];
    return out;
}

static polynomial product(const polynomial *a, const polynomial *b) {
    polynomial out = {{0}};
    for (int i = 0; i < TERMS; i++)
        for (int j = 0; j < TERMS && a->at[i] != 0; j++)
            if (b->at[j] != 0) out.at[i + j - MIDDLE] += a->at[i] * b->at[j];
    return out;
}

static polynomial mirrored(const polynomial *a) {
    polynomial out;
    for (int i = 0; i < TERMS; i++) out.at[i] = a->at[TERMS - 1 - i];
    return out;
}

static bool same(const polynomial *a, const polynomial *b) { return memcmp(a, b, sizeof *a) == 0; }

static long determinant(const polynomial *a) { // |V(-1)|
    long sum = 0;
    for (int k = -MIDDLE / 4; k <= MIDDLE / 4; k++) sum += (k % 2 != 0 ? -1 : 1) * a->at[MIDDLE - 4 * k];
    return labs(sum);
}

// The rope as a closed polygon, its ends joined far away towards y or -y, where no loop is; seen somewhat askew.
static size_t closed_rope(cdg_tied_knot knot, cdg_vec3 *out) {
    cdg_centerline curve = tied(knot, 0.5, 0, 3);
    size_t count = least_of(&curve);
    sample(&curve, count, out);
    count++;
    cdg_vec3 start = vec3_normalize(vec3_sub(out[0], out[1]));
    cdg_vec3 end = vec3_normalize(vec3_sub(out[count - 1], out[count - 2]));
    double far = 100, side = knot == CDG_TIED_SHEET_BEND ? 2 * far : -2 * far;
    cdg_vec3 last = vec3_mad(out[count - 1], far, end), first = vec3_mad(out[0], far, start);
    out[count++] = last;
    out[count++] = vec3(last.x, side, last.z);
    out[count++] = vec3(first.x + 1, side - 1, first.z);
    out[count++] = first;
    cdg_quat view = quat_from_axis_angle(vec3_normalize(vec3(1, 0.4, 0.2)), 0.03);
    for (size_t i = 0; i < count; i++) out[i] = quat_rotate(view, out[i]);
    return count;
}

static polynomial jones_of(cdg_tied_knot knot) {
    static cdg_vec3 nodes[NODES_MAX];
    size_t count = closed_rope(knot, nodes);
    polynomial found = jones(nodes, count);
    uint64_t expected = 0;
    cdg_error error = {0};
    assert_int_equal(cdg_knot_determinant(nodes, count, true, &expected, &error), CDG_OK);
    assert_int_equal(determinant(&found), expected);
    return found;
}

static void each_is_the_knot_it_is_called(void **state) {
    (void)state;
    polynomial right = in_t(1, 4, (int[]){1, 0, 1, -1}), left = mirrored(&right); // trefoils
    polynomial eight = in_t(-2, 5, (int[]){1, -1, 1, -1, 1});
    polynomial square = product(&left, &right), granny_left = product(&left, &left);
    polynomial granny_right = product(&right, &right);

    polynomial found = jones_of(CDG_TIED_OVERHAND);
    assert_true(same(&found, &left) || same(&found, &right));
    found = jones_of(CDG_TIED_FIGURE_EIGHT);
    assert_true(same(&found, &eight));
    // reef and granny have one determinant, 9; a reef is a left and a right trefoil, a granny two of one hand
    found = jones_of(CDG_TIED_SQUARE);
    assert_int_equal(determinant(&found), 9);
    assert_true(same(&found, &square));
    found = jones_of(CDG_TIED_GRANNY);
    assert_int_equal(determinant(&found), 9);
    assert_true(same(&found, &granny_left) || same(&found, &granny_right));
    // pulling the ends of a bow leaves the first half knot
    found = jones_of(CDG_TIED_BOW);
    assert_true(same(&found, &left) || same(&found, &right));
    // the bowline is 8_20 and the sheet bend 6_2 in the tables of knots
    polynomial bowline = in_t(-1, 7, (int[]){-1, 2, -1, 2, -1, 1, -1}), bowline_mirrored = mirrored(&bowline);
    found = jones_of(CDG_TIED_BOWLINE);
    assert_true(same(&found, &bowline) || same(&found, &bowline_mirrored));
    polynomial bend = in_t(-5, 7, (int[]){1, -2, 2, -2, 2, -1, 1}), bend_mirrored = mirrored(&bend);
    found = jones_of(CDG_TIED_SHEET_BEND);
    assert_true(same(&found, &bend) || same(&found, &bend_mirrored));
}

// Each rope of a double fisherman's alone is a double overhand, 5_1; both have the same hand.
static void fisherman_strands_are_double_overhands(void **state) {
    (void)state;
    polynomial right = in_t(2, 6, (int[]){1, 0, 1, -1, 1, -1}), left = mirrored(&right), found[2];
    static cdg_vec3 nodes[NODES_MAX];
    for (int strand = 0; strand < 2; strand++) {
        cdg_centerline curve = tied(CDG_TIED_DOUBLE_FISHERMAN, 0.5, 0, 3);
        curve.tied.strand = strand + 1;
        size_t count = least_of(&curve);
        sample(&curve, count, nodes);
        nodes[count + 1] = vec3(nodes[count].x, -100, 0);
        nodes[count + 2] = vec3(nodes[0].x, -101, 0);
        cdg_quat view = quat_from_axis_angle(vec3_normalize(vec3(1, 0.4, 0.2)), 0.03);
        for (size_t i = 0; i < count + 3; i++) nodes[i] = quat_rotate(view, nodes[i]);
        found[strand] = jones(nodes, count + 3);
        assert_true(same(&found[strand], &left) || same(&found[strand], &right));
    }
    assert_true(same(&found[0], &found[1]));
}

// Each rope closed on its own side: the other winds around it.
static void fisherman_strands_are_linked(void **state) {
    (void)state;
    static cdg_vec3 nodes[2][NODES_MAX];
    size_t counts[2];
    for (int strand = 0; strand < 2; strand++) {
        cdg_centerline curve = tied(CDG_TIED_DOUBLE_FISHERMAN, 0.5, 0, 5);
        curve.tied.strand = strand + 1;
        size_t last = least_of(&curve);
        sample(&curve, last, nodes[strand]);
        double side = strand == 0 ? -100 : 100;
        nodes[strand][last + 1] = vec3(nodes[strand][last].x, side, 0);
        nodes[strand][last + 2] = vec3(nodes[strand][0].x, side, 0);
        counts[strand] = last + 3;
    }
    long number = 0;
    cdg_error error = {0};
    assert_int_equal(cdg_linking_number(nodes[0], counts[0], nodes[1], counts[1], &number, &error), CDG_OK);
    assert_true(labs(number) >= 4); // two turns each
}

// ---- shape ----------------------------------------------------------------------------------------------------------

// Least distance of segments of one polygon that are farther apart than `along` on it, or of two polygons.
static double least_distance(const cdg_vec3 *a, size_t a_count, const cdg_vec3 *b, size_t b_count, double along) {
    double least = HUGE_VAL, edge = vec3_distance(a[0], a[1]);
    size_t skipped = (size_t)ceil(along / edge) + 1;
    for (size_t i = 0; i + 1 < a_count; i++) {
        for (size_t j = a == b ? i + skipped : 0; j + 1 < b_count; j++) {
            least = fmin(least, cdg_segments_closest(a[i], a[i + 1], b[j], b[j + 1]).distance2);
        }
    }
    return sqrt(least);
}

static double sharpest_radius(const cdg_vec3 *nodes, size_t count) {
    double sharpest = 0;
    for (size_t i = 1; i + 1 < count; i++) {
        cdg_vec3 before = vec3_sub(nodes[i], nodes[i - 1]), after = vec3_sub(nodes[i + 1], nodes[i]);
        double angle = atan2(vec3_norm(vec3_cross(before, after)), vec3_dot(before, after));
        sharpest = fmax(sharpest, 2 * tan(angle / 2) / (0.5 * (vec3_norm(before) + vec3_norm(after))));
    }
    return 1 / sharpest;
}

// Farther along the rope than this, in units, is another strand: half a turn of the tightest bend is nearer.
static const double OTHER_STRAND = 2.0;

static void strands_keep_their_distance(void **state) {
    (void)state;
    static cdg_vec3 nodes[NODES_MAX];
    cdg_random random = {7};
    for (int round = 0; round < 3 * CDG_TIED_KNOT_COUNT; round++) {
        double radius = pow(10, random_in(&random, -4, 0)), clearance = round % 3 == 0 ? 0 : radius * (round % 5);
        cdg_centerline curve = tied((cdg_tied_knot)(round % CDG_TIED_KNOT_COUNT), radius, clearance, 4 * radius);
        curve.tied.center = vec3(random_in(&random, -1, 1), 0, random_in(&random, -1, 1));
        cdg_quat turn = random_rotation(&random);
        curve.tied.direction = quat_rotate(turn, vec3(3, 0, 0));
        curve.tied.normal = quat_rotate(turn, vec3(0.4, 0, 2));
        double unit = 2 * radius + clearance;
        size_t least = least_of(&curve), counts[] = {least, least + 7, round < CDG_TIED_KNOT_COUNT ? 1000 : 3 * least};
        for (int k = 0; k < 3; k++) {
            sample(&curve, counts[k], nodes);
            double edge = vec3_distance(nodes[0], nodes[1]);
            for (size_t i = 0; i < counts[k]; i++) {
                double length = vec3_distance(nodes[i], nodes[i + 1]);
                assert_true(length > 0.9 * edge && length < 1.1 * edge);
            }
            double distance = least_distance(nodes, counts[k] + 1, nodes, counts[k] + 1, OTHER_STRAND * unit);
            if (!(distance >= unit)) {
                fail_msg("%s with %zu elements: strands are %g units apart", cdg_tied_name(curve.tied.knot), counts[k],
                         distance / unit);
            }
            if (!(distance < 1.2 * unit)) fail_msg("%s is loose", cdg_tied_name(curve.tied.knot));
        }
        if (round < CDG_TIED_KNOT_COUNT) {
            double sharpest = sharpest_radius(nodes, 1001);
            if (!(sharpest > 0.65 * unit)) {
                fail_msg("%s bends to %g units", cdg_tied_name(curve.tied.knot), sharpest / unit);
            }
        }
    }
}

// Two ropes as those of a bend: also with a thinner second one they only have more room.
static void ropes_of_a_bend_keep_their_distance(void **state) {
    (void)state;
    static cdg_vec3 first[NODES_MAX], second[NODES_MAX];
    for (int knot = CDG_TIED_SQUARE; knot < CDG_TIED_KNOT_COUNT; knot++) {
        cdg_centerline curve = tied((cdg_tied_knot)knot, 0.01, 0.002, 0.2);
        curve.tied.strand = 1;
        size_t least = least_of(&curve);
        sample(&curve, least, first);
        curve.tied.strand = 2;
        size_t second_least = least_of(&curve);
        sample(&curve, second_least, second);
        double distance = least_distance(first, least + 1, second, second_least + 1, 0);
        if (!(distance >= 0.022)) fail_msg("%s: ropes are %g apart", cdg_tied_name((cdg_tied_knot)knot), distance);
    }
}

static void ends_leave_where_they_are_pulled(void **state) {
    (void)state;
    static const struct {
        cdg_tied_knot knot;
        int strand;
        cdg_vec3 outward[2];
    } expected[] = {
        {CDG_TIED_OVERHAND, 0, {{-1, 0, 0}, {1, 0, 0}}},
        {CDG_TIED_FIGURE_EIGHT, 0, {{-1, 0, 0}, {1, 0, 0}}},
        {CDG_TIED_SQUARE, 1, {{-1, 0, 0}, {-1, 0, 0}}},
        {CDG_TIED_SQUARE, 2, {{1, 0, 0}, {1, 0, 0}}},
        {CDG_TIED_GRANNY, 1, {{-1, 0, 0}, {-1, 0, 0}}},
        {CDG_TIED_GRANNY, 2, {{1, 0, 0}, {1, 0, 0}}},
        {CDG_TIED_SHEET_BEND, 1, {{-1, 0, 0}, {-1, 0, 0}}},
        {CDG_TIED_SHEET_BEND, 2, {{1, 0, 0}, {0, 1, 0}}},
        {CDG_TIED_BOW, 1, {{-1, 0, 0}, {0, -1, 0}}},
        {CDG_TIED_BOW, 2, {{1, 0, 0}, {0, -1, 0}}},
        {CDG_TIED_DOUBLE_FISHERMAN, 1, {{-1, 0, 0}, {1, 0, 0}}},
        {CDG_TIED_DOUBLE_FISHERMAN, 2, {{1, 0, 0}, {-1, 0, 0}}},
        {CDG_TIED_SQUARE, 0, {{-1, 0, 0}, {1, 0, 0}}},
        {CDG_TIED_BOWLINE, 0, {{1, 0, 0}, {-0.7071, 0, 0.7071}}},
    };
    static cdg_vec3 nodes[NODES_MAX];
    for (size_t k = 0; k < sizeof expected / sizeof *expected; k++) {
        cdg_centerline curve = tied(expected[k].knot, 0.01, 0.01, 0.3);
        curve.tied.strand = expected[k].strand;
        curve.tied.tail[1] = 0.2;
        size_t n = 900;
        double length;
        cdg_error error;
        sample(&curve, n, nodes);
        assert_int_equal(cdg_centerline_length(&curve, &length, &error), CDG_OK);
        // straight along its direction for the whole tail, and without a corner where it begins
        size_t start = (size_t)(0.3 / length * (double)n), end = (size_t)(0.2 / length * (double)n);
        cdg_vec3 first = vec3_sub(nodes[0], nodes[start]), last = vec3_sub(nodes[n], nodes[n - end]);
        assert_near(vec3_distance(vec3_normalize(first), expected[k].outward[0]), 0, 1e-4);
        assert_near(vec3_distance(vec3_normalize(last), expected[k].outward[1]), 0, 1e-4);
        for (size_t i = start > 3 ? start - 3 : 0; i < start + 3; i++) {
            cdg_vec3 along = vec3_normalize(vec3_sub(nodes[i], nodes[i + 1]));
            assert_near(vec3_distance(along, expected[k].outward[0]), 0, 0.01);
        }
    }
}

static void loops_have_their_length(void **state) {
    (void)state;
    for (int knot = CDG_TIED_BOWLINE; knot < CDG_TIED_KNOT_COUNT; knot++) {
        cdg_centerline curve = tied((cdg_tied_knot)knot, 0.01, 0, 0);
        double lengths[3];
        cdg_error error = {0};
        for (int k = 0; k < 3; k++) {
            curve.tied.loop = 1 + k;
            assert_int_equal(cdg_centerline_length(&curve, &lengths[k], &error), CDG_OK);
        }
        assert_near(lengths[1] - lengths[0], 1, 0.01);
        assert_near(lengths[2] - lengths[1], 1, 0.01);
    }
}

// A rope around posts: the curve goes through the given places on its way from one strand to the other.
static void a_rope_goes_through_places(void **state) {
    (void)state;
    static cdg_vec3 nodes[NODES_MAX];
    const cdg_vec3 places[] = {{-0.3, 0.1, 0}, {-0.3, 0.4, 0}, {0.3, 0.4, 0.01}, {0.3, 0.1, 0}};
    cdg_centerline curve = tied(CDG_TIED_BOW, 0.004, 0.001, 0.05);
    curve.tied.through = places;
    curve.tied.through_count = 4;
    size_t before = 0;
    sample(&curve, 2000, nodes);
    for (int k = 0; k < 4; k++) {
        size_t nearest = 0;
        for (size_t i = 0; i <= 2000; i++)
            if (vec3_distance(nodes[i], places[k]) < vec3_distance(nodes[nearest], places[k])) nearest = i;
        assert_true(vec3_distance(nodes[nearest], places[k]) < 2e-3);
        assert_true(nearest > before);
        before = nearest;
    }
}

// ---- what is refused ------------------------------------------------------------------------------------------------

static void refuses(cdg_centerline curve, const char *text) {
    double length;
    cdg_error error = {0};
    assert_int_equal(cdg_centerline_length(&curve, &length, &error), CDG_ERROR_ARGUMENT);
    if (strstr(error.message, text) == NULL) fail_msg("'%s' does not say '%s'", error.message, text);
}

static void mistakes_are_refused(void **state) {
    (void)state;
    cdg_centerline good = tied(CDG_TIED_SQUARE, 0.01, 0, 0.1), bad = good;
    refuses(tied(CDG_TIED_SQUARE, 0, 0, 0), "radius is 0 m");
    refuses(tied(CDG_TIED_SQUARE, NAN, 0, 0), "radius is");
    refuses(tied(CDG_TIED_SQUARE, 0.01, -0.001, 0), "clearance is -0.001 m");
    refuses(tied(CDG_TIED_SQUARE, 0.01, INFINITY, 0), "clearance is");
    refuses(tied(CDG_TIED_SQUARE, 0.01, 0, -1), "tail is -1 m");
    refuses(tied(CDG_TIED_KNOT_COUNT, 0.01, 0, 0), "no knot number 8");
    bad.tied.strand = 3;
    refuses(bad, "strand is 3");
    bad = tied(CDG_TIED_OVERHAND, 0.01, 0, 0);
    bad.tied.strand = 1;
    refuses(bad, "one only");
    bad = tied(CDG_TIED_OVERHAND, 0.01, 0, 0);
    bad.tied.loop = 1;
    refuses(bad, "has no loop");
    bad = good;
    bad.tied.loop = 0.1;
    refuses(bad, "needs one of");
    bad.tied.knot = CDG_TIED_BOWLINE;
    bad.tied.loop = 0.02;
    refuses(bad, "needs one of");
    bad = good;
    bad.tied.loop = NAN;
    refuses(bad, "loop is");
    bad = good;
    bad.tied.normal = vec3(2, 0, 0);
    refuses(bad, "two different directions");
    bad = good;
    bad.tied.center.y = NAN;
    refuses(bad, "center");
    const cdg_vec3 places[] = {{0, 1, 0}, {0, 1, 0}, {NAN, 0, 0}};
    bad = good;
    bad.tied.through = places;
    bad.tied.through_count = 2;
    refuses(bad, "coincide");
    bad.tied.through_count = 3;
    refuses(bad, "point 3");
}

static void too_few_elements_are_refused(void **state) {
    (void)state;
    cdg_vec3 nodes[NODES_MAX];
    cdg_error error = {0};
    char number[32];
    cdg_centerline curve = tied(CDG_TIED_FIGURE_EIGHT, 0.01, 0, 0.1);
    size_t least = least_of(&curve);
    assert_true(least > 80 && least < 160);
    assert_int_equal(cdg_centerline_sample(&curve, least, nodes, &error), CDG_OK);
    assert_int_equal(cdg_centerline_sample(&curve, least - 1, nodes, &error), CDG_ERROR_ARGUMENT);
    snprintf(number, sizeof number, "at least %zu", least);
    assert_non_null(strstr(error.message, number));
    cdg_centerline line = cdg_centerline_default();
    assert_int_equal(least_of(&line), 1);
}

static void sizes_scale(void **state) {
    (void)state;
    static cdg_vec3 small[NODES_MAX], large[NODES_MAX];
    cdg_centerline curve = tied(CDG_TIED_GRANNY, 1e-4, 1e-5, 1e-3);
    sample(&curve, 400, small);
    curve = tied(CDG_TIED_GRANNY, 1, 0.1, 10);
    sample(&curve, 400, large);
    for (int i = 0; i <= 400; i++) assert_near(vec3_distance(vec3_scale(1e4, small[i]), large[i]), 0, 1e-9 * 30);
}

// No length makes more elements than a number holds, or none.
static void endless_tails_take_many_elements(void **state) {
    (void)state;
    cdg_centerline curve = tied(CDG_TIED_OVERHAND, 1e-3, 0, 1e80);
    assert_true(least_of(&curve) >= 1000000000);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_is_the_knot_it_is_called),
        cmocka_unit_test(endless_tails_take_many_elements),
        cmocka_unit_test(fisherman_strands_are_double_overhands),
        cmocka_unit_test(fisherman_strands_are_linked),
        cmocka_unit_test(strands_keep_their_distance),
        cmocka_unit_test(ropes_of_a_bend_keep_their_distance),
        cmocka_unit_test(ends_leave_where_they_are_pulled),
        cmocka_unit_test(loops_have_their_length),
        cmocka_unit_test(a_rope_goes_through_places),
        cmocka_unit_test(mistakes_are_refused),
        cmocka_unit_test(too_few_elements_are_refused),
        cmocka_unit_test(sizes_scale),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
