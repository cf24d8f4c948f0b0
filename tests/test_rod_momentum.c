// Momentum of a part: that of the rod, and given back by a rigid motion of what moves.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "adapt/rod_momentum.h"
#include "adapt_case.h"

static cdg_rod *build(adapt_variant variant, cdg_random *random) {
    cdg_rod_def def = adapt_def(variant, 12);
    cdg_vec3 points[ADAPT_ARC_MAX];
    adapt_arc(&def, 0.2, points);
    cdg_rod *rod = adapt_build(&def);
    adapt_shake(rod, random, 1);
    return rod;
}

static void describe(const cdg_rod *rod, const cdg_rod_part *part, cdg_part_rigid *out) {
    for (size_t k = 0; k <= part->count; k++) out->coarse[k] = rod_vec3(rod->x, part->node[k]);
    for (size_t k = 0; k < part->count; k++) out->axis[k] = quat_d3(rod_quat(rod->q, part->element[k]));
    out->centre = out->coarse[0];
    out->size = rod->rest_length[0];
}

// What was taken from the part's velocities comes back; and twice the same correction is none.
static void momentum_comes_back(void **state) {
    (void)state;
    for (int variant = 0; variant < ADAPT_VARIANTS; variant++) {
        cdg_random random = {3 + (uint64_t)variant};
        cdg_rod *rod = build((adapt_variant)variant, &random);
        cdg_rod_part part = cdg_part_beside(rod, 5, cdg_part_choose_sides(rod, 5, 5), false);
        cdg_part_rigid rigid;
        cdg_part_surroundings around;
        cdg_vec3 linear[2] = {{0, 0, 0}, {0, 0, 0}}, angular[2] = {{0, 0, 0}, {0, 0, 0}};
        describe(rod, &part, &rigid);
        cdg_rod_measure_momentum(rod, &linear[0], &angular[0]);
        cdg_part_momentum was = cdg_part_momentum_of(rod, &part, rigid.centre);
        cdg_part_list_surroundings(rod, &part, &around);
        for (size_t k = 0; k <= part.count; k++)
            rod_set_vec3(rod->v, part.node[k], vec3_add(rod_vec3(rod->v, part.node[k]), random_vector(&random, 0.5)));
        cdg_part_restore_momentum(rod, &part, &around, &rigid, &was);
        cdg_rod_measure_momentum(rod, &linear[1], &angular[1]);
        assert_vec3_near(linear[0], linear[1], 1e-14 * rod->mass);
        assert_vec3_near(angular[0], angular[1], 1e-14 * rod->mass);
        cdg_rod_destroy(rod);
    }
}

static double kinetic_of(const cdg_rod *rod) {
    cdg_energy e;
    cdg_rod_measure_energy(rod, vec3(0, 0, 0), &e);
    return e.kinetic;
}

// Of a part that is stopped, and of what a correction gives, the rod's own kinetic energy knows.
static void kinetic_energy_is_that_of_the_rod(void **state) {
    (void)state;
    for (int variant = 0; variant < ADAPT_VARIANTS; variant++) {
        cdg_random random = {9};
        cdg_rod *rod = build((adapt_variant)variant, &random);
        cdg_rod_part part = cdg_part_beside(rod, 5, cdg_part_choose_sides(rod, 5, 5), false);
        cdg_part_rigid rigid;
        cdg_part_surroundings around;
        describe(rod, &part, &rigid);
        cdg_part_list_surroundings(rod, &part, &around);
        cdg_part_momentum was = cdg_part_momentum_of(rod, &part, rigid.centre);
        double whole = kinetic_of(rod), own = cdg_part_kinetic(rod, &part);
        for (size_t k = 0; k <= part.count; k++) rod_set_vec3(rod->v, part.node[k], vec3(0, 0, 0));
        for (size_t k = 0; k < part.count; k++) rod_set_vec3(rod->w, part.element[k], vec3(0, 0, 0));
        double without = kinetic_of(rod);
        assert_near(whole - without, own, 1e-12 * whole);
        double gain = cdg_part_restore_momentum(rod, &part, &around, &rigid, &was);
        assert_true(fabs(gain) > 1e-3 * whole);
        assert_near(kinetic_of(rod) - without, gain, 1e-12 * whole);
        cdg_rod_destroy(rod);
    }
}

static void surroundings_go_back_to_the_bit(void **state) {
    (void)state;
    cdg_random random = {5};
    cdg_rod *rod = build(ADAPT_CORDE, &random);
    cdg_rod_part part = cdg_part_beside(rod, 5, cdg_part_choose_sides(rod, 5, 5), false);
    cdg_part_surroundings around;
    cdg_part_list_surroundings(rod, &part, &around);
    cdg_vec3 v = rod_vec3(rod->v, around.node[0]), w = rod_vec3(rod->w, around.element[1]);
    cdg_part_momentum other = {{1, 2, 3}, {0, 0.1, 0}};
    cdg_part_rigid rigid;
    describe(rod, &part, &rigid);
    cdg_part_restore_momentum(rod, &part, &around, &rigid, &other);
    assert_true(rod->v[0][around.node[0]] != v.x);
    cdg_part_reset_surroundings(rod, &around);
    assert_true(rod->v[0][around.node[0]] == v.x && rod->w[2][around.element[1]] == w.z);
    cdg_rod_destroy(rod);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(momentum_comes_back),
                                       cmocka_unit_test(kinetic_energy_is_that_of_the_rod),
                                       cmocka_unit_test(surroundings_go_back_to_the_bit)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
