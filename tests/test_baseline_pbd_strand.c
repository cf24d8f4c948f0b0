// The classic strand: gradient against finite differences, order of visits, momentum, and that it hangs and settles.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "bench/baseline_pbd_strand.h"
#include "bench/interleave.h"
#include "math/random.h"
#include "near.h"

enum { ELEMENTS = 20 };

static void test_interleaving_visits_every_place_once(void **state) {
    (void)state;
    const size_t six[] = {0, 5, 2, 3, 4, 1}, five[] = {0, 3, 2, 1, 4};
    for (size_t i = 0; i < 6; i++) assert_int_equal(interleave(i, 6), six[i]);
    for (size_t i = 0; i < 5; i++) assert_int_equal(interleave(i, 5), five[i]);
    for (size_t count = 1; count < 64; count++) {
        uint64_t seen = 0;
        for (size_t visit = 0; visit < count; visit++) {
            assert_true(interleave(visit, count) < count);
            seen |= (uint64_t)1 << interleave(visit, count);
        }
        assert_true(seen == ((uint64_t)1 << count) - 1);
    }
}

static void test_angle_gradient(void **state) {
    (void)state;
    cdg_random random = {1};
    for (int round = 0; round < 500; round++) {
        cdg_vec3 p[3], gradient[3], unused[3];
        for (int k = 0; k < 3; k++) p[k] = random_vec3(&random, 1);
        double angle = baseline_pbd_strand_angle(p, gradient);
        if (sin(angle) < 0.02 || vec3_distance(p[0], p[1]) < 0.1 || vec3_distance(p[1], p[2]) < 0.1) continue;
        assert_near(cos(angle), vec3_dot(vec3_normalize(vec3_sub(p[1], p[0])), vec3_normalize(vec3_sub(p[2], p[1]))),
                    1e-14);
        cdg_vec3 sum = vec3(0, 0, 0);
        for (int k = 0; k < 3; k++) {
            sum = vec3_add(sum, gradient[k]);
            cdg_vec3 direction = random_vec3(&random, 1), before[3] = {p[0], p[1], p[2]}, after[3] = {p[0], p[1], p[2]};
            double h = 1e-5;
            before[k] = vec3_mad(p[k], -h, direction);
            after[k] = vec3_mad(p[k], h, direction);
            double slope =
                (baseline_pbd_strand_angle(after, unused) - baseline_pbd_strand_angle(before, unused)) / (2 * h);
            assert_near(vec3_dot(gradient[k], direction), slope, 1e-6 * (1 + vec3_norm(gradient[k])));
        }
        assert_vec3_near(sum, vec3(0, 0, 0), 1e-12 * vec3_norm(gradient[0]) + 1e-12); // moving all changes nothing
    }
}

static void test_degenerate_angles(void **state) {
    (void)state;
    cdg_vec3 gradient[3];
    const cdg_vec3 straight[3] = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}}, folded[3] = {{0, 0, 0}, {1, 0, 0}, {0, 0, 0}},
                   collapsed[3] = {{0, 0, 0}, {0, 0, 0}, {1, 0, 0}};
    assert_near(baseline_pbd_strand_angle(straight, gradient), 0, 0);
    assert_near(baseline_pbd_strand_angle(folded, gradient), 3.141592653589793, 1e-15);
    assert_near(baseline_pbd_strand_angle(collapsed, gradient), 0, 0);
    for (int k = 0; k < 3; k++) assert_vec3_near(gradient[k], vec3(0, 0, 0), 0);
}

static int make_strand(void **state) {
    baseline_pbd_strand *strand = malloc(sizeof *strand);
    assert_non_null(strand);
    assert_true(baseline_pbd_strand_init(strand, ELEMENTS, 1));
    *state = strand;
    return 0;
}

static int free_strand(void **state) {
    baseline_pbd_strand_destroy(*state);
    free(*state);
    return 0;
}

static double speed(const baseline_pbd_strand *strand) {
    double largest = 0;
    for (size_t i = 0; i <= strand->element_count; i++) largest = fmax(largest, vec3_norm(strand->velocity[i]));
    return largest;
}

static void test_rest_is_kept(void **state) {
    baseline_pbd_strand *strand = *state;
    strand->gravity = vec3(0, 0, 0);
    for (int i = 0; i < 100; i++) baseline_pbd_strand_step(strand);
    for (size_t i = 0; i <= ELEMENTS; i++)
        assert_vec3_near(strand->position[i], vec3((double)i / ELEMENTS, 0, 0), 1e-13);
}

// Held at one end it hangs down, nearly inextensible, and comes to rest; the held edge has not moved.
static void test_hangs_and_settles(void **state) {
    baseline_pbd_strand *strand = *state;
    strand->iterations = 80;
    strand->bend_stiffness = 0.1;
    strand->damping = 0.03;
    for (int i = 0; i < 3000; i++) baseline_pbd_strand_step(strand);
    assert_true(speed(strand) < 1e-3);
    assert_vec3_near(strand->position[0], vec3(0, 0, 0), 0);
    assert_vec3_near(strand->position[1], vec3(1.0 / ELEMENTS, 0, 0), 0);
    assert_true(strand->position[ELEMENTS].z < -0.3);
    for (size_t i = 0; i <= ELEMENTS; i++) assert_near(strand->position[i].y, 0, 1e-12); // stays in its plane
    for (size_t j = 0; j < ELEMENTS; j++) {
        assert_near(vec3_distance(strand->position[j], strand->position[j + 1]), strand->edge_length,
                    0.02 * strand->edge_length);
        assert_true(strand->position[j + 1].z <= strand->position[j].z + 1e-12);
    }
}

// More bending stiffness, less sag.
static void test_stiffer_sags_less(void **state) {
    (void)state;
    double tip[2];
    for (int k = 0; k < 2; k++) {
        baseline_pbd_strand strand;
        assert_true(baseline_pbd_strand_init(&strand, ELEMENTS, 1));
        strand.iterations = 40;
        strand.damping = 0.05;
        strand.bend_stiffness = k ? 1 : 0.1;
        for (int i = 0; i < 2000; i++) baseline_pbd_strand_step(&strand);
        tip[k] = strand.position[ELEMENTS].z;
        baseline_pbd_strand_destroy(&strand);
    }
    assert_true(tip[1] > tip[0] + 0.05);
}

static void test_free_strand_conserves_momentum(void **state) {
    baseline_pbd_strand *strand = *state;
    cdg_random random = {9};
    strand->gravity = vec3(0, 0, 0);
    cdg_vec3 before = vec3(0, 0, 0), after = vec3(0, 0, 0);
    for (size_t i = 0; i <= ELEMENTS; i++) {
        strand->inverse_mass[i] = 1;
        strand->velocity[i] = random_vec3(&random, 1);
        before = vec3_add(before, strand->velocity[i]);
    }
    for (int i = 0; i < 200; i++) baseline_pbd_strand_step(strand);
    for (size_t i = 0; i <= ELEMENTS; i++) after = vec3_add(after, strand->velocity[i]);
    assert_vec3_near(after, before, 1e-10);
}

static void test_free_fall(void **state) {
    baseline_pbd_strand *strand = *state;
    for (size_t i = 0; i <= ELEMENTS; i++) strand->inverse_mass[i] = 1;
    for (int i = 0; i < 100; i++) baseline_pbd_strand_step(strand);
    // symplectic Euler: h^2 g (1 + 2 + ... + n)
    for (size_t i = 0; i <= ELEMENTS; i++)
        assert_vec3_near(strand->position[i], vec3((double)i / ELEMENTS, 0, -9.81 * 1e-4 * 5050), 1e-10);
}

int main(void) {
#define WITH_STRAND(test) cmocka_unit_test_setup_teardown(test, make_strand, free_strand)
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_interleaving_visits_every_place_once),
        cmocka_unit_test(test_angle_gradient),
        cmocka_unit_test(test_degenerate_angles),
        WITH_STRAND(test_rest_is_kept),
        WITH_STRAND(test_hangs_and_settles),
        cmocka_unit_test(test_stiffer_sags_less),
        WITH_STRAND(test_free_strand_conserves_momentum),
        WITH_STRAND(test_free_fall),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
