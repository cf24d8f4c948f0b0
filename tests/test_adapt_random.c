// Random splits and merges of ropes under load, in contact: nothing crosses, nothing blows up, momentum of free rods
// stays. `test_adapt_random 1000000` does so many; without a number a few.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "adapt/resolution.h"
#include "adapt_case.h"
#include "world/world.h"

static long operations = 4000;

// A rope that hangs in an arc from both ends, bent, stretched and twisted by its supports.
static cdg_rod *hang(adapt_variant variant, cdg_random *random) {
    cdg_rod_def def = adapt_def(variant, 16);
    cdg_vec3 points[ADAPT_ARC_MAX];
    adapt_arc(&def, 0.2, points);
    def.initial_twist = 2;
    cdg_rod *rod = adapt_build(&def);
    adapt_shake(rod, random, 0.2);
    rod->adapt->options.angle = 2; // merges are refused for their shape alone
    return rod;
}

static double elastic(const cdg_rod *rod) {
    cdg_energy e;
    cdg_rod_measure_energy(rod, vec3(0, 0, 0), &e);
    return e.total;
}

static void energy_stays_bounded(void **state) {
    (void)state;
    for (int variant = 0; variant < ADAPT_VARIANTS; variant++) {
        cdg_random random = {1 + (uint64_t)variant};
        cdg_rod *rod = hang((adapt_variant)variant, &random);
        const cdg_adapt_context context = {.gravity = {0, 0, 0}};
        double start = elastic(rod), most = start, balance = start;
        cdg_vec3 linear = {0, 0, 0}, angular = {0, 0, 0}, now = {0, 0, 0}, turning = {0, 0, 0};
        cdg_rod_measure_momentum(rod, &linear, &angular);
        long done = 0, refused = 0;
        while (done < operations / ADAPT_VARIANTS && refused < 4 * operations) {
            size_t j = (size_t)random_in(&random, 0, (double)rod->element_count);
            cdg_adapt_outcome outcome;
            bool is_merge = cdg_resolution_are_halves(rod, j) && random_unit(&random) < 0.6, is_done = false;
            if (is_merge)
                is_done = cdg_adapt_merge(rod, j, &context, &outcome);
            else if (rod->adapt->level[j] < 3)
                is_done = cdg_adapt_split(rod, j, &context, &outcome);
            if (is_done) balance += outcome.energy;
            if (is_done) done++;
            if (!is_done) refused++;
            if (done % 64 != 0) continue;
            double energy = elastic(rod);
            assert_true(isfinite(energy));
            most = fmax(most, energy);
        }
        assert_true(done >= operations / ADAPT_VARIANTS);
        assert_true(most < 2 * start);
        assert_near(elastic(rod), balance, 1e-9 * start * sqrt((double)done));
        cdg_rod_measure_momentum(rod, &now, &turning);
        assert_vec3_near(now, linear, 1e-12 * rod->mass);
        assert_vec3_near(turning, angular, 1e-12 * rod->mass);
        cdg_rod_destroy(rod);
    }
}

int main(int argc, char **argv) {
    if (argc > 1) operations = atol(argv[1]);
    const struct CMUnitTest tests[] = {cmocka_unit_test(energy_stays_bounded)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
