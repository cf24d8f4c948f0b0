// Hands: the spring is solved with the step, follows from the mass it feels, and leaves nothing behind.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "contact_case.h"
#include "math/quat.h"
#include "math/random.h"
#include "near.h"
#include "world/world.h"

#include <stdlib.h>
#include <string.h>

enum { ELEMENTS = 20 };
static const cdg_model models[] = {CDG_MODEL_POBD, CDG_MODEL_DER, CDG_MODEL_CORDE};
enum { MODELS = sizeof models / sizeof *models };

static cdg_rod_id add_rod(cdg_world *world, cdg_model model) {
    cdg_rod_def def = contact_rod("rod", vec3(0, 0, 0), vec3(0.2, 0, 0), 2e-3, ELEMENTS);
    def.model = model;
    return contact_add(world, &def);
}

static cdg_grip_def at(cdg_rod_id rod, size_t element, double fraction, cdg_vec3 target) {
    return (cdg_grip_def){.place = cdg_rod_along(rod, element, fraction), .target = target};
}

static cdg_grip_id grip(cdg_world *world, cdg_grip_def def) {
    cdg_grip_id id;
    must(world, cdg_world_add_grip(world, &def, &id));
    return id;
}

static cdg_vec3 point_of(const cdg_world *world, cdg_grip_id id) {
    cdg_vec3 point;
    must(world, cdg_grip_get(world, id, &point, NULL));
    return point;
}

// Momentum of the rod alone, without the mass that the hand adds.
static cdg_vec3 own_momentum(const cdg_world *world, const double *masses) {
    const cdg_rod *rod = world->rods[0].rod;
    cdg_vec3 sum = vec3(0, 0, 0);
    for (size_t i = 0; i < rod->node_count; i++) sum = vec3_mad(sum, masses[i], rod_vec3(rod->v, i));
    return sum;
}

// What a step gives the rod is the spring's and the damper's force at its end, to rounding: implicit Euler.
static void force_is_that_of_the_end_of_the_step(void **state) {
    (void)state;
    const double steps[] = {1e-4, 1e-3, 1e-2};
    for (size_t s = 0; s < 3; s++) {
        cdg_world *world = contact_world(vec3(0, 0, 0), steps[s], 0, 1);
        cdg_rod_def rod_def = contact_rod("rod", vec3(0, 0, 0), vec3(0.2, 0, 0), 2e-3, ELEMENTS);
        rod_def.model = CDG_MODEL_POBD;
        rod_def.pobd.integrator = CDG_POBD_EULER;
        cdg_rod_id rod = contact_add(world, &rod_def);
        double masses[ELEMENTS + 1];
        memcpy(masses, world->rods[0].rod->node_mass, sizeof masses);
        cdg_grip_def def = at(rod, 7, 0, vec3(0.07, 0.001, 0.002));
        def.stiffness = 30, def.damping = 0.2, def.force_limit = 1e9;
        cdg_grip_id id = grip(world, def);
        for (int i = 0; i < 5; i++) {
            cdg_vec3 before = own_momentum(world, masses), force;
            contact_run(world, 1);
            must(world, cdg_grip_get(world, id, NULL, &force));
            cdg_vec3 given = vec3_sub(own_momentum(world, masses), before);
            assert_vec3_near(given, vec3_scale(steps[s], force), 1e-9 * steps[s] * (1 + vec3_norm(force)));
        }
        cdg_world_destroy(world);
    }
}

// However stiff the spring and however long the step: the place goes with the target, and stays with it.
static void no_stiffness_needs_a_shorter_step(void **state) {
    (void)state;
    const double stiffness[] = {0, 1e2, 1e5, 1e9}, allowed[] = {2e-2, 2e-2, 3e-4, 1e-6};
    for (size_t m = 0; m < MODELS; m++)
        for (size_t k = 0; k < (models[m] == CDG_MODEL_CORDE ? 3 : 4); k++) {
            double step = models[m] == CDG_MODEL_CORDE ? 1e-3 : 5e-3;
            cdg_world *world = contact_world(vec3(0, 0, -9.81), step, 0, 1);
            cdg_rod_id rod = add_rod(world, models[m]);
            cdg_vec3 start = vec3(0.103, 0, 0);
            cdg_grip_def def = at(rod, 10, 0.3, start);
            def.stiffness = stiffness[k];
            if (def.stiffness > 0) def.force_limit = 1e12;
            cdg_grip_id id = grip(world, def);
            for (double t = 0; t < 1; t += step) {
                cdg_vec3 target = vec3_mad(start, 0.2 * fmin(t, 0.5), vec3(0, 0.6, 0.8));
                must(world, cdg_grip_move(world, id, &target));
                contact_run(world, 1);
                assert_vec3_near(point_of(world, id), target, allowed[k] + 2 * step * 0.2);
            }
            assert_vec3_near(point_of(world, id), world->grips[0].def.target, allowed[k]);
            cdg_world_destroy(world);
        }
}

// Critically damped: it comes near without passing the target by more than a little, in a fraction of a second.
static void it_follows_without_swinging(void **state) {
    (void)state;
    for (size_t m = 0; m < MODELS; m++) {
        cdg_world *world = contact_world(vec3(0, 0, 0), 1e-3, 0, 1);
        cdg_rod_id rod = add_rod(world, models[m]);
        cdg_grip_id id = grip(world, at(rod, 10, 0, vec3(0.1, 0, 0.05)));
        double highest = 0;
        for (int i = 0; i < 300; i++) {
            contact_run(world, 1);
            highest = fmax(highest, point_of(world, id).z);
        }
        assert_true(highest < 0.05 * 1.15);
        assert_near(point_of(world, id).z, 0.05, 5e-3);
        cdg_world_destroy(world);
    }
}

// It pulls no harder than it may: a rod that is clamped at the other end is stretched by that force and no more.
static void pull_is_bounded(void **state) {
    (void)state;
    cdg_world *world = contact_world(vec3(0, 0, 0), 1e-3, 0, 1);
    cdg_rod_id rod = add_rod(world, CDG_MODEL_POBD);
    cdg_support_def support = {.kind = CDG_SUPPORT_CLAMP, .place = {.rod = rod}};
    must(world, cdg_world_add_support(world, &support, NULL));
    cdg_grip_def def = at(rod, ELEMENTS - 1, 1, vec3(100, 0, 0));
    def.force_limit = 0.4;
    grip(world, def);
    cdg_load_def drag = cdg_load_def_default();
    drag.kind = CDG_LOAD_DRAG, drag.drag_rate = 50;
    must(world, cdg_world_add_load(world, &drag, NULL));
    contact_run(world, 1500);
    cdg_vec3 forces[ELEMENTS];
    must(world, cdg_rod_forces(world, rod, forces));
    for (int j = 0; j < ELEMENTS; j++) assert_near(forces[j].z, 0.4, 4e-3);
    cdg_world_destroy(world);
}

// Let go, a rod has its own masses to the bit, and hands at one node add up.
static void masses_come_back(void **state) {
    (void)state;
    cdg_world *world = contact_world(vec3(0, 0, -9.81), 1e-3, 0, 1);
    cdg_rod_def ring = contact_rod("rod", vec3(0, 0, 0), vec3(0.2, 0, 0), 2e-3, ELEMENTS);
    cdg_rod_id rod = contact_add(world, &ring);
    double before[ELEMENTS + 1];
    double *masses = world->rods[0].rod->node_mass;
    memcpy(before, masses, sizeof before);
    cdg_grip_id a = grip(world, at(rod, 0, 0, vec3(0, 0, 0))), b = grip(world, at(rod, 0, 0.5, vec3(0, 0, 0))),
                c = grip(world, at(rod, ELEMENTS - 1, 1, vec3(0.2, 0, 0)));
    contact_run(world, 3);
    assert_true(masses[0] > before[0] && masses[1] > before[1] && masses[ELEMENTS] > before[ELEMENTS]);
    double with_both = masses[0];
    must(world, cdg_world_remove_grip(world, b));
    assert_true(masses[0] < with_both && masses[1] == before[1]);
    must(world, cdg_world_set_step_size(world, 2e-3));
    contact_run(world, 1);
    must(world, cdg_world_remove_grip(world, a));
    must(world, cdg_world_remove_grip(world, c));
    assert_memory_equal(masses, before, sizeof before);
    assert_int_equal(cdg_world_remove_grip(world, a), CDG_ERROR_STALE);
    grip(world, at(rod, 3, 0, vec3(0, 0, 0))); // the old handle is not good for it
    assert_int_equal(cdg_grip_move(world, a, NULL), CDG_ERROR_STALE);
    cdg_world_destroy(world);
}

static void assert_in_balance(cdg_energy_balance balance) {
    if (!(balance.unaccounted <= 0.5 * balance.allowed))
        print_error("%g J appear, %g J are allowed\n", balance.unaccounted, balance.allowed);
    assert_true(balance.unaccounted <= 0.5 * balance.allowed);
}

// Nothing comes from nowhere: what was lost never falls by more than a little, through grabs, pulls and releases.
static void energy_is_accounted_for(void **state) {
    (void)state;
    for (size_t m = 0; m < MODELS; m++) {
        cdg_world *world = contact_world(vec3(0, 0, -9.81), 5e-4, 0, 1);
        cdg_rod_id rod = add_rod(world, models[m]);
        cdg_random random = {5};
        for (int k = 0; k < 10; k++) {
            size_t element = (size_t)(random_unit(&random) * ELEMENTS);
            cdg_grip_id id = grip(world, at(rod, element, 0.4, rod_vec3(world->rods[0].rod->x, element)));
            for (int i = 0; i < 150; i++) {
                double t = 150 * k + i;
                cdg_vec3 target = vec3(0.1 * sin(t * 0.01), 0.1 * cos(t * 0.007), 0.05);
                must(world, cdg_grip_move(world, id, &target));
                contact_run(world, 1);
            }
            must(world, cdg_world_remove_grip(world, id));
            contact_run(world, 20);
        }
        cdg_energy_balance balance = cdg_world_energy_balance(world);
        assert_in_balance(balance);
        cdg_world_destroy(world);
    }
}

// A hand on a body: however light and however far from its middle it is held.
static void bodies_are_pulled(void **state) {
    (void)state;
    const double arms[] = {0, 0.05}, stiffness[] = {0, 1e5};
    for (int a = 0; a < 2; a++)
        for (int k = 0; k < 2; k++) {
            cdg_world *world = contact_world(vec3(0, 0, -9.81), 5e-3, 0, 1);
            cdg_body_def body_def = cdg_body_def_default();
            cdg_body_id body;
            must(world, cdg_world_add_body(world, &body_def, &body));
            cdg_grip_def def = {.place = cdg_body_point(body, vec3(arms[a], 0, 0)), .target = vec3(0.3, 0.1, 0.2)};
            def.stiffness = stiffness[k];
            cdg_grip_id id = grip(world, def);
            contact_run(world, 1000);
            assert_vec3_near(point_of(world, id), def.target, 1.5e-2);
            cdg_body_state now;
            must(world, cdg_body_get_state(world, body, &now));
            assert_true(vec3_norm(now.velocity) < 2); // swings about the hand
            must(world, cdg_world_remove_grip(world, id));
            contact_run(world, 5);
            cdg_world_destroy(world);
        }
}

// What a hand does to a body is in the books: all the energy that a free body gets, though it is pulled off its middle
// and turns by a radian a step.
static void work_on_bodies_is_booked(void **state) {
    (void)state;
    for (int k = 0; k < 2; k++) {
        cdg_world *world = contact_world(vec3(0, 0, 0), k == 0 ? 5e-3 : 2e-2, 0, 1);
        cdg_body_def body_def = cdg_body_def_default();
        cdg_body_id body;
        body_def.velocity = vec3(0.1, 0, 0.2);
        body_def.angular_velocity = vec3(1, 20, -5);
        must(world, cdg_world_add_body(world, &body_def, &body));
        double start = cdg_world_energy(world).kinetic;
        cdg_grip_def def = {
            .place = cdg_body_point(body, vec3(0.05, 0, 0)), .target = vec3(0.3, 0.1, 0.2), .stiffness = 1e4};
        grip(world, def);
        for (int i = 0; i < 200; i++) {
            contact_run(world, 1);
            assert_near(cdg_world_energy(world).kinetic, start + world->external_work, 1e-9 * (1 + start));
        }
        assert_true(fabs(world->external_work) > 0.1 * start);
        cdg_world_destroy(world);
    }
}

// A section that is twisted comes to the angle, more than a turn too, and the other end feels the torque.
static void twist_comes_to_its_angle(void **state) {
    (void)state;
    for (size_t m = 0; m < 2; m++) {
        cdg_world *world = contact_world(vec3(0, 0, 0), 1e-3, 0, 1);
        cdg_rod_id rod = add_rod(world, models[m]);
        cdg_grip_id id = grip(world, at(rod, 10, 0.5, vec3(0.105, 0, 0)));
        for (int i = 0; i < 3000; i++) {
            must(world, cdg_grip_twist(world, id, fmin(i * 0.01, 9)));
            contact_run(world, 1);
        }
        assert_near(world->grips[0].roll, 9, 0.05);
        cdg_world_destroy(world);
    }
}

static void assert_same_state(const cdg_world *a, const cdg_world *b) {
    const cdg_rod *first = a->rods[0].rod, *second = b->rods[0].rod;
    for (int k = 0; k < 3; k++) {
        assert_memory_equal(first->x[k], second->x[k], first->node_count * sizeof(double));
        assert_memory_equal(first->v[k], second->v[k], first->node_count * sizeof(double));
    }
}

static const cdg_grip_key keys[] = {
    {0.010, {0.1, 0, 0.01}, 0}, {0.015, {0.1, 0.02, 0.03}, 0}, {0.02, {0.1, 0, 0}, 0.5}};

// A hand that comes by itself does what one that is led does, to the bit; and so does one that is continued.
static void keys_do_what_calls_do(void **state) {
    (void)state;
    for (size_t m = 0; m < MODELS; m++) {
        cdg_world *led = contact_world(vec3(0, 0, -9.81), 1e-3, 0, 1),
                  *self = contact_world(vec3(0, 0, -9.81), 1e-3, 0, 1),
                  *late = contact_world(vec3(0, 0, -9.81), 1e-3, 0, 1);
        cdg_rod_id rod = add_rod(led, models[m]), other = add_rod(self, models[m]), third = add_rod(late, models[m]);
        cdg_grip_def def = at(other, 10, 0.3, vec3(0, 0, 0));
        def.keys = keys, def.key_count = 3, def.to = 0.03;
        grip(self, def);
        def.place.rod = third;
        grip(late, def);
        cdg_grip_id id = {0};
        for (int i = 0; i < 40; i++) {
            if (i == 10) id = grip(led, at(rod, 10, 0.3, keys[0].target));
            if (i == 15) must(led, cdg_grip_move(led, id, &keys[1].target));
            if (i == 20) must(led, cdg_grip_move(led, id, &keys[2].target)), must(led, cdg_grip_twist(led, id, 0.5));
            if (i == 30) must(led, cdg_world_remove_grip(led, id));
            contact_run(led, 1);
            contact_run(self, 1);
            assert_same_state(led, self);
            if (i == 22) { // taken over by another world while it is held
                double *snapshot = malloc(cdg_world_snapshot_size(self) * sizeof *snapshot);
                must(self, cdg_world_snapshot_save(self, snapshot));
                must(late, cdg_world_snapshot_load(late, snapshot));
                free(snapshot);
            }
            if (i > 22) contact_run(late, 1), assert_same_state(self, late);
        }
        cdg_world_destroy(led);
        cdg_world_destroy(self);
        cdg_world_destroy(late);
    }
}

static void keys_are_checked(void **state) {
    (void)state;
    cdg_world *world = contact_world(vec3(0, 0, 0), 1e-3, 0, 1);
    cdg_grip_id id;
    cdg_grip_def def = at(add_rod(world, CDG_MODEL_POBD), 0, 0, vec3(0, 0, 0));
    cdg_grip_key twice[2] = {{.time = 1}, {.time = 1}};
    def.keys = twice, def.key_count = 2, def.to = 3;
    assert_int_equal(cdg_world_add_grip(world, &def, &id), CDG_ERROR_ARGUMENT);
    assert_non_null(strstr(cdg_world_message(world), "key 2 of a grip"));
    twice[1].time = 2, def.to = 2;
    assert_int_equal(cdg_world_add_grip(world, &def, &id), CDG_ERROR_ARGUMENT);
    def.to = 3, def.keys = NULL;
    assert_int_equal(cdg_world_add_grip(world, &def, &id), CDG_ERROR_ARGUMENT);
    cdg_world_destroy(world);
}

// A step may leave rods a little deeper in each other than a start may have them: who only takes hold does not have it
// looked at again, or the next step would be refused.
static void taking_hold_starts_nothing_anew(void **state) {
    (void)state;
    cdg_world *world = contact_world(vec3(0, 0, 0), 1e-3, 0, 1);
    cdg_rod_id rod = add_rod(world, CDG_MODEL_POBD);
    assert_int_equal(cdg_world_step(world, NULL), CDG_OK);
    cdg_grip_id held = grip(world, at(rod, 1, 0.5, (cdg_vec3){0, 0, 0}));
    assert_int_equal(cdg_world_ensure_scratch(world), CDG_OK);
    assert_true(world->contacts.is_known_free);
    assert_int_equal(cdg_world_remove_grip(world, held), CDG_OK);
    assert_int_equal(cdg_world_ensure_scratch(world), CDG_OK);
    assert_true(world->contacts.is_known_free);
    cdg_rod_def other = contact_rod("other", vec3(0, 1e-3, 0), vec3(0.2, 1e-3, 0), 2e-3, ELEMENTS);
    contact_add(world, &other); // where the first one is
    assert_int_equal(cdg_world_ensure_scratch(world), CDG_OK);
    assert_false(world->contacts.is_known_free);
    assert_int_equal(cdg_world_step(world, NULL), CDG_ERROR_ARGUMENT);
    cdg_world_destroy(world);
}

static void what_cannot_be_gripped_is_refused(void **state) {
    (void)state;
    cdg_world *world = contact_world(vec3(0, 0, 0), 1e-3, 0, 1);
    cdg_grip_id id;
    cdg_rod_id rod = add_rod(world, CDG_MODEL_POBD);
    cdg_grip_def def = at(rod, ELEMENTS, 0, vec3(0, 0, 0));
    assert_int_equal(cdg_world_add_grip(world, &def, &id), CDG_ERROR_ARGUMENT);
    def = at(rod, 0, 1.5, vec3(0, 0, 0));
    assert_int_equal(cdg_world_add_grip(world, &def, &id), CDG_ERROR_ARGUMENT);
    def = at(rod, 0, 0, vec3(NAN, 0, 0));
    assert_int_equal(cdg_world_add_grip(world, &def, &id), CDG_ERROR_ARGUMENT);
    cdg_body_def body_def = cdg_body_def_default();
    cdg_body_id body;
    body_def.is_fixed = true;
    body_def.shape.position = vec3(0, 0, 1);
    must(world, cdg_world_add_body(world, &body_def, &body));
    def = (cdg_grip_def){.place = cdg_body_point(body, vec3(0, 0, 0))};
    assert_int_equal(cdg_world_add_grip(world, &def, &id), CDG_ERROR_ARGUMENT);
    cdg_rod_def other = contact_rod("other", vec3(0, 1, 0), vec3(0.2, 1, 0), 2e-3, ELEMENTS);
    other.model = CDG_MODEL_GALPHA;
    cdg_rod_id stiff = contact_add(world, &other);
    def = at(stiff, 0, 0, vec3(0, 0, 0));
    assert_int_equal(cdg_world_add_grip(world, &def, &id), CDG_ERROR_UNSUPPORTED);
    assert_non_null(strstr(cdg_world_message(world), "galpha"));
    cdg_grip_id held = grip(world, at(rod, 0, 0, vec3(0, 0, 0)));
    must(world, cdg_world_remove_rod(world, rod));
    assert_int_equal(cdg_grip_move(world, held, NULL), CDG_ERROR_STALE);
    cdg_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(force_is_that_of_the_end_of_the_step),
        cmocka_unit_test(no_stiffness_needs_a_shorter_step),
        cmocka_unit_test(it_follows_without_swinging),
        cmocka_unit_test(pull_is_bounded),
        cmocka_unit_test(masses_come_back),
        cmocka_unit_test(energy_is_accounted_for),
        cmocka_unit_test(bodies_are_pulled),
        cmocka_unit_test(work_on_bodies_is_booked),
        cmocka_unit_test(twist_comes_to_its_angle),
        cmocka_unit_test(keys_do_what_calls_do),
        cmocka_unit_test(keys_are_checked),
        cmocka_unit_test(taking_hold_starts_nothing_anew),
        cmocka_unit_test(what_cannot_be_gripped_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
