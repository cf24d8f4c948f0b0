// Frames: orthonormal along the edges, free of twist, closing up on loops, turning with the curve, degenerate edges.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "geometry/frames.h"
#include "math/random.h"
#include "near.h"

#define PI 3.14159265358979323846

enum { NODES_MAX = 2001 };

static cdg_vec3 tangent_of(const cdg_vec3 *nodes, size_t element_count, bool is_closed, size_t i) {
    return vec3_normalize(vec3_sub(nodes[is_closed && i + 1 == element_count ? 0 : i + 1], nodes[i]));
}

// A random walk that turns smoothly or wildly, with uneven edges.
static void random_curve(cdg_random *random, cdg_vec3 *nodes, size_t node_count, double wildness) {
    cdg_vec3 direction = random_vec3(random, 1);
    nodes[0] = random_vec3(random, 3);
    for (size_t i = 1; i < node_count; i++) {
        direction = vec3_normalize(vec3_mad(direction, wildness, random_vec3(random, 1)));
        nodes[i] = vec3_mad(nodes[i - 1], random_in(random, 0.1, 1), direction);
    }
}

// Nonplanar loop, unevenly sampled, with a closure angle far from zero.
static void space_loop(cdg_vec3 *nodes, size_t count) {
    for (size_t i = 0; i < count; i++) {
        double t = 2 * PI * ((double)i + 0.3 * sin((double)i)) / (double)count;
        nodes[i] = vec3((2 + 0.7 * cos(3 * t)) * cos(2 * t), (2 + 0.7 * cos(3 * t)) * sin(2 * t), sin(3 * t));
    }
}

// Turn about d3 from one frame to the next, in excess of the smallest rotation between their tangents.
static double twist_between(cdg_quat a, cdg_quat b) {
    cdg_quat turn = quat_relative(a, b);
    if (turn.w < 0) turn = quat_negate(turn);
    // swing-twist: the part of the turn about e3
    return 2 * atan2(turn.z, turn.w);
}

static double wrap(double angle) { return angle - 2 * PI * round(angle / (2 * PI)); }

static void test_no_spurious_twist(void **state) {
    (void)state;
    cdg_random random = {1};
    static cdg_vec3 nodes[NODES_MAX];
    static cdg_quat frames[NODES_MAX];
    const double wildness[] = {0, 0.05, 0.5, 5};
    for (int round = 0; round < 40; round++) {
        size_t count = 1 + (size_t)(random_unit(&random) * (NODES_MAX - 2));
        random_curve(&random, nodes, count + 1, wildness[round % 4]);
        if (round % 3 == 0) { // planar
            for (size_t i = 0; i <= count; i++) nodes[i].z = 0.5 * nodes[i].x + 1;
        }
        assert_int_equal(cdg_frames_from_nodes(nodes, count, false, NULL, 0, 0, frames, NULL), CDG_OK);
        for (size_t i = 0; i < count; i++) {
            assert_near(quat_dot(frames[i], frames[i]), 1, 1e-14);
            assert_vec3_near(quat_d3(frames[i]), tangent_of(nodes, count, false, i), 2e-15);
            if (i == 0) continue;
            assert_true(quat_dot(frames[i - 1], frames[i]) >= 0);
            assert_near(quat_relative(frames[i - 1], frames[i]).z, 0, 1e-15);
        }
    }
}

// On a planar curve the normal of the plane is carried along unchanged.
static void test_planar_curve_keeps_its_normal(void **state) {
    (void)state;
    enum { COUNT = 300 };
    cdg_vec3 nodes[COUNT + 1], up = vec3(0, 0, 1);
    cdg_quat frames[COUNT];
    for (int i = 0; i <= COUNT; i++) nodes[i] = vec3(0.01 * i * cos(0.2 * i), 0.01 * i * sin(0.2 * i), 2);
    nodes[0] = vec3(-0.02, 0, 2);
    assert_int_equal(cdg_frames_from_nodes(nodes, COUNT, false, &up, 0, 0, frames, NULL), CDG_OK);
    for (int i = 0; i < COUNT; i++) assert_vec3_near(quat_d1(frames[i]), up, 1e-13);
}

// Transport along a helix turns the normal back by the total torsion (Bishop 1975): angle = torsion * length.
static void test_helix_torsion(void **state) {
    (void)state;
    enum { COUNT = 2000 };
    static cdg_vec3 nodes[COUNT + 1];
    static cdg_quat frames[COUNT];
    double radius = 1, rise = 0.5, span = 6, speed2 = radius * radius + rise * rise;
    for (int i = 0; i <= COUNT; i++) {
        double t = span * i / COUNT;
        nodes[i] = vec3(radius * cos(t), radius * sin(t), rise * t);
    }
    double middle = span / COUNT / 2;
    cdg_vec3 first_normal = vec3(-cos(middle), -sin(middle), 0);
    assert_int_equal(cdg_frames_from_nodes(nodes, COUNT, false, &first_normal, 0, 0, frames, NULL), CDG_OK);
    double t = span - middle, torsion = rise / speed2, length = (span - 2 * middle) * sqrt(speed2);
    cdg_vec3 normal = vec3(-cos(t), -sin(t), 0), binormal = vec3_cross(quat_d3(frames[COUNT - 1]), normal);
    cdg_vec3 d1 = quat_d1(frames[COUNT - 1]);
    assert_near(wrap(atan2(vec3_dot(d1, binormal), vec3_dot(d1, normal)) + torsion * length), 0, 1e-5);
}

static void test_first_frame_and_roll(void **state) {
    (void)state;
    cdg_random random = {2};
    for (int round = 0; round < 500; round++) {
        cdg_vec3 nodes[3], wish = random_vec3(&random, 4);
        cdg_quat frames[2], rolled[2];
        random_curve(&random, nodes, 3, 1);
        double roll = random_in(&random, -7, 7);
        assert_int_equal(cdg_frames_from_nodes(nodes, 2, false, &wish, 0, 0, frames, NULL), CDG_OK);
        assert_near(vec3_dot(quat_d2(frames[0]), wish), 0, 1e-13); // no perpendicular direction is nearer than d1
        assert_true(vec3_dot(quat_d1(frames[0]), wish) > 0);
        assert_int_equal(cdg_frames_from_nodes(nodes, 2, false, &wish, roll, 0, rolled, NULL), CDG_OK);
        for (int i = 0; i < 2; i++) {
            cdg_quat expected = quat_multiply(frames[i], quat_from_axis_angle(vec3(0, 0, 1), roll));
            assert_rotation_near(rolled[i], expected, 1e-14);
        }
    }
    // a wish along the tangent, or none, still gives a frame
    cdg_vec3 nodes[2] = {{0, 0, 0}, {0, 2, 0}};
    const cdg_vec3 wishes[] = {{0, 1, 0}, {0, -5, 0}, {0, 0, 0}};
    for (int i = 0; i < 3; i++) {
        cdg_quat frame;
        assert_int_equal(cdg_frames_from_nodes(nodes, 1, false, &wishes[i], 0, 0, &frame, NULL), CDG_OK);
        assert_vec3_near(quat_d3(frame), vec3(0, 1, 0), 1e-15);
        assert_near(quat_dot(frame, frame), 1, 1e-15);
    }
}

static void test_twist_is_per_length(void **state) {
    (void)state;
    enum { COUNT = 200 };
    cdg_random random = {3};
    cdg_vec3 nodes[COUNT + 1];
    cdg_quat frames[COUNT];
    random_curve(&random, nodes, COUNT + 1, 0.3);
    const double twists[] = {1.7, -0.2, 20}; // the last turns frames by more than half a turn an element
    for (int k = 0; k < 3; k++) {
        assert_int_equal(cdg_frames_from_nodes(nodes, COUNT, false, NULL, 0.4, twists[k], frames, NULL), CDG_OK);
        for (int i = 1; i < COUNT; i++) {
            double cell = (vec3_distance(nodes[i - 1], nodes[i]) + vec3_distance(nodes[i], nodes[i + 1])) / 2;
            assert_near(wrap(twist_between(frames[i - 1], frames[i]) - twists[k] * cell), 0, 1e-11);
            assert_true(quat_dot(frames[i - 1], frames[i]) >= 0);
        }
    }
}

// The first frame's own turn is twist times half its element, so that the start of the rod has the roll alone.
static void test_twist_starts_at_the_first_node(void **state) {
    (void)state;
    cdg_vec3 nodes[3] = {{0, 0, 0}, {0, 0, 2}, {0, 0, 3}}, x = vec3(1, 0, 0);
    cdg_quat frames[2];
    assert_int_equal(cdg_frames_from_nodes(nodes, 2, false, &x, 0.1, 0.3, frames, NULL), CDG_OK);
    assert_vec3_near(quat_d1(frames[0]), vec3(cos(0.4), sin(0.4), 0), 1e-15);
    assert_vec3_near(quat_d1(frames[1]), vec3(cos(0.85), sin(0.85), 0), 1e-15);
}

static void test_closed_curve_closes_up(void **state) {
    (void)state;
    static cdg_vec3 nodes[NODES_MAX];
    static cdg_quat frames[NODES_MAX];
    for (size_t count = 16; count < 1000; count = count * 2 + 1) {
        space_loop(nodes, count);
        cdg_vec3 wish = vec3(0.2, 1, 0.4);
        assert_int_equal(cdg_frames_from_nodes(nodes, count, true, &wish, 0, 0, frames, NULL), CDG_OK);
        assert_near(vec3_dot(quat_d2(frames[0]), wish), 0, 1e-13); // closing up leaves the first frame alone
        double rate = 0;
        for (size_t i = 0; i < count; i++) {
            size_t next = (i + 1) % count;
            assert_vec3_near(quat_d3(frames[i]), tangent_of(nodes, count, true, i), 2e-15);
            double cell =
                (vec3_distance(nodes[i], nodes[next]) + vec3_distance(nodes[next], nodes[(next + 1) % count])) / 2;
            double here = twist_between(frames[i], frames[next]) / cell;
            if (i == 0) rate = here;
            assert_near(here, rate, 1e-12); // the same everywhere, over the seam too
            if (next != 0) assert_true(quat_dot(frames[i], frames[next]) >= 0);
        }
        if (count > 100) assert_true(fabs(rate) > 1e-3); // the loop does have a closure angle to spread
    }
}

// A ring in a plane needs no twist; around it the quaternion changes sign, which only the seam shows.
static void test_ring_has_no_twist_and_one_sign_change(void **state) {
    (void)state;
    enum { COUNT = 60 };
    cdg_vec3 nodes[COUNT], up = vec3(0, 0, 1);
    cdg_quat frames[COUNT];
    for (int i = 0; i < COUNT; i++) nodes[i] = vec3(cos(2 * PI * i / COUNT), sin(2 * PI * i / COUNT), 0);
    assert_int_equal(cdg_frames_from_nodes(nodes, COUNT, true, &up, 0, 0, frames, NULL), CDG_OK);
    for (int i = 0; i < COUNT; i++) {
        assert_vec3_near(quat_d1(frames[i]), up, 1e-14);
        if (i > 0) assert_true(quat_dot(frames[i - 1], frames[i]) > 0.9);
    }
    assert_true(quat_dot(frames[COUNT - 1], frames[0]) < -0.9);
}

// A closed rod's twist comes on top of the closure: one full turn around the loop stays continuous at the seam.
static void test_closed_twist_on_top(void **state) {
    (void)state;
    enum { COUNT = 101 };
    cdg_vec3 nodes[COUNT];
    cdg_quat plain[COUNT], twisted[COUNT];
    space_loop(nodes, COUNT);
    double length = 0;
    for (int i = 0; i < COUNT; i++) length += vec3_distance(nodes[i], nodes[(i + 1) % COUNT]);
    double twist = 2 * PI / length;
    assert_int_equal(cdg_frames_from_nodes(nodes, COUNT, true, NULL, 0, 0, plain, NULL), CDG_OK);
    assert_int_equal(cdg_frames_from_nodes(nodes, COUNT, true, NULL, 0, twist, twisted, NULL), CDG_OK);
    for (int i = 0; i < COUNT; i++) {
        int next = (i + 1) % COUNT;
        double cell =
            (vec3_distance(nodes[i], nodes[next]) + vec3_distance(nodes[next], nodes[(next + 1) % COUNT])) / 2;
        double change = twist_between(twisted[i], twisted[next]) - twist_between(plain[i], plain[next]);
        assert_near(wrap(change - twist * cell), 0, 1e-12);
    }
}

static void test_equivariance(void **state) {
    (void)state;
    enum { COUNT = 80 };
    cdg_random random = {4};
    for (int round = 0; round < 60; round++) {
        bool is_closed = round % 2 == 1;
        cdg_vec3 nodes[COUNT + 1], moved[COUNT + 1], wish = random_vec3(&random, 1);
        cdg_quat frames[COUNT], turned[COUNT], turn = random_rotation(&random);
        random_curve(&random, nodes, COUNT + 1, 0.4);
        if (round % 5 == 0) nodes[7] = vec3_mad(nodes[6], -0.5, vec3_sub(nodes[6], nodes[5])); // folds back on itself
        cdg_vec3 move = random_vec3(&random, 1), turned_wish = quat_rotate(turn, wish);
        for (int i = 0; i <= COUNT; i++) moved[i] = vec3_mad(move, 3, quat_rotate(turn, nodes[i]));
        double roll = random_in(&random, -1, 1), twist = random_in(&random, -1, 1);
        assert_int_equal(cdg_frames_from_nodes(nodes, COUNT, is_closed, &wish, roll, twist, frames, NULL), CDG_OK);
        assert_int_equal(cdg_frames_from_nodes(moved, COUNT, is_closed, &turned_wish, roll, twist / 3, turned, NULL),
                         CDG_OK);
        // where the curve folds back the smallest rotation hangs on rounding: compare up to there only
        int last = round % 5 == 0 ? 6 : COUNT;
        if (round % 5 == 0 && is_closed) continue;
        for (int i = 0; i < last; i++) assert_rotation_near(turned[i], quat_multiply(turn, frames[i]), 1e-10);
    }
}

static void test_half_turns(void **state) {
    (void)state;
    cdg_random random = {5};
    cdg_quat frames[4];
    // exactly back and forth
    cdg_vec3 nodes[5] = {{0, 0, 0}, {1, 0, 0}, {0.5, 0, 0}, {2, 0, 0}, {2, 1, 0}}, up = vec3(0, 0, 1);
    assert_int_equal(cdg_frames_from_nodes(nodes, 4, false, &up, 0, 0, frames, NULL), CDG_OK);
    for (size_t i = 0; i < 4; i++) {
        assert_vec3_near(quat_d3(frames[i]), tangent_of(nodes, 4, false, i), 1e-15);
        assert_vec3_near(quat_d1(frames[i]), up, 1e-15);
        if (i > 0) assert_near(quat_relative(frames[i - 1], frames[i]).z, 0, 1e-15);
    }
    // nearly so, in any direction and by any small angle
    for (int round = 0; round < 2000; round++) {
        cdg_vec3 direction = quat_d3(random_rotation(&random)), aside = quat_d3(random_rotation(&random));
        cdg_vec3 fold[3] = {{0, 0, 0}, direction, vec3_scale(pow(10, random_in(&random, -17, -1)), aside)};
        assert_int_equal(cdg_frames_from_nodes(fold, 2, false, NULL, 0, 0, frames, NULL), CDG_OK);
        assert_vec3_near(quat_d3(frames[1]), tangent_of(fold, 2, false, 1), 5e-15);
        assert_near(quat_relative(frames[0], frames[1]).z, 0, 1e-15);
        assert_near(quat_dot(frames[1], frames[1]), 1, 1e-15);
    }
}

static void test_bad_input_is_named(void **state) {
    (void)state;
    cdg_vec3 nodes[4] = {{0, 0, 0}, {1, 0, 0}, {1, 0, 0}, {2, 1, 0}};
    cdg_quat frames[4];
    cdg_error error = {0};
    assert_int_equal(cdg_frames_from_nodes(nodes, 3, false, NULL, 0, 0, frames, &error), CDG_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "element 1 "));
    nodes[2] = vec3(NAN, 0, 0);
    assert_int_equal(cdg_frames_from_nodes(nodes, 3, false, NULL, 0, 0, frames, &error), CDG_ERROR_ARGUMENT);
    nodes[2] = vec3(3, 3, 0);
    nodes[3] = nodes[0]; // the closing edge
    assert_int_equal(cdg_frames_from_nodes(nodes, 4, true, NULL, 0, 0, frames, &error), CDG_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "element 3 "));
    nodes[3] = vec3(0, 1, 0);
    assert_int_equal(cdg_frames_from_nodes(nodes, 0, false, NULL, 0, 0, frames, &error), CDG_ERROR_ARGUMENT);
    assert_int_equal(cdg_frames_from_nodes(nodes, 3, false, NULL, NAN, 0, frames, &error), CDG_ERROR_ARGUMENT);
    assert_int_equal(cdg_frames_from_nodes(nodes, 3, false, NULL, 0, INFINITY, frames, &error), CDG_ERROR_ARGUMENT);
    cdg_vec3 wish = vec3(0, NAN, 0);
    assert_int_equal(cdg_frames_from_nodes(nodes, 3, false, &wish, 0, 0, frames, &error), CDG_ERROR_ARGUMENT);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_no_spurious_twist),
        cmocka_unit_test(test_planar_curve_keeps_its_normal),
        cmocka_unit_test(test_helix_torsion),
        cmocka_unit_test(test_first_frame_and_roll),
        cmocka_unit_test(test_twist_is_per_length),
        cmocka_unit_test(test_twist_starts_at_the_first_node),
        cmocka_unit_test(test_closed_curve_closes_up),
        cmocka_unit_test(test_ring_has_no_twist_and_one_sign_change),
        cmocka_unit_test(test_closed_twist_on_top),
        cmocka_unit_test(test_equivariance),
        cmocka_unit_test(test_half_turns),
        cmocka_unit_test(test_bad_input_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
