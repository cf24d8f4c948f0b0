// Random splits and merges of ropes under load, in contact: nothing crosses, nothing blows up, momentum of free rods
// stays. `test_adapt_random 1000000` does so many in worlds; without a number a few.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "adapt/resolution.h"
#include "adapt_case.h"
#include "contact/segment_pair.h"
#include "contact_case.h"
#include "rounds.h"
#include "world/world.h"

static const long operations = 4000; // of rods that nothing else moves
static long in_worlds = 16000;

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

// Two ropes that cross over a pole, held at their ends, swing, and rest on each other.
static const double radius = 3e-3, pole = 0.02;

static cdg_world *cross(int variant) {
    cdg_world *world = contact_world(vec3(0, 0, -9.81), 1e-3, 0.2, 1);
    for (int i = 0; i < 2; i++) {
        cdg_vec3 from = i == 0 ? vec3(-0.3, 0, 0.024) : vec3(0.01, -0.3, 0.031);
        cdg_vec3 to = i == 0 ? vec3(0.3, 0.01, 0.024) : vec3(0, 0.3, 0.031);
        cdg_rod_def def = contact_rod(i == 0 ? "a" : "b", from, to, radius, 12);
        def.model = variant < 2 ? CDG_MODEL_POBD : variant == 2 ? CDG_MODEL_CORDE : CDG_MODEL_DER;
        if (variant == 1) def.pobd.solver = CDG_POBD_GAUSS_SEIDEL, def.pobd.iterations = 20;
        def.adapt.is_on = true;
        def.adapt.hold = 0;
        def.material.damping_bend = def.material.damping_stretch = def.material.damping_twist = 5e-3;
        def.material.damping_shear = 5e-3;
        cdg_rod_id rod = contact_add(world, &def);
        for (size_t end = 0; end < 2; end++) {
            cdg_support_def support = {.kind = CDG_SUPPORT_CLAMP,
                                       .place = {.rod = rod, .kind = CDG_PLACE_NODE, .index = 12 * end}};
            must(world, cdg_world_add_support(world, &support, NULL));
        }
    }
    cdg_obstacle_def def = cdg_obstacle_def_default();
    def.shape.kind = CDG_SHAPE_CAPSULE;
    def.shape.radius = pole;
    def.shape.length = 0.5;
    def.shape.orientation = quat_exp(vec3(1.5707963267948966, 0, 0));
    must(world, cdg_world_add_obstacle(world, &def, NULL));
    return world;
}

// By how much ropes lie in each other and in the pole, in radii.
static double deepest(const cdg_world *world) {
    const cdg_rod *a = world->rods[0].rod, *b = world->rods[1].rod;
    double least = radius;
    for (size_t i = 0; i < a->element_count; i++)
        for (size_t j = 0; j < b->element_count; j++)
            least = fmin(least, sqrt(cdg_segments_closest(rod_vec3(a->x, i), rod_vec3(a->x, i + 1), rod_vec3(b->x, j),
                                                          rod_vec3(b->x, j + 1))
                                         .distance2) -
                                    2 * radius);
    for (size_t i = 0; i < a->element_count; i++)
        least = fmin(least, sqrt(cdg_segments_closest(rod_vec3(a->x, i), rod_vec3(a->x, i + 1), vec3(0, -0.25, 0),
                                                      vec3(0, 0.25, 0))
                                     .distance2) -
                                radius - pole);
    return -least / radius;
}

// Thresholds that change from step to step split and merge at random.
static void worlds_stay_sound(void **state) {
    (void)state;
    for (int variant = 0; variant < 4; variant++) {
        cdg_random random = {11 + (uint64_t)variant};
        cdg_world *world = cross(variant);
        uint64_t done = 0;
        double most = 0, deep = 0, start = 0;
        for (long step = 0; done < (uint64_t)(in_worlds / 4) || step < 200; step++) { // energy is known from 100 on
            for (size_t i = 0; i < 2; i++) {
                cdg_adapt_options *o = &world->rods[i].rod->adapt->options;
                o->angle = 0.002 * exp(random_in(&random, 0, 6));
                o->coarsen = 0.45 * o->angle;
            }
            if (step % 400 == 0) // it never comes to rest
                for (size_t i = 0; i < 2; i++) adapt_shake(world->rods[i].rod, &random, 0.2);
            must(world, cdg_world_step(world, NULL));
            done = 0;
            for (size_t i = 0; i < 2; i++)
                done += world->rods[i].rod->adapt->split_count + world->rods[i].rod->adapt->merge_count;
            cdg_energy e = cdg_world_energy(world);
            double energy = e.bend + e.twist + e.kinetic; // sweeps leave stretches that are no energies (strain_trust)
            if (variant != 1) energy += e.stretch + e.shear;
            assert_true(isfinite(energy));
            if (step == 100) start = energy;
            if (step > 100) most = fmax(most, energy);
            if (step % 16 == 0) deep = fmax(deep, deepest(world));
        }
        assert_true(deep < 2e-3);
        if (in_worlds > 100000)
            print_message("%d: energy %.3g to %.3g J, %.2g radii deep\n", variant, start, most, deep);
        assert_true(start > 0 && most < start + 5e-3); // J: each shake gives 0.5e-3
        cdg_world_destroy(world);
    }
}

int main(int argc, char **argv) {
    in_worlds = argc > 1 ? atol(argv[1]) : rounds((int)in_worlds);
    const struct CMUnitTest tests[] = {cmocka_unit_test(energy_stays_bounded), cmocka_unit_test(worlds_stay_sound)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
