// The solution of a chain of dampers against its equations: any length, held nodes, lanes that begin inside the rod.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/processor.h"
#include "math/random.h"
#include "near.h"
#include "rods/corde/dampers.h"

typedef struct chain {
    corde_dampers d;
    double *memory;
} chain;

static const int place_of[3][3] = {{0, 1, 2}, {1, 3, 4}, {2, 4, 5}}; // in a symmetric matrix

static void carve(chain *c, size_t count) {
    size_t places = count + 2, record = corde_dampers_record_doubles(count);
    double *next = c->memory = aligned_alloc(64, ((35 * places + record) * sizeof(double) + 63) / 64 * 64);
    memset(next, 0xff, (35 * places + record) * sizeof(double)); // not a number
    corde_dampers *d = &c->d;
    d->record = next, next += record;
    double **const single[] = {&d->mass, &d->length, &d->along, &d->across};
    for (size_t i = 0; i < 4; i++) *single[i] = next, next += places;
    for (int k = 0; k < 3; k++) {
        d->right[k] = next, next += places;
        d->tangent[k] = next, next += places;
        d->moment[k] = next, next += places;
        d->velocity[k] = next, next += places;
        d->spin[k] = next, next += places;
    }
    for (int k = 0; k < 6; k++) {
        d->inertia[k] = next, next += places;
        d->cell[k] = next, next += places;
    }
}

// A bent chain of `count` elements, masses of 1, dampers up to `strength` times stronger.
static chain build(size_t count, bool is_constraint, double strength, cdg_random *random) {
    chain c = {.d = {.element_count = count, .is_constraint = is_constraint, .heavy = (double)count}};
    carve(&c, count);
    const corde_dampers *d = &c.d;
    c.d.stiffness = 6 * strength;
    cdg_vec3 t = vec3(1, 0, 0);
    for (size_t i = 0; i < count + 2; i++) {
        t = vec3_normalize(vec3_add(t, random_vec3(random, 0.3)));
        double part[3] = {t.x, t.y, t.z}, axial = random_in(random, 0.5, 1), own = random_in(random, -1, 1);
        d->mass[i] = 1;
        d->length[i] = random_in(random, 0.8, 1.2);
        d->along[i] = strength * random_unit(random), d->across[i] = strength * random_unit(random);
        for (int k = 0; k < 3; k++) {
            d->tangent[k][i] = part[k];
            d->right[k][i] = random_in(random, -1, 1);
            d->moment[k][i] = is_constraint ? own * part[k] : random_in(random, -1, 1);
            for (int l = k; l < 3; l++) {
                d->inertia[place_of[k][l]][i] = axial * part[k] * part[l] + (k == l && !is_constraint ? 1 : 0);
                d->cell[place_of[k][l]][i] = strength * (axial * part[k] * part[l] + (k == l ? 0.5 : 0)) / 4;
            }
        }
    }
    for (int k = 0; k < 6; k++) d->cell[k][0] = d->cell[k][count] = 0;
    d->mass[count + 1] = is_constraint ? 0 : 1; // the place where an end idles
    d->along[count] = is_constraint ? 1 : 0;
    d->across[count] = d->length[count] = 0;
    for (int k = 0; k < 3; k++) d->tangent[k][count] = d->right[k][count + 1] = d->moment[k][count] = 0;
    for (int k = 0; k < 6; k++) d->inertia[k][count] = k == 0 || k == 3 || k == 5 ? 1 : 0;
    return c;
}

static void hold(const corde_dampers *d, size_t node) {
    d->mass[node] = d->is_constraint ? INFINITY : 1e20 * d->heavy;
    for (int k = 0; k < 3 && !d->is_constraint; k++) d->right[k][node] *= 1e20 * d->heavy;
}

static cdg_vec3 at(double *const a[3], size_t i) { return vec3(a[0][i], a[1][i], a[2][i]); }
static cdg_vec3 times(double *const a[6], size_t i, cdg_vec3 v) {
    return vec3(a[0][i] * v.x + a[1][i] * v.y + a[2][i] * v.z, a[1][i] * v.x + a[3][i] * v.y + a[4][i] * v.z,
                a[2][i] * v.x + a[4][i] * v.y + a[5][i] * v.z);
}

// The largest error of any equation: impulses of 1 are about.
static double largest_error(const corde_dampers *d) {
    size_t count = d->element_count;
    cdg_vec3 *node = calloc(count + 1, sizeof *node), *frame = calloc(count, sizeof *frame);
    double worst = 0;
    for (size_t i = 0; i <= count; i++) node[i] = vec3_mad(at(d->right, i), -d->mass[i], at(d->velocity, i));
    for (size_t j = 0; j < count; j++) {
        cdg_vec3 t = at(d->tangent, j), e = vec3_scale(d->length[j], t), w = at(d->spin, j);
        cdg_vec3 u = vec3_sub(vec3_sub(at(d->velocity, j + 1), at(d->velocity, j)), vec3_cross(w, e));
        cdg_vec3 along = vec3_scale(vec3_dot(t, u), t), across = vec3_sub(u, along);
        if (d->is_constraint) worst = fmax(worst, vec3_norm(across));
        cdg_vec3 n = vec3_mad(vec3_scale(d->along[j], along), d->is_constraint ? 0 : d->across[j], across);
        node[j] = vec3_add(node[j], n), node[j + 1] = vec3_sub(node[j + 1], n);
        frame[j] = vec3_add(frame[j], vec3_add(vec3_sub(at(d->moment, j), times(d->inertia, j, w)), vec3_cross(e, n)));
        if (j == 0) continue;
        cdg_vec3 twist = times(d->cell, j, vec3_sub(w, at(d->spin, j - 1)));
        frame[j] = vec3_sub(frame[j], twist), frame[j - 1] = vec3_add(frame[j - 1], twist);
    }
    for (size_t j = 0; j < count; j++) {
        cdg_vec3 t = at(d->tangent, j);
        if (d->is_constraint) { // what acts across the tangent acts on the nodes
            cdg_vec3 pair = vec3_scale(1 / d->length[j], vec3_cross(frame[j], t));
            node[j] = vec3_sub(node[j], pair), node[j + 1] = vec3_add(node[j + 1], pair);
            frame[j] = vec3_scale(vec3_dot(frame[j], t), t);
        }
        worst = fmax(worst, vec3_norm(frame[j]));
    }
    for (size_t i = 0; i <= count; i++) {
        bool is_held = d->mass[i] > 1e10;
        cdg_vec3 wanted = vec3_scale(d->is_constraint ? 1 : 1 / d->mass[i], at(d->right, i));
        worst = fmax(worst, vec3_norm(is_held ? vec3_sub(at(d->velocity, i), wanted) : node[i]));
    }
    free(node);
    free(frame);
    return isfinite(worst) ? worst : INFINITY;
}

static void test_short_chains_are_solved_to_rounding(void **state) {
    (void)state;
    cdg_random random = {41};
    for (int round = 0; round < 160; round++) {
        size_t count = 1 + (size_t)round % 10;
        chain c = build(count, round / 10 % 2, pow(10, random_in(&random, -3, 4)), &random);
        for (size_t i = 0; i <= count && round >= 80; i++) // some, or nearly all of them
            if (random_unit(&random) < (round >= 120 ? 0.8 : 0.3)) hold(&c.d, i);
        assert_true(corde_dampers_solve(&c.d));
        assert_near(largest_error(&c.d), 0, 1e-10);
        free(c.memory);
    }
}

// Where dampers are not too strong lanes begin inside; where they are they do not, or find out that they may not.
static void test_long_chains_are_solved_to_a_millionth(void **state) {
    (void)state;
    cdg_random random = {42};
    for (int round = 0; round < 24; round++) {
        double strength = pow(10, round % 6 - 2);
        chain c = build(300 + (size_t)round, round / 6 % 2, strength, &random);
        if (round >= 12)
            for (size_t i = 0; i <= c.d.element_count; i += 37) hold(&c.d, i);
        assert_true(corde_dampers_solve(&c.d));
        assert_near(largest_error(&c.d), 0, 2e-6);
        c.d.stiffness = 0; // a lie: inner lanes have hardly any warm-up
        assert_true(corde_dampers_solve(&c.d));
        assert_near(largest_error(&c.d), 0, 1e-4);
        free(c.memory);
    }
}

static void test_a_matrix_without_mass_is_refused(void **state) {
    (void)state;
    cdg_random random = {43};
    for (int round = 0; round < 8; round++) {
        chain c = build(4 + (size_t)round, round % 2, 1, &random);
        for (size_t i = 0; i <= c.d.element_count; i++) c.d.mass[i] = round % 4 < 2 ? -1 : NAN;
        assert_false(corde_dampers_solve(&c.d));
        free(c.memory);
    }
}

static void test_every_instruction_set_agrees(void **state) {
    (void)state;
    bool (*const variants[])(const corde_dampers *) = {
        corde_dampers_solve_base,
#if defined(__x86_64__)
        cdg_processor_lanes() != CDG_LANES_BASE ? corde_dampers_solve_avx2 : corde_dampers_solve_base,
        cdg_processor_lanes() == CDG_LANES_AVX512 ? corde_dampers_solve_avx512 : corde_dampers_solve_base,
#endif
    };
    for (size_t v = 0; v < sizeof variants / sizeof *variants; v++)
        for (int is_constraint = 0; is_constraint < 2; is_constraint++) {
            cdg_random random = {44};
            chain c = build(257, is_constraint, 3, &random);
            hold(&c.d, 0);
            assert_true(variants[v](&c.d));
            assert_near(largest_error(&c.d), 0, 2e-6);
            free(c.memory);
        }
}

static void test_the_record_has_room_for_the_lanes_that_are_chosen(void **state) {
    (void)state;
    bool more[9] = {false};
    for (size_t count = 1; count < 3000; count += 1 + count / 50)
        for (int round = 0; round < 80; round++) {
            corde_dampers d = {.element_count = count, .is_closed = round % 2 == 1, .stiffness = pow(1.2, round) - 1};
            corde_dampers_plan plan;
            int lanes = corde_dampers_choose_lanes(&d, 8);
            if (!corde_dampers_make_plan(&d, (size_t)lanes / 2, &plan)) continue;
            size_t kept = plan.steps > plan.before ? plan.steps - plan.before : 1;
            assert_true(42 * (size_t)lanes * kept <= corde_dampers_record_doubles(count));
            assert_true(plan.before + plan.half >= plan.steps); // nobody goes beyond the middle
            more[lanes] = true;
        }
    assert_true(more[2] && more[4] && more[8]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_short_chains_are_solved_to_rounding),
        cmocka_unit_test(test_long_chains_are_solved_to_a_millionth),
        cmocka_unit_test(test_a_matrix_without_mass_is_refused),
        cmocka_unit_test(test_every_instruction_set_agrees),
        cmocka_unit_test(test_the_record_has_room_for_the_lanes_that_are_chosen),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
