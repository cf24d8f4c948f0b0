// Centrelines: nodes on the curve and equally spaced along it, lengths, motion and scale, files, degenerate input.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include <cordage/geometry.h>

#include "math/random.h"
#include "near.h"

#define PI 3.14159265358979323846
#define CSV "test_centerline.tmp.csv"

enum { NODES_MAX = 1300 };

static void sample(const cdg_centerline *curve, size_t element_count, cdg_vec3 *out) {
    cdg_error error = {0};
    if (cdg_centerline_sample(curve, element_count, out, &error) != CDG_OK) fail_msg("%s", error.message);
}
static double length_of(const cdg_centerline *curve) {
    double length = 0;
    cdg_error error = {0};
    if (cdg_centerline_length(curve, &length, &error) != CDG_OK) fail_msg("%s", error.message);
    return length;
}

enum { POINTS = 7 };
static const cdg_vec3 corner[POINTS] = {{0, 0, 0},  {1, 0, 0},    {1, 2, 0.5}, {0, 2.5, 1},
                                        {-1, 1, 2}, {-3, 0, 0.3}, {-1, -1, 0}};

// One valid curve of every kind, and the closed variants: number 0 .. KINDS - 1.
enum { KINDS = 11 };
static cdg_centerline curve_number(int number) {
    cdg_centerline curve = cdg_centerline_default();
    curve.line.from = vec3(1, 2, 3);
    curve.line.to = vec3(-2, 0, 1);
    curve.arc.start = vec3(0.5, 0, 0);
    curve.arc.tangent = vec3(2, 0, 0);
    curve.arc.normal = vec3(0.4, 1, 0.3);
    curve.arc.radius = 0.7;
    curve.arc.angle = 4;
    curve.circle.center = vec3(0, 1, 0);
    curve.circle.axis = vec3(1, 1, 0);
    curve.circle.start_direction = vec3(1, 0, 2);
    curve.circle.radius = 1.3;
    curve.helix.base = vec3(1, 0, 0);
    curve.helix.axis = vec3(0, 1, 3);
    curve.helix.start_direction = vec3(1, 0.2, 0);
    curve.helix.radius = 0.5;
    curve.helix.pitch = 0.3;
    curve.helix.turns = 2.5;
    curve.points.points = corner;
    curve.points.count = POINTS;
    curve.knot.radius = 1;
    curve.knot.tube_radius = 0.4;
    curve.knot.axis = vec3(1, 2, 2);
    const cdg_centerline_kind kinds[KINDS] = {CDG_CENTERLINE_LINE,     CDG_CENTERLINE_ARC,    CDG_CENTERLINE_CIRCLE,
                                              CDG_CENTERLINE_HELIX,    CDG_CENTERLINE_HELIX,  CDG_CENTERLINE_POLYLINE,
                                              CDG_CENTERLINE_POLYLINE, CDG_CENTERLINE_SPLINE, CDG_CENTERLINE_SPLINE,
                                              CDG_CENTERLINE_KNOT,     CDG_CENTERLINE_KNOT};
    curve.kind = kinds[number];
    curve.closed = number == 6 || number == 8;
    curve.helix.left_handed = number == 4;
    curve.knot.tail = number == 10 ? 1.5 : 0;
    return curve;
}

static void test_default_is_the_unit_line(void **state) {
    (void)state;
    cdg_centerline curve = cdg_centerline_default();
    cdg_vec3 nodes[5];
    sample(&curve, 4, nodes);
    for (int i = 0; i < 5; i++) assert_vec3_near(nodes[i], vec3(i / 4.0, 0, 0), 0);
    assert_near(length_of(&curve), 1, 0);
    assert_false(cdg_centerline_is_closed(&curve));
}

static void test_which_curves_are_closed(void **state) {
    (void)state;
    const bool expected[KINDS] = {false, false, true, false, false, false, true, false, true, true, false};
    for (int k = 0; k < KINDS; k++) {
        cdg_centerline curve = curve_number(k);
        assert_int_equal(cdg_centerline_is_closed(&curve), expected[k]);
        curve.kind = CDG_CENTERLINE_FILE;
        assert_int_equal(cdg_centerline_is_closed(&curve), curve.closed);
    }
}

// Equal spacing in arc length means that every fifth of 5 N nodes is one of N, on every curve; and that chords approach
// the length at second order. Exactly as many nodes are written as promised.
static void test_spacing_is_equal_in_arc_length(void **state) {
    (void)state;
    enum { COUNT = 250 };
    static cdg_vec3 coarse[NODES_MAX], fine[NODES_MAX];
    for (int k = 0; k < KINDS; k++) {
        cdg_centerline curve = curve_number(k);
        bool is_closed = cdg_centerline_is_closed(&curve);
        double length = length_of(&curve), sum = 0;
        size_t node_count = is_closed ? COUNT : COUNT + 1;
        coarse[node_count] = vec3(77, 77, 77);
        sample(&curve, COUNT, coarse);
        sample(&curve, 5 * COUNT, fine);
        assert_vec3_near(coarse[node_count], vec3(77, 77, 77), 0);
        for (size_t i = 0; i < node_count; i++) assert_vec3_near(coarse[i], fine[5 * i], 1e-12);
        for (size_t i = 0; i < 5 * COUNT; i++) {
            double chord = vec3_distance(fine[i], fine[is_closed ? (i + 1) % (5 * COUNT) : i + 1]);
            assert_true(chord <= length / (5 * COUNT) * (1 + 1e-11)); // a chord is never longer than its arc
            sum += chord;
        }
        // polylines lose a little at each corner
        assert_near(sum, length, (curve.kind == CDG_CENTERLINE_POLYLINE ? 5e-3 : 1e-4) * length);
    }
}

static void test_arc(void **state) {
    (void)state;
    cdg_random random = {1};
    cdg_vec3 nodes[41];
    for (int round = 0; round < 100; round++) {
        cdg_centerline curve = curve_number(1);
        curve.arc.start = random_vec3(&random, 1);
        curve.arc.tangent = random_vec3(&random, 1);
        curve.arc.normal = random_vec3(&random, 1);
        curve.arc.radius = exp(random_in(&random, -3, 3));
        curve.arc.angle = random_in(&random, 0.01, 7);
        double r = curve.arc.radius, angle = curve.arc.angle;
        cdg_vec3 t = vec3_normalize(curve.arc.tangent);
        cdg_vec3 n = vec3_normalize(vec3_mad(curve.arc.normal, -vec3_dot(curve.arc.normal, t), t));
        sample(&curve, 40, nodes);
        assert_near(length_of(&curve), r * angle, 1e-13 * r * angle);
        for (int i = 0; i <= 40; i++) {
            double a = angle * i / 40;
            cdg_vec3 expected = vec3_mad(vec3_mad(curve.arc.start, r * sin(a), t), r * (1 - cos(a)), n);
            assert_vec3_near(nodes[i], expected, 1e-13 * (1 + r));
        }
    }
}

static void test_circle_and_helix(void **state) {
    (void)state;
    cdg_random random = {2};
    cdg_vec3 nodes[61];
    for (int round = 0; round < 200; round++) {
        bool is_helix = round % 2 == 1;
        cdg_centerline curve = curve_number(is_helix ? 3 : 2);
        cdg_vec3 center = random_vec3(&random, 1), axis = random_vec3(&random, 3), start = random_vec3(&random, 2);
        if (round % 10 < 2) start = vec3(0, 0, 0); // any start direction
        double radius = random_in(&random, 0.1, 2), pitch = is_helix ? random_in(&random, 0, 1) : 0;
        double turns = is_helix ? random_in(&random, 0.1, 9) : 1;
        curve.circle.center = curve.helix.base = center;
        curve.circle.axis = curve.helix.axis = axis;
        curve.circle.start_direction = curve.helix.start_direction = start;
        curve.circle.radius = curve.helix.radius = radius;
        curve.helix.pitch = pitch;
        curve.helix.turns = turns;
        curve.helix.left_handed = is_helix && random_unit(&random) < 0.5;
        sample(&curve, 60, nodes);
        double hand = curve.helix.left_handed ? -1 : 1, step = 2 * PI * turns / 60;
        assert_near(length_of(&curve), turns * hypot(2 * PI * radius, pitch), 1e-12);
        axis = vec3_normalize(axis);
        cdg_vec3 first = vec3_sub(nodes[0], center);
        assert_near(vec3_norm(first), radius, 1e-14);
        if (vec3_norm(start) > 0) assert_near(vec3_dot(vec3_cross(axis, start), first), 0, 1e-13);
        if (vec3_norm(start) > 0) assert_true(vec3_dot(start, first) > 0);
        for (int i = 0; i < (is_helix ? 61 : 60); i++) {
            cdg_quat turn = quat_from_axis_angle(axis, hand * step * i);
            cdg_vec3 expected = vec3_add(center, quat_rotate(turn, first));
            assert_vec3_near(nodes[i], vec3_mad(expected, pitch * turns * i / 60, axis), 1e-12);
        }
    }
    // about z the free choice is x
    cdg_centerline curve = cdg_centerline_default();
    curve.kind = CDG_CENTERLINE_CIRCLE;
    curve.circle.radius = 2;
    sample(&curve, 4, nodes);
    assert_vec3_near(nodes[0], vec3(2, 0, 0), 1e-15);
    assert_vec3_near(nodes[1], vec3(0, 2, 0), 1e-15);
}

static void test_polyline_keeps_its_points(void **state) {
    (void)state;
    cdg_vec3 nodes[POINTS];
    for (int is_closed = 0; is_closed < 2; is_closed++) {
        cdg_centerline curve = curve_number(5);
        curve.closed = is_closed;
        sample(&curve, is_closed ? POINTS : POINTS - 1, nodes);
        assert_memory_equal(nodes, corner, sizeof corner);
    }
}

static double edge_distance(cdg_vec3 point, cdg_vec3 a, cdg_vec3 b) {
    cdg_vec3 edge = vec3_sub(b, a);
    double at = fmin(fmax(vec3_dot(vec3_sub(point, a), edge) / vec3_dot(edge, edge), 0), 1);
    return vec3_distance(point, vec3_mad(a, at, edge));
}

static void test_resampled_polyline_stays_on_its_edges(void **state) {
    (void)state;
    static cdg_vec3 nodes[NODES_MAX];
    for (int is_closed = 0; is_closed < 2; is_closed++) {
        cdg_centerline curve = curve_number(5);
        curve.closed = is_closed;
        for (size_t count = 3; count < 200; count++) {
            if (count == (size_t)(is_closed ? POINTS : POINTS - 1)) continue;
            sample(&curve, count, nodes);
            assert_memory_equal(&nodes[0], &corner[0], sizeof nodes[0]);
            if (!is_closed) assert_memory_equal(&nodes[count], &corner[POINTS - 1], sizeof nodes[0]);
            for (size_t i = 0; i < count; i++) {
                double nearest = INFINITY;
                for (int k = 0; k < POINTS - 1 + is_closed; k++) {
                    nearest = fmin(nearest, edge_distance(nodes[i], corner[k], corner[(k + 1) % POINTS]));
                }
                assert_near(nearest, 0, 1e-14);
            }
        }
    }
}

static void test_spline_passes_through_its_points(void **state) {
    (void)state;
    static cdg_vec3 nodes[NODES_MAX];
    cdg_centerline curve = curve_number(7);
    sample(&curve, 1200, nodes);
    double spacing = length_of(&curve) / 1200;
    for (int k = 0; k < POINTS; k++) {
        double nearest = INFINITY;
        for (int i = 0; i <= 1200; i++) nearest = fmin(nearest, vec3_distance(nodes[i], corner[k]));
        assert_true(nearest <= spacing / 2 * (1 + 1e-9));
    }
    assert_memory_equal(&nodes[0], &corner[0], sizeof nodes[0]);
    assert_memory_equal(&nodes[1200], &corner[POINTS - 1], sizeof nodes[0]);
}

// Moving, turning and scaling the description moves, turns and scales the nodes. A knot turns about its axis as it
// likes, so that its distances are compared instead.
static void test_equivariance(void **state) {
    (void)state;
    cdg_random random = {3};
    cdg_vec3 nodes[52], moved_nodes[52], moved_points[POINTS];
    for (int round = 0; round < 10 * KINDS; round++) {
        cdg_centerline curve = curve_number(round % KINDS), moved = curve;
        cdg_quat turn = random_rotation(&random);
        cdg_vec3 move = random_vec3(&random, 2);
        double scale = exp(random_in(&random, -4, 4));
        cdg_vec3 *places[] = {&moved.line.from,     &moved.line.to,    &moved.arc.start,
                              &moved.circle.center, &moved.helix.base, &moved.knot.center};
        cdg_vec3 *directions[] = {&moved.arc.tangent, &moved.arc.normal,
                                  &moved.circle.axis, &moved.circle.start_direction,
                                  &moved.helix.axis,  &moved.helix.start_direction,
                                  &moved.knot.axis};
        double *sizes[] = {&moved.arc.radius,  &moved.circle.radius,    &moved.helix.radius, &moved.helix.pitch,
                           &moved.knot.radius, &moved.knot.tube_radius, &moved.knot.tail};
        for (size_t i = 0; i < 6; i++) *places[i] = vec3_mad(move, scale, quat_rotate(turn, *places[i]));
        for (size_t i = 0; i < 7; i++) *directions[i] = quat_rotate(turn, *directions[i]);
        for (size_t i = 0; i < 7; i++) *sizes[i] *= scale;
        for (int i = 0; i < POINTS; i++) moved_points[i] = vec3_mad(move, scale, quat_rotate(turn, corner[i]));
        moved.points.points = moved_points;
        sample(&curve, 51, nodes);
        sample(&moved, 51, moved_nodes);
        double tolerance = 1e-11 * (scale + vec3_norm(move));
        assert_near(length_of(&moved), scale * length_of(&curve), 1e-11 * length_of(&moved));
        size_t node_count = cdg_centerline_is_closed(&curve) ? 51 : 52;
        for (size_t i = 0; i < node_count; i++) {
            if (curve.kind == CDG_CENTERLINE_KNOT) {
                for (size_t j = 0; j < i; j++) {
                    assert_near(vec3_distance(moved_nodes[i], moved_nodes[j]),
                                scale * vec3_distance(nodes[i], nodes[j]), tolerance);
                }
            } else {
                assert_vec3_near(moved_nodes[i], vec3_mad(move, scale, quat_rotate(turn, nodes[i])), tolerance);
            }
        }
    }
}

// ---- files ----------------------------------------------------------------------------------------------------------

static cdg_centerline file_curve(const char *text) {
    FILE *file = fopen(CSV, "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
    cdg_centerline curve = cdg_centerline_default();
    curve.kind = CDG_CENTERLINE_FILE;
    curve.file.path = CSV;
    return curve;
}

static int remove_files(void **state) {
    (void)state;
    remove(CSV);
    return 0;
}

static void test_file(void **state) {
    (void)state;
    cdg_vec3 nodes[9];
    cdg_centerline curve = file_curve("x,y,z\n0,0,0\n3,0,0\n3,4,0\n");
    sample(&curve, 7, nodes);
    for (int i = 0; i < 8; i++) assert_vec3_near(nodes[i], i < 4 ? vec3(i, 0, 0) : vec3(3, i - 3, 0), 1e-15);
    assert_near(length_of(&curve), 7, 1e-15);
    curve.closed = true;
    assert_near(length_of(&curve), 12, 1e-15);
    sample(&curve, 3, nodes);
    assert_vec3_near(nodes[2], vec3(3, 4, 0), 0);
    // points that were read already are used instead
    curve.points.points = corner;
    curve.points.count = POINTS;
    sample(&curve, POINTS, nodes);
    assert_vec3_near(nodes[4], corner[4], 0);
}

static void test_file_ring_must_be_marked(void **state) {
    (void)state;
    cdg_vec3 nodes[9];
    cdg_error error = {0};
    cdg_centerline curve = file_curve("0,0,0\n3,0,0\n3,4,0\n0,0,0\n");
    assert_int_equal(cdg_centerline_sample(&curve, 8, nodes, &error), CDG_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "closed"));
    assert_near(length_of(&curve), 12, 1e-15);
    curve.closed = true;
    sample(&curve, 6, nodes);
    assert_vec3_near(nodes[1], vec3(2, 0, 0), 1e-15);
}

static void test_file_errors_pass_through(void **state) {
    (void)state;
    cdg_vec3 nodes[9];
    double length;
    cdg_error error = {0};
    cdg_centerline curve = file_curve("0,0,0\n3,0,zero\n");
    assert_int_equal(cdg_centerline_sample(&curve, 8, nodes, &error), CDG_ERROR_FORMAT);
    assert_non_null(strstr(error.message, CSV ":2:"));
    curve.file.path = "no/such/file.obj";
    assert_int_equal(cdg_centerline_length(&curve, &length, &error), CDG_ERROR_IO);
    curve.file.path = NULL;
    assert_int_equal(cdg_centerline_length(&curve, &length, &error), CDG_ERROR_ARGUMENT);
    curve = file_curve("0,0,0\n3,0,0\n"); // two points cannot be a ring
    curve.closed = true;
    assert_int_equal(cdg_centerline_sample(&curve, 8, nodes, &error), CDG_ERROR_ARGUMENT);
}

// ---- spacing --------------------------------------------------------------------------------------------------------

// What an even division of 1,000 has at 300 an uneven one has in the middle, whatever the curve, and evenly so between.
static void test_uneven_spacing(void **state) {
    (void)state;
    static cdg_vec3 fine[1001], uneven[11];
    const cdg_spacing points[2] = {{0.2, 0.1}, {0.5, 0.3}};
    const size_t at[10] = {0, 50, 100, 167, 233, 300, 440, 580, 720, 860};
    for (int k = 0; k < KINDS; k++) {
        cdg_centerline curve = curve_number(k);
        sample(&curve, 1000, fine);
        curve.spacing = points, curve.spacing_count = 2;
        sample(&curve, 10, uneven);
        double length = length_of(&curve);
        for (int i = 0; i < 10; i++) {
            double off = i == 3 || i == 4 ? 0.4e-3 : 1e-9; // a third of a thousandth
            if (!(vec3_distance(uneven[i], fine[at[i]]) <= off * length))
                fail_msg("kind %d, node %d: %g m off", k, i, vec3_distance(uneven[i], fine[at[i]]));
        }
    }
}

static void test_polyline_with_spacing_is_resampled(void **state) {
    (void)state;
    const cdg_vec3 corners[3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}};
    const cdg_spacing point = {0.5, 0.25};
    cdg_vec3 nodes[3];
    cdg_centerline curve = cdg_centerline_default();
    curve.kind = CDG_CENTERLINE_POLYLINE;
    curve.points.points = corners, curve.points.count = 3;
    curve.spacing = &point, curve.spacing_count = 1;
    sample(&curve, 2, nodes);
    assert_near(nodes[1].x, 0.5, 1e-15);
}

static void refuse(cdg_centerline curve, size_t element_count, const char *text);

static void test_bad_spacing(void **state) {
    (void)state;
    const cdg_spacing bad[][2] = {{{0, 0.1}, {0.5, 0.5}},   {{0.1, 0}, {0.5, 0.5}},   {{0.5, 0.5}, {0.4, 0.6}},
                                  {{0.5, 0.5}, {0.6, 0.5}}, {{0.5, 0.5}, {1, 0.6}},   {{0.5, 0.5}, {0.6, 1}},
                                  {{0.5, 0.5}, {NAN, 0.6}}, {{0.5, NAN}, {0.6, 0.6}}, {{0.5, 0.5}, {0.6, INFINITY}}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        for (int k = 0; k < KINDS; k++) {
            cdg_centerline curve = curve_number(k);
            curve.spacing = bad[i], curve.spacing_count = 2;
            refuse(curve, 10, "spacing wants shares between 0 and 1 in rising order");
        }
    cdg_centerline curve = curve_number(0);
    curve.spacing_count = 1;
    refuse(curve, 10, "spacing");
}

// ---- degenerate input -----------------------------------------------------------------------------------------------

static void refuse(cdg_centerline curve, size_t element_count, const char *text) {
    cdg_vec3 nodes[32];
    cdg_error error = {0};
    assert_int_equal(cdg_centerline_sample(&curve, element_count, nodes, &error), CDG_ERROR_ARGUMENT);
    if (strstr(error.message, text) == NULL) fail_msg("'%s' does not name '%s'", error.message, text);
    assert_int_equal(cdg_centerline_sample(&curve, element_count, nodes, NULL), CDG_ERROR_ARGUMENT);
}

static void test_element_counts(void **state) {
    (void)state;
    cdg_vec3 nodes[4];
    for (int k = 0; k < KINDS; k++) {
        cdg_centerline curve = curve_number(k);
        bool is_closed = cdg_centerline_is_closed(&curve);
        refuse(curve, 0, "0 elements");
        if (is_closed) refuse(curve, 2, "2 elements; a closed rod needs at least 3");
        sample(&curve, is_closed ? 3 : 1, nodes);
    }
}

static void test_bad_numbers(void **state) {
    (void)state;
    const double bad[] = {0, -1, NAN, INFINITY, -INFINITY};
    for (int i = 0; i < 5; i++) {
        cdg_centerline curve = curve_number(1);
        curve.arc.radius = bad[i];
        refuse(curve, 5, "arc: radius");
        curve = curve_number(1);
        curve.arc.angle = bad[i];
        refuse(curve, 5, "arc: angle");
        curve = curve_number(2);
        curve.circle.radius = bad[i];
        refuse(curve, 5, "circle: radius");
        curve = curve_number(3);
        curve.helix.radius = bad[i];
        refuse(curve, 5, "helix: radius");
        curve = curve_number(3);
        curve.helix.turns = bad[i];
        refuse(curve, 5, "helix: turns");
        curve = curve_number(9);
        curve.knot.tube_radius = bad[i];
        refuse(curve, 5, "tube_radius");
        if (i == 0) continue;
        curve = curve_number(3);
        curve.helix.pitch = bad[i];
        refuse(curve, 5, "helix: pitch");
        if (i == 1) continue;
        struct {
            int number;
            size_t place;
            const char *name;
        } vectors[] = {{0, offsetof(cdg_centerline, line.from), "line: from"},
                       {0, offsetof(cdg_centerline, line.to), "line: to"},
                       {1, offsetof(cdg_centerline, arc.start), "arc: start"},
                       {1, offsetof(cdg_centerline, arc.tangent), "arc: tangent"},
                       {1, offsetof(cdg_centerline, arc.normal), "arc: normal"},
                       {2, offsetof(cdg_centerline, circle.center), "circle: center"},
                       {2, offsetof(cdg_centerline, circle.axis), "circle: axis"},
                       {2, offsetof(cdg_centerline, circle.start_direction), "circle: start_direction"},
                       {3, offsetof(cdg_centerline, helix.base), "helix: base"},
                       {3, offsetof(cdg_centerline, helix.axis), "helix: axis"},
                       {4, offsetof(cdg_centerline, helix.start_direction), "helix: start_direction"},
                       {9, offsetof(cdg_centerline, knot.center), "knot: center"},
                       {9, offsetof(cdg_centerline, knot.axis), "knot: axis"}};
        for (size_t k = 0; k < sizeof vectors / sizeof vectors[0]; k++) {
            curve = curve_number(vectors[k].number);
            memcpy((char *)&curve + vectors[k].place + sizeof(double), &bad[i], sizeof bad[i]);
            refuse(curve, 5, vectors[k].name);
        }
    }
}

static void test_directions_that_are_none(void **state) {
    (void)state;
    cdg_centerline curve = curve_number(0);
    curve.line.to = curve.line.from;
    refuse(curve, 5, "the same place");
    curve = curve_number(1);
    curve.arc.normal = vec3_scale(-3, curve.arc.tangent);
    refuse(curve, 5, "parallel to tangent");
    curve.arc.normal = vec3(0, 0, 0);
    refuse(curve, 5, "arc: normal");
    curve = curve_number(1);
    curve.arc.tangent = vec3(0, 0, 0);
    refuse(curve, 5, "arc: tangent");
    curve = curve_number(2);
    curve.circle.start_direction = vec3_scale(2, curve.circle.axis);
    refuse(curve, 5, "parallel to axis");
    curve.circle.axis = vec3(0, 0, 0);
    refuse(curve, 5, "circle: axis");
    curve = curve_number(3);
    curve.helix.start_direction = curve.helix.axis;
    refuse(curve, 5, "parallel to axis");
    curve = curve_number(9);
    curve.knot.q = 4;
    refuse(curve, 5, "divisor");
    curve = curve_number(0);
    curve.kind = CDG_CENTERLINE_KIND_COUNT;
    refuse(curve, 5, "kind");
    curve = curve_number(0);
    curve.line.to = vec3(1e200, 1e200, 0);
    refuse(curve, 5, "too far apart");
}

static void test_bad_points(void **state) {
    (void)state;
    for (int kind = 5; kind < 9; kind++) {
        cdg_centerline curve = curve_number(kind);
        cdg_vec3 points[POINTS];
        memcpy(points, corner, sizeof points);
        curve.points.points = points;
        curve.points.count = curve.closed ? 2 : 1;
        refuse(curve, 5, "needs at least");
        curve.points.count = 0;
        curve.points.points = NULL;
        refuse(curve, 5, "needs at least");
        curve.points.count = POINTS;
        curve.points.points = points;
        points[3] = points[2];
        refuse(curve, 5, "points 3 and 4 ");
        points[3].x += 1e-15; // nothing that rounding could not do
        refuse(curve, 5, "points 3 and 4 ");
        points[3] = corner[3];
        points[5].y = NAN;
        refuse(curve, 5, "point 6 ");
        points[5].y = 1e300;
        refuse(curve, 5, "too far apart");
        points[5] = corner[5];
        points[POINTS - 1] = points[0];
        cdg_vec3 nodes[9];
        if (curve.closed) refuse(curve, 8, "repeats the first");
        if (!curve.closed) sample(&curve, 8, nodes); // ends may touch
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_default_is_the_unit_line),
        cmocka_unit_test(test_which_curves_are_closed),
        cmocka_unit_test(test_spacing_is_equal_in_arc_length),
        cmocka_unit_test(test_arc),
        cmocka_unit_test(test_circle_and_helix),
        cmocka_unit_test(test_polyline_keeps_its_points),
        cmocka_unit_test(test_resampled_polyline_stays_on_its_edges),
        cmocka_unit_test(test_spline_passes_through_its_points),
        cmocka_unit_test(test_equivariance),
        cmocka_unit_test(test_file),
        cmocka_unit_test(test_file_ring_must_be_marked),
        cmocka_unit_test(test_file_errors_pass_through),
        cmocka_unit_test(test_uneven_spacing),
        cmocka_unit_test(test_polyline_with_spacing_is_resampled),
        cmocka_unit_test(test_bad_spacing),
        cmocka_unit_test(test_element_counts),
        cmocka_unit_test(test_bad_numbers),
        cmocka_unit_test(test_directions_that_are_none),
        cmocka_unit_test(test_bad_points),
    };
    return cmocka_run_group_tests(tests, NULL, remove_files);
}
