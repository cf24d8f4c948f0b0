// Shock propagation: high stacks come to rest in fewer sweeps, forces are those of the true masses, and what cannot be
// treated so is refused.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "contact_case.h"
#include "near.h"
#include "world/world.h"

#include <stdio.h>
#include <string.h>

static const cdg_vec3 none = {0, 0, 0}, down = {0, 0, -9.81};
static const double radius = 5e-3;
enum { LAYERS = 30 };

static void set_shock(cdg_world *world, double height) {
    cdg_contact_def contact = cdg_world_contact(world);
    contact.shock_height = height;
    must(world, cdg_world_set_contact(world, &contact));
}

static cdg_rod_def sweeping_rod(const char *name, cdg_vec3 from, cdg_vec3 to) {
    cdg_rod_def def = contact_rod(name, from, to, radius, 4);
    def.model = CDG_MODEL_POBD;
    def.pobd.solver = CDG_POBD_GAUSS_SEIDEL;
    def.pobd.iterations = 20;
    return def;
}

// Rods in pairs, across the pair below, on a floor.
static cdg_world *tower(cdg_vec3 gravity, double shock_height) {
    cdg_world *world = contact_world(gravity, 2e-3, 0.3, 1);
    set_shock(world, shock_height);
    cdg_obstacle_def floor = cdg_obstacle_def_default();
    must(world, cdg_world_add_obstacle(world, &floor, NULL));
    for (int layer = 0; layer < LAYERS; layer++)
        for (int side = -1; side <= 1; side += 2) {
            double z = (2 * layer + 1) * radius, s = 0.03 * side;
            cdg_vec3 from = layer % 2 == 0 ? vec3(-0.05, s, z) : vec3(s, -0.05, z);
            cdg_vec3 to = layer % 2 == 0 ? vec3(0.05, s, z) : vec3(s, 0.05, z);
            char name[16];
            snprintf(name, sizeof name, "rod_%d_%d", layer, side + 1);
            cdg_rod_def def = sweeping_rod(name, from, to);
            contact_add(world, &def);
        }
    return world;
}

static int sweeps_to_rest(cdg_world *world) {
    int sweeps = 0;
    for (int step = 0; step < 50; step++) {
        contact_run(world, 1);
        sweeps += world->contact_outcome.iterations;
    }
    return sweeps;
}

static double highest(const cdg_world *world) {
    double top = 0;
    for (size_t i = 0; i < world->rod_count; i++)
        for (size_t k = 0; k < world->rods[i].rod->node_count; k++) top = fmax(top, world->rods[i].rod->x[2][k]);
    return top;
}

static double mass_of(const cdg_world *world) {
    double mass = 0;
    for (size_t i = 0; i < world->rod_count; i++)
        for (size_t k = 0; k < world->rods[i].rod->node_count; k++) mass += world->rods[i].rod->node_mass[k];
    return mass;
}

// What all obstacles carry.
static double on_obstacles(const cdg_world *world) {
    double sum = 0;
    for (size_t i = 0; i < cdg_world_contact_count(world); i++) {
        cdg_contact_info contact;
        assert_int_equal(cdg_world_contact_at(world, i, &contact), CDG_OK);
        if (contact.obstacle.index1 != 0) sum += contact.force.z;
    }
    return sum;
}

static void stacks_come_to_rest_sooner(void **state) {
    (void)state;
    cdg_world *with = tower(down, 3 * radius), *without = tower(down, 0);
    int sweeps_with = sweeps_to_rest(with), sweeps_without = sweeps_to_rest(without);
    assert_true(sweeps_with > 0 && 3 * sweeps_with < 2 * sweeps_without);
    assert_near(highest(with), highest(without), 5e-3 * radius); // it stands as it does without
    assert_near(on_obstacles(without) / (9.81 * mass_of(without)), 1, 0.02);
    assert_true(on_obstacles(with) < 0.5 * on_obstacles(without)); // of which docs/contact.md warns
    cdg_world_destroy(with);
    cdg_world_destroy(without);
}

// Rods that lie on nothing but obstacles, one of them many heights above the other, weigh what they weigh.
static void forces_are_those_of_the_true_masses(void **state) {
    (void)state;
    cdg_world *world = contact_world(down, 1e-3, 0.3, 1);
    set_shock(world, radius);
    cdg_rod_id rods[2];
    for (int i = 0; i < 2; i++) {
        cdg_obstacle_def box = cdg_obstacle_def_default();
        box.shape.kind = CDG_SHAPE_BOX;
        box.shape.size = vec3(1, 0.1, 0.1);
        box.shape.position = vec3(0, 0.3 * i, 0.1 * i - 0.05);
        must(world, cdg_world_add_obstacle(world, &box, NULL));
        char name[16];
        snprintf(name, sizeof name, "rod_%d", i);
        double z = 0.1 * i + radius;
        cdg_rod_def def = sweeping_rod(name, vec3(-0.05, 0.3 * i, z), vec3(0.05, 0.3 * i, z));
        rods[i] = contact_add(world, &def);
    }
    contact_run(world, 50);
    cdg_vec3 force;
    for (int i = 0; i < 2; i++) {
        must(world, cdg_rod_contact_force(world, rods[i], &force, NULL));
        assert_near(force.z / (9.81 * mass_of(world) / 2), 1, 1e-2);
    }
    cdg_world_destroy(world);
}

// Without gravity there is no up: the same bits.
static void nothing_changes_without_gravity(void **state) {
    (void)state;
    cdg_world *with = tower(none, radius), *without = tower(none, 0);
    contact_run(with, 5);
    contact_run(without, 5);
    for (size_t i = 0; i < with->rod_count; i++)
        assert_memory_equal(with->rods[i].rod->x[2], without->rods[i].rod->x[2], 5 * sizeof(double));
    cdg_world_destroy(with);
    cdg_world_destroy(without);
}

static void refuse(cdg_world *world, cdg_result result, const char *word) {
    assert_int_equal(cdg_world_step(world, NULL), result);
    assert_non_null(strstr(cdg_world_message(world), word));
    cdg_world_destroy(world);
}

static void what_is_solved_as_a_whole_is_refused(void **state) {
    (void)state;
    cdg_rod_def def = sweeping_rod("whole", vec3(0, 0, 1), vec3(0.1, 0, 1));
    def.pobd.solver = CDG_POBD_DIRECT;
    cdg_world *world = contact_world(down, 1e-3, 0, 1);
    set_shock(world, 0.1);
    contact_add(world, &def);
    refuse(world, CDG_ERROR_UNSUPPORTED, "'whole'");
    world = contact_world(down, 1e-3, 0, 1);
    set_shock(world, 0.1);
    cdg_body_def ball = cdg_body_def_default();
    must(world, cdg_world_add_body(world, &ball, NULL));
    refuse(world, CDG_ERROR_UNSUPPORTED, "bodies");
    world = contact_world(down, 1e-3, 0, 1);
    cdg_contact_def contact = {.shock_height = -1};
    assert_int_equal(cdg_world_set_contact(world, &contact), CDG_ERROR_ARGUMENT);
    cdg_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stacks_come_to_rest_sooner),
        cmocka_unit_test(forces_are_those_of_the_true_masses),
        cmocka_unit_test(nothing_changes_without_gravity),
        cmocka_unit_test(what_is_solved_as_a_whole_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
