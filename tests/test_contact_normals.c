// Normal forces of many contacts through implicit rods: a tower of turns sinks, and in each step nothing pulls, nothing
// pushes across a gap, and nothing lies deeper than promised.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "contact_case.h"
#include "world/world.h"

#include <math.h>

static const double radius = 5e-3;

// 63 elements a turn, a hair's breadth between turns, above a floor.
static cdg_world *make_tower(cdg_model model, double turns) {
    cdg_world *world = contact_world((cdg_vec3){0, 0, -9.81}, 2e-3, 0, 1);
    cdg_rod_def rod = cdg_rod_def_default();
    rod.name = "rope";
    rod.model = model;
    rod.material.young_modulus = 3e5, rod.material.poisson_ratio = 0.4, rod.material.density = 1100;
    rod.material.damping_bend = rod.material.damping_twist = 0.01;
    rod.section.radius = radius;
    rod.element_count = (size_t)(63 * turns);
    rod.centerline.kind = CDG_CENTERLINE_HELIX;
    rod.centerline.helix.base = (cdg_vec3){0, 0, 6e-3};
    rod.centerline.helix.radius = 0.1;
    rod.centerline.helix.pitch = 10.02e-3;
    rod.centerline.helix.turns = turns;
    must(world, cdg_world_add_rod(world, &rod, NULL));
    cdg_obstacle_def floor = cdg_obstacle_def_default();
    must(world, cdg_world_add_obstacle(world, &floor, NULL));
    return world;
}

// Returns how many push.
static size_t check_laws(const cdg_contacts *c) {
    size_t pushing = 0;
    double largest = 0;
    for (size_t i = 0; i < c->count; i++) largest = fmax(largest, vec3_norm(c->list[i].force));
    for (size_t i = 0; i < c->count; i++) {
        const cdg_contact *contact = &c->list[i];
        double normal = vec3_dot(contact->force, contact->normal);
        cdg_vec3 across = vec3_mad(contact->force, -normal, contact->normal);
        assert_true(contact->gap > -1e-3 * radius);
        assert_true(normal >= -1e-3 * largest && vec3_norm(across) <= 2e-2 * largest); // normals move after the solve
        if (contact->gap > 1e-2 * radius) assert_true(normal <= 1e-3 * largest);
        pushing += normal > 1e-3 * largest;
    }
    return pushing;
}

static void sink(cdg_model model, double turns, size_t least) {
    cdg_world *world = make_tower(model, turns);
    size_t most = 0;
    bool is_sparse = false;
    for (int step = 0; step < 20; step++) {
        cdg_step_report report = {0};
        must(world, cdg_world_step(world, &report));
        assert_true(report.deepest <= 1e-3);
        size_t pushing = check_laws(&world->contacts);
        if (pushing > most) most = pushing;
        is_sparse = is_sparse || world->contacts.matrix.entry_count > 0;
    }
    assert_true(is_sparse);
    assert_true(most > least);
    cdg_world_destroy(world);
}

static void laws_hold_under_pobd(void **state) {
    (void)state;
    sink(CDG_MODEL_POBD, 4, 80);
}

static void laws_hold_under_der(void **state) {
    (void)state;
    sink(CDG_MODEL_DER, 3, 60);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(laws_hold_under_pobd), cmocka_unit_test(laws_hold_under_der)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
