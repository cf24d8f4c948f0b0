// Nearest points of segment and triangle against a search in extended precision, moving ones against sampling.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "contact/segment_triangle.h"
#include "math/random.h"
#include "near.h"
#include "rounds.h"

typedef long double real;

static real dot(const real a[3], const real b[3]) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

static real edge_distance2(const real p[3], const real from[3], const real to[3]) {
    real d[3], r[3];
    for (int k = 0; k < 3; k++) d[k] = to[k] - from[k], r[k] = p[k] - from[k];
    real dd = dot(d, d), t = dd > 0 ? dot(r, d) / dd : 0;
    t = t < 0 ? 0 : t > 1 ? 1 : t;
    for (int k = 0; k < 3; k++) r[k] -= t * d[k];
    return dot(r, r);
}

// Of a point: to the plane where its foot is inside, else to the edges.
static real point_distance2(const real p[3], real v[3][3]) {
    real best = edge_distance2(p, v[0], v[1]), e[3], f[3], r[3];
    best = fminl(best, edge_distance2(p, v[1], v[2]));
    best = fminl(best, edge_distance2(p, v[2], v[0]));
    for (int k = 0; k < 3; k++) e[k] = v[1][k] - v[0][k], f[k] = v[2][k] - v[0][k], r[k] = p[k] - v[0][k];
    real ee = dot(e, e), ef = dot(e, f), ff = dot(f, f), er = dot(e, r), fr = dot(f, r), det = ee * ff - ef * ef;
    if (!(det > 1e-14L * ee * ff)) return best;
    real u = (ff * er - ef * fr) / det, w = (ee * fr - ef * er) / det;
    if (u < 0 || w < 0 || u + w > 1) return best;
    for (int k = 0; k < 3; k++) r[k] -= u * e[k] + w * f[k];
    return fminl(best, dot(r, r));
}

// The distance of a point that runs along the segment is convex: golden section.
static double reference_distance(cdg_vec3 a0, cdg_vec3 a1, const cdg_vec3 c[3]) {
    real v[3][3], from[3] = {a0.x, a0.y, a0.z}, to[3] = {a1.x, a1.y, a1.z};
    for (int i = 0; i < 3; i++) v[i][0] = c[i].x, v[i][1] = c[i].y, v[i][2] = c[i].z;
    real low = 0, high = 1, best = HUGE_VALL;
    for (int i = 0; i < 120; i++) {
        real at[2] = {low + 0.381966011250105L * (high - low), high - 0.381966011250105L * (high - low)}, value[2];
        for (int k = 0; k < 2; k++) {
            real p[3];
            for (int j = 0; j < 3; j++) p[j] = from[j] + at[k] * (to[j] - from[j]);
            value[k] = point_distance2(p, v);
            best = fminl(best, value[k]);
        }
        if (value[0] < value[1])
            high = at[1];
        else
            low = at[0];
    }
    best = fminl(best, fminl(point_distance2(from, v), point_distance2(to, v)));
    return (double)sqrtl(best);
}

static void check(cdg_vec3 a0, cdg_vec3 a1, const cdg_vec3 c[3], double tolerance) {
    cdg_triangle_closest found = cdg_segment_triangle_closest(a0, a1, c);
    assert_true(found.s >= 0 && found.s <= 1);
    double sum = 0;
    cdg_vec3 on = {0, 0, 0};
    for (int k = 0; k < 3; k++) {
        assert_true(found.weights[k] >= 0);
        sum += found.weights[k];
        on = vec3_mad(on, found.weights[k], c[k]);
    }
    assert_near(sum, 1, 1e-14);
    double scale = vec3_distance(a0, a1) + vec3_distance(c[0], c[1]) + vec3_distance(c[0], c[2]) +
                   vec3_distance(a0, c[0]) + vec3_norm(a0);
    assert_vec3_near(found.between, vec3_sub(vec3_lerp(a0, a1, found.s), on), 1e-14 * scale);
    // what was found is a true pair of points, so it cannot be too near
    assert_true(sqrt(found.distance2) <= reference_distance(a0, a1, c) + tolerance * scale);
}

static void random_ones_agree(void **state) {
    (void)state;
    cdg_random random = {1};
    for (int i = 0; i < rounds(10000); i++) {
        cdg_vec3 c[3];
        for (int k = 0; k < 3; k++) c[k] = random_vec3(&random, 1);
        check(random_vec3(&random, 1), random_vec3(&random, 1), c, 1e-14);
    }
}

static void degenerate_ones_agree(void **state) {
    (void)state;
    cdg_random random = {2};
    for (int i = 0; i < rounds(8000); i++) { // lattice: no area, no length, coplanar, shared corners
        cdg_vec3 p[5];
        for (int k = 0; k < 5; k++)
            p[k] =
                vec3(floor(random_in(&random, 0, 3)), floor(random_in(&random, 0, 3)), floor(random_in(&random, 0, 2)));
        check(p[0], p[1], &p[2], 1e-14);
    }
    for (int i = 0; i < rounds(8000); i++) { // slivers, and segments nearly in the plane
        double thin = pow(10, random_in(&random, -16, -1));
        cdg_vec3 u = random_vec3(&random, 1), v = random_vec3(&random, 1), o = random_vec3(&random, 1);
        cdg_vec3 c[3] = {o, vec3_add(o, u), vec3_add(vec3_mad(o, random_unit(&random), u), vec3_scale(thin, v))};
        cdg_vec3 a = vec3_add(vec3_lerp(c[0], c[1], random_in(&random, -0.5, 1.5)), random_vec3(&random, thin));
        check(a, vec3_add(a, random_vec3(&random, i % 2 == 0 ? 1 : thin)), c, 1e-12);
    }
}

static void crossings_are_found(void **state) {
    (void)state;
    cdg_random random = {3};
    for (int i = 0; i < rounds(20000); i++) {
        cdg_vec3 c[3], d = random_vec3(&random, 1), at = {0, 0, 0};
        double w[3] = {random_unit(&random), random_unit(&random), random_unit(&random)}, sum = w[0] + w[1] + w[2];
        for (int k = 0; k < 3; k++) {
            c[k] = random_vec3(&random, 1);
            at = vec3_mad(at, w[k] / sum, c[k]);
        }
        cdg_triangle_closest found = cdg_segment_triangle_closest(vec3_mad(at, -random_unit(&random), d),
                                                                  vec3_mad(at, random_unit(&random), d), c);
        assert_near(found.distance2, 0, 1e-26);
    }
}

static double distance_at(const cdg_moving_segment *a, const cdg_moving_triangle *b, double time) {
    cdg_vec3 c[3];
    for (int k = 0; k < 3; k++) c[k] = vec3_lerp(b->from[k], b->to[k], time);
    return sqrt(
        cdg_segment_triangle_closest(vec3_lerp(a->from[0], a->to[0], time), vec3_lerp(a->from[1], a->to[1], time), c)
            .distance2);
}

static void moving_ones_are_neither_missed_nor_invented(void **state) {
    (void)state;
    cdg_random random = {4};
    int met = 0, apart = 0;
    for (int i = 0; i < rounds(8000); i++) {
        cdg_moving_segment a;
        cdg_moving_triangle b;
        cdg_vec3 start = random_vec3(&random, 2), flight = random_vec3(&random, random_in(&random, 0, 6));
        for (int k = 0; k < 2; k++) {
            a.from[k] = vec3_add(start, random_vec3(&random, 0.5));
            a.to[k] = vec3_add(vec3_add(a.from[k], flight), random_vec3(&random, 0.5));
        }
        for (int k = 0; k < 3; k++) {
            b.from[k] = random_vec3(&random, 1);
            b.to[k] = vec3_add(b.from[k], random_vec3(&random, 0.5));
        }
        double separation = random_in(&random, 0, 0.1), gap = distance_at(&a, &b, 0) - separation, time = -1;
        if (!(gap > 0.01)) continue;
        bool meets = cdg_segment_triangle_meet(&a, &b, separation, 0.05, &time);
        double until = meets ? time : 1;
        for (int k = 0; k <= 100; k++) assert_true(distance_at(&a, &b, until * k / 100) >= separation - 1e-12);
        if (meets) assert_true(distance_at(&a, &b, time) <= separation + 0.05 * gap + 1e-12);
        meets ? met++ : apart++;
    }
    assert_true(met > rounds(200) && apart > rounds(2000));
}

static void fast_ones_do_not_pass_through(void **state) {
    (void)state;
    cdg_random random = {5};
    for (int i = 0; i < rounds(20000); i++) {
        cdg_moving_segment a;
        cdg_moving_triangle b;
        double w[3] = {random_unit(&random), random_unit(&random), random_unit(&random)}, sum = w[0] + w[1] + w[2];
        double when = random_in(&random, 0.05, 0.95), share = random_unit(&random);
        cdg_vec3 at = {0, 0, 0}, along = random_vec3(&random, 1);
        cdg_vec3 flight = random_vec3(&random, pow(10, random_in(&random, -1, 3)));
        for (int k = 0; k < 3; k++) {
            b.from[k] = b.to[k] = random_vec3(&random, 1);
            at = vec3_mad(at, w[k] / sum, b.from[k]);
        }
        for (int k = 0; k < 2; k++) {
            cdg_vec3 there = vec3_mad(at, k - share, along);
            a.from[k] = vec3_mad(there, -when, flight);
            a.to[k] = vec3_mad(there, 1 - when, flight);
        }
        double time = 2;
        assert_true(cdg_segment_triangle_meet(&a, &b, 0, 0.1, &time));
        assert_true(time <= when + 1e-9);
    }
}

static void near_ones_meet_unless_they_part(void **state) {
    (void)state;
    cdg_moving_triangle b = {{vec3(-1, -1, 0), vec3(1, -1, 0), vec3(0, 1, 0)}, {{0, 0, 0}}};
    for (int k = 0; k < 3; k++) b.to[k] = b.from[k];
    cdg_moving_segment a = {{vec3(-0.1, 0, 0.1), vec3(0.1, 0, 0.1)}, {vec3(-0.1, 0, 0.2), vec3(0.1, 0, 0.2)}};
    double time = 5;
    assert_false(cdg_segment_triangle_meet(&a, &b, 0.15, 0.1, &time));
    a.to[0].z = 0.05;
    assert_true(cdg_segment_triangle_meet(&a, &b, 0.15, 0.1, &time));
    assert_near(time, 0, 0);
    a.from[0].z = -0.1; // crosses
    a.to[0].z = 0.2;
    assert_true(cdg_segment_triangle_meet(&a, &b, 0.15, 0.1, &time));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_ones_agree),
        cmocka_unit_test(degenerate_ones_agree),
        cmocka_unit_test(crossings_are_found),
        cmocka_unit_test(moving_ones_are_neither_missed_nor_invented),
        cmocka_unit_test(fast_ones_do_not_pass_through),
        cmocka_unit_test(near_ones_meet_unless_they_part),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
