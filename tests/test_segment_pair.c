// Nearest points of segments against a reference in quadruple precision, moving segments against dense sampling.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "contact/segment_pair.h"
#include "math/random.h"
#include "near.h"
#include "rounds.h"

#include <float.h>

// ---- reference ------------------------------------------------------------------------------------------------------

__extension__ typedef __float128 quad; // 113 bits, in software

typedef struct quad3 {
    quad x, y, z;
} quad3;

static quad3 quad3_sub(cdg_vec3 a, cdg_vec3 b) {
    return (quad3){(quad)a.x - (quad)b.x, (quad)a.y - (quad)b.y, (quad)a.z - (quad)b.z};
}
static quad quad3_dot(quad3 a, quad3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static quad quad_clamp01(quad a) { return a < 0 ? 0 : a > 1 ? 1 : a; }

// |r + s da - t db|^2
static quad value_at(quad3 r, quad3 da, quad3 db, quad s, quad t) {
    quad3 d = {r.x + s * da.x - t * db.x, r.y + s * da.y - t * db.y, r.z + s * da.z - t * db.z};
    return quad3_dot(d, d);
}

// The least over the four edges of the square of (s, t) and, where it is inside, at the stationary point.
static double reference_distance(const cdg_vec3 p[4]) {
    quad3 da = quad3_sub(p[1], p[0]), db = quad3_sub(p[3], p[2]), r = quad3_sub(p[0], p[2]);
    quad aa = quad3_dot(da, da), bb = quad3_dot(db, db), ab = quad3_dot(da, db), ar = quad3_dot(da, r),
         br = quad3_dot(db, r), best = value_at(r, da, db, 0, 0);
    for (int end = 0; end < 2; end++) {
        quad t = bb > 0 ? quad_clamp01((br + end * ab) / bb) : 0, s = aa > 0 ? quad_clamp01((end * ab - ar) / aa) : 0;
        quad on_a = value_at(r, da, db, end, t), on_b = value_at(r, da, db, s, end);
        best = on_a < best ? on_a : best;
        best = on_b < best ? on_b : best;
    }
    quad determinant = aa * bb - ab * ab;
    if (determinant > 0) {
        quad s = quad_clamp01((ab * br - bb * ar) / determinant), t = quad_clamp01((ab * s + br) / bb);
        quad inner = value_at(r, da, db, s, t);
        best = inner < best ? inner : best;
    }
    return (double)sqrtl((long double)best);
}

// ---- distance -------------------------------------------------------------------------------------------------------

typedef struct worst_case {
    double error; // in roundings of the pair's size
    cdg_vec3 points[4];
} worst_case;

static void check_pair(const cdg_vec3 p[4], worst_case *worst) {
    cdg_closest found = cdg_segments_closest(p[0], p[1], p[2], p[3]);
    assert_true(found.s >= 0 && found.s <= 1 && found.t >= 0 && found.t <= 1);
    cdg_vec3 da = vec3_sub(p[1], p[0]), db = vec3_sub(p[3], p[2]), r = vec3_sub(p[0], p[2]);
    double scale = vec3_norm(da) + vec3_norm(db) + vec3_norm(r);
    cdg_vec3 between = vec3_add(r, vec3_sub(vec3_scale(found.s, da), vec3_scale(found.t, db)));
    assert_vec3_near(found.between, between, 4 * DBL_EPSILON * scale);
    assert_near(found.distance2, vec3_dot(between, between), 8 * DBL_EPSILON * scale * scale);
    double error = fabs(sqrt(found.distance2) - reference_distance(p));
    error = scale > 0 ? error / (DBL_EPSILON * scale) : error;
    if (!(error <= worst->error)) {
        worst->error = error;
        for (int k = 0; k < 4; k++) worst->points[k] = p[k];
    }
}

static void assert_worst(const char *family, const worst_case *worst) {
    if (worst->error <= 8) return;
    print_error("%s: distance off by %g roundings for\n", family, worst->error);
    for (int k = 0; k < 4; k++)
        print_error("    (%a, %a, %a)\n", worst->points[k].x, worst->points[k].y, worst->points[k].z);
    fail();
}

static double random_size(cdg_random *random, double low, double high) { // evenly over the powers of ten
    return pow(10, random_in(random, low, high));
}

static void random_pairs_agree(void **state) {
    (void)state;
    cdg_random random = {1};
    worst_case worst = {0};
    for (int i = 0; i < rounds(400000); i++) {
        cdg_vec3 p[4];
        for (int k = 0; k < 4; k++) p[k] = random_vec3(&random, 1);
        check_pair(p, &worst);
    }
    assert_worst("random", &worst);
}

// b is a, turned by an angle about an axis across it and shifted: crossing, overlapping in part, or apart.
static void nearly_parallel_pairs_agree(void **state) {
    (void)state;
    for (int exponent = -17; exponent <= -1; exponent++) {
        cdg_random random = {(uint64_t)(100 + exponent)};
        worst_case worst = {0};
        for (int i = 0; i < rounds(18000); i++) {
            double angle = i % 17 == 0 ? 0 : random_in(&random, 1, 10) * pow(10, exponent);
            cdg_vec3 direction = vec3_normalize(random_vec3(&random, 1)), across = vec3_any_perpendicular(direction);
            cdg_vec3 other = quat_rotate(quat_from_axis_angle(direction, random_in(&random, 0, 6)), across);
            cdg_vec3 turned = vec3_mad(vec3_scale(cos(angle), direction), sin(angle), across);
            double gap = i % 3 == 0 ? 0 : random_size(&random, -17, 0);
            cdg_vec3 p[4] = {vec3_scale(random_in(&random, -2, 0), direction),
                             vec3_scale(random_in(&random, 0, 2), direction), vec3(0, 0, 0), vec3(0, 0, 0)};
            cdg_vec3 middle = vec3_add(vec3_scale(random_in(&random, -3, 3), direction), vec3_scale(gap, other));
            p[2] = vec3_mad(middle, random_in(&random, -2, 0), turned);
            p[3] = vec3_mad(middle, random_in(&random, 0, 2), turned);
            if (i % 2 == 0) { // the same, backwards
                cdg_vec3 swap = p[2];
                p[2] = p[3], p[3] = swap;
            }
            check_pair(p, &worst);
        }
        assert_worst("nearly parallel", &worst);
    }
}

static void degenerate_pairs_agree(void **state) {
    (void)state;
    cdg_random random = {3};
    worst_case worst = {0};
    for (int i = 0; i < rounds(200000); i++) {
        // On a coarse lattice points, shared ends, collinear overlaps and exact crossings come up by themselves.
        cdg_vec3 p[4];
        double size = random_size(&random, -6, 6);
        for (int k = 0; k < 4; k++)
            p[k] = vec3(size * floor(random_in(&random, 0, 3)), size * floor(random_in(&random, 0, 3)),
                        size * floor(random_in(&random, 0, 2)));
        check_pair(p, &worst);
    }
    assert_worst("lattice", &worst);
}

static void unequal_and_distant_pairs_agree(void **state) {
    (void)state;
    cdg_random random = {4};
    worst_case worst = {0};
    for (int i = 0; i < rounds(150000); i++) {
        cdg_vec3 far = random_vec3(&random, random_size(&random, 0, 9)), p[4];
        double size_a = random_size(&random, -12, 12), size_b = random_size(&random, -12, 12);
        bool is_far = i % 2 == 0;
        if (is_far) size_a = size_b = random_size(&random, -4, 1);
        for (int k = 0; k < 4; k++) {
            p[k] = random_vec3(&random, k < 2 ? size_a : size_b);
            if (is_far) p[k] = vec3_add(p[k], far);
        }
        check_pair(p, &worst);
    }
    assert_worst("unequal or distant", &worst);
}

static void parallel_pairs_meet_in_the_middle(void **state) {
    (void)state;
    cdg_closest found = cdg_segments_closest(vec3(0, 0, 0), vec3(4, 0, 0), vec3(5, 1, 0), vec3(2, 1, 0));
    assert_near(found.s, 0.75, 1e-15); // beside each other from x = 2 to x = 4
    assert_near(found.t, 2.0 / 3, 1e-15);
}

static void absurd_numbers_give_no_nonsense(void **state) {
    (void)state;
    const double values[] = {0, 1, -1e200, 1e-200, 1e308, HUGE_VAL, NAN};
    cdg_random random = {5};
    for (int i = 0; i < rounds(20000); i++) {
        double c[12];
        for (int k = 0; k < 12; k++) c[k] = values[random_bits(&random) % (sizeof values / sizeof *values)];
        cdg_closest found = cdg_segments_closest(vec3(c[0], c[1], c[2]), vec3(c[3], c[4], c[5]), vec3(c[6], c[7], c[8]),
                                                 vec3(c[9], c[10], c[11]));
        assert_true(found.s >= 0 && found.s <= 1 && found.t >= 0 && found.t <= 1);
        cdg_moving_segment a = {{vec3(c[0], c[1], c[2]), vec3(c[3], c[4], c[5])},
                                {vec3(c[6], c[7], c[8]), vec3(c[9], c[10], c[11])}};
        cdg_moving_segment b = {{vec3(c[5], c[0], c[1]), vec3(c[2], c[3], c[4])},
                                {vec3(c[11], c[6], c[7]), vec3(c[8], c[9], c[10])}};
        double time;
        cdg_segments_meet(&a, &b, 0.1, 0.1, &time); // ends, without a trap
    }
}

// ---- in motion ------------------------------------------------------------------------------------------------------

static double distance_at(const cdg_moving_segment *a, const cdg_moving_segment *b, double time) {
    cdg_vec3 p[4];
    for (int k = 0; k < 2; k++) {
        p[k] = vec3_lerp(a->from[k], a->to[k], time);
        p[k + 2] = vec3_lerp(b->from[k], b->to[k], time);
    }
    return sqrt(cdg_segments_closest(p[0], p[1], p[2], p[3]).distance2);
}

// How fast the distance can change at most, a step.
static double speed_bound(const cdg_moving_segment *a, const cdg_moving_segment *b) {
    double most_a = 0, most_b = 0;
    cdg_vec3 common = vec3_sub(a->to[0], a->from[0]);
    for (int k = 0; k < 2; k++) {
        most_a = fmax(most_a, vec3_norm(vec3_sub(vec3_sub(a->to[k], a->from[k]), common)));
        most_b = fmax(most_b, vec3_norm(vec3_sub(vec3_sub(b->to[k], b->from[k]), common)));
    }
    return most_a + most_b;
}

// Least distance in [from, to] to within `tolerance` from below, by branch and bound on the speed.
static double least_distance(const cdg_moving_segment *a, const cdg_moving_segment *b, double from, double to,
                             double speed, double tolerance, double stop) {
    double start = distance_at(a, b, from), end = distance_at(a, b, to), best = fmin(start, end);
    double bound = 0.5 * (start + end - speed * (to - from));
    if (bound >= best - tolerance || best < stop) return best;
    double middle = 0.5 * (from + to);
    double left = least_distance(a, b, from, middle, speed, tolerance, stop);
    if (left < stop) return left;
    return fmin(left, least_distance(a, b, middle, to, speed, tolerance, stop));
}

static cdg_moving_segment random_moving(cdg_random *random, double size, double travel) {
    cdg_moving_segment segment;
    cdg_vec3 middle = random_vec3(random, size), shift = random_vec3(random, travel);
    for (int k = 0; k < 2; k++) {
        segment.from[k] = vec3_add(middle, random_vec3(random, size));
        segment.to[k] = vec3_add(vec3_add(segment.from[k], shift), random_vec3(random, random_unit(random) * size));
    }
    return segment;
}

static void moving_pairs_are_neither_missed_nor_invented(void **state) {
    (void)state;
    cdg_random random = {6};
    int met = 0, apart = 0;
    for (int i = 0; i < rounds(15000); i++) {
        double separation = random_in(&random, 0.001, 0.2), slack = i % 2 == 0 ? 0.1 : 1e-3, time = -1;
        double travel = random_in(&random, 0, 4);
        cdg_moving_segment a = random_moving(&random, 1, travel), b = random_moving(&random, 1, 0.5 * travel);
        if (i % 5 == 0) { // far away
            cdg_vec3 far = random_vec3(&random, 1e4);
            for (int k = 0; k < 2; k++) {
                a.from[k] = vec3_add(a.from[k], far), a.to[k] = vec3_add(a.to[k], far);
                b.from[k] = vec3_add(b.from[k], far), b.to[k] = vec3_add(b.to[k], far);
            }
        }
        double gap = distance_at(&a, &b, 0) - separation, speed = speed_bound(&a, &b);
        if (!(gap > 1e-2)) continue;
        bool meets = cdg_segments_meet(&a, &b, separation, slack, &time);
        double tolerance = 1e-2 * gap;
        if (meets) {
            met++;
            assert_true(time >= 0 && time < 1);
            double there = distance_at(&a, &b, time);
            assert_true(there <= separation + slack * gap + 1e-10); // what stays farther apart is not reported
            // nowhere nearer before: the time is not past the first contact
            assert_true(least_distance(&a, &b, 0, time, speed, tolerance, separation - 1e-10) >= separation - 1e-10);
        } else {
            apart++;
            assert_true(least_distance(&a, &b, 0, 1, speed, tolerance, separation - 1e-10) >= separation - 1e-10);
        }
        // a larger separation is reached too, and not later than the smaller one truly is
        double wider_time = -1;
        if (meets && slack < 0.01 && cdg_segments_meet(&a, &b, separation + 0.4 * gap, slack, &wider_time))
            assert_true(wider_time <= time + 1e-9);
        else
            assert_true(!meets || slack >= 0.01);
    }
    assert_true(met > rounds(500) && apart > rounds(5000));
}

// Two rods of a radius, one flying through the other at 1 to 1,000 radii a step: a crossing at a known time.
static void no_crossing_is_missed(void **state) {
    (void)state;
    cdg_random random = {7};
    for (int i = 0; i < rounds(100000); i++) {
        double radius = random_size(&random, -4, -1), travel = random_size(&random, 0, 3) * radius;
        double crossing = random_in(&random, 0.01, 0.99), length = random_size(&random, 0, 2) * radius;
        cdg_vec3 along = vec3_normalize(random_vec3(&random, 1)), other = vec3_normalize(random_vec3(&random, 1));
        cdg_vec3 meeting = random_vec3(&random, 1),
                 flight = vec3_scale(travel, vec3_normalize(random_vec3(&random, 1)));
        double share_a = random_unit(&random), share_b = random_unit(&random), spin = random_in(&random, 0, 1);
        cdg_moving_segment a, b;
        for (int k = 0; k < 2; k++) {
            // at the time `crossing` both go through `meeting`
            a.from[k] = a.to[k] = vec3_mad(meeting, (k - share_a) * length, along);
            cdg_vec3 there = vec3_mad(meeting, (k - share_b) * length, other);
            // the end turns about the meeting point too
            cdg_vec3 turn = vec3_scale(spin * (k - share_b) * length, vec3_any_perpendicular(other));
            cdg_vec3 move = vec3_add(flight, turn);
            b.from[k] = vec3_mad(there, -crossing, move);
            b.to[k] = vec3_mad(there, 1 - crossing, move);
        }
        double time = 2;
        assert_true(cdg_segments_meet(&a, &b, 2 * radius, 0.1, &time));
        assert_true(time <= crossing + 1e-12);
        assert_true(cdg_segments_meet(&a, &b, 0, 0.1, &time)); // even without any thickness
        assert_true(time <= crossing + 1e-9);
    }
}

static void sliding_along_is_no_contact(void **state) {
    (void)state;
    // They slide along each other by a million times their gap.
    cdg_moving_segment a = {{vec3(0, 0, 0), vec3(1, 0, 0)}, {vec3(0, 0, 0), vec3(1, 0, 0)}};
    cdg_moving_segment b = {{vec3(0.5, 0.1 + 1e-6, 0), vec3(1.5, 0.1 + 1e-6, 0)},
                            {vec3(-0.4, 0.1 + 1e-6, 0), vec3(0.6, 0.1 + 1e-6, 0)}};
    double time;
    assert_false(cdg_segments_meet(&a, &b, 0.1, 0.1, &time));
    for (int k = 0; k < 2; k++) b.to[k].y = 0.1 - 1e-6;
    assert_true(cdg_segments_meet(&a, &b, 0.1, 0.1, &time));
}

static void near_pairs_meet_unless_they_part(void **state) {
    (void)state;
    cdg_moving_segment a = {{vec3(0, 0, 0), vec3(1, 0, 0)}, {vec3(0, 0, 0), vec3(1, 0, 0)}};
    cdg_moving_segment b = {{vec3(0, 0.1, 0), vec3(1, 0.1, 0)}, {vec3(0, 0.2, 0), vec3(1, 0.2, 0)}};
    double time = 5;
    assert_false(cdg_segments_meet(&a, &b, 0.15, 0.1, &time)); // parts
    for (int k = 0; k < 2; k++) b.to[k].y = 0.05;
    assert_true(cdg_segments_meet(&a, &b, 0.15, 0.1, &time));
    assert_near(time, 0, 0);
    b.to[0].y = 0.05, b.to[1].y = 0.4; // parts in the middle and at one end, closes at the other
    assert_true(cdg_segments_meet(&a, &b, 0.15, 0.1, &time));
    for (int k = 0; k < 2; k++) b.from[k] = vec3(k, 0, 0), b.to[k] = vec3(k, 1, 0); // one upon the other
    assert_true(cdg_segments_meet(&a, &b, 0.15, 0.1, &time));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_pairs_agree),
        cmocka_unit_test(nearly_parallel_pairs_agree),
        cmocka_unit_test(degenerate_pairs_agree),
        cmocka_unit_test(unequal_and_distant_pairs_agree),
        cmocka_unit_test(parallel_pairs_meet_in_the_middle),
        cmocka_unit_test(absurd_numbers_give_no_nonsense),
        cmocka_unit_test(moving_pairs_are_neither_missed_nor_invented),
        cmocka_unit_test(no_crossing_is_missed),
        cmocka_unit_test(sliding_along_is_no_contact),
        cmocka_unit_test(near_pairs_meet_unless_they_part),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
